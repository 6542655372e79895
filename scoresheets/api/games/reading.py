"""Reading games: those of a club, one with everything in it, and its sheet for spreadsheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from scoresheets import permissions
from scoresheets.api import csv
from scoresheets.api.games.bodies import etag_of, game_body, listed_bodies
from scoresheets.api.games.filters import GameFilter
from scoresheets.api.games.shapes import GameAnswer, ListedGameAnswer
from scoresheets.api.pagination import Order
from scoresheets.api.problems import refusal
from scoresheets.api.schema import operation
from scoresheets.api.views import Body, View
from scoresheets.models import Game
from scoresheets.queries.games import club_games

TAG = "games"

_ROUNDS = OpenApiParameter(
    "rounds",
    {"type": "string", "enum": ["all", "none"], "default": "all"},
    description="`none` leaves the rounds out: what they came to is in the seats' lines, and the answer is a third.",
)


class ClubGames(View):
    @operation(
        "games_list",
        summary="The games of a club",
        tag=TAG,
        answer=ListedGameAnswer,
        lists=True,
        filters=GameFilter,
        orders={
            "-started_at": Order.moment("started_at", descending=True),
            "started_at": Order.moment("started_at"),
        },
    )
    def get(self, request: Any, club_id: int) -> Any:
        """The games of a club with who sits there and where they stand, the newest first."""
        club = self.club(club_id)
        shows_names = permissions.can_see_roster(self.actor, club)

        def read(rows: Sequence[Mapping[str, Any]]) -> list[Body]:
            return listed_bodies([row["id"] for row in rows], shows_names=shows_names)

        games = club_games(club.pk)
        if "halted" not in request.query_params:
            games = games.exclude(halted=Game.Halted.VOIDED)
        return self.listed(games, read)


class OneGame(View):
    @operation(
        "games_read", summary="A game", tag=TAG, answer=GameAnswer, etag=True, game_link=True, parameters=[_ROUNDS]
    )
    def get(self, request: Any, game_id: int) -> Any:
        """A whole game: its rules and plan, seats, rounds with bids as spoken and as they count, and what it waits for.

        A club's game is there for whoever may see the club, a quick game for who holds a link to it. Bids that are
        hidden or secret are null until they are shown to everybody. The `ETag` begins with the version.
        """
        which = request.query_params.get("rounds", "all")
        if which not in ("all", "none"):
            raise refusal(400, "choice_unknown", field="rounds")
        game = self.game(game_id)
        with_rounds = which == "all"
        etag = etag_of(game, self.actor, with_rounds=with_rounds)
        # One that is known already is not sent, so it is not read either.
        body = {} if self._knows(etag) else game_body(game, self.actor, with_rounds=with_rounds)
        return self.answer(body, etag=etag)


class SheetOfGame(View):
    """A game's sheet as CSV: the one format this address has."""

    def get_renderers(self) -> list[Any]:
        return [csv.CsvRenderer()]

    @operation(
        "games_sheet",
        summary="The sheet of a game as CSV",
        tag=TAG,
        answer={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "A line for each seat and round.")},
        game_link=True,
    )
    def get(self, request: Any, game_id: int) -> Any:
        """The sheet of a game for spreadsheets: a line for each round and seat, in the order they were played.

        Columns: `round`, `cards`, `dealer` (a name), `trump`, `bombs`, `seat`, `name`, `bid`, `blind`, `cloud_delta`,
        `final_bid`, `tricks`, `points`, `total`. What is not known or not shown yet is empty.
        """
        body = game_body(self.game(game_id), self.actor)
        names = {seat["id"]: seat["name"] for seat in body["seats"]}
        lines = [
            {
                "round": played["number"],
                **{name: played[name] for name in ("cards", "trump", "bombs")},
                **bid,
                "dealer": names[played["dealer"]],
                "name": names[bid["seat"]],
            }
            for played in body["rounds"]
            for bid in played["bids"]
        ]
        headers = {"Content-Disposition": f'attachment; filename="game-{body["id"]}.csv"'}
        text = csv.csv_of(lines, _COLUMNS)
        return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


_COLUMNS = (
    *("round", "cards", "dealer", "trump", "bombs", "seat", "name"),
    *("bid", "blind", "cloud_delta", "final_bid", "tricks", "points", "total"),
)
