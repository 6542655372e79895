"""The big data must be as good as what people record: what is measured with it would mean nothing otherwise."""

from __future__ import annotations

import random
from collections import Counter
from itertools import accumulate, product

import pytest
from django.db.models import F

import rules
from scoresheets.models import Bid, Entry, Game, PairTally, Player, PlayerTally, Round, Seat
from scoresheets.models.games import night_of
from scoresheets.recording import repair, statistics
from tests.bench import games
from tests.bench.large import raw
from tests.bench.large.club import EVENNESS, HOUSES, fill, found, four
from tests.bench.large.deals import SEATS, deals_of
from tests.bench.large.pages import BIDS, _nodes, _rows_of

GAMES, PLAYERS = 30, 40


@pytest.mark.django_db
def test_loaded_games_agree_with_their_journals_and_all_count() -> None:
    club, roster = found(PLAYERS)

    loaded = fill(club, roster, GAMES, seed=1)

    assert {game: repair.differences_of(game) for game in loaded} == {game: [] for game in loaded}
    assert statistics.rebuild_club(club) == GAMES
    assert statistics.differences_of(club) == []
    assert raw.recount()[1] == []
    counts = [model.objects.count() for model in (Game, Seat, Round, Bid, Entry)]
    assert counts == [GAMES, GAMES * 4, GAMES * 15, GAMES * 60, GAMES * 2]


@pytest.mark.django_db
def test_plain_sql_says_which_table_is_not_what_it_counts() -> None:
    club, roster = found(PLAYERS)
    fill(club, roster, 2, seed=1)
    statistics.rebuild_club(club)

    PairTally.objects.filter(above__gt=0)[0:1].get().delete()
    PlayerTally.objects.update(points_sum=F("points_sum") + 1)

    assert raw.recount()[1] == ["by_player", "by_pair"]


@pytest.mark.django_db
def test_a_loaded_club_has_all_that_statistics_look_at() -> None:
    club, roster = found(PLAYERS)
    loaded = list(Game.objects.filter(pk__in=fill(club, roster, GAMES, seed=1)))

    assert all(night_of(game.started_at, club.time_zone) == game.night for game in loaded)
    assert {game.house for game in loaded} == {house for house, _weight in HOUSES}
    assert {game.evening_id is None for game in loaded} == {True, False}
    assert {game.night == game.evening.night for game in loaded if game.evening} == {True}
    duplicates = {player.pk for player in club.players.all() if not player.is_canonical}
    assert duplicates & set(Seat.objects.values_list("player", flat=True))
    formulas = {season.formula for season in club.seasons.all()}
    assert formulas == set(rules.LEAGUE_FORMULAS)
    assert {season.formula for season in club.seasons.filter(closed_at=None)} == {"sum", "places"}


@pytest.mark.django_db
def test_a_club_that_was_loaded_goes_on_playing() -> None:
    club, roster = found(PLAYERS)
    fill(club, roster, 2, seed=1)
    statistics.rebuild_club(club)

    table = games.start_table(SEATS, rounds=1, club=club, players=[player.pk for player in roster[:SEATS]])
    games.play_to(table, 1, playing=True)
    games.record_tricks(table, 1)

    assert table.game.is_finished
    assert statistics.differences_of(club) == []
    assert Player.objects.create(club=club, name="new").pk > max(player.pk for player in roster)


def test_the_busiest_of_a_thousand_sits_in_a_tenth_of_all_games() -> None:
    rng = random.Random(1)
    weights = list(accumulate(1 / (number + EVENNESS) for number in range(1_000)))

    sat = Counter(who for _game in range(10_000) for who in four(rng, weights))

    assert sum(sat.values()) == 10_000 * SEATS
    assert 900 < sat[0] < 1_100
    assert sat.most_common(1) == [(0, sat[0])]


@pytest.mark.parametrize("bound", [None, 0, 3])
@pytest.mark.parametrize("cards", [1, 2, 15])
def test_deals_follow_the_rules(cards: int, bound: int | None) -> None:
    house = rules.HouseRules(plus_minus_one=bound is not None)
    for skills in product(range(3), repeat=SEATS):
        for deal in deals_of(cards, skills, bound):
            scores = rules.score_round(house, number=cards, cards=cards, bids=deal.bids, tricks=deal.taken)
            assert deal.points == tuple(score.points for score in scores)
            assert deal.exact == tuple(score.exact for score in scores)
            assert bound is None or sum(deal.bids) != cards


def test_rows_of_a_plan_are_those_taken_from_tables() -> None:
    scan = {"Relation Name": "seat", "Actual Loops": 3, "Actual Rows": 5, "Rows Removed by Filter": 2}
    index = {"Node Type": "Bitmap Index Scan", "Actual Loops": 1, "Actual Rows": 7}
    heap = {"Relation Name": "game", "Actual Loops": 1, "Actual Rows": 7, "Plans": [index]}

    nodes = list(_nodes({"Actual Loops": 1, "Actual Rows": 100, "Plans": [scan, heap]}))

    assert sum(map(_rows_of, nodes)) == 3 * 7 + 7


def test_tallies_of_bids_are_not_bids() -> None:
    assert BIDS.search('SELECT * FROM "scoresheets_bid" WHERE 1')
    assert not BIDS.search('SELECT * FROM "scoresheets_bidtally", scoresheets_bidtotal')
