"""Writing very many rows: COPY on PostgreSQL, executemany on SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Max

#: What SQLite keeps of its pages in memory meanwhile, in KiB.
SQLITE_CACHE = 512 * 1024


class Table:
    """Rows of one model that are collected, and written by `write`.

    `varying` are the attributes that each row gives, the id first; all others are as in `fixed`, or the model's
    default. What a row gives goes to the database as it is: JSON as text, moments as `moment` returns them.
    """

    def __init__(self, model: type[models.Model], *varying: str, **fixed: Any) -> None:
        fields = {field.attname: field for field in model._meta.concrete_fields}
        others = {name: field for name, field in fields.items() if name not in varying}
        self.model = model
        self.columns = [fields[name].column for name in (*varying, *others)]
        self.constants = tuple(
            field.get_db_prep_save(fixed.get(name, field.get_default()), connection) for name, field in others.items()
        )
        self.rows: list[tuple[Any, ...]] = []
        self.next_id = (model._default_manager.aggregate(newest=Max("pk"))["newest"] or 0) + 1

    def take_ids(self, count: int) -> range:
        """Return the next `count` ids that no row has."""
        ids = range(self.next_id, self.next_id + count)
        self.next_id += count
        return ids

    def write(self) -> None:
        """Write the rows collected, in the caller's transaction, and forget them."""
        name, columns = self.model._meta.db_table, ", ".join(self.columns)
        constants = self.constants
        rows = (row + constants for row in self.rows)
        connection.ensure_connection()
        if connection.vendor == "postgresql":
            with connection.connection.cursor() as cursor, cursor.copy(f"COPY {name} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            places = ", ".join("?" * len(self.columns))
            connection.connection.executemany(f"INSERT INTO {name} ({columns}) VALUES ({places})", rows)
        self.rows.clear()


def moment(value: Any) -> Any:
    """Return a moment, with its time zone, as rows of a `Table` give it."""
    return connection.ops.adapt_datetimefield_value(value)


def day(value: Any) -> Any:
    """Return a date as rows of a `Table` give it."""
    return connection.ops.adapt_datefield_value(value)


def continue_ids(*written: type[models.Model]) -> None:
    """Let the database give the next row of each model an id that is free (SQLite looks by itself)."""
    from django.core.management.color import no_style

    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), written):
            cursor.execute(statement)


@contextmanager
def quickly(*written: type[models.Model]) -> Iterator[None]:
    """Make one transaction in which very many rows of these models are written quickly.

    References are not looked up row by row, but all at once (PostgreSQL, which refuses wrong ones) or not at all
    (SQLite). A machine that stops meanwhile leaves a broken SQLite file.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            references = _drop_references(cursor, written)
            yield
            for table, name, definition in references:
                cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
        learn()
        return
    with connection.cursor() as cursor:
        for pragma in ("foreign_keys=OFF", "journal_mode=MEMORY", "synchronous=OFF", f"cache_size=-{SQLITE_CACHE}"):
            cursor.execute(f"PRAGMA {pragma}")
    try:
        with transaction.atomic():
            yield
    finally:
        # The next connection begins with the pragmas of the settings.
        connection.close()


def learn() -> None:
    """Let PostgreSQL learn what its tables hold now, as it does by itself a while later; SQLite does not ask."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")


def _drop_references(cursor: Any, written: tuple[type[models.Model], ...]) -> list[tuple[str, str, str]]:
    """Drop the foreign keys of these models' tables and return what makes them anew: table, name, definition."""
    cursor.execute(
        "SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint"
        " JOIN pg_class ON pg_class.oid = conrelid WHERE contype = 'f' AND relname = ANY(%s)",
        [[model._meta.db_table for model in written]],
    )
    found: list[tuple[str, str, str]] = cursor.fetchall()
    for table, name, _definition in found:
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    return found
