"""Sending what webhooks are told. For the worker: it looks for what is due, again and again.

A webhook gets one request at a time, the oldest first. What fails is tried again later, each time after a longer wait.
If the receiver is down, the webhook rests altogether: it costs one request a wait, however much waits for it. If it
only refuses what it was sent, other things go on. Everything is sent at least once; a worker that is stopped before it
could note the answer sends it again.
"""

from __future__ import annotations

import json
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from scoresheets import outgoing
from scoresheets.models import Delivery, Webhook
from scoresheets.outgoing import Answer
from scoresheets.recording.webhooks import signature, signing_secret, switch_off

#: A receiver has so many seconds to answer: less than the worker is given to end what it is at.
PATIENCE = 8.0
#: So many receivers are sent to at once: one that is slow holds up no other.
AT_ONCE = 8
#: After each failed try, so long until the next: nine tries in not quite three days.
WAITS = (
    *(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=2), timedelta(hours=6), timedelta(hours=12), timedelta(hours=24), timedelta(hours=24)),
)
#: Who answers so is down as well: too many requests, or a server in front that reaches nobody.
DOWN = (429, 502, 503, 504)
#: A webhook that nothing has got through to for so long is switched off.
DISABLED_AFTER = timedelta(days=3)
#: A worker that takes longer than this over a request is gone: another one sends it.
GONE_AFTER = timedelta(minutes=2)
#: What was delivered or given up is kept in the log for so long.
KEPT = timedelta(days=30)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Request:
    """A delivery that this worker has taken on: nobody else sends it meanwhile. `tries` counts this one."""

    delivery: int
    webhook: int
    tries: int
    address: str
    secret: str | None
    event: str
    uuid: str
    body: bytes


def deliver_due() -> int:
    """Send what is due, one delivery a webhook and to eight of them at most, and return how many were sent.

    Call it again until it returns 0. It takes as long as the slowest receiver, not much more than `PATIENCE`.
    """
    # Looking keeps nobody waiting on SQLite; a transaction would.
    if not _awake(timezone.now()).exists():
        return 0
    requests = _take_on()
    if requests:
        with ThreadPoolExecutor(len(requests)) as pool:
            for request, answer in zip(requests, pool.map(_send, requests), strict=True):
                _note(request, answer)
    return len(requests)


def forget_old_deliveries() -> None:
    """Delete from the logs what was delivered or given up and is past its time."""
    old = Delivery.objects.filter(created_at__lt=timezone.now() - KEPT)
    old.exclude(status=Delivery.Status.PENDING).delete()


def _awake(now: datetime) -> QuerySet[Webhook]:
    """Return the webhooks for which something is due and that do not rest."""
    due = Delivery.objects.filter(next_try_at__lte=now).order_by().values("webhook")
    return Webhook.objects.filter(Q(rests_until__isnull=True) | Q(rests_until__lte=now), is_active=True, pk__in=due)


@transaction.atomic
def _take_on() -> list[_Request]:
    """Choose what is sent now, and keep other workers from it until `GONE_AFTER`."""
    now = timezone.now()
    # Whoever was sent to longest ago comes first.
    waiting = _awake(now).order_by(F("rests_until").asc(nulls_first=True), "pk")
    requests = []
    for webhook in waiting.select_for_update(skip_locked=True, no_key=True)[:AT_ONCE]:
        delivery = webhook.deliveries.filter(next_try_at__lte=now).order_by("next_try_at", "pk").first()
        if delivery is None:
            continue
        webhook.rests_until = delivery.next_try_at = now + GONE_AFTER
        webhook.save(update_fields=["rests_until"])
        delivery.tries, delivery.last_try_at = delivery.tries + 1, now
        delivery.save(update_fields=["tries", "next_try_at", "last_try_at"])
        body = json.dumps(delivery.payload, sort_keys=True, separators=(",", ":")).encode()
        requests.append(
            _Request(
                delivery.pk,
                webhook.pk,
                delivery.tries,
                webhook.address,
                signing_secret(webhook),
                delivery.event,
                str(delivery.uuid),
                body,
            )
        )
    return requests


def _send(request: _Request) -> Answer | None:
    """Send a request, in a thread of its own and without the database; None without the secret to sign it."""
    if request.secret is None:
        return None
    timestamp = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Tafelrunde-Webhook",
        "Tafelrunde-Event": request.event,
        "Tafelrunde-Delivery": request.uuid,
        "Tafelrunde-Timestamp": str(timestamp),
        "Tafelrunde-Signature": signature(request.secret, timestamp, request.body),
    }
    try:
        return outgoing.post(request.address, request.body, headers, seconds=PATIENCE, local=settings.WEBHOOKS_LOCAL)
    except Exception:
        # One receiver must not stop all others, whatever it does to us.
        logger.exception("Sending to a webhook failed")
        return Answer(None, outgoing.Failure.NO_HTTP)


@transaction.atomic
def _note(request: _Request, answer: Answer | None) -> None:
    """Write down what came of a request, unless it was asked for anew or given up meanwhile."""
    webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=request.webhook).first()
    sent = Delivery.objects.filter(pk=request.delivery, tries=request.tries, status=Delivery.Status.PENDING)
    delivery = sent.first() if webhook is not None else None
    if webhook is None or delivery is None:
        return
    now = timezone.now()
    delivery.status_code = answer.status if answer is not None else None
    delivery.error = Delivery.Error.SECRET_LOST if answer is None else str(answer.failure or "")
    if answer is not None and answer.is_success:
        delivery.status, delivery.next_try_at, delivery.delivered_at = Delivery.Status.DELIVERED, None, now
        webhook.failures, webhook.failing_since, webhook.rests_until = 0, None, now
    else:
        is_last = delivery.tries > len(WAITS)
        delivery.next_try_at = None if is_last else now + WAITS[delivery.tries - 1]
        delivery.status = Delivery.Status.FAILED if is_last else Delivery.Status.PENDING
        webhook.failures, webhook.failing_since = webhook.failures + 1, webhook.failing_since or now
        webhook.rests_until = _rest(webhook, answer, now)
    delivery.save(update_fields=["status", "next_try_at", "status_code", "error", "delivered_at"])
    webhook.save(update_fields=["failures", "failing_since", "rests_until"])
    if webhook.failing_since is not None and webhook.failing_since <= now - DISABLED_AFTER:
        switch_off(webhook, disabled_at=now)


def _rest(webhook: Webhook, answer: Answer | None, now: datetime) -> datetime:
    """Return until when a failing webhook rests, for longer each time; not at all if its receiver is there."""
    if answer is not None and answer.status is not None and answer.status not in DOWN:
        return now
    assert webhook.failing_since is not None
    # The last try before it is switched off is not put off beyond that.
    end = max(webhook.failing_since + DISABLED_AFTER, now + WAITS[0])
    return min(now + WAITS[min(webhook.failures, len(WAITS)) - 1], end)
