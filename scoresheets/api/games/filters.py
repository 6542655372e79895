"""What lists of games can be narrowed down by."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext_lazy as _
from django_filters import ChoiceFilter, Filter, FilterSet
from drf_spectacular.utils import extend_schema_field

from scoresheets.api.fields import MOST_ID
from scoresheets.api.schema import ID
from scoresheets.models import Game
from scoresheets.queries.games import games_with_player

_UNREADABLE = _("This parameter cannot be read.")


class _IdField(forms.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=MOST_ID, **options)


class _DayField(forms.Field):
    """A day in ISO 8601, whatever the language."""

    def to_python(self, value: Any) -> date | None:
        if not value:
            return None
        try:
            found = parse_date(value)
        except ValueError:
            found = None
        if found is None:
            raise ValidationError(_UNREADABLE)
        return found


class _MomentField(forms.Field):
    """A moment in ISO 8601 with its offset."""

    def to_python(self, value: Any) -> datetime | None:
        if not value:
            return None
        try:
            # A plus in an address is a space.
            found = parse_datetime(value.replace(" ", "+") if value[10:11] == "T" else value)
            if found is not None and found.tzinfo is not None:
                return found.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise ValidationError(_UNREADABLE)


class IdFilter(Filter):
    """Rows that have something with an id."""

    field_class = _IdField


class DayFilter(Filter):
    """Rows of days."""

    field_class = _DayField


class MomentFilter(Filter):
    """Rows of moments."""

    field_class = _MomentField


class _GameFilter(FilterSet):
    """What games can be narrowed down by."""

    class Meta:
        model = Game
        fields: tuple[str, ...] = ()

    def of_player(self, queryset: QuerySet, name: str, value: int) -> QuerySet:
        return games_with_player(queryset, value)

    def that_is_halted(self, queryset: QuerySet, name: str, value: str) -> QuerySet:
        return queryset.filter(halted="" if value == "no" else value)


def _day(lookup: str, help_text: str) -> Filter:
    made = DayFilter(field_name="night", lookup_expr=lookup, help_text=help_text)
    return extend_schema_field({"type": "string", "format": "date"})(made)


def _id(help_text: str, **options: Any) -> Filter:
    return extend_schema_field(ID)(IdFilter(help_text=help_text, **options))


#: Made by name, for `from` is a word of the language.
GameFilter = type(
    "GameFilter",
    (_GameFilter,),
    {
        "__doc__": _GameFilter.__doc__,
        "state": ChoiceFilter(
            choices=Game.State.choices, help_text="Only games whose open round waits for this, or finished ones."
        ),
        "halted": ChoiceFilter(
            choices=[("no", "no"), *[choice for choice in Game.Halted.choices if choice[0]]],
            method="that_is_halted",
            help_text="Only games that are interrupted so; `no` for those that are not. Without it voided games are "
            "left out, and only those.",
        ),
        "detail": ChoiceFilter(
            choices=Game.Detail.choices,
            help_text="Only games of which so much is known: all their `rounds`, or only the `results`.",
        ),
        "player": _id("Only games in which this player sat, or a duplicate of the same person.", method="of_player"),
        "evening": _id("Only games of this evening.", field_name="evening_id"),
        "from": _day("gte", "Only games of this night (`2026-03-14`) or later."),
        "to": _day("lte", "Only games of this night (`2026-03-14`) or earlier."),
        "finished_since": extend_schema_field({"type": "string", "format": "date-time"})(
            MomentFilter(
                field_name="finished_at",
                lookup_expr="gte",
                help_text="Only games finished at this moment (`2026-03-14T19:30:00Z`) or later.",
            )
        ),
    },
)
