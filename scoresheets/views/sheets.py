"""The whole score sheet of a game, to read and to print, with a word for the points of any cell."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from scoresheets import permissions, verdicts
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.views import access


@require_safe
def sheet(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show every round with bids, tricks, points and totals; rounds to come stay empty, to be filled in by hand.

    `?cell=<round>-<place>` names a seat's points in a round: the page then says what they are made of.
    """
    game, actor = access.game_and_actor(request, game_id)
    game_sheet = sheet_of(game)
    context = {
        "game": game,
        "sheet": game_sheet,
        "can_keep_score": permissions.can_keep_score(actor, game),
        "rows": _rows(game_sheet),
        "ranks": list(
            zip(game_sheet.seats, game_sheet.block.totals, game_sheet.block.hits, game_sheet.block.ranks, strict=True)
        ),
        "has_scored_rounds": bool(game_sheet.block.scored_rows),
        "explained": _explained(game_sheet, request.GET.get("cell", "")),
    }
    response = render(request, "games/sheet.html", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _explained(game_sheet: Sheet, cell: str) -> dict[str, Any] | None:
    """Return what the points of a cell are made of; None if no scored cell is named."""
    named = re.fullmatch(r"([0-9]{1,2})-([0-5])", cell)
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


def _rows(game_sheet: Sheet) -> list[dict[str, Any]]:
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
                "cells": [
                    {
                        "cell": cell,
                        "total": None if totals is None else totals[place],
                        "deals": row is not None and place == row.dealer,
                        "name": f"{planned.number}-{place}",
                    }
                    for place, cell in enumerate(cells)
                ],
            }
        )
    return rows
