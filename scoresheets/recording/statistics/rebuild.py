"""All statistics of a club made anew from its sheets, compared with those that are kept, and caught up with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Q

from scoresheets.models import Club, ClubTally, Game, PlayerTally, Record, Result, Season, Standing
from scoresheets.models.tallies import PUBLIC
from scoresheets.recording.statistics import tables
from scoresheets.recording.statistics.adding import Adding, Here, adding_beside, can_add_beside
from scoresheets.recording.statistics.collector import without_collector
from scoresheets.recording.statistics.contributions import Contribution, PlayerSums, Tables
from scoresheets.recording.statistics.courses import Course, ResultRow, results_of
from scoresheets.recording.statistics.following import counts
from scoresheets.recording.statistics.loading import copy_rows, stored_rows
from scoresheets.recording.statistics.reading import contributions
from scoresheets.recording.statistics.records import Records
from scoresheets.recording.statistics.standings import STANDING_FIELDS, lock_statistics, save_all, standings_of
from scoresheets.recording.statistics.stands import longest_runs, stands_before, take_course

GAMES_A_CATCH_UP = 500


@dataclass(slots=True)
class Life:
    """What is known of a player while games go by in order."""

    course: Course = field(default_factory=Course)
    exact_run_most: int = 0
    win_run_most: int = 0
    last: tuple[Any, int] | None = None
    records: Records = field(default_factory=Records)

    def take(self, result: ResultRow) -> None:
        """Take a result into account, the next one in order."""
        self.exact_run_most = max(self.exact_run_most, result.exact_run_most)
        self.win_run_most = max(self.win_run_most, result.win_run)
        self.last = (result.started_at, result.game_id)
        self.records.add(result)


@dataclass(slots=True)
class Whole:
    """A club's statistics as its sheets have them."""

    club: Club
    adding: Adding
    games: int = 0
    lives: dict[int, Life] = field(default_factory=lambda: defaultdict(Life))

    def results(self) -> Iterator[list[ResultRow]]:
        """Return the results of all games in order, in batches; all else is known when they have gone by."""
        for batch in contributions(self.club.pk, incomplete_counts=self.club.incomplete_counts):
            self.games += len(batch)
            yield [result for game in batch for result in self._add(game)]

    def _add(self, game: Contribution) -> list[ResultRow]:
        self.adding.add(game)
        lives = self.lives
        results = results_of(game, {part.player: lives[part.player].course for part in game.parts})
        for result in results:
            lives[result.player_id].take(result)
        return results

    def rows(self, found: Tables) -> Iterator[tuple[type[models.Model], tuple[str, ...], list[tuple[Any, ...]]]]:
        """Return the rows of each table but that of results, given the sums: its model, its columns, and its rows in
        order.
        """
        for table, rows in found.by_table([self.club.pk]):
            yield table.model, (*table.key, *table.columns), [(*key, *row) for key, row in rows.items()]
        yield PlayerTally, TALLY_COLUMNS, [self._tally(*pair) for pair in sorted(found.players.items())]
        yield (
            Record,
            RECORD_COLUMNS,
            [
                (player, self.club.pk, kind, best.value, best.game, best.night)
                for player, life in sorted(self.lives.items())
                for kind, best in sorted(life.records.best.items())
            ],
        )
        totals = list(found.players.values())
        club = (
            self.club.pk,
            self.games,
            sum(sums.bids for sums in totals),
            sum(sums.exact for sums in totals),
            sum(sums.points_sum for sums in totals),
            None,
        )
        yield ClubTally, CLUB_COLUMNS, [club]

    def _tally(self, player: int, sums: PlayerSums) -> tuple[Any, ...]:
        life = self.lives[player]
        course = life.course
        values = asdict(sums) | {
            "player_id": player,
            "club_id": self.club.pk,
            "rating_mu": course.mu,
            "rating_sigma": course.sigma,
            "exact_run": course.exact_run,
            "exact_run_most": life.exact_run_most,
            "win_run": course.win_run,
            "win_run_most": life.win_run_most,
            "last_started_at": life.last and life.last[0],
            "last_game": life.last and life.last[1],
        }
        return tuple(values[name] for name in TALLY_COLUMNS)


TALLY_COLUMNS = tuple(field.attname for field in PlayerTally._meta.concrete_fields)
RECORD_COLUMNS = ("player_id", "club_id", "kind", "value", "game_id", "night")
CLUB_COLUMNS = ("club_id", "games", "bids", "exact", "points_sum", "stale_from")


@without_collector()
def rebuild_club(club: Club) -> int:
    """Make all statistics of a club anew from its sheets, and return how many games count.

    Nobody else writes the club's statistics meanwhile; games go on being recorded until one is finished. A second
    process helps with a large club.
    """
    beside = can_add_beside(Game.objects.filter(club=club).count())
    with transaction.atomic():
        club = lock_statistics(club.pk).club
        with adding_beside(club) if beside else nullcontext(Here(club)) as adding:
            return _rebuild(club, adding)


def _rebuild(club: Club, adding: Adding) -> int:
    is_public = club.visibility == Club.Visibility.PUBLIC
    if is_public:
        add_to_public(club, -1)
    _forget(club)
    whole = Whole(club, adding)
    for results in whole.results():
        copy_rows(Result, ResultRow._fields, results)
    added = adding.done()
    for model, columns, rows in whole.rows(added.sums):
        if model is ClubTally:
            ClubTally.objects.filter(club=club).update(**dict(zip(columns[1:], rows[0][1:], strict=True)))
        else:
            copy_rows(model, columns, rows)
    if is_public:
        add_to_public(club, 1)
    _mark_counted(club)
    save_all(added.standings)
    return whole.games


def _forget(club: Club) -> None:
    """Delete the club's statistics, but for its own row."""
    for model in (Result, Record, PlayerTally):
        model._default_manager.filter(club=club).delete()
    for table in tables.TABLES:
        own = {"scope": club.pk} if table is tables.TOTALS else {"player__club": club}
        table.model._default_manager.filter(**own).delete()


def _mark_counted(club: Club) -> None:
    games = Game.objects.filter(club=club)
    counts = Q(state=Game.State.FINISHED, halted="")
    games.filter(counts, counted=False).update(counted=True)
    games.filter(~counts, counted=True).update(counted=False)


def add_to_public(club: Club, times: int) -> None:
    """Add a club's bids to those of all public clubs, or take them away (`times` -1), under the lock of its statistics.

    For a club that becomes public, or is so no longer.
    """
    own = tables.TOTALS.model._default_manager.filter(scope=club.pk)
    rows = own.values_list(*tables.TOTALS.key[1:], *tables.TOTALS.columns)
    count = len(tables.TOTALS.columns)
    tables.add_to(
        tables.TOTALS,
        {(PUBLIC, *row[:-count]): [times * amount for amount in row[-count:]] for row in rows},
    )


# -- comparing ------------------------------------------------------------------------------------------------------


@transaction.atomic
@without_collector()
def differences_of(club: Club) -> list[str]:
    """Return a sentence for each row of a club's statistics that is not as its sheets have it; none if all are.

    Ratings and runs are not compared while they wait to be worked out anew.
    """
    tally = lock_statistics(club.pk)
    whole = Whole(tally.club, Here(tally.club))
    left_out = _STALE_COLUMNS if tally.stale_from is not None else frozenset()
    found = list(_result_differences(whole, left_out))
    for model, columns, rows in whole.rows(whole.adding.done().sums):
        where, own = _OWN[model]
        stored = stored_rows(model, columns, where, [club.pk])
        found += _unlike(model, columns, own, rows, stored, left_out)
    found += _counted_differences(club)
    for season in Season.objects.filter(club=club, stale=False).order_by("pk"):
        found += _standing_differences(season)
    return found


@transaction.atomic
def public_differences() -> list[str]:
    """Return a sentence for each row of the bids of all public clubs that is not the sum of those of each."""
    columns = (*tables.TOTALS.key, *tables.TOTALS.columns)
    public = Club.objects.filter(visibility=Club.Visibility.PUBLIC).values_list("pk", flat=True)
    sums: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0] * len(tables.TOTALS.columns))
    for row in tables.TOTALS.model._default_manager.filter(scope__in=list(public)).values_list(*columns):
        place = len(tables.TOTALS.key)
        key = (PUBLIC, *row[1:place])
        sums[key] = [old + more for old, more in zip(sums[key], row[place:], strict=True)]
    rows = [(*key, *amounts) for key, amounts in sums.items()]
    stored = stored_rows(tables.TOTALS.model, columns, "scope = %s", [PUBLIC])
    return list(_unlike(tables.TOTALS.model, columns, len(tables.TOTALS.key), rows, stored))


#: What is left alone while it waits to be worked out anew.
_STALE_COLUMNS = frozenset(
    ("exact_run", "exact_run_most", "win_run", "win_run_most", "rating_mu", "rating_sigma", "stale_from")
)
_OF_PLAYERS = "player_id IN (SELECT id FROM scoresheets_player WHERE club_id = %s)"
#: Which rows of a table are a club's, and how many columns are their key.
_OWN: dict[type[models.Model], tuple[str, int]] = {
    **{table.model: (_OF_PLAYERS, len(table.key)) for table in tables.TABLES},
    tables.TOTALS.model: ("scope = %s", len(tables.TOTALS.key)),
    PlayerTally: ("club_id = %s", 1),
    Record: ("club_id = %s", 3),
    ClubTally: ("club_id = %s", 1),
}


def _result_differences(whole: Whole, left_out: frozenset[str]) -> Iterator[str]:
    columns, expected = ResultRow._fields, 0
    for results in whole.results():
        expected += len(results)
        games = sorted({result.game_id for result in results})
        stored = stored_rows(Result, columns, f"game_id IN ({', '.join(['%s'] * len(games))})", games)
        yield from _unlike(Result, columns, 2, results, stored, left_out)
    there = Result.objects.filter(club=whole.club).count()
    if there != expected:
        yield f"result: there are {there} rows, the sheets have {expected}"


def _unlike(
    model: type[models.Model],
    columns: Sequence[str],
    key: int,
    expected: Iterable[Sequence[Any]],
    stored: Iterable[Sequence[Any]],
    left_out: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """Return a sentence for each row that is missing, too much, or different; the first `key` columns say which."""
    name = model._meta.verbose_name
    there = {tuple(row[:key]): tuple(row) for row in stored}
    for row in expected:
        which = tuple(row[:key])
        found = there.pop(which, None)
        if found is None:
            yield f"{name} {which} is missing"
        elif found != tuple(row):
            for column, value, right in zip(columns, found, row, strict=True):
                if value != right and column not in left_out:
                    yield f"{name} {which}: {column} is {value!r}, the sheets have {right!r}"
    for which in there:
        yield f"{name} {which} is not in the sheets"


def _counted_differences(club: Club) -> Iterator[str]:
    for game in Game.objects.filter(club=club).only("club", "state", "halted", "counted").order_by("pk"):
        if game.counted != counts(game):
            yield f"game {game.pk}: counted is {game.counted}"


def _standing_differences(season: Season) -> Iterator[str]:
    rows = list(standings_of(season))
    expected = [tuple(getattr(row, name) for name in ("player_id", *STANDING_FIELDS)) for row in rows]
    stored = Standing.objects.filter(season=season).values_list("player", *STANDING_FIELDS)
    for difference in _unlike(Standing, ("player_id", *STANDING_FIELDS), 1, expected, stored):
        yield f"season {season.pk}: {difference}"
    last = max((row.last_night for row in rows), default=None)
    if season.last_night != last:
        yield f"season {season.pk}: last_night is {season.last_night!r}, the results have {last!r}"


# -- catching up ----------------------------------------------------------------------------------------------------


@transaction.atomic
def catch_up(club_id: int) -> bool:
    """Work out ratings and runs anew from where they are stale on, for a batch of games; return whether more wait.

    A batch is in one transaction: what was worked out stays worked out, whatever becomes of the next one.
    """
    tally = lock_statistics(club_id)
    if tally.stale_from is None:
        return False
    games = contributions(
        club_id,
        incomplete_counts=tally.club.incomplete_counts,
        since=connection.ops.adapt_datetimefield_value(tally.stale_from),
        games_a_batch=GAMES_A_CATCH_UP,
    )
    batch = next(games, [])
    if batch:
        _catch_up_with(batch)
    more = next(games, [])
    tally.stale_from = Game.objects.get(pk=more[0].game.id).started_at if more else None
    tally.save(update_fields=["stale_from"])
    return bool(more)


def _catch_up_with(batch: Sequence[Contribution]) -> None:
    """Work out the results of these games, given that all before them are right, and the tallies that end with them."""
    first = Game.objects.get(pk=batch[0].game.id)
    players = sorted({part.player for game in batch for part in game.parts})
    before = stands_before((first.started_at, first.pk), players)
    courses = {player: before[player].course if player in before else Course() for player in players}
    ends: dict[int, tuple[int, Course]] = {}
    results = []
    for game in batch:
        results += results_of(game, {part.player: courses[part.player] for part in game.parts})
        for part in game.parts:
            ends[part.player] = (game.game.id, replace(courses[part.player]))
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE scoresheets_result SET exact_run = %s, exact_run_most = %s, win_run = %s, rating_mu = %s,"
            " rating_sigma = %s WHERE game_id = %s AND player_id = %s",
            [
                (
                    row.exact_run,
                    row.exact_run_most,
                    row.win_run,
                    row.rating_mu,
                    row.rating_sigma,
                    row.game_id,
                    row.player_id,
                )
                for row in results
            ],
        )
    rows = [row for row in PlayerTally.objects.filter(player__in=players) if row.last_game == ends[row.player_id][0]]
    most = longest_runs([row.player_id for row in rows])
    for row in rows:
        take_course(row, ends[row.player_id][1])
        row.exact_run_most, row.win_run_most = most[row.player_id]
    PlayerTally.objects.bulk_update(
        rows,
        ["exact_run", "exact_run_most", "win_run", "win_run_most", "rating_mu", "rating_sigma"],
        batch_size=200,
    )
