"""A player's records: the best of each kind, and of several the earliest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from scoresheets.models import Record, Result

Kind = Record.Kind


class Best(NamedTuple):
    """A value, and the game and night it is of; `order` is the game's: when it started, then its id."""

    value: int
    game: int
    night: Any
    order: tuple[Any, int]


_VALUES = attrgetter("total", "best_round", "worst_round", "best_blind", "highest_exact", "margin")
#: Which of these values each kind is of, and whether the highest (1) or the lowest (-1) is the record.
_OF_A_RESULT: tuple[tuple[str, int, int], ...] = (
    (Kind.BEST_TOTAL, 0, 1),
    (Kind.WORST_TOTAL, 0, -1),
    (Kind.BEST_ROUND, 1, 1),
    (Kind.WORST_ROUND, 2, -1),
    (Kind.BEST_BLIND, 3, 1),
    (Kind.HIGHEST_EXACT, 4, 1),
    (Kind.CLOSEST_WIN, 5, -1),
    (Kind.WIDEST_WIN, 5, 1),
)
#: Totals of games that are not ranked are of fewer rounds than those of others: no record.
_RANKED_ONLY = {Kind.BEST_TOTAL, Kind.WORST_TOTAL}


class Records:
    """Collects the records of one player from results (rows with the columns of `Result`), in any order."""

    def __init__(self) -> None:
        self.best: dict[str, Best] = {}
        self._wins: dict[Any, list[tuple[Any, int]]] = {}

    def add(self, result: Any) -> None:
        """Take a result into account."""
        values, best = _VALUES(result), self.best
        for kind, place, sign in _OF_A_RESULT:
            value = values[place]
            # Most are no record: nothing is made of those.
            if value is None or (kind in best and sign * value < sign * best[kind].value):
                continue
            if result.rank is not None or kind not in _RANKED_ONLY:
                order = (result.started_at, result.game_id)
                self.offer(kind, Best(value, result.game_id, result.night, order), sign)
        if result.rank == 1:
            self.add_win(result)

    def add_win(self, result: Any) -> None:
        """Take a won game into account for the most wins in a night: that night counts from its first win on."""
        wins = self._wins.setdefault(result.night, [])
        wins.append((result.started_at, result.game_id))
        first = min(wins)
        best = self.best.get(Kind.BEST_NIGHT)
        if best is not None and best.night == result.night:
            self.best[Kind.BEST_NIGHT] = Best(len(wins), first[1], result.night, first)
            return
        self.offer(Kind.BEST_NIGHT, Best(len(wins), first[1], result.night, first), 1)

    def offer(self, kind: str, new: Best, sign: int) -> None:
        """Keep what is better, or as good and earlier."""
        old = self.best.get(kind)
        if old is None or (-sign * new.value, new.order) < (-sign * old.value, old.order):
            self.best[kind] = new


def records_of(results: Iterable[Any]) -> dict[str, Best]:
    """Return a player's records by kind, given all of their results."""
    records = Records()
    for result in results:
        records.add(result)
    return records.best


def read_again(club: int, players: Collection[int]) -> None:
    """Work out the records of these players from all of their results (4 statements)."""
    of_players: dict[int, list[Any]] = defaultdict(list)
    for result in Result.objects.filter(player__in=players).values_list(*_READ, named=True):
        of_players[result.player_id].append(result)
    best = [
        (player, kind, best)
        for player, results in sorted(of_players.items())
        for kind, best in records_of(results).items()
    ]
    kept = {(player, kind) for player, kind, _best in best}
    stored = Record.objects.filter(player__in=players).values_list("pk", "player", "kind")
    Record.objects.filter(pk__in=[pk for pk, *key in stored if tuple(key) not in kept]).delete()
    save(club, best)


def save(club: int, records: Iterable[tuple[int, str, Best]]) -> None:
    """Write records, given as player, kind and best, over those of before (1 statement)."""
    Record.objects.bulk_create(
        [
            Record(
                player_id=player,
                club_id=club,
                kind=kind,
                value=best.value,
                game_id=best.game,
                night=best.night,
            )
            for player, kind, best in records
        ],
        update_conflicts=True,
        unique_fields=["player", "kind"],
        update_fields=["value", "game", "night"],
    )


_READ = (
    *("player_id", "game_id", "night", "started_at", "rank", "total", "margin"),
    *("best_round", "worst_round", "best_blind", "highest_exact"),
)
