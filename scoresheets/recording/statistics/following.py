"""Keeping the statistics: what a write to a club's game changes in them, in the same transaction.

Statistics of a club are written under the lock on its `ClubTally`, which comes after the locks on clubs and games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

from django.db.models import F

from scoresheets.models import Club, ClubTally, Game, PlayerTally, Record, Result, Seat
from scoresheets.models.tallies import PUBLIC
from scoresheets.recording import tasks
from scoresheets.recording.statistics import records, standings, tables
from scoresheets.recording.statistics.contributions import (
    Contribution,
    PlayerSums,
    Sums,
    Tables,
    contribution_of,
    game_row,
    seat_rows,
)
from scoresheets.recording.statistics.courses import Course, ResultRow, results_of
from scoresheets.recording.statistics.records import Best, Records
from scoresheets.recording.statistics.stands import (
    Order,
    Stand,
    longest_runs,
    stand_of_tally,
    stands_before,
    take_course,
)

#: What a tally is before the first game.
_RUNS = ("exact_run", "exact_run_most", "win_run", "win_run_most")
NOTHING = dict.fromkeys((*PlayerSums.__dataclass_fields__, *_RUNS), 0)
TALLY_FIELDS = tuple(field.attname for field in PlayerTally._meta.concrete_fields if field.attname != "player_id")


def counts(game: Game) -> bool:
    """Say whether a game as it stands belongs in the statistics: a finished one of a club that was not voided."""
    return game.club_id is not None and game.is_finished and not game.halted


def counted(game: Game, seats: Sequence[Seat] | None = None) -> Contribution | None:
    """Return what a locked game contributes now, before it is changed (at most 4 statements); None if it does not.

    Every write to a game that counts begins with it and gives it to `follow`, which takes it away again.
    """
    if not game.counted or game.club_id is None:
        return None
    return _contribution(game, seats, standings.lock_statistics(game.club_id))


def follow(game: Game, before: Contribution | None, seats: Sequence[Seat] | None = None) -> None:
    """Let the statistics follow a written game: `before` is what it contributed, as `counted` gave it.

    What it contributes now is worked out from `seats`, or from the stored ones.
    """
    clubs = {before.game.club} if before is not None else set()
    if game.counted and game.club_id is not None:
        clubs.add(game.club_id)
    # In the order of their ids, so that no two writers wait for each other.
    tallies = {club: standings.lock_statistics(club) for club in sorted(clubs)}
    now = _contribution(game, seats, tallies[game.club_id]) if game.club_id in tallies and game.counted else None
    if before is not None and now is not None and before.game.club == now.game.club:
        _Change(tallies[now.game.club], before, now).write()
        return
    if before is not None:
        _Change(tallies[before.game.club], before, None).write()
    if now is not None:
        _Change(tallies[now.game.club], None, now).write()


def _contribution(game: Game, seats: Sequence[Seat] | None, tally: ClubTally) -> Contribution:
    seats = list(seats) if seats is not None else game.seats_in_order()
    with_players = Seat.objects.filter(game=game, player__isnull=False).order_by()
    canonical = dict(with_players.values_list("pk", "player__canonical"))
    dealers: Iterable[int] = ()
    if game.table_changed:
        dealers = game.rounds.filter(state="scored").order_by("number").values_list("dealer__position", flat=True)
    return contribution_of(
        game_row(game, dealers),
        list(seat_rows(seats, canonical)),
        incomplete_counts=tally.club.incomplete_counts,
    )


class _Change:
    """One club's game that comes into the statistics, leaves them, or contributes something else than before."""

    def __init__(self, tally: ClubTally, old: Contribution | None, new: Contribution | None) -> None:
        played = [one for one in (old, new) if one is not None]
        self.tally, self.old, self.new = tally, old, new
        self.game = played[-1].game
        self.order: Order = (self.game.started_at, self.game.id)
        self.players = sorted({part.player for one in played for part in one.parts})
        self.rows = {row.player_id: row for row in PlayerTally.objects.filter(player__in=self.players)}
        #: Those who have played later games: their ratings and runs follow in the background.
        self.late = {player for player, row in self.rows.items() if self.order < (row.last_started_at, row.last_game)}

    def write(self) -> None:
        """Write all that changes: in as many statements for a game that comes in, whatever is stored."""
        sums = Sums()
        if self.old is not None:
            sums.add(self.old, -1)
        if self.new is not None:
            sums.add(self.new)
        changed = sums.tables()
        self._write_club(changed)
        before = self._courses_before()
        if self.old is not None:
            Result.objects.filter(game=self.game.id).delete()
        courses = {player: replace(stand.course) for player, stand in before.items()}
        results = results_of(self.new, courses) if self.new is not None else []
        Result.objects.bulk_create(Result(**row._asdict()) for row in results)
        for table, rows in changed.by_table(self._scopes):
            tables.add_to(table, rows)
        self._write_players(changed, before, courses, results)
        if self.old is None:
            self._add_records(results)
        else:
            records.read_again(self.tally.club_id, self.players)
        nights = {one.game.night for one in (self.old, self.new) if one is not None}
        seasons = standings.seasons_of(self.tally.club_id, nights)
        standings.follow(seasons, self.players, added=self.game.id if self.old is None else None)
        if self.late:
            tasks.enqueue_once(tasks.catch_up_ratings, self.tally.club_id)

    @property
    def _scopes(self) -> list[int]:
        scopes = [self.tally.club_id]
        return [PUBLIC, *scopes] if self.tally.club.visibility == Club.Visibility.PUBLIC else scopes

    def _write_club(self, changed: Tables) -> None:
        tally = self.tally
        tally.games += (self.new is not None) - (self.old is not None)
        for sums in changed.players.values():
            tally.bids += sums.bids
            tally.exact += sums.exact
            tally.points_sum += sums.points_sum
        if self.late:
            tally.stale_from = min(tally.stale_from or self.game.started_at, self.game.started_at)
        tally.save(update_fields=["games", "bids", "exact", "points_sum", "stale_from"])

    def _courses_before(self) -> dict[int, Stand]:
        """Return where each player stood before the game."""
        if self.old is None and not self.late:
            stands = {player: stand_of_tally(row) for player, row in self.rows.items()}
        else:
            stands = stands_before(self.order, self.players)
        return {player: stands.get(player, Stand(Course())) for player in self.players}

    def _write_players(
        self,
        changed: Tables,
        before: Mapping[int, Stand],
        courses: Mapping[int, Course],
        results: Sequence[ResultRow],
    ) -> None:
        most = self._most(results)
        rows, gone = [], []
        for player in self.players:
            row = self.rows.get(player) or PlayerTally(player_id=player, club_id=self.tally.club_id, **NOTHING)
            for name, amount in asdict(changed.players.get(player, PlayerSums())).items():
                setattr(row, name, getattr(row, name) + amount)
            if not row.games:
                gone.append(player)
                continue
            if player not in self.late:
                order = self.order if any(result.player_id == player for result in results) else before[player].order
                assert order is not None
                row.last_started_at, row.last_game = order
                take_course(row, courses[player])
            row.exact_run_most, row.win_run_most = most[player]
            rows.append(row)
        if gone:
            PlayerTally.objects.filter(player__in=gone).delete()
        PlayerTally.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["player"], update_fields=TALLY_FIELDS
        )

    def _most(self, results: Sequence[ResultRow]) -> dict[int, tuple[int, int]]:
        """Return the longest runs of exact bids and of wins of each player: read again where a game was taken away."""
        if self.old is not None:
            return longest_runs(self.players)
        most = {}
        for result in results:
            row = self.rows.get(result.player_id)
            exact, wins = (row.exact_run_most, row.win_run_most) if row is not None else (0, 0)
            most[result.player_id] = max(exact, result.exact_run_most), max(wins, result.win_run)
        return most

    def _add_records(self, results: Sequence[ResultRow]) -> None:
        """Let new results break records (at most 3 statements)."""
        books: dict[int, Records] = defaultdict(Records)
        stored = Record.objects.filter(player__in=self.players).annotate(started_at=F("game__started_at"))
        for record in stored.values_list("player", "kind", "value", "game", "night", "started_at"):
            player, kind, value, game, night, started_at = record
            books[player].best[kind] = Best(value, game, night, (started_at, game))
        winners = [result.player_id for result in results if result.rank == 1]
        if winners:
            earlier = Result.objects.filter(player__in=winners, night=self.game.night, rank=1)
            for won in earlier.exclude(game=self.game.id).only("player", "night", "started_at", "game"):
                books[won.player_id].add_win(won)
        broken = []
        for result in results:
            book = books[result.player_id]
            before = dict(book.best)
            book.add(result)
            broken += [(result.player_id, kind, best) for kind, best in book.best.items() if before.get(kind) != best]
        records.save(self.tally.club_id, broken)
