"""The site's tables as a backup has them: read at one moment, emptied, filled, compared.

All of it follows the migrations that were applied, not the models of the running release: so a database is backed up
before it is brought up to date, and a backup is restored as it was before it is.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from scoresheets.backups.format import BackupError

MIGRATIONS = "django_migrations"
#: Made by a migration, and no model's.
CACHE_TABLE = "cache"
#: Who is signed in where: whoever restores a backup has everybody sign in again.
LEFT_OUT = frozenset({"django_session", "usersessions_usersession"})
#: What migrations put there themselves: an installation that has no more than that is empty.
FILLED_BY_MIGRATIONS = frozenset({"django_content_type", "auth_permission", "auth_group", "auth_group_permissions"})
#: What is there without anybody having stored anything: migrations, attempts counted, sessions.
NEVER_FULL = LEFT_OUT | {MIGRATIONS, CACHE_TABLE}
BATCH = 2_000
#: Rows that are files.
BATCH_OF_FILES = 1


def applied_migrations() -> tuple[tuple[str, str], ...]:
    """Return app and name of each migration applied to the database that the running release knows, in order.

    Raises `BackupError` if a newer release has brought the database further.
    """
    loader = MigrationLoader(connection)
    applied = sorted(loader.applied_migrations or ())
    for app, name in applied:
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations:
            raise BackupError(
                f"The database was brought up to date by a newer release: this one does not know {app}.{name}."
            )
    return tuple(key for key in applied if key in loader.graph.nodes)


def models_at(migrations: Iterable[tuple[str, str]]) -> dict[str, type[models.Model]]:
    """Return the models as they are once exactly these migrations are applied, by the name of their table.

    Raises `BackupError` if the running release does not know one of them.
    """
    loader = MigrationLoader(None)
    nodes = list(migrations)
    for app, name in nodes:
        if (app, name) not in loader.graph.nodes:
            raise BackupError(
                f"It was made by a newer release than this one, which does not know {app}.{name}: update first."
            )
    apps = loader.project_state(nodes).apps
    found = {
        model._meta.db_table: model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and model._meta.app_label in loader.migrated_apps
    }
    return {name: found[name] for name in sorted(found)}


def backed_up(found: Mapping[str, type[models.Model]]) -> dict[str, type[models.Model]]:
    """Return those of the models that a backup has."""
    return {name: model for name, model in found.items() if name not in LEFT_OUT}


def columns_of(model: type[models.Model]) -> tuple[str, ...]:
    """Return the columns of a model in order."""
    return tuple(str(field.column) for field in model._meta.concrete_fields)


@contextmanager
def one_moment() -> Iterator[None]:
    """Read the database as it is now, whatever others write meanwhile; they are not kept waiting.

    Not inside a transaction: that has its own moment already.
    """
    if connection.in_atomic_block:
        raise RuntimeError("A backup needs a transaction of its own.")
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        # Django's own transactions begin as writers, and would keep all others from writing.
        cursor.execute("BEGIN DEFERRED")
        try:
            # The moment is that of the first read.
            cursor.execute("SELECT count(*) FROM sqlite_master")
            yield
        finally:
            cursor.execute("ROLLBACK")


def rows_of(model: type[models.Model], columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Return all rows of a model by column, in the order of its key; few of them are in memory at once."""
    names = {field.column: field.attname for field in model._meta.concrete_fields}
    rows = model._base_manager.order_by("pk").values_list(*(names[column] for column in columns))
    return rows.iterator(chunk_size=_batch_of(model))


def _batch_of(model: type[models.Model]) -> int:
    has_files = any(isinstance(field, models.BinaryField) for field in model._meta.concrete_fields)
    return BATCH_OF_FILES if has_files else BATCH


# -- emptying and filling -------------------------------------------------------------------------------------------


def tables_there(found: Iterable[str]) -> list[str]:
    """Return those of the site's tables, with the ones named, that the database has now."""
    names = {*found, *connection.introspection.django_table_names(), *NEVER_FULL}
    return sorted(names & set(connection.introspection.table_names()))


def first_that_holds(there: Iterable[str]) -> str | None:
    """Return the first of these tables that has rows which no migration has put there; None if all are empty."""
    with connection.cursor() as cursor:
        for table in sorted(set(there) - FILLED_BY_MIGRATIONS - NEVER_FULL):
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return table
    return None


def are_as_of(migrations: Iterable[tuple[str, str]]) -> bool:
    """Say whether exactly these migrations are applied to the database."""
    return set(MigrationRecorder(connection).applied_migrations()) == set(migrations)


def empty(tables: Iterable[str]) -> None:
    """Delete all rows of these tables but what migrations are applied; nobody looks what refers to them."""
    with connection.cursor() as cursor:
        for table in set(tables) - {MIGRATIONS}:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608


def drop(tables: Sequence[str]) -> None:
    """Drop these tables, whatever refers to them."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and tables:
            cursor.execute(f"DROP TABLE {', '.join(map(quote, tables))} CASCADE")
            return
        for table in tables:
            cursor.execute(f"DROP TABLE {quote(table)}")


@contextmanager
def without_references(tables: Iterable[str]) -> Iterator[None]:
    """Empty and fill these tables in any order: what refers to what is looked up at the end, all at once.

    For SQLite that must have been switched off before the transaction began. Raises `django.db.IntegrityError`.
    """
    if connection.vendor != "postgresql":
        yield
        connection.check_constraints()
        return
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint"
            " JOIN pg_class ON pg_class.oid = conrelid"
            " WHERE contype = 'f' AND relname = ANY(%s) AND relnamespace = current_schema()::regnamespace",
            [list(tables)],
        )
        references = cursor.fetchall()
        for table, name, _definition in references:
            cursor.execute(f"ALTER TABLE {quote(table)} DROP CONSTRAINT {quote(name)}")
        yield
        for table, name, definition in references:
            cursor.execute(f"ALTER TABLE {quote(table)} ADD CONSTRAINT {quote(name)} {definition}")


def fill(model: type[models.Model], columns: Sequence[str], rows: Iterable[list[Any]]) -> None:
    """Fill an empty table with these rows, under their keys; what comes next gets a key that is free.

    Values are as `format.row_of` returns them. Raises `BackupError`.
    """
    fields = {field.column: field for field in model._meta.concrete_fields}
    readers = [
        (place, reader) for place, column in enumerate(columns) if (reader := _reader_of(fields[column])) is not None
    ]
    waiting = iter(rows)
    while batch := list(islice(waiting, _batch_of(model))):
        try:
            for row in batch:
                for place, reader in readers:
                    row[place] = reader(row[place])
        except (ValueError, TypeError, AttributeError, ArithmeticError):
            raise BackupError(f"A value of {model._meta.db_table} is not readable.") from None
        _insert(model._meta.db_table, columns, batch)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)


def _insert(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    quote = connection.ops.quote_name
    named = ", ".join(map(quote, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors, cursor.copy(f"COPY {quote(table)} ({named}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        places = ", ".join(["%s"] * len(columns))
        cursor.executemany(f"INSERT INTO {quote(table)} ({named}) VALUES ({places})", rows)  # noqa: S608


#: How a text of the backup becomes the value that a field takes.
_FROM_TEXT: Mapping[str, Callable[[str], Any]] = {
    "DateTimeField": datetime.fromisoformat,
    "DateField": date.fromisoformat,
    "UUIDField": UUID,
    "DecimalField": Decimal,
    "BinaryField": base64.b64decode,
}
#: What both databases take as JSON has it.
_AS_IT_IS = frozenset(
    {
        *("AutoField", "BigAutoField", "SmallAutoField", "IntegerField", "BigIntegerField", "SmallIntegerField"),
        *("PositiveIntegerField", "PositiveBigIntegerField", "PositiveSmallIntegerField", "FloatField", "BooleanField"),
        *("CharField", "TextField", "SlugField", "EmailField", "URLField"),
    }
)


def _reader_of(field: Any) -> Callable[[Any], Any] | None:
    """Return what makes a value of a backup one for the database's driver; None if it is one already."""
    while field.remote_field is not None:
        field = field.target_field
    kind = field.get_internal_type()
    if kind in _AS_IT_IS and type(field).__module__.startswith("django."):
        return None
    prepared, may_be_null = field.get_db_prep_value, field.null
    if kind == "JSONField":
        # None is JSON too, where the column is never NULL.
        return lambda value: None if value is None and may_be_null else prepared(value, connection)
    from_text = _FROM_TEXT.get(kind)
    if from_text is None:
        return lambda value: None if value is None else prepared(value, connection)
    return lambda value: None if value is None else prepared(from_text(value), connection)
