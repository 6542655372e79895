"""Evenings as they go in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import time
from typing import Any

from django.core.validators import RegexValidator
from django.db.models import QuerySet
from django_filters import ChoiceFilter, DateFilter, FilterSet

from scoresheets.api.fields import Answer, Choice, Day, Id, Moment, Shape, Text, Whole, Yes
from scoresheets.api.views import Body
from scoresheets.models import Club, Evening, Seat
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.leagues import NOTE_LENGTH, PLACE_LENGTH
from scoresheets.queries.clubs import ClubGame
from scoresheets.queries.evenings import (
    STATES,
    EveningLine,
    EveningResults,
    EveningStanding,
    in_state,
    state_of,
)
from scoresheets.recording import (
    EveningPlan,
)
from scoresheets.recording.evenings import MOST_AT_ONCE

TAG = "evenings"
#: Where the problems of a plan are.
FIELD_OF: Mapping[str, str] = {
    "evening_day_out_of_range": "day",
    "evening_time_skipped": "time",
    "place_too_long": "place",
    "note_too_long": "note",
    "times_out_of_range": "times",
}
_STATE_HELP = (
    "`planned`, `open` (games that are started now belong to it), `over` (closed, or never opened and 12 hours past "
    "its beginning) or `cancelled`."
)
_HELP = {
    "day": "The day on which it begins, on the clock of the club, of the years 2000 to 2099.",
    "time": "When it begins, on the clock of the club: `19:30`.",
    "place": f"Where it is, at most {PLACE_LENGTH} characters; may be empty.",
    "note": f"What else there is to say, at most {NOTE_LENGTH} characters; may be empty.",
    "counts": "Whether seasons count its games; false for a friendly evening.",
}


# -- what is answered -----------------------------------------------------------------------------------------------


class EveningWinner(Answer):
    player = Id(allow_null=True, help_text="The id of the player; null for those who are no members of the club.")
    name = Text(most=NAME_LENGTH, help_text="The name; for those who are no members, the public one.")


class EveningAnswer(Answer):
    """A game night of a club."""

    id = Id(help_text="The id of the evening.")
    night = Day(help_text="The night it is of; what is played after midnight belongs to it.")
    starts_at = Moment(help_text="When it begins.")
    day = Day(help_text=_HELP["day"])
    time = Text(help_text=_HELP["time"])
    place = Text(most=PLACE_LENGTH, help_text=_HELP["place"])
    note = Text(most=NOTE_LENGTH, help_text=_HELP["note"])
    counts = Yes(help_text=_HELP["counts"])
    state = Choice(choices=STATES, help_text=_STATE_HELP)
    opened_at = Moment(allow_null=True, help_text="When it was opened, null if it was not.")
    closed_at = Moment(allow_null=True, help_text="When it was closed, null if it was not.")
    cancelled_at = Moment(allow_null=True, help_text="When it was called off, null if it was not.")
    people_counted = Whole(least=0, help_text="How many people have played a game that counts.")
    games_counted = Whole(least=0, help_text="How many games of it count.")
    winners = EveningWinner(many=True, help_text="Who stands first in its table; several if they are equal.")


class EveningStandingAnswer(Answer):
    rank = Whole(least=1, help_text="The place, from 1; equal ones share it.")
    player = Id(allow_null=True, help_text="The id of the player; null for those who are no members of the club.")
    name = Text(most=NAME_LENGTH, help_text="The name; for those who are no members, the public one.")
    games = Whole(least=0, help_text="How many games that count.")
    wins = Whole(least=0, help_text="How many of them were won; shared victories too.")
    points = Whole(help_text="The points on the sheets, added up; may be negative.")
    exact = Whole(least=0, help_text="How many bids came true.")
    bids = Whole(least=0, help_text="Of how many.")


class EveningSeat(Answer):
    seat = Id(help_text="The id of the seat.")
    player = Id(allow_null=True, help_text="The id of the player; null for nobody the club knows, or for non-members.")
    name = Text(most=NAME_LENGTH, help_text="The name on the sheet; for those who are no members, the public one.")
    rank = Whole(least=1, allow_null=True, help_text="The place once the game is finished, null before.")
    total = Whole(help_text="The points of the rounds scored so far; may be negative.")


class EveningGame(Answer):
    id = Id(help_text="The id of the game.")
    number = Whole(least=1, help_text="Counts the games of the evening in the order they were started.")
    state = Choice(choices=("running", "finished", "abandoned"), help_text="Where it stands.")
    started_at = Moment(help_text="When it was started.")
    round_number = Whole(least=1, help_text="The round being bid or played, or the last one.")
    rounds = Whole(least=1, help_text="How many rounds it has.")
    seats = EveningSeat(many=True, help_text="Who plays, in dealing order.")


class EveningDetailsAnswer(EveningAnswer):
    """A game night with its games and its table."""

    table = EveningStandingAnswer(
        many=True, help_text="Its table, best first: more wins, then more points, then a greater share of exact bids."
    )
    games = EveningGame(many=True, help_text="All its games but voided ones, in the order they were started.")


class EveningsPlanned(Answer):
    evenings = EveningAnswer(many=True, help_text="The evenings that were planned, by time.")


def evening_body(
    club: Club, evening: Evening, winners: Sequence[EveningStanding], people: int, games: int, *, in_public: bool
) -> Body:
    """Return an evening as it is answered."""
    plan = EveningPlan.of(evening, club)
    return {
        "id": evening.pk,
        "night": evening.night,
        "starts_at": evening.starts_at,
        "day": plan.day,
        "time": f"{plan.time:%H:%M}",
        "place": evening.place,
        "note": evening.note,
        "counts": evening.counts,
        "state": state_of(evening),
        "opened_at": evening.opened_at,
        "closed_at": evening.closed_at,
        "cancelled_at": evening.cancelled_at,
        "people_counted": people,
        "games_counted": games,
        "winners": [_who(winner, in_public=in_public) for winner in winners],
    }


def line_body(club: Club, line: EveningLine, *, in_public: bool) -> Body:
    """Return an evening of a list as it is answered."""
    return evening_body(club, line.evening, line.winners, line.people, line.games, in_public=in_public)


def _who(line: EveningStanding, *, in_public: bool) -> Body:
    if in_public:
        return {"player": None, "name": line.shown_publicly}
    return {"player": line.player, "name": line.name}


def details_body(club: Club, evening: Evening, results: EveningResults, *, in_public: bool) -> Body:
    """Return an evening with its games and its table as it is answered."""
    states = {
        **dict.fromkeys((game.game.pk for game in results.running), "running"),
        **dict.fromkeys((game.game.pk for game in results.finished), "finished"),
        **dict.fromkeys((game.game.pk for game in results.abandoned), "abandoned"),
    }
    games = [*results.running, *results.finished, *results.abandoned]
    games.sort(key=lambda one: (one.game.started_at, one.game.pk))
    winners = [line for line in results.table if line.rank == 1]
    counted = sum(one.game.counted for one in games)
    return {
        **evening_body(club, evening, winners, len(results.table), counted, in_public=in_public),
        "table": [
            {
                "rank": line.rank,
                **_who(line, in_public=in_public),
                "games": line.games,
                "wins": line.wins,
                "points": line.points,
                "exact": line.exact,
                "bids": line.bids,
            }
            for line in results.table
        ],
        "games": [
            _game(one, number, states[one.game.pk], in_public=in_public) for number, one in enumerate(games, start=1)
        ],
    }


def _game(listed: ClubGame, number: int, state: str, *, in_public: bool) -> Body:
    return {
        "id": listed.game.pk,
        "number": number,
        "state": state,
        "started_at": listed.game.started_at,
        "round_number": listed.round_number,
        "rounds": len(listed.game.plan),
        "seats": [_seat(seat, is_finished=state == "finished", in_public=in_public) for seat in listed.seats],
    }


def _seat(seat: Seat, *, is_finished: bool, in_public: bool) -> Body:
    player = seat.player.canonical if seat.player is not None else None
    return {
        "seat": seat.pk,
        "player": None if in_public or player is None else player.pk,
        "name": player.shown_publicly if in_public and player is not None else seat.name,
        "rank": seat.rank if is_finished else None,
        "total": seat.total,
    }


# -- what is taken --------------------------------------------------------------------------------------------------


class Clock(Text):
    """A time of the day: `19:30`."""

    def __init__(self, **options: Any) -> None:
        # Without its length a pattern would let a new line at the end pass.
        clock = RegexValidator(r"^([01][0-9]|2[0-3]):[0-5][0-9]$")
        super().__init__(most=5, allow_blank=False, validators=[clock], **options)


class EveningChanges(Shape):
    """What is to be changed; what is left out stays."""

    day = Day(required=False, help_text=_HELP["day"])
    time = Clock(required=False, help_text=_HELP["time"])
    place = Text(required=False, most=PLACE_LENGTH, help_text=_HELP["place"])
    note = Text(required=False, most=NOTE_LENGTH, help_text=_HELP["note"])
    counts = Yes(required=False, help_text=_HELP["counts"])


class NewEvening(EveningChanges):
    """An evening to be planned, or several at the same time of the day."""

    day = Day(help_text=_HELP["day"])
    time = Clock(help_text=_HELP["time"])
    times = Whole(required=False, least=1, most=MOST_AT_ONCE, help_text="How many evenings to plan; 1 unless given.")
    every = Whole(required=False, least=1, most=365, help_text="How many days lie between them; 7 unless given.")


def plan_of(sent: dict[str, Any], base: EveningPlan | None = None) -> EveningPlan:
    """Return the plan that was sent; what is left out is as in `base`."""
    if "time" in sent:
        sent = {**sent, "time": time.fromisoformat(sent["time"])}
    return EveningPlan(**sent) if base is None else replace(base, **sent)


class _EveningFilter(FilterSet):
    state = ChoiceFilter(choices=[(state, state) for state in STATES], method="in_state", help_text=_STATE_HELP)

    class Meta:
        model = Evening
        fields: Sequence[str] = ()

    def in_state(self, evenings: QuerySet[Evening], name: str, state: str) -> QuerySet[Evening]:
        return evenings.filter(in_state(state))


def _night(lookup: str, help_text: str) -> DateFilter:
    return DateFilter(field_name="night", lookup_expr=lookup, input_formats=["%Y-%m-%d"], help_text=help_text)


#: Made by name, for `from` is a word of the language.
EveningFilter = type(
    "EveningFilter",
    (_EveningFilter,),
    {
        "from": _night("gte", "Only evenings of this night (`2026-03-14`) or later."),
        "to": _night("lte", "Only evenings of this night (`2026-03-14`) or earlier."),
    },
)
