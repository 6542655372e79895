from dataclasses import replace
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    Block,
    Cell,
    HouseRules,
    PlayedRound,
    Problem,
    RoundPlan,
    Row,
    RulesError,
    dealer_of,
    ranks,
    round_plans,
    round_points,
    winners,
)
from tests.rules.games import BOMB_AND_CLOUD, PLAIN, PROPERTY, codes, games, rounds_of_houses, sheet

SHARED = HouseRules(tie_break="shared")


def standings():
    """Totals and hits of a table in which ties are likely."""
    return st.integers(1, 7).flatmap(
        lambda size: st.lists(
            st.tuples(st.integers(-2, 2).map(lambda points: 10 * points), st.integers(0, 2)),
            min_size=size,
            max_size=size,
        )
    )


@pytest.mark.parametrize(
    ("totals", "hits", "tie_break", "expected"),
    [
        ([120, 80, 200], [0, 0, 0], "exact_hits", (2, 3, 1)),
        ([100, 100, 40], [3, 5, 9], "exact_hits", (2, 1, 3)),
        ([100, 100, 40], [3, 5, 9], "shared", (1, 1, 3)),
        ([300, 90, 90, 10], [9, 2, 2, 3], "exact_hits", (1, 2, 2, 4)),
        ([50, 50, 50, 50, 0], [1, 1, 1, 2, 0], "exact_hits", (2, 2, 2, 1, 5)),
        ([0, 0, 0], [0, 0, 0], "exact_hits", (1, 1, 1)),
        ([-30, -10, -50], [1, 1, 0], "exact_hits", (2, 1, 3)),
        ([7], [0], "shared", (1,)),
        ([], [], "exact_hits", ()),
    ],
)
def test_ranks_share_and_skip(totals, hits, tie_break, expected) -> None:
    assert ranks(totals, hits, tie_break) == expected
    assert winners(totals, hits, tie_break) == tuple(seat for seat, rank in enumerate(expected) if rank == 1)


@pytest.mark.parametrize(
    ("totals", "hits", "tie_break", "problem"),
    [
        ([1, 2], [1], "shared", Problem.of("wrong_length", what="hits", expected=2, given=1)),
        ([1, 2], [1, 2], "dice", Problem.of("tie_break_unknown", tie_break="dice")),
    ],
)
def test_ranks_refuse_what_they_cannot_compare(totals, hits, tie_break, problem) -> None:
    for function in (ranks, winners):
        with pytest.raises(RulesError) as caught:
            function(totals, hits, tie_break)
        assert caught.value.problems == (problem,)


@PROPERTY
@given(standings(), st.sampled_from(["exact_hits", "shared"]), st.randoms(use_true_random=False))
def test_ranks_do_not_depend_on_the_seats(results, tie_break, random) -> None:
    order = list(range(len(results)))
    random.shuffle(order)
    straight = ranks(*zip(*results, strict=True), tie_break)
    moved = ranks(*zip(*(results[seat] for seat in order), strict=True), tie_break)
    assert moved == tuple(straight[seat] for seat in order)


@PROPERTY
@given(standings(), st.sampled_from(["exact_hits", "shared"]))
def test_rank_is_one_more_than_the_seats_ahead(results, tie_break) -> None:
    totals, hits = zip(*results, strict=True)

    def ahead(other, seat):
        level = totals[other] == totals[seat]
        return totals[other] > totals[seat] or (level and tie_break == "exact_hits" and hits[other] > hits[seat])

    seats = range(len(totals))
    assert ranks(totals, hits, tie_break) == tuple(1 + sum(ahead(other, seat) for other in seats) for seat in seats)


@pytest.mark.parametrize(
    ("cell", "final_bid", "difference", "exact"),
    [
        (Cell(), None, None, None),
        (Cell(bid=2), 2, None, None),
        (Cell(tricks=2), None, None, None),
        (Cell(bid=2, tricks=2), 2, 0, True),
        (Cell(bid=2, tricks=0), 2, -2, False),
        (Cell(bid=0, tricks=3), 0, 3, False),
        (Cell(bid=2, tricks=3, cloud_delta=1), 3, 0, True),
        (Cell(bid=2, tricks=2, cloud_delta=-1), 1, 1, False),
    ],
)
def test_cell_compares_the_final_bid(cell, final_bid, difference, exact) -> None:
    assert (cell.final_bid, cell.difference, cell.exact) == (final_bid, difference, exact)


@pytest.mark.parametrize(
    ("cells", "scored", "bid_sum"),
    [
        ((), False, 0),
        ((None, None), False, 0),
        ((Cell(), Cell()), False, 0),
        ((Cell(1), Cell()), False, 1),
        ((Cell(1, 1, 30), Cell(2)), False, 3),
        ((Cell(1, 1, 30), Cell(2, 0, -20)), True, 3),
        ((Cell(1, 1, 30), None), True, 1),
        ((Cell(0, 0, 0),), True, 0),
        ((Cell(1, 2, 40, cloud_delta=1),), True, 1),
    ],
)
def test_row_knows_whether_it_is_scored(cells, scored, bid_sum) -> None:
    row = Row(1, 3, 0, cells)
    assert (row.is_scored, row.bid_sum) == (scored, bid_sum)


def cell(bid: int, taken: int) -> Cell:
    return Cell(bid, taken, round_points(bid, taken))


def block(*rounds, house=PLAIN, starting=(0, 0, 0), plan=None) -> Block:
    """Return a block whose rounds are given as cells by seat."""
    rows = tuple(Row(number, 5, None, tuple(cells)) for number, cells in enumerate(rounds, start=1))
    return Block(house, plan or tuple(RoundPlan(row.number, 5, True) for row in rows), rows, starting)


HIT, MISS, BIG = cell(0, 0), cell(1, 0), cell(3, 3)


def test_block_before_the_first_round_is_level() -> None:
    empty = Block(PLAIN, round_plans(PLAIN, 3), (), (0, 0, 0))
    assert (empty.seats, empty.totals, empty.hits, empty.ranks) == (3, (0, 0, 0), (0, 0, 0), (1, 1, 1))
    assert (empty.winners, empty.leaders, empty.decided_by) == ((0, 1, 2), (), "shared")
    assert (empty.running_totals, empty.scored_rows, empty.is_complete) == ((), (), False)
    assert (empty.best_rounds, empty.longest_streak) == ((0, ()), (0, ()))


def test_block_adds_up_round_by_round() -> None:
    pad = block([HIT, MISS, BIG], [MISS, HIT, MISS], starting=(5, 0, -10))
    assert pad.running_totals == ((25, -10, 40), (15, 10, 30))
    assert (pad.totals, pad.hits) == ((15, 10, 30), (1, 1, 1))
    assert (pad.ranks, pad.winners, pad.leaders) == ((2, 3, 1), (2,), (2,))
    assert pad.is_complete


def test_block_leaves_out_rows_without_all_points() -> None:
    pad = block([HIT, MISS, BIG], [Cell(1, 1, 30), Cell(1), Cell()])
    assert len(pad.scored_rows) == len(pad.running_totals) == 1
    assert (pad.totals, pad.hits) == ((20, -10, 50), (1, 0, 1))
    assert not pad.is_complete


def test_block_counts_only_the_rounds_a_seat_plays() -> None:
    pad = block([HIT, HIT, None], [None, MISS, BIG])
    assert (pad.totals, pad.hits) == ((20, 10, 50), (1, 1, 1))
    assert pad.longest_streak == (1, ((0, 1, 1), (1, 1, 1), (2, 2, 2)))


def test_block_is_complete_when_every_planned_round_is_scored() -> None:
    plan = round_plans(PLAIN, 3, rounds=2)
    assert not block([HIT, HIT, HIT], plan=plan).is_complete
    assert block([HIT, HIT, HIT], [HIT, HIT, HIT], plan=plan).is_complete


@pytest.mark.parametrize(
    ("house", "rounds", "decided_by", "winning", "leading"),
    [
        (PLAIN, [[BIG, HIT, MISS]], "points", (0,), (0,)),
        (PLAIN, [[HIT, BIG, MISS], [HIT, MISS, MISS]], "exact_hits", (0,), (0, 1)),
        (SHARED, [[HIT, BIG, MISS], [HIT, MISS, MISS]], "shared", (0, 1), (0, 1)),
        (PLAIN, [[HIT, HIT, MISS]], "shared", (0, 1), (0, 1)),
    ],
)
def test_block_says_what_decided(house, rounds, decided_by, winning, leading) -> None:
    pad = block(*rounds, house=house)
    assert (pad.decided_by, pad.winners, pad.leaders) == (decided_by, winning, leading)


def test_block_finds_the_best_rounds() -> None:
    assert block([BIG, HIT, BIG], [MISS, BIG, HIT]).best_rounds == (50, ((0, 1), (2, 1), (1, 2)))


def test_block_best_round_may_be_negative() -> None:
    assert block([MISS, cell(3, 0), cell(0, 2)]).best_rounds == (-10, ((0, 1),))


def test_block_finds_the_longest_streaks() -> None:
    hits = [(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 0), (1, 0, 0)]
    pad = block(*([HIT if hit else MISS for hit in row] for row in hits))
    assert pad.longest_streak == (2, ((0, 1, 2), (0, 4, 5), (1, 3, 4), (2, 2, 3)))


def test_block_streak_ends_in_a_round_not_played() -> None:
    assert block([HIT, MISS, MISS], [None, MISS, MISS], [HIT, HIT, MISS]).longest_streak == (
        1,
        ((0, 1, 1), (0, 3, 3), (1, 3, 3)),
    )


@pytest.mark.parametrize("name", ["S1", "S2", "S6"])
def test_block_of_a_printed_sheet_has_its_points_and_totals(name: str) -> None:
    printed = sheet(name)
    played = [PlayedRound(tuple(row["bids"]), tuple(row["tricks"])) for row in printed["rounds"]]
    plan = round_plans(PLAIN, 4, ladder="free", cards=[row["cards"] for row in printed["rounds"]])
    pad = Block.scored(PLAIN, plan, played, first_dealer=0)
    assert [[seat.points for seat in row.cells if seat] for row in pad.rows] == [
        row["points"] for row in printed["rounds"]
    ]
    assert [list(totals) for totals in pad.running_totals] == [row["totals"] for row in printed["rounds"]]
    assert list(pad.totals) == printed["rounds"][-1]["totals"]


@pytest.mark.parametrize(("name", "expected"), [("S1", (3, 1, 4, 2)), ("S2", (3, 1, 4, 2)), ("S6", (1, 2, 4, 3))])
def test_block_of_a_printed_sheet_has_its_ranks(name: str, expected: tuple[int, ...]) -> None:
    """In S2 seats 0 and 3 are level at 70; seat 3 has three exact bids, seat 0 two."""
    played = [PlayedRound(tuple(row["bids"]), tuple(row["tricks"])) for row in sheet(name)["rounds"]]
    plan = round_plans(PLAIN, 4, ladder="free", cards=[row["cards"] for row in sheet(name)["rounds"]])
    assert Block.scored(PLAIN, plan, played).ranks == expected


def test_block_scored_keeps_bomb_cloud_blind_and_dealer() -> None:
    house = replace(BOMB_AND_CLOUD, blind_bids=True)
    plan = round_plans(house, 3, ladder="free", cards=[3, 4])
    pad = Block.scored(
        house,
        plan,
        [
            PlayedRound((1, 1, 0), (2, 1, 0), clouds=((0, 1),), blind=(True, False, False)),
            PlayedRound((1, 1, 1), (1, 1, 1), bombs=1),
        ],
        starting=(10, 0, 0),
        first_dealer=2,
    )
    assert pad.rows == (
        Row(1, 3, 2, (Cell(1, 2, 80, True, 1), Cell(1, 1, 30), Cell(0, 0, 20))),
        Row(2, 4, 0, (Cell(1, 1, 30), Cell(1, 1, 30), Cell(1, 1, 30)), bombs=1),
    )
    assert (pad.totals, pad.hits, pad.is_complete) == ((120, 60, 50), (2, 2, 2), True)


def test_block_scored_takes_trumps_from_the_plan() -> None:
    house = HouseRules(variant="maximus")
    played = [PlayedRound((15, 0, 0, 0), (15, 0, 0, 0))] * 5
    pad = Block.scored(house, round_plans(house, 4), played)
    assert [(row.trump, row.turned_up) for row in pad.rows] == [
        (trump, False) for trump in ["B", "R", "G", "Y", "none"]
    ]
    assert pad.totals == (850, 100, 100, 100)


def test_block_scored_without_rounds_has_the_seats_of_its_starting_points() -> None:
    assert Block.scored(PLAIN, round_plans(PLAIN, 4), (), starting=(0, 0, 0, 0)).ranks == (1, 1, 1, 1)
    assert Block.scored(PLAIN, round_plans(PLAIN, 4), ()).seats == 0


def test_block_scored_raises_the_problems_of_all_rounds() -> None:
    played = [PlayedRound((1, 0, 0), (0, 0, 0)), PlayedRound((3, 0), (2, 0)), PlayedRound((0, 0, 0), (1, 1, 1))]
    with pytest.raises(RulesError) as caught:
        Block.scored(PLAIN, round_plans(PLAIN, 3, rounds=2), played)
    assert [(problem.code, problem.seat, problem.args.get("round")) for problem in caught.value.problems] == [
        ("rounds_out_of_range", None, None),
        ("tricks_sum", None, 1),
        ("wrong_length", None, 2),
        ("bid_out_of_range", 0, 2),
    ]


def test_block_scored_refuses_a_dealer_outside_the_table() -> None:
    with pytest.raises(RulesError) as caught:
        Block.scored(PLAIN, round_plans(PLAIN, 3), [PlayedRound((0, 0, 0), (1, 0, 0))], first_dealer=3)
    assert codes(caught.value.problems) == ["dealer_out_of_range"]


@PROPERTY
@given(games())
def test_block_totals_are_starting_points_plus_sums(game) -> None:
    house, plan, played, starting = game
    pad = Block.scored(house, plan, played, starting=starting, first_dealer=0)
    columns = [[row.cells[seat].points for row in pad.rows] for seat in range(pad.seats)]
    assert pad.totals == tuple(start + sum(column) for start, column in zip(starting, columns, strict=True))
    running = [list(accumulate(column, initial=start))[1:] for start, column in zip(starting, columns, strict=True)]
    assert pad.running_totals == tuple(zip(*running, strict=True))
    assert pad.hits == tuple(sum(bool(row.cells[seat].exact) for row in pad.rows) for seat in range(pad.seats))
    assert pad.ranks == ranks(pad.totals, pad.hits, house.tie_break)
    assert pad.winners == winners(pad.totals, pad.hits, house.tie_break)
    assert pad.is_complete == (len(played) == len(plan))
    assert [row.dealer for row in pad.rows] == [dealer_of(0, row.number, pad.seats) for row in pad.rows]


@PROPERTY
@given(games())
def test_block_records_agree_with_a_plain_search(game) -> None:
    house, plan, played, starting = game
    pad = Block.scored(house, plan, played, starting=starting)
    scores = [(row.cells[seat].points, (seat, row.number)) for row in pad.rows for seat in range(pad.seats)]
    best = max((points for points, _ in scores), default=0)
    assert pad.best_rounds == (best, tuple(where for points, where in scores if points == best))
    marks = ["".join("x" if row.cells[seat].exact else "." for row in pad.rows) for seat in range(pad.seats)]
    longest = max(len(run) for line in marks for run in line.split("."))
    assert pad.longest_streak[0] == longest
    for seat, first, last in pad.longest_streak[1]:
        assert marks[seat][first - 1 : last] == "x" * longest
    assert len(pad.longest_streak[1]) == sum(line.split(".").count("x" * longest) for line in marks if longest)


def test_block_results_do_not_depend_on_the_order_of_asking() -> None:
    random = Random(7)
    rounds = [[cell(random.randint(0, 2), random.randint(0, 2)) for _ in range(3)] for _ in range(5)]
    first, second = block(*rounds), block(*rounds)
    names = ["ranks", "totals", "hits", "winners", "leaders", "best_rounds", "longest_streak", "decided_by"]
    assert [getattr(first, name) for name in names] == [getattr(second, name) for name in names[::-1]][::-1]
    assert first == second


@pytest.mark.parametrize(
    ("cell", "code", "sentence"),
    [
        (Cell(2, 2, 40), "points_exact", "Bid 2, took 2: exact, 20 and 10 for each trick, makes 40."),
        (Cell(0, 0, 20), "points_exact", "Bid 0, took 0: exact, 20 and 10 for each trick, makes 20."),
        (
            Cell(2, 2, 80, blind=True),
            "points_exact_blind",
            "Bid 2 blind, took 2: exact, 20 and 10 for each trick, doubled, makes 80.",
        ),
        (
            Cell(2, 3, 50, cloud_delta=1),
            "points_exact_cloud",
            "Bid 2, 3 after the cloud, took 3: exact, 20 and 10 for each trick, makes 50.",
        ),
        (
            Cell(2, 1, 60, blind=True, cloud_delta=-1),
            "points_exact_cloud_blind",
            "Bid 2 blind, 1 after the cloud, took 1: exact, 20 and 10 for each trick, doubled, makes 60.",
        ),
        (Cell(2, 4, -20), "points_missed", "Bid 2, took 4: 2 off, minus 10 each, makes -20."),
        (Cell(3, 0, -30), "points_missed", "Bid 3, took 0: 3 off, minus 10 each, makes -30."),
        (
            Cell(3, 2, -20, blind=True),
            "points_missed_blind",
            "Bid 3 blind, took 2: 1 off, minus 10 each, doubled, makes -20.",
        ),
        (
            Cell(2, 2, -10, cloud_delta=-1),
            "points_missed_cloud",
            "Bid 2, 1 after the cloud, took 2: 1 off, minus 10 each, makes -10.",
        ),
        (
            Cell(1, 5, -60, blind=True, cloud_delta=1),
            "points_missed_cloud_blind",
            "Bid 1 blind, 2 after the cloud, took 5: 3 off, minus 10 each, doubled, makes -60.",
        ),
    ],
)
def test_cell_says_why_it_has_its_points(cell: Cell, code: str, sentence: str) -> None:
    reason = cell.points_reason
    assert reason is not None
    assert (reason.code, reason.message) == (code, sentence)


@pytest.mark.parametrize(
    "cell", [Cell(), Cell(2), Cell(tricks=2), Cell(2, 2), Cell(points=20), Cell(tricks=1, points=10)]
)
def test_cell_has_no_reason_before_it_is_played(cell: Cell) -> None:
    assert cell.points_reason is None


@PROPERTY
@given(rounds_of_houses())
def test_cell_reasons_make_up_the_points(game) -> None:
    house, _players, step, played = game
    scores = played.scores(house, step.number, step.cards)
    for seat, (cell, score) in enumerate(zip(played.cells(scores), scores, strict=True)):
        reason = cell.points_reason
        assert reason is not None
        args = reason.args
        assert (args["said"], args["bid"], args["taken"]) == (played.bids[seat], score.final_bid, score.tricks)
        assert args["off"] == abs(score.tricks - score.final_bid)
        points = 20 + 10 * args["taken"] if args["off"] == 0 else -10 * args["off"]
        is_blind = bool(played.blind) and played.blind[seat]
        assert args["points"] == score.points == points * (2 if is_blind else 1)
        assert reason.code == "_".join(
            ["points", "missed" if args["off"] else "exact"]
            + ["cloud"] * (args["said"] != args["bid"])
            + ["blind"] * is_blind
        )


@pytest.mark.parametrize(
    ("gone", "expected", "winners", "leaders", "decided_by"),
    [
        ((), (2, 1, 3, 3), (1,), (1,), "points"),
        ((1,), (1, 4, 2, 2), (0,), (0,), "points"),
        ((0, 1), (4, 3, 1, 1), (2, 3), (2, 3), "shared"),
    ],
)
def test_whoever_has_gone_ranks_after_all_others_and_wins_nothing(gone, expected, winners, leaders, decided_by) -> None:
    house = HouseRules()
    rounds = [PlayedRound((1, 0, 1, 1), (1, 0, 0, 0)), PlayedRound((2, 1, 0, 0), (1, 1, 0, 0))]  # 20, 50, 10, 10
    block = replace(Block.scored(house, round_plans(house, 4), rounds), gone=gone)
    assert block.ranks == expected
    assert (block.winners, block.leaders, block.decided_by) == (winners, leaders, decided_by)
