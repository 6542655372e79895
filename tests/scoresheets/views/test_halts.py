"""The page that pauses, ends, abandons and voids a game, and lets it go on."""

import pytest

from scoresheets.recording import end_early, pause, void
from tests.scoresheets.factories import (
    OPERATOR,
    client_for,
    enter_bids,
    finished_game,
    fresh,
    make_game,
    rows_of,
)
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


def offered(client, game):
    return [
        form.one("button")["value"] for form in read(client.get(f"/games/{game.pk}/state/")).one("main").all("form")
    ]


def act(client, game, name, **fields):
    return client.post(f"/games/{game.pk}/state/", {"act": name, **fields})


@pytest.mark.parametrize(
    ("steps", "halted", "state", "then"),
    [
        ([], "", "bidding", ["pause", "end", "abandon", "void"]),
        ([("pause", {})], "paused", "bidding", ["resume", "abandon", "void"]),
        ([("pause", {}), ("resume", {})], "", "bidding", ["pause", "end", "abandon", "void"]),
        ([("abandon", {})], "abandoned", "bidding", ["restore"]),
        ([("pause", {}), ("abandon", {"reason": "Too late"})], "abandoned", "bidding", ["restore"]),
        ([("void", {"reason": "A card was missing"})], "voided", "bidding", ["restore"]),
        ([("abandon", {}), ("restore", {})], "", "bidding", ["pause", "end", "abandon", "void"]),
        ([("end", {"reason": "Last train"})], "", "finished", ["reopen", "void"]),
        ([("end", {}), ("reopen", {})], "", "bidding", ["pause", "end", "abandon", "void"]),
    ],
)
def test_state_page_does_each_act_and_offers_what_fits_then(steps, halted, state, then):
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    for name, fields in steps:
        response = act(client, game, name, **fields)
        assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/")

    stored = fresh(game)
    assert (stored.halted, stored.state, stored.incomplete) == (halted, state, state == "finished")
    assert offered(client, game) == then
    reasons = [fields["reason"] for _name, fields in steps if fields]
    assert [entry.reason for entry in game.entries.exclude(reason="")] == reasons


def test_state_page_of_a_finished_game_offers_voiding_only():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    assert offered(client_for(game), game) == ["void"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [({"reason": "  "}, "Say why, in a few words."), ({"reason": "x" * 501}, "A reason has at most 500 characters.")],
)
def test_state_page_refuses_a_void_without_a_fitting_reason(fields, sentence):
    game = make_game(seats=3)
    client, before = client_for(game), rows_of(game)
    before["links"] = rows_of(game)["links"]

    response = act(client, game, "void", **fields)

    page = read(response)
    assert response.status_code == 422
    assert page.one(id="errors_void").text == sentence
    assert page.one("input", id="reason_void")["value"] == fields["reason"].strip()
    assert rows_of(game) == before


@pytest.mark.parametrize(
    ("act_name", "sentence"),
    [
        ("resume", "The game goes on already."),
        ("restore", "The game goes on already."),
        ("reopen", "The game is not finished yet."),
        ("end", "No round is scored yet: abandon the game instead."),
    ],
)
def test_state_page_says_what_does_not_fit(act_name, sentence):
    game = make_game(seats=3)
    response = act(client_for(game), game, act_name)
    assert response.status_code == 409
    assert sentence in read(response).one("main").text
    assert fresh(game).version == 1


@pytest.mark.parametrize("name", ["", "explode", "__class__"])
def test_state_page_ignores_unknown_acts(name):
    game = make_game(seats=3)
    assert act(client_for(game), game, name).status_code == 422
    assert fresh(game).version == 1


def test_state_page_sent_twice_happens_once():
    game = make_game(seats=3)
    client = client_for(game)
    for _ in range(2):
        assert act(client, game, "pause", key="once").status_code == 302
    assert fresh(game).version == 2


@pytest.mark.parametrize("halt", [pause, lambda game, by: void(game, by=by, reason="Wrong table")])
def test_halted_game_takes_nothing_through_its_pad(halt):
    game = make_game(seats=3)
    client = client_for(game)
    seat, seen = game.seats.get(position=1).pk, 1
    halt(game, by=OPERATOR)
    before = rows_of(game)

    response = client.post(f"/games/{game.pk}/", {"seen": seen, "seat": seat, "bid": "1"})

    assert response.status_code == 409
    assert "The game is interrupted: let it go on first." in read(response).one("main").text
    assert rows_of(game) == before


@pytest.mark.parametrize("scope", ["edit", "watch"])
@pytest.mark.parametrize(
    ("halt", "words"),
    [(pause, "The game is paused"), (lambda game, by: void(game, by=by, reason="Wrong table"), "The game is void")],
)
def test_pad_of_a_halted_game_says_so_and_asks_nothing(scope, halt, words):
    game = make_game(seats=3, rounds=1)
    enter_bids(game)
    halt(game, by=OPERATOR)

    page = read(client_for(game, scope).get(f"/games/{game.pk}/"))

    assert words in page.one("main").text
    assert page.one("main").all("form") == []
    ways = [link["href"] for link in page.one(class_="tray").all("a")]
    assert ways == ([f"/games/{game.pk}/state/"] if scope == "edit" else [])


def test_ranking_of_an_incomplete_game_says_so():
    game = make_game(seats=3, rounds=2, length=5)
    end_early(game, by=OPERATOR)
    page = read(client_for(game, "watch").get(f"/games/{game.pk}/"))
    assert "incomplete" in page.one("main").text


def test_start_page_marks_halted_and_incomplete_games():
    paused, ended = make_game(seats=3, rounds=1), make_game(seats=3, rounds=1)
    client = client_for(paused)
    client.cookies.update(client_for(ended).cookies)
    pause(paused, by=OPERATOR)
    end_early(ended, by=OPERATOR)
    lines = [line.text for line in read(client.get("/")).one(class_="nights").all("small")]
    assert [line.split(" · ")[0] for line in lines] == ["incomplete", "paused"]
