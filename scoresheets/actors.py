"""Who acts, as one frozen value. Recording and permissions accept nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoresheets.models import Link, Membership, Token, User
from scoresheets.models.games import Via

#: The most that each scope of a token lets its account be in a club.
MOST_ROLE = {
    Token.Scope.READ: Membership.Role.MEMBER,
    Token.Scope.RECORD: Membership.Role.SCORER,
    Token.Scope.MANAGE: Membership.Role.OWNER,
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody at one of the doors.

    `via` is the door. A link's actor carries the link's id, game and scope, and its label as the name of "who".
    `device` tells apart devices that have neither link nor account; it is a hash, never a secret itself.
    `roles` are the account's (club id, role) pairs, read once a request; functions that write a club's people read
    the role again under the club's lock. A token's actor has the token's id, at most the role `most_role` anywhere,
    and none outside `only_club_id` (None: it is for all clubs). On the admin site `staff_role` alone decides, not what
    the account is in a club.
    """

    via: str
    user: User | None = None
    link_id: int | None = None
    link_game_id: int | None = None
    link_scope: str = ""
    seat_id: int | None = None
    label: str = ""
    device: str = ""
    roles: tuple[tuple[int, str], ...] = ()
    token_id: int | None = None
    most_role: str = ""
    only_club_id: int | None = None
    staff_role: str = ""

    @classmethod
    def of_link(cls, link: Link) -> Actor:
        """Return the actor who holds this link."""
        via = Via.EDIT_LINK if link.scope == Link.Scope.EDIT else Via.WATCH_LINK
        return cls(via=via, link_id=link.pk, link_game_id=link.game_id, link_scope=link.scope, label=link.label)

    @classmethod
    def of_user(cls, user: User, memberships: Iterable[Membership] = (), *, link: Link | None = None) -> Actor:
        """Return the actor who is signed in, with the roles of these memberships.

        Give all of them, `Membership.objects.filter(user=user)`, which is the one statement a request needs; none where
        no club is in play. With the `link` their device holds they may do what it allows, in their own name.
        """
        roles = tuple((membership.club_id, membership.role) for membership in memberships)
        if link is None:
            return cls(via=Via.LOGIN, user=user, roles=roles)
        return cls(
            via=Via.LOGIN,
            user=user,
            link_id=link.pk,
            link_game_id=link.game_id,
            link_scope=link.scope,
            label=link.label,
            roles=roles,
        )

    @classmethod
    def of_token(cls, token: Token, memberships: Iterable[Membership] = (), *, link: Link | None = None) -> Actor:
        """Return the actor who comes with a token: its account, within the token's scope and club.

        `memberships` and `link` are as for `of_user`; the account has to be loaded.
        """
        return replace(
            cls.of_user(token.user, memberships, link=link),
            via=Via.TOKEN,
            token_id=token.pk,
            most_role=MOST_ROLE[Token.Scope(token.scope)],
            only_club_id=token.club_id,
        )

    @classmethod
    def of_import(cls, user: User, memberships: Iterable[Membership] = ()) -> Actor:
        """Return the account whose file is imported: the worker acts for it, with `memberships` as for `of_user`."""
        return replace(cls.of_user(user, memberships), via=Via.IMPORT)

    @classmethod
    def of_device(cls, device: str) -> Actor:
        """Return the actor on a device without link or account; `device` is a hash that stays the same there."""
        return cls(via=Via.DEVICE, device=device)

    @classmethod
    def of_staff(cls, user: User) -> Actor:
        """Return the account as it acts on the admin site (at most 1 statement); whoever is no staff can do nothing."""
        return cls(via=Via.ADMIN, user=user, staff_role=user.staff_role)

    def role_in(self, club_id: int | None) -> str:
        """Return the role to act with in the club, "" if there is none (or there is no club).

        That is the account's, but no more than its token allows.
        """
        if self.via == Via.ADMIN or not self.reaches(club_id):
            return ""
        role = next((role for club, role in self.roles if club == club_id), "")
        if role and self.most_role and Membership.Role(role).reaches(self.most_role):
            return self.most_role
        return role

    def reaches(self, club_id: int | None) -> bool:
        """Say whether the actor acts in this club at all: a token may be for another one only."""
        return self.only_club_id is None or self.only_club_id == club_id

    @property
    def is_above_roles(self) -> bool:
        """Whether the actor may do in every club what its owners may: the operator, and superusers' admin site."""
        return self.via == Via.COMMAND or self.staff_role == User.StaffRole.SUPERUSER

    @property
    def is_support(self) -> bool:
        """Whether the actor is support on the admin site."""
        return self.staff_role == User.StaffRole.SUPPORT

    @property
    def receipt_owner(self) -> str:
        """Whose request keys these are: two actors may use the same key without meeting."""
        if self.token_id is not None:
            return f"token:{self.token_id}"
        if self.user is not None:
            return f"user:{self.user.pk}"
        if self.link_id is not None:
            return f"link:{self.link_id}"
        return f"{self.via}:{self.device}"


#: The operator at the command line: demo data, repairs.
OPERATOR = Actor(via=Via.COMMAND)
