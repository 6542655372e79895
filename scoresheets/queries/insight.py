"""What bids are worth, over a club or over all public clubs: how often they come true and what a miss costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

import rules
from scoresheets.models import BidTotal
from scoresheets.queries.lifetime import Rate


@dataclass(frozen=True, slots=True)
class Worth:
    """All bids of so many tricks, and by how many tricks the missed ones missed, added up."""

    bid: int
    rate: Rate
    missed_by: int

    @property
    def misses(self) -> int:
        return self.rate.bids - self.rate.exact

    @property
    def mean_miss(self) -> float:
        """By how many tricks a missed bid misses, on average; 0 where none missed."""
        return self.missed_by / self.misses if self.misses else 0.0

    @property
    def cost(self) -> float:
        """How many points lie between an exact bid and a missed one, on average."""
        return rules.round_points(self.bid, self.bid) + _lost(self.mean_miss)

    @property
    def needed(self) -> float:
        """The share of exact bids, 0 to 1, from which such bids bring points on average; 0 where none missed."""
        return _lost(self.mean_miss) / self.cost


def _lost(tricks: float) -> float:
    """Return the points that a bid loses which misses by so many tricks; they grow with every trick alike."""
    return -rules.round_points(0, 1) * tricks


@dataclass(frozen=True, slots=True)
class LastBid:
    """What the last bidder makes of a round, and the others in the same rounds."""

    last: Rate
    others: Rate

    @property
    def price(self) -> float:
        """How many points a round the last bidder has fewer than the others (below 0: more)."""
        return self.others.mean - self.last.mean


@dataclass(frozen=True, slots=True)
class Insight:
    """Bids by (cards, bid) and by bid, both ascending, and those of the last bidders.

    `bound` are rounds in which the bids must not add up, `free` all others.
    """

    rate: Rate
    by_cards_and_bid: Mapping[tuple[int, int], Rate]
    worth: tuple[Worth, ...]
    bound: LastBid
    free: LastBid


def insight_of(scope: int, *, players: int | None = None) -> Insight:
    """Return what bids are worth in a club (its id) or in all public ones (`tallies.PUBLIC`) (2 statements).

    With `players` only rounds of so many people count. Bids are as spoken; what counts as exact is the bid after the
    cloud.
    """
    totals = BidTotal.objects.filter(scope=scope)
    if players is not None:
        totals = totals.filter(players=players)
    sums = {"all": Sum("bids"), "hits": Sum("exact"), "points": Sum("points_sum"), "missed": Sum("missed_by")}
    by_cards_and_bid: dict[tuple[int, int], Rate] = {}
    worth: dict[int, Worth] = {}
    rows: Any = totals.values("cards", "bid").annotate(**sums).order_by("cards", "bid")
    for row in rows:
        rate, bid = Rate(row["all"], row["hits"], row["points"]), row["bid"]
        by_cards_and_bid[row["cards"], bid] = rate
        before = worth.get(bid, Worth(bid, Rate(), 0))
        worth[bid] = Worth(bid, before.rate + rate, before.missed_by + row["missed"])
    rows = totals.values("bound", "last").annotate(**sums).order_by("bound", "last")
    by_place = {(row["bound"], row["last"]): Rate(row["all"], row["hits"], row["points"]) for row in rows}
    bound, free = (
        LastBid(by_place.get((is_bound, True), Rate()), by_place.get((is_bound, False), Rate()))
        for is_bound in (True, False)
    )
    total = sum(by_place.values(), start=Rate())
    return Insight(total, by_cards_and_bid, tuple(worth[bid] for bid in sorted(worth)), bound, free)
