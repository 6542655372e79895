"""Writing very many rows: in the way of each database that is fastest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def copy_rows(model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows, given by column, values as the database driver takes them."""
    if not rows:
        return
    table = model._meta.db_table
    named = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({named}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        places = ", ".join(["%s"] * len(columns))
        # Plain tuples are bound faster than named ones.
        cursor.executemany(f"INSERT INTO {table} ({named}) VALUES ({places})", list(map(tuple, rows)))  # noqa: S608


def stored_rows(model: type[models.Model], columns: Sequence[str], where: str, values: Iterable[Any]) -> list[Any]:
    """Return rows by column, as the database driver gives them."""
    named = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {named} FROM {model._meta.db_table} WHERE {where}", list(values))  # noqa: S608
        return cursor.fetchall()
