"""Hidden and secret bids: no answer to anybody depends on a bid that is not shown yet.

Each scene is played twice, with other bids, and everything that the API answers has to be the same both times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import time_machine
from django.db import transaction

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Game
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import add, make_club, make_user, member_of, owner_of
from tests.scoresheets.factories import (
    enter_tricks,
    fresh,
    link_to,
    newest_of,
    open_round,
    playing_of,
    seat_ids,
)

pytestmark = pytest.mark.django_db

HIDDEN = rules.HouseRules(hidden_bids=True, plus_minus_one=True, specials=("CLOUD",), blind_bids=True)
SECRET = rules.HouseRules(secret_bids=True, specials=("CLOUD",), blind_bids=True)
#: Two ways to bid: neither adds up with 5 cards, and the cloud can change each of them either way.
ONE, OTHER = (1, 2, 4), (3, 3, 2)
TRICKS = (2, 2, 1)
NAMES = ("Annika", "Bernd", "Cem", "Dora")


def start(house: rules.HouseRules, club: Club, rounds: int = 3) -> Game:
    """Return a game of the club in which the first round has been played; the fourth one left after it."""
    players = [player.pk for player in club.players.filter(name__in=NAMES).order_by("pk")]
    started = recording.start_game(
        NAMES, house, first_dealer=0, ladder="free", cards=[5] * rounds, club=club, players=players, by=OPERATOR
    )
    game = started.game
    together(game, (0, 0, 0, 0))
    recording.leave_table(game, seat=seat_ids(game)[3], cards=[5] * (rounds - 1), seen=fresh(game).version, by=OPERATOR)
    return fresh(game)


def together(game: Game, bids: tuple[int, ...], *, cloud: bool = False) -> None:
    """Record a round at once."""
    seats = [seat.pk for seat in playing_of(game)]
    recording.record_round(
        game,
        bids=dict(zip(seats, bids, strict=True)),
        taken=dict(zip(seats, (*TRICKS, 0), strict=False)),
        clouds={seats[0]: 1} if cloud else {},
        seen=open_round(game).stage_version,
        by=OPERATOR,
    )


def some(game: Game, bids: tuple[int, ...], places: range | tuple[int, ...] = (0, 1)) -> None:
    """Record the bids of some places, one after the other."""
    for place in places:
        seats = seat_ids(game)
        seen = open_round(game).stage_version
        recording.record_bids(
            game, bids={seats[place]: bids[place]}, blind=[seats[1]] if place == 1 else [], seen=seen, by=OPERATOR
        )


def back(game: Game) -> None:
    recording.step_back(game, undoes=newest_of(game), by=OPERATOR)


# -- scenes: what is done with bids that are never shown -----------------------------------------------------------


def two_have_bid(game: Game, bids: tuple[int, ...]) -> None:
    some(game, bids)


def stepped_back(game: Game, bids: tuple[int, ...]) -> None:
    some(game, bids)
    back(game)


def stepped_back_from_the_tricks(game: Game, bids: tuple[int, ...]) -> None:
    some(game, (0, *bids[1:]), (1, 2, 0))
    if not game.secret_bids:
        # Once all are in they are shown: only those that are bid anew are not.
        return
    back(game)


def dealt_anew(game: Game, bids: tuple[int, ...]) -> None:
    some(game, bids)
    game = fresh(game)
    recording.come_back(game, seat=seat_ids(game)[3], cards=[5, 5], seen=game.version, by=OPERATOR)


def ended_early(game: Game, bids: tuple[int, ...]) -> None:
    some(game, bids)
    recording.end_early(game, by=OPERATOR)


def reopened_after_its_end(game: Game, bids: tuple[int, ...]) -> None:
    ended_early(game, bids)
    recording.reopen(game, by=OPERATOR)


def voided(game: Game, bids: tuple[int, ...]) -> None:
    some(game, bids)
    recording.void(game, reason="No", by=OPERATOR)


def all_have_bid(game: Game, bids: tuple[int, ...]) -> None:
    some(game, bids, (0, 1, 2))


def taken_back_after_scoring(game: Game, bids: tuple[int, ...]) -> None:
    together(game, bids, cloud=True)
    back(game)


def corrected_and_taken_back(game: Game, bids: tuple[int, ...]) -> None:
    together(game, (0, 0, 1))
    seats = seat_ids(game)[:3]
    scored = game.rounds.get(number=2)
    values = recording.RoundValues(
        bids=dict(zip(seats, bids, strict=True)),
        taken=dict(zip(seats, TRICKS, strict=True)),
        clouds={seats[0]: 1},
        blind=[seats[1]],
    )
    recording.correct_round(game, number=2, values=values, seen=scored.changed_version, by=OPERATOR)
    recording.step_back(game, undoes=game.rounds.get(number=2).changed_version, by=OPERATOR)


BOTH = (two_have_bid, stepped_back, dealt_anew, ended_early, reopened_after_its_end, voided)
SCENES = [
    *(pytest.param(HIDDEN, scene, id=f"hidden-{scene.__name__}") for scene in BOTH),
    *(pytest.param(SECRET, scene, id=f"secret-{scene.__name__}") for scene in BOTH),
    *(
        pytest.param(SECRET, scene, id=f"secret-{scene.__name__}")
        for scene in (
            *(all_have_bid, stepped_back_from_the_tricks, taken_back_after_scoring, corrected_and_taken_back),
        )
    ),
]


@contextmanager
def undone() -> Iterator[None]:
    """Take everything back that is written inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def answers(apps: dict[str, Api], club: Club, game: Game) -> dict[tuple[str, str], Any]:
    """Return everything that the API answers to everybody about the game, and to what they try with it."""
    path = f"games/{game.pk}/"
    reads = [path, f"{path}sheet/", f"{path}journal/", f"clubs/{club.pk}/games/", f"clubs/{club.pk}/changes/"]
    # Whoever has the pen is told the most: by them all the rest is asked.
    more = [
        *(f"{path}?rounds=none", f"{path}corrections/", f"{path}corrections/?format=csv"),
        *(f"{path}journal/?ordering=-version", f"{path}journal/?format=csv", f"{path}journal/?kind=round_corrected"),
        f"clubs/{club.pk}/games/?halted=voided&format=csv",
    ]
    found = {}
    for who, api in apps.items():
        for read in [*reads, *(more if who == "owner" else ())]:
            answer = api.get(read)
            found[who, read] = (answer.status, answer.text, answer.headers.get("ETag"))
        for act, body in tries(game) if who == "owner" else ():
            with undone():
                answer = api.post(f"{path}{act}", body, If_Match="*")
                found[who, f"{act} {body}"] = (answer.status, answer.text)
    return found


def tries(game: Game) -> list[tuple[str, Any]]:
    """Return acts whose answers must not tell more than the game: refused ones, and those that change little."""
    seats = list(game.seats.order_by("position").values_list("pk", flat=True))
    current = game.rounds.exclude(state="scored").first()
    seen = current.stage_version if current else fresh(game).version
    bids = [{"seat": seat, "bid": 9} for seat in seats[:3]]
    tricks = [{"seat": seat, "tricks": 9} for seat in seats[:3]]
    return [
        ("bids/", {"seen": seen, "bids": bids}),
        ("bids/", {"seen": seen, "bids": bids[:1]}),
        ("bids/", {"seen": seen, "bids": bids[2:]}),
        ("bids/", {"seen": seen - 1, "bids": bids[2:]}),
        ("tricks/", {"seen": seen, "tricks": tricks}),
        ("tricks/", {"seen": seen, "tricks": [{"seat": seat, "tricks": 1} for seat in seats[:3]]}),
        ("round/", {"seen": seen, "bids": bids[2:], "tricks": tricks}),
        ("trump/", {"round": 2, "trump": "R"}),
        ("adjustments/", {"seat": seats[0], "points": 5, "reason": "Misdeal"}),
        ("pause/", None),
        ("step-back/", {"undoes": 1}),
        ("step-back/", {"undoes": newest_of(game)}),
        ("corrections/preview/", {"round": 2, "bids": bids, "tricks": tricks}),
    ]


@pytest.mark.parametrize(("house", "scene"), SCENES)
def test_answers_are_the_same_whatever_was_bid(house, scene: Callable[..., None]):
    club = make_club(visibility="public")
    add(club, *NAMES)
    with time_machine.travel("2026-12-01T20:00:00Z", tick=False):
        game = start(house, club)
        apps = {
            "stranger": Api.of(make_user("Stranger")),
            "member": Api.of(member_of(club)),
            "owner": Api.of(owner_of(club)),
            "watcher": Api(**{"Game-Link": link_to(game, "watch")[1]}),
        }
        first, second = (_played(apps, club, game, scene, bids) for bids in (ONE, OTHER))

    for key, answer in first.items():
        assert second[key] == answer, key


def _played(
    apps: dict[str, Api], club: Club, game: Game, scene: Callable[..., None], bids: tuple[int, ...]
) -> dict[tuple[str, str], Any]:
    with undone():
        scene(game, bids)
        found = answers(apps, club, game)
    # Sequences are not taken back everywhere.
    return {key: (status, _without_ids(text), *rest) for key, (status, text, *rest) in found.items()}


def _without_ids(text: str) -> str:
    return re.sub(r'"next_since":\d+', "", text)


def test_the_comparison_finds_bids_that_are_shown():
    """The same without cover: the answers differ, so the comparison above can fail."""
    club = make_club(visibility="public")
    add(club, *NAMES)
    with time_machine.travel("2026-12-01T20:00:00Z", tick=False):
        game = start(rules.HouseRules(blind_bids=True), club)
        apps = {"stranger": Api.of(make_user("Stranger"))}
        first, second = (_played(apps, club, game, two_have_bid, bids) for bids in (ONE, OTHER))
    differ = {what for _who, what in first if first[_who, what] != second[_who, what]}
    path = f"games/{game.pk}/"
    assert {path, f"{path}sheet/", f"{path}journal/", f"clubs/{club.pk}/changes/"} <= differ


@pytest.mark.parametrize("house", [HIDDEN, SECRET])
def test_bids_are_told_once_they_are_shown(house):
    club = make_club()
    add(club, *NAMES)
    game = start(house, club)
    api = Api.of(owner_of(club))
    some(game, ONE)
    covered = api.get(f"games/{game.pk}/").body["rounds"][1]
    journal = api.get(f"games/{game.pk}/journal/?ordering=-version").body["results"]
    some(game, ONE, (2,))
    if game.secret_bids:
        assert api.get(f"games/{game.pk}/").body["rounds"][1]["bid_sum"] is None
        enter_tricks(game, TRICKS)

    seats = seat_ids(game)
    shown = api.get(f"games/{game.pk}/").body["rounds"][1]
    told = api.get(f"games/{game.pk}/journal/?ordering=-version").body["results"]
    assert [(bid["seat"], bid["bid"], bid["blind"]) for bid in covered["bids"]] == [
        (seats[0], None, False),
        (seats[1], None, True),
    ]
    assert covered["bid_sum"] is None
    assert journal[0]["payload"] == {"round": 2, "bids": {str(seats[1]): None}, "blind": [seats[1]]}
    assert [bid["bid"] for bid in shown["bids"]] == list(ONE)
    assert {"round": 2, "bids": {str(seats[1]): 2}, "blind": [seats[1]]} in [one["payload"] for one in told]


def test_whole_sheet_that_is_taken_up_again_covers_its_last_round():
    rounds = [rules.PlayedRound((0, 0, 0), TRICKS), rules.PlayedRound((1, 2, 4), TRICKS)]
    house = rules.HouseRules(secret_bids=True)
    started = recording.record_sheet(
        NAMES[:3], house, first_dealer=0, rounds=rounds, ladder="free", cards=[5, 5], by=OPERATOR
    )
    api = Api(**{"Game-Link": started.secret})
    before = api.get(f"games/{started.game.pk}/journal/").body["results"][1]["payload"]["rounds"]
    recording.reopen(started.game, by=OPERATOR)

    after = api.get(f"games/{started.game.pk}/journal/").body["results"][1]["payload"]["rounds"]

    seats = [str(seat) for seat in seat_ids(started.game)]
    assert [played["bids"] for played in before] == [
        dict(zip(seats, (0, 0, 0), strict=True)),
        dict(zip(seats, (1, 2, 4), strict=True)),
    ]
    assert [played["bids"] for played in after] == [before[0]["bids"], dict.fromkeys(seats)]


def test_refusal_of_a_cloud_does_not_say_the_secret_bid():
    club = make_club()
    add(club, *NAMES)
    game = start(SECRET, club)
    some(game, (5, 0, 0), (0, 1, 2))
    seats = seat_ids(game)
    tricks = [{"seat": seat, "tricks": taken} for seat, taken in zip(seats[:3], (5, 0, 0), strict=True)]
    sent = {"seen": open_round(game).stage_version, "tricks": tricks, "clouds": [{"seat": seats[0], "delta": 1}]}
    # Without the upper limit the cloud may raise every bid.
    assert game.cloud_upper_clamp

    answer = Api.of(owner_of(club)).post(f"games/{game.pk}/tricks/", sent)

    assert answer.problems == [("cloud_bid_out_of_range", "clouds")]
    assert answer.body["seat"] == seats[0]
    assert not re.search(r"\d", answer.body["detail"])
