"""Files to be read, built in memory: texts and workbooks of rows, and workbooks of XML."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl

from scoresheets.imports.plain import Choices, FoundFile
from scoresheets.imports.reading import read

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
MEGABYTE = 1024 * 1024

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def found_in(data: bytes | str | Sequence[Sequence[Any]], name: str = "games.csv", **choices: Any) -> FoundFile:
    """Return what is read from bytes, a text in UTF-8, or rows as CSV."""
    if not isinstance(data, bytes | str):
        data = csv_of(data)
    content = data.encode() if isinstance(data, str) else data
    return read(content, name, now=NOW, time_zone=BERLIN, choices=Choices(**choices))


def csv_of(rows: Iterable[Sequence[Any]], delimiter: str = ";") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue()


def book_of(rows: Iterable[Sequence[Any]], title: str = "Wizard", *, texts: bool = False) -> bytes:
    """Return a workbook of one sheet as spreadsheets write it; `texts`: no cell becomes a formula."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    if texts:
        for cell in (cell for row in sheet.iter_rows() for cell in row if cell.data_type == "f"):
            cell.data_type = "s"
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def book_of_xml(cells: str, **parts: str) -> bytes:
    """Return a workbook whose one sheet holds this XML inside `sheetData`; `parts` are other parts, by their names."""
    sheet = f'<worksheet xmlns="{_MAIN}"><sheetData>{cells}</sheetData></worksheet>'
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}">'
        '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    links = (
        f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'
    )
    contents = {"workbook.xml": book, "_rels/workbook.xml.rels": links, "worksheets/sheet1.xml": sheet} | {
        f"{name}.xml": part for name, part in parts.items()
    }
    return zip_of({f"xl/{name}": part for name, part in contents.items()})


def zip_of(parts: dict[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


def told(problems: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return problems as code, row and column."""
    return [(problem.code, problem.args["row"], problem.args["column"]) for problem in problems]


def refusals(found: FoundFile) -> list[tuple[Any, ...]]:
    """Return the problems of all refused games as code, row and column."""
    return [place for game in found.refused for place in told(game.problems)]
