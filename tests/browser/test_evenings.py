"""Evenings in the browser: what must hold on every page, and a whole evening without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Evening
from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import LONG_NAMES
from tests.browser.test_accounts import sign_in
from tests.scoresheets.accounts.helpers import make_account
from tests.scoresheets.clubs import add, club_game
from tests.scoresheets.evenings import come, drawn, opened, planned, play_to_the_end, start_all

pytestmark = pytest.mark.django_db(transaction=True)


def club_of_annika(name: str, *, language: str, visibility: str = "private") -> Club:
    """Return a club whose owner reads this language once they are signed in."""
    settings = recording.ClubSettings(name, visibility=visibility)
    return recording.create_club(settings, by=Actor.of_user(make_account(language=language)))


def test_pages_of_evenings_are_accessible_and_fit(phone: Callable[..., Page]) -> None:
    club = club_of_annika("Donaudampfschifffahrtsgesellschaftsrunde", language="de", visibility="public")
    place = "Vereinsheim der Donaudampfschifffahrtsgesellschaft, Hinterzimmer"
    players = [*add(club, *LONG_NAMES), *add(club, *(f"Person {number}" for number in range(9 - len(LONG_NAMES))))]
    evening, later = opened(club, timezone.localdate(), place=place, note=place * 3), planned(club, place=place)
    come(evening, players)
    recording.answer(later, answer="yes", by=OPERATOR, player=players[0])
    drawn(evening, tables=1)
    play_to_the_end(start_all(evening)[0])
    club_game(club, players[:3], length=3)
    drawn(evening, tables=1)
    start = f"/clubs/{club.pk}/"
    one = f"{start}evenings/{evening.pk}/"
    found = {}
    visitor, page = phone(color_scheme="dark", locale="de-DE"), phone(expects=["status of 422"])
    for address in (f"{start}evenings/", one):
        visitor.goto(address)
        found[f"visitor {address}"] = [*violations(visitor), *layout_problems(visitor)]
    sign_in(page)
    for address in (start, f"{start}evenings/", one, f"{start}evenings/{later.pk}/", f"{one}change/"):
        page.goto(address)
        page.evaluate("document.querySelectorAll('main details').forEach(e => { e.open = true; })")
        found[address] = [*violations(page), *layout_problems(page)]
    page.goto(one)
    page.locator("#newcomer").fill(LONG_NAMES[0])
    page.locator("[name=save_here]").click()
    expect(page.locator("#newcomer_errors")).to_be_visible()
    found["refused"] = [*violations(page), *layout_problems(page)]

    assert found == {name: [] for name in found}


def test_open_evening_follows_its_tables(phone: Callable[..., Page]) -> None:
    club = club_of_annika("Nachteulen", language="en", visibility="public")
    evening = opened(club, timezone.localdate())
    come(evening, add(club, "Bernd", "Cem", "Doro"))
    page = phone()
    sign_in(page)
    page.goto(f"/clubs/{club.pk}/evenings/{evening.pk}/")
    page.locator("details:has([name=here]) > summary").click()
    page.get_by_label("Somebody new").fill("Zoe")
    drawn(evening, tables=1)

    (game,) = start_all(evening)
    come_back_to(page)
    expect(page.locator("#now .tables-now li")).to_have_count(1)
    play_to_the_end(game)
    come_back_to(page)
    expect(page.locator("#now .tables-now li")).to_have_count(0)

    expect(page.locator("#came .results > li")).to_have_count(1)
    expect(page.locator("#came .evening-table tbody tr")).to_have_count(3)
    expect(page.get_by_label("Somebody new")).to_have_value("Zoe")
    recording.close_evening(evening, by=OPERATOR)
    come_back_to(page)
    expect(page.locator("#now")).to_have_count(0)
    expect(page.locator("#came .results > li")).to_have_count(1)


def come_back_to(page: Page) -> None:
    """Turn to a page that was out of sight: it asks at once, and not only after a while."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_whole_evening_without_javascript(phone: Callable[..., Page]) -> None:
    club = club_of_annika("Nachteulen", language="en")
    add(club, "Bernd", "Cem", "Doro", "Emil", "Fritzi", "Gero")
    page = phone(java_script_enabled=False)
    sign_in(page)
    page.goto(f"/clubs/{club.pk}/evenings/")
    page.get_by_label("Place (optional)").fill("Back room")
    page.get_by_role("button", name="Plan", exact=True).click()
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_role("button", name="Yes", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Open the evening").click()
    page.locator("details:has([name=here]) > summary").click()
    for name in ("Annika", "Bernd", "Cem", "Doro", "Emil", "Fritzi", "Gero"):
        page.locator("label.pill", has_text=name).click()
    page.get_by_label("Somebody new").fill("Zoe")
    page.get_by_role("button", name="Save who is here").click()
    page.get_by_role("button", name="Draw tables").click()
    expect(page.locator(".drawn > li")).to_have_count(2)

    page.get_by_text("Move people by hand").click()
    first = [name.split(" ")[0] for name in page.locator(".drawn > li").nth(0).locator("ol li").all_inner_texts()]
    second = [name.split(" ")[0] for name in page.locator(".drawn > li").nth(1).locator("ol li").all_inner_texts()]
    page.get_by_label("One").select_option(label=first[0])
    page.get_by_label("The other").select_option(label=second[0])
    page.get_by_role("button", name="Change places").click()
    expect(page.locator(".drawn > li").nth(0).locator("ol li").first).to_contain_text(second[0])
    page.get_by_role("button", name="Start all 2 tables").click()
    expect(page.locator(".tables-now li")).to_have_count(2)
    page.locator(".tables-now a").first.click()

    expect(page.get_by_text("Round 1 of").first).to_be_visible()
    evening = Evening.objects.get()
    assert evening.games.count() == 2
    assert {seat.name for game in evening.games.all() for seat in game.seats.all()} >= {"Annika", "Zoe"}
