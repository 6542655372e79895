"""Two to four players of a club side by side."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter

from scoresheets.api.fields import Answer, Id, Text, Yes
from scoresheets.api.problems import Finding, Refused
from scoresheets.api.schema import ID, operation
from scoresheets.api.statistics.lifetimes import StatisticsView, is_stale
from scoresheets.api.statistics.shapes import (
    NAME_HELP,
    STALE_HELP,
    TAG,
    MonthAnswer,
    Numbers,
    PairAnswer,
    PlayerRating,
    month_body,
    numbers_body,
    pair_body,
    rating_body,
)
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.comparisons import FEWEST, MOST, comparison_of, players_among
from scoresheets.queries.lifetime import rating_of

#: No id is longer.
MOST_DIGITS = 18


class ComparedPlayer(Numbers):
    player = Id(help_text="The id of the player; of a duplicate, of the one it was merged into.")
    name = Text(most=NAME_LENGTH, help_text=NAME_HELP)
    is_own = Yes(help_text="Whether this is the account that asks.")
    rating = PlayerRating(allow_null=True, help_text="The rating, null without a rated game.")
    months = MonthAnswer(many=True, help_text="The rating at the end of each month, oldest first.")


class ComparedPair(PairAnswer):
    player = Id(help_text="The id of the player.")


class ComparisonAnswer(Answer):
    """Two to four players of a club side by side."""

    players = ComparedPlayer(many=True, help_text="The players in the order they were asked for.")
    pairs = ComparedPair(
        many=True, help_text="How each finished against each other, from either side; who never met is left out."
    )
    stale = Yes(help_text=STALE_HELP)


class Comparison(StatisticsView):
    @operation(
        "clubs_compare",
        summary="Players side by side",
        tag=TAG,
        answer=ComparisonAnswer,
        parameters=[
            OpenApiParameter(
                "player",
                {"type": "array", "items": ID, "minItems": FEWEST, "maxItems": MOST, "uniqueItems": True},
                required=True,
                explode=True,
                description=f"The ids of {FEWEST} to {MOST} different players: `player=1&player=2`.",
            )
        ],
        errors={400: ("parameter_wrong",)},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """Two to four players of a club side by side, and how they finished against each other."""
        club = self.club(club_id)
        typed = request.query_params.getlist("player")
        # Each once, in the order asked for.
        ids = list(dict.fromkeys(int(text) for text in typed if _is_id(text)))
        players = players_among(club, ids) if len(typed) <= MOST else []
        if len(players) < max(FEWEST, len(typed)):
            raise Refused(400, [Finding("parameter_wrong", _("Choose two to four different people."), "player")])
        comparison = comparison_of(players)
        return self.answer(
            {
                "players": [
                    {
                        "player": player.pk,
                        "name": self.name_of(player),
                        "is_own": self.is_own(player),
                        **numbers_body(life := comparison.lifetimes[player.pk]),
                        "rating": rating_body(rating_of(player, life)),
                        "months": [month_body(month) for month in comparison.months[player.pk]],
                    }
                    for player in players
                ],
                "pairs": [
                    {"player": one.pk, **pair_body(comparison.pairs[one.pk, other.pk], self.name_of(other))}
                    for one in players
                    for other in players
                    if (one.pk, other.pk) in comparison.pairs
                ],
                "stale": is_stale(players),
            }
        )


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
