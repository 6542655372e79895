"""Games that look wrong: what to look at before somebody asks why a table says what it says.

Games are looked through from the newest on, so many at a time, whatever is found among them: a page costs the same for
a club with a hundred thousand games. What looks odd need not be wrong, and nothing here changes anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

import rules
from scoresheets.models import Club, Entry, Game, ImportedGame, Seat

Kind = Entry.Kind
#: So many games are looked at for a page, and so many before them that they are compared with.
WINDOW, BESIDE = 500, 50
#: A page shows no more than so many.
A_PAGE = 50

#: A game nobody has written to for so long is not being played.
OPEN_FOR = timedelta(days=2)
#: Nobody bids and plays a round in so many seconds, on the mean of so many rounds.
FASTEST_ROUND, FEWEST_FAST = 20, 4
#: So many rounds are never alike by chance.
FEWEST_ALIKE = 4
#: What a club does so often, and more often than anything else, is what it usually does.
FEWEST_USUAL = 5
#: So many points beside the rounds decide a game.
MANY_POINTS = 100
#: What changes a game's points after its end.
CORRECTIONS = (Kind.ROUND_CORRECTED, Kind.RESULTS_CORRECTED, Kind.POINTS_ADJUSTED, Kind.REOPENED)


class Written(NamedTuple):
    """When and how often something was written to a game: the first and last moment and version."""

    first: datetime
    last: datetime
    first_version: int
    last_version: int
    times: int


class SuspectSeat(NamedTuple):
    """A seat of a game that is looked at; `person` is whoever its player was found to be, and `line` its text."""

    name: str
    player: int | None
    person: int | None
    total: int
    rounds: int
    adjustments: list[list[int]]
    line: str


class Reason(NamedTuple):
    """Why a game looks odd: a code of `KINDS` and the numbers and names that its sentence has in it."""

    code: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A game that looks odd, its seats in dealing order, and why, in the order of `KINDS`."""

    game: Game
    seats: tuple[SuspectSeat, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class SuspectPage:
    """Those of the games looked at that look odd, newest first.

    `looked_at` counts games; `older` is the id of the one behind which the next page begins, or None at the end.
    """

    suspects: tuple[Suspect, ...]
    looked_at: int
    older: int | None


@dataclass(frozen=True, slots=True)
class _Window:
    """Games with all that is asked about them, newest first."""

    now: datetime
    games: list[Game]
    seats: Mapping[int, list[SuspectSeat]]
    written: Mapping[int, Mapping[str, Written]]
    mismatches: Mapping[int, int]

    def rounds_of(self, game: Game) -> int:
        """Return how many rounds of a game are scored."""
        return max((seat.rounds for seat in self.seats[game.pk]), default=0)


def suspicions(*, club: Club | None = None, kind: str = "", before: int | None = None) -> SuspectPage:
    """Return the games that look odd among the newest ones, or those older than the game `before`.

    Of all clubs and quick games they go by their ids, of one `club` by when they were played. `kind` is one of `KINDS`,
    or "" for all. Voided games are never odd. At most 5 statements, whatever is found.
    """
    ordered = list(_games(club, before)[: WINDOW + BESIDE])
    window = _read(ordered)
    wanted = [kind] if kind else list(KINDS)
    found: dict[int, list[Reason]] = defaultdict(list)
    for name in wanted:
        for game, reason in KINDS[name](window):
            found[game].append(reason)
    looked_at = ordered[:WINDOW]
    odd = [game for game in looked_at if game.pk in found]
    shown = odd[:A_PAGE]
    older = None
    if len(odd) > A_PAGE:
        older = shown[-1].pk
    elif len(ordered) > WINDOW:
        older = looked_at[-1].pk
    if older is not None:
        looked_at = looked_at[: next(place for place, game in enumerate(looked_at, start=1) if game.pk == older)]
    return SuspectPage(
        tuple(Suspect(game, tuple(window.seats[game.pk]), tuple(found[game.pk])) for game in shown),
        len(looked_at),
        older,
    )


def _games(club: Club | None, before: int | None) -> QuerySet[Game]:
    """Return the games to look through in order; a `before` that is not among them begins at the newest."""
    games = Game.objects.select_related("club").exclude(halted=Game.Halted.VOIDED)
    if club is None:
        return games.order_by("-pk") if before is None else games.filter(pk__lt=before).order_by("-pk")
    games = games.filter(club=club).order_by("-started_at", "-pk")
    moment = Game.objects.filter(club=club, pk=before).values_list("started_at", flat=True).first() if before else None
    if moment is None:
        return games
    # The first condition is there for the index, which the second alone does not use.
    return games.filter(Q(started_at__lt=moment) | Q(started_at=moment, pk__lt=before), started_at__lte=moment)


def _read(games: list[Game]) -> _Window:
    ids = [game.pk for game in games]
    seats: dict[int, list[SuspectSeat]] = {game: [] for game in ids}
    rows = Seat.objects.filter(game__in=ids).annotate(text=Cast("line", TextField())).order_by("game", "position")
    named = ("name", "player", "player__canonical", "total", "rounds", "adjustments", "text")
    for game, *values in rows.values_list("game", *named):
        seats[game].append(SuspectSeat(*values))
    written: dict[int, dict[str, Written]] = {game: {} for game in ids}
    entries = Entry.objects.filter(game__in=ids).order_by().values_list("game", "kind")
    moments = (Min("at"), Max("at"), Min("version"), Max("version"), Count("pk"))
    for game, kind, *told in entries.annotate(*moments):
        written[game][kind] = Written(*told)
    imported = ImportedGame.objects.filter(game__in=ids, state=ImportedGame.State.MADE)
    mismatches = {game: len(notes) for game, notes in imported.values_list("game", "notes") if notes}
    return _Window(timezone.now(), games, seats, written, mismatches)


# -- the kinds ------------------------------------------------------------------------------------------------------

Found = Iterator[tuple[int, Reason]]


def _left_open(window: _Window) -> Found:
    """Find what is neither finished nor given up, and what was given up after it had begun."""
    for game in window.games:
        if game.is_finished:
            continue
        if game.halted == Game.Halted.ABANDONED:
            if rounds := window.rounds_of(game):
                yield game.pk, Reason("abandoned", {"rounds": rounds, "planned": len(game.plan)})
            continue
        newest = max((told.last for told in window.written[game.pk].values()), default=game.started_at)
        if (idle := window.now - newest) >= OPEN_FOR:
            yield game.pk, Reason("left_open", {"days": idle.days})


def _too_fast(window: _Window) -> Found:
    """Find what was written down round by round, but faster than it can be played; whole sheets have no pace."""
    for game in window.games:
        tricks = window.written[game.pk].get(Kind.TRICKS_RECORDED)
        if tricks is None or tricks.times < FEWEST_FAST:
            continue
        seconds = (tricks.last - tricks.first).total_seconds()
        if seconds < FASTEST_ROUND * (tricks.times - 1):
            yield game.pk, Reason("too_fast", {"rounds": tricks.times, "seconds": max(round(seconds), 1)})


def _twice(window: _Window) -> Found:
    """Find games that are there twice: the same people and totals in one night, or the same rounds any night."""
    finished = [game for game in window.games if game.is_finished]
    by_people: dict[Any, list[int]] = defaultdict(list)
    by_lines: dict[Any, list[int]] = defaultdict(list)
    for game in finished:
        seats = window.seats[game.pk]
        night = game.night or game.started_at.date()
        people = sorted((str(seat.person or seat.name.casefold()), seat.total) for seat in seats)
        by_people[game.club_id, night, tuple(people)].append(game.pk)
        if game.has_rounds and window.rounds_of(game) >= FEWEST_ALIKE:
            by_lines[game.club_id, tuple(sorted(seat.line for seat in seats))].append(game.pk)
    for code, groups in (("same_people", by_people), ("same_rounds", by_lines)):
        for alike in groups.values():
            for game_id in alike if len(alike) > 1 else ():
                other = next(one for one in alike if one != game_id)
                yield game_id, Reason(code, {"other": other})


def _too_short(window: _Window) -> Found:
    """Find what was ended early, and what was planned for fewer rounds than the club usually plays."""
    lengths: dict[Any, Counter[int]] = defaultdict(Counter)
    grouped = [(game, (game.club_id, game.ladder, len(window.seats[game.pk]))) for game in window.games]
    for game, group in grouped:
        if game.has_rounds and game.club_id is not None:
            lengths[group][len(game.plan)] += 1
    for game, group in grouped:
        if not game.has_rounds or game.halted:
            continue
        planned = len(game.plan)
        if game.is_finished and game.incomplete and window.rounds_of(game) < planned:
            yield game.pk, Reason("ended_early", {"rounds": window.rounds_of(game), "planned": planned})
            continue
        usual, often = (lengths[group].most_common(1) or [(0, 0)])[0]
        if planned < usual and often >= FEWEST_USUAL and 2 * often > lengths[group].total():
            values = {"planned": planned, "usual": usual, "players": len(window.seats[game.pk])}
            yield game.pk, Reason("short_plan", values)


def _mismatch(window: _Window) -> Found:
    """Find what was imported although its file's points are not those of the rules."""
    for game, count in window.mismatches.items():
        yield game, Reason("mismatch", {"count": count})


def _late_change(window: _Window) -> Found:
    """Find what was changed after everybody had agreed on it, or after it was locked."""
    for game in window.games:
        written = window.written[game.pk]
        changes = [written[kind] for kind in CORRECTIONS if kind in written]
        if not changes:
            continue
        confirmed = written.get(Kind.CONFIRMED)
        if confirmed is not None and max(told.last_version for told in changes) > confirmed.first_version:
            yield game.pk, Reason("after_confirmation", {})
        locks_at = game.locks_at
        if locks_at is not None and (last := max(told.last for told in changes)) > locks_at:
            yield game.pk, Reason("after_lock", {"days": (last - locks_at).days})


def _odd_points(window: _Window) -> Found:
    """Find points that no sheet gives, where only points are known, and many points beside the rounds."""
    for game in window.games:
        for seat in window.seats[game.pk]:
            if game.has_rounds:
                beside = sum(points for _after, points in seat.adjustments)
                if abs(beside) >= MANY_POINTS:
                    yield game.pk, Reason("adjusted", {"name": seat.name, "points": beside})
            elif not _is_possible(game, len(window.seats[game.pk]), seat.total):
                yield game.pk, Reason("impossible_points", {"name": seat.name, "points": seat.total})


def _is_possible(game: Game, players: int, points: int) -> bool:
    """Say whether a whole game of so many can give somebody these points."""
    cards = range(1, rules.most_rounds(game.house, players) + 1)
    most = sum(rules.round_points(hand, hand) for hand in cards)
    least = sum(rules.round_points(0, hand) for hand in cards)
    return points % 10 == 0 and least <= points <= most


def _same_person(window: _Window) -> Found:
    """Find somebody who sits at one table twice, under two names that are one person's."""
    for game in window.games:
        people = Counter(seat.person for seat in window.seats[game.pk] if seat.person is not None)
        for seat in window.seats[game.pk]:
            if seat.person is not None and people.pop(seat.person, 0) > 1:
                yield game.pk, Reason("same_person", {"name": seat.name})


#: What is looked for, by name, in the order in which reasons are given.
KINDS: Mapping[str, Callable[[_Window], Found]] = MappingProxyType(
    {
        "twice": _twice,
        "open": _left_open,
        "short": _too_short,
        "fast": _too_fast,
        "points": _odd_points,
        "import": _mismatch,
        "late": _late_change,
        "person": _same_person,
    }
)
