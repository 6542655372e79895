"""How many taps and requests the main job costs."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.helpers import answered, bid, chip, control, is_poll, open_block, play, tap
from tests.scoresheets.factories import make_game


def test_first_bid_is_three_taps_away_beyond_the_names(phone: Callable[..., Page]) -> None:
    page = phone()
    taps = 0

    page.goto("/")
    page.locator("a.btn--primary").tap()
    taps += 1
    page.locator("#new_name").fill("Annika, Bernd, Cem")
    page.locator("#new_name").press("Enter")
    control(page, "start").tap()
    taps += 1
    tap(page, chip(page, 1))
    taps += 1

    expect(page.locator(".row-now .mark--bid")).to_have_text("1")
    assert taps <= 4


def test_names_that_were_typed_but_not_added_sit_down_at_the_start(phone: Callable[..., Page]) -> None:
    page = phone()
    page.goto("/games/new/")
    page.locator("#new_name").fill("Annika, Bernd, Cem")

    control(page, "start").tap()

    expect(page.locator(".block thead .who b")).to_have_text(["Annika", "Bernd", "Cem"])


@pytest.mark.parametrize(("seats", "rounds"), [(3, 0), (6, 9)])
def test_bid_is_one_tap_one_request_and_its_answer_only_the_pad(
    phone: Callable[..., Page], seats: int, rounds: int
) -> None:
    game = make_game(seats=seats)
    play(game, rounds)
    page = phone()
    open_block(page, game)
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if counts(request) else None)

    with page.expect_response(lambda response: response.request.method == "POST") as answer, answered(page):
        chip(page, 0).tap()

    body = answer.value.text()
    assert [request.method for request in sent] == ["POST"]
    assert body.lstrip().startswith("<title>")
    assert [body.count(part) for part in ("<html", "<body", "<link", "<script", 'id="pad"')] == [0, 0, 0, 0, 1]
    assert len(body.encode()) <= 24 * 1024


def counts(request: Request) -> bool:
    """Say whether a request is part of the page: polls and the browser's own wish for an icon are not."""
    return not is_poll(request) and not request.url.endswith("/icon.svg")


def test_first_load_of_the_block_is_at_most_six_requests_to_its_own_host(
    phone: Callable[..., Page], live_server: object
) -> None:
    game = make_game(rounds=3)
    bid(game, 1, 0)
    page = phone()
    open_block(page, game)
    address = page.url
    cookies = page.context.cookies()
    newcomer = phone()
    newcomer.context.add_cookies(cookies)
    sent: list[Request] = []
    newcomer.on("request", lambda request: sent.append(request) if counts(request) else None)

    newcomer.goto(address, wait_until="networkidle")

    assert len(sent) <= 6, [request.url for request in sent]
    assert {urlsplit(request.url).netloc for request in sent} == {urlsplit(str(live_server)).netloc}
