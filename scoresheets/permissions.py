"""Who may do what, in pairs: `can_x` asks, `check_x` raises `PermissionDenied`.

Seeing is decided before: what an actor may not see is not found at all.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied

from scoresheets.actors import Actor
from scoresheets.models import Game, Link
from scoresheets.models.games import Via


def can_see(actor: Actor, game: Game) -> bool:
    """Say whether the actor may see the game: any usable link to it, or the operator."""
    return actor.via == Via.COMMAND or actor.link_game_id == game.pk


def can_keep_score(actor: Actor, game: Game) -> bool:
    """Say whether the actor may record bids and tricks, step back, reopen and start the rematch."""
    return actor.via == Via.COMMAND or (actor.link_game_id == game.pk and actor.link_scope == Link.Scope.EDIT)


def check_can_keep_score(actor: Actor, game: Game) -> None:
    """Raise `PermissionDenied` unless the actor may keep this game's score."""
    if not can_keep_score(actor, game):
        raise PermissionDenied


def can_manage_links(actor: Actor, game: Game) -> bool:
    """Say whether the actor may make and revoke the game's links: whoever keeps its score."""
    return can_keep_score(actor, game)


def check_can_manage_links(actor: Actor, game: Game) -> None:
    """Raise `PermissionDenied` unless the actor may make and revoke this game's links."""
    if not can_manage_links(actor, game):
        raise PermissionDenied
