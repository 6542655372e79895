"""The header of a table: which column is what, and which of the layouts that makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import rules
from scoresheets.imports import words
from scoresheets.imports.places import at, quoted
from scoresheets.imports.plain import LONG, RESULTS, SHEETS, WIDE, FoundColumn
from scoresheets.imports.values import Value, is_empty, text_of
from scoresheets.names import folded

_NEEDED = {
    (SHEETS, LONG): ("round", "player", "bid", "tricks"),
    (SHEETS, WIDE): ("round",),
    (RESULTS, LONG): ("player", "points"),
    (RESULTS, WIDE): (),
}
_LISTED = 12
"""So many headers are repeated where others were expected."""


@dataclass(frozen=True, slots=True)
class Header:
    """A table's header: what it is a table of, each column by field, and of wide layouts each player's, by name.

    `columns` are all that have a header, in order, and `known` counts those whose words are understood. `problems` say
    why the table cannot be read.
    """

    row: int
    kind: str
    layout: str
    columns: tuple[FoundColumn, ...]
    fields: Mapping[str, FoundColumn]
    players: Mapping[str, Mapping[str, FoundColumn]]
    known: int
    problems: tuple[rules.Problem, ...] = ()


def letter_of(index: int) -> str:
    """Return what spreadsheets call a column: A for 0, Z for 25, AA for 26."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def header_of(row: int, cells: Sequence[Value], *, has_day: bool) -> Header:
    """Return what a line says as the header of a table, with all its problems.

    `has_day`: the day of the games is known, so that a table of results without a date is one, too.
    """
    columns = [
        FoundColumn(letter_of(index), quoted(text_of(cell)), index=index)
        for index, cell in enumerate(cells)
        if not is_empty(cell)
    ]
    named = [_named(column, text_of(cells[column.index])) for column in columns]
    known = sum(bool(column.meaning) for column in named)
    singles = {column.meaning for column in named if not column.player}
    blocks = {column.meaning for column in named if column.player}
    if "player" in singles:
        kind, layout = (SHEETS if singles & {"bid", "tricks"} else RESULTS), LONG
    elif blocks & {"bid", "tricks"}:
        kind, layout = SHEETS, WIDE
    else:
        kind, layout = RESULTS, WIDE
    named = [_fitting(column, text_of(cells[column.index]), singles, kind, layout) for column in named]
    fields: dict[str, FoundColumn] = {}
    players: dict[str, dict[str, FoundColumn]] = {}
    names: dict[str, str] = {}
    problems = []
    for column in named:
        if column.meaning in {"", words.UNREAD}:
            continue
        name = names.setdefault(folded(column.player), column.player)
        own = players.setdefault(name, {}) if name else fields
        if (first := own.get(column.meaning)) is not None:
            problems.append(at(rules.Problem.of("header_repeated", first=str(first)), row, column))
        own.setdefault(column.meaning, column)
    shown = tuple(replace(column, meaning="") if column.meaning == words.UNREAD else column for column in named)
    header = Header(row, kind, layout, shown, fields, players, known)
    return replace(header, problems=(*problems, *_missing(header, has_day=has_day)))


def _named(column: FoundColumn, text: str) -> FoundColumn:
    """Return the column with what its header alone says of it."""
    field = words.field_of(text)
    if field:
        return replace(column, meaning=field)
    player, field = words.player_field_of(text)
    return replace(column, meaning=field, player=player)


def _fitting(column: FoundColumn, text: str, singles: set[str], kind: str, layout: str) -> FoundColumn:
    """Return the column with what its header means in this kind of table."""
    if (kind, layout) == (RESULTS, WIDE):
        if not column.meaning:
            return replace(column, meaning="points", player=text)
        if column.player and column.meaning in {"points", "total"}:
            return replace(column, meaning="points")
        kept = {"place"} if column.player else {"game", "date", "note"}
        return column if column.meaning in kept else replace(column, meaning=words.UNREAD, player="")
    if layout == LONG:
        if column.player:
            return replace(column, meaning="", player="")
        if kind == RESULTS and column.meaning == "total" and "points" not in singles:
            return replace(column, meaning="points")
    elif not column.player and column.meaning in words.OF_PLAYERS:
        return replace(column, meaning=words.UNREAD)
    return column


def _missing(header: Header, *, has_day: bool) -> Iterator[rules.Problem]:
    kind, layout = header.kind, header.layout
    missing = [field for field in _NEEDED[kind, layout] if field not in header.fields]
    if (kind, layout) == (RESULTS, WIDE) and (
        len(header.players) < rules.FEWEST_PLAYERS or not (has_day or "date" in header.fields)
    ):
        missing = ["date", "player"]  # a line of anything has many columns: without a date it is no table of results
    if missing:
        found = ", ".join(column.header for column in header.columns[:_LISTED])
        more = len(header.columns) > _LISTED
        yield at(rules.Problem.of("headers_missing", missing=" ".join(missing), found=found + more * " …"), header.row)
    if (kind, layout) == (SHEETS, WIDE):
        for name, own in header.players.items():
            for field in ("bid", "tricks"):
                if field not in own:
                    yield at(rules.Problem.of("player_column_missing", name=quoted(name), field=field), header.row)
