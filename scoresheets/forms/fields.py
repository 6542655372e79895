from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets import wording

#: Nobody has played before, and time zones have no end there.
FIRST_YEAR = 1900


def day_played(typed: str) -> datetime | None:
    """Return noon of the day of a game that was typed; None for today, as for no day at all.

    Raises `forms.ValidationError` for what is no day, or one to come.
    """
    if not typed:
        return None
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        day = date.min
    today = timezone.localdate()
    if day.year < FIRST_YEAR:
        raise forms.ValidationError(gettext("“%(value)s” is not a date.") % {"value": typed})
    if day > today:
        raise forms.ValidationError(wording.problem_in_words(rules.Problem.of("played_later")))
    return datetime.combine(day, time(12), tzinfo=timezone.get_current_timezone()) if day < today else None


class WholeNumberField(forms.IntegerField):
    """A whole number as a person types it. Says what it was given when that is none; range is the rules' business."""

    default_error_messages = {
        "required": _("A number is missing here."),
        "invalid": _("“%(value)s” is not a whole number."),
    }
    #: Longer input is no number of tricks, and Python refuses to read very long ones.
    MOST_CHARACTERS = 6

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str):
            value = value.strip()
            if len(value) > self.MOST_CHARACTERS:
                raise self._invalid(value[: self.MOST_CHARACTERS] + "…")
        try:
            return super().to_python(value)
        except forms.ValidationError as error:
            raise self._invalid(value) from error

    def _invalid(self, value: Any) -> forms.ValidationError:
        return forms.ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})
