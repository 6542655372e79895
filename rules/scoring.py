"""Points: what a seat scores in a round, and what is wrong with a round's entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.bidding import bid_problems, blind_problems, deal_problems
from rules.decks import count_of
from rules.errors import Problem, refuse
from rules.variants import HouseRules


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What a round came to for one seat: `final_bid` is the bid after the cloud, `points` are doubled if bid blind."""

    final_bid: int
    tricks: int
    exact: bool
    points: int


def round_points(bid: int, taken: int) -> int:
    """Return the points one seat scores in one round, before any doubling (may be negative).

    `bid` (after the cloud) and `taken` are tricks. Source: D80, D81: 20 and 10 a trick for an exact bid, else minus 10
    for each trick over or under.
    """
    if bid == taken:
        return 20 + 10 * taken
    return -10 * abs(taken - bid)


def countable_tricks(cards: int, bombs: int) -> int:
    """Return how many tricks of a round count for somebody: a bombed one counts for nobody. Source: D60, D84."""
    return cards - bombs


def round_problems(
    house: HouseRules,
    *,
    number: int,
    cards: int,
    bids: Sequence[int],
    tricks: Sequence[int],
    bombs: int = 0,
    clouds: Sequence[tuple[int, int]] = (),
    blind: Sequence[bool] = (),
) -> tuple[Problem, ...]:
    """Return all that is wrong with the entries of a played round.

    `bids` (as spoken), `tricks` and `blind` (() for none) are in order of the seats that play this round, however many;
    `bombs` is the number of bombed tricks; `clouds` are (seat, change of the bid) pairs. Plus/minus one binds while
    bidding only and is not judged here. Tricks that are out of range are not added up.
    Source: D20, D30, D31, D60, D68, D72-D76, D84.
    """
    problems = [*deal_problems(number, cards), *bid_problems(cards, bids)]
    problems += blind_problems(house, number, len(bids), blind)
    problems += _bomb_problems(house, cards, bombs)
    problems += _trick_problems(cards, len(bids), tricks, bombs)
    problems += _cloud_problems(house, cards, bids, tricks, clouds)
    return tuple(problems)


def score_round(
    house: HouseRules,
    *,
    number: int,
    cards: int,
    bids: Sequence[int],
    tricks: Sequence[int],
    bombs: int = 0,
    clouds: Sequence[tuple[int, int]] = (),
    blind: Sequence[bool] = (),
) -> tuple[SeatScore, ...]:
    """Return the score of each seat, in seat order; the arguments are those of `round_problems`.

    Raises `RulesError` with all of `round_problems`.
    Source: D82: the cloud changes the bid, then bid and tricks are compared, then a blind bid doubles.

    >>> [score.points for score in score_round(HouseRules(), number=3, cards=3, bids=[1, 0, 2], tricks=[1, 0, 2])]
    [30, 20, 40]
    """
    refuse(
        round_problems(
            house, number=number, cards=cards, bids=bids, tricks=tricks, bombs=bombs, clouds=clouds, blind=blind
        )
    )
    final_bids = list(bids)
    for seat, delta in clouds:
        final_bids[seat] += delta
    factors = [2 if is_blind else 1 for is_blind in blind] or [1] * len(final_bids)
    return tuple(
        SeatScore(bid, taken, bid == taken, factor * round_points(bid, taken))
        for bid, taken, factor in zip(final_bids, tricks, factors, strict=True)
    )


def _bomb_problems(house: HouseRules, cards: int, bombs: int) -> Iterator[Problem]:
    in_deck = count_of(house, "BOMB")
    if not 0 <= bombs <= max(cards, 0):
        yield Problem.of("bombs_out_of_range", bombs=bombs, cards=cards)
    if bombs > 0 and in_deck == 0:
        yield Problem.of("bomb_not_in_deck")
    elif bombs > in_deck:
        yield Problem.of("too_many_bombs", bombs=bombs, in_deck=in_deck)


def _trick_problems(cards: int, seats: int, tricks: Sequence[int], bombs: int) -> Iterator[Problem]:
    if len(tricks) != seats:
        yield Problem.of("wrong_length", what="tricks", expected=seats, given=len(tricks))
    countable = countable_tricks(cards, bombs if 0 <= bombs <= cards else 0)
    beyond = [seat for seat, taken in enumerate(tricks) if not 0 <= taken <= countable]
    for seat in beyond:
        yield Problem.of("tricks_out_of_range", seat, tricks=tricks[seat], countable=countable)
    difference = sum(tricks) - countable
    if difference and not beyond and len(tricks) == seats:
        yield Problem.of(
            "tricks_sum",
            sum=sum(tricks),
            countable=countable,
            difference=difference,
            missing=max(-difference, 0),
            surplus=max(difference, 0),
        )


def _cloud_problems(
    house: HouseRules, cards: int, bids: Sequence[int], tricks: Sequence[int], clouds: Sequence[tuple[int, int]]
) -> Iterator[Problem]:
    in_deck = count_of(house, "CLOUD")
    if clouds and in_deck == 0:
        yield Problem.of("cloud_not_in_deck")
    elif len(clouds) > in_deck:
        yield Problem.of("too_many_clouds", clouds=len(clouds), in_deck=in_deck)
    current = list(bids)
    for seat, delta in clouds:
        if not 0 <= seat < len(bids):
            yield Problem.of("seat_out_of_range", seat_index=seat, players=len(bids))
            continue
        if seat < len(tricks) and tricks[seat] < 1:
            yield Problem.of("cloud_without_trick", seat)
        if delta not in (-1, 1):
            yield Problem.of("cloud_delta", seat, delta=delta)
        elif 0 <= bids[seat] <= cards:  # a bid that is itself out of range is named as such
            highest = cards if house.cloud_upper_clamp else current[seat] + 1
            if not 0 <= current[seat] + delta <= highest:
                yield Problem.of("cloud_bid_out_of_range", seat, bid=current[seat], delta=delta, cards=cards)
            current[seat] += delta
