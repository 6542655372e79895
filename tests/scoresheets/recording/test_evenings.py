"""Evenings: planned, changed, called off, opened, closed; answers, who is here, the calendar address."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import PermissionDenied

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Attendance, CalendarAddress, Evening, Game, Player, Result, Season, Standing
from scoresheets.models.games import night_of
from scoresheets.recording import Conflict
from scoresheets.recording.moves import set_evening
from tests.scoresheets.clubs import (
    STRANGE_NAMES,
    add,
    club_game,
    finished,
    make_club,
    member_of,
    player_of,
    refused,
)
from tests.scoresheets.evenings import DAY, come, crowd, opened, people, plan_of, planned
from tests.scoresheets.factories import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club("Runde")


# -- planning ---------------------------------------------------------------------------------------------------------


def test_manager_plans_an_evening_on_the_clock_of_the_club(club):
    manager = member_of(club, "manager")

    (evening,) = recording.plan_evening(
        club, plan_of(place="  Back   room ", note="Bring\nchips", counts=False), by=manager
    )

    evening.refresh_from_db()
    assert evening.starts_at == datetime(2026, 12, 3, 18, 30, tzinfo=UTC)
    assert (evening.night, evening.place, evening.note, evening.counts) == (DAY, "Back room", "Bring chips", False)
    assert (evening.created_by, evening.is_open) == (manager.user, False)


@pytest.mark.parametrize(
    ("zone", "day", "at", "starts_at", "night"),
    [
        # Past midnight: until five it belongs to the day before.
        ("Europe/Berlin", date(2026, 12, 3), time(23, 30), "2026-12-03T22:30Z", date(2026, 12, 3)),
        ("Europe/Berlin", date(2026, 12, 4), time(0, 30), "2026-12-03T23:30Z", date(2026, 12, 3)),
        ("Europe/Berlin", date(2026, 12, 4), time(4, 59), "2026-12-04T03:59Z", date(2026, 12, 3)),
        ("Europe/Berlin", date(2026, 12, 4), time(5, 0), "2026-12-04T04:00Z", date(2026, 12, 4)),
        # The clocks go forward at two, and back at three: then the hour comes twice, and the first is meant.
        ("Europe/Berlin", date(2026, 3, 28), time(23, 30), "2026-03-28T22:30Z", date(2026, 3, 28)),
        ("Europe/Berlin", date(2026, 3, 29), time(3, 0), "2026-03-29T01:00Z", date(2026, 3, 28)),
        ("Europe/Berlin", date(2026, 10, 25), time(2, 30), "2026-10-25T00:30Z", date(2026, 10, 24)),
        ("Europe/Berlin", date(2026, 10, 25), time(19, 30), "2026-10-25T18:30Z", date(2026, 10, 25)),
        ("Pacific/Kiritimati", date(2026, 12, 3), time(19, 30), "2026-12-03T05:30Z", date(2026, 12, 3)),
        ("Asia/Kathmandu", date(2026, 12, 3), time(19, 30), "2026-12-03T13:45Z", date(2026, 12, 3)),
    ],
)
def test_day_time_and_night_in_the_zone(zone, day, at, starts_at, night):
    evening = planned(make_club("Anderswo", time_zone=zone), day, at)

    evening.refresh_from_db()
    assert (evening.starts_at, evening.night) == (datetime.fromisoformat(starts_at), night)


def test_several_evenings_keep_their_time_across_a_change_of_the_clocks(club):
    evenings = recording.plan_evening(club, plan_of(date(2026, 10, 15)), by=OPERATOR, times=3, every=7)

    zone = ZoneInfo("Europe/Berlin")
    assert [evening.starts_at.astimezone(zone).time() for evening in evenings] == [time(19, 30)] * 3
    assert [evening.night for evening in evenings] == [date(2026, 10, 15), date(2026, 10, 22), date(2026, 10, 29)]
    assert (evenings[2].starts_at - evenings[1].starts_at) == timedelta(days=7, hours=1)


@pytest.mark.parametrize(
    ("plan", "codes"),
    [
        (plan_of(date(1999, 12, 31)), "evening_day_out_of_range"),
        (plan_of(date(2100, 1, 1)), "evening_day_out_of_range"),
        (plan_of(date.min), "evening_day_out_of_range"),
        (plan_of(date.max), "evening_day_out_of_range"),
        (plan_of(date(2026, 3, 29), time(2, 30)), "evening_time_skipped"),
        (plan_of(place="x" * 81, note="y" * 501), ["place_too_long", "note_too_long"]),
    ],
)
def test_evening_that_cannot_be_is_refused(plan, codes, club):
    refused(rules.RulesError, codes, recording.plan_evening, club, plan, by=OPERATOR)
    refused(rules.RulesError, codes, recording.change_evening, planned(club), plan, by=OPERATOR)


@pytest.mark.parametrize("how_often", [{"times": 0}, {"times": 54}, {"every": 0}, {"every": 366}, {"times": -1}])
def test_too_many_evenings_at_once_are_refused(how_often, club):
    refused(rules.RulesError, "times_out_of_range", recording.plan_evening, club, plan_of(), by=OPERATOR, **how_often)


def test_series_that_leaves_the_calendar_is_refused(club):
    last = plan_of(date(2099, 12, 31))
    arguments = {"by": OPERATOR, "times": 53, "every": 365}
    refused(rules.RulesError, "evening_day_out_of_range", recording.plan_evening, club, last, **arguments)
    later = plan_of(date(2060, 1, 1))
    refused(rules.RulesError, "evening_day_out_of_range", recording.plan_evening, club, later, **arguments)


def test_plan_sent_twice_is_one_evening(club):
    manager = member_of(club, "manager")
    first = recording.plan_evening(club, plan_of(), by=manager, times=2, key="k")

    again = recording.plan_evening(club, plan_of(), by=manager, times=2, key="k")

    assert [evening.pk for evening in again] == [evening.pk for evening in first]
    assert Evening.objects.count() == 2
    refused(Conflict, "key_reused", recording.plan_evening, club, plan_of(), by=manager, times=3, key="k")


def test_plan_as_it_stands_changes_nothing(club):
    for at in (time(19, 30), time(0, 15)):
        evening = planned(club, at=at, place="Bar", note="x", counts=False)
        before = Evening.objects.filter(pk=evening.pk).values().get()

        recording.change_evening(evening, recording.EveningPlan.of(evening, club), by=OPERATOR)

        assert Evening.objects.filter(pk=evening.pk).values().get() == before


def test_evening_is_changed(club):
    evening = planned(club)

    recording.change_evening(evening, plan_of(date(2026, 12, 5), time(1, 0), place="Bar"), by=OPERATOR)

    evening.refresh_from_db()
    assert (evening.night, evening.place) == (date(2026, 12, 4), "Bar")


def test_night_of_an_evening_with_games_stays(club):
    evening = opened(club)
    club_game(club)
    moved = plan_of(date(2026, 12, 4))
    refused(Conflict, "evening_has_games", recording.change_evening, evening, moved, by=OPERATOR)

    recording.change_evening(evening, plan_of(at=time(20, 0), place="Bar"), by=OPERATOR)

    evening.refresh_from_db()
    assert (evening.place, evening.night) == ("Bar", DAY)


def test_season_follows_when_an_evening_becomes_friendly_and_back(club):
    players = people(club, 3)
    season = Season.objects.create(club=club, name="Winter", starts_on=date(2026, 9, 1))
    past = Season.objects.create(club=club, name="Sommer", starts_on=date(2026, 3, 1), ends_on=date(2026, 8, 31))
    evening = opened(club)
    finished(club, players)
    assert Standing.objects.filter(season=season).count() == 3
    before = list(Standing.objects.order_by("player").values_list("player", "points", "games"))

    recording.change_evening(evening, plan_of(counts=False), by=OPERATOR)
    assert not Standing.objects.exists()
    recording.change_evening(evening, plan_of(), by=OPERATOR)

    assert list(Standing.objects.order_by("player").values_list("player", "points", "games")) == before
    assert not past.standings.exists()


def test_evening_is_called_off_and_takes_place_after_all(club):
    evening = opened(club)

    recording.cancel_evening(evening, by=OPERATOR)

    evening.refresh_from_db()
    assert (evening.is_open, evening.cancelled_at is None) == (False, False)
    assert club_game(club).evening is None
    refused(Conflict, "evening_cancelled", recording.open_evening, evening, by=OPERATOR)
    when = evening.cancelled_at
    assert recording.cancel_evening(evening, by=OPERATOR).cancelled_at == when
    for _ in range(2):
        assert recording.reinstate_evening(evening, by=OPERATOR).cancelled_at is None
    assert recording.open_evening(evening, by=OPERATOR).is_open


def test_evening_with_games_is_not_called_off_but_voided_ones_are_none(club):
    evening = opened(club)
    game = club_game(club)
    refused(Conflict, "evening_has_games", recording.cancel_evening, evening, by=OPERATOR)

    recording.void(game, reason="wrong people", by=OPERATOR)

    assert recording.cancel_evening(evening, by=OPERATOR).cancelled_at is not None


# -- opening and closing ----------------------------------------------------------------------------------------------


def test_games_belong_to_the_open_evening_until_it_is_closed(club):
    evening = opened(club)
    first = club_game(club)

    recording.close_evening(evening, by=OPERATOR)
    second = club_game(club)
    recording.open_evening(evening, by=OPERATOR)

    assert (first.evening, first.night) == (evening, DAY)
    assert (second.evening, second.night) == (None, night_of(second.started_at, club.time_zone))
    assert club_game(club).evening == evening


def test_game_belongs_to_the_night_of_its_evening_whenever_it_is_played(club):
    evening = opened(club, date(2026, 3, 28), at=time(23, 30))

    game = finished(club, people(club, 3))

    assert night_of(game.started_at, club.time_zone) != evening.night
    assert (game.evening, game.night) == (evening, date(2026, 3, 28))
    assert set(Result.objects.values_list("night", "evening")) == {(date(2026, 3, 28), evening.pk)}


def test_forgotten_evening_is_closed_when_the_next_one_opens(club):
    forgotten, evening = opened(club, date(2026, 11, 26)), planned(club)

    recording.open_evening(evening, by=OPERATOR)

    forgotten.refresh_from_db()
    assert (forgotten.is_open, Evening.objects.get(pk=evening.pk).is_open) == (False, True)
    refused(Conflict, "other_evening_open", recording.open_evening, forgotten, by=OPERATOR)
    refused(Conflict, "other_evening_open", recording.open_evening, planned(club), by=OPERATOR)


def test_opening_and_closing_twice_changes_nothing(club):
    evening = opened(club)
    when = Evening.objects.get(pk=evening.pk).opened_at
    assert recording.open_evening(evening, by=OPERATOR).opened_at == when

    closed = recording.close_evening(evening, by=OPERATOR).closed_at

    assert recording.close_evening(evening, by=OPERATOR).closed_at == closed
    refused(Conflict, "evening_not_open", recording.close_evening, planned(club), by=OPERATOR)


def test_evenings_of_two_clubs_are_open_at_once(club):
    other = make_club("Andere")

    assert opened(club).is_open
    assert opened(other).is_open


def test_game_is_put_to_an_evening_afterwards(club):
    game, evening = finished(club, people(club, 3)), planned(club)

    set_evening(game, evening, by=OPERATOR)

    assert fresh(game).night == DAY
    assert set(Result.objects.values_list("evening", flat=True)) == {evening.pk}


# -- who comes --------------------------------------------------------------------------------------------------------


def answers_of(evening):
    return {row.player.name: row.answer for row in evening.attendances.select_related("player").order_by("pk")}


def test_members_answer_for_themselves_and_change_their_mind(club):
    evening, member = planned(club), member_of(club)
    player = player_of(member, club, "Mia")

    for said in ("yes", "maybe", "no", "no"):
        row = recording.answer(evening, answer=said, by=member)
        assert (row.player, row.answer, row.by) == (player, said, member.user)
        assert row.answered_at is not None
    assert answers_of(evening) == {"Mia": "no"}

    row = recording.answer(evening, answer="", by=member)
    assert (row.answer, row.answered_at) == ("", None)


def test_answer_that_stands_keeps_its_time(club):
    evening, member = planned(club), member_of(club)
    player_of(member, club, "Mia")
    first = recording.answer(evening, answer="yes", by=member)

    assert recording.answer(evening, answer="yes", by=OPERATOR, player=first.player).by == member.user


def test_scorers_answer_for_anybody_members_for_nobody_else(club):
    evening, (anna,) = planned(club), add(club, "Anna")
    member = member_of(club)
    own = player_of(member, club, "Mia")

    assert recording.answer(evening, answer="yes", by=member_of(club, "scorer"), player=anna).answer == "yes"
    assert recording.answer(evening, answer="no", by=member, player=own).answer == "no"
    refused(PermissionDenied, "", recording.answer, evening, answer="no", by=member, player=anna)


def test_answers_that_cannot_be(club):
    evening, member, stranger = planned(club), member_of(club), member_of(make_club("Andere"))
    (elsewhere,) = add(make_club("Dritte"), "Anna")
    refused(Conflict, "no_player", recording.answer, evening, answer="yes", by=member)
    player_of(member, club, "Mia")
    refused(rules.RulesError, "answer_unknown", recording.answer, evening, answer="soon", by=member)
    refused(PermissionDenied, "", recording.answer, evening, answer="yes", by=stranger)
    refused(PermissionDenied, "", recording.answer, evening, answer="yes", by=OPERATOR)
    refused(PermissionDenied, "", recording.answer, evening, answer="yes", by=member, player=elsewhere)
    refused(Conflict, "player_unknown", recording.answer, evening, answer="yes", by=OPERATOR, player=elsewhere)
    recording.cancel_evening(evening, by=OPERATOR)
    refused(Conflict, "evening_cancelled", recording.answer, evening, answer="yes", by=member)
    recording.reinstate_evening(evening, by=OPERATOR)
    recording.open_evening(evening, by=OPERATOR)
    recording.close_evening(evening, by=OPERATOR)
    refused(Conflict, "evening_closed", recording.answer, evening, answer="yes", by=member)


def test_what_a_duplicate_answered_follows_the_player_it_was_merged_into(club):
    evening, (anna, twin) = planned(club), add(club, "Anna", "Anna B.")
    recording.answer(evening, answer="yes", by=OPERATOR, player=twin)
    recording.set_here(evening, {twin.pk: True}, by=OPERATOR)
    recording.merge_players(anna, twin, by=OPERATOR)

    recording.answer(evening, answer="no", by=OPERATOR, player=Player.objects.get(pk=twin.pk))
    recording.set_here(evening, {anna.pk: False}, by=OPERATOR)

    assert answers_of(evening) == {"Anna B.": "no", "Anna": "no"}
    assert not Attendance.objects.filter(is_here=True).exists()


# -- who is here ------------------------------------------------------------------------------------------------------


def here(evening):
    return sorted(evening.attendances.filter(is_here=True).values_list("player__name", flat=True))


def test_two_phones_tick_who_is_here_without_undoing_each_other(club):
    evening, (anna, bernd, cem) = opened(club), add(club, "Anna", "Bernd", "Cem")
    come(evening, [anna])

    recording.set_here(evening, {bernd.pk: True}, by=OPERATOR)
    recording.set_here(evening, {cem.pk: True, anna.pk: False}, by=OPERATOR)
    recording.set_here(evening, {}, by=OPERATOR)

    assert here(evening) == ["Bernd", "Cem"]


def test_somebody_new_comes_in_as_a_guest_once(club):
    evening, scorer = opened(club), member_of(club, "scorer")

    for _ in range(2):
        (player,) = recording.set_here(evening, {}, newcomers=["  Zoe  Z. "], by=scorer, key="k")

    assert (player.name, player.is_guest, here(evening)) == ("Zoe Z.", True, ["Zoe Z."])
    refused(Conflict, "key_reused", recording.set_here, evening, {}, newcomers=["Yara"], by=scorer, key="k")
    taken = {"newcomers": ["zoe z."], "by": scorer}
    refused(rules.RulesError, "player_name_taken", recording.set_here, evening, {}, **taken)


def test_strange_names_are_here_too(club):
    evening = opened(club)

    recording.set_here(evening, {}, newcomers=list(STRANGE_NAMES), by=OPERATOR)

    assert here(evening) == sorted(STRANGE_NAMES)


def test_who_is_not_of_the_club_is_not_here(club):
    evening, (elsewhere,) = opened(club), add(make_club("Andere"), "Anna")
    refused(Conflict, "player_unknown", recording.set_here, evening, {elsewhere.pk: True}, by=OPERATOR)
    refused(Conflict, "player_unknown", recording.set_here, evening, {10**9: True}, by=OPERATOR)
    recording.close_evening(evening, by=OPERATOR)
    refused(Conflict, "evening_closed", recording.set_here, evening, {}, by=OPERATOR)


def test_two_hundred_people_are_here(club, django_assert_max_num_queries):
    evening, everybody = opened(club), crowd(club, 200)

    with django_assert_max_num_queries(12):
        come(evening, everybody)

    assert len(here(evening)) == 200


# -- who may ----------------------------------------------------------------------------------------------------------


def test_members_neither_plan_nor_run_evenings(club):
    member, evening, (anna,) = member_of(club), opened(club), add(club, "Anna")
    for verb, given in (
        (recording.plan_evening, (club, plan_of())),
        (recording.change_evening, (evening, plan_of())),
        (recording.cancel_evening, (evening,)),
        (recording.reinstate_evening, (evening,)),
        (recording.open_evening, (evening,)),
        (recording.close_evening, (evening,)),
        (recording.set_here, (evening, {anna.pk: True})),
    ):
        refused(PermissionDenied, "", verb, *given, by=member)


def test_scorers_run_evenings_and_do_not_plan_them(club):
    scorer, evening = member_of(club, "scorer"), planned(club)
    for verb, given in (
        (recording.plan_evening, (club, plan_of())),
        (recording.change_evening, (evening, plan_of())),
        (recording.cancel_evening, (evening,)),
        (recording.reinstate_evening, (evening,)),
    ):
        refused(PermissionDenied, "", verb, *given, by=scorer)

    assert recording.open_evening(evening, by=scorer).is_open
    assert not recording.close_evening(evening, by=scorer).is_open


def test_role_is_read_again_under_the_lock(club):
    scorer, evening = member_of(club, "scorer"), planned(club)
    club.memberships.filter(user=scorer.user).update(role="member")

    refused(PermissionDenied, "", recording.open_evening, evening, by=scorer)


# -- the calendar address ---------------------------------------------------------------------------------------------


def test_calendar_address_is_made_once_and_renewed_by_managers(club):
    member, manager = member_of(club), member_of(club, "manager")
    first = recording.make_calendar_address(club, by=member)
    assert recording.make_calendar_address(club, by=manager).nonce == first.nonce
    refused(PermissionDenied, "", recording.make_calendar_address, club, by=member, renew=True)
    stranger = member_of(make_club("Andere"))
    refused(PermissionDenied, "", recording.make_calendar_address, club, by=stranger)

    second = recording.make_calendar_address(club, by=manager, renew=True)

    assert second.nonce != first.nonce
    assert CalendarAddress.objects.get().nonce == second.nonce


def test_club_with_evenings_and_without_games_can_be_deleted(club):
    evening = opened(club)
    come(evening, people(club, 4))
    recording.draw_tables(evening, by=OPERATOR)
    recording.make_calendar_address(club, by=OPERATOR)

    recording.delete_club(club, by=OPERATOR)

    assert (Evening.objects.count(), Game.objects.count()) == (0, 0)
