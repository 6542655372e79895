"""Comparing a game's rows with its journal, and rewriting them from it. The journal is the truth."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import F

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Bid, Game, Round, Seat
from scoresheets.models.games import MOST_PEOPLE
from scoresheets.recording import statistics, tasks
from scoresheets.recording.errors import Conflict
from scoresheets.recording.journal import ReplayedGame, ReplayedRound, replay
from scoresheets.recording.writing import derive_seats

BID_FIELDS = ("tricks_bid", "blind", "cloud_delta", "tricks_taken", "points", "version")
#: What a journal raises that no recording function can have written.
UNPLAYABLE = (ValueError, LookupError, TypeError, AttributeError)
SEAT_FIELDS = ("presence", "starting", "line", "adjustments", "player_id", "total", "exact", "rounds", "rank")


def differences_of(game_id: int) -> list[str]:
    """Return a sentence for each place where the rows of a game differ from its journal; none if they agree."""
    with transaction.atomic():
        game = Game.locked(game_id)
        try:
            told = replay(game.entries.order_by("version"))
        except UNPLAYABLE as broken:
            return [f"the journal cannot be played forward: {broken}"]
        return list(_differences(game, told))


@transaction.atomic
def recompute(game: Game, *, by: Actor) -> None:
    """Rewrite the rows of a game from its journal (`rewrite`) if they differ from it.

    Raises `PermissionDenied`, `Conflict` ("nothing_changed": they agree, "journal_unplayable"); then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    if not differences_of(game.pk):
        raise Conflict("nothing_changed")
    try:
        rewrite(game.pk)
    except UNPLAYABLE as broken:
        raise Conflict("journal_unplayable") from broken


@transaction.atomic
def rewrite(game_id: int) -> None:
    """Rewrite the rounds, bids and derived columns of a game from its journal; drafts of replaced rounds are lost.

    Raises one of `UNPLAYABLE` if the journal cannot be played forward; then writes nothing.
    """
    game = Game.locked(game_id)
    told = replay(game.entries.order_by("version"))
    Bid.objects.filter(round__game=game).delete()
    game.rounds.all().delete()
    for played in told.rounds:
        row = Round.objects.create(game=game, number=played.number, **_round_values(played))
        Bid.objects.bulk_create(
            Bid(round=row, seat_id=seat, **{name: getattr(bid, name) for name in BID_FIELDS})
            for seat, bid in played.bids.items()
        )
    seats = _seats_as_told(game, told)
    _move(game, seats)
    for seat in seats:
        seat.save(update_fields=SEAT_FIELDS)
    house = told.house.to_mapping()
    for name, value in house.items():
        setattr(game, name, value)
    newest = game.entries.latest("version")
    game.state, game.version, game.first_dealer = told.state, told.version, told.first_dealer
    game.ladder, game.plan, game.detail = told.ladder, told.plan, told.detail
    game.halted, game.incomplete, game.table_changed = told.halted, told.incomplete, told.table_changed
    game.club_id, game.confirmed_version = told.club, told.confirmed_version
    game.evening_id, game.night = told.evening, _night_of(game, told)
    game.finished_at = (game.finished_at or newest.at) if game.state == Game.State.FINISHED else None
    game.touched += 1
    written = ("state", "halted", "incomplete", "table_changed", "version", "ladder", "plan", "detail", "first_dealer")
    game.counted = statistics.counts(game)
    belongs = ("club", "evening", "night", "confirmed_version", "counted")
    game.save(update_fields=[*house, *written, *belongs, "finished_at", "touched"])
    if game.club_id is not None:
        # What the rows said before, and whether the statistics took it from them, is not known any more.
        tasks.enqueue_once(tasks.rebuild_statistics_of, game.club_id)


def _seats_as_told(game: Game, told: ReplayedGame) -> list[Seat]:
    """Return the game's seats in the order of the journal with all that follows from it, not saved."""
    stored = {seat.pk: seat for seat in game.seats.all()}
    seats = [stored[seat] for seat in told.seats]
    for seat in seats:
        seat.presence, seat.starting = told.presence.get(seat.pk, ""), told.starting.get(seat.pk, 0)
        seat.line, seat.adjustments = told.line_of(seat.pk), told.adjustments.get(seat.pk, [])
        seat.player_id = told.players.get(seat.pk)
    derive_seats(seats, told.house)
    return seats


def _move(game: Game, seats: list[Seat]) -> None:
    """Give the seats their places in the circle, all of them first out of each other's way."""
    if [seat.position for seat in seats] == list(range(len(seats))):
        return
    game.seats.update(position=F("position") + MOST_PEOPLE)
    for place, seat in enumerate(seats):
        seat.position = place
        seat.save(update_fields=["position"])


def _round_values(played: ReplayedRound) -> dict[str, Any]:
    return {
        "cards": played.cards,
        "dealer_id": played.dealer,
        "bombs": played.bombs,
        "state": played.state,
        "stage_version": played.stage_version,
        "scored_version": played.scored_version,
        "shown_version": played.shown_version,
        "trump": played.trump,
        "turned_up": played.turned_up,
        "chosen_by_id": played.chosen_by,
    }


def _differences(game: Game, told: ReplayedGame) -> Iterator[str]:
    yield from _unlike(
        "game", game, {"state": told.state, "version": told.version, "ladder": told.ladder, "plan": told.plan}
    )
    yield from _unlike("game", game, {"halted": told.halted, "incomplete": told.incomplete, "detail": told.detail})
    yield from _unlike("game", game, {"club_id": told.club, "confirmed_version": told.confirmed_version})
    yield from _unlike("game", game, {"table_changed": told.table_changed, "night": _night_of(game, told)})
    yield from _unlike("game", game, {"evening_id": told.evening})
    yield from _unlike("game", game, {"first_dealer": told.first_dealer, **told.house.to_mapping()})
    seats = list(game.seats.order_by("position"))
    if [seat.pk for seat in seats] != told.seats:
        yield f"the seats are {[seat.pk for seat in seats]}, the journal has {told.seats}"
        return
    rounds = {row.number: row for row in game.rounds.prefetch_related("bids")}
    for number in sorted(set(rounds) - {played.number for played in told.rounds}):
        yield f"round {number} is not in the journal"
    for played in told.rounds:
        if played.number not in rounds:
            yield f"round {played.number} is missing"
            continue
        row = rounds[played.number]
        yield from _unlike(f"round {played.number}", row, _round_values(played))
        yield from _bid_differences(row, played)
    yield from _seat_differences(game, told)


def _bid_differences(row: Round, played: ReplayedRound) -> Iterator[str]:
    bids = {bid.seat_id: bid for bid in row.bids.all()}
    for seat in sorted(set(bids) - set(played.bids)):
        yield f"round {played.number}: the bid of seat {seat} is not in the journal"
    for seat, told in played.bids.items():
        if seat not in bids:
            yield f"round {played.number}: the bid of seat {seat} is missing"
        else:
            expected = {name: getattr(told, name) for name in BID_FIELDS}
            yield from _unlike(f"round {played.number}, seat {seat}", bids[seat], expected)


def _seat_differences(game: Game, told: ReplayedGame) -> Iterator[str]:
    stored = game.seats.order_by("position")
    for seat, expected in zip(stored, _seats_as_told(game, told), strict=True):
        yield from _unlike(f"seat {seat.pk}", seat, {name: getattr(expected, name) for name in SEAT_FIELDS})


def _night_of(game: Game, told: ReplayedGame) -> date | None:
    """Return the night as the journal has it; journals from before there were nights leave it as it is."""
    return game.night if told.night is None and told.club is not None else told.night


def _unlike(what: str, row: object, expected: dict[str, Any]) -> Iterator[str]:
    for name, value in expected.items():
        stored = getattr(row, name)
        if stored != value:
            yield f"{what}: {name} is {stored!r}, the journal has {value!r}"
