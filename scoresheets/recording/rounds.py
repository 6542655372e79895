"""Recording rounds: bids, tricks, both at once, and the half-entered values of an open round."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Bid, Entry, Game, Round, Seat
from scoresheets.models.games import playing
from scoresheets.recording import journal, receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.writing import (
    check_rounds_go_on,
    finish_write,
    open_next_or_finish,
    place_of,
    save_bids,
    save_seats,
    scores_of,
    tricks_payload,
)

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
    `seen` is the `stage_version` the writer saw. Hidden bids that add up under plus/minus one are recorded, shown, and
    leave the round open for the dealer alone. Raises `PermissionDenied`, `Conflict`, `rules.RulesError`; then writes
    nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("record_bids", game.pk, seen, sorted(bids.items()), sorted(blind))
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_rounds_go_on(game)
    current = _open_round_of(game, seen, Round.State.BIDDING)
    everybody = game.seats_in_order()
    seats = playing(everybody)
    standing = current.bids_by_seat()
    _check_seats_are_free(bids, blind, seats, standing)
    problems = _bids_problems(game, current, seats, standing, bids, blind)
    is_complete = len(standing) + len(bids) == len(seats)
    adds_up = is_complete and may_be_shown(game.house, problems, shown=current.shown_version is not None)
    if problems and not adds_up:
        raise rules.RulesError(problems)
    game.version += 1
    _create_bids(game, current, bids, blind)
    current.draft.pop("bids", None)
    current.draft.pop("blind", None)
    if adds_up:
        first = bids.get(current.dealer_id)
        was_blind = current.dealer_id in blind
        if first is None:
            first, was_blind = standing[current.dealer_id].tricks_bid, standing[current.dealer_id].blind
        _show_bids(game, current, first, was_blind=was_blind)
    elif is_complete:
        current.state, game.state = Round.State.PLAYING, Game.State.PLAYING
        current.stage_version = game.version
    current.save(update_fields=["state", "stage_version", "shown_version", "draft"])
    payload: dict[str, Any] = {"round": current.number, "bids": dict(bids)}
    if blind:
        payload["blind"] = sorted(blind)
    return finish_write(game, Kind.BIDS_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=everybody)


def may_be_shown(house: rules.HouseRules, problems: Sequence[rules.Problem], *, shown: bool) -> bool:
    """Say whether complete bids with these problems are to be shown, and only then changed by the dealer (D26)."""
    codes = {problem.code for problem in problems}
    return house.hidden_bids and not shown and codes == {"bid_sum_forbidden"}


def _bids_problems(
    game: Game,
    current: Round,
    seats: Sequence[Seat],
    standing: Mapping[int, Bid],
    bids: Mapping[int, int],
    blind: Collection[int],
) -> tuple[rules.Problem, ...]:
    return rules.bids_problems(
        game.house,
        number=current.number,
        cards=current.cards,
        dealer=place_of(current.dealer_id, seats),
        bids=[bids.get(seat.pk, standing[seat.pk].tricks_bid if seat.pk in standing else None) for seat in seats],
        blind=[seat.pk in blind or (seat.pk in standing and standing[seat.pk].blind) for seat in seats],
    )


def _create_bids(game: Game, current: Round, bids: Mapping[int, int], blind: Collection[int]) -> list[Bid]:
    return Bid.objects.bulk_create(
        Bid(round=current, seat_id=seat, tricks_bid=tricks, blind=seat in blind, version=game.version)
        for seat, tricks in bids.items()
    )


def _show_bids(game: Game, current: Round, first: int, *, was_blind: bool) -> None:
    """Open the round for the dealer alone: the first bid is taken off the sheet and stays as a draft."""
    Bid.objects.filter(round=current, seat_id=current.dealer_id).delete()
    current.draft["bids"] = {str(current.dealer_id): first}
    if was_blind:
        current.draft["blind"] = [current.dealer_id]
    current.shown_version = current.stage_version = game.version


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
    check_rounds_go_on(game)
    current, bids, everybody = _round_being_played(game, seen)
    scores = scores_of(game, current, bids, playing(everybody), taken=taken, bombs=bombs, clouds=clouds)
    game.version += 1
    _score(game, current, bids, everybody, scores, taken=taken, bombs=bombs, clouds=clouds)
    payload = {"round": current.number, **tricks_payload(taken, bombs, clouds)}
    return finish_write(game, Kind.TRICKS_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=everybody)


@transaction.atomic
def record_round(
    game: Game,
    *,
    bids: Mapping[int, int],
    taken: Mapping[int, int],
    seen: int,
    by: Actor,
    blind: Collection[int] = (),
    bombs: int = 0,
    clouds: Mapping[int, int] | None = None,
    key: str | None = None,
) -> Outcome:
    """Record bids and tricks of the open round together, as secret bids need it (D27), and score it.

    The round is open for bids; `bids` maps every seat that has not bid yet to its bid, the rest is as in `record_bids`
    and `record_tricks`. One step back takes back both. Raises `PermissionDenied`, `Conflict`, `rules.RulesError` with
    the problems of bids and tricks; then writes nothing.
    """
    clouds = clouds or {}
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of(
        *("record_round", game.pk, seen, sorted(bids.items()), sorted(blind)),
        *(sorted(taken.items()), bombs, sorted(clouds.items())),
    )
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_rounds_go_on(game)
    current = _open_round_of(game, seen, Round.State.BIDDING)
    everybody = game.seats_in_order()
    seats = playing(everybody)
    # Where everybody's bid is given none may stand; if one does, the database says so.
    standing = {} if len(bids) >= len(seats) else current.bids_by_seat()
    _check_seats_are_free(bids, blind, seats, standing)
    if set(bids) | set(standing) != {seat.pk for seat in seats}:
        raise Conflict("missing_bids")
    problems = _bids_problems(game, current, seats, standing, bids, blind)
    game.version += 1
    new = {
        seat: Bid(round=current, seat_id=seat, tricks_bid=bid, blind=seat in blind, version=game.version)
        for seat, bid in bids.items()
    }
    ordered = [(new | standing)[seat.pk] for seat in seats]
    try:
        scores = scores_of(game, current, ordered, seats, taken=taken, bombs=bombs, clouds=clouds)
    except rules.RulesError as refused:
        raise rules.RulesError(dict.fromkeys((*problems, *refused.problems))) from None
    if problems:
        raise rules.RulesError(problems)
    try:
        _score(game, current, ordered, everybody, scores, taken=taken, bombs=bombs, clouds=clouds)
    except IntegrityError:
        raise Conflict("already_bid") from None
    payload: dict[str, Any] = {"round": current.number, "bids": dict(bids), **tricks_payload(taken, bombs, clouds)}
    if blind:
        payload["blind"] = sorted(blind)
    return finish_write(game, Kind.ROUND_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=everybody)


def _score(
    game: Game,
    current: Round,
    bids: Sequence[Bid],
    everybody: Sequence[Seat],
    scores: Sequence[rules.SeatScore],
    *,
    taken: Mapping[int, int],
    bombs: int,
    clouds: Mapping[int, int],
) -> None:
    """Write what came of the round, and open the next one or finish the game."""
    cells: dict[int, list[int]] = {}
    for bid, score in zip(bids, scores, strict=True):
        seat = bid.seat_id
        bid.tricks_taken, bid.points, bid.cloud_delta = taken[seat], score.points, clouds.get(seat, 0)
        cells[seat] = journal.line_cell(bid.tricks_bid, taken[seat], score.points, bid.blind, bid.cloud_delta)
    for row in everybody:
        row.line = [*row.line, cells.get(row.pk)]
    save_bids(bids)
    save_seats(everybody, game.house)
    current.state, current.scored_version, current.bombs, current.draft = (
        Round.State.SCORED,
        game.version,
        bombs,
        {},
    )
    current.save(update_fields=["state", "scored_version", "bombs", "draft"])
    open_next_or_finish(game, current, everybody)


@transaction.atomic
def save_draft(game: Game, *, draft: Mapping[str, Any], seen: int, by: Actor) -> Outcome:
    """Keep half-entered values of the open round, for every scorer and across a reload. The last writer wins.

    Coins are left as they lie (`recording.coins`). Not journalled: raises `Game.touched`, not the version. Raises
    `PermissionDenied`, `Conflict` ("stale").
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    check_rounds_go_on(game)
    current = game.round_in_stage(game.state, seen)
    if current is None:
        raise Conflict("stale")
    # A writer may not know the newest coin yet and must not take it away.
    coins = {"coins": current.draft["coins"]} if "coins" in current.draft else {}
    current.draft = {name: kept for name, kept in draft.items() if name != "coins"} | coins
    current.save(update_fields=["draft"])
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
    """Return the round whose tricks are due, its bids and all seats in dealing order.

    One statement, and one more where not everybody plays.
    """
    due = Bid.objects.filter(round__game=game, round__state=Round.State.PLAYING, round__stage_version=seen)
    bids = sorted(due.select_related("round", "seat").order_by(), key=lambda bid: bid.seat.position)
    if not bids:
        raise Conflict("stale")
    everybody = game.seats_in_order() if game.table_changed else [bid.seat for bid in bids]
    return bids[0].round, bids, everybody


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
