"""What stands in one cell: whole numbers, days, marks and names, as people and programs write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache
from zoneinfo import ZoneInfo

import rules
from scoresheets.imports.places import quoted
from scoresheets.names import tidy_name

Value = str | int | float | bool | datetime | date | None
"""A cell: always a text from a CSV file; a workbook knows numbers, marks and days as well."""

FIRST_YEAR = 1984
"""The year of the game's first edition: nothing was played before."""

_MOST_DIGITS = 9
_OFTEN = 60
"""Texts up to this length come again and again."""
_MINUS = str.maketrans(dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{NON-BREAKING HYPHEN}", "-"))
_DASHES = {"-", "--"}
_BLANKS = re.compile(r"[\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]+")
_PLAIN_NUMBER = re.compile(r"([+-]?)([0-9]+)")
_THOUSANDS = re.compile(r"([+-]?)([1-9][0-9]{0,2}(?:([.,' ’])[0-9]{3})(?:\3[0-9]{3})*)(?:[.,]0+)?")
_WITH_DECIMALS = re.compile(r"([+-]?)([0-9]+)[.,]([0-9]+)")

_MARKED = {"x", "1", "ja", "j", "yes", "y", "true", "wahr", "b", "blind", "✓", "✔", "✗", "✘"}
_UNMARKED = {"", "0", "nein", "no", "n", "false", "falsch"}


class Unreadable(ValueError):
    """Raised for a cell that cannot be read; `problem` has no place yet."""

    def __init__(self, problem: rules.Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def text_of(value: Value) -> str:
    """Return a cell as one line of text; "" if there is nothing in it.

    A formula's sign that an export has made harmless with an apostrophe gets its own form back.
    """
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value)
    return _tidy(text) if len(text) <= _OFTEN else _tidy.__wrapped__(text)


@lru_cache(maxsize=4096)
def _tidy(text: str) -> str:
    """Return a text as `text_of` does; the same names and days stand in many lines."""
    text = tidy_name(text)
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in "=+-@" else text


def is_empty(value: Value) -> bool:
    """Whether a cell says nothing: it is empty, or a lone dash."""
    if isinstance(value, str):
        return not value or (not value[0].isalnum() and text_of(value).translate(_MINUS) in {"", *_DASHES})
    return value is None


def whole_number(value: Value) -> int | None:
    """Return the whole number of a cell, None if there is none in it.

    Understood are signs (the real minus and the dash too), a decimal part of zeros ("12,0") and thousands in groups of
    three. Raises `Unreadable`: `number_not_whole`, `number_too_long`, `number_unreadable`.

    >>> [whole_number(text) for text in ("12", "−30", "+1.234", "12,0", " ")]
    [12, -30, 1234, 12, None]
    """
    if isinstance(value, str) and value.isascii() and len(value) <= _MOST_DIGITS and value.removeprefix("-").isdigit():
        return int(value)  # as nearly all are
    if type(value) is int:
        if abs(value) >= 10**_MOST_DIGITS:
            raise Unreadable(rules.Problem.of("number_too_long", most=_MOST_DIGITS))
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**_MOST_DIGITS:
        return int(value)
    if is_empty(value):
        return None
    if isinstance(value, float):
        if value.is_integer():
            raise Unreadable(rules.Problem.of("number_too_long", most=_MOST_DIGITS))
        raise Unreadable(rules.Problem.of("number_not_whole", typed=quoted(value)))
    if not isinstance(value, str):
        raise Unreadable(rules.Problem.of("number_unreadable", typed=quoted(value)))
    return _number_of(value)


def _number_of(typed: str) -> int:
    # Half a line is enough to see that it is no number; a longer one would only cost time.
    text = _BLANKS.sub(" ", typed[:100].translate(_MINUS)).strip().removeprefix("'")
    if re.match(r"[+-] ", text):
        text = text[0] + text[2:]
    if found := _PLAIN_NUMBER.fullmatch(text) if len(typed) <= 100 else None:
        sign, digits = found.groups()
    elif found := _THOUSANDS.fullmatch(text):
        sign, digits = found[1], re.sub(r"[^0-9]", "", found[2])
    elif found := _WITH_DECIMALS.fullmatch(text):
        sign, digits = found[1], found[2]
        if found[3].strip("0"):
            raise Unreadable(rules.Problem.of("number_not_whole", typed=quoted(typed)))
    elif re.fullmatch(r"[+-]?[0-9]{40,}", text):
        raise Unreadable(rules.Problem.of("number_too_long", most=_MOST_DIGITS))
    else:
        raise Unreadable(rules.Problem.of("number_unreadable", typed=quoted(typed)))
    if len(digits) > _MOST_DIGITS:
        raise Unreadable(rules.Problem.of("number_too_long", most=_MOST_DIGITS))
    return int(sign + digits)


def mark(value: Value) -> bool:
    """Return whether a cell is marked: "x", "ja", "yes", 1; nothing, "nein", "no" or 0 is unmarked.

    Raises `Unreadable` (`mark_unreadable`).
    """
    word = "" if is_empty(value) else text_of(value).casefold()
    if word in _MARKED:
        return True
    if word in _UNMARKED:
        return False
    raise Unreadable(rules.Problem.of("mark_unreadable", typed=quoted(value)))


@dataclass(frozen=True, slots=True)
class Moment:
    """When a game was played: a day, and the aware time if it is told."""

    day: date
    at: datetime | None = None


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "januar january jan jaenner jänner",
            "februar february feb feber",
            "märz march mar mrz maerz mär",
            "april apr",
            "mai may",
            "juni june jun",
            "juli july jul",
            "august aug",
            "september sept sep",
            "oktober october okt oct",
            "november nov",
            "dezember december dez dec",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAY = r"(?:[^\W\d_]{2,12}\.?,?\s+)?"
_TIME = r"(?:(?:T|,?\s+)(?:um\s+|at\s+)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)?(?:\s*(?:Uhr|h))?)?"
_ZONE = r"\s*(Z|[+-]\d{2}:?\d{2})?"
_ISO = re.compile(rf"(\d{{4}})-(\d{{1,2}})-(\d{{1,2}}){_TIME}{_ZONE}", re.ASCII)
_DOTTED = re.compile(rf"{_WEEKDAY}(\d{{1,2}})\.\s?(\d{{1,2}})\.\s?(\d{{4}}|\d{{2}}){_TIME}")
_DAY_IN_WORDS = re.compile(rf"{_WEEKDAY}(\d{{1,2}})\.?\s+([^\W\d_]+)\.?,?\s+(\d{{4}}|\d{{2}}){_TIME}")
_MONTH_FIRST = re.compile(rf"{_WEEKDAY}([^\W\d_]+)\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}}){_TIME}")
_SLASHED = re.compile(rf"(\d{{1,2}})/(\d{{1,2}})/(\d{{4}}|\d{{2}}){_TIME}")
_YEAR_FIRST = re.compile(rf"(\d{{4}})/(\d{{1,2}})/(\d{{1,2}}){_TIME}")


def moment_of(value: Value, *, now: datetime, time_zone: ZoneInfo) -> Moment | None:
    """Return the day and, if told, the time of a cell; None if there is none in it.

    Understood are 2025-12-24, 24.12.2025, 24.12.25, 24. Dezember 2025, December 24, 2025 and 24/12/2025, each with a
    time or without; midnight sharp is no time. Times without an offset are those of `time_zone`. A year of two digits
    is the one next to `now`. Raises `Unreadable`: `date_unreadable`, `date_ambiguous` (5/6/2025), `date_too_early`,
    `played_later` for what is after `now`.
    """
    if is_empty(value):
        return None
    moment = _moment_of(value, now=now, time_zone=time_zone)
    if moment.day.year < FIRST_YEAR:
        raise Unreadable(rules.Problem.of("date_too_early", typed=quoted(value), first=FIRST_YEAR))
    if moment.day > now.astimezone(time_zone).date() or (moment.at is not None and moment.at > now):
        raise Unreadable(rules.Problem.of("played_later"))
    return moment


def _moment_of(value: Value, *, now: datetime, time_zone: ZoneInfo) -> Moment:
    unreadable = Unreadable(rules.Problem.of("date_unreadable", typed=quoted(value)))
    if isinstance(value, datetime):
        return _with_time(value.date(), value.time(), value if value.tzinfo else None, time_zone)
    if isinstance(value, date):
        return Moment(value)
    if not isinstance(value, str) or len(value) > 100:
        raise unreadable
    text = tidy_name(value)
    if found := _ISO.fullmatch(text):
        year, month, day, *clock, zone = found.groups()
    elif found := _YEAR_FIRST.fullmatch(text):
        (year, month, day, *clock), zone = found.groups(), None
    elif found := _DOTTED.fullmatch(text):
        (day, month, year, *clock), zone = found.groups(), None
    elif found := _SLASHED.fullmatch(text):
        (day, month, year, *clock), zone = found.groups(), None
        day, month = _day_and_month(day, month, text)
    elif found := _DAY_IN_WORDS.fullmatch(text):
        (day, month, year, *clock), zone = found.groups(), None
    elif found := _MONTH_FIRST.fullmatch(text):
        (month, day, year, *clock), zone = found.groups(), None
    else:
        raise unreadable
    if not month.isdigit():
        month = str(_MONTHS.get(month.casefold(), 0))
    try:
        on = date(_year(year, now.astimezone(time_zone).year), int(month), int(day))
        hour, minute, second = (int(part or 0) for part in clock)
        clock_time = time(hour, minute, second)
        moved = datetime.fromisoformat(f"{on.isoformat()}T{clock_time.isoformat()}{zone}") if zone else None
    except ValueError:
        raise unreadable from None
    return _with_time(on, clock_time, moved, time_zone)


def _with_time(day: date, clock: time, moved: datetime | None, time_zone: ZoneInfo) -> Moment:
    """Return the moment of a day and time as written; `moved` is it with an offset, if one is told."""
    if moved is not None:
        try:
            local = moved.astimezone(time_zone)
        except OverflowError:  # the first or last day there is, in another time zone
            return Moment(day)
        return Moment(local.date(), local)
    # Programs that know days only write midnight behind them; the night would be that of the day before.
    return Moment(day) if clock == time(0) else Moment(day, datetime.combine(day, clock, tzinfo=time_zone))


def _year(written: str, this_year: int) -> int:
    if len(written) == 4:
        return int(written)
    recent = 2000 + int(written)
    return recent if recent <= this_year + 10 else recent - 100


def _day_and_month(first: str, second: str, text: str) -> tuple[str, str]:
    """Return day and month of a date with slashes, which some write day first and others month first."""
    if int(second) > 12:
        return second, first
    if int(first) <= 12 and int(first) != int(second):
        raise Unreadable(rules.Problem.of("date_ambiguous", typed=quoted(text)))
    return first, second
