"""Play a whole game through the generated client, as an app would: python play.py ADDRESS TOKEN CLUB

Prints the game's id and its seats' totals as it has added them up itself; ends with an error if anything is unexpected.
"""

from __future__ import annotations

import json
import sys
from http import HTTPStatus
from typing import Any, TypeVar

from tafelrunde_client import AuthenticatedClient
from tafelrunde_client.api.games import (
    clubs_changes,
    games_list,
    games_read,
    games_record_bids,
    games_record_tricks,
    games_reopen,
    games_sheet,
    games_start,
)
from tafelrunde_client.models import (
    Bids,
    BidShape,
    Changes,
    ForAReason,
    Game,
    ListedGamePage,
    NewGame,
    NewSeat,
    Problem,
    StartedGame,
    Tricks,
    TricksShape,
)
from tafelrunde_client.types import Response

SEATS = ("Annika", "Bernd", "Cem", "Dora")

Shape = TypeVar("Shape")


def good(answer: Response[Any], shape: type[Shape]) -> Shape:
    """Return what a good answer holds."""
    if not isinstance(answer.parsed, shape):
        raise SystemExit(f"{answer.status_code}: {answer.content!r}")
    return answer.parsed


def same(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise SystemExit(f"{what}: {found!r}, not {expected!r}")


def points_of(bid: int, tricks: int) -> int:
    return 20 + 10 * tricks if bid == tricks else -10 * abs(bid - tricks)


def play(client: AuthenticatedClient, club: int) -> dict[str, Any]:
    # Started twice with one key: there is one game.
    new = NewGame(club=club, seats=[NewSeat(name=name, add=True) for name in SEATS])
    started = [games_start.sync_detailed(client=client, body=new, idempotency_key="the-first-game") for _ in range(2)]
    game, again = (good(answer, StartedGame).game for answer in started)
    same(again.id, game.id, "the repeat's game")
    same(started[1].headers.get("Idempotency-Replayed"), "true", "the repeat")

    totals = {seat.id: 0 for seat in game.seats}
    while game.stage.name != "finished":
        number, cards, order = game.stage.round_, game.stage.cards, game.stage.bidding_order
        assert number is not None
        assert cards is not None
        taken = [cards if place == number % len(order) else 0 for place in range(len(order))]
        spoken = [(number + place) % (cards + 1) for place in range(len(order))]
        bids = Bids(
            bids=[BidShape(seat=seat, bid=bid) for seat, bid in zip(order, spoken, strict=True)], seen=game.stage.seen
        )
        game = good(games_record_bids.sync_detailed(game.id, client=client, body=bids), Game)
        same(game.stage.name, "playing", "the stage after the bids")

        # What somebody else has done meanwhile is not overwritten.
        late = games_record_bids.sync_detailed(game.id, client=client, body=bids)
        same((late.status_code, good(late, Problem).code), (HTTPStatus.CONFLICT, "stale"), "bids that come late")

        tricks = [TricksShape(seat=seat, tricks=count) for seat, count in zip(order, taken, strict=True)]
        body = Tricks(tricks=tricks, seen=game.stage.seen)
        answer = games_record_tricks.sync_detailed(
            game.id, client=client, body=body, idempotency_key=f"tricks-{number}"
        )
        game = good(answer, Game)
        for seat, bid, count in zip(order, spoken, taken, strict=True):
            totals[seat] += points_of(bid, count)
        same({seat.id: seat.total for seat in game.seats}, totals, f"totals after round {number}")

    # What is known already is not sent again.
    read = games_read.sync_detailed(game.id, client=client)
    same(good(read, Game), game, "the game as it is read")
    known = games_read.sync_detailed(game.id, client=client, if_none_match=read.headers["ETag"])
    same(known.status_code, HTTPStatus.NOT_MODIFIED, "the game that is known")
    reason = ForAReason(reason="A number was wrong")
    stale = games_reopen.sync_detailed(game.id, client=client, body=reason, if_match='"1-0"')
    same(good(stale, Problem).code, "version_stale", "a change of an old version")

    listed = good(games_list.sync_detailed(club, client=client), ListedGamePage)
    same([(one.id, one.state) for one in listed.results], [(game.id, "finished")], "the club's games")
    changes = good(clubs_changes.sync_detailed(club, client=client), Changes)
    same([one.version for one in changes.changes], list(range(1, game.version + 1)), "the changes of the club")
    sheet = good(games_sheet.sync_detailed(game.id, client=client), str)
    same(len(sheet.splitlines()), 1 + 15 * len(SEATS), "the lines of the sheet")
    return {"game": game.id, "totals": [totals[seat.id] for seat in game.seats]}


if __name__ == "__main__":
    address, token, club = sys.argv[1:]
    with AuthenticatedClient(address, token) as client:
        print(json.dumps(play(client, int(club))))
