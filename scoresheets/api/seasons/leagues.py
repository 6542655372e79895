"""Seasons of a club: their tables and the games behind a number; making, changing, closing, deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample

import rules
from scoresheets import league_words, permissions
from scoresheets.api.numbered import NumberedView
from scoresheets.api.pagination import Order
from scoresheets.api.schema import Scope, operation
from scoresheets.api.seasons.shapes import (
    PODIUM,
    TAG,
    NewSeason,
    SeasonAnswer,
    SeasonChanges,
    SeasonDetailsAnswer,
    SeasonFilter,
    SeasonGameAnswer,
    SeasonPlayerAnswer,
    StandingAnswer,
    game_body,
    season_body,
    settings_of,
    standing_body,
)
from scoresheets.api.views import Body
from scoresheets.forms.seasons import SeasonForm
from scoresheets.models import Club, Player, Season
from scoresheets.models.leagues import SIXTIETHS
from scoresheets.queries.leagues import (
    CountedGame,
    counted_games,
    line_of,
    podiums_of,
    table_from,
)
from scoresheets.queries.lifetime import canonical_player
from scoresheets.recording import (
    SeasonSettings,
    change_season,
    close_season,
    create_season,
    delete_season,
    reopen_season,
)


class SeasonView(NumberedView):
    """An address about the seasons of a club."""

    FIELD_OF = {**SeasonForm.FIELD_OF, "edition_unknown": "editions"}

    def season(self, club_id: int, season_id: int) -> Season:
        """Return a season that may be seen, with its club (1 statement, and 1 for the actor). Raises `Http404`."""
        found = Season.objects.select_related("club").filter(pk=season_id, club=club_id).first()
        if found is None or not permissions.can_see_club(self.actor, found.club):
            raise Http404
        self.club_id = found.club_id
        return found

    def managed(self, club_id: int, season_id: int) -> Season:
        """Return a season that whoever asks may change. Raises `Http404`, `PermissionDenied`."""
        season = self.season(club_id, season_id)
        permissions.check_can_manage_seasons(self.actor, season.club)
        return season

    def bodies(self, club: Club, seasons: Sequence[Season]) -> list[Body]:
        """Return seasons of the club as they are answered (2 statements)."""
        podiums = podiums_of(seasons, PODIUM, in_public=self.in_public(club))
        return [season_body(season, podiums[season.pk]) for season in seasons]

    def details(self, season: Season, club: Club) -> Body:
        """Return a season with its rule in words (2 statements)."""
        rule = league_words.rule_in_words(season, incomplete_counts=club.incomplete_counts)
        return {**self.bodies(club, [season])[0], "rule": rule}

    def in_public(self, club: Club) -> bool:
        """Say whether whoever asks sees public names only."""
        return not permissions.can_see_roster(self.actor, club)


class Seasons(SeasonView):
    @operation(
        "seasons_list",
        summary="The seasons of a club",
        tag=TAG,
        answer=SeasonAnswer,
        lists=True,
        filters=SeasonFilter,
        orders={
            "-starts_on": Order.day("starts_on", descending=True),
            "starts_on": Order.day("starts_on"),
        },
    )
    def get(self, request: Any, club_id: int) -> Any:
        """The seasons of a club with who leads them or has won."""
        club = self.club(club_id)
        return self.listed(Season.objects.filter(club=club), lambda seasons: self.bodies(club, seasons))

    @operation(
        "seasons_create",
        summary="Make a season",
        tag=TAG,
        takes=NewSeason,
        answer=SeasonDetailsAnswer,
        status=201,
        scope=Scope.MANAGE,
        errors={400: ("season_name_taken", "season_ends_before_start", "too_many_seasons", "league_places_count")},
        examples=[
            OpenApiExample(
                "Points for places",
                {
                    "name": "Winter",
                    "starts_on": "2026-10-01",
                    "ends_on": "2027-03-31",
                    "formula": "places",
                    "place_points": [6, 4, 2, 1],
                    "best": 10,
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, club_id: int) -> Any:
        """Make a season, as managers do. Games that it counts already are in its table."""
        club = self.club(club_id)
        permissions.check_can_manage_seasons(self.actor, club)
        sent = self.sent()
        base = SeasonSettings(sent["name"], sent["starts_on"])
        return self.write(
            lambda: create_season(club, settings_of(sent, base), by=self.actor),
            lambda season: self.details(season, club),
        )


class OneSeason(SeasonView):
    @operation("seasons_read", summary="A season", tag=TAG, answer=SeasonDetailsAnswer)
    def get(self, request: Any, club_id: int, season_id: int) -> Any:
        """A season with its rule in words."""
        season = self.season(club_id, season_id)
        return self.answer(self.details(season, season.club))

    @operation(
        "seasons_change",
        summary="Change a season",
        tag=TAG,
        takes=SeasonChanges,
        answer=SeasonDetailsAnswer,
        scope=Scope.MANAGE,
        errors={
            400: ("season_name_taken", "season_ends_before_start", "league_places_count"),
            409: ("season_gone", "season_closed"),
        },
        examples=[OpenApiExample("Until the summer", {"ends_on": "2027-06-30", "fewest_games": 5}, request_only=True)],
    )
    def patch(self, request: Any, club_id: int, season_id: int) -> Any:
        """Change a season that is open, as managers do. Its table is worked out anew; a large one a little later."""
        season = self.managed(club_id, season_id)
        settings = settings_of(self.sent(), SeasonSettings.of(season))
        return self.write(
            lambda: change_season(season, settings, by=self.actor), lambda now: self.details(now, season.club)
        )

    @operation(
        "seasons_delete",
        summary="Delete a season",
        tag=TAG,
        answer=None,
        scope=Scope.MANAGE,
        errors={409: ("season_gone",)},
    )
    def delete(self, request: Any, club_id: int, season_id: int) -> Any:
        """Delete a season and its table, as managers do. Games stay."""
        season = self.managed(club_id, season_id)
        return self.write(lambda: delete_season(season, by=self.actor))


class CloseSeason(SeasonView):
    @operation(
        "seasons_close",
        summary="Close a season",
        tag=TAG,
        answer=SeasonDetailsAnswer,
        scope=Scope.MANAGE,
        errors={409: ("season_gone", "season_not_begun")},
    )
    def post(self, request: Any, club_id: int, season_id: int) -> Any:
        """Close a season, as managers do: it ends with tonight, unless it ended before. Corrections still show."""
        season = self.managed(club_id, season_id)
        return self.write(lambda: close_season(season, by=self.actor), lambda now: self.details(now, season.club))


class ReopenSeason(SeasonView):
    @operation(
        "seasons_reopen",
        summary="Open a season again",
        tag=TAG,
        answer=SeasonDetailsAnswer,
        scope=Scope.MANAGE,
        errors={400: ("too_many_seasons",), 409: ("season_gone",)},
    )
    def post(self, request: Any, club_id: int, season_id: int) -> Any:
        """Open a closed season again, as managers do. It ends when it ended; that can be changed then."""
        season = self.managed(club_id, season_id)
        return self.write(lambda: reopen_season(season, by=self.actor), lambda now: self.details(now, season.club))


class Standings(SeasonView):
    @operation("seasons_standings", summary="The table of a season", tag=TAG, answer=StandingAnswer, lists=True)
    def get(self, request: Any, club_id: int, season_id: int) -> Any:
        """The table of a season, best first. Players with too few games stand at the end, without a place."""
        season = self.season(club_id, season_id)
        names: dict[str, Any] = {"in_public": self.in_public(season.club), "user": self.actor.user}
        return self.numbered(
            lambda start, most: table_from(season, start, most, **names), lambda line: standing_body(season, line)
        )


class SeasonPlayer(SeasonView):
    @operation("seasons_player", summary="A player's line in a season", tag=TAG, answer=SeasonPlayerAnswer)
    def get(self, request: Any, club_id: int, season_id: int, player_id: int) -> Any:
        """How a player's line in the table comes about; worked out from the games behind it."""
        season = self.season(club_id, season_id)
        player, line, _games = self.behind(season, player_id)
        listed = line_of(season, player)
        return self.answer(
            {
                "player": player.pk,
                "name": player.shown_publicly if self.in_public(season.club) else player.name,
                "place": listed.place if listed is not None else None,
                "moved": listed.moved if listed is not None else None,
                "nights": line.nights,
                "games": line.games,
                "games_counted": len(line.counted),
                "wins": line.wins,
                "exact": line.exact,
                "bids": line.bids,
                "points": line.points / SIXTIETHS,
                "score": line.score,
                "sum": league_words.sum_in_words(season.league_rules, line),
            }
        )

    def behind(self, season: Season, player_id: int) -> tuple[Player, rules.LeagueLine, list[CountedGame]]:
        """Return a player with their line and the games it is made of (2 statements). Raises `Http404`."""
        player = canonical_player(season.club_id, player_id)
        if player is None:
            raise Http404
        line, games = counted_games(season, player)
        if not games and self.in_public(season.club):
            # Whom the club knows is for its members.
            raise Http404
        return player, line, games


class SeasonPlayerGames(SeasonPlayer):
    @operation(
        "seasons_player_games",
        summary="The games behind a player's line",
        tag=TAG,
        answer=SeasonGameAnswer,
        lists=True,
    )
    def get(self, request: Any, club_id: int, season_id: int, player_id: int) -> Any:
        """The games of a player that a season counts, newest first."""
        season = self.season(club_id, season_id)
        _player, _line, games = self.behind(season, player_id)
        return self.numbered(lambda start, most: games[start : start + most], game_body)
