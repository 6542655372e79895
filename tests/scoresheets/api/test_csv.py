from __future__ import annotations

import csv
from datetime import UTC, date, datetime

import pytest

from scoresheets.api import csv as writing
from scoresheets.api.csv import csv_of
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.api.test_pagination import clubs_for
from tests.scoresheets.clubs import make_user


def cells(*values):
    columns = [f"c{number}" for number in range(len(values))]
    return list(csv.reader(csv_of([dict(zip(columns, values, strict=True))], columns).splitlines()))[1]


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-5 Punkte", "@here", "\t=1", "=cmd|' /C calc'!A0"])
def test_text_that_a_spreadsheet_would_compute_is_marked_as_text(text):
    assert cells(text) == [f"'{text}"]


def test_text_with_line_ends_begins_no_formula():
    assert csv_of([{"a": "\r=1"}, {"a": "\n=1"}], ["a"]) == 'a\r\n"\'\r=1"\r\n"\'\n=1"\r\n'


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-30, "-30"),
        (1.5, "1.5"),
        (0, "0"),
        (None, ""),
        (True, "true"),
        (False, "false"),
        ("", ""),
        ('Müller; "Tom", O\'Brien', 'Müller; "Tom", O\'Brien'),
        (date(2026, 3, 14), "2026-03-14"),
        (datetime(2026, 3, 14, 19, 30, tzinfo=UTC), "2026-03-14T19:30:00+00:00"),
        (["BOMB", "ä"], '["BOMB","ä"]'),
        ({"a": -1}, '{"a":-1}'),
    ],
)
def test_other_values_stand_as_they_are(value, cell):
    assert cells(value) == [cell]


def test_columns_are_there_without_rows_and_what_a_row_lacks_is_empty():
    assert csv_of([], ["id", "name"]) == "id,name\r\n"
    assert csv_of([{"id": 1, "more": 2}], ["id", "name"]) == "id,name\r\n1,\r\n"


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{}, {"Accept": "text/csv"}])
def test_list_as_csv_is_all_of_it(headers, django_assert_num_queries):
    user = make_user("Annika")
    clubs_for(user, [f"club {number:02}" for number in range(60)])
    api = Api.of(user)
    api.get("clubs/")

    with django_assert_num_queries(3):
        answer = api.get("clubs/" if headers else "clubs/?format=csv", **headers)

    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [row["name"] for row in rows] == [f"club {number:02}" for number in range(60)]
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="clubs_list.csv"'
    assert "Link" not in answer.headers


@pytest.mark.django_db
def test_list_that_is_longer_than_a_file_goes_on_in_the_next(monkeypatch):
    monkeypatch.setattr(writing, "MOST_ROWS", 4)
    user = make_user("Annika")
    clubs_for(user, ["a", "b", "c", "d", "e"])
    api = Api.of(user)

    first = api.get("clubs/?format=csv")
    address = first.headers["Link"].removeprefix("<").partition(">")[0]
    second = api.get(address)

    assert [len(answer.text.splitlines()) - 1 for answer in (first, second)] == [4, 1]
    assert first.headers["Link"].endswith('; rel="next"')
    assert "Link" not in second.headers


@pytest.mark.django_db
def test_refusal_of_a_list_as_csv_is_a_problem_all_the_same():
    assert Api().get("clubs/", Accept="text/csv").refusal == (401, "not_authenticated")
