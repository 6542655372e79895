"""Databases that come and go: each backup test begins with one that is migrated and empty, beside that of all tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from scoresheets.models import Club
from scoresheets.recording.imports import keep_file
from tests.scoresheets.clubs import owner_of


class Stores:
    """Databases made from the one of all tests, or without any table; one at a time is used by Django's connection."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.given, self.numbers = folder, connection.settings_dict["NAME"], count(1)
        self.is_postgresql = connection.vendor == "postgresql"
        self.made: list[str] = []

    def new(self, template: str = "", *, bare: bool = False) -> str:
        """Use a new database, a copy of `template` (the empty one of all tests), and return its name."""
        number = next(self.numbers)
        name = f"{self.given}_{number}" if self.is_postgresql else str(self.folder / f"{number}.sqlite3")
        template = template or self.given
        self.made.append(name)
        if self.is_postgresql:
            self.use("postgres")
            copied = "" if bare else f' TEMPLATE "{template}"'
            self._command(f'CREATE DATABASE "{name}"{copied}')
        elif not bare:
            connection.close()
            # With what has not been written into the file itself yet.
            with closing(sqlite3.connect(template)) as source, closing(sqlite3.connect(name)) as copy:
                source.backup(copy)
        self.use(name)
        return name

    def use(self, name: str) -> None:
        connection.close()
        connection.settings_dict["NAME"] = name

    def end(self) -> None:
        self.use("postgres" if self.is_postgresql else self.given)
        for name in self.made if self.is_postgresql else ():
            self._command(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        self.use(self.given)

    def _command(self, statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)


@pytest.fixture(scope="module")
def all_stores(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any) -> Iterator[Stores]:
    with django_db_blocker.unblock():
        found = Stores(tmp_path_factory.mktemp("stores"))
        yield found
        found.end()


@pytest.fixture
def stores(all_stores: Stores, transactional_db: None) -> Iterator[Stores]:
    """Other databases than that of all tests, which is used again afterwards."""
    yield all_stores
    all_stores.use(all_stores.given)


@pytest.fixture(scope="module")
def lived(all_stores: Stores) -> str:
    """The name of a database with a small club, its evenings, season and statistics, accounts, games and a file."""
    name = all_stores.new()
    call_command("demo", "--evenings", "2", "--games", "2", stdout=StringIO())
    club = Club.objects.get()
    keep_file(club, b"Spiel;Punkte\r\n\x00\xfc\xff", "games.csv", by=owner_of(club))
    all_stores.use(all_stores.given)
    return name
