"""What a club takes away: finished games and nothing else, in chunks, by the names people have by now."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Game
from scoresheets.queries import exports
from scoresheets.queries.exports import bids_exported, exported_games, exported_players, seats_exported
from scoresheets.queries.lifetime import Filters
from tests.scoresheets.clubs import add, club_game, fill, finished, make_club
from tests.scoresheets.factories import enter_bids, fresh, newest_of, play_round, seat_ids

pytestmark = pytest.mark.django_db

ALL = Filters()


def ids(club: Club, filters: Filters = ALL) -> list[int]:
    return [game.id for game in exported_games(club, filters)]


def on(game: Game, night: date) -> Game:
    """Move a finished game to another night."""
    started_at = timezone.make_aware(timezone.datetime(night.year, night.month, night.day, 20))
    Game.objects.filter(pk=game.pk).update(night=night, started_at=started_at, finished_at=started_at)
    game.results.update(night=night, started_at=started_at)
    return game


def test_export_has_finished_games_alone_the_oldest_first():
    club = make_club()
    newer, older = on(finished(club), date(2026, 3, 2)), on(finished(club), date(2026, 3, 1))
    early = club_game(club, rounds=1, length=3)
    recording.end_early(early, by=OPERATOR)
    abandoned, voided = club_game(club, length=2), finished(club)
    recording.abandon(abandoned, by=OPERATOR)
    recording.void(voided, by=OPERATOR, reason="twice")
    club_game(club, rounds=1, length=2)
    finished(make_club("Other"))

    assert ids(club) == [older.pk, newer.pk, early.pk]
    assert [game.incomplete for game in exported_games(club, ALL)] == [False, False, True]


@pytest.mark.parametrize("house", [{"hidden_bids": True}, {"secret_bids": True}, {}])
def test_export_has_no_bid_of_a_running_game(house):
    club = make_club()
    started = recording.start_game(
        ["Anna", "Bernd", "Cem"], rules.HouseRules(**house), first_dealer=0, rounds=2, by=OPERATOR, club=club
    )
    play_round(started.game)
    enter_bids(started.game, [2, 2, 2])

    assert list(exported_games(club, ALL, with_rounds=True)) == []
    assert bids_exported(club, ALL) == seats_exported(club, ALL) == 0


def test_export_has_every_round_with_its_dealer_and_the_running_totals():
    club = make_club()
    players = add(club, "Anna", "Bernd", "Cem")
    game = club_game(club, players, length=3)
    seats = seat_ids(game)
    play_round(game, [1, 0, 0], [1, 0, 0])
    recording.adjust_points(game, seat=seats[1], points=-10, by=OPERATOR, reason="late")
    play_round(game, [2, 1, 0], [1, 1, 0])
    play_round(game, [0, 0, 3], [0, 0, 3])

    (found,) = exported_games(club, ALL, with_rounds=True)

    assert [(number, played.cards, played.dealer) for number, played in found.rounds.items()] == [
        *((1, 1, "Anna"), (2, 2, "Bernd"), (3, 3, "Cem")),
    ]
    assert [[list(cell[:3]) for cell in seat.cells] for seat in found.seats] == [
        [[1, 1, 30], [2, 1, -10], [0, 0, 20]],
        [[0, 0, 20], [1, 1, 30], [0, 0, 20]],
        [[0, 0, 20], [0, 0, 20], [3, 3, 50]],
    ]
    assert [seat.running for seat in found.seats] == [[30, 20, 40], [10, 40, 60], [20, 40, 90]]
    assert [(seat.total, seat.place) for seat in found.seats] == [(40, 3), (60, 2), (90, 1)]


def test_export_calls_people_as_the_club_does_by_now():
    club = make_club()
    players = add(club, "Anna", "Bernd", "Twin", "Twain")
    finished(club, players[:3])
    recording.rename_player(players[0], name="Annika", by=OPERATOR)
    recording.merge_players(players[3], players[2], by=OPERATOR)

    (game,) = exported_games(club, ALL)

    assert [(seat.name, seat.player) for seat in game.seats] == [
        *(("Annika", players[0].pk), ("Bernd", players[1].pk), ("Twain", players[3].pk)),
    ]


def test_export_tells_two_of_one_name_apart_as_the_sheet_does():
    club = make_club()
    (player,) = add(club, "Anna")
    game = finished(club, [player])
    Game.objects.get(pk=game.pk).seats.filter(position=0).update(name="Anna K.")
    Game.objects.get(pk=game.pk).seats.filter(position=1).update(name="anna", player=None)

    (found,) = exported_games(club, ALL)

    assert [seat.name for seat in found.seats[:2]] == ["Anna K.", "anna"]


def test_export_of_a_changed_table_has_no_place_for_who_left():
    club = make_club()
    game = club_game(club, add(club, "Anna", "Bernd", "Cem", "Doro"), length=3, rounds=1)
    recording.leave_table(game, seat=seat_ids(game)[3], cards=[2, 3], seen=newest_of(game), by=OPERATOR)
    play_round(game)
    play_round(game)

    (found,) = exported_games(club, ALL, with_rounds=True)

    assert [seat.place for seat in found.seats][3] is None
    assert [cell is None for cell in found.seats[3].cells] == [False, True, True]
    assert found.seats[3].running == [20, 20, 20]


def test_export_is_of_the_nights_between_two_dates():
    club = make_club()
    games = [on(finished(club), date(2026, 3, day)) for day in (1, 2, 3)]

    def of(first: int | None, last: int | None) -> list[int]:
        since, until = (day and date(2026, 3, day) for day in (first, last))
        return [game.pk for game in games if game.pk in ids(club, Filters(since=since, until=until))]

    pks = [game.pk for game in games]
    assert [of(2, None), of(None, 2), of(2, 2), of(4, None)] == [pks[1:], pks[:2], pks[1:2], []]


def test_export_of_a_season_is_of_the_games_it_counts():
    club = make_club()
    regulars, guest = add(club, "Anna", "Bernd", "Cem"), recording.add_player(club, "Gast", by=OPERATOR, is_guest=True)
    counts, with_guest = finished(club, regulars), finished(club, [*regulars[:2], guest])
    old = on(finished(club, regulars), date(2019, 1, 1))
    settings = recording.SeasonSettings("Winter", date(2020, 1, 1), guests="excluded")
    season = recording.create_season(club, settings, by=OPERATOR)

    filters = Filters(season=season)

    assert ids(club, filters) == [counts.pk]
    assert (seats_exported(club, filters), bids_exported(club, filters)) == (3, 3)
    assert [(line.name, line.games) for line in exported_players(club, filters)] == [
        *(("Anna", 1), ("Bernd", 1), ("Cem", 1)),
    ]
    assert ids(club) == [old.pk, counts.pk, with_guest.pk]


@pytest.mark.parametrize("games", [1, 7])
def test_export_costs_the_same_statements_for_each_chunk(games, monkeypatch):
    """Also where games began in the same moment, at the border of a chunk."""
    monkeypatch.setattr(exports, "GAMES_A_CHUNK", 2)
    club = make_club()
    fill(club, people=4, games=games)
    moment = Game.objects.order_by("started_at").last().started_at
    Game.objects.filter(started_at__gte=moment - timedelta(days=3, hours=1)).update(started_at=moment)

    with CaptureQueriesContext(
        connection,
    ) as counted:
        found = ids(club)

    assert sorted(found) == sorted(Game.objects.filter(club=club).values_list("pk", flat=True))
    assert len(found) == len(set(found)) == games
    assert len(counted) == 2 * -(-games // 2)


def test_players_are_added_up():
    club = make_club()
    anna, bernd, cem = add(club, "Anna", "Bernd", "Cem")
    for totals in (([1, 0, 0], [1, 0, 0]), ([0, 0, 1], [1, 0, 0]), ([0, 0, 0], [1, 0, 0])):
        play_round(club_game(club, [anna, bernd, cem]), *totals)
    add(club, "Nobody")

    lines = {line.name: line for line in exported_players(club, ALL)}

    assert list(lines) == ["Anna", "Bernd", "Cem"]
    assert lines["Anna"][1:] == (3, 3, 1, 0, 10, 30, -10, 3, 1, None)
    assert lines["Bernd"][1:] == (3, 3, 2, 1, 60, 20, 20, 3, 3, None)
    assert lines["Cem"][1:] == (3, 3, 1, 1, 30, 20, -10, 3, 2, None)


def test_players_are_read_in_one_statement_and_rated_where_nothing_is_left_out(django_assert_num_queries):
    club = make_club()
    (anna,) = add(club, "Anna")
    finished(club, [anna])
    anna.tally.__class__.objects.filter(player=anna).update(rated=10, rating_mu=25.0, rating_sigma=1.0)

    with django_assert_num_queries(1):
        rated = exported_players(club, ALL)
    filtered = exported_players(club, Filters(since=date(2000, 1, 1)))

    assert [line.rating for line in rated if line.name == "Anna"] == [25.0]
    assert [line.rating for line in filtered if line.name == "Anna"] == [None]
    assert fresh(club.games.get()).counted
