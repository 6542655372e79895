"""A season's settings: a new one, the rule of one, its close and its end."""

from __future__ import annotations

from contextlib import suppress

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.forms.seasons import SeasonForm
from scoresheets.models import Club, Season
from scoresheets.models.games import night_of
from scoresheets.recording import Conflict, SeasonSettings
from scoresheets.views.club_access import club_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.seasons import season_and_actor


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_season(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask for a season's settings; a POST makes it."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_manage_seasons(actor, club)
    tonight = night_of(timezone.now(), club.time_zone)
    base = SeasonSettings("", tonight.replace(day=1))
    if request.method != "POST":
        return _render(request, club, SeasonForm(base=base))
    form = SeasonForm(request.POST, base=base)
    if not form.is_valid():
        return _render(request, club, form, status=422)
    try:
        season = recording.create_season(club, form.settings, by=actor, key=key_in(request.POST))
    except rules.RulesError as refused:
        form.refuse(refused)
        return _render(request, club, form, status=422)
    except Conflict as conflict:
        # The old key belongs to what was sent before.
        notice = wording.conflict_in_words(conflict)
        return _render(request, club, form, key=new_key(), status=409, notice=notice)
    return redirect("season", club.pk, season.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def season_settings(request: HttpRequest, club_id: int, season_id: int) -> HttpResponse:
    """Show a season's settings; a POST changes them. A closed season only says that it is."""
    club, season, actor = _managed(request, club_id, season_id)
    form = SeasonForm(request.POST if request.method == "POST" else None, base=SeasonSettings.of(season))
    if request.method != "POST":
        return _render(request, club, form, season=season)
    if not form.is_valid():
        return _render(request, club, form, season=season, status=422)
    try:
        recording.change_season(season, form.settings, by=actor)
    except rules.RulesError as refused:
        form.refuse(refused)
        return _render(request, club, form, season=season, status=422)
    except Conflict as conflict:
        notice = wording.conflict_in_words(conflict)
        return _render(request, club, form, season=season, status=409, notice=notice)
    messages.success(request, _("The season is saved."))
    return redirect("season", club.pk, season.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def close_season(request: HttpRequest, club_id: int, season_id: int) -> HttpResponse:
    """Say what closing a season means, or opening a closed one again; a POST does it."""
    club, season, actor = _managed(request, club_id, season_id)
    tonight = night_of(timezone.now(), club.time_zone)
    context = {"club": club, "season": season, "tonight": tonight}
    context["ends_now"] = season.ends_on is None or season.ends_on > tonight
    if request.method != "POST":
        return render(request, "seasons/close.html", context)
    opens = "open" in request.POST
    try:
        season = (recording.reopen_season if opens else recording.close_season)(season, by=actor)
    except Conflict as conflict:
        notice = wording.conflict_in_words(conflict)
        return render(request, "seasons/close.html", {**context, "notice": notice}, status=409)
    except rules.RulesError as refused:
        notice = wording.problem_in_words(refused.problems[0])
        return render(request, "seasons/close.html", {**context, "notice": notice}, status=422)
    said = _("%(season)s is open again.") if opens else _("%(season)s is closed.")
    messages.success(request, said % {"season": season.name})
    return redirect("season_settings" if opens else "season", club.pk, season.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete_season(request: HttpRequest, club_id: int, season_id: int) -> HttpResponse:
    """Say what goes with a season and what stays; a POST deletes it for good."""
    club, season, actor = _managed(request, club_id, season_id)
    if request.method != "POST":
        context = {"club": club, "season": season, "people": season.standings.count()}
        return render(request, "seasons/delete.html", context)
    # Where somebody was faster, what was wanted is so.
    with suppress(Conflict):
        recording.delete_season(season, by=actor)
    messages.success(request, _("%(season)s is deleted.") % {"season": season.name})
    return redirect("seasons", club.pk)


def _managed(request: HttpRequest, club_id: int, season_id: int) -> tuple[Club, Season, Actor]:
    """Return a season that whoever asks may change. Raises `ClubHidden`, `PermissionDenied`."""
    club, season, actor = season_and_actor(request, club_id, season_id)
    permissions.check_can_manage_seasons(actor, club)
    return club, season, actor


def _render(
    request: HttpRequest,
    club: Club,
    form: SeasonForm,
    *,
    season: Season | None = None,
    key: str = "",
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    context = {
        "form": form,
        "club": club,
        "season": season,
        "key": key or key_in(request.POST) or new_key(),
        "notice": notice,
    }
    is_closed = season is not None and season.closed_at is not None
    template = "seasons/closed.html" if is_closed else "seasons/settings.html"
    return render(request, template, context, status=status)
