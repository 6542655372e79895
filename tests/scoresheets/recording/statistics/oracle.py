"""The statistics as somebody would add them up who has all score sheets and a lot of patience: from rounds and bids."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby, permutations
from typing import Any

from scoresheets.models import Bid, Club, Entry, Game, Round, Seat


@dataclass(frozen=True)
class Sat:
    """A player in a game that counts: what they bid and took, round by round, and how it ended."""

    game: Game
    player: int
    total: int
    rank: int | None
    level: int | None
    rounds: tuple[tuple[Round, Bid, int, int], ...]

    @property
    def exact(self) -> list[bool]:
        return [final(bid) == bid.tricks_taken for _round, bid, _players, _after in self.rounds]


def final(bid: Bid) -> int:
    return bid.tricks_bid + bid.cloud_delta


def sat_in(club: Club) -> list[Sat]:
    """Return who sat in the club's games that count, game by game in the order in which they were started."""
    games = Game.objects.filter(club=club, state="finished", halted="").order_by("started_at", "pk")
    return [sat for game in games for sat in _of_game(game, club)]


def _of_game(game: Game, club: Club) -> list[Sat]:
    if game.detail == "results":
        return _of_results(game)
    seats = list(game.seats.select_related("player").order_by("position"))
    rounds = list(game.rounds.filter(state="scored").order_by("number"))
    bids = {(bid.round_id, bid.seat_id): bid for bid in Bid.objects.filter(round__in=rounds)}
    there = {row.pk: [seat for seat in seats if (row.pk, seat.pk) in bids] for row in rounds}
    whole = [seat for seat in seats if not seat.presence and all(seat in there[row.pk] for row in rounds)]
    ranks = _ranks(game, whole)
    if (game.incomplete and not club.incomplete_counts) or len(whole) < 2:
        ranks = {}
    found = []
    for seat in seats:
        played = tuple(
            (row, bids[row.pk, seat.pk], len(there[row.pk]), _after_dealer(row, seat, there[row.pk]))
            for row in rounds
            if seat in there[row.pk]
        )
        if seat.player is not None and played:
            rank = ranks.get(seat.pk)
            level = list(ranks.values()).count(rank) if rank is not None else None
            found.append(Sat(game, seat.player.canonical_id, seat.total, rank, level, played))
    return found


def _of_results(game: Game) -> list[Sat]:
    """Return who sat in a game of which only the points are known: those that were typed in last."""
    typed = Entry.objects.filter(game=game, kind__in=["results_recorded", "results_corrected"]).latest("version")
    points = {int(seat): own for seat, own in typed.payload["points"].items()}
    found = []
    for seat in game.seats.select_related("player").order_by("position"):
        rank = 1 + sum(other > points[seat.pk] for other in points.values())
        level = list(points.values()).count(points[seat.pk])
        if seat.player is not None:
            found.append(Sat(game, seat.player.canonical_id, points[seat.pk], rank, level, ()))
    return found


def _ranks(game: Game, seats: list[Seat]) -> dict[int, int]:
    def worth(seat: Seat) -> tuple[int, int]:
        return seat.total, seat.exact if game.tie_break == "exact_hits" else 0

    return {seat.pk: 1 + sum(worth(other) > worth(seat) for other in seats) for seat in seats}


def _after_dealer(row: Round, seat: Seat, there: list[Seat]) -> int:
    """Return how many seats it is from the dealer clockwise, all the way round for the dealer."""
    place = [other.pk for other in there].index(row.dealer_id)
    for steps in range(1, len(there) + 1):
        if there[(place + steps) % len(there)] == seat:
            return steps
    raise AssertionError("the seat is not at the table")


def added_up(club: Club) -> dict[str, Any]:
    """Return the club's statistics by table, keys and columns as there; ratings are left out."""
    everybody = sat_in(club)
    players: dict[int, Counter[str]] = defaultdict(Counter)
    cards: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0])
    matrix: dict[Any, list[int]] = defaultdict(lambda: [0, 0])
    positions: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0])
    totals: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for sat in everybody:
        own = players[sat.player]
        own.update(games=1, ranked=int(sat.rank is not None), wins=int(sat.rank == 1))
        own.update(shared_wins=int(sat.rank == 1 and sat.level != 1), total_sum=sat.total if sat.rank else 0)
        for row, bid, seats, after in sat.rounds:
            said, taken, points = final(bid), bid.tricks_taken or 0, bid.points or 0
            hit = said == taken
            own.update(bids=1, exact=hit, over=taken > said, under=taken < said, points_sum=points)
            own.update(zero_bids=said == 0, zero_exact=said == 0 and hit)
            own.update(blind_bids=bid.blind, blind_exact=bid.blind and hit)
            off = abs(taken - said)
            bound = sat.game.plus_minus_one and row.number >= sat.game.plus_minus_one_from
            for table, key, values in (
                (cards, (sat.player, seats, row.cards), (1, hit, points)),
                (matrix, (sat.player, said, taken), (1, points)),
                (positions, (sat.player, seats, after), (1, hit, points)),
                (
                    totals,
                    (seats, row.cards, bid.tricks_bid, after == seats, bound),
                    (1, hit, points, off),
                ),
            ):
                table[key] = [old + new for old, new in zip(table[key], values, strict=True)]
    return {
        "players": {player: {name: value for name, value in own.items() if value} for player, own in players.items()},
        "cards": dict(cards),
        "bids": dict(matrix),
        "positions": dict(positions),
        "pairs": _pairs(everybody),
        "totals": dict(totals),
        "runs": _runs(everybody),
    }


def _pairs(everybody: list[Sat]) -> dict[tuple[int, int], list[int]]:
    pairs: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for _game, sat in groupby(everybody, key=lambda one: one.game.pk):
        for one, other in permutations([row for row in sat if row.rank is not None], 2):
            pair = pairs[one.player, other.player]
            pair[0] += 1
            pair[1] += (one.rank or 0) < (other.rank or 0)
            pair[2] += (one.rank or 0) > (other.rank or 0)
    return dict(pairs)


def _runs(everybody: list[Sat]) -> dict[int, tuple[int, int, int, int]]:
    """Return of each player the run of exact bids now and the longest, the run of wins now and the longest."""
    runs = {}
    for player in {sat.player for sat in everybody}:
        own = [sat for sat in everybody if sat.player == player]
        exact = _run([hit for sat in own for hit in sat.exact])
        wins = _run([sat.rank == 1 for sat in own if sat.rank is not None])
        runs[player] = (*exact, *wins)
    return runs


def _run(hits: list[bool]) -> tuple[int, int]:
    now = most = 0
    for hit in hits:
        now = now + 1 if hit else 0
        most = max(most, now)
    return now, most
