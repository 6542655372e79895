"""Django's PostgreSQL backend with a cheaper look at whether a kept connection still works.

Django asks the server (`SELECT 1`) before the first statement of every request, which costs as much as a statement.
"""

from __future__ import annotations

import select
import time

from django.db.backends.postgresql import base

#: After so many seconds the server is asked again: something on the way may have dropped the connection silently.
TRUSTED_SECONDS = 30


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes a connection that worked a moment ago, and on which nothing has come in since, as one that works.

    A server that ends a connection, in order or by dying, is heard: its farewell or the end of the stream comes in. The
    server is asked in that case, after an error, and when its last answer is too long ago.
    """

    _answered_at = float("-inf")

    def is_usable(self) -> bool:
        if not self.errors_occurred and self._worked_lately() and self._is_quiet():
            return True
        works = super().is_usable()
        self._answered_at = time.monotonic() if works else float("-inf")
        return works

    def connect(self) -> None:
        super().connect()
        self._answered_at = time.monotonic()

    def _worked_lately(self) -> bool:
        return time.monotonic() - self._answered_at < TRUSTED_SECONDS

    def _is_quiet(self) -> bool:
        """Say whether nothing has come in on the connection, not even its end."""
        if self.connection is None or self.connection.closed:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0)
