"""The block: a whole score sheet as a value, with its totals, ranks and records."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from rules.errors import Problem, RulesError, refuse
from rules.plans import RoundPlan, dealer_of
from rules.reasons import Reason
from rules.scoring import SeatScore, score_round
from rules.variants import EXACT_HITS, TIE_BREAKS, HouseRules


def ranks(
    totals: Sequence[int], hits: Sequence[int], tie_break: str = EXACT_HITS, *, gone: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the rank of each seat, in seat order: equal seats share one, the next is skipped (1, 2, 2, 4).

    `totals` are points, `hits` exact bids, both by seat. Seats that have `gone` before the end come after all others.
    It is defined at any time of a game.
    Raises `RulesError` (`tie_break_unknown`, `wrong_length`). Source: D86-D88.

    >>> ranks([100, 40, 100], [3, 9, 5])
    (2, 3, 1)
    """
    if tie_break not in TIE_BREAKS:
        raise RulesError((Problem.of("tie_break_unknown", tie_break=tie_break),))
    if len(hits) != len(totals):
        raise RulesError((Problem.of("wrong_length", what="hits", expected=len(totals), given=len(hits)),))
    stayed = [seat not in gone for seat in range(len(totals))]
    results = list(zip(stayed, totals, hits if tie_break == EXACT_HITS else [0] * len(hits), strict=True))
    best_first = sorted(results, reverse=True)
    return tuple(best_first.index(result) + 1 for result in results)


def winners(totals: Sequence[int], hits: Sequence[int], tie_break: str = EXACT_HITS) -> tuple[int, ...]:
    """Return the seats of rank 1, ascending; the arguments and errors are those of `ranks`. Source: C10, D86."""
    return tuple(seat for seat, rank in enumerate(ranks(totals, hits, tie_break)) if rank == 1)


@dataclass(frozen=True, slots=True)
class Cell:
    """What one seat bid and took in one round; None for what has not happened yet.

    `bid` is as spoken, `cloud_delta` is what the cloud changed it by (0: nothing), `points` are doubled if blind.
    """

    bid: int | None = None
    tricks: int | None = None
    points: int | None = None
    blind: bool = False
    cloud_delta: int = 0

    @property
    def final_bid(self) -> int | None:
        """The bid after the cloud, which counts; None before the seat has bid. Source: D82."""
        return None if self.bid is None else self.bid + self.cloud_delta

    @property
    def difference(self) -> int | None:
        """Tricks taken minus the final bid; None while not played."""
        return None if self.bid is None or self.tricks is None else self.tricks - self.bid - self.cloud_delta

    @property
    def exact(self) -> bool | None:
        """Whether the final bid was met; None while not played. A blind hit is one hit (D86)."""
        return None if self.bid is None or self.tricks is None else self.tricks == self.bid + self.cloud_delta

    @property
    def points_reason(self) -> Reason | None:
        """Why the cell has its points, as one sentence; None while not played. Source: D80-D82.

        >>> Cell(bid=2, tricks=4, points=-20).points_reason.message
        'Bid 2, took 4: 2 off, minus 10 each, makes -20.'
        """
        if self.bid is None or self.tricks is None or self.points is None:
            return None
        hit = "points_exact" if self.exact else "points_missed"
        code = f"{hit}{'_cloud' if self.cloud_delta else ''}{'_blind' if self.blind else ''}"
        return Reason.of(
            code,
            said=self.bid,
            bid=self.bid + self.cloud_delta,
            taken=self.tricks,
            off=abs(self.difference or 0),
            points=self.points,
        )


NO_TRUMP = "none"


@dataclass(frozen=True, slots=True)
class Row:
    """One round on the block: a cell for each seat in seat order, None for a seat that does not play this round.

    `trump` is a suit's letter, `NO_TRUMP`, or None if nobody noted it; `turned_up`: a card was left to be turned up.
    """

    number: int
    cards: int
    dealer: int | None
    cells: tuple[Cell | None, ...]
    bombs: int = 0
    trump: str | None = None
    turned_up: bool = True

    @property
    def is_scored(self) -> bool:
        """Whether somebody plays this round and everybody who does has points."""
        anybody = False
        for cell in self.cells:
            if cell is not None:
                if cell.points is None:
                    return False
                anybody = True
        return anybody

    @property
    def bid_sum(self) -> int:
        """The sum of the bids made so far, as spoken."""
        return sum(cell.bid for cell in self.cells if cell is not None and cell.bid is not None)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """What a scorer notes of one played round: the arguments of `score_round` that the plan does not know."""

    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    bombs: int = 0
    clouds: tuple[tuple[int, int], ...] = ()
    blind: tuple[bool, ...] = ()

    def scores(self, house: HouseRules, number: int, cards: int) -> tuple[SeatScore, ...]:
        """Return the score of each seat if this was round `number` with `cards` a seat.

        Raises `RulesError` with all of `round_problems`, each with `round` among its params.
        """
        try:
            return score_round(
                house,
                number=number,
                cards=cards,
                bids=self.bids,
                tricks=self.tricks,
                bombs=self.bombs,
                clouds=self.clouds,
                blind=self.blind,
            )
        except RulesError as error:
            raise RulesError(problem.in_round(number) for problem in error.problems) from None

    def cells(self, scores: Sequence[SeatScore]) -> tuple[Cell, ...]:
        """Return the cells of this round, in seat order, given what `scores` returned."""
        return tuple(
            Cell(bid, score.tricks, score.points, blind, score.final_bid - bid)
            for bid, score, blind in zip(self.bids, scores, self.blind or (False,) * len(scores), strict=True)
        )


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points beside the rounds: `points` for a seat once `after` rounds were scored (0: before the first)."""

    after: int
    seat: int
    points: int


@dataclass(frozen=True)  # no slots: the cached properties need the instance's dict
class Block:
    """A whole score sheet: the house rules, the plan, the rows so far and the starting points of each seat.

    Every row has as many cells as `starting` has entries. `adjustments` count for totals and ranks only; seats that
    have `gone` before the end rank after all others and win nothing. Points are taken from the cells as they are;
    `Block.scored` computes them. All results are worked out once, when they are first
    asked for, from the scored rows in order.
    """

    house: HouseRules
    plan: tuple[RoundPlan, ...]
    rows: tuple[Row, ...]
    starting: tuple[int, ...]
    adjustments: tuple[Adjustment, ...] = ()
    gone: tuple[int, ...] = ()

    @classmethod
    def scored(
        cls,
        house: HouseRules,
        plan: Sequence[RoundPlan],
        rounds: Sequence[PlayedRound],
        *,
        starting: Sequence[int] | None = None,
        first_dealer: int | None = None,
    ) -> Self:
        """Return the block of a game whose first rounds were played as noted, points computed.

        `rounds` follow the plan from its start; every seat plays all of them. `starting` None: everybody begins at 0;
        `first_dealer` None: the dealers are not known.
        Raises `RulesError` with the problems of all rounds, each with its `round` among the params.
        """
        if starting is None:
            starting = (0,) * (len(rounds[0].bids) if rounds else 0)
        seats = len(starting)
        rows: list[Row] = []
        problems: list[Problem] = []
        if len(rounds) > len(plan):
            problems.append(Problem.of("rounds_out_of_range", rounds=len(rounds), most=len(plan)))
        for step, played in zip(plan, rounds, strict=False):
            if len(played.bids) != seats:
                missing = Problem.of("wrong_length", what="bids", expected=seats, given=len(played.bids))
                problems.append(missing.in_round(step.number))
            try:
                cells = played.cells(played.scores(house, step.number, step.cards))
            except RulesError as error:
                problems += error.problems
                continue
            dealer = None if first_dealer is None else dealer_of(first_dealer, step.number, seats)
            trump = (step.trump or NO_TRUMP) if step.fixed_trump else None
            rows.append(Row(step.number, step.cards, dealer, cells, played.bombs, trump, step.turned_up))
        refuse(problems)
        return cls(house, tuple(plan), tuple(rows), tuple(starting))

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.starting)

    @property
    def scored_rows(self) -> tuple[Row, ...]:
        """The rows whose points are known, in order."""
        return self._tally[0]

    @property
    def running_totals(self) -> tuple[tuple[int, ...], ...]:
        """The totals by seat after each scored row, in order."""
        return self._tally[1]

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat, starting points and adjustments included. Source: D83: no floor."""
        running = self._tally[1]
        return running[-1] if running else self._adjusted(self.starting, 0, last=True)

    @property
    def hits(self) -> tuple[int, ...]:
        """The number of exact bids of each seat in the scored rows."""
        return self._tally[2]

    @cached_property
    def _tally(self) -> tuple[tuple[Row, ...], tuple[tuple[int, ...], ...], tuple[int, ...]]:
        """The scored rows, the totals after each and the hits: one pass, as a page asks for all three."""
        scored, running, totals, hits = [], [], list(self.starting), [0] * len(self.starting)
        for row in self.rows:
            if not row.is_scored:
                continue
            for seat, cell in enumerate(row.cells):
                if cell is not None:
                    totals[seat] += cell.points or 0
                    if cell.exact:
                        hits[seat] += 1
            scored.append(row)
            running.append(tuple(totals))
        if self.adjustments:
            running = [
                self._adjusted(points, after, last=after == len(running))
                for after, points in enumerate(running, start=1)
            ]
        return tuple(scored), tuple(running), tuple(hits)

    def _adjusted(self, totals: tuple[int, ...], after: int, *, last: bool) -> tuple[int, ...]:
        """Return totals with the adjustments made by then; the `last` ones have all, as a round may be taken back."""
        adjusted = list(totals)
        for adjustment in self.adjustments:
            if last or adjustment.after <= after:
                adjusted[adjustment.seat] += adjustment.points
        return tuple(adjusted)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat by the house's tie-break. Source: D86-D88."""
        return ranks(self.totals, self.hits, self.house.tie_break, gone=self.gone)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1, ascending; before the first scored round these are all who start level at the top."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the highest total, ascending, whatever their hits; () before the first scored round."""
        if not self.scored_rows:
            return ()
        best = max(self._rivals)
        return tuple(seat for seat, total in enumerate(self.totals) if total == best and seat not in self.gone)

    @property
    def _rivals(self) -> tuple[int, ...]:
        """The totals of the seats that can win."""
        if not self.gone:
            return self.totals
        return tuple(total for seat, total in enumerate(self.totals) if seat not in self.gone)

    @property
    def is_complete(self) -> bool:
        """Whether every planned round is scored."""
        return len(self.scored_rows) >= len(self.plan) > 0

    @property
    def decided_by(self) -> str:
        """Which rule settled the first place: `points`, `exact_hits` (points were level) or `shared`. Source: D86."""
        if len(self.winners) != 1:
            return "shared"
        return "points" if self._rivals.count(max(self._rivals)) == 1 else EXACT_HITS

    @cached_property
    def best_rounds(self) -> tuple[int, tuple[tuple[int, int], ...]]:
        """The highest points of one round and who made them: (points, ((seat, round number), ...)) in playing order.

        (0, ()) before the first scored round.
        """
        scores = [
            (cell.points, seat, row.number)
            for row in self.scored_rows
            for seat, cell in enumerate(row.cells)
            if cell is not None and cell.points is not None
        ]
        best = max((points for points, _, _ in scores), default=0)
        return best, tuple((seat, number) for points, seat, number in scores if points == best)

    @cached_property
    def longest_streak(self) -> tuple[int, tuple[tuple[int, int, int], ...]]:
        """The longest run of exact rounds: (length, ((seat, first round, last round), ...)) by seat, then round.

        A round that a seat does not play ends its run. (0, ()) without any exact bid.
        """
        runs = [run for seat in range(self.seats) for run in self._runs(seat)]
        longest = max((length for length, *_ in runs), default=0)
        return longest, tuple((seat, first, last) for length, seat, first, last in runs if length == longest)

    def _runs(self, seat: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield the runs of exact rounds of a seat as (length, seat, first round, last round)."""
        run: list[int] = []
        for row in self.scored_rows:
            cell = row.cells[seat]
            if cell is not None and cell.exact:
                run.append(row.number)
            elif run:
                yield len(run), seat, run[0], run[-1]
                run = []
        if run:
            yield len(run), seat, run[0], run[-1]
