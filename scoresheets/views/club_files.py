"""A whole club as a file: downloaded, and uploaded to become a new club."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from scoresheets import permissions, wording
from scoresheets.forms.club_files import MOST_BYTES, MOST_MEGABYTES, ClubFileForm
from scoresheets.queries.club_files import club_file as pieces_of
from scoresheets.recording import Conflict
from scoresheets.recording.club_files import ClubFileError, Preview, look_at
from scoresheets.recording.club_files import import_club as record_import
from scoresheets.views.club_access import club_actor, club_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.partials import wants_partial
from scoresheets.views.uploads import is_hopeless, limit_upload

#: Further problems of a file are counted only.
MOST_SHOWN = 20


@require_safe
@never_cache
def club_file(request: HttpRequest, club_id: int) -> HttpResponseBase:
    """Return the whole club as a file, to its managers."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_export_club(actor, club)
    response = StreamingHttpResponse(pieces_of(club), content_type="application/json")
    name = f"{club.name}.json".replace("/", "-").replace("\\", "-")
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    return response


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong with a file, in words, and where it stands there."""

    path: str
    sentence: str


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def import_club(request: HttpRequest) -> HttpResponse:
    """Ask for a club's file; a POST says what it would bring or, asked to, makes a club of it."""
    if is_hopeless(request):
        return _render(request, ClubFileForm(too_large=True), status=422)
    # Before anything reads the form: so it stops at the limit.
    upload = limit_upload(request, MOST_BYTES)
    return _import_club(request, lambda: upload.is_too_large)


@csrf_protect
def _import_club(request: HttpRequest, is_too_large: Callable[[], bool]) -> HttpResponse:
    if request.method != "POST":
        return _render(request, ClubFileForm())
    return _look_or_import(request, ClubFileForm(request.FILES, too_large=is_too_large()))


def _look_or_import(request: HttpRequest, form: ClubFileForm) -> HttpResponse:
    if form.file is None:
        return _render(request, form, status=422)
    try:
        if "look" in request.POST:
            return _render(request, form, preview=look_at(form.file, most_bytes=MOST_BYTES))
        club = record_import(form.file, by=club_actor(request), most_bytes=MOST_BYTES, key=key_in(request.POST))
    except ClubFileError as refused:
        troubles = [
            Trouble(problem.path, wording.problem_in_words(problem.problem))
            for problem in refused.problems[:MOST_SHOWN]
        ]
        left_out = len(refused.problems) - len(troubles) + refused.left_out
        return _render(request, form, troubles=troubles, left_out=left_out, status=422)
    except Conflict as conflict:
        # The old key belongs to what was sent before.
        form.problem = wording.conflict_in_words(conflict)
        return _render(request, form, key=new_key(), status=409)
    messages.success(request, _("%(club)s is here now, with all its games. You are its owner.") % {"club": club.name})
    return redirect("club", club.pk)


def _render(
    request: HttpRequest,
    form: ClubFileForm,
    *,
    preview: Preview | None = None,
    troubles: Sequence[Trouble] = (),
    left_out: int = 0,
    key: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "preview": preview,
        "troubles": troubles,
        "left_out": left_out,
        "most_megabytes": MOST_MEGABYTES,
        "key": key or key_in(request.POST) or new_key(),
    }
    if wants_partial(request):
        return render(request, "club_files/found.html", context, status=status)
    return render(request, "club_files/import.html", context | {"choose_again": True}, status=status)
