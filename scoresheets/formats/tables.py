"""Tables as CSV for spreadsheets: what a column is, texts that never become formulas, and lines as they are sent."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

Value = str | int | float | date | datetime | None
"""What a cell holds; moments have no time zone: they are as the clock on the wall showed them."""

#: What a spreadsheet takes for the beginning of a formula, also as written in East Asia.
_FORMULA = re.compile(r"^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;,])(?=[=+\-@＝＋－＠])")
#: So many lines are sent together: single ones would each be compressed and sent for themselves.
_LINES_A_CHUNK = 500
#: Places behind the decimal sign, at most.
_PLACES = 4


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, its width in a workbook in characters, and whether its numbers are shares, 0 to 1."""

    title: str
    width: int = 10
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """How a language's spreadsheets write CSV: what parts cells, the decimal sign, and dates as `strftime` has them."""

    delimiter: str
    decimal: str
    day: str
    moment: str


#: By language. Excel opens a file by a double click only if it is written as the computer's own language does.
STYLES = {
    "de": Style(";", ",", "%d.%m.%Y", "%d.%m.%Y %H:%M:%S"),
    "en": Style(",", ".", "%Y-%m-%d", "%Y-%m-%d %H:%M:%S"),
}


def safe_text(text: str) -> str:
    """Return a text for a cell of CSV that no spreadsheet takes for a formula.

    A quote is put in front, which is what spreadsheets themselves use for "this is text"; also behind a separator
    inside the text, because a program that expects another one than the file has makes a cell of its own of the rest.
    """
    return _FORMULA.sub("'", text)


def csv_chunks(columns: Sequence[Column], rows: Iterable[Sequence[Value]], style: Style) -> Iterator[bytes]:
    """Yield a table as CSV in UTF-8, the headings first, some hundred lines at once."""
    # Without the mark in front Excel takes UTF-8 for the old Windows letters.
    yield ("\ufeff" + _lines([[column.title for column in columns]], style)).encode()
    following = iter(rows)
    while chunk := list(islice(following, _LINES_A_CHUNK)):
        yield _lines(chunk, style).encode()


def _lines(rows: Iterable[Sequence[Value]], style: Style) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=style.delimiter).writerows([_cell(value, style) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Value, style: Style) -> str | int:
    match value:
        case None:
            return ""
        case str():
            return safe_text(value)
        case int():
            return value
        case float():
            return f"{value:.{_PLACES}f}".rstrip("0").rstrip(".").replace(".", style.decimal)
        case datetime():
            return value.strftime(style.moment)
    return value.strftime(style.day)
