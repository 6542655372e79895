"""Background work: what a write leaves to be worked out later, by the worker (`manage.py db_worker`).

A task is a row, written in the transaction that asks for it, and begins after that one is committed. What is stale is
stored in the rows it is about, in the same transaction; tasks only say where to look. So nothing is lost where one is:
the worker asks for all that is stale when it starts, and now and then.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks import task
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from scoresheets.models import Club, ClubTally, Game, Import, Season

#: So long after it began a task is taken for one whose worker is gone: none takes nearly as long.
GONE_AFTER = timedelta(hours=6)


@task()
def catch_up_ratings(club_id: int) -> None:
    """Work out the club's stale ratings and runs, unless it is gone: one batch, and the next as a task of its own.

    While games are imported or an import is undone it leaves them be: each would make stale again what follows it. The
    end of the import asks for all at once.
    """
    from scoresheets.recording import statistics

    if Import.objects.filter(club=club_id, state__in=Import.AT_WORK).exists():
        return
    if Club.objects.filter(pk=club_id).exists() and statistics.catch_up(club_id):
        enqueue_once(catch_up_ratings, club_id)


@task()
def rebuild_season(season_id: int) -> None:
    """Work out the table of a season anew, unless it is gone."""
    from scoresheets.recording import statistics

    with transaction.atomic():
        # Whoever changes a season holds this lock: what it counts is read afterwards.
        Club.objects.select_for_update(of=("self",), no_key=True).filter(seasons=season_id).first()
        season = Season.objects.filter(pk=season_id).first()
        if season is not None:
            statistics.restand(season)


@task()
def rebuild_statistics_of(club_id: int) -> None:
    """Work out all statistics of a club anew, unless it is gone."""
    from scoresheets.recording import statistics

    club = Club.objects.filter(pk=club_id).first()
    if club is not None:
        statistics.rebuild_club(club)


@task()
def run_import(import_id: int) -> None:
    """Record games of an import for a while, and have the next ones done by a task of its own."""
    from scoresheets.recording import imports

    if imports.run_import(import_id):
        enqueue_once(run_import, import_id)


@task()
def undo_import(import_id: int) -> None:
    """Void games of an import that is undone for a while, and have the next ones done by a task of its own."""
    from scoresheets.recording import imports

    if imports.run_undo(import_id):
        enqueue_once(undo_import, import_id)


def enqueue_once(work: Task[[int], None], subject: int) -> None:
    """Have this done for a club, season or import once the transaction is committed; one that waits is enough.

    For holders of the lock under which the stale rows are written: a task that waits cannot have read them then. One
    that runs already is no help, it may have.
    """
    if not _waiting(work).filter(args_kwargs=_asked(subject)).exists():
        work.enqueue(subject)


def enqueue_stale() -> int:
    """Ask for all that is stale and not asked for, forget tasks whose worker is gone, and return how many wait now."""
    DBTaskResult.objects.running().filter(started_at__lt=timezone.now() - GONE_AFTER).delete()
    with transaction.atomic():
        for club in ClubTally.objects.filter(stale_from__isnull=False).order_by("pk").values_list("pk", flat=True):
            enqueue_once(catch_up_ratings, club)
        for season in Season.objects.filter(stale=True).order_by("pk").values_list("pk", flat=True):
            enqueue_once(rebuild_season, season)
        for club in clubs_not_counted():
            enqueue_once(rebuild_statistics_of, club)
        at_work = Import.objects.filter(state__in=Import.AT_WORK).order_by("pk")
        for pk, state in at_work.values_list("pk", "state"):
            enqueue_once(undo_import if state == Import.State.UNDOING else run_import, pk)
    return DBTaskResult.objects.ready().count()


def clubs_not_counted() -> list[int]:
    """Return the clubs with finished games that the statistics do not have: they are from before there were any."""
    games = Game.objects.filter(club__isnull=False, state=Game.State.FINISHED, halted="", counted=False)
    return sorted(games.order_by().values_list("club", flat=True).distinct())


def _waiting(work: Task[[int], None]) -> Any:
    return DBTaskResult.objects.ready().filter(task_path=work.module_path)


def _asked(subject: int) -> dict[str, Any]:
    return {"args": [subject], "kwargs": {}}
