from __future__ import annotations

import pytest
from django.http import QueryDict

import rules
from scoresheets.forms.rounds import AllBidsForm, Extras, RoundForm, TricksForm, cloud_directions, rest_of
from scoresheets.queries.blocks import Sheet, sheet_of
from tests.scoresheets.factories import BOMB_AND_CLOUD, enter_bids, fresh, make_game

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


def playing_sheet(bids: list[int], house: rules.HouseRules = BOMB_AND_CLOUD) -> Sheet:
    """Return the sheet of three in round 2, two cards each, with these bids."""
    game = make_game(seats=3, rounds=1, house=house)
    enter_bids(game, bids)
    return sheet_of(fresh(game))


@pytest.mark.parametrize(
    ("bid", "clamp", "ways"),
    [(0, True, (1,)), (1, True, (-1, 1)), (2, True, (-1,)), (0, False, (1,)), (2, False, (-1, 1))],
)
def test_cloud_goes_where_the_bid_and_the_house_let_it(bid, clamp, ways):
    sheet = playing_sheet([bid, 0, 0], rules.HouseRules(specials=("CLOUD",), cloud_upper_clamp=clamp))

    assert cloud_directions(sheet, bid) == ways


@pytest.mark.parametrize(("bombs", "countable"), [(0, 3), (1, 2), (3, 0), (4, 3), (-1, 3), (10**9, 3)])
def test_bombs_that_cannot_be_do_not_change_the_sum(bombs, countable):
    assert Extras(bombs).countable(3) == countable


@pytest.mark.parametrize(
    ("sent", "is_final", "delta"),
    [("-1", False, 1), ("-1", True, -1), ("1", True, 1), ("", False, 1), ("", True, 1)],
)
def test_tap_turns_the_cloud_where_it_can_go_and_scoring_does_not(sent, is_final, delta):
    sheet = playing_sheet([0, 0, 0])
    first = sheet.seats[0].pk
    data = posted(sheet, "taken", ["1", "", ""], cloud=str(first), cloud_delta=sent)

    form = TricksForm(data, sheet, is_final=is_final)

    assert form.is_valid() is (delta == 1)
    assert form.extras.clouds == {first: delta}


def test_wrong_bomb_and_clouds_are_given_back_as_they_were_entered():
    sheet = playing_sheet([1, 1, 1])
    data = posted(sheet, "taken", ["1", "", ""], bombs="2", cloud_delta="1")
    data.setlist("cloud", [str(seat.pk) for seat in sheet.seats[:2]])

    form = TricksForm(data, sheet)

    assert not form.is_valid()
    assert form.errors_at("bombs") == ["There is only 1 bomb in this deck."]
    assert form.errors_at("cloud") == ["There is only 1 cloud in this deck: one person has it."]
    assert form.extras == Extras(2, {seat.pk: 1 for seat in sheet.seats[:2]})


def test_made_it_means_the_bid_after_the_cloud():
    sheet = playing_sheet([1, 0, 0])
    first = sheet.seats[0].pk
    data = posted(sheet, "taken", ["", "", ""], cloud=str(first), cloud_delta="1", made=str(first))

    form = TricksForm(data, sheet)
    form.full_clean()

    assert form.after_tap() == {first: 2}


def test_bids_and_tricks_together_judge_the_cloud_by_the_bid_entered_with_them():
    house = rules.HouseRules(secret_bids=True, specials=("CLOUD",))
    sheet = sheet_of(make_game(seats=3, rounds=0, house=house, ladder="free", cards=[2]))
    first = sheet.seats[0].pk
    data = posted(sheet, "bid", ["0", "1", "9"], cloud=str(first), cloud_delta="-1")
    data.update({f"taken_{seat.pk}": "1" for seat in sheet.seats})

    form = RoundForm(data, sheet)

    assert not form.is_valid()
    assert form.tricks.errors_at("cloud") == ["Annika bid 0: the cloud cannot lower that, only raise it by 1."]
    assert form.bids.errors_of(sheet.seats[2].pk) == ["9 is too many: there are only 2 cards this round."]
    form.keep_silent()
    assert form.tricks.errors_at("cloud") == form.bids.errors_of(sheet.seats[2].pk) == []
    assert form.bids.typed(sheet.seats[2].pk) == "9"
