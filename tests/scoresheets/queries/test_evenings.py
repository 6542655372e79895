"""What pages of evenings read: the same number of statements whatever grows, and right numbers."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Attendance, Club, Evening, Player, Result
from scoresheets.queries.evenings import (
    calendar_evenings,
    evening_planning,
    evening_results,
    last_evenings,
    next_evening,
    past_evenings,
    planned_evenings,
)
from tests.scoresheets.clubs import add, club_game, finished, make_club, member_of, player_of
from tests.scoresheets.evenings import come, crowd, drawn, opened, people, planned, start_all

pytestmark = pytest.mark.django_db

TODAY = timezone.localdate()


@pytest.fixture
def club():
    return make_club("Runde", owner="Olga")


def days(number: int) -> date:
    return TODAY + timedelta(days=number)


# -- the next one -----------------------------------------------------------------------------------------------------


def test_next_evening_is_the_open_one_then_the_first_to_come(club):
    assert next_evening(club) is None
    planned(club, days(-5))
    off, later, soon = planned(club, days(1)), planned(club, days(9)), planned(club, days(2))
    recording.cancel_evening(off, by=OPERATOR)
    assert next_evening(club).evening == soon

    recording.open_evening(later, by=OPERATOR)
    assert next_evening(club).evening == later
    recording.close_evening(later, by=OPERATOR)
    assert next_evening(club).evening == soon
    assert planned_evenings(club) == [off, soon]


def test_evening_that_began_hours_ago_is_still_to_come_unless_it_was_closed(club):
    evening = planned(club, TODAY)
    now = timezone.now()
    Evening.objects.filter(pk=evening.pk).update(starts_at=now - timedelta(hours=11))
    assert planned_evenings(club) == [evening]
    Evening.objects.filter(pk=evening.pk).update(starts_at=now - timedelta(hours=13))
    assert planned_evenings(club) == []
    assert [line.evening for line in past_evenings(club).lines] == [evening]

    recording.open_evening(evening, by=OPERATOR)

    assert planned_evenings(club) == [evening]
    assert past_evenings(club).lines == []


def test_answers_are_counted_and_guests_are_not_waited_for(club):
    evening, member = planned(club, days(2)), member_of(club)
    own = player_of(member, club, "Mia")
    anna, bernd, cem = add(club, "Anna", "Bernd", "Cem")
    guest = recording.add_player(club, "Gast", by=OPERATOR, is_guest=True)
    recording.archive_player(cem, by=OPERATOR)
    for player, said in ((anna, "yes"), (guest, "yes"), (own, "maybe"), (bernd, "no")):
        recording.answer(evening, answer=said, by=OPERATOR, player=player)

    found = next_evening(club, member.user)

    assert (found.yes, found.maybe, found.no, found.awaited) == (2, 1, 1, 1)  # Olga is awaited
    assert (found.own, found.own_answer) == (own.pk, "maybe")
    stranger = next_evening(club, member_of(make_club("Andere")).user, with_attendance=False)
    assert (stranger.yes, stranger.awaited, stranger.own) == (0, 0, None)
    recording.answer(evening, answer="", by=OPERATOR, player=own)
    assert next_evening(club, member.user).own_answer == ""


def test_duplicates_are_one_person_whose_own_answer_counts(club):
    evening, (anna, twin, third) = planned(club, days(2)), add(club, "Anna", "Anni", "Änne")
    recording.answer(evening, answer="yes", by=OPERATOR, player=twin)
    recording.answer(evening, answer="maybe", by=OPERATOR, player=third)
    recording.set_here(evening, {twin.pk: True}, by=OPERATOR)
    for duplicate in (twin, third):
        recording.merge_players(Player.objects.get(pk=anna.pk), duplicate, by=OPERATOR)
    found = next_evening(club)
    assert (found.yes, found.maybe, found.awaited) == (0, 1, 1)  # the newest of what the duplicates said

    Attendance.objects.create(evening=evening, player=anna, answer="no", answered_at=timezone.now())

    found = next_evening(club)
    assert (found.yes, found.maybe, found.no) == (0, 0, 1)
    (person,) = evening_planning(club, evening).here
    assert (person.player, person.answer) == (anna, "no")


# -- the table of an evening ------------------------------------------------------------------------------------------


def result(evening: Evening, player: Player, *, rank: int | None, total: int, exact: int, rounds: int = 4) -> None:
    game = club_game(evening.club, [player])
    Result.objects.create(
        player=player,
        game=game,
        club=evening.club,
        evening=evening,
        night=evening.night,
        started_at=game.started_at,
        edition="2021",
        players=3,
        total=total,
        exact=exact,
        rounds=rounds,
        rank=rank,
        level=rank and 1,
        exact_run=0,
        exact_run_most=0,
        win_run=0,
    )


def test_table_counts_wins_then_points_then_exact_bids_and_ties_share_a_rank(club):
    evening = opened(club)
    players = dict(zip("ABCDEFG", people(club, 7), strict=True))
    for name, rank, total, exact, rounds in (
        *(("A", 1, 50, 1, 4), ("A", 2, 60, 2, 4)),
        ("B", 1, 100, 0, 4),
        ("C", 2, 200, 4, 4),
        *(("D", 2, 90, 1, 2), ("E", 3, 90, 2, 4)),
        ("F", None, 90, 1, 4),
        ("G", 2, -30, 0, 0),
    ):
        result(evening, players[name], rank=rank, total=total, exact=exact, rounds=rounds)

    table = evening_results(club, evening).table

    names = {player.pk: name for name, player in players.items()}
    assert [(line.rank, names[line.player], line.games, line.wins, line.points) for line in table] == [
        (1, "A", 2, 1, 110),
        (2, "B", 1, 1, 100),
        (3, "C", 1, 0, 200),
        (4, "D", 1, 0, 90),
        (4, "E", 1, 0, 90),
        (6, "F", 1, 0, 90),
        (7, "G", 1, 0, -30),
    ]
    assert [line.exact_rate for line in table[:4]] == [3 / 8, 0, 1, 1 / 2]
    assert table[-1].exact_rate is None


def test_results_of_merged_people_are_one_line(club):
    evening, (anna, twin, bernd) = opened(club), add(club, "Anna", "Anni", "Bernd")
    finished(club, [anna, bernd])
    finished(club, [twin, bernd])

    recording.merge_players(anna, twin, by=OPERATOR)

    lines = {line.name: (line.games, line.wins) for line in evening_results(club, evening).table}
    assert lines == {"Anna": (2, 2), "Bernd": (2, 0)}


def test_evening_without_games_and_people_without_games(club):
    evening = opened(club)
    come(evening, people(club, 3))

    results = evening_results(club, evening)

    assert (results.running, results.finished, results.abandoned, results.table) == ([], [], [], [])
    recording.close_evening(evening, by=OPERATOR)
    (line,) = last_evenings(club)
    assert (line.people, line.games, line.winners) == (0, 0, [])


def test_games_of_other_evenings_and_clubs_are_left_aside(club):
    other = make_club("Andere")
    first = opened(club)
    finished(club, people(club, 3))
    recording.close_evening(first, by=OPERATOR)
    second, theirs = opened(club), opened(other)
    finished(club, people(club, 3))
    finished(other, people(other, 3))

    for where, evening in ((club, first), (club, second), (other, theirs)):
        results = evening_results(where, evening)
        assert (len(results.finished), len(results.table)) == (1, 3)
        assert {seat.player.club for seat in results.finished[0].seats} == {where}


# -- statements -------------------------------------------------------------------------------------------------------


def grown(club: Club, size: int) -> Evening:
    """Return the newest of several evenings with people, tables and games."""
    players, evening = crowd(club, 4 * size), None
    for number in range(size):
        evening = opened(club, days(-20 + number))
        come(evening, players)
        for player in players[:size]:
            recording.answer(evening, answer="yes", by=OPERATOR, player=player)
        start_all(evening, drawn(evening))
        finished(club, players[:3])
        if number < size - 1:
            recording.close_evening(evening, by=OPERATOR)
    return evening


@pytest.mark.parametrize("size", [1, 4])
def test_statements_do_not_grow(size, club, django_assert_num_queries):
    evening = grown(club, size)
    user = member_of(club).user

    for number, read in (
        (2, lambda: next_evening(club, user)),
        (1, lambda: next_evening(club, with_attendance=False)),
        (1, lambda: planned_evenings(club)),
        (3, lambda: evening_results(club, evening)),
        (4, lambda: evening_planning(club, evening, user)),
        (1, lambda: calendar_evenings(club)),
    ):
        with django_assert_num_queries(number):
            read()
    recording.close_evening(evening, by=OPERATOR)
    with django_assert_num_queries(3):
        assert [line.games for line in past_evenings(club).lines] == [1] * size
    with django_assert_num_queries(2):
        assert len(last_evenings(club)) == min(size, 3)


def test_sittings_say_who_has_no_place(club):
    evening = opened(club)
    first, *others = people(club, 7)
    come(evening, others)
    drawn(evening, tables=1, seed=3)
    start_all(evening)
    drawn(evening, tables=0)
    come(evening, [first])

    newest, older = evening_planning(club, evening).sittings

    assert (newest.number, newest.tables, len(newest.sit_out), newest.unplaced) == (2, [], 6, [first])
    assert (older.is_started, older.is_ready, newest.is_started, newest.is_ready) == (True, False, False, False)
    assert [len(table.players) for table in older.tables] == [6]
