"""The referee on a phone: tapping a trick in, changing it, sharing its address; with and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import rules
from scoresheets.models import Game
from tests.browser.checks import layout_problems, overhang, violations
from tests.browser.helpers import DESKTOP, LONG_NAMES, control, open_block, open_menu
from tests.scoresheets.factories import make_game

ALL = rules.HouseRules(specials=rules.SPECIALS)
FIVE = ("Emre", "Fenja", "Gustav", "Hilke", "Ilja")
#: The trick of the mock-up, four cards of it, and with the fifth.
BEGUN = "lead=0&trump=G&card=R9&card=CLOUD:R&card=G3&card=DRAGON"
WHOLE = f"{BEGUN}&card=FAIRY"


def table_of_five() -> Game:
    """Return a game in which Emre leads."""
    return make_game(names=FIVE, house=ALL, first_dealer=4)


def open_referee(page: Page, game: Game, query: str = "") -> None:
    open_block(page, game)
    page.goto(f"/games/{game.pk}/referee/?{query}")


def key(page: Page, card: str):
    return control(page, "play", card)


def holds(page: Page):
    return page.locator("#holds")


def choose_trump(page: Page, trump: str) -> None:
    page.locator(f'.trump-set input[value="{trump}"]').check(force=True)


def choose_tab(page: Page, suit: str) -> None:
    page.locator(f'.suit-tabs input[value="{suit}"]').check(force=True)


def laid(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator("input[name=card]").all()]


def test_trick_is_tapped_in_from_a_game(phone: Callable[..., Page]) -> None:
    """Six taps for five cards: the tab stays on the suit led, and only the cloud asks for its suit."""
    page = phone()
    game = table_of_five()
    open_block(page, game)
    open_menu(page)
    page.locator(f".menu-sheet a[href='/games/{game.pk}/referee/']").tap()
    expect(holds(page)).to_contain_text("Emre leads.")
    # The text is there before the scripts that answer a tap.
    page.wait_for_load_state()
    documents: list[str] = []
    page.on("request", lambda request: documents.append(request.url) if request.is_navigation_request() else None)

    choose_trump(page, "G")
    expect(page.locator(".trump-lab b")).to_have_text("Green")
    choose_tab(page, "R")
    key(page, "R9").tap()
    expect(holds(page)).to_contain_text("So far with Emre.")
    expect(page.locator("#follow")).to_have_text("Red has to be followed: Red 9 set the suit.")
    key(page, "CLOUD").tap()
    expect(page.locator(".turn h2")).to_have_text("Cloud: which suit?")
    key(page, "CLOUD:R").tap()
    expect(holds(page)).to_contain_text("So far with Fenja.")
    choose_tab(page, "G")
    key(page, "G3").tap()
    expect(holds(page)).to_contain_text("So far with Gustav. Green 3 is the only trump.")
    expect(page.locator('.suit-tabs input[value="R"]')).to_be_checked()
    expect(key(page, "R1")).to_be_visible()
    key(page, "DRAGON").tap()
    expect(holds(page)).to_contain_text("So far with Hilke.")
    key(page, "FAIRY").tap()

    expect(holds(page).locator("h2")).to_have_text("Ilja takes the trick")
    expect(holds(page)).to_contain_text("The fairy beats the dragon.")
    expect(page.locator(".why li").last).to_contain_text("Ilja leads the next trick.")
    expect(page).to_have_title("Ilja takes the trick · Tafelrunde")
    expect(page.locator(".took")).to_have_text("Ilja")
    assert page.url.endswith(f"/games/{game.pk}/referee/?{WHOLE.replace(':', '%3A')}")
    assert documents == []
    control(page, "next").tap()
    expect(holds(page)).to_contain_text("Ilja leads.")
    assert page.locator(".by").all_inner_texts() == ["Ilja", "Emre", "Fenja", "Gustav", "Hilke"]


def test_browsers_back_takes_back_one_tap_and_the_page_goes_on(phone: Callable[..., Page]) -> None:
    page = phone()
    open_referee(page, table_of_five())
    choose_tab(page, "R")
    key(page, "R9").tap()
    expect(holds(page)).to_contain_text("So far with Emre.")
    key(page, "R10").tap()
    expect(holds(page)).to_contain_text("So far with Fenja.")
    choose_trump(page, "R")  # no step of its own
    expect(page.locator(".trump-lab b")).to_have_text("Red")

    page.go_back()
    expect(holds(page)).to_contain_text("So far with Emre.")
    assert laid(page) == ["R9"]
    key(page, "R11").tap()
    expect(holds(page)).to_contain_text("So far with Fenja.")
    assert laid(page) == ["R9", "R11"]
    page.reload()
    assert laid(page) == ["R9", "R11"]


def test_trick_is_decided_without_javascript(phone: Callable[..., Page]) -> None:
    page = phone(java_script_enabled=False)
    game = table_of_five()
    open_referee(page, game)

    page.locator('.trump-set input[value="G"]').check(force=True)
    page.locator('.suit-tabs input[value="R"]').check(force=True)
    for card in ("R9", "CLOUD", "CLOUD:R"):
        with page.expect_navigation():
            key(page, card).tap()
    page.locator('.suit-tabs input[value="G"]').check(force=True)
    for card in ("G3", "DRAGON", "FAIRY"):
        with page.expect_navigation():
            key(page, card).tap()

    expect(holds(page).locator("h2")).to_have_text("Ilja takes the trick")
    page.locator('.trump-set input[value="B"]').check(force=True)
    with page.expect_navigation():
        page.locator(".trump .without-js button").tap()
    expect(page.locator(".why")).to_contain_text("Without fairy and dragon it would go to Fenja (Cloud as red 9¾).")
    with page.expect_navigation():
        page.locator("#card-5").tap()
    with page.expect_navigation():
        key(page, "W").tap()
    expect(holds(page).locator("h2")).to_have_text("Hilke takes the trick")
    with page.expect_navigation():
        control(page, "next").tap()
    expect(holds(page)).to_contain_text("Hilke leads.")


def test_lying_card_is_changed_by_a_tap(phone: Callable[..., Page]) -> None:
    page = phone()
    open_referee(page, table_of_five(), WHOLE)

    page.locator("#card-4").tap()
    expect(page.locator(".turn h2")).to_have_text("Hilke played …")
    expect(control(page, "keep")).to_have_text("Keep: Dragon")
    key(page, "W").tap()

    expect(holds(page).locator("h2")).to_have_text("Hilke takes the trick")
    assert laid(page) == ["R9", "CLOUD:R", "G3", "W", "FAIRY"]
    control(page, "undo").tap()
    expect(page.locator(".turn h2")).to_have_text("Ilja plays …")
    assert laid(page) == ["R9", "CLOUD:R", "G3", "W"]


def test_barred_card_can_be_focused_and_says_why(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP, expects=["status of 422"])
    open_referee(page, table_of_five(), BEGUN)
    barred = key(page, "DRAGON")
    expect(barred).to_have_attribute("aria-disabled", "true")

    barred.focus()
    page.keyboard.press("Enter")

    expect(page.locator(".tray .err")).to_have_text("Dragon already lies here, and the deck has it only once.")
    expect(barred).to_be_focused()
    assert laid(page) == ["R9", "CLOUD:R", "G3", "DRAGON"]


def test_keyboard_alone_enters_a_trick_and_the_focus_is_never_lost(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    page.goto("/referee/?players=3&trump=none")

    key(page, "B3").focus()
    page.keyboard.press("Enter")
    expect(holds(page)).to_contain_text("So far with Person 1.")
    expect(key(page, "B3")).to_be_focused()
    key(page, "JUGGLER").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".turn h2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(key(page, "JUGGLER:B")).to_be_focused()
    page.keyboard.press("Enter")
    expect(holds(page)).to_contain_text("So far with Person 2.")
    expect(page.locator(".turn h2")).to_be_focused()
    key(page, "W").focus()
    page.keyboard.press("Space")
    expect(holds(page).locator("h2")).to_have_text("Person 3 takes the trick")
    expect(control(page, "next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(holds(page)).to_contain_text("Person 3 leads.")
    expect(page.locator(".turn h2")).to_be_focused()


def test_trump_is_chosen_by_arrow_keys(phone: Callable[..., Page]) -> None:
    page = phone(**DESKTOP)
    page.goto("/referee/?players=3&trump=B&card=B3&card=R4&card=G5")
    page.locator('.trump-set input[value="B"]').focus()

    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")

    expect(page.locator(".trump-lab b")).to_have_text("Green")
    expect(holds(page).locator("h2")).to_have_text("Person 3 takes the trick")
    expect(page.locator('.trump-set input[value="G"]')).to_be_focused()


def test_table_is_chosen_on_the_page(phone: Callable[..., Page]) -> None:
    page = phone()
    page.goto("/referee/")
    page.locator("#table-first > summary").tap()

    page.locator('input[name=players][value="3"]').check(force=True)
    expect(page.locator(".trick li")).to_have_count(3)
    page.locator('input[name=special][value="DRAGON"]').uncheck(force=True)
    expect(key(page, "FAIRY")).to_have_count(0)
    page.locator('input[name=deck][value="french52"]').check(force=True)
    expect(key(page, "HA")).to_be_visible()
    expect(page.locator("#table-first[open]")).to_have_count(1)
    page.locator('input[name=deck][value="wizard60"]').check(force=True)
    expect(key(page, "BOMB")).to_be_visible()
    expect(key(page, "DRAGON")).to_have_count(0)
    page.locator("input[name=single]").check(force=True)
    expect(page.locator(".trump-set")).to_have_count(0)
    key(page, "B9").tap()
    expect(holds(page)).to_contain_text("So far with Person 1.")
    expect(page.locator("#table[open]")).to_have_count(0)


def entry(page: Page) -> None:
    open_referee(page, table_of_five(), BEGUN)


def verdict(page: Page) -> None:
    open_referee(page, table_of_five(), WHOLE)


def question(page: Page) -> None:
    open_referee(page, table_of_five(), f"{BEGUN}&ask=JUGGLER")


def change(page: Page) -> None:
    open_referee(page, table_of_five(), f"{WHOLE}&at=2")


def table_opened(page: Page) -> None:
    page.goto("/referee/")
    page.locator("#table-first > summary").click()
    expect(page.locator("#table-first [name=single]")).to_be_visible()


def french(page: Page) -> None:
    page.goto("/referee/?deck=french52&players=4&trump=H&card=HQ&card=CA&card=S2")


def single_suit(page: Page) -> None:
    page.goto("/referee/?single=1&players=3&card=B9&card=R9&card=G4")


def bombed(page: Page) -> None:
    page.goto("/referee/?players=6&trump=B&card=J&card=BOMB&card=WEREWOLF&card=SHAPESHIFTER:W&card=CLOUD:B&card=DRAGON")


def left_out(page: Page) -> None:
    page.goto("/referee/?players=3&card=R9&card=R9&card=X&play=R9")


def six_people(page: Page) -> None:
    game = make_game(names=LONG_NAMES, house=ALL, first_dealer=5)
    open_referee(page, game, f"{BEGUN}&card=WEREWOLF&card=SHAPESHIFTER:W")


PAGES = [entry, verdict, question, change, table_opened, french, single_suit, bombed, left_out, six_people]


@pytest.mark.parametrize("show", PAGES, ids=lambda show: show.__name__)
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


@pytest.mark.parametrize("show", [entry, verdict, question, table_opened, french, six_people])
def test_german_words_fit_at_every_width(phone: Callable[..., Page], show: Callable[[Page], None]) -> None:
    page = phone(locale="de-DE")
    show(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")

    assert layout_problems(page) == []
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 640})
        cut = page.locator(".card small, .specials button, .suit-tabs label").evaluate_all(
            "found => found.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
        )
        assert cut == []


@pytest.mark.parametrize("width", [320, 360])
def test_trick_and_keys_are_on_one_screen(phone: Callable[..., Page], width: int) -> None:
    page = phone(viewport={"width": width, "height": 740})
    entry(page)

    expect(page.locator("#card-1")).to_be_in_viewport(ratio=1)
    expect(page.locator(".turn h2")).to_be_in_viewport(ratio=1)
    for card in ("R1", "R13", "W"):
        expect(key(page, card)).to_be_in_viewport(ratio=1)
    expect(control(page, "undo")).to_be_in_viewport(ratio=1)
    assert overhang(page) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_chosen_keeps_the_trick(phone: Callable[..., Page], theme: str) -> None:
    page = phone()
    verdict(page)
    for following in ("light", "dark")[: 1 if theme == "light" else 2]:
        open_menu(page)
        control(page, "theme", following).tap()
        expect(page.locator("html")).to_have_attribute("data-theme", following)

    assert len(laid(page)) == 5
