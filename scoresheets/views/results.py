"""Games of which only the points are known: typing one in, and correcting the points of one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import wording
from scoresheets.actors import Actor
from scoresheets.correction_words import effects_in_words, winners_in_words
from scoresheets.forms.results import CorrectResultsForm, ResultsEntry, fields_of
from scoresheets.models import Entry, Game
from scoresheets.models.games import REASON_LENGTH
from scoresheets.queries.blocks import sheet_of
from scoresheets.queries.corrections import corrections_of
from scoresheets.queries.evenings import begun_evenings
from scoresheets.recording import Conflict, record_results
from scoresheets.recording import correct_results as record_correction
from scoresheets.recording.results import results_version
from scoresheets.views import access
from scoresheets.views.changes import corrections_in_words
from scoresheets.views.club_tables import ClubTable, club_table
from scoresheets.views.corrections import back_to_sheet, entry_in, kept_game, seen_in, time_of
from scoresheets.views.keys import key_in, new_key

Kind = Entry.Kind


# -- a new one -------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_results(request: HttpRequest) -> HttpResponse:
    """Show the form for the points of a game; a POST shows the ranking they make, and with "save" records them.

    `club` and `evening`, in the address or among the fields, name those whose game it is; names that the club does not
    know become guests.
    """
    table = club_table(request)
    if request.method != "POST":
        return _render_new(request, _entry(request, table), table)
    saves = "save" in request.POST
    entry = _entry(request, table, complete=saves)
    if not saves or not entry.is_right:
        return _render_new(request, entry, table, status=422 if saves else 200)
    of_club = table.start_arguments(entry.people)
    if entry.evening is not None:
        of_club["evening"] = entry.evening.pk
    try:
        started = record_results(**entry.record_arguments(), **of_club, by=table.actor, key=key_in(request.POST))
    except rules.RulesError as refused:
        entry.add_problems(refused.problems)
        return _render_new(request, entry, table, status=422)
    except Conflict as conflict:
        # The old key belongs to what was sent before.
        notice = wording.conflict_in_words(conflict)
        return _render_new(request, entry, table, status=409, notice=notice, key=new_key())
    response = redirect("block", started.game.pk)
    access.remember_link(request, response, started.game, started.secret)
    return response


def _entry(request: HttpRequest, table: ClubTable, *, complete: bool = False) -> ResultsEntry:
    evenings = begun_evenings(table.club) if table.club is not None else ()
    return ResultsEntry(request.POST if request.method == "POST" else request.GET, evenings, complete=complete)


def _render_new(
    request: HttpRequest, entry: ResultsEntry, table: ClubTable, *, status: int = 200, notice: str = "", key: str = ""
) -> HttpResponse:
    seated = {name.casefold() for name in entry.people}
    context: dict[str, Any] = {
        "entry": entry,
        "table": table,
        "lines": [
            {
                "place": place,
                "name": name,
                "points": points,
                "name_errors": entry.errors.get(f"name{place}", ()),
                "points_errors": entry.errors.get(f"points{place}", ()),
                "name_errors_id": f"name{place}_errors",
                "points_errors_id": f"points{place}_errors",
                "is_new": bool(name) and table.is_new(name),
                "meant": [near for near in (table.near(name) if name else ()) if near.casefold() not in seated],
            }
            for place, (name, points) in enumerate(zip(entry.names, entry.points, strict=True))
        ],
        "ranking": entry.ranking,
        "errors": entry.errors,
        "today": timezone.localdate().isoformat(),
        "notice": notice,
        "key": key or key_in(request.POST) or new_key(),
    }
    return render(request, "games/results_new.html", context, status=status)


# -- a correction ----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def correct_results(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the points of a game to be corrected; a POST shows what that changes, and with "save" records it.

    Only what was looked at is saved: other points show first what they change.
    `?reverse=<version>` fills in the points that a correction replaced.
    """
    game, actor = kept_game(request, game_id)
    if not game.has_rounds:
        return _correct(request, game, actor)
    raise Http404


def _correct(request: HttpRequest, game: Game, actor: Actor) -> HttpResponse:
    if request.method != "POST":
        return _render_correction(request, game, _form(game, _reversing(request, game)), seen=game.version)
    form, seen = _form(game, request.POST), seen_in(request)
    is_valid = form.is_valid()
    if not results_version(game) <= seen <= game.version:
        return _conflicting(request, game, Conflict("stale"))
    if "save" not in request.POST or not is_valid or (form.is_changed and request.POST.get("looked") != form.digest):
        return _render_correction(request, game, form, seen=seen, status=200 if is_valid else 422)
    try:
        record_correction(game.pk, form.points, by=actor, seen=seen, reason=form.reason, key=key_in(request.POST))
    except rules.RulesError as refused:
        form.add_problems(refused.problems, form.names)
        return _render_correction(request, game, form, seen=seen, status=422)
    except Conflict as conflict:
        return _conflicting(request, game, conflict)
    return back_to_sheet(request, game)


def _form(game: Game, data: Any) -> CorrectResultsForm:
    """Return the form with these fields, None for the points as they are."""
    sheet = sheet_of(game)
    return CorrectResultsForm(data or fields_of({seat.pk: seat.starting for seat in sheet.seats}), sheet)


def _reversing(request: HttpRequest, game: Game) -> dict[str, str] | None:
    entry = entry_in(request, game, Kind.RESULTS_CORRECTED)
    if entry is None:
        return None
    reason = _("Takes back the correction of %(when)s.") % {"when": time_of(entry)}
    return fields_of(entry.payload["before"]["points"]) | {"reason": reason}


def _conflicting(request: HttpRequest, game: Game, conflict: Conflict) -> HttpResponse:
    """Answer with the points as they are now, what was typed, and a fresh key: saving it again is a new decision."""
    game = Game.objects.get(pk=game.pk)
    form = _form(game, request.POST)
    form.is_valid()
    notice = wording.conflict_in_words(conflict)
    return _render_correction(request, game, form, seen=game.version, status=409, notice=notice, key=new_key())


def _render_correction(
    request: HttpRequest,
    game: Game,
    form: CorrectResultsForm,
    *,
    seen: int,
    status: int = 200,
    notice: str = "",
    key: str = "",
) -> HttpResponse:
    sheet = form.sheet
    form.is_valid()
    changes = form.preview if form.preview is not None and form.is_changed else None
    context = {
        "game": game,
        "form": form,
        "lines": [
            {
                "seat": seat,
                "name": f"points_{seat.pk}",
                "typed": form.typed(f"points_{seat.pk}"),
                "errors": form.errors.get(f"points_{seat.pk}", ()),
            }
            for seat in form.seats
        ],
        "reason_errors": form.errors.get("reason", ()),
        "changes": changes is not None,
        "looked": form.digest if changes is not None else "",
        "asks_again": "save" in request.POST and status == 200,
        "effects": effects_in_words(sheet, changes) if changes is not None else [],
        "winner_words": winners_in_words(sheet, changes) if changes is not None else "",
        "seen": seen,
        "key": key or key_in(request.POST) or new_key(),
        "notice": notice,
        "log": corrections_in_words(sheet, [one for one in corrections_of(game) if one.kind == Kind.RESULTS_CORRECTED]),
        "most_characters": REASON_LENGTH,
        "can_keep_score": True,
    }
    return render(request, "games/results_correct.html", context, status=status)
