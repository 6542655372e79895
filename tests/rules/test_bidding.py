from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import HouseRules, Problem, RulesError, allowed_bids, bidding_order, bids_problems, check_bids, forbidden_bid
from tests.rules.games import PLAIN, PROPERTY, codes

PLUS_MINUS = HouseRules(plus_minus_one=True)
BLIND = HouseRules(blind_bids=True)


@pytest.mark.parametrize(
    ("house", "number", "cards", "players", "bids", "forbidden"),
    [
        (PLAIN, 3, 3, 4, [1, 0, 1], None),
        (PLUS_MINUS, 3, 3, 4, [1, 0, 1], 1),
        (PLUS_MINUS, 3, 3, 4, [1, 0, 2], 0),
        (PLUS_MINUS, 3, 3, 4, [0, 0, 0], 3),
        (PLUS_MINUS, 3, 3, 4, [1, 1, 2], None),
        (PLUS_MINUS, 3, 3, 4, [1, 0], None),
        (PLUS_MINUS, 3, 3, 4, [], None),
        (PLUS_MINUS, 3, 3, 4, [1, 0, 1, 1], None),
        (PLUS_MINUS, 1, 20, 3, [10, 7], 3),
        (replace(PLUS_MINUS, hidden_bids=True), 3, 3, 4, [1, 0, 1], None),
        (replace(PLUS_MINUS, secret_bids=True), 3, 3, 4, [1, 0, 1], None),
        (replace(PLUS_MINUS, plus_minus_one_from=4), 3, 3, 4, [1, 0, 1], None),
        (replace(PLUS_MINUS, plus_minus_one_from=3), 3, 3, 4, [1, 0, 1], 1),
        (replace(PLUS_MINUS, specials=("BOMB", "CLOUD")), 3, 3, 4, [1, 0, 1], 1),
        (PLUS_MINUS, 3, 3, 2, [1], 2),
        (PLUS_MINUS, 3, 3, 8, [0] * 7, 3),
    ],
)
def test_forbidden_bid_binds_the_last_bidder(house, number, cards, players, bids, forbidden) -> None:
    assert forbidden_bid(house, number=number, cards=cards, players=players, bids=bids) == forbidden


def test_allowed_bids_leave_out_the_forbidden_one() -> None:
    assert allowed_bids(PLUS_MINUS, number=3, cards=3, players=3, bids=[1, 1]) == (0, 2, 3)
    assert allowed_bids(PLAIN, number=3, cards=3, players=3, bids=[1, 1]) == (0, 1, 2, 3)


def test_allowed_bids_are_none_once_all_have_bid() -> None:
    assert allowed_bids(PLAIN, number=3, cards=3, players=3, bids=[1, 1, 1]) == ()


def problems_of(house=PLAIN, *, number=3, cards=3, dealer=3, bids=(1, 0, 2, 1), blind=()):
    return bids_problems(house, number=number, cards=cards, dealer=dealer, bids=bids, blind=blind)


SUM_TO_DEALER = Problem.of("bid_sum_forbidden", 3, bid=1, others=2, cards=3)


@pytest.mark.parametrize(
    ("house", "entry", "problems"),
    [
        (PLAIN, {}, []),
        (PLAIN, {"bids": [1, 0, 1, 1]}, []),
        (PLAIN, {"bids": [None] * 4}, []),
        (PLAIN, {"bids": [None, 4, -1, None]}, [("bid_out_of_range", 1), ("bid_out_of_range", 2)]),
        (PLUS_MINUS, {}, []),
        (PLUS_MINUS, {"bids": [1, 0, 1, None]}, []),
        (PLUS_MINUS, {"bids": [1, 0, 2, None]}, []),
        (PLUS_MINUS, {"bids": [1, 0, 1, 1]}, [("bid_sum_forbidden", 3)]),
        (PLUS_MINUS, {"bids": [1, 0, 1, 1], "dealer": 0}, [("bid_sum_forbidden", 0)]),
        (PLUS_MINUS, {"bids": [4, -1, 0, 0]}, [("bid_out_of_range", 0), ("bid_out_of_range", 1)]),
        (PLUS_MINUS, {"bids": [1, 0, 1, 1], "dealer": 4}, [("dealer_out_of_range", None)]),
        (PLUS_MINUS, {"bids": [1, 0, 1, 1], "dealer": -1}, [("dealer_out_of_range", None)]),
        (replace(PLUS_MINUS, hidden_bids=True), {"bids": [1, 0, 1, 1]}, [("bid_sum_forbidden", 3)]),
        (replace(PLUS_MINUS, secret_bids=True), {"bids": [1, 0, 1, 1]}, []),
        (replace(PLUS_MINUS, plus_minus_one_from=4), {"bids": [1, 0, 1, 1]}, []),
        (PLUS_MINUS, {"bids": [1, 2, 0], "dealer": 1}, [("bid_sum_forbidden", 1)]),
        (PLAIN, {"number": 0, "cards": 0, "bids": [0, 0]}, None),
        (PLAIN, {"blind": [True, False, False, True]}, [("blind_not_enabled", 0), ("blind_not_enabled", 3)]),
        (BLIND, {"blind": [True, False, False, True]}, []),
        (BLIND, {"blind": [True]}, [("wrong_length", None)]),
        (BLIND, {"blind": [False] * 5}, [("wrong_length", None)]),
        (replace(BLIND, clairvoyance=True), {"blind": [True] * 4}, []),
        (
            replace(BLIND, clairvoyance=True),
            {"number": 1, "cards": 1, "bids": [0, 0, 1, 1], "blind": [False, True, False, False]},
            [("blind_not_available", 1)],
        ),
    ],
)
def test_bids_problems_name_code_and_seat(house, entry, problems) -> None:
    found = [(problem.code, problem.seat) for problem in problems_of(house, **entry)]
    expected = [("round_number", None), ("cards_out_of_range", None), ("dealer_out_of_range", None)]
    assert found == (expected if problems is None else problems)


def test_bid_sum_problem_has_the_numbers_to_say_it() -> None:
    assert problems_of(PLUS_MINUS, bids=[1, 0, 1, 1]) == (SUM_TO_DEALER,)


def test_check_bids_raises_every_problem() -> None:
    with pytest.raises(RulesError) as caught:
        check_bids(PLAIN, number=1, cards=1, dealer=0, bids=[5, None, -1], blind=[False, True, False])
    assert codes(caught.value.problems) == ["bid_out_of_range", "bid_out_of_range", "blind_not_enabled"]
    check_bids(PLAIN, number=1, cards=1, dealer=0, bids=[1, None, 0])


@st.composite
def tables(draw):
    """A table on which all but the last have bid: house, players, cards, number, dealer, bids in bidding order."""
    house = HouseRules(
        plus_minus_one=draw(st.booleans()),
        plus_minus_one_from=draw(st.integers(1, 3)),
        specials=draw(st.sampled_from([(), ("BOMB",)])),
    )
    players, cards = draw(st.integers(2, 7)), draw(st.integers(1, 8))
    bids = draw(st.lists(st.integers(0, cards), min_size=players - 1, max_size=players - 1))
    return house, players, cards, draw(st.integers(1, 4)), draw(st.integers(0, players - 1)), bids


@PROPERTY
@given(tables())
def test_allowed_bids_agree_with_bids_problems(table) -> None:
    house, players, cards, number, dealer, bids = table
    allowed = allowed_bids(house, number=number, cards=cards, players=players, bids=bids)
    for last in range(-1, cards + 2):
        by_seat = dict(zip(bidding_order(dealer, players), [*bids, last], strict=True))
        seated = [by_seat[seat] for seat in range(players)]
        problems = bids_problems(house, number=number, cards=cards, dealer=dealer, bids=seated)
        assert (problems == ()) == (last in allowed)
        assert {problem.seat for problem in problems} <= {dealer}


@PROPERTY
@given(tables())
def test_allowed_bids_always_leave_a_way_out(table) -> None:
    house, players, cards, number, _, bids = table
    allowed = allowed_bids(house, number=number, cards=cards, players=players, bids=bids)
    assert len(allowed) in (cards, cards + 1)
    if house.plus_minus_one and number >= house.plus_minus_one_from:
        assert all(sum(bids) + bid != cards for bid in allowed)
    else:
        assert allowed == tuple(range(cards + 1))


@PROPERTY
@given(tables(), st.data())
def test_bids_before_the_last_are_free(table, data) -> None:
    house, players, cards, number, _, bids = table
    early = bids[: data.draw(st.integers(0, len(bids) - 1))]
    assert allowed_bids(house, number=number, cards=cards, players=players, bids=early) == tuple(range(cards + 1))
