"""What has changed in a club's games since somebody asked last: no entry is ever passed over."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Max, Min

from scoresheets.models import Entry, Game
from scoresheets.queries.games import entries_told_in

#: So many entries of the whole site are looked through at once: it bounds what a request costs.
MOST_LOOKED_AT = 20_000
#: So many games of a club may begin at the same moment: the first entry is then that of any of them.
MOST_AT_ONCE = 50
#: How long to wait for writers that have not ended (seconds), and how long between two looks.
LONGEST_WAIT = 2.0
LOOKS_EVERY = 0.01


@dataclass(frozen=True, slots=True)
class Changes:
    """Entries as dicts of `queries.games.TOLD`, by id; where to go on from; whether there is more at once."""

    rows: Sequence[dict[str, Any]]
    next_since: int
    has_more: bool


def changes_of(club_id: int, since: int, *, most: int) -> Changes:
    """Return the first `most` entries of a club's games after `since` (2 statements while nobody writes).

    Ids are given out in order, but on PostgreSQL an entry with a lower id may be committed later: so it goes only as
    far as no writer can come in between any more. Where one takes too long, nothing new is told for now.
    """
    settled = settled_id()
    if settled is None or settled <= since:
        return Changes((), since, has_more=False)
    until = min(settled, since + MOST_LOOKED_AT)
    rows = list(entries_told_in(club_id, since, until)[: most + 1])
    if len(rows) > most:
        return Changes(rows[:most], rows[most - 1]["id"], has_more=True)
    return Changes(rows, until, has_more=until < settled)


def beginning(club_id: int) -> int:
    """Return from where on a club's entries are told from their beginning (1 statement)."""
    games = Game.objects.filter(club=club_id).order_by("pk").values("pk")[:MOST_AT_ONCE]
    found = Entry.objects.filter(game__in=games).aggregate(first=Min("pk"))
    first: int | None = found["first"]
    return 0 if first is None else first - 1


def settled_id() -> int | None:
    """Return an id up to which every entry is there that will ever be; None if a writer has not ended for too long.

    On SQLite that is the newest one, for only one transaction writes at a time (1 statement). On PostgreSQL whoever
    has taken an id from the sequence holds a lock on the table from before that until its transaction ends: those that
    hold one after the newest id was read are waited for.
    """
    if connection.vendor != "postgresql":
        newest: int | None = Entry.objects.aggregate(newest=Max("pk"))["newest"]
        return newest or 0
    with connection.cursor() as cursor:
        # The snapshot, which the newest id is of, is taken before the locks are looked at.
        cursor.execute(f"SELECT (SELECT max(id) FROM scoresheets_entry), array({_WRITERS})")  # noqa: S608
        newest, writers = cursor.fetchone()
        ends = time.monotonic() + LONGEST_WAIT
        while writers:
            if time.monotonic() > ends:
                return None
            time.sleep(LOOKS_EVERY)
            cursor.execute(f"{_WRITERS} AND virtualtransaction = ANY(%s)", [writers])
            writers = [writer for (writer,) in cursor.fetchall()]
    return newest or 0


_WRITERS = """
SELECT virtualtransaction FROM pg_locks
WHERE locktype = 'relation' AND relation = 'scoresheets_entry'::regclass AND mode = 'RowExclusiveLock'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND granted AND pid <> pg_backend_pid()
"""
