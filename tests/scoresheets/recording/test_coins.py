"""Coins of the round being played: what each leaves in the draft, and what is refused without writing."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import (
    Conflict,
    lay_coin,
    pause,
    record_bids,
    record_round,
    resume,
    save_draft,
    step_back,
    take_back_coin,
)
from scoresheets.recording.repair import differences_of
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    enter_bids,
    enter_tricks,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    open_round,
    refused,
    rows_of,
    seat_ids,
    seen_of,
    watcher_of,
)
from tests.scoresheets.recording.test_races import in_short, race

pytestmark = pytest.mark.django_db

SECRET = rules.HouseRules(secret_bids=True)


def playing(seats: int = 3, rounds: int = 2, **options) -> Game:
    """Return a game whose tricks are due; in round 3 there are three."""
    game = make_game(seats=seats, rounds=rounds, **options)
    enter_bids(game)
    return fresh(game)


def lay(game: Game, *places: int | None) -> None:
    """Lay the next coins, each by the place of its seat, None for a bombed trick."""
    seats = seat_ids(game)
    for place in places:
        seat = None if place is None else seats[place]
        lay_coin(game, trick=len(coins_of(game)) + 1, seat=seat, seen=seen_of(game), by=OPERATOR)


def coins_of(game: Game) -> list[int | None]:
    return open_round(game).draft.get("coins", [])


def test_coin_lies_in_the_draft_alone():
    game = playing()
    before, seats = rows_of(game), seat_ids(game)

    outcome = lay_coin(game, trick=1, seat=seats[1], seen=seen_of(game), by=keeper_of(game))
    lay(game, 2)

    assert (outcome.repeated, outcome.game.touched) == (False, game.touched + 1)
    assert open_round(game).draft == {"coins": [seats[1], seats[2]]}
    after = rows_of(game)
    assert (fresh(game).version, fresh(game).touched) == (game.version, game.touched + 2)
    for rows in ("seats", "bids", "entries", "receipts"):
        assert after[rows] == before[rows]


def test_same_coin_again_is_a_repeat():
    game = playing()
    lay(game, 1, 0)
    before, seats = rows_of(game), seat_ids(game)

    outcomes = [
        lay_coin(game, trick=trick, seat=seats[place], seen=seen_of(game), by=OPERATOR)
        for trick, place in ((1, 1), (2, 0))
    ]

    assert [outcome.repeated for outcome in outcomes] == [True, True]
    assert rows_of(game) == before


@pytest.mark.parametrize(("trick", "place"), [(1, 0), (2, 1), (1, None)])
def test_other_coin_on_a_trick_that_is_counted_is_refused(trick, place):
    game = playing(house=BOMB_AND_CLOUD)
    lay(game, 1, 0)
    seat = None if place is None else seat_ids(game)[place]

    refused(Conflict, "trick_taken", lay_coin, game, trick=trick, seat=seat, seen=seen_of(game), by=OPERATOR)


@pytest.mark.parametrize("trick", [-1, 0, 3, 10**17])
def test_coins_are_laid_in_the_order_of_play(trick):
    game = playing()
    lay(game, 1)
    seat = seat_ids(game)[0]

    refused(Conflict, "stale", lay_coin, game, trick=trick, seat=seat, seen=seen_of(game), by=OPERATOR)


def test_there_are_no_more_coins_than_cards():
    game = playing()
    lay(game, 0, 1, 2)
    seat = seat_ids(game)[0]

    refused(Conflict, "no_trick_left", lay_coin, game, trick=4, seat=seat, seen=seen_of(game), by=OPERATOR)


def test_coin_of_nobody_at_this_table_is_refused():
    game, other = playing(), playing()

    for seat in (seat_ids(other)[0], 10**17, 0):
        refused(Conflict, "seat_unknown", lay_coin, game, trick=1, seat=seat, seen=seen_of(game), by=OPERATOR)


def test_bombed_trick_lies_once_where_the_bomb_is_in_the_game():
    game, plain = playing(house=BOMB_AND_CLOUD), playing()
    lay(game, 0, None)

    assert coins_of(game) == [seat_ids(game)[0], None]
    assert lay_coin(game, trick=2, seat=None, seen=seen_of(game), by=OPERATOR).repeated
    for refusing, code, trick in ((plain, "bomb_not_in_deck", 1), (game, "too_many_bombs", 3)):
        arguments = {"trick": trick, "seat": None, "seen": seen_of(refusing), "by": OPERATOR}
        refused(rules.RulesError, code, lay_coin, refusing, **arguments)


def test_newest_coin_is_taken_back_and_one_that_is_gone_is_a_repeat():
    game = playing()
    lay(game, 1, 0)

    first = take_back_coin(game, trick=2, seen=seen_of(game), by=keeper_of(game))
    before = rows_of(game)
    again = take_back_coin(game, trick=2, seen=seen_of(game), by=OPERATOR)

    assert (first.repeated, again.repeated) == (False, True)
    assert rows_of(game) == before
    assert coins_of(game) == [seat_ids(game)[1]]


@pytest.mark.parametrize("trick", [-1, 0, 1, 4])
def test_only_the_newest_coin_is_taken_back(trick):
    game = playing()
    lay(game, 1, 0)

    refused(Conflict, "stale", take_back_coin, game, trick=trick, seen=seen_of(game), by=OPERATOR)


def test_where_no_coin_lies_none_is_taken_back():
    game = playing()

    refused(Conflict, "stale", take_back_coin, game, trick=0, seen=seen_of(game), by=OPERATOR)
    assert take_back_coin(game, trick=1, seen=seen_of(game), by=OPERATOR).repeated


def test_coins_of_another_stage_are_stale():
    game = playing()
    seen, seat = seen_of(game), seat_ids(game)[0]
    lay(game, 0)

    for wrong in (seen - 1, seen + 1):
        refused(Conflict, "stale", lay_coin, game, trick=2, seat=seat, seen=wrong, by=OPERATOR)
        refused(Conflict, "stale", take_back_coin, game, trick=1, seen=wrong, by=OPERATOR)
    enter_tricks(game)
    for verb, arguments in ((lay_coin, {"trick": 2, "seat": seat}), (take_back_coin, {"trick": 1})):
        refused(Conflict, "stale", verb, game, **arguments, seen=seen, by=OPERATOR)


def test_coins_wait_for_the_bids_unless_they_are_secret():
    spoken, secret = make_game(seats=3), make_game(seats=3, house=SECRET, ladder="free", cards=[2, 2])
    arguments = {"trick": 1, "by": OPERATOR}

    refused(Conflict, "stale", lay_coin, spoken, seat=seat_ids(spoken)[0], seen=seen_of(spoken), **arguments)
    lay(secret, 1, 0)

    seats = seat_ids(secret)
    assert coins_of(secret) == [seats[1], seats[0]]
    bids, taken = dict.fromkeys(seats, 0), {seats[0]: 1, seats[1]: 1, seats[2]: 0}
    record_round(secret, bids=bids, taken=taken, seen=seen_of(secret), by=OPERATOR)
    assert [row.draft for row in secret.rounds.order_by("number")] == [{}, {}]


def test_secret_bids_that_stand_do_not_end_the_coins():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[2])
    lay(game, 1)
    record_bids(game, bids=dict.fromkeys(seat_ids(game), 1), seen=seen_of(game), by=OPERATOR)

    lay(game, 2)

    assert (open_round(game).state, coins_of(game)) == ("playing", seat_ids(game)[1:])


def test_watchers_and_halted_games_lay_no_coins():
    game = playing()
    lay(game, 0)
    arguments = {"seen": seen_of(game)}

    before = rows_of(game)
    watcher = watcher_of(game)
    for verb, more in ((lay_coin, {"trick": 2, "seat": None}), (take_back_coin, {"trick": 1})):
        with pytest.raises(PermissionDenied):
            verb(game, **more, **arguments, by=watcher)
    assert {**rows_of(game), "links": []} == {**before, "links": []}

    pause(game, by=OPERATOR)
    refused(Conflict, "halted", lay_coin, game, trick=2, seat=seat_ids(game)[0], **arguments, by=OPERATOR)
    refused(Conflict, "halted", take_back_coin, game, trick=1, **arguments, by=OPERATOR)
    resume(game, by=OPERATOR)
    lay(game, 1)
    assert len(coins_of(game)) == 2


def test_draft_by_somebody_who_has_not_seen_the_coin_takes_none_away():
    game = playing()
    stale = dict(open_round(game).draft)
    lay(game, 1)

    save_draft(game, draft={**stale, "taken": {"1": 1}}, seen=seen_of(game), by=OPERATOR)
    assert open_round(game).draft == {"taken": {"1": 1}, "coins": [seat_ids(game)[1]]}

    take_back_coin(game, trick=1, seen=seen_of(game), by=OPERATOR)
    save_draft(game, draft={"coins": [1, 2, 3]}, seen=seen_of(game), by=OPERATOR)
    assert open_round(game).draft == {}


def test_next_coin_makes_the_tally_count_and_keeps_what_was_entered_by_hand():
    game = playing()
    lay(game, 1)
    entered = {"taken": {str(seat_ids(game)[0]): 2}, "clouds": {}}
    save_draft(game, draft={**entered, "by_hand": True}, seen=seen_of(game), by=OPERATOR)

    lay(game, 2)
    assert open_round(game).draft == {**entered, "coins": seat_ids(game)[1:]}

    for trick in (2, 1):
        take_back_coin(game, trick=trick, seen=seen_of(game), by=OPERATOR)
    assert open_round(game).draft == entered


def test_taking_back_a_coin_leaves_the_entry_by_hand_in_force():
    game = playing()
    lay(game, 1, 2)
    save_draft(game, draft={"by_hand": True, "taken": {}}, seen=seen_of(game), by=OPERATOR)

    take_back_coin(game, trick=2, seen=seen_of(game), by=OPERATOR)
    assert open_round(game).draft == {"by_hand": True, "taken": {}, "coins": [seat_ids(game)[1]]}

    take_back_coin(game, trick=1, seen=seen_of(game), by=OPERATOR)
    assert open_round(game).draft == {"taken": {}}


def test_tricks_clear_the_coins_and_taking_them_back_brings_none():
    game = playing()
    lay(game, 0, 0, 0)

    enter_tricks(game)
    assert [row.draft for row in game.rounds.order_by("number")] == [{}, {}, {}, {}]
    step_back(game, undoes=newest_of(game), by=OPERATOR)

    assert coins_of(game) == []
    assert open_round(game).draft["taken"][str(seat_ids(game)[0])] == 3
    assert differences_of(game.pk) == []


def test_coins_outlast_bids_that_are_taken_back_and_made_again():
    """A wrong bid noticed while the round is played does not take away what was counted."""
    game = playing()
    lay(game, 0, 2)

    step_back(game, undoes=newest_of(game), by=OPERATOR)
    refused(
        Conflict, "stale", lay_coin, game, trick=3, seat=seat_ids(game)[0], seen=seen_of(game), by=OPERATOR
    )  # nobody plays while bids are missing
    enter_bids(game, [1, 1, 0])

    seats = seat_ids(game)
    assert coins_of(game) == [seats[0], seats[2]]
    lay(game, 0)
    assert coins_of(game) == [seats[0], seats[2], seats[0]]


@pytest.mark.django_db(transaction=True)
def test_many_phones_at_once_count_a_trick_once():
    game = playing(seats=6)
    seats, seen = seat_ids(game), seen_of(game)
    keepers = [keeper_of(game) for _ in seats]
    touched = fresh(game).touched

    ended = race(
        [
            lambda seat=seat, by=by: lay_coin(game, trick=1, seat=seat, seen=seen, by=by)
            for seat, by in zip(seats, keepers, strict=True)
        ]
    )
    assert in_short(ended) == ["trick_taken"] * 5 + ["won"]
    assert (len(coins_of(game)), fresh(game).touched) == (1, touched + 1)

    ended = race([lambda by=by: lay_coin(game, trick=2, seat=seats[0], seen=seen, by=by) for by in keepers])
    assert in_short(ended) == ["repeated"] * 5 + ["won"]
    assert coins_of(game)[1:] == [seats[0]]

    ended = race([lambda by=by: take_back_coin(game, trick=2, seen=seen, by=by) for by in keepers])
    assert in_short(ended) == ["repeated"] * 5 + ["won"]
    assert len(coins_of(game)) == 1
