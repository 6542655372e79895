"""Bare results: a finished game of which only the points of each seat are known, and their correction.

Such a game has no rounds and an empty plan. A seat keeps its points as those it began with (`Seat.starting`): totals,
ranks and the block of the game then follow from its rows as those of any other game do, with no rule of their own, and
the database bounds them. Without exact bids to tell equal points apart, ties are shared whatever the tie rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Entry, Game, Player, Seat
from scoresheets.models.games import HOUSE_RULE_FIELDS, MOST_STARTING
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.finished import Where, append_entries, played_at_problems, write_finished
from scoresheets.recording.games import Outcome, Started
from scoresheets.recording.names import name_problems
from scoresheets.recording.writing import check_goes_on, derive_seats, finish_write, reason_problems

Kind = Entry.Kind
#: A seat has at most so many points, either way.
MOST_POINTS = MOST_STARTING
#: What says how much is known of the points: these two hold them.
RESULTS_KINDS = (Kind.RESULTS_RECORDED, Kind.RESULTS_CORRECTED)


def results_problems(
    names: Sequence[str],
    points: Sequence[int],
    *,
    ranks: Sequence[int | None] | None = None,
    played_at: datetime | None = None,
) -> tuple[rules.Problem, ...]:
    """Return every reason why these results cannot be recorded; none if they can. Parameters as in `record_results`.

    A place among `ranks` is checked, never believed: `rank_mismatch` names the seat, the place it was `told` and the
    one `found`. Where points are equal any of the places that they share will do, for what decided between them is not
    known here.
    """
    problems = list(name_problems(names))
    if not rules.FEWEST_PLAYERS <= len(names) <= rules.MOST_PLAYERS:
        problems.append(rules.Problem.of("players", players=len(names)))
    lengths = {"points": len(points)} | ({"ranks": len(ranks)} if ranks is not None else {})
    problems += [
        rules.Problem.of("wrong_length", what=what, expected=len(names), given=given)
        for what, given in lengths.items()
        if given != len(names)
    ]
    problems += points_problems(points)
    if ranks is not None and len(ranks) == len(points) == len(names):
        problems += _rank_problems(names, points, ranks)
    return (*problems, *played_at_problems(played_at))


def points_problems(points: Sequence[int]) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the points of each seat: there are more than `MOST_POINTS`, above 0 or below."""
    return tuple(
        rules.Problem.of("points_out_of_range", place, points=own, most=MOST_POINTS)
        for place, own in enumerate(points)
        if abs(own) > MOST_POINTS
    )


def ranks_of(points: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat by its points alone: equal ones share a place, the next is skipped (1, 2, 2, 4)."""
    return rules.ranks(points, [0] * len(points))


def _rank_problems(names: Sequence[str], points: Sequence[int], told: Sequence[int | None]) -> list[rules.Problem]:
    found = ranks_of(points)
    return [
        rules.Problem.of("rank_mismatch", place, name=names[place], told=rank, found=found[place])
        for place, rank in enumerate(told)
        if rank is not None and not found[place] <= rank < found[place] + found.count(found[place])
    ]


def record_results(
    names: Sequence[str],
    points: Sequence[int],
    *,
    by: Actor,
    ranks: Sequence[int | None] | None = None,
    played_at: datetime | None = None,
    club: Club | None = None,
    players: Sequence[int | str | None] | None = None,
    evening: int | None = None,
    key: str | None = None,
) -> Started:
    """Record a game of which only the points are known and return it, finished, with its first edit link.

    `points` are whole numbers in the order of `names`, 3 to 6 of them, from -5,000 to 5,000. `ranks` are the places
    that a paper or another program says, in the same order, None where it says nothing. `played_at`, `club`, `players`
    and `evening` are those of `record_sheet`. The game has the default house rules, for nobody knows others. In a club
    it counts at once, for wins and points, never for bids.
    Raises `rules.RulesError` with all of `results_problems` (of a club's players too: `players.seated_players`),
    `Conflict` ("player_unknown", "evening_unknown", "key_reused"), `PermissionDenied` unless the actor may start games
    of the club; then writes nothing.
    """
    problems = results_problems(names, points, ranks=ranks, played_at=played_at)
    if problems:
        raise rules.RulesError(problems)
    house = rules.HouseRules().to_mapping()
    game = Game(
        **{name: house[name] for name in HOUSE_RULE_FIELDS}, plan=[], first_dealer=0, detail=Game.Detail.RESULTS
    )

    def write(game: Game, seated: Sequence[Player | None], by: Actor) -> None:
        _create(game, names, seated, points, by=by)

    where = Where(played_at, club, players, evening)
    return write_finished(game, names, where, write, what="record_results", asked=[list(points)], by=by, key=key)


def _create(
    game: Game, names: Sequence[str], players: Sequence[Player | None], points: Sequence[int], *, by: Actor
) -> None:
    game.counted = statistics.counts(game)
    game.save(force_insert=True)
    seats = [
        Seat(game=game, position=place, name=name, player=player, starting=own)
        for place, (name, player, own) in enumerate(zip(names, players, points, strict=True))
    ]
    derive_seats(seats, game.house)
    Seat.objects.bulk_create(seats)
    if game.counted:
        statistics.follow(game, None, seats)
    append_entries(game, seats, Kind.RESULTS_RECORDED, {"points": _by_seat(seats)}, by=by)


def _by_seat(seats: Sequence[Seat]) -> dict[int, int]:
    """Return the points of each seat, as entries hold them."""
    return {seat.pk: seat.starting for seat in seats}


@transaction.atomic
def correct_results(
    game_id: int, points: Sequence[int], *, by: Actor, seen: int, reason: str, key: str | None = None
) -> Outcome:
    """Replace the points of all seats of a game of which only these are known; places follow.

    `points` are in seat order, as in `record_results`; `seen` is the game's version as the writer saw it: what was done
    since that left the points alone does no harm. A reason is always needed.
    Raises `Game.DoesNotExist`, `PermissionDenied`, `Conflict` ("has_rounds": its points follow from those, "halted",
    "stale", "nothing_changed", "missing_seats", "key_reused"), `rules.RulesError` (`points_out_of_range`,
    `reason_missing`, `reason_too_long`); then writes nothing.
    """
    game = Game.locked(game_id)
    permissions.check_can_keep_score(by, game)
    fingerprint = receipts.fingerprint_of("correct_results", game.pk, list(points), seen, reason)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return Outcome(game, repeated=True)
    check_goes_on(game)
    if game.has_rounds:
        raise Conflict("has_rounds")
    if not results_version(game) <= seen <= game.version:
        raise Conflict("stale")
    seats = game.seats_in_order()
    before = {"points": _by_seat(seats)}
    if len(points) != len(seats):
        raise Conflict("missing_seats")
    if [seat.starting for seat in seats] == list(points):
        raise Conflict("nothing_changed")
    problems = points_problems(points) + reason_problems(reason, needed=True)
    if problems:
        raise rules.RulesError(problems)
    contributed = statistics.counted(game, seats)
    game.version += 1
    for seat, own in zip(seats, points, strict=True):
        seat.starting = own
    derive_seats(seats, game.house)
    Seat.objects.bulk_create(
        seats, update_conflicts=True, unique_fields=["id"], update_fields=["starting", "total", "rank"]
    )
    return finish_write(
        game,
        Kind.RESULTS_CORRECTED,
        {"points": _by_seat(seats), "before": before},
        by=by,
        key=key,
        fingerprint=fingerprint,
        reason=reason,
        seats=seats,
        contributed=contributed,
    )


def results_version(game: Game) -> int:
    """Return the version at which the points of a game of results were last written (1 statement)."""
    return game.entries.filter(kind__in=RESULTS_KINDS).latest("version").version
