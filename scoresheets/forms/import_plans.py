"""What becomes of a file in a club: whom its names mean, which games are recorded, which are left out and why.

A plan is worked out anew from the file, the club as it is and what was decided, each time it is shown or carried out.
Nothing is guessed silently: a name that is nobody's is decided by whoever imports, and a game that may be there already
is left out unless they say otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

from django.utils import timezone

import rules
from scoresheets.imports.places import at
from scoresheets.imports.plain import Choices, FoundFile, FoundGame, RefusedGame
from scoresheets.imports.reading import read
from scoresheets.models import Club, ImportedGame, Player
from scoresheets.models.games import night_of
from scoresheets.queries.clubs import near_among, plain_name
from scoresheets.queries.imports import Table, imported_keys, known_players, tables_of
from scoresheets.recording.imports import LeftOut, NewGame, NewPerson
from scoresheets.recording.names import folded
from scoresheets.recording.results import results_problems

Reason = ImportedGame.Reason
#: What is decided about a name: a player of the club, somebody new, a new guest, or somebody typed in beside.
PLAYER, NEW, GUEST, OTHER = "player", "new", "guest", "other"
#: What becomes of a game whose printed points are not what the rules say.
BY_RULES, LEAVE = "rules", "leave"
#: The rules that a sheet is measured by: those the club usually plays by, or the standard ones.
OF_CLUB, STANDARD = "club", "standard"
#: A form has two fields for each name, and a site takes only so many fields.
MOST_PEOPLE = 250


@dataclass(frozen=True, slots=True)
class Decisions:
    """What was decided about a file so far.

    `people` has a decision for each name (folded): "player:17", "new", "guest" or "other:" and a name; `again` are the
    keys of games that are recorded although the club may have them. `games`, `sheet`, `day` and `house` say how the
    file is read; `partly` that games which are refused do not keep the others from being recorded.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    again: frozenset[str] = frozenset()
    mismatches: str = BY_RULES
    partly: bool = False
    games: tuple[str, ...] | None = None
    sheet: str = ""
    day: date | None = None
    house: str = OF_CLUB

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Decisions:
        """Return what `stored` kept."""
        if not stored:
            return cls()
        return cls(
            people=dict(stored["people"]),
            again=frozenset(stored["again"]),
            mismatches=stored["mismatches"],
            partly=stored["partly"],
            games=None if stored["games"] is None else tuple(stored["games"]),
            sheet=stored["sheet"],
            day=stored["day"] and date.fromisoformat(stored["day"]),
            house=stored["house"],
        )

    def stored(self) -> dict[str, Any]:
        """Return the decisions as JSON can hold them; names are values, where anonymising finds them."""
        return {
            "people": [list(pair) for pair in self.people.items()],
            "again": sorted(self.again),
            "mismatches": self.mismatches,
            "partly": self.partly,
            "games": None if self.games is None else list(self.games),
            "sheet": self.sheet,
            "day": self.day and self.day.isoformat(),
            "house": self.house,
        }

    def reading(self, club: Club) -> Choices:
        """Return how the file is to be read."""
        house = club.house_rules if self.house == OF_CLUB else rules.HouseRules()
        games = None if self.games is None else frozenset(self.games)
        return Choices(house=house, day=self.day, games=games, sheet=self.sheet or None)


@dataclass(frozen=True, slots=True)
class Person:
    """A name in the file, in so many games, and who it is.

    `match` is the one player of the club who is called so, but for case, accents and doubled spaces; `near` are others
    who may be meant, `alike` other new names of the file that look like it. `choice` is what was decided, as in
    `Decisions.people` ("": nothing yet). It makes the name a `player` or somebody `new`, who goes by `new.name`; with
    neither the name is not settled, for the reason `wrong` where there is one.
    """

    name: str
    games: int
    match: Player | None = None
    near: tuple[Player, ...] = ()
    alike: tuple[str, ...] = ()
    choice: str = ""
    player: Player | None = None
    new: NewPerson | None = None
    wrong: rules.Problem | None = None

    @property
    def key(self) -> str:
        """What tells the name from the others of the file."""
        return folded(self.name)

    @property
    def is_settled(self) -> bool:
        """Whether it is known who this is."""
        return self.player is not None or self.new is not None

    @property
    def is_matched(self) -> bool:
        """Whether the name was found, and nobody has decided otherwise."""
        return self.match is not None and self.player == self.match


@dataclass(frozen=True, slots=True)
class Line:
    """A game of the file and what becomes of it: it is recorded, or left out for a `reason`.

    `twin` is the club's game that it seems to be, and `twin_row` the row of the one in the file. `wanted` says that
    such a game is recorded all the same. `problems` are those that make the reason `Reason.REFUSED`.
    """

    game: FoundGame
    night: date
    reason: str = ""
    twin: int | None = None
    twin_row: int | None = None
    wanted: bool = False
    problems: tuple[rules.Problem, ...] = ()

    @property
    def is_double(self) -> bool:
        """Whether it seems to be there already, or twice in the file."""
        return self.twin is not None or self.twin_row is not None

    @property
    def winners(self) -> list[str]:
        """The names of those who won, as the file has them."""
        return [name for name, rank in zip(self.game.names, self.game.ranks, strict=True) if rank == 1]

    @property
    def best(self) -> int:
        """The points of those who won."""
        return max(self.game.points)


class Plan:
    """A file in a club, with all that was decided. Nothing is written (at most 3 statements for 500 games)."""

    def __init__(self, club: Club, found: FoundFile, decisions: Decisions | None = None) -> None:
        self.club, self.found, self.decisions = club, found, decisions or Decisions()
        self.planned_at = timezone.now()
        self.people = self._people()
        self._by_key = {person.key: person for person in self.people}
        self.lines = list(self._lines())

    @classmethod
    def of_file(cls, club: Club, content: bytes, file_name: str, decisions: Decisions | None = None) -> Plan:
        """Return the plan of a file's bytes."""
        decisions = decisions or Decisions()
        found = read(
            content,
            file_name,
            now=timezone.now(),
            time_zone=club.time_zone,
            choices=decisions.reading(club),
        )
        return cls(club, found, decisions)

    # -- people -----------------------------------------------------------------------------------------------------

    def _people(self) -> list[Person]:
        counted: Counter[str] = Counter()
        names: dict[str, str] = {}
        for game in self.found.games:
            for name in game.names:
                counted[folded(name)] += 1
                names.setdefault(folded(name), name)
        if len(names) > MOST_PEOPLE:
            # Nothing is decided about so many: comparing each with all would only take its time.
            return [Person(name, counted[key]) for key, name in names.items()]
        known = _Known(self.club)
        people = [known.person(name, counted[key]) for key, name in names.items()]
        unknown = [(plain_name(person.name), person) for person in people if person.match is None]
        found = []
        for person in people:
            alike: tuple[str, ...] = ()
            if person.match is None:
                others = [pair for pair in unknown if pair[1] is not person]
                alike = tuple(other.name for other in near_among(others, person.name))
            found.append(self._decided(replace(person, alike=alike), known))
        return self._others_settled(found)

    def _decided(self, person: Person, known: _Known) -> Person:
        choice = self.decisions.people.get(person.key, "")
        kind, _colon, value = choice.partition(":")
        if not choice:
            return replace(person, player=person.match)
        if kind == PLAYER:
            player = known.by_id(value)
            return replace(person, choice=choice, player=player, wrong=None if player else _unknown(person.name))
        if kind == OTHER:
            player = known.called(value)
            return replace(person, choice=choice, player=player, wrong=None if player else _unknown(value))
        if known.called_exactly(person.name) is not None:
            taken = rules.Problem.of("player_name_taken", name=person.name)
            return replace(person, choice=choice, wrong=taken)
        return replace(person, choice=choice, new=NewPerson(person.name, kind == GUEST))

    def _others_settled(self, people: list[Person]) -> list[Person]:
        """Settle the names that are said to be another, new one of the file."""
        new = {person.key: person.new for person in people if person.new is not None}
        settled = []
        for person in people:
            kind, _colon, value = person.choice.partition(":")
            if kind == OTHER and person.player is None and folded(value) in new:
                person = replace(person, new=new[folded(value)], wrong=None)
            settled.append(person)
        return settled

    @cached_property
    def unsettled(self) -> list[Person]:
        """The names of which nobody has said yet whose they are."""
        return [person for person in self.people if not person.is_settled]

    @cached_property
    def new_people(self) -> list[NewPerson]:
        """Who is added to the club: those alone who sit in a game that is recorded."""
        seated = {who for game in self.new_games for who in game.players if isinstance(who, str)}
        found = {person.new.name: person.new for person in self.people if person.new is not None}
        return [person for name, person in found.items() if name in seated]

    # -- games ------------------------------------------------------------------------------------------------------

    def _lines(self) -> Iterator[Line]:
        games = self.found.games
        nights = [night_of(game.played_at, self.club.time_zone) for game in games]
        imported = imported_keys(self.club, {game.source for game in games})
        standing = tables_of(self.club, set(nights)) if games else {}
        seen: dict[Any, int] = {}
        for game, night in zip(games, nights, strict=True):
            line = Line(game, night, wanted=game.key in self.decisions.again)
            if problems := self._problems(game):
                yield replace(line, reason=Reason.REFUSED, problems=problems)
                continue
            at_table = (night, self._table(game))
            twin = imported.get(game.source) or standing.get(at_table)
            first = seen.get(game.source) if game.source in seen else seen.get(at_table)
            reason = ""
            if game.source in imported:
                reason = Reason.IMPORTED_BEFORE
            elif twin is not None:
                reason = Reason.STANDS
            elif first is not None:
                reason = Reason.TWICE
            line = replace(line, twin=twin, twin_row=first, reason="" if line.wanted else reason)
            seen.setdefault(game.source, game.row)
            seen.setdefault(at_table, game.row)
            if game.warnings and self.decisions.mismatches == LEAVE and not line.reason:
                line = replace(line, reason=Reason.MISMATCH)
            yield line

    def _who(self, name: str) -> int | str | None:
        """Return a player's id, the name of somebody new, or None while it is not settled."""
        person = self._by_key[folded(name)]
        if person.player is not None:
            return person.player.pk
        return person.new.name if person.new is not None else None

    def _called(self, name: str) -> str:
        """Return the name that the sheet will carry."""
        person = self._by_key[folded(name)]
        if person.player is not None:
            return person.player.name
        return person.new.name if person.new is not None else name

    def _table(self, game: FoundGame) -> Table:
        who = (self._who(name) or name for name in game.names)
        return frozenset(zip(who, game.points, strict=True))

    def _problems(self, game: FoundGame) -> tuple[rules.Problem, ...]:
        """Return why a game that was read well cannot be recorded in this club as it was decided."""
        who = [self._who(name) for name in game.names]
        problems = [
            at(rules.Problem.of("player_twice", place, name=self._called(name)), game.row)
            for place, name in enumerate(game.names)
            if who[place] is not None and who[place] in who[:place]
        ]
        if not problems and not game.is_sheet:
            names = [self._called(name) for name in game.names]
            found = results_problems(names, game.points, played_at=game.played_at)
            problems = [at(problem, game.row) for problem in found]
        return tuple(problems)

    @cached_property
    def refused(self) -> list[RefusedGame]:
        """The games that cannot be recorded, with every reason, in the order of the file."""
        here = [
            RefusedGame(line.game.key, line.game.row, line.problems, line.game.names, line.game.day)
            for line in self.lines
            if line.reason == Reason.REFUSED
        ]
        return sorted((*self.found.refused, *here), key=lambda game: game.row)

    @cached_property
    def doubles(self) -> list[Line]:
        """The games that seem to be there already, or twice in the file."""
        return [line for line in self.lines if line.is_double and line.reason != Reason.REFUSED]

    @cached_property
    def mismatched(self) -> list[Line]:
        """The games whose printed points, places or dealers are not what the rules say."""
        return [line for line in self.lines if line.game.warnings]

    @cached_property
    def taken(self) -> list[Line]:
        """The games to be recorded."""
        return [line for line in self.lines if not line.reason]

    @property
    def has_too_many_people(self) -> bool:
        """Whether there are more names than can be decided about."""
        return len(self.people) > MOST_PEOPLE

    # -- carrying it out --------------------------------------------------------------------------------------------

    @property
    def obstacles(self) -> list[rules.Problem]:
        """What keeps the plan from being carried out as it was decided."""
        if self.found.problems:
            return list(self.found.problems)
        found = []
        if self.has_too_many_people:
            found.append(rules.Problem.of("too_many_people", people=len(self.people), most=MOST_PEOPLE))
        elif self.unsettled:
            found.append(rules.Problem.of("people_unsettled", people=len(self.unsettled)))
        if self.refused and self.taken and not self.decisions.partly:
            found.append(rules.Problem.of("games_refused", games=len(self.refused)))
        if not self.taken:
            found.append(rules.Problem.of("nothing_to_import"))
        return found

    @cached_property
    def new_games(self) -> list[NewGame]:
        """The games to be recorded, as `recording.begin_import` takes them; every name has to be settled."""
        return [self._new_game(line.game) for line in self.taken]

    def _new_game(self, game: FoundGame) -> NewGame:
        players = [who for who in map(self._who, game.names) if who is not None]
        return NewGame(
            row=game.row,
            key=game.source,
            played_at=game.played_at,
            names=tuple(self._called(name) for name in game.names),
            players=tuple(players),
            points=game.points,
            rounds=game.rounds,
            house=replace(self.decisions.reading(self.club).house, **game.house),
            first_dealer=game.first_dealer,
            ladder=game.ladder,
            cards=game.cards if game.ladder == "free" else None,
            notes=game.warnings,
        )

    @property
    def left_out(self) -> list[LeftOut]:
        """The games that are not recorded, as `recording.begin_import` notes them."""
        lines = [
            LeftOut(
                line.game.row, line.game.source, line.reason, line.game.played_at, line.problems or line.game.warnings
            )
            for line in self.lines
            if line.reason
        ]
        return lines + [LeftOut(game.row, "", Reason.REFUSED, None, game.problems) for game in self.found.refused]


def _unknown(name: str) -> rules.Problem:
    return rules.Problem.of("name_unknown", name=name)


class _Known:
    """Whom a club knows, by name and id: the roster first, then the archive and those merged into somebody else."""

    def __init__(self, club: Club) -> None:
        known = known_players(club)
        self._roster = [player for player in known if player.is_canonical and player.archived_at is None]
        self._others = [player for player in known if not player.is_canonical or player.archived_at is not None]
        self._ids = {str(player.pk): player.canonical for player in known}
        self._plain = [(plain_name(player.name), player) for player in self._roster]
        self._exact = {folded(player.name): player for player in self._roster}

    def person(self, name: str, games: int) -> Person:
        """Return a name of the file with the players it may be."""
        match = self.called(name)
        if match is not None:
            return Person(name, games, match)
        plain = plain_name(name).replace(" ", "")
        # Somebody who was merged, or has left, under the very same name.
        former = [player.canonical for player in self._others if plain_name(player.name).replace(" ", "") == plain]
        near = dict.fromkeys((*former, *near_among(self._plain, name)))
        return Person(name, games, None, tuple(near))

    def by_id(self, text: str) -> Player | None:
        """Return whom a player's id stands for, None if it is none of the club's."""
        return self._ids.get(text)

    def called_exactly(self, name: str) -> Player | None:
        """Return who on the roster has this name but for case."""
        return self._exact.get(folded(name))

    def called(self, name: str) -> Player | None:
        """Return the one player on the roster of this name, but for case, accents and doubled spaces."""
        exact = self.called_exactly(name)
        if exact is not None:
            return exact
        wanted = plain_name(name)
        alike = [player for plain, player in self._plain if wanted and plain == wanted]
        return alike[0] if len(alike) == 1 else None
