"""Lists as CSV, for spreadsheets: a line of names, then one a row."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from rest_framework.renderers import BaseRenderer

from scoresheets.formats.tables import safe_text

#: So many rows are in one file; a longer list goes on in the one that its `Link` header names.
MOST_ROWS = 10_000


class CsvRenderer(BaseRenderer):
    """Says that a list can be had as CSV; the view has written it already."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> str:
        return data


def csv_of(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return the rows as CSV with these columns: texts safe from becoming formulas, numbers as numbers.

    What is itself a list or a mapping stands there as JSON, nothing is an empty cell.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return value
        case datetime() | date():
            return value.isoformat()
        case str():
            return safe_text(value)
    return json.dumps(value, ensure_ascii=False, default=str, separators=(",", ":"))
