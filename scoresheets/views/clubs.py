"""Clubs: one's own, founding one, a club's page, its settings and its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoresheets import permissions, wording
from scoresheets.actors import Actor
from scoresheets.forms.clubs import ClubForm
from scoresheets.models import Club, Game, Membership, Seat
from scoresheets.models.games import NAME_LENGTH
from scoresheets.numbers import reader_language
from scoresheets.preferences import account_of
from scoresheets.queries.clubs import ClubGame, ClubHome, club_home, clubs_of, invitations_of, open_claims
from scoresheets.queries.webhooks import disabled_webhooks
from scoresheets.recording import ClubSettings, Conflict, change_club, create_club
from scoresheets.recording import delete_club as record_deletion
from scoresheets.views.club_access import club_actor, club_and_actor
from scoresheets.views.evenings import evenings_at_home
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.posts import is_number
from scoresheets.views.seasons import at_home

#: A game that began longer ago is not being played any more, whatever its score sheet says.
AN_EVENING = timedelta(hours=12)


@require_safe
@never_cache
def clubs(request: HttpRequest) -> HttpResponse:
    """List the account's clubs; say to everybody else what a club is."""
    account = account_of(request)
    if account is None:
        return render(request, "clubs/welcome.html")
    found = [(club, Membership.Role(club.role).label) for club in clubs_of(account)]
    return render(request, "clubs/clubs.html", {"clubs": found})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_club(request: HttpRequest) -> HttpResponse:
    """Ask for a club's settings; a POST founds it."""
    account = account_of(request)
    assert account is not None
    base = ClubSettings("", time_zone=settings.TIME_ZONE, language=reader_language()[:2])
    known_as = account.get_username()[:NAME_LENGTH]
    if request.method != "POST":
        return _render_settings(request, ClubForm(base=base, player_name=known_as))
    form = ClubForm(request.POST, base=base)
    if not form.is_valid():
        return _render_settings(request, form, status=422)
    try:
        club = create_club(
            form.settings,
            by=club_actor(request),
            player_name=form.cleaned_data["player_name"],
            key=key_in(request.POST),
        )
    except Conflict as conflict:
        # The old key belongs to what was sent before.
        notice = wording.conflict_in_words(conflict)
        return _render_settings(request, form, key=new_key(), status=409, notice=notice)
    return redirect("club", club.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def club_settings(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a club's settings; a POST changes them."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_change_club(actor, club)
    form = ClubForm(request.POST if request.method == "POST" else None, base=ClubSettings.of(club))
    if request.method == "POST" and form.is_valid():
        change_club(club, form.settings, by=actor)
        messages.success(request, _("The settings are saved."))
        return redirect("club", club.pk)
    can_delete = permissions.can_delete_club(actor, club)
    return _render_settings(request, form, club=club, can_delete=can_delete, status=422 if form.errors else 200)


def _render_settings(
    request: HttpRequest,
    form: ClubForm,
    *,
    club: Club | None = None,
    can_delete: bool = False,
    key: str = "",
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    context = {
        "form": form,
        "club": club,
        "can_delete": can_delete,
        "key": key or key_in(request.POST) or new_key(),
        "notice": notice,
    }
    return render(request, "clubs/settings.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete_club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Say what goes with a club, or why it cannot go; a POST deletes it for good."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_delete_club(actor, club)
    status = 200
    if request.method == "POST":
        try:
            record_deletion(club, by=actor)
        except Conflict:
            status = 409
        else:
            messages.success(request, _("%(club)s is deleted.") % {"club": club.name})
            return redirect("clubs")
    context = {"club": club, "games": club.games.count(), "people": club.players.count()}
    return render(request, "clubs/delete.html", context, status=status)


# -- a club's page ---------------------------------------------------------------------------------------------------


@require_safe
@never_cache
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show a club: its newest games and, to its members, whom it knows and what waits for them."""
    found, actor = club_and_actor(request, club_id)
    is_member = permissions.can_see_roster(actor, found)
    home = club_home(
        found,
        roster_page=_page(request, "roster"),
        games_page=_page(request, "games"),
        with_roster=is_member,
    )
    lines = [_line(game, in_public=not is_member) for game in home.games]
    now = timezone.now()
    context = {
        "club": found,
        "home": home,
        "lines": lines,
        "running": [line for line in lines if line.is_running and line.game.started_at > now - AN_EVENING],
        "is_member": is_member,
        "own_player": _own_player(home, actor),
        "can_start_game": permissions.can_start_game(actor, found),
        "can_change": permissions.can_change_club(actor, found),
        **_waiting(found, actor),
        **at_home(found, actor),
        **evenings_at_home(found, actor),
    }
    return render(request, "clubs/club.html", context)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list of a club's page: who sat there, in dealing order, and what came of it."""

    game: Game
    names: Sequence[str]
    winners: str
    points: int
    round_number: int

    @property
    def is_running(self) -> bool:
        return not self.game.is_finished and not self.game.halted


def _line(listed: ClubGame, *, in_public: bool) -> GameLine:
    winners = listed.winners
    return GameLine(
        listed.game,
        [_name(seat, in_public=in_public) for seat in listed.seats],
        wording.joined([_name(seat, in_public=in_public) for seat in winners]),
        winners[0].total if winners else 0,
        listed.round_number,
    )


def _name(seat: Seat, *, in_public: bool) -> str:
    """Return whom a seat shows: the name written there or, to everybody, the one its player chose for that."""
    if in_public and seat.player is not None:
        return seat.player.canonical.shown_publicly
    return seat.name


def _own_player(home: ClubHome, actor: Actor) -> int | None:
    """Return the id of the player on this page of the roster who is the account."""
    own = (line.player for line in home.roster if actor.user is not None and line.player.user_id == actor.user.pk)
    return next((player.pk for player in own), None)


def _waiting(club: Club, actor: Actor) -> dict[str, int]:
    """Return what waits for a manager: claims to decide, open invitations, webhooks that do not work; how many each."""
    if not permissions.can_manage_members(actor, club):
        return {}
    return {
        "claims": len(open_claims(club)),
        "invitations": len(invitations_of(club)),
        "dead_webhooks": disabled_webhooks(club),
    }


def _page(request: HttpRequest, name: str) -> int:
    """Return the number of a page as the address says it; the first one for anything that is none."""
    typed = request.GET.get(name, "")
    return int(typed) if is_number(typed) else 1
