"""The rules on a phone: readable in both themes and languages, and an answer within two taps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import layout_problems, overhang, violations
from tests.browser.helpers import control, open_menu

PAGES = ["", "special-cards/", "variants/", "rounds/", "tips/"]


@pytest.mark.parametrize("page_of_rules", PAGES)
def test_rules_are_accessible_in_both_themes_at_every_width(phone: Callable[..., Page], page_of_rules: str) -> None:
    page = phone(color_scheme="light")
    page.goto(f"/rules/{page_of_rules}")
    for details in page.locator("main details").all():
        details.locator("summary").click()

    found = {"light": violations(page)}
    page.emulate_media(color_scheme="dark")
    found["dark"] = violations(page)
    found["layout"] = layout_problems(page)

    assert found == {"light": [], "dark": [], "layout": []}


@pytest.mark.parametrize("page_of_rules", PAGES)
def test_german_rules_fit_at_every_width_and_at_twice_the_text_size(
    phone: Callable[..., Page], page_of_rules: str
) -> None:
    page = phone(locale="de-DE")
    page.goto(f"/rules/{page_of_rules}")
    expect(page.locator("html")).to_have_attribute("lang", "de")

    assert layout_problems(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert overhang(page) == 0


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who takes this trick?", "take"),
        ("A wizard is led: what now?", "follow-free"),
        ("Bomb: who leads next?", "bomb-leads"),
        ("A tie: who wins?", "ties"),
    ],
)
def test_question_at_the_table_is_answered_within_two_taps(
    phone: Callable[..., Page], question: str, answer: str
) -> None:
    page = phone()
    page.goto("/rules/")
    background = "element => getComputedStyle(element).backgroundColor + getComputedStyle(element).textDecorationLine"
    before = page.locator("#take-low").evaluate(background)

    page.locator(".rb-doubt summary").tap()
    page.get_by_role("link", name=question, exact=True).tap()

    place = page.locator(f"#{answer}")
    expect(place).to_be_in_viewport(ratio=1)
    assert place.evaluate(background) != before  # it shows where one has come to


def test_all_rules_can_be_reached_without_javascript(phone: Callable[..., Page]) -> None:
    page = phone(java_script_enabled=False)
    page.goto("/rules/")

    page.locator(".rb-doubt summary").tap()
    expect(page.locator(".rb-doubt a").first).to_be_visible()
    page.locator(".rb-pages a").last.tap()
    expect(page.locator("h1")).to_have_text("Tips for beginners")


def test_rule_of_an_option_opens_beside_the_new_game_and_nothing_typed_is_lost(phone: Callable[..., Page]) -> None:
    page = phone()
    page.goto("/games/new/")
    page.locator("#new_name").fill("Annika, Bernd, Cem")
    page.locator("#new_name").press("Enter")
    expect(page.locator(".seats li")).to_have_count(3)
    page.locator("#new_name").fill("half typ")
    page.locator("[name=plus_minus_one]").check()

    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Bids never add up").tap()

    rule = opened.value
    rule.wait_for_load_state()
    assert rule.url.endswith("/rules/variants/#plus-minus-one")
    expect(rule.locator("#plus-minus-one")).to_be_in_viewport()
    expect(page.locator("#new_name")).to_have_value("half typ")
    expect(page.locator("[name=plus_minus_one]")).to_be_checked()
    expect(page.locator(".seats li")).to_have_count(3)


def test_theme_and_language_change_at_once_although_the_page_is_kept(phone: Callable[..., Page]) -> None:
    page = phone()
    page.goto("/rules/tips/")
    page.goto("/rules/")
    page.goto("/rules/tips/")

    open_menu(page)
    control(page, "theme", "light").tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    open_menu(page)
    control(page, "language", "de").tap()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_text("Tipps für den Anfang")
    page.goto("/rules/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
