"""The games that a device's links open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoresheets.models import Game, Link, Seat
from scoresheets.models.games import hash_of_secret


@dataclass(frozen=True, slots=True)
class DeviceGame:
    """One game in a device's list: its seats in dealing order, the leaders, and whether the device only watches."""

    game: Game
    seats: tuple[Seat, ...]
    rounds_scored: int
    watches: bool

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def leaders(self) -> list[Seat]:
        """The seats with the best rank; empty before the first scored round."""
        is_told = self.rounds_scored > 0 or self.game.is_finished
        return [seat for seat in self.seats if seat.rank == 1] if is_told else []

    @property
    def is_put_aside(self) -> bool:
        """Whether the game counts for nothing as it is: abandoned or voided."""
        return self.game.halted in (Game.Halted.ABANDONED, Game.Halted.VOIDED)

    @property
    def round_number(self) -> int:
        """The round being bid or played."""
        return min(self.rounds_scored + 1, len(self.game.plan))


def games_of_device(secrets: Sequence[str]) -> list[DeviceGame]:
    """Return the games these link secrets open now, newest first (2 statements)."""
    if not secrets:
        return []
    links = (
        Link.objects.usable()
        .filter(secret_hash__in=[hash_of_secret(secret) for secret in secrets])
        .select_related("game")
    )
    scopes = {link.game: link.scope for link in links}
    seats: dict[int, list[Seat]] = {game.pk: [] for game in scopes}
    for seat in Seat.objects.filter(game__in=list(seats)).order_by("game", "position"):
        seats[seat.game_id].append(seat)
    games = sorted(scopes, key=lambda game: (game.started_at, game.pk), reverse=True)
    return [
        DeviceGame(
            game,
            tuple(seats[game.pk]),
            rounds_scored=max((len(seat.line) for seat in seats[game.pk]), default=0),
            watches=scopes[game] == Link.Scope.WATCH,
        )
        for game in games
    ]


def newest_kept(games: Iterable[DeviceGame]) -> DeviceGame | None:
    """Return the newest of these games, newest first, that the device keeps the score of; None if it keeps none.

    Those of which only the results are known are left out: nobody knows how long they were, or by which rules.
    """
    return next((game for game in games if not game.watches and game.game.has_rounds), None)


def recent_names(games: Iterable[DeviceGame], most: int = 12) -> list[str]:
    """Return the names of the people in these games, the most recent first, each once (case set aside)."""
    found: dict[str, str] = {}
    for game in games:
        for name in game.names:
            found.setdefault(name.casefold(), name)
    return list(found.values())[:most]
