"""Databases of the bench's own: SQLite files in its folder, or databases beside the PostgreSQL one it was given."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.core.management import call_command
from django.db import connection


class Stores:
    """Databases that are made, used by one process at a time through Django's connection, and dropped; in a `with`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.is_postgresql = connection.vendor == "postgresql"
        self.given = connection.settings_dict["NAME"]
        self.made: list[str] = []

    def __enter__(self) -> Stores:
        self.empty = self._new("empty")
        self.use(self.empty)
        call_command("migrate", verbosity=0)
        connection.close()
        return self

    def __exit__(self, *_error: object) -> None:
        self.use(self.given)
        if self.is_postgresql:
            for name in self.made:
                self._command(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.close()

    def add(self, label: str) -> str:
        """Make an empty database, migrated, let the connection use it, and return its name."""
        name = self._new(label, template=self.empty)
        self.use(name)
        return name

    def use(self, name: str) -> None:
        """Let the connection use this database from now on."""
        connection.close()
        connection.settings_dict["NAME"] = name

    def address(self, name: str) -> str:
        """Return what DATABASE_URL is for this database."""
        if self.is_postgresql:
            return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
        return f"sqlite:///{name}"

    def _new(self, label: str, template: str = "") -> str:
        name = f"{self.given}_bench_{label}" if self.is_postgresql else str(self.folder / f"{label}.sqlite3")
        self.made.append(name)
        if self.is_postgresql:
            self.use(self.given)
            self._command(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            self._command(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if template else ""))
        elif template:
            shutil.copyfile(template, name)
        return name

    def _command(self, statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)
