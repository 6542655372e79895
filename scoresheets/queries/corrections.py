"""What a correction would change, and what has been corrected so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import rules
from scoresheets.models import Entry, Game, Round, Seat
from scoresheets.queries.blocks import Sheet

CORRECTIONS = (
    Entry.Kind.ROUND_CORRECTED,
    Entry.Kind.RESULTS_CORRECTED,
    Entry.Kind.POINTS_ADJUSTED,
    Entry.Kind.SEAT_RENAMED,
)
#: So many of the newest are listed on a page.
MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class Preview:
    """A sheet before and after a correction that is not recorded yet."""

    before: rules.Block
    after: rules.Block

    @property
    def moves(self) -> tuple[tuple[int, int, int], ...]:
        """The seats whose total or rank changes, as (place, total after, rank after)."""
        return tuple(
            (place, self.after.totals[place], self.after.ranks[place])
            for place in range(self.before.seats)
            if (self.before.totals[place], self.before.ranks[place])
            != (self.after.totals[place], self.after.ranks[place])
        )

    @property
    def changes(self) -> tuple[tuple[int, str, int, int], ...]:
        """What changes in the standings, as (place, "totals", "ranks" or "hits", before, after), by place."""
        standings = [
            (name, getattr(self.before, name), getattr(self.after, name)) for name in ("totals", "ranks", "hits")
        ]
        return tuple(
            (place, name, old[place], new[place])
            for place in range(self.before.seats)
            for name, old, new in standings
            if old[place] != new[place]
        )

    @property
    def changes_winners(self) -> bool:
        """Whether somebody else is in front afterwards."""
        return self.before.winners != self.after.winners


def preview_of(
    sheet: Sheet,
    *,
    number: int,
    bids: Mapping[int, int],
    taken: Mapping[int, int],
    bombs: int = 0,
    clouds: Mapping[int, int] | None = None,
    blind: tuple[int, ...] = (),
) -> Preview:
    """Return the Block before and after scored round `number` is replaced, values by seat id (no statement).

    `sheet` is a whole one. Seats in problems are counted among those who played the round.
    Raises `rules.RulesError` with all that is wrong with the values, `LookupError` if a seat or the round is missing.
    """
    clouds = clouds or {}
    row = next(row for row in sheet.block.scored_rows if row.number == number)
    players = players_of(sheet, number)
    played = rules.PlayedRound(
        bids=tuple(bids[seat.pk] for seat in players),
        tricks=tuple(taken[seat.pk] for seat in players),
        bombs=bombs,
        clouds=tuple((place, clouds[seat.pk]) for place, seat in enumerate(players) if seat.pk in clouds),
        blind=tuple(seat.pk in blind for seat in players),
    )
    new = iter(played.cells(played.scores(sheet.block.house, number, row.cards)))
    cells = tuple(None if cell is None else next(new) for cell in row.cells)
    corrected = replace(row, cells=cells, bombs=bombs)
    rows = tuple(corrected if other is row else other for other in sheet.block.rows)
    return Preview(sheet.block, replace(sheet.block, rows=rows))


def results_preview(sheet: Sheet, points: Sequence[int]) -> Preview:
    """Return the Block before and after the points of a game of results are replaced, in seat order (no statement)."""
    return Preview(sheet.block, replace(sheet.block, starting=tuple(points)))


def players_of(sheet: Sheet, number: int) -> tuple[Seat, ...]:
    """Return the seats that played scored round `number`, in dealing order, given a whole sheet."""
    row = next(row for row in sheet.block.scored_rows if row.number == number)
    return tuple(seat for seat, cell in zip(sheet.seats, row.cells, strict=True) if cell is not None)


def scored_round(game: Game, number: int) -> Round | None:
    """Return a scored round of the game, None if there is none of this number (1 statement)."""
    found = game.rounds.filter(number=number, state=Round.State.SCORED) if number <= len(game.plan) else ()
    return next(iter(found), None)


def correction_of(game: Game, kind: str, version: int) -> Entry | None:
    """Return the game's entry of this version if it is a correction of this kind (1 statement)."""
    return game.entries.filter(kind=kind, version=version).first()


def corrections_of(game: Game) -> list[Entry]:
    """Return the corrections of a game, newest first, at most `MOST_LISTED` (1 statement)."""
    found = game.entries.filter(kind__in=CORRECTIONS).select_related("user").order_by("-version")
    return list(found[:MOST_LISTED])


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, int | None, Any, Any]]:
    """Return what a correction changed, as (field, seat id or None, old, new), in a fixed order.

    `before` and `after` are the values in an entry's payload.
    """
    changed: list[tuple[str, int | None, Any, Any]] = []
    for name in ("bids", "taken", "clouds", "points"):
        old, new = before.get(name, {}), after.get(name, {})
        for seat in sorted({*old, *new}, key=int):
            if old.get(seat) != new.get(seat):
                changed.append((name, int(seat), old.get(seat), new.get(seat)))
    old_blind, new_blind = set(before.get("blind", ())), set(after.get("blind", ()))
    changed += [("blind", seat, seat in old_blind, seat in new_blind) for seat in sorted(old_blind ^ new_blind)]
    for name, nothing in (("bombs", 0), ("trump", ""), ("turned_up", ""), ("chosen_by", None)):
        if before.get(name, nothing) != after.get(name, nothing):
            changed.append((name, None, before.get(name, nothing), after.get(name, nothing)))
    return changed
