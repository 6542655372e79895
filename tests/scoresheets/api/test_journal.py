from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Entry, Game
from scoresheets.recording.accounts import delete_account
from tests.scoresheets.api.game_acts import grid
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import add, club_game, make_club, make_user, member_of, owner_of
from tests.scoresheets.factories import enter_bids, fresh, link_to, make_game, play_round, seat_ids

pytestmark = pytest.mark.django_db


def entries(api: Api, game: Game, query: str = "", of: str = "journal") -> list[dict[str, Any]]:
    return api.get(f"games/{game.pk}/{of}/{query}").body["results"]


def test_journal_tells_who_did_what_when_and_why():
    club = make_club()
    scorer = member_of(club, "scorer", "Skriba")
    game = club_game(club, add(club, "Annika"), length=2)
    link, secret = link_to(game, label="Tablet")
    app = Api.of(scorer)
    app.post(f"games/{game.pk}/bids/", {"seen": 1, "bids": grid(game, "bid", 1, 0, 0)})
    with_link = Api(**{"Game-Link": secret})
    with_link.post(f"games/{game.pk}/tricks/", {"seen": 2, "tricks": grid(game, "tricks", 1, 0, 0)})
    app.post(f"games/{game.pk}/abandon/", {"reason": "  Last   tram "}, If_Match="*")

    told = entries(app, game)

    first, second, third = map(str, seat_ids(game))
    assert [(one["version"], one["kind"], one["via"], one["who"], one["reason"]) for one in told] == [
        (1, "started", "command", None, ""),
        (2, "bids_recorded", "token", "Skriba", ""),
        (3, "tricks_recorded", "edit_link", "Tablet", ""),
        (4, "abandoned", "token", "Skriba", "Last tram"),
    ]
    assert told[1]["payload"] == {"round": 1, "bids": {first: 1, second: 0, third: 0}}
    assert told[2]["payload"] == {"round": 1, "taken": {first: 1, second: 0, third: 0}}
    assert told[3]["payload"] == {}
    assert [one["at"] for one in told] == sorted(one["at"] for one in told)
    assert entries(with_link, game) == told
    assert link.label == "Tablet"


def test_strangers_are_not_told_who_and_why():
    club = make_club(visibility="public")
    scorer = member_of(club, "scorer", "Skriba")
    game = club_game(club, length=2)
    recording.adjust_points(game, seat=seat_ids(game)[0], points=5, reason="For Skriba", by=scorer)

    for api in (Api(), Api.of(make_user("Stranger"))):
        for of in ("journal", "corrections"):
            answer = api.get(f"games/{game.pk}/{of}/?page_size=5")
            assert answer.status == 200
            assert "Skriba" not in answer.text
            (last,) = [one for one in answer.body["results"] if one["kind"] == "points_adjusted"]
            assert (last["who"], last["reason"], last["via"]) == (None, "", "login")
    assert entries(Api.of(member_of(club)), game)[-1]["who"] == "Skriba"


def test_deleted_account_has_no_name():
    club = make_club()
    scorer = member_of(club, "scorer", "Skriba")
    game = club_game(club, length=2, by=scorer)
    delete_account(scorer.user, by=scorer)
    assert entries(Api.of(owner_of(club)), game)[0]["who"] == "deleted account"


def test_journal_in_pages_by_kind_and_backwards():
    game = make_game(seats=3, rounds=2, length=3)
    api = Api(**{"Game-Link": link_to(game)[1]})

    first = api.get(f"games/{game.pk}/journal/?page_size=2")
    second = api.get(first.body["next"])

    assert [one["version"] for one in first.body["results"] + second.body["results"]] == [1, 2, 3, 4]
    assert [one["version"] for one in entries(api, game, "?ordering=-version")] == [5, 4, 3, 2, 1]
    assert [one["version"] for one in entries(api, game, "?kind=tricks_recorded")] == [3, 5]
    assert api.get(f"games/{game.pk}/journal/?kind=spoken").problems == [("parameter_wrong", "kind")]


@pytest.mark.parametrize("rounds", [0, 12])
def test_journal_costs_the_same_whatever_its_length(rounds):
    club = make_club()
    game = club_game(club, length=15)
    Game.objects.filter(pk=game.pk).update(hidden_bids=True)
    for _ in range(rounds):
        play_round(game)
    api = Api.of(owner_of(club))
    entries(api, game)
    with CaptureQueriesContext(connection) as queries:
        assert len(entries(api, game)) == 1 + 2 * rounds
    assert len(queries) == 5


def test_corrections_say_what_was_and_what_is():
    club = make_club()
    game = club_game(club, length=2)
    first, second, _third = seat_ids(game)
    enter_bids(game, [1, 0, 0])
    recording.note_trump(game, number=1, trump="R", by=OPERATOR)
    recording.record_tricks(game, taken=dict.fromkeys(seat_ids(game), 0) | {first: 1}, seen=2, by=OPERATOR)
    api = Api.of(owner_of(club))
    body = {
        "round": 1,
        "bids": grid(game, "bid", 0, 0, 0),
        "tricks": grid(game, "tricks", 0, 1, 0),
        "reason": "Misread",
    }
    api.post(f"games/{game.pk}/corrections/", {**body, "reason": "Misread"}, If_Match="*")
    recording.rename_seat(fresh(game), seat=first, name="Xenia", by=OPERATOR)

    renamed, corrected = entries(api, game, of="corrections")

    assert (renamed["kind"], renamed["round"], renamed["differences"]) == ("seat_renamed", None, [])
    assert (corrected["kind"], corrected["round"], corrected["reason"]) == ("round_corrected", 1, "Misread")
    assert corrected["differences"] == [
        {"field": "bids", "seat": first, "before": 1, "after": 0},
        {"field": "taken", "seat": first, "before": 1, "after": 0},
        {"field": "taken", "seat": second, "before": 0, "after": 1},
        {"field": "trump", "seat": None, "before": "R", "after": ""},
    ]


def test_journal_is_complete():
    game = make_game(seats=3, rounds=1, length=2)
    told = entries(Api(**{"Game-Link": link_to(game)[1]}), game)
    assert [(one["version"], one["kind"], one["payload"]) for one in told] == list(
        Entry.objects.filter(game=game).order_by("version").values_list("version", "kind", "payload")
    )
