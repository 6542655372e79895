"""A whole game typed in from paper: finished from the start, all of its rounds in one entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from datetime import datetime
from typing import NamedTuple

import rules
from scoresheets.actors import Actor
from scoresheets.models import Bid, Club, Entry, Game, Player, Round, Seat
from scoresheets.models.games import HOUSE_RULE_FIELDS
from scoresheets.recording import journal, statistics
from scoresheets.recording.corrections import RoundValues
from scoresheets.recording.finished import (
    RECORDED,
    STARTED,
    Where,
    append_entries,
    played_at_problems,
    write_finished,
)
from scoresheets.recording.games import Started, start_problems
from scoresheets.recording.writing import derive_seats


def record_problems(
    names: Sequence[str],
    house: rules.HouseRules,
    *,
    first_dealer: int,
    rounds: Sequence[rules.PlayedRound],
    ladder: str = "full",
    cards: Sequence[int] | None = None,
    played_at: datetime | None = None,
) -> tuple[rules.Problem, ...]:
    """Return every reason why this sheet cannot be recorded; none if it can. Parameters as in `record_sheet`.

    Problems of a round carry its number as the param `round`; they are looked for wherever there is a plan.
    """
    problems = start_problems(names, house, first_dealer=first_dealer, ladder=ladder, rounds=len(rounds), cards=cards)
    problems += played_at_problems(played_at)
    if not rules.plan_problems(house, len(names), ladder=ladder, rounds=len(rounds), cards=cards):
        plan = rules.round_plans(house, len(names), ladder=ladder, rounds=len(rounds), cards=cards)
        try:
            rules.Block.scored(house, plan, rounds, starting=(0,) * len(names))
        except rules.RulesError as refused:
            problems += refused.problems
    return problems


def record_sheet(
    names: Sequence[str],
    house: rules.HouseRules,
    *,
    first_dealer: int,
    rounds: Sequence[rules.PlayedRound],
    by: Actor,
    ladder: str = "full",
    cards: Sequence[int] | None = None,
    played_at: datetime | None = None,
    club: Club | None = None,
    players: Sequence[int | str | None] | None = None,
    evening: int | None = None,
    key: str | None = None,
) -> Started:
    """Record a game that was played on paper and return it, finished, with its first edit link.

    `names` stand in dealing order and `first_dealer` is a place in them, as in `start_game`; each of `rounds` is in
    that order, too. The game was as long as there are rounds: they are its plan, the first ones of the `ladder` (or of
    `cards`, for the free one). Bids that add up against plus/minus one are let through: they were spoken so.
    `played_at` is when it was played (None: now), not in the future. `club`, `players` and `evening` are those of
    `start_game`, but what was played earlier belongs to no evening unless it is named. In a club the game counts at
    once. Taking back the last round, corrections and the rematch work as in any finished game.
    Raises `rules.RulesError` with all of `record_problems` (of a club's players too: `players.seated_players`),
    `Conflict` ("player_unknown", "evening_unknown", "key_reused"), `PermissionDenied` unless the actor may start games
    of the club; then writes nothing.
    """
    problems = record_problems(
        names, house, first_dealer=first_dealer, rounds=rounds, ladder=ladder, cards=cards, played_at=played_at
    )
    if problems:
        raise rules.RulesError(problems)
    plan = rules.round_plans(house, len(names), ladder=ladder, rounds=len(rounds), cards=cards)
    game = Game(
        **{name: value for name, value in house.to_mapping().items() if name in HOUSE_RULE_FIELDS},
        ladder=ladder,
        plan=[planned.cards for planned in plan],
        first_dealer=first_dealer,
    )

    def write(game: Game, seated: Sequence[Player | None], by: Actor) -> None:
        _create(game, names, seated, rounds, by=by)

    asked = [house.to_mapping(), game.plan, ladder, first_dealer, [astuple(played) for played in rounds]]
    where = Where(played_at, club, players, evening)
    return write_finished(game, names, where, write, what="record_sheet", asked=asked, by=by, key=key)


def _create(
    game: Game,
    names: Sequence[str],
    players: Sequence[Player | None],
    rounds: Sequence[rules.PlayedRound],
    *,
    by: Actor,
) -> None:
    """Write all rows of the game and its two entries: as many statements for a long game as for a short one."""
    cells = [
        _cells(played, played.scores(game.house, number, cards))
        for number, (cards, played) in enumerate(zip(game.plan, rounds, strict=True), start=1)
    ]
    game.counted = statistics.counts(game)
    game.save(force_insert=True)
    seats = _seats(game, names, players, cells)
    _bids(_rounds(game, seats, rounds), seats, cells)
    if game.counted:
        statistics.follow(game, None, seats)
    recorded = {"rounds": [_values(seats, played).payload for played in rounds]}
    append_entries(game, seats, Entry.Kind.SHEET_RECORDED, recorded, by=by)


class _Cell(NamedTuple):
    """One seat's part in one round, in the order of `journal.line_cell`."""

    bid: int
    taken: int
    points: int
    blind: bool
    cloud_delta: int


def _cells(played: rules.PlayedRound, scores: Sequence[rules.SeatScore]) -> list[_Cell]:
    blind = played.blind or (False,) * len(scores)
    return [
        _Cell(bid, score.tricks, score.points, is_blind, score.final_bid - bid)
        for bid, score, is_blind in zip(played.bids, scores, blind, strict=True)
    ]


def _seats(
    game: Game, names: Sequence[str], players: Sequence[Player | None], cells: Sequence[Sequence[_Cell]]
) -> list[Seat]:
    seats = [
        Seat(
            game=game,
            position=place,
            name=name,
            player=player,
            line=[journal.line_cell(*row[place]) for row in cells],
        )
        for place, (name, player) in enumerate(zip(names, players, strict=True))
    ]
    derive_seats(seats, game.house)
    return Seat.objects.bulk_create(seats)


def _rounds(game: Game, seats: Sequence[Seat], rounds: Sequence[rules.PlayedRound]) -> list[Round]:
    return Round.objects.bulk_create(
        Round(
            game=game,
            number=number,
            cards=game.plan[number - 1],
            dealer=seats[rules.dealer_of(game.first_dealer, number, len(seats))],
            bombs=played.bombs,
            state=Round.State.SCORED,
            stage_version=STARTED if number == 1 else RECORDED,
            scored_version=RECORDED,
        )
        for number, played in enumerate(rounds, start=1)
    )


def _bids(rows: Sequence[Round], seats: Sequence[Seat], cells: Sequence[Sequence[_Cell]]) -> None:
    Bid.objects.bulk_create(
        Bid(
            round=row,
            seat=seat,
            tricks_bid=cell.bid,
            blind=cell.blind,
            cloud_delta=cell.cloud_delta,
            tricks_taken=cell.taken,
            points=cell.points,
            version=RECORDED,
        )
        for row, played in zip(rows, cells, strict=True)
        for seat, cell in zip(seats, played, strict=True)
    )


def _values(seats: Sequence[Seat], played: rules.PlayedRound) -> RoundValues:
    """Return a round by seat id, as corrections and the journal hold it."""
    ids = [seat.pk for seat in seats]
    return RoundValues(
        bids=dict(zip(ids, played.bids, strict=True)),
        taken=dict(zip(ids, played.tricks, strict=True)),
        bombs=played.bombs,
        clouds={ids[place]: delta for place, delta in played.clouds},
        blind=[seat for seat, blind in zip(ids, played.blind, strict=False) if blind],
    )
