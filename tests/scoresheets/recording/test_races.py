"""Several people write at the same moment: one wins, the others are told, and the rows agree with the journal.

Each writer is a thread with a connection of its own, and all start together; nothing depends on who is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection

import rules
from scoresheets.models import Bid, Game
from scoresheets.recording import (
    Conflict,
    correct_results,
    make_link,
    record_bids,
    record_results,
    record_tricks,
    rematch,
    reopen,
    save_draft,
    start_game,
    step_back,
)
from scoresheets.recording.repair import differences_of
from tests.scoresheets.factories import (
    DEVICE,
    NAMES,
    enter_bids,
    finished_game,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    open_round,
    seat_ids,
    seen_of,
)

WRITERS = 6
ONE_WINS = ["stale"] * (WRITERS - 1) + ["won"]

#: Row locks on PostgreSQL, the one writer's lock of the whole file on SQLite.
pytestmark = pytest.mark.django_db(transaction=True)


def race(writes: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all writes at the same moment; return what each returned, or the code of its conflict."""
    together = Barrier(len(writes))
    ended: list[Any] = [None] * len(writes)

    def run(place: int) -> None:
        connection.ensure_connection()
        together.wait(timeout=30)
        try:
            ended[place] = writes[place]()
        except Conflict as conflict:
            ended[place] = conflict.code
        except Exception as broken:
            ended[place] = repr(broken)
        finally:
            connection.close()

    threads = [Thread(target=run, args=(place,)) for place in range(len(writes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return ended


def in_short(ended: Sequence[Any]) -> list[str]:
    """Return "won", "repeated" or the conflict's code of each, sorted."""
    return sorted(end if isinstance(end, str) else "repeated" if end.repeated else "won" for end in ended)


def test_one_of_many_bids_on_one_seat_wins():
    game = make_game(seats=3, rounds=5)
    first, seen = seat_ids(game)[0], seen_of(game)
    keepers = [keeper_of(game) for _ in range(WRITERS)]

    ended = race(
        [
            lambda bid=bid: record_bids(game, bids={first: bid}, seen=seen, by=keepers[bid], key="k")
            for bid in range(WRITERS)
        ]
    )

    assert in_short(ended) == ["already_bid"] * (WRITERS - 1) + ["won"]
    (won,) = [place for place, end in enumerate(ended) if not isinstance(end, str)]
    assert open_round(game).bids.get().tricks_bid == won
    assert differences_of(game.pk) == []


def test_bids_on_different_seats_all_win():
    game = make_game(seats=6)
    seats, seen = seat_ids(game), seen_of(game)
    keepers = [keeper_of(game) for _ in seats]

    ended = race(
        [
            lambda place=place: record_bids(game, bids={seats[place]: 0}, seen=seen, by=keepers[place])
            for place in range(6)
        ]
    )

    assert in_short(ended) == ["won"] * 6
    assert (fresh(game).state, fresh(game).version, Bid.objects.count()) == ("playing", 7, 6)
    assert sorted(end.game.version for end in ended) == [2, 3, 4, 5, 6, 7]
    assert differences_of(game.pk) == []


def test_one_of_two_last_bids_that_would_add_up_together_is_refused():
    """Plus/minus one is judged under the lock: two bids that are each allowed alone must not slip through together."""
    game = make_game(seats=3, rounds=1, house=rules.HouseRules(plus_minus_one=True))
    seats, seen, keeper = seat_ids(game), seen_of(game), keeper_of(game)
    record_bids(game, bids={seats[2]: 0}, seen=seen, by=keeper)

    ended = race(
        [lambda place=place: record_bids(game, bids={seats[place]: 1}, seen=seen, by=keeper) for place in (0, 1)]
    )

    refused = [end for end in ended if isinstance(end, str)]
    assert [end.split("(")[0] for end in refused] == ["RulesError"]
    assert open_round(game).bids.count() == 2
    assert differences_of(game.pk) == []


def test_one_of_many_scores_of_one_round_wins():
    game = make_game(seats=3, rounds=4)
    enter_bids(game)
    seats, seen = seat_ids(game), seen_of(game)
    keepers = [keeper_of(game) for _ in range(WRITERS)]

    ended = race(
        [
            lambda tricks=tricks: record_tricks(
                game, taken={seats[0]: tricks, seats[1]: 5 - tricks, seats[2]: 0}, seen=seen, by=keepers[tricks]
            )
            for tricks in range(WRITERS)
        ]
    )

    assert in_short(ended) == ONE_WINS
    (won,) = [tricks for tricks, end in enumerate(ended) if not isinstance(end, str)]
    assert Bid.objects.get(round__game=game, round__number=5, seat=seats[0]).tricks_taken == won
    assert (open_round(game).number, game.rounds.count()) == (6, 6)
    assert differences_of(game.pk) == []


def test_double_tap_scores_once_and_both_get_the_answer():
    game = make_game(seats=3, rounds=4)
    enter_bids(game)
    taken = dict(zip(seat_ids(game), (5, 0, 0), strict=True))
    seen, keeper = seen_of(game), keeper_of(game)

    ended = race([lambda: record_tricks(game, taken=taken, seen=seen, by=keeper, key="k") for _ in range(WRITERS)])

    assert in_short(ended) == ["repeated"] * (WRITERS - 1) + ["won"]
    assert {end.game.version for end in ended} == {fresh(game).version}
    assert differences_of(game.pk) == []


def test_one_of_many_steps_back_wins():
    game = make_game(seats=3, rounds=3)
    undoes, keeper = newest_of(game), keeper_of(game)

    ended = race([lambda: step_back(game, undoes=undoes, by=keeper) for _ in range(WRITERS)])

    assert in_short(ended) == ONE_WINS
    assert (open_round(game).number, open_round(game).state) == (3, "playing")
    assert differences_of(game.pk) == []


def test_one_of_many_corrections_of_results_stands():
    game = record_results(NAMES[:3], (10, 20, 30), by=DEVICE).game
    keeper = keeper_of(game)

    def write(points: int) -> Any:
        return correct_results(game.pk, (points, 0, 0), seen=2, reason="Misread", by=keeper)

    ended = race([lambda points=points: write(points) for points in range(WRITERS)])

    assert in_short(ended) == ONE_WINS
    (won,) = [points for points, end in enumerate(ended) if not isinstance(end, str)]
    assert [seat.total for seat in game.seats.order_by("position")] == [won, 0, 0]
    assert (newest_of(game), differences_of(game.pk)) == (3, [])


def test_results_sent_twice_at_once_are_one_game():
    ended = race([lambda: record_results(NAMES[:3], (1, 2, 3), by=DEVICE, key="k") for _ in range(WRITERS)])

    assert len({(started.game.pk, started.secret) for started in ended}) == 1
    assert Game.objects.count() == 1


def test_tricks_and_step_back_at_once_leave_one_of_the_two():
    game = make_game(seats=3, rounds=3)
    enter_bids(game)
    taken = dict(zip(seat_ids(game), (4, 0, 0), strict=True))
    seen, undoes, keeper = seen_of(game), newest_of(game), keeper_of(game)

    ended = race(
        [
            lambda: record_tricks(game, taken=taken, seen=seen, by=keeper),
            lambda: step_back(game, undoes=undoes, by=keeper),
            lambda: save_draft(game, draft={"taken": {}}, seen=seen, by=keeper),
        ]
    )

    assert in_short(ended[:2]) == ["stale", "won"]
    assert differences_of(game.pk) == []


def test_start_of_a_game_with_one_key_starts_one_game():
    ended = race(
        [lambda: start_game(NAMES[:4], rules.HouseRules(), first_dealer=0, by=DEVICE, key="k") for _ in range(WRITERS)]
    )

    assert in_short(ended) == ["repeated"] * (WRITERS - 1) + ["won"]
    assert {(end.game.pk, end.secret) for end in ended} == {(Game.objects.get().pk, ended[0].secret)}
    assert Game.objects.get().links.count() == 1
    assert differences_of(Game.objects.get().pk) == []


def test_rematch_of_many_keepers_is_one_game():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    keepers = [keeper_of(game) for _ in range(WRITERS)]

    ended = race([lambda keeper=keeper: rematch(game, by=keeper, key="k") for keeper in keepers])

    assert in_short(ended) == ["won"] * WRITERS
    assert {end.game.pk for end in ended} == {Game.objects.get(rematch_of=game).pk}
    assert len({end.secret for end in ended}) == WRITERS
    assert Game.objects.get(rematch_of=game).links.count() == WRITERS


def test_reopening_and_rematch_at_once_leave_a_game_that_adds_up():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    keeper = keeper_of(game)

    ended = race([lambda: reopen(game, by=keeper), lambda: rematch(game, by=keeper)])

    assert in_short(ended) in (["won", "won"], ["not_finished", "won"])
    assert fresh(game).state == "playing"
    assert [differences_of(row.pk) for row in Game.objects.all()] == [[]] * Game.objects.count()


def test_link_made_with_one_key_is_one_link():
    game = make_game(seats=3)
    keeper = keeper_of(game)

    ended = race([lambda: make_link(game, scope="watch", by=keeper, key="k") for _ in range(WRITERS)])

    assert len(set(ended)) == 1
    assert game.links.filter(scope="watch").count() == 1


@pytest.mark.postgres
def test_games_do_not_wait_for_each_other():
    """A lock on one game's row is no lock on another's: a bid elsewhere is recorded while this one is held."""
    from django.db import transaction

    held, free = make_game(seats=3), make_game(seats=3)
    keeper, first, seen = keeper_of(free), seat_ids(free)[0], seen_of(free)

    with transaction.atomic():
        Game.objects.select_for_update().get(pk=held.pk)
        ended = race([lambda: record_bids(free, bids={first: 0}, seen=seen, by=keeper)])

    assert in_short(ended) == ["won"]
