"""An invitation as it is opened: what it is for, and joining the club with it."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoresheets import wording
from scoresheets.forms.clubs import ROLE_LINES
from scoresheets.models import Invitation, Membership
from scoresheets.queries.clubs import invitation_of
from scoresheets.recording import Conflict, accept_invitation
from scoresheets.views.club_access import club_actor


class UnknownInvitation(Http404):
    """There is no invitation with this secret."""

    #: Which words the page for 404 finds for it.
    reason = "invitation"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def open_invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Show a club and the place in it that an invitation offers; a POST takes it.

    Whoever is not signed in is led there first, and back. Of an invitation that is closed not even the club is shown.
    """
    invitation = invitation_of(secret)
    if invitation is None:
        raise UnknownInvitation
    actor = club_actor(request)
    if request.method == "POST":
        if actor.user is None:
            return redirect_to_login(request.path)
        try:
            accept_invitation(secret, by=actor)
        except Conflict as conflict:
            return _closed(request, conflict, status=409)
        return redirect("club", invitation.club_id)
    role = actor.role_in(invitation.club_id)
    belongs = role != "" and Membership.Role(role).reaches(invitation.role)
    if not belongs and not invitation.is_usable:
        return _closed(request, _reason(invitation), status=410)
    context = {
        "club": invitation.club,
        "invitation": invitation,
        "role_line": ROLE_LINES[invitation.role],
        "role": Membership.Role(role).label if role else "",
        "belongs": belongs,
    }
    return render(request, "clubs/invitation.html", context)


def _reason(invitation: Invitation) -> Conflict:
    is_open = invitation.revoked_at is None and invitation.expires_at > timezone.now()
    return Conflict("invitation_used_up" if is_open else "invitation_gone")


def _closed(request: HttpRequest, conflict: Conflict, *, status: int) -> HttpResponse:
    context = {"sentence": wording.conflict_in_words(conflict)}
    return render(request, "clubs/invitation_closed.html", context, status=status)
