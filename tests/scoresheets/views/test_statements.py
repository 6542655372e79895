"""How many statements a request costs: the same whatever grows - seats, rounds, other games, links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoresheets.actors import OPERATOR
from scoresheets.recording import record_bids
from tests.scoresheets.accounts.helpers import make_account, sign_in
from tests.scoresheets.factories import (
    client_for,
    enter_bids,
    finished_game,
    hold_link,
    link_to,
    make_game,
    newest_of,
    open_round,
    seat_ids,
    seen_of,
)
from tests.scoresheets.pages import HTMX

pytestmark = pytest.mark.django_db

CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
WRITES = ("INSERT", "UPDATE", "DELETE")

#: Each dimension that grows: seats, the round being recorded, other games stored.
SIZES = [(3, 1, 0), (3, 20, 0), (3, 2, 3), (4, 15, 0), (5, 3, 0), (6, 1, 3), (6, 10, 0)]


def statements(request: Callable[[], Any]) -> tuple[Any, tuple[int, int]]:
    """Return a request's answer, its statements up to the last that writes, and those after it."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        answer = request()
    asked = [query["sql"].split()[0].upper() for query in captured.captured_queries]
    asked = [word for word in asked if word not in CONTROL]
    recording = max((place for place, word in enumerate(asked, start=1) if word in WRITES), default=0)
    return answer, (recording, len(asked) - recording)


def sized(seats: int, number: int, others: int, **options: Any) -> Any:
    """Return a game in the bids of this round, with so many other games stored."""
    for _ in range(others):
        make_game(seats=6, rounds=2)
    return make_game(seats=seats, rounds=number - 1, **options)


@pytest.mark.parametrize("size", SIZES)
def test_statements_of_a_bid(size):
    game = sized(*size)
    client, bidder = client_for(game), seat_ids(game)[1]
    sent = {"seen": seen_of(game), "seat": bidder, "bid": "0", "key": "k"}

    answer, counted = statements(lambda: client.post(f"/games/{game.pk}/", sent, headers=HTMX))

    assert (answer.status_code, counted) == (200, (11, 2))


@pytest.mark.parametrize("size", SIZES)
def test_statements_of_the_last_bid(size):
    game = sized(*size)
    client, seats = client_for(game), seat_ids(game)
    record_bids(game, bids=dict.fromkeys(seats[1:], 0), seen=seen_of(game), by=OPERATOR)
    sent = {"seen": seen_of(game), "seat": seats[0], "bid": "0", "key": "k"}

    answer, counted = statements(lambda: client.post(f"/games/{game.pk}/", sent, headers=HTMX))

    assert (answer.status_code, counted) == (200, (11, 2))


@pytest.mark.parametrize("size", SIZES)
def test_statements_of_recording_a_round(size):
    """At most 12 before the answer and 6 for it is the promise; these are the numbers kept."""
    game = sized(*size)
    enter_bids(game)
    current, seats = open_round(game), seat_ids(game)
    client = client_for(game)
    taken = {f"taken_{seat}": "0" for seat in seats} | {f"taken_{seats[0]}": str(current.cards)}
    sent = {"seen": current.stage_version, "key": "k", "score": "1", **taken}
    ends = current.number == len(game.plan)

    answer, counted = statements(lambda: client.post(f"/games/{game.pk}/", sent, headers=HTMX))

    # The last round opens no other one, and the answer has no open bids to read.
    assert (answer.status_code, counted) == (200, (10, 1) if ends else (11, 2))


@pytest.mark.parametrize("size", SIZES)
def test_statements_of_a_step_back(size):
    game = sized(*size)
    enter_bids(game)
    client = client_for(game)
    sent = {"seen": seen_of(game), "back": newest_of(game), "key": "k"}

    answer, counted = statements(lambda: client.post(f"/games/{game.pk}/", sent, headers=HTMX))

    assert (answer.status_code, counted) == (200, (10, 3))


@pytest.mark.parametrize("size", SIZES)
def test_statements_of_the_pad(size):
    game = sized(*size)
    for client in (client_for(game), client_for(game, "watch")):
        for headers in ({}, HTMX):
            answer, counted = statements(
                lambda client=client, headers=headers: client.get(f"/games/{game.pk}/", headers=headers)
            )

            assert (answer.status_code, counted) == (200, (0, 4))


@pytest.mark.parametrize("size", SIZES)
def test_statements_of_an_unchanged_pad(size):
    game = sized(*size)
    client = client_for(game, "watch")
    tag = client.get(f"/games/{game.pk}/", headers=HTMX)["ETag"]

    answer, counted = statements(lambda: client.get(f"/games/{game.pk}/", headers={**HTMX, "If-None-Match": tag}))

    assert (answer.status_code, counted) == (304, (0, 1))


@pytest.mark.parametrize("size", SIZES)
def test_statements_of_the_sheet_page(size):
    game = sized(*size)
    client = client_for(game)

    answer, counted = statements(lambda: client.get(f"/games/{game.pk}/sheet/"))

    assert (answer.status_code, counted) == (200, (0, 5))


@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize("rounds", [1, 6])
def test_statements_of_the_ranking(seats, rounds):
    game = finished_game([[(0, 0)] * (seats - 1) + [(1, number)] for number in range(1, rounds + 1)])
    client = client_for(game)

    answer, counted = statements(lambda: client.get(f"/games/{game.pk}/"))

    assert (answer.status_code, counted) == (200, (0, 3))


@pytest.mark.parametrize("links", [1, 10])
def test_statements_of_the_links_page(links):
    game = make_game(seats=3)
    for _ in range(links):
        link_to(game, "watch")
    client = client_for(game)

    answer, counted = statements(lambda: client.get(f"/games/{game.pk}/links/"))

    assert (answer.status_code, counted) == (200, (0, 3))


@pytest.mark.parametrize("games", [1, 50])
@pytest.mark.parametrize("address", ["/", "/games/new/"])
def test_statements_of_the_start_and_new_game_pages(games, address):
    client = client_for(make_game(seats=3))
    for _ in range(games - 1):
        game = make_game(seats=3)
        hold_link(client, game, link_to(game)[1])

    answer, counted = statements(lambda: client.get(address))

    assert (answer.status_code, counted) == (200, (0, 2))
    assert len(answer.context["games" if address == "/" else "pills"]) == (games if address == "/" else 3)


def test_whoever_is_signed_in_costs_two_statements_more():
    """The session, and the account with its language and theme; the row is read once, also where the menu shows it."""
    game = make_game(seats=3)
    client = client_for(game)
    anonymous = {
        headers: statements(lambda headers=headers: client.get(f"/games/{game.pk}/", headers=dict(headers)))[1]
        for headers in ((), tuple(HTMX.items()))
    }
    sign_in(client, make_account().username)

    for headers, (written, read) in anonymous.items():
        answer, counted = statements(lambda headers=headers: client.get(f"/games/{game.pk}/", headers=dict(headers)))
        assert (answer.status_code, counted) == (200, (written, read + 2))
    tag = client.get(f"/games/{game.pk}/", headers=HTMX)["ETag"]
    answer, counted = statements(lambda: client.get(f"/games/{game.pk}/", headers={**HTMX, "If-None-Match": tag}))
    assert (answer.status_code, counted) == (304, (0, 3))


def test_device_that_signed_out_costs_nothing_more(client):
    sign_in(client, make_account().username)
    client.post("/account/logout/")
    client.get("/")  # shows that it is signed out

    answer, counted = statements(lambda: client.get("/"))

    assert (answer.status_code, counted) == (200, (0, 0))


@pytest.mark.parametrize("address", ["/", "/games/new/"])
def test_pages_of_a_new_device_ask_the_database_nothing(client, address):
    answer, counted = statements(lambda: client.get(address))

    assert (answer.status_code, counted) == (200, (0, 0))
