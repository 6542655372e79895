"""What a finished game offers beside its ranking: the rematch, a place in a club, and its confirmation."""

from __future__ import annotations

from typing import Any

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Game
from scoresheets.queries.clubs import Confirmation, confirmation_of


def finish_of(game: Game, actor: Actor) -> dict[str, Any]:
    """Return the pad's `finish`: what the actor may do, and where the confirmation of a club's game stands.

    No statement for a quick game.
    """
    confirmation = None if game.halted else confirmation_of(game)
    return {
        "finish": {
            "can_rematch": permissions.can_rematch(actor, game) and not game.halted,
            "can_keep": actor.user is not None and game.club_id is None and permissions.can_keep_score(actor, game),
            "club": game.club,
            "confirmation": confirmation,
            "shows_names": permissions.can_see_names(actor, game),
            "can_confirm": confirmation is not None and _may_confirm(game, actor, confirmation),
        }
    }


def _may_confirm(game: Game, actor: Actor, confirmation: Confirmation) -> bool:
    """Say whether the actor's word is still open: everybody at the table has one, managers have the last."""
    if confirmation.is_confirmed or not permissions.can_confirm(actor, game):
        return False
    said = {confirmation.wrote.user_id, *(entry.user_id for entry in confirmation.confirmed)}
    is_open = actor.user is not None and actor.user.pk not in said
    return is_open or permissions.can_manage_game(actor, game)
