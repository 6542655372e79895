"""`manage.py import_games`: the same functions as the page, for the operator."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from scoresheets.models import Game, Import
from tests.scoresheets.clubs import add, make_club, member_of, stored
from tests.scoresheets.factories import seats_of

pytestmark = pytest.mark.django_db

FILE = """Spiel;Datum;Spieler;Punkte
1;07.03.2025;Anna;30
1;07.03.2025;Bernd;80
1;07.03.2025;Tomm;-10
2;08.03.2025;Anna;30
2;08.03.2025;Bernd;12,5
2;08.03.2025;Tomm;-10
"""


@pytest.fixture
def club():
    made = make_club("Nachteulen")
    member_of(made, "manager", "Mo")
    add(made, "Anna", "Tom")
    return made


@pytest.fixture
def run(club, tmp_path):
    """Return what runs the command over `FILE` (or other bytes): what it prints, and why it ended badly."""

    def run(*arguments, content=FILE, club_id=club.pk, account="mo"):
        file = tmp_path / "games.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        out = StringIO()
        try:
            with override("en"):
                call_command("import_games", str(file), f"--club={club_id}", f"--as={account}", *arguments, stdout=out)
        except CommandError as error:
            return out.getvalue().splitlines(), str(error)
        return out.getvalue().splitlines(), None

    return run


def test_file_is_imported_as_decided(run, club):
    printed, wrong = run("--new=guest", "--who=Tomm=Tom", "--partly")

    assert wrong is None
    assert printed[0].startswith("row 6, D (Punkte): ")
    assert printed[-1] == f"1 game imported; import {Import.objects.get().pk} can be undone on its page."
    assert [(seat.name, seat.total) for seat in seats_of(Game.objects.get())] == [
        ("Anna", 30),
        ("Bernd", 80),
        ("Tom", -10),
    ]
    assert club.players.get(name="Bernd").is_guest


def test_dry_run_writes_nothing(run):
    before = stored()

    printed, wrong = run("--new=new", "--who=Tomm=Tom", "--partly", "--dry-run")

    assert (printed[-1], wrong) == ("1 game would be imported.", None)
    assert stored() == before


def test_names_and_problems_keep_all_back_until_they_are_decided(run):
    before = stored()

    printed, wrong = run()

    assert "Tomm: nobody is called so; like Tom" in printed
    assert "Bernd: nobody is called so" in printed
    assert wrong == "2 names are open: say who they are. " + (
        "1 game cannot be imported. Put the file right, or tick that the others are imported."
    )
    assert stored() == before


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"club_id": 999}, "There is no club 999."),
        ({"account": "nobody"}, "There is no account nobody."),
        ({"account": "Scorer"}, "Scorer does not manage Nachteulen."),
    ],
)
def test_wrong_arguments_are_said(options, sentence, run, club):
    member_of(club, "scorer", "Scorer")
    before = stored()

    _printed, wrong = run("--new=new", "--partly", **options)

    assert wrong == sentence
    assert stored() == before


def test_bad_file_is_said(run, club):
    _printed, wrong = run(content=b"\x89PNG\r\n\x1a\n")

    assert wrong
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_games", "/nowhere/games.csv", f"--club={club.pk}", "--as=mo")
