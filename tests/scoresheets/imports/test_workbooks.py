"""Workbooks: values of every kind of cell, and workbooks that are broken, locked or made to do harm."""

from __future__ import annotations

import io
import time
import zipfile
from datetime import date, datetime

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.imports.layouts import example_rows
from scoresheets.imports.plain import MOST_ROWS
from tests.rules.games import PROPERTY
from tests.scoresheets.imports.files import (
    MEGABYTE,
    book_of,
    book_of_xml,
    csv_of,
    found_in,
    refusals,
    told,
    zip_of,
)

ROWS = [["Datum", "Spieler", "Punkte"], *(["1.1.2020", name, 5] for name in ("Anna", "Ben", "Cem"))]
SMALL = book_of(ROWS)


def saved(book) -> bytes:
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def with_changes(data: bytes, **changes: bytes | None) -> bytes:
    """Return a workbook with parts replaced, by the name of their file, or left out (None)."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name in [*parts]:
        key = name.rpartition("/")[2].partition(".")[0]
        if key in changes and (part := changes[key]) is not None:
            parts[name] = part
        elif key in changes:
            del parts[name]
    return zip_of(parts)


def test_days_numbers_and_texts_come_as_they_are_shown():
    rows = [
        ["Datum", "Spieler", "Punkte"],
        [datetime.combine(date(2020, 1, 1), datetime.min.time()), "Anna", 120],
        [date(2020, 1, 1), "Ben", -30.0],
        ["01.01.2020", 7, "1.020"],
    ]

    (game,) = found_in(book_of(rows), "games.xlsx").games

    assert (game.day, game.timed) == (date(2020, 1, 1), False)
    assert (game.names, game.points) == (("Anna", "Ben", "7"), (120, -30, 1020))


def test_days_count_from_1904_where_the_workbook_says_so():
    book = openpyxl.Workbook()
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    for row in ROWS:
        book.active.append([date(2020, 1, 1) if row[0] == "1.1.2020" else row[0], *row[1:]])

    assert found_in(saved(book)).games[0].day == date(2020, 1, 1)


def test_the_first_sheet_with_anything_in_it_is_read_or_the_chosen_one():
    book = openpyxl.Workbook()
    book.active.title = "Leer"
    for title, points in (("Versteckt", 1), ("Januar", 2), ("Februar", 3)):
        sheet = book.create_sheet(title)
        for row in ROWS:
            sheet.append([*row[:2], points if row[2] == 5 else row[2]])
    book["Versteckt"].sheet_state = "hidden"
    data = saved(book)

    first, chosen = found_in(data), found_in(data, sheet="Februar")

    assert (first.sheet, first.sheets, first.games[0].points) == ("Januar", ("Leer", "Januar", "Februar"), (2, 2, 2))
    assert (chosen.sheet, chosen.games[0].points) == ("Februar", (3, 3, 3))
    assert told(found_in(data, sheet="Versteckt").problems) == [("sheet_unknown", 0, "")]
    assert told(found_in(data, sheet="Leer").problems) == [("file_empty", 0, "")]


def test_rows_and_columns_are_those_of_the_spreadsheet():
    book = openpyxl.Workbook()
    for index, row in enumerate(ROWS):
        for place, cell in enumerate(row):
            book.active.cell(3 + 2 * index, 28 + place, cell)
    book.active.cell(9, 30, "fünf")

    assert refusals(found_in(saved(book))) == [("number_unreadable", 9, "AD (Punkte)")]


@pytest.mark.parametrize(
    ("cells", "points"),
    [
        ('<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c><v>5</v></c>', 5),
        (
            '<c t="inlineStr"><is><r><t>1.1.</t></r><r><t>2020</t></r></is></c>'
            '<c t="str"><v>A</v></c><c><v>5.0</v></c>',
            5,
        ),
        ('<c t="d"><v>2020-01-01T00:00:00</v></c><c t="s"><v>1</v></c><c t="n"><f>2+3</f><v>5</v></c>', 5),
        ('<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="str"><f>"5"</f><v>5</v></c>', 5),
    ],
)
def test_every_form_of_a_cell_is_read(cells, points):
    # Cells without a reference follow each other, empty ones too.
    header = "<c/>" + "".join(f'<c t="str"><v>{word}</v></c>' for word in ROWS[0])
    others = "".join(f'<row><c/><c t="s"><v>0</v></c><c t="s"><v>{n}</v></c><c><v>1</v></c></row>' for n in (2, 3))
    spoken = "<si><r><t>A</t></r><rPh><t>no</t></rPh></si>"
    strings = f"<sst><si><t>1.1.2020</t></si>{spoken}<si><t>B</t></si><si><t>C</t></si></sst>"

    found = found_in(book_of_xml(f"<row>{header}</row><row><c/>{cells}</row>{others}", sharedStrings=strings))

    assert [(game.names, game.points) for game in found.games] == [(("A", "B", "C"), (points, 1, 1))]


def test_macros_links_and_formulas_are_left_alone():
    data = book_of(ROWS)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts |= {"xl/vbaProject.bin": b"macro", "xl/externalLinks/externalLink1.xml": b"<broken"}

    assert len(found_in(zip_of(parts), "games.xlsm").games) == 1


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ("<row r='2'><c r='C2'><f>1+1</f></c></row>", ("formula_without_value", 2, "C")),
        ("<row r='2'><c r='C2'><f>1+1</f><v></v></c></row>", ("formula_without_value", 2, "C")),
        ("<row r='2'><c r='C2' t='e'><v>#REF!</v></c></row>", ("cell_has_error", 2, "C")),
        ("<row r='2'><c r='C2' t='s'><v>7</v></c></row>", ("workbook_broken", 2, "C")),
        ("<row r='2'><c r='C2'><v>many</v></c></row>", ("workbook_broken", 2, "C")),
        ("<row r='2'><c r='2C'><v>1</v></c></row>", ("workbook_broken", 2, "")),
        ("<row r='2'><c r='XFD2'><v>1</v></c></row>", ("too_many_columns", 2, "")),
        ("<row r='2'><c r='ZZZ2'><v>1</v></c></row>", ("too_many_columns", 2, "")),
        (f"<row r='{MOST_ROWS + 1}'><c><v>1</v></c></row>", ("too_many_rows", MOST_ROWS + 1, "")),
        ("<row r='2'><c r='A2'>", ("workbook_broken", 0, "")),
        ("<row><c>&unknown;</c></row>", ("workbook_broken", 0, "")),
    ],
)
def test_cells_that_cannot_be_read_are_told(cells, problem):
    found = found_in(book_of_xml(cells))

    assert told(found.problems) == [problem]
    assert found.games == ()


def test_a_row_with_an_absurd_number_is_a_row():
    assert told(found_in(book_of_xml("<row r='99999999999999999999'><c><v>1</v></c></row>")).problems) == [
        ("headers_missing", 1, "")
    ]


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_half_a_workbook_is_broken(part):
    data = book_of(ROWS)

    assert told(found_in(data[: int(part * len(data))]).problems) == [("workbook_broken", 0, "")]


@pytest.mark.parametrize("part", ["workbook", "sheet1", "styles"])
@pytest.mark.parametrize("content", [b"<a", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
def test_a_broken_part_is_a_broken_workbook(part, content):
    assert told(found_in(with_changes(book_of(ROWS), **{part: content})).problems) == [("workbook_broken", 0, "")]


@pytest.mark.parametrize("content", ["<sst>", '<!DOCTYPE a [<!ENTITY b "c">]><sst>&b;</sst>'])
def test_broken_texts_are_a_broken_workbook(content):
    assert told(found_in(book_of_xml("", sharedStrings=content)).problems) == [("workbook_broken", 0, "")]


def test_a_part_that_is_missing_is_told():
    assert told(found_in(with_changes(book_of(ROWS), sheet1=None)).problems) == [("workbook_broken", 0, "")]


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({"xl/workbook.bin": b""}, "XLSB"),
        ({"word/document.xml": b""}, "DOCX"),
        ({"mimetype": b"", "content.xml": b""}, "ODS"),
        ({"holiday.jpg": b""}, "ZIP"),
    ],
)
def test_other_archives_are_named(parts, kind):
    (problem,) = found_in(zip_of(parts)).problems

    assert (problem.code, problem.args["found"]) == ("file_type_wrong", kind)


def test_an_archive_with_a_password_is_told():
    data = bytearray(book_of(ROWS))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1

    assert told(found_in(bytes(data)).problems) == [("workbook_encrypted", 0, "")]


def bomb_of_one_part() -> bytes:
    return zip_of({"xl/workbook.xml": b"<a/>", "xl/worksheets/sheet1.xml": b" " * (70 * MEGABYTE)})


def bomb_that_lies() -> bytes:
    """Return an archive whose directory says that a large part is small."""
    data = bytearray(zip_of({"xl/workbook.xml": b"<a>" + b" " * (5 * MEGABYTE)}))
    size = (5 * MEGABYTE + 3).to_bytes(4, "little")
    while size in data:
        at = data.index(size)
        data[at : at + 4] = (100).to_bytes(4, "little")
    return bytes(data)


def bomb_of_copies() -> bytes:
    data = book_of_xml("")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return zip_of(parts | {f"xl/{number}.xml": b"" for number in range(2_001)})


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (bomb_of_one_part, "workbook_too_large"),
        (bomb_that_lies, "workbook_broken"),
        (bomb_of_copies, "workbook_too_large"),
    ],
)
def test_bombs_are_not_unpacked(make, code):
    data = make()

    began = time.process_time()
    found = found_in(data)
    seconds = time.process_time() - began

    assert told(found.problems) == [(code, 0, "")]
    assert seconds < 3, "a second on a quiet machine"


@PROPERTY
@given(st.data())
def test_any_change_of_bytes_is_read_or_refused_and_never_an_error(data):
    content = bytearray(SMALL)
    for _change in range(data.draw(st.integers(1, 4))):
        # The directory at the end decides most.
        place = data.draw(st.integers(0, len(content) - 1) | st.integers(len(content) - 300, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))

    found = found_in(bytes(content))

    assert found.games or found.refused or found.problems


def test_text_named_as_a_workbook_and_a_workbook_named_as_text():
    rows = example_rows("results", "wide", "de")

    assert told(found_in(csv_of(rows), "games.xlsx").problems) == [("workbook_broken", 0, "")]
    assert len(found_in(book_of(rows), "games.csv").games) == 2
