"""What a club remembers of all its games: the all-time table, the records, the hall of fame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, Expression, F, FloatField, Q, Sum, When, Window
from django.db.models.functions import Cast, Coalesce, Lower, NullIf, Rank
from django.utils import timezone

from scoresheets.models import Club, ClubTally, PlayerTally, Record, Result, User
from scoresheets.models.games import night_of
from scoresheets.queries.leagues import shown_name

LINES_A_PAGE = 50
#: So many games with a rating make it one to compare.
FEWEST_RATED = 10
MOST_A_RECORD = 5
#: Of so many days the hall of fame counts the evenings won.
DAYS_OF_EVENINGS = 365

GAMES, WINS, WIN_RATE, MEAN, EXACT_RATE, RATING = "games", "wins", "win_rate", "mean", "exact_rate", "rating"


def _share(part: str, whole: str) -> Expression:
    return Cast(part, FloatField()) / NullIf(Cast(whole, FloatField()), 0.0)


#: What the all-time table can be ordered by, and how each is worked out; nobody has a place without a value.
SORTS: Mapping[str, Expression | F] = MappingProxyType(
    {
        GAMES: F("games"),
        WINS: F("wins"),
        WIN_RATE: _share("wins", "ranked"),
        MEAN: _share("total_sum", "ranked"),
        EXACT_RATE: _share("exact", "bids"),
        RATING: Case(When(rated__gte=FEWEST_RATED, then=F("rating_mu"))),
    }
)


# -- all-time -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LifetimeLine:
    """A player's line in the all-time table; `place` None: there is nothing to order them by.

    `wins` are those of `ranked` games, of which `total_sum` adds up the points. `rating` is None with fewer than 10
    rated games.
    """

    place: int | None
    player: int
    name: str
    is_own: bool
    games: int
    ranked: int
    wins: int
    total_sum: int
    bids: int
    exact: int
    rating: float | None


@dataclass(frozen=True, slots=True)
class AllTime:
    """One page of the all-time table; `is_waiting`: ratings and runs are being worked out anew."""

    lines: list[LifetimeLine]
    page: Page[Any]
    is_waiting: bool


def all_time_page(
    club: Club,
    page: int = 1,
    *,
    sort: str = GAMES,
    least: int = 0,
    in_public: bool = False,
    user: User | None = None,
) -> AllTime:
    """Return a page of the club's players with at least so many games, by one of `SORTS` (3 statements).

    Equal values share a place. Pages count from 1; one that is not there is the nearest one.
    """
    rows = (
        PlayerTally.objects.filter(club=club, games__gte=least)
        .annotate(
            name=shown_name(in_public=in_public),
            user=F("player__user"),
            rating=SORTS[RATING],
            value=SORTS[sort],
        )
        .annotate(place=Window(Rank(), order_by=F("value").desc(nulls_last=True)))
        .order_by(F("value").desc(nulls_last=True), Lower("name"), "player")
    )
    columns = ("player", "name", "games", "ranked", "wins", "total_sum", "bids", "exact", "rating")
    found = Paginator(rows.values(*columns, "user", "value", "place"), LINES_A_PAGE).get_page(page)
    lines = [
        LifetimeLine(
            place=row["place"] if row["value"] is not None else None,
            is_own=user is not None and row["user"] == user.pk,
            **{name: row[name] for name in columns},
        )
        for row in found
    ]
    return AllTime(lines, found, is_waiting(club))


def is_waiting(club: Club) -> bool:
    """Say whether the club's ratings and runs are being worked out anew (1 statement)."""
    return ClubTally.objects.filter(club=club, stale_from__isnull=False).exists()


# -- records --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A player's record: what it is worth, and the game it is of."""

    player: int
    name: str
    is_own: bool
    value: int
    game: int | None
    night: date | None


#: The kinds whose lowest value is the record.
_LOWEST = {Record.Kind.WORST_TOTAL, Record.Kind.WORST_ROUND, Record.Kind.CLOSEST_WIN}
EXACT_RUN, WIN_RUN = "exact_run", "win_run"
#: Longest runs: in which column of tallies they stand, and in which of results the same number does.
_RUNS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {EXACT_RUN: ("exact_run_most", "exact_run_most"), WIN_RUN: ("win_run_most", "win_run")}
)


def club_records(club: Club, *, in_public: bool = False, user: User | None = None) -> dict[str, list[RecordLine]]:
    """Return the club's records: by kind, or run, the five players who did best (13 statements at most).

    Each player stands there once with their best; of equal ones the earlier comes first.
    """
    found: dict[str, list[RecordLine]] = {}
    for kind in Record.Kind.values:
        value = F("value").asc() if kind in _LOWEST else F("value").desc()
        rows = (
            Record.objects.filter(club=club, kind=kind)
            .annotate(name=shown_name(in_public=in_public), user=F("player__user"))
            .order_by(value, "night", "game", "player")
            .values_list("player", "name", "user", "value", "game", "night")[:MOST_A_RECORD]
        )
        found[kind] = [
            RecordLine(player, name, user is not None and account == user.pk, best, game, night)
            for player, name, account, best, game, night in rows
        ]
    return found | {run: _longest(club, run, in_public=in_public, user=user) for run in _RUNS}


def _longest(club: Club, run: str, *, in_public: bool, user: User | None) -> list[RecordLine]:
    """Return the five longest runs and the games in which they were reached (2 statements)."""
    in_tally, in_result = _RUNS[run]
    rows = list(
        PlayerTally.objects.filter(club=club, **{f"{in_tally}__gte": 2})
        .annotate(name=shown_name(in_public=in_public), user=F("player__user"))
        .order_by(f"-{in_tally}", "last_started_at", "player")
        .values_list("player", "name", "user", in_tally)[:MOST_A_RECORD]
    )
    reached = Q(pk__in=())
    for player, _name, _account, length in rows:
        reached |= Q(player=player, **{in_result: length})
    results = Result.objects.filter(reached).order_by("-started_at", "-game").values_list("player", "game", "night")
    # Newest first, so that the earliest stays.
    where = {player: (game, night) for player, game, night in results}
    return [
        RecordLine(player, name, user is not None and account == user.pk, length, *where.get(player, (None, None)))
        for player, name, account, length in rows
    ]


# -- hall of fame ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FameLine:
    """A player with most of something; equal values share a `place`."""

    place: int
    player: int
    name: str
    is_own: bool
    value: int


def most_of(club: Club, what: str, *, in_public: bool = False, user: User | None = None) -> list[FameLine]:
    """Return the five players with most of a count in their tally, such as "wins" (1 statement)."""
    rows = (
        PlayerTally.objects.filter(club=club, **{f"{what}__gte": 1})
        .annotate(name=shown_name(in_public=in_public), user=F("player__user"))
        .order_by(f"-{what}", Lower("name"), "player")
        .values_list("player", "name", "user", what)[:MOST_A_RECORD]
    )
    return _placed([(player, name, account, value) for player, name, account, value in rows], user)


def most_evenings_won(club: Club, *, in_public: bool = False, user: User | None = None) -> list[FameLine]:
    """Return the five players who won most evenings within a year (1 statement).

    An evening is won by whoever stands first in its table: with most wins, then most points, then the greatest share of
    exact bids; by several if those are equal.
    """
    since = night_of(timezone.now(), club.time_zone) - timedelta(days=DAYS_OF_EVENINGS)
    rows = (
        Result.objects.filter(club=club, night__gt=since)
        .annotate(name=shown_name(in_public=in_public), user=F("player__user"))
        .values("night", "player", "name", "user")
        .annotate(won=Count("pk", filter=Q(rank=1)), points=Sum("total"), hits=Sum("exact"), bids=Sum("rounds"))
        .annotate(rate=Coalesce(_share("hits", "bids"), 0.0))
        .annotate(
            place=Window(Rank(), partition_by="night", order_by=[F("won").desc(), F("points").desc(), F("rate").desc()])
        )
        .filter(place=1)
        .values_list("player", "name", "user")
    )
    nights = Counter(rows)
    most = sorted(nights.items(), key=lambda item: (-item[1], item[0][1].lower(), item[0][0]))[:MOST_A_RECORD]
    return _placed([(*who, value) for who, value in most], user)


def _placed(rows: Sequence[tuple[int, str, int | None, int]], user: User | None) -> list[FameLine]:
    """Return these rows, the most first, with their places."""
    values = [value for *_who, value in rows]
    return [
        FameLine(values.index(value) + 1, player, name, user is not None and account == user.pk, value)
        for player, name, account, value in rows
    ]
