"""Correcting a game by hand: look, save, reverse; with and without JavaScript; everything readable at every width."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import adjust_points
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import DESKTOP, LONG_NAMES, control, open_block, play
from tests.scoresheets.factories import finished_game, make_game, play_round, seat_ids, seats_of

EVERYTHING = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True, plus_minus_one=True)


def open_sheet(page: Page, game: Game, scope: str = "edit") -> None:
    open_block(page, game, scope)
    page.goto(f"{page.url}sheet/")


def open_round_of_sheet(page: Page, number: int) -> None:
    page.locator(".sheet tbody th a").nth(number - 1).click()
    expect(page.locator(".bar-title strong")).to_have_text(f"Correct round {number}")


def field(page: Page, kind: str, name: str) -> Locator:
    return page.get_by_label(f"{kind} of {name}", exact=True)


def look(page: Page) -> None:
    control(page, "look").click()
    expect(page.locator("#changes")).to_be_visible()


def save(page: Page) -> None:
    control(page, "save").click()
    expect(page.locator(".sheet")).to_be_visible()


def effects(page: Page) -> list[str]:
    return [" ".join(text.replace("becomes", "").split()) for text in page.locator(".diff li").all_inner_texts()]


def seven_rounds() -> Game:
    """Seven rounds in which Annika bids and takes all tricks; round 8 is open."""
    return make_game(seats=3, rounds=7, length=10)


@pytest.mark.parametrize("javascript", [True, False])
def test_round_2_is_corrected_after_round_7(phone: Callable[..., Page], javascript: bool) -> None:
    game = seven_rounds()
    page = phone(java_script_enabled=javascript)
    open_sheet(page, game)
    open_round_of_sheet(page, 2)

    field(page, "Tricks", "Annika").fill("1")
    field(page, "Tricks", "Bernd").fill("1")
    look(page)
    assert effects(page) == [
        "Annika, total 420 → 370",
        "Annika, exact bids 7 → 6",
        "Bernd, total 140 → 110",
        "Bernd, rank 2 → 3",
        "Bernd, exact bids 7 → 6",
    ]
    expect(page.locator(".edit .changed")).to_have_count(2)
    assert [seat.total for seat in seats_of(game)] == [420, 140, 140]
    page.get_by_label("Why? (optional)").fill("Counted again")
    save(page)

    assert [seat.total for seat in seats_of(game)] == [370, 110, 140]
    expect(page.locator(".log li")).to_have_count(1)
    expect(page.locator(".log q")).to_have_text("Counted again")
    expect(page.locator(".sheet tbody th svg")).to_have_count(1)


@pytest.mark.parametrize("javascript", [True, False])
def test_finished_game_is_corrected_with_a_reason_and_the_correction_reversed(
    phone: Callable[..., Page], javascript: bool
) -> None:
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    page = phone(java_script_enabled=javascript, expects=["status of 422"])
    open_sheet(page, game)
    open_round_of_sheet(page, 1)

    for kind, name, typed in (("Bid", "Bernd", "1"), ("Tricks", "Annika", "0"), ("Tricks", "Bernd", "1")):
        field(page, kind, name).fill(typed)
    look(page)
    expect(page.locator("#changes .hint")).to_have_text("Winner: Annika before, Bernd now.")
    control(page, "save").click()
    expect(page.locator("#reason_errors")).to_be_visible()
    expect(field(page, "Bid", "Bernd")).to_have_value("1")
    assert [seat.rank for seat in seats_of(game)] == [1, 2, 2]
    page.locator("#reason").fill("Columns swapped")
    save(page)
    assert [seat.rank for seat in seats_of(game)] == [3, 1, 2]

    page.locator(".log a").first.click()
    expect(page.locator("#changes .hint")).to_have_text("Winner: Bernd before, Annika now.")
    expect(page.locator("#reason")).not_to_have_value("")
    save(page)
    assert [seat.rank for seat in seats_of(game)] == [1, 2, 2]
    expect(page.locator(".log li")).to_have_count(2)


def test_enter_in_a_number_only_looks(phone: Callable[..., Page]) -> None:
    game = seven_rounds()
    page = phone()
    open_sheet(page, game)
    open_round_of_sheet(page, 2)

    field(page, "Bid", "Annika").fill("1")
    field(page, "Bid", "Annika").press("Enter")

    expect(page.locator("#changes")).to_be_visible()
    assert [seat.total for seat in seats_of(game)] == [420, 140, 140]


def test_double_tap_on_look_saves_nothing_and_the_effects_come_into_view(phone: Callable[..., Page]) -> None:
    game = seven_rounds()
    for options in ({}, DESKTOP):
        page = phone(**options)
        open_sheet(page, game)
        open_round_of_sheet(page, 2)
        field(page, "Bid", "Annika").fill("1")

        box = control(page, "look").bounding_box()
        assert box is not None
        centre = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.click(*centre)
        expect(page.locator("#changes h2")).to_be_in_viewport()
        page.mouse.click(*centre)

        expect(page.locator(".bar-title strong")).to_have_text("Correct round 2")
        expect(page.locator("#correction:not(.htmx-request) #changes")).to_be_visible()
        assert [seat.total for seat in seats_of(game)] == [420, 140, 140]


def test_name_and_points_are_changed_from_the_head_of_the_sheet(phone: Callable[..., Page]) -> None:
    game = seven_rounds()
    page = phone(java_script_enabled=False)
    open_sheet(page, game)
    page.locator(".sheet thead a").nth(1).click()
    page.locator("#name").fill("Zoe")
    control(page, "rename").click()
    page.locator(".sheet thead a").nth(1).click()
    page.locator("#points").fill("−15")
    page.locator("#points_reason").fill("Overtime")
    control(page, "adjust").click()

    expect(page.locator(".log .chg")).to_have_text(["Zoe: −15 points", "Zoe: name changed"])
    expect(page.locator(".sheet tfoot .beside")).to_contain_text("−15 from round 7")
    assert [(seat.name, seat.total) for seat in seats_of(game)][1] == ("Zoe", 125)


# -- everything to see and to reach ------------------------------------------------------------------------------------


def game_with_everything(names: tuple[str, ...] = ("Annika", "Bernd", "Cem", "Doro")) -> Game:
    game = make_game(names=names, length=5, house=EVERYTHING)
    play(game, 5)
    return game


def plain(page: Page) -> None:
    open_sheet(page, game_with_everything())
    open_round_of_sheet(page, 5)


def looked_at(page: Page) -> None:
    plain(page)
    page.locator("details.more > summary").click()
    page.locator(".trump-set label").nth(2).click()
    page.locator(".pill").first.click()
    look(page)


def with_errors(page: Page) -> None:
    plain(page)
    page.locator("details.more > summary").click()
    for number, typed in zip(page.locator(".edit input").all(), ("9", "x", "", "-1", "1,5"), strict=False):
        number.fill(typed)
    page.locator("[name=cloud_seat]").select_option(index=2)
    control(page, "look").click()
    expect(page.locator(".wrong").first).to_be_visible()


def seat(page: Page) -> None:
    game = game_with_everything()
    open_block(page, game)
    page.goto(f"{page.url}seats/{seat_ids(game)[0]}/")


def seat_with_errors(page: Page) -> None:
    seat(page)
    control(page, "adjust").click()
    expect(page.locator("#points_errors")).to_be_visible()


def corrected_sheet(page: Page) -> None:
    game = game_with_everything()
    adjust_points(game, seat=seat_ids(game)[0], points=-30, reason="A reason that goes on. " * 8, by=OPERATOR)
    open_sheet(page, game)
    open_round_of_sheet(page, 5)
    page.locator("details.more > summary").click()
    page.locator(".trump-set label").nth(2).click()
    page.locator("#reason").fill("Donaudampfschifffahrtskapitänswitwe" * 5)
    look(page)
    save(page)


@pytest.mark.parametrize(
    "show", [plain, looked_at, with_errors, seat, seat_with_errors, corrected_sheet], ids=lambda show: show.__name__
)
def test_page_is_accessible_in_both_themes_at_every_width(
    phone: Callable[..., Page], show: Callable[[Page], None]
) -> None:
    page = phone(color_scheme="light", expects=["status of 422"])
    show(page)

    found = {"light": violations(page)}
    page.emulate_media(color_scheme="dark")
    found["dark"] = violations(page)
    found["layout"] = layout_problems(page)

    assert found == {"light": [], "dark": [], "layout": []}


def test_six_people_with_long_names_fit(phone: Callable[..., Page]) -> None:
    game = make_game(names=LONG_NAMES, length=9, house=EVERYTHING)
    for _ in range(9):
        play_round(game)
    page = phone(locale="de-DE")
    open_sheet(page, game)
    page.locator(".sheet tbody th a").nth(8).click()
    page.locator("details.more > summary").click()
    page.locator(".edit input").nth(0).fill("8")
    page.locator(".trump-set label").nth(2).click()
    look(page)

    found = violations(page)
    layout = layout_problems(page)

    assert (found, layout) == ([], [])
