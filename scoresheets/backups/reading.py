"""Reading a backup: nothing of it is believed before all of it is checked."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from scoresheets.backups.format import (
    CHECKSUM_LENGTH,
    MANIFEST,
    BackupError,
    Manifest,
    Table,
    manifest_from,
    row_of,
)
from scoresheets.backups.writing import BLOCK, checksum_of

MOST_MANIFEST = 4 * 1024 * 1024
#: The longest row: a file that was sent in to be imported has 10 MB, which is 14 as base64.
MOST_LINE = 64 * 1024 * 1024
_FIRST_BYTES = b"PK\x03\x04"
#: What the archive's reader raises at bytes that are none of an archive.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, LookupError, RuntimeError, NotImplementedError)


class Backup:
    """A backup that is whole: its manifest, and the rows of its tables."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self.manifest = manifest
        self._archive = archive

    def rows(self, table: Table) -> Iterator[list[Any]]:
        """Return a table's rows in order, each with one value a column. Raises `BackupError`."""
        # The archive's own reader finds lines slowly.
        with self._archive.open(table.member) as member, io.BufferedReader(member, BLOCK) as lines:  # type: ignore[type-var]
            while line := lines.readline(MOST_LINE):
                try:
                    row = row_of(line)
                except (ValueError, RecursionError):
                    raise BackupError(f"A row of {table.name} is not readable.") from None
                if len(row) != len(table.columns):
                    raise BackupError(f"A row of {table.name} has {len(row)} values for {len(table.columns)} columns.")
                yield row


@contextmanager
def opened(path: Path) -> Iterator[Backup]:
    """Open a backup once every byte of it is checked: nothing is unpacked, and memory stays small.

    Raises `BackupError` for whatever is not a whole, unaltered backup.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from None
    with file:
        try:
            backup = _checked(file, path)
        except _UNREADABLE as error:
            raise BackupError(f"{path} is no readable backup: {error}.") from None
        except OSError as error:
            raise BackupError(f"{path} cannot be read: {error.strerror or error}.") from None
        yield backup


def _checked(file: IO[bytes], path: Path) -> Backup:
    if file.read(len(_FIRST_BYTES)) != _FIRST_BYTES:
        raise BackupError(f"{path} is no backup of this site.")
    end = file.seek(0, os.SEEK_END) - CHECKSUM_LENGTH
    checksum = checksum_of(file, max(end, 0))
    if end < 0 or file.read(CHECKSUM_LENGTH) != checksum.encode("ascii"):
        raise BackupError(f"{path} was cut off or altered: its checksum is another one.")
    archive = zipfile.ZipFile(file)
    names = sorted(archive.namelist())
    if MANIFEST not in names:
        raise BackupError(f"{path} is no backup of this site: it has no manifest.")
    with archive.open(MANIFEST) as member:
        text = member.read(MOST_MANIFEST + 1)
    if len(text) > MOST_MANIFEST:
        raise BackupError(f"{path} is no backup of this site: its manifest is too long.")
    manifest = manifest_from(text)
    if names != sorted([MANIFEST, *(table.member for table in manifest.tables)]):
        raise BackupError(f"{path} does not hold just what its manifest tells of.")
    for table in manifest.tables:
        _check(archive, table)
    return Backup(archive, manifest)


def _check(archive: zipfile.ZipFile, table: Table) -> None:
    digest, size, rows = hashlib.sha256(), 0, 0
    with archive.open(table.member) as member:
        # A part that unpacks to more than it should is not unpacked to its end.
        while size <= table.size and (block := member.read(BLOCK)):
            digest.update(block)
            size += len(block)
            rows += block.count(b"\n")
    if (size, rows, digest.hexdigest()) != (table.size, table.rows, table.sha256):
        raise BackupError(f"The rows of {table.name} are not those that the manifest tells of.")
