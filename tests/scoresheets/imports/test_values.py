"""Cells: numbers, marks, days and times as people and programs write them."""

from __future__ import annotations

import doctest
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.imports import bgstats, values, words
from scoresheets.imports.values import (
    Moment,
    Unreadable,
    is_empty,
    mark,
    moment_of,
    text_of,
    whole_number,
)
from tests.rules.games import PROPERTY
from tests.scoresheets.imports.files import BERLIN, NOW


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        *[("12", 12), (" 12 ", 12), ("+12", 12), ("-30", -30), ("007", 7), (12, 12), (12.0, 12), ("'-30", -30)],
        # the real minus, dashes that programs make of it, a space behind it
        *[("−30", -30), ("–30", -30), ("—30", -30), ("‑30", -30), ("- 30", -30)],
        # a decimal part of zeros, with comma or point
        *[("12,0", 12), ("12.00", 12), ("-0,0", 0), ("0,000", 0)],
        # thousands
        *[("1.234", 1234), ("1,234", 1234), ("1 234", 1234), ("1'234", 1234), ("1\u202f234", 1234), ("1.234,00", 1234)],
        # nothing
        *[("", None), ("  ", None), ("-", None), ("–", None), (None, None)],
    ],
)
def test_whole_numbers_are_read_as_they_are_written(cell, number):
    assert whole_number(cell) == number


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        *[("12,5", "number_not_whole"), ("12.50", "number_not_whole"), (12.5, "number_not_whole")],
        *[("abc", "number_unreadable"), ("1e5", "number_unreadable"), ("12 Punkte", "number_unreadable")],
        *[("１２", "number_unreadable"), ("1,23,456", "number_unreadable"), ("--5", "number_unreadable")],
        *[(True, "number_unreadable"), (date(2026, 1, 1), "number_unreadable"), ("0x10", "number_unreadable")],
        *[("9" * 5000, "number_too_long"), (10**30, "number_too_long"), ("1" * 10, "number_too_long")],
        *[(float("inf"), "number_not_whole"), (float("nan"), "number_not_whole"), (1e300, "number_too_long")],
    ],
)
def test_what_is_no_whole_number_is_refused(cell, code):
    with pytest.raises(Unreadable) as refused:
        whole_number(cell)

    assert refused.value.problem.code == code
    assert len(str(refused.value.problem.params)) < 200


@PROPERTY
@given(st.integers(-(10**9) + 1, 10**9 - 1), st.sampled_from(["{}", " {} ", "{},0", "{}.00"]))
def test_every_whole_number_is_itself(number, written):
    assert whole_number(written.format(number)) == number


@PROPERTY
@given(st.text(max_size=60) | st.text("0123456789.,-+ '–", max_size=12))
def test_any_text_is_a_number_nothing_or_refused(text):
    try:
        number = whole_number(text)
    except Unreadable:
        return
    assert (number is None) is is_empty(text)


@pytest.mark.parametrize(
    ("cell", "marked"),
    [*[(cell, True) for cell in ("x", "X", "ja", "Yes", "1", 1, True, "✓")]]
    + [(cell, False) for cell in ("", None, "nein", "No", 0, "0", False, "-")],
)
def test_marks(cell, marked):
    assert mark(cell) is marked


def test_what_is_no_mark_is_refused():
    with pytest.raises(Unreadable) as refused:
        mark("perhaps")

    assert refused.value.problem.args == {"typed": "perhaps"}


CHRISTMAS = date(2025, 12, 24)
EVENING = datetime(2025, 12, 24, 19, 30, tzinfo=BERLIN)


@pytest.mark.parametrize(
    "cell",
    [
        *("2025-12-24", "24.12.2025", "24.12.25", "24. 12. 2025", "24/12/2025", "12/24/2025", "2025/12/24"),
        *("24. Dezember 2025", "24. Dez. 2025", "Mittwoch, 24. Dezember 2025", "Mi, 24.12.2025"),
        *("24 December 2025", "December 24, 2025", "Dec 24th, 2025", "Wed, 24 Dec 2025"),
        *(date(2025, 12, 24), datetime.combine(CHRISTMAS, time()), "2025-12-24 00:00:00", "2025-12-24T00:00:00"),
    ],
)
def test_days_are_read_in_every_form_that_has_one_meaning(cell):
    assert moment_of(cell, now=NOW, time_zone=BERLIN) == Moment(CHRISTMAS)


@pytest.mark.parametrize(
    "cell",
    [
        *("2025-12-24 19:30", "2025-12-24T19:30:00", "2025-12-24T19:30:00.000", "24.12.2025, 19:30 Uhr"),
        *("24.12.2025 um 19.30 Uhr", "Mi, 24.12.25 19:30", "2025-12-24T18:30:00Z", "2025-12-24 20:30:00+02:00"),
        datetime.combine(CHRISTMAS, time(19, 30)),
        datetime(2025, 12, 24, 18, 30, tzinfo=UTC),
    ],
)
def test_times_are_local_unless_they_say_otherwise(cell):
    assert moment_of(cell, now=NOW, time_zone=BERLIN) == Moment(CHRISTMAS, EVENING)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        *[("5/6/2025", "date_ambiguous"), ("05/06/25", "date_ambiguous"), ("1.1.1983", "date_too_early")],
        *[("0001-01-01T00:00:00+14:00", "date_too_early"), ("2026-03-02", "played_later")],
        *[("2026-03-01 13:01", "played_later"), ("1.3.27", "played_later"), ("9999-12-31", "played_later")],
        *[("31.02.2025", "date_unreadable"), ("2025-13-01", "date_unreadable"), ("24.12.", "date_unreadable")],
        *[("gestern", "date_unreadable"), (45000, "date_unreadable"), (True, "date_unreadable")],
        *[("2025-12-24 25:00", "date_unreadable"), ("24. Foo 2025", "date_unreadable"), ("9" * 500, "date_unreadable")],
        *[("2025-12-24T19:30+99:99", "date_unreadable"), ("24.12.2025 - 25.12.2025", "date_unreadable")],
    ],
)
def test_days_that_are_none_or_two_are_refused(cell, code):
    with pytest.raises(Unreadable) as refused:
        moment_of(cell, now=NOW, time_zone=BERLIN)

    assert refused.value.problem.code == code


def test_a_date_that_is_the_same_either_way_is_no_question():
    assert moment_of("5/5/2025", now=NOW, time_zone=BERLIN) == Moment(date(2025, 5, 5))


def test_a_year_of_two_digits_is_the_one_next_to_now():
    assert moment_of("24.12.95", now=NOW, time_zone=BERLIN) == Moment(date(1995, 12, 24))


def test_today_is_that_of_the_place_the_file_is_from():
    late = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)

    assert moment_of("2026-03-02", now=late, time_zone=BERLIN) == Moment(date(2026, 3, 2))
    with pytest.raises(Unreadable):
        moment_of("2026-03-02", now=late, time_zone=ZoneInfo("America/New_York"))


@PROPERTY
@given(
    st.dates(date(1984, 1, 1), date(2026, 2, 28)),
    st.sampled_from(["{:%Y-%m-%d}", "{:%d.%m.%Y}", "{0.day}.{0.month}.{0.year}", "{:%d %B %Y}", "{:%B %d, %Y}"]),
)
def test_every_day_is_itself(day, written):
    assert moment_of(written.format(day), now=NOW, time_zone=BERLIN) == Moment(day)


@PROPERTY
@given(st.text(max_size=40) | st.text("0123456789./-: TZ+", max_size=30))
def test_any_text_is_a_day_nothing_or_refused(text):
    try:
        moment = moment_of(text, now=NOW, time_zone=BERLIN)
    except Unreadable:
        return
    assert moment is None or moment.day <= NOW.date() + timedelta(days=1)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        *[(None, ""), (7, "7"), (7.0, "7"), (7.5, "7.5"), ("  Anna \n Lena ", "Anna Lena")],
        # characters that hide, turn or only seem to be something
        *[("An\u202ena", "Anna"), ("A\u0000nna", "A nna"), ("\u200b\u200b", "")],
        # what an export has made harmless is itself again
        *[("'=1+1", "=1+1"), ("'@x", "@x"), ("'n Anna", "'n Anna"), ("'", "'")],
    ],
)
def test_texts_are_tidy(cell, text):
    assert text_of(cell) == text


@pytest.mark.parametrize("module", [bgstats, values, words])
def test_examples_of_docstrings_run(module):
    result = doctest.testmod(module)

    assert (result.failed, result.attempted > 0) == (0, True)
