"""Acts on a game as a whole: interruptions, its end, its confirmation, its rematch, its club and evening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample

from scoresheets import permissions, recording
from scoresheets.api.fields import Id, Shape, Yes, several
from scoresheets.api.games.acts import FIELDS, TAG, GameView, Reason
from scoresheets.api.games.bodies import etag_of, game_body
from scoresheets.api.games.shapes import GameAnswer, StartedGameAnswer
from scoresheets.api.problems import refusal
from scoresheets.api.schema import operation
from scoresheets.api.views import Body
from scoresheets.models import Evening, Game
from scoresheets.models.games import MOST_PEOPLE
from scoresheets.recording import Outcome, Started
from scoresheets.recording.locks import locked_clubs


class ForAReason(Shape):
    """Why it is done."""

    reason = Reason(required=False)


class ForAGoodReason(Shape):
    """Why it is done, which has to be said."""

    reason = Reason()


_REASON = OpenApiExample("With a reason", {"reason": "A card was missing"}, request_only=True)


def _halting(
    name: str,
    verb: Callable[..., Outcome],
    summary: str,
    description: str,
    *codes: str,
    takes: type[Shape] | None = None,
) -> type[GameView]:
    """Return the view of an act that needs nothing but, at most, a reason."""

    class Act(GameView):
        def post(self, request: Any, game_id: int) -> Any:
            game = self.kept_game(game_id)
            reason = {"reason": self.reason(self.sent())} if takes is not None else {}
            return self.act(game, lambda locked: verb(locked, by=self.actor, **reason))

    Act.post.__doc__ = description
    Act.post = operation(  # type: ignore[method-assign]
        f"games_{name}",
        summary=summary,
        tag=TAG,
        takes=takes,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={
            409: codes,
            **({400: ("reason_missing", "reason_too_long")} if takes is ForAGoodReason else {}),
            **({400: ("reason_too_long",)} if takes is ForAReason else {}),
        },
        examples=[OpenApiExample("With a reason", {"reason": "A card was missing"}, request_only=True)]
        if takes
        else [],
    )(Act.post)
    return Act


Pause = _halting(
    "pause",
    recording.pause,
    "Pause",
    "Pause a running game: until it is resumed nothing is recorded, and all that is entered stays.",
    *("halted", "is_finished"),
)
Resume = _halting("resume", recording.resume, "Go on", "Let a paused game go on where it was.", "not_halted")
Abandon = _halting(
    "abandon",
    recording.abandon,
    "Abandon",
    "Abandon a running or paused game: it counts for nothing, stays readable, and can be restored.",
    *("halted", "is_finished"),
    takes=ForAReason,
)
Void = _halting(
    "void",
    recording.void,
    "Void",
    "Void a game that should not count at all, finished or not. A reason is needed, and it can be restored.",
    "halted",
    takes=ForAGoodReason,
)
Restore = _halting(
    "restore", recording.restore, "Restore", "Bring an abandoned or voided game back to where it was.", "not_halted"
)
EndEarly = _halting(
    "end_early",
    recording.end_early,
    "End early",
    "Finish a game after its last scored round, before the plan is through: it is marked as incomplete. Bids of the "
    "open round are taken off the sheet. It can be reopened.",
    *("halted", "is_finished", "nothing_scored"),
    takes=ForAReason,
)
Reopen = _halting(
    "reopen",
    recording.reopen,
    "Reopen",
    "Open a finished game again: at the tricks of its last round, or where it was ended early at the next round.",
    *("halted", "not_finished", "too_few_playing", "results_only"),
    takes=ForAReason,
)


class Confirm(GameView):
    @operation(
        "games_confirm",
        summary="Confirm",
        tag=TAG,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={409: ("not_finished", "halted", "already_confirmed", "wrote_it")},
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Say that the sheet of a club's finished game is right: for one's own seat or, as a manager, for all.

        Once everybody at the table who has an account has said so (but for who wrote the newest change), or a manager
        has, only managers change the game; what they change withdraws all confirmations.
        """
        game = self.game(game_id)
        permissions.check_can_confirm(self.actor, game)
        return self.act(game, lambda locked: recording.confirm(locked, seen=locked.version, by=self.actor))


class StartingView(GameView):
    """An address where a game is started."""

    def start(self, act: Callable[[], Started]) -> Any:
        """Start a game, once, and answer with it and its link."""
        return self.write(
            act, self._started, secrets=("link_secret",), etag=lambda made: etag_of(made.game, self.actor)
        )

    def _started(self, started: Started) -> Body:
        return {"game": game_body(started.game, self.actor), "link_secret": started.secret}


class Rematch(StartingView):
    @operation(
        "games_rematch",
        summary="Start the rematch",
        tag=TAG,
        answer=StartedGameAnswer,
        status=201,
        etag=True,
        game_link=True,
        errors={409: ("not_finished", "too_few_playing", "results_only")},
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Start the next game of the same table: same seats, rules and plan; the seat after the last dealer deals.

        Those who played to the end play again. A game has one rematch: whoever asks again gets that one, with a link
        of their own. The game may be confirmed or locked.
        """
        game = self.kept_game(game_id)
        permissions.check_can_rematch(self.actor, game)
        return self.start(lambda: recording.rematch(game, by=self.actor, key=self.key))


class SeatedPlayer(Shape):
    """Who sat on a seat."""

    seat = Id(help_text="The id of the seat.")
    player = Id(required=False, allow_null=True, help_text="A player of the club; null for nobody the club knows.")
    add = Yes(default=False, help_text="Whether the name on the sheet is that of somebody new, to be added as a guest.")


class Move(Shape):
    """Where a game goes, and who of the club sat there."""

    club = Id(help_text="The id of the club.")
    players = several(SeatedPlayer, MOST_PEOPLE, help_text="Who sat where; a seat left out keeps a name alone.")


class MoveToClub(GameView):
    FIELD_OF: ClassVar = {
        **FIELDS,
        **dict.fromkeys(("player_twice", "name_missing", "name_too_long", "player_name_taken"), "players"),
    }

    @operation(
        "games_move",
        summary="Move to a club",
        tag=TAG,
        takes=Move,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={
            400: ("player_twice", "player_name_taken", "seat_repeated"),
            409: ("seat_unknown", "player_unknown", "nothing_changed"),
        },
        examples=[
            OpenApiExample("One known player", {"club": 3, "players": [{"seat": 12, "player": 7}]}, request_only=True)
        ],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Move a game into a club and seat the club's players, or seat them anew where it is there already.

        Names on the sheet stay as they are. A quick game needs its link and a scorer of the club; a game of another
        club, a manager of both.
        """
        game = self.kept_game(game_id)
        self.signed_in()
        sent = self.sent()
        sat = self._seats(sent)
        club = self.club(sent["club"])
        permissions.check_can_start_game(self.actor, club)

        def verb(locked: Game) -> Outcome:
            names = {seat.pk: seat.name for seat in locked.seats_in_order()}
            players: dict[int, int | str] = {seat: player for seat, player in sat.items() if player is not None}
            players |= {seat: names.get(seat, "") for seat, player in sat.items() if player is None}
            return recording.move_game(locked, club, players=players, by=self.actor)

        # Clubs are locked before games, by whoever locks both.
        both = {club.pk, game.club_id or club.pk}
        return self.act(game, verb, seats=list, first=lambda: locked_clubs(both, self.actor))

    def _seats(self, sent: Body) -> dict[int, int | None]:
        """Return who sat on which seat: a player's id, None for somebody new; whom the club does not know is left out.

        Raises `Refused` (400).
        """
        if len({one["seat"] for one in sent["players"]}) != len(sent["players"]):
            raise refusal(400, "seat_repeated", field="players")
        sat = [(one["seat"], one.get("player"), one["add"]) for one in sent["players"]]
        return {seat: player for seat, player, adds in sat if adds or player is not None}


class EveningOfGame(Shape):
    """Which evening a game belongs to."""

    evening = Id(allow_null=True, help_text="An evening of the game's club; null for none.")


class SetEvening(GameView):
    @operation(
        "games_set_evening",
        summary="Set the evening",
        tag=TAG,
        takes=EveningOfGame,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={409: ("evening_unknown", "nothing_changed", "halted")},
        examples=[OpenApiExample("None", {"evening": None}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Say to which evening of its club a game belongs; null: to none, but to the night it was started in."""
        game, sent = self.kept_game(game_id), self.sent()
        wanted = sent["evening"]

        def verb(locked: Game) -> Outcome:
            evening = None
            if wanted is not None:
                # One that is not the club's is refused by its id, whether it is anybody's or nobody's.
                evening = Evening(pk=wanted)
            return recording.set_evening(locked, evening, by=self.actor)

        return self.act(game, verb)
