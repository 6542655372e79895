"""Everything works as plain forms, too."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.helpers import asked, chip, control, in_row, round_of, totals, tricks_of


def test_short_game_is_played_without_javascript(phone: Callable[..., Page]) -> None:
    page = phone(java_script_enabled=False)

    set_up_three_rounds(page)
    play_round_1_with_an_undo(page)
    play_rounds_2_and_3(page)
    check_ranking_and_reopen(page)
    check_sheet(page)
    make_links(page)
    start_rematch(page)


def press(page: Page, control: Locator) -> None:
    """Tap and wait for the next page."""
    with page.expect_navigation():
        control.tap()


def seat(page: Page, name: str) -> Locator:
    return page.locator(".seats li").filter(has_text=name)


def expect_round(page: Page, number: int) -> None:
    expect(round_of(page)).to_have_text(re.compile(rf"\b{number}\b.*\b3\b"))


def bid_in_turn(page: Page, **bids: int) -> None:
    for name, number in bids.items():
        expect(asked(page)).to_contain_text(name)
        press(page, chip(page, number))


def set_up_three_rounds(page: Page) -> None:
    """Seat Cem, Bernd, Annika with names added and moved; Bernd deals first; three rounds, typed."""
    page.goto("/")
    press(page, page.locator("a.btn--primary"))
    for name in ("Bernd", "Annika"):
        page.locator("#new_name").fill(name)
        press(page, control(page, "add"))
    page.locator("#new_name").fill("Cem")
    with page.expect_navigation():
        page.locator("#new_name").press("Enter")
    press(page, seat(page, "Cem").locator("[name=up]"))
    press(page, seat(page, "Bernd").locator("[name=down]"))
    press(page, seat(page, "Bernd").locator("[name=up]"))
    assert page.locator(".seats .nm").all_inner_texts() == ["Bernd", "Cem", "Annika"]
    press(page, seat(page, "Cem").locator("[name=up]"))
    seat(page, "Bernd").get_by_role("radio").check(force=True)
    page.locator("[name=rounds]").fill("3")
    press(page, control(page, "start"))
    assert page.locator(".block thead .who b").all_inner_texts() == ["Cem", "Bernd", "Annika"]


def play_round_1_with_an_undo(page: Page) -> None:
    """Bids with one taken back; tricks typed and kept by Enter, which scores nothing; the rest is filled in."""
    expect_round(page, 1)
    bid_in_turn(page, Annika=0, Cem=0)
    press(page, control(page, "back"))
    bid_in_turn(page, Cem=1, Bernd=0)
    tricks_of(page, "Cem").fill("1")
    with page.expect_navigation():
        tricks_of(page, "Cem").press("Enter")
    expect_round(page, 1)
    expect(tricks_of(page, "Cem")).to_have_value("1")
    press(page, in_row(page, "Annika", "made"))
    expect(page.locator(".made .auto .nm b")).to_have_text("Bernd")
    press(page, control(page, "score"))
    expect_round(page, 2)
    assert totals(page) == ["30", "20", "20"]


def play_rounds_2_and_3(page: Page) -> None:
    """Tricks by the three buttons: one more, one fewer, made it."""
    bid_in_turn(page, Cem=0, Bernd=1, Annika=2)
    press(page, in_row(page, "Cem", "plus"))
    press(page, in_row(page, "Bernd", "made"))
    press(page, control(page, "score"))
    assert totals(page) == ["20", "50", "0"]
    bid_in_turn(page, Bernd=1, Annika=1, Cem=0)
    press(page, in_row(page, "Bernd", "minus"))
    press(page, in_row(page, "Cem", "made"))
    press(page, control(page, "score"))


def check_ranking_and_reopen(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cem and Bernd")
    press(page, control(page, "back"))
    expect(tricks_of(page, "Annika")).to_have_value("3")
    press(page, control(page, "score"))
    assert page.locator(".stand .pt").all_inner_texts() == ["40", "40", "−20"]


def check_sheet(page: Page) -> None:
    press(page, page.locator("#content a[href$='/sheet/']"))
    sums = [page.locator(f".sheet tbody td:nth-child({column})").all_inner_texts() for column in (6, 10, 14)]
    assert sums == [["30", "20", "40"], ["20", "50", "40"], ["20", "0", "−20"]]
    press(page, page.locator(".bar a.icon-btn"))


def make_links(page: Page) -> None:
    press(page, page.locator(".dock a[href$='/links/']"))
    for scope in ("watch", "edit"):
        page.locator(f"[name=scope][value={scope}]").check()
        press(page, page.locator("form[action$='/links/'] button"))
        assert "/j/" in page.locator("#address").input_value()
    expect(page.locator(".links li")).to_have_count(3)  # the scorer's own one, too
    press(page, page.locator(".bar a.icon-btn"))


def start_rematch(page: Page) -> None:
    """Bernd dealt round 1, Annika 2, Cem 3, so Bernd deals again."""
    press(page, control(page, "rematch"))
    expect_round(page, 1)
    expect(page.locator(".block thead .is-deal .who")).to_have_text("Bernd")
    assert totals(page) == ["0", "0", "0"]
