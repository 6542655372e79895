"""Secret links: made, listed by `Game.links`, revoked. A secret is shown once; only its hash is stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Game, Link
from scoresheets.models.games import hash_of_secret
from scoresheets.recording import receipts


def new_nonce() -> str:
    """Return the random part of a link's secret (128 bits), which a receipt may keep."""
    return secrets.token_urlsafe(16)


def derived(purpose: str, nonce: str, site_key: str | None = None) -> bytes:
    """Return the 256 bits that belong to a nonce for this purpose, under the site's key or another one."""
    key = settings.SECRET_KEY if site_key is None else site_key
    return hmac.new(key.encode(), f"{purpose} {nonce}".encode(), hashlib.sha256).digest()


def secret_of(nonce: str) -> str:
    """Return the secret of 22 URL-safe characters (128 bits) that belongs to a nonce.

    A repeated request (a double tap whose first answer was lost) shows the same link again from the nonce in its
    receipt. The nonce alone opens nothing: it needs the site's own secret key, which is not in the database.
    """
    return urlsafe_b64encode(derived("link", nonce)[:16]).rstrip(b"=").decode()


def add_link(game: Game, *, scope: str, nonce: str, label: str = "") -> Link:
    """Store a link to the game. For recording functions that have checked and locked already."""
    return Link.objects.create(game=game, scope=scope, secret_hash=hash_of_secret(secret_of(nonce)), label=label)


@transaction.atomic
def make_link(game: Game, *, scope: str, by: Actor, label: str = "", key: str | None = None) -> tuple[Link, str]:
    """Make a link that opens the game and return it with its secret, which cannot be shown again later.

    A repeat with the same key returns the same link and secret. Raises `PermissionDenied`, `Conflict`.
    """
    game = Game.locked(game.pk)
    permissions.check_can_manage_links(by, game)
    fingerprint = receipts.fingerprint_of("make_link", game.pk, scope, label)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Link.objects.get(pk=body["link"]), secret_of(body["nonce"])
    nonce = new_nonce()
    link = add_link(game, scope=scope, nonce=nonce, label=label)
    receipts.keep_answer(by, key, fingerprint, {"link": link.pk, "nonce": nonce})
    return link, secret_of(nonce)


@transaction.atomic
def revoke_link(link: Link, *, by: Actor) -> Link:
    """Close a link for good; revoking it again changes nothing. Raises `PermissionDenied`."""
    link = Link.objects.select_for_update(of=("self",)).select_related("game").get(pk=link.pk)
    permissions.check_can_manage_links(by, link.game)
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
    return link
