"""A season's rule as sentences, and points as a table shows them, in both languages."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.utils import translation

import rules
from scoresheets import league_words
from scoresheets.models import Season

LEFT_EARLY = "Games that were ended early do not count, nor does a game for somebody who came late or left."
FRIENDLY = "Games of friendly evenings do not count."
BY_RATE = "If points are equal, the rate of exact bids decides; if that is equal too, the place is shared."


def season(**values: Any) -> Season:
    return Season(name="Winter", **{"starts_on": date(2026, 9, 1), **values})


def words(language: str = "en", *, incomplete_counts: bool = False, **values: Any) -> list[str]:
    with translation.override(language):
        return league_words.rule_in_words(season(**values), incomplete_counts=incomplete_counts)


def test_whole_rule_of_a_plain_season():
    assert words() == [
        "The points on the score sheets are added up.",
        "Games from 1 Sep 2026 on count.",
        FRIENDLY,
        LEFT_EARLY,
        BY_RATE,
    ]


def test_whole_rule_of_a_season_with_everything():
    values = {"formula": "places", "place_points": [6, 4, 2, 1], "best": 9, "best_of": "evenings", "fewest_games": 8}
    more = {"tie_rule": "wins", "editions": ["base", "maximus"], "guests": "unranked", "only_evenings": True}

    assert words(incomplete_counts=True, ends_on=date(2027, 6, 30), **values, **more) == [
        "A game is worth points for the place: 6, 4, 2 and 1, then none.",
        "Those who share places get the mean of them.",
        "Only the best 9 evenings count.",
        "An evening counts with all its games.",
        "Games from 1 Sep 2026 to 30 Jun 2027 count; until five in the morning it is still the evening before.",
        "Only games of these editions count: Base game, Wizard Maximus.",
        "Only games of an evening count, unless it is a friendly one.",
        "Guests are not in the table; games with them count for the others.",
        "Games that were ended early count too; not for somebody who came late or left.",
        "A place takes at least 8 games.",
        "If points are equal, more wins decide; if those are equal too, the place is shared.",
    ]


@pytest.mark.parametrize(
    ("values", "first"),
    [
        (
            {"formula": "mean"},
            "What counts are the points on the score sheets a game: their sum, divided by the games.",
        ),
        ({"formula": "exact_rate"}, "What counts is the share of exact bids among all bids."),
        (
            {"formula": "publisher"},
            "A game is worth +1 for every opponent below and −1 for every one above: among four +3, +1, −1 and −3. "
            "Those who share places get the mean of them.",
        ),
        ({"formula": "places", "place_points": [1]}, "A game is worth points for the place: 1, then none."),
        (
            {"formula": "places", "place_points": [3, 1, 0, 0, -1, -3]},
            "A game is worth points for the place: 3, 1, 0, 0, −1 and −3.",
        ),
    ],
)
def test_formula_in_words(values, first):
    assert words(**values)[0] == first


def test_rate_of_bids_says_that_games_without_bids_do_not_count():
    assert words(formula="exact_rate")[1] == "Games of which only the points are known do not count."


def test_all_formulas_tie_rules_editions_and_guests_have_words():
    assert tuple(league_words.FORMULAS) == rules.LEAGUE_FORMULAS
    assert tuple(league_words.TIE_RULES) == rules.LEAGUE_TIE_RULES
    assert tuple(league_words.EDITIONS) == rules.EDITIONS
    assert list(league_words.GUESTS) == Season.Guests.values


@pytest.mark.parametrize(
    ("values", "last"),
    [
        ({"tie_rule": "shared"}, "Who is equal shares the place."),
        ({"formula": "exact_rate"}, "Who is equal shares the place."),
        (
            {"formula": "exact_rate", "tie_rule": "wins"},
            "If points are equal, more wins decide; if those are equal too, ",
        ),
        ({}, BY_RATE),
    ],
)
def test_tie_rule_is_the_last_sentence(values, last):
    assert words(**values)[-1].startswith(last)


@pytest.mark.parametrize(
    ("best", "best_of", "sentence"),
    [
        (1, "games", "Only the best game counts."),
        (9, "games", "Only the best 9 games count."),
        (1, "evenings", "Only the best evening counts."),
    ],
)
def test_best_results_in_words(best, best_of, sentence):
    assert sentence in words(best=best, best_of=best_of)


def test_rule_in_german_is_all_german():
    german = words(
        "de",
        formula="publisher",
        best=3,
        fewest_games=5,
        guests="excluded",
        editions=["specials"],
        ends_on=date(2027, 1, 1),
    )
    english = words(formula="publisher", best=3, fewest_games=5, guests="excluded", editions=["specials"])
    assert not set(german) & set(english)
    assert "Nur die besten 3 Spiele zählen." in german
    assert "Nur Spiele dieser Ausgaben zählen: Mit Sonderkarten." in german


@pytest.mark.parametrize(
    ("sixtieths", "english", "german"),
    [
        (0, "0", "0"),
        (52 * 60, "52", "52"),
        (-3 * 60, "−3", "−3"),
        (30, "0.5", "0,5"),
        (140, "2.33", "2,33"),
        (-140, "−2.33", "−2,33"),
        (156, "2.6", "2,6"),
        (1990 * 60, "1,990", "1.990"),
    ],
)
def test_points_have_as_many_places_as_they_take(sixtieths, english, german):
    with translation.override("en"):
        assert league_words.points_in_words(sixtieths) == english
    with translation.override("de"):
        assert league_words.points_in_words(sixtieths) == german


@pytest.mark.parametrize(
    ("formula", "shown"),
    [("sum", "90"), ("places", "90"), ("publisher", "90"), ("mean", "12.5"), ("exact_rate", "1,250.0%")],
)
def test_score_is_what_the_formula_decides_by(formula, shown):
    with translation.override("en"):
        assert league_words.score_in_words(formula, points=90 * 60, score=12.5) == shown


def test_share_of_nothing_is_a_dash():
    with translation.override("en"):
        assert (league_words.share(0, 0), league_words.share(0, 3), league_words.share(3, 3)) == ("–", "0%", "100%")


@pytest.mark.parametrize(
    ("names", "has_more", "said"),
    [([], False, ""), (["A"], False, "A"), (["A", "B"], False, "A and B"), (["A", "B"], True, "A, B and others")],
)
def test_names_on_a_place(names, has_more, said):
    with translation.override("en"):
        assert league_words.names_in_words(names, has_more=has_more) == said


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("sum", "30 points in 2 games that count"),
        ("mean", "30 points in 2 games that count: 15.0 a game"),
        ("exact_rate", "3 exact ones of 8 bids: 37.5%"),
    ],
)
def test_how_a_number_comes_about(formula, said):
    league = rules.LeagueRules(formula)
    points = 0 if formula == "exact_rate" else 900
    line = rules.league_line(league, [rules.LeagueResult(1, points, won=True, exact=1 + n, bids=4) for n in range(2)])
    with translation.override("en"):
        assert league_words.sum_in_words(league, line) == said
