"""Accounts in the browser: signing up, a passkey instead of a password, and what must hold on every page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import layout_problems, violations
from tests.browser.helpers import open_menu
from tests.scoresheets.accounts.helpers import PASSWORD, add_app, add_passkey, make_account

pytestmark = pytest.mark.django_db(transaction=True)
CHECKS = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}


def add_authenticator(page: Page) -> None:
    """Give the browser a device that makes passkeys and agrees to everything."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True, **CHECKS}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def sign_in(page: Page, name: str = "Annika") -> None:
    page.goto("/account/login/")
    page.locator("#id_login").fill(name)
    page.locator("#id_password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("/")


def show_again(page: Page, address: str) -> None:
    """Open a page that asks for the password again first."""
    page.goto(address)
    page.locator("#id_password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url(address)


def test_account_is_made_gets_a_passkey_and_opens_with_it_alone(phone):
    page = phone()
    add_authenticator(page)
    page.goto("/")
    open_menu(page)
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="No account yet?").click()
    page.locator("#id_username").fill("Annika")
    page.locator("#id_password1").fill(PASSWORD)
    page.locator("#id_password2").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_url("/")

    show_again(page, "/account/2fa/webauthn/add/")
    page.get_by_role("button", name="Add the passkey").click()
    expect(page.locator(".acc-codes li")).to_have_count(10)
    page.goto("/account/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("status")).to_have_text("You are signed out.")
    page.goto("/account/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("/")

    open_menu(page)
    expect(page.locator(".menu-sheet").get_by_role("link", name="Annika")).to_be_visible()


def test_passkey_that_fails_is_said_and_the_password_still_works(phone):
    make_account()
    page = phone()
    page.goto("/account/login/")
    page.evaluate("() => { navigator.credentials.get = () => Promise.reject(new DOMException('no')); }")

    page.get_by_role("button", name="Sign in with a passkey").click()

    expect(page.get_by_role("alert").filter(has_text="That did not work with the passkey")).to_be_visible()
    sign_in(page)


def visitor(page: Page) -> None:
    page.goto("/account/login/")


def refused(page: Page) -> None:
    page.goto("/account/signup/")
    page.locator("#id_username").fill("<b>")
    page.locator("#id_password1").fill("short")
    page.locator("#id_password2").fill("other")
    page.get_by_role("button", name="Make the account").click()
    expect(page.locator("#id_username_error")).to_be_visible()


def security(page: Page) -> None:
    user = make_account("A" * 40)
    sign_in(page, user.username)
    show_again(page, "/account/2fa/webauthn/add/")
    add_app(user), add_passkey(user, "x" * 40)
    page.goto("/account/2fa/")


@pytest.mark.parametrize("reach", [visitor, refused, security], ids=lambda reach: reach.__name__)
def test_pages_of_accounts_are_accessible_and_fit(phone, reach: Callable[[Page], None]):
    page = phone(color_scheme="dark")
    reach(page)

    assert violations(page) == []
    page.emulate_media(color_scheme="light")
    assert violations(page) == []
    assert layout_problems(page) == []
    if reach is security:
        for address in ("", "2fa/webauthn/", "2fa/recovery-codes/", "sessions/", "email/", "delete/"):
            page.goto(f"/account/{address}")
            assert (address, violations(page), layout_problems(page)) == (address, [], [])


def test_sign_in_works_without_javascript(phone):
    make_account()
    page = phone(java_script_enabled=False)

    sign_in(page)
    page.goto("/account/")

    expect(page.get_by_role("heading", level=1)).to_have_text("Annika")
