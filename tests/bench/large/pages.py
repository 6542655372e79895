"""What the pages of a club with very many games ask of the database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.bench.large.club import Big

#: A name of a table that holds bids; tallies of bids have longer names.
BIDS = re.compile(r"\bscoresheets_bid\b")

#: How statements that only read begin.
READS = ("SELECT", "WITH")


def standings_path(big: Big) -> str:
    """Return the address of the table of the season over all years."""
    return f"/clubs/{big.club}/seasons/{big.season}/"


def lifetime_path(big: Big) -> str:
    """Return the address of the lifetime of the busiest player."""
    return f"/clubs/{big.club}/players/{big.busiest}/statistics/"


def filtered_path(big: Big) -> str:
    """Return the same page with a filter that all games of the player pass."""
    return f"{lifetime_path(big)}?since=2000-01-01"


@dataclass(frozen=True, slots=True)
class Page:
    """A page as anybody gets it: its statements, its bytes, and the most rows that one of its statements read.

    `read_exactly` says whether the database told the number of rows; otherwise they are the rows returned.
    """

    path: str
    status: int
    statements: int
    size: int
    rows: int
    read_exactly: bool
    reads_bids: bool


def look(path: str) -> Page:
    """Fetch a page within the process and return what it took."""
    client = Client(raise_request_exception=False, headers={"host": "127.0.0.1"})
    client.get(path)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(path)
    statements = [query["sql"] for query in captured.captured_queries]
    return Page(
        path=path,
        status=answer.status_code,
        statements=len(statements),
        size=len(answer.content),
        rows=max((_rows_read(statement) for statement in statements if statement.startswith(READS)), default=0),
        read_exactly=connection.vendor == "postgresql",
        reads_bids=any(BIDS.search(statement) for statement in statements),
    )


def _rows_read(statement: str) -> int:
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute(statement)
            return len(cursor.fetchall())
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
        (plan,) = cursor.fetchone()
    (told,) = json.loads(plan) if isinstance(plan, str) else plan
    return round(sum(_rows_of(node) for node in _nodes(told["Plan"])))


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for part in node.get("Plans", ()):
        yield from _nodes(part)


def _rows_of(node: dict[str, Any]) -> float:
    """Return how many rows a step of a plan took from a table, those it then left out too."""
    if "Relation Name" not in node:
        return 0
    left_out = ("Rows Removed by Filter", "Rows Removed by Index Recheck")
    return float(node["Actual Loops"] * (node["Actual Rows"] + sum(node.get(name, 0) for name in left_out)))
