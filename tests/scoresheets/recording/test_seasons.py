"""Seasons: made, changed, closed, opened again, deleted; their tables follow from the games."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import override_settings
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Game, Result, Season, Standing
from scoresheets.models.games import night_of
from scoresheets.recording import (
    Conflict,
    SeasonSettings,
    change_season,
    close_season,
    create_season,
    delete_season,
    merge_players,
    reopen_season,
    seasons,
    tasks,
    undo_merge,
    void,
)
from tests.scoresheets.clubs import add, finished, make_club, member_of, owner_of, refused

pytestmark = pytest.mark.django_db

NEW_YEAR = date(2026, 1, 1)


def settings(name: str = "Winter", **changed: Any) -> SeasonSettings:
    """Return the settings of a season that began long ago and goes on."""
    return SeasonSettings(name, **{"starts_on": date(2020, 1, 1), **changed})


def season_of(club: Any, name: str = "Winter", **changed: Any) -> Season:
    return create_season(club, settings(name, **changed), by=OPERATOR)


def tonight(club: Any) -> date:
    return night_of(timezone.now(), club.time_zone)


def table(season: Season) -> dict[str, tuple[int, float]]:
    """Return games and score by player."""
    rows = Standing.objects.filter(season=season).values_list("player__name", "games", "score")
    return {name: (games, score) for name, games, score in rows}


def seasons_stored() -> list[dict[str, Any]]:
    return [*Season.objects.order_by("pk").values(), *Standing.objects.order_by("pk").values()]


@pytest.fixture
def club():
    return make_club("Runde")


@pytest.fixture
def three(club):
    return add(club, "Annika", "Bernd", "Cem")


# -- making one -------------------------------------------------------------------------------------------------------


def test_season_is_made_as_set(club):
    league = rules.LeagueRules("places", (6, 4, 2, 1), best=9, best_of="evenings", fewest_games=5, tie_rule="wins")
    wanted = SeasonSettings(
        "  Saison   2026/27 ", NEW_YEAR, date(2026, 6, 30), league, ("maximus", "base"), "excluded", True
    )

    season = create_season(club, wanted, by=owner_of(club))

    season.refresh_from_db()
    assert SeasonSettings.of(season) == replace(wanted, name="Saison 2026/27", editions=("base", "maximus"))
    assert (season.closed_at, season.stale, season.last_night) == (None, False, None)
    assert season.history.get().history_user == owner_of(club).user


def test_season_counts_the_games_that_are_there_already(club, three):
    finished(club, three)

    season = season_of(club)

    assert {name: games for name, (games, _score) in table(season).items()} == {"Annika": 1, "Bernd": 1, "Cem": 1}
    assert season.last_night == tonight(club)


def test_season_of_other_dates_counts_nothing(club, three):
    finished(club, three)

    season = season_of(club, ends_on=date(2020, 12, 31))

    assert table(season) == {}
    assert season.last_night is None


def test_same_key_makes_one_season(club):
    first = create_season(club, settings(), by=owner_of(club), key="k")
    assert create_season(club, settings(), by=owner_of(club), key="k") == first
    refused(Conflict, "key_reused", create_season, club, settings("Other"), by=owner_of(club), key="k")
    assert Season.objects.get() == first


def test_repeat_of_a_season_that_was_deleted_makes_none(club):
    delete_season(create_season(club, settings(), by=owner_of(club), key="k"), by=OPERATOR)
    refused(Conflict, "season_gone", create_season, club, settings(), by=owner_of(club), key="k")
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ({"name": " \u200b "}, ["name_missing"]),
        ({"name": "x" * 61}, ["name_too_long"]),
        ({"ends_on": date(2019, 12, 31)}, ["season_ends_before_start"]),
        ({"league": rules.LeagueRules("elo")}, ["league_formula_unknown"]),
        ({"league": rules.LeagueRules("places")}, ["league_places_count"]),
        ({"editions": ("base", "2030")}, ["edition_unknown"]),
        ({"guests": "loud"}, ["guests_unknown"]),
        (
            {"name": "", "ends_on": date(1, 1, 1), "league": rules.LeagueRules(best=0), "guests": ""},
            ["name_missing", "season_ends_before_start", "league_best_out_of_range", "guests_unknown"],
        ),
    ],
)
def test_season_that_cannot_be_is_refused_with_all_problems(changed, codes, club):
    season = season_of(club, "Spring")
    before = seasons_stored()

    refused(rules.RulesError, codes, create_season, club, settings(**changed), by=OPERATOR)
    refused(rules.RulesError, codes, change_season, season, settings(**changed), by=OPERATOR)

    assert seasons_stored() == before


def test_two_seasons_of_a_club_have_two_names(club):
    spring = season_of(club, "Frühling")
    season_of(make_club("Other"), "Frühling")

    refused(rules.RulesError, ["season_name_taken"], create_season, club, settings(" FRÜHLING"), by=OPERATOR)
    other = season_of(club, "Herbst")
    refused(rules.RulesError, ["season_name_taken"], change_season, other, settings("frühling"), by=OPERATOR)
    assert change_season(spring, settings("FRÜHLING"), by=OPERATOR).name == "FRÜHLING"


def test_only_so_many_seasons_are_open_at_once(club, monkeypatch):
    monkeypatch.setattr(seasons, "MOST_OPEN", 2)
    first, _second = season_of(club, "One"), season_of(club, "Two")
    refused(rules.RulesError, ["too_many_seasons"], create_season, club, settings("Three"), by=OPERATOR)

    close_season(first, by=OPERATOR)
    season_of(club, "Three")

    before = seasons_stored()
    refused(rules.RulesError, ["too_many_seasons"], reopen_season, first, by=OPERATOR)
    assert seasons_stored() == before


@pytest.mark.parametrize("role", ["stranger", "member", "scorer"])
def test_who_may_not_writes_nothing(role, club):
    season = season_of(club)
    by = member_of(make_club("Other"), "owner") if role == "stranger" else member_of(club, role)
    before = seasons_stored()

    refused(PermissionDenied, "", create_season, club, settings("Mine"), by=by)
    refused(PermissionDenied, "", change_season, season, settings("Mine"), by=by)
    for verb in (close_season, reopen_season, delete_season):
        refused(PermissionDenied, "", verb, season, by=by)

    assert seasons_stored() == before


def test_who_is_no_manager_any_more_writes_nothing(club):
    season = season_of(club)
    manager = member_of(club, "manager")
    club.memberships.filter(user=manager.user).update(role="member")

    refused(PermissionDenied, "", close_season, season, by=manager)


# -- changing it ------------------------------------------------------------------------------------------------------


def test_changed_rule_works_the_table_out_anew(club, three):
    seats = list(finished(club, three).seats.all())
    season = season_of(club)
    assert {name: score for name, (_games, score) in table(season).items()} == {seat.name: seat.total for seat in seats}
    league, ranks = rules.LeagueRules("places", (5, 3, 1)), [seat.rank or 0 for seat in seats]

    season = change_season(season, settings(league=league), by=owner_of(club))

    assert {name: 60 * score for name, (_games, score) in table(season).items()} == {
        seat.name: rules.league_points(league, total=seat.total, rank=rank, level=ranks.count(rank), players=3)
        for seat, rank in zip(seats, ranks, strict=True)
    }
    assert season.history.count() == 2
    assert season.history.latest().history_user == owner_of(club).user


@pytest.mark.parametrize(
    ("changed", "games"),
    [
        ({"editions": ("maximus",)}, 0),
        ({"editions": ("base",)}, 1),
        ({"only_evenings": True}, 0),
        ({"starts_on": date(2999, 1, 1)}, 0),
        ({"guests": "excluded"}, 1),
    ],
)
def test_changed_filter_works_the_table_out_anew(changed, games, club, three):
    finished(club, three)
    season = season_of(club)

    change_season(season, settings(**changed), by=OPERATOR)

    assert [found for found, _score in table(season).values()] == [1] * 3 * games


def test_changed_name_leaves_the_table_alone(club, three, monkeypatch):
    finished(club, three)
    season = season_of(club)
    before = list(Standing.objects.order_by("pk").values())

    assert change_season(season, settings("Spring"), by=OPERATOR).name == "Spring"

    assert list(Standing.objects.order_by("pk").values()) == before


def test_nothing_changed_writes_nothing(club):
    season = season_of(club)
    before = seasons_stored()

    change_season(season, settings(), by=OPERATOR)

    assert seasons_stored() == before
    assert season.history.count() == 1


def test_closed_season_is_not_changed(club):
    season = close_season(season_of(club), by=OPERATOR)
    before = seasons_stored()

    refused(Conflict, "season_closed", change_season, season, settings("Spring"), by=OPERATOR)

    assert seasons_stored() == before


def test_deleted_season_is_written_no_more(club):
    season = season_of(club)
    delete_season(Season.objects.get(), by=OPERATOR)

    refused(Conflict, "season_gone", change_season, season, settings("Spring"), by=OPERATOR)
    for verb in (close_season, reopen_season, delete_season):
        refused(Conflict, "season_gone", verb, season, by=OPERATOR)


# -- a large one goes to the worker -----------------------------------------------------------------------------------


@override_settings(TASKS={"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}})
def test_large_season_waits_for_the_worker(club, three, monkeypatch):
    finished(club, three)
    season = season_of(club)
    old = list(Standing.objects.order_by("pk").values())
    monkeypatch.setattr(seasons, "MOST_AT_ONCE", 2)

    season = change_season(season, settings(league=rules.LeagueRules("publisher")), by=OPERATOR)
    change_season(season, settings(league=rules.LeagueRules("mean")), by=OPERATOR)

    season.refresh_from_db()
    assert season.stale
    assert list(Standing.objects.order_by("pk").values()) == old
    assert DBTaskResult.objects.ready().filter(task_path=tasks.rebuild_season.module_path).count() == 1

    tasks.rebuild_season.call(season.pk)

    season.refresh_from_db()
    assert not season.stale
    assert all(games == 1 for games, _score in table(season).values())


def test_season_of_just_so_many_results_is_worked_out_at_once(club, three, monkeypatch):
    finished(club, three)
    monkeypatch.setattr(seasons, "MOST_AT_ONCE", 3)

    season = season_of(club)

    assert not season.stale
    assert len(table(season)) == 3


# -- closing it -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [None, 0, 100])
def test_closing_ends_a_season_with_tonight(days, club):
    ends_on = None if days is None else tonight(club) + timedelta(days=days)
    season = close_season(season_of(club, ends_on=ends_on), by=owner_of(club))

    season.refresh_from_db()
    assert season.ends_on == tonight(club)
    assert season.closed_at is not None
    assert season.history.latest().history_user == owner_of(club).user


def test_closing_keeps_an_end_that_is_past(club):
    assert close_season(season_of(club, ends_on=NEW_YEAR), by=OPERATOR).ends_on == NEW_YEAR


def test_closing_twice_is_closing_once(club):
    first = close_season(season_of(club), by=OPERATOR)
    again = close_season(first, by=OPERATOR)
    assert (again.closed_at, again.history.count()) == (first.closed_at, 2)


def test_season_that_has_not_begun_cannot_be_closed(club):
    season = season_of(club, starts_on=tonight(club) + timedelta(days=1))
    refused(Conflict, "season_not_begun", close_season, season, by=OPERATOR)


def test_closed_season_opens_again_with_its_end(club):
    season = close_season(season_of(club), by=OPERATOR)

    season = reopen_season(season, by=owner_of(club))

    season.refresh_from_db()
    assert (season.closed_at, season.ends_on) == (None, tonight(club))
    assert reopen_season(season, by=OPERATOR).history.count() == 3


def test_games_after_the_close_do_not_count(club, three):
    season = season_of(club)
    finished(club, three)
    close_season(season, by=OPERATOR)
    # As if the season had been closed yesterday.
    Season.objects.update(ends_on=tonight(club) - timedelta(days=1))
    before = list(Standing.objects.order_by("pk").values())

    finished(club, three)

    season.refresh_from_db()
    assert list(Standing.objects.order_by("pk").values()) == before
    assert season.changed_after_close is None


def test_corrected_closed_season_says_so_until_it_is_opened(club, three):
    season = season_of(club)
    game = finished(club, three)
    close_season(season, by=OPERATOR)

    void(Game.objects.get(pk=game.pk), by=OPERATOR, reason="Played twice")

    season.refresh_from_db()
    assert table(season) == {}
    assert season.changed_after_close is not None
    reopen_season(season, by=OPERATOR)
    season.refresh_from_db()
    assert season.changed_after_close is None


# -- players and games that go ----------------------------------------------------------------------------------------


def test_deleting_a_season_leaves_the_games(club, three):
    season = season_of(club)
    finished(club, three)

    delete_season(season, by=owner_of(club))

    assert not Standing.objects.exists()
    assert Result.objects.count() == 3
    assert Season.history.latest().history_user == owner_of(club).user
    assert Season.history.latest().history_type == "-"


def test_merged_players_share_a_line_and_part_again(club, three):
    season = season_of(club)
    finished(club, three)
    (twin,) = add(club, "Annika B.")
    finished(club, [twin, *three[1:]])
    assert {name: games for name, (games, _score) in table(season).items()} == {
        "Annika": 1,
        "Annika B.": 1,
        "Bernd": 2,
        "Cem": 2,
    }

    merge = merge_players(three[0], twin, by=OPERATOR)

    assert {name: games for name, (games, _score) in table(season).items()} == {"Annika": 2, "Bernd": 2, "Cem": 2}
    undo_merge(merge, by=OPERATOR)
    assert table(season)["Annika B."][0] == 1
