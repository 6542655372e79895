"""Correcting a game: a scored round with a look at what it changes, a seat's name, points beside the rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

import rules
from scoresheets import permissions, recording, verdicts, wording
from scoresheets.actors import Actor
from scoresheets.correction_words import effects_in_words, suit_of, trump_in_words, winners_in_words
from scoresheets.forms.corrections import NameForm, PointsForm, RoundForm, SeatForm, fields_of
from scoresheets.forms.rounds import StageForm
from scoresheets.models import Entry, Game, Seat
from scoresheets.models.games import REASON_LENGTH
from scoresheets.queries.blocks import sheet_of
from scoresheets.queries.corrections import correction_of, corrections_of, scored_round
from scoresheets.recording import Conflict
from scoresheets.views import access
from scoresheets.views.changes import corrections_in_words
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.partials import wants_partial

Kind = Entry.Kind
Fields = Mapping[str, Any]


# -- a round ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
@never_cache
def correct_round(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show a scored round to be corrected; a POST shows what that changes, and with "save" records it.

    Only what was looked at is saved: other values show first what they change.
    `?reverse=<version>` fills the form with the values that a correction of this round replaced.
    """
    game, actor = kept_game(request, game_id)
    if request.method != "POST":
        return _render_round(request, _round_form(game, number, _reversing(request, game, number)))
    try:
        form = _round_form(game, number, request.POST)
    except Http404:
        if wants_partial(request):  # the round was taken back meanwhile; HTMX would say that the game is gone
            return back_to_sheet(request, game)
        raise
    if "save" in request.POST and form.is_valid() and (not form.changes or request.POST.get("looked") == form.digest):
        return _save_round(request, form, actor)
    if seen_in(request) != form.scored.changed_version:
        return _conflicting_round(request, form, Conflict("stale"))
    return _render_round(request, form, status=200 if form.is_valid() else 422)


def kept_game(request: HttpRequest, game_id: int) -> tuple[Game, Actor]:
    """Return the game and who keeps its score. Raises `Http404`, `PermissionDenied`."""
    game, actor = access.game_and_actor(request, game_id)
    permissions.check_can_keep_score(actor, game)
    return game, actor


def _round_form(game: Game, number: int, data: Fields | None) -> RoundForm:
    """Return the form of a scored round with these fields, None for the round as it stands. Raises `Http404`.

    The round is read before the sheet: a correction between the two makes the form stale, never wrong.
    """
    scored = scored_round(game, number)
    if scored is None:
        raise Http404
    sheet = sheet_of(game, whole=True)
    if all(row.number != number for row in sheet.block.scored_rows):
        raise Http404
    form = RoundForm(data or {}, sheet, scored)
    return form if data is not None else RoundForm(fields_of(form.stored.payload), sheet, scored)


def _reversing(request: HttpRequest, game: Game, number: int) -> Fields | None:
    entry = entry_in(request, game, Kind.ROUND_CORRECTED)
    if entry is None:
        return None
    if entry.payload["round"] != number:
        raise Http404
    reason = _("Takes back the correction of %(when)s.") % {"when": time_of(entry)}
    return fields_of(entry.payload["before"]) | {"reason": reason}


def entry_in(request: HttpRequest, game: Game, kind: str) -> Entry | None:
    """Return the correction that the address wants reversed, None if it names none. Raises `Http404`."""
    version = request.GET.get("reverse")
    if version is None:
        return None
    is_number = version.isascii() and version.isdigit() and len(version) < 10
    entry = correction_of(game, kind, int(version)) if is_number else None
    if entry is None:
        raise Http404
    return entry


def time_of(entry: Entry) -> str:
    """Return when an entry was made, in words."""
    return date_format(localtime(entry.at), "SHORT_DATETIME_FORMAT")


def seen_in(request: HttpRequest) -> int:
    """Return the version that the page was made for; -1, which is never current, if it does not say."""
    stage = StageForm(request.POST)
    stage.is_valid()
    seen: int = stage.cleaned_data.get("seen", -1)
    return seen


def _save_round(request: HttpRequest, form: RoundForm, actor: Actor) -> HttpResponse:
    try:
        recording.correct_round(
            form.sheet.game,
            number=form.scored.number,
            values=form.values,
            seen=seen_in(request),
            reason=form.reason,
            by=actor,
            key=key_in(request.POST),
        )
    except rules.RulesError as refused:
        form.add_problems(refused.problems, form.names)
        return _render_round(request, form, status=422)
    except Conflict as conflict:
        return _conflicting_round(request, form, conflict)
    return back_to_sheet(request, form.sheet.game)


def _conflicting_round(request: HttpRequest, form: RoundForm, conflict: Conflict) -> HttpResponse:
    """Answer with the round as it is now, what was typed, and a fresh key: saving it again is a new decision."""
    fresh = _round_form(Game.objects.get(pk=form.sheet.game.pk), form.scored.number, request.POST)
    fresh.is_valid()
    return _render_round(request, fresh, status=409, notice=wording.conflict_in_words(conflict), key=new_key())


def back_to_sheet(request: HttpRequest, game: Game) -> HttpResponse:
    """Answer with the way to the sheet's list of corrections, for a browser and for HTMX."""
    address = f"{reverse('sheet', args=[game.pk])}#corrections"
    if not wants_partial(request):
        return redirect(address)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = address
    return response


def _render_round(
    request: HttpRequest, form: RoundForm, *, status: int = 200, notice: str = "", key: str = ""
) -> HttpResponse:
    sheet, scored = form.sheet, form.scored
    changes = form.changes if form.fits else []
    entered = sum(_numbers_of(form, "taken"))
    countable = rules.countable_tricks(scored.cards, min(form.values.bombs, scored.cards))
    corrections = [
        entry
        for entry in corrections_of(sheet.game)
        if entry.kind == Kind.ROUND_CORRECTED and entry.payload["round"] == scored.number
    ]
    context = {
        "game": sheet.game,
        "sheet": sheet,
        "form": form,
        "number": scored.number,
        "cards": scored.cards,
        "seen": scored.changed_version,
        "key": key or key_in(request.POST) or new_key(),
        "notice": notice,
        "rows": _rows(form),
        "entered": entered,
        "countable": countable,
        "extras": _extras(form),
        "changes": len(changes),
        "looked": form.digest if changes else "",
        "asks_again": "save" in request.POST and status == 200,
        "effects": effects_in_words(sheet, form.preview) if changes and form.preview else [],
        "winner_words": winners_in_words(sheet, form.preview) if changes and form.preview else "",
        "adds_up": bool(changes) and form.adds_up,
        "noted": _noted_trump(form),
        "log": corrections_in_words(sheet, corrections),
        "most_characters": REASON_LENGTH,
        "can_keep_score": True,
    }
    template = "games/correct_round.html#correction" if wants_partial(request) else "games/correct_round.html"
    response = render(request, template, context, status=status)
    # What the answer is about comes into view: the effects, the conflict, or the first thing that is wrong. Whoever
    # only goes on typing stays where they are.
    if "look" in request.POST or "save" in request.POST:
        shown = {200: "#changes", 409: "#content", 422: ".err"}[status]
        response["HX-Reswap"] = f"morph:outerHTML show:{shown}:top"
    return response


def _noted_trump(form: RoundForm) -> dict[str, Any] | None:
    """Return the trump of the round as it stands, set by the plan or noted; None if nobody noted it."""
    fixed = (form.planned.trump or rules.NO_TRUMP) if form.planned.fixed_trump else ""
    trump = fixed or form.stored.trump
    return {"words": trump_in_words(trump), "suit": suit_of(trump)} if trump else None


def _numbers_of(form: RoundForm, kind: str) -> list[int]:
    typed = [form.typed(f"{kind}_{seat.pk}").strip() for seat in form.seats]
    return [int(number) for number in typed if number.isascii() and number.isdigit() and len(number) <= 2]


def _rows(form: RoundForm) -> list[dict[str, Any]]:
    """Return one line a seat: both fields with the old value where it is another one, and the points."""
    stored = {"bid": form.stored.bids, "taken": form.stored.taken}
    before = next(row for row in form.sheet.block.scored_rows if row.number == form.scored.number)
    after = before
    if form.preview is not None:
        after = next(row for row in form.preview.after.scored_rows if row.number == form.scored.number)
    lines = []
    for seat, old, new in zip(form.sheet.seats, before.cells, after.cells, strict=True):
        if old is None:
            continue
        fields = [_field(form, f"{kind}_{seat.pk}", str(stored[kind][seat.pk])) for kind in ("bid", "taken")]
        old_points, new_points = old.points, (new.points if new else None)
        lines.append(
            {
                "seat": seat,
                "fields": fields,
                "points": new_points,
                "points_before": old_points if new_points != old_points else None,
                "changed": new_points != old_points or any(field["before"] is not None for field in fields),
                "errors": [sentence for field in fields for sentence in field["errors"]],
            }
        )
    return lines


def _field(form: RoundForm, name: str, stored: str) -> dict[str, Any]:
    typed = form.typed(name)
    before = stored if typed.strip() != stored else None
    errors = form.errors.get(name, ())
    return {
        "name": name,
        "is_bid": name.startswith("bid"),
        "value": typed,
        "before": before,
        "errors": errors,
        "errors_id": f"{name}_errors",
        "described_by": f"{name}_errors" if errors else f"{name}_before" if before is not None else "",
    }


def _extras(form: RoundForm) -> dict[str, Any]:
    """Return the fields below the table: trump, blind, bomb and cloud, as far as the game has them."""
    values, stored, seats = form.values, form.stored, form.seats
    found: dict[str, Any] = {
        "trumps": _trumps(form, values.trump) if "trump" in form.fields else [],
        "trump_now": trump_in_words(values.trump),
        "trump_before": trump_in_words(stored.trump) if values.trump != stored.trump else "",
        "turned_up": values.turned_up,
        "chosen_by": values.chosen_by or "",
        "blind": [
            {
                "seat": seat,
                "name": f"blind_{seat.pk}",
                "checked": seat.pk in values.blind,
                "changed": (seat.pk in values.blind) != (seat.pk in stored.blind),
            }
            for seat in seats
            if f"blind_{seat.pk}" in form.fields
        ],
        "blind_errors": [sentence for seat in seats for sentence in form.errors.get(f"blind_{seat.pk}", ())],
        "has_bombs": "bombs" in form.fields,
        "bombs": values.bombs,
        "bombs_changed": values.bombs != stored.bombs,
        "has_clouds": "cloud_seat" in form.fields,
        "cloud_seat": form.typed("cloud_seat"),
        "cloud_delta": form.typed("cloud_delta") or "1",
        "clouds_changed": dict(values.clouds or {}) != dict(stored.clouds or {}),
    }
    named = [
        _("Trump") if found["trumps"] else "",
        _("Blind bids") if found["blind"] else "",
        verdicts.kind_name(rules.Kind.BOMB) if found["has_bombs"] else "",
        verdicts.kind_name(rules.Kind.CLOUD) if found["has_clouds"] else "",
    ]
    found["title"] = ", ".join(filter(None, named))
    wrong = any(form.errors.get(name) for name in form.fields if not name.startswith(("bid_", "taken_", "reason")))
    changed = {field for field, *_rest in form.changes} - {"bids", "taken"} if form.fits else set()
    found["open"] = wrong or bool(changed)
    return found


def _trumps(form: RoundForm, chosen: str) -> list[dict[str, Any]]:
    suits = rules.DECKS[form.sheet.block.house.deck].suits
    return [
        {"value": value, "suit": suit_of(value), "name": trump_in_words(value), "is_chosen": value == chosen}
        for value in ("", *map(str, suits), rules.NO_TRUMP)
    ]


# -- a seat ----------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def correct_seat(request: HttpRequest, game_id: int, seat_id: int) -> HttpResponse:
    """Show a seat's name and points beside the rounds; a POST with "adjust" adds points, any other one renames.

    `?reverse=<version>` fills in the opposite of points that were added to this seat.
    """
    game, actor = kept_game(request, game_id)
    seats = game.seats_in_order()
    seat = next((seat for seat in seats if seat.pk == seat_id), None)
    if seat is None:
        raise Http404
    if request.method != "POST":
        return _render_seat(request, game, seats, seat, points=_opposite(request, game, seat))
    if "adjust" in request.POST:
        form: SeatForm = PointsForm(request.POST)
        shown = {"points": form}
    else:
        form = NameForm(request.POST)
        shown = {"name": form}
    notice, status = "", 422
    if form.is_valid():
        try:
            _save_seat(form, game, seat, actor, key_in(request.POST))
            return back_to_sheet(request, game)
        except rules.RulesError as refused:
            form.add_problems(refused.problems, [seat.name for seat in seats])
        except Conflict as conflict:
            notice, status = wording.conflict_in_words(conflict), 409
    return _render_seat(request, game, seats, seat, status=status, notice=notice, **shown)


def _save_seat(form: SeatForm, game: Game, seat: Seat, actor: Actor, key: str | None) -> None:
    entered = form.cleaned_data
    common: dict[str, Any] = {"seat": seat.pk, "reason": entered["reason"], "by": actor, "key": key}
    if isinstance(form, PointsForm):
        recording.adjust_points(game, points=entered["points"], **common)
    else:
        recording.rename_seat(game, name=entered["name"], **common)


def _opposite(request: HttpRequest, game: Game, seat: Seat) -> PointsForm | None:
    entry = entry_in(request, game, Kind.POINTS_ADJUSTED)
    if entry is None:
        return None
    if entry.payload["seat"] != seat.pk:
        raise Http404
    points = entry.payload["points"]
    taken_back = {"points": wording.signed(points), "when": time_of(entry)}
    reason = _("Takes back %(points)s of %(when)s.") % taken_back
    return PointsForm({"points": wording.signed(-points), "reason": reason})


def _render_seat(
    request: HttpRequest,
    game: Game,
    seats: Sequence[Seat],
    seat: Seat,
    *,
    status: int = 200,
    notice: str = "",
    name: SeatForm | None = None,
    points: SeatForm | None = None,
) -> HttpResponse:
    context = {
        "game": game,
        "seat": seat,
        "name_form": name or NameForm({"name": seat.name}),
        "points_form": points or PointsForm({}),
        # A form that was not sent, or only filled in, has nothing wrong with it yet.
        "name_errors": name.errors if name is not None else {},
        "points_errors": points.errors if points is not None and request.method == "POST" else {},
        "key": (key_in(request.POST) if status == 422 else None) or new_key(),
        "notice": notice,
        "most_characters": REASON_LENGTH,
        "can_keep_score": True,
    }
    return render(request, "games/correct_seat.html", context, status=status)
