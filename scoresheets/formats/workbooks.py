"""Tables as XLSX workbooks: texts as text whatever they begin with, numbers as numbers, days as days.

Written out as the format has it: of a workbook of one sheet little is needed, and row by row it takes a tenth of the
time of a library that knows all the rest. Here is no way to write a formula, so none can slip in.
Source: ECMA-376 part 1, "SpreadsheetML"; of it only inline texts, numbers, six formats and one frozen row.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import IO

from scoresheets.formats.tables import Column, Value

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: Programs know twice as many (1,048,576), but few computers like to open them.
MOST_ROWS = 500_000
_TITLE_LENGTH = 31
#: What no sheet's title may have in it.
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")
#: What XML cannot hold at all.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: What programs read as the number of a character: the first sign is written as such a number itself.
_CHARACTER_NUMBER = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
#: What would become a formula as soon as somebody edits the cell.
_FORMULA = ("=", "+", "-", "@")
#: Days are counted from here on.
_FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001  (as on the wall: cells have no time zone)
_DAY_IN_SECONDS = 24 * 60 * 60

# The places of the formats in `_STYLES`.
_HEADING, _DAY, _MOMENT, _SHARE, _QUOTED = range(1, 6)


def write_workbook(file: IO[bytes], title: str, columns: Sequence[Column], rows: Iterable[Sequence[Value]]) -> None:
    """Write a table into the file as a workbook of one sheet with this title, row by row.

    The headings are bold and stay in sight; there may be `MOST_ROWS` below them.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as parts:
        for name, text in _PARTS.items():
            parts.writestr(name, text)
        parts.writestr("xl/workbook.xml", _WORKBOOK.format(title=_escaped(sheet_title(title))))
        with parts.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for piece in _sheet(columns, rows):
                sheet.write(piece.encode())


def sheet_title(text: str) -> str:
    """Return the text as a title that a sheet may have: 1 to 31 characters, none of those that programs refuse."""
    title = " ".join(_NOT_IN_TITLES.sub(" ", _NOT_IN_XML.sub(" ", text)).split())
    return title[:_TITLE_LENGTH].strip("' ") or "-"


def _sheet(columns: Sequence[Column], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    letters = [_letter(number) for number in range(len(columns))]
    widths = "".join(
        f'<col min="{number}" max="{number}" width="{column.width}" customWidth="1"/>'
        for number, column in enumerate(columns, start=1)
    )
    yield f"{_BEFORE_COLUMNS}<cols>{widths}</cols><sheetData>"
    headings = zip(letters, columns, strict=True)
    yield f'<row r="1">{"".join(_text(f"{letter}1", column.title, _HEADING) for letter, column in headings)}</row>'
    shares = [column.is_share for column in columns]
    for number, row in enumerate(rows, start=2):
        cells = (
            _cell(f"{letter}{number}", value, is_share)
            for letter, value, is_share in zip(letters, row, shares, strict=True)
            if value is not None and value != ""
        )
        yield f'<row r="{number}">{"".join(cells)}</row>'
    yield "</sheetData></worksheet>"


def _letter(number: int) -> str:
    """Return the letters of a column, 0: A, 25: Z, 26: AA."""
    first, last = divmod(number, 26)
    return (_letter(first - 1) if first else "") + chr(ord("A") + last)


def _cell(place: str, value: Value, is_share: bool) -> str:
    match value:
        case str():
            return _text(place, value, _QUOTED if value.startswith(_FORMULA) else 0)
        case datetime():
            return _number(place, (value - _FIRST_DAY).total_seconds() / _DAY_IN_SECONDS, _MOMENT)
        case date():
            return _number(place, (datetime.combine(value, time()) - _FIRST_DAY).days, _DAY)
        case float() if is_share:
            return _number(place, value, _SHARE)
        case int() | float():
            return f'<c r="{place}"><v>{value}</v></c>'
    raise TypeError(f"no cell holds {value!r}")


def _number(place: str, value: float, style: int) -> str:
    return f'<c r="{place}" s="{style}"><v>{value}</v></c>'


def _text(place: str, text: str, style: int) -> str:
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{_escaped(text)}</t></is></c>'


def _escaped(text: str) -> str:
    kept = _CHARACTER_NUMBER.sub("_x005F_", _NOT_IN_XML.sub("", text))
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_WORKBOOK = (
    f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">'
    '<sheets><sheet name="{title}" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
_BEFORE_COLUMNS = (
    f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
)
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="0.0%"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="6">'
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    # Built in: a day and a moment, which each program shows as its reader is used to.
    '<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="22" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>'
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
_PARTS = {
    "[Content_Types].xml": (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>'
    ),
    "xl/styles.xml": _STYLES,
}
