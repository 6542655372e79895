"""Watching, a second scorer, closed links, and no connection."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game, Link
from tests.browser.helpers import (
    answered,
    asked,
    bid,
    bidders_of,
    chip,
    control,
    expect_strip,
    in_row,
    is_poll,
    open_block,
    open_menu,
    play,
    tap,
    totals,
    tricks_of,
)
from tests.scoresheets.factories import enter_tricks, fresh, make_game, open_round


def make_link_on_page(page: Page, scope: str) -> str:
    """Make a link on the links page and return its address."""
    open_menu(page)
    page.locator(".menu-sheet a[href$='/links/']").tap()
    page.locator(f"label.choice:has([value={scope}])").tap()
    page.locator("form[action$='/links/'] button").tap()
    return page.locator("#address").input_value()


def close_newest_link(game: Game, scope: str) -> None:
    recording.revoke_link(Link.objects.filter(game=game, scope=scope).latest("pk"), by=OPERATOR)


def test_watcher_follows_bids_tricks_and_ranking(phone: Callable[..., Page]) -> None:
    game = make_game(length=2, rounds=1)
    scorer = phone()
    open_block(scorer, game)
    address = make_link_on_page(scorer, "watch")
    watcher = phone()
    watcher.goto(address)
    question = watcher.locator(".watch p b")

    assert "/j/" not in watcher.url
    expect(question).to_contain_text(bidders_of(game)[0].name)
    assert watcher.locator("#pad form:not(.menu form), .chip, .made, .dock").count() == 0
    bid(game, 2)
    expect(watcher.locator(".row-now .mark--bid")).to_have_text("2")
    expect(question).to_contain_text(bidders_of(game)[1].name)
    bid(game, 0, 0, 0)
    expect(watcher.locator(".row-now .mark--bid")).to_have_count(4)
    enter_tricks(game, [0, 0, 2, 0])
    expect(watcher.locator(".stand")).to_be_visible()
    assert watcher.locator("#pad form:not(.menu form), .dock").count() == 0


def test_polls_are_answered_304_until_something_changes(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=1)
    page = phone()
    page.clock.install()
    open_block(page, game, "watch")
    statuses: list[int] = []
    page.on("response", lambda response: statuses.append(response.status) if is_poll(response.request) else None)

    for _ in range(3):
        with page.expect_response("**/games/*/"):
            page.clock.fast_forward(2_000)
    bid(game, 1)
    with page.expect_response("**/games/*/"):
        page.clock.fast_forward(2_000)
    expect(page.locator(".row-now .mark--bid")).to_have_text("1")
    with page.expect_response("**/games/*/"):
        page.clock.fast_forward(2_000)

    assert statuses == [304, 304, 304, 200, 304]


def test_tap_does_not_wait_for_a_poll_on_its_way(phone: Callable[..., Page]) -> None:
    """The poll is aborted; htmx puts that on the console as two errors, which the fixture `phone` knows."""
    game = make_game(rounds=2)
    page = phone()
    page.clock.install()
    open_block(page, game)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text.partition(",")[0]))
    page.route("**/games/*/", lambda route: None if is_poll(route.request) else route.continue_())  # never answered
    with page.expect_request(is_poll):
        page.clock.fast_forward(2_000)

    chip(page, 2).tap()

    expect(page.locator(".row-now .mark--bid")).to_have_text("2")
    assert errors == ["htmx:afterRequest", "htmx:sendAbort"]
    page.unroute_all(behavior="ignoreErrors")


def test_hidden_page_does_not_ask(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=1)
    page = phone()
    page.clock.install()
    open_block(page, game, "watch")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if is_poll(request) else None)

    page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })")
    page.clock.fast_forward(60_000)
    assert page.evaluate("1 + 1") == 2
    assert sent == []
    with page.expect_response("**/games/*/"):
        page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))")


def test_second_phone_keeps_score_with_its_own_link(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    first = phone()
    open_block(first, game)
    address = make_link_on_page(first, "edit")
    first.locator(".bar a.icon-btn").tap()
    second = phone()
    second.goto(address)

    tap(second, chip(second, 2))
    expect(asked(first)).to_contain_text(bidders_of(game)[1].name)
    tap(first, chip(first, 1))
    expect(second.locator(".row-now .mark--bid")).to_have_count(2)
    for _ in range(2):
        tap(second, chip(second, 0))
    starter = bidders_of(game)[0].name
    tap(second, in_row(second, starter, "made"))
    expect(tricks_of(first, starter)).to_have_value("2")
    assert totals(first) == totals(second)


@pytest.mark.parametrize("scope", ["watch", "edit"])
def test_closed_link_is_said_and_records_nothing_more(phone: Callable[..., Page], scope: str) -> None:
    game = make_game(rounds=1)
    page = phone(expects=["status of 404", "Response Status Error Code 404"])
    open_block(page, game, scope)

    close_newest_link(game, scope)

    expect_strip(page, "gone")
    if scope == "edit":
        with page.expect_response(lambda response: response.request.method == "POST"):
            chip(page, 1).tap()
        expect_strip(page, "gone")
        assert open_round(game).bids.count() == 0
    page.reload()
    expect(page.locator(".oops h1")).to_be_visible()


def test_tap_without_connection_is_said_and_nothing_typed_is_lost(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone(expects=["net::ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest"])
    page.clock.install()
    open_block(page, game)
    fields = page.locator(".made input.n")
    strip = page.locator("#notice")
    fields.nth(0).fill("2")
    page.context.set_offline(True)

    page.keyboard.press("Enter")
    expect_strip(page, "offline")
    expect(fields.nth(0)).to_have_value("2")
    in_row(page, bidders_of(game)[1].name, "made").tap()
    expect(fields.nth(0)).to_have_value("2")
    page.context.set_offline(False)

    tap(page, in_row(page, bidders_of(game)[1].name, "made"))
    expect(strip).to_be_hidden()
    expect(fields.nth(0)).to_have_value("2")
    expect(fields.nth(1)).to_have_value("1")
    assert sorted(open_round(game).draft["taken"].values()) == [1, 2]


def test_bid_without_connection_is_tapped_again_later(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    page = phone(expects=["net::ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest"])
    open_block(page, game)
    strip = page.locator("#notice")

    page.context.set_offline(True)
    chip(page, 2).tap()
    expect_strip(page, "offline")
    expect(page.locator(".chip[aria-busy]")).to_have_count(0)
    page.context.set_offline(False)
    with answered(page):
        chip(page, 2).tap()

    expect(strip).to_be_hidden()
    assert list(open_round(game).bids.values_list("tricks_bid", flat=True)) == [2]


def test_repeat_of_a_bid_whose_answer_was_lost_counts_once(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    page = phone(expects=["net::ERR_FAILED", "htmx:sendError", "htmx:afterRequest"])
    open_block(page, game)
    lost: list[int] = []

    def lose_the_answer(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        elif route.request.method == "POST":
            route.continue_()
        else:
            route.abort()  # a poll that got through at this moment would take the strip away again

    page.route("**/games/*/", lose_the_answer)
    chip(page, 2).tap()
    expect_strip(page, "offline")
    with answered(page):
        chip(page, 2).tap()

    assert lost == [200]
    assert list(open_round(game).bids.values_list("tricks_bid", flat=True)) == [2]
    expect(asked(page)).to_contain_text(bidders_of(game)[1].name)


def test_rematch_on_another_phone_is_the_same_game(phone: Callable[..., Page]) -> None:
    game = make_game(length=1)
    play(game)
    pages = [phone(), phone()]
    for page in pages:
        open_block(page, game)
        control(page, "rematch").tap()
        expect(page.locator(".row-now")).to_be_visible()

    assert pages[0].url == pages[1].url
    assert Game.objects.count() == 2
    assert fresh(game).is_finished
