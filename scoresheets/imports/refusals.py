"""What ends a reading: something that stands against the file as a whole."""

from __future__ import annotations

import rules
from scoresheets.imports.places import at


class Refused(Exception):
    """Raised inside the readers when a file cannot be read further; `read` answers with its problem."""

    def __init__(self, problem: rules.Problem, row: int = 0, column: object = "") -> None:
        super().__init__(problem.code)
        self.problem = at(problem, row, column)
