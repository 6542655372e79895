"""A restore gives back what was backed up, on either database; where it cannot, nothing of it happens."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from scoresheets.backups import making, reading, restoring, tables, writing
from scoresheets.backups.format import BackupError, Head
from scoresheets.models import Bid, Entry, Game, Player, Seat, User
from tests.scoresheets.factories import make_game, play_round

MOMENT = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
#: One backup of each release, and of each kind of database; the first one is from before there were imports.
KEPT = Path(__file__).parents[2] / "data" / "backups"


@pytest.fixture(scope="module")
def lived_backup(all_stores, lived, tmp_path_factory):
    """A backup of the database that has lived."""
    path = tmp_path_factory.mktemp("backups") / "lived.zip"
    all_stores.use(lived)
    Entry.objects.filter(version=2).update(reason="„Zurück“ \t☃")
    making.back_up(path, moment=MOMENT)
    all_stores.use(all_stores.given)
    return path


def restore(path, **options):
    with reading.opened(path) as backup:
        restoring.restore(backup, **options)


def refusal(path, **options):
    """Return why the backup is not restored, once it is sure that nothing was changed by it."""
    before = rows_there()
    with pytest.raises(BackupError) as refused:
        restore(path, **options)
    assert rows_there() == before
    return str(refused.value)


def rows_there():
    """Return all rows that a backup would have, by table."""
    found = tables.backed_up(tables.models_at(tables.applied_migrations()))
    return {name: list(tables.rows_of(model, tables.columns_of(model))) for name, model in found.items()}


def changed(path, target, table, change):
    """Write a backup whose rows of a table are those of another one, changed; all its checksums are right."""
    with reading.opened(path) as backup:
        told = backup.manifest
        parts = [
            (part.name, part.columns, change(list(backup.rows(part))) if part.name == table else backup.rows(part))
            for part in told.tables
        ]
        writing.write(target, told.head, parts)
    return target


def test_restored_database_is_the_one_that_was_backed_up(stores, lived, lived_backup, tmp_path):
    stores.use(lived)
    before = rows_there()
    stores.new()
    restore(lived_backup)
    assert rows_there() == before
    making.back_up(tmp_path / "again.zip", moment=MOMENT)
    assert (tmp_path / "again.zip").read_bytes() == lived_backup.read_bytes()


def test_site_goes_on_from_where_it_was(stores, lived_backup):
    stores.new()
    restore(lived_backup)
    newest = {model: model.objects.latest("pk").pk for model in (Game, Seat, Bid, Entry, User, Player)}
    game = make_game(seats=3)
    play_round(game)
    assert game.pk == newest[Game] + 1
    assert min(game.seats.values_list("pk", flat=True)) == newest[Seat] + 1
    assert User.objects.create_user(username="Later", password=None).pk == newest[User] + 1
    with connection.cursor() as cursor:
        # References and the pragmas of the settings are looked after again.
        connection.check_constraints()
        if connection.vendor == "sqlite":
            assert cursor.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_database_that_is_not_empty_is_left_alone_unless_replaced(stores, lived_backup):
    stores.new()
    User.objects.create_user(username="Annika", password=None)
    assert refusal(lived_backup) == (
        "The database is not empty: there are rows in scoresheets_user. Nothing was changed."
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_session (session_key, session_data, expire_date) VALUES ('a', 'b', %s)",
            ["2030-01-01 00:00:00+00:00"],
        )
    restore(lived_backup, replace=True)
    assert not User.objects.filter(username="Annika").exists()
    with connection.cursor() as cursor:
        # Whoever was signed in before is somebody else now.
        cursor.execute("SELECT count(*) FROM django_session")
        assert cursor.fetchone() == (0,)


def test_backup_of_older_migrations_is_restored_as_it_was_and_brought_up_to_date(stores, tmp_path):
    """The oldest backup that is kept, into a database without any table."""
    path = sorted(KEPT.glob("*.zip"))[0]
    stores.new(bare=True)
    said = []
    restore(path, say=said.append)
    assert said[0] == "Making the tables anew"
    with reading.opened(path) as backup:
        told = backup.manifest
    assert set(tables.applied_migrations()) > set(told.head.migrations)
    assert Bid.objects.count() == next(table.rows for table in told.tables if table.name == "scoresheets_bid")


@pytest.mark.parametrize(
    ("table", "change", "sentence"),
    [
        # Rows that refer to nothing, break a constraint, or are no values of their columns.
        ("scoresheets_club", lambda rows: [], "does not take what is in the backup"),
        ("scoresheets_game", lambda rows: [*rows, rows[0]], "does not take what is in the backup"),
        ("scoresheets_bid", lambda rows: [[row[0], -9, *row[2:]] for row in rows], "does not take what is in"),
        ("scoresheets_bid", lambda rows: [[row[0], "many", *row[2:]] for row in rows], "does not "),
        ("scoresheets_entry", lambda rows: [["x" if value == row[2] else value for value in row] for row in rows], ""),
        ("scoresheets_user", lambda rows: [[10**30, *row[1:]] for row in rows], ""),
        # Rows that come back in another order than they were written.
        ("scoresheets_seat", lambda rows: rows[::-1], "does not give back what was written to scoresheets_seat"),
    ],
)
def test_rows_that_cannot_be_leave_everything_as_it_was(stores, lived_backup, tmp_path, table, change, sentence):
    stores.new()
    make_game(seats=3, rounds=1)
    bad = changed(lived_backup, tmp_path / "bad.zip", table, change)
    assert sentence in refusal(bad, replace=True)


def test_newer_and_foreign_backups_are_refused(stores, lived_backup, tmp_path):
    stores.new()
    with reading.opened(lived_backup) as backup:
        head, parts = (
            backup.manifest.head,
            [(part.name, part.columns, list(backup.rows(part))) for part in backup.manifest.tables],
        )
    newer = Head("9.0.0", head.database, head.made_at, (*head.migrations, ("scoresheets", "9999_tomorrow")))
    writing.write(tmp_path / "newer.zip", newer, parts)
    assert refusal(tmp_path / "newer.zip", replace=True) == (
        "It was made by a newer release than this one, which does not know scoresheets.9999_tomorrow: update first."
    )
    writing.write(tmp_path / "less.zip", head, [part for part in parts if part[0] != "scoresheets_bid"])
    assert refusal(tmp_path / "less.zip") == "The backup's tables are not those of its release: see scoresheets_bid."
    writing.write(tmp_path / "more.zip", head, [*parts, ("sqlite_master", ("id",), [])])
    assert refusal(tmp_path / "more.zip") == "The backup's tables are not those of its release: see sqlite_master."
    slim = [(name, columns[:-1], [row[:-1] for row in rows]) for name, columns, rows in parts]
    writing.write(tmp_path / "slim.zip", head, slim)
    assert refusal(tmp_path / "slim.zip").startswith("The columns of account_emailaddress are not those")


def test_nothing_happens_while_others_write(stores, lived_backup, monkeypatch):
    stores.new()
    monkeypatch.setattr(restoring, "PATIENCE", "10ms")
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.01) if connection.vendor == "sqlite" else None
    connection.close()
    said = []

    def refuse():
        try:
            restore(lived_backup)
        except BackupError as error:
            said.append(str(error))
        finally:
            connection.close()

    with transaction.atomic():
        User.objects.create_user(username="Annika", password=None)
        thread = Thread(target=refuse)
        thread.start()
        thread.join()
    assert said == [restoring.IN_USE]
    assert User.objects.count() == 1


# -- the backups that are kept of each release ----------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.zip"))[1:], ids=lambda path: path.stem)
def test_backup_of_an_earlier_release_is_restored(stores, path):
    stores.new()
    out = StringIO()
    call_command("restore", path, stdout=out)
    assert "0 with differences" in out.getvalue()


def test_both_databases_give_the_same_rows():
    """What one database gave, the other was filled with, and gave back."""
    newest = [sorted(KEPT.glob(f"*-{kind}.zip"))[-1] for kind in ("postgresql", "sqlite")]
    told = []
    for path in newest:
        with reading.opened(path) as backup:
            told.append(backup.manifest)
    assert [manifest.head.database for manifest in told] == ["postgresql", "sqlite"]
    assert told[0].tables == told[1].tables


# -- the command ----------------------------------------------------------------------------------------------------


def run(*arguments):
    """Return what the command prints and whether it ended well."""
    out = StringIO()
    try:
        call_command("restore", *map(str, arguments), stdout=out)
    except CommandError as error:
        return out.getvalue().splitlines(), str(error)
    return out.getvalue().splitlines(), None


def test_command_checks_restores_and_compares(stores, lived_backup):
    stores.new()
    told, error = run(lived_backup, "--check")
    assert (len(told), error, Game.objects.count()) == (1, None, 0)
    assert told[0].startswith("A whole backup of 2026-11-30 20:15 UTC, release ")
    said, error = run(lived_backup, "--sample", "4")
    games = Game.objects.count()
    assert error is None
    assert said[0] == told[0]
    assert said[1].startswith("Restored and compared, row by row, in ")
    assert said[2:] == [
        "4 games checked, 0 with differences, 0 repaired",
        f"{games - 4} more games: manage.py check_blocks compares them too",
        "1 club checked, 0 differences",
    ]
    assert run(lived_backup)[1].startswith("The database is not empty: there are rows in scoresheets_")


def test_command_asks_before_it_replaces(stores, lived_backup, monkeypatch):
    stores.new()
    make_game(seats=3)
    answers = iter(["y", "yes"])
    monkeypatch.setattr("builtins.input", lambda _question: next(answers))
    said, error = run(lived_backup, "--replace")
    assert error == "Nothing was changed."
    assert said[1].endswith(" has 1 games, 0 clubs, 0 accounts. All of it will be deleted.")
    assert Game.objects.count() == 1
    assert run(lived_backup, "--replace", "--sample", "0")[1] is None
    assert run(lived_backup, "--replace", "--no-input", "--sample", "0")[1] is None
    assert Game.objects.count() > 1


def test_command_says_what_was_wrong_before_and_restores_all_the_same(stores, lived, lived_backup, tmp_path):
    def overcharge(rows):
        rows[0][points] += 1000
        return rows

    with reading.opened(lived_backup) as backup:
        bids = next(table for table in backup.manifest.tables if table.name == "scoresheets_bid")
        points = bids.columns.index("points")
    wrong = changed(lived_backup, tmp_path / "wrong.zip", "scoresheets_bid", overcharge)
    stores.new()
    said, error = run(wrong)
    assert error.startswith("The backup is restored, with what was wrong already when it was made. ")
    assert sum(": points is " in line for line in said) == 1
    assert Bid.objects.count() == bids.rows


def test_command_refuses_what_is_no_backup(stores, tmp_path):
    stores.new()
    (tmp_path / "a.zip").write_text("a")
    assert run(tmp_path / "a.zip") == ([], f"{tmp_path / 'a.zip'} is no backup of this site.")
    assert run(tmp_path / "a.zip", "--sample", "-1") == ([], "There cannot be fewer games than none.")
