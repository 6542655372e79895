from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoresheets.club_files import layout
from scoresheets.models import Club
from scoresheets.queries.club_files import club_file


class Command(BaseCommand):
    help = "Write a whole club as a file, from which import_club makes it again. People may go on playing meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", nargs="?", type=int, help="id of the club")
        parser.add_argument("file", nargs="?", default="-", help="where to write it (default: standard output)")
        parser.add_argument("--schema", action="store_true", help="print the JSON Schema of such files instead")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["schema"]:
            self.stdout.write(json.dumps(layout.schema(), indent=2, ensure_ascii=False))
            return
        club = Club.objects.filter(pk=options["club"]).first()
        if club is None:
            raise CommandError(
                f"There is no club {options['club']}." if options["club"] else "Say which club, by its id."
            )
        if options["file"] == "-":
            for piece in club_file(club):
                sys.stdout.buffer.write(piece.encode())
            return
        self._write(club, Path(options["file"]))

    def _write(self, club: Club, target: Path) -> None:
        # Under another name until it is whole, so that a broken one never takes the place of a good one.
        part = target.with_name(f"{target.name}.part")
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                for piece in club_file(club):
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except OSError as failed:
            raise CommandError(f"{target} cannot be written: {failed.strerror}.") from failed
        finally:
            part.unlink(missing_ok=True)
        self.stdout.write(f"{club.name}: {target.stat().st_size:,} bytes in {target}")
