"""The whole score sheet of a game, to read and to print, with a word for the points of any cell."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import rules
from scoresheets import permissions, rulebook, verdicts
from scoresheets.models import Entry, Game, Seat
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.queries.corrections import corrections_of
from scoresheets.views import access
from scoresheets.views.changes import corrections_in_words


@require_safe
def sheet(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show every round with bids, tricks, points and totals; rounds to come stay empty, to be filled in by hand.

    `?cell=<round>-<place>` names a seat's points in a round: the page then says what they are made of.
    """
    game, actor = access.game_and_actor(request, game_id)
    game_sheet = sheet_of(game, whole=True, is_public=not permissions.can_see_names(actor, game))
    corrections = corrections_of(game)
    rows = _rows(game_sheet, _corrected(corrections))
    context = {
        "game": game,
        "sheet": game_sheet,
        "can_keep_score": permissions.can_keep_score(actor, game),
        "rows": rows,
        "has_corrected_rounds": any(row["corrected"] for row in rows),
        "adjustments": _adjustments(game_sheet),
        "people": _comings_and_goings(game_sheet),
        "log": corrections_in_words(game_sheet, corrections, is_public=not permissions.can_see_names(actor, game)),
        "ranks": _ranks(game_sheet),
        "has_scored_rounds": bool(game_sheet.block.scored_rows),
        "house": _house_in_words(game_sheet.game),
        "address": request.build_absolute_uri(reverse("block", args=[game.pk])),
        "explained": _explained(game_sheet, request.GET.get("cell", "")),
    }
    response = render(request, "games/sheet.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _ranks(game_sheet: Sheet) -> list[tuple[Seat, int, int]]:
    """Return each seat with its exact bids and its rank: in the order of the columns; without any, the best first."""
    block = game_sheet.block
    ranks = list(zip(game_sheet.seats, block.hits, block.ranks, strict=True))
    return ranks if game_sheet.game.has_rounds else sorted(ranks, key=lambda line: line[2])


def _house_in_words(game: Game) -> list[str]:
    """Return a game's rules by their names: deck or variant, the ladder, then all that is not as usual, and ties."""
    house, usual = game.house, rules.HouseRules()
    edition = rulebook.VARIANT_WORDS[house.variant] if house.deck == usual.deck else rulebook.DECKS[house.deck]
    if not game.has_rounds:
        return [str(edition.name), _("only the points are known")]
    words = [str(edition.name), str(rulebook.LADDERS[game.ladder].name)]
    if house.specials:
        cards = ", ".join(str(rulebook.SPECIALS[name].name) for name in house.specials)
        words.append(f"{rulebook.FIELDS['specials'].name}: {cards}")
    no = _("no")
    for name, value in house.to_mapping().items():
        if not isinstance(value, bool) or value == getattr(usual, name):
            continue
        if name == "plus_minus_one" and house.plus_minus_one_from > 1:
            words.append(f"{rulebook.FIELDS['plus_minus_one_from'].name} {house.plus_minus_one_from}")
        else:
            words.append(str(rulebook.FIELDS[name].name) if value else f"{rulebook.FIELDS[name].name}: {no}")
    return [*words, f"{rulebook.FIELDS['tie_break'].name}: {rulebook.TIE_BREAKS[house.tie_break].name}"]


def _explained(game_sheet: Sheet, cell: str) -> dict[str, Any] | None:
    """Return what the points of a cell are made of; None if no scored cell is named."""
    named = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})", cell)
    if named is None:
        return None
    number, place = int(named[1]), int(named[2])
    row = next((row for row in game_sheet.block.scored_rows if row.number == number), None)
    scored = row.cells[place] if row is not None and place < len(row.cells) else None
    reason = scored.points_reason if scored is not None else None
    if reason is None:
        return None
    return {
        "cell": f"{number}-{place}",
        "number": number,
        "seat": game_sheet.seats[place],
        "sentence": verdicts.reason_in_words(reason),
        "topic": reason.code,
    }


def _corrected(corrections: Sequence[Entry]) -> set[int]:
    """Return the numbers of the rounds that were corrected."""
    return {entry.payload["round"] for entry in corrections if entry.kind == Entry.Kind.ROUND_CORRECTED}


def _adjustments(game_sheet: Sheet) -> list[list[tuple[int, int]]]:
    """Return each seat's points beside the rounds, as (points, the round whose total first has them); [] if none.

    Points from before the first round, or of rounds that were taken back since, are in the total of a scored round
    all the same: 0 stands for no round yet.
    """
    block = game_sheet.block
    scored = len(block.scored_rows)
    found: list[list[tuple[int, int]]] = [[] for _seat in game_sheet.seats]
    for adjustment in block.adjustments:
        found[adjustment.seat].append((adjustment.points, min(max(adjustment.after, 1), scored)))
    return found if block.adjustments else []


def _comings_and_goings(game_sheet: Sheet) -> list[tuple[Seat, int, int]]:
    """Return who did not play from the first round to the last, as (seat, first round or 0, last round or 0)."""
    if not game_sheet.game.table_changed:
        return []
    found = [
        (seat, seat.joined_round if seat.joined_round > 1 else 0, 0 if seat.plays else seat.last_round)
        for seat in game_sheet.seats
    ]
    return [line for line in found if line[1] or line[2]]


def _rows(game_sheet: Sheet, corrected: Collection[int]) -> list[dict[str, Any]]:
    played = {row.number: row for row in game_sheet.block.rows}
    running = {
        row.number: totals
        for row, totals in zip(game_sheet.block.scored_rows, game_sheet.block.running_totals, strict=True)
    }
    rows = []
    for planned in game_sheet.block.plan:
        row = played.get(planned.number)
        totals = running.get(planned.number)
        cells = row.cells if row else (None,) * len(game_sheet.seats)
        rows.append(
            {
                "number": planned.number,
                "cards": planned.cards,
                "scored": totals is not None,
                "corrected": totals is not None and planned.number in corrected,
                "cells": [
                    {
                        "cell": cell,
                        "total": None if totals is None or cell is None else totals[place],
                        "deals": row is not None and place == row.dealer,
                        "name": f"{planned.number}-{place}",
                    }
                    for place, cell in enumerate(cells)
                ],
            }
        )
    return rows
