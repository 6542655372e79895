from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoresheets.backups import making
from scoresheets.backups.format import BackupError


class Command(BaseCommand):
    help = "Back up all that the site stores, while it runs, into one file that manage.py restore reads."
    # A site that does not start is one more reason to need this.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", type=Path, help="a new file, or a folder, where it is named after the moment")
        parser.add_argument(
            "--keep", type=int, help="in a folder: keep so many of the backups named like that, and delete older ones"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        target, keep, verbose = options["target"], options["keep"], options["verbosity"] > 1
        if keep is not None and keep < 1:
            raise CommandError("At least one backup must be kept: --keep 1")
        if keep is not None and not target.is_dir():
            raise CommandError(f"--keep needs a folder that is there, and {target} is none.")
        start, moment = time.perf_counter(), timezone.now()
        file = target / making.name_at(moment) if target.is_dir() else target
        try:
            manifest = making.back_up(file, moment=moment, say=self.stdout.write if verbose else lambda _table: None)
            older = making.forget_older(target, keep) if keep is not None else []
        except BackupError as error:
            raise CommandError(str(error)) from error
        seconds, size = time.perf_counter() - start, file.stat().st_size / 1e6
        self.stdout.write(
            f"{file}: {manifest.rows} rows of {len(manifest.tables)} tables, {size:.1f} MB, in {seconds:.1f} s"
        )
        for path in older:
            self.stdout.write(f"{path}: deleted, {keep} newer ones are kept")
