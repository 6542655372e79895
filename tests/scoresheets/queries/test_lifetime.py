"""Lifetimes: the same numbers from tallies and from lines, for random games with all that can happen in one."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Evening, Game, Player, PlayerTally, Result, Season
from scoresheets.queries import filtered, lifetime
from scoresheets.queries.filtered import filtered_lifetimes, filtered_pairs, results_left
from scoresheets.queries.lifetime import (
    Best,
    Filters,
    Lifetime,
    Rate,
    Runs,
    lifetime_player,
    lifetimes_of,
    months_of,
    newest_results,
    pairs_of,
    rating_of,
    together,
)
from tests.scoresheets.clubs import add, finished, make_club
from tests.scoresheets.factories import dealt, fresh, open_round, playing_of

pytestmark = pytest.mark.django_db


def read(*players: Player) -> list[Player]:
    """Return the players with all that their page reads."""
    found = [lifetime_player(player.club_id, player.pk) for player in players]
    return [player for player in found if player is not None]


HOUSE = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True)


def play_at_random(game: Game, chance: random.Random, *, rounds: int) -> None:
    """Play rounds with hits and misses of every kind, blind bids and clouds among them."""
    for _ in range(rounds):
        current, seats = open_round(game), playing_of(game)
        taken = dealt(current.cards, len(seats), chance)
        bids = [max(0, min(current.cards, tricks + chance.choice((-1, 0, 0, 0, 1, 2)))) for tricks in taken]
        blind = [seat.pk for seat in seats if game.blind_bids and chance.random() < 0.1]
        by_seat = {seat.pk: bid for seat, bid in zip(seats, bids, strict=True)}
        recording.record_bids(game, bids=by_seat, blind=blind, seen=current.stage_version, by=OPERATOR)
        place = taken.index(max(taken))
        clouds = {seats[place].pk: 1} if game.specials and bids[place] < current.cards else {}
        by_seat = {seat.pk: tricks for seat, tricks in zip(seats, taken, strict=True)}
        seen = open_round(game).stage_version
        recording.record_tricks(game, taken=by_seat, clouds=clouds, seen=seen, by=OPERATOR)


def random_game(club: Club, people: list[Player], chance: random.Random, *, kind: int) -> None:
    """Play a game of five rounds: whole (0), ended early (1), or one that somebody leaves (2)."""
    seated = chance.sample(people, 4 if kind == 2 else chance.choice((3, 4, 5)))
    game = recording.start_game(
        [player.name for player in seated],
        chance.choice((HOUSE, rules.HouseRules(), rules.HouseRules(plus_minus_one=False))),
        first_dealer=chance.randrange(len(seated)),
        rounds=5,
        by=OPERATOR,
        club=club,
        players=[player.pk for player in seated],
    ).game
    play_at_random(game, chance, rounds=2)
    if kind == 1:
        recording.end_early(game, by=OPERATOR)
        return
    if kind == 2:
        leaver = playing_of(game)[chance.randrange(4)].pk
        recording.leave_table(game, seat=leaver, cards=[3, 4, 5], seen=fresh(game).version, by=OPERATOR)
    play_at_random(fresh(game), chance, rounds=3)


@pytest.fixture
def played() -> tuple[Club, list[Player]]:
    """Return a club of five who have played eight games of all kinds."""
    chance = random.Random(7)
    club = make_club()
    people = add(club, "Annika", "Bernd", "Cem", "Doro", "Emil")
    for number in range(8):
        random_game(club, people, chance, kind=(0, 1, 0, 2)[number % 4])
    return club, people


@pytest.fixture
def few() -> tuple[Club, list[Player]]:
    """Return a club of five who have played five games of one round; the first player was there each time."""
    club = make_club()
    people = add(club, "Annika", "Bernd", "Cem", "Doro", "Emil")
    for second in (1, 2, 3, 1, 2):
        finished(club, [people[0], people[second], people[second + 1]])
    return club, people


def test_lines_say_the_same_as_tallies(played):
    _club, people = played
    players = read(*people)

    from_tallies, from_lines = lifetimes_of(players), filtered_lifetimes(players, Filters())

    # Only all games together make a place among the others.
    assert from_lines == {player: replace(life, place=None) for player, life in from_tallies.items()}
    assert all(one.games and one.rate.bids and one.over and one.under for one in from_tallies.values())
    assert any(one.blind.bids for one in from_tallies.values())


def test_lines_say_the_same_as_tallies_of_somebody_known_twice(few):
    club, people = few
    (twin,) = add(club, "Anni")
    random_game(club, [twin, *people[1:]], random.Random(3), kind=0)
    kept = recording.merge_players(people[0], twin, by=OPERATOR).kept
    players = read(kept)

    from_tallies, from_lines = lifetimes_of(players), filtered_lifetimes(players, Filters())

    assert from_lines[kept.pk] == replace(from_tallies[kept.pk], place=None)


def naive(player: Player, results: Iterable[Result]) -> tuple[int, int, int, int, int]:
    """Return games, wins, bids, exact bids and points, counted one by one."""
    found = [0, 0, 0, 0, 0]
    for result in results:
        found[0] += 1
        found[1] += result.rank == 1
        seat = result.game.seats.get(player__canonical=player)
        for bid, taken, points, *marks in filter(None, seat.line):
            found[2] += 1
            found[3] += bid + (marks[1] if marks else 0) == taken
            found[4] += points
    return tuple(found)


def spread_over_days(club: Club) -> date:
    """Put the games two days apart, and return the night of the middle one."""
    games = list(club.games.order_by("pk"))
    for number, game in enumerate(games):
        night = date(2026, 3, 1) + timedelta(days=2 * number)
        Game.objects.filter(pk=game.pk).update(night=night)
        Result.objects.filter(game=game).update(night=night)
    return date(2026, 3, 1) + timedelta(days=2 * (len(games) // 2))


def test_filters_leave_the_games_they_name(played):
    club, people = played
    middle = spread_over_days(club)
    season = Season.objects.create(club=club, name="Spring", starts_on=middle, editions=["base"])
    kinds = [
        (Filters(since=middle), lambda result: result.night >= middle),
        (Filters(until=middle), lambda result: result.night <= middle),
        (Filters(players=4), lambda result: result.players == 4),
        (Filters(edition="specials"), lambda result: result.edition == "specials"),
        (
            Filters(season=season),
            lambda result: result.night >= middle and result.edition == "base" and result.rank is not None,
        ),
        (Filters(), lambda result: True),
    ]

    for player, (filters, fits) in product(read(*people), kinds):
        results = [result for result in player.results.select_related("game") if fits(result)]
        life = filtered_lifetimes([player], filters)[player.pk]
        counted = (life.games, life.wins, life.rate.bids, life.rate.exact, life.rate.points)
        assert counted == naive(player, results)
        assert sorted(results_left([player.pk], filters).values_list("pk", flat=True)) == sorted(
            result.pk for result in results
        )


def test_season_without_friendly_evenings_and_guests_leaves_the_others(few):
    club, people = few
    friendly = Evening.objects.create(club=club, night=date(2026, 3, 1), starts_at=timezone.now(), counts=False)
    player = people[0]
    first, second, *others = player.results.filter(rank__isnull=False).order_by("pk")
    Result.objects.filter(pk=first.pk).update(evening=friendly)
    guest = Player.objects.get(pk=second.game.seats.exclude(player=player).first().player_id)
    Player.objects.filter(pk=guest.pk).update(is_guest=True)
    season = Season.objects.create(club=club, name="Strict", starts_on=date(2020, 1, 1), guests="excluded")
    with_guest = set(guest.results.values_list("game", flat=True))

    found = results_left([player.pk], Filters(season=season))

    assert set(found) == {result for result in others if result.game_id not in with_guest}


def test_opponents_are_the_same_from_tallies_and_from_results(played):
    _club, people = played

    for player in people:
        assert filtered_pairs([player.pk], Filters()) == pairs_of([player.pk])
        assert pairs_of([player.pk]).pairs


def test_opponents_are_paged(few, monkeypatch):
    _club, people = few
    monkeypatch.setattr(lifetime, "OPPONENTS_A_PAGE", 3)
    monkeypatch.setattr(filtered, "OPPONENTS_A_PAGE", 3)

    for pages in (
        [pairs_of([people[0].pk], number=number) for number in (1, 2, 3)],
        [filtered_pairs([people[0].pk], Filters(), number=number) for number in (1, 2, 3)],
    ):
        assert [(len(page.pairs), page.has_next) for page in pages] == [(3, True), (1, False), (0, False)]


def test_rating_of_a_month_is_that_after_its_last_rated_game(few):
    _club, people = few
    results = list(people[0].results.filter(rating_mu__isnull=False).order_by("started_at", "game"))
    moments = ["2026-01-31T23:59:59.9", "2026-02-01T00:00:00", "2026-02-27T12:00:00", "2026-06-05T10:00:00"]
    people[0].results.exclude(pk__in=[result.pk for result in results]).delete()
    for result, moment in zip(results, moments, strict=False):
        Result.objects.filter(pk=result.pk).update(started_at=datetime.fromisoformat(moment).replace(tzinfo=UTC))
    Result.objects.filter(pk__in=[result.pk for result in results[4:]]).delete()

    found = months_of([people[0].pk, people[1].pk])

    assert [(month.first, month.mu) for month in found[people[0].pk]] == [
        (date(2026, 1, 1), results[0].rating_mu),
        (date(2026, 2, 1), results[2].rating_mu),
        (date(2026, 6, 1), results[3].rating_mu),
    ]
    assert len(found[people[1].pk]) == 1
    assert months_of([]) == {}


def test_newest_results_come_first(few):
    _club, people = few

    found = newest_results(results_left([people[0].pk], Filters()))

    assert found == sorted(found, key=lambda result: (result.started_at, result.game_id), reverse=True)
    assert len(found) == people[0].results.count()


def test_place_counts_only_those_with_enough_games(few):
    club, people = few
    PlayerTally.objects.filter(club=club).update(rated=10)
    PlayerTally.objects.filter(player=people[4]).update(rated=9, rating_mu=9000)
    for place, player in enumerate(people[:4]):
        PlayerTally.objects.filter(player=player).update(rating_mu=2000 - 100 * place)
    players = read(*people)
    lives = lifetimes_of(players)

    ratings = [rating_of(player, lives[player.pk]) for player in players]

    assert [(rating.rank, rating.of) for rating in ratings] == [(1, 4), (2, 4), (3, 4), (4, 4), (None, 0)]
    assert [rating.is_provisional for rating in ratings] == [False] * 4 + [True]


def test_large_clubs_tell_no_place(few, monkeypatch):
    _club, people = few
    monkeypatch.setattr(lifetime, "MOST_COMPARED", 4)

    assert lifetimes_of(read(people[0]))[people[0].pk].place is None


def test_player_without_a_game_has_nothing(few):
    club, _people = few
    (newcomer,) = read(*add(club, "Nina"))

    assert lifetimes_of([newcomer]) == {newcomer.pk: Lifetime()}
    assert filtered_lifetimes([newcomer], Filters()) == {newcomer.pk: Lifetime()}
    assert rating_of(newcomer, Lifetime()) is None


def test_lives_in_several_clubs_add_up():
    first = Lifetime(
        games=2,
        wins=1,
        rate=Rate(3, 2, 40),
        runs=Runs(5, 1, 2, 1),
        cards={(3, 1): Rate(2, 1, 10)},
        bids={(0, 1): (1, -10)},
        records={"best_total": Best(50, 1, date(2026, 1, 2), 3), "worst_round": Best(-30, 1, date(2026, 1, 2), 3)},
    )
    second = Lifetime(
        games=1,
        wins=1,
        rate=Rate(1, 1, 20),
        runs=Runs(3, 4, 3, 0),
        cards={(3, 1): Rate(1, 1, 20), (4, 2): Rate(1, 0, -10)},
        bids={(0, 1): (2, -20), (1, 1): (1, 30)},
        records={"best_total": Best(50, 2, date(2026, 1, 1), 4), "worst_round": Best(-40, 2, date(2026, 1, 1), 4)},
    )

    both = together([first, second])

    assert (both.games, both.wins, both.rate, both.runs) == (3, 2, Rate(4, 3, 60), Runs(5, 4, None, None))
    assert both.cards == {(3, 1): Rate(3, 2, 30), (4, 2): Rate(1, 0, -10)}
    assert both.bids == {(0, 1): (3, -30), (1, 1): (1, 30)}
    assert {kind: best.game for kind, best in both.records.items()} == {"best_total": 2, "worst_round": 2}
    assert together([first]) is first


@pytest.mark.parametrize(
    ("bids", "favourite"),
    [({}, None), ({(1, 1): (2, 60), (0, 0): (1, 20), (0, 1): (1, -10)}, (0, 2)), ({(2, 2): (3, 90)}, (2, 3))],
)
def test_favourite_bid_is_the_lowest_of_those_made_most_often(bids, favourite):
    assert Lifetime(bids=bids).favourite_bid == favourite


def test_statements_are_the_same_however_many_games(few, django_assert_num_queries):
    _club, people = few

    with django_assert_num_queries(1):
        players = read(people[0])
    with django_assert_num_queries(2):
        lifetimes_of(players)
    with django_assert_num_queries(1):
        pairs_of([people[0].pk])
    with django_assert_num_queries(1):
        months_of([people[0].pk])
    with django_assert_num_queries(1):
        filtered_lifetimes(players, Filters())
    with django_assert_num_queries(2):
        filtered_pairs([people[0].pk], Filters())
