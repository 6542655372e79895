"""Recording rounds: bids, tricks, the steps back, and the half-entered values of an open round."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Bid, Entry, Game, Round, Seat
from scoresheets.models.games import REASON_LENGTH
from scoresheets.recording import journal, receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome, open_round

Kind = Entry.Kind


@transaction.atomic
def record_bids(
    game: Game,
    *,
    bids: Mapping[int, int],
    seen: int,
    by: Actor,
    blind: Collection[int] = (),
    key: str | None = None,
) -> Outcome:
    """Record the bids of one or more seats in the open round; the last one opens the tricks.

    `bids` maps seat ids to tricks, 0 to the cards of the round; `blind` names the seats that bid before looking;
    `seen` is the `stage_version` the writer saw. Raises `PermissionDenied`, `Conflict`, `rules.RulesError`; then
    writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("record_bids", game.pk, seen, sorted(bids.items()), sorted(blind))
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    current = _open_round_of(game, seen, Round.State.BIDDING)
    seats = game.seats_in_order()
    standing = current.bids_by_seat()
    _check_seats_are_free(bids, blind, seats, standing)
    rules.check_bids(
        game.house,
        number=current.number,
        cards=current.cards,
        dealer=_place_of(current.dealer_id, seats),
        bids=[bids.get(seat.pk, standing[seat.pk].tricks_bid if seat.pk in standing else None) for seat in seats],
        blind=[seat.pk in blind or (seat.pk in standing and standing[seat.pk].blind) for seat in seats],
    )
    game.version += 1
    Bid.objects.bulk_create(
        Bid(round=current, seat_id=seat, tricks_bid=tricks, blind=seat in blind, version=game.version)
        for seat, tricks in bids.items()
    )
    current.draft.pop("bids", None)
    current.draft.pop("blind", None)
    if len(standing) + len(bids) == len(seats):
        current.state, game.state = Round.State.PLAYING, Game.State.PLAYING
        current.stage_version = game.version
    current.save(update_fields=["state", "stage_version", "draft"])
    payload: dict[str, Any] = {"round": current.number, "bids": dict(bids)}
    if blind:
        payload["blind"] = sorted(blind)
    return _finish_write(game, Kind.BIDS_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=seats)


@transaction.atomic
def record_tricks(
    game: Game,
    *,
    taken: Mapping[int, int],
    seen: int,
    by: Actor,
    bombs: int = 0,
    clouds: Mapping[int, int] | None = None,
    key: str | None = None,
) -> Outcome:
    """Record the tricks of the open round, score it, and open the next one; the last round finishes the game.

    `taken` maps every seat id to its tricks, together the cards minus the `bombs`; `clouds` maps the seat that took
    the cloud to -1 or +1; `seen` is the `stage_version` the writer saw. Raises `PermissionDenied`, `Conflict`,
    `rules.RulesError`; then writes nothing.
    """
    clouds = clouds or {}
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of(
        "record_tricks", game.pk, seen, sorted(taken.items()), bombs, sorted(clouds.items())
    )
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    current, bids, seats = _round_being_played(game, seen)
    if set(taken) != {seat.pk for seat in seats} or not set(clouds) <= set(taken):
        raise Conflict("missing_seats")
    scores = rules.score_round(
        game.house,
        number=current.number,
        cards=current.cards,
        bids=[bid.tricks_bid for bid in bids],
        tricks=[taken[seat.pk] for seat in seats],
        bombs=bombs,
        clouds=[(place, clouds[seat.pk]) for place, seat in enumerate(seats) if seat.pk in clouds],
        blind=[bid.blind for bid in bids],
    )
    game.version += 1
    for bid, seat, score in zip(bids, seats, scores, strict=True):
        bid.tricks_taken, bid.points, bid.cloud_delta = taken[seat.pk], score.points, clouds.get(seat.pk, 0)
        cell = journal.line_cell(bid.tricks_bid, taken[seat.pk], score.points, bid.blind, bid.cloud_delta)
        seat.line = [*seat.line, cell]
    _save_bids(bids)
    _save_seats(seats, game.house)
    current.state, current.scored_version, current.bombs, current.draft = (
        Round.State.SCORED,
        game.version,
        bombs,
        {},
    )
    current.save(update_fields=["state", "scored_version", "bombs", "draft"])
    _open_next_or_finish(game, current, seats)
    payload: dict[str, Any] = {"round": current.number, "taken": dict(taken)}
    if bombs:
        payload["bombs"] = bombs
    if clouds:
        payload["clouds"] = dict(clouds)
    return _finish_write(game, Kind.TRICKS_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=seats)


@transaction.atomic
def step_back(game: Game, *, undoes: int, by: Actor, key: str | None = None) -> Outcome:
    """Take back the newest bids or tricks, across stages and rounds, and keep their values as a draft.

    `undoes` is the version of the entry the writer wants to take back (`queries.blocks.Undo.version`): if it is not
    the newest one, somebody else was faster. Raises `PermissionDenied`, `Conflict` ("stale", "nothing_to_undo").
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("step_back", game.pk, undoes)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    current = game.rounds.order_by("-number")[0]
    standing = list(current.bids.all())
    if current.state == Round.State.SCORED:
        payload = _take_back_tricks(game, current, undoes)
        return _finish_write(game, Kind.REOPENED, payload, by=by, key=key, fingerprint=fingerprint)
    if standing:
        payload = _take_back_bids(game, current, standing, undoes)
    elif current.number > 1:
        before = game.rounds.get(number=current.number - 1)
        if before.scored_version != undoes:
            raise Conflict("stale")
        current.delete()
        payload = _take_back_tricks(game, before, undoes)
    else:
        raise Conflict("nothing_to_undo")
    return _finish_write(game, Kind.STEPPED_BACK, payload, by=by, key=key, fingerprint=fingerprint)


@transaction.atomic
def reopen(game: Game, *, by: Actor, reason: str = "", key: str | None = None) -> Outcome:
    """Open a finished game again at the tricks of its last round, which stay typed in.

    `reason` has at most 500 characters. Raises `PermissionDenied`, `Conflict` ("not_finished"), `rules.RulesError`.
    """
    if len(reason) > REASON_LENGTH:
        raise rules.RulesError([rules.Problem.of("reason_too_long", most=REASON_LENGTH)])
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("reopen", game.pk, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    if not game.is_finished:
        raise Conflict("not_finished")
    last = game.rounds.order_by("-number")[0]
    payload = _take_back_tricks(game, last, last.scored_version)
    return _finish_write(game, Kind.REOPENED, payload, by=by, key=key, fingerprint=fingerprint, reason=reason)


@transaction.atomic
def save_draft(game: Game, *, draft: Mapping[str, Any], seen: int, by: Actor) -> Outcome:
    """Keep half-entered values of the open round, for every scorer and across a reload. The last writer wins.

    Not journalled: raises `Game.touched`, not the version. Raises `PermissionDenied`, `Conflict` ("stale").
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    changed = game.rounds.filter(stage_version=seen).exclude(state=Round.State.SCORED).update(draft=dict(draft))
    if not changed:
        raise Conflict("stale")
    game.touched += 1
    game.save(update_fields=["touched"])
    return Outcome(game)


def _open_round_of(game: Game, seen: int, state: str) -> Round:
    """Return the open round if it stands as the writer saw it, else raise `Conflict` ("stale")."""
    current = game.round_in_stage(state, seen)
    if current is None:
        raise Conflict("stale")
    return current


def _round_being_played(game: Game, seen: int) -> tuple[Round, list[Bid], list[Seat]]:
    """Return the round whose tricks are due, its bids and the seats in dealing order, in one query."""
    playing = Bid.objects.filter(round__game=game, round__state=Round.State.PLAYING, round__stage_version=seen)
    bids = sorted(playing.select_related("round", "seat").order_by(), key=lambda bid: bid.seat.position)
    if not bids:
        raise Conflict("stale")
    return bids[0].round, bids, [bid.seat for bid in bids]


def _check_seats_are_free(
    bids: Mapping[int, int], blind: Collection[int], seats: Sequence[Seat], standing: Mapping[int, Bid]
) -> None:
    """Raise `Conflict` unless there are bids, all of seats of this game that have not bid, blind ones among them."""
    known = {seat.pk for seat in seats}
    if not bids or not set(blind) <= set(bids):
        raise Conflict("missing_bids")
    for seat in bids:
        if seat not in known:
            raise Conflict("seat_unknown")
        if seat in standing:
            raise Conflict("already_bid", seat_id=seat)


def _place_of(seat_id: int, seats: Sequence[Seat]) -> int:
    return next(place for place, seat in enumerate(seats) if seat.pk == seat_id)


def _open_next_or_finish(game: Game, scored: Round, seats: Sequence[Seat]) -> None:
    if scored.number < len(game.plan):
        dealer = seats[(_place_of(scored.dealer_id, seats) + 1) % len(seats)]
        open_round(game, dealer, number=scored.number + 1)
        game.state = Game.State.BIDDING
    else:
        game.state, game.finished_at = Game.State.FINISHED, timezone.now()


def _take_back_bids(game: Game, current: Round, standing: Sequence[Bid], undoes: int) -> dict[str, Any]:
    newest = max(bid.version for bid in standing)
    if newest != undoes:
        raise Conflict("stale")
    taken_back = [bid for bid in standing if bid.version == newest]
    Bid.objects.filter(pk__in=[bid.pk for bid in taken_back]).delete()
    game.version += 1
    game.state = current.state = Round.State.BIDDING
    current.stage_version = game.version
    current.draft["bids"] = {str(bid.seat_id): bid.tricks_bid for bid in taken_back}
    current.draft["blind"] = [bid.seat_id for bid in taken_back if bid.blind]
    current.save(update_fields=["state", "stage_version", "draft"])
    return {"round": current.number, "undoes": undoes, "bids": [bid.seat_id for bid in taken_back]}


def _take_back_tricks(game: Game, scored: Round, undoes: int | None) -> dict[str, Any]:
    if scored.scored_version is None or scored.scored_version != undoes:
        raise Conflict("stale")
    bids = list(scored.bids.select_related("seat").order_by("seat__position"))
    seats = [bid.seat for bid in bids]
    game.version += 1
    game.state, game.finished_at = Game.State.PLAYING, None
    scored.draft = {
        "taken": {str(bid.seat_id): bid.tricks_taken for bid in bids},
        "bombs": scored.bombs,
        "clouds": {str(bid.seat_id): bid.cloud_delta for bid in bids if bid.cloud_delta},
    }
    scored.state, scored.scored_version, scored.bombs = Round.State.PLAYING, None, 0
    scored.stage_version = game.version
    for bid, seat in zip(bids, seats, strict=True):
        bid.tricks_taken = bid.points = None
        bid.cloud_delta = 0
        seat.line = seat.line[:-1]
    _save_bids(bids)
    _save_seats(seats, game.house)
    scored.save(update_fields=["state", "scored_version", "bombs", "stage_version", "draft"])
    return {"round": scored.number, "undoes": undoes}


def _save_bids(bids: Sequence[Bid]) -> None:
    """Write what came of the bids, in one statement."""
    Bid.objects.bulk_create(
        bids,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["tricks_taken", "points", "cloud_delta"],
    )


def _save_seats(seats: Sequence[Seat], house: rules.HouseRules) -> None:
    """Derive total, exact bids, rounds and rank of every seat from its line and write them, in one statement."""
    derive_seats(seats, house)
    Seat.objects.bulk_create(
        seats,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["total", "exact", "rounds", "rank", "line"],
    )


def derive_seats(seats: Sequence[Seat], house: rules.HouseRules) -> None:
    """Set each seat's total, exact bids, number of rounds and rank from the lines. Saves nothing."""
    for seat in seats:
        seat.total = sum(cell[2] for cell in seat.line)
        seat.exact = sum(cell[0] + (cell[4] if len(cell) > 3 else 0) == cell[1] for cell in seat.line)
        seat.rounds = len(seat.line)
    ranks = rules.ranks([seat.total for seat in seats], [seat.exact for seat in seats], house.tie_break)
    for seat, rank in zip(seats, ranks, strict=True):
        seat.rank = rank


def _finish_write(
    game: Game,
    kind: str,
    payload: dict[str, Any],
    *,
    by: Actor,
    key: str | None,
    fingerprint: str,
    reason: str = "",
    seats: Sequence[Seat] | None = None,
) -> Outcome:
    """Save the game, append the entry and keep the receipt: the end of every journalled write."""
    game.touched += 1
    game.save(update_fields=["state", "version", "finished_at", "touched"])
    journal.append(game, kind, payload, by=by, reason=reason)
    receipts.keep_answer(by, key, fingerprint, {"version": game.version})
    return Outcome(game, seats=seats)
