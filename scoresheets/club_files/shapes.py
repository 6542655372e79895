"""Shapes of the values in a club's file.

A shape checks a value, says in JSON Schema what it is, and puts the other side's numbers into it: the file counts
seats, players and evenings from 1, the database has ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

import rules

#: So many problems of one file are told; the others are counted.
MOST_PROBLEMS = 100
#: Days of another time are mistyped.
FIRST_YEAR, LAST_YEAR = 1900, 2099
#: The most that the columns of either database hold.
MOST_WHOLE = 2**31 - 1
#: The largest round from which a house rule can bind.
MOST_RULE = 1000
#: How much of something unknown is told.
_SHOWN = 40


class FileProblem(NamedTuple):
    """One thing that is wrong with a file, and where: a path such as `$.games[3].seats[0].name`."""

    path: str
    problem: rules.Problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem.message}"


@dataclass(slots=True)
class Look:
    """What is found while a file is looked at, and what its values are measured by.

    `players` and `evenings` say how many the file has, `seats` how many the game has that is looked at.
    """

    now: datetime
    players: int = 0
    evenings: int = 0
    seats: int = 0
    problems: list[FileProblem] = field(default_factory=list)
    left_out: int = 0

    def add(self, path: str, problem: rules.Problem) -> None:
        """Note a problem; beyond `MOST_PROBLEMS` it is only counted."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(FileProblem(path, problem))
        else:
            self.left_out += 1

    def refuse(self, path: str, code: str, **params: int | str) -> None:
        """Note a problem with this code."""
        self.add(path, rules.Problem.of(code, **params))

    @property
    def found(self) -> int:
        """How many problems were found so far."""
        return len(self.problems) + self.left_out


class Other(NamedTuple):
    """What stands on the other side for a number: ids for those of the file, or the other way round."""

    seats: Mapping[int, int]
    players: Mapping[int, int]
    evenings: Mapping[int, int]
    club: Callable[[Any], Any]


class _LeftOut:
    """Stands for a value that the other side does not have."""


LEFT_OUT = _LeftOut()


class Shape:
    """Any value at all; the shapes below say more."""

    def check(self, value: Any, path: str, look: Look) -> None:
        """Note all that is wrong with a value."""

    def mapped(self, value: Any, other: Other) -> Any:
        """Return the value with the other side's numbers, its parts in the order of the layout."""
        return value

    @property
    def schema(self) -> dict[str, Any]:
        """What the value is, in JSON Schema."""
        return {}


@dataclass(frozen=True, slots=True)
class Whole(Shape):
    """A whole number, both bounds included."""

    least: int = 0
    most: int = MOST_WHOLE

    def check(self, value: Any, path: str, look: Look) -> None:
        if type(value) is not int:
            look.refuse(path, "club_file_type", expected="number")
        elif not self.least <= value <= self.most:
            look.refuse(path, "club_file_range", least=self.least, most=self.most)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, slots=True)
class Text(Shape):
    """A text of some length; one that has to say something has a character that is no space."""

    most: int
    says_something: bool = False

    def check(self, value: Any, path: str, look: Look) -> None:
        if not isinstance(value, str):
            look.refuse(path, "club_file_type", expected="text")
        elif len(value) > self.most:
            look.refuse(path, "club_file_length", most=self.most)
        elif "\0" in value:
            look.refuse(path, "club_file_characters")
        elif self.says_something and not value.strip():
            look.refuse(path, "club_file_blank")

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.most} | ({"pattern": r"\S"} if self.says_something else {})


@dataclass(frozen=True, slots=True)
class Yes(Shape):
    """True or false."""

    def check(self, value: Any, path: str, look: Look) -> None:
        if type(value) is not bool:
            look.refuse(path, "club_file_type", expected="yes_no")

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Choice(Shape):
    """One of some texts."""

    values: Sequence[str]

    def check(self, value: Any, path: str, look: Look) -> None:
        if not isinstance(value, str) or value not in self.values:
            look.refuse(path, "club_file_choice", value=_shown(value))

    @property
    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.values)}


@dataclass(frozen=True, slots=True)
class Moment(Shape):
    """A moment as `moment_text` writes it, not still to come unless it `may_come`."""

    may_come: bool = False

    def check(self, value: Any, path: str, look: Look) -> None:
        moment = moment_of(value)
        if moment is None:
            look.refuse(path, "club_file_type", expected="moment")
        elif not FIRST_YEAR <= moment.year <= LAST_YEAR:
            look.refuse(path, "club_file_year", first=FIRST_YEAR, last=LAST_YEAR)
        elif moment > look.now and not self.may_come:
            look.refuse(path, "club_file_later")

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"}


@dataclass(frozen=True, slots=True)
class Day(Shape):
    """A day: `2026-03-01`."""

    def check(self, value: Any, path: str, look: Look) -> None:
        day = day_of(value)
        if day is None:
            look.refuse(path, "club_file_type", expected="day")
        elif not FIRST_YEAR <= day.year <= LAST_YEAR:
            look.refuse(path, "club_file_year", first=FIRST_YEAR, last=LAST_YEAR)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}


@dataclass(frozen=True, slots=True)
class Maybe(Shape):
    """A value of another shape, or null."""

    shape: Shape

    def check(self, value: Any, path: str, look: Look) -> None:
        if value is not None:
            self.shape.check(value, path, look)

    def mapped(self, value: Any, other: Other) -> Any:
        return None if value is None else self.shape.mapped(value, other)

    @property
    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.shape.schema, {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Many(Shape):
    """A list of values of one shape."""

    shape: Shape
    least: int = 0
    most: int = 1000

    def check(self, value: Any, path: str, look: Look) -> None:
        if not isinstance(value, list):
            look.refuse(path, "club_file_type", expected="list")
        elif not self.least <= len(value) <= self.most:
            look.refuse(path, "club_file_count", least=self.least, most=self.most)
        else:
            for place, item in enumerate(value):
                self.shape.check(item, f"{path}[{place}]", look)

    def mapped(self, value: Any, other: Other) -> Any:
        return [self.shape.mapped(item, other) for item in value]

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.shape.schema, "minItems": self.least, "maxItems": self.most}


@dataclass(frozen=True, slots=True)
class Thing(Shape):
    """An object with these names, in this order, and no others; those of `optional` may be left out."""

    fields: Mapping[str, Shape]
    optional: frozenset[str] = frozenset()

    def check(self, value: Any, path: str, look: Look) -> None:
        if not isinstance(value, dict):
            look.refuse(path, "club_file_type", expected="object")
            return
        for name in value:
            if name not in self.fields:
                look.refuse(path, "club_file_name_unknown", name=_shown(name))
        for name, shape in self.fields.items():
            if name in value:
                shape.check(value[name], f"{path}.{name}", look)
            elif name not in self.optional:
                look.refuse(path, "club_file_name_missing", name=name)

    def mapped(self, value: Any, other: Other) -> Any:
        if unknown := set(value) - set(self.fields):
            raise ValueError(f"the layout of the file has no place for {sorted(unknown)}")
        found = {name: shape.mapped(value[name], other) for name, shape in self.fields.items() if name in value}
        return {name: inner for name, inner in found.items() if inner is not LEFT_OUT}

    @property
    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: shape.schema for name, shape in self.fields.items()},
            "required": [name for name in self.fields if name not in self.optional],
            "additionalProperties": False,
        }


# -- what is counted ------------------------------------------------------------------------------------------------


class SeatNumber(Shape):
    """A seat of the game: its place, from 1, in the game's `seats`."""

    def check(self, value: Any, path: str, look: Look) -> None:
        _check_number(value, path, look, look.seats, "seat")

    def mapped(self, value: Any, other: Other) -> Any:
        return other.seats[value]

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": 1}


class PlayerNumber(Shape):
    """A player of the file."""

    def check(self, value: Any, path: str, look: Look) -> None:
        _check_number(value, path, look, look.players, "player")

    def mapped(self, value: Any, other: Other) -> Any:
        return other.players.get(value, LEFT_OUT)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": 1}


class EveningNumber(Shape):
    """An evening of the file."""

    def check(self, value: Any, path: str, look: Look) -> None:
        _check_number(value, path, look, look.evenings, "evening")

    def mapped(self, value: Any, other: Other) -> Any:
        return other.evenings.get(value, LEFT_OUT)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": 1}


class ClubWord(Shape):
    """Which club: `this` one, an `other` one that the file does not know, or null for none."""

    def check(self, value: Any, path: str, look: Look) -> None:
        if value is not None and value not in (THIS, OTHER):
            look.refuse(path, "club_file_choice", value=_shown(value))

    def mapped(self, value: Any, other: Other) -> Any:
        return None if value is None else other.club(value)

    @property
    def schema(self) -> dict[str, Any]:
        return {"enum": [THIS, OTHER, None]}


THIS, OTHER = "this", "other"


@dataclass(frozen=True, slots=True)
class BySeat(Shape):
    """An object with values by seat, the seat's number as a text; in order of these numbers."""

    shape: Shape

    def check(self, value: Any, path: str, look: Look) -> None:
        if not isinstance(value, dict):
            look.refuse(path, "club_file_type", expected="object")
            return
        for name, inner in value.items():
            if not re.fullmatch(r"[1-9]\d?", name, re.ASCII) or int(name) > look.seats:
                look.refuse(path, "club_file_unknown", what="seat", number=_shown(name))
            self.shape.check(inner, f"{path}.{_shown(name)}", look)

    def mapped(self, value: Any, other: Other) -> Any:
        found = {other.seats[int(seat)]: self.shape.mapped(inner, other) for seat, inner in value.items()}
        return {str(seat): found[seat] for seat in sorted(found) if found[seat] is not LEFT_OUT}

    @property
    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "propertyNames": {"pattern": r"^[1-9]\d?$"},
            "additionalProperties": self.shape.schema,
        }


class House(Shape):
    """House rules, as `rules.HouseRules` maps them; what is left out is as usual."""

    def check(self, value: Any, path: str, look: Look) -> None:
        if not isinstance(value, dict):
            look.refuse(path, "club_file_type", expected="object")
            return
        try:
            house = rules.HouseRules.from_mapping(value)
        except rules.RulesError as refused:
            problems: Sequence[rules.Problem] = refused.problems
        else:
            problems = rules.house_rules_problems(house)
            if house.plus_minus_one_from > MOST_RULE:
                look.refuse(f"{path}.plus_minus_one_from", "club_file_range", least=1, most=MOST_RULE)
        for problem in problems:
            look.add(path, problem)

    def mapped(self, value: Any, other: Other) -> Any:
        return rules.HouseRules.from_mapping(value).to_mapping()

    @property
    def schema(self) -> dict[str, Any]:
        kinds: dict[type, dict[str, Any]] = {
            bool: {"type": "boolean"},
            int: {"type": "integer", "minimum": 1, "maximum": MOST_RULE},
            str: {"type": "string"},
            list: {"type": "array", "items": {"type": "string"}},
        }
        usual = rules.HouseRules().to_mapping()
        return {
            "type": "object",
            "properties": {name: kinds[type(value)] for name, value in usual.items()},
            "additionalProperties": False,
        }


def _check_number(value: Any, path: str, look: Look, count: int, what: str) -> None:
    if type(value) is not int:
        look.refuse(path, "club_file_type", expected="number")
    elif not 1 <= value <= count:
        look.refuse(path, "club_file_unknown", what=what, number=_shown(value))


def _shown(value: Any) -> str:
    """Return a value as it is told: no more of it than fits into a sentence."""
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


# -- days and moments -----------------------------------------------------------------------------------------------


def moment_text(moment: datetime) -> str:
    """Return a moment as files have it: UTC, with microseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment_of(value: Any) -> datetime | None:
    """Return the moment that `moment_text` wrote, None for anything else."""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", value, re.ASCII):
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def day_of(value: Any) -> date | None:
    """Return the day that its ISO text says, None for anything else."""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None
