"""Bids that may be made, and the points of a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

import rules
from scoresheets.api.engine.plans import HOUSE_HELP, MOST_CARDS, TAG, EngineView
from scoresheets.api.engine.tricks import ReasonAnswer, reason_body
from scoresheets.api.fields import Answer, Shape, Whole, Yes
from scoresheets.api.house import HouseRulesShape, house_of
from scoresheets.api.schema import operation

#: More than any table has, so that the rules say what is too many.
_MOST_SEATS = 10
_NUMBER = 1000


class RoundAsked(Shape):
    house = HouseRulesShape(required=False, help_text=HOUSE_HELP)
    number = Whole(least=0, most=_NUMBER, help_text="The number of the round, from 1.")
    cards = Whole(least=0, most=MOST_CARDS, help_text="How many cards each player has, at least 1.")


def _counts(**options: Any) -> serializers.ListField:
    child = Whole(least=-_NUMBER, most=_NUMBER, help_text="A number of tricks.")
    return serializers.ListField(child=child, max_length=_MOST_SEATS, **options)


# -- bids -----------------------------------------------------------------------------------------------------------


class BidAsked(RoundAsked):
    """A round that is being bid."""

    players = Whole(least=rules.FEWEST_PLAYERS, most=rules.MOST_PLAYERS, help_text="How many people play.")
    bids = _counts(help_text="The bids made so far, in bidding order.")


class BidsAllowed(Answer):
    """What the next one may bid."""

    allowed = serializers.ListField(
        child=Whole(least=0, help_text="A bid."),
        help_text="What can be bid, ascending; nothing once all have bid.",
    )
    forbidden = Whole(
        least=0, allow_null=True, help_text="The bid that is barred from the last bidder, null where all are free."
    )


class AllowedBids(EngineView):
    FIELD_OF = {**EngineView.FIELD_OF, "round_number": "number", "cards_out_of_range": "cards", "wrong_length": "bids"}

    @operation(
        "engine_bids",
        summary="What may be bid",
        tag=TAG,
        takes=BidAsked,
        answer=BidsAllowed,
        writes=False,
        errors={400: ("round_number", "cards_out_of_range", "bid_out_of_range", "wrong_length")},
        examples=[
            OpenApiExample(
                "Bids must not add up",
                {"number": 3, "cards": 3, "players": 3, "bids": [1, 1], "house": {"plus_minus_one": True}},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any) -> Any:
        """What the next one may bid. Hidden and secret bids bar nothing beforehand."""
        sent = self.sent()
        house, bids, players = house_of(sent.get("house", {})), sent["bids"], sent["players"]
        rules.check_house_rules(house, players)
        if len(bids) > players:
            raise rules.RulesError([rules.Problem.of("wrong_length", what="bids", expected=players, given=len(bids))])
        round_ = {"number": sent["number"], "cards": sent["cards"]}
        # The dealer bids last, so bidding order is that of the seats.
        made = [*bids, *[None] * (players - len(bids))]
        rules.check_bids(house, **round_, dealer=players - 1, bids=made)
        asked = {**round_, "players": players, "bids": bids}
        return self.answer(
            {
                "allowed": list(rules.allowed_bids(house, **asked)),
                "forbidden": rules.forbidden_bid(house, **asked),
            }
        )

    def field_of(self, problem: rules.Problem) -> str | None:
        return f"bids.{problem.seat}" if problem.seat is not None else super().field_of(problem)


# -- points ---------------------------------------------------------------------------------------------------------


class CloudAsked(Shape):
    seat = Whole(least=0, most=_MOST_SEATS, help_text="The seat that took the cloud, from 0.")
    delta = Whole(least=-_NUMBER, most=_NUMBER, help_text="By how much it changed its bid: -1 or 1.")


class ScoreAsked(RoundAsked):
    """A round that was played, all lists in the order of the seats."""

    bids = _counts(help_text="The bids as spoken.", allow_empty=False)
    tricks = _counts(help_text="The tricks taken.")
    bombs = Whole(required=False, least=0, most=MOST_CARDS, help_text="How many tricks were bombed; 0 unless given.")
    clouds = serializers.ListField(
        required=False, child=CloudAsked(), max_length=_MOST_SEATS, help_text="Whom the cloud made change a bid."
    )
    blind = serializers.ListField(
        required=False,
        child=Yes(help_text="Whether the bid was made blind."),
        max_length=_MOST_SEATS,
        help_text="Who bid blind; left out for nobody.",
    )


class SeatScored(Answer):
    seat = Whole(least=0, help_text="The seat, from 0.")
    final_bid = Whole(least=0, help_text="The bid after the cloud.")
    tricks = Whole(least=0, help_text="The tricks taken.")
    exact = Yes(help_text="Whether the bid came true.")
    points = Whole(help_text="The points; may be negative.")
    reason = ReasonAnswer(help_text="How they come about.")


class RoundScored(Answer):
    """The points of a round."""

    seats = SeatScored(many=True, help_text="The seats in their order.")


#: In which list a seat's problem is.
_LIST_OF: Mapping[str, str] = {
    "bid_out_of_range": "bids",
    "blind_not_enabled": "blind",
    "blind_not_available": "blind",
    "tricks_out_of_range": "tricks",
}


class Scores(EngineView):
    FIELD_OF = {
        **EngineView.FIELD_OF,
        "round_number": "number",
        "cards_out_of_range": "cards",
        "tricks_sum": "tricks",
        **dict.fromkeys(("bombs_out_of_range", "bomb_not_in_deck", "too_many_bombs"), "bombs"),
        **dict.fromkeys(
            ("cloud_not_in_deck", "too_many_clouds", "cloud_delta", "cloud_without_trick", "cloud_bid_out_of_range"),
            "clouds",
        ),
        "seat_out_of_range": "clouds",
    }

    @operation(
        "engine_scores",
        summary="The points of a round",
        tag=TAG,
        takes=ScoreAsked,
        answer=RoundScored,
        writes=False,
        errors={400: ("tricks_sum", "tricks_out_of_range", "bid_out_of_range", "cloud_without_trick", "wrong_length")},
        examples=[
            OpenApiExample(
                "A round of three cards",
                {"number": 3, "cards": 3, "bids": [1, 0, 2], "tricks": [1, 0, 2]},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any) -> Any:
        """What each seat scores in a round, and how that comes about."""
        sent = self.sent()
        house = house_of(sent.pop("house", {}))
        rules.check_house_rules(house)
        clouds = [(one["seat"], one["delta"]) for one in sent.pop("clouds", ())]
        scores = rules.score_round(house, **sent, clouds=clouds)
        blind = sent.get("blind") or [False] * len(scores)
        return self.answer(
            {
                "seats": [
                    {
                        "seat": seat,
                        "final_bid": score.final_bid,
                        "tricks": score.tricks,
                        "exact": score.exact,
                        "points": score.points,
                        "reason": _reason(sent["bids"][seat], score, is_blind=blind[seat]),
                    }
                    for seat, score in enumerate(scores)
                ]
            }
        )

    def field_of(self, problem: rules.Problem) -> str | None:
        if problem.code == "wrong_length":
            return str(problem.args["what"])
        if problem.seat is not None and problem.code in _LIST_OF:
            return f"{_LIST_OF[problem.code]}.{problem.seat}"
        return super().field_of(problem)


def _reason(bid: int, score: rules.SeatScore, *, is_blind: bool) -> dict[str, Any]:
    cell = rules.Cell(bid, score.tricks, score.points, blind=is_blind, cloud_delta=score.final_bid - bid)
    reason = cell.points_reason
    assert reason is not None
    return reason_body(reason)
