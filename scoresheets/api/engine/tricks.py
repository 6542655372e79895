"""The referee: who takes a trick and why, and which cards of a hand may be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

import rules
from scoresheets import verdicts, wording
from scoresheets.api.engine.plans import HOUSE_HELP, SUITS, TAG, EngineView
from scoresheets.api.fields import Answer, Choice, Json, Shape, Text, Whole, Yes
from scoresheets.api.house import HouseRulesShape, house_of
from scoresheets.api.problems import Finding, Refused
from scoresheets.api.schema import operation
from scoresheets.api.views import Body

#: More cards than any hand or trick has, so that the rules say what is too many.
MOST_CARDS = 70
#: The longest notation has 14 characters.
_CARD_LENGTH = 20
_CARD_HELP = (
    "A card: suit and rank (`B7`; suits B, R, G, Y, or H, D, C, S with J, Q, K and A), `W`, `J`, or a special card; "
    "played with what it stands for: `JUGGLER:R`, `CLOUD:B`, `SHAPESHIFTER:W`."
)


# -- shapes ---------------------------------------------------------------------------------------------------------


class ReasonAnswer(Answer):
    """One step of an answer of the rules."""

    code = Choice(choices=list(rules.REASONS), help_text="What is said. Codes are stable; `engine_codes` lists them.")
    detail = Text(help_text="The same as a sentence, in the language of `Accept-Language`.")
    params = serializers.DictField(
        child=Json(help_text="A number or a text."),
        help_text="What it is about: cards in their notation, letters of suits, numbers; `place` counts the cards of "
        "the trick from 1.",
    )


def reason_body(reason: rules.Reason) -> Body:
    """Return a reason as it is answered."""
    return {"code": reason.code, "detail": verdicts.reason_in_words(reason), "params": dict(reason.params)}


class _Cards(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=Text(most=_CARD_LENGTH, help_text=_CARD_HELP), max_length=MOST_CARDS, **options)


class TrickAsked(Shape):
    """A trick, complete or as it lies."""

    cards = _Cards(allow_empty=False, help_text="Its cards in the order of play.")
    trump = Choice(choices=SUITS, allow_null=True, help_text="The letter of the trump suit, null for no trump.")
    players = Whole(
        required=False,
        least=rules.FEWEST_PLAYERS,
        most=rules.MOST_PLAYERS,
        help_text="How many people play; as many as there are cards, at least 3, unless given.",
    )
    last_trick = Yes(required=False, help_text="Whether it is the last trick of its round.")
    house = HouseRulesShape(required=False, help_text=HOUSE_HELP)


class TrickDecided(Answer):
    """Who takes a trick and why. Places count its cards from 0."""

    winner = Whole(least=0, allow_null=True, help_text="The place of the card that takes it; null if it is bombed.")
    next_leader = Whole(least=0, help_text="The place of the best card, whose player leads the next trick.")
    bombed = Yes(help_text="Whether a bomb destroyed it.")
    cloud_owner = Whole(
        least=0, allow_null=True, help_text="The place of the player who has to change a bid, null for nobody."
    )
    pass_left = Yes(help_text="Whether everybody now passes a card to the left.")
    suit = Choice(choices=SUITS, allow_null=True, help_text="The letter of the suit to follow, null for none.")
    reason = ReasonAnswer(help_text="Why the best card is the best.")
    steps = ReasonAnswer(many=True, help_text="All that has to be said, in the order in which one would explain it.")


class HandAsked(Shape):
    """A hand, and the cards that lie before its player."""

    hand = _Cards(allow_empty=False, help_text="The cards in hand; special cards without what they stand for.")
    trick = _Cards(help_text="The cards of the trick so far, in the order of play.")
    house = HouseRulesShape(required=False, help_text=HOUSE_HELP)


class CardJudged(Answer):
    card = Text(most=_CARD_LENGTH, help_text="A card of the hand.")
    is_legal = Yes(help_text="Whether it may be played now.")
    code = Text(allow_null=True, help_text="The code of the problem with it, null if it may be played.")
    detail = Text(allow_null=True, help_text="The same as a sentence, null if it may be played.")


class HandJudged(Answer):
    """Which cards of a hand may be played, and why not the others."""

    suit = Choice(choices=SUITS, allow_null=True, help_text="The letter of the suit to follow, null for none.")
    reason = ReasonAnswer(help_text="Why that suit has to be followed, or any card may be played.")
    cards = CardJudged(many=True, help_text="The cards in the order of the hand.")


# -- the operations -------------------------------------------------------------------------------------------------


class RefereeView(EngineView):
    def cards_of(self, sent: Mapping[str, Any], name: str) -> list[rules.Card]:
        """Return the cards of a field. Raises `Refused` (400) with all that are none."""
        found: list[rules.Card] = []
        findings: list[Finding] = []
        for place, notation in enumerate(sent[name]):
            try:
                found.append(rules.Card.parse(notation))
            except rules.RulesError as error:
                findings += _findings(error.problems, f"{name}.{place}")
        if findings:
            raise Refused(400, findings)
        return found

    def check_trick(self, cards: Sequence[rules.Card], house: rules.HouseRules, players: int, name: str) -> None:
        """Do nothing if these cards can lie in one trick. Raises `Refused` (400)."""
        rules.check_house_rules(house)
        if problems := rules.trick_problems(cards, house, players):
            raise Refused(400, _findings(problems, name))


def _findings(problems: Sequence[rules.Problem], field: str) -> list[Finding]:
    return [Finding(problem.code, wording.problem_in_words(problem), field) for problem in problems]


def _is_single_suit(house: rules.HouseRules) -> bool:
    return rules.VARIANTS[house.variant].single_suit


def _suit_to_follow(cards: Sequence[rules.Card], *, single_suit: bool) -> str | None:
    suit = None if single_suit else rules.suit_to_follow(cards)
    return None if suit is None else str(suit)


class Tricks(RefereeView):
    @operation(
        "engine_tricks",
        summary="Who takes a trick",
        tag=TAG,
        takes=TrickAsked,
        answer=TrickDecided,
        writes=False,
        errors={400: ("card_unknown", "card_undeclared", "card_not_in_deck", "too_many_of_card", "suit_not_in_deck")},
        examples=[
            OpenApiExample("Only one trump", {"cards": ["B9", "B13", "R2"], "trump": "R"}, request_only=True),
            OpenApiExample(
                "A fairy and a dragon",
                {"cards": ["W", "DRAGON", "FAIRY"], "trump": None, "house": {"specials": ["DRAGON", "FAIRY"]}},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Any) -> Any:
        """Who takes a trick, complete or as it lies, why, and what follows from its cards."""
        sent = self.sent()
        cards, house = self.cards_of(sent, "cards"), house_of(sent.get("house", {}))
        players = min(rules.MOST_PLAYERS, max(rules.FEWEST_PLAYERS, len(cards)))
        self.check_trick(cards, house, sent.get("players", players), "cards")
        trump = rules.Suit(sent["trump"]) if sent["trump"] is not None else None
        if trump is not None and trump not in rules.DECKS[house.deck].suits:
            wrong = rules.Problem.of("suit_not_in_deck", suit=str(trump), deck=house.deck)
            raise Refused(400, _findings([wrong], "trump"))
        asked = {"single_suit": _is_single_suit(house), "last_trick": sent.get("last_trick", False)}
        outcome = rules.trick_outcome(cards, trump, **asked)
        return self.answer(
            {
                "winner": outcome.winner,
                "next_leader": outcome.next_leader,
                "bombed": outcome.bombed,
                "cloud_owner": outcome.cloud_owner,
                "pass_left": outcome.pass_left,
                "suit": _suit_to_follow(cards, single_suit=asked["single_suit"]),
                "reason": reason_body(outcome.reason),
                "steps": [reason_body(reason) for reason in rules.trick_steps(cards, trump, **asked)],
            }
        )


class LegalCards(RefereeView):
    @operation(
        "engine_legal_cards",
        summary="Which cards may be played",
        tag=TAG,
        takes=HandAsked,
        answer=HandJudged,
        writes=False,
        errors={400: ("card_unknown", "card_undeclared", "card_not_in_deck", "too_many_of_card")},
        examples=[
            OpenApiExample("Red was led", {"hand": ["R2", "B3", "W"], "trick": ["R5"]}, request_only=True),
        ],
    )
    def post(self, request: Any) -> Any:
        """Which cards of a hand may be played onto a trick, and why not the others."""
        sent = self.sent()
        house = house_of(sent.get("house", {}))
        hand = [card.undeclared for card in self.cards_of(sent, "hand")]
        trick = self.cards_of(sent, "trick")
        self.check_trick(trick, house, rules.MOST_PLAYERS - 1, "trick")
        deck = rules.deck_of(house)
        if strangers := [card for card in hand if card not in deck]:
            wrong = [rules.Problem.of("card_not_in_deck", card=str(card)) for card in strangers]
            raise Refused(400, _findings(wrong, "hand"))
        single_suit = _is_single_suit(house)
        return self.answer(
            {
                "suit": _suit_to_follow(trick, single_suit=single_suit),
                "reason": reason_body(rules.follow_reason(trick, single_suit=single_suit)),
                "cards": [self._judged(card, hand, trick, single_suit=single_suit) for card in hand],
            }
        )

    def _judged(
        self, card: rules.Card, hand: Sequence[rules.Card], trick: Sequence[rules.Card], *, single_suit: bool
    ) -> Body:
        # Whatever it is declared to be: that decides nothing here.
        problems = rules.play_problems(hand, trick, card.declarations[0], single_suit=single_suit)
        return {
            "card": str(card),
            "is_legal": not problems,
            "code": problems[0].code if problems else None,
            "detail": wording.problem_in_words(problems[0]) if problems else None,
        }
