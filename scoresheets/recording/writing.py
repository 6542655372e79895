"""What the verbs share: checks under the lock, the rows that follow from a round, the end of every journalled write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

import rules
from scoresheets.actors import Actor
from scoresheets.models import Bid, Entry, Game, Round, Seat
from scoresheets.models.games import REASON_LENGTH, Via
from scoresheets.recording import journal, receipts, statistics, webhooks
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome, open_round
from scoresheets.recording.statistics.contributions import Contribution

Kind = Entry.Kind
#: What these change the statistics do not know.
_LEAVES_STATISTICS_ALONE = (Kind.SEAT_RENAMED, Kind.CONFIRMED, Kind.TRUMP_NOTED)


def check_goes_on(game: Game) -> None:
    """Do nothing unless the game is paused, abandoned or voided. Raises `Conflict` ("halted")."""
    if game.halted:
        raise Conflict("halted")


def check_rounds_go_on(game: Game) -> None:
    """Do nothing if the game has rounds that can be written now. Raises `Conflict` ("halted", "results_only")."""
    check_goes_on(game)
    if not game.has_rounds:
        raise Conflict("results_only")


def reason_problems(reason: str, *, needed: bool) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the reason for a change: missing where one is `needed`, or too long."""
    if needed and not reason.strip():
        return (rules.Problem.of("reason_missing"),)
    if len(reason) > REASON_LENGTH:
        return (rules.Problem.of("reason_too_long", most=REASON_LENGTH),)
    return ()


def somebody_left(seats: Sequence[Seat]) -> bool:
    """Say whether somebody who had played left without being replaced: then the game is incomplete."""
    return any(seat.presence == Seat.Presence.LEFT and any(cell is not None for cell in seat.line) for seat in seats)


def place_of(seat_id: int, seats: Sequence[Seat]) -> int:
    return next(place for place, seat in enumerate(seats) if seat.pk == seat_id)


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


def tricks_payload(taken: Mapping[int, int], bombs: int, clouds: Mapping[int, int]) -> dict[str, Any]:
    payload: dict[str, Any] = {"taken": dict(taken)}
    if bombs:
        payload["bombs"] = bombs
    if clouds:
        payload["clouds"] = dict(clouds)
    return payload


def open_next_or_finish(game: Game, scored: Round, seats: Sequence[Seat]) -> None:
    """Open the round after a scored one, or finish the game after the last; `seats` are all of the game's."""
    if scored.number < len(game.plan):
        place = rules.next_dealer(place_of(scored.dealer_id, seats), [seat.plays for seat in seats])
        open_round(game, seats[place], number=scored.number + 1)
        game.state = Game.State.BIDDING
    else:
        game.state, game.finished_at = Game.State.FINISHED, timezone.now()


def save_bids(bids: Sequence[Bid]) -> None:
    """Write what came of the bids, in one statement for those that stand and one for those that are new."""
    standing = [bid for bid in bids if bid.pk is not None]
    if standing:
        Bid.objects.bulk_create(
            standing,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["tricks_taken", "points", "cloud_delta"],
        )
    Bid.objects.bulk_create([bid for bid in bids if bid.pk is None])


def save_seats(seats: Sequence[Seat], house: rules.HouseRules) -> None:
    """Derive total, exact bids, rounds and rank of every seat from its line and write them, in one statement.

    `seats` are all seats of the game: a rank depends on all of them.
    """
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
        played = [cell for cell in seat.line if cell is not None]
        beside = sum(points for _after, points in seat.adjustments)
        seat.total = seat.starting + sum(cell[2] for cell in played) + beside
        seat.exact = sum(cell[0] + (cell[4] if len(cell) > 3 else 0) == cell[1] for cell in played)
        seat.rounds = len(played)
    gone = [place for place, seat in enumerate(seats) if seat.presence]
    ranks = rules.ranks([seat.total for seat in seats], [seat.exact for seat in seats], house.tie_break, gone=gone)
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
    contributed: Contribution | None = None,
    stays_confirmed: bool = False,
) -> Outcome:
    """Save the game, append the entry, let statistics and webhooks follow, keep the receipt: the end of every write.

    `contributed` is what the game gave to the statistics (`statistics.counted`): only a write that changes nothing of
    what they know goes without. `stays_confirmed` writes do not withdraw a confirmation.
    """
    if game.counted and contributed is None and kind not in _LEAVES_STATISTICS_ALONE:
        raise RuntimeError(f"{kind} does not say what game {game.pk} contributed before")
    if stays_confirmed and game.confirmed_version == game.version - 1:
        game.confirmed_version = game.version
    game.touched += 1
    if kind not in _LEAVES_STATISTICS_ALONE:
        game.counted = statistics.counts(game)
    game.save(
        update_fields=[
            *("state", "halted", "incomplete", "version", "finished_at", "touched", "counted", "confirmed_version"),
        ]
    )
    if contributed is not None or (game.counted and kind not in _LEAVES_STATISTICS_ALONE):
        statistics.follow(game, contributed, seats)
    journal.append(game, kind, payload, by=by, reason=reason)
    # The undoing of an import is as quiet as the import was.
    if by.via != Via.IMPORT:
        webhooks.tell(game, kind, payload, contributed)
    receipts.keep_answer(by, key, fingerprint, {"version": game.version})
    return Outcome(game, seats=seats)
