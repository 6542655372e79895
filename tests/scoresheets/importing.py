"""Games to be imported, for tests: as a plan has them, and as files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

import rules
from scoresheets.actors import Actor
from scoresheets.models import Club, Game, Import
from scoresheets.recording import imports
from scoresheets.recording.imports import NewGame, NewPerson

#: A night of which all that is played is over.
NIGHT = datetime(2025, 3, 7, 19, 30, tzinfo=UTC)
NAMES = ("Anna", "Bernd", "Cem")
#: One round of three people: a bid and the tricks of each.
ROUND = rules.PlayedRound((0, 1, 0), (0, 1, 0))


def new_game(
    players: Sequence[int | str] = NAMES, *, row: int = 2, night: int = 0, names: Sequence[str] = NAMES, **more: Any
) -> NewGame:
    """Return a sheet of one round, so many nights after `NIGHT`: the second of `names` makes the one trick."""
    values: dict[str, Any] = {"key": f"game {row}", "rounds": (ROUND,)} | more
    return NewGame(
        row=row,
        played_at=NIGHT + timedelta(days=night),
        names=tuple(names),
        players=tuple(players),
        **values,
    )


def people(*names: str) -> list[NewPerson]:
    return [NewPerson(name) for name in names]


def kept(club: Club, by: Actor, content: bytes = b"Game", name: str = "games.csv") -> Import:
    """Return the import of a file that nobody has decided about yet."""
    return imports.keep_file(club, content, name, by=by)


def begun(club: Club, games: Iterable[NewGame], by: Actor, **more: Any) -> Import:
    """Return an import of these games as it stands once the worker is through (in tests: at once)."""
    values = {"people": people(*NAMES)} | more
    found = imports.begin_import(kept(club, by), list(games), by=by, planned_at=timezone.now(), **values)
    found.refresh_from_db()
    return found


def games_of(found: Import) -> list[Game]:
    """Return the games that an import made, in the order they were recorded."""
    return [row.game for row in found.games.filter(game__isnull=False).select_related("game") if row.game is not None]


def states_of(found: Import) -> list[tuple[int, str, str]]:
    """Return row, state and reason of each game of an import, in their order."""
    return list(found.games.values_list("row", "state", "reason"))
