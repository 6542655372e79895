"""`manage.py export_club` and `import_club`."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoresheets.club_files import layout
from scoresheets.models import Club
from tests.scoresheets.club_files import small_club, text_of
from tests.scoresheets.clubs import make_user

pytestmark = pytest.mark.django_db


def run(command, *arguments, **options):
    """Return what a command says, and how it failed, "" if it did not."""
    out, err, failed = StringIO(), StringIO(), ""
    try:
        call_command(command, *arguments, stdout=out, stderr=err, **options)
    except CommandError as error:
        failed = str(error)
    return out.getvalue(), err.getvalue(), failed


def test_a_club_goes_into_a_file_and_out_of_it(tmp_path):
    club, file = small_club(), tmp_path / "club.json"
    owner = make_user("Frida")

    said = run("export_club", club.pk, str(file))
    assert said == (f"Dohlen: {file.stat().st_size:,} bytes in {file}\n", "", "")
    assert file.read_text(encoding="utf-8") == text_of(club)
    assert list(tmp_path.iterdir()) == [file]

    said = run("import_club", str(file), "--owner", "frida")
    new = Club.objects.latest("pk")
    assert said == (f"Dohlen is club {new.pk} now, with 2 games.\n", "", "")
    assert text_of(new) == text_of(club)
    assert new.memberships.get().user == owner


def test_a_file_can_be_written_to_the_standard_output(capfdbinary):
    club = small_club()

    run("export_club", club.pk)

    assert capfdbinary.readouterr().out.decode() == text_of(club)


def test_the_schema_can_be_printed():
    assert json.loads(run("export_club", "--schema")[0]) == layout.schema()


def test_a_dry_run_says_what_would_come_and_writes_nothing(tmp_path):
    club, file = small_club(), tmp_path / "club.json"
    run("export_club", club.pk, str(file))
    night = club.games.all()[0].night

    said = run("import_club", str(file), "--dry-run")

    assert said == (
        f"Dohlen: 5 players, 1 evening, 1 season, 2 games with 7 entries, {night} to {night}\nNothing was written.\n",
        "",
        "",
    )
    assert Club.objects.count() == 1


def test_all_that_is_wrong_with_a_file_is_said(tmp_path):
    club, file = small_club(), tmp_path / "club.json"
    file.write_text(text_of(club).replace('"Annika"', '""').replace('"total":30', '"total":31'), encoding="utf-8")
    make_user("Frida")

    out, err, failed = run("import_club", str(file), "--owner", "Frida")

    assert (out, failed) == ("", "The file was not imported: nothing was written.")
    assert [line.split(":")[0] for line in err.splitlines()] == [
        "$.players[1].name",
        "$.players[1].history[0].values.name",
        "$.games[0].seats[0].name",
    ]
    assert Club.objects.count() == 1


@pytest.mark.parametrize(
    ("arguments", "failed"),
    [
        (("export_club",), "Say which club, by its id."),
        (("export_club", "99"), "There is no club 99."),
        (("import_club", "club.json"), "cannot be read"),
        (("import_club", __file__), "Say with --owner whose club it is to be."),
        (("import_club", __file__, "--owner", "Nobody"), "There is no account called Nobody."),
        (("import_club", __file__, "--dry-run"), "The file was not imported: nothing was written."),
    ],
)
def test_what_cannot_be_done_is_said(arguments, failed):
    assert failed in run(*arguments)[2]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    club = small_club()

    assert "cannot be written" in run("export_club", club.pk, str(tmp_path / "no" / "club.json"))[2]
    assert list(tmp_path.iterdir()) == []
