"""Several workers and managers at the same import at the same moment: each game is recorded once, and voided once."""

from __future__ import annotations

import pytest
from django.utils import timezone

from scoresheets.models import Entry, Game
from scoresheets.recording import imports, statistics
from tests.scoresheets.clubs import make_club, member_of
from tests.scoresheets.importing import NAMES, begun, kept, new_game, people
from tests.scoresheets.recording.test_club_races import refusals
from tests.scoresheets.recording.test_races import race

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 3


@pytest.fixture
def club():
    return make_club()


@pytest.fixture
def manager(club):
    return member_of(club, "manager")


@pytest.fixture(autouse=True)
def queue(settings):
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}


def test_several_workers_record_and_void_each_game_once(club, manager):
    found = begun(club, [new_game(row=row, night=row) for row in range(2, 8)], manager)

    ended = race([lambda: imports.run_import(found.pk)] * WORKERS)

    found.refresh_from_db()
    assert (refusals(ended), found.state, found.done) == ([], "done", 6)
    assert Game.objects.count() == 6
    assert statistics.differences_of(club) == []
    imports.undo_import(found, by=manager)
    ended = race([lambda: imports.run_undo(found.pk)] * WORKERS)
    found.refresh_from_db()
    assert (refusals(ended), found.state, found.done) == ([], "undone", 6)
    assert Entry.objects.filter(kind="voided").count() == 6


def test_import_that_is_sent_twice_is_begun_once(club, manager):
    found, now = kept(club, manager), timezone.now()

    def begin():
        return imports.begin_import(found, [new_game()], people=people(*NAMES), by=manager, planned_at=now, key="k")

    ended = race([begin] * WORKERS)

    assert refusals(ended) == []
    assert (found.games.count(), club.players.filter(name__in=NAMES).count()) == (1, 3)


def test_one_of_two_imports_of_a_club_is_begun(club, manager):
    files, now = [kept(club, manager), kept(club, manager)], timezone.now()

    def begin(found):
        return imports.begin_import(found, [new_game()], people=people(*NAMES), by=manager, planned_at=now)

    ended = race([lambda found=found: begin(found) for found in files])

    assert refusals(ended) == ["import_running"]
    assert sorted(club.imports.values_list("state", flat=True)) == ["checked", "waiting"]


def test_import_is_undone_once(club, manager):
    found = begun(club, [new_game()], manager)
    imports.run_import(found.pk)

    ended = race([lambda: imports.undo_import(found, by=manager)] * WORKERS)

    assert refusals(ended) == ["import_not_done"] * (WORKERS - 1)
