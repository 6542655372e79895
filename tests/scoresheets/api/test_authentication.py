from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Entry, Token
from scoresheets.recording import accounts
from scoresheets.recording.tokens import make_token, note_use, revoke_token
from tests.scoresheets.api.helpers import Api, token_of
from tests.scoresheets.clubs import finished, make_club, make_user, owner_of
from tests.scoresheets.factories import link_to, make_game

pytestmark = pytest.mark.django_db

SECRET = f"tfr_{'A' * 40}"


@pytest.mark.parametrize(
    "header",
    [
        f"Bearer {SECRET}",
        "Bearer",
        "Bearer ",
        "Bearer tfr_short",
        "Basic dXNlcjpwYXNz",
        "Token x",
        f"Bearer {'x' * 5000}",
        "Bearer tfr_" + "ä" * 40,
        f"Bearer {SECRET} {SECRET}",
        f"Bearer  {SECRET}\t",
    ],
)
def test_what_is_no_token_is_refused_everywhere(header):
    club = make_club(visibility="public")

    for answer in (Api(Authorization=header).get(f"clubs/{club.pk}/"), Api(Authorization=header).post("clubs/", {})):
        assert answer.refusal == (401, "token_unknown")
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'


def test_token_is_taken_whatever_the_case_of_its_scheme():
    _token, secret = token_of(make_user("Annika"))
    assert [Api(Authorization=f"{word} {secret}").get("clubs/").status for word in ("Bearer", "bearer")] == [200, 200]


def test_session_beside_a_token_does_not_count():
    """What a bad token says goes before who is signed in."""
    client = Client()
    client.force_login(make_user("Annika"))
    assert Api(SECRET, client=client).get("clubs/").refusal == (401, "token_unknown")


def test_token_costs_no_session():
    user = make_user("Annika")
    answer = Api.of(user).get("clubs/")
    assert answer.headers["Vary"].count("Authorization") == 1
    assert not Session.objects.exists()


def test_revoked_token_opens_nothing():
    user = make_user("Annika")
    token, secret = token_of(user)
    revoke_token(token, by=Actor.of_user(user))
    assert Api(secret).get("clubs/").refusal == (401, "token_revoked")


def test_token_opens_until_the_moment_it_expires():
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False) as now:
        _token, secret = make_token(name="App", scope="read", days=1, by=Actor.of_user(make_user("Annika")))
        now.move_to("2026-03-02T11:59:59Z")
        before = Api(secret).get("clubs/").status
        now.move_to("2026-03-02T12:00:00Z")
        assert (before, Api(secret).get("clubs/").refusal) == (200, (401, "token_expired"))


def test_token_of_a_closed_or_deleted_account_opens_nothing():
    closed, deleted = make_user("Annika"), make_user("Bernd")
    apps = [Api(token_of(user)[1]) for user in (closed, deleted)]
    assert [app.get("clubs/").status for app in apps] == [200, 200]

    closed.is_active = False
    closed.save()
    accounts.delete_account(deleted, by=Actor.of_user(deleted))

    assert [app.get("clubs/").refusal for app in apps] == [(401, "token_unknown")] * 2
    assert [app.post("clubs/", {"name": "Neu"}).refusal for app in apps] == [(401, "token_unknown")] * 2
    assert not Token.objects.filter(user=deleted).exists()

    closed.is_active = True
    closed.save()
    assert apps[0].get("clubs/").status == 200


def test_use_is_noted_at_most_every_ten_minutes(django_assert_num_queries):
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False) as now:
        token, secret = token_of(owner_of(make_club()))
        api = Api(secret)
        api.get("clubs/")
        now.shift(timedelta(minutes=9))
        with django_assert_num_queries(3):
            api.get("clubs/")
        token.refresh_from_db()
        assert token.last_used_at == timezone.now() - timedelta(minutes=9)
        now.shift(timedelta(minutes=1))
        with django_assert_num_queries(4):
            api.get("clubs/")
        token.refresh_from_db()
        assert token.last_used_at == timezone.now()


def test_use_noted_by_another_process_is_not_put_back():
    token, _secret = token_of(make_user("Annika"))
    stale = Token.objects.get(pk=token.pk)
    noted = timezone.now() - timedelta(minutes=1)
    Token.objects.filter(pk=token.pk).update(last_used_at=noted)

    note_use(stale)

    token.refresh_from_db()
    assert token.last_used_at == noted


def test_token_for_another_club_leaves_its_account_outside():
    """Also where not the role but the account itself decides: leaving, anonymising oneself, confirming."""
    club, other = make_club(visibility="public"), make_club("Andere")
    owner = owner_of(club)
    other.memberships.create(user=owner.user, role="owner")
    own = club.players.get()
    game = finished(club, [own])
    actor = Actor.of_token(token_of(owner, club=other)[0], owner.user.memberships.all())
    anywhere = Actor.of_token(token_of(owner, "read")[0], owner.user.memberships.all())

    assert [may(anywhere, of) for may, of in ((permissions.can_confirm, game), (permissions.can_anonymise, own))] == [
        *(True, True),
    ]
    assert [may(actor, of) for may, of in ((permissions.can_confirm, game), (permissions.can_anonymise, own))] == [
        *(False, False),
    ]
    assert (actor.role_in(club.pk), actor.role_in(other.pk)) == ("", "owner")
    assert (actor.reaches(club.pk), actor.reaches(other.pk), actor.reaches(None)) == (False, True, False)
    assert Api.of(owner, club=other).patch(f"clubs/{club.pk}/", {"name": "Neu"}).refusal == (403, "not_allowed")


def test_write_by_a_token_says_so_in_the_history():
    club = make_club()
    Api.of(owner_of(club)).patch(f"clubs/{club.pk}/", {"name": "Neu"})
    assert club.history.first().history_user == owner_of(club).user
    assert ("token", "app") in Entry._meta.get_field("via").choices


def test_link_of_a_game_is_no_account():
    _link, secret = link_to(make_game(seats=3), "edit")
    assert Api(Game_Link=secret).get("clubs/").refusal == (401, "not_authenticated")
