"""The whole sheet, to read and to print."""

from dataclasses import replace

import pytest

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid
from scoresheets.recording import RoundValues, adjust_points, correct_round, rename_seat, step_back
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    client_for,
    enter_bids,
    finished_game,
    keeper_of,
    make_game,
    newest_of,
    play_round,
    seat_ids,
)
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


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ({}, "Base game · Full game · If there is a tie at the end: More exact bids win"),
        (
            {"house": rules.HouseRules(variant="einfarbig", tie_break="shared", cloud_upper_clamp=False)},
            "Single-suit · Full game · Cloud cannot raise a full bid: no"
            " · If there is a tie at the end: Shared victory",
        ),
        (
            {"house": replace(BOMB_AND_CLOUD, plus_minus_one=True, plus_minus_one_from=3), "ladder": "tournament"},
            "Base game · Tournament ladder · Special cards: Bomb, Cloud"
            " · Bids never add up: from round 3 · If there is a tie at the end: More exact bids win",
        ),
        (
            {"house": rules.HouseRules(deck="french52"), "ladder": "free", "cards": [2]},
            "Wizards and Jesters · Own list",
        ),
    ],
)
def test_sheet_is_printed_with_its_rules_and_where_it_is_from(options, printed):
    game = make_game(seats=4, **options)

    page = sheet_page(game)

    assert printed in page.one(class_="print-rules").text
    assert page.one(class_="print-head").text == f"Tafelrunde http://testserver/games/{game.pk}/"
    # Without JavaScript the button could do nothing: the style sheet hides it then.
    assert [button.text for button in page.all("button") if "data-print" in button.attrs] == ["Print or save as PDF"]


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


# Corrections


def correct(game, number=1, by=OPERATOR, reason="", **changes):
    scored = game.rounds.get(number=number)
    values = RoundValues.of(scored, list(Bid.objects.filter(round=scored).order_by("seat__position")))
    changed = replace(values, **changes)
    correct_round(game, number=number, values=changed, seen=scored.changed_version, by=by, reason=reason)


def log_of(page):
    """Return the list of corrections: each as its texts, the arrow's spoken word left out."""
    return [
        [line.text.replace("→becomes", "→") for line in entry.all("p")] for entry in page.one(class_="log").all("li")
    ]


def test_sheet_without_corrections_has_no_list_and_no_mark():
    page = sheet_page(make_game(seats=3, rounds=1))

    assert page.all(id="corrections") == page.all(class_="log") == page.all(class_="corrected-note") == []


def test_sheet_lists_corrections_newest_first_with_who_why_old_and_new():
    game = make_game(seats=3, rounds=2, length=4)
    first, second, third = seat_ids(game)
    anna = keeper_of(game, "Anna <b>")
    correct(game, 2, anna, "Swapped", bids={first: 1, second: 0, third: 0}, taken={first: 1, second: 1, third: 0})
    adjust_points(game, seat=second, points=10, reason="Quiz & more", by=keeper_of(game))
    rename_seat(game, seat=third, name="Zoe", by=OPERATOR)

    found = log_of(sheet_page(game))

    assert [entry[0].partition(" · ")[2] for entry in found] == ["operator", "scorer's link", "Anna <b>"]
    assert [entry[1:] for entry in found] == [
        ["Zoe: name changed"],
        ["Bernd: +10 points", "Quiz & more"],
        ["Round 2", "Annika: bid 2 → 1, tricks 2 → 1", "Bernd: tricks 0 → 1", "Swapped"],
    ]


def test_sheet_words_every_field_of_a_correction():
    game = make_game(seats=3, house=replace(BOMB_AND_CLOUD, blind_bids=True), cards=[3, 3], ladder="free")
    play_round(game, [1, 1, 0], [1, 1, 1])
    first, second, third = seat_ids(game)
    taken = {first: 1, second: 1, third: 0}
    correct(game, taken=taken, bombs=1, clouds={second: 1}, blind=(first,), trump="G", turned_up="G7")
    correct(game, bombs=1, clouds={second: -1}, blind=(), trump="R", turned_up="W", chosen_by=first)

    newest, oldest = log_of(sheet_page(game))

    assert oldest[1:] == [
        "Round 1",
        "Cem: tricks 1 → 0",
        "Bernd: Cloud none → +1",
        "Annika: blind no → yes",
        "Bomb 0 → 1, Trump Not noted → Green, Turned-up card Not noted → Green 7",
    ]
    assert newest[1:] == [
        "Round 1",
        "Bernd: Cloud +1 → −1",
        "Annika: blind yes → no",
        "Trump Green → Red, Turned-up card Green 7 → Wizard, Trump chosen by Not noted → Annika",
    ]


def test_sheet_leads_those_who_keep_score_to_every_correction_and_others_nowhere():
    game = make_game(seats=3, rounds=2, length=3)
    first, second, third = seat_ids(game)
    correct(game, 1, bids={first: 0, second: 0, third: 0})
    adjust_points(game, seat=second, points=10, reason="Quiz", by=OPERATOR)
    base, version = f"/games/{game.pk}", newest_of(game)

    keeper, watcher = sheet_page(game), sheet_page(game, "watch")

    assert [link["href"] for link in keeper.one("thead").all("a")] == [
        f"{base}/seats/{seat}/" for seat in (first, second, third)
    ]
    assert [link["href"] for row in keeper.one("tbody").all("tr") for link in row.one("th").all("a")] == [
        f"{base}/rounds/{number}/correct/" for number in (1, 2)
    ]
    assert [link["href"] for link in keeper.one(class_="log").all("a")] == [
        f"{base}/seats/{second}/?reverse={version}",
        f"{base}/rounds/1/correct/?reverse={version - 1}",
    ]
    assert log_of(watcher) == log_of(keeper)
    links = [link["href"] for link in watcher.one("main").all("a")]
    assert [link for link in links if "correct" in link or "seats" in link] == []


def test_sheet_marks_a_corrected_round_in_words():
    game = make_game(seats=3, rounds=2, length=3)
    correct(game, 1, bids=dict.fromkeys(seat_ids(game), 0))

    heads = {
        scope: [row.one("th") for row in sheet_page(game, scope).one("tbody").all("tr")] for scope in ("edit", "watch")
    }

    assert [head.text for head in heads["watch"]] == ["1 corrected", "2", "3"]
    assert [head.one("a")["aria-label"] for head in heads["edit"][:2]] == ["1, corrected: correct again", "2: correct"]
    assert [len(head.all("svg")) for head in heads["edit"]] == [1, 0, 0]
    assert sheet_page(game, "watch").one(class_="corrected-note").text == "corrected after it was scored"


def test_round_that_was_taken_back_is_listed_but_neither_marked_nor_reversed():
    game = make_game(seats=3, rounds=1, length=3)
    correct(game, 1, bids=dict.fromkeys(seat_ids(game), 0))
    step_back(game, undoes=newest_of(game), by=OPERATOR)

    page = sheet_page(game)

    assert len(log_of(page)) == 1
    assert page.one(class_="log").all("a") == page.all(class_="corrected-note") == []


def test_points_beside_the_rounds_stand_at_the_foot_with_the_round_that_first_has_them():
    game = make_game(seats=3, rounds=1, length=4)
    first, second, _third = seat_ids(game)
    adjust_points(game, seat=first, points=10, reason="Quiz", by=OPERATOR)
    play_round(game)
    adjust_points(game, seat=second, points=-20, reason="Late", by=OPERATOR)
    adjust_points(game, seat=second, points=5, reason="Not so late", by=OPERATOR)

    page = sheet_page(game, "watch")

    beside, ranks = page.one("tfoot").all("tr")
    assert cells_of(beside) == ["Beside the rounds", "+10 from round 1", "−20 from round 2 +5 from round 2", ""]
    assert cells_of(ranks)[0] == "Rank"
    totals = [cells_of(row)[5::4] for row in page.one("tbody").all("tr")]
    assert totals[:2] == [["40", "20", "20"], ["80", "25", "40"]]


def test_points_before_the_first_round_stand_at_the_foot():
    game = make_game(seats=3)
    adjust_points(game, seat=seat_ids(game)[0], points=10, reason="Quiz", by=OPERATOR)

    assert cells_of(sheet_page(game).one("tfoot").all("tr")[0]) == ["Beside the rounds", "+10", "", ""]


def test_explanation_leads_those_who_keep_score_to_the_correction():
    game = make_game(seats=3, rounds=1)

    keeper, watcher = (explained_at(game, "1-0", scope)[0].one(id="why").all("a") for scope in ("edit", "watch"))

    assert [link["href"] for link in keeper if link.text == "Correct"] == [f"/games/{game.pk}/rounds/1/correct/"]
    assert [link for link in watcher if link.text == "Correct"] == []
