"""Clubs in the browser: founded, joined by invitation, and what must hold on every page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets import recording
from scoresheets.actors import Actor
from scoresheets.models import Club
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import LONG_NAMES
from tests.browser.test_accounts import sign_in
from tests.scoresheets.accounts.helpers import PASSWORD, make_account
from tests.scoresheets.clubs import add, club_game, finished, member_of, owner_of

pytestmark = pytest.mark.django_db(transaction=True)


def big_club() -> Club:
    """Return a club with long names in every place, owned by Annika."""
    club = recording.create_club(
        recording.ClubSettings("Donaudampfschifffahrtsgesellschaftsrunde am Donnerstagabend"),
        by=Actor.of_user(make_account()),
    )
    first, *_others = [
        member_of(club, role, name)
        for role, name in zip(("member", "scorer", "manager", "owner"), LONG_NAMES, strict=False)
    ]
    players = add(club, *LONG_NAMES)
    finished(club, players[:3])
    club_game(club, players[3:], length=3)
    recording.claim_player(players[0], by=first)
    recording.invite(
        club, role="scorer", label="Wilhelminas ganzer Tisch vom letzten Mal", most_uses=3, by=owner_of(club)
    )
    return club


def problems_on(page: Page) -> list[str]:
    return [*violations(page), *layout_problems(page)]


def test_pages_of_clubs_are_accessible_and_fit(phone: Callable[..., Page]) -> None:
    club = big_club()
    secret = recording.invite(club, role="member", label="x" * 40, by=owner_of(club))[1]
    page = phone(color_scheme="dark", locale="de-DE", expects=["status of 422", "status of 410", "status of 404"])
    start, bernd = f"/clubs/{club.pk}/", club.memberships.filter(role="member").first()
    found = {}
    for address in ("/clubs/", f"/i/{secret}", start):
        page.goto(address)
        found[f"visitor {address}"] = problems_on(page)
    page.goto("/account/login/")
    page.locator("#id_login").fill("Annika")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("main form:has(#id_password) button").click()
    page.wait_for_url("/")
    for address in (
        *("/clubs/", "/clubs/new/", start, f"{start}settings/", f"{start}delete/", f"{start}members/"),
        *(f"{start}members/{bernd.pk}/remove/", f"/i/{secret}"),
        *(f"{start}export/", f"{start}export/games.xlsx?since=soon&language=fr"),
    ):
        page.goto(address)
        found[address] = problems_on(page)
    page.goto(f"{start}settings/")
    page.locator("[name=name]").fill("")
    page.locator("[name=locks_after]").fill("soon")
    page.locator(".dock button").click()
    expect(page.locator("#locks_after_errors")).to_be_visible()
    found["refused"] = problems_on(page)
    page.goto(f"{start}members/")
    page.locator("[name=invite]").click()
    expect(page.locator("#address")).to_be_visible()
    found["made"] = problems_on(page)

    assert found == {name: [] for name in found}


def test_club_is_founded_and_joined_without_javascript(phone: Callable[..., Page]) -> None:
    make_account()
    owner, guest = (phone(java_script_enabled=False) for _ in range(2))
    sign_in(owner)
    owner.goto("/clubs/new/")
    owner.locator("[name=name]").fill("Nachteulen")
    owner.get_by_role("button", name="Found the club").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text("Nachteulen")
    owner.get_by_role("link", name="Members").click()
    owner.locator("label:has([value=scorer])").click()
    owner.get_by_role("button", name="Make an invitation").click()
    address = owner.locator("#address").input_value()

    guest.goto(address)
    guest.get_by_role("link", name="Make an account").click()
    guest.locator("#id_username").fill("Doro")
    guest.locator("#id_password1").fill(PASSWORD)
    guest.locator("#id_password2").fill(PASSWORD)
    guest.get_by_role("button", name="Make the account").click()
    guest.wait_for_url(address)
    guest.get_by_role("button", name="Join the club").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Nachteulen")
    expect(guest.get_by_role("link", name="New game")).to_be_visible()

    owner.goto(owner.url)
    doro = owner.locator(".club-members li", has_text="Doro")
    doro.locator("select").select_option("manager")
    doro.get_by_role("button", name="Change the role of Doro").click()
    expect(owner.get_by_role("status")).to_have_text("Doro now has the role “manager”.")
