"""What readers of foreign files return: plain games, and each problem with the place it was found at.

Problems are `rules.Problem` values. Those of a file carry the params `row` (an int, from 1, as the program that wrote
the file numbers it; 0: no row in particular) and `column` (a str such as "D (Tricks)"; "": no column in particular);
the problems of the rules carry both as well. `scoresheets.wording` has the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import rules

MOST_BYTES = 10 * 1024 * 1024
"""A larger file is refused before anything of it is read."""
MOST_ROWS = 200_000
MOST_COLUMNS = 200
MOST_GAMES = 5_000
MOST_PROBLEMS = 1_000
"""So many problems of one file are told; `FoundFile.problems_left_out` counts the others."""

SHEETS = "sheets"
RESULTS = "results"
BG_STATS = "bg_stats"
KINDS: tuple[str, ...] = (SHEETS, RESULTS, BG_STATS)
"""What a file holds: whole sheets with bids and tricks, bare points, or plays of the BG Stats app (bare points)."""

LONG = "long"
WIDE = "wide"
LAYOUTS: tuple[str, ...] = (LONG, WIDE)
"""How a table of sheets or results lies: a line for each player, or a block of columns for each player."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What whoever imports has said about the file.

    `house` are the rules that a sheet is measured by where it does not say otherwise. `day` is the day of games that
    name none (None: such games are refused). `games` are the names of the plays to take from a file that has those of
    many games, exactly as in `FoundFile.offers` (None: those that look like Wizard). `sheet` is the worksheet to read,
    by its title (None: the first one that is not empty).
    """

    house: rules.HouseRules = field(default_factory=rules.HouseRules)
    day: date | None = None
    games: frozenset[str] | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class FoundColumn:
    """A column as it was recognised: its letter, its header as written, what it means and whose it is.

    `meaning` is a field name such as "tricks", or "" for a column that is not read; `player` is the name in front of a
    column of the wide layouts. `index` is its place from 0.
    """

    letter: str
    header: str
    meaning: str = ""
    player: str = ""
    index: int = 0

    def __str__(self) -> str:
        return f"{self.letter} ({self.header})" if self.header else self.letter


@dataclass(frozen=True, slots=True)
class FoundGame:
    """One game that can be imported as it stands.

    `key` tells it apart within its file, whatever the choices; `label` is what the file calls it ("": nothing).
    `source` is the same wherever the same game is found again: the app's own id, else a digest of day, time, names and
    scores. `row` is where it begins. `day` is the day that the file says, by the time zone of the reading; `played_at`
    is aware and never later than `now`. Without a time in the file (`timed` false) it is noon and, for each further
    game of the day, a second more: games of a day stay in the order of the file.

    `names` are tidy and in dealing order, as are `points`, `ranks` and each of `rounds`; `first_dealer` is a place in
    them. `house` are the differences to `Choices.house`, for `dataclasses.replace` or `HouseRules.from_mapping`.
    `rounds` is None where only points are known. `cards` are the cards of each round and `ladder` the name of the
    ladder that has them ("free": none; only then `record_sheet` needs `cards`). `points` are the totals: worked out by
    the rules for a sheet, as told for bare results. `ranks` are the places by these points: for a sheet as its house
    rules decide a tie, equal ones shared for bare results.

    `warnings` are what the file says otherwise than the rules: "points_mismatch", "total_mismatch", "rank_mismatch",
    "dealer_mismatch" and "winner_mismatch", with row, column, told and found, and the seat where it is one's. The
    values above never follow them. `note` is what the file remarks on the game, up to 500 characters.
    """

    key: str
    source: str
    row: int
    day: date
    played_at: datetime
    timed: bool
    names: tuple[str, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    first_dealer: int = 0
    rounds: tuple[rules.PlayedRound, ...] | None = None
    cards: tuple[int, ...] = ()
    ladder: str = rules.LADDERS[0]
    house: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    label: str = ""
    warnings: tuple[rules.Problem, ...] = ()

    @property
    def is_sheet(self) -> bool:
        """Whether bids and tricks are known, for `record_sheet`; else there are bare points, for `record_results`."""
        return self.rounds is not None


@dataclass(frozen=True, slots=True)
class RefusedGame:
    """One game that cannot be imported, with every reason; `names` and `day` as far as they could be read."""

    key: str
    row: int
    problems: tuple[rules.Problem, ...]
    names: tuple[str, ...] = ()
    day: date | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """A game that a file of many games has plays of; `is_chosen`: these plays are read."""

    name: str
    plays: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FoundFile:
    """All that was found in a file; `games` and `refused` in the order of the file.

    `kind` is one of `KINDS`, "" if the file is none of them; `layout` is one of `LAYOUTS`, "" for files that are no
    tables. `problems` are those of the file as a whole: if there are any, there are no games. `warnings` are what was
    left out or looks odd without standing against an import: "column_unread", "plays_ignored", and "game_repeated"
    for a game with the `source` of an earlier one (`first`: its row).
    `encoding` and `delimiter` are those of a text, `sheet` and `sheets` the title read and all titles of a workbook.
    """

    kind: str = ""
    layout: str = ""
    games: tuple[FoundGame, ...] = ()
    refused: tuple[RefusedGame, ...] = ()
    problems: tuple[rules.Problem, ...] = ()
    warnings: tuple[rules.Problem, ...] = ()
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    columns: tuple[FoundColumn, ...] = ()
    offers: tuple[OfferedGame, ...] = ()
    problems_left_out: int = 0
