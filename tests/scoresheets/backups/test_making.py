"""A backup is of one moment, whatever is written meanwhile; it is there whole or not at all, for its owner alone."""

from __future__ import annotations

import os
import re
import resource
import stat
from datetime import UTC, datetime
from io import StringIO
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from scoresheets.backups import making, reading, tables
from scoresheets.backups.format import BackupError
from scoresheets.models import Bid, Entry, Round
from tests.scoresheets.factories import make_game, play_round

MOMENT = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
PARTS = {"scoresheets_bid", "scoresheets_entry", "scoresheets_round", "scoresheets_seat", "scoresheets_user"}


def backed_up(path):
    """Make a backup and return its tables by name."""
    return {table.name: table for table in making.back_up(path, moment=MOMENT).tables}


def test_backup_is_of_one_moment_and_keeps_nobody_waiting(stores, tmp_path):
    stores.new()
    game = make_game(seats=3, rounds=1)
    before = backed_up(tmp_path / "before.zip")
    asked = []

    def play_on():
        play_round(game)
        connection.close()

    def write_between(table):
        # Bids are read by now, rounds and entries are not.
        if table in {"scoresheets_entry", "scoresheets_round"}:
            asked.append(Thread(target=play_on))
            asked[-1].start()
            asked[-1].join()

    during = making.back_up(tmp_path / "during.zip", moment=MOMENT, say=write_between)
    assert (Round.objects.filter(state="scored").count(), Bid.objects.count(), len(asked)) == (3, 9, 2)
    assert {table.name: table for table in during.tables} == before
    assert backed_up(tmp_path / "after.zip")["scoresheets_bid"].rows == 9


def test_backup_has_every_table_but_those_of_sessions(stores, lived, tmp_path):
    stores.use(lived)
    found = backed_up(tmp_path / "all.zip")
    there = set(connection.introspection.table_names())
    assert there - {"cache"} - set(found) == {"django_migrations", "django_session", "usersessions_usersession"}
    assert set(found) >= PARTS
    assert found["scoresheets_entry"].rows == Entry.objects.count() > 50


def test_backup_is_for_its_owner_alone(stores, tmp_path):
    stores.new()
    mask = os.umask(0)
    try:
        making.back_up(tmp_path / "mine.zip")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "mine.zip").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["mine.zip"]


def test_backup_is_never_written_over(stores, tmp_path, monkeypatch):
    stores.new()
    path = tmp_path / "mine.zip"
    path.write_text("precious")
    with pytest.raises(BackupError, match="is there already"):
        making.back_up(path)
    # Somebody else takes the name while it is made.
    path.unlink()
    with pytest.raises(BackupError, match="is there already"):
        making.back_up(path, say=lambda _table: path.write_text("precious"))
    # The file system knows no second name for a file.
    path.unlink()

    def refuse(*_names):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(BackupError, match="is there already"):
        making.back_up(path, say=lambda _table: path.write_text("precious"))
    assert (path.read_text(), os.listdir(tmp_path)) == ("precious", ["mine.zip"])
    making.back_up(tmp_path / "other.zip")
    with reading.opened(tmp_path / "other.zip"):
        pass


def test_backup_says_why_it_cannot_be_written_and_leaves_nothing(stores, tmp_path):
    stores.new()
    with pytest.raises(BackupError, match=r"none/mine\.zip cannot be written: No such file or directory\."):
        making.back_up(tmp_path / "none" / "mine.zip")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, hard))
    try:
        with pytest.raises(BackupError, match=r"mine\.zip cannot be written: File too large\."):
            making.back_up(tmp_path / "mine.zip")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert os.listdir(tmp_path) == []
    play_round(make_game(seats=3))


def test_backup_follows_the_migrations_that_are_applied(stores, tmp_path):
    stores.new(bare=True)
    with pytest.raises(BackupError, match="There is nothing to back up: the database has no tables"):
        making.back_up(tmp_path / "none.zip")
    stores.new()
    recorder = MigrationRecorder(connection)
    recorder.record_applied("scoresheets", "9999_tomorrow")
    with pytest.raises(BackupError, match=r"by a newer release: this one does not know scoresheets\.9999_tomorrow"):
        making.back_up(tmp_path / "none.zip")
    recorder.record_unapplied("scoresheets", "9999_tomorrow")
    # Packages that were thrown out leave their migrations and tables behind.
    recorder.record_applied("thrown_out", "0001_initial")
    assert ("thrown_out", "0001_initial") not in making.back_up(tmp_path / "some.zip").head.migrations
    assert os.listdir(tmp_path) == ["some.zip"]


def test_backup_needs_a_moment_of_its_own(db, tmp_path):
    with pytest.raises(RuntimeError, match="a transaction of its own"):
        making.back_up(tmp_path / "none.zip")


def test_old_models_are_as_their_migrations_left_them():
    first = tables.models_at([("scoresheets", "0001_initial")])
    assert "scoresheets_club" not in first
    assert "detail" not in tables.columns_of(first["scoresheets_game"])
    with pytest.raises(BackupError, match=r"does not know scoresheets\.9999_tomorrow: update first"):
        tables.models_at([("scoresheets", "9999_tomorrow")])


# -- the command ----------------------------------------------------------------------------------------------------


def run(*arguments):
    out = StringIO()
    call_command("backup", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_command_names_backups_in_a_folder_and_keeps_the_newest(stores, tmp_path, time_machine):
    stores.new()
    (tmp_path / "tafelrunde-notes.zip").write_text("not one of ours")
    for day in (1, 3, 2):
        time_machine.move_to(datetime(2026, 12, day, 4, tzinfo=UTC))
        said = run(tmp_path, "--keep", 2)
    kept = ["tafelrunde-20261202T040000Z.zip", "tafelrunde-20261203T040000Z.zip", "tafelrunde-notes.zip"]
    assert sorted(os.listdir(tmp_path)) == kept
    written, deleted = said.splitlines()
    assert re.fullmatch(rf"{tmp_path}/{kept[0]}: \d+ rows of \d+ tables, 0\.\d MB, in \d+\.\d s", written)
    assert deleted == f"{tmp_path}/tafelrunde-20261201T040000Z.zip: deleted, 2 newer ones are kept"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["FOLDER", "--keep", "0"], "At least one backup must be kept: --keep 1"),
        (["FOLDER/mine.zip", "--keep", "3"], "--keep needs a folder that is there, and FOLDER/mine.zip is none."),
        (["FOLDER/none/mine.zip"], "FOLDER/none/mine.zip cannot be written: No such file or directory."),
    ],
)
def test_command_refuses_in_a_sentence(stores, tmp_path, arguments, sentence):
    stores.use(stores.given)
    with pytest.raises(CommandError) as refused:
        run(*(argument.replace("FOLDER", str(tmp_path)) for argument in arguments))
    assert str(refused.value) == sentence.replace("FOLDER", str(tmp_path))
    assert os.listdir(tmp_path) == []
