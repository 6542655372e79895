"""Tables drawn: everybody once, sizes, sit-outs shared fairly, meetings even over a season, and fast."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Draw, draw_tables, table_sizes

SIZES = {
    0: (),
    1: (),
    2: (),
    3: (3,),
    4: (4,),
    5: (5,),
    6: (6,),
    7: (4, 3),
    8: (4, 4),
    9: (5, 4),
    10: (5, 5),
    11: (4, 4, 3),
    13: (5, 4, 4),
    14: (5, 5, 4),
    15: (4, 4, 4, 3),
    200: (4,) * 50,
}


@pytest.mark.parametrize(("people", "sizes"), SIZES.items())
def test_sizes_of_tables(people, sizes):
    assert table_sizes(people) == sizes


@pytest.mark.parametrize(
    ("people", "tables", "sizes"),
    [
        (12, 2, (6, 6)),
        (13, 2, (6, 6)),
        (20, 4, (5,) * 4),
        (7, 1, (6,)),
        (9, 9, (5, 4)),
        (9, 0, ()),
        (2, 3, ()),
        (8, 2, (4, 4)),
    ],
)
def test_sizes_where_tables_are_few(people, tables, sizes):
    assert table_sizes(people, tables) == sizes


def test_sizes_are_the_best_there_are():
    """Compared with every way to fill tables of three to six."""
    unlike = {3: 2, 4: 0, 5: 1, 6: 2}
    for people in range(3, 19):
        ways = [
            way
            for count in range(1, people // 3 + 1)
            for way in product((6, 5, 4, 3), repeat=count)
            if sum(way) == people and sorted(way, reverse=True) == list(way)
        ]
        least = min(sum(unlike[size] for size in way) for way in ways)
        assert sum(unlike[size] for size in table_sizes(people)) == least
        assert table_sizes(people) in ways


@st.composite
def evenings(draw):
    """Return people, how often they have met and sat out, a limit or None, and a seed."""
    people = draw(st.integers(0, 40))
    pairs = [frozenset(pair) for pair in combinations(range(people), 2)]
    some = draw(st.lists(st.sampled_from(pairs), max_size=60)) if pairs else []
    met = {pair: draw(st.integers(0, 9)) for pair in some}
    sat_out = draw(st.dictionaries(st.integers(0, 45), st.integers(0, 5), max_size=20))
    return people, met, sat_out, draw(st.none() | st.integers(0, 12)), draw(st.integers(0, 2**32))


@given(evenings())
def test_everybody_is_drawn_exactly_once(evening):
    people, met, sat_out, limit, seed = evening

    drawn = draw_tables(range(people), random.Random(seed), met=met, sat_out=sat_out, tables=limit)

    everybody = [person for table in (*drawn.tables, drawn.sit_out) for person in table]
    assert sorted(everybody) == list(range(people))
    assert tuple(len(table) for table in drawn.tables) == table_sizes(people, limit)
    assert all(3 <= len(table) <= 6 for table in drawn.tables)
    if limit is None:
        assert len(drawn.sit_out) == (people if people < 3 else 0)
    else:
        assert len(drawn.tables) <= limit
    if drawn.tables and drawn.sit_out:
        playing = [person for table in drawn.tables for person in table]
        least = min(sat_out.get(person, 0) for person in playing)
        assert all(sat_out.get(person, 0) <= least for person in drawn.sit_out)
    assert drawn == draw_tables(range(people), random.Random(seed), met=met, sat_out=sat_out, tables=limit)


@given(evenings())
def test_no_two_people_better_change_places(evening):
    people, met, _sat_out, limit, seed = evening
    drawn = draw_tables(range(people), random.Random(seed), met=met, tables=limit)
    cost = repeated(drawn, met)

    for one, other in combinations(range(len(drawn.tables)), 2):
        for here, there in product(range(len(drawn.tables[one])), range(len(drawn.tables[other]))):
            tables = [list(table) for table in drawn.tables]
            tables[one][here], tables[other][there] = tables[other][there], tables[one][here]
            assert repeated(Draw(tuple(map(tuple, tables)), ()), met) >= cost


def repeated(drawn, met):
    return sum(met.get(frozenset(pair), 0) for table in drawn.tables for pair in combinations(table, 2))


def test_somebody_who_is_there_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        draw_tables(["a", "b", "c", "a"], random.Random(1))


def test_meetings_of_others_and_of_one_alone_are_left_aside():
    met = {frozenset("ax"): 9, frozenset("a"): 3, frozenset("abc"): 1, frozenset("yz"): 2}

    drawn = draw_tables("abcdefgh", random.Random(2), met=met)

    assert sorted(sum(drawn.tables, ())) == list("abcdefgh")


def season(people: int, draws: int, *, limit: int | None = None, blind: bool = False, seed: int = 1):
    """Return how often pairs have met and people sat out after so many draws; `blind`: drawn without looking."""
    rng, met, sat_out = random.Random(seed), Counter(), Counter()
    for _ in range(draws):
        drawn = draw_tables(range(people), rng, met={} if blind else met, sat_out=sat_out, tables=limit)
        met.update(frozenset(pair) for table in drawn.tables for pair in combinations(table, 2))
        sat_out.update(drawn.sit_out)
    return met, sat_out


def squares(met: Counter) -> int:
    return sum(times * times for times in met.values())


def least_squares(met: Counter, people: int) -> int:
    """Return the least that the squares of so many meetings can add up to."""
    pairs = people * (people - 1) // 2
    each, more = divmod(met.total(), pairs)
    return (pairs - more) * each**2 + more * (each + 1) ** 2


@pytest.mark.parametrize(
    ("people", "draws", "share"),
    [(8, 12, 0.25), (11, 12, 0.15), (16, 12, 0.05), (20, 12, 0.12), (25, 20, 0.05), (32, 10, 0.25), (100, 12, 0.02)],
)
def test_meetings_even_out_over_a_season(people, draws, share):
    """What is left above the least there can be is a small share of what drawing blindly leaves."""
    met, blind = season(people, draws)[0], season(people, draws, blind=True)[0]

    above = squares(met) - least_squares(met, people)
    assert above <= share * (squares(blind) - least_squares(blind, people))
    assert above >= 0


@pytest.mark.parametrize(("people", "limit"), [(13, 2), (20, 3), (7, 1), (25, 2)])
def test_sit_outs_stay_fair_within_one(people, limit):
    sat_out = Counter(dict.fromkeys(range(people), 0))
    rng = random.Random(3)
    for _ in range(3 * people):
        sat_out.update(draw_tables(range(people), rng, sat_out=sat_out, tables=limit).sit_out)
        assert max(sat_out.values()) - min(sat_out.values()) <= 1


def test_seats_are_drawn_too():
    """Over many draws everybody deals first about equally often."""
    rng = random.Random(4)
    first = Counter(table[0] for _ in range(2000) for table in draw_tables("abcdefgh", rng).tables)

    assert all(400 < times < 600 for times in first.values())
    assert first.total() == 4000


def test_two_hundred_people_are_drawn():
    met = season(200, 12)[0] + season(200, 30, blind=True)[0]

    drawn = draw_tables(range(200), random.Random(5), met=met)

    assert len(drawn.tables) == 50
    assert sorted(person for table in drawn.tables for person in table) == list(range(200))
