"""Moving a game into a club, and saying which of the club's players sat on which seat."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Entry, Evening, Game, Seat
from scoresheets.models.games import night_of
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome, evening_of_new_game, night_payload
from scoresheets.recording.locks import locked_clubs
from scoresheets.recording.players import seated_players
from scoresheets.recording.writing import check_goes_on, finish_write

Kind = Entry.Kind


@transaction.atomic
def move_game(
    game: Game, club: Club, *, players: Mapping[int, int | str], by: Actor, key: str | None = None
) -> Outcome:
    """Move a game into the club and seat the club's players; names on the sheet stay as they are.

    A quick game needs the right to change it, and a scorer of the club; a game of another club, a manager of both.
    Moving a game into its own club only seats players anew. `players` maps seat ids to a player's id or to the name of
    somebody new, added as a guest; a seat left out keeps a name alone. A confirmed game stays confirmed; a finished one
    is locked by the time of its new club.

    Raises `PermissionDenied`, `Conflict` ("stale": it was moved meanwhile, "seat_unknown", "player_unknown": not of
    this club, "nothing_changed", "key_reused"), `rules.RulesError` (`player_twice`, `name_missing`, `name_too_long`,
    `player_name_taken`) with seats as places at the table; then writes nothing.
    """
    source = Game.objects.values_list("club", flat=True).get(pk=game.pk)
    clubs, by = locked_clubs({club.pk} | ({source} if source is not None else set()), by)
    club, game = clubs[club.pk], Game.locked(game.pk)
    if game.club_id != source:
        raise Conflict("stale")
    permissions.check_can_move(by, game, club)
    fingerprint = receipts.fingerprint_of("move_game", game.pk, club.pk, sorted(players.items()))
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    seats = game.seats_in_order()
    if not set(players) <= {seat.pk for seat in seats}:
        raise Conflict("seat_unknown")
    contributed = statistics.counted(game, seats)
    seated = seated_players(club, [players.get(seat.pk) for seat in seats], by=by)
    if game.club_id == club.pk and [seat.player_id for seat in seats] == [who and who.pk for who in seated]:
        raise Conflict("nothing_changed")
    # Two seats may change places: nobody sits while the others are seated.
    Seat.objects.filter(game=game).update(player=None)
    for seat, player in zip(seats, seated, strict=True):
        seat.player = player
    Seat.objects.bulk_update(seats, ["player"])
    if game.club_id != club.pk:
        game.club, game.evening, game.night = club, None, night_of(game.started_at, club.time_zone)
        game.save(update_fields=["club", "evening", "night"])
    game.version += 1
    payload = {
        "club": club.pk,
        "from": source,
        "players": {seat.pk: seat.player_id for seat in seats if seat.player_id is not None},
        **night_payload(game),
    }
    return finish_write(
        game,
        Kind.MOVED,
        payload,
        by=by,
        key=key,
        fingerprint=fingerprint,
        seats=seats,
        contributed=contributed,
        stays_confirmed=True,
    )


@transaction.atomic
def set_evening(game: Game, evening: Evening | None, *, by: Actor, key: str | None = None) -> Outcome:
    """Say to which evening of its club a game belongs; None: to none, but to the night it was started in.

    A confirmed game stays confirmed. Raises `PermissionDenied`, `Conflict` ("halted", "evening_unknown": not of this
    club, or cancelled, "nothing_changed", "key_reused"); then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    wanted = evening.pk if evening is not None else None
    fingerprint = receipts.fingerprint_of("set_evening", game.pk, wanted)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_goes_on(game)
    if game.club is None:
        raise Conflict("evening_unknown")
    if game.evening_id == wanted:
        raise Conflict("nothing_changed")
    contributed = statistics.counted(game)
    if wanted is None:
        game.evening, game.night = None, night_of(game.started_at, game.club.time_zone)
    else:
        game.evening = evening_of_new_game(game.club, wanted)
        game.night = game.evening.night if game.evening is not None else game.night
    game.save(update_fields=["evening", "night"])
    game.version += 1
    return finish_write(
        game,
        Kind.EVENING_SET,
        night_payload(game),
        by=by,
        key=key,
        fingerprint=fingerprint,
        contributed=contributed,
        stays_confirmed=True,
    )
