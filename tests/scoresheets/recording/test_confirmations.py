"""Confirming a game: who counts, when it is whole, and what withdraws it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from scoresheets.actors import OPERATOR
from scoresheets.models import Entry, Game
from scoresheets.queries.clubs import confirmation_of
from scoresheets.recording import (
    Conflict,
    abandon,
    adjust_points,
    confirm,
    merge_players,
    pause,
    rename_seat,
    reopen,
    restore,
    step_back,
    void,
)
from scoresheets.recording.repair import differences_of
from tests.scoresheets.clubs import add, club_game, finished, make_club, member_of, owner_of, player_of, refused, stored
from tests.scoresheets.factories import fresh, keeper_of, make_game, newest_of, seat_ids

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club("Runde", owner="Olga")


@pytest.fixture
def table(club):
    """A finished game of Anna, Bernd and somebody without an account, recorded by the operator."""
    anna, bernd = member_of(club, "member", "Anna"), member_of(club, "scorer", "Bernd")
    game = finished(club, [player_of(anna, club, "Anna"), player_of(bernd, club, "Bernd"), *add(club, "Cem")])
    return game, anna, bernd


def test_game_is_confirmed_once_every_account_at_the_table_has(table):
    game, anna, bernd = table
    seen = game.version

    confirm(game, seen=seen, by=anna)
    assert (fresh(game).is_confirmed, fresh(game).is_closed) == (False, False)
    confirm(game, seen=seen, by=bernd)

    assert (fresh(game).is_confirmed, fresh(game).is_closed) == (True, True)
    entries = game.entries.filter(kind=Entry.Kind.CONFIRMED).order_by("version")
    assert [(entry.user, entry.payload) for entry in entries] == [
        (anna.user, {"seat": seat_ids(game)[0], "whole": False}),
        (bernd.user, {"seat": seat_ids(game)[1], "whole": True}),
    ]
    assert differences_of(game.pk) == []


def test_manager_confirms_alone_and_may_have_written_it(club):
    manager = member_of(club, "manager")
    game = finished(club, [player_of(manager, club, "Anna"), player_of(member_of(club), club, "Bernd")])
    adjust_points(game, seat=seat_ids(game)[0], points=5, reason="x", by=manager)

    confirm(game, seen=newest_of(game), by=manager)

    assert fresh(game).is_confirmed is True


def test_whoever_wrote_the_sheet_is_not_asked_again(table):
    game, anna, bernd = table
    adjust_points(game, seat=seat_ids(game)[0], points=5, reason="x", by=bernd)
    seen = newest_of(game)

    refused(Conflict, "wrote_it", confirm, game, seen=seen, by=bernd)
    confirm(game, seen=seen, by=anna)

    assert fresh(game).is_confirmed is True


def test_game_nobody_else_can_confirm_waits_for_a_manager(club):
    bernd = member_of(club, "scorer", "Bernd")
    game = finished(club, [player_of(bernd, club, "Bernd")])
    adjust_points(game, seat=seat_ids(game)[0], points=5, reason="x", by=bernd)

    refused(Conflict, "wrote_it", confirm, game, seen=newest_of(game), by=bernd)
    confirm(game, seen=newest_of(game), by=owner_of(club))

    assert fresh(game).is_confirmed is True


def test_account_of_a_player_kept_confirms_the_seat_of_the_duplicate(club):
    (twin,) = add(club, "Anni")
    game = finished(club, [twin])
    anna = member_of(club, "member", "Anna")
    merge_players(player_of(anna, club, "Anna"), twin, by=owner_of(club))

    confirm(game, seen=game.version, by=anna)

    assert fresh(game).is_confirmed is True


def test_confirmations_that_cannot_be(club, table):
    game, anna, _bernd = table
    seen, running = game.version, club_game(club, [], length=2)
    halted = finished(club)
    void(halted, reason="x", by=OPERATOR)

    for nobody in (member_of(club), member_of(club, "scorer"), keeper_of(game), owner_of(make_club("Andere"))):
        refused(PermissionDenied, "", confirm, game, seen=seen, by=nobody)
    quick = make_game(seats=3, rounds=1, length=1)
    refused(PermissionDenied, "", confirm, quick, seen=quick.version, by=OPERATOR)
    refused(Conflict, "not_finished", confirm, running, seen=running.version, by=OPERATOR)
    refused(Conflict, "halted", confirm, halted, seen=newest_of(halted), by=OPERATOR)
    refused(Conflict, "stale", confirm, game, seen=seen - 1, by=anna)
    confirm(game, seen=seen, by=anna)
    refused(Conflict, "already_confirmed", confirm, game, seen=newest_of(game), by=anna)
    confirm(game, seen=seen, by=owner_of(club))
    refused(Conflict, "already_confirmed", confirm, game, seen=newest_of(game), by=owner_of(club))


def test_confirming_with_the_same_key_confirms_once(table):
    game, anna, _bernd = table
    confirm(game, seen=game.version, by=anna, key="k")
    before = stored()

    assert confirm(game, seen=game.version, by=anna, key="k").repeated is True
    assert stored() == before
    refused(Conflict, "key_reused", confirm, game, seen=game.version + 1, by=anna, key="k")


def test_change_withdraws_the_confirmations(club, table):
    game, anna, bernd = table
    seats, manager = seat_ids(game), member_of(club, "manager")
    for by in (anna, bernd):
        confirm(game, seen=newest_of(game), by=by)
    adjust_points(game, seat=seats[0], points=5, reason="x", by=manager)
    assert fresh(game).is_confirmed is False

    for by in (anna, bernd):
        confirm(game, seen=newest_of(game), by=by)

    assert fresh(game).is_confirmed is True
    assert differences_of(game.pk) == []


@pytest.mark.parametrize("closed_by", ["a confirmation", "time"])
def test_closed_game_is_changed_by_managers_alone(closed_by, club):
    game = finished(club)
    keeper, scorer = keeper_of(game), member_of(club, "scorer")
    if closed_by == "time":
        type(club).objects.filter(pk=club.pk).update(locks_after=1)
        Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(hours=1))
    else:
        confirm(game, seen=game.version, by=owner_of(club))
    seat = seat_ids(game)[0]

    for by in (keeper, scorer):
        refused(PermissionDenied, "", reopen, game, by=by)
        refused(PermissionDenied, "", step_back, game, undoes=newest_of(game), by=by)
        refused(PermissionDenied, "", adjust_points, game, seat=seat, points=5, reason="x", by=by)
        refused(PermissionDenied, "", rename_seat, game, seat=seat, name="X", reason="x", by=by)
        refused(PermissionDenied, "", void, game, reason="x", by=by)
        refused(PermissionDenied, "", pause, game, by=by)
        refused(PermissionDenied, "", abandon, game, by=by)
        refused(PermissionDenied, "", restore, game, by=by)
    reopen(game, by=member_of(club, "manager"))

    assert (fresh(game).is_finished, fresh(game).is_closed) == (False, False)
    assert differences_of(game.pk) == []


def test_where_a_confirmation_stands(club, table):
    game, anna, bernd = table
    type(club).objects.filter(pk=club.pk).update(locks_after=48)
    first, second, _third = seat_ids(game)

    before = confirmation_of(fresh(game))
    confirm(game, seen=game.version, by=anna)
    between = confirmation_of(fresh(game))
    confirm(game, seen=game.version, by=bernd)
    after = confirmation_of(fresh(game))

    assert [[seat.pk for seat in stand.awaited] for stand in (before, between, after)] == [
        [first, second],
        [second],
        [],
    ]
    assert [[entry.user for entry in stand.confirmed] for stand in (before, between, after)] == [
        [],
        [anna.user],
        [anna.user, bernd.user],
    ]
    assert [stand.is_confirmed for stand in (before, between, after)] == [False, False, True]
    assert (after.wrote.version, after.is_locked) == (game.version, False)
    assert after.locks_at == game.finished_at + timedelta(hours=48)
    assert confirmation_of(club_game(club)) is None
    assert confirmation_of(make_game(seats=3, rounds=1, length=1)) is None
