"""Names in what is kept of imports: taken out for somebody who becomes anonymous."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import QuerySet

from scoresheets.models import Import, ImportedGame
from scoresheets.recording.names import pattern_of
from scoresheets.recording.receipts import scrubbed


def scrub_imports(club_id: int, names: Collection[str], neutral: str) -> None:
    """Put a neutral name where one of these stands as a word in what is kept of the club's imports.

    Files that nobody has decided about yet are forgotten: the names may be in them.
    """
    pattern = pattern_of(names)
    imports = Import.objects.filter(club=club_id)
    imports.filter(state=Import.State.CHECKED).delete()
    _scrub(imports, ["file_name", "choices"], pattern, neutral)
    games = ImportedGame.objects.filter(of_import__club=club_id)
    _scrub(games, ["notes"], pattern, neutral)
    _scrub(games.filter(state=ImportedGame.State.WAITING), ["sheet"], pattern, neutral)


def _scrub(rows: QuerySet[Any], fields: Sequence[str], pattern: re.Pattern[str], neutral: str) -> None:
    changed = []
    for row in rows.only(*fields).iterator(chunk_size=200):
        clean = {name: scrubbed(getattr(row, name), pattern, neutral) for name in fields}
        if any(getattr(row, name) != value for name, value in clean.items()):
            for name, value in clean.items():
                setattr(row, name, value)
            changed.append(row)
    rows.model.objects.bulk_update(changed, fields, batch_size=200)
