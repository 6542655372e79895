"""Tables as CSV and as workbooks: what was text stays text, in whatever program they are opened."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime
from typing import Any

import pytest
from openpyxl import load_workbook

from scoresheets.formats.tables import STYLES, Column, csv_chunks, safe_text
from scoresheets.formats.workbooks import sheet_title, write_workbook

#: Texts that spreadsheets have been talked into computing, or that have broken them otherwise.
PAYLOADS = (
    "=1+1",
    "+49 30 1234",
    "-2",
    "@x",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.example";"x")',
    "＝1+1",
    "\t=1+1",
    "\r=1+1",
    "#REF!",
    "TRUE",
    "1e5",
    "007",
    "2026-11-30",
    '"',
    "a\nb",
    " two  spaces ",
    "<b>&amp;",
    "Zoë 👩‍👩‍👧 דנה",
)


def csv_of(*rows, style="en", columns=("A",)):
    """Return the bytes of a table with these rows."""
    return b"".join(csv_chunks([Column(title) for title in columns], rows, STYLES[style]))


def workbook_of(rows, *columns, title="Table"):
    """Return the only sheet of the workbook of a table, as a library reads it."""
    file = io.BytesIO()
    write_workbook(file, title, columns, rows)
    (sheet,) = load_workbook(file).worksheets
    return sheet


# -- CSV ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_csv_begins_with_the_mark_that_excel_needs_and_the_headings(style):
    data = csv_of((1, 2), style=style, columns=("Ä", "B"))

    assert data == "\ufeffÄ{0}B\r\n1{0}2\r\n".format(STYLES[style].delimiter).encode()


@pytest.mark.parametrize(
    ("value", "german", "english"),
    [
        (-10, "-10", "-10"),
        (0, "0", "0"),
        (2.5, "2,5", "2.5"),
        (-0.25, "-0,25", "-0.25"),
        (2 / 3, "0,6667", "0.6667"),
        (100.0, "100", "100"),
        (None, "", ""),
        ("", "", ""),
        (date(2026, 11, 30), "30.11.2026", "2026-11-30"),
        (datetime.fromisoformat("2026-11-30T20:05:09"), "30.11.2026 20:05:09", "2026-11-30 20:05:09"),
        ('Ten, or more; "many"', 'Ten, or more; "many"', 'Ten, or more; "many"'),
    ],
)
def test_csv_is_written_as_the_language_writes_it(value, german, english):
    for style, expected in (("de", german), ("en", english)):
        text = csv_of((value, "end"), style=style, columns=("A", "B")).decode("utf-8-sig")
        assert list(csv.reader(io.StringIO(text), delimiter=STYLES[style].delimiter))[1] == [expected, "end"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("text", PAYLOADS)
def test_csv_has_no_cell_that_begins_a_formula(text, style):
    data = csv_of((text, 1), style=style, columns=("A", "B")).decode("utf-8-sig")

    (cell, number) = list(csv.reader(io.StringIO(data, newline=""), delimiter=STYLES[style].delimiter))[1]
    assert cell.removeprefix("'") == text
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝"))
    assert number == "1"


@pytest.mark.parametrize("text", ["Anna;=1+1", "Anna,=1+1", ";@x", "a,b;-2"])
def test_csv_begins_no_formula_for_a_program_that_parts_cells_elsewhere(text):
    """German programs part the cells of an English file at its semicolons, and the other way round."""
    for style in STYLES:
        for delimiter in (",", ";"):
            data = csv_of((text,), style=style).decode("utf-8-sig")
            for cells in list(csv.reader(io.StringIO(data), delimiter=delimiter))[1:]:
                assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_text_without_a_formula_in_it_is_left_alone():
    for text in ("Anna", "Tom B.", "a-b", "1 + 1 = 2", "it's", "'", "a, b", "Anna; Bernd", ""):
        assert safe_text(text) == text


def test_csv_is_read_as_it_is_sent():
    taken: list[int] = []

    def rows():
        for number in range(5000):
            taken.append(number)
            yield (number,)

    chunks = csv_chunks([Column("A")], rows(), STYLES["en"])
    assert (next(chunks), taken) == ("\ufeffA\r\n".encode(), [])
    assert next(chunks).startswith(b"0\r\n1\r\n")
    assert len(taken) < 1000
    assert b"".join(chunks).endswith(b"4999\r\n")


# -- workbooks ------------------------------------------------------------------------------------------------------


def test_workbook_keeps_every_text_as_text():
    sheet = workbook_of([(text,) for text in PAYLOADS], Column("=1+1"))

    cells: list[Any] = [row[0] for row in sheet.iter_rows()]
    assert [cell.value for cell in cells] == ["=1+1", *(text.replace("\r", "\n") for text in PAYLOADS)]
    assert {cell.data_type for cell in cells} == {"s"}
    # Otherwise editing such a cell, without a change, would make a formula of it.
    assert all(cell.quotePrefix for cell in cells[1:] if cell.value[0] in "=+-@")


def test_workbook_has_numbers_days_and_shares_as_such():
    moment, day = datetime.fromisoformat("2026-11-30T23:59:59"), datetime.fromisoformat("2026-02-28")
    sheet = workbook_of(
        [(-10, 2.5, 0.5, day.date(), moment, None, "")], *(Column("C", is_share=place == 2) for place in range(7))
    )

    cells = next(sheet.iter_rows(min_row=2))
    assert [cell.value for cell in cells[:5]] == [-10, 2.5, 0.5, day, moment]
    assert [cell.data_type for cell in cells[:5]] == ["n", "n", "n", "d", "d"]
    assert [cell.number_format for cell in cells[:5]] == ["General", "General", "0.0%", "mm-dd-yy", "m/d/yy h:mm"]
    assert {cell.value for cell in cells[5:]} == {None}


def test_workbook_keeps_bold_headings_in_sight():
    sheet = workbook_of([(1, 2)], Column("Name", 24), Column("Points"))

    assert sheet.freeze_panes == "A2"
    assert [[cell.font.b for cell in row] for row in sheet.iter_rows()] == [[True, True], [False, False]]
    assert [sheet.column_dimensions[letter].width for letter in "AB"] == [24, 10]


def test_workbook_of_more_columns_than_letters():
    sheet = workbook_of([range(60)], *(Column(str(number)) for number in range(60)))

    assert [cell.value for cell in sheet[2]] == list(range(60))


def test_workbook_leaves_out_what_no_file_can_hold():
    sheet = workbook_of([("a\x00b\x0bc\ud800d\ufffe",)], Column("A"))

    assert sheet["A2"].value == "abcd"


def test_workbook_takes_nothing_but_texts_numbers_and_days():
    with pytest.raises(TypeError):
        workbook_of([([1],)], Column("A"))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Winter 2026/27", "Winter 2026 27"),
        ("[a]:*?\\b", "a b"),
        ("x" * 40, "x" * 31),
        ("'quoted'", "quoted"),
        ("<&>", "<&>"),
        ("/", "-"),
        ("", "-"),
    ],
)
def test_sheet_has_a_title_that_programs_take(text, title):
    assert sheet_title(text) == title
    assert workbook_of([], Column("A"), title=text).title == title
