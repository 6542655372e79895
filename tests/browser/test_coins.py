"""Trick by trick, a round by the keyboard alone, and what a phone goes through while a round is played."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

import rules
from scoresheets.models import Entry, Game
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import (
    DESKTOP,
    answered,
    bid,
    bidders_of,
    chip,
    control,
    expect_strip,
    open_block,
    posts_of,
    round_of,
    tap,
    tricks_of,
)
from tests.scoresheets.factories import make_game, open_round, seats_of

WAKE_LOCK = """
    window.locks = [];
    Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
        const lock = { kind, released: false, release: async () => { lock.released = true; } };
        window.locks.push(lock);
        return lock;
    } } });
"""
HIDDEN = "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })"
SHOWN = "delete document.visibilityState"
CHANGED = "document.dispatchEvent(new Event('visibilitychange'))"


def coin(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"{name} took the trick")


def counted(page: Page) -> list[str]:
    """Return the coins of the open round in the Block, in seat order."""
    return page.locator(".row-now .coins").all_inner_texts()


def trick(page: Page) -> Locator:
    return page.locator(".turn h2")


def played(game: Game) -> list[list[int]]:
    """Return the newest scored round, in seat order."""
    return [seat.line[-1] for seat in seats_of(game)]


def test_round_is_counted_trick_by_trick(phone: Callable[..., Page]) -> None:
    game = make_game(seats=4, rounds=3, house=rules.HouseRules(specials=("BOMB",)))  # round 4, dealt by Doro
    bid(game, 2, 1, 0, 0)
    page, watcher = phone(), phone()
    open_block(page, game)
    open_block(watcher, game, "watch")
    tap(page, control(page, "coins"))
    expect(trick(page)).to_have_text("Trick 1 of 4")

    tap(page, coin(page, "Annika"))
    expect(coin(page, "Annika")).to_have_text("Annika1 of 2")
    posts = posts_of(page)
    with answered(page):
        coin(page, "Bernd").dblclick()
    assert len(posts) == 1  # the second tap was aimed at the trick before
    expect(trick(page)).to_have_text("Trick 3 of 4")
    expect(watcher.locator(".watch small")).to_have_text("Trick 3 of 4 · Bernd leads")
    assert counted(watcher) == counted(page) == ["1", "1", "0", "0"]

    tap(page, control(page, "uncoin"))
    page.reload()
    expect(trick(page)).to_have_text("Trick 2 of 4")
    assert violations(page) == []
    assert layout_problems(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    for name in ("Cem", "Annika"):
        tap(page, coin(page, name))
    tap(page, page.get_by_role("button", name="Bombed: nobody gets the trick"))

    expect(watcher.locator(".watch small")).to_have_text("All 4 tricks counted")
    expect(page.locator("[name=bombs]")).to_be_checked()
    assert [field.input_value() for field in page.locator(".made input.n").all()] == ["2", "0", "1", "0"]
    tap(page, control(page, "score"))
    assert played(game) == [[2, 2, 40], [1, 0, -10], [0, 1, -10], [0, 0, 20]]
    bid(game, 0, 0, 0, 0)
    expect(trick(page)).to_have_text("Trick 1 of 5")  # this phone counts


def test_round_is_entered_with_the_keyboard_alone(phone: Callable[..., Page]) -> None:
    game = make_game(seats=4, rounds=11)
    page = phone(**DESKTOP)
    open_block(page, game)
    keys = page.keyboard
    chip(page, 0).focus()

    for number in ("10", "2", "0", "1"):
        keys.type(number)
        expect(chip(page, int(number))).to_be_focused()
        with answered(page):
            keys.press("Enter")
        page.wait_for_timeout(1000)  # so that the next number is one of its own
    first, *others = [tricks_of(page, seat.name) for seat in bidders_of(game)]
    expect(first).to_be_focused()

    keys.type("10")
    for field in others:
        keys.press("Enter")
        expect(field).to_be_focused()
        keys.type("2" if field is others[0] else "0")
    keys.press("Enter")
    expect(control(page, "score")).to_be_focused()
    expect(control(page, "score")).not_to_have_attribute("aria-disabled", "true")
    assert open_round(game).number == 12  # Enter in a field never scores
    assert [int(field.input_value()) for field in (first, *others)] == [10, 2, 0, 0]
    with answered(page):
        keys.press("Enter")

    expect(round_of(page)).to_contain_text("13")
    expect(page.locator(".chip:focus")).to_have_count(1)
    assert sorted(played(game)) == [[0, 0, 20], [1, 0, -10], [2, 2, 40], [10, 10, 120]]


def test_interruptions_lose_nothing_and_double_nothing(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3, rounds=2)
    bid(game, 1, 1, 0)
    page = phone(
        viewport={"width": 360, "height": 640},
        expects=["net::ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest", "status of 409"],
    )
    page.add_init_script(WAKE_LOCK)
    open_block(page, game)
    first, second, third = [seat.name for seat in bidders_of(game)]
    page.wait_for_function("() => locks.length === 1 && !locks[0].released && locks[0].kind === 'screen'")
    tap(page, control(page, "coins"))
    tap(page, coin(page, first))

    # In the background the screen may go dark; back again the page asks at once what is new.
    page.evaluate(f"{HIDDEN}; {CHANGED}")
    page.wait_for_function("() => locks[0].released")
    with page.expect_response("**/games/*/"):
        page.evaluate(f"{SHOWN}; {CHANGED}")
    page.wait_for_function("() => locks.length === 2 && !locks[1].released")
    expect(trick(page)).to_have_text("Trick 2 of 3")

    # Without a connection a tap is said to be lost, and the next one counts once.
    page.context.set_offline(True)
    coin(page, second).tap()
    expect_strip(page, "offline")
    page.context.set_offline(False)
    expect(page.locator("#notice")).to_be_hidden()
    tap(page, coin(page, second))
    assert open_round(game).draft["coins"] == [seat.pk for seat in bidders_of(game)[:2]]

    # Turned on its side: what is typed stays.
    tap(page, control(page, "coins", ""))
    tricks_of(page, third).fill("1")
    for width, height in ((640, 360), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        expect(tricks_of(page, third)).to_have_value("1")
    with answered(page):
        page.keyboard.press("Enter")
    page.reload()
    expect(tricks_of(page, third)).to_have_value("1")
    for name in (first, second):
        tap(page, page.get_by_role("button", name=f"{name} made the bid"))

    # Scored, away, and back: the old page shows no form that could score the round again.
    tap(page, control(page, "score"))
    page.goto(f"{page.url}sheet/")
    page.go_back()
    expect(round_of(page)).to_contain_text("4")
    expect(chip(page, 0)).to_be_visible()
    page.go_forward()
    page.go_back()
    tap(page, chip(page, 1))
    assert open_round(game).bids.count() == 1
    assert game.entries.filter(kind=Entry.Kind.TRICKS_RECORDED).count() == 3
