from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    BEST_OF,
    LEAGUE_FORMULAS,
    LEAGUE_TIE_RULES,
    LeagueLine,
    LeagueResult,
    LeagueRules,
    RulesError,
    check_league_rules,
    league_line,
    league_points,
    league_rules_problems,
)
from tests.rules.games import PROPERTY, codes

SUM, MEAN, PUBLISHER, EXACT = (LeagueRules(name) for name in ("sum", "mean", "publisher", "exact_rate"))
PLACES = LeagueRules("places", place_points=(6, 4, 2, 1))


def points_of(league: LeagueRules, ranks: list[int]) -> list[Fraction]:
    """Return the league points of a game with these ranks, as fractions of whole points."""
    return [
        Fraction(league_points(league, total=0, rank=rank, level=ranks.count(rank), players=len(ranks)), 60)
        for rank in ranks
    ]


def result(points: int = 0, *, night: object = 1, won: bool = False, exact: int = 0, bids: int = 0) -> LeagueResult:
    """Return a result worth so many whole points."""
    return LeagueResult(str(night), points * 60, won, exact, bids)


@st.composite
def rankings(draw: st.DrawFn) -> list[int]:
    """Return the ranks of three to six players as 1, 2, 2, 4, the best first."""
    totals = draw(st.lists(st.integers(0, 3), min_size=3, max_size=6))
    return sorted(1 + sum(other > total for other in totals) for total in totals)


results = st.lists(
    st.builds(
        lambda night, points, won, exact, more: LeagueResult(night, points, won, exact, exact + more),
        st.integers(1, 4),
        st.integers(-600, 600),
        st.booleans(),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_size=9,
)
leagues = st.builds(
    LeagueRules,
    st.sampled_from(["sum", "mean", "publisher"]),
    best=st.none() | st.integers(1, 5),
    best_of=st.sampled_from(BEST_OF),
    fewest_games=st.integers(0, 4),
    tie_rule=st.sampled_from(LEAGUE_TIE_RULES),
)


# -- points of a game -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "points"),
    [(3, [2, 0, -2]), (4, [3, 1, -1, -3]), (5, [4, 2, 0, -2, -4]), (6, [5, 3, 1, -1, -3, -5])],
)
def test_publisher_counts_opponents_below_minus_those_above(players: int, points: list[int]) -> None:
    assert points_of(PUBLISHER, list(range(1, players + 1))) == points


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ([1, 1, 3], [1, 1, -2]),
        ([1, 2, 2], [2, -1, -1]),
        ([1, 1, 1], [0, 0, 0]),
        ([1, 2, 2, 4], [3, 0, 0, -3]),
        ([1, 1, 3, 3], [2, 2, -2, -2]),
        ([1, 1, 1, 4, 5], [2, 2, 2, -2, -4]),
        ([1, 2, 2, 2, 2, 6], [5, 0, 0, 0, 0, -5]),
        ([1] * 6, [0] * 6),
    ],
)
def test_publisher_gives_level_players_the_mean_of_their_places(ranks: list[int], points: list[int]) -> None:
    assert points_of(PUBLISHER, ranks) == points


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ([1, 2, 3], [6, 4, 2]),
        ([1, 2, 3, 4, 5, 6], [6, 4, 2, 1, 0, 0]),
        ([1, 1, 3, 4], [5, 5, 2, 1]),
        ([1, 1, 1, 4], [4, 4, 4, 1]),
        ([1, 2, 2, 2, 5], [6, Fraction(7, 3), Fraction(7, 3), Fraction(7, 3), 0]),
        ([1, 2, 3, 4, 4], [6, 4, 2, Fraction(1, 2), Fraction(1, 2)]),
        ([1] * 5, [Fraction(13, 5)] * 5),
        ([1] * 6, [Fraction(13, 6)] * 6),
    ],
)
def test_places_are_worth_what_the_table_says_and_their_mean_if_shared(ranks: list[int], points: list[int]) -> None:
    assert points_of(PLACES, ranks) == points


@pytest.mark.parametrize("total", [-120, 0, 340])
def test_sum_and_mean_take_the_points_on_the_sheet_whatever_the_rank(total: int) -> None:
    for league in (SUM, MEAN):
        assert league_points(league, total=total, rank=3, level=2, players=4) == 60 * total


def test_share_of_exact_bids_is_no_matter_of_points() -> None:
    assert league_points(EXACT, total=340, rank=1, level=1, players=4) == 0


@given(ranks=rankings())
@PROPERTY
def test_publisher_points_of_a_game_add_up_to_nothing(ranks: list[int]) -> None:
    assert sum(points_of(PUBLISHER, ranks)) == 0


@given(ranks=rankings(), table=st.lists(st.integers(0, 9), min_size=1, max_size=6))
@PROPERTY
def test_place_points_of_a_game_add_up_to_its_places_exactly(ranks: list[int], table: list[int]) -> None:
    league = LeagueRules("places", place_points=tuple(sorted(table, reverse=True)))
    assert sum(points_of(league, ranks)) == sum(league.place_points[: len(ranks)])


@given(ranks=rankings())
@PROPERTY
def test_better_rank_is_never_worth_less(ranks: list[int]) -> None:
    for league in (PUBLISHER, PLACES):
        assert points_of(league, ranks) == sorted(points_of(league, ranks), reverse=True)


# -- a line of the table ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", LEAGUE_FORMULAS)
def test_line_without_results_is_nothing_and_not_ranked(formula: str) -> None:
    assert league_line(LeagueRules(formula), []) == LeagueLine(0, 0, 0, 0, 0, 0, (), False, 0.0, 0.0)


def test_line_adds_up_everything() -> None:
    played = [
        result(6, night="Mon", won=True, exact=7, bids=15),
        result(1, night="Mon", exact=4, bids=15),
        result(4, night="Tue", exact=5, bids=10),
    ]
    assert league_line(PLACES, played) == LeagueLine(
        games=3, nights=2, wins=1, bids=40, exact=16, points=660, counted=(0, 1, 2), ranked=True, score=11.0, tie=0.4
    )


def test_mean_divides_by_the_games_that_count() -> None:
    played = [result(100), result(-20), result(31)]
    assert league_line(MEAN, played).score == 37.0
    assert league_line(replace(MEAN, best=2), played).score == 65.5


def test_exact_rate_is_over_all_bids_and_zero_without_any() -> None:
    assert league_line(EXACT, [result(exact=1, bids=3), result(exact=3, bids=3)]).score == 4 / 6
    assert league_line(EXACT, [result(won=True)]).score == 0.0


@pytest.mark.parametrize(
    ("best", "counted"),
    [(1, (1,)), (2, (1, 3)), (3, (0, 1, 3)), (5, (0, 1, 2, 3, 4)), (9, (0, 1, 2, 3, 4)), (None, (0, 1, 2, 3, 4))],
)
def test_best_games_count_and_of_equal_ones_the_earlier(best: int | None, counted: tuple[int, ...]) -> None:
    played = [result(points) for points in (3, 7, -2, 5, 3)]
    assert league_line(replace(SUM, best=best), played).counted == counted


@pytest.mark.parametrize(
    ("formula", "best", "counted"),
    [
        # The evenings are worth 9, 8 and 9 in all, and 4.5, 8 and 3 a game.
        ("sum", 1, (0, 3)),
        ("sum", 2, (0, 2, 3, 4, 5)),
        ("sum", 3, (0, 1, 2, 3, 4, 5)),
        ("mean", 1, (1,)),
        ("mean", 2, (0, 1, 3)),
    ],
)
def test_best_evenings_count_as_a_whole(formula: str, best: int, counted: tuple[int, ...]) -> None:
    played = [
        *(result(5, night=1), result(8, night=2), result(2, night=3)),
        *(result(4, night=1), result(3, night=3), result(4, night=3)),
    ]
    line = league_line(LeagueRules(formula, best=best, best_of="evenings"), played)
    assert line.counted == counted
    assert (line.games, line.nights) == (6, 3)


def test_best_games_may_all_be_below_zero() -> None:
    assert league_line(replace(SUM, best=2), [result(-5), result(-1), result(-3)]).points == -240


@pytest.mark.parametrize(("games", "ranked"), [(1, False), (2, False), (3, True), (4, True)])
def test_too_few_games_give_no_rank_but_a_score(games: int, ranked: bool) -> None:
    line = league_line(replace(SUM, fewest_games=3), [result(10)] * games)
    assert (line.ranked, line.score) == (ranked, 10.0 * games)


def test_games_that_do_not_count_among_the_best_still_count_for_the_rank() -> None:
    assert league_line(replace(SUM, best=1, fewest_games=3), [result(1)] * 3).ranked


@pytest.mark.parametrize(("tie_rule", "tie"), [("exact_rate", 0.25), ("wins", 2.0), ("shared", 0.0)])
def test_tie_rule_says_what_decides_between_equal_points(tie_rule: str, tie: float) -> None:
    played = [result(1, won=True, exact=1, bids=4), result(1, won=True, bids=4), result(1, exact=2, bids=4)]
    assert league_line(replace(SUM, tie_rule=tie_rule), played).tie == tie


def test_all_tied_players_have_the_same_score_however_it_came_about() -> None:
    third = league_points(PLACES, total=0, rank=2, level=3, players=5)
    thrice = [LeagueResult("Mon", third, False, 1, 3)] * 3
    once = [result(7, exact=2, bids=6)]
    lines = [league_line(PLACES, played) for played in (thrice, once)]
    assert {(line.score, line.tie) for line in lines} == {(7.0, 1 / 3)}


@given(played=results, league=leagues)
@PROPERTY
def test_line_counts_the_best_choice_there_is(played: list[LeagueResult], league: LeagueRules) -> None:
    line = league_line(league, played)
    units = [[place] for place in range(len(played))]
    if league.best_of == "evenings":
        nights = dict.fromkeys(result.night for result in played)
        units = [[place for place, one in enumerate(played) if one.night == night] for night in nights]

    def worth(places: list[int]) -> Fraction:
        points = Fraction(sum(played[place].points for place in places))
        return points / len(places) if league.formula == "mean" else points

    size = len(units) if league.best is None else min(league.best, len(units))
    assert sorted(line.counted) == list(line.counted)
    chosen = [unit for unit in units if set(unit) <= set(line.counted)]
    assert sorted(place for unit in chosen for place in unit) == list(line.counted)
    assert len(chosen) == size
    assert sum(map(worth, chosen)) == max(
        (sum(map(worth, choice), Fraction(0)) for choice in combinations(units, size)), default=0
    )
    assert line.points == sum(played[place].points for place in line.counted)
    assert line.ranked == (len(played) >= max(1, league.fewest_games))


@given(played=results, league=leagues)
@PROPERTY
def test_better_result_never_lowers_the_sum(played: list[LeagueResult], league: LeagueRules) -> None:
    league = replace(league, formula="sum")
    for place, one in enumerate(played):
        better = [*played[:place], one._replace(points=one.points + 60), *played[place + 1 :]]
        assert league_line(league, better).score >= league_line(league, played).score


# -- rules that cannot be ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "league",
    [
        *(SUM, MEAN, PUBLISHER, EXACT, PLACES),
        LeagueRules("places", place_points=(1,)),
        LeagueRules("places", place_points=(0, 0, 0)),
        LeagueRules("places", place_points=(1000, 5, 5, 0, -5, -1000)),
        LeagueRules("sum", place_points=(1, 2, 3, 4, 5, 6, 7)),
        LeagueRules("sum", best=1, best_of="evenings", fewest_games=1000, tie_rule="shared"),
        LeagueRules("mean", best=1000, tie_rule="wins"),
    ],
)
def test_league_rules_that_can_be(league: LeagueRules) -> None:
    assert league_rules_problems(league) == ()
    check_league_rules(league)


@pytest.mark.parametrize(
    ("league", "found"),
    [
        (LeagueRules("elo"), ["league_formula_unknown"]),
        (LeagueRules(best_of="weeks"), ["league_best_of_unknown"]),
        (LeagueRules(tie_rule="dice"), ["league_tie_rule_unknown"]),
        (LeagueRules("places"), ["league_places_count"]),
        (LeagueRules("places", place_points=(7, 6, 5, 4, 3, 2, 1)), ["league_places_count"]),
        (LeagueRules("places", place_points=(1001, 0)), ["league_place_out_of_range"]),
        (LeagueRules("places", place_points=(5, 0, 0, 0, 0, -1001)), ["league_place_out_of_range"]),
        (LeagueRules("places", place_points=(1, 2)), ["league_places_must_fall"]),
        # The fourth place, which is not named, would be worth more than the third.
        (LeagueRules("places", place_points=(3, 1, -1)), ["league_places_must_fall"]),
        (LeagueRules("places", place_points=(-1001, 5)), ["league_place_out_of_range", "league_places_must_fall"]),
        (LeagueRules(best=0), ["league_best_out_of_range"]),
        (LeagueRules(best=1001), ["league_best_out_of_range"]),
        (LeagueRules("exact_rate", best=3), ["league_best_needs_points"]),
        (LeagueRules(fewest_games=-1), ["league_fewest_games_out_of_range"]),
        (LeagueRules(fewest_games=1001), ["league_fewest_games_out_of_range"]),
        (
            LeagueRules("elo", (9, 1), -1, "weeks", -1, "dice"),
            [
                *("league_formula_unknown", "league_best_of_unknown", "league_tie_rule_unknown"),
                *("league_best_out_of_range", "league_fewest_games_out_of_range"),
            ],
        ),
    ],
)
def test_league_rules_that_cannot_be(league: LeagueRules, found: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        check_league_rules(league)
    assert codes(caught.value.problems) == found
    assert all(problem.message.endswith(".") for problem in caught.value.problems)
