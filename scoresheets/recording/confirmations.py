"""Confirming a finished game: those who sat there say that the sheet is right, or a manager of the club does."""

from __future__ import annotations

from django.db import transaction

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Entry, Game
from scoresheets.recording import receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.writing import check_goes_on, finish_write

Kind = Entry.Kind


@transaction.atomic
def confirm(game: Game, *, seen: int, by: Actor, key: str | None = None) -> Outcome:
    """Confirm a club's finished game as it stands, for the actor's own seat or, as a manager, for all.

    The game is confirmed once every account that sits in it has confirmed, but for the one that wrote the newest
    change, whose word the sheet is; or once a manager has, who may have written it too. From then on only managers
    change it; what they change withdraws all confirmations. `seen` is the game's version as the reader saw it:
    confirmations of others meanwhile do not count as changes.
    Raises `PermissionDenied`, `Conflict` ("stale", "not_finished", "halted", "already_confirmed", "wrote_it": somebody
    else has to confirm what the actor wrote, "key_reused").
    """
    game = Game.locked(game.pk)
    permissions.check_can_confirm(by, game)
    fingerprint = receipts.fingerprint_of("confirm", game.pk, seen)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_goes_on(game)
    if not game.is_finished:
        raise Conflict("not_finished")
    change, confirmations = game.newest_change()
    if change.version > seen:
        raise Conflict("stale")
    if game.is_confirmed:
        raise Conflict("already_confirmed")
    account = by.user.pk if by.user is not None else None
    seated = game.accounts_seated()
    have_confirmed = {entry.user_id for entry in confirmations}
    is_manager = permissions.can_manage_game(by, game)
    if not is_manager:
        if account in have_confirmed:
            raise Conflict("already_confirmed")
        if account == change.user_id:
            raise Conflict("wrote_it")
    whole = is_manager or set(seated) <= {*have_confirmed, account, change.user_id}
    game.version += 1
    payload = {"seat": seated.get(account) if account is not None else None, "whole": whole}
    outcome = finish_write(game, Kind.CONFIRMED, payload, by=by, key=key, fingerprint=fingerprint)
    if whole:
        game.confirmed_version = game.version
        game.save(update_fields=["confirmed_version"])
    return outcome
