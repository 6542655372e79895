"""Letting the statistics follow a change that bears on many games of a club: who somebody is, or what counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict

from scoresheets.models import Club, ClubTally, Game, PlayerTally, Result
from scoresheets.models.tallies import PUBLIC
from scoresheets.recording import tasks
from scoresheets.recording.statistics import records, standings, tables
from scoresheets.recording.statistics.contributions import Contribution, PlayerSums, Sums
from scoresheets.recording.statistics.courses import Course, ResultRow, results_of
from scoresheets.recording.statistics.following import NOTHING, TALLY_FIELDS
from scoresheets.recording.statistics.loading import copy_rows
from scoresheets.recording.statistics.reading import contributions
from scoresheets.recording.statistics.stands import longest_runs, newest_results, take_course

GAMES_A_STATEMENT = 500


@contextmanager
def following_many(club: Club, *, of_players: Collection[int] = (), only_incomplete: bool = False) -> Iterator[None]:
    """Let the statistics follow what changes meanwhile of games in which one of these players sat, or ended early ones.

    Give the ids of all whose seats count for somebody else afterwards. Ratings and runs follow in the background.
    """
    tally = standings.lock_statistics(club.pk)

    def read(incomplete_counts: bool) -> list[Contribution]:
        batches = contributions(
            club.pk, incomplete_counts=incomplete_counts, of_players=of_players, only_incomplete=only_incomplete
        )
        return [game for batch in batches for game in batch]

    before = read(tally.club.incomplete_counts)
    yield
    tally = standings.lock_statistics(club.pk)
    after = read(tally.club.incomplete_counts)
    if before:
        _follow(tally, before, after)


def _follow(tally: ClubTally, before: list[Contribution], after: list[Contribution]) -> None:
    sums = Sums()
    for game in before:
        sums.add(game, -1)
    for game in after:
        sums.add(game)
    changed = sums.tables()
    players = sorted({part.player for game in (*before, *after) for part in game.parts})
    scopes = [tally.club_id, *([PUBLIC] if tally.club.visibility == Club.Visibility.PUBLIC else [])]
    for table, rows in changed.by_table(scopes):
        tables.add_to(table, rows)
    _write_results(after)
    first = Game.objects.get(pk=after[0].game.id).started_at
    tally.stale_from = min(tally.stale_from or first, first)
    tally.save(update_fields=["stale_from"])
    _write_players(tally.club_id, changed.players, players)
    records.read_again(tally.club_id, players)
    nights = set(Game.objects.filter(pk__in=[game.game.id for game in after]).values_list("night", flat=True))
    seasons = standings.seasons_of(tally.club_id, {night for night in nights if night is not None})
    standings.follow(seasons, players)
    tasks.enqueue_once(tasks.catch_up_ratings, tally.club_id)


def _write_results(games: list[Contribution]) -> None:
    """Write the results of these games anew; ratings and runs wait to be worked out."""
    courses: dict[int, Course] = defaultdict(Course)
    for place in range(0, len(games), GAMES_A_STATEMENT):
        batch = games[place : place + GAMES_A_STATEMENT]
        Result.objects.filter(game__in=[game.game.id for game in batch]).delete()
        rows = [
            row
            for game in batch
            for row in results_of(game, {part.player: courses[part.player] for part in game.parts})
        ]
        copy_rows(Result, ResultRow._fields, rows)


def _write_players(club: int, changed: dict[int, PlayerSums], players: Collection[int]) -> None:
    """Add to the tallies of these players; they end with their newest result, as it is."""
    rows = {row.player_id: row for row in PlayerTally.objects.filter(player__in=players)}
    most = longest_runs(players)
    newest = {result.player_id: result for result in newest_results(players)}
    kept = []
    for player in players:
        row = rows.get(player) or PlayerTally(player_id=player, club_id=club, **NOTHING)
        for name, amount in asdict(changed.get(player, PlayerSums())).items():
            setattr(row, name, getattr(row, name) + amount)
        if player not in newest:
            continue
        last = newest[player]
        take_course(row, Course(last.exact_run, last.win_run, last.rating_mu, last.rating_sigma))
        row.last_started_at, row.last_game = last.started_at, last.game_id
        row.exact_run_most, row.win_run_most = most[player]
        kept.append(row)
    PlayerTally.objects.filter(player__in=set(rows) - set(newest)).delete()
    PlayerTally.objects.bulk_create(
        kept, update_conflicts=True, unique_fields=["player"], update_fields=TALLY_FIELDS, batch_size=200
    )
