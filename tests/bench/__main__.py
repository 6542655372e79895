"""Measure and print: python -m tests.bench [--keep-alive] [--only engine|api|imports]; FAST=1 is shorter and rougher.

Ends with 1 if a figure that must be reached is missed. It uses a database and static files of its own; the engine alone
needs neither.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import engine
from tests.bench.report import Report
from tests.bench.site import prepare

FAST = os.environ.get("FAST", "") not in {"", "0"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--keep-alive", action="store_true", help="let each client connection carry many requests")
    parser.add_argument("--only", choices=["engine", "api", "imports"], help="measure one part alone")
    arguments = parser.parse_args()
    start = time.perf_counter()
    table = Report()
    if arguments.only != "engine":
        with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
            prepare_site(Path(folder))
            if arguments.only is None:
                measure_site(table, keep_alive=arguments.keep_alive)
            if arguments.only in {None, "api"}:
                measure_api(table, keep_alive=arguments.keep_alive)
            if arguments.only in {None, "imports"}:
                # A whole thousand takes two minutes by itself.
                measure_imports(table, sheets=1_000 if arguments.only and not FAST else 100)
    if arguments.only in {None, "engine"}:
        measure_engine(table)
    table.print()
    print(f"\n{time.perf_counter() - start:.0f} s")
    return 1 if table.missed else 0


def prepare_site(folder: Path) -> None:
    """Set up a site in `folder`, with an empty database."""
    prepare(folder)
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def measure_site(table: Report, *, keep_alive: bool) -> None:
    """Measure what needs the site, which is set up."""
    from tests.bench import clubs, sizes, speed, statements, taps
    from tests.bench.server import Server

    table.speed(
        speed.measure(
            turns=2 if FAST else 7, seconds=1 if FAST else 2, tables=60 if FAST else 200, keep_alive=keep_alive
        ),
        keep_alive=keep_alive,
    )
    table.statements([counted for seats in range(3, 7) for counted in statements.count(seats)])
    club = clubs.small_club()
    table.finishing([one for seats in range(3, 7) for one in statements.count_finish(club.club, club.players[:seats])])
    with Server("wizard_site.wsgi:application") as server:
        table.sizes(sizes.pads(server), sizes.first_and_second_load(server))
    table.taps(taps.walk(), taps.TAPS)


def measure_api(table: Report, *, keep_alive: bool) -> None:
    """Measure the reads of the API, on the site that is set up."""
    from tests.bench import api

    table.api(api.measure(turns=2 if FAST else 7, seconds=1 if FAST else 2, keep_alive=keep_alive))


def measure_imports(table: Report, *, sheets: int) -> None:
    """Measure a file of sheets brought into a club, on the site that is set up."""
    from tests.bench import imports

    table.imports(imports.measure(sheets=sheets))


def measure_engine(table: Report) -> None:
    """Measure the rules."""
    table.engine(engine.measure(seconds=1 if FAST else 3, games=2_000 if FAST else 20_000))


if __name__ == "__main__":
    sys.exit(main())
