"""Who plays: somebody joins a running game, leaves it, comes back, or is replaced, on one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.forms.rounds import StageForm
from scoresheets.forms.table import OVER, BackForm, JoinForm, LeaveForm, ReplaceForm, TableForm
from scoresheets.models import Game, Seat
from scoresheets.models.games import REASON_LENGTH
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.recording import Conflict
from scoresheets.recording.table import mean_total
from scoresheets.views import access
from scoresheets.views.keys import key_in, new_key

JOIN, BACK, REPLACE, LEAVE = "join", "back", "replace", "leave"
FORMS: Mapping[str, type[TableForm]] = {JOIN: JoinForm, BACK: BackForm, REPLACE: ReplaceForm, LEAVE: LeaveForm}


@dataclass(frozen=True, slots=True)
class Table:
    """A game's sheet and everybody who ever sat at its table, in dealing order."""

    sheet: Sheet
    seats: tuple[Seat, ...]

    @property
    def playing(self) -> tuple[Seat, ...]:
        return self.sheet.seats

    @property
    def away(self) -> tuple[Seat, ...]:
        """Those who can come back."""
        return tuple(seat for seat in self.seats if not seat.plays)

    def proposed(self, players: int) -> tuple[int, ...]:
        """Return the cards a round that so many would play on with."""
        game = self.sheet.game
        scored = len(self.sheet.block.scored_rows)
        return rules.remaining_cards(
            game.house, players, ladder=game.ladder, cards=game.plan, played=scored, before=len(self.playing)
        )

    def form(self, act: str, data: QueryDict | None = None) -> TableForm:
        """Return the form of an act, with what was sent or with its proposals."""
        many = len(self.playing)
        offered = self.away if act == BACK else self.playing if act != JOIN else self.seats
        proposed = {JOIN: many + 1, BACK: many + 1, LEAVE: many - 1}.get(act)
        cards = self.proposed(proposed) if proposed and proposed >= rules.FEWEST_PLAYERS else ()
        return FORMS[act](data, offered, proposed=cards)

    def refusal(self, act: str) -> str:
        """Return why an act is impossible whatever is entered, in words; "" if it is possible."""
        players = len(self.playing) + 1
        if act in (JOIN, BACK):
            problems = rules.house_rules_problems(self.sheet.block.house, players)
            return wording.problem_in_words(problems[0]) if problems else ""
        return ""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def people(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show who plays, and what can change about that; a POST with `act` records it and leads back to the score pad."""
    game, actor = access.game_and_actor(request, game_id)
    permissions.check_can_keep_score(actor, game)
    table = _table_of(game)
    act = request.POST.get("act", "")
    if request.method != "POST":
        return _render(request, table)
    if act not in FORMS:
        return _render(request, table, status=422)
    form = table.form(act, request.POST)
    if not form.is_valid():
        return _render(request, table, form=form, act=act, status=422)
    try:
        _record(request, act, form, game, actor)
    except rules.RulesError as refused:
        form.add_problems(refused.problems, [seat.name for seat in table.seats])
        return _render(request, table, form=form, act=act, status=422)
    except Conflict as conflict:
        fresh = _table_of(Game.objects.get(pk=game.pk))
        notice = wording.conflict_in_words(conflict)
        return _render(request, fresh, form=fresh.form(act, request.POST), act=act, status=409, notice=notice)
    return redirect("block", game.pk)


def _table_of(game: Game) -> Table:
    seats = tuple(game.seats_in_order())
    sheet = sheet_of(game, seats)
    return Table(sheet, seats if sheet.game is game else tuple(sheet.game.seats_in_order()))


def _record(request: HttpRequest, act: str, form: TableForm, game: Game, actor: Actor) -> None:
    entered, stage = form.cleaned_data, StageForm(request.POST)
    stage.is_valid()
    common: dict[str, Any] = {
        "seen": stage.cleaned_data.get("seen", -1),
        "by": actor,
        "key": key_in(request.POST),
    }
    if isinstance(form, JoinForm):
        recording.join_table(
            game,
            name=entered["name"],
            after=entered["seat"],
            cards=entered["cards"],
            starting=form.starting,
            **common,
        )
    elif isinstance(form, ReplaceForm):
        recording.replace_at_table(
            game,
            seat=entered["seat"],
            name=entered["name"],
            takes_over=entered["start"] == OVER,
            starting=form.starting,
            **common,
        )
    elif isinstance(form, LeaveForm):
        recording.leave_table(game, seat=entered["seat"], cards=entered["cards"], reason=entered["reason"], **common)
    else:
        recording.come_back(game, seat=entered["seat"], cards=entered["cards"], **common)


def _offered(table: Table) -> Sequence[str]:
    """Return the acts that fit the game as it is."""
    sheet = table.sheet
    is_over = sheet.current is None and (sheet.block.is_complete or not sheet.game.has_rounds)
    if sheet.game.halted or is_over:
        return ()
    back = (BACK,) if table.away else ()
    return (JOIN, *back) if sheet.current is None else (JOIN, *back, REPLACE, LEAVE)


def _render(
    request: HttpRequest,
    table: Table,
    *,
    form: TableForm | None = None,
    act: str = "",
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    sheet = table.sheet
    game, scored = sheet.game, len(sheet.block.scored_rows)
    left = len(table.playing) - 1
    context = {
        "game": game,
        "table": table,
        "notice": notice,
        "acts": {
            name: {
                "form": form if form is not None and name == act else table.form(name),
                "refusal": table.refusal(name),
                "open": name == act,
                "key": (key_in(request.POST) if name == act and status == 422 else None) or new_key(),
            }
            for name in _offered(table)
        },
        "seen": game.version,
        "number": min(scored + 1, len(game.plan)),
        "mean": mean_total(table.playing),
        "drops_bids": bool(sheet.bids),
        "ends": left < rules.FEWEST_PLAYERS,
        "nothing_scored": scored == 0,
        "can_keep_score": True,
        "most_characters": REASON_LENGTH,
        "dealer_id": sheet.current.dealer_id if sheet.current else None,
    }
    return render(request, "games/people.html", context, status=status)
