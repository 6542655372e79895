"""Printed score sheets, such as a magazine or an organiser publishes them: does every number follow the rules?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.block import PlayedRound
from rules.errors import Problem, RulesError
from rules.plans import FREE, FULL, TOURNAMENT, plan_problems, round_plans
from rules.variants import HouseRules, house_rules_problems

_TOO_LARGE = 10**6


@dataclass(frozen=True, slots=True)
class _PrintedRound:
    """One round as printed, its shape already checked; all tuples are in seat order."""

    number: int
    cards: int
    played: PlayedRound
    points: tuple[tuple[int, ...], ...]  # every version of the points that the sheet has
    totals: tuple[int, ...]


def sheet_problems(sheet: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return all that is wrong with a sheet, round by round; () if every number on it follows from bids and tricks.

    A sheet is a JSON object with `ladder`, `players` and `rounds`; each round has `number` (1, 2, ...), `cards`, and by
    seat `bids`, `tricks`, `points` and `totals`. `points_as_printed` in a round is what the paper says where `points`
    is already corrected; both are compared. The cards are compared with the ladder if that is "full", "tournament" or
    "tournament-N" (for N players); any other name only needs cards for everybody. Optional: `complete` (true: no round
    of such a ladder may be missing), `rules` (house rules as in `HouseRules.from_mapping`) and in a round `bombs`,
    `cloud` ({seat, delta} objects) and `blind`.

    Problems of a round carry its number as the param `round`. What has not the right form is a `sheet_shape` problem,
    never an exception. Totals are added up from the computed points; after a round that cannot be scored, from the
    totals printed there. Source: D80-D84.
    """
    problems = [*_head_problems(sheet)]
    if problems:
        return tuple(problems)
    try:
        house = HouseRules.from_mapping(sheet.get("rules", {}))
    except RulesError as error:
        return error.problems
    players: int = sheet["players"]
    problems += house_rules_problems(house, players)
    if problems:
        return tuple(problems)  # a game that cannot be played cannot be scored either
    rounds: list[_PrintedRound | None] = []
    for index, printed in enumerate(sheet["rounds"]):
        found = tuple(_round_shape(printed, index + 1, players))
        problems += (problem.in_round(index + 1) for problem in found)
        rounds.append(None if found else _printed_round(printed))
    problems += _card_problems(house, players, sheet["ladder"], rounds, complete=sheet.get("complete", False))
    problems += _number_problems(house, players, rounds)
    # A round without cards is found both by the plan and by the score: said once.
    return tuple(sorted(dict.fromkeys(problems), key=_round_of))


def _round_of(problem: Problem) -> int:
    number = problem.args.get("round", 0)
    return number if isinstance(number, int) else 0


def _shape(field: str, expected: str) -> Problem:
    return Problem.of("sheet_shape", field=field, expected=expected)


def _is_int(value: object) -> bool:
    """Whether a value is a number that a sheet may have: no bool, and nothing too long to be written out again."""
    return type(value) is int and abs(value) < _TOO_LARGE


def _is_list(value: object, length: int, fits: Callable[[object], bool]) -> bool:
    return isinstance(value, list | tuple) and len(value) == length and all(fits(entry) for entry in value)


def _is_mark(value: object) -> bool:
    return isinstance(value, bool)


def _is_cloud(value: object) -> bool:
    return isinstance(value, Mapping) and _is_int(value.get("seat")) and _is_int(value.get("delta"))


def _head_problems(sheet: object) -> Iterator[Problem]:
    if not isinstance(sheet, Mapping):
        yield _shape("the sheet", "an object")
        return
    if not isinstance(sheet.get("ladder"), str):
        yield _shape("ladder", "a name")
    if not _is_int(sheet.get("players")):
        yield _shape("players", "a whole number")
    if not isinstance(sheet.get("rounds"), list | tuple) or not sheet["rounds"]:
        yield _shape("rounds", "a list of at least one round")
    if not isinstance(sheet.get("complete", False), bool):
        yield _shape("complete", "true or false")
    if not isinstance(sheet.get("rules", {}), Mapping):
        yield _shape("rules", "an object")


def _round_shape(printed: object, number: int, players: int) -> Iterator[Problem]:
    if not isinstance(printed, Mapping):
        yield _shape("a round", "an object")
        return
    if not _is_int(printed.get("number")) or printed["number"] != number:
        yield _shape("number", f"{number} (rounds are counted from 1)")
    for field in ("cards", "bombs"):
        if not _is_int(printed.get(field, 0 if field == "bombs" else None)):
            yield _shape(field, "a whole number")
    for field in ("bids", "tricks", "points", "totals", "points_as_printed"):
        optional = field == "points_as_printed" and field not in printed
        if not optional and not _is_list(printed.get(field), players, _is_int):
            yield _shape(field, f"a list of {players} whole numbers")
    if "blind" in printed and not _is_list(printed["blind"], players, _is_mark):
        yield _shape("blind", f"a list of {players} marks, true or false")
    clouds = printed.get("cloud", [])
    if not isinstance(clouds, list | tuple) or not all(_is_cloud(cloud) for cloud in clouds):
        yield _shape("cloud", "a list of objects with seat and delta")


def _printed_round(printed: Mapping[str, Any]) -> _PrintedRound:
    return _PrintedRound(
        number=printed["number"],
        cards=printed["cards"],
        played=PlayedRound(
            bids=tuple(printed["bids"]),
            tricks=tuple(printed["tricks"]),
            bombs=printed.get("bombs", 0),
            clouds=tuple((cloud["seat"], cloud["delta"]) for cloud in printed.get("cloud", ())),
            blind=tuple(printed.get("blind", ())),
        ),
        points=tuple(tuple(printed[field]) for field in ("points_as_printed", "points") if field in printed),
        totals=tuple(printed["totals"]),
    )


def _card_problems(
    house: HouseRules, players: int, ladder: str, rounds: Sequence[_PrintedRound | None], *, complete: bool
) -> Iterator[Problem]:
    """Yield what is wrong with the ladder and with the cards of each round."""
    name, _, made_for = ladder.partition("-")
    if name not in (FULL, TOURNAMENT):
        # A round that cannot be read stands in with one card, so that the others keep their numbers.
        cards = [1 if entry is None else entry.cards for entry in rounds]
        yield from plan_problems(house, players, ladder=FREE, cards=cards or [1])
        return
    if made_for and made_for != str(players):
        yield Problem.of("ladder_players", ladder=ladder, players=players)
        return
    problems = plan_problems(house, players, ladder=name)
    if problems:
        yield from problems
        return
    plan = round_plans(house, players, ladder=name)
    if len(rounds) > len(plan):
        yield Problem.of("rounds_out_of_range", rounds=len(rounds), most=len(plan))
    if complete and len(rounds) < len(plan):
        yield Problem.of("sheet_rounds", rounds=len(rounds), expected=len(plan))
    for step, entry in zip(plan, rounds, strict=False):
        if entry is not None and entry.cards != step.cards:
            yield Problem.of("sheet_cards", round=step.number, cards=entry.cards, expected=step.cards)


def _number_problems(house: HouseRules, players: int, rounds: Sequence[_PrintedRound | None]) -> Iterator[Problem]:
    """Yield what is wrong with the entries, points and totals of each round that can be read."""
    totals: tuple[int, ...] | None = (0,) * players  # None: not known, so go on from what the next round prints
    for entry in rounds:
        if entry is None:
            totals = None
            continue
        try:
            scores = entry.played.scores(house, entry.number, entry.cards)
        except RulesError as error:
            yield from error.problems
            totals = entry.totals
            continue
        points = tuple(score.points for score in scores)
        for seat, computed in enumerate(points):
            for printed in dict.fromkeys(version[seat] for version in entry.points):
                if printed != computed:
                    yield Problem.of("points_printed", seat, round=entry.number, printed=printed, computed=computed)
        if totals is None:
            totals = entry.totals
            continue
        totals = tuple(total + scored for total, scored in zip(totals, points, strict=True))
        for seat, (printed, computed) in enumerate(zip(entry.totals, totals, strict=True)):
            if printed != computed:
                yield Problem.of("total_printed", seat, round=entry.number, printed=printed, computed=computed)
