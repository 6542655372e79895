from __future__ import annotations

import random
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from scoresheets.management.demo.club import Demo, make_club
from scoresheets.management.demo.games import is_level, play_game

#: Three years of an evening a fortnight.
EVENINGS = 78


class Command(BaseCommand):
    help = "Fill the database: a public club with three years of evenings, and quick games. Takes about a minute."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=6, help="how many quick games, without a club (default: 6)")
        parser.add_argument(
            "--evenings",
            type=int,
            default=EVENINGS,
            help="how many evenings of the club, one a fortnight, the last one tonight; 0 for no club (default: 78)",
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="the same number gives the same people and games (default: 1)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < 0 or options["evenings"] < 0:
            raise CommandError("There cannot be fewer games or evenings than none.")
        if not options["games"] and not options["evenings"]:
            raise CommandError("At least one game or evening is needed: --games 1")
        self.stdout.write("Start the site (make serve) and open these after its address.")
        if options["evenings"]:
            self.make_club(options["seed"], options["evenings"])
        if options["games"]:
            self.make_games(options["seed"], options["games"])
        self.stdout.write("Links and passwords are shown only here: the database does not hold them.")

    def make_club(self, seed: int, evenings: int) -> None:
        start = time.perf_counter()
        demo = make_club(seed, evenings)
        seconds = time.perf_counter() - start
        counts = f"players {demo.club.players.count()}, evenings {evenings}, games {demo.club.games.count()}"
        self.stdout.write(f"{demo.club.name} ({counts}) in {seconds:.0f} s")
        for what, address, who in self.lines_of(demo):
            self.stdout.write(f"  {what:12} {address}  {who}".rstrip())

    def lines_of(self, demo: Demo) -> list[tuple[str, str, str]]:
        """Return what there is to open, where, and what to know for it."""
        (owner, owners), (scorer, scorers) = demo.passwords.items()
        assert demo.season is not None
        assert demo.tonight is not None
        return [
            ("club", reverse("club", args=[demo.club.pk]), "open to everybody"),
            ("season", reverse("season", args=[demo.club.pk, demo.season.pk]), f"one of {demo.club.seasons.count()}"),
            ("tonight", reverse("evening", args=[demo.club.pk, demo.tonight.pk]), "the evening that is open now"),
            ("running game", reverse("open_link", args=[demo.running]), "keep its score"),
            ("the owner", reverse("account_login"), f"{owner}, password {owners}"),
            ("a scorer", reverse("account_login"), f"{scorer}, password {scorers}"),
        ]

    def make_games(self, seed: int, count: int) -> None:
        rng = random.Random(seed)
        start = time.perf_counter()
        tables = [play_game(rng, number) for number in range(count)]
        seconds = time.perf_counter() - start
        finished = [table for table in tables if table.game.is_finished]
        unfinished = [table for table in tables if not table.game.is_finished]
        self.stdout.write(
            f"{len(tables)} quick games in {seconds:.1f} s: {len(finished)} finished "
            f"({sum(map(is_level, finished))} level at the top), {len(unfinished)} unfinished"
        )
        for what, found in (("unfinished", unfinished), ("finished", finished)):
            for table in found[:1]:
                address = reverse("open_link", args=[table.secret])
                self.stdout.write(f"  {what:12} {address}  {', '.join(seat.name for seat in table.seats)}")
