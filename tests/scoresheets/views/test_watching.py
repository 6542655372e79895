"""The watch page: follows by itself, tells what changed, and offers nothing that records."""

import pytest

from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import record_bids, save_draft
from tests.scoresheets.factories import (
    client_for,
    enter_bids,
    enter_tricks,
    make_game,
    open_round,
    rows_of,
    seat_ids,
    seen_of,
)
from tests.scoresheets.pages import HTMX, read, totals_of

pytestmark = pytest.mark.django_db


def tag_of(client, game, **headers):
    response = client.get(f"/games/{game.pk}/", headers=headers)
    assert response.status_code == 200
    assert response["ETag"].startswith('"')
    return response["ETag"]


def is_unchanged(client, game, tag, **headers):
    response = client.get(f"/games/{game.pk}/", headers={"If-None-Match": tag, **headers})
    assert response.status_code in {200, 304}
    assert (response.status_code == 304) is (response.content == b"")
    return response.status_code == 304


@pytest.mark.parametrize("stage", ["bidding", "playing", "finished"])
def test_watch_page_has_no_form_that_records(stage):
    game = make_game(seats=4, length=2, rounds=2 if stage == "finished" else 1)
    if stage == "playing":
        enter_bids(game)

    page = read(client_for(game, "watch").get(f"/games/{game.pk}/"))

    assert [form["action"] for form in page.all("form")] == ["/theme/", "/language/"]
    assert page.all("input", type="text") == page.all("input", inputmode="numeric") == []
    assert [link["href"] for link in page.all("a") if "links" in link["href"]] == []


def test_watch_page_tells_who_bids_and_what_is_bid():
    game = make_game(seats=3, rounds=1)
    record_bids(game, bids={seat_ids(game)[2]: 2}, seen=seen_of(game), by=OPERATOR)

    page = read(client_for(game, "watch").get(f"/games/{game.pk}/"))

    watch = page.one(class_="watch")
    assert watch.one("b").text == "Annika is bidding" if watch.all("p") == [] else True
    assert watch.one("p").text == "Annika is bidding Bernd deals, Cem leads"
    assert watch.one(class_="meter-txt").text == "2 of 2 · 2 bids to come"
    assert totals_of(page) == [30, 20, 20]


def test_watch_page_follows_without_javascript_by_refreshing():
    game = make_game(seats=3)

    watched, kept = (read(client_for(game, scope).get(f"/games/{game.pk}/")) for scope in ("watch", "edit"))

    assert watched.one("meta", http_equiv="refresh")["content"] == "10"
    assert kept.all("meta", http_equiv="refresh") == []


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("scope", ["watch", "edit"])
def test_unchanged_game_is_answered_304_without_content(scope, headers):
    game = make_game(seats=3, rounds=1)
    client = client_for(game, scope)
    tag = tag_of(client, game, **headers)

    assert is_unchanged(client, game, tag, **headers)
    assert is_unchanged(client, game, f"W/{tag}", **headers)
    assert not is_unchanged(client, game, '"another"', **headers)


def test_tag_in_the_pad_is_that_of_the_part_it_asks_for():
    """The pad follows as a part; the tag it holds must be the one that such an answer would carry."""
    game = make_game(seats=3)
    client = client_for(game, "watch")

    part = client.get(f"/games/{game.pk}/", headers=HTMX)

    assert part["ETag"].strip('"') in read(part).one(id="pad")["hx-headers"]


@pytest.mark.parametrize("change", ["bid", "draft", "tricks", "finish"])
def test_every_entry_is_a_change(change):
    game = make_game(seats=3, length=2)
    if change in {"draft", "tricks", "finish"}:
        enter_bids(game)
    if change == "finish":
        enter_tricks(game)
        enter_bids(game)
    client = client_for(game, "watch")
    tag = tag_of(client, game, **HTMX)

    if change == "bid":
        record_bids(game, bids={seat_ids(game)[0]: 1}, seen=seen_of(game), by=OPERATOR)
    elif change == "draft":
        save_draft(game, draft={"taken": {str(seat_ids(game)[0]): 1}}, seen=seen_of(game), by=OPERATOR)
    else:
        enter_tricks(game)

    assert not is_unchanged(client, game, tag, **HTMX)
    assert is_unchanged(client, game, tag_of(client, game, **HTMX), **HTMX)


def test_theme_language_scope_and_form_of_the_page_are_told_apart():
    game = make_game(seats=3)
    client = client_for(game, "watch")
    tags = [tag_of(client, game), tag_of(client, game, **HTMX), tag_of(client_for(game), game)]
    client.post("/theme/", {"theme": "dark"})
    tags.append(tag_of(client, game))
    client.post("/language/", {"language": "de"})
    tags.append(tag_of(client, game))

    assert len(set(tags)) == len(tags)


def test_another_release_is_a_change(settings):
    game = make_game(seats=3)
    client = client_for(game, "watch")
    tag = tag_of(client, game)
    settings.RELEASE = "another"

    assert not is_unchanged(client, game, tag)


def test_another_game_in_the_same_state_has_another_tag():
    games = [make_game(seats=3), make_game(seats=3)]

    assert len({tag_of(client_for(game), game) for game in games}) == 2


def test_answer_is_private_and_asked_again():
    game = make_game(seats=3)
    response = client_for(game, "watch").get(f"/games/{game.pk}/")

    assert sorted(response["Cache-Control"].split(", ")) == ["no-cache", "private"]
    assert {"HX-Request", "Cookie", "Accept-Language"} <= set(response["Vary"].split(", "))


@pytest.mark.parametrize("sent", [{"bid": "1"}, {"score": "1"}, {"back": "2"}, {"made": "1"}, {"rematch": "1"}, {}])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_watcher_who_posts_is_told_that_the_link_is_for_watching(sent, headers):
    game = make_game(seats=3, rounds=1)
    client = client_for(game, "watch")
    before = rows_of(game)

    response = client.post(
        f"/games/{game.pk}/", {"seen": seen_of(game), "seat": seat_ids(game)[2], **sent}, headers=headers
    )

    assert response.status_code == 403
    assert read(response).one("h1").text == "This link is for watching"
    assert rows_of(game) == before
    assert open_round(game).bids.count() == 0


@pytest.mark.parametrize("rule", ["hidden_bids", "secret_bids"])
def test_covered_bids_are_shown_as_dots(rule):
    game = make_game(seats=3, rounds=2)
    Game.objects.filter(pk=game.pk).update(**{rule: True})
    record_bids(game, bids={seat_ids(game)[0]: 3, seat_ids(game)[2]: 2}, seen=seen_of(game), by=OPERATOR)

    page = read(client_for(game, "watch").get(f"/games/{game.pk}/"))

    assert [cell.one(class_="mark").text for cell in page.one(id="now").all("td")] == ["•", "? is bidding", "•"]
