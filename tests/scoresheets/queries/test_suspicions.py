"""Games that look odd are found, their near misses are not, and looking costs the same whatever there is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

import rules
from scoresheets import recording, suspicion_words
from scoresheets.actors import OPERATOR
from scoresheets.models import Entry, Game, Import, ImportedGame, Player, Seat
from scoresheets.queries import suspicions as looking
from scoresheets.queries.suspicions import KINDS, suspicions
from tests.scoresheets.clubs import add, club_game, finished, make_club, owner_of
from tests.scoresheets.factories import fresh, make_game, newest_of, play_round, seat_ids, seats_of

pytestmark = pytest.mark.django_db

NAMES = ("Bernd", "Cem", "Doro")


@pytest.fixture
def club():
    return make_club("Runde")


def odd(kind="", **options):
    """Return what looks odd: code and values by game."""
    page = suspicions(kind=kind, **options)
    return {suspect.game.pk: [(code, dict(values)) for code, values in suspect.reasons] for suspect in page.suspects}


def codes(kind="", **options):
    return {game: [code for code, _values in reasons] for game, reasons in odd(kind, **options).items()}


def age(game, **back):
    """Let all that was written to a game be so much older."""
    Entry.objects.filter(game=game).update(at=F("at") - timedelta(**back))
    Game.objects.filter(pk=game.pk).update(started_at=F("started_at") - timedelta(**back))


def pace(game, *, seconds, kind="tricks_recorded"):
    """Let the rounds of a game have been written down so many seconds apart."""
    start = timezone.now() - timedelta(hours=3)
    for number, entry in enumerate(Entry.objects.filter(game=game, kind=kind).order_by("version")):
        Entry.objects.filter(pk=entry.pk).update(at=start + timedelta(seconds=seconds * number))


def sheet(club, players, *, cards=(1, 2, 3, 4), taker=0, days=0):
    """Return a typed-in sheet of three in which one seat always bids and takes all tricks."""
    all_of = [[hand if seat == taker else 0 for seat in range(3)] for hand in cards]
    started = recording.record_sheet(
        [player.name for player in players],
        rules.HouseRules(),
        first_dealer=0,
        rounds=[rules.PlayedRound(tuple(row), tuple(row)) for row in all_of],
        ladder="free",
        cards=cards,
        played_at=timezone.now() - timedelta(days=days + 1),
        by=OPERATOR,
        club=club,
        players=[player.pk for player in players],
    )
    return started.game


def results(club, points, players):
    names = [player.name for player in players]
    ids = [player.pk for player in players]
    return recording.record_results(names, points, by=OPERATOR, club=club, players=ids).game


def elsewhere(points):
    """Return results of the same names in another club."""
    other = make_club("Andere")
    return results(other, points, add(other, *NAMES))


def test_game_that_was_left_open_is_found(club):
    left, paused, played, quick = club_game(club, length=3), club_game(club, length=3), club_game(club), make_game()
    recording.pause(paused, by=OPERATOR)
    for game, days in ((left, 2), (paused, 9), (played, 1), (quick, 30)):
        age(game, days=days, hours=1)
    assert odd("open") == {
        left.pk: [("left_open", {"days": 2})],
        paused.pk: [("left_open", {"days": 9})],
        quick.pk: [("left_open", {"days": 30})],
    }
    # Somebody has written since.
    play_round(left)
    assert left.pk not in odd("open")


def test_game_that_was_given_up_in_the_middle_is_found(club):
    begun, untouched, voided = (club_game(club, length=4, rounds=rounds) for rounds in (2, 0, 2))
    for game in (begun, untouched):
        recording.abandon(game, by=OPERATOR)
    recording.void(voided, reason="Trying out", by=OPERATOR)
    assert odd() == {begun.pk: [("abandoned", {"rounds": 2, "planned": 4})]}


def test_game_written_faster_than_it_is_played_is_found(club):
    fast, slow, short = (club_game(club, rounds=rounds, length=rounds) for rounds in (4, 4, 3))
    for game, seconds in ((fast, 19), (slow, 20), (short, 1)):
        pace(game, seconds=seconds)
    # Whole sheets, and rounds that were recorded in one step, have no pace.
    sheet(club, add(club, *NAMES))
    assert odd("fast") == {fast.pk: [("too_fast", {"rounds": 4, "seconds": 57})]}


def test_same_people_with_the_same_points_in_one_night_are_found(club):
    players = add(club, *NAMES)
    first, again = results(club, [120, 80, -10], players), results(club, [-10, 120, 80], players[2:] + players[:2])
    near_misses = [
        results(club, [130, 80, -10], players),
        results(club, [120, 80, -10], add(club, "Emil", "Frida", "Gül")),
        elsewhere([120, 80, -10]),
    ]
    nights_away = results(club, [120, 80, -10], players)
    Game.objects.filter(pk=nights_away.pk).update(night=fresh(first).night - timedelta(days=1))
    assert odd("twice") == {
        first.pk: [("same_people", {"other": again.pk})],
        again.pk: [("same_people", {"other": first.pk})],
    }
    assert not {game.pk for game in near_misses} & set(odd("twice"))
    recording.void(again, reason="Twice", by=OPERATOR)
    assert odd("twice") == {}


def test_duplicates_that_were_merged_are_one_person(club):
    players = add(club, *NAMES, "Berndt")
    results(club, [120, 80, -10], players[:3])
    results(club, [120, 80, -10], [players[3], *players[1:3]])
    assert odd("twice") == {}
    recording.merge_players(players[0], players[3], by=owner_of(club))
    assert list(codes("twice").values()) == [["same_people"], ["same_people"]]


def test_same_rounds_are_found_whoever_sat_there_and_whenever(club):
    players, others = add(club, *NAMES), add(club, "Emil", "Frida", "Gül")
    one = sheet(club, players)
    two = sheet(club, others, days=30, taker=2)
    sheet(club, players, cards=(1, 2, 3, 5), days=3)
    for days in (5, 6):
        sheet(club, players, cards=(1, 2, 3), days=days)
    other = make_club("Andere")
    sheet(other, add(other, *NAMES), days=9)
    assert odd("twice") == {
        one.pk: [("same_rounds", {"other": two.pk})],
        two.pk: [("same_rounds", {"other": one.pk})],
    }


def test_missing_rounds_are_found(club):
    usual = [club_game(club, length=4) for _ in range(5)]
    short, ended, longer = club_game(club, length=3), club_game(club, length=4, rounds=2), club_game(club, length=5)
    recording.end_early(ended, by=OPERATOR)
    assert odd("short") == {
        short.pk: [("short_plan", {"planned": 3, "usual": 4, "players": 3})],
        ended.pk: [("ended_early", {"rounds": 2, "planned": 4})],
    }
    # Too few to say what is usual.
    recording.void(usual[0], reason="Trying out", by=OPERATOR)
    recording.void(ended, reason="Trying out", by=OPERATOR)
    assert odd("short") == {}
    assert longer.pk not in odd()


def test_imported_game_that_contradicts_its_file_is_found(club):
    players = add(club, *NAMES)
    wrong, right = results(club, [10, 20, 30], players), results(club, [10, 20, 40], players)
    now = timezone.now()
    done = Import.objects.create(
        club=club, by=owner_of(club).user, file_name="a.csv", state="done", begun_at=now, ended_at=now
    )
    notes = [{"code": "points_mismatch", "params": {}}] * 2
    for place, (game, noted) in enumerate(((wrong, notes), (right, [])), start=1):
        ImportedGame.objects.create(of_import=done, place=place, row=place, state="made", game=game, notes=noted)
    assert odd("import") == {wrong.pk: [("mismatch", {"count": 2})]}


def test_late_changes_are_found(club):
    club.locks_after = 24
    club.save()
    locked, early, agreed, before = (finished(club) for _ in range(4))
    recording.confirm(agreed, seen=newest_of(agreed), by=owner_of(club))
    for game in (locked, early, agreed, before):
        recording.adjust_points(game, seat=seat_ids(game)[0], points=10, reason="Slip", by=OPERATOR)
    recording.confirm(before, seen=newest_of(before), by=owner_of(club))
    for game, hours in ((locked, 24 + 49), (early, 23)):
        Game.objects.filter(pk=game.pk).update(finished_at=F("finished_at") - timedelta(hours=hours))
    assert odd("late") == {
        locked.pk: [("after_lock", {"days": 2})],
        agreed.pk: [("after_confirmation", {})],
    }


def test_odd_points_are_found(club):
    players = add(club, *NAMES)
    most = sum(20 + 10 * cards for cards in range(1, 21))
    possible = results(club, [most, 0, -most + 20 * 20], players)
    above, uneven = results(club, [most + 10, 0, 10], players), results(club, [120, 85, 40], players)
    below = results(club, [0, 20, -most + 20 * 20 - 10], players)
    given, a_little = finished(club), finished(club)
    for game, points in ((given, -100), (a_little, 90)):
        recording.adjust_points(game, seat=seat_ids(game)[1], points=points, reason="Late", by=OPERATOR)
    name = seats_of(given)[1].name
    assert odd("points") == {
        above.pk: [("impossible_points", {"name": "Bernd", "points": most + 10})],
        uneven.pk: [("impossible_points", {"name": "Cem", "points": 85})],
        below.pk: [("impossible_points", {"name": "Doro", "points": -most + 20 * 20 - 10})],
        given.pk: [("adjusted", {"name": name, "points": -100})],
    }
    assert possible.pk not in odd("points")


def test_somebody_at_one_table_twice_is_found(club):
    players = add(club, *NAMES)
    game, other = finished(club, players), finished(club, players)
    # Recording refuses it: such rows come from elsewhere.
    again = add(club, "Berndt")[0]
    Seat.objects.filter(game=game, player=players[1]).update(player=again)
    assert odd("person") == {}
    Player.objects.filter(pk=again.pk).update(canonical=players[0])
    assert odd("person") == {game.pk: [("same_person", {"name": "Bernd"})]}
    assert other.pk not in odd("person")


# -- pages ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def left_open(club):
    """Seven games that were left open, oldest first, each begun a day after the one before."""
    games = [club_game(club, length=3) for _ in range(7)]
    for number, game in enumerate(games):
        age(game, days=30 - number)
    return [game.pk for game in games]


@pytest.mark.parametrize("of_club", [True, False])
@pytest.mark.parametrize(("window", "a_page"), [(3, 50), (500, 3), (3, 2), (7, 7)])
def test_pages_show_each_game_once(club, left_open, monkeypatch, window, a_page, of_club):
    monkeypatch.setattr(looking, "WINDOW", window)
    monkeypatch.setattr(looking, "A_PAGE", a_page)
    found, looked_at, before = [], 0, None
    while True:
        page = suspicions(club=club if of_club else None, before=before)
        found += [suspect.game.pk for suspect in page.suspects]
        looked_at += page.looked_at
        if page.older is None:
            break
        assert page.older != before
        before = page.older
    assert found == left_open[::-1]
    assert looked_at == 7


def test_club_goes_by_when_games_were_played(club, left_open):
    Game.objects.filter(pk=left_open[0]).update(started_at=timezone.now() - timedelta(days=3))
    assert list(odd(club=club)) == [left_open[0], *left_open[:0:-1]]
    assert list(odd()) == left_open[::-1]


def test_other_clubs_games_are_not_shown(club, left_open):
    other = make_club("Andere")
    assert odd(club=other) == {}
    # Nor may another club's game be where a page begins.
    assert list(odd(club=other, before=left_open[3])) == []
    elsewhere = club_game(other, length=3)
    age(elsewhere, days=99)
    assert list(odd(club=club, before=elsewhere.pk)) == left_open[::-1]


def test_twins_across_two_pages_are_found(club, monkeypatch):
    monkeypatch.setattr(looking, "WINDOW", 1)
    players = add(club, *NAMES)
    first, again = results(club, [120, 80, -10], players), results(club, [120, 80, -10], players)
    assert odd("twice", club=club) == {again.pk: [("same_people", {"other": first.pk})]}


@pytest.mark.parametrize("kind", ["", *KINDS])
def test_statements_are_the_same_whatever_there_is(club, kind, django_assert_num_queries):
    players = add(club, *NAMES)
    newest = results(club, [125, 80, -10], players)
    for games in (1, 6):
        for _ in range(games):
            age(club_game(club, players, rounds=2, length=4), days=4)
        with django_assert_num_queries(4):
            suspicions(kind=kind)
        with django_assert_num_queries(5):
            suspicions(club=club, kind=kind, before=newest.pk)


def test_every_kind_and_code_has_words():
    assert list(suspicion_words.KINDS) == list(KINDS)
    values = {"days": 2, "rounds": 2, "planned": 3, "seconds": 4, "other": 5, "usual": 6, "players": 3, "count": 1}
    values |= {"name": "Bernd", "points": -30}
    for code in suspicion_words.SENTENCES:
        assert suspicion_words.sentence(code, values)[-1] in ".:"
