"""Lists whose order only their query knows: read from one of their rows on, by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from rest_framework.response import Response

from scoresheets.api import csv
from scoresheets.api.pagination import Cursor, Order
from scoresheets.api.problems import refusal
from scoresheets.api.views import Body, View

#: What their cursors are made for.
_NUMBER = "number"
_ORDER = Order.number(_NUMBER)


class NumberedView(View):
    """An address that can answer with such a list."""

    def numbered(
        self, fetch: Callable[[int, int], Sequence[Any]], read: Callable[[Any], Body]
    ) -> Response | HttpResponse:
        """Answer with a page of a list, or all of it as CSV.

        `fetch(start, most)` returns at most so many rows from the row `start` on (0: the first), `read` makes the
        answer of one.
        """
        size, start = self._page_size(), self._start()
        is_csv = self.request.accepted_renderer.format == "csv"
        most = csv.MOST_ROWS if is_csv else size
        rows = fetch(start, most + 1)
        found = [read(row) for row in rows[:most]]
        following = self._address_from(start + most) if len(rows) > most else None
        if is_csv:
            return self.csv_answer(found, following)
        previous = self._address_from(max(0, start - size)) if start else None
        return Response({"next": following, "previous": previous, "results": found})

    def _start(self) -> int:
        text = self.request.query_params.get("cursor")
        cursor = Cursor.of(text, _NUMBER, _ORDER) if text else None
        if cursor is not None and cursor.place < 0:
            raise refusal(400, "cursor_unknown", field="cursor")
        return cursor.place if cursor is not None else 0

    def _address_from(self, start: int) -> str | None:
        return self._address_of(Cursor(_NUMBER, False, start, 0))
