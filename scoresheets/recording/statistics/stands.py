"""Where players stand at some point in the order of games: read from their results and tallies."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from scoresheets.models import Player, PlayerTally, Result
from scoresheets.recording.statistics.courses import Course

Order = tuple[datetime, int]
"""When a game started, and its id."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A player's course, and the game it is after; None before the first one."""

    course: Course
    order: Order | None = None


def stand_of_tally(row: PlayerTally) -> Stand:
    """Return where a player stands now."""
    course = Course(row.exact_run, row.win_run, row.rating_mu, row.rating_sigma)
    return Stand(course, (row.last_started_at, row.last_game))


def stands_before(order: Order, players: Collection[int]) -> dict[int, Stand]:
    """Return where these players stood before the game with this order, those who had played (1 statement)."""
    started_at, game = order
    earlier = Q(started_at__lt=started_at) | Q(started_at=started_at, game__lt=game)
    return {
        result.player_id: Stand(
            Course(result.exact_run, result.win_run, result.rating_mu, result.rating_sigma),
            (result.started_at, result.game_id),
        )
        for result in newest_results(players, earlier)
    }


def newest_results(players: Collection[int], among: Q | None = None) -> QuerySet[Result]:
    """Return the newest result of each of these players, those who have one, all or `among` some (1 statement)."""
    results = Result.objects.filter(among or Q(), player=OuterRef("pk")).order_by("-started_at", "-game")
    newest = Player.objects.filter(pk__in=players).annotate(newest=Subquery(results.values("pk")[:1]))
    return Result.objects.filter(pk__in=newest.values("newest"))


def longest_runs(players: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return the longest run of exact bids and of wins of each of these players who has a result (1 statement)."""
    found = Result.objects.filter(player__in=players).values("player").order_by()
    longest = found.annotate(exact=Max("exact_run_most"), wins=Max("win_run"))
    return {row["player"]: (row["exact"], row["wins"]) for row in longest}


def take_course(row: PlayerTally, course: Course) -> None:
    """Set the rating and the runs of a tally as this course has them."""
    row.exact_run, row.win_run = course.exact_run, course.win_run
    row.rating_mu, row.rating_sigma = course.mu, course.sigma
