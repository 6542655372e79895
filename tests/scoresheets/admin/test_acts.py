"""What superusers do with clubs, people, seasons and accounts on the admin site: by recording, and noted in the log."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import (
    Claim,
    Club,
    Game,
    Invitation,
    Membership,
    Merge,
    Player,
    PlayerLink,
    Season,
    Token,
    User,
    Webhook,
)
from scoresheets.recording.accounts import close_account, open_account, remove_second_factors, set_support
from scoresheets.recording.statistics.rebuild import differences_of
from tests.scoresheets.accounts.helpers import add_app
from tests.scoresheets.admin.helpers import address, client_of, full_club, game_of, staff, superuser, support
from tests.scoresheets.admin.test_game_acts import do
from tests.scoresheets.clubs import add, finished, make_club, make_user, stored
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Client:
    return client_of(superuser())


def again(row: Any) -> Any:
    """Return the row as it is stored now."""
    return type(row)._default_manager.get(pk=row.pk)


def test_settings_of_a_club_are_changed_under_the_name_of_who_did_it(boss):
    club = make_club("Runde")

    assert do(boss, address(club, "settings"), name="Tafel", visibility="public", locks_after="48").status_code == 302

    club = again(club)
    assert (club.name, club.visibility, club.locks_after, club.house) == ("Tafel", "public", 48, make_club("B").house)
    record = club.history.latest()
    assert (record.history_user.username, record.history_change_reason) == ("Boss", "admin")
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.change_message, entry.object_repr) == ("Boss", "settings", f"club {club.pk}")


@pytest.mark.parametrize(
    ("typed", "field"),
    [({"name": " "}, "name"), ({"time_zone": "Mars"}, "time_zone"), ({"locks_after": "99999"}, "locks")],
)
def test_settings_that_recording_refuses_change_nothing(boss, typed, field):
    club = make_club("Runde")
    before = stored()

    page = do(boss, address(club, "settings"), **typed)

    assert page.status_code == 422
    (bad,) = read(page).all("div", class_="field--bad")
    assert [one["name"].startswith(field) for one in bad.all("input")] == [True]
    assert stored() == before


def test_history_says_who_changed_what_and_by_which_door(boss):
    club = make_club("Runde")
    do(boss, address(club, "settings"), name="Tafel")

    page = read(boss.get(reverse("admin:scoresheets_club_history", args=[club.pk])))

    newest, oldest = page.one("ol", class_="log").all("li")
    assert [part in newest.text for part in ("Boss", "admin site", "changed", "Runde", "Tafel")] == [True] * 5
    assert "added" in oldest.text
    assert page.all("form", method="post") == page.one(class_="menu-sheet").all("form", method="post")


def test_club_with_games_is_not_deleted_and_one_without_is(boss):
    club = full_club()

    page = do(boss, address(club, "delete"), typed_name=club.name)
    assert page.status_code == 409
    assert "A club that has games cannot be deleted" in read(page).one(class_="err-box").text
    empty = make_club("Leer")
    assert do(boss, address(empty, "delete"), typed_name="leer").status_code == 422
    assert do(boss, address(empty, "delete"), typed_name=" Leer ").status_code == 302

    assert list(Club.objects.all()) == [club]
    assert LogEntry.objects.get().object_repr == f"club {empty.pk}"
    assert Game.objects.count() == 1


def test_statistics_are_worked_out_anew_by_the_worker(boss, settings):
    club = make_club()
    finished(club, add(club, "Bernd", "Cem", "Doro"))
    club.tallies.update(games=99)
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

    for _ in range(2):
        assert do(boss, address(club, "rebuild")).status_code == 302
    assert [task.args_kwargs["args"] for task in DBTaskResult.objects.all()] == [[club.pk]]
    recording.tasks.rebuild_statistics_of.func(club.pk)

    assert differences_of(club) == []


def test_members_get_roles_and_leave(boss):
    club = full_club()
    member, owner = (club.memberships.get(role=role) for role in ("member", "owner"))

    assert do(boss, address(member, "role"), role="manager").status_code == 302
    assert again(member).role == "manager"
    assert do(boss, address(owner, "remove")).status_code == 409
    assert do(boss, address(member, "remove")).status_code == 302
    assert list(Membership.objects.all()) == [owner]


def test_players_are_merged_and_parted(boss):
    club = make_club()
    kept, other = add(club, "Bernd", "Bernt")
    finished(club, [kept]), finished(club, [other])

    looked = boss.post(address(kept, "merge"), {"other": "bernt", "kept": "this", "look": "1"})
    assert looked.context["changes"] == [
        ("Bernt counts as Bernd then; the seats keep the names that were written.", "", ""),
        ("games", "1", "2"),
    ]
    assert do(boss, address(kept, "merge"), other=str(other.pk), kept="this").status_code == 302
    assert (again(other).canonical, Merge.objects.get().by.username) == (kept, "Boss")
    assert differences_of(club) == []
    assert do(boss, address(Merge.objects.get(), "undo")).status_code == 302
    assert (again(other).canonical, differences_of(club)) == (other, [])


@pytest.mark.parametrize(
    ("typed", "status"), [("Fremd", 422), ("0", 422), ("x", 422), ("Anna B", 422), ("Cem", 409), ("", 422)]
)
def test_merges_that_cannot_be_write_nothing(boss, typed, status):
    club = make_club()
    bernd, cem, _first, _second = add(club, "Bernd", "Cem", "Anna Braun", "Anna Bruhn")
    add(make_club("Andere"), "Fremd")
    finished(club, [bernd, cem])
    before = stored()

    assert do(boss, address(bernd, "merge"), other=typed, kept="this").status_code == status
    assert stored() == before


def test_players_are_renamed_archived_and_released(boss):
    club = make_club()
    (player,) = add(club, "Bernd")
    player.user = make_user("Account")
    player.save(update_fields=["user"])

    for act, typed in (("rename", {"name": "Bert"}), ("release", {}), ("archive", {})):
        assert (act, do(boss, address(player, act), **typed).status_code) == (act, 302)
    player = again(player)
    assert (player.name, player.user, player.archived_at is None) == ("Bert", None, False)
    assert do(boss, address(player, "unarchive")).status_code == 302
    assert again(player).archived_at is None
    assert {record.history_user.username for record in player.history.all()[:4]} == {"Boss"}


def test_anonymised_player_is_named_nowhere_on_the_site(boss):
    club = make_club()
    (player,) = add(club, "Wolfgang")
    game = finished(club, [player])
    recording.adjust_points(game, seat=game.seats.all()[0].pk, points=1, reason="Wolfgang was right", by=OPERATOR)
    do(boss, address(player, "rename"), name="Wolfgang A")
    do(boss, address(game, "rename", game.seats.all()[0].pk), name="Wolfgang A", reason="again")

    assert do(boss, address(player, "anonymise"), typed_name="Wolfgang").status_code == 422
    assert do(boss, address(player, "anonymise"), typed_name="Wolfgang A").status_code == 302

    for row in (again(player), game):
        for path in (address(row), reverse(f"admin:scoresheets_{row._meta.model_name}_history", args=[row.pk])):
            assert "Wolfgang" not in boss.get(path).content.decode(), path
    assert not [entry for entry in LogEntry.objects.values_list() if "Wolfgang" in str(entry)]


def test_claims_are_decided_and_secret_addresses_closed(boss):
    club = full_club()
    claim = Claim.objects.get()

    assert do(boss, address(Invitation.objects.get(), "revoke")).status_code == 302
    assert do(boss, address(PlayerLink.objects.get(), "revoke")).status_code == 302
    assert do(boss, address(claim, "accept")).status_code == 302
    assert do(boss, address(claim, "refuse")).status_code == 409

    assert (again(claim).accepted, again(claim).decided_by.username) == (True, "Boss")
    assert Player.objects.get(pk=claim.player_id).user == claim.user
    assert [row.is_usable for row in (Invitation.objects.get(), PlayerLink.objects.get())] == [False, False]
    assert club.memberships.count() == 2


def test_seasons_end_open_again_and_go(boss):
    season = Season.objects.get(club=full_club())

    for act in ("close", "reopen"):
        answer = boss.post(
            reverse("admin:scoresheets_season_changelist"),
            {"action": act, "_selected_action": [season.pk], "confirmed": "1"},
        )
        assert (act, answer.status_code, again(season).closed_at is not None) == (act, 302, act == "close")
    assert do(boss, address(season, "delete"), typed_name=season.name).status_code == 302
    assert not Season.objects.exists()
    assert Game.objects.count() == 1


def test_webhooks_are_switched_and_deleted(boss):
    webhook = Webhook.objects.get(club=full_club())

    assert do(boss, address(webhook, "off")).status_code == 302
    assert not again(webhook).is_active
    assert do(boss, address(webhook, "on")).status_code == 302
    assert again(webhook).is_active
    assert do(boss, address(webhook, "delete")).status_code == 302
    assert not Webhook.objects.exists()


# -- accounts -------------------------------------------------------------------------------------------------------


def test_closed_account_is_signed_out_everywhere_and_can_be_opened(boss):
    helga = support()
    device = client_of(helga)
    token = device.get("/admin/").status_code

    assert (token, do(boss, address(helga, "close")).status_code) == (200, 302)
    assert device.get("/admin/").status_code == 302
    assert not Client().login(username="Helga", password="a long enough password")
    assert do(boss, address(helga, "open")).status_code == 302
    assert again(helga).is_active


@pytest.mark.parametrize("act", ["close", "second_factors", "make_support", "end_support"])
def test_nobody_does_that_to_their_own_account(act):
    user = superuser()
    client = client_of(user)
    before = stored()

    page = do(client, address(user, act), typed_name="Boss")

    assert (page.status_code, stored() == before) == (409, True)


def test_second_factor_is_removed_after_the_name_was_typed(boss):
    user = make_user("Lost")
    add_app(user)

    assert do(boss, address(user, "second_factors"), typed_name="lost").status_code == 422
    assert Authenticator.objects.filter(user=user).exists()
    assert do(boss, address(user, "second_factors"), typed_name="Lost").status_code == 302
    assert not Authenticator.objects.filter(user=user).exists()


def test_support_is_made_and_ended(boss):
    user = make_user("Nina")

    assert do(boss, address(user, "make_support"), typed_name="Nina").status_code == 302
    assert staff(user).staff_role == "support"
    assert client_of(again(user)).get("/admin/").status_code == 200
    assert do(boss, address(user, "end_support")).status_code == 302
    assert (staff(user).staff_role, again(user).is_staff, again(user).is_superuser) == ("", False, False)


def test_account_is_deleted_with_all_that_is_personal(boss):
    club = full_club()
    member = club.memberships.get(role="member").user
    owner = club.memberships.get(role="owner").user

    assert do(boss, address(owner, "delete"), typed_name=owner.username).status_code == 409
    assert do(boss, address(member, "delete"), typed_name=member.username).status_code == 302

    assert again(member).is_deleted
    assert do(boss, address(member, "open")).status_code == 409
    page = boss.get(address(member))
    assert page.context["acts"] == []
    assert member.username not in page.content.decode()


@pytest.mark.parametrize("act", ["second_factors", "make_support", "delete"])
def test_grave_acts_on_accounts_ask_for_the_password_again(act):
    user = make_user("Nina")
    client = client_of(superuser(), sure=False)
    before = stored()

    for answer in (client.get(address(user, act)), client.post(address(user, act), {"typed_name": "Nina"})):
        assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, reverse("account_reauthenticate"))
    assert stored() == before


def test_token_is_closed(boss):
    full_club()
    token = Token.objects.get()

    assert do(boss, address(token, "revoke")).status_code == 302
    assert not again(token).is_usable


def test_support_never_gains_a_right_by_what_it_sends():
    helga = support()
    client = client_of(helga)
    before = stored()

    for row in (helga, superuser("Other")):
        for path in (
            address(row),
            reverse("admin:scoresheets_user_changelist"),
            *(address(row, act) for act in ("open", "make_support")),
        ):
            client.post(path, {"is_superuser": "on", "is_staff": "on", "password": "x", "typed_name": "Helga"})
    after = stored()

    assert after["User"][: len(before["User"])] == before["User"]
    assert staff(helga).staff_role == "support"


def test_what_recording_does_for_staff_it_refuses_to_all_others():
    user = make_user("Somebody")
    for by in (Actor.of_user(user), staff(support()), Actor.of_user(superuser())):
        for verb in (close_account, open_account, remove_second_factors):
            with pytest.raises(PermissionDenied):
                verb(user, by=by)
        with pytest.raises(PermissionDenied):
            set_support(user, is_support=True, by=by)
    assert User.objects.get(pk=user.pk).is_active


def test_log_of_staff_names_the_acts(boss):
    club = full_club()
    do(boss, address(game_of(club), "void"), reason="x")

    page = read(boss.get(reverse("admin:admin_logentry_changelist")))

    assert "Void the game" in page.one("table", id="result_list").text
