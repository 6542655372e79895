"""All that can be wrong with a club's file, found without writing anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, BinaryIO

from django.utils import timezone

import rules
from scoresheets.club_files import layout
from scoresheets.club_files.reading import JsonFile, Unreadable
from scoresheets.club_files.shapes import THIS, FileProblem, Look
from scoresheets.recording.club_files.journals import Impossible, played, seats_of
from scoresheets.recording.clubs import ClubSettings
from scoresheets.recording.journal import ReplayedGame
from scoresheets.recording.names import folded, name_problems
from scoresheets.recording.seasons import SeasonSettings

Value = dict[str, Any]
#: While players are read, how many there are is not known yet.
_ANY_NUMBER = 10**9


class ClubFileError(Exception):
    """A file that no club can be made of: every problem found, the first ones of very many; nothing was written."""

    def __init__(self, problems: Sequence[FileProblem], left_out: int = 0) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)
        self.left_out = left_out


@dataclass(slots=True)
class Preview:
    """What a file would bring: the club's name, and how many there are of everything; nights None without a game."""

    name: str = ""
    players: int = 0
    evenings: int = 0
    seasons: int = 0
    games: int = 0
    entries: int = 0
    first_night: date | None = None
    last_night: date | None = None


def look_at(file: BinaryIO, *, most_bytes: int) -> Preview:
    """Check a whole file, from where it stands, and return what it would bring.

    Every journal is played forward, and the points and ranks that follow are compared with those of the file. No more
    is in memory than a game and the numbers of the others. Raises `ClubFileError`.
    """
    check = _Check(Look(timezone.now()))
    try:
        check.read(JsonFile(file, most_bytes=most_bytes))
    except Unreadable as unreadable:
        raise ClubFileError([*check.look.problems, unreadable.problem], check.look.left_out) from None
    if check.look.found:
        raise ClubFileError(check.look.problems, check.look.left_out)
    return check.preview


def sections(file: JsonFile) -> Iterator[str]:
    """Return the names of a club's file as they come; take the value of each before the next.

    Raises `Unreadable` where the file is none of a club, of another version, or out of order.
    """
    expected = iter(layout.SECTIONS)
    for name in file.members():
        due = next(expected, None)
        if due == "format" and name != due:
            raise Unreadable("$", "club_file_format")
        if name != due:
            raise Unreadable("$", "club_file_order", name=due or "}")
        if name == "format":
            if file.value() != layout.FORMAT:
                raise Unreadable("$.format", "club_file_format")
        elif name == "version":
            version = file.value()
            if type(version) is not int or version != layout.VERSION:
                raise Unreadable("$.version", "club_file_version", version=str(version)[:20], known=layout.VERSION)
        else:
            yield name
    if due := next(expected, None):
        raise Unreadable("$", "club_file_format" if due == "format" else "club_file_order", name=due)


@dataclass(slots=True)
class _Check:
    """Looks at one file from the front, and knows of what is behind what the rest refers to.

    `canonical` is whom each player stands for, by number; `tables` are those drawn, by evening, sitting and number.
    """

    look: Look
    preview: Preview = field(default_factory=Preview)
    canonical: dict[int, int] = field(default_factory=dict)
    tables: set[tuple[int, int, int]] = field(default_factory=set)
    rematches: set[int] = field(default_factory=set)

    def read(self, file: JsonFile) -> None:
        for name in sections(file):
            if name in ("club", "check"):
                (self._club if name == "club" else self._totals)(file.value())
            else:
                self._list(name, file)

    def _list(self, name: str, file: JsonFile) -> None:
        """Check each item of a list by its shape and, if that is right, by what it says; then some of them together."""
        shape, check = {
            "players": (layout.PLAYER, self._player),
            "evenings": (layout.EVENING, self._evening),
            "seasons": (layout.SEASON, self._season),
            "merges": (layout.MERGE, self._merge),
            "games": (layout.GAME, self._game),
        }[name]
        together = {"players": self._roster, "evenings": self._calendar}.get(name)
        kept: list[Value] = []
        count = 0
        if together is not None:
            setattr(self.look, name, _ANY_NUMBER)
        for count, item in enumerate(file.items(), start=1):
            path, before = f"$.{name}[{count - 1}]", self.look.found
            self.look.seats = _seats_in(item)
            shape.check(item, path, self.look)
            if self.look.found > before:
                continue
            if item.get("number", count) != count:
                self.look.refuse(f"{path}.number", "club_file_number", expected=count)
            check(item, path)
            if together is not None:
                kept.append(item)
        if name != "merges":
            setattr(self.preview, name, count)
        if together is not None:
            setattr(self.look, name, count)
            if len(kept) == count:
                together(kept)

    # -- people and calendar ----------------------------------------------------------------------------------------

    def _club(self, club: Any) -> None:
        before = self.look.found
        layout.CLUB.check(club, "$.club", self.look)
        if self.look.found == before:
            self.preview.name = club["name"]
            for problem in ClubSettings(club["name"], time_zone=club["time_zone"]).problems:
                self.look.add("$.club", problem)

    def _player(self, player: Value, path: str) -> None:
        self.canonical[player["number"]] = player["merged_into"] if "merged_into" in player else player["number"]

    def _roster(self, players: Sequence[Value]) -> None:
        """Check what several players say together: whom duplicates stand for, and that names are told apart."""
        names: dict[str, str] = {}
        for place, player in enumerate(players):
            path, number = f"$.players[{place}]", player["number"]
            into = player.get("merged_into")
            if into is not None and (into == number or self.canonical.get(into) != into):
                self.look.refuse(f"{path}.merged_into", "club_file_unknown", what="player", number=str(into))
            elif into is None and player["archived_at"] is None:
                if (key := folded(player["name"])) in names:
                    self.look.add(f"{path}.name", rules.Problem.of("player_name_taken", name=names[key]))
                names.setdefault(key, player["name"])

    def _evening(self, evening: Value, path: str) -> None:
        here = [row["player"] for row in evening["attendance"]]
        if len(set(here)) < len(here):
            self.look.refuse(f"{path}.attendance", "club_file_repeated")
        for place, row in enumerate(evening["attendance"]):
            if (row["answer"] == "") != (row["answered_at"] is None):
                self.look.refuse(f"{path}.attendance[{place}].answered_at", "club_file_contradicts")
        if evening["closed_at"] is not None and evening["opened_at"] is None:
            self.look.refuse(f"{path}.closed_at", "club_file_contradicts")
        numbers = [sitting["number"] for sitting in evening["sittings"]]
        if len(set(numbers)) < len(numbers):
            self.look.refuse(f"{path}.sittings", "club_file_repeated")
        for place, sitting in enumerate(evening["sittings"]):
            drawn = [player for table in sitting["tables"] for player in table["players"]] + sitting["sits_out"]
            tables = [table["number"] for table in sitting["tables"]]
            if len(set(drawn)) < len(drawn) or len(set(tables)) < len(tables):
                self.look.refuse(f"{path}.sittings[{place}]", "club_file_repeated")
            self.tables.update((evening["number"], sitting["number"], table) for table in tables)

    def _calendar(self, evenings: Sequence[Value]) -> None:
        """Check that no two evenings are open."""
        is_open = [
            place
            for place, evening in enumerate(evenings)
            if evening["opened_at"] and not (evening["closed_at"] or evening["cancelled_at"])
        ]
        for place in is_open[1:]:
            self.look.refuse(f"$.evenings[{place}].closed_at", "club_file_contradicts")

    def _season(self, season: Value, path: str) -> None:
        league = rules.LeagueRules(
            formula=season["formula"],
            place_points=tuple(season["place_points"]),
            best=season["best"],
            best_of=season["best_of"],
            fewest_games=season["fewest_games"],
            tie_rule=season["tie_rule"],
        )
        settings = SeasonSettings(
            season["name"],
            date.fromisoformat(season["starts_on"]),
            date.fromisoformat(season["ends_on"]) if season["ends_on"] else None,
            league,
            tuple(season["editions"]),
            season["guests"],
            season["only_evenings"],
        )
        for problem in settings.problems:
            self.look.add(path, problem)

    def _merge(self, merge: Value, path: str) -> None:
        if merge["merged"] not in merge["moved"] or merge["kept"] in merge["moved"]:
            self.look.refuse(f"{path}.moved", "club_file_contradicts")
        stand = self.canonical.get(merge["merged"]) != merge["merged"]
        if merge["undone_at"] is None and not stand:
            self.look.refuse(f"{path}.undone_at", "club_file_contradicts")

    # -- games ------------------------------------------------------------------------------------------------------

    def _game(self, game: Value, path: str) -> None:
        self.preview.entries += len(game["journal"])
        night = date.fromisoformat(game["night"])
        self.preview.first_night = min(self.preview.first_night or night, night)
        self.preview.last_night = max(self.preview.last_night or night, night)
        self._check_references(game, path)
        names = [seat["name"] for seat in game["seats"]]
        for problem in name_problems(names):
            self.look.add(f"{path}.seats", problem)
        numbers = layout.seat_numbers((entry["kind"], entry["payload"]) for entry in game["journal"])
        if list(numbers.items()) != [(number, number) for number in range(1, len(names) + 1)]:
            self.look.refuse(f"{path}.seats", "club_file_seats")
            return
        try:
            told = played(game["journal"])
        except Impossible as impossible:
            self._cannot_be(impossible, f"{path}.journal[{impossible.version - 1}]")
            return
        self._check_told(game, told, path)

    def _cannot_be(self, impossible: Impossible, path: str) -> None:
        for problem in impossible.problems:
            self.look.add(path, problem)
        if not impossible.problems:
            self.look.refuse(path, "club_file_journal", version=impossible.version)

    def _check_references(self, game: Value, path: str) -> None:
        before = game.get("rematch_of")
        if before is not None:
            if before >= game["number"]:
                self.look.refuse(f"{path}.rematch_of", "club_file_unknown", what="game", number=str(before))
            elif before in self.rematches:
                self.look.refuse(f"{path}.rematch_of", "club_file_repeated")
            self.rematches.add(before)
        if "table" in game:
            table = (game["table"]["evening"], game["table"]["sitting"], game["table"]["number"])
            if table not in self.tables:
                self.look.refuse(f"{path}.table", "club_file_unknown", what="table", number=str(table[2]))
            self.tables.discard(table)

    def _check_told(self, game: Value, told: ReplayedGame, path: str) -> None:
        """Compare a game with what its journal tells."""
        is_finished = told.state == "finished"
        # Clubs, players and evenings are called as the file calls them.
        club: Any = told.club
        if club != THIS:
            self.look.refuse(f"{path}.journal", "club_file_not_here")
        if (told.night is not None and told.night.isoformat() != game["night"]) or (
            is_finished != (game["finished_at"] is not None)
        ):
            self.look.refuse(path, "club_file_contradicts")
        people = [self.canonical.get(player, player) for player in told.players.values()]
        if len(set(people)) < len(people):
            self.look.refuse(f"{path}.journal", "club_file_repeated")
        if "draft" in game and not _can_be_draft(game["draft"], told):
            self.look.refuse(f"{path}.draft", "club_file_contradicts")
        seats = dict(zip(told.seats, seats_of(told, [seat["name"] for seat in game["seats"]]), strict=True))
        for number, seat in enumerate(game["seats"], start=1):
            computed = seats[number]
            for name, value in (("total", computed.total), ("rank", computed.rank)):
                if seat[name] != value:
                    place = f"{path}.seats[{number - 1}].{name}"
                    self.look.refuse(place, "club_file_differs", told=seat[name], computed=value)

    def _totals(self, check: Any) -> None:
        layout.CHECK.check(check, "$.check", self.look)
        if self.look.found:
            return  # games that could not be read were not counted
        for name in ("games", "entries"):
            if check[name] != (computed := getattr(self.preview, name)):
                self.look.refuse(f"$.check.{name}", "club_file_differs", told=check[name], computed=computed)
        seasons = [table["season"] for table in check["standings"]]
        if len(set(seasons)) < len(seasons):
            self.look.refuse("$.check.standings", "club_file_repeated")
        for place, season in enumerate(seasons):
            if season > self.preview.seasons:
                path = f"$.check.standings[{place}].season"
                self.look.refuse(path, "club_file_unknown", what="season", number=str(season))


def _seats_in(item: Any) -> int:
    """Return how many seats a game of the file has, 0 where that cannot be said."""
    seats = item.get("seats") if isinstance(item, dict) else None
    return len(seats) if isinstance(seats, list) else 0


def _can_be_draft(draft: Mapping[str, Any], told: ReplayedGame) -> bool:
    """Say whether these values can be half-entered: a round is open, and coins lie for those who play it."""
    if told.state == "finished" or told.detail == "results":
        return False
    coins = draft.get("coins", [])
    bombs = rules.count_of(told.house, "BOMB")
    return (
        len(coins) <= told.rounds[-1].cards
        and set(coins) - {None} <= set(told.playing)
        and coins.count(None) <= bombs
        and (not coins or told.state == "playing" or told.house.secret_bids)
    )
