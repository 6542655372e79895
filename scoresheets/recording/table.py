"""Who sits at the table: somebody joins a running game, leaves it, comes back, or is replaced.

Each of these deals the open round anew: its bids are taken off the sheet (the journal has them), and so is the trump
that was noted. The deal goes on clockwise: after the dealer of the last scored round comes the next seat that plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Entry, Game, Round, Seat
from scoresheets.models.games import MOST_PEOPLE, MOST_STARTING, playing
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.names import name_problems
from scoresheets.recording.writing import (
    check_rounds_go_on,
    finish_write,
    open_next_or_finish,
    place_of,
    reason_problems,
    save_seats,
    somebody_left,
)

Kind = Entry.Kind
Presence = Seat.Presence


@transaction.atomic
def join_table(
    game: Game,
    *,
    name: str,
    after: int,
    cards: Sequence[int],
    seen: int,
    by: Actor,
    starting: int | None = 0,
    key: str | None = None,
) -> Outcome:
    """Let somebody join a running game, to the left of the seat `after`; earlier rounds stay empty for them.

    `cards` are the cards a round from the open round on: they go round fewer times with one more person. `starting` are
    the points they begin with, None for the mean of those who play. `seen` is the game's version that the writer saw.
    A game that ended because too few were left goes on.
    Raises `PermissionDenied`, `Conflict` ("halted", "stale", "is_finished", "seat_unknown"), `rules.RulesError` with
    the problems of the name, the starting points and the plan; then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("join_table", game.pk, name, after, list(cards), seen, starting)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    current = _open_round(game, seen)
    seats = game.seats_in_order()
    place = seats.index(_known(after, seats)) + 1
    points = mean_total(seats) if starting is None else starting
    problems = _name_problems(name, seats) + _starting_problems(points)
    problems += cards_problems(game, cards, players=len(playing(seats)) + 1, scored=_scored(seats))
    if problems:
        raise rules.RulesError(problems)
    contributed = statistics.counted(game, seats)
    game.version += 1
    seat = _sit_down(game, seats, name, place, points)
    payload = {"seat": seat.pk, "after": after, "starting": points, "cards": list(cards)}
    _deal_anew(game, seats, current, cards)
    return finish_write(
        game,
        Kind.SEAT_JOINED,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        seats=seats,
        contributed=contributed,
    )


@transaction.atomic
def come_back(game: Game, *, seat: int, cards: Sequence[int], seen: int, by: Actor, key: str | None = None) -> Outcome:
    """Let a seat that left, or was replaced, play again from the open round on, with the points it had.

    `cards` and `seen` are as in `join_table`. Raises `PermissionDenied`, `Conflict` ("halted", "stale", "is_finished",
    "seat_unknown", "nothing_changed" if it plays), `rules.RulesError` with the plan's problems; then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("come_back", game.pk, seat, list(cards), seen)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    current = _open_round(game, seen)
    seats = game.seats_in_order()
    returning = _known(seat, seats)
    if returning.plays:
        raise Conflict("nothing_changed")
    problems = cards_problems(game, cards, players=len(playing(seats)) + 1, scored=_scored(seats))
    if problems:
        raise rules.RulesError(problems)
    contributed = statistics.counted(game, seats)
    game.version += 1
    _set_presence(returning, Presence.PLAYS)
    payload = {"seat": seat, "cards": list(cards)}
    _deal_anew(game, seats, current, cards)
    return finish_write(
        game,
        Kind.SEAT_JOINED,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        seats=seats,
        contributed=contributed,
    )


@transaction.atomic
def leave_table(
    game: Game,
    *,
    seat: int,
    seen: int,
    by: Actor,
    cards: Sequence[int] = (),
    reason: str = "",
    key: str | None = None,
) -> Outcome:
    """Let somebody leave a running game: their rounds stay, the others go on, the game is marked incomplete.

    `cards` and `seen` are as in `join_table`. With fewer than three left the game ends after its last scored round, and
    `cards` are not asked for. Whoever leaves without having played a round leaves no mark on the game.
    Raises `PermissionDenied`, `Conflict` ("halted", "stale", "is_finished", "seat_unknown", "nothing_changed" if it has
    left, "nothing_scored" if the game would end without a round), `rules.RulesError`; then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("leave_table", game.pk, seat, list(cards), seen, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    current = _open_round(game, seen)
    seats = game.seats_in_order()
    leaving = _known(seat, seats)
    if not leaving.plays or current is None:
        raise Conflict("nothing_changed")
    left = len(playing(seats)) - 1
    goes_on = left >= rules.FEWEST_PLAYERS
    problems = reason_problems(reason, needed=False)
    if goes_on:
        problems += cards_problems(game, cards, players=left, scored=_scored(seats))
    if problems:
        raise rules.RulesError(problems)
    if not goes_on and current.number == 1:
        raise Conflict("nothing_scored")
    contributed = statistics.counted(game, seats)
    game.version += 1
    _set_presence(leaving, Presence.LEFT)
    payload: dict[str, Any] = {"seat": seat}
    if goes_on:
        payload["cards"] = list(cards)
        _deal_anew(game, seats, current, cards)
    else:
        _end(game, seats, current)
    return finish_write(
        game,
        Kind.SEAT_LEFT,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        reason=reason,
        seats=seats,
        contributed=contributed,
    )


@transaction.atomic
def replace_at_table(
    game: Game,
    *,
    seat: int,
    name: str,
    seen: int,
    by: Actor,
    takes_over: bool = True,
    starting: int | None = 0,
    key: str | None = None,
) -> Outcome:
    """Let somebody sit down in the place of a seat that stops playing; the plan stays.

    Both have a column of their own: rounds belong to who played them. With `takes_over` the new person begins with the
    points of the old one, else with `starting` as in `join_table`. `seen` is the game's version that the writer saw.
    Raises `PermissionDenied`, `Conflict` ("halted", "stale", "is_finished", "seat_unknown", "nothing_changed" if the
    seat does not play), `rules.RulesError` with the problems of the name and the points; then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("replace_at_table", game.pk, seat, name, seen, takes_over, starting)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    current = _open_round(game, seen)
    seats = game.seats_in_order()
    replaced = _known(seat, seats)
    if not replaced.plays or current is None:
        raise Conflict("nothing_changed")
    points = replaced.total if takes_over else mean_total(seats) if starting is None else starting
    problems = _name_problems(name, seats) + _starting_problems(points)
    if problems:
        raise rules.RulesError(problems)
    contributed = statistics.counted(game, seats)
    game.version += 1
    _set_presence(replaced, Presence.REPLACED)
    # In front of the one replaced: whoever deals after that one is the next in the circle, as if nobody had moved.
    new = _sit_down(game, seats, name, seats.index(replaced), points)
    payload = {"seat": seat, "by": new.pk, "starting": points}
    if current.dealer_id == seat:
        current.dealer = new
    _deal_anew(game, seats, current, game.plan[current.number - 1 :])
    return finish_write(
        game,
        Kind.SEAT_REPLACED,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        seats=seats,
        contributed=contributed,
    )


def mean_total(seats: Sequence[Seat]) -> int:
    """Return the mean of the totals of those who play, rounded to whole points, a half up."""
    totals = [seat.total for seat in playing(seats)]
    return (2 * sum(totals) + len(totals)) // (2 * len(totals))


def cards_problems(game: Game, cards: Sequence[int], *, players: int, scored: int) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the cards a round from round `scored` + 1 on, if so many play from there."""
    found = rules.plan_problems(game.house, players, ladder="free", cards=cards)
    return tuple(
        problem.in_round(int(problem.args["round"]) + scored) if "round" in problem.args else problem
        for problem in found
    )


def _open_round(game: Game, seen: int) -> Round | None:
    """Return the open round, None if the game was ended early; the table stands as the writer saw it.

    Raises `Conflict` ("halted", "results_only", "stale", "is_finished").
    """
    check_rounds_go_on(game)
    if game.version != seen:
        raise Conflict("stale")
    newest = game.rounds.select_related("dealer").order_by("-number")[0]
    if game.is_finished and newest.number >= len(game.plan):
        raise Conflict("is_finished")
    return None if game.is_finished else newest


def _known(seat_id: int, seats: Sequence[Seat]) -> Seat:
    seat = next((seat for seat in seats if seat.pk == seat_id), None)
    if seat is None:
        raise Conflict("seat_unknown")
    return seat


def _scored(seats: Sequence[Seat]) -> int:
    return len(seats[0].line)


def _name_problems(name: str, seats: Sequence[Seat]) -> tuple[rules.Problem, ...]:
    names = [seat.name for seat in seats]
    found = [replace(problem, seat=None) for problem in name_problems([*names, name]) if problem.seat == len(names)]
    if len(seats) >= MOST_PEOPLE:
        found.append(rules.Problem.of("table_full", most=MOST_PEOPLE))
    return tuple(found)


def _starting_problems(points: int) -> tuple[rules.Problem, ...]:
    if abs(points) <= MOST_STARTING:
        return ()
    return (rules.Problem.of("starting_out_of_range", points=points, most=MOST_STARTING),)


def _set_presence(seat: Seat, presence: str) -> None:
    seat.presence = presence
    seat.save(update_fields=["presence"])


def _sit_down(game: Game, seats: list[Seat], name: str, place: int, starting: int) -> Seat:
    """Create a seat at a place in dealing order; those behind it move up, the last one first."""
    for seat in reversed(seats[place:]):
        seat.position += 1
        seat.save(update_fields=["position"])
    line = [None] * _scored(seats)
    new = Seat.objects.create(game=game, name=name, position=place, starting=starting, line=line)
    seats.insert(place, new)
    return new


def _deal_anew(game: Game, seats: list[Seat], current: Round | None, cards: Sequence[int]) -> None:
    """Open the round again with the table as it is now, or the next one of a game that was ended early."""
    scored = _scored(seats)
    game.plan, game.ladder, game.table_changed = [*game.plan[:scored], *cards], "free", True
    game.state, game.finished_at, game.incomplete = Game.State.BIDDING, None, somebody_left(seats)
    game.save(update_fields=["plan", "ladder", "table_changed"])
    save_seats(seats, game.house)
    if current is None:
        open_next_or_finish(game, game.rounds.get(number=scored), seats)
        return
    plays = [seat.plays for seat in seats]
    if scored:
        dealt = place_of(game.rounds.get(number=scored).dealer_id, seats)
        current.dealer = seats[rules.next_dealer(dealt, plays)]
    elif not plays[place := place_of(current.dealer_id, seats)]:
        current.dealer = seats[rules.next_dealer(place, plays)]
    current.bids.all().delete()
    current.cards, current.state, current.stage_version = cards[0], Round.State.BIDDING, game.version
    current.shown_version, current.bombs, current.draft = None, 0, {}
    current.trump, current.turned_up, current.chosen_by = "", "", None
    current.save()


def _end(game: Game, seats: list[Seat], current: Round) -> None:
    """End a game that too few are left to play, after its last scored round."""
    current.bids.all().delete()
    current.delete()
    game.table_changed = game.incomplete = True
    game.state, game.finished_at = Game.State.FINISHED, timezone.now()
    game.save(update_fields=["table_changed"])
    save_seats(seats, game.house)
