"""Journals that somebody else wrote, played forward: nothing in them is believed that `recording` would not write."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rules
from scoresheets.models import Entry, Seat
from scoresheets.models.games import MOST_PEOPLE
from scoresheets.recording.journal import ReplayedGame, ReplayedRound, steps
from scoresheets.recording.repair import UNPLAYABLE
from scoresheets.recording.writing import derive_seats

Kind = Entry.Kind
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToldEntry:
    """What playing forward needs of an entry; seats are called by their numbers."""

    version: int
    kind: str
    payload: Payload


class Impossible(Exception):
    """An entry tells what cannot have happened after those before it; `problems` are the rules' own, if any."""

    def __init__(self, version: int, problems: Sequence[rules.Problem] = ()) -> None:
        super().__init__(version)
        self.version = version
        self.problems = tuple(problems)


def played(journal: Sequence[Mapping[str, Any]]) -> ReplayedGame:
    """Play a journal of the file forward, the shapes of its entries being right, and return the game.

    Whatever would be refused of a person is refused here: bids, tricks and trumps against the rules, seats that do not
    play, plans that the deck has no cards for. Raises `Impossible`.
    """
    entries = [ToldEntry(version, told["kind"], told["payload"]) for version, told in enumerate(journal, start=1)]
    game: ReplayedGame | None = None
    stepping: Iterator[ReplayedGame] = steps(entries)  # type: ignore[arg-type]
    for entry in entries:
        try:
            if game is None:
                _check_start(entry.payload)
            elif check := _BEFORE.get(entry.kind):
                check(game, entry.payload)
            game = next(stepping)
            _check_table(game, entry.payload)
        except rules.RulesError as refused:
            raise Impossible(entry.version, refused.problems) from None
        except UNPLAYABLE:
            raise Impossible(entry.version) from None
    assert game is not None
    if not _is_whole(game):
        raise Impossible(game.version)
    return game


def replayed(journal: Sequence[Mapping[str, Any]]) -> ReplayedGame:
    """Play a journal forward that `played` has found possible."""
    entries = [ToldEntry(version, told["kind"], told["payload"]) for version, told in enumerate(journal, start=1)]
    (*_before, game) = steps(entries)  # type: ignore[arg-type]
    return game


def seats_of(game: ReplayedGame, names: Sequence[str]) -> list[Seat]:
    """Return the seats in dealing order with all that follows from the journal, not saved; `names` by seat number."""
    seats = [
        Seat(
            name=names[number - 1],
            position=place,
            presence=game.presence.get(number, ""),
            starting=game.starting.get(number, 0),
            line=game.line_of(number),
            adjustments=game.adjustments.get(number, []),
        )
        for place, number in enumerate(game.seats)
    ]
    derive_seats(seats, game.house)
    return seats


def _demand(condition: bool) -> None:
    if not condition:
        raise ValueError


def _refuse(problems: Sequence[rules.Problem]) -> None:
    if problems:
        raise rules.RulesError(problems)


# -- before an entry ------------------------------------------------------------------------------------------------


def _check_start(payload: Payload) -> None:
    """Raise `ValueError` unless a game can start so; one of bare results has no plan."""
    seats, house, plan = payload["seats"], rules.HouseRules.from_mapping(payload["house"]), payload["plan"]
    _demand(len(set(seats)) == len(seats) and payload["first_dealer"] < len(seats))
    if not plan:
        return _refuse(rules.house_rules_problems(house, len(seats)))
    if payload["ladder"] == "free":
        return _refuse(rules.plan_problems(house, len(seats), ladder="free", cards=plan))
    steps = rules.round_plans(house, len(seats), ladder=payload["ladder"], rounds=len(plan))
    return _demand([step.cards for step in steps] == plan)


def _check_bids(game: ReplayedGame, payload: Payload) -> None:
    problems = _bids_problems(game, payload)
    current = game.rounds[-1]
    is_complete = len(current.bids) + len(payload["bids"]) == len(game.playing)
    may_be_shown = game.house.hidden_bids and current.shown_version is None and is_complete
    if may_be_shown and {problem.code for problem in problems} == {"bid_sum_forbidden"}:
        return
    _refuse(problems)


def _bids_problems(game: ReplayedGame, payload: Payload) -> tuple[rules.Problem, ...]:
    current, playing = game.rounds[-1], game.playing
    bids, blind = _by_seat(payload["bids"]), payload.get("blind", ())
    _demand(bool(bids) and set(bids) <= set(playing) - set(current.bids) and set(blind) <= set(bids))
    spoken = {seat: bid.tricks_bid for seat, bid in current.bids.items()} | bids
    were_blind = {seat for seat, bid in current.bids.items() if bid.blind}
    return rules.bids_problems(
        game.house,
        number=current.number,
        cards=current.cards,
        dealer=playing.index(current.dealer),
        bids=[spoken.get(seat) for seat in playing],
        blind=[seat in blind or seat in were_blind for seat in playing],
    )


def _check_tricks(game: ReplayedGame, payload: Payload) -> None:
    _check_seats(payload, game.playing)


def _check_round(game: ReplayedGame, payload: Payload) -> None:
    _refuse(_bids_problems(game, payload))
    _demand(set(game.rounds[-1].bids) | set(_by_seat(payload["bids"])) == set(game.playing))
    _check_seats(payload, game.playing)


def _check_sheet(game: ReplayedGame, payload: Payload) -> None:
    for values in payload["rounds"]:
        _check_values(values, game.seats)


def _check_correction(game: ReplayedGame, payload: Payload) -> None:
    number = payload["round"]
    _demand(number <= len(game.rounds))
    corrected = game.rounds[number - 1]
    _check_values(payload, corrected.bids)
    seats = [seat for seat in game.seats if seat in corrected.bids]
    _check_trump(game, corrected, seats, {"trump": "", "turned_up": "", "chosen_by": None} | dict(payload))


def _check_values(values: Payload, seats: Collection[int]) -> None:
    _demand(set(_by_seat(values["bids"])) == set(seats) and set(values.get("blind", ())) <= set(seats))
    _check_seats(values, seats)


def _check_seats(values: Payload, seats: Collection[int]) -> None:
    _demand(set(_by_seat(values["taken"])) == set(seats))
    _demand(set(_by_seat(values.get("clouds", {}))) <= set(seats))


def _check_note(game: ReplayedGame, payload: Payload) -> None:
    _check_trump(game, game.rounds[-1], game.playing, payload)


def _check_trump(game: ReplayedGame, noted: ReplayedRound, seats: Sequence[int], note: Payload) -> None:
    trump, turned_up, chooser = note["trump"], note["turned_up"], note["chosen_by"]
    if not trump:
        return _demand(not turned_up and chooser is None)
    return _refuse(
        rules.noted_trump_problems(
            game.house,
            rules.plan_of(game.house, len(seats), number=noted.number, cards=noted.cards),
            dealer=seats.index(noted.dealer),
            trump=None if trump == "none" else rules.Suit(trump),
            turned_up=rules.Card.parse(turned_up) if turned_up else None,
            chooser=None if chooser is None else seats.index(chooser),
        )
    )


def _check_adjustment(game: ReplayedGame, payload: Payload) -> None:
    scored = sum(played.state == "scored" for played in game.rounds)
    _demand(payload["points"] != 0 and payload["after"] <= scored)


def _check_joining(game: ReplayedGame, payload: Payload) -> None:
    _check_goes_on(game)
    is_new = payload["seat"] not in game.seats
    _demand(is_new == ("after" in payload) == ("starting" in payload))


def _check_leaving(game: ReplayedGame, payload: Payload) -> None:
    _demand(game.state != "finished" and bool(game.rounds))


def _check_replacing(game: ReplayedGame, payload: Payload) -> None:
    _demand(game.state != "finished" and bool(game.rounds) and payload["by"] not in game.seats)


def _check_goes_on(game: ReplayedGame) -> None:
    """Raise `ValueError` unless a round is open, or the game was ended before its last one."""
    _demand(bool(game.rounds) and (game.state != "finished" or len(game.rounds) < len(game.plan)))


def _check_reopening(game: ReplayedGame, payload: Payload) -> None:
    if payload.get("goes_on"):
        _demand(game.state == "finished" and 0 < len(game.rounds) < len(game.plan))
        _demand(len(game.playing) >= rules.FEWEST_PLAYERS)


def _by_seat(values: Mapping[str, Any]) -> dict[int, Any]:
    return {int(seat): value for seat, value in values.items()}


_BEFORE: Mapping[str, Callable[[ReplayedGame, Payload], None]] = {
    Kind.BIDS_RECORDED: _check_bids,
    Kind.TRICKS_RECORDED: _check_tricks,
    Kind.ROUND_RECORDED: _check_round,
    Kind.SHEET_RECORDED: _check_sheet,
    Kind.ROUND_CORRECTED: _check_correction,
    Kind.TRUMP_NOTED: _check_note,
    Kind.POINTS_ADJUSTED: _check_adjustment,
    Kind.REOPENED: _check_reopening,
    Kind.SEAT_JOINED: _check_joining,
    Kind.SEAT_LEFT: _check_leaving,
    Kind.SEAT_REPLACED: _check_replacing,
}


# -- after an entry -------------------------------------------------------------------------------------------------


def _check_table(game: ReplayedGame, payload: Payload) -> None:
    """Raise `ValueError` unless those who play now can play what is planned."""
    _demand(len(game.seats) <= MOST_PEOPLE)
    if game.state != "finished":
        _demand(rules.FEWEST_PLAYERS <= len(game.playing) <= rules.MOST_PLAYERS)
    if game.state != "finished" and "cards" in payload:
        _refuse(rules.plan_problems(game.house, len(game.playing), ladder="free", cards=payload["cards"]))


def _is_whole(game: ReplayedGame) -> bool:
    """Say whether the game is one that the database can hold: its state is that of its rounds."""
    if game.detail == "results":
        return not game.rounds and game.state == "finished" and game.halted != "paused"
    if not game.rounds or len(game.rounds) > len(game.plan):
        return False
    *before, last = game.rounds
    open_round = None if game.state == "finished" else last
    scored = game.rounds if open_round is None else before
    return (
        all(map(_is_scored, scored))
        and (open_round is None or _is_open(game, open_round))
        and not (game.state == "finished" and game.halted == "paused")
    )


def _is_scored(played: ReplayedRound) -> bool:
    is_complete = len(played.bids) >= rules.FEWEST_PLAYERS and played.scored_version is not None
    return played.state == "scored" and is_complete and all(bid.points is not None for bid in played.bids.values())


def _is_open(game: ReplayedGame, current: ReplayedRound) -> bool:
    has_tricks = current.scored_version is not None or any(bid.points is not None for bid in current.bids.values())
    fits = current.dealer in game.playing and set(current.bids) <= set(game.playing) and current.state == game.state
    if current.state == "playing":
        return fits and not has_tricks and len(current.bids) == len(game.playing)
    return fits and not has_tricks and len(current.bids) < len(game.playing)
