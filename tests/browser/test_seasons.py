"""Seasons in the browser: made without a script, and what must hold on every page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import Page, expect

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Season
from scoresheets.recording import SeasonSettings, close_season, create_season
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import LONG_NAMES
from tests.scoresheets.accounts.helpers import PASSWORD, make_account
from tests.scoresheets.clubs import actor_of, add, finished, make_club, player_of

pytestmark = pytest.mark.django_db(transaction=True)


def sign_in(page: Page) -> None:
    """Sign Annika in, in whatever language."""
    page.goto("/account/login/")
    page.locator("#id_login").fill("Annika")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("main form:has(#id_password) button").click()
    page.wait_for_url("/")


def test_pages_of_seasons_are_accessible_and_fit(phone: Callable[..., Page]) -> None:
    club = make_club("Donaudampfschifffahrtsgesellschaftsrunde am Donnerstagabend", visibility="public")
    annika = make_account()
    club.memberships.create(user=annika, role="manager")
    players = [*add(club, *LONG_NAMES), player_of(actor_of(annika), club, "Annika")]
    for first in range(4):
        finished(club, [players[(first + step) % len(players)] for step in range(4)])
    start = date(2020, 1, 1)
    league = rules.LeagueRules("places", (6, 4, 2, 1), best=1, fewest_games=2)
    open_, over = (
        create_season(club, SeasonSettings(name, start, league=league), by=OPERATOR)
        for name in ("Donaudampfschifffahrtsgesellschaftssaison am Donnerstagabend", "Winter")
    )
    close_season(over, by=OPERATOR)
    page = phone(color_scheme="dark", locale="de-DE", expects=["status of 422"])
    sign_in(page)
    base = f"/clubs/{club.pk}/"
    found = {}
    for address in (
        *(base, f"{base}seasons/", f"{base}all-time/?sort=mean&least=1", f"{base}records/", f"{base}seasons/new/"),
        *(f"{base}seasons/{open_.pk}/{end}" for end in ("", "settings/", "close/", "delete/")),
        *(f"{base}seasons/{over.pk}/settings/", f"{base}seasons/{open_.pk}/players/{players[1].pk}/"),
    ):
        page.goto(address)
        found[address] = [*violations(page), *layout_problems(page)]
    page.goto(f"{base}seasons/new/")
    page.locator("[name=best]").fill("many")
    page.locator("[name=place_points]").fill("1 2")
    page.locator("[name=formula][value=places]").check()
    page.locator(".dock button").click()
    expect(page.locator("#best_errors")).to_be_visible()
    found["refused"] = [*violations(page), *layout_problems(page)]

    assert found == {name: [] for name in found}


def test_season_is_made_and_its_numbers_opened_without_javascript(phone: Callable[..., Page]) -> None:
    club = make_club("Runde")
    annika = make_account()
    club.memberships.create(user=annika, role="manager")
    finished(club, add(club, "Bernd", "Cem", "Doro"))
    page = phone(java_script_enabled=False, locale="en-GB")
    sign_in(page)

    page.goto(f"/clubs/{club.pk}/")
    page.get_by_role("link", name="Seasons").click()
    page.get_by_role("link", name="New season").click()
    page.get_by_label("Name of the season").fill("Liga")
    page.get_by_text("Points for places", exact=True).click()
    page.get_by_label("Points for places: first").fill("6 4 2")
    page.get_by_role("button", name="Make the season").click()

    row = page.get_by_role("row", name="Bernd")
    expect(row).to_contain_text("6")
    row.get_by_role("link", name="6", exact=True).click()
    expect(page.get_by_text("6 points in 1 game that counts")).to_be_visible()
    assert Season.objects.get().place_points == [6, 4, 2]
