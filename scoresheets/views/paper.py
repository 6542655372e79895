"""Typing in a game that was played on paper: looked at as often as one likes, then recorded as one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import rulebook, wording
from scoresheets.forms.house import BID_MODES
from scoresheets.forms.paper import BID, BLIND, EDITIONS, POINTS, SPECIALS, TOTAL, TRICKS, PaperSheet, Row
from scoresheets.recording import Conflict, record_sheet
from scoresheets.views import access
from scoresheets.views.keys import key_in, new_key

#: The names stand above every so many rounds again: the head of a long grid is out of sight.
NAMES_EVERY = 5


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_sheet(request: HttpRequest) -> HttpResponse:
    """Show the sheet to be typed in; a POST judges what is there, and "save" records it once all of it is right.

    Numbers that the paper prints otherwise are shown once: "save" carries the confirmation of just these.
    """
    if request.method != "POST":
        return _render(request, PaperSheet())
    saves = "save" in request.POST
    sheet = PaperSheet(request.POST, complete=saves)
    if not saves:
        return _render(request, sheet)
    if not sheet.is_right or sheet.confirmation not in ("", request.POST["save"]):
        return _render(request, sheet, status=422)
    try:
        started = record_sheet(**sheet.record_arguments(), by=access.device_actor(request), key=key_in(request.POST))
    except Conflict as conflict:
        return _render(request, sheet, status=409, notice=wording.conflict_in_words(conflict), key=new_key())
    response = redirect("block", started.game.pk)
    access.remember_link(request, response, started.game, started.secret)
    return response


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the grid, ready for the template: `told_by` are the ids of the sentences about it."""

    name: str
    value: str
    label: str
    told_by: str = ""
    is_wrong: bool = False
    is_next: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is wrong in a round, or differs from the paper: who or what it is about, and the sentence."""

    id: str
    about: str
    text: str


def _render(
    request: HttpRequest, sheet: PaperSheet, *, status: int = 200, notice: str = "", key: str = ""
) -> HttpResponse:
    table = sheet.table
    shown: set[str] = set()
    next_field = _next_field(sheet) if request.method == "POST" else ""
    rows = [_row(sheet, row, next_field, shown) for row in sheet.rows]
    context: dict[str, Any] = {
        "sheet": sheet,
        "table": table,
        "errors": sheet.errors,
        "key": key or request.POST.get("key", "") or new_key(),
        "notice": notice,
        "places": _places(sheet),
        "people": table.people,
        "choices": _choices(sheet),
        "today": timezone.localdate().isoformat(),
        "rows": rows,
        "columns": _columns(sheet),
        "kept": [(name, value) for name, value in sheet.typed.items() if name not in shown],
        "done": sum(bool(row.scores) for row in sheet.rows),
        "state": _state(sheet),
    }
    return render(request, "games/paper.html", context, status=status)


# -- the table -------------------------------------------------------------------------------------------------------


def _places(sheet: PaperSheet) -> list[dict[str, Any]]:
    return [
        {
            "place": place,
            "name": name,
            "deals": place == sheet.table.dealer,
            "errors": sheet.errors.get(f"name{place}", []),
        }
        for place, name in enumerate(sheet.table.names)
    ]


def _choices(sheet: PaperSheet) -> dict[str, list[tuple[str, rulebook.Words, bool]]]:
    """Return what can be chosen by field: value, words, whether it is chosen."""
    table = sheet.table
    shelves = (
        ("deck", rules.DECKS, rulebook.DECKS),
        ("variant", tuple(rules.VARIANTS), rulebook.VARIANT_WORDS),
        ("bid_mode", BID_MODES, rulebook.BID_MODES),
        ("edition", EDITIONS, rulebook.PRESETS),
        ("tie_break", rules.TIE_BREAKS, rulebook.TIE_BREAKS),
        ("ladder", rules.LADDERS, rulebook.LADDERS),
    )
    chosen = {
        name: [(value, words[value], value == getattr(table, name)) for value in values]
        for name, values, words in shelves
    }
    return chosen | {"special": [(name, rulebook.SPECIALS[name], name in table.specials) for name in SPECIALS]}


# -- the grid --------------------------------------------------------------------------------------------------------


def _columns(sheet: PaperSheet) -> dict[str, Any]:
    """Return which columns the grid has, and how many belong to each person and to the whole row."""
    table = sheet.table
    a_person = 3 + table.blind_bids + 2 * table.printed
    bombs, cloud = "BOMB" in table.specials, "CLOUD" in table.specials
    return {
        "blind": table.blind_bids,
        "printed": table.printed,
        "bombs": bombs,
        "cloud": cloud,
        "a_person": a_person,
        "beside": bombs + cloud,
        "all": 1 + a_person * len(table.places) + bombs + cloud,
    }


def _next_field(sheet: PaperSheet) -> str:
    """Return where typing goes on: at the first field that is wrong, or else at the first empty bid or trick."""
    table = sheet.table
    if sheet.errors:
        return ""
    wrong = next((row for row in sheet.rows if row.errors), None)
    for row in sheet.rows if wrong is None else [wrong]:
        number = row.plan.number
        fields = [
            *(f"{kind}{number}-{place}" for place in table.places for kind in (BID, BLIND, TRICKS, POINTS, TOTAL)),
            *(f"{kind}{number}" for kind in ("bombs", "cloud")),
        ]
        for name in fields:
            is_open = name not in sheet.typed and name[0] in (BID, TRICKS) and "-" in name
            if is_open if wrong is None else name in row.errors or name.partition("-")[0] in row.errors:
                return name
    return ""


def _row(sheet: PaperSheet, row: Row, next_field: str, shown: set[str]) -> dict[str, Any]:
    """Return one row for the template, and add the names of its fields to those `shown`."""
    number, table = row.plan.number, sheet.table
    wrong, differs = list(_sentences(sheet, row, row.errors)), list(_sentences(sheet, row, row.mismatches))
    told = {sentence.id for sentence in (*wrong, *differs)}

    def field(kind: str, label: str, place: int | None = None) -> Field:
        name = f"{kind}{number}" if place is None else f"{kind}{number}-{place}"
        shown.add(name)
        ids = [told_id for told_id in dict.fromkeys((f"e-{name}", f"e-{kind}{number}")) if told_id in told]
        is_wrong = name in row.errors or f"{kind}{number}" in row.errors
        return Field(name, sheet.typed.get(name, ""), label, " ".join(ids), is_wrong, name == next_field)

    cells = []
    for seat, (place, name) in enumerate(zip(table.places, table.people, strict=True)):
        values = {"name": name, "number": number}
        cell: dict[str, Any] = {
            "deals": seat == row.plan.dealer,
            "bid": field(BID, _("%(name)s, round %(number)s: bid") % values, place),
            "tricks": field(TRICKS, _("%(name)s, round %(number)s: tricks") % values, place),
            "points": row.scores[seat].points if row.scores else None,
            "exact": row.scores[seat].exact if row.scores else False,
            "total": row.totals[seat] if row.totals else None,
        }
        if table.blind_bids:
            cell["blind"] = field(BLIND, _("%(name)s, round %(number)s: bid blind") % values, place)
        if table.printed:
            cell["printed"] = field(POINTS, _("%(name)s, round %(number)s: points as printed") % values, place)
            cell["sum"] = field(TOTAL, _("%(name)s, round %(number)s: total as printed") % values, place)
        cells.append(cell)
    shown_row: dict[str, Any] = {
        "number": number,
        "cards": row.plan.cards,
        "cells": cells,
        "repeats_names": number > 1 and number % NAMES_EVERY == 1,
    }
    if "BOMB" in table.specials:
        shown_row["bombs"] = field("bombs", _("Round %(number)s: bombed tricks") % {"number": number})
    if "CLOUD" in table.specials:
        shown_row["cloud"] = field("cloud", _("Round %(number)s: who took the cloud") % {"number": number})
        shown_row["clouds"] = _clouds(sheet, number)
    return shown_row | {"errors": wrong, "mismatches": differs, "is_wrong": bool(wrong)}


def _clouds(sheet: PaperSheet, number: int) -> list[tuple[str, str, bool]]:
    """Return who may have taken the cloud: value, words, whether it is chosen."""
    chosen = sheet.clouds_of(number)
    return [
        (f"{place}{sign}", f"{name} {sign.replace('-', wording.MINUS)}1", ((seat, change),) == chosen)
        for seat, (place, name) in enumerate(zip(sheet.table.places, sheet.table.people, strict=True))
        for sign, change in (("+", 1), ("-", -1))
    ]


def _sentences(sheet: PaperSheet, row: Row, told: dict[str, list[str]]) -> Iterator[Sentence]:
    about = {
        BID: pgettext("about", "bid"),
        TRICKS: pgettext("about", "tricks"),
        BLIND: pgettext("about", "blind bid"),
        POINTS: pgettext("about", "points"),
        TOTAL: pgettext("about", "total"),
        "bombs": pgettext("about", "bombs"),
        "cloud": pgettext("about", "cloud"),
    }
    for at, sentences in told.items():
        kind, _number, place = at.partition(str(row.plan.number))
        name = f"{sheet.table.names[int(place[1:])]}, {about[kind]}" if place else capfirst(about[kind])
        yield Sentence(f"e-{at}", name, " ".join(sentences))


def _state(sheet: PaperSheet) -> Sequence[str]:
    """Return in words what stands in the way of saving."""
    words = []
    if sheet.errors:
        words.append(_("Something is wrong above the sheet."))
    if sheet.wrong_rounds:
        rounds = wording.joined([str(number) for number in sheet.wrong_rounds])
        words.append(
            ngettext(
                "Something is wrong in round %(rounds)s.",
                "Something is wrong in rounds %(rounds)s.",
                len(sheet.wrong_rounds),
            )
            % {"rounds": rounds}
        )
    if sheet.mismatches:
        words.append(
            ngettext(
                "The paper differs in %(count)s place. The computed points count.",
                "The paper differs in %(count)s places. The computed points count.",
                sheet.mismatches,
            )
            % {"count": sheet.mismatches}
        )
    return words
