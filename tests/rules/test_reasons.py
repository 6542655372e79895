"""Every reason a trick or a trump call can give: which question it answers, its params, its English sentence."""

import json
import pickle
import string
from collections.abc import Callable

import pytest
from hypothesis import given

from rules import (
    REASONS,
    SPECIALS,
    Card,
    HouseRules,
    Reason,
    Suit,
    follow_reason,
    plan_of,
    trick_outcome,
    trick_steps,
    trump_call,
)
from tests.rules.games import FRENCH, PLAIN, PROPERTY, cards, tricks

ALL_IN = HouseRules(specials=SPECIALS)
WEAK_NO_TRUMP = HouseRules(specials=SPECIALS, weak_specials_no_trump=True)


Question = Callable[[], Reason]


def trump(house: HouseRules, turned_up: str | None, *, number: int = 5, werewolf: int | None = None) -> Question:
    """Ask why trump is what it is at four; without a turned-up card in a round of 15 cards."""
    step = plan_of(house, 4, number=number, cards=5 if turned_up else 15)
    card = turned_up and Card.parse(turned_up)
    return lambda: trump_call(house, step, dealer=3, turned_up=card, werewolf=werewolf).reason


def follow(trick: str, **flags: bool) -> Question:
    """Ask which suit has to be followed, and why."""
    return lambda: follow_reason(cards(trick), **flags)


def take(trick: str, trump: str | None = None, **flags: bool) -> Question:
    """Ask why the best card is the best."""
    return lambda: trick_outcome(cards(trick), trump and Suit(trump), **flags).reason


def step(number: int, trick: str, trump: str | None = None, **flags: bool) -> Question:
    """Ask for one of the steps of a trick; `number` counts from 0, or from the end if it is negative."""
    return lambda: trick_steps(cards(trick), trump and Suit(trump), **flags)[number]


# What a public function is asked, the code of its answer, the params in order, the sentence.
SENTENCES: list[tuple[Question, str, dict[str, int | str], str]] = [
    (trump(PLAIN, "R7"), "trump_turned_up", {"card": "R7", "suit": "R"}, "R7 is turned up: R is trump."),
    (trump(PLAIN, "J"), "trump_jester", {"card": "J"}, "J is turned up, a jester: there is no trump."),
    (trump(FRENCH, "H2"), "trump_jester", {"card": "H2"}, "H2 is turned up, a jester: there is no trump."),
    (trump(PLAIN, "W"), "trump_dealer_chooses", {"card": "W"}, "W is turned up: the dealer names trump."),
    (
        trump(WEAK_NO_TRUMP, "BOMB"),
        "trump_weak_special",
        {"card": "BOMB"},
        "BOMB is turned up: there is no trump by this table's rules.",
    ),
    (trump(PLAIN, None), "trump_no_card_left", {}, "No card is left to be turned up: there is no trump."),
    (
        trump(HouseRules(last_round_dealer_trump=True), None),
        "trump_no_card_dealer_chooses",
        {},
        "No card is left to be turned up: the dealer names trump.",
    ),
    (
        trump(HouseRules(variant="maximus"), None, number=3),
        "trump_fixed",
        {"suit": "G"},
        "Trump is fixed in this round: G.",
    ),
    (trump(HouseRules(variant="maximus"), None), "trump_fixed_none", {}, "There is no trump in this round."),
    (
        trump(ALL_IN, "W", werewolf=2),
        "trump_werewolf",
        {"card": "W"},
        "The werewolf is swapped for W: whoever held it names trump.",
    ),
    (follow(""), "follow_lead", {}, "Nobody has played yet: any card may be led."),
    (
        follow("J CLOUD:R"),
        "follow_suit",
        {"card": "CLOUD:R", "suit": "R"},
        "CLOUD:R sets the suit: R has to be followed.",
    ),
    (
        follow("J DRAGON"),
        "follow_free",
        {"card": "DRAGON"},
        "DRAGON comes before any suit: nobody has to follow in this trick.",
    ),
    (follow("J"), "follow_nothing_yet", {}, "No suit is set yet: the first card with one sets it."),
    (follow("R5", single_suit=True), "follow_no_suits", {}, "Suits do not matter: any card may be played."),
    (take("R5 DRAGON FAIRY"), "take_fairy_over_dragon", {}, "The fairy beats the dragon."),
    (take("R5 DRAGON W"), "take_dragon", {"card": "DRAGON"}, "The dragon beats all others."),
    (take("R5 SA"), "take_wizard", {"card": "SA"}, "A wizard beats every card with a suit."),
    (take("R5 W W"), "take_first_wizard", {"card": "W"}, "Of several wizards the first one takes the trick."),
    (take("R5 B1", "B"), "take_trump", {"card": "B1", "suit": "B"}, "B1 is the only trump."),
    (take("R5 B1 B2", "B"), "take_highest_trump", {"card": "B2", "suit": "B"}, "B2 is the highest trump."),
    (
        take("R5 B1", "G"),
        "take_led_suit",
        {"card": "R5", "suit": "R"},
        "R5 is the only card of the suit led, and nobody has trumped.",
    ),
    (
        take("R5 R7", "G"),
        "take_highest_of_suit",
        {"card": "R7", "suit": "R"},
        "R7 is the highest card of the suit led, and nobody has trumped.",
    ),
    (
        take("FAIRY WEREWOLF"),
        "take_jester",
        {"card": "WEREWOLF"},
        "Only low cards lie here, and WEREWOLF ranks highest of them.",
    ),
    (take("J J J"), "take_first_jester", {"card": "J"}, "Only low cards lie here: the first jester takes the trick."),
    (
        take("BOMB FAIRY"),
        "take_low_card",
        {"card": "FAIRY"},
        "Only low cards lie here so far, and FAIRY ranks highest of them.",
    ),
    (
        take("R5 B9", single_suit=True),
        "take_highest_value",
        {"card": "B9"},
        "B9 has the highest value; suits do not matter.",
    ),
    (
        take("R5 B5", single_suit=True),
        "take_first_of_equals",
        {"card": "R5"},
        "R5 has the highest value and was the first of its kind; suits do not matter.",
    ),
    (
        step(2, "R5 DRAGON FAIRY"),
        "without_fairy",
        {"card": "DRAGON", "place": 2},
        "Without the fairy the best card would be DRAGON (card 2).",
    ),
    (
        step(3, "DRAGON FAIRY R5"),
        "without_both",
        {"card": "R5", "place": 3},
        "Without fairy and dragon the best card would be R5 (card 3).",
    ),
    (
        step(1, "SHAPESHIFTER:W R5"),
        "counts_as",
        {"card": "SHAPESHIFTER:W", "role": "W"},
        "SHAPESHIFTER:W counts as W, in the order of play.",
    ),
    (
        step(1, "WEREWOLF R5"),
        "counts_as",
        {"card": "WEREWOLF", "role": "J"},
        "WEREWOLF counts as J, in the order of play.",
    ),
    (
        step(1, "R5 CLOUD:G"),
        "discarded",
        {"card": "CLOUD:G"},
        "CLOUD:G is neither of the suit led nor trump: it is thrown off.",
    ),
    (
        step(1, "R5 JUGGLER:G", "G"),
        "value_in_suit",
        {"card": "JUGGLER:G", "value": "7.5"},
        "JUGGLER:G counts 7.5 in its suit.",
    ),
    (
        step(1, "CLOUD:R R5"),
        "value_in_suit",
        {"card": "CLOUD:R", "value": "9.75"},
        "CLOUD:R counts 9.75 in its suit.",
    ),
    (step(2, "R5 BOMB"), "bombed", {}, "The bomb destroys the trick: nobody gets it."),
    (
        step(-2, "R5 CLOUD:G"),
        "cloud_changes_bid",
        {"place": 1},
        "Who takes the trick with the cloud changes the own bid by one at the end of the round.",
    ),
    (step(-2, "R5 CLOUD:G BOMB"), "cloud_bombed", {}, "Cloud and bomb lie in one trick: no bid changes."),
    (
        step(-2, "R5 JUGGLER:G"),
        "pass_left",
        {},
        "The juggler is in the trick: everybody passes a card to the left.",
    ),
    (
        step(-2, "R5 JUGGLER:G", last_trick=True),
        "pass_nothing_left",
        {},
        "The juggler is in the last trick: there is nothing left to pass.",
    ),
    (step(-1, "R5 R9"), "leads_next", {"place": 2}, "The player of card 2 leads the next trick."),
    (
        step(-1, "R5 R9 BOMB"),
        "leads_next_after_bomb",
        {"place": 2},
        "The player of card 2 would have won and leads the next trick.",
    ),
    (step(-1, "R5 R9 BOMB", last_trick=True), "round_over", {}, "That was the last trick of the round."),
]


@pytest.mark.parametrize(("question", "code", "params", "sentence"), SENTENCES, ids=[row[1] for row in SENTENCES])
def test_reason_has_its_params_and_its_sentence(question: Question, code: str, params, sentence: str) -> None:
    reason = question()
    assert (reason.code, reason.params) == (code, tuple(params.items()))
    assert reason == Reason.of(code, **params)
    assert reason.args == params
    assert reason.message == sentence


# The reasons for points are those of a cell of the block: test_block.py.
def test_every_reason_is_given_by_a_public_function() -> None:
    assert {code for _, code, _, _ in SENTENCES} == {code for code in REASONS if not code.startswith("points_")}


PARAMS = {code: list(params) for _, code, params, _ in SENTENCES}


@pytest.mark.parametrize("code", PARAMS)
def test_template_is_a_sentence_made_of_params(code: str) -> None:
    fields = {field for _, field, _, _ in string.Formatter().parse(REASONS[code]) if field is not None}
    assert fields <= set(PARAMS[code])
    assert REASONS[code].format(**dict.fromkeys(PARAMS[code], "X")).endswith(".")
    assert REASONS[code][0] in string.ascii_uppercase + "{"


def test_templates_differ() -> None:
    assert len(set(REASONS.values())) == len(REASONS)


@PROPERTY
@given(tricks())
def test_steps_have_the_params_of_their_code(table) -> None:
    trick, suit, flags = table
    for reason in trick_steps(trick, suit, **flags):
        assert list(reason.args) == PARAMS[reason.code]
        assert {type(value) for value in reason.args.values()} <= {int, str}
        assert 1 <= reason.args.get("place", 1) <= len(trick)
        assert reason.args.get("card", str(trick[0])) in [str(card) for card in trick]


def test_params_are_plain_values() -> None:
    for question, _, params, _ in SENTENCES:
        reason = question()
        assert {type(value) for value in reason.args.values()} <= {int, str}
        assert json.loads(json.dumps(reason.args)) == params
        assert pickle.loads(pickle.dumps(reason)) == reason


def test_reason_is_a_value() -> None:
    one = Reason.of("leads_next", place=2)
    assert one == Reason("leads_next", (("place", 2),))
    assert len({one, Reason.of("leads_next", place=2), Reason.of("leads_next", place=3)}) == 2
    with pytest.raises(AttributeError):
        one.code = "round_over"  # type: ignore[misc]


def test_reason_takes_a_param_called_like_an_argument() -> None:
    assert Reason.of("x", code="y").args == {"code": "y"}


def test_reason_message_does_not_format_a_param_again() -> None:
    assert Reason.of("take_trump", card="{0.__class__}").message == "{0.__class__} is the only trump."


def test_reasons_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        REASONS["leads_next"] = ""  # type: ignore[index]
