"""Making a backup of the database as it is at one moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from scoresheets.backups import tables, writing
from scoresheets.backups.format import BackupError, Head, Manifest

_NAMED = re.compile(r"tafelrunde-\d{8}T\d{6}Z\.zip")


def name_at(moment: datetime) -> str:
    """Return the name that a backup of this moment (UTC) has in a folder: their order is that of their moments."""
    return f"tafelrunde-{moment:%Y%m%dT%H%M%SZ}.zip"


def back_up(
    path: Path, *, moment: datetime | None = None, say: Callable[[str], None] = lambda _table: None
) -> Manifest:
    """Write all that the site stores to a new file, as it is at one moment, while others go on writing.

    `say` is told the name of each table before it is read. Raises `BackupError`; then there is no file.
    """
    with tables.one_moment():
        migrations = tables.applied_migrations()
        if not migrations:
            raise BackupError("There is nothing to back up: the database has no tables.")
        found = tables.backed_up(tables.models_at(migrations))
        head = Head(settings.RELEASE, connection.vendor, moment or timezone.now(), migrations)

        def parts() -> Iterator[tuple[str, Sequence[str], Iterator[tuple[Any, ...]]]]:
            for name, model in found.items():
                say(name)
                columns = tables.columns_of(model)
                yield name, columns, tables.rows_of(model, columns)

        return writing.write(path, head, parts())


def forget_older(folder: Path, keep: int) -> list[Path]:
    """Delete all but the newest `keep` backups that are named by `name_at` in a folder, and return those deleted."""
    named = sorted(path for path in folder.iterdir() if _NAMED.fullmatch(path.name))
    older = named[: max(len(named) - keep, 0)]
    for path in older:
        path.unlink()
    return older
