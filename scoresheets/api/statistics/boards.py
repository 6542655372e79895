"""What a club remembers of all its games: the all-time table, ratings, records, the hall of fame."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from scoresheets import permissions
from scoresheets.api.fields import Answer, Choice, Day, Id, Text, Whole, Yes
from scoresheets.api.pagination import Order
from scoresheets.api.problems import refusal
from scoresheets.api.schema import operation
from scoresheets.api.statistics.lifetimes import StatisticsView
from scoresheets.api.statistics.shapes import (
    NAME_HELP,
    STALE_HELP,
    TAG,
    Share,
)
from scoresheets.api.views import Body
from scoresheets.forms.seasons import AllTimeForm
from scoresheets.models import Club, Record
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries import records as remembered
from scoresheets.queries.lifetime import FEW, FEWEST_RATED

_MOST_LEAST = 1_000_000


# -- shapes ----------------------------------------------------------------------------------------------------------


class AllTimeLine(Answer):
    """A player's line in the all-time table of a club."""

    place = Whole(least=1, allow_null=True, help_text="The place; equal ones share it. Null without what orders it.")
    player = Id(help_text="The id of the player.")
    name = Text(most=NAME_LENGTH, help_text=NAME_HELP)
    is_own = Yes(help_text="Whether this is the account that asks.")
    games = Whole(least=0, help_text="How many games count.")
    ranked = Whole(least=0, help_text="In how many of them they have a place.")
    wins = Whole(least=0, help_text="How many of these they won, shared victories too.")
    win_rate = Share(help_text="The share of games won among those with a place, 0 to 1; null without any.")
    total_points = Whole(help_text="The points on the sheets of games with a place; may be negative.")
    mean = serializers.FloatField(allow_null=True, help_text="Their mean a game, may be negative; null without any.")
    bids = Whole(least=0, help_text="How many bids.")
    exact = Whole(least=0, help_text="How many of them came true.")
    exact_rate = Share(help_text="Their share, 0 to 1; null without bids.")
    rating = serializers.FloatField(
        allow_null=True, help_text=f"The rating, may be negative; null with fewer than {FEWEST_RATED} rated games."
    )
    is_small = Yes(help_text=f"Whether games with a place are fewer than {FEW}, too few to say much.")
    stale = Yes(help_text=STALE_HELP)


class ClubRating(Answer):
    """A player's rating in a club. Everybody starts at 1500."""

    place = Whole(
        least=1,
        allow_null=True,
        help_text=f"The place; equal ones share it. Null below {FEWEST_RATED} games.",
    )
    player = Id(help_text="The id of the player.")
    name = Text(most=NAME_LENGTH, help_text=NAME_HELP)
    is_own = Yes(help_text="Whether this is the account that asks.")
    mu = serializers.FloatField(help_text="The rating, 1500 to begin with; it may be negative.")
    sigma = serializers.FloatField(min_value=0, help_text="How uncertain it is, in the same points.")
    games = Whole(least=1, help_text="After how many rated games.")
    is_provisional = Yes(help_text=f"Whether these are fewer than {FEWEST_RATED}.")
    stale = Yes(help_text=STALE_HELP)


RECORDS = (*Record.Kind.values, remembered.EXACT_RUN, remembered.WIN_RUN)


class RecordAnswer(Answer):
    """What one of the five players who did best of a kind did."""

    kind = Choice(choices=RECORDS, help_text="What it is a record of.")
    number = Whole(least=1, most=remembered.MOST_A_RECORD, help_text="Counts them; of equal ones the earlier is first.")
    player = Id(help_text="The id of the player.")
    name = Text(most=NAME_LENGTH, help_text=NAME_HELP)
    is_own = Yes(help_text="Whether this is the account that asks.")
    value = Whole(help_text="Points, points ahead, tricks, bids or wins, by the kind; may be negative.")
    game = Id(allow_null=True, help_text="The id of the game in which it was; null where that is being worked out.")
    night = Day(allow_null=True, help_text="The night it is of, null as well.")
    stale = Yes(help_text=STALE_HELP)


FAME = ("wins", "evenings_won", "games")


class FameAnswer(Answer):
    """One of the five players with most of something."""

    kind = Choice(
        choices=FAME,
        help_text="Most `wins`, most `evenings_won` within the last 365 days, or most `games`. An evening is won by "
        "whoever stands first in its table.",
    )
    place = Whole(least=1, help_text="The place; equal ones share it.")
    player = Id(help_text="The id of the player.")
    name = Text(most=NAME_LENGTH, help_text=NAME_HELP)
    is_own = Yes(help_text="Whether this is the account that asks.")
    value = Whole(least=1, help_text="How many.")


# -- the operations --------------------------------------------------------------------------------------------------


class ClubStatisticsView(StatisticsView):
    """An address about the numbers of a club."""

    def names(self, club: Club) -> dict[str, Any]:
        """Return which names whoever asks sees, and which of them is their own, as queries take it."""
        return {"in_public": not permissions.can_see_roster(self.actor, club), "user": self.actor.user}


#: In which direction of the query string the table can be ordered, the usual one first.
_SORTS: Mapping[str, str] = MappingProxyType({f"-{sort}": sort for sort in AllTimeForm.SORTS})


class AllTime(ClubStatisticsView):
    @operation(
        "clubs_all_time",
        summary="The all-time table of a club",
        tag=TAG,
        answer=AllTimeLine,
        lists=True,
        orders={sort: Order.number("value", descending=True) for sort in _SORTS},
        parameters=[
            OpenApiParameter(
                "least",
                {"type": "integer", "minimum": 0, "maximum": _MOST_LEAST},
                description="Only players with at least so many games: 10 unless given, 1 by games or wins.",
            )
        ],
    )
    def get(self, request: Any, club_id: int) -> Any:
        """All players of a club with all their games, by one of several numbers, the highest first."""
        club = self.club(club_id)
        ordering = request.query_params.get("ordering", next(iter(_SORTS)))
        if ordering not in _SORTS:
            raise refusal(400, "choice_unknown", field="ordering")
        sort, names = _SORTS[ordering], self.names(club)
        least, stale = self._least(AllTimeForm.SORTS[sort][1]), remembered.is_waiting(club)
        return self.numbered(
            lambda start, most: remembered.all_time_from(club, start, most, sort=sort, least=least, **names),
            lambda line: {**_all_time(line), "stale": stale},
        )

    def _least(self, usual: int) -> int:
        text = self.request.query_params.get("least", str(usual))
        least = int(text) if text.isascii() and text.isdigit() and len(text) <= 7 else -1
        if not 0 <= least <= _MOST_LEAST:
            raise refusal(400, "parameter_wrong", field="least")
        return least


def _all_time(line: remembered.LifetimeLine) -> Body:
    return {
        "place": line.place,
        "player": line.player,
        "name": line.name,
        "is_own": line.is_own,
        "games": line.games,
        "ranked": line.ranked,
        "wins": line.wins,
        "win_rate": line.wins / line.ranked if line.ranked else None,
        "total_points": line.total_sum,
        "mean": line.total_sum / line.ranked if line.ranked else None,
        "bids": line.bids,
        "exact": line.exact,
        "exact_rate": line.exact / line.bids if line.bids else None,
        "rating": line.rating,
        "is_small": line.ranked < FEW,
    }


class Ratings(ClubStatisticsView):
    @operation("clubs_ratings", summary="The ratings of a club", tag=TAG, answer=ClubRating, lists=True)
    def get(self, request: Any, club_id: int) -> Any:
        """The ratings of a club's players, the highest first; those of too few games come at the end."""
        club = self.club(club_id)
        names, stale = self.names(club), remembered.is_waiting(club)
        return self.numbered(
            lambda start, most: remembered.ratings_from(club, start, most, **names),
            lambda line: {
                "place": line.place,
                "player": line.player,
                "name": line.name,
                "is_own": line.is_own,
                "mu": line.mu,
                "sigma": line.sigma,
                "games": line.games,
                "is_provisional": line.games < FEWEST_RATED,
                "stale": stale,
            },
        )


class Records(ClubStatisticsView):
    @operation("clubs_records", summary="The records of a club", tag=TAG, answer=RecordAnswer, lists=True)
    def get(self, request: Any, club_id: int) -> Any:
        """The five players who did best of each kind, each with their best."""
        club = self.club(club_id)
        stale = remembered.is_waiting(club)
        found = remembered.club_records(club, **self.names(club))
        rows = [(kind, number, line) for kind in RECORDS for number, line in enumerate(found[kind], start=1)]
        return self.numbered(
            lambda start, most: rows[start : start + most],
            lambda row: {
                "kind": row[0],
                "number": row[1],
                "player": row[2].player,
                "name": row[2].name,
                "is_own": row[2].is_own,
                "value": row[2].value,
                "game": row[2].game,
                "night": row[2].night,
                "stale": stale,
            },
        )


class HallOfFame(ClubStatisticsView):
    @operation("clubs_hall_of_fame", summary="The hall of fame of a club", tag=TAG, answer=FameAnswer, lists=True)
    def get(self, request: Any, club_id: int) -> Any:
        """The five players with most wins, evenings won and games. Who won its seasons says the list of seasons."""
        club = self.club(club_id)
        names = self.names(club)
        found = {
            "wins": remembered.most_of(club, "wins", **names),
            "evenings_won": remembered.most_evenings_won(club, **names),
            "games": remembered.most_of(club, "games", **names),
        }
        rows = [(kind, line) for kind in FAME for line in found[kind]]
        return self.numbered(
            lambda start, most: rows[start : start + most],
            lambda row: {
                "kind": row[0],
                "place": row[1].place,
                "player": row[1].player,
                "name": row[1].name,
                "is_own": row[1].is_own,
                "value": row[1].value,
            },
        )
