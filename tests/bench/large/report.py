"""The figures of the big data as a table, each beside what must be reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from tests.bench.report import FINISHING, KB, SHARED, STANDINGS_GOAL, WRITING, Report

if TYPE_CHECKING:  # the measuring loads this module before the site is set up
    from tests.bench.large.measure import Size
    from tests.bench.speed import Slices

#: Statements, rows that one statement reads, bytes.
STATEMENTS = {"standings": 6, "lifetime": 10}
ROWS = {"lifetime": 1_000}
BYTES = {"standings": 40 * KB}
#: How much longer the largest club's page may take than the smallest one's, and a filtered page than the whole.
GROWTH = {"standings": 1.15, "lifetime": 1.2}
FILTERED = 5
#: On the machine of the study, where plain SQL took 7.3 s on SQLite and 3.8 s on PostgreSQL: seconds move with the
#: machine, so the ratio decides.
REBUILD_SECONDS = 30
REBUILD_BESIDE_SQL = {"SQLite": REBUILD_SECONDS / 7.3, "PostgreSQL": REBUILD_SECONDS / 3.8}
BIDS_OF_A_GAME = 60


class LargeReport(Report):
    """Collects lines and what was missed."""

    def __init__(self, *, on_postgresql: bool) -> None:
        super().__init__()
        self.on_postgresql = on_postgresql
        self.database = "PostgreSQL" if on_postgresql else "SQLite"
        self.lines.append(f"Big data on {self.database}")

    def loaded(self, size: Size) -> None:
        """Add a club that was loaded, rebuilt and checked."""
        self.missed += size.problems
        took = f"{size.games:8} games loaded in {size.loading:.1f} s, rebuilt in {size.seconds:.1f} s"
        verdict = "MISSED" if size.problems else "ok"
        self.lines.append(f"{took}; a sample of the games and all that is kept checked: {verdict}")

    def rebuild(self, size: Size, *, whole: bool) -> None:
        """Add the rebuild of ten million bids, or fewer where not the `whole` of them was asked for."""
        self.loaded(size)
        ratio, at_most = size.seconds / size.raw, REBUILD_BESIDE_SQL[self.database]
        verdict = "(not all of them)"
        if whole:
            verdict = self._goal("rebuild of ten million bids, beside plain SQL", ratio, at_most)
        bids = f"{size.games * BIDS_OF_A_GAME:,} bids"
        self.lines.append(
            f"Rebuild from {bids}: {size.seconds:.1f} s, three of its tables in plain SQL {size.raw:.1f} s: "
            f"{ratio:.1f} times as long  {at_most:.1f} {verdict}"
        )

    def writes(self, fewest: Size, most: Size) -> None:
        """Add the writes of two clubs, which have to take the same statements."""
        self.lines += ["", "SQL statements of a club's game: until stored + for the answer"]
        for what, goal in (("tricks", WRITING), ("finish", FINISHING)):
            took = {}
            for size in (fewest, most):
                entries = [entry for entry in size.counted if entry.what == what]
                took[size.games] = [entry.writing for entry in entries]
                shown = ", ".join(f"{entry.seats}p {entry.writing}+{entry.answering}" for entry in entries)
                milliseconds = median(entry.seconds for entry in entries) * 1000
                verdict = self._goal(f"{what} with {size.games} games stored", max(took[size.games]), goal)
                self.lines.append(f"{what:8}{size.games:8} games  {shown}  {milliseconds:.0f} ms  {goal} {verdict}")
            if max(took[most.games]) > max(took[fewest.games]):
                self.missed.append(f"statements of {what} grow with the games stored: {took}")

    def pages(self, sizes: Sequence[Size]) -> None:
        """Add what the pages of each club asked of the database."""
        told = "rows read by a statement, at most" if self.on_postgresql else "rows returned by a statement, at most"
        self.lines += ["", f"{'Pages':20}{'games':>8}{'statements':>12}{'bytes':>8}   {told}"]
        for name in ("standings", "lifetime", "filtered"):
            for size in sizes:
                page = size.pages[name]
                what = f"{name} with {size.games} games"
                if page.status != 200:
                    self.missed.append(f"{what}: {page.path} was answered with {page.status}")
                    self.lines.append(f"{name:20}{size.games:8}  answered with {page.status}  MISSED")
                    continue
                verdicts = [
                    self._goal(f"{what}, {unit}", value, goals[name])
                    for unit, value, goals in (
                        ("statements", page.statements, STATEMENTS),
                        ("rows of a statement", page.rows, ROWS),
                        ("bytes", page.size, BYTES),
                    )
                    if name in goals
                ]
                if page.reads_bids:
                    verdicts.append("MISSED")
                    self.missed.append(f"{what} reads bids")
                verdict = "MISSED" if "MISSED" in verdicts else "ok"
                self.lines.append(f"{name:20}{size.games:8}{page.statements:12}{page.size:8}{page.rows:8}  {verdict}")
        self.lines.append(
            f"goals: standings {STATEMENTS['standings']} statements, {BYTES['standings']} bytes; lifetime "
            f"{STATEMENTS['lifetime']} statements, {ROWS['lifetime']} rows; no page reads bids"
        )

    def beside_hello(self, sizes: Sequence[Size], slices: Mapping[str, Slices]) -> None:
        """Add how quick the pages are beside H, beside a smaller club's and beside those without a filter.

        `slices` are named "H", and by the page and the number of games; a page that was not answered has none.
        """
        hello = slices["H"]
        by_cpu = median(hello.busy) < SHARED
        self.lines += [
            "",
            f"{'':38}{'req/s':>8}{'p50 ms':>8}{'p99 ms':>8}{'CPU ms':>8}{'busy':>6}{'req/s':>8}{'by CPU':>8}",
            self._speed_columns("H: bare view, stock middleware", hello),
        ]
        for name, own in slices.items():
            if own is not hello:
                ratios = f"{f'H/{own.slower_than(hello):.1f}':>8}{f'H/{own.costlier_than(hello):.1f}':>8}"
                self.lines.append(f"{self._speed_columns(f'{name} games', own)}{ratios}")
        for what, own_name, other, at_most in _comparisons(sizes):
            if own_name in slices and other in slices:
                own, yardstick = slices[own_name], slices[other]
                ratio = own.costlier_than(yardstick) if by_cpu else own.slower_than(yardstick)
                self.lines.append(f"{what:60}{ratio:6.2f}  {at_most} {self._goal(what, ratio, at_most)}")
        if by_cpu:
            others = ", and not that of the database" if self.on_postgresql else ""
            self.lines.append(
                f"H kept its worker only {median(hello.busy):.0%} busy, so other programs use this machine too: the "
                f"worker's CPU time decides here{others}."
            )


def _comparisons(sizes: Sequence[Size]) -> Iterator[tuple[str, str, str, float]]:
    """Return what is compared with what: in words, the names of both slices, and the most that the ratio may be."""
    fewest, most = sizes[0].games, sizes[-1].games
    yield f"standings, {most} games, beside H", f"standings {most}", "H", STANDINGS_GOAL
    for name, goal in GROWTH.items():
        for size in sizes[1:]:
            yield f"{name}, {size.games} games, beside {fewest}", f"{name} {size.games}", f"{name} {fewest}", goal
    yield f"lifetime, {most} games, filter beside none", f"filtered {most}", f"lifetime {most}", FILTERED
