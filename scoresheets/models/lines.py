"""`Seat.line` read fast: as the text the database holds, cell by cell, without making values of each.

A line has up to twenty cells, and there are only some thousand different ones: counting texts and reading each kind
once is many times faster than reading every cell of every game.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

#: The players in a round, the cards in a hand, the seat after the dealer (1 bids first, the dealer has the highest),
#: and whether the bids must not add up.
RoundKey = tuple[int, int, int, bool]


class LineCell(NamedTuple):
    """One seat's scored round; `bid` is as spoken, before the cloud."""

    bid: int
    taken: int
    points: int
    blind: bool = False
    cloud: int = 0

    @property
    def final_bid(self) -> int:
        """The bid that counts: as the cloud left it."""
        return self.bid + self.cloud

    @property
    def is_exact(self) -> bool:
        return self.bid + self.cloud == self.taken


def cells_of(line_text: str) -> list[str]:
    """Return a line as the database writes it ("[[1, 1, 30], [0, 0, 20, 1, 0]]") as one text a round, round 1 first.

    "" stands for a round that the seat did not play; `line_cell` reads the others.
    """
    if "null" not in line_text:
        return line_text[2:-2].split("], [") if len(line_text) > 2 else []
    return ["" if cell is None else json.dumps(cell)[1:-1] for cell in json.loads(line_text)]


@lru_cache(maxsize=8192)
def line_cell(text: str) -> LineCell:
    """Return what one text of `cells_of` says, not for ""."""
    bid, taken, points, *marks = map(int, text.split(", "))
    blind, cloud = marks or (0, 0)
    return LineCell(bid, taken, points, bool(blind), cloud)


@lru_cache(maxsize=4096)
def _round_keys(
    plan: tuple[int, ...], first_dealer: int, players: int, position: int, bound_from: int | None
) -> tuple[RoundKey, ...]:
    return tuple(
        (
            players,
            cards,
            (position - first_dealer - number + 1) % players or players,
            bound_from is not None and number >= bound_from,
        )
        for number, cards in enumerate(plan, start=1)
    )


def round_keys(
    plan: Sequence[int], first_dealer: int, players: int, position: int, plus_minus_one_from: int | None
) -> tuple[RoundKey, ...]:
    """Return what each planned round was for the seat at this position, round 1 first; for games without changes.

    The deal goes round from `first_dealer`, a position too. `plus_minus_one_from` is the first round in which the bids
    must not add up, None if they always may.
    """
    return _round_keys(tuple(plan), first_dealer, players, position, plus_minus_one_from)


def changed_round_keys(
    plan: Sequence[int], dealers: Sequence[int], lines: Sequence[Sequence[str]], plus_minus_one_from: int | None
) -> list[list[RoundKey]]:
    """Return the same for each seat of a game in which somebody joined or left, only for the rounds that it played.

    `lines` are the `cells_of` all seats by position, `dealers` the places in it of those who dealt round 1, 2, ...
    """
    keys: list[list[RoundKey]] = [[] for _line in lines]
    for number, dealer in enumerate(dealers, start=1):
        there = [place for place, line in enumerate(lines) if line[number - 1]]
        dealt = there.index(dealer)
        bound = plus_minus_one_from is not None and number >= plus_minus_one_from
        for step, place in enumerate(there):
            after = (step - dealt - 1) % len(there) + 1
            keys[place].append((len(there), plan[number - 1], after, bound))
    return keys
