"""Setting up a table by hand: names, order, dealer, refusals."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from scoresheets.models import Game
from tests.browser.checks import styled
from tests.browser.helpers import DESKTOP, control

COUNT_STYLES = """() => {
    window.styled = 0;
    new MutationObserver(changes => { window.styled += changes.length; })
        .observe(document, { subtree: true, attributes: true, attributeFilter: ["style"] });
}"""


def sit_down(page: Page, *names: str) -> None:
    """Open a new game and type the names."""
    page.goto("/games/new/")
    page.locator("#new_name").fill(", ".join(names))
    page.locator("#new_name").press("Enter")
    expect(page.locator(".seats .nm")).to_have_text(list(names))


def test_seat_is_dragged_by_its_grip(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    sit_down(page, "Annika", "Bernd", "Cem", "Doro")
    page.evaluate(COUNT_STYLES)
    grips = [grip.bounding_box() for grip in page.locator(".seats .grip").all()]
    start, end = (grips[0], grips[2])
    assert start is not None
    assert end is not None

    page.mouse.move(start["x"] + 8, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 8, end["y"] + 10)
    page.mouse.move(end["x"] + 8, end["y"] + 20)
    assert styled(page) != []  # what is dragged, and what gives way
    page.mouse.up()

    expect(page.locator(".seats .nm")).to_have_text(["Bernd", "Cem", "Annika", "Doro"])
    expect(page.locator(".seats li").filter(has_text="Annika").get_by_role("radio")).to_be_checked()
    assert page.evaluate("window.styled") > 0
    assert styled(page) == []


def test_seat_that_is_put_back_in_its_place_sends_nothing(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    sit_down(page, "Annika", "Bernd", "Cem")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    grip = page.locator(".seats .grip").first.bounding_box()
    assert grip is not None

    page.mouse.move(grip["x"] + 8, grip["y"] + 20)
    page.mouse.down()
    page.mouse.move(grip["x"] + 8, grip["y"] + 60)
    page.mouse.move(grip["x"] + 8, grip["y"] + 22)
    page.mouse.up()

    expect(page.locator(".seats .nm")).to_have_text(["Annika", "Bernd", "Cem"])
    assert sent == []
    assert styled(page) == []


def test_arrows_move_a_seat_by_keyboard_and_keep_the_focus(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    sit_down(page, "Annika", "Bernd", "Cem", "Doro")

    control(page, "up", 3).focus()
    page.keyboard.press("Enter")

    expect(page.locator(".seats .nm")).to_have_text(["Annika", "Bernd", "Doro", "Cem"])
    expect(page.locator("#setup :focus")).to_have_count(1)


def test_refused_name_stays_typed_with_its_reason(phone: Callable[..., Page]) -> None:
    page = phone(expects=["status of 422"])
    sit_down(page, "Annika", "Bernd")
    name = page.locator("#new_name")

    name.fill("annika")
    name.press("Enter")

    expect(page.locator("#name_errors")).to_be_visible()
    expect(name).to_have_value("annika")
    expect(name).to_be_focused()
    expect(page.locator(".seats li")).to_have_count(2)


def test_two_people_are_told_that_three_are_needed(phone: Callable[..., Page]) -> None:
    page = phone(expects=["status of 422"])
    sit_down(page, "Annika", "Bernd")

    control(page, "start").tap()

    expect(page.locator("#name_errors")).to_be_visible()
    expect(page).to_have_url("/games/new/")


def test_people_who_played_here_are_offered(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    control(page, "start").tap()
    expect(page.locator("#pad")).to_be_visible()

    page.goto("/games/new/")
    control(page, "toggle", "Cem").tap()
    expect(page.locator(".seats .nm")).to_have_text(["Cem"])
    control(page, "toggle", "Annika").tap()
    expect(page.locator(".seats .nm")).to_have_text(["Cem", "Annika"])
    expect(control(page, "toggle", "Annika")).to_have_attribute("aria-pressed", "true")
    control(page, "toggle", "Cem").tap()
    expect(page.locator(".seats .nm")).to_have_text(["Annika"])


def test_length_and_rounds_are_shown_as_they_are_chosen(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem", "Doro")
    rounds = page.locator("[name=rounds]")
    expect(rounds).to_have_value("15")

    page.locator("label:has([value=half])").tap()
    expect(rounds).to_have_value("8")
    control(page, "step", "minus").tap()
    expect(rounds).to_have_value("7")
    expect(page.get_by_role("status")).to_contain_text("28")
    control(page, "start").tap()
    expect(page.locator(".bar-title strong")).to_contain_text("7")


def test_start_counts_while_another_answer_is_still_awaited(phone: Callable[..., Page]) -> None:
    """The tap on the button ends the typing in a field that asks the server when it is left."""
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")

    page.locator("[name=rounds]").fill("3")
    control(page, "start").tap()

    expect(page.locator(".bar-title strong")).to_contain_text("3")


def test_three_fast_clicks_on_start_start_one_game(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    sit_down(page, "Annika", "Bernd", "Cem")

    control(page, "start").click(click_count=3)

    expect(page.locator("#pad")).to_be_visible()
    assert Game.objects.count() == 1
