"""Reading a JSON file piece by piece: no more of it is in memory than its largest piece."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

import rules
from scoresheets.club_files.shapes import FileProblem

#: So many bytes are read at a time.
_CHUNK = 64 * 1024
#: The longest piece, in characters: a game of very many entries has a tenth of it.
_MOST_OF_A_PIECE = 8 * 1024 * 1024
_SPACE = " \t\r\n"


class Unreadable(Exception):
    """The file is not what it should be from some place on: nothing behind it was looked at."""

    def __init__(self, path: str, code: str, **params: int | str) -> None:
        super().__init__(path, code)
        self.problem = FileProblem(path, rules.Problem.of(code, **params))


class JsonFile:
    """A JSON object in a file, taken from the front: its names in their order, lists item by item.

    Everything here raises `Unreadable` (`club_file_large`; `club_file_json` with the line: no JSON, not UTF-8, a name
    twice in one object, NaN, half characters, nested too deep).
    """

    def __init__(self, file: BinaryIO, *, most_bytes: int) -> None:
        self._file, self._most_bytes = file, most_bytes
        self._bytes, self._line = 0, 1
        self._text, self._place, self._is_whole = "", 0, False
        # A byte order mark is no part of the text.
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._json = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
        self._path = "$"

    def members(self) -> Iterator[str]:
        """Return the names of the object one after the other; take the value of each before the next.

        After the last one nothing may follow.
        """
        self._take("{")
        if self._next() != "}":
            while True:
                self._path = "$"
                name = self._piece()
                if not isinstance(name, str):
                    raise self._broken()
                self._take(":")
                self._path = f"$.{name[:40]}"
                yield name
                if self._next() != ",":
                    break
                self._take(",")
        self._take("}")
        self._path = "$"
        if self._next():
            raise self._broken()

    def value(self) -> Any:
        """Return the whole value of the name that is due."""
        return self._piece()

    def items(self) -> Iterator[Any]:
        """Return the items of the list that is due, one after the other."""
        path, number = self._path, 0
        if self._next() != "[":
            raise Unreadable(path, "club_file_type", expected="list")
        self._take("[")
        if self._next() != "]":
            while True:
                self._path = f"{path}[{number}]"
                yield self._piece()
                number += 1
                if self._next() != ",":
                    break
                self._take(",")
        self._take("]")

    def _next(self) -> str:
        """Return the next character that is no space, "" at the end."""
        while True:
            while self._place < len(self._text):
                character = self._text[self._place]
                if character not in _SPACE:
                    return character
                self._line += character == "\n"
                self._place += 1
            if not self._fill():
                return ""

    def _take(self, expected: str) -> None:
        if self._next() != expected:
            raise self._broken()
        self._place += 1

    def _piece(self) -> Any:
        self._next()
        wanted = _CHUNK
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._place)
            except json.JSONDecodeError:
                if self._is_whole:
                    raise self._broken() from None
            except (ValueError, RecursionError):
                raise self._broken() from None
            else:
                # At the end of what was read a number may go on.
                if end < len(self._text) or self._is_whole:
                    return self._decoded(value, end)
            if len(self._text) - self._place > _MOST_OF_A_PIECE:
                raise self._broken()
            # Twice as much at each try, so that a long piece is not read again and again.
            wanted *= 2
            while len(self._text) - self._place < wanted and self._fill():
                pass

    def _decoded(self, value: Any, end: int) -> Any:
        taken = self._text[self._place : end]
        if "\\u" in taken:
            try:
                json.dumps(value, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise self._broken() from None
        self._line += taken.count("\n")
        self._place = end
        return value

    def _fill(self) -> bool:
        """Read some more and say whether there was any."""
        if self._is_whole:
            return False
        read = self._file.read(_CHUNK)
        self._bytes += len(read)
        if self._bytes > self._most_bytes:
            raise Unreadable("$", "club_file_large", most=self._most_bytes // 1024**2)
        try:
            text = self._decoder.decode(read, final=not read)
        except UnicodeDecodeError:
            raise self._broken() from None
        self._is_whole = not read
        self._text, self._place = self._text[self._place :] + text, 0
        return bool(read)

    def _broken(self) -> Unreadable:
        return Unreadable(self._path, "club_file_json", line=self._line)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(name)
