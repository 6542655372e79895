"""A club's webhooks and what was sent to them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from scoresheets.models import Club, Delivery, Webhook


@dataclass(frozen=True, slots=True)
class WebhookLine:
    """A webhook in the list: the newest of its deliveries, if there is one in the log, and how many wait."""

    webhook: Webhook
    newest: Delivery | None
    waiting: int


def webhooks_of(club: Club) -> list[WebhookLine]:
    """Return the club's webhooks with who made them, the oldest first (2 statements)."""
    waits = Q(deliveries__status=Delivery.Status.PENDING)
    found = list(
        Webhook.objects.filter(club=club)
        .select_related("made_by")
        .annotate(newest=Max("deliveries"), waiting=Count("deliveries", filter=waits))
        .order_by("pk")
    )
    newest = Delivery.objects.in_bulk([webhook.newest for webhook in found if webhook.newest is not None])
    return [WebhookLine(webhook, newest.get(webhook.newest), webhook.waiting) for webhook in found]


def webhook_of(club: Club, webhook_id: int) -> Webhook | None:
    """Return the club's webhook with this id and who made it, or None if it has none (1 statement)."""
    return Webhook.objects.select_related("made_by").filter(club=club, pk=webhook_id).first()


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the log of a webhook, the newest first."""
    return Delivery.objects.filter(webhook=webhook).order_by("-pk")


def disabled_webhooks(club: Club) -> int:
    """Return how many of the club's webhooks the site itself has switched off (1 statement)."""
    return Webhook.objects.filter(club=club, disabled_at__isnull=False).count()
