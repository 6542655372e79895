from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoresheets.management.counted import counted
from scoresheets.models import Club
from scoresheets.recording import statistics


class Command(BaseCommand):
    help = "Make the statistics of clubs anew from their score sheets, or compare those that are kept with them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("clubs", nargs="*", type=int, help="ids of the clubs (default: all)")
        parser.add_argument("--check", action="store_true", help="write nothing, report every difference")

    def handle(self, *args: Any, **options: Any) -> None:
        clubs = Club.objects.order_by("pk")
        if options["clubs"]:
            clubs = clubs.filter(pk__in=options["clubs"])
            for missing in sorted(set(options["clubs"]) - set(clubs.values_list("pk", flat=True))):
                raise CommandError(f"There is no club {missing}.")
        (self.check_all if options["check"] else self.rebuild_all)(list(clubs))

    def rebuild_all(self, clubs: list[Club]) -> None:
        start, games = time.perf_counter(), 0
        for club in clubs:
            games += statistics.rebuild_club(club)
        seconds = time.perf_counter() - start
        self.stdout.write(f"{counted(len(clubs), 'club')} rebuilt from {counted(games, 'game')} in {seconds:.1f} s")

    def check_all(self, clubs: list[Club]) -> None:
        wrong = 0
        for club in clubs:
            for difference in statistics.differences_of(club):
                wrong += 1
                self.stdout.write(f"club {club.pk}: {difference}")
        for difference in statistics.public_differences():
            wrong += 1
            self.stdout.write(f"all public clubs: {difference}")
        self.stdout.write(f"{counted(len(clubs), 'club')} checked, {counted(wrong, 'difference')}")
        if wrong:
            raise CommandError("The statistics are not what the score sheets add up to.")
