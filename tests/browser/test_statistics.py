"""The pages of numbers in the browser: nothing for axe to find, they fit everywhere, and filters work as a form."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from scoresheets.models import Player
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import LONG_NAMES
from tests.browser.test_accounts import sign_in
from tests.scoresheets.accounts.helpers import make_account
from tests.scoresheets.clubs import add, make_club
from tests.scoresheets.queries.test_lifetime import random_game

pytestmark = pytest.mark.django_db(transaction=True)


def test_pages_of_numbers_are_accessible_in_both_themes_and_fit(phone):
    chance, club = random.Random(5), make_club("Nachteulen", owner="Olga", visibility="public")
    user = make_account("Annika")
    club.memberships.create(user=user, role="member")
    people = add(club, *LONG_NAMES, "Emil", "Frida")[:5]
    Player.objects.filter(pk=people[0].pk).update(user=user)
    for number in range(4):
        random_game(club, people, chance, kind=(0, 0, 1, 2)[number])
    page: Page = phone(color_scheme="light")
    sign_in(page)
    lifetime = f"/clubs/{club.pk}/players/{people[0].pk}/statistics/"
    compared = "&".join(f"player={player.pk}" for player in people[:4])

    problems = {}
    for address in (
        lifetime,
        f"{lifetime}?players=x&since=x&opponents=1",
        f"{lifetime}?players=6",
        f"/clubs/{club.pk}/compare/?{compared}",
        f"/clubs/{club.pk}/insight/",
        "/me/statistics/",
    ):
        page.goto(address)
        for summary in page.locator("main details.more > summary").all():
            summary.click()
        problems[address] = violations(page)
        page.emulate_media(color_scheme="dark")
        problems[address] += violations(page) + layout_problems(page)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 360, "height": 740})

    assert problems == {address: [] for address in problems}


def test_filters_work_without_a_script(phone):
    club = make_club("Nachteulen", owner="Olga", visibility="public")
    people = add(club, *LONG_NAMES, "Emil")[:4]
    random_game(club, people, random.Random(5), kind=2)
    page: Page = phone(java_script_enabled=False)
    page.goto(f"/clubs/{club.pk}/players/{people[0].pk}/statistics/")

    page.get_by_label("People", exact=True).select_option("6")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="No such game")).to_be_visible()
    page.get_by_role("link", name="All games").click()

    expect(page.locator(".tile").first).to_be_visible()
