"""Theme, language, and the way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.helpers import DESKTOP, bid, chip, control, open_block, open_menu, play, tap
from tests.scoresheets.factories import make_game


@pytest.mark.parametrize("place", ["", "sheet/", "links/"])
def test_theme_is_chosen_in_the_menu_and_one_stays_in_place(phone: Callable[..., Page], place: str) -> None:
    game = make_game(rounds=2)
    page = phone()
    open_block(page, game)
    page.goto(page.url + place)
    address = page.url
    themes = []

    for following in ("light", "dark", ""):
        open_menu(page)
        control(page, "theme", following).tap()
        expect(page.locator(".menu[open]")).to_have_count(0)
        assert page.url == address
        themes.append(page.locator("html").get_attribute("data-theme"))

    assert themes == ["light", "dark", None]


def test_theme_chosen_wins_over_the_phones_own(phone: Callable[..., Page]) -> None:
    page = phone(color_scheme="dark")
    page.goto("/")
    background = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)

    open_menu(page)
    control(page, "theme", "light").tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")

    assert page.evaluate(background) != dark


def test_language_is_chosen_in_the_menu_and_one_stays_in_place(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    page = phone()
    open_block(page, game)
    address = page.url

    open_menu(page)
    control(page, "language", "de").tap()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == address
    tap(page, chip(page, 1))  # the swapped pad speaks it, too
    open_menu(page)
    control(page, "language", "en").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url == address


def test_first_visit_speaks_the_phones_language(phone: Callable[..., Page]) -> None:
    german, english, french = (phone(locale=locale) for locale in ("de-DE", "en-GB", "fr-FR"))
    for page in (german, english, french):
        page.goto("/")

    expect(german.locator("html")).to_have_attribute("lang", "de")
    expect(english.locator("html")).to_have_attribute("lang", "en")
    expect(french.locator("html")).to_have_attribute("lang", "en")


def test_menu_is_closed_by_escape_and_by_a_tap_elsewhere(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    open_block(page, make_game(rounds=2))
    menu = page.locator(".menu-sheet")

    open_menu(page)
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.locator(".menu > summary")).to_be_focused()
    open_menu(page)
    page.locator(".score").click(position={"x": 20, "y": 20})
    expect(menu).to_be_hidden()


def test_menu_and_legend_stay_open_when_somebody_else_records(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    page = phone()
    open_block(page, game)
    page.locator(".rest > summary").tap()
    open_menu(page)

    bid(game, 1)

    expect(page.locator(".row-now .mark--bid")).to_have_text("1")
    expect(page.locator(".menu-sheet")).to_be_visible()
    expect(page.locator(".legend")).to_be_visible()


def test_browser_back_from_the_sheet_shows_the_block_as_it_is_now(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    page = phone()
    open_block(page, game)
    open_menu(page)
    page.locator(".menu-sheet a[href$='/sheet/']").tap()
    expect(page.locator(".sheet tbody tr")).to_have_count(15)
    bid(game, 2)

    page.go_back()

    expect(page.locator(".row-now .mark--bid")).to_have_text("2")
    tap(page, chip(page, 0))
    expect(page.locator(".row-now .mark--bid")).to_have_count(2)


def test_start_page_lists_the_games_of_this_phone(phone: Callable[..., Page]) -> None:
    finished, running = make_game(length=3), make_game(rounds=2)
    play(finished)
    page = phone()
    for game, scope in ((finished, "watch"), (running, "edit")):
        open_block(page, game, scope)

    page.locator(".bar a.icon-btn").tap()

    expect(page.locator(".nights li")).to_have_count(2)
    page.locator(f".nights a[href='/games/{running.pk}/']").tap()
    expect(page.locator(".row-now th")).to_have_text("3")
