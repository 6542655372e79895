"""Repeats: a write with a key happens once, and the same key again gets the same answer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoresheets.actors import Actor
from scoresheets.models import Receipt, User
from scoresheets.recording.errors import Conflict
from scoresheets.recording.names import pattern_of

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


# -- whole answers, of the API --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """The answer to a write: status, body (None: none) and headers."""

    status: int
    body: dict[str, Any] | None
    headers: Mapping[str, str]


def answers_owner(by: Actor) -> str:
    """Whose whole answers these are; the receipts of single verbs are `by.receipt_owner`'s."""
    return f"api:{by.receipt_owner}"


def written_once(
    by: Actor,
    key: str | None,
    fingerprint: str,
    write: Callable[[], Kept],
    *,
    secrets: Sequence[str] = (),
    club_id: int | None = None,
) -> tuple[Kept, bool]:
    """Return the answer of `write`, which is done once for a key, and whether it was done before.

    All is one transaction; of two at once with the same key, one writes and the other gets its answer. `secrets` are
    names in the body whose values are not kept: `write` is run again for them, and has to know its repeats itself.
    Raises what `write` raises and `Conflict` ("key_reused"); then nothing is written.
    """
    if not key:
        with transaction.atomic():
            return write(), False
    try:
        return _written_once(by, key, fingerprint, write, secrets, club_id)
    except Exception:
        # The same request may have been faster by a hair: then its answer is there now, and what stood against this
        # one is what it has done.
        if Receipt.of_key(answers_owner(by), key) is None:
            raise
        return _written_once(by, key, fingerprint, write, secrets, club_id)


def done_before(by: Actor, key: str, fingerprint: str) -> bool:
    """Say whether the actor has done just this with the key, and its answer was none but that it is done."""
    receipt = Receipt.of_key(answers_owner(by), key) if key else None
    return receipt is not None and receipt.fingerprint == fingerprint and receipt.body["body"] is None


@transaction.atomic
def _written_once(
    by: Actor,
    key: str,
    fingerprint: str,
    write: Callable[[], Kept],
    secrets: Sequence[str],
    club_id: int | None,
) -> tuple[Kept, bool]:
    receipt = Receipt.of_key(answers_owner(by), key)
    if receipt is not None:
        if receipt.fingerprint != fingerprint:
            raise Conflict("key_reused")
        return _again(receipt, write, secrets), True
    kept = write()
    body = kept.body and {name: value for name, value in kept.body.items() if name not in secrets}
    Receipt.objects.create(
        actor=answers_owner(by),
        key=key,
        fingerprint=fingerprint,
        status=kept.status,
        body={"club": club_id, "body": body, "headers": dict(kept.headers)},
    )
    return kept, False


def _again(receipt: Receipt, write: Callable[[], Kept], secrets: Sequence[str]) -> Kept:
    body = receipt.body["body"]
    if secrets:
        anew = write().body or {}
        body = {**body, **{name: anew[name] for name in secrets}}
    return Kept(receipt.status, body, receipt.body["headers"])


def scrub_answers(club_id: int, names: Collection[str], neutral: str) -> None:
    """Put a neutral name where one of these stands as a word in the answers kept that are about the club."""
    pattern = pattern_of(names)
    changed = []
    for receipt in Receipt.objects.filter(actor__startswith="api:", body__club=club_id):
        body = scrubbed(receipt.body, pattern, neutral)
        if body != receipt.body:
            receipt.body = body
            changed.append(receipt)
    Receipt.objects.bulk_update(changed, ["body"], batch_size=200)


def scrubbed(value: Any, pattern: re.Pattern[str], neutral: str) -> Any:
    """Return what JSON can hold with a neutral name wherever the pattern finds one in its texts (not in keys)."""
    match value:
        case str():
            # As a function: the neutral name is no pattern.
            return pattern.sub(lambda _found: neutral, value)
        case dict():
            return {name: scrubbed(inner, pattern, neutral) for name, inner in value.items()}
        case list():
            return [scrubbed(inner, pattern, neutral) for inner in value]
    return value


def forget_receipts(user: User) -> None:
    """Delete all receipts of an account and of its tokens, for its deletion."""
    owners = [f"user:{user.pk}", *(f"token:{pk}" for pk in user.tokens.values_list("pk", flat=True))]
    Receipt.objects.filter(actor__in=[*owners, *(f"api:{owner}" for owner in owners)]).delete()
