"""Webhooks: addresses of other programs that are told what becomes of a club's games, and what was sent to them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoresheets.models.people import Club, User
from scoresheets.outgoing import ADDRESS_LENGTH, Failure

#: An answer's status has three digits.
LEAST_STATUS, MOST_STATUS = 100, 999


class Event(models.TextChoices):
    """What a webhook is told: of a game of its club or, with a ping, that it is there."""

    FINISHED = "game_finished", _("game finished")
    CORRECTED = "game_corrected", _("game corrected")
    CONFIRMED = "game_confirmed", _("game confirmed")
    PING = "ping", _("test")


#: Those that can be chosen, each by the field of `Webhook` that says so.
CHOSEN_BY = {Event.FINISHED: "on_finished", Event.CORRECTED: "on_corrected", Event.CONFIRMED: "on_confirmed"}


class Webhook(models.Model):
    """An address that is told of a club's finished games. Only `recording` writes it.

    `on_finished`, `on_corrected` and `on_confirmed` say what it is told of. `nonce` and the site's key make the secret
    that signs; of it only the hash is stored. `failures` counts what failed since something last got through, and
    `failing_since` is the first of them. Nothing is sent before `rests_until`. `disabled_at` says that the site itself
    switched it off, after a long time without success.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks", db_index=False)
    address = models.CharField(max_length=ADDRESS_LENGTH)
    on_finished = models.BooleanField(default=True)
    on_corrected = models.BooleanField(default=True)
    on_confirmed = models.BooleanField(default=True)
    nonce = models.CharField(max_length=32)
    secret_hash = models.CharField(max_length=64)
    is_active = models.BooleanField(default=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    rests_until = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("club", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "address"], name="webhook_address_once_a_club"),
            models.CheckConstraint(name="webhook_has_an_address", condition=~Q(address="")),
            models.CheckConstraint(name="webhook_has_a_secret", condition=~Q(nonce="") & ~Q(secret_hash="")),
            models.CheckConstraint(
                name="webhook_is_told_something",
                condition=Q(on_finished=True) | Q(on_corrected=True) | Q(on_confirmed=True),
            ),
            models.CheckConstraint(
                name="webhook_failing_has_a_beginning",
                condition=Q(failures=0, failing_since__isnull=True) | Q(failures__gte=1, failing_since__isnull=False),
            ),
            models.CheckConstraint(
                name="webhook_disabled_is_not_active", condition=Q(disabled_at__isnull=True) | Q(is_active=False)
            ),
        )

    def __str__(self) -> str:
        return self.address

    @property
    def events(self) -> list[str]:
        """The values of `Event` that it is told of, in their order."""
        return [event.value for event, name in CHOSEN_BY.items() if getattr(self, name)]


class Delivery(models.Model):
    """Something that a webhook is told: waiting to be sent, delivered or, after several tries, given up.

    `uuid` names what happened; it stays the same when it is sent again, and for other webhooks that are told. `payload`
    has ids, never names. `tries` counts since it was last asked for. The answer is that of the last try: its status or,
    where there was none, the `error`.
    """

    class Status(models.TextChoices):
        PENDING = "pending", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("given up")

    class Error(models.TextChoices):
        ADDRESS_REFUSED = Failure.ADDRESS_REFUSED.value, _("the address is not allowed")
        NAME_UNKNOWN = Failure.NAME_UNKNOWN.value, _("no server has this name")
        NOT_PUBLIC = Failure.NOT_PUBLIC.value, _("the server is not on the internet")
        NO_CONNECTION = Failure.NO_CONNECTION.value, _("no connection")
        NOT_TRUSTED = Failure.NOT_TRUSTED.value, _("the certificate is not valid")
        TOO_SLOW = Failure.TOO_SLOW.value, _("the answer took too long")
        NO_HTTP = Failure.NO_HTTP.value, _("the answer was not understood")
        SECRET_LOST = "secret_lost", _("the secret is no longer known")
        SWITCHED_OFF = "switched_off", _("the webhook was switched off")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    uuid = models.UUIDField()
    event = models.CharField(max_length=16, choices=Event.choices)
    payload = models.JSONField()
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PENDING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True)
    last_try_at = models.DateTimeField(null=True, blank=True)
    status_code = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.CharField(max_length=16, choices=Error.choices, blank=True, default="")
    delivered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ("webhook", "-pk")
        indexes = (
            models.Index(F("webhook"), F("id").desc(), name="delivery_newest_of_a_webhook"),
            models.Index(fields=["next_try_at"], condition=Q(next_try_at__isnull=False), name="delivery_due"),
        )
        constraints = (
            models.UniqueConstraint(fields=["webhook", "uuid"], name="delivery_once_a_webhook"),
            models.CheckConstraint(
                name="delivery_event_is_known",
                condition=Q(event__in=["game_finished", "game_corrected", "game_confirmed", "ping"]),
            ),
            models.CheckConstraint(
                name="delivery_status_is_known", condition=Q(status__in=["pending", "delivered", "failed"])
            ),
            models.CheckConstraint(
                name="delivery_pending_has_a_next_try",
                condition=Q(status="pending", next_try_at__isnull=False)
                | (~Q(status="pending") & Q(next_try_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="delivery_delivered_has_a_time",
                condition=Q(status="delivered", delivered_at__isnull=False)
                | (~Q(status="delivered") & Q(delivered_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="delivery_answer_has_a_status",
                condition=Q(status_code__isnull=True)
                | Q(status_code__gte=LEAST_STATUS, status_code__lte=MOST_STATUS, error=""),
            ),
            models.CheckConstraint(
                name="delivery_error_is_known",
                condition=Q(
                    error__in=[
                        *("", "address_refused", "name_unknown", "not_public", "no_connection", "not_trusted"),
                        *("too_slow", "no_http", "secret_lost", "switched_off"),
                    ]
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.event}: {self.status}"
