"""What the pad shows once a game is finished: ranks, what decided, records and the course of the game."""

from __future__ import annotations

from typing import Any

import rules
from scoresheets import wording
from scoresheets.queries.blocks import Sheet
from scoresheets.views.charts import totals_chart


def ranking_of(sheet: Sheet) -> dict[str, Any]:
    """Return the template's context for the final result of a game.

    Where only the results are known there is nothing to say of a course.
    """
    block = sheet.block
    winners = [sheet.seats[place] for place in block.winners]
    standings: list[dict[str, Any]] = sorted(
        (
            {
                "seat": seat,
                "rank": block.ranks[place],
                "total": block.totals[place],
                "hits": block.hits[place],
                "pips": [bool(cell.exact) for row in block.scored_rows if (cell := row.cells[place]) is not None],
                "joined": seat.joined_round,
            }
            for place, seat in enumerate(sheet.seats)
        ),
        key=lambda line: int(line["rank"]),
    )
    return {
        "winners": winners,
        "winner_words": wording.joined([seat.name for seat in winners]),
        "standings": standings,
        "decision": _decision(sheet),
        **(_course_of(sheet) if sheet.game.has_rounds else {}),
    }


def _course_of(sheet: Sheet) -> dict[str, Any]:
    """Return what the rounds of a game tell."""
    block = sheet.block
    return {
        "records": _records(sheet),
        "chart": totals_chart(sheet),
        "running": [
            (row.number, [None if cell is None else total for cell, total in zip(row.cells, totals, strict=True)])
            for row, totals in zip(block.scored_rows, block.running_totals, strict=True)
        ],
        "ended_early": not block.is_complete,
        "next_dealer": sheet.next_dealer if len(sheet.seats) >= rules.FEWEST_PLAYERS else None,
    }


def _decision(sheet: Sheet) -> dict[str, Any]:
    """Return which rule decided the first place, with the numbers it compared."""
    block = sheet.block
    best = max(block.totals)
    level = [place for place, total in enumerate(block.totals) if total == best]
    runner_up = max((total for total in block.totals if total != best), default=best)
    return {
        "by": block.decided_by,
        "points": best,
        "runner_up": runner_up,
        "level": wording.joined([sheet.seats[place].name for place in level]),
        "level_hits": [(sheet.seats[place].name, block.hits[place]) for place in level],
        "tie_break": block.house.tie_break,
    }


def _records(sheet: Sheet) -> dict[str, Any]:
    points, made = sheet.block.best_rounds
    length, runs = sheet.block.longest_streak
    return {
        "best_points": points,
        "best": [(sheet.seats[place].name, number) for place, number in made],
        "streak": length,
        "streaks": [(sheet.seats[place].name, first, last) for place, first, last in runs],
    }
