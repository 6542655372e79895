"""Starting a game, and typing in one that was played on paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

import rules
from scoresheets import permissions
from scoresheets.api.fields import Choice, Id, Moment, Shape, Text, Whole, Yes, several
from scoresheets.api.games.acts import MOST_NUMBER, TAG, number
from scoresheets.api.games.shapes import MOST_ROUNDS, StartedGameAnswer
from scoresheets.api.games.states import StartingView
from scoresheets.api.house import HouseRulesShape, house_of
from scoresheets.api.problems import refusal
from scoresheets.api.schema import operation
from scoresheets.api.views import Body
from scoresheets.models import Club, Player
from scoresheets.models.games import MOST_PEOPLE, NAME_LENGTH
from scoresheets.recording import record_results, record_sheet, start_game
from scoresheets.recording.names import tidy_name
from scoresheets.recording.results import MOST_POINTS


class NewSeat(Shape):
    """Somebody who sits down."""

    name = Text(
        most=2 * NAME_LENGTH,
        required=False,
        help_text=f"The name on the sheet, 1 to {NAME_LENGTH} characters; left out: that of the player.",
    )
    player = Id(required=False, allow_null=True, help_text="A player of the club; null for a name alone.")
    add = Yes(default=False, help_text="Whether somebody of this name is new in the club and added as a guest.")


class _People(Shape):
    club = Id(required=False, allow_null=True, help_text="The club whose game it is; null for a quick game.")
    seats = several(NewSeat, MOST_PEOPLE, help_text="3 to 6 people in dealing order.")
    evening = Id(
        required=False, allow_null=True, help_text="The club's evening it belongs to; null for the one that is open."
    )


class _Table(_People):
    first_dealer = Whole(
        least=0, most=MOST_PEOPLE, default=0, help_text="Who deals round 1: a place in `seats`, from 0."
    )
    house = HouseRulesShape(required=False, help_text="House rules; what is left out is as in the club, or as usual.")
    ladder = Choice(
        choices=list(rules.LADDERS),
        required=False,
        help_text="Where the cards of its rounds come from: `full`, the publisher's for a `tournament`, or `free`, "
        "which takes `cards`. Left out: as in the club, `full` for a quick game, `free` if there are `cards`.",
    )
    cards = serializers.ListField(
        child=number("The cards of a round."),
        max_length=MOST_ROUNDS,
        required=False,
        allow_null=True,
        help_text="The cards a round, for the free ladder only.",
    )


class NewGame(_Table):
    """A game to be started."""

    rounds = Whole(
        least=-MOST_NUMBER,
        most=MOST_NUMBER,
        required=False,
        allow_null=True,
        help_text="How many rounds of the ladder are played; null for all.",
    )


class PaperCloud(Shape):
    place = Whole(least=0, most=MOST_PEOPLE, help_text="Who took the cloud: a place in `seats`, from 0.")
    delta = number("What that changed the bid by: -1 or 1.")


def _numbers(help_text: str) -> Any:
    return serializers.ListField(child=number("A number of tricks."), max_length=MOST_PEOPLE, help_text=help_text)


class PaperRound(Shape):
    """A round as it stands on the paper."""

    bids = _numbers("The bids as spoken, in the order of `seats`.")
    tricks = _numbers("The tricks taken, in the order of `seats`.")
    bombs = number("How many tricks were bombed.", default=0)
    clouds = several(PaperCloud, MOST_PEOPLE, required=False, help_text="Who took the cloud, where the game has it.")
    blind = serializers.ListField(
        child=Yes(), max_length=MOST_PEOPLE, required=False, help_text="Who bid blind, in the order of `seats`."
    )


class PaperSheet(_Table):
    """A game that was played on paper."""

    rounds = several(PaperRound, MOST_ROUNDS, help_text="All of its rounds: the game was as long as that.")
    played_at = Moment(required=False, allow_null=True, help_text="When it was played; null for now.")


class SeatWithPoints(NewSeat):
    """Somebody who sat there, and how it ended for them."""

    points = Whole(
        least=-1_000_000, most=1_000_000, help_text=f"The points at the end, at most {MOST_POINTS} either way."
    )
    rank = Whole(
        least=-MOST_NUMBER,
        most=MOST_NUMBER,
        required=False,
        allow_null=True,
        help_text="The place as another source has it: compared with the points, never believed. Null for none.",
    )


class BareResults(_People):
    """A game of which only the points are known."""

    seats = several(SeatWithPoints, MOST_PEOPLE, help_text="3 to 6 people, with their points.")
    played_at = Moment(required=False, allow_null=True, help_text="When it was played; null for now.")


#: Nobody played anything before, and time zones have no end there.
FIRST_YEAR = 1900
_TABLE = [{"name": "Annika"}, {"name": "Bernd"}, {"name": "Cem"}]
_PLAN: Mapping[str, str] = {
    "players": "seats",
    "dealer_out_of_range": "first_dealer",
    **dict.fromkeys(("ladder_players", "ladder_unknown"), "ladder"),
    **dict.fromkeys(("ladder_cards", "cards_out_of_range", "cards_exceed_deck"), "cards"),
    "rounds_out_of_range": "rounds",
    **dict.fromkeys(("dragon_fairy_pair", "special_repeated", "special_unknown"), "house.specials"),
    **dict.fromkeys(("deck_has_no_specials", "variant_needs_no_specials"), "house.specials"),
    **dict.fromkeys(("variant_players", "variant_unknown"), "house.variant"),
    "variant_incompatible": "house",
    "plus_minus_one_from": "house.plus_minus_one_from",
    "played_later": "played_at",
}
_OF_RESULTS: Mapping[str, str] = {
    **dict.fromkeys(("players", "wrong_length"), "seats"),
    "played_later": "played_at",
}
#: What a place in `seats` has wrong, by the beginning of the code.
_OF_A_SEAT = re.compile(r"name_|player_")
_CONFLICTS = ("player_unknown", "evening_unknown")


class _Starting(StartingView):
    """What all have in common: who sits down, by which rules, in which club."""

    FIELD_OF: ClassVar = _PLAN

    def setup(self, request: Any, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self._names: list[str] = []

    @property
    def names_of_seats(self) -> list[str]:
        return self._names

    def field_of(self, problem: rules.Problem) -> str | None:
        if problem.seat is not None and _OF_A_SEAT.match(problem.code):
            return f"seats.{problem.seat}.{'player' if problem.code == 'player_twice' else 'name'}"
        return super().field_of(problem)

    def table(self, sent: Body) -> Body:
        """Return what was sent as recording takes it: names, house, ladder, cards, club, players, evening.

        Raises `Http404` for a club that may not be seen, `PermissionDenied`, `Refused`.
        """
        people = self.people(sent)
        club = people["club"]
        base = club.house_rules if club is not None else None
        # Those of a club are by its usual ladder, a list of cards is one of its own.
        usual = "free" if sent.get("cards") is not None else club.ladder if club is not None else "full"
        return people | {
            "house": house_of(sent.get("house", {}), base),
            "first_dealer": sent["first_dealer"],
            "ladder": sent.get("ladder", usual),
            "cards": sent.get("cards"),
        }

    def people(self, sent: Body) -> Body:
        """Return who sat there as recording takes it: names, club, players, evening. Raises as `table` does."""
        club = self._club(sent)
        players = [self._player(seat, club, place) for place, seat in enumerate(sent["seats"])]
        self._names = self._names_of(sent["seats"], club)
        return {
            "names": self._names,
            "club": club,
            "players": players if club is not None else None,
            "evening": sent.get("evening"),
        }

    def _club(self, sent: Body) -> Club | None:
        if sent.get("club") is None:
            if not self.actor.reaches(None):
                raise refusal(403, "token_of_one_club")
            if sent.get("evening") is not None:
                raise refusal(400, "club_missing", field="evening")
            return None
        club = self.club(sent["club"])
        permissions.check_can_start_game(self.actor, club)
        return club

    def _player(self, seat: Body, club: Club | None, place: int) -> int | str | None:
        """Return who sits down as recording takes it: an id, the name of somebody new, or nobody the club knows."""
        player, adds = seat.get("player"), seat["add"]
        if club is None and (player is not None or adds):
            raise refusal(400, "club_missing", field=f"seats.{place}.{'add' if player is None else 'player'}")
        return player if player is not None else seat.get("name", "") if adds else None

    def _names_of(self, seats: Sequence[Body], club: Club | None) -> list[str]:
        """Return the names on the sheet (1 statement where some are those of players)."""
        wanted = [seat["player"] for seat in seats if "name" not in seat and seat.get("player") is not None]
        players = Player.objects.filter(club=club, pk__in=wanted) if wanted else Player.objects.none()
        known = dict(players.values_list("pk", "canonical__name"))
        return [tidy_name(seat["name"]) if "name" in seat else known.get(seat.get("player") or 0, "") for seat in seats]


class StartGame(_Starting):
    @operation(
        "games_start",
        summary="Start a game",
        tag=TAG,
        takes=NewGame,
        answer=StartedGameAnswer,
        status=201,
        etag=True,
        errors={
            400: ("players", "name_missing", "name_taken", "player_twice", "rounds_out_of_range", "club_missing"),
            409: _CONFLICTS,
        },
        examples=[
            OpenApiExample("A quick game", {"seats": _TABLE}, request_only=True),
            OpenApiExample(
                "Three rounds by house rules",
                {"seats": _TABLE, "rounds": 3, "first_dealer": 2, "house": {"plus_minus_one": True}},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Any) -> Any:
        """Start a game, open for the bids of round 1, and answer with it and a link that keeps its score.

        Without a club it is a quick game: nobody needs an account for it, and only its links lead to it. A club's game
        takes a scorer of the club.
        """
        sent = self.sent()
        table = self.table(sent)
        rounds = sent.get("rounds")
        return self.start(lambda: start_game(**table, rounds=rounds, by=self.actor, key=self.key))


class RecordSheet(_Starting):
    FIELD_OF: ClassVar = {
        **_PLAN,
        **dict.fromkeys(("bid_out_of_range", "bid_sum_forbidden"), "bids"),
        **dict.fromkeys(("tricks_out_of_range", "tricks_sum"), "tricks"),
        **dict.fromkeys(("blind_not_enabled", "blind_not_available"), "blind"),
        **dict.fromkeys(("bombs_out_of_range", "bomb_not_in_deck", "too_many_bombs"), "bombs"),
        **dict.fromkeys(
            ("cloud_not_in_deck", "too_many_clouds", "cloud_delta", "cloud_without_trick", "cloud_bid_out_of_range"),
            "clouds",
        ),
    }

    def field_of(self, problem: rules.Problem) -> str | None:
        field, args = super().field_of(problem), problem.args
        if field == "cards" or "round" not in args:
            return field
        if problem.code == "wrong_length":
            field = str(args.get("what"))
        inside = f"rounds.{int(args['round']) - 1}"
        place = f".{problem.seat}" if problem.seat is not None and field in ("bids", "tricks", "blind") else ""
        return f"{inside}.{field}{place}" if field in _OF_A_ROUND else inside

    @operation(
        "games_record_sheet",
        summary="Record a whole sheet",
        tag=TAG,
        takes=PaperSheet,
        answer=StartedGameAnswer,
        status=201,
        etag=True,
        errors={
            400: ("players", "name_missing", "tricks_sum", "bid_out_of_range", "played_later", "club_missing"),
            409: _CONFLICTS,
        },
        examples=[
            OpenApiExample(
                "Two rounds",
                {
                    "seats": _TABLE,
                    "rounds": [{"bids": [1, 0, 0], "tricks": [1, 0, 0]}, {"bids": [0, 1, 1], "tricks": [1, 1, 0]}],
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Any) -> Any:
        """Record a game that was played on paper; it is finished from the start, and counts in its club at once.

        Bids that add up against the house rules are let through: they were spoken so. Problems of a round are about
        fields such as `rounds.3.tricks`, counted from 0.
        """
        sent = self.sent()
        table = self.table(sent)
        rounds = [_played(one) for one in sent["rounds"]]
        played_at = _played_at(sent)
        return self.start(
            lambda: record_sheet(**table, rounds=rounds, played_at=played_at, by=self.actor, key=self.key)
        )


class RecordResults(_Starting):
    FIELD_OF: ClassVar = _OF_RESULTS

    def field_of(self, problem: rules.Problem) -> str | None:
        if problem.seat is not None and problem.code in ("points_out_of_range", "rank_mismatch"):
            return f"seats.{problem.seat}.{problem.code.partition('_')[0]}"
        return super().field_of(problem)

    @operation(
        "games_record_results",
        summary="Record bare results",
        tag=TAG,
        takes=BareResults,
        answer=StartedGameAnswer,
        status=201,
        etag=True,
        errors={
            400: ("players", "name_missing", "points_out_of_range", "rank_mismatch", "played_later", "club_missing"),
            409: _CONFLICTS,
        },
        examples=[
            OpenApiExample(
                "Three people",
                {
                    "seats": [
                        {"name": "Annika", "points": 180, "rank": 1},
                        {"name": "Bernd", "points": -20},
                        {"name": "Cem", "points": 90},
                    ]
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Any) -> Any:
        """Record a game of which only the points are known; it is finished from the start, and counts at once.

        It counts for points, wins and who finished above whom, never for bids; equal points share their place.
        """
        sent = self.sent()
        people = self.people(sent)
        points = [seat["points"] for seat in sent["seats"]]
        ranks = [seat.get("rank") for seat in sent["seats"]]
        played_at = _played_at(sent)
        return self.start(
            lambda: record_results(
                **people, points=points, ranks=ranks, played_at=played_at, by=self.actor, key=self.key
            )
        )


def _played_at(sent: Body) -> datetime | None:
    """Return when it was played, None for now. Raises `Refused` (400) for a day that no calendar here has."""
    moment: datetime | None = sent.get("played_at")
    if moment is None:
        return None
    if moment.year < FIRST_YEAR:
        raise refusal(400, "too_long_ago", field="played_at", first=FIRST_YEAR)
    return moment.astimezone(UTC)


_OF_A_ROUND = frozenset({"bids", "tricks", "blind", "bombs", "clouds"})


def _played(sent: Body) -> rules.PlayedRound:
    return rules.PlayedRound(
        bids=tuple(sent["bids"]),
        tricks=tuple(sent["tricks"]),
        bombs=sent["bombs"],
        clouds=tuple((cloud["place"], cloud["delta"]) for cloud in sent.get("clouds", ())),
        blind=tuple(sent.get("blind", ())),
    )
