"""Stepping back: the newest bids or tricks are taken off the sheet and stay as a draft, across stages and rounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Bid, Entry, Game, Round
from scoresheets.models.games import others_played, playing
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.writing import (
    check_rounds_go_on,
    finish_write,
    open_next_or_finish,
    reason_problems,
    save_bids,
    save_seats,
    somebody_left,
)

Kind = Entry.Kind


@transaction.atomic
def step_back(game: Game, *, undoes: int, by: Actor, key: str | None = None) -> Outcome:
    """Take back the newest bids or tricks, across stages and rounds, and keep their values as a draft.

    `undoes` is the version of the entry the writer wants to take back (`queries.blocks.Undo.version`): if it is not
    the newest one, somebody else was faster. A round that other people played is not taken back, but can be corrected.
    Raises `PermissionDenied`, `Conflict` ("stale", "nothing_to_undo", "table_changed").
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("step_back", game.pk, undoes)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_rounds_go_on(game)
    current = game.rounds.order_by("-number")[0]
    if game.is_finished and current.number < len(game.plan):
        raise Conflict("nothing_to_undo")  # it was ended early: `reopen` lets it go on
    contributed = statistics.counted(game)
    standing = list(current.bids.all())
    if current.state == Round.State.SCORED:
        payload = _take_back_tricks(game, current, undoes)
        return finish_write(
            game, Kind.REOPENED, payload, by=by, key=key, fingerprint=fingerprint, contributed=contributed
        )
    if standing or current.shown_version is not None:
        payload = _take_back_bids(game, current, standing, undoes)
    elif current.number > 1:
        if game.table_changed and others_played(game.seats_in_order()):
            raise Conflict("table_changed")
        before = game.rounds.get(number=current.number - 1)
        if before.changed_version != undoes:
            raise Conflict("stale")
        current.delete()
        payload = _take_back_tricks(game, before, undoes)
    else:
        raise Conflict("nothing_to_undo")
    return finish_write(game, Kind.STEPPED_BACK, payload, by=by, key=key, fingerprint=fingerprint)


@transaction.atomic
def reopen(game: Game, *, by: Actor, reason: str = "", key: str | None = None) -> Outcome:
    """Open a finished game again at the tricks of its last round, which stay typed in; one ended early, at the next
    round.

    `reason` has at most 500 characters. Raises `PermissionDenied`, `Conflict` ("not_finished", "too_few_playing"),
    `rules.RulesError`.
    """
    problems = reason_problems(reason, needed=False)
    if problems:
        raise rules.RulesError(problems)
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("reopen", game.pk, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_rounds_go_on(game)
    if not game.is_finished:
        raise Conflict("not_finished")
    contributed = statistics.counted(game)
    last = game.rounds.order_by("-number")[0]
    if last.number < len(game.plan):
        payload = _open_after(game, last)
    else:
        payload = _take_back_tricks(game, last, last.changed_version)
    return finish_write(
        game,
        Kind.REOPENED,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        reason=reason,
        contributed=contributed,
    )


def newest_bids(bids: Collection[Bid], shown_version: int | None, dealer: int) -> int:
    """Return the version of the entry that brought the newest bids: while the dealer has to bid again, the one that
    completed the hidden bids, whether or not a bid of it still stands."""
    if shown_version is not None and dealer not in {bid.seat_id for bid in bids}:
        return shown_version
    return max(bid.version for bid in bids)


def _open_after(game: Game, last: Round) -> dict[str, Any]:
    seats = game.seats_in_order()
    if len(playing(seats)) < rules.FEWEST_PLAYERS:
        raise Conflict("too_few_playing")
    game.version += 1
    game.finished_at, game.incomplete = None, somebody_left(seats)
    open_next_or_finish(game, last, seats)
    return {"round": last.number + 1, "goes_on": True}


def _take_back_bids(game: Game, current: Round, standing: Sequence[Bid], undoes: int) -> dict[str, Any]:
    newest = newest_bids(standing, current.shown_version, current.dealer_id)
    if newest != undoes:
        raise Conflict("stale")
    taken_back = [bid for bid in standing if bid.version == newest]
    Bid.objects.filter(pk__in=[bid.pk for bid in taken_back]).delete()
    game.version += 1
    game.state = current.state = Round.State.BIDDING
    current.stage_version = game.version
    hides = newest == current.shown_version
    if hides:
        first = _first_bid_of_dealer(game, current)
        current.shown_version = None
        if first.version < newest:
            first.save()
        else:
            taken_back.append(first)
    current.draft["bids"] = {str(bid.seat_id): bid.tricks_bid for bid in taken_back}
    current.draft["blind"] = [bid.seat_id for bid in taken_back if bid.blind]
    current.save(update_fields=["state", "stage_version", "shown_version", "draft"])
    payload: dict[str, Any] = {"round": current.number, "undoes": undoes, "bids": [bid.seat_id for bid in taken_back]}
    return payload | ({"hides": True} if hides else {})


def _first_bid_of_dealer(game: Game, current: Round) -> Bid:
    """Return the dealer's hidden bid that was taken off the sheet when the bids were shown, as the journal has it."""
    dealer = str(current.dealer_id)
    told = game.entries.filter(kind=Kind.BIDS_RECORDED, version__lte=current.shown_version).order_by("-version")
    entry = next(entry for entry in told if dealer in entry.payload["bids"])
    return Bid(
        round=current,
        seat_id=current.dealer_id,
        tricks_bid=entry.payload["bids"][dealer],
        blind=current.dealer_id in entry.payload.get("blind", ()),
        version=entry.version,
    )


def _take_back_tricks(game: Game, scored: Round, undoes: int) -> dict[str, Any]:
    """Open a scored round again; its tricks stay as a draft, and so do bids that were recorded together with them."""
    if scored.changed_version != undoes:
        raise Conflict("stale")
    bids = list(scored.bids.select_related("seat").order_by("seat__position"))
    seats = game.seats_in_order() if game.table_changed else [bid.seat for bid in bids]
    together = [bid for bid in bids if bid.version == scored.scored_version]
    game.version += 1
    game.finished_at = None
    scored.draft = {
        "taken": {str(bid.seat_id): bid.tricks_taken for bid in bids},
        "bombs": scored.bombs,
        "clouds": {str(bid.seat_id): bid.cloud_delta for bid in bids if bid.cloud_delta},
    }
    if together:
        # The rounds of a whole sheet share their entry: from now on the one before is known by a version of its own,
        # so that two scorers who take back the same round do not take back two.
        one_before = game.rounds.filter(number=scored.number - 1, scored_version=scored.scored_version)
        one_before.update(stage_version=game.version)
        scored.draft["bids"] = {str(bid.seat_id): bid.tricks_bid for bid in together}
        scored.draft["blind"] = [bid.seat_id for bid in together if bid.blind]
    scored.state = game.state = Round.State.BIDDING if together else Round.State.PLAYING
    scored.scored_version, scored.bombs, scored.stage_version = None, 0, game.version
    for bid in bids:
        bid.tricks_taken = bid.points = None
        bid.cloud_delta = 0
    for seat in seats:
        seat.line = seat.line[:-1]
    save_bids(bids)
    save_seats(seats, game.house)
    if together:
        Bid.objects.filter(pk__in=[bid.pk for bid in together]).delete()
    scored.save(update_fields=["state", "scored_version", "bombs", "stage_version", "draft"])
    payload: dict[str, Any] = {"round": scored.number, "undoes": undoes}
    return payload | ({"bids": [bid.seat_id for bid in together], "tricks": True} if together else {})
