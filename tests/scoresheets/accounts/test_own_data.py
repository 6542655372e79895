"""All that is stored about an account, as a file: complete, and without anything that opens it."""

from __future__ import annotations

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps

from scoresheets.actors import OPERATOR
from scoresheets.models import Entry, User
from scoresheets.queries import own_data
from scoresheets.recording import record_bids
from tests.scoresheets.accounts.helpers import TOTP_SECRET, add_app, add_passkey, device_of, make_account
from tests.scoresheets.factories import make_game, seat_ids, seen_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def annika():
    user = make_account("Änne", email="anne@example.org", language="de", theme="dark")
    EmailAddress.objects.create(user=user, email="anne@example.org", verified=True, primary=True)
    return user


def test_file_holds_everything_about_the_account_and_nobody_else(annika):
    client = device_of(annika, sure=True, headers={"user-agent": "Firefox"})
    other = make_account("Bernd", email="bernd@example.org")
    EmailAddress.objects.create(user=other, email="bernd@example.org", verified=True, primary=True)
    add_passkey(annika, "Phone"), add_passkey(other, "Not yours")
    game = make_game(seats=3)
    seat = seat_ids(game)[0]
    record_bids(game, bids={seat: 1}, seen=seen_of(game), by=OPERATOR)
    Entry.objects.filter(game=game, version=2).update(user=annika)

    answer = client.get("/account/data/")

    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith('attachment; filename="tafelrunde-2')
    assert "no-store" in answer["Cache-Control"]
    assert "Änne" in answer.content.decode()  # to be read, not escaped
    data = json.loads(answer.content)
    assert list(data) == list(own_data.KINDS)
    assert {key: data["account"][key] for key in ("name", "language", "theme")} == {
        "name": "Änne",
        "language": "de",
        "theme": "dark",
    }
    assert data["email_addresses"] == [{"email": "anne@example.org", "verified": True, "primary": True}]
    assert [factor["name"] for factor in data["second_factors"]] == ["Phone"]
    assert [(session["ip"], session["user_agent"]) for session in data["sessions"]] == [("127.0.0.1", "Firefox")]
    assert [(entry["game_id"], entry["version"], entry["kind"]) for entry in data["entries"]] == [
        (game.pk, 2, "bids_recorded")
    ]
    assert "Bernd" not in answer.content.decode()
    assert "bernd@example.org" not in answer.content.decode()


def test_file_holds_no_secret(annika):
    client = device_of(annika, sure=True)
    codes = add_app(annika)
    seed = Authenticator.objects.get(type="recovery_codes").data["seed"]

    text = client.get("/account/data/").content.decode()

    for secret in (TOTP_SECRET, seed, *codes, annika.password, client.session.session_key):
        assert secret not in text


def test_new_account_has_an_entry_for_each_kind_too():
    data = own_data.own_data(make_account())

    assert {kind: bool(found) for kind, found in data.items() if kind != "account"} == dict.fromkeys(
        [kind for kind in own_data.KINDS if kind != "account"], False
    )


def test_every_column_of_the_account_is_told_or_left_out_on_purpose():
    """A new column has to be put on one of the two sides."""
    told = {"username", "date_joined", "last_login", "language", "theme"}
    # The address is told with the addresses; the rest is nothing a person gave or would know.
    left_out = {"id", "password", "username_key", "email", "first_name", "last_name"}
    left_out |= {"is_active", "is_staff", "is_superuser"}

    assert {field.name for field in User._meta.concrete_fields} == told | left_out


def test_every_table_of_the_sign_in_library_about_accounts_is_told():
    tables = {
        model.__name__
        for label in ("account", "mfa", "usersessions")
        for model in apps.get_app_config(label).get_models()
        if any(field.related_model is User for field in model._meta.concrete_fields)
    }

    assert tables == {"EmailAddress", "Authenticator", "UserSession"}
