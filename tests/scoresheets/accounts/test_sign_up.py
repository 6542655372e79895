"""Signing up: which names, with and without an address, and what it tells about others."""

from __future__ import annotations

from smtplib import SMTPServerDisconnected

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from scoresheets.models import User
from tests.scoresheets.accounts.helpers import PASSWORD, errors_at, make_account, sign_in
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


def sign_up(client, name="Annika", email="", password=PASSWORD, again=None, **sent):
    again = password if again is None else again
    return client.post(
        "/account/signup/", {"username": name, "email": email, "password1": password, "password2": again, **sent}
    )


def test_account_needs_a_name_and_a_password_only(client, mailoutbox):
    answer = sign_up(client)

    assert (answer.status_code, answer["Location"]) == (302, "/")
    user = User.objects.get()
    assert (user.username, user.email, user.language, user.theme) == ("Annika", "", "", "")
    assert client.get("/account/").status_code == 200
    assert mailoutbox == []


def test_address_is_stored_and_confirmed_by_a_link_that_holds_nobody_up(client, mailoutbox):
    answer = sign_up(client, email="Annika@Example.org")

    assert answer["Location"] == "/"
    address = EmailAddress.objects.get()
    assert (address.email, address.verified, address.primary) == ("annika@example.org", False, True)
    mail = mailoutbox[0]
    assert (mail.to, mail.subject) == (["annika@example.org"], "Tafelrunde: Confirm your email address")
    link = next(line for line in mail.body.splitlines() if line.startswith("http"))
    page = read(client.get(link))
    assert page.one("main").one("p").text == "Does annika@example.org belong to the account “Annika”?"
    assert client.get(link).status_code == 200
    assert not EmailAddress.objects.get().verified  # looking at it is not enough: mail scanners open links

    client.post(link)

    assert EmailAddress.objects.get().verified
    assert User.objects.get().email == "annika@example.org"


@pytest.mark.parametrize("trouble", [SMTPServerDisconnected("gone"), TimeoutError(), ConnectionRefusedError()])
def test_mail_server_in_trouble_stops_nobody(client, monkeypatch, caplog, trouble):
    def fail(*args, **options):
        raise trouble

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", fail)

    answer = sign_up(client, email="annika@example.org")

    assert (answer.status_code, answer["Location"], User.objects.count()) == (302, "/", 1)
    assert "A mail could not be sent" in caplog.text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "This field is required."),
        ("\u202eAnnika", "“U+202E” cannot be part of a name. Use letters, digits, spaces and . _ - '"),
        ("An\u200bnika", "“U+200B” cannot be part of a name. Use letters, digits, spaces and . _ - '"),
        ("Annika 🃏", "“🃏” cannot be part of a name. Use letters, digits, spaces and . _ - '"),
        ("<b>Annika</b>", "“<” cannot be part of a name. Use letters, digits, spaces and . _ - '"),
        ("annika@example.org", "“@” cannot be part of a name. Use letters, digits, spaces and . _ - '"),
        ("#7", "“#” cannot be part of a name. Use letters, digits, spaces and . _ - '"),
        ("-", "A name begins with a letter or a digit."),
        ("BERND", "This name is taken."),
        ("ÄNNE", "This name is taken."),
        ("\ufdfa\ufdfa\ufdfa", "A name has at most 40 characters."),  # three that stand for 18 each
    ],
)
def test_bad_name_is_refused_at_its_field_and_stays_typed(client, name, sentence):
    make_account("Bernd")
    make_account("Änne")

    page = read(sign_up(client, name))

    assert errors_at(page, "username") == sentence
    assert page.one(id="id_username").attrs.get("value", "") == name
    assert User.objects.count() == 2
    assert "_auth_user_id" not in client.session


def test_name_is_tidied(client):
    sign_up(client, "  Anna   Lena ")

    assert User.objects.get().username == "Anna Lena"


def test_longest_name_fits_and_one_more_does_not(client):
    assert sign_up(client, "a" * 41).status_code == 200
    assert User.objects.count() == 0
    assert sign_up(client, "a" * 40).status_code == 302


@pytest.mark.parametrize(
    ("password", "again", "field"),
    [
        ("short", "short", "password1"),
        ("password1234", "password1234", "password1"),
        ("AnnikaAnnika", "AnnikaAnnika", "password1"),
        (PASSWORD, "another horse", "password2"),
    ],
)
def test_bad_password_is_refused_at_its_field_and_never_shown_again(client, password, again, field):
    answer = sign_up(client, "AnnikaAnnik", password=password, again=again)

    assert errors_at(read(answer), field) != ""
    assert f'value="{password}"' not in answer.content.decode()
    assert User.objects.count() == 0


@pytest.mark.parametrize("verified", [True, False])
def test_somebody_elses_address_is_not_told(client, verified):
    owner = make_account("Bernd", email="bernd@example.org")
    EmailAddress.objects.create(user=owner, email="bernd@example.org", verified=verified, primary=True)

    taken, free = sign_up(client, "Annika", "bernd@example.org"), sign_up(Client(), "Cem", "cem@example.org")

    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"]) == (302, "/")
    # The address still opens its owner's account only, with its owner's password.
    assert sign_in(Client(), "bernd@example.org")["Location"] == "/"
    assert not EmailAddress.objects.get(user__username="Annika").verified


def test_address_confirmed_elsewhere_cannot_be_confirmed_twice(client, mailoutbox):
    owner = make_account("Bernd", email="bernd@example.org")
    EmailAddress.objects.create(user=owner, email="bernd@example.org", verified=True, primary=True)
    sign_up(client, "Annika", "bernd@example.org")
    link = next(line for line in mailoutbox[0].body.splitlines() if line.startswith("http"))

    client.post(link)

    assert list(EmailAddress.objects.filter(verified=True).values_list("user__username", flat=True)) == ["Bernd"]


def test_device_hands_its_language_and_theme_to_the_new_account(client):
    client.post("/language/", {"language": "de"})
    client.post("/theme/", {"theme": "dark"})
    sign_up(client)

    assert User.objects.values_list("language", "theme").get() == ("de", "dark")


def test_session_of_a_visitor_is_not_carried_into_the_account(client):
    client.get("/account/2fa/webauthn/login/", headers={"Accept": "application/json"})  # gives a visitor a session
    before = client.session.session_key
    assert before

    sign_up(client)

    assert client.session.session_key != before


def test_twenty_accounts_a_minute_from_one_address_are_enough(client):
    statuses = [sign_up(Client(), "-").status_code for _ in range(21)]

    assert statuses == [200] * 20 + [429]
    assert read(sign_up(Client(), "-")).one("h1").text == "Too many attempts"
