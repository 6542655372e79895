"""JSON in columns of text: what comes back is what went in, and the database holds what `json.dumps` writes."""

from __future__ import annotations

import json

import pytest
from django.db import connection

from scoresheets.models import Game, Seat
from tests.scoresheets.factories import make_game, seats_of

pytestmark = pytest.mark.django_db


def stored(table: str, column: str, pk: int) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table} WHERE id = %s", [pk])
        (value,) = cursor.fetchone()
    return value


@pytest.mark.parametrize("value", [[], [[1, 1, 30], None, [0, 2, -20, 1, 0]], {"a": ["ü", None, True, 1.5]}, "text", 7])
def test_text_comes_back_as_it_was_however_it_was_written(value: object):
    game = make_game()
    seats = seats_of(game)
    seats[0].line = value
    seats[0].save(update_fields=["line"])
    Seat.objects.filter(pk=seats[1].pk).update(line=value)
    seats[2].line = value
    Seat.objects.bulk_update([seats[2]], ["line"])
    for seat in seats[:3]:
        assert Seat.objects.get(pk=seat.pk).line == value
        assert stored("scoresheets_seat", "line", seat.pk) == json.dumps(value)


def test_a_plan_is_found_by_its_value():
    game = make_game()
    assert list(Game.objects.filter(plan=game.plan)) == [game]
    assert not Game.objects.filter(plan=[*game.plan, 1]).exists()
    assert stored("scoresheets_game", "plan", game.pk) == json.dumps(game.plan)
