"""Playing a card and taking a trick: decisions D40-D71, C5, C6 and D91 of RULES.md, then an oracle and properties."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules import (
    CARDS,
    SPECIALS,
    Card,
    HouseRules,
    Kind,
    Outcome,
    Problem,
    Reason,
    RulesError,
    Suit,
    deck_of,
    follow_reason,
    legal_cards,
    play_problems,
    single_suit_piles,
    strengths,
    suit_to_follow,
    trick_outcome,
    trick_steps,
)
from tests.rules import oracle
from tests.rules.games import PLAYED, PROPERTY, SUITS, cards, positions, tricks
from tests.thorough import scaled

SINGLE_SUIT = {"single_suit": True}
LAST = {"last_trick": True}


def words(played) -> list[str]:
    return [str(card) for card in played]


def taken(
    place: int, code: str, *, bombed: bool = False, cloud: int | None = None, passing: bool = False, **params: str
) -> Outcome:
    """Return an outcome whose best card lies at `place`, with the reason's code and params."""
    return Outcome(None if bombed else place, place, Reason.of(code, **params), bombed, cloud, passing)


def highest_red(place: int, card: str, **effects: Any) -> Outcome:
    """Return the outcome of a trick in which the highest card of the suit led, red, is the best."""
    return taken(place, "take_highest_of_suit", **effects, card=card, suit="R")


# D40-D47 and C5: decision, trick so far, hand, what may be played, flags.
LEGALITY = [
    ("D40 nobody has led", "", "R2 B3 W J", "R2 B3 W J", {}),
    ("D40 has the suit", "R5", "R2 B3 Y9", "R2", {}),
    ("D40 has the suit several times", "R5", "B1 R2 B3 R13 Y9 R5", "R2 R13 R5", {}),
    ("D40 has not the suit", "R5", "B3 Y9 G1", "B3 Y9 G1", {}),
    ("D40 need not play higher", "R12", "R1 R13", "R1 R13", {}),
    ("D40 need not trump", "R5 B9", "B1 Y2", "B1 Y2", {}),
    ("D40 a trump lying there does not change the suit", "R5 B9", "R1 B1", "R1", {}),
    ("D40 wizard and jester always", "R5", "R2 B3 W J", "R2 W J", {}),
    ("D40 every special card always", "R5", " ".join(["R2", "B3", *SPECIALS]), " ".join(["R2", *SPECIALS]), {}),
    ("D40 equal cards stay, in the order of the hand", "R5", "W B3 R2 J W R1", "W R2 J W R1", {}),
    ("D40 one card left", "R5", "B3", "B3", {}),
    ("D40 only special cards", "R5", "W DRAGON", "W DRAGON", {}),
    *(
        (f"D41 {low} led sets nothing", low, "R2 B3 W", "R2 B3 W", {})
        for low in ("J", "FAIRY", "BOMB", "SHAPESHIFTER:J", "WEREWOLF", "D2")
    ),
    *(
        (f"D41 first suited card after {low} sets the suit", f"{low} R5", "R2 B3 W", "R2 W", {})
        for low in ("J", "FAIRY", "BOMB", "SHAPESHIFTER:J", "WEREWOLF", "J J J", "FAIRY BOMB J")
    ),
    *(
        (f"D41 {free} led frees the trick", f"{free} R5 R6", "R2 B3", "R2 B3", {})
        for free in ("W", "DRAGON", "SHAPESHIFTER:W")
    ),
    *(
        (f"C5 {free} after low cards frees the trick", f"J {low} {free} R5", "R2 B3", "R2 B3", {})
        for free in ("W", "DRAGON", "SHAPESHIFTER:W")
        for low in ("J", "FAIRY", "BOMB", "WEREWOLF")
    ),
    *(
        (f"D42 {late} after the suit lifts nothing", f"R5 {late}", "R2 B3", "R2", {})
        for late in ("W", "DRAGON", "SHAPESHIFTER:W")
    ),
    ("D42 wizard after jester and suit lifts nothing", "J R5 W", "R2 B3", "R2", {}),
    ("D43 juggler led", "JUGGLER:G", "G2 R3 W", "G2 W", {}),
    ("D43 cloud led", "CLOUD:Y", "G2 Y3 W", "Y3 W", {}),
    ("D43 cloud is the first suited card", "J BOMB CLOUD:Y R4", "R2 Y3", "Y3", {}),
    ("D43 juggler led, suit not in hand", "JUGGLER:G", "R2 B3", "R2 B3", {}),
    ("D43 juggler in a free trick sets nothing", "W JUGGLER:G", "G2 R3", "G2 R3", {}),
    ("D44 juggler later", "R5 JUGGLER:G", "G2 R3", "R3", {}),
    ("D44 cloud later, suit not in hand", "R5 CLOUD:G", "G2 B3", "G2 B3", {}),
    ("D45 juggler and cloud in hand do not oblige", "R5", "JUGGLER CLOUD B3", "JUGGLER CLOUD B3", {}),
    ("D45 juggler and cloud are always free", "R5", "R1 JUGGLER B3 CLOUD", "R1 JUGGLER CLOUD", {}),
    ("D46 shapeshifter does not oblige", "R5", "SHAPESHIFTER B3", "SHAPESHIFTER B3", {}),
    ("D47 ace and two of the suit do not oblige", "H5", "HA H2 D4", "HA H2 D4", {}),
    ("D47 ace and two are always free", "H5", "HA D2 D4 H3", "HA D2 H3", {}),
    ("D47 ace led frees", "HA H5", "H3 D4", "H3 D4", {}),
    ("D47 two led sets nothing", "H2 D5", "H3 D4", "D4", {}),
    ("D47 pictures follow", "H5", "HJ HQ HK D4", "HJ HQ HK", {}),
    ("D91 suits do not matter", "R5", "R2 B3 W", "R2 B3 W", SINGLE_SUIT),
    ("D91 suits do not matter after a wizard", "R5 W", "R2 B3 J", "R2 B3 J", SINGLE_SUIT),
]


@pytest.mark.parametrize(("case", "trick", "hand", "legal", "flags"), LEGALITY, ids=[row[0] for row in LEGALITY])
def test_decision_what_may_be_played(case: str, trick: str, hand: str, legal: str, flags: dict[str, bool]) -> None:
    assert words(legal_cards(cards(hand), cards(trick), **flags)) == legal.split()


# D41-D47 and C5: decision, trick so far, suit to follow, why, flags.
FOLLOWING = [
    ("D41 nobody has led", "", None, Reason.of("follow_lead"), {}),
    ("D41 number card led", "R5 B7", "R", Reason.of("follow_suit", card="R5", suit="R"), {}),
    ("D41 low cards only", "J FAIRY BOMB WEREWOLF SHAPESHIFTER:J", None, Reason.of("follow_nothing_yet"), {}),
    ("D41 low cards first", "J FAIRY BOMB Y1 R2", "Y", Reason.of("follow_suit", card="Y1", suit="Y"), {}),
    ("D41 wizard led", "W R5", None, Reason.of("follow_free", card="W"), {}),
    ("D41 dragon led", "DRAGON R5", None, Reason.of("follow_free", card="DRAGON"), {}),
    ("C5 wizard after jester", "J W R5", None, Reason.of("follow_free", card="W"), {}),
    ("C5 dragon after bomb", "BOMB DRAGON R5", None, Reason.of("follow_free", card="DRAGON"), {}),
    ("D42 wizard after the suit", "R5 W B7", "R", Reason.of("follow_suit", card="R5", suit="R"), {}),
    ("D43 cloud led", "CLOUD:G R5", "G", Reason.of("follow_suit", card="CLOUD:G", suit="G"), {}),
    ("D43 juggler after jester", "J JUGGLER:B R5", "B", Reason.of("follow_suit", card="JUGGLER:B", suit="B"), {}),
    ("D44 juggler later", "R5 JUGGLER:B", "R", Reason.of("follow_suit", card="R5", suit="R"), {}),
    ("D46 shapeshifter as wizard", "SHAPESHIFTER:W R5", None, Reason.of("follow_free", card="SHAPESHIFTER:W"), {}),
    ("D46 shapeshifter as jester", "SHAPESHIFTER:J R5", "R", Reason.of("follow_suit", card="R5", suit="R"), {}),
    ("D47 ace", "SA H5", None, Reason.of("follow_free", card="SA"), {}),
    ("D47 two", "S2 HQ", "H", Reason.of("follow_suit", card="HQ", suit="H"), {}),
    ("D91 first card", "", None, Reason.of("follow_lead"), SINGLE_SUIT),
    ("D91 suits do not matter", "R5", "R", Reason.of("follow_no_suits"), SINGLE_SUIT),
    ("D91 suits do not matter after a wizard", "W", None, Reason.of("follow_no_suits"), SINGLE_SUIT),
]


@pytest.mark.parametrize(("case", "trick", "suit", "reason", "flags"), FOLLOWING, ids=[row[0] for row in FOLLOWING])
def test_decision_which_suit_to_follow(case: str, trick: str, suit: str | None, reason: Reason, flags) -> None:
    assert suit_to_follow(cards(trick)) == suit
    assert follow_reason(cards(trick), **flags) == reason


def must_follow(card: str, suit: str) -> list[Problem]:
    return [Problem.of("must_follow", card=card, suit=suit)]


# D40, D42, D45, D46: decision, hand, trick so far, the card played, what is wrong, flags.
PLAYS = [
    ("D40 follows", "R2 B3", "R5", "R2", [], {}),
    ("D40 does not follow", "R2 B3", "R5", "B3", must_follow("B3", "R"), {}),
    ("D40 cannot follow", "G2 B3", "R5", "B3", [], {}),
    ("D40 wizard", "R2 W", "R5", "W", [], {}),
    ("D42 wizard in the trick does not free", "R2 B3", "R5 W", "B3", must_follow("B3", "R"), {}),
    ("D43 does not follow the cloud", "Y2 B3", "CLOUD:Y", "B3", must_follow("B3", "Y"), {}),
    ("D45 juggler as another suit than the one to follow", "R2 JUGGLER", "R5", "JUGGLER:G", [], {}),
    ("D45 cloud without a suit", "CLOUD", "", "CLOUD", [Problem.of("card_undeclared", card="CLOUD")], {}),
    ("D45 juggler without a suit", "JUGGLER R2", "R5", "JUGGLER", [Problem.of("card_undeclared", card="JUGGLER")], {}),
    ("D46 shapeshifter as wizard", "R2 SHAPESHIFTER", "R5", "SHAPESHIFTER:W", [], {}),
    (
        "D46 shapeshifter without a role",
        "R2 SHAPESHIFTER",
        "R5",
        "SHAPESHIFTER",
        [Problem.of("card_undeclared", card="SHAPESHIFTER")],
        {},
    ),
    ("not in the hand", "R2 B3", "R5", "R3", [Problem.of("card_not_in_hand", card="R3")], {}),
    ("not in an empty hand", "", "", "W", [Problem.of("card_not_in_hand", card="W")], {}),
    ("not in the hand, declared", "R2 B3", "R5", "CLOUD:R", [Problem.of("card_not_in_hand", card="CLOUD")], {}),
    ("not in the hand, undeclared", "R2 B3", "R5", "CLOUD", [Problem.of("card_not_in_hand", card="CLOUD")], {}),
    ("another ace", "HA", "", "SA", [Problem.of("card_not_in_hand", card="SA")], {}),
    ("D47 ace while a number card of the suit is there", "H3 HA", "H5", "HA", [], {}),
    ("D91 any card", "R2 B3", "R5", "B3", [], SINGLE_SUIT),
]


@pytest.mark.parametrize(("case", "hand", "trick", "card", "problems", "flags"), PLAYS, ids=[row[0] for row in PLAYS])
def test_decision_what_is_wrong_with_a_card(case, hand, trick, card, problems, flags) -> None:
    assert list(play_problems(cards(hand), cards(trick), Card.parse(card), **flags)) == problems


def test_play_problems_are_sentences() -> None:
    hand, trick = cards("R2 B3 CLOUD"), cards("R5")
    assert [play_problems(hand, trick, Card.parse(card))[0].message for card in ("Y1", "CLOUD", "B3")] == [
        "Y1 is not in this hand.",
        "CLOUD is played with what it stands for: a suit, or wizard or jester.",
        "B3 cannot be played: the suit R has to be followed.",
    ]


# D50-D56, C6, D91: decision, trick, trump, the whole outcome, flags.
TAKERS = [
    ("D50 only card of the suit led", "R5 G9 Y13 G1", None, taken(0, "take_led_suit", card="R5", suit="R"), {}),
    ("D50 highest of the suit led", "R5 R9 R2 R12", "B", taken(3, "take_highest_of_suit", card="R12", suit="R"), {}),
    ("D50 first of two of the suit led", "R9 R5 Y13", "B", taken(0, "take_highest_of_suit", card="R9", suit="R"), {}),
    ("D50 lowest trump beats", "R13 B1 R12", "B", taken(1, "take_trump", card="B1", suit="B"), {}),
    ("D50 highest trump", "R5 B3 B11 B7", "B", taken(2, "take_highest_trump", card="B11", suit="B"), {}),
    ("D50 a later lower trump does not", "R5 B7 B6", "B", taken(1, "take_highest_trump", card="B7", suit="B"), {}),
    ("D50 trump led", "B5 B7 R13", "B", taken(1, "take_highest_trump", card="B7", suit="B"), {}),
    ("D50 trump led, only one", "B1 R12 R13", "B", taken(0, "take_trump", card="B1", suit="B"), {}),
    ("D50 trump of a suit nobody has", "R5 R7 G13", "Y", taken(1, "take_highest_of_suit", card="R7", suit="R"), {}),
    ("D50 after jesters the suit led counts", "J R5 Y13", None, taken(1, "take_led_suit", card="R5", suit="R"), {}),
    ("D50 wizard", "B13 W B12", "B", taken(1, "take_wizard", card="W"), {}),
    ("D50 wizard last", "B13 B12 W", "B", taken(2, "take_wizard", card="W"), {}),
    ("D50 first wizard", "R5 W B13 W W", "B", taken(1, "take_first_wizard", card="W"), {}),
    ("D50 four wizards", "W W W W", "B", taken(0, "take_first_wizard", card="W"), {}),
    ("D50 dragon", "W DRAGON W B13", "B", taken(1, "take_dragon", card="DRAGON"), {}),
    ("D50 dragon led", "DRAGON W W", None, taken(0, "take_dragon", card="DRAGON"), {}),
    ("D50 fairy after dragon", "W DRAGON FAIRY B13", "B", taken(2, "take_fairy_over_dragon"), {}),
    ("D50 fairy before dragon", "FAIRY W J DRAGON", "B", taken(0, "take_fairy_over_dragon"), {}),
    ("D50 fairy without dragon", "FAIRY R1 J", "B", taken(1, "take_led_suit", card="R1", suit="R"), {}),
    ("D50 fairy beside a wizard", "FAIRY W J", "B", taken(1, "take_wizard", card="W"), {}),
    ("D50 six cards of the suit", "R6 R5 R4 R3 R2 R7", None, taken(5, "take_highest_of_suit", card="R7", suit="R"), {}),
    ("D50 six trumps", "B6 B5 B4 B3 B7 B2", "B", taken(4, "take_highest_trump", card="B7", suit="B"), {}),
    ("D50 ordinary pack: first ace", "HQ SA DK HA", "H", taken(1, "take_first_wizard", card="SA"), {}),
    ("D50 ordinary pack: pictures", "HQ HK HJ H10", None, taken(1, "take_highest_of_suit", card="HK", suit="H"), {}),
    ("D50 ordinary pack: jack above ten", "H10 HJ DK", None, taken(1, "take_highest_of_suit", card="HJ", suit="H"), {}),
    ("D50 ordinary pack: three is above two", "D2 H3 S2", None, taken(1, "take_led_suit", card="H3", suit="H"), {}),
    (
        "D51 juggler between seven and eight",
        "R7 JUGGLER:R R5",
        None,
        taken(1, "take_highest_of_suit", passing=True, card="JUGGLER:R", suit="R"),
        {},
    ),
    (
        "D51 eight beats the juggler",
        "R8 JUGGLER:R R5",
        None,
        taken(0, "take_highest_of_suit", passing=True, card="R8", suit="R"),
        {},
    ),
    (
        "D51 cloud between nine and ten",
        "R9 R5 CLOUD:R",
        None,
        taken(2, "take_highest_of_suit", cloud=2, card="CLOUD:R", suit="R"),
        {},
    ),
    (
        "D51 ten beats the cloud",
        "CLOUD:R R10 R5",
        None,
        taken(1, "take_highest_of_suit", cloud=1, card="R10", suit="R"),
        {},
    ),
    (
        "D51 cloud beats the juggler",
        "JUGGLER:R R1 CLOUD:R",
        None,
        taken(2, "take_highest_of_suit", cloud=2, passing=True, card="CLOUD:R", suit="R"),
        {},
    ),
    (
        "D51 juggler as trump beats lower trumps",
        "R13 B7 JUGGLER:B",
        "B",
        taken(2, "take_highest_trump", passing=True, card="JUGGLER:B", suit="B"),
        {},
    ),
    (
        "D51 juggler as trump loses to higher trumps",
        "R13 B8 JUGGLER:B",
        "B",
        taken(1, "take_highest_trump", passing=True, card="B8", suit="B"),
        {},
    ),
    (
        "D51 cloud as the only trump",
        "R13 CLOUD:B R12",
        "B",
        taken(1, "take_trump", cloud=1, card="CLOUD:B", suit="B"),
        {},
    ),
    (
        "D51 juggler led is the only card of its suit",
        "JUGGLER:G R13 Y13",
        None,
        taken(0, "take_led_suit", passing=True, card="JUGGLER:G", suit="G"),
        {},
    ),
    (
        "D52 juggler of another suit",
        "R2 JUGGLER:G R1",
        "B",
        taken(0, "take_highest_of_suit", passing=True, card="R2", suit="R"),
        {},
    ),
    ("D52 cloud of another suit", "R2 CLOUD:G Y1", "B", taken(0, "take_led_suit", cloud=0, card="R2", suit="R"), {}),
    ("D52 cloud in a free trick", "W CLOUD:G G1", None, taken(0, "take_wizard", cloud=0, card="W"), {}),
    ("D53 shapeshifter first", "SHAPESHIFTER:W W R5", "B", taken(0, "take_first_wizard", card="SHAPESHIFTER:W"), {}),
    ("D53 wizard first", "W SHAPESHIFTER:W R5", "B", taken(0, "take_first_wizard", card="W"), {}),
    (
        "D53 the only wizard",
        "B13 R5 SHAPESHIFTER:W",
        "B",
        taken(2, "take_wizard", card="SHAPESHIFTER:W"),
        {},
    ),
    (
        "D53 first jester",
        "SHAPESHIFTER:J J J",
        "B",
        taken(0, "take_first_jester", card="SHAPESHIFTER:J"),
        {},
    ),
    ("D53 jester first", "J SHAPESHIFTER:J J", "B", taken(0, "take_first_jester", card="J"), {}),
    (
        "D53 as jester loses",
        "SHAPESHIFTER:J R1 J",
        "B",
        taken(1, "take_led_suit", card="R1", suit="R"),
        {},
    ),
    ("D54 fairy led", "FAIRY J J", "B", taken(1, "take_first_jester", card="J"), {}),
    ("D54 fairy last", "J J FAIRY", "B", taken(0, "take_first_jester", card="J"), {}),
    ("D54 fairy led, one jester", "FAIRY J", "B", taken(1, "take_jester", card="J"), {}),
    ("D55 bomb led", "BOMB J J", "B", taken(1, "take_first_jester", bombed=True, card="J"), {}),
    ("D55 bomb and fairy led", "BOMB FAIRY J", "B", taken(2, "take_jester", bombed=True, card="J"), {}),
    ("D55 bomb and fairy alone", "BOMB FAIRY", "B", taken(1, "take_low_card", bombed=True, card="FAIRY"), {}),
    ("D55 bomb alone", "BOMB", "B", taken(0, "take_low_card", bombed=True, card="BOMB"), {}),
    ("D54 fairy alone", "FAIRY", "B", taken(0, "take_low_card", card="FAIRY"), {}),
    ("D56 werewolf first", "WEREWOLF J J", "B", taken(0, "take_first_jester", card="WEREWOLF"), {}),
    ("D56 jester first", "J WEREWOLF J", "B", taken(0, "take_first_jester", card="J"), {}),
    (
        "D56 the only jester",
        "FAIRY BOMB WEREWOLF",
        None,
        taken(2, "take_jester", bombed=True, card="WEREWOLF"),
        {},
    ),
    ("D56 werewolf loses", "WEREWOLF R1 J", "B", taken(1, "take_led_suit", card="R1", suit="R"), {}),
    ("C6 three jesters", "J J J", None, taken(0, "take_first_jester", card="J"), {}),
    ("C6 four jesters", "J J J J", "B", taken(0, "take_first_jester", card="J"), {}),
    ("C6 four twos", "D2 H2 C2 S2", "H", taken(0, "take_first_jester", card="D2"), {}),
    ("C6 five low cards", "FAIRY J J J J", "B", taken(1, "take_first_jester", card="J"), {}),
    ("C6 five jesters", "J J SHAPESHIFTER:J J J", "B", taken(0, "take_first_jester", card="J"), {}),
    (
        "C6 six low cards",
        "FAIRY BOMB WEREWOLF J SHAPESHIFTER:J J",
        "B",
        taken(2, "take_first_jester", bombed=True, card="WEREWOLF"),
        {},
    ),
    ("D91 highest value", "R5 B9 G7", None, taken(1, "take_highest_value", card="B9"), SINGLE_SUIT),
    ("D91 first of equals", "R5 B9 G9", None, taken(1, "take_first_of_equals", card="B9"), SINGLE_SUIT),
    ("D91 equals below the best", "R5 B5 G9", None, taken(2, "take_highest_value", card="G9"), SINGLE_SUIT),
    ("D91 the suit led is nothing", "R1 B2 R1", None, taken(1, "take_highest_value", card="B2"), SINGLE_SUIT),
    ("D91 trump is nothing", "R5 B1 G2", "B", taken(0, "take_highest_value", card="R5"), SINGLE_SUIT),
    ("D91 wizard above thirteen", "R13 W G13", None, taken(1, "take_wizard", card="W"), SINGLE_SUIT),
    ("D91 first wizard", "R13 W W", None, taken(1, "take_first_wizard", card="W"), SINGLE_SUIT),
    ("D91 one above the jester", "J R1 J", None, taken(1, "take_highest_value", card="R1"), SINGLE_SUIT),
    (
        "D91 one among jesters",
        "J R1 J J",
        None,
        taken(1, "take_highest_value", card="R1"),
        SINGLE_SUIT,
    ),
    ("D91 jesters only", "J J J", None, taken(0, "take_first_jester", card="J"), SINGLE_SUIT),
    (
        "D93 cloud among all values",
        "R9 B8 CLOUD:G",
        None,
        taken(2, "take_highest_value", cloud=2, card="CLOUD:G"),
        SINGLE_SUIT,
    ),
    (
        "D93 juggler and bomb among all values",
        "R7 BOMB JUGGLER:G",
        None,
        taken(2, "take_highest_value", bombed=True, passing=True, card="JUGGLER:G"),
        SINGLE_SUIT,
    ),
    ("D93 fairy and dragon", "R7 DRAGON FAIRY", None, taken(2, "take_fairy_over_dragon"), SINGLE_SUIT),
]


# D60-D71 as far as a trick knows them: decision, trick, trump, the whole outcome, flags.
EFFECTS = [
    ("D60 bomb last", "R5 R9 BOMB", None, highest_red(1, "R9", bombed=True), {}),
    ("D60 bomb led", "BOMB R5 R9", None, highest_red(2, "R9", bombed=True), {}),
    ("D60 bomb between", "R5 BOMB B1", "B", taken(2, "take_trump", card="B1", suit="B", bombed=True), {}),
    ("D61 wizard leads on", "R5 W BOMB W", "B", taken(1, "take_first_wizard", card="W", bombed=True), {}),
    ("D61 dragon leads on", "R5 BOMB DRAGON", "B", taken(2, "take_dragon", card="DRAGON", bombed=True), {}),
    ("D61 in the last trick", "R5 R9 BOMB", None, highest_red(1, "R9", bombed=True), LAST),
    ("D62 dragon, fairy and bomb", "DRAGON BOMB FAIRY", "B", taken(2, "take_fairy_over_dragon", bombed=True), {}),
    ("D62 fairy led", "FAIRY BOMB DRAGON", "B", taken(0, "take_fairy_over_dragon", bombed=True), {}),
    ("D63 juggler takes", "R5 JUGGLER:R R2", None, highest_red(1, "JUGGLER:R", passing=True), {}),
    ("D64 last trick", "R5 JUGGLER:R R2", None, highest_red(1, "JUGGLER:R"), LAST),
    ("D64 last trick, value stays", "R7 JUGGLER:R R2", None, highest_red(1, "JUGGLER:R"), LAST),
    ("D65 one card left each", "R5 JUGGLER:G", None, taken(0, "take_led_suit", card="R5", suit="R", passing=True), {}),
    (
        "D66 juggler and bomb",
        "R5 JUGGLER:R BOMB",
        None,
        highest_red(1, "JUGGLER:R", bombed=True, passing=True),
        {},
    ),
    (
        "D66 juggler and bomb, last trick",
        "R5 JUGGLER:R BOMB",
        None,
        highest_red(1, "JUGGLER:R", bombed=True),
        LAST,
    ),
    ("D67 juggler loses", "R5 R9 JUGGLER:R", None, highest_red(1, "R9", passing=True), {}),
    ("D67 juggler thrown off", "R5 R9 JUGGLER:G", None, highest_red(1, "R9", passing=True), {}),
    ("D67 juggler beside a wizard", "W R9 JUGGLER:G", None, taken(0, "take_wizard", card="W", passing=True), {}),
    ("D68 cloud takes", "R5 CLOUD:R R2", None, highest_red(1, "CLOUD:R", cloud=1), {}),
    ("D68 somebody else takes the cloud", "R5 CLOUD:R R12", None, highest_red(2, "R12", cloud=2), {}),
    ("D68 cloud thrown off", "R5 CLOUD:G R12", None, highest_red(2, "R12", cloud=2), {}),
    ("D68 last trick", "R5 CLOUD:R R2", None, highest_red(1, "CLOUD:R", cloud=1), LAST),
    ("D68 fairy takes the cloud", "CLOUD:R DRAGON FAIRY", None, taken(2, "take_fairy_over_dragon", cloud=2), {}),
    ("D69 cloud and bomb", "R5 CLOUD:R BOMB", None, highest_red(1, "CLOUD:R", bombed=True), {}),
    ("D69 bomb before the cloud", "BOMB R5 CLOUD:R", None, highest_red(2, "CLOUD:R", bombed=True), {}),
    ("D69 last trick", "R5 CLOUD:R BOMB", None, highest_red(1, "CLOUD:R", bombed=True), LAST),
    ("D70 cloud in a trick of its own", "R5 CLOUD:R J", None, highest_red(1, "CLOUD:R", cloud=1), {}),
    ("D70 bomb in a trick of its own", "R5 R7 J BOMB", None, highest_red(1, "R7", bombed=True), {}),
    (
        "D71 cloud and juggler",
        "R5 CLOUD:R JUGGLER:R",
        None,
        highest_red(1, "CLOUD:R", cloud=1, passing=True),
        {},
    ),
    (
        "D71 cloud, juggler and bomb",
        "R5 CLOUD:R JUGGLER:R BOMB",
        None,
        highest_red(1, "CLOUD:R", bombed=True, passing=True),
        {},
    ),
    (
        "D71 cloud and juggler, last trick",
        "R5 CLOUD:R JUGGLER:R",
        None,
        highest_red(1, "CLOUD:R", cloud=1),
        LAST,
    ),
    (
        "all seven special cards but one",
        "JUGGLER:B CLOUD:B DRAGON BOMB SHAPESHIFTER:W FAIRY",
        "B",
        taken(5, "take_fairy_over_dragon", bombed=True, passing=True),
        {},
    ),
]
OUTCOMES = TAKERS + EFFECTS


@pytest.mark.parametrize(("case", "trick", "trump", "outcome", "flags"), OUTCOMES, ids=[row[0] for row in OUTCOMES])
def test_decision_what_comes_of_a_trick(case: str, trick: str, trump: str | None, outcome: Outcome, flags) -> None:
    assert trick_outcome(cards(trick), trump and Suit(trump), **flags) == outcome


@pytest.mark.parametrize("notation", ["JUGGLER", "CLOUD", "SHAPESHIFTER"])
@pytest.mark.parametrize("flags", [{}, SINGLE_SUIT, LAST])
@pytest.mark.parametrize("function", [trick_outcome, trick_steps])
def test_undeclared_cards_are_refused_all_of_them(function, flags: dict[str, bool], notation: str) -> None:
    with pytest.raises(RulesError) as caught:
        function(cards(f"W {notation} R5 SHAPESHIFTER"), Suit.R, **flags)
    assert caught.value.problems == (
        Problem.of("card_undeclared", card=notation),
        Problem.of("card_undeclared", card="SHAPESHIFTER"),
    )


@pytest.mark.parametrize("flags", [{}, SINGLE_SUIT, LAST])
@pytest.mark.parametrize("function", [trick_outcome, trick_steps])
def test_empty_trick_is_refused(function, flags: dict[str, bool]) -> None:
    with pytest.raises(RulesError) as caught:
        function([], None, **flags)
    assert caught.value.problems == (Problem.of("trick_empty"),)
    assert str(caught.value) == "There is no card in this trick yet."


@pytest.mark.parametrize("trick", ["CLOUD:R " * 8, "W " * 9, "R5 " * 8 + "R6 CLOUD:G", "J " * 16, "BOMB " * 8])
def test_more_cards_than_a_table_plays_are_judged_all_the_same(trick: str) -> None:
    assert_agrees(trick.split(), None)


# trick_steps in full: title, trick, trump, flags, the steps as (code, params).
STEPS = [
    (
        "mock-up: fairy, dragon and cloud",
        "R9 CLOUD:R G3 DRAGON FAIRY",
        "G",
        {},
        [
            ("follow_suit", {"card": "R9", "suit": "R"}),
            ("value_in_suit", {"card": "CLOUD:R", "value": "9.75"}),
            ("take_fairy_over_dragon", {}),
            ("without_fairy", {"card": "DRAGON", "place": 4}),
            ("without_both", {"card": "G3", "place": 3}),
            ("cloud_changes_bid", {"place": 5}),
            ("leads_next", {"place": 5}),
        ],
    ),
    (
        "plain trick",
        "R5 R9 Y13",
        "B",
        {},
        [
            ("follow_suit", {"card": "R5", "suit": "R"}),
            ("take_highest_of_suit", {"card": "R9", "suit": "R"}),
            ("leads_next", {"place": 2}),
        ],
    ),
    (
        "last trick, trumped",
        "R5 B1 Y13",
        "B",
        LAST,
        [
            ("follow_suit", {"card": "R5", "suit": "R"}),
            ("take_trump", {"card": "B1", "suit": "B"}),
            ("round_over", {}),
        ],
    ),
    (
        "free trick, juggler thrown off",
        "J W JUGGLER:G W",
        None,
        {},
        [
            ("follow_free", {"card": "W"}),
            ("discarded", {"card": "JUGGLER:G"}),
            ("take_first_wizard", {"card": "W"}),
            ("pass_left", {}),
            ("leads_next", {"place": 2}),
        ],
    ),
    (
        "only low cards, bombed",
        "FAIRY BOMB WEREWOLF SHAPESHIFTER:J J",
        "B",
        {},
        [
            ("follow_nothing_yet", {}),
            ("counts_as", {"card": "WEREWOLF", "role": "J"}),
            ("counts_as", {"card": "SHAPESHIFTER:J", "role": "J"}),
            ("take_first_jester", {"card": "WEREWOLF"}),
            ("bombed", {}),
            ("leads_next_after_bomb", {"place": 3}),
        ],
    ),
    (
        "bomb, juggler, cloud: nobody gets it, cards are passed, no bid changes",
        "CLOUD:Y JUGGLER:B Y12 BOMB",
        "B",
        {},
        [
            ("follow_suit", {"card": "CLOUD:Y", "suit": "Y"}),
            ("value_in_suit", {"card": "CLOUD:Y", "value": "9.75"}),
            ("value_in_suit", {"card": "JUGGLER:B", "value": "7.5"}),
            ("take_trump", {"card": "JUGGLER:B", "suit": "B"}),
            ("bombed", {}),
            ("pass_left", {}),
            ("cloud_bombed", {}),
            ("leads_next_after_bomb", {"place": 2}),
        ],
    ),
    (
        "the same in the last trick",
        "CLOUD:Y JUGGLER:B Y12 BOMB",
        None,
        LAST,
        [
            ("follow_suit", {"card": "CLOUD:Y", "suit": "Y"}),
            ("value_in_suit", {"card": "CLOUD:Y", "value": "9.75"}),
            ("discarded", {"card": "JUGGLER:B"}),
            ("take_highest_of_suit", {"card": "Y12", "suit": "Y"}),
            ("bombed", {}),
            ("pass_nothing_left", {}),
            ("cloud_bombed", {}),
            ("round_over", {}),
        ],
    ),
    (
        "juggler and cloud: pass first, then change",
        "J CLOUD:R JUGGLER:R R10",
        None,
        {},
        [
            ("follow_suit", {"card": "CLOUD:R", "suit": "R"}),
            ("value_in_suit", {"card": "CLOUD:R", "value": "9.75"}),
            ("value_in_suit", {"card": "JUGGLER:R", "value": "7.5"}),
            ("take_highest_of_suit", {"card": "R10", "suit": "R"}),
            ("pass_left", {}),
            ("cloud_changes_bid", {"place": 4}),
            ("leads_next", {"place": 4}),
        ],
    ),
    (
        "dragon led: without it the next suited card is the suit led",
        "DRAGON FAIRY R5 R9 SHAPESHIFTER:J",
        None,
        {},
        [
            ("follow_free", {"card": "DRAGON"}),
            ("counts_as", {"card": "SHAPESHIFTER:J", "role": "J"}),
            ("take_fairy_over_dragon", {}),
            ("without_fairy", {"card": "DRAGON", "place": 1}),
            ("without_both", {"card": "R9", "place": 4}),
            ("leads_next", {"place": 2}),
        ],
    ),
    (
        "dragon alone has no alternative",
        "SHAPESHIFTER:W DRAGON W",
        "R",
        {},
        [
            ("follow_free", {"card": "SHAPESHIFTER:W"}),
            ("counts_as", {"card": "SHAPESHIFTER:W", "role": "W"}),
            ("take_dragon", {"card": "DRAGON"}),
            ("leads_next", {"place": 2}),
        ],
    ),
    (
        "nothing but dragon and fairy lies there yet",
        "DRAGON FAIRY",
        "R",
        {},
        [
            ("follow_free", {"card": "DRAGON"}),
            ("take_fairy_over_dragon", {}),
            ("without_fairy", {"card": "DRAGON", "place": 1}),
            ("leads_next", {"place": 2}),
        ],
    ),
    (
        "dragon, fairy and bomb",
        "FAIRY BOMB DRAGON",
        "R",
        {},
        [
            ("follow_free", {"card": "DRAGON"}),
            ("take_fairy_over_dragon", {}),
            ("without_fairy", {"card": "DRAGON", "place": 3}),
            ("without_both", {"card": "BOMB", "place": 2}),
            ("bombed", {}),
            ("leads_next_after_bomb", {"place": 1}),
        ],
    ),
    (
        "single suit",
        "R9 B9 G7",
        None,
        SINGLE_SUIT,
        [
            ("follow_no_suits", {}),
            ("take_first_of_equals", {"card": "R9"}),
            ("leads_next", {"place": 1}),
        ],
    ),
    (
        "single suit with special cards: nothing is thrown off",
        "R9 JUGGLER:B CLOUD:G DRAGON FAIRY",
        "B",
        SINGLE_SUIT,
        [
            ("follow_no_suits", {}),
            ("value_in_suit", {"card": "JUGGLER:B", "value": "7.5"}),
            ("value_in_suit", {"card": "CLOUD:G", "value": "9.75"}),
            ("take_fairy_over_dragon", {}),
            ("without_fairy", {"card": "DRAGON", "place": 4}),
            ("without_both", {"card": "CLOUD:G", "place": 3}),
            ("pass_left", {}),
            ("cloud_changes_bid", {"place": 5}),
            ("leads_next", {"place": 5}),
        ],
    ),
]


@pytest.mark.parametrize(("title", "trick", "trump", "flags", "steps"), STEPS, ids=[row[0] for row in STEPS])
def test_trick_steps_tell_the_whole_story(title, trick, trump, flags, steps) -> None:
    told = trick_steps(cards(trick), trump and Suit(trump), **flags)
    assert list(told) == [Reason.of(code, **params) for code, params in steps]


# The oracle: the same questions answered in another way (tests/rules/oracle.py).
TRICKS, POSITIONS = scaled(6_000, 10), scaled(4_000, 10)


def assert_agrees(trick: list[str], trump: str | None, **flags: bool) -> None:
    """Compare what comes of a trick, and the suit to follow, with the oracle."""
    played = [Card.parse(notation) for notation in trick]
    verdict = oracle.judge(trick, trump, **flags)
    outcome = trick_outcome(played, trump and Suit(trump), **flags)
    reason = {} if verdict.because == "take_fairy_over_dragon" else {"card": trick[verdict.next_leader]}
    if verdict.because in ("take_led_suit", "take_highest_of_suit", "take_trump", "take_highest_trump"):
        reason["suit"] = oracle.suit_of(trick[verdict.next_leader])
    assert outcome == Outcome(
        verdict.winner,
        verdict.next_leader,
        Reason.of(verdict.because, **reason),
        verdict.bombed,
        verdict.cloud_owner,
        verdict.pass_left,
    ), (trick, trump, flags)
    assert (suit_to_follow(played) or "") == oracle.suit_led(trick), trick


def assert_agrees_on_legal(hand: list[str], trick: list[str], **flags: bool) -> None:
    """Compare what may be played with the oracle."""
    legal = legal_cards([Card.parse(card) for card in hand], [Card.parse(card) for card in trick], **flags)
    assert words(legal) == oracle.legal(hand, trick, **flags), (hand, trick, flags)


def played_deals(rng: random.Random) -> Iterator[tuple[list[list[str]], list[str], str | None, dict[str, bool]]]:
    """Yield tricks of whole rounds: the hands before the trick, its cards, both in the order of play, trump, flags.

    In half of the deals the cards without a suit are dealt among few others, so that they meet.
    """
    while True:
        kind = rng.choice(["wizard60", "wizard60", "french52", "einfarbig"])
        players = rng.randint(3, 4 if kind == "einfarbig" else 6)
        if kind == "einfarbig":
            size = rng.randint(4, 15)
            hands = [rng.sample(words(pile), size) for pile in single_suit_piles(HouseRules(), players)]
        else:
            specials = rng.sample(SPECIALS, rng.choice([0, 3, 7, 7])) if kind == "wizard60" else ()
            deck = words(deck_of(HouseRules(deck=kind, specials=tuple(specials))))
            rng.shuffle(deck)
            size = rng.randint(1, len(deck) // players)
            if rng.random() < 0.5:
                deck.sort(key=lambda card: oracle.suit_of(card) != "" and rng.random() < 0.9)
                size = min(size, rng.randint(1, 3))
            hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]
        trump = None if kind == "einfarbig" else rng.choice([None, *SUITS[kind]])
        leader = rng.randrange(players)
        for left in range(size, 0, -1):
            flags = {"single_suit": kind == "einfarbig", "last_trick": left == 1}
            before, trick = [list(hand) for hand in hands], []
            order = [(leader + step) % players for step in range(players)]
            for seat in order:
                card = rng.choice(oracle.legal(hands[seat], trick, single_suit=flags["single_suit"]))
                hands[seat].remove(card)
                trick.append(str(rng.choice(Card.parse(card).declarations)))
            yield [before[seat] for seat in order], trick, trump, flags
            leader = order[oracle.judge(trick, trump, **flags).next_leader]


def test_oracle_agrees_on_tricks_and_hands_of_played_deals() -> None:
    deals = played_deals(random.Random(31))
    seen: Counter[str] = Counter()
    positions_seen = 0
    for hands, trick, trump, flags in itertools.islice(deals, TRICKS // 2):
        seen[oracle.judge(trick, trump, **flags).because] += 1
        assert_agrees(trick, trump, **flags)
        for place, hand in enumerate(hands):
            assert_agrees_on_legal(hand, trick[:place], single_suit=flags["single_suit"])
            positions_seen += 1
    assert positions_seen >= POSITIONS // 2
    assert set(seen) >= TAKE_CODES - {"take_low_card", "take_jester"}  # too few cards, and three at one table


def test_oracle_agrees_on_any_tricks() -> None:
    rng = random.Random(32)
    seen: Counter[str] = Counter()
    for _ in range(TRICKS // 2):
        deck = rng.choice(["wizard60", "wizard60", "french52"])
        pool = words(PLAYED[deck])
        odd = [card for card in pool if oracle.suit_of(card) == "" or ":" in card]
        trick = [rng.choice(rng.choice([pool, odd])) for _ in range(rng.choice([1, 2, 3, 4, 5, 6, 6, 9]))]
        flags = {"single_suit": rng.random() < 0.25, "last_trick": rng.random() < 0.25}
        trump = rng.choice([None, *SUITS[deck]])
        seen[oracle.judge(trick, trump, **flags).because] += 1
        assert_agrees(trick, trump, **flags)
    assert set(seen) == TAKE_CODES


TAKE_CODES = {row[3].reason.code for row in OUTCOMES}


def test_oracle_agrees_on_any_hands() -> None:
    rng = random.Random(33)
    bound = 0
    for _ in range(POSITIONS // 2):
        deck = rng.choice(["wizard60", "wizard60", "french52"])
        pool = words(PLAYED[deck])
        hand = [str(Card.parse(card).undeclared) for card in rng.choices(pool, k=rng.randint(1, 10))]
        trick = rng.choices(pool, k=rng.randint(0, 5))
        single_suit = rng.random() < 0.1
        assert_agrees_on_legal(hand, trick, single_suit=single_suit)
        bound += oracle.legal(hand, trick, single_suit=single_suit) != hand
    assert bound >= POSITIONS // 10


@pytest.mark.parametrize("deck", ["wizard60", "french52"])
def test_oracle_agrees_on_all_tricks_of_two_cards(deck: str) -> None:
    pool = words(PLAYED[deck])
    for trump in (None, *SUITS[deck]):
        for pair in itertools.product(pool, pool):
            assert_agrees([*pair], trump)


# Properties.
@PROPERTY
@given(tricks())
def test_trick_has_exactly_one_best_card(table) -> None:
    trick, trump, flags = table
    outcome = trick_outcome(trick, trump, **flags)
    bombed = Kind.BOMB in [card.kind for card in trick]
    clouded = Kind.CLOUD in [card.kind for card in trick]
    juggled = Kind.JUGGLER in [card.kind for card in trick]
    assert 0 <= outcome.next_leader < len(trick)
    assert outcome.bombed == (outcome.winner is None) == bombed
    assert outcome.winner in (None, outcome.next_leader)
    assert outcome.cloud_owner == (outcome.winner if clouded else None)
    assert outcome.pass_left == (juggled and not flags["last_trick"])


@PROPERTY
@given(tricks())
def test_best_card_stays_the_best_without_any_other(table) -> None:
    trick, trump, flags = table
    assume(not {Kind.DRAGON, Kind.FAIRY} <= {card.kind for card in trick})
    best = trick_outcome(trick, trump, **flags).next_leader
    for place in range(best + 1, len(trick)):
        left = trick[:place] + trick[place + 1 :]
        assert trick_outcome(left, trump, **flags).next_leader == best


@PROPERTY
@given(tricks(), st.booleans())
def test_last_trick_changes_nothing_but_the_passing(table, single_suit: bool) -> None:
    trick, trump, _flags = table
    now, last = (trick_outcome(trick, trump, single_suit=single_suit, last_trick=flag) for flag in (False, True))
    assert (now.winner, now.next_leader, now.reason, now.cloud_owner) == (
        *(last.winner, last.next_leader, last.reason, last.cloud_owner),
    )
    assert last.pass_left is False


@PROPERTY
@given(tricks())
def test_every_prefix_has_an_outcome_and_steps(table) -> None:
    trick, trump, flags = table
    for length in range(1, len(trick) + 1):
        outcome = trick_outcome(trick[:length], trump, **flags)
        assert outcome.next_leader < length
        steps = trick_steps(trick[:length], trump, **flags)
        assert steps.count(outcome.reason) == 1
        assert all(step.message for step in steps)
        assert steps[0] == follow_reason(trick[:length], single_suit=flags["single_suit"])
        assert (steps[-1].code == "round_over") == flags["last_trick"]


@PROPERTY
@given(tricks())
def test_suit_to_follow_never_changes_once_set_or_freed(table) -> None:
    trick, _trump, _flags = table
    settled = None
    for length in range(len(trick) + 1):
        so_far = trick[:length]
        reason = follow_reason(so_far)
        assert (reason.code == "follow_suit") == (suit_to_follow(so_far) is not None)
        if settled is not None:
            assert (suit_to_follow(so_far), reason) == settled
        elif reason.code in ("follow_suit", "follow_free"):
            settled = suit_to_follow(so_far), reason


def relabelled(card: Card, names: dict[Suit, Suit]) -> Card:
    return card if card.suit is None else Card(card.kind, names[card.suit], card.rank, card.role)


@PROPERTY
@given(tricks(), st.permutations("BRGY"), st.permutations("HDCS"))
def test_suits_are_only_names(table, wizard_suits, french_suits) -> None:
    trick, trump, flags = table
    names = dict(zip(Suit, map(Suit, [*wizard_suits, *french_suits]), strict=True))
    others = tuple(relabelled(card, names) for card in trick)
    was = trick_outcome(trick, trump, **flags)
    came = trick_outcome(others, trump and names[trump], **flags)
    params = was.reason.args
    if "card" in params:
        params["card"] = str(others[was.next_leader])
    if "suit" in params:
        params["suit"] = str(names[Suit(params["suit"])])
    reason = Reason.of(was.reason.code, **params)
    assert came == Outcome(was.winner, was.next_leader, reason, was.bombed, was.cloud_owner, was.pass_left)
    assert suit_to_follow(others) == names.get(suit_to_follow(trick))


@PROPERTY
@given(tricks(), st.sampled_from(["J", "WEREWOLF", "SHAPESHIFTER:J"]))
def test_jester_at_the_end_takes_nothing_from_other_cards(table, jester: str) -> None:
    trick, trump, flags = table
    longer = (*trick, Card.parse(jester))
    outcome = trick_outcome(longer, trump, **flags)
    if {card.kind for card in trick} <= {Kind.FAIRY, Kind.BOMB}:
        assert outcome.next_leader == len(trick)
    else:
        assert outcome.next_leader == trick_outcome(trick, trump, **flags).next_leader
        assert outcome.winner == trick_outcome(trick, trump, **flags).winner


@PROPERTY
@given(tricks(), st.sampled_from(["W", "SHAPESHIFTER:W"]))
def test_wizard_at_the_end_takes_from_all_but_wizard_and_dragon(table, wizard: str) -> None:
    trick, trump, flags = table
    taken_already = {card.counts_as for card in trick} & {Kind.WIZARD, Kind.DRAGON}
    best = trick_outcome((*trick, Card.parse(wizard)), trump, **flags).next_leader
    assert (best == len(trick)) == (not taken_already)


@PROPERTY
@given(tricks())
def test_outcome_takes_lists_and_suit_letters(table) -> None:
    trick, trump, flags = table
    assert trick_outcome(list(trick), trump and Suit(str(trump)), **flags) == trick_outcome(trick, trump, **flags)


@PROPERTY
@given(positions())
def test_something_may_always_be_played(position) -> None:
    hand, trick, single_suit = position
    legal = legal_cards(hand, trick, single_suit=single_suit)
    remaining = iter(hand)
    assert len(legal) >= 1
    assert all(card in remaining for card in legal)  # in the order of the hand
    assert Counter(legal) <= Counter(hand)
    assert all(Counter(legal)[card] == Counter(hand)[card] for card in legal)


@PROPERTY
@given(positions())
def test_play_problems_are_none_exactly_for_the_ways_to_play_legal_cards(position) -> None:
    hand, trick, single_suit = position
    playable = {form for card in legal_cards(hand, trick, single_suit=single_suit) for form in card.declarations}
    for card in CARDS:
        problems = play_problems(hand, trick, card, single_suit=single_suit)
        assert (problems == ()) == (card in playable)
        assert len(problems) <= 1
        assert all(problem.message and problem.seat is None for problem in problems)


# strengths.
@pytest.mark.parametrize("single_suit", [False, True])
@pytest.mark.parametrize("suit", [None, "B", "R", "H"])
@pytest.mark.parametrize("trump", [None, "R", "Y", "H"])
def test_strengths_are_equal_exactly_for_cards_that_tie(trump, suit, single_suit: bool) -> None:
    found = strengths(trump and Suit(trump), suit and Suit(suit), single_suit)
    assert len(found) == len(CARDS)

    def standing(card: Card) -> object:
        if card.kind is Kind.NUMBER:
            ranked = "any" if single_suit else card.suit if card.suit in (trump, suit) else "discard"
            return ranked, card.rank
        if card.kind in (Kind.JUGGLER, Kind.CLOUD) and card.suit is not None:
            return (card.kind, None if single_suit else card.suit if card.suit in (trump, suit) else "discard")
        return card.counts_as

    for one, other in itertools.combinations([card for card in CARDS if card.is_declared], 2):
        assert (found[one.code] == found[other.code]) == (standing(one) == standing(other)), (str(one), str(other))


@pytest.mark.parametrize(
    ("trump", "suit", "order"),
    [
        (None, "R", "DRAGON W R13 R10 CLOUD:R R9 R8 JUGGLER:R R7 R1 J FAIRY BOMB B13"),
        ("B", "R", "DRAGON W B13 B10 CLOUD:B B9 B8 JUGGLER:B B7 B1 R13 CLOUD:R JUGGLER:R R1 J FAIRY BOMB Y13 G1"),
        ("R", "R", "DRAGON SHAPESHIFTER:W R13 R1 SHAPESHIFTER:J FAIRY BOMB B13"),
        ("H", "S", "SA HK HQ HJ H10 H3 SK SQ SJ S10 S3 H2 DK D3"),
        (None, None, "DRAGON W WEREWOLF FAIRY BOMB CLOUD:R JUGGLER:R"),
    ],
)
def test_strengths_fall_in_the_order_of_the_rules(trump: str | None, suit: str | None, order: str) -> None:
    found = strengths(trump and Suit(trump), suit and Suit(suit))
    values = [found[card.code] for card in cards(order)]
    assert values == sorted(set(values), reverse=True)
