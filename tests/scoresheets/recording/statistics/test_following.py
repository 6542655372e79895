"""What a finished game leaves in the statistics, and in how many statements; what is late, and caught up with."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import (
    BidTotal,
    Club,
    ClubTally,
    Game,
    PairTally,
    PlayerTally,
    Record,
    Result,
    Season,
    Standing,
)
from scoresheets.models.tallies import PUBLIC
from scoresheets.recording import statistics
from scoresheets.recording.statistics import rebuild
from tests.scoresheets.clubs import add, club_game, finished, make_club
from tests.scoresheets.factories import enter_bids, fresh, open_round, play_round, seats_of

pytestmark = pytest.mark.django_db

#: Bids and tricks of three rounds for three: the first takes all and says so, the others miss now and then.
ROUNDS = (([1, 0, 0], [1, 0, 0]), ([2, 1, 0], [2, 0, 0]), ([1, 0, 0], [1, 2, 0]))


@pytest.fixture
def club():
    return make_club("Eulen")


@pytest.fixture
def people(club):
    return add(club, "Annika", "Bernd", "Cem")


def played(club, people, rounds=ROUNDS, *, days_ago=0):
    """Return a finished game of the club with these bids and tricks, started so many days ago."""
    game = club_game(club, people, length=len(rounds))
    if days_ago:
        game.started_at -= timedelta(days=days_ago)
        game.night -= timedelta(days=days_ago)
        game.save(update_fields=["started_at", "night"])
    for bids, taken in rounds:
        play_round(game, bids, taken)
    return fresh(game)


def tally(player):
    return PlayerTally.objects.get(player=player)


def test_a_finished_game_is_in_every_table(club, people):
    annika, bernd, cem = people

    game = played(club, people)

    # 30 + 40 + 30, 20 - 10 - 20, 20 + 20 + 20
    assert list(Result.objects.order_by("player").values_list("total", "exact", "rank", "level", "margin")) == [
        (100, 3, 1, 1, 40),
        (-10, 1, 3, 1, None),
        (60, 3, 2, 1, None),
    ]
    own = tally(annika)
    assert (own.games, own.ranked, own.wins, own.shared_wins, own.total_sum) == (1, 1, 1, 0, 100)
    assert (own.bids, own.exact, own.over, own.under, own.points_sum) == (3, 3, 0, 0, 100)
    missed = tally(bernd)
    assert (missed.exact, missed.over, missed.under, missed.zero_bids, missed.zero_exact) == (1, 1, 1, 2, 1)
    assert (own.exact_run, own.exact_run_most, own.win_run, missed.exact_run, missed.win_run) == (3, 3, 1, 0, 0)
    assert PairTally.objects.get(player=cem, opponent=bernd).above == 1
    assert own.rating_mu > 1500 > missed.rating_mu
    assert dict(Record.objects.filter(player=annika).values_list("kind", "value")) == {
        "best_total": 100,
        "worst_total": 100,
        "best_round": 40,
        "worst_round": 30,
        "highest_exact": 2,
        "closest_win": 40,
        "widest_win": 40,
        "best_night": 1,
    }
    assert (game.counted, ClubTally.objects.get(club=club).games) == (True, 1)


def test_a_shared_victory_is_said_and_counts_for_both(club, people):
    played(club, people, [([0, 0, 1], [0, 0, 1]), ([0, 0, 0], [0, 0, 2])])

    assert [(row.wins, row.shared_wins, row.win_run) for row in map(tally, people)] == [(1, 1, 1), (1, 1, 1), (0, 0, 0)]
    assert list(Result.objects.order_by("player").values_list("rank", "level", "margin")) == [
        (1, 2, None),
        (1, 2, None),
        (3, 1, None),
    ]
    pair = PairTally.objects.get(player=people[0], opponent=people[1])
    assert (pair.games, pair.above, pair.below) == (1, 0, 0)
    assert tally(people[0]).rating_mu == tally(people[1]).rating_mu


def test_a_quick_game_leaves_nothing(people):
    game = recording.start_game(["A", "B", "C"], rules.HouseRules(), first_dealer=0, rounds=1, by=OPERATOR).game
    play_round(game)

    assert fresh(game).is_finished
    assert not fresh(game).counted
    assert not Result.objects.exists()


@pytest.mark.parametrize("act", ["reopen", "void", "move"])
def test_a_game_that_leaves_the_statistics_leaves_nothing_behind(act, club, people):
    other = make_club("Dohlen")
    game = played(club, people)

    if act == "reopen":
        recording.reopen(game, by=OPERATOR)
    elif act == "void":
        recording.void(game, by=OPERATOR, reason="Only tried")
    else:
        recording.move_game(game, other, players={}, by=OPERATOR)

    for model in (Result, PlayerTally, Record, PairTally):
        assert not model.objects.exists()
    assert not BidTotal.objects.filter(scope=club.pk).exists()
    assert ClubTally.objects.get(club=club).games == 0


def test_bids_of_a_public_club_are_public_from_then_on(club, people):
    played(club, people)
    assert not BidTotal.objects.filter(scope=PUBLIC).exists()

    settings = recording.ClubSettings.of(club)
    shown = recording.ClubSettings(settings.name, visibility=Club.Visibility.PUBLIC)
    recording.change_club(club, shown, by=OPERATOR)
    assert sum(BidTotal.objects.filter(scope=PUBLIC).values_list("bids", flat=True)) == 9

    recording.change_club(club, settings, by=OPERATOR)
    assert not BidTotal.objects.filter(scope=PUBLIC).exists()


# -- order ----------------------------------------------------------------------------------------------------------


def ratings(people):
    return [(row.rating_mu, row.rating_sigma, row.exact_run, row.exact_run_most) for row in map(tally, people)]


def test_games_that_come_in_late_give_the_same_ratings_and_runs(club, people):
    other = [([1, 0, 0], [0, 1, 0]), ([0, 2, 0], [0, 2, 0])]
    played(club, people, days_ago=1)
    played(club, people, other)
    in_order = ratings(people)

    again = make_club("Dohlen")
    same = add(again, "Annika", "Bernd", "Cem")
    played(again, same, other)
    played(again, same, days_ago=1)

    assert ratings(same) == in_order


def test_what_is_late_waits_for_the_worker_and_is_caught_up_with_in_batches(club, people, monkeypatch):
    monkeypatch.setattr("scoresheets.recording.tasks.enqueue_once", lambda work, subject: None)
    monkeypatch.setattr(rebuild, "GAMES_A_CATCH_UP", 2)
    games = [played(club, people, days_ago=days) for days in (5, 4, 3, 2)]
    right = ratings(people)
    Result.objects.update(rating_mu=1, rating_sigma=1, exact_run=0, exact_run_most=0)

    scored = games[0].rounds.get(number=1)
    values = recording.RoundValues.of(scored, list(scored.bids.all()))
    wrong = recording.RoundValues(
        values.bids, {**values.taken, seats_of(games[0])[0].pk: 0, seats_of(games[0])[1].pk: 1}
    )
    recording.correct_round(
        games[0], number=1, values=wrong, seen=scored.changed_version, reason="Misread", by=OPERATOR
    )
    changed = fresh(games[0]).rounds.get(number=1)
    recording.correct_round(games[0], number=1, values=values, seen=changed.changed_version, reason="No", by=OPERATOR)

    assert ClubTally.objects.get(club=club).stale_from == games[0].started_at
    assert (statistics.catch_up(club.pk), statistics.catch_up(club.pk)) == (True, False)
    assert ClubTally.objects.get(club=club).stale_from is None
    assert ratings(people) == right
    assert statistics.differences_of(club) == []
    assert not statistics.catch_up(club.pk)


# -- statements -----------------------------------------------------------------------------------------------------


def finishing_statements(club, seats):
    people = list(club.players.filter(user=None).order_by("pk")[:seats])
    game = club_game(club, people, rounds=1, length=2)
    enter_bids(game)
    game, current = fresh(game), open_round(game)
    taken = {seat.pk: current.cards if place == 0 else 0 for place, seat in enumerate(seats_of(game))}
    with CaptureQueriesContext(connection) as captured:
        recording.record_tricks(game, taken=taken, seen=current.stage_version, by=OPERATOR, key=f"key-{game.pk}")
    assert fresh(game).counted
    return len([query for query in captured if "SAVEPOINT" not in query["sql"]])


def test_finishing_a_game_takes_at_most_30_statements_whatever_is_stored(club):
    add(club, "A", "B", "C", "D", "E", "F")
    for number in range(2):
        Season.objects.create(club=club, name=f"Season {number}", starts_on=date(2020, 1, 1))

    first = finishing_statements(club, 4)
    counts = {finishing_statements(club, seats) for seats in (3, 4, 5, 6)}
    for _game in range(10):
        finished(club, list(club.players.order_by("pk")[:3]))
    counts.add(finishing_statements(club, 6))

    assert max(counts | {first}) <= 30, counts
    assert len(counts) == 1


# -- rebuilding -----------------------------------------------------------------------------------------------------


def test_rebuilding_and_checking_by_command(club, people, capsys):
    played(club, people)
    season = Season.objects.create(club=club, name="Season", starts_on=date(2020, 1, 1))
    statistics.restand(season)
    before = list(Result.objects.values_list("player", "total", "rating_mu"))

    call_command("rebuild_statistics", "--check")
    assert "1 club checked, 0 differences" in capsys.readouterr().out

    Result.objects.filter(player=people[0]).update(total=999)
    PlayerTally.objects.filter(player=people[1]).update(games=7)
    PairTally.objects.filter(player=people[2]).delete()
    Standing.objects.filter(player=people[0]).update(points=1)
    Game.objects.update(counted=False)
    with pytest.raises(CommandError):
        call_command("rebuild_statistics", "--check")
    told = capsys.readouterr().out
    for part in ("total is 999", "games is 7", "is missing", "points is 1", "counted is False"):
        assert part in told

    call_command("rebuild_statistics", club.pk)
    assert list(Result.objects.values_list("player", "total", "rating_mu")) == before
    call_command("rebuild_statistics", "--check")
    with pytest.raises(CommandError, match="no club 0"):
        call_command("rebuild_statistics", 0)


def test_a_correction_in_a_closed_season_is_followed_and_shown(club, people):
    season = Season.objects.create(
        club=club, name="Past", starts_on=date(2020, 1, 1), closed_at=timezone.now() - timedelta(days=1)
    )
    game = played(club, people)
    points = Standing.objects.get(season=season, player=people[0]).points

    Season.objects.create(
        club=club, name="Other cards", starts_on=date(2020, 1, 1), closed_at=season.closed_at, editions=["ordinary"]
    )
    Season.objects.update(changed_after_close=None)

    recording.adjust_points(game, seat=seats_of(game)[0].pk, points=10, reason="Miscounted", by=OPERATOR)

    assert Standing.objects.get(season=season, player=people[0]).points == points + 600
    # One that does not count the game has not changed.
    changed = Season.objects.filter(changed_after_close__isnull=False)
    assert [closed.name for closed in changed] == ["Past"]


def test_a_write_that_forgets_what_the_game_contributed_is_refused(club, people):
    from scoresheets.recording.writing import finish_write

    game = played(club, people)
    with pytest.raises(RuntimeError, match="contributed before"):
        finish_write(game, "paused", {}, by=OPERATOR, key=None, fingerprint="")
