"""Webhooks for tests, and a server on this machine that receives what they are told."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Delivery, Webhook
from scoresheets.models.webhooks import CHOSEN_BY

ADDRESS = "https://app.example.org/hook"
OK = b"HTTP/1.1 204 No Content\r\n\r\n"


def make_webhook(club: Club, address: str = ADDRESS, *, events: tuple[str, ...] = tuple(CHOSEN_BY)) -> Webhook:
    """Return a new webhook of the club."""
    return recording.create_webhook(club, recording.WebhookSettings(address, events), by=OPERATOR)[0]


def told(webhook: Webhook) -> list[tuple[str, Any, Any]]:
    """Return what the webhook is told so far, the oldest first: event, journal kind, state."""
    payloads = [delivery.payload for delivery in webhook.deliveries.order_by("pk")]
    return [(told["event"], told.get("kind"), told.get("state")) for told in payloads]


def log_of(webhook: Webhook) -> list[tuple[str, int, int | None, str]]:
    """Return the webhook's deliveries, the oldest first: status, tries, status code, error."""
    rows = webhook.deliveries.order_by("pk")
    return list(rows.values_list("status", "tries", "status_code", "error"))


def only(webhook: Webhook) -> Delivery:
    """Return the one delivery of the webhook."""
    return webhook.deliveries.get()


@dataclass
class Receiver:
    """What a server received: the first line, headers in lower case and body of each request.

    `answer` is what it sends back, or a function that does so on the connection.
    """

    port: int
    answer: bytes | Callable[[socket.socket], None] = OK
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    def address(self, host: str = "127.0.0.1", scheme: str = "http", path: str = "/hook?club=1") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@contextmanager
def receiving(answer: Any = OK, *, context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver on this machine, over TLS with a `context`, one connection at a time."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        receiver = Receiver(server.getsockname()[1], answer)
        Thread(target=_serve, args=(server, receiver, context), daemon=True).start()
        yield receiver
        # Wakes the thread, which closing alone does not.
        server.shutdown(socket.SHUT_RDWR)


def _serve(server: socket.socket, receiver: Receiver, context: ssl.SSLContext | None) -> None:
    while True:
        try:
            connection, _where = server.accept()
        except OSError:
            return
        # Whoever sends may hang up at any time: that is what many tests are about.
        with suppress(OSError), connection:
            connection.settimeout(10)
            if context is None:
                _answer(connection, receiver)
            else:
                with context.wrap_socket(connection, server_side=True) as secured:
                    _answer(secured, receiver)


def _answer(connection: socket.socket, receiver: Receiver) -> None:
    with connection.makefile("rb") as stream:
        first = stream.readline().decode("latin-1").strip()
        headers = {}
        while line := stream.readline().decode("latin-1").strip():
            name, _colon, value = line.partition(": ")
            headers[name.lower()] = value
        body = stream.read(int(headers.get("content-length", "0")))
    receiver.requests.append((first, headers, body))
    if callable(receiver.answer):
        receiver.answer(connection)
    else:
        connection.sendall(receiver.answer)
