"""What a table has agreed on: `HouseRules` holds every flag, `house_rules_problems` says what does not go together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Self

from rules.cards import SPECIALS, WIZARD_SUITS, Suit
from rules.decks import DECKS, WIZARD60
from rules.errors import Problem, RulesError, refuse

FEWEST_PLAYERS = 3
MOST_PLAYERS = 6
"""Source: D01."""

EXACT_HITS = "exact_hits"
SHARED = "shared"
TIE_BREAKS: tuple[str, ...] = (EXACT_HITS, SHARED)
"""Who wins at equal points: the seat with more exact bids, or all of them. Source: C10, D86."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to play as data: who can play it, how many cards a round has, which trump is fixed.

    `ladder` turns the largest hand that the deck allows into the cards per round of a full game. `fixed_trumps` are the
    trumps of rounds 1, 2, ... (None: no trump); () means that a turned-up card decides. `pile` is the number of cards
    that each player owns; None: all deal from one deck. `single_suit`: suits do not matter in a trick.
    """

    name: str
    players: range
    takes_specials: bool
    ladder: Callable[[int], tuple[int, ...]]
    fixed_trumps: tuple[Suit | None, ...] = ()
    pile: int | None = None
    single_suit: bool = False


STANDARD = "standard"
SINGLE_SUIT = "einfarbig"
MAXIMUS = "maximus"
_ALL_TABLES = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)

VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        STANDARD: Variant(STANDARD, _ALL_TABLES, True, lambda largest: tuple(range(1, largest + 1))),
        SINGLE_SUIT: Variant(
            SINGLE_SUIT,
            range(3, 5),
            False,
            lambda largest: tuple(range(4, 16)),
            fixed_trumps=(None,),
            pile=15,
            single_suit=True,
        ),
        MAXIMUS: Variant(
            MAXIMUS, _ALL_TABLES, False, lambda largest: (largest,) * 5, fixed_trumps=(*WIZARD_SUITS, None)
        ),
    }
)
"""Source: D91 (single-suit), D92 (Maximus), D93 (no special cards in either)."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Everything a table agrees on before the first deal; the defaults are the game of 2021 with the plain deck.

    `specials` are names from `SPECIALS`; `plus_minus_one_from` is the first round in which plus/minus one binds. Any
    combination can be built: `house_rules_problems` judges it. Source: RULES.md section 3.
    """

    deck: str = WIZARD60
    specials: tuple[str, ...] = ()
    variant: str = STANDARD
    plus_minus_one: bool = False
    plus_minus_one_from: int = 1
    hidden_bids: bool = False
    secret_bids: bool = False
    clairvoyance: bool = False
    blind_bids: bool = False
    tie_break: str = EXACT_HITS
    weak_specials_no_trump: bool = False
    werewolf_may_choose_no_trump: bool = True
    last_round_dealer_trump: bool = False
    rounds_from_deck: bool = False
    cloud_upper_clamp: bool = True
    allow_lone_dragon_or_fairy: bool = False
    specials_in_variants: bool = False

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> Self:
        """Return the house rules of a JSON object; what it leaves out has its default.

        Raises `RulesError` with every unknown name (`rule_unknown`) and value of the wrong type (`rule_type`).

        >>> HouseRules.from_mapping({"specials": ["BOMB"]}).specials
        ('BOMB',)
        """
        refuse(_mapping_problems(mapping))
        values: dict[str, Any] = dict(mapping)
        if "specials" in values:
            values["specials"] = tuple(values["specials"])
        return cls(**values)

    def to_mapping(self) -> dict[str, Any]:
        """Return all fields as a JSON object, special cards as a list."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {"specials": list(self.specials)}


BASE_GAME, WITH_SPECIALS, ORDINARY_PACK = "base", "specials", "ordinary"
EDITIONS: tuple[str, ...] = (BASE_GAME, WITH_SPECIALS, SINGLE_SUIT, MAXIMUS, ORDINARY_PACK)
"""What tables compare only with its like: the base game, with special cards, the two variants, the ordinary pack."""


def edition_of(house: HouseRules) -> str:
    """Return which of `EDITIONS` the house plays; a variant is one of its own, with special cards or without.

    >>> edition_of(HouseRules(specials=("BOMB",)))
    'specials'
    """
    if house.deck != WIZARD60:
        return ORDINARY_PACK
    if house.variant != STANDARD:
        return house.variant
    return WITH_SPECIALS if house.specials else BASE_GAME


_TYPES: Mapping[str, type] = MappingProxyType({field.name: type(field.default) for field in fields(HouseRules)})
_TYPE_WORDS: Mapping[type, str] = MappingProxyType(
    {bool: "true or false", int: "a whole number", str: "a name", tuple: "a list of names"}
)


def _mapping_problems(mapping: Mapping[str, Any]) -> Iterator[Problem]:
    for name, value in mapping.items():
        if name not in _TYPES:
            yield Problem.of("rule_unknown", rule=str(name))
        elif not _is_a(_TYPES[name], value):
            yield Problem.of("rule_type", rule=name, expected=_TYPE_WORDS[_TYPES[name]])


def _is_a(wanted: type, value: object) -> bool:
    if wanted is tuple:
        return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    if wanted is str:
        return isinstance(value, str)
    return type(value) is wanted  # a bool must not pass as an int


_EXCLUDING: tuple[tuple[str, str], ...] = (
    ("french52", SINGLE_SUIT),  # D95
    ("french52", MAXIMUS),  # D95
    ("plus_minus_one", "secret_bids"),  # D28
    ("hidden_bids", "secret_bids"),  # D29
)
_FLAGS = tuple(name for name, kind in _TYPES.items() if kind is bool)


def house_rules_problems(house: HouseRules, players: int | None = None) -> tuple[Problem, ...]:
    """Return all that is wrong with a combination of house rules, always in the same order.

    `players` None leaves out what depends on their number.
    Source: D01-D03, D28, D29, D91, D93, D95, D96; all else is left to the players (D97).
    """
    return (*_unknown_names(house), *_special_problems(house), *_excluding(house), *_player_problems(house, players))


def check_house_rules(house: HouseRules, players: int | None = None) -> None:
    """Do nothing if the combination can be played.

    Raises `RulesError` with all of `house_rules_problems`.
    """
    refuse(house_rules_problems(house, players))


def variant_of(house: HouseRules) -> Variant:
    """Return the variant the house plays.

    Raises `RulesError` (`variant_unknown`).
    """
    if house.variant not in VARIANTS:
        raise RulesError((Problem.of("variant_unknown", variant=house.variant),))
    return VARIANTS[house.variant]


def _unknown_names(house: HouseRules) -> Iterator[Problem]:
    if house.deck not in DECKS:
        yield Problem.of("deck_unknown", deck=house.deck)
    for special in dict.fromkeys(house.specials):
        if special not in SPECIALS:
            yield Problem.of("special_unknown", special=special)
        elif house.specials.count(special) > 1:
            yield Problem.of("special_repeated", special=special, count=house.specials.count(special))
    if house.variant not in VARIANTS:
        yield Problem.of("variant_unknown", variant=house.variant)
    if house.tie_break not in TIE_BREAKS:
        yield Problem.of("tie_break_unknown", tie_break=house.tie_break)
    if house.plus_minus_one_from < 1:
        yield Problem.of("plus_minus_one_from", round=house.plus_minus_one_from)


def _special_problems(house: HouseRules) -> Iterator[Problem]:
    pair = {"DRAGON", "FAIRY"}
    missing = pair.difference(house.specials)
    if len(missing) == 1 and not house.allow_lone_dragon_or_fairy:
        yield Problem.of("dragon_fairy_pair", missing=missing.pop())
    if not house.specials:
        return
    if house.deck in DECKS and not DECKS[house.deck].takes_specials:
        yield Problem.of("deck_has_no_specials", deck=house.deck)
    if house.specials_in_variants:
        return
    if house.variant in VARIANTS and not VARIANTS[house.variant].takes_specials:
        yield Problem.of("variant_needs_no_specials", variant=house.variant)
    if house.clairvoyance:
        yield Problem.of("variant_needs_no_specials", variant="clairvoyance")


def _excluding(house: HouseRules) -> Iterator[Problem]:
    chosen = {house.deck, house.variant, *(flag for flag in _FLAGS if getattr(house, flag))}
    for first, second in _EXCLUDING:
        if first in chosen and second in chosen:
            yield Problem.of("variant_incompatible", first=first, second=second)


def _player_problems(house: HouseRules, players: int | None) -> Iterator[Problem]:
    if players is None:
        return
    if players not in _ALL_TABLES:
        yield Problem.of("players", players=players)
    elif house.variant in VARIANTS and players not in (fits := VARIANTS[house.variant].players):
        yield Problem.of("variant_players", variant=house.variant, players=players, fewest=fits[0], most=fits[-1])
