"""One evening of a club: who comes, who is here, tables drawn, games started from them, and what came of it all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.forms.evenings import DrawForm, HereForm, MoveForm
from scoresheets.models import Attendance, Club, DrawnTable, Evening, Game, Player, Seat
from scoresheets.queries.clubs import ClubGame
from scoresheets.queries.evenings import EveningPlanning, Sitting, evening_planning, evening_results
from scoresheets.recording import Conflict
from scoresheets.views import access
from scoresheets.views.evenings import evening_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.posts import is_number

Answer = Attendance.Answer


class Step:
    """A request to an evening's page: who sent it, about which evening, and the forms to show what is wrong beside."""

    def __init__(self, request: HttpRequest, club: Club, evening: Evening, actor: Actor) -> None:
        self.request, self.post = request, request.POST
        self.club, self.evening, self.actor = club, evening, actor
        self.here_form: HereForm | None = None
        self.draw_form: DrawForm | None = None

    def number(self, name: str) -> int | None:
        """Return a field's number, None for anything that is none."""
        typed = self.post.get(name, "")
        return int(typed) if is_number(typed) else None

    def back(self, section: str = "") -> HttpResponse:
        """Return the way back to the page, or to the club's where the form was there."""
        if self.post.get("back") == "club":
            return redirect(f"{reverse('club', args=[self.club.pk])}#next_evening")
        return redirect(f"{reverse('evening', args=[self.club.pk, self.evening.pk])}{section}")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def evening(request: HttpRequest, club_id: int, evening_id: int) -> HttpResponse:
    """Show an evening; a POST answers, notes who is here, draws, moves or starts, by its named buttons."""
    club, found, actor = evening_and_actor(request, club_id, evening_id)
    step = Step(request, club, found, actor)
    if request.method != "POST":
        return _render(step)
    do = next((_STEPS[name] for name in _STEPS if name in request.POST), None)
    # Nothing here is for those who only look at the club.
    permissions.check_can_see_attendance(actor, club)
    if do is None:
        return _render(step, status=422)
    try:
        return do(step) or _render(step, status=422)
    except rules.RulesError as refused:
        return _render(step, status=422, errors=[wording.problem_in_words(problem) for problem in refused.problems])
    except Conflict as conflict:
        return _render(step, status=409, errors=[wording.conflict_in_words(conflict)])


# -- what can be done -------------------------------------------------------------------------------------------------


def _answer(step: Step) -> HttpResponse:
    recording.answer(step.evening, answer=step.post["answer"], by=step.actor)
    return step.back()


def _answer_for(step: Step) -> HttpResponse:
    permissions.check_can_run_evenings(step.actor, step.club)
    player_id = step.number("player")
    player = Player.objects.filter(club=step.club, pk=player_id).first() if player_id is not None else None
    if player is None:
        raise Conflict("player_unknown")
    recording.answer(step.evening, answer=step.post["answer_for"], by=step.actor, player=player)
    return step.back("#people")


def _here(step: Step) -> HttpResponse | None:
    permissions.check_can_run_evenings(step.actor, step.club)
    listed = frozenset(step.club.players.values_list("pk", flat=True))
    form = step.here_form = HereForm(step.post, listed=listed)
    if not form.is_valid():
        return None
    try:
        recording.set_here(step.evening, form.changed, newcomers=form.newcomers, by=step.actor, key=key_in(step.post))
    except rules.RulesError as refused:
        form.refuse(refused)
        return None
    return step.back("#here")


def _open(step: Step) -> HttpResponse:
    recording.open_evening(step.evening, by=step.actor)
    return step.back("#here")


def _close(step: Step) -> HttpResponse:
    recording.close_evening(step.evening, by=step.actor)
    return step.back()


def _draw(step: Step) -> HttpResponse | None:
    permissions.check_can_run_evenings(step.actor, step.club)
    form = step.draw_form = DrawForm(step.post)
    if not form.is_valid():
        return None
    tables = form.cleaned_data["tables"]
    again = step.number("draw")
    recording.draw_tables(step.evening, by=step.actor, sitting=again, tables=tables, key=key_in(step.post))
    return step.back("#tables")


def _discard(step: Step) -> HttpResponse:
    recording.discard_sitting(step.evening, sitting=step.number("discard") or 0, by=step.actor)
    return step.back("#tables")


def _move(step: Step) -> HttpResponse:
    permissions.check_can_run_evenings(step.actor, step.club)
    number = step.number("sitting") or 0
    seats = step.evening.drawn_seats.filter(sitting=number).select_related("table", "player")
    where = {seat.player.canonical_id: seat.table.number if seat.table is not None else None for seat in seats}
    form = MoveForm(step.post, where=where)
    recording.place_by_hand(step.evening, form.moves, sitting=number, by=step.actor)
    return step.back("#tables")


def _start(step: Step) -> HttpResponse:
    """Start one table's game and go to its Block."""
    permissions.check_can_start_game(step.actor, step.club)
    table_id = step.number("start")
    table = DrawnTable.objects.filter(evening=step.evening, pk=table_id).first() if table_id is not None else None
    if table is None:
        raise Conflict("table_unknown")
    table.evening = step.evening
    # All tables of a page have one key: each of them is started once.
    key = key_in(step.post)
    started = recording.start_table_game(table, by=step.actor, key=key and f"{key[:40]}-{table.pk}")
    response = redirect("block", started.game.pk)
    if started.secret:
        access.remember_link(step.request, response, started.game, started.secret)
    return response


def _start_all(step: Step) -> HttpResponse:
    """Start the games of all tables of a sitting that have none yet."""
    permissions.check_can_start_game(step.actor, step.club)
    for table in step.evening.drawn_tables.filter(sitting=step.number("start_all") or 0, game__isnull=True):
        table.evening = step.evening
        recording.start_table_game(table, by=step.actor)
    return step.back("#games")


#: Named buttons -> what they do.
_STEPS: Mapping[str, Callable[[Step], HttpResponse | None]] = {
    "answer": _answer,
    "answer_for": _answer_for,
    "save_here": _here,
    "open": _open,
    "close": _close,
    "draw": _draw,
    "discard": _discard,
    "move": _move,
    "swap": _move,
    "start": _start,
    "start_all": _start_all,
}


# -- what the page shows ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Somebody at a table of the evening, by rank once the game is finished."""

    name: str
    rank: int
    points: int


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of the evening: who plays it, and where it stands; `number` counts the evening's games."""

    game: Game
    number: int
    seats: Sequence[SeatLine]
    round_number: int

    @property
    def names(self) -> str:
        return ", ".join(seat.name for seat in self.seats)


def _game(listed: ClubGame, number: int, *, in_public: bool) -> EveningGame:
    seats = [SeatLine(_name(seat, in_public=in_public), seat.rank, seat.total) for seat in listed.seats]
    if listed.game.is_finished:
        seats.sort(key=lambda seat: seat.rank)
    return EveningGame(listed.game, number, seats, listed.round_number)


def _name(seat: Seat, *, in_public: bool) -> str:
    if in_public and seat.player is not None:
        return seat.player.canonical.shown_publicly
    return seat.name


@dataclass(frozen=True, slots=True)
class SittingView:
    """A sitting with the numbers of the tables to which somebody can be moved."""

    sitting: Sitting
    open_tables: Sequence[int]

    @classmethod
    def of(cls, sitting: Sitting) -> SittingView:
        """Return the sitting as the page shows it."""
        return cls(sitting, [table.table.number for table in sitting.tables if not table.is_started])

    @property
    def can_move(self) -> bool:
        """Whether anybody can be moved by hand."""
        return bool(self.open_tables or not self.sitting.tables)


def _render(step: Step, *, status: int = 200, errors: Sequence[str] = ()) -> HttpResponse:
    club, found, actor = step.club, step.evening, step.actor
    if status != 200:
        found.refresh_from_db()
        found.club = club
    is_member = permissions.can_see_attendance(actor, club)
    results = evening_results(club, found)
    games = [*results.running, *results.finished, *results.abandoned]
    numbers = {game.game.pk: number for number, game in enumerate(sorted(games, key=_started), start=1)}

    def shown(listed: Sequence[ClubGame]) -> list[EveningGame]:
        return [_game(one, numbers[one.game.pk], in_public=not is_member) for one in listed]

    context: dict[str, Any] = {
        "club": club,
        "evening": found,
        "running": shown(results.running),
        "finished": shown(results.finished),
        "abandoned": shown(results.abandoned),
        "table": [
            (line, line.name if is_member else line.shown_publicly, is_member and line.player) for line in results.table
        ],
        "is_member": is_member,
        "can_run": permissions.can_run_evenings(actor, club),
        "can_plan": permissions.can_plan_evenings(actor, club),
        "errors": errors,
        "here_form": step.here_form,
        "draw_form": step.draw_form,
        "key": new_key(),
    }
    if is_member:
        context |= _planning(step, evening_planning(club, found, actor.user))
        context["shows_tables"] = bool(context["sittings"]) or (context["can_run"] and found.is_open)
    return render(step.request, "evenings/evening.html", context, status=status)


def _started(listed: ClubGame) -> tuple[Any, int]:
    return listed.game.started_at, listed.game.pk


def _planning(step: Step, planning: EveningPlanning) -> dict[str, Any]:
    """Return what members see: answers, who is here, tables."""
    ticked = step.here_form.here if step.here_form is not None else {one.player.pk for one in planning.here}
    order = {Answer.YES: 0, Answer.MAYBE: 1, "": 2, Answer.NO: 3}
    people = sorted(planning.people, key=lambda one: (not one.is_here, order[one.answer]))
    likely = [one for one in people if one.is_here or one.answer in (Answer.YES, Answer.MAYBE)]
    return {
        "planning": planning,
        "answers": [(answer, answer.label, planning.who(answer)) for answer in Answer],
        "awaited": planning.who(""),
        "ticked": ticked,
        "likely": likely or people,
        "unlikely": [one for one in people if one not in likely] if likely else [],
        "sittings": [SittingView.of(sitting) for sitting in planning.sittings],
    }
