"""Webhooks: made, changed, switched and deleted by a club's managers; and what they are told, in the write itself.

Functions for managers hold the club's lock. Those without a `key` may be sent twice: the second time changes nothing.
What a webhook is told is a row, written in the transaction that it is about; `recording.deliveries` sends it.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings as site
from django.db import connection, transaction
from django.utils import timezone

import rules
from scoresheets import outgoing, permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Delivery, Entry, Game, Webhook
from scoresheets.models.games import hash_of_secret
from scoresheets.models.webhooks import CHOSEN_BY, Event
from scoresheets.outgoing import Refusal
from scoresheets.recording import receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.links import derived, new_nonce
from scoresheets.recording.locks import locked_club
from scoresheets.recording.statistics.contributions import Contribution

Kind = Entry.Kind
#: How a secret begins: secret scanners and people know it by that.
SECRET_PREFIX = "tfw_"  # noqa: S105
#: A club has so many at most: each is one more request for every finished game.
MOST_WEBHOOKS = 10

_ADDRESS_PROBLEMS: Mapping[Refusal, rules.Problem] = {
    Refusal.UNREADABLE: rules.Problem.of("address_unreadable"),
    Refusal.TOO_LONG: rules.Problem.of("address_too_long", most=outgoing.ADDRESS_LENGTH),
    Refusal.NOT_HTTPS: rules.Problem.of("address_not_https"),
    Refusal.HAS_LOGIN: rules.Problem.of("address_has_login"),
    Refusal.PORT: rules.Problem.of("address_port", https=outgoing.HTTPS_PORT, first=outgoing.FIRST_FREE_PORT),
    Refusal.NOT_PUBLIC: rules.Problem.of("address_not_public"),
}


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """All that can be set of a webhook: its address, and which of `CHOSEN_BY` it is told of, in any order."""

    address: str
    events: tuple[str, ...] = tuple(event.value for event in CHOSEN_BY)

    @classmethod
    def of(cls, webhook: Webhook) -> WebhookSettings:
        """Return the settings of a webhook as they stand."""
        return cls(webhook.address, tuple(webhook.events))

    @property
    def values(self) -> dict[str, Any]:
        """The settings under the names of the webhook's fields."""
        return {"address": self.address.strip(), **{name: event in self.events for event, name in CHOSEN_BY.items()}}

    @property
    def problems(self) -> tuple[rules.Problem, ...]:
        """Every reason why a webhook cannot be set so; none if it can. Names are looked up only when it is sent to."""
        found: list[rules.Problem] = []
        try:
            outgoing.target_of(self.address.strip(), local=site.WEBHOOKS_LOCAL)
        except outgoing.AddressRefused as refused:
            found.append(_ADDRESS_PROBLEMS[refused.reason])
        if not self.events:
            found.append(rules.Problem.of("events_missing"))
        found += [rules.Problem.of("event_unknown", event=event) for event in self.events if event not in CHOSEN_BY]
        return tuple(found)


# -- secrets --------------------------------------------------------------------------------------------------------


def secret_of(nonce: str, site_key: str | None = None) -> str:
    """Return the secret of 47 characters (256 bits) that belongs to a nonce under the site's key, or another one."""
    return SECRET_PREFIX + urlsafe_b64encode(derived("webhook", nonce, site_key)).rstrip(b"=").decode()


def signing_secret(webhook: Webhook) -> str | None:
    """Return the secret a webhook was made with, also where the site has a new key and still accepts the old one.

    None if the old one is gone: then the webhook needs a new secret.
    """
    for key in (site.SECRET_KEY, *site.SECRET_KEY_FALLBACKS):
        secret = secret_of(webhook.nonce, key)
        if hmac.compare_digest(hash_of_secret(secret), webhook.secret_hash):
            return secret
    return None


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return what the signature's header says of a body that is sent at this time (seconds since 1970)."""
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
    return f"v1={digest.hexdigest()}"


# -- for managers ---------------------------------------------------------------------------------------------------


@transaction.atomic
def create_webhook(club: Club, settings: WebhookSettings, *, by: Actor, key: str | None = None) -> tuple[Webhook, str]:
    """Make a webhook and return it with its secret, which cannot be shown again later.

    A repeat with the same key returns the same webhook and secret. Raises `PermissionDenied`, `rules.RulesError` with
    the problems of the settings (and `address_taken`, `too_many_webhooks`), `Conflict` ("key_reused", or
    "webhook_gone": it was deleted since); then writes nothing.
    """
    club, by = locked_club(club.pk, by)
    permissions.check_can_manage_webhooks(by, club)
    fingerprint = receipts.fingerprint_of("create_webhook", club.pk, settings.values)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return _found(body["webhook"]), secret_of(body["nonce"])
    problems = [*settings.problems, *_address_taken(club, settings)]
    if club.webhooks.count() >= MOST_WEBHOOKS:
        problems.append(rules.Problem.of("too_many_webhooks", most=MOST_WEBHOOKS))
    if problems:
        raise rules.RulesError(problems)
    webhook = Webhook(club=club, made_by=by.user, **settings.values)
    secret = _give_secret(webhook)
    webhook.save()
    receipts.keep_answer(by, key, fingerprint, {"webhook": webhook.pk, "nonce": webhook.nonce})
    return webhook, secret


@transaction.atomic
def change_webhook(webhook: Webhook, settings: WebhookSettings, *, by: Actor) -> Webhook:
    """Set the webhook as given and return it; with another address it counts as one that works.

    What waits goes to the new address. Raises `PermissionDenied`, `Conflict` ("webhook_gone"), `rules.RulesError` with
    the problems of the settings (and `address_taken`); then writes nothing.
    """
    club, webhook = _locked(webhook, by)
    problems = [*settings.problems, *_address_taken(club, settings, but=webhook)]
    if problems:
        raise rules.RulesError(problems)
    changed = [name for name, value in settings.values.items() if getattr(webhook, name) != value]
    for name in changed:
        setattr(webhook, name, settings.values[name])
    if "address" in changed:
        changed += _forgive(webhook)
    if changed:
        webhook.save(update_fields=changed)
    return webhook


@transaction.atomic
def renew_secret(webhook: Webhook, *, by: Actor, key: str | None = None) -> tuple[Webhook, str]:
    """Give the webhook a new secret and return both; the old one signs nothing any more.

    A repeat with the same key returns the same secret. Raises `PermissionDenied`, `Conflict` ("webhook_gone",
    "key_reused").
    """
    _club, webhook = _locked(webhook, by)
    fingerprint = receipts.fingerprint_of("renew_secret", webhook.pk)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return webhook, secret_of(body["nonce"])
    secret = _give_secret(webhook)
    webhook.save(update_fields=["nonce", "secret_hash"])
    receipts.keep_answer(by, key, fingerprint, {"nonce": webhook.nonce})
    return webhook, secret


@transaction.atomic
def switch_webhook(webhook: Webhook, *, on: bool, by: Actor) -> Webhook:
    """Switch a webhook on or off and return it. While it is off it is told nothing, and what waits is given up.

    Raises `PermissionDenied`, `Conflict` ("webhook_gone").
    """
    _club, webhook = _locked(webhook, by)
    if on and not webhook.is_active:
        webhook.is_active, webhook.disabled_at = True, None
        webhook.save(update_fields=["is_active", "disabled_at", *_forgive(webhook)])
    elif not on and webhook.is_active:
        switch_off(webhook)
    return webhook


def switch_off(webhook: Webhook, *, disabled_at: datetime | None = None) -> None:
    """Switch a locked webhook off and give up what waits; `disabled_at` is there where the site itself does it."""
    webhook.is_active, webhook.disabled_at = False, disabled_at
    webhook.save(update_fields=["is_active", "disabled_at"])
    waiting = webhook.deliveries.filter(status=Delivery.Status.PENDING)
    waiting.filter(last_try_at__isnull=True).update(error=Delivery.Error.SWITCHED_OFF)
    waiting.update(status=Delivery.Status.FAILED, next_try_at=None)


@transaction.atomic
def delete_webhook(webhook: Webhook, *, by: Actor) -> None:
    """Delete a webhook with its log. Raises `PermissionDenied`, `Conflict` ("webhook_gone")."""
    # Not until those who tell it of a game are through: what they wrote is deleted with it.
    _club, webhook = _locked(webhook, by, for_deletion=True)
    webhook.delete()


@transaction.atomic
def ping(webhook: Webhook, *, by: Actor) -> Delivery:
    """Send a test at once, and return it; if one is waiting already, that is sent now.

    Raises `PermissionDenied`, `Conflict` ("webhook_gone", "webhook_off").
    """
    club, webhook = _locked(webhook, by)
    _check_is_active(webhook)
    waiting = webhook.deliveries.filter(event=Event.PING, status=Delivery.Status.PENDING).first()
    if waiting is not None:
        return _send_now(webhook, waiting)
    now, uuid = timezone.now(), uuid4()
    _wake(webhook)
    return Delivery.objects.create(
        webhook=webhook,
        uuid=uuid,
        event=Event.PING,
        payload=_payload(uuid, Event.PING, club.pk, now),
        next_try_at=now,
        created_at=now,
    )


@transaction.atomic
def send_again(delivery: Delivery, *, by: Actor) -> Delivery:
    """Send something again at once, whatever became of it, with all tries before it; return it.

    Raises `PermissionDenied`, `Conflict` ("webhook_gone", "webhook_off", "delivery_gone": it was forgotten).
    """
    _club, webhook = _locked(delivery.webhook, by)
    _check_is_active(webhook)
    found = webhook.deliveries.filter(pk=delivery.pk).first()
    if found is None:
        raise Conflict("delivery_gone")
    return _send_now(webhook, found)


def _locked(webhook: Webhook, by: Actor, *, for_deletion: bool = False) -> tuple[Club, Webhook]:
    """Return the webhook as it is now, and its club, for an actor who may manage it."""
    club, by = locked_club(webhook.club_id, by)
    permissions.check_can_manage_webhooks(by, club)
    return club, _found(webhook.pk, for_deletion=for_deletion)


def _found(pk: int, *, for_deletion: bool = False) -> Webhook:
    # The worker writes webhooks too, without the lock on the club.
    found = Webhook.objects.select_for_update(no_key=not for_deletion).filter(pk=pk).first()
    if found is None:
        raise Conflict("webhook_gone")
    return found


def _address_taken(club: Club, settings: WebhookSettings, *, but: Webhook | None = None) -> list[rules.Problem]:
    others = club.webhooks.exclude(pk=but.pk) if but is not None else club.webhooks.all()
    taken = others.filter(address=settings.values["address"]).exists()
    return [rules.Problem.of("address_taken")] if taken else []


def _give_secret(webhook: Webhook) -> str:
    webhook.nonce = new_nonce()
    secret = secret_of(webhook.nonce)
    webhook.secret_hash = hash_of_secret(secret)
    return secret


def _forgive(webhook: Webhook) -> list[str]:
    """Count a webhook as one that works, and return the fields to save."""
    webhook.failures, webhook.failing_since, webhook.rests_until = 0, None, None
    return ["failures", "failing_since", "rests_until"]


def _check_is_active(webhook: Webhook) -> None:
    if not webhook.is_active:
        raise Conflict("webhook_off")


def _wake(webhook: Webhook) -> None:
    webhook.rests_until = None
    webhook.save(update_fields=["rests_until"])


def _send_now(webhook: Webhook, delivery: Delivery) -> Delivery:
    _wake(webhook)
    delivery.status, delivery.tries, delivery.delivered_at = Delivery.Status.PENDING, 0, None
    delivery.next_try_at = timezone.now()
    delivery.save(update_fields=["status", "tries", "delivered_at", "next_try_at"])
    return delivery


# -- what is told ---------------------------------------------------------------------------------------------------


def tell(game: Game, kind: str, payload: Mapping[str, Any], contributed: Contribution | None) -> None:
    """Write down what the webhooks of the game's club are told of a write: nothing unless it is a finished game's.

    The game is as it was written; `contributed` is what it gave to the statistics before. At most 1 statement, however
    many webhooks there are; 2 for a finished game that goes from one club to another.
    """
    for club, event in _events(game, kind, payload, contributed):
        _write_down(game, kind, club, event)


def _events(
    game: Game, kind: str, payload: Mapping[str, Any], contributed: Contribution | None
) -> list[tuple[int, Event]]:
    """Return what to tell which clubs: a game's result is there, has changed or is gone, or stands confirmed."""
    now = game.club_id if game.counted else None
    if kind == Kind.CONFIRMED:
        return [(now, Event.CONFIRMED)] if now is not None and payload["whole"] else []
    # A name is no matter of the statistics: such a write finds the game counted and leaves it so.
    before = contributed.game.club if contributed is not None else now if kind == Kind.SEAT_RENAMED else None
    if before == now:
        return [(now, Event.CORRECTED)] if now is not None else []
    told = [(before, Event.CORRECTED), (now, Event.FINISHED)]
    return [(club, event) for club, event in told if club is not None]


def _payload(uuid: UUID, event: Event, club: int, at: datetime) -> dict[str, Any]:
    return {"delivery": str(uuid), "event": event.value, "club": club, "at": at.isoformat(timespec="milliseconds")}


def _write_down(game: Game, kind: str, club: int, event: Event) -> None:
    uuid, now = uuid4(), timezone.now()
    payload = {
        **_payload(uuid, event, club, now),
        "game": game.pk,
        "version": game.version,
        "kind": str(kind),
        "state": str(game.state),
        "halted": str(game.halted),
    }
    values = {
        "uuid": uuid,
        "event": event.value,
        "payload": payload,
        "status": Delivery.Status.PENDING.value,
        "tries": 0,
        "next_try_at": now,
        "error": "",
        "created_at": now,
    }
    # Selected and written in one statement: whether there is a webhook at all is not asked before. Nobody can delete
    # one until the transaction ends, which a row that refers to it would otherwise make fail.
    lock = " FOR KEY SHARE" if connection.features.has_select_for_update else ""
    columns, places = ", ".join(values), ", ".join(["%s"] * len(values))
    fields = {field.attname: field for field in Delivery._meta.concrete_fields}
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO scoresheets_delivery (webhook_id, {columns}) SELECT id, {places} FROM scoresheets_webhook"  # noqa: S608
            f" WHERE club_id = %s AND is_active AND {CHOSEN_BY[event]}{lock}",
            [*(fields[name].get_db_prep_save(value, connection) for name, value in values.items()), club],
        )
