"""Games told in plain English lines, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import Card
from rules.play import GameState
from rules.rounds import PlayedTrick, RoundState, Stage


def tell_game(game: GameState) -> Iterator[str]:
    """Yield the lines of a game, as far as it has come: each round, its score, and the ranking of the rounds done."""
    block = game.block
    for state, totals in zip(game.rounds, block.running_totals, strict=True):
        yield from _round(state, len(game.plan))
        yield from _score(state, totals)
        yield ""
    if game.current is not None and game.current.deal is not None:
        yield from _round(game.current, len(game.plan))
        yield ""
    elif not game.rounds:
        yield "Nothing is dealt yet."
    if game.rounds:
        yield f"After {len(game.rounds)} of {len(game.plan)} rounds:"
        for seat in sorted(range(game.players), key=lambda seat: block.ranks[seat]):
            yield f"  {block.ranks[seat]}. seat {seat}: {block.totals[seat]} points, {block.hits[seat]} exact bids"


def _round(state: RoundState, rounds: int) -> Iterator[str]:
    step = state.step
    cards = "1 card" if step.cards == 1 else f"{step.cards} cards"
    yield f"Round {step.number} of {rounds}: {cards}, seat {state.dealer} deals"
    if state.deal is None or state.call is None:
        return
    for seat, hand in enumerate(state.deal.hands):
        bid = "" if state.bids[seat] is None else f"   bids {state.bids[seat]}{' blind' if state.blind[seat] else ''}"
        yield f"  seat {seat}: {_cards(hand)}{bid}"
    if state.stage is Stage.SWAP:
        yield f"  Seat {state.to_act[0]} holds the werewolf and has to swap it for {state.deal.turned_up}."
        return
    yield f"  {state.call.reason.message}{_named(state)}"
    if state.shown:
        yield f"  The bids {', '.join(map(str, state.shown))} added up: seat {state.dealer} had to change."
    for number, trick in enumerate(state.tricks, start=1):
        yield from _trick(number, trick)
    if state.trick:
        yield f"  trick {len(state.tricks) + 1}, seat {state.leader} leads: {_cards(state.trick)}"
    for seat, delta in state.clouds:
        yield f"  Cloud: seat {seat} changes its bid by {delta:+d}."


def _named(state: RoundState) -> str:
    if state.call is None or state.call.chooser is None or state.call.is_pending:
        return ""
    return f" Seat {state.call.chooser} names {state.call.trump or 'no trump'}."


def _trick(number: int, trick: PlayedTrick) -> Iterator[str]:
    outcome = trick.outcome
    taker = "nobody gets it" if trick.winner is None else f"seat {trick.winner} takes it"
    yield f"  trick {number}, seat {trick.leader} leads: {_cards(trick.cards)} - {taker}. {outcome.reason.message}"
    if outcome.bombed:
        yield f"    The bomb destroys the trick; seat {trick.next_leader} leads on."
    if trick.passed:
        yield f"    Passed to the left, from seat 0 on: {_cards(trick.passed)}"


def _score(state: RoundState, totals: Sequence[int]) -> Iterator[str]:
    for seat, (score, total) in enumerate(zip(state.scores, totals, strict=True)):
        hit = "exact" if score.exact else "missed"
        yield f"  seat {seat}: bid {score.final_bid}, took {score.tricks}, {hit}: {score.points:+d} = {total}"


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)
