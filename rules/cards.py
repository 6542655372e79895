"""Cards as values, with a plain notation that reads and writes: `B7`, `W`, `JUGGLER:R`, `HQ`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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

DECLARES_SUIT: tuple[Kind, ...] = (Kind.JUGGLER, Kind.CLOUD)
"""Special cards whose player names a suit with them. Source: D45."""
DECLARES_ROLE: tuple[Kind, ...] = (Kind.SHAPESHIFTER,)
"""Special cards whose player says what they stand for, a wizard or a jester. Source: D46."""
ROLES: tuple[Kind, ...] = (Kind.WIZARD, Kind.JESTER)

_PICTURES: Mapping[int, str] = MappingProxyType({11: "J", 12: "Q", 13: "K"})
_FRENCH_HIGH_LOW: Mapping[Kind, str] = MappingProxyType({Kind.WIZARD: "A", Kind.JESTER: "2"})

_Form = tuple[Kind, Suit | None, int, Kind | None]


def _forms() -> Iterator[_Form]:
    """Yield (kind, suit, rank, role) of every card there is, in a fixed order; the place in it is the card's code."""
    yield from ((Kind.NUMBER, suit, rank, None) for suit in WIZARD_SUITS for rank in WIZARD_RANKS)
    yield from ((role, None, 0, None) for role in ROLES)
    yield from ((Kind.NUMBER, suit, rank, None) for suit in FRENCH_SUITS for rank in FRENCH_RANKS)
    yield from ((role, suit, 0, None) for role in ROLES for suit in FRENCH_SUITS)
    yield from ((Kind(name), None, 0, None) for name in SPECIALS)
    yield from ((kind, suit, 0, None) for kind in DECLARES_SUIT for suit in WIZARD_SUITS)
    yield from ((kind, None, 0, role) for kind in DECLARES_ROLE for role in ROLES)


_CODES: Mapping[_Form, int] = MappingProxyType({form: code for code, form in enumerate(_forms())})


@dataclass(frozen=True, slots=True)
class Card:
    """A card, as it lies in a hand or as it was played.

    `suit` is the printed or declared suit, `rank` 1 to 13 for number cards and 0 for all others, `role` what a played
    shapeshifter stands for. `code` numbers all cards there are, from 0; equal cards have equal codes.
    Raises `RulesError` (`card_unknown`) for a combination that is no card.
    """

    kind: Kind = field(compare=False)
    suit: Suit | None = field(default=None, compare=False)
    rank: int = field(default=0, compare=False)
    role: Kind | None = field(default=None, compare=False)
    code: int = field(init=False, repr=False)
    led_suit: Suit | None = field(init=False, repr=False, compare=False)
    """The suit this card counts for in a trick; None for all that have none.

    Source: D45 (juggler and cloud only once declared), D47 (aces and twos of the ordinary pack have no suit).
    """
    frees_trick: bool = field(init=False, repr=False, compare=False)
    """Whether nobody has to follow if this card comes before the first suit. Source: D41."""

    def __post_init__(self) -> None:
        code = _CODES.get((self.kind, self.suit, self.rank, self.role))
        if code is None:
            raise RulesError((Problem.of("card_unknown", card=str(self)),))
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "led_suit", None if self.kind in ROLES else self.suit)
        object.__setattr__(self, "frees_trick", self.counts_as in (Kind.WIZARD, Kind.DRAGON))

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
    def counts_as(self) -> Kind:
        """What the card ranks as in a trick: a declared shapeshifter is its role, an unswapped werewolf a jester.

        Source: D46, D56.
        """
        return Kind.JESTER if self.kind is Kind.WEREWOLF else self.role or self.kind

    @property
    def is_special(self) -> bool:
        """Whether this is one of the seven special cards."""
        return self.kind in SPECIALS

    @property
    def is_declared(self) -> bool:
        """Whether all is said that has to be said when the card is played. Source: D45, D46."""
        if self.kind in DECLARES_SUIT:
            return self.suit is not None
        return self.kind not in DECLARES_ROLE or self.role is not None

    @property
    def undeclared(self) -> Card:
        """The card as it lies in a hand: without the suit or role that its player named.

        >>> str(Card.parse("JUGGLER:R").undeclared), str(Card.parse("R7").undeclared)
        ('JUGGLER', 'R7')
        """
        return _UNDECLARED[self.code]

    @property
    def declarations(self) -> tuple[Card, ...]:
        """All the ways to play this card from a hand, in a fixed order: one for most cards, four for a juggler.

        >>> [str(card) for card in Card.parse("SHAPESHIFTER").declarations]
        ['SHAPESHIFTER:W', 'SHAPESHIFTER:J']
        """
        return _DECLARATIONS[self.code]

    def __str__(self) -> str:
        if self.kind is Kind.NUMBER:
            picture = _PICTURES.get(self.rank) if self.suit in FRENCH_SUITS else None
            return f"{self.suit}{picture or self.rank}"
        if self.kind in _FRENCH_HIGH_LOW and self.suit is not None:
            return f"{self.suit}{_FRENCH_HIGH_LOW[self.kind]}"
        declared = self.suit or self.role
        return str(self.kind) if declared is None else f"{self.kind}:{declared}"


CARDS: tuple[Card, ...] = tuple(Card(*form) for form in _forms())
"""Every card there is, by code, each once: of both decks, the special ones in hand and the special ones as played."""

_BY_NOTATION: Mapping[str, Card] = MappingProxyType({str(card): card for card in CARDS})


def _undeclared(card: Card) -> Card:
    return _BY_NOTATION[str(card.kind)] if card.kind in (*DECLARES_SUIT, *DECLARES_ROLE) else card


_UNDECLARED: tuple[Card, ...] = tuple(_undeclared(card) for card in CARDS)
_DECLARATIONS: tuple[tuple[Card, ...], ...] = tuple(
    (card,) if card.is_declared else tuple(form for form in CARDS if form.kind is card.kind and form != card)
    for card in CARDS
)


def wizard_cards() -> Iterator[Card]:
    """Yield the 60 cards of the Wizard deck: suits in order, each 1 to 13, then four wizards and four jesters."""
    yield from (card for card in CARDS if card.kind is Kind.NUMBER and card.suit in WIZARD_SUITS)
    yield from (_BY_NOTATION[role] for role in ROLES for _copy in range(4))


def french_cards() -> Iterator[Card]:
    """Yield the 52 cards of the ordinary pack: suits in order, each 3 to king, then the aces and the twos.

    Source: seed 004: every ace is a wizard, every two a jester.
    """
    yield from (card for card in CARDS if card.kind is Kind.NUMBER and card.suit in FRENCH_SUITS)
    yield from (card for card in CARDS if card.kind in ROLES and card.suit is not None)
