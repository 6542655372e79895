"""How often may be asked: so many requests a minute for a token or an account, fewer for an address without one.

Counters are in the site's cache, which all processes share. Each process takes a share of the minute from there at
once and counts that down by itself: asking costs the cache something once in twenty times, not each time.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

#: The length of a window in seconds; windows begin with the clock's minutes.
WINDOW = 60
#: A process takes this part of the limit from the cache at once.
SHARE = 20


@dataclass(slots=True)
class _Held:
    """What this process holds of a window: how many requests are left to it, and how many all have taken."""

    left: int
    taken: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands in the present window, as the headers say it; `reset` in seconds from now."""

    limit: int
    remaining: int
    reset: int
    is_allowed: bool


class Counters:
    """The shares that this process holds, all of the present window."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._window = 0
        self._held: dict[str, _Held] = {}

    def clear(self) -> None:
        """Give back nothing, forget all: for tests."""
        with self._lock:
            self._held.clear()

    def count(self, who: str, limit: int) -> Standing:
        """Count one request of somebody and return where they stand."""
        now = time.time()
        window = int(now // WINDOW)
        reset = max(1, round((window + 1) * WINDOW - now))
        with self._lock:
            if window != self._window:
                self._window, self._held = window, {}
            held = self._held.setdefault(who, _Held(0, 0))
            if held.left == 0 and held.taken < limit:
                self._take(held, f"api:{window}:{who}", limit)
            is_allowed = held.left > 0
            held.left -= is_allowed
            return Standing(limit, held.left + max(limit - held.taken, 0), reset, is_allowed)

    def _take(self, held: _Held, key: str, limit: int) -> None:
        share = max(1, limit // SHARE)
        if cache.add(key, share, timeout=2 * WINDOW):
            held.taken = share
        else:
            try:
                held.taken = cache.incr(key, share)
            except ValueError:  # thrown out of the cache in between
                cache.set(key, share, timeout=2 * WINDOW)
                held.taken = share
        held.left = max(share - max(held.taken - limit, 0), 0)


counters = Counters()


class Throttle(BaseThrottle):
    """Counts each request for its token, its account or, without either, its address."""

    def allow_request(self, request: Request, view: object) -> bool:
        who, limit = self._counted_for(request)
        if limit == 0:
            return True
        standing = counters.count(who, limit)
        request._request.rate = standing  # type: ignore[attr-defined]
        self._wait = standing.reset
        return standing.is_allowed

    def wait(self) -> float:
        return float(self._wait)

    def _counted_for(self, request: Request) -> tuple[str, int]:
        """Return whose request it is and how many a minute they have (0: any number)."""
        # Asking for the user again would raise what a bad token has raised before.
        token, user = getattr(request, "_auth", None), getattr(request, "_user", None)
        if token is not None:
            return f"token:{token.pk}", settings.API_REQUESTS_A_MINUTE
        if user is not None and user.is_authenticated:
            return f"account:{user.pk}", settings.API_REQUESTS_A_MINUTE
        return f"address:{self.network_of(request)}", settings.API_REQUESTS_A_MINUTE_WITHOUT_TOKEN

    def network_of(self, request: Request) -> str:
        """Return whom an address belongs to: itself, and of IPv6 the 64 bits that one customer has."""
        address = self.get_ident(request) or ""
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return "unknown"
        if parsed.version == 6:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
        return str(parsed)
