"""What a correction changes, in words: the values of a round, the standings, who is in front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import rules
from scoresheets import verdicts, wording
from scoresheets.queries.blocks import Sheet
from scoresheets.queries.corrections import Preview, differences


def changes_by_seat(
    before: Mapping[str, Any], after: Mapping[str, Any], names: Mapping[int, str]
) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return what differs between two payloads of a round, as (whose, [(field, old, new)]); whose is "" for the round.

    `names` are those of the seats, by id.
    """
    by_seat: dict[str, list[tuple[str, str, str]]] = {}
    for field, seat, old, new in differences(before, after):
        whose = names.get(seat, "") if seat is not None else ""
        by_seat.setdefault(whose, []).append((field_in_words(field), said(field, old, names), said(field, new, names)))
    return list(by_seat.items())


def field_in_words(field: str) -> str:
    """Return the word for a field of `differences`, as it stands beside a change."""
    return str(_FIELDS[field][0]())


def said(field: str, value: Any, names: Mapping[int, str]) -> str:
    """Return a value of such a field in words."""
    return str(_FIELDS[field][1](value, names))


def effects_in_words(sheet: Sheet, preview: Preview) -> list[tuple[str, str, str]]:
    """Return what a correction changes in the standings, as (whose what, before, after)."""
    words = {"totals": _("%(name)s, total"), "ranks": _("%(name)s, rank"), "hits": _("%(name)s, exact bids")}
    return [
        (words[what] % {"name": sheet.seats[place].name}, wording.plain(before), wording.plain(after))
        for place, what, before, after in preview.changes
    ]


def winners_in_words(sheet: Sheet, preview: Preview) -> str:
    """Return who is in front after a correction, and who was."""
    before, after = (
        wording.joined([sheet.seats[place].name for place in block.winners])
        for block in (preview.before, preview.after)
    )
    if sheet.game.is_finished:
        words = _("Winner: %(before)s before, %(after)s now.") if before != after else _("Still the winner: %(after)s.")
    else:
        words = _("In front: %(before)s before, %(after)s now.") if before != after else _("Still in front: %(after)s.")
    return words % {"before": before, "after": after}


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
    "points": (lambda: pgettext("beside a change", "points"), _number),
    "clouds": (lambda: verdicts.kind_name(rules.Kind.CLOUD), _change),
    "blind": (lambda: pgettext("beside a change", "blind"), _yes_or_no),
    "bombs": (lambda: verdicts.kind_name(rules.Kind.BOMB), _number),
    "trump": (lambda: _("Trump"), _trump),
    "turned_up": (lambda: _("Turned-up card"), _card),
    "chosen_by": (lambda: _("Trump chosen by"), _person),
}
