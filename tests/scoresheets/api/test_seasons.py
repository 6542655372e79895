"""Seasons through the API: the tables of the pages, settings changed as on them, names as everybody may see them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

import rules
from scoresheets import league_words, recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Season, Standing
from scoresheets.queries.leagues import games_behind, place_of, podiums_of, standings_page
from scoresheets.recording import SeasonSettings
from tests.scoresheets.api.helpers import Api, api_schema
from tests.scoresheets.clubs import add, finished, make_club, make_user, member_of, owner_of, player_of, stored

pytestmark = pytest.mark.django_db

START = date(2000, 1, 1)


@pytest.fixture
def club() -> Club:
    """Return a public club whose four players have played three games: Annika won them all."""
    made = make_club("Runde", visibility="public")
    people = add(made, "Annika", "Bernd", "Cem", "Doro")
    finished(made, people[:3])
    finished(made, people[:3])
    finished(made, [people[0], people[1], people[3]])
    return made


@pytest.fixture
def api(club: Club) -> Api:
    """Return an app of the club's owner."""
    return Api.of(owner_of(club))


def season_of(club: Club, name: str = "Liga", **settings: Any) -> Season:
    return recording.create_season(club, SeasonSettings(name, START, **settings), by=OPERATOR)


def at(club: Club, rest: str = "") -> str:
    return f"clubs/{club.pk}/seasons/{rest}"


def of(season: Season, rest: str = "") -> str:
    return f"clubs/{season.club_id}/seasons/{season.pk}/{rest}"


# -- reading ---------------------------------------------------------------------------------------------------------


def test_list_says_who_leads(club, api):
    season_of(club, "Alt", ends_on=date(2000, 12, 31))
    season = season_of(club)
    recording.close_season(season, by=OPERATOR)

    rows = api.get(at(club)).body["results"]

    podium = podiums_of([season], 3)[season.pk]
    assert [row["name"] for row in rows] == ["Liga", "Alt"]
    assert [(one["place"], one["player"], one["name"]) for one in rows[0]["podium"]] == list(podium.places)
    assert rows[1]["podium"] == []
    assert [row["name"] for row in api.get(at(club, "?state=closed")).body["results"]] == ["Liga"]
    assert [row["name"] for row in api.get(at(club, "?state=open")).body["results"]] == ["Alt"]
    assert [row["name"] for row in api.get(at(club, "?ordering=starts_on")).body["results"]] == ["Alt", "Liga"]


def test_season_says_its_rule_in_the_reader_s_words(club, api):
    league = rules.LeagueRules("places", place_points=(6, 4, 2), best=5, fewest_games=2)
    season = season_of(club, league=league, editions=("base",), guests="unranked", only_evenings=True)

    body = api.get(of(season), Accept_Language="de").body

    with translation.override("de"):
        assert body["rule"] == league_words.rule_in_words(season, incomplete_counts=False)
    assert {name: body[name] for name in SeasonSettings.of(season).values} == {
        **SeasonSettings.of(season).values,
        "starts_on": "2000-01-01",
    }
    assert (body["closed_at"], body["stale"]) == (None, False)


@pytest.mark.parametrize("formula", rules.LEAGUE_FORMULAS)
def test_standings_are_those_of_the_page(club, api, formula):
    points = (5, 2, 1) if formula == "places" else ()
    season = season_of(club, league=rules.LeagueRules(formula, place_points=points, fewest_games=2))

    rows = api.get(of(season, "standings/")).body["results"]

    lines = standings_page(season, user=owner_of(club).user).lines
    assert [
        (row["place"], row["moved"], row["player"], row["name"], row["games"], row["nights"], row["wins"])
        for row in rows
    ] == [(line.place, line.moved, line.player, line.name, line.games, line.nights, line.wins) for line in lines]
    assert [(row["exact"], row["bids"], row["points"], row["score"]) for row in rows] == [
        (line.exact, line.bids, line.points / 60, line.score) for line in lines
    ]
    with translation.override("en"):
        assert [row["score_text"] for row in rows] == [
            league_words.score_in_words(formula, points=line.points, score=line.score) for line in lines
        ]
    assert (rows[0]["name"], rows[-1]["place"]) == ("Annika", None)


def test_standings_are_paged_and_written_as_csv(club, api):
    season = season_of(club)
    found, address = [], of(season, "standings/?page_size=3")
    while address:
        page = api.get(address).body
        found += [row["name"] for row in page["results"]]
        address = page["next"]

    assert found == ["Annika", "Bernd", "Cem", "Doro"]
    assert [row["name"] for row in api.get(page["previous"]).body["results"]] == found[:3]
    rows = csv.DictReader(api.get(of(season, "standings/?format=csv")).text.splitlines())
    assert [(row["place"], row["name"]) for row in rows] == list(zip("1234", found, strict=True))


def test_standings_mark_the_reader(club):
    season, member = season_of(club), member_of(club)
    club.players.filter(name="Cem").update(user=member.user)

    rows = Api.of(member, "read").get(of(season, "standings/")).body["results"]

    assert [row["name"] for row in rows if row["is_own"]] == ["Cem"]


def test_games_behind_a_number_are_those_of_the_page(club, api):
    season = season_of(club, league=rules.LeagueRules("publisher", best=2))
    annika = club.players.get(name="Annika")

    line = api.get(of(season, f"players/{annika.pk}/")).body
    games = api.get(of(season, f"players/{annika.pk}/games/")).body["results"]

    behind = games_behind(season, annika)
    assert (line["place"], line["games"], line["games_counted"], line["points"], line["score"]) == (
        place_of(season, annika),
        3,
        2,
        behind.line.points / 60,
        behind.line.score,
    )
    assert line["sum"] == "4 points in 2 games that count"
    assert [
        (game["game"], game["total"], game["rank"], game["level"], game["points"], game["counts"]) for game in games
    ] == [(game.game, game.total, game.rank, game.level, game.points / 60, game.counts) for game in behind.games]
    assert [game["counts"] for game in games] == [False, True, True]


def test_duplicate_is_the_player_it_was_merged_into(club, api):
    season = season_of(club)
    bernd, doro = club.players.get(name="Bernd"), add(club, "Dora")[0]
    recording.merge_players(bernd, doro, by=OPERATOR)

    assert api.get(of(season, f"players/{doro.pk}/")).body["player"] == bernd.pk
    assert len(api.get(of(season, f"players/{doro.pk}/games/")).body["results"]) == 3


def test_strangers_see_public_names_and_only_those_who_played(club):
    season, (emil,) = season_of(club), add(club, "Emil")
    annika = club.players.get(name="Annika")
    club.players.filter(pk=annika.pk).update(public_name="A.")
    api = Api()

    texts = [
        api.get(path).text
        for path in (at(club), of(season), of(season, "standings/"), of(season, f"players/{annika.pk}/"))
    ]

    assert all("A." in text and "Annika" not in text for text in texts)
    assert api.get(of(season, f"players/{emil.pk}/")).refusal == (404, "not_found")
    assert api.get(of(season, f"players/{emil.pk}/games/")).refusal == (404, "not_found")
    assert Api.of(owner_of(club)).get(of(season, f"players/{emil.pk}/")).body["games"] == 0


def test_season_says_that_it_is_being_worked_out_anew(club, api):
    season = season_of(club)
    Season.objects.filter(pk=season.pk).update(stale=True)

    assert (api.get(of(season)).body["stale"], api.get(at(club)).body["results"][0]["stale"]) == (True, True)


@pytest.mark.parametrize("rest", ["", "standings/", "players/1/", "players/1/games/"])
def test_season_of_another_club_and_of_a_private_one_is_not_there(club, api, rest):
    other = season_of(make_club("Andere"))

    assert Api.of(make_user("Fremd")).get(of(other, rest)).refusal == (404, "not_found")
    assert api.get(f"clubs/{club.pk}/seasons/{other.pk}/{rest}").refusal == (404, "not_found")


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("?state=over", ("parameter_wrong", "state")),
        ("?season=1", ("unknown_parameter", "season")),
        ("{season}/standings/?page=2", ("unknown_parameter", "page")),
        ("{season}/standings/?page_size=201", ("page_size_out_of_range", "page_size")),
        ("{season}/standings/?cursor=WyJudW1iZXIiLDAsLTEsMF0", ("cursor_unknown", "cursor")),
        ("{season}/standings/?cursor=x", ("cursor_unknown", "cursor")),
    ],
)
def test_lists_refuse_parameters_that_make_no_sense(club, api, rest, problem):
    answer = api.get(at(club, rest.format(season=season_of(club).pk)))

    assert (answer.status, answer.problems) == (400, [problem])


# -- writing ---------------------------------------------------------------------------------------------------------


def test_example_of_the_schema_makes_a_season(club, api):
    said = api_schema()["paths"]["/api/v1/clubs/{club_id}/seasons/"]["post"]
    (example,) = said["requestBody"]["content"]["application/json"]["examples"].values()
    changes = api_schema()["paths"]["/api/v1/clubs/{club_id}/seasons/{season_id}/"]["patch"]
    (changed,) = changes["requestBody"]["content"]["application/json"]["examples"].values()

    answer = api.post(at(club), example["value"])
    after = api.patch(at(club, f"{answer.body['id']}/"), changed["value"])

    assert (answer.status, answer.body["id"]) == (201, Season.objects.get(club=club).pk)
    assert {name: answer.body[name] for name in example["value"]} == example["value"]
    assert {name: after.body[name] for name in changed["value"]} == changed["value"]
    assert Standing.objects.filter(season=answer.body["id"]).count() == 4


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({}, [("field_missing", "name"), ("field_missing", "starts_on")]),
        ({"name": " ", "starts_on": "2026-01-01"}, [("name_missing", "name")]),
        ({"name": "liga", "starts_on": "2026-01-01"}, [("season_name_taken", "name")]),
        (
            {"name": "Neu", "starts_on": "2026-02-01", "ends_on": "2026-01-31"},
            [("season_ends_before_start", "ends_on")],
        ),
        ({"name": "Neu", "starts_on": "2026-01-01", "formula": "places"}, [("league_places_count", "place_points")]),
        (
            {"name": "Neu", "starts_on": "2026-01-01", "formula": "places", "place_points": [1, 2]},
            [("league_places_must_fall", "place_points")],
        ),
        (
            {"name": "Neu", "starts_on": "2026-01-01", "formula": "exact_rate", "best": 3},
            [("league_best_needs_points", "best")],
        ),
        ({"name": "Neu", "starts_on": "2026-01-01", "formula": "dice"}, [("choice_unknown", "formula")]),
        ({"name": "Neu", "starts_on": "2026-01-01", "editions": ["tarot"]}, [("choice_unknown", "editions.0")]),
        ({"name": "Neu", "starts_on": "gestern"}, [("wrong_type", "starts_on")]),
        ({"name": "Neu", "starts_on": "2026-01-01", "best": 0}, [("too_small", "best")]),
        ({"name": "Neu", "starts_on": "2026-01-01", "rule": []}, [("unknown_field", "rule")]),
    ],
)
def test_making_names_every_problem_and_writes_nothing(club, api, body, problems):
    season_of(club)
    before = stored()

    answer = api.post(at(club), body)

    assert (answer.status, answer.problems) == (400, problems)
    assert stored() == before


def test_changing_keeps_what_is_left_out_and_works_the_table_out(club, api):
    season = season_of(club, league=rules.LeagueRules("places", place_points=(5, 2)))

    body = api.patch(of(season), {"place_points": [7], "fewest_games": 3}).body

    assert (body["name"], body["formula"], body["place_points"], body["fewest_games"]) == ("Liga", "places", [7], 3)
    rows = api.get(of(season, "standings/")).body["results"]
    assert [(row["name"], row["place"], row["points"]) for row in rows][:2] == [("Annika", 1, 21.0), ("Bernd", 2, 0.0)]
    assert api.patch(of(season), {"ends_on": "2001-01-01"}).body["ends_on"] == "2001-01-01"
    assert api.patch(of(season), {"ends_on": None}).body["ends_on"] is None


def test_closed_season_is_opened_before_it_is_changed(club, api):
    season = season_of(club)

    closed = api.post(of(season, "close/")).body
    refused = api.patch(of(season), {"name": "Neu"})
    opened = api.post(of(season, "reopen/")).body

    assert closed["closed_at"] is not None
    assert closed["ends_on"] is not None
    assert refused.refusal == (409, "season_closed")
    assert opened["closed_at"] is None
    to_come = recording.create_season(club, SeasonSettings("Später", date(2099, 1, 1)), by=OPERATOR)
    assert api.post(of(to_come, "close/")).refusal == (409, "season_not_begun")


WRITES: dict[str, tuple[str, Callable[[Season], str], Any]] = {
    "create": ("POST", lambda season: at(season.club), {"name": "Neu", "starts_on": "2026-01-01"}),
    "change": ("PATCH", of, {"best": 2}),
    "close": ("POST", lambda season: of(season, "close/"), None),
    "reopen": ("POST", lambda season: of(season, "reopen/"), None),
    "delete": ("DELETE", of, None),
}


@pytest.mark.parametrize("name", WRITES)
def test_write_with_the_same_key_is_done_once(name, club, api):
    season, (method, path_of, body) = season_of(club), WRITES[name]

    first = api.ask(method, path_of(season), body, Idempotency_Key="once")
    written = stored()
    again = api.ask(method, path_of(season), body, Idempotency_Key="once")
    other = api.post(at(club), {"name": "Andere", "starts_on": "2026-01-01"}, Idempotency_Key="once")

    assert (again.status, again.body) == (first.status, first.body)
    assert first.status < 300
    assert again.headers["Idempotency-Replayed"] == "true"
    assert other.refusal == (422, "key_reused")
    assert stored() == written


def test_deleted_season_is_gone_and_its_games_stay(club, api):
    season = season_of(club)

    assert api.delete(of(season)).status == 204
    assert api.delete(of(season)).refusal == (404, "not_found")
    assert (club.seasons.count(), club.games.count()) == (0, 3)


# -- statements ------------------------------------------------------------------------------------------------------


def test_statements_are_few_and_the_same_whatever_there_is(club):
    member = member_of(club)
    player_of(member, club, "Mia")
    api, season = Api.of(member), season_of(club)
    annika = club.players.get(name="Annika")
    paths = [at(club), of(season), of(season, "standings/")]
    paths += [of(season, f"players/{annika.pk}/"), of(season, f"players/{annika.pk}/games/")]
    api.get(at(club))  # the use of the token is noted at the first time

    def counted() -> list[int]:
        found = []
        for path in paths:
            with CaptureQueriesContext(connection) as captured:
                assert api.get(path).status == 200
            found.append(len(captured))
        return found

    before = counted()
    for number in range(4):
        season_of(club, f"Liga {number}")
        finished(club, [annika, *add(club, f"Neu {number}", f"Anders {number}")])

    assert counted() == before == [6, 5, 5, 7, 5]
