"""The decks: 60 cards with any special cards added, and the ordinary pack of 52."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from rules.cards import FRENCH_SUITS, SPECIALS, WIZARD_SUITS, Card, Kind, Suit, french_cards, wizard_cards
from rules.errors import Problem, RulesError

if TYPE_CHECKING:
    from rules.variants import HouseRules

WIZARD60 = "wizard60"
FRENCH52 = "french52"


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck before any special card is added. Source: D02, D96."""

    name: str
    suits: tuple[Suit, ...]
    cards: tuple[Card, ...]
    takes_specials: bool


DECKS: Mapping[str, Deck] = MappingProxyType(
    {
        WIZARD60: Deck(WIZARD60, WIZARD_SUITS, tuple(wizard_cards()), takes_specials=True),
        FRENCH52: Deck(FRENCH52, FRENCH_SUITS, tuple(french_cards()), takes_specials=False),
    }
)


def deck_named(name: str) -> Deck:
    """Return the deck called `name`.

    Raises `RulesError` (`deck_unknown`).
    """
    if name not in DECKS:
        raise RulesError((Problem.of("deck_unknown", deck=name),))
    return DECKS[name]


def specials_of(house: HouseRules) -> tuple[str, ...]:
    """Return the special cards of the deck in the order of `SPECIALS`, a name as often as the card is in; else ().

    The order in which a table ticked them does not matter; names that no deck knows are left out.
    """
    if not deck_named(house.deck).takes_specials:
        return ()
    return tuple(name for name in SPECIALS for _ in range(house.specials.count(name)))


def deck_of(house: HouseRules) -> tuple[Card, ...]:
    """Return all cards of the box, unshuffled: the deck's own, then the special cards.

    The single-suit variant deals from piles of this deck: `single_suit_piles`.
    Raises `RulesError` (`deck_unknown`). Source: D02.
    """
    return deck_named(house.deck).cards + tuple(Card.parse(name) for name in specials_of(house))


def deck_size(house: HouseRules) -> int:
    """Return the number of cards in the box.

    Raises `RulesError` (`deck_unknown`).
    """
    return len(deck_named(house.deck).cards) + len(specials_of(house))


def count_of(house: HouseRules, special: str) -> int:
    """Return how many copies of a special card the deck holds: a count, since newer cards can double others (D76)."""
    return house.specials.count(special) if deck_named(house.deck).takes_specials else 0


def single_suit_piles(house: HouseRules, players: int) -> tuple[tuple[Card, ...], ...]:
    """Return the pile that each seat owns in the single-suit variant: the number cards of a suit, a wizard, a jester.

    Special cards belong to no pile. Raises `RulesError` (`deck_unknown`). Source: D91.

    >>> from rules.variants import HouseRules
    >>> [len(pile) for pile in single_suit_piles(HouseRules(), 3)]
    [15, 15, 15]
    """
    deck = deck_named(house.deck)
    low_high = [next(card for card in deck.cards if card.kind is kind) for kind in (Kind.WIZARD, Kind.JESTER)]
    return tuple((*(card for card in deck.cards if card.led_suit is suit), *low_high) for suit in deck.suits[:players])
