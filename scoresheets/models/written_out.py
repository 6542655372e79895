"""Whole rows, read with statements that are written out.

Pages and writes make some reads every time, and Django takes longer to word such a statement, or to match what a raw
one returns to a model, than the database takes to run it. What a model's columns are, and how their values are
converted, is worked out once for each connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, Model

M = TypeVar("M", bound=Model)
N = TypeVar("N", bound=Model)


class _Columns(NamedTuple):
    """A model's columns: as they stand behind SELECT, their fields' names, and what converts the value of which."""

    selected: str
    names: list[str]
    converters: Sequence[tuple[int, Callable[..., Any], Expression]]


#: Where a connection keeps the columns of models. Its converters refer to it: kept elsewhere they would keep it alive.
_KEPT = "_tafelrunde_columns"


def read_all(model: type[M], rest: str, values: Sequence[Any]) -> list[M]:
    """Return the rows of a model's table, `rest` being what stands behind its name: "WHERE id = %s" (1 statement).

    Only the values may come from outside.
    """
    return [row for row, _more in read_joined(model, "", f"{model._meta.db_table} {rest}", values)]


def read_one(model: type[M], rest: str, values: Sequence[Any]) -> M | None:
    """Return the first of the rows that `read_all` returns, None without one (1 statement)."""
    return next(iter(read_all(model, rest, values)), None)


def read_joined(model: type[M], more: str, source: str, values: Sequence[Any]) -> Iterator[tuple[M, tuple[Any, ...]]]:
    """Yield rows of a model's table with `more` columns, ", link.id", as the database returns them (1 statement).

    `source` is what stands behind FROM; the model's table goes by its own name there.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    columns = _columns_of(model, connection)
    width = len(columns.names)
    for row in _fetched(connection, f"{columns.selected}{more}", source, values):
        yield _made(model, columns, row[:width], connection), row[width:]


def read_pairs(model: type[M], other: type[N], source: str, values: Sequence[Any]) -> list[tuple[M, N]]:
    """Return rows of two models' tables side by side (1 statement).

    `source` is what stands behind FROM; both tables go by their own names there.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    columns, others = _columns_of(model, connection), _columns_of(other, connection)
    width = len(columns.names)
    return [
        (_made(model, columns, row[:width], connection), _made(other, others, row[width:], connection))
        for row in _fetched(connection, f"{columns.selected}, {others.selected}", source, values)
    ]


def _fetched(
    connection: BaseDatabaseWrapper, selected: str, source: str, values: Sequence[Any]
) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {selected} FROM {source}", values)  # noqa: S608
        return cursor.fetchall()


def _made(model: type[M], columns: _Columns, row: Sequence[Any], connection: BaseDatabaseWrapper) -> M:
    values = list(row)
    for number, convert, column in columns.converters:
        values[number] = convert(values[number], column, connection)
    return model.from_db(connection.alias, columns.names, values)


def _columns_of(model: type[Model], connection: BaseDatabaseWrapper) -> _Columns:
    known: dict[type[Model], _Columns] = vars(connection).setdefault(_KEPT, {})
    columns = known.get(model)
    if columns is None:
        table, fields = model._meta.db_table, model._meta.concrete_fields
        converters = []
        for number, field in enumerate(fields):
            column = field.get_col(table)
            for convert in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection)):
                converters.append((number, convert, column))
        selected = ", ".join(f"{table}.{field.column}" for field in fields)
        columns = known[model] = _Columns(selected, [field.attname for field in fields], converters)
    return columns
