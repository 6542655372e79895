"""The parts of the pad that are there once a seat or once a number.

Put together here for the same reason as the rows of the Block: in a template these loops cost more than everything
around them, and the pad is drawn at each tap. Everything a person typed is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import rules
from scoresheets import verdicts, wording
from scoresheets.models import Seat
from scoresheets.numbers import reader_language
from scoresheets.templatetags.tafel import SHAPES, icon, suit_image, suit_named
from scoresheets.views.trumps import Trump

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
def trump_row(trump: Trump, errors: Iterable[str] = ()) -> SafeString:
    """Return the suits as buttons, the noted one pressed; one line of text where there is nothing to choose."""
    sentences = "".join(
        f'<p class="err" role="alert">{icon("warn", "i--s")}<span>{escape(sentence)}</span></p>' for sentence in errors
    )
    if not trump.suits:
        return mark_safe(sentences + _settled_trump(reader_language(), trump.noted, trump.is_fixed))
    return mark_safe(_trump_buttons(reader_language(), trump.suits, trump.noted) + sentences)


@lru_cache(maxsize=256)
def _trump_buttons(language: str, suits: tuple[str, ...], noted: str) -> str:
    word = _("Trump")
    beside = (
        pgettext("beside the word trump", "none") if noted == rules.NO_TRUMP else suit_named(noted) if noted else "?"
    )
    buttons = "".join(
        # A tap on the noted trump takes the note away; two phones that tap the same suit still note it.
        f'<button type="submit" name="trump" value="{"" if suit == noted else suit}" '
        f'aria-pressed="{"true" if suit == noted else "false"}" aria-label="{suit_named(suit)}">'
        f'<svg class="suit suit--{SHAPES[suit]}" aria-hidden="true">'
        f'<use href="{static("img/sprite.svg")}#s-{SHAPES[suit]}"/></svg></button>'
        for suit in suits
    )
    return (
        f'<div class="trump trump-in" role="group" aria-label="{word}"><div class="trump-lab"><small>{word}</small>'
        f'<b>{beside}</b></div><div class="trump-set">{buttons}</div></div>'
    )


@lru_cache(maxsize=64)
def _settled_trump(language: str, noted: str, is_fixed: bool) -> str:
    why = _("fixed in this round") if is_fixed else _("no card is left")
    return f'<p class="trump trump-set-already">{suit_image(noted)}<span><b>{suit_named(noted)}</b> · {why}</span></p>'


@register.simple_tag
def trump_more(trump: Trump) -> SafeString:
    """Return the line that opens into the turned-up card and who named trump; nothing where neither can be."""
    if not trump.cards and not trump.choosers:
        return mark_safe("")
    card_label, chooser_label, note = _("Turned-up card"), _("Named by"), _("Note")
    unknown = _("not noted")
    selects = ""
    if trump.cards:
        selects += (
            f'<label><span>{card_label}</span><select class="select" name="turned_up">'
            f"{_card_options(reader_language(), trump.cards, trump.turned_up)}</select></label>"
        )
    if trump.choosers:
        options = "".join(
            f'<option value="{seat}"{" selected" if seat == trump.chosen_by else ""}>{escape(name)}</option>'
            for seat, name in trump.choosers
        )
        selects += (
            f'<label><span>{chooser_label}</span><select class="select" name="chosen_by">'
            f'<option value="">{unknown}</option>{options}</select></label>'
        )
    said = [verdicts.card_name(rules.Card.parse(trump.turned_up))] if trump.turned_up else []
    said += [escape(name) for seat, name in trump.choosers if seat == trump.chosen_by]
    summary = _("Turned-up card, named by") if not said else _("Trump: %(noted)s") % {"noted": ", ".join(said)}
    return mark_safe(
        f'<details class="more trump-more"><summary>{summary}</summary><div>{selects}'
        f'<button class="btn" type="submit" name="note" value="{trump.noted}">{note}</button></div></details>'
    )


@lru_cache(maxsize=256)
def _card_options(language: str, cards: tuple[str, ...], chosen: str) -> str:
    none = _("not noted")
    options = "".join(
        f'<option value="{card}"{" selected" if card == chosen else ""}>'
        f"{verdicts.card_name(rules.Card.parse(card))}</option>"
        for card in cards
    )
    return f'<option value="">{none}</option>{options}'


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
            f'<li><label for="{field}">{escape(row["seat"].name)}</label>{_blind_box(row)}'
            f'<input class="input n" id="{field}" name="{field}" value="{escape(row["value"])}" inputmode="numeric" '
            f'maxlength="20"{_invalid(field, row)}>{_errors(field, row)}</li>'
        )
    return mark_safe("".join(lines))


def _blind_box(row: Mapping[str, Any]) -> str:
    """Return the box that marks a seat's bid as blind, where that is possible."""
    if row["blind"] is None:
        return ""
    label, sign = _("Blind: %(name)s") % {"name": escape(row["seat"].name)}, _("blind")
    return (
        f'<label class="blind"><input type="checkbox" name="blind_{row["seat"].pk}" value="1" aria-label="{label}"'
        f"{' checked' if row['blind'] else ''}><span>{sign}</span></label>"
    )


@register.simple_tag
def round_fields(rows: Shown) -> SafeString:
    """Return one line a seat for bid and tricks together, with what is wrong in either."""
    return mark_safe("".join(map(_round_line, rows)))


def _round_line(row: Mapping[str, Any]) -> str:
    seat, name = row["seat"].pk, escape(row["seat"].name)
    taken, bid = f"taken_{seat}", row["bid"]
    bid_label, tricks_label = _("Bid of %(name)s") % {"name": name}, _("Tricks of %(name)s") % {"name": name}
    # A bid that stands already is covered as any other.
    shown_bid, blind, bid_errors = '<span class="n set">•</span>', "", ""
    if bid is not None:
        field = f"bid_{seat}"
        shown_bid, blind = _number_field(field, bid, bid_label), _blind_box(bid)
        bid_errors = _errors(field, bid)
    return (
        f"<li><b>{name}</b>{blind}{shown_bid}{_number_field(taken, row, tricks_label)}"
        f"{bid_errors}{_errors(taken, row)}</li>"
    )


def _number_field(name: str, row: Mapping[str, Any], label: str) -> str:
    return (
        f'<input class="input n" name="{name}" value="{escape(row["value"])}" inputmode="numeric" maxlength="20" '
        f'aria-label="{label}"{_invalid(name, row)}>'
    )


@register.simple_tag
def special_cards(extras: Mapping[str, Any] | None) -> SafeString:
    """Return what bomb and cloud did, to be entered: nothing for a game without them."""
    if extras is None:
        return mark_safe("")
    bomb = _bomb(extras) if extras["bomb"] else ""
    return mark_safe(f'<div class="extras">{bomb}{_cloud(extras) if extras["cloud"] else ""}</div>')


def _bomb(extras: Mapping[str, Any]) -> str:
    label, row = _("Bomb"), {"errors": extras["bomb_errors"]}
    checked = " checked" if extras["bombed"] else ""
    return (
        f'<span class="lab" id="bomb_label">{icon("bomb")}{label}</span><label class="row">'
        f'<span>{extras["bomb_words"]}</span><input class="switch" type="checkbox" role="switch" name="bombs" '
        f'value="1" aria-labelledby="bomb_label"{checked}{_invalid("bomb", row)}></label>{_errors("bomb", row)}'
    )


def _cloud(extras: Mapping[str, Any]) -> str:
    label, nobody, legend = _("Cloud"), _("nobody"), _("The cloud changes the bid by")
    row = {"errors": extras["cloud_errors"]}
    takers = "".join(
        f'<option value="{seat}"{" selected" if takes else ""}>{escape(name)}</option>'
        for seat, name, takes in extras["takers"]
    )
    ways = "".join(
        f'<label><input type="radio" name="cloud_delta" value="{way}"{" checked" if chosen else ""}'
        f"{' disabled' if barred else ''}>{wording.signed(way)}</label>"
        for way, chosen, barred in extras["ways"]
    )
    return (
        f'<label class="lab" for="cloud">{icon("cloud")}{label}</label><div class="row">'
        f'<select class="select" id="cloud" name="cloud"{_invalid("cloud", row)}><option value="">{nobody}</option>'
        f'{takers}</select><fieldset class="seg"><legend class="vh">{legend}</legend>{ways}</fieldset></div>'
        f"{_errors('cloud', row)}"
    )


@register.simple_tag
def coin_panel(coins: Mapping[str, Any]) -> SafeString:
    """Return the trick being played, who leads it, one button a seat that takes it, and the newest coin's way back.

    Where the tricks are entered by hand, only that they count.
    """
    by_hand, who = _("What you entered by hand counts, not the tally."), _("Who took the trick?")
    undo = ""
    if coins["newest"]:
        named = _("Take back trick %(number)s: %(name)s") % {
            "number": coins["trick"] - 1,
            "name": escape(coins["newest"]),
        }
        undo = (
            f'<button class="btn btn--quiet" type="submit" name="uncoin" value="{coins["trick"] - 1}" '
            f'aria-label="{named}">{icon("undo")}<span>{escape(coins["newest"])}</span></button>'
        )
    buttons = "".join(_coin_button(coins["trick"], *row) for row in coins["rows"])
    if coins["bomb"]:
        bombed, said = _("Bombed"), _("Bombed: nobody gets the trick")
        buttons += (
            f'<button class="btn coin" type="submit" name="coin" value="{coins["trick"]}:" aria-label="{said}">'
            f"<b>{icon('bomb', 'i--s')} {bombed}</b></button>"
        )
    note = f'<p class="note">{icon("info")}<span>{by_hand}</span></p>' if coins["by_hand"] else ""
    group = f'<div class="coin-set" role="group" aria-label="{who}">{buttons}</div>' if buttons else ""
    if not coins["has_panel"]:
        return mark_safe(note)
    return mark_safe(
        f'<div class="turn"><div role="status"><h2 tabindex="-1">{coins["words"]}</h2><p>{escape(coins["lead"])}</p>'
        f"</div>{undo}</div>{note}{group}"
    )


def _coin_button(trick: int, seat: Seat, taken: int, bid: int | None, difference: int | None) -> str:
    name = escape(seat.name)
    said = _("%(name)s took the trick") % {"name": name}
    so_far = str(taken) if bid is None else _("%(taken)s of %(bid)s") % {"taken": taken, "bid": bid}
    done = " is-made" if difference == 0 else ""
    return (
        f'<button class="btn coin{done}" name="coin" value="{trick}:{seat.pk}" aria-label="{said}">'
        f"<b>{name}</b><small>{so_far}</small></button>"
    )


@register.simple_tag
def tricks_lines(rows: Shown) -> SafeString:
    """Return one line a seat for its tricks: bid, stepper, the button for a bid that was made, points."""
    return mark_safe("".join(map(_tricks_line, rows)))


def _tricks_line(row: Mapping[str, Any]) -> str:
    # 18 buttons: none says that it submits its form, as buttons do anyway.
    seat, name = row["seat"].pk, escape(row["seat"].name)
    field, named = f"taken_{seat}", {"name": name}
    said = row["bid"] if row["final"] == row["bid"] else f"{row['bid']} → {row['final']}"
    bid = "" if row["bid"] is None else _("bid %(bid)s") % {"bid": said}
    if row["final"] != row["bid"]:
        bid = icon("cloud") + bid
    if row["blind"]:
        bid = icon("blind") + bid
    filled_in, double = _("so far") if row["is_so_far"] else _("rest"), _("double")
    label = _("Tricks of %(name)s") % named
    fewer, more = _("%(name)s: one trick fewer") % named, _("%(name)s: one trick more") % named
    made = _("%(name)s made the bid") % named
    points = "" if row["points"] is None else wording.signed(row["points"])
    return (
        f"<li{_class_auto(row)}>"
        f'<div class="nm"><b>{name}</b><small>{bid}{f" · {filled_in}" if row["is_rest"] else ""}</small></div>'
        '<div class="stepper">'
        f'<button class="icon-btn" name="minus" value="{seat}" aria-label="{fewer}">'
        f'</button><input class="n" name="{field}" value="{escape(row["value"])}" inputmode="numeric" maxlength="20" '
        f'aria-label="{label}"{_invalid(field, row)}>'
        f'<button class="icon-btn" name="plus" value="{seat}" aria-label="{more}"></button>'
        f'</div><button class="hitbtn" name="made" value="{seat}" '
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
