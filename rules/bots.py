"""Players for self-play: one that does anything legal, one that bids from its hand and plays to its bid.

A bot is a function of what its seat may know and of a random source; it returns one of the seat's legal actions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from rules.cards import Card, Kind, Suit
from rules.decks import deck_of
from rules.plans import FULL
from rules.play import GameState, draw_deal
from rules.rounds import ChangeBid, ChooseTrump, MakeBid, PassCard, PlayCard, SeatAction, Stage, View
from rules.tricks import VALUES_IN_SUIT, trick_outcome
from rules.variants import HouseRules, variant_of

Bot: TypeAlias = Callable[[View, random.Random], SeatAction]
_A = TypeVar("_A", bound=SeatAction)


def random_bot(view: View, rng: random.Random) -> SeatAction:
    """Return any of the seat's legal actions, each as likely as the next."""
    return rng.choice(view.actions)


def sensible_bot(view: View, rng: random.Random) -> SeatAction:
    """Return what a careful player would do: bid what the hand is worth, then win or lose tricks to meet the bid.

    It knows nothing but the view and never bids blind; nothing is left to `rng`.
    """
    return _CHOICES[view.stage](view)


BOTS: Mapping[str, Bot] = MappingProxyType({"random": random_bot, "sensible": sensible_bot})


def self_play(
    house: HouseRules,
    bots: Sequence[Bot],
    rng: random.Random,
    *,
    first_dealer: int = 0,
    ladder: str = FULL,
    rounds: int | None = None,
) -> GameState:
    """Return a whole game played by `bots`, one a seat, and dealt from `rng`: the same seed gives the same game.

    Raises `RulesError` as `GameState.start` and `draw_deal` do.
    """
    game = GameState.start(house, len(bots), first_dealer=first_dealer, ladder=ladder, rounds=rounds)
    while (current := game.current) is not None:
        if current.stage is Stage.DEAL:
            game = game.after(draw_deal(house, current.step, players=len(bots), rng=rng))
        else:
            seat = current.to_act[0]
            game = game.after(bots[seat](current.seen_by(seat), rng))
    return game


@dataclass(frozen=True, slots=True)
class _Odds:
    """What a seat can reckon with: the cards it has not seen (`unseen`), of which each opponent holds `held`."""

    trump: Suit | None
    single_suit: bool
    unseen: Counter[Card]
    held: int

    @classmethod
    def of(cls, view: View) -> _Odds:
        """Return the odds as one seat sees them."""
        unseen = Counter(deck_of(view.house))
        seen = [card for trick in view.tricks for card in trick.cards] + list(view.trick)
        seen += [card for hand in view.hands if hand for card in hand]
        if view.turned_up is not None:
            seen.append(view.turned_up)
        unseen.subtract(card.undeclared for card in seen)
        return cls(view.trump, variant_of(view.house).single_suit, +unseen, view.step.cards - len(view.tricks))

    @property
    def size(self) -> int:
        """The number of cards not seen, at least 1."""
        return max(self.unseen.total(), 1)

    def count(self, wanted: Callable[[Card], bool]) -> int:
        """Return how many cards not seen are of a sort."""
        return sum(count for card, count in self.unseen.items() if wanted(card))

    def holds(self, count: int) -> float:
        """Return how likely an opponent holds at least one of `count` cards not seen."""
        return 1 - comb(max(self.size - count, 0), self.held) / comb(max(self.size, self.held), self.held)

    def chance(self, card: Card, opponents: int) -> float:
        """Return about how likely a card wins a trick against so many opponents; juggler and cloud in their best suit.

        Higher cards of the suit, trumps and wizards are held against it as far as they have not been seen.
        """
        kind = card.counts_as
        if kind is Kind.DRAGON:
            return 1 - 0.5 * self.count(lambda other: other.kind is Kind.FAIRY)
        if kind is Kind.WIZARD or (kind is Kind.SHAPESHIFTER and not card.is_declared):
            return 0.95
        if not card.is_declared:
            return max(self.chance(form, opponents) for form in card.declarations)
        if card.led_suit is None:
            return 0.02
        value = VALUES_IN_SUIT.get(kind, card.rank)
        # One opponent at a time: it has a wizard for this trick, or a higher card, or no card of the suit and a trump.
        wizards = self.count(lambda other: other.counts_as in (Kind.WIZARD, Kind.DRAGON)) / self.size
        if self.single_suit:
            higher = self.count(lambda other: other.rank > value) / self.size
            return max(1 - wizards - higher, 0.0) ** opponents
        suit = self.count(lambda other: other.led_suit is card.led_suit)
        higher = self.count(lambda other: other.led_suit is card.led_suit and other.rank > value)
        if card.led_suit == self.trump:
            beaten = wizards + _OVERTRUMPS * higher / self.size
        else:
            follows = self.holds(suit)
            trumps = self.holds(self.count(lambda other: other.led_suit is not None and other.led_suit == self.trump))
            beaten = wizards + follows * higher / max(suit, 1) + (1 - follows) * _TRUMPS * trumps
        return max(1 - beaten, 0.0) ** opponents


_COME_TRUE = 0.88
"""How much of its chances a hand makes come true: good cards fall on each other. By self-play of four."""
_OVERTRUMPS, _TRUMPS = 1.3, 0.6
"""How much more often than a random card an opponent plays a higher trump on a trump, or trumps when it is void."""


def _bid(view: View) -> SeatAction:
    hand = view.hand
    worth = _unseen_card_wins(view) if not hand else _worth(view, hand)
    return min(_of(MakeBid, view), key=lambda action: (action.blind, abs(action.tricks - worth), action.tricks))


def _worth(view: View, hand: Sequence[Card]) -> float:
    """Return about how many tricks a hand takes."""
    odds = _Odds.of(view)
    return _COME_TRUE * sum(odds.chance(card, view.players - 1) for card in hand)


def _unseen_card_wins(view: View) -> float:
    """Return how likely the card that the others see takes the only trick, where each card is as likely (D90)."""
    odds = _Odds.of(view)
    order = [(view.leader + place) % view.players for place in range(view.players)]
    wins = 0
    for card, count in odds.unseen.items():
        trick = [((view.hands[seat] or (card,))[0]).declarations[0] for seat in order]
        outcome = trick_outcome(trick, view.trump, single_suit=odds.single_suit, last_trick=True)
        wins += count * (outcome.winner == order.index(view.seat))
    return wins / odds.size


def _play(view: View) -> SeatAction:
    odds = _Odds.of(view)
    bid = view.bids[view.seat] or 0
    needed, left = bid - view.taken[view.seat], odds.held
    plays = _of(PlayCard, view)
    later = view.players - 1 - len(view.trick)
    chances = {play: _wins(view, odds, play.card, later) for play in plays}
    worth = {play: odds.chance(play.card, view.players - 1) for play in plays}
    if needed <= 0:
        # Lose the trick with the most dangerous card that loses it; if none does, get rid of the most dangerous one.
        safest = min(chances.values())
        return max(plays, key=lambda play: (chances[play] <= max(safest, _SAFE), worth[play]))
    if needed >= left:
        return max(plays, key=lambda play: (chances[play], -worth[play]))
    likely = [play for play in plays if chances[play] >= _LIKELY]
    if likely:
        return min(likely, key=lambda play: worth[play])
    return min(plays, key=lambda play: (worth[play], chances[play]))


_SAFE, _LIKELY = 0.1, 0.75
"""A card that wins at most so often counts as losing, one that wins at least so often as winning."""


def _wins(view: View, odds: _Odds, card: Card, later: int) -> float:
    """Return about how likely a card wins the trick on the table if it is played now and `later` seats follow."""
    trick = (*view.trick, card)
    outcome = trick_outcome(trick, view.trump, single_suit=odds.single_suit)
    if outcome.bombed or outcome.winner != len(trick) - 1:
        return 0.0
    return odds.chance(card, later) if later else 1.0


def _name_trump(view: View) -> SeatAction:
    choices = _of(ChooseTrump, view)
    worth = {choice: _worth(replace(view, trump=choice.suit), view.hand) for choice in choices}
    return max(choices, key=lambda choice: (choice.suit is not None, worth[choice]))


def _pass(view: View) -> SeatAction:
    odds = _Odds.of(view)
    needed = (view.bids[view.seat] or 0) - view.taken[view.seat]
    worth = {action: odds.chance(action.card, view.players - 1) for action in _of(PassCard, view)}
    return min(worth, key=worth.__getitem__) if needed > 0 else max(worth, key=worth.__getitem__)


def _change(view: View) -> SeatAction:
    bid, taken = view.bids[view.seat] or 0, view.taken[view.seat]
    return min(_of(ChangeBid, view), key=lambda action: abs(bid + action.delta - taken))


def _first(view: View) -> SeatAction:
    return view.actions[0]


def _of(kind: type[_A], view: View) -> tuple[_A, ...]:
    return tuple(action for action in view.actions if isinstance(action, kind))


_CHOICES: Mapping[Stage, Callable[[View], SeatAction]] = MappingProxyType(
    {
        Stage.SWAP: _first,
        Stage.TRUMP: _name_trump,
        Stage.BIDS: _bid,
        Stage.PLAY: _play,
        Stage.PASSING: _pass,
        Stage.CLOUD: _change,
    }
)
