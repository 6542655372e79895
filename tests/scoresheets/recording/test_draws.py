"""Tables of an evening: drawn, changed by hand, taken away, and their games started."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import combinations

import pytest
from django.core.exceptions import PermissionDenied

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, DrawnSeat, DrawnTable, Game, Result, Season
from scoresheets.recording import Conflict
from tests.scoresheets.clubs import add, club_game, make_club, member_of, players_at, refused, stored
from tests.scoresheets.evenings import (
    DAY,
    come,
    crowd,
    drawn,
    opened,
    people,
    play_to_the_end,
    start_all,
    tables_of,
)
from tests.scoresheets.factories import fresh, seats_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club("Runde")


@pytest.fixture
def evening(club):
    """Return an open evening at which nine people are."""
    found = opened(club)
    come(found, people(club, 9))
    return found


def everybody(tables):
    return sorted(name for names in tables.values() for name in names)


# -- drawing ----------------------------------------------------------------------------------------------------------


def test_everybody_who_is_here_is_drawn(club, evening):
    add(club, "Somebody who is not here")

    assert recording.draw_tables(evening, by=member_of(club, "scorer")) == 1

    tables = tables_of(evening)
    assert [len(names) for names in tables.values()] == [5, 4]
    assert everybody(tables) == sorted(club.players.filter(name__startswith="Player").values_list("name", flat=True))


def test_sittings_are_numbered_and_let_people_meet_who_have_not(evening):
    for number in range(1, 5):
        assert drawn(evening, seed=number) == number

    met = Counter(
        frozenset(pair)
        for number in range(1, 5)
        for names in tables_of(evening, number).values()
        for pair in combinations(names, 2)
    )
    assert len(met) >= 35  # of 36 pairs of nine people, in 64 meetings
    assert max(met.values()) <= 3


def test_pairs_of_played_games_are_kept_apart(club):
    anna, bernd, *others = people(club, 8)
    for _ in range(3):
        club_game(club, [anna, bernd, others[0]])
    evening = opened(club, date.today() + timedelta(days=30))  # noqa: DTZ011 - any day within the year
    come(evening, [anna, bernd, *others])

    for seed in range(5):
        tables = tables_of(evening, drawn(evening, seed=seed, sitting=1 if seed else None))
        assert not any({anna.name, bernd.name} <= set(names) for names in tables.values())


def test_meetings_are_those_of_the_season_and_of_people_not_of_entries(club):
    anna, bernd, cem, doro, twin, *others = people(club, 9)
    before, evening = opened(club, date(2026, 8, 1)), None
    club_game(club, [anna, bernd, cem])
    club_game(club, [anna, bernd, cem])
    Season.objects.create(club=club, name="Winter", starts_on=date(2026, 9, 1))
    evening = opened(club)
    recording.void(club_game(club, [anna, bernd, cem]), reason="wrong", by=OPERATOR)
    club_game(club, [twin, doro, cem])
    recording.merge_players(anna, twin, by=OPERATOR)

    met = recording.draws._meetings(evening, [player.pk for player in (anna, bernd, cem, doro, *others)])

    assert before.games.count() == 2
    pairs = {frozenset(pair): 1 for pair in combinations([anna.pk, cem.pk, doro.pk], 2)}
    assert dict(met) == pairs


def test_sit_outs_are_shared_out_over_evenings(club):
    players = people(club, 7)
    sat_out: Counter[str] = Counter()
    for week in range(4):
        evening = opened(club, DAY + timedelta(weeks=week))
        come(evening, players)
        for number in range(3):
            sat_out.update(tables_of(evening, drawn(evening, seed=10 * week + number, tables=1))[0])
            counted = [sat_out[player.name] for player in players]
            assert max(counted) - min(counted) <= 1
    assert sat_out.total() == 12


def test_sitting_is_drawn_anew_until_a_game_of_it_is_started(evening):
    drawn(evening)
    first = tables_of(evening)

    assert drawn(evening, seed=2, sitting=1) == 1

    assert tables_of(evening) != first
    assert everybody(tables_of(evening)) == everybody(first)
    recording.start_table_game(evening.drawn_tables.select_related("evening")[0], by=OPERATOR)
    refused(Conflict, "sitting_started", recording.draw_tables, evening, by=OPERATOR, sitting=1)
    refused(Conflict, "sitting_started", recording.discard_sitting, evening, by=OPERATOR, sitting=1)
    refused(Conflict, "sitting_unknown", recording.draw_tables, evening, by=OPERATOR, sitting=2)


def test_draw_sent_twice_is_one_sitting(club, evening):
    scorer = member_of(club, "scorer")

    numbers = [recording.draw_tables(evening, by=scorer, tables=2, key="k") for _ in range(2)]

    assert numbers == [1, 1]
    refused(Conflict, "key_reused", recording.draw_tables, evening, by=scorer, key="k")


def test_sitting_is_taken_away(evening):
    drawn(evening)

    for _ in range(2):
        recording.discard_sitting(evening, sitting=1, by=OPERATOR)

    assert DrawnSeat.objects.count() == DrawnTable.objects.count() == 0
    assert drawn(evening) == 1


def test_draws_that_cannot_be(club):
    evening = opened(club)
    come(evening, people(club, 2))
    refused(Conflict, "too_few_here", recording.draw_tables, evening, by=OPERATOR)
    come(evening, people(club, 1))
    for tables in (-1, 201):
        refused(rules.RulesError, "tables_out_of_range", recording.draw_tables, evening, by=OPERATOR, tables=tables)
    recording.close_evening(evening, by=OPERATOR)
    refused(Conflict, "evening_not_open", recording.draw_tables, evening, by=OPERATOR)
    refused(Conflict, "evening_not_open", recording.place_by_hand, evening, {}, sitting=1, by=OPERATOR)
    refused(Conflict, "evening_not_open", recording.discard_sitting, evening, sitting=1, by=OPERATOR)


def test_merged_people_are_drawn_once(club, evening):
    kept, merged = club.players.filter(name__startswith="Player")[:2]
    recording.merge_players(kept, merged, by=OPERATOR)

    drawn(evening)

    names = everybody(tables_of(evening))
    assert (len(names), merged.name in names) == (8, False)


def test_two_hundred_people_are_drawn_in_few_statements(club, django_assert_max_num_queries):
    evening = opened(club)
    come(evening, crowd(club, 200))
    drawn(evening)

    # One less on PostgreSQL, which takes all rows at once.
    with django_assert_max_num_queries(14):
        drawn(evening)

    assert [len(names) for names in tables_of(evening, 2).values()] == [4] * 50


# -- by hand ----------------------------------------------------------------------------------------------------------


def move(evening, *, sitting=1, by=OPERATOR, **to):
    """Move people by their numbers: `_003=2`."""
    ids = {name: player.pk for player in evening.club.players.all() for name in [player.name.replace("Player ", "_")]}
    recording.place_by_hand(evening, {ids[name]: table for name, table in to.items()}, sitting=sitting, by=by)


def by_number(evening, sitting=1):
    return {
        table: [name.removeprefix("Player ") for name in names] for table, names in tables_of(evening, sitting).items()
    }


@pytest.fixture
def by_hand(evening):
    """Return the evening with two tables put together by hand: 001 to 004 and 005 to 008; 009 sits out."""
    drawn(evening, tables=0)
    assert by_number(evening) == {0: [f"{number:03}" for number in range(1, 10)]}
    move(evening, _001=1, _002=1, _003=1, _004=1)
    move(evening, _005=2, _006=2, _007=2, _008=2)
    return evening


def test_tables_are_put_together_by_hand(by_hand):
    assert by_number(by_hand) == {
        0: ["009"],
        1: ["001", "002", "003", "004"],
        2: ["005", "006", "007", "008"],
    }


def test_two_people_change_places_and_seats(by_hand):
    move(by_hand, _001=2, _007=1)

    assert by_number(by_hand) == {
        0: ["009"],
        1: ["007", "002", "003", "004"],
        2: ["005", "006", "001", "008"],
    }


def test_somebody_sits_out_for_somebody_else(by_hand):
    move(by_hand, _009=1, _002=None)

    assert by_number(by_hand) == {
        0: ["002"],
        1: ["001", "009", "003", "004"],
        2: ["005", "006", "007", "008"],
    }


def test_tables_are_joined_and_dissolved(by_hand):
    move(by_hand, _008=1, _007=1, _006=None, _005=None)

    assert by_number(by_hand) == {0: ["005", "006", "009"], 1: ["001", "002", "003", "004", "008", "007"]}
    move(by_hand, _008=3, _007=3, _006=3)
    assert by_number(by_hand)[3] == ["008", "007", "006"]


def test_moves_that_change_nothing(by_hand):
    before = stored()

    move(by_hand, _001=1, _009=None)
    move(by_hand)

    assert stored() == before


def test_late_comer_takes_a_place(club, by_hand):
    (late,) = add(club, "Player 099")
    refused(Conflict, "not_here", recording.place_by_hand, by_hand, {late.pk: 1}, sitting=1, by=OPERATOR)
    come(by_hand, [late])

    move(by_hand, _099=1)

    assert by_number(by_hand)[1] == ["001", "002", "003", "004", "099"]


@pytest.mark.parametrize(
    ("to", "codes"),
    [
        ({"_001": 2, "_002": 2}, ["table_size"]),
        ({"_001": None, "_002": None, "_005": 1, "_006": 1}, ["table_size"]),
        ({"_005": 1, "_006": 1, "_007": 1}, ["table_size", "table_size"]),
        ({"_009": 3}, ["table_size"]),
        ({"_009": 0}, ["tables_out_of_range"]),
        ({"_009": 201}, ["tables_out_of_range"]),
    ],
)
def test_moves_that_cannot_be(to, codes, by_hand):
    refused(rules.RulesError, codes, move, by_hand, **to)


def test_others_are_not_moved(club, by_hand):
    (elsewhere,) = add(make_club("Andere"), "Anna")
    refused(Conflict, "not_here", recording.place_by_hand, by_hand, {elsewhere.pk: 1}, sitting=1, by=OPERATOR)
    refused(Conflict, "sitting_unknown", move, by_hand, sitting=2, _001=2)
    refused(PermissionDenied, "", move, by_hand, by=member_of(club), _001=2)


def test_started_table_stays_as_it_is(by_hand):
    recording.start_table_game(by_hand.drawn_tables.select_related("evening").get(number=1), by=OPERATOR)

    refused(Conflict, "table_started", move, by_hand, _001=2)
    refused(Conflict, "table_started", move, by_hand, _008=1)
    move(by_hand, _009=2)

    assert by_number(by_hand)[2] == ["005", "006", "007", "008", "009"]


# -- games ------------------------------------------------------------------------------------------------------------


def test_game_of_a_table_has_its_people_in_their_order(club, by_hand):
    house = rules.HouseRules(plus_minus_one=True, specials=("BOMB",))
    recording.change_club(club, recording.ClubSettings("Runde", house=house, ladder="tournament"), by=OPERATOR)
    table = by_hand.drawn_tables.select_related("evening").get(number=2)

    started = recording.start_table_game(table, by=member_of(club, "scorer"), key="k")

    game = fresh(started.game)
    names = [seat.name for seat in seats_of(game)]
    assert names == ["Player 005", "Player 006", "Player 007", "Player 008"]
    assert players_at(game) == [club.players.get(name=name).pk for name in names]
    assert (game.evening, game.night, game.club) == (by_hand, DAY, club)
    assert (game.house, game.ladder, game.first_dealer) == (house, "tournament", 0)
    table.refresh_from_db()
    assert (table.game, len(started.secret)) == (game, 22)


def test_table_is_started_once_however_often_it_is_asked(club, by_hand):
    table = by_hand.drawn_tables.select_related("evening").get(number=1)
    scorers = [member_of(club, "scorer") for _ in range(2)]

    games = {
        recording.start_table_game(table, by=by, key=key).game.pk
        for by, key in ((scorers[0], "a"), (scorers[0], "a"), (scorers[1], "b"), (scorers[0], None))
    }

    assert len(games) == Game.objects.count() == 1


def test_six_play_the_full_ladder_where_the_club_plays_tournaments(club):
    recording.change_club(club, recording.ClubSettings("Runde", ladder="tournament"), by=OPERATOR)
    evening = opened(club)
    come(evening, people(club, 6))
    drawn(evening)

    (game,) = start_all(evening)

    assert (game.ladder, len(game.plan), game.seats.count()) == ("full", 10, 6)


def test_several_tables_are_played_at_once_and_the_next_sitting_follows(evening):
    drawn(evening)
    games = [play_to_the_end(game) for game in start_all(evening)]

    assert [game.evening for game in games] == [evening, evening]
    assert Result.objects.filter(evening=evening).count() == 9
    assert drawn(evening, seed=2) == 2
    assert len(start_all(evening, 2)) == 2


def test_rematch_belongs_to_the_evening_too(evening):
    drawn(evening)
    game = play_to_the_end(start_all(evening)[0])

    assert recording.rematch(game, by=OPERATOR).game.evening == evening


def test_games_that_cannot_be_started(club, by_hand):
    table = by_hand.drawn_tables.select_related("evening").get(number=1)
    refused(PermissionDenied, "", recording.start_table_game, table, by=member_of(club))
    recording.change_club(
        club, recording.ClubSettings("Runde", house=rules.HouseRules(variant="einfarbig")), by=OPERATOR
    )
    move(by_hand, _009=1)
    table = by_hand.drawn_tables.select_related("evening").get(number=1)
    refused(rules.RulesError, "variant_players", recording.start_table_game, table, by=OPERATOR)
    gone = DrawnTable(pk=10**9, evening=by_hand)
    refused(Conflict, "table_unknown", recording.start_table_game, gone, by=OPERATOR)
    recording.close_evening(by_hand, by=OPERATOR)
    refused(Conflict, "evening_not_open", recording.start_table_game, table, by=OPERATOR)


def test_people_merged_after_the_draw_cannot_sit_twice(club: Club, by_hand):
    one, other = (club.players.get(name=f"Player 00{number}") for number in (1, 2))
    recording.merge_players(one, other, by=OPERATOR)
    table = by_hand.drawn_tables.select_related("evening").get(number=1)

    refused(rules.RulesError, "name_taken", recording.start_table_game, table, by=OPERATOR)
    move(by_hand, _009=1)

    assert by_number(by_hand)[1] == ["001", "003", "004", "009"]
    assert (
        recording.start_table_game(
            by_hand.drawn_tables.select_related("evening").get(number=1), by=OPERATOR
        ).game.seats.count()
        == 4
    )
