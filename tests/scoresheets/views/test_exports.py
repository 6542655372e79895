"""Taking a club away: the page, each table as CSV and workbook, and files that come in again as the same games."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.formats import workbooks
from scoresheets.imports.reading import read as read_file
from scoresheets.models import Club, Game
from tests.scoresheets.clubs import add, club_game, finished, make_club
from tests.scoresheets.factories import play_round
from tests.scoresheets.pages import read
from tests.scoresheets.test_tables import PAYLOADS
from tests.scoresheets.views.test_club_roles import client_of

pytestmark = pytest.mark.django_db

PLAYED_AT = datetime(2026, 3, 14, 19, 30, 5, tzinfo=UTC)


def member_of(club: Club) -> Client:
    client = Client()
    client.force_login(club.memberships.get(role="owner").user)
    return client


def exported(club: Club, file: str, client: Client | None = None, **query: Any) -> Any:
    """Return the answer to a member who asks for a file, read to its end."""
    answer = (client or member_of(club)).get(f"/clubs/{club.pk}/export/{file}", query)
    if answer.streaming:
        answer.data = b"".join(answer.streaming_content)
    return answer


def lines_of(club: Club, table: str, **query: Any) -> list[list[str]]:
    """Return the lines of a table as CSV, the headings first."""
    language = query.setdefault("language", "en")
    text = exported(club, f"{table}.csv", **query).data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=";" if language == "de" else ","))


def rows_of(club: Club, table: str, **query: Any) -> list[list[Any]]:
    """Return the values of a table as a workbook, the headings first."""
    data = exported(club, f"{table}.xlsx", **{"language": "en", **query}).data
    return [[cell.value for cell in row] for row in load_workbook(io.BytesIO(data)).worksheets[0].iter_rows()]


def sheet(club: Club, *rounds: tuple[list[int], list[int]], names: tuple[str, ...] = ("Anna", "Bernd", "Cem"), **more):
    """Return a game written down from paper, of rounds as (bids, tricks), in the club's time zone Europe/Berlin."""
    played = [rules.PlayedRound(tuple(bids), tuple(tricks)) for bids, tricks in rounds]
    options: dict[str, Any] = {"played_at": PLAYED_AT, "house": rules.HouseRules(), "first_dealer": 0, **more}
    known = dict(club.players.values_list("name", "pk"))
    players = [known.get(name, name) for name in names]
    return recording.record_sheet(names, rounds=played, club=club, players=players, by=OPERATOR, **options).game


ONE_ROUND = ([1, 0, 0], [1, 0, 0])


@pytest.fixture
def club() -> Club:
    return make_club("Runde am Montag", owner="Olga")


# -- the page -------------------------------------------------------------------------------------------------------


def test_page_offers_each_table_and_file(club):
    page = read(member_of(club).get(f"/clubs/{club.pk}/export/"))

    start = f"/clubs/{club.pk}/export/"
    tables = [f"{start}{table}.{ending}" for table in ("games", "rounds", "players") for ending in ("csv", "xlsx")]
    form = page.one("form", method="get", action=start)
    assert [button["formaction"] for button in form.all("button", type="submit")] == [*tables, f"{start}bgstats.json"]
    assert [link["href"] for link in page.all("a") if "download" in link.attrs] == [f"{start}club.json"]
    # Each button says of what it is; a screen reader hears it without its surroundings.
    assert len({button.text for button in form.all("button", type="submit")}) == 7


def test_page_offers_the_table_of_a_season_once_there_is_one(club):
    season = recording.create_season(club, recording.SeasonSettings("Winter", date(2020, 1, 1)), by=OPERATOR)

    page = read(member_of(club).get(f"/clubs/{club.pk}/export/", {"season": season.pk}))

    assert page.all("button", formaction=f"/clubs/{club.pk}/export/standings.csv")
    assert [option["value"] for option in page.one("select", id="season").all("option", selected="")] == [
        str(season.pk)
    ]


@pytest.mark.parametrize(("header", "chosen"), [("de", "de"), ("en", "en")])
def test_page_proposes_the_spreadsheet_of_its_own_language(club, header, chosen):
    page = read(member_of(club).get(f"/clubs/{club.pk}/export/", headers={"Accept-Language": header}))

    assert [option["value"] for option in page.one("select", id="language").all("option", selected="")] == [chosen]


def test_club_page_leads_there_for_members_alone():
    club = make_club(visibility="public")

    pages = [read(client_of(role, club).get(f"/clubs/{club.pk}/")) for role in ("member", "stranger")]

    assert [len(page.all("a", href=f"/clubs/{club.pk}/export/")) for page in pages] == [1, 0]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"since": "yesterday"}, "since"),
        ({"since": "2026-02-01", "until": "2026-01-01"}, "until"),
        ({"season": "0"}, "season"),
        ({"season": "' OR 1=1"}, "season"),
        ({"language": "fr"}, "language"),
    ],
)
def test_file_that_would_not_be_what_was_asked_for_is_refused(club, query, field):
    recording.create_season(club, recording.SeasonSettings("Winter", date(2020, 1, 1)), by=OPERATOR)
    client = member_of(club)

    for file in ("games.csv", "players.xlsx", "bgstats.json"):
        answer = exported(club, file, client, **query)

        assert (answer.status_code, answer["Content-Type"]) == (422, "text/html; charset=utf-8")
        assert list(answer.context["form"].errors) == [field]
        assert [control["id"] for control in read(answer).all(aria_invalid="true")] == [field]


def test_table_of_no_season_is_refused(club):
    recording.create_season(club, recording.SeasonSettings("Winter", date(2020, 1, 1)), by=OPERATOR)

    answer = exported(club, "standings.csv")

    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["season"])


def test_season_of_another_club_is_none_of_ours(club):
    season = recording.create_season(
        make_club("Other"), recording.SeasonSettings("Winter", date(2020, 1, 1)), by=OPERATOR
    )

    assert exported(club, "standings.csv", season=season.pk).status_code == 422


@pytest.mark.parametrize("file", ["secrets.csv", "games.exe", "club.csv", "bgstats.csv"])
def test_unknown_tables_are_not_there(club, file):
    assert exported(club, file).status_code == 404


def test_workbook_that_would_be_too_large_is_refused_with_a_word_on_what_to_do(club, monkeypatch):
    finished(club, add(club, "Anna", "Bernd", "Cem"))
    monkeypatch.setattr(workbooks, "MOST_ROWS", 2)

    answers = [exported(club, f"{table}.xlsx", language="en") for table in ("games", "rounds", "players")]

    assert [answer.status_code for answer in answers] == [422, 422, 422]
    assert "3 lines" in read(answers[0]).one(class_="err-box").text
    assert exported(club, "games.csv").status_code == 200


# -- what is in them --------------------------------------------------------------------------------------------------


def test_games_are_a_line_for_each_game_and_player(club):
    game = sheet(club, ONE_ROUND)

    english, german = lines_of(club, "games"), lines_of(club, "games", language="de")

    titles = ["Game", "Date", "Player", "Points", "Place", "Exact bids", "Bids in all", "People"]
    assert english[0] == [*titles, "Edition", "Ended early"]
    first = [str(game.pk), "2026-03-14 20:30:05", "Anna", "30", "1", "1", "1", "3", "Base game", ""]
    assert english[1] == first
    assert [line[2:5] for line in english[2:]] == [["Bernd", "20", "2"], ["Cem", "20", "2"]]
    assert german[0][:5] == ["Spiel", "Datum", "Spieler", "Punkte", "Platz"]
    assert german[1][:3] == [str(game.pk), "14.03.2026 20:30:05", "Anna"]


def test_rounds_are_a_line_for_each_round_and_player(club):
    house = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True)
    rounds = [
        rules.PlayedRound((1, 0, 0), (1, 0, 0), blind=(True, False, False)),
        rules.PlayedRound((1, 0, 0), (1, 0, 0), bombs=1, clouds=((0, 1),)),
    ]
    names = ("Anna", "Bernd", "Cem")
    recording.record_sheet(
        names, house, first_dealer=1, rounds=rounds, club=club, players=names, played_at=PLAYED_AT, by=OPERATOR
    )

    lines = lines_of(club, "rounds")

    assert [line[2:13] for line in lines[:4]] == [
        ["Round", "Cards", "Bombs", "Dealer", "Player", "Bid", "Blind", "Cloud", "Tricks", "Points", "Total"],
        ["1", "1", "", "Bernd", "Anna", "1", "x", "", "1", "60", "60"],
        ["1", "1", "", "Bernd", "Bernd", "0", "", "", "0", "20", "20"],
        ["1", "1", "", "Bernd", "Cem", "0", "", "", "0", "20", "20"],
    ]
    assert lines[4][2:13] == ["2", "2", "1", "Cem", "Anna", "1", "", "1", "1", "-10", "50"]
    assert {line[13] for line in lines[1:]} == {"specials=BOMB,CLOUD blind_bids"}


def test_bare_results_are_among_games_and_in_no_rounds(club):
    recording.record_results(("Anna", "Bernd", "Cem"), (120, -30, 0), club=club, by=OPERATOR, played_at=PLAYED_AT)

    assert [line[2:8] for line in lines_of(club, "games")[1:]] == [
        ["Anna", "120", "1", "", "", "3"],
        ["Bernd", "-30", "3", "", "", "3"],
        ["Cem", "0", "2", "", "", "3"],
    ]
    assert len(lines_of(club, "rounds")) == 1


@pytest.mark.parametrize(
    ("formula", "title", "decides"),
    [
        ("sum", "Points", ["60", "40", "40"]),
        ("mean", "a game", ["30", "20", "20"]),
        ("places", "Points", ["6", "3", "3"]),
        ("publisher", "Points", ["4", "-2", "-2"]),
        ("exact_rate", "Rate", ["1", "1", "1"]),
    ],
)
def test_standings_are_the_table_of_the_season(club, formula, title, decides):
    sheet(club, ONE_ROUND)
    sheet(club, ONE_ROUND, played_at=PLAYED_AT + timedelta(hours=1))
    places = (3, 2, 1) if formula == "places" else ()
    settings = recording.SeasonSettings("Spring", date(2026, 3, 1), league=rules.LeagueRules(formula, places))
    season = recording.create_season(club, settings, by=OPERATOR)

    lines, rows = lines_of(club, "standings", season=season.pk), rows_of(club, "standings", season=season.pk)

    assert [line[1] for line in lines] == ["Player", "Anna", "Bernd", "Cem"]
    assert lines[1][2:8] == ["1", "2", "2", "2", "2", "1"]
    assert [line[-1] for line in lines] == [title, *decides]
    assert [row[-1] for row in rows[1:]] == [float(value) for value in decides]


def test_players_are_added_up_with_decimal_commas_in_german(club):
    sheet(club, ONE_ROUND)
    sheet(club, ([1, 0, 1], [0, 0, 1]), played_at=PLAYED_AT + timedelta(hours=1))

    german = {line[0]: line for line in lines_of(club, "players", language="de")}
    sheet_rows = {row[0]: row for row in rows_of(club, "players")}

    assert german["Cem"][1:13] == ["2", "2", "1", "0", "50", "25", "30", "20", "2", "2", "1", ""]
    assert german["Anna"][6] == "10"
    assert german["Anna"][11] == "0,5"
    assert sheet_rows["Anna"][1:12] == [2, 2, 1, 0, 20, 10, 30, -10, 2, 1, 0.5]


def test_file_is_named_after_the_club_and_its_table(club):
    other = make_club("Ω⚡")

    names = [
        exported(one, file)["Content-Disposition"] for one in (club, other) for file in ("games.csv", "games.xlsx")
    ]

    assert names == [
        'attachment; filename="runde-am-montag-games.csv"',
        'attachment; filename="runde-am-montag-games.xlsx"',
        f'attachment; filename="club-{other.pk}-games.csv"',
        f'attachment; filename="club-{other.pk}-games.xlsx"',
    ]


def test_files_may_not_be_kept_by_a_proxy(club):
    for file in ("games.csv", "games.xlsx", "bgstats.json", ""):
        assert {"private", "no-store"} <= set(exported(club, file)["Cache-Control"].split(", "))


def test_whoever_asks_for_the_headers_alone_has_nothing_read(club, monkeypatch):
    monkeypatch.setattr("scoresheets.queries.exports._with_seats", None)
    finished(club)

    for file in ("games.csv", "rounds.xlsx", "bgstats.json"):
        answer = member_of(club).head(f"/clubs/{club.pk}/export/{file}")
        assert (answer.status_code, b"".join(answer.streaming_content)) == (200, b"")
        assert answer["Content-Disposition"].endswith(f'-{file}"')


def test_no_name_becomes_a_formula_or_is_lost():
    club = make_club("=1+1")
    # As many as sit down somewhere; what no form takes is in the database all the same.
    for start in range(0, len(PAYLOADS) - 2, 3):
        texts = [f"{text} {start}" if text == '"' else text for text in PAYLOADS[start : start + 3]]
        game = finished(club, add(club, *(f"Player {start + n}" for n in range(3))))
        for seat, text in zip(game.seats.order_by("position").select_related("player"), texts, strict=True):
            type(seat.player).objects.filter(pk=seat.player_id).update(name=text)

    for table in ("games", "rounds", "players"):
        for language in ("de", "en"):
            names = [cell for line in lines_of(club, table, language=language) for cell in line]
            assert not [cell for cell in names if cell.startswith(("=", "+", "@", "＝", "\t", "\r"))]
        data = exported(club, f"{table}.xlsx").data
        cells = [cell for row in load_workbook(io.BytesIO(data)).worksheets[0].iter_rows() for cell in row]
        assert "f" not in {cell.data_type for cell in cells}
        assert {"=1+1", "+49 30 1234", "@x", "-2"} <= {cell.value for cell in cells}


# -- in again ---------------------------------------------------------------------------------------------------------


def games_in(data: bytes, name: str) -> list[Any]:
    """Return the games that our own import finds in a file, which has nothing wrong in it."""
    found = read_file(data, name, now=timezone.now(), time_zone="Europe/Berlin")
    assert (found.problems, found.refused) == ((), ())
    assert {problem.code for game in found.games for problem in game.warnings} == set()
    return list(found.games)


def told(game: Game) -> dict[str, Any]:
    """Return what an import has to know of a game."""
    seats = list(game.seats.order_by("position"))
    return {
        "played_at": game.started_at.replace(microsecond=0),
        "names": tuple(seat.name for seat in seats),
        "points": tuple(seat.total for seat in seats),
    }


def varied_games(club: Club) -> list[Game]:
    """Return games of many kinds, the oldest first."""
    names = ("Bernd", "Anna", "Cem", "Doro", "Emil", "=1+1")
    everything = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True, plus_minus_one=True)
    later = iter(PLAYED_AT + timedelta(days=day) for day in range(10))
    rounds = [
        rules.PlayedRound((1, 0, 1), (1, 0, 0), blind=(True, False, False)),
        rules.PlayedRound((1, 0, 0), (1, 0, 0), bombs=1, clouds=((0, 1),)),
    ]
    games = [
        recording.record_sheet(
            names[:3], everything, first_dealer=2, rounds=rounds, club=club, played_at=next(later), by=OPERATOR
        ).game
    ]
    free = [rules.PlayedRound((3, 0, 0, 0), (2, 1, 0, 0)), rules.PlayedRound((0, 1, 0, 0), (1, 0, 0, 0))]
    games.append(
        recording.record_sheet(
            names[1:5],
            rules.HouseRules(variant="maximus", tie_break="shared"),
            first_dealer=1,
            rounds=free[:1],
            ladder="free",
            cards=[3],
            club=club,
            played_at=next(later),
            by=OPERATOR,
        ).game
    )
    games.append(sheet(club, ([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]), names=names, played_at=next(later)))
    game = club_game(club, add(club, "Frida", "Gerd", "Hanna"), length=4)
    for _number in range(4):
        play_round(game)
    return [*games, Game.objects.get(pk=game.pk)]


@pytest.mark.parametrize(("ending", "language"), [("csv", "de"), ("csv", "en"), ("xlsx", "de")])
def test_rounds_come_in_again_as_the_same_games(club, ending, language):
    games = varied_games(club)

    found = games_in(exported(club, f"rounds.{ending}", language=language).data, f"rounds.{ending}")

    assert [{name: getattr(one, name) for name in told(games[0])} for one in found] == [told(game) for game in games]
    for one, game in zip(found, games, strict=True):
        assert rules.HouseRules.from_mapping(dict(one.house)) == game.house
        assert one.first_dealer == game.first_dealer
        assert one.cards == tuple(game.plan)
        made = recording.record_sheet(
            one.names, game.house, first_dealer=one.first_dealer, rounds=one.rounds, ladder=one.ladder,
            cards=one.cards if one.ladder == "free" else None, by=OPERATOR,
        ).game  # fmt: skip
        assert [seat.line for seat in made.seats.order_by("position")] == [
            seat.line for seat in game.seats.order_by("position")
        ]


@pytest.mark.parametrize(("ending", "language"), [("csv", "de"), ("csv", "en"), ("xlsx", "en")])
def test_games_come_in_again_as_the_same_results(club, ending, language):
    games = varied_games(club)
    recording.record_results(("Anna", "Bernd", "Cem"), (120, -30, 0), club=club, by=OPERATOR)
    games.append(Game.objects.latest("pk"))

    found = games_in(exported(club, f"games.{ending}", language=language).data, f"games.{ending}")

    assert [{name: getattr(one, name) for name in told(games[0])} for one in found] == [told(game) for game in games]


def test_file_for_bg_stats_comes_in_again_as_the_same_results(club):
    games = varied_games(club)
    data = exported(club, "bgstats.json").data

    found = games_in(data, "bgstats.json")

    assert [{name: getattr(one, name) for name in told(games[0])} for one in found] == [told(game) for game in games]
    assert exported(club, "bgstats.json").data == data  # ids stay, so that nothing comes in twice


def test_file_for_bg_stats_has_what_the_app_knows_of_a_game(club):
    game = sheet(club, ONE_ROUND, first_dealer=1)
    early = club_game(club, add(club, "Dora", "Emil", "Frida"), length=3, rounds=1)
    recording.end_early(early, by=OPERATOR)

    file = json.loads(exported(club, "bgstats.json").data)

    assert [one["name"] for one in file["games"]] == ["Wizard"]
    names = {player["id"]: player["name"] for player in file["players"]}
    assert list(names.values()) == ["Anna", "Bernd", "Cem", "Dora", "Emil", "Frida"]
    play, other = file["plays"]
    assert (play["playDate"], play["gameRefId"], play["ignored"]) == (
        "2026-03-14 20:30:05",
        file["games"][0]["id"],
        False,
    )
    assert other["ignored"] is True
    scores = [
        (names[score["playerRefId"]], score["score"], score["rank"], score["winner"], score["startPlayer"])
        for score in play["playerScores"]
    ]
    assert scores == [("Anna", "30", 1, True, False), ("Bernd", "20", 2, False, False), ("Cem", "20", 2, False, True)]
    assert [score["seatOrder"] for score in play["playerScores"]] == [1, 2, 3]
    assert len({play["uuid"], other["uuid"], *(player["uuid"] for player in file["players"])}) == 8
    assert game.pk != early.pk


def test_file_for_bg_stats_of_no_games_is_one(club):
    file = json.loads(exported(club, "bgstats.json").data)

    assert (file["plays"], file["players"], len(file["games"])) == ([], [], 1)
