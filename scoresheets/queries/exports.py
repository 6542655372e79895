"""What a club takes away as tables: its finished games with their rounds, and its players.

Games are read some hundred at once, so that a club of any size costs the memory of one such chunk. Only finished games
are here, those ended early too: what is under way, abandoned or voided has no result that counts, and the bids of a
running round are nobody else's business.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Sum, When
from django.db.models.functions import Lower

import rules
from scoresheets.models import Club, Game, Result, Round, Seat
from scoresheets.models.games import HOUSE_RULE_FIELDS
from scoresheets.models.tallies import counting_for
from scoresheets.queries.lifetime import FEWEST_RATED, Filters

#: So many games are read together, in their own statements.
GAMES_A_CHUNK = 500


class ExportedSeat(NamedTuple):
    """Who sat in a game, by the name the club knows them by now, and what came of it.

    `player` is the canonical player's id, None for somebody the club does not know. `place` is None for those who left.
    `cells` has what was recorded of each scored round, round 1 first: [bid, tricks, points] or [bid, tricks, points,
    blind, cloud], None for rounds the seat did not play. `beside` are points added beside the rounds, each as [rounds
    scored before, points]; `starting` those the seat began with. Cells and points beside are there only with rounds.
    """

    id: int
    name: str
    player: int | None
    total: int
    exact: int
    rounds: int
    place: int | None
    starting: int
    beside: Sequence[Sequence[int]]
    cells: Sequence[Sequence[int] | None]

    @property
    def running(self) -> list[int]:
        """The seat's total after each scored round."""
        found, total = [], self.starting
        for number, cell in enumerate(self.cells, start=1):
            # Points from before the first round, or of rounds taken back since, are in the total of a scored one.
            total += sum(points for after, points in self.beside if min(max(after, 1), len(self.cells)) == number)
            total += cell[2] if cell is not None else 0
            found.append(total)
        return found


class ExportedRound(NamedTuple):
    """A scored round: its cards, the name of who dealt, and its bombs."""

    cards: int
    dealer: str
    bombs: int


class ExportedGame(NamedTuple):
    """A finished game; moments are aware, `seats` in dealing order with everybody who sat there.

    `is_sheet` is False where only the points are known. `rounds` are by number; there are none unless asked for.
    """

    id: int
    started_at: datetime
    finished_at: datetime
    house: rules.HouseRules
    incomplete: bool
    is_sheet: bool
    first_dealer: int
    seats: Sequence[ExportedSeat]
    rounds: Mapping[int, ExportedRound]


# -- games ----------------------------------------------------------------------------------------------------------


def exported_games(club: Club, filters: Filters, *, with_rounds: bool = False) -> Iterator[ExportedGame]:
    """Yield the club's finished games that the filters leave, the oldest first.

    2 statements for each `GAMES_A_CHUNK` of them, 3 with rounds, and 1 where the last chunk is a full one. A season
    leaves the games that it counts.
    """
    games = _games(club, filters).order_by("started_at", "pk")
    columns = ("pk", "started_at", "finished_at", *HOUSE_RULE_FIELDS, "incomplete", "detail", "first_dealer")
    behind = Q()
    while chunk := list(games.filter(behind).values(*columns)[:GAMES_A_CHUNK]):
        yield from _with_seats(chunk, with_rounds=with_rounds)
        if len(chunk) < GAMES_A_CHUNK:
            return
        moment, pk = chunk[-1]["started_at"], chunk[-1]["pk"]
        # The first condition is in the second one, but lets the database begin there.
        behind = Q(started_at__gte=moment) & (Q(started_at__gt=moment) | Q(pk__gt=pk))


def seats_exported(club: Club, filters: Filters) -> int:
    """Return how many seats the games that the filters leave have (1 statement)."""
    return Seat.objects.filter(game__in=_games(club, filters)).count()


def bids_exported(club: Club, filters: Filters) -> int:
    """Return how many bids the rounds of the games that the filters leave have (1 statement)."""
    return Seat.objects.filter(game__in=_games(club, filters)).aggregate(bids=Sum("rounds"))["bids"] or 0


def _games(club: Club, filters: Filters) -> QuerySet[Game]:
    games = Game.objects.filter(_nights(filters), club=club, state=Game.State.FINISHED, halted=Game.Halted.NOT)
    if filters.season is not None:
        games = games.filter(Exists(Result.objects.filter(counting_for(filters.season), game=OuterRef("pk"))))
    return games


def _nights(filters: Filters) -> Q:
    """Return the dates of the filters as a condition on games or results."""
    since = Q() if filters.since is None else Q(night__gte=filters.since)
    return since if filters.until is None else since & Q(night__lte=filters.until)


def _with_seats(games: Sequence[Mapping[str, Any]], *, with_rounds: bool) -> Iterator[ExportedGame]:
    ids = [game["pk"] for game in games]
    seats = _seats_of(ids, with_rounds=with_rounds)
    rounds = _rounds_of(ids, seats) if with_rounds else {}
    for game in games:
        values = {name: game[name] for name in HOUSE_RULE_FIELDS}
        yield ExportedGame(
            id=game["pk"],
            started_at=game["started_at"],
            finished_at=game["finished_at"],
            house=rules.HouseRules(**values | {"specials": tuple(values["specials"])}),
            incomplete=game["incomplete"],
            is_sheet=game["detail"] == Game.Detail.ROUNDS,
            first_dealer=game["first_dealer"],
            seats=seats[game["pk"]],
            rounds=rounds.get(game["pk"], {}),
        )


def _seats_of(games: Sequence[int], *, with_rounds: bool) -> dict[int, list[ExportedSeat]]:
    """Return the seats of these games in dealing order (1 statement)."""
    columns: tuple[str, ...] = ("game", "pk", "player__canonical__name", "player__canonical", "total", "exact")
    columns += ("rounds", "rank", "presence", "starting", "name")
    # Reading these takes longer than all else.
    columns += ("adjustments", "line") if with_rounds else ()
    found: dict[int, list[ExportedSeat]] = defaultdict(list)
    on_sheet: dict[int, list[str]] = defaultdict(list)
    rows = Seat.objects.filter(game__in=games).order_by("game", "position").values_list(*columns)
    for game, pk, known, player, total, exact, played, rank, presence, starting, name, *rounds in rows:
        beside, cells = rounds or ((), ())
        place = None if presence else rank
        seat = ExportedSeat(pk, known or name, player, total, exact, played, place, starting, beside, cells)
        found[game].append(seat)
        on_sheet[game].append(name)
    for game, seats in found.items():
        if len({seat.name.casefold() for seat in seats}) < len(seats):
            # Somebody the club does not know is called as another one is by now: on the sheet all names differ.
            found[game] = [seat._replace(name=name) for seat, name in zip(seats, on_sheet[game], strict=True)]
    return found


def _rounds_of(
    games: Sequence[int], seats: Mapping[int, Sequence[ExportedSeat]]
) -> dict[int, dict[int, ExportedRound]]:
    """Return the scored rounds of these games by number (1 statement)."""
    names = {seat.id: seat.name for game in games for seat in seats[game]}
    found: dict[int, dict[int, ExportedRound]] = defaultdict(dict)
    rows = Round.objects.filter(game__in=games, state=Round.State.SCORED)
    for game, number, cards, dealer, bombs in rows.values_list("game", "number", "cards", "dealer", "bombs"):
        found[game][number] = ExportedRound(cards, names.get(dealer, ""), bombs)
    return found


# -- players --------------------------------------------------------------------------------------------------------


class ExportedPlayer(NamedTuple):
    """A player's games added up: `wins` (of them `shared` ones), `points`, `best` and `worst` are of `ranked` games.

    `best` and `worst` are None without any; `rating` is None with fewer than 10 rated games and where games are left
    out, because it is of all of them.
    """

    name: str
    games: int
    ranked: int
    wins: int
    shared: int
    points: int
    best: int | None
    worst: int | None
    bids: int
    exact: int
    rating: float | None


def exported_players(club: Club, filters: Filters) -> list[ExportedPlayer]:
    """Return the club's players with the games that the filters leave, by name (1 statement)."""
    results = Result.objects.filter(_nights(filters), club=club)
    if filters.season is not None:
        results = results.filter(counting_for(filters.season))
    ranked, won = Q(rank__isnull=False), Q(rank=1)
    tally = "player__tally__"
    rows = results.values("player").annotate(
        name=F("player__name"),
        games=Count("pk"),
        ranked=Count("pk", filter=ranked),
        wins=Count("pk", filter=won),
        shared=Count("pk", filter=won & Q(level__gt=1)),
        points=Sum("total", filter=ranked, default=0),
        best=Max("total", filter=ranked),
        worst=Min("total", filter=ranked),
        bids=Sum("rounds"),
        hits=Sum("exact"),
        rating=Case(When(**{f"{tally}rated__gte": FEWEST_RATED}, then=f"{tally}rating_mu")),
    )
    columns = ("name", "games", "ranked", "wins", "shared", "points", "best", "worst", "bids", "hits", "rating")
    found = [ExportedPlayer(*row) for row in rows.order_by(Lower("name"), "player").values_list(*columns)]
    return [player._replace(rating=None) for player in found] if filters else found
