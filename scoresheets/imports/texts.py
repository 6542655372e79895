"""Tables in text files: which encoding, which delimiter, and the lines."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

import rules
from scoresheets.imports.plain import MOST_COLUMNS, MOST_ROWS
from scoresheets.imports.refusals import Refused
from scoresheets.imports.tables import HEADER_WITHIN, Line, best_header, filled

DELIMITERS: tuple[str, ...] = (";", ",", "\t")
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""What a text may begin with to say its encoding; that of UTF-32 begins with that of UTF-16."""
_LONGEST_CELL = 10_000


class FoundText(NamedTuple):
    """A text and the encoding it is in."""

    text: str
    encoding: str


def decoded(data: bytes) -> FoundText:
    """Return the text of a file: by its byte order mark, else UTF-8 if it is that, else Windows-1252.

    Raises `Refused`: `encoding_unknown`, `nul_bytes`.
    """
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "")
    for candidate in [encoding] if encoding else ["utf-8", "cp1252"]:
        try:
            text = data.decode(candidate)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise Refused(rules.Problem.of("nul_bytes"), text.count("\n", 0, text.index("\0")) + 1)
        return FoundText(text, candidate)
    raise Refused(rules.Problem.of("encoding_unknown"))


def delimiter_of(text: str, *, has_day: bool) -> str:
    """Return the delimiter that makes the best header of the first lines, the one with more columns among equals.

    A first line "sep=;" says it outright, as spreadsheets write it.
    """
    if text[:4].lower() == "sep=" and text[4:5] in DELIMITERS:
        return text[4]

    def quality(delimiter: str) -> tuple[bool, int, int]:
        lines: list[Line] = []
        try:
            for line in filled(lines_of(text, delimiter)):
                lines.append(line)
                if len(lines) == HEADER_WITHIN:
                    break
        except Refused as refused:
            # What is above counts all the same. A line of far too many cells is itself what has to be said.
            if not lines and refused.problem.code == "too_many_columns":
                return (False, 0, MOST_COLUMNS)
        header = best_header(lines, has_day=has_day)
        return (False, 0, 0) if header is None else (not header.problems, header.known, len(header.columns))

    return max(DELIMITERS, key=quality)


def lines_of(text: str, delimiter: str) -> Iterator[Line]:
    """Yield the lines of a text, numbered as a spreadsheet would: a quoted cell of several lines is one.

    Raises `Refused`: `quote_open`, `cell_too_long`, `too_many_columns`, `too_many_rows`.
    """
    reader = csv.reader(_not_too_wide(io.StringIO(text, newline=""), delimiter), delimiter=delimiter, strict=True)
    row = 0
    while True:
        row += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            # The module tells its errors apart by their English words alone; any other is a quote at a wrong place.
            code = rules.Problem.of("cell_too_long") if "field larger" in str(error) else rules.Problem.of("quote_open")
            raise Refused(code, row) from None
        if row > MOST_ROWS:
            raise Refused(rules.Problem.of("too_many_rows", most=MOST_ROWS), row)
        if row == 1 and len(cells) <= 2 and cells and cells[0].lower() in {"sep=", f"sep={delimiter}"}:
            continue
        while cells and not cells[-1]:
            cells.pop()
        if len(cells) > MOST_COLUMNS:
            raise Refused(rules.Problem.of("too_many_columns", columns=len(cells), most=MOST_COLUMNS), row)
        yield row, cells


def _not_too_wide(lines: io.StringIO, delimiter: str) -> Iterator[str]:
    """Yield the lines of a file, none so wide that its cells alone would fill the memory."""
    for number, line in enumerate(lines, start=1):
        if len(line) > _LONGEST_CELL and (columns := line.count(delimiter) + 1) > 10 * MOST_COLUMNS:
            raise Refused(rules.Problem.of("too_many_columns", columns=columns, most=MOST_COLUMNS), number)
        yield line
