"""Writing tallies: adding to rows that others may add to, in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection, models

from scoresheets.models import BidTally, BidTotal, CardsTally, PairTally, PositionTally


class Table(NamedTuple):
    """A table of tallies: its key, and its columns; the first column counts, a row without any is taken away."""

    model: type[models.Model]
    key: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.model._meta.db_table


CARDS = Table(CardsTally, ("player_id", "players", "cards"), ("bids", "exact", "points_sum"))
BIDS = Table(BidTally, ("player_id", "bid", "taken"), ("bids", "points_sum"))
POSITIONS = Table(PositionTally, ("player_id", "players", "after_dealer"), ("bids", "exact", "points_sum"))
PAIRS = Table(PairTally, ("player_id", "opponent_id"), ("games", "above", "below"))
TOTALS = Table(
    BidTotal,
    ("scope", "players", "cards", "bid", "last", "bound"),
    ("bids", "exact", "points_sum", "missed_by"),
)
TABLES = (CARDS, BIDS, POSITIONS, PAIRS, TOTALS)


def add_to(table: Table, rows: Mapping[tuple[Any, ...], Sequence[int]]) -> None:
    """Add to the rows of a table, or take away from them (1 statement to add, at most 3 otherwise).

    Rows are locked in the order of their keys.
    """
    # What cannot stand as a row of its own takes something away from one that is there.
    new = {key: row for key, row in sorted(rows.items()) if _may_stand_alone(table, row)}
    less = {key: row for key, row in sorted(rows.items()) if key not in new}
    if new:
        _upsert(table, new)
    if less:
        _update(table, less)
        _delete_empty(table, less)


def _may_stand_alone(table: Table, row: Sequence[int]) -> bool:
    amounts = dict(zip(table.columns, row, strict=True))
    amounts.pop("points_sum", None)
    count = row[0]
    if count <= 0 or min(amounts.values()) < 0 or amounts.get("exact", 0) > count:
        return False
    return amounts.get("above", 0) + amounts.get("below", 0) <= count


def _placeholders(rows: Mapping[tuple[Any, ...], Sequence[int]]) -> tuple[str, list[Any]]:
    values = [[*key, *row] for key, row in rows.items()]
    group = f"({', '.join(['%s'] * len(values[0]))})"
    return ", ".join([group] * len(values)), [value for row in values for value in row]


def _upsert(table: Table, rows: Mapping[tuple[Any, ...], Sequence[int]]) -> None:
    places, values = _placeholders(rows)
    named = ", ".join(f'"{name}"' for name in (*table.key, *table.columns))
    added = ", ".join(f'"{name}" = {table.name}."{name}" + excluded."{name}"' for name in table.columns)
    key = ", ".join(f'"{name}"' for name in table.key)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table.name} ({named}) VALUES {places} ON CONFLICT ({key}) DO UPDATE SET {added}",  # noqa: S608
            values,
        )


def _update(table: Table, rows: Mapping[tuple[Any, ...], Sequence[int]]) -> None:
    places, values = _placeholders(rows)
    start = len(table.key) + 1
    added = ", ".join(
        f'"{name}" = {table.name}."{name}" + less.column{place}' for place, name in enumerate(table.columns, start)
    )
    where = " AND ".join(f'{table.name}."{name}" = less.column{place}' for place, name in enumerate(table.key, 1))
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table.name} SET {added} FROM (VALUES {places}) AS less WHERE {where}",  # noqa: S608
            values,
        )


def _delete_empty(table: Table, rows: Mapping[tuple[Any, ...], Sequence[int]]) -> None:
    first, count = table.key[0], table.columns[0]
    table.model._default_manager.filter(**{f"{first}__in": {key[0] for key in rows}, count: 0}).delete()
