"""A game of a club by hand: started from its roster, confirmed at the end, and every page of it readable."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from scoresheets.models import Game
from tests.browser.checks import layout_problems, violations
from tests.browser.test_accounts import sign_in
from tests.scoresheets.accounts.helpers import make_account
from tests.scoresheets.clubs import actor_of, add, make_club, player_of
from tests.scoresheets.factories import play_round


def test_a_clubs_game_from_its_roster_to_its_confirmation(phone: Callable[..., Page]) -> None:
    club = make_club("Wizardrunde Nordstadt")
    add(club, "Anna", "Bernd Maier")
    account = make_account("Helga")
    club.memberships.create(user=account, role="manager")
    player_of(actor_of(account), club, "Helga")
    page = phone()
    sign_in(page, "Helga")

    page.goto(f"/clubs/{club.pk}/")
    page.locator("main").get_by_role("link", name="New game").click()
    for name in ("Anna", "Helga"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator(".seats .nm").get_by_text(name)).to_be_visible()
    page.locator("#new_name").fill("Bernd Meier")
    page.locator("#new_name").press("Enter")
    page.get_by_role("button", name="Bernd Maier instead").click()
    expect(page.locator(".seats .nm").nth(2)).to_have_text("Bernd Maier")
    assert violations(page) == []
    assert layout_problems(page) == []
    page.locator("#setup button[name=start]").last.click()
    expect(page.locator(".block thead b")).to_have_text(["Anna", "Helga", "Bernd Maier"])

    game = Game.objects.get()
    for _ in range(20):
        play_round(game)
    page.reload()
    page.get_by_role("button", name="The sheet is right").click()
    expect(page.get_by_text("This result is confirmed")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 640})
    assert violations(page) == []
    assert layout_problems(page) == []

    page.goto(f"/games/{game.pk}/club/")
    assert violations(page) == []
    assert layout_problems(page) == []
