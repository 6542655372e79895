"""People who join, leave, come back and take over a seat: what each act writes, and what it refuses."""

import pytest
from django.core.exceptions import PermissionDenied

import rules
from scoresheets.models.games import MOST_PEOPLE
from scoresheets.queries.blocks import sheet_of
from scoresheets.recording import (
    Conflict,
    RoundValues,
    adjust_points,
    come_back,
    correct_round,
    end_early,
    join_table,
    leave_table,
    note_trump,
    record_bids,
    rematch,
    reopen,
    replace_at_table,
    step_back,
)
from scoresheets.recording.repair import differences_of, rewrite
from tests.scoresheets.factories import (
    NAMES,
    OPERATOR,
    enter_bids,
    enter_tricks,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    open_round,
    play_round,
    playing_of,
    refused,
    rows_of,
    seat_ids,
    seats_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db


def arrive(game, name="Gerd", after=0, cards=(2, 3), **arguments):
    return join_table(
        game, name=name, after=seat_ids(game)[after], cards=cards, seen=newest_of(game), by=OPERATOR, **arguments
    ).game


def go(game, place, cards=(2, 3), **arguments):
    seat = seat_ids(game)[place]
    return leave_table(game, seat=seat, cards=cards, seen=newest_of(game), by=OPERATOR, **arguments).game


def names_of(game):
    return [(seat.name, seat.plays) for seat in seats_of(game)]


def dealer_of(game):
    return open_round(game).dealer.name


# -- joining


def test_joining_leaves_earlier_rounds_empty_and_asks_for_the_rest_anew():
    game = make_game(seats=3, length=4)
    play_round(game, [1, 0, 0], [1, 0, 0])

    game = arrive(game, "Gerd", after=1, cards=[2, 5, 1])

    assert [seat.name for seat in seats_of(game)] == ["Annika", "Bernd", "Gerd", "Cem"]
    new = seats_of(game)[2]
    assert (new.line, new.rounds, new.total, new.joined_round) == ([None], 0, 0, 2)
    assert (game.plan, game.ladder, game.table_changed, game.incomplete) == ([1, 2, 5, 1], "free", True, False)
    block = sheet_of(game).block
    assert [row.cells[2] for row in block.scored_rows] == [None]
    assert [plan.cards for plan in block.plan] == [1, 2, 5, 1]
    play_round(game, [0, 0, 2, 0], [0, 0, 2, 0])
    assert seats_of(game)[2].line == [None, [2, 2, 40]]
    assert differences_of(game.pk) == []


@pytest.mark.parametrize(
    ("starting", "points"),
    [(0, 0), (35, 35), (-10, -10), (None, 3)],  # (30 - 10 - 10) / 3, rounded
)
def test_a_newcomer_begins_with_nothing_a_number_or_the_mean(starting, points):
    game = make_game(seats=3)
    play_round(game, [1, 1, 1], [1, 0, 0])

    game = arrive(game, starting=starting)

    new = seats_of(game)[1]
    assert (new.starting, new.total) == (points, points)
    assert game.entries.latest("version").payload == {
        "seat": new.pk,
        "after": seats_of(game)[0].pk,
        "starting": points,
        "cards": [2, 3],
    }
    block = sheet_of(game).block
    assert block.totals[1] == points
    assert game.entries.latest("version").payload.get("name") is None  # names live on the seat alone


def test_the_mean_rounds_a_half_up():
    game = make_game(seats=4)
    play_round(game)  # 30, 20, 20, 20
    adjust_points(game, seat=seat_ids(game)[1], points=4, reason="Overtime", by=OPERATOR)  # 94 / 4 = 23.5
    assert seats_of(arrive(game, starting=None))[1].starting == 24


def test_bids_and_trump_of_the_open_round_go_with_the_deal():
    game = make_game(seats=3, rounds=1, length=3)
    note_trump(game, number=2, trump="R", by=OPERATOR)
    first = playing_of(game)[0].pk
    record_bids(game, bids={first: 1}, seen=open_round(game).stage_version, by=OPERATOR)

    game = arrive(game)

    current = open_round(game)
    assert (current.bids.count(), current.trump, current.draft) == (0, "", {})
    assert current.stage_version == game.version
    assert game.entries.filter(kind="bids_recorded").count() == 2  # the journal has them
    assert differences_of(game.pk) == []


def test_bids_of_a_round_that_is_being_played_go_too():
    game = make_game(seats=4, rounds=1, length=3)
    enter_bids(game)

    game = go(game, 3)

    assert (game.state, open_round(game).state, open_round(game).bids.count()) == ("bidding", "bidding", 0)


def test_the_deal_goes_round_clockwise_whoever_joins_leaves_or_comes_back():
    game = make_game(seats=4, rounds=1)  # Annika dealt
    assert dealer_of(game) == "Bernd"

    game = go(game, 1, cards=[2, 3, 4, 5])
    assert dealer_of(game) == "Cem"
    game = come_back(game, seat=seat_ids(game)[1], cards=[2, 3, 4, 5], seen=newest_of(game), by=OPERATOR).game
    assert dealer_of(game) == "Bernd"
    play_round(game)
    assert dealer_of(game) == "Cem"
    game = arrive(game, "Gerd", after=2, cards=[3, 4, 5])  # to the left of Cem
    assert dealer_of(game) == "Cem"
    play_round(game)
    assert dealer_of(game) == "Gerd"
    game = go(game, 3, cards=[4, 5])
    assert dealer_of(game) == "Doro"
    play_round(game)
    assert dealer_of(game) == "Annika"


@pytest.mark.parametrize(("replaced", "deals"), [("Annika", "Bernd"), ("Bernd", "Gerd"), ("Cem", "Bernd")])
def test_whoever_takes_over_a_seat_deals_when_that_seat_would_have(replaced, deals):
    game = make_game(seats=3, rounds=1)  # Annika dealt, Bernd is due
    seat = next(seat for seat in seats_of(game) if seat.name == replaced)

    game = replace_at_table(game, seat=seat.pk, name="Gerd", seen=newest_of(game), by=OPERATOR).game

    assert dealer_of(game) == deals
    order = []
    for _ in range(3):
        order.append(dealer_of(game))
        play_round(game)
    circle = [name for name in ("Annika", "Bernd", "Cem") if name != replaced]
    assert sorted(order) == sorted([*circle, "Gerd"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"name": ""}, "name_missing"),
        ({"name": "x" * 41}, "name_too_long"),
        ({"name": "bernd"}, "name_taken"),
        ({"cards": []}, "ladder_cards"),
        ({"cards": [0]}, "cards_out_of_range"),
        ({"cards": [16]}, "cards_exceed_deck"),
        ({"starting": 5001}, "starting_out_of_range"),
        ({"starting": -5001}, "starting_out_of_range"),
    ],
)
def test_joining_refuses(arguments, code):
    game = make_game(seats=3, rounds=1)
    everything = {"name": "Gerd", "after": seat_ids(game)[0], "cards": [2], "seen": game.version, **arguments}
    refused(rules.RulesError, code, join_table, game, **everything, by=OPERATOR)


def test_problems_of_the_plan_name_the_round_of_the_game():
    game = make_game(seats=3, rounds=2)
    with pytest.raises(rules.RulesError) as caught:
        arrive(game, cards=[3, 99])
    assert [problem.args["round"] for problem in caught.value.problems] == [4]


def test_all_that_is_wrong_is_said_at_once():
    game = make_game(seats=3, rounds=1)
    everything = {"name": "", "after": seat_ids(game)[0], "cards": [], "seen": game.version, "starting": 9999}
    codes = ["name_missing", "starting_out_of_range", "ladder_cards"]
    refused(rules.RulesError, codes, join_table, game, **everything, by=OPERATOR)


@pytest.mark.parametrize(
    ("house", "seats", "code"),
    [(rules.HouseRules(), 6, "players"), (rules.HouseRules(variant="einfarbig"), 4, "variant_players")],
)
def test_nobody_joins_a_table_that_the_game_has_no_room_for(house, seats, code):
    game = make_game(seats=seats, rounds=1, house=house)
    arguments = {"name": "Gerd", "after": seat_ids(game)[0], "cards": [1], "seen": game.version}
    refused(rules.RulesError, code, join_table, game, **arguments, by=OPERATOR)


def test_more_than_a_dozen_people_never_sit_at_one_table():
    game = make_game(seats=3)
    for number in range(MOST_PEOPLE - 3):
        seat = playing_of(game)[0].pk
        game = replace_at_table(game, seat=seat, name=f"Guest {number}", seen=game.version, by=OPERATOR).game
    assert len(seats_of(game)) == MOST_PEOPLE
    seat = playing_of(game)[0].pk
    arguments = {"name": "One more", "seen": game.version, "by": OPERATOR}
    refused(rules.RulesError, "table_full", replace_at_table, game, seat=seat, **arguments)
    refused(rules.RulesError, "table_full", join_table, game, after=seat, cards=[1], **arguments)


# -- leaving and coming back


def test_leaving_keeps_the_rounds_and_marks_the_game_incomplete():
    game = make_game(seats=4, rounds=1, length=3)

    game = go(game, 0, cards=[7, 8, 9], reason="Last train")

    left = seats_of(game)[0]
    assert (left.presence, left.total, left.rounds, left.last_round) == ("left", 30, 1, 1)
    assert (game.state, game.incomplete, game.plan) == ("bidding", True, [1, 7, 8, 9])
    assert game.entries.latest("version").reason == "Last train"
    sheet = sheet_of(game)
    assert [seat.name for seat in sheet.seats] == ["Bernd", "Cem", "Doro"]
    assert [seat.name for seat in sheet.gone] == ["Annika"]
    whole = sheet_of(game, whole=True)
    assert [seat.name for seat in whole.seats] == list(NAMES[:4])
    assert whole.block.ranks == (4, 1, 1, 1)  # 30 points, but gone
    assert whole.block.leaders == (1, 2, 3)


def test_a_game_that_somebody_left_can_be_played_to_its_end_and_taken_back_from_there():
    game = make_game(seats=4, rounds=1, length=2)
    game = go(game, 3, cards=[2])
    play_round(game)
    game = fresh(game)
    assert (game.state, game.incomplete) == ("finished", True)

    undo = sheet_of(game).undo
    step_back(game, undoes=undo.version, by=OPERATOR)

    assert (fresh(game).state, fresh(game).incomplete) == ("playing", True)
    enter_tricks(game)
    assert differences_of(game.pk) == []


def test_with_two_people_left_the_game_ends_and_goes_on_when_a_third_sits_down():
    game = make_game(seats=3, rounds=2, length=4)
    enter_bids(game)

    game = go(game, 2, cards=[])

    assert (game.state, game.incomplete, game.rounds.count()) == ("finished", True, 2)
    assert game.finished_at is not None
    assert sheet_of(game).undo is None
    refused(Conflict, "nothing_to_undo", step_back, game, undoes=newest_of(game), by=OPERATOR)
    refused(Conflict, "too_few_playing", reopen, game, by=OPERATOR)
    refused(Conflict, "too_few_playing", rematch, game, by=OPERATOR)
    again = {"seat": seat_ids(game)[0], "cards": [1], "seen": game.version, "by": OPERATOR}
    refused(Conflict, "nothing_changed", leave_table, game, **again)

    game = come_back(game, seat=seat_ids(game)[2], cards=[3, 4], seen=game.version, by=OPERATOR).game

    assert (game.state, game.finished_at, game.incomplete) == ("bidding", None, False)
    assert (open_round(game).number, dealer_of(game)) == (3, "Cem")
    assert differences_of(game.pk) == []


def test_somebody_new_can_be_the_third_of_a_game_that_ended_for_want_of_one():
    game = make_game(seats=3, rounds=1, length=4)
    game = go(game, 0, cards=[])

    game = arrive(game, "Gerd", after=0, cards=[2])

    assert (game.state, game.incomplete, dealer_of(game)) == ("bidding", True, "Gerd")
    play_round(game)
    assert fresh(game).state == "finished"
    assert differences_of(game.pk) == []


def test_whoever_leaves_before_the_first_round_leaves_no_mark():
    game = make_game(seats=4, length=3)

    game = go(game, 1, cards=[1, 2, 3])

    assert (game.incomplete, [seat.name for seat in sheet_of(game).seats]) == (False, ["Annika", "Cem", "Doro"])
    assert sheet_of(game).gone == ()
    assert [seat.name for seat in sheet_of(game, whole=True).seats] == ["Annika", "Cem", "Doro"]


def test_the_first_dealer_may_leave_before_the_first_round():
    game = go(make_game(seats=4, length=3), 0, cards=[1, 2, 3])
    assert dealer_of(game) == "Bernd"
    assert differences_of(game.pk) == []


def test_a_game_cannot_end_without_a_round():
    game = make_game(seats=3)
    arguments = {"seat": seat_ids(game)[0], "seen": game.version, "by": OPERATOR}
    refused(Conflict, "nothing_scored", leave_table, game, **arguments)


def test_rounds_missed_stay_empty_and_points_stay():
    game = make_game(seats=4, rounds=1, length=4)
    away = seat_ids(game)[0]
    game = go(game, 0, cards=[2, 3, 4])
    play_round(game)

    game = come_back(game, seat=away, cards=[3, 4], seen=newest_of(game), by=OPERATOR).game
    play_round(game, [0, 0, 0, 0], [0, 3, 0, 0])

    back = seats_of(game)[0]
    assert back.line == [[1, 1, 30], None, [0, 0, 20]]
    assert (back.total, back.rounds, fresh(game).incomplete) == (50, 2, False)


@pytest.mark.parametrize("verb", [leave_table, come_back])
def test_acts_on_seats_that_do_not_fit_are_refused(verb):
    game = make_game(seats=4, rounds=1)
    game = go(game, 0)
    here, away = seat_ids(game)[1], seat_ids(game)[0]
    stranger = seat_ids(make_game(seats=3))[0]
    arguments = {"cards": [2], "seen": game.version, "by": OPERATOR}
    refused(Conflict, "seat_unknown", verb, game, seat=stranger, **arguments)
    wrong = away if verb is leave_table else here
    refused(Conflict, "nothing_changed", verb, game, seat=wrong, **arguments)


# -- taking over


@pytest.mark.parametrize(
    ("arguments", "points"),
    [({}, 30), ({"takes_over": False}, 0), ({"takes_over": False, "starting": 15}, 15)],
)
def test_a_replacement_has_a_column_of_its_own(arguments, points):
    game = make_game(seats=3, rounds=1, length=3)
    seat = seat_ids(game)[0]

    game = replace_at_table(game, seat=seat, name="Gerd", seen=game.version, by=OPERATOR, **arguments).game

    assert names_of(game) == [("Gerd", True), ("Annika", False), ("Bernd", True), ("Cem", True)]
    new, old = seats_of(game)[:2]
    assert (new.starting, new.total, old.presence, old.total) == (points, points, "replaced", 30)
    assert (game.incomplete, game.plan) == (False, [1, 2, 3])
    play_round(game)
    assert differences_of(game.pk) == []


def test_the_mean_can_be_the_replacements_points_too():
    game = make_game(seats=3, rounds=1)  # 30, 20, 20
    arguments = {"seat": seat_ids(game)[1], "name": "Gerd", "seen": game.version, "by": OPERATOR}
    game = replace_at_table(game, takes_over=False, starting=None, **arguments).game
    assert seats_of(game)[1].starting == 23


def test_replacing_refuses_a_name_that_is_taken_and_a_seat_that_has_gone():
    game = go(make_game(seats=4, rounds=1), 3)
    gone, here = seat_ids(game)[3], seat_ids(game)[0]
    arguments = {"seen": game.version, "by": OPERATOR}
    refused(rules.RulesError, "name_taken", replace_at_table, game, seat=here, name="DORO", **arguments)
    refused(Conflict, "nothing_changed", replace_at_table, game, seat=gone, name="Gerd", **arguments)


# -- beside everything else


@pytest.mark.parametrize("verb", [join_table, come_back, leave_table, replace_at_table])
def test_each_act_is_refused_when_stale_halted_over_or_not_allowed(verb):
    game = make_game(seats=4, rounds=1, length=2)
    seat = seat_ids(game)[0]
    arguments = {
        join_table: {"name": "Gerd", "after": seat, "cards": [2]},
        come_back: {"seat": seat, "cards": [2]},
        leave_table: {"seat": seat, "cards": [2]},
        replace_at_table: {"seat": seat, "name": "Gerd"},
    }[verb]
    refused(Conflict, "stale", verb, game, **arguments, seen=game.version - 1, by=OPERATOR)
    before = rows_of(game)
    with pytest.raises(PermissionDenied):
        verb(game, **arguments, seen=game.version, by=watcher_of(game))
    assert rows_of(game) | {"links": []} == before | {"links": []}
    play_round(game)
    refused(Conflict, "is_finished", verb, game, **arguments, seen=newest_of(game), by=OPERATOR)


def test_the_same_request_twice_writes_once():
    game = make_game(seats=3, rounds=1)
    keeper = keeper_of(game)
    arguments = {"name": "Gerd", "after": seat_ids(game)[0], "cards": [2], "seen": game.version}

    first = join_table(game, **arguments, by=keeper, key="k")
    second = join_table(game, **arguments, by=keeper, key="k")

    assert (first.repeated, second.repeated, len(seats_of(game))) == (False, True, 4)


def test_a_round_that_others_played_is_not_taken_back_but_can_be_corrected():
    game = make_game(seats=4, length=4)
    play_round(game, [1, 0, 0, 0], [1, 0, 0, 0])
    game = go(game, 3, cards=[2])

    assert sheet_of(game).undo is None
    refused(Conflict, "table_changed", step_back, game, undoes=newest_of(game), by=OPERATOR)
    scored = game.rounds.get(number=1)
    ids = seat_ids(game)
    values = RoundValues(bids=dict.fromkeys(ids, 0), taken=dict(zip(ids, [0, 0, 0, 1], strict=True)))
    correct_round(game, number=1, values=values, seen=scored.changed_version, by=OPERATOR)

    assert [seat.total for seat in seats_of(game)] == [20, 20, 20, -10]
    assert differences_of(game.pk) == []
    # Within the new round one may step back as ever.
    enter_bids(game)
    assert sheet_of(fresh(game)).undo is not None


def test_correcting_a_round_asks_for_those_who_played_it_only():
    game = arrive(make_game(seats=3, rounds=1), cards=[2])
    scored = game.rounds.get(number=1)
    ids = seat_ids(game)
    everybody = RoundValues(bids=dict.fromkeys(ids, 0), taken=dict(zip(ids, [1, 0, 0, 0], strict=True)))
    arguments = {"number": 1, "seen": scored.changed_version, "by": OPERATOR}
    refused(Conflict, "missing_seats", correct_round, game, values=everybody, **arguments)


def test_going_on_after_an_early_end_remembers_who_left():
    game = go(make_game(seats=4, rounds=1, length=4), 3, cards=[2, 3])
    play_round(game)
    end_early(game, by=OPERATOR)
    reopen(game, by=OPERATOR)
    assert (fresh(game).state, fresh(game).incomplete) == ("bidding", True)
    assert differences_of(game.pk) == []


@pytest.mark.parametrize(
    ("ladder", "start", "players", "plan"),
    [
        ("full", {"length": 3}, 4, [1, 2, 3]),
        ("tournament", {"length": 3}, 4, [1, 3, 5]),
        ("free", {"cards": [20, 2]}, 4, [15, 2]),
    ],
)
def test_the_rematch_is_played_by_those_who_are_left_with_a_ladder_of_theirs(ladder, start, players, plan):
    game = make_game(seats=3, ladder=ladder, **start)
    play_round(game)
    game = arrive(game, "Gerd", after=1, cards=[1])
    play_round(game)  # Bernd deals the last round

    following = rematch(game, by=OPERATOR).game

    assert [seat.name for seat in seats_of(following)] == ["Annika", "Bernd", "Gerd", "Cem"]
    assert (following.ladder, following.plan, dealer_of(following)) == (ladder, plan, "Gerd")
    assert len(seats_of(following)) == players


def test_repair_brings_back_places_presence_and_starting_points():
    game = arrive(make_game(seats=3, rounds=1, length=4), "Gerd", after=0, cards=[2, 3], starting=15)
    game = go(game, 3, cards=[2, 3])
    whole = rows_of(game)
    annika, gerd, *_others = seats_of(game)
    game.seats.update(presence="", starting=0)
    game.seats.filter(pk=annika.pk).update(position=11)
    game.seats.filter(pk=gerd.pk).update(position=0)
    type(game).objects.filter(pk=game.pk).update(table_changed=False, incomplete=False)
    assert differences_of(game.pk) != []

    rewrite(game.pk)

    assert differences_of(game.pk) == []
    assert rows_of(game)["seats"] == whole["seats"]
    assert (fresh(game).table_changed, fresh(game).incomplete) == (True, True)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("seat_left", {"cards": [2]}),
        ("seat_replaced", {"by": 1, "starting": 0}),
        ("seat_joined", {"cards": [2]}),
    ],
)
def test_a_journal_that_cannot_have_happened_is_found_out(kind, payload):
    game = make_game(seats=4, rounds=1)
    game = go(game, 0)
    seat = seat_ids(game)[1 if kind == "seat_joined" else 0]
    game.entries.create(version=game.version + 1, kind=kind, payload={"seat": seat, **payload}, via="command")
    assert "cannot be played forward" in differences_of(game.pk)[0]


def test_statements_do_not_grow_with_the_rounds(django_assert_num_queries):
    for rounds in (1, 9):
        game = make_game(seats=4, rounds=rounds)
        seats = seat_ids(game)
        with django_assert_num_queries(12 + 2):
            join_table(game, name="Gerd", after=seats[2], cards=[2, 3], seen=game.version, by=OPERATOR)
