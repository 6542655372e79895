"""Who sits at the table of a running game: somebody joins, leaves, comes back, or is replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

import rules
from scoresheets.api.fields import Id, Shape, Text, Whole, Yes
from scoresheets.api.games.acts import FIELDS, TAG, GameView, Reason, number
from scoresheets.api.games.shapes import MOST_ROUNDS, GameAnswer
from scoresheets.api.schema import operation
from scoresheets.models import Game
from scoresheets.models.games import MOST_STARTING, NAME_LENGTH, playing
from scoresheets.recording import Outcome, come_back, join_table, leave_table, replace_at_table

_FIELDS = {
    **FIELDS,
    **dict.fromkeys(("name_missing", "name_too_long", "name_taken", "table_full"), "name"),
    "starting_out_of_range": "starting",
    **dict.fromkeys(("ladder_cards", "cards_out_of_range", "cards_exceed_deck"), "cards"),
}
_CONFLICTS = ("results_only", "halted", "is_finished", "seat_unknown", "nothing_changed")


def _cards() -> Any:
    return serializers.ListField(
        child=number("The cards of a round."),
        max_length=MOST_ROUNDS,
        required=False,
        allow_null=True,
        help_text="The cards a round from the open round on; left out: as the ladder goes on for so many people.",
    )


def _name() -> Text:
    return Text(most=2 * NAME_LENGTH, help_text=f"The name, 1 to {NAME_LENGTH} characters, once at the table.")


def _starting() -> Whole:
    return Whole(
        least=-1_000_000,
        most=1_000_000,
        default=0,
        allow_null=True,
        help_text=f"The points to begin with, at most {MOST_STARTING} either way; null for the mean of those who play.",
    )


class Joining(Shape):
    """Somebody who joins."""

    name = _name()
    after = Id(help_text="The id of the seat to whose left they sit down.")
    cards = _cards()
    starting = _starting()


class Leaving(Shape):
    """Somebody who leaves."""

    seat = Id(help_text="The id of the seat.")
    cards = _cards()
    reason = Reason(required=False)


class ComingBack(Shape):
    """Somebody who comes back."""

    seat = Id(help_text="The id of the seat.")
    cards = _cards()


class Replacing(Shape):
    """Somebody who takes a seat over."""

    seat = Id(help_text="The id of the seat that stops playing.")
    name = _name()
    takes_over = Yes(default=True, help_text="Whether they begin with the points of that seat; else with `starting`.")
    starting = _starting()


def _cards_for(game: Game, sent: Sequence[int] | None, more: int) -> Sequence[int]:
    """Return the cards that were sent, or as the ladder goes on for so many people more."""
    if sent is not None:
        return sent
    seats = game.seats_in_order()
    before = len(playing(seats))
    if not rules.FEWEST_PLAYERS <= before + more <= rules.MOST_PLAYERS:
        return ()
    return rules.remaining_cards(
        game.house, before + more, ladder=game.ladder, cards=game.plan, played=len(seats[0].line), before=before
    )


class Join(GameView):
    FIELD_OF: ClassVar = _FIELDS

    @operation(
        "games_join_table",
        summary="Join the table",
        tag=TAG,
        takes=Joining,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={400: ("name_taken", "starting_out_of_range", "cards_exceed_deck", "players"), 409: _CONFLICTS},
        examples=[OpenApiExample("A name", {"name": "Emil", "after": 12}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Let somebody join a running game; earlier rounds stay empty for them, and the open round is dealt anew."""
        game, sent = self.kept_game(game_id), self.sent()

        def verb(locked: Game) -> Outcome:
            return join_table(
                locked,
                name=self.name(sent),
                after=sent["after"],
                cards=_cards_for(locked, sent.get("cards"), 1),
                starting=sent["starting"],
                seen=locked.version,
                by=self.actor,
            )

        return self.act(game, verb)


class Leave(GameView):
    FIELD_OF: ClassVar = _FIELDS

    @operation(
        "games_leave_table",
        summary="Leave the table",
        tag=TAG,
        takes=Leaving,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={400: ("cards_exceed_deck", "reason_too_long"), 409: (*_CONFLICTS, "nothing_scored")},
        examples=[OpenApiExample("Somebody leaves", {"seat": 12}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Let somebody leave a running game: their rounds stay, the others go on, the game is marked incomplete.

        With fewer than three left it ends after its last scored round.
        """
        game, sent = self.kept_game(game_id), self.sent()

        def verb(locked: Game) -> Outcome:
            cards = _cards_for(locked, sent.get("cards"), -1)
            reason = self.reason(sent)
            return leave_table(
                locked, seat=sent["seat"], cards=cards, reason=reason, seen=locked.version, by=self.actor
            )

        return self.act(game, verb)


class ComeBack(GameView):
    FIELD_OF: ClassVar = _FIELDS

    @operation(
        "games_come_back",
        summary="Come back to the table",
        tag=TAG,
        takes=ComingBack,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={400: ("cards_exceed_deck", "players"), 409: _CONFLICTS},
        examples=[OpenApiExample("Somebody comes back", {"seat": 12}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Let a seat that left, or was replaced, play again from the open round on, with the points it had."""
        game, sent = self.kept_game(game_id), self.sent()

        def verb(locked: Game) -> Outcome:
            cards = _cards_for(locked, sent.get("cards"), 1)
            return come_back(locked, seat=sent["seat"], cards=cards, seen=locked.version, by=self.actor)

        return self.act(game, verb)


class Replace(GameView):
    FIELD_OF: ClassVar = _FIELDS

    @operation(
        "games_replace_at_table",
        summary="Take a seat over",
        tag=TAG,
        takes=Replacing,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={400: ("name_taken", "starting_out_of_range"), 409: _CONFLICTS},
        examples=[OpenApiExample("With their points", {"seat": 12, "name": "Emil"}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Let somebody sit down in the place of a seat that stops playing; both keep the rounds that they played."""
        game, sent = self.kept_game(game_id), self.sent()

        def verb(locked: Game) -> Outcome:
            return replace_at_table(
                locked,
                seat=sent["seat"],
                name=self.name(sent),
                takes_over=sent["takes_over"],
                starting=sent["starting"],
                seen=locked.version,
                by=self.actor,
            )

        return self.act(game, verb)
