"""Clubs and who belongs to them: what each verb leaves behind, and what each refuses."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Claim, Club, Entry, Invitation, Membership, Player, Seat
from scoresheets.models.games import hash_of_secret
from scoresheets.queries.own_data import own_data
from scoresheets.recording import (
    ClubSettings,
    Conflict,
    accept_invitation,
    answer,
    change_club,
    change_role,
    claim_player,
    create_club,
    delete_club,
    forget_account,
    invite,
    leave_club,
    remove_member,
    revoke_invitation,
)
from scoresheets.recording.accounts import delete_account
from tests.scoresheets.clubs import (
    STRANGE_NAMES,
    actor_of,
    add,
    club_game,
    finished,
    make_club,
    make_user,
    member_of,
    owner_of,
    player_of,
    refused,
    stored,
)
from tests.scoresheets.evenings import opened
from tests.scoresheets.factories import DEVICE, keeper_of, make_game

pytestmark = pytest.mark.django_db

HOUSE = rules.HouseRules(plus_minus_one=True, specials=("BOMB", "CLOUD"))


# -- the club itself ------------------------------------------------------------------------------------------------


def test_founding_a_club_makes_the_account_its_owner_and_a_player():
    user = make_user("Anna")
    settings = ClubSettings("Dienstag", "Europe/Vienna", "en", "public", HOUSE, "tournament", 48)

    club = create_club(settings, by=Actor.of_user(user))

    club = Club.objects.get(pk=club.pk)
    assert ClubSettings.of(club) == settings
    assert club.house_rules == HOUSE
    assert list(club.memberships.values_list("user", "role")) == [(user.pk, "owner")]
    assert list(club.players.values_list("name", "user", "is_guest")) == [("Anna", user.pk, False)]
    founded = [model.history.get() for model in (Club, Membership, Player)]
    assert [(row.history_type, row.history_user) for row in founded] == [("+", user)] * 3


def test_founder_may_be_called_otherwise_in_the_club():
    club = create_club(ClubSettings("Runde"), by=Actor.of_user(make_user("anna1987")), player_name="  Anna\u202e ")

    assert club.players.get().name == "Anna"


def test_club_starts_private_with_the_standard_rules_and_never_locks():
    club = make_club()

    assert (club.visibility, club.language, club.ladder, club.locks_after) == ("private", "de", "full", None)
    assert club.house_rules == rules.HouseRules()


@pytest.mark.parametrize("name", [*STRANGE_NAMES, "y" * 60])
def test_strange_names_are_names_of_clubs(name):
    assert Club.objects.get(pk=make_club(name).pk).name == name


@pytest.mark.parametrize("typed", ["  Runde \n eins ", "Runde\u202e eins", "\ufeffRunde eins"])
def test_names_are_kept_without_what_cannot_be_seen(typed):
    assert make_club(typed).name == "Runde eins"


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ({"name": ""}, ["name_missing"]),
        ({"name": " \u200b\u2066 "}, ["name_missing"]),
        ({"name": "y" * 61}, ["name_too_long"]),
        ({"name": "y" * 200}, ["name_too_long"]),
        ({"time_zone": "Mars/Olympus"}, ["time_zone_unknown"]),
        ({"time_zone": "../../etc/passwd"}, ["time_zone_unknown"]),
        ({"time_zone": ""}, ["time_zone_unknown"]),
        ({"language": "fr"}, ["language_unknown"]),
        ({"visibility": "secret"}, ["visibility_unknown"]),
        ({"house": rules.HouseRules(specials=("DRAGON",))}, ["dragon_fairy_pair"]),
        ({"ladder": "free"}, ["ladder_unknown"]),
        ({"locks_after": -1}, ["hours_out_of_range"]),
        ({"locks_after": 8761}, ["hours_out_of_range"]),
        ({"name": "", "language": "fr", "ladder": "?"}, ["name_missing", "language_unknown", "ladder_unknown"]),
    ],
)
def test_settings_that_cannot_be_are_refused_with_all_their_problems(changed, codes):
    club, settings = make_club(), replace(ClubSettings("Neu"), **changed)

    refused(rules.RulesError, codes, create_club, settings, by=actor_of(make_user("Anna")))
    refused(rules.RulesError, codes, change_club, club, settings, by=owner_of(club))


def test_a_player_name_that_is_too_long_is_refused():
    by = Actor.of_user(make_user("Anna"))

    refused(rules.RulesError, "name_too_long", create_club, ClubSettings("Runde"), by=by, player_name="x" * 41)


@pytest.mark.parametrize("by", [DEVICE, OPERATOR])
def test_nobody_founds_a_club_without_an_account(by):
    refused(PermissionDenied, "", create_club, ClubSettings("Runde"), by=by)


def test_founding_again_with_the_same_key_gives_the_same_club():
    by = Actor.of_user(make_user("Anna"))
    club = create_club(ClubSettings("Runde"), by=by, key="k")
    before = stored()

    assert create_club(ClubSettings("Runde"), by=by, key="k") == club
    assert stored() == before
    refused(Conflict, "key_reused", create_club, ClubSettings("Andere"), by=by, key="k")


def test_changing_a_club_keeps_who_did_it_and_doing_it_again_writes_nothing():
    club = make_club()
    manager = member_of(club, "manager")
    settings = ClubSettings("Umbenannt", "Europe/Zurich", "en", "unlisted", HOUSE, "full", 0)

    changed = change_club(club, settings, by=manager)

    assert ClubSettings.of(changed) == ClubSettings.of(Club.objects.get(pk=club.pk)) == settings
    assert next(row.history_user for row in club.history.all()) == manager.user
    assert [row.name for row in club.history.order_by("history_id")] == ["Runde", "Umbenannt"]
    before = stored()
    change_club(club, settings, by=manager)
    assert stored() == before


def test_changed_time_of_locking_holds_for_games_that_are_over():
    club = make_club()
    game = finished(club)
    change_club(club, replace(ClubSettings.of(club), locks_after=0), by=owner_of(club))

    assert type(game).objects.get(pk=game.pk).is_closed is True


@pytest.mark.parametrize("role", ["member", "scorer"])
def test_scorers_do_not_change_the_club(role):
    club = make_club()

    refused(PermissionDenied, "", change_club, club, ClubSettings("X"), by=member_of(club, role))
    refused(PermissionDenied, "", invite, club, role="member", by=member_of(club, role, "Another"))
    refused(PermissionDenied, "", delete_club, club, by=member_of(club, role, "Third"))


def test_deleting_a_club_takes_its_people_along_and_nobody_else():
    club, other = make_club(), make_club("Andere")
    anna, bernd = add(club, "Anna", "Bernd")
    invite(club, role="member", by=owner_of(club))
    claim_player(anna, by=member_of(club))
    Player.objects.filter(pk=bernd.pk).update(canonical=anna)

    delete_club(club, by=owner_of(club))

    assert list(Club.objects.all()) == [other]
    left = (Membership.objects, Player.objects, Invitation.objects, Claim.objects)
    assert [
        manager.exclude(**{"player__club" if manager is Claim.objects else "club": other}).count() for manager in left
    ] == [0] * 4


def test_club_with_games_is_not_deleted():
    club = make_club()
    club_game(club)

    refused(Conflict, "club_has_games", delete_club, club, by=owner_of(club))


def test_role_is_read_again_under_the_lock():
    """A request that began as a manager's ends as what the account is by now."""
    club = make_club()
    manager = member_of(club, "manager")
    club.memberships.filter(user=manager.user).update(role="member")

    assert manager.role_in(club.pk) == "manager"
    refused(PermissionDenied, "", change_club, club, ClubSettings("X"), by=manager)


# -- invitations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["member", "scorer", "manager"])
def test_invited_account_joins_in_the_role_of_the_invitation(role):
    club, user = make_club(), make_user("Anna")
    invitation, secret = invite(club, role=role, by=owner_of(club), label="Kneipe")

    membership = accept_invitation(secret, by=Actor.of_user(user))

    assert (membership.club, membership.user, membership.role) == (club, user, role)
    assert Invitation.objects.get().uses == 1
    assert (invitation.label, invitation.secret_hash) == ("Kneipe", hash_of_secret(secret))
    assert (len(secret), secret in str(stored())) == (22, False)
    assert not club.players.filter(user=user).exists()


def test_invitation_made_again_with_the_same_key_shows_the_same_secret():
    club = make_club()
    by, asked = owner_of(club), {"role": "scorer", "label": "TV", "days": 3, "most_uses": 2, "key": "k"}
    first = invite(club, by=by, **asked)
    before = stored()

    assert invite(club, by=by, **asked) == first
    assert stored() == before
    refused(Conflict, "key_reused", invite, club, by=by, **{**asked, "days": 4})


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ({"role": "owner"}, ["role_unknown"]),
        ({"role": ""}, ["role_unknown"]),
        ({"days": 0}, ["days_out_of_range"]),
        ({"days": 366}, ["days_out_of_range"]),
        ({"most_uses": 0}, ["uses_out_of_range"]),
        ({"most_uses": 1001}, ["uses_out_of_range"]),
        ({"label": "x" * 41}, ["name_too_long"]),
        ({"days": 0, "role": "king", "most_uses": -1}, ["days_out_of_range", "role_unknown", "uses_out_of_range"]),
    ],
)
def test_invitations_that_cannot_be_are_refused(changed, codes):
    club = make_club()

    refused(rules.RulesError, codes, invite, club, **{"role": "member", "by": owner_of(club), **changed})


def test_invitation_that_is_used_up_expired_revoked_or_unknown_lets_nobody_in():
    club, by = make_club(), Actor.of_user(make_user("Anna"))
    owner = owner_of(club)
    _used, used_secret = invite(club, role="member", by=owner, most_uses=1)
    accept_invitation(used_secret, by=Actor.of_user(make_user("Bernd")))
    expired, expired_secret = invite(club, role="member", by=owner)
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    revoked, revoked_secret = invite(club, role="member", by=owner)
    revoke_invitation(revoked, by=owner)

    refused(Conflict, "invitation_used_up", accept_invitation, used_secret, by=by)
    refused(Conflict, "invitation_gone", accept_invitation, expired_secret, by=by)
    refused(Conflict, "invitation_gone", accept_invitation, revoked_secret, by=by)
    refused(Conflict, "invitation_gone", accept_invitation, "x" * 22, by=by)
    refused(Conflict, "invitation_gone", accept_invitation, "", by=by)


def test_accepting_twice_uses_the_invitation_once():
    club, by = make_club(), Actor.of_user(make_user("Anna"))
    _invitation, secret = invite(club, role="member", by=owner_of(club), most_uses=1)
    membership = accept_invitation(secret, by=by)
    before = stored()

    assert accept_invitation(secret, by=by) == membership
    assert stored() == before


@pytest.mark.parametrize(
    ("role", "invited", "after", "uses"),
    [
        ("member", "scorer", "scorer", 1),
        ("scorer", "manager", "manager", 1),
        ("scorer", "member", "scorer", 0),
        ("owner", "manager", "owner", 0),
    ],
)
def test_invitation_raises_a_role_and_never_lowers_it(role, invited, after, uses):
    club = make_club()
    member = member_of(club, role)
    _invitation, secret = invite(club, role=invited, by=owner_of(club))

    assert accept_invitation(secret, by=member).role == after
    assert (club.memberships.get(user=member.user).role, Invitation.objects.get().uses) == (after, uses)


def test_link_and_device_cannot_accept_an_invitation():
    club = make_club()
    _invitation, secret = invite(club, role="member", by=owner_of(club))

    for by in (DEVICE, keeper_of(make_game(seats=3)), OPERATOR):
        refused(PermissionDenied, "", accept_invitation, secret, by=by)


def test_revoking_twice_changes_nothing_and_managers_of_other_clubs_cannot():
    club, other = make_club(), make_club("Andere")
    invitation, _secret = invite(club, role="member", by=owner_of(club))
    refused(PermissionDenied, "", revoke_invitation, invitation, by=owner_of(other))
    revoke_invitation(invitation, by=owner_of(club))
    before = stored()

    revoke_invitation(invitation, by=owner_of(club))

    assert stored() == before


# -- members --------------------------------------------------------------------------------------------------------


def test_changed_role_is_stored_with_its_history():
    club = make_club()
    membership = club.memberships.get(user=member_of(club, "member").user)
    owner = owner_of(club)

    assert change_role(membership, role="owner", by=owner).role == "owner"

    told = [(row.role, row.history_user) for row in membership.history.order_by("history_id")]
    assert told == [("member", None), ("owner", owner.user)]
    before = stored()
    change_role(membership, role="owner", by=owner)
    assert stored() == before


def test_managers_do_not_touch_owners():
    club = make_club()
    owner, manager = club.memberships.get(role="owner"), member_of(club, "manager")
    member = club.memberships.get(user=member_of(club, "member").user)

    refused(PermissionDenied, "", change_role, owner, role="member", by=manager)
    refused(PermissionDenied, "", remove_member, owner, by=manager)
    refused(PermissionDenied, "", change_role, member, role="owner", by=manager)
    refused(PermissionDenied, "", change_role, member, role="scorer", by=member_of(club, "scorer"))


def test_unknown_role_is_refused():
    club = make_club()
    membership = club.memberships.get(user=member_of(club).user)

    refused(rules.RulesError, "role_unknown", change_role, membership, role="king", by=owner_of(club))


def test_last_owner_stays():
    club = make_club()
    owner, manager = owner_of(club), member_of(club, "manager")
    membership = club.memberships.get(role="owner")

    refused(Conflict, "last_owner", change_role, membership, role="manager", by=owner)
    refused(Conflict, "last_owner", remove_member, membership, by=owner)
    refused(Conflict, "last_owner", leave_club, club, by=owner)
    refused(Conflict, "last_owner", forget_account, owner.user, by=owner)

    change_role(club.memberships.get(user=manager.user), role="owner", by=owner)
    leave_club(club, by=owner)
    assert list(club.memberships.values_list("user", "role")) == [(manager.user.pk, "owner")]


def test_who_leaves_or_is_removed_keeps_player_and_results():
    club = make_club()
    anna, bernd = member_of(club, "scorer", "Anna"), member_of(club, "member", "Bernd")
    players = [player_of(anna, club, "Anna"), player_of(bernd, club, "Bernd")]
    game = finished(club, players)

    leave_club(club, by=anna)
    remove_member(club.memberships.get(user=bernd.user), by=owner_of(club))

    assert club.memberships.count() == 1
    assert [player.user_id for player in club.players.order_by("pk")[1:]] == [anna.user.pk, bernd.user.pk]
    assert Seat.objects.filter(game=game, player__in=players).count() == 2
    gone = Membership.history.filter(history_type="-").order_by("history_id")
    assert [row.history_user for row in gone] == [anna.user, owner_of(club).user]


def test_member_who_is_gone_already_is_a_conflict():
    club = make_club()
    member = member_of(club)
    membership = club.memberships.get(user=member.user)
    leave_club(club, by=member)

    refused(Conflict, "not_member", remove_member, membership, by=owner_of(club))
    refused(Conflict, "not_member", change_role, membership, role="scorer", by=owner_of(club))
    refused(Conflict, "not_member", leave_club, club, by=member)
    refused(PermissionDenied, "", leave_club, club, by=OPERATOR)


def test_roles_of_one_club_are_nothing_in_another():
    club, other = make_club(), make_club("Andere")
    membership = club.memberships.get(user=member_of(club).user)
    stranger = owner_of(other)

    refused(PermissionDenied, "", change_role, membership, role="scorer", by=stranger)
    refused(PermissionDenied, "", remove_member, membership, by=stranger)
    refused(PermissionDenied, "", invite, club, role="member", by=stranger)
    refused(PermissionDenied, "", change_club, club, ClubSettings("X"), by=stranger)
    refused(PermissionDenied, "", delete_club, club, by=stranger)


# -- the end of an account ------------------------------------------------------------------------------------------


def test_forgotten_account_leaves_all_clubs_and_its_names():
    first, second = make_club("A"), make_club("B")
    anna = member_of(first, "member", "Anna")
    second.memberships.create(user=anna.user, role="scorer")
    own = player_of(anna, first, "Anna Schmidt")
    game = finished(first, [own])
    left = player_of(anna, make_club("C"), "Anna S.")
    (other,) = add(second, "Bernd")
    claim_player(other, by=actor_of(anna.user))

    forget_account(anna.user, by=actor_of(anna.user))

    assert not anna.user.memberships.exists()
    assert not Claim.objects.filter(user=anna.user).exists()
    assert not anna.user.players.exists()
    names = set(Player.objects.filter(pk__in=[own.pk, left.pk]).values_list("name", flat=True))
    assert names == {f"Person {own.pk}", f"Person {left.pk}"}
    assert "Anna S" not in str(list(Seat.objects.filter(game=game).values()))


def test_only_the_account_itself_and_the_operator_forget_it():
    club = make_club()
    member = member_of(club)

    refused(PermissionDenied, "", forget_account, member.user, by=owner_of(club))
    refused(PermissionDenied, "", forget_account, member.user, by=DEVICE)
    forget_account(member.user, by=OPERATOR)
    assert club.memberships.count() == 1


def test_deleted_account_is_forgotten_by_its_clubs_unless_one_needs_it():
    club = make_club()
    owner, anna = owner_of(club), member_of(club, "member", "Anna")
    player = player_of(anna, club, "Anna Schmidt")

    refused(Conflict, "last_owner", delete_account, owner.user, by=owner)
    delete_account(anna.user, by=actor_of(anna.user))

    assert Player.objects.get(pk=player.pk).name == f"Person {player.pk}"
    assert list(club.memberships.values_list("user", flat=True)) == [owner.user.pk]


def test_own_data_say_which_clubs_and_who_somebody_is_there():
    club = make_club("Runde")
    anna = member_of(club, "scorer", "Anna")
    player, (bernd, twin) = player_of(anna, club, "Anna S."), add(club, "Bernd", "Anni")
    Claim.objects.create(player=bernd, user=anna.user)
    game = finished(club, [twin, bernd])
    Player.objects.filter(pk=twin.pk).update(canonical=player)
    evening = opened(club)
    answer(evening, answer="yes", by=anna)
    answer(evening, answer="no", by=OPERATOR, player=bernd)

    data = own_data(anna.user)

    assert [(row["club_name"], row["role"]) for row in data["clubs"]] == [("Runde", "scorer")]
    assert [(row["club_name"], row["name"]) for row in data["players"]] == [("Runde", "Anna S.")]
    assert [(row["game_id"], row["name"], row["rank"]) for row in data["players"][0]["games"]] == [(game.pk, "Anni", 1)]
    assert [(row["player_name"], row["accepted"]) for row in data["claims"]] == [("Bernd", None)]
    (said,) = data["evenings"]
    assert (said["night"], said["answer"], said["is_here"]) == (evening.night, "yes", False)


def test_last_member_of_a_club_may_be_forgotten():
    club = make_club()
    owner = owner_of(club)
    finished(club)

    forget_account(owner.user, by=owner)

    assert (club.memberships.count(), club.games.count(), Entry.objects.filter(game__club=club).exists()) == (
        0,
        1,
        True,
    )
