"""All games of a club that count, read in the order in which they were played, a batch at a time.

Rows are read and handed on as the database driver gives them: making model instances of them would take most of the
time of a rebuild. Times and dates are only compared with each other, and written back as they came.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection

import rules
from scoresheets.recording.statistics.contributions import Contribution, GameRow, SeatRow, contribution_of

GAMES_A_BATCH = 2000

_COUNTING = "game.club_id = %s AND game.state = 'finished' AND game.halted = ''"
_AFTER = "(game.started_at, game.id) > (%s, %s)"
_FROM = "game.started_at >= %s"
_OF_PLAYERS = "game.id IN (SELECT game_id FROM scoresheets_seat WHERE player_id IN ({ids}))"
_GAMES = """
    SELECT game.id, game.club_id, game.evening_id, game.night, game.started_at, game.plan, game.first_dealer, game.deck,
        game.specials, game.variant, game.tie_break, game.plus_minus_one, game.plus_minus_one_from, game.incomplete,
        game.table_changed
    FROM scoresheets_game game WHERE {where} ORDER BY game.started_at, game.id LIMIT %s
"""
_SEATS = """
    SELECT seat.game_id, seat.position, player.canonical_id, seat.total, seat.exact, seat.rank, seat.presence, seat.line
    FROM scoresheets_seat seat LEFT JOIN scoresheets_player player ON player.id = seat.player_id
    WHERE seat.game_id IN (SELECT game.id FROM scoresheets_game game WHERE {where}
        AND (game.started_at, game.id) <= (%s, %s))
    ORDER BY seat.game_id, seat.position
"""
_DEALERS = """
    SELECT round.game_id, dealer.position FROM scoresheets_round round
    JOIN scoresheets_seat dealer ON dealer.id = round.dealer_id
    WHERE round.game_id IN ({ids}) AND round.state = 'scored' ORDER BY round.game_id, round.number
"""


def contributions(
    club: int,
    *,
    incomplete_counts: bool,
    since: Any = None,
    of_players: Collection[int] = (),
    only_incomplete: bool = False,
    games_a_batch: int = GAMES_A_BATCH,
) -> Iterator[list[Contribution]]:
    """Return what each game of a club contributes, in batches: those started at `since` or later, in which one of these
    players (not only canonical ones) sat, that were ended early; all for what is not asked.
    """
    filters, values = _COUNTING, [club]
    if since is not None:
        filters, values = f"{filters} AND {_FROM}", [*values, since]
    if of_players:
        filters = f"{filters} AND {_OF_PLAYERS.format(ids=', '.join(['%s'] * len(of_players)))}"
        values = [*values, *of_players]
    if only_incomplete:
        filters = f"{filters} AND game.incomplete"
    where, given = filters, values
    while rows := _all(_GAMES.format(where=where), [*given, games_a_batch]):
        last = (rows[-1][4], rows[-1][0])
        seats = _seats_by_game(where, [*given, *last])
        dealers = _dealers([row[0] for row in rows if row[14]])
        yield [
            contribution_of(_game_row(row, dealers.get(row[0], ())), seats[row[0]], incomplete_counts=incomplete_counts)
            for row in rows
        ]
        where, given = f"{filters} AND {_AFTER}", [*values, *last]


def _all(statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def _seats_by_game(where: str, values: list[Any]) -> dict[int, list[SeatRow]]:
    rows = _all(_SEATS.format(where=where), values)
    return {game: [SeatRow(*row[1:]) for row in seats] for game, seats in groupby(rows, itemgetter(0))}


def _dealers(games: list[int]) -> dict[int, list[int]]:
    """Return the positions that dealt the rounds of these games."""
    found: dict[int, list[int]] = defaultdict(list)
    if games:
        for game, position in _all(_DEALERS.format(ids=", ".join(["%s"] * len(games))), games):
            found[game].append(position)
    return found


def _game_row(row: tuple[Any, ...], dealers: Any) -> GameRow:
    (game, club, evening, night, started_at, plan, first_dealer) = row[:7]
    deck, specials, variant, tie_break, plus_minus_one, plus_minus_one_from, incomplete, table_changed = row[7:]
    return GameRow(
        game,
        club,
        evening,
        night,
        started_at,
        _edition(deck, specials, variant),
        _plan(plan),
        first_dealer,
        plus_minus_one_from if plus_minus_one else None,
        tie_break,
        bool(incomplete),
        bool(table_changed),
        tuple(dealers),
    )


@lru_cache(maxsize=1024)
def _plan(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=1024)
def _edition(deck: str, specials: str, variant: str) -> str:
    return rules.edition_of(rules.HouseRules(deck=deck, specials=tuple(json.loads(specials)), variant=variant))
