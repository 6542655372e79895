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
    `seen` is the `stage_version` the writer saw. Hidden bids that add up under plus/minus one are recorded, shown, and
    leave the round open for the dealer alone. Raises `PermissionDenied`, `Conflict`, `rules.RulesError`; then writes
    nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("record_bids", game.pk, seen, sorted(bids.items()), sorted(blind))
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_goes_on(game)
    current = _open_round_of(game, seen, Round.State.BIDDING)
    seats = game.seats_in_order()
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
        _show_bids(game, current, {**{seat: bid.tricks_bid for seat, bid in standing.items()}, **bids})
    elif is_complete:
        current.state, game.state = Round.State.PLAYING, Game.State.PLAYING
        current.stage_version = game.version
    current.save(update_fields=["state", "stage_version", "shown_version", "draft"])
    payload: dict[str, Any] = {"round": current.number, "bids": dict(bids)}
    if blind:
        payload["blind"] = sorted(blind)
    return finish_write(game, Kind.BIDS_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=seats)


def check_goes_on(game: Game) -> None:
    """Do nothing unless the game is paused, abandoned or voided. Raises `Conflict` ("halted")."""
    if game.halted:
        raise Conflict("halted")


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
        dealer=_place_of(current.dealer_id, seats),
        bids=[bids.get(seat.pk, standing[seat.pk].tricks_bid if seat.pk in standing else None) for seat in seats],
        blind=[seat.pk in blind or (seat.pk in standing and standing[seat.pk].blind) for seat in seats],
    )


def _create_bids(game: Game, current: Round, bids: Mapping[int, int], blind: Collection[int]) -> list[Bid]:
    return Bid.objects.bulk_create(
        Bid(round=current, seat_id=seat, tricks_bid=tricks, blind=seat in blind, version=game.version)
        for seat, tricks in bids.items()
    )


def _show_bids(game: Game, current: Round, bids: Mapping[int, int]) -> None:
    """Open the round for the dealer alone: the first bid is taken off the sheet and stays as a draft."""
    Bid.objects.filter(round=current, seat_id=current.dealer_id).delete()
    current.draft["bids"] = {str(current.dealer_id): bids[current.dealer_id]}
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
    check_goes_on(game)
    current, bids, seats = _round_being_played(game, seen)
    scores = scores_of(game, current, bids, seats, taken=taken, bombs=bombs, clouds=clouds)
    game.version += 1
    _score(game, current, bids, seats, scores, taken=taken, bombs=bombs, clouds=clouds)
    payload = {"round": current.number, **tricks_payload(taken, bombs, clouds)}
    return finish_write(game, Kind.TRICKS_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=seats)


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
    check_goes_on(game)
    current = _open_round_of(game, seen, Round.State.BIDDING)
    seats = game.seats_in_order()
    standing = current.bids_by_seat()
    _check_seats_are_free(bids, blind, seats, standing)
    if set(bids) | set(standing) != {seat.pk for seat in seats}:
        raise Conflict("missing_bids")
    problems = _bids_problems(game, current, seats, standing, bids, blind)
    rows = {seat: Bid(tricks_bid=bid, blind=seat in blind) for seat, bid in bids.items()} | standing
    ordered = [rows[seat.pk] for seat in seats]
    try:
        scores = scores_of(game, current, ordered, seats, taken=taken, bombs=bombs, clouds=clouds)
    except rules.RulesError as refused:
        raise rules.RulesError(dict.fromkeys((*problems, *refused.problems))) from None
    if problems:
        raise rules.RulesError(problems)
    game.version += 1
    _create_bids(game, current, bids, blind)
    written = current.bids_by_seat()
    ordered = [written[seat.pk] for seat in seats]
    _score(game, current, ordered, seats, scores, taken=taken, bombs=bombs, clouds=clouds)
    payload: dict[str, Any] = {"round": current.number, "bids": dict(bids), **tricks_payload(taken, bombs, clouds)}
    if blind:
        payload["blind"] = sorted(blind)
    return finish_write(game, Kind.ROUND_RECORDED, payload, by=by, key=key, fingerprint=fingerprint, seats=seats)


def scores_of(
    game: Game,
    current: Round,
    bids: Sequence[Bid],
    seats: Sequence[Seat],
    *,
    taken: Mapping[int, int],
    bombs: int,
    clouds: Mapping[int, int],
) -> tuple[rules.SeatScore, ...]:
    """Return the score of each seat, bids and seats in the same order. Raises `Conflict`, `rules.RulesError`."""
    if set(taken) != {seat.pk for seat in seats} or not set(clouds) <= set(taken):
        raise Conflict("missing_seats")
    return rules.score_round(
        game.house,
        number=current.number,
        cards=current.cards,
        bids=[bid.tricks_bid for bid in bids],
        tricks=[taken[seat.pk] for seat in seats],
        bombs=bombs,
        clouds=[(place, clouds[seat.pk]) for place, seat in enumerate(seats) if seat.pk in clouds],
        blind=[bid.blind for bid in bids],
    )


def _score(
    game: Game,
    current: Round,
    bids: Sequence[Bid],
    seats: Sequence[Seat],
    scores: Sequence[rules.SeatScore],
    *,
    taken: Mapping[int, int],
    bombs: int,
    clouds: Mapping[int, int],
) -> None:
    """Write what came of the round, and open the next one or finish the game."""
    for bid, seat, score in zip(bids, seats, scores, strict=True):
        bid.tricks_taken, bid.points, bid.cloud_delta = taken[seat.pk], score.points, clouds.get(seat.pk, 0)
        cell = journal.line_cell(bid.tricks_bid, taken[seat.pk], score.points, bid.blind, bid.cloud_delta)
        seat.line = [*seat.line, cell]
    _save_bids(bids)
    save_seats(seats, game.house)
    current.state, current.scored_version, current.bombs, current.draft = (
        Round.State.SCORED,
        game.version,
        bombs,
        {},
    )
    current.save(update_fields=["state", "scored_version", "bombs", "draft"])
    _open_next_or_finish(game, current, seats)


def tricks_payload(taken: Mapping[int, int], bombs: int, clouds: Mapping[int, int]) -> dict[str, Any]:
    payload: dict[str, Any] = {"taken": dict(taken)}
    if bombs:
        payload["bombs"] = bombs
    if clouds:
        payload["clouds"] = dict(clouds)
    return payload


@transaction.atomic
def note_trump(
    game: Game,
    *,
    number: int,
    trump: str,
    by: Actor,
    turned_up: str = "",
    chosen_by: int | None = None,
    key: str | None = None,
) -> Outcome:
    """Note the trump of the open round, over what was noted before; `trump` "" takes the note away.

    `number` is the round the writer saw open: its bids and tricks may go on meanwhile. `trump` is one of
    `Round.Trump`, `turned_up` a card's notation or "", `chosen_by` the id of the seat that named trump, if one did.
    Raises `PermissionDenied`, `Conflict`, `rules.RulesError`; then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("note_trump", game.pk, number, trump, turned_up, chosen_by)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_goes_on(game)
    current = game.rounds.exclude(state=Round.State.SCORED).filter(number=number).first()
    if current is None:
        raise Conflict("stale")
    seats = game.seats_in_order()
    check_trump_note(game, current, seats, trump=trump, turned_up=turned_up, chosen_by=chosen_by)
    game.version += 1
    current.trump, current.turned_up, current.chosen_by_id = trump, turned_up, chosen_by
    current.save(update_fields=["trump", "turned_up", "chosen_by"])
    payload = {"round": number, "trump": trump, "turned_up": turned_up, "chosen_by": chosen_by}
    return finish_write(game, Kind.TRUMP_NOTED, payload, by=by, key=key, fingerprint=fingerprint, seats=seats)


def check_trump_note(
    game: Game, noted: Round, seats: Sequence[Seat], *, trump: str, turned_up: str, chosen_by: int | None
) -> None:
    """Do nothing if this can be noted of the round's trump. Raises `Conflict` ("seat_unknown"), `rules.RulesError`."""
    if not trump:
        if turned_up or chosen_by is not None:
            raise rules.RulesError([rules.Problem.of("trump_missing")])
        return
    if trump not in Round.Trump.values:
        raise rules.RulesError([rules.Problem.of("suit_not_in_deck", suit=trump, deck=game.deck)])
    if chosen_by is not None and chosen_by not in {seat.pk for seat in seats}:
        raise Conflict("seat_unknown")
    problems = rules.noted_trump_problems(
        game.house,
        game.round_plans(len(seats))[noted.number - 1],
        dealer=_place_of(noted.dealer_id, seats),
        trump=None if trump == Round.Trump.NONE else rules.Suit(trump),
        turned_up=rules.Card.parse(turned_up) if turned_up else None,
        chooser=None if chosen_by is None else _place_of(chosen_by, seats),
    )
    if problems:
        raise rules.RulesError(problems)


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
    check_goes_on(game)
    if game.incomplete and game.is_finished:
        raise Conflict("nothing_to_undo")  # `reopen` lets it go on
    current = game.rounds.order_by("-number")[0]
    standing = list(current.bids.all())
    if current.state == Round.State.SCORED:
        payload = _take_back_tricks(game, current, undoes)
        return finish_write(game, Kind.REOPENED, payload, by=by, key=key, fingerprint=fingerprint)
    if standing or current.shown_version is not None:
        payload = _take_back_bids(game, current, standing, undoes)
    elif current.number > 1:
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

    `reason` has at most 500 characters. Raises `PermissionDenied`, `Conflict` ("not_finished"), `rules.RulesError`.
    """
    problems = reason_problems(reason, needed=False)
    if problems:
        raise rules.RulesError(problems)
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("reopen", game.pk, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_goes_on(game)
    if not game.is_finished:
        raise Conflict("not_finished")
    last = game.rounds.order_by("-number")[0]
    if game.incomplete and last.number < len(game.plan):
        payload = _open_after(game, last)
    else:
        payload = _take_back_tricks(game, last, last.changed_version)
    return finish_write(game, Kind.REOPENED, payload, by=by, key=key, fingerprint=fingerprint, reason=reason)


def reason_problems(reason: str, *, needed: bool) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the reason for a change: missing where one is `needed`, or too long."""
    if needed and not reason.strip():
        return (rules.Problem.of("reason_missing"),)
    if len(reason) > REASON_LENGTH:
        return (rules.Problem.of("reason_too_long", most=REASON_LENGTH),)
    return ()


@transaction.atomic
def save_draft(game: Game, *, draft: Mapping[str, Any], seen: int, by: Actor) -> Outcome:
    """Keep half-entered values of the open round, for every scorer and across a reload. The last writer wins.

    Not journalled: raises `Game.touched`, not the version. Raises `PermissionDenied`, `Conflict` ("stale").
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    check_goes_on(game)
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


def newest_bids(bids: Collection[Bid], shown_version: int | None, dealer: int) -> int:
    """Return the version of the entry that brought the newest bids: while the dealer has to bid again, the one that
    completed the hidden bids, whether or not a bid of it still stands."""
    if shown_version is not None and dealer not in {bid.seat_id for bid in bids}:
        return shown_version
    return max(bid.version for bid in bids)


def _open_after(game: Game, last: Round) -> dict[str, Any]:
    game.version += 1
    game.finished_at, game.incomplete = None, False
    _open_next_or_finish(game, last, game.seats_in_order())
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
    seats = [bid.seat for bid in bids]
    together = [bid for bid in bids if bid.version == scored.scored_version]
    game.version += 1
    game.finished_at = None
    scored.draft = {
        "taken": {str(bid.seat_id): bid.tricks_taken for bid in bids},
        "bombs": scored.bombs,
        "clouds": {str(bid.seat_id): bid.cloud_delta for bid in bids if bid.cloud_delta},
    }
    if together:
        scored.draft["bids"] = {str(bid.seat_id): bid.tricks_bid for bid in together}
        scored.draft["blind"] = [bid.seat_id for bid in together if bid.blind]
    scored.state = game.state = Round.State.BIDDING if together else Round.State.PLAYING
    scored.scored_version, scored.bombs, scored.stage_version = None, 0, game.version
    for bid, seat in zip(bids, seats, strict=True):
        bid.tricks_taken = bid.points = None
        bid.cloud_delta = 0
        seat.line = seat.line[:-1]
    _save_bids(bids)
    save_seats(seats, game.house)
    if together:
        Bid.objects.filter(pk__in=[bid.pk for bid in together]).delete()
    scored.save(update_fields=["state", "scored_version", "bombs", "stage_version", "draft"])
    payload: dict[str, Any] = {"round": scored.number, "undoes": undoes}
    return payload | ({"bids": [bid.seat_id for bid in together], "tricks": True} if together else {})


def _save_bids(bids: Sequence[Bid]) -> None:
    """Write what came of the bids, in one statement."""
    Bid.objects.bulk_create(
        bids,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["tricks_taken", "points", "cloud_delta"],
    )


def save_seats(seats: Sequence[Seat], house: rules.HouseRules) -> None:
    """Derive total, exact bids, rounds and rank of every seat from its line and write them, in one statement."""
    derive_seats(seats, house)
    Seat.objects.bulk_create(
        seats,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["total", "exact", "rounds", "rank", "line", "adjustments"],
    )


def derive_seats(seats: Sequence[Seat], house: rules.HouseRules) -> None:
    """Set each seat's total, exact bids, number of rounds and rank from the lines. Saves nothing."""
    for seat in seats:
        seat.total = sum(cell[2] for cell in seat.line) + sum(points for _after, points in seat.adjustments)
        seat.exact = sum(cell[0] + (cell[4] if len(cell) > 3 else 0) == cell[1] for cell in seat.line)
        seat.rounds = len(seat.line)
    ranks = rules.ranks([seat.total for seat in seats], [seat.exact for seat in seats], house.tie_break)
    for seat, rank in zip(seats, ranks, strict=True):
        seat.rank = rank


def finish_write(
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
    game.save(update_fields=["state", "halted", "incomplete", "version", "finished_at", "touched"])
    journal.append(game, kind, payload, by=by, reason=reason)
    receipts.keep_answer(by, key, fingerprint, {"version": game.version})
    return Outcome(game, seats=seats)
