"""Background work: asked for once, begun after the transaction, asked for again where it was lost."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from scoresheets.actors import OPERATOR
from scoresheets.models import ClubTally, Game, PlayerTally, Season
from scoresheets.recording import statistics, tasks
from scoresheets.recording.locks import locked_club
from tests.scoresheets.clubs import add, finished, make_club

pytestmark = pytest.mark.django_db

QUEUE = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
LONG_AGO = timezone.now() - timedelta(days=2)


def waiting():
    """Return what waits, as (name, subject), in the order in which it will be done."""
    return [(row.task.name, *row.args_kwargs["args"]) for row in DBTaskResult.objects.ready()]


def make_season(club, **values):
    return Season.objects.create(club=club, name="2024", starts_on=LONG_AGO.date(), **values)


def make_uncounted(game):
    """Leave a finished game as it was before there were statistics."""
    club = game.club
    Game.objects.filter(pk=game.pk).update(counted=False)
    PlayerTally.objects.filter(club=club).delete()
    game.results.all().delete()


def test_one_waiting_task_a_subject_is_enough(settings):
    settings.TASKS = QUEUE

    for club in (1, 1, 2):
        tasks.enqueue_once(tasks.catch_up_ratings, club)
    tasks.enqueue_once(tasks.rebuild_statistics_of, 1)

    assert waiting() == [("catch_up_ratings", 1), ("catch_up_ratings", 2), ("rebuild_statistics_of", 1)]


@pytest.mark.parametrize("status", ["RUNNING", "SUCCESSFUL", "FAILED"])
def test_a_task_that_has_begun_is_not_enough(settings, status):
    settings.TASKS = QUEUE
    tasks.enqueue_once(tasks.rebuild_season, 7)
    DBTaskResult.objects.update(status=status)

    tasks.enqueue_once(tasks.rebuild_season, 7)

    assert waiting() == [("rebuild_season", 7)]


def test_what_is_not_committed_asks_for_nothing(settings):
    settings.TASKS = QUEUE

    with transaction.atomic():
        tasks.enqueue_once(tasks.rebuild_season, 7)
        assert waiting() == [("rebuild_season", 7)]
        transaction.set_rollback(True)

    assert waiting() == []


def test_all_that_is_stale_is_asked_for_once(settings):
    settings.TASKS = QUEUE
    stale, fresh, old = make_club("Stale"), make_club("Fresh"), make_club("Old")
    ClubTally.objects.filter(club=stale).update(stale_from=LONG_AGO)
    season = make_season(fresh, stale=True)
    make_season(stale)
    finished(fresh, add(fresh, "Ada", "Bo"))
    make_uncounted(finished(old, add(old, "Ada", "Bo")))

    asked = [tasks.enqueue_stale() for _ in range(2)]

    assert asked == [3, 3]
    assert waiting() == [
        ("catch_up_ratings", stale.pk),
        ("rebuild_season", season.pk),
        ("rebuild_statistics_of", old.pk),
    ]


def test_only_games_that_should_count_are_missed():
    club = make_club()
    voided, running = finished(club), finished(club)
    Game.objects.filter(pk=voided.pk).update(counted=False, halted="voided")
    Game.objects.filter(pk=running.pk).update(counted=False, state="bidding", finished_at=None)
    assert tasks.clubs_not_counted() == []

    make_uncounted(finished(club))
    make_uncounted(finished(club))

    assert tasks.clubs_not_counted() == [club.pk]


def test_tasks_of_a_worker_that_is_gone_are_forgotten_and_those_that_run_are_not(settings):
    settings.TASKS = QUEUE
    for _ in range(2):
        tasks.rebuild_season.enqueue(7)
    gone, running = DBTaskResult.objects.all()
    DBTaskResult.objects.filter(pk=gone.pk).update(status="RUNNING", started_at=LONG_AGO)
    DBTaskResult.objects.filter(pk=running.pk).update(status="RUNNING", started_at=timezone.now())

    tasks.enqueue_stale()

    assert list(DBTaskResult.objects.all()) == [running]


def test_games_from_before_come_into_the_statistics():
    club = make_club()
    ada, bo = add(club, "Ada", "Bo")
    game = finished(club, [ada, bo])
    before = sorted(PlayerTally.objects.filter(club=club).values_list())
    make_uncounted(game)

    tasks.enqueue_stale()

    assert before
    assert sorted(PlayerTally.objects.filter(club=club).values_list()) == before
    assert tasks.clubs_not_counted() == []


def test_a_stale_season_stands_again():
    club = make_club()
    finished(club, add(club, "Ada", "Bo"))
    season = make_season(club, stale=True)

    tasks.enqueue_stale()

    season.refresh_from_db()
    assert not season.stale
    assert season.standings.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_season_that_is_being_changed_is_worked_out_as_it_was_left():
    club = make_club()
    finished(club, add(club, "Ada", "Bo"))
    season = make_season(club, stale=True)
    changed = threading.Event()

    def change():
        try:
            with transaction.atomic():
                locked_club(club.pk, OPERATOR)
                Season.objects.filter(pk=season.pk).update(formula="exact_rate")
                changed.set()
                time.sleep(0.3)
        finally:
            connection.close()

    changing = threading.Thread(target=change)
    changing.start()
    changed.wait()
    tasks.rebuild_season.enqueue(season.pk)
    changing.join()

    assert set(season.standings.values_list("score", flat=True)) == {1.0}


def test_ratings_are_caught_up_batch_by_batch(monkeypatch):
    left = [True, True, False]
    asked = []

    def catch_up(club_id):
        asked.append(club_id)
        return left.pop(0)

    monkeypatch.setattr(statistics, "catch_up", catch_up, raising=False)

    club = make_club().pk

    tasks.catch_up_ratings.enqueue(club)

    assert (asked, left) == ([club] * 3, [])


@pytest.mark.parametrize("work", [tasks.catch_up_ratings, tasks.rebuild_season, tasks.rebuild_statistics_of])
def test_what_is_gone_needs_no_work(work):
    work.enqueue(123_456)


def test_an_error_in_background_work_fails_the_test(monkeypatch):
    def fail(_club_id):
        raise ValueError("wrong")

    club = make_club().pk
    monkeypatch.setattr(statistics, "catch_up", fail, raising=False)

    with pytest.raises(AssertionError, match="ValueError: wrong"):
        tasks.catch_up_ratings.enqueue(club)
