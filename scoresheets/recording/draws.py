"""Tables of an evening: drawn so that people meet evenly, changed by hand, and the games that are started from them.

Every function here holds the club's lock. Those without a `key` may be sent twice: the second time changes nothing.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import combinations

from django.db import transaction
from django.db.models import Count, Max, Q

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Attendance, DrawnSeat, DrawnTable, Evening, Game, Player, Receipt, Seat
from scoresheets.recording import receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.evenings import locked_evening, seasons_of
from scoresheets.recording.games import Started, start_game, start_problems
from scoresheets.recording.links import secret_of
from scoresheets.recording.locks import locked_club

#: Where no season is on, meetings of so long ago are looked at when tables are drawn.
LOOKS_BACK = timedelta(days=365)
MOST_TABLES = 200


@transaction.atomic
def draw_tables(
    evening: Evening,
    *,
    by: Actor,
    sitting: int | None = None,
    tables: int | None = None,
    rng: random.Random | None = None,
    key: str | None = None,
) -> int:
    """Draw tables for all who are here and return the number of the sitting, which is the next one.

    Whoever has met seldom this season meets now, and whoever has sat out least often sits out, if anybody has to.
    `tables` limits the number of tables (0: everybody is left to be placed by hand). With a `sitting` that one is drawn
    anew. A repeat with the same key returns the same number. Raises `PermissionDenied`, `rules.RulesError`
    (`tables_out_of_range`), `Conflict` ("evening_not_open", "too_few_here": fewer than three,
    "sitting_unknown", "sitting_started": a game of it was, "key_reused"); then writes nothing.
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_run_evenings(by, club)
    fingerprint = receipts.fingerprint_of("draw_tables", evening.pk, sitting, tables)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        number: int = body["sitting"]
        return number
    if tables is not None and not 0 <= tables <= MOST_TABLES:
        raise rules.RulesError([rules.Problem.of("tables_out_of_range", most=MOST_TABLES)])
    _check_open(evening)
    here = sorted(_here(evening))
    if len(here) < rules.FEWEST_PLAYERS:
        raise Conflict("too_few_here")
    number = _cleared_sitting(evening, sitting)
    drawn = rules.draw_tables(
        here,
        rng or random.Random(secrets.randbits(64)),  # noqa: S311 - seeded from a secret source, and no secret itself
        met=_meetings(evening, here),
        sat_out=_sit_outs(evening, here),
        tables=tables,
    )
    _save_sitting(evening, number, dict(enumerate(drawn.tables, start=1)), drawn.sit_out)
    receipts.keep_answer(by, key, fingerprint, {"sitting": number})
    return number


def _check_open(evening: Evening) -> None:
    # A rematch belongs to the open evening: what is started in a closed one would be torn apart.
    if not evening.is_open:
        raise Conflict("evening_not_open")


def _here(evening: Evening) -> set[int]:
    """Return the canonical players who are here (1 statement)."""
    rows = Attendance.objects.filter(evening=evening, is_here=True)
    return set(rows.values_list("player__canonical", flat=True))


def _cleared_sitting(evening: Evening, sitting: int | None) -> int:
    """Return the number to draw for: the next one, or this one after its tables are taken away. Raises `Conflict`."""
    if sitting is None:
        newest: int | None = DrawnSeat.objects.filter(evening=evening).aggregate(newest=Max("sitting"))["newest"]
        return (newest or 0) + 1
    tables = DrawnTable.objects.filter(evening=evening, sitting=sitting)
    seats = DrawnSeat.objects.filter(evening=evening, sitting=sitting)
    if not seats.exists():
        raise Conflict("sitting_unknown")
    if tables.filter(game__isnull=False).exists():
        raise Conflict("sitting_started")
    seats.delete()
    tables.delete()
    return sitting


def _meetings(evening: Evening, players: Sequence[int]) -> Counter[frozenset[int]]:
    """Return how often each pair has played together this season, or is going to this evening (at most 3 statements).

    That is over games of all kinds but those abandoned or voided, and over tables drawn for other sittings that have no
    game yet.
    """
    seats = Seat.objects.filter(
        game__club=evening.club_id,
        game__night__gte=_looked_at_from(evening),
        game__night__lte=evening.night,
        player__canonical__in=players,
    ).exclude(game__halted__in=[Game.Halted.ABANDONED, Game.Halted.VOIDED])
    drawn = DrawnSeat.objects.filter(table__evening=evening, table__game__isnull=True, player__canonical__in=players)
    together: dict[tuple[str, int], set[int]] = defaultdict(set)
    for game, player in seats.values_list("game", "player__canonical"):
        together["game", game].add(player)
    for table, player in drawn.values_list("table", "player__canonical"):
        together["table", table].add(player)
    return Counter(frozenset(pair) for group in together.values() for pair in combinations(group, 2))


def _sit_outs(evening: Evening, players: Sequence[int]) -> dict[int, int]:
    """Return how often each has sat out: this evening before all, then this season (at most 2 statements)."""
    rows = DrawnSeat.objects.filter(
        table__isnull=True,
        evening__club=evening.club_id,
        evening__night__gte=_looked_at_from(evening),
        evening__night__lte=evening.night,
        player__canonical__in=players,
    )
    counted = rows.values("player__canonical").annotate(
        season=Count("pk"), today=Count("pk", filter=Q(evening=evening))
    )
    return {row["player__canonical"]: 10_000 * row["today"] + row["season"] for row in counted.order_by()}


def _looked_at_from(evening: Evening) -> date:
    seasons = seasons_of(evening)
    start: date = seasons[0].starts_on if seasons else evening.night - LOOKS_BACK
    return start


def _save_sitting(evening: Evening, sitting: int, tables: Mapping[int, Sequence[int]], sit_out: Iterable[int]) -> None:
    """Write tables by number, each a list of players in dealing order, and those who sit out."""
    made = DrawnTable.objects.bulk_create(
        DrawnTable(evening=evening, sitting=sitting, number=number) for number in tables
    )
    seats = [DrawnSeat(evening=evening, sitting=sitting, player_id=player) for player in sit_out]
    for table, players in zip(made, tables.values(), strict=True):
        seats += [
            DrawnSeat(evening=evening, sitting=sitting, table=table, player_id=player, position=position)
            for position, player in enumerate(players)
        ]
    DrawnSeat.objects.bulk_create(seats)


@transaction.atomic
def place_by_hand(evening: Evening, moves: Mapping[int, int | None], *, sitting: int, by: Actor) -> None:
    """Move people of a sitting to other tables, by player id: the number of a table, or None to sit out.

    All others stay where they are; whoever comes to a table takes the seat of somebody who leaves it, or sits down at
    its end: so two people change places. A number that is new makes a table, an empty table is gone. Somebody who came
    after the draw takes a place the same way. Raises `PermissionDenied`, `rules.RulesError` (`table_size`: three to six
    play at a table, `tables_out_of_range`), `Conflict` ("evening_not_open", "sitting_unknown", "table_started",
    "not_here"); then writes nothing.
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_run_evenings(by, club)
    _check_open(evening)
    now = _sitting_as_it_is(evening, sitting)
    if now is None:
        raise Conflict("sitting_unknown")
    tables, where, started = now
    known = dict(Player.objects.filter(club=club, pk__in=moves).values_list("pk", "canonical"))
    wanted = {known.get(player, player): table for player, table in moves.items()}
    if any(table is not None and not 1 <= table <= MOST_TABLES for table in wanted.values()):
        raise rules.RulesError([rules.Problem.of("tables_out_of_range", most=MOST_TABLES)])
    wanted = {player: table for player, table in wanted.items() if player not in where or where[player] != table}
    if set(wanted) - set(where) - _here(evening):
        raise Conflict("not_here")
    both = [*wanted.values(), *(where[player] for player in wanted if player in where)]
    touched = {number for number in both if number is not None}
    if touched & started:
        raise Conflict("table_started")
    for number in touched:
        coming = [player for player, table in wanted.items() if table == number]
        tables[number] = _changed(tables.get(number, []), wanted, coming)
    changed = {number: tables[number] for number in sorted(touched)}
    _check_sizes(changed)
    _replace(evening, sitting, changed, wanted)


def _changed(players: Sequence[int], moved: Collection[int], coming: Sequence[int]) -> list[int]:
    """Return a table after some were moved: those who come take the seats of those who leave, then the end."""
    left = list(coming)
    seats: list[int] = []
    for player in players:
        if player not in moved:
            seats.append(player)
        elif left:
            seats.append(left.pop(0))
    return seats + left


def _sitting_as_it_is(
    evening: Evening, sitting: int
) -> tuple[dict[int, list[int]], dict[int, int | None], set[int]] | None:
    """Return tables by number, each player's table (None: sits out), and the tables that have a game (1 statement)."""
    rows = DrawnSeat.objects.filter(evening=evening, sitting=sitting).order_by("table__number", "position", "pk")
    tables: dict[int, list[int]] = {}
    where: dict[int, int | None] = {}
    started: set[int] = set()
    for player, number, game in rows.values_list("player__canonical", "table__number", "table__game"):
        if player in where:  # and a duplicate who was merged meanwhile
            continue
        where[player] = number
        if number is not None:
            tables.setdefault(number, []).append(player)
            if game is not None:
                started.add(number)
    return (tables, where, started) if where else None


def _check_sizes(tables: Mapping[int, Sequence[int]]) -> None:
    """Raise `rules.RulesError` unless each of these tables is empty or one of three to six."""
    problems = [
        rules.Problem.of("table_size", table=number, people=len(players))
        for number, players in sorted(tables.items())
        if players and not rules.FEWEST_PLAYERS <= len(players) <= rules.MOST_PLAYERS
    ]
    if problems:
        raise rules.RulesError(problems)


def _replace(
    evening: Evening, sitting: int, tables: Mapping[int, Sequence[int]], moved: Mapping[int, int | None]
) -> None:
    """Write these tables anew, and of those who were moved who sits out."""
    seats = DrawnSeat.objects.filter(evening=evening, sitting=sitting)
    seats.filter(Q(table__number__in=tables) | Q(player__canonical__in=moved)).delete()
    DrawnTable.objects.filter(evening=evening, sitting=sitting, number__in=tables).delete()
    again = {number: players for number, players in tables.items() if players}
    _save_sitting(evening, sitting, again, [player for player, table in moved.items() if table is None])


@transaction.atomic
def discard_sitting(evening: Evening, *, sitting: int, by: Actor) -> None:
    """Take a sitting away, as if it had not been drawn; one that is gone already stays so.

    Raises `PermissionDenied`, `Conflict` ("evening_not_open", "sitting_started").
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_run_evenings(by, club)
    _check_open(evening)
    if DrawnSeat.objects.filter(evening=evening, sitting=sitting).exists():
        _cleared_sitting(evening, sitting)


# -- games ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def start_table_game(table: DrawnTable, *, by: Actor, key: str | None = None) -> Started:
    """Start the game of a drawn table by the club's rules and return it; the first seat deals first.

    A table has one game: whoever asks again gets that one, with its secret for a repeat with the same key and else "",
    for scorers of the club keep its score without a link. A club's tournament ladder is made for some numbers of
    players; all others play the full one. Raises `PermissionDenied`, `rules.RulesError` (as `start_game`), `Conflict`
    ("table_unknown": it is gone, "evening_not_open", "key_reused"); then writes nothing.
    """
    club, by = locked_club(table.evening.club_id, by)
    permissions.check_can_start_game(by, club)
    found = DrawnTable.objects.select_related("evening", "game").filter(pk=table.pk).first()
    if found is None:
        raise Conflict("table_unknown")
    if found.game is not None:
        return Started(found.game, _secret_again(found.game, by, key), repeated=True)
    _check_open(found.evening)
    rows = DrawnSeat.objects.filter(table=found).order_by("position").select_related("player__canonical")
    players = [row.player.canonical for row in rows]
    names = [player.name for player in players]
    house, ladder = club.house_rules, club.ladder
    if any(p.code == "ladder_players" for p in start_problems(names, house, first_dealer=0, ladder=ladder)):
        ladder = "full"
    started = start_game(
        names,
        house,
        first_dealer=0,
        ladder=ladder,
        by=by,
        club=club,
        players=[player.pk for player in players],
        evening=found.evening_id,
        key=key,
    )
    found.game = started.game
    found.save(update_fields=["game"])
    return started


def _secret_again(game: Game, by: Actor, key: str | None) -> str:
    """Return the secret that starting this game with the same key gave, "" to whoever did not start it so."""
    receipt = Receipt.of_key(by.receipt_owner, key) if key else None
    return secret_of(receipt.body["nonce"]) if receipt is not None and receipt.body.get("game") == game.pk else ""
