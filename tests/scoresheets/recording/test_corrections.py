"""Corrections of rounds, points beside them, names: what each leaves behind, and what each refuses."""

from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid, Entry
from scoresheets.queries.blocks import sheet_of
from scoresheets.queries.corrections import corrections_of, differences, preview_of
from scoresheets.recording import (
    Conflict,
    RoundValues,
    adjust_points,
    correct_round,
    record_round,
    rename_seat,
    reopen,
    step_back,
)
from scoresheets.recording.repair import differences_of, rewrite
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    enter_bids,
    finished_game,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    open_round,
    play_round,
    refused,
    seat_ids,
    seats_of,
    seen_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db

Kind = Entry.Kind


def values_of(game, number):
    """Return the values of a scored round as they stand."""
    scored = game.rounds.get(number=number)
    return RoundValues.of(scored, list(Bid.objects.filter(round=scored).order_by("seat__position")))


def seen(game, number):
    return game.rounds.get(number=number).changed_version


def two_rounds():
    """Three seats; round 1: bids 1 0 0, taken 1 0 0; round 2: bids 2 0 0, taken 2 0 0; round 3 is open."""
    return make_game(seats=3, rounds=2, length=4)


def test_correction_rewrites_the_round_and_what_follows_from_it():
    game = two_rounds()
    first, second, third = seat_ids(game)
    before = values_of(game, 1)
    rounds_before = list(game.rounds.exclude(number=1).order_by("number").values())
    values = replace(before, bids={**before.bids, second: 1}, taken={first: 0, second: 1, third: 0})

    outcome = correct_round(game, number=1, values=values, seen=seen(game, 1), by=keeper_of(game, "Anna"))

    assert [seat.line for seat in seats_of(game)] == [
        [[1, 0, -10], [2, 2, 40]],
        [[1, 1, 30], [0, 0, 20]],
        [[0, 0, 20]] * 2,
    ]
    assert [(seat.total, seat.exact, seat.rank) for seat in seats_of(game)] == [(30, 1, 3), (50, 2, 1), (40, 2, 2)]
    assert list(game.rounds.exclude(number=1).order_by("number").values()) == rounds_before
    assert (outcome.game.version, game.rounds.get(number=1).stage_version) == (6, 6)
    entry = game.entries.latest("version")
    assert (entry.kind, entry.label, entry.reason) == (Kind.ROUND_CORRECTED, "Anna", "")
    assert entry.payload["before"]["taken"] == {str(first): 1, str(second): 0, str(third): 0}
    assert differences_of(game.pk) == []


def test_correction_does_not_disturb_the_open_round():
    game = two_rounds()
    enter_bids(game)
    stage = seen_of(game)
    values = values_of(game, 2)
    dealer = open_round(game).dealer_id
    changed = replace(values, bids={**values.bids, dealer: 1})
    correct_round(game, number=2, values=changed, seen=seen(game, 2), by=OPERATOR)
    assert (seen_of(game), open_round(game).state, open_round(game).bids.count()) == (stage, "playing", 3)


def test_correction_sets_bomb_cloud_blind_and_trump():
    house = replace(BOMB_AND_CLOUD, blind_bids=True)
    game = make_game(seats=3, house=house, cards=[3, 3], ladder="free")
    play_round(game, [1, 1, 0], [1, 1, 1])
    first, second, third = seat_ids(game)
    values = RoundValues(
        bids={first: 1, second: 1, third: 0},
        taken={first: 1, second: 1, third: 0},
        bombs=1,
        clouds={second: 1},
        blind=[first],
        trump="G",
        turned_up="G7",
    )
    correct_round(game, number=1, values=values, seen=seen(game, 1), by=OPERATOR)

    assert [seat.line[0] for seat in seats_of(game)] == [[1, 1, 60, 1, 0], [1, 1, -10, 0, 1], [0, 0, 20]]
    scored = game.rounds.get(number=1)
    assert (scored.bombs, scored.trump, scored.turned_up, scored.state) == (1, "G", "G7", "scored")
    assert differences_of(game.pk) == []


def test_correction_is_reversed_by_the_values_before():
    game = two_rounds()
    before, stage = values_of(game, 1), [seat.line for seat in seats_of(game)]
    first = seat_ids(game)[0]
    correct_round(
        game, number=1, values=replace(before, bids={**before.bids, first: 0}), seen=seen(game, 1), by=OPERATOR
    )
    correct_round(game, number=1, values=before, seen=seen(game, 1), by=OPERATOR)
    assert [seat.line for seat in seats_of(game)] == stage
    assert [entry.version for entry in corrections_of(game)] == [7, 6]


def test_correction_is_not_taken_back_by_a_step_back():
    game = make_game(seats=3, rounds=1, length=2)
    first = seat_ids(game)[0]
    values = values_of(game, 1)
    correct_round(
        game, number=1, values=replace(values, bids={**values.bids, first: 0}), seen=seen(game, 1), by=OPERATOR
    )
    refused(Conflict, "stale", step_back, game, undoes=3, by=OPERATOR)  # seen before the correction

    step_back(game, undoes=sheet_of(fresh(game)).undo.version, by=OPERATOR)

    assert {bid.seat_id: bid.tricks_bid for bid in open_round(game).bids.all()}[first] == 0
    assert open_round(game).draft["taken"][str(first)] == 1
    assert differences_of(game.pk) == []


def test_correction_of_a_round_recorded_in_one_go_steps_back_as_one():
    game = make_game(seats=3, house=rules.HouseRules(secret_bids=True))
    seats = seat_ids(game)
    record_round(game, bids=dict.fromkeys(seats, 0), taken={seats[0]: 1, seats[1]: 0, seats[2]: 0}, seen=1, by=OPERATOR)
    values = values_of(game, 1)
    correct_round(
        game, number=1, values=replace(values, bids={**values.bids, seats[0]: 1}), seen=seen(game, 1), by=OPERATOR
    )
    step_back(game, undoes=newest_of(game), by=OPERATOR)
    assert (open_round(game).state, open_round(game).draft["bids"]) == (
        "bidding",
        {str(seats[0]): 1, str(seats[1]): 0, str(seats[2]): 0},
    )
    assert differences_of(game.pk) == []


def test_correction_of_a_finished_game_needs_a_reason_and_moves_the_winner():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    first, second, third = seat_ids(game)
    values = values_of(game, 1)
    changed = replace(values, bids={first: 1, second: 1, third: 0}, taken={first: 0, second: 1, third: 0})
    arguments = {"number": 1, "values": changed, "seen": seen(game, 1), "by": OPERATOR}
    refused(rules.RulesError, "reason_missing", correct_round, game, **arguments, reason="  ")
    refused(rules.RulesError, "reason_too_long", correct_round, game, **arguments, reason="x" * 501)
    assert sheet_of(game).block.winners == (0,)

    correct_round(game, **arguments, reason="Columns swapped")

    stored = fresh(game)
    assert (stored.is_finished, stored.finished_at) == (True, game.finished_at)
    assert sheet_of(stored).block.winners == (1,)
    assert corrections_of(game)[0].reason == "Columns swapped"
    reopen(game, by=OPERATOR)
    assert differences_of(game.pk) == []


def test_correction_may_leave_a_sum_that_plus_minus_one_would_have_refused():
    game = make_game(seats=3, house=rules.HouseRules(plus_minus_one=True), length=2)
    play_round(game, [0, 0, 0], [1, 0, 0])
    values = values_of(game, 1)
    first = seat_ids(game)[0]
    correct_round(
        game, number=1, values=replace(values, bids={**values.bids, first: 1}), seen=seen(game, 1), by=OPERATOR
    )
    assert seats_of(game)[0].total == 30


def test_correction_refuses_what_breaks_the_rules_with_all_problems():
    game = two_rounds()
    first, second, third = seat_ids(game)
    values = values_of(game, 2)
    arguments = {"number": 2, "seen": seen(game, 2), "by": OPERATOR}
    for codes, wrong in (
        (["tricks_sum"], {"taken": {first: 1, second: 0, third: 0}}),
        (
            ["bid_out_of_range", "tricks_out_of_range"],
            {"bids": {**values.bids, first: 3}, "taken": {**values.taken, first: 3}},
        ),
        (["bomb_not_in_deck", "tricks_out_of_range"], {"bombs": 1}),
        (["cloud_not_in_deck"], {"clouds": {first: -1}}),
        (["blind_not_enabled"], {"blind": [first]}),
        (["suit_not_in_deck"], {"trump": "H"}),
    ):
        refused(rules.RulesError, codes, correct_round, game, **arguments, values=replace(values, **wrong))


def test_correction_refuses_what_is_stale_or_not_there():
    game = two_rounds()
    first, second, _third = seat_ids(game)
    values = values_of(game, 2)
    good = {
        "number": 2,
        "values": replace(values, bids={**values.bids, second: 1}),
        "seen": seen(game, 2),
        "by": OPERATOR,
    }
    refused(Conflict, "nothing_changed", correct_round, game, **{**good, "values": values})
    refused(Conflict, "stale", correct_round, game, **{**good, "seen": good["seen"] - 1})
    refused(Conflict, "stale", correct_round, game, **{**good, "number": 3})
    refused(Conflict, "stale", correct_round, game, **{**good, "number": 9})
    refused(Conflict, "missing_seats", correct_round, game, **{**good, "values": replace(values, taken={first: 2})})
    refused(Conflict, "missing_seats", correct_round, game, **{**good, "values": replace(values, bids={first: 2})})
    with pytest.raises(PermissionDenied):
        correct_round(game, **{**good, "by": watcher_of(game)})
    correct_round(game, **good, key="once")
    assert correct_round(game, **good, key="once").repeated
    refused(Conflict, "stale", correct_round, game, **good)


def test_correction_takes_the_same_statements_in_a_short_and_a_long_game(django_assert_num_queries):
    for rounds in (1, 9):
        game = make_game(seats=3, rounds=rounds, length=10)
        values = values_of(game, 1)
        first = seat_ids(game)[0]
        changed = replace(values, bids={**values.bids, first: 0})
        version, by = seen(game, 1), keeper_of(game)
        with django_assert_num_queries(12):
            correct_round(game, number=1, values=changed, seen=version, by=by, key="k")


def test_repair_restores_a_corrected_game():
    game = two_rounds()
    values = values_of(game, 1)
    first = seat_ids(game)[0]
    correct_round(
        game, number=1, values=replace(values, bids={**values.bids, first: 0}), seen=seen(game, 1), by=OPERATOR
    )
    adjust_points(game, seat=first, points=-20, reason="Overtime", by=OPERATOR)
    lines = [(seat.line, seat.adjustments, seat.total) for seat in seats_of(game)]
    game.seats.update(line=[], adjustments=[], total=0)
    assert differences_of(game.pk) != []
    rewrite(game.pk)
    assert [(seat.line, seat.adjustments, seat.total) for seat in seats_of(game)] == lines
    assert differences_of(game.pk) == []


# Preview


def test_preview_shows_what_the_correction_then_does():
    game = two_rounds()
    first, second, third = seat_ids(game)
    values = values_of(game, 1)
    changed = replace(values, bids={first: 1, second: 1, third: 0}, taken={first: 0, second: 1, third: 0})
    preview = preview_of(sheet_of(game), number=1, bids=changed.bids, taken=changed.taken)

    assert preview.moves == ((0, 30, 3), (1, 50, 1))
    assert preview.changes_winners
    correct_round(game, number=1, values=changed, seen=seen(game, 1), by=OPERATOR)
    after = sheet_of(fresh(game)).block
    assert (preview.after.totals, preview.after.hits, preview.after.ranks) == (after.totals, after.hits, after.ranks)


def test_preview_of_something_wrong_raises_its_problems():
    game = two_rounds()
    values = values_of(game, 1)
    with pytest.raises(rules.RulesError):
        preview_of(sheet_of(game), number=1, bids=values.bids, taken=dict.fromkeys(values.taken, 1))


def test_differences_name_field_seat_old_and_new():
    before = {"bids": {"7": 1, "8": 0}, "taken": {"7": 1, "8": 0}, "blind": [7]}
    after = {"bids": {"7": 1, "8": 2}, "taken": {"7": 1, "8": 0}, "bombs": 1, "clouds": {"8": -1}, "trump": "R"}
    assert differences(before, after) == [
        ("bids", 8, 0, 2),
        ("clouds", 8, None, -1),
        ("blind", 7, True, False),
        ("bombs", None, 0, 1),
        ("trump", None, "", "R"),
    ]


# Points beside the rounds


def test_adjustment_counts_for_total_and_rank_and_not_for_bids():
    game = two_rounds()
    second = seat_ids(game)[1]
    adjust_points(game, seat=second, points=-100, reason="Table overtime", by=OPERATOR)
    adjust_points(game, seat=second, points=50, reason="Half of it was wrong", by=OPERATOR)

    assert [(seat.total, seat.exact, seat.rounds, seat.rank) for seat in seats_of(game)] == [
        (70, 2, 2, 1),
        (-10, 2, 2, 3),
        (40, 2, 2, 2),
    ]
    play_round(game)
    block = sheet_of(fresh(game)).block
    assert block.running_totals == ((30, 20, 20), (70, -10, 40), (120, 10, 60))
    assert block.totals == tuple(seat.total for seat in seats_of(game))
    assert [entry.reason for entry in corrections_of(game)] == ["Half of it was wrong", "Table overtime"]
    assert differences_of(game.pk) == []


def test_adjustment_before_the_first_round_and_after_rounds_are_taken_back():
    game = make_game(seats=3, rounds=1)
    first = seat_ids(game)[0]
    adjust_points(game, seat=first, points=10, reason="Bonus", by=OPERATOR)
    step_back(game, undoes=3, by=OPERATOR)
    assert sheet_of(fresh(game)).block.totals == (10, 0, 0) == tuple(seat.total for seat in seats_of(game))


def test_adjustment_refuses():
    game = two_rounds()
    first = seat_ids(game)[0]
    good = {"seat": first, "points": 10, "reason": "Bonus", "by": OPERATOR}
    refused(rules.RulesError, "reason_missing", adjust_points, game, **{**good, "reason": " "})
    refused(rules.RulesError, "reason_too_long", adjust_points, game, **{**good, "reason": "x" * 501})
    refused(
        rules.RulesError,
        ["reason_missing", "adjustment_out_of_range"],
        adjust_points,
        game,
        **{**good, "reason": "", "points": 0},
    )
    refused(rules.RulesError, "adjustment_out_of_range", adjust_points, game, **{**good, "points": -1001})
    refused(Conflict, "seat_unknown", adjust_points, game, **{**good, "seat": -1})
    with pytest.raises(PermissionDenied):
        adjust_points(game, **{**good, "by": watcher_of(game)})
    adjust_points(game, **good, key="once")
    assert adjust_points(game, **good, key="once").repeated
    assert seats_of(game)[0].adjustments == [[2, 10]]


# Names


def test_renamed_seat_keeps_its_rounds_and_the_journal_has_no_name():
    game = two_rounds()
    first = seat_ids(game)[0]
    line = seats_of(game)[0].line
    rename_seat(game, seat=first, name="Zoe", by=OPERATOR)
    assert [seat.name for seat in seats_of(game)] == ["Zoe", "Bernd", "Cem"]
    assert seats_of(game)[0].line == line
    assert game.entries.latest("version").payload == {"seat": first}
    assert "Zoe" not in str(list(game.entries.values("payload", "reason", "label")))


def test_renaming_refuses():
    game = two_rounds()
    first, _second, third = seat_ids(game)
    good = {"seat": first, "name": "Zoe", "by": OPERATOR}
    refused(rules.RulesError, "name_missing", rename_seat, game, **{**good, "name": " "})
    refused(rules.RulesError, "name_too_long", rename_seat, game, **{**good, "name": "x" * 41})
    refused(rules.RulesError, "name_taken", rename_seat, game, **{**good, "name": "CEM"})
    refused(rules.RulesError, "name_taken", rename_seat, game, **{**good, "seat": third, "name": "annika"})
    refused(Conflict, "nothing_changed", rename_seat, game, **{**good, "name": "Annika"})
    refused(Conflict, "seat_unknown", rename_seat, game, **{**good, "seat": -1})
    with pytest.raises(PermissionDenied):
        rename_seat(game, **{**good, "by": watcher_of(game)})
    rename_seat(game, **{**good, "name": "ANNIKA"})
    finished = finished_game([[(1, 1), (0, 0), (0, 0)]])
    refused(rules.RulesError, "reason_missing", rename_seat, finished, **{**good, "seat": seat_ids(finished)[0]})
