"""The page of games that look odd, of all clubs or of one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from scoresheets import suspicion_words
from scoresheets.admin.site import EXTRA_PAGES, ExtraPage, site
from scoresheets.models import Club
from scoresheets.queries.suspicions import KINDS, suspicions


@require_safe
def look(request: HttpRequest) -> HttpResponse:
    """Show which games look odd and why; `?kind=` is one thing to look for, `?club=` a club, `?before=` a game."""
    kind = request.GET.get("kind", "")
    kind = kind if kind in KINDS else ""
    club_id = _id_in(request, "club")
    club = Club.with_id(club_id) if club_id is not None else None
    page = suspicions(club=club, kind=kind, before=_id_in(request, "before"))
    context = {
        **site.each_context(request),
        "title": _("Games that look odd"),
        "club": club,
        "kind": kind,
        "kinds": suspicion_words.KINDS.items(),
        "page": page,
        "lines": suspicion_words.lines_of(page, "admin:scoresheets_game_change"),
    }
    return render(request, "admin/suspicions.html", context)


def _id_in(request: HttpRequest, name: str) -> int | None:
    sent = request.GET.get(name, "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) <= 18 else None


EXTRA_PAGES.append(ExtraPage("suspicions/", look, "suspicions", _("Games that look odd")))
