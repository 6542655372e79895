"""What stands where in a club's file: each part's shape, and the payload of each kind of journal entry.

Version 1 stays readable for good: what comes later is added as an optional name, or makes another version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import rules
from scoresheets.club_files.shapes import (
    BySeat,
    Choice,
    ClubWord,
    Day,
    EveningNumber,
    House,
    Look,
    Many,
    Maybe,
    Moment,
    Other,
    PlayerNumber,
    SeatNumber,
    Shape,
    Text,
    Thing,
    Whole,
    Yes,
)
from scoresheets.models import Attendance, Club, Entry, Round, Season
from scoresheets.models.games import (
    MOST_ADJUSTMENT,
    MOST_CARDS,
    MOST_PEOPLE,
    MOST_SEATS,
    MOST_STARTING,
    NAME_LENGTH,
    REASON_LENGTH,
    Via,
)
from scoresheets.models.leagues import NOTE_LENGTH, PLACE_LENGTH, SEASON_NAME_LENGTH
from scoresheets.models.people import CLUB_NAME_LENGTH, LADDERS_OF_CLUBS, MOST_HOURS

FORMAT, VERSION = "tafelrunde-club", 1
#: The names of the file, in their order.
SECTIONS = ("format", "version", "club", "players", "evenings", "seasons", "merges", "games", "check")

MOST_ROUNDS = 100
MOST_ENTRIES = 10_000
MOST_SITTINGS = 100
MOST_TABLES = 100
#: A column for small numbers holds so much.
MOST_SMALL = 2**15 - 1
_PAST = Moment()
_CARDS = Whole(0, MOST_CARDS)


def thing(fields: Mapping[str, Shape], *optional: str) -> Thing:
    """Return the shape of an object; the names that are `optional` are left out where they say nothing."""
    return Thing(MappingProxyType(dict(fields)), frozenset(optional))


# -- the club, its people and its calendar --------------------------------------------------------------------------

CLUB_FIELDS: Mapping[str, Shape] = {
    "name": Text(CLUB_NAME_LENGTH, says_something=True),
    "time_zone": Text(64),
    "language": Choice(Club.Language.values),
    "visibility": Choice(Club.Visibility.values),
    "house": House(),
    "ladder": Choice(LADDERS_OF_CLUBS),
    "incomplete_counts": Yes(),
    "locks_after": Maybe(Whole(0, MOST_HOURS)),
    "created_at": _PAST,
}
PLAYER_FIELDS: Mapping[str, Shape] = {
    "name": Text(NAME_LENGTH, says_something=True),
    "public_name": Text(NAME_LENGTH),
    "is_guest": Yes(),
    "archived_at": Maybe(_PAST),
    "created_at": _PAST,
}
SEASON_FIELDS: Mapping[str, Shape] = {
    "name": Text(SEASON_NAME_LENGTH, says_something=True),
    "starts_on": Day(),
    "ends_on": Maybe(Day()),
    "formula": Choice(rules.LEAGUE_FORMULAS),
    "place_points": Many(Whole(-MOST_SMALL, MOST_SMALL), most=MOST_SEATS),
    "best": Maybe(Whole(1, MOST_SMALL)),
    "best_of": Choice(rules.BEST_OF),
    "fewest_games": Whole(0, MOST_SMALL),
    "tie_rule": Choice(rules.LEAGUE_TIE_RULES),
    "editions": Many(Choice(rules.EDITIONS), most=len(rules.EDITIONS)),
    "guests": Choice(Season.Guests.values),
    "only_evenings": Yes(),
    "closed_at": Maybe(_PAST),
    "created_at": _PAST,
}


def history_of(fields: Mapping[str, Shape]) -> Many:
    """Return the shape of a history: what these fields were set to, and when, the oldest first."""
    change = {"at": _PAST, "type": Choice(["+", "~"]), "reason": Text(100), "values": thing(fields)}
    return Many(thing(change, "reason"), most=MOST_ENTRIES)


CLUB = thing({**CLUB_FIELDS, "history": history_of(CLUB_FIELDS)})
PLAYER = thing(
    {
        "number": Whole(1),
        **PLAYER_FIELDS,
        "merged_into": PlayerNumber(),
        "history": history_of(PLAYER_FIELDS),
    },
    "merged_into",
)
SEASON = thing(
    {
        "number": Whole(1),
        **SEASON_FIELDS,
        "changed_after_close": Maybe(_PAST),
        "history": history_of(SEASON_FIELDS),
    }
)
MERGE = thing(
    {
        "kept": PlayerNumber(),
        "merged": PlayerNumber(),
        "moved": Many(PlayerNumber(), least=1),
        "at": _PAST,
        "undone_at": Maybe(_PAST),
    }
)
_ATTENDANCE = thing(
    {
        "player": PlayerNumber(),
        "answer": Choice(["", *Attendance.Answer.values]),
        "answered_at": Maybe(_PAST),
        "is_here": Yes(),
    }
)
_TABLE = thing({"number": Whole(1, MOST_TABLES), "players": Many(PlayerNumber(), most=MOST_SEATS)})
_SITTING = thing(
    {
        "number": Whole(1, MOST_SITTINGS),
        "tables": Many(_TABLE, most=MOST_TABLES),
        "sits_out": Many(PlayerNumber()),
    }
)
EVENING_FIELDS: Mapping[str, Shape] = {
    "night": Day(),
    "starts_at": Moment(may_come=True),
    "place": Text(PLACE_LENGTH),
    "note": Text(NOTE_LENGTH),
    "counts": Yes(),
    "opened_at": Maybe(_PAST),
    "closed_at": Maybe(_PAST),
    "cancelled_at": Maybe(_PAST),
    "created_at": _PAST,
}
EVENING = thing(
    {
        "number": Whole(1),
        **EVENING_FIELDS,
        "attendance": Many(_ATTENDANCE),
        "sittings": Many(_SITTING, most=MOST_SITTINGS),
    }
)

# -- the journal ----------------------------------------------------------------------------------------------------

_ROUND = Whole(1, MOST_ROUNDS)
_VERSION = Whole(1, MOST_ENTRIES)
_BIDS = BySeat(_CARDS)
_POINTS = BySeat(Whole(-MOST_STARTING, MOST_STARTING))
_SEATS = Many(SeatNumber(), most=MOST_PEOPLE)
_PLAN = Many(Whole(1, MOST_CARDS), least=1, most=MOST_ROUNDS)
_TRICKS: Mapping[str, Shape] = {"taken": BySeat(_CARDS), "bombs": _CARDS, "clouds": BySeat(Whole(-1, 1))}
_TRUMP: Mapping[str, Shape] = {
    "trump": Choice(Round.Trump.values),
    "turned_up": Text(16),
    "chosen_by": Maybe(SeatNumber()),
}
_SCORED = thing(
    {"bids": _BIDS, **_TRICKS, "blind": _SEATS, **_TRUMP}, "bombs", "clouds", "blind", "trump", "turned_up", "chosen_by"
)
_BELONGS: Mapping[str, Shape] = {"night": Day(), "evening": EveningNumber()}
_NOTHING = thing({})
Kind = Entry.Kind

#: The payload of each kind of entry.
KINDS: Mapping[str, Thing] = MappingProxyType(
    {
        Kind.STARTED: thing(
            {
                "seats": Many(SeatNumber(), least=rules.FEWEST_PLAYERS, most=MOST_SEATS),
                "first_dealer": Whole(0, MOST_SEATS - 1),
                "house": House(),
                "ladder": Choice(rules.LADDERS),
                "plan": Many(Whole(1, MOST_CARDS), most=MOST_ROUNDS),
                "club": ClubWord(),
                "players": BySeat(PlayerNumber()),
                **_BELONGS,
            },
            *("club", "players", "night", "evening"),
        ),
        Kind.BIDS_RECORDED: thing({"round": _ROUND, "bids": _BIDS, "blind": _SEATS}, "blind"),
        Kind.TRICKS_RECORDED: thing({"round": _ROUND, **_TRICKS}, "bombs", "clouds"),
        Kind.ROUND_RECORDED: thing(
            {"round": _ROUND, "bids": _BIDS, **_TRICKS, "blind": _SEATS}, "bombs", "clouds", "blind"
        ),
        Kind.STEPPED_BACK: thing(
            {"round": _ROUND, "undoes": _VERSION, "bids": _SEATS, "hides": Yes(), "tricks": Yes()},
            *("bids", "hides", "tricks"),
        ),
        Kind.REOPENED: thing(
            {"round": _ROUND, "undoes": _VERSION, "bids": _SEATS, "tricks": Yes(), "goes_on": Yes()},
            *("undoes", "bids", "tricks", "goes_on"),
        ),
        Kind.TRUMP_NOTED: thing({"round": _ROUND, **_TRUMP}),
        Kind.ROUND_CORRECTED: thing(
            {"round": _ROUND, **_SCORED.fields, "before": _SCORED}, "before", *_SCORED.optional
        ),
        Kind.POINTS_ADJUSTED: thing(
            {
                "seat": SeatNumber(),
                "points": Whole(-MOST_ADJUSTMENT, MOST_ADJUSTMENT),
                "after": Whole(0, MOST_ROUNDS),
            }
        ),
        Kind.SEAT_RENAMED: thing({"seat": SeatNumber()}),
        Kind.SHEET_RECORDED: thing({"rounds": Many(_SCORED, least=1, most=MOST_ROUNDS)}),
        Kind.RESULTS_RECORDED: thing({"points": _POINTS}),
        Kind.RESULTS_CORRECTED: thing({"points": _POINTS, "before": thing({"points": _POINTS})}, "before"),
        Kind.PAUSED: _NOTHING,
        Kind.RESUMED: _NOTHING,
        Kind.ENDED: thing({"round": _ROUND}),
        Kind.ABANDONED: _NOTHING,
        Kind.VOIDED: _NOTHING,
        Kind.RESTORED: _NOTHING,
        Kind.SEAT_JOINED: thing(
            {
                "seat": SeatNumber(),
                "after": SeatNumber(),
                "starting": Whole(-MOST_STARTING, MOST_STARTING),
                "cards": _PLAN,
            },
            *("after", "starting"),
        ),
        Kind.SEAT_LEFT: thing({"seat": SeatNumber(), "cards": _PLAN}, "cards"),
        Kind.SEAT_REPLACED: thing(
            {"seat": SeatNumber(), "by": SeatNumber(), "starting": Whole(-MOST_STARTING, MOST_STARTING)}
        ),
        Kind.MOVED: thing(
            {"club": ClubWord(), "from": ClubWord(), "players": BySeat(PlayerNumber()), **_BELONGS}, "night", "evening"
        ),
        Kind.CONFIRMED: thing({"seat": Maybe(SeatNumber()), "whole": Yes()}),
        Kind.EVENING_SET: thing(_BELONGS, "night", "evening"),
    }
)


class _Entry(Shape):
    """One entry: the payload is that of its kind."""

    _frame = thing(
        {
            "kind": Choice(Kind.values),
            "at": _PAST,
            "via": Choice(Via.values),
            "by": Text(NAME_LENGTH),
            "seat": SeatNumber(),
            "reason": Text(REASON_LENGTH),
            "payload": Shape(),
        },
        *("by", "seat", "reason"),
    )

    def check(self, value: Any, path: str, look: Look) -> None:
        before = look.found
        self._frame.check(value, path, look)
        if look.found == before:
            KINDS[value["kind"]].check(value["payload"], f"{path}.payload", look)

    def mapped(self, value: Any, other: Other) -> Any:
        entry = self._frame.mapped(value, other)
        return entry | {"payload": KINDS[value["kind"]].mapped(value["payload"], other)}

    @property
    def schema(self) -> dict[str, Any]:
        of_kinds = [
            {"properties": {"kind": {"const": str(kind)}, "payload": payload.schema}} for kind, payload in KINDS.items()
        ]
        return self._frame.schema | {"anyOf": of_kinds}


# -- games ----------------------------------------------------------------------------------------------------------

DRAFT = thing(
    {
        **_TRICKS,
        "bids": _BIDS,
        "blind": _SEATS,
        "coins": Many(Maybe(SeatNumber()), most=MOST_CARDS),
        "by_hand": Yes(),
    },
    *(*_TRICKS, "bids", "blind", "coins", "by_hand"),
)
_SEAT = thing(
    {"name": Text(NAME_LENGTH, says_something=True), "total": Whole(-(10**6), 10**6), "rank": Whole(1, MOST_PEOPLE)}
)
GAME = thing(
    {
        "number": Whole(1),
        "started_at": _PAST,
        "finished_at": Maybe(_PAST),
        "night": Day(),
        "rematch_of": Whole(1),
        "table": thing({"evening": EveningNumber(), "sitting": Whole(1), "number": Whole(1)}),
        "seats": Many(_SEAT, least=rules.FEWEST_PLAYERS, most=MOST_PEOPLE),
        "draft": DRAFT,
        "journal": Many(_Entry(), least=1, most=MOST_ENTRIES),
    },
    *("rematch_of", "table", "draft"),
)
STANDING_COUNTS = ("games", "nights", "wins", "bids", "exact")
_STANDING = thing({"player": PlayerNumber(), **dict.fromkeys(STANDING_COUNTS, Whole()), "points": Whole(-(2**31))})
CHECK = thing(
    {
        "games": Whole(),
        "entries": Whole(),
        "standings": Many(thing({"season": Whole(1), "rows": Many(_STANDING, most=10**6)}), most=10**6),
    }
)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the file."""
    lists = {"players": PLAYER, "evenings": EVENING, "seasons": SEASON, "merges": MERGE, "games": GAME}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A club of Tafelrunde",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "club": CLUB.schema,
            **{name: {"type": "array", "items": shape.schema} for name, shape in lists.items()},
            "check": CHECK.schema,
        },
        "required": list(SECTIONS),
        "additionalProperties": False,
    }


def seat_numbers(entries: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[int, int]:
    """Return the number of each seat by what the journal calls it: from 1, in the order in which they sat down.

    `entries` are the kind and payload of each, the oldest first.
    """
    seats: dict[int, None] = {}
    for kind, payload in entries:
        if kind == Kind.STARTED:
            seats.update(dict.fromkeys(payload["seats"]))
        elif kind == Kind.SEAT_JOINED:
            seats.setdefault(payload["seat"])
        elif kind == Kind.SEAT_REPLACED:
            seats.setdefault(payload["by"])
    return {seat: number for number, seat in enumerate(seats, start=1)}
