"""A game's journal in words: who, when, by which door, why, and what was entered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoresheets import wording
from scoresheets.correction_words import changes_by_seat, field_in_words, said
from scoresheets.models import Entry, Game, Seat
from scoresheets.models.games import Via

Kind = Entry.Kind
#: What a page lists of the newest ones; the list of all entries has the others.
MOST_LISTED = 200
#: What is said of one seat each, and of the round as a whole, in the order in which it is said.
OF_SEATS = ("bids", "taken", "clouds", "points")
OF_ROUND = ("bombs", "trump", "turned_up", "chosen_by")
#: Numbers that stand for themselves.
PLAIN = {
    "round": gettext_lazy("round"),
    "after": gettext_lazy("after round"),
    "starting": gettext_lazy("begins with"),
    "from": gettext_lazy("from club"),
    "club": gettext_lazy("club"),
    "evening": gettext_lazy("evening"),
    "night": gettext_lazy("night"),
    "undoes": gettext_lazy("takes back entry"),
    "ladder": gettext_lazy("ladder"),
    "plan": gettext_lazy("plan of the rounds"),
    "cards": gettext_lazy("cards of the rounds to come"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One entry in words. `values` are (what, value), `changes` those of a correction by seat."""

    version: int
    at: datetime
    title: str
    who: str
    door: str
    reason: str
    values: Sequence[tuple[str, str]]
    changes: Sequence[tuple[str, Sequence[tuple[str, str, str]]]] = ()


def journal_of(game: Game, seats: Iterable[Seat], *, covered_round: int | None = None) -> list[Line]:
    """Return the game's newest entries, newest first, at most `MOST_LISTED` (1 statement).

    Bids of the `covered_round` are not told: nobody at the table sees them yet.
    """
    names = {seat.pk: seat.name for seat in seats}
    entries = game.entries.select_related("user").order_by("-version")[:MOST_LISTED]
    return [line_of(entry, names, covered_round=covered_round) for entry in entries]


def line_of(entry: Entry, names: Mapping[int, str], *, covered_round: int | None = None) -> Line:
    """Return an entry in words, given the names of the game's seats by id."""
    payload = entry.payload
    changes: Sequence[tuple[str, Sequence[tuple[str, str, str]]]] = ()
    if "before" in payload:
        changes = changes_by_seat(payload["before"], payload, names)
        values = list(_plain(payload))
    elif covered_round is not None and payload.get("round") == covered_round:
        values = [*_plain(payload), (_("bids"), _("still covered"))]
    else:
        values = [*_plain(payload), *_entered(payload, names)]
    return Line(
        entry.version,
        entry.at,
        entry.get_kind_display(),
        str(entry.user) if entry.user is not None else entry.label,
        str(Via(entry.via).label),
        entry.reason,
        values,
        changes,
    )


def _plain(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, words in PLAIN.items():
        value = payload.get(key)
        if value not in (None, [], ""):
            yield str(words), ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _entered(payload: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    for field in OF_SEATS:
        entered = payload.get(field)
        if isinstance(entered, dict) and entered:
            of_seats = (f"{names.get(int(seat), '?')} {said(field, value, names)}" for seat, value in entered.items())
            yield field_in_words(field), ", ".join(of_seats)
    for seat in payload.get("blind", ()):
        yield field_in_words("blind"), names.get(seat, "?")
    for field in OF_ROUND:
        if payload.get(field):
            yield field_in_words(field), said(field, payload[field], names)
    if "seat" in payload and payload["seat"] is not None:
        yield _("seat"), names.get(payload["seat"], "?")
    if isinstance(payload.get("points"), int):
        yield field_in_words("points"), wording.signed(payload["points"])
    if "rounds" in payload:
        yield _("rounds"), str(len(payload["rounds"]))
