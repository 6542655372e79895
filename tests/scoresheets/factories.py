"""Games, people and devices for tests. Everything is written through `recording`, as on the site."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from django.db import models
from django.test import Client

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Bid, Entry, Game, Link, Receipt, Round, Seat
from scoresheets.models.games import hash_of_secret

NAMES = ("Annika", "Bernd", "Cem", "Doro", "Emil", "Frida")
DEVICE = Actor.of_device("0123456789abcdef")
BOMB_AND_CLOUD = rules.HouseRules(specials=("BOMB", "CLOUD"))


def make_game(
    seats: int = 4,
    rounds: int = 0,
    *,
    names: Sequence[str] | None = None,
    house: rules.HouseRules | None = None,
    length: int | None = None,
    ladder: str = "full",
    cards: Sequence[int] | None = None,
    first_dealer: int = 0,
) -> Game:
    """Return a started game in which `rounds` rounds are scored, by the operator."""
    started = recording.start_game(
        names or NAMES[:seats],
        house or rules.HouseRules(),
        first_dealer=first_dealer,
        ladder=ladder,
        rounds=length,
        cards=cards,
        by=OPERATOR,
    )
    for _ in range(rounds):
        play_round(started.game)
    return fresh(started.game)


def finished_game(totals: Sequence[Sequence[tuple[int, int]]], **options: Any) -> Game:
    """Return a finished game with these (bid, taken) pairs: one sequence a round, in seat order."""
    game = make_game(seats=len(totals[0]), length=len(totals), **options)
    for played in totals:
        play_round(game, [bid for bid, _taken in played], [taken for _bid, taken in played])
    return fresh(game)


def play_round(game: Game, bids: Sequence[int] | None = None, taken: Sequence[int] | None = None) -> None:
    """Record the bids and tricks of the open round, in seat order; by default seat 0 bids and takes all tricks."""
    enter_bids(game, bids)
    enter_tricks(game, taken)


def enter_bids(game: Game, bids: Sequence[int] | None = None) -> None:
    """Record all bids of the open round at once, in seat order; nobody bids anything where bids may not add up."""
    current, seats = open_round(game), playing_of(game)
    if bids is None:
        bids = [0 if game.plus_minus_one else current.cards, *[0] * (len(seats) - 1)]
    by_seat = {seat.pk: bid for seat, bid in zip(seats, bids, strict=True)}
    recording.record_bids(game, bids=by_seat, seen=current.stage_version, by=OPERATOR)


def enter_tricks(game: Game, taken: Sequence[int] | None = None) -> None:
    """Record all tricks of the open round, in seat order."""
    current, seats = open_round(game), playing_of(game)
    taken = taken if taken is not None else [current.cards, *[0] * (len(seats) - 1)]
    by_seat = {seat.pk: tricks for seat, tricks in zip(seats, taken, strict=True)}
    recording.record_tricks(game, taken=by_seat, seen=current.stage_version, by=OPERATOR)


def fresh(game: Game) -> Game:
    """Return the game as it is stored now."""
    return Game.objects.get(pk=game.pk)


def seats_of(game: Game) -> list[Seat]:
    """Return the seats in dealing order."""
    return list(game.seats.order_by("position"))


def playing_of(game: Game) -> list[Seat]:
    """Return the seats that play now, in dealing order."""
    return [seat for seat in seats_of(game) if seat.plays]


def seat_ids(game: Game) -> list[int]:
    """Return the ids of the seats in dealing order."""
    return [seat.pk for seat in seats_of(game)]


def open_round(game: Game) -> Round:
    """Return the round that is bid or played now."""
    return game.rounds.exclude(state=Round.State.SCORED).get()


def seen_of(game: Game) -> int:
    """Return the version that a page shown now would send as `seen`."""
    return open_round(game).stage_version


def newest_of(game: Game) -> int:
    """Return the version of the game's newest entry."""
    return game.entries.latest("version").version


def link_to(game: Game, scope: str = Link.Scope.EDIT, label: str = "") -> tuple[Link, str]:
    """Return a new link and its secret."""
    return recording.make_link(game, scope=scope, label=label, by=OPERATOR)


def keeper_of(game: Game, label: str = "") -> Actor:
    """Return somebody with a scorer's link of their own."""
    return Actor.of_link(link_to(game, label=label)[0])


def watcher_of(game: Game) -> Actor:
    """Return somebody with a watch link."""
    return Actor.of_link(link_to(game, Link.Scope.WATCH)[0])


def client_for(game: Game, scope: str = Link.Scope.EDIT, **options: Any) -> Client:
    """Return a device that has opened a new link to the game."""
    client = Client(**options)
    hold_link(client, game, link_to(game, scope)[1])
    return client


def hold_link(client: Client, game: Game, secret: str) -> None:
    """Put a link's secret where the site keeps it on a device."""
    client.cookies[f"block_{game.pk}"] = secret


def link_of(client: Client, game: Game) -> Link:
    """Return the link that a device holds."""
    return Link.objects.get(secret_hash=hash_of_secret(client.cookies[f"block_{game.pk}"].value))


def rows_of(game: Game) -> dict[str, Any]:
    """Return every stored value of a game, and all receipts: equal before and after means that nothing was written."""
    return {
        "game": _values(Game.objects.filter(pk=game.pk)),
        "seats": _values(Seat.objects.filter(game=game)),
        "rounds": _values(Round.objects.filter(game=game)),
        "bids": _values(Bid.objects.filter(round__game=game)),
        "entries": _values(Entry.objects.filter(game=game)),
        "links": _values(Link.objects.filter(game=game)),
        "receipts": _values(Receipt.objects.all()),
    }


def refused(
    error: type[Exception], code: str | Sequence[str], verb: Callable[..., Any], game: Game, **arguments: Any
) -> None:
    """Check that the verb is refused with exactly these problems (or this conflict's code) and writes nothing."""
    before = rows_of(game)
    with pytest.raises(error) as caught:
        verb(game, **arguments)
    assert rows_of(game) == before
    refusal: Any = caught.value
    found = [refusal.code] if error is recording.Conflict else [problem.code for problem in refusal.problems]
    assert found == ([code] if isinstance(code, str) else list(code))


def everything() -> dict[str, Any]:
    """Return every stored value of every game."""
    return {model.__name__: _values(model.objects.all()) for model in (Game, Seat, Round, Bid, Entry, Link, Receipt)}


def _values(rows: models.QuerySet[Any]) -> list[Mapping[str, Any]]:
    return list(rows.order_by("pk").values())


def stage_of(game: Game) -> dict[str, Any]:
    """Return what a step back must restore: where the game stands, without versions, drafts and journal."""
    stored = fresh(game)
    return {
        "state": stored.state,
        "finished": stored.finished_at is not None,
        "seats": list(game.seats.order_by("position").values("total", "exact", "rounds", "rank", "line")),
        "rounds": list(game.rounds.order_by("number").values("number", "cards", "dealer", "bombs", "state")),
        "bids": list(
            Bid.objects.filter(round__game=game)
            .order_by("round__number", "seat__position")
            .values("round__number", "seat", "tricks_bid", "blind", "cloud_delta", "tricks_taken", "points")
        ),
    }


def dealt(total: int, seats: int, chance: random.Random) -> list[int]:
    """Return `total` tricks dealt to the seats at random."""
    taken = [0] * seats
    for _ in range(total):
        taken[chance.randrange(seats)] += 1
    return taken
