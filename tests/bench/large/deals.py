"""Rounds of four seats, ready-made: as values, as cells of a line, and as a part of a journal entry."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import rules
from scoresheets.recording.journal import line_cell

SEATS = 4
#: How often somebody's bid comes true: there are three kinds of players.
SKILLS = (0.35, 0.5, 0.65)
#: So many different rounds of a kind; a sheet draws one of them for each of its rounds.
DEALS_OF_A_KIND = 8
MISSES = (-2, -1, -1, 1, 1, 2)


@dataclass(frozen=True, slots=True)
class Deal:
    """One round, in dealing order: bids, tricks and points of each seat, and whether its bid was exact.

    `cells` are the JSON of the seats' cells in `Seat.line`; `entry` is the JSON of the round in an entry, with a "%d"
    for each seat's id: first those of the bids, then those of the tricks.
    """

    bids: tuple[int, ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]
    exact: tuple[bool, ...]
    cells: tuple[str, ...]
    entry: str


@cache
def deals_of(cards: int, skills: tuple[int, ...], bound: int | None) -> list[Deal]:
    """Return the rounds of one kind, always the same.

    `skills` are places in `SKILLS` by seat. `bound` is the place of the dealer where bids must not add up, else None.
    """
    rng = random.Random(f"{cards} {skills} {bound}")
    return [_deal(rng, cards, skills, bound) for _deal_number in range(DEALS_OF_A_KIND)]


def _deal(rng: random.Random, cards: int, skills: Sequence[int], bound: int | None) -> Deal:
    strengths = [rng.gammavariate(2.0, 1.0) for _seat in range(SEATS)]
    takers = Counter(rng.choices(range(SEATS), strengths, k=cards))
    taken = [takers[seat] for seat in range(SEATS)]
    bids = [
        tricks if rng.random() < SKILLS[skill] else min(max(tricks + rng.choice(MISSES), 0), cards)
        for tricks, skill in zip(taken, skills, strict=True)
    ]
    if bound is not None and sum(bids) == cards:
        bids[bound] += 1 if bids[bound] < cards else -1
    points = [rules.round_points(bid, tricks) for bid, tricks in zip(bids, taken, strict=True)]
    cells = (line_cell(*cell, blind=False, cloud_delta=0) for cell in zip(bids, taken, points, strict=True))
    return Deal(
        bids=tuple(bids),
        taken=tuple(taken),
        points=tuple(points),
        exact=tuple(bid == tricks for bid, tricks in zip(bids, taken, strict=True)),
        cells=tuple(str(cell) for cell in cells),
        entry=f'{{"bids": {_by_seat(bids)}, "taken": {_by_seat(taken)}}}',
    )


def _by_seat(values: Sequence[int]) -> str:
    return "{" + ", ".join(f'"%d": {value}' for value in values) + "}"
