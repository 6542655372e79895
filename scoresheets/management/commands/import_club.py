from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoresheets.actors import Actor
from scoresheets.management.counted import counted
from scoresheets.models import User
from scoresheets.models.games import Via
from scoresheets.models.usernames import tidy_username, username_key
from scoresheets.recording.club_files import ClubFileError, Preview, import_club, look_at

MEGABYTE = 1024**2


class Command(BaseCommand):
    help = "Make a new club of a file that export_club wrote. All of the file is checked before anything is written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the club's file")
        parser.add_argument("--owner", help="name of the account that becomes the club's owner")
        parser.add_argument("--dry-run", action="store_true", help="only check the file and say what it would bring")
        parser.add_argument("--most", type=int, default=100, metavar="MB", help="the largest file (default: 100 MB)")

    def handle(self, *args: Any, **options: Any) -> None:
        most_bytes = options["most"] * MEGABYTE
        try:
            with Path(options["file"]).open("rb") as file:
                if options["dry_run"]:
                    self._tell(look_at(file, most_bytes=most_bytes))
                    self.stdout.write("Nothing was written.")
                    return
                by = Actor(via=Via.COMMAND, user=self._owner(options["owner"]))
                club = import_club(file, by=by, most_bytes=most_bytes)
        except OSError as failed:
            raise CommandError(f"{options['file']} cannot be read: {failed.strerror}.") from failed
        except ClubFileError as refused:
            for problem in refused.problems:
                self.stderr.write(str(problem))
            if refused.left_out:
                self.stderr.write(f"and {counted(refused.left_out, 'more problem')}")
            raise CommandError("The file was not imported: nothing was written.") from None
        self.stdout.write(f"{club.name} is club {club.pk} now, with {counted(club.games.count(), 'game')}.")

    def _owner(self, name: str | None) -> User:
        if not name:
            raise CommandError("Say with --owner whose club it is to be.")
        owner = User.objects.filter(username_key=username_key(tidy_username(name)), is_active=True).first()
        if owner is None:
            raise CommandError(f"There is no account called {name}.")
        return owner

    def _tell(self, found: Preview) -> None:
        nights = f", {found.first_night} to {found.last_night}" if found.games else ""
        self.stdout.write(
            f"{found.name}: {counted(found.players, 'player')}, {counted(found.evenings, 'evening')}, "
            f"{counted(found.seasons, 'season')}, {counted(found.games, 'game')} with "
            f"{counted(found.entries, 'entry', 'entries')}{nights}"
        )
