from __future__ import annotations

import csv
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game, Player
from scoresheets.queries.blocks import sheet_of
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import (
    FILLERS,
    add,
    club_game,
    fill,
    finished,
    make_club,
    make_user,
    member_of,
    owner_of,
    player_of,
)
from tests.scoresheets.evenings import planned
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    enter_bids,
    enter_tricks,
    fresh,
    link_to,
    make_game,
    open_round,
    play_round,
    seat_ids,
)

pytestmark = pytest.mark.django_db


def with_link(game: Game, scope: str = "edit") -> Api:
    """Return an app that holds a link to the game."""
    return Api(**{"Game-Link": link_to(game, scope)[1]})


def read(api: Api, game: Game, query: str = "") -> dict[str, Any]:
    return api.get(f"games/{game.pk}/{query}").body


def ids(answer: Any) -> list[int]:
    return [row["id"] for row in answer.body["results"]]


# -- one -------------------------------------------------------------------------------------------------------------


def test_new_game_is_told_in_full():
    game = make_game(seats=3, length=2, house=rules.HouseRules(plus_minus_one=True, blind_bids=True), first_dealer=1)
    first, second, third = seat_ids(game)

    body = read(with_link(game), game)

    seats = [(first, "Annika"), (second, "Bernd"), (third, "Cem")]
    assert body == {
        "id": game.pk,
        "version": 1,
        "club": None,
        "evening": None,
        "night": None,
        "state": "bidding",
        "halted": None,
        "incomplete": False,
        "table_changed": False,
        "confirmed": False,
        "detail": "rounds",
        "edition": "base",
        "ladder": "full",
        "planned_rounds": 2,
        "scored_rounds": 0,
        "started_at": body["started_at"],
        "finished_at": None,
        "rematch_of": None,
        "first_dealer": 1,
        "house": {**rules.HouseRules().to_mapping(), "plus_minus_one": True, "blind_bids": True},
        "plan": [
            {"number": number, "cards": number, "turned_up": True, "fixed_trump": False, "trump": None}
            for number in (1, 2)
        ],
        "seats": [
            {
                "id": seat,
                "position": place,
                "name": name,
                "player": None,
                "presence": "plays",
                "total": 0,
                "exact": 0,
                "rounds": 0,
                "rank": 1,
                "starting": 0,
                "adjustments": [],
                "line": [],
            }
            for place, (seat, name) in enumerate(seats)
        ],
        "rounds": [
            {
                "number": 1,
                "cards": 1,
                "state": "bidding",
                "version": 1,
                "dealer": second,
                "trump": None,
                "turned_up": None,
                "chosen_by": None,
                "bombs": 0,
                "bid_sum": 0,
                "bids": [],
            }
        ],
        "stage": {
            "name": "bidding",
            "seen": 1,
            "round": 1,
            "cards": 1,
            "dealer": second,
            "bidding_order": [third, first, second],
            "entry": "in_turn",
            "next": third,
            "missing": [third, first, second],
            "forbidden_bid": None,
            "first_bid": None,
            "may_bid_blind": True,
            "covered": False,
        },
        "undo": None,
        "confirmation": None,
        "may_keep_score": True,
    }


def test_last_bidder_is_told_what_is_forbidden_and_what_a_step_back_takes_back():
    game = make_game(seats=3, house=rules.HouseRules(plus_minus_one=True), length=2)
    first, second, third = seat_ids(game)
    recording.record_bids(game, bids={second: 1}, seen=1, by=OPERATOR)
    recording.record_bids(game, bids={third: 0}, seen=1, by=OPERATOR)

    body = read(with_link(game), game)

    assert (body["stage"]["next"], body["stage"]["missing"], body["stage"]["forbidden_bid"]) == (first, [first], 0)
    assert body["rounds"][0]["bid_sum"] == 1
    assert body["undo"] == {"version": 3, "round": 1, "label": "Cem 0", "seat": third, "bid": 0, "tricks": False}


def test_hidden_bids_that_add_up_are_shown_and_the_dealer_bids_again():
    house = rules.HouseRules(hidden_bids=True, plus_minus_one=True)
    game = make_game(seats=3, house=house, ladder="free", cards=[3])
    first, _second, _third = seat_ids(game)
    hidden = read(with_link(game), game)["stage"]
    enter_bids(game, [1, 2, 0])

    stage = read(with_link(game), game)["stage"]

    assert (hidden["entry"], hidden["next"], hidden["covered"]) == ("hidden", None, True)
    assert (stage["entry"], stage["next"], stage["covered"]) == ("shown", first, False)
    assert (stage["first_bid"], stage["forbidden_bid"]) == (1, 1)


def test_rounds_say_the_same_as_the_page_whatever_was_played():
    house = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True)
    game = make_game(seats=4, house=house, ladder="free", cards=[2, 3, 3, 2, 2])
    seats = seat_ids(game)
    bids = dict(zip(seats, (1, 0, 1, 0), strict=True))
    recording.record_bids(game, bids=bids, blind=[seats[2]], seen=1, by=OPERATOR)
    taken = dict(zip(seats, (0, 0, 1, 0), strict=True))
    recording.record_tricks(game, taken=taken, bombs=1, clouds={seats[2]: -1}, seen=2, by=OPERATOR)
    recording.adjust_points(game, seat=seats[1], points=-15, reason="Misdeal", by=OPERATOR)
    play_round(game)
    version = fresh(game).version
    recording.leave_table(game, seat=seats[3], cards=[4, 4], seen=version, by=OPERATOR)
    joined = recording.join_table(
        game, name="Emil", after=seats[0], cards=[2, 2], starting=None, seen=version + 1, by=OPERATOR
    )
    recording.note_trump(game, number=3, trump="R", turned_up="R7", by=OPERATOR)
    play_round(game)

    body, block = read(with_link(game), game), sheet_of(fresh(game), whole=True).block

    told = [
        [(bid["bid"], bid["tricks"], bid["points"], bid["blind"], bid["cloud_delta"]) for bid in played["bids"]]
        for played in body["rounds"]
    ]
    shown = [
        [(cell.bid, cell.tricks, cell.points, cell.blind, cell.cloud_delta) for cell in row.cells if cell is not None]
        for row in block.rows
    ]
    assert told == shown
    totals = [[bid["total"] for bid in played["bids"]] for played in body["rounds"][:3]]
    assert totals == [
        [total for total, cell in zip(running, row.cells, strict=True) if cell is not None]
        for running, row in zip(block.running_totals, block.scored_rows, strict=True)
    ]
    assert [seat["total"] for seat in body["seats"] if seat["rounds"]] == list(block.totals)
    assert body["rounds"][0]["bids"][2]["final_bid"] == 0
    assert body["rounds"][0]["bombs"] == 1
    assert (body["rounds"][2]["trump"], body["rounds"][2]["turned_up"]) == ("R", "R7")
    assert [seat["presence"] for seat in body["seats"]] == ["plays", "plays", "plays", "plays", "left"]
    assert body["seats"][1]["starting"] == joined.game.seats.get(name="Emil").starting != 0
    assert body["seats"][2]["adjustments"] == [{"after": 1, "points": -15}]
    assert (body["incomplete"], body["table_changed"], body["planned_rounds"]) == (True, True, 4)


def test_rounds_none_leaves_them_out_and_nothing_else():
    game = make_game(seats=3, rounds=1, length=2)
    api = with_link(game)
    whole = read(api, game)
    assert read(api, game, "?rounds=none") == {name: part for name, part in whole.items() if name != "rounds"}
    assert api.get(f"games/{game.pk}/?rounds=some").refusal == (400, "choice_unknown")
    assert api.get(f"games/{game.pk}/?round=none").refusal == (400, "unknown_parameter")


def test_quick_game_is_there_for_links_only():
    game, other = make_game(), make_game()
    path = f"games/{game.pk}/"
    revoked = recording.revoke_link(link_to(game)[0], by=OPERATOR)
    assert revoked.revoked_at is not None

    assert with_link(game, "watch").get(path).body["may_keep_score"] is False
    for api in (Api(), Api.of(make_user("Somebody")), with_link(other), Api(**{"Game-Link": "nonsense"})):
        assert api.get(path).refusal == (404, "not_found")
        assert api.get(f"{path}journal/").status == 404


@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 200), ("public", 200)])
def test_strangers_see_public_names_of_clubs_that_are_not_private(visibility, status):
    club = make_club(visibility=visibility)
    anna, bert = add(club, "Anna Zoe", "Bert")
    recording.rename_player(anna, name="Anna Zoe", public_name="A.", by=OPERATOR)
    game = finished(club, [anna, bert])

    for api in (Api(), Api.of(make_user("Stranger"))):
        answers = [api.get(f"games/{game.pk}/"), api.get(f"games/{game.pk}/sheet/")]
        assert [answer.status for answer in answers] == [status] * 2
        for answer in answers:
            assert "Anna Zoe" not in answer.text
        listed = api.get(f"clubs/{club.pk}/games/")
        assert listed.status == status
        assert "Anna Zoe" not in listed.text
    if status == 200:
        assert [seat["name"] for seat in answers[0].body["seats"]] == ["A.", "Bert", "Zita"]
        assert answers[0].body["undo"]["label"]
        assert [seat["name"] for seat in listed.body["results"][0]["seats"]] == ["A.", "Bert", "Zita"]
    insider = Api.of(member_of(club))
    assert read(insider, game)["seats"][0]["name"] == "Anna Zoe"
    assert insider.get(f"clubs/{club.pk}/games/").body["results"][0]["seats"][0]["name"] == "Anna Zoe"


def test_confirmation_says_who_has_confirmed_to_members_alone():
    club = make_club(visibility="public", locks_after=5)
    member = member_of(club)
    game = finished(club, [player_of(member, club, "Mia")])
    recording.confirm(game, seen=game.version, by=member)

    told = read(Api.of(member), game)["confirmation"]

    assert [one["seat"] for one in told["by"]] == [seat_ids(game)[0]]
    assert (told["confirmed"], told["locked"]) == (True, False)
    assert told["locks_at"] == (game.finished_at + timedelta(hours=5)).isoformat().replace("+00:00", "Z")
    assert read(Api(), game)["confirmation"] == {**told, "by": None}


# -- versions --------------------------------------------------------------------------------------------------------


def test_game_that_has_not_changed_is_not_sent_again(django_assert_num_queries):
    club = make_club()
    game = club_game(club, add(club, "A", "B"), rounds=1, length=2)
    api = Api.of(member_of(club))
    first = api.get(f"games/{game.pk}/")
    etag = first.headers["ETag"]

    with django_assert_num_queries(3):
        again = api.get(f"games/{game.pk}/", If_None_Match=f'"other", W/{etag}')

    assert etag.startswith(f'"{game.version}-')
    assert (again.status, again.text, again.headers["ETag"]) == (304, "", etag)


@pytest.mark.parametrize("change", ["write", "draft", "rename", "language", "right", "public name", "lock"])
def test_game_that_reads_otherwise_has_another_tag(change):
    club = make_club(visibility="public", locks_after=1)
    (anna,) = add(club, "Anna")
    game = finished(club, [anna]) if change == "lock" else club_game(club, [anna], length=2)
    scorer = member_of(club, "scorer")
    api = Api() if change == "public name" else Api.of(scorer)
    before = api.get(f"games/{game.pk}/").headers["ETag"]
    headers: dict[str, str] = {}
    match change:
        case "write":
            enter_bids(game)
        case "draft":
            recording.save_draft(game, draft={}, seen=1, by=OPERATOR)
        case "rename":
            recording.rename_player(anna, name="Berta", by=OPERATOR)
        case "language":
            headers = {"Accept_Language": "de"}
        case "right":
            club.memberships.filter(user=scorer.user).update(role="member")
        case "public name":
            recording.rename_player(anna, name="Anna", public_name="A.", by=OPERATOR)
        case "lock":
            Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(hours=2))

    after = api.get(f"games/{game.pk}/", If_None_Match=before, **headers)

    assert after.status == 200
    assert after.headers["ETag"] != before


# -- what it costs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "rounds", "length"), [(3, 0, 1), (3, 1, 1), (6, 1, 15), (4, 15, 15)])
@pytest.mark.parametrize("who", ["member", "stranger", "link"])
def test_game_costs_at_most_eight_statements(seats, rounds, length, who):
    club = make_club(visibility="public")
    names = ("Annika", "Bernd", "Cem", "Dora", "Emil", "Frida")[:seats]
    game = club_game(club, add(club, *names), length=min(length, 60 // seats))
    for _ in range(rounds):
        play_round(game)
    member = member_of(club)
    apps = {"member": Api.of(member), "stranger": Api.of(make_user("Stranger")), "link": Api.of(member)}
    api = apps[who]
    if who == "link":
        api.headers["Game-Link"] = link_to(game)[1]
    read(api, game)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        read(api, game)

    expected = {"member": 6, "stranger": 8, "link": 6}[who]
    is_over = rounds == length
    # The open round has bids; a club's finished game, confirmations, and by its link alone also the club.
    expected += {"member": 0, "stranger": -1, "link": 1}[who] if is_over else 0
    assert len(queries) == expected <= 8


@pytest.mark.parametrize("games", [1, 200])
@pytest.mark.parametrize("query", ["", "?halted=no&player=PLAYER&from=2000-01-01&state=finished", "?format=csv"])
def test_list_costs_the_same_whatever_its_length(games, query, django_assert_num_queries):
    club = make_club()
    fill(club, 3, games)
    api = Api.of(owner_of(club))
    api.get("clubs/")

    path = f"clubs/{club.pk}/games/{query}".replace("PLAYER", str(Player.objects.latest("pk").pk))

    with django_assert_num_queries(6):
        answer = api.get(path)

    assert answer.status == 200


# -- many ------------------------------------------------------------------------------------------------------------


def test_list_says_where_each_game_stands():
    club = make_club()
    anna, bert, cem = add(club, "Anna", "Bert", "Cem")
    game = club_game(club, [anna, bert, cem], rounds=1, length=2)

    (told,) = Api.of(member_of(club)).get(f"clubs/{club.pk}/games/").body["results"]

    whole = read(Api.of(member_of(club)), game)
    assert told == {
        name: [{field: seat[field] for field in told["seats"][0]} for seat in whole["seats"]]
        if name == "seats"
        else whole[name]
        for name in told
    }
    assert (told["scored_rounds"], told["planned_rounds"], told["seats"][0]["total"]) == (1, 2, 30)
    assert [seat["player"] for seat in told["seats"]] == [anna.pk, bert.pk, cem.pk]


def test_list_in_pages_both_ways():
    club = make_club()
    fill(club, 3, 5)
    api = Api.of(member_of(club))
    newest = [game.pk for game in Game.objects.order_by("-started_at")]

    first = api.get(f"clubs/{club.pk}/games/?page_size=2")
    second = api.get(first.body["next"])
    third = api.get(second.body["next"])

    assert ids(first) + ids(second) + ids(third) == newest
    assert third.body["next"] is None
    assert ids(api.get(third.body["previous"])) == ids(second)
    assert ids(api.get(f"clubs/{club.pk}/games/?ordering=started_at")) == newest[::-1]


def test_list_is_narrowed_down():
    club = make_club()
    anna, bert, cem, copy = add(club, "Anna", "Bert", "Cem", "Anna B")
    evening = planned(club)
    old = finished(club, [anna, bert])
    Game.objects.filter(pk=old.pk).update(night="2020-02-29", finished_at="2020-02-29T20:00:00Z")
    bidding = club_game(club, [copy, cem], length=2)
    recording.set_evening(bidding, evening, by=OPERATOR)
    paused, void = club_game(club, length=2), club_game(club, length=2)
    recording.pause(paused, by=OPERATOR)
    recording.void(void, reason="Cards missing", by=OPERATOR)
    recording.merge_players(anna, copy, by=OPERATOR)
    playing = club_game(club, [bert], length=2)
    enter_bids(playing)
    results = recording.record_results(FILLERS, [30, 20, 10], club=club, by=OPERATOR).game
    finished(make_club("Andere"))
    api = Api.of(member_of(club))

    found = {
        query: set(ids(api.get(f"clubs/{club.pk}/games/?{query}")))
        for query in (
            *("", "state=finished", "state=playing", "halted=no", "halted=paused", "halted=voided"),
            *("detail=rounds", "detail=results"),
            *(f"player={anna.pk}", f"player={copy.pk}", f"player={bert.pk}", f"evening={evening.pk}"),
            *("from=2020-03-01", "to=2020-02-29", "from=2020-02-29&to=2020-02-29"),
            *("finished_since=2020-02-29T20:00:00Z", "finished_since=2020-02-29T22:00:01%2B02:00", "player=999999"),
        )
    }

    rest = {bidding.pk, paused.pk, playing.pk}
    assert found == {
        "": {old.pk, results.pk, *rest},
        "state=finished": {old.pk, results.pk},
        "state=playing": {playing.pk},
        "halted=no": {old.pk, results.pk, bidding.pk, playing.pk},
        "halted=paused": {paused.pk},
        "halted=voided": {void.pk},
        "detail=rounds": {old.pk, *rest},
        "detail=results": {results.pk},
        f"player={anna.pk}": {old.pk, bidding.pk},
        f"player={copy.pk}": {old.pk, bidding.pk},
        f"player={bert.pk}": {old.pk, playing.pk},
        f"evening={evening.pk}": {bidding.pk},
        "from=2020-03-01": {results.pk, *rest},
        "to=2020-02-29": {old.pk},
        "from=2020-02-29&to=2020-02-29": {old.pk},
        "finished_since=2020-02-29T20:00:00Z": {old.pk, results.pk},
        "finished_since=2020-02-29T22:00:01%2B02:00": {results.pk},
        "player=999999": set(),
    }


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("state=over", ("parameter_wrong", "state")),
        ("halted=yes", ("parameter_wrong", "halted")),
        ("detail=points", ("parameter_wrong", "detail")),
        ("player=x", ("parameter_wrong", "player")),
        ("player=0", ("parameter_wrong", "player")),
        (f"evening={10**30}", ("parameter_wrong", "evening")),
        ("from=2020-02-30", ("parameter_wrong", "from")),
        ("to=yesterday", ("parameter_wrong", "to")),
        ("finished_since=2020-02-29T20:00:00", ("parameter_wrong", "finished_since")),
        ("finished_since=0001-01-01T00:00:00%2B14:00", ("parameter_wrong", "finished_since")),
        ("ordering=name", ("choice_unknown", "ordering")),
        ("page_size=201", ("page_size_out_of_range", "page_size")),
        ("cursor=zzz", ("cursor_unknown", "cursor")),
        ("winner=1", ("unknown_parameter", "winner")),
    ],
)
def test_list_names_parameters_that_it_cannot_read(query, problem):
    club = make_club()
    answer = Api.of(owner_of(club)).get(f"clubs/{club.pk}/games/?{query}")
    assert (answer.status, answer.problems) == (400, [problem])


# -- for spreadsheets ------------------------------------------------------------------------------------------------


def test_list_as_csv_has_a_line_for_each_game():
    club = make_club()
    fill(club, 3, 3)
    answer = Api.of(member_of(club)).get(f"clubs/{club.pk}/games/?format=csv&ordering=started_at")

    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [int(row["id"]) for row in rows] == [game.pk for game in Game.objects.order_by("started_at")]
    assert (rows[0]["state"], rows[0]["planned_rounds"], rows[0]["halted"]) == ("finished", "1", "")


def test_sheet_as_csv_has_a_line_for_each_round_and_seat():
    game = make_game(seats=3, names=["=1+1", "Bernd", "Cem"], house=BOMB_AND_CLOUD, ladder="free", cards=[1, 2])
    enter_bids(game, [1, 0, 0])
    enter_tricks(game, [0, 1, 0])
    recording.record_bids(game, bids={seat_ids(game)[2]: 2}, seen=open_round(game).stage_version, by=OPERATOR)

    rows = list(csv.DictReader(with_link(game, "watch").get(f"games/{game.pk}/sheet/").text.splitlines()))

    assert [(row["round"], row["name"], row["bid"], row["tricks"], row["points"], row["total"]) for row in rows] == [
        ("1", "'=1+1", "1", "0", "-10", "-10"),
        ("1", "Bernd", "0", "1", "-10", "-10"),
        ("1", "Cem", "0", "0", "20", "20"),
        ("2", "Cem", "2", "", "", ""),
    ]
    assert rows[0]["dealer"] == "'=1+1"
    assert rows[3]["dealer"] == "Bernd"
