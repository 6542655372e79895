"""Every page and state: nothing for axe to find, nothing sideways, no small targets, no inline styles."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import rules
from scoresheets.models import Game
from tests.browser.checks import layout_problems, overhang, violations
from tests.browser.helpers import (
    LONG_NAMES,
    answered,
    bid,
    bidders_of,
    chip,
    control,
    cut_off_news,
    open_block,
    open_menu,
    play,
    tap,
)
from tests.scoresheets.factories import make_game

PLUS_MINUS_ONE = rules.HouseRules(plus_minus_one=True)


def table_of_four() -> Game:
    """Return a game of four after six rounds, played with plus/minus one."""
    game = make_game(house=PLUS_MINUS_ONE)
    play(game, 6)
    return game


def start_page(page: Page) -> None:
    page.goto("/")


def start_page_with_games(page: Page) -> None:
    for game, scope in ((make_game(length=1, rounds=1), "edit"), (make_game(rounds=1), "watch")):
        open_block(page, game, scope)
    page.goto("/")


def new_game(page: Page) -> None:
    page.goto("/games/new/")


def new_game_filled(page: Page) -> None:
    start_page_with_games(page)
    page.locator("a.btn--primary").click()
    page.locator("#new_name").fill("Annika, Bernd, Cem, Doro, Emil")
    page.locator("#new_name").press("Enter")
    expect(page.locator(".seats li")).to_have_count(5)
    page.locator("label.choice:has([value=tournament])").click()
    expect(page.get_by_role("status")).to_contain_text("10")


def new_game_with_errors(page: Page) -> None:
    page.goto("/games/new/")
    page.locator("#new_name").fill("Annika, Bernd, annika")
    page.locator("[name=rounds]").fill("99")
    control(page, "start").click()
    expect(page.locator("#name_errors")).to_be_visible()


def new_game_with_wrong_rounds(page: Page) -> None:
    page.goto("/games/new/")
    page.locator("#new_name").fill("Annika, Bernd, Cem")
    page.locator("[name=rounds]").fill("99")
    control(page, "start").click()
    expect(page.locator("#length_errors")).to_be_visible()


def first_bid(page: Page) -> None:
    open_block(page, table_of_four())


def last_bid(page: Page) -> None:
    """The last bidder: one number is barred, and was tapped."""
    game = table_of_four()
    bid(game, 2, 3, 1)
    open_block(page, game)
    with answered(page):
        chip(page, 1).click(force=True)
    expect(page.locator("#bid_errors")).to_be_visible()


def all_bids(page: Page) -> None:
    game = table_of_four()
    bid(game, 1)
    open_block(page, game)
    page.locator(".all-bids > summary").click()
    for field, typed in zip(page.locator(".all-bids input.n").all(), ("9", "1", "0"), strict=True):
        field.fill(typed)
    tap(page, control(page, "bids"))
    expect(page.locator(".all-bids [aria-invalid=true]")).to_have_count(1)


def menu_and_legend(page: Page) -> None:
    open_block(page, table_of_four())
    page.locator(".rest > summary").click()
    open_menu(page)
    expect(page.locator(".menu-sheet")).to_be_visible()


def tricks_empty(page: Page) -> None:
    game = table_of_four()
    bid(game, 2, 3, 1, 2)
    open_block(page, game)


def tricks_filled(page: Page) -> None:
    tricks_empty(page)
    for field, typed in zip(page.locator(".made input.n").all()[:3], "231", strict=True):
        field.fill(typed)
    with answered(page):
        page.keyboard.press("Enter")
    expect(page.locator(".made .auto")).to_have_count(1)


def tricks_with_errors(page: Page) -> None:
    tricks_empty(page)
    for field, typed in zip(page.locator(".made input.n").all(), ("2", "-1", "1,5", "9"), strict=True):
        field.fill(typed)
    with answered(page):
        control(page, "score").click(force=True)
    expect(page.locator(".made [aria-invalid=true]").first).to_be_visible()


def conflict(page: Page) -> None:
    """Somebody was faster; what was entered here is shown."""
    game = table_of_four()
    cut_off_news(page)
    open_block(page, game)
    bid(game, 2)
    with answered(page):
        chip(page, 1).click()
    expect(page.locator(".err-box")).to_be_visible()


def ranking(page: Page) -> None:
    game = make_game(length=8)
    play(game, seed=2)
    open_block(page, game)
    page.locator("details.more > summary").click()
    expect(page.get_by_role("table")).to_be_visible()


def sheet(page: Page) -> None:
    open_block(page, table_of_four())
    page.goto(f"{page.url}sheet/")


def links(page: Page) -> None:
    open_block(page, table_of_four())
    page.goto(f"{page.url}links/")
    page.locator("#label").fill("Doro's tablet")
    page.locator("form[action$='/links/'] button").click()
    expect(page.locator("#address")).to_be_visible()


def watch_bids(page: Page) -> None:
    game = table_of_four()
    bid(game, 2, 3)
    open_block(page, game, "watch")


def watch_ranking(page: Page) -> None:
    game = make_game(length=2)
    play(game)
    open_block(page, game, "watch")


def not_found(page: Page) -> None:
    page.goto("/games/4711/")


def unknown_link(page: Page) -> None:
    page.goto("/j/no-such-secret")


PAGES = [
    start_page,
    start_page_with_games,
    new_game,
    new_game_filled,
    new_game_with_errors,
    new_game_with_wrong_rounds,
    first_bid,
    last_bid,
    all_bids,
    menu_and_legend,
    tricks_empty,
    tricks_filled,
    tricks_with_errors,
    conflict,
    ranking,
    sheet,
    links,
    watch_bids,
    watch_ranking,
    not_found,
    unknown_link,
]


@pytest.mark.parametrize("show", PAGES, ids=lambda show: show.__name__)
def test_page_is_accessible_in_both_themes_at_every_width(
    phone: Callable[..., Page], show: Callable[[Page], None]
) -> None:
    page = phone(color_scheme="light", expects=["status of 422", "status of 409", "status of 404"])
    show(page)

    found = {"light": violations(page)}
    page.emulate_media(color_scheme="dark")
    found["dark"] = violations(page)
    found["layout"] = layout_problems(page)

    assert found == {"light": [], "dark": [], "layout": []}


@pytest.mark.parametrize("show", [start_page_with_games, new_game_filled, last_bid, tricks_filled, ranking, links])
def test_german_words_fit_at_every_width(phone: Callable[..., Page], show: Callable[[Page], None]) -> None:
    page = phone(locale="de-DE", expects=["status of 422"])
    show(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")

    assert layout_problems(page) == []


def six_bid(game: Game, page: Page) -> None:
    bid(game, 1, 0, 2)
    open_block(page, game)


def six_take(game: Game, page: Page) -> None:
    bid(game, 1, 0, 2, 1, 1, 0)
    open_block(page, game)
    for row in page.locator(".made li").all()[:5]:
        tap(page, row.locator(".hitbtn"))
    expect(page.locator(".made .auto")).to_have_count(1)


def six_watch(game: Game, page: Page) -> None:
    bid(game, 1, 0, 2)
    open_block(page, game, "watch")


def six_finish(game: Game, page: Page) -> None:
    play(game)
    open_block(page, game)


def six_on_the_sheet(game: Game, page: Page) -> None:
    open_block(page, game)
    page.goto(f"{page.url}sheet/")


def six_links(game: Game, page: Page) -> None:
    open_block(page, game)
    page.goto(f"{page.url}links/")


def six_sit_down(game: Game, page: Page) -> None:
    page.goto("/games/new/")
    page.locator("#new_name").fill(", ".join(LONG_NAMES))
    page.locator("#new_name").press("Enter")
    expect(page.locator(".seats li")).to_have_count(6)


@pytest.mark.parametrize(
    "show",
    [six_sit_down, six_bid, six_take, six_watch, six_finish, six_on_the_sheet, six_links],
    ids=lambda show: show.__name__,
)
def test_six_people_with_long_names_fit(phone: Callable[..., Page], show: Callable[[Game, Page], None]) -> None:
    game = make_game(names=LONG_NAMES)
    play(game, 6)
    page = phone()
    show(game, page)

    found = violations(page)
    layout = layout_problems(page)

    assert (found, layout) == ([], [])


@pytest.mark.parametrize("width", [320, 360])
def test_the_question_and_the_numbers_are_on_the_screen(phone: Callable[..., Page], width: int) -> None:
    """With six people and many cards, what is asked and what can be tapped is not below the fold."""
    game = make_game(names=LONG_NAMES)
    play(game, 9)
    page = phone(viewport={"width": width, "height": 640})
    open_block(page, game)
    for _ in bidders_of(game):
        expect(page.locator(".turn h2")).to_be_in_viewport()
        expect(chip(page, 0)).to_be_in_viewport(ratio=1)
        expect(chip(page, 10)).to_be_in_viewport(ratio=1)
        expect(page.locator(".row-now")).to_be_in_viewport()
        assert overhang(page) == 0
        tap(page, chip(page, 1))
    expect(page.locator(".made li").first).to_be_in_viewport()
    expect(control(page, "score")).to_be_in_viewport(ratio=1)
