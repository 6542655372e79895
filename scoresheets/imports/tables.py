"""Tables of games, whatever file they are in: lines with their numbers become the games of one of the four layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

import rules
from scoresheets.imports.columns import Header, header_of, letter_of
from scoresheets.imports.drafts import Draft, DraftCell, DraftResult, DraftRound, Reading
from scoresheets.imports.places import at, quoted
from scoresheets.imports.plain import LONG, MOST_GAMES, SHEETS, FoundColumn
from scoresheets.imports.refusals import Refused
from scoresheets.imports.values import Moment, Unreadable, Value, is_empty, mark, moment_of, text_of, whole_number
from scoresheets.imports.words import is_total
from scoresheets.names import folded

MOST_ROUNDS = 60
"""A round with a higher number is a slip: no deck of any edition has the cards for half as many."""

HEADER_WITHIN = 20
"""So many lines may stand above the header: a title, a date of print."""

_MOST_NAMES = 20
"""So many names are told apart in a game that has too many."""

Line = tuple[int, Sequence[Value]]
"""The number of a line, from 1, and its cells."""

_T = TypeVar("_T")


class FoundTable(NamedTuple):
    """What a table holds: its header, a draft for each game, what was left out; `problems` if it cannot be read."""

    header: Header
    drafts: Sequence[Draft] = ()
    warnings: Sequence[rules.Problem] = ()
    problems: Sequence[rules.Problem] = ()


def filled(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines with anything in them."""
    return (line for line in lines if not all(map(is_empty, line[1])))


def best_header(lines: Sequence[Line], *, has_day: bool) -> Header | None:
    """Return the header among the first lines: one that can be read, else the one most is recognised of."""
    headers = [header_of(row, cells, has_day=has_day) for row, cells in lines]
    return max(headers, key=lambda header: (not header.problems, header.known, -header.row), default=None)


def read_table(lines: Iterator[Line], reading: Reading) -> FoundTable:
    """Return the games of a table.

    Raises `Refused` (`file_empty`, `file_has_no_games`, `too_many_games`, and what `lines` raises).
    """
    first = [*islice(filled(lines), HEADER_WITHIN)]
    header = best_header(first, has_day=reading.choices.day is not None)
    if header is None:
        raise Refused(rules.Problem.of("file_empty"))
    if header.problems:
        return FoundTable(header, problems=header.problems)
    table = _Table(header, reading)
    for row, cells in chain((line for line in first if line[0] > header.row), filled(lines)):
        table.take(row, cells)
    if not table.drafts:
        raise Refused(rules.Problem.of("file_has_no_games"), header.row)
    unread = [column for column in header.columns if not column.meaning]
    warnings = [at(rules.Problem.of("column_unread"), header.row, column) for column in unread]
    return FoundTable(header, [*table.drafts.values()], [*warnings, *table.warnings])


class _Table:
    """Takes the lines of a table, one after the other, to the drafts of their games."""

    def __init__(self, header: Header, reading: Reading) -> None:
        self.header = header
        self.reading = reading
        self.drafts: dict[object, Draft] = {}
        self.warnings: list[rules.Problem] = []
        self._fields = header.fields
        self._indexes = {column.index for column in header.columns}
        self._widest = max(self._indexes) + 1
        self._without_header = [index for index in range(self._widest) if index not in self._indexes]
        self._moments: dict[Value, Moment | rules.Problem | None] = {}
        self._label = ""
        self._when: Value = None
        #: The names above the columns of players, tidy.
        self._players = [(text_of(name), own) for name, own in header.players.items()]
        takes = {
            (True, True): self._take_sheet_line,
            (True, False): self._take_round,
            (False, True): self._take_result,
            (False, False): self._take_game,
        }
        self._take = takes[header.kind == SHEETS, header.layout == LONG]

    def take(self, row: int, cells: Sequence[Value]) -> None:
        """Take one line with anything in it."""
        self._take(row, cells)

    # -- the four layouts

    def _take_sheet_line(self, row: int, cells: Sequence[Value]) -> None:
        draft = self._draft(row, cells)
        number = self._round_number(draft, row, cells)
        place = self._seat(draft, row, cells)
        if number is None or place is None:
            return
        entry = self._round(draft, number, row, cells)
        name = draft.names[place]
        if (first := entry.cells.get(place)) is not None:
            problem = rules.Problem.of("player_twice_in_round", name=quoted(name), round=number, first=first.row)
            draft.refuse(problem, row, self._fields["player"])
            return
        entry.cells[place] = self._cell(draft, row, cells, self._fields)
        if (told := self._read(draft, whole_number, row, cells, self._fields.get("place"))) is not None:
            draft.results[place] = DraftResult(row, self._fields, place=told)

    def _take_round(self, row: int, cells: Sequence[Value]) -> None:
        playing = [
            (name, own)
            for name, own in self._players
            if not all(is_empty(_value(cells, column)) for column in own.values())
        ]
        if not playing:
            return  # printed in advance and not played, or a line between two games
        draft = self._draft(row, cells)
        if is_total(text_of(_value(cells, self._fields["round"]))):
            self._take_totals(draft, row, cells, playing)
            return
        number = self._round_number(draft, row, cells)
        if number is None:
            return
        if (first := draft.rounds.get(number)) is not None:
            problem = rules.Problem.of("round_twice", round=number, first=first.row)
            draft.refuse(problem, row, self._fields["round"])
            return
        entry = self._round(draft, number, row, cells)
        for name, own in playing:
            entry.cells[draft.seat(name, row, own["bid"])] = self._cell(draft, row, cells, own)

    def _take_totals(
        self, draft: Draft, row: int, cells: Sequence[Value], playing: Sequence[tuple[str, Mapping[str, FoundColumn]]]
    ) -> None:
        for name, own in playing:
            columns = {"points": own.get("points") or own.get("total"), "place": own.get("place")}
            told = {field: self._read(draft, whole_number, row, cells, column) for field, column in columns.items()}
            if any(number is not None for number in told.values()):
                found = {field: column for field, column in columns.items() if column is not None}
                draft.results[draft.seat(name, row, own["bid"])] = DraftResult(row, found, **told)

    def _take_result(self, row: int, cells: Sequence[Value]) -> None:
        draft = self._draft(row, cells)
        place = self._seat(draft, row, cells)
        if place is None:
            return
        if (first := draft.results.get(place)) is not None:
            problem = rules.Problem.of("player_twice_in_game", name=quoted(draft.names[place]), first=first.row)
            draft.refuse(problem, row, self._fields["player"])
            return
        draft.results[place] = self._result(draft, row, cells, self._fields)

    def _take_game(self, row: int, cells: Sequence[Value]) -> None:
        head = (self._fields.get("date"), self._fields.get("game"))
        if any(is_total(text_of(_value(cells, column))) for column in head if column is not None):
            self.warnings.append(at(rules.Problem.of("line_unread"), row))
            return
        draft = self._draft(row, cells, alone=True)
        for name, own in self._players:
            if not is_empty(_value(cells, own.get("points"))):
                place = draft.seat(name, row, own["points"])
                draft.results[place] = self._result(draft, row, cells, own)

    # -- what the layouts have in common

    def _draft(self, row: int, cells: Sequence[Value], *, alone: bool = False) -> Draft:
        """Return the draft of the game of a line, by label and day; where these are empty, the line above has them."""
        label = text_of(_value(cells, self._fields.get("game")))
        when = _value(cells, self._fields.get("date"))
        self._label = label or self._label
        if not is_empty(when):
            self._when = when
        moment = self._moment(self._when)
        key: object = (self._label, moment if isinstance(moment, Moment) else self._when)
        draft = self.drafts.get(row if alone else key)
        if draft is None:
            if len(self.drafts) == MOST_GAMES:
                raise Refused(rules.Problem.of("too_many_games", most=MOST_GAMES), row)
            draft = self.drafts[row if alone else key] = Draft(row, label=quoted(self._label))
            if isinstance(moment, rules.Problem):
                draft.has_bad_day = True
                draft.refuse(moment, row, self._fields["date"])
            else:
                draft.moment = moment
        self._take_remarks(draft, row, cells)
        return draft

    def _take_remarks(self, draft: Draft, row: int, cells: Sequence[Value]) -> None:
        draft.note = draft.note or text_of(_value(cells, self._fields.get("note")))
        words = text_of(_value(cells, self._fields.get("rules")))
        if words and not draft.house_words:
            draft.house_words, draft.house_at = words, (row, self._fields["rules"])
        elif words and words != draft.house_words:
            self._conflict(draft, row, self._fields["rules"], words, draft.house_words)
        if len(cells) > self._widest or self._without_header:
            beyond = [*self._without_header, *range(self._widest, len(cells))]
            for index in beyond:
                if index < len(cells) and not is_empty(cells[index]):
                    problem = rules.Problem.of("cell_without_header", typed=quoted(cells[index]))
                    draft.refuse(problem, row, letter_of(index))
                    break

    def _moment(self, value: Value) -> Moment | rules.Problem | None:
        if value not in self._moments:
            try:
                now, zone = self.reading.now, self.reading.time_zone
                self._moments[value] = moment_of(value, now=now, time_zone=zone)
            except Unreadable as unreadable:
                self._moments[value] = unreadable.problem
        return self._moments[value]

    def _read(
        self, draft: Draft, read: Callable[[Value], _T], row: int, cells: Sequence[Value], column: FoundColumn | None
    ) -> _T | None:
        """Return what is in a cell, None if there is no such column; what cannot be read is refused."""
        if column is None:
            return None
        try:
            return read(_value(cells, column))
        except Unreadable as unreadable:
            draft.refuse(unreadable.problem, row, column)
            return read("0")  # the game is refused: it need not be said as well that this is missing

    def _round_number(self, draft: Draft, row: int, cells: Sequence[Value]) -> int | None:
        column = self._fields["round"]
        problems = len(draft.problems)
        number = self._read(draft, whole_number, row, cells, column)
        if number is None:
            draft.refuse(rules.Problem.of("round_number_missing"), row, column)
        elif 1 <= number <= MOST_ROUNDS:
            return number
        elif len(draft.problems) == problems:
            draft.refuse(rules.Problem.of("round_out_of_range", round=number, most=MOST_ROUNDS), row, column)
        return None

    def _seat(self, draft: Draft, row: int, cells: Sequence[Value]) -> int | None:
        column = self._fields["player"]
        name = text_of(_value(cells, column))
        if not name:
            draft.refuse(rules.Problem.of("name_missing"), row, column)
            return None
        if len(draft.names) == _MOST_NAMES and folded(name) not in draft.places:
            return None  # that it is too many of them is said once, of the game
        return draft.seat(name, row, column)

    def _round(self, draft: Draft, number: int, row: int, cells: Sequence[Value]) -> DraftRound:
        """Return the round that a line is of, with what the line says of the round as a whole."""
        entry = draft.rounds.setdefault(number, DraftRound(row, columns=self._fields))
        for field in ("cards", "bombs"):
            column = self._fields.get(field)
            told, known = self._read(draft, whole_number, row, cells, column), getattr(entry, field)
            if told is None:
                continue
            if known is None:
                setattr(entry, field, told)
            elif told != known:
                self._conflict(draft, row, column, told, known)
        dealer = text_of(_value(cells, self._fields.get("dealer")))
        if dealer and entry.dealer and folded(dealer) != folded(entry.dealer):
            self._conflict(draft, row, self._fields["dealer"], dealer, entry.dealer)
        entry.dealer = entry.dealer or dealer
        return entry

    def _cell(self, draft: Draft, row: int, cells: Sequence[Value], columns: Mapping[str, FoundColumn]) -> DraftCell:
        told = {
            field: self._read(draft, whole_number, row, cells, columns.get(field))
            for field in ("bid", "tricks", "points", "total", "cloud")
        }
        told["cloud"] = told["cloud"] or None
        return DraftCell(row, columns, blind=bool(self._read(draft, mark, row, cells, columns.get("blind"))), **told)

    def _result(
        self, draft: Draft, row: int, cells: Sequence[Value], columns: Mapping[str, FoundColumn]
    ) -> DraftResult:
        points = self._read(draft, whole_number, row, cells, columns.get("points"))
        place = self._read(draft, whole_number, row, cells, columns.get("place"))
        return DraftResult(row, columns, points=points, place=place)

    def _conflict(self, draft: Draft, row: int, column: object, told: object, known: object) -> None:
        draft.refuse(rules.Problem.of("told_twice", told=quoted(told), known=quoted(known)), row, column)


def _value(cells: Sequence[Value], column: FoundColumn | None) -> Any:
    """Return what stands in a column of a line; None beyond its end, and for no column."""
    return cells[column.index] if column is not None and column.index < len(cells) else None
