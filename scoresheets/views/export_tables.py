"""The tables that a club is taken away in: their headings in words, and their rows as spreadsheets get them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from types import MappingProxyType
from zoneinfo import ZoneInfo

from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

import rules
from scoresheets import league_words
from scoresheets.formats.tables import Column, Value
from scoresheets.imports.words import FIELDS
from scoresheets.models import Club
from scoresheets.models.leagues import SIXTIETHS
from scoresheets.queries.exports import (
    ExportedGame,
    ExportedPlayer,
    bids_exported,
    exported_games,
    exported_players,
    seats_exported,
)
from scoresheets.queries.leagues import TableLine, table_from
from scoresheets.queries.lifetime import Filters
from scoresheets.rulebook import Text

#: More players than any club has: a season's table comes whole.
_ALL = 1_000_000
_NAME_WIDTH, _MOMENT_WIDTH = 24, 18
#: How a fact that holds is marked; an empty cell is one that does not.
_MARK = "x"


@dataclass(frozen=True, slots=True)
class Table:
    """A table on its way out: what its sheet is called, its columns, and its rows, which are read as they are taken.

    `size` says how many rows there are, for what cannot hold any number (1 statement at most).
    """

    title: str
    columns: Sequence[Column]
    rows: Iterator[Sequence[Value]]
    size: Callable[[], int]


def games_table(club: Club, filters: Filters) -> Table:
    """Return a line for each game and player, as the import of results reads them."""
    field = _fields()
    columns = (
        Column(field["game"]),
        Column(field["date"], _MOMENT_WIDTH),
        Column(field["player"], _NAME_WIDTH),
        Column(field["points"]),
        Column(field["place"]),
        Column(pgettext("a number", "Exact bids")),
        Column(_("Bids in all")),
        Column(_("People")),
        Column(_("Edition"), _NAME_WIDTH),
        Column(_("Ended early")),
    )
    zone = ZoneInfo(club.time_zone)
    editions = {name: str(words) for name, words in league_words.EDITIONS.items()}

    def lines_of(game: ExportedGame) -> Iterator[Sequence[Value]]:
        started_at, edition = _on_the_wall(game.started_at, zone), editions[rules.edition_of(game.house)]
        for seat in game.seats:
            bids = (seat.exact, seat.rounds) if game.is_sheet else (None, None)
            early = _MARK if game.incomplete else None
            yield game.id, started_at, seat.name, seat.total, seat.place, *bids, len(game.seats), edition, early

    rows = chain.from_iterable(map(lines_of, exported_games(club, filters)))
    return Table(pgettext("a table", "Games"), columns, rows, lambda: seats_exported(club, filters))


def rounds_table(club: Club, filters: Filters) -> Table:
    """Return a line for each round and player, as the import of sheets reads them."""
    field = _fields()
    columns = (
        Column(field["game"]),
        Column(field["date"], _MOMENT_WIDTH),
        Column(field["round"]),
        Column(field["cards"]),
        Column(field["bombs"]),
        Column(field["dealer"], _NAME_WIDTH),
        Column(field["player"], _NAME_WIDTH),
        Column(field["bid"]),
        Column(field["blind"]),
        Column(field["cloud"]),
        Column(field["tricks"]),
        Column(field["points"]),
        Column(field["total"]),
        Column(field["rules"], _NAME_WIDTH),
    )
    zone = ZoneInfo(club.time_zone)

    def lines_of(game: ExportedGame) -> Iterator[Sequence[Value]]:
        started_at = _on_the_wall(game.started_at, zone)
        running, house = [seat.running for seat in game.seats], rules.write_house(game.house)
        for number, played in game.rounds.items():
            for seat, totals in zip(game.seats, running, strict=True):
                # The seats were read first: a round may have been taken back or scored in between.
                cell = seat.cells[number - 1] if number <= len(seat.cells) else None
                if cell is None:
                    continue
                bid, tricks, points, *marks = cell
                blind, cloud = marks or (0, 0)
                before = (game.id, started_at, number, played.cards, played.bombs or None, played.dealer, seat.name)
                yield *before, bid, _MARK if blind else None, cloud or None, tricks, points, totals[number - 1], house

    rows = chain.from_iterable(map(lines_of, exported_games(club, filters, with_rounds=True)))
    return Table(pgettext("a table", "Rounds"), columns, rows, lambda: bids_exported(club, filters))


def standings_table(club: Club, filters: Filters) -> Table:
    """Return the table of the season that the filters name, its lines in order."""
    season = filters.season
    assert season is not None
    field = _fields()
    columns = (
        Column(field["place"]),
        Column(field["player"], _NAME_WIDTH),
        Column(_("Evenings")),
        Column(_("Games")),
        Column(_("Wins")),
        Column(_("Bids in all")),
        Column(pgettext("a number", "Exact bids")),
        Column(_("Exact rate"), is_share=True),
        Column(league_words.unit_of(season.formula), is_share=season.formula == "exact_rate"),
    )

    def row_of(line: TableLine) -> Sequence[Value]:
        decides: Value = line.score
        if season.formula not in ("mean", "exact_rate"):
            whole, rest = divmod(line.points, SIXTIETHS)
            decides = line.points / SIXTIETHS if rest else whole
        before = (line.place, line.name, line.nights, line.games, line.wins, line.bids, line.exact)
        return *before, _share(line.exact, line.bids), decides

    lines = table_from(season, 0, _ALL)
    return Table(season.name, columns, map(row_of, lines), lambda: len(lines))


def players_table(club: Club, filters: Filters) -> Table:
    """Return a line for each player who has finished one of the games, with all of these added up."""
    columns = (
        Column(_fields()["player"], _NAME_WIDTH),
        Column(_("Games")),
        Column(_("Ranked games")),
        Column(_("Wins")),
        Column(_("Shared wins")),
        Column(_("Points in all")),
        Column(_("Points a game")),
        Column(_("Highest total")),
        Column(_("Lowest total")),
        Column(_("Bids in all")),
        Column(pgettext("a number", "Exact bids")),
        Column(_("Exact rate"), is_share=True),
        Column(_("Rating")),
    )

    def row_of(player: ExportedPlayer) -> Sequence[Value]:
        wins = (player.name, player.games, player.ranked, player.wins, player.shared)
        mean = player.points / player.ranked if player.ranked else None
        points = (player.points, mean, player.best, player.worst)
        rating = round(player.rating) if player.rating is not None else None
        return *wins, *points, player.bids, player.exact, _share(player.exact, player.bids), rating

    players = exported_players(club, filters)
    return Table(pgettext("a table", "Players"), columns, map(row_of, players), lambda: len(players))


GAMES, ROUNDS, STANDINGS, PLAYERS = "games", "rounds", "standings", "players"
TABLES: Mapping[str, Callable[[Club, Filters], Table]] = MappingProxyType(
    {GAMES: games_table, ROUNDS: rounds_table, STANDINGS: standings_table, PLAYERS: players_table}
)
"""Each table by its name in addresses. Words are those of the language that is active when a table is made."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A table as the page offers it: its name in addresses, its title, and what is in it."""

    name: str
    title: Text
    line: Text


OFFERS = (
    Offer(
        GAMES,
        pgettext_lazy("a table", "Games"),
        gettext_lazy("A line for each game and player: points, place, exact bids. The import takes it in as results."),
    ),
    Offer(
        ROUNDS,
        pgettext_lazy("a table", "Rounds"),
        gettext_lazy("A line for each round and player: bid, tricks, points, total. The import takes it in as sheets."),
    ),
    Offer(
        STANDINGS,
        pgettext_lazy("a table", "Season's table"),
        gettext_lazy("The table of the season chosen above, with all of its games."),
    ),
    Offer(
        PLAYERS,
        pgettext_lazy("a table", "Players"),
        gettext_lazy("A line for each player: games, wins, points and bids, added up."),
    ),
)


def _fields() -> Mapping[str, str]:
    """Return the headings that the import knows."""
    return FIELDS["de" if get_language() == "de" else "en"]


def _on_the_wall(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return a moment as a clock in this time zone showed it, to the second: cells know no zones."""
    return moment.astimezone(zone).replace(tzinfo=None, microsecond=0)


def _share(part: int, of: int) -> float | None:
    return part / of if of else None
