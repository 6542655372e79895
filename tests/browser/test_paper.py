"""A paper sheet typed in by keyboard, on a phone, without JavaScript; its page in both themes and languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.models import Game
from tests.browser.checks import layout_problems, overhang, violations
from tests.browser.helpers import DESKTOP, LONG_NAMES
from tests.scoresheets.factories import NAMES, seats_of

#: Bids and tricks of three rounds of four, as they stand in the rows of a sheet.
ROWS = ("0010 1000", "1011 0110", "0210 1200")
TOTALS = [-10 - 10 - 10, 20 - 10 + 40, -10 + 30 - 10, 20 - 10 + 20]


def fields_of(row: str) -> list[str]:
    """Return a row's numbers in the order of its fields: bid and tricks of each person."""
    bids, tricks = row.split()
    return [number for pair in zip(bids, tricks, strict=True) for number in pair]


def open_grid(page: Page, *names: str, rounds: int = 3, tick: tuple[str, ...] = ()) -> None:
    """Fill in the table and go on to the grid by the button."""
    page.goto("/games/sheet/new/")
    for place, name in enumerate(names):
        page.locator(f"#name{place}").fill(name)
    page.locator("#rounds").fill(str(rounds))
    for choice in tick:
        page.locator(choice).check()
    page.locator(".btn-row [name=look]").click()
    expect(page.locator(".grid")).to_be_visible()


def fill(page: Page, rows: tuple[str, ...] = ROWS) -> None:
    for number, row in enumerate(rows, start=1):
        for place, value in enumerate(fields_of(row)):
            page.locator(f"[name='{'bt'[place % 2]}{number}-{place // 2}']").fill(value)


def focused(page: Page) -> str:
    """Return the name of the field or button that has the focus."""
    return str(page.evaluate("document.activeElement.name"))


def test_sheet_is_typed_by_keyboard_alone(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    page.goto("/games/sheet/new/")
    page.locator("#name0").focus()
    page.keyboard.type(NAMES[0])
    page.keyboard.press("Tab")  # the choice of the dealer is one stop
    for name in NAMES[1:4]:
        page.keyboard.press("Tab")
        page.keyboard.type(name)
    page.locator("#rounds").focus()
    page.keyboard.type("3")
    page.keyboard.press("Enter")

    for number, row in enumerate(ROWS, start=1):
        page.wait_for_function("name => document.activeElement.name === name", arg=f"b{number}-0")
        for place, value in enumerate(fields_of(row)):
            assert focused(page) == f"{'bt'[place % 2]}{number}-{place // 2}"
            page.keyboard.type(value)
            if place < 7:
                page.keyboard.press("Tab")
        if number < 3:
            page.keyboard.press("Enter")  # looks, and goes on in the next row
            expect(page.locator(".grid .got span")).to_have_count(4 * number)
    page.keyboard.press("Tab")
    assert focused(page) == "look"
    page.keyboard.press("Tab")
    assert focused(page) == "save"
    page.keyboard.press("Enter")

    expect(page.locator("h1")).to_contain_text("Bernd")
    game = Game.objects.get()
    assert page.url.endswith(f"/games/{game.pk}/")
    assert [seat.total for seat in seats_of(game)] == TOTALS


def test_enter_in_any_field_loses_nothing(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    open_grid(page, *NAMES[:4], tick=("[name=special][value=BOMB]", "[name=special][value=CLOUD]", "[name=printed]"))
    fill(page, (*ROWS[:2], "9x10 1200"))
    page.locator("[name=bombs3]").fill("0")
    page.locator("[name=cloud1]").select_option("0+")
    page.locator("[name=p2-1]").fill("-99")

    page.locator("[name=p2-1]").press("Enter")

    expect(page.locator(".told")).to_have_count(2)
    assert focused(page) == "b3-0"
    for name, value in {"b3-0": "9", "b3-1": "x", "bombs3": "0", "p2-1": "-99", "t2-2": "1"}.items():
        expect(page.locator(f"[name='{name}']")).to_have_value(value)
    expect(page.locator("[name=cloud1]")).to_have_value("0+")
    assert Game.objects.count() == 0


@pytest.mark.parametrize("javascript", [True, False])
def test_difference_from_the_paper_is_confirmed_once(phone: Callable[..., Page], javascript: bool) -> None:
    page = phone(java_script_enabled=javascript, expects=["status of 422"])
    open_grid(page, *NAMES[:4], tick=("[name=printed]",))
    fill(page)
    page.locator("[name=p1-0]").fill("10")

    page.locator(".btn-row [name=save]").tap()
    expect(page.locator(".differs")).to_have_count(1)
    page.locator(".btn-row [name=save]").tap()

    expect(page.locator("h1")).to_contain_text("Bernd")
    assert [seat.total for seat in seats_of(Game.objects.get())] == TOTALS


def test_round_stays_in_sight_while_the_grid_scrolls_sideways(phone: Callable[..., Page]) -> None:
    page = phone()
    open_grid(page, *NAMES, rounds=10)
    box, head = page.locator(".grid-box"), page.locator(".grid tbody th").first
    before = head.bounding_box()

    box.evaluate("element => { element.scrollLeft = 10_000 }")

    assert box.evaluate("element => element.scrollLeft") > 300
    assert head.bounding_box() == before
    assert overhang(page) == 0
    page.locator("[name='b1-3']").focus()
    field, covered = page.locator("[name='b1-3']").bounding_box(), head.bounding_box()
    assert field is not None
    assert covered is not None
    assert field["x"] >= covered["x"] + covered["width"]


def empty(page: Page) -> None:
    page.goto("/games/sheet/new/")


def table_with_errors(page: Page) -> None:
    open_grid(page, *NAMES[:3])
    page.locator("summary").click()
    page.locator("#name1").fill("annika")
    page.locator("#rounds").fill("99")
    page.locator("[name=special][value=DRAGON]").check()
    page.locator(".btn-row [name=look]").click()
    expect(page.locator(".err").first).to_be_visible()


def grid_with_everything(page: Page) -> None:
    open_grid(
        page,
        *LONG_NAMES,
        rounds=6,
        tick=tuple(f"[name={name}]" for name in ("blind_bids", "printed"))
        + tuple(f"[name=special][value={name}]" for name in ("BOMB", "CLOUD")),
    )
    fill(page, ("001000 100000", "100002 011000", "9x1000 120000"))
    page.locator("[name=p1-0]").fill("20")
    page.locator("[name=x2-1]").check()
    page.locator("[name=bombs2]").fill("3")
    page.locator(".btn-row [name=save]").click()
    expect(page.locator(".told")).to_have_count(6)


@pytest.mark.parametrize("show", [empty, table_with_errors, grid_with_everything], ids=lambda show: show.__name__)
def test_page_is_accessible_in_both_themes_at_every_width(
    phone: Callable[..., Page], show: Callable[[Page], None]
) -> None:
    page = phone(locale="de-DE", color_scheme="light", expects=["status of 422"])
    show(page)

    found = {"light": violations(page)}
    page.emulate_media(color_scheme="dark")
    found["dark"] = violations(page)
    found["layout"] = layout_problems(page)

    assert found == {"light": [], "dark": [], "layout": []}
