"""Sharing: the page that makes, lists and closes a game's links, and what an opened link leaves on a device."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoresheets.models import Link
from scoresheets.models.games import hash_of_secret
from scoresheets.recording import revoke_link
from scoresheets.views.access import MOST_GAMES
from tests.scoresheets.factories import (
    OPERATOR,
    client_for,
    everything,
    hold_link,
    link_of,
    link_to,
    make_game,
    rows_of,
)
from tests.scoresheets.pages import read, sentences_at

pytestmark = pytest.mark.django_db

OPENS_NOTHING = "This link does not open anything"
CLOSED = "This link was closed"


def make_on_page(client, game, **typed):
    form = read(client.get(f"/games/{game.pk}/links/"))
    fields = dict(next(f for f in form.all("form") if f.all("input", name="scope")).fields()) | typed
    return client.post(f"/games/{game.pk}/links/", fields)


def secret_in(page):
    return page.one(id="address")["value"].removeprefix("http://testserver/j/")


def listed(page):
    return [line.one("b").text for line in page.one("ul", class_="links").all("li")]


@pytest.mark.parametrize(
    ("scope", "heading", "line"),
    [("watch", "New watch link", "Watch: TV"), ("edit", "New scorer's link", "Keep score: TV")],
)
def test_made_link_is_shown_once_and_opens_its_game(scope, heading, line):
    game = make_game(seats=3)
    client = client_for(game)

    page = read(make_on_page(client, game, scope=scope, label=" TV "))

    secret = secret_in(page)
    assert page.one(id="made").text == heading
    assert listed(page)[0] == line
    assert page.one("svg", class_="qr").attrs.get("style") is None
    assert Link.objects.get(secret_hash=hash_of_secret(secret)).scope == scope
    assert secret not in str(everything())
    assert secret not in client.get(f"/games/{game.pk}/links/").content.decode()
    assert secret not in client.get(f"/games/{game.pk}/").content.decode()

    device = Client()
    response = device.get(f"/j/{secret}")
    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/")
    assert device.get(f"/games/{game.pk}/").status_code == 200


def test_watch_is_chosen_unless_somebody_asks_for_more():
    game = make_game(seats=3)
    page = read(client_for(game).get(f"/games/{game.pk}/links/"))

    assert [radio["value"] for radio in page.all("input", name="scope") if "checked" in radio.attrs] == ["watch"]


def test_link_made_twice_by_a_double_tap_is_one_link():
    game = make_game(seats=3)
    client = client_for(game)
    sent = {"scope": "watch", "label": "TV", "key": "k"}

    pages = [read(client.post(f"/games/{game.pk}/links/", sent)) for _ in range(2)]

    assert secret_in(pages[0]) == secret_in(pages[1])
    assert game.links.filter(scope="watch").count() == 1


def test_page_sent_again_for_another_link_is_a_conflict():
    game = make_game(seats=3)
    client = client_for(game)
    client.post(f"/games/{game.pk}/links/", {"scope": "watch", "label": "TV", "key": "k"})
    before = rows_of(game)

    response = client.post(f"/games/{game.pk}/links/", {"scope": "edit", "label": "TV", "key": "k"})

    page = read(response)
    assert response.status_code == 409
    assert page.one(class_="err-box").text == "This page was already sent with another entry; that one counts."
    assert page.one(id="label")["value"] == "TV"
    assert rows_of(game) == before


def test_label_that_is_too_long_is_refused_at_its_field_and_stays_typed():
    game = make_game(seats=3)
    client = client_for(game)
    before = rows_of(game)

    response = make_on_page(client, game, label="x" * 41)

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, "label") == "Ensure this value has at most 40 characters (it has 41)."
    assert page.one(id="label")["value"] == "x" * 41
    assert rows_of(game) == before


@pytest.mark.parametrize("scope", ["", "play", "EDIT"])
def test_link_for_nothing_known_is_refused(scope):
    game = make_game(seats=3)
    client = client_for(game)
    before = rows_of(game)

    assert make_on_page(client, game, scope=scope).status_code == 422
    assert rows_of(game) == before


def test_label_is_tidied():
    game = make_game(seats=3)

    page = read(make_on_page(client_for(game), game, label="\u202eOma\x07  Inge"))

    assert listed(page)[0] == "Watch: Oma Inge"


def test_own_link_cannot_be_closed_by_a_button():
    game = make_game(seats=3)
    client = client_for(game)
    link_to(game, "watch", label="TV")
    page = read(client.get(f"/games/{game.pk}/links/"))
    own = link_of(client, game)

    closable = [link["href"].split("/")[4] for link in page.all("a") if link["href"].endswith("/revoke/")]

    assert closable == [str(link.pk) for link in game.links.order_by("-pk") if link != own]
    assert listed(page) == ["Watch: TV", "Keep score", "Keep score"]


@pytest.mark.parametrize(
    ("scope", "sentence"),
    [
        ("edit", "can neither enter nor see anything of this game any more"),
        ("watch", "no longer sees this game"),
    ],
)
def test_closing_a_link_first_says_what_it_means_and_changes_nothing(scope, sentence):
    game = make_game(seats=3)
    client, (link, _secret) = client_for(game), link_to(game, scope, label="TV")

    shown = client.get(f"/games/{game.pk}/links/{link.pk}/revoke/").content.decode()

    assert sentence in shown
    assert "This is the link of the phone that started the game." not in shown
    link.refresh_from_db()
    assert link.revoked_at is None


def test_link_of_the_phone_that_started_the_game_is_told_from_the_others():
    game = make_game(seats=3)
    first = game.links.earliest("pk")
    client = client_for(game)

    listed_links = client.get(f"/games/{game.pk}/links/").content.decode()
    asked = client.get(f"/games/{game.pk}/links/{first.pk}/revoke/").content.decode()

    assert listed_links.count("started the game") == 1
    assert "This is the link of the phone that started the game." in asked


def test_closed_link_opens_nothing_and_says_so():
    game = make_game(seats=3)
    keeper, watcher = client_for(game), client_for(game, "watch")
    link = link_of(watcher, game)
    secret = watcher.cookies[f"block_{game.pk}"].value

    response = keeper.post(f"/games/{game.pk}/links/{link.pk}/revoke/")

    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/links/")
    for address in (f"/games/{game.pk}/", f"/games/{game.pk}/sheet/"):
        answer = watcher.get(address)
        assert (answer.status_code, read(answer).one("h1").text) == (404, CLOSED)
    answer = Client().get(f"/j/{secret}")
    assert (answer.status_code, read(answer).one("h1").text) == (404, OPENS_NOTHING)
    page = read(keeper.get(f"/games/{game.pk}/links/"))
    assert page.one("ul", class_="links").all("li")[0].one("small").text.endswith("· closed")


def test_keeper_who_closes_the_own_link_is_sent_to_the_start():
    game = make_game(seats=3)
    client = client_for(game)

    response = client.post(f"/games/{game.pk}/links/{link_of(client, game).pk}/revoke/")

    assert (response.status_code, response["Location"]) == (302, "/")
    answer = client.get(f"/games/{game.pk}/")
    assert (answer.status_code, read(answer).one("h1").text) == (404, CLOSED)


def test_expired_link_opens_nothing():
    game = make_game(seats=3)
    client = client_for(game)
    Link.objects.filter(pk=link_of(client, game).pk).update(expires_at=timezone.now() - timedelta(seconds=1))

    answer = client.get(f"/games/{game.pk}/")
    opened = Client().get(f"/j/{client.cookies[f'block_{game.pk}'].value}")

    assert (answer.status_code, read(answer).one("h1").text) == (404, CLOSED)
    assert (opened.status_code, read(opened).one("h1").text) == (404, OPENS_NOTHING)


def test_link_of_another_game_cannot_be_closed_from_here():
    game, other = make_game(seats=3), make_game(seats=3)
    link, _secret = link_to(other, "watch")
    before = rows_of(other)
    client = client_for(game)

    assert client.post(f"/games/{game.pk}/links/{link.pk}/revoke/").status_code == 404
    assert {**rows_of(other), "receipts": []} == {**before, "receipts": []}


@pytest.mark.parametrize("secret", ["x", "a" * 22, "a" * 5000, "ä", "%00", "..", "%2e%2e"])
def test_unknown_link_says_what_to_do(secret):
    response = Client().get(f"/j/{secret}")

    page = read(response)
    assert response.status_code == 404
    assert page.one("h1").text in {OPENS_NOTHING, "There is nothing here"}
    assert page.one("a", class_="btn")["href"] == "/"
    assert "block_" not in str(response.cookies)


def test_opened_link_is_a_cookie_that_no_script_reads():
    game = make_game(seats=3)
    _link, secret = link_to(game)

    response = Client().get(f"/j/{secret}")

    cookie = response.cookies[f"block_{game.pk}"]
    assert (cookie.value, cookie["httponly"], cookie["samesite"], cookie["path"]) == (secret, True, "Lax", "/")
    assert cookie["max-age"] == 400 * 24 * 3600
    assert "no-store" in response["Cache-Control"]


def test_cookie_is_secure_where_the_site_is(settings):
    settings.SESSION_COOKIE_SECURE = True
    game = make_game(seats=3)

    response = Client().get(f"/j/{link_to(game)[1]}")

    assert response.cookies[f"block_{game.pk}"]["secure"] is True


def test_watch_link_does_not_replace_a_scorers_link():
    game = make_game(seats=3)
    client = client_for(game)
    before = client.cookies[f"block_{game.pk}"].value

    response = client.get(f"/j/{link_to(game, 'watch')[1]}")

    assert response.status_code == 302
    assert response.cookies.get(f"block_{game.pk}") is None
    assert client.cookies[f"block_{game.pk}"].value == before


def test_watch_link_replaces_a_scorers_link_that_was_closed():
    game = make_game(seats=3)
    client = client_for(game)
    revoke_link(link_of(client, game), by=OPERATOR)
    _link, secret = link_to(game, "watch")

    client.get(f"/j/{secret}")

    assert client.cookies[f"block_{game.pk}"].value == secret
    assert client.get(f"/games/{game.pk}/").status_code == 200


def test_scorers_link_replaces_a_watch_link():
    game = make_game(seats=3)
    client = client_for(game, "watch")
    _link, secret = link_to(game)

    client.get(f"/j/{secret}")

    assert client.cookies[f"block_{game.pk}"].value == secret


def test_device_with_too_many_games_lets_the_oldest_go():
    game = make_game(seats=3)
    client = Client()
    for old in range(MOST_GAMES):
        client.cookies[f"block_{1_000_000 + old}"] = "x"

    response = client.get(f"/j/{link_to(game)[1]}")

    let_go = [name for name, cookie in response.cookies.items() if name.startswith("block_") and cookie["max-age"] == 0]
    assert let_go == ["block_1000000"]
    assert len([name for name, cookie in client.cookies.items() if name.startswith("block_") and cookie.value]) == 100
    assert client.cookies[f"block_{game.pk}"].value != ""


def test_cookies_that_are_none_of_ours_are_left_alone():
    client = Client()
    for name in ("block_", "block_x", "block_-1", f"block_{'9' * 5000}", "block_９"[:6] + "0x1", "blocked_1"):
        client.cookies[name] = "x"

    assert client.get("/").status_code == 200
    assert client.get("/games/new/").status_code == 200


@pytest.mark.parametrize("game_id", ["0", "9" * 18, "9" * 19, "9" * 40, "9" * 5000])
def test_game_that_cannot_exist_is_not_found(game_id):
    client = Client()
    client.cookies[f"block_{game_id}"] = "x"

    response = client.get(f"/games/{game_id}/")

    assert (response.status_code, read(response).one("h1").text) == (404, "There is nothing here")


def test_secret_of_one_game_opens_no_other():
    game, other = make_game(seats=3), make_game(seats=3)
    client = Client()
    hold_link(client, other, link_to(game)[1])

    response = client.get(f"/games/{other.pk}/")

    assert (response.status_code, read(response).one("h1").text) == (404, "There is nothing here")


def test_secret_is_in_no_address_of_any_page():
    game = make_game(seats=3)
    client = client_for(game)
    secret = client.cookies[f"block_{game.pk}"].value

    for address in ("/", f"/games/{game.pk}/", f"/games/{game.pk}/sheet/", f"/games/{game.pk}/links/", "/games/new/"):
        html = client.get(address).content.decode()
        assert secret not in html
        assert re.findall(r"/j/[\w-]+", html) == []
