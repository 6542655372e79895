"""Two to four players of a club side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models.functions import Lower

from scoresheets.models import Club, Player
from scoresheets.queries.lifetime import (
    Lifetime,
    Month,
    Pair,
    lifetimes_of,
    months_of,
    pairs_between,
    with_tallies,
)

FEWEST, MOST = 2, 4


@dataclass(frozen=True, slots=True)
class Comparison:
    """Players, and what is known of each by their ids; `pairs` is by two ids: how the first finished to the second."""

    players: Sequence[Player]
    lifetimes: Mapping[int, Lifetime]
    pairs: Mapping[tuple[int, int], Pair]
    months: Mapping[int, Sequence[Month]]


def with_results(club: Club) -> list[Player]:
    """Return the club's players who have played a game that counts, by name, archived ones too (1 statement)."""
    players = Player.objects.canonical().filter(club=club, tally__isnull=False).select_related("club")
    return list(players.order_by(Lower("name"), "pk"))


def players_among(club: Club, ids: Collection[int]) -> list[Player]:
    """Return those of the club's players with these ids, each once, duplicates as who they count as (1 statement).

    They come in the order of the ids, with their tallies.
    """
    named = Player.objects.filter(club=club, pk__in=ids)
    players = with_tallies(Player.objects.filter(pk__in=named.values("canonical")))
    order = {pk: place for place, pk in enumerate(ids)}
    return sorted(players, key=lambda player: order.get(player.pk, len(order)))


def comparison_of(players: Sequence[Player]) -> Comparison:
    """Return these players, read by `players_among`, side by side (4 statements)."""
    ids = [player.pk for player in players]
    return Comparison(players, lifetimes_of(players), pairs_between(ids), months_of(ids))
