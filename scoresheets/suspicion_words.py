"""What looks odd of a game, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoresheets.models import Game
from scoresheets.queries.suspicions import Suspect, SuspectPage, SuspectSeat
from scoresheets.rulebook import Text

#: What can be looked for, as `queries.suspicions.KINDS` names it.
KINDS: Mapping[str, Text] = MappingProxyType(
    {
        "twice": gettext_lazy("There twice"),
        "open": gettext_lazy("Never finished"),
        "short": gettext_lazy("Rounds are missing"),
        "fast": gettext_lazy("Written too fast"),
        "points": gettext_lazy("Odd points"),
        "import": gettext_lazy("Imported with other points"),
        "late": gettext_lazy("Changed late"),
        "person": gettext_lazy("Somebody sits there twice"),
    }
)


class Why(NamedTuple):
    """Why a game looks odd, and where the game is that it is like, with its number; "" and 0 without one."""

    sentence: str
    address: str = ""
    other: int = 0


class Line(NamedTuple):
    """A game that looks odd as a list shows it, and where its page is."""

    game: Game
    address: str
    seats: tuple[SuspectSeat, ...]
    reasons: list[Why]


def lines_of(page: SuspectPage, route: str) -> list[Line]:
    """Return the games of a page; `route` leads from a game's id to its page."""
    return [_line(suspect, route) for suspect in page.suspects]


def _line(suspect: Suspect, route: str) -> Line:
    reasons = []
    for code, values in suspect.reasons:
        other = values.get("other", 0)
        reasons.append(Why(sentence(code, values), reverse(route, args=[other]) if other else "", other))
    return Line(suspect.game, reverse(route, args=[suspect.game.pk]), suspect.seats, reasons)


def sentence(code: str, values: Mapping[str, Any]) -> str:
    """Return why a game looks odd, as a sentence; of two games that are alike, what stands before the other one."""
    return SENTENCES[code](values)


def _left_open(values: Mapping[str, Any]) -> str:
    words = ngettext(
        "It is not finished, and nothing was written for %(days)s day.",
        "It is not finished, and nothing was written for %(days)s days.",
        values["days"],
    )
    return words % values


def _after_lock(values: Mapping[str, Any]) -> str:
    if not values["days"]:
        return _("Its points were changed after it was locked.")
    words = ngettext(
        "Its points were changed %(days)s day after it was locked.",
        "Its points were changed %(days)s days after it was locked.",
        values["days"],
    )
    return words % values


def _mismatch(values: Mapping[str, Any]) -> str:
    words = ngettext(
        "The file it was imported from has %(count)s number that the rules contradict.",
        "The file it was imported from has %(count)s numbers that the rules contradict.",
        values["count"],
    )
    return words % values


def _adjusted(values: Mapping[str, Any]) -> str:
    return _("%(name)s was given %(points)s points beside the rounds.") % {**values, "points": f"{values['points']:+}"}


#: What is said of each code of `queries.suspicions.Reason`.
SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = MappingProxyType(
    {
        "left_open": _left_open,
        "abandoned": lambda values: _("It was abandoned after %(rounds)s of %(planned)s rounds.") % values,
        "too_fast": lambda values: _("%(rounds)s rounds were written down within %(seconds)s s.") % values,
        "same_people": lambda values: _("The same people had the same points in the same night:"),
        "same_rounds": lambda values: _("Every bid and every trick is the same:"),
        "ended_early": lambda values: _("It was ended after %(rounds)s of %(planned)s rounds.") % values,
        "short_plan": lambda values: (
            _("It has %(planned)s rounds; the club plays %(usual)s with %(players)s players.") % values
        ),
        "mismatch": _mismatch,
        "after_confirmation": lambda values: _("Its points were changed after it was confirmed."),
        "after_lock": _after_lock,
        "adjusted": _adjusted,
        "impossible_points": lambda values: _("No sheet gives %(name)s %(points)s points.") % values,
        "same_person": lambda values: _("%(name)s sits there under two names.") % values,
    }
)
