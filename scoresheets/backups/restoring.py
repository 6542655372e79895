"""Putting a backup in the place of what the database holds: all of it, or nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from hashlib import sha256

from django.core.management.sql import emit_post_migrate_signal
from django.db import Error, OperationalError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor

from scoresheets.backups import tables
from scoresheets.backups.format import BackupError, Manifest, Table, line_of
from scoresheets.backups.reading import Backup

#: How long others who write may take to end before a restore gives up, on PostgreSQL; SQLite waits as it always does.
PATIENCE = "10s"
#: What SQLite keeps of its pages in memory meanwhile, in KiB.
SQLITE_CACHE = 64 * 1024

IN_USE = "The database is in use: stop the site and its worker first."


def restore(backup: Backup, *, replace: bool = False, say: Callable[[str], None] = lambda _step: None) -> None:
    """Let the database hold what the backup has and nothing else, and bring it up to date.

    One transaction: the tables are made as they were, filled, read again and compared with the checksums, then
    migrated. `say` is told each step. Raises `BackupError`, also if the database holds anything and is not to be
    replaced; then it is as before.
    """
    manifest = backup.manifest
    found = tables.backed_up(tables.models_at(manifest.head.migrations))
    _check_tables(manifest, found)
    try:
        with _alone():
            there = tables.tables_there(found)
            if not replace:
                _check_empty(there)
            _lock(there)
            if not replace:
                # Somebody may have been first.
                _check_empty(there)
            if not tables.are_as_of(manifest.head.migrations):
                say("Making the tables anew")
                tables.drop(there)
                _migrate(manifest.head.migrations)
            there = tables.tables_there(found)
            with tables.without_references(there):
                tables.empty(there)
                for table in manifest.tables:
                    say(f"Filling {table.name} ({table.rows})")
                    tables.fill(found[table.name], table.columns, backup.rows(table))
            for table in manifest.tables:
                say(f"Comparing {table.name}")
                _compare(found[table.name], table)
            say("Bringing the database up to date")
            _migrate()
            emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)
    except (Error, OverflowError) as error:
        raise BackupError(f"The database does not take what is in the backup: {_first_line(error)}.") from error
    if connection.vendor == "postgresql":
        # As it does by itself a while later: until then it would plan for empty tables.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def rows_there() -> dict[str, int]:
    """Return how many games, clubs and accounts the database holds; none of those whose table it has not."""
    counted = {"games": "scoresheets_game", "clubs": "scoresheets_club", "accounts": "scoresheets_user"}
    there = tables.tables_there(counted.values())
    found = {}
    with connection.cursor() as cursor:
        for name, table in counted.items():
            if table in there:
                cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608
                found[name] = cursor.fetchone()[0]
    return found


def _check_tables(manifest: Manifest, found: dict[str, type[models.Model]]) -> None:
    """Raise `BackupError` unless the backup has the tables and columns that its migrations make."""
    for name in sorted({table.name for table in manifest.tables} ^ set(found)):
        raise BackupError(f"The backup's tables are not those of its release: see {name}.")
    for table in manifest.tables:
        if sorted(table.columns) != sorted(tables.columns_of(found[table.name])):
            raise BackupError(f"The columns of {table.name} are not those of the backup's release.")


@contextmanager
def _alone() -> Iterator[None]:
    """Begin the one transaction of a restore as its only writer. Raises `BackupError` if others do not end."""
    if connection.vendor == "postgresql":
        with transaction.atomic():
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA cache_size=-{SQLITE_CACHE}")
    # What refers to what cannot be left aside once the transaction has begun.
    connection.disable_constraint_checking()
    begun = False
    try:
        with transaction.atomic():
            begun = True
            yield
    except OperationalError as error:
        if begun or "locked" not in str(error):
            raise
        raise BackupError(IN_USE) from None
    finally:
        # The next connection begins with the pragmas of the settings.
        connection.close()


def _lock(there: list[str]) -> None:
    """Keep all others from these tables until the end, also from reading them (PostgreSQL). Raises `BackupError`."""
    if connection.vendor != "postgresql" or not there:
        return
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
        try:
            cursor.execute(f"LOCK TABLE {', '.join(map(quote, there))} IN ACCESS EXCLUSIVE MODE")
        except OperationalError:
            raise BackupError(IN_USE) from None
        cursor.execute("SET LOCAL lock_timeout = DEFAULT")


def _check_empty(there: list[str]) -> None:
    if holds := tables.first_that_holds(there):
        raise BackupError(f"The database is not empty: there are rows in {holds}. Nothing was changed.")


def _migrate(wanted: Container[tuple[str, str]] | None = None) -> None:
    """Apply these migrations; without any, all that are not applied yet."""

    def settle(action: str, *_rest: object) -> None:
        if action == "apply_success":
            # Each migration would be a transaction of its own, at whose end what refers to what is looked up.
            connection.check_constraints()

    executor = MigrationExecutor(connection, settle)
    newest = executor.loader.graph.leaf_nodes()
    plan = executor.migration_plan(newest)
    if wanted is not None:
        plan = [step for step in plan if (step[0].app_label, step[0].name) in wanted]
    executor.migrate(newest, plan=plan)


def _compare(model: type[models.Model], table: Table) -> None:
    """Raise `BackupError` unless the table reads as the backup has it."""
    digest, rows = sha256(), 0
    for row in tables.rows_of(model, table.columns):
        digest.update(line_of(row))
        rows += 1
    if (rows, digest.hexdigest()) != (table.rows, table.sha256):
        raise BackupError(f"The database does not give back what was written to {table.name}. Nothing was changed.")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0].rstrip(".")
