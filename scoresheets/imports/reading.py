"""The one door of the readers: bytes in, the games found and everything that is wrong with them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import rules
from scoresheets.imports import bgstats
from scoresheets.imports.drafts import Draft, Reading, finished, in_order
from scoresheets.imports.places import at
from scoresheets.imports.plain import (
    BG_STATS,
    MOST_BYTES,
    MOST_PROBLEMS,
    SHEETS,
    Choices,
    FoundFile,
    FoundGame,
    RefusedGame,
)
from scoresheets.imports.refusals import Refused
from scoresheets.imports.tables import Line, read_table
from scoresheets.imports.texts import decoded, delimiter_of, lines_of
from scoresheets.imports.workbooks import Workbook

NO_CHOICES = Choices()

_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
#: What files of other kinds begin with.
_OTHERS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"%PDF", "PDF"),
    (b"{\\rtf", "RTF"),
    (b"\x1f\x8b", "GZIP"),
    (b"Rar!", "RAR"),
    (b"7z\xbc\xaf", "7Z"),
    (b"SQLite format 3", "SQLite"),
    (b"PK\x05\x06", "ZIP"),
)


def read(
    data: bytes, file_name: str, *, now: datetime, time_zone: ZoneInfo | str, choices: Choices = NO_CHOICES
) -> FoundFile:
    """Return what a file holds. It never raises for what is in the file: problems are in the answer.

    The bytes decide what kind of file it is; `file_name` only helps to say what is wrong with it. `now` is aware: what
    is later than it has not been played. `time_zone` is where the file's days and times are from.
    """
    if len(data) > MOST_BYTES:
        return FoundFile(problems=(at(rules.Problem.of("file_too_large", most=MOST_BYTES // 1024**2), 0),))
    zone = ZoneInfo(time_zone) if isinstance(time_zone, str) else time_zone
    reading = Reading(now, zone, choices)
    found = FoundFile()
    try:
        if data.startswith(_ZIP):
            return _read_workbook(data, reading)
        _check_kind(data, file_name)
        text, encoding = decoded(data)
        found = FoundFile(encoding=encoding)
        start = text.lstrip("\ufeff \t\r\n")[:1000].lower()
        if start.startswith(("<!doctype html", "<html", "<table", "<?xml", "<meta", "<head")):
            raise Refused(rules.Problem.of("file_type_wrong", found="XML" if "<?xml" in start else "HTML"))
        if start.startswith(("{", "[")):
            plays = bgstats.read_plays(text, reading)
            found = replace(found, kind=BG_STATS, offers=plays.offers, warnings=plays.warnings)
            return _with_games(found, plays.drafts, reading)
        if not text.strip("\ufeff \t\r\n;,"):
            raise Refused(rules.Problem.of("file_empty"))
        delimiter = delimiter_of(text, has_day=choices.day is not None)
        found = replace(found, delimiter=delimiter)
        return _read_table(found, lines_of(text, delimiter), reading)
    except Refused as refused:
        return replace(found, problems=(refused.problem,))


def _check_kind(data: bytes, file_name: str) -> None:
    if not data.strip():
        raise Refused(rules.Problem.of("file_empty"))
    if data.startswith(_OLD_WORKBOOK):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise Refused(rules.Problem.of("workbook_encrypted"))
        raise Refused(rules.Problem.of("workbook_old"))
    for start, kind in _OTHERS:
        if data.startswith(start):
            raise Refused(rules.Problem.of("file_type_wrong", found=kind))
    if file_name.lower().endswith((".xlsx", ".xlsm")):
        raise Refused(rules.Problem.of("workbook_broken"))


def _read_workbook(data: bytes, reading: Reading) -> FoundFile:
    found = FoundFile()
    try:
        workbook = Workbook(data)
        found = FoundFile(sheets=workbook.titles)
        wanted = reading.choices.sheet
        if wanted is not None and wanted not in workbook.titles:
            raise Refused(rules.Problem.of("sheet_unknown", sheet=wanted))
        for title in workbook.titles if wanted is None else [wanted]:
            found = replace(found, sheet=title)
            lines = workbook.lines(title)
            first = next(lines, None)
            if first is not None:
                return _read_table(found, _with_first(first, lines), reading)
        raise Refused(rules.Problem.of("file_empty"))
    except Refused as refused:
        return replace(found, problems=(refused.problem,))


def _with_first(first: Line, others: Iterator[Line]) -> Iterator[Line]:
    yield first
    yield from others


def _read_table(found: FoundFile, lines: Iterator[Line], reading: Reading) -> FoundFile:
    table = read_table(lines, reading)
    found = replace(found, columns=table.header.columns)
    if table.problems:
        return replace(found, problems=tuple(table.problems))
    found = replace(found, kind=table.header.kind, layout=table.header.layout, warnings=tuple(table.warnings))
    return _with_games(found, table.drafts, reading)


def _with_games(found: FoundFile, drafts: Sequence[Draft], reading: Reading) -> FoundFile:
    """Return the file with what its drafts have become."""
    games: list[FoundGame] = []
    refused: list[RefusedGame] = []
    told, left_out = 0, 0
    for draft in drafts:
        game = finished(draft, reading, is_sheet=found.kind == SHEETS)
        left_out += draft.left_out
        if isinstance(game, FoundGame):
            games.append(game)
            continue
        # A file of nothing but problems tells the first of each game once there are enough.
        kept = game.problems[: max(1, MOST_PROBLEMS - told)]
        told, left_out = told + len(kept), left_out + len(game.problems) - len(kept)
        refused.append(replace(game, problems=kept))
    ordered = tuple(in_order(games, reading.now))
    return replace(
        found,
        games=ordered,
        refused=tuple(refused),
        warnings=(*found.warnings, *_repeated(ordered)),
        problems_left_out=left_out,
    )


def _repeated(games: Sequence[FoundGame]) -> Iterator[rules.Problem]:
    first: dict[Any, int] = {}
    for game in games:
        row = first.setdefault(game.source, game.row)
        if row != game.row:
            yield at(rules.Problem.of("game_repeated", first=row), game.row)
