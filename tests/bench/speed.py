"""Requests per second of the product beside H: slices of each in turn, so that a busy machine is busy for all."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from django.core.management import CommandError, call_command
from django.db import transaction

from scoresheets import recording
from scoresheets.actors import OPERATOR
from tests.bench import clubs, games
from tests.bench.games import Form, Table
from tests.bench.load import Clients, Outcome
from tests.bench.server import Server

SEATS = 4
FIRST_ROUND = 6
MID_GAME = 8
ORIGIN = "http://127.0.0.1"


@dataclass(slots=True)
class Slices:
    """All slices of one kind of request: answers a second and the server's CPU milliseconds an answer, in turn."""

    per_second: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)

    def add(self, outcome: Outcome, cpu_seconds: float) -> None:
        self.per_second.append(outcome.answers / outcome.elapsed)
        self.cpu_ms.append(cpu_seconds * 1000 / outcome.answers)
        self.busy.append(cpu_seconds / outcome.elapsed)
        self.latencies += outcome.latencies

    def latency_ms(self, part: float) -> float:
        """Return the latency that `part` of all answers kept to, in milliseconds."""
        ordered = sorted(self.latencies)
        return ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1000

    def slower_than(self, yardstick: Slices) -> float:
        """Return how many of the yardstick's answers fit into the time of one: the median over the turns."""
        return median(theirs / own for theirs, own in zip(yardstick.per_second, self.per_second, strict=True))

    def costlier_than(self, yardstick: Slices) -> float:
        """Return how many of the yardstick's answers cost the CPU time of one: the median over the turns."""
        return median(own / theirs for own, theirs in zip(self.cpu_ms, yardstick.cpu_ms, strict=True))


@dataclass(slots=True)
class Speed:
    """The slices by name, and what went wrong: answers that were not expected, rounds that are not in the database."""

    slices: dict[str, Slices]
    problems: list[str] = field(default_factory=list)
    rounds_acknowledged: int = 0


class Runner:
    """Two servers, H and the site, and the clients that put load on one of them at a time."""

    def __init__(self, hello: Server, site: Server, clients: Clients, *, keep_alive: bool) -> None:
        self.hello, self.site, self.clients, self.keep_alive = hello, site, clients, keep_alive
        self.speed = Speed({name: Slices() for name in ("H", "page", "watch", "standings", "score", "bid")})

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> bytes:
        return games.http_get(path, headers or {}, keep_alive=self.keep_alive)

    def slice_of(self, name: str, requests: Sequence[bytes], *, expected: int, seconds: float | None = None) -> Outcome:
        """Send the requests, once each or for some seconds, and note how it went."""
        server = self.hello if name == "H" else self.site
        before = server.cpu_seconds()
        outcome = self.clients.run(server.port, requests, seconds=seconds, keep_alive=self.keep_alive)
        self.speed.slices[name].add(outcome, server.cpu_seconds() - before)
        if set(outcome.statuses) != {expected}:
            self.speed.problems.append(f"{name}: answers by status: {dict(outcome.statuses)}, expected {expected}")
        return outcome

    def watch_request(self, table: Table) -> bytes:
        """Return the request of a watching page whose game has not changed since it was drawn."""
        _link, secret = recording.make_link(table.game, scope="watch", by=OPERATOR)
        watcher = {"Cookie": f"csrftoken={games.CSRF}; block_{table.game.pk}={secret}", "HX-Request": "true"}
        answer = self.clients.run(self.site.port, [games.http_get(table.path, watcher)]).last_answer
        etag = answer.partition(b"\r\nETag: ")[2].partition(b"\r\n")[0].decode()
        return self.get(table.path, {**watcher, "If-None-Match": etag})

    def write(self, tables: Sequence[Table], number: int) -> None:
        """Record round `number` of every game and the first bid of the next; then, untimed, that round's other bids."""
        scored = self.slice_of("score", self._posts(tables, number, games.score_form), expected=200)
        acknowledged = [tables[place] for place in scored.acknowledged]
        self.speed.rounds_acknowledged += len(acknowledged)
        if lost := games.lost_rounds(acknowledged, number):
            self.speed.problems.append(f"round {number} was acknowledged and is not stored in {len(lost)} games")
        self.slice_of("bid", self._posts(tables, number + 1, games.bid_form), expected=200)
        with transaction.atomic():
            for table in tables:
                games.record_bids(table, number + 1, standing=table.bidding_order(number + 1)[:1])

    def _posts(self, tables: Sequence[Table], number: int, form_of: Callable[[Table, int], Form]) -> list[bytes]:
        return [
            games.http_post(
                t.path, form_of(t, number), {"Cookie": t.cookies, "Origin": ORIGIN}, keep_alive=self.keep_alive
            )
            for t in tables
        ]


def measure(*, turns: int, seconds: float, tables: int, keep_alive: bool) -> Speed:
    """Measure `turns` turns of H, the Block page, the watcher's 304, a league's table, recording a round and a bid.

    Each reading slice lasts `seconds`; each writing slice writes once to each of `tables` games.
    """
    club = clubs.small_club()
    played = games.many_tables(tables, seats=SEATS, number=FIRST_ROUND)
    bidding, playing = shown = games.many_tables(2, seats=SEATS, number=MID_GAME)
    games.record_tricks(bidding, MID_GAME)
    with (
        Server("tests.bench.hello:application") as hello,
        Server("wizard_site.wsgi:application") as site,
        Clients() as clients,
    ):
        runner = Runner(hello, site, clients, keep_alive=keep_alive)
        kinds = {
            "H": ([runner.get("/")], 200),
            "page": ([runner.get(table.path, {"Cookie": table.cookies}) for table in shown], 200),
            "watch": ([runner.watch_request(playing)], 304),
            "standings": ([runner.get(club.standings_path)], 200),
        }
        for name, (requests, _status) in kinds.items():
            clients.run((hello if name == "H" else site).port, requests, seconds=0.5, keep_alive=keep_alive)
        for number in range(FIRST_ROUND, FIRST_ROUND + turns):
            for name, (requests, status) in kinds.items():
                runner.slice_of(name, requests, expected=status, seconds=seconds)
            runner.write(played, number)
    try:
        call_command("check_blocks", stdout=io.StringIO())
    except CommandError as error:
        runner.speed.problems.append(f"check_blocks: {error}")
    return runner.speed
