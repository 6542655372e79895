"""Interruptions: what each leaves behind, what each refuses, and that an interrupted game takes no entry."""

import pytest
from django.core.exceptions import PermissionDenied

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Entry
from scoresheets.queries.blocks import sheet_of
from scoresheets.recording import (
    Conflict,
    RoundValues,
    abandon,
    adjust_points,
    correct_round,
    end_early,
    note_trump,
    pause,
    record_bids,
    record_round,
    record_tricks,
    rematch,
    rename_seat,
    reopen,
    restore,
    resume,
    save_draft,
    step_back,
    void,
)
from scoresheets.recording.repair import differences_of, rewrite
from tests.scoresheets import factories
from tests.scoresheets.factories import (
    enter_bids,
    finished_game,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    open_round,
    play_round,
    seat_ids,
    seen_of,
    stage_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db

Kind = Entry.Kind
HALTS = {
    "paused": (lambda game, **options: pause(game, **options), resume),
    "abandoned": (lambda game, **options: abandon(game, **options), restore),
    "voided": (lambda game, **options: void(game, reason="Wrong table", **options), restore),
}


def refused(code, verb, game, error=Conflict, **arguments):
    """Check that the verb is refused with this code and writes nothing."""
    factories.refused(error, code, verb, game, **arguments)


@pytest.mark.parametrize("halted", HALTS)
def test_halted_game_keeps_everything_and_goes_on_where_it_was(halted):
    halt, go_on = HALTS[halted]
    game = make_game(seats=3, rounds=1)
    enter_bids(game)
    save_draft(game, draft={"taken": {str(seat_ids(game)[0]): 1}}, seen=seen_of(game), by=OPERATOR)
    stage, draft = stage_of(game), open_round(game).draft

    halt(game, by=keeper_of(game, "Anna"))

    assert (fresh(game).halted, stage_of(game), open_round(game).draft) == (halted, stage, draft)
    entry = game.entries.latest("version")
    assert (entry.kind, entry.label, entry.payload) == (halted, "Anna", {})
    assert differences_of(game.pk) == []

    go_on(game, by=OPERATOR)

    assert (fresh(game).halted, stage_of(game), open_round(game).draft) == ("", stage, draft)
    assert game.entries.latest("version").kind == ("resumed" if halted == "paused" else "restored")
    assert differences_of(game.pk) == []
    record_tricks(game, taken=dict(zip(seat_ids(game), [2, 0, 0], strict=True)), seen=seen_of(game), by=OPERATOR)


@pytest.mark.parametrize("halted", HALTS)
def test_halted_game_takes_no_entry(halted):
    game = make_game(seats=3, rounds=1)
    seats, seen, newest = seat_ids(game), seen_of(game), newest_of(game)
    zeros = dict.fromkeys(seats, 0)
    scored = game.rounds.get(number=1)
    HALTS[halted][0](game, by=OPERATOR)
    for verb, arguments in (
        (record_bids, {"bids": zeros, "seen": seen}),
        (record_tricks, {"taken": zeros, "seen": seen}),
        (record_round, {"bids": zeros, "taken": zeros, "seen": seen}),
        (note_trump, {"number": 2, "trump": "R"}),
        (step_back, {"undoes": newest}),
        (save_draft, {"draft": {}, "seen": seen}),
        (correct_round, {"number": 1, "values": RoundValues(zeros, zeros), "seen": scored.changed_version}),
        (adjust_points, {"seat": seats[0], "points": 5, "reason": "Bonus"}),
        (rename_seat, {"seat": seats[0], "name": "Zoe"}),
        (pause, {}),
        (end_early, {}),
    ):
        refused("halted", verb, game, by=OPERATOR, **arguments)


def test_halted_finished_game_can_be_voided_and_restored_only():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    for verb in (pause, abandon, end_early):
        refused("is_finished", verb, game, by=OPERATOR)
    void(game, by=OPERATOR, reason="Cards were missing")
    assert (fresh(game).state, fresh(game).halted) == ("finished", "voided")
    refused("halted", reopen, game, by=OPERATOR)
    refused("not_finished", rematch, game, by=OPERATOR)
    restore(game, by=OPERATOR)
    assert fresh(game).is_finished
    assert differences_of(game.pk) == []


def test_halting_refuses_what_does_not_fit():
    game = make_game(seats=3)
    refused("not_halted", resume, game, by=OPERATOR)
    refused("not_halted", restore, game, by=OPERATOR)
    refused("reason_missing", void, game, rules.RulesError, by=OPERATOR, reason=" ")
    refused("reason_too_long", void, game, rules.RulesError, by=OPERATOR, reason="x" * 501)
    refused("reason_too_long", abandon, game, rules.RulesError, by=OPERATOR, reason="x" * 501)
    pause(game, by=OPERATOR)
    refused("not_halted", restore, game, by=OPERATOR)
    abandon(game, by=OPERATOR)
    refused("halted", void, game, by=OPERATOR, reason="Wrong table")
    refused("halted", abandon, game, by=OPERATOR)
    refused("not_halted", resume, game, by=OPERATOR)
    for verb, arguments in (
        (pause, {}),
        (resume, {}),
        (abandon, {}),
        (void, {"reason": "x"}),
        (restore, {}),
        (end_early, {}),
    ):
        with pytest.raises(PermissionDenied):
            verb(game, by=watcher_of(game), **arguments)


def test_halting_is_safe_to_repeat():
    game = make_game(seats=3)
    pause(game, by=OPERATOR, key="once")
    assert pause(game, by=OPERATOR, key="once").repeated
    resume(game, by=OPERATOR, key="again")
    assert resume(game, by=OPERATOR, key="again").repeated
    assert fresh(game).version == 3


def test_game_ended_early_is_finished_and_incomplete():
    game = make_game(seats=3, rounds=2, length=5)
    enter_bids(game)

    end_early(game, by=OPERATOR, reason="Last train")

    stored = fresh(game)
    assert (stored.state, stored.incomplete, stored.rounds.count()) == ("finished", True, 2)
    assert stored.finished_at is not None
    sheet = sheet_of(stored)
    assert (sheet.current, sheet.undo, sheet.block.winners) == (None, None, (0,))
    assert differences_of(game.pk) == []
    refused("nothing_to_undo", step_back, game, by=OPERATOR, undoes=newest_of(game))


def test_game_ended_early_goes_on_with_the_next_round():
    game = make_game(seats=3, rounds=2, length=5)
    dealer = open_round(game).dealer_id
    end_early(game, by=OPERATOR)

    reopen(game, by=OPERATOR, reason="The train was late")

    stored = fresh(game)
    assert (stored.state, stored.incomplete, stored.finished_at) == ("bidding", False, None)
    assert (open_round(game).number, open_round(game).dealer_id) == (3, dealer)
    play_round(game)
    assert differences_of(game.pk) == []


def test_rematch_after_an_early_end_is_dealt_by_the_next_seat():
    game = make_game(seats=3, rounds=2, length=9)
    end_early(game, by=OPERATOR)
    assert rematch(game, by=OPERATOR).game.first_dealer == 2


def test_ending_early_needs_a_scored_round():
    game = make_game(seats=3)
    refused("nothing_scored", end_early, game, by=OPERATOR)
    enter_bids(game)
    refused("nothing_scored", end_early, game, by=OPERATOR)
    play = make_game(seats=3, rounds=1)
    refused("reason_too_long", end_early, play, rules.RulesError, by=OPERATOR, reason="x" * 501)
    end_early(play, by=OPERATOR, key="once")
    assert end_early(play, by=OPERATOR, key="once").repeated
    refused("is_finished", end_early, play, by=OPERATOR)


def test_repair_restores_halted_and_incomplete_games():
    game = make_game(seats=3, rounds=1, length=4)
    end_early(game, by=OPERATOR)
    void(game, by=OPERATOR, reason="Wrong table")
    type(game).objects.filter(pk=game.pk).update(halted="", incomplete=False)
    assert differences_of(game.pk) != []
    rewrite(game.pk)
    assert differences_of(game.pk) == []
    assert (fresh(game).halted, fresh(game).incomplete) == ("voided", True)
