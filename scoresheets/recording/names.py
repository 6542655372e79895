"""Names as they are kept, told apart and refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import rules
from scoresheets.models.games import NAME_LENGTH
from scoresheets.names import folded, tidy_name

__all__ = ["folded", "name_problems", "pattern_of", "tidy_name"]


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
