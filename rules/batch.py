"""Many tricks or whole games at once, for simulations: cards are small integers and every rule is looked up in a table.

A card is its place in `deck_of(house)`, a suit its place among the deck's suits. The tables are filled in by the
functions that judge one card or round at a time, so no rule is stated twice; they hold for both decks without special
cards, 3 to 6 players and the full ladder.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import floor
from random import Random
from types import MappingProxyType

from rules.cards import Card
from rules.decks import DECKS, deck_of, deck_size, specials_of
from rules.errors import Problem, RulesError, refuse
from rules.plans import RoundPlan, dealer_of, round_plans, starter_of
from rules.scoring import round_points
from rules.tricks import strengths
from rules.trump import trump_call
from rules.variants import STANDARD, HouseRules, check_house_rules

_PLAIN = HouseRules()


@dataclass(frozen=True, slots=True)
class RandomRound:
    """One round of a random game.

    `hands` are the cards as dealt, by seat, each in the order of the deck; `turned_up` is a card or None, `trump` a
    suit or None. `played` are all cards in the order of play, trick after trick; `takers` the seat that took each
    trick. `bids` and `points` are by seat.
    """

    hands: tuple[tuple[int, ...], ...]
    turned_up: int | None
    trump: int | None
    bids: tuple[int, ...]
    played: tuple[int, ...]
    takers: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RandomGame:
    """What a random game came to, by seat: points and exact bids; `rounds` is () unless they were to be kept."""

    totals: tuple[int, ...]
    exact: tuple[int, ...]
    rounds: tuple[RandomRound, ...] = ()


def batch_problems(house: HouseRules) -> tuple[Problem, ...]:
    """Return which of the house rules the tables do not know: special cards, a variant, plus/minus one.

    Code: `batch_rule`. What only changes who sees a bid and when makes no difference to random games.
    """
    others = {
        "specials": bool(specials_of(house)),
        "variant": house.variant != STANDARD,
        "plus_minus_one": house.plus_minus_one,
    }
    return tuple(Problem.of("batch_rule", rule=rule) for rule, is_set in others.items() if is_set)


def trick_takers(
    tricks: Iterable[Sequence[int]], trumps: Iterable[int | None], house: HouseRules = _PLAIN
) -> list[int]:
    """Return the place of the winning card in each trick; places count from 0.

    `tricks` are cards in the order of play, `trumps` the suit that is trump in each of them (None: no trump). Cards are
    not checked: each lies in one trick once.
    Raises `RulesError` (`batch_rule`, `trick_empty`, all of `check_house_rules`).

    >>> trick_takers([(12, 13, 14), (12, 13, 14)], [None, 1])
    [0, 2]
    """
    _refuse_others(house)
    tables = _trick_tables(house.deck)
    settles, by_trump = tables.settles, tables.strengths
    return [_taker(trick, settles, by_trump[trump]) for trick, trump in zip(tricks, trumps, strict=True)]


def random_games(
    count: int, players: int, rng: Random, house: HouseRules = _PLAIN, *, keep_rounds: bool = False
) -> list[RandomGame]:
    """Return `count` games of random deals, bids and plays, all rounds of the full ladder; seat 0 deals the first.

    Every bid from 0 to the number of cards is as likely as any other, every card that may be played as any other that
    may, every suit that a dealer can name as well. All chance is `rng.random()`: for a round one draw a dealt card
    (seat by seat, then the card turned up), one for trump if the dealer names it, one a bid in seat order, one a card
    played as long as there are others in the hand. So the same `rng` gives the same games.
    Raises `RulesError` (`batch_rule`, all of `plan_problems`).

    >>> random_games(1, 3, Random(1))[0].totals
    (-590, -400, -430)
    """
    _refuse_others(house)
    table = _table_of(house, players)
    return [_random_game(table, rng.random, keep_rounds) for _game in range(count)]


_OPEN = -1
"""In place of a suit to follow: no card has settled yet whether there is one. As an index it is the last: no suit."""

_Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _TrickTables:
    """What the cards of a deck do in a trick.

    `settles` is, by card, what it settles if nothing is settled yet: a suit to follow, the number of suits (nobody has
    to follow), or `_OPEN`. `strengths` are by trump, suit to follow (the last entry: none) and card. The cards of a
    suit are those from `spans[suit][0]` to below `spans[suit][1]` (the last entry: none), and from `suitless` on they
    have no suit.
    """

    settles: _Row
    strengths: Mapping[int | None, tuple[_Row, ...]]
    spans: tuple[tuple[int, int], ...]
    suitless: int


@dataclass(frozen=True, slots=True)
class _Step:
    """A round to play: `dealt` cards in all, the one turned up included; what each card turned up makes of trump.

    `trumps` are what trump can be, by the card turned up; where none is, they have one entry.
    """

    cards: int
    starter: int
    dealt: int
    trumps: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """All that the games of one table have in common; `points` are by bid and tricks taken.

    `orders` are the seats in the order of play, by the seat that leads.
    """

    players: int
    deck: tuple[int, ...]
    tricks: _TrickTables
    steps: tuple[_Step, ...]
    orders: tuple[tuple[int, ...], ...]
    points: tuple[_Row, ...]


def _refuse_others(house: HouseRules) -> None:
    check_house_rules(house)
    refuse(batch_problems(house))


@cache
def _trick_tables(deck_name: str) -> _TrickTables:
    deck = DECKS[deck_name]
    suits = (*deck.suits, None)
    places = {suit: [place for place, card in enumerate(deck.cards) if card.led_suit is suit] for suit in suits}
    by_trump = {
        None if trump is None else number: tuple(
            tuple(by_code[card.code] for card in deck.cards) for by_code in (strengths(trump, suit) for suit in suits)
        )
        for number, trump in enumerate(suits)
    }
    return _TrickTables(
        settles=tuple(
            suits.index(card.led_suit) if card.led_suit is not None or card.frees_trick else _OPEN
            for card in deck.cards
        ),
        strengths=MappingProxyType(by_trump),
        spans=(*((places[suit][0], places[suit][-1] + 1) for suit in deck.suits), (0, 0)),
        suitless=places[None][0],
    )


@lru_cache(maxsize=32)
def _table_of(house: HouseRules, players: int) -> _Table:
    plans = round_plans(house, players)
    most = max(plan.cards for plan in plans)
    return _Table(
        players=players,
        deck=tuple(range(deck_size(house))),
        tricks=_trick_tables(house.deck),
        steps=tuple(_steps(house, players, plans)),
        orders=tuple(tuple((leader + turn) % players for turn in range(players)) for leader in range(players)),
        points=tuple(tuple(round_points(bid, taken) for taken in range(most + 1)) for bid in range(most + 1)),
    )


def _steps(house: HouseRules, players: int, plans: Iterable[RoundPlan]) -> Iterator[_Step]:
    for plan in plans:
        yield _Step(
            cards=plan.cards,
            starter=starter_of(dealer_of(0, plan.number, players), players),
            dealt=players * plan.cards + plan.turned_up,
            trumps=tuple(_trumps(house, plan, card) for card in (deck_of(house) if plan.turned_up else (None,))),
        )


def _trumps(house: HouseRules, plan: RoundPlan, turned_up: Card | None) -> tuple[int | None, ...]:
    """Return what trump can be: one entry, or all that somebody may name."""
    call = trump_call(house, plan, dealer=0, turned_up=turned_up)
    suits = DECKS[house.deck].suits
    return tuple(None if suit is None else suits.index(suit) for suit in call.choices or (call.trump,))


def _random_game(table: _Table, random: Callable[[], float], keep_rounds: bool) -> RandomGame:
    players, points = table.players, table.points
    seats = range(players)
    totals, exact, rounds = [0] * players, [0] * players, []
    for step in table.steps:
        cards = step.cards
        dealt = _deal(table.deck, step.dealt, random)
        hands = [sorted(dealt[first : first + cards]) for first in range(0, players * cards, cards)]
        turned_up = dealt[-1] if step.dealt > players * cards else None
        trumps = step.trumps[turned_up or 0]
        trump = trumps[floor(random() * len(trumps))] if len(trumps) > 1 else trumps[0]
        bids = [floor(random() * (cards + 1)) for _seat in seats]
        kept = tuple(map(tuple, hands)) if keep_rounds else ()
        played, takers = _play(table, hands, step.starter, trump, random)
        scored = []
        for seat, bid in enumerate(bids):
            taken = takers.count(seat)
            scored.append(points[bid][taken])
            totals[seat] += points[bid][taken]
            exact[seat] += bid == taken
        if keep_rounds:
            rounds.append(RandomRound(kept, turned_up, trump, tuple(bids), tuple(played), tuple(takers), tuple(scored)))
    return RandomGame(tuple(totals), tuple(exact), tuple(rounds))


def _deal(deck: Sequence[int], count: int, random: Callable[[], float]) -> list[int]:
    """Return `count` cards of a deck, any of those left being as likely to be the next."""
    left = list(deck)
    dealt = []
    for size in range(len(left), len(left) - count, -1):
        place = floor(random() * size)
        dealt.append(left[place])
        left[place] = left[size - 1]
    return dealt


def _play(
    table: _Table, hands: Sequence[list[int]], leader: int, trump: int | None, random: Callable[[], float]
) -> tuple[list[int], list[int]]:
    """Play out a round from hands in the order of the deck, and return the cards played and the seats that took.

    A hand in that order has the cards of a suit side by side and those without a suit at its end, so what may be
    played is one or two slices of it. The body is one piece because it runs for every card of every game: calls in it
    would cost more than what they do.
    """
    tables = table.tricks
    settles, spans, suitless, by_suit = tables.settles, tables.spans, tables.suitless, tables.strengths[trump]
    played: list[int] = []
    takers = []
    for left in range(len(hands[0]), 1, -1):
        order = table.orders[leader]
        seats = iter(order)
        for seat in seats:  # until a card settles what has to be followed, any may be played
            card = hands[seat].pop(floor(random() * left))
            played.append(card)
            suit = settles[card]
            if suit != _OPEN:
                break
        keys = by_suit[suit]
        if seat != leader:
            opening = played[-order.index(seat) - 1 :]
            place = _taker(opening, settles, by_suit)
            card, seat = opening[place], order[place]
        best, leader = keys[card], seat
        low, high = spans[suit]
        for seat in seats:
            hand = hands[seat]
            start = bisect_left(hand, low)
            end = bisect_left(hand, high, start)
            if start == end:
                card = hand.pop(floor(random() * left))
            else:
                free = bisect_left(hand, suitless, end)
                pick = start + floor(random() * (end - start + left - free))
                card = hand.pop(pick if pick < end else pick - end + free)
            played.append(card)
            key = keys[card]
            if key > best:
                best, leader = key, seat
        takers.append(leader)
    order = table.orders[leader]
    trick = [hands[seat][0] for seat in order]
    played += trick
    takers.append(order[_taker(trick, settles, by_suit)])
    return played, takers


def _taker(trick: Sequence[int], settles: _Row, by_suit: Sequence[_Row]) -> int:
    """Return the place of the winning card; `settles` and `by_suit` are from the tables, the latter for its trump.

    Raises `RulesError` (`trick_empty`).
    """
    if not trick:
        raise RulesError((Problem.of("trick_empty"),))
    suit = settles[trick[0]]
    if suit == _OPEN:
        suit = next((settled for card in trick if (settled := settles[card]) != _OPEN), _OPEN)
    keys = by_suit[suit]
    best = winner = -1
    for card in trick:
        key = keys[card]
        if key > best:
            best, winner = key, card
    return trick.index(winner)
