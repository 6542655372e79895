"""Writing a backup: whole, or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from scoresheets.backups.format import (
    CHECKSUM_LENGTH,
    MANIFEST,
    BackupError,
    Head,
    Manifest,
    Table,
    line_of,
    manifest_text,
    member_of,
)

#: Quick rather than small: the next levels take twice the time for a tenth less.
LEVEL = 4
BLOCK = 1 << 20
#: What file systems answer that know no second name for a file.
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


def write(path: Path, head: Head, tables: Iterable[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]) -> Manifest:
    """Write a backup of these tables, each with its name, columns and rows, and return its manifest.

    The file appears under its name when it is whole and on the disk, readable by its owner alone. One that is there
    already is never touched. Raises `BackupError`; then there is no file.
    """
    if path.exists():
        raise BackupError(f"{path} is there already. Name another file: a backup is never written over.")
    try:
        with _new_file(path) as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
                written = tuple(_add(archive, *table) for table in tables)
                manifest = Manifest(head, written)
                _write_member(archive, MANIFEST, [manifest_text(manifest).encode()])
                archive.comment = b"0" * CHECKSUM_LENGTH
            _close_with_checksum(file)
    except FileExistsError:
        raise BackupError(f"{path} is there already. Name another file: a backup is never written over.") from None
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror or error}.") from error
    return manifest


def _add(archive: zipfile.ZipFile, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    digest, count, size = hashlib.sha256(), 0, 0

    def lines() -> Iterator[bytes]:
        nonlocal count, size
        for row in rows:
            line = line_of(row)
            count += 1
            size += len(line)
            digest.update(line)
            yield line

    _write_member(archive, member_of(name), lines())
    return Table(name, tuple(columns), count, size, digest.hexdigest())


def _write_member(archive: zipfile.ZipFile, name: str, lines: Iterable[bytes]) -> None:
    # How much it will be is not known yet.
    with archive.open(name, "w", force_zip64=True) as member:
        block = bytearray()
        for line in lines:
            block += line
            if len(block) >= BLOCK:
                member.write(block)
                block.clear()
        member.write(block)


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that gets its name once it is whole and on the disk, and is gone if it does not come to that."""
    handle, unfinished = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _name(unfinished, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _name(unfinished: str, path: Path) -> None:
    """Give the file its name, unless somebody else has taken it meanwhile."""
    try:
        # Unlike a rename, this never takes the place of another file.
        os.link(unfinished, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if path.exists():
            raise FileExistsError from None
        os.rename(unfinished, path)


def _close_with_checksum(file: IO[bytes]) -> None:
    end = file.seek(-CHECKSUM_LENGTH, os.SEEK_END)
    checksum = checksum_of(file, end)
    file.seek(end)
    file.write(checksum.encode("ascii"))


def checksum_of(file: IO[bytes], end: int) -> str:
    """Return the SHA-256 of the file's first `end` bytes in hexadecimal digits."""
    digest = hashlib.sha256()
    file.seek(0)
    while end > 0 and (block := file.read(min(end, BLOCK))):
        digest.update(block)
        end -= len(block)
    return digest.hexdigest()
