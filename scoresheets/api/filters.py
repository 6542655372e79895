"""Filters of lists that take their values as strictly as bodies do: what is no value is refused, not overlooked."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django_filters import BooleanFilter, NumberFilter

from scoresheets.api.fields import MOST_ID


class _YesField(forms.NullBooleanField):
    widget = forms.TextInput

    def to_python(self, value: Any) -> bool | None:  # type: ignore[override]
        if value in (None, ""):
            return None
        if value not in ("true", "false"):
            raise forms.ValidationError(_("Write true or false."))
        return value == "true"


class YesFilter(BooleanFilter):
    """`true` or `false`."""

    field_class = _YesField


class IdFilter(NumberFilter):
    """The id of something."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, min_value=1, max_value=MOST_ID, **options)

    def get_max_validator(self) -> None:
        """There is nothing more to check than the range."""
        return
