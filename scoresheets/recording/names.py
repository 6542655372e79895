"""Names as they are kept, told apart and refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

import rules
from scoresheets.models.games import NAME_LENGTH

#: Characters that turn or hide the text around a name; joiners of emoji and Persian stay.
_FORBIDDEN_IN_NAMES = {
    "\u202a",
    "\u202b",
    "\u202c",
    "\u202d",
    "\u202e",
    "\u2066",
    "\u2067",
    "\u2068",
    "\u2069",
    "\ufeff",
}
#: Categories of characters that show nothing by themselves: controls, formats, marks, separators.
_INVISIBLE = {"Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"}


def tidy_name(typed: str) -> str:
    """Return a name as it is kept: composed, one space between words, without control characters.

    What shows nothing at all is no name: "" then.
    """
    text = unicodedata.normalize("NFC", typed)
    kept = "".join(
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text if c not in _FORBIDDEN_IN_NAMES
    )
    return " ".join(kept.split()) if any(unicodedata.category(c) not in _INVISIBLE for c in kept) else ""


def folded(name: str) -> str:
    """Return a name with case set aside, as names at a table are told apart.

    The Turkish dotted capital İ counts as i: PostgreSQL's `lower`, which guards the same in the database, has it so.
    """
    return name.casefold().replace("i\N{COMBINING DOT ABOVE}", "i")


def pattern_of(names: Collection[str]) -> re.Pattern[str]:
    """Return what finds these names (at least one) where they stand as words, case set aside."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first), re.IGNORECASE)


def name_problems(names: Sequence[str]) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the names at a table: one missing, too long, or there twice (case set aside)."""
    problems = []
    seen: dict[str, str] = {}
    for seat, name in enumerate(names):
        as_told_apart = folded(name)
        if not name.strip():
            problems.append(rules.Problem.of("name_missing", seat))
        elif len(name) > NAME_LENGTH:
            problems.append(rules.Problem.of("name_too_long", seat, name=name, most=NAME_LENGTH))
        elif as_told_apart in seen:
            problems.append(rules.Problem.of("name_taken", seat, name=seen[as_told_apart]))
        seen.setdefault(as_told_apart, name)
    return tuple(problems)
