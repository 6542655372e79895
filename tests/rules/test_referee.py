"""Which cards can lie in one trick of a table: as often as the deck has them, declared, one from each player."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import CARDS, FRENCH52, SPECIALS, Card, HouseRules, Problem, RulesError, deck_of
from rules.errors import MESSAGES
from rules.tricks import trick_problems
from tests.rules.games import cards, codes

ALL_SPECIALS = HouseRules(specials=SPECIALS)
FRENCH = HouseRules(deck=FRENCH52)
SINGLE_SUIT = HouseRules(variant="einfarbig")


@pytest.mark.parametrize(
    ("trick", "house", "players"),
    [
        ("", HouseRules(), 3),
        ("R7", HouseRules(), 3),
        ("R7 B7 G7 Y7", HouseRules(), 4),
        ("W W W W J J", HouseRules(), 6),
        ("DRAGON FAIRY JUGGLER:R CLOUD:R BOMB SHAPESHIFTER:W", ALL_SPECIALS, 6),
        ("WEREWOLF R7 W", ALL_SPECIALS, 3),
        ("HA DA CA SA H2 D2", FRENCH, 6),
        ("HK HQ HJ H10", FRENCH, 4),
        ("B9 R9 G9 Y9", SINGLE_SUIT, 4),
        ("W W J J", SINGLE_SUIT, 4),
    ],
)
def test_cards_that_can_lie_together_have_no_problem(trick, house, players):
    assert trick_problems(cards(trick), house, players) == ()


@pytest.mark.parametrize(
    ("trick", "house", "problems"),
    [
        ("R7 R7", HouseRules(), [Problem.of("too_many_of_card", card="R7", count=2, in_deck=1)]),
        ("W W W W W", HouseRules(), [Problem.of("too_many_of_card", card="W", count=5, in_deck=4)]),
        ("HA HA", FRENCH, [Problem.of("too_many_of_card", card="HA", count=2, in_deck=1)]),
        # However it is declared, it is the same card.
        ("CLOUD:R CLOUD:B", ALL_SPECIALS, [Problem.of("too_many_of_card", card="CLOUD:B", count=2, in_deck=1)]),
        (
            "SHAPESHIFTER:W SHAPESHIFTER:J",
            ALL_SPECIALS,
            [Problem.of("too_many_of_card", card="SHAPESHIFTER:J", count=2, in_deck=1)],
        ),
        ("BOMB", HouseRules(), [Problem.of("card_not_in_deck", card="BOMB")]),
        ("CLOUD:R", HouseRules(specials=("BOMB",)), [Problem.of("card_not_in_deck", card="CLOUD:R")]),
        ("HQ", HouseRules(), [Problem.of("card_not_in_deck", card="HQ")]),
        ("W", FRENCH, [Problem.of("card_not_in_deck", card="W")]),
        ("BOMB", HouseRules(deck=FRENCH52, specials=SPECIALS), [Problem.of("card_not_in_deck", card="BOMB")]),
        ("JUGGLER", ALL_SPECIALS, [Problem.of("card_undeclared", card="JUGGLER")]),
    ],
)
def test_cards_that_cannot_lie_together_are_named(trick, house, problems):
    assert list(trick_problems(cards(trick), house, 6)) == problems


def test_cards_beyond_one_from_each_player_are_too_many():
    problems = trick_problems(cards("R1 R2 R3 R4 R5"), HouseRules(), 3)

    assert problems == (
        Problem.of("trick_too_long", card="R4", players=3),
        Problem.of("trick_too_long", card="R5", players=3),
    )


def test_every_problem_is_found_in_the_order_of_play():
    problems = trick_problems(cards("BOMB R7 JUGGLER R7"), HouseRules(specials=("JUGGLER",)), 3)

    assert codes(problems) == ["card_not_in_deck", "card_undeclared", "too_many_of_card", "trick_too_long"]
    assert all(problem.code in MESSAGES and problem.message.endswith(".") for problem in problems)


def test_unknown_deck_is_refused():
    with pytest.raises(RulesError) as caught:
        trick_problems(cards("R7"), HouseRules(deck="tarot"), 3)

    assert codes(caught.value.problems) == ["deck_unknown"]


@given(st.sampled_from([HouseRules(), ALL_SPECIALS, FRENCH]), st.data())
def test_cards_dealt_from_the_deck_have_no_problem_and_one_more_copy_has(house, data):
    dealt = data.draw(st.permutations(deck_of(house)))[:5]
    trick = [data.draw(st.sampled_from(card.declarations)) for card in dealt]
    again = data.draw(st.sampled_from(trick))
    copies = deck_of(house).count(again.undeclared)

    assert trick_problems(trick, house, 6) == ()
    found = trick_problems([*(again for _ in range(copies)), again], house, 6)
    assert found == (Problem.of("too_many_of_card", card=str(again), count=copies + 1, in_deck=copies),)


@given(st.lists(st.sampled_from(CARDS), max_size=8), st.integers(3, 6))
def test_problems_name_only_cards_that_lie_there(trick: list[Card], players: int):
    found = trick_problems(trick, ALL_SPECIALS, players)

    assert {problem.args["card"] for problem in found} <= {str(card) for card in trick}
    assert (len(trick) > players) == ("trick_too_long" in codes(found))
