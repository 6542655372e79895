"""The table of a season: places, movement, names; whose games are behind a number; how many statements it takes."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Evening, Game, Player, Result, Season, Standing
from scoresheets.models.games import night_of
from scoresheets.queries import leagues
from scoresheets.queries.leagues import (
    Podium,
    current_season,
    games_behind,
    place_of,
    podiums_of,
    season_of,
    seasons_page,
    standings_page,
    table_top,
)
from scoresheets.recording import SeasonSettings, close_season, create_season, merge_players, void
from tests.scoresheets.clubs import actor_of, add, finished, make_club, member_of, player_of

pytestmark = pytest.mark.django_db

LAST, EARLIER = date(2026, 11, 20), date(2026, 11, 13)


def make_season(club: Club, name: str = "Winter", **values: Any) -> Season:
    """Return a season that was last played on `LAST`, without any line."""
    return Season.objects.create(club=club, name=name, **{"starts_on": date(2026, 1, 1), "last_night": LAST, **values})


def stand(season: Season, player: Player, score: float, **values: Any) -> Standing:
    """Give the player a line that was the same before the last night, which they did not play."""
    standing = {"games": 4, "nights": 2, "wins": 1, "bids": 20, "exact": 10, "ranked": True, "tie": 0.5}
    before = {"ranked_before": True, "score_before": score, "tie_before": values.get("tie", 0.5)}
    usual = {**standing, **before, "last_night": EARLIER, "points": round(60 * score)}
    return Standing.objects.create(season=season, player=player, score=score, **{**usual, **values})


def places(season: Season, **asked: Any) -> list[tuple[int | None, str]]:
    return [(line.place, line.name) for line in standings_page(season, **asked).lines]


def moves(season: Season) -> dict[str, int | None]:
    return {line.name: line.moved for line in standings_page(season).lines}


@pytest.fixture
def club():
    return make_club("Runde", visibility="public")


# -- places -----------------------------------------------------------------------------------------------------------


def test_equal_lines_share_a_place_and_stand_by_name(club):
    season = make_season(club)
    for name, score, tie in (("Doro", 5, 0.5), ("Bernd", 7, 0.4), ("Annika", 7, 0.4), ("Cem", 7, 0.5), ("Emre", 1, 0)):
        stand(season, *add(club, name), score, tie=tie)

    assert places(season) == [(1, "Cem"), (2, "Annika"), (2, "Bernd"), (4, "Doro"), (5, "Emre")]


def test_all_tied_share_the_first_place(club):
    season = make_season(club)
    for player in add(club, "Cem", "Annika", "Bernd"):
        stand(season, player, 3)

    assert places(season) == [(1, "Annika"), (1, "Bernd"), (1, "Cem")]
    assert moves(season) == {"Annika": 0, "Bernd": 0, "Cem": 0}


def test_too_few_games_stand_at_the_end_without_a_place(club):
    season = make_season(club)
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    stand(season, annika, 99, ranked=False, ranked_before=False)
    stand(season, bernd, -3)
    stand(season, cem, 100, ranked=False, ranked_before=False)

    assert places(season) == [(1, "Bernd"), (None, "Cem"), (None, "Annika")]


def test_season_without_games_has_an_empty_table(club):
    found = standings_page(make_season(club, last_night=None), 7)
    assert (found.lines, found.own, found.page.number, found.page.paginator.num_pages) == ([], None, 1, 1)


def test_line_carries_the_numbers(club):
    season = make_season(club)
    (player,) = add(club, "Annika")
    stand(season, player, 7.5, games=9, nights=3, wins=2, bids=90, exact=41)

    (line,) = standings_page(season).lines

    assert line == leagues.TableLine(1, 0, player.pk, "Annika", False, 9, 3, 2, 90, 41, 450, 7.5)


# -- movement ---------------------------------------------------------------------------------------------------------


def test_movement_is_since_before_the_last_night(club):
    season = make_season(club)
    annika, bernd, cem, doro = add(club, "Annika", "Bernd", "Cem", "Doro")
    stand(season, annika, 20)
    stand(season, bernd, 30, last_night=LAST, score_before=5)
    stand(season, cem, 10)
    stand(season, doro, 25, last_night=LAST, score_before=22)

    # Before: Doro 22, Annika 20, Cem 10, Bernd 5.
    assert places(season) == [(1, "Bernd"), (2, "Doro"), (3, "Annika"), (4, "Cem")]
    assert moves(season) == {"Bernd": 3, "Doro": -1, "Annika": -1, "Cem": -1}


def test_who_was_not_there_the_last_night_stands_as_on_the_night_before(club):
    season = make_season(club)
    annika, bernd = add(club, "Annika", "Bernd")
    # What Bernd's own last night changed is older news.
    stand(season, bernd, 30, score_before=1)
    stand(season, annika, 20)

    assert moves(season) == {"Bernd": 0, "Annika": 0}


def test_who_had_no_place_before_has_not_moved_but_others_have(club):
    season = make_season(club)
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    stand(season, annika, 20)
    stand(season, bernd, 30, last_night=LAST, ranked_before=False, score_before=0, tie_before=0)
    stand(season, cem, 9, last_night=LAST, ranked=False, ranked_before=False, score_before=40)

    assert moves(season) == {"Bernd": None, "Annika": -1, "Cem": None}


def test_first_night_of_a_season_moves_nobody(club):
    season = make_season(club)
    for player in add(club, "Annika", "Bernd"):
        stand(season, player, 1, last_night=LAST, ranked_before=False, score_before=0, tie_before=0)

    assert moves(season) == {"Annika": None, "Bernd": None}


@pytest.mark.parametrize("seed", range(3))
def test_places_are_those_of_plain_sorting(seed, club):
    chance = random.Random(seed)
    season = make_season(club)
    rows = []
    for player in add(club, *(f"P{number:02}" for number in range(30))):
        now, before = ((chance.random() < 0.8, chance.randrange(4), chance.randrange(2)) for _ in range(2))
        played = chance.random() < 0.4
        rows.append((player.name, now, before if played else now))
        stand(
            season,
            player,
            now[1],
            ranked=now[0],
            tie=now[2],
            last_night=LAST if played else EARLIER,
            **dict(zip(("ranked_before", "score_before", "tie_before"), before, strict=True)),
        )

    lines = standings_page(season).lines

    expected = {}
    for name, now, was in rows:
        place = 1 + sum(other > now for _name, other, _was in rows)
        place_before = 1 + sum(other > was for _name, _now, other in rows)
        expected[name] = (place if now[0] else None, place_before - place if now[0] and was[0] else None)
    assert {line.name: (line.place, line.moved) for line in lines} == expected
    top = table_top(season, 5)
    assert top == lines[:5]
    for line in lines:
        assert place_of(season, Player.objects.get(pk=line.player)) == line.place


# -- whose names, and one's own ---------------------------------------------------------------------------------------


def test_strangers_see_the_names_for_everybody_and_their_order(club):
    season = make_season(club)
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    Player.objects.filter(pk=annika.pk).update(public_name="Zorro")
    for player in (annika, bernd, cem):
        stand(season, player, 1)

    assert places(season, in_public=True) == [(1, "Bernd"), (1, "Cem"), (1, "Zorro")]
    assert places(season) == [(1, "Annika"), (1, "Bernd"), (1, "Cem")]
    assert podiums_of([season], 1, in_public=True)[season.pk].winners == ["Zorro", "Bernd", "Cem"]


def test_own_line_is_told_apart_and_shown_from_another_page(club, monkeypatch):
    monkeypatch.setattr(leagues, "LINES_A_PAGE", 2)
    season = make_season(club)
    me = member_of(club, name="Mia")
    for score, player in enumerate(add(club, "Annika", "Bernd", "Cem")):
        stand(season, player, 10 + score)
    stand(season, player_of(me, club, "Mia"), 10)

    first, second = (standings_page(season, page, user=me.user) for page in (1, 2))

    assert [(line.place, line.is_own) for line in first.lines] == [(1, False), (2, False)]
    assert first.own is not None
    assert (first.own.place, first.own.name, first.own.is_own) == (3, "Mia", True)
    assert [(line.place, line.is_own) for line in second.lines] == [(3, False), (3, True)]
    assert second.own is None
    assert standings_page(season, user=member_of(club).user).own is None
    assert standings_page(season).own is None


def test_page_that_is_not_there_is_the_nearest_one(club, monkeypatch):
    monkeypatch.setattr(leagues, "LINES_A_PAGE", 2)
    season = make_season(club)
    for player in add(club, "Annika", "Bernd", "Cem"):
        stand(season, player, 1)

    assert places(season, page=99) == places(season, page=2) == [(1, "Cem")]
    assert places(season, page=0) == places(season, page=2)


def test_guests_are_left_out_where_the_season_says_so(club):
    annika, gast = add(club, "Annika", "Gast")
    Player.objects.filter(pk=gast.pk).update(is_guest=True)
    shown = {}
    for guests in Season.Guests.values:
        season = make_season(club, guests, guests=guests)
        stand(season, annika, 1)
        stand(season, gast, 2)
        shown[guests] = (places(season), podiums_of([season], 3)[season.pk].winners, place_of(season, gast))

    assert shown["ranked"] == shown["excluded"] == ([(1, "Gast"), (2, "Annika")], ["Gast"], 1)
    assert shown["unranked"] == ([(1, "Annika")], ["Annika"], None)


# -- seasons ----------------------------------------------------------------------------------------------------------


def test_podium_has_the_first_places_of_each_season(club):
    players = add(club, "Annika", "Bernd", "Cem", "Doro", "Emre")
    one, two, none = (make_season(club, name) for name in ("One", "Two", "None"))
    for score, player in zip((5, 9, 9, 2, 1), players, strict=True):
        stand(one, player, score)
        stand(two, player, score, ranked=player.name == "Emre")
    ids = [player.pk for player in players]

    assert podiums_of([one, two, none], 3) == {
        one.pk: Podium(((1, ids[1], "Bernd"), (1, ids[2], "Cem"), (3, ids[0], "Annika"))),
        two.pk: Podium(((1, ids[4], "Emre"),)),
        none.pk: Podium(),
    }
    assert podiums_of([], 3) == {}


@pytest.mark.parametrize(("people", "has_more"), [(8, False), (9, True), (12, True)])
def test_podium_that_many_share_names_some(people, has_more, club):
    season = make_season(club)
    for player in add(club, *(f"P{number:02}" for number in range(people))):
        stand(season, player, 1)

    podium = podiums_of([season], 1)[season.pk]

    assert [place for place, _player, _name in podium.places] == [1] * 8
    assert podium.has_more == has_more


def test_seasons_are_listed_newest_first_with_who_leads(club):
    (annika,) = add(club, "Annika")
    old = make_season(club, "Old", starts_on=date(2025, 1, 1), closed_at=timezone.now(), ends_on=date(2025, 2, 1))
    new = make_season(club, "New")
    make_season(make_club("Other"), "Other")
    stand(old, annika, 1)

    listed, page = seasons_page(club)

    assert [(line.season, line.podium.winners) for line in listed] == [(new, []), (old, ["Annika"])]
    assert page.paginator.count == 2
    assert [line.season for line in seasons_page(club, closed=True)[0]] == [old]
    assert [line.season for line in seasons_page(club, closed=False)[0]] == [new]


def test_current_season_is_the_newest_under_way_else_the_newest_that_began(club):
    tonight = night_of(timezone.now(), club.time_zone)
    day = timedelta(days=1)
    assert current_season(club) is None
    make_season(club, "To come", starts_on=tonight + day)
    assert current_season(club) is None

    over = make_season(club, "Over", starts_on=tonight - 2 * day, ends_on=tonight - day)
    assert current_season(club) == over
    running = make_season(club, "Running", starts_on=tonight - 9 * day, ends_on=tonight)
    assert current_season(club) == running
    newer = make_season(club, "Newer", starts_on=tonight - 3 * day)
    assert current_season(club) == newer
    newer.closed_at = timezone.now()
    newer.save()
    assert current_season(club) == running


def test_season_of_another_club_is_not_found(club):
    season = make_season(make_club("Other"))
    assert season_of(club.pk, season.pk) is None
    assert season_of(season.club_id, season.pk) == season


# -- the games behind a number ----------------------------------------------------------------------------------------


def real_season(club: Club, **changed: Any) -> Season:
    settings = SeasonSettings("Winter", **{"starts_on": date(2020, 1, 1), **changed})
    return create_season(club, settings, by=OPERATOR)


def test_games_behind_add_up_to_the_line_in_the_table(club):
    league = rules.LeagueRules("places", (3, 2, 1), best=2)
    season = real_season(club, league=league)
    annika, bernd, cem, doro = add(club, "Annika", "Bernd", "Cem", "Doro")
    for table in ([annika, bernd, cem], [bernd, annika, cem], [bernd, cem, annika, doro], [annika, doro]):
        finished(club, table)

    for standing in Standing.objects.filter(season=season).select_related("player"):
        behind = games_behind(season, standing.player)
        assert (behind.line.games, behind.line.points, behind.line.score, behind.line.ranked) == (
            standing.games,
            standing.points,
            standing.score,
            standing.ranked,
        )
        assert sum(game.points for game in behind.games if game.counts) == standing.points
        assert sum(game.counts for game in behind.games) == min(2, standing.games)
        assert [game.game for game in behind.games] == sorted((game.game for game in behind.games), reverse=True)
        assert place_of(season, standing.player) is not None


def test_games_behind_are_those_the_season_counts(club):
    annika, gast = add(club, "Annika", "Gast")
    Player.objects.filter(pk=gast.pk).update(is_guest=True)
    tonight = night_of(timezone.now(), club.time_zone)
    plain, with_guest = finished(club, [annika]), finished(club, [annika, gast])
    friendly, league_night, other_day, special, late = (finished(club, [annika]) for _ in range(5))
    evening, counts = (
        Evening.objects.create(club=club, night=tonight, starts_at=timezone.now(), counts=counts)
        for counts in (False, True)
    )
    Result.objects.filter(game=friendly).update(evening=evening)
    Result.objects.filter(game=league_night).update(evening=counts)
    Result.objects.filter(game=other_day).update(night=tonight - timedelta(days=400))
    Result.objects.filter(game=special).update(edition="specials")
    Result.objects.filter(game=late).update(rank=None, level=None)

    def games(**changed: Any) -> set[int]:
        season = Season(club=club, **{"starts_on": date(2020, 1, 1), **changed})
        return {game.game for game in games_behind(season, annika).games}

    usual = {plain.pk, with_guest.pk, league_night.pk, other_day.pk, special.pk}
    assert games() == usual
    assert games(guests="excluded") == usual - {with_guest.pk}
    assert games(guests="unranked") == usual
    assert games(only_evenings=True) == {league_night.pk}
    assert games(editions=["specials", "maximus"]) == {special.pk}
    assert games(starts_on=tonight) == usual - {other_day.pk}
    assert games(ends_on=tonight - timedelta(days=1)) == {other_day.pk}
    assert games(starts_on=tonight + timedelta(days=1)) == set()


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"only_evenings": True},
        {"guests": "excluded"},
        {"editions": ("base",)},
        {"editions": ("maximus",)},
        {"ends_on": date(2026, 1, 1)},
    ],
)
def test_table_and_games_behind_it_agree_on_what_counts(changed, club):
    players = add(club, "Annika", "Bernd", "Gast")
    Player.objects.filter(name="Gast").update(is_guest=True)
    for table in (players, players[:2], players[1:]):
        finished(club, table)
    season = real_season(club, **changed)

    behind = {player.pk: games_behind(season, player).line.games for player in Player.objects.filter(club=club)}

    stored = dict(Standing.objects.filter(season=season).values_list("player", "games"))
    assert {player: games for player, games in behind.items() if games} == stored


def test_voided_game_is_behind_no_number(club):
    season = real_season(club)
    (annika,) = add(club, "Annika")
    game = finished(club, [annika])
    void(Game.objects.get(pk=game.pk), by=OPERATOR, reason="Never played")

    behind = games_behind(season, annika)

    assert (behind.games, behind.line.games, behind.line.ranked) == ([], 0, False)
    assert place_of(season, annika) is None


def test_games_of_a_duplicate_are_behind_the_player_they_are(club):
    season = real_season(club)
    annika, twin = add(club, "Annika", "Annika B.")
    games = {finished(club, [annika]).pk, finished(club, [twin]).pk}

    merge_players(annika, twin, by=OPERATOR)

    assert {game.game for game in games_behind(season, annika).games} == games


def test_games_behind_come_in_pages_but_count_as_a_whole(club, monkeypatch):
    monkeypatch.setattr(leagues, "GAMES_A_PAGE", 2)
    season = real_season(club)
    (annika,) = add(club, "Annika")
    for _ in range(3):
        finished(club, [annika])

    first, second = (games_behind(season, annika, page) for page in (1, 2))

    assert (len(first.games), len(second.games)) == (2, 1)
    assert first.line == second.line
    assert first.line.games == 3


def test_corrected_game_of_a_closed_season_is_seen_at_once(club):
    season = real_season(club)
    annika, bernd = add(club, "Annika", "Bernd")
    game = finished(club, [annika, bernd])
    season = close_season(season, by=OPERATOR)
    void(Game.objects.get(pk=game.pk), by=OPERATOR, reason="Never played")
    finished(club, [bernd, annika])

    season.refresh_from_db()
    assert season.changed_after_close is not None
    assert [line.games for line in standings_page(season).lines if line.name in {"Annika", "Bernd"}] == [1, 1]


# -- statements -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "seasons"), [(1, 1), (70, 1), (12, 9)])
def test_statements_do_not_grow(people, seasons, club, django_assert_num_queries):
    user = actor_of(make_club("Other").memberships.get().user).user
    players = add(club, *(f"P{number:02}" for number in range(people)))
    made = [make_season(club, f"S{number}") for number in range(seasons)]
    for season in made:
        for player in players:
            stand(season, player, 1)

    with django_assert_num_queries(2):
        assert len(standings_page(made[0], in_public=True).lines) == min(people, 50)
    with django_assert_num_queries(3):
        standings_page(made[0], 2, user=user)
    with django_assert_num_queries(2):
        table_top(made[0], 5)
    with django_assert_num_queries(4):
        seasons_page(club)
    with django_assert_num_queries(1):
        current_season(club)
    with django_assert_num_queries(1):
        games_behind(made[0], players[0])
    with django_assert_num_queries(2):
        place_of(made[0], players[0])
