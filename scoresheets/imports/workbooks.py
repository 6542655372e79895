"""Tables in workbooks (XLSX): only values are read, cell by cell; formulas, macros and links are never followed.

The archive is measured before anything is unpacked, and unpacked in pieces that are counted.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime
from posixpath import normpath
from typing import Any, NamedTuple, NoReturn
from xml.sax import SAXException
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

import rules
from scoresheets.imports.columns import letter_of
from scoresheets.imports.plain import MOST_COLUMNS, MOST_ROWS
from scoresheets.imports.refusals import Refused
from scoresheets.imports.tables import Line
from scoresheets.imports.values import Value, is_empty

MOST_UNPACKED = 64 * 1024 * 1024
"""The parts of a workbook that are read may together unpack to so many bytes."""
_MOST_RATIO = 200
"""No honest part of a workbook shrinks to less than one in so many; a bomb does to one in a thousand."""
_ANY_RATIO = 1024 * 1024
_MOST_PARTS = 2_000
_LONGEST_CELL = 32_767
_PIECE = 64 * 1024
_WORKBOOK = "xl/workbook.xml"

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    NotImplementedError,  # a way of packing that the library does not know
    SAXException,
    DefusedXmlException,
    OverflowError,
    ValueError,  # a place before the beginning of the file, a name that is no text
    struct.error,
)
"""All that reading an archive of XML can end in when it is not what it should be."""


class _Sheet(NamedTuple):
    title: str
    path: str
    is_visible: bool


class Workbook:
    """An XLSX file, opened; `titles` are those of its worksheets that can be seen.

    Raises `Refused` at once for what is none: `workbook_broken`, `workbook_encrypted`, `workbook_too_large`,
    `file_type_wrong`.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            self._unpacked = 0
            self._check_archive()
            self._sheets = self._read_sheets()
            self._strings = self._read_strings()
            self._dates = self._read_date_styles()
        except _BROKEN:
            raise Refused(rules.Problem.of("workbook_broken")) from None
        self.titles = tuple(sheet.title for sheet in self._sheets if sheet.is_visible)

    def lines(self, title: str) -> Iterator[Line]:
        """Yield the lines of a worksheet, lines without cells left out, each without empty cells at its end.

        Raises `Refused`: `workbook_broken`, `workbook_too_large`, `formula_without_value`, `cell_has_error`,
        `too_many_rows`, `too_many_columns`.
        """
        path = next(sheet.path for sheet in self._sheets if sheet.title == title and sheet.is_visible)
        handler = _Cells(self._strings, self._dates, self._epoch)
        try:
            for _piece in self._parsed(path, handler):
                yield from handler.taken()
        except _BROKEN:
            raise Refused(rules.Problem.of("workbook_broken")) from None

    # -- the archive

    def _check_archive(self) -> None:
        parts = self._archive.infolist()
        names = {part.filename for part in parts}
        if any(part.flag_bits & 1 for part in parts):
            raise Refused(rules.Problem.of("workbook_encrypted"))
        if _WORKBOOK not in names:
            raise Refused(rules.Problem.of("file_type_wrong", found=_kind_of(names)))
        if len(parts) > _MOST_PARTS or len(names) < len(parts) or any(map(_is_bomb, parts)):
            raise Refused(rules.Problem.of("workbook_too_large", most=MOST_UNPACKED // 1024**2))

    def _pieces(self, path: str) -> Iterator[bytes]:
        with self._archive.open(path) as part:
            while piece := part.read(_PIECE):
                self._unpacked += len(piece)
                if self._unpacked > MOST_UNPACKED:
                    raise Refused(rules.Problem.of("workbook_too_large", most=MOST_UNPACKED // 1024**2))
                yield piece

    def _parsed(self, path: str, handler: ContentHandler) -> Iterator[None]:
        """Give a part to a handler, piece by piece."""
        parser = DefusedExpatParser(forbid_dtd=True)
        parser.setContentHandler(handler)
        for piece in self._pieces(path):
            parser.feed(piece)
            yield
        parser.close()
        yield

    def _parse(self, path: str, handler: ContentHandler) -> None:
        for _piece in self._parsed(path, handler):
            pass

    # -- the parts that say what the cells mean

    def _read_sheets(self) -> list[_Sheet]:
        book, links = _Elements(), _Elements()
        self._parse(_WORKBOOK, book)
        self._parse("xl/_rels/workbook.xml.rels", links)
        targets = {own.get("Id", ""): own.get("Target", "") for name, own in links.found if name == "Relationship"}
        self._epoch = CALENDAR_WINDOWS_1900
        sheets = []
        for name, own in book.found:
            if name == "workbookPr" and own.get("date1904") in {"1", "true"}:
                self._epoch = CALENDAR_MAC_1904
            elif name == "sheet":
                target = targets.get(own.get("id", ""), "")
                path = target.lstrip("/") if target.startswith("/") else normpath(f"xl/{target}")
                if "worksheets/" in path:
                    sheets.append(_Sheet(own.get("name", ""), path, own.get("state", "visible") == "visible"))
        return sheets

    def _read_strings(self) -> list[str]:
        handler = _Strings()
        if "xl/sharedStrings.xml" in self._archive.namelist():
            self._parse("xl/sharedStrings.xml", handler)
        return handler.found

    def _read_date_styles(self) -> frozenset[int]:
        """Return the styles whose numbers are days."""
        handler = _Elements()
        if "xl/styles.xml" not in self._archive.namelist():
            return frozenset()
        self._parse("xl/styles.xml", handler)
        formats = dict(BUILTIN_FORMATS)
        styles, in_cells = [], False
        for name, own in handler.found:
            if name == "numFmt":
                formats[_int(own.get("numFmtId"))] = own.get("formatCode", "")
            elif name in {"cellXfs", "cellStyleXfs", "cellStyles", "dxfs"}:
                in_cells = name == "cellXfs"
            elif name == "xf" and in_cells:
                styles.append(_int(own.get("numFmtId")))
        return frozenset(
            style for style, number in enumerate(styles) if is_date_format(formats.get(number, "")[:255] or None)
        )


def _is_bomb(part: zipfile.ZipInfo) -> bool:
    if part.file_size > MOST_UNPACKED:
        return part.filename.endswith((".xml", ".rels"))  # pictures are never unpacked
    return part.file_size > _ANY_RATIO and part.file_size > _MOST_RATIO * max(part.compress_size, 1)


def _kind_of(names: set[str]) -> str:
    if "xl/workbook.bin" in names:
        return "XLSB"
    if "word/document.xml" in names:
        return "DOCX"
    if "content.xml" in names:
        return "ODS"
    return "ZIP"


def _int(text: str | None) -> int:
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else 0


class _Elements(ContentHandler):
    """Collects every element of a small part: its name and its attributes, both without their prefix."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def startElement(self, name: str, attrs: Any) -> None:
        if len(self.found) >= MOST_ROWS:
            raise Refused(rules.Problem.of("workbook_too_large", most=MOST_UNPACKED // 1024**2))
        self.found.append((_bare(name), {_bare(key): value for key, value in attrs.items()}))


class _Strings(ContentHandler):
    """Collects the texts that cells share, each put together from its parts; how they are pronounced is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._parts: list[str] = []
        self._in_text = False
        self._spoken = 0

    def startElement(self, name: str, attrs: Any) -> None:
        name = _bare(name)
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._spoken += 1
        self._in_text = name == "t" and not self._spoken

    def characters(self, content: str) -> None:
        if self._in_text:
            self._parts.append(content)

    def endElement(self, name: str) -> None:
        name = _bare(name)
        self._in_text = False
        if name == "rPh":
            self._spoken -= 1
        elif name == "si":
            self.found.append("".join(self._parts)[:_LONGEST_CELL])


class _Cells(ContentHandler):
    """Collects the lines of a worksheet; `taken` hands over those that are complete."""

    def __init__(self, strings: list[str], dates: frozenset[int], epoch: datetime) -> None:
        super().__init__()
        self._strings, self._dates, self._epoch = strings, dates, epoch
        self._lines: list[Line] = []
        self._days: dict[float, Value] = {}
        self._row = 0
        self._cells: list[Value] = []
        self._column = -1
        self._type, self._style = "", 0
        self._has_formula = False
        self._parts: list[str] = []
        self._in_value = False
        self._spoken = 0

    def taken(self) -> list[Line]:
        """Return the lines since the last time."""
        lines, self._lines = self._lines, []
        return lines

    def startElement(self, name: str, attrs: Any) -> None:
        name = _bare(name)
        if name == "c":
            self._column = self._column_of(attrs.get("r"))
            self._type, self._style = attrs.get("t", "n"), _int(attrs.get("s"))
            self._has_formula, self._parts = False, []
        elif name == "row":
            self._row = _int(attrs.get("r")) or self._row + 1
            self._cells, self._column = [], -1
            if self._row > MOST_ROWS:
                raise Refused(rules.Problem.of("too_many_rows", most=MOST_ROWS), self._row)
        elif name == "f":
            self._has_formula = True
        elif name == "rPh":
            self._spoken += 1
        self._in_value = name == "v" or (name == "t" and not self._spoken)

    def characters(self, content: str) -> None:
        if self._in_value:
            self._parts.append(content)

    def endElement(self, name: str) -> None:
        name = _bare(name)
        self._in_value = False
        if name == "c":
            value = self._value("".join(self._parts)[:_LONGEST_CELL])
            if not is_empty(value):
                self._cells += [None] * (self._column + 1 - len(self._cells))
                self._cells[self._column] = value
        elif name == "rPh":
            self._spoken -= 1
        elif name == "row" and self._cells:
            self._lines.append((self._row, self._cells))

    def _column_of(self, reference: str | None) -> int:
        """Return the column of a cell, from 0; a cell without a reference follows the one before."""
        letters = (reference or "").rstrip("0123456789")
        if not reference:
            column = self._column + 1
        elif re.fullmatch("[A-Z]{1,3}", letters):
            column = 0
            for letter in letters:
                column = 26 * column + ord(letter) - ord("A") + 1
            column -= 1
        else:
            raise Refused(rules.Problem.of("workbook_broken"), self._row)
        if column >= MOST_COLUMNS:
            raise Refused(rules.Problem.of("too_many_columns", columns=column + 1, most=MOST_COLUMNS), self._row)
        return column

    def _value(self, text: str) -> Value:
        if not text:
            if self._has_formula and self._type != "str":
                self._refuse(rules.Problem.of("formula_without_value"))
            return None
        if self._type == "s":
            index = _int(text)
            return self._strings[index] if index < len(self._strings) else self._refuse_broken()
        if self._type in {"str", "inlineStr"}:
            return text
        if self._type == "b":
            return text == "1"
        if self._type == "e":
            self._refuse(rules.Problem.of("cell_has_error", typed=text[:20]))
        if self._type == "d":
            return text.replace("T", " ")
        return self._number(text)

    def _number(self, text: str) -> Value:
        try:
            number = float(text)
        except ValueError:
            return self._refuse_broken()
        if self._style in self._dates:
            if number not in self._days:
                self._days[number] = self._day(number, text)
            return self._days[number]
        return int(number) if number.is_integer() and abs(number) < 1e15 else number

    def _day(self, number: float, text: str) -> Value:
        try:
            day = from_excel(number, self._epoch)
        except (ValueError, OverflowError, TypeError):
            return text  # said of its column, where a day is needed
        return day if isinstance(day, date) else str(day)

    def _refuse(self, problem: rules.Problem) -> NoReturn:
        raise Refused(problem, self._row, letter_of(self._column))

    def _refuse_broken(self) -> NoReturn:
        self._refuse(rules.Problem.of("workbook_broken"))


def _bare(name: str) -> str:
    return name.rpartition(":")[2] if ":" in name else name
