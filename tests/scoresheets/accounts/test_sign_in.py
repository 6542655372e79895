"""Signing in and out: who gets in, what is counted, and where one is led."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.test import Client

from tests.scoresheets.accounts.helpers import PASSWORD, device_of, errors_at, make_account, sign_in
from tests.scoresheets.factories import client_for, make_game
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db
WRONG = "Name or password is wrong."


def refusal(answer):
    """Return the sentence above the form that was refused."""
    assert answer.status_code == 200
    return read(answer).one(class_="err-box").text


@pytest.mark.parametrize("login", ["Änne Müller", "änne müller", "ÄNNE MÜLLER", " A\u0308nne  Müller "])
def test_name_opens_the_account_however_it_is_written(client, login):
    make_account("Änne Müller")

    assert sign_in(client, login)["Location"] == "/"
    assert read(client.get("/account/")).one("h1").text == "Änne Müller"


@pytest.mark.parametrize("login", ["annika@example.org", "Annika@Example.ORG"])
def test_address_opens_the_account_too(client, login):
    user = make_account("Annika", email="annika@example.org")
    EmailAddress.objects.create(user=user, email="annika@example.org", verified=True, primary=True)

    assert sign_in(client, login)["Location"] == "/"


@pytest.mark.parametrize(
    ("login", "password"),
    [
        ("Annika", "incorrect"),
        ("Nobody", PASSWORD),
        ("nobody@example.org", PASSWORD),
        ("annika@example.org", "incorrect"),
    ],
)
def test_wrong_password_unknown_name_and_unknown_address_are_told_alike(client, login, password):
    user = make_account("Annika", email="annika@example.org")
    EmailAddress.objects.create(user=user, email="annika@example.org", verified=True, primary=True)

    answer = sign_in(client, login, password)

    assert refusal(answer) == WRONG
    assert read(answer).one(id="id_login")["value"] == login
    assert password not in answer.content.decode()


def test_empty_field_is_named(client):
    page = read(client.post("/account/login/", {"login": "", "password": "x"}))

    assert errors_at(page, "login") == "This field is required."
    assert errors_at(page, "password") == ""


def test_session_key_is_a_new_one_after_signing_in(client):
    make_account()
    client.get("/account/2fa/webauthn/login/", headers={"Accept": "application/json"})  # gives a visitor a session
    fixed = client.session.session_key
    assert fixed

    sign_in(client)

    assert client.session.session_key != fixed
    thief = Client()
    thief.cookies["sessionid"] = fixed
    assert thief.get("/account/").status_code == 302


def test_cookie_of_the_session_is_out_of_reach_of_scripts_and_other_sites(client):
    make_account()

    cookie = sign_in(client).cookies["sessionid"]

    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 60 * 24 * 3600)


@pytest.mark.parametrize(
    "target", ["https://evil.example.org/", "//evil.example.org", "javascript:alert(1)", "http:///evil", "\\\\evil"]
)
def test_next_leads_to_no_other_site(client, target):
    make_account()

    assert sign_in(client, next=target)["Location"] == "/"


def test_next_leads_back_to_the_game(client):
    make_account()
    game = make_game(seats=3)
    keeper = client_for(game)
    link = next(
        link["href"] for link in read(keeper.get(f"/games/{game.pk}/")).all("a") if "account/login" in link["href"]
    )

    page = read(keeper.get(link))

    fields = dict(page.all("form", class_="sec")[0].fields())
    assert fields["next"] == f"/games/{game.pk}/"
    assert sign_in(keeper, next=fields["next"])["Location"] == f"/games/{game.pk}/"


def test_sixth_attempt_is_refused_even_with_the_right_password(client):
    make_account()
    make_account("Bernd")

    refusals = [refusal(sign_in(client, password="wrong")) for _ in range(5)]
    sixth = sign_in(Client())

    assert refusals == [WRONG] * 5
    assert refusal(sixth) == "Too many attempts. Wait five minutes, then try again."
    assert sign_in(Client(), "Bernd")["Location"] == "/"


@pytest.mark.parametrize("login", ["ANNIKA", " annika ", "Ａnnika"])
def test_attempts_count_for_the_account_however_its_name_is_written(client, login):
    make_account()
    for _ in range(5):
        sign_in(client, login, "wrong")

    assert refusal(sign_in(Client())) == "Too many attempts. Wait five minutes, then try again."


def test_attempts_that_succeed_do_not_count():
    make_account()

    assert [sign_in(Client()).status_code for _ in range(8)] == [302] * 8


def test_attempts_from_one_address_count_whatever_the_name(client):
    answers = [sign_in(client, f"name{number}", "wrong") for number in range(11)]

    assert [refusal(answer) for answer in answers[:10]] == [WRONG] * 10
    assert refusal(answers[10]) == "Too many attempts. Wait five minutes, then try again."


def test_counters_in_the_database_hold_for_every_process(settings):
    """Another process has another connection and nothing in its memory: a second cache on the table stands for it."""
    table = {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache_of_test",
        "OPTIONS": {"MAX_ENTRIES": 100},
    }
    settings.CACHES = {"default": table, "other": table}
    call_command("createcachetable", verbosity=0)
    make_account()
    for _ in range(5):
        sign_in(Client(), password="wrong")

    kept = [key for key in _keys_in("cache_of_test") if "login_failed" in key]
    assert len(kept) >= 1
    assert [len(caches["other"].get(key.removeprefix(":1:"))) for key in kept] == [5] * len(kept)
    assert refusal(sign_in(Client())) == "Too many attempts. Wait five minutes, then try again."


def _keys_in(table):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT cache_key FROM {table}")
        return [key for (key,) in cursor.fetchall()]


def test_signing_out_is_a_post():
    client = device_of(make_account())

    page = client.get("/account/logout/")

    assert read(page).one("h1").text == "Sign out?"
    assert client.get("/account/").status_code == 200
    assert client.post("/account/logout/")["Location"] == "/"
    assert client.get("/account/").status_code == 302
    assert "You are signed out." in client.get("/").content.decode()


@pytest.mark.parametrize("address", ["/account/login/", "/account/signup/", "/account/logout/", "/account/delete/"])
def test_form_without_its_token_is_refused(address):
    make_account()
    client = Client(enforce_csrf_checks=True)

    answer = client.post(address, {"login": "Annika", "password": PASSWORD})

    assert answer.status_code == 403
    assert read(answer).one("h1").text == "This page has expired"
    assert "_auth_user_id" not in client.session


def test_closed_account_does_not_open(client):
    make_account(is_active=False)

    answer = sign_in(client)

    assert answer["Location"] == "/account/inactive/"
    assert "_auth_user_id" not in client.session


def test_menu_says_who_is_signed_in(client):
    game = make_game(seats=3)
    keeper = client_for(game)
    user = make_account("Änne")
    for address in ("/", f"/games/{game.pk}/"):
        menu = read(keeper.get(address)).one(class_="menu-sheet")
        assert [link.text for link in menu.all("a") if "/account/" in link["href"]] == ["Sign in"]
    sign_in(keeper, user.username)
    for address in ("/", f"/games/{game.pk}/"):
        menu = read(keeper.get(address)).one(class_="menu-sheet")
        assert [(link.text, link["href"]) for link in menu.all("a") if "/account/" in link["href"]] == [
            ("Änne", "/account/")
        ]
