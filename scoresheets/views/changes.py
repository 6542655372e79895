"""What was corrected in a game, in words: who, when, why, what it was and what it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import rules
from scoresheets import verdicts, wording
from scoresheets.models import Entry
from scoresheets.models.games import Via
from scoresheets.queries.blocks import Sheet
from scoresheets.queries.corrections import differences

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
    by_seat: dict[str, list[tuple[str, str, str]]] = {}
    for field, seat, old, new in differences(entry.payload["before"], entry.payload):
        word, value = _FIELDS[field]
        whose = names.get(seat, "") if seat is not None else ""
        by_seat.setdefault(whose, []).append((str(word()), value(old, names), value(new, names)))
    address = reverse("correct_round", args=[entry.game_id, number])
    return {
        "title": _("Round %(number)s") % {"number": number},
        "lines": list(by_seat.items()),
        "reverse": f"{address}?reverse={entry.version}" if number in scored else "",
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
    Kind.POINTS_ADJUSTED: _points_adjusted,
    Kind.SEAT_RENAMED: _seat_renamed,
}


def trump_in_words(trump: str) -> str:
    """Return a noted trump as it stands alone: "Red", "No trump", "Not noted"."""
    if not trump:
        return pgettext("trump", "Not noted")
    return verdicts.suit_name(suit_of(trump))


def suit_of(trump: str) -> rules.Suit | None:
    """Return the suit of a noted trump; None where there is none."""
    return None if trump in {"", rules.NO_TRUMP} else rules.Suit(trump)


def _number(value: int | None, names: Mapping[int, str]) -> str:
    return wording.plain(value or 0)


def _yes_or_no(value: bool, names: Mapping[int, str]) -> str:
    return _("yes") if value else _("no")


def _change(value: int | None, names: Mapping[int, str]) -> str:
    return wording.signed(value) if value else pgettext("cloud", "none")


def _trump(value: str, names: Mapping[int, str]) -> str:
    return trump_in_words(value)


def _card(value: str, names: Mapping[int, str]) -> str:
    return verdicts.card_name(rules.Card.parse(value)) if value else pgettext("trump", "Not noted")


def _person(value: int | None, names: Mapping[int, str]) -> str:
    return names.get(value, "") if value is not None else pgettext("trump", "Not noted")


#: What `differences` calls a field: its word, and how its values are said.
_FIELDS: Mapping[str, tuple[Any, Any]] = {
    "bids": (lambda: pgettext("beside a change", "bid"), _number),
    "taken": (lambda: pgettext("beside a change", "tricks"), _number),
    "clouds": (lambda: verdicts.kind_name(rules.Kind.CLOUD), _change),
    "blind": (lambda: pgettext("beside a change", "blind"), _yes_or_no),
    "bombs": (lambda: verdicts.kind_name(rules.Kind.BOMB), _number),
    "trump": (lambda: _("Trump"), _trump),
    "turned_up": (lambda: _("Turned-up card"), _card),
    "chosen_by": (lambda: _("Trump chosen by"), _person),
}
