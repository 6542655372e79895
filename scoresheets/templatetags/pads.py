"""The parts of the pad that are there once a seat or once a number.

Put together here for the same reason as the rows of the Block: in a template these loops cost more than everything
around them, and the pad is drawn at each tap. Everything a person typed is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scoresheets import wording
from scoresheets.templatetags.tafel import icon

register = template.Library()

Shown = Iterable[Mapping[str, Any]]


@register.simple_tag
def block_heads(heads: Shown) -> SafeString:
    """Return the head of each seat's column: name, total, who deals and who leads."""
    deals_word, leads_word = _("deals"), _("in the lead")
    cells = []
    for head in heads:
        name, deals, leads = escape(head["name"]), head["deals"], head["leads"]
        classes = f"{'lead' if leads else ''}{' is-deal' if deals else ''}"
        cells.append(
            f'<th scope="col" class="{classes}"><span class="who">{icon("deal") if deals else ""}'
            f'<b title="{name}">{name}</b></span><span class="sum">{wording.plain(head["total"])}</span>'
            f"{_hidden(deals_word) if deals else ''}{_hidden(leads_word) if leads else ''}</th>"
        )
    return mark_safe("".join(cells))


def _hidden(word: str) -> str:
    return f'<span class="vh">{word}</span>'


@register.simple_tag
def bid_chips(chips: Shown) -> SafeString:
    """Return one button a bid; a barred one stays, described by the sentence that says why."""
    buttons = []
    for chip in chips:
        barred = ' aria-disabled="true" aria-describedby="turn"' if chip["forbidden"] else ""
        pressed = ' aria-pressed="true"' if chip["before"] else ""
        outcome = f"<small>{chip['outcome']}</small>" if chip["outcome"] else ""
        buttons.append(
            f'<button class="chip" type="submit" name="bid" value="{chip["bid"]}"{barred}{pressed}>'
            f"{chip['bid']}{outcome}</button>"
        )
    return mark_safe("".join(buttons))


@register.simple_tag
def bid_fields(rows: Shown) -> SafeString:
    """Return one line a seat that has not bid yet: its name and a field, with what is wrong in it."""
    lines = []
    for row in rows:
        field = f"bid_{row['seat'].pk}"
        lines.append(
            f'<li><label for="{field}">{escape(row["seat"].name)}</label>'
            f'<input class="input n" id="{field}" name="{field}" value="{escape(row["value"])}" inputmode="numeric" '
            f'maxlength="20" autocomplete="off"{_invalid(field, row)}>{_errors(field, row)}</li>'
        )
    return mark_safe("".join(lines))


@register.simple_tag
def tricks_lines(rows: Shown) -> SafeString:
    """Return one line a seat for its tricks: bid, stepper, the button for a bid that was made, points."""
    return mark_safe("".join(map(_tricks_line, rows)))


def _tricks_line(row: Mapping[str, Any]) -> str:
    seat, name = row["seat"].pk, escape(row["seat"].name)
    field, named = f"taken_{seat}", {"name": name}
    bid = "" if row["bid"] is None else _("bid %(bid)s") % {"bid": row["bid"]}
    rest, double = _("rest"), _("double")
    label = _("Tricks of %(name)s") % named
    fewer, more = _("%(name)s: one trick fewer") % named, _("%(name)s: one trick more") % named
    made = _("%(name)s made the bid") % named
    points = "" if row["points"] is None else wording.signed(row["points"])
    return (
        f"<li{_class_auto(row)}>"
        f'<div class="nm"><b>{name}</b><small>{bid}{f" · {rest}" if row["is_rest"] else ""}</small></div>'
        f'<div class="stepper" role="group" aria-label="{label}">'
        f'<button class="icon-btn" type="submit" name="minus" value="{seat}" aria-label="{fewer}">{icon("minus")}'
        f'</button><input class="n" name="{field}" value="{escape(row["value"])}" inputmode="numeric" maxlength="20" '
        f'autocomplete="off" aria-label="{label}"{_invalid(field, row)}>'
        f'<button class="icon-btn" type="submit" name="plus" value="{seat}" aria-label="{more}">{icon("plus")}</button>'
        f'</div><button class="hitbtn" type="submit" name="made" value="{seat}" '
        f'aria-pressed="{"true" if row["made"] else "false"}" aria-label="{made}">{icon("check")}</button>'
        f'<div class="pts">{points}{f"<small>{double}</small>" if row["blind"] else ""}</div>{_errors(field, row)}</li>'
    )


def _class_auto(row: Mapping[str, Any]) -> str:
    return ' class="auto"' if row["is_rest"] else ""


def _invalid(field: str, row: Mapping[str, Any]) -> str:
    return f' aria-invalid="true" aria-describedby="{field}_errors"' if row["errors"] else ""


def _errors(field: str, row: Mapping[str, Any]) -> str:
    if not row["errors"]:
        return ""
    sentences = escape(" ".join(row["errors"]))
    return f'<div class="err" id="{field}_errors" role="alert">{icon("warn", "i--s")}<span>{sentences}</span></div>'
