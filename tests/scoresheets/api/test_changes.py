from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Entry, Game
from scoresheets.queries import changes
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import add, club_game, fill, make_club, make_user, member_of, owner_of
from tests.scoresheets.factories import enter_bids, fresh, make_game, newest_of, play_round, seat_ids


def told(api: Api, club: Club, since: Any = None) -> dict[str, Any]:
    query = "" if since is None else f"?since={since}"
    return api.get(f"clubs/{club.pk}/changes/{query}").body


def told_of(answer: dict[str, Any]) -> list[tuple[int, int, str]]:
    return [(one["game"], one["version"], one["kind"]) for one in answer["changes"]]


@pytest.mark.django_db
def test_changes_are_those_of_all_games_of_the_club_in_order():
    club, other = make_club(), make_club("Andere")
    first, second = club_game(club, length=2), club_game(club, length=2)
    api = Api.of(member_of(club))
    before = told(api, club)
    enter_bids(second)
    enter_bids(club_game(other))
    enter_bids(make_game(3))
    enter_bids(first)

    after = told(api, club, before["next_since"])

    assert told_of(before) == [(first.pk, 1, "started"), (second.pk, 1, "started")]
    assert told_of(after) == [(second.pk, 2, "bids_recorded"), (first.pk, 2, "bids_recorded")]
    assert told_of(told(api, club, after["next_since"])) == []
    assert told(api, club)["changes"] == before["changes"] + after["changes"]


@pytest.mark.django_db
def test_newest_is_where_to_go_on_from():
    club = make_club()
    game = club_game(club, length=2)
    api = Api.of(member_of(club))
    start = told(api, club, "newest")
    enter_bids(game)
    assert (start["changes"], start["has_more"]) == ([], False)
    assert told_of(told(api, club, start["next_since"])) == [(game.pk, 2, "bids_recorded")]


@pytest.mark.django_db
def test_nothing_yet():
    club = make_club()
    assert told(Api.of(owner_of(club)), club) == {"changes": [], "next_since": 0, "has_more": False}


@pytest.mark.django_db
@pytest.mark.parametrize(("most", "looked_at"), [(3, 10**6), (10**3, 3), (1, 1), (2, 7)])
def test_changes_in_portions_leave_nothing_out_and_tell_nothing_twice(monkeypatch, most, looked_at):
    club, other = make_club(), make_club("Andere")
    games = [club_game(club, length=4), club_game(other, length=4), club_game(club, length=4)]
    for _ in range(3):
        for game in games:
            play_round(game)
    monkeypatch.setattr("scoresheets.api.changes.MOST_ROWS", most)
    monkeypatch.setattr(changes, "MOST_LOOKED_AT", looked_at)
    api = Api.of(member_of(club))

    found, answer = [], told(api, club)
    while answer["has_more"]:
        assert len(answer["changes"]) <= most
        found += answer["changes"]
        answer = told(api, club, answer["next_since"])
    found += answer["changes"]

    entries = Entry.objects.filter(game__club=club).order_by("pk").values_list("game", "version", "kind")
    assert told_of({"changes": found}) == list(entries)


@pytest.mark.django_db
def test_first_entry_may_be_that_of_the_second_game():
    """Two games that begin at once take their numbers in one order, and those of their entries in the other."""
    club = make_club()
    fill(club, 3, 2)
    for game in Game.objects.order_by("-pk"):
        Entry.objects.create(game=game, version=1, kind="started", via="command")

    assert len(told(Api.of(owner_of(club)), club)["changes"]) == 2


@pytest.mark.django_db
def test_game_that_moves_is_told_of_in_both_clubs():
    club, other = make_club(), make_club("Andere")
    game = club_game(club, add(club, "Annika"), length=2)
    here, there = Api.of(owner_of(club)), Api.of(owner_of(other))
    since_here, since_there = told(here, club)["next_since"], told(there, other)["next_since"]
    recording.move_game(game, other, players={}, by=OPERATOR)
    enter_bids(game)

    left, came = told(here, club, since_here), told(there, other, since_there)

    assert told_of(left) == [(game.pk, 2, "moved")]
    assert left["changes"][0]["payload"] == {"from": club.pk}
    assert told_of(came) == [(game.pk, 2, "moved"), (game.pk, 3, "bids_recorded")]


@pytest.mark.django_db
def test_strangers_follow_public_clubs_and_are_told_no_names():
    club = make_club(visibility="public")
    scorer = member_of(club, "scorer", "Skriba")
    game = club_game(club, length=2, by=scorer)
    recording.abandon(game, reason="Skriba went home", by=scorer)
    for api in (Api(), Api.of(make_user("Stranger"))):
        answer = api.get(f"clubs/{club.pk}/changes/")
        assert told_of(answer.body) == [(game.pk, 1, "started"), (game.pk, 2, "abandoned")]
        assert "Skriba" not in answer.text
    assert told(Api.of(member_of(club)), club)["changes"][1]["reason"] == "Skriba went home"


@pytest.mark.django_db
@pytest.mark.parametrize("since", ["x", "-1", "1.5", "9" * 19, "%C2%B2"])
def test_since_that_is_none_is_refused(since):
    club = make_club()
    answer = Api.of(owner_of(club)).get(f"clubs/{club.pk}/changes/?since={since}")
    assert (answer.status, answer.problems) == (400, [("since_unknown", "since")])


@pytest.mark.django_db
@pytest.mark.parametrize("games", [1, 200])
def test_changes_cost_the_same_whatever_there_is(games):
    club = make_club()
    fill(club, 3, games)
    Entry.objects.bulk_create(
        Entry(game_id=game, version=1, kind="started", via="command")
        for game in Game.objects.order_by("pk").values_list("pk", flat=True)
    )
    Game.objects.update(hidden_bids=True)
    api = Api.of(owner_of(club))
    told(api, club)

    with CaptureQueriesContext(connection) as first:
        answer = told(api, club)
    with CaptureQueriesContext(connection) as later:
        told(api, club, answer["next_since"] - 1)

    assert len(answer["changes"]) == games
    assert (len(first), len(later)) == (7, 6)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres  # SQLite has one writer at a time
def test_entry_that_is_committed_late_is_not_passed_over(monkeypatch):
    """One writer has taken the lower id and does not end; a later one has written and ended."""
    waits = threading.Event()
    monkeypatch.setattr(changes.time, "sleep", lambda seconds: (waits.set(), may_end.wait(30)))
    club = make_club()
    slow, quick = club_game(club, length=2), club_game(club, length=2)
    since = changes.settled_id()
    assert since is not None
    has_written, may_end = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                recording.pause(slow, by=OPERATOR)
                has_written.set()
                may_end.wait(30)
        finally:
            connections.close_all()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert has_written.wait(30)
    recording.pause(quick, by=OPERATOR)
    # What a reader of the ids alone would go on from: the slow one is below that.
    naive = Entry.objects.latest("pk").pk
    during = []
    reader = threading.Thread(target=lambda: during.append(_read(club, since)))
    reader.start()
    assert waits.wait(30)
    assert during == []
    may_end.set()
    for thread in (writer, reader):
        thread.join(30)

    late = Entry.objects.get(game=slow, kind="paused")
    assert late.pk < naive
    (found,) = during
    assert [(row["game_id"], row["kind"]) for row in found.rows] == [(slow.pk, "paused"), (quick.pk, "paused")]
    assert found.next_since == naive


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres  # SQLite has one writer at a time
def test_nothing_is_told_while_a_writer_does_not_end(monkeypatch):
    club = make_club()
    slow, quick = club_game(club, length=2), club_game(club, length=2)
    since = changes.settled_id()
    assert since is not None
    monkeypatch.setattr(changes, "LONGEST_WAIT", 0)
    has_written, may_end = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                recording.pause(slow, by=OPERATOR)
                has_written.set()
                may_end.wait(30)
                transaction.set_rollback(True)
        finally:
            connections.close_all()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert has_written.wait(30)
    recording.pause(quick, by=OPERATOR)
    waiting = changes.changes_of(club.pk, since, most=10)
    may_end.set()
    writer.join(30)
    after = changes.changes_of(club.pk, since, most=10)

    assert (list(waiting.rows), waiting.next_since, waiting.has_more) == ([], since, False)
    # The slow one was rolled back: its id belongs to nothing.
    assert [row["game_id"] for row in after.rows] == [quick.pk]


def _read(club: Club, since: int) -> changes.Changes:
    try:
        return changes.changes_of(club.pk, since, most=10)
    finally:
        connections.close_all()


@pytest.mark.django_db
def test_fresh_game_counts_from_its_own_beginning():
    club = make_club()
    play_round(make_game(3))
    game = club_game(club, length=2)
    assert told_of(told(Api.of(owner_of(club)), club)) == [(game.pk, 1, "started")]
    assert newest_of(fresh(game)) == 1
    assert len(seat_ids(game)) == 3
