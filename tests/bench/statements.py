"""SQL statements of recording: those before the answer is known to be stored, and those that draw it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoresheets.models import Club
from tests.bench import games
from tests.bench.games import Form, Table

TRANSACTION_CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@dataclass(frozen=True, slots=True)
class Statements:
    """How many statements one POST took until its COMMIT, and how many after it; and its seconds, all in all."""

    what: str
    seats: int
    number: int
    writing: int
    answering: int
    seconds: float


def count(seats: int) -> list[Statements]:
    """Count the first bid, the last bid and the tricks in round 1 and in the round before the last of a full game."""
    counted = []
    table = games.start_table(seats)
    last = len(table.game.plan)
    for number in (1, last - 1):
        games.play_to(table, number, playing=False)
        first, *_others, dealer = table.bidding_order(number)
        counted.append(_post("first bid", table, number, games.bid_form(table, number)))
        games.record_bids(table, number, standing={first, dealer})
        last_bid = {**games.bid_form(table, number), "seat": dealer}
        counted.append(_post("last bid", table, number, last_bid))
        counted.append(_post("tricks", table, number, games.score_form(table, number)))
    return counted


def count_finish(club: Club, players: Sequence[int]) -> list[Statements]:
    """Count the tricks of the last but one round of a club's game of these players, and those that finish it."""
    table = games.start_table(len(players), club=club, players=players)
    last = len(table.game.plan)
    games.play_to(table, last - 1, playing=True)
    counted = [_post("tricks", table, last - 1, games.score_form(table, last - 1))]
    games.record_bids(table, last)
    return [*counted, _post("finish", table, last, games.score_form(table, last))]


def _post(what: str, table: Table, number: int, form: Form) -> Statements:
    client = Client(headers={"host": "127.0.0.1"})
    client.cookies.load({f"block_{table.game.pk}": table.secret})
    start = time.perf_counter()
    with CaptureQueriesContext(connection) as captured:
        answer = client.post(table.path, form, headers={"HX-Request": "true"})
    seconds = time.perf_counter() - start
    if answer.status_code != 200:
        raise SystemExit(f"{what} of round {number} was answered with {answer.status_code}")
    statements = [query["sql"] for query in captured.captured_queries if "django_session" not in query["sql"]]
    commit = max(place for place, sql in enumerate(statements) if sql.startswith("COMMIT"))
    writing, answering = (
        sum(not sql.startswith(TRANSACTION_CONTROL) for sql in part)
        for part in (statements[:commit], statements[commit:])
    )
    return Statements(what, len(table.seats), number, writing, answering, seconds)
