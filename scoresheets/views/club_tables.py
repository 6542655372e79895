"""A new game in a club: which club, whom it knows by the names that are typed, and who starts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.forms.games import Setup
from scoresheets.models import Club, Membership, Player
from scoresheets.preferences import account_of
from scoresheets.queries.clubs import near_names, roster
from scoresheets.recording.names import folded
from scoresheets.views.access import device_actor

#: So many of a club's players are offered as buttons; whoever is missing is typed.
MOST_OFFERED = 60


@dataclass(frozen=True)
class ClubTable:
    """What a new game knows of its club: `club` is None for a quick game, `clubs` are those one may start games in.

    `has_changed`: another club was just chosen, so its rules are proposed.
    """

    actor: Actor
    club: Club | None = None
    clubs: Sequence[Club] = ()
    has_changed: bool = False

    @cached_property
    def players(self) -> list[Player]:
        """The club's roster by name (1 statement)."""
        return list(roster(self.club)) if self.club is not None else []

    @property
    def names(self) -> list[str]:
        """The names offered as buttons."""
        return [player.name for player in self.players[:MOST_OFFERED]]

    @property
    def usual(self) -> Setup:
        """The rules and the length that the club usually plays."""
        assert self.club is not None
        return Setup().with_house(self.club.house_rules).choosing(length=self.club.ladder)

    def player_named(self, name: str) -> Player | None:
        """Return whom the club knows by this name, case set aside."""
        return next((player for player in self.players if folded(player.name) == folded(name)), None)

    def is_new(self, name: str) -> bool:
        """Whether the club would come to know somebody by this name as a guest."""
        return self.club is not None and self.player_named(name) is None

    def near(self, name: str) -> list[str]:
        """Return the names of those who may be meant by a name that the club does not know (1 statement)."""
        if self.club is None or not self.is_new(name):
            return []
        return [player.name for player in near_names(self.club, name)]

    def start_arguments(self, names: Sequence[str]) -> dict[str, Any]:
        """Return what `recording.start_game` is told of the club: known names are players, others new guests."""
        if self.club is None:
            return {}
        known = [self.player_named(name) for name in names]
        players = [name if player is None else player.pk for name, player in zip(names, known, strict=True)]
        return {"club": self.club, "players": players}


def club_table(request: HttpRequest) -> ClubTable:
    """Return the club that the request names, and who asks (1 statement for an account beside its session).

    Raises `Http404` for a club that may not be seen, `PermissionDenied` for one whose games one may not start.
    """
    named = request.POST.get("club", request.GET.get("club", ""))
    account = account_of(request)
    memberships = list(account.memberships.select_related("club").order_by("club__name")) if account else []
    actor = Actor.of_user(account, memberships) if account else device_actor(request)
    clubs = [row.club for row in memberships if Membership.Role(row.role).reaches(Membership.Role.SCORER)]
    club = next((club for club in clubs if str(club.pk) == named), None)
    if named and club is None:
        found = (
            Club.objects.filter(pk=int(named)).first()
            if named.isascii() and named.isdigit() and len(named) < 19
            else None
        )
        if found is None or not permissions.can_see_club(actor, found):
            raise Http404
        permissions.check_can_start_game(actor, found)
    has_changed = request.method == "POST" and named != request.POST.get("shown_club", named)
    return ClubTable(actor, club, clubs, has_changed and club is not None)
