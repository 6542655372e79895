import pytest

from rules import SPECIALS, Card, HouseRules, Suit, noted_trump_problems, plan_of
from tests.rules.games import codes

ALL = HouseRules(specials=SPECIALS)
STRICT = HouseRules(specials=SPECIALS, werewolf_may_choose_no_trump=False)
WITHOUT_WOLF = HouseRules(specials=("BOMB", "CLOUD"))
FRENCH = HouseRules(deck="french52")
DEALER = 2


@pytest.mark.parametrize(
    ("house", "cards", "trump", "turned_up", "chooser", "expected"),
    [
        # Suit or no trump alone: always possible while a card is left.
        (HouseRules(), 5, "R", None, None, []),
        (HouseRules(), 5, None, None, None, []),
        (HouseRules(), 5, "R", None, 0, []),
        # The card decides (D06, D07), or the dealer does (D08, D10).
        (HouseRules(), 5, "R", "R7", None, []),
        (HouseRules(), 5, "B", "R7", None, ["trump_impossible"]),
        (HouseRules(), 5, None, "R7", None, ["trump_impossible"]),
        (HouseRules(), 5, "R", "R7", DEALER, ["chooser_impossible"]),
        (HouseRules(), 5, None, "J", None, []),
        (HouseRules(), 5, "G", "J", None, ["trump_impossible"]),
        (HouseRules(), 5, "G", "W", DEALER, []),
        (HouseRules(), 5, "G", "W", None, []),
        (HouseRules(), 5, None, "W", None, ["trump_impossible"]),
        (HouseRules(), 5, "G", "W", 1, ["chooser_impossible"]),
        (WITHOUT_WOLF, 5, "Y", "BOMB", DEALER, []),
        # No card left (D09).
        (HouseRules(), 15, None, None, None, []),
        (HouseRules(), 15, "R", None, None, ["trump_impossible"]),
        (HouseRules(), 15, None, "R7", None, ["turned_up_not_left"]),
        (HouseRules(last_round_dealer_trump=True), 15, "R", None, DEALER, []),
        (HouseRules(last_round_dealer_trump=True), 15, None, None, None, ["trump_impossible"]),
        # The werewolf's holder may be anybody and may choose against the card (D12-D15).
        (ALL, 5, "B", "R7", 0, []),
        (ALL, 5, None, "R7", 1, []),
        (STRICT, 5, None, "R7", 1, ["trump_impossible"]),
        (ALL, 5, "B", "WEREWOLF", DEALER, []),
        (ALL, 5, "B", "WEREWOLF", 0, ["chooser_impossible"]),
        # Fixed trump (D91, D92).
        (HouseRules(variant="maximus"), 15, "B", None, None, []),
        (HouseRules(variant="maximus"), 15, "R", None, None, ["trump_impossible"]),
        (HouseRules(variant="einfarbig"), 4, None, None, None, []),
        (HouseRules(variant="einfarbig"), 4, "B", None, None, ["trump_impossible"]),
        # Cards and suits of another deck.
        (FRENCH, 5, "H", "H9", None, []),
        (FRENCH, 5, "R", None, None, ["suit_not_in_deck"]),
        (HouseRules(), 5, "R", "H9", None, ["card_not_in_deck"]),
        (HouseRules(), 5, "H", "CLOUD", None, ["card_not_in_deck", "suit_not_in_deck"]),
    ],
)
def test_noted_trump(house, cards, trump, turned_up, chooser, expected) -> None:
    problems = noted_trump_problems(
        house,
        plan_of(house, 4, number=1, cards=cards),
        dealer=DEALER,
        trump=Suit(trump) if trump else None,
        turned_up=Card.parse(turned_up) if turned_up else None,
        chooser=chooser,
    )
    assert codes(problems) == expected
    assert all(problem.message for problem in problems)
