"""What goes from game to game: runs of exact bids and of wins, and the rating, in the order in which games were played.

Ratings are those of Plackett and Luce as `openskill` works them out: everybody begins at 1500, uncertain by 200.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from scoresheets.models.lines import LineCell, line_cell
from scoresheets.recording.statistics.contributions import FEWEST_RANKED, Contribution, GameRow, Part, cards_of

RATING_MU, RATING_SIGMA = 1500.0, 200.0
#: How uncertain a single game is, and how much a rating may drift between two: the proportions the library suggests.
_MODEL = PlackettLuce(mu=RATING_MU, sigma=RATING_SIGMA, beta=RATING_SIGMA / 2, tau=RATING_SIGMA / 100)


@dataclass(slots=True)
class Course:
    """Where a player stands after the games so far; without a rated game there is no rating.

    `rating` is the library's own value of the same, where it is at hand: making one takes as long as a third of a game.
    """

    exact_run: int = 0
    win_run: int = 0
    mu: float | None = None
    sigma: float | None = None
    rating: PlackettLuceRating | None = None


class ResultRow(NamedTuple):
    """The columns of `Result`, in the order of the table."""

    player_id: int
    game_id: int
    club_id: int
    evening_id: int | None
    night: Any
    started_at: Any
    edition: str
    players: int
    total: int
    exact: int
    rounds: int
    rank: int | None
    level: int | None
    margin: int | None
    best_round: int
    worst_round: int
    best_blind: int | None
    highest_exact: int | None
    highest_exact_cards: int | None
    exact_run: int
    exact_run_most: int
    win_run: int
    rating_mu: float | None
    rating_sigma: float | None


def results_of(played: Contribution, courses: Mapping[int, Course]) -> list[ResultRow]:
    """Return the result of each player, in order of their ids, and bring their courses up to date."""
    rate(played, courses)
    return [_result(played.game, played.players, part, courses[part.player]) for part in played.parts]


def _result(game: GameRow, players: int, part: Part, course: Course) -> ResultRow:
    points = [*map(_POINTS.__getitem__, part.cells)]
    exact_bids = [*map(_EXACT_BIDS.__getitem__, part.cells)]
    highest = max(exact_bids)
    course.exact_run, most = _runs("".join(map(_MARKS.__getitem__, part.cells)), course.exact_run)
    if part.rank is not None:
        course.win_run = course.win_run + 1 if part.rank == 1 else 0
    # By position, which is quicker: in the order of the columns.
    return ResultRow(
        part.player,
        game.id,
        game.club,
        game.evening,
        game.night,
        game.started_at,
        game.edition,
        players,
        part.total,
        part.exact,
        len(part.cells),
        part.rank,
        part.level,
        part.margin,
        max(points),
        min(points),
        max(map(_EXACT_BLIND.__getitem__, part.cells)) or None,
        highest if highest >= 0 else None,
        cards_of(part.keys[exact_bids.index(highest)]) if highest >= 0 else None,
        course.exact_run,
        most,
        course.win_run,
        course.mu,
        course.sigma,
    )


class _OfCells(dict[str, Any]):
    """One fact of each kind of cell, worked out once: there are only some thousand."""

    def __init__(self, fact: Callable[[LineCell], Any]) -> None:
        super().__init__()
        self.fact = fact

    def __missing__(self, cell: str) -> Any:
        self[cell] = fact = self.fact(line_cell(cell))
        return fact


_POINTS = _OfCells(lambda played: played.points)
_MARKS = _OfCells(lambda played: "+" if played.is_exact else "-")
#: The exact bid, or -1; the points of an exact bid made blind, or 0.
_EXACT_BIDS = _OfCells(lambda played: played.final_bid if played.is_exact else -1)
_EXACT_BLIND = _OfCells(lambda played: played.points if played.is_exact and played.blind else 0)


def _runs(marks: str, before: int) -> tuple[int, int]:
    """Return the run of exact bids at the end of a game and the longest that stood in it, given the one before it."""
    first, *others = map(len, marks.split("-"))
    if not others:
        return before + first, before + first
    return others[-1], max(before + first, *others)


def rate(played: Contribution, courses: Mapping[int, Course]) -> None:
    """Rate those who are ranked in a game against each other; seats that are nobody's are left out."""
    ranked = played.ranked
    if len(ranked) < FEWEST_RANKED:
        return
    of_ranked = [courses[player] for _rank, player in ranked]
    before = [[course.rating or _MODEL.rating(course.mu, course.sigma)] for course in of_ranked]
    after = _MODEL.rate(before, ranks=[float(rank) for rank, _player in ranked])
    for course, (rating,) in zip(of_ranked, after, strict=True):
        course.mu, course.sigma, course.rating = rating.mu, rating.sigma, rating
