"""Numbers as each language writes them, and charts: what is hatched, what is said, what stands in the table."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import translation

from scoresheets.models import Player
from scoresheets.numbers import decimal, percent, whole
from scoresheets.queries.insight import Insight, LastBid
from scoresheets.queries.lifetime import Month, Pair, Rate
from scoresheets.templatetags.charts import (
    bids_chart,
    cards_chart,
    cards_compared,
    heat_map,
    last_found,
    pairs_chart,
    positions_chart,
    worth_map,
)
from scoresheets.templatetags.rating_charts import rating_chart, ratings_compared
from tests.scoresheets.pages import read_html

# -- numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("write", "number", "english", "german"),
    [
        (whole, 1990, "1,990", "1.990"),
        (whole, -40, "−40", "−40"),
        (whole, 2.5, "3", "3"),
        (whole, 1234567, "1,234,567", "1.234.567"),
        (decimal, 15.94, "15.9", "15,9"),
        (decimal, 0.25, "0.3", "0,3"),
        (decimal, -0.25, "−0.3", "−0,3"),
        (decimal, 1234, "1,234.0", "1.234,0"),
        (decimal, -0.01, "0.0", "0,0"),
        (percent, 0.579, "58%", "58\N{NARROW NO-BREAK SPACE}%"),
        (percent, 1 / 200, "1%", "1\N{NARROW NO-BREAK SPACE}%"),
        (percent, 0.145, "15%", "15\N{NARROW NO-BREAK SPACE}%"),
        (percent, 1, "100%", "100\N{NARROW NO-BREAK SPACE}%"),
    ],
)
def test_numbers_are_written_as_the_language_does(write, number, english, german):
    with translation.override("en"):
        assert write(number) == english
    with translation.override("de"):
        assert write(number) == german


# -- charts ---------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _in_english():
    with translation.override("en"):
        yield


def finding(chart: str) -> str:
    return read_html(chart).one("desc").text


def table(chart: str) -> list[list[str]]:
    rows = read_html(chart).one("tbody").all("tr")
    return [[row.one("th").text, *(cell.text for cell in row.all("td"))] for row in rows]


def classes(chart: str, tag: str = "rect") -> list[str]:
    return [element.attrs.get("class", "") for element in read_html(chart).all(tag)]


def test_bars_of_few_bids_are_hatched():
    chart = cards_chart({1: Rate(20, 15, 400), 2: Rate(19, 10, 100), 3: Rate(100, 50, 900)})

    bars = read_html(chart).all("rect")
    assert [bar["class"] for bar in bars] == ["bar", "bar--few", "bar"]
    assert [bar.attrs.get("fill") for bar in bars] == [None, "url(#cards_hatch)", None]
    assert read_html(chart).one("pattern")["id"] == "cards_hatch"


def test_chart_says_what_it_shows_and_has_all_numbers_in_its_table():
    chart = cards_chart({1: Rate(100, 84, 2000), 2: Rate(19, 1, 0), 3: Rate(50, 20, 100)})

    assert finding(chart) == "84% with 1 card, 40% with 3 cards. Average 62%."
    assert table(chart) == [
        ["1", "100", "84", "84%", "20.0"],
        ["2", "19", "1", "5%", "0.0"],
        ["3", "50", "20", "40%", "2.0"],
    ]
    svg = read_html(chart).one("svg")
    assert svg["role"] == "img"
    assert svg["aria-labelledby"] == "cards_title cards_finding"


def test_chart_of_few_bids_says_so():
    assert finding(bids_chart({0: Rate(19, 10, 0)})) == "Fewer than 20 bids each so far: too few to say much."


def test_seats_without_a_bid_have_no_bar():
    chart = positions_chart({(3, 1): Rate(40, 20, 0), (3, 3): Rate(40, 10, 0)})

    assert len(classes(chart)) == 2
    assert finding(chart) == "Bidding first: 50% of 40 bids exact. Bidding last, as dealer: 25% of 40."
    assert [row[:2] for row in table(chart)] == [["3", "1, bids first"], ["3", "3, the dealer"]]


def test_heat_map_outlines_exact_bids_and_hatches_few():
    chart = heat_map({(0, 0): (30, 600), (0, 1): (10, -100), (1, 1): (5, 150), (1, 0): (5, -50)})

    assert classes(chart) == ["h5 diag", "h3", "h-few", "h-few diag"]
    assert "A bid of 0 comes true most often, 75%" in finding(chart)
    assert table(chart) == [["0", "30", "10"], ["1", "5", "5"]]


def test_heat_map_of_high_bids_keeps_them_in_the_table_only():
    chart = heat_map({(8, 10): (30, -600), (11, 12): (40, -400)})

    assert [row[0] for row in table(chart)] == ["8", "11"]
    labels = [element.text for element in read_html(chart).all("text")]
    assert "9+" in labels
    assert "11" not in labels


def test_rating_chart_names_its_highest_month():
    months = [
        Month(date(2025, 12, 1), 1500, 400),
        Month(date(2026, 1, 1), 1661, 300),
        Month(date(2026, 3, 1), 1627, 90),
    ]

    chart = rating_chart(months)

    labels = [element.text for element in read_html(chart).all("text")]
    assert {"1627", "High 1661", "2026"} <= set(labels)
    assert finding(chart) == "1627 in March 2026; highest 1661 in January 2026, first 1500 in December 2025."
    assert table(chart)[0] == ["Mar 2026", "1627", "90"]


@pytest.mark.parametrize("count", [1, 2, 240])
def test_rating_chart_has_at_most_five_lines_across(count):
    months = [Month(date(2000 + n // 12, 1 + n % 12, 1), 1200 + 3 * n, 100) for n in range(count)]

    assert len([kind for kind in classes(rating_chart(months), "line") if kind == "grid"]) <= 5


def test_compared_ratings_differ_in_more_than_colour():
    lines = [
        (name, [Month(date(2026, month, 1), 1500 + month * factor, 100) for month in (1, 2)])
        for name, factor in (("Annika", 5), ("Bernd", -5), ("Cem", 1))
    ]

    chart = ratings_compared([*lines, ("Doro", [])])

    drawn = read_html(chart).all("polyline")
    assert [line.attrs.get("stroke-dasharray") for line in drawn] == [None, "7 4", "2 4"]
    assert finding(chart) == "Now: Annika 1510, Cem 1502, Bernd 1490."


def test_compared_rates_leave_out_few_bids_but_for_the_table():
    chart = cards_compared([("Annika", {1: Rate(20, 10, 0), 2: Rate(5, 5, 0)}), ("Bernd", {2: Rate(40, 30, 0)})])

    points = [line["points"].split() for line in read_html(chart).all("polyline")]
    assert [len(line) for line in points] == [1, 1]
    assert table(chart) == [["1", "50% of 20", "–"], ["2", "100% of 5", "75% of 40"]]


def test_opponents_of_few_games_are_hatched_and_names_are_text():
    pairs = [
        ("<b>Annika</b>", Pair(1, Player(), 40, 30, 10)),
        ("Bernd", Pair(1, Player(), 40, 10, 25)),
        ("Cem", Pair(1, Player(), 19, 19, 0)),
    ]

    chart = pairs_chart(pairs, "Doro")

    assert classes(chart) == ["track", "better", "track", "worse", "track", "bar--few"]
    assert finding(chart) == ("Doro finishes most often above <b>Annika</b>, 75%, and least often above Bernd, 25%.")
    assert "<b>" not in chart
    assert table(chart)[1] == ["Bernd", "40", "10", "25", "5", "25%"]


def test_map_of_bids_names_the_safest_and_the_rarest():
    chart = worth_map({(1, 0): Rate(100, 90, 0), (1, 1): Rate(19, 10, 0), (2, 2): Rate(50, 10, 0)})

    assert finding(chart) == "Safest: 0 with 1 card, 90%. Rarest: 2 with 2 cards, 20%."
    assert classes(chart) == ["h5", "h-few", "h0", "h0", "h2"]


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (Rate(), "No round so far in which the bids must not add up."),
        (
            Rate(100, 40, 500),
            "Where the bids must not add up, the last bidder hits 40% of 100 bids, the others 50%: that costs 5.0 "
            "points a round.",
        ),
        (
            Rate(100, 60, 1200),
            "Where the bids must not add up, the last bidder hits 60% of 100 bids, the others 50%; the last bidder has "
            "2.0 points a round more all the same.",
        ),
    ],
)
def test_price_of_the_last_bid_is_said(last, said):
    bound = LastBid(last, Rate(200, 100, 2000))

    assert last_found(Insight(Rate(), {}, (), bound, LastBid(Rate(), Rate()))) == said
