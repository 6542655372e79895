"""The end of an account: nothing personal is left, score sheets stay, and nobody else may do it."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.test import Client

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Receipt, User
from scoresheets.recording.accounts import delete_account
from tests.scoresheets.accounts.helpers import add_app, add_passkey, device_of, make_account, sign_in
from tests.scoresheets.factories import client_for, link_to, make_game, rows_of, seat_ids, seen_of
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def annika():
    """Return an account with one of everything."""
    user = make_account(
        email="annika@example.org", first_name="Annika", last_name="Beck", language="en", theme="dark", is_staff=True
    )
    EmailAddress.objects.create(user=user, email="annika@example.org", verified=True, primary=True)
    user.groups.add(Group.objects.create(name="staff"))
    return user


def test_page_says_what_goes_and_what_stays_and_wants_the_box_ticked(annika):
    client = device_of(annika, sure=True)
    page = read(client.get("/account/delete/"))
    assert [heading.text for heading in page.one("main").all("h2")] == ["What goes, for good", "What stays"]
    refused = client.post("/account/delete/")

    assert refused.status_code == 422
    assert read(refused).one(id="sure_errors").text == "Tick the box if you really want this."
    assert not User.objects.get().is_deleted


def test_account_is_deleted_with_everything_personal(annika):
    client, there = device_of(annika, sure=True), device_of(annika)
    add_app(annika), add_passkey(annika)

    answer = client.post("/account/delete/", {"sure": "on"})

    assert answer["Location"] == "/"
    assert "Your account is deleted." in client.get("/").content.decode()
    user = User.objects.get()
    assert {
        field: getattr(user, field)
        for field in ("username", "username_key", "first_name", "last_name", "email", "language", "theme", "last_login")
    } == {
        "username": f"#{user.pk}",
        "username_key": f"#{user.pk}",
        **dict.fromkeys(("first_name", "last_name", "email", "language", "theme"), ""),
        "last_login": None,
    }
    assert (user.is_active, user.is_staff, user.is_superuser, user.has_usable_password()) == (False,) * 4
    assert (user.groups.count(), str(user)) == (0, "deleted account")
    for model in (EmailAddress, Authenticator, UserSession):
        assert model.objects.count() == 0
    assert (client.get("/account/").status_code, there.get("/account/").status_code) == (302, 302)
    for login in ("Annika", "annika@example.org", user.username):
        assert sign_in(Client(), login).status_code == 200


def test_name_is_free_again_and_belongs_to_somebody_new(annika):
    delete_account(annika, by=Actor.of_user(annika))
    again = make_account("Annika")

    assert again.pk != annika.pk


def test_score_sheets_and_their_journal_stay(annika):
    game = make_game(seats=3)
    by = Actor.of_user(annika, link=link_to(game)[0])
    recording.record_bids(game, bids={seat_ids(game)[0]: 0}, seen=seen_of(game), by=by, key="bid")
    entry = game.entries.latest("version")
    assert entry.user == annika
    Receipt.objects.create(actor=f"user:{annika.pk}", key="k", fingerprint="f", status=200, body={})
    before = rows_of(game)

    delete_account(annika, by=Actor.of_user(annika))

    assert rows_of(game) == {**before, "receipts": []}
    entry.refresh_from_db()
    assert str(entry.user) == "deleted account"


def test_receipts_of_others_stay(annika):
    other = make_account("Bernd")
    for actor in (f"user:{annika.pk}", f"user:{other.pk}", f"user:{annika.pk}0", "link:1"):
        Receipt.objects.create(actor=actor, key="k", fingerprint="f", status=200, body={})

    delete_account(annika, by=OPERATOR)

    assert sorted(Receipt.objects.values_list("actor", flat=True)) == sorted(
        [f"user:{other.pk}", f"user:{annika.pk}0", "link:1"]
    )


def test_nobody_else_may(annika):
    game = make_game(seats=3)
    other = make_account("Bernd", is_superuser=True, is_staff=True)
    for actor in (Actor.of_user(other), Actor.of_device("x"), Actor.of_link(game.links.first())):
        with pytest.raises(PermissionDenied):
            delete_account(annika, by=actor)
    assert not User.objects.get(pk=annika.pk).is_deleted

    delete_account(annika, by=OPERATOR)

    assert User.objects.get(pk=annika.pk).is_deleted
    assert not User.objects.get(pk=other.pk).is_deleted


def test_deleting_twice_changes_nothing(annika):
    delete_account(annika, by=OPERATOR)
    before = User.objects.values().get()

    delete_account(annika, by=OPERATOR)

    assert User.objects.values().get() == before


def test_stranger_and_unsure_owner_delete_nothing(annika):
    for client in (Client(), device_of(annika)):
        answer = client.post("/account/delete/", {"sure": "on"})
        assert answer.status_code == 302
        assert answer["Location"].startswith(("/account/login/", "/account/reauthenticate/"))
        assert not User.objects.get().is_deleted


def test_devices_games_stay_on_the_device(annika):
    game = make_game(seats=3)
    client = client_for(game)
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": "correct horse battery"})

    client.post("/account/delete/", {"sure": "on"})

    assert client.get(f"/games/{game.pk}/").status_code == 200


def test_last_owner_of_a_club_is_told_why_the_account_stays(annika):
    club = recording.create_club(recording.ClubSettings("Runde"), by=Actor.of_user(annika))
    club.memberships.create(user=make_account("Bernd"), role="member")
    User.objects.filter(pk=annika.pk).update(language="en")
    client = device_of(annika, sure=True)

    answer = client.post("/account/delete/", {"sure": "on"})

    assert answer.status_code == 409
    assert read(answer).one(id="sure_errors").text == "A club needs an owner: make somebody else owner first."
    assert not User.objects.get(pk=annika.pk).is_deleted
