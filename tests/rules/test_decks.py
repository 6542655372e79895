from collections import Counter

import pytest
from hypothesis import given

from rules import (
    DECKS,
    SPECIALS,
    HouseRules,
    Kind,
    RulesError,
    count_of,
    deck_of,
    deck_size,
    round_plans,
    single_suit_piles,
)
from tests.rules.games import PROPERTY, codes, playable


def test_wizard_deck_has_sixty_cards() -> None:
    cards = Counter(map(str, deck_of(HouseRules())))
    assert cards.total() == 60
    assert cards["W"] == cards["J"] == 4
    assert {name: count for name, count in cards.items() if name not in "WJ"} == {
        f"{suit}{rank}": 1 for suit in "BRGY" for rank in range(1, 14)
    }


def test_ordinary_pack_has_four_wizards_and_four_jesters() -> None:
    cards = deck_of(HouseRules(deck="french52"))
    assert len(set(cards)) == len(cards) == 52
    assert Counter(card.kind for card in cards) == {Kind.NUMBER: 44, Kind.WIZARD: 4, Kind.JESTER: 4}
    assert {str(card) for card in cards} == {f"{suit}{rank}" for suit in "HDCS" for rank in [*range(2, 11), *"JQKA"]}


def test_deck_order_does_not_depend_on_the_order_of_the_specials() -> None:
    assert deck_of(HouseRules(specials=SPECIALS)) == deck_of(HouseRules(specials=SPECIALS[::-1]))
    assert [str(card) for card in deck_of(HouseRules(specials=SPECIALS[::-1]))[60:]] == list(SPECIALS)


@pytest.mark.parametrize(("count", "size"), [(0, 60), (1, 61), (6, 66), (7, 67)])
def test_deck_size_grows_with_the_specials(count: int, size: int) -> None:
    assert deck_size(HouseRules(specials=SPECIALS[:count])) == size


def test_ordinary_pack_takes_no_specials() -> None:
    house = HouseRules(deck="french52", specials=("BOMB",))
    assert (deck_size(house), count_of(house, "BOMB")) == (52, 0)


def test_count_of_counts_copies() -> None:
    house = HouseRules(specials=("BOMB", "CLOUD", "BOMB"))
    assert [count_of(house, special) for special in ("BOMB", "CLOUD", "DRAGON")] == [2, 1, 0]
    assert deck_size(house) == len(deck_of(house)) == 63


def test_names_that_no_deck_knows_add_no_cards() -> None:
    house = HouseRules(specials=("WITCH", "BOMB"))
    assert deck_size(house) == len(deck_of(house)) == 61


# D91: each owns the 13 cards of a suit, one wizard and one jester.
@pytest.mark.parametrize(("players", "suits"), [(3, "BRG"), (4, "BRGY")])
@pytest.mark.parametrize("specials", [(), SPECIALS])
def test_single_suit_piles_are_a_suit_a_wizard_and_a_jester(players: int, suits: str, specials) -> None:
    house = HouseRules(variant="einfarbig", specials=specials, specials_in_variants=True)
    piles = single_suit_piles(house, players)
    assert [[str(card) for card in pile] for pile in piles] == [
        [*(f"{suit}{rank}" for rank in range(1, 14)), "W", "J"] for suit in suits
    ]
    assert Counter(card for pile in piles for card in pile) <= Counter(deck_of(house))


@pytest.mark.parametrize("players", [3, 4])
def test_single_suit_piles_are_as_large_as_the_last_round_needs(players: int) -> None:
    house = HouseRules(variant="einfarbig")
    last = round_plans(house, players)[-1]
    assert {len(pile) for pile in single_suit_piles(house, players)} == {last.cards}


@pytest.mark.parametrize(
    "function",
    [deck_of, deck_size, lambda house: count_of(house, "BOMB"), lambda house: single_suit_piles(house, 3)],
    ids=["deck_of", "deck_size", "count_of", "single_suit_piles"],
)
def test_unknown_deck_is_refused(function) -> None:
    with pytest.raises(RulesError) as caught:
        function(HouseRules(deck="tarot78"))
    assert codes(caught.value.problems) == ["deck_unknown"]


@PROPERTY
@given(playable())
def test_deck_size_is_the_number_of_cards(game) -> None:
    house, _ = game
    assert deck_size(house) == len(deck_of(house)) == len(DECKS[house.deck].cards) + len(house.specials)
