"""Who belongs to a club: members and their roles, leaving, invitations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Lower
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import OpenApiExample

from scoresheets import permissions
from scoresheets.api.fields import Answer, Choice, Id, Moment, Shape, Text, Whole, Yes
from scoresheets.api.pagination import Order
from scoresheets.api.schema import Scope, operation
from scoresheets.api.views import Body, View
from scoresheets.models import Club, Invitation, Membership, Player
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.usernames import NAME_LENGTH as USERNAME_LENGTH
from scoresheets.recording import (
    accept_invitation,
    change_role,
    invite,
    leave_club,
    remove_member,
    revoke_invitation,
)
from scoresheets.recording.clubs import INVITED_AS, MOST_USES
from scoresheets.recording.players import MOST_DAYS

TAG = "members"
Role = Membership.Role

_ROLE_HELP = (
    "`member` sees the club, its people and all its games; `scorer` also starts games, keeps the score and adds "
    "players; `manager` also invites, manages members and players, and changes the settings; `owner` also makes others "
    "owner, and can delete the club."
)


# -- members ----------------------------------------------------------------------------------------------------------


class MemberAnswer(Answer):
    """An account's place in a club."""

    id = Id(help_text="The id of the membership.")
    club = Id(help_text="The club.")
    account = Id(help_text="The id of the account.")
    username = Text(most=USERNAME_LENGTH, help_text="The name of the account.")
    role = Choice(choices=Role.values, help_text=_ROLE_HELP)
    joined_at = Moment(help_text="When they joined.")
    player = Id(allow_null=True, help_text="Which of the club's players they are; null where nobody has said so.")


MEMBER_FIELDS = tuple(MemberAnswer().fields)


class RoleChange(Shape):
    """A member's new role."""

    role = Choice(choices=Role.values, help_text=_ROLE_HELP)


class MemberFilter(FilterSet):
    role = ChoiceFilter(choices=Role.choices, help_text="Only those with this role.")

    class Meta:
        model = Membership
        fields = ("role",)


def _members(club: Club) -> QuerySet:
    """Return the values of a club's members of which answers are made."""
    players = Player.objects.filter(club=OuterRef("club"), user=OuterRef("user")).values("pk")[:1]
    named = {"account": F("user"), "username": F("user__username"), "player": Subquery(players)}
    return club.memberships.values("id", "club", "role", "joined_at", **named)


def _member_body(member: Mapping[str, Any]) -> Body:
    return {name: member[name] for name in MEMBER_FIELDS}


class Members(View):
    @operation(
        "members_list",
        summary="The members of a club",
        tag=TAG,
        answer=MemberAnswer,
        lists=True,
        filters=MemberFilter,
        orders={"username": Order.text(Lower("user__username")), "joined_at": Order.moment("joined_at")},
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """Who belongs to a club, for its members."""
        club = self.club(club_id)
        permissions.check_can_see_roster(self.actor, club)
        return self.listed(_members(club), lambda rows: [_member_body(member) for member in rows])


class OneMember(View):
    def _member(self, club: Club, member_id: int) -> Membership:
        """Return the club's member with this id. Raises `PermissionDenied` for who may not see them, `Http404`."""
        permissions.check_can_see_roster(self.actor, club)
        found = club.memberships.filter(pk=member_id).first()
        if found is None:
            raise Http404
        return found

    def _body(self, member: Membership) -> Body:
        return _member_body(_members(member.club).get(pk=member.pk))

    @operation("members_read", summary="A member", tag=TAG, answer=MemberAnswer, errors={403: ()})
    def get(self, request: Any, club_id: int, member_id: int) -> Any:
        """One member of a club, for all its members."""
        return self.answer(self._body(self._member(self.club(club_id), member_id)))

    @operation(
        "members_change_role",
        summary="Give a member another role",
        tag=TAG,
        takes=RoleChange,
        answer=MemberAnswer,
        scope=Scope.MANAGE,
        errors={409: ("last_owner", "not_member")},
    )
    def patch(self, request: Any, club_id: int, member_id: int) -> Any:
        """Give a member another role, as managers do; where an owner is made or unmade, only owners."""
        club = self.club(club_id)
        member, role = self._member(club, member_id), self.sent()["role"]
        permissions.check_can_change_role(self.actor, member, role)
        return self.write(lambda: change_role(member, role=role, by=self.actor), self._body)

    @operation(
        "members_remove",
        summary="Remove a member",
        tag=TAG,
        answer=None,
        scope=Scope.MANAGE,
        errors={409: ("last_owner", "not_member")},
    )
    def delete(self, request: Any, club_id: int, member_id: int) -> Any:
        """End a membership, as managers do; an owner's, only owners. The player they are, and the results, stay."""
        member = self._member(self.club(club_id), member_id)
        permissions.check_can_remove_member(self.actor, member)
        return self.write(lambda: remove_member(member, by=self.actor))


class Leaving(View):
    @operation(
        "members_leave",
        summary="Leave a club",
        tag=TAG,
        answer=None,
        scope=Scope.MANAGE,
        errors={409: ("last_owner",)},
    )
    def post(self, request: Any, club_id: int) -> Any:
        """End one's own membership. The player one is, and the results, stay."""
        club = self.club(club_id)
        permissions.check_can_see_roster(self.actor, club)
        return self.write(lambda: leave_club(club, by=self.actor))


# -- invitations ------------------------------------------------------------------------------------------------------


class InvitationAnswer(Answer):
    """A secret address that lets people join a club."""

    id = Id(help_text="The id of the invitation.")
    club = Id(help_text="The club.")
    role = Choice(choices=[role.value for role in INVITED_AS], help_text=f"What it makes people. {_ROLE_HELP}")
    label = Text(  # type: ignore[assignment]
        most=NAME_LENGTH, help_text="Whom it is for, as whoever made it has noted; may be empty."
    )
    created_at = Moment(help_text="When it was made.")
    expires_at = Moment(help_text="Until when it is open.")
    most_uses = Whole(
        least=1, most=MOST_USES, allow_null=True, help_text="How many may join by it; null for any number."
    )
    uses = Whole(least=0, help_text="How many have joined by it.")
    is_open = Yes(help_text="Whether somebody may join by it now.")


class NewInvitationAnswer(InvitationAnswer):
    """An invitation that was just made. Its secret is told this once."""

    secret = Text(help_text="The secret, for `invitations_accept`.")
    address = Text(help_text="The address of the page on which somebody joins by it.")


class InvitationShape(Shape):
    """An invitation to be made."""

    role = Choice(
        required=False, default=Role.MEMBER.value, choices=[role.value for role in INVITED_AS], help_text=_ROLE_HELP
    )
    label = Text(  # type: ignore[assignment]
        required=False, default="", most=NAME_LENGTH, help_text="Whom it is for, as a note to oneself."
    )
    days = Whole(required=False, default=14, least=1, most=MOST_DAYS, help_text="For how many days it is open.")
    most_uses = Whole(
        required=False,
        default=None,
        allow_null=True,
        least=1,
        most=MOST_USES,
        help_text="How many may join by it; null for any number.",
    )


class Secret(Shape):
    """The secret of a link that was handed on."""

    secret = Text(most=100, help_text="The secret: the last part of the link's address.")


class InvitationFilter(FilterSet):
    state = ChoiceFilter(
        choices=[("open", "open"), ("closed", "closed")],
        method="in_state",
        help_text="Only those that are open now, or only those that are not any more.",
    )

    class Meta:
        model = Invitation
        fields = ("state",)

    def in_state(self, rows: QuerySet, name: str, value: str) -> QuerySet:
        unused = Q(most_uses__isnull=True) | Q(uses__lt=F("most_uses"))
        is_open = Q(unused, revoked_at__isnull=True, expires_at__gt=timezone.now())
        return rows.filter(is_open if value == "open" else ~is_open)


def _invitation_body(invitation: Invitation) -> Body:
    return {
        "id": invitation.pk,
        "club": invitation.club_id,
        "role": invitation.role,
        "label": invitation.label,
        "created_at": invitation.created_at,
        "expires_at": invitation.expires_at,
        "most_uses": invitation.most_uses,
        "uses": invitation.uses,
        "is_open": invitation.is_usable,
    }


class Invitations(View):
    FIELD_OF = {"name_too_long": "label", "days_out_of_range": "days", "uses_out_of_range": "most_uses"}

    @operation(
        "invitations_list",
        summary="The invitations of a club",
        tag=TAG,
        answer=InvitationAnswer,
        lists=True,
        filters=InvitationFilter,
        orders={"-created_at": Order.moment("created_at", descending=True)},
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """The invitations of a club, the newest first, for its managers. Secrets are not told again."""
        club = self.club(club_id)
        permissions.check_can_manage_members(self.actor, club)
        return self.listed(club.invitations.all(), lambda rows: [_invitation_body(one) for one in rows])

    @operation(
        "invitations_create",
        summary="Make an invitation",
        tag=TAG,
        takes=InvitationShape,
        answer=NewInvitationAnswer,
        status=201,
        scope=Scope.MANAGE,
        examples=[
            OpenApiExample("For one scorer", {"role": "scorer", "label": "Dora", "most_uses": 1}, request_only=True)
        ],
    )
    def post(self, request: Any, club_id: int) -> Any:
        """Make an invitation, as managers do, and get its secret."""
        club = self.club(club_id)
        permissions.check_can_manage_members(self.actor, club)
        sent = self.sent()
        return self.write(
            lambda: invite(club, **sent, by=self.actor, key=self.key), self._made, secrets=("secret", "address")
        )

    def _made(self, made: tuple[Invitation, str]) -> Body:
        invitation, secret = made
        address = self.request.build_absolute_uri(reverse("open_invitation", args=[secret]))
        return {**_invitation_body(invitation), "secret": secret, "address": address}


class OneInvitation(View):
    @operation("invitations_revoke", summary="Close an invitation", tag=TAG, answer=None, scope=Scope.MANAGE)
    def delete(self, request: Any, club_id: int, invitation_id: int) -> Any:
        """Close an invitation for good, as managers do; whoever came in by it stays."""
        club = self.club(club_id)
        permissions.check_can_manage_members(self.actor, club)
        invitation = club.invitations.filter(pk=invitation_id).first()
        if invitation is None:
            raise Http404
        return self.write(lambda: revoke_invitation(invitation, by=self.actor))


class Accepting(View):
    @operation(
        "invitations_accept",
        summary="Join a club",
        tag=TAG,
        takes=Secret,
        answer=MemberAnswer,
        scope=Scope.MANAGE,
        beyond_clubs=True,
        errors={409: ("invitation_gone", "invitation_used_up")},
    )
    def post(self, request: Any) -> Any:
        """Join a club by an invitation's secret. Who is a member already keeps the higher one of both roles."""
        self.signed_in()
        secret = self.sent()["secret"]
        return self.write(lambda: accept_invitation(secret, by=self.actor), self._joined)

    def _joined(self, membership: Membership) -> Body:
        return _member_body(_members(membership.club).get(pk=membership.pk))
