from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    HouseRules,
    Problem,
    RulesError,
    SeatScore,
    countable_tricks,
    round_points,
    round_problems,
    score_round,
)
from tests.rules.games import BOMB_AND_CLOUD, PLAIN, PROPERTY, any_house, codes, rounds_of_houses

BLIND = HouseRules(blind_bids=True)

# Bid down, tricks across, as printed on a score pad's reverse.
POINTS = [
    [20, -10, -20, -30, -40],
    [-10, 30, -10, -20, -30],
    [-20, -10, 40, -10, -20],
    [-30, -20, -10, 50, -10],
    [-40, -30, -20, -10, 60],
]


@pytest.mark.parametrize("bid", range(5))
def test_round_points_follow_the_table(bid: int) -> None:
    assert [round_points(bid, taken) for taken in range(5)] == POINTS[bid]


@pytest.mark.parametrize(("cards", "bombs", "countable"), [(1, 0, 1), (1, 1, 0), (7, 0, 7), (7, 1, 6), (7, 2, 5)])
def test_countable_tricks_are_cards_minus_bombs(cards: int, bombs: int, countable: int) -> None:
    assert countable_tricks(cards, bombs) == countable


def test_score_round_says_what_each_seat_made() -> None:
    scores = score_round(PLAIN, number=3, cards=3, bids=[1, 0, 2, 1], tricks=[1, 0, 0, 2])
    assert scores == (
        SeatScore(1, 1, True, 30),
        SeatScore(0, 0, True, 20),
        SeatScore(2, 0, False, -20),
        SeatScore(1, 2, False, -10),
    )


def test_cloud_changes_the_bid_and_not_the_tricks() -> None:
    """One public score pad alters the tricks instead: it gives 40 here."""
    scores = score_round(BOMB_AND_CLOUD, number=5, cards=5, bids=[2, 1, 1], tricks=[3, 1, 1], clouds=[(0, 1)])
    assert scores[0] == SeatScore(final_bid=3, tricks=3, exact=True, points=50)


@pytest.mark.parametrize(("bid", "taken", "points"), [(2, 2, 80), (2, 1, -20), (2, 4, -40), (0, 0, 40)])
def test_blind_bid_doubles_hit_and_miss(bid: int, taken: int, points: int) -> None:
    scores = score_round(BLIND, number=5, cards=5, bids=[bid, 0], tricks=[taken, 5 - taken], blind=[True, False])
    assert scores[0].points == points


def test_blind_bid_doubles_after_the_cloud() -> None:
    house = replace(BOMB_AND_CLOUD, blind_bids=True)
    scores = score_round(house, number=3, cards=3, bids=[1, 2], tricks=[2, 1], clouds=[(0, 1)], blind=[True, False])
    assert scores == (SeatScore(2, 2, True, 80), SeatScore(2, 1, False, -10))


@pytest.mark.parametrize("seats", [1, 2, 7, 8])
def test_score_round_takes_any_number_of_seats(seats: int) -> None:
    scores = score_round(PLAIN, number=2, cards=2, bids=[0] * seats, tricks=[2, *[0] * (seats - 1)])
    assert [score.points for score in scores] == [-20, *[20] * (seats - 1)]


def problems_of(house=PLAIN, *, number=3, cards=3, bids=(1, 1, 1), tricks=(1, 1, 1), bombs=0, clouds=(), blind=()):
    return round_problems(
        house, number=number, cards=cards, bids=bids, tricks=tricks, bombs=bombs, clouds=clouds, blind=blind
    )


TWO_CLOUDS = HouseRules(specials=("CLOUD", "CLOUD"))
TWO_BOMBS = HouseRules(specials=("BOMB", "BOMB"))


@pytest.mark.parametrize(
    ("house", "entry", "problems"),
    [
        (PLAIN, {}, []),
        (PLAIN, {"number": 0}, [("round_number", None)]),
        (PLAIN, {"cards": 0, "bids": (0, 0), "tricks": (0, 0)}, [("cards_out_of_range", None)]),
        (PLAIN, {"bids": (4, -1, 0)}, [("bid_out_of_range", 0), ("bid_out_of_range", 1)]),
        (PLAIN, {"tricks": (4, -1, 0)}, [("tricks_out_of_range", 0), ("tricks_out_of_range", 1)]),
        (PLAIN, {"tricks": (4, 0, 0)}, [("tricks_out_of_range", 0)]),
        (PLAIN, {"tricks": (2, 0, 0)}, [("tricks_sum", None)]),
        (PLAIN, {"tricks": (2, 1)}, [("wrong_length", None)]),
        (PLAIN, {"tricks": (2, 1, 0, 0)}, [("wrong_length", None)]),
        (PLAIN, {"tricks": ()}, [("wrong_length", None)]),
        (PLAIN, {"bids": (), "tricks": ()}, [("tricks_sum", None)]),
        (PLAIN, {"blind": (False, True, False)}, [("blind_not_enabled", 1)]),
        (BLIND, {"blind": (True, True)}, [("wrong_length", None)]),
        (BLIND, {"blind": (True, True, True)}, []),
        (replace(BLIND, clairvoyance=True), {"blind": (True, True, True)}, []),
        (
            replace(BLIND, clairvoyance=True),
            {"number": 1, "blind": (False, False, True)},
            [("blind_not_available", 2)],
        ),
        (PLAIN, {"bombs": 1, "tricks": (1, 1, 0)}, [("bomb_not_in_deck", None)]),
        (BOMB_AND_CLOUD, {"bombs": 1, "tricks": (1, 1, 0)}, []),
        (BOMB_AND_CLOUD, {"bombs": 1}, [("tricks_sum", None)]),
        (BOMB_AND_CLOUD, {"bombs": 1, "tricks": (3, 0, 0)}, [("tricks_out_of_range", 0)]),
        (BOMB_AND_CLOUD, {"bombs": 2, "tricks": (1, 0, 0)}, [("too_many_bombs", None)]),
        (BOMB_AND_CLOUD, {"bombs": -1}, [("bombs_out_of_range", None)]),
        (BOMB_AND_CLOUD, {"bombs": 4}, [("bombs_out_of_range", None), ("too_many_bombs", None)]),
        (TWO_BOMBS, {"bombs": 2, "tricks": (1, 0, 0)}, []),
        (PLAIN, {"clouds": [(0, 1)]}, [("cloud_not_in_deck", None)]),
        (BOMB_AND_CLOUD, {"clouds": [(0, 1)]}, []),
        (BOMB_AND_CLOUD, {"clouds": [(0, 1), (1, 1)]}, [("too_many_clouds", None)]),
        (BOMB_AND_CLOUD, {"clouds": [(0, 0)]}, [("cloud_delta", 0)]),
        (BOMB_AND_CLOUD, {"clouds": [(1, 2)]}, [("cloud_delta", 1)]),
        (BOMB_AND_CLOUD, {"clouds": [(3, 1)]}, [("seat_out_of_range", None)]),
        (BOMB_AND_CLOUD, {"clouds": [(-1, 1)]}, [("seat_out_of_range", None)]),
        (BOMB_AND_CLOUD, {"tricks": (2, 1, 0), "clouds": [(2, -1)]}, [("cloud_without_trick", 2)]),
        (BOMB_AND_CLOUD, {"bids": (0, 1, 1), "clouds": [(0, -1)]}, [("cloud_bid_out_of_range", 0)]),
        (BOMB_AND_CLOUD, {"bids": (3, 1, 1), "clouds": [(0, 1)]}, [("cloud_bid_out_of_range", 0)]),
        (replace(BOMB_AND_CLOUD, cloud_upper_clamp=False), {"bids": (3, 1, 1), "clouds": [(0, 1)]}, []),
        (
            replace(BOMB_AND_CLOUD, cloud_upper_clamp=False),
            {"bids": (0, 1, 1), "clouds": [(0, -1)]},
            [("cloud_bid_out_of_range", 0)],
        ),
        (BOMB_AND_CLOUD, {"bids": (4, 1, 1), "clouds": [(0, 1)]}, [("bid_out_of_range", 0)]),
        (TWO_CLOUDS, {"clouds": [(0, 1), (0, 1)]}, []),
        (TWO_CLOUDS, {"bids": (2, 0, 0), "clouds": [(0, 1), (0, 1)]}, [("cloud_bid_out_of_range", 0)]),
        (BOMB_AND_CLOUD, {"tricks": (3,), "clouds": [(2, 1)]}, [("wrong_length", None)]),
    ],
)
def test_round_problems_name_code_and_seat(house, entry, problems) -> None:
    assert [(problem.code, problem.seat) for problem in problems_of(house, **entry)] == problems


@pytest.mark.parametrize(("tricks", "missing", "surplus"), [((1, 0, 0), 2, 0), ((2, 2, 0), 0, 1)])
def test_tricks_sum_says_how_many_are_missing_or_too_many(tricks, missing, surplus) -> None:
    (problem,) = problems_of(tricks=tricks)
    assert problem == Problem.of(
        "tricks_sum", sum=sum(tricks), countable=3, difference=surplus - missing, missing=missing, surplus=surplus
    )


def test_round_problems_come_all_at_once() -> None:
    problems = problems_of(bids=(9, 1, 1), tricks=(0, 1, 1), bombs=1, clouds=[(0, 5)], blind=(True, False, False))
    assert codes(problems) == [
        "bid_out_of_range",
        "blind_not_enabled",
        "bomb_not_in_deck",
        "cloud_not_in_deck",
        "cloud_without_trick",
        "cloud_delta",
    ]
    assert all(problem.message for problem in problems)


def test_round_problems_leave_plus_minus_one_to_the_bidding() -> None:
    assert problems_of(HouseRules(plus_minus_one=True)) == ()


def score(house, step, played):
    return score_round(
        house,
        number=step.number,
        cards=step.cards,
        bids=played.bids,
        tricks=played.tricks,
        bombs=played.bombs,
        clouds=played.clouds,
        blind=played.blind,
    )


@PROPERTY
@given(rounds_of_houses())
def test_score_round_adds_up(entry) -> None:
    house, players, step, played = entry
    scores = score(house, step, played)
    deltas = dict(played.clouds)
    assert len(scores) == players
    assert sum(seat.tricks for seat in scores) == step.cards - played.bombs
    for index, seat in enumerate(scores):
        final = played.bids[index] + deltas.get(index, 0)
        off = abs(final - played.tricks[index])
        doubled = 2 if played.blind and played.blind[index] else 1
        assert seat == SeatScore(
            final, played.tricks[index], off == 0, doubled * (20 + 10 * final if off == 0 else -10 * off)
        )


@PROPERTY
@given(rounds_of_houses(), st.integers(0, 5))
def test_scores_move_with_the_seats(entry, by: int) -> None:
    house, players, step, played = entry
    by %= players

    def shifted(values):
        return (*values[by:], *values[:by])

    moved = replace(
        played,
        bids=shifted(played.bids),
        tricks=shifted(played.tricks),
        clouds=tuple(((seat - by) % players, delta) for seat, delta in played.clouds),
        blind=shifted(played.blind),
    )
    assert score(house, step, moved) == shifted(score(house, step, played))


@PROPERTY
@given(
    any_house.filter(lambda house: house.deck != "tarot78"),
    st.integers(0, 3),
    st.integers(0, 4),
    st.lists(st.integers(-1, 4), max_size=5),
    st.lists(st.integers(-1, 4), max_size=5),
    st.integers(-1, 2),
    st.lists(st.tuples(st.integers(-1, 5), st.integers(-2, 2)), max_size=2),
    st.lists(st.booleans(), max_size=5),
)
def test_score_round_accepts_exactly_what_has_no_problems(
    house, number, cards, bids, tricks, bombs, clouds, blind
) -> None:
    entry = {
        "number": number,
        "cards": cards,
        "bids": bids,
        "tricks": tricks,
        "bombs": bombs,
        "clouds": clouds,
        "blind": blind,
    }
    problems = round_problems(house, **entry)
    if problems:
        with pytest.raises(RulesError) as caught:
            score_round(house, **entry)
        assert caught.value.problems == problems
        assert all(problem.message for problem in problems)
        assert all(problem.seat is None or 0 <= problem.seat < max(len(bids), len(tricks)) for problem in problems)
    else:
        assert len(score_round(house, **entry)) == len(bids)


@PROPERTY
@given(rounds_of_houses(), st.data())
def test_one_trick_more_or_fewer_is_refused(entry, data) -> None:
    house, players, step, played = entry
    seat, change = data.draw(st.integers(0, players - 1)), data.draw(st.sampled_from([-1, 1]))
    tricks = [taken + change * (index == seat) for index, taken in enumerate(played.tricks)]
    problems = round_problems(
        house, number=step.number, cards=step.cards, bids=played.bids, tricks=tricks, bombs=played.bombs
    )
    assert codes(problems) in (["tricks_sum"], ["tricks_out_of_range"])
