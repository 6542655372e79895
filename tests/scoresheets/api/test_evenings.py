"""Evenings through the API: the numbers of the pages, plans and tables changed as there, each write once for a key."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, DrawnTable, Evening, Game
from scoresheets.queries.evenings import evening_planning, evening_results, past_evenings, state_of
from tests.scoresheets.api.helpers import Api, api_schema, operations
from tests.scoresheets.clubs import actor_of, add, make_club, make_user, member_of, owner_of, player_of, stored
from tests.scoresheets.evenings import DAY, come, drawn, opened, people, planned, play_to_the_end, start_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club("Runde", visibility="public")


@pytest.fixture
def api(club: Club) -> Api:
    """Return an app of the club's owner."""
    return Api.of(owner_of(club))


def played(club: Club, day: date = DAY, names: tuple[str, ...] = ("Annika", "Bernd", "Cem")) -> Evening:
    """Return an evening with a finished game and one that goes on, of the same people."""
    evening = opened(club, day)
    seated = [club.players.filter(name=name).first() or add(club, name)[0] for name in names]
    come(evening, seated)
    for _ in range(2):
        drawn(evening)
    play_to_the_end(start_all(evening, 1)[0])
    start_all(evening, 2)
    return evening


def at(club: Club, rest: str = "") -> str:
    return f"clubs/{club.pk}/evenings/{rest}"


def of(evening: Evening, rest: str = "") -> str:
    return f"clubs/{evening.club_id}/evenings/{evening.pk}/{rest}"


# -- lists and one evening -------------------------------------------------------------------------------------------


def test_list_has_planned_and_past_ones_with_what_the_page_says(club, api):
    past = played(club)
    recording.close_evening(past, by=OPERATOR)
    coming, off = planned(club, DAY + timedelta(days=7)), planned(club, DAY + timedelta(days=14))
    recording.cancel_evening(off, by=OPERATOR)

    rows = api.get(at(club)).body["results"]

    (line,) = [line for line in past_evenings(club).lines if line.evening == past]
    assert [(row["id"], row["state"]) for row in rows] == [
        (off.pk, "cancelled"),
        (coming.pk, "planned"),
        (past.pk, "over"),
    ]
    assert (rows[2]["people_counted"], rows[2]["games_counted"]) == (line.people, line.games) == (3, 1)
    assert rows[2]["winners"] == [{"player": winner.player, "name": winner.name} for winner in line.winners]
    assert (rows[1]["day"], rows[1]["time"], rows[1]["night"]) == ("2026-12-10", "19:30", "2026-12-10")
    assert rows[1]["winners"] == []


def test_list_is_filtered_and_ordered(club, api):
    first, second = planned(club), planned(club, DAY + timedelta(days=7))
    recording.cancel_evening(second, by=OPERATOR)

    def found(query: str) -> list[int]:
        return [row["id"] for row in api.get(at(club, f"?{query}")).body["results"]]

    assert found("") == [second.pk, first.pk]
    assert found("ordering=starts_at") == [first.pk, second.pk]
    assert found("from=2026-12-04") == [second.pk]
    assert found("to=2026-12-03") == [first.pk]
    assert found("from=2026-12-03&to=2026-12-10&state=cancelled") == [second.pk]
    assert found("state=open") == found("state=over") == []
    assert found("page_size=1&ordering=starts_at") == [first.pk]
    following = api.get(at(club, "?page_size=1&ordering=starts_at")).body["next"]
    assert [row["id"] for row in api.get(following).body["results"]] == [second.pk]


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("from=03.12.2026", ("parameter_wrong", "from")),
        ("to=2026-13-01", ("parameter_wrong", "to")),
        ("state=soon", ("parameter_wrong", "state")),
        ("place=here", ("unknown_parameter", "place")),
        ("ordering=place", ("choice_unknown", "ordering")),
    ],
)
def test_list_refuses_filters_that_make_no_sense(club, api, query, problem):
    answer = api.get(at(club, f"?{query}"))

    assert (answer.status, answer.problems) == (400, [problem])


def test_filter_by_state_is_the_state_that_is_said(club, api):
    old = recording.plan_evening(club, recording.EveningPlan.of(planned(club), club), by=OPERATOR)[0]
    Evening.objects.filter(pk=old.pk).update(starts_at=timezone.now() - timedelta(hours=13))
    recording.close_evening(opened(club, DAY + timedelta(days=1)), by=OPERATOR)
    recording.cancel_evening(opened(club, DAY + timedelta(days=2)), by=OPERATOR)
    opened(club, DAY + timedelta(days=3))

    states = {evening.pk: state_of(evening) for evening in Evening.objects.filter(club=club)}

    assert set(states.values()) == {"planned", "open", "over", "cancelled"}
    for state in set(states.values()):
        rows = api.get(at(club, f"?state={state}")).body["results"]
        assert {row["id"] for row in rows} == {pk for pk, is_in in states.items() if is_in == state}


def test_list_as_csv(club, api):
    planned(club, place="=Keller")

    (row,) = csv.DictReader(api.get(at(club, "?format=csv")).text.splitlines())

    assert (row["day"], row["place"], row["winners"]) == ("2026-12-03", "'=Keller", "[]")


def test_evening_has_the_games_and_the_table_of_its_page(club, api):
    evening = played(club)

    body = api.get(of(evening)).body

    results = evening_results(club, evening)
    assert [
        (line["rank"], line["player"], line["name"], line["games"], line["wins"], line["points"], line["exact"])
        for line in body["table"]
    ] == [(line.rank, line.player, line.name, line.games, line.wins, line.points, line.exact) for line in results.table]
    (finished,), (running,) = results.finished, results.running
    assert [(game["id"], game["number"], game["state"]) for game in body["games"]] == [
        (finished.game.pk, 1, "finished"),
        (running.game.pk, 2, "running"),
    ]
    assert [(seat["seat"], seat["name"], seat["rank"], seat["total"]) for seat in body["games"][0]["seats"]] == [
        (seat.pk, seat.name, seat.rank, seat.total) for seat in finished.seats
    ]
    assert [seat["rank"] for seat in body["games"][1]["seats"]] == [None] * 3
    assert (body["state"], body["games_counted"], body["people_counted"]) == ("open", 1, 3)


def test_strangers_see_public_names_and_nobody_s_id(club):
    evening = played(club)
    club.players.filter(name="Annika").update(public_name="A.")
    api = Api()

    answers = [api.get(path).text for path in (at(club), of(evening))]
    body = api.get(of(evening)).body

    assert "Annika" not in "".join(answers)
    assert {line["name"] for line in body["table"]} == {"A.", "Bernd", "Cem"}
    people_seen = [*body["table"], *body["winners"], *(seat for game in body["games"] for seat in game["seats"])]
    assert {one["player"] for one in people_seen} == {None}


def test_private_club_and_evening_of_another_one_are_not_there(club, api):
    other = planned(make_club("Andere"))

    assert Api.of(make_user("Fremd")).get(of(other)).refusal == (404, "not_found")
    assert api.get(f"clubs/{club.pk}/evenings/{other.pk}/").refusal == (404, "not_found")


def test_who_comes_is_what_members_see_on_the_page(club, api):
    evening = opened(club)
    four = people(club, 4)
    come(evening, four[:3])
    recording.answer(evening, answer="maybe", player=four[3], by=OPERATOR)
    drawn(evening)
    come(evening, four[3:])

    body = api.get(of(evening, "planning/")).body

    planning = evening_planning(club, evening, owner_of(club).user)
    assert [(one["player"], one["name"], one["answer"] or "", one["is_here"]) for one in body["people"]] == [
        (one.player.pk, one.player.name, one.answer, one.is_here) for one in planning.people
    ]
    # Whoever founded the club is one of its players.
    assert [one["is_own"] for one in body["people"]].count(True) == 1
    assert body["answers"] == {"yes": 0, "maybe": 1, "no": 0, "awaited": len(planning.who(""))}
    (sitting,) = planning.sittings
    (table,) = body["sittings"][0]["tables"]
    assert [one["player"] for one in table["players"]] == [player.pk for player in sitting.tables[0].players]
    assert [one["player"] for one in body["sittings"][0]["unplaced"]] == [four[3].pk]
    assert (table["number"], table["game"]) == (1, None)


def test_who_comes_is_for_members_alone(club):
    evening = planned(club)

    assert Api().get(of(evening, "planning/")).refusal == (401, "not_authenticated")
    assert Api.of(make_user("Fremd")).get(of(evening, "planning/")).refusal == (403, "not_allowed")


# -- planning --------------------------------------------------------------------------------------------------------


def test_example_of_the_schema_plans_four_evenings(club, api):
    answer = api.post(at(club), example_of("evenings_plan"))

    assert answer.status == 201
    assert [(one["day"], one["time"], one["place"]) for one in answer.body["evenings"]] == [
        (f"2026-12-{day:02}", "19:30", "Zum Löwen") for day in (3, 10, 17, 24)
    ]
    assert Evening.objects.filter(club=club).count() == 4


def example_of(name: str) -> Any:
    """Return the example of what an operation takes."""
    method, path = operations()[name]
    said = api_schema()["paths"][path][method.lower()]["requestBody"]["content"]["application/json"]
    (example,) = said["examples"].values()
    return example["value"]


def test_other_examples_of_the_schema_do_what_they_say(club, api):
    evening, seven = opened(club), people(club, 7)
    come(evening, seven)
    drawn(evening)
    seats = {seat.table.number: seat.player_id for seat in evening.drawn_seats.select_related("table")}
    here, places = example_of("evenings_here"), example_of("evenings_place")
    # The ids of people are made up in them.
    here["people"][0]["player"] = seven[0].pk
    for move, table in zip(places["moves"], (1, 2), strict=True):
        move["player"] = seats[table]

    assert api.patch(of(evening), example_of("evenings_change")).status == 200
    assert api.post(of(evening, "answer/"), example_of("evenings_answer")).status == 200
    assert api.post(of(evening, "here/"), here).status == 200
    body = api.patch(of(evening, "sittings/1/"), places).body
    tables = {one["number"]: [player["player"] for player in one["players"]] for one in body["sittings"][0]["tables"]}
    assert seats[1] in tables[2]
    assert seats[2] in tables[1]


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({}, [("field_missing", "day"), ("field_missing", "time")]),
        ({"day": "3.12.2026", "time": "19:30"}, [("wrong_type", "day")]),
        ({"day": "2026-12-03", "time": "25:00"}, [("wrong_type", "time")]),
        ({"day": "2026-12-03", "time": "19:30\n"}, [("too_long", "time")]),
        ({"day": "2026-12-03", "time": 1930}, [("wrong_type", "time")]),
        ({"day": "1999-12-03", "time": "19:30"}, [("evening_day_out_of_range", "day")]),
        ({"day": "2026-03-29", "time": "02:30"}, [("evening_time_skipped", "time")]),
        ({"day": "2026-12-03", "time": "19:30", "place": "x" * 81}, [("too_long", "place")]),
        ({"day": "2026-12-03", "time": "19:30", "times": 54}, [("too_large", "times")]),
        ({"day": "2026-12-03", "time": "19:30", "where": "hier"}, [("unknown_field", "where")]),
    ],
)
def test_planning_names_every_problem_and_writes_nothing(club, api, body, problems):
    before = stored()

    answer = api.post(at(club), body)

    assert (answer.status, answer.problems) == (400, problems)
    assert stored() == before


def test_changing_keeps_what_is_left_out(club, api):
    evening = planned(club, place="Keller", note="Chips")

    body = api.patch(of(evening), {"time": "20:15", "counts": False}).body

    assert (body["day"], body["time"], body["place"], body["note"], body["counts"]) == (
        "2026-12-03",
        "20:15",
        "Keller",
        "Chips",
        False,
    )


def test_evening_with_games_keeps_its_day(club, api):
    evening = played(club)

    assert api.patch(of(evening), {"day": "2026-12-04"}).refusal == (409, "evening_has_games")
    assert api.post(of(evening, "cancel/")).refusal == (409, "evening_has_games")
    assert api.patch(of(evening), {"note": "Schön"}).body["note"] == "Schön"


def test_evening_goes_through_its_states(club, api):
    evening = planned(club)

    def state(act: str) -> str:
        return api.post(of(evening, f"{act}/")).body["state"]

    assert [state(act) for act in ("cancel", "reinstate", "open", "close", "open")] == [
        "cancelled",
        "planned",
        "open",
        "over",
        "open",
    ]
    assert api.post(of(planned(club), "open/")).refusal == (409, "other_evening_open")
    assert api.post(of(planned(club), "close/")).refusal == (409, "evening_not_open")


# -- who comes -------------------------------------------------------------------------------------------------------


def test_members_answer_for_themselves(club):
    evening, member = planned(club), member_of(club)
    own = player_of(member, club, "Mia")
    api = Api.of(member, "record")

    came = api.post(of(evening, "answer/"), {"answer": "yes"}).body
    named = api.post(of(evening, "answer/"), {"answer": "no", "player": own.pk}).body
    back = api.post(of(evening, "answer/"), {"answer": None}).body

    assert [next(one["answer"] for one in body["people"] if one["is_own"]) for body in (came, named, back)] == [
        "yes",
        "no",
        None,
    ]


def test_only_scorers_answer_for_others(club):
    evening, (other,) = planned(club), add(club, "Cem")
    body = {"answer": "yes", "player": other.pk}

    assert Api.of(member_of(club)).post(of(evening, "answer/"), body).refusal == (403, "not_allowed")
    people_now = Api.of(member_of(club, "scorer")).post(of(evening, "answer/"), body).body["people"]
    assert next(one["answer"] for one in people_now if one["player"] == other.pk) == "yes"


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"answer": "yes"}, (409, "no_player")),
        ({"answer": "yes", "player": 999_999}, (409, "player_unknown")),
        ({"answer": "perhaps"}, (400, "choice_unknown")),
        ({}, (400, "field_missing")),
    ],
)
def test_answers_that_cannot_be(club, body, refusal):
    before_api = Api.of(member_of(club, "scorer"))
    evening = planned(club)
    before = stored()

    assert before_api.post(of(evening, "answer/"), body).refusal == refusal
    assert stored() == before


def test_who_is_here_is_noted_and_newcomers_become_guests(club, api):
    evening, (annika, bernd) = opened(club), add(club, "Annika", "Bernd")
    come(evening, [bernd])
    sent = {
        "people": [{"player": annika.pk, "is_here": True}, {"player": bernd.pk, "is_here": False}],
        "newcomers": ["Zoe"],
    }

    body = api.post(of(evening, "here/"), sent).body

    here = {one["name"]: one["is_guest"] for one in body["people"] if one["is_here"]}
    assert here == {"Annika": False, "Zoe": True}


def test_newcomer_of_a_known_name_is_said_at_its_place(club, api):
    evening, _known = opened(club), add(club, "Bernd")
    before = stored()

    answer = api.post(of(evening, "here/"), {"newcomers": ["Zoe", "Bernd", ""]})

    assert (answer.status, answer.problems) == (
        400,
        [("player_name_taken", "newcomers.1"), ("name_missing", "newcomers.2")],
    )
    assert stored() == before
    assert api.post(of(evening, "here/"), {"people": [{"player": 999_999, "is_here": True}]}).refusal == (
        409,
        "player_unknown",
    )


# -- tables ----------------------------------------------------------------------------------------------------------


def test_tables_are_drawn_changed_and_taken_away(club, api):
    evening = opened(club)
    here = people(club, 7)
    come(evening, here)

    drawn_now = api.post(of(evening, "sittings/"), {})
    tables = {one["number"]: one["players"] for one in drawn_now.body["sittings"][0]["tables"]}
    mover, other = tables[1][0]["player"], tables[2][0]["player"]
    moves = [{"player": mover, "table": 2}, {"player": other, "table": 1}]
    changed = api.patch(of(evening, "sittings/1/"), {"moves": moves})
    again = api.post(of(evening, "sittings/"), {"tables": 1, "sitting": 1})
    gone = api.delete(of(evening, "sittings/1/"))

    assert drawn_now.status == 201
    assert sorted(len(players) for players in tables.values()) == [3, 4]
    seats = {one["number"]: one["players"][0]["player"] for one in changed.body["sittings"][0]["tables"]}
    assert seats == {1: other, 2: mover}
    (sitting,) = again.body["sittings"]
    assert (sitting["number"], len(sitting["tables"]), len(sitting["sit_out"])) == (1, 1, 1)
    assert gone.status == 204
    assert api.get(of(evening, "planning/")).body["sittings"] == []


def test_tables_that_cannot_be(club, api):
    evening = opened(club)
    here = people(club, 4)
    come(evening, here[:2])
    assert api.post(of(evening, "sittings/"), {}).refusal == (409, "too_few_here")
    come(evening, here)
    drawn(evening)
    before = stored()

    one_left = {"moves": [{"player": player.pk, "table": None} for player in here[:2]]}
    answers = [
        (api.patch(of(evening, "sittings/1/"), one_left), 400, ("table_size", "moves")),
        (api.patch(of(evening, "sittings/1/"), {"moves": []}), 400, ("field_empty", "moves")),
        (
            api.patch(of(evening, "sittings/1/"), {"moves": [{"player": 1, "table": 201}]}),
            400,
            ("too_large", "moves.0.table"),
        ),
        (api.patch(of(evening, "sittings/2/"), one_left), 409, ("sitting_unknown", None)),
        (api.post(of(evening, "sittings/"), {"sitting": 2}), 409, ("sitting_unknown", None)),
        (api.post(of(evening, "sittings/"), {"tables": 201}), 400, ("too_large", "tables")),
    ]

    for answer, status, problem in answers:
        assert (answer.status, answer.problems) == (status, [problem])
    assert stored() == before


def test_table_starts_one_game_and_a_repeat_gets_its_link_again(club, api):
    evening = opened(club)
    come(evening, people(club, 3))
    drawn(evening)
    table = DrawnTable.objects.get(evening=evening)
    path = of(evening, f"tables/{table.pk}/start/")

    first = api.post(path, Idempotency_Key="start")
    again = api.post(path, Idempotency_Key="start")
    later = api.post(path)

    game = Game.objects.get()
    assert (first.status, first.body["game"], again.body) == (200, game.pk, first.body)
    assert len(first.body["link_secret"]) == 22
    assert again.headers["Idempotency-Replayed"] == "true"
    assert later.body == {"game": game.pk, "link_secret": ""}
    assert game.evening == evening
    assert api.get(of(evening, "planning/")).body["sittings"][0]["tables"][0]["game"] == game.pk
    assert api.post(of(evening, "tables/999999/start/")).refusal == (404, "not_found")


def test_secret_of_a_table_s_game_is_nobody_else_s(club):
    evening = opened(club)
    come(evening, people(club, 3))
    drawn(evening)
    path = of(evening, f"tables/{DrawnTable.objects.get(evening=evening).pk}/start/")
    scorer = member_of(club, "scorer")

    Api.of(owner_of(club)).post(path, Idempotency_Key="start")

    assert Api.of(scorer).post(path, Idempotency_Key="start").body["link_secret"] == ""


# -- all writes ------------------------------------------------------------------------------------------------------


WRITES: dict[str, tuple[str, str, Callable[[Evening], Any]]] = {
    "plan": ("POST", "../", lambda evening: {"day": "2026-12-10", "time": "19:30", "times": 2}),
    "change": ("PATCH", "", lambda evening: {"place": "Keller"}),
    "cancel": ("POST", "cancel/", lambda evening: None),
    "reinstate": ("POST", "reinstate/", lambda evening: None),
    "open": ("POST", "open/", lambda evening: None),
    "close": ("POST", "close/", lambda evening: None),
    "answer": ("POST", "answer/", lambda evening: {"answer": "yes", "player": _somebody(evening)}),
    "here": ("POST", "here/", lambda evening: {"newcomers": ["Zoe"]}),
    "draw": ("POST", "sittings/", lambda evening: {}),
    "place": ("PATCH", "sittings/1/", lambda evening: {"moves": [{"player": _somebody(evening), "table": None}]}),
    "discard": ("DELETE", "sittings/1/", lambda evening: None),
}


def _somebody(evening: Evening) -> int:
    return evening.drawn_seats.order_by("pk")[0].player_id


@pytest.mark.parametrize("name", WRITES)
def test_write_with_the_same_key_is_done_once(name, club, api):
    evening = opened(club)
    come(evening, people(club, 4))
    drawn(evening)
    method, rest, body_of = WRITES[name]
    path, body = of(evening, rest).replace(f"{evening.pk}/../", ""), body_of(evening)

    first = api.ask(method, path, body, Idempotency_Key="once")
    written = stored()
    again = api.ask(method, path, body, Idempotency_Key="once")
    other = api.patch(of(evening), {"place": "Anderswo"}, Idempotency_Key="once")

    assert (again.status, again.body) == (first.status, first.body)
    assert first.status < 300
    assert again.headers["Idempotency-Replayed"] == "true"
    assert other.refusal == (422, "key_reused")
    assert stored() == written


# -- statements ------------------------------------------------------------------------------------------------------


def test_statements_are_few_and_the_same_whatever_there_is(club):
    member = member_of(club)
    small = played(club)
    api = Api.of(member)
    api.get(at(club))  # the use of the token is noted at the first time

    def counted(evening: Evening) -> list[int]:
        found = []
        for path in (at(club), of(evening), of(evening, "planning/")):
            with CaptureQueriesContext(connection) as captured:
                assert api.get(path).status == 200
            found.append(len(captured))
        return found

    before = counted(small)
    recording.close_evening(small, by=OPERATOR)
    large = opened(club, DAY + timedelta(days=1))
    come(large, people(club, 9))
    for sitting in (1, 2):
        drawn(large)
        for game in start_all(large, sitting):
            play_to_the_end(game)

    assert counted(large) == before == [5, 6, 7]


def test_token_for_one_club_says_whose_player_it_is(club):
    member = member_of(club)
    player_of(member, club, "Mia")
    api = Api.of(actor_of(member.user), "read", club)

    assert [one["is_own"] for one in api.get(of(planned(club), "planning/")).body["people"]].count(True) == 1
