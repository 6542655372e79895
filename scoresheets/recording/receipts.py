"""Repeats: a write with a key happens once, and the same key again gets the same answer."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

from django.utils import timezone

from scoresheets.actors import Actor
from scoresheets.models import Receipt
from scoresheets.recording.errors import Conflict

KEPT = timedelta(days=7)


def fingerprint_of(*content: Any) -> str:
    """Return a hash of what a write was asked to do; `content` is anything JSON can hold."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def answer_to_repeat(by: Actor, key: str | None, fingerprint: str) -> dict[str, Any] | None:
    """Return the answer stored for this key, or None if it is new.

    Call it under the lock, after the permission and before the staleness check. Raises `Conflict` ("key_reused") if
    the key came with other content.
    """
    if not key:
        return None
    receipt = Receipt.of_key(by.receipt_owner, key)
    if receipt is None:
        return None
    if receipt.fingerprint != fingerprint:
        raise Conflict("key_reused")
    body: dict[str, Any] = receipt.body
    return body


def keep_answer(by: Actor, key: str | None, fingerprint: str, body: dict[str, Any], status: int = 200) -> None:
    """Store the answer of a write in the write's own transaction. Without a key nothing is stored."""
    if key:
        Receipt.objects.create(actor=by.receipt_owner, key=key, fingerprint=fingerprint, status=status, body=body)


def forget_old_receipts() -> None:
    """Delete receipts past their time; called by rare writes, so that no job is needed."""
    Receipt.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
