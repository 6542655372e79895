"""Pausing, ending, abandoning, voiding a game, and letting it go on: each with its consequences, on one page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.models import Game
from scoresheets.models.games import REASON_LENGTH
from scoresheets.recording import Conflict, Outcome
from scoresheets.views import access
from scoresheets.views.keys import key_in, new_key


@dataclass(frozen=True, slots=True)
class Act:
    """One thing to do with a game as a whole: its words, what it asks for, and what records it."""

    title: Promise
    text: Promise
    record: Callable[..., Outcome]
    asks_reason: bool = False
    needs_reason: bool = False
    is_danger: bool = False


ACTS: Mapping[str, Act] = MappingProxyType(
    {
        "resume": Act(
            gettext_lazy("Go on"),
            gettext_lazy("The game goes on where it was. Everything entered is still there."),
            recording.resume,
        ),
        "restore": Act(
            gettext_lazy("Restore the game"),
            gettext_lazy("The game is back as it was, and counts again."),
            recording.restore,
        ),
        "reopen": Act(
            gettext_lazy("Go on with the next round"),
            gettext_lazy("The game was ended early. It goes on with the round after the last one scored."),
            recording.reopen,
            asks_reason=True,
        ),
        "pause": Act(
            gettext_lazy("Pause"),
            gettext_lazy("Nothing can be entered until somebody lets the game go on. Everything entered stays."),
            recording.pause,
        ),
        "end": Act(
            gettext_lazy("End the game now"),
            gettext_lazy(
                "The ranking is made from the rounds scored so far, and the game is marked as incomplete. "
                "Bids of the open round are dropped. It can be taken up again."
            ),
            recording.end_early,
            asks_reason=True,
        ),
        "abandon": Act(
            gettext_lazy("Abandon the game"),
            gettext_lazy("The game counts for nothing. The score pad stays readable, and the game can be restored."),
            recording.abandon,
            asks_reason=True,
            is_danger=True,
        ),
        "void": Act(
            gettext_lazy("Void the game"),
            gettext_lazy(
                "For a game that should not count at all, such as one with cards missing. It can be restored."
            ),
            recording.void,
            asks_reason=True,
            needs_reason=True,
            is_danger=True,
        ),
    }
)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def state(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show what can be done with the game as a whole; a POST with `act` does it and leads back to the score pad."""
    game, actor = access.game_and_actor(request, game_id)
    permissions.check_can_keep_score(actor, game)
    if request.method != "POST":
        return _render(request, game)
    name = request.POST.get("act", "")
    act = ACTS.get(name)
    if act is None:
        return _render(request, game, status=422)
    reason = {"reason": request.POST.get("reason", "").strip()} if act.asks_reason else {}
    try:
        act.record(game, by=actor, key=key_in(request.POST), **reason)
    except Conflict as conflict:
        return _render(request, Game.objects.get(pk=game.pk), status=409, notice=wording.conflict_in_words(conflict))
    except rules.RulesError as refused:
        errors = [wording.problem_in_words(problem, ()) for problem in refused.problems]
        return _render(request, game, status=422, tried=name, errors=errors, typed=reason["reason"])
    return redirect("block", game.pk)


def _offered(game: Game, *, ended_early: bool) -> list[str]:
    """Return the names of the acts that fit the game as it is, the most harmless first (1 statement if ended early)."""
    if game.halted in (Game.Halted.ABANDONED, Game.Halted.VOIDED):
        return ["restore"]
    if game.halted:
        return ["resume", "abandon", "void"]
    if game.is_finished:
        return ["reopen", "void"] if ended_early and _can_go_on(game) else ["void"]
    return ["pause", "end", "abandon", "void"]


def _ended_early(game: Game) -> bool:
    return game.is_finished and game.incomplete and game.rounds.count() < len(game.plan)


def _can_go_on(game: Game) -> bool:
    return game.seats.filter(presence="").count() >= rules.FEWEST_PLAYERS


def _render(
    request: HttpRequest,
    game: Game,
    *,
    status: int = 200,
    notice: str = "",
    tried: str = "",
    errors: list[str] | None = None,
    typed: str = "",
) -> HttpResponse:
    ended_early = _ended_early(game)
    acts: list[dict[str, Any]] = [
        {
            "name": name,
            "act": ACTS[name],
            "errors": errors if name == tried else None,
            "typed": typed if name == tried else "",
            "key": new_key(),
        }
        for name in _offered(game, ended_early=ended_early)
    ]
    context = {
        "game": game,
        "names": list(game.seats.order_by("position").values_list("name", flat=True)),
        "acts": acts,
        "ended_early": ended_early,
        "notice": notice,
        "most": REASON_LENGTH,
    }
    return render(request, "games/state.html", context, status=status)
