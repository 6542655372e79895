"""Sending what webhooks are told: signed, once at a time, again after longer and longer waits, and not for ever."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from datetime import UTC, datetime, timedelta
from threading import Event as Signal
from threading import Thread

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from scoresheets.actors import OPERATOR
from scoresheets.models import Delivery, Webhook
from scoresheets.outgoing import Answer, Failure
from scoresheets.recording import (
    WebhookSettings,
    create_webhook,
    delete_webhook,
    deliveries,
    ping,
    send_again,
    switch_webhook,
)
from scoresheets.recording.deliveries import deliver_due, forget_old_deliveries
from tests.scoresheets.clubs import finished, make_club
from tests.scoresheets.webhooks import ADDRESS, log_of, make_webhook, only, receiving

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
TAKEN, REFUSED, SLOW = Answer(204), Answer(500), Answer(None, Failure.TOO_SLOW)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def clock():
    """Return a clock that stands still until it is moved."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def internet(monkeypatch):
    """Answer for all receivers: `answers` by address (a function is called), else a success; note what was sent."""

    class Internet:
        answers: dict[str, object] = {}
        sent: list[tuple[str, str]] = []

    net = Internet()
    net.answers, net.sent = {}, []

    def post(address, body, headers, **_options):
        net.sent.append((address, json.loads(body)["delivery"]))
        answer = net.answers.get(address, TAKEN)
        return answer() if callable(answer) else answer

    monkeypatch.setattr(deliveries.outgoing, "post", post)
    return net


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def deliver_all() -> int:
    """Send until nothing is due and return how many were sent."""
    sent = 0
    while number := deliver_due():
        sent += number
    return sent


# -- over the wire ----------------------------------------------------------------------------------------------------


def test_delivery_is_signed_so_that_the_receiver_can_check_it(settings, clock):
    settings.WEBHOOKS_LOCAL = True
    club = make_club()
    with receiving() as receiver:
        webhook, secret = create_webhook(club, WebhookSettings(receiver.address()), by=OPERATOR)
        finished(club)
        assert deliver_due() == 1

    ((first, headers, body),) = receiver.requests
    delivery = only(webhook)
    timestamp = str(int(START.timestamp()))
    signed = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    assert first == "POST /hook?club=1 HTTP/1.1"
    assert {name: value for name, value in headers.items() if name not in {"host", "content-length", "connection"}} == {
        "content-type": "application/json",
        "user-agent": "Tafelrunde-Webhook",
        "tafelrunde-event": "game_finished",
        "tafelrunde-delivery": str(delivery.uuid),
        "tafelrunde-timestamp": timestamp,
        "tafelrunde-signature": f"v1={signed}",
    }
    assert json.loads(body) == delivery.payload
    assert (delivery.status, delivery.tries, delivery.status_code, delivery.error) == ("delivered", 1, 204, "")
    assert (delivery.next_try_at, delivery.last_try_at, delivery.delivered_at) == (None, START, START)
    assert deliver_due() == 0


@pytest.mark.parametrize(
    ("answer", "code", "error"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/\r\n\r\n", 302, ""),
        (b"HTTP/1.1 500 X\r\n\r\n", 500, ""),
        (b"nonsense\r\n", None, "no_http"),
    ],
)
def test_what_is_not_taken_waits_for_the_next_try(answer, code, error, settings):
    settings.WEBHOOKS_LOCAL = True
    club = make_club()
    with receiving(answer) as receiver:
        webhook = make_webhook(club, receiver.address())
        ping(webhook, by=OPERATOR)
        deliver_due()

    assert log_of(webhook) == [("pending", 1, code, error)]
    assert len(receiver.requests) == 1


def test_local_address_is_sent_nothing_once_the_operator_forbids_it(settings):
    settings.WEBHOOKS_LOCAL = True
    with receiving() as receiver:
        webhook = make_webhook(make_club(), receiver.address())
        ping(webhook, by=OPERATOR)
        settings.WEBHOOKS_LOCAL = False
        deliver_due()

    assert receiver.requests == []
    assert log_of(webhook) == [("pending", 1, None, "address_refused")]


# -- again and again --------------------------------------------------------------------------------------------------


def test_tries_are_further_and_further_apart_and_then_given_up(clock, internet):
    webhook = make_webhook(make_club())
    ping(webhook, by=OPERATOR)
    internet.answers[ADDRESS] = SLOW

    tried = []
    while (delivery := only(webhook)).next_try_at is not None:
        clock.move_to(delivery.next_try_at - timedelta(seconds=1))
        assert deliver_due() == 0
        clock.move_to(delivery.next_try_at)
        assert deliver_due() == 1
        tried.append(timezone.now() - START)

    waits = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY]
    assert tried == [sum(waits[:count], timedelta()) for count in range(9)]
    assert tried[-1] < 3 * DAY
    assert log_of(webhook) == [("failed", 9, None, "too_slow")]
    clock.shift(10 * DAY)
    assert deliver_due() == 0


def test_success_ends_the_tries_and_the_blame(clock, internet):
    webhook = make_webhook(make_club())
    ping(webhook, by=OPERATOR)
    internet.answers[ADDRESS] = REFUSED
    deliver_due()
    assert (fresh(webhook).failures, fresh(webhook).failing_since) == (1, START)

    clock.shift(MINUTE)
    del internet.answers[ADDRESS]
    deliver_due()

    assert log_of(webhook) == [("delivered", 2, 204, "")]
    assert (fresh(webhook).failures, fresh(webhook).failing_since) == (0, None)


@pytest.mark.parametrize("down", [SLOW, Answer(503)])
def test_receiver_that_is_down_costs_one_request_a_wait_however_much_waits(down, clock, internet):
    club = make_club()
    webhook = make_webhook(club)
    for _ in range(5):
        finished(club)
    internet.answers[ADDRESS] = down

    assert deliver_all() == 1
    clock.shift(MINUTE)
    assert deliver_all() == 1
    clock.shift(5 * MINUTE)
    assert deliver_all() == 1

    # Once it is there again, all of it gets through, the oldest first.
    del internet.answers[ADDRESS]
    clock.shift(30 * MINUTE)
    deliver_all()
    clock.shift(30 * MINUTE)
    deliver_all()
    assert {status for status, *_more in log_of(webhook)} == {"delivered"}


def test_delivery_that_is_never_taken_holds_up_no_other(clock, internet):
    club = make_club()
    webhook = make_webhook(club)
    finished(club)
    poison = str(only(webhook).uuid)
    internet.answers[ADDRESS] = lambda: REFUSED if internet.sent[-1][1] == poison else TAKEN
    for _ in range(4):
        assert deliver_all() == 1
        clock.move_to(fresh(only(webhook)).next_try_at)

    finished(club)
    assert deliver_all() == 2

    assert log_of(webhook) == [("pending", 5, 500, ""), ("delivered", 1, 204, "")]
    assert fresh(webhook).is_active


def test_webhook_that_nothing_gets_through_to_for_three_days_is_switched_off(clock, internet):
    club = make_club()
    webhook = make_webhook(club)
    finished(club)
    internet.answers[ADDRESS] = SLOW
    while fresh(webhook).is_active:
        for _ in range(2):
            finished(club)
        deliver_all()
        clock.move_to(max(fresh(webhook).rests_until, timezone.now()))

    found = fresh(webhook)
    assert found.disabled_at == START + 3 * DAY
    assert found.failing_since == START
    statuses = {status for status, *_more in log_of(webhook)}
    errors = {(tries > 0, error) for _status, tries, _code, error in log_of(webhook)}
    assert statuses == {"failed"}
    # What was tried keeps its answer.
    assert errors == {(True, "too_slow"), (False, "switched_off")}
    number = webhook.deliveries.count()
    finished(club)
    assert (webhook.deliveries.count(), deliver_all()) == (number, 0)

    switch_webhook(webhook, on=True, by=OPERATOR)
    del internet.answers[ADDRESS]
    again = send_again(webhook.deliveries.first(), by=OPERATOR)
    assert deliver_all() == 1
    assert (fresh(again).status, fresh(webhook).failures) == ("delivered", 0)


def test_webhook_whose_secret_is_lost_sends_nothing_unsigned(settings, internet):
    webhook = make_webhook(make_club())
    ping(webhook, by=OPERATOR)
    settings.SECRET_KEY = "another key " * 5

    deliver_due()

    assert internet.sent == []
    assert log_of(webhook) == [("pending", 1, None, "secret_lost")]


def test_receiver_that_breaks_the_sending_stops_no_other(internet, caplog):
    club = make_club()
    bad, good = make_webhook(club), make_webhook(club, "https://good.example.org/")

    def explode():
        raise RuntimeError("never seen before")

    internet.answers[ADDRESS] = explode
    finished(club)
    with caplog.at_level(logging.ERROR):
        deliver_due()

    assert (log_of(bad), log_of(good)) == ([("pending", 1, None, "no_http")], [("delivered", 1, 204, "")])
    assert "never seen before" in caplog.text


# -- one at a time ----------------------------------------------------------------------------------------------------


def test_each_webhook_gets_one_at_a_time_in_order_and_all_get_their_turn(clock, internet):
    club = make_club()
    for place in range(10):
        make_webhook(club, f"https://app{place}.example.org/")
    for _ in range(2):
        finished(club)

    numbers = [deliver_due(), deliver_due(), deliver_due(), deliver_due()]

    assert numbers == [8, 8, 4, 0]
    addresses = [address for address, _uuid in internet.sent]
    assert len(set(addresses[:8])) == len(set(addresses[8:16])) == 8
    assert set(addresses[:16]) == {f"https://app{place}.example.org/" for place in range(10)}
    for webhook in Webhook.objects.all():
        wanted = [str(uuid) for uuid in webhook.deliveries.order_by("pk").values_list("uuid", flat=True)]
        assert [uuid for address, uuid in internet.sent if address == webhook.address] == wanted


def test_slow_receiver_holds_up_no_other(internet):
    """Both are on their way at the same time: each waits for the other one to be."""
    club, signals = make_club(), (Signal(), Signal())
    slow, quick = "https://slow.example.org/", "https://quick.example.org/"
    for address in (slow, quick):
        make_webhook(club, address)
    internet.answers[slow] = lambda: (signals[0].set(), TAKEN if signals[1].wait(10) else SLOW)[1]
    internet.answers[quick] = lambda: (signals[1].set(), TAKEN if signals[0].wait(10) else SLOW)[1]
    finished(club)

    deliver_due()

    assert set(Delivery.objects.values_list("status", flat=True)) == {"delivered"}


def test_what_another_worker_has_taken_on_is_left_to_it_until_that_is_gone(clock, internet):
    club = make_club()
    webhook = make_webhook(club)
    for _ in range(2):
        finished(club)
    (taken_on,) = deliveries._take_on()

    assert deliver_due() == 0
    clock.shift(deliveries.GONE_AFTER)
    assert deliver_all() == 2

    # The one that was thought to be gone comes back: what became of its request is no longer of interest.
    deliveries._note(taken_on, SLOW)
    assert [status for status, *_more in log_of(webhook)] == ["delivered", "delivered"]
    assert fresh(webhook).failures == 0


@pytest.mark.parametrize("act", ["again", "off", "deleted"])
def test_answer_comes_to_nothing_where_the_delivery_is_another_one_by_then(act, clock, internet):
    webhook = make_webhook(make_club())
    delivery = ping(webhook, by=OPERATOR)
    (taken_on,) = deliveries._take_on()
    if act == "again":
        send_again(delivery, by=OPERATOR)
    elif act == "off":
        switch_webhook(webhook, on=False, by=OPERATOR)
    else:
        delete_webhook(webhook, by=OPERATOR)

    deliveries._note(taken_on, TAKEN)

    expected = {"again": [("pending", 0, None, "")], "off": [("failed", 1, None, "")], "deleted": []}
    assert log_of(webhook) == expected[act]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_everything_once(internet):
    club = make_club()
    for place in range(6):
        make_webhook(club, f"https://app{place}.example.org/")
    finished(club)

    def work():
        try:
            deliver_all()
        finally:
            connection.close()

    workers = [Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert sorted(uuid for _address, uuid in internet.sent) == sorted(
        str(uuid) for uuid in Delivery.objects.values_list("uuid", flat=True)
    )
    assert set(Delivery.objects.values_list("status", "tries")) == {("delivered", 1)}


# -- housekeeping -----------------------------------------------------------------------------------------------------


def test_log_is_kept_for_thirty_days_and_what_waits_for_longer(clock, internet):
    club = make_club()
    webhook = make_webhook(club)
    finished(club)
    deliver_all()
    internet.answers[ADDRESS] = REFUSED
    finished(club)
    deliver_all()

    clock.shift(30 * DAY)
    forget_old_deliveries()
    assert [status for status, *_more in log_of(webhook)] == ["delivered", "pending"]
    clock.shift(timedelta(seconds=1))
    forget_old_deliveries()
    assert [status for status, *_more in log_of(webhook)] == ["pending"]
