from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game, Link, Receipt, Season
from scoresheets.models.games import hash_of_secret
from scoresheets.recording import statistics
from tests.scoresheets.api.game_acts import ACTS, JOURNALLED, KINDS, grid, prepared, seen
from tests.scoresheets.api.helpers import Api, api_schema, operations
from tests.scoresheets.clubs import add, club_game, make_club, make_user, member_of, owner_of, player_of, stored
from tests.scoresheets.evenings import opened
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    enter_bids,
    fresh,
    link_to,
    make_game,
    newest_of,
    open_round,
    play_round,
    rows_of,
    seat_ids,
)

pytestmark = pytest.mark.django_db

NAMES = ("Annika", "Bernd", "Cem", "Dora")
TABLE = [{"name": name} for name in NAMES[:3]]


def keeper(game: Game) -> Api:
    """Return an app that keeps the score by a link."""
    return Api(**{"Game-Link": link_to(game)[1]})


def table_of(name: str) -> tuple[Any, Game, Api]:
    """Return an act, a club's game that it fits, and an app of the club's owner."""
    club = make_club()
    act, game = prepared(name, club, add(club, *NAMES))
    return act, game, Api.of(owner_of(club))


# -- a whole game ----------------------------------------------------------------------------------------------------


def test_whole_game_is_played_by_nothing_but_its_link():
    started = Api().post("games/", {"seats": TABLE, "rounds": 3, "first_dealer": 2, "house": {"plus_minus_one": True}})
    app, game = Api(**{"Game-Link": started.body["link_secret"]}), started.body["game"]
    path = f"games/{game['id']}/"

    while game["state"] != "finished":
        stage = game["stage"]
        if stage["name"] == "bidding":
            bid = 1 if stage["forbidden_bid"] == 0 else 0
            sent = {"seen": stage["seen"], "bids": [{"seat": stage["next"], "bid": bid}]}
            game = app.post(f"{path}bids/", sent).body
        else:
            winner, *others = stage["bidding_order"]
            tricks = [{"seat": winner, "tricks": stage["cards"]}, *({"seat": seat, "tricks": 0} for seat in others)]
            game = app.post(f"{path}tricks/", {"seen": stage["seen"], "tricks": tricks}).body

    assert (game["version"], game["scored_rounds"], game["confirmation"]) == (13, 3, None)
    assert [seat["line"] for seat in game["seats"]] == [
        [[0, 1, -10], [0, 0, 20], [0, 0, 20]],
        [[0, 0, 20], [0, 2, -20], [0, 0, 20]],
        [[0, 0, 20], [0, 0, 20], [0, 3, -30]],
    ]
    assert game == app.get(path).body
    assert fresh(Game(pk=game["id"])).entries.filter(via="edit_link").count() == 12


def test_rematch_goes_on_with_the_same_table():
    act, game, api = table_of("games_rematch")

    answer = act.by(api, game)

    assert answer.status == 201
    new, secret = answer.body["game"], answer.body["link_secret"]
    assert (new["rematch_of"], [seat["name"] for seat in new["seats"]]) == (game.pk, list(NAMES[:3]))
    assert Api(**{"Game-Link": secret}).get(f"games/{new['id']}/").body["may_keep_score"] is True


# -- every act -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", JOURNALLED)
def test_act_writes_one_entry_and_answers_with_the_game(name):
    act, game, api = table_of(name)

    answer = act.by(api, game)

    entry = game.entries.latest("version")
    assert answer.status == 200
    assert (entry.kind, entry.via, entry.version) == (KINDS[name], "token", game.version + 1)
    again = api.get(f"games/{game.pk}/")
    assert (answer.body, answer.headers["ETag"]) == (again.body, again.headers["ETag"])
    assert answer.body["version"] == entry.version


@pytest.mark.parametrize("name", ACTS)
def test_act_with_the_same_key_is_done_once(name):
    act, game, api = table_of(name)
    body, headers = act.body(game), act.headers(game)
    path = f"games/{game.pk}/{act.path}"

    first = api.post(path, body, **headers, Idempotency_Key="once")
    after = stored()
    again = api.post(path, body, **headers, Idempotency_Key="once")
    other = api.post(f"games/{game.pk}/links/", {"scope": "edit"}, Idempotency_Key="once")

    assert first.status == again.status == act.status
    assert (again.body, again.headers.get("ETag")) == (first.body, first.headers.get("ETag"))
    assert again.headers["Idempotency-Replayed"] == "true"
    if body is not None:
        changed = {**body, "reason": "Another"} if "reason" in body else {**body, next(iter(body)): None}
        assert api.post(path, changed, **headers, Idempotency_Key="once").status in (400, 422)
    assert stored() == after
    if name != "games_make_link":
        assert other.refusal == (422, "key_reused")
    secrets = [part for part in (first.body.get("link_secret"), first.body.get("secret")) if part]
    for secret in secrets:
        assert secret not in str(list(Receipt.objects.values()))


@pytest.mark.parametrize("name", [name for name, act in ACTS.items() if act.needs_version])
def test_act_needs_the_version_that_was_seen(name):
    act, game, api = table_of(name)
    path, body, before = f"games/{game.pk}/{act.path}", act.body(game), stored()
    version = fresh(game).version

    assert api.post(path, body).refusal == (428, "if_match_missing")
    for stale in (f'"{version - 1}-x"', f'"{version + 1}-x"', f'"{version}"', "", '""', f"{version}-x"):
        assert api.post(path, body, If_Match=stale).refusal == (412, "version_stale")
    assert stored() == before
    assert api.post(path, body, If_Match=f'"1000-a", W/"{version}-b"').status == 200


@pytest.mark.parametrize("name", [name for name, act in JOURNALLED.items() if not act.needs_version])
def test_version_is_compared_where_it_is_given(name):
    act, game, api = table_of(name)
    before = stored()
    assert act.by(api, game, If_Match='"99-x"').refusal == (412, "version_stale")
    assert stored() == before
    assert act.by(api, game, If_Match="*").status == 200


@pytest.mark.parametrize("name", ["games_pause", "games_step_back"])
def test_version_may_be_any(name):
    act, game, api = table_of(name)
    assert act.by(api, game, If_Match="*").status == 200


@pytest.mark.parametrize("name", ACTS)
def test_act_is_not_for_who_only_watches(name):
    act, game, _owner = table_of(name)
    before = rows_of(game)
    app = Api.of(make_user("Somebody"), **{"Game-Link": link_to(game, "watch")[1]})
    links = rows_of(game)["links"]

    answer = act.by(app, game)

    assert answer.refusal == (403, "not_allowed")
    assert {**rows_of(game), "receipts": [], "links": links} == {**before, "receipts": [], "links": links}


def test_closed_game_answers_repeats_of_what_closed_it_and_refuses_the_next_act():
    club = make_club(locks_after=0)
    game = club_game(club, add(club, *NAMES[:3]))
    enter_bids(game)
    api = Api.of(member_of(club, "scorer"))
    path, body = f"games/{game.pk}/tricks/", {"seen": seen(game), "tricks": grid(game, "tricks", 1, 0, 0)}

    first = api.post(path, body, Idempotency_Key="last")
    again = api.post(path, body, Idempotency_Key="last")

    assert first.body["confirmation"]["locked"] is True
    assert (again.status, again.body) == (200, first.body)
    assert api.post(f"games/{game.pk}/void/", {"reason": "No"}, If_Match="*").refusal == (403, "not_allowed")
    assert api.post(f"games/{game.pk}/rematch/").status == 201


@pytest.mark.parametrize(("seats", "rounds"), [(3, 0), (6, 0), (4, 8)])
def test_recording_costs_the_same_whatever_is_on_the_sheet(seats, rounds, django_assert_num_queries):
    club = make_club()
    people = add(club, *(f"Player {place}" for place in range(seats)))
    game = club_game(club, people, rounds=rounds, length=10)
    path, api = f"games/{game.pk}/", Api.of(owner_of(club))
    api.get(path)
    cards = open_round(game).cards
    numbers = [cards, *[0] * (seats - 1)]

    sent = {"seen": seen(game), "bids": grid(game, "bid", *numbers, places=seats)}
    with django_assert_num_queries(18):  # 4 of them are savepoints
        assert api.post(f"{path}bids/", sent).status == 200
    sent = {"seen": seen(game), "tricks": grid(game, "tricks", *numbers, places=seats)}
    with django_assert_num_queries(18):
        assert api.post(f"{path}tricks/", sent).status == 200


# -- what is stale ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("games_record_bids", {"seen": 0}),
        ("games_record_tricks", {"seen": 1}),
        ("games_record_round", {"seen": 7}),
        ("games_note_trump", {"round": 2}),
        ("games_step_back", {"undoes": 1}),
        ("games_correct_round", {"seen": 1}),
        ("games_correct_round", {"round": 2}),
    ],
)
def test_act_on_a_stage_that_is_over_is_a_conflict(name, change):
    act, game, api = table_of(name)
    before = stored()
    answer = api.post(f"games/{game.pk}/{act.path}", {**act.body(game), **change}, **act.headers(game))
    assert answer.refusal == (409, "stale")
    assert stored() == before


def test_bid_of_a_seat_that_has_bid_names_the_seat():
    act, game, api = table_of("games_record_bids")
    first = seat_ids(game)[0]
    recording.record_bids(game, bids={first: 0}, seen=1, by=OPERATOR)
    answer = act.by(api, game)
    assert answer.refusal == (409, "already_bid")
    assert answer.body["seat"] == first


# -- what is refused -------------------------------------------------------------------------------------------------

PM1 = rules.HouseRules(plus_minus_one=True)


@pytest.mark.parametrize(
    ("house", "numbers", "expected"),
    [
        (rules.HouseRules(), (2, 0, 0), [("bid_out_of_range", "bids", 0)]),
        (rules.HouseRules(), (0, -1, 9), [("bid_out_of_range", "bids", 1), ("bid_out_of_range", "bids", 2)]),
        (PM1, (1, 0, 0), [("bid_sum_forbidden", "bids", 0)]),
    ],
)
def test_refused_bids_name_field_and_seat(house, numbers, expected):
    game = make_game(seats=3, house=house, length=2)
    before = rows_of(game)

    answer = keeper(game).post(f"games/{game.pk}/bids/", {"seen": 1, "bids": grid(game, "bid", *numbers)})

    seats = seat_ids(game)
    found = [(problem["code"], problem["field"], problem["seat"]) for problem in answer.body["problems"]]
    assert (answer.status, found) == (400, [(code, field, seats[place]) for code, field, place in expected])
    assert rows_of(game)["bids"] == before["bids"]
    assert rows_of(game)["entries"] == before["entries"]


def test_sentence_names_who_is_meant():
    game = make_game(seats=3, house=PM1, length=2)
    sent = {"seen": 1, "bids": grid(game, "bid", 1, 0, 0)}
    in_english = keeper(game).post(f"games/{game.pk}/bids/", sent)
    in_german = keeper(game).post(f"games/{game.pk}/bids/", sent, Accept_Language="de")
    assert "Annika needs another number" in in_english.body["detail"]
    assert "Annika" in in_german.body["detail"] != in_english.body["detail"]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"tricks": (0, 0, 0)}, [("tricks_sum", "tricks", None)]),
        ({"tricks": (3, -1, 0)}, [("tricks_out_of_range", "tricks", 0), ("tricks_out_of_range", "tricks", 1)]),
        ({"tricks": (2, 0, 0), "bombs": -1}, [("bombs_out_of_range", "bombs", None)]),
        ({"tricks": (0, 0, 0), "bombs": 2}, [("too_many_bombs", "bombs", None)]),
        ({"tricks": (2, 0, 0), "clouds": {0: 2}}, [("cloud_delta", "clouds", 0)]),
        ({"tricks": (2, 0, 0), "clouds": {1: 1}}, [("cloud_without_trick", "clouds", 1)]),
        ({"tricks": (1, 1, 0), "clouds": {0: 1, 1: 1}}, [("too_many_clouds", "clouds", None)]),
        ({"tricks": (1, 1, 0), "clouds": {1: -1}}, [("cloud_bid_out_of_range", "clouds", 1)]),
    ],
)
@pytest.mark.parametrize("path", ["tricks/", "round/", "corrections/preview/"])
def test_refused_tricks_name_field_and_seat(path, sent, expected):
    game = make_game(seats=3, house=BOMB_AND_CLOUD, ladder="free", cards=[2, 2])
    body: dict[str, Any] = {"bids": grid(game, "bid", 1, 0, 0)}
    if path == "corrections/preview/":
        play_round(game, [1, 1, 0], [1, 1, 0])
        body["round"] = 1
    elif path == "tricks/":
        enter_bids(game, [1, 0, 0])
        body = {"seen": seen(game)}
    else:
        body["seen"] = seen(game)
    seats = seat_ids(game)
    body["tricks"] = grid(game, "tricks", *sent["tricks"])
    body["bombs"] = sent.get("bombs", 0)
    body["clouds"] = [{"seat": seats[place], "delta": delta} for place, delta in sent.get("clouds", {}).items()]
    before = rows_of(game)["entries"]

    answer = keeper(game).post(f"games/{game.pk}/{path}", body)

    found = [(problem["code"], problem["field"], problem["seat"]) for problem in answer.body["problems"]]
    told = [(code, field, None if place is None else seats[place]) for code, field, place in expected]
    assert (answer.status, found) == (400, told)
    assert rows_of(game)["entries"] == before


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("games_note_trump", {"trump": "H"}, ("suit_not_in_deck", "trump")),
        ("games_note_trump", {"turned_up": "B7"}, ("trump_impossible", "trump")),
        ("games_note_trump", {"turned_up": "Joker"}, ("card_unknown", "turned_up")),
        ("games_note_trump", {"trump": None}, ("trump_missing", "trump")),
        ("games_rename_seat", {"name": " \u200b "}, ("name_missing", "name")),
        ("games_rename_seat", {"name": "x" * 41}, ("name_too_long", "name")),
        ("games_rename_seat", {"name": "CEM"}, ("name_taken", "name")),
        ("games_adjust_points", {"points": 0}, ("adjustment_out_of_range", "points")),
        ("games_adjust_points", {"reason": " "}, ("reason_missing", "reason")),
        ("games_adjust_points", {"reason": "x" * 501}, ("reason_too_long", "reason")),
        ("games_void", {"reason": ""}, ("reason_missing", "reason")),
        ("games_abandon", {"reason": "x" * 501}, ("reason_too_long", "reason")),
        ("games_join_table", {"name": "cem"}, ("name_taken", "name")),
        ("games_join_table", {"starting": 5001}, ("starting_out_of_range", "starting")),
        ("games_join_table", {"cards": [99]}, ("cards_exceed_deck", "cards")),
        ("games_join_table", {"cards": []}, ("ladder_cards", "cards")),
        ("games_replace_at_table", {"name": ""}, ("name_missing", "name")),
        ("games_correct_round", {"trump": "R", "turned_up": "B7"}, ("trump_impossible", "trump")),
    ],
)
def test_refused_act_names_the_field(name, change, expected):
    act, game, api = table_of(name)
    before = stored()
    answer = api.post(f"games/{game.pk}/{act.path}", {**act.body(game), **change}, **act.headers(game))
    assert (answer.status, answer.problems) == (400, [expected])
    assert stored() == before


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("games_record_bids", {"bids": []}, "missing_bids"),
        ("games_record_bids", {"bids": [{"seat": 999, "bid": 0}]}, "seat_unknown"),
        ("games_record_tricks", {"tricks": []}, "missing_seats"),
        ("games_record_round", {"bids": [{"seat": 999, "bid": 0}]}, "seat_unknown"),
        ("games_note_trump", {"chosen_by": 999}, "seat_unknown"),
        ("games_correct_round", {"bids": []}, "missing_seats"),
        ("games_adjust_points", {"seat": 999}, "seat_unknown"),
        ("games_join_table", {"after": 999}, "seat_unknown"),
        ("games_leave_table", {"seat": 999}, "seat_unknown"),
        ("games_come_back", {"seat": 999}, "seat_unknown"),
        ("games_replace_at_table", {"seat": 999}, "seat_unknown"),
        ("games_move", {"players": [{"seat": 999, "player": 1}]}, "seat_unknown"),
        ("games_set_evening", {"evening": 999}, "evening_unknown"),
        ("games_set_evening", {"evening": None}, "nothing_changed"),
    ],
)
def test_act_that_meets_another_state_is_a_conflict(name, change, code):
    act, game, api = table_of(name)
    before = stored()
    answer = api.post(f"games/{game.pk}/{act.path}", {**act.body(game), **change}, **act.headers(game))
    assert answer.refusal == (409, code)
    assert stored() == before


@pytest.mark.parametrize(
    ("name", "change", "problems"),
    [
        ("games_record_bids", {"bids": [{"seat": 1, "bid": 0}] * 2}, [("seat_repeated", "bids")]),
        ("games_record_tricks", {"tricks": [{"seat": 1, "tricks": 0}] * 2}, [("seat_repeated", "tricks")]),
        ("games_record_tricks", {"clouds": [{"seat": 1, "delta": 1}] * 2}, [("seat_repeated", "clouds")]),
        ("games_move", {"players": [{"seat": 1}] * 2}, [("seat_repeated", "players")]),
        (
            "games_record_bids",
            {"bids": [{"seat": "1", "bid": True}]},
            [("wrong_type", "bids.0.seat"), ("wrong_type", "bids.0.bid")],
        ),
        ("games_record_bids", {"bid": 1}, [("unknown_field", "bid")]),
        ("games_record_bids", {"bids": None}, [("field_null", "bids")]),
        ("games_record_bids", {"bids": {}}, [("wrong_type", "bids")]),
        ("games_record_bids", {"seen": 2**31}, [("too_large", "seen")]),
        ("games_record_bids", {"bids": [{"seat": 1, "bid": 10**6}]}, [("too_large", "bids.0.bid")]),
        ("games_note_trump", {"trump": "red"}, [("choice_unknown", "trump")]),
        ("games_step_back", {"undoes": "2"}, [("wrong_type", "undoes")]),
        ("games_make_link", {"scope": "seat"}, [("choice_unknown", "scope")]),
    ],
)
def test_act_of_a_wrong_shape_is_refused(name, change, problems):
    act, game, api = table_of(name)
    before = stored()
    answer = api.post(f"games/{game.pk}/{act.path}", {**act.body(game), **change}, **act.headers(game))
    assert (answer.status, answer.problems) == (400, problems)
    assert stored() == before


@pytest.mark.parametrize(
    "name", [name for name in JOURNALLED if name not in ("games_restore", "games_resume", "games_move")]
)
def test_paused_game_refuses(name):
    act, game, api = table_of(name)
    body = act.body(game)
    if not fresh(game).is_finished:
        recording.pause(game, by=OPERATOR)
    else:
        recording.void(game, reason="No", by=OPERATOR)
    answer = api.post(f"games/{game.pk}/{act.path}", body, **act.headers(game))
    is_last_word = name in ("games_abandon", "games_void")
    assert answer.refusal == ((200, None) if is_last_word else (409, "halted"))


# -- single acts -----------------------------------------------------------------------------------------------------


def test_correction_changes_what_its_preview_said():
    act, game, api = table_of("games_correct_round")
    first, second, _third = seat_ids(game)
    body, before = act.body(game), stored()

    preview = api.post(f"games/{game.pk}/corrections/preview/", body)
    assert stored() == before
    corrected = act.by(api, game)

    ranks = {seat["id"]: (seat["total"], seat["rank"], seat["exact"]) for seat in corrected.body["seats"]}
    assert {
        one["seat"]: (one["total_after"], one["rank_after"], one["exact_after"]) for one in preview.body["seats"]
    } == {seat: ranks[seat] for seat in (first, second)} | {_third: ranks[_third]}
    assert (preview.body["winners_before"], preview.body["winners_after"]) == ([first], [_third])
    assert (corrected.body["rounds"][0]["version"], preview.body["adds_up"]) == (corrected.body["version"], False)


def test_correction_of_a_finished_game_needs_a_reason():
    club = make_club()
    game = club_game(club, add(club, *NAMES[:3]), rounds=1)
    api, body = Api.of(owner_of(club)), ACTS["games_correct_round"].body(game)
    path = f"games/{game.pk}/corrections/"
    assert api.post(path, body, If_Match="*").problems == [("reason_missing", "reason")]
    assert api.post(path, {**body, "reason": "Misread"}, If_Match="*").status == 200
    assert api.post(path, {**body, "reason": "Misread"}, If_Match="*").refusal == (409, "nothing_changed")


def test_bids_that_add_up_may_be_corrected_so_and_the_preview_says_it():
    game = make_game(seats=3, house=PM1, length=2)
    play_round(game, [0, 0, 0], [1, 0, 0])
    body = {"round": 1, "bids": grid(game, "bid", 1, 0, 0), "tricks": grid(game, "tricks", 1, 0, 0)}
    api = keeper(game)
    assert api.post(f"games/{game.pk}/corrections/preview/", body).body["adds_up"] is True
    assert api.post(f"games/{game.pk}/corrections/", body, If_Match="*").status == 200


def test_joining_goes_on_by_the_ladder_unless_cards_are_given():
    act, game, api = table_of("games_join_table")
    body = act.by(api, game).body
    assert [planned["cards"] for planned in body["plan"]] == [1, 2]
    assert [seat["name"] for seat in body["seats"]] == ["Annika", "Emil", "Bernd", "Cem"]
    sent = {"seat": body["seats"][1]["id"], "cards": [5, 4]}
    left = api.post(f"games/{game.pk}/table/leave/", sent, If_Match="*").body
    assert [planned["cards"] for planned in left["plan"]] == [1, 5, 4]


def test_seventh_cannot_sit_down():
    game = make_game(seats=6, rounds=1, length=2)
    api = keeper(game)
    answer = api.post(f"games/{game.pk}/table/join/", {"name": "Gerd", "after": seat_ids(game)[0]}, If_Match="*")
    assert (answer.status, "players" in [code for code, _field in answer.problems]) == (400, True)


def test_game_of_three_ends_when_somebody_leaves():
    game = make_game(seats=3, rounds=1, length=3)
    sent = {"seat": seat_ids(game)[0], "reason": "Last tram"}
    body = keeper(game).post(f"games/{game.pk}/table/leave/", sent, If_Match="*").body
    assert (body["state"], body["incomplete"], body["planned_rounds"], body["stage"]["name"]) == (
        *("finished", True, 3, "finished"),
    )


def test_quick_game_moves_into_a_club_with_its_players():
    club = make_club()
    anna, bernd = add(club, "Anna", "Bernd")
    game = make_game(seats=3, rounds=1, length=1)
    seats = seat_ids(game)
    api = Api.of(member_of(club, "scorer"), **{"Game-Link": link_to(game)[1]})
    players = [
        {"seat": seats[0], "player": anna.pk},
        {"seat": seats[1], "player": bernd.pk},
        {"seat": seats[2], "add": True},
    ]

    answer = api.post(
        f"games/{game.pk}/move/", {"club": club.pk, "players": players}, If_Match="*", Idempotency_Key="m"
    )

    cem = club.players.get(name="Cem")
    assert (answer.body["club"], [seat["player"] for seat in answer.body["seats"]]) == (
        *(club.pk, [anna.pk, bernd.pk, cem.pk]),
    )
    assert cem.is_guest
    again = api.post(f"games/{game.pk}/move/", {"club": club.pk, "players": players}, If_Match="*", Idempotency_Key="m")
    assert again.body == answer.body


@pytest.mark.parametrize(
    ("role", "elsewhere", "status"),
    [("manager", "manager", 200), ("manager", "scorer", 403), ("scorer", "manager", 403), ("manager", "", 404)],
)
def test_game_moves_from_club_to_club_by_who_manages_both(role, elsewhere, status):
    club, other = make_club(), make_club("Andere")
    game = club_game(club)
    mover = member_of(club, role)
    if elsewhere:
        other.memberships.create(user=mover.user, role=elsewhere)
    answer = Api.of(mover).post(f"games/{game.pk}/move/", {"club": other.pk, "players": []}, If_Match="*")
    assert answer.status == status
    assert fresh(game).club_id == (other.pk if status == 200 else club.pk)


def test_moving_refuses_one_player_on_two_seats():
    club = make_club()
    (anna,) = add(club, "Anna")
    game = club_game(club)
    seats = seat_ids(game)
    players = [{"seat": seat, "player": anna.pk} for seat in seats[:2]]
    answer = Api.of(owner_of(club)).post(f"games/{game.pk}/move/", {"club": club.pk, "players": players}, If_Match="*")
    assert (answer.refusal, answer.problems) == ((400, "player_twice"), [("player_twice", "players")])
    assert answer.body["seat"] == seats[1]


def test_everybody_at_the_table_confirms_for_their_own_seat():
    club = make_club()
    anna, bert = member_of(club), member_of(club)
    game = club_game(club, [player_of(anna, club, "Anna"), player_of(bert, club, "Bert")], rounds=1)
    path = f"games/{game.pk}/confirm/"

    first = Api.of(anna).post(path, If_Match="*")
    twice = Api.of(anna).post(path, If_Match="*")
    second = Api.of(bert).post(path, If_Match="*")

    assert (first.body["confirmed"], twice.refusal) == (False, (409, "already_confirmed"))
    assert second.body["confirmed"] is True
    assert [one["seat"] for one in second.body["confirmation"]["by"]] == seat_ids(game)[:2]
    assert Api.of(member_of(club)).post(path, If_Match="*").refusal == (403, "not_allowed")


def test_reopened_game_is_at_its_last_tricks_again():
    act, game, api = table_of("games_reopen")
    body = act.by(api, game).body
    assert (body["state"], body["stage"]["name"], body["finished_at"], body["scored_rounds"]) == (
        *("playing", "playing", None, 0),
    )


# -- links -----------------------------------------------------------------------------------------------------------


def test_link_opens_the_game_until_it_is_closed():
    game = make_game()
    api = keeper(game)
    made = api.post(f"games/{game.pk}/links/", {"scope": "edit", "label": " Tom  B "}).body
    app = Api(**{"Game-Link": made["secret"]})

    assert (made["label"], Link.objects.get(pk=made["id"]).secret_hash) == ("Tom B", hash_of_secret(made["secret"]))
    assert app.get(f"games/{game.pk}/").status == 200
    listed = api.get(f"games/{game.pk}/links/")
    assert listed.body["results"][0]["id"] == made["id"]
    assert made["secret"] not in listed.text
    for _ in range(2):
        assert api.delete(f"games/{game.pk}/links/{made['id']}/").status == 204
    assert app.get(f"games/{game.pk}/").status == 404
    assert api.get(f"games/{game.pk}/links/").body["results"][0]["revoked_at"] is not None


def test_link_of_another_game_is_not_there():
    game, other = make_game(), make_game()
    link = other.links.latest("pk")
    assert keeper(game).delete(f"games/{game.pk}/links/{link.pk}/").status == 404
    assert Link.objects.get(pk=link.pk).revoked_at is None


# -- starting --------------------------------------------------------------------------------------------------------


def test_club_game_starts_with_players_names_and_rules_of_the_club():
    club = make_club(house=rules.HouseRules(specials=("BOMB",), blind_bids=True), ladder="tournament")
    anna, bert = add(club, "Anna", "Bert")
    evening = opened(club)
    sent = {
        "club": club.pk,
        "seats": [
            {"player": anna.pk},
            {"player": bert.pk, "name": "Bertl"},
            {"name": "Cem", "add": True},
            {"name": "Gast"},
        ],
        "house": {"hidden_bids": True},
    }

    answer = Api.of(member_of(club, "scorer"), "record").post("games/", sent)

    body = answer.body["game"]
    assert answer.status == 201
    assert [(seat["name"], seat["player"]) for seat in body["seats"]] == [
        ("Anna", anna.pk),
        ("Bertl", bert.pk),
        ("Cem", club.players.get(name="Cem").pk),
        ("Gast", None),
    ]
    assert (body["club"], body["evening"], body["ladder"]) == (club.pk, evening.pk, "tournament")
    assert (body["house"]["specials"], body["house"]["hidden_bids"], body["house"]["blind_bids"]) == (
        ["BOMB"],
        True,
        True,
    )
    assert [planned["cards"] for planned in body["plan"]][:3] == [1, 3, 5]


def test_list_of_cards_is_a_ladder_of_its_own():
    body = Api().post("games/", {"seats": TABLE, "cards": [4, 2]}).body["game"]
    assert (body["ladder"], [planned["cards"] for planned in body["plan"]]) == ("free", [4, 2])


def test_starting_again_with_the_same_key_starts_one_game():
    club = make_club()
    api = Api.of(owner_of(club))
    sent = {"club": club.pk, "seats": [{"name": "Anna", "add": True}, *TABLE[1:]]}
    first, again = (api.post("games/", sent, Idempotency_Key="k") for _ in range(2))
    assert (again.status, again.body) == (201, first.body)
    assert (Game.objects.count(), club.players.filter(name="Anna").count()) == (1, 1)
    assert api.post("games/", {**sent, "rounds": 2}, Idempotency_Key="k").refusal == (422, "key_reused")


SHEET = [{"bids": [1, 0, 0], "tricks": [1, 0, 0]}, {"bids": [0, 1, 1], "tricks": [1, 1, 0]}]


@pytest.mark.parametrize("path", ["games/", "games/sheets/"])
@pytest.mark.parametrize(
    ("change", "problems"),
    [
        ({"seats": TABLE[:2]}, [("players", "seats")]),
        ({"seats": [*TABLE[:2], {"name": "ANNIKA"}]}, [("name_taken", "seats.2.name")]),
        ({"seats": [*TABLE[:2], {}]}, [("name_missing", "seats.2.name")]),
        ({"seats": [*TABLE[:2], {"name": "x" * 41}]}, [("name_too_long", "seats.2.name")]),
        ({"seats": [*TABLE[:2], {"name": "Cem", "player": 1}]}, [("club_missing", "seats.2.player")]),
        ({"seats": [*TABLE[:2], {"name": "Cem", "add": True}]}, [("club_missing", "seats.2.add")]),
        ({"evening": 1}, [("club_missing", "evening")]),
        ({"first_dealer": 3}, [("dealer_out_of_range", "first_dealer")]),
        ({"house": {"specials": ["DRAGON"]}}, [("dragon_fairy_pair", "house.specials")]),
        ({"house": {"secret_bids": True, "hidden_bids": True}}, [("variant_incompatible", "house")]),
        ({"house": {"spam": 1}}, [("unknown_field", "house.spam")]),
        ({"ladder": "free"}, [("ladder_cards", "cards")]),
        ({"cards": [0, 30]}, [("cards_out_of_range", "cards"), ("cards_exceed_deck", "cards")]),
        ({"ladder": "short"}, [("choice_unknown", "ladder")]),
        ({"seats": "A"}, [("wrong_type", "seats")]),
    ],
)
def test_start_that_does_not_work_names_the_field(path, change, problems):
    sent = {"seats": TABLE, **({"rounds": SHEET} if path.endswith("sheets/") else {}), **change}
    answer = Api().post(path, sent)
    found = [problem for problem in answer.problems if not str(problem[1]).startswith("rounds")]
    assert (answer.status, found) == (400, problems)
    assert not Game.objects.exists()


def test_start_with_problems_of_the_clubs_people():
    club = make_club()
    (anna,) = add(club, "Anna")
    stranger = add(make_club("Andere"), "Fremd")[0]
    api, seats = Api.of(owner_of(club)), [{"player": anna.pk}]

    def refused(*others: dict[str, Any], **more: Any) -> Any:
        return api.post("games/", {"club": club.pk, "seats": [*seats, *others, {"name": "Cem"}], **more})

    twice = refused({"player": anna.pk, "name": "Anni"})
    known = refused({"name": "anna", "add": True})
    assert twice.problems == [("player_twice", "seats.1.player")]
    assert known.problems == [("name_taken", "seats.1.name")]
    assert refused({"name": "F", "player": stranger.pk}).refusal == (409, "player_unknown")
    assert refused({"name": "B"}, evening=999).refusal == (409, "evening_unknown")
    assert not Game.objects.exists()


@pytest.mark.parametrize("path", ["games/", "games/sheets/"])
def test_quick_games_are_not_for_tokens_of_one_club(path):
    club = make_club()
    sent = {"seats": TABLE, **({"rounds": SHEET} if path.endswith("sheets/") else {})}
    assert Api.of(owner_of(club), club=club).post(path, sent).refusal == (403, "token_of_one_club")
    assert Api.of(owner_of(club), "read").post(path, sent).refusal == (403, "scope_missing")
    assert Api.of(owner_of(club), "record").post(path, sent).status == 201


def test_whole_sheet_is_recorded_and_finished():
    club = make_club()
    sent = {"club": club.pk, "seats": TABLE, "rounds": SHEET, "played_at": "2026-03-14T19:30:00+01:00"}
    body = Api.of(owner_of(club)).post("games/sheets/", sent).body["game"]
    assert (body["state"], body["night"], body["finished_at"]) == ("finished", "2026-03-14", "2026-03-14T18:30:00Z")
    assert [seat["total"] for seat in body["seats"]] == [20, 50, 10]


@pytest.mark.parametrize(
    ("rounds", "problems"),
    [
        ([{"bids": [2, 0, 0], "tricks": [1, 0, 0]}], [("bid_out_of_range", "rounds.0.bids.0")]),
        ([SHEET[0], {"bids": [0, 0, 0], "tricks": [1, 0, 0]}], [("tricks_sum", "rounds.1.tricks")]),
        ([{"bids": [0, 0], "tricks": [1, 0, 0]}], None),
        ([{"bids": [0, 0, 0], "tricks": [0, 0, 0], "bombs": 1}], [("bomb_not_in_deck", "rounds.0.bombs")]),
        ([], [("rounds_out_of_range", "rounds")]),
        ([{"bids": [0, 0, 0]}], [("field_missing", "rounds.0.tricks")]),
    ],
)
def test_sheet_that_is_wrong_names_round_and_place(rounds, problems):
    answer = Api().post("games/sheets/", {"seats": TABLE, "rounds": rounds})
    assert answer.status == 400
    if problems is None:
        assert {field for _code, field in answer.problems} <= {"rounds.0.bids", "rounds.0.tricks", "rounds.0"}
    else:
        assert answer.problems == problems
    assert not Game.objects.exists()


def test_sheet_of_tomorrow_is_refused():
    sent = {"seats": TABLE, "rounds": SHEET, "played_at": "2999-01-01T00:00:00Z"}
    assert Api().post("games/sheets/", sent).problems == [("played_later", "played_at")]


# -- bare results ----------------------------------------------------------------------------------------------------

POINTS = [{"name": "Annika", "points": 120}, {"name": "Bernd", "points": -30}, {"name": "Cem", "points": 120}]


def test_bare_results_are_a_finished_game_of_the_club():
    club = make_club()
    (annika,) = add(club, "Annika")
    seats = [{"player": annika.pk, "points": 120, "rank": 1}, *POINTS[1:]]
    sent = {"club": club.pk, "seats": seats, "played_at": "2026-03-14T19:30:00+01:00"}
    api = Api.of(owner_of(club))

    answer = api.post("games/results/", sent, Idempotency_Key="k")
    again = api.post("games/results/", sent, Idempotency_Key="k")

    body = answer.body["game"]
    assert (answer.status, again.body, Game.objects.count()) == (201, answer.body, 1)
    assert (body["detail"], body["state"], body["night"], body["plan"], body["rounds"]) == (
        *("results", "finished", "2026-03-14", [], []),
    )
    assert (body["planned_rounds"], body["scored_rounds"], body["undo"]) == (0, 0, None)
    assert [(seat["player"], seat["total"], seat["rank"], seat["line"]) for seat in body["seats"]] == [
        *((annika.pk, 120, 1, []), (None, -30, 3, []), (None, 120, 1, [])),
    ]
    assert api.get(f"clubs/{club.pk}/games/").body["results"][0]["detail"] == "results"
    assert api.get(f"games/{body['id']}/sheet/").text.count("\n") == 1  # its head alone


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        ({"seats": POINTS[:2]}, [("players", "seats")]),
        ({"seats": [*POINTS[:2], {"name": "Cem", "points": 5001}]}, [("points_out_of_range", "seats.2.points")]),
        ({"seats": [*POINTS[:2], {"name": "Cem", "points": 120, "rank": 3}]}, [("rank_mismatch", "seats.2.rank")]),
        ({"seats": [*POINTS[:2], {"name": "annika", "points": 1}]}, [("name_taken", "seats.2.name")]),
        ({"seats": [*POINTS[:2], {"name": "Cem"}]}, [("field_missing", "seats.2.points")]),
        ({"seats": [*POINTS[:2], {"name": "Cem", "points": 1.5}]}, [("wrong_type", "seats.2.points")]),
        ({"played_at": "2999-01-01T00:00:00Z"}, [("played_later", "played_at")]),
        ({"evening": 1}, [("club_missing", "evening")]),
        ({"first_dealer": 0}, [("unknown_field", "first_dealer")]),
    ],
)
def test_bare_results_that_are_wrong_name_the_field(change, problems):
    answer = Api().post("games/results/", {"seats": POINTS, **change})

    assert (answer.status, answer.problems) == (400, problems)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("points", "refusal"),
    [
        ((120, -30, 75), (409, "nothing_changed")),
        ((1, 2), (409, "missing_seats")),
        ((1, 2, -5001), (400, "points_out_of_range")),
    ],
)
def test_corrected_results_that_do_not_work_are_refused(points, refusal):
    act, game, api = table_of("games_correct_results")
    sent = {"points": [{"seat": seat, "points": own} for seat, own in zip(seat_ids(game), points, strict=False)]}

    assert replace(act, body=lambda game: sent | {"reason": "Misread"}).by(api, game).refusal == refusal


def test_corrected_results_are_told_with_what_they_were():
    act, game, api = table_of("games_correct_results")
    body = act.by(api, game).body

    assert [(seat["total"], seat["rank"]) for seat in body["seats"]] == [(120, 2), (200, 1), (75, 3)]
    (correction,) = api.get(f"games/{game.pk}/corrections/").body["results"]
    assert (correction["kind"], correction["round"]) == ("results_corrected", None)
    assert correction["differences"] == [
        {"field": "points", "seat": seat_ids(game)[1], "before": -30, "after": 200},
    ]


def test_all_that_is_told_of_a_club_which_knows_only_results_fits_the_schema():
    _act, game, api = table_of("games_correct_results")
    club, player = f"clubs/{game.club_id}/", game.seats.get(position=0).player_id
    seasons = [
        Season.objects.create(club=game.club, name=formula, starts_on=date(2020, 1, 1), formula=formula).pk
        for formula in ("sum", "exact_rate")
    ]
    statistics.rebuild_club(game.club)
    paths = [
        *("games/", "changes/", "all-time/", "all-time/?ordering=-exact_rate", "ratings/", "records/", "hall-of-fame/"),
        *("insight/", f"comparison/?player={player}&player={player + 1}", f"players/{player}/lifetime/"),
        *(f"players/{player}/lifetime/?players=3", f"players/{player}/lifetime/opponents/"),
        *(f"seasons/{pk}/standings/" for pk in seasons),
        *(f"seasons/{pk}/players/{player}/{rest}" for pk in seasons for rest in ("", "games/")),
        f"players/{player}/lifetime/months/",
    ]

    answers = {path: api.get(club + path) for path in paths}

    assert {path: answer.status for path, answer in answers.items() if answer.status != 200} == {}
    assert answers[f"players/{player}/lifetime/"].body["wins"] == 1


def test_each_kind_of_points_is_corrected_by_its_own_act():
    correct, results, api = table_of("games_correct_results")
    adjust, rounds, other = table_of("games_adjust_points")

    assert adjust.by(api, results).refusal == (409, "results_only")
    assert correct.by(other, rounds).refusal == (409, "has_rounds")


# -- examples --------------------------------------------------------------------------------------------------------

STARTS = {"games_start": "games/", "games_record_sheet": "games/sheets/", "games_record_results": "games/results/"}


def _examples() -> list[Any]:
    found = []
    for name, (method, path) in operations().items():
        body = api_schema()["paths"][path][method.lower()].get("requestBody", {}).get("content", {})
        for title, example in body.get("application/json", {}).get("examples", {}).items():
            if name in ACTS or name in (*STARTS, "games_preview_correction"):
                found.append(pytest.param(name, example["value"], id=f"{name}-{title}"))
    return found


@pytest.mark.parametrize(("name", "example"), _examples())
def test_example_of_the_schema_works(name, example):
    if name not in ACTS:
        name = {"games_preview_correction": "games_correct_round"}.get(name, name)
    if name not in ACTS:
        assert Api().post(STARTS[name], example).status == 201
        return
    act, game, api = table_of(name)
    if any("blind" in bid for bid in example.get("bids", ())):
        Game.objects.filter(pk=game.pk).update(blind_bids=True)
    seats = dict(zip((12, 13, 14), seat_ids(game), strict=False))
    known: dict[str, Any] = {"undoes": newest_of(game), "club": game.club_id, "seen": None}
    if fresh(game).state != "finished":
        known["seen"] = open_round(game).stage_version

    def fitting(value: Any, field: str = "") -> Any:
        if isinstance(value, list):
            return [fitting(one) for one in value]
        if isinstance(value, dict):
            return {name: fitting(one, name) for name, one in value.items()}
        if field in ("seat", "after"):
            return seats[value]
        if field == "player":
            return game.club.players.latest("pk").pk
        return known[field] if field in known and value is not None else value

    sent = fitting(example)
    if name == "games_set_evening":
        recording.set_evening(game, game.club.evenings.get(), by=OPERATOR)
    if name == "games_come_back":
        sent["seat"] = seat_ids(game)[1]
    answer = replace(act, body=lambda game: sent).by(api, game)
    assert answer.status == act.status, answer.text
