"""Games of clubs: started there, moved there, their seats given to players."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

import rules
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Entry, Game, Player
from scoresheets.recording import Conflict, confirm, merge_players, move_game, rematch, start_game
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
    # The club, the role in it, the players.
    assert statements_of(lambda: start(club, players=ids[:3], by=by)) == 9
    assert statements_of(lambda: start(club, names=NAMES, players=ids, by=by)) == 9


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
        {"club": club.pk, "from": None, "players": {str(seats[0]): annika.pk, str(seats[2]): new.pk}},
    )
    assert differences_of(game.pk) == []


def test_rows_that_disagree_with_the_journal_are_found_and_rewritten(club):
    annika, bernd = add(club, "Annika", "Bernd")
    game = finished(club, [annika, bernd])
    confirm(game, seen=game.version, by=OPERATOR)
    game.seats.filter(position=2).update(player=None)
    game.seats.filter(position=1).update(player=None)
    Game.objects.filter(pk=game.pk).update(club=None, confirmed_version=None)

    assert len(differences_of(game.pk)) == 3
    rewrite(game.pk)

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
