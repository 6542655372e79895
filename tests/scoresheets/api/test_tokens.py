"""Tokens from the account's page, in the database, and at their end; and the API's own pages."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

import rules
from scoresheets import wording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Receipt, Token
from scoresheets.models.games import hash_of_secret
from scoresheets.queries import own_data
from scoresheets.recording import Conflict, tokens
from scoresheets.recording.tokens import make_token, revoke_token
from tests.scoresheets.accounts.helpers import device_of, make_account
from tests.scoresheets.api.helpers import Api, api_schema, operations, token_of
from tests.scoresheets.clubs import make_club, make_user, member_of, owner_of
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db

PAGE = "/account/tokens/"


def signed_in(name: str = "Annika") -> Actor:
    return Actor.of_user(make_user(name))


# -- recording -------------------------------------------------------------------------------------------------------


def test_secret_is_told_once_and_only_its_hash_is_kept():
    token, secret = make_token(name=" My  app ", scope="read", days=1, by=signed_in())

    assert re.fullmatch(r"tfr_[\w-]{40}", secret, re.ASCII)
    assert (token.name, token.shown, token.secret_hash) == ("My app", secret[:10], hash_of_secret(secret))
    assert secret not in json.dumps(list(Token.objects.values()), default=str)
    assert token.expires_at - token.created_at == timedelta(days=1)


def test_no_two_secrets_are_alike():
    by = signed_in()
    secrets = {make_token(name="App", scope="read", by=by)[1] for _ in range(20)}
    assert len(secrets) == len({secret[:10] for secret in secrets}) == 20


def test_same_key_makes_the_same_token_and_its_receipt_opens_nothing():
    by = signed_in()
    first = make_token(name="App", scope="read", by=by, key="k")

    assert make_token(name="App", scope="read", by=by, key="k") == first
    with pytest.raises(Conflict, match="key_reused"):
        make_token(name="App", scope="manage", by=by, key="k")
    assert Token.objects.count() == 1
    assert first[1] not in json.dumps(Receipt.objects.get().body)


@pytest.mark.parametrize(
    ("wrong", "codes"),
    [
        ({"name": " "}, ["name_missing"]),
        ({"name": "x" * 41}, ["name_too_long"]),
        ({"scope": "admin"}, ["scope_unknown"]),
        ({"scope": ""}, ["scope_unknown"]),
        ({"days": 0}, ["days_out_of_range"]),
        ({"days": 366}, ["days_out_of_range"]),
        ({"name": "", "scope": "", "days": -1}, ["name_missing", "scope_unknown", "days_out_of_range"]),
    ],
)
def test_token_that_cannot_be_is_refused(wrong, codes):
    with pytest.raises(rules.RulesError) as refused:
        make_token(**{"name": "App", "scope": "read", "days": 30, **wrong}, by=signed_in())
    assert [problem.code for problem in refused.value.problems] == codes
    assert not Token.objects.exists()


def test_an_account_has_so_many_tokens_at_most(monkeypatch):
    monkeypatch.setattr(tokens, "MOST_TOKENS", 2)
    by = signed_in()
    first, _secret = make_token(name="App", scope="read", by=by)
    make_token(name="App", scope="read", by=by)
    with pytest.raises(rules.RulesError):
        make_token(name="App", scope="read", by=by)
    revoke_token(first, by=by)
    assert make_token(name="App", scope="read", by=by)


def test_only_who_is_signed_in_makes_tokens_and_only_for_their_own_clubs():
    club, user = make_club(), make_user("Annika")
    token, _secret = token_of(user)
    for by in (Actor.of_token(token), Actor.of_device("x"), OPERATOR):
        with pytest.raises(PermissionDenied):
            make_token(name="App", scope="read", by=by)
    with pytest.raises(PermissionDenied):
        make_token(name="App", scope="read", club=club, by=Actor.of_user(user))
    assert Token.objects.count() == 1


def test_token_is_revoked_by_its_account_or_itself():
    token, _secret = token_of(make_user("Annika"))
    other, _secret = token_of(make_user("Bernd"))
    for by in (Actor.of_user(other.user), Actor.of_token(other), Actor.of_device("x")):
        with pytest.raises(PermissionDenied):
            revoke_token(token, by=by)
    revoke_token(other, by=Actor.of_token(other))
    first = revoke_token(token, by=Actor.of_user(token.user)).revoked_at
    assert revoke_token(token, by=Actor.of_user(token.user)).revoked_at == first


@pytest.mark.parametrize(
    ("wrong", "constraint"),
    [
        ({"name": ""}, "token_has_a_name"),
        ({"scope": "admin"}, "token_scope_is_known"),
        ({"expires_at": timezone.now() - timedelta(days=9)}, "token_expires_after_it_is_made"),
        ({"secret_hash": "taken"}, "token_secret_is_unique"),
    ],
)
def test_database_refuses_tokens_that_cannot_be(wrong, constraint):
    row = {"user": make_user("Annika"), "name": "App", "scope": "read", "shown": "tfr_"}
    Token.objects.create(**row, secret_hash="taken")
    with pytest.raises(IntegrityError, match=rf"{constraint}|token\.secret_hash"), transaction.atomic():
        Token.objects.create(**{**row, "secret_hash": "other", **wrong})


def test_tokens_for_a_club_go_with_it():
    club = make_club()
    owner = owner_of(club)
    token_of(owner, club=club)
    kept, _secret = token_of(owner)
    Api.of(owner).delete(f"clubs/{club.pk}/")
    assert kept in Token.objects.all()
    assert not Token.objects.filter(club__isnull=False).exists()


def test_own_data_tell_of_tokens_without_what_opens():
    token, secret = token_of(make_user("Annika"))
    (told,) = own_data.own_data(token.user)["tokens"]
    assert (told["name"], told["scope"], told["shown"]) == ("App", "manage", secret[:10])
    assert "secret_hash" not in told


# -- the account's page ----------------------------------------------------------------------------------------------


def test_page_asks_who_one_is_first():
    assert Client().get(PAGE)["Location"] == f"/account/login/?next={PAGE}"
    for method in ("get", "post"):
        answer = getattr(device_of(make_account(method)), method)(PAGE, {"name": "App", "scope": "read"})
        assert answer["Location"].startswith("/account/reauthenticate/")
    assert not Token.objects.exists()


def test_token_is_made_on_the_page_and_shown_once():
    user = make_account()
    club = make_club("Runde")
    club.memberships.create(user=user)
    client = device_of(user, sure=True)
    fields = dict(read(client.get(PAGE)).all("form")[-1].fields())

    shown = read(client.post(PAGE, {**fields, "name": "Bot", "scope": "record", "club": club.pk, "days": "7"}))

    token = Token.objects.get()
    secret = shown.one(id="secret")["value"]
    assert (token.user, token.name, token.scope, token.club) == (user, "Bot", "record", club)
    assert token.expires_at - token.created_at == timedelta(days=7)
    assert Api(secret).get(f"clubs/{club.pk}/").body["role"] == "member"
    again = read(client.post(PAGE, {**fields, "name": "Bot", "scope": "record", "club": club.pk, "days": "7"}))
    assert (again.one(id="secret")["value"], Token.objects.count()) == (secret, 1)
    page = client.get(PAGE).content.decode()
    assert secret not in page
    assert secret[:10] in page
    reused = client.post(PAGE, {**fields, "name": "Other", "scope": "read"})
    assert (reused.status_code, Token.objects.count()) == (409, 1)


def test_token_without_an_end_has_to_be_chosen():
    client = device_of(make_account(), sure=True)
    assert dict(read(client.get(PAGE)).all("form")[-1].fields())["days"] == "90"
    client.post(PAGE, {"name": "Bot", "scope": "read", "club": "", "days": ""})
    assert Token.objects.get().expires_at is None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": ""}, "Enter a name."),
        ({"scope": "admin"}, "Choose what the token may do."),
        ({"days": "5000"}, "Select a valid choice. 5000 is not one of the available choices."),
        ({"club": "999"}, "Select a valid choice. 999 is not one of the available choices."),
    ],
)
def test_page_says_what_is_wrong_with_a_token(wrong, sentence):
    client = device_of(make_account(), sure=True)
    answer = client.post(PAGE, {"name": "Bot", "scope": "read", "club": "", "days": "7", **wrong})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Token.objects.exists()


def test_page_does_not_give_a_token_for_a_club_of_others():
    club = make_club()
    client = device_of(make_account(), sure=True)
    assert client.post(PAGE, {"name": "Bot", "scope": "read", "club": club.pk}).status_code == 422


def test_page_lists_uses_and_ends_and_revokes():
    user = make_account()
    used, _secret = make_token(name="Used", scope="read", days=30, by=Actor.of_user(user))
    Token.objects.filter(pk=used.pk).update(last_used_at=timezone.now())
    old, _secret = make_token(name="Old", scope="read", days=1, by=Actor.of_user(user))
    Token.objects.filter(pk=old.pk).update(
        created_at=timezone.now() - timedelta(days=9), expires_at=timezone.now() - timedelta(days=8)
    )
    gone, _secret = make_token(name="Gone", scope="read", by=Actor.of_user(user))
    client = device_of(user, sure=True)

    revoked = client.post(PAGE, {"revoke": gone.pk})

    rows = [row.text for row in read(client.get(PAGE)).all("li", class_="acc-row")]
    assert revoked["Location"] == PAGE
    assert [row[:4] for row in rows] == ["Used", "OldR"]
    assert "last used" in rows[0]
    assert "expired on" in rows[1]
    assert "not used yet" in rows[1]


@pytest.mark.parametrize("typed", ["", "x", "999", "9" * 40])
def test_page_revokes_no_token_of_others(typed):
    other, _secret = token_of(make_user("Bernd"))
    client = device_of(make_account(), sure=True)
    assert client.post(PAGE, {"revoke": typed}).status_code == 404
    assert client.post(PAGE, {"revoke": other.pk}).status_code == 404
    other.refresh_from_db()
    assert other.revoked_at is None


# -- the API's own pages ---------------------------------------------------------------------------------------------


def test_schema_is_whole_and_known_again_by_its_tag():
    answer = Client().get("/api/v1/schema/")
    assert (answer.status_code, json.loads(answer.content)) == (200, json.loads(json.dumps(api_schema())))
    assert json.loads(answer.content)["openapi"] == "3.1.0"
    again = Client().get("/api/v1/schema/", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_code_is_on_the_page_of_problems(language):
    page = read(Client().get("/api/v1/problems/", headers={"Accept-Language": language}))
    codes = [code for shelf in wording.codes_in_general().values() for code in shelf]
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert "%(" not in page.one(id=code).text
        assert code in page.one(id=code).text


def test_page_to_try_things_out_is_served_from_here_alone():
    answer = Client().get("/api/v1/docs/")
    page = read(answer)
    addresses = [one.attrs.get("src") or one.attrs.get("href") for one in (*page.all("script"), *page.all("link"))]
    assert all(address.startswith("/") for address in addresses)
    assert any("swagger-ui-bundle" in address for address in addresses)
    assert page.one(id="api")["data-schema"] == "/api/v1/schema/"
    assert page.one(id="api")["data-csrf"] == ""
    assert "img-src 'self' data:" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    for _method, path in operations().values():
        assert path in answer.content.decode()


def test_page_to_try_things_out_writes_as_who_is_signed_in():
    client = Client(enforce_csrf_checks=True)
    member = member_of(make_club(), "manager")
    client.force_login(member.user)
    token = read(client.get("/api/v1/docs/")).one(id="api")["data-csrf"]
    club_id = member.roles[0][0]
    answer = Api(client=client).patch(f"clubs/{club_id}/", {"name": "Neu"}, X_CSRFToken=token)
    assert (answer.status, answer.body["name"]) == (200, "Neu")


@pytest.mark.parametrize("name", ["schema", "docs", "problems"])
def test_own_pages_are_only_read(name):
    assert [getattr(Client(), method)(f"/api/v1/{name}/").status_code for method in ("head", "post", "put")] == [
        *(200, 405, 405)
    ]


def test_token_is_open_as_long_as_it_says():
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False) as now:
        token, _secret = make_token(name="App", scope="read", days=1, by=signed_in())
        states = []
        for moment in ("2026-03-02T11:59:59Z", "2026-03-02T12:00:00Z"):
            now.move_to(moment)
            states.append((token.is_usable, Token.objects.usable().exists()))
    assert states == [(True, True), (False, False)]
