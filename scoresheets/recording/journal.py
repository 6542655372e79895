"""The journal: what was done to a game, in order, and the same rows played forward from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import rules
from scoresheets.actors import Actor
from scoresheets.models import Entry, Game

Kind = Entry.Kind


def append(game: Game, kind: str, payload: dict[str, Any], *, by: Actor, reason: str = "") -> Entry:
    """Append one entry at the locked game's version. The caller has raised `game.version` and saves the game."""
    return Entry.objects.create(
        game=game,
        version=game.version,
        kind=kind,
        payload=payload,
        user=by.user,
        via=by.via,
        seat_id=by.seat_id,
        label=by.label,
        reason=reason,
    )


@dataclass(slots=True)
class ReplayedBid:
    """A bid as the journal tells it; the fields are those of `Bid`."""

    tricks_bid: int
    version: int
    blind: bool = False
    cloud_delta: int = 0
    tricks_taken: int | None = None
    points: int | None = None


@dataclass(slots=True)
class ReplayedRound:
    """A round as the journal tells it; the fields are those of `Round`, the bids by seat id."""

    number: int
    cards: int
    dealer: int
    stage_version: int
    state: str = "bidding"
    bombs: int = 0
    scored_version: int | None = None
    shown_version: int | None = None
    trump: str = ""
    turned_up: str = ""
    chosen_by: int | None = None
    first_bid: ReplayedBid | None = None
    bids: dict[int, ReplayedBid] = field(default_factory=dict)


@dataclass(slots=True)
class ReplayedGame:
    """A game as its journal tells it: seats as ids in dealing order, rounds from number 1.

    `presence` has the seats that do not play, `starting` those that did not begin with nothing; all where only the
    results are known.
    """

    version: int
    state: str
    seats: list[int]
    house: rules.HouseRules
    ladder: str
    plan: list[int]
    first_dealer: int
    detail: str = "rounds"
    halted: str = ""
    incomplete: bool = False
    table_changed: bool = False
    presence: dict[int, str] = field(default_factory=dict)
    starting: dict[int, int] = field(default_factory=dict)
    rounds: list[ReplayedRound] = field(default_factory=list)
    adjustments: dict[int, list[list[int]]] = field(default_factory=dict)
    club: int | None = None
    players: dict[int, int] = field(default_factory=dict)
    evening: int | None = None
    night: date | None = None
    confirmed_version: int | None = None

    @property
    def playing(self) -> list[int]:
        """The seats that play the open round, in dealing order."""
        return [seat for seat in self.seats if seat not in self.presence]

    def line_of(self, seat: int) -> list[list[int] | None]:
        """Return a seat's rounds in the form of `Seat.line`."""
        return [
            line_cell(bid.tricks_bid, bid.tricks_taken or 0, bid.points or 0, bid.blind, bid.cloud_delta)
            if (bid := played.bids.get(seat))
            else None
            for played in self.rounds
            if played.state == "scored"
        ]

    def somebody_left(self) -> bool:
        """Whether somebody who had played a round left without being replaced."""
        return any(any(self.line_of(seat)) for seat, how in self.presence.items() if how == "left")

    def next_dealer(self, dealer: int) -> int:
        """Return the seat that deals after this one: the next one clockwise that plays."""
        behind = self.seats.index(dealer) + 1
        return next(seat for seat in (*self.seats[behind:], *self.seats[:behind]) if seat not in self.presence)

    def open_round(self, version: int) -> None:
        """Open the round after the last one, dealt by the next seat."""
        number = len(self.rounds) + 1
        dealer = self.next_dealer(self.rounds[-1].dealer) if self.rounds else self.seats[self.first_dealer]
        self.rounds.append(ReplayedRound(number, self.plan[number - 1], dealer, version))
        self.state = "bidding"


def line_cell(bid: int, taken: int, points: int, blind: bool, cloud_delta: int) -> list[int]:
    """Return one scored round as `Seat.line` keeps it; the two rare marks are left out where neither is set."""
    return [bid, taken, points, int(blind), cloud_delta] if blind or cloud_delta else [bid, taken, points]


def replay(entries: Iterable[Entry]) -> ReplayedGame:
    """Play a game's whole journal forward, from its first entry on, in order of version.

    Raises `ValueError` if the journal has a gap, does not begin with the start, or tells what cannot have happened.
    """
    game: ReplayedGame | None = None
    for told in steps(entries):
        game = told
    if game is None:
        raise ValueError("the journal is empty")
    return game


def steps(entries: Iterable[Entry]) -> Iterator[ReplayedGame]:
    """Play a journal forward like `replay` and return the game after each entry: the same value, which changes."""
    game: ReplayedGame | None = None
    for expected, entry in enumerate(entries, start=1):
        if entry.version != expected:
            raise ValueError(f"entry {expected} is missing")
        if entry.kind == Kind.STARTED:
            if game is not None:
                raise ValueError(f"entry {expected} starts the game again")
            game = _started(entry.payload)
        elif game is None:
            raise ValueError("the journal does not begin with the start of the game")
        else:
            _PLAY[entry.kind](game, entry.version, entry.payload)
        game.version = entry.version
        yield game


def _started(payload: Mapping[str, Any]) -> ReplayedGame:
    game = ReplayedGame(
        version=1,
        state="bidding",
        seats=list(payload["seats"]),
        house=rules.HouseRules.from_mapping(payload["house"]),
        ladder=payload["ladder"],
        plan=list(payload["plan"]),
        first_dealer=payload["first_dealer"],
        club=payload.get("club"),
        players=_by_seat(payload.get("players", {})),
        evening=payload.get("evening"),
        night=_night(payload),
    )
    if game.plan:  # without one there are no rounds: the results follow
        game.open_round(version=1)
    return game


def _bids_recorded(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    current = _open_for_bids(game, version, payload)
    _add_bids(current, version, payload)
    if len(current.bids) < len(game.playing):
        return
    current.stage_version = version
    if current.shown_version is None and game.house.hidden_bids and _adds_up(game, current):
        current.first_bid = current.bids.pop(current.dealer)
        current.shown_version = version
    else:
        current.state = game.state = "playing"


def _open_for_bids(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> ReplayedRound:
    current = game.rounds[-1]
    if current.number != payload["round"] or current.state != "bidding":
        raise ValueError(f"entry {version} bids in a round that is not open for bids")
    return current


def _add_bids(current: ReplayedRound, version: int, payload: Mapping[str, Any]) -> None:
    for seat, tricks_bid in _by_seat(payload["bids"]).items():
        current.bids[seat] = ReplayedBid(tricks_bid, version, blind=seat in payload.get("blind", ()))


def _adds_up(game: ReplayedGame, current: ReplayedRound) -> bool:
    """Whether plus/minus one refuses the sum of complete bids."""
    problems = rules.bids_problems(
        game.house,
        number=current.number,
        cards=current.cards,
        dealer=game.playing.index(current.dealer),
        bids=[current.bids[seat].tricks_bid for seat in game.playing],
    )
    return any(problem.code == "bid_sum_forbidden" for problem in problems)


def _round_recorded(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    current = _open_for_bids(game, version, payload)
    _add_bids(current, version, payload)
    current.state = "playing"
    _tricks_recorded(game, version, payload)


def _sheet_recorded(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if len(game.rounds) > 1 or game.rounds[0].bids or len(payload["rounds"]) != len(game.plan):
        raise ValueError(f"entry {version} records a sheet that does not fit the game")
    for number, values in enumerate(payload["rounds"], start=1):
        _round_recorded(game, version, {"round": number, **values})


def _results_recorded(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if game.plan or game.state == "finished":
        raise ValueError(f"entry {version} records results of a game that has rounds, or results")
    game.detail, game.state = "results", "finished"
    _take_points(game, version, payload)


def _results_corrected(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if game.detail != "results":
        raise ValueError(f"entry {version} corrects results that were not recorded")
    _take_points(game, version, payload)


def _take_points(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    points = _by_seat(payload["points"])
    if set(points) != set(game.seats):
        raise ValueError(f"entry {version} has the points of other seats than those of the game")
    game.starting = points


def _tricks_recorded(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    current = game.rounds[-1]
    if current.number != payload["round"] or current.state != "playing":
        raise ValueError(f"entry {version} records tricks of a round that is not being played")
    _score(game, current, payload)
    current.state, current.scored_version = "scored", version
    if len(game.rounds) < len(game.plan):
        game.open_round(version)
    else:
        game.state = "finished"


def _score(game: ReplayedGame, played: ReplayedRound, payload: Mapping[str, Any]) -> None:
    """Take over the tricks of a payload and score the round."""
    taken, clouds = _by_seat(payload["taken"]), _by_seat(payload.get("clouds", {}))
    played.bombs = payload.get("bombs", 0)
    seats = [seat for seat in game.seats if seat in played.bids]
    bids = [played.bids[seat] for seat in seats]
    scores = rules.score_round(
        game.house,
        number=played.number,
        cards=played.cards,
        bids=[bid.tricks_bid for bid in bids],
        tricks=[taken[seat] for seat in seats],
        bombs=played.bombs,
        clouds=[(position, clouds[seat]) for position, seat in enumerate(seats) if seat in clouds],
        blind=[bid.blind for bid in bids],
    )
    for seat, bid, score in zip(seats, bids, scores, strict=True):
        bid.tricks_taken, bid.points, bid.cloud_delta = taken[seat], score.points, clouds.get(seat, 0)


def _stepped_back(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if "bids" not in payload or payload.get("tricks"):
        _reopened(game, version, payload)
        return
    current = game.rounds[-1]
    if payload.get("hides") and current.first_bid is not None:
        current.bids[current.dealer] = current.first_bid
        current.shown_version = current.first_bid = None
    for seat in payload["bids"]:
        del current.bids[seat]
    current.state = game.state = "bidding"
    current.stage_version = version


def _reopened(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if payload.get("goes_on"):
        game.incomplete = game.somebody_left()
        game.open_round(version)
        return
    if game.state != "finished":
        game.rounds.pop()
    current = game.rounds[-1]
    if current.number != payload["round"] or current.state != "scored":
        raise ValueError(f"entry {version} takes back tricks that were not recorded")
    if current.number > 1 and (before := game.rounds[current.number - 2]).scored_version == current.scored_version:
        before.stage_version = version
    current.state = game.state = "bidding" if payload.get("tricks") else "playing"
    current.stage_version, current.scored_version, current.bombs = version, None, 0
    for bid in current.bids.values():
        bid.tricks_taken = bid.points = None
        bid.cloud_delta = 0
    for seat in payload.get("bids", ()):
        del current.bids[seat]


def _trump_noted(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    current = game.rounds[-1]
    if current.number != payload["round"] or current.state == "scored":
        raise ValueError(f"entry {version} notes the trump of a round that is not open")
    current.trump, current.turned_up, current.chosen_by = (
        payload["trump"],
        payload["turned_up"],
        payload["chosen_by"],
    )


def _round_corrected(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    number = payload["round"]
    if not 1 <= number <= len(game.rounds) or game.rounds[number - 1].state != "scored":
        raise ValueError(f"entry {version} corrects a round that is not scored")
    corrected = game.rounds[number - 1]
    for seat, tricks_bid in _by_seat(payload["bids"]).items():
        corrected.bids[seat].tricks_bid = tricks_bid
        corrected.bids[seat].blind = seat in payload.get("blind", ())
    _score(game, corrected, payload)
    corrected.trump, corrected.turned_up, corrected.chosen_by = (
        payload.get("trump", ""),
        payload.get("turned_up", ""),
        payload.get("chosen_by"),
    )
    corrected.stage_version = version


def _points_adjusted(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if payload["seat"] not in game.seats:
        raise ValueError(f"entry {version} adjusts the points of a seat that is not there")
    game.adjustments.setdefault(payload["seat"], []).append([payload["after"], payload["points"]])


def _seat_renamed(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    """Names live on the seat alone: nothing to play forward."""
    if payload["seat"] not in game.seats:
        raise ValueError(f"entry {version} renames a seat that is not there")


def _moved(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    players = _by_seat(payload["players"])
    if not set(players) <= set(game.seats):
        raise ValueError(f"entry {version} seats a player where there is no seat")
    _stays_confirmed(game, version)
    game.club, game.players = payload["club"], players
    game.evening, game.night = payload.get("evening"), _night(payload)


def _evening_set(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if game.club is None:
        raise ValueError(f"entry {version} puts a quick game to an evening")
    _stays_confirmed(game, version)
    game.evening, game.night = payload.get("evening"), _night(payload)


def _stays_confirmed(game: ReplayedGame, version: int) -> None:
    if game.confirmed_version == version - 1:
        game.confirmed_version = version


def _night(payload: Mapping[str, Any]) -> date | None:
    return date.fromisoformat(payload["night"]) if "night" in payload else None


def _confirmed(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if game.state != "finished":
        raise ValueError(f"entry {version} confirms a game that is not finished")
    if payload["whole"]:
        game.confirmed_version = version


def _ended(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if len(game.rounds) < 2 or game.rounds[-1].state == "scored":
        raise ValueError(f"entry {version} ends a game that has nothing to end")
    game.rounds.pop()
    game.state, game.incomplete = "finished", True


def _seat_joined(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    seat = payload["seat"]
    if "after" in payload:
        _sit_down(game, seat, game.seats.index(payload["after"]) + 1, payload["starting"])
    elif game.presence.pop(seat, None) is None:
        raise ValueError(f"entry {version} brings back a seat that plays")
    _deal_anew(game, version, payload["cards"])


def _seat_left(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if payload["seat"] not in game.playing:
        raise ValueError(f"entry {version} takes away a seat that does not play")
    game.presence[payload["seat"]] = "left"
    if "cards" in payload:
        _deal_anew(game, version, payload["cards"])
        return
    _ended(game, version, payload)
    game.table_changed = True


def _seat_replaced(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
    if payload["seat"] not in game.playing:
        raise ValueError(f"entry {version} replaces a seat that does not play")
    game.presence[payload["seat"]] = "replaced"
    _sit_down(game, payload["by"], game.seats.index(payload["seat"]), payload["starting"])
    if game.rounds[-1].dealer == payload["seat"]:
        game.rounds[-1].dealer = payload["by"]
    _deal_anew(game, version, game.plan[game.rounds[-1].number - 1 :])


def _sit_down(game: ReplayedGame, seat: int, place: int, starting: int) -> None:
    game.seats.insert(place, seat)
    if starting:
        game.starting[seat] = starting


def _deal_anew(game: ReplayedGame, version: int, cards: list[int]) -> None:
    """Open the round again with who plays now, or the next one of a game that was ended early."""
    was_open = game.state != "finished"
    current = game.rounds.pop() if was_open else None
    game.plan, game.ladder = [*game.plan[: len(game.rounds)], *cards], "free"
    game.table_changed, game.incomplete = True, game.somebody_left()
    if current is None:
        game.open_round(version)
        return
    if game.rounds:
        dealer = game.next_dealer(game.rounds[-1].dealer)
    else:
        dealer = current.dealer if current.dealer in game.playing else game.next_dealer(current.dealer)
    game.rounds.append(ReplayedRound(current.number, cards[0], dealer, version))
    game.state = "bidding"


def _halted(halted: str) -> Callable[[ReplayedGame, int, Mapping[str, Any]], None]:
    def play(game: ReplayedGame, version: int, payload: Mapping[str, Any]) -> None:
        if game.halted == halted:
            raise ValueError(f"entry {version} changes nothing")
        game.halted = halted

    return play


def _by_seat(values: Mapping[str, int]) -> dict[int, int]:
    """JSON keys are strings; seat ids are numbers."""
    return {int(seat): value for seat, value in values.items()}


_PLAY: dict[str, Callable[[ReplayedGame, int, Mapping[str, Any]], None]] = {
    Kind.BIDS_RECORDED: _bids_recorded,
    Kind.TRICKS_RECORDED: _tricks_recorded,
    Kind.STEPPED_BACK: _stepped_back,
    Kind.REOPENED: _reopened,
    Kind.ROUND_RECORDED: _round_recorded,
    Kind.TRUMP_NOTED: _trump_noted,
    Kind.ROUND_CORRECTED: _round_corrected,
    Kind.POINTS_ADJUSTED: _points_adjusted,
    Kind.SEAT_RENAMED: _seat_renamed,
    Kind.SHEET_RECORDED: _sheet_recorded,
    Kind.RESULTS_RECORDED: _results_recorded,
    Kind.RESULTS_CORRECTED: _results_corrected,
    Kind.PAUSED: _halted("paused"),
    Kind.ABANDONED: _halted("abandoned"),
    Kind.VOIDED: _halted("voided"),
    Kind.RESUMED: _halted(""),
    Kind.RESTORED: _halted(""),
    Kind.ENDED: _ended,
    Kind.SEAT_JOINED: _seat_joined,
    Kind.SEAT_LEFT: _seat_left,
    Kind.SEAT_REPLACED: _seat_replaced,
    Kind.MOVED: _moved,
    Kind.CONFIRMED: _confirmed,
    Kind.EVENING_SET: _evening_set,
}
