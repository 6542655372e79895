"""`Seat.line` as text: the same as its values, on every database, and each round as it was dealt."""

from __future__ import annotations

import json

import pytest
from django.db.models import TextField
from django.db.models.functions import Cast
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.models import Seat
from scoresheets.models.lines import LineCell, cells_of, changed_round_keys, line_cell, round_keys
from tests.scoresheets.factories import finished_game, make_game

CELLS = st.one_of(
    st.none(),
    st.tuples(st.integers(0, 23), st.integers(0, 23), st.integers(-460, 500)).map(list),
    st.tuples(
        st.integers(0, 23), st.integers(0, 23), st.integers(-460, 500), st.integers(0, 1), st.integers(-1, 1)
    ).map(list),
)


@given(st.lists(CELLS, max_size=20))
def test_line_as_text_says_the_same_as_its_values(line):
    read = [line_cell(cell) if cell else None for cell in cells_of(json.dumps(line))]

    assert read == [None if cell is None else LineCell(*cell) for cell in line]


@pytest.mark.parametrize(
    ("text", "final_bid", "is_exact"),
    [
        ("2, 2, 40", 2, True),
        ("2, 3, -10", 2, False),
        ("2, 3, 50, 0, 1", 3, True),
        ("2, 2, -10, 0, -1", 1, False),
        ("0, 0, 40, 1, 0", 0, True),
    ],
)
def test_cell_is_exact_against_the_bid_as_the_cloud_left_it(text, final_bid, is_exact):
    cell = line_cell(text)

    assert (cell.final_bid, cell.is_exact) == (final_bid, is_exact)


@pytest.mark.django_db
def test_database_writes_lines_as_they_are_read():
    game = finished_game([[(1, 1), (0, 0), (0, 0)], [(1, 0), (0, 2), (2, 0)]])

    texts = game.seats.order_by("position").annotate(text=Cast("line", TextField())).values_list("text", flat=True)

    assert [cells_of(text) for text in texts] == [
        ["1, 1, 30", "1, 0, -10"],
        ["0, 0, 20", "0, 2, -20"],
        ["0, 0, 20", "2, 0, -20"],
    ]


@pytest.mark.django_db
def test_line_without_a_scored_round_has_no_cells():
    game = make_game(seats=3)
    text = Seat.objects.filter(game=game).annotate(text=Cast("line", TextField())).values_list("text", flat=True)[0]

    assert cells_of(text) == []


def test_first_dealer_bids_last_in_the_first_round_and_the_deal_goes_round():
    keys = [round_keys([1, 2, 3, 4], 1, 3, position, None) for position in range(3)]

    assert [[after_dealer for _players, _cards, after_dealer, _bound in seat] for seat in keys] == [
        [2, 1, 3, 2],
        [3, 2, 1, 3],
        [1, 3, 2, 1],
    ]
    assert [key[:2] for key in keys[0]] == [(3, 1), (3, 2), (3, 3), (3, 4)]


@pytest.mark.parametrize(
    ("bound_from", "bound"), [(None, [False] * 3), (1, [True] * 3), (3, [False, False, True]), (4, [False] * 3)]
)
def test_bids_are_bound_from_the_first_round_of_plus_minus_one(bound_from, bound):
    assert [key[3] for key in round_keys([5, 6, 7], 0, 4, 0, bound_from)] == bound


@pytest.mark.django_db
@pytest.mark.parametrize(("seats", "first_dealer"), [(3, 0), (4, 3), (5, 2), (6, 5)])
def test_seat_after_the_dealer_is_as_the_rounds_of_a_game_have_it(seats, first_dealer):
    game = make_game(seats=seats, rounds=4, first_dealer=first_dealer)
    positions = dict(game.seats.values_list("pk", "position"))
    dealers = [positions[dealer] for dealer in game.rounds.order_by("number").values_list("dealer", flat=True)][:4]

    for position in range(seats):
        after = [key[2] for key in round_keys(game.plan, first_dealer, seats, position, None)][:4]
        # Whoever is n seats after the dealer is reached in n steps, the dealer in a whole round of the table.
        assert [(dealer + steps) % seats for dealer, steps in zip(dealers, after, strict=True)] == [position] * 4


def test_rounds_of_a_changed_table_count_those_who_were_there():
    # Four deal in turn from place 1; place 2 leaves after round 2, so place 3 deals round 3.
    lines = [["x", "x", "x"], ["x", "x", "x"], ["x", "x", ""], ["x", "x", "x"]]

    keys = changed_round_keys([1, 2, 4], [1, 2, 3], lines, 3)

    assert keys == [
        [(4, 1, 3, False), (4, 2, 2, False), (3, 4, 1, True)],
        [(4, 1, 4, False), (4, 2, 3, False), (3, 4, 2, True)],
        [(4, 1, 1, False), (4, 2, 4, False)],
        [(4, 1, 2, False), (4, 2, 1, False), (3, 4, 3, True)],
    ]
