"""Seasons as they go in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django_filters import ChoiceFilter, FilterSet
from rest_framework import serializers

import rules
from rules.leagues import MOST_BEST, MOST_FEWEST_GAMES, MOST_PLACE_POINTS
from scoresheets import league_words
from scoresheets.api.fields import Answer, Choice, Day, Id, Moment, Shape, Text, Whole, Yes
from scoresheets.api.views import Body
from scoresheets.models import Season
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.leagues import SEASON_NAME_LENGTH, SIXTIETHS
from scoresheets.queries.leagues import (
    CountedGame,
    Podium,
    TableLine,
)
from scoresheets.recording import (
    SeasonSettings,
)

TAG = "seasons"
#: So many places of a season are named in lists.
PODIUM = 3

_HELP = {
    "name": f"What the season is called, 1 to {SEASON_NAME_LENGTH} characters, once in a club.",
    "starts_on": "The first night that counts.",
    "ends_on": "The last night that counts; null if it goes on.",
    "formula": "What a game is worth: `sum` of the points on the sheets, their `mean` a game, points for `places`, the "
    "`publisher`'s +1 for every opponent below and -1 for every one above, or the `exact_rate` of bids.",
    "place_points": "The points of places 1, 2, ... for the formula `places`, none for others: each at most 1000 "
    "either way, and none more than the one before. Places that are not named get none.",
    "best": "Only so many results count, the best ones; null for all.",
    "best_of": "Whether `best` counts single games or whole evenings.",
    "fewest_games": "A place takes at least so many games.",
    "tie_rule": "What decides between equal points: the rate of exact bids, wins, or nothing (`shared`).",
    "editions": "Which games count by what was played; all if there are none.",
    "guests": "What becomes of guests: `ranked` like everybody, `unranked`, or no game with one counts (`excluded`).",
    "only_evenings": "Whether only games of an evening count. Those of friendly evenings never do.",
}
_LEAGUE = ("formula", "place_points", "best", "best_of", "fewest_games", "tie_rule")


# -- what is answered -----------------------------------------------------------------------------------------------


class PodiumPlace(Answer):
    place = Whole(least=1, most=PODIUM, help_text="The place; equal ones share it.")
    player = Id(help_text="The id of the player.")
    name = Text(most=NAME_LENGTH, help_text="The name; for those who are no members of the club, the public one.")


class SeasonAnswer(Answer):
    """A league of a club over some time."""

    id = Id(help_text="The id of the season.")
    name = Text(most=SEASON_NAME_LENGTH, help_text=_HELP["name"])
    starts_on = Day(help_text=_HELP["starts_on"])
    ends_on = Day(allow_null=True, help_text=_HELP["ends_on"])
    formula = Choice(choices=rules.LEAGUE_FORMULAS, help_text=_HELP["formula"])
    place_points = serializers.ListField(
        child=Whole(least=-MOST_PLACE_POINTS, most=MOST_PLACE_POINTS),
        max_length=rules.MOST_PLAYERS,
        help_text=_HELP["place_points"],
    )
    best = Whole(least=1, most=MOST_BEST, allow_null=True, help_text=_HELP["best"])
    best_of = Choice(choices=rules.BEST_OF, help_text=_HELP["best_of"])
    fewest_games = Whole(least=0, most=MOST_FEWEST_GAMES, help_text=_HELP["fewest_games"])
    tie_rule = Choice(choices=rules.LEAGUE_TIE_RULES, help_text=_HELP["tie_rule"])
    editions = serializers.ListField(child=Choice(choices=rules.EDITIONS), help_text=_HELP["editions"])
    guests = Choice(choices=Season.Guests.values, help_text=_HELP["guests"])
    only_evenings = Yes(help_text=_HELP["only_evenings"])
    closed_at = Moment(allow_null=True, help_text="When it was closed, null while it is open.")
    changed_after_close = Moment(
        allow_null=True, help_text="When a correction last changed the table of a closed season; null for never."
    )
    stale = Yes(help_text="Whether the table is being worked out anew; until then it shows what it was before.")
    last_night = Day(allow_null=True, help_text="The newest night with a game that counts, null without one.")
    created_at = Moment(help_text="When it was made.")
    podium = PodiumPlace(many=True, help_text="Who leads it or has won it: the first three places, at most 8 people.")
    podium_has_more = Yes(help_text="Whether more people share these places.")


class SeasonDetailsAnswer(SeasonAnswer):
    """A season with its rule in words."""

    rule = serializers.ListField(
        child=Text(help_text="A sentence."),
        help_text="All that decides the table, as sentences in the language of `Accept-Language`.",
    )


class StandingAnswer(Answer):
    """A player's line in the table of a season."""

    place = Whole(least=1, allow_null=True, help_text="The place; equal ones share it. Null with too few games.")
    moved = Whole(
        allow_null=True,
        help_text="By how many places they went up since before the last night, negative: down. Null without a place "
        "now or before.",
    )
    player = Id(help_text="The id of the player.")
    name = Text(most=NAME_LENGTH, help_text="The name; for those who are no members of the club, the public one.")
    is_own = Yes(help_text="Whether this is the account that asks.")
    nights = Whole(least=0, help_text="In how many nights they played.")
    games = Whole(least=0, help_text="How many of their games the season counts.")
    wins = Whole(least=0, help_text="How many of them they won; shared victories too.")
    exact = Whole(least=0, help_text="How many of their bids came true.")
    bids = Whole(least=0, help_text="Of how many.")
    points = serializers.FloatField(help_text="The league points that count; whole sixtieths, may be negative.")
    score = serializers.FloatField(
        help_text="What the table is ordered by: points or their mean a game, which may be negative, or the rate of "
        "exact bids (0 to 1)."
    )
    score_text = Text(help_text="The same as the page writes it, in the language of `Accept-Language`.")


class SeasonPlayerAnswer(Answer):
    """What a player's line in a season is made of."""

    player = Id(help_text="The id of the player; of a duplicate, of the one it was merged into.")
    name = Text(most=NAME_LENGTH, help_text="The name; for those who are no members of the club, the public one.")
    place = Whole(least=1, allow_null=True, help_text="The place in the table, null without one.")
    moved = Whole(allow_null=True, help_text="As in the table, negative: down.")
    nights = Whole(least=0, help_text="In how many nights they played.")
    games = Whole(least=0, help_text="How many of their games the season counts.")
    games_counted = Whole(least=0, help_text="How many of them are among the best that the rule takes.")
    wins = Whole(least=0, help_text="How many of them they won; shared victories too.")
    exact = Whole(least=0, help_text="How many of their bids came true.")
    bids = Whole(least=0, help_text="Of how many.")
    points = serializers.FloatField(help_text="The league points that count; whole sixtieths, may be negative.")
    score = serializers.FloatField(help_text="What the table is ordered by, as in the table; may be negative.")
    sum = Text(help_text="How that number comes about, as a sentence in the language of `Accept-Language`.")


class SeasonGameAnswer(Answer):
    """A game of a player that a season counts."""

    game = Id(help_text="The id of the game.")
    night = Day(help_text="The night it is of.")
    total = Whole(help_text="The points on the sheet; may be negative.")
    rank = Whole(least=1, help_text="The place at the table.")
    level = Whole(least=1, help_text="How many share it.")
    players = Whole(least=1, help_text="Of how many people with a place.")
    exact = Whole(least=0, help_text="How many bids came true.")
    bids = Whole(least=0, help_text="Of how many.")
    points = serializers.FloatField(
        help_text="What the game is worth to the league; whole sixtieths, may be negative. 0 where the rate of exact "
        "bids counts."
    )
    counts = Yes(help_text="Whether it is among the best that the rule takes.")


def season_body(season: Season, podium: Podium) -> Body:
    """Return a season as it is answered."""
    return {
        "id": season.pk,
        **SeasonSettings.of(season).values,
        "closed_at": season.closed_at,
        "changed_after_close": season.changed_after_close,
        "stale": season.stale,
        "last_night": season.last_night,
        "created_at": season.created_at,
        "podium": [{"place": place, "player": player, "name": name} for place, player, name in podium.places],
        "podium_has_more": podium.has_more,
    }


def standing_body(season: Season, line: TableLine) -> Body:
    """Return a line of the table as it is answered."""
    return {
        "place": line.place,
        "moved": line.moved,
        "player": line.player,
        "name": line.name,
        "is_own": line.is_own,
        "nights": line.nights,
        "games": line.games,
        "wins": line.wins,
        "exact": line.exact,
        "bids": line.bids,
        "points": line.points / SIXTIETHS,
        "score": line.score,
        "score_text": league_words.score_in_words(season.formula, points=line.points, score=line.score),
    }


def game_body(game: CountedGame) -> Body:
    """Return a game behind a line as it is answered."""
    return {
        "game": game.game,
        "night": game.night,
        "total": game.total,
        "rank": game.rank,
        "level": game.level,
        "players": game.players,
        "exact": game.exact,
        "bids": game.bids,
        "points": game.points / SIXTIETHS,
        "counts": game.counts,
    }


# -- what is taken --------------------------------------------------------------------------------------------------


class SeasonChanges(Shape):
    """What is to be changed; what is left out stays."""

    name = Text(required=False, most=SEASON_NAME_LENGTH, help_text=_HELP["name"])
    starts_on = Day(required=False, help_text=_HELP["starts_on"])
    ends_on = Day(required=False, allow_null=True, help_text=_HELP["ends_on"])
    formula = Choice(required=False, choices=rules.LEAGUE_FORMULAS, help_text=_HELP["formula"])
    place_points = serializers.ListField(
        required=False,
        child=Whole(least=-MOST_PLACE_POINTS, most=MOST_PLACE_POINTS),
        max_length=rules.MOST_PLAYERS,
        help_text=_HELP["place_points"],
    )
    best = Whole(required=False, least=1, most=MOST_BEST, allow_null=True, help_text=_HELP["best"])
    best_of = Choice(required=False, choices=rules.BEST_OF, help_text=_HELP["best_of"])
    fewest_games = Whole(required=False, least=0, most=MOST_FEWEST_GAMES, help_text=_HELP["fewest_games"])
    tie_rule = Choice(required=False, choices=rules.LEAGUE_TIE_RULES, help_text=_HELP["tie_rule"])
    editions = serializers.ListField(
        required=False,
        child=Choice(choices=rules.EDITIONS),
        max_length=len(rules.EDITIONS),
        help_text=_HELP["editions"],
    )
    guests = Choice(required=False, choices=Season.Guests.values, help_text=_HELP["guests"])
    only_evenings = Yes(required=False, help_text=_HELP["only_evenings"])


class NewSeason(SeasonChanges):
    """A season to be made; what is left out is as usual: the sum of the points of all games."""

    name = Text(most=SEASON_NAME_LENGTH, help_text=_HELP["name"])
    starts_on = Day(help_text=_HELP["starts_on"])


def settings_of(sent: Mapping[str, Any], base: SeasonSettings) -> SeasonSettings:
    """Return the settings that were sent; what is left out is as in `base`."""
    values = dict(sent)
    league = {name: values.pop(name) for name in _LEAGUE if name in values}
    for lists, name in ((league, "place_points"), (values, "editions")):
        if name in lists:
            lists[name] = tuple(lists[name])
    return replace(base, league=replace(base.league, **league), **values)


class SeasonFilter(FilterSet):
    state = ChoiceFilter(
        choices=[("open", "open"), ("closed", "closed")],
        method="in_state",
        help_text="Only those that are `open`, or `closed` by a manager.",
    )

    class Meta:
        model = Season
        fields: Sequence[str] = ()

    def in_state(self, seasons: QuerySet[Season], name: str, state: str) -> QuerySet[Season]:
        return seasons.filter(closed_at__isnull=state == "open")
