"""A round as an immutable state: an action leads from one to the next, or is refused with its problems.

The life of a round, in order: deal, swap of the werewolf, choice of trump, bids, tricks (with passing after a juggler),
change of a bid after the cloud. What does not come up is left out. Source: RULES.md section 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

from rules.bidding import bids_problems, blind_problems
from rules.block import PlayedRound
from rules.cards import Card, Suit
from rules.decks import deck_of, single_suit_piles
from rules.errors import Problem, refuse
from rules.plans import RoundPlan, bidding_order, starter_of
from rules.scoring import SeatScore, round_problems
from rules.tricks import Outcome, legal_cards, play_problems, trick_outcome
from rules.trump import TrumpCall, choice_problems, choose_trump, trump_call, trump_problems
from rules.variants import HouseRules, variant_of

_T = TypeVar("_T")
_WEREWOLF = Card.parse("WEREWOLF")


class Stage(StrEnum):
    """What a round waits for; a round that is `DONE` waits for nothing."""

    DEAL = "deal"
    SWAP = "swap"
    TRUMP = "trump"
    BIDS = "bids"
    PLAY = "play"
    PASSING = "pass"
    CLOUD = "cloud"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of every seat, and the one that was turned up (None: none was left)."""

    hands: tuple[tuple[Card, ...], ...]
    turned_up: Card | None
    stage: ClassVar = Stage.DEAL


@dataclass(frozen=True, slots=True)
class Swap:
    """The holder of the werewolf lays it in the place of the turned-up card and takes that. Source: D12."""

    seat: int
    stage: ClassVar = Stage.SWAP


@dataclass(frozen=True, slots=True)
class ChooseTrump:
    """A seat names trump (None: no trump)."""

    seat: int
    suit: Suit | None
    stage: ClassVar = Stage.TRUMP


@dataclass(frozen=True, slots=True)
class MakeBid:
    """A seat bids a number of tricks, perhaps before it has looked at its cards."""

    seat: int
    tricks: int
    blind: bool = False
    stage: ClassVar = Stage.BIDS


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A seat plays a card, with the suit or role it declares."""

    seat: int
    card: Card
    stage: ClassVar = Stage.PLAY


@dataclass(frozen=True, slots=True)
class PassCard:
    """A seat chooses the card that goes to its left neighbour; all go at the same time. Source: D63."""

    seat: int
    card: Card
    stage: ClassVar = Stage.PASSING


@dataclass(frozen=True, slots=True)
class ChangeBid:
    """A seat that took the cloud changes its bid by `delta`, +1 or -1. Source: D68."""

    seat: int
    delta: int
    stage: ClassVar = Stage.CLOUD


SeatAction: TypeAlias = Swap | ChooseTrump | MakeBid | PlayCard | PassCard | ChangeBid
Action: TypeAlias = Deal | SeatAction


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A complete trick: its cards in the order of play, what came of it, and the cards passed afterwards, by seat."""

    leader: int
    cards: tuple[Card, ...]
    outcome: Outcome
    passed: tuple[Card, ...] = ()

    def seat_at(self, place: int) -> int:
        """Return the seat that played the card at a place from 0."""
        return (self.leader + place) % len(self.cards)

    @property
    def winner(self) -> int | None:
        """The seat that got the trick; None if it was bombed."""
        return None if self.outcome.winner is None else self.seat_at(self.outcome.winner)

    @property
    def next_leader(self) -> int:
        """The seat that leads on. Source: D61."""
        return self.seat_at(self.outcome.next_leader)

    @property
    def cloud_owner(self) -> int | None:
        """The seat that owes a change of its bid, or None."""
        return None if self.outcome.cloud_owner is None else self.seat_at(self.outcome.cloud_owner)


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know of a round. All that is by seat has one entry a seat.

    `hands` are None where the seat cannot see them: all but its own, with clairvoyance its own in round 1. `bids` are
    None where they are not made or not known. `tricks` do not tell what was passed. `actions` are the legal actions of
    this seat, () when it cannot act; for a card that its holder cannot see they name it all the same.
    """

    seat: int
    house: HouseRules
    step: RoundPlan
    dealer: int
    stage: Stage
    hands: tuple[tuple[Card, ...] | None, ...]
    turned_up: Card | None
    trump: Suit | None
    bids: tuple[int | None, ...]
    leader: int
    trick: tuple[Card, ...]
    tricks: tuple[PlayedTrick, ...]
    actions: tuple[SeatAction, ...]

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own cards; () for the one that is not seen with clairvoyance."""
        return self.hands[self.seat] or ()

    @property
    def taken(self) -> tuple[int, ...]:
        """The tricks taken so far, by seat."""
        return _taken(self.tricks, self.players)


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round at one moment. All that is by seat has one entry a seat.

    `deal` and `call` are None before they are known. `bids` are None for a seat that has not bid; `shown` are the bids
    of hidden bidding that added up and were shown before the dealer had to change (D26), else (). `trick` are the cards
    on the table, led by `leader`; `passing` the cards chosen to be passed so far, () when nothing is passed; `clouds`
    the (seat, change) pairs of the end of the round.
    """

    house: HouseRules
    step: RoundPlan
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    stage: Stage = Stage.DEAL
    deal: Deal | None = None
    call: TrumpCall | None = None
    bids: tuple[int | None, ...] = ()
    blind: tuple[bool, ...] = ()
    shown: tuple[int, ...] = ()
    leader: int = 0
    trick: tuple[Card, ...] = ()
    tricks: tuple[PlayedTrick, ...] = ()
    passing: tuple[Card | None, ...] = ()
    clouds: tuple[tuple[int, int], ...] = ()

    @classmethod
    def start(cls, house: HouseRules, step: RoundPlan, *, players: int, dealer: int) -> Self:
        """Return the round before its cards are dealt.

        Raises `RulesError` (`dealer_out_of_range`).
        """
        return cls(house, step, dealer, hands=((),) * players, leader=starter_of(dealer, players))

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None for no trump, and before it is known."""
        return None if self.call is None else self.call.trump

    @property
    def turned_up(self) -> Card | None:
        """The card that lies open: the turned-up one, or the werewolf once it is swapped for that."""
        if self.deal is None:
            return None
        return _WEREWOLF if self.has_swapped else self.deal.turned_up

    @property
    def has_swapped(self) -> bool:
        """Whether the werewolf lies where a card was turned up."""
        return self.call is not None and self.call.swap is not None and self.stage is not Stage.SWAP

    @property
    def single_suit(self) -> bool:
        """Whether suits do not matter in this round."""
        return variant_of(self.house).single_suit

    @property
    def taken(self) -> tuple[int, ...]:
        """The tricks taken so far, by seat."""
        return _taken(self.tricks, self.players)

    @property
    def bombs(self) -> int:
        """The number of bombed tricks so far."""
        return sum(trick.outcome.bombed for trick in self.tricks)

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that still have to change their bid because of a cloud, in the order of the tricks."""
        owners = [trick.cloud_owner for trick in self.tricks]
        return tuple(seat for seat in owners if seat is not None)[len(self.clouds) :]

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now: one whose turn it is, or several where all act at the same time; () when done.

        Before the deal this is the dealer.
        """
        return _STAGES[self.stage].to_act(self)

    @property
    def result(self) -> PlayedRound | None:
        """What a scorer would note of the round; None before it is done."""
        if self.stage is not Stage.DONE:
            return None
        bids = tuple(bid for bid in self.bids if bid is not None)
        return PlayedRound(bids, self.taken, self.bombs, self.clouds, self.blind if any(self.blind) else ())

    @property
    def scores(self) -> tuple[SeatScore, ...]:
        """The score of each seat; () before the round is done."""
        return () if self.result is None else self.result.scores(self.house, self.step.number, self.step.cards)

    @property
    def bids_are_known(self) -> bool:
        """Whether all seats know each other's bids: at once, after all hidden ones, after the last trick (D25, D27)."""
        if self.house.secret_bids:
            return self.stage in (Stage.CLOUD, Stage.DONE)
        return not self.house.hidden_bids or bool(self.shown) or None not in self.bids

    def actions(self) -> tuple[SeatAction, ...]:
        """Return every legal action of the seats that may act now, in a fixed order; () before the deal.

        Blind bids are named where they are allowed; with `problems` each of them is accepted, and nothing else is.
        """
        stage = _STAGES[self.stage]
        return tuple(action for seat in stage.to_act(self) for action in stage.actions(self, seat))

    def seen_by(self, seat: int) -> View:
        """Return what a seat may know of the round at this moment. Source: D25, D27, D63, D90."""
        clairvoyant = self.house.clairvoyance and self.step.number == 1
        hands = tuple(hand if (other == seat) != clairvoyant else None for other, hand in enumerate(self.hands))
        bids = tuple(bid if other == seat or self.bids_are_known else None for other, bid in enumerate(self.bids))
        return View(
            seat=seat,
            house=self.house,
            step=self.step,
            dealer=self.dealer,
            stage=self.stage,
            hands=hands,
            turned_up=self.turned_up,
            trump=self.trump,
            bids=bids,
            leader=self.leader,
            trick=self.trick,
            tricks=tuple(replace(trick, passed=()) if trick.passed else trick for trick in self.tricks),
            actions=tuple(_STAGES[self.stage].actions(self, seat)) if seat in self.to_act else (),
        )

    def problems(self, action: Action) -> tuple[Problem, ...]:
        """Return why an action is refused now; () if it is legal."""
        if action.stage is not self.stage:
            return (Problem.of("action_not_now", action=str(action.stage), stage=str(self.stage)),)
        if not isinstance(action, Deal) and action.seat not in self.to_act:
            return (Problem.of("not_your_turn", action.seat, action=str(action.stage)),)
        return tuple(dict.fromkeys(_STAGES[self.stage].problems(self, action)))  # a finding of two checks is one

    def after(self, action: Action) -> RoundState:
        """Return the round after an action.

        Raises `RulesError` with all of `problems`.
        """
        refuse(self.problems(action))
        return _STAGES[self.stage].after(self, action)


# What each stage asks, allows and does.


@dataclass(frozen=True, slots=True)
class _Stage:
    """The rules of one stage: `actions` are those of one seat that may act.

    `problems` and `after` are called with actions of this stage only, `after` with legal ones.
    """

    to_act: Callable[[RoundState], tuple[int, ...]]
    actions: Callable[[RoundState, int], Iterable[SeatAction]]
    problems: Callable[[RoundState, Any], Iterable[Problem]]
    after: Callable[[RoundState, Any], RoundState]


def undealt_problems(house: HouseRules) -> Iterator[Problem]:
    """Yield why no cards can be dealt by these house rules: special cards belong to no pile of single suits (D93)."""
    if variant_of(house).single_suit and house.specials:
        yield Problem.of("specials_not_dealt", variant=house.variant)


def _deal_problems(state: RoundState, deal: Deal) -> Iterator[Problem]:
    if len(deal.hands) != state.players:
        yield Problem.of("wrong_length", what="hands", expected=state.players, given=len(deal.hands))
    for seat, hand in enumerate(deal.hands[: state.players]):
        if len(hand) != state.step.cards:
            yield Problem.of("hand_size", seat, expected=state.step.cards, given=len(hand))
    yield from trump_problems(state.house, state.step, turned_up=deal.turned_up)
    yield from undealt_problems(state.house)
    if state.single_suit:
        piles = single_suit_piles(state.house, state.players)
        for seat, (hand, pile) in enumerate(zip(deal.hands, piles, strict=False)):
            yield from _count_problems(hand, pile, seat)
    else:
        turned_up = () if deal.turned_up is None else (deal.turned_up,)
        yield from _count_problems((*(card for hand in deal.hands for card in hand), *turned_up), deck_of(state.house))


def _count_problems(dealt: Iterable[Card], there: Iterable[Card], seat: int | None = None) -> Iterator[Problem]:
    in_deck = Counter(there)
    for card, count in Counter(dealt).items():
        if not in_deck[card]:
            yield Problem.of("card_not_in_deck", seat, card=str(card))
        elif count > in_deck[card]:
            yield Problem.of("too_many_of_card", seat, card=str(card), count=count, in_deck=in_deck[card])


def _after_deal(state: RoundState, deal: Deal) -> RoundState:
    werewolf = next((seat for seat, hand in enumerate(deal.hands) if _WEREWOLF in hand), None)
    call = trump_call(state.house, state.step, dealer=state.dealer, turned_up=deal.turned_up, werewolf=werewolf)
    stage = Stage.TRUMP if call.is_pending else Stage.BIDS
    return replace(
        state,
        deal=deal,
        hands=deal.hands,
        call=call,
        stage=Stage.SWAP if call.swap is not None else stage,
        bids=(None,) * state.players,
        blind=(False,) * state.players,
    )


def _holder(state: RoundState) -> tuple[int, ...]:
    assert state.call is not None
    return () if state.call.swap is None else (state.call.swap[0],)


def _after_swap(state: RoundState, action: Swap) -> RoundState:
    assert state.call is not None
    assert state.call.swap is not None
    hand = state.hands[action.seat]
    hand = _replaced(hand, hand.index(_WEREWOLF), state.call.swap[1])
    return replace(state, hands=_replaced(state.hands, action.seat, hand), stage=Stage.TRUMP)


def _chooser(state: RoundState) -> tuple[int, ...]:
    assert state.call is not None
    return () if state.call.chooser is None else (state.call.chooser,)


def _choices(state: RoundState, seat: int) -> Iterator[ChooseTrump]:
    assert state.call is not None
    yield from (ChooseTrump(seat, suit) for suit in state.call.choices)


def _choice_problems(state: RoundState, action: ChooseTrump) -> tuple[Problem, ...]:
    assert state.call is not None
    return choice_problems(state.house, state.call, action.suit)


def _after_choice(state: RoundState, action: ChooseTrump) -> RoundState:
    assert state.call is not None
    return replace(state, call=choose_trump(state.house, state.call, action.suit), stage=Stage.BIDS)


def _bidders(state: RoundState) -> tuple[int, ...]:
    """Return one seat after the other, or all at once where nobody hears the others' bids (D25, D27)."""
    waiting = tuple(seat for seat in bidding_order(state.dealer, state.players) if state.bids[seat] is None)
    return waiting if state.house.hidden_bids or state.house.secret_bids else waiting[:1]


def _bids(state: RoundState, seat: int) -> Iterator[MakeBid]:
    marks = [blind for blind in (False, True) if not any(_blind_problems(state, MakeBid(seat, 0, blind)))]
    is_last = state.bids.count(None) == 1
    for tricks in range(state.step.cards + 1):
        action = MakeBid(seat, tricks, marks[0])
        if is_last and any(_bid_problems(state, action)):  # only the sum can bar a bid, and only the last one
            continue
        yield from (replace(action, blind=blind) for blind in marks)


def _bid_problems(state: RoundState, action: MakeBid) -> Iterator[Problem]:
    bids = _replaced(state.bids, action.seat, action.tricks)
    found = bids_problems(state.house, number=state.step.number, cards=state.step.cards, dealer=state.dealer, bids=bids)
    # Hidden bids that add up are shown first, and only then has the dealer to change (D26).
    may_add_up = state.house.hidden_bids and not state.shown
    yield from (problem for problem in found if not (may_add_up and problem.code == "bid_sum_forbidden"))
    yield from _blind_problems(state, action)


def _blind_problems(state: RoundState, action: MakeBid) -> Iterator[Problem]:
    marks = _replaced((False,) * state.players, action.seat, action.blind)
    yield from blind_problems(state.house, state.step.number, state.players, marks)
    if state.shown and action.blind != state.blind[action.seat]:
        yield Problem.of("blind_kept", action.seat)


def _after_bid(state: RoundState, action: MakeBid) -> RoundState:
    bids = _replaced(state.bids, action.seat, action.tricks)
    blind = _replaced(state.blind, action.seat, action.blind)
    made = tuple(bid for bid in bids if bid is not None)
    if len(made) < state.players:
        return replace(state, bids=bids, blind=blind)
    if bids_problems(state.house, number=state.step.number, cards=state.step.cards, dealer=state.dealer, bids=bids):
        return replace(state, bids=_replaced(bids, state.dealer, None), blind=blind, shown=made)
    return replace(state, bids=bids, blind=blind, stage=Stage.PLAY)


def _player(state: RoundState) -> tuple[int, ...]:
    return ((state.leader + len(state.trick)) % state.players,)


def _plays(state: RoundState, seat: int) -> Iterator[PlayCard]:
    legal = legal_cards(state.hands[seat], state.trick, single_suit=state.single_suit)
    yield from (PlayCard(seat, played) for card in dict.fromkeys(legal) for played in card.declarations)


def _play_problems(state: RoundState, action: PlayCard) -> tuple[Problem, ...]:
    found = play_problems(state.hands[action.seat], state.trick, action.card, single_suit=state.single_suit)
    return tuple(replace(problem, seat=action.seat) for problem in found)


def _after_play(state: RoundState, action: PlayCard) -> RoundState:
    trick = (*state.trick, action.card)
    hands = _replaced(state.hands, action.seat, _without(state.hands[action.seat], action.card.undeclared))
    if len(trick) < state.players:
        return replace(state, hands=hands, trick=trick)
    is_last = not hands[action.seat]
    outcome = trick_outcome(trick, state.trump, single_suit=state.single_suit, last_trick=is_last)
    played = PlayedTrick(state.leader, trick, outcome)
    state = replace(state, hands=hands, trick=(), tricks=(*state.tricks, played), leader=played.next_leader)
    if outcome.pass_left:
        return replace(state, passing=(None,) * state.players, stage=Stage.PASSING)
    return _counted(state) if is_last else state


def _passers(state: RoundState) -> tuple[int, ...]:
    return tuple(seat for seat, card in enumerate(state.passing) if card is None)


def _passes(state: RoundState, seat: int) -> Iterator[PassCard]:
    yield from (PassCard(seat, card) for card in dict.fromkeys(state.hands[seat]))


def _pass_problems(state: RoundState, action: PassCard) -> Iterator[Problem]:
    if action.card not in state.hands[action.seat]:
        yield Problem.of("card_not_in_hand", action.seat, card=str(action.card))


def _after_pass(state: RoundState, action: PassCard) -> RoundState:
    passing = _replaced(state.passing, action.seat, action.card)
    cards = tuple(card for card in passing if card is not None)
    if len(cards) < state.players:
        return replace(state, passing=passing)
    # All at once, so that nobody passes on what just came from the right (D63).
    hands = tuple((*_without(hand, cards[seat]), cards[seat - 1]) for seat, hand in enumerate(state.hands))
    tricks = (*state.tricks[:-1], replace(state.tricks[-1], passed=cards))
    return replace(state, hands=hands, tricks=tricks, passing=(), stage=Stage.PLAY)


def _counted(state: RoundState) -> RoundState:
    return replace(state, stage=Stage.CLOUD if state.owing else Stage.DONE)


def _changes(state: RoundState, seat: int) -> Iterator[ChangeBid]:
    changes = (ChangeBid(seat, delta) for delta in (-1, 1))
    yield from (change for change in changes if not _change_problems(state, change))


def _change_problems(state: RoundState, action: ChangeBid) -> tuple[Problem, ...]:
    return round_problems(
        state.house,
        number=state.step.number,
        cards=state.step.cards,
        bids=tuple(bid for bid in state.bids if bid is not None),
        tricks=state.taken,
        bombs=state.bombs,
        clouds=(*state.clouds, (action.seat, action.delta)),
    )


def _after_change(state: RoundState, action: ChangeBid) -> RoundState:
    return _counted(replace(state, clouds=(*state.clouds, (action.seat, action.delta))))


def _taken(tricks: Iterable[PlayedTrick], players: int) -> tuple[int, ...]:
    winners = [trick.winner for trick in tricks]
    return tuple(winners.count(seat) for seat in range(players))


def _replaced(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


_STAGES: Mapping[Stage, _Stage] = MappingProxyType(
    {
        Stage.DEAL: _Stage(lambda state: (state.dealer,), lambda state, seat: (), _deal_problems, _after_deal),
        Stage.SWAP: _Stage(_holder, lambda state, seat: (Swap(seat),), lambda state, action: (), _after_swap),
        Stage.TRUMP: _Stage(_chooser, _choices, _choice_problems, _after_choice),
        Stage.BIDS: _Stage(_bidders, _bids, _bid_problems, _after_bid),
        Stage.PLAY: _Stage(_player, _plays, _play_problems, _after_play),
        Stage.PASSING: _Stage(_passers, _passes, _pass_problems, _after_pass),
        Stage.CLOUD: _Stage(lambda state: state.owing[:1], _changes, _change_problems, _after_change),
        Stage.DONE: _Stage(lambda state: (), lambda state, seat: (), lambda state, action: (), lambda state, _: state),
    }
)
