"""Games as apps read them: many of a club at once, and what belongs to one of them beside its sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

import rules
from scoresheets.models import Entry, Game, Link, Player, Seat


class ListedGame(NamedTuple):
    """What a list says of a game; days and moments in ISO 8601, seats in dealing order.

    Each seat is (id, position, name, player id, presence, total, exact bids, rounds, rank).
    """

    id: int
    version: int
    club_id: int
    evening_id: int | None
    night: str
    detail: str
    state: str
    halted: str
    incomplete: bool
    table_changed: bool
    is_confirmed: bool
    edition: str
    ladder: str
    planned_rounds: int
    started_at: str
    finished_at: str | None
    seats: list[tuple[Any, ...]]


def games_with_player(games: QuerySet[Game], player_id: int) -> QuerySet[Game]:
    """Return those of the games in which a player sat, or anybody who was found to be the same person."""
    sat = Seat.objects.filter(game=OuterRef("pk"), player__canonical__group=player_id)
    return games.filter(Exists(sat))


def listed_games(ids: Sequence[int], *, is_public: bool) -> list[ListedGame]:
    """Return the club games with these ids, in their order (2 statements).

    On a public list players go by the names they show publicly.
    """
    if not ids:
        return []
    marks = ", ".join(["%s"] * len(ids))
    seats: dict[int, list[tuple[Any, ...]]] = {game: [] for game in ids}
    with connection.cursor() as cursor:
        cursor.execute(f"{_PUBLIC_SEATS if is_public else _SEATS} ({marks}) ORDER BY position", ids)
        for game, *seat in cursor.fetchall():
            seats[game].append(tuple(seat))
        is_postgresql = connection.vendor == "postgresql"
        length, plan = ("jsonb_array_length", "plan::jsonb") if is_postgresql else ("json_array_length", "plan")
        cursor.execute(_LISTED.format(length=length, plan=plan) + f"({marks})", ids)
        found = {row[0]: _listed(row, seats[row[0]]) for row in cursor.fetchall()}
    return [found[game] for game in ids]


def _listed(row: tuple[Any, ...], seats: list[tuple[Any, ...]]) -> ListedGame:
    known, (deck, variant, has_specials, *rest) = row[:11], row[11:]
    ladder, planned, started_at, finished_at = rest
    game, version, club, evening, night, detail, state, halted, incomplete, changed, is_confirmed = known
    return ListedGame(
        *(game, version, club, evening, str(night), detail, state, halted, bool(incomplete), bool(changed)),
        *(bool(is_confirmed), _edition(deck, variant, bool(has_specials)), ladder, planned),
        *(_moment(started_at), finished_at and _moment(finished_at), seats),
    )


@lru_cache
def _edition(deck: str, variant: str, has_specials: bool) -> str:
    specials = rules.SPECIALS[:1] if has_specials else ()
    return rules.edition_of(rules.HouseRules(deck=deck, variant=variant, specials=specials))


def _moment(stored: datetime) -> str:
    """Return a moment as texts have it; SQLite keeps it without its zone, which is UTC."""
    utc = stored if stored.tzinfo is None else stored.astimezone(UTC).replace(tzinfo=None)
    return f"{utc.isoformat()}Z"


_LISTED = """
SELECT id, version, club_id, evening_id, night, detail, state, halted, incomplete, table_changed,
       confirmed_version IS NOT NULL AND confirmed_version = version, deck, variant, {length}(specials) > 0,
       ladder, {length}({plan}), started_at, finished_at
FROM scoresheets_game WHERE id IN """
_SEATS = """
SELECT game_id, id, position, name, player_id, presence, total, exact, rounds, rank
FROM scoresheets_seat WHERE game_id IN"""
_PUBLIC_SEATS = """
SELECT seat.game_id, seat.id, seat.position, coalesce(nullif(person.public_name, ''), seat.name), seat.player_id,
       seat.presence, seat.total, seat.exact, seat.rounds, seat.rank
FROM scoresheets_seat seat
LEFT JOIN scoresheets_player player ON player.id = seat.player_id
LEFT JOIN scoresheets_player person ON person.id = player.canonical_id
WHERE seat.game_id IN"""


def public_names(game: Game) -> list[tuple[int, str]]:
    """Return the names that those who sat at a table show publicly, as (player's id, name), by id (1 statement)."""
    players = Player.objects.filter(seats__game=game).order_by("pk")
    return list(players.values_list("pk", "canonical__public_name"))


def confirmations_of(game: Game) -> list[Entry]:
    """Return the confirmations since the newest change of a game, oldest first (1 statement)."""
    changed = Entry.objects.filter(game=game).exclude(kind=Entry.Kind.CONFIRMED).order_by()
    newest = changed.values("game").annotate(newest=Max("version")).values("newest")
    return list(game.entries.filter(version__gt=Subquery(newest)).order_by("version"))


def links_of(game: Game) -> QuerySet[Link]:
    """Return a game's links, revoked ones too."""
    return Link.objects.filter(game=game)


def club_games(club_id: int) -> QuerySet[Game, Any]:
    """Return the ids of a club's games as dicts, in no order; `listed_games` has the rest."""
    return Game.objects.filter(club=club_id).order_by().values("id")


# -- the journal ----------------------------------------------------------------------------------------------------

#: What an entry says as it is told, as the columns are called.
TOLD = (
    *("id", "game_id", "version", "kind", "payload", "via", "label", "seat_id", "at", "reason"),
    *("user_id", "user__username", "game__hidden_bids", "game__secret_bids"),
)


def entries_of(game: Game) -> QuerySet[Entry, dict[str, Any]]:
    """Return the entries of a game as dicts of `TOLD`, in no order."""
    return Entry.objects.filter(game=game).order_by().values(*TOLD)


def entries_told_in(club_id: int, after: int, until: int) -> QuerySet[Entry, dict[str, Any]]:
    """Return the entries with ids above `after` up to `until` of a club's games, as dicts of `TOLD`, by id.

    Each also has `in_club`, the club of its game. A game that was moved away is told of once more, by the entry that
    moved it.
    """
    ours = Q(in_club=club_id) | Q(kind=Entry.Kind.MOVED, payload__from=club_id)
    # By the expression no index on clubs fits: the ids are few, a club's games are not.
    entries = Entry.objects.filter(pk__gt=after, pk__lte=until).annotate(in_club=Coalesce("game__club", 0))
    return entries.filter(ours).order_by("pk").values(*TOLD, "in_club")


def first_covered_rounds(rows: Collection[Mapping[str, Any]]) -> dict[int, int]:
    """Return the first round of each game whose bids are not shown yet, by the game's id (1 statement at most).

    `rows` are entries as dicts of `TOLD`, read before: what was uncovered afterwards may be told, but not what was
    covered in between. Games whose bids are spoken are left out. From that round on no bid may be told: what was bid
    in a round that was taken off the sheet may be bid again.
    """
    covering = {row["game_id"] for row in rows if row["game__hidden_bids"] or row["game__secret_bids"]}
    if not covering:
        return {}
    found = dict.fromkeys(covering, 1)
    newest = Game.objects.filter(pk__in=covering).annotate(newest=Max("rounds__number")).order_by()
    shown = Q(rounds__state="scored") | Q(
        Q(hidden_bids=True) & (Q(rounds__state="playing") | Q(rounds__shown_version__isnull=False))
    )
    newest = newest.annotate(newest_shown=Max("rounds__number", filter=shown))
    for game, shown_until in newest.values_list("pk", "newest_shown"):
        found[game] = (shown_until or 0) + 1
    return found
