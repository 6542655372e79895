"""Somebody joins, leaves and takes over a seat by hand; the page and the changed table readable at every width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import leave_table, replace_at_table
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import DESKTOP, LONG_NAMES, open_block, open_menu
from tests.scoresheets.factories import make_game, newest_of, play_round, seat_ids, seats_of


def open_act(page: Page, title: str) -> None:
    page.get_by_role("heading", name=title).click()


def test_a_table_changes_and_plays_on(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3, rounds=2, length=5)
    page = phone()
    open_block(page, game)
    open_menu(page)
    page.get_by_role("link", name="Somebody joins or leaves").click()

    open_act(page, "Somebody joins")
    page.get_by_label("Sits to the left of").select_option("Bernd")
    page.locator("#join_name").fill("Gerd")
    page.locator("#join").get_by_text("The mean of all who play").click()
    page.get_by_role("button", name="Sit down").click()

    expect(page.locator(".block thead b")).to_have_text(["Annika", "Bernd", "Gerd", "Cem"])
    expect(page.get_by_role("heading", name="Cem is bidding")).to_be_visible()  # Gerd deals after Bernd

    page.goto(f"{page.url}people/")
    open_act(page, "Somebody leaves")
    page.get_by_label("Who leaves?").select_option("Annika")
    page.locator("#leave_cards").fill("3 2")
    page.get_by_role("button", name="Leave the game").click()

    expect(page.locator(".block thead b")).to_have_text(["Bernd", "Gerd", "Cem"])
    expect(page.locator(".bar-title strong")).to_have_text("Round 3 of 4")
    assert [seat.plays for seat in seats_of(game)] == [False, True, True, True]


def changed_table(names: tuple[str, ...]) -> Game:
    game = make_game(names=names, rounds=1, length=3)
    leave_table(game, seat=seat_ids(game)[0], cards=[2], seen=game.version, by=OPERATOR)
    seat = seat_ids(game)[1]
    replace_at_table(game, seat=seat, name=f"{names[1][:30]} B.", seen=newest_of(game), by=OPERATOR)
    return game


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}, DESKTOP])
def test_pages_of_a_changed_table_are_readable(phone: Callable[..., Page], options: dict[str, Any]) -> None:
    game = changed_table(LONG_NAMES)
    page = phone(**options)
    open_block(page, game)
    address = page.url
    for path in ("people/", "sheet/", ""):
        if not path:
            play_round(game)
        page.goto(f"{address}{path}")
        for summary in page.locator("details.more > summary").all():
            summary.click()
        if options is not DESKTOP:
            page.set_viewport_size({"width": 320, "height": 640})
        assert violations(page) == [], path
        assert layout_problems(page) == [], path
