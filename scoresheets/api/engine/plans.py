"""House rules, whether they go together, and the rounds that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

import rules
from scoresheets import league_words, rulebook, wording
from scoresheets.api.clubs import Clubs
from scoresheets.api.fields import Answer, Choice, Json, Shape, Text, Whole, Yes
from scoresheets.api.house import HouseRulesAnswer, HouseRulesShape, house_of
from scoresheets.api.schema import FoundProblem, operation
from scoresheets.api.views import Body, View

TAG = "engine"
#: More rounds and cards than any deck allows: the rules say so themselves.
MOST_ROUNDS = 100
MOST_CARDS = 100
SUITS = [str(suit) for suit in rules.Suit]
HOUSE_HELP = "What the table has agreed on; what is left out is as usual."
_PLAYERS_HELP = f"How many people play: {rules.FEWEST_PLAYERS} to {rules.MOST_PLAYERS}."


class EngineView(View):
    """An address that works something out from what is sent, for everybody."""

    #: Which field of the body each problem of house rules is about.
    FIELD_OF: ClassVar[Mapping[str, str]] = {
        **Clubs.FIELD_OF,
        "plus_minus_one_from": "house.plus_minus_one_from",
        "players": "players",
        "variant_players": "players",
    }

    def problem_bodies(self, problems: tuple[rules.Problem, ...]) -> list[Body]:
        """Return problems that are no refusal as they are answered."""
        return [
            {
                "code": problem.code,
                "detail": wording.problem_in_words(problem),
                "field": self.field_of(problem),
                "seat": None,
            }
            for problem in problems
        ]


# -- plans ----------------------------------------------------------------------------------------------------------


class PlannedRound(Answer):
    number = Whole(least=1, help_text="Counts the rounds.")
    cards = Whole(least=1, help_text="How many cards each player gets.")
    turned_up = Yes(help_text="Whether a card is left to be turned up for trump.")
    fixed_trump = Yes(help_text="Whether the variant sets the trump.")
    trump = Choice(choices=SUITS, allow_null=True, help_text="The suit it sets; null for no trump, or if it sets none.")
    dealer = Whole(
        least=0, most=rules.MOST_PLAYERS - 1, allow_null=True, help_text="Who deals, a seat from 0; null if not known."
    )


class PlanAnswer(Answer):
    """The rounds of a game."""

    rounds = PlannedRound(many=True, help_text="The rounds in order.")


class PlanAsked(Shape):
    """A table whose rounds are asked for."""

    house = HouseRulesShape(required=False, help_text=HOUSE_HELP)
    players = Whole(least=0, most=MOST_CARDS, help_text=_PLAYERS_HELP)
    ladder = Choice(
        required=False,
        choices=rules.LADDERS,
        help_text="Which rounds there are: `full` unless given, the publisher's `tournament` ladder, or a `free` list.",
    )
    rounds = Whole(
        required=False,
        allow_null=True,
        least=0,
        most=MOST_ROUNDS,
        help_text="Only so many of them; null for all.",
    )
    cards = serializers.ListField(
        required=False,
        child=Whole(least=0, most=MOST_CARDS, help_text="The cards of a round."),
        max_length=MOST_ROUNDS,
        help_text="The cards of each round of the `free` ladder.",
    )
    first_dealer = Whole(
        required=False,
        allow_null=True,
        least=0,
        most=MOST_CARDS,
        help_text="Who deals first, a seat from 0; null if not known.",
    )


class Plans(EngineView):
    FIELD_OF = {
        **EngineView.FIELD_OF,
        "dealer_out_of_range": "first_dealer",
        "rounds_out_of_range": "rounds",
        "ladder_players": "ladder",
        "ladder_cards": "cards",
    }

    @operation(
        "engine_plans",
        summary="The rounds of a game",
        tag=TAG,
        takes=PlanAsked,
        answer=PlanAnswer,
        writes=False,
        errors={
            400: ("players", "variant_players", "variant_incompatible", "rounds_out_of_range", "cards_exceed_deck")
        },
        examples=[
            OpenApiExample("Tournament for four", {"players": 4, "ladder": "tournament"}, request_only=True),
            OpenApiExample(
                "An own list",
                {"players": 3, "ladder": "free", "cards": [1, 5, 10], "first_dealer": 2},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Any) -> Any:
        """The rounds of a game: how many cards, whether a card is turned up, which trump is fixed, who deals."""
        sent = self.sent()
        house = house_of(sent.pop("house", {}))
        plan = rules.round_plans(house, sent.pop("players"), **sent)
        return self.answer(
            {
                "rounds": [
                    {
                        "number": step.number,
                        "cards": step.cards,
                        "turned_up": step.turned_up,
                        "fixed_trump": step.fixed_trump,
                        "trump": str(step.trump) if step.trump is not None else None,
                        "dealer": step.dealer,
                    }
                    for step in plan
                ]
            }
        )

    def field_of(self, problem: rules.Problem) -> str | None:
        if problem.code in ("cards_out_of_range", "cards_exceed_deck"):
            return f"cards.{int(problem.args['round']) - 1}"
        return super().field_of(problem)


# -- house rules ----------------------------------------------------------------------------------------------------


class HouseRulesChecked(Answer):
    """Whether house rules go together."""

    house = HouseRulesAnswer(help_text="All of the house rules, also those that were left out.")
    edition = Choice(choices=rules.EDITIONS, help_text="What the table plays, for comparing like with like.")
    deck_size = Whole(least=1, help_text="How many cards are in the box.")
    most_rounds = Whole(
        least=1, allow_null=True, help_text="How many rounds a full game has; null without `players`, or with problems."
    )
    problems = FoundProblem(many=True, help_text="All that does not go together; none if it can be played.")


class HouseRulesAsked(Shape):
    """House rules that are to be checked."""

    house = HouseRulesShape(help_text=HOUSE_HELP)
    players = Whole(required=False, allow_null=True, least=0, most=MOST_CARDS, help_text=_PLAYERS_HELP)


class HouseRulesCheck(EngineView):
    @operation(
        "engine_check_house_rules",
        summary="Check house rules",
        tag=TAG,
        takes=HouseRulesAsked,
        answer=HouseRulesChecked,
        writes=False,
        examples=[
            OpenApiExample(
                "A dragon without its fairy",
                {"house": {"specials": ["DRAGON", "BOMB"]}, "players": 5},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any) -> Any:
        """Whether house rules go together, and all that does not: problems are no error here."""
        sent = self.sent()
        house, players = house_of(sent["house"]), sent.get("players")
        problems = rules.house_rules_problems(house, players)
        return self.answer(
            {
                "house": house.to_mapping(),
                "edition": rules.edition_of(house),
                "deck_size": rules.deck_size(house),
                "most_rounds": rules.most_rounds(house, players) if players is not None and not problems else None,
                "problems": self.problem_bodies(problems),
            }
        )


# -- presets --------------------------------------------------------------------------------------------------------


class NamedChoice(Answer):
    name = Text(help_text="The value that other operations take and answer.")
    title = Text(help_text="What it is called, in the language of `Accept-Language`.")


class ExplainedChoice(NamedChoice):
    line = Text(help_text="What it means, in one line.")


class PresetAnswer(ExplainedChoice):
    house = HouseRulesAnswer(help_text="The house rules of the preset.")
    ladder = Choice(choices=rules.LADDERS, help_text="Its rounds.")


class VariantAnswer(ExplainedChoice):
    fewest_players = Whole(least=1, help_text="For how many people at least.")
    most_players = Whole(least=1, help_text="For how many at most.")


class DeckAnswer(ExplainedChoice):
    size = Whole(least=1, help_text="How many cards it has, without special cards.")
    suits = serializers.ListField(child=Choice(choices=SUITS), help_text="The letters of its suits.")
    takes_specials = Yes(help_text="Whether special cards can be added.")


class RuleAnswer(ExplainedChoice):
    usual = Json(help_text="The value it has where nothing else is agreed: true or false, a number, a name or names.")


class PresetsAnswer(Answer):
    """All that a table can agree on."""

    fewest_players = Whole(least=1, help_text="For how many people the game is at least.")
    most_players = Whole(least=1, help_text="For how many at most.")
    presets = PresetAnswer(many=True, help_text="What tables usually agree on together, the usual one first.")
    rules = RuleAnswer(many=True, help_text="Every house rule.")
    decks = DeckAnswer(many=True, help_text="Values of `deck`.")
    variants = VariantAnswer(many=True, help_text="Values of `variant`.")
    specials = ExplainedChoice(many=True, help_text="Values in `specials`.")
    tie_breaks = ExplainedChoice(many=True, help_text="Values of `tie_break`.")
    ladders = ExplainedChoice(many=True, help_text="Which rounds a game can have.")
    editions = NamedChoice(many=True, help_text="What is compared with its like alone, in seasons and statistics.")


def _explained(name: str, words: rulebook.Words) -> Body:
    return {"name": name, "title": str(words.name), "line": str(words.line)}


class Presets(EngineView):
    @operation("engine_presets", summary="What a table can agree on", tag=TAG, answer=PresetsAnswer)
    def get(self, request: Any) -> Any:
        """Presets, house rules, decks, variants, special cards, ladders and editions, with their words."""
        usual = rules.HouseRules().to_mapping()
        return self.answer(
            {
                "fewest_players": rules.FEWEST_PLAYERS,
                "most_players": rules.MOST_PLAYERS,
                "presets": [
                    {
                        **_explained(name, rulebook.PRESETS[name]),
                        "house": preset.house.to_mapping(),
                        "ladder": preset.ladder,
                    }
                    for name, preset in rules.PRESETS.items()
                ],
                "rules": [{**_explained(name, words), "usual": usual[name]} for name, words in rulebook.FIELDS.items()],
                "decks": [
                    {
                        **_explained(name, rulebook.DECKS[name]),
                        "size": len(deck.cards),
                        "suits": [str(suit) for suit in deck.suits],
                        "takes_specials": deck.takes_specials,
                    }
                    for name, deck in rules.DECKS.items()
                ],
                "variants": [
                    {
                        **_explained(name, rulebook.VARIANT_WORDS[name]),
                        "fewest_players": variant.players[0],
                        "most_players": variant.players[-1],
                    }
                    for name, variant in rules.VARIANTS.items()
                ],
                "specials": [_explained(name, rulebook.SPECIALS[name]) for name in rules.SPECIALS],
                "tie_breaks": [_explained(name, rulebook.TIE_BREAKS[name]) for name in rules.TIE_BREAKS],
                "ladders": [_explained(name, rulebook.LADDERS[name]) for name in rules.LADDERS],
                "editions": [{"name": name, "title": str(league_words.EDITIONS[name])} for name in rules.EDITIONS],
            }
        )
