"""Setting up a table by hand: names, order, dealer, refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import rules
from scoresheets.models import Game
from tests.browser.checks import layout_problems, overhang, styled, violations
from tests.browser.helpers import DESKTOP, LONG_NAMES, control, open_block
from tests.scoresheets.factories import make_game

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


# -- house rules ---------------------------------------------------------------------------------------------------


def group(page: Page, name: str) -> Locator:
    """Return a group of house rules by its id."""
    return page.locator(f"details#{name}")


def chosen_in(page: Page, name: str) -> Locator:
    return group(page, name).locator("summary .sum")


def choice(page: Page, name: str, value: str) -> Locator:
    return page.locator(f'label:has([name="{name}"][value="{value}"])')


def open_all(page: Page) -> None:
    """Open every group that is closed."""
    for details in page.locator("details.more").all():
        if details.get_attribute("open") is None:
            details.locator("summary").click()


def test_plain_game_starts_with_one_tap_beyond_the_names(phone: Callable[..., Page]) -> None:
    page = phone()
    page.goto("/games/new/")
    page.locator("#new_name").fill("Annika, Bernd, Cem")
    control(page, "start").tap()

    expect(page.locator("#pad")).to_be_visible()
    assert Game.objects.get().house == rules.HouseRules()


def test_closed_group_says_what_was_chosen_in_it_and_stays_open(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    expect(chosen_in(page, "specials")).to_have_text("none")
    group(page, "specials").locator("summary").tap()

    choice(page, "special", "BOMB").tap()
    expect(chosen_in(page, "specials")).to_have_text("Bomb")
    choice(page, "special", "CLOUD").tap()
    expect(chosen_in(page, "specials")).to_have_text("Cloud, Bomb")
    expect(group(page, "specials")).to_have_attribute("open", "")
    control(page, "start").tap()

    expect(page.locator("#pad")).to_be_visible()
    assert Game.objects.get().house.specials == ("CLOUD", "BOMB")


def test_what_excludes_each_other_is_closed_and_opened_as_one_chooses(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    open_all(page)
    secret = page.locator('[name="bid_mode"][value="secret"]')

    page.locator(".toggle").tap()
    expect(secret).to_be_disabled()
    expect(choice(page, "bid_mode", "secret")).to_contain_text("exclude each other")
    page.locator(".toggle").tap()
    expect(secret).to_be_enabled()
    choice(page, "bid_mode", "secret").tap()
    expect(page.locator("[name=plus_minus_one]")).to_be_disabled()
    choice(page, "deck", "french52").tap()
    expect(page.locator("#no_specials")).to_be_visible()
    expect(secret).to_be_checked()


def test_first_round_of_plus_minus_one_is_asked_where_it_is_played(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    expect(page.locator("#from_round")).to_be_hidden()

    page.locator(".toggle").tap()
    expect(page.locator("#from_round")).to_be_visible()
    expect(page.locator("[name=bid_mode][value=secret]")).to_be_disabled()
    page.locator("#from_round").fill("4")
    control(page, "start").tap()

    expect(page.locator("#pad")).to_be_visible()
    assert Game.objects.get().house == rules.HouseRules(plus_minus_one=True, plus_minus_one_from=4)


def test_typed_list_of_cards_is_checked_as_soon_as_it_is_left(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem", "Doro")
    group(page, "own_list").locator("summary").tap()

    page.locator("#cards").fill("1 3 16")
    page.locator("#cards").blur()
    expect(page.locator("#cards_errors")).to_have_text("Round 3: 16 cards for 4 players need 64 of 60.")
    expect(page.locator("[name=length][value=free]")).to_be_checked()
    page.locator("#cards").fill("1, 3, 15")
    page.locator("#cards").blur()
    expect(page.locator("#cards_errors")).to_have_count(0)
    expect(page.get_by_role("status")).to_contain_text("19")
    control(page, "start").tap()

    expect(page.locator("#pad")).to_be_visible()
    assert Game.objects.get().plan == [1, 3, 15]


def test_name_typed_while_a_choice_is_under_way_is_not_lost(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    group(page, "tie").locator("summary").tap()
    with page.expect_response("**/games/new/"):
        choice(page, "tie_break", "shared").tap()
        page.locator("#new_name").fill("half typ")
    expect(chosen_in(page, "tie")).to_have_text("Shared victory")

    expect(page.locator("#new_name")).to_have_value("half typ")
    expect(page.locator(".seats li")).to_have_count(3)


def test_variant_changes_the_rounds_beside_the_button(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    group(page, "pack").locator("summary").tap()
    choice(page, "variant", "maximus").tap()

    expect(page.locator("#summed")).to_contain_text("5 rounds")
    expect(page.get_by_role("status")).to_contain_text("5 rounds")
    expect(group(page, "pack")).to_have_attribute("open", "")


def test_edition_is_one_tap_and_says_what_changed(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    group(page, "edition").locator("summary").tap()

    control(page, "preset", "2026").tap()

    expect(control(page, "preset", "2026")).to_have_attribute("aria-pressed", "true")
    expect(chosen_in(page, "edition")).to_have_text("Rules of 2026")
    expect(page.locator(".note[role=status]")).to_contain_text("Fairy or bomb turned up")


def test_next_game_begins_as_the_last_one(phone: Callable[..., Page]) -> None:
    page = phone()
    open_block(page, make_game(house=rules.HouseRules(specials=("BOMB",), blind_bids=True), length=8))
    page.goto("/games/new/")
    expect(chosen_in(page, "bids")).to_have_text("Open bids, Blind bids")

    page.locator("button.btn[name=preset]").tap()
    expect(chosen_in(page, "bids")).to_have_text("Open bids")
    control(page, "usual").tap()
    expect(chosen_in(page, "bids")).to_have_text("Open bids, Blind bids")
    expect(page.locator("[name=length][value=half]")).to_be_checked()


def test_house_rules_are_chosen_without_javascript(phone: Callable[..., Page]) -> None:
    page = phone(java_script_enabled=False, expects=["status of 422"])
    page.goto("/games/new/")
    page.locator("#new_name").fill("Annika, Bernd, Cem")
    page.locator(".toggle").tap()
    group(page, "bids").locator("summary").tap()
    choice(page, "bid_mode", "secret").tap()
    control(page, "start").tap()
    expect(page.locator("#bids_errors")).to_be_visible()
    expect(page.locator("[name=plus_minus_one]")).to_be_checked()

    page.locator(".toggle").tap()
    control(page, "look").last.tap()
    expect(chosen_in(page, "bids")).to_have_text("Secret bids")
    group(page, "own_list").locator("summary").tap()
    page.locator("#cards").fill("2 4 6")
    control(page, "start").tap()

    expect(page.locator("#pad")).to_be_visible()
    game = Game.objects.get()
    assert (game.house, game.plan) == (rules.HouseRules(secret_bids=True), [2, 4, 6])


def everything_open(page: Page) -> None:
    sit_down(page, "Annika", "Bernd", "Cem", "Doro")
    open_all(page)


def everything_closed_to_specials(page: Page) -> None:
    sit_down(page, *LONG_NAMES)
    open_all(page)
    choice(page, "deck", "french52").click()
    expect(page.locator("#no_specials")).to_be_visible()
    page.locator(".toggle").click()
    expect(page.locator("[name=bid_mode][value=secret]")).to_be_disabled()


def everything_refused(page: Page) -> None:
    sit_down(page, *LONG_NAMES[:4])
    open_all(page)
    page.locator("#cards").fill("16 17 0")
    page.locator("#cards").blur()
    expect(page.locator("#cards_errors")).to_be_visible()
    choice(page, "variant", "einfarbig").click()
    expect(page.locator("[name=variant][value=einfarbig]")).to_be_checked()
    page.locator("#new_name").fill("Emil")
    page.locator("#new_name").press("Enter")
    expect(page.locator("#variant_errors")).to_be_visible()
    page.locator(".toggle").click()
    expect(page.locator("[name=bid_mode][value=secret]")).to_be_disabled()
    page.locator("#from_round").fill("x")
    page.locator("#from_round").blur()
    expect(page.locator("#from_errors")).to_be_visible()


def after_the_last_game(page: Page) -> None:
    open_block(page, make_game(house=rules.HouseRules(specials=rules.SPECIALS, blind_bids=True), length=8))
    page.goto("/games/new/")
    page.locator("button.btn[name=preset]").click()
    expect(page.locator(".note[role=status]")).to_be_visible()
    open_all(page)


@pytest.mark.parametrize(
    "show",
    [everything_open, everything_closed_to_specials, everything_refused, after_the_last_game],
    ids=lambda show: show.__name__,
)
def test_house_rules_are_accessible_in_both_themes_at_every_width(
    phone: Callable[..., Page], show: Callable[[Page], None]
) -> None:
    page = phone(color_scheme="light", locale="de-DE", expects=["status of 422"])
    show(page)

    found = {"light": violations(page)}
    page.emulate_media(color_scheme="dark")
    found["dark"] = violations(page)
    found["layout"] = layout_problems(page)

    assert found == {"light": [], "dark": [], "layout": []}


def test_house_rules_can_be_read_at_twice_the_text_size(phone: Callable[..., Page]) -> None:
    page = phone(locale="de-DE", viewport={"width": 360, "height": 740})
    everything_open(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")

    assert overhang(page) == 0


def test_answer_never_overwrites_what_was_typed_after_its_request(phone: Callable[..., Page]) -> None:
    page = phone()
    sit_down(page, "Annika", "Bernd", "Cem")
    held: list[Route] = []
    page.route("**/games/new/", lambda route: held.append(route) if route.request.method == "POST" else None)

    page.get_by_role("button", name="Move Bernd up").click()
    expect(page.locator("#new_name")).to_have_value("")
    page.locator("#new_name").fill("Doro")
    held[0].continue_()

    expect(page.locator(".seats .nm")).to_have_text(["Bernd", "Annika", "Cem"])
    expect(page.locator("#new_name")).to_have_value("Doro")
