"""What all acts on a game share, and the acts on its open round: bids, tricks, trump, a step back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample
from rest_framework.response import Response

import rules
from scoresheets import permissions, wording
from scoresheets.api.fields import Choice, Id, Shape, Text, Whole, Yes, several
from scoresheets.api.games.bodies import etag_of, game_body
from scoresheets.api.games.shapes import MOST_VERSION, SEEN, TRUMPS, GameAnswer
from scoresheets.api.problems import Finding, Refused, refusal
from scoresheets.api.schema import operation
from scoresheets.api.views import Body, View
from scoresheets.models import Game, Seat
from scoresheets.models.games import MOST_PEOPLE, REASON_LENGTH, playing
from scoresheets.recording import (
    Outcome,
    note_trump,
    record_bids,
    record_round,
    record_tricks,
    step_back,
)
from scoresheets.recording.names import tidy_name

TAG = "games"
#: Numbers that nobody means are still for the rules to refuse.
MOST_NUMBER = 999

_GRID: Mapping[str, str] = {
    **dict.fromkeys(("bid_out_of_range", "bid_sum_forbidden", "blind_not_enabled", "blind_not_available"), "bids"),
    **dict.fromkeys(("tricks_out_of_range", "tricks_sum"), "tricks"),
    **dict.fromkeys(("bombs_out_of_range", "bomb_not_in_deck", "too_many_bombs"), "bombs"),
    **dict.fromkeys(
        ("cloud_not_in_deck", "too_many_clouds", "cloud_delta", "cloud_without_trick", "cloud_bid_out_of_range"),
        "clouds",
    ),
}
_TRUMP: Mapping[str, str] = {
    **dict.fromkeys(("trump_impossible", "trump_missing", "suit_not_in_deck"), "trump"),
    **dict.fromkeys(("card_unknown", "card_not_in_deck", "turned_up_not_left"), "turned_up"),
    "chooser_impossible": "chosen_by",
}
REASON: Mapping[str, str] = {"reason_missing": "reason", "reason_too_long": "reason"}
#: Which field of an act shows which problem.
FIELDS: Mapping[str, str] = {**_GRID, **_TRUMP, **REASON}


#: A round of one card at a table of three, for examples.
_BIDS = [{"seat": 12, "bid": 1}, {"seat": 13, "bid": 0}, {"seat": 14, "bid": 0}]
_TRICKS = [{"seat": 12, "tricks": 1}, {"seat": 13, "tricks": 0}, {"seat": 14, "tricks": 0}]


# -- shapes ----------------------------------------------------------------------------------------------------------


def number(help_text: str, **options: Any) -> Whole:
    """Return a field for a number that the rules judge."""
    return Whole(least=-MOST_NUMBER, most=MOST_NUMBER, help_text=help_text, **options)


class Reason(Text):
    """Why something is done: one line."""

    def __init__(self, **options: Any) -> None:
        # More is cut by nobody: the rules say how long it may be.
        text = f"Why, at most {REASON_LENGTH} characters; the journal keeps it."
        super().__init__(most=2 * REASON_LENGTH, **{"help_text": text, **options})


class BidShape(Shape):
    seat = Id(help_text="The id of the seat.")
    bid = number("The bid, 0 to the cards of the round.")
    blind = Yes(default=False, help_text="Whether it was bid before looking at the cards.")


class TricksShape(Shape):
    seat = Id(help_text="The id of the seat.")
    tricks = number("The tricks it took, 0 to those that count.")


class CloudShape(Shape):
    seat = Id(help_text="The id of the seat that took the cloud.")
    delta = number("What that changes its bid by: -1 or 1.")


class Bids(Shape):
    """The bids of one or more seats."""

    bids = several(BidShape, MOST_PEOPLE, help_text="One for each seat that bids now; nobody twice.")
    seen = Whole(least=0, most=MOST_VERSION, help_text=SEEN)


class Tricks(Shape):
    """The tricks of a round."""

    tricks = several(
        TricksShape, MOST_PEOPLE, help_text="One for each seat that plays; together the cards minus the bombs."
    )
    bombs = number("How many tricks were bombed.", default=0)
    clouds = several(CloudShape, MOST_PEOPLE, required=False, help_text="Who took the cloud, where the game has it.")
    seen = Whole(least=0, most=MOST_VERSION, help_text=SEEN)


class WholeRound(Tricks):
    """Bids and tricks of a round, entered together."""

    bids = several(BidShape, MOST_PEOPLE, help_text="One for each seat that has not bid yet.")


class TrumpNote(Shape):
    """What is noted of the trump of the open round, over what was noted before."""

    round = Whole(least=1, most=MOST_NUMBER, help_text="The number of the open round.")
    trump = Choice(choices=TRUMPS, allow_null=True, help_text="The trump, `none` for none; null takes the note off.")
    turned_up = Text(most=16, required=False, allow_null=True, help_text="The card turned up: `R7`, `W`, `J`.")
    chosen_by = Id(required=False, allow_null=True, help_text="The id of the seat that named trump.")


class StepBack(Shape):
    """What is taken back."""

    undoes = Whole(least=1, most=MOST_VERSION, help_text="The entry to take back: the game's `undo.version`.")


def by_seat(sent: Sequence[Mapping[str, Any]], value: str, field: str) -> dict[int, Any]:
    """Return what was sent of each seat by its id. Raises `Refused` (400) where one is there twice."""
    found = {one["seat"]: one[value] for one in sent}
    if len(found) != len(sent):
        raise refusal(400, "seat_repeated", field=field)
    return found


def blind_in(sent: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the ids of the seats that bid blind."""
    return [one["seat"] for one in sent if one["blind"]]


# -- the base --------------------------------------------------------------------------------------------------------


class GameView(View):
    """An address of one game, where something is done."""

    FIELD_OF: ClassVar[Mapping[str, str]] = FIELDS

    def kept_game(self, game_id: int) -> Game:
        """Return a game whose score the actor keeps, closed or not: `recording` decides that under its lock.

        So a repeat of what has closed the game still gets its answer. Raises `Http404`, `PermissionDenied`.
        """
        game = self.game(game_id)
        permissions.check_can_manage_links(self.actor, game)
        return game

    def act(
        self,
        game: Game,
        verb: Callable[[Game], Outcome],
        *,
        seats: Callable[[Sequence[Seat]], Sequence[Seat]] = playing,
        first: Callable[[], Any] | None = None,
    ) -> Response:
        """Do something with a game, once, and answer with the game as it is then.

        `verb` gets the game under its lock, its version compared with `If-Match`. `seats` says which of all seats the
        problems count, in dealing order. `first` takes locks that come before that of the game.
        """

        def once() -> Outcome:
            if first is not None:
                first()
            locked = Game.locked(game.pk)
            self.check_version(locked.version)
            try:
                return verb(locked)
            except rules.RulesError as refused:
                self.seats = [(seat.pk, seat.name) for seat in seats(locked.seats_in_order())]
                raise self._without_bids(locked, refused) from None

        return self.write(
            once,
            lambda outcome: game_body(outcome.game, self.actor, seats=outcome.seats),
            etag=lambda outcome: etag_of(outcome.game, self.actor),
        )

    def _without_bids(self, game: Game, refused: rules.RulesError) -> Exception:
        """Return the same refusal with no word that has a secret bid in it."""
        told = [problem for problem in refused.problems if problem.code == "cloud_bid_out_of_range"]
        if not game.secret_bids or not told:
            return refused
        return Refused(
            400,
            [
                Finding(
                    problem.code,
                    wording.refusal_in_words("cloud_bid_secret")
                    if problem in told
                    else wording.problem_in_words(problem, self.names_of_seats),
                    self.field_of(problem),
                    self.seat_of(problem),
                )
                for problem in refused.problems
            ],
        )

    def reason(self, sent: Body) -> str:
        """Return the reason that was sent, as it is kept."""
        return tidy_name(sent.get("reason", ""))

    def name(self, sent: Body) -> str:
        """Return the name that was sent, as it is kept."""
        return tidy_name(sent["name"])


# -- the open round --------------------------------------------------------------------------------------------------


class RecordBids(GameView):
    @operation(
        "games_record_bids",
        summary="Record bids",
        tag=TAG,
        takes=Bids,
        answer=GameAnswer,
        etag=True,
        if_match="optional",
        game_link=True,
        errors={
            400: ("bid_out_of_range", "bid_sum_forbidden", "blind_not_enabled", "seat_repeated"),
            409: ("stale", "already_bid", "seat_unknown", "missing_bids", "halted"),
        },
        examples=[
            OpenApiExample("One bid", {"seen": 1, "bids": [{"seat": 12, "bid": 1}]}, request_only=True),
            OpenApiExample(
                "All at once",
                {"seen": 1, "bids": [*_BIDS[:2], {"seat": 14, "bid": 0, "blind": True}]},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Record the bids of one or more seats in the open round; the last one opens the tricks.

        Bids of different seats do not disturb each other. Hidden bids that add up where the house forbids it are
        recorded and shown, and the dealer bids once more.
        """
        game, sent = self.kept_game(game_id), self.sent()
        bids = by_seat(sent["bids"], "bid", "bids")

        def verb(locked: Game) -> Outcome:
            return record_bids(locked, bids=bids, seen=sent["seen"], by=self.actor, blind=blind_in(sent["bids"]))

        return self.act(game, verb)


class RecordTricks(GameView):
    @operation(
        "games_record_tricks",
        summary="Record tricks",
        tag=TAG,
        takes=Tricks,
        answer=GameAnswer,
        etag=True,
        if_match="optional",
        game_link=True,
        errors={
            400: ("tricks_sum", "tricks_out_of_range", "bomb_not_in_deck", "cloud_without_trick", "seat_repeated"),
            409: ("stale", "missing_seats", "halted"),
        },
        examples=[
            OpenApiExample(
                "A round of one card",
                {"seen": 2, "tricks": _TRICKS},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Record the tricks of the open round, which scores it and opens the next one; the last finishes the game."""
        game, sent = self.kept_game(game_id), self.sent()
        tricks = self._tricks(sent)

        def verb(locked: Game) -> Outcome:
            return record_tricks(locked, seen=sent["seen"], by=self.actor, **tricks)

        return self.act(game, verb)

    def _tricks(self, sent: Body) -> Body:
        """Return the tricks, bombs and clouds as recording takes them."""
        return {
            "taken": by_seat(sent["tricks"], "tricks", "tricks"),
            "bombs": sent["bombs"],
            "clouds": by_seat(sent.get("clouds", ()), "delta", "clouds"),
        }


class RecordRound(RecordTricks):
    @operation(
        "games_record_round",
        summary="Record bids and tricks together",
        tag=TAG,
        takes=WholeRound,
        answer=GameAnswer,
        etag=True,
        if_match="optional",
        game_link=True,
        errors={
            400: ("bid_out_of_range", "tricks_sum", "seat_repeated"),
            409: ("stale", "already_bid", "missing_bids", "missing_seats", "halted"),
        },
        examples=[
            OpenApiExample(
                "A round of one card",
                {"seen": 1, "bids": _BIDS, "tricks": _TRICKS},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Record bids and tricks of the open round at once, as secret bids need it; one step back takes back both."""
        game, sent = self.kept_game(game_id), self.sent()
        tricks = self._tricks(sent)
        bids = by_seat(sent["bids"], "bid", "bids")

        def verb(locked: Game) -> Outcome:
            blind = blind_in(sent["bids"])
            return record_round(locked, bids=bids, blind=blind, seen=sent["seen"], by=self.actor, **tricks)

        return self.act(game, verb)


class NoteTrump(GameView):
    @operation(
        "games_note_trump",
        summary="Note the trump",
        tag=TAG,
        takes=TrumpNote,
        answer=GameAnswer,
        etag=True,
        if_match="optional",
        game_link=True,
        errors={
            400: ("trump_impossible", "card_unknown", "chooser_impossible", "trump_missing"),
            409: ("stale", "seat_unknown", "halted"),
        },
        examples=[OpenApiExample("Red", {"round": 1, "trump": "R", "turned_up": "R7"}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Note the trump of the open round, over what was noted before; bids and tricks may go on meanwhile."""
        game, sent = self.kept_game(game_id), self.sent()

        def verb(locked: Game) -> Outcome:
            return note_trump(
                locked,
                number=sent["round"],
                trump=sent["trump"] or "",
                turned_up=sent.get("turned_up") or "",
                chosen_by=sent.get("chosen_by"),
                by=self.actor,
            )

        return self.act(game, verb)


class StepBackView(GameView):
    @operation(
        "games_step_back",
        summary="Step back",
        tag=TAG,
        takes=StepBack,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={409: ("stale", "nothing_to_undo", "table_changed", "halted", "results_only")},
        examples=[OpenApiExample("The newest bid", {"undoes": 4}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Take back the newest bids or tricks, across stages and rounds; the game's `undo` says which.

        After the last round it opens the finished game again. It never takes back a correction.
        """
        game, sent = self.kept_game(game_id), self.sent()
        return self.act(game, lambda locked: step_back(locked, undoes=sent["undoes"], by=self.actor))
