from __future__ import annotations

import secrets


def new_key() -> str:
    """Return a fresh request key for one rendered form (128 bits): the same form sent twice counts once."""
    return secrets.token_urlsafe(16)
