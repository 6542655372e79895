"""The start page: a new game first, then the games of this device."""

import pytest
from django.test import Client

from scoresheets.recording import abandon, restore, revoke_link, void
from tests.scoresheets.factories import (
    OPERATOR,
    client_for,
    finished_game,
    hold_link,
    link_of,
    link_to,
    make_game,
)
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


def games_on(client):
    """Return (names, address, state) of each listed game."""
    page = read(client.get("/"))
    return [
        (line.one("b").text, line.one("a")["href"], line.one("small").text)
        for lists in page.all("ul", class_="nights")
        for line in lists.all("li")
    ]


def test_new_device_is_offered_a_new_game_and_has_none(client):
    page = read(client.get("/"))

    main = page.one("main")
    assert main.all("a")[0]["href"] == "/games/new/"
    assert main.one("h3").text == "No game yet"
    assert games_on(client) == []


def test_games_are_listed_newest_first_with_their_state():
    client = Client()
    running, leading, finished, tied = (
        make_game(seats=3, length=2),
        make_game(seats=3, length=3, rounds=2),
        finished_game([[(1, 1), (0, 0), (1, 0)]]),
        finished_game([[(0, 0), (0, 0), (0, 1)]]),
    )
    for game in (running, leading, finished, tied):
        hold_link(client, game, link_to(game)[1])

    names = "Annika, Bernd, Cem"
    assert games_on(client) == [
        (names, f"/games/{tied.pk}/", "Shared victory with 20 points: Annika, Bernd"),
        (names, f"/games/{finished.pk}/", "Annika won with 30 points"),
        (names, f"/games/{leading.pk}/", "Round 3 of 3 · Annika is ahead with 70 points"),
        (names, f"/games/{running.pk}/", "Round 1 of 2"),
    ]


def test_watched_game_says_so():
    game = make_game(seats=3, length=2)

    (line,) = games_on(client_for(game, "watch"))

    assert line[2] == "watching · Round 1 of 2"


def test_game_whose_link_was_closed_is_not_listed():
    game = make_game(seats=3)
    client = client_for(game)
    revoke_link(link_of(client, game), by=OPERATOR)

    assert games_on(client) == []


def test_games_that_count_for_nothing_lie_out_of_the_way_until_they_are_restored():
    kept, left, wrong = make_game(seats=3), make_game(seats=3), finished_game([[(1, 1), (0, 0), (0, 0)]])
    client = client_for(kept)
    for game in (left, wrong):
        hold_link(client, game, link_to(game)[1])
    abandon(left, by=OPERATOR)
    void(wrong, reason="A card was missing", by=OPERATOR)

    page = read(client.get("/"))
    aside = page.one("main").one("details")
    assert aside.one("summary").text == "2 games that were abandoned or voided"
    assert [link["href"] for link in aside.all("a")] == [f"/games/{wrong.pk}/", f"/games/{left.pk}/"]
    assert [line.one("small").text.partition(" ·")[0] for line in aside.all("li")] == ["voided", "abandoned"]
    assert len(games_on(client)) == 3

    restore(left, by=OPERATOR)
    restore(wrong, by=OPERATOR)
    assert read(client.get("/")).one("main").all("details") == []


def test_games_of_other_devices_are_not_listed():
    make_game(seats=3)
    game = make_game(names=["X", "Y", "Z"])

    assert [names for names, _address, _state in games_on(client_for(game))] == ["X, Y, Z"]
