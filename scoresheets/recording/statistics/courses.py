"""What goes from game to game: runs of exact bids and of wins, and the rating, in the order in which games were played.

Ratings are those of Plackett and Luce as `openskill` works them out: everybody begins at 1500, uncertain by 200.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from scoresheets.models.lines import line_cell
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


class _Teams(list[list[PlackettLuceRating]]):
    """Ratings made for one game: the library need not copy them before it works on them, which takes longer than to
    rate.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> _Teams:
        return self


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
    best_round: int | None
    worst_round: int | None
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
    facts = zip(*map(_FACTS.__getitem__, part.cells), strict=True) if part.cells else _NO_ROUNDS
    points, exact_bids, exact_blind, marks = facts
    highest = max(exact_bids)
    course.exact_run, most = _runs("".join(marks), course.exact_run)
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
        max(exact_blind) or None,
        highest if highest >= 0 else None,
        cards_of(part.keys[exact_bids.index(highest)]) if highest >= 0 else None,
        course.exact_run,
        most,
        course.win_run,
        course.mu,
        course.sigma,
    )


class _Facts(dict[str, tuple[int, int, int, str]]):
    """What a result asks of each kind of cell, worked out once, for there are only some thousand: its points, the exact
    bid or -1, the points of an exact bid made blind or 0, and "+" or "-" for exact or not.
    """

    def __missing__(self, cell: str) -> tuple[int, int, int, str]:
        played = line_cell(cell)
        if played.is_exact:
            facts = (played.points, played.final_bid, played.points if played.blind else 0, "+")
        else:
            facts = (played.points, -1, 0, "-")
        self[cell] = facts
        return facts


_FACTS = _Facts()
#: The same where the rounds of a game are not known: no best round, and a run of exact bids that goes on as it was.
_NO_ROUNDS: Iterable[Any] = ((None,), (-1,), (0,), ("",))


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
    before = _Teams([course.rating or _MODEL.rating(course.mu, course.sigma)] for course in of_ranked)
    after = _MODEL.rate(before, ranks=[float(rank) for rank, _player in ranked])
    for course, (rating,) in zip(of_ranked, after, strict=True):
        course.mu, course.sigma, course.rating = rating.mu, rating.sigma, rating
