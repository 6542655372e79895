"""Who is who in a club: "that's me" of its members, for a manager to decide, and the personal links that settle it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoresheets import permissions, recording, wording
from scoresheets.models import Club, Player, PlayerLink
from scoresheets.preferences import account_of
from scoresheets.queries.clubs import open_claims, player_link_of, player_of
from scoresheets.queries.players import claim_in
from scoresheets.recording import Conflict
from scoresheets.views.club_access import ClubHidden, club_actor
from scoresheets.views.players import club_with_roster, id_or_404


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def claims(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the claims that wait; a POST with `accept` or `refuse`, a claim's id, decides one."""
    club, actor = club_with_roster(request, club_id)
    permissions.check_can_manage_players(actor, club)
    if request.method != "POST":
        return _render_claims(request, club)
    accepted = "accept" in request.POST
    claim = claim_in(club, id_or_404(request.POST.get("accept" if accepted else "refuse", "")))
    if claim is None:
        raise ClubHidden
    try:
        claim = recording.decide_claim(claim, accepted=accepted, by=actor)
    except Conflict as conflict:
        return _render_claims(request, club, status=409, notice=wording.conflict_in_words(conflict))
    words = _("%(account)s is %(player)s from now on.") if accepted else _("%(account)s is not %(player)s.")
    messages.success(request, words % {"account": claim.user, "player": claim.player.canonical.name})
    return redirect("claims", club.pk)


def _render_claims(request: HttpRequest, club: Club, *, status: int = 200, notice: str = "") -> HttpResponse:
    context = {"club": club, "claims": open_claims(club), "notice": notice}
    return render(request, "players/claims.html", context, status=status)


# -- personal links -------------------------------------------------------------------------------------------------


class UnknownPlayerLink(Http404):
    """There is no personal link with this secret."""

    #: Which words the page for 404 finds for it: those for invitations fit.
    reason = "invitation"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def open_player_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Show whom a personal link is for; a POST makes the account that sends it this player, for good.

    Whoever is not signed in is led there first, and back. Of a link that is closed nobody's name is shown.
    """
    link = player_link_of(secret)
    if link is None:
        raise UnknownPlayerLink
    if request.method != "POST":
        return _render_link(request, link, status=200 if _is_open(request, link) else 410)
    actor = club_actor(request)
    if actor.user is None:
        return redirect_to_login(request.path)
    try:
        player = recording.use_claim_link(secret, by=actor)
    except Conflict as conflict:
        return _render_link(request, link, status=409, notice=wording.conflict_in_words(conflict))
    messages.success(request, _("Welcome. In this club you are %(name)s.") % {"name": player.name})
    return redirect("player", player.club_id, player.pk)


def _render_link(request: HttpRequest, link: PlayerLink, *, status: int = 200, notice: str = "") -> HttpResponse:
    player, club, account = link.player.canonical, link.player.club, account_of(request)
    is_own = _is_own(request, player)
    context = {
        "link": link,
        "player": player,
        "club": club,
        "is_own": is_own,
        "is_open": _is_open(request, link),
        "other": player_of(club, account) if account is not None and not is_own else None,
        "notice": notice,
    }
    return render(request, "players/link.html", context, status=status)


def _is_open(request: HttpRequest, link: PlayerLink) -> bool:
    return link.is_usable or _is_own(request, link.player.canonical)


def _is_own(request: HttpRequest, player: Player) -> bool:
    account = account_of(request)
    return account is not None and player.user_id == account.pk
