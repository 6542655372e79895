"""What a club remembers of all its games: the all-time table, the records, the hall of fame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import Case, Count, Expression, F, FloatField, Q, QuerySet, Sum, TextField, When, Window
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
    rows = _all_time(club, sort=sort, least=least, in_public=in_public)
    found = Paginator(rows, LINES_A_PAGE).get_page(page)
    return AllTime([_lifetime_line(row, user) for row in found], found, is_waiting(club))


def all_time_from(
    club: Club,
    start: int,
    most: int,
    *,
    sort: str = GAMES,
    least: int = 0,
    in_public: bool = False,
    user: User | None = None,
) -> list[LifetimeLine]:
    """Return at most so many lines of the all-time table, from the line `start` (0: the first) on (1 statement)."""
    rows = _all_time(club, sort=sort, least=least, in_public=in_public)
    return [_lifetime_line(row, user) for row in rows[start : start + most]]


_LIFETIME_COLUMNS = ("player", "name", "games", "ranked", "wins", "total_sum", "bids", "exact", "rating")


def _all_time(club: Club, *, sort: str, least: int, in_public: bool) -> QuerySet[Any, dict[str, Any]]:
    return (
        PlayerTally.objects.filter(club=club, games__gte=least)
        .annotate(
            name=shown_name(in_public=in_public),
            user=F("player__user"),
            rating=SORTS[RATING],
            value=SORTS[sort],
        )
        .annotate(place=Window(Rank(), order_by=F("value").desc(nulls_last=True)))
        .order_by(F("value").desc(nulls_last=True), Lower("name"), "player")
        .values(*_LIFETIME_COLUMNS, "user", "value", "place")
    )


def _lifetime_line(row: Mapping[str, Any], user: User | None) -> LifetimeLine:
    return LifetimeLine(
        place=row["place"] if row["value"] is not None else None,
        is_own=user is not None and row["user"] == user.pk,
        **{name: row[name] for name in _LIFETIME_COLUMNS},
    )


def is_waiting(club: Club) -> bool:
    """Say whether the club's ratings and runs are being worked out anew (1 statement)."""
    return ClubTally.objects.filter(club=club, stale_from__isnull=False).exists()


# -- ratings --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A player's rating after so many rated `games`; `place` None: there are too few to compare it."""

    place: int | None
    player: int
    name: str
    is_own: bool
    mu: float
    sigma: float
    games: int


def ratings_from(
    club: Club, start: int, most: int, *, in_public: bool = False, user: User | None = None
) -> list[RatingLine]:
    """Return at most so many ratings of the club, from number `start` (0: the first) on (1 statement).

    Those that can be compared come first, the highest first; equal ones share a place.
    """
    counting = F("counting").desc(nulls_last=True)
    rows: Any = (
        PlayerTally.objects.filter(club=club, rating_mu__isnull=False)
        .annotate(name=shown_name(in_public=in_public), user=F("player__user"), counting=SORTS[RATING])
        .annotate(place=Window(Rank(), order_by=counting))
        .order_by(counting, F("rating_mu").desc(), Lower("name"), "player")
        .values_list("place", "counting", "player", "name", "user", "rating_mu", "rating_sigma", "rated")
    )
    return [
        RatingLine(
            place if counts is not None else None,
            player,
            name,
            user is not None and account == user.pk,
            mu,
            sigma,
            games,
        )
        for place, counts, player, name, account, mu, sigma, games in rows[start : start + most]
    ]


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
    """Return the club's records: by kind, or run, the five players who did best (at most 4 statements).

    Each player stands there once with their best; of equal ones the earlier comes first.
    """
    found: dict[str, list[RecordLine]] = {kind: [] for kind in Record.Kind.values}
    for kind, player, name, account, best, game, night in _best_of_kinds(club, in_public=in_public):
        is_own = user is not None and account == user.pk
        found[kind].append(RecordLine(player, name, is_own, best, game, date.fromisoformat(night)))
    for kind, lines in found.items():
        sign = 1 if kind in _LOWEST else -1
        # Parts of a statement come as they like.
        lines.sort(key=lambda line, sign=sign: (sign * line.value, line.night, line.game, line.player))  # type: ignore[misc]
    return found | _longest_runs(club, in_public=in_public, user=user)


def _best_of_kinds(club: Club, *, in_public: bool) -> list[tuple[Any, ...]]:
    """Return kind, player, name, account, value, game and night (a text) of the best of each kind (1 statement)."""
    parts: list[str] = []
    values: list[Any] = []
    for kind in Record.Kind.values:
        value = F("value").asc() if kind in _LOWEST else F("value").desc()
        best = (
            Record.objects.filter(club=club, kind=kind)
            .annotate(name=shown_name(in_public=in_public), day=Cast("night", TextField()))
            .order_by(value, "night", "game", "player")
            .values_list("kind", "player", "name", "player__user", "value", "game", "day")[:MOST_A_RECORD]
        )
        statement, of_kind = best.query.sql_with_params()
        # Not as a union of Django's: SQLite takes no limit in its parts, unless they are tables of their own.
        parts.append(f"SELECT * FROM ({statement}) AS {kind}")  # noqa: S608
        values += of_kind
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), values)
        return cursor.fetchall()


def _longest_runs(club: Club, *, in_public: bool, user: User | None) -> dict[str, list[RecordLine]]:
    """Return the five longest runs of each kind and the games in which they were reached (3 statements)."""
    longest: dict[str, list[tuple[int, str, int | None, int]]] = {}
    reached = Q(pk__in=())
    for run, (in_tally, in_result) in _RUNS.items():
        rows = (
            PlayerTally.objects.filter(club=club, **{f"{in_tally}__gte": 2})
            .annotate(name=shown_name(in_public=in_public), user=F("player__user"))
            .order_by(f"-{in_tally}", "last_started_at", "player")
            .values_list("player", "name", "user", in_tally)[:MOST_A_RECORD]
        )
        longest[run] = list(rows)
        for player, _name, _account, length in longest[run]:
            reached |= Q(player=player, **{in_result: length})
    columns = [in_result for _in_tally, in_result in _RUNS.values()]
    results = Result.objects.filter(reached).order_by("-started_at", "-game")
    where: dict[tuple[str, int, int], tuple[int, date]] = {}
    for player, game, night, *lengths in results.values_list("player", "game", "night", *columns):
        # Newest first, so that the earliest stays.
        where |= {(run, player, length): (game, night) for run, length in zip(_RUNS, lengths, strict=True)}
    return {
        run: [
            RecordLine(
                player,
                name,
                user is not None and account == user.pk,
                length,
                *where.get((run, player, length), (None, None)),
            )
            for player, name, account, length in rows
        ]
        for run, rows in longest.items()
    }


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
