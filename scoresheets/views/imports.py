"""Games brought along from files: uploaded, looked at and decided about, recorded by the worker, undone."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, wording
from scoresheets.actors import Actor
from scoresheets.forms.import_plans import Decisions, Plan
from scoresheets.forms.imports import (
    DecisionsForm,
    UploadForm,
    could_be_read,
    lacks_day,
    person_fields,
    reading_is_asked,
)
from scoresheets.imports.layouts import FIELDS, example_rows
from scoresheets.imports.plain import (
    BG_STATS,
    LAYOUTS,
    LONG,
    MOST_BYTES,
    MOST_GAMES,
    RESULTS,
    SHEETS,
    WIDE,
    FoundColumn,
    FoundFile,
)
from scoresheets.models import Club, Import, ImportedGame
from scoresheets.numbers import reader_language
from scoresheets.queries import imports as queries
from scoresheets.recording import Conflict
from scoresheets.recording import imports as verbs
from scoresheets.recording.imports import FILES_KEPT, problems_in
from scoresheets.views.access import MOST_DIGITS
from scoresheets.views.club_access import club_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.partials import wants_partial
from scoresheets.views.posts import is_number
from scoresheets.views.uploads import is_hopeless, limit_upload

IMPORTS_A_PAGE, ROWS_A_PAGE = 20, 50
#: So many games that may be there already are shown with a box to tick, and so many games as a sample.
MOST_DOUBLES, SAMPLE = 100, 5
#: What separates columns where spreadsheets speak this language.
DELIMITERS = {"de": ";", "en": ","}
#: The files to begin with, by the name they are downloaded under.
EXAMPLES = {
    f"{kind}-{layout}-{language}": (kind, layout, language)
    for kind in (SHEETS, RESULTS)
    for layout in LAYOUTS
    for language in DELIMITERS
}
#: What Python calls an encoding, as others do.
ENCODINGS = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-32": "UTF-32", "cp1252": "Windows-1252"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something about a file in words, and where: a row from 1 (0: none in particular) and a column ("": none)."""

    row: int
    column: str
    sentence: str
    about: str = ""

    @classmethod
    def of(cls, problem: rules.Problem, names: Sequence[str] = (), *, row: int = 0) -> Trouble:
        """Return a problem in words; `names` in seat order let it say who, `row` is where its game begins."""
        place = problem.args
        where = int(place.get("row", 0)) or row
        return cls(where, str(place.get("column", "")), wording.noted_in_words(problem, names), ", ".join(names))


@dataclass(frozen=True, slots=True)
class Recognised:
    """A column of the file, what it means in words, and whose it is."""

    column: FoundColumn
    word: str
    player: str

    @classmethod
    def of(cls, column: FoundColumn) -> Recognised:
        """Return a column that is read, in the reader's language."""
        words = FIELDS.get(reader_language(), FIELDS["en"])
        return cls(column, words.get(column.meaning, column.meaning), column.player)


def example_words() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what each example is in words, and its languages with the name it is downloaded under."""
    found = []
    for kind, layout in product((SHEETS, RESULTS), LAYOUTS):
        named = [(language, f"{kind}-{layout}-{language}") for language in DELIMITERS]
        found.append((kind_in_words(kind, layout), named))
    return found


def kind_in_words(kind: str, layout: str) -> str:
    """Return what is in a file, and how it lies there: "" of both for nothing."""
    kinds = {SHEETS: _("Whole sheets"), RESULTS: _("Results only"), BG_STATS: _("BG Stats")}
    layouts = {LONG: _("a line for each player"), WIDE: _("columns for each player")}
    return ", ".join(word for word in (kinds.get(kind, ""), layouts.get(layout, "")) if word)


def facts_of(found: FoundFile) -> list[tuple[str, str]]:
    """Return what is known of a file as names and values, in words."""
    delimiters = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs")}
    facts = [
        (_("Kind"), kind_in_words(found.kind, found.layout)),
        (_("Games"), str(len(found.games) + len(found.refused)) if found.kind else ""),
        (_("Encoding"), ENCODINGS.get(found.encoding, found.encoding)),
        (_("Columns divided by"), delimiters.get(found.delimiter, found.delimiter)),
        (_("Worksheet"), found.sheet),
    ]
    return [(name, value) for name, value in facts if value]


# -- the list, and a new file ---------------------------------------------------------------------------------------


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def imports(request: HttpRequest, club_id: int) -> HttpResponse:
    """List a club's imports; a POST brings a file, which is kept only if it can be read."""
    if is_hopeless(request):
        club, _actor = _importer(request, club_id)
        return _render_list(request, club, status=422, troubles=[Trouble(0, "", UploadForm.too_large())])
    # Before anything reads the form: so it stops at the limit.
    upload = limit_upload(request, MOST_BYTES)
    return _imports(request, club_id, lambda: upload.is_too_large)


@csrf_protect
def _imports(request: HttpRequest, club_id: int, is_too_large: Any) -> HttpResponse:
    club, actor = _importer(request, club_id)
    if request.method != "POST":
        return _render_list(request, club)
    form = UploadForm(request.FILES, too_large=is_too_large())
    if form.problem:
        return _render_list(request, club, status=422, troubles=[Trouble(0, "", form.problem)])
    plan = Plan.of_file(club, form.content, form.name)
    if plan.found.problems and not could_be_read(plan, form.content, form.name):
        return _render_list(request, club, status=422, troubles=map(Trouble.of, plan.found.problems), plan=plan)
    try:
        kept = verbs.keep_file(club, form.content, form.name, by=actor, key=key_in(request.POST))
    except rules.RulesError as refused:
        return _render_list(request, club, status=422, troubles=map(Trouble.of, refused.problems))
    except Conflict as conflict:
        return _render_list(request, club, status=409, notice=wording.conflict_in_words(conflict))
    return redirect("one_import", club.pk, kept.pk)


def _importer(request: HttpRequest, club_id: int) -> tuple[Club, Actor]:
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_import(actor, club)
    return club, actor


def _render_list(
    request: HttpRequest,
    club: Club,
    *,
    status: int = 200,
    troubles: Iterable[Trouble] = (),
    notice: str = "",
    plan: Plan | None = None,
) -> HttpResponse:
    page = Paginator(queries.imports_of(club), IMPORTS_A_PAGE).get_page(request.GET.get("imports"))
    context = {
        "club": club,
        "lines": queries.import_lines(page),
        "page": page,
        "troubles": list(troubles),
        "is_club_file": plan is not None and any(one.code == "file_is_club" for one in plan.found.problems),
        "examples": example_words(),
        "most_megabytes": UploadForm.MOST_MEGABYTES,
        "most_games": MOST_GAMES,
        "notice": notice,
        "key": new_key(),
    }
    return render(request, "imports/imports.html", context, status=status)


@require_http_methods(["GET", "HEAD"])
def import_example(request: HttpRequest, club_id: int, name: str) -> HttpResponse:
    """Send a table to begin with, as `EXAMPLES` names it."""
    _importer(request, club_id)
    if name not in EXAMPLES:
        raise Http404
    kind, layout, language = EXAMPLES[name]
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    # Spreadsheets know UTF-8 by its mark alone.
    response.write("\ufeff")
    csv.writer(response, delimiter=DELIMITERS[language]).writerows(example_rows(kind, layout, language))
    return response


# -- one import -----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def one_import(request: HttpRequest, club_id: int, import_id: int) -> HttpResponse:
    """Show what would become of a file, how far its import is, or what it has made; a POST decides about the file."""
    club, found, actor = _managed(request, club_id, import_id)
    if found.is_checked:
        return _decide(request, club, found, actor)
    if request.method == "POST":
        # Sent twice, or by somebody else meanwhile: what was wanted is on the page.
        return redirect("one_import", club.pk, found.pk)
    if not found.is_at_work:
        return _render_result(request, club, found)
    template = "imports/progress.html" if wants_partial(request) else "imports/at_work.html"
    return render(request, template, {"club": club, "found": found})


def _managed(request: HttpRequest, club_id: int, import_id: int) -> tuple[Club, Import, Actor]:
    club, actor = _importer(request, club_id)
    found = queries.import_of(club, import_id) if len(str(import_id)) <= MOST_DIGITS else None
    if found is None:
        raise Http404
    return club, found, actor


def _decide(request: HttpRequest, club: Club, found: Import, actor: Actor) -> HttpResponse:
    content = queries.file_of(found)
    if content is None:
        raise Http404
    before = Decisions.from_stored(found.choices)
    if request.method != "POST":
        return _render_plan(request, found, Plan.of_file(club, content, found.file_name, before))
    try:
        if "discard" in request.POST:
            verbs.discard_import(found, by=actor)
            messages.success(request, _("The file is gone. Nothing was imported."))
            return redirect("imports", club.pk)
        form = DecisionsForm(request.POST, before)
        verbs.set_choices(found, form.decisions.stored(), by=actor)
    except Conflict:
        return redirect("one_import", club.pk, found.pk)
    # Reading a large file takes its time: it is shown at once, not by another request.
    plan = Plan.of_file(club, content, found.file_name, form.decisions)
    if form.errors:
        return _render_plan(request, found, plan, status=422, errors=form.errors)
    if "import" in request.POST:
        return _begin(request, found, plan, actor)
    return _render_plan(request, found, plan)


def _begin(request: HttpRequest, found: Import, plan: Plan, actor: Actor) -> HttpResponse:
    if plan.obstacles:
        return _render_plan(request, found, plan, status=422, obstacles=plan.obstacles)
    try:
        verbs.begin_import(
            found,
            plan.new_games,
            by=actor,
            planned_at=plan.planned_at,
            kind=plan.found.kind,
            left_out=plan.left_out,
            people=plan.new_people,
            key=key_in(request.POST),
        )
    except rules.RulesError as refused:
        return _render_plan(request, found, plan, status=422, obstacles=refused.problems)
    except Conflict as conflict:
        return _render_plan(request, found, plan, status=409, notice=wording.conflict_in_words(conflict))
    return redirect("one_import", found.club_id, found.pk)


def _render_plan(
    request: HttpRequest,
    found: Import,
    plan: Plan,
    *,
    status: int = 200,
    obstacles: Iterable[rules.Problem] = (),
    errors: dict[str, str] | None = None,
    notice: str = "",
) -> HttpResponse:
    troubles = [Trouble.of(problem, game.names, row=game.row) for game in plan.refused for problem in game.problems]
    mismatches = [
        Trouble.of(problem, line.game.names, row=line.game.row)
        for line in plan.mismatched
        for problem in line.game.warnings
    ]
    if plan.has_too_many_people:
        # A page for thousands of names helps nobody: the file has to be divided.
        obstacles = plan.obstacles
    fields = [] if plan.has_too_many_people else [person_fields(person) for person in plan.people]
    context = {
        "club": plan.club,
        "found": found,
        "plan": plan,
        "file": plan.found,
        "facts": facts_of(plan.found),
        "columns": [Recognised.of(column) for column in plan.found.columns if column.meaning],
        "unread": [column for column in plan.found.columns if not column.meaning],
        "file_troubles": [Trouble.of(problem) for problem in plan.found.problems],
        # Games that are there twice have their own part of the page.
        "warnings": [Trouble.of(one) for one in plan.found.warnings if one.code != "game_repeated"],
        "troubles": _page(request, troubles, "problems"),
        "mismatches": _page(request, mismatches, "differences"),
        "doubles": plan.doubles[:MOST_DOUBLES],
        "more_doubles": max(0, len(plan.doubles) - MOST_DOUBLES),
        "open_people": [one for one in fields if not one.person.is_matched],
        "matched_people": [one for one in fields if one.person.is_matched],
        "sample": plan.taken[:SAMPLE],
        "roster": list(queries.roster_names(plan.club)) if plan.people else [],
        "asks_reading": reading_is_asked(plan),
        "asks_day": plan.decisions.day is not None or lacks_day(plan),
        "obstacles": [wording.problem_in_words(problem) for problem in obstacles],
        "errors": errors or {},
        "days_kept": FILES_KEPT.days,
        "notice": notice,
        "key": new_key(),
    }
    return render(request, "imports/plan.html", context, status=status)


def _page(request: HttpRequest, rows: Sequence[Any], name: str) -> Page[Any]:
    return Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get(name))


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A game of the file that is over: the row of its import, and what there is to say about it."""

    row: ImportedGame
    troubles: list[Trouble]

    @classmethod
    def of(cls, row: ImportedGame) -> ResultLine:
        """Return the line of an imported game."""
        return cls(row, [Trouble.of(problem, row=row.row) for problem in problems_in(row.notes)])


def _render_result(request: HttpRequest, club: Club, found: Import) -> HttpResponse:
    made, others = queries.recorded(found), queries.not_recorded(found)
    made_page = Paginator(made, ROWS_A_PAGE).get_page(request.GET.get("made"))
    others_page = Paginator(others, ROWS_A_PAGE).get_page(request.GET.get("others"))
    context = {
        "club": club,
        "found": found,
        "line": queries.import_lines([found])[0],
        "made": [ResultLine.of(row) for row in made_page],
        "made_page": made_page,
        "others": [ResultLine.of(row) for row in others_page],
        "others_page": others_page,
        "players": queries.players_made(found),
    }
    response = render(request, "imports/result.html", context)
    if wants_partial(request):
        # The page that followed the import is another one now.
        response["HX-Refresh"] = "true"
    return response


# -- undoing --------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def undo_import(request: HttpRequest, club_id: int, import_id: int) -> HttpResponse:
    """Say what undoing an import does, and which of its games were changed since; a POST undoes it."""
    club, found, actor = _managed(request, club_id, import_id)
    if request.method != "POST":
        return _render_undo(request, club, found)
    also = {int(typed) for typed in request.POST.getlist("also") if is_number(typed)}
    try:
        verbs.undo_import(found, by=actor, also=also, key=key_in(request.POST))
    except Conflict as conflict:
        return _render_undo(request, club, found, status=409, notice=wording.conflict_in_words(conflict))
    return redirect(reverse("one_import", args=[club.pk, found.pk]))


def _render_undo(
    request: HttpRequest, club: Club, found: Import, *, status: int = 200, notice: str = ""
) -> HttpResponse:
    untouched, changed = queries.stopping_undo(found)
    context = {
        "club": club,
        "found": found,
        "can_undo": found.state in (Import.State.DONE, Import.State.FAILED),
        "untouched": untouched,
        "changed": changed,
        "notice": notice,
        "key": new_key(),
    }
    return render(request, "imports/undo.html", context, status=status)
