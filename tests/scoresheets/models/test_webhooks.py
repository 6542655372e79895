"""Each named constraint on webhooks and deliveries holds in the database itself, whoever writes."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoresheets.models import Delivery, Webhook
from scoresheets.models.webhooks import CHOSEN_BY, Event
from scoresheets.outgoing import Failure
from tests.scoresheets.clubs import make_club
from tests.scoresheets.models.test_leagues import broken
from tests.scoresheets.webhooks import make_webhook

pytestmark = pytest.mark.django_db

NOW = timezone.now()
#: Constraint -> which row is changed, to what.
ATTACKS = [
    ("webhook_has_an_address", "webhook", {"address": ""}),
    ("webhook_has_a_secret", "webhook", {"nonce": ""}),
    ("webhook_has_a_secret", "webhook", {"secret_hash": ""}),
    ("webhook_is_told_something", "webhook", dict.fromkeys(CHOSEN_BY.values(), False)),
    ("webhook_failing_has_a_beginning", "webhook", {"failures": 1}),
    ("webhook_failing_has_a_beginning", "webhook", {"failing_since": NOW}),
    ("webhook_disabled_is_not_active", "webhook", {"disabled_at": NOW}),
    ("delivery_event_is_known", "delivery", {"event": "game_started"}),
    ("delivery_status_is_known", "delivery", {"status": "lost", "next_try_at": None}),
    ("delivery_pending_has_a_next_try", "delivery", {"next_try_at": None}),
    ("delivery_pending_has_a_next_try", "delivery", {"status": "failed"}),
    ("delivery_delivered_has_a_time", "delivery", {"status": "delivered", "next_try_at": None}),
    ("delivery_delivered_has_a_time", "delivery", {"delivered_at": NOW}),
    ("delivery_answer_has_a_status", "delivery", {"status_code": 99}),
    ("delivery_answer_has_a_status", "delivery", {"status_code": 1000}),
    ("delivery_answer_has_a_status", "delivery", {"status_code": 500, "error": "too_slow"}),
    ("delivery_error_is_known", "delivery", {"error": "bad_day"}),
]
#: Those that need a second row: the row, and its fields that are taken over.
DOUBLES = {
    "webhook_address_once_a_club": ("webhook", ["club", "address", "nonce", "secret_hash"]),
    "delivery_once_a_webhook": ("delivery", ["webhook", "uuid", "event", "payload", "next_try_at"]),
}


@pytest.fixture
def rows():
    webhook = make_webhook(make_club())
    delivery = Delivery.objects.create(webhook=webhook, uuid=uuid4(), event=Event.PING, payload={}, next_try_at=NOW)
    return {"webhook": webhook, "delivery": delivery}


def test_every_constraint_has_an_attack():
    names = {constraint.name for model in (Webhook, Delivery) for constraint in model._meta.constraints}

    assert names == {*(name for name, *_attack in ATTACKS), *DOUBLES}


@pytest.mark.parametrize(("name", "kind", "values"), ATTACKS)
def test_database_refuses_a_row_that_breaks(name, kind, values, rows):
    row = rows[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(**values)

    assert broken(refused.value, row, name) == name


@pytest.mark.parametrize("name", DOUBLES)
def test_database_refuses_a_second_row_that_breaks(name, rows):
    kind, kept = DOUBLES[name]
    row = rows[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.create(**{field: getattr(row, field) for field in kept})

    assert broken(refused.value, row, name) == name


def test_all_that_can_fail_can_be_noted():
    assert {failure.value for failure in Failure} <= set(Delivery.Error.values)


def test_events_of_a_webhook_are_in_their_order(rows):
    webhook = rows["webhook"]
    assert webhook.events == ["game_finished", "game_corrected", "game_confirmed"]

    webhook.on_corrected = False

    assert webhook.events == ["game_finished", "game_confirmed"]
