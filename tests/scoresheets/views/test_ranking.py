"""The end of a game: ranks, the rule that decided, and what can be done from there."""

import pytest

import rules
from scoresheets.models import Game
from scoresheets.recording.repair import differences_of
from tests.scoresheets.factories import NAMES, client_for, finished_game, fresh, make_game, seats_of
from tests.scoresheets.pages import number, press, read

pytestmark = pytest.mark.django_db

SHARED = rules.HouseRules(tie_break="shared")
#: Annika and Bernd end with 30 points each; Annika hit twice, Bernd once; Cem ends with -10.
LEVEL_POINTS = [[(0, 0), (1, 0), (0, 1)], [(0, 0), (1, 0), (0, 2)], [(1, 0), (3, 3), (0, 0)]]
#: 70, 40, 40, 10 points.
TWO_SECOND = [[(1, 1), (0, 0), (0, 0), (1, 0)], [(2, 2), (0, 0), (0, 0), (0, 0)]]
#: Annika and Bernd are level in everything.
LEVEL_IN_ALL = [[(0, 0), (0, 0), (0, 1)]]


def ranking_page(game, scope="edit"):
    return read(client_for(game, scope).get(f"/games/{game.pk}/"))


def standings(page):
    """Return (rank, name, points, exact) of each line."""
    lines = page.one("ol", class_="stand").all("li")
    return [
        (
            int(line.one(class_="rk").text.removeprefix("Rank ")),
            line.one(class_="nm").text,
            number(line.one(class_="pt").text),
            line.one(class_="sub").text,
        )
        for line in lines
    ]


def test_ranking_decided_by_points():
    page = ranking_page(finished_game(TWO_SECOND))

    assert page.one("h1").text == "Annika wins"
    assert page.one("p", class_="hint").text == "Decided by points: 70 to 40."
    assert page.all(class_="tie") == []
    assert standings(page) == [
        (1, "Annika", 70, "2 of 2 exact"),
        (2, "Bernd", 40, "2 of 2 exact"),
        (2, "Cem", 40, "2 of 2 exact"),
        (4, "Doro", 10, "1 of 2 exact"),
    ]


def test_ranking_decided_by_exact_bids():
    page = ranking_page(finished_game(LEVEL_POINTS))

    assert page.one("h1").text == "Annika wins"
    tie = page.one(class_="tie")
    assert tie.one("b").text == "Tie at the top"
    assert [sentence.text for sentence in tie.all("p")] == [
        "Annika and Bernd have 30 points each. Exact bids decide: Annika 2, Bernd 1. So Annika is ahead.",
        "In a tie the rule book names several winners; at this table exact bids decide.",
    ]
    assert [(rank, name) for rank, name, _points, _exact in standings(page)] == [
        (1, "Annika"),
        (2, "Bernd"),
        (3, "Cem"),
    ]


def test_ranking_shared_because_exact_bids_are_level_too():
    page = ranking_page(finished_game(LEVEL_IN_ALL))

    assert page.one("h1").text == "Annika and Bernd win together"
    assert page.one(class_="tie").all("p")[0].text == (
        "Annika and Bernd have 20 points each. Exact bids decide: Annika 1, Bernd 1. Tied there too: shared victory."
    )
    assert [rank for rank, *_ in standings(page)] == [1, 1, 3]


def test_ranking_shared_because_the_table_wants_it():
    page = ranking_page(finished_game(LEVEL_POINTS, house=SHARED))

    assert page.one("h1").text == "Annika and Bernd win together"
    assert [sentence.text for sentence in page.one(class_="tie").all("p")] == [
        "Annika and Bernd have 30 points each. At this table a tie means a shared victory, as in the rule book."
    ]
    assert [rank for rank, *_ in standings(page)] == [1, 1, 3]


def test_ranking_of_points_below_zero_uses_the_real_minus():
    page = ranking_page(finished_game([[(1, 0), (1, 0), (0, 1)]]))

    assert page.one("h1").text == "Annika, Bernd and Cem win together"
    assert [line.text for line in page.all(class_="pt")] == ["−10", "−10", "−10"]


def test_course_is_told_as_picture_and_as_table():
    page = ranking_page(finished_game(LEVEL_POINTS))

    rows = [[cell.text for cell in row.walk() if cell.tag in {"th", "td"}] for row in page.one(class_="tbl").all("tr")]
    assert rows == [
        ["Round", "Annika", "Bernd", "Cem"],
        ["1", "20", "−10", "−10"],
        ["2", "40", "−20", "−30"],
        ["3", "30", "30", "−10"],
    ]
    chart = page.one(class_="chart")
    assert chart.one("desc").text == "After the last round: Annika 30, Bernd 30, Cem −10."
    assert len(chart.all("polyline")) == 3


def test_records_name_the_best_round_and_the_longest_streak():
    page = ranking_page(finished_game(LEVEL_POINTS))

    assert [line.text for line in page.one(class_="recs").all("li")] == [
        "Best round+50Bernd in round 3",
        "Longest streak of exact bids2 roundsAnnika, rounds 1 to 2",
    ]


def test_rematch_by_page_seats_the_table_again_and_the_next_deals():
    game = finished_game(LEVEL_POINTS, first_dealer=1)
    client = client_for(game)

    response = press(client, f"/games/{game.pk}/", "rematch")

    again = Game.objects.get(rematch_of=game)
    assert (response.status_code, response["Location"]) == (302, f"/games/{again.pk}/")
    assert [seat.name for seat in seats_of(again)] == list(NAMES[:3])
    assert again.first_dealer == 1  # three rounds later the deal is back where it began
    assert client.get(f"/games/{again.pk}/").status_code == 200


@pytest.mark.parametrize("first_dealer", [0, 2])
def test_page_announces_who_deals_the_rematch(first_dealer):
    game = finished_game(TWO_SECOND, first_dealer=first_dealer)
    expected = NAMES[(first_dealer + 2) % 4]
    client = client_for(game)

    page = read(client.get(f"/games/{game.pk}/"))
    press(client, f"/games/{game.pk}/", "rematch", page=page)

    assert page.one(class_="dock-in").one("p").text.endswith(f"{expected} deals first.")
    assert seats_of(game)[Game.objects.get(rematch_of=game).first_dealer].name == expected


def test_rematch_pressed_twice_and_by_two_phones_is_one_game():
    game = finished_game(LEVEL_POINTS)
    client, other = client_for(game), client_for(game)
    page = read(client.get(f"/games/{game.pk}/"))

    answers = [press(client, f"/games/{game.pk}/", "rematch", page=page, htmx=True) for _ in range(2)]
    answers.append(press(other, f"/games/{game.pk}/", "rematch", htmx=True))

    again = Game.objects.get(rematch_of=game)
    assert [(answer.status_code, answer["HX-Redirect"]) for answer in answers] == [(204, f"/games/{again.pk}/")] * 3
    assert again.links.count() == 2
    assert [device.get(f"/games/{again.pk}/").status_code for device in (client, other)] == [200, 200]


def test_rematch_of_a_running_game_is_a_conflict():
    game = make_game(seats=3)

    response = client_for(game).post(f"/games/{game.pk}/", {"seen": "1", "rematch": "1"})

    assert response.status_code == 409
    assert read(response).one(class_="err-box").text == "The game is not finished yet."
    assert Game.objects.count() == 1


def test_undo_from_the_ranking_opens_the_last_round_as_it_was_typed():
    game = finished_game(LEVEL_POINTS)
    client = client_for(game)

    page = read(press(client, f"/games/{game.pk}/", "back", htmx=True))

    assert page.one("button", name="score").text == "Score round 3"
    assert {field["name"]: field["value"] for field in page.all("input", class_="n")} == {
        f"taken_{seat.pk}": tricks for seat, tricks in zip(seats_of(game), ("0", "3", "0"), strict=True)
    }
    assert fresh(game).state == "playing"
    assert differences_of(game.pk) == []


def test_watcher_of_a_finished_game_sees_the_ranking_without_buttons():
    page = ranking_page(finished_game(LEVEL_POINTS), scope="watch")

    assert page.one("h1").text == "Annika wins"
    assert [button["name"] for button in page.all("button") if "name" in button.attrs] == ["theme", "language"]
