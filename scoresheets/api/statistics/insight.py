"""What bids are worth, in a club or in all public ones."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from scoresheets.api.fields import Answer, Whole
from scoresheets.api.schema import operation
from scoresheets.api.statistics.lifetimes import PLAYERS, StatisticsView, refuse_wrong
from scoresheets.api.statistics.shapes import (
    TAG,
    BidRate,
    Share,
    rate_body,
)
from scoresheets.api.views import Body
from scoresheets.forms.statistics import PeopleForm
from scoresheets.models.tallies import PUBLIC
from scoresheets.queries.insight import Insight, LastBid, insight_of


class WorthAnswer(BidRate):
    bid = Whole(least=0, help_text="The bid as spoken.")
    mean_miss = serializers.FloatField(min_value=0, help_text="By how many tricks missed ones miss on average, or 0.")
    cost = serializers.FloatField(
        help_text="How many points lie between an exact one and a missed one on average; may be negative."
    )
    needed = Share(help_text="From which share of exact ones on they bring points, 0 to 1.")


class HandWorth(BidRate):
    cards = Whole(least=1, help_text="How many cards each player held.")
    bid = Whole(least=0, help_text="The bid as spoken.")


class LastBidAnswer(Answer):
    last = BidRate(help_text="The bids of those who bid last.")
    others = BidRate(help_text="The bids of the others in the same rounds.")
    price = serializers.FloatField(
        allow_null=True,
        help_text="How many points a round the last ones have fewer than the others, negative: more; null without any.",
    )


class InsightAnswer(Answer):
    """What bids are worth: how often they come true and what a miss costs."""

    rate = BidRate(help_text="All bids.")
    worth = WorthAnswer(many=True, help_text="By the bid, ascending.")
    by_cards_and_bid = HandWorth(many=True, help_text="By the cards in hand and the bid, ascending.")
    bound = LastBidAnswer(help_text="Of rounds in which the bids must not add up.")
    free = LastBidAnswer(help_text="Of all other rounds.")


class ClubInsight(StatisticsView):
    @operation(
        "clubs_insight",
        summary="What bids are worth in a club",
        tag=TAG,
        answer=InsightAnswer,
        parameters=[PLAYERS],
    )
    def get(self, request: Any, club_id: int) -> Any:
        """How often bids come true in a club, what a miss costs, and what it costs to bid last."""
        return self.answer(_insight(request, self.club(club_id).pk))


class PublicInsight(StatisticsView):
    @operation(
        "insight_read",
        summary="What bids are worth in all public clubs",
        tag=TAG,
        answer=InsightAnswer,
        parameters=[PLAYERS],
    )
    def get(self, request: Any) -> Any:
        """How often bids come true in all public clubs, what a miss costs, and what it costs to bid last."""
        return self.answer(_insight(request, PUBLIC))


def _insight(request: Any, scope: int) -> Body:
    form = PeopleForm(request.query_params)
    refuse_wrong(form)
    return insight_body(insight_of(scope, players=form.players_chosen))


def insight_body(insight: Insight) -> Body:
    """Return what bids are worth as it is answered."""
    return {
        "rate": rate_body(insight.rate),
        "worth": [
            {
                "bid": worth.bid,
                **rate_body(worth.rate),
                "mean_miss": worth.mean_miss,
                "cost": worth.cost,
                "needed": worth.needed,
            }
            for worth in insight.worth
        ],
        "by_cards_and_bid": [
            {"cards": cards, "bid": bid, **rate_body(rate)} for (cards, bid), rate in insight.by_cards_and_bid.items()
        ],
        "bound": _last_bid(insight.bound),
        "free": _last_bid(insight.free),
    }


def _last_bid(bids: LastBid) -> Body:
    has_both = bids.last.bids and bids.others.bids
    return {
        "last": rate_body(bids.last),
        "others": rate_body(bids.others),
        "price": bids.price if has_both else None,
    }
