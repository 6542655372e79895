"""Seasons are changed while games of theirs are finished: no table misses a game, and no name or key counts twice."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import transaction

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Season, Standing
from scoresheets.recording import (
    SeasonSettings,
    change_season,
    close_season,
    create_season,
    delete_season,
)
from scoresheets.recording.statistics import restand
from tests.scoresheets.clubs import add, club_game, make_club
from tests.scoresheets.factories import play_round
from tests.scoresheets.recording.test_races import WRITERS, race

pytestmark = pytest.mark.django_db(transaction=True)

WINTER = SeasonSettings("Winter", date(2020, 1, 1))
PUBLISHER = SeasonSettings("Winter", date(2020, 1, 1), league=rules.LeagueRules("publisher"))


def table(season: Season) -> list[dict[str, object]]:
    rows = Standing.objects.filter(season=season).order_by("player")
    return [{name: value for name, value in row.items() if name != "id"} for row in rows.values()]


@pytest.fixture
def running():
    """Return a club and two games of it that need one more round."""
    club = make_club("Runde")
    players = add(club, "Annika", "Bernd", "Cem")
    return club, [club_game(club, players) for _ in range(2)]


def test_rule_changed_while_games_are_finished_is_that_of_the_whole_table(running):
    club, games = running
    season = create_season(club, WINTER, by=OPERATOR)

    ended = race(
        [
            *(lambda game=game: play_round(game) for game in games),
            lambda: change_season(season, PUBLISHER, by=OPERATOR),
        ]
    )

    assert [end for end in ended if isinstance(end, str)] == []
    season.refresh_from_db()
    found = table(season)
    assert [row["games"] for row in found] == [2, 2, 2]
    assert sum(row["points"] for row in found) == 0
    with transaction.atomic():
        restand(season)
    assert table(season) == found


def test_season_made_while_games_are_finished_has_them(running):
    club, games = running

    ended = race(
        [*(lambda game=game: play_round(game) for game in games), lambda: create_season(club, WINTER, by=OPERATOR)]
    )

    assert [end for end in ended if isinstance(end, str)] == []
    assert [row["games"] for row in table(Season.objects.get())] == [2, 2, 2]


def test_season_deleted_or_closed_while_a_game_is_finished_hinders_nobody(running):
    club, games = running
    kept, gone = (create_season(club, SeasonSettings(name, WINTER.starts_on), by=OPERATOR) for name in ("A", "B"))

    ended = race(
        [
            *(lambda game=game: play_round(game) for game in games),
            lambda: close_season(kept, by=OPERATOR),
            lambda: delete_season(gone, by=OPERATOR),
        ]
    )

    assert [end for end in ended if isinstance(end, str)] == []
    assert list(Season.objects.all()) == [kept]
    assert [row["games"] for row in table(kept)] == [2, 2, 2]


def test_one_name_and_one_key_are_one_season():
    club = make_club("Runde")

    by_name = race([lambda: create_season(club, WINTER, by=OPERATOR) for _ in range(WRITERS)])
    spring = SeasonSettings("Spring", WINTER.starts_on)
    by_key = race([lambda: create_season(club, spring, by=OPERATOR, key="k") for _ in range(WRITERS)])

    assert sorted(str(end).split("(")[0] for end in by_name) == ["RulesError"] * (WRITERS - 1) + ["Winter"]
    assert {end.pk for end in by_key} == {Season.objects.get(name="Spring").pk}
