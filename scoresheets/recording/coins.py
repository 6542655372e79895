"""Coins: who took each trick, laid while the round is played. They are a draft: not journalled and never needed.

`Round.draft` keeps them as "coins", and "by_hand" once numbers that were entered by hand count instead of the tally.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Game, Round, Seat
from scoresheets.models.games import playing
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.writing import check_rounds_go_on


def is_played(game: Game, current: Round) -> bool:
    """Say whether tricks of the open round are taken: with secret bids that is so before any bid is entered (D27)."""
    return current.state == Round.State.PLAYING or (game.secret_bids and current.state == Round.State.BIDDING)


@transaction.atomic
def lay_coin(game: Game, *, trick: int, seat: int | None, seen: int, by: Actor) -> Outcome:
    """Note who took a trick of the round being played: a seat's id, or None if it was bombed (D60).

    `trick` counts from 1 and is the one after those that lie; `seen` is the `stage_version` the writer saw. The same
    coin again writes nothing. From now on the tally counts, and what was entered by hand is kept behind it. Raises
    `Game.touched`, not the version. Raises `PermissionDenied`, `Conflict`, `rules.RulesError`; then writes nothing.
    """
    game, current, coins = _locked(game, seen, by)
    seats = game.seats_in_order()
    if seat is not None and seat not in {player.pk for player in playing(seats)}:
        raise Conflict("seat_unknown")
    if 1 <= trick <= len(coins):
        if coins[trick - 1] != seat:
            raise Conflict("trick_taken")
        return Outcome(game, repeated=True, seats=seats)
    if trick != len(coins) + 1:
        raise Conflict("stale")
    if trick > current.cards:
        raise Conflict("no_trick_left")
    if seat is None:
        _check_bombs(game.house, coins.count(None) + 1)
    current.draft.pop("by_hand", None)
    return _save(game, current, [*coins, seat], seats)


@transaction.atomic
def take_back_coin(game: Game, *, trick: int, seen: int, by: Actor) -> Outcome:
    """Take back the newest coin, the one on this `trick` (from 1); one that is gone already writes nothing.

    After the last of them, what was entered by hand before the first is back. Raises `Game.touched`, not the version.
    Raises `PermissionDenied`, `Conflict` ("stale" if it is not the newest one, "halted"); then writes nothing.
    """
    game, current, coins = _locked(game, seen, by)
    if trick == len(coins) + 1:
        return Outcome(game, repeated=True)
    if trick < 1 or trick != len(coins):
        raise Conflict("stale")
    return _save(game, current, coins[:-1])


def _locked(game: Game, seen: int, by: Actor) -> tuple[Game, Round, list[int | None]]:
    """Return the game under its lock, the round being played and the coins that lie."""
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    check_rounds_go_on(game)
    current = game.round_in_stage(game.state, seen)
    if current is None or not is_played(game, current):
        raise Conflict("stale")
    return game, current, list(current.draft.get("coins", ()))


def _check_bombs(house: rules.HouseRules, bombs: int) -> None:
    in_deck = rules.count_of(house, "BOMB")
    if not in_deck:
        raise rules.RulesError([rules.Problem.of("bomb_not_in_deck")])
    if bombs > in_deck:
        raise rules.RulesError([rules.Problem.of("too_many_bombs", bombs=bombs, in_deck=in_deck)])


def _save(game: Game, current: Round, coins: Sequence[int | None], seats: Sequence[Seat] | None = None) -> Outcome:
    current.draft["coins"] = list(coins)
    if not coins:
        del current.draft["coins"]
        current.draft.pop("by_hand", None)
    current.save(update_fields=["draft"])
    game.touched += 1
    game.save(update_fields=["touched"])
    return Outcome(game, seats=seats)
