"""An evening to be planned or changed, and what the page of an evening sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

import rules
from scoresheets import wording
from scoresheets.forms.fields import WholeNumberField
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.leagues import NOTE_LENGTH, PLACE_LENGTH
from scoresheets.recording import EveningPlan
from scoresheets.recording.names import tidy_name

#: How many evenings can be planned at once, and how many days apart.
TIMES = (1, 2, 3, 4, 6, 8, 10, 12, 20, 26, 52)
EVERY = (7, 14, 21, 28)


class EveningForm(forms.Form):
    """When and where an evening is, on the club's clock; `plan` is how it stands, or what is proposed."""

    day = forms.DateField(
        input_formats=["%Y-%m-%d", "%d.%m.%Y"],
        error_messages={"required": _("Choose a day."), "invalid": _("Choose a day, for example 2026-12-03.")},
    )
    time = forms.TimeField(
        input_formats=["%H:%M", "%H:%M:%S", "%H.%M"],
        error_messages={"required": _("Choose a time."), "invalid": _("Choose a time, for example 19:30.")},
    )
    place = forms.CharField(required=False)
    note = forms.CharField(required=False)
    counts = forms.BooleanField(required=False)

    #: Where each problem is shown; all others stand above the form.
    FIELD_OF: Mapping[str, str] = {
        "evening_day_out_of_range": "day",
        "evening_time_skipped": "time",
        "place_too_long": "place",
        "note_too_long": "note",
        "times_out_of_range": "times",
    }
    PLACE_LENGTH, NOTE_LENGTH = PLACE_LENGTH, NOTE_LENGTH

    def __init__(self, data: QueryDict | None = None, *, plan: EveningPlan) -> None:
        initial = {
            "day": plan.day.isoformat(),
            "time": f"{plan.time:%H:%M}",
            "place": plan.place,
            "note": plan.note,
            "counts": plan.counts,
        }
        super().__init__(data, initial=initial)

    @property
    def plan(self) -> EveningPlan:
        """The evening as entered, once the form is valid."""
        entered = self.cleaned_data
        return EveningPlan(entered["day"], entered["time"], entered["place"], entered["note"], entered["counts"])

    def refuse(self, error: rules.RulesError) -> None:
        """Hang what recording found wrong on the fields."""
        for problem in error.problems:
            self.add_error(self.FIELD_OF.get(problem.code), wording.problem_in_words(problem))


class NewEveningForm(EveningForm):
    """An evening to be planned, or several at the same time of the day, so many days apart."""

    times = WholeNumberField(required=False, initial=1)
    every = WholeNumberField(required=False, initial=7)

    @property
    def how_often(self) -> dict[str, int]:
        """How many evenings, and how many days apart."""
        entered = self.cleaned_data
        return {name: 1 if entered[name] is None else entered[name] for name in ("times", "every")}

    @property
    def numbers(self) -> list[tuple[int, bool]]:
        """The numbers of evenings to choose from, and which one is chosen."""
        return _choices(self, "times", TIMES)

    @property
    def intervals(self) -> list[tuple[int, str, bool]]:
        """What can be chosen as distance, in days and in words, and which one is."""
        return [(days, _weeks(days // 7), is_chosen) for days, is_chosen in _choices(self, "every", EVERY)]


def _choices(form: forms.Form, name: str, offered: tuple[int, ...]) -> list[tuple[int, bool]]:
    chosen = str(form[name].value())
    return [(number, str(number) == chosen) for number in offered]


def _weeks(weeks: int) -> str:
    return ngettext("every week", "every %(weeks)s weeks", weeks) % {"weeks": weeks}


class HereForm(forms.Form):
    """Who is here: `here` are ticked, `was` were ticked when the page was shown; and perhaps somebody new.

    Only what was changed on this page is sent on: another phone may have ticked others meanwhile.
    """

    newcomer = forms.CharField(required=False)
    NAME_LENGTH = NAME_LENGTH

    def __init__(self, data: QueryDict, *, listed: frozenset[int]) -> None:
        super().__init__(data)
        self.here = _ids(data, "here") & listed
        self.was = _ids(data, "was") & listed

    def clean_newcomer(self) -> str:
        return tidy_name(self.cleaned_data["newcomer"])

    @property
    def changed(self) -> dict[int, bool]:
        """Who has come or gone since the page was shown, by player id."""
        return {player: player in self.here for player in sorted(self.here ^ self.was)}

    @property
    def newcomers(self) -> list[str]:
        """The name of somebody new, if one was typed."""
        name = self.cleaned_data["newcomer"]
        return [name] if name else []

    def refuse(self, error: rules.RulesError) -> None:
        """Hang what recording found wrong on the name."""
        for problem in error.problems:
            self.add_error("newcomer", wording.problem_in_words(problem))


def _ids(data: QueryDict, name: str) -> frozenset[int]:
    typed = data.getlist(name)
    return frozenset(int(one) for one in typed if one.isascii() and one.isdigit() and len(one) <= 18)


class DrawForm(forms.Form):
    """How many tables there are at most; nothing for as many as it takes, 0 to place everybody by hand."""

    tables = WholeNumberField(required=False)


class MoveForm:
    """Who is moved where, of one sitting: several people to a table, or two change places.

    `moves` is what `recording.place_by_hand` takes. `where` says at which table each person of the sitting is, None for
    sitting out; whoever is not in it has no place yet.
    """

    NEW, OUT = "new", "out"

    def __init__(self, data: QueryDict, *, where: Mapping[int, int | None]) -> None:
        self.data, self.where = data, where

    @property
    def moves(self) -> dict[int, int | None]:
        if "swap" in self.data:
            return self._swap()
        to = self.data.get("to", "")
        table: int | None
        if to == self.NEW:
            table = 1 + max((number for number in self.where.values() if number is not None), default=0)
        elif to == self.OUT:
            table = None
        elif to.isascii() and to.isdigit() and len(to) <= 4:
            table = int(to)
        else:
            return {}
        return dict.fromkeys(sorted(_ids(self.data, "who")), table)

    def _swap(self) -> dict[int, int | None]:
        one, other = (next(iter(_ids(self.data, name)), None) for name in ("one", "other"))
        if one is None or other is None:
            return {}
        pairs: list[tuple[int, Any]] = [(one, self.where.get(other)), (other, self.where.get(one))]
        return dict(pairs)
