"""Leagues: the points of a finished game by a formula, and how the results of a season add up to a line of the table.

League points are whole numbers of sixtieths: the mean of the points of any two to six places is one.
Source: the formulas are the leagues' own; the publisher's tournaments count +1 for every opponent below and -1 for
every one above.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from rules.errors import Problem, refuse
from rules.variants import MOST_PLAYERS

SUM, MEAN, PLACES, PUBLISHER, EXACT_RATE = "sum", "mean", "places", "publisher", "exact_rate"
LEAGUE_FORMULAS: tuple[str, ...] = (SUM, MEAN, PLACES, PUBLISHER, EXACT_RATE)
"""Sum of the points on the sheets, their mean a game, points for places, +1/-1 an opponent, share of exact bids."""

GAMES, EVENINGS = "games", "evenings"
BEST_OF: tuple[str, ...] = (GAMES, EVENINGS)

WINS, LEVEL = "wins", "shared"
LEAGUE_TIE_RULES: tuple[str, ...] = (EXACT_RATE, WINS, LEVEL)
"""What decides between equal points: the share of exact bids, the number of wins, or nothing."""

SIXTIETHS = 60
MOST_PLACE_POINTS = 1000
MOST_BEST = 1000
MOST_FEWEST_GAMES = 1000


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """How results add up. Any combination can be built: `league_rules_problems` judges it.

    `place_points` are those of places 1, 2, ... (formula "places"; further places get none). With `best` only so many
    results count, the best ones, of games or of whole evenings. Fewer than `fewest_games` games give no rank.
    """

    formula: str = SUM
    place_points: tuple[int, ...] = ()
    best: int | None = None
    best_of: str = GAMES
    fewest_games: int = 0
    tie_rule: str = EXACT_RATE


def league_rules_problems(league: LeagueRules) -> tuple[Problem, ...]:
    """Return all that is wrong with a combination of league rules, always in the same order."""
    return tuple(_problems(league))


def check_league_rules(league: LeagueRules) -> None:
    """Do nothing if results can be added up so. Raises `RulesError` with all of `league_rules_problems`."""
    refuse(league_rules_problems(league))


def _problems(league: LeagueRules) -> Iterator[Problem]:
    if league.formula not in LEAGUE_FORMULAS:
        yield Problem.of("league_formula_unknown", formula=league.formula)
    if league.best_of not in BEST_OF:
        yield Problem.of("league_best_of_unknown", best_of=league.best_of)
    if league.tie_rule not in LEAGUE_TIE_RULES:
        yield Problem.of("league_tie_rule_unknown", tie_rule=league.tie_rule)
    yield from _place_problems(league)
    if league.best is not None and not 1 <= league.best <= MOST_BEST:
        yield Problem.of("league_best_out_of_range", best=league.best, most=MOST_BEST)
    if league.best is not None and league.formula == EXACT_RATE:
        yield Problem.of("league_best_needs_points")
    if not 0 <= league.fewest_games <= MOST_FEWEST_GAMES:
        yield Problem.of("league_fewest_games_out_of_range", games=league.fewest_games, most=MOST_FEWEST_GAMES)


def _place_problems(league: LeagueRules) -> Iterator[Problem]:
    if league.formula != PLACES:
        return
    if not 1 <= len(league.place_points) <= MOST_PLAYERS:
        yield Problem.of("league_places_count", places=len(league.place_points), most=MOST_PLAYERS)
    if any(abs(points) > MOST_PLACE_POINTS for points in league.place_points):
        yield Problem.of("league_place_out_of_range", most=MOST_PLACE_POINTS)
    # Places beyond the table get nothing, which is more than a minus.
    every_place = [*league.place_points, *[0] * (MOST_PLAYERS - len(league.place_points))]
    if any(better < worse for better, worse in pairwise(every_place)):
        yield Problem.of("league_places_must_fall")


def league_points(league: LeagueRules, *, total: int, rank: int, level: int, players: int) -> int:
    """Return what one finished game is worth, in sixtieths of a league point (may be negative).

    `total` are the points on the sheet, `rank` the place from 1, shared by `level` of the `players`, at most 6. Tied
    players get the mean of their places. The share of exact bids is no matter of points: the game is worth 0 then.

    >>> [league_points(LeagueRules("publisher"), total=0, rank=rank, level=1, players=4) // 60 for rank in (1, 2, 3, 4)]
    [3, 1, -1, -3]
    """
    if league.formula in (SUM, MEAN):
        return SIXTIETHS * total
    if league.formula == PUBLISHER:
        # The mean over the shared places of (players below - players above).
        return SIXTIETHS * (players + 2 - 2 * rank - level)
    if league.formula == PLACES:
        return SIXTIETHS * sum(league.place_points[rank - 1 : rank - 1 + level]) // level
    return 0


class LeagueResult(NamedTuple):
    """One player's part in one game that counts: league points in sixtieths, and which night they are of."""

    night: Hashable
    points: int
    won: bool
    exact: int
    bids: int


def league_result(
    league: LeagueRules, *, night: Hashable, total: int, rank: int, level: int, players: int, exact: int, bids: int
) -> LeagueResult:
    """Return what one finished game is to a league; `exact` of the player's `bids` were, the rest is as in
    `league_points`.
    """
    points = league_points(league, total=total, rank=rank, level=level, players=players)
    return LeagueResult(night, points, rank == 1, exact, bids)


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A line of the table before it is ranked.

    `games`, `nights`, `wins`, `bids` and `exact` are of all results, `points` (sixtieths) of those that count, which
    are at the places `counted` of the results. `score` and then `tie` decide, the higher the better: each is one
    correctly rounded division of whole numbers, so two are equal only if they are equal.
    """

    games: int
    nights: int
    wins: int
    bids: int
    exact: int
    points: int
    counted: tuple[int, ...]
    ranked: bool
    score: float
    tie: float


def league_line(league: LeagueRules, results: Sequence[LeagueResult]) -> LeagueLine:
    """Return what the results of one player, in the order played, add up to; without any all is 0 and nothing ranked.

    Of equal results, or equal evenings, the earlier counts.
    """
    counted = _best(league, results)
    nights, points_of, won, exact_of, bids_of = zip(*results, strict=True) if results else ((),) * 5
    games, wins, bids, exact = len(results), sum(won), sum(bids_of), sum(exact_of)
    points = sum(points_of[place] for place in counted)
    place = league_place(league, games=games, wins=wins, bids=bids, exact=exact, points=points, counted=len(counted))
    return LeagueLine(games, len(set(nights)), wins, bids, exact, points, counted, *place)


class LeaguePlace(NamedTuple):
    """What a line of the table is ordered by: whether it has a rank, then `score`, then `tie`, the higher the first."""

    ranked: bool
    score: float
    tie: float


def league_place(
    league: LeagueRules, *, games: int, wins: int, bids: int, exact: int, points: int, counted: int
) -> LeaguePlace:
    """Return where a line with these sums stands; `points` (sixtieths) are of the `counted` best of its `games`."""
    rate = exact / bids if bids else 0.0
    scores = {MEAN: points / (SIXTIETHS * counted) if counted else 0.0, EXACT_RATE: rate}
    ties = {EXACT_RATE: rate, WINS: float(wins)}
    return LeaguePlace(
        ranked=0 < games >= league.fewest_games,
        score=scores.get(league.formula, points / SIXTIETHS),
        tie=ties.get(league.tie_rule, 0.0),
    )


def _best(league: LeagueRules, results: Sequence[LeagueResult]) -> tuple[int, ...]:
    """Return the places of the results that count, ascending."""
    if league.best is None:
        return tuple(range(len(results)))
    units: dict[Hashable, list[int]] = defaultdict(list)
    for place, result in enumerate(results):
        units[result.night if league.best_of == EVENINGS else place].append(place)

    def worth(places: Collection[int]) -> float:
        points = sum(results[place].points for place in places)
        return points / len(places) if league.formula == MEAN else points

    best_first = sorted(units.values(), key=lambda places: (-worth(places), places[0]))
    return tuple(sorted(place for places in best_first[: league.best] for place in places))
