"""Drawing tables: who plays with whom, so that over a season everybody meets everybody about equally often.

Source: the clubs' own custom: tables of four where it can be done, fives rather than threes and sixes left over.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, TypeVar

from rules.variants import FEWEST_PLAYERS, MOST_PLAYERS

P = TypeVar("P", bound=Hashable)

#: How much less welcome a table of so many is than one of four. The steps never shrink, so of all ways to fill a number
#: of tables the even one is the best.
_UNLIKE_FOUR = {3: 2, 4: 0, 5: 1, 6: 2}
#: How often two people are tried at each other's places: more gains next to nothing.
_TRIES = 400_000
_MOST_KICKS = 60


@dataclass(frozen=True, slots=True)
class Draw(Generic[P]):
    """Who plays where: each table's people in the order of their seats, the first deals first; and who sits out."""

    tables: tuple[tuple[P, ...], ...]
    sit_out: tuple[P, ...]


def table_sizes(people: int, tables: int | None = None) -> tuple[int, ...]:
    """Return how many sit at each table, the larger ones first; at most so many `tables` if given.

    Everybody plays, unless one or two are alone or there are more than six for each of the tables: those left over sit
    out.

    >>> [table_sizes(people) for people in (6, 7, 9, 10, 11)]
    [(6,), (4, 3), (5, 4), (5, 5), (4, 4, 3)]
    >>> table_sizes(20, tables=3)
    (6, 6, 6)
    """
    limit = people if tables is None else tables
    seated = min(people, MOST_PLAYERS * limit)
    fewest, most = -(-seated // MOST_PLAYERS), min(limit, seated // FEWEST_PLAYERS)
    ways = [_evenly(seated, count) for count in range(max(fewest, 1), most + 1)]
    return min(ways, key=lambda sizes: sum(_UNLIKE_FOUR[size] for size in sizes), default=())


def _evenly(people: int, tables: int) -> tuple[int, ...]:
    size, more = divmod(people, tables)
    return (size + 1,) * more + (size,) * (tables - more)


def draw_tables(
    people: Sequence[P],
    rng: random.Random,
    *,
    met: Mapping[frozenset[P], int] = MappingProxyType({}),
    sat_out: Mapping[P, int] = MappingProxyType({}),
    tables: int | None = None,
) -> Draw[P]:
    """Return tables for these people, drawn so that whoever has seldom met does now; the same seed, the same draw.

    `met` says how often two people have played together so far, `sat_out` how often somebody has sat out (0 where
    nothing is said): whoever has done so least often sits out first. `tables` limits their number. What is kept small
    is the sum of the squares of all meetings. Raises `ValueError` if somebody is there twice.
    """
    if len(set(people)) < len(people):
        raise ValueError("somebody is there twice")
    shuffled = list(people)
    rng.shuffle(shuffled)
    sizes = table_sizes(len(people), tables)
    left = len(people) - sum(sizes)
    shuffled.sort(key=lambda person: sat_out.get(person, 0))
    sit_out, playing = shuffled[:left], shuffled[left:]
    rng.shuffle(playing)
    places = {person: place for place, person in enumerate(playing)}
    weights = [[0] * len(playing) for _ in playing]
    for pair, times in met.items():
        if len(pair) == 2 and pair <= places.keys():
            one, other = (places[person] for person in pair)
            weights[one][other] = weights[other][one] = times
    seated = _Seating(weights, sizes)
    seated.improve(rng)
    drawn = [[playing[place] for place in table] for table in seated.tables()]
    for table in drawn:
        rng.shuffle(table)
    return Draw(tuple(map(tuple, drawn)), tuple(sit_out))


class _Seating:
    """People, numbered from 0, at tables, and how often each has met those of each table."""

    def __init__(self, weights: list[list[int]], sizes: Sequence[int]) -> None:
        self.weights = weights
        self.at = [table for table, size in enumerate(sizes) for _ in range(size)]
        self.met = [[0] * len(weights) for _ in sizes]
        for person, table in enumerate(self.at):
            self.met[table] = [a + b for a, b in zip(self.met[table], weights[person], strict=True)]

    def tables(self) -> list[list[int]]:
        """Return the people of each table."""
        found: list[list[int]] = [[] for _ in self.met]
        for person, table in enumerate(self.at):
            found[table].append(person)
        return found

    def improve(self, rng: random.Random) -> None:
        """Let people change places as long as that helps, also after some have been moved at random."""
        if len(self.met) < 2 or not any(map(any, self.weights)):
            return
        people = len(self.at)
        tried, best_cost = self._settle(rng)
        best_at, best_met = self.at[:], self.met[:]
        for _ in range(_MOST_KICKS):
            if best_cost == 0 or tried > _TRIES:
                break
            for _ in range(max(2, people // 16)):
                self._swap(*rng.sample(range(people), 2))
            more, cost = self._settle(rng)
            tried += more
            if cost <= best_cost:
                best_at, best_met, best_cost = self.at[:], self.met[:], cost
            else:
                self.at, self.met = best_at[:], best_met[:]

    def _settle(self, rng: random.Random) -> tuple[int, int]:
        """Swap until no swap helps; return how many were tried, and the meetings that are repeated then."""
        people, tried, quiet = len(self.at), 0, 0
        order = list(range(people))
        rng.shuffle(order)
        place = 0
        while quiet < people:
            one = order[place]
            place = (place + 1) % people
            tried += people
            other = self._best_swap(one)
            if other is None:
                quiet += 1
            else:
                self._swap(one, other)
                quiet = 0
        return tried, sum(self.met[table][person] for person, table in enumerate(self.at)) // 2

    def _best_swap(self, one: int) -> int | None:
        """Return whom somebody best changes places with, None if that helps with nobody."""
        met, at, weights = self.met, self.at, self.weights[one]
        table = at[one]
        here = met[table]
        best, found = here[one], None
        for other, there in enumerate(at):
            if there != table:
                column = met[there]
                change = column[one] + here[other] - column[other] - 2 * weights[other]
                if change < best:
                    best, found = change, other
        return found

    def _swap(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        if here == there:
            return
        self.at[one], self.at[other] = there, here
        changes = [b - a for a, b in zip(self.weights[one], self.weights[other], strict=True)]
        # New lists, not changed ones: `improve` keeps those of the best seating.
        self.met[here] = [was + change for was, change in zip(self.met[here], changes, strict=True)]
        self.met[there] = [was - change for was, change in zip(self.met[there], changes, strict=True)]
