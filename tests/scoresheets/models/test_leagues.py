"""Each named constraint on evenings, seasons and what belongs to them holds in the database itself, whoever writes."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from scoresheets.models import (
    Attendance,
    CalendarAddress,
    DrawnSeat,
    DrawnTable,
    Evening,
    Season,
    Standing,
    leagues,
)
from tests.scoresheets.clubs import add, finished, make_club
from tests.scoresheets.models.test_games import broken_constraint

pytestmark = pytest.mark.django_db

NOW = timezone.now()
NIGHT = date(2026, 12, 3)
#: Constraint -> which row is changed, to what.
ATTACKS = {
    "evening_closed_was_open": ("evening", {"opened_at": None, "closed_at": NOW}),
    "season_has_a_name": ("season", {"name": ""}),
    "season_ends_after_its_start": ("season", {"ends_on": date(2026, 8, 31)}),
    "season_formula_is_known": ("season", {"formula": "elo"}),
    "season_best_of_is_known": ("season", {"best_of": "weeks"}),
    "season_tie_rule_is_known": ("season", {"tie_rule": "dice"}),
    "season_best_is_at_least_1": ("season", {"best": 0}),
    "season_guests_is_known": ("season", {"guests": "loud"}),
    "standing_has_games": ("standing", {"games": 0, "wins": 0}),
    "standing_wins_not_above_games": ("standing", {"wins": 3}),
    "standing_exact_not_above_bids": ("standing", {"exact": 9}),
    "attendance_answer_is_known": ("attendance", {"answer": "soon"}),
    "attendance_answered_has_a_time": ("attendance", {"answered_at": None}),
    "drawn_table_is_numbered_from_1": ("table", {"number": 0}),
    "drawn_seat_sitting_is_numbered_from_1": ("seat", {"sitting": 0}),
    "drawn_seat_is_at_the_table_or_sits_out": ("seat", {"position": 6}),
    "calendar_address_has_a_nonce": ("address", {"nonce": ""}),
}
#: More ways to break the same ones.
MORE = [
    ("attendance_answered_has_a_time", "attendance", {"answer": ""}),
    ("drawn_table_is_numbered_from_1", "table", {"sitting": 0}),
    ("drawn_seat_is_at_the_table_or_sits_out", "seat", {"position": None}),
    ("drawn_seat_is_at_the_table_or_sits_out", "seat", {"table": None}),
]
#: Those that need a second row: the row, its fields that are taken over, and others.
DOUBLES = {
    "evening_one_open_a_club": ("evening", ["club", "opened_at"], {"night": date(2026, 12, 4), "starts_at": NOW}),
    "standing_once_a_season_and_player": (
        "standing",
        [field.name for field in Standing._meta.fields if field.name != "id"],
        {},
    ),
    "attendance_once_an_evening_and_player": ("attendance", ["evening", "player"], {}),
    "drawn_table_once_a_sitting": ("table", ["evening", "sitting", "number"], {}),
    "drawn_seat_once_a_sitting": ("seat", ["evening", "sitting", "player"], {}),
    "drawn_seat_position_once_a_table": ("seat", ["evening", "table", "position"], {}),
}


@pytest.fixture
def rows():
    """Return one row of each kind: an open evening with an answer and a drawn table, a season with a standing."""
    club = make_club("Runde")
    anna, bernd = add(club, "Anna", "Bernd")
    evening = Evening.objects.create(club=club, night=NIGHT, starts_at=datetime(2026, 12, 3, 19, tzinfo=UTC))
    Evening.objects.filter(pk=evening.pk).update(opened_at=NOW)
    evening.refresh_from_db()
    season = Season.objects.create(club=club, name="Winter", starts_on=date(2026, 9, 1))
    numbers = {"games": 2, "nights": 1, "wins": 1, "bids": 8, "exact": 4, "points": 60, "score": 1.0, "tie": 0.5}
    before = {"ranked_before": False, "score_before": 0.0, "tie_before": 0.0}
    table = DrawnTable.objects.create(evening=evening, sitting=1, number=1)
    DrawnSeat.objects.create(evening=evening, sitting=1, player=bernd)
    return {
        "evening": evening,
        "season": season,
        "standing": Standing.objects.create(
            season=season, player=anna, ranked=True, last_night=NIGHT, **numbers, **before
        ),
        "attendance": Attendance.objects.create(evening=evening, player=anna, answer="yes", answered_at=NOW),
        "table": table,
        "seat": DrawnSeat.objects.create(evening=evening, sitting=1, player=anna, table=table, position=0),
        "address": CalendarAddress.objects.create(club=club, nonce="x"),
    }


def test_every_constraint_has_an_attack():
    ours = [model for model in apps.get_app_config("scoresheets").get_models() if model.__module__ == leagues.__name__]

    assert {c.name for model in ours for c in model._meta.constraints} == {*ATTACKS, *DOUBLES}


@pytest.mark.parametrize(("name", "kind", "values"), [(name, *attack) for name, attack in ATTACKS.items()] + MORE)
def test_database_refuses_a_row_that_breaks(name, kind, values, rows):
    row = rows[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(**values)

    assert broken(refused.value, row, name) == name


@pytest.mark.parametrize("name", DOUBLES)
def test_database_refuses_a_second_row_that_breaks(name, rows):
    kind, kept, changed = DOUBLES[name]
    row = rows[kind]
    if name == "drawn_seat_position_once_a_table":
        changed = {"player": add(row.evening.club, "Cem")[0], "sitting": 1}

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.create(**{field: getattr(row, field) for field in kept}, **changed)

    assert broken(refused.value, row, name) == name


def broken(error: IntegrityError, row: models.Model, expected: str) -> str:
    """Return the broken constraint; of those over columns SQLite says only which columns, so the expected one."""
    text = str(error)
    for constraint in type(row)._meta.constraints:
        if constraint.name == expected and connection.vendor == "sqlite" and "UNIQUE" in text:
            columns = [row._meta.get_field(name).column for name in constraint.fields]
            if columns == [word.rpartition(".")[2] for word in text.partition(": ")[2].split(", ")]:
                return expected
    return broken_constraint(error, row)


def test_evening_that_was_called_off_leaves_room_for_an_open_one(rows):
    first = rows["evening"]
    Evening.objects.filter(pk=first.pk).update(cancelled_at=NOW, closed_at=NOW)

    other = Evening.objects.create(club=first.club, night=NIGHT, starts_at=NOW, opened_at=NOW)

    first.refresh_from_db()
    assert (first.is_open, other.is_open) == (False, True)


def test_several_sit_out_and_several_answer(rows):
    evening = rows["evening"]
    players = add(evening.club, "Cem", "Doro")

    DrawnSeat.objects.bulk_create(DrawnSeat(evening=evening, sitting=1, player=player) for player in players)
    Attendance.objects.bulk_create(Attendance(evening=evening, player=player) for player in players)

    assert (evening.drawn_seats.count(), evening.attendances.count()) == (4, 3)


def test_games_outlive_their_evening_and_its_tables(rows):
    game = finished(rows["evening"].club)
    assert game.evening == rows["evening"]
    DrawnTable.objects.filter(pk=rows["table"].pk).update(game=game)

    rows["evening"].delete()

    game.refresh_from_db()
    assert (game.evening, game.night) == (None, NIGHT)
    assert DrawnTable.objects.count() == DrawnSeat.objects.count() == 0
