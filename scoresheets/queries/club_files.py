"""A whole club as one JSON file, written piece by piece from one moment of the database."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from typing import Any

from django.db import connection, models, transaction

from scoresheets.club_files import layout
from scoresheets.club_files.shapes import OTHER, THIS, Other, moment_text
from scoresheets.models import (
    Attendance,
    Club,
    DrawnSeat,
    DrawnTable,
    Entry,
    Evening,
    Game,
    Merge,
    Player,
    Round,
    Season,
    Seat,
    Standing,
    User,
)

#: So many games are read at once.
_GAMES_AT_ONCE = 200


def club_file(club: Club) -> Iterator[str]:
    """Return the club's file in pieces, each some whole lines; `docs/club-file.md` says what they hold.

    All of it is from one moment, whatever is written meanwhile; the same state of a club makes the same text on either
    database. Costs 16 statements, and 5 for every 200 games. The generator keeps its transaction open until it is
    exhausted or closed. Raises `Club.DoesNotExist` if the club is gone.
    """
    with _one_moment():
        yield from _Writer(Club.objects.get(pk=club.pk)).pieces()


@contextmanager
def _one_moment() -> Iterator[None]:
    """Let all that is read inside be from one moment, and keep nobody from writing."""
    if connection.in_atomic_block:
        yield
        return
    with ExitStack() as stack:
        _begin(stack)
        yield


def _begin(stack: ExitStack) -> None:
    if connection.vendor == "sqlite":
        # Transactions here begin as writers; one that begins as a reader has its snapshot and is in nobody's way.
        sqlite: Any = connection
        usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
        try:
            stack.enter_context(transaction.atomic())
        finally:
            sqlite.transaction_mode = usual
        return
    stack.enter_context(transaction.atomic())
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


class _Writer:
    """Writes one club; players, evenings, seasons and games are numbered from 1 in order of their ids."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.players = _numbered(Player.objects.filter(club=club))
        self.evenings = _numbered(Evening.objects.filter(club=club))
        self.games = list(Game.objects.filter(club=club).order_by("pk").values_list("pk", flat=True))
        self.entries = 0

    def pieces(self) -> Iterator[str]:
        """Return the file, each piece with the line break that ends it."""
        yield f'{{"format":{_json(layout.FORMAT)},"version":{layout.VERSION},\n'
        history = self._histories(Club, layout.CLUB_FIELDS)[self.club.pk]
        yield f'"club":{_json(_values(self.club, layout.CLUB_FIELDS) | {"history": history})},\n'
        yield from _list("players", self._players())
        yield from _list("evenings", self._evenings())
        yield from _list("seasons", self._seasons())
        yield from _list("merges", self._merges())
        yield from _list("games", self._games())
        check = {"games": len(self.games), "entries": self.entries, "standings": list(self._standings())}
        yield f'"check":{_json(check)}}}\n'

    def _players(self) -> Iterator[dict[str, Any]]:
        histories = self._histories(Player, layout.PLAYER_FIELDS)
        for player in Player.objects.filter(club=self.club).order_by("pk"):
            merged = {} if player.is_canonical else {"merged_into": self.players[player.canonical_id]}
            values = {"number": self.players[player.pk], **_values(player, layout.PLAYER_FIELDS)}
            yield values | merged | {"history": histories[player.pk]}

    def _evenings(self) -> Iterator[dict[str, Any]]:
        attendance, sittings = self._attendance(), self._sittings()
        for evening in Evening.objects.filter(club=self.club).order_by("pk"):
            values = {"number": self.evenings[evening.pk], **_values(evening, layout.EVENING_FIELDS)}
            yield values | {"attendance": attendance[evening.pk], "sittings": sittings[evening.pk]}

    def _attendance(self) -> dict[int, list[dict[str, Any]]]:
        found: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for row in Attendance.objects.filter(evening__club=self.club).order_by("player"):
            found[row.evening_id].append(
                {
                    "player": self.players[row.player_id],
                    "answer": row.answer,
                    "answered_at": _plain(row.answered_at),
                    "is_here": row.is_here,
                }
            )
        return found

    def _sittings(self) -> dict[int, list[dict[str, Any]]]:
        sittings: dict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
        tables: dict[int, list[int]] = {}

        def sitting_of(evening: int, number: int) -> dict[str, Any]:
            return sittings[evening].setdefault(number, {"number": number, "tables": [], "sits_out": []})

        for table in DrawnTable.objects.filter(evening__club=self.club).order_by("sitting", "number"):
            tables[table.pk] = []
            drawn = {"number": table.number, "players": tables[table.pk]}
            sitting_of(table.evening_id, table.sitting)["tables"].append(drawn)
        seats = DrawnSeat.objects.filter(evening__club=self.club).order_by("sitting", "position", "player")
        for seat in seats:
            sits_out = sitting_of(seat.evening_id, seat.sitting)["sits_out"]
            here = sits_out if seat.table_id is None else tables[seat.table_id]
            here.append(self.players[seat.player_id])
        return defaultdict(
            list,
            {evening: [found[number] for number in sorted(found)] for evening, found in sittings.items()},
        )

    def _seasons(self) -> Iterator[dict[str, Any]]:
        histories = self._histories(Season, layout.SEASON_FIELDS)
        for number, season in enumerate(Season.objects.filter(club=self.club).order_by("pk"), start=1):
            values = {"number": number, **_values(season, layout.SEASON_FIELDS)}
            yield values | {
                "changed_after_close": _plain(season.changed_after_close),
                "history": histories[season.pk],
            }

    def _merges(self) -> Iterator[dict[str, Any]]:
        for merge in Merge.objects.filter(kept__club=self.club).order_by("pk"):
            yield {
                "kept": self.players[merge.kept_id],
                "merged": self.players[merge.merged_id],
                "moved": sorted(self.players[player] for player in merge.moved),
                "at": _plain(merge.at),
                "undone_at": _plain(merge.undone_at),
            }

    def _standings(self) -> Iterator[dict[str, Any]]:
        """Return each season's table; one that waits to be worked out anew has none that could be compared."""
        rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for row in Standing.objects.filter(season__club=self.club, season__stale=False).order_by("player"):
            counts = {name: getattr(row, name) for name in layout.STANDING_COUNTS}
            rows[row.season_id].append({"player": self.players[row.player_id], **counts, "points": row.points})
        seasons = Season.objects.filter(club=self.club).order_by("pk").values_list("pk", "stale")
        for number, (season, stale) in enumerate(seasons, start=1):
            if not stale:
                yield {"season": number, "rows": rows[season]}

    def _histories(self, model: type[models.Model], fields: Mapping[str, Any]) -> Mapping[int, list[dict[str, Any]]]:
        """Return what the rows of the club were set to, by their ids, the oldest first; not by whom (1 statement)."""
        history: Any = model
        own = {"id": self.club.pk} if model is Club else {"club": self.club.pk}
        found: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for row in history.history.filter(**own, history_type__in=["+", "~"]).order_by("history_id"):
            reason = {"reason": row.history_change_reason} if row.history_change_reason else {}
            change = {"at": _plain(row.history_date), "type": row.history_type, **reason}
            found[row.id].append(change | {"values": _values(row, fields)})
        return found

    # -- games ------------------------------------------------------------------------------------------------------

    def _games(self) -> Iterator[dict[str, Any]]:
        for place in range(0, len(self.games), _GAMES_AT_ONCE):
            yield from self._some_games(self.games[place : place + _GAMES_AT_ONCE])

    def _some_games(self, ids: Sequence[int]) -> Iterator[dict[str, Any]]:
        games = Game.objects.in_bulk(ids)
        seats, entries = defaultdict(list), defaultdict(list)
        for seat in Seat.objects.filter(game__in=ids).order_by("pk"):
            seats[seat.game_id].append(seat)
        told = Entry.objects.filter(game__in=ids).order_by("game", "version")
        for entry in told.select_related("user").only(*_ENTRY_FIELDS, "user__username"):
            entries[entry.game_id].append(entry)
        rounds = Round.objects.filter(game__in=ids).exclude(state=Round.State.SCORED).exclude(draft={})
        drafts = dict(rounds.values_list("game", "draft"))
        tables = {table.game_id: table for table in DrawnTable.objects.filter(game__in=ids, evening__club=self.club)}
        for pk in ids:
            self.entries += len(entries[pk])
            yield self._game(games[pk], seats[pk], entries[pk], drafts.get(pk), tables.get(pk))

    def _game(
        self,
        game: Game,
        seats: Sequence[Seat],
        entries: Sequence[Entry],
        draft: dict[str, Any] | None,
        table: DrawnTable | None,
    ) -> dict[str, Any]:
        numbers = layout.seat_numbers((entry.kind, entry.payload) for entry in entries)
        rows = {seat.pk: seat for seat in seats}
        other = Other(numbers, self.players, self.evenings, self._club_word)
        found: dict[str, Any] = {
            "number": self._game_number(game.pk),
            "started_at": _plain(game.started_at),
            "finished_at": _plain(game.finished_at),
            "night": _plain(game.night),
        }
        if before := self._game_number(game.rematch_of_id):
            found["rematch_of"] = before
        if table is not None:
            evening = self.evenings[table.evening_id]
            found["table"] = {"evening": evening, "sitting": table.sitting, "number": table.number}
        found["seats"] = [
            {"name": rows[seat].name, "total": rows[seat].total, "rank": rows[seat].rank} for seat in numbers
        ]
        if draft:
            found["draft"] = layout.DRAFT.mapped(draft, other)
        found["journal"] = [_entry(entry, other) for entry in entries]
        return found

    def _game_number(self, pk: int | None) -> int | None:
        """Return the number of a game, None of one that is not in the file."""
        if pk is None:
            return None
        place = bisect_left(self.games, pk)
        return place + 1 if place < len(self.games) and self.games[place] == pk else None

    def _club_word(self, club: int) -> str:
        return THIS if club == self.club.pk else OTHER


_ENTRY_FIELDS = ("game", "version", "kind", "payload", "via", "seat", "label", "at", "reason", "user")


def _entry(entry: Entry, other: Other) -> dict[str, Any]:
    """Return an entry as it stands in the file: who made it is a name and no account."""
    found: dict[str, Any] = {"kind": entry.kind, "at": _plain(entry.at), "via": entry.via}
    if by := _who(entry.label, entry.user):
        found["by"] = by
    if entry.seat_id is not None:
        found["seat"] = other.seats[entry.seat_id]
    if entry.reason:
        found["reason"] = entry.reason
    return found | {"payload": layout.KINDS[entry.kind].mapped(entry.payload, other)}


def _who(label: str, user: User | None) -> str:
    """Return the name of a link or else of an account; that of a deleted account is gone."""
    if label or user is None or user.is_deleted:
        return label
    return user.username


def _numbered(rows: models.QuerySet[Any]) -> dict[int, int]:
    return {pk: number for number, pk in enumerate(rows.order_by("pk").values_list("pk", flat=True), start=1)}


def _values(row: models.Model, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return these fields of a row, in the order of the layout."""
    return {name: _plain(shape.mapped(getattr(row, name), _NOBODY)) for name, shape in fields.items()}


#: For values without numbers of anything.
_NOBODY = Other({}, {}, {}, lambda club: club)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: moments in UTC with microseconds."""
    if isinstance(value, datetime):
        return moment_text(value)
    return value.isoformat() if isinstance(value, date) else value


def _list(name: str, items: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Return a list of the file, each item in a line of its own."""
    line = f'"{name}":['
    for number, item in enumerate(items):
        yield line if number == 0 else line + ","
        line = "\n" + _json(item)
    yield line + "],\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
