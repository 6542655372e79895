"""The yardstick of a rebuild: three of its nine tables in plain SQL, which is about the least that any program needs.

Tallies by player, by player and hand size, and by pair, each from bids and seats and nothing else. They are compared
with those that are kept, so that both have counted the same.
"""

from __future__ import annotations

import time

from django.db import connection
from django.db.backends.utils import CursorWrapper

_HIT = "CASE WHEN bid.tricks_bid + bid.cloud_delta = bid.tricks_taken THEN 1 ELSE 0 END"
_SAT = "JOIN scoresheets_player player ON player.id = seat.player_id"
#: The name of each table, how it is made, and the query for the same of what is kept.
_TABLES = {
    "by_player_and_cards": (
        f"""
        SELECT player.canonical_id AS player_id, round.cards, COUNT(*) AS bids, SUM({_HIT}) AS exact,
            SUM(bid.points) AS points
        FROM scoresheets_bid bid
        JOIN scoresheets_round round ON round.id = bid.round_id
        JOIN scoresheets_seat seat ON seat.id = bid.seat_id {_SAT}
        GROUP BY player.canonical_id, round.cards
        """,
        "SELECT player_id, cards, SUM(bids), SUM(exact), SUM(points_sum) FROM scoresheets_cardstally GROUP BY 1, 2",
    ),
    "by_player": (
        "SELECT player_id, SUM(bids) AS bids, SUM(exact) AS exact, SUM(points) AS points FROM by_player_and_cards"
        " GROUP BY player_id",
        "SELECT player_id, bids, exact, points_sum FROM scoresheets_playertally",
    ),
    "by_pair": (
        f"""
        SELECT player.canonical_id AS player_id, other.canonical_id AS opponent_id, COUNT(*) AS games,
            SUM(CASE WHEN seat.rank < facing.rank THEN 1 ELSE 0 END) AS above,
            SUM(CASE WHEN seat.rank > facing.rank THEN 1 ELSE 0 END) AS below
        FROM scoresheets_seat seat {_SAT}
        JOIN scoresheets_seat facing ON facing.game_id = seat.game_id AND facing.id <> seat.id
        JOIN scoresheets_player other ON other.id = facing.player_id
        GROUP BY player.canonical_id, other.canonical_id
        """,
        "SELECT player_id, opponent_id, games, above, below FROM scoresheets_pairtally",
    ),
}


def recount() -> tuple[float, list[str]]:
    """Make the tables, and return how many seconds that took and which of them are not what is kept.

    All games stored must count, and all tables have stayed as they were.
    """
    with connection.cursor() as cursor:
        start = time.perf_counter()
        for name, (made, _kept) in _TABLES.items():
            cursor.execute(f"CREATE TEMPORARY TABLE {name} AS {made}")
        seconds = time.perf_counter() - start
        wrong = [name for name, (_made, kept) in _TABLES.items() if _differ(cursor, f"SELECT * FROM {name}", kept)]
        for name in _TABLES:
            cursor.execute(f"DROP TABLE {name}")
    return seconds, wrong


def _differ(cursor: CursorWrapper, counted: str, kept: str) -> bool:
    for one, other in ((counted, kept), (kept, counted)):
        cursor.execute(f"SELECT * FROM ({one}) AS one EXCEPT SELECT * FROM ({other}) AS other LIMIT 1")
        if cursor.fetchone() is not None:
            return True
    return False
