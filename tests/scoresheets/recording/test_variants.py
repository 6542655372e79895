"""Hidden bids that add up, rounds recorded in one go, trump: what each leaves behind, and what each refuses."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Entry
from scoresheets.queries.blocks import sheet_of
from scoresheets.recording import (
    Conflict,
    note_trump,
    record_bids,
    record_round,
    record_tricks,
    step_back,
)
from scoresheets.recording.repair import differences_of, rewrite
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    enter_bids,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    open_round,
    play_round,
    refused,
    rows_of,
    seat_ids,
    seats_of,
    seen_of,
    stage_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db

HIDDEN = rules.HouseRules(hidden_bids=True, plus_minus_one=True)
SECRET = rules.HouseRules(secret_bids=True, specials=("BOMB", "CLOUD"), blind_bids=True)


def standing(game):
    return {bid.seat_id: bid.tricks_bid for bid in open_round(game).bids.all()}


# Hidden bids under plus/minus one


def shown_game():
    """Three seats, one card, hidden bids 1, 0, 0 that add up; seat 0 deals."""
    game = make_game(seats=3, house=HIDDEN)
    enter_bids(game, [1, 0, 0])
    return fresh(game)


def test_hidden_bids_that_add_up_lie_open_for_the_dealer_alone():
    game = shown_game()
    dealer, second, third = seat_ids(game)
    current = open_round(game)

    assert (game.state, current.state) == ("bidding", "bidding")
    assert (current.shown_version, current.stage_version) == (2, 2)
    assert standing(game) == {second: 0, third: 0}
    assert current.draft == {"bids": {str(dealer): 1}}
    assert not sheet_of(game).covered
    assert game.entries.latest("version").payload["bids"] == {str(dealer): 1, str(second): 0, str(third): 0}
    assert differences_of(game.pk) == []


def test_hidden_bids_the_dealer_changes_open_the_tricks():
    game = shown_game()
    dealer = seat_ids(game)[0]
    refused(rules.RulesError, "bid_sum_forbidden", record_bids, game, bids={dealer: 1}, seen=2, by=OPERATOR)

    record_bids(game, bids={dealer: 0}, seen=2, by=OPERATOR)

    assert (fresh(game).state, open_round(game).state) == ("playing", "playing")
    assert open_round(game).draft == {}
    assert standing(game)[dealer] == 0
    assert differences_of(game.pk) == []


def test_hidden_bids_shown_are_stale_for_those_who_saw_them_covered():
    game = shown_game()
    refused(Conflict, "stale", record_bids, game, bids={seat_ids(game)[0]: 0}, seen=1, by=OPERATOR)


def test_hidden_bids_step_back_goes_through_every_stage():
    game = make_game(seats=3, house=HIDDEN)
    dealer, second, third = seat_ids(game)
    stages = []
    for bids in ({dealer: 1}, {second: 0}, {third: 0}, {dealer: 0}):
        stages.append((stage_of(game), open_round(game).shown_version))
        record_bids(game, bids=bids, seen=seen_of(game), by=OPERATOR)
    versions = [5, 4, 3, 2]

    for undoes, (stage, shown) in zip(versions, reversed(stages), strict=True):
        assert sheet_of(fresh(game)).undo.version == undoes
        step_back(game, undoes=undoes, by=OPERATOR)
        assert (stage_of(game), open_round(game).shown_version) == (stage, shown)
        assert differences_of(game.pk) == []
    refused(Conflict, "nothing_to_undo", step_back, game, undoes=2, by=OPERATOR)


def test_hidden_bids_step_back_from_showing_keeps_what_was_entered_together():
    game = shown_game()
    dealer, second, third = seat_ids(game)
    step_back(game, undoes=2, by=OPERATOR)

    assert standing(game) == {}
    assert open_round(game).draft["bids"] == {str(dealer): 1, str(second): 0, str(third): 0}
    assert (sheet_of(fresh(game)).covered, open_round(game).shown_version) == (True, None)


def test_hidden_bids_before_plus_minus_one_binds_open_the_tricks_at_once():
    game = make_game(seats=3, house=rules.HouseRules(hidden_bids=True, plus_minus_one=True, plus_minus_one_from=2))
    enter_bids(game, [1, 0, 0])
    assert open_round(game).state == "playing"


def test_hidden_bids_repair_restores_the_shown_round():
    game = shown_game()
    before = stage_of(game)
    open_round(game).bids.all().delete()
    type(open_round(game)).objects.filter(game=game).update(shown_version=None)
    assert differences_of(game.pk) != []

    rewrite(game.pk)

    assert differences_of(game.pk) == []
    assert stage_of(game) == before
    assert open_round(game).shown_version == 2


# A round in one go


def whole(game, bids, taken, **options):
    seats = seat_ids(game)
    return {
        "bids": dict(zip(seats, bids, strict=True)),
        "taken": dict(zip(seats, taken, strict=True)),
        "seen": seen_of(game),
        "by": OPERATOR,
        **options,
    }


def test_record_round_scores_bids_and_tricks_in_one_entry():
    game = make_game(seats=3, house=SECRET, rounds=0)
    seats = seat_ids(game)
    record_round(game, **whole(game, [1, 0, 1], [1, 0, 0], blind=[seats[0]], clouds={seats[0]: -1}))

    entry = game.entries.latest("version")
    assert (entry.kind, entry.version) == (Entry.Kind.ROUND_RECORDED, 2)
    assert [seat.line for seat in seats_of(game)] == [[[1, 1, -20, 1, -1]], [[0, 0, 20]], [[1, 0, -10]]]
    assert (open_round(game).number, fresh(game).state) == (2, "bidding")
    assert differences_of(game.pk) == []


def test_record_round_is_one_step_back_that_keeps_everything():
    game = make_game(seats=3, house=SECRET)
    seats = seat_ids(game)
    before = stage_of(game)
    record_round(game, **whole(game, [1, 0, 1], [0, 0, 0], bombs=1, blind=[seats[2]]))

    step_back(game, undoes=2, by=OPERATOR)

    assert stage_of(game) == before
    assert open_round(game).draft == {
        "taken": {str(seat): 0 for seat in seats},
        "bombs": 1,
        "clouds": {},
        "bids": {str(seats[0]): 1, str(seats[1]): 0, str(seats[2]): 1},
        "blind": [seats[2]],
    }
    assert differences_of(game.pk) == []


def test_record_round_completes_bids_that_stand():
    game = make_game(seats=3)
    seats = seat_ids(game)
    record_bids(game, bids={seats[1]: 1}, seen=1, by=OPERATOR)
    arguments = whole(game, [0, 0, 0], [0, 1, 0])
    del arguments["bids"][seats[1]]
    record_round(game, **arguments)

    assert [seat.total for seat in seats_of(game)] == [20, 30, 20]
    step_back(game, undoes=newest_of(game), by=OPERATOR)
    assert standing(game) == {seats[1]: 1}
    assert differences_of(game.pk) == []


def test_record_round_finishes_the_game():
    game = make_game(seats=3, house=SECRET, length=1)
    record_round(game, **whole(game, [0, 0, 0], [0, 0, 1]))
    assert fresh(game).is_finished
    step_back(game, undoes=2, by=OPERATOR)
    assert fresh(game).state == "bidding"
    assert differences_of(game.pk) == []


def test_record_round_is_safe_to_repeat():
    game = make_game(seats=3, house=SECRET)
    arguments = whole(game, [0, 0, 0], [0, 0, 1], key="once")
    record_round(game, **arguments)
    assert record_round(game, **arguments).repeated
    assert fresh(game).version == 2


def test_record_round_collects_the_problems_of_bids_and_tricks():
    game = make_game(seats=3, house=rules.HouseRules(plus_minus_one=True))
    seats = seat_ids(game)
    arguments = whole(game, [1, 0, 0], [1, 1, 0], blind=[seats[0]], bombs=1)
    expected = [
        "blind_not_enabled",
        "bid_sum_forbidden",
        "bomb_not_in_deck",
        "tricks_out_of_range",
        "tricks_out_of_range",
    ]
    refused(rules.RulesError, expected, record_round, game, **arguments)


def test_record_round_refuses_what_is_not_whole_or_not_due():
    game = make_game(seats=3)
    seats = seat_ids(game)
    good = whole(game, [0, 0, 0], [1, 0, 0])
    refused(Conflict, "missing_bids", record_round, game, **{**good, "bids": {seats[0]: 0}})
    refused(Conflict, "missing_seats", record_round, game, **{**good, "taken": {seats[0]: 1}})
    refused(Conflict, "seat_unknown", record_round, game, **{**good, "bids": {**good["bids"], -1: 0}})
    refused(Conflict, "stale", record_round, game, **{**good, "seen": 0})
    enter_bids(game)
    refused(Conflict, "stale", record_round, game, **{**good, "seen": seen_of(game)})
    with pytest.raises(PermissionDenied):
        record_round(game, **{**good, "by": watcher_of(game)})


# Undo after scoring keeps bomb and cloud


def test_step_back_after_scoring_lets_a_cloud_be_set_afterwards():
    game = make_game(seats=3, house=BOMB_AND_CLOUD, cards=[3], ladder="free")
    seats = seat_ids(game)
    enter_bids(game, [1, 1, 0])
    taken = dict(zip(seats, [1, 1, 0], strict=True))
    record_tricks(game, taken=taken, bombs=1, seen=seen_of(game), by=OPERATOR)
    step_back(game, undoes=newest_of(game), by=OPERATOR)
    assert open_round(game).draft == {"taken": {str(s): n for s, n in taken.items()}, "bombs": 1, "clouds": {}}

    record_tricks(game, taken=taken, bombs=1, clouds={seats[0]: 1}, seen=seen_of(game), by=OPERATOR)
    assert [seat.total for seat in seats_of(game)] == [-10, 30, 20]


# Trump


def test_note_trump_is_one_entry_and_can_be_changed_at_any_time_of_the_round():
    game = make_game(seats=3)
    seats = seat_ids(game)
    note_trump(game, number=1, trump="R", turned_up="R7", by=keeper_of(game, "Anna"))
    entry = game.entries.latest("version")
    assert (entry.kind, entry.label) == (Entry.Kind.TRUMP_NOTED, "Anna")
    assert entry.payload == {"round": 1, "trump": "R", "turned_up": "R7", "chosen_by": None}
    assert (sheet_of(fresh(game)).block.rows[0].trump, fresh(game).touched) == ("R", 1)

    enter_bids(game)
    note_trump(game, number=1, trump="G", turned_up="W", chosen_by=seats[0], by=OPERATOR)
    current = open_round(game)
    assert (current.trump, current.turned_up, current.chosen_by_id) == ("G", "W", seats[0])
    note_trump(game, number=1, trump="", by=OPERATOR)
    assert (open_round(game).trump, sheet_of(fresh(game)).block.rows[0].trump) == ("", None)
    assert differences_of(game.pk) == []


def test_note_trump_does_not_disturb_bids_and_tricks():
    game = make_game(seats=3)
    seen = seen_of(game)
    note_trump(game, number=1, trump="none", by=OPERATOR)
    assert seen_of(game) == seen
    enter_bids(game)
    assert sheet_of(fresh(game)).undo.version == 3


def test_note_trump_stays_when_the_rounds_bids_and_tricks_are_taken_back():
    game = make_game(seats=3)
    note_trump(game, number=1, trump="Y", by=OPERATOR)
    play_round(game)
    for _ in range(2):
        step_back(game, undoes=sheet_of(fresh(game)).undo.version, by=OPERATOR)
    assert open_round(game).trump == "Y"
    assert differences_of(game.pk) == []


def test_note_trump_refuses_what_cannot_be():
    game = make_game(seats=3, cards=[3, 20], ladder="free")
    note = {"number": 1, "by": OPERATOR}
    for code, wrong in (
        ("suit_not_in_deck", {"trump": "X"}),
        ("suit_not_in_deck", {"trump": "H"}),
        ("trump_impossible", {"trump": "R", "turned_up": "B7"}),
        ("card_unknown", {"trump": "R", "turned_up": "B77"}),
        ("trump_missing", {"trump": "", "turned_up": "B7"}),
        ("chooser_impossible", {"trump": "R", "turned_up": "W", "chosen_by": seat_ids(game)[1]}),
    ):
        refused(rules.RulesError, code, note_trump, game, **note, **wrong)
    refused(Conflict, "seat_unknown", note_trump, game, **note, trump="R", chosen_by=-1)
    refused(Conflict, "stale", note_trump, game, number=2, trump="R", by=OPERATOR)
    with pytest.raises(PermissionDenied):
        note_trump(game, number=1, trump="R", by=watcher_of(game))
    play_round(game)
    refused(Conflict, "stale", note_trump, game, number=1, trump="R", by=OPERATOR)
    refused(rules.RulesError, "trump_impossible", note_trump, game, number=2, trump="R", by=OPERATOR)


@pytest.mark.parametrize(("variant", "expected"), [("maximus", ["B", "R"]), ("einfarbig", ["none", "none"])])
def test_sheet_shows_the_fixed_trump_of_a_variant(variant, expected):
    game = make_game(seats=3, house=rules.HouseRules(variant=variant), rounds=1)
    assert [row.trump for row in sheet_of(game).block.rows] == expected


def test_record_round_over_a_bid_that_stands_is_a_conflict():
    game = make_game(seats=3)
    seats = seat_ids(game)
    record_bids(game, bids={seats[1]: 1}, seen=1, by=OPERATOR)
    before = rows_of(game)
    with pytest.raises(Conflict) as caught, transaction.atomic():
        record_round(game, **whole(game, [0, 0, 0], [0, 1, 0]))
    assert caught.value.code == "already_bid"
    assert rows_of(game) == before


def test_record_round_takes_eleven_statements(django_assert_num_queries):
    game = make_game(seats=6, house=SECRET)
    arguments = {**whole(game, [0] * 6, [1, 0, 0, 0, 0, 0]), "by": keeper_of(game), "key": "k"}
    with django_assert_num_queries(11 + 2):  # two are the savepoint within the test's own transaction
        record_round(game, **arguments)


def test_hidden_bids_shown_keep_that_the_dealer_was_blind():
    game = make_game(seats=3, house=rules.HouseRules(hidden_bids=True, plus_minus_one=True, blind_bids=True))
    dealer, second, third = seat_ids(game)
    record_bids(game, bids={dealer: 1, second: 0, third: 0}, blind=[dealer], seen=1, by=OPERATOR)
    assert open_round(game).draft == {"bids": {str(dealer): 1}, "blind": [dealer]}
    assert differences_of(game.pk) == []
