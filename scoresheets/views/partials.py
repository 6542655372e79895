from __future__ import annotations

from django.http import HttpRequest


def wants_partial(request: HttpRequest) -> bool:
    """Say whether HTMX asks for the swapped part alone; a boosted or restored page wants all of it."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request
