"""The API's reads beside a bare view of its framework, in slices in turn, and the statements they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Token, User
from scoresheets.recording import add_player, create_club
from scoresheets.recording.clubs import ClubSettings
from scoresheets.recording.tokens import make_token
from tests.bench import games
from tests.bench.load import Clients
from tests.bench.server import Server
from tests.bench.speed import Slices
from tests.bench.statements import TRANSACTION_CONTROL

LISTED = 50
SEATS = 4


@dataclass(frozen=True, slots=True)
class Api:
    """The slices by name, the statements and the bytes of each read, and what was answered wrongly."""

    slices: dict[str, Slices]
    statements: dict[str, int]
    sizes: dict[str, int]
    problems: list[str] = field(default_factory=list)


def measure(*, turns: int, seconds: float, keep_alive: bool) -> Api:
    """Measure `turns` turns of the bare view, a list of 50 games and a game of all 15 rounds, `seconds` each."""
    paths, secret = _club()
    headers = {"Authorization": f"Bearer {secret}", "Accept": "application/json"}
    requests = {name: games.http_get(path, headers, keep_alive=keep_alive) for name, path in paths.items()}
    requests["bare"] = games.http_get("/", {"Accept": "application/json"}, keep_alive=keep_alive)
    counted = {name: _statements(path, headers) for name, path in paths.items()}
    found = Api({name: Slices() for name in requests}, {name: n for name, (n, _size) in counted.items()}, {})
    found.sizes.update({name: size for name, (_n, size) in counted.items()})
    with _servers() as servers, Clients() as clients:
        for name, request in requests.items():
            clients.run(servers[name].port, [request], seconds=0.5, keep_alive=keep_alive)
        for _turn in range(turns):
            for name, request in requests.items():
                server = servers[name]
                before = server.cpu_seconds()
                outcome = clients.run(server.port, [request], seconds=seconds, keep_alive=keep_alive)
                found.slices[name].add(outcome, server.cpu_seconds() - before)
                if set(outcome.statuses) != {200}:
                    found.problems.append(f"API, {name}: answers by status: {dict(outcome.statuses)}")
    return found


@contextmanager
def _servers() -> Iterator[dict[str, Server]]:
    # Counting the requests is part of each; refusing them is not.
    limits = {"API_REQUESTS_A_MINUTE": "1000000"}
    with (
        TemporaryDirectory(prefix="tafelrunde-bare-") as folder,
        Server("tests.bench.bare:application", {"BENCH_BARE": str(Path(folder) / "bare.sqlite3")}) as bare,
        Server("wizard_site.wsgi:application", limits) as site,
    ):
        yield {"bare": bare, "list": site, "game": site}


def _club() -> tuple[dict[str, str], str]:
    """Return the addresses of a club's list of 50 finished games and of its longest game, and a member's token."""
    owner = User.objects.create_user(username=f"Owner{User.objects.count()}", password=None)
    club = create_club(ClubSettings("Runde", visibility=Club.Visibility.PRIVATE), by=Actor.of_user(owner))
    players = [add_player(club, name, by=OPERATOR).pk for name in games.NAMES[:SEATS]]
    with transaction.atomic():
        for _game in range(LISTED):
            _played(club, players, rounds=1)
        longest = _played(club, players, rounds=None)
    _token, secret = make_token(name="App", scope=Token.Scope.READ, by=Actor.of_user(owner))
    paths = {"list": f"/api/v1/clubs/{club.pk}/games/?page_size={LISTED}", "game": f"/api/v1/games/{longest.game.pk}/"}
    return paths, secret


def _played(club: Club, players: list[int], *, rounds: int | None) -> games.Table:
    table = games.start_table(SEATS, rounds=rounds, club=club, players=players)
    games.play_to(table, len(table.game.plan), playing=True)
    games.record_tricks(table, len(table.game.plan))
    return table


def _statements(path: str, headers: dict[str, str]) -> tuple[int, int]:
    """Return how many statements a read takes and how many bytes it answers."""
    client = Client(headers={"host": "127.0.0.1", **headers})
    client.get(path)  # the use of the token is noted at the first time
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(path)
    if answer.status_code != 200:
        raise SystemExit(f"{path} was answered with {answer.status_code}: {answer.content[:200]!r}")
    rows = json.loads(answer.content).get("results")
    if rows is not None and len(rows) != LISTED:
        raise SystemExit(f"{path} lists {len(rows)} games, not {LISTED}")
    count = sum(not query["sql"].startswith(TRANSACTION_CONTROL) for query in captured.captured_queries)
    return count, len(answer.content)
