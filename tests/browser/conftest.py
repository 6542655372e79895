"""Phones that also fail a test for errors on the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

# A busy machine may take a while; a test that passes does not wait for it.
expect.set_options(timeout=10_000)

# A tap while a poll is on its way aborts the poll (hx-sync), and htmx logs an aborted request as it logs every request
# that brought no answer: these two events, in this order. A lost connection ends with htmx:sendError instead.
ABORTED_POLL = ["htmx:afterRequest", "htmx:sendAbort"]


HERE = Path(__file__).parent


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread these slow tests over the tests after them: parallel workers are handed runs of neighbours.

    Tests that stand side by side here, often one test in two variants, go far apart.
    """
    slow = [item for item in items if item.path.is_relative_to(HERE)]
    if not slow:
        return
    first = items.index(slow[0])
    others = [item for item in items[first:] if item not in set(slow)]
    slow = slow[::2] + slow[1::2]
    share = len(others) // len(slow) + 1
    items[first:] = [
        item for place, one in enumerate(slow) for item in (one, *others[place * share : (place + 1) * share])
    ]


def without_aborted_polls(messages: Sequence[str]) -> list[str]:
    """Return the messages without those of polls that a tap aborted."""
    kept: list[str] = []
    for message in messages:
        kept.append(message)
        if [text.partition(",")[0] for text in kept[-2:]] == ABORTED_POLL:
            del kept[-2:]
    return kept


@pytest.fixture
def phone(phone: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """Return the function that opens a page on another phone; any error or warning on its console fails the test.

    Errors that a test brings about are named by a part of their text: `phone(expects=["status of 422"])`.
    """
    consoles: list[tuple[list[str], Sequence[str]]] = []

    def open_phone(*, expects: Sequence[str] = (), **options: Any) -> Page:
        page = phone(**options)
        messages: list[str] = []
        consoles.append((messages, expects))
        page.on("console", lambda message: messages.append(message.text) if message.type != "log" else None)
        return page

    yield open_phone
    assert [
        message
        for messages, expects in consoles
        for message in without_aborted_polls(messages)
        if not any(text in message for text in expects)
    ] == []
