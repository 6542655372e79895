"""Games as a file that the app BG Stats takes in, in the form of its own exports.

Source: what such exports look like; there is no specification. Of a game it has points and places, never bids.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from scoresheets.queries.exports import ExportedGame, ExportedSeat

CONTENT_TYPE = "application/json"
#: The game's name, and its number in the catalogue of games that the app knows.
_GAME = {"id": 1, "name": "Wizard", "bggId": 1465, "bggName": "Wizard", "bggYear": 1984}
_KIND_OF_GAME = {
    "highestWins": True,
    "noPoints": False,
    "usesTeams": False,
    "cooperative": False,
    "minPlayerCount": 3,
    "maxPlayerCount": 6,
}
#: So many plays are sent together.
_PLAYS_A_CHUNK = 200
#: What took longer was left open, or written down later: the app then knows no time.
_MOST_MINUTES = 12 * 60


def bgstats_chunks(games: Iterable[ExportedGame], *, site: str, time_zone: str) -> Iterator[bytes]:
    """Yield the games as a JSON file, some hundred at once; times of day are those of the time zone.

    `site` is the address of this site: with it ids are the same each time, so that nothing comes in twice.
    """
    file = _File(site, ZoneInfo(time_zone))
    game = {**_GAME, "uuid": file.id_of("game"), **_KIND_OF_GAME}
    yield f'{{"games":[{_json(game)}],"locations":[],"plays":['.encode()
    plays: list[str] = []
    comma = ""
    for played in games:
        plays.append(_json(file.play(played)))
        if len(plays) == _PLAYS_A_CHUNK:
            yield (comma + ",".join(plays)).encode()
            plays, comma = [], ","
    yield (comma * bool(plays) + ",".join(plays)).encode()
    # Whom the plays name is known only now.
    yield f'],"players":{_json(list(file.players.values()))}}}'.encode()


class _File:
    """The file so far: the people that its plays have named, numbered from 1."""

    def __init__(self, site: str, zone: ZoneInfo) -> None:
        self.site, self.zone = site, zone
        self.players: dict[str, dict[str, Any]] = {}

    def id_of(self, what: str) -> str:
        """Return an id that is the same for the same thing of this site each time."""
        return str(uuid5(NAMESPACE_URL, f"{self.site}{what}")).upper()

    def play(self, game: ExportedGame) -> dict[str, Any]:
        """Return a game as a play; one that was ended early is kept, but left out of the app's statistics."""
        minutes = int((game.finished_at - game.started_at).total_seconds() // 60)
        after_dealer = (game.first_dealer + 1) % len(game.seats)
        return {
            "uuid": self.id_of(f"games/{game.id}"),
            "gameRefId": _GAME["id"],
            "playDate": self._moment(game.started_at),
            "entryDate": self._moment(game.finished_at),
            "modificationDate": self._moment(game.finished_at),
            "durationMin": minutes if 0 <= minutes <= _MOST_MINUTES else 0,
            "rounds": max(seat.rounds for seat in game.seats),
            "ignored": game.incomplete,
            "manualWinner": False,
            "usesTeams": False,
            "comments": "",
            "playerScores": [
                {
                    "playerRefId": self._number_of(game, seat),
                    "score": str(seat.total),
                    "rank": seat.place or 0,
                    "winner": seat.place == 1,
                    "seatOrder": place + 1,
                    "startPlayer": place == after_dealer,
                    "newPlayer": False,
                }
                for place, seat in enumerate(game.seats)
            ],
        }

    def _number_of(self, game: ExportedGame, seat: ExportedSeat) -> int:
        key = f"players/{seat.player}" if seat.player is not None else f"names/{seat.name.casefold()}"
        known = self.players.setdefault(
            key,
            {
                "id": len(self.players) + 1,
                "uuid": self.id_of(key),
                "name": seat.name,
                "isAnonymous": False,
                "modificationDate": self._moment(game.finished_at),
            },
        )
        return int(known["id"])

    def _moment(self, moment: datetime) -> str:
        return f"{moment.astimezone(self.zone):%Y-%m-%d %H:%M:%S}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
