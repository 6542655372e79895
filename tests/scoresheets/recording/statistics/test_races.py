"""Games of one club that are finished at the same moment, by several tables: nothing is counted twice or lost."""

from __future__ import annotations

from datetime import date

import pytest

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import ClubTally, PlayerTally, Season
from scoresheets.recording import statistics
from tests.scoresheets.clubs import add, club_game, make_club
from tests.scoresheets.factories import enter_bids, open_round, seats_of
from tests.scoresheets.recording.test_races import WRITERS, race

pytestmark = pytest.mark.django_db(transaction=True)


def test_tables_of_the_same_people_finish_at_once():
    club = make_club("Eulen", visibility="public")
    people = add(club, "Annika", "Bernd", "Cem", "Doro")
    Season.objects.create(club=club, name="Season", starts_on=date(2020, 1, 1))
    games = []
    for turn in range(WRITERS):
        # Each table has them in another order, and with it another order of rows.
        game = club_game(club, people[turn % 4 :] + people[: turn % 4])
        enter_bids(game)
        games.append((game, open_round(game).stage_version, [seat.pk for seat in seats_of(game)]))

    def finish(game, seen, seats):
        taken = {seat: int(place == 0) for place, seat in enumerate(seats)}
        return recording.record_tricks(game, taken=taken, seen=seen, by=OPERATOR)

    ended = race([lambda given=given: finish(*given) for given in games])

    assert [end for end in ended if isinstance(end, str)] == []
    while statistics.catch_up(club.pk):
        pass
    assert ClubTally.objects.get(club=club).games == WRITERS
    assert set(PlayerTally.objects.values_list("games", flat=True)) == {WRITERS}
    assert statistics.differences_of(club) == []
    assert statistics.public_differences() == []
