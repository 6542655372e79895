"""Seasons as their pages show them: the table, who moved since the last night, and the games behind a number."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import Case, Expression, F, Q, QuerySet, When, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

import rules
from scoresheets.models import Club, Player, Result, Season, Standing, User
from scoresheets.models.games import night_of
from scoresheets.models.tallies import counting_for
from scoresheets.models.written_out import read_pairs

LINES_A_PAGE = 50
GAMES_A_PAGE = 50
SEASONS_A_PAGE = 10
#: So many share the first places of a season by name; of more the page says that there are.
MOST_ON_PODIUM = 8

_OF_A_RESULT = ("night", "total", "rank", "level", "players", "exact", "bids")


# -- the table ------------------------------------------------------------------------------------------------------


class TableLine(NamedTuple):
    """A player's line in the table of a season.

    `place` is 1, 2, 2, 4, None for somebody with too few games. `moved` is by how many places they went up (below 0:
    down) since before the season's last night; None for somebody who has no place, or had none before. `points` are in
    sixtieths.
    """

    place: int | None
    moved: int | None
    player: int
    name: str
    is_own: bool
    games: int
    nights: int
    wins: int
    bids: int
    exact: int
    points: int
    score: float


@dataclass(frozen=True, slots=True)
class Table:
    """One page of a season's table; `own` is the line of whoever asks where it stands on another page."""

    lines: list[TableLine]
    page: Page[Any]
    own: TableLine | None


#: What orders a table, the highest first: whether somebody has a place, what decides, what decides then.
_Key = tuple[bool, float, float]

# Which keys: of all lines now, and of the lines that moved on the last night as they are now and as they were before.
_ALL, _LEFT, _CAME_FROM = range(3)


class _Places:
    """The places of a season's lines, now and before its last night, told by what orders the lines (1 statement).

    Worked out here and not by window functions, which cost SQLite several times as much: a place is one more than the
    number of lines that are better.
    """

    def __init__(self, season: Season) -> None:
        listed, values = _listed(season)
        # Before any night nobody has moved: NULL equals nothing.
        statement = (
            f"WITH moved AS (SELECT {_NOW}, {_THEN} FROM {listed} AND standing.last_night = %s)"  # noqa: S608
            f" SELECT {_ALL}, {_NOW} FROM {listed}"
            f" UNION ALL SELECT {_LEFT}, ranked, score, tie FROM moved"
            f" UNION ALL SELECT {_CAME_FROM}, ranked_before, score_before, tie_before FROM moved"
        )
        values = [*values, season.last_night, *values]
        # All in one list, because taking them apart would cost as much as a statement.
        self._keys: list[tuple[Any, ...]] = sorted(_fetched(statement, values))
        self._ends = [bisect_left(self._keys, (which + 1,)) for which in (_ALL, _LEFT, _CAME_FROM)]
        self.last_night = season.last_night

    def __len__(self) -> int:
        return self._ends[_ALL]

    def now(self, key: _Key) -> int:
        """Return the place of a line with this key."""
        return 1 + self._above(_ALL, key)

    def before(self, key: _Key) -> int:
        """Return the place before the last night of a line with this key then."""
        return 1 + self._above(_ALL, key) - self._above(_LEFT, key) + self._above(_CAME_FROM, key)

    def _above(self, which: int, key: _Key) -> int:
        return self._ends[which] - bisect_right(self._keys, (which, *key))


def standings_page(season: Season, page: int = 1, *, in_public: bool = False, user: User | None = None) -> Table:
    """Return a page of the season's table (2 statements, 3 with a user).

    Players with too few games stand at the end, without a place. `in_public` shows the names that players chose for
    everybody. Pages count from 1; one that is not there is the nearest one.
    """
    places = _Places(season)
    found = Paginator(range(len(places)), LINES_A_PAGE).get_page(page)
    start = (found.number - 1) * LINES_A_PAGE
    rows = _rows(season, "ORDER BY {order} LIMIT %s OFFSET %s", [LINES_A_PAGE, start], in_public=in_public)
    lines = [_line(row, places, user) for row in rows]
    own = None
    if user is not None and not any(line.is_own for line in lines):
        of_user = _rows(season, "AND player.user_id = %s", [user.pk], in_public=in_public)
        own = next((_line(row, places, user) for row in of_user), None)
    return Table(lines, found, own)


def table_from(
    season: Season, start: int, most: int, *, in_public: bool = False, user: User | None = None
) -> list[TableLine]:
    """Return at most so many lines of the season's table, from the line `start` (0: the first) on (2 statements)."""
    places = _Places(season)
    rows = _rows(season, "ORDER BY {order} LIMIT %s OFFSET %s", [most, start], in_public=in_public)
    return [_line(row, places, user) for row in rows]


def table_top(season: Season, most: int, *, in_public: bool = False, user: User | None = None) -> list[TableLine]:
    """Return the first lines of the season's table that have a place (2 statements)."""
    places = _Places(season)
    rows = _rows(season, "AND standing.ranked ORDER BY {order} LIMIT %s", [most], in_public=in_public)
    return [_line(row, places, user) for row in rows]


def line_of(season: Season, player: Player, *, in_public: bool = False, user: User | None = None) -> TableLine | None:
    """Return a player's line of the table, None without one (at most 2 statements)."""
    rows = _rows(season, "AND player.id = %s", [player.pk], in_public=in_public)
    return _line(rows[0], _Places(season), user) if rows else None


def place_of(season: Season, player: Player) -> int | None:
    """Return a player's place in the table, None without one (2 statements)."""
    line = line_of(season, player)
    return line.place if line is not None else None


# Written out, because wording these statements takes Django longer than running them takes the database.

_SUMS = "standing.games, standing.nights, standing.wins, standing.bids, standing.exact, standing.points"
_NOW = "standing.ranked, standing.score, standing.tie"
_THEN = "standing.ranked_before, standing.score_before, standing.tie_before"
_ORDER = "standing.ranked DESC, standing.score DESC, standing.tie DESC"
_PUBLIC_NAME = "COALESCE(NULLIF(player.public_name, ''), player.name)"


def _listed(season: Season, *, with_players: bool = False) -> tuple[str, list[Any]]:
    """Return the standings that the season's table shows, as what stands behind FROM, and its values."""
    standings = "scoresheets_standing standing"
    joined = f"{standings} JOIN scoresheets_player player ON player.id = standing.player_id"
    if season.guests == Season.Guests.UNRANKED:
        return f"{joined} WHERE standing.season_id = %s AND NOT player.is_guest", [season.pk]
    return f"{joined if with_players else standings} WHERE standing.season_id = %s", [season.pk]


class _Row(NamedTuple):
    """A row of `_rows`, the columns in the order of the statement."""

    player: int
    name: str
    user: int | None
    sums: tuple[int, int, int, int, int, int]
    now: _Key
    before: _Key
    last_night: date


def _rows(season: Season, which: str, values: Sequence[Any], *, in_public: bool) -> list[_Row]:
    """Return lines of the table, those `which` says; in its order those with a place come first, equal ones by name."""
    listed, of_season = _listed(season, with_players=True)
    name = _PUBLIC_NAME if in_public else "player.name"
    order = f"{_ORDER}, LOWER({name}), player.id"
    what = f"player.id, {name}, player.user_id, {_SUMS}, {_NOW}, {_THEN}, standing.last_night"
    statement = f"SELECT {what} FROM {listed} {which.format(order=order)}"  # noqa: S608
    rows = _fetched(statement, [*of_season, *values])
    return [_Row(row[0], row[1], row[2], row[3:9], row[9:12], row[12:15], row[15]) for row in rows]


def _fetched(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def shown_name(*, in_public: bool, player: str = "player__") -> Expression | F:
    """Return the expression for the name to show of a player: for everybody the public one, if there is one."""
    own = F(f"{player}name")
    if not in_public:
        return own
    return Case(When(~Q(**{f"{player}public_name": ""}), then=f"{player}public_name"), default=own)


def _line(row: _Row, places: _Places, user: User | None) -> TableLine:
    player, name, account, sums, now, before, last_night = row
    was = before if last_night == places.last_night else now
    place = places.now(now)
    moved = places.before(was) - place if now[0] and was[0] else None
    is_own = user is not None and account == user.pk
    return TableLine(place if now[0] else None, moved, player, name, is_own, *sums, now[1])


# -- a club's seasons -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Podium:
    """The players on the first places of a season as (place, player, name); `has_more`: too many share the last one."""

    places: tuple[tuple[int, int, str], ...] = ()
    has_more: bool = False

    @property
    def winners(self) -> list[str]:
        """The names on the first place."""
        return [name for place, _player, name in self.places if place == 1]


@dataclass(frozen=True, slots=True)
class ListedSeason:
    """A season in a club's list, with whoever leads it or has won it."""

    season: Season
    podium: Podium


def seasons_page(
    club: Club, page: int = 1, *, in_public: bool = False, closed: bool | None = None, places: int = 1
) -> tuple[list[ListedSeason], Page[Season]]:
    """Return a page of the club's seasons, newest first, each with its first `places` (4 statements).

    `closed` leaves out those that are open (True) or closed (False).
    """
    seasons = Season.objects.filter(club=club).order_by("-starts_on", "-pk")
    if closed is not None:
        seasons = seasons.filter(closed_at__isnull=not closed)
    found = Paginator(seasons, SEASONS_A_PAGE).get_page(page)
    podiums = podiums_of(list(found), places, in_public=in_public)
    return [ListedSeason(season, podiums[season.pk]) for season in found], found


def podiums_of(seasons: Sequence[Season], places: int, *, in_public: bool = False) -> dict[int, Podium]:
    """Return the first places of each of these seasons by its id (2 statements)."""
    standings = Standing.objects.filter(season__in=[season.pk for season in seasons], ranked=True)
    if left_out := [season.pk for season in seasons if season.guests == Season.Guests.UNRANKED]:
        standings = standings.exclude(season__in=left_out, player__is_guest=True)
    order = [F("score").desc(), F("tie").desc(), F("player").asc()]
    first = (
        standings.annotate(number=Window(RowNumber(), partition_by="season", order_by=order))
        .filter(number__lte=MOST_ON_PODIUM + 1)
        .order_by("season", "number")
        .values_list("season", "number", "score", "tie", "player")
    )
    found: dict[int, list[tuple[int, int]]] = {season.pk: [] for season in seasons}
    level: tuple[Any, ...] = ()
    place = 0
    for season, number, score, tie, player in first:
        if (season, score, tie) != level:
            level, place = (season, score, tie), number
        if place <= places:
            found[season].append((place, player))
    # Without names, which would be read for every line of all these tables.
    players = Player.objects.filter(pk__in={player for podium in found.values() for _place, player in podium})
    names = dict(players.annotate(shown=shown_name(in_public=in_public, player="")).values_list("pk", "shown"))
    return {
        season: Podium(
            tuple((place, player, names[player]) for place, player in podium[:MOST_ON_PODIUM]),
            has_more=len(podium) > MOST_ON_PODIUM,
        )
        for season, podium in found.items()
    }


def current_season(club: Club) -> Season | None:
    """Return the season that the club plays now: the newest one under way, else the newest that began (1 statement)."""
    tonight = night_of(timezone.now(), club.time_zone)
    begun = Season.objects.filter(club=club, starts_on__lte=tonight)
    is_over = Case(When(Q(closed_at__isnull=False) | Q(ends_on__lt=tonight), then=1), default=0)
    return begun.order_by(is_over, "-starts_on", "-pk").first()


def season_of(club_id: int, season_id: int) -> Season | None:
    """Return the season with this id, with its club, or None if that club has no such season (1 statement)."""
    source = (
        "scoresheets_season JOIN scoresheets_club ON scoresheets_club.id = scoresheets_season.club_id"
        " WHERE scoresheets_season.id = %s AND scoresheets_season.club_id = %s"
    )
    for season, club in read_pairs(Season, Club, source, [season_id, club_id]):
        season.club = club
        return season
    return None


# -- the games behind a number ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game of a player in a season: its league `points` in sixtieths, and whether they count among the best.

    `rank` is the place at the table of `players`, which `level` share.
    """

    game: int
    night: date
    total: int
    rank: int
    level: int
    players: int
    exact: int
    bids: int
    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Behind:
    """All that a player's line in a season is made of, newest first; `games` are those of the `page`."""

    line: rules.LeagueLine
    games: list[CountedGame]
    page: Page[CountedGame]


def games_behind(season: Season, player: Player, page: int = 1) -> Behind:
    """Return the games behind a canonical player's numbers in a season (1 statement)."""
    line, games = counted_games(season, player)
    found = Paginator(games, GAMES_A_PAGE).get_page(page)
    return Behind(line, list(found), found)


def counted_games(season: Season, player: Player) -> tuple[rules.LeagueLine, list[CountedGame]]:
    """Return a canonical player's line in a season, and all games it is made of, newest first (1 statement).

    The line is worked out anew from them, so both always fit together, also while the table waits to be worked out.
    """
    league = season.league_rules
    columns = ("game", "night", "total", "rank", "level", "players", "exact")
    results = counted_results(season).filter(player=player).order_by("started_at", "game")
    rows: list[Any] = list(results.values(*columns, bids=F("rounds")))
    played = [rules.league_result(league, **{name: row[name] for name in _OF_A_RESULT}) for row in rows]
    line = rules.league_line(league, played)
    counted = set(line.counted)
    games = [
        CountedGame(**row, points=result.points, counts=number in counted)
        for number, (row, result) in enumerate(zip(rows, played, strict=True))
    ]
    return line, games[::-1]


def counted_results(season: Season) -> QuerySet[Result]:
    """Return the results that a season counts, of all players."""
    return Result.objects.filter(counting_for(season))
