"""A player's lifetime in numbers: what is known of all games, and of those that filters leave, in the same values.

Without filters everything is read from tallies, which is the same work after ten games and after ten thousand.
`queries.filtered` works the same values out of lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from scoresheets.models import (
    BidTally,
    CardsTally,
    Club,
    ClubTally,
    PairTally,
    Player,
    PlayerTally,
    PositionTally,
    Record,
    Result,
    Season,
)

#: A share of fewer bids or games than this says little.
FEW = 20
#: With fewer rated games than this a rating is provisional, and has no rank.
FEWEST_RATED = 10
#: In a club of more players nobody is told their place: the page must not grow with the club.
MOST_COMPARED = 300
OPPONENTS_A_PAGE = 10
GAMES_OF_FORM = 10
#: Twenty years.
MOST_MONTHS = 240


# -- values ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """Bids, how many of them were exact, and the points that all of them brought."""

    bids: int = 0
    exact: int = 0
    points: int = 0

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.bids + other.bids, self.exact + other.exact, self.points + other.points)

    @property
    def share(self) -> float:
        """The share of exact bids, 0 to 1; 0 without bids."""
        return self.exact / self.bids if self.bids else 0.0

    @property
    def mean(self) -> float:
        """The mean of the points of a bid; 0 without bids."""
        return self.points / self.bids if self.bids else 0.0

    @property
    def is_small(self) -> bool:
        """Whether these are too few to say much."""
        return self.bids < FEW


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of exact bids and of wins: the longest, and those that stand now; None where no one run stands."""

    exact_most: int = 0
    win_most: int = 0
    exact: int | None = 0
    win: int | None = 0


@dataclass(frozen=True, slots=True)
class Best:
    """A record: its value (as in `models.Record`), its game and night, and how many played there.

    `cards` is the hand of the highest exact bid, None for other kinds.
    """

    value: int
    game: int
    night: date
    players: int
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class Lifetime:
    """All that is counted of a player; the fields are those of `models.PlayerTally` and the tallies beside it.

    `cards` is by (players in the round, cards), `positions` by (players, seat after the dealer), `bids` are times and
    points by (bid after the cloud, tricks taken), `records` by the kinds of `models.Record`. `place` is the rank by
    rating in the club, and among how many: only of all games, and only in clubs that are not too large for it.
    """

    games: int = 0
    ranked: int = 0
    wins: int = 0
    shared_wins: int = 0
    total_sum: int = 0
    rate: Rate = Rate()
    over: int = 0
    under: int = 0
    zero: Rate = Rate()
    blind: Rate = Rate()
    runs: Runs = Runs()
    cards: Mapping[tuple[int, int], Rate] = field(default_factory=dict)
    positions: Mapping[tuple[int, int], Rate] = field(default_factory=dict)
    bids: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    records: Mapping[str, Best] = field(default_factory=dict)
    place: tuple[int, int] | None = None

    @property
    def mean_total(self) -> float:
        """The mean of the totals of ranked games; 0 without any."""
        return self.total_sum / self.ranked if self.ranked else 0.0

    @property
    def by_cards(self) -> dict[int, Rate]:
        """Rates by the number of cards in the hand, ascending."""
        return _added((cards, rate) for (_players, cards), rate in self.cards.items())

    @property
    def by_players(self) -> dict[int, Rate]:
        """Rates by the number of players in the round, ascending."""
        return _added((players, rate) for (players, _cards), rate in self.cards.items())

    @property
    def by_bid(self) -> dict[int, Rate]:
        """Rates by the bid, ascending."""
        return _added(
            (bid, Rate(times, times if bid == taken else 0, points))
            for (bid, taken), (times, points) in self.bids.items()
        )

    @property
    def favourite_bid(self) -> tuple[int, int] | None:
        """The bid made most often, of several the lowest, and how often; None without bids."""
        by_bid = self.by_bid
        most = max(by_bid, key=lambda bid: (by_bid[bid].bids, -bid), default=None)
        return None if most is None else (most, by_bid[most].bids)


def _added(rates: Iterable[tuple[int, Rate]]) -> dict[int, Rate]:
    found: dict[int, Rate] = {}
    for key, rate in rates:
        found[key] = found.get(key, Rate()) + rate
    return dict(sorted(found.items()))


def together(lifetimes: Sequence[Lifetime]) -> Lifetime:
    """Return several lifetimes as one, as of somebody who plays in several clubs.

    Runs do not go on from club to club: the longest is the longest of one of them, and none stands now.
    """
    if len(lifetimes) == 1:
        return lifetimes[0]
    sums: dict[str, Any] = {
        name: sum(getattr(one, name) for one in lifetimes)
        for name in ("games", "ranked", "wins", "shared_wins", "total_sum", "over", "under")
    }
    rates: dict[str, Any] = {
        name: sum((getattr(one, name) for one in lifetimes), start=Rate()) for name in ("rate", "zero", "blind")
    }
    cards: dict[tuple[int, int], Rate] = defaultdict(Rate)
    positions: dict[tuple[int, int], Rate] = defaultdict(Rate)
    bids: dict[tuple[int, int], tuple[int, int]] = defaultdict(lambda: (0, 0))
    records: dict[str, Best] = {}
    for one in lifetimes:
        for key, rate in one.cards.items():
            cards[key] += rate
        for key, rate in one.positions.items():
            positions[key] += rate
        for key, (times, points) in one.bids.items():
            bids[key] = bids[key][0] + times, bids[key][1] + points
        for kind, best in one.records.items():
            records[kind] = _better(kind, records[kind], best) if kind in records else best
    runs = Runs(
        max((one.runs.exact_most for one in lifetimes), default=0),
        max((one.runs.win_most for one in lifetimes), default=0),
        None,
        None,
    )
    return Lifetime(
        **sums, **rates, runs=runs, cards=dict(cards), positions=dict(positions), bids=dict(bids), records=records
    )


#: The kinds of which the lowest value is the record.
LOWEST = frozenset({Record.Kind.WORST_TOTAL, Record.Kind.WORST_ROUND, Record.Kind.CLOSEST_WIN})


def _better(kind: str, first: Best, second: Best) -> Best:
    sign = 1 if kind in LOWEST else -1
    return min(first, second, key=lambda best: (sign * best.value, best.night))


@dataclass(frozen=True, slots=True)
class Filters:
    """Which games are looked at. `season` is one of the players' club; dates are nights, both included.

    `players` is how many were ranked in the game, `edition` one of `rules.EDITIONS`, "" for all.
    """

    season: Season | None = None
    since: date | None = None
    until: date | None = None
    players: int | None = None
    edition: str = ""

    def __bool__(self) -> bool:
        """Say whether anything is filtered."""
        return self != Filters()


# -- players --------------------------------------------------------------------------------------------------------


def with_tallies(players: QuerySet[Player]) -> QuerySet[Player]:
    """Return these players with their clubs and both their tallies."""
    return players.select_related("club__tally", "canonical__tally")


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is held to be after so many games, and how uncertain that is.

    `rank` is the place among the `of` players of the club with enough rated games; None if this one has too few, or the
    club has more than `MOST_COMPARED` players.
    """

    mu: float
    sigma: float
    games: int
    rank: int | None
    of: int

    @property
    def is_provisional(self) -> bool:
        return self.games < FEWEST_RATED


def lifetime_player(club_id: int, player_id: int) -> Player | None:
    """Return a player with their tallies, None if the club has none of this id (1 statement)."""
    return with_tallies(Player.objects.filter(pk=player_id, club=club_id)).first()


def canonical_player(club_id: int, player_id: int) -> Player | None:
    """Return a player, of a duplicate who it counts as, with their tallies; None if not there (1 statement)."""
    named = Player.objects.filter(pk=player_id, club=club_id)
    return with_tallies(Player.objects.filter(pk__in=named.values("canonical"))).first()


def own_players(account_id: int) -> list[Player]:
    """Return the players an account is, by the names of their clubs, with their tallies (1 statement)."""
    return list(with_tallies(Player.objects.filter(user=account_id)).order_by("club__name", "pk"))


def tally_of(player: Player) -> PlayerTally | None:
    """Return a player's tally as `with_tallies` read it, None without a game."""
    return getattr(player.canonical, "tally", None)


def club_tally_of(club: Club) -> ClubTally | None:
    """Return the club's tally as `with_tallies` read it, None if it has none."""
    return getattr(club, "tally", None)


def rating_of(player: Player, life: Lifetime) -> Rating | None:
    """Return the rating of a player read by `with_tallies`, whose lifetime this is; None without a rated game."""
    tally = tally_of(player)
    if tally is None or tally.rating_mu is None or tally.rating_sigma is None:
        return None
    rank, of = life.place if life.place is not None and tally.rated >= FEWEST_RATED else (None, 0)
    return Rating(tally.rating_mu, tally.rating_sigma, tally.rated, rank, of)


# -- from tallies ---------------------------------------------------------------------------------------------------


def lifetimes_of(players: Sequence[Player]) -> dict[int, Lifetime]:
    """Return the lifetime of each canonical player read by `with_tallies`, by their ids (2 statements)."""
    tables: dict[int, dict[str, Any]] = {player.pk: {"cards": {}, "positions": {}, "bids": {}} for player in players}
    for table, player, first, second, bids, exact, points in _tallies(players):
        if table == "place":
            tables[player][table] = first + 1, second
        else:
            tables[player][table][first, second] = (bids, points) if table == "bids" else Rate(bids, exact, points)
    records = _records_of(tables)
    return {
        player.pk: replace(_lifetime_of(tally_of(player)), **tables[player.pk], records=records.get(player.pk, {}))
        for player in players
    }


def _lifetime_of(tally: PlayerTally | None) -> Lifetime:
    if tally is None:
        return Lifetime()
    return Lifetime(
        games=tally.games,
        ranked=tally.ranked,
        wins=tally.wins,
        shared_wins=tally.shared_wins,
        total_sum=tally.total_sum,
        rate=Rate(tally.bids, tally.exact, tally.points_sum),
        over=tally.over,
        under=tally.under,
        zero=Rate(tally.zero_bids, tally.zero_exact),
        blind=Rate(tally.blind_bids, tally.blind_exact),
        runs=Runs(tally.exact_run_most, tally.win_run_most, tally.exact_run, tally.win_run),
    )


def _tallies(players: Sequence[Player]) -> Iterable[tuple]:
    """Return the rows of several tables in one statement: table, player, the two columns of its key, and its sums.

    That of "place", which large clubs have not, says how many have a higher rating and how many have one that counts.
    """
    ids = [player.pk for player in players]
    return (
        _rows("cards", CardsTally, ids, "players", "cards", F("exact"))
        .union(
            _rows("positions", PositionTally, ids, "players", "after_dealer", F("exact")),
            _rows("bids", BidTally, ids, "bid", "taken", Value(0)),
            *(_place(player) for player in players if tally_of(player) is not None),
            all=True,
        )
        .order_by("table", "player", "first", "second")
    )


def _rows(table: str, model: type, players: Collection[int], first: str, second: str, exact: F | Value) -> QuerySet:
    rows = model.objects.filter(player__in=players).annotate(  # type: ignore[attr-defined]
        table=Value(table), first=F(first), second=F(second), hits=Coalesce(exact, 0, output_field=IntegerField())
    )
    return rows.order_by().values_list("table", "player", "first", "second", "bids", "hits", "points_sum")


def _place(player: Player) -> QuerySet:
    tally = tally_of(player)
    assert tally is not None
    of_club = PlayerTally.objects.filter(club=tally.club_id).order_by()
    rated = Q(rated__gte=FEWEST_RATED)
    counted = (
        # In a large club nothing is read beyond the first one too many.
        of_club.filter(~Exists(of_club[MOST_COMPARED : MOST_COMPARED + 1]))
        .values("club")
        .annotate(
            table=Value("place"),
            of_player=Value(tally.pk),
            above=Count("pk", filter=rated & Q(rating_mu__gt=tally.rating_mu or 0.0)),
            rated_ones=Count("pk", filter=rated),
            all=Count("pk"),
            hits=Value(0),
            points=Value(0),
        )
    )
    return counted.order_by().values_list("table", "of_player", "above", "rated_ones", "all", "hits", "points")


def _records_of(players: Collection[int]) -> dict[int, dict[str, Best]]:
    """Return the records of each player by kind (1 statement)."""
    result = Result.objects.filter(game=OuterRef("game"), player=OuterRef("player"))
    rows = Record.objects.filter(player__in=players).annotate(
        of_players=Subquery(result.values("players")[:1]), of_cards=Subquery(result.values("highest_exact_cards")[:1])
    )
    found: dict[int, dict[str, Best]] = defaultdict(dict)
    for player, kind, value, game, night, of_players, cards in rows.values_list(
        "player", "kind", "value", "game", "night", "of_players", "of_cards"
    ):
        is_bid = kind == Record.Kind.HIGHEST_EXACT
        found[player][kind] = Best(value, game, night, of_players or 0, cards if is_bid else None)
    return found


# -- opponents, form, rating ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """How a player and an opponent finished in the games in which both were ranked; in the others they were level."""

    player: int
    opponent: Player
    games: int
    above: int
    below: int

    @property
    def level(self) -> int:
        return self.games - self.above - self.below

    @property
    def share(self) -> float:
        """The share of games in which the player finished above the opponent."""
        return self.above / self.games if self.games else 0.0

    @property
    def is_small(self) -> bool:
        return self.games < FEW


@dataclass(frozen=True, slots=True)
class Pairs:
    """One page of opponents, those of the most games first; pages count from 1."""

    pairs: list[Pair]
    number: int
    has_next: bool


def pairs_of(players: Collection[int], *, number: int = 1) -> Pairs:
    """Return a page of the opponents of these players (1 statement)."""
    pairs = pairs_from(players, (number - 1) * OPPONENTS_A_PAGE, OPPONENTS_A_PAGE + 1)
    return Pairs(pairs[:OPPONENTS_A_PAGE], number, len(pairs) > OPPONENTS_A_PAGE)


def pairs_from(players: Collection[int], start: int, most: int) -> list[Pair]:
    """Return at most so many of the opponents of these players, from number `start` (0: the first) on (1 statement)."""
    rows = PairTally.objects.filter(player__in=players).select_related("opponent__club")
    rows = rows.order_by("-games", "opponent", "player")[start : start + most]
    return [Pair(row.player_id, row.opponent, row.games, row.above, row.below) for row in rows]


def pairs_between(players: Collection[int]) -> dict[tuple[int, int], Pair]:
    """Return how each two of these players finished, by both their ids, from either side (1 statement)."""
    rows = PairTally.objects.filter(player__in=players, opponent__in=players).select_related("opponent")
    return {
        (row.player_id, row.opponent_id): Pair(row.player_id, row.opponent, row.games, row.above, row.below)
        for row in rows
    }


def newest_results(results: QuerySet[Result]) -> list[Result]:
    """Return the newest of these results, newest first (1 statement)."""
    return list(results.order_by("-started_at", "-game")[:GAMES_OF_FORM])


@dataclass(frozen=True, slots=True)
class Month:
    """A player's rating after the last rated game of a month; `first` is the month's first day (in UTC)."""

    first: date
    mu: float
    sigma: float


def months_of(players: Collection[int]) -> dict[int, list[Month]]:
    """Return the ratings of each player at the end of each month with a rated game, oldest first (1 statement).

    At most the newest `MOST_MONTHS` of each. The months are looked up one after the other through the index: as many
    rows are read as there are months, however many games there were.
    """
    found: dict[int, list[Month]] = {player: [] for player in players}
    if not players:
        return found
    with connection.cursor() as cursor:
        cursor.execute(_months_sql(len(players)), [*players])
        rows = cursor.fetchall()
    for player, first, mu, sigma in rows:
        found[player].append(Month(date.fromisoformat(first), mu, sigma))
    return found


def _months_sql(players: int) -> str:
    # SQLite keeps moments as text in UTC, so a text that is shorter stands before all of its month.
    start, first = {
        "sqlite": ("strftime('%%Y-%%m-01 00:00:00', result.started_at)", "strftime('%%Y-%%m-01', result.started_at)"),
        "postgresql": (
            "date_trunc('month', result.started_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'",
            "to_char(result.started_at AT TIME ZONE 'UTC', 'YYYY-MM-01')",
        ),
    }[connection.vendor]
    newest = "ORDER BY newest.started_at DESC, newest.game_id DESC LIMIT 1"
    # Only numbers and names of this module are put together here.
    return f"""
        WITH RECURSIVE month(number, id) AS (
            SELECT 1, (
                SELECT newest.id FROM scoresheets_result newest
                WHERE newest.player_id = player.id AND newest.rating_mu IS NOT NULL {newest}
            ) FROM scoresheets_player player WHERE player.id IN ({", ".join(["%s"] * players)})
            UNION ALL
            SELECT month.number + 1, (
                SELECT newest.id FROM scoresheets_result newest
                WHERE newest.player_id = result.player_id AND newest.rating_mu IS NOT NULL
                AND newest.started_at < {start} {newest}
            ) FROM month JOIN scoresheets_result result ON result.id = month.id WHERE month.number < {MOST_MONTHS}
        )
        SELECT result.player_id, {first}, result.rating_mu, result.rating_sigma
        FROM month JOIN scoresheets_result result ON result.id = month.id
        ORDER BY result.started_at, result.id
    """  # noqa: S608
