"""Files of test cases: whether this engine decides them as they say.

A file is a JSON object with a list `cases`; a case has `id`, `kind`, `given` and `expect`. An expected error is met
only if its code is the only one found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rules.bidding import allowed_bids, bids_problems
from rules.block import ranks, winners
from rules.cards import Card, Suit
from rules.errors import Problem, RulesError, refuse
from rules.plans import FREE, bidding_order, dealer_of, plan_of, plan_problems, round_plans, starter_of
from rules.rounds import ChangeBid, ChooseTrump, Deal, MakeBid, PassCard, PlayCard, RoundState, Stage, Swap
from rules.scoring import score_round
from rules.tricks import legal_cards, trick_outcome
from rules.trump import choose_trump, trump_call
from rules.variants import EXACT_HITS, FEWEST_PLAYERS, MOST_PLAYERS, SINGLE_SUIT, HouseRules

Json = Mapping[str, Any]


class UnreadableFile(ValueError):
    """Raised when a file cannot be opened, is no JSON or holds something else; its text is one line for people."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that was not decided as expected: its id, what the case expects and what came (JSON values or words)."""

    id: str
    expected: Any
    came: Any


@dataclass(frozen=True, slots=True)
class Report:
    """How many cases passed, failed or are of a kind that is not run; `failures` are in file order."""

    passed: int
    failed: int
    unsupported: int
    failures: tuple[Failure, ...] = ()


def read_text(path: str | Path) -> str:
    """Return the text in a file.

    Raises `UnreadableFile`.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path}: not a text file in UTF-8") from error


def read_json(path: str | Path) -> Any:
    """Return the JSON value in a file.

    Raises `UnreadableFile`.
    """
    text = read_text(path)
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError as error:
        raise UnreadableFile(f"{path}: nested too deeply") from error
    except ValueError as error:
        raise UnreadableFile(f"{path}: not JSON ({error})") from error


def _whole(digits: str) -> int:
    """Return a whole number; one that no game can have would only cost time, in every sum it goes into."""
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


_MOST_DIGITS = 18


def check_file(path: str | Path) -> Report:
    """Return the report on a file of cases.

    Raises `UnreadableFile` if it is not such a file.
    """
    content = read_json(path)
    cases = content.get("cases") if isinstance(content, Mapping) else None
    if not isinstance(cases, list):
        raise UnreadableFile(f"{path}: not a file of cases (an object with a list called cases)")
    return check_cases(cases)


def check_cases(cases: Sequence[Any]) -> Report:
    """Return the report on a list of cases; one that has not the right form fails, and the others still run."""
    passed = unsupported = 0
    failures: list[Failure] = []
    for position, case in enumerate(cases, start=1):
        if not _is_case(case):
            failures.append(Failure(f"case {position}", "an object with id, kind, given and expect", case))
        elif case["kind"] not in KINDS:
            unsupported += 1
        elif (failure := check_case(case)) is not None:
            failures.append(failure)
        else:
            passed += 1
    return Report(passed, len(failures), unsupported, tuple(failures))


def check_case(case: Json) -> Failure | None:
    """Return why one case of a supported kind fails, or None if it passes."""
    expected = case["expect"]
    try:
        came = KINDS[case["kind"]](case["given"])
    except RulesError as error:
        came = {"error": _codes(error)}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return Failure(case["id"], expected, f"the case cannot be read: {type(error).__name__} {error}")
    # Every answer has more keys than a case has to name, but an error is never left unsaid.
    named = {key: came[key] for key in came if key in expected or key == "error"}
    return None if named == expected else Failure(case["id"], expected, named or came)


def _is_case(case: object) -> bool:
    return (
        isinstance(case, Mapping)
        and isinstance(case.get("id"), str)
        and isinstance(case.get("kind"), str)
        and isinstance(case.get("given"), Mapping)
        and isinstance(case.get("expect"), Mapping)
    )


def _codes(error: RulesError) -> str:
    return ", ".join(dict.fromkeys(problem.code for problem in error.problems))


def _house(given: Json) -> HouseRules:
    named = {name: given[name] for name in ("deck", "specials", "variant") if name in given}
    return HouseRules.from_mapping({**given.get("rules", {}), **named})


def _players(given: Json) -> int:
    """Return the number of seats.

    Raises `RulesError` (`players`), before anything is built for each of them.
    """
    players: int = given["players"]
    if players not in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
        raise RulesError((Problem.of("players", players=players),))
    return players


def _number(given: Json) -> int:
    """Return the round's number; where a case names none, the standard ladder's: as many as the cards."""
    number: int = given.get("round", given["cards"])
    return number


def _plan(given: Json) -> Json:
    return _PLAN_MODES[given["mode"]](given)


def _plan_table(given: Json) -> Json:
    plans = round_plans(_house(given), given["players"], rounds=given.get("rounds"))
    return {
        "cards": [plan.cards for plan in plans],
        "turned_up": [plan.turned_up for plan in plans],
        "tricks_total": sum(plan.cards for plan in plans),
        "trump": [plan.trump for plan in plans],
    }


def _plan_schedule(given: Json) -> Json:
    players = _players(given)
    dealer = dealer_of(given["first_dealer"], given["round"], players)
    return {
        "dealer": dealer,
        "starter": starter_of(dealer, players),
        "bid_order": list(bidding_order(dealer, players)),
    }


def _bids(given: Json) -> Json:
    return _BIDS_MODES[given["mode"]](given)


def _bids_allowed(given: Json) -> Json:
    house, players, bids, cards = _house(given), _players(given), given["bids"], given["cards"]
    # The answer lists the bids, so there must not be more of them than a deck makes possible.
    refuse(plan_problems(house, players, ladder=FREE, cards=[cards]))
    allowed = allowed_bids(house, number=_number(given), cards=cards, players=players, bids=bids)
    return {"seat": bidding_order(given["dealer"], players)[len(bids)], "allowed": list(allowed)}


def _bids_check(given: Json) -> Json:
    problems = bids_problems(
        _house(given),
        number=_number(given),
        cards=given["cards"],
        dealer=given["dealer"],
        bids=given["bids"],
        blind=given.get("blind", ()),
    )
    if not problems:
        return {"ok": True}
    return {"ok": False, "error": _codes(RulesError(problems)), "must_change": problems[0].seat}


def _score(given: Json) -> Json:
    scores = score_round(
        _house(given),
        number=_number(given),
        cards=given["cards"],
        bids=given["bids"],
        tricks=given["tricks"],
        bombs=given.get("bombs", 0),
        clouds=[(cloud["seat"], cloud["delta"]) for cloud in given.get("cloud", ())],
        blind=given.get("blind", ()),
    )
    points = [score.points for score in scores]
    before = given.get("totals_before", [0] * len(points))
    return {
        "final_bids": [score.final_bid for score in scores],
        "points": points,
        "exact": [score.exact for score in scores],
        "totals": [total + scored for total, scored in zip(before, points, strict=True)],
    }


def _ranking(given: Json) -> Json:
    rounds = given.get("rounds")
    totals = given["totals"] if rounds is None else _columns(entry["points"] for entry in rounds)
    hits = given["hits"] if rounds is None else _columns(entry["exact"] for entry in rounds)
    tie_break = given.get("rules", {}).get("tie_break", EXACT_HITS)
    return {
        "totals": totals,
        "hits": hits,
        "ranks": list(ranks(totals, hits, tie_break)),
        "winners": list(winners(totals, hits, tie_break)),
    }


def _columns(rows: Iterable[Sequence[int]]) -> list[int]:
    """Return the sum of each column."""
    return [sum(column) for column in zip(*rows, strict=True)]


def _trick(given: Json) -> Json:
    outcome = trick_outcome(
        _cards(given["cards"]),
        _suit(given["trump"]),
        single_suit=_single_suit(given),
        last_trick=given.get("last_trick", False),
    )
    return {
        "winner": outcome.winner,
        "next_leader": outcome.next_leader,
        "bombed": outcome.bombed,
        "cloud_owner": outcome.cloud_owner,
        "pass_left": outcome.pass_left,
    }


def _legal(given: Json) -> Json:
    legal = legal_cards(_cards(given["hand"]), _cards(given["trick"]), single_suit=_single_suit(given))
    return {"legal": [str(card) for card in legal]}


def _trump(given: Json) -> Json:
    house = _house(given)
    step = plan_of(house, _players(given), number=_number(given), cards=given["cards"])
    werewolf = given.get("werewolf", {})
    turned_up = None if given["turned_up"] is None else Card.parse(given["turned_up"])
    call = trump_call(house, step, dealer=given["dealer"], turned_up=turned_up, werewolf=werewolf.get("seat"))
    choice = {**given, **werewolf}
    if "choice" in choice:
        call = choose_trump(house, call, _suit(choice["choice"]))
    answer: dict[str, Any] = {"trump": call.trump, "chooser": call.chooser}
    if call.is_pending:
        answer["pending"] = True
    if call.swap is not None:
        answer["swap"] = {"seat": call.swap[0], "gets": str(call.swap[1])}
    return answer


def _round(given: Json) -> Json:
    house = _house({key: value for key, value in given.items() if not _single_suit(given) or key != "deck"})
    if _single_suit(given):
        house = replace(house, variant=SINGLE_SUIT)
    players = _players(given)
    hands = tuple(tuple(_cards(hand)) for hand in given["hands"])
    step = plan_of(house, players, number=given.get("round", 1), cards=len(hands[0]))
    state = RoundState.start(house, step, players=players, dealer=given["dealer"])
    turned_up = None if given["turned_up"] is None else Card.parse(given["turned_up"])
    state = state.after(Deal(hands, turned_up))
    if state.stage is Stage.SWAP:
        state = state.after(Swap(given["werewolf"]["seat"]))
    if state.stage is Stage.TRUMP:
        choice = {**given, **given.get("werewolf", {})}["choice"]
        state = state.after(ChooseTrump(state.to_act[0], _suit(choice)))
    blind = given.get("blind", [False] * players)
    for seat in bidding_order(given["dealer"], players):
        state = state.after(MakeBid(seat, given["bids"][seat], blind[seat]))
    passes = given.get("passes", {})
    for number, trick in enumerate(given["plays"], start=1):
        for card in _cards(trick):
            action = PlayCard(state.to_act[0], card)
            if any(problem.code == "must_follow" for problem in state.problems(action)):
                return {"illegal": {"trick": number, "seat": action.seat, "card": str(card)}}
            state = state.after(action)
        for seat, card in enumerate(_cards(passes.get(str(number), ()))):
            state = state.after(PassCard(seat, card))
    for change in given.get("cloud", ()):
        state = state.after(ChangeBid(change["seat"], change["delta"]))
    return {
        "trump": state.trump,
        "leaders": [trick.leader for trick in state.tricks],
        "winners": [trick.winner for trick in state.tricks],
        "tricks": list(state.taken),
        "final_bids": [score.final_bid for score in state.scores],
        "points": [score.points for score in state.scores],
    }


def _cards(notations: Iterable[str]) -> list[Card]:
    return [Card.parse(notation) for notation in notations]


def _suit(letter: str | None) -> Suit | None:
    return None if letter is None else Suit(letter)


def _single_suit(given: Json) -> bool:
    """Cases name the single-suit variant where others name a deck."""
    return given.get("deck") == SINGLE_SUIT


_PLAN_MODES: Mapping[str, Callable[[Json], Json]] = MappingProxyType({"table": _plan_table, "schedule": _plan_schedule})
_BIDS_MODES: Mapping[str, Callable[[Json], Json]] = MappingProxyType({"allowed": _bids_allowed, "check": _bids_check})
KINDS: Mapping[str, Callable[[Json], Json]] = MappingProxyType(
    {
        "plan": _plan,
        "trump": _trump,
        "bids": _bids,
        "legal": _legal,
        "trick": _trick,
        "score": _score,
        "ranking": _ranking,
        "round": _round,
    }
)
"""How a case of each kind is answered, from its `given`; kinds that are not named count as unsupported."""
