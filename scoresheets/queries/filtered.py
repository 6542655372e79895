"""A player's lifetime over the games that filters leave, worked out from lines: the values of `queries.lifetime`.

Ten thousand games have to be read within the time of a page. So each column is fetched as the database has it and
worked through as a whole; nothing is done in Python for each round.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Case, Q, QuerySet, TextField, When
from django.db.models.functions import Cast

from scoresheets.models import Player, Record, Result, Round, Seat
from scoresheets.models.lines import RoundKey, cells_of, changed_round_keys, line_cell, round_keys
from scoresheets.models.tallies import counting_for
from scoresheets.queries.lifetime import (
    LOWEST,
    OPPONENTS_A_PAGE,
    Best,
    Filters,
    Lifetime,
    Pair,
    Pairs,
    Rate,
    Runs,
)

Kind = Record.Kind

# -- which games ----------------------------------------------------------------------------------------------------


def results_left(players: Collection[int], filters: Filters) -> QuerySet[Result]:
    """Return the results of these canonical players that the filters leave."""
    return Result.objects.filter(_left(filters), player__in=players)


def _left(filters: Filters, prefix: str = "") -> Q:
    """Return the filters as a condition on results, which are found under the prefix."""

    def has(**conditions: Any) -> Q:
        return Q(**{f"{prefix}{name}": value for name, value in conditions.items()})

    left = Q()
    if filters.since is not None:
        left &= has(night__gte=filters.since)
    if filters.until is not None:
        left &= has(night__lte=filters.until)
    if filters.players is not None:
        left &= has(players=filters.players)
    if filters.edition:
        left &= has(edition=filters.edition)
    return left & counting_for(filters.season, prefix) if filters.season is not None else left


# -- lifetimes ------------------------------------------------------------------------------------------------------


class _Games(NamedTuple):
    """A player's games in the order played, a column in each field: what results have of them, and their lines.

    Nights are texts as the database writes them.
    """

    game: Sequence[int]
    night: Sequence[str]
    players: Sequence[int]
    rank: Sequence[int | None]
    level: Sequence[int | None]
    total: Sequence[int]
    margin: Sequence[int | None]
    rounds: Sequence[int]
    position: Sequence[int]
    first_dealer: Sequence[int]
    table_changed: Sequence[int]
    plan: Sequence[str]
    line: Sequence[str]


ChangedKeys = Mapping[tuple[int, int], Sequence[RoundKey]]


def filtered_lifetimes(players: Sequence[Player], filters: Filters) -> dict[int, Lifetime]:
    """Return the lifetime of each canonical player over the games that the filters leave, by their ids.

    1 statement each, and 2 more where somebody joined or left in one of the games.
    """
    return {player.pk: _lifetime(_games(player.pk, filters)) for player in players}


def _games(player: int, filters: Filters) -> _Games | None:
    """Return the player's games that the filters leave, None without any (1 statement)."""
    found = "game__results__"
    group = Player.objects.filter(canonical=player).values("pk")
    seats = Seat.objects.filter(_left(filters, found), player__in=group, **{f"{found}player": player})
    columns = seats.order_by(f"{found}started_at", f"{found}game").values_list(
        "game",
        Cast(f"{found}night", TextField()),
        *(f"{found}{name}" for name in ("players", "rank", "level", "total", "margin", "rounds")),
        "position",
        "game__first_dealer",
        Case(When(game__table_changed=True, then=1), default=0),
        Cast("game__plan", TextField()),
        Cast("line", TextField()),
    )
    # Past Django's converters, which cost more than the rest.
    statement, values = columns.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    return _Games(*zip(*rows, strict=True)) if rows else None


def _lifetime(games: _Games | None) -> Lifetime:
    if games is None:
        return Lifetime()
    is_ranked = [rank is not None for rank in games.rank]
    is_won = [rank == 1 for rank in games.rank]
    counted, marks = _counted(games)
    total: Counter[str] = Counter()
    for cells in counted.values():
        total.update(cells)
    return Lifetime(
        games=len(games.game),
        ranked=sum(is_ranked),
        wins=sum(is_won),
        shared_wins=sum(level != 1 for level in compress(games.level, is_won)),
        total_sum=sum(compress(games.total, is_ranked)),
        runs=_runs(marks, [*compress(is_won, is_ranked)]),
        records=_records_of_games(games, is_ranked, is_won) | _records_of_rounds(games, total),
        **_sums(counted),
        **_sums_of_cells(total),
    )


#: What is left out of a line leaves the end of each cell, and the sign of points below 0.
_NO_SIGNS = b"0123456789, ["


def _marks(text: str, cells: Sequence[str]) -> str:
    """Return a sign for each of these cells, "+" for an exact bid and "-" for a missed one; `text` is all of them."""
    if text.count(",") == 3 * len(cells) - 1:
        # Nothing blind and no cloud among them: only points can be below 0, and only those of a missed bid are.
        # Bytes lose signs several times as fast as texts.
        signs = f"{text}]".encode("ascii").translate(None, _NO_SIGNS)
        return signs.replace(b"-]", b"-").replace(b"]", b"+").decode("ascii")
    return "".join(["+" if _facts(cell)[3] else "-" for cell in cells])


def _counted(games: _Games) -> tuple[dict[RoundKey, Counter[str]], list[str]]:
    """Return how often which cell was in which kind of round, and of each game the marks of its rounds."""
    counted: dict[RoundKey, Counter[str]] = defaultdict(Counter)
    marks = [""] * len(games.game)
    alike: dict[tuple, list[int]] = defaultdict(list)
    # Games that were ended early have fewer rounds than their plan.
    tables = zip(games.plan, games.first_dealer, games.players, games.position, games.rounds, strict=True)
    for place, table in compress(enumerate(tables), [not changed for changed in games.table_changed]):
        alike[table].append(place)
    for (plan, first_dealer, players, position, width), places in alike.items():
        if not width:  # only the results of these are known
            continue
        text = "], [".join([games.line[place][2:-2] for place in places])
        cells = text.split("], [")
        keys = round_keys(_numbers(plan), first_dealer, players, position, None)[:width]
        for number, key in enumerate(keys):
            counted[key].update(cells[number::width])
        signs = _marks(text, cells)
        for number, place in enumerate(places):
            marks[place] = signs[number * width : (number + 1) * width]
    changed = [*compress(range(len(marks)), games.table_changed)]
    keys_of_changed = _keys_of_changed({games.game[place] for place in changed}) if changed else {}
    for place in changed:
        cells = [cell for cell in cells_of(games.line[place]) if cell]
        marks[place] = _marks("], [".join(cells), cells)
        for key, cell in zip(keys_of_changed[games.game[place], games.position[place]], cells, strict=True):
            counted[key][cell] += 1
    return counted, marks


@lru_cache(maxsize=1024)
def _numbers(plan: str) -> tuple[int, ...]:
    return tuple(json.loads(plan))


@lru_cache(maxsize=8192)
def _facts(cell: str) -> tuple[int, int, int, int, bool]:
    """Return of a cell its bid after the cloud, the tricks taken, its points, 1 or 0 for exact or not, and blind."""
    played = line_cell(cell)
    return played.final_bid, played.taken, played.points, int(played.is_exact), played.blind


def _sums(counted: Mapping[RoundKey, Counter[str]]) -> dict[str, Any]:
    """Return the fields of `Lifetime` that are by kinds of rounds."""
    cards: dict[tuple[int, int], Rate] = defaultdict(Rate)
    positions: dict[tuple[int, int], Rate] = defaultdict(Rate)
    for (players, hand, after_dealer, _bound), cells in counted.items():
        bids = exact = points = 0
        for cell, times in cells.items():
            _bid, _taken, worth, is_exact, _blind = _facts(cell)
            bids += times
            exact += times * is_exact
            points += times * worth
        cards[players, hand] += Rate(bids, exact, points)
        positions[players, after_dealer] += Rate(bids, exact, points)
    return {"cards": dict(cards), "positions": dict(positions)}


def _sums_of_cells(total: Mapping[str, int]) -> dict[str, Any]:
    """Return the fields of `Lifetime` that are about all bids alike."""
    rate, zero, blind = Rate(), Rate(), Rate()
    over = under = 0
    bids: dict[tuple[int, int], tuple[int, int]] = {}
    for cell, times in total.items():
        bid, taken, worth, is_exact, is_blind = _facts(cell)
        rate += Rate(times, times * is_exact, times * worth)
        over += times * (taken > bid)
        under += times * (taken < bid)
        # Points of these are nobody's question.
        zero += Rate(times, times * is_exact) if bid == 0 else Rate()
        blind += Rate(times, times * is_exact) if is_blind else Rate()
        before = bids.get((bid, taken), (0, 0))
        bids[bid, taken] = before[0] + times, before[1] + times * worth
    return {"rate": rate, "over": over, "under": under, "zero": zero, "blind": blind, "bids": bids}


def _keys_of_changed(games: Collection[int]) -> ChangedKeys:
    """Return what each round was for each seat of these games, by game and position (2 statements)."""
    lines: dict[int, dict[int, list[str]]] = defaultdict(dict)
    seats = Seat.objects.filter(game__in=games).order_by("game", "position")
    for game, position, line in seats.values_list("game", "position", Cast("line", TextField())):
        lines[game][position] = cells_of(line)
    dealt: dict[int, list[int]] = defaultdict(list)
    plans: dict[int, list[int]] = {}
    rounds = Round.objects.filter(game__in=games, state=Round.State.SCORED).order_by("game", "number")
    for game, plan, dealer in rounds.values_list("game", "game__plan", "dealer__position"):
        dealt[game].append(dealer)
        plans[game] = plan
    found: dict[tuple[int, int], Sequence[RoundKey]] = {}
    for game, by_position in lines.items():
        places = {position: place for place, position in enumerate(by_position)}
        dealers = [places[position] for position in dealt[game]]
        keys = changed_round_keys(plans.get(game, []), dealers, list(by_position.values()), None)
        found |= {(game, position): keys[place] for position, place in places.items()}
    return found


def _runs(marks: Sequence[str], won: Sequence[bool]) -> Runs:
    """Return the runs in the order played; a game that is not ranked neither ends a run of wins nor goes on with it."""
    exact, wins = "".join(marks), "".join("+" if is_won else "-" for is_won in won)
    return Runs(_longest(exact), _longest(wins), _last(exact), _last(wins))


def _longest(marks: str) -> int:
    longest = 0
    # Looking for a text is so much faster than taking the marks apart that it may be done over and over.
    while "+" * (longest + 1) in marks:
        longest += 1
    return longest


def _last(marks: str) -> int:
    return len(marks) - len(marks.rstrip("+"))


# -- records --------------------------------------------------------------------------------------------------------


def _records_of_games(games: _Games, is_ranked: Sequence[bool], is_won: Sequence[bool]) -> dict[str, Best]:
    """Return the records that are of whole games or nights by kind: of several the earliest."""
    totals = [total if ranked else None for total, ranked in zip(games.total, is_ranked, strict=True)]
    columns = {
        Kind.BEST_TOTAL: totals,
        Kind.WORST_TOTAL: totals,
        Kind.CLOSEST_WIN: games.margin,
        Kind.WIDEST_WIN: games.margin,
    }
    found = {}
    for kind, column in columns.items():
        values = [value for value in column if value is not None]
        if values:
            value = min(values) if kind in LOWEST else max(values)
            found[str(kind)] = _best(games, value, column.index(value))
    wins = Counter(compress(games.night, is_won))
    if wins:
        # Of several nights the first one: counters keep the order.
        night = max(wins, key=wins.__getitem__)
        first = next(place for place, won in enumerate(is_won) if won and games.night[place] == night)
        found[str(Kind.BEST_NIGHT)] = _best(games, wins[night], first)
    return found


def _records_of_rounds(games: _Games, total: Mapping[str, int]) -> dict[str, Best]:
    """Return the records that are of single rounds by kind, given all cells there are: of several the earliest."""
    facts = {cell: _facts(cell) for cell in total}
    worth = {cell: points for cell, (_bid, _taken, points, _exact, _blind) in facts.items()}
    blind = {cell: points for cell, (_bid, _taken, points, exact, is_blind) in facts.items() if exact and is_blind}
    exact = {cell: bid for cell, (bid, _taken, _points, is_exact, _blind) in facts.items() if is_exact}
    found = {}
    for kind, values in (
        (Kind.BEST_ROUND, worth),
        (Kind.WORST_ROUND, worth),
        (Kind.BEST_BLIND, blind),
        (Kind.HIGHEST_EXACT, exact),
    ):
        if values:
            value = min(values.values()) if kind in LOWEST else max(values.values())
            cells = {cell for cell in values if values[cell] == value}
            place = min(_first_with(f"[{cell}]", games.line) for cell in cells)
            found[str(kind)] = _best(games, value, place)
            if kind == Kind.HIGHEST_EXACT:
                number = next(number for number, cell in enumerate(cells_of(games.line[place])) if cell in cells)
                found[str(kind)] = replace(found[str(kind)], cards=_numbers(games.plan[place])[number])
    return found


def _first_with(part: str, texts: Sequence[str]) -> int:
    return next(place for place, text in enumerate(texts) if part in text)


def _best(games: _Games, value: int, place: int) -> Best:
    return Best(value, games.game[place], date.fromisoformat(games.night[place]), games.players[place])


# -- opponents ------------------------------------------------------------------------------------------------------


def filtered_pairs(players: Collection[int], filters: Filters, *, number: int = 1) -> Pairs:
    """Return a page of the opponents in the games that the filters leave (2 statements)."""
    pairs = filtered_pairs_from(players, filters, (number - 1) * OPPONENTS_A_PAGE, OPPONENTS_A_PAGE + 1)
    return Pairs(pairs[:OPPONENTS_A_PAGE], number, len(pairs) > OPPONENTS_A_PAGE)


def filtered_pairs_from(players: Collection[int], filters: Filters, start: int, most: int) -> list[Pair]:
    """Return at most so many opponents in these games, from number `start` (0: the first) on (2 statements)."""
    own = results_left(players, filters).filter(rank__isnull=False).order_by().values_list("game", "player", "rank")
    try:
        statement, values = own.query.sql_with_params()
    except EmptyResultSet:  # of nobody
        return []
    with connection.cursor() as cursor:
        # Joined by hand: Django would look up every game on the way from result to result.
        cursor.execute(
            f"WITH own(game, player, rank) AS ({statement}) "  # noqa: S608
            "SELECT own.player, other.player_id, COUNT(*) AS games, "
            "SUM(CASE WHEN other.rank > own.rank THEN 1 ELSE 0 END), "
            "SUM(CASE WHEN other.rank < own.rank THEN 1 ELSE 0 END) "
            "FROM own JOIN scoresheets_result other ON other.game_id = own.game "
            "WHERE other.player_id <> own.player AND other.rank IS NOT NULL "
            "GROUP BY own.player, other.player_id ORDER BY games DESC, other.player_id, own.player LIMIT %s OFFSET %s",
            [*values, most, start],
        )
        rows = cursor.fetchall()
    known = Player.objects.select_related("club").in_bulk([opponent for _player, opponent, *_counts in rows])
    return [Pair(player, known[opponent], *counts) for player, opponent, *counts in rows]
