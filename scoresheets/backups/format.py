"""What a backup is: a zip archive with one file a table and a manifest, closed by the checksum of all of it.

A table's file has one line a row, a JSON list of its values in the order of the manifest's columns; rows are in the
order of their keys. Values are those of the site, not of a database: moments are UTC, bytes are base64, objects have
their keys in order. So the same rows give the same bytes, whichever database they are read from.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

#: Raised when older programs could not read the file any more.
VERSION = 1
MANIFEST = "manifest.json"
#: The archive's comment: the SHA-256 of every byte before it, in hexadecimal digits.
CHECKSUM_LENGTH = 64

_CHECKSUM = re.compile(r"[0-9a-f]{64}")
_TABLE = re.compile(r"[a-z][a-z0-9_]*")


class BackupError(Exception):
    """A backup cannot be made or restored; the message is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a backup: how many rows and bytes its file has, and the SHA-256 of them."""

    name: str
    columns: tuple[str, ...]
    rows: int
    size: int
    sha256: str

    @property
    def member(self) -> str:
        """The name of its file in the archive."""
        return member_of(self.name)


@dataclass(frozen=True, slots=True)
class Head:
    """Where a backup comes from: the release, the kind of database, when (UTC), and the migrations applied there.

    `migrations` are pairs of app and name, in order.
    """

    release: str
    database: str
    made_at: datetime
    migrations: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself: where it comes from, and its tables by name."""

    head: Head
    tables: tuple[Table, ...]

    @property
    def rows(self) -> int:
        """How many rows all tables have."""
        return sum(table.rows for table in self.tables)


def member_of(table: str) -> str:
    """Return the name of a table's file in the archive."""
    return f"tables/{table}.jsonl"


# -- rows -----------------------------------------------------------------------------------------------------------


def _portable(value: object) -> str:
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case UUID() | Decimal():
            return str(value)
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(value).decode("ascii")
    raise TypeError(f"A backup has no way to write {type(value).__name__}.")


_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True, allow_nan=False, default=_portable).encode


def line_of(row: Sequence[Any]) -> bytes:
    """Return a row as a line of its table's file, the end of the line included.

    Raises TypeError or ValueError for values that no column of the site has.
    """
    return f"{_encode(row)}\n".encode("ascii")


def row_of(line: bytes) -> list[Any]:
    """Return the values of a line: as they were, or as texts where JSON has no such value. Raises ValueError."""
    row = json.loads(line)
    if not isinstance(row, list):
        raise ValueError("a row is not a list")
    return row


# -- the manifest ---------------------------------------------------------------------------------------------------


def manifest_text(manifest: Manifest) -> str:
    """Return the manifest as it is stored."""
    head = manifest.head
    told = {
        "format": VERSION,
        "release": head.release,
        "database": head.database,
        "made_at": head.made_at.astimezone(UTC).isoformat(),
        "migrations": [list(pair) for pair in head.migrations],
        "tables": [asdict(table) for table in manifest.tables],
    }
    return json.dumps(told, indent=1)


def manifest_from(text: bytes) -> Manifest:
    """Return the manifest that is stored as this text. Raises `BackupError`."""
    try:
        told = json.loads(text)
        version = told["format"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise BackupError("The backup has no readable manifest.") from None
    if version != VERSION:
        raise BackupError(
            f"The backup is of format {version!r}, and this release reads format {VERSION}: a newer release is needed."
        )
    try:
        return Manifest(
            Head(
                release=_text(told["release"]),
                database=_text(told["database"]),
                made_at=datetime.fromisoformat(told["made_at"]).astimezone(UTC),
                migrations=tuple((_text(app), _text(name)) for app, name in told["migrations"]),
            ),
            tuple(_table(table) for table in told["tables"]),
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        raise BackupError("The backup's manifest is not as this release writes it.") from None


def _table(told: Mapping[str, Any]) -> Table:
    table = Table(
        name=_text(told["name"], _TABLE),
        columns=tuple(_text(column, _TABLE) for column in told["columns"]),
        rows=_count(told["rows"]),
        size=_count(told["size"]),
        sha256=_text(told["sha256"], _CHECKSUM),
    )
    if not table.columns or len(set(table.columns)) != len(table.columns):
        raise ValueError("a table has no columns, or one twice")
    return table


def _text(value: Any, shape: re.Pattern[str] | None = None) -> str:
    if not isinstance(value, str) or (shape is not None and shape.fullmatch(value) is None):
        raise ValueError(f"{value!r} is not such a text")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value
