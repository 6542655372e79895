from __future__ import annotations

import secrets

from django.http import QueryDict

MOST_CHARACTERS = 64


def new_key() -> str:
    """Return a fresh request key for one rendered form (128 bits): the same form sent twice counts once."""
    return secrets.token_urlsafe(16)


def key_in(post: QueryDict) -> str | None:
    """Return the request key that a form sent, or None where it sent none that can be stored."""
    key = post.get("key", "")
    return key if key and key.isprintable() and len(key) <= MOST_CHARACTERS else None
