"""The all-time table, records and hall of fame: order, places, names, and how many statements they take."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoresheets.models import Club, ClubTally, Player, PlayerTally, Record, Result
from scoresheets.models.games import night_of
from scoresheets.queries import records
from scoresheets.queries.records import SORTS, all_time_page, club_records, is_waiting, most_evenings_won, most_of
from tests.scoresheets.clubs import add, finished, make_club, member_of, player_of

pytestmark = pytest.mark.django_db

NIGHT = date(2026, 11, 20)


def tally(player: Player, **values: Any) -> PlayerTally:
    """Give the player a lifetime of ten games, none of them won."""
    usual = dict.fromkeys((field.name for field in PlayerTally._meta.fields), 0)
    games = {"games": 10, "ranked": 10, "rating_mu": None, "rating_sigma": None, "last_started_at": timezone.now()}
    exact = values.get("exact", 0)
    hit = {"over": values.get("bids", 0) - exact}
    return PlayerTally.objects.create(**{**usual, **games, **hit, **values, "player": player, "club": player.club})


def listed(club: Club, **asked: Any) -> list[tuple[int | None, str]]:
    return [(line.place, line.name) for line in all_time_page(club, **asked).lines]


@pytest.fixture
def club():
    return make_club("Runde", visibility="public")


@pytest.fixture
def four(club):
    """Return four players of the club with lifetimes that each sort orders differently."""
    players = add(club, "Annika", "Bernd", "Cem", "Doro")
    tally(players[0], games=50, ranked=40, wins=10, total_sum=4000, bids=100, exact=70, rated=40, rating_mu=1500.5)
    tally(players[1], games=20, ranked=20, wins=10, total_sum=3000, bids=100, exact=30, rated=20, rating_mu=1700)
    tally(players[2], games=20, ranked=20, wins=1, total_sum=-100, bids=0, rated=9, rating_mu=1900)
    tally(players[3], games=3, ranked=0, bids=30, exact=30)
    return players


# -- all-time ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("games", [(1, "Annika"), (2, "Bernd"), (2, "Cem"), (4, "Doro")]),
        ("wins", [(1, "Annika"), (1, "Bernd"), (3, "Cem"), (4, "Doro")]),
        ("win_rate", [(1, "Bernd"), (2, "Annika"), (3, "Cem"), (None, "Doro")]),
        ("mean", [(1, "Bernd"), (2, "Annika"), (3, "Cem"), (None, "Doro")]),
        ("exact_rate", [(1, "Doro"), (2, "Annika"), (3, "Bernd"), (None, "Cem")]),
        # Cem's rating is of too few games.
        ("rating", [(1, "Bernd"), (2, "Annika"), (None, "Cem"), (None, "Doro")]),
    ],
)
def test_all_time_table_by_each_sort(sort, expected, club, four):
    assert listed(club, sort=sort) == expected


def test_every_sort_is_tried():
    assert set(SORTS) == {"games", "wins", "win_rate", "mean", "exact_rate", "rating"}


def test_equal_rates_share_a_place_however_they_came_about(club):
    for name, exact, bids in (("Annika", 1, 3), ("Bernd", 2, 6), ("Cem", 33, 100), ("Doro", 333, 999)):
        tally(*add(club, name), exact=exact, bids=bids)

    assert listed(club, sort="exact_rate") == [(1, "Annika"), (1, "Bernd"), (1, "Doro"), (4, "Cem")]


@pytest.mark.parametrize(("least", "names"), [(0, 4), (3, 4), (4, 3), (21, 1), (51, 0)])
def test_all_time_table_from_so_many_games_on(least, names, club, four):
    assert len(listed(club, least=least)) == names


def test_all_time_line_carries_the_numbers(club, four):
    me = member_of(club)
    four[0].user = me.user
    four[0].save(update_fields=["user"])

    line = all_time_page(club, user=me.user).lines[0]

    assert line == records.LifetimeLine(1, four[0].pk, "Annika", True, 50, 40, 10, 4000, 100, 70, 1500.5)
    assert all_time_page(club).lines[2].rating is None


def test_all_time_table_shows_strangers_the_names_for_everybody(club, four):
    Player.objects.filter(pk=four[1].pk).update(public_name="Zorro")

    assert listed(club, sort="games", in_public=True) == [(1, "Annika"), (2, "Cem"), (2, "Zorro"), (4, "Doro")]


def test_all_time_table_is_of_real_games(club):
    annika, bernd = add(club, "Annika", "Bernd")
    finished(club, [annika, bernd])
    game = finished(club, [annika])
    other = make_club("Other")
    finished(other, add(other, "Elsewhere"))

    found = {line.name: line for line in all_time_page(club).lines}

    assert found["Annika"].games == 2
    assert found["Bernd"].games == 1
    assert "Elsewhere" not in found
    assert found["Annika"].wins == Result.objects.filter(player=annika, rank=1).count()
    assert game.is_finished


def test_club_without_games_has_an_empty_table(club):
    assert all_time_page(club, 3).lines == []


def test_waiting_ratings_are_said(club):
    assert not is_waiting(club)
    ClubTally.objects.filter(club=club).update(stale_from=timezone.now())
    assert is_waiting(club)
    assert all_time_page(club).is_waiting


# -- records ----------------------------------------------------------------------------------------------------------


def keep(player: Player, kind: str, value: int, game: Any, night: date = NIGHT) -> None:
    Record.objects.filter(player=player, kind=kind).delete()
    Record.objects.create(player=player, club=player.club, kind=kind, value=value, game=game, night=night)


@pytest.mark.parametrize("kind", Record.Kind.values)
def test_five_best_of_each_record_the_earlier_first(kind, club):
    players = add(club, "Annika", "Bernd", "Cem", "Doro", "Emre", "Fenja")
    game = finished(club, players[:3])
    Record.objects.all().delete()
    for player, value in zip(players, (10, 30, 20, 60, 50, 40), strict=True):
        keep(player, kind, value, game)
    keep(players[1], kind, 50, game, NIGHT - timedelta(days=1))

    found = club_records(club)[kind]

    best = [60, 50, 50, 40, 20] if kind not in {"worst_total", "worst_round", "closest_win"} else [10, 20, 40, 50, 50]
    assert [line.value for line in found] == best
    fifties = [line.name for line in found if line.value == 50]
    assert fifties == ["Bernd", "Emre"]
    assert {(line.game, line.is_own) for line in found} == {(game.pk, False)}


def test_records_of_real_games_lead_to_them(club):
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    game = finished(club, [annika, bernd, cem])
    totals = sorted((seat.total for seat in game.seats.all()), reverse=True)

    found = club_records(club)

    assert [line.value for line in found["best_total"]] == totals
    assert [line.value for line in found["worst_total"]] == totals[::-1]
    assert {line.game for line in found["best_total"]} == {game.pk}
    assert found["best_blind"] == []


def test_longest_runs_lead_to_the_game_that_reached_them_first(club):
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    games = [finished(club, [annika, bernd, cem]) for _ in range(3)]
    winner = games[0].seats.get(rank=1).player

    found = club_records(club)

    assert [(line.player, line.value, line.game) for line in found["win_run"]] == [(winner.pk, 3, games[2].pk)]
    assert {line.game for line in found["exact_run"]} == {games[2].pk}
    (line,) = (line for line in found["exact_run"] if line.player == annika.pk)
    assert line.value == 3


def test_one_of_something_is_no_run(club):
    finished(club, add(club, "Annika"))
    found = club_records(club)
    assert (found["win_run"], found["exact_run"]) == ([], [])


def test_records_show_strangers_the_names_for_everybody(club):
    annika, *others = add(club, "Annika", "Bernd", "Cem")
    Player.objects.filter(pk=annika.pk).update(public_name="Zorro")
    for _ in range(2):
        finished(club, [annika, *others])

    shown = club_records(club, in_public=True)
    names = {line.name for lines in shown.values() for line in lines}
    names |= {line.name for line in most_of(club, "games", in_public=True)}
    names |= {line.name for line in most_evenings_won(club, in_public=True)}

    assert "Zorro" in names
    assert "Annika" not in names


# -- hall of fame -----------------------------------------------------------------------------------------------------


def test_most_of_something_with_places(club, four):
    me = member_of(club)
    player = player_of(me, club, "Mia")
    tally(player, wins=9)

    found = most_of(club, "wins", user=me.user)

    assert [(line.place, line.name, line.value, line.is_own) for line in found] == [
        (1, "Annika", 10, False),
        (1, "Bernd", 10, False),
        (3, "Mia", 9, True),
        (4, "Cem", 1, False),
    ]


def wins(club: Club, night: date, *winners: Player) -> None:
    """Let each of these players win a game of the night."""
    for winner in winners:
        game = finished(club, [winner])
        Result.objects.filter(game=game).update(night=night, rank=2)
        Result.objects.filter(game=game, player=winner).update(rank=1)


def test_evening_is_won_by_whoever_won_most_of_its_games(club):
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    tonight = night_of(timezone.now(), club.time_zone)
    wins(club, tonight, annika, annika, bernd)
    wins(club, tonight - timedelta(days=1), bernd, annika)
    wins(club, tonight - timedelta(days=2), cem)
    # Too long ago.
    wins(club, tonight - timedelta(days=365), cem, cem)

    found = most_evenings_won(club)

    assert [(line.place, line.name, line.value) for line in found] == [(1, "Annika", 2), (2, "Bernd", 1), (2, "Cem", 1)]


@pytest.mark.parametrize(("column", "winners"), [("total", ["Bernd"]), ("exact", ["Bernd"]), ("", ["Annika", "Bernd"])])
def test_evening_with_equal_wins_is_won_by_points_then_exact_bids(column, winners, club):
    annika, bernd = add(club, "Annika", "Bernd")
    wins(club, night_of(timezone.now(), club.time_zone), annika, bernd)
    Result.objects.update(total=30, exact=1, rounds=4)
    if column:
        Result.objects.filter(player=bernd).update(**{column: 2 if column == "exact" else 40})

    assert [line.name for line in most_evenings_won(club)] == winners


# -- statements -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "games"), [(3, 1), (7, 5)])
def test_statements_do_not_grow(people, games, club, django_assert_num_queries):
    players = add(club, *(f"P{number}" for number in range(people)))
    for number in (0, *range(games)):
        finished(club, [players[(number + step) % people] for step in range(3)])

    for sort in SORTS:
        with django_assert_num_queries(3):
            all_time_page(club, sort=sort, in_public=True)
    with django_assert_num_queries(4):
        club_records(club, in_public=True)
    with django_assert_num_queries(1):
        most_of(club, "games")
    with django_assert_num_queries(1):
        most_evenings_won(club)
