"""Who acts, as one frozen value. Recording and permissions accept nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoresheets.models import Link, Membership, User
from scoresheets.models.games import Via


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody at one of the doors.

    `via` is the door. A link's actor carries the link's id, game and scope, and its label as the name of "who".
    `device` tells apart devices that have neither link nor account; it is a hash, never a secret itself.
    `roles` are the account's (club id, role) pairs, read once a request; functions that write a club's people read
    the role again under the club's lock.
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
    def of_device(cls, device: str) -> Actor:
        """Return the actor on a device without link or account; `device` is a hash that stays the same there."""
        return cls(via=Via.DEVICE, device=device)

    def role_in(self, club_id: int | None) -> str:
        """Return the account's role in the club, "" if it has none there (or there is no club)."""
        return next((role for club, role in self.roles if club == club_id), "")

    @property
    def receipt_owner(self) -> str:
        """Whose request keys these are: two actors may use the same key without meeting."""
        if self.user is not None:
            return f"user:{self.user.pk}"
        if self.link_id is not None:
            return f"link:{self.link_id}"
        return f"{self.via}:{self.device}"


#: The operator at the command line: demo data, repairs.
OPERATOR = Actor(via=Via.COMMAND)
