"""Interruptions: a game is paused, ended before its last round, abandoned, voided, and goes on again."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Entry, Game, Round
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.writing import finish_write, reason_problems

Kind = Entry.Kind
Halted = Game.Halted


@transaction.atomic
def pause(game: Game, *, by: Actor, key: str | None = None) -> Outcome:
    """Pause a running game: until it is resumed nothing is recorded, and all that is entered stays.

    Raises `PermissionDenied`, `Conflict` ("halted", "is_finished").
    """
    return _halt(game, Halted.PAUSED, Kind.PAUSED, "", by=by, key=key)


@transaction.atomic
def abandon(game: Game, *, by: Actor, reason: str = "", key: str | None = None) -> Outcome:
    """Abandon a running or paused game: it counts for nothing, and can be restored.

    Raises `PermissionDenied`, `Conflict` ("halted", "is_finished"), `rules.RulesError` (`reason_too_long`).
    """
    return _halt(game, Halted.ABANDONED, Kind.ABANDONED, reason, by=by, key=key)


@transaction.atomic
def void(game: Game, *, by: Actor, reason: str, key: str | None = None) -> Outcome:
    """Void a game in any state but abandoned: it counts for nothing, and can be restored. A reason is needed.

    Raises `PermissionDenied`, `Conflict` ("halted"), `rules.RulesError` (`reason_missing`, `reason_too_long`).
    """
    return _halt(game, Halted.VOIDED, Kind.VOIDED, reason, by=by, key=key)


@transaction.atomic
def resume(game: Game, *, by: Actor, key: str | None = None) -> Outcome:
    """Let a paused game go on where it was. Raises `PermissionDenied`, `Conflict` ("not_halted")."""
    return _go_on(game, {Halted.PAUSED}, Kind.RESUMED, by=by, key=key)


@transaction.atomic
def restore(game: Game, *, by: Actor, key: str | None = None) -> Outcome:
    """Bring an abandoned or voided game back to where it was. Raises `PermissionDenied`, `Conflict` ("not_halted")."""
    return _go_on(game, {Halted.ABANDONED, Halted.VOIDED}, Kind.RESTORED, by=by, key=key)


@transaction.atomic
def end_early(game: Game, *, by: Actor, reason: str = "", key: str | None = None) -> Outcome:
    """Finish a game after its last scored round, before the plan is through: it is marked incomplete.

    Bids of the open round are taken off the sheet; the journal has them. `reopen` lets the game go on.
    Raises `PermissionDenied`, `Conflict` ("halted", "is_finished", "nothing_scored"), `rules.RulesError`
    (`reason_too_long`).
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("end_early", game.pk, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    _check_is_running(game, reason)
    current = game.rounds.exclude(state=Round.State.SCORED).get()
    if current.number == 1:
        raise Conflict("nothing_scored")
    current.delete()
    game.version += 1
    game.state, game.finished_at, game.incomplete = Game.State.FINISHED, timezone.now(), True
    payload = {"round": current.number}
    return finish_write(game, Kind.ENDED, payload, by=by, key=key, fingerprint=fingerprint, reason=reason)


def _check_is_running(game: Game, reason: str, *, may_be: str = "") -> None:
    if game.halted not in ("", may_be):
        raise Conflict("halted")
    if game.is_finished:
        raise Conflict("is_finished")
    problems = reason_problems(reason, needed=False)
    if problems:
        raise rules.RulesError(problems)


def _halt(game: Game, halted: str, kind: str, reason: str, *, by: Actor, key: str | None) -> Outcome:
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of(kind, game.pk, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    if halted == Halted.VOIDED:
        if game.halted not in ("", Halted.PAUSED):
            raise Conflict("halted")
        problems = reason_problems(reason, needed=True)
        if problems:
            raise rules.RulesError(problems)
    else:
        _check_is_running(game, reason, may_be=Halted.PAUSED if halted == Halted.ABANDONED else "")
    contributed = statistics.counted(game)
    game.version += 1
    game.halted = halted
    return finish_write(game, kind, {}, by=by, key=key, fingerprint=fingerprint, reason=reason, contributed=contributed)


def _go_on(game: Game, from_states: set[Game.Halted], kind: str, *, by: Actor, key: str | None) -> Outcome:
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of(kind, game.pk)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    if game.halted not in from_states:
        raise Conflict("not_halted")
    game.version += 1
    game.halted = ""
    return finish_write(game, kind, {}, by=by, key=key, fingerprint=fingerprint)
