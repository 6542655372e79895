"""Several phones run the same evening at the same moment: nothing is there twice, and nobody sits at two tables."""

from __future__ import annotations

import pytest

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Attendance, DrawnSeat, Evening, Game
from tests.scoresheets.clubs import make_club, member_of
from tests.scoresheets.evenings import come, drawn, opened, people, planned
from tests.scoresheets.recording.test_races import WRITERS, race

pytestmark = pytest.mark.django_db(transaction=True)


def test_table_is_started_once():
    club = make_club()
    evening = opened(club)
    come(evening, people(club, 4))
    drawn(evening)
    table = evening.drawn_tables.select_related("evening").get()
    scorers = [member_of(club, "scorer") for _ in range(WRITERS)]

    ended = race([lambda by=by: recording.start_table_game(table, by=by, key="k") for by in scorers])

    assert {started.game.pk for started in ended} == {Game.objects.get().pk}
    assert sorted(bool(started.secret) for started in ended) == [False] * (WRITERS - 1) + [True]


def test_one_evening_is_open():
    club = make_club()
    evenings = [planned(club) for _ in range(WRITERS)]

    ended = race([lambda evening=evening: recording.open_evening(evening, by=OPERATOR) for evening in evenings])

    assert sorted(end for end in ended if isinstance(end, str)) == ["other_evening_open"] * (WRITERS - 1)
    assert sum(evening.is_open for evening in Evening.objects.all()) == 1


def test_everybody_ticks_and_answers_at_once():
    club = make_club()
    evening, players = opened(club), people(club, WRITERS)
    ticks = [lambda one=one: recording.set_here(evening, {one.pk: True}, by=OPERATOR) for one in players]
    answers = [lambda one=one: recording.answer(evening, answer="yes", by=OPERATOR, player=one) for one in players]

    race([*ticks, *answers])

    assert Attendance.objects.filter(is_here=True, answer="yes").count() == Attendance.objects.count() == WRITERS


def test_table_that_is_started_while_it_is_drawn_anew_keeps_its_people():
    club = make_club()
    evening = opened(club)
    come(evening, people(club, 8))
    drawn(evening)
    table = evening.drawn_tables.select_related("evening").first()

    ended = race(
        [
            lambda: recording.start_table_game(table, by=OPERATOR),
            lambda: recording.draw_tables(evening, by=OPERATOR, sitting=1),
            lambda: recording.place_by_hand(evening, {table.seats.first().player_id: None}, sitting=1, by=OPERATOR),
        ]
    )

    assert set(filter(lambda end: isinstance(end, str), ended)) <= {"table_unknown", "sitting_started", "table_started"}
    assert DrawnSeat.objects.count() == 8
    for game in Game.objects.all():
        seated = set(game.drawn_table.seats.values_list("player", flat=True))
        assert set(game.seats.values_list("player", flat=True)) == seated
