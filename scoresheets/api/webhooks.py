"""Webhooks of a club: made, changed, tried out and deleted; what was sent to them, and sending it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django_filters import ChoiceFilter, FilterSet
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from scoresheets import permissions
from scoresheets.api.fields import Answer, Choice, Id, Moment, Shape, Text, Whole, Yes
from scoresheets.api.pagination import Order
from scoresheets.api.schema import Scope, operation
from scoresheets.api.views import Body, View
from scoresheets.models import Club, Delivery, Entry, Game, Webhook
from scoresheets.models.webhooks import CHOSEN_BY, LEAST_STATUS, MOST_STATUS, Event
from scoresheets.outgoing import ADDRESS_LENGTH
from scoresheets.queries.webhooks import deliveries_of, webhook_of
from scoresheets.recording import (
    WebhookSettings,
    change_webhook,
    create_webhook,
    delete_webhook,
    ping,
    renew_secret,
    send_again,
    switch_webhook,
)

TAG = "webhooks"
#: What can be told, beside the test.
EVENTS = [event.value for event in CHOSEN_BY]

_ADDRESS = (
    "Where requests go: `https://`, a name or address on the internet, port 443 or one from 1024 on, at most "
    f"{ADDRESS_LENGTH} characters, no login in it."
)
_EVENTS = (
    "What it is told, at least one: `game_finished` a game has its result (also again, or by moving into the club), "
    "`game_corrected` a finished game was changed or its result is gone (reopened, voided, moved away), "
    "`game_confirmed` the result stands confirmed."
)
_ACTIVE = "Whether it is told anything."
_ADDRESS_CODES = (
    *("address_unreadable", "address_not_https", "address_has_login", "address_port", "address_not_public"),
    *("address_too_long", "address_taken", "events_missing"),
)


# -- what is answered and taken -----------------------------------------------------------------------------------


class WebhookAnswer(Answer):
    """An address of another program that is told of the club's finished games."""

    id = Id(help_text="The id of the webhook.")
    club = Id(help_text="The club.")
    address = Text(most=ADDRESS_LENGTH, help_text=_ADDRESS)
    events = serializers.ListField(child=Choice(choices=EVENTS), min_length=1, help_text=_EVENTS)
    is_active = Yes(help_text=_ACTIVE)
    failures = Whole(least=0, help_text="How many requests have failed since one last got through.")
    failing_since = Moment(allow_null=True, help_text="When the first of them failed; null where it works.")
    disabled_at = Moment(
        allow_null=True,
        help_text="When the site itself switched it off, after three days without success; null where it has not.",
    )
    created_at = Moment(help_text="When it was made.")


class WebhookWithSecretAnswer(WebhookAnswer):
    """A webhook with its secret."""

    secret = Text(most=64, help_text="What signs the requests (HMAC-SHA256). It is told only this once.")


class NewWebhook(Shape):
    """A webhook to be made; without `events` it is told all."""

    address = Text(most=2 * ADDRESS_LENGTH, help_text=_ADDRESS)
    events = serializers.ListField(
        child=Text(most=40, help_text="One of the events."), required=False, max_length=20, help_text=_EVENTS
    )


class WebhookChanges(Shape):
    """What is to be changed; what is left out stays."""

    address = Text(required=False, most=2 * ADDRESS_LENGTH, help_text=_ADDRESS)
    events = serializers.ListField(
        child=Text(most=40, help_text="One of the events."), required=False, max_length=20, help_text=_EVENTS
    )
    is_active = Yes(
        required=False,
        help_text="Switch it on or off. Off, it is told nothing, and what waits is given up.",
    )


class WebhookPayloadAnswer(Answer):
    """The body of a request to a webhook. It has ids, never names: read the game with a token."""

    delivery = serializers.UUIDField(help_text="Names what happened: the same again is a repeat.")
    event = Choice(choices=Event.values, help_text="What happened; `ping` is a test.")
    club = Id(help_text="The id of the club.")
    at = Moment(help_text="When it happened.")
    game = Id(required=False, help_text="The id of the game. A test is of no game, nor has it what follows.")
    version = Whole(
        required=False, least=1, help_text="The version of the game. Requests may come in another order: compare it."
    )
    kind = Choice(
        required=False, choices=Entry.Kind.values, help_text="The entry in the game's journal that this is about."
    )
    state = Choice(required=False, choices=Game.State.values, help_text="The state of the game by then.")
    halted = Choice(
        required=False,
        choices=Game.Halted.values,
        allow_blank=True,
        help_text="Whether the game is interrupted, and how: a voided game has no result. Empty where it is not.",
    )


class DeliveryAnswer(Answer):
    """Something that a webhook is told, and what came of sending it."""

    id = Id(help_text="The id of the delivery.")
    webhook = Id(help_text="The webhook.")
    uuid = serializers.UUIDField(help_text="The header `Tafelrunde-Delivery`; it stays the same at every try.")
    event = Choice(choices=Event.values, help_text="What happened; `ping` is a test.")
    payload = WebhookPayloadAnswer(help_text="The body of the request.")
    status = Choice(
        choices=Delivery.Status.values,
        help_text="`pending` waits for the first or the next try, `delivered` got an answer from 200 to 299, `failed` "
        "was given up after nine tries or when the webhook was switched off.",
    )
    tries = Whole(least=0, help_text="How often it was sent since it was last asked for.")
    status_code = Whole(
        least=LEAST_STATUS,
        most=MOST_STATUS,
        allow_null=True,
        help_text="The status of the last answer; null where there was none.",
    )
    error = Choice(
        choices=Delivery.Error.values,
        allow_blank=True,
        help_text="Why there was no answer at the last try; empty where there was one, or no try yet.",
    )
    created_at = Moment(help_text="When it happened.")
    last_try_at = Moment(allow_null=True, help_text="When it was last sent; null for not yet.")
    next_try_at = Moment(allow_null=True, help_text="When it is sent (again); null for never.")
    delivered_at = Moment(allow_null=True, help_text="When it was delivered; null where it was not.")


def webhook_body(webhook: Webhook) -> Body:
    """Return a webhook as it is answered."""
    names = ("address", "events", "is_active", "failures", "failing_since", "disabled_at", "created_at")
    return {"id": webhook.pk, "club": webhook.club_id, **{name: getattr(webhook, name) for name in names}}


def _with_secret(made: tuple[Webhook, str]) -> Body:
    webhook, secret = made
    return {**webhook_body(webhook), "secret": secret}


def delivery_body(delivery: Delivery) -> Body:
    """Return a delivery as it is answered."""
    names = (
        *("uuid", "event", "payload", "status", "tries", "status_code", "error"),
        *("created_at", "last_try_at", "next_try_at", "delivered_at"),
    )
    return {"id": delivery.pk, "webhook": delivery.webhook_id, **{name: getattr(delivery, name) for name in names}}


def _bodies(rows: Sequence[Delivery]) -> list[Body]:
    return [delivery_body(delivery) for delivery in rows]


# -- webhooks -----------------------------------------------------------------------------------------------------


class _Webhooks(View):
    """What only the managers of a club see."""

    FIELD_OF = {
        **dict.fromkeys(_ADDRESS_CODES, "address"),
        **dict.fromkeys(("events_missing", "event_unknown"), "events"),
    }

    def managed_club(self, club_id: int) -> Club:
        """Return a club whose webhooks the actor manages. Raises `Http404`, `PermissionDenied`."""
        club = self.club(club_id)
        permissions.check_can_manage_webhooks(self.actor, club)
        return club

    def webhook(self, club_id: int, webhook_id: int) -> Webhook:
        """Return a webhook that the actor manages. Raises `Http404`, `PermissionDenied`."""
        found = webhook_of(self.managed_club(club_id), webhook_id)
        if found is None:
            raise Http404
        return found


class Webhooks(_Webhooks):
    @operation(
        "webhooks_list",
        summary="The webhooks of a club",
        tag=TAG,
        answer=WebhookAnswer,
        lists=True,
        orders={"id": Order.number("pk")},
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """The webhooks of a club, the oldest first, for its managers. Secrets are not told again."""
        club = self.managed_club(club_id)
        return self.listed(club.webhooks.all(), lambda rows: [webhook_body(webhook) for webhook in rows])

    @operation(
        "webhooks_create",
        summary="Make a webhook",
        tag=TAG,
        takes=NewWebhook,
        answer=WebhookWithSecretAnswer,
        status=201,
        scope=Scope.MANAGE,
        errors={400: (*_ADDRESS_CODES, "event_unknown", "too_many_webhooks")},
        examples=[
            OpenApiExample(
                "Results for a league's site",
                {"address": "https://liga.example.org/tafelrunde", "events": ["game_finished", "game_corrected"]},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, club_id: int) -> Any:
        """Make a webhook, as managers do, and get its secret."""
        club, sent = self.managed_club(club_id), self.sent()
        settings = _settings(sent, WebhookSettings(""))
        return self.write(
            lambda: create_webhook(club, settings, by=self.actor, key=self.key), _with_secret, secrets=("secret",)
        )


class OneWebhook(_Webhooks):
    @operation("webhooks_read", summary="A webhook", tag=TAG, answer=WebhookAnswer, errors={403: ()})
    def get(self, request: Any, club_id: int, webhook_id: int) -> Any:
        """A webhook, for managers of its club."""
        return self.answer(webhook_body(self.webhook(club_id, webhook_id)))

    @operation(
        "webhooks_change",
        summary="Change a webhook",
        tag=TAG,
        takes=WebhookChanges,
        answer=WebhookAnswer,
        scope=Scope.MANAGE,
        errors={400: (*_ADDRESS_CODES, "event_unknown"), 409: ("webhook_gone",)},
        examples=[OpenApiExample("Switch it on", {"is_active": True}, request_only=True)],
    )
    def patch(self, request: Any, club_id: int, webhook_id: int) -> Any:
        """Change a webhook, or switch it on or off. What waits goes to the new address."""
        webhook, sent = self.webhook(club_id, webhook_id), self.sent()
        return self.write(lambda: self._change(webhook, sent), webhook_body)

    def _change(self, webhook: Webhook, sent: Body) -> Webhook:
        if "address" in sent or "events" in sent:
            webhook = change_webhook(webhook, _settings(sent, WebhookSettings.of(webhook)), by=self.actor)
        if "is_active" in sent:
            webhook = switch_webhook(webhook, on=sent["is_active"], by=self.actor)
        return webhook

    @operation(
        "webhooks_delete",
        summary="Delete a webhook",
        tag=TAG,
        answer=None,
        scope=Scope.MANAGE,
        errors={409: ("webhook_gone",)},
    )
    def delete(self, request: Any, club_id: int, webhook_id: int) -> Any:
        """Delete a webhook with its log."""
        webhook = self.webhook(club_id, webhook_id)
        return self.write(lambda: delete_webhook(webhook, by=self.actor))


def _settings(sent: Body, base: WebhookSettings) -> WebhookSettings:
    return WebhookSettings(sent.get("address", base.address), tuple(sent.get("events", base.events)))


class RenewingSecret(_Webhooks):
    @operation(
        "webhooks_renew_secret",
        summary="Give a webhook a new secret",
        tag=TAG,
        answer=WebhookWithSecretAnswer,
        scope=Scope.MANAGE,
        errors={409: ("webhook_gone",)},
    )
    def post(self, request: Any, club_id: int, webhook_id: int) -> Any:
        """Give a webhook a new secret and get it. The old one signs nothing any more, from now on."""
        webhook = self.webhook(club_id, webhook_id)
        return self.write(lambda: renew_secret(webhook, by=self.actor, key=self.key), _with_secret, secrets=("secret",))


class Pinging(_Webhooks):
    @operation(
        "webhooks_ping",
        summary="Send a test",
        tag=TAG,
        answer=DeliveryAnswer,
        status=202,
        scope=Scope.MANAGE,
        errors={409: ("webhook_gone", "webhook_off")},
    )
    def post(self, request: Any, club_id: int, webhook_id: int) -> Any:
        """Have the event `ping` sent. It goes out in the next seconds; the log says what came of it."""
        webhook = self.webhook(club_id, webhook_id)
        return self.write(lambda: ping(webhook, by=self.actor), delivery_body)


# -- what was sent ------------------------------------------------------------------------------------------------


class DeliveryFilter(FilterSet):
    status = ChoiceFilter(choices=Delivery.Status.choices, help_text="Only those of this status.")
    event = ChoiceFilter(choices=Event.choices, help_text="Only those of this event.")

    class Meta:
        model = Delivery
        fields = ("status", "event")


class Deliveries(_Webhooks):
    @operation(
        "deliveries_list",
        summary="What a webhook was told",
        tag=TAG,
        answer=DeliveryAnswer,
        lists=True,
        filters=DeliveryFilter,
        orders={"-id": Order.number("pk", descending=True)},
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int, webhook_id: int) -> Any:
        """What a webhook was told in the last 30 days and what waits, the newest first."""
        webhook = self.webhook(club_id, webhook_id)
        return self.listed(deliveries_of(webhook), _bodies)


class SendingAgain(_Webhooks):
    @operation(
        "deliveries_send_again",
        summary="Send something again",
        tag=TAG,
        answer=DeliveryAnswer,
        status=202,
        scope=Scope.MANAGE,
        errors={409: ("webhook_gone", "webhook_off", "delivery_gone")},
    )
    def post(self, request: Any, club_id: int, webhook_id: int, delivery_id: int) -> Any:
        """Have something sent again at once, whatever became of it: the same body, with the same `uuid`."""
        delivery = deliveries_of(self.webhook(club_id, webhook_id)).filter(pk=delivery_id).first()
        if delivery is None:
            raise Http404
        return self.write(lambda: send_again(delivery, by=self.actor), delivery_body)
