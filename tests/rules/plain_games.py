"""Games through the public functions, one card a call: random ones as `rules.batch` plays them, and all there are.

Nothing here knows the tables of `rules.batch`; what both share is the order of the draws, told in `random_games`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor
from random import Random
from typing import NamedTuple

from rules import (
    DECKS,
    Card,
    HouseRules,
    RoundPlan,
    Suit,
    choose_trump,
    dealer_of,
    deck_of,
    legal_cards,
    round_plans,
    score_round,
    starter_of,
    trick_outcome,
    trump_call,
)
from rules.batch import RandomGame

SEATS = 4


class PlainRound(NamedTuple):
    """A round as `rules.batch.RandomRound` tells it, in cards and suits."""

    hands: tuple[tuple[Card, ...], ...]
    turned_up: Card | None
    trump: Suit | None
    bids: tuple[int, ...]
    played: tuple[Card, ...]
    takers: tuple[int, ...]
    points: tuple[int, ...]


class PlainGame(NamedTuple):
    """A game as `rules.batch.RandomGame` tells it."""

    totals: tuple[int, ...]
    exact: tuple[int, ...]
    rounds: tuple[PlainRound, ...]


def plain_game(house: HouseRules, players: int, rng: Random) -> PlainGame:
    """Play a random game with the draws of `rules.batch.random_games`."""
    deck = deck_of(house)
    totals, exact, rounds = [0] * players, [0] * players, []
    for plan in round_plans(house, players):
        dealer = dealer_of(0, plan.number, players)
        hands, turned_up = _deal(deck, plan, players, rng)
        trump = _trump(house, plan, dealer, turned_up, rng)
        bids = tuple(_draw(rng, plan.cards + 1) for _seat in range(players))
        played, takers = _play(hands, trump, starter_of(dealer, players), rng)
        tricks = [takers.count(seat) for seat in range(players)]
        scores = score_round(house, number=plan.number, cards=plan.cards, bids=bids, tricks=tricks)
        for seat, score in enumerate(scores):
            totals[seat] += score.points
            exact[seat] += score.exact
        points = tuple(score.points for score in scores)
        rounds.append(PlainRound(hands, turned_up, trump, bids, tuple(played), tuple(takers), points))
    return PlainGame(tuple(totals), tuple(exact), tuple(rounds))


def in_cards(game: RandomGame, house: HouseRules) -> PlainGame:
    """Return a game of `rules.batch`, its rounds kept, in cards and suits."""
    deck, suits = deck_of(house), DECKS[house.deck].suits
    rounds = tuple(
        PlainRound(
            hands=tuple(tuple(deck[card] for card in hand) for hand in played.hands),
            turned_up=None if played.turned_up is None else deck[played.turned_up],
            trump=None if played.trump is None else suits[played.trump],
            bids=played.bids,
            played=tuple(deck[card] for card in played.played),
            takers=played.takers,
            points=played.points,
        )
        for played in game.rounds
    )
    return PlainGame(game.totals, game.exact, rounds)


def _draw(rng: Random, choices: int) -> int:
    return floor(rng.random() * choices)


def _deal(
    deck: Sequence[Card], plan: RoundPlan, players: int, rng: Random
) -> tuple[tuple[tuple[Card, ...], ...], Card | None]:
    """Return the hands in the order of the deck, and the card turned up: the last card fills the gap of one drawn."""
    left = list(range(len(deck)))
    dealt = []
    for _card in range(players * plan.cards + plan.turned_up):
        place = _draw(rng, len(left))
        dealt.append(left[place])
        left[place] = left[-1]
        left.pop()
    turned_up = deck[dealt.pop()] if plan.turned_up else None
    shares = [sorted(dealt[seat * plan.cards : (seat + 1) * plan.cards]) for seat in range(players)]
    return tuple(tuple(deck[place] for place in share) for share in shares), turned_up


def _trump(house: HouseRules, plan: RoundPlan, dealer: int, turned_up: Card | None, rng: Random) -> Suit | None:
    call = trump_call(house, plan, dealer=dealer, turned_up=turned_up)
    if call.is_pending:
        call = choose_trump(house, call, call.choices[_draw(rng, len(call.choices))])
    return call.trump


def _play(
    dealt: Sequence[Sequence[Card]], trump: Suit | None, leader: int, rng: Random
) -> tuple[list[Card], list[int]]:
    """Play out a round; return the cards in the order of play and the seats that took the tricks."""
    hands = [list(hand) for hand in dealt]
    played: list[Card] = []
    takers = []
    while hands[leader]:
        seats = [*range(leader, len(hands)), *range(leader)]
        trick: list[Card] = []
        for seat in seats:
            hand = hands[seat]
            legal = legal_cards(hand, trick)
            card = legal[_draw(rng, len(legal))] if len(hand) > 1 else legal[0]
            hand.remove(card)
            trick.append(card)
        leader = seats[trick_outcome(trick, trump).next_leader]
        played += trick
        takers.append(leader)
    return played, takers


class Playouts(NamedTuple):
    """All ways to play out a round: how many there are, and the tricks each seat takes in all of them together."""

    count: int
    tricks: tuple[int, ...]


KNOWN_PLAYOUTS: Mapping[int, Playouts] = {
    1: Playouts(1, (0, 1, 0, 0)),
    2: Playouts(8, (14, 2, 0, 0)),
    3: Playouts(142, (128, 0, 98, 200)),
    4: Playouts(8570, (10811, 468, 11577, 11424)),
    5: Playouts(245664, (97020, 67192, 1010472, 53636)),
}
"""What `playouts_of_round` has to come to, by round: known answers that do not come from this package."""


def playouts_of_round(number: int) -> Playouts:
    """Count all ways to play out round `number` of four seats from a fixed deal; seat 0 leads.

    The deck is dealt in steps of 37 from its twelfth card, its jesters put before its wizards. A wizard turned up makes
    the first suit trump.
    """
    deck = tuple(_in_steps())
    hands = tuple(deck[seat * number : (seat + 1) * number] for seat in range(SEATS))
    house = HouseRules()
    plan = round_plans(house, SEATS)[number - 1]
    call = trump_call(house, plan, dealer=SEATS - 1, turned_up=deck[SEATS * number])
    if call.is_pending:
        call = choose_trump(house, call, call.choices[0])
    return playouts(hands, call.trump, 0)


def playouts(hands: tuple[tuple[Card, ...], ...], trump: Suit | None, leader: int) -> Playouts:
    """Count all ways to play out a round from here; equal cards in a hand are different cards."""
    if not hands[leader]:
        return Playouts(1, (0,) * len(hands))
    return _follow(hands, trump, leader, ())


def _follow(hands: tuple[tuple[Card, ...], ...], trump: Suit | None, leader: int, trick: tuple[Card, ...]) -> Playouts:
    if len(trick) == len(hands):
        taker = (leader + trick_outcome(trick, trump).next_leader) % len(hands)
        after = playouts(hands, trump, taker)
        return Playouts(
            after.count,
            tuple(tricks + after.count * (seat == taker) for seat, tricks in enumerate(after.tricks)),
        )
    seat = (leader + len(trick)) % len(hands)
    hand = hands[seat]
    ways = []
    for card in legal_cards(hand, trick):
        place = hand.index(card)
        rest = (*hands[:seat], (*hand[:place], *hand[place + 1 :]), *hands[seat + 1 :])
        ways.append(_follow(rest, trump, leader, (*trick, card)))
    return Playouts(sum(way.count for way in ways), tuple(map(sum, zip(*(way.tricks for way in ways), strict=True))))


def _in_steps() -> Iterator[Card]:
    deck = deck_of(HouseRules())
    cards = (*deck[:52], *deck[56:], *deck[52:56])
    for step in range(len(cards)):
        yield cards[(37 * step + 11) % len(cards)]
