from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


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
