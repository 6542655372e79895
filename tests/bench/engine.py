"""The rules alone: sheets, games and tricks beside shuffling 60 cards, and proofs too long for a test run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

import rules
from rules.batch import random_games, trick_takers
from rules.bots import random_bot, self_play
from tests.rules.plain_games import KNOWN_PLAYOUTS, in_cards, plain_game, playouts_of_round

PASSES = 9
SEATS = 4
GAMES_AT_ONCE = 10
LAST_KNOWN = max(KNOWN_PLAYOUTS)
HOUSE = rules.HouseRules()


@dataclass(frozen=True, slots=True)
class Engine:
    """What the rules cost, in shuffles of 60 cards, and what came of the proofs.

    `sheet` is a sheet of 4 seats and 15 rounds scored from its bids and tricks, with totals and ranks; `added` totals
    and ranks alone. A game has 4 seats and 15 rounds of random deals, bids and plays: through the plain functions, the
    batch entry, the states that check every action. A trick has 4 cards and is judged.
    """

    sheet: float
    added: float
    plain_game: float
    plain_trick: float
    batch_game: float
    batch_trick: float
    state_game: float
    playouts: int
    playouts_seconds: float
    playouts_are_known: bool
    compared: int
    different: int
    mean_total: float


def measure(*, seconds: float, games: int) -> Engine:
    """Measure each piece of work for about `seconds`, and compare `games` games of the batch entry with plain ones."""
    rng = random.Random(1)
    score, add_up = _sheets(rng)
    tricks, trumps, plain_tricks = _tricks(rng)

    def plain_judge() -> None:
        for trick, trump in plain_tricks:
            rules.trick_outcome(trick, trump)

    def cost(work: Callable[[], object], of: int = 1) -> float:
        return shuffles(work, seconds) / of

    start = time.process_time()
    known = playouts_of_round(LAST_KNOWN) == KNOWN_PLAYOUTS[LAST_KNOWN]
    playouts_seconds = time.process_time() - start
    different, mean_total = compare(games)
    return Engine(
        sheet=cost(score),
        added=cost(add_up),
        plain_game=cost(lambda: plain_game(HOUSE, SEATS, rng)),
        plain_trick=cost(plain_judge, len(tricks)),
        batch_game=cost(lambda: random_games(GAMES_AT_ONCE, SEATS, rng), GAMES_AT_ONCE),
        batch_trick=cost(lambda: trick_takers(tricks, trumps), len(tricks)),
        state_game=cost(lambda: self_play(HOUSE, [random_bot] * SEATS, rng)),
        playouts=KNOWN_PLAYOUTS[LAST_KNOWN].count,
        playouts_seconds=playouts_seconds,
        playouts_are_known=known,
        compared=games,
        different=different,
        mean_total=mean_total,
    )


def compare(games: int) -> tuple[int, float]:
    """Return how many games of the batch entry differ from plain ones in any card, and the mean total of a seat."""
    fast, plain = random.Random(2), random.Random(2)
    different = total = 0
    for _game in range(games):
        (game,) = random_games(1, SEATS, fast, keep_rounds=True)
        different += in_cards(game, HOUSE) != plain_game(HOUSE, SEATS, plain)
        total += sum(game.totals)
    return different, total / games / SEATS


def shuffles(work: Callable[[], object], seconds: float) -> float:
    """Return how many shuffles of 60 cards take the CPU time of one call.

    Short turns of both follow each other, so that a busy machine is busy for both; the median of all turns counts.
    """
    shuffle = partial(random.Random(1).shuffle, list(range(60)))
    turn = seconds / PASSES / 3
    ratios = []
    for _pass in range(PASSES):
        before, own, after = (_call_seconds(job, turn) for job in (shuffle, work, shuffle))
        ratios.append(2 * own / (before + after))
    return median(ratios)


def results_of(block: rules.Block) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what a page asks of a block; it is worked out now."""
    return block.totals, block.ranks


def _sheets(rng: random.Random) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return two pieces of work: score a random sheet, and add one up that has its points."""
    plan = rules.round_plans(HOUSE, SEATS)
    rounds = []
    for step in plan:
        takers = rng.choices(range(SEATS), k=step.cards)
        bids = tuple(rng.randint(0, step.cards) for _seat in range(SEATS))
        rounds.append(rules.PlayedRound(bids=bids, tricks=tuple(takers.count(seat) for seat in range(SEATS))))
    rows = rules.Block.scored(HOUSE, plan, rounds).rows
    return (
        lambda: results_of(rules.Block.scored(HOUSE, plan, rounds)),
        lambda: results_of(rules.Block(HOUSE, plan, rows, (0,) * SEATS)),
    )


_Plain = tuple[list[rules.Card], rules.Suit | None]


def _tricks(rng: random.Random) -> tuple[list[tuple[int, ...]], list[int | None], list[_Plain]]:
    """Return tricks as they come about in random games, a random trump for each, and both in cards and suits."""
    deck, suits = rules.deck_of(HOUSE), rules.DECKS[HOUSE.deck].suits
    rounds = [played for game in random_games(10, SEATS, rng, keep_rounds=True) for played in game.rounds]
    tricks = [played.played[at : at + SEATS] for played in rounds for at in range(0, len(played.played), SEATS)]
    trumps = rng.choices([None, *range(len(suits))], k=len(tricks))
    plain: list[_Plain] = [
        ([deck[card] for card in trick], None if trump is None else suits[trump])
        for trick, trump in zip(tricks, trumps, strict=True)
    ]
    return tricks, trumps, plain


def _call_seconds(work: Callable[[], object], seconds: float) -> float:
    """Return the CPU seconds of one call, out of so many that they take `seconds` or more."""
    calls, more, start = 0, 1, time.process_time()
    while (used := time.process_time() - start) < seconds:
        for _call in range(more):
            work()
        calls += more
        more = max(1, calls // 4)  # the clock is not asked after every call: that would cost as much as a short one
    return used / calls
