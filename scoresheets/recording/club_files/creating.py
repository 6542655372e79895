"""A club made of its file: written in one transaction, worked out, and compared with what the file says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from typing import Any, BinaryIO

from django.core.exceptions import PermissionDenied
from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.models import F

import rules
from scoresheets.actors import Actor
from scoresheets.club_files import layout
from scoresheets.club_files.reading import JsonFile
from scoresheets.club_files.shapes import THIS, FileProblem, Other, Shape, moment_of
from scoresheets.models import (
    Attendance,
    Bid,
    Club,
    ClubTally,
    DrawnSeat,
    DrawnTable,
    Entry,
    Evening,
    Game,
    Membership,
    Merge,
    Player,
    Round,
    Season,
    Seat,
    Standing,
)
from scoresheets.models.games import HOUSE_RULE_FIELDS
from scoresheets.recording import receipts, statistics
from scoresheets.recording.club_files.checking import ClubFileError, look_at, sections
from scoresheets.recording.club_files.journals import replayed, seats_of
from scoresheets.recording.journal import ReplayedGame, ReplayedRound
from scoresheets.recording.locks import save_recorded
from scoresheets.recording.repair import BID_FIELDS
from scoresheets.recording.statistics.loading import copy_rows

#: So many games are written at once.
_GAMES_AT_ONCE = 100
#: What stands in a journal for a club that is not known here; no club has this id.
_OTHER_CLUB = 0
#: For values without numbers of anything.
_NOBODY = Other({}, {}, {}, lambda club: club)
Value = dict[str, Any]


def import_club(file: BinaryIO, *, by: Actor, most_bytes: int, key: str | None = None) -> Club:
    """Make a new club of a file, which can be read from its beginning again, and return it; the actor is its owner.

    Everything is checked first (`look_at`). Statistics are worked out from the games, and the tables of seasons that
    follow are compared with those of the file. A repeat with the same key returns the same club. Raises
    `PermissionDenied` without an account, `ClubFileError`, `Conflict` ("key_reused"); then nothing is written.
    """
    if by.user is None:
        raise PermissionDenied
    fingerprint = receipts.fingerprint_of("import_club", _digest_of(file) if key else "")
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Club.objects.get(pk=body["club"])
    file.seek(0)
    look_at(file, most_bytes=most_bytes)
    file.seek(0)
    try:
        with transaction.atomic():
            if body := receipts.answer_to_repeat(by, key, fingerprint):
                return Club.objects.get(pk=body["club"])
            club = _Creation(by).create(JsonFile(file, most_bytes=most_bytes))
            receipts.keep_answer(by, key, fingerprint, {"club": club.pk})
            return club
    except (DataError, IntegrityError) as refused:
        if body := receipts.answer_to_repeat(by, key, fingerprint):  # the same request was faster by a hair
            return Club.objects.get(pk=body["club"])
        # Rows break a constraint together: the file contradicts itself in a way that no check names.
        raise ClubFileError([FileProblem("$", rules.Problem.of("club_file_contradicts"))]) from refused


def _digest_of(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(2**16):
        digest.update(piece)
    return digest.hexdigest()


@dataclass(slots=True)
class _Creation:
    """Writes the rows of one file; ids are kept by the numbers of the file."""

    by: Actor
    club: Club = field(default_factory=Club)
    players: dict[int, int] = field(default_factory=dict)
    evenings: dict[int, int] = field(default_factory=dict)
    seasons: dict[int, int] = field(default_factory=dict)
    tables: dict[tuple[int, int, int], int] = field(default_factory=dict)
    games: list[int] = field(default_factory=list)
    rematches: dict[int, int] = field(default_factory=dict)
    started: dict[int, int] = field(default_factory=dict)

    def create(self, file: JsonFile) -> Club:
        """Write all rows and return the club. Raises `ClubFileError` if standings come out otherwise."""
        for name in sections(file):
            if name == "club":
                self._club(file.value())
            elif name == "games":
                self._games(file.items())
            elif name == "check":
                self._finish(file.value())
            else:
                write = {
                    "players": self._players,
                    "evenings": self._evenings,
                    "seasons": self._seasons,
                    "merges": self._merges,
                }[name]
                write(list(file.items()))
        return self.club

    def _club(self, told: Value) -> None:
        # In bulk, as all rows with a history: theirs comes from the file, and nothing is added to it.
        (self.club,) = Club.objects.bulk_create([Club(**_values(told, Club, layout.CLUB_FIELDS))])
        ClubTally.objects.create(club=self.club)
        owner = Membership(club=self.club, user=self.by.user, role=Membership.Role.OWNER)
        save_recorded(owner, by=self.by)
        self._history(Club, [(self.club.pk, told)], layout.CLUB_FIELDS)

    def _players(self, told: Sequence[Value]) -> None:
        # Whom they stand for is known only when all have an id: until then nobody.
        rows = Player.objects.bulk_create(
            [Player(club=self.club, canonical_id=0, **_values(one, Player, layout.PLAYER_FIELDS)) for one in told],
            batch_size=200,
        )
        self.players = {one["number"]: row.pk for one, row in zip(told, rows, strict=True)}
        merged = []
        for one, row in zip(told, rows, strict=True):
            if "merged_into" in one:
                row.canonical_id = self.players[one["merged_into"]]
                merged.append(row)
        Player.objects.filter(club=self.club).exclude(pk__in=[row.pk for row in merged]).update(canonical=F("pk"))
        Player.objects.bulk_update(merged, ["canonical"], batch_size=200)
        self._history(Player, [(self.players[one["number"]], one) for one in told], layout.PLAYER_FIELDS)

    def _evenings(self, told: Sequence[Value]) -> None:
        rows = Evening.objects.bulk_create(
            [Evening(club=self.club, **_values(one, Evening, layout.EVENING_FIELDS)) for one in told], batch_size=200
        )
        self.evenings = {one["number"]: row.pk for one, row in zip(told, rows, strict=True)}
        Attendance.objects.bulk_create(
            [
                Attendance(
                    evening=row,
                    player_id=self.players[answer["player"]],
                    answer=answer["answer"],
                    answered_at=moment_of(answer["answered_at"]),
                    is_here=answer["is_here"],
                )
                for one, row in zip(told, rows, strict=True)
                for answer in one["attendance"]
            ],
            batch_size=200,
        )
        for one, row in zip(told, rows, strict=True):
            for sitting in one["sittings"]:
                self._sitting(one["number"], row, sitting)

    def _sitting(self, number: int, evening: Evening, sitting: Value) -> None:
        where: dict[str, Any] = {"evening": evening, "sitting": sitting["number"]}
        tables = DrawnTable.objects.bulk_create(
            DrawnTable(**where, number=table["number"]) for table in sitting["tables"]
        )
        self.tables |= {(number, table.sitting, table.number): table.pk for table in tables}
        seats = [DrawnSeat(**where, player_id=self.players[player]) for player in sitting["sits_out"]]
        seats += [
            DrawnSeat(**where, table=table, position=position, player_id=self.players[player])
            for table, drawn in zip(tables, sitting["tables"], strict=True)
            for position, player in enumerate(drawn["players"])
        ]
        DrawnSeat.objects.bulk_create(seats)

    def _seasons(self, told: Sequence[Value]) -> None:
        rows = Season.objects.bulk_create(
            Season(
                club=self.club,
                changed_after_close=moment_of(one["changed_after_close"]),
                **_values(one, Season, layout.SEASON_FIELDS),
            )
            for one in told
        )
        self.seasons = {one["number"]: row.pk for one, row in zip(told, rows, strict=True)}
        self._history(Season, [(self.seasons[one["number"]], one) for one in told], layout.SEASON_FIELDS)

    def _merges(self, told: Sequence[Value]) -> None:
        Merge.objects.bulk_create(
            Merge(
                kept_id=self.players[merge["kept"]],
                merged_id=self.players[merge["merged"]],
                moved=sorted(self.players[player] for player in merge["moved"]),
                at=_moment(merge["at"]),
                undone_at=moment_of(merge["undone_at"]),
            )
            for merge in told
        )

    def _history(
        self, model: type[models.Model], told: Sequence[tuple[int, Value]], fields: Mapping[str, Shape]
    ) -> None:
        """Write what rows were set to before, by their ids; nobody here did it."""
        history: Any = model
        historical = history.history.model
        own = {} if model is Club else {"club_id": self.club.pk}
        historical.objects.bulk_create(
            [
                historical(
                    id=pk,
                    history_date=moment_of(change["at"]),
                    history_type=change["type"],
                    history_change_reason=change.get("reason"),
                    **own,
                    **_values(change["values"], model, fields),
                )
                for pk, one in told
                for change in one["history"]
            ],
            batch_size=100,
        )

    # -- games ------------------------------------------------------------------------------------------------------

    def _games(self, told: Iterator[Value]) -> None:
        while batch := list(islice(told, _GAMES_AT_ONCE)):
            self._some_games(batch)
        for table, game in self.started.items():
            DrawnTable.objects.filter(pk=table).update(game=game)
        for game, before in self.rematches.items():
            Game.objects.filter(pk=game).update(rematch_of=before)

    def _some_games(self, batch: Sequence[Value]) -> None:
        """Write some games, each table of all of them at once."""
        replays = [replayed(one["journal"]) for one in batch]
        games = Game.objects.bulk_create(
            [self._game(one, told) for one, told in zip(batch, replays, strict=True)], batch_size=100
        )
        self.games += [game.pk for game in games]
        for one, game in zip(batch, games, strict=True):
            if "rematch_of" in one:
                self.rematches[game.pk] = self.games[one["rematch_of"] - 1]
            if "table" in one:
                table = one["table"]
                self.started[self.tables[table["evening"], table["sitting"], table["number"]]] = game.pk
        others = self._seats(batch, replays, games)
        self._rounds(batch, replays, games, others)
        entries = [
            _entry(game.pk, version, entry, other)
            for one, game, other in zip(batch, games, others, strict=True)
            for version, entry in enumerate(one["journal"], start=1)
        ]
        copy_rows(Entry, _ENTRY_COLUMNS, entries)

    def _game(self, one: Value, told: ReplayedGame) -> Game:
        house = told.house.to_mapping()
        return Game(
            **{name: house[name] for name in HOUSE_RULE_FIELDS},
            ladder=told.ladder,
            plan=told.plan,
            first_dealer=told.first_dealer,
            detail=told.detail,
            state=told.state,
            halted=told.halted,
            incomplete=told.incomplete,
            table_changed=told.table_changed,
            started_at=_moment(one["started_at"]),
            finished_at=moment_of(one["finished_at"]),
            version=told.version,
            touched=told.version,
            club=self.club,
            evening_id=told.evening and self.evenings[told.evening],
            night=date.fromisoformat(one["night"]),
            confirmed_version=told.confirmed_version,
        )

    def _seats(self, batch: Sequence[Value], replays: Sequence[ReplayedGame], games: Sequence[Game]) -> list[Other]:
        """Write the seats, in order of their numbers, and return what stands for the numbers of each game."""
        rows = []
        for one, told, game in zip(batch, replays, games, strict=True):
            seats = dict(zip(told.seats, seats_of(told, [seat["name"] for seat in one["seats"]]), strict=True))
            for number in sorted(seats):
                seats[number].game = game
                seats[number].player_id = self.players[told.players[number]] if number in told.players else None
                rows.append(seats[number])
        Seat.objects.bulk_create(rows, batch_size=200)
        ids: dict[int, dict[int, int]] = {game.pk: {} for game in games}
        for seat in rows:
            ids[seat.game_id][len(ids[seat.game_id]) + 1] = seat.pk
        return [Other(ids[game.pk], self.players, self.evenings, self._club_id) for game in games]

    def _club_id(self, word: str) -> int:
        return self.club.pk if word == THIS else _OTHER_CLUB

    def _rounds(
        self,
        batch: Sequence[Value],
        replays: Sequence[ReplayedGame],
        games: Sequence[Game],
        others: Sequence[Other],
    ) -> None:
        ids = [game.pk for game in games]
        rows = [
            _round(pk, played, one.get("draft", {}), other)
            for one, told, pk, other in zip(batch, replays, ids, others, strict=True)
            for played in told.rounds
        ]
        copy_rows(Round, _ROUND_COLUMNS, rows)
        stored = Round.objects.filter(game__in=ids).order_by().values_list("game", "number", "pk")
        rounds = {(game, number): pk for game, number, pk in stored}
        bids = [
            (rounds[pk, played.number], other.seats[seat], *(getattr(bid, name) for name in BID_FIELDS))
            for told, pk, other in zip(replays, ids, others, strict=True)
            for played in told.rounds
            for seat, bid in played.bids.items()
        ]
        copy_rows(Bid, ("round_id", "seat_id", *BID_FIELDS), bids)

    # -- at the end -------------------------------------------------------------------------------------------------

    def _finish(self, check: Value) -> None:
        """Work out the statistics, and compare the tables of the seasons with those of the file."""
        statistics.rebuild_club(self.club)
        numbers = {pk: number for number, pk in self.players.items()}
        problems = []
        for place, told in enumerate(check["standings"]):
            rows = [
                {
                    "player": numbers[row.player_id],
                    **{name: getattr(row, name) for name in layout.STANDING_COUNTS},
                    "points": row.points,
                }
                for row in Standing.objects.filter(season=self.seasons[told["season"]]).order_by("player")
            ]
            if rows != told["rows"]:
                path = f"$.check.standings[{place}].rows"
                problems.append(FileProblem(path, rules.Problem.of("club_file_standings", season=told["season"])))
        if problems:
            raise ClubFileError(problems)


_ROUND_COLUMNS = (
    *("game_id", "number", "cards", "dealer_id", "bombs", "state", "stage_version", "scored_version", "shown_version"),
    *("trump", "turned_up", "chosen_by_id", "draft"),
)


def _round(game: int, played: ReplayedRound, draft: Mapping[str, Any], other: Other) -> tuple[Any, ...]:
    is_open = played.state != Round.State.SCORED
    return (
        *(game, played.number, played.cards, other.seats[played.dealer], played.bombs, played.state),
        *(played.stage_version, played.scored_version, played.shown_version, played.trump, played.turned_up),
        None if played.chosen_by is None else other.seats[played.chosen_by],
        json.dumps(layout.DRAFT.mapped(draft, other) if is_open else {}),
    )


_ENTRY_COLUMNS = ("game_id", "version", "kind", "payload", "via", "seat_id", "label", "at", "reason")


def _entry(game: int, version: int, told: Value, other: Other) -> tuple[Any, ...]:
    return (
        *(game, version, told["kind"]),
        json.dumps(layout.KINDS[told["kind"]].mapped(told["payload"], other)),
        told["via"],
        other.seats[told["seat"]] if "seat" in told else None,
        told.get("by", ""),
        connection.ops.adapt_datetimefield_value(_moment(told["at"])),
        told.get("reason", ""),
    )


def _moment(value: str) -> datetime:
    moment = moment_of(value)
    assert moment is not None
    return moment


def _values(told: Mapping[str, Any], model: type[models.Model], fields: Mapping[str, Shape]) -> Value:
    """Return these fields as the model takes them."""
    found = {}
    for name, shape in fields.items():
        column, value = model._meta.get_field(name), shape.mapped(told[name], _NOBODY)
        if isinstance(column, models.DateTimeField):
            value = moment_of(value)
        elif isinstance(column, models.DateField) and value is not None:
            value = date.fromisoformat(value)
        found[name] = value
    return found
