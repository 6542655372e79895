"""What the games of a club add up to in any order, which a second process can do while this one does the rest."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple, Protocol

import django
from django.db import connection

from scoresheets.models import Club, Season, Standing
from scoresheets.recording.statistics.collector import without_collector
from scoresheets.recording.statistics.contributions import Contribution, ManySums, Tables
from scoresheets.recording.statistics.reading import contributions
from scoresheets.recording.statistics.standings import AllSeasons

#: With fewer games a second process takes longer to start than it saves.
FEWEST_GAMES_BESIDE = 10_000


class Added(NamedTuple):
    """Sums by table, and the standings of each season in order of their players' ids, not saved."""

    sums: Tables
    standings: list[tuple[Season, list[Standing]]]


class Adding(Protocol):
    """Adds games up that go by, each once and in the order played; `done` returns what comes of them."""

    def add(self, game: Contribution) -> None: ...

    def done(self) -> Added: ...


class Here:
    """Adds up in this process."""

    def __init__(self, club: Club) -> None:
        self._sums, self._seasons = ManySums(), AllSeasons(club.pk)

    def add(self, game: Contribution) -> None:
        self._sums.add(game)
        self._seasons.add(game)

    def done(self) -> Added:
        return Added(self._sums.tables(), self._seasons.standings())


class Beside:
    """Leaves the work to a process that reads the games by itself."""

    def __init__(self, added: Future[Added]) -> None:
        self._added = added

    def add(self, game: Contribution) -> None:
        pass

    def done(self) -> Added:
        return self._added.result()


@contextmanager
def adding_beside(club: Club) -> Iterator[Adding]:
    """Add up in a second process, which sees what is committed: the games must have been written before."""
    # Not a fork: that would share this process's connection to the database.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, initializer=django.setup) as pool:
        yield Beside(pool.submit(_add_up, club.pk, str(connection.settings_dict["NAME"])))


def can_add_beside(games: int) -> bool:
    """Say whether a second process helps with so many games, and sees them: not within a transaction."""
    return games >= FEWEST_GAMES_BESIDE and (os.cpu_count() or 1) > 1 and not connection.in_atomic_block


def _add_up(club_id: int, database: str) -> Added:
    connection.settings_dict["NAME"] = database
    club = Club.objects.get(pk=club_id)
    adding = Here(club)
    with without_collector():
        for batch in contributions(club.pk, incomplete_counts=club.incomplete_counts):
            for game in batch:
                adding.add(game)
        return adding.done()
