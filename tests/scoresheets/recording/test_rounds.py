"""Bids, tricks, steps back, drafts: what each leaves behind, and what each refuses without writing."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import F

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid, Entry, Receipt
from scoresheets.recording import Conflict, record_bids, record_tricks, reopen, save_draft, start_game, step_back
from scoresheets.recording.repair import differences_of
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    DEVICE,
    NAMES,
    enter_bids,
    enter_tricks,
    finished_game,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    open_round,
    play_round,
    rows_of,
    seat_ids,
    seats_of,
    seen_of,
    stage_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db

Kind = Entry.Kind


def bids_of(game, number):
    """Return (bid, blind, version) of each seat in one round, in dealing order."""
    rows = Bid.objects.filter(round__game=game, round__number=number).order_by("seat__position")
    return [(bid.tricks_bid, bid.blind, bid.version) for bid in rows]


def refused(code, verb, game, **arguments):
    """Check that the verb is a conflict with this code and writes nothing."""
    before = rows_of(game)
    with pytest.raises(Conflict) as conflict:
        verb(game, **arguments)
    assert conflict.value.code == code
    assert rows_of(game) == before
    return conflict.value


def against_the_rules(verb, game, **arguments):
    """Return the codes and seats of the problems, after checking that nothing was written."""
    before = rows_of(game)
    with pytest.raises(rules.RulesError) as error:
        verb(game, **arguments)
    assert rows_of(game) == before
    return [(problem.code, problem.seat) for problem in error.value.problems]


# -- bids ----------------------------------------------------------------------------------------------------------


def test_bids_one_by_one_open_the_tricks_with_the_last():
    game = make_game(seats=3, rounds=1, first_dealer=0)
    seats, seen, keeper = seat_ids(game), seen_of(game), keeper_of(game, "Oma")
    start = fresh(game).version

    for place, bid in ((2, 1), (0, 2), (1, 0)):
        assert open_round(game).state == "bidding"
        outcome = record_bids(game, bids={seats[place]: bid}, seen=seen, by=keeper)

    assert (outcome.game.state, outcome.game.version, outcome.repeated) == ("playing", start + 3, False)
    assert (open_round(game).state, open_round(game).stage_version) == ("playing", start + 3)
    assert bids_of(game, 2) == [(2, False, start + 2), (0, False, start + 3), (1, False, start + 1)]
    newest = game.entries.latest("version")
    assert (newest.kind, newest.payload, newest.label, newest.via) == (
        Kind.BIDS_RECORDED,
        {"round": 2, "bids": {str(seats[1]): 0}},
        "Oma",
        "edit_link",
    )


def test_bids_of_all_seats_at_once_are_one_entry():
    game = make_game(seats=4, rounds=2)
    seats = seat_ids(game)
    start = fresh(game).version

    record_bids(game, bids=dict(zip(seats, (0, 1, 2, 3), strict=True)), seen=seen_of(game), by=OPERATOR)

    assert bids_of(game, 3) == [(bid, False, start + 1) for bid in (0, 1, 2, 3)]
    assert (fresh(game).version, fresh(game).state) == (start + 1, "playing")
    assert game.entries.latest("version").payload["bids"] == {str(seat): bid for bid, seat in enumerate(seats)}


def test_some_bids_at_once_leave_the_others_open():
    game = make_game(seats=4)
    seats, seen = seat_ids(game), seen_of(game)

    record_bids(game, bids={seats[1]: 1, seats[3]: 0}, seen=seen, by=OPERATOR)

    assert (fresh(game).state, open_round(game).stage_version) == ("bidding", seen)
    assert sorted(open_round(game).bids.values_list("seat", flat=True)) == [seats[1], seats[3]]


def test_blind_bids_are_marked_and_count_double():
    game = make_game(seats=3, house=rules.HouseRules(blind_bids=True))
    seats = seat_ids(game)

    record_bids(game, bids={seats[0]: 1}, blind=[seats[0]], seen=seen_of(game), by=OPERATOR)
    record_bids(game, bids={seats[1]: 1, seats[2]: 0}, blind=[seats[1]], seen=seen_of(game), by=OPERATOR)
    enter_tricks(game, [1, 0, 0])

    assert [blind for _bid, blind, _version in bids_of(game, 1)] == [True, True, False]
    assert [(seat.total, seat.line) for seat in seats_of(game)] == [
        (60, [[1, 1, 60, 1, 0]]),
        (-20, [[1, 0, -20, 1, 0]]),
        (20, [[0, 0, 20]]),
    ]


def test_blind_bids_are_refused_where_the_house_has_none():
    game = make_game(seats=3)
    first = seat_ids(game)[0]

    assert against_the_rules(
        record_bids, game, bids={first: 0}, blind=[first], seen=seen_of(game), by=OPERATOR, key="k"
    ) == [("blind_not_enabled", 0)]


@pytest.mark.parametrize("bid", [-1, 3, 10**6])
def test_bid_out_of_range_is_refused(bid):
    game = make_game(seats=3, rounds=1)

    assert against_the_rules(
        record_bids, game, bids={seat_ids(game)[1]: bid}, seen=seen_of(game), by=OPERATOR, key="k"
    ) == [("bid_out_of_range", 1)]


def test_every_bid_that_is_out_of_range_is_named():
    game = make_game(seats=3)

    bids = dict(zip(seat_ids(game), (2, 0, -1), strict=True))

    assert against_the_rules(record_bids, game, bids=bids, seen=seen_of(game), by=OPERATOR) == [
        ("bid_out_of_range", 0),
        ("bid_out_of_range", 2),
    ]


def test_plus_minus_one_refuses_only_the_bid_that_makes_the_sum_fit():
    game = make_game(seats=3, rounds=2, house=rules.HouseRules(plus_minus_one=True), first_dealer=0)
    seats, seen = seat_ids(game), seen_of(game)  # round 3 is dealt by seat 2
    record_bids(game, bids={seats[0]: 1, seats[1]: 1}, seen=seen, by=OPERATOR)

    assert against_the_rules(record_bids, game, bids={seats[2]: 1}, seen=seen, by=OPERATOR) == [
        ("bid_sum_forbidden", 2)
    ]

    record_bids(game, bids={seats[2]: 2}, seen=seen, by=OPERATOR)
    assert fresh(game).state == "playing"


@pytest.mark.parametrize("blind_places", [(), (0,)])
def test_nothing_to_record_is_a_conflict_and_no_entry(blind_places):
    game = make_game(house=rules.HouseRules(blind_bids=True))

    refused(
        "missing_bids",
        record_bids,
        game,
        bids={},
        blind=[seat_ids(game)[place] for place in blind_places],
        seen=seen_of(game),
        by=OPERATOR,
    )


def test_blind_mark_of_a_seat_without_a_bid_is_a_conflict():
    game = make_game(house=rules.HouseRules(blind_bids=True))
    first, second, *_ = seat_ids(game)

    refused("missing_bids", record_bids, game, bids={first: 0}, blind=[second], seen=seen_of(game), by=OPERATOR)


def test_bid_for_a_seat_of_another_game_is_refused():
    game, other = make_game(seats=3), make_game(seats=3)

    refused("seat_unknown", record_bids, game, bids={seat_ids(other)[0]: 0}, seen=seen_of(game), by=OPERATOR, key="k")


def test_second_bid_of_a_seat_is_a_conflict_that_names_it():
    game = make_game(seats=3)
    first = seat_ids(game)[0]
    record_bids(game, bids={first: 0}, seen=seen_of(game), by=keeper_of(game))

    conflict = refused("already_bid", record_bids, game, bids={first: 1}, seen=seen_of(game), by=OPERATOR, key="k")

    assert conflict.seat_id == first


def test_six_phones_that_saw_the_same_page_do_not_disturb_each_other():
    game = make_game(seats=6, rounds=1)
    seats, seen = seat_ids(game), seen_of(game)
    keepers = [keeper_of(game) for _ in seats]

    for place in (3, 0, 5, 1, 4, 2):
        record_bids(game, bids={seats[place]: place % 3}, seen=seen, by=keepers[place], key="the same key")

    assert [bid for bid, _blind, _version in bids_of(game, 2)] == [0, 1, 2, 0, 1, 2]
    assert fresh(game).state == "playing"


# -- tricks --------------------------------------------------------------------------------------------------------


def test_tricks_score_the_round_and_open_the_next_one():
    game = make_game(seats=4, rounds=2, first_dealer=3)
    seats = seat_ids(game)
    enter_bids(game, [1, 0, 2, 1])
    start = fresh(game).version

    outcome = record_tricks(game, taken=dict(zip(seats, (1, 1, 0, 1), strict=True)), seen=seen_of(game), by=OPERATOR)

    assert (outcome.game.state, outcome.game.version) == ("bidding", start + 1)
    scored = game.rounds.get(number=3)
    assert (scored.state, scored.scored_version, scored.draft, scored.bombs) == ("scored", start + 1, {}, 0)
    assert [(bid.tricks_taken, bid.points) for bid in scored.bids.order_by("seat__position")] == [
        (1, 30),
        (1, -10),
        (0, -20),
        (1, 30),
    ]
    opened = open_round(game)
    assert (opened.number, opened.cards, opened.state, opened.stage_version) == (4, 4, "bidding", start + 1)
    assert opened.dealer_id == seats[(3 + 3) % 4]
    assert game.entries.latest("version").payload == {
        "round": 3,
        "taken": {str(seat): taken for seat, taken in zip(seats, (1, 1, 0, 1), strict=True)},
    }


def test_derived_columns_of_the_seats_follow_the_rounds():
    game = make_game(seats=3, rounds=0)
    play_round(game, [1, 0, 0], [0, 1, 0])
    play_round(game, [0, 1, 1], [0, 1, 1])

    assert [(seat.total, seat.exact, seat.rounds, seat.rank, seat.line) for seat in seats_of(game)] == [
        (10, 1, 2, 3, [[1, 0, -10], [0, 0, 20]]),
        (20, 1, 2, 2, [[0, 1, -10], [1, 1, 30]]),
        (50, 2, 2, 1, [[0, 0, 20], [1, 1, 30]]),
    ]


def test_bomb_leaves_a_trick_to_nobody():
    game = make_game(seats=3, rounds=2, house=BOMB_AND_CLOUD)
    enter_bids(game, [1, 1, 1])
    seats = seat_ids(game)

    assert against_the_rules(
        record_tricks, game, taken=dict.fromkeys(seats, 1), bombs=1, seen=seen_of(game), by=OPERATOR
    ) == [("tricks_sum", None)]
    record_tricks(game, taken=dict(zip(seats, (1, 1, 0), strict=True)), bombs=1, seen=seen_of(game), by=OPERATOR)

    scored = game.rounds.get(number=3)
    assert (scored.bombs, list(scored.bids.order_by("seat__position").values_list("points", flat=True))) == (
        1,
        [30, 30, -10],
    )
    assert game.entries.latest("version").payload["bombs"] == 1


def test_cloud_changes_the_bid_and_both_stay_visible():
    game = make_game(seats=3, rounds=2, house=BOMB_AND_CLOUD)
    enter_bids(game, [1, 0, 1])
    seats = seat_ids(game)

    record_tricks(
        game,
        taken=dict(zip(seats, (2, 0, 1), strict=True)),
        clouds={seats[0]: 1},
        seen=seen_of(game),
        by=OPERATOR,
    )

    bid = Bid.objects.get(round__game=game, round__number=3, seat=seats[0])
    assert (bid.tricks_bid, bid.cloud_delta, bid.tricks_taken, bid.points) == (1, 1, 2, 40)
    assert seats_of(game)[0].line[-1] == [1, 2, 40, 0, 1]
    assert seats_of(game)[0].exact == 3  # both rounds before, and this one by the changed bid
    assert game.entries.latest("version").payload["clouds"] == {str(seats[0]): 1}


def test_bomb_and_cloud_are_refused_without_their_cards():
    game = make_game(seats=3, rounds=1)
    enter_bids(game, [1, 1, 0])
    seats = seat_ids(game)

    assert against_the_rules(
        record_tricks,
        game,
        taken=dict(zip(seats, (1, 0, 0), strict=True)),
        bombs=1,
        clouds={seats[0]: 1},
        seen=seen_of(game),
        by=OPERATOR,
    ) == [("bomb_not_in_deck", None), ("cloud_not_in_deck", None)]


@pytest.mark.parametrize(
    ("taken", "problems"),
    [
        ((1, 0, 0), [("tricks_sum", None)]),
        ((1, 1, 1), [("tricks_sum", None)]),
        ((3, 0, -1), [("tricks_out_of_range", 0), ("tricks_out_of_range", 2)]),
    ],
)
def test_tricks_that_cannot_be_are_refused(taken, problems):
    game = make_game(seats=3, rounds=1)
    enter_bids(game)
    by_seat = dict(zip(seat_ids(game), taken, strict=True))

    assert against_the_rules(record_tricks, game, taken=by_seat, seen=seen_of(game), by=OPERATOR, key="k") == problems


@pytest.mark.parametrize("wrong", ["one seat missing", "seat of another game", "cloud of another game"])
def test_tricks_of_other_seats_are_a_conflict(wrong):
    game, other = make_game(seats=3, house=BOMB_AND_CLOUD), make_game(seats=3)
    enter_bids(game)
    seats = seat_ids(game)
    taken, clouds = dict(zip(seats, (1, 0, 0), strict=True)), {}
    if wrong == "one seat missing":
        del taken[seats[2]]
    elif wrong == "seat of another game":
        taken[seat_ids(other)[0]] = 0
    else:
        clouds = {seat_ids(other)[0]: 1}

    refused("missing_seats", record_tricks, game, taken=taken, clouds=clouds, seen=seen_of(game), by=OPERATOR, key="k")


def test_last_tricks_finish_the_game():
    game = make_game(seats=3, length=2, rounds=2)

    assert (game.state, game.finished_at is not None, game.rounds.count()) == ("finished", True, 2)
    assert not game.rounds.exclude(state="scored").exists()


# -- staleness -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen_change", [-1, 1, 1000])
def test_every_write_of_a_stage_that_was_not_seen_is_stale(seen_change):
    game = make_game(seats=3, rounds=1)
    seats = seat_ids(game)
    wrong = seen_of(game) + seen_change
    refused("stale", record_bids, game, bids={seats[0]: 0}, seen=wrong, by=OPERATOR, key="k")
    refused("stale", save_draft, game, draft={"taken": {}}, seen=wrong, by=OPERATOR)
    refused("stale", step_back, game, undoes=newest_of(game) + seen_change, by=OPERATOR, key="k")
    enter_bids(game)
    wrong = seen_of(game) + seen_change
    taken = dict(zip(seats, (2, 0, 0), strict=True))
    refused("stale", record_tricks, game, taken=taken, seen=wrong, by=OPERATOR, key="k")


def test_write_for_the_other_stage_is_stale():
    game = make_game(seats=3)
    seats = seat_ids(game)
    taken = dict(zip(seats, (1, 0, 0), strict=True))
    refused("stale", record_tricks, game, taken=taken, seen=seen_of(game), by=OPERATOR)
    enter_bids(game)
    refused("stale", record_bids, game, bids={seats[0]: 1}, seen=seen_of(game), by=OPERATOR)


def test_writes_to_a_finished_game_are_stale():
    game = make_game(seats=3, length=1, rounds=1)
    seats, newest = seat_ids(game), newest_of(game)
    taken = dict(zip(seats, (1, 0, 0), strict=True))

    refused("stale", record_bids, game, bids={seats[0]: 0}, seen=newest, by=OPERATOR)
    refused("stale", record_tricks, game, taken=taken, seen=newest - 1, by=OPERATOR)
    refused("stale", save_draft, game, draft={}, seen=newest, by=OPERATOR)


def test_page_shown_before_a_step_back_is_stale_after_it():
    game = make_game(seats=3)
    seats, seen = seat_ids(game), seen_of(game)
    record_bids(game, bids={seats[0]: 0}, seen=seen, by=OPERATOR)
    step_back(game, undoes=newest_of(game), by=OPERATOR)

    refused("stale", record_bids, game, bids={seats[1]: 0}, seen=seen, by=OPERATOR)
    record_bids(game, bids={seats[1]: 0}, seen=seen_of(game), by=OPERATOR)


# -- steps back ----------------------------------------------------------------------------------------------------


def test_step_back_takes_back_the_newest_bid_only_and_keeps_its_number():
    game = make_game(seats=3, rounds=1)
    seats, seen = seat_ids(game), seen_of(game)
    record_bids(game, bids={seats[2]: 2}, seen=seen, by=OPERATOR)
    before = stage_of(game)
    record_bids(game, bids={seats[0]: 1}, seen=seen, by=OPERATOR)
    undoes = newest_of(game)

    outcome = step_back(game, undoes=undoes, by=keeper_of(game, "Oma"))

    assert stage_of(game) == before
    assert outcome.game.version == undoes + 1
    assert (open_round(game).stage_version, open_round(game).draft) == (
        undoes + 1,
        {"bids": {str(seats[0]): 1}, "blind": []},
    )
    entry = game.entries.latest("version")
    assert (entry.kind, entry.payload, entry.label) == (
        Kind.STEPPED_BACK,
        {"round": 2, "undoes": undoes, "bids": [seats[0]]},
        "Oma",
    )


def test_bids_taken_back_are_cleared_from_the_draft_by_the_next_bid():
    game = make_game(seats=3)
    seats = seat_ids(game)
    enter_bids(game)
    step_back(game, undoes=newest_of(game), by=OPERATOR)
    assert open_round(game).draft["bids"] == {str(seats[0]): 1, str(seats[1]): 0, str(seats[2]): 0}

    record_bids(game, bids={seats[1]: 0}, seen=seen_of(game), by=OPERATOR)

    assert open_round(game).draft == {}


def test_step_back_from_the_tricks_takes_back_the_last_bid():
    game = make_game(seats=3)
    seats, seen = seat_ids(game), seen_of(game)
    for place in (1, 2):
        record_bids(game, bids={seats[place]: 0}, seen=seen, by=OPERATOR)
    before = stage_of(game)
    record_bids(game, bids={seats[0]: 1}, seen=seen, by=OPERATOR)

    step_back(game, undoes=newest_of(game), by=OPERATOR)

    assert stage_of(game) == before
    assert fresh(game).state == open_round(game).state == "bidding"


def test_step_back_of_bids_entered_at_once_takes_back_all_of_them():
    game = make_game(seats=4)
    before = stage_of(game)
    enter_bids(game)

    step_back(game, undoes=newest_of(game), by=OPERATOR)

    assert stage_of(game) == before


def test_step_back_across_the_round_opens_its_tricks_again_as_typed():
    game = make_game(seats=3, rounds=2, house=BOMB_AND_CLOUD)
    seats = seat_ids(game)
    enter_bids(game, [1, 0, 1])
    before = stage_of(game)
    record_tricks(
        game,
        taken=dict(zip(seats, (1, 0, 1), strict=True)),
        bombs=1,
        clouds={seats[2]: -1},
        seen=seen_of(game),
        by=OPERATOR,
    )
    undoes = newest_of(game)

    step_back(game, undoes=undoes, by=OPERATOR)

    assert stage_of(game) == before
    assert (open_round(game).number, open_round(game).stage_version) == (3, undoes + 1)
    assert open_round(game).draft == {
        "taken": {str(seats[0]): 1, str(seats[1]): 0, str(seats[2]): 1},
        "bombs": 1,
        "clouds": {str(seats[2]): -1},
    }


def test_step_back_goes_all_the_way_to_the_start():
    game = make_game(seats=3, length=2)
    stages = []
    for _ in range(2):
        for enter in (enter_bids, enter_tricks):
            stages.append(stage_of(game))
            enter(game)

    while stages:
        newest = game.rounds.order_by("-number")[0]
        undoes = newest.scored_version or (
            newest.bids.latest("version").version
            if newest.bids.exists()
            else game.rounds.get(number=newest.number - 1).scored_version
        )
        step_back(game, undoes=undoes, by=OPERATOR)
        assert stage_of(game) == stages.pop()
        assert differences_of(game.pk) == []

    refused("nothing_to_undo", step_back, game, undoes=newest_of(game), by=OPERATOR, key="k")


def test_step_back_from_the_ranking_opens_the_game_again():
    game = make_game(seats=3, length=1)
    enter_bids(game)
    before = stage_of(game)
    enter_tricks(game)

    outcome = step_back(game, undoes=newest_of(game), by=OPERATOR)

    assert stage_of(game) == before
    assert (outcome.game.state, outcome.game.finished_at) == ("playing", None)
    assert game.entries.latest("version").kind == Kind.REOPENED


def test_step_back_of_something_older_than_the_newest_is_stale():
    game = make_game(seats=3)
    seats, seen = seat_ids(game), seen_of(game)
    record_bids(game, bids={seats[1]: 0}, seen=seen, by=OPERATOR)
    older = newest_of(game)
    record_bids(game, bids={seats[2]: 0}, seen=seen, by=OPERATOR)

    refused("stale", step_back, game, undoes=older, by=OPERATOR, key="k")


def test_reopen_keeps_the_tricks_typed_in_and_the_reason():
    game = make_game(seats=3, length=1, rounds=1)
    seats, newest = seat_ids(game), newest_of(game)

    outcome = reopen(game, by=OPERATOR, reason="Miscounted")

    assert (outcome.game.state, outcome.game.finished_at, outcome.game.version) == ("playing", None, newest + 1)
    assert open_round(game).draft["taken"] == {str(seats[0]): 1, str(seats[1]): 0, str(seats[2]): 0}
    entry = game.entries.latest("version")
    assert (entry.kind, entry.reason, entry.payload) == (
        Kind.REOPENED,
        "Miscounted",
        {"round": 1, "undoes": newest},
    )


def test_reopen_with_a_reason_that_is_too_long_is_refused():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])

    problems = against_the_rules(reopen, game, reason="x" * 501, by=OPERATOR)

    assert problems == [("reason_too_long", None)]


def test_reopen_of_a_running_game_is_a_conflict():
    game = make_game(seats=3, rounds=1)

    refused("not_finished", reopen, game, by=OPERATOR, key="k")


# -- drafts --------------------------------------------------------------------------------------------------------


def test_draft_is_kept_without_an_entry_and_last_writer_wins():
    game = make_game(seats=3)
    enter_bids(game)
    seats, version, touched = seat_ids(game), fresh(game).version, fresh(game).touched

    for tricks in (1, 0):
        draft = {"taken": {str(seats[0]): tricks}}
        save_draft(game, draft=draft, seen=seen_of(game), by=keeper_of(game))

    assert open_round(game).draft == {"taken": {str(seats[0]): 0}}
    assert (fresh(game).version, fresh(game).touched, newest_of(game)) == (version, touched + 2, version)


def test_draft_is_cleared_by_the_tricks():
    game = make_game(seats=3)
    enter_bids(game)
    save_draft(game, draft={"taken": {"1": 1}}, seen=seen_of(game), by=OPERATOR)

    enter_tricks(game)

    assert [row.draft for row in game.rounds.order_by("number")] == [{}, {}]


# -- repeats -------------------------------------------------------------------------------------------------------


def keyed_writes(game):
    """Return each verb that takes a key, with arguments it accepts now and others that it would accept as well."""
    seats = seat_ids(game)
    state = fresh(game).state
    if state == "finished":
        return [(reopen, {}, {"reason": "Miscounted"})]
    if state == "playing":
        taken = dict(zip(seats, (1, 0, 0), strict=True))
        other = dict(zip(seats, (0, 1, 0), strict=True))
        seen = seen_of(game)
        return [(record_tricks, {"taken": taken, "seen": seen}, {"taken": other, "seen": seen})]
    seen = seen_of(game)
    return [(record_bids, {"bids": {seats[0]: 1}, "seen": seen}, {"bids": {seats[0]: 0}, "seen": seen})]


@pytest.mark.parametrize("stage", ["bidding", "playing", "finished"])
def test_same_key_and_content_writes_once(stage):
    game = make_game(seats=3, length=1)
    if stage != "bidding":
        enter_bids(game)
    if stage == "finished":
        enter_tricks(game)
    keeper = keeper_of(game)
    for verb, arguments, _other in keyed_writes(game):
        first = verb(game, by=keeper, key="k", **arguments)
        before = rows_of(game)

        again = verb(game, by=keeper, key="k", **arguments)

        assert (first.repeated, again.repeated) == (False, True)
        assert again.game.version == first.game.version
        assert rows_of(game) == before


@pytest.mark.parametrize("stage", ["bidding", "playing", "finished"])
def test_same_key_with_other_content_is_a_conflict(stage):
    game = make_game(seats=3, length=1)
    if stage != "bidding":
        enter_bids(game)
    if stage == "finished":
        enter_tricks(game)
    keeper = keeper_of(game)
    for verb, arguments, other in keyed_writes(game):
        verb(game, by=keeper, key="k", **arguments)

        refused("key_reused", verb, game, by=keeper, key="k", **other)


def test_step_back_with_the_same_key_steps_back_once():
    game = make_game(seats=3, rounds=1)
    keeper, undoes = keeper_of(game), newest_of(game)
    step_back(game, undoes=undoes, by=keeper, key="k")
    before = rows_of(game)

    assert step_back(game, undoes=undoes, by=keeper, key="k").repeated
    assert rows_of(game) == before
    refused("key_reused", step_back, game, undoes=undoes + 1, by=keeper, key="k")


def test_key_of_one_verb_is_no_key_of_another():
    game = make_game(seats=3)
    keeper, seats = keeper_of(game), seat_ids(game)
    record_bids(game, bids={seats[0]: 1}, seen=seen_of(game), by=keeper, key="k")

    refused("key_reused", step_back, game, undoes=newest_of(game), by=keeper, key="k")


def test_keys_of_two_actors_do_not_meet():
    game = make_game(seats=3)
    seats, seen = seat_ids(game), seen_of(game)

    record_bids(game, bids={seats[0]: 1}, seen=seen, by=keeper_of(game), key="k")
    outcome = record_bids(game, bids={seats[1]: 0}, seen=seen, by=keeper_of(game), key="k")

    assert not outcome.repeated
    assert Receipt.objects.filter(key="k").count() == 2


def test_refused_write_does_not_use_up_its_key():
    game = make_game(seats=3)
    keeper, seats, seen = keeper_of(game), seat_ids(game), seen_of(game)
    with pytest.raises(rules.RulesError):
        record_bids(game, bids={seats[0]: 9}, seen=seen, by=keeper, key="k")

    assert not record_bids(game, bids={seats[0]: 1}, seen=seen, by=keeper, key="k").repeated


def test_receipts_are_forgotten_after_seven_days_and_not_before():
    game = make_game(seats=3)
    seats, seen = seat_ids(game), seen_of(game)
    keepers = {key: keeper_of(game) for key in ("old", "young")}
    for place, (key, keeper) in enumerate(keepers.items()):
        record_bids(game, bids={seats[place]: 0}, seen=seen, by=keeper, key=key)
    Receipt.objects.filter(key="old").update(created_at=F("created_at") - timedelta(days=7, minutes=1))
    Receipt.objects.filter(key="young").update(created_at=F("created_at") - timedelta(days=6, hours=23))

    start_game(NAMES[:3], rules.HouseRules(), first_dealer=0, by=DEVICE, key="new")

    assert sorted(Receipt.objects.values_list("key", flat=True)) == ["new", "young"]
    assert record_bids(game, bids={seats[1]: 0}, seen=seen, by=keepers["young"], key="young").repeated


# -- permission ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["watcher", "keeper of another game", "nobody"])
@pytest.mark.parametrize("stage", ["bidding", "playing", "finished"])
def test_no_verb_is_open_to(who, stage):
    game = make_game(seats=3, length=1)
    if stage != "bidding":
        enter_bids(game)
    if stage == "finished":
        enter_tricks(game)
    actor = {
        "watcher": lambda: watcher_of(game),
        "keeper of another game": lambda: keeper_of(make_game(seats=3)),
        "nobody": lambda: DEVICE,
    }[who]()
    writes = [(verb, arguments) for verb, arguments, _other in keyed_writes(game)]
    writes.append((step_back, {"undoes": newest_of(game)}))
    before = rows_of(game)

    for verb, arguments in writes:
        with pytest.raises(PermissionDenied):
            verb(game, by=actor, key="k", **arguments)
    if stage != "finished":
        with pytest.raises(PermissionDenied):
            save_draft(game, draft={}, seen=seen_of(game), by=actor)

    assert rows_of(game) == before


def test_permission_comes_before_the_answer_to_a_repeat():
    """A revoked or foreign actor learns nothing from a key."""
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])

    with pytest.raises(PermissionDenied):
        reopen(game, by=watcher_of(game), key="k")
