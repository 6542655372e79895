"""Games that were over before they were typed in: what recording a whole sheet and recording bare results share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Entry, Game, Link, Player, Seat
from scoresheets.models.games import Via, night_of
from scoresheets.recording import journal, receipts, webhooks
from scoresheets.recording.games import Started, evening_of_new_game, night_payload
from scoresheets.recording.links import add_link, new_nonce, secret_of
from scoresheets.recording.locks import locked_club
from scoresheets.recording.players import seated_players

#: The entry that starts such a game, and the one that holds all that is known of it.
STARTED, RECORDED = 1, 2


class Where(NamedTuple):
    """When and where a finished game was played: parameters of `record_sheet` and `record_results`."""

    played_at: datetime | None = None
    club: Club | None = None
    players: Sequence[int | str | None] | None = None
    evening: int | None = None


def played_at_problems(played_at: datetime | None) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the time at which a game was played: it is still to come."""
    return (rules.Problem.of("played_later"),) if played_at is not None and played_at > timezone.now() else ()


def write_finished(
    game: Game,
    names: Sequence[str],
    where: Where,
    write: Callable[[Game, Sequence[Player | None], Actor], None],
    *,
    what: str,
    asked: Sequence[Any],
    by: Actor,
    key: str | None,
) -> Started:
    """Write a finished game and return it with its first edit link, once for a key.

    `game` is not saved, and has its rules and plan; here it gets its club, evening, night and times. `write` then saves
    it with all of its rows and entries, given who sits on each seat. `what` and `asked` tell one request from another.
    Raises `Conflict` ("player_unknown", "evening_unknown", "key_reused"), `PermissionDenied` unless the actor may start
    games of the club, and what `write` raises; then writes nothing.
    """
    if where.players is not None and (where.club is None or len(where.players) != len(names)):
        raise ValueError("players are for the seats of a club's game, one each")
    try:
        return _write_finished(game, names, where, write, what, asked, by=by, key=key)
    except IntegrityError:
        # There is no game to lock yet: the same request was faster by a hair, and its answer is there now.
        return _write_finished(game, names, where, write, what, asked, by=by, key=key)


@transaction.atomic
def _write_finished(
    game: Game,
    names: Sequence[str],
    where: Where,
    write: Callable[[Game, Sequence[Player | None], Actor], None],
    what: str,
    asked: Sequence[Any],
    *,
    by: Actor,
    key: str | None,
) -> Started:
    club, players, played_at = where.club, where.players, where.played_at
    asked = [list(names), *asked, played_at and played_at.isoformat()]
    if club is not None:
        club, by = locked_club(club.pk, by)
        permissions.check_can_start_game(by, club)
        asked += [club.pk, players and list(players), where.evening]
    fingerprint = receipts.fingerprint_of(what, *asked)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Started(Game.objects.get(pk=body["game"]), secret_of(body["nonce"]), repeated=True)
    seated: Sequence[Player | None] = [None] * len(names)
    game.pk, game.club, game.state = None, club, Game.State.FINISHED
    game.version, game.touched = RECORDED, 1
    game.started_at = game.finished_at = played_at or timezone.now()
    if club is not None:
        seated = seated_players(club, players, by=by) if players is not None else seated
        if where.evening is not None or played_at is None:
            game.evening = evening_of_new_game(club, where.evening)
        day = night_of(game.started_at, club.time_zone)
        game.night = game.evening.night if game.evening is not None else day
    write(game, seated, by)
    nonce = new_nonce()
    add_link(game, scope=Link.Scope.EDIT, nonce=nonce)
    receipts.keep_answer(by, key, fingerprint, {"game": game.pk, "nonce": nonce})
    receipts.forget_old_receipts()
    return Started(game, secret_of(nonce))


def append_entries(game: Game, seats: Sequence[Seat], kind: str, recorded: dict[str, Any], *, by: Actor) -> None:
    """Append the two entries of a written game, its start and what was recorded of it, and tell the webhooks.

    An import tells nothing: a thousand games of long ago are no news.
    """
    started: dict[str, Any] = {
        "seats": [seat.pk for seat in seats],
        "first_dealer": game.first_dealer,
        "house": game.house.to_mapping(),
        "ladder": game.ladder,
        "plan": game.plan,
    }
    if game.club_id is not None:
        started |= {"club": game.club_id, "players": {seat.pk: seat.player_id for seat in seats if seat.player_id}}
        started |= night_payload(game)
    game.version = STARTED
    journal.append(game, Entry.Kind.STARTED, started, by=by)
    game.version = RECORDED
    journal.append(game, kind, recorded, by=by)
    if by.via != Via.IMPORT:
        webhooks.tell(game, kind, recorded, None)
