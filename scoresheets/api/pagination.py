"""Lists in pages that stay in step while rows come and go: each page says from which row on to read."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils.dateparse import parse_date, parse_datetime

from scoresheets.api.fields import MOST_ID
from scoresheets.api.problems import refusal

PAGE_SIZE = 50
MOST_ROWS = 200
#: The name under which a row carries where it stands.
PLACE = "page_place"


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and "\0" not in value else None


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_ID else None


def _moment(value: Any) -> datetime | None:
    found = parse_datetime(value) if isinstance(value, str) else None
    return found if found is not None and found.tzinfo is not None else None


def _day(value: Any) -> date | None:
    return parse_date(value) if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Order:
    """An order of a list: by an expression over its rows that is never null, then by id the same way.

    `read` makes the expression's value of what a cursor says, None of what it cannot say. `ids` is the field that is
    unique in the list.
    """

    by: str | Combinable
    read: Callable[[Any], Any] = _text
    descending: bool = False
    ids: str = "pk"

    @classmethod
    def text(cls, by: str | Combinable, **options: Any) -> Order:
        return cls(by, _text, **options)

    @classmethod
    def number(cls, by: str | Combinable, **options: Any) -> Order:
        return cls(by, _number, **options)

    @classmethod
    def moment(cls, by: str | Combinable, **options: Any) -> Order:
        return cls(by, _moment, **options)

    @classmethod
    def day(cls, by: str | Combinable, **options: Any) -> Order:
        return cls(by, _day, **options)


@dataclass(frozen=True, slots=True)
class Cursor:
    """From which row on a page reads: forward behind it, or backward before it."""

    order: str
    backward: bool
    place: Any
    row_id: int

    def __str__(self) -> str:
        place = self.place.isoformat() if isinstance(self.place, date) else self.place
        text = json.dumps([self.order, int(self.backward), place, self.row_id], separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def of(cls, text: str, name: str, order: Order) -> Cursor:
        """Return what a cursor's text says. Raises `Refused` for one that was not made for this order."""
        try:
            padded = text.encode("ascii") + b"=" * (-len(text) % 4)
            said = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
            made_for, backward, place, row_id = said
            read, row = order.read(place), _number(row_id)
            if made_for == name and backward in (0, 1) and read is not None and row is not None:
                return cls(name, bool(backward), read, row)
        except (UnicodeError, binascii.Error, ValueError, TypeError, RecursionError):
            pass
        raise refusal(400, "cursor_unknown", field="cursor")


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a list in its order, and the cursors of the pages before and behind it."""

    rows: Sequence[Any]
    previous: Cursor | None
    next: Cursor | None


def page_of(rows: QuerySet, name: str, order: Order, *, size: int, cursor: str | None = None) -> Page:
    """Return one page of a list (1 statement). `rows` may be of models or of `.values()` that have an `id`."""
    start = Cursor.of(cursor, name, order) if cursor else None
    backward = start is not None and start.backward
    by = F(order.by) if isinstance(order.by, str) else order.by
    rows = rows.annotate(**{PLACE: by})
    falls = order.descending != backward
    if start is not None:
        later = "lt" if falls else "gt"
        behind = Q(**{f"{PLACE}__{later}": start.place}) | Q(
            **{PLACE: start.place, f"{order.ids}__{later}": start.row_id}
        )
        rows = rows.filter(behind)
    sign = "-" if falls else ""
    found = _read(rows.order_by(f"{sign}{PLACE}", f"{sign}{order.ids}")[: size + 1])
    goes_on, found = len(found) > size, found[:size]
    if backward:
        found.reverse()
    if not found:
        return Page((), None, None)
    has_before, has_behind = (goes_on, True) if backward else (start is not None, goes_on)
    return Page(
        found,
        previous=_cursor(name, order, found[0], backward=True) if has_before else None,
        next=_cursor(name, order, found[-1], backward=False) if has_behind else None,
    )


def _read(rows: QuerySet) -> list[Any]:
    """Return the rows; of a list of ids alone only the first and the last carry where they stand.

    Of the others nobody asks it, and making a moment of each would take a tenth of the time of an answer.
    """
    if rows.query.values_select != ("id",):
        return list(rows)
    try:
        statement, values = rows.query.sql_with_params()
    except EmptyResultSet:
        return []
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        stored = cursor.fetchall()
    found: list[dict[str, Any]] = [{"id": row_id} for row_id, *_place in stored]
    # The one behind the last says that there are more.
    for place in {0, len(stored) - 2, len(stored) - 1} & set(range(len(stored))):
        found[place][PLACE] = _converted(stored[place][-1], rows.query.annotations[PLACE])
    return found


def _converted(stored: Any, expression: Any) -> Any:
    converters = [*connection.ops.get_db_converters(expression), *expression.get_db_converters(connection)]
    for convert in converters:
        stored = convert(stored, expression, connection)
    return stored


def _cursor(name: str, order: Order, row: Any, *, backward: bool) -> Cursor:
    if isinstance(row, Mapping):
        return Cursor(name, backward, row[PLACE], row["id" if order.ids == "pk" else order.ids])
    return Cursor(name, backward, getattr(row, PLACE), getattr(row, order.ids))
