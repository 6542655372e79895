from __future__ import annotations

import pytest
from django.http import QueryDict

import rules
from scoresheets.forms.rounds import AllBidsForm, TricksForm, rest_of
from scoresheets.queries.blocks import Sheet, sheet_of
from tests.scoresheets.factories import enter_bids, fresh, make_game

pytestmark = pytest.mark.django_db

NOT_A_NUMBER = "“1,5” is not a whole number."


def posted(sheet: Sheet, prefix: str, typed: list[str], **more: str) -> QueryDict:
    """Return a POST with one field a seat, in seat order."""
    data = QueryDict(mutable=True)
    data.update({f"{prefix}_{seat.pk}": text for seat, text in zip(sheet.seats, typed, strict=True)} | more)
    return data


def errors_by_seat(form: AllBidsForm | TricksForm) -> list[list[str]]:
    return [form.errors_of(seat.pk) for seat in form.sheet.seats]


def test_every_wrong_bid_is_named_at_once():
    sheet = sheet_of(make_game(seats=4, rounds=2))

    form = AllBidsForm(posted(sheet, "bid", ["-1", "1,5", "4", "2"]), sheet)

    assert not form.is_valid()
    assert errors_by_seat(form) == [
        ["A bid is at least 0."],
        [NOT_A_NUMBER],
        ["4 is too many: there are only 3 cards this round."],
        [],
    ]
    assert form.numbers == {sheet.seats[3].pk: 2}


def test_every_wrong_number_of_tricks_is_named_at_once():
    game = make_game(seats=3, rounds=1)
    enter_bids(game, [0, 0, 0])
    sheet = sheet_of(fresh(game))

    form = TricksForm(posted(sheet, "taken", ["3", "1,5", "-2"]), sheet)

    assert not form.is_valid()
    assert errors_by_seat(form) == [
        ["3 is too many: only 2 tricks count this round."],
        [NOT_A_NUMBER],
        ["Nobody takes fewer than 0 tricks."],
    ]


def test_problem_of_the_rules_is_shown_once_where_the_form_found_it_too():
    game = make_game(seats=3, rounds=1)
    enter_bids(game, [0, 0, 0])
    sheet = sheet_of(fresh(game))
    form = TricksForm(posted(sheet, "taken", ["3", "0", "0"]), sheet)
    form.full_clean()

    problems = rules.round_problems(sheet.block.house, number=2, cards=2, bids=[0, 0, 0], tricks=[3, 0, 0])

    form.add_problems(problems)

    assert [problem.code for problem in problems] == ["tricks_out_of_range"]
    assert errors_by_seat(form) == [["3 is too many: only 2 tricks count this round."], [], []]


@pytest.mark.parametrize(
    ("typed", "rest", "taken"),
    [
        (["1", "0", "1"], None, {0: 1, 1: 0, 2: 1}),
        (["1", "0", "1"], (2, "1"), {0: 1, 1: 0}),  # the page filled it in: still open
        (["1", "0", "2"], (2, "1"), {0: 1, 1: 0, 2: 2}),  # filled in, then changed by hand
        (["", "", "1"], None, {2: 1}),
    ],
)
def test_rest_the_page_filled_in_counts_as_open_until_it_is_changed(typed, rest, taken):
    game = make_game(seats=3, rounds=1)
    enter_bids(game, [0, 0, 0])
    sheet = sheet_of(fresh(game))
    more = {"rest": f"{sheet.seats[rest[0]].pk}:{rest[1]}"} if rest else {}

    form = TricksForm(posted(sheet, "taken", typed, **more), sheet)

    assert form.is_valid()
    assert form.taken == {sheet.seats[place].pk: tricks for place, tricks in taken.items()}


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ({}, {}),  # three are open, two tricks are out
        ({0: 1}, {}),
        ({0: 1, 1: 1}, {2: 0}),
        ({0: 0, 1: 0}, {2: 2}),
        ({0: 2}, {1: 0, 2: 0}),  # all tricks are taken: nobody else has any
        ({0: 2, 1: 1}, {}),  # more than there are: nothing follows
        ({0: 3}, {}),
        ({0: 1, 1: 1, 2: 0}, {}),
    ],
)
def test_open_seats_get_what_follows_from_the_others(taken, expected):
    seats = sheet_of(make_game(seats=3)).seats

    rest = rest_of({seats[place].pk: tricks for place, tricks in taken.items()}, seats, countable=2)

    assert rest == {seats[place].pk: tricks for place, tricks in expected.items()}
