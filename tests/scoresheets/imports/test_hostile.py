"""Files that are no tables, cut off, far too large or made to do harm: a clear answer, soon and in little memory."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoresheets.imports.layouts import example_rows
from scoresheets.imports.plain import MOST_BYTES, MOST_COLUMNS, MOST_GAMES, MOST_ROWS
from tests.rules.games import PROPERTY
from tests.scoresheets.imports.files import MEGABYTE, book_of, csv_of, found_in, refusals, told
from tests.thorough import scaled

TABLE = csv_of(example_rows("sheets", "long", "de"))
HEADER = b"Datum;Spieler;Punkte\n"
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32"])
def test_the_encoding_is_told_by_what_decodes(encoding):
    text = TABLE.replace("Anna", "Änne")

    found = found_in(text.encode(encoding))

    assert (found.encoding, found.games[0].names) == (encoding, ("Änne", "Ben", "Carla"))


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_the_delimiter_is_told_by_the_header(delimiter):
    rows = [
        ["Datum", "Spieler", "Punkte"],
        *([day, name, 5] for day in ("1.1.2020",) for name in ("A, B; C", "D", "E")),
    ]

    found = found_in(csv_of(rows, delimiter))

    assert (found.delimiter, found.games[0].names) == (delimiter, ("A, B; C", "D", "E"))
    assert found_in(f"sep={delimiter}\r\n" + csv_of(rows, delimiter)).games[0].row == 3


def test_a_quoted_cell_of_several_lines_is_one_row():
    rows = [["Datum", "Spieler", "Punkte", "Notiz"], ["1.1.2020", "A", 5, "eins\nzwei"], ["1.1.2020", "B", "x", ""]]

    assert refusals(found_in(rows))[0] == ("number_unreadable", 3, "C (Punkte)")


@pytest.mark.parametrize(
    ("data", "name", "problem"),
    [
        # other kinds of files
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "games.csv", ("file_type_wrong", "PNG")),
        (b"%PDF-1.7", "games.csv", ("file_type_wrong", "PDF")),
        (b"\n<!DOCTYPE html><html><table>", "games.xls", ("file_type_wrong", "HTML")),
        (b"<table><tr><td>1", "games.xls", ("file_type_wrong", "HTML")),
        (b"<?xml version='1.0'?><Workbook>", "games.xls", ("file_type_wrong", "XML")),
        (OLD + bytes(600), "games.xls", ("workbook_old", None)),
        (OLD + "EncryptedPackage".encode("utf-16-le"), "games.xlsx", ("workbook_encrypted", None)),
        (b"PK\x05\x06" + bytes(18), "games.xlsx", ("file_type_wrong", "ZIP")),
        (b"anything", "games.xlsx", ("workbook_broken", None)),
        (b'{"format": "tafelrunde-club", "version": 1}', "club.json", ("file_is_club", None)),
        (b'{"other": 1}', "x.json", ("json_not_known", None)),
        (b"[1, 2]", "x.json", ("json_not_known", None)),
        # nothing, half, and signs that no text has
        (b"", "games.csv", ("file_empty", None)),
        (b" \r\n\t", "games.csv", ("file_empty", None)),
        (b"\xef\xbb\xbf", "games.csv", ("file_empty", None)),
        (b";;;\n;;;\n", "games.csv", ("file_empty", None)),
        (HEADER, "games.csv", ("file_has_no_games", None)),
        (b'{"plays": [{"uuid": "a', "x.json", ("json_broken", None)),
        (HEADER + b"1.1.2020;A\0;5\n", "games.csv", ("nul_bytes", None)),
        ("Datum;Spieler".encode("utf-16-le"), "games.csv", ("nul_bytes", None)),
        (b"Datum;\x81\x8d", "games.csv", ("encoding_unknown", None)),
        (b"\xff\xfeA", "games.csv", ("encoding_unknown", None)),
        (HEADER + b'1.1.2020;"Anna;5\n', "games.csv", ("quote_open", None)),
        (HEADER + b'1.1.2020;"An"na;5\n', "games.csv", ("quote_open", None)),
    ],
)
def test_what_is_no_table_is_named(data, name, problem):
    found = found_in(data, name)

    (told_problem,) = found.problems
    assert (told_problem.code, told_problem.args.get("found")) == problem
    assert (found.games, found.refused) == ((), ())


@pytest.mark.parametrize("size", [len(TABLE) // 3, len(TABLE) - 12, len(TABLE) - 10, len(TABLE) - 6])
def test_half_a_table_never_comes_in_as_a_whole_one(size):
    whole = found_in(TABLE)
    half = found_in(TABLE[:size])

    assert len(half.games) < len(whole.games) or half.games[1].warnings


def many_games() -> bytes:
    lines = (b"%d;1.1.2020;A%d;1" % (number, number) for number in range(MOST_GAMES + 1))
    return b"Spiel;" + HEADER + b"\n".join(lines)


#: Files that would cost much if they were read, each made when it is needed; and what is said of them.
LARGE = {
    "100 MB": (lambda: bytes(100 * MEGABYTE), "file_too_large"),
    "one byte too many": (lambda: b"x" * (MOST_BYTES + 1), "file_too_large"),
    "10,000 columns": (lambda: ";".join(f"c{index}" for index in range(10_000)).encode(), "too_many_columns"),
    "one column too many": (lambda: HEADER + b"1;" * MOST_COLUMNS + b"1", "too_many_columns"),
    "10 MB of delimiters": (lambda: b"x" + b";" * (MOST_BYTES - 1), "too_many_columns"),
    "10 MB of empty lines": (lambda: b"\n" * MOST_BYTES, "file_empty"),
    "10 MB in one cell": (lambda: b"a" * MOST_BYTES, "cell_too_long"),
    "10 MB behind a quote": (lambda: HEADER + b'"' + b"a\n" * (9 * MEGABYTE // 2), "cell_too_long"),
    "too many rows": (lambda: HEADER + b";\n" * MOST_ROWS, "too_many_rows"),
    "too many games": (many_games, "too_many_games"),
    "nested JSON": (lambda: b"[" * (9 * MEGABYTE), "json_too_deep"),
    "nested JSON, not so deep": (lambda: b'{"plays":' + b"[" * 100_000, "json_too_deep"),
    "many objects": (lambda: b'{"plays":[' + b"{}," * 450_000 + b"{}]}", "json_too_deep"),
    "a number of 5 MB": (lambda: b'{"plays":[],"x":' + b"9" * (5 * MEGABYTE) + b"}", "no_plays"),
}


@pytest.mark.parametrize("what", [*LARGE])
def test_large_files_are_answered_soon(what):
    make, code = LARGE[what]
    data = make()

    began = time.process_time()
    found = found_in(data)
    seconds = time.process_time() - began

    assert [problem.code for problem in found.problems] == [code]
    assert seconds < 3, "a second on a quiet machine"


@pytest.mark.parametrize("what", ["10 MB of delimiters", "10 MB behind a quote", "many objects"])
def test_large_files_take_little_memory(what):
    data = LARGE[what][0]()

    tracemalloc.start()
    found_in(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 200 * MEGABYTE


def test_everybody_in_one_game_is_said_once():
    lines = b"".join(b"1.1.2020;P%d;x\n" % number for number in range(3000))

    (game,) = found_in(HEADER + lines).refused

    assert len(game.names) == 20
    assert len(game.problems) == 20


@pytest.mark.parametrize("cell", ["=1+1", '=HYPERLINK("http://x")', "\u202eanna", "A\u0007nna", "<b>Anna</b>", "%s{0}"])
def test_names_are_texts_and_nothing_else(cell):
    rows = [["Datum", "Spieler", "Punkte"], *(["1.1.2020", name, 5] for name in (cell, "Ben", "Cem"))]
    tidy = {"\u202eanna": "anna", "A\u0007nna": "A nna"}.get(cell, cell)

    assert found_in(rows).games[0].names == (tidy, "Ben", "Cem")
    if "\u0007" not in cell:  # no workbook can hold it
        assert found_in(book_of(rows, texts=True), "games.xlsx").games[0].names == (tidy, "Ben", "Cem")


@settings(PROPERTY, max_examples=scaled(30, 25))
@given(st.data())
def test_any_change_of_bytes_is_read_or_refused_and_never_an_error(data):
    content = bytearray(TABLE.encode())
    for _change in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))

    found = found_in(bytes(content))

    assert found.games or found.refused or found.problems
    assert not (found.problems and found.games)


@PROPERTY
@given(st.binary(max_size=200))
def test_any_bytes_are_answered(content):
    found = found_in(content)

    assert found.games or found.refused or told(found.problems) or found.warnings
