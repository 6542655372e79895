"""Players for self-play: one that does anything legal, one that bids from its hand and plays to its bid.

A bot is a function of what its seat may know and of a random source; it returns one of the seat's legal actions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from rules.cards import Card, Kind, Suit
from rules.decks import deck_of, single_suit_piles
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
    """What a seat can reckon with: the cards it has not seen, of which each opponent holds `held`.

    `ranks` are the ranks not seen, by suit; `wizards` counts wizards, dragon and shapeshifter, `size` all cards.
    """

    trump: Suit | None
    single_suit: bool
    ranks: Mapping[Suit, Sequence[int]]
    wizards: int
    has_fairy: bool
    size: int
    held: int

    @classmethod
    def of(cls, view: View) -> _Odds:
        """Return the odds as one seat sees them."""
        unseen = _unseen(view)
        ranks: dict[Suit, list[int]] = {}
        wizards = 0
        for card, count in unseen.items():
            if card.led_suit is not None:
                ranks.setdefault(card.led_suit, []).append(card.rank)
            elif card.counts_as in _WINNING:
                wizards += count
        return cls(
            trump=view.trump,
            single_suit=variant_of(view.house).single_suit,
            ranks=ranks,
            wizards=wizards,
            has_fairy=any(card.kind is Kind.FAIRY for card in unseen),
            size=max(unseen.total(), 1),
            held=view.step.cards - len(view.tricks),
        )

    def holds(self, count: int) -> float:
        """Return how likely an opponent holds at least one of `count` cards not seen."""
        return 1 - comb(max(self.size - count, 0), self.held) / comb(max(self.size, self.held), self.held)

    def chance(self, card: Card, opponents: int) -> float:
        """Return about how likely a card wins a trick against so many opponents; juggler and cloud in their best suit.

        Higher cards of the suit, trumps and wizards are held against it as far as they have not been seen.
        """
        kind = card.counts_as
        if kind is Kind.DRAGON:
            return 0.5 if self.has_fairy else 1.0
        if kind is Kind.WIZARD or (kind is Kind.SHAPESHIFTER and not card.is_declared):
            return 0.95
        if not card.is_declared:
            return max(self.chance(form, opponents) for form in card.declarations)
        if card.led_suit is None:
            return 0.02
        value = _VALUES.get(kind, card.rank)
        # One opponent at a time: it has a wizard for this trick, or a higher card, or no card of the suit and a trump.
        wizards = self.wizards / self.size
        if self.single_suit:
            higher = sum(rank > value for ranks in self.ranks.values() for rank in ranks)
            return max(1 - wizards - higher / self.size, 0.0) ** opponents
        suit = self.ranks.get(card.led_suit, ())
        higher = sum(rank > value for rank in suit)
        if card.led_suit == self.trump:
            beaten = wizards + _OVERTRUMPS * higher / self.size
        else:
            follows = self.holds(len(suit))
            trumps = self.holds(len(self.ranks.get(self.trump, ()))) if self.trump else 0.0
            beaten = wizards + follows * higher / max(len(suit), 1) + (1 - follows) * _TRUMPS * trumps
        return max(1 - beaten, 0.0) ** opponents


_WINNING = (Kind.WIZARD, Kind.DRAGON, Kind.SHAPESHIFTER)
_VALUES: Mapping[Kind, float] = MappingProxyType({kind: float(value) for kind, value in VALUES_IN_SUIT.items()})
_COME_TRUE = 0.88
"""How much of its chances a hand makes come true: good cards fall on each other. By self-play of four."""
_OVERTRUMPS, _TRUMPS = 1.3, 0.6
"""How much more often than a random card an opponent plays a higher trump on a trump, or trumps when it is void."""


def _unseen(view: View) -> Counter[Card]:
    """Return the cards that lie in no place the seat can see."""
    unseen = _deck(view.house, view.players).copy()
    seen = [card.undeclared for trick in view.tricks for card in trick.cards]
    seen += [card.undeclared for card in view.trick]
    seen += [card for hand in view.hands if hand for card in hand]
    if view.turned_up is not None:
        seen.append(view.turned_up)
    for card in seen:
        unseen[card] -= 1
    return +unseen


@lru_cache(maxsize=64)
def _deck(house: HouseRules, players: int) -> Counter[Card]:
    if variant_of(house).single_suit:
        return Counter(card for pile in single_suit_piles(house, players) for card in pile)
    return Counter(deck_of(house))


def _bid(view: View) -> SeatAction:
    """Return the bid that most likely comes true; of equal ones the lowest, which is not blind if it need not be."""
    spread = _spread(_chances(_Odds.of(view), view) if view.hand else [_unseen_card_wins(view)])
    return max(_of(MakeBid, view), key=lambda action: _at(spread, action.tricks))


def _chances(odds: _Odds, view: View) -> list[float]:
    """Return about how likely each card of the own hand takes a trick."""
    return [_COME_TRUE * odds.chance(card, view.players - 1) for card in view.hand]


def _spread(chances: Iterable[float]) -> list[float]:
    """Return how likely 0, 1, 2, ... of some cards take a trick, if none knew of the others."""
    spread = [1.0]
    for chance in chances:
        spread = [
            stays * (1 - chance) + comes * chance for stays, comes in zip([*spread, 0.0], [0.0, *spread], strict=True)
        ]
    return spread


def _unseen_card_wins(view: View) -> float:
    """Return how likely the card that the others see takes the only trick, where each card is as likely (D90)."""
    unseen = _unseen(view)
    order = [(view.leader + place) % view.players for place in range(view.players)]
    single_suit = variant_of(view.house).single_suit
    wins = 0
    for card, count in unseen.items():
        trick = [((view.hands[seat] or (card,))[0]).declarations[0] for seat in order]
        outcome = trick_outcome(trick, view.trump, single_suit=single_suit, last_trick=True)
        wins += count * (outcome.winner == order.index(view.seat))
    return wins / max(unseen.total(), 1)


def _play(view: View) -> SeatAction:
    """Return the play after which the hand most likely takes just the tricks that are still needed."""
    plays = _of(PlayCard, view)
    if len(plays) == 1 or not view.hand:
        return plays[0]
    odds = _Odds.of(view)
    needed = (view.bids[view.seat] or 0) - view.taken[view.seat]
    later = view.players - 1 - len(view.trick)
    chances = _chances(odds, view)
    places = {card: place for place, card in enumerate(view.hand)}
    spreads = {card: _spread(chances[:place] + chances[place + 1 :]) for card, place in places.items()}

    def meets(play: PlayCard) -> tuple[float, float]:
        spread = spreads[play.card.undeclared]
        wins = _wins(view, odds, play.card, later)
        hits = wins * _at(spread, needed - 1) + (1 - wins) * _at(spread, needed)
        return hits, -wins if needed <= 0 else wins

    return max(plays, key=meets)


def _at(spread: Sequence[float], tricks: int) -> float:
    return spread[tricks] if 0 <= tricks < len(spread) else 0.0


def _wins(view: View, odds: _Odds, card: Card, later: int) -> float:
    """Return about how likely a card wins the trick on the table if it is played now and `later` seats follow."""
    trick = (*view.trick, card)
    outcome = trick_outcome(trick, view.trump, single_suit=odds.single_suit)
    if outcome.bombed or outcome.winner != len(trick) - 1:
        return 0.0
    return odds.chance(card, later) if later else 1.0


def _name_trump(view: View) -> SeatAction:
    choices, odds = _of(ChooseTrump, view), _Odds.of(view)
    worth = {choice: sum(_chances(replace(odds, trump=choice.suit), view)) for choice in choices}
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
