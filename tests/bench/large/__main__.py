"""Load the big data: python -m tests.bench.large --games 100000 --players 1000 --database URL-or-folder

A folder gets a SQLite file as the site has it; an address names a PostgreSQL database. Both are migrated first, and
what they hold stays. Afterwards: manage.py rebuild_statistics, with DATA_DIR or DATABASE_URL set to the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.bench.site import prepare


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1, help="the same number gives the same games")
    parser.add_argument("--database", required=True, help="an address as in DATABASE_URL, or a folder")
    arguments = parser.parse_args()
    if "://" in arguments.database:
        prepare(Path.cwd() / "data", database=arguments.database)
    else:
        prepare(Path(arguments.database))
    from django.core.management import call_command

    from tests.bench.large import club

    call_command("migrate", verbosity=0)
    start = time.perf_counter()
    big = club.load(arguments.games, arguments.players, seed=arguments.seed)
    seconds = time.perf_counter() - start
    print(
        f"Club {big.club}, season {big.season}, busiest player {big.busiest}: "
        f"games {big.games[0]} to {big.games[-1]} in {seconds:.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
