from __future__ import annotations

import pytest
import time_machine
from django.core.cache import cache
from django.test import override_settings

from scoresheets.api.throttles import Counters
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import make_club, make_user

START = "2026-03-01T12:00:10Z"


def standings(answers):
    return [(answer.status, answer.headers["RateLimit-Remaining"]) for answer in answers]


@pytest.mark.django_db
@override_settings(API_REQUESTS_A_MINUTE=3)
def test_token_has_so_many_requests_a_minute():
    user = make_user("Annika")
    with time_machine.travel(START, tick=False) as now:
        api, other = Api.of(user), Api.of(user)
        answers = [api.get("clubs/") for _ in range(4)]

        assert standings(answers) == [(200, "2"), (200, "1"), (200, "0"), (429, "0")]
        assert answers[3].refusal == (429, "throttled")
        assert answers[3].body["detail"] == "Too many requests. Go on in 50 seconds."
        assert [answers[3].headers[name] for name in ("Retry-After", "RateLimit-Limit", "RateLimit-Reset")] == [
            *("50", "3", "50")
        ]
        assert other.get("clubs/").status == 200
        now.move_to("2026-03-01T12:01:00Z")
        assert standings([api.get("clubs/")]) == [(200, "2")]


@pytest.mark.django_db
@override_settings(API_REQUESTS_A_MINUTE_WITHOUT_TOKEN=2)
def test_address_without_a_token_has_fewer():
    path = f"clubs/{make_club(visibility='public').pk}/"
    with time_machine.travel(START, tick=False):
        assert [Api().get(path).status for _ in range(3)] == [200, 200, 429]
        assert Api.of(make_user("Annika")).get(path).status == 200
        elsewhere = Api()
        elsewhere.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
        assert elsewhere.get(path).status == 200


@pytest.mark.django_db
@override_settings(API_REQUESTS_A_MINUTE_WITHOUT_TOKEN=2)
def test_guessing_tokens_is_counted_for_the_address():
    with time_machine.travel(START, tick=False):
        answers = [Api(f"tfr_{number:040}").get("clubs/").status for number in range(3)]
    assert answers == [401, 401, 429]


@pytest.mark.django_db
@override_settings(API_REQUESTS_A_MINUTE_WITHOUT_TOKEN=1)
def test_neighbours_in_one_ipv6_network_are_one():
    path = f"clubs/{make_club(visibility='public').pk}/"
    with time_machine.travel(START, tick=False):
        statuses = []
        for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"):
            api = Api()
            api.client.defaults["REMOTE_ADDR"] = address
            statuses.append(api.get(path).status)
    assert statuses == [200, 429, 200]


@pytest.mark.django_db
@override_settings(API_REQUESTS_A_MINUTE_WITHOUT_TOKEN=1)
def test_address_that_a_visitor_claims_to_have_does_not_count():
    path = f"clubs/{make_club(visibility='public').pk}/"
    with time_machine.travel(START, tick=False):
        assert [Api().get(path, X_Forwarded_For=f"192.0.2.{number}").status for number in range(2)] == [200, 429]


@pytest.mark.django_db
@override_settings(API_REQUESTS_A_MINUTE=0)
def test_without_a_limit_nothing_is_counted():
    answer = Api.of(make_user("Annika")).get("clubs/")
    assert (answer.status, "RateLimit-Limit" in answer.headers) == (200, False)


# -- counting --------------------------------------------------------------------------------------------------------


def asked(counters: Counters, count: int, limit: int, who: str = "somebody") -> int:
    """Return how many of so many requests are allowed."""
    return sum(counters.count(who, limit).is_allowed for _ in range(count))


def test_processes_share_the_limit():
    with time_machine.travel(START, tick=False):
        first, second = Counters(), Counters()
        assert asked(first, 70, 100) == 70
        assert asked(second, 70, 100) == 30
        assert asked(first, 5, 100) == 0


@pytest.mark.parametrize("limit", [1, 7, 19, 20, 21, 100, 119])
def test_limit_is_reached_exactly(limit):
    with time_machine.travel(START, tick=False):
        counters = Counters()
        remaining = [counters.count("somebody", limit).remaining for _ in range(limit)]
        assert remaining == list(range(limit))[::-1]
        assert not counters.count("somebody", limit).is_allowed


def test_cache_is_asked_once_for_a_share(monkeypatch):
    asked_for = []
    monkeypatch.setattr(cache, "add", lambda *args, **options: asked_for.append(args) or True)
    with time_machine.travel(START, tick=False):
        asked(Counters(), 30, 600)
    assert len(asked_for) == 1


def test_counter_that_the_cache_has_dropped_begins_anew():
    with time_machine.travel(START, tick=False):
        counters = Counters()
        asked(counters, 5, 100)
        cache.clear()
        assert asked(counters, 200, 100) == 100


def test_what_is_held_ends_with_its_minute():
    with time_machine.travel(START, tick=False) as now:
        counters = Counters()
        for number in range(50):
            counters.count(f"address:{number}", 10)
        now.move_to("2026-03-01T12:01:00Z")
        counters.count("somebody", 10)
        assert list(counters._held) == ["somebody"]
