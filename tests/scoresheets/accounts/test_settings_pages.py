"""What an account can change about itself: address, password, second factors, where it is signed in."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.test import Client

from scoresheets.models import User
from tests.scoresheets.accounts.helpers import (
    PASSWORD,
    add_app,
    add_passkey,
    code_of_app,
    device_of,
    errors_at,
    make_account,
    sign_in,
)
from tests.scoresheets.pages import press, read

pytestmark = pytest.mark.django_db
NEW = "another horse entirely"


@pytest.fixture
def annika():
    """Return an account with a confirmed address."""
    user = make_account(email="annika@example.org")
    EmailAddress.objects.create(user=user, email="annika@example.org", verified=True, primary=True)
    return user


def link_in(mail):
    """Return the address that a mail asks to open."""
    return next(line for line in mail.body.splitlines() if line.startswith("http")).removeprefix("http://testserver")


def addresses():
    return sorted(EmailAddress.objects.values_list("email", "verified", "primary"))


# -- showing again who one is ----------------------------------------------------------------------------------------

NEEDS_CERTAINTY = ["/account/data/", "/account/delete/", "/account/2fa/totp/activate/", "/account/2fa/webauthn/add/"]


@pytest.mark.parametrize("address", NEEDS_CERTAINTY)
def test_page_that_matters_asks_for_the_password_again_and_then_opens(annika, address):
    client = device_of(annika)

    asked = client.get(address)
    assert asked["Location"].startswith("/account/reauthenticate/?next=")
    wrong = client.post(asked["Location"], {"password": "incorrect", "next": address})
    assert errors_at(read(wrong), "password") == "This is not your password."
    assert client.get(address).status_code == 302

    opened = client.post(asked["Location"], {"password": PASSWORD, "next": address})

    assert opened["Location"] == address
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("address", NEEDS_CERTAINTY)
def test_certainty_ends_after_a_quarter_of_an_hour(annika, address, settings):
    client = device_of(annika, sure=True)
    assert client.get(address).status_code == 200

    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0

    assert client.get(address)["Location"].startswith("/account/reauthenticate/")


def test_password_cannot_be_tried_out_by_asking_again(annika):
    client = device_of(annika)

    statuses = [client.post("/account/reauthenticate/", {"password": "incorrect"}).status_code for _ in range(11)]

    assert statuses[0] == 200
    assert statuses[-1] == 429


# -- the address -----------------------------------------------------------------------------------------------------


def test_new_address_counts_once_it_is_confirmed(annika, mailoutbox):
    client = device_of(annika, sure=True)

    client.post("/account/email/", {"email": "new@example.org", "action_add": "1"})

    assert addresses() == [("annika@example.org", True, True), ("new@example.org", False, False)]
    assert [mail.to for mail in mailoutbox] == [["new@example.org"]]
    client.post(link_in(mailoutbox[0]))
    assert addresses() == [("new@example.org", True, True)]
    assert User.objects.get().email == "new@example.org"
    # The old address is told, so that whoever lost it knows.
    assert (mailoutbox[1].to, mailoutbox[1].subject) == (
        ["annika@example.org"],
        "Tafelrunde: Something changed in your account",
    )
    assert "Another email address was set for your account." in mailoutbox[1].body


@pytest.mark.parametrize("action", ["action_add", "action_remove"])
def test_address_is_not_touched_before_the_password_was_given_again(annika, mailoutbox, action):
    client = device_of(annika)
    sent = {"email": "new@example.org" if action == "action_add" else "annika@example.org", action: "1"}

    answer = client.post("/account/email/", sent)

    assert answer["Location"].startswith("/account/reauthenticate/")
    assert addresses() == [("annika@example.org", True, True)]
    assert mailoutbox == []
    # What was asked for is done then, without being typed again.
    client.post(answer["Location"], {"password": PASSWORD, "next": "/account/email/"})
    assert ("annika@example.org", True, True) in addresses() if action == "action_add" else addresses() == []


def test_address_may_be_removed_altogether(annika):
    client = device_of(annika, sure=True)

    press(client, "/account/email/", "action_remove")

    assert (addresses(), User.objects.get().email) == ([], "")
    assert "None. A forgotten password cannot be replaced." in client.get("/account/").content.decode()


@pytest.mark.parametrize("typed", ["", "nonsense", "a@b", "<b>@example.org", "a\u202e@example.org"])
def test_bad_address_is_refused_at_its_field(annika, typed):
    client = device_of(annika, sure=True)

    page = read(client.post("/account/email/", {"email": typed, "action_add": "1"}))

    assert errors_at(page, "email") != ""
    assert addresses() == [("annika@example.org", True, True)]


def test_address_of_somebody_else_is_not_told(annika, mailoutbox):
    client = device_of(make_account("Bernd"), sure=True)

    taken = client.post("/account/email/", {"email": "annika@example.org", "action_add": "1"})
    free = client.post("/account/email/", {"email": "free@example.org", "action_add": "1"})

    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert EmailAddress.objects.get(user=annika).verified


@pytest.mark.parametrize("key", ["x", "MQ:1xXruJ:wrong"])
def test_link_that_confirms_nothing_says_so(client, key):
    page = read(client.get(f"/account/confirm-email/{key}/"))

    assert "This link no longer works." in page.one("main").text
    assert client.post(f"/account/confirm-email/{key}/").status_code == 404


# -- the password ----------------------------------------------------------------------------------------------------


def test_changed_password_signs_out_the_other_devices_and_is_told(annika, mailoutbox):
    here, there = device_of(annika), device_of(annika)

    sent = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    answer = here.post("/account/password/change/", sent)

    assert answer["Location"] == "/account/"
    assert (here.get("/account/").status_code, there.get("/account/").status_code) == (200, 302)
    assert sign_in(Client(), password=PASSWORD).status_code == 200
    assert sign_in(Client(), password=NEW).status_code == 302
    assert [(mail.to, "Your password was changed." in mail.body) for mail in mailoutbox] == [
        (["annika@example.org"], True)
    ]


def test_unconfirmed_address_is_told_nothing(mailoutbox):
    user = make_account(email="somebody@example.org")
    EmailAddress.objects.create(user=user, email="somebody@example.org", verified=False, primary=True)

    device_of(user).post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})

    assert mailoutbox == []


@pytest.mark.parametrize(
    ("sent", "field", "sentence"),
    [
        ({"oldpassword": "incorrect"}, "oldpassword", "This is not your password."),
        ({"password1": "short", "password2": "short"}, "password1", "This password is too short."),
        ({"password2": "different horse"}, "password2", "You must type the same password each time."),
    ],
)
def test_bad_new_password_is_refused_at_its_field(annika, sent, field, sentence):
    client = device_of(annika)

    good = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    page = read(client.post("/account/password/change/", {**good, **sent}))

    assert errors_at(page, field).startswith(sentence)
    assert User.objects.get().check_password(PASSWORD)


def test_forgotten_password_is_replaced_by_a_link_that_works_once(annika, client, mailoutbox):
    there = device_of(annika)
    answer = client.post("/account/password/reset/", {"email": "Annika@example.org"})
    assert answer["Location"] == "/account/password/reset/done/"
    link = link_in(mailoutbox[0])
    assert "for the account “Annika”" in mailoutbox[0].body

    opened = client.get(link, follow=True)
    form = opened.request["PATH_INFO"]
    assert link not in opened.content.decode()  # the secret is not in the address of the form
    done = client.post(form, {"password1": NEW, "password2": NEW}, follow=True)

    assert read(done).one("h1").text == "Your password is changed"
    assert there.get("/account/").status_code == 302
    assert sign_in(Client(), password=NEW).status_code == 302
    again = Client().get(link, follow=True)
    assert read(again).one("h1").text == "This link no longer works"


def test_forgotten_password_of_nobody_is_answered_alike(annika, client, mailoutbox):
    known = client.post("/account/password/reset/", {"email": "annika@example.org"})
    unknown = client.post("/account/password/reset/", {"email": "nobody@example.org"})

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [(mail.to[0], mail.subject) for mail in mailoutbox] == [
        ("annika@example.org", "Tafelrunde: New password"),
        ("nobody@example.org", "Tafelrunde: No account with this address"),
    ]


def test_sixth_link_a_minute_to_one_address_is_refused(annika, mailoutbox):
    statuses = [
        Client().post("/account/password/reset/", {"email": "annika@example.org"}).status_code for _ in range(6)
    ]

    assert (statuses, len(mailoutbox)) == ([302] * 5 + [429], 5)


def test_forged_host_does_not_get_into_a_mail(annika, client, mailoutbox):
    answer = client.post(
        "/account/password/reset/", {"email": "annika@example.org"}, headers={"host": "evil.example.org"}
    )

    assert (answer.status_code, mailoutbox) == (400, [])


# -- second factors --------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)  # the mail is sent once it is certain
def test_app_is_set_up_by_its_code_and_asked_for_from_then_on(annika, monkeypatch, mailoutbox):
    client = device_of(annika, sure=True)
    page = read(client.get("/account/2fa/totp/activate/"))
    secret = page.one("code").text
    assert page.one("figure").one("svg")
    monkeypatch.setattr("tests.scoresheets.accounts.helpers.TOTP_SECRET", secret)

    answer = client.post("/account/2fa/totp/activate/", {"code": code_of_app()})

    assert answer["Location"] == "/account/2fa/recovery-codes/"
    assert len(read(client.get("/account/2fa/recovery-codes/")).one(class_="acc-codes").all("li")) == 10
    assert "An app for codes was set up for your account." in mailoutbox[0].body
    other = Client()
    assert sign_in(other)["Location"] == "/account/2fa/authenticate/"
    assert other.get("/account/").status_code == 302


def test_wrong_code_sets_up_nothing(annika):
    client = device_of(annika, sure=True)
    client.get("/account/2fa/totp/activate/")

    page = read(client.post("/account/2fa/totp/activate/", {"code": "000000"}))

    assert errors_at(page, "code") == "This code is not right, or no longer valid."
    assert Authenticator.objects.count() == 0


def test_password_alone_does_not_open_an_account_with_an_app(annika, client):
    add_app(annika)
    assert sign_in(client)["Location"] == "/account/2fa/authenticate/"

    wrong = client.post("/account/2fa/authenticate/", {"code": "000000"})
    assert errors_at(read(wrong), "code") == "This code is not right, or no longer valid."
    assert client.get("/account/").status_code == 302
    right = client.post("/account/2fa/authenticate/", {"code": code_of_app()})

    assert (right["Location"], client.get("/account/").status_code) == ("/", 200)


def test_code_works_once(annika):
    add_app(annika)
    first, second, code = Client(), Client(), code_of_app()
    sign_in(first), sign_in(second)

    assert first.post("/account/2fa/authenticate/", {"code": code}).status_code == 302
    assert second.post("/account/2fa/authenticate/", {"code": code}).status_code == 200


def test_codes_cannot_be_tried_out(annika, client):
    add_app(annika)
    sign_in(client)
    for _ in range(5):
        client.post("/account/2fa/authenticate/", {"code": "000000"})

    page = read(client.post("/account/2fa/authenticate/", {"code": code_of_app()}))

    assert errors_at(page, "code") == "Too many attempts. Wait five minutes, then try again."


def test_recovery_code_opens_the_account_once(annika):
    codes = add_app(annika)
    for expected in (302, 200):
        client = Client()
        sign_in(client)
        assert client.post("/account/2fa/authenticate/", {"code": codes[0]}).status_code == expected
    client = Client()
    sign_in(client)
    client.post("/account/2fa/authenticate/", {"code": codes[1]})
    assert "8 codes are left." in client.get("/account/2fa/").content.decode()


def test_app_is_given_up_after_the_password(annika):
    client = device_of(annika, sure=True)
    add_app(annika)

    press_form(client, "/account/2fa/totp/deactivate/")

    assert not Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()
    assert sign_in(Client())["Location"] == "/"


def press_form(client, address):
    """Send the page's form that changes something, as its button does."""
    form = next(form for form in read(client.get(address)).one("main").all("form") if form["action"] == address)
    return client.post(address, dict(form.fields()))


def test_recovery_codes_are_new_after_making_them(annika):
    client = device_of(annika, sure=True)
    old = add_app(annika)

    press_form(client, "/account/2fa/recovery-codes/generate/")

    shown = [code.text for code in read(client.get("/account/2fa/recovery-codes/")).one(class_="acc-codes").all("li")]
    assert len(shown) == 10
    assert set(shown).isdisjoint(old)
    file = client.get("/account/2fa/recovery-codes/download/")
    assert file["Content-Disposition"] == 'attachment; filename="recovery-codes.txt"'
    assert file.content.decode().split() == shown


def test_passkeys_are_listed_renamed_and_removed(annika):
    client = device_of(annika, sure=True)
    passkey = add_passkey(annika, "Old phone")
    stranger = add_passkey(make_account("Bernd"), "Not yours")

    listed = read(client.get("/account/2fa/webauthn/"))
    assert [row.one("b").text for row in listed.all("li", class_="acc-row")] == ["Old phone"]
    client.post(f"/account/2fa/webauthn/keys/{passkey.pk}/edit/", {"name": "n" * 50})
    assert Authenticator.objects.get(pk=passkey.pk).wrap().name == "n" * 40
    for action in ("edit", "remove"):
        assert client.post(f"/account/2fa/webauthn/keys/{stranger.pk}/{action}/", {"name": "x"}).status_code == 404
    press_form(client, f"/account/2fa/webauthn/keys/{passkey.pk}/remove/")

    assert list(Authenticator.objects.values_list("pk", flat=True)) == [stranger.pk]


FORGED = [
    "",
    "[1]",
    '{"id": "x", "rawId": "x", "response": {}}',
    '{"id": "eHg", "rawId": "eHg", "type": "public-key", "response": {"clientDataJSON": "e30", '
    '"attestationObject": "oA", "authenticatorData": "AAAA", "signature": "AAAA", "userHandle": "MQ"}}',
    '{"id": 1, "rawId": [], "response": "x"}',
]
CEREMONIES = ["login/", "add/", "reauthenticate/", "../authenticate/"]


@pytest.mark.parametrize("credential", FORGED)
@pytest.mark.parametrize("ceremony", CEREMONIES)
def test_forged_passkey_is_refused_without_an_error(annika, ceremony, credential):
    add_passkey(annika)
    client = Client()
    if ceremony != "login/":
        annika.authenticator_set.all().delete()
        client = device_of(annika, sure=ceremony == "add/")
        add_passkey(annika)
    if ceremony == "../authenticate/":
        client = Client()
        sign_in(client)
    address = f"/account/2fa/webauthn/{ceremony}".replace("webauthn/../", "")
    client.get(address, headers={"Accept": "application/json"})

    answer = client.post(address, {"credential": credential, "name": "x"})

    # Back to the page that was sent, or to the one for signing in, which leads on whoever is signed in.
    expected = (302, "/account/login/") if ceremony in {"login/", "reauthenticate/"} else (200, "")
    assert (answer.status_code, answer.get("Location", "")) == expected
    assert Authenticator.objects.count() == 1
    assert client.get("/account/").status_code == (200 if ceremony in {"add/", "reauthenticate/"} else 302)


# -- where one is signed in ------------------------------------------------------------------------------------------


def test_devices_are_listed_and_the_others_signed_out(annika):
    firefox = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"
    here = device_of(annika, headers={"user-agent": firefox})
    there = device_of(annika, headers={"user-agent": "<script>alert(1)</script>"})

    rows = [row.one("b").text for row in read(here.get("/account/sessions/")).all("li", class_="acc-row")]
    assert sorted(rows) == ["Another browser", "Firefox, Android · this device"]
    answer = here.post("/account/sessions/")

    assert answer["Location"] == "/account/sessions/"
    assert "All other devices are signed out." in here.get("/account/sessions/").content.decode()
    assert (here.get("/account/").status_code, there.get("/account/").status_code) == (200, 302)
    assert UserSession.objects.count() == 1


def test_addresses_behind_a_proxy_are_those_of_the_visitors(annika, settings):
    forwarded = {"x-forwarded-for": "203.0.113.5, 198.51.100.7"}
    device_of(annika, headers=forwarded)
    assert UserSession.objects.get().ip == "127.0.0.1"  # without TRUST_PROXY the header is not believed
    UserSession.objects.all().delete()

    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    device_of(annika, headers=forwarded)

    assert UserSession.objects.get().ip == "198.51.100.7"


def test_pages_of_an_account_hold_its_name_as_text_only(client):
    """A name that no form would take, as an operator may have made it."""
    user = make_account('<b>"x')
    client.force_login(user)

    for address in ("/", "/account/", "/account/2fa/", "/account/sessions/", "/account/email/"):
        html = client.get(address).content.decode()
        assert '<b>"x' not in html
        assert re.search("&lt;b&gt;&quot;x", html), address
