"""The whole sheet, to read and to print."""

import pytest

import rules
from tests.scoresheets.factories import client_for, enter_bids, finished_game, make_game
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


def sheet_page(game, scope="edit"):
    return read(client_for(game, scope).get(f"/games/{game.pk}/sheet/"))


def cells_of(row):
    return [cell.text for cell in row.walk() if cell.tag in {"th", "td"}]


def test_sheet_shows_bid_tricks_points_and_total_of_every_round():
    game = finished_game([[(1, 1), (0, 0), (1, 0)], [(2, 0), (0, 2), (0, 0)]])

    page = sheet_page(game)

    assert [head.text for head in page.one("thead").all("th", scope="colgroup")] == ["Annika", "Bernd", "Cem"]
    assert [cells_of(row) for row in page.one("tbody").all("tr")] == [
        ["1", "1", *("1", "1", "+30", "30"), *("0", "0", "+20", "20"), *("1", "0", "−10", "−10")],
        ["2", "2", *("2", "0", "−20", "10"), *("0", "2", "−20", "0"), *("0", "0", "+20", "10")],
    ]
    assert cells_of(page.one("tfoot").one("tr")) == ["Rank", "1. 1 exact", "3. 1 exact", "1. 1 exact"]


def test_sheet_of_a_running_game_leaves_room_for_the_rounds_to_come():
    game = make_game(seats=3, length=4, rounds=1)
    enter_bids(game, [2, 0, 1])

    rows = [cells_of(row) for row in sheet_page(game).one("tbody").all("tr")]

    assert rows == [
        ["1", "1", *("1", "1", "+30", "30"), *("0", "0", "+20", "20"), *("0", "0", "+20", "20")],
        ["2", "2", *("2", "", "", ""), *("0", "", "", ""), *("1", "", "", "")],
        ["3", "3", *[""] * 12],
        ["4", "4", *[""] * 12],
    ]


def test_sheet_of_a_new_game_has_no_ranks():
    assert sheet_page(make_game(seats=3)).all("tfoot") == []


@pytest.mark.parametrize("scope", ["edit", "watch"])
def test_sheet_records_nothing(scope):
    page = sheet_page(make_game(seats=6, rounds=2), scope)

    assert [form["action"] for form in page.all("form")] == ["/theme/", "/language/"]
    assert page.one("table").has(class_="sheet--wide")


def test_sheet_keeps_covered_bids_covered():
    game = make_game(seats=3, rounds=1, house=rules.HouseRules(secret_bids=True))
    enter_bids(game, [2, 2, 2])

    assert cells_of(sheet_page(game).one("tbody").all("tr")[1]) == ["2", "2", *[""] * 12]


def test_sheet_may_not_be_kept_by_a_proxy():
    game = make_game(seats=3)

    response = client_for(game).get(f"/games/{game.pk}/sheet/")

    assert sorted(response["Cache-Control"].split(", ")) == ["no-cache", "private"]
