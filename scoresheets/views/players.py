"""A club's players: the roster, and each of them with all that can be done about who they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.forms.corrections import ProblemsForm
from scoresheets.forms.players import DAYS, AnonymousForm, NewPlayerForm, OpenForm, PlayerForm
from scoresheets.models import Club, Player
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.clubs import open_claims, player_of
from scoresheets.queries.players import (
    details_of,
    likely_players,
    newest_claim,
    open_link_of,
    player_in,
    roster_page,
    standing_merges,
)
from scoresheets.recording import Conflict
from scoresheets.recording.names import folded
from scoresheets.recording.players import MOST_DAYS
from scoresheets.views.club_access import ClubHidden, club_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.posts import is_number
from scoresheets.views.qr import qr_of

#: Longer input is no name to search for.
MOST_SEARCHED = 100


def club_with_roster(request: HttpRequest, club_id: int) -> tuple[Club, Actor]:
    """Return the club and who asks, who may see its roster. Raises `ClubHidden`, `PermissionDenied`."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_see_roster(actor, club)
    return club, actor


def id_or_404(sent: int | str) -> int:
    """Return an id as a number. Raises `ClubHidden` where what was sent is none."""
    if not is_number(str(sent)):
        raise ClubHidden
    return int(sent)


def player_or_404(club: Club, player_id: int | str) -> Player:
    """Return the club's player with this id, a number or what was sent as one. Raises `ClubHidden`."""
    player = player_in(club, id_or_404(player_id))
    if player is None:
        raise ClubHidden
    return player


def searched(request: HttpRequest) -> str:
    """Return the name that the page is to look for, "" for all."""
    return request.GET.get("q", "")[:MOST_SEARCHED].strip()


# -- the roster -----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def players(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the roster, or with `?archive=1` the archive; a POST adds somebody, unless it may be one of those known."""
    club, actor = club_with_roster(request, club_id)
    if request.method != "POST":
        return _render_roster(request, club, actor)
    permissions.check_can_add_players(actor, club)
    form = NewPlayerForm(request.POST)
    if not form.is_valid():
        return _render_roster(request, club, actor, status=422, form=form)
    name = form.cleaned_data["name"]
    likely = likely_players(club, name)
    is_known = any(folded(player.name) == folded(name) and player.archived_at is None for player in likely)
    # Of a name that is on the roster recording says so, or knows that this request is a repeat.
    if not is_known and not {player.pk for player in likely} <= form.answered:
        return _render_roster(request, club, actor, form=form, likely=likely)
    try:
        added = recording.add_player(
            club, name, by=actor, is_guest=form.cleaned_data["is_guest"], key=key_in(request.POST)
        )
    except rules.RulesError as refused:
        form.add_problems(refused.problems, [name])
        return _render_roster(request, club, actor, status=422, form=form, likely=likely)
    except Conflict as conflict:
        notice = wording.conflict_in_words(conflict)
        return _render_roster(request, club, actor, status=409, form=form, notice=notice)
    messages.success(request, _("%(name)s is on the roster.") % {"name": added.name})
    return redirect("players", club.pk)


def _render_roster(
    request: HttpRequest,
    club: Club,
    actor: Actor,
    *,
    status: int = 200,
    form: NewPlayerForm | None = None,
    likely: list[Player] | None = None,
    notice: str = "",
) -> HttpResponse:
    is_archive = "archive" in request.GET
    search = searched(request)
    manages = permissions.can_manage_players(actor, club)
    context = {
        "club": club,
        "found": roster_page(club, archived=is_archive, search=search, number=request.GET.get("page", 1)),
        "is_archive": is_archive,
        "search": search,
        "can_add": permissions.can_add_players(actor, club),
        "claims": len(open_claims(club)) if manages else 0,
        "form": form or NewPlayerForm(),
        "likely": likely or [],
        "notice": notice,
        "key": new_key(),
        "most_characters": NAME_LENGTH,
    }
    return render(request, "players/players.html", context, status=status)


# -- one player -----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def player(request: HttpRequest, club_id: int, player_id: int) -> HttpResponse:
    """Show a player; a POST with `act` does one of the `ACTS`. A duplicate's is that of the player it went into."""
    club, actor = club_with_roster(request, club_id)
    found = player_or_404(club, player_id)
    if request.method != "POST":
        return _render_player(request, actor, found) if found.is_canonical else _to(found.canonical)
    name = request.POST.get("act", "")
    if name != "claim":
        permissions.check_can_manage_players(actor, club)
    if name not in ACTS:
        return _render_player(request, actor, found.canonical, status=422)
    form = FORMS[name](request.POST) if name in FORMS else None
    if form is not None and not form.is_valid():
        return _render_player(request, actor, found.canonical, status=422, form=form)
    try:
        return ACTS[name](request, found, actor, form)
    except Conflict as conflict:
        found, notice = player_or_404(club, player_id), wording.conflict_in_words(conflict)
        return _render_player(request, actor, found.canonical, status=409, form=form, notice=notice)
    except rules.RulesError as refused:
        notice = "" if form else " ".join(wording.problem_in_words(problem) for problem in refused.problems)
        if form is not None:
            form.add_problems(refused.problems, [])
        return _render_player(request, actor, found, status=422, form=form, notice=notice)


def _to(player: Player) -> HttpResponse:
    return redirect("player", player.club_id, player.pk)


def _done(request: HttpRequest, player: Player, words: str) -> HttpResponse:
    messages.success(request, words)
    return _to(player)


def _rename(request: HttpRequest, player: Player, actor: Actor, form: Any) -> HttpResponse:
    names = form.cleaned_data
    recording.rename_player(player, name=names["name"], public_name=names["public_name"], by=actor)
    return _done(request, player, _("The names are kept."))


def _archive(request: HttpRequest, player: Player, actor: Actor, form: Any) -> HttpResponse:
    recording.archive_player(player, by=actor)
    return _done(request, player, _("%(name)s is in the archive.") % {"name": player.name})


def _unarchive(request: HttpRequest, player: Player, actor: Actor, form: Any) -> HttpResponse:
    recording.unarchive_player(player, by=actor)
    return _done(request, player, _("%(name)s is on the roster.") % {"name": player.name})


def _make_link(request: HttpRequest, player: Player, actor: Actor, form: Any) -> HttpResponse:
    days = form.cleaned_data["days"]
    link, secret = recording.make_claim_link(player, days=days, by=actor, key=key_in(request.POST))
    address = request.build_absolute_uri(reverse("open_player_link", args=[secret]))
    return _render_player(request, actor, player, made={"link": link, "address": address, "qr": qr_of(address)})


def _revoke_link(request: HttpRequest, player: Player, actor: Actor, form: Any) -> HttpResponse:
    link = open_link_of(player)
    if link is not None:
        recording.revoke_claim_link(link, by=actor)
    return _done(request, player, _("The personal link is closed."))


def _release(request: HttpRequest, player: Player, actor: Actor, form: Any) -> HttpResponse:
    recording.release_player(player, by=actor)
    return _done(request, player, _("%(name)s has no account any more.") % {"name": player.name})


def _claim(request: HttpRequest, player: Player, actor: Actor, form: Any) -> HttpResponse:
    recording.claim_player(player, by=actor)
    return _done(request, player, _("Now a manager of the club decides."))


Act = Callable[[HttpRequest, Player, Actor, Any], HttpResponse]
#: What can be done on a player's page, by the name of its button.
ACTS: Mapping[str, Act] = MappingProxyType(
    {
        "rename": _rename,
        "archive": _archive,
        "unarchive": _unarchive,
        "link": _make_link,
        "revoke": _revoke_link,
        "release": _release,
        "claim": _claim,
    }
)
#: What is typed for it.
FORMS: Mapping[str, type[ProblemsForm]] = MappingProxyType({"rename": PlayerForm, "link": OpenForm})


def _render_player(
    request: HttpRequest,
    actor: Actor,
    found: Player,
    *,
    status: int = 200,
    form: ProblemsForm | None = None,
    made: dict[str, Any] | None = None,
    notice: str = "",
) -> HttpResponse:
    club = found.club
    manages = permissions.can_manage_players(actor, club)
    user = actor.user if permissions.can_claim(actor, club) else None
    context = {
        "club": club,
        "details": details_of(found),
        "player": found,
        "is_own": found.user_id is not None and found.user == user,
        "own_player": player_of(club, user) if user else None,
        "claim": newest_claim(found, user) if user and found.user_id is None else None,
        "can_claim": user is not None,
        "can_manage": manages,
        "can_anonymise": permissions.can_anonymise(actor, found),
        "merges": standing_merges(found) if manages else [],
        "open_link": open_link_of(found) if manages else None,
        "names_form": form if isinstance(form, PlayerForm) else PlayerForm(_names_of(found)),
        "names_errors": form.errors if isinstance(form, PlayerForm) else {},
        "open_form": form if isinstance(form, OpenForm) else OpenForm({"days": DAYS}),
        "made": made,
        "notice": notice,
        "key": new_key(),
        "most_characters": NAME_LENGTH,
        "most_days": MOST_DAYS,
    }
    return render(request, "players/player.html", context, status=status)


def _names_of(player: Player) -> dict[str, str]:
    return {"name": player.name, "public_name": player.public_name}


# -- anonymity ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def anonymise(request: HttpRequest, club_id: int, player_id: int) -> HttpResponse:
    """Say what making a player anonymous means; a POST with their name typed does it for good."""
    club, actor = club_with_roster(request, club_id)
    found = player_or_404(club, player_id).canonical
    permissions.check_can_anonymise(actor, found)
    details = details_of(found)
    if request.method != "POST":
        return render(request, "players/anonymise.html", {"club": club, "details": details, "form": None})
    form = AnonymousForm(request.POST, found)
    if not form.is_valid():
        context = {"club": club, "details": details, "form": form}
        return render(request, "players/anonymise.html", context, status=422)
    anonymous = recording.anonymise_player(found, by=actor)
    return _done(request, anonymous, _("That is done: the name is gone."))
