from __future__ import annotations

import base64
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db.models import F
from django.db.models.functions import Lower

from scoresheets.api.pagination import Order, page_of
from scoresheets.models import Club
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import make_user

pytestmark = pytest.mark.django_db

NAMES = ["b", "A", "c", "B", "a", "C", "d"]


def clubs_for(user, names=NAMES):
    found = Club.objects.bulk_create(Club(name=name) for name in names)
    for club in found:
        club.memberships.create(user=user)
    return found


def follow(api, path, way="next"):
    """Return the names on each page, from this one on."""
    pages = []
    while path is not None:
        body = api.get(path).body
        pages.append([row["name"] for row in body["results"]])
        path = body[way]
        assert len(pages) < 20
    return pages


def test_pages_are_followed_forward_and_back():
    user = make_user("Annika")
    clubs_for(user)
    api = Api.of(user)

    forward = follow(api, "clubs/?page_size=3")
    last = api.get("clubs/?page_size=3")
    for _ in range(2):
        last = api.get(last.body["next"])

    assert forward == [["A", "a", "b"], ["B", "c", "C"], ["d"]]
    assert follow(api, last.body["previous"], "previous") == [["B", "c", "C"], ["A", "a", "b"]]


def test_page_that_is_just_full_is_the_last_one():
    user = make_user("Annika")
    clubs_for(user, ["a", "b"])
    body = Api.of(user).get("clubs/?page_size=2").body
    assert (len(body["results"]), body["next"], body["previous"]) == (2, None, None)


def test_order_that_falls_is_followed_too():
    user = make_user("Annika")
    clubs_for(user)
    api = Api.of(user)
    assert follow(api, "clubs/?page_size=4&ordering=-created_at") == [["d", "C", "a", "B"], ["c", "A", "b"]]
    second = api.get(api.get("clubs/?page_size=4&ordering=-created_at").body["next"]).body
    assert follow(api, second["previous"], "previous") == [["d", "C", "a", "B"]]


def test_rows_that_come_and_go_between_two_pages_shift_nothing():
    user = make_user("Annika")
    found = clubs_for(user, ["a", "b", "c", "d"])
    api = Api.of(user)
    first = api.get("clubs/?page_size=2").body
    found[0].delete()
    clubs_for(user, ["aa", "bb"])

    assert follow(api, first["next"]) == [["bb", "c"], ["d"]]


def test_address_of_the_next_page_keeps_the_other_parameters():
    user = make_user("Annika")
    clubs_for(user)
    address = urlsplit(Api.of(user).get("clubs/?page_size=2&ordering=-created_at").body["next"])
    query = parse_qs(address.query)
    assert (address.scheme, address.netloc, address.path) == ("http", "testserver", "/api/v1/clubs/")
    assert (query["page_size"], query["ordering"], sorted(query)) == (
        ["2"],
        ["-created_at"],
        ["cursor", "ordering", "page_size"],
    )


@pytest.mark.parametrize("size", ["0", "201", "-1", "x", "1.5", "٣", "9" * 5000])
def test_page_size_out_of_range_is_refused(size):
    answer = Api.of(make_user("Annika")).get(f"clubs/?page_size={size}")
    assert (answer.refusal, answer.body["field"]) == ((400, "page_size_out_of_range"), "page_size")


@pytest.mark.parametrize("name", ["page_size", "cursor", "ordering"])
def test_parameter_without_a_value_is_refused(name):
    answer = Api.of(make_user("Annika")).get(f"clubs/?{name}=")
    assert (answer.status, answer.problems) == (400, [("parameter_wrong", name)])


def cursor(*said):
    return base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "forged",
    [
        "x",
        "ä",
        "====",
        cursor(),
        cursor("name"),
        cursor("-created_at", 0, "a", 1),
        cursor("name", 2, "a", 1),
        cursor("name", 0, None, 1),
        cursor("name", 0, ["a"], 1),
        cursor("name", 0, "a\0", 1),
        cursor("name", 0, "a", "1"),
        cursor("name", 0, "a", 10**30),
        cursor("name", 0, "a", True),
        cursor("name", 0, "a", 1, 1),
        base64.urlsafe_b64encode(b"[" * 3000).decode(),
    ],
)
def test_cursor_of_our_own_only(forged):
    answer = Api.of(make_user("Annika")).get(f"clubs/?cursor={forged}")
    assert (answer.refusal, answer.body["field"]) == ((400, "cursor_unknown"), "cursor")


@pytest.mark.parametrize("place", ["yesterday", "2026-13-01T00:00:00Z", "2026-03-01T00:00:00", 5])
def test_cursor_of_moments_takes_moments(place):
    forged = cursor("-created_at", 0, place, 1)
    answer = Api.of(make_user("Annika")).get(f"clubs/?ordering=-created_at&cursor={forged}")
    assert answer.refusal == (400, "cursor_unknown")


def test_cursor_does_not_open_what_is_not_in_the_list():
    mine, other = make_user("Annika"), make_user("Bernd")
    clubs_for(mine, ["a", "b", "c"])
    clubs_for(other, ["bb"])
    following = Api.of(mine).get("clubs/?page_size=1").body["next"]
    assert follow(Api.of(other), following) == [["bb"]]


def test_rows_of_values_are_paged_by_their_own_id():
    clubs_for(make_user("Annika"), ["a", "b", "c"])
    rows, order = Club.objects.values("id", "name"), Order.text(Lower("name"))

    first = page_of(rows, "name", order, size=2)
    second = page_of(rows, "name", order, size=2, cursor=str(first.next))

    assert [[row["name"] for row in page.rows] for page in (first, second)] == [["a", "b"], ["c"]]


def test_order_by_day_and_number():
    clubs_for(make_user("Annika"), ["a", "b", "c"])
    for order in (Order.day(F("created_at__date"), descending=True), Order.number(F("pk"), descending=True)):
        names, page = [], None
        while page is None or page.next:
            page = page_of(Club.objects.all(), "o", order, size=1, cursor=str(page.next) if page else None)
            names += [club.name for club in page.rows]
        assert names == ["c", "b", "a"]
