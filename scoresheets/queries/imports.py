"""A club's imports, what became of their games, and which games the club has already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, QuerySet
from django.db.models.functions import Lower

from scoresheets.models import Club, Game, Import, ImportedGame, Player, Seat

#: Databases take only so many values in one statement.
VALUES_AT_ONCE = 500

#: Who sat at a table with how many points: each by the id of the player they count as or, without one, by name.
Table = frozenset[tuple[int | str, int]]


@dataclass(frozen=True, slots=True)
class ImportLine:
    """An import in the list, with how many games stand in each `ImportedGame.State`."""

    found: Import
    games: Mapping[str, int]

    @property
    def made(self) -> int:
        """How many games it made, undone ones included."""
        states = ImportedGame.State
        return sum(self.games.get(state, 0) for state in (states.MADE, states.TO_UNDO, states.UNDONE))

    @property
    def not_made(self) -> int:
        """How many games of the file were left out, or could not be recorded."""
        states = ImportedGame.State
        return sum(self.games.get(state, 0) for state in (states.LEFT_OUT, states.FAILED))


def imports_of(club: Club) -> QuerySet[Import]:
    """Return a club's imports with who brought them, the newest first."""
    return Import.objects.filter(club=club).select_related("by", "undone_by").order_by("-pk")


def import_lines(imports: Iterable[Import]) -> list[ImportLine]:
    """Return these imports with their games counted (1 statement)."""
    found = list(imports)
    counts: dict[int, dict[str, int]] = {one.pk: {} for one in found}
    rows = ImportedGame.objects.filter(of_import__in=counts).order_by().values("of_import", "state")
    for row in rows.annotate(count=Count("pk")):
        counts[row["of_import"]][row["state"]] = row["count"]
    return [ImportLine(one, counts[one.pk]) for one in found]


def import_of(club: Club, import_id: int) -> Import | None:
    """Return the club's import with this id and who brought it, or None if there is none (1 statement)."""
    found = imports_of(club).filter(pk=import_id).first()
    if found is not None:
        found.club = club
    return found


def file_of(found: Import) -> bytes | None:
    """Return the bytes of a file that waits to be decided about; None if they were forgotten (1 statement)."""
    content = Import.objects.filter(pk=found.pk).values_list("file__content", flat=True).first()
    return bytes(content) if content is not None else None


def not_recorded(found: Import) -> QuerySet[ImportedGame]:
    """Return the games of an import that were left out or could not be recorded, in the order of the file."""
    states = (ImportedGame.State.LEFT_OUT, ImportedGame.State.FAILED)
    return found.games.filter(state__in=states).order_by("row", "place")


def recorded(found: Import) -> QuerySet[ImportedGame]:
    """Return the games that an import made, in the order they were played, with their seats (2 statements)."""
    made = found.games.filter(game__isnull=False).select_related("game").prefetch_related("game__seats")
    return made.order_by("place")


def stopping_undo(found: Import) -> tuple[int, list[ImportedGame]]:
    """Return how many games undoing an import voids anyway, and those that were changed since (3 statements)."""
    made = found.games.standing()
    changed = list(made.changed().select_related("game").prefetch_related("game__seats").order_by("place"))
    return made.count() - len(changed), changed


def players_made(found: Import) -> list[Player]:
    """Return who was added for an import, by name (1 statement)."""
    return list(Player.objects.filter(pk__in=found.made_players).order_by(Lower("name"), "pk"))


# -- what the club has already --------------------------------------------------------------------------------------


def known_players(club: Club) -> list[Player]:
    """Return all whom the club ever knew, duplicates too, with the player they count as (1 statement)."""
    return list(Player.objects.filter(club=club).select_related("canonical").order_by(Lower("name"), "pk"))


def roster_names(club: Club) -> QuerySet[Player, str]:
    """Return the names on the club's roster, by name (1 statement)."""
    return Player.objects.on_roster().filter(club=club).order_by(Lower("name")).values_list("name", flat=True)


def imported_keys(club: Club, keys: Collection[str]) -> dict[str, int]:
    """Return the club's game of each key that was imported before and was not voided (1 statement for 500 keys)."""
    found: dict[str, int] = {}
    for some in _some(sorted({key for key in keys if key})):
        rows = ImportedGame.objects.filter(key__in=some, game__club=club).exclude(game__halted=Game.Halted.VOIDED)
        found |= dict(rows.order_by("-pk").values_list("key", "game"))
    return found


def tables_of(club: Club, nights: Collection[date]) -> dict[tuple[date, Table], int]:
    """Return the first finished game of each night, people and points that stands (1 statement for 500 nights)."""
    found: dict[tuple[date, Table], int] = {}
    for some in _some(sorted(nights)):
        games = Game.objects.filter(club=club, night__in=some, state=Game.State.FINISHED, halted="")
        seats = Seat.objects.filter(game__in=games).order_by("game", "position")
        at_tables: dict[tuple[date, int], set[tuple[int | str, int]]] = {}
        rows = seats.values_list("game__night", "game", "player__canonical", "name", "total")
        for night, game, player, name, total in rows.iterator(chunk_size=2000):
            assert night is not None
            at_tables.setdefault((night, game), set()).add((player or name, total))
        for (night, game), people in at_tables.items():
            found.setdefault((night, frozenset(people)), game)
    return found


def _some(values: Sequence[str] | Sequence[date]) -> Iterator[Sequence[str] | Sequence[date]]:
    for start in range(0, len(values), VALUES_AT_ONCE):
        yield values[start : start + VALUES_AT_ONCE]
