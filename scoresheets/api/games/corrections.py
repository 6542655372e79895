"""Correcting a game: a scored round, with a look at what that changes; points beside the rounds; a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample

import rules
from scoresheets import permissions
from scoresheets.api.fields import Choice, Id, Shape, Text, Whole, several
from scoresheets.api.games.acts import (
    FIELDS,
    MOST_NUMBER,
    TAG,
    BidShape,
    CloudShape,
    GameView,
    Reason,
    TricksShape,
    blind_in,
    by_seat,
    number,
)
from scoresheets.api.games.shapes import MOST_VERSION, TRUMPS, CorrectionPreviewAnswer, GameAnswer
from scoresheets.api.journal import CorrectionsOfGame
from scoresheets.api.schema import operation
from scoresheets.api.views import Body
from scoresheets.models import Game, Round, Seat
from scoresheets.models.games import MOST_ADJUSTMENT, MOST_PEOPLE, NAME_LENGTH
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.queries.corrections import Preview, players_of, preview_of, scored_round
from scoresheets.recording import (
    Conflict,
    Outcome,
    RoundValues,
    adjust_points,
    correct_results,
    correct_round,
    rename_seat,
)
from scoresheets.recording.results import MOST_POINTS
from scoresheets.recording.trumps import check_trump_note

_EXAMPLE = {
    "round": 1,
    "bids": [{"seat": 12, "bid": 1}, {"seat": 13, "bid": 0}, {"seat": 14, "bid": 0}],
    "tricks": [{"seat": 12, "tricks": 0}, {"seat": 13, "tricks": 1}, {"seat": 14, "tricks": 0}],
    "reason": "Read wrongly",
}


class CorrectionLook(Shape):
    """A scored round as it should have been: all that the sheet holds of it."""

    round = Whole(least=1, most=MOST_NUMBER, help_text="The number of the round.")
    bids = several(BidShape, MOST_PEOPLE, help_text="One for each seat that played it.")
    tricks = several(TricksShape, MOST_PEOPLE, help_text="One for each seat that played it.")
    bombs = number("How many tricks were bombed.", default=0)
    clouds = several(CloudShape, MOST_PEOPLE, required=False, help_text="Who took the cloud, where the game has it.")
    trump = Choice(choices=TRUMPS, required=False, allow_null=True, help_text="The trump as noted; null for no note.")
    turned_up = Text(most=16, required=False, allow_null=True, help_text="The card turned up, as noted.")
    chosen_by = Id(required=False, allow_null=True, help_text="The seat that named trump, as noted.")


class Correction(CorrectionLook):
    """A correction of a scored round."""

    seen = Whole(
        least=1,
        most=MOST_VERSION,
        required=False,
        help_text="The round's `version` as it was seen; left out: as it is in the version that `If-Match` names.",
    )
    reason = Reason(required=False, help_text="Why; needed once the game is finished.")


class PointsToAdd(Shape):
    """Points beside the rounds."""

    seat = Id(help_text="The id of the seat.")
    points = Whole(
        least=-1_000_000, most=1_000_000, help_text=f"The points: not 0, at most {MOST_ADJUSTMENT} either way."
    )
    reason = Reason()


class PointsOfSeat(Shape):
    seat = Id(help_text="The id of the seat.")
    points = Whole(
        least=-1_000_000, most=1_000_000, help_text=f"Its points at the end, at most {MOST_POINTS} either way."
    )


class CorrectedResults(Shape):
    """The points of a game as they should have been."""

    points = several(PointsOfSeat, MOST_PEOPLE, help_text="One for each seat.")
    reason = Reason()


class NameOfSeat(Shape):
    """Another name for a seat."""

    name = Text(most=2 * NAME_LENGTH, help_text=f"The name, 1 to {NAME_LENGTH} characters, once at the table.")
    reason = Reason(required=False, help_text="Why; needed once the game is finished.")


def _values(sent: Body) -> RoundValues:
    return RoundValues(
        bids=by_seat(sent["bids"], "bid", "bids"),
        taken=by_seat(sent["tricks"], "tricks", "tricks"),
        bombs=sent["bombs"],
        clouds=by_seat(sent.get("clouds", ()), "delta", "clouds"),
        blind=blind_in(sent["bids"]),
        trump=sent.get("trump") or "",
        turned_up=sent.get("turned_up") or "",
        chosen_by=sent.get("chosen_by"),
    )


def _who_played(number: int) -> Callable[[Sequence[Seat]], Sequence[Seat]]:
    """Return what picks those who played a round out of all seats."""

    def pick(seats: Sequence[Seat]) -> Sequence[Seat]:
        return [seat for seat in seats if number <= len(seat.line) and seat.line[number - 1] is not None]

    return pick


class Corrections(CorrectionsOfGame):
    @operation(
        "games_correct_round",
        summary="Correct a round",
        tag=TAG,
        takes=Correction,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={
            400: ("tricks_sum", "bid_out_of_range", "reason_missing", "trump_impossible", "seat_repeated"),
            409: ("stale", "nothing_changed", "missing_seats", "halted", "results_only"),
        },
        examples=[OpenApiExample("A round of one card", _EXAMPLE, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Replace what the sheet holds of a scored round; points, totals, ranks and statistics follow.

        Bids that add up against the house rules are let through: they were spoken so.
        """
        game, sent = self.kept_game(game_id), self.sent()
        values, number = _values(sent), sent["round"]

        def verb(locked: Game) -> Outcome:
            seen = sent.get("seen")
            if seen is None:
                seen = _version_of(locked, number)
            reason = self.reason(sent)
            return correct_round(locked, number=number, values=values, seen=seen, by=self.actor, reason=reason)

        return self.act(game, verb, seats=_who_played(number))


def _version_of(game: Game, number: int) -> int:
    scored = scored_round(game, number)
    if scored is None:
        raise Conflict("stale")
    return scored.changed_version


class PreviewCorrection(GameView):
    @operation(
        "games_preview_correction",
        summary="Look at what a correction changes",
        tag=TAG,
        takes=CorrectionLook,
        answer=CorrectionPreviewAnswer,
        writes=False,
        game_link=True,
        errors={
            400: ("tricks_sum", "bid_out_of_range", "trump_impossible", "seat_repeated"),
            403: ("not_allowed",),
            409: ("stale", "missing_seats", "results_only"),
        },
        examples=[
            OpenApiExample(
                "A round of one card",
                {name: value for name, value in _EXAMPLE.items() if name != "reason"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Say what a correction of a scored round would change, and what the rules have against it. Writes nothing."""
        game = self.game(game_id)
        permissions.check_can_keep_score(self.actor, game)
        if not game.has_rounds:
            raise Conflict("results_only")
        sent = self.sent()
        values, number = _values(sent), sent["round"]
        sheet = sheet_of(game, whole=True)
        scored = next((one for one in sheet.rounds if one.number == number), None)
        if scored is None or scored.state != Round.State.SCORED:
            raise Conflict("stale")
        played = players_of(sheet, number)
        ids = {seat.pk for seat in played}
        if not set(values.bids) == set(values.taken) == ids or not set(values.clouds or ()) <= ids:
            raise Conflict("missing_seats")
        self.seats = [(seat.pk, seat.name) for seat in played]
        preview = _looked_at(sheet, scored, played, values)
        return self.answer(_preview_body(sheet, scored, played, values, preview))


def _looked_at(sheet: Sheet, scored: Round, played: Sequence[Seat], values: RoundValues) -> Preview:
    """Return what the values change. Raises `rules.RulesError` with all that is wrong with them, `Conflict`."""
    problems: list[rules.Problem] = []
    preview: Preview | None = None
    try:
        preview = preview_of(
            sheet,
            number=scored.number,
            bids=values.bids,
            taken=values.taken,
            bombs=values.bombs,
            clouds=values.clouds,
            blind=tuple(values.blind),
        )
    except rules.RulesError as refused:
        problems += refused.problems
    try:
        check_trump_note(
            sheet.game,
            scored,
            played,
            trump=values.trump,
            turned_up=values.turned_up,
            chosen_by=values.chosen_by,
        )
    except rules.RulesError as refused:
        problems += refused.problems
    if problems or preview is None:
        raise rules.RulesError(problems)
    return preview


def _preview_body(sheet: Sheet, scored: Round, played: Sequence[Seat], values: RoundValues, preview: Preview) -> Body:
    before, after = preview.before, preview.after
    changed = sorted({place for place, *_change in preview.changes})
    dealer = next((place for place, seat in enumerate(played) if seat.pk == scored.dealer_id), 0)
    problems = rules.bids_problems(
        before.house,
        number=scored.number,
        cards=scored.cards,
        dealer=dealer,
        bids=[values.bids[seat.pk] for seat in played],
        blind=[seat.pk in values.blind for seat in played],
    )
    return {
        "seats": [
            {
                "seat": sheet.seats[place].pk,
                "total_before": before.totals[place],
                "total_after": after.totals[place],
                "rank_before": before.ranks[place],
                "rank_after": after.ranks[place],
                "exact_before": before.hits[place],
                "exact_after": after.hits[place],
            }
            for place in changed
        ],
        "winners_before": [sheet.seats[place].pk for place in before.winners],
        "winners_after": [sheet.seats[place].pk for place in after.winners],
        "adds_up": any(problem.code == "bid_sum_forbidden" for problem in problems),
    }


class AdjustPoints(GameView):
    FIELD_OF: ClassVar = {**FIELDS, "adjustment_out_of_range": "points"}

    @operation(
        "games_adjust_points",
        summary="Add points beside the rounds",
        tag=TAG,
        takes=PointsToAdd,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={
            400: ("adjustment_out_of_range", "reason_missing", "reason_too_long"),
            409: ("seat_unknown", "halted", "results_only"),
        },
        examples=[OpenApiExample("A penalty", {"seat": 12, "points": -10, "reason": "Misdeal"}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Add points to a seat beside its rounds, or take some away. They count for total and rank, never for bids."""
        game, sent = self.kept_game(game_id), self.sent()

        def verb(locked: Game) -> Outcome:
            reason = self.reason(sent)
            return adjust_points(locked, seat=sent["seat"], points=sent["points"], reason=reason, by=self.actor)

        return self.act(game, verb)


class CorrectResults(GameView):
    FIELD_OF: ClassVar = {**FIELDS, "points_out_of_range": "points"}

    @operation(
        "games_correct_results",
        summary="Correct bare results",
        tag=TAG,
        takes=CorrectedResults,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={
            400: ("points_out_of_range", "reason_missing", "reason_too_long", "seat_repeated"),
            409: ("has_rounds", "nothing_changed", "missing_seats", "halted"),
        },
        examples=[
            OpenApiExample(
                "Three people",
                {
                    "points": [
                        {"seat": 12, "points": 180},
                        {"seat": 13, "points": -20},
                        {"seat": 14, "points": 80},
                    ],
                    "reason": "Read wrongly",
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Replace the points of all seats of a game of which only these are known; ranks and statistics follow."""
        game, sent = self.kept_game(game_id), self.sent()
        points = by_seat(sent["points"], "points", "points")

        def verb(locked: Game) -> Outcome:
            ids = [seat.pk for seat in locked.seats_in_order()]
            if set(points) != set(ids):
                raise Conflict("missing_seats")
            in_order = [points[seat] for seat in ids]
            return correct_results(locked.pk, in_order, seen=locked.version, reason=self.reason(sent), by=self.actor)

        return self.act(game, verb, seats=list)


class RenameSeat(GameView):
    FIELD_OF: ClassVar = {**FIELDS, **dict.fromkeys(("name_missing", "name_too_long", "name_taken"), "name")}

    @operation(
        "games_rename_seat",
        summary="Put another name on a seat",
        tag=TAG,
        takes=NameOfSeat,
        answer=GameAnswer,
        etag=True,
        if_match="required",
        game_link=True,
        errors={
            400: ("name_missing", "name_too_long", "name_taken", "reason_missing"),
            409: ("seat_unknown", "nothing_changed", "halted"),
        },
        examples=[OpenApiExample("A name", {"name": "Annika B"}, request_only=True)],
    )
    def post(self, request: Any, game_id: int, seat_id: int) -> Any:
        """Put another name on a seat that was given to the wrong person; all its rounds stay."""
        game, sent = self.kept_game(game_id), self.sent()

        def verb(locked: Game) -> Outcome:
            name, reason = self.name(sent), self.reason(sent)
            return rename_seat(locked, seat=seat_id, name=name, reason=reason, by=self.actor)

        return self.act(game, verb, seats=list)
