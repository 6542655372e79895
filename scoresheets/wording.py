"""Problems and conflicts in words, in the reader's language. Codes are stable; sentences are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from scoresheets.recording import Conflict

MINUS = "\N{MINUS SIGN}"


def signed(number: int) -> str:
    """Return a number with its sign, the real minus: +1, −2, 0."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    """Return a number with the real minus: 120, −30."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


def sum_in_words(bid_sum: int, cards: int) -> str:
    """Return how a sum of bids stands to the cards: "2 under", "adds up", "1 over"."""
    if bid_sum == cards:
        return _("adds up")
    if bid_sum < cards:
        return _("%(count)s under") % {"count": cards - bid_sum}
    return _("%(count)s over") % {"count": bid_sum - cards}


def joined(names: Sequence[str]) -> str:
    """Return names as a list in words: "Annika, Bernd and Cem"."""
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def problem_in_words(problem: rules.Problem, names: Sequence[str] = ()) -> str:
    """Return a rule's problem as one sentence; `names` in seat order lets it say who. Unknown codes speak English."""
    words = _PROBLEMS.get(problem.code)
    if words is None:
        return problem.message
    values: dict[str, Any] = dict(problem.params)
    values["who"] = (
        names[problem.seat] if problem.seat is not None and problem.seat < len(names) else _("The last bidder")
    )
    return words(values)


def _tricks_sum(values: Mapping[str, Any]) -> str:
    if values["missing"]:
        return ngettext(
            "%(count)s trick is missing: %(sum)s of %(countable)s entered.",
            "%(count)s tricks are missing: %(sum)s of %(countable)s entered.",
            values["missing"],
        ) % {**values, "count": values["missing"]}
    return ngettext(
        "One trick too many. Who miscounted?",
        "%(count)s tricks too many. Who miscounted?",
        values["surplus"],
    ) % {**values, "count": values["surplus"]}


def _bid_out_of_range(values: Mapping[str, Any]) -> str:
    if values["bid"] < 0:
        return _("A bid is at least 0.")
    return (
        ngettext(
            "%(bid)s is too many: there is only %(cards)s card this round.",
            "%(bid)s is too many: there are only %(cards)s cards this round.",
            values["cards"],
        )
        % values
    )


def _tricks_out_of_range(values: Mapping[str, Any]) -> str:
    if values["tricks"] < 0:
        return _("Nobody takes fewer than 0 tricks.")
    return (
        ngettext(
            "%(tricks)s is too many: only %(countable)s trick counts this round.",
            "%(tricks)s is too many: only %(countable)s tricks count this round.",
            values["countable"],
        )
        % values
    )


def _bid_sum_forbidden(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "%(bid)s does not work here: the others bid %(others)s, and %(bid)s would make exactly %(cards)s. "
            "%(who)s needs another number.",
            "%(bid)s does not work here: the others bid %(others)s, and %(bid)s would make exactly %(cards)s. "
            "%(who)s needs another number.",
            values["others"],
        )
        % values
    )


def _rounds_out_of_range(values: Mapping[str, Any]) -> str:
    return _("Choose 1 to %(most)s rounds.") % values


_PROBLEMS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "players": lambda values: _("Wizard needs 3 to 6 people; so far: %(players)s.") % values,
    "reason_missing": lambda values: _("Say why, in a few words."),
    "reason_too_long": lambda values: _("A reason has at most %(most)s characters.") % values,
    "name_missing": lambda values: _("Enter a name."),
    "name_too_long": lambda values: _("A name has at most %(most)s characters.") % values,
    "name_taken": lambda values: _("%(name)s is already at the table. Try “%(name)s B.”, for example.") % values,
    "table_full": lambda values: _("The table is full: %(most)s people at most.") % values,
    "dealer_out_of_range": lambda values: _("Choose who deals first."),
    "rounds_out_of_range": _rounds_out_of_range,
    "ladder_players": lambda values: _("There is no tournament ladder for %(players)s people.") % values,
    "bid_out_of_range": _bid_out_of_range,
    "bid_sum_forbidden": _bid_sum_forbidden,
    "tricks_out_of_range": _tricks_out_of_range,
    "tricks_sum": _tricks_sum,
}


def conflict_in_words(conflict: Conflict) -> str:
    """Return a conflict's reason as one sentence."""
    return {
        "stale": _("Somebody was faster: the score has changed since this page was shown."),
        "already_bid": _("Somebody was faster: this bid is already on the score pad."),
        "nothing_to_undo": _("There is nothing to undo."),
        "not_finished": _("The game is not finished yet."),
        "key_reused": _("This page was already sent with another entry; that one counts."),
        "seat_unknown": _("This person is not at this table."),
        "missing_bids": _("There is no bid to record."),
        "missing_seats": _("Everybody's tricks are needed."),
        "nothing_changed": _("Nothing is changed yet."),
        "halted": _("The game is interrupted: let it go on first."),
        "not_halted": _("The game goes on already."),
        "is_finished": _("The game is finished already."),
        "nothing_scored": _("No round is scored yet: abandon the game instead."),
    }.get(conflict.code, _("That does not fit the current state of the game."))
