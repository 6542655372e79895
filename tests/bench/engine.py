"""The rules alone: a whole score sheet worked out, beside shuffling 60 cards."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import rules

PASSES = 7


def calls_per_shuffle(seconds: float) -> tuple[float, float]:
    """Return how many shuffles of 60 cards take as long as one score sheet of 4 seats and 15 rounds.

    First a sheet scored from its bids and tricks, with totals and ranks; then totals and ranks alone.
    """
    rng = random.Random(1)
    house = rules.HouseRules()
    plan = rules.round_plans(house, 4)
    rounds = [
        rules.PlayedRound(
            bids=tuple(rng.randint(0, step.cards) for _seat in range(4)),
            tricks=tuple(_tricks(rng, step.cards)),
        )
        for step in plan
    ]
    cards = list(range(60))
    rows = rules.Block.scored(house, plan, rounds).rows

    def shuffle() -> None:
        rng.shuffle(cards)

    def score() -> None:
        results_of(rules.Block.scored(house, plan, rounds))

    def add_up() -> None:
        results_of(rules.Block(house, plan, rows, (0, 0, 0, 0)))

    yardstick, scored, added = (_best(work, seconds) for work in (shuffle, score, add_up))
    return scored / yardstick, added / yardstick


def results_of(block: rules.Block) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what a page asks of a block; it is worked out now."""
    return block.totals, block.ranks


def _tricks(rng: random.Random, cards: int) -> list[int]:
    takers = rng.choices(range(4), k=cards)
    return [takers.count(seat) for seat in range(4)]


def _best(work: Callable[[], None], seconds: float) -> float:
    """Return the CPU seconds of one call, the best of several passes."""
    found = []
    for _pass in range(PASSES):
        calls, start = 0, time.process_time()
        while time.process_time() - start < seconds / PASSES:
            work()
            calls += 1
        found.append((time.process_time() - start) / calls)
    return min(found)
