"""Rounds with variants on real phones: bomb and cloud, hidden and secret bids, trump, with and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import note_trump, record_bids
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import (
    LONG_NAMES,
    answered,
    asked,
    bidders_of,
    chip,
    control,
    in_row,
    open_block,
    play,
    round_of,
    row_of,
    tap,
    totals,
    tricks_of,
)
from tests.scoresheets.factories import enter_bids, fresh, make_game, open_round, seat_ids, seats_of, seen_of

EVERYTHING = rules.HouseRules(specials=("BOMB", "CLOUD", "WEREWOLF"), blind_bids=True, plus_minus_one=True)
HIDDEN = rules.HouseRules(hidden_bids=True, plus_minus_one=True, blind_bids=True)
SECRET = rules.HouseRules(secret_bids=True, specials=("BOMB", "CLOUD"), blind_bids=True)


def suit(page: Page, letter: str) -> Locator:
    return page.locator(f'.trump-set button[name="trump"][value="{letter}"]')


def tricks_due(house: rules.HouseRules = EVERYTHING) -> Game:
    """Return a game of three in round 3, dealt by Cem: Annika bid 1, Bernd 0, blind, Cem 3."""
    game = make_game(seats=3, rounds=2, house=house)
    seats = seat_ids(game)
    bids = dict(zip(seats, (1, 0, 3), strict=True))
    record_bids(game, bids=bids, blind=seats[1:2], seen=seen_of(game), by=OPERATOR)
    return game


def points_of(page: Page) -> list[str]:
    return page.locator(".made .pts").all_inner_texts()


def test_bomb_and_cloud_are_kept_as_soon_as_they_are_chosen(phone: Callable[..., Page]) -> None:
    game = tricks_due()
    page, other = phone(), phone()
    open_block(page, game)
    open_block(other, game)
    before = totals(page)

    with answered(page):
        page.locator("[name=bombs]").check()
    expect(page.locator(".tally .boom")).to_have_count(1)
    with answered(page):
        page.locator("#cloud").select_option(label="Cem")
    expect(row_of(page, "Cem").locator("small").first).to_have_text("bid 3 → 2")  # a full bid can only fall
    expect(other.locator("#cloud option:checked")).to_have_text("Cem")
    expect(other.locator("[name=bombs]")).to_be_checked()
    tap(page, in_row(page, "Cem", "made"))
    expect(tricks_of(page, "Annika")).to_have_value("0")  # two tricks count, and Cem has both
    assert [text.split()[0] for text in points_of(page)] == ["−10", "+40", "+40"]

    tap(page, control(page, "score"))

    expect(round_of(page)).to_contain_text("4")
    assert [seat.line[2] for seat in seats_of(game)] == [[1, 0, -10], [0, 0, 40, 1, 0], [3, 2, 40, 0, -1]]
    assert totals(page) != before
    tap(page, control(page, "back"))
    expect(page.locator("[name=bombs]")).to_be_checked()
    expect(page.locator("#cloud option:checked")).to_have_text("Cem")
    with answered(page):
        page.locator("#cloud").select_option(label="nobody")
    tap(page, control(page, "score"))
    assert seats_of(game)[2].line[2] == [3, 2, -10]


def test_typed_tricks_and_a_bomb_right_after_them_are_both_kept(phone: Callable[..., Page]) -> None:
    game = tricks_due()
    page = phone()
    open_block(page, game)

    tricks_of(page, "Annika").fill("2")
    page.locator("[name=bombs]").check()

    expect(page.locator(".tally .boom")).to_have_count(1)
    expect(tricks_of(page, "Annika")).to_have_value("2")
    expect(tricks_of(page, "Cem")).to_have_value("0")  # every trick that counts is taken


def test_trump_is_one_tap_and_a_second_takes_it_away(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3, rounds=1, house=EVERYTHING)
    page, watcher = phone(), phone()
    open_block(page, game)
    open_block(watcher, game, "watch")

    page.locator("[name=blind]").check()
    tap(page, suit(page, "G"))

    expect(page.get_by_role("button", name="Green")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[name=blind]")).to_be_checked()
    for device in (page, watcher):
        expect(device.locator("#now th svg")).to_have_attribute("aria-label", "Green")
        expect(device.locator(".bar-title span")).to_contain_text("Trump: Green")
    tap(page, page.get_by_role("button", name="Green"))
    assert open_round(game).trump == ""
    expect(watcher.locator("#now th svg")).to_have_count(0)


def test_trump_tapped_while_all_bids_are_typed_loses_none(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3)
    page = phone()
    open_block(page, game)
    page.locator(".all-bids > summary").tap()
    page.locator(".all-bids input.n").first.fill("1")

    tap(page, suit(page, "R"))

    expect(page.locator(".all-bids input.n").first).to_have_value("1")
    assert open_round(game).trump == "R"


def test_trump_tapped_from_a_typed_number_of_tricks_keeps_both(phone: Callable[..., Page]) -> None:
    game = tricks_due()
    page = phone()
    open_block(page, game)
    page.locator(".trump-later > summary").tap()
    tricks_of(page, "Bernd").fill("1")

    tap(page, suit(page, "Y"))

    expect(page.locator(".trump-later > summary")).to_contain_text("Yellow")
    assert open_round(game).draft["taken"] == {str(seat_ids(game)[1]): 1}


def test_card_and_who_named_trump(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3)
    note_trump(game, number=1, trump="B", by=OPERATOR)
    page = phone()
    open_block(page, game)
    page.locator(".trump-more > summary").tap()
    page.locator("[name=turned_up]").select_option(label="Wizard")
    page.locator("[name=chosen_by]").select_option(label="Annika")

    tap(page, control(page, "note"))

    expect(page.locator(".trump-more > summary")).to_have_text("Trump: Wizard, Annika")
    assert open_round(game).turned_up == "W"


def test_hidden_bids_that_add_up_are_opened_again_for_the_dealer(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3, rounds=1, house=HIDDEN)  # round 2, dealt by Bernd
    page, watcher = phone(expects=["status of 422"]), phone()
    open_block(page, game)
    open_block(watcher, game, "watch")
    for field, typed in zip(page.locator(".all-bids input.n").all(), "011", strict=True):
        field.fill(typed)

    tap(page, control(page, "bids"))

    expect(asked(page)).to_contain_text("Bernd")
    expect(page.locator("#shown")).to_contain_text("Bernd said 1")
    expect(chip(page, 1)).to_have_attribute("aria-disabled", "true")
    assert page.evaluate("document.activeElement.name") == "bid"  # the next question has the focus
    expect(watcher.locator(".watch p b")).to_contain_text("Bernd bids again")
    with answered(page):
        chip(page, 1).tap(force=True)
    expect(page.locator("#bid_errors")).to_be_visible()
    tap(page, control(page, "back"))
    expect(page.locator(".all-bids input.n")).to_have_count(3)
    tap(page, control(page, "bids"))
    tap(page, chip(page, 2))
    expect(page.locator(".made li")).to_have_count(3)


def fill_secret_round(page: Page) -> None:
    """Bids 1, 0, 1 and tricks 2, 0, 0 in bidding order, the second blind; one trick is bombed."""
    for field, typed in zip(page.locator("#round input.n").all(), "120010", strict=True):
        field.fill(typed)
    page.locator("#round [name^=blind_]").nth(1).check()
    page.locator("[name=bombs]").check()


def test_secret_round_is_entered_in_one_form(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3, 4])
    page, watcher = phone(expects=["status of 422"]), phone()
    open_block(page, game)
    open_block(watcher, game, "watch")
    expect(watcher.locator(".watch")).to_contain_text("secret")
    fields = page.locator("#round input.n")
    fields.first.fill("1")
    fields.first.press("Enter")
    expect(fields.nth(1)).to_be_focused()

    with answered(page):
        control(page, "record").tap()
    expect(page.locator("#round [aria-invalid=true]").first).to_be_visible()
    fill_secret_round(page)
    tap(page, suit(page, "G"))
    assert [field.input_value() for field in fields.all()] == list("120010")
    tap(page, control(page, "record"))

    expect(round_of(page)).to_contain_text("Round 2")
    assert sorted(line for seat in seats_of(game) for line in seat.line) == [[0, 0, 40, 1, 0], [1, 0, -10], [1, 2, -10]]
    expect(watcher.locator(".block .mark--hit")).to_have_count(1)
    tap(page, control(page, "back"))
    assert [field.input_value() for field in fields.all()] == list("120010")
    expect(page.locator("[name=bombs]")).to_be_checked()


def press(page: Page, button: Locator) -> None:
    """Tap and wait for the next page."""
    with page.expect_navigation():
        button.tap()


def test_round_with_everything_is_played_without_javascript(phone: Callable[..., Page]) -> None:
    game = make_game(seats=3, rounds=2, house=EVERYTHING)
    page = phone(java_script_enabled=False)
    open_block(page, game)
    page.locator("[name=blind]").check()
    press(page, suit(page, "G"))
    expect(page.locator("[name=blind]")).to_be_checked()
    press(page, chip(page, 1))
    press(page, chip(page, 0))
    press(page, chip(page, 3))

    tricks_of(page, "Annika").fill("1")
    tricks_of(page, "Bernd").fill("0")
    page.locator("#cloud").select_option(label="Cem")
    page.locator("[name=bombs]").check()
    page.locator(".trump-later > summary").tap()
    press(page, suit(page, "Y"))  # all that is typed is kept
    expect(tricks_of(page, "Cem")).to_have_value("1")
    expect(page.locator("#cloud option:checked")).to_have_text("Cem")
    press(page, control(page, "score"))

    assert [seat.line[2] for seat in seats_of(game)] == [[1, 1, 60, 1, 0], [0, 0, 20], [3, 1, -10, 0, -1]]
    assert fresh(game).rounds.get(number=3).trump == "Y"
    press(page, control(page, "back"))
    expect(page.locator("[name=bombs]")).to_be_checked()


def test_hidden_and_secret_rounds_are_played_without_javascript(phone: Callable[..., Page]) -> None:
    hidden = make_game(seats=3, rounds=1, house=HIDDEN)
    page = phone(java_script_enabled=False)
    open_block(page, hidden)
    for field, typed in zip(page.locator(".all-bids input.n").all(), "011", strict=True):
        field.fill(typed)
    press(page, control(page, "bids"))
    expect(page.locator("#shown")).to_contain_text("Bernd said 1")
    press(page, chip(page, 0))
    expect(page.locator(".made li")).to_have_count(3)

    secret = make_game(seats=3, house=SECRET, ladder="free", cards=[3, 4])
    open_block(page, secret)
    fill_secret_round(page)
    with page.expect_navigation():
        page.locator("#round input.n").first.press("Enter")  # writes nothing, loses nothing
    assert [field.input_value() for field in page.locator("#round input.n").all()] == list("120010")
    press(page, control(page, "record"))
    expect(round_of(page)).to_contain_text("Round 2")


# -- looks ------------------------------------------------------------------------------------------------------------


def bids_of_six(page: Page) -> None:
    game = make_game(names=LONG_NAMES, house=EVERYTHING)
    play(game, 5)
    note_trump(game, number=6, trump="B", turned_up="B7", by=OPERATOR)
    record_bids(game, bids={bidders_of(game)[0].pk: 2}, blind=[bidders_of(game)[0].pk], seen=seen_of(game), by=OPERATOR)
    open_block(page, game)
    page.locator(".trump-more > summary").click()
    page.locator(".all-bids > summary").click()


def tricks_of_three(page: Page) -> None:
    open_block(page, tricks_due())
    page.locator(".trump-later > summary").click()
    with answered(page):
        page.locator("[name=bombs]").check()
    with answered(page):
        page.locator("#cloud").select_option(label="Bernd")
    tricks_of(page, "Bernd").fill("0")
    with answered(page):
        tricks_of(page, "Bernd").press("Enter")
    expect(page.locator("#cloud_errors")).to_be_visible()


def hidden_bids(page: Page) -> None:
    game = make_game(names=LONG_NAMES, house=HIDDEN)
    play(game, 2)
    open_block(page, game)
    page.locator(".one-bid > summary").click()


def shown_bids(page: Page) -> None:
    game = make_game(seats=3, rounds=1, house=HIDDEN)
    enter_bids(game, [1, 1, 0])
    open_block(page, game)


def secret_round(page: Page) -> None:
    game = make_game(names=LONG_NAMES, house=SECRET)
    open_block(page, game)
    control(page, "record").click()
    expect(page.locator("#round [aria-invalid=true]").first).to_be_visible()


def ordinary_pack(page: Page) -> None:
    game = make_game(seats=3, house=rules.HouseRules(deck="french52", clairvoyance=True))
    note_trump(game, number=1, trump="S", by=OPERATOR)
    open_block(page, game)


def maximus(page: Page) -> None:
    open_block(page, make_game(seats=3, house=rules.HouseRules(variant="maximus")))


LOOKS = [bids_of_six, tricks_of_three, hidden_bids, shown_bids, secret_round, ordinary_pack, maximus]


@pytest.mark.parametrize("show", LOOKS, ids=lambda show: show.__name__)
def test_variant_is_accessible_in_both_themes_at_every_width(
    phone: Callable[..., Page], show: Callable[[Page], None]
) -> None:
    page = phone(color_scheme="light", expects=["status of 422"])
    show(page)

    found: dict[str, list[str]] = {}
    for width, height, theme in ((320, 640, "dark"), (360, 740, "light"), (1280, 800, "dark")):
        page.set_viewport_size({"width": width, "height": height})
        # What the buttons at its foot half cover now can be scrolled above them.
        page.locator(".tray").evaluate("tray => tray.scrollTo(0, tray.scrollHeight)")
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        if wrong := violations(page):
            found[f"{width} {theme}"] = wrong
    found["layout"] = layout_problems(page)

    assert found == {"layout": []}


@pytest.mark.parametrize("show", LOOKS, ids=lambda show: show.__name__)
def test_variant_fits_in_german(phone: Callable[..., Page], show: Callable[[Page], None]) -> None:
    page = phone(locale="de-DE", expects=["status of 422"])
    show(page)

    assert layout_problems(page) == []


@pytest.mark.parametrize("width", [320, 360])
def test_numbers_and_trump_are_on_the_screen(phone: Callable[..., Page], width: int) -> None:
    game = make_game(names=LONG_NAMES, house=EVERYTHING)
    play(game, 6)
    note_trump(game, number=7, trump="B", by=OPERATOR)
    page = phone(viewport={"width": width, "height": 640})
    open_block(page, game)

    expect(suit(page, "R")).to_be_in_viewport(ratio=1)
    expect(page.locator(".turn h2")).to_be_in_viewport()
    expect(chip(page, 3)).to_be_in_viewport(ratio=1)
    expect(chip(page, 7)).to_be_in_viewport(ratio=0.8)
    expect(page.locator(".row-now")).to_be_in_viewport()
