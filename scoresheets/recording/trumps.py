"""Noting the trump of a round."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Entry, Game, Round, Seat
from scoresheets.models.games import playing
from scoresheets.recording import receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome
from scoresheets.recording.writing import (
    check_rounds_go_on,
    finish_write,
    place_of,
)

Kind = Entry.Kind


@transaction.atomic
def note_trump(
    game: Game,
    *,
    number: int,
    trump: str,
    by: Actor,
    turned_up: str = "",
    chosen_by: int | None = None,
    key: str | None = None,
) -> Outcome:
    """Note the trump of the open round, over what was noted before; `trump` "" takes the note away.

    `number` is the round the writer saw open: its bids and tricks may go on meanwhile. `trump` is one of
    `Round.Trump`, `turned_up` a card's notation or "", `chosen_by` the id of the seat that named trump, if one did.
    Raises `PermissionDenied`, `Conflict`, `rules.RulesError`; then writes nothing.
    """
    game = Game.locked(game.pk)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("note_trump", game.pk, number, trump, turned_up, chosen_by)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_rounds_go_on(game)
    current = game.rounds.exclude(state=Round.State.SCORED).filter(number=number).first()
    if current is None:
        raise Conflict("stale")
    seats = game.seats_in_order()
    check_trump_note(game, current, playing(seats), trump=trump, turned_up=turned_up, chosen_by=chosen_by)
    game.version += 1
    current.trump, current.turned_up, current.chosen_by_id = trump, turned_up, chosen_by
    current.save(update_fields=["trump", "turned_up", "chosen_by"])
    payload = {"round": number, "trump": trump, "turned_up": turned_up, "chosen_by": chosen_by}
    return finish_write(game, Kind.TRUMP_NOTED, payload, by=by, key=key, fingerprint=fingerprint, seats=seats)


def check_trump_note(
    game: Game, noted: Round, seats: Sequence[Seat], *, trump: str, turned_up: str, chosen_by: int | None
) -> None:
    """Do nothing if this can be noted of the trump of a round that these seats play.

    Raises `Conflict` ("seat_unknown"), `rules.RulesError`.
    """
    if not trump:
        if turned_up or chosen_by is not None:
            raise rules.RulesError([rules.Problem.of("trump_missing")])
        return
    if trump not in Round.Trump.values:
        raise rules.RulesError([rules.Problem.of("suit_not_in_deck", suit=trump, deck=game.deck)])
    if chosen_by is not None and chosen_by not in {seat.pk for seat in seats}:
        raise Conflict("seat_unknown")
    problems = rules.noted_trump_problems(
        game.house,
        rules.plan_of(game.house, len(seats), number=noted.number, cards=noted.cards),
        dealer=place_of(noted.dealer_id, seats),
        trump=None if trump == Round.Trump.NONE else rules.Suit(trump),
        turned_up=rules.Card.parse(turned_up) if turned_up else None,
        chooser=None if chosen_by is None else place_of(chosen_by, seats),
    )
    if problems:
        raise rules.RulesError(problems)
