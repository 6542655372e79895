"""The pages of evenings: planned, answered, run with several tables at once, read afterwards, and the calendar."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone, translation

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Evening, Game, Link
from tests.scoresheets.clubs import add, club_game, finished, make_club, member_of, owner_of, player_of, stored
from tests.scoresheets.evenings import (
    come,
    crowd,
    drawn,
    opened,
    people,
    plan_of,
    play_to_the_end,
    start_all,
    tables_of,
)
from tests.scoresheets.evenings import planned as planned_on
from tests.scoresheets.pages import Element, read, sentences_at
from tests.scoresheets.views.test_statements import statements

pytestmark = pytest.mark.django_db

SOON = timezone.localdate() + timedelta(days=7)


@pytest.fixture
def club() -> Club:
    return make_club("Nachteulen", owner="Olga")


def planned(club: Club, day: date = SOON, **more: object) -> Evening:
    return planned_on(club, day, **more)


def device_of(actor: Actor) -> Client:
    client = Client()
    client.force_login(actor.user)
    return client


def as_role(club: Club, role: str) -> Client:
    return device_of(owner_of(club) if role == "owner" else member_of(club, role))


def path(evening: Evening, end: str = "") -> str:
    return f"/clubs/{evening.club_id}/evenings/{evening.pk}/{end}"


def notices(page: Element) -> list[str]:
    return [box.text for box in page.all(class_="err-box")]


def fresh(evening: Evening) -> Evening:
    return Evening.objects.get(pk=evening.pk)


# -- planning ---------------------------------------------------------------------------------------------------------


def plan_fields(page: Element) -> dict[str, str]:
    (form,) = [form for form in page.all("form") if form.all("input", name="day")]
    return dict(form.fields())


def test_manager_plans_an_evening_and_comes_to_its_page(club):
    client = as_role(club, "manager")
    sent = plan_fields(read(client.get(f"/clubs/{club.pk}/evenings/")))
    today = timezone.now().astimezone(ZoneInfo(club.time_zone)).date()
    assert (sent["day"], sent["time"], sent["counts"]) == ((today + timedelta(days=7)).isoformat(), "19:30", "on")

    response = client.post(f"/clubs/{club.pk}/evenings/", sent | {"day": "2026-12-03", "place": "Bar"})

    evening = Evening.objects.get()
    assert (response.status_code, response["Location"]) == (302, path(evening))
    assert (evening.night, evening.place, evening.counts) == (date(2026, 12, 3), "Bar", True)
    page = read(client.get(path(evening)))
    assert page.one("h1").text == "Thursday, 3 December 2026"


def test_form_proposes_a_week_after_the_last_one_planned(club):
    planned(club, SOON, at=time(20, 15), place="Bar")
    recording.plan_evening(club, recording.EveningPlan(SOON + timedelta(days=7), time(21, 0), "Café"), by=OPERATOR)

    sent = plan_fields(read(as_role(club, "manager").get(f"/clubs/{club.pk}/evenings/")))

    assert (sent["day"], sent["time"], sent["place"]) == (
        (SOON + timedelta(days=14)).isoformat(),
        "21:00",
        "Café",
    )


def test_series_is_planned_once(club):
    client = as_role(club, "manager")
    sent = plan_fields(read(client.get(f"/clubs/{club.pk}/evenings/"))) | {"times": "4", "every": "14"}

    answers = [client.post(f"/clubs/{club.pk}/evenings/", sent) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == [f"/clubs/{club.pk}/evenings/"] * 2
    nights = [evening.night for evening in Evening.objects.order_by("night")]
    assert [later - nights[0] for later in nights] == [timedelta(days=14 * number) for number in range(4)]
    page = read(client.get(f"/clubs/{club.pk}/evenings/"))
    assert len(page.one(class_="to-come").all("li")) == 4
    refused = client.post(f"/clubs/{club.pk}/evenings/", sent | {"times": "5"})
    assert (refused.status_code, Evening.objects.count()) == (409, 4)


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("day", "", "Choose a day."),
        ("day", "soon", "Choose a day, for example 2026-12-03."),
        ("day", "1999-01-01", "Choose a day of the years 2000 to 2099."),
        ("day", "0001-01-01", "Choose a day of the years 2000 to 2099."),
        ("time", "25:00", "Choose a time, for example 19:30."),
        ("place", "x" * 81, "A place has at most 80 characters."),
        ("note", "x" * 501, "A note has at most 500 characters."),
        ("place", "a\0b", "Null characters are not allowed."),
    ],
)
def test_plan_that_cannot_be_is_refused_at_its_field(field, typed, sentence, club):
    client, evening = as_role(club, "manager"), planned(club)
    sent = plan_fields(read(client.get(f"/clubs/{club.pk}/evenings/"))) | {field: typed}
    before = stored()

    for address in (f"/clubs/{club.pk}/evenings/", path(evening, "change/")):
        response = client.post(address, sent)

        assert response.status_code == 422
        page = read(response)
        assert sentences_at(page, field) == sentence
        assert page.one("input", name=field)["value"] == typed
    assert stored() == before


@pytest.mark.parametrize(("field", "typed"), [("times", "99"), ("every", "0"), ("times", "many")])
def test_series_that_cannot_be_is_refused(field, typed, club):
    client = as_role(club, "manager")
    sent = plan_fields(read(client.get(f"/clubs/{club.pk}/evenings/"))) | {field: typed}

    response = client.post(f"/clubs/{club.pk}/evenings/", sent)

    assert (response.status_code, Evening.objects.count()) == (422, 0)
    assert len(read(response).all(class_="err")) == 1


def test_hour_that_does_not_come_is_refused(club):
    client = as_role(club, "manager")
    sent = plan_fields(read(client.get(f"/clubs/{club.pk}/evenings/"))) | {"day": "29.03.2026", "time": "02:30"}

    page = read(client.post(f"/clubs/{club.pk}/evenings/", sent))

    assert sentences_at(page, "time") == (
        "On that day the clocks go forward, and 02:30 does not come. Choose another time."
    )


def test_evening_is_changed_called_off_and_takes_place_after_all(club):
    client, evening = as_role(club, "manager"), planned(club, place="Bar")
    sent = plan_fields(read(client.get(path(evening, "change/"))))
    del sent["counts"]

    client.post(path(evening, "change/"), sent | {"place": "Café", "time": "20:00"})

    changed = fresh(evening)
    assert (changed.place, changed.counts) == ("Café", False)
    assert changed.starts_at - evening.starts_at == timedelta(minutes=30)
    page = read(client.post(path(evening, "change/"), {"cancel": "1"}, follow=True))
    assert page.one("main").one(class_="evening-head").one(class_="hint").text.startswith("Called off")
    assert page.all("button", name="answer") == page.all("button", name="open") == []
    client.post(path(evening, "change/"), {"reinstate": "1"})
    assert fresh(evening).cancelled_at is None


def test_evening_with_games_cannot_be_called_off(club):
    evening = opened(club, SOON)
    club_game(club)
    client = as_role(club, "manager")

    response = client.post(path(evening, "change/"), {"cancel": "1"})

    assert response.status_code == 409
    assert notices(read(response)) == ["Games were played in this evening: it cannot be called off or get another day."]
    assert fresh(evening).cancelled_at is None


# -- answering --------------------------------------------------------------------------------------------------------


def pressed(page: Element) -> list[str]:
    return [button["value"] for button in page.all("button", name="answer") if button["aria-pressed"] == "true"]


def test_member_answers_on_the_club_home_and_on_the_evening(club):
    evening, member = planned(club), member_of(club)
    player_of(member, club, "Mia")
    client = device_of(member)
    home = read(client.get(f"/clubs/{club.pk}/"))
    section = home.one(class_="next")
    assert section.one(class_="hint").text == "Nobody has answered yet."
    assert section.one("input", name="back")["value"] == "club"

    response = client.post(path(evening), {"answer": "yes", "back": "club"})

    assert response["Location"] == f"/clubs/{club.pk}/#next_evening"
    home = read(client.get(f"/clubs/{club.pk}/"))
    assert home.one(class_="next").one(class_="hint").text == "1 comes, 1 has not answered yet."
    assert pressed(home) == ["yes"]
    assert client.post(path(evening), {"answer": "no"})["Location"] == path(evening)
    assert pressed(read(client.get(path(evening)))) == ["no"]


def test_member_whom_the_club_does_not_know_is_told_how_to_answer(club):
    evening, client = planned(club), as_role(club, "member")

    page = read(client.get(path(evening)))

    assert page.all("button", name="answer") == []
    assert page.one(class_="note").one("a")["href"] == f"/clubs/{club.pk}/players/"
    response = client.post(path(evening), {"answer": "yes"})
    assert response.status_code == 409
    assert notices(read(response)) == ["The club does not know yet which of its players you are."]


def test_scorer_answers_for_somebody(club):
    evening, (anna,) = planned(club), add(club, "Anna")
    scorer, member = as_role(club, "scorer"), as_role(club, "member")

    assert scorer.post(path(evening), {"answer_for": "maybe", "player": anna.pk}).status_code == 302
    assert member.post(path(evening), {"answer_for": "no", "player": anna.pk}).status_code == 403
    assert scorer.post(path(evening), {"answer_for": "no", "player": "x"}).status_code == 409
    assert scorer.post(path(evening), {"answer_for": "soon", "player": anna.pk}).status_code == 422

    people = read(member.get(path(evening))).one(class_="club-roles").text
    assert people == "Comes perhaps 1 Anna No answer yet 1 Olga"


def test_strangers_of_an_open_club_see_the_evening_and_never_who_comes(club):
    Club.objects.filter(pk=club.pk).update(visibility="public")
    (anna, *others) = people(club, 4)
    recording.rename_player(anna, name="Anna", public_name="A.", by=OPERATOR)
    evening = opened(club, SOON, place="Bar", note="Bring chips")
    come(evening, [anna, *others])
    recording.answer(evening, answer="yes", by=OPERATOR, player=others[0])
    drawn(evening)
    play_to_the_end(start_all(evening)[0])
    for client in (Client(), as_role(make_club("Andere"), "owner")):
        page = read(client.get(path(evening)))

        main = page.one("main").text
        assert "Bring chips" in main
        assert "A." in main
        assert "Anna" not in main
        assert [head.text for head in page.all("h2")] == ["At the tables now", "Table of the evening", "Results"]
        assert page.one("main").all("form") == []
        home = read(client.get(f"/clubs/{club.pk}/"))
        assert home.one(class_="next").all(class_="hint") == home.all("button", name="answer") == []
        before = stored()
        for sent in ({"answer": "yes"}, {"open": "1"}, {"draw": ""}, {"save_here": "1"}, {}):
            assert client.post(path(evening), sent).status_code == 403
        assert stored() == before


# -- the evening itself -----------------------------------------------------------------------------------------------


def here_fields(page: Element) -> dict[str, list[str]]:
    (form,) = [form for form in page.all("form") if form.all("button", name="save_here")]
    sent: dict[str, list[str]] = {"save_here": ["1"]}
    for name, value in form.fields():
        sent.setdefault(name, []).append(value)
    return sent


def test_evening_is_run_from_its_page(club):
    evening, scorer = planned(club), as_role(club, "scorer")
    players = people(club, 8)
    assert read(scorer.get(path(evening))).all("button", name="save_here") == []
    scorer.post(path(evening), {"open": "1"})

    sent = here_fields(read(scorer.get(path(evening))))
    scorer.post(path(evening), sent | {"here": [str(player.pk) for player in players], "newcomer": "Zoe"})

    page = read(scorer.get(path(evening)))
    assert len(here_fields(page)["here"]) == len(here_fields(page)["was"]) == 9
    scorer.post(path(evening), {"draw": "", "tables": "", "key": "d"})
    assert [len(names) for names in tables_of(evening).values()] == [5, 4]

    page = read(scorer.get(path(evening)))
    start = page.all("button", name="start")[0]
    response = scorer.post(path(evening), {"start": start["value"], "key": "s"})

    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/")
    assert f"block_{game.pk}" in response.cookies
    assert [seat.name for seat in game.seats_in_order()] == tables_of(evening)[1]


def test_all_tables_are_started_at_once_and_listed(club):
    evening = opened(club, SOON)
    come(evening, people(club, 12))
    drawn(evening)
    scorer = as_role(club, "scorer")

    for _ in range(2):
        response = scorer.post(path(evening), {"start_all": "1"})
        assert response["Location"] == f"{path(evening)}#games"

    assert Game.objects.count() == 3
    page = read(scorer.get(path(evening)))
    links = [link["href"] for link in page.one(class_="tables-now").all("a")]
    assert links == [f"/games/{game.pk}/" for game in Game.objects.order_by("pk")]
    assert all(scorer.get(link).status_code == 200 for link in links)


def test_tables_of_one_page_are_started_one_after_the_other(club):
    evening = opened(club, SOON)
    come(evening, people(club, 8))
    drawn(evening)
    scorer = as_role(club, "scorer")
    page = read(scorer.get(path(evening)))
    (form,) = [form for form in page.all("form") if form.all("button", name="start")]
    sent = dict(form.fields())

    for button in form.all("button", name="start") * 2:
        assert scorer.post(path(evening), sent | {"start": button["value"]}).status_code == 302

    assert Game.objects.count() == 2


def test_somebody_else_asks_for_a_started_table_and_gets_its_game(club):
    evening = opened(club, SOON)
    come(evening, people(club, 4))
    drawn(evening)
    table = evening.drawn_tables.get()
    first, second = as_role(club, "scorer"), as_role(club, "scorer")

    answers = [client.post(path(evening), {"start": table.pk, "key": "k"}) for client in (first, second)]

    assert len({answer["Location"] for answer in answers}) == Game.objects.count() == Link.objects.count() == 1
    assert second.post(path(evening), {"start": table.pk + 1}).status_code == 409


def test_two_phones_tick_at_the_same_time(club):
    evening, (anna, bernd, cem) = opened(club, SOON), add(club, "Anna", "Bernd", "Cem")
    come(evening, [anna])
    scorer = as_role(club, "scorer")
    old = here_fields(read(scorer.get(path(evening))))
    come(evening, [bernd])

    scorer.post(path(evening), old | {"here": [str(cem.pk)]})

    here = evening.attendances.filter(is_here=True).values_list("player__name", flat=True)
    assert sorted(here) == ["Bernd", "Cem"]


def test_name_that_is_taken_is_refused_and_ticks_stay(club):
    evening, (anna, bernd) = opened(club, SOON), add(club, "Anna", "Bernd")
    scorer = as_role(club, "scorer")
    before = stored()

    response = scorer.post(path(evening), {"save_here": "1", "here": [bernd.pk], "newcomer": "ANNA", "key": "k"})

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, "newcomer").startswith("The club already knows Anna.")
    assert page.one("input", name="newcomer")["value"] == "ANNA"
    assert "checked" in page.one("input", name="here", value=str(bernd.pk)).attrs
    assert "checked" not in page.one("input", name="here", value=str(anna.pk)).attrs
    assert stored() == before


def test_people_are_moved_with_plain_fields(club):
    evening = opened(club, SOON)
    come(evening, people(club, 8))
    drawn(evening)
    scorer = as_role(club, "scorer")
    first, second = tables_of(evening)[1], tables_of(evening)[2]
    ids = {player.name: player.pk for player in club.players.all()}

    sent = {"sitting": "1", "swap": "1", "one": ids[first[0]], "other": ids[second[3]]}
    assert scorer.post(path(evening), sent)["Location"] == f"{path(evening)}#tables"
    assert tables_of(evening)[1] == [second[3], *first[1:]]
    scorer.post(path(evening), {"sitting": "1", "move": "1", "who": [ids[first[1]]], "to": "out"})
    assert tables_of(evening)[0] == [first[1]]
    scorer.post(path(evening), {"sitting": "1", "move": "1", "who": [ids[first[1]]], "to": "2"})
    assert tables_of(evening)[2][-1] == first[1]
    before = stored()

    for sent in ({"who": [ids[first[2]]], "to": "new"}, {"who": [ids[name] for name in second[:3]], "to": "out"}):
        response = scorer.post(path(evening), {"sitting": "1", "move": "1", **sent})
        assert response.status_code == 422
        assert "three to six play at a table" in notices(read(response))[0]
    for sent in ({"to": "x", "who": [ids[first[2]]]}, {"swap": "1", "one": "", "other": ""}, {"who": ["x"], "to": "1"}):
        scorer.post(path(evening), {"sitting": "1", "move": "1", **sent})
    assert stored() == before


def test_sitting_by_hand_from_the_beginning(club):
    evening = opened(club, SOON)
    players = people(club, 4)
    come(evening, players)
    scorer = as_role(club, "scorer")

    scorer.post(path(evening), {"draw": "", "tables": "0"})
    page = read(scorer.get(path(evening)))
    assert [option["value"] for option in page.one("select", name="to").all("option")] == ["new", "out"]
    scorer.post(path(evening), {"sitting": "1", "move": "1", "who": [one.pk for one in players], "to": "new"})

    assert tables_of(evening) == {1: [player.name for player in players]}


@pytest.mark.parametrize("sent", [{"draw": "", "tables": "many"}, {"draw": "", "tables": "201"}])
def test_draws_that_cannot_be_are_refused(sent, club):
    evening = opened(club, SOON)
    come(evening, people(club, 3))

    response = as_role(club, "scorer").post(path(evening), sent)

    assert (response.status_code, evening.drawn_seats.count()) == (422, 0)
    assert "many" in read(response).one(class_="err").text if sent["tables"] == "many" else notices(read(response))


def test_what_came_meanwhile_is_a_conflict_and_writes_nothing(club):
    evening = planned(club)
    scorer = as_role(club, "scorer")
    before = stored()
    for sent in (
        {"draw": ""},
        {"draw": "7"},
        {"discard": "1"},
        {"move": "1", "sitting": "1", "who": ["1"], "to": "1"},
        {"start": "999"},
        {"close": "1"},
    ):
        response = scorer.post(path(evening), sent)
        assert response.status_code == 409, sent
        assert len(notices(read(response))) == 1
    assert scorer.post(path(evening), {"unknown": "1"}).status_code == 422
    assert stored() == before


@pytest.mark.parametrize("role", ["member", "anonymous"])
def test_who_does_not_run_evenings_writes_nothing(role, club):
    Club.objects.filter(pk=club.pk).update(visibility="unlisted")
    evening = opened(club, SOON)
    players = people(club, 4)
    come(evening, players)
    drawn(evening)
    table = evening.drawn_tables.get()
    client = Client() if role == "anonymous" else as_role(club, "member")
    before = stored()

    for sent in (
        *({"open": "1"}, {"close": "1"}, {"draw": ""}, {"discard": "1"}, {"start": table.pk}, {"start_all": "1"}),
        {"save_here": "1", "newcomer": "Zoe"},
        {"move": "1", "sitting": "1", "who": [players[0].pk], "to": "out"},
        {"swap": "1", "sitting": "1", "one": players[0].pk, "other": players[1].pk},
        {"answer_for": "yes", "player": players[0].pk},
    ):
        assert client.post(path(evening), sent).status_code == 403, sent

    assert stored() == before
    assert client.post(path(evening, "change/"), {"cancel": "1"}).status_code == 403
    assert client.post(f"/clubs/{club.pk}/evenings/", {"day": "2026-12-03", "time": "19:30"}).status_code == 403
    assert client.post(f"/clubs/{club.pk}/evenings/", {"calendar": "renew"}).status_code == 403
    assert stored() == before


def test_evening_of_another_club_is_not_there(club):
    other = planned(make_club("Andere"))

    for end in ("", "change/"):
        assert as_role(club, "owner").get(f"/clubs/{club.pk}/evenings/{other.pk}/{end}").status_code == 404
    assert as_role(club, "owner").get(f"/clubs/{club.pk}/evenings/{10**30}/").status_code == 404


# -- afterwards -------------------------------------------------------------------------------------------------------


def rows_of(page: Element) -> list[list[str]]:
    (table,) = page.all(class_="evening-table")
    return [[cell.text for cell in row.content if isinstance(cell, Element)] for row in table.one("tbody").all("tr")]


def test_results_of_the_evening_are_on_one_page(club):
    evening = opened(club, SOON)
    come(evening, people(club, 7))
    drawn(evening)
    tables = tables_of(evening)
    first, second = (play_to_the_end(game) for game in start_all(evening))
    running = club_game(club, rounds=1, length=3)
    recording.abandon(club_game(club), by=OPERATOR)
    recording.void(club_game(club), reason="wrong", by=OPERATOR)
    client = as_role(club, "member")

    page = read(client.get(path(evening)))

    rows = rows_of(page)
    assert [row[0] for row in rows[:2]] == ["1", "1"]
    assert {rows[0][1], rows[1][1]} == {tables[1][0], tables[2][0]}
    assert all(row[2] == "1" for row in rows)
    assert len(rows) == 7
    results = page.one(class_="results").all("li")
    assert [result.one("a")["href"] for result in results[:2]] == [f"/games/{game.pk}/" for game in (first, second)]
    assert results[0].text.startswith(f"Game 1 1. {tables[1][0]}")
    assert [result.text.split(" · ")[1][:9] for result in results[2:]] == ["abandoned"]
    now = page.one(class_="tables-now").all("li")
    assert [line.one("small").text for line in now] == ["Game 3 · Round 2 of 3"]
    assert now[0].one("a")["href"] == f"/games/{running.pk}/"


def test_past_evenings_say_who_led_and_the_club_home_lists_the_last(club):
    evening = opened(club, date(2021, 9, 3))
    finished(club, people(club, 3))
    recording.close_evening(evening, by=OPERATOR)
    recording.cancel_evening(planned(club, date(2021, 9, 10)), by=OPERATOR)
    quiet = opened(club, date(2021, 9, 17))
    recording.close_evening(quiet, by=OPERATOR)
    client = as_role(club, "member")

    listed = [line.text for line in read(client.get(f"/clubs/{club.pk}/evenings/")).one(class_="nights").all("li")]

    assert listed == [
        "17 Sep 2021 No game finished",
        "10 Sep 2021 Called off",
        "3 Sep 2021 Player 001 3 people, 1 game",
    ]
    home = read(client.get(f"/clubs/{club.pk}/"))
    (last,) = [part for part in home.all("section") if part.attrs.get("aria-labelledby") == "last_evenings"]
    assert [line.text for line in last.all("li")] == [listed[0], listed[2]]


def test_evenings_are_paged(club):
    recording.plan_evening(club, plan_of(date(2021, 1, 1)), by=OPERATOR, times=22, every=1)
    client = as_role(club, "member")

    first, second, far = (
        read(client.get(f"/clubs/{club.pk}/evenings/?page={page}")).one(class_="nights").all("li")
        for page in ("1", "2", "999999999999999999999")
    )

    assert (len(first), len(second), len(far)) == (20, 2, 20)
    assert "22 Jan 2021" in first[0].text


@pytest.mark.parametrize("role", ["scorer", "anonymous"])
def test_statements_do_not_grow(role, club):
    Club.objects.filter(pk=club.pk).update(visibility="public")
    small, large = opened(club, date(2026, 11, 1)), None
    client = Client() if role == "anonymous" else as_role(club, role)
    come(small, people(club, 4))
    drawn(small)
    start_all(small)
    addresses = (f"/clubs/{club.pk}/evenings/", f"/clubs/{club.pk}/evenings.ics", f"/clubs/{club.pk}/")
    finished(club, list(club.players.filter(name__startswith="Player")[:3]))
    recording.close_evening(small, by=OPERATOR)
    before = [statements(lambda a=a: client.get(a))[1] for a in (path(small), *addresses)]

    for number in range(2):
        large = opened(club, date(2026, 11, 2 + number))
        come(large, crowd_of(club, 12))
        for _ in range(2):
            start_all(large, drawn(large))
        finished(club, list(club.players.filter(name__startswith="Player")[:3]))
        recording.close_evening(large, by=OPERATOR)

    after = [statements(lambda a=a: client.get(a))[1] for a in (path(large), *addresses)]
    assert after == before
    assert max(sum(counted) for counted in before) <= 20


def crowd_of(club: Club, number: int) -> list:
    found = list(club.players.filter(name__startswith="Crowd"))
    return found or crowd(club, number)


# -- the calendar -----------------------------------------------------------------------------------------------------


def test_calendar_of_a_private_club_takes_its_secret_address(club):
    evening = planned(club, place="Bar; Hof", note="Chips, please")
    off = recording.cancel_evening(planned(club, SOON + timedelta(days=7)), by=OPERATOR)
    planned(club, SOON - timedelta(days=400))
    member, manager = as_role(club, "member"), as_role(club, "manager")
    plain = f"/clubs/{club.pk}/evenings.ics"
    assert Client().get(plain).status_code == 404
    assert read(member.get(f"/clubs/{club.pk}/evenings/")).all("input", id="address") == []

    member.post(f"/clubs/{club.pk}/evenings/", {"calendar": "make"})

    address = read(member.get(f"/clubs/{club.pk}/evenings/")).one("input", id="address")["value"]
    assert address.startswith(f"http://testserver{plain}?key=")
    response = Client().get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    lines = response.content.decode().split("\r\n")
    assert [line for line in lines if line.startswith(("UID", "DTSTART", "STATUS", "LOCATION"))] == [
        f"UID:evening-{evening.pk}@testserver",
        f"DTSTART:{evening.starts_at:%Y%m%dT%H%M%SZ}",
        "LOCATION:Bar\\; Hof",
        "STATUS:CONFIRMED",
        f"UID:evening-{off.pk}@testserver",
        f"DTSTART:{off.starts_at:%Y%m%dT%H%M%SZ}",
        "STATUS:CANCELLED",
    ]
    assert "SUMMARY:Spieleabend: Nachteulen" in lines
    assert [Client().get(f"{plain}?key={key}").status_code for key in ("", "x", "ä", "A" * 5000)] == [404] * 4
    assert member.get(plain).status_code == 200
    manager.post(f"/clubs/{club.pk}/evenings/", {"calendar": "renew"})
    assert Client().get(address).status_code == 404
    other = make_club("Andere")
    assert Client().get(address.replace(f"/{club.pk}/", f"/{other.pk}/")).status_code == 404


def test_calendar_of_an_open_club_needs_no_secret(club):
    Club.objects.filter(pk=club.pk).update(visibility="public", language="en")
    planned(club)

    page = read(Client().get(f"/clubs/{club.pk}/evenings/"))
    address = page.one("input", id="address")["value"]

    assert address == f"http://testserver/clubs/{club.pk}/evenings.ics"
    assert b"SUMMARY:Game night: Nachteulen" in Client().get(address).content


def test_moments_are_shown_on_the_clock_of_the_club():
    club = make_club("Fern", time_zone="Pacific/Auckland", visibility="public")
    evening = planned(club, date(2026, 12, 3), at=time(23, 30))

    page = read(Client().get(path(evening)))

    assert page.one("h1").text == "Thursday, 3 December 2026"
    (moment,) = [found for found in page.all("time") if "11:30 p.m." in found.text]
    assert datetime.fromisoformat(moment["datetime"]) == evening.starts_at


def test_pages_are_german_too(club):
    evening = planned(club, date(2026, 12, 3))
    recording.answer(evening, answer="yes", by=OPERATOR, player=add(club, "Anna")[0])
    client = as_role(club, "manager")
    client.cookies["django_language"] = "de"

    with translation.override("de"):
        texts = [read(client.get(a)).one("main").text for a in (path(evening), f"/clubs/{club.pk}/evenings/")]

    assert "Donnerstag, 3. Dezember 2026" in texts[0]
    assert "19:30 Uhr" in texts[0]
    assert "Kommst du?" in texts[0] or "Wer kommt?" in texts[0]
    assert "Abend planen" in texts[1]
