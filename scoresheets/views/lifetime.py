"""Statistics of a player: the page of one, and one's own over all clubs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.forms.statistics import PEOPLE, FilterForm
from scoresheets.league_words import EDITIONS
from scoresheets.models import Player, Season
from scoresheets.preferences import account_of
from scoresheets.queries.filtered import filtered_lifetimes, filtered_pairs, results_left
from scoresheets.queries.lifetime import (
    FEW,
    FEWEST_RATED,
    club_tally_of,
    lifetime_player,
    lifetimes_of,
    months_of,
    newest_results,
    own_players,
    pairs_of,
    rating_of,
    together,
)
from scoresheets.views.access import MOST_DIGITS
from scoresheets.views.club_access import ClubHidden, club_actor
from scoresheets.views.lifetime_words import RECORD_ORDER, rating_tile, record_line, tiles_of
from scoresheets.views.posts import is_number

#: Pages of opponents are few; a higher number is a slip.
MOST_PAGES = 1000


def name_for(actor: Actor, player: Player) -> str:
    """Return what a player is called: for members of the club by name, for all others as they chose."""
    return player.name if permissions.can_see_roster(actor, player.club) else player.shown_publicly


# -- one player -----------------------------------------------------------------------------------------------------


@require_safe
@never_cache
def lifetime(request: HttpRequest, club_id: int, player_id: int) -> HttpResponse:
    """Show a player's numbers, of all games or of those that the filters in the address leave."""
    found = None
    if max(len(str(club_id)), len(str(player_id))) <= MOST_DIGITS:
        found = lifetime_player(club_id, player_id)
    actor = club_actor(request)
    if found is None or not permissions.can_see_club(actor, found.club):
        raise ClubHidden
    if not found.is_canonical:
        query = request.META.get("QUERY_STRING", "")
        address = reverse("lifetime", args=[club_id, found.canonical_id])
        return redirect(f"{address}?{query}" if query else address)
    seasons = list(found.club.seasons.all())
    form = FilterForm(request.GET, seasons)
    tally = club_tally_of(found.club)
    context = {
        **_statistics(request, actor, [found], form),
        "club": found.club,
        "player": found,
        "name": name_for(actor, found),
        "seasons": seasons,
        "is_member": permissions.can_see_roster(actor, found.club),
        "is_own": actor.user is not None and found.user_id == actor.user.pk,
        "is_stale": tally is not None and tally.stale_from is not None,
    }
    return render(request, "statistics/lifetime.html", context)


def _statistics(request: HttpRequest, actor: Actor, players: Sequence[Player], form: FilterForm) -> dict[str, Any]:
    """Return what the page shows of these players' games, as if they were one."""
    ids, filters, number = [player.pk for player in players], form.filters, _page(request)
    if filters:
        lives = filtered_lifetimes(players, filters)
        # Whom one met in some of the games is a matter of all who sat there: it is counted where somebody asks for it.
        pairs = filtered_pairs(ids, filters, number=number) if "opponents" in request.GET else None
    else:
        lives = lifetimes_of(players)
        pairs = pairs_of(ids, number=number)
    life = together(list(lives.values()))
    alone = players[0] if len(players) == 1 else None
    # A rating is of all games there were: it cannot be that of some of them.
    ratings = [] if filters else [(player, rating_of(player, lives[player.pk])) for player in players]
    rating = ratings[0][1] if alone is not None and ratings else None
    return {
        "life": life,
        "form": form,
        "filters": filters,
        "people": [str(number) for number in PEOPLE],
        "editions": [(name, str(words)) for name, words in EDITIONS.items()],
        "tiles": tiles_of(life, rating, alone),
        "records": [record_line(str(kind), life.records[kind]) for kind in RECORD_ORDER if kind in life.records],
        "pairs": [(_opponent(actor, pair.opponent, apart=alone is None), pair) for pair in pairs.pairs]
        if pairs
        else [],
        "pairs_page": pairs,
        "newest": newest_results(results_left(ids, filters)),
        "rating": rating,
        "ratings": [(player, rating_tile(rating)) for player, rating in ratings if rating is not None],
        "months": months_of(ids)[ids[0]] if rating is not None else [],
        "few": FEW,
        "fewest_rated": FEWEST_RATED,
    }


def _page(request: HttpRequest) -> int:
    typed = request.GET.get("opponents", "")
    return min(max(int(typed), 1), MOST_PAGES) if is_number(typed) else 1


def _opponent(actor: Actor, opponent: Player, *, apart: bool) -> str:
    """Return what an opponent is called; where games of several clubs are seen together, with the club's name."""
    name = name_for(actor, opponent)
    return f"{name} ({opponent.club.name})" if apart else name


# -- one's own ------------------------------------------------------------------------------------------------------


@require_safe
@login_required
@never_cache
def own_statistics(request: HttpRequest) -> HttpResponse:
    """Show an account its numbers: all the players it is together, or with `?club=` the one of that club."""
    account = account_of(request)
    assert account is not None
    actor = club_actor(request)
    players = own_players(account.pk)
    chosen = [player for player in players if str(player.club_id) == request.GET.get("club", "")]
    shown = chosen or players
    seasons: list[Season] = list(chosen[0].club.seasons.all()) if chosen else []
    form = FilterForm(request.GET, seasons)
    tallies = [club_tally_of(player.club) for player in shown]
    context = {
        **(_statistics(request, actor, shown, form) if shown else {}),
        "players": players,
        "chosen": chosen[0] if chosen else None,
        "seasons": seasons,
        "name": str(account),
        "is_member": True,
        "is_own": True,
        "is_stale": any(tally is not None and tally.stale_from is not None for tally in tallies),
    }
    return render(request, "statistics/own.html", context)
