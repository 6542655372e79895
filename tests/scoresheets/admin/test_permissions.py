"""What support and superusers may on the admin site: every permission is in one of two sets."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from django.contrib.auth.models import Group

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Membership, User
from scoresheets.recording import confirm
from tests.scoresheets.admin.helpers import full_club, game_of, staff, superuser, support
from tests.scoresheets.clubs import make_user
from tests.scoresheets.factories import fresh

pytestmark = pytest.mark.django_db

SUPPORT_MAY = {"see", "see_names", "keep_score", "see_club", "see_roster", "see_attendance"}
SUPPORT_MAY_NOT = {
    *("rematch", "manage_links", "manage_game", "confirm", "move", "claim", "start_game", "add_players"),
    *("manage_players", "anonymise", "manage_members", "change_role", "remove_member", "change_club"),
    *("manage_seasons", "manage_webhooks", "delete_club", "answer_for", "run_evenings", "plan_evenings"),
    *("delete_account", "manage_site", "import", "export_club"),
}


def subjects() -> dict[str, tuple[Any, ...]]:
    """Return what each permission is asked about: a locked game, its club, and people of it."""
    club = full_club()
    game = game_of(club)
    confirm(game, seen=game.version, by=staff(superuser("Confirms")))
    game, player = fresh(game), club.players.first()
    member = club.memberships.get(role="member")
    about: dict[str, tuple[Any, ...]] = dict.fromkeys(SUPPORT_MAY | SUPPORT_MAY_NOT, (club,))
    about |= dict.fromkeys(("see", "see_names", "keep_score", "rematch", "manage_links"), (game,))
    about |= dict.fromkeys(("manage_game", "confirm"), (game,))
    return about | {
        "move": (game, club),
        "anonymise": (player,),
        "answer_for": (player,),
        "change_role": (member, "owner"),
        "remove_member": (member,),
        "delete_account": (member.user,),
        "manage_site": (),
    }


def may(actor: Actor, about: dict[str, tuple[Any, ...]]) -> set[str]:
    return {name for name, what in about.items() if getattr(permissions, f"can_{name}")(actor, *what)}


def test_every_permission_is_decided_for_support():
    known = {name.removeprefix("can_") for name, _ in inspect.getmembers(permissions) if name.startswith("can_")}

    assert known == SUPPORT_MAY | SUPPORT_MAY_NOT
    assert not SUPPORT_MAY & SUPPORT_MAY_NOT
    assert {f"can_{name}" for name in SUPPORT_MAY} == permissions.SUPPORT_MAY


def test_staff_may_what_its_role_says_and_nobody_else_anything():
    about = subjects()
    helga = support()

    assert may(staff(helga), about) == SUPPORT_MAY
    assert may(staff(superuser()), about) == SUPPORT_MAY | SUPPORT_MAY_NOT
    assert may(staff(make_user("Nobody")), about) == set()


def test_a_club_role_adds_nothing_on_the_admin_site():
    about = subjects()
    (club,) = about["see_club"]
    helga = support()
    Membership.objects.create(club=club, user=helga, role="owner")

    assert may(staff(helga), about) == SUPPORT_MAY


@pytest.mark.parametrize("change", ["closed", "no staff", "no group"])
def test_support_that_ends_can_do_nothing(change):
    helga = support()
    if change == "no group":
        helga.groups.clear()
    else:
        User.objects.filter(pk=helga.pk).update(**{"is_active" if change == "closed" else "is_staff": False})

    assert (staff(helga).staff_role, may(staff(helga), subjects())) == ("", set())


def test_superuser_that_is_closed_or_no_staff_can_do_nothing():
    about = subjects()
    for number, field in enumerate(("is_active", "is_staff")):
        boss = superuser(f"Boss{number}")
        User.objects.filter(pk=boss.pk).update(**{field: False})

        assert may(staff(boss), about) == set()


def test_migration_makes_the_group_of_support():
    assert Group.objects.filter(name=User.StaffRole.SUPPORT).count() == 1
