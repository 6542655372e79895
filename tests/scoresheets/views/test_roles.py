"""Every address x method x role has one expected status; every HTML answer carries the headers and nothing inline."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from scoresheets.recording import revoke_link
from tests.scoresheets.factories import (
    OPERATOR,
    client_for,
    link_of,
    link_to,
    make_game,
    rows_of,
    seat_ids,
)
from tests.scoresheets.pages import Element, read, read_html
from tests.scoresheets.views.every_page import every_page

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "watcher", "keeper", "keeper of another game", "revoked keeper")
METHODS = ("get", "head", "post", "put", "patch", "delete")
REFUSED = (405,) * 5


def same(status: int) -> tuple[int, ...]:
    return (status,) * 5


ACCOUNT_PAGES_TO_READ = (
    "account_inactive",
    "account_email_verification_sent",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
)
ACCOUNT_FORMS = ("account_login", "account_signup", "account_reset_password")
ACCOUNT_PAGES_TO_SIGN_IN_FOR = (
    *("account_email", "account_change_password", "account_set_password", "account_confirm_login_code"),
    *("account_reauthenticate", "account_request_reauthentication_code", "account_confirm_reauthentication_code"),
    *("mfa_index", "mfa_authenticate", "mfa_reauthenticate", "mfa_activate_totp", "mfa_deactivate_totp"),
    *("mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_download_recovery_codes"),
    *("mfa_list_webauthn", "mfa_add_webauthn", "mfa_reauthenticate_webauthn", "mfa_remove_webauthn"),
    *("mfa_edit_webauthn", "usersessions_list"),
)

#: Route -> method -> status for each of the roles. What is not named is refused with 405; HEAD is as GET.
TABLE: dict[str, dict[str, tuple[int, ...]]] = {
    "healthz": {"get": same(200)},
    "start": {"get": same(200)},
    "new_game": {"get": same(200), "post": same(200)},
    "new_sheet": {"get": same(200), "post": same(200)},
    "new_results": {"get": same(200), "post": same(200)},
    "block": {"get": (404, 200, 200, 404, 404), "post": (404, 403, 409, 404, 404)},
    "sheet": {"get": (404, 200, 200, 404, 404)},
    # Who keeps a game in a club has an account there.
    "game_club": {"get": (404, 403, 403, 404, 404), "post": (404, 403, 403, 404, 404)},
    "people": {"get": (404, 403, 200, 404, 404), "post": (404, 403, 422, 404, 404)},
    "state": {"get": (404, 403, 200, 404, 404), "post": (404, 403, 422, 404, 404)},
    "correct_round": {"get": (404, 403, 200, 404, 404), "post": (404, 403, 409, 404, 404)},
    "correct_seat": {"get": (404, 403, 200, 404, 404), "post": (404, 403, 422, 404, 404)},
    # The game of the table has rounds; one without is in test_results.py.
    "correct_results": {"get": (404, 403, 404, 404, 404), "post": (404, 403, 404, 404, 404)},
    "links": {"get": (404, 403, 200, 404, 404), "post": (404, 403, 422, 404, 404)},
    "revoke": {"get": (404, 403, 200, 404, 404), "post": (404, 403, 302, 404, 404)},
    "open_link": {"get": same(302)},
    "referee": {"get": same(200)},
    "game_referee": {"get": (404, 200, 200, 404, 404)},
    "rules": {"get": same(200)},
    "rules_special_cards": {"get": same(200)},
    "rules_variants": {"get": same(200)},
    "rules_rounds": {"get": same(200)},
    "rules_tips": {"get": same(200)},
    "account": {"get": same(302)},
    "own_data": {"get": same(302)},
    "tokens": {"get": same(302), "post": same(302)},
    "own_statistics": {"get": same(302)},
    "public_insight": {"get": same(200)},
    "delete_account": {"get": same(302), "post": same(302)},
    **{route: {"get": same(200)} for route in ACCOUNT_PAGES_TO_READ},
    # The sign-in library's forms take PUT for POST; its pages for those who are signed in lead all others to sign in
    # before they look at the method.
    **{route: {"get": same(200), "post": same(200), "put": same(200)} for route in ACCOUNT_FORMS},
    **{route: dict.fromkeys(METHODS, same(302)) for route in ACCOUNT_PAGES_TO_SIGN_IN_FOR},
    "account_logout": {"get": same(302), "post": same(302)},
    "account_confirm_email": {"get": same(200), "post": same(404)},
    "account_reset_password_from_key": dict.fromkeys(METHODS, same(200)),
    "mfa_login_webauthn": {"get": same(302), "post": same(302), "put": same(302)},
    "set_theme": {"post": same(302)},
    # Django's own view: it changes nothing unless it is a POST, and leads back in any case.
    "set_language": {method: same(302) for method in METHODS},
    "manifest": {"get": same(200)},
}


def path_names(patterns: list[Any] | None = None, before: str = "") -> list[tuple[str, str]]:
    """Return the path and the name of every route of the site, but for the admin site: that has a table of its own."""
    found = []
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = f"{before}{pattern.pattern}"
        if path == "admin/":
            continue
        found += [(path, pattern.name)] if hasattr(pattern, "name") else path_names(pattern.url_patterns, path)
    return found


def expected(route: str, method: str) -> tuple[int, ...]:
    return TABLE[route].get("get" if method == "head" else method, TABLE[route].get(method, REFUSED))


def device_of(role: str, game) -> Client:
    if role == "stranger":
        return Client()
    if role == "watcher":
        return client_for(game, "watch")
    if role == "keeper of another game":
        return client_for(make_game(seats=3))
    client = client_for(game)
    if role == "revoked keeper":
        revoke_link(link_of(client, game), by=OPERATOR)
    return client


def address_of(route: str, game) -> str:
    arguments = {
        "block": [game.pk],
        "sheet": [game.pk],
        "game_referee": [game.pk],
        "game_club": [game.pk],
        "people": [game.pk],
        "state": [game.pk],
        "correct_round": [game.pk, 1],
        "correct_seat": [game.pk, seat_ids(game)[0]],
        "correct_results": [game.pk],
        "links": [game.pk],
        "revoke": [game.pk, link_to(game, "watch")[0].pk],
        "open_link": [link_to(game, "watch")[1]],
        "account_confirm_email": ["unknown"],
        "account_reset_password_from_key": ["1", "un-known"],
        "mfa_remove_webauthn": [1],
        "mfa_edit_webauthn": [1],
    }
    return reverse(route, args=arguments.get(route))


def test_every_route_is_in_the_table():
    # Those of clubs and players are in a table of their own: test_club_roles.py.
    # Those of the API too: tests/scoresheets/api/.
    others = ("api/", "clubs/", "i/", "p/")
    assert sorted(name for path, name in path_names() if not path.startswith(others)) == sorted(TABLE)


def status_of(client: Client, method: str, address: str) -> int:
    """Return the status of an answer; what was written for it is taken back."""
    with transaction.atomic():
        answer = getattr(client, method)(address)
        if answer.streaming:
            b"".join(answer)  # as servers do: that also closes what it is read from
        transaction.set_rollback(True)
    return answer.status_code


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_the_status_of_the_table(role):
    game = make_game(seats=3, rounds=1)
    client = device_of(role, game)
    cookies = SimpleCookie(client.cookies)

    found: dict[str, Any] = {}
    for route in TABLE:
        # Each begins as the first: with what the device held, and no attempts counted.
        client.cookies = SimpleCookie(cookies)
        cache.clear()
        address = address_of(route, game)
        found[route] = {method: status_of(client, method, address) for method in METHODS}

    assert found == {
        route: {method: expected(route, method)[ROLES.index(role)] for method in METHODS} for route in TABLE
    }


@pytest.mark.parametrize("role", [role for role in ROLES if role != "keeper"])
@pytest.mark.parametrize(
    "route", ["block", "people", "state", "links", "revoke", "sheet", "game_referee", "correct_round", "correct_seat"]
)
def test_who_may_not_writes_nothing(route, role):
    game = make_game(seats=3, rounds=1)
    client, address = device_of(role, game), address_of(route, game)
    before = rows_of(game)

    client.post(address, {"seen": "1", "bid": "0", "seat": "1", "scope": "edit", "back": "1", "name": "Zoe"})

    assert rows_of(game) == before


# -- CSRF ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "route",
    [
        "new_game",
        "block",
        "people",
        "state",
        "links",
        "revoke",
        "set_theme",
        "set_language",
        "correct_round",
        "correct_seat",
        "new_results",
        "correct_results",
    ],
)
@pytest.mark.parametrize("token", ["", "wrong", "x" * 64])
def test_form_without_its_token_is_refused_with_a_page(route, token):
    game = make_game(seats=3, rounds=1)
    client = client_for(game, enforce_csrf_checks=True)
    client.get("/games/new/")
    address = address_of(route, game)
    before = rows_of(game)

    response = client.post(address, {"csrfmiddlewaretoken": token, "start": "1", "seen": "1"})

    assert response.status_code == 403
    assert read(response).one("h1").text == "This page has expired"
    assert rows_of(game) == before


@pytest.mark.parametrize("htmx", [False, True])
def test_form_with_its_token_is_accepted(htmx):
    game = make_game(seats=3)
    client = client_for(game, enforce_csrf_checks=True)
    page = read(client.get(f"/games/{game.pk}/"))
    fields = dict(page.one(id="bids").fields()) | {"bid": "0"}
    headers = {}
    if htmx:
        token = re.fullmatch(r'\{"X-CSRFToken": "(\w+)"\}', page.one("body")["hx-headers"])
        headers = {"HX-Request": "true", "X-CSRFToken": token[1]}
        del fields["csrfmiddlewaretoken"]

    response = client.post(f"/games/{game.pk}/", fields, headers=headers)

    assert response.status_code == (200 if htmx else 302)


def test_csrf_cookie_is_read_by_no_script():
    client = Client()
    client.get("/games/new/")

    assert (client.cookies["csrftoken"]["httponly"], client.cookies["csrftoken"]["samesite"]) == (True, "Lax")


# -- headers and what stands in the pages ---------------------------------------------------------------------------

POLICY = {
    "default-src 'none'",
    *(f"{kind}-src 'self'" for kind in ("script", "style", "font", "connect", "manifest")),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


@pytest.fixture(scope="module")
def pages(django_db_setup, django_db_blocker):
    """Return every page once for all tests below; what was written for them is taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        answers = every_page(("Annika", "Bernd", "Cem", "Doro"))
        transaction.set_rollback(True)
    return answers


@pytest.fixture(scope="module")
def roots(pages):
    """Return the elements of every page."""
    return {name: read(answer) for name, answer in pages.items()}


def test_every_page_carries_the_security_headers(pages):
    for name, answer in pages.items():
        # What draws the API's page keeps its little pictures in its style sheet.
        pictures = {"img-src 'self' data:"} if name == "api, docs" else {"img-src 'self'"}
        assert set(answer["Content-Security-Policy"].split("; ")) == POLICY | pictures, name
        assert answer["X-Content-Type-Options"] == "nosniff", name
        assert answer["X-Frame-Options"] == "DENY", name
        assert answer["Referrer-Policy"] == "same-origin", name
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin", name
        assert answer["Content-Type"] == "text/html; charset=utf-8", name


def inline_code(root: Element) -> list[str]:
    """Return what the Content-Security-Policy would stop: inline scripts, styles, event handlers, foreign addresses."""
    found = []
    for element in root.walk():
        # JSON is data, which no browser runs.
        is_code = element.tag == "script" and element.attrs.get("type") != "application/json"
        if element.tag == "style" or (is_code and ("src" not in element.attrs or element.text)):
            found.append(f"<{element.tag}>")
        for name, value in element.attrs.items():
            if name == "style" or name.startswith(("on", "hx-on")):
                found.append(f"{element.tag} {name}")
            if name in {"src", "href", "action"} and not value.startswith(("/", "#")):
                found.append(f"{element.tag} {name}={value}")
    return found


def test_no_page_holds_inline_code(roots):
    assert {name: inline_code(root) for name, root in roots.items()} == {name: [] for name in roots}


@pytest.mark.parametrize(
    "html",
    [
        "<style>p{}</style>",
        "<script>x</script>",
        '<script type="module">x</script>',
        '<p style="x"></p>',
        '<p onclick="x"></p>',
        '<p hx-on:click="x"></p>',
        '<a href="javascript:x"></a>',
        '<script src="https://elsewhere.example/x.js"></script>',
    ],
)
def test_inline_code_would_be_noticed(html):
    assert len(inline_code(read_html(html))) == 1


def test_every_id_of_a_page_is_used_once_and_every_reference_has_its_element(roots):
    for name, root in roots.items():
        ids = [element["id"] for element in root.walk() if "id" in element.attrs]
        assert len(ids) == len(set(ids)), name
        if root.all("html"):
            named = {
                reference
                for element in root.walk()
                for attribute in ("aria-labelledby", "aria-describedby", "for")
                for reference in element.attrs.get(attribute, "").split()
            }
            assert named <= set(ids), name


def test_every_page_has_one_heading_a_title_and_a_language(roots):
    for name, root in roots.items():
        if root.all("html"):
            assert len(root.all("h1")) == 1, name
            assert root.one("head").one("title").text.endswith("Tafelrunde"), name
            assert root.one("html")["lang"] == "en", name


def test_every_form_that_posts_carries_a_token(roots):
    for name, root in roots.items():
        for form in root.all("form"):
            tokens = form.all("input", name="csrfmiddlewaretoken")
            # The referee, exports, odd games and searches only read: their forms make an address, and a token must not
            # stand in one.
            leads_to_reads = form.attrs.get("action", "").endswith(("/referee/", "/export/", "/suspicions/"))
            reads = leads_to_reads or form.attrs.get("role") == "search"
            assert form["method"] == ("get" if reads else "post"), name
            assert len(tokens) == (1 if form["method"] == "post" else 0), name
