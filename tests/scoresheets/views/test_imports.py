"""The pages of imports: a file looked at, decided about and imported; bad ones; names; doubles; progress; undoing."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Game, Import, Membership
from scoresheets.recording import imports
from tests.scoresheets.clubs import add, finished, make_club, make_user, stored
from tests.scoresheets.factories import seats_of
from tests.scoresheets.importing import NAMES, games_of
from tests.scoresheets.pages import HTMX, Element, press, read
from tests.scoresheets.views.test_clubs import as_role

pytestmark = pytest.mark.django_db

QUEUE = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
HEADER = "Spiel;Datum;Spieler;Punkte"
DAYS = ("07.03.2025", "08.03.2025", "09.03.2025")
#: One round on paper: the second of the three makes the one trick; the points of the first are a misprint.
SHEET = """Spiel;Datum;Runde;Karten;Spieler;Ansage;Stiche;Punkte
1;07.03.2025;1;1;Anna;0;0;{anna}
1;07.03.2025;1;1;Bernd;1;1;30
1;07.03.2025;1;1;Cem;0;0;20
"""


def results(*games: tuple[str, dict[str, int | str]]) -> str:
    """Return a file of bare results: the day of each game, and the points by name."""
    lines = [
        f"{number};{day};{name};{points}"
        for number, (day, seats) in enumerate(games, start=1)
        for name, points in seats.items()
    ]
    return "\n".join([HEADER, *lines, ""])


def points(*of: int, names: tuple[str, ...] = NAMES) -> dict[str, int | str]:
    return dict(zip(names, of or (30, 80, -10), strict=True))


@pytest.fixture
def club() -> Club:
    return make_club("Nachteulen", language="en")


@pytest.fixture
def manager(club) -> Client:
    return as_role(club, "manager")


def list_of(club: Club) -> str:
    return f"/clubs/{club.pk}/import/"


def upload(client: Client, club: Club, content: str | bytes, name: str = "games.csv", **more: str) -> Any:
    data = content.encode() if isinstance(content, str) else content
    # The file comes last, as in the form of the page.
    return client.post(list_of(club), {**more, "key": f"key {name}", "file": SimpleUploadedFile(name, data)})


def looked_at(client: Client, club: Club, content: str | bytes, name: str = "games.csv") -> str:
    """Return the address of the page about a file that was uploaded."""
    response = upload(client, club, content, name)
    assert response.status_code == 302, read(response).text
    return str(response["Location"])


def everybody(choice: str = "new", names: tuple[str, ...] = NAMES) -> dict[str, str]:
    return {f"who:{name}": choice for name in names}


def rows_in(page: Element, at: str) -> list[list[str]]:
    """Return the cells of the table of troubles in the section with this heading."""
    (section,) = [one for one in page.all("section") if one.attrs.get("aria-labelledby") == at]
    return [[cell.text for cell in row.all("td")] for row in section.one("tbody").all("tr")]


def written() -> dict[str, Any]:
    """Return all that an import writes beside its own row and the receipt of the upload."""
    own = dict.fromkeys(("Receipt", "Import", "ImportedFile"))
    return stored() | own | {"imports": Import.objects.exclude(state="checked").count()}


# -- from a file to games -------------------------------------------------------------------------------------------


def test_file_is_looked_at_and_imported(club, manager):
    before = written()
    page_of = looked_at(manager, club, results(("07.03.2025", points()), ("08.03.2025", points(10, 20, 30))))
    assert written() == before
    page = read(manager.get(page_of))
    facts = {term.text: value.text for term, value in zip(page.all("dt"), page.all("dd"), strict=True)}
    assert facts == {
        "Kind": "Results only, a line for each player",
        "Games": "2",
        "Encoding": "UTF-8",
        "Columns divided by": "semicolons",
    }
    sample = [line.text for line in page.one(class_="nights").all("li")]
    assert sample == [
        "7 Mar 2025 Bernd 80 points · Anna, Bernd, Cem",
        "8 Mar 2025 Cem 30 points · Anna, Bernd, Cem",
    ]

    response = press(manager, page_of, "import", typed=everybody())

    assert (response.status_code, response["Location"]) == (302, page_of)
    games = list(Game.objects.order_by("pk"))
    assert [game.night for game in games] == [date(2025, 3, 7), date(2025, 3, 8)]
    assert [[seat.total for seat in seats_of(game)] for game in games] == [[30, 80, -10], [10, 20, 30]]
    result = read(manager.get(page_of))
    links = [link["href"] for link in result.one(class_="club-games").all("a")]
    assert links == [f"/games/{game.pk}/" for game in games]
    imported, left_out, new = result.all("dd")
    assert (imported.text, left_out.text) == ("2", "0")
    assert [player.text for player in new.all("li")] == ["Anna", "Bernd", "Cem"]
    (line,) = read(manager.get(list_of(club))).one(class_="club-list").all("li")
    assert line.text.startswith("games.csv imported · ")
    assert line.text.endswith(" · 2 games")


def test_file_is_imported_once_however_often_it_is_sent(club, manager):
    first, second = (looked_at(manager, club, results(("07.03.2025", points()))) for _ in range(2))
    assert first == second
    page = read(manager.get(first))

    answers = [press(manager, first, "import", page=page, typed=everybody()) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == [first, first]
    assert Game.objects.count() == 1


def test_choices_stay_until_the_import(club, manager):
    add(club, "Annika")
    page_of = looked_at(manager, club, SHEET.format(anna=40))

    response = press(
        manager,
        page_of,
        "import",
        typed={"who:Bernd": "guest", "who:Cem": "other", "called:Cem": "Nobody", "mismatches": "leave", "partly": "on"},
    )

    page = read(response)
    assert response.status_code == 422
    for shown in (page, read(manager.get(page_of))):
        chosen = {box["name"]: box["value"] for box in shown.all("input", type="radio") if "checked" in box.attrs}
        assert chosen == {"who:Bernd": "guest", "who:Cem": "other", "mismatches": "leave", "house": "club"}
        assert shown.one("input", name="called:Cem")["value"] == "Nobody"
        assert "The club knows nobody called “Nobody”." in shown.text
    assert "2 names are open: say who they are." in page.one(id="obstacles").text


def test_file_can_be_discarded(club, manager):
    page_of = looked_at(manager, club, results(("07.03.2025", points())))
    before = written()

    response = press(manager, page_of, "discard")

    assert response["Location"] == list_of(club)
    assert not Import.objects.exists()
    assert written() == before
    assert manager.get(page_of).status_code == 404


def test_pages_of_other_clubs_imports_are_not_there(club, manager):
    page_of = looked_at(manager, club, results(("07.03.2025", points())))
    other = make_club("Andere")
    intruder = as_role(other, "owner")
    elsewhere = page_of.replace(f"/clubs/{club.pk}/", f"/clubs/{other.pk}/")

    for end in ("", "undo/"):
        assert intruder.get(elsewhere + end).status_code == 404
        assert intruder.post(elsewhere + end, {"import": "1"}).status_code == 404
    assert manager.get(f"{list_of(club)}{10**30}/").status_code == 404


@pytest.fixture
def strict(club) -> tuple[Client, str]:
    """Return a manager whose forms are checked for their token, as on the site, and the token of the upload."""
    client, user = Client(enforce_csrf_checks=True), make_user("Mo")
    Membership.objects.create(club=club, user=user, role="manager")
    client.force_login(user)
    return client, read(client.get(list_of(club))).all("input", name="csrfmiddlewaretoken")[-1]["value"]


def test_upload_without_its_token_is_refused(club, strict):
    client, token = strict
    content = results(("07.03.2025", points()))

    assert upload(client, club, content).status_code == 403
    assert not Import.objects.exists()
    assert upload(client, club, content, csrfmiddlewaretoken=token).status_code == 302


@pytest.mark.parametrize("name", ["sheets-long-de", "sheets-wide-en", "results-long-en", "results-wide-de"])
def test_examples_can_be_imported(name, club, manager):
    example = manager.get(f"{list_of(club)}examples/{name}.csv")
    assert example["Content-Disposition"] == f'attachment; filename="{name}.csv"'

    page_of = looked_at(manager, club, example.content, f"{name}.csv")
    people = [field["name"] for field in read(manager.get(page_of)).all("input", value="new")]
    press(manager, page_of, "import", typed=dict.fromkeys(people, "new"))

    assert Game.objects.filter(club=club, counted=True).count() == 2


def test_other_examples_are_not_there(club, manager):
    assert manager.get(f"{list_of(club)}examples/sheets-tall-fr.csv").status_code == 404


# -- bad files ------------------------------------------------------------------------------------------------------


def bomb() -> bytes:
    """Return a small workbook that would unpack to 200 MB."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 200_000_000)
    return packed.getvalue()


BAD_FILES = {
    "empty": (b"", "games.csv"),
    "wrong type": (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "games.csv"),
    "a page": (b"<html><table></table></html>", "games.xls"),
    "many columns": (";".join(f"C{n}" for n in range(10_000)).encode() + b"\n1;2\n", "games.csv"),
    "half a play": (b'{"games": [{"id": 1, "name": "Wiz', "export.json"),
    "half a workbook": (b"PK\x03\x04" + b"\0" * 50, "games.xlsx"),
    "half a cell": (f'{HEADER}\n1;07.03.2025;"Anna;30\n'.encode(), "games.csv"),
    "header twice": (b"Spiel;Datum;Spieler;Punkte;Punkte\n1;07.03.2025;Anna;3;4\n", "games.csv"),
    "other headers": (b"Kegelbahn;Wurf\n1;2\n", "games.csv"),
}


@pytest.mark.parametrize("kind", [*BAD_FILES, "zip bomb"])
def test_bad_file_is_refused_and_nothing_is_kept(kind, club, manager):
    content, name = (bomb(), "games.xlsx") if kind == "zip bomb" else BAD_FILES[kind]
    before = written()

    response = upload(manager, club, content, name)

    assert response.status_code == 422
    assert read(response).one(id="troubles").all("li")[0].text
    assert not Import.objects.exists()
    assert written() == before


def test_large_file_is_not_kept_nor_read(club, strict, monkeypatch):
    client, token = strict
    monkeypatch.setattr("scoresheets.views.imports.MOST_BYTES", 100_000)
    read_in: list[int] = []
    monkeypatch.setattr("scoresheets.forms.import_plans.read", lambda data, *given, **more: read_in.append(len(data)))

    response = upload(client, club, b"0" * 1_000_000, csrfmiddlewaretoken=token)

    assert response.status_code == 422
    assert read(response).one(id="troubles").all("li")[0].text.startswith("The file is larger than 10 MB.")
    assert (read_in, Import.objects.count()) == ([], 0)


def test_hopeless_file_is_refused_unread(club, manager):
    response = manager.generic(
        "POST",
        list_of(club),
        b"",
        content_type="multipart/form-data; boundary=x",
        headers={"Content-Length": str(10**9)},
    )

    assert response.status_code == 422
    assert read(response).one(id="troubles").all("li")[0].text.startswith("The file is larger than 10 MB.")


def test_form_without_a_file_is_refused(club, manager):
    response = manager.post(list_of(club), {"key": "k"})

    assert (response.status_code, read(response).one(id="troubles").all("li")[0].text) == (422, "Choose a file.")


def test_too_many_files_wait(club, manager):
    for number in range(imports.MOST_CHECKED):
        looked_at(manager, club, results(("07.03.2025", points())), f"{number}.csv")

    response = upload(manager, club, results(("07.03.2025", points())), "one more.csv")

    assert response.status_code == 422
    assert "5 files of the club wait to be imported" in read(response).one(id="troubles").text


def test_games_with_problems_are_told_by_row_and_column(club, manager):
    tomorrow = (timezone.localdate() + timedelta(days=2)).strftime("%d.%m.%Y")
    content = (
        results(
            ("07.03.2025", points()),
            ("08.03.2025", points(10, "12,5", 30)),
            ("09.03.2025", {"Anna": 10, "Bernd": 20}),
            (tomorrow, points(10, 20, 30)),
        )
        + "5;10.03.2025;Anna;10\n5;10.03.2025;Anna;20\n5;10.03.2025;Cem;30\n"
    )
    page_of = looked_at(manager, club, content)

    page = read(manager.get(page_of))

    rows = rows_in(page, "problems")
    assert [(row[0], row[1]) for row in rows][:1] == [("6", "D (Punkte)")]
    assert {row[0] for row in rows} == {"6", "8", "10", "13", "14"}
    assert all(row[2] for row in rows)
    refused = press(manager, page_of, "import", typed=everybody())
    assert refused.status_code == 422
    assert "4 games cannot be imported." in read(refused).one(id="obstacles").text
    assert Game.objects.count() == 0
    press(manager, page_of, "import", typed=everybody() | {"partly": "on"})
    assert Game.objects.count() == 1
    result = read(manager.get(page_of))
    assert len(result.one(class_="left-out").all("li")) == 4


def test_misprint_is_told_and_never_believed(club, manager):
    page_of = looked_at(manager, club, SHEET.format(anna=40))
    page = read(manager.get(page_of))
    ((row, column, sentence),) = rows_in(page, "differences")
    assert (row, column) == ("2", "H (Punkte)")
    assert "40" in sentence
    assert "20" in sentence

    press(manager, page_of, "import", typed=everybody())

    (game,) = Game.objects.all()
    assert [seat.total for seat in seats_of(game)] == [20, 30, 20]
    assert "40" in read(manager.get(page_of)).one(class_="club-games").text


def test_misprint_can_be_left_out(club, manager):
    page_of = looked_at(manager, club, SHEET.format(anna=40))

    response = press(manager, page_of, "import", typed=everybody() | {"mismatches": "leave"})

    assert response.status_code == 422
    assert read(response).one(id="obstacles").all("li")[-1].text == "There is no game left to import."
    assert Game.objects.count() == 0


def test_games_without_a_day_get_one(club, manager):
    page_of = looked_at(manager, club, "Spieler;Spiel;Punkte\nAnna;1;10\nBernd;1;20\nCem;1;30\n")

    wrong = press(manager, page_of, "check", "1", typed={"day": "yesterday"})
    press(manager, page_of, "check", "1", typed={"day": "2025-03-07"})
    press(manager, page_of, "import", typed=everybody())

    assert (wrong.status_code, read(wrong).one(id="day_error").text) == (422, "“yesterday” is not a date.")
    assert Game.objects.get().night == date(2025, 3, 7)


# -- names ----------------------------------------------------------------------------------------------------------


def options_of(page: Element, name: str) -> list[tuple[str, bool]]:
    """Return what can be chosen for a name, in words, and whether it is."""
    boxes = [label for label in page.all("label") if label.all("input", name=f"who:{name}")]
    return [(label.one("b").text, "checked" in label.one("input").attrs) for label in boxes]


def test_names_are_matched_but_never_guessed(club, manager):
    add(club, "ANNA", "Bérnd", "Tom", "Lars")
    page_of = looked_at(manager, club, results(("07.03.2025", points(names=("Anna", "Bernd", "Tomm")))))

    page = read(manager.get(page_of))

    assert options_of(page, "Anna") == [("ANNA", True), ("Somebody else", False)]
    assert options_of(page, "Bernd") == [("Bérnd", True), ("Somebody else", False)]
    assert options_of(page, "Tomm") == [
        ("Tom", False),
        ("A new player", False),
        ("A new guest", False),
        ("Somebody else", False),
    ]
    refused = press(manager, page_of, "import")
    assert refused.status_code == 422
    assert read(refused).one(id="obstacles").all("li")[0].text == "1 name is open: say who it is."
    tom = club.players.get(name="Tom")
    press(manager, page_of, "import", typed={"who:Tomm": f"player:{tom.pk}"})
    assert [seat.name for seat in seats_of(Game.objects.get())] == ["ANNA", "Bérnd", "Tom"]
    assert club.players.count() == 5


def test_people_who_left_or_were_merged_are_offered(club, manager):
    anna, other, bernd = add(club, "Anna", "Annie", "Bernd")
    recording.merge_players(anna, other, by=OPERATOR)
    recording.archive_player(bernd, by=OPERATOR)
    page_of = looked_at(manager, club, results(("07.03.2025", points(names=("Annie", "Bernd", "Cem")))))

    page = read(manager.get(page_of))

    assert options_of(page, "Annie")[0] == ("Anna", False)
    assert options_of(page, "Bernd")[0] == ("Bernd", False)
    typed = {"who:Annie": f"player:{anna.pk}", "who:Bernd": f"player:{bernd.pk}", "who:Cem": "guest"}
    press(manager, page_of, "import", typed=typed)
    seats = seats_of(Game.objects.get())
    assert [seat.player_id for seat in seats[:2]] == [anna.pk, bernd.pk]
    assert club.players.get(name="Cem").is_guest


def test_new_names_that_look_alike_are_told_and_can_be_one_person(club, manager):
    content = results(
        ("07.03.2025", points(names=("Annika", "Bernd", "Cem"))),
        ("08.03.2025", points(names=("Anikka", "Bernd", "Cem"))),
    )
    page_of = looked_at(manager, club, content)
    page = read(manager.get(page_of))
    assert "much alike: Anikka" in page.text

    typed = everybody(names=("Annika", "Bernd", "Cem")) | {"who:Anikka": "other", "called:Anikka": " annika "}
    press(manager, page_of, "import", typed=typed)

    assert [seats_of(game)[0].name for game in Game.objects.order_by("pk")] == ["Annika"] * 2


@pytest.mark.parametrize("choice", ["player:{bernd}", "other"])
def test_one_player_twice_in_a_game_is_refused_with_its_row(choice, club, manager):
    bernd = add(club, "Bernd")[0]
    page_of = looked_at(manager, club, results(("07.03.2025", points())))
    typed = everybody() | {"who:Bernd": f"player:{bernd.pk}", "called:Anna": "bernd"}

    response = press(manager, page_of, "import", typed=typed | {"who:Anna": choice.format(bernd=bernd.pk)})

    assert response.status_code == 422
    assert rows_in(read(response), "problems") == [["2", "–", "Bernd cannot sit on two seats.Anna, Bernd, Cem"]]
    assert Game.objects.count() == 0


@pytest.mark.parametrize("choice", ["player:99999", "player:x", "somebody", "", "new:x"])
def test_choices_that_are_none_settle_nobody(choice, club, manager):
    page_of = looked_at(manager, club, results(("07.03.2025", points())))

    response = press(manager, page_of, "import", typed=everybody() | {"who:Anna": choice})

    assert response.status_code == 422
    assert Game.objects.count() == 0
    assert club.players.count() == 1


def test_name_that_somebody_took_meanwhile_is_refused(club, manager):
    page_of = looked_at(manager, club, results(("07.03.2025", points())))
    page = read(manager.get(page_of))
    add(club, "Anna")

    response = press(manager, page_of, "import", page=page, typed=everybody())

    assert response.status_code == 422
    assert "The club already knows Anna." in read(response).text


def test_file_of_too_many_people_is_refused(club, manager):
    games = [("07.03.2025", points(names=(f"Ann {n}", f"Ben {n}", f"Cem {n}"))) for n in range(84)]
    page_of = looked_at(manager, club, results(*games))

    shown = read(manager.get(page_of))
    response = manager.post(page_of, {"import": "1"})

    assert not shown.all("input", type="radio", value="new")
    assert "252 different" in shown.one(id="obstacles").text
    assert (response.status_code, Game.objects.count()) == (422, 0)
    assert "252 different names; at most 250" in read(response).one(id="obstacles").text


# -- doubles --------------------------------------------------------------------------------------------------------


def test_games_that_are_there_already_are_left_out_unless_ticked(club, manager):
    content = results(("07.03.2025", points()), ("08.03.2025", points()), ("08.03.2025", points()))
    first = looked_at(manager, club, content)
    assert [box["value"] for box in read(manager.get(first)).all("input", name="again")] == ["8"]
    press(manager, first, "import", typed=everybody())
    assert Game.objects.count() == 2

    again = looked_at(manager, club, content, "again.csv")
    page = read(manager.get(again))

    boxes = page.all("input", name="again")
    assert len(boxes) == 3
    assert not page.all("button", name="import")
    press(manager, again, "check", "1", typed={"again": [boxes[1]["value"]]})
    press(manager, again, "import")
    assert Game.objects.count() == 3
    found = Import.objects.latest("pk")
    assert sorted(found.games.values_list("row", "state", "reason")) == [
        (2, "left_out", "imported_before"),
        (5, "made", ""),
        (8, "left_out", "imported_before"),
    ]


def test_game_that_was_kept_here_is_recognised(club, manager):
    players = add(club, *NAMES)
    game = finished(club, players)
    Game.objects.filter(pk=game.pk).update(night=date(2025, 3, 7))
    totals = [seat.total for seat in seats_of(game)]
    content = results(("07.03.2025", points(*totals)), ("07.03.2025", points(totals[1], totals[0], totals[2])))

    page_of = looked_at(manager, club, content)

    page = read(manager.get(page_of))
    assert [box["value"] for box in page.all("input", name="again")] == ["2"]
    assert "the club has it" in page.text
    recording.void(game, by=OPERATOR, reason="Twice")
    assert not read(manager.get(page_of)).all("input", name="again")


# -- BG Stats -------------------------------------------------------------------------------------------------------


def test_plays_of_wizard_are_taken_and_others_can_be(club, manager):
    plays = [
        {
            "uuid": f"play-{number}",
            "gameRefId": game,
            "playDate": f"2025-03-0{number} 20:00:00",
            "playerScores": [{"playerRefId": who, "score": str(who * 10), "winner": who == 3} for who in (1, 2, 3)],
        }
        for number, game in ((1, 1), (2, 2))
    ]
    export = {
        "games": [{"id": 1, "name": "Wizard"}, {"id": 2, "name": "Kutschfahrt"}],
        "players": [{"id": number, "name": name} for number, name in enumerate(NAMES, start=1)],
        "locations": [],
        "plays": plays,
    }
    page_of = looked_at(manager, club, json.dumps(export), "export.json")
    page = read(manager.get(page_of))
    boxes = {box["value"]: "checked" in box.attrs for box in page.all("input", name="game")}
    assert boxes == {"Wizard": True, "Kutschfahrt": False}

    both = press(manager, page_of, "check", "1", typed={"game": ["Wizard", "Kutschfahrt"]})
    assert "Import 2 games" in read(both).text
    press(manager, page_of, "check", "1", typed={"game": ["Wizard"]})
    press(manager, page_of, "import", typed=everybody())

    assert [seat.total for seat in seats_of(Game.objects.get())] == [10, 20, 30]
    assert Import.objects.get().games.get().key


# -- at work, and undone --------------------------------------------------------------------------------------------


def test_page_follows_the_import_and_says_when_it_is_over(club, manager, settings):
    settings.TASKS = QUEUE
    page_of = looked_at(manager, club, results(*((day, points()) for day in DAYS)))
    press(manager, page_of, "import", typed=everybody())
    found = Import.objects.get()

    waiting = read(manager.get(page_of))
    imports.run_import(found.pk, seconds=0)
    running = manager.get(page_of, headers=HTMX)
    imports.run_import(found.pk)
    over = manager.get(page_of, headers=HTMX)

    part = waiting.one(id="progress")
    assert (part["hx-get"], part["hx-trigger"]) == (page_of, "every 2s")
    assert part.one("progress")["max"] == "3"
    assert "0 of 3 games" in part.text
    shown = read(running)
    assert [element.tag for element in shown.content if isinstance(element, Element)] == ["section"]
    assert (shown.one("progress")["value"], "1 of 3 games" in shown.text) == ("1", True)
    assert over["HX-Refresh"] == "true"
    assert "HX-Refresh" not in manager.get(page_of)


def test_second_import_waits_for_the_first(club, manager, settings):
    settings.TASKS = QUEUE
    first, second = (looked_at(manager, club, results((day, points())), f"{day}.csv") for day in DAYS[:2])
    press(manager, first, "import", typed=everybody())
    before = written()

    response = press(manager, second, "import", typed=everybody("guest") | {f"who:{name}": None for name in NAMES})

    assert response.status_code == 409
    assert "Another import of the club is under way" in read(response).all(class_="err-box")[0].text
    assert written() == before


def test_import_is_undone_from_its_page(club, manager):
    page_of = looked_at(manager, club, results(*((day, points()) for day in DAYS)))
    press(manager, page_of, "import", typed=everybody())
    found = Import.objects.get()
    games = games_of(found)
    recording.correct_results(games[0].pk, [1, 2, 3], by=OPERATOR, seen=games[0].version, reason="Misread")
    (link,) = [one for one in read(manager.get(page_of)).all("a") if one["href"].endswith("/undo/")]

    page = read(manager.get(link["href"]))
    boxes = page.all("input", name="also")
    response = press(manager, link["href"], "undo")

    assert [box["value"] for box in boxes] == [str(games[0].imported.pk)]
    assert "2 games of “games.csv” are voided" in page.text
    assert response["Location"] == page_of
    assert [game.halted for game in Game.objects.order_by("pk")] == ["", "voided", "voided"]
    result = read(manager.get(page_of))
    assert "undid this import" in result.one(class_="note").text
    assert not [one for one in result.all("a") if one["href"].endswith("/undo/")]
    again = manager.post(link["href"], {"key": "other"})
    assert (again.status_code, "There is nothing to undo here." in read(again).text) == (409, True)


def test_changed_game_is_undone_if_it_is_ticked(club, manager):
    page_of = looked_at(manager, club, results((DAYS[0], points())))
    press(manager, page_of, "import", typed=everybody())
    game = Game.objects.get()
    recording.confirm(game, seen=game.version, by=OPERATOR)

    press(manager, f"{page_of}undo/", "undo", typed={"also": [str(game.imported.pk), "x", "9" * 40]})

    assert Game.objects.get().halted == "voided"


def test_statements_do_not_grow_with_the_file(club, manager, django_assert_num_queries):
    counts = []
    for number in (2, 12):
        days = [f"{day:02}.0{number // 2}.2025" for day in range(1, number + 1)]
        page_of = looked_at(manager, club, results(*((day, points()) for day in days)), f"{number}.csv")
        with django_assert_num_queries(10) as captured:
            manager.get(page_of)
        counts.append(len(captured.captured_queries))

    assert counts[0] == counts[1]


def test_pages_are_in_german_too(club, manager):
    page_of = looked_at(manager, club, results((DAYS[0], points())))
    german = {"Accept-Language": "de"}

    texts = [read(manager.get(address, headers=german)).text for address in (list_of(club), page_of)]

    assert "Spiele mitbringen" in texts[0]
    assert re.search(r"1 Spiel importieren", texts[1])
