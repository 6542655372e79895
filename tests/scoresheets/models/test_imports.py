"""Each named constraint on imports and their games holds in the database itself, whoever writes."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoresheets.models import Import, ImportedGame
from tests.scoresheets.clubs import finished, make_club, owner_of
from tests.scoresheets.models.test_leagues import broken

pytestmark = pytest.mark.django_db

NOW = timezone.now()
#: Constraint -> which row is changed, to what.
ATTACKS = [
    ("import_has_a_file_name", "import", {"file_name": ""}),
    ("import_state_is_known", "import", {"state": "lost"}),
    ("import_done_not_above_total", "import", {"done": 3}),
    ("import_failed_has_a_reason", "import", {"state": "failed"}),
    ("import_failed_has_a_reason", "import", {"failure": "not_allowed"}),
    ("import_undone_by_somebody", "import", {"state": "undone"}),
    ("import_undone_by_somebody", "import", {"state": "undoing"}),
    ("import_begun_has_a_time", "import", {"begun_at": None}),
    ("import_begun_has_a_time", "import", {"state": "checked", "ended_at": None}),
    ("import_ended_has_a_time", "import", {"ended_at": None}),
    ("import_ended_has_a_time", "import", {"state": "running"}),
    ("imported_game_state_is_known", "waiting", {"state": "lost", "sheet": None}),
    ("imported_game_counts_from_1", "waiting", {"place": 0}),
    ("imported_game_counts_from_1", "waiting", {"row": 0}),
    ("imported_game_made_has_a_game", "made", {"game": None}),
    ("imported_game_made_has_a_game", "waiting", {"state": "made", "sheet": None}),
    ("imported_game_made_has_a_game", "made", {"state": "failed", "reason": "refused"}),
    ("imported_game_waits_with_its_sheet", "waiting", {"sheet": None}),
    ("imported_game_waits_with_its_sheet", "made", {"sheet": {}}),
    ("imported_game_reason_is_known", "made", {"reason": "refused"}),
    ("imported_game_reason_is_known", "waiting", {"state": "left_out", "sheet": None}),
    ("imported_game_reason_is_known", "waiting", {"state": "left_out", "sheet": None, "reason": "bored"}),
]
#: Those that need a second row: the row, and its fields that are taken over.
DOUBLES = {"imported_game_place_once_an_import": ("waiting", ["of_import", "place", "row", "sheet"])}


@pytest.fixture
def rows():
    club = make_club()
    times = {"begun_at": NOW, "ended_at": NOW}
    done = Import.objects.create(club=club, by=owner_of(club).user, file_name="a.csv", state="done", total=2, **times)
    return {
        "import": done,
        "waiting": ImportedGame.objects.create(of_import=done, place=1, row=2, sheet={}),
        "made": ImportedGame.objects.create(of_import=done, place=2, row=3, state="made", game=finished(club)),
    }


def test_every_constraint_has_an_attack():
    names = {constraint.name for model in (Import, ImportedGame) for constraint in model._meta.constraints}

    assert names == {*(name for name, *_attack in ATTACKS), *DOUBLES, "import_one_runs_a_club"}


@pytest.mark.parametrize(("name", "kind", "values"), ATTACKS)
def test_database_refuses_a_row_that_breaks(name, kind, values, rows):
    row = rows[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(**values)

    assert broken(refused.value, row, name) == name


@pytest.mark.parametrize("name", DOUBLES)
def test_database_refuses_a_second_row_that_breaks(name, rows):
    kind, kept = DOUBLES[name]
    row = rows[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.create(**{field: getattr(row, field) for field in kept})

    assert broken(refused.value, row, name) == name


@pytest.mark.parametrize("state", Import.AT_WORK)
def test_database_lets_one_import_of_a_club_run(state, rows):
    done = rows["import"]
    by = done.by
    Import.objects.create(club=done.club, by=by, file_name="b.csv", state="waiting", begun_at=NOW)
    times = {"ended_at": NOW, "undone_by": by} if state == "undoing" else {}

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        Import.objects.create(club=done.club, by=by, file_name="c.csv", state=state, begun_at=NOW, **times)

    assert broken(refused.value, done, "import_one_runs_a_club") == "import_one_runs_a_club"
    Import.objects.create(club=make_club("Zweite"), by=by, file_name="c.csv", state=state, begun_at=NOW, **times)


def test_one_game_is_of_one_import(rows):
    made = rows["made"]

    with pytest.raises(IntegrityError, match="game_id"), transaction.atomic():
        ImportedGame.objects.create(of_import=made.of_import, place=3, row=4, state="made", game=made.game)
