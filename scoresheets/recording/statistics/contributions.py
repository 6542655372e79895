"""What a finished game contributes to the statistics: pure functions of its sheet, for one game and for all of them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import rules
from scoresheets.models import Game, Seat
from scoresheets.models.lines import LineCell, RoundKey, cells_of, changed_round_keys, line_cell, round_keys
from scoresheets.recording.statistics import tables

#: A game is compared only if so many played all of it.
FEWEST_RANKED = 2


class GameRow(NamedTuple):
    """A finished game of a club, as it is stored; one with an empty `plan` has no rounds, only results.

    `bound_from` is the first round in which bids must not add up, None if they always may.
    `dealers` are the positions that dealt round 1, 2, ...: needed only where the table has changed.
    """

    id: int
    club: int
    evening: int | None
    night: date
    started_at: datetime
    edition: str
    plan: Sequence[int]
    first_dealer: int
    bound_from: int | None
    tie_break: str
    incomplete: bool
    table_changed: bool
    dealers: Sequence[int] = ()


class SeatRow(NamedTuple):
    """A seat of such a game; `player` is the canonical player or None, `line` the text of `Seat.line`."""

    position: int
    player: int | None
    total: int
    exact: int
    rank: int
    presence: str
    line: str


@dataclass(slots=True)
class Part:
    """What a player did in the game: `keys` number what is known of each round played, `cells` what came of it.

    Both are empty where only the results of the game are known.
    """

    player: int
    total: int
    exact: int
    rank: int | None
    level: int | None
    margin: int | None
    keys: Sequence[int]
    cells: Sequence[str]


@dataclass(slots=True)
class Contribution:
    """What one game contributes: a part for each player, in order of their ids.

    `players` are how many are ranked or, where nobody is, how many played. Two who are ranked are enough to rate them.
    """

    game: GameRow
    players: int
    parts: list[Part]

    @property
    def ranked(self) -> list[tuple[int, int]]:
        """The rank and id of each ranked player, the best first: always in the same order."""
        return sorted((part.rank, part.player) for part in self.parts if part.rank is not None)


def contribution_of(game: GameRow, seats: Sequence[SeatRow], *, incomplete_counts: bool) -> Contribution:
    """Return what a game contributes, given all of its seats in dealing order.

    Ranked are those who played from the first round to the last, among themselves; nobody is in a game that was ended
    early, unless `incomplete_counts`.
    """
    if game.table_changed:
        rounds = _rounds_of_changed_table(game, seats)
    else:
        rounds = [
            (_numbers(tuple(game.plan), game.first_dealer, len(seats), place, game.bound_from), cells_of(seat.line))
            for place, seat in enumerate(seats)
        ]
    ranks = _ranks(game, seats) if incomplete_counts or not game.incomplete else {}
    held = list(ranks.values())
    best = sorted((seats[place].total for place in ranks), reverse=True)
    parts = []
    for place, seat in enumerate(seats):
        keys, cells = rounds[place]
        # Whoever came to the table and played no round has no part; but where there are no rounds, everybody has.
        if seat.player is None or (game.plan and not cells):
            continue
        rank = ranks.get(place)
        level = held.count(rank) if rank is not None else None
        margin = seat.total - best[1] if rank == 1 and level == 1 else None
        parts.append(Part(seat.player, seat.total, seat.exact, rank, level, margin, keys[: len(cells)], cells))
    parts.sort(key=lambda part: part.player)
    return Contribution(game, len(ranks) or sum(bool(cells) for _keys, cells in rounds), parts)


def _ranks(game: GameRow, seats: Sequence[SeatRow]) -> dict[int, int]:
    """Return the rank of each place that was there all the time; none where there are too few of them."""
    if not game.table_changed:
        return {place: seat.rank for place, seat in enumerate(seats)}
    full = [place for place, seat in enumerate(seats) if not seat.presence and "null" not in seat.line]
    if len(full) < FEWEST_RANKED:
        return {}
    ranks = rules.ranks([seats[place].total for place in full], [seats[place].exact for place in full], game.tie_break)
    return dict(zip(full, ranks, strict=True))


_Rounds = tuple[Sequence[int], Sequence[str]]


def _rounds_of_changed_table(game: GameRow, seats: Sequence[SeatRow]) -> list[_Rounds]:
    """Return keys and cells of each seat where not everybody played every round."""
    lines = [cells_of(seat.line) for seat in seats]
    keys = changed_round_keys(game.plan, game.dealers, lines, game.bound_from)
    return [
        ([_number(key) for key in own], [cell for cell in line if cell]) for own, line in zip(keys, lines, strict=True)
    ]


# Keys of rounds are few, and whole numbers are counted faster than tuples.

_KEYS: list[RoundKey] = []
_NUMBERS: dict[RoundKey, int] = {}


def _number(key: RoundKey) -> int:
    if key not in _NUMBERS:
        _NUMBERS[key] = len(_KEYS)
        _KEYS.append(key)
    return _NUMBERS[key]


def cards_of(number: int) -> int:
    """Return how many cards each player had in a round with this key."""
    return _KEYS[number][1]


@lru_cache(maxsize=4096)
def _numbers(
    plan: tuple[int, ...], first_dealer: int, players: int, position: int, bound_from: int | None
) -> tuple[int, ...]:
    return tuple(_number(key) for key in round_keys(plan, first_dealer, players, position, bound_from))


# -- what it adds up to ---------------------------------------------------------------------------------------------

Rows = dict[tuple[Any, ...], list[int]]
"""What is added to each row of a table, by its key."""


@dataclass(slots=True)
class PlayerSums:
    """What is added up of a player, under the names of `PlayerTally`."""

    games: int = 0
    ranked: int = 0
    rated: int = 0
    wins: int = 0
    shared_wins: int = 0
    total_sum: int = 0
    bids: int = 0
    exact: int = 0
    over: int = 0
    under: int = 0
    points_sum: int = 0
    zero_bids: int = 0
    zero_exact: int = 0
    blind_bids: int = 0
    blind_exact: int = 0


@dataclass(slots=True)
class Tables:
    """Sums by table; the columns of each are those of its model after its key, in the same order."""

    players: dict[int, PlayerSums]
    cards: Rows
    bids: Rows
    positions: Rows
    pairs: Rows
    totals: Rows

    def without_nothing(self) -> Tables:
        """Return the tables without rows that come to nothing, in order of their keys."""
        rows = (self.cards, self.bids, self.positions, self.pairs, self.totals)
        return Tables(self.players, *map(_nonzero, rows))

    def by_table(self, scopes: Sequence[int]) -> Iterator[tuple[tables.Table, Rows]]:
        """Return what to add to each table; totals count in each of these scopes."""
        yield tables.CARDS, self.cards
        yield tables.BIDS, self.bids
        yield tables.POSITIONS, self.positions
        yield tables.PAIRS, self.pairs
        yield tables.TOTALS, {(scope, *key): row for scope in scopes for key, row in self.totals.items()}


@dataclass(slots=True)
class Sums:
    """Adds games up, or takes them away again; `tables` says what comes of it."""

    rounds: dict[int, Counter[tuple[int, str]]] = field(default_factory=lambda: defaultdict(Counter))
    players: dict[int, PlayerSums] = field(default_factory=lambda: defaultdict(PlayerSums))
    pairs: Rows = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))

    def add(self, game: Contribution, times: int = 1) -> None:
        """Add the game so many times: once, or -1 times."""
        for part in game.parts:
            counted = zip(part.keys, part.cells, strict=True)
            if times > 0:
                self.rounds[part.player].update(counted)
            else:
                self.rounds[part.player].subtract(counted)
        self._add_finish(game, times)

    def _add_finish(self, game: Contribution, times: int) -> None:
        """Add who played, and who finished above whom."""
        ranked = game.ranked
        for part in game.parts:
            sums = self.players[part.player]
            sums.games += times
            if part.rank is not None:
                sums.ranked += times
                sums.rated += times * (len(ranked) >= FEWEST_RANKED)
                sums.total_sum += times * part.total
                if part.rank == 1:
                    sums.wins += times
                    sums.shared_wins += times * (part.level != 1)
        for rank, player in ranked:
            for other, opponent in ranked:
                if player != opponent:
                    pair = self.pairs[player, opponent]
                    pair[0] += times
                    if rank < other:
                        pair[1] += times
                    elif rank > other:
                        pair[2] += times

    def tables(self) -> Tables:
        """Return the sums by table, without what comes to nothing."""
        found = Tables(dict(self.players), _rows(3), _rows(2), _rows(3), self.pairs, _rows(4))
        for player, counted in self.rounds.items():
            for (number, cell), times in counted.items():
                if times:
                    _count(found, player, _KEYS[number], line_cell(cell), times)
        return found.without_nothing()


@dataclass(slots=True)
class ManySums(Sums):
    """Adds up very many games, each once: cells are kept, and counted by whole columns, which is many times faster."""

    lines: dict[tuple[int, Sequence[int]], list[list[str]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, game: Contribution, times: int = 1) -> None:
        """Add the game once; its cells become the same texts in all games, to be kept and found at little cost."""
        assert times == 1
        for part in game.parts:
            part.cells = cells = [*map(_SAME.__getitem__, part.cells)]
            self.lines[part.player, tuple(part.keys)].append(cells)
        self._add_finish(game, 1)

    def tables(self) -> Tables:
        """Return the sums by table, without what comes to nothing."""
        found = Tables(dict(self.players), _rows(3), _rows(2), _rows(3), self.pairs, _rows(4))
        of_players: dict[int, Counter[str]] = defaultdict(Counter)
        of_keys: dict[int, Counter[str]] = defaultdict(Counter)
        for (player, numbers), lines in self.lines.items():
            of_players[player].update(chain.from_iterable(lines))
            for number, column in zip(numbers, zip(*lines, strict=True), strict=True):
                of_keys[number].update(column)
                _count_column(found, player, _KEYS[number], column)
        for player, counted in of_players.items():
            for cell, times in counted.items():
                _count_of_player(found, player, line_cell(cell), times)
        for number, counted in of_keys.items():
            for cell, times in counted.items():
                _count_of_all(found, _KEYS[number], line_cell(cell), times)
        return found.without_nothing()


class _Same(dict[str, str]):
    """The text of each kind of cell, made once."""

    def __missing__(self, cell: str) -> str:
        self[cell] = cell
        return cell


class _Exact(dict[str, int]):
    """1 for each kind of cell that is exact, 0 for others."""

    def __missing__(self, cell: str) -> int:
        self[cell] = exact = int(line_cell(cell).is_exact)
        return exact


class _Points(dict[str, int]):
    """The points of each kind of cell."""

    def __missing__(self, cell: str) -> int:
        self[cell] = points = line_cell(cell).points
        return points


_SAME, _EXACT, _POINTS = _Same(), _Exact(), _Points()


def _rows(columns: int) -> Rows:
    return defaultdict(lambda: [0] * columns)


def _nonzero(rows: Rows) -> Rows:
    return {key: row for key, row in sorted(rows.items()) if any(row)}


def _count(found: Tables, player: int, key: RoundKey, played: LineCell, times: int) -> None:
    exact, points = times * played.is_exact, times * played.points
    _add_rate(found, player, key, times, exact, points)
    _count_of_player(found, player, played, times)
    _count_of_all(found, key, played, times)


def _count_column(found: Tables, player: int, key: RoundKey, cells: Sequence[str]) -> None:
    exact, points = sum(map(_EXACT.__getitem__, cells)), sum(map(_POINTS.__getitem__, cells))
    _add_rate(found, player, key, len(cells), exact, points)


def _add_rate(found: Tables, player: int, key: RoundKey, bids: int, exact: int, points: int) -> None:
    players, cards, after_dealer, _bound = key
    for row in (found.cards[player, players, cards], found.positions[player, players, after_dealer]):
        row[0] += bids
        row[1] += exact
        row[2] += points


def _count_of_player(found: Tables, player: int, played: LineCell, times: int) -> None:
    exact, points = times * played.is_exact, times * played.points
    row = found.bids[player, played.final_bid, played.taken]
    row[0] += times
    row[1] += points
    sums = found.players.setdefault(player, PlayerSums())
    sums.bids += times
    sums.exact += exact
    sums.over += times * (played.taken > played.final_bid)
    sums.under += times * (played.taken < played.final_bid)
    sums.points_sum += points
    if not played.final_bid:
        sums.zero_bids += times
        sums.zero_exact += exact
    if played.blind:
        sums.blind_bids += times
        sums.blind_exact += exact


def _count_of_all(found: Tables, key: RoundKey, played: LineCell, times: int) -> None:
    players, cards, after_dealer, bound = key
    row = found.totals[players, cards, played.bid, after_dealer == players, bound]
    row[0] += times
    row[1] += times * played.is_exact
    row[2] += times * played.points
    row[3] += times * abs(played.taken - played.final_bid)


# -- a stored game --------------------------------------------------------------------------------------------------


def game_row(game: Game, dealers: Iterable[int] = ()) -> GameRow:
    """Return a club's game as a row; `dealers` are needed where the table has changed."""
    assert game.club_id is not None
    assert game.night is not None
    return GameRow(
        id=game.pk,
        club=game.club_id,
        evening=game.evening_id,
        night=game.night,
        started_at=game.started_at,
        edition=rules.edition_of(game.house),
        plan=game.plan,
        first_dealer=game.first_dealer,
        bound_from=game.plus_minus_one_from if game.plus_minus_one else None,
        tie_break=game.tie_break,
        incomplete=game.incomplete,
        table_changed=game.table_changed,
        dealers=tuple(dealers),
    )


def seat_rows(seats: Iterable[Seat], canonical: Mapping[int, int]) -> Iterator[SeatRow]:
    """Return seats as rows, given the canonical player of each seat that has one, by the seat's id."""
    for seat in seats:
        yield SeatRow(
            seat.position,
            canonical.get(seat.pk),
            seat.total,
            seat.exact,
            seat.rank,
            seat.presence,
            json.dumps(seat.line),
        )
