"""Bytes: what a tap brings back, and what the Block's first and second load bring in, as the real server sends them."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPConnection

from tests.bench import games
from tests.bench.games import Table
from tests.bench.server import HOST, Server


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: how many bytes came over the wire as its body, and what they said."""

    status: int
    sent: int
    body: bytes
    headers: dict[str, str]


@dataclass(slots=True)
class Pad:
    """`#pad` of a game in its last round."""

    table: str
    stage: str
    raw: int
    sent: int


@dataclass(slots=True)
class Load:
    """What a browser fetches for the Block: requests and bytes, the icon and the manifest apart; then once more."""

    requests: int
    sent: int
    parts: list[tuple[str, int]]
    apart: list[tuple[str, int]]
    again_unchanged: int = 0
    again_changed: int = 0
    problems: list[str] = field(default_factory=list)


class _Assets(HTMLParser):
    """Collects what a page makes a browser fetch: `now`, and what browsers fetch aside or late, `apart`."""

    def __init__(self) -> None:
        super().__init__()
        self.now: dict[str, None] = {}
        self.apart: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "link" and found.get("rel") in {"icon", "manifest"}:
            self.apart[found["href"]] = None
        elif tag == "link" and "stylesheet" in found.get("rel", ""):
            self.now[found["href"]] = None
        elif tag in {"script", "img"} and "src" in found:
            self.now[found["src"]] = None
        elif tag == "use" and not found["href"].startswith("#"):
            self.now[found["href"].partition("#")[0]] = None


def pads(server: Server) -> list[Pad]:
    """Return `#pad` in each stage of the last round of 4 x 15 and of 6 x 10."""
    found = []
    for seats, rounds in ((4, 15), (6, 10)):
        table = games.start_table(seats)
        games.play_to(table, rounds, playing=False)
        *others, dealer = table.bidding_order(rounds)
        found.append(_pad(server, table, "first bid due"))
        games.record_bids(table, rounds, standing={dealer})
        found.append(_pad(server, table, "last bid due"))
        games.record_bids(table, rounds, standing=others)
        found.append(_pad(server, table, "all bids in"))
        games.record_tricks(table, rounds)
        found.append(_pad(server, table, "ranking"))
    return found


def _pad(server: Server, table: Table, stage: str) -> Pad:
    answer = fetch(server, table.path, {"Cookie": table.cookies, "HX-Request": "true"})
    what = f"{len(table.seats)} x {len(table.game.plan)}"
    return Pad(what, stage, len(answer.body), answer.sent)


def first_and_second_load(server: Server) -> Load:
    """Load the Block of 4 seats in round 8 as a browser does for the first time, and once more."""
    table = games.start_table(4)
    games.play_to(table, 8, playing=False)
    page = fetch(server, table.path, {"Cookie": table.cookies})
    assets = _Assets()
    assets.feed(page.body.decode())
    parts = {"page": page} | {path: fetch(server, path, {}) for path in assets.now}
    apart = {path: fetch(server, path, {}) for path in assets.apart}
    load = Load(
        requests=len(parts),
        sent=sum(answer.sent for answer in parts.values()),
        parts=[(path, answer.sent) for path, answer in parts.items()],
        apart=[(path, answer.sent) for path, answer in apart.items()],
    )
    for path, answer in {**parts, **apart}.items():
        if answer.status != 200 or not path.startswith(("page", "/")):
            load.problems.append(f"{path} was answered with {answer.status}")
    for path in assets.now:
        if "immutable" not in parts[path].headers.get("cache-control", ""):
            load.problems.append(f"{path} may not be kept for ever")
    again = fetch(server, table.path, {"Cookie": table.cookies, "If-None-Match": page.headers["etag"]})
    load.again_unchanged = again.sent
    games.record_bids(table, 8)
    load.again_changed = fetch(
        server, table.path, {"Cookie": table.cookies, "If-None-Match": page.headers["etag"]}
    ).sent
    return load


def fetch(server: Server, path: str, headers: dict[str, str]) -> Answer:
    """Fetch one address as a browser that takes gzip."""
    connection = HTTPConnection(HOST, server.port, timeout=30)
    try:
        connection.request("GET", path, headers={**games.BROWSER, **headers})
        response = connection.getresponse()
        sent = response.read()
        found = {name.lower(): value for name, value in response.getheaders()}
    finally:
        connection.close()
    body = gzip.decompress(sent) if found.get("content-encoding") == "gzip" else sent
    return Answer(response.status, len(sent), body, found)
