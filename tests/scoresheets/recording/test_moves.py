"""Games of clubs: started there, moved there, their seats given to players."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Entry, Evening, Game, Player, Result
from scoresheets.models.games import night_of
from scoresheets.recording import (
    Conflict,
    confirm,
    merge_players,
    move_game,
    rematch,
    set_evening,
    start_game,
    statistics,
)
from scoresheets.recording.repair import differences_of, rewrite
from tests.scoresheets.clubs import (
    actor_of,
    add,
    club_game,
    finished,
    make_club,
    make_user,
    member_of,
    owner_of,
    players_at,
    refused,
    stored,
)
from tests.scoresheets.factories import (
    NAMES,
    fresh,
    keeper_of,
    link_to,
    make_game,
    newest_of,
    seat_ids,
    seats_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db

HOUSE = rules.HouseRules()


@pytest.fixture
def club():
    return make_club("Runde", owner="Olga")


def start(club, names=NAMES[:3], **options):
    return start_game(names, HOUSE, first_dealer=0, club=club, **options)


# -- started in a club ----------------------------------------------------------------------------------------------


def test_game_of_a_club_has_its_players_on_its_seats(club):
    annika, _other = add(club, "Annika", "Somebody")
    scorer = member_of(club, "scorer")

    game = start(club, players=[annika.pk, "Neu", None], by=scorer).game

    new = Player.objects.get(name="Neu")
    assert (game.club, players_at(game), new.is_guest) == (club, [annika.pk, new.pk, None], True)
    assert [seat.name for seat in seats_of(game)] == ["Annika", "Bernd", "Cem"]
    assert new.history.get().history_user == scorer.user
    entry = game.entries.get()
    ids = [str(seat) for seat in seat_ids(game)]
    assert (entry.user, entry.via) == (scorer.user, "login")
    assert (entry.payload["club"], entry.payload["players"]) == (club.pk, {ids[0]: annika.pk, ids[1]: new.pk})
    assert differences_of(game.pk) == []


def test_quick_game_says_nothing_of_clubs():
    game = make_game(seats=3)

    assert (game.club, players_at(game)) == (None, [None] * 3)
    assert not {"club", "players"} & set(game.entries.get().payload)


def test_id_of_a_duplicate_seats_the_player_kept(club):
    kept, twin = add(club, "Annika", "Anni")
    merge_players(kept, twin, by=owner_of(club))

    game = start(club, players=[twin.pk, None, None], by=OPERATOR).game

    assert players_at(game) == [kept.pk, None, None]


def test_players_that_cannot_sit_there_are_refused(club):
    annika, twin, bernd = add(club, "Annika", "Anni", "Bernd")
    merge_players(annika, twin, by=owner_of(club))
    (foreign,) = add(make_club("Andere"), "Cem")
    by = member_of(club, "scorer")
    wrong = rules.RulesError

    refused(Conflict, "player_unknown", start, club, players=[foreign.pk, None, None], by=by)
    refused(Conflict, "player_unknown", start, club, players=[annika.pk, 10**9, None], by=by)
    refused(wrong, "player_twice", start, club, players=[annika.pk, bernd.pk, annika.pk], by=by)
    refused(wrong, "player_twice", start, club, players=[annika.pk, twin.pk, None], by=by)
    refused(wrong, "player_name_taken", start, club, players=["ANNIKA", None, None], by=by)
    refused(wrong, "player_name_taken", start, club, players=["Neu", "neu", None], by=by)
    refused(wrong, "name_missing", start, club, players=[" ", None, None], by=by)
    refused(wrong, "name_too_long", start, club, players=[None, "x" * 41, None], by=by)
    refused(wrong, "name_taken", start, club, names=("A", "B", "a"), players=["Neu", None, None], by=by)
    refused(ValueError, "", start, club, players=[None, None], by=by)
    refused(ValueError, "", start, None, players=[None, None, None], by=by)


def test_problems_of_players_carry_their_seats(club):
    (annika,) = add(club, "Annika")

    with pytest.raises(rules.RulesError) as caught:
        start(club, players=[annika.pk, "annika", annika.pk], by=OPERATOR)

    assert [(problem.code, problem.seat) for problem in caught.value.problems] == [
        ("player_name_taken", 1),
        ("player_twice", 2),
    ]


def test_only_scorers_start_games_of_a_club(club):
    stranger = Actor.of_user(make_user("Stranger"))
    for by in (member_of(club), stranger, keeper_of(club_game(club)), owner_of(make_club("Andere"))):
        refused(PermissionDenied, "", start, club, by=by)


def test_start_with_the_same_key_starts_one_game_and_adds_one_guest(club):
    by = member_of(club, "scorer")
    first = start(club, players=["Neu", None, None], by=by, key="k")
    before = stored()

    again = start(club, players=["Neu", None, None], by=by, key="k")

    assert (again.game, again.secret, again.repeated, stored()) == (first.game, first.secret, True, before)
    refused(Conflict, "key_reused", start, club, players=["Neu", None, "Cem"], by=by, key="k")
    refused(Conflict, "key_reused", start, None, by=by, key="k")


def test_rematch_stays_in_the_club_with_the_same_people(club):
    kept, twin = add(club, "Annika", "Anni")
    game = finished(club, [twin])
    merge_players(kept, twin, by=owner_of(club))
    confirm(game, seen=game.version, by=owner_of(club))

    following = rematch(game, by=member_of(club, "scorer")).game

    assert (following.club, players_at(following)) == (club, [kept.pk, None, None])
    assert following.entries.get().payload["club"] == club.pk
    assert differences_of(following.pk) == []
    refused(PermissionDenied, "", rematch, game, by=member_of(club))


def statements_of(write):
    """Return how many statements a write takes, without those that begin and end transactions."""
    with CaptureQueriesContext(connection) as captured:
        write()
    words = [query["sql"].split()[0].upper() for query in captured.captured_queries]
    return len([word for word in words if word not in {"BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"}])


def test_statements_of_starting_games(club):
    """A quick game costs nothing for clubs: game, seats, round, entry, link, and old receipts looked through."""
    players, by = add(club, *NAMES), member_of(club, "scorer")
    ids = [player.pk for player in players]

    assert statements_of(lambda: start(None, by=OPERATOR)) == 6
    assert statements_of(lambda: start(None, names=NAMES, by=OPERATOR)) == 6
    # The club, the role in it, its open evening, the players.
    assert statements_of(lambda: start(club, players=ids[:3], by=by)) == 10
    assert statements_of(lambda: start(club, names=NAMES, players=ids, by=by)) == 10


# -- evenings and nights --------------------------------------------------------------------------------------------


def test_a_game_belongs_to_the_open_evening_or_to_the_night_it_is_started_in(club):
    early = start(club, by=OPERATOR).game
    evening = Evening.objects.create(
        club=club, night=date(2026, 12, 3), starts_at=timezone.now(), opened_at=timezone.now()
    )
    other = Evening.objects.create(club=club, night=date(2026, 12, 4), starts_at=timezone.now())

    assert (early.evening, early.night) == (None, night_of(early.started_at, club.time_zone))
    late = start(club, by=OPERATOR).game
    assert (late.evening, late.night) == (evening, evening.night)
    chosen = start(club, evening=other.pk, by=OPERATOR).game
    assert (chosen.evening, chosen.night) == (other, other.night)
    assert differences_of(chosen.pk) == []
    # Nobody closed it: the day after, games are no longer its own.
    Evening.objects.filter(pk=evening.pk).update(opened_at=timezone.now() - timedelta(hours=19))
    assert start(club, by=OPERATOR).game.evening is None


def test_a_game_is_put_to_another_evening_and_its_results_with_it(club):
    game = finished(club, add(club, "Annika", "Bernd"))
    confirm(game, seen=game.version, by=OPERATOR)
    evening = Evening.objects.create(club=club, night=date(2026, 1, 3), starts_at=timezone.now())
    foreign = Evening.objects.create(club=make_club("Ziel"), night=date(2026, 1, 3), starts_at=timezone.now())
    refused(Conflict, "evening_unknown", set_evening, game, foreign, by=OPERATOR)
    refused(Conflict, "nothing_changed", set_evening, game, None, by=OPERATOR)
    refused(PermissionDenied, "", set_evening, game, evening, by=member_of(club, "member"))

    set_evening(game, evening, by=OPERATOR, key="k")
    assert set_evening(game, evening, by=OPERATOR, key="k").repeated

    assert (fresh(game).evening, fresh(game).night, fresh(game).is_confirmed) == (evening, evening.night, True)
    assert set(Result.objects.values_list("evening", "night")) == {(evening.pk, evening.night)}
    assert differences_of(game.pk) == statistics.differences_of(club) == []
    set_evening(game, None, by=OPERATOR)
    assert (fresh(game).evening, fresh(game).night) == (None, night_of(game.started_at, club.time_zone))
    assert differences_of(game.pk) == statistics.differences_of(club) == []


@pytest.mark.parametrize(
    ("moment", "night"),
    [
        ("2026-12-03T22:30+00:00", date(2026, 12, 3)),
        ("2026-12-04T03:59+00:00", date(2026, 12, 3)),
        ("2026-12-04T04:00+00:00", date(2026, 12, 4)),
        # The hour that is there twice, and the one that is not there: five o'clock is five o'clock.
        ("2026-10-25T03:59+00:00", date(2026, 10, 24)),
        ("2026-10-25T04:00+00:00", date(2026, 10, 25)),
        ("2026-03-29T02:59+00:00", date(2026, 3, 28)),
        ("2026-03-29T03:00+00:00", date(2026, 3, 29)),
    ],
)
def test_a_night_ends_at_five_on_the_clock_of_the_club(moment, night):
    assert night_of(datetime.fromisoformat(moment), "Europe/Berlin") == night


# -- moved ----------------------------------------------------------------------------------------------------------


def scorer_with_link(club, game):
    scorer = member_of(club, "scorer")
    return Actor.of_user(scorer.user, scorer.user.memberships.all(), link=link_to(game)[0])


def test_quick_game_moves_into_a_club_with_its_players(club):
    annika, _bernd = add(club, "Annika", "Bernd")
    game = make_game(seats=3, rounds=2, length=3)
    seats, by = seat_ids(game), scorer_with_link(club, game)
    rounds = list(game.rounds.order_by("number").values())

    outcome = move_game(game, club, players={seats[0]: annika.pk, seats[2]: "Cemal"}, by=by)

    new = Player.objects.get(name="Cemal")
    assert (fresh(game).club, players_at(game)) == (club, [annika.pk, None, new.pk])
    assert [seat.name for seat in seats_of(game)] == ["Annika", "Bernd", "Cem"]
    assert (outcome.game.version, list(game.rounds.order_by("number").values())) == (game.version + 1, rounds)
    entry = game.entries.latest("version")
    assert (entry.kind, entry.user, entry.payload) == (
        Entry.Kind.MOVED,
        by.user,
        {
            "club": club.pk,
            "from": None,
            "players": {str(seats[0]): annika.pk, str(seats[2]): new.pk},
            "night": fresh(game).night.isoformat(),
        },
    )
    assert differences_of(game.pk) == []


def test_rows_that_disagree_with_the_journal_are_found_and_rewritten(club):
    annika, bernd = add(club, "Annika", "Bernd")
    game = finished(club, [annika, bernd])
    confirm(game, seen=game.version, by=OPERATOR)
    game.seats.filter(position=2).update(player=None)
    game.seats.filter(position=1).update(player=None)
    Game.objects.filter(pk=game.pk).update(club=None, night=None, counted=False, confirmed_version=None)

    assert len(differences_of(game.pk)) == 4
    rewrite(game.pk)

    # The statistics do not know what the rows said meanwhile, so all of the club's are made anew.
    assert statistics.differences_of(club) == []

    assert differences_of(game.pk) == []
    assert (fresh(game).club, fresh(game).is_confirmed, players_at(game)) == (club, True, [annika.pk, bernd.pk, None])


def test_managers_of_both_move_a_game_on(club):
    other = make_club("Ziel")
    here, there = add(club, "Annika"), add(other, "Annika")
    game = finished(club, here)
    manager = member_of(club, "manager")
    other.memberships.create(user=manager.user, role="manager")
    refused(PermissionDenied, "", move_game, game, other, players={}, by=member_of(other, "owner"))
    refused(PermissionDenied, "", move_game, game, other, players={}, by=member_of(club, "owner"))

    move_game(game, other, players={seat_ids(game)[0]: there[0].pk}, by=actor_of(manager.user))

    assert (fresh(game).club, players_at(game)) == (other, [there[0].pk, None, None])
    assert game.entries.latest("version").payload["from"] == club.pk
    assert differences_of(game.pk) == []


def test_players_change_seats_within_their_club(club):
    annika, bernd = add(club, "Annika", "Bernd")
    game = finished(club, [annika, bernd])
    first, second, _third = seat_ids(game)

    move_game(game, club, players={first: bernd.pk, second: annika.pk}, by=member_of(club, "scorer"))

    assert players_at(game) == [bernd.pk, annika.pk, None]
    same = {first: bernd.pk, second: annika.pk}
    refused(Conflict, "nothing_changed", move_game, game, club, players=same, by=owner_of(club))
    assert differences_of(game.pk) == []


def test_confirmed_game_stays_confirmed_and_only_managers_move_it(club):
    (annika,) = add(club, "Annika")
    game = finished(club)
    confirm(game, seen=game.version, by=owner_of(club))
    seat = seat_ids(game)[0]

    refused(PermissionDenied, "", move_game, game, club, players={seat: annika.pk}, by=member_of(club, "scorer"))
    move_game(game, club, players={seat: annika.pk}, by=member_of(club, "manager"))

    assert (fresh(game).is_confirmed, players_at(game)[0]) == (True, annika.pk)
    assert differences_of(game.pk) == []


def test_moves_that_cannot_be(club):
    annika, bernd = add(club, "Annika", "Bernd")
    (foreign,) = add(make_club("Andere"), "Cem")
    game, strange = make_game(seats=3), make_game(seats=3)
    first, second, _third = seat_ids(game)
    by = scorer_with_link(club, game)

    refused(Conflict, "seat_unknown", move_game, game, club, players={seat_ids(strange)[0]: annika.pk}, by=by)
    refused(Conflict, "player_unknown", move_game, game, club, players={first: foreign.pk}, by=by)
    refused(
        rules.RulesError, "player_twice", move_game, game, club, players=dict.fromkeys((first, second), bernd.pk), by=by
    )
    refused(rules.RulesError, "player_name_taken", move_game, game, club, players={first: "annika"}, by=by)
    for nobody in (keeper_of(game), member_of(club, "owner"), watcher_of(game), owner_of(make_club("Dritte"))):
        refused(PermissionDenied, "", move_game, game, club, players={}, by=nobody)


def test_move_with_the_same_key_moves_once(club):
    game = make_game(seats=3)
    by, players = scorer_with_link(club, game), {seat_ids(game)[0]: "Annika"}
    move_game(game, club, players=players, by=by, key="k")
    before = stored()

    assert move_game(game, club, players=players, by=by, key="k").repeated is True
    assert stored() == before
    refused(Conflict, "key_reused", move_game, game, club, players={}, by=by, key="k")
    assert newest_of(game) == 2
