"""Where something was found in a file, and how what stands there is repeated."""

from __future__ import annotations

from dataclasses import replace

import rules
from scoresheets.names import tidy_name

_QUOTED = 40
"""So many characters of what cannot be read are repeated."""


def at(problem: rules.Problem, row: int, column: object = "") -> rules.Problem:
    """Return the problem with its place: a row and a column (a `FoundColumn`, its text, or "")."""
    return replace(problem, params=tuple((problem.args | {"row": row, "column": str(column)}).items()))


def quoted(value: object) -> str:
    """Return a value as it can be repeated in a sentence: short, in one line, without signs that hide others."""
    text = tidy_name(str(value)[: 4 * _QUOTED])
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
