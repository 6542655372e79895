from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoresheets.management.counted import counted
from scoresheets.models import Game
from scoresheets.recording import repair


class Command(BaseCommand):
    help = "Play every game's journal forward and compare it with the stored rounds, bids and seats."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", type=int, help="ids of the games to check (default: all)")
        parser.add_argument("--repair", action="store_true", help="rewrite the derived rows that differ")

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.order_by("pk")
        if options["games"]:
            games = games.filter(pk__in=options["games"])
            for missing in sorted(set(options["games"]) - set(games.values_list("pk", flat=True))):
                raise CommandError(f"There is no game {missing}.")
        checked = wrong = repaired = 0
        for pk in games.values_list("pk", flat=True).iterator():
            checked += 1
            differences = repair.differences_of(pk)
            if not differences:
                continue
            wrong += 1
            for difference in differences:
                self.stdout.write(f"game {pk}: {difference}")
            if options["repair"] and self.repair(pk):
                repaired += 1
        self.stdout.write(f"{counted(checked, 'game')} checked, {wrong} with differences, {repaired} repaired")
        if wrong > repaired:
            raise CommandError("The stored rows do not agree with the journal.")

    def repair(self, pk: int) -> bool:
        """Rewrite a game and say whether it agrees with its journal now: a broken journal mends nothing."""
        try:
            repair.rewrite(pk)
        except repair.UNPLAYABLE as broken:
            self.stdout.write(f"game {pk}: not rewritten: {broken}")
            return False
        left = repair.differences_of(pk)
        for difference in left:
            self.stdout.write(f"game {pk}: cannot be rewritten: {difference}")
        if not left:
            self.stdout.write(f"game {pk}: rewritten from its journal")
        return not left
