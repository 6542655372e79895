"""Seasons: all of a club's, the table of one, and the games behind a player's numbers in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets import league_words, permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Season
from scoresheets.numbers import reader_language
from scoresheets.queries.leagues import (
    ListedSeason,
    TableLine,
    current_season,
    games_behind,
    place_of,
    season_of,
    seasons_page,
    standings_page,
    table_top,
)
from scoresheets.queries.players import player_in
from scoresheets.templatetags.leagues import Row
from scoresheets.templatetags.tafel import path_to
from scoresheets.views.club_access import ClubHidden, actor_who_sees, club_and_actor
from scoresheets.views.posts import is_number

#: So many lines of the table stand on the club's own page.
LINES_AT_HOME = 5


@require_safe
@never_cache
def seasons(request: HttpRequest, club_id: int) -> HttpResponse:
    """List a club's seasons, newest first, with who leads or has won."""
    club, actor = club_and_actor(request, club_id)
    listed, page = seasons_page(club, page_in(request), in_public=in_public(actor, club))
    context = {
        "club": club,
        "lines": [_listed(line) for line in listed],
        "page": page,
        "can_manage": permissions.can_manage_seasons(actor, club),
    }
    return render(request, "seasons/seasons.html", context)


@require_safe
@never_cache
def season(request: HttpRequest, club_id: int, season_id: int) -> HttpResponse:
    """Show a season's table and its rule in words."""
    club, found, actor = season_and_actor(request, club_id, season_id)
    table = standings_page(found, page_in(request), in_public=in_public(actor, club), user=actor.user)
    context = {
        "club": club,
        "season": found,
        "dates": league_words.dates_in_words(found),
        "rows": rows_of(found, table.lines),
        "own_row": rows_of(found, [table.own] if table.own is not None else []),
        "page": table.page,
        "unit": league_words.unit_of(found.formula),
        "sentences": league_words.rule_in_words(found, incomplete_counts=club.incomplete_counts),
        "can_manage": permissions.can_manage_seasons(actor, club),
    }
    return render(request, "seasons/season.html", context)


@require_safe
@never_cache
def season_player(request: HttpRequest, club_id: int, season_id: int, player_id: int) -> HttpResponse:
    """Show the games behind a player's numbers in a season; of a duplicate, send to the player it is."""
    club, found, actor = season_and_actor(request, club_id, season_id)
    player = player_in(club, player_id) if is_number(str(player_id)) else None
    if player is None:
        raise ClubHidden
    if not player.is_canonical:
        return redirect("season_player", club.pk, found.pk, player.canonical_id)
    hides_names = in_public(actor, club)
    behind = games_behind(found, player, page_in(request))
    if not behind.line.games and hides_names:
        # Whom the club knows is for its members.
        raise ClubHidden
    context = {
        "club": club,
        "season": found,
        "player": player,
        "name": player.shown_publicly if hides_names else player.name,
        "line": behind.line,
        "place": place_of(found, player),
        "exact": league_words.share(behind.line.exact, behind.line.bids),
        "sum": league_words.sum_in_words(found.league_rules, behind.line),
        "games": [
            (game, league_words.points_in_words(game.points) if found.formula in league_words.HAVE_POINTS else "")
            for game in behind.games
        ],
        "has_points": found.formula in league_words.HAVE_POINTS,
        "page": behind.page,
    }
    return render(request, "seasons/player.html", context)


def at_home(club: Club, actor: Actor) -> dict[str, Any]:
    """Return what the club's own page shows of the season it plays (4 statements), {} where there is none."""
    current = current_season(club)
    if current is None:
        return {}
    lines = table_top(current, LINES_AT_HOME, in_public=in_public(actor, club), user=actor.user)
    return {
        "season": current,
        "season_rows": rows_of(current, lines),
        "season_unit": league_words.unit_of(current.formula),
        "season_rule": league_words.rule_in_words(current)[0],
    }


def season_and_actor(request: HttpRequest, club_id: int, season_id: int) -> tuple[Club, Season, Actor]:
    """Return a season of a club that may be seen, and who asks (2 statements beside those of the session).

    Raises `ClubHidden`.
    """
    found = season_of(club_id, season_id) if is_number(str(club_id)) and is_number(str(season_id)) else None
    if found is None:
        raise ClubHidden
    return found.club, found, actor_who_sees(request, found.club)


def in_public(actor: Actor, club: Club) -> bool:
    """Say whether whoever asks sees the names that players show to everybody, and not those of the roster."""
    return not permissions.can_see_roster(actor, club)


def page_in(request: HttpRequest) -> int:
    """Return the number of a page as the address says it; the first one for anything that is none."""
    typed = request.GET.get("page", "")
    return int(typed) if is_number(typed) else 1


def rows_of(season: Season, lines: Iterable[TableLine]) -> list[Row]:
    """Return lines of a season's table as rows: evenings, games, wins, exact bids, and what decides."""
    start = path_to("season", season.club_id, season.pk) + "players/"
    language = reader_language()
    return [
        Row(
            line.place,
            line.name,
            f"{start}{line.player}/",
            (
                str(line.nights),
                str(line.games),
                str(line.wins),
                league_words.share(line.exact, line.bids, language),
                league_words.score_in_words(season.formula, points=line.points, score=line.score, language=language),
            ),
            line.moved,
            line.is_own,
        )
        for line in lines
    ]


def _listed(line: ListedSeason) -> dict[str, Any]:
    podium = line.podium
    return {
        "season": line.season,
        "dates": league_words.dates_in_words(line.season),
        "winners": league_words.names_in_words(podium.winners, has_more=podium.has_more),
    }
