"""Clubs: founded, changed, deleted; who belongs to them, as what, and how they came in.

Every function here holds the club's lock. Those without a `key` may be sent twice: the second time changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext, override

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Claim, Club, ClubTally, Invitation, Membership, Player, User
from scoresheets.models.games import NAME_LENGTH, hash_of_secret
from scoresheets.models.people import CLUB_NAME_LENGTH, LADDERS_OF_CLUBS, MOST_HOURS
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.links import new_nonce, secret_of
from scoresheets.recording.locks import delete_recorded, locked_club, save_recorded
from scoresheets.recording.names import tidy_name
from scoresheets.recording.players import anonymise_player, days_problems

Role = Membership.Role
#: What somebody can be invited as.
INVITED_AS = (Role.MEMBER, Role.SCORER, Role.MANAGER)
#: The most people one invitation can be limited to.
MOST_USES = 1000


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """All that can be set of a club; `locks_after` in hours, None for never. Names are kept without outer spaces."""

    name: str
    time_zone: str = "Europe/Berlin"
    language: str = Club.Language.GERMAN
    visibility: str = Club.Visibility.PRIVATE
    house: rules.HouseRules = field(default_factory=rules.HouseRules)
    ladder: str = "full"
    locks_after: int | None = None
    incomplete_counts: bool = False

    @classmethod
    def of(cls, club: Club) -> ClubSettings:
        """Return the settings of a club as they stand."""
        return cls(
            club.name,
            club.time_zone,
            club.language,
            club.visibility,
            club.house_rules,
            club.ladder,
            club.locks_after,
            club.incomplete_counts,
        )

    @property
    def values(self) -> dict[str, Any]:
        """The settings under the names of the club's fields."""
        return {
            "name": tidy_name(self.name),
            "time_zone": self.time_zone,
            "language": self.language,
            "visibility": self.visibility,
            "house": self.house.to_mapping(),
            "ladder": self.ladder,
            "locks_after": self.locks_after,
            "incomplete_counts": self.incomplete_counts,
        }

    @property
    def problems(self) -> tuple[rules.Problem, ...]:
        """Every reason why a club cannot be set so; none if it can."""
        name = tidy_name(self.name)
        found: list[rules.Problem] = []
        if not name:
            found.append(rules.Problem.of("name_missing"))
        elif len(name) > CLUB_NAME_LENGTH:
            found.append(rules.Problem.of("name_too_long", name=name, most=CLUB_NAME_LENGTH))
        if self.time_zone not in _time_zones():
            found.append(rules.Problem.of("time_zone_unknown", time_zone=self.time_zone))
        if self.language not in Club.Language.values:
            found.append(rules.Problem.of("language_unknown", language=self.language))
        if self.visibility not in Club.Visibility.values:
            found.append(rules.Problem.of("visibility_unknown", visibility=self.visibility))
        found += rules.house_rules_problems(self.house)
        if self.ladder not in LADDERS_OF_CLUBS:
            found.append(rules.Problem.of("ladder_unknown", ladder=self.ladder))
        if self.locks_after is not None and not 0 <= self.locks_after <= MOST_HOURS:
            found.append(rules.Problem.of("hours_out_of_range", hours=self.locks_after, most=MOST_HOURS))
        return tuple(found)


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())


# -- the club itself ------------------------------------------------------------------------------------------------


def create_club(settings: ClubSettings, *, by: Actor, player_name: str = "", key: str | None = None) -> Club:
    """Found a club and return it; the actor becomes its owner, and a player of it.

    `player_name` is what the club calls them ("": as their account). A repeat with the same key returns the same club.
    Raises `PermissionDenied` without an account, `rules.RulesError` with the problems of the settings (and
    `name_too_long` of the player's name), `Conflict` ("key_reused"); then writes nothing.
    """
    if by.user is None:
        raise PermissionDenied
    name = tidy_name(player_name) or tidy_name(by.user.get_username())[:NAME_LENGTH]
    problems = settings.problems
    if len(name) > NAME_LENGTH:
        problems += (rules.Problem.of("name_too_long", name=name, most=NAME_LENGTH),)
    if problems:
        raise rules.RulesError(problems)
    try:
        return _create(settings, name, by=by, key=key)
    except IntegrityError:
        # There is no club to lock yet: the same request was faster by a hair, and its answer is there now.
        return _create(settings, name, by=by, key=key)


@transaction.atomic
def _create(settings: ClubSettings, player_name: str, *, by: Actor, key: str | None) -> Club:
    fingerprint = receipts.fingerprint_of("create_club", settings.values, player_name)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Club.objects.get(pk=body["club"])
    club = Club(**settings.values)
    save_recorded(club, by=by)
    ClubTally.objects.create(club=club)
    save_recorded(Membership(club=club, user=by.user, role=Role.OWNER), by=by)
    save_recorded(Player(club=club, user=by.user, name=player_name), by=by)
    receipts.keep_answer(by, key, fingerprint, {"club": club.pk})
    return club


@transaction.atomic
def change_club(club: Club, settings: ClubSettings, *, by: Actor) -> Club:
    """Set the club as given and return it. Games that are under way keep the rules they were started with.

    `locks_after` holds for all games, finished ones too. Raises `PermissionDenied`, `rules.RulesError` with the
    problems of the settings; then writes nothing.
    """
    club, by = locked_club(club.pk, by)
    permissions.check_can_change_club(by, club)
    if settings.problems:
        raise rules.RulesError(settings.problems)
    was_public = club.visibility == Club.Visibility.PUBLIC
    changed = [name for name, value in settings.values.items() if getattr(club, name) != value]
    for name in changed:
        setattr(club, name, settings.values[name])
    if changed:
        _save_settings(club, changed, was_public=was_public, by=by)
    return club


def _save_settings(club: Club, changed: Sequence[str], *, was_public: bool, by: Actor) -> None:
    """Save changed settings, and let the statistics follow: whose bids are public, and which games count for what."""
    is_public = club.visibility == Club.Visibility.PUBLIC
    if was_public != is_public:
        statistics.lock_statistics(club.pk)
        statistics.add_to_public(club, 1 if is_public else -1)
    if "incomplete_counts" not in changed:
        save_recorded(club, by=by, fields=changed)
        return
    with statistics.following_many(club, only_incomplete=True):
        save_recorded(club, by=by, fields=changed)


@transaction.atomic
def delete_club(club: Club, *, by: Actor) -> None:
    """Delete a club that has no games, with its members, players and invitations.

    Raises `PermissionDenied`, `Conflict` ("club_has_games").
    """
    club, by = locked_club(club.pk, by)
    permissions.check_can_delete_club(by, club)
    if club.games.exists():
        raise Conflict("club_has_games")
    delete_recorded(club, by=by)


# -- invitations ----------------------------------------------------------------------------------------------------


@transaction.atomic
def invite(
    club: Club,
    *,
    role: str,
    by: Actor,
    label: str = "",
    days: int = 14,
    most_uses: int | None = None,
    key: str | None = None,
) -> tuple[Invitation, str]:
    """Make an invitation and return it with its secret, which cannot be shown again later.

    It lets `most_uses` people (None: any number, else 1 to 1,000) join as `role` (never as owner) for `days` days, 1
    to 365. A repeat with the same key returns the same invitation and secret. Raises `PermissionDenied`,
    `rules.RulesError` (`role_unknown`, `days_out_of_range`, `uses_out_of_range`, `name_too_long` of the label),
    `Conflict` ("key_reused"); then writes nothing.
    """
    club, by = locked_club(club.pk, by)
    permissions.check_can_manage_members(by, club)
    label = tidy_name(label)
    fingerprint = receipts.fingerprint_of("invite", club.pk, role, label, days, most_uses)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Invitation.objects.get(pk=body["invitation"]), secret_of(body["nonce"])
    problems = list(days_problems(days))
    if role not in INVITED_AS:
        problems.append(rules.Problem.of("role_unknown", role=role))
    if most_uses is not None and not 1 <= most_uses <= MOST_USES:
        problems.append(rules.Problem.of("uses_out_of_range", uses=most_uses, most=MOST_USES))
    if len(label) > NAME_LENGTH:
        problems.append(rules.Problem.of("name_too_long", name=label, most=NAME_LENGTH))
    if problems:
        raise rules.RulesError(problems)
    nonce = new_nonce()
    invitation = Invitation.objects.create(
        club=club,
        role=role,
        label=label,
        secret_hash=hash_of_secret(secret_of(nonce)),
        created_by=by.user,
        expires_at=timezone.now() + timedelta(days=days),
        most_uses=most_uses,
    )
    receipts.keep_answer(by, key, fingerprint, {"invitation": invitation.pk, "nonce": nonce})
    return invitation, secret_of(nonce)


@transaction.atomic
def revoke_invitation(invitation: Invitation, *, by: Actor) -> Invitation:
    """Close an invitation for good; whoever came in by it stays. Raises `PermissionDenied`."""
    club, by = locked_club(invitation.club_id, by)
    permissions.check_can_manage_members(by, club)
    invitation.refresh_from_db()
    if invitation.revoked_at is None:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
    return invitation


@transaction.atomic
def accept_invitation(secret: str, *, by: Actor) -> Membership:
    """Join the club with an invitation's secret and return the membership.

    Who is a member already keeps the role, or gets that of the invitation if it is the higher one; where nothing
    changes, the invitation is not used up either. Raises `PermissionDenied` without an account, `Conflict`
    ("invitation_gone": unknown, expired or revoked; "invitation_used_up").
    """
    if by.user is None:
        raise PermissionDenied
    invitation = Invitation.objects.filter(secret_hash=hash_of_secret(secret)).first()
    if invitation is None:
        raise Conflict("invitation_gone")
    club, by = locked_club(invitation.club_id, by)
    invitation.refresh_from_db()
    membership = Membership.objects.filter(club=club, user=by.user).first()
    if membership is not None and Role(membership.role).reaches(invitation.role):
        return membership
    if not invitation.is_usable:
        is_open = invitation.revoked_at is None and invitation.expires_at > timezone.now()
        raise Conflict("invitation_used_up") if is_open else Conflict("invitation_gone")
    invitation.uses += 1
    invitation.save(update_fields=["uses"])
    if membership is None:
        membership = Membership(club=club, user=by.user, role=invitation.role)
        save_recorded(membership, by=by)
    else:
        membership.role = invitation.role
        save_recorded(membership, by=by, fields=["role"])
    return membership


# -- members --------------------------------------------------------------------------------------------------------


@transaction.atomic
def change_role(membership: Membership, *, role: str, by: Actor) -> Membership:
    """Give a member another role and return the membership.

    Managers do; where an owner is made or unmade, only owners. The last owner stays one. Raises `PermissionDenied`,
    `Conflict` ("not_member": they have left, "last_owner"), `rules.RulesError` (`role_unknown`); then writes nothing.
    """
    club, by = locked_club(membership.club_id, by)
    found = _membership_now(club, membership.user_id)
    permissions.check_can_change_role(by, found, role)
    if role not in Role.values:
        raise rules.RulesError([rules.Problem.of("role_unknown", role=role)])
    if role != found.role:
        _check_not_last_owner(found)
        found.role = role
        save_recorded(found, by=by, fields=["role"])
    return found


@transaction.atomic
def remove_member(membership: Membership, *, by: Actor) -> None:
    """Remove a member from the club. The player they are stays theirs, and so do the results.

    Raises `PermissionDenied`, `Conflict` ("not_member": they have left, "last_owner").
    """
    club, by = locked_club(membership.club_id, by)
    found = _membership_now(club, membership.user_id)
    permissions.check_can_remove_member(by, found)
    _check_not_last_owner(found)
    delete_recorded(found, by=by)


@transaction.atomic
def leave_club(club: Club, *, by: Actor) -> None:
    """End the actor's own membership. The player they are stays theirs, and so do the results.

    Raises `PermissionDenied` without an account, `Conflict` ("not_member", "last_owner").
    """
    user = by.user
    if user is None:
        raise PermissionDenied
    club, by = locked_club(club.pk, by)
    found = _membership_now(club, user.pk)
    _check_not_last_owner(found)
    delete_recorded(found, by=by)


@transaction.atomic
def forget_account(user: User, *, by: Actor) -> None:
    """Take an account out of all clubs: memberships and claims end, its players lose their names. For its deletion.

    Scores stay. A last owner has to name another one first ("last_owner"); of a club that has no other member they
    may go: it is left to the operator. Raises `PermissionDenied` unless the actor is this account or the operator,
    `Conflict`; then writes nothing.
    """
    permissions.check_can_delete_account(by, user)
    clubs = {*user.memberships.values_list("club", flat=True), *user.players.values_list("club", flat=True)}
    for club_id in sorted(clubs):
        club, by = locked_club(club_id, by)
        membership = Membership.objects.filter(club=club, user=user).first()
        if membership is not None:
            if club.memberships.count() > 1:
                _check_not_last_owner(membership)
            delete_recorded(membership, by=by)
        for player in Player.objects.filter(club=club, user=user):
            anonymise_player(player, by=by)
        with override(club.language):
            receipts.scrub_answers(club.pk, [user.username], gettext("deleted account"))
    Claim.objects.filter(user=user).delete()


def _membership_now(club: Club, user_id: int) -> Membership:
    membership = Membership.objects.select_related("user").filter(club=club, user=user_id).first()
    if membership is None:
        raise Conflict("not_member")
    return membership


def _check_not_last_owner(membership: Membership) -> None:
    """Raise `Conflict` ("last_owner") if the club had no owner without this one. For holders of the club's lock."""
    if membership.role != Role.OWNER:
        return
    others = Membership.objects.filter(club=membership.club_id, role=Role.OWNER).exclude(pk=membership.pk)
    if not others.exists():
        raise Conflict("last_owner")
