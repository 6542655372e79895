"""Bare results as they are typed: names with their points, and when they were played; and the points corrected."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict

import rules
from scoresheets import wording
from scoresheets.forms.corrections import ProblemsForm, ReasonField, SignedNumberField
from scoresheets.forms.fields import day_played
from scoresheets.models import Evening
from scoresheets.queries.blocks import Sheet
from scoresheets.queries.corrections import Preview, results_preview
from scoresheets.recording import Conflict
from scoresheets.recording.names import tidy_name
from scoresheets.recording.results import points_problems, ranks_of, results_problems

MOST_NAMES = rules.MOST_PLAYERS
#: More than any name, number or day is long; what is typed beyond it is cut off.
MOST_NAME, MOST_NUMBER = 200, 20

_POINTS = SignedNumberField()


class ResultsEntry:
    """The results of a game as typed, judged by the rules. Nothing is written, and nothing typed is lost.

    `names` and `points` are the six lines of the form as typed, `places` those in which something stands. `errors` are
    sentences by field: "name0", "points0", "names", "played_on", "evening". `evenings` are those that can be chosen.
    `complete` asks for everything that recording needs: what saving does, and looking does not.
    """

    def __init__(
        self, data: QueryDict | None = None, evenings: Sequence[Evening] = (), *, complete: bool = False
    ) -> None:
        data = QueryDict() if data is None else data
        self.names = _lines([tidy_name(name)[:MOST_NAME] for name in data.getlist("name")])
        self.points = _lines([points.strip()[:MOST_NUMBER] for points in data.getlist("points")])
        self.played_on = data.get("played_on", "").strip()[:MOST_NUMBER]
        self.evening_id = data.get("evening", "")
        self._rename(*data.get("instead", "").partition(":")[::2])
        self.places = [place for place in range(MOST_NAMES) if self.names[place] or self.points[place]]
        self.errors: dict[str, list[str]] = {}
        self.evenings = evenings
        self.evening = self._evening()
        self.played_at = self._played_at()
        self._numbers = self._read_points(complete=complete)
        self._judge(complete=complete)

    def _rename(self, place: str, name: str) -> None:
        """Put another name in a place: somebody who was meant by the one there."""
        if place in {str(number) for number in range(MOST_NAMES)} and name:
            self.names[int(place)] = tidy_name(name)[:MOST_NAME]

    def _evening(self) -> Evening | None:
        chosen = next((evening for evening in self.evenings if str(evening.pk) == self.evening_id), None)
        if self.evening_id and chosen is None:
            self.evening_id = ""
            self.errors["evening"] = [wording.conflict_in_words(Conflict("evening_unknown"))]
        return chosen

    def _played_at(self) -> datetime | None:
        """Return when it was played: on the day typed or, without one, when the evening chosen began."""
        try:
            typed = day_played(self.played_on)
        except forms.ValidationError as error:
            self.errors["played_on"] = list(error.messages)
            return None
        if self.played_on or self.evening is None or self.evening.is_open:
            return typed
        return self.evening.starts_at

    def _read_points(self, *, complete: bool) -> dict[int, int]:
        numbers = {}
        for place in self.places:
            try:
                numbers[place] = _POINTS.clean(self.points[place])
            except forms.ValidationError as error:
                if complete or self.points[place]:
                    self.errors[f"points{place}"] = list(error.messages)
        return numbers

    def _judge(self, *, complete: bool) -> None:
        # Where a number is missing, it has its sentence already, and 0 has nothing against it.
        points = [self._numbers.get(place, 0) for place in self.places]
        problems = results_problems(self.people, points, played_at=self.played_at)
        self.add_problems([problem for problem in problems if complete or problem.code != "players"])

    @property
    def people(self) -> list[str]:
        """The names of the lines in which something stands, in their order; "" where only points do."""
        return [self.names[place] for place in self.places]

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong with what is there."""
        return not self.errors

    @property
    def ranking(self) -> list[tuple[int, str, int]]:
        """The place, name and points of everybody, the best first; [] while a number is missing or wrong."""
        if not self.is_right or len(self._numbers) < len(self.places) or not self.places:
            return []
        points = [self._numbers[place] for place in self.places]
        return sorted(zip(ranks_of(points), self.people, points, strict=True), key=lambda line: line[0])

    def add_problems(self, problems: Sequence[rules.Problem]) -> None:
        """Show each problem at its field; seats count among the lines in which something stands."""
        for problem in problems:
            at = "names" if problem.seat is None else f"{_field_of(problem)}{self.places[problem.seat]}"
            self.errors.setdefault(at, []).append(wording.problem_in_words(problem, self.people))

    def record_arguments(self) -> dict[str, Any]:
        """Return the arguments of `recording.record_results` apart from club, players, actor and key; all is right."""
        return {
            "names": self.people,
            "points": [self._numbers[place] for place in self.places],
            "played_at": self.played_at,
        }


def _lines(typed: Sequence[str]) -> list[str]:
    return [*typed[:MOST_NAMES], *[""] * (MOST_NAMES - len(typed))]


def _field_of(problem: rules.Problem) -> str:
    return "points" if problem.code.startswith("points_") else "name"


class CorrectResultsForm(ProblemsForm):
    """The points of a game as they should have been. Always bound: filled with those there it changes nothing.

    Fields: `points_<seat id>` and `reason`. `preview` is there if the points are without a problem.
    """

    def __init__(self, data: Mapping[str, Any] | QueryDict, sheet: Sheet) -> None:
        super().__init__(data)
        self.sheet, self.seats = sheet, sheet.seats
        self.names = [seat.name for seat in sheet.seats]
        self.preview: Preview | None = None
        for seat in sheet.seats:
            self.fields[_name_of(seat.pk)] = SignedNumberField()
        self.fields["reason"] = ReasonField()

    def clean(self) -> dict[str, Any] | None:
        """Judge the points by the rules, once they are all there."""
        if self.fits:
            self.add_problems(points_problems(self.points), self.names)
        if self.fits:
            self.preview = results_preview(self.sheet, self.points)
        return super().clean()

    @property
    def points(self) -> list[int]:
        """The points of each seat as entered; they are all there."""
        return [self.cleaned_data[_name_of(seat.pk)] for seat in self.seats]

    @property
    def fits(self) -> bool:
        """Whether the points are without a problem, whatever is wrong with the reason."""
        return not set(self.errors) - {"reason"}

    @property
    def is_changed(self) -> bool:
        """Whether the points are others than those there; only for ones that fit."""
        return self.points != [seat.starting for seat in self.seats]

    @property
    def reason(self) -> str:
        """The reason as it is kept."""
        reason: str = self.cleaned_data.get("reason", "")
        return reason

    @property
    def digest(self) -> str:
        """What tells these points from others: saving must mean those that were looked at."""
        values = json.dumps([self.points, [seat.starting for seat in self.seats]])
        return hashlib.sha256(values.encode()).hexdigest()[:16]

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem of the points or of the reason."""
        if problem.seat is not None:
            return _name_of(self.seats[problem.seat].pk)
        return "reason" if problem.code.startswith("reason_") else None


def _name_of(seat: int) -> str:
    return f"points_{seat}"


def fields_of(points: Mapping[Any, int]) -> dict[str, str]:
    """Return the fields of a `CorrectResultsForm` that hold these points, given by seat id, as entries hold them."""
    return {_name_of(seat): wording.plain(own) for seat, own in points.items()}
