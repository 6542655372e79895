"""Which club a request is about, and as whom it comes: an account with its roles, or a device without one."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Membership
from scoresheets.preferences import account_of
from scoresheets.views.access import MOST_DIGITS, device_actor


class ClubHidden(Http404):
    """There is no such club, or not for whoever asks: both look alike."""

    #: Which words the page for 404 finds for it.
    reason = "club"


def club_and_actor(request: HttpRequest, club_id: int) -> tuple[Club, Actor]:
    """Return the club and who asks, with all roles they have in clubs (2 statements beside those of the session).

    Raises `ClubHidden` for a club that is not there or may not be seen.
    """
    club = Club.with_id(club_id) if len(str(club_id)) <= MOST_DIGITS else None
    if club is None:
        raise ClubHidden
    return club, actor_who_sees(request, club)


def actor_who_sees(request: HttpRequest, club: Club) -> Actor:
    """Return who asks, with all roles they have in clubs (1 statement). Raises `ClubHidden` if they may not see it."""
    actor = club_actor(request)
    if not permissions.can_see_club(actor, club):
        raise ClubHidden
    return actor


def club_actor(request: HttpRequest) -> Actor:
    """Return who asks, with all roles they have in clubs (1 statement), or the device if nobody is signed in."""
    account = account_of(request)
    if account is None:
        return device_actor(request)
    return Actor.of_user(account, Membership.of_user(account.pk))
