"""Webhooks: what an app gets and does; who may do what is in test_roles.py."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Delivery, Receipt, Webhook
from scoresheets.recording import ping, webhooks
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import finished, make_club, owner_of, stored
from tests.scoresheets.webhooks import ADDRESS, make_webhook, only

pytestmark = pytest.mark.django_db

OTHER = "https://other.example.org/"
ALL = ["game_finished", "game_corrected", "game_confirmed"]


@pytest.fixture
def club() -> Club:
    return make_club("Runde")


@pytest.fixture
def api(club) -> Api:
    return Api.of(owner_of(club))


def path(club: Club, rest: str = "") -> str:
    return f"clubs/{club.pk}/webhooks/{rest}"


def test_webhook_is_made_and_its_secret_told_once(club, api):
    made = api.post(path(club), {"address": ADDRESS, "events": ["game_confirmed"]})

    webhook = club.webhooks.get()
    secret = webhooks.signing_secret(webhook)
    one = {
        "id": webhook.pk,
        "club": club.pk,
        "address": ADDRESS,
        "events": ["game_confirmed"],
        "is_active": True,
        "failures": 0,
        "failing_since": None,
        "disabled_at": None,
        "created_at": made.body["created_at"],
    }
    assert (made.status, made.body) == (201, {**one, "secret": secret})
    assert api.get(path(club)).body["results"] == [one]
    assert api.get(path(club, f"{webhook.pk}/")).body == one


def test_webhook_is_told_all_unless_it_says_what(club, api):
    assert api.post(path(club), {"address": ADDRESS}).body["events"] == ALL


def test_repeat_gets_the_same_secret_which_is_not_stored(club, api):
    first, again = (api.post(path(club), {"address": ADDRESS}, Idempotency_Key="k") for _ in range(2))

    assert (again.status, again.body) == (201, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.body["secret"] not in str(list(Receipt.objects.values()))
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({}, [("field_missing", "address")]),
        ({"address": 5}, [("wrong_type", "address")]),
        ({"address": ""}, [("address_unreadable", "address")]),
        ({"address": "http://app.example.org/"}, [("address_not_https", "address")]),
        ({"address": "https://a:b@app.example.org/"}, [("address_has_login", "address")]),
        ({"address": "https://app.example.org:22/"}, [("address_port", "address")]),
        ({"address": "https://[::1]/"}, [("address_not_public", "address")]),
        ({"address": "https://app.example.org/" + "x" * 500}, [("address_too_long", "address")]),
        ({"address": OTHER}, [("address_taken", "address")]),
        ({"address": ADDRESS, "events": []}, [("events_missing", "events")]),
        ({"address": ADDRESS, "events": ["ping"]}, [("event_unknown", "events")]),
        ({"address": "x", "events": ["lunch"]}, [("address_unreadable", "address"), ("event_unknown", "events")]),
        ({"address": ADDRESS, "events": "game_finished"}, [("wrong_type", "events")]),
        ({"address": ADDRESS, "secret": "own"}, [("unknown_field", "secret")]),
    ],
)
def test_making_names_every_problem_and_writes_nothing(body, problems, club, api):
    make_webhook(club, OTHER)
    before = stored()

    answer = api.post(path(club), body)

    assert (answer.status, answer.problems) == (400, problems)
    assert stored() == before


def test_full_club_makes_no_more(club, api):
    for number in range(webhooks.MOST_WEBHOOKS):
        make_webhook(club, f"{ADDRESS}{number}")

    assert api.post(path(club), {"address": ADDRESS}).refusal == (400, "too_many_webhooks")


def test_changes_leave_the_rest_as_it_is(club, api):
    webhook = make_webhook(club, events=("game_corrected",))
    one = path(club, f"{webhook.pk}/")

    assert api.patch(one, {"address": OTHER}).body["events"] == ["game_corrected"]
    assert api.patch(one, {"events": ["game_finished"]}).body["address"] == OTHER
    assert api.patch(one, {"is_active": False}).body["is_active"] is False
    changed = api.patch(one, {"is_active": True, "events": ALL}).body
    assert (changed["is_active"], changed["events"], changed["address"]) == (True, ALL, OTHER)
    assert api.patch(one, {}).body == changed


def test_change_that_is_refused_changes_nothing_of_it(club, api):
    webhook = make_webhook(club)
    before = stored()

    assert api.patch(path(club, f"{webhook.pk}/"), {"is_active": False, "events": []}).problems == [
        ("events_missing", "events")
    ]
    assert stored() == before


def test_webhook_is_deleted(club, api):
    webhook = make_webhook(club)
    answers = [api.delete(path(club, f"{webhook.pk}/"), Idempotency_Key="k") for _ in range(2)]

    assert [answer.status for answer in answers] == [204, 204]
    assert not club.webhooks.exists()


def test_new_secret_takes_the_place_of_the_old_one(club, api):
    webhook = make_webhook(club)
    before = webhooks.signing_secret(webhook)

    first, again = (api.post(path(club, f"{webhook.pk}/secret/"), Idempotency_Key="k") for _ in range(2))

    webhook.refresh_from_db()
    secret = webhooks.signing_secret(webhook)
    assert secret != before
    assert (first.status, first.body["secret"], again.body["secret"]) == (200, secret, secret)


def test_test_is_sent_and_the_log_says_what_came_of_it(club, api):
    webhook = make_webhook(club)

    answer = api.post(path(club, f"{webhook.pk}/ping/"))

    delivery = only(webhook)
    assert answer.status == 202
    assert answer.body == {
        "id": delivery.pk,
        "webhook": webhook.pk,
        "uuid": str(delivery.uuid),
        "event": "ping",
        "payload": delivery.payload,
        "status": "pending",
        "tries": 0,
        "status_code": None,
        "error": "",
        "created_at": answer.body["created_at"],
        "last_try_at": None,
        "next_try_at": answer.body["next_try_at"],
        "delivered_at": None,
    }
    assert api.get(path(club, f"{webhook.pk}/deliveries/")).body["results"] == [answer.body]


def test_log_is_filtered_and_the_newest_comes_first(club, api):
    webhook = make_webhook(club)
    games = [finished(club) for _ in range(2)]
    ping(webhook, by=OPERATOR)
    failed = webhook.deliveries.order_by("pk")[0]
    Delivery.objects.filter(pk=failed.pk).update(status="failed", next_try_at=None, error="too_slow", tries=9)
    log = path(club, f"{webhook.pk}/deliveries/")

    whole = api.get(log).body["results"]
    assert [(row["event"], row["payload"].get("game")) for row in whole] == [
        ("ping", None),
        ("game_finished", games[1].pk),
        ("game_finished", games[0].pk),
    ]
    assert [row["error"] for row in api.get(f"{log}?status=failed").body["results"]] == ["too_slow"]
    assert [row["event"] for row in api.get(f"{log}?event=ping").body["results"]] == ["ping"]
    for query in ("status=lost", "status=", "event=game_started"):
        assert api.get(f"{log}?{query}").problems == [("parameter_wrong", query.partition("=")[0])]


def test_delivery_is_sent_again(club, api):
    webhook = make_webhook(club)
    delivery = ping(webhook, by=OPERATOR)
    Delivery.objects.update(status="failed", next_try_at=None, tries=9)

    answer = api.post(path(club, f"{webhook.pk}/deliveries/{delivery.pk}/again/"))

    assert (answer.status, answer.body["status"], answer.body["tries"]) == (202, "pending", 0)
    assert answer.body["uuid"] == str(delivery.uuid)


def test_webhook_that_is_off_sends_nothing(club, api):
    webhook = make_webhook(club)
    delivery = ping(webhook, by=OPERATOR)
    api.patch(path(club, f"{webhook.pk}/"), {"is_active": False})

    for rest in ("ping/", f"deliveries/{delivery.pk}/again/"):
        assert api.post(path(club, f"{webhook.pk}/{rest}")).refusal == (409, "webhook_off")


def test_what_is_of_another_club_is_not_found(club, api):
    foreign, own = make_webhook(make_club()), make_webhook(club)
    delivery = ping(foreign, by=OPERATOR)
    before = stored()

    for rest in ("", "deliveries/"):
        assert api.get(path(club, f"{foreign.pk}/{rest}")).refusal == (404, "not_found")
    for rest in ("secret/", "ping/", f"deliveries/{delivery.pk}/again/"):
        assert api.post(path(club, f"{foreign.pk}/{rest}")).refusal == (404, "not_found")
    assert api.patch(path(club, f"{foreign.pk}/"), {"is_active": False}).refusal == (404, "not_found")
    assert api.delete(path(club, f"{foreign.pk}/")).refusal == (404, "not_found")
    assert api.post(path(club, f"{own.pk}/deliveries/{delivery.pk}/again/")).refusal == (404, "not_found")
    assert stored() == before


@pytest.mark.parametrize("number", [1, 8])
def test_statements_of_the_lists_do_not_grow(number, club, api):
    for place in range(number):
        make_webhook(club, f"{ADDRESS}{place}")
    for _ in range(number):
        finished(club)
    api.get(path(club))  # notes that the token is used
    first = Webhook.objects.earliest("pk").pk

    found = []
    for rest in ("", f"{first}/deliveries/"):
        with CaptureQueriesContext(connection) as captured:
            assert len(api.get(path(club, rest)).body["results"]) == number
        found.append(len(captured))

    # Token, roles, club and page; for the log, its webhook.
    assert found == [4, 5]
