"""Cards as values, with a plain notation that reads and writes: `B7`, `W`, `JUGGLER:R`, `HQ`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from rules.errors import Problem, RulesError


class Suit(StrEnum):
    """A suit's letter: four of the Wizard deck, then four of the ordinary pack."""

    B = "B"  # blue, humans
    R = "R"  # red, dwarves
    G = "G"  # green, elves
    Y = "Y"  # yellow, giants
    H = "H"  # hearts
    D = "D"  # diamonds
    C = "C"  # clubs
    S = "S"  # spades


class Kind(StrEnum):
    """What a card is: a number card, a wizard, a jester or one of the seven special cards."""

    NUMBER = "NUMBER"
    WIZARD = "W"
    JESTER = "J"
    DRAGON = "DRAGON"
    FAIRY = "FAIRY"
    JUGGLER = "JUGGLER"
    CLOUD = "CLOUD"
    WEREWOLF = "WEREWOLF"
    BOMB = "BOMB"
    SHAPESHIFTER = "SHAPESHIFTER"


WIZARD_SUITS = (Suit.B, Suit.R, Suit.G, Suit.Y)
FRENCH_SUITS = (Suit.H, Suit.D, Suit.C, Suit.S)
WIZARD_RANKS = range(1, 14)
FRENCH_RANKS = range(3, 14)
"""Ranks of the number cards: jack, queen and king of the ordinary pack are 11, 12 and 13."""

SPECIALS: tuple[str, ...] = ("DRAGON", "FAIRY", "JUGGLER", "CLOUD", "WEREWOLF", "BOMB", "SHAPESHIFTER")
"""The seven special cards. Source: D02."""
RESERVED_SPECIALS: tuple[str, ...] = ("WITCH", "VAMPIRE")
"""Special cards of a newer edition: the names are kept free, but no deck holds them yet. Source: RULES.md section 6."""

_PICTURES: Mapping[int, str] = MappingProxyType({11: "J", 12: "Q", 13: "K"})
_FRENCH_HIGH_LOW: Mapping[Kind, str] = MappingProxyType({Kind.WIZARD: "A", Kind.JESTER: "2"})


@dataclass(frozen=True, slots=True)
class Card:
    """A card, as it lies in a hand or as it was played.

    `suit` is the printed or declared suit, `rank` 1 to 13 for number cards and 0 for all others, `role` what a played
    shapeshifter stands for. Cards are made by `Card.parse` and by the decks, so an impossible one does not come up.
    """

    kind: Kind
    suit: Suit | None = None
    rank: int = 0
    role: Kind | None = None

    @classmethod
    def parse(cls, notation: str) -> Card:
        """Return the card written as `notation`; `str(card)` is the way back.

        Raises `RulesError` (`card_unknown`), also for the reserved names.

        >>> Card.parse("HQ").rank, str(Card.parse("JUGGLER:R"))
        (12, 'JUGGLER:R')
        """
        card = _BY_NOTATION.get(notation)
        if card is None:
            raise RulesError((Problem.of("card_unknown", card=notation),))
        return card

    @property
    def led_suit(self) -> Suit | None:
        """The suit this card counts for in a trick; None for all that have none.

        Source: D45 (juggler and cloud only once declared), D47 (aces and twos of the ordinary pack have no suit).
        """
        return None if self.kind in _FRENCH_HIGH_LOW else self.suit

    def __str__(self) -> str:
        if self.kind is Kind.NUMBER:
            picture = _PICTURES.get(self.rank) if self.suit in FRENCH_SUITS else None
            return f"{self.suit}{picture or self.rank}"
        if self.kind in _FRENCH_HIGH_LOW and self.suit is not None:
            return f"{self.suit}{_FRENCH_HIGH_LOW[self.kind]}"
        declared = self.suit or self.role
        return str(self.kind) if declared is None else f"{self.kind}:{declared}"


def wizard_cards() -> Iterator[Card]:
    """Yield the 60 cards of the Wizard deck: suits in order, each 1 to 13, then four wizards and four jesters."""
    yield from (Card(Kind.NUMBER, suit, rank) for suit in WIZARD_SUITS for rank in WIZARD_RANKS)
    yield from (Card(kind) for kind in (Kind.WIZARD, Kind.JESTER) for _ in range(4))


def french_cards() -> Iterator[Card]:
    """Yield the 52 cards of the ordinary pack: suits in order, each 3 to king, then the aces and the twos.

    Source: seed 004: every ace is a wizard, every two a jester.
    """
    yield from (Card(Kind.NUMBER, suit, rank) for suit in FRENCH_SUITS for rank in FRENCH_RANKS)
    yield from (Card(kind, suit) for kind in (Kind.WIZARD, Kind.JESTER) for suit in FRENCH_SUITS)


def _played_cards() -> Iterator[Card]:
    """Yield the special cards that say more once they are played: a suit (D45) or a role (D46)."""
    yield from (Card(kind, suit) for kind in (Kind.JUGGLER, Kind.CLOUD) for suit in WIZARD_SUITS)
    yield from (Card(Kind.SHAPESHIFTER, role=role) for role in (Kind.WIZARD, Kind.JESTER))


_BY_NOTATION: Mapping[str, Card] = MappingProxyType(
    {
        str(card): card
        for cards in (wizard_cards(), french_cards(), (Card(Kind(name)) for name in SPECIALS), _played_cards())
        for card in cards
    }
)
