"""A backup file that is not as it was written is refused, whatever was done to it. No database is needed for that."""

from __future__ import annotations

import json
import random
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import UUID

import pytest

from scoresheets.backups import reading, writing
from scoresheets.backups.format import MANIFEST, BackupError, Head, line_of, row_of
from scoresheets.backups.writing import checksum_of

HEAD = Head("1.2.3", "sqlite", datetime(2026, 11, 30, 20, 15, tzinfo=UTC), (("scoresheets", "0001_initial"),))
SEATS = [(1, "Jürgen\n", {"b": 1, "a": [None, True, 0.1]}), (2, "=1+1", {}), (30, "\ud800", [])]
MOMENTS = [(1, datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), date(2026, 1, 2), UUID(int=7), b"\x00\xff")]
TABLES = [("moments", ("id", "at", "night", "code", "data"), MOMENTS), ("seats", ("id", "name", "line"), SEATS)]


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "club.zip"
    writing.write(found, HEAD, TABLES)
    return found


def refusal(path: Path) -> str:
    """Return why the file is refused; fails if it is not."""
    with pytest.raises(BackupError) as refused, reading.opened(path):
        pass
    return str(refused.value)


def test_backup_gives_back_what_was_written(path):
    with reading.opened(path) as backup:
        told = backup.manifest
        rows = {table.name: list(backup.rows(table)) for table in told.tables}
    assert told.head == HEAD
    assert [(table.name, table.columns, table.rows) for table in told.tables] == [
        ("moments", ("id", "at", "night", "code", "data"), 1),
        ("seats", ("id", "name", "line"), 3),
    ]
    assert rows["seats"] == [list(row) for row in SEATS]
    moment = "2026-01-02T03:04:05.000006+00:00"
    assert rows["moments"] == [[1, moment, "2026-01-02", "00000000-0000-0000-0000-000000000007", "AP8="]]


def test_same_rows_give_the_same_bytes(path, tmp_path):
    other = tmp_path / "other.zip"
    turned = [(*row[:2], dict(reversed(row[2].items())) if row[2] else row[2]) for row in SEATS]
    writing.write(other, HEAD, [TABLES[0], ("seats", TABLES[1][1], turned)])
    assert other.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, 1j])
def test_line_refuses_what_no_column_has(value):
    with pytest.raises((TypeError, ValueError)):
        line_of([value])


@pytest.mark.parametrize("line", [b"", b"{}", b"3", b"[1", b"\xff\xfe"])
def test_row_refuses_what_no_line_is(line):
    with pytest.raises(ValueError, match=r".*"):
        row_of(line)


def test_any_altered_byte_is_noticed(path):
    whole = path.read_bytes()
    rng = random.Random(5)
    for place in range(len(whole)):
        altered = bytearray(whole)
        altered[place] ^= 1 << rng.randrange(8)
        path.write_bytes(altered)
        assert refusal(path)
    path.write_bytes(whole)
    with reading.opened(path):
        pass


def test_any_part_of_a_backup_is_refused(path):
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert refusal(path)
    for more in (whole + b"\0", b"\0" + whole, whole + whole, whole[: len(whole) // 2] + whole):
        path.write_bytes(more)
        assert refusal(path)


# -- whole archives that say something else than they hold ----------------------------------------------------------


def rewritten(path: Path, *, text=None, **parts: bytes | None) -> None:
    """Write the archive anew, with a right checksum: `text` changes the manifest, `parts` files by their name."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    if text is not None:
        files[MANIFEST] = text(files[MANIFEST])
    for name, content in parts.items():
        if content is None:
            del files[name]
        else:
            files[name] = content
    with path.open("w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
            archive.comment = b"0" * 64
        end = file.seek(-64, 2)
        checksum = checksum_of(file, end)
        file.seek(end)
        file.write(checksum.encode())


def manifest(**changes):
    """Return what changes values of the manifest."""
    return lambda text: json.dumps(json.loads(text) | changes).encode()


def seats(**changes):
    """Return what changes values of the manifest's second table."""

    def change(text):
        told = json.loads(text)
        told["tables"][1] |= changes
        return json.dumps(told).encode()

    return change


NOT_ROWS = "The rows of seats are not those that the manifest tells of."
NOT_JUST = "does not hold just what its manifest tells of."
NOT_SHAPED = "The backup's manifest is not as this release writes it."


@pytest.mark.parametrize(
    ("text", "parts", "sentence"),
    [
        (seats(rows=4), {}, NOT_ROWS),
        (seats(size=5), {}, NOT_ROWS),
        (seats(sha256="0" * 64), {}, NOT_ROWS),
        (None, {"tables/seats.jsonl": b"[1]\n"}, NOT_ROWS),
        (None, {"tables/seats.jsonl": None}, NOT_JUST),
        (None, {"tables/more.jsonl": b""}, NOT_JUST),
        (None, {"../../seats.jsonl": b"[]\n"}, NOT_JUST),
        (seats(name="../seats"), {}, NOT_SHAPED),
        (seats(name="moments"), {}, NOT_JUST),
        (seats(columns=["id", "id", "line"]), {}, NOT_SHAPED),
        (seats(columns=[]), {}, NOT_SHAPED),
        (seats(columns=["id", "na me", "line"]), {}, NOT_SHAPED),
        (seats(rows=True), {}, NOT_SHAPED),
        (seats(rows=-1), {}, NOT_SHAPED),
        (manifest(tables=None), {}, NOT_SHAPED),
        (manifest(made_at="yesterday"), {}, NOT_SHAPED),
        (manifest(migrations=[["scoresheets"]]), {}, NOT_SHAPED),
        (manifest(release=3), {}, NOT_SHAPED),
        (manifest(format=2), {}, "a newer release is needed."),
        (lambda text: text[:-20], {}, "no readable manifest."),
        (lambda _text: b"[" * 100_000, {}, "no readable manifest."),
        (lambda _text: b"[]", {}, "no readable manifest."),
        (lambda text: text + b" " * reading.MOST_MANIFEST, {}, "its manifest is too long."),
        (None, {MANIFEST: None}, "it has no manifest."),
    ],
)
def test_archive_that_contradicts_its_manifest_is_refused(path, text, parts, sentence):
    rewritten(path, text=text, **parts)
    assert refusal(path).endswith(sentence)


def test_part_that_unpacks_to_much_more_is_not_unpacked(path, monkeypatch):
    rewritten(path, **{"tables/seats.jsonl": b"[]\n" * 20_000_000})
    assert path.stat().st_size < 100_000
    unpacked = []
    read = zipfile.ZipExtFile.read
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda self, n=-1: unpacked.append(n) or read(self, n))
    assert refusal(path) == NOT_ROWS
    assert sum(unpacked) < 8_000_000


def test_row_of_another_length_is_refused_when_it_is_read(path):
    rewritten(path, text=seats(columns=["id", "name"]))
    with reading.opened(path) as backup, pytest.raises(BackupError, match="has 3 values for 2 columns"):
        list(backup.rows(backup.manifest.tables[1]))


def test_what_is_no_backup_is_refused(tmp_path):
    path = tmp_path / "other"
    for content in (b"", b"PK", b"SQLite format 3\0", random.Random(1).randbytes(500)):
        path.write_bytes(content)
        assert refusal(path) == f"{path} is no backup of this site."
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    assert refusal(path).endswith("its checksum is another one.")
    assert refusal(tmp_path / "none") == f"{tmp_path / 'none'} cannot be read: No such file or directory."
    assert refusal(tmp_path) == f"{tmp_path} cannot be read: Is a directory."
