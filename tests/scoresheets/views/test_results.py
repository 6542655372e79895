"""Games of which only the points are known: typed in, looked at, saved once, corrected, and shown without rounds."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoresheets.actors import OPERATOR
from scoresheets.models import Entry, Evening, Game, Result, Season
from scoresheets.recording import correct_results, record_results, rename_seat, statistics, void
from scoresheets.recording.repair import differences_of
from tests.scoresheets.clubs import add, make_club, member_of
from tests.scoresheets.factories import (
    NAMES,
    client_for,
    everything,
    finished_game,
    fresh,
    rows_of,
    seat_ids,
    seats_of,
)
from tests.scoresheets.pages import press, read

pytestmark = pytest.mark.django_db

ADDRESS = "/games/results/new/"
TABLE = {"name": ["Annika", "Bernd", "Cem"], "points": ["120", "-30", "120"], "key": "k"}


def results(points=(120, -30, 75), **options) -> Game:
    return fresh(record_results(NAMES[: len(points)], points, by=OPERATOR, **options).game)


def errors_at(page, field: str) -> list[str]:
    """Return the sentences that a field names as what is wrong with it."""
    told = page.one(id=field).attrs.get("aria-describedby", "").split()
    return [element.text for id_ in told if "errors" in id_ for element in page.all(id=id_)]


# -- typing in -------------------------------------------------------------------------------------------------------


def test_results_are_looked_at_then_saved_and_lead_to_the_game():
    client = Client()

    look = read(client.post(ADDRESS, TABLE | {"look": "1"}))
    assert [line.text for line in look.one(class_="stand").all("li")] == [
        "Rank 1Annika120",
        "Rank 1Cem120",
        "Rank 3Bernd−30",
    ]
    assert not Game.objects.exists()
    response = press(client, ADDRESS, "save", page=look)

    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/")
    assert [(seat.name, seat.total, seat.rank) for seat in seats_of(game)] == [
        *(("Annika", 120, 1), ("Bernd", -30, 3), ("Cem", 120, 1)),
    ]
    assert game.entries.get(version=2).kind == Entry.Kind.RESULTS_RECORDED
    assert client.get(f"/games/{game.pk}/results/correct/").status_code == 200  # this device keeps its score


def test_the_same_form_sent_twice_is_one_game():
    client = Client()
    client.get(ADDRESS)

    first = client.post(ADDRESS, TABLE | {"save": "1"})
    again = client.post(ADDRESS, TABLE | {"save": "1"})
    other = client.post(ADDRESS, TABLE | {"points": ["1", "2", "3"], "save": "1"})

    assert first["Location"] == again["Location"]
    assert Game.objects.count() == 1
    assert other.status_code == 409
    assert read(other).one("input", name="key")["value"] != "k"


@pytest.mark.parametrize(
    ("sent", "field", "sentence"),
    [
        ({"points": ["1", "", "3"]}, "points1", "A number is missing here."),
        ({"points": ["1", "two", "3"]}, "points1", "“two” is not a whole number. Write +10 or −10, for example."),
        ({"points": ["1", "5001", "3"]}, "points1", "Write −5000 to +5000 points."),
        (
            {"name": ["Annika", "annika", "Cem"]},
            "name1",
            "Annika is already at the table. Try “Annika B.”, for example.",
        ),
        ({"name": ["Annika", "", "Cem"]}, "name1", "Enter a name."),
        ({"name": ["x" * 41, "Bernd", "Cem"]}, "name0", "A name has at most 40 characters."),
        ({"played_on": "2999-01-01"}, "played_on", "This day is still to come."),
        ({"played_on": "yesterday"}, "played_on", "“yesterday” is not a date."),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_written(sent, field, sentence):
    before = everything()

    response = Client().post(ADDRESS, TABLE | sent | {"save": "1"})

    assert response.status_code == 422
    assert errors_at(read(response), field) == [sentence]
    assert everything() == before


def test_two_people_are_too_few_only_when_they_are_saved():
    two = {"name": ["Annika", "", "Cem"], "points": ["1", "", "3"]}

    looked, saved = (Client().post(ADDRESS, two | {step: "1"}) for step in ("look", "save"))

    assert looked.status_code == 200
    assert saved.status_code == 422
    assert read(saved).one(id="names_errors").text == "Wizard needs 3 to 6 people; so far: 2."


def test_typed_lines_come_back_where_they_stood():
    page = read(Client().post(ADDRESS, {"name": ["Annika", "", "Cem"], "points": ["−5", "", "x"], "look": "1"}))

    assert [field["value"] for field in page.all("input", name="name")] == ["Annika", "", "Cem", "", "", ""]
    assert [field["value"] for field in page.all("input", name="points")] == ["−5", "", "x", "", "", ""]


def test_real_minus_and_the_day_are_read():
    day = timezone.localdate() - timedelta(days=400)

    Client().post(ADDRESS, TABLE | {"points": ["−5", "+7", " 0 "], "played_on": day.isoformat(), "save": "1"})

    game = Game.objects.get()
    assert [seat.total for seat in seats_of(game)] == [-5, 7, 0]
    assert timezone.localtime(game.started_at).date() == day


# -- in a club -------------------------------------------------------------------------------------------------------


def scorer_of(club) -> Client:
    client = Client()
    client.force_login(member_of(club, "scorer").user)
    return client


def test_names_of_the_club_are_its_players_and_others_new_guests():
    club = make_club()
    (annika,) = add(club, "Annika")
    client = scorer_of(club)

    look = read(client.post(ADDRESS, TABLE | {"name": ["annika", "Bernd", "Anika"], "club": club.pk, "look": "1"}))
    assert [line.text.partition(":")[0] for line in look.all("p", class_="note")] == ["Bernd", "Anika"]
    assert [option["value"] for option in look.one("datalist").all("option")] == [
        player.name for player in club.players.on_roster().order_by("name")
    ]
    instead = look.all("button", name="instead")
    assert [button["value"] for button in instead] == []  # who is meant sits there already
    client.post(ADDRESS, TABLE | {"name": ["annika", "Bernd", "Zoe"], "club": club.pk, "save": "1"})

    game = Game.objects.get()
    assert [seat.player and seat.player.name for seat in seats_of(game)] == ["Annika", "Bernd", "Zoe"]
    assert seats_of(game)[0].player == annika
    assert Result.objects.filter(game=game).count() == 3
    assert differences_of(game.pk) == []


def test_who_was_meant_by_a_name_takes_its_place():
    club = make_club()
    add(club, "Annika")
    client = scorer_of(club)

    look = read(client.post(ADDRESS, TABLE | {"name": ["Anika", "Bernd", "Cem"], "club": club.pk, "look": "1"}))
    page = read(press(client, ADDRESS, "instead", "0:Annika", page=look))

    assert [field["value"] for field in page.all("input", name="name")][:3] == ["Annika", "Bernd", "Cem"]


def test_evening_chosen_gives_the_night_and_the_time():
    club = make_club()
    begun = timezone.now() - timedelta(days=30)
    evening = Evening.objects.create(
        club=club, night=date(2024, 5, 3), starts_at=begun, opened_at=begun, closed_at=begun
    )
    Evening.objects.create(club=club, night=date(2024, 5, 4), starts_at=begun, cancelled_at=begun)
    client = scorer_of(club)

    page = read(client.get(ADDRESS, {"club": club.pk, "evening": evening.pk}))
    assert [option["value"] for option in page.one("select", id="evening").all("option")] == ["", str(evening.pk)]
    client.post(ADDRESS, TABLE | {"club": club.pk, "evening": evening.pk, "save": "1"})
    unknown = client.post(ADDRESS, TABLE | {"club": club.pk, "evening": "999", "key": "l", "save": "1"})

    game = Game.objects.get()
    assert (game.evening, game.night, game.started_at) == (evening, evening.night, begun)
    assert (unknown.status_code, errors_at(read(unknown), "evening")) == (
        422,
        ["There is no such evening in the club."],
    )


def test_club_that_one_may_not_keep_score_of_gets_no_results():
    club, other = make_club(), make_club("Other")
    member = Client()
    member.force_login(member_of(club).user)

    assert [
        client.post(ADDRESS, TABLE | {"club": club.pk, "save": "1"}).status_code
        for client in (member, Client(), scorer_of(other))
    ] == [403, 404, 404]
    assert not Game.objects.exists()


# -- what the pages of such a game say --------------------------------------------------------------------------------


def test_ranking_has_points_and_places_and_no_course():
    game = results((120, -30, 120))
    page = read(client_for(game).get(f"/games/{game.pk}/"))

    assert page.one("h1").text == "Annika and Cem win together"
    assert [line.text for line in page.one(class_="stand").all("li")] == [
        *("Rank 1Annika120", "Rank 1Cem120", "Rank 3Bernd−30"),
    ]
    assert page.one(class_="tie").text.endswith("Only the points are known, so the victory is shared.")
    assert not page.all("svg", role="img")
    assert [page.all(id=part) for part in ("course", "records", "known")][:2] == [[], []]
    assert {button["name"] for button in page.all("button") if "name" in button.attrs} == {"theme", "language"}
    links = {link["href"] for link in page.all("a")}
    assert f"/games/{game.pk}/people/" not in links
    assert "/referee/" in links
    assert f"/games/{game.pk}/results/correct/" in links


def test_watcher_sees_the_ranking_and_no_way_to_correct():
    game = results()
    page = read(client_for(game, "watch").get(f"/games/{game.pk}/"))

    assert not [link for link in page.all("a") if "correct" in link["href"]]


def test_sheet_has_the_result_the_best_first_and_the_corrections():
    game = results()
    correct_results(game.pk, (120, -30, 200), seen=2, reason="Misread", by=OPERATOR)

    page = read(client_for(game).get(f"/games/{game.pk}/sheet/"))

    rows = [[cell.text for cell in row.all("td") + row.all("th")] for row in page.one("table").one("tbody").all("tr")]
    assert rows == [["1.", "200", "Cem"], ["2.", "120", "Annika"], ["3.", "−30", "Bernd"]]
    log = page.one(id="corrections").text
    assert "Cem: points 75" in log
    assert "Misread" in log
    assert not page.all("table", class_="sheet")


@pytest.mark.parametrize(
    ("path", "status"),
    [("rounds/1/correct/", 404), ("referee/", 302), ("people/", 200), ("state/", 200), ("links/", 200)],
)
def test_other_pages_of_such_a_game(path, status):
    game = results()

    assert client_for(game).get(f"/games/{game.pk}/{path}").status_code == status


def test_what_needs_rounds_is_refused_on_the_pages():
    game = results()
    client, start = client_for(game), f"/games/{game.pk}/"
    rows = rows_of(game)
    seat = seat_ids(game)[0]
    sentence = "Only the results of this game are known: it has no rounds."

    for path, sent in (
        ("", {"seat": seat, "bid": "0", "seen": "2"}),
        ("", {"back": "2", "seen": "2"}),
        ("", {"rematch": "1", "seen": "2"}),
        (f"seats/{seat}/", {"points": "+10", "reason": "Bonus", "adjust": "1"}),
        ("people/", {"act": "leave", "seat": seat, "seen": "2", "cards": ""}),
        ("state/", {"act": "reopen", "reason": "More"}),
    ):
        response = client.post(start + path, sent)
        assert (response.status_code, sentence in response.content.decode()) == (409, True), (path, sent)
    assert rows_of(game) == rows


def test_lists_name_the_winner_of_results():
    club = make_club()
    game = results(club=club, players=[player.pk for player in add(club, *NAMES[:3])])
    client = client_for(game)
    client.force_login(member_of(club).user)

    assert "Annika won with 120 points" in read(client.get("/")).text
    assert "Annika" in read(client.get(f"/clubs/{club.pk}/")).one(class_="club-games").text


def test_new_game_does_not_begin_with_the_rules_of_results():
    game = results()

    page = read(client_for(game).get("/games/new/"))

    assert page.one("input", name="rounds")["value"] == "20"
    assert [button.text for button in page.all("button", name="toggle")] == ["Annika", "Bernd", "Cem"]


def test_pages_of_a_club_that_knows_only_results():
    club = make_club(visibility="public")
    players = add(club, *NAMES[:3])
    results(club=club, players=[player.pk for player in players])
    season = Season.objects.create(club=club, name="Rate", starts_on=date(2020, 1, 1), formula="exact_rate")
    total = Season.objects.create(club=club, name="Sum", starts_on=date(2020, 1, 1))
    statistics.rebuild_club(club)
    client, start, first, second = scorer_of(club), f"/clubs/{club.pk}/", players[0].pk, players[1].pk
    pages = [
        *(start, f"{start}players/", f"{start}players/{first}/", f"{start}players/{first}/statistics/"),
        *(f"{start}players/{first}/statistics/?players=3", f"{start}compare/?player={first}&player={second}"),
        *(f"{start}insight/", "/insight/", f"{start}evenings/", f"{start}seasons/", f"{start}all-time/"),
        *(f"{start}records/", f"{start}seasons/{season.pk}/", f"{start}seasons/{total.pk}/"),
        *(f"{start}seasons/{one.pk}/players/{first}/" for one in (season, total)),
        *(f"{start}all-time/?order={order}" for order in ("exact_rate", "mean", "rating")),
    ]

    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)


# -- correcting ------------------------------------------------------------------------------------------------------


def form_of(client: Client, game: Game, **given):
    return read(client.get(f"/games/{game.pk}/results/correct/", given)).one("form", id="correction")


def sent_by(form, **changed) -> dict[str, str]:
    return dict(form.fields()) | {"reason": "Misread"} | changed


def test_correction_is_looked_at_then_saved():
    game = results()
    client, address = client_for(game), f"/games/{game.pk}/results/correct/"
    form = form_of(client, game)
    changed = sent_by(form, **{f"points_{seat_ids(game)[2]}": "200"})

    unseen = read(client.post(address, changed | {"save": "1"}))
    assert fresh(game).version == 2
    changes = unseen.one(id="changes").text
    assert ("Cem, total75" in changes, "Winner: Annika before, Cem now." in changes) == (True, True)
    saved = press(client, address, "save", page=unseen, typed={"reason": "Misread"})

    assert (saved.status_code, saved["Location"]) == (302, f"/games/{game.pk}/sheet/#corrections")
    assert [(seat.total, seat.rank) for seat in seats_of(game)] == [(120, 2), (-30, 3), (200, 1)]
    assert game.entries.latest("version").reason == "Misread"


@pytest.mark.parametrize(
    ("typed", "reason", "field", "sentence"),
    [
        ("", "Misread", "points", "A number is missing here."),
        ("5001", "Misread", "points", "Write −5000 to +5000 points."),
        ("10", "", "reason", "Say why, in a few words."),
        ("10", "x" * 501, "reason", "A reason has at most 500 characters."),
    ],
)
def test_wrong_correction_is_refused_at_its_field(typed, reason, field, sentence):
    game = results()
    client, address, seat = client_for(game), f"/games/{game.pk}/results/correct/", seat_ids(game)[0]
    changed = sent_by(form_of(client, game), **{f"points_{seat}": typed, "reason": reason})
    rows = rows_of(game)

    looked = read(client.post(address, changed | {"look": "1"})).one("form", id="correction")
    response = client.post(address, sent_by(looked, **{f"points_{seat}": typed, "reason": reason}) | {"save": "1"})

    assert response.status_code == 422
    assert errors_at(read(response), f"points_{seat}" if field == "points" else field) == [sentence]
    assert rows_of(game) == rows


def test_correction_of_what_somebody_else_corrected_meanwhile_is_stale():
    game = results()
    client, address, seat = client_for(game), f"/games/{game.pk}/results/correct/", seat_ids(game)[0]
    changed = sent_by(form_of(client, game), **{f"points_{seat}": "1"})
    correct_results(game.pk, (5, 6, 7), seen=2, reason="First", by=OPERATOR)
    rows = rows_of(game)

    response = client.post(address, changed | {"save": "1"})

    page = read(response)
    assert response.status_code == 409
    assert page.one("input", name="seen")["value"] == "3"
    assert page.one("input", name=f"points_{seat}")["value"] == "1"
    assert rows_of(game) == rows


def test_reversing_fills_in_what_a_correction_replaced():
    game = results()
    correct_results(game.pk, (5, 6, 7), seen=2, reason="Wrong", by=OPERATOR)
    rename_seat(game, seat=seat_ids(game)[0], name="Zoe", reason="Wrong person", by=OPERATOR)
    client = client_for(game)

    fields = dict(form_of(client, game, reverse="3").fields())

    assert [fields[f"points_{seat}"] for seat in seat_ids(game)] == ["120", "−30", "75"]
    assert client.get(f"/games/{game.pk}/results/correct/", {"reverse": "4"}).status_code == 404


def test_nothing_changed_and_a_void_game_are_conflicts():
    game = results()
    client, address = client_for(game), f"/games/{game.pk}/results/correct/"
    unchanged = sent_by(form_of(client, game))

    same = client.post(address, unchanged | {"save": "1"})
    void(game, by=OPERATOR, reason="Wrong table")
    halted = client.post(
        address, sent_by(form_of(client, game), **{f"points_{seat_ids(game)[0]}": "1"}) | {"look": "1"}
    )
    refused = press(client, address, "save", page=read(halted), typed={"reason": "Misread"})

    assert (same.status_code, refused.status_code) == (409, 409)
    assert [entry.kind for entry in game.entries.order_by("version")] == ["started", "results_recorded", "voided"]


def test_only_who_keeps_score_corrects_and_only_results():
    game, other = results(), finished_game([[(1, 1), (0, 0), (0, 0)]])
    address = f"/games/{game.pk}/results/correct/"

    for method in ("get", "post"):
        assert getattr(client_for(game, "watch"), method)(address).status_code == 403
        assert getattr(Client(), method)(address).status_code == 404
        assert getattr(client_for(other), method)(f"/games/{other.pk}/results/correct/").status_code == 404
    assert client_for(game).delete(address).status_code == 405


# -- cost ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 6])
def test_statements_of_the_pages_do_not_grow_with_the_table(seats):
    game = results(tuple(range(seats)))
    client = client_for(game)

    with CaptureQueriesContext(connection) as pad:
        client.get(f"/games/{game.pk}/")
    with CaptureQueriesContext(connection) as correction:
        client.get(f"/games/{game.pk}/results/correct/")

    assert (len(pad), len(correction)) == (3, 4)
