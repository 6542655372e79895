"""Measure the big data: python -m tests.bench.large.measure [--pages | --rebuild] [--games N] [--players P]

On SQLite files in a temporary folder or, with DATABASE_URL, in databases of its own beside that one (its user may make
databases). Ends with 1 if a figure that must be reached is missed. FAST=1 measures in fewer and shorter turns.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.__main__ import FAST
from tests.bench.large.report import LargeReport
from tests.bench.site import prepare

if TYPE_CHECKING:  # models can be loaded only when the site is set up
    from tests.bench.large.club import Big
    from tests.bench.large.pages import Page
    from tests.bench.large.stores import Stores
    from tests.bench.speed import Slices
    from tests.bench.statements import Statements

GAMES, PLAYERS = 100_000, 1_000
#: Sixty bids each: ten million.
GAMES_TO_REBUILD = 166_667
FEWEST_GAMES = 10
CHECKED = 60
FINISHED = 5


@dataclass(slots=True)
class Size:
    """A club with so many games: how long it took to load and to rebuild, and what it takes to write and to read.

    `seconds` are those of rebuilding, `raw` those of plain SQL for a part of it; `counted` the writes by their order;
    pages are standings, lifetime, filtered.
    """

    games: int
    store: str
    big: Big
    loading: float
    seconds: float
    raw: float = 0.0
    problems: list[str] = field(default_factory=list)
    counted: list[Statements] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large.measure", description=__doc__)
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--pages", action="store_true", help="only pages and writes")
    part.add_argument("--rebuild", action="store_true", help="only the rebuild of ten million bids")
    parser.add_argument("--games", type=int, help="games of the largest club (100000, 166667 for the rebuild)")
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--folder", type=Path, help="where the temporary folder is made")
    arguments = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-", dir=arguments.folder) as folder:
        prepare(Path(folder), database=os.environ.get("DATABASE_URL", ""))
        from django.core.management import call_command

        from tests.bench.large.stores import Stores

        call_command("collectstatic", interactive=False, verbosity=0)
        with Stores(Path(folder)) as stores:
            table = LargeReport(on_postgresql=stores.is_postgresql)
            if not arguments.rebuild:
                measure_pages(table, stores, arguments.games or GAMES, arguments.players)
            if not arguments.pages:
                measure_rebuild(table, stores, arguments.games or GAMES_TO_REBUILD, arguments.players)
    table.print()
    print(f"\n{time.perf_counter() - start:.0f} s")
    return 1 if table.missed else 0


def measure_rebuild(table: LargeReport, stores: Stores, games: int, players: int) -> None:
    """Measure how long the statistics of so many games take, and compare them with those that are kept."""
    from tests.bench.large import raw

    size = load(stores, games, players, label="rebuild")
    say("Counting again in plain SQL")
    size.raw, wrong = raw.recount()
    size.problems += [f"the statistics of {games} games are not what plain SQL counts {name}" for name in wrong]
    say(f"  {size.raw:.1f} s")
    play(size)
    check(size)
    table.rebuild(size, whole=games >= GAMES_TO_REBUILD)


def measure_pages(table: LargeReport, stores: Stores, games: int, players: int) -> None:
    """Measure pages and writes of clubs with a hundredth, a tenth and all of the games, and writes with ten games."""
    from tests.bench.large import pages

    counts = sorted({max(games // 100, FEWEST_GAMES), max(games // 10, FEWEST_GAMES), games})
    sizes = [load(stores, count, players) for count in sorted({FEWEST_GAMES, *counts})]
    for size in sizes:
        stores.use(size.store)
        play(size)
        check(size)
        addresses = {
            "standings": pages.standings_path(size.big),
            "lifetime": pages.lifetime_path(size.big),
            "filtered": pages.filtered_path(size.big),
        }
        size.pages = {name: pages.look(address) for name, address in addresses.items()}
    for size in sizes:
        table.loaded(size)
    table.writes(sizes[0], sizes[-1])
    shown = [size for size in sizes if size.games in counts]
    table.pages(shown)
    table.beside_hello(shown, speed(stores, shown))


def load(stores: Stores, games: int, players: int, *, label: str = "") -> Size:
    """Load a club into a database of its own, check some of its games, and make its statistics."""
    from django.core.management import CommandError, call_command

    from tests.bench.large import bulk, club

    say(f"Loading {games} games")
    store = stores.add(label or str(games))
    start = time.perf_counter()
    big = club.load(games, players)
    loading = time.perf_counter() - start
    say(f"  {loading:.1f} s; rebuilding")
    start = time.perf_counter()
    call_command("rebuild_statistics", stdout=io.StringIO())
    size = Size(games, store, big, loading, time.perf_counter() - start)
    bulk.learn()
    say(f"  {size.seconds:.1f} s")
    sample = random.Random(games).sample(big.games, min(CHECKED, games))
    try:
        call_command("check_blocks", *map(str, sample), stdout=io.StringIO())
    except CommandError as error:
        size.problems.append(f"check_blocks of {games} games: {error}")
    return size


def play(size: Size) -> None:
    """Play some games of the busiest players through recording, and count what the writes take."""
    from scoresheets.models import Club
    from tests.bench import statements

    club = Club.objects.get(pk=size.big.club)
    players = size.big.regulars
    for number in range(FINISHED):
        size.counted += statements.count_finish(club, players[: 3 + number % 4])


def check(size: Size) -> None:
    """Compare the statistics that are kept with the sheets."""
    from django.core.management import CommandError, call_command

    say(f"Comparing what is kept of {size.games} games with the sheets")
    told = io.StringIO()
    try:
        call_command("rebuild_statistics", check=True, stdout=told)
    except CommandError:
        first = told.getvalue().partition("\n")[0]
        size.problems.append(f"the statistics of {size.games} games are not what is kept: {first}")


def speed(stores: Stores, sizes: Sequence[Size]) -> dict[str, Slices]:
    """Measure turns of H, and of each page with each number of games, one server each.

    The slices are named "H", and by the page and the number of games.
    """
    from tests.bench import games
    from tests.bench.load import Clients
    from tests.bench.server import Server
    from tests.bench.speed import Slices

    say("Measuring pages beside H")
    with ExitStack() as running:
        clients = running.enter_context(Clients())
        hello = running.enter_context(Server("tests.bench.hello:application"))
        asked = {"H": (hello, "/")}
        for size in sizes:
            server = Server("wizard_site.wsgi:application", {"DATABASE_URL": stores.address(size.store)})
            running.enter_context(server)
            asked |= {
                f"{name} {size.games}": (server, page.path) for name, page in size.pages.items() if page.status == 200
            }
        slices = {name: Slices() for name in asked}
        for turn in range(3 if FAST else 8):
            for name, (server, path) in asked.items():
                before = server.cpu_seconds()
                outcome = clients.run(server.port, [games.http_get(path, {})], seconds=0.5 if FAST else 1.5)
                # The first turn warms up.
                if turn:
                    slices[name].add(outcome, server.cpu_seconds() - before)
    return slices


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
