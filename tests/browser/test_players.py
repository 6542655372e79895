"""The pages of a club's players in the browser: they fit everywhere, and work with and without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Player
from scoresheets.recording import (
    archive_player,
    claim_player,
    make_claim_link,
    merge_players,
    rename_player,
)
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import LONG_NAMES
from tests.browser.test_accounts import sign_in
from tests.scoresheets.accounts.helpers import make_account
from tests.scoresheets.clubs import actor_of, add, finished, make_club, member_of

pytestmark = pytest.mark.django_db(transaction=True)


def club_of(name: str = "Annika") -> Club:
    """Return a club whose owner this new account is."""
    club = make_club("Nachteulen", owner="Olga")
    club.memberships.create(user=make_account(name), role="manager")
    return club


def roster(club: Club) -> str:
    return f"/clubs/{club.pk}/players/"


def filled() -> tuple[Club, list[Player]]:
    """Return a club whose players have the longest names, with all that their pages can show."""
    club = club_of()
    players = add(club, *LONG_NAMES, *(f"Gast {n:02}" for n in range(50)))
    rename_player(players[0], name=players[0].name, public_name="M" * 40, by=OPERATOR)
    finished(club, players[:3])
    merge_players(players[0], *add(club, "W" * 40), by=OPERATOR)
    merge_players(players[0], *add(club, "Maxi"), by=OPERATOR)
    archive_player(*add(club, "W" * 40), by=OPERATOR)
    claim_player(players[0], by=member_of(club, name="Wilhelmine"))
    return club, players


def test_pages_of_players_are_accessible_and_fit(phone):
    club, (first, second, _third, fourth, *_others) = filled()
    _link, secret = make_claim_link(first, by=OPERATOR)
    page: Page = phone(color_scheme="light", expects=["status of 422", "status of 409"])
    sign_in(page)

    def question() -> None:
        page.goto(roster(club))
        page.locator("#name").fill("w" * 40)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator("#likely")).to_be_visible()

    def refused() -> None:
        page.goto(f"{roster(club)}{first.pk}/")
        page.locator("#name").fill(second.name)
        page.get_by_role("button", name="Keep these names").click()
        expect(page.locator("#name_errors")).to_be_visible()

    def link_made() -> None:
        page.goto(f"{roster(club)}{fourth.pk}/")
        page.get_by_role("button", name="Make the link").click()
        expect(page.locator("figure.qr")).to_be_visible()

    addresses = (
        *(roster(club), f"{roster(club)}?archive=1", f"{roster(club)}{first.pk}/", f"/clubs/{club.pk}/claims/"),
        *(f"{roster(club)}{first.pk}/merge/{query}" for query in ("", f"?other={second.pk}", f"?other={fourth.pk}")),
        *(f"{roster(club)}{first.pk}/anonymise/", f"/p/{secret}"),
    )
    for reach in (question, refused, link_made, *addresses):
        page.goto(reach) if isinstance(reach, str) else reach()
        assert (reach, violations(page), layout_problems(page)) == (reach, [], [])


@pytest.mark.parametrize("script", [True, False])
def test_somebody_is_asked_about_added_and_becomes_the_account(phone, script):
    club = club_of()
    add(club, "Bernd")
    page: Page = phone(java_script_enabled=script)
    sign_in(page)

    page.goto(roster(club))
    page.locator("#name").fill("Bernt")
    page.locator("#name").press("Enter")
    expect(page.locator("#likely")).to_contain_text("Bernd")
    expect(page.locator("#name")).to_have_value("Bernt")
    page.get_by_role("button", name="No, add “Bernt”").click()
    expect(page.get_by_role("status").first).to_have_text("Bernt is on the roster.")
    page.get_by_role("link", name="Bernt").first.click()
    page.get_by_role("button", name="That's me").click()
    expect(page.get_by_role("button", name="That's me")).to_have_count(0)
    page.goto(f"/clubs/{club.pk}/claims/")
    page.get_by_role("button", name="Yes, Annika is Bernt").click()
    expect(page.get_by_role("status").first).to_have_text("Annika is Bernt from now on.")

    bernt = club.players.get(name="Bernt")
    assert str(bernt.user) == "Annika"
    assert actor_of(bernt.user).role_in(club.pk) == "manager"
