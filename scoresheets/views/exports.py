"""Taking a club away: the page that offers its tables, and each of them as a file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.formats import bgstats, workbooks
from scoresheets.formats.tables import STYLES, csv_chunks
from scoresheets.forms.exports import ExportForm
from scoresheets.models import Club
from scoresheets.numbers import whole
from scoresheets.queries.exports import exported_games
from scoresheets.views.club_access import ClubHidden, club_and_actor
from scoresheets.views.export_tables import OFFERS, STANDINGS, TABLES, Table


@require_safe
@never_cache
def export(request: HttpRequest, club_id: int) -> HttpResponse:
    """Offer the club's tables and files; for its members, whose games these are."""
    club, actor = _club_and_member(request, club_id)
    return _page(request, club, actor, ExportForm(request.GET, list(club.seasons.all())))


@require_safe
@never_cache
def export_csv(request: HttpRequest, club_id: int, table: str) -> HttpResponseBase:
    """Answer with a table as CSV, sent while it is read."""

    def answer(made: Table, language: str) -> HttpResponseBase:
        chunks = csv_chunks(made.columns, made.rows, STYLES[language])
        return StreamingHttpResponse(chunks, content_type="text/csv; charset=utf-8")

    return _download(request, club_id, table, "csv", answer)


@require_safe
@never_cache
def export_workbook(request: HttpRequest, club_id: int, table: str) -> HttpResponseBase:
    """Answer with a table as a workbook; one that would be too large is refused with a word on what to do."""

    def answer(made: Table, language: str) -> HttpResponseBase | str:
        if (rows := made.size()) > workbooks.MOST_ROWS:
            return _(
                "That would be %(rows)s lines, and a workbook here has %(most)s at most. "
                "Choose a season or dates, or take the CSV."
            ) % {"rows": whole(rows), "most": whole(workbooks.MOST_ROWS)}
        file = tempfile.TemporaryFile()  # noqa: SIM115  (the answer closes it)
        workbooks.write_workbook(file, made.title, made.columns, made.rows)
        file.seek(0)
        return FileResponse(file, content_type=workbooks.CONTENT_TYPE)

    return _download(request, club_id, table, "xlsx", answer)


@require_safe
@never_cache
def export_bgstats(request: HttpRequest, club_id: int) -> HttpResponseBase:
    """Answer with the games as a file that the app BG Stats takes in, sent while they are read."""
    club, actor = _club_and_member(request, club_id)
    form = ExportForm(request.GET, list(club.seasons.all()))
    if form.errors:
        return _page(request, club, actor, form)
    games = exported_games(club, form.filters) if request.method == "GET" else iter(())
    chunks = bgstats.bgstats_chunks(games, site=request.build_absolute_uri("/"), time_zone=club.time_zone)
    response = StreamingHttpResponse(chunks, content_type=bgstats.CONTENT_TYPE)
    return _named(response, club, "bgstats", "json")


def _download(
    request: HttpRequest,
    club_id: int,
    name: str,
    ending: str,
    answer: Callable[[Table, str], HttpResponseBase | str],
) -> HttpResponseBase:
    """Return a table as the answer that `answer` makes of it in a language; a text it returns says why it cannot be."""
    club, actor = _club_and_member(request, club_id)
    if name not in TABLES:
        raise Http404
    form = ExportForm(request.GET, list(club.seasons.all()))
    if name == STANDINGS and not form.errors and form.filters.season is None:
        form.add_error("season", _("Choose a season: this is the table of one."))
    if form.errors:
        return _page(request, club, actor, form)
    with override(form.written_in):
        made = TABLES[name](club, form.filters)
    if request.method == "HEAD":
        made = replace(made, rows=iter(()))  # which nobody would get
    response = answer(made, form.written_in)
    if isinstance(response, str):
        form.add_error(None, response)
        return _page(request, club, actor, form)
    return _named(response, club, name, ending)


def _club_and_member(request: HttpRequest, club_id: int) -> tuple[Club, Actor]:
    """Return the club and the member who asks. Raises `ClubHidden` for everybody else."""
    club, actor = club_and_actor(request, club_id)
    if not permissions.can_see_roster(actor, club):
        raise ClubHidden
    return club, actor


def _named(response: HttpResponseBase, club: Club, name: str, ending: str) -> HttpResponseBase:
    start = slugify(club.name) or f"club-{club.pk}"
    response["Content-Disposition"] = f'attachment; filename="{start}-{name}.{ending}"'
    return response


def _page(request: HttpRequest, club: Club, actor: Actor, form: ExportForm) -> HttpResponse:
    context = {
        "club": club,
        "form": form,
        "seasons": list(form.seasons.values()),
        "chosen": form.filters.season,
        "language": form.written_in,
        "general": form.non_field_errors(),
        "tables": [offer for offer in OFFERS if form.seasons or offer.name != STANDINGS],
        "can_take_all": permissions.can_export_club(actor, club),
    }
    return render(request, "exports/export.html", context, status=422 if form.errors else 200)
