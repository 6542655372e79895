"""A player's lifetime in numbers, of all games or of those that filters leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter

import rules
from scoresheets import permissions
from scoresheets.api.fields import Id, Text, Yes
from scoresheets.api.numbered import NumberedView
from scoresheets.api.problems import Finding, Refused
from scoresheets.api.schema import ID, operation
from scoresheets.api.statistics.shapes import (
    NAME_HELP,
    STALE_HELP,
    TAG,
    MonthAnswer,
    NewestGame,
    Numbers,
    PairAnswer,
    PlayerRating,
    month_body,
    newest_bodies,
    numbers_body,
    pair_body,
    rating_body,
)
from scoresheets.api.views import Body
from scoresheets.forms.statistics import FilterForm, PeopleForm
from scoresheets.models import Player, Season
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.filtered import filtered_lifetimes, filtered_pairs_from, results_left
from scoresheets.queries.lifetime import (
    Filters,
    Pair,
    canonical_player,
    club_tally_of,
    lifetimes_of,
    months_of,
    newest_results,
    pairs_from,
    rating_of,
    together,
)
from scoresheets.queries.lifetime import Lifetime as Life

SEASON = OpenApiParameter("season", ID, description="Only games that this season of the club counts.")
PLAYERS = OpenApiParameter(
    "players",
    {"type": "integer", "minimum": rules.FEWEST_PLAYERS, "maximum": rules.MOST_PLAYERS},
    description="Only games in which so many people have a place.",
)
FILTERS = (
    OpenApiParameter(
        "from",
        {"type": "string", "format": "date"},
        description="Only games of this night (`2026-03-14`) or later.",
    ),
    OpenApiParameter(
        "to",
        {"type": "string", "format": "date"},
        description="Only games of this night (`2026-03-14`) or earlier.",
    ),
    PLAYERS,
    OpenApiParameter("edition", {"type": "string", "enum": list(rules.EDITIONS)}, description="Only games of it."),
)
#: The parameters for nights, and what the form of the pages calls them.
_NIGHTS = {"from": "since", "to": "until"}


class LifetimeAnswer(Numbers):
    """A player's games in numbers."""

    player = Id(help_text="The id of the player; of a duplicate, of the one it was merged into.")
    name = Text(most=NAME_LENGTH, help_text=NAME_HELP)
    is_own = Yes(help_text="Whether this is the account that asks.")
    stale = Yes(help_text=STALE_HELP)
    rating = PlayerRating(
        allow_null=True, help_text="The rating; null without a rated game, and with filters, for it is of all games."
    )
    newest = NewestGame(many=True, help_text="The ten newest games, newest first.")


class StatisticsView(NumberedView):
    """An address about the numbers of players."""

    def player(self, club_id: int, player_id: int) -> Player:
        """Return a player with their tallies, of a duplicate who it counts as (1 statement, 1 for the actor).

        Raises `Http404`.
        """
        found = canonical_player(club_id, player_id)
        if found is None or not permissions.can_see_club(self.actor, found.club):
            raise Http404
        self.club_id = found.club_id
        return found

    def name_of(self, player: Player) -> str:
        """Return what a player is called: for members of the club by name, for all others as they chose."""
        return player.name if permissions.can_see_roster(self.actor, player.club) else player.shown_publicly

    def is_own(self, player: Player) -> bool:
        """Say whether a player is the account that asks."""
        return self.actor.user is not None and player.user_id == self.actor.user.pk

    def filters_in(self, club_id: int | None = None) -> Filters:
        """Return the filters of the query string; seasons are those of the club (1 statement where one is named).

        Raises `Refused` (400) for what is none.
        """
        season_id = self.request.query_params.get("season", "")
        seasons: Sequence[Season] = ()
        if club_id is not None and season_id.isascii() and season_id.isdigit() and len(season_id) <= 18:
            seasons = list(Season.objects.filter(club=club_id, pk=season_id))
        given = self.request.query_params.dict()
        # Named as in other lists; the form is that of the pages.
        form = FilterForm({**given, **{name: given.get(key, "") for key, name in _NIGHTS.items()}}, seasons)
        refuse_wrong(form)
        return form.filters


def refuse_wrong(form: PeopleForm) -> None:
    """Do nothing if all of a query string's fields make sense. Raises `Refused` (400) with all that do not."""
    wrong = form.errors.get_json_data()
    names = {name: key for key, name in _NIGHTS.items()}
    if wrong:
        raise Refused(
            400,
            [
                Finding("parameter_wrong", str(error["message"]), names.get(field, field))
                for field, errors in wrong.items()
                for error in errors
            ],
        )


def lives_of(players: Sequence[Player], filters: Filters) -> dict[int, Life]:
    """Return the lifetime of each of these players over the games that the filters leave, by their ids."""
    return filtered_lifetimes(players, filters) if filters else lifetimes_of(players)


def opponents_of(players: Sequence[Player], filters: Filters, start: int, most: int) -> list[Pair]:
    """Return at most so many opponents of these players, those of the most games first."""
    ids = [player.pk for player in players]
    return filtered_pairs_from(ids, filters, start, most) if filters else pairs_from(ids, start, most)


def is_stale(players: Sequence[Player]) -> bool:
    """Say whether ratings and runs of one of their clubs are being worked out anew."""
    tallies = [club_tally_of(player.club) for player in players]
    return any(tally is not None and tally.stale_from is not None for tally in tallies)


def life_body(players: Sequence[Player], lives: dict[int, Life], filters: Filters) -> Body:
    """Return the games of these players together, in numbers, and the newest of them (1 statement)."""
    newest = newest_results(results_left([player.pk for player in players], filters))
    return {
        **numbers_body(together(list(lives.values()))),
        "stale": is_stale(players),
        "newest": newest_bodies(newest),
    }


class Lifetime(StatisticsView):
    @operation(
        "players_lifetime",
        summary="A player's games in numbers",
        tag=TAG,
        answer=LifetimeAnswer,
        parameters=(SEASON, *FILTERS),
    )
    def get(self, request: Any, club_id: int, player_id: int) -> Any:
        """A player's lifetime: all games, or those that the filters leave, one and all together."""
        player = self.player(club_id, player_id)
        filters = self.filters_in(player.club_id)
        lives = lives_of([player], filters)
        rating = None if filters else rating_of(player, lives[player.pk])
        return self.answer(
            {
                "player": player.pk,
                "name": self.name_of(player),
                "is_own": self.is_own(player),
                **life_body([player], lives, filters),
                "rating": rating_body(rating),
            }
        )


class Opponents(StatisticsView):
    @operation(
        "players_opponents",
        summary="A player's opponents",
        tag=TAG,
        answer=PairAnswer,
        lists=True,
        parameters=(SEASON, *FILTERS),
    )
    def get(self, request: Any, club_id: int, player_id: int) -> Any:
        """How a player finished against others, those of the most games first."""
        player = self.player(club_id, player_id)
        filters = self.filters_in(player.club_id)
        return self.numbered(
            lambda start, most: opponents_of([player], filters, start, most),
            lambda pair: pair_body(pair, self.name_of(pair.opponent)),
        )


class Months(StatisticsView):
    @operation("players_months", summary="A player's rating by month", tag=TAG, answer=MonthAnswer, lists=True)
    def get(self, request: Any, club_id: int, player_id: int) -> Any:
        """A player's rating at the end of each month with a rated game, oldest first; at most the newest 240."""
        player = self.player(club_id, player_id)
        months = months_of([player.pk])[player.pk]
        return self.numbered(lambda start, most: months[start : start + most], month_body)
