"""Evenings as pages show them: the next one, those that were, one with its people, tables, games and results."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Lower
from django.utils import timezone

from scoresheets.models import (
    Attendance,
    CalendarAddress,
    Club,
    DrawnSeat,
    DrawnTable,
    Evening,
    Game,
    Player,
    Result,
    User,
)
from scoresheets.queries.clubs import ClubGame, with_seats

EVENINGS_A_PAGE = 20
#: So many planned ones are listed at once, and so many evenings are in the calendar.
MOST_PLANNED = 60
MOST_IN_CALENDAR = 500
#: An evening that nobody opened is over so long after its beginning.
OVER_AFTER = timedelta(hours=12)
#: The calendar goes back so far.
CALENDAR_LOOKS_BACK = timedelta(days=365)

Answer = Attendance.Answer

#: Where an evening stands. One that nobody opened is over some time after its beginning.
PLANNED, OPEN, OVER, CANCELLED = STATES = ("planned", "open", "over", "cancelled")


def evening_in(club: Club, evening_id: int) -> Evening | None:
    """Return the club's evening with this id, None if there is none (1 statement)."""
    return Evening.objects.filter(club=club, pk=evening_id).first()


# -- the table of an evening ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EveningStanding:
    """A player's line in the table of an evening; `points` are those on the sheets, wins may be shared ones."""

    rank: int
    player: int
    name: str
    public_name: str
    games: int
    wins: int
    points: int
    exact: int
    bids: int

    @property
    def shown_publicly(self) -> str:
        """The name for pages that everybody may read."""
        return self.public_name or self.name

    @property
    def exact_rate(self) -> float | None:
        """The share of exact bids, 0 to 1; None without bids."""
        return self.exact / self.bids if self.bids else None


def _tables_of(club: Club, evenings: Sequence[Evening]) -> dict[int, list[EveningStanding]]:
    """Return the table of each evening by its id, best first (1 statement; none without evenings).

    More wins are better, then more points, then a greater share of exact bids; equal in all three is the same rank.
    """
    tables: dict[int, list[dict[str, Any]]] = {evening.pk: [] for evening in evenings}
    # By night as well: results have an index for that.
    results = Result.objects.filter(
        club=club, night__in={evening.night for evening in evenings}, evening__in=list(tables)
    )
    rows = results.order_by().values("evening", "player", name=F("player__name"), public_name=F("player__public_name"))
    rows = rows.annotate(
        games=Count("pk"),
        wins=Count("pk", filter=Q(rank=1)),
        points=Sum("total"),
        hits=Sum("exact"),
        bids=Sum("rounds"),
    )
    for row in rows if tables else ():
        tables[row["evening"]].append(dict(row))
    return {evening: _ranked(lines) for evening, lines in tables.items()}


def _ranked(rows: Sequence[Mapping[str, Any]]) -> list[EveningStanding]:
    def worth(row: Mapping[str, Any]) -> tuple[int, int, float]:
        return -row["wins"], -row["points"], -row["hits"] / row["bids"] if row["bids"] else 0.0

    best_first = sorted(rows, key=lambda row: (*worth(row), row["name"].casefold(), row["player"]))
    standings: list[EveningStanding] = []
    for place, row in enumerate(best_first, start=1):
        is_level = standings and worth(row) == worth(best_first[place - 2])
        rank = standings[-1].rank if is_level else place
        kept = {name: row[name] for name in ("player", "name", "public_name", "games", "wins", "points", "bids")}
        standings.append(EveningStanding(rank, exact=row["hits"], **kept))
    return standings


# -- lists ----------------------------------------------------------------------------------------------------------


def evenings_of(club: Club) -> QuerySet[Evening]:
    """Return the club's evenings with `played`: how many games of each count."""
    games = Game.objects.filter(evening=OuterRef("pk"), counted=True).order_by().values("evening")
    counted = Subquery(games.annotate(count=Count("pk")).values("count"))
    return Evening.objects.filter(club=club).annotate(played=counted)


def state_of(evening: Evening) -> str:
    """Return which of `STATES` an evening is in."""
    if evening.cancelled_at is not None:
        return CANCELLED
    if evening.is_open:
        return OPEN
    is_over = evening.closed_at is not None or evening.starts_at < timezone.now() - OVER_AFTER
    return OVER if is_over else PLANNED


def in_state(state: str) -> Q:
    """Return the evenings that are in one of `STATES`, as a condition."""
    called_off = Q(cancelled_at__isnull=False)
    opened = Q(opened_at__isnull=False, closed_at__isnull=True)
    if state == CANCELLED:
        return called_off
    return ~called_off & {OPEN: opened, OVER: _is_over(), PLANNED: ~opened & ~_is_over()}[state]


def _is_over() -> Q:
    return Q(closed_at__isnull=False) | Q(opened_at__isnull=True, starts_at__lt=timezone.now() - OVER_AFTER)


def _to_come(club: Club) -> QuerySet[Evening]:
    """Return the club's evenings that are open or to come, those called off too; the open one first, then by time."""
    evenings = Evening.objects.filter(club=club, closed_at__isnull=True)
    evenings = evenings.filter(Q(starts_at__gte=timezone.now() - OVER_AFTER) | Q(opened_at__isnull=False))
    return evenings.order_by(F("opened_at").asc(nulls_last=True), "starts_at", "pk")


def _over(club: Club) -> QuerySet[Evening]:
    """Return the club's evenings that are over, the newest first, with `played`: how many games of it count."""
    return evenings_of(club).filter(_is_over()).order_by("-starts_at", "-pk")


def planned_evenings(club: Club) -> list[Evening]:
    """Return the evenings that are open or to come, the open one first, at most 60 (1 statement)."""
    return list(_to_come(club)[:MOST_PLANNED])


@dataclass(frozen=True, slots=True)
class EveningLine:
    """An evening that is over: how many people played how many games that count, and who leads its table."""

    evening: Evening
    people: int
    games: int
    winners: Sequence[EveningStanding]


@dataclass(frozen=True, slots=True)
class EveningsPage:
    """One page of the evenings that are over; `page` is Django's, whose objects the lines are of."""

    lines: list[EveningLine]
    page: Page[Evening]


def past_evenings(club: Club, number: int = 1) -> EveningsPage:
    """Return a page of 20 evenings that are over, newest first (at most 3 statements).

    Pages count from 1; one that is not there is the nearest one.
    """
    page = Paginator(_over(club), EVENINGS_A_PAGE).get_page(number)
    return EveningsPage(lines_of(club, list(page)), page)


def begun_evenings(club: Club, most: int = EVENINGS_A_PAGE) -> list[Evening]:
    """Return the newest evenings in which games can have been played, those called off left out (1 statement)."""
    begun = Evening.objects.filter(club=club, cancelled_at__isnull=True)
    begun = begun.filter(Q(starts_at__lte=timezone.now()) | Q(opened_at__isnull=False))
    return list(begun.order_by("-starts_at", "-pk")[:most])


def last_evenings(club: Club, most: int = 3) -> list[EveningLine]:
    """Return the newest evenings that are over and were not called off (at most 2 statements)."""
    return lines_of(club, list(_over(club).filter(cancelled_at__isnull=True)[:most]))


def lines_of(club: Club, evenings: Sequence[Evening]) -> list[EveningLine]:
    """Return a line of each of these evenings of `evenings_of` (1 statement; none without evenings)."""
    tables = _tables_of(club, evenings)
    lines = []
    for evening in evenings:
        table = tables[evening.pk]
        winners = [line for line in table if line.rank == 1]
        # `played` is of the statement that read the evening.
        lines.append(EveningLine(evening, len(table), getattr(evening, "played", None) or 0, winners))
    return lines


# -- who comes ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NextEvening:
    """The evening that is open or comes next. Who comes is counted for members only, else all of it is 0.

    `awaited` are players with a seat at the club's tables who have not answered, guests left aside. `own` is the
    player that the account is, None if it is none; `own_answer` is "" as long as they have not answered.
    """

    evening: Evening
    yes: int = 0
    maybe: int = 0
    no: int = 0
    awaited: int = 0
    own: int | None = None
    own_answer: str = ""


def next_evening(club: Club, user: User | None = None, *, with_attendance: bool = True) -> NextEvening | None:
    """Return the club's open evening, or the next one that is not called off; None without one (at most 2 statements).

    `user` is the account whose own answer is looked for.
    """
    evenings = _to_come(club).filter(cancelled_at__isnull=True)
    if not with_attendance:
        evening = evenings.first()
        return NextEvening(evening) if evening is not None else None
    known = Player.objects.on_roster().filter(club=club).order_by().values("club").annotate(count=Count("pk"))
    own = Player.objects.filter(club=club, user=user).values("pk")[:1] if user is not None else None
    evening = evenings.annotate(
        known=Subquery(known.filter(is_guest=False).values("count")),
        **({"own": Subquery(own)} if own is not None else {}),
    ).first()
    if evening is None:
        return None
    answers = _attendances(evening)
    counted = Counter(row.answer for row in answers.values())
    known_people = sum(not row.player.canonical.is_guest and bool(row.answer) for row in answers.values())
    own_id: int | None = getattr(evening, "own", None)
    return NextEvening(
        evening,
        yes=counted[Answer.YES],
        maybe=counted[Answer.MAYBE],
        no=counted[Answer.NO],
        awaited=max(0, (getattr(evening, "known", None) or 0) - known_people),
        own=own_id,
        own_answer=answers[own_id].answer if own_id in answers else "",
    )


def _attendances(evening: Evening) -> dict[int, Attendance]:
    """Return what is noted of each canonical player, with the player (1 statement).

    What was noted of a duplicate stands where nothing is noted of the player themselves; whoever of them is here is.
    """
    rows = Attendance.objects.filter(evening=evening).select_related("player__canonical").order_by("answered_at", "pk")
    found: dict[int, Attendance] = {}
    for row in sorted(rows, key=lambda row: row.player.is_canonical):
        before = found.get(row.player.canonical_id)
        if before is not None:
            row.is_here = row.is_here or before.is_here
            if not row.answer:
                row.answer, row.answered_at = before.answer, before.answered_at
        found[row.player.canonical_id] = row
    return found


# -- one evening ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EveningResults:
    """What everybody who may see the club sees of an evening: its games in the order they were started, its table.

    Voided games are left out; `running` are neither finished nor interrupted for good.
    """

    running: list[ClubGame]
    finished: list[ClubGame]
    abandoned: list[ClubGame]
    table: list[EveningStanding]


def evening_results(club: Club, evening: Evening) -> EveningResults:
    """Return the games of an evening and its table (3 statements)."""
    games = Game.objects.filter(evening=evening).exclude(halted=Game.Halted.VOIDED).order_by("started_at", "pk")
    played = with_seats(games)
    running, finished, abandoned = [], [], []
    for game in played:
        if game.game.halted == Game.Halted.ABANDONED:
            abandoned.append(game)
        elif game.game.is_finished:
            finished.append(game)
        else:
            running.append(game)
    return EveningResults(running, finished, abandoned, _tables_of(club, [evening])[evening.pk])


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom an evening is about: what they said, and whether they are here."""

    player: Player
    answer: str = ""
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class SittingTable:
    """A table of a sitting with its people in dealing order."""

    table: DrawnTable
    players: Sequence[Player]

    @property
    def is_started(self) -> bool:
        return self.table.game_id is not None


@dataclass(frozen=True, slots=True)
class Sitting:
    """A sitting: its tables by number, who sits out, and who is here without a place in it, both by name."""

    number: int
    tables: Sequence[SittingTable]
    sit_out: Sequence[Player]
    unplaced: Sequence[Player]

    @property
    def is_started(self) -> bool:
        """Whether a game of it was started."""
        return any(table.is_started for table in self.tables)

    @property
    def is_ready(self) -> bool:
        """Whether there is a table whose game can be started."""
        return any(not table.is_started for table in self.tables)


@dataclass(frozen=True, slots=True)
class EveningPlanning:
    """Who comes to an evening, and its sittings, the newest first; people are the roster and all who have answered.

    `own` is who the account is; None if it is nobody the club knows.
    """

    people: Sequence[Person]
    sittings: Sequence[Sitting]
    own: Person | None

    def who(self, answer: str) -> list[Person]:
        """Return those who gave this answer; of "" the guests are left aside, who are not asked."""
        return [person for person in self.people if person.answer == answer and (answer or not person.player.is_guest)]

    @property
    def here(self) -> list[Person]:
        """Return those who are here."""
        return [person for person in self.people if person.is_here]


def evening_planning(club: Club, evening: Evening, user: User | None = None) -> EveningPlanning:
    """Return who comes, who is here and the tables drawn (4 statements); people by name."""
    noted = _attendances(evening)
    known = list(Player.objects.on_roster().filter(club=club).order_by(Lower("name"), "pk"))
    on_roster = {player.pk for player in known}
    others = [row.player.canonical for pk, row in noted.items() if pk not in on_roster]
    people = []
    for player in [*known, *sorted(others, key=lambda player: player.name.casefold())]:
        row = noted.get(player.pk)
        people.append(Person(player, row.answer, row.is_here) if row is not None else Person(player))
    own = (person for person in people if user is not None and person.player.user_id == user.pk)
    here = {person.player.pk: person.player for person in people if person.is_here}
    return EveningPlanning(people, _sittings(evening, here), next(own, None))


def _sittings(evening: Evening, here: Mapping[int, Player]) -> list[Sitting]:
    """Return the sittings, newest first; `here` are those who may have no place yet, in order (2 statements)."""
    tables = {table.pk: table for table in DrawnTable.objects.filter(evening=evening)}
    seats = DrawnSeat.objects.filter(evening=evening).select_related("player__canonical").order_by("position", "pk")
    seated: dict[int, dict[int | None, list[Player]]] = defaultdict(lambda: defaultdict(list))
    for seat in seats:
        seated[seat.sitting][seat.table_id].append(seat.player.canonical)
    sittings = []
    for number in sorted(seated, reverse=True):
        at = seated[number]
        placed = {player.pk for players in at.values() for player in players}
        at_tables = [SittingTable(table, at[pk]) for pk, table in tables.items() if table.sitting == number]
        sittings.append(
            Sitting(
                number,
                sorted(at_tables, key=lambda one: one.table.number),
                sorted(at[None], key=lambda player: player.name.casefold()),
                [player for pk, player in here.items() if pk not in placed],
            )
        )
    return sittings


# -- the calendar ---------------------------------------------------------------------------------------------------


def calendar_evenings(club: Club) -> list[Evening]:
    """Return the evenings for the club's calendar, those called off too, by time (1 statement).

    The last year's and all to come, at most 500.
    """
    start = timezone.now() - CALENDAR_LOOKS_BACK
    return list(Evening.objects.filter(club=club, starts_at__gte=start).order_by("starts_at", "pk")[:MOST_IN_CALENDAR])


def calendar_address_of(club: Club) -> CalendarAddress | None:
    """Return what the club's calendar address is made of, None if there is none yet (1 statement)."""
    return CalendarAddress.objects.filter(club=club).first()
