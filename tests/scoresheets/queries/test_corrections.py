"""What a correction would change, and what was corrected: values, without the pages."""

import pytest

from scoresheets.actors import OPERATOR
from scoresheets.queries.blocks import sheet_of
from scoresheets.queries.corrections import (
    MOST_LISTED,
    correction_of,
    corrections_of,
    differences,
    preview_of,
    scored_round,
)
from scoresheets.recording import adjust_points
from tests.scoresheets.factories import make_game, newest_of, seat_ids

pytestmark = pytest.mark.django_db


def test_changes_of_a_preview_are_totals_ranks_and_hits_by_place():
    game = make_game(seats=3, rounds=2, length=4)
    first, second, third = seat_ids(game)

    preview = preview_of(
        sheet_of(game), number=1, bids={first: 1, second: 0, third: 0}, taken={first: 0, second: 1, third: 0}
    )

    assert preview.changes == (
        (0, "totals", 70, 30),
        (0, "ranks", 1, 2),
        (0, "hits", 2, 1),
        (1, "totals", 40, 10),
        (1, "ranks", 2, 3),
        (1, "hits", 2, 1),
        (2, "ranks", 2, 1),
    )


def test_preview_of_the_round_as_it_stands_changes_nothing(django_assert_num_queries):
    game = make_game(seats=3, rounds=2, length=4)
    first, second, third = seat_ids(game)
    sheet = sheet_of(game)
    values = {first: 2, second: 0, third: 0}

    with django_assert_num_queries(0):
        preview = preview_of(sheet, number=2, bids=values, taken=values)

    assert (preview.changes, preview.changes_winners, preview.after) == ((), False, preview.before)


@pytest.mark.parametrize("number", [0, 3, 5, 10**30])
def test_only_scored_rounds_are_found(number):
    game = make_game(seats=3, rounds=2, length=4)

    assert scored_round(game, number) is None
    assert scored_round(game, 2).number == 2


def test_correction_is_found_by_kind_and_version_in_its_game_alone():
    game, other = make_game(seats=3), make_game(seats=3)
    adjust_points(game, seat=seat_ids(game)[0], points=5, reason="Quiz", by=OPERATOR)
    version = newest_of(game)

    assert correction_of(game, "points_adjusted", version).payload["points"] == 5
    assert correction_of(game, "round_corrected", version) is None
    assert correction_of(game, "points_adjusted", version + 1) is None
    assert correction_of(other, "points_adjusted", version) is None


def test_newest_corrections_are_listed(django_assert_num_queries):
    game = make_game(seats=3)
    for points in range(1, MOST_LISTED + 3):
        adjust_points(game, seat=seat_ids(game)[0], points=points, reason="Quiz", by=OPERATOR)

    with django_assert_num_queries(1):
        found = corrections_of(game)

    assert [entry.payload["points"] for entry in found] == list(range(MOST_LISTED + 2, 2, -1))


def test_equal_values_have_no_differences():
    values = {"bids": {"7": 1}, "taken": {"7": 1}, "clouds": {"7": 1}, "blind": [7], "bombs": 1, "trump": "R"}
    assert differences(values, values) == []
