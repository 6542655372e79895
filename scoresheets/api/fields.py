"""What goes in and out, field by field. What goes in is taken as it is meant: a text is no number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

#: No id is longer, and no database takes a longer number.
MOST_ID = 10**18 - 1
MOST_POINTS = 2**31 - 1

UNKNOWN_FIELD = _("This field is not known here.")


class Answer(serializers.Serializer):
    """What an operation answers. It is there for the schema: answers are put together by plain functions."""


class Shape(serializers.Serializer):
    """What an operation takes. Every field it does not know is refused, so that no typing error passes unnoticed."""

    def to_internal_value(self, data: Any) -> Any:
        problems: dict[str, Any] = {}
        if isinstance(data, Mapping):
            known = {field.field_name for field in self._writable_fields}
            unknown = [str(name) for name in data if name not in known]
            problems = {name: [ErrorDetail(str(UNKNOWN_FIELD), "unknown_field")] for name in unknown}
        try:
            found = super().to_internal_value(data)
        except ValidationError as error:
            found_wrong: Any = error.detail
            raise ValidationError({**found_wrong, **problems}) from None
        if problems:
            raise ValidationError(problems)
        return found


def several(of: Any, most: int, **options: Any) -> Any:
    """Return a field for a list of at most so many of these shapes."""
    return of(many=True, max_length=most, **options)


class Text(serializers.CharField):
    """A text; "" is one, and white space stays. `most` is its greatest length in characters."""

    def __init__(self, *, most: int | None = None, **options: Any) -> None:
        super().__init__(max_length=most, **{"allow_blank": True, "trim_whitespace": False, **options})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number from `least` to `most`."""

    def __init__(self, *, least: int | None = None, most: int | None = None, **options: Any) -> None:
        super().__init__(min_value=least, max_value=most, **options)

    def to_internal_value(self, data: Any) -> int:
        # JSON knows one kind of number: 3.0 is 3.
        is_whole = isinstance(data, int) or (isinstance(data, float) and data.is_integer())
        if isinstance(data, bool) or not is_whole:
            self.fail("invalid")
        return super().to_internal_value(int(data))


class Points(Whole):
    """Points, which may be negative: as many as a database column takes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(least=-MOST_POINTS, most=MOST_POINTS, **options)


class Id(Whole):
    """The id of something."""

    def __init__(self, **options: Any) -> None:
        super().__init__(least=1, most=MOST_ID, **options)


class Yes(serializers.BooleanField):
    """True or false, nothing that looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    """One of some texts."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) and not (data is None and self.allow_null):
            self.fail("invalid_choice", input=data)
        found: Any = data
        return super().to_internal_value(found)


class Moment(serializers.DateTimeField):
    """A moment in ISO 8601 with its offset: `2026-03-14T19:30:00+01:00`."""

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str):
            self.fail("invalid", format="ISO 8601")
        return super().to_internal_value(value)

    def enforce_timezone(self, value: Any) -> Any:
        if value.tzinfo is None:
            self.fail("invalid", format="ISO 8601 with an offset")
        return super().enforce_timezone(value)


class Day(serializers.DateField):
    """A day: `2026-03-14`."""

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DD")
        return super().to_internal_value(value)


class Json(serializers.JSONField):
    """Any JSON, for what has a schema of its own."""
