"""Games to measure with, written through recording, and the requests a browser would send for them."""

from __future__ import annotations

import random
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.db import transaction

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid, Club, Game, Round

NAMES = ("Friederike", "Ilja", "Marlene", "Tariq", "Zoë", "Bernadette")
#: What a browser sends with every request; the same for H.
BROWSER = {
    "Host": "127.0.0.1",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) bench",
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    "Accept-Language": "de-DE,de;q=0.9,en;q=0.8",
    "Accept-Encoding": "gzip",
}
CSRF = "a" * 32
HTMX = {"HX-Request": "true", "HX-Target": "pad", "X-CSRFToken": CSRF}

Form = Mapping[str, object]


@dataclass(slots=True)
class Table:
    """A game under measurement: its seats in dealing order, its edit secret, and the stage it is in."""

    game: Game
    secret: str
    seats: list[int]
    rng: random.Random
    taken: dict[int, int] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"/games/{self.game.pk}/"

    @property
    def cookies(self) -> str:
        return f"csrftoken={CSRF}; block_{self.game.pk}={self.secret}"

    def stage_version(self, number: int) -> int:
        """Return what a write to round `number` must have seen."""
        return Round.objects.values_list("stage_version", flat=True).get(game=self.game, number=number)

    def bidding_order(self, number: int) -> list[int]:
        """Return the seats as they bid in round `number`, dealer last; the first seat deals round 1."""
        first = number % len(self.seats)
        return self.seats[first:] + self.seats[:first]


def start_table(
    seats: int,
    *,
    rounds: int | None = None,
    seed: int = 0,
    club: Club | None = None,
    players: Sequence[int] | None = None,
) -> Table:
    """Start a game of `seats` people with the first `rounds` of the full ladder, or of these players of a club."""
    started = recording.start_game(
        NAMES[:seats], rules.HouseRules(), first_dealer=0, by=OPERATOR, rounds=rounds, club=club, players=players
    )
    ids = list(started.game.seats.order_by("position").values_list("pk", flat=True))
    return Table(started.game, started.secret, ids, random.Random(seed))


def play_to(table: Table, number: int, *, playing: bool) -> None:
    """Record whole rounds until round `number` is open, and with `playing` the bids of that one too."""
    for open_number in range(table.game.rounds.count(), number):
        record_bids(table, open_number)
        record_tricks(table, open_number)
    if playing:
        record_bids(table, number)


def record_bids(table: Table, number: int, *, standing: Collection[int] = ()) -> None:
    """Record random bids of all seats, apart from those `standing` already, in the open round `number`."""
    cards = table.game.plan[number - 1]
    bids = {seat: table.rng.randint(0, cards) for seat in table.seats if seat not in standing}
    seen = table.stage_version(number)
    table.game = recording.record_bids(table.game, bids=bids, seen=seen, by=OPERATOR).game


def record_tricks(table: Table, number: int) -> None:
    """Record random tricks of round `number`."""
    taken = random_tricks(table, number)
    seen = table.stage_version(number)
    table.game = recording.record_tricks(table.game, taken=taken, seen=seen, by=OPERATOR).game


def random_tricks(table: Table, number: int) -> dict[int, int]:
    """Return tricks by seat that add up to the cards of round `number`."""
    takers = table.rng.choices(table.seats, k=table.game.plan[number - 1])
    return {seat: takers.count(seat) for seat in table.seats}


def many_tables(count: int, *, seats: int, number: int) -> list[Table]:
    """Return games in the tricks of round `number`, written in one transaction because nobody waits for them."""
    with transaction.atomic():
        tables = [start_table(seats, seed=seed) for seed in range(count)]
        for table in tables:
            play_to(table, number, playing=True)
    return tables


def http_get(path: str, headers: Mapping[str, str], *, keep_alive: bool = False) -> bytes:
    """Return a GET as a browser sends it."""
    return _request("GET", path, headers, b"", keep_alive)


def http_post(path: str, form: Form, headers: Mapping[str, str], *, keep_alive: bool = False) -> bytes:
    """Return a POST of a form as HTMX sends it, with the CSRF token in its header."""
    body = urlencode(form).encode()
    content = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
    return _request("POST", path, {**HTMX, **headers, **content}, body, keep_alive)


def _request(method: str, path: str, headers: Mapping[str, str], body: bytes, keep_alive: bool) -> bytes:
    lines = {**BROWSER, **headers, "Connection": "keep-alive" if keep_alive else "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body


def score_form(table: Table, number: int) -> Form:
    """Return the form that records tricks for round `number`, which is being played; `table.taken` remembers them."""
    table.taken = random_tricks(table, number)
    fields = {f"taken_{seat}": tricks for seat, tricks in table.taken.items()}
    return {"key": secrets.token_urlsafe(16), "seen": table.stage_version(number), **fields, "score": 1}


def bid_form(table: Table, number: int) -> Form:
    """Return the form of the first bid in the open round `number`."""
    bid = table.rng.randint(0, table.game.plan[number - 1])
    seat = table.bidding_order(number)[0]
    return {"key": secrets.token_urlsafe(16), "seen": table.stage_version(number), "seat": seat, "bid": bid}


def lost_rounds(tables: Iterable[Table], number: int) -> list[int]:
    """Return the games whose round `number` does not hold the tricks that were sent."""
    stored: dict[int, dict[int, int | None]] = {}
    bids = Bid.objects.filter(round__number=number, round__state=Round.State.SCORED)
    for game, seat, tricks in bids.values_list("round__game", "seat", "tricks_taken"):
        stored.setdefault(game, {})[seat] = tricks
    return [table.game.pk for table in tables if stored.get(table.game.pk) != table.taken]
