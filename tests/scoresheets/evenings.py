"""Evenings for tests, planned and run through `recording` as on the site."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, time
from typing import Any

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, DrawnTable, Evening, Game, Player
from scoresheets.recording import EveningPlan
from tests.scoresheets.clubs import add
from tests.scoresheets.factories import fresh, play_round

DAY = date(2026, 12, 3)


def plan_of(day: date = DAY, at: time = time(19, 30), **more: Any) -> EveningPlan:
    return EveningPlan(day, at, **more)


def planned(club: Club, day: date = DAY, at: time = time(19, 30), **more: Any) -> Evening:
    """Return an evening of the club that is planned."""
    return recording.plan_evening(club, plan_of(day, at, **more), by=OPERATOR)[0]


def opened(club: Club, day: date = DAY, **more: Any) -> Evening:
    """Return an evening of the club that is open."""
    return recording.open_evening(planned(club, day, **more), by=OPERATOR)


def people(club: Club, number: int) -> list[Player]:
    """Return so many new players of the club."""
    first = club.players.count()
    return add(club, *(f"Player {first + n:03}" for n in range(number)))


def crowd(club: Club, number: int) -> list[Player]:
    """Return many new players of the club, made in bulk."""
    first = Player.objects.latest("pk").pk + 1
    return Player.objects.bulk_create(
        Player(pk=first + n, club=club, name=f"Crowd {n:03}", canonical_id=first + n) for n in range(number)
    )


def come(evening: Evening, players: Sequence[Player]) -> None:
    """Note that these players are here."""
    recording.set_here(evening, {player.pk: True for player in players}, by=OPERATOR)


def drawn(evening: Evening, *, seed: int = 1, **more: Any) -> int:
    """Draw tables and return the number of the sitting."""
    return recording.draw_tables(evening, by=OPERATOR, rng=random.Random(seed), **more)


def tables_of(evening: Evening, sitting: int = 1) -> dict[int, list[str]]:
    """Return the names at each table of a sitting in dealing order; those who sit out under 0."""
    found: dict[int, list[str]] = {}
    for seat in evening.drawn_seats.filter(sitting=sitting).order_by("table__number", "position", "player__name"):
        found.setdefault(seat.table.number if seat.table else 0, []).append(seat.player.name)
    return found


def start_all(evening: Evening, sitting: int = 1) -> list[Game]:
    """Start the games of a sitting and return them by table."""
    tables = DrawnTable.objects.filter(evening=evening, sitting=sitting).select_related("evening")
    return [recording.start_table_game(table, by=OPERATOR).game for table in tables]


def play_to_the_end(game: Game) -> Game:
    """Play a game that was just started, cut to one round."""
    Game.objects.filter(pk=game.pk).update(plan=game.plan[:1])
    play_round(game)
    return fresh(game)
