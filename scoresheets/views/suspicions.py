"""A club's games that look odd, for those who can put them right."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets import permissions, suspicion_words
from scoresheets.queries.suspicions import KINDS, suspicions
from scoresheets.views.club_access import club_and_actor
from scoresheets.views.posts import is_number


@require_safe
@never_cache
def club_suspicions(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show managers which games of a club look odd and why; `?kind=` is one thing to look for, `?before=` a game."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_change_club(actor, club)
    kind, before = request.GET.get("kind", ""), request.GET.get("before", "")
    kind = kind if kind in KINDS else ""
    page = suspicions(club=club, kind=kind, before=int(before) if is_number(before) else None)
    context = {
        "club": club,
        "kind": kind,
        "kinds": suspicion_words.KINDS.items(),
        "page": page,
        "lines": suspicion_words.lines_of(page, "block"),
    }
    return render(request, "clubs/suspicions.html", context)
