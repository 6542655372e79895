"""What was corrected in a game, in words: who, when, why, what it was and what it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from scoresheets import wording
from scoresheets.correction_words import changes_by_seat
from scoresheets.models import Entry
from scoresheets.models.games import Via
from scoresheets.queries.blocks import Sheet

Kind = Entry.Kind


def corrections_in_words(sheet: Sheet, entries: Sequence[Entry], *, is_public: bool = False) -> list[dict[str, Any]]:
    """Return one line a correction, in the order given: who, when, why, what, and where it is reversed.

    On a public page neither who nor why is said: both can name people.
    What is `title` with either `lines`, (whose, [(field, old, new)]), or a `sentence`. `reverse` is an address, ""
    where nothing can be reversed: an old name is not kept, and a round that was taken back has no entry to correct.
    """
    names = {seat.pk: seat.name for seat in sheet.seats}
    scored = {row.number for row in sheet.block.scored_rows}
    return [
        {
            "version": entry.version,
            "at": entry.at,
            "who": "" if is_public else _who(entry),
            "reason": "" if is_public else entry.reason,
            **_WORDS[Kind(entry.kind)](entry, names, scored),
        }
        for entry in entries
    ]


def _who(entry: Entry) -> str:
    """Return who made an entry: the label of the link, the account, or which door it was."""
    if entry.label:
        return entry.label
    if entry.user is not None:
        return str(entry.user)
    return str(Via(entry.via).label)


def _round_corrected(entry: Entry, names: Mapping[int, str], scored: Collection[int]) -> dict[str, Any]:
    number = entry.payload["round"]
    address = reverse("correct_round", args=[entry.game_id, number])
    return {
        "title": _("Round %(number)s") % {"number": number},
        "lines": changes_by_seat(entry.payload["before"], entry.payload, names),
        "reverse": f"{address}?reverse={entry.version}" if number in scored else "",
    }


def _results_corrected(entry: Entry, names: Mapping[int, str], scored: Collection[int]) -> dict[str, Any]:
    return {
        "title": _("Points"),
        "lines": changes_by_seat(entry.payload["before"], entry.payload, names),
        "reverse": f"{reverse('correct_results', args=[entry.game_id])}?reverse={entry.version}",
    }


def _points_adjusted(entry: Entry, names: Mapping[int, str], scored: Collection[int]) -> dict[str, Any]:
    seat, points = entry.payload["seat"], entry.payload["points"]
    address = reverse("correct_seat", args=[entry.game_id, seat])
    return {
        "title": names.get(seat, ""),
        "sentence": _("%(points)s points") % {"points": wording.signed(points)},
        "reverse": f"{address}?reverse={entry.version}",
    }


def _seat_renamed(entry: Entry, names: Mapping[int, str], scored: Collection[int]) -> dict[str, Any]:
    return {"title": names.get(entry.payload["seat"], ""), "sentence": _("name changed"), "reverse": ""}


_WORDS = {
    Kind.ROUND_CORRECTED: _round_corrected,
    Kind.RESULTS_CORRECTED: _results_corrected,
    Kind.POINTS_ADJUSTED: _points_adjusted,
    Kind.SEAT_RENAMED: _seat_renamed,
}
