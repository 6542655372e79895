"""Staff, and a site with a row of each kind, for the tests of the admin site."""

from __future__ import annotations

import time
from datetime import date
from typing import Any

from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Game, Membership, User
from scoresheets.recording.tokens import make_token
from tests.scoresheets.clubs import actor_of, add, finished, make_club, make_user, owner_of
from tests.scoresheets.evenings import planned
from tests.scoresheets.webhooks import make_webhook


def superuser(name: str = "Boss") -> User:
    """Return a new superuser."""
    return User.objects.create_superuser(username=name, password="a long enough password")


def support(name: str = "Helga") -> User:
    """Return a new account that is support."""
    user = make_user(name)
    user.is_staff = True
    user.save()
    user.groups.add(Group.objects.get_or_create(name="support")[0])
    return user


def staff(user: User) -> Actor:
    """Return the account as it acts on the admin site."""
    return Actor.of_staff(User.objects.get(pk=user.pk))


def client_of(user: User, *, sure: bool = True) -> Client:
    """Return a browser in which the account is signed in; `sure` of it, if the password was given just now."""
    client = Client()
    client.force_login(user)
    if sure:
        session = client.session
        session["account_authentication_methods"] = [
            {"method": "password", "at": time.time(), "reauthenticated": True, "username": user.username}
        ]
        session["account_authentication_methods_user"] = str(user.pk)
        session.save()
    return client


def full_club(names: tuple[str, str, str] = ("Bernd", "Cem", "Doro"), label: str = "TV") -> Club:
    """Return a club with at least one row of everything that belongs to one; its names and labels are given."""
    club = make_club(names[0])
    owner = owner_of(club)
    players = add(club, *names, "Erika", "Fritz")
    game = finished(club, players[:3])
    recording.adjust_points(game, seat=game.seats.all()[0].pk, points=10, reason=label, by=OPERATOR)
    recording.make_link(game, scope="watch", label=label, by=OPERATOR)
    recording.create_season(club, recording.SeasonSettings(label or "Winter", date(2020, 1, 1)), by=owner)
    planned(club)
    make_webhook(club)
    recording.merge_players(players[3], players[4], by=owner)
    recording.make_claim_link(players[3], by=owner)
    recording.invite(club, role="member", label=label, by=owner)
    member = make_user(f"Mia{club.pk}")
    Membership.objects.create(club=club, user=member)
    recording.claim_player(players[3], by=actor_of(member))
    make_token(name=label, scope="read", days=1, by=Actor.of_user(member))
    return club


def game_of(club: Club) -> Game:
    return Game.objects.get(club=club)


def address(row: Any, act: str = "", which: int | None = None) -> str:
    """Return the address of a row's page, or of an act on it."""
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}"
    if not act:
        return reverse(f"{name}_change", args=[row.pk])
    return (
        reverse(f"{name}_do", args=[row.pk, act])
        if which is None
        else reverse(f"{name}_do_with", args=[row.pk, act, which])
    )
