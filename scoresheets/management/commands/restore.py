from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from scoresheets.backups import reading, restoring
from scoresheets.backups.format import BackupError
from scoresheets.backups.reading import Backup
from scoresheets.management.counted import counted
from scoresheets.models import Game

#: So many games take some seconds; the checksums have compared every row of all of them already.
SAMPLE = 2_000


class Command(BaseCommand):
    help = "Put a backup of manage.py backup into an empty database, or in the place of all that one holds."
    # A site that does not start is one more reason to need this.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="delete all that the database holds now")
        parser.add_argument("--no-input", action="store_false", dest="ask", help="do not ask before that")
        parser.add_argument("--check", action="store_true", help="only check the file, and say what is in it")
        parser.add_argument(
            "--sample",
            type=int,
            default=SAMPLE,
            help="how many games are compared with their journals afterwards, spread over all (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["sample"] < 0:
            raise CommandError("There cannot be fewer games than none.")
        try:
            with reading.opened(options["file"]) as backup:
                self.tell(backup)
                if options["check"]:
                    return
                if options["replace"] and options["ask"]:
                    self.ask()
                self.restore(backup, replace=options["replace"], verbose=options["verbosity"] > 1)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.compare(options["sample"])

    def tell(self, backup: Backup) -> None:
        head, manifest = backup.manifest.head, backup.manifest
        self.stdout.write(
            f"A whole backup of {head.made_at:%Y-%m-%d %H:%M} UTC, release {head.release}, from {head.database}: "
            f"{manifest.rows} rows of {len(manifest.tables)} tables"
        )

    def ask(self) -> None:
        """Ask whether what is there may go. Raises `CommandError` if not."""
        there = ", ".join(f"{count} {name}" for name, count in restoring.rows_there().items()) or "no tables yet"
        self.stdout.write(f"The database {connection.settings_dict['NAME']} has {there}. All of it will be deleted.")
        if input("Type yes to go on: ") != "yes":
            raise CommandError("Nothing was changed.")

    def restore(self, backup: Backup, *, replace: bool, verbose: bool) -> None:
        start = time.perf_counter()
        restoring.restore(backup, replace=replace, say=self.stdout.write if verbose else lambda _step: None)
        self.stdout.write(f"Restored and compared, row by row, in {time.perf_counter() - start:.1f} s")

    def compare(self, sample: int) -> None:
        """Compare games with their journals and the statistics with the games, as they were when it was made.

        Raises `CommandError` if anything differs. That was so before: the backup is restored all the same.
        """
        games = list(Game.objects.order_by("pk").values_list("pk", flat=True))
        chosen = games[:: -(-len(games) // sample)] if sample else []
        failed = []
        if chosen:
            failed += self.run("check_blocks", *map(str, chosen))
        if len(chosen) < len(games):
            rest = counted(len(games) - len(chosen), "more game")
            self.stdout.write(f"{rest}: manage.py check_blocks compares them too")
        failed += self.run("rebuild_statistics", "--check")
        if failed:
            raise CommandError(
                "The backup is restored, with what was wrong already when it was made. " + " ".join(failed)
            )

    def run(self, *command: str) -> list[str]:
        try:
            call_command(*command, stdout=self.stdout)
        except CommandError as error:
            return [str(error)]
        return []
