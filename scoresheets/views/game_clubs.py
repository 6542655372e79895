"""Moving a game into a club, and saying which of its players sat where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.models import Club, Game, Membership, Player, Seat
from scoresheets.preferences import account_of
from scoresheets.queries.clubs import clubs_of, near_names, roster
from scoresheets.recording import Conflict
from scoresheets.recording.names import folded
from scoresheets.views import access
from scoresheets.views.keys import key_in, new_key

#: What a seat's field sends beside a player's id: somebody new, or nobody the club knows.
NEW, NOBODY = "new", ""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def game_club(request: HttpRequest, game_id: int) -> HttpResponse:
    """Choose a club for the game, then who sat on which seat; a POST moves it there and leads back to the score pad."""
    game, actor = access.game_and_actor(request, game_id)
    account = account_of(request)
    if account is None or not permissions.can_keep_score(actor, game):
        raise PermissionDenied
    roles = tuple((membership.club_id, membership.role) for membership in Membership.of_user(account.pk))
    actor = replace(actor, roles=roles)
    clubs = [line.club for line in clubs_of(account) if permissions.can_move(actor, game, line.club)]
    club = _chosen(request, clubs)
    if request.method != "POST" or club is None:
        return _render(request, game, clubs, club, status=200 if request.method != "POST" else 422)
    seats = game.seats_in_order()
    try:
        recording.move_game(game, club, players=_players(request, seats), by=actor, key=key_in(request.POST))
    except rules.RulesError as refused:
        names = [seat.name for seat in seats]
        errors = [wording.problem_in_words(problem, names) for problem in refused.problems]
        return _render(request, game, clubs, club, status=422, errors=errors)
    except Conflict as conflict:
        return _render(request, game, clubs, club, status=409, errors=[wording.conflict_in_words(conflict)])
    return redirect("block", game.pk)


def _chosen(request: HttpRequest, clubs: Sequence[Club]) -> Club | None:
    """Return the club that the request names, or the only one there is. Raises `Http404` for any other one."""
    named = request.POST.get("club", request.GET.get("club", ""))
    if not named:
        return clubs[0] if len(clubs) == 1 else None
    club = next((club for club in clubs if str(club.pk) == named), None)
    if club is None:
        raise Http404
    return club


def _players(request: HttpRequest, seats: Sequence[Seat]) -> dict[int, int | str]:
    """Return who sat where as `recording.move_game` takes it; what is no choice stands for nobody."""
    chosen: dict[int, int | str] = {}
    for seat in seats:
        typed = request.POST.get(f"seat_{seat.pk}", NOBODY)
        if typed == NEW:
            chosen[seat.pk] = seat.name
        elif typed.isascii() and typed.isdigit() and len(typed) <= access.MOST_DIGITS:
            chosen[seat.pk] = int(typed)
    return chosen


def _render(
    request: HttpRequest,
    game: Game,
    clubs: Sequence[Club],
    club: Club | None,
    *,
    status: int = 200,
    errors: Sequence[str] = (),
) -> HttpResponse:
    context: Mapping[str, Any] = {
        "game": game,
        "clubs": clubs,
        "club": club,
        "lines": _lines(request, game, club) if club is not None else [],
        "errors": errors,
        "key": (key_in(request.POST) if status == 422 else None) or new_key(),
        "is_there": club is not None and game.club_id == club.pk,
    }
    return render(request, "games/club.html", context, status=status)


def _lines(request: HttpRequest, game: Game, club: Club) -> list[dict[str, Any]]:
    """Return one line a seat: those the club may know by its name, everybody else, and what is chosen."""
    players = list(roster(club))
    lines = []
    for seat in game.seats_in_order():
        known = next((player for player in players if folded(player.name) == folded(seat.name)), None)
        likely = [known] if known is not None else near_names(club, seat.name)
        sits = seat.player_id if game.club_id == club.pk else None
        chosen = request.POST.get(f"seat_{seat.pk}", str(sits or (known.pk if known is not None else NEW)))
        lines.append({"seat": seat, "likely": likely, "others": _without(players, likely), "chosen": chosen})
    return lines


def _without(players: Sequence[Player], likely: Sequence[Player]) -> list[Player]:
    return [player for player in players if player not in likely]
