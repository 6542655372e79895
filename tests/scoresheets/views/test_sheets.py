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


# What points are made of


def explained_at(game, cell, scope="watch"):
    """Return the page that explains a cell, and the sentence on it ("" if it explains nothing)."""
    page = read(client_for(game, scope).get(f"/games/{game.pk}/sheet/?cell={cell}"))
    boxes = page.all(id="why")
    return page, boxes[0].text if boxes else ""


def test_sheet_links_the_points_of_every_scored_cell_to_their_explanation():
    game = make_game(seats=3, length=3, rounds=2)

    page = sheet_page(game, "watch")

    links = page.one("tbody").all("a")
    cells = [f"{number}-{place}" for number in (1, 2) for place in range(3)]
    assert [link["href"] for link in links] == [f"/games/{game.pk}/sheet/?cell={cell}#c{cell}" for cell in cells]
    assert [link["id"] for link in links] == [f"c{cell}" for cell in cells]
    assert page.all(id="why") == []


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("1-0", "Annika, round 1 Bid 1, took 1: exact. 20, and 10 for each trick, makes 30. The rule"),
        ("1-1", "Bernd, round 1 Bid 0, took 0: exact. 20, and 10 for each trick, makes 20. The rule"),
        ("2-2", "Cem, round 2 Bid 0, took 2: off by 2. 10 less for each makes −20. The rule"),
    ],
)
def test_sheet_says_in_one_sentence_what_points_are_made_of(cell, sentence):
    game = finished_game([[(1, 1), (0, 0), (0, 0)], [(2, 0), (0, 0), (0, 2)]])

    page, text = explained_at(game, cell)

    assert text == sentence
    told = [link for link in page.one("tbody").all("a") if link.has(**{"aria-describedby": "why"})]
    assert [link["id"] for link in told] == [f"c{cell}"]
    (rule,) = [link for link in page.one(id="why").all("a") if link.text == "The rule"]
    assert rule["href"].startswith("/rules/")


@pytest.mark.parametrize(
    "cell", ["", "1-3", "1-9", "3-0", "9-0", "0-0", "x", "1", "1-0-0", "-1-0", "１-０", "9" * 5000]
)
def test_sheet_explains_nothing_where_no_points_are(cell):
    game = make_game(seats=3, rounds=1)
    enter_bids(game)

    page, text = explained_at(game, cell)

    assert text == ""
    assert page.one("tbody").all("td", class_="told") == []


def test_sheet_does_not_tell_covered_bids():
    game = make_game(seats=3, rounds=1, house=rules.HouseRules(secret_bids=True))
    enter_bids(game, [2, 2, 2])

    assert explained_at(game, "2-0")[1] == ""
