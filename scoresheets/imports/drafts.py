"""A game as it is put together from the lines of a file, until it is one or every reason why not is known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import rules
from rules.plans import FREE, LADDERS
from scoresheets.imports.places import at, quoted
from scoresheets.imports.plain import Choices, FoundColumn, FoundGame, RefusedGame
from scoresheets.imports.values import Moment
from scoresheets.models.games import MOST_STARTING, NAME_LENGTH
from scoresheets.names import folded

MOST_NOTE = 500
_MOST_PROBLEMS = 20
"""So many problems of one game are told."""
_NOON = time(12)

#: The column that a problem of the rules belongs to, by the beginning of its code.
_COLUMN_OF = {"bid": "bid", "tricks_out": "tricks", "blind": "blind", "cloud": "cloud", "bomb": "bombs"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reading is measured by: the moment it is done, where the file is from, what has been chosen."""

    now: datetime
    time_zone: ZoneInfo
    choices: Choices


@dataclass(slots=True)
class DraftCell:
    """What a file says of one player in one round; `columns` are where, by field."""

    row: int
    columns: Mapping[str, FoundColumn]
    bid: int | None = None
    tricks: int | None = None
    blind: bool = False
    cloud: int | None = None
    points: int | None = None
    total: int | None = None


@dataclass(slots=True)
class DraftRound:
    """What a file says of one round; `cells` by place at the table."""

    row: int
    cards: int | None = None
    bombs: int | None = None
    dealer: str = ""
    columns: Mapping[str, FoundColumn] = field(default_factory=dict)
    cells: dict[int, DraftCell] = field(default_factory=dict)


@dataclass(slots=True)
class DraftResult:
    """The points, and perhaps the place, that a file gives to one player; `columns` are where, by field."""

    row: int
    columns: Mapping[str, FoundColumn]
    points: int | None = None
    place: int | None = None


@dataclass(slots=True)
class Draft:
    """One game while its lines are read. `results` are the final points told, by place at the table."""

    row: int
    label: str = ""
    moment: Moment | None = None
    has_bad_day: bool = False
    note: str = ""
    source: str = ""
    house_words: str = ""
    house_at: tuple[int, object] = (0, "")
    names: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    rounds: dict[int, DraftRound] = field(default_factory=dict)
    results: dict[int, DraftResult] = field(default_factory=dict)
    problems: list[rules.Problem] = field(default_factory=list)
    warnings: list[rules.Problem] = field(default_factory=list)
    left_out: int = 0

    def refuse(self, problem: rules.Problem, row: int, column: object = "") -> None:
        """Note one more reason why this is no game."""
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(at(problem, row, column))
        else:
            self.left_out += 1

    def seat(self, name: str, row: int, column: object = "") -> int:
        """Return the place at the table of a tidy name; who is new takes the next one."""
        place = self.places.get(folded(name))
        if place is None:
            place = self.places[folded(name)] = len(self.names)
            self.names.append(name)
            if not name:
                self.refuse(rules.Problem.of("name_missing", place), row, column)
            elif len(name) > NAME_LENGTH:
                problem = rules.Problem.of("name_too_long", place, name=quoted(name), most=NAME_LENGTH)
                self.refuse(problem, row, column)
        return place

    def refused(self) -> RefusedGame:
        """Return the game as one that cannot be imported."""
        day = self.moment.day if self.moment is not None else None
        names = tuple(quoted(name) for name in self.names)
        return RefusedGame(str(self.row), self.row, tuple(self.problems), names, day, self.label)


def finished(draft: Draft, reading: Reading, *, is_sheet: bool) -> FoundGame | RefusedGame:
    """Return what a draft has become; games without a time are at noon of their day (`in_order` moves them apart)."""
    if draft.moment is None and not draft.has_bad_day:
        if reading.choices.day is not None:
            draft.moment = Moment(reading.choices.day)
        else:
            draft.refuse(rules.Problem.of("date_missing"), draft.row)
    if not rules.FEWEST_PLAYERS <= len(draft.names) <= rules.MOST_PLAYERS:
        draft.refuse(rules.Problem.of("players", players=len(draft.names)), draft.row)
    game = _sheet(draft, reading) if is_sheet else _result(draft, reading)
    return draft.refused() if game is None else game


def in_order(games: Sequence[FoundGame], now: datetime) -> Iterator[FoundGame]:
    """Yield the games with those of a day that have no time a second apart, in the order of the file."""
    before: dict[date, int] = {}
    for game in games:
        if game.timed:
            yield game
            continue
        count = before[game.day] = before.get(game.day, -1) + 1
        yield replace(game, played_at=min(game.played_at + timedelta(seconds=count), now))


def _made(draft: Draft, reading: Reading, values: Mapping[str, Any]) -> FoundGame:
    """Return the game of a draft without problems, with all that sheets and results have in common."""
    moment = draft.moment
    assert moment is not None
    played_at = moment.at or datetime.combine(moment.day, _NOON, tzinfo=reading.time_zone)
    game = FoundGame(
        key=str(draft.row),
        source=draft.source,
        row=draft.row,
        day=moment.day,
        played_at=min(played_at, reading.now),
        timed=moment.at is not None,
        names=tuple(draft.names),
        note=draft.note[:MOST_NOTE],
        label=draft.label,
        warnings=tuple(draft.warnings),
        **values,
    )
    return game if game.source else replace(game, source=_digest(game))


def _digest(game: FoundGame) -> str:
    """Return what is the same for the same game in another file, whatever its label and its line."""
    rounds = [[*played.bids, *played.tricks] for played in game.rounds or ()]
    when = game.played_at.astimezone(ZoneInfo("UTC")).isoformat() if game.timed else game.day.isoformat()
    told = [when, [folded(name) for name in game.names], game.points, game.cards, rounds]
    return f"sha256:{hashlib.sha256(json.dumps(told).encode()).hexdigest()[:40]}"


# -- bare results -----------------------------------------------------------------------------------------------------


def _result(draft: Draft, reading: Reading) -> FoundGame | None:
    for place, name in enumerate(draft.names):
        own = draft.results[place]
        column = own.columns.get("points", "")
        if own.points is None:
            draft.refuse(rules.Problem.of("points_missing", place, name=name), own.row, column)
        elif abs(own.points) > MOST_STARTING:
            problem = rules.Problem.of("points_out_of_range", place, points=own.points, most=MOST_STARTING)
            draft.refuse(problem, own.row, column)
    if draft.problems:
        return None
    points = tuple(draft.results[place].points or 0 for place in range(len(draft.names)))
    ranks = rules.ranks(points, (0,) * len(points))
    draft.warnings += _rank_warnings(draft, ranks)
    return _made(draft, reading, {"points": points, "ranks": ranks})


def _rank_warnings(draft: Draft, ranks: Sequence[int]) -> Iterator[rules.Problem]:
    """Yield each place that contradicts the ranks; where they are shared, any of the shared places will do."""
    for place, own in draft.results.items():
        found = ranks[place]
        if own.place is not None and not found <= own.place < found + ranks.count(found):
            problem = rules.Problem.of("rank_mismatch", place, name=draft.names[place], told=own.place, found=found)
            yield at(problem, own.row, own.columns.get("place", ""))


# -- sheets -----------------------------------------------------------------------------------------------------------


def _sheet(draft: Draft, reading: Reading) -> FoundGame | None:
    _check_whole(draft)
    house = _house(draft, reading.choices.house)
    if draft.problems or house is None:
        return None
    entries = [draft.rounds[number] for number in sorted(draft.rounds)]
    _seat_in_dealing_order(draft, entries)
    cards = tuple(number if entry.cards is None else entry.cards for number, entry in enumerate(entries, start=1))
    rounds = tuple(_played(entry, len(draft.names)) for entry in entries)
    ladder = _ladder(draft, house, cards)
    scores = [
        _scores(draft, house, number, entry, hand, played)
        for number, (entry, hand, played) in enumerate(zip(entries, cards, rounds, strict=True), start=1)
    ]
    if draft.problems:
        return None
    first_dealer = _first_dealer(draft, entries)
    _compare_points(draft, entries, scores)
    points = tuple(sum(score[place].points for score in scores) for place in range(len(draft.names)))
    hits = [sum(score[place].exact for score in scores) for place in range(len(draft.names))]
    ranks = rules.ranks(points, hits, house.tie_break)
    _compare_results(draft, points, ranks)
    if draft.problems:
        return None
    base = reading.choices.house
    names = (own.name for own in fields(rules.HouseRules))
    differences = {name: getattr(house, name) for name in names if getattr(house, name) != getattr(base, name)}
    values = {"cards": cards, "rounds": rounds, "ladder": ladder, "house": differences, "first_dealer": first_dealer}
    return _made(draft, reading, {"points": points, "ranks": ranks, **values})


def _check_whole(draft: Draft) -> None:
    """Refuse what is missing: a round among others, a player in one, a bid, tricks."""
    last = max(draft.rounds, default=0)
    if not draft.rounds:
        draft.refuse(rules.Problem.of("rounds_missing"), draft.row)
    for number in range(1, last + 1):
        entry = draft.rounds.get(number)
        if entry is None:
            draft.refuse(rules.Problem.of("round_missing", round=number, last=last), draft.row)
            continue
        for place, name in enumerate(draft.names):
            cell = entry.cells.get(place)
            if cell is None:
                draft.refuse(rules.Problem.of("player_not_in_round", place, name=name, round=number), entry.row)
                continue
            if cell.bid is None:
                problem = rules.Problem.of("bid_missing", place, name=name, round=number)
                draft.refuse(problem, cell.row, cell.columns.get("bid", ""))
            if cell.tricks is None:
                problem = rules.Problem.of("tricks_missing", place, name=name, round=number)
                draft.refuse(problem, cell.row, cell.columns.get("tricks", ""))


def _house(draft: Draft, base: rules.HouseRules) -> rules.HouseRules | None:
    """Return the rules of the game: what it says, else what was chosen and what its marks need."""
    if draft.house_words:
        try:
            return rules.read_house(word for word in draft.house_words.split() if word != "standard")
        except rules.RulesError:
            draft.refuse(rules.Problem.of("rules_unreadable", typed=quoted(draft.house_words)), *draft.house_at)
            return None
    cells = [cell for entry in draft.rounds.values() for cell in entry.cells.values()]
    specials = [
        *(["BOMB"] if any(entry.bombs for entry in draft.rounds.values()) else []),
        *(["CLOUD"] if any(cell.cloud is not None for cell in cells) else []),
    ]
    return replace(
        base,
        blind_bids=base.blind_bids or any(cell.blind for cell in cells),
        specials=(*base.specials, *(name for name in specials if name not in base.specials)),
    )


def _played(entry: DraftRound, players: int) -> rules.PlayedRound:
    cells = [entry.cells[place] for place in range(players)]
    blind = tuple(cell.blind for cell in cells)
    return rules.PlayedRound(
        bids=tuple(cell.bid or 0 for cell in cells),
        tricks=tuple(cell.tricks or 0 for cell in cells),
        bombs=entry.bombs or 0,
        clouds=tuple((place, cell.cloud) for place, cell in enumerate(cells) if cell.cloud is not None),
        blind=blind if any(blind) else (),
    )


def _ladder(draft: Draft, house: rules.HouseRules, cards: Sequence[int]) -> str:
    """Return the name of the ladder that has these cards; refuse cards that no deck has."""
    players = len(draft.names)
    problems = rules.plan_problems(house, players, ladder=FREE, cards=cards)
    for problem in problems:
        number = problem.args.get("round", 0)
        entry = draft.rounds.get(number) if isinstance(number, int) else None
        row, column = (entry.row, entry.columns.get("cards", "")) if entry is not None else (draft.row, "")
        draft.refuse(problem, row, column)
    if problems:
        return FREE
    for ladder in LADDERS:
        if ladder != FREE and not rules.plan_problems(house, players, ladder=ladder, rounds=len(cards)):
            plan = rules.round_plans(house, players, ladder=ladder, rounds=len(cards))
            if [step.cards for step in plan] == [*cards]:
                return ladder
    return FREE


def _scores(
    draft: Draft, house: rules.HouseRules, number: int, entry: DraftRound, cards: int, played: rules.PlayedRound
) -> Sequence[rules.SeatScore]:
    try:
        return played.scores(house, number, cards)
    except rules.RulesError as refused:
        for problem in refused.problems:
            cell = entry.cells.get(problem.seat) if problem.seat is not None else None
            field_name = next((own for code, own in _COLUMN_OF.items() if problem.code.startswith(code)), "")
            if cell is not None:
                draft.refuse(problem, cell.row, cell.columns.get(field_name, ""))
            else:
                draft.refuse(problem, entry.row, entry.columns.get(field_name, ""))
        return ()


def _first_dealer(draft: Draft, entries: Sequence[DraftRound]) -> int:
    """Return who dealt first; who dealt later follows, and what the file says otherwise is a warning."""
    told = {}
    for number, entry in enumerate(entries, start=1):
        if entry.dealer:
            place = draft.places.get(folded(entry.dealer))
            if place is None:
                problem = rules.Problem.of("dealer_unknown", name=quoted(entry.dealer), round=number)
                draft.refuse(problem, entry.row, entry.columns.get("dealer", ""))
            else:
                told[number] = place
    players = len(draft.names)
    first = next(((place - number + 1) % players for number, place in told.items()), 0)
    for number, place in told.items():
        found = rules.dealer_of(first, number, players)
        if place != found:
            entry = draft.rounds[number]
            told_and_found = {"told": draft.names[place], "found": draft.names[found]}
            problem = rules.Problem.of("dealer_mismatch", place, round=number, **told_and_found)
            draft.warnings.append(at(problem, entry.row, entry.columns.get("dealer", "")))
    return first


def _seat_in_dealing_order(draft: Draft, entries: Sequence[DraftRound]) -> None:
    """Move the seats to the order of the dealers, if enough of them are told to know it.

    In a table with a block of columns for each player the same order of columns serves games of every order.
    """
    players = len(draft.names)
    dealers = [draft.places.get(folded(entry.dealer)) for entry in entries[:players]]
    if len(dealers) == players - 1:
        dealers += [place for place in range(players) if place not in dealers]
    order = [place for place in dealers if place is not None]
    if len(order) != players or len(set(order)) != players:
        return
    start = order.index(0)
    order = order[start:] + order[:start]
    if order == [*range(players)]:
        return
    draft.names = [draft.names[place] for place in order]
    draft.places = {folded(name): place for place, name in enumerate(draft.names)}
    draft.results = {order.index(place): own for place, own in draft.results.items()}
    for entry in entries:
        entry.cells = {order.index(place): cell for place, cell in entry.cells.items()}


def _compare_points(draft: Draft, entries: Sequence[DraftRound], scores: Sequence[Sequence[rules.SeatScore]]) -> None:
    """Warn of every number that is told otherwise than bids and tricks make it."""
    totals = [0] * len(draft.names)
    for number, (entry, score) in enumerate(zip(entries, scores, strict=True), start=1):
        for place, name in enumerate(draft.names):
            cell, points = entry.cells[place], score[place].points
            totals[place] += points
            if cell.points is not None and cell.points != points:
                numbers = {"told": cell.points, "found": points}
                problem = rules.Problem.of("points_mismatch", place, name=name, round=number, **numbers)
                draft.warnings.append(at(problem, cell.row, cell.columns.get("points", "")))
            if cell.total is not None and cell.total != totals[place]:
                numbers = {"told": cell.total, "found": totals[place]}
                problem = rules.Problem.of("total_mismatch", place, name=name, round=number, **numbers)
                draft.warnings.append(at(problem, cell.row, cell.columns.get("total", "")))


def _compare_results(draft: Draft, points: Sequence[int], ranks: Sequence[int]) -> None:
    """Warn of final totals and places that are told otherwise than the rounds make them."""
    for place, own in draft.results.items():
        if own.points is not None and own.points != points[place]:
            numbers = {"told": own.points, "found": points[place]}
            problem = rules.Problem.of(
                "total_mismatch", place, name=draft.names[place], round=len(draft.rounds), **numbers
            )
            draft.warnings.append(at(problem, own.row, own.columns.get("points", "")))
    draft.warnings += _rank_warnings(draft, ranks)
