"""Who comes to an evening, who is here, who sits at which table, and the games that are started there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

import rules
from scoresheets import permissions
from scoresheets.api.evenings.nights import EveningView
from scoresheets.api.evenings.shapes import TAG
from scoresheets.api.fields import Answer, Choice, Id, Shape, Text, Whole, Yes
from scoresheets.api.schema import operation
from scoresheets.api.views import Body
from scoresheets.models import Attendance, DrawnTable, Evening, Player
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.evenings import EveningPlanning, Sitting, evening_planning
from scoresheets.recording import (
    Conflict,
    Started,
    answer,
    discard_sitting,
    draw_tables,
    place_by_hand,
    set_here,
    start_table_game,
)
from scoresheets.recording.draws import MOST_TABLES

_ANSWERS = Attendance.Answer.values
#: So many people or newcomers are named at once.
MOST_NAMED = 200


# -- what is answered -----------------------------------------------------------------------------------------------


class SomebodyAnswer(Answer):
    player = Id(help_text="The id of the player.")
    name = Text(most=NAME_LENGTH, help_text="The name in the club.")


class EveningPerson(SomebodyAnswer):
    is_guest = Yes(help_text="Whether the club knows them as a guest.")
    is_own = Yes(help_text="Whether this is the account that asks.")
    answer = Choice(choices=_ANSWERS, allow_null=True, help_text="Whether they come; null if nothing was said yet.")
    is_here = Yes(help_text="Whether they are noted as here.")


class EveningAnswers(Answer):
    yes = Whole(least=0, help_text="How many come.")
    maybe = Whole(least=0, help_text="How many come perhaps.")
    no = Whole(least=0, help_text="How many do not come.")
    awaited = Whole(least=0, help_text="How many have not answered; guests are not asked.")


class EveningTable(Answer):
    id = Id(help_text="The id of the table.")
    number = Whole(least=1, most=MOST_TABLES, help_text="Its number in the sitting.")
    game = Id(allow_null=True, help_text="The id of the game that was started at it, null if none was.")
    players = SomebodyAnswer(many=True, help_text="Who sits there, in dealing order; the first one deals first.")


class SittingAnswer(Answer):
    number = Whole(least=1, help_text="Its number in the evening.")
    tables = EveningTable(many=True, help_text="Its tables by number.")
    sit_out = SomebodyAnswer(many=True, help_text="Who sits out, by name.")
    unplaced = SomebodyAnswer(many=True, help_text="Who is here and has no place in it, by name.")


class EveningPlanningAnswer(Answer):
    """Who comes to an evening, who is here, and where they sit."""

    answers = EveningAnswers(help_text="The answers, counted.")
    people = EveningPerson(many=True, help_text="The roster and whoever else answered, by name.")
    sittings = SittingAnswer(many=True, help_text="The sittings, the newest first.")


class StartedTable(Answer):
    """The game of a table."""

    game = Id(help_text="The id of the game.")
    link_secret = Text(
        most=64,
        help_text="The secret of a link that keeps its score, for the header `Game-Link` and for `/j/SECRET`. It is "
        "shown this once (and again to a repeat with the same `Idempotency-Key`); empty where the game was started "
        "before. Scorers of the club need none.",
    )


def _somebody(player: Player) -> Body:
    return {"player": player.pk, "name": player.name}


def planning_body(planning: EveningPlanning) -> Body:
    """Return who comes and who sits where as it is answered."""
    own = planning.own.player.pk if planning.own is not None else None
    return {
        "answers": {
            **{answer: len(planning.who(answer)) for answer in _ANSWERS},
            "awaited": len(planning.who("")),
        },
        "people": [
            {
                **_somebody(person.player),
                "is_guest": person.player.is_guest,
                "is_own": person.player.pk == own,
                "answer": person.answer or None,
                "is_here": person.is_here,
            }
            for person in planning.people
        ],
        "sittings": [_sitting(sitting) for sitting in planning.sittings],
    }


def _sitting(sitting: Sitting) -> Body:
    return {
        "number": sitting.number,
        "tables": [
            {
                "id": one.table.pk,
                "number": one.table.number,
                "game": one.table.game_id,
                "players": [_somebody(player) for player in one.players],
            }
            for one in sitting.tables
        ],
        "sit_out": [_somebody(player) for player in sitting.sit_out],
        "unplaced": [_somebody(player) for player in sitting.unplaced],
    }


# -- what is taken --------------------------------------------------------------------------------------------------


class AnswerGiven(Shape):
    """Whether somebody comes."""

    answer = Choice(choices=_ANSWERS, allow_null=True, help_text="Whether they come; null takes an answer back.")
    player = Id(
        required=False,
        help_text="The id of the player whom it is about, for scorers; without it, the account that asks.",
    )


class HereOrNot(Shape):
    player = Id(help_text="The id of a player of the club.")
    is_here = Yes(help_text="Whether they are here.")


class WhoIsHere(Shape):
    """Who has come or gone; whoever is not named stays as noted."""

    people = serializers.ListField(
        child=HereOrNot(),
        required=False,
        max_length=MOST_NAMED,
        help_text="Who is here or is not; of a player who is named twice the last one counts.",
    )
    newcomers = serializers.ListField(
        child=Text(most=NAME_LENGTH, help_text="A name that the club does not know."),
        required=False,
        max_length=MOST_NAMED,
        help_text="The names of those who are new to the club: they come in as guests, and are here.",
    )


class NewSitting(Shape):
    """How tables are to be drawn."""

    tables = Whole(
        required=False,
        allow_null=True,
        least=0,
        most=MOST_TABLES,
        help_text="How many tables at most; null for as many as it takes, 0 to place everybody by hand.",
    )
    sitting = Whole(
        required=False,
        least=1,
        most=10_000,
        help_text="The number of a sitting that is to be drawn anew; without it the next one is drawn.",
    )


class SittingMove(Shape):
    player = Id(help_text="The id of the player who is moved.")
    table = Whole(
        least=1,
        most=MOST_TABLES,
        allow_null=True,
        help_text="The number of the table to sit at, a new one for a new table; null to sit out.",
    )


class SittingMoves(Shape):
    """Who is moved where: all of it is done at once, so that people can change places."""

    moves = serializers.ListField(
        child=SittingMove(), allow_empty=False, max_length=MOST_NAMED, help_text="Who goes where; all others stay."
    )


# -- the operations -------------------------------------------------------------------------------------------------


class PlanningView(EveningView):
    """An address about who comes to an evening, which is for members alone."""

    def for_runners(self, club_id: int, evening_id: int) -> Evening:
        """Return an evening that whoever asks may run. Raises `Http404`, `PermissionDenied`."""
        evening = self.evening(club_id, evening_id)
        permissions.check_can_run_evenings(self.actor, evening.club)
        return evening

    def planned(self, evening: Evening, verb: Callable[[], Any]) -> Any:
        """Do something and answer with who comes and who sits where then."""
        return self.write(verb, lambda _made: self.planning_of(evening))

    def planning_of(self, evening: Evening) -> Body:
        return planning_body(evening_planning(evening.club, evening, self.actor.user))


class Planning(PlanningView):
    @operation(
        "evenings_planning",
        summary="Who comes and who sits where",
        tag=TAG,
        answer=EveningPlanningAnswer,
        errors={403: ("not_allowed",)},
    )
    def get(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Who comes to an evening, who is here, and the tables drawn, for members of the club."""
        evening = self.evening(club_id, evening_id)
        permissions.check_can_see_attendance(self.actor, evening.club)
        return self.answer(self.planning_of(evening))


class AnswerToEvening(PlanningView):
    @operation(
        "evenings_answer",
        summary="Say whether somebody comes",
        tag=TAG,
        takes=AnswerGiven,
        answer=EveningPlanningAnswer,
        errors={409: ("evening_cancelled", "evening_closed", "no_player", "player_unknown")},
        examples=[OpenApiExample("The account comes", {"answer": "yes"}, request_only=True)],
    )
    def post(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Say whether one comes, as members do for themselves; scorers do it for everybody."""
        evening = self.evening(club_id, evening_id)
        permissions.check_can_see_attendance(self.actor, evening.club)
        sent = self.sent()
        given, player = sent["answer"] or "", None
        if "player" in sent:
            player = Player.objects.filter(club=evening.club, pk=sent["player"]).select_related("canonical").first()
            if player is None or player.canonical.user_id != self.signed_in().pk:
                permissions.check_can_run_evenings(self.actor, evening.club)

        def act() -> Any:
            if player is None and "player" in sent:
                raise Conflict("player_unknown")
            return answer(evening, answer=given, by=self.actor, player=player)

        return self.planned(evening, act)


class PeopleHere(PlanningView):
    @operation(
        "evenings_here",
        summary="Note who is here",
        tag=TAG,
        takes=WhoIsHere,
        answer=EveningPlanningAnswer,
        errors={
            400: ("name_missing", "name_too_long", "player_name_taken"),
            409: ("evening_cancelled", "evening_closed", "player_unknown"),
        },
        examples=[
            OpenApiExample(
                "One is here, one is new",
                {"people": [{"player": 7, "is_here": True}], "newcomers": ["Dora"]},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Note who is here and who is not (any more), as scorers do."""
        evening = self.for_runners(club_id, evening_id)
        sent = self.sent()
        here = {one["player"]: one["is_here"] for one in sent.get("people", ())}
        newcomers: Sequence[str] = sent.get("newcomers", ())
        return self.planned(evening, lambda: set_here(evening, here, newcomers=newcomers, by=self.actor))

    def field_of(self, problem: rules.Problem) -> str | None:
        return f"newcomers.{problem.seat}" if problem.seat is not None else "newcomers"


class Sittings(PlanningView):
    FIELD_OF = {"tables_out_of_range": "tables"}

    @operation(
        "evenings_draw",
        summary="Draw tables",
        tag=TAG,
        takes=NewSitting,
        answer=EveningPlanningAnswer,
        status=201,
        errors={409: ("evening_not_open", "too_few_here", "sitting_unknown", "sitting_started")},
    )
    def post(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Draw tables for all who are here, as scorers do.

        Whoever has met seldom this season meets now; whoever has sat out least often sits out, if anybody has to.
        """
        evening = self.for_runners(club_id, evening_id)
        sent = self.sent()
        tables, sitting = sent.get("tables"), sent.get("sitting")
        return self.planned(evening, lambda: draw_tables(evening, sitting=sitting, tables=tables, by=self.actor))


class OneSitting(PlanningView):
    FIELD_OF = {"table_size": "moves", "tables_out_of_range": "moves"}

    @operation(
        "evenings_place",
        summary="Move people of a sitting",
        tag=TAG,
        takes=SittingMoves,
        answer=EveningPlanningAnswer,
        errors={
            400: ("table_size",),
            409: ("evening_not_open", "sitting_unknown", "table_started", "not_here"),
        },
        examples=[
            OpenApiExample(
                "Two change places",
                {"moves": [{"player": 7, "table": 2}, {"player": 8, "table": 1}]},
                request_only=True,
            )
        ],
    )
    def patch(self, request: Any, club_id: int, evening_id: int, sitting: int) -> Any:
        """Move people of a sitting to other tables, as scorers do.

        Whoever comes to a table takes the seat of somebody who leaves it, or sits down at its end. A table has three to
        six people, or none: then it is gone.
        """
        evening = self.for_runners(club_id, evening_id)
        moves = {move["player"]: move["table"] for move in self.sent()["moves"]}
        return self.planned(evening, lambda: place_by_hand(evening, moves, sitting=sitting, by=self.actor))

    @operation(
        "evenings_discard",
        summary="Take a sitting away",
        tag=TAG,
        answer=None,
        errors={409: ("evening_not_open", "sitting_started")},
    )
    def delete(self, request: Any, club_id: int, evening_id: int, sitting: int) -> Any:
        """Take a sitting away, as scorers do, as if it had not been drawn. One that is gone already stays so."""
        evening = self.for_runners(club_id, evening_id)
        return self.write(lambda: discard_sitting(evening, sitting=sitting, by=self.actor))


class StartTable(PlanningView):
    @operation(
        "evenings_start_table",
        summary="Start the game of a table",
        tag=TAG,
        answer=StartedTable,
        errors={400: ("variant_players",), 409: ("evening_not_open", "table_unknown")},
    )
    def post(self, request: Any, club_id: int, evening_id: int, table_id: int) -> Any:
        """Start the game of a drawn table by the club's rules, as scorers do.

        A table has one game: whoever asks again gets that one.
        """
        evening = self.evening(club_id, evening_id)
        permissions.check_can_start_game(self.actor, evening.club)
        table = DrawnTable.objects.filter(evening=evening, pk=table_id).first()
        if table is None:
            raise Http404
        table.evening = evening
        return self.write(
            lambda: start_table_game(table, by=self.actor, key=self.key), _started, secrets=("link_secret",)
        )


def _started(started: Started) -> Body:
    return {"game": started.game.pk, "link_secret": started.secret}
