"""What HTMX and tafel.js add to the forms: swaps, focus, repeats, refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import rules
from scoresheets.models import Bid, Game
from tests.browser.helpers import (
    DESKTOP,
    answered,
    bid,
    bidders_of,
    chip,
    control,
    cut_off_news,
    in_row,
    keep,
    open_block,
    play,
    posts_of,
    tap,
    tricks_of,
)
from tests.scoresheets.factories import enter_tricks, make_game, open_round, stage_of


def bids_in(game: Game) -> list[int]:
    return list(Bid.objects.filter(round__game=game).order_by("pk").values_list("tricks_bid", flat=True))


def test_barred_bid_is_explained_and_the_chips_stay(phone: Callable[..., Page]) -> None:
    game = make_game(house=rules.HouseRules(plus_minus_one=True))
    play(game, 3)
    bid(game, 1, 1, 1)
    page = phone(expects=["status of 422"])
    open_block(page, game)
    barred = page.locator(".chip[aria-disabled=true]")
    expect(barred).to_have_attribute("value", "1")

    with answered(page):
        barred.tap(force=True)  # it says that it is disabled, and can be tapped to hear why

    expect(page.locator("#bid_errors")).to_contain_text("Doro")  # who needs another number
    expect(page.locator(".chip")).to_have_count(5)
    expect(page.locator(".chip:focus")).to_have_attribute("value", "1")
    assert bids_in(game)[-3:] == [1, 1, 1]
    tap(page, chip(page, 2))
    expect(page.locator("#bid_errors")).to_have_count(0)
    assert bids_in(game)[-4:] == [1, 1, 1, 2]


def test_bid_of_a_stale_page_is_shown_and_not_recorded(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=3)
    page = phone(expects=["status of 409"])
    cut_off_news(page)
    open_block(page, game)
    first = bidders_of(game)[0].name
    bid(game, 2)

    tap(page, chip(page, 3))

    expect(page.locator(".err-box")).to_contain_text(f"{first} 3")
    expect(page.locator(".row-now .mark--bid")).to_have_text("2")
    assert bids_in(game)[-1:] == [2]


def test_tricks_of_a_stale_page_are_shown_and_not_recorded(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone(expects=["status of 409"])
    cut_off_news(page)
    open_block(page, game)
    first, second = (seat.name for seat in bidders_of(game)[:2])
    tricks_of(page, first).fill("1")
    with answered(page):  # leaving the first field keeps its number
        tricks_of(page, second).fill("2")
    enter_tricks(game, [3, 0, 0, 0])
    scored = stage_of(game)

    with answered(page):
        page.keyboard.press("Enter")

    expect(page.locator(".err-box")).to_contain_text(f"{first} 1")
    expect(page.locator(".err-box")).to_contain_text(f"{second} 2")
    expect(page.locator(".row-now th")).to_have_text("4")
    assert stage_of(game) == scored


def test_tricks_that_do_not_add_up_are_refused_where_they_stand(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone(expects=["status of 422"])
    open_block(page, game)
    for field, typed in zip(page.locator(".made input.n").all(), ("2", "2", "zero", "0"), strict=True):
        field.fill(typed)

    with answered(page):
        control(page, "score").tap(force=True)

    expect(page.locator(".made [aria-invalid=true]")).to_have_value("zero")
    assert [field.input_value() for field in page.locator(".made input.n").all()] == ["2", "2", "zero", "0"]
    assert open_round(game).number == 3


def test_focus_moves_to_the_next_question(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    page = phone()
    open_block(page, game)

    for _ in range(3):
        tap(page, chip(page, 1))
        expect(page.locator(".chip:focus")).to_have_count(1)
    tap(page, chip(page, 1))
    expect(page.locator("#pad :focus")).to_have_count(1)
    name = bidders_of(game)[0].name
    tap(page, in_row(page, name, "made"))
    expect(in_row(page, name, "made")).to_be_focused()


def test_typed_number_is_not_overwritten_by_what_others_enter(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone()
    page.clock.install()
    open_block(page, game)
    fields = page.locator(".made input.n")
    fields.nth(1).fill("2")
    keep(game, 3)

    page.clock.fast_forward(30_000)
    expect(fields.nth(1)).to_have_value("2")
    expect(fields.nth(0)).to_have_value("")

    fields.nth(1).fill("")  # nothing typed any more: the next poll brings what the other phone entered
    page.clock.fast_forward(30_000)
    expect(fields.nth(0)).to_have_value("3")


def test_three_fast_clicks_send_one_post(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=3)
    page = phone()
    open_block(page, game)
    posts = posts_of(page)

    with answered(page):
        page.evaluate("() => { for (const bid of [1, 2, 3]) document.querySelector(`.chip[value='${bid}']`).click() }")

    assert len(posts) == 1
    assert bids_in(game)[-1:] == [1]
    assert open_round(game).bids.count() == 1


@pytest.mark.parametrize("screen", [{}, DESKTOP], ids=["phone", "desktop"])
def test_double_click_bids_once(phone: Callable[..., Page], screen: dict[str, object]) -> None:
    game = make_game(rounds=3)
    page = phone(**screen)
    open_block(page, game)

    with answered(page):
        page.dblclick('.chip[value="2"]')

    expect(page.locator(".row-now .mark--bid")).to_have_count(1)
    assert open_round(game).bids.count() == 1


def test_keyboard_bids_once_even_when_enter_is_held(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=3)
    page = phone(**DESKTOP)
    open_block(page, game)
    posts = posts_of(page)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator('.chip[value="0"]:focus').count():
            break

    with answered(page):
        page.keyboard.down("Enter")
    for _ in range(3):
        page.keyboard.down("Enter")  # the same key, held: the browser repeats it
    page.keyboard.up("Enter")

    expect(page.locator('.chip[value="0"]')).to_be_focused()
    assert len(posts) == 1
    with answered(page):
        page.keyboard.press("Enter")
    assert bids_in(game)[-2:] == [0, 0]


def test_enter_in_a_tricks_field_keeps_and_does_not_score(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone()
    open_block(page, game)
    fields = page.locator(".made input.n")
    for field, typed in zip(fields.all(), ("1", "1", "1", "0"), strict=True):
        field.fill(typed)

    with answered(page):
        page.keyboard.press("Enter")

    expect(control(page, "score")).not_to_have_attribute("aria-disabled", "true")
    expect(control(page, "score")).to_be_focused()
    assert open_round(game).number == 3
    assert [field.input_value() for field in fields.all()] == ["1", "1", "1", "0"]
    # The last 0 may count as what follows from the others, if their answer came while it was typed.
    assert sum(open_round(game).draft["taken"].values()) == 3


def test_typed_tricks_count_as_soon_as_their_field_is_left(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone()
    open_block(page, game)
    fields = page.locator(".made input.n")

    fields.nth(0).focus()
    for typed in ("1", "0", "2"):  # as fast as a keyboard goes: the answers come while the next number is typed
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")

    expect(fields.nth(3)).to_have_value("0")  # what follows is filled in
    expect(control(page, "score")).not_to_have_attribute("aria-disabled", "true")
    assert [field.input_value() for field in fields.all()] == ["1", "0", "2", "0"]
    page.reload()
    assert [field.input_value() for field in fields.all()] == ["1", "0", "2", "0"]


def test_last_number_typed_and_the_round_scored_at_once(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone()
    open_block(page, game)
    first, second, *_ = (seat.name for seat in bidders_of(game))

    tricks_of(page, first).fill("1")
    tricks_of(page, second).fill("2")
    control(page, "score").tap(force=True)  # it still says that tricks are missing: the last number is on its way

    expect(page.locator(".row-now th")).to_have_text("4")


def test_reload_shows_the_tricks_kept_so_far(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    bid(game, 1, 1, 0, 0)
    page = phone()
    open_block(page, game)
    page.locator(".made input.n").nth(0).fill("2")
    with answered(page):
        page.keyboard.press("Enter")

    page.reload()

    expect(page.locator(".made input.n").nth(0)).to_have_value("2")


def test_all_bids_at_once_are_recorded_or_refused_together(phone: Callable[..., Page]) -> None:
    game = make_game(rounds=2)
    page = phone(expects=["status of 422"])
    open_block(page, game)
    page.locator(".all-bids > summary").tap()
    fields = page.locator(".all-bids input.n")
    for field, typed in zip(fields.all(), ("1", "7", "0", ""), strict=True):
        field.fill(typed)

    tap(page, control(page, "bids"))
    expect(page.locator(".all-bids [aria-invalid=true]")).to_have_count(2)  # the 7 and the empty one
    assert [field.input_value() for field in fields.all()] == ["1", "7", "0", ""]
    assert open_round(game).bids.count() == 0

    fields.nth(1).fill("1")
    fields.nth(3).fill("0")
    tap(page, control(page, "bids"))
    expect(page.locator(".made")).to_be_visible()
    assert bids_in(game)[-4:] == [1, 1, 0, 0]
