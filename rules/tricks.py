"""Tricks: which suit has to be followed, what may be played, who takes the trick, why, and what comes of it.

A trick is a sequence of cards in the order of play, as they were played: juggler, cloud and shapeshifter with what was
said. Places in it are numbered from 0; the reasons, which are for people, count from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from rules.cards import CARDS, Card, Kind, Suit
from rules.decks import deck_of
from rules.errors import Problem, RulesError, refuse
from rules.reasons import Reason

if TYPE_CHECKING:
    from rules.variants import HouseRules

VALUES_IN_SUIT: Mapping[Kind, Fraction] = MappingProxyType({Kind.JUGGLER: Fraction(15, 2), Kind.CLOUD: Fraction(39, 4)})
"""What juggler and cloud are worth among the cards of the suit they declare. Source: D51."""


class Tier(IntEnum):
    """What a card is worth in a trick, before values are compared: a higher tier beats a lower one. Source: D50, D54.

    Of the tiers below `LED` only low cards can be the best, and only while nothing better lies there.
    """

    DISCARD = 0
    BOMB = 1
    FAIRY = 2
    JESTER = 3
    LED = 4
    TRUMP = 5
    WIZARD = 6
    DRAGON = 7


_TIERS: Mapping[Kind, Tier] = MappingProxyType(
    {
        Kind.BOMB: Tier.BOMB,
        Kind.FAIRY: Tier.FAIRY,
        Kind.JESTER: Tier.JESTER,
        Kind.WIZARD: Tier.WIZARD,
        Kind.DRAGON: Tier.DRAGON,
    }
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a trick.

    `winner` is the place of the card whose player gets the trick, None if a bomb destroyed it; `next_leader` the place
    of the best card, whose player leads on either way (D61); `reason` says why it is the best. `cloud_owner` is the
    place of the player who owes a change of the bid, or None (D68, D69); `pass_left`: everybody now passes a card to
    the left (D63, D64).
    """

    winner: int | None
    next_leader: int
    reason: Reason
    bombed: bool = False
    cloud_owner: int | None = None
    pass_left: bool = False


def suit_to_follow(trick: Sequence[Card]) -> Suit | None:
    """Return the suit that the next player has to follow; None if any card may be played.

    The first card with a suit sets it; a wizard or dragon before it frees the whole trick. Source: D41-D44, C5.

    >>> suit_to_follow([Card.parse("J"), Card.parse("CLOUD:Y")])
    <Suit.Y: 'Y'>
    """
    for card in trick:
        if card.led_suit is not None or card.frees_trick:
            return card.led_suit
    return None


def follow_reason(trick: Sequence[Card], *, single_suit: bool = False) -> Reason:
    """Return why the next player has to follow a suit, or why any card may be played.

    It answers the question of `suit_to_follow` in words; the arguments are those of `legal_cards`.
    """
    if not trick:
        return Reason.of("follow_lead")
    if single_suit:
        return Reason.of("follow_no_suits")
    for card in trick:
        if card.led_suit is not None:
            return Reason.of("follow_suit", card=str(card), suit=str(card.led_suit))
        if card.frees_trick:
            return Reason.of("follow_free", card=str(card))
    return Reason.of("follow_nothing_yet")


def legal_cards(hand: Sequence[Card], trick: Sequence[Card], *, single_suit: bool = False) -> tuple[Card, ...]:
    """Return the cards of a hand that may be played next, in the order of the hand.

    A card without a suit may always be played, and every card if none of the hand has the suit to follow.
    `single_suit`: suits do not matter. Source: D40, D45, D47, D91.

    >>> [str(card) for card in legal_cards([Card.parse("R2"), Card.parse("B3"), Card.parse("W")], [Card.parse("R5")])]
    ['R2', 'W']
    """
    suit = None if single_suit else suit_to_follow(trick)
    if suit is None:
        return tuple(hand)
    suits = [card.led_suit for card in hand]
    if suit not in suits:
        return tuple(hand)
    return tuple([card for card, own in zip(hand, suits, strict=True) if own is None or own is suit])


def play_problems(
    hand: Sequence[Card], trick: Sequence[Card], card: Card, *, single_suit: bool = False
) -> tuple[Problem, ...]:
    """Return why `card`, with what its player says it stands for, cannot be played from `hand` now.

    Codes: `card_not_in_hand`, `card_undeclared`, `must_follow`. The arguments are those of `legal_cards`.
    """
    own = card.undeclared
    if own not in hand:
        return (Problem.of("card_not_in_hand", card=str(own)),)
    if not card.is_declared:
        return (Problem.of("card_undeclared", card=str(card)),)
    if own not in legal_cards(hand, trick, single_suit=single_suit):
        return (Problem.of("must_follow", card=str(card), suit=str(suit_to_follow(trick))),)
    return ()


def trick_outcome(
    trick: Sequence[Card], trump: Suit | None, *, single_suit: bool = False, last_trick: bool = False
) -> Outcome:
    """Return who takes a trick, why, and what comes of it; a trick that is not complete yet is judged as it lies.

    `single_suit`: suits do not matter; `last_trick`: nobody has a card left, so nothing is passed.
    Raises `RulesError` (`trick_empty`, `card_undeclared`). Source: D41-D44, D50-D56, D60-D71, D91.

    >>> trick_outcome([Card.parse("R13"), Card.parse("B1"), Card.parse("R2")], Suit.B).winner
    1
    """
    keys = strengths(trump, None if single_suit else suit_to_follow(trick), single_suit)
    best = place = -1
    total = 0
    for position, card in enumerate(trick):
        key = keys[card.code]
        total += key
        if key > best:
            best, place = key, position
    if single_suit or total & _CLOSER_LOOK or not 0 < len(trick) <= _COUNTED:
        return _weighed_outcome(trick, trump, place, single_suit, last_trick)
    return _plain_outcome(place, trick[place].code, trump, best.bit_length(), total.bit_length())


def trick_steps(
    trick: Sequence[Card], trump: Suit | None, *, single_suit: bool = False, last_trick: bool = False
) -> tuple[Reason, ...]:
    """Return all that has to be said about a trick, complete or as it lies, in the order in which one would explain it.

    The suit to follow, what special cards count as, why the best card is the best, who would take the trick without
    dragon and fairy, the effects, who leads on. The arguments and errors are those of `trick_outcome`.

    >>> [reason.code for reason in trick_steps([Card.parse("R5"), Card.parse("BOMB"), Card.parse("R9")], None)]
    ['follow_suit', 'take_highest_of_suit', 'bombed', 'leads_next_after_bomb']
    """
    outcome = trick_outcome(trick, trump, single_suit=single_suit, last_trick=last_trick)
    return (
        follow_reason(trick, single_suit=single_suit),
        *_standings(trick, trump, single_suit),
        outcome.reason,
        *_alternatives(trick, trump, single_suit),
        *_effects(trick, outcome, last_trick),
    )


# The strength of a card is a whole number. From the low end: a mark for cards that need a closer look (3 bits), twice
# the value (5, and 3 more), then three bits for each tier. So strengths compare as (tier, value), and the sum over up
# to seven cards still shows whether a closer look is needed and how many cards of the best tier there are. Cards that
# are equal in a trick have equal strengths (D53): a shapeshifter or werewolf, once declared, needs no mark.
_COUNTED = 7
_CLOSER_LOOK = 0b111
_VALUE = 3
_TIER = 11
_EFFECTS = frozenset({Kind.FAIRY, Kind.BOMB, Kind.JUGGLER, Kind.CLOUD})


@cache
def strengths(trump: Suit | None, suit: Suit | None, single_suit: bool = False) -> tuple[int, ...]:
    """Return how strong each card is where `suit` has to be followed, by the card's code; of equals the first wins.

    Only the order within one trick means anything. That the fairy beats the dragon is not in it: on its own it is low.
    Source: D50-D56, D91.
    """
    return tuple(_strength(card, trump, suit, single_suit) for card in CARDS)


def _strength(card: Card, trump: Suit | None, suit: Suit | None, single_suit: bool) -> int:
    value = VALUES_IN_SUIT.get(card.kind, Fraction(card.rank))
    tier = _tier(card, trump, suit, single_suit)
    mark = int(card.kind in _EFFECTS or not card.is_declared)
    return (1 << _TIER + 3 * tier if tier else 0) | int(2 * value) << _VALUE | mark


def _tier(card: Card, trump: Suit | None, suit: Suit | None, single_suit: bool) -> Tier:
    if card.led_suit is None:
        return _TIERS.get(card.counts_as, Tier.DISCARD)
    if single_suit:
        return Tier.LED
    if card.led_suit == trump:
        return Tier.TRUMP
    return Tier.LED if card.led_suit == suit else Tier.DISCARD


@cache
def _plain_outcome(place: int, code: int, trump: Suit | None, best_bits: int, total_bits: int) -> Outcome:
    """Return the outcome of a trick without special cards, of which there are not many.

    `best_bits` and `total_bits` are the lengths of the best strength and of the sum: a tier counts its cards in bits of
    its own, so the sum is longer if the best tier has several cards.
    """
    tier = Tier((best_bits - _TIER - 1) // 3)
    return Outcome(place, place, _take_reason(CARDS[code], tier, total_bits > best_bits))


def _weighed_outcome(
    trick: Sequence[Card], trump: Suit | None, place: int, single_suit: bool, last_trick: bool
) -> Outcome:
    """Return the outcome of any trick, whose strongest card lies at `place`."""
    if not trick:
        raise RulesError((Problem.of("trick_empty"),))
    refuse(Problem.of("card_undeclared", card=str(card)) for card in trick if not card.is_declared)
    kinds = {card.kind for card in trick}
    place, reason = _best(trick, trump, place, single_suit)
    bombed = Kind.BOMB in kinds
    return Outcome(
        winner=None if bombed else place,
        next_leader=place,
        reason=reason,
        bombed=bombed,
        cloud_owner=place if Kind.CLOUD in kinds and not bombed else None,
        pass_left=Kind.JUGGLER in kinds and not last_trick,
    )


def _best(trick: Sequence[Card], trump: Suit | None, place: int, single_suit: bool) -> tuple[int, Reason]:
    """Return the place of the best card and why it is that, given the place of the strongest one."""
    card = trick[place]
    suit = suit_to_follow(trick)
    tier = _tier(card, trump, suit, single_suit)
    if tier is Tier.DRAGON and Kind.FAIRY in (kinds := [other.kind for other in trick]):
        return kinds.index(Kind.FAIRY), Reason.of("take_fairy_over_dragon")
    if tier is Tier.LED and single_suit:
        equal = sum(
            _strength(card, trump, suit, single_suit) == _strength(other, trump, suit, single_suit) for other in trick
        )
        return place, Reason.of("take_first_of_equals" if equal > 1 else "take_highest_value", card=str(card))
    several = sum(_tier(other, trump, suit, single_suit) is tier for other in trick) > 1
    return place, _take_reason(card, tier, several)


def _take_reason(card: Card, tier: Tier, several: bool) -> Reason:
    """Return why a card is the best of its trick; `several`: there is more than one of its tier."""
    code = _TAKE_REASONS[tier][several]
    return (
        Reason.of(code, card=str(card), suit=str(card.led_suit)) if card.led_suit else Reason.of(code, card=str(card))
    )


_TAKE_REASONS: Mapping[Tier, tuple[str, str]] = MappingProxyType(
    {
        Tier.BOMB: ("take_low_card", "take_low_card"),
        Tier.FAIRY: ("take_low_card", "take_low_card"),
        Tier.JESTER: ("take_jester", "take_first_jester"),
        Tier.LED: ("take_led_suit", "take_highest_of_suit"),
        Tier.TRUMP: ("take_trump", "take_highest_trump"),
        Tier.WIZARD: ("take_wizard", "take_first_wizard"),
        Tier.DRAGON: ("take_dragon", "take_dragon"),
    }
)
"""The reason's code by the tier of the best card: if it is the only one of its tier, if it is one of several."""


def _standings(trick: Sequence[Card], trump: Suit | None, single_suit: bool) -> Iterator[Reason]:
    """Yield what each special card counts as in this trick, in the order of play."""
    suit = suit_to_follow(trick)
    for card in trick:
        if card.kind in (Kind.SHAPESHIFTER, Kind.WEREWOLF):
            yield Reason.of("counts_as", card=str(card), role=str(card.counts_as))
        elif card.kind in VALUES_IN_SUIT and _tier(card, trump, suit, single_suit) is Tier.DISCARD:
            yield Reason.of("discarded", card=str(card))
        elif card.kind in VALUES_IN_SUIT:
            yield Reason.of("value_in_suit", card=str(card), value=f"{float(VALUES_IN_SUIT[card.kind]):g}")


def _alternatives(trick: Sequence[Card], trump: Suit | None, single_suit: bool) -> Iterator[Reason]:
    """Yield who would have the best card without the fairy, and without fairy and dragon, if both are there."""
    if not {Kind.DRAGON, Kind.FAIRY} <= {card.kind for card in trick}:
        return
    for code, removed in (("without_fairy", (Kind.FAIRY,)), ("without_both", (Kind.FAIRY, Kind.DRAGON))):
        left = [(place, card) for place, card in enumerate(trick) if card.kind not in removed]
        if not left:
            return
        best = trick_outcome([card for _place, card in left], trump, single_suit=single_suit).next_leader
        place, card = left[best]
        yield Reason.of(code, card=str(card), place=place + 1)


def _effects(trick: Sequence[Card], outcome: Outcome, last_trick: bool) -> Iterator[Reason]:
    """Yield what happens after the trick: bomb, juggler, cloud (D71: pass first, then change), who leads."""
    kinds = {card.kind for card in trick}
    place = outcome.next_leader + 1
    if outcome.bombed:
        yield Reason.of("bombed")
    if Kind.JUGGLER in kinds:
        yield Reason.of("pass_left" if outcome.pass_left else "pass_nothing_left")
    if Kind.CLOUD in kinds:
        yield Reason.of("cloud_bombed") if outcome.bombed else Reason.of("cloud_changes_bid", place=place)
    if last_trick:
        yield Reason.of("round_over")
    else:
        yield Reason.of("leads_next_after_bomb" if outcome.bombed else "leads_next", place=place)


def trick_problems(trick: Sequence[Card], house: HouseRules, players: int) -> tuple[Problem, ...]:
    """Return why these cards cannot lie in one trick of a table, in the order of play; () if they can.

    Only the cards themselves are judged, as far as everybody can see them: whoever revokes plays a card that can lie
    there. Codes, each with the card: `card_undeclared`, `card_not_in_deck`, `too_many_of_card`, `trick_too_long`.
    Raises `RulesError` (`deck_unknown`). Source: D02, D45, D46, D47.

    >>> from rules.variants import HouseRules
    >>> [problem.code for problem in trick_problems([Card.parse("R7"), Card.parse("R7")], HouseRules(), 3)]
    ['too_many_of_card']
    """
    copies = _copies(house)
    problems = []
    counts: Counter[Card] = Counter()
    for place, card in enumerate(trick):
        own, named = card.undeclared, str(card)
        counts[own] += 1
        if not card.is_declared:
            problems.append(Problem.of("card_undeclared", card=named))
        if own not in copies:
            problems.append(Problem.of("card_not_in_deck", card=named))
        elif counts[own] > copies[own]:
            problems.append(Problem.of("too_many_of_card", card=named, count=counts[own], in_deck=copies[own]))
        if place >= players:
            problems.append(Problem.of("trick_too_long", card=named, players=players))
    return tuple(problems)


@lru_cache(maxsize=64)
def _copies(house: HouseRules) -> Mapping[Card, int]:
    return MappingProxyType(Counter(deck_of(house)))
