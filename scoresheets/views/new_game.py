"""Setting up and starting a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import wording
from scoresheets.forms.games import MOST_NAMES, Setup
from scoresheets.queries.devices import games_of_device, recent_names
from scoresheets.recording import Conflict, start_game
from scoresheets.views import access
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.partials import wants_partial


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_game(request: HttpRequest) -> HttpResponse:
    """Show the new game; a POST changes it by its named buttons, and "start" starts it."""
    if request.method != "POST":
        return _render(request, Setup())
    setup = Setup.from_post(request.POST).after_button(request.POST)
    if "start" not in request.POST:
        return _render(request, setup, key=request.POST.get("key", ""), status=422 if setup.problems else 200)
    if not setup.problems:
        setup = setup.checked()
    if setup.problems:
        return _render(request, setup, key=request.POST.get("key", ""), status=422)
    arguments = setup.start_arguments()
    try:
        started = start_game(**arguments, by=access.device_actor(request), key=key_in(request.POST))
    except Conflict as conflict:
        return _render(request, setup, status=409, notice=wording.conflict_in_words(conflict))
    return go_to_game(request, started.game.pk, access_to=(started.game, started.secret))


def go_to_game(request: HttpRequest, game_id: int, *, access_to: tuple[Any, str] | None = None) -> HttpResponse:
    """Answer with the way to a game's Block, for a browser and for HTMX, and keep its link on this device."""
    if wants_partial(request):
        response = HttpResponse(status=204)
        response["HX-Redirect"] = reverse("block", args=[game_id])
    else:
        response = redirect("block", game_id)
    if access_to is not None:
        access.remember_link(request, response, *access_to)
    return response


def _render(request: HttpRequest, setup: Setup, *, key: str = "", status: int = 200, notice: str = "") -> HttpResponse:
    known = recent_names(games_of_device(list(access.secrets_of(request).values())))
    seated = {name.casefold() for name in setup.names}
    plan_problems = _plan_problems(setup)
    context: Mapping[str, Any] = {
        "setup": setup,
        "key": key or new_key(),
        "pills": [(name, name.casefold() in seated) for name in known],
        "seats": _seats(setup),
        "most_names": MOST_NAMES,
        "starter": setup.names[(setup.dealer + 1) % len(setup.names)] if len(setup.names) > 1 else "",
        "dealer": setup.names[setup.dealer] if setup.names else "",
        "plan": _plan(setup),
        "errors": _errors(setup, plan_problems),
        "notice": notice,
    }
    template = "games/new.html#setup" if wants_partial(request) else "games/new.html"
    return render(request, template, context, status=status)


def _seats(setup: Setup) -> list[dict[str, Any]]:
    last = len(setup.names) - 1
    return [
        {"place": place, "name": name, "deals": place == setup.dealer, "first": place == 0, "last": place == last}
        for place, name in enumerate(setup.names)
    ]


def _plan(setup: Setup) -> dict[str, Any]:
    """What the chosen length means: its rounds and tricks, and the numbers on the choices."""
    plans: Sequence[rules.RoundPlan] = ()
    if not _plan_problems(setup):
        plans = rules.round_plans(setup.house, setup.seats, ladder=setup.ladder, rounds=setup.chosen_rounds)
    return {
        "rounds": len(plans),
        "shown": setup.rounds if setup.length == "own" else str(len(plans) or setup.most_rounds),
        "tricks": sum(plan.cards for plan in plans),
        "cards": [plan.cards for plan in plans],
        **setup.length_rounds,
    }


#: Which field shows which problem; all others stand above the button.
_FIELD_OF = {
    "name_missing": "name",
    "name_too_long": "name",
    "name_taken": "name",
    "table_full": "name",
    "players": "name",
    "rounds_out_of_range": "length",
    "ladder_players": "length",
    "dealer_out_of_range": "dealer",
}


def _plan_problems(setup: Setup) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the length for the people there are now: shown at once, not only at the start."""
    return rules.plan_problems(setup.house, setup.seats, ladder=setup.ladder, rounds=setup.chosen_rounds)


def _errors(setup: Setup, plan_problems: Sequence[rules.Problem]) -> dict[str, list[str]]:
    """Return the sentences to show, by field."""
    errors: dict[str, list[str]] = {}
    for problem in (*setup.problems, *plan_problems):
        sentence = wording.problem_in_words(problem, setup.names)
        at = errors.setdefault(_FIELD_OF.get(problem.code, "form"), [])
        if sentence not in at:
            at.append(sentence)
    return errors
