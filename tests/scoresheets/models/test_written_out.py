"""Rows read with statements written out: the very ones that the manager reads, of the same types."""

import gc
from threading import Thread
from weakref import ref

import pytest
from django.db import DEFAULT_DB_ALIAS, connections, models

from scoresheets.models import Bid, Club, Entry, Game, Membership, Round, Season, Seat
from scoresheets.models.written_out import read_all, read_joined, read_one, read_pairs
from tests.scoresheets.clubs import club_game, make_club
from tests.scoresheets.factories import enter_bids, play_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    club = make_club("Runde 100 %", locks_after=24)
    Season.objects.create(club=club, name="Winter", starts_on="2026-01-01")
    game = club_game(club, length=2)
    play_round(game)
    enter_bids(game)
    return game


def values_of(row: models.Model) -> dict[str, tuple[object, type]]:
    """Return a row's values by the names of their fields, with their types."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return {name: (value, type(value)) for name, value in values.items()}


@pytest.mark.parametrize("model", [Bid, Club, Entry, Game, Membership, Round, Season, Seat])
def test_the_rows_are_those_of_the_manager(model, game, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = read_all(model, "ORDER BY id", [])

    assert found
    assert [values_of(row) for row in found] == [values_of(row) for row in model.objects.order_by("pk")]
    assert not any(row._state.adding or row.get_deferred_fields() for row in found)


def test_a_row_can_be_saved_again(game):
    found = read_one(Game, "WHERE id = %s", [game.pk])

    found.version += 1
    found.save(update_fields=["version"])

    assert Game.objects.get(pk=game.pk).version == found.version


def test_values_are_not_part_of_the_statement(game):
    assert read_one(Club, "WHERE name = %s", ["Runde 100 %"]) == game.club
    assert read_one(Club, "WHERE name = %s", ["' OR ''='"]) is None


def test_more_columns_follow_the_row(game):
    source = "scoresheets_seat JOIN scoresheets_game game ON game.id = scoresheets_seat.game_id ORDER BY position"

    found = list(read_joined(Seat, ", game.version, game.id", source, []))

    assert [seat for seat, _more in found] == list(game.seats.order_by("position"))
    assert {more for _seat, more in found} == {(Game.objects.get().version, game.pk)}


def test_rows_of_two_tables_are_read_side_by_side(game, django_assert_num_queries):
    source = (
        "scoresheets_bid JOIN scoresheets_round ON scoresheets_round.id = scoresheets_bid.round_id"
        " WHERE scoresheets_round.number = %s ORDER BY scoresheets_bid.id"
    )

    with django_assert_num_queries(1):
        found = read_pairs(Bid, Round, source, [1])

    bids = game.rounds.get(number=1).bids.order_by("pk")
    assert [values_of(bid) for bid, _round in found] == [values_of(bid) for bid in bids]
    assert [values_of(one) for _bid, one in found] == [values_of(bid.round) for bid in bids]


@pytest.mark.django_db(transaction=True)
def test_the_connection_of_a_thread_goes_with_it():
    opened = []

    def read():
        read_all(Club, "", [])
        opened.append(ref(connections[DEFAULT_DB_ALIAS]))
        connections.close_all()

    thread = Thread(target=read)
    thread.start()
    thread.join()
    del thread
    gc.collect()

    assert [connection() for connection in opened] == [None]
