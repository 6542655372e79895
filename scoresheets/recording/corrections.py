"""Corrections: a scored round as it should have been, points beside the rounds, a name. Each is an entry of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Bid, Entry, Game, Round, Seat
from scoresheets.models.games import MOST_ADJUSTMENT
from scoresheets.recording import journal, receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.names import name_problems
from scoresheets.recording.trumps import check_trump_note
from scoresheets.recording.writing import (
    check_goes_on,
    check_rounds_go_on,
    finish_write,
    reason_problems,
    save_seats,
    scores_of,
    tricks_payload,
)

Kind = Entry.Kind


@dataclass(frozen=True, slots=True)
class RoundValues:
    """All that a sheet holds of one scored round, by seat id: what a correction replaces, and what it replaces it by.

    `blind` names the seats that bid blind, `clouds` maps the seat that took the cloud to -1 or +1; trump is noted as in
    `note_trump`.
    """

    bids: Mapping[int, int]
    taken: Mapping[int, int]
    bombs: int = 0
    clouds: Mapping[int, int] | None = None
    blind: Collection[int] = ()
    trump: str = ""
    turned_up: str = ""
    chosen_by: int | None = None

    @classmethod
    def of(cls, scored: Round, bids: Sequence[Bid]) -> RoundValues:
        """Return the values of a scored round as it stands."""
        return cls(
            bids={bid.seat_id: bid.tricks_bid for bid in bids},
            taken={bid.seat_id: bid.tricks_taken or 0 for bid in bids},
            bombs=scored.bombs,
            clouds={bid.seat_id: bid.cloud_delta for bid in bids if bid.cloud_delta},
            blind=tuple(bid.seat_id for bid in bids if bid.blind),
            trump=scored.trump,
            turned_up=scored.turned_up,
            chosen_by=scored.chosen_by_id,
        )

    @property
    def payload(self) -> dict[str, Any]:
        """The values as a journal entry holds them; what is not set is left out."""
        payload: dict[str, Any] = {
            "bids": dict(sorted(self.bids.items())),
            **tricks_payload(dict(sorted(self.taken.items())), self.bombs, self.clouds or {}),
        }
        if self.blind:
            payload["blind"] = sorted(self.blind)
        if self.trump:
            payload |= {"trump": self.trump, "turned_up": self.turned_up, "chosen_by": self.chosen_by}
        return payload


@transaction.atomic
def correct_round(
    game: Game, *, number: int, values: RoundValues, seen: int, by: Actor, reason: str = "", key: str | None = None
) -> Outcome:
    """Replace what the sheet holds of a scored round; points, totals and ranks follow.

    `seen` is the `changed_version` of the round that the writer saw. A reason is needed once the game is finished, at
    most 500 characters. Bids that add up against plus/minus one are let through: they were spoken so. A step back
    never takes a correction back; another correction does.
    Raises `PermissionDenied`, `Conflict` ("stale", "nothing_changed", "missing_seats", "seat_unknown"),
    `rules.RulesError` (also `reason_missing`, `reason_too_long`); then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("correct_round", game.pk, number, values.payload, seen, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_rounds_go_on(game)
    rows = Bid.objects.filter(round__game=game, round__number=number, round__state=Round.State.SCORED)
    bids = {bid.seat_id: bid for bid in rows.select_related("round").order_by()}
    corrected = next(iter(bids.values())).round if bids else None
    if corrected is None or corrected.changed_version != seen:
        raise Conflict("stale")
    everybody = game.seats_in_order()
    contributed = statistics.counted(game, everybody)
    seats = [seat for seat in everybody if seat.pk in bids]
    ordered = [bids[seat.pk] for seat in seats]
    before = RoundValues.of(corrected, ordered)
    if set(values.bids) != set(bids) or not set(values.blind) <= set(bids):
        raise Conflict("missing_seats")
    if values.payload == before.payload:
        raise Conflict("nothing_changed")
    for bid in ordered:
        bid.tricks_bid, bid.blind = values.bids[bid.seat_id], bid.seat_id in values.blind
    problems = list(reason_problems(reason, needed=game.is_finished))
    scores: Sequence[rules.SeatScore] = ()
    try:
        scores = scores_of(
            game, corrected, ordered, seats, taken=values.taken, bombs=values.bombs, clouds=values.clouds or {}
        )
        check_trump_note(
            game, corrected, seats, trump=values.trump, turned_up=values.turned_up, chosen_by=values.chosen_by
        )
    except rules.RulesError as refused:
        problems += refused.problems
    if problems:
        raise rules.RulesError(problems)
    game.version += 1
    _rewrite(game, corrected, ordered, everybody, scores, values)
    payload = {"round": number, **values.payload, "before": before.payload}
    return finish_write(
        game,
        Kind.ROUND_CORRECTED,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        reason=reason,
        seats=everybody,
        contributed=contributed,
    )


def _rewrite(
    game: Game,
    corrected: Round,
    bids: Sequence[Bid],
    everybody: Sequence[Seat],
    scores: Sequence[rules.SeatScore],
    values: RoundValues,
) -> None:
    """Write the round as corrected: its bids, its own row, and what follows for each seat."""
    clouds = values.clouds or {}
    rows = {seat.pk: seat for seat in everybody}
    for bid, score in zip(bids, scores, strict=True):
        bid.tricks_taken, bid.points = values.taken[bid.seat_id], score.points
        bid.cloud_delta = clouds.get(bid.seat_id, 0)
        rows[bid.seat_id].line[corrected.number - 1] = journal.line_cell(
            bid.tricks_bid, values.taken[bid.seat_id], score.points, bid.blind, bid.cloud_delta
        )
    Bid.objects.bulk_create(
        bids,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["tricks_bid", "blind", "tricks_taken", "points", "cloud_delta"],
    )
    save_seats(everybody, game.house)
    corrected.bombs, corrected.stage_version = values.bombs, game.version
    corrected.trump, corrected.turned_up, corrected.chosen_by_id = values.trump, values.turned_up, values.chosen_by
    corrected.save(update_fields=["bombs", "stage_version", "trump", "turned_up", "chosen_by"])


@transaction.atomic
def adjust_points(game: Game, *, seat: int, points: int, reason: str, by: Actor, key: str | None = None) -> Outcome:
    """Add points to a seat beside its rounds (or take some away), from the newest scored round on.

    They count for the total and the rank, never for bids. `points` is not 0 and at most 1,000 either way; a reason is
    always needed. Raises `PermissionDenied`, `Conflict` ("seat_unknown"), `rules.RulesError`
    (`adjustment_out_of_range`, `reason_missing`, `reason_too_long`); then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("adjust_points", game.pk, seat, points, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_rounds_go_on(game)
    seats = game.seats_in_order()
    adjusted = next((row for row in seats if row.pk == seat), None)
    if adjusted is None:
        raise Conflict("seat_unknown")
    problems = list(reason_problems(reason, needed=True))
    if points == 0 or abs(points) > MOST_ADJUSTMENT:
        problems.append(rules.Problem.of("adjustment_out_of_range", points=points, most=MOST_ADJUSTMENT))
    if problems:
        raise rules.RulesError(problems)
    contributed = statistics.counted(game, seats)
    game.version += 1
    after = max(len(row.line) for row in seats)
    adjusted.adjustments = [*adjusted.adjustments, [after, points]]
    save_seats(seats, game.house)
    payload = {"seat": seat, "points": points, "after": after}
    return finish_write(
        game,
        Kind.POINTS_ADJUSTED,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        reason=reason,
        seats=seats,
        contributed=contributed,
    )


@transaction.atomic
def rename_seat(game: Game, *, seat: int, name: str, by: Actor, reason: str = "", key: str | None = None) -> Outcome:
    """Put another name on a seat that was given to the wrong person; all its rounds stay.

    The journal says that and when it was done, the name stands on the seat alone. A reason is needed once the game is
    finished. Raises `PermissionDenied`, `Conflict` ("seat_unknown", "nothing_changed"), `rules.RulesError` with the
    problems of the name and of the reason; then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("rename_seat", game.pk, seat, name, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_goes_on(game)
    seats = game.seats_in_order()
    renamed = next((row for row in seats if row.pk == seat), None)
    if renamed is None:
        raise Conflict("seat_unknown")
    if renamed.name == name:
        raise Conflict("nothing_changed")
    others = [row.name for row in seats if row.pk != seat]
    place = seats.index(renamed)
    found = [replace(problem, seat=place) for problem in name_problems([*others, name]) if problem.seat == len(others)]
    found += reason_problems(reason, needed=game.is_finished)
    if found:
        raise rules.RulesError(found)
    renamed.name = name
    game.version += 1
    renamed.save(update_fields=["name"])
    payload = {"seat": seat}
    return finish_write(
        game, Kind.SEAT_RENAMED, payload, by=by, key=key, fingerprint=fingerprint, reason=reason, seats=seats
    )
