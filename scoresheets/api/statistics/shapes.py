"""Numbers of players as they are answered: every share with how much it is based on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rest_framework import serializers

import rules
from scoresheets.api.fields import Answer, Choice, Day, Id, Text, Whole, Yes
from scoresheets.api.views import Body
from scoresheets.models import Record, Result
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.lifetime import FEW, FEWEST_RATED, Best, Lifetime, Month, Pair, Rate, Rating

TAG = "statistics"
NAME_HELP = "The name; for those who are no members of the club, the public one."
STALE_HELP = (
    "Whether an older game has changed, and ratings and runs are being worked out anew. All other numbers are up to "
    "date."
)
_SMALL_HELP = f"Whether these are fewer than {FEW}, too few to say much."
_PLAYERS: dict[str, int] = {"least": 1, "most": rules.MOST_PLAYERS}


class Share(serializers.FloatField):
    """A share, 0 to 1; null where there is nothing to share."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=1, allow_null=True, **options)


# -- shapes ---------------------------------------------------------------------------------------------------------


class ExactRate(Answer):
    bids = Whole(least=0, help_text="How many bids.")
    exact = Whole(least=0, help_text="How many of them came true.")
    share = Share(help_text="The share that came true, 0 to 1; null without bids.")
    is_small = Yes(help_text=_SMALL_HELP)


class BidRate(ExactRate):
    points = Whole(help_text="The points that all of them brought; may be negative.")
    mean_points = serializers.FloatField(allow_null=True, help_text="Their mean, may be negative; null without bids.")


class HandRate(BidRate):
    cards = Whole(least=1, help_text="How many cards each player held.")


class TableRate(BidRate):
    players = Whole(**_PLAYERS, help_text="How many people played the round.")


class HandAndTableRate(HandRate):
    players = Whole(**_PLAYERS, help_text="How many people played the round.")


class SpokenRate(BidRate):
    bid = Whole(least=0, help_text="The bid, after the cloud.")


class PositionRate(TableRate):
    after_dealer = Whole(
        **_PLAYERS, help_text="The seat after the dealer: 1 bids first, the highest is the dealer, who bids last."
    )


class BidAndTaken(Answer):
    bid = Whole(least=0, help_text="The bid, after the cloud.")
    taken = Whole(least=0, help_text="The tricks taken.")
    times = Whole(least=1, help_text="How often that happened.")
    points = Whole(help_text="The points that all of them brought; may be negative.")


class FavouriteBid(Answer):
    bid = Whole(least=0, help_text="The bid made most often, after the cloud; of several the lowest.")
    times = Whole(least=1, help_text="How often.")
    share = Share(help_text="Its share of all bids, 0 to 1.")


class PlayerRecord(Answer):
    kind = Choice(choices=Record.Kind.values, help_text="What it is a record of.")
    value = Whole(help_text="Points, points ahead, tricks, or wins in a night, by the kind; may be negative.")
    game = Id(help_text="The id of the game; of a night, of its first game won.")
    night = Day(help_text="The night it is of.")
    players = Whole(least=0, most=rules.MOST_PLAYERS, help_text="How many people with a place sat there.")
    cards = Whole(
        least=1, allow_null=True, help_text="The cards in hand of the highest exact bid, null for other kinds."
    )


class PlayerRating(Answer):
    """How strong a player is held to be. Everybody starts at 1500."""

    mu = serializers.FloatField(help_text="The rating, 1500 to begin with; it may be negative.")
    sigma = serializers.FloatField(min_value=0, help_text="How uncertain it is, in the same points.")
    games = Whole(least=1, help_text="After how many rated games.")
    is_provisional = Yes(help_text=f"Whether these are fewer than {FEWEST_RATED}; then there is no place.")
    rank = Whole(
        least=1,
        allow_null=True,
        help_text="The place in the club; null without one, and in clubs of over 300 players.",
    )
    of = Whole(least=0, help_text="Among how many, 0 without a place.")


class MonthAnswer(Answer):
    month = Day(help_text="The first day of the month (in UTC).")
    mu = serializers.FloatField(help_text="The rating after its last rated game; it may be negative.")
    sigma = serializers.FloatField(min_value=0, help_text="How uncertain it was.")


class NewestGame(Answer):
    game = Id(help_text="The id of the game.")
    night = Day(help_text="The night it is of.")
    total = Whole(help_text="The points on the sheet; may be negative.")
    rank = Whole(least=1, allow_null=True, help_text="The place; null for somebody who came late or left.")
    level = Whole(least=1, allow_null=True, help_text="How many share it, null without one.")
    players = Whole(least=0, help_text="How many people have a place.")
    exact = Whole(least=0, help_text="How many bids came true.")
    bids = Whole(least=0, help_text="Of how many.")


class Numbers(Answer):
    """All that is counted of a player's games."""

    games = Whole(least=0, help_text="How many games count.")
    ranked = Whole(least=0, help_text="In how many of them they have a place: they were there from start to end.")
    wins = Whole(least=0, help_text="How many of these they won, shared victories too.")
    shared_wins = Whole(least=0, help_text="How many of the victories were shared.")
    win_share = Share(help_text="The share of games won among those with a place, 0 to 1; null without any.")
    ranked_is_small = Yes(help_text=f"Whether games with a place are fewer than {FEW}, too few to say much.")
    total_points = Whole(help_text="The points on the sheets of games with a place, added up; may be negative.")
    mean_total = serializers.FloatField(
        allow_null=True, help_text="Their mean a game, may be negative; null without any."
    )
    rate = BidRate(help_text="All bids.")
    over = Whole(least=0, help_text="How many bids were missed by taking too many tricks.")
    under = Whole(least=0, help_text="How many bids were missed by taking too few.")
    zero = ExactRate(help_text="Bids of no trick.")
    blind = ExactRate(help_text="Bids made blind.")
    favourite_bid = FavouriteBid(allow_null=True, help_text="The bid made most often, null without bids.")
    exact_run_most = Whole(least=0, help_text="The longest run of exact bids.")
    exact_run = Whole(least=0, allow_null=True, help_text="The run that stands now; null over several clubs.")
    win_run_most = Whole(least=0, help_text="The longest run of wins.")
    win_run = Whole(least=0, allow_null=True, help_text="The run that stands now; null over several clubs.")
    by_cards = HandRate(many=True, help_text="Bids by the cards in hand, ascending.")
    by_players = TableRate(many=True, help_text="Bids by the number of people in the round, ascending.")
    by_cards_and_players = HandAndTableRate(many=True, help_text="Bids by both, ascending.")
    by_bid = SpokenRate(many=True, help_text="Bids by themselves, ascending.")
    by_position = PositionRate(many=True, help_text="Bids by the number of people and the seat after the dealer.")
    bids_and_taken = BidAndTaken(many=True, help_text="How often which bid met how many tricks, ascending by both.")
    records = PlayerRecord(many=True, help_text="The best of each kind; of several the earliest.")


class PairAnswer(Answer):
    """How a player and an opponent finished in the games in which both have a place."""

    opponent = Id(help_text="The id of the opponent.")
    name = Text(most=NAME_LENGTH, help_text=NAME_HELP)
    games = Whole(least=1, help_text="How many games together.")
    above = Whole(least=0, help_text="In how many the player finished above the opponent.")
    below = Whole(least=0, help_text="In how many below.")
    level = Whole(least=0, help_text="In how many they were level.")
    share = Share(help_text="The share of games in which the player finished above, 0 to 1.")
    is_small = Yes(help_text=_SMALL_HELP)


# -- bodies ---------------------------------------------------------------------------------------------------------


def exact_body(rate: Rate) -> Body:
    """Return a rate of exact bids as it is answered."""
    return {
        "bids": rate.bids,
        "exact": rate.exact,
        "share": rate.share if rate.bids else None,
        "is_small": rate.is_small,
    }


def rate_body(rate: Rate) -> Body:
    """Return a rate with its points as it is answered."""
    return {**exact_body(rate), "points": rate.points, "mean_points": rate.mean if rate.bids else None}


def _rates(names: Sequence[str], rates: Mapping[Any, Rate]) -> list[Body]:
    """Return rates by keys of these names, ascending."""
    return [
        {**dict(zip(names, key if isinstance(key, tuple) else (key,), strict=True)), **rate_body(rate)}
        for key, rate in sorted(rates.items())
    ]


def numbers_body(life: Lifetime) -> Body:
    """Return a lifetime as it is answered."""
    favourite = life.favourite_bid
    return {
        "games": life.games,
        "ranked": life.ranked,
        "wins": life.wins,
        "shared_wins": life.shared_wins,
        "win_share": life.wins / life.ranked if life.ranked else None,
        "ranked_is_small": life.ranked < FEW,
        "total_points": life.total_sum,
        "mean_total": life.mean_total if life.ranked else None,
        "rate": rate_body(life.rate),
        "over": life.over,
        "under": life.under,
        "zero": exact_body(life.zero),
        "blind": exact_body(life.blind),
        "favourite_bid": None
        if favourite is None
        else {"bid": favourite[0], "times": favourite[1], "share": favourite[1] / life.rate.bids},
        "exact_run_most": life.runs.exact_most,
        "exact_run": life.runs.exact,
        "win_run_most": life.runs.win_most,
        "win_run": life.runs.win,
        "by_cards": _rates(("cards",), life.by_cards),
        "by_players": _rates(("players",), life.by_players),
        "by_cards_and_players": _rates(("players", "cards"), life.cards),
        "by_bid": _rates(("bid",), life.by_bid),
        "by_position": _rates(("players", "after_dealer"), life.positions),
        "bids_and_taken": [
            {"bid": bid, "taken": taken, "times": times, "points": points}
            for (bid, taken), (times, points) in sorted(life.bids.items())
        ],
        "records": [_record(kind, life.records[kind]) for kind in Record.Kind.values if kind in life.records],
    }


def _record(kind: str, best: Best) -> Body:
    return {
        "kind": kind,
        "value": best.value,
        "game": best.game,
        "night": best.night,
        "players": best.players,
        "cards": best.cards,
    }


def rating_body(rating: Rating | None) -> Body | None:
    """Return a rating as it is answered."""
    if rating is None:
        return None
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "games": rating.games,
        "is_provisional": rating.is_provisional,
        "rank": rating.rank,
        "of": rating.of,
    }


def month_body(month: Month) -> Body:
    """Return a month's rating as it is answered."""
    return {"month": month.first, "mu": month.mu, "sigma": month.sigma}


def pair_body(pair: Pair, name: str) -> Body:
    """Return how two players finished as it is answered; `name` is the opponent's."""
    return {
        "opponent": pair.opponent.pk,
        "name": name,
        "games": pair.games,
        "above": pair.above,
        "below": pair.below,
        "level": pair.level,
        "share": pair.share,
        "is_small": pair.is_small,
    }


def newest_bodies(results: Iterable[Result]) -> list[Body]:
    """Return results as they are answered."""
    return [
        {
            "game": result.game_id,
            "night": result.night,
            "total": result.total,
            "rank": result.rank,
            "level": result.level,
            "players": result.players,
            "exact": result.exact,
            "bids": result.rounds,
        }
        for result in results
    ]
