"""From the start page to the first bid: the taps beyond the names, each made here as the request behind it."""

from __future__ import annotations

import re

from django.test import Client

#: The way of somebody whose table is new; the names are typed into one field. The browser tests tap the same way.
TAPS = ("New game", "Start the game", "the number bid")


def walk() -> int:
    """Walk the way by its requests and return its number of taps."""
    client = Client(headers={"host": "127.0.0.1"})
    page = client.get("/").content.decode()
    assert "/games/new/" in page
    page = client.get("/games/new/").content.decode()
    form = {"key": _field("key", page), "new_name": "Ada, Ben, Cem, Dora", "length": "full", "start": "1"}
    page = client.post("/games/new/", form, follow=True).content.decode()
    step = {name: _field(name, page) for name in ("key", "seen", "seat")}
    answer = client.post(re.search(r'hx-post="([^"]+)"', page)[1], {**step, "bid": "1"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return len(TAPS)


def _field(name: str, page: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    if found is None:
        raise SystemExit(f"The page has no field {name}.")
    return found[1]
