"""A finished paper sheet as it is typed: the table and its rules, then a grid with one row a round.

The fields of the grid are called by kind, round and place at the table: `b3-0` and `t3-0` are the bid and the tricks of
the first person in round 3, `x3-0` marks a blind bid, `p3-0` and `s3-0` are points and total as printed; `bombs3` and
`cloud3` belong to the whole round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

import rules
from scoresheets import wording
from scoresheets.forms.fields import WholeNumberField, day_played
from scoresheets.forms.house import BID_MODES, HIDDEN, OPEN, SECRET
from scoresheets.recording.games import start_problems
from scoresheets.recording.names import tidy_name
from scoresheets.recording.receipts import fingerprint_of

MOST_NAMES = rules.MOST_PLAYERS
#: So many rows of six people stay below DATA_UPLOAD_MAX_NUMBER_FIELDS, and no ladder of the site is longer.
MOST_ROUNDS = 25
#: Presets that differ in what a sheet needs to know: how far the cloud may raise a bid.
EDITIONS = ("2021", "2026")
#: Cards that leave a trace on the sheet come first.
SPECIALS = ("BOMB", "CLOUD", *(name for name in rules.SPECIALS if name not in {"BOMB", "CLOUD"}))
BID, TRICKS, BLIND, POINTS, TOTAL = "btxps"
#: More than any name, list of cards or number is long; what is typed beyond it is cut off.
MOST_NAME, MOST_LIST, MOST_NUMBER = 200, 100, 20

_GRID = re.compile(r"[btxps][1-9][0-9]?-[0-5]|(bombs|cloud)[1-9][0-9]?", re.ASCII)
_NUMBER = WholeNumberField(required=False)

STANDARD = "standard"

Errors = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Table:
    """Who played, and by which rules, as the fields above the grid say it.

    `names` are the six places at the table in dealing order, "" where nobody sat; `dealer` is one of these places.
    `rounds`, `cards` and `played_on` are as typed. `printed`: the grid has columns for what the paper prints.
    """

    names: tuple[str, ...] = ("",) * MOST_NAMES
    dealer: int = 0
    deck: str = rules.WIZARD60
    variant: str = STANDARD
    bid_mode: str = OPEN
    edition: str = EDITIONS[0]
    specials: tuple[str, ...] = ()
    plus_minus_one: bool = False
    blind_bids: bool = False
    tie_break: str = rules.TIE_BREAKS[0]
    ladder: str = rules.LADDERS[0]
    rounds: str = ""
    cards: str = ""
    played_on: str = ""
    printed: bool = False

    @classmethod
    def from_post(cls, data: QueryDict) -> Table:
        """Read the fields; a choice that is none has its default."""
        names = [tidy_name(name)[:MOST_NAME] for name in data.getlist("name")[:MOST_NAMES]]
        dealer = data.get("dealer", "0")
        chosen = data.getlist("special")
        return cls(
            names=(*names, *[""] * (MOST_NAMES - len(names))),
            dealer=int(dealer) if dealer in set("012345") else 0,
            deck=_one_of(tuple(rules.DECKS), data.get("deck")),
            variant=_one_of(tuple(rules.VARIANTS), data.get("variant")),
            bid_mode=_one_of(BID_MODES, data.get("bid_mode")),
            edition=_one_of(EDITIONS, data.get("edition")),
            specials=tuple(name for name in SPECIALS if name in chosen),
            plus_minus_one="plus_minus_one" in data,
            blind_bids="blind_bids" in data,
            tie_break=_one_of(rules.TIE_BREAKS, data.get("tie_break")),
            ladder=_one_of(rules.LADDERS, data.get("ladder")),
            rounds=data.get("rounds", "").strip()[:MOST_NUMBER],
            cards=data.get("cards", "").strip()[:MOST_LIST],
            played_on=data.get("played_on", "").strip()[:MOST_NUMBER],
            printed="printed" in data,
        )

    @property
    def places(self) -> tuple[int, ...]:
        """The places where somebody sat."""
        return tuple(place for place, name in enumerate(self.names) if name)

    @property
    def people(self) -> tuple[str, ...]:
        """The names in dealing order, as the rules count seats."""
        return tuple(name for name in self.names if name)

    @property
    def house(self) -> rules.HouseRules:
        """The house rules chosen."""
        return replace(
            rules.PRESETS[self.edition].house,
            deck=self.deck,
            variant=self.variant,
            # Special cards that lie on the table beside a variant were agreed on.
            specials_in_variants=bool(self.specials) and self.variant != STANDARD,
            hidden_bids=self.bid_mode == HIDDEN,
            secret_bids=self.bid_mode == SECRET,
            specials=self.specials,
            plus_minus_one=self.plus_minus_one,
            blind_bids=self.blind_bids,
            tie_break=self.tie_break,
        )


def _one_of(choices: Sequence[str], chosen: str | None) -> str:
    return chosen if chosen is not None and chosen in choices else choices[0]


def _number(typed: str) -> tuple[int | None, str]:
    """Return a typed number, None where there is none, and what is wrong with it; the real minus sign is one, too."""
    try:
        return _NUMBER.clean(typed.replace(wording.MINUS, "-")), ""
    except forms.ValidationError as error:
        return None, str(error.messages[0])


def _points_printed(seat: int, *, printed: int, computed: int) -> rules.Problem:
    return rules.Problem.of("points_printed", seat, printed=printed, computed=computed)


def _total_printed(seat: int, *, printed: int, computed: int) -> rules.Problem:
    return rules.Problem.of("total_printed", seat, printed=printed, computed=computed)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the grid: the round as planned, what was typed in words that can be scored, and what is wrong.

    `played` and `scores` are None and () while the row is not complete or not right; `totals` are the running totals
    by seat, None after a row that could not be scored. `errors` and `mismatches` are sentences by field.
    """

    plan: rules.RoundPlan
    is_empty: bool = True
    played: rules.PlayedRound | None = None
    scores: tuple[rules.SeatScore, ...] = ()
    totals: tuple[int, ...] | None = None
    errors: Errors = field(default_factory=dict)
    mismatches: Errors = field(default_factory=dict)


class PaperSheet:
    """A whole sheet as typed, judged row by row. Nothing is written, and nothing typed is lost.

    `typed` are the fields of the grid that hold something, also of rounds and people that are not shown now.
    `complete` asks for every row to be filled in: what saving needs, and looking does not.
    """

    def __init__(self, data: QueryDict | None = None, *, complete: bool = False) -> None:
        self.table = Table() if data is None else Table.from_post(data)
        self.house = self.table.house
        sent = {name: data.get(name, "").strip() for name in data if _GRID.fullmatch(name)} if data else {}
        self.typed: Mapping[str, str] = {name: value[:MOST_NUMBER] for name, value in sent.items() if value}
        self.errors: Errors = {}
        self.length = self._whole_number("rounds", self.table.rounds)
        self.cards = self._cards()
        self.played_at = self._played_at()
        self.plan = self._plan()
        if data is not None:
            self._judge_table()
        self.rows = tuple(self._rows(complete=complete))

    # -- the table ------------------------------------------------------------------------------------------------

    def _whole_number(self, name: str, typed: str) -> int | None:
        number, wrong = _number(typed)
        if wrong:
            self.errors.setdefault(name, []).append(wrong)
        return number

    def _cards(self) -> tuple[int, ...] | None:
        if self.table.ladder != "free":
            return None
        words = [word for word in re.split(r"[\s,;]+", self.table.cards) if word]
        wrong = next((word for word in words if not re.fullmatch(r"[0-9]{1,2}", word, re.ASCII)), None)
        if wrong is not None:
            self._add("cards", rules.Problem.of("cards_unreadable", typed=wrong[:MOST_NUMBER]))
            return None
        return tuple(int(word) for word in words)

    def _played_at(self) -> datetime | None:
        try:
            return day_played(self.table.played_on)
        except forms.ValidationError as error:
            self.errors["played_on"] = list(error.messages)
            return None

    @property
    def _plan_arguments(self) -> dict[str, Any]:
        return {"ladder": self.table.ladder, "rounds": self.length, "cards": self.cards}

    def _plan(self) -> tuple[rules.RoundPlan, ...]:
        """Return the rounds of the grid; () as long as the table and its rules do not say what they are."""
        table, house = self.table, self.house
        if {"rounds", "cards"} & set(self.errors):
            return ()
        if rules.plan_problems(house, len(table.people), **self._plan_arguments):
            return ()
        plan = rules.round_plans(
            house, len(table.people), **self._plan_arguments, first_dealer=max(self._first_dealer, 0)
        )
        if len(plan) > MOST_ROUNDS:
            self._add("rounds", rules.Problem.of("rounds_out_of_range", rounds=len(plan), most=MOST_ROUNDS))
            return ()
        return plan

    @property
    def _first_dealer(self) -> int:
        places = self.table.places
        return places.index(self.table.dealer) if self.table.dealer in places else -1

    def _judge_table(self) -> None:
        arguments = self._plan_arguments
        if self.table.ladder == "free" and self.cards is None:
            arguments |= {"cards": (1,), "rounds": None}  # what was typed is named already
        problems = start_problems(self.table.people, self.house, first_dealer=self._first_dealer, **arguments)
        for problem in problems:
            at = _TABLE_FIELDS.get(problem.code, "table")
            if problem.code == "variant_incompatible":
                at = self._of_excluding(problem)
            if problem.seat is not None:
                at = f"name{self.table.places[problem.seat]}"
            if at == "rounds" and "rounds" in self.errors:
                continue
            self._add(at, problem)

    def _of_excluding(self, problem: rules.Problem) -> str:
        """Return the field of the one of two choices that exclude each other which is easier to change."""
        named = {problem.args["first"], problem.args["second"]}
        if named & {*rules.LADDERS}:
            return "ladder"
        return "variant" if self.table.variant in named else "bid_mode"

    def _add(self, at: str, problem: rules.Problem) -> None:
        sentence = wording.problem_in_words(problem, self.table.people)
        if sentence not in self.errors.setdefault(at, []):
            self.errors[at].append(sentence)

    # -- the grid -------------------------------------------------------------------------------------------------

    def _rows(self, *, complete: bool) -> Iterator[Row]:
        totals: tuple[int, ...] | None = (0,) * len(self.table.places)
        for plan in self.plan:
            row = self._entries(plan, complete=complete)
            if row.scores and totals is not None:
                totals = tuple(total + score.points for total, score in zip(totals, row.scores, strict=True))
            else:
                totals = None
            row = replace(row, totals=totals)
            self._compare(row)
            yield row

    def _of(self, kind: str, number: int) -> list[str]:
        """Return what was typed of one kind in a round, in seat order."""
        return [self.typed.get(f"{kind}{number}-{place}", "") for place in self.table.places]

    def _entries(self, plan: rules.RoundPlan, *, complete: bool) -> Row:
        """Return a row without its totals, judged by itself."""
        table, number = self.table, plan.number
        bids, tricks = self._of(BID, number), self._of(TRICKS, number)
        blind = tuple(bool(mark) for mark in self._of(BLIND, number)) if table.blind_bids else ()
        bombs = self.typed.get(f"bombs{number}", "") if "BOMB" in table.specials else ""
        clouds = self.clouds_of(number)
        if not any((*bids, *tricks, *blind, bombs, clouds)):
            row = Row(plan)
            if complete:
                empty = _("This round is empty. Fill it in, or choose fewer rounds above.")
                row.errors[f"{BID}{number}-{table.places[0]}"] = [empty]
            return row
        row = Row(plan, is_empty=False)
        numbers: dict[str, list[int]] = {BID: [], TRICKS: []}
        for kind, values in ((BID, bids), (TRICKS, tricks)):
            for place, typed in zip(table.places, values, strict=True):
                value, wrong = _number(typed)
                if value is None:
                    missing = str(_NUMBER.error_messages["required"])
                    row.errors[f"{kind}{number}-{place}"] = [wrong or missing]
                # The rules have no complaint about a 0 by itself, so the other numbers can be judged without it.
                numbers[kind].append(value or 0)
        bombed, wrong = _number(bombs)
        if wrong:
            row.errors[f"bombs{number}"] = [wrong]
        played = rules.PlayedRound(tuple(numbers[BID]), tuple(numbers[TRICKS]), bombed or 0, clouds, blind)
        has_all = not row.errors
        try:
            scores = played.scores(self.house, number, plan.cards)
        except rules.RulesError as refused:
            self._name(row, refused.problems, has_all=has_all)
            return row
        return replace(row, played=played, scores=scores) if has_all else row

    def clouds_of(self, number: int) -> tuple[tuple[int, int], ...]:
        """Return who took the cloud of a round and how it changed the bid, as `rules.PlayedRound` has it."""
        typed = self.typed.get(f"cloud{number}", "") if "CLOUD" in self.table.specials else ""
        place, change = typed[:1], {"+": 1, "-": -1}.get(typed[1:])
        if change is None or place not in {str(taken) for taken in self.table.places}:
            return ()
        return ((self.table.places.index(int(place)), change),)

    def _name(self, row: Row, problems: Sequence[rules.Problem], *, has_all: bool) -> None:
        """Put the rules' problems with a row at their fields; with numbers missing, only those of one number."""
        number = row.plan.number
        for problem in problems:
            if not has_all and problem.code in _OF_THE_WHOLE_ROW:
                continue
            kind = _GRID_FIELDS.get(problem.code, BID)
            if kind in ("bombs", "cloud") or problem.seat is None:
                at = f"{kind}{number}"
            else:
                at = f"{kind}{number}-{self.table.places[problem.seat]}"
            row.errors.setdefault(at, []).append(wording.problem_in_words(problem, self.table.people))

    def _compare(self, row: Row) -> None:
        """Compare a row with what the paper prints, where that was typed. Source: D80-D84."""
        if not self.table.printed:
            return
        points = tuple(score.points for score in row.scores) or None
        for kind, values, told in ((POINTS, points, _points_printed), (TOTAL, row.totals, _total_printed)):
            for seat, typed in enumerate(self._of(kind, row.plan.number)):
                at = f"{kind}{row.plan.number}-{self.table.places[seat]}"
                printed, wrong = _number(typed)
                if wrong:
                    row.errors[at] = [wrong]
                elif printed is not None and values is not None and printed != values[seat]:
                    problem = told(seat, printed=printed, computed=values[seat])
                    row.mismatches[at] = [wording.problem_in_words(problem, self.table.people)]

    # -- what it comes to -----------------------------------------------------------------------------------------

    @property
    def is_right(self) -> bool:
        """Whether there is a grid and nothing is wrong, neither above it nor in any row."""
        return bool(self.rows) and not self.errors and not any(row.errors for row in self.rows)

    @property
    def wrong_rounds(self) -> tuple[int, ...]:
        """The numbers of the rounds in which something is wrong."""
        return tuple(row.plan.number for row in self.rows if row.errors)

    @property
    def mismatches(self) -> int:
        """How many numbers the paper prints otherwise than they were computed."""
        return sum(len(row.mismatches) for row in self.rows)

    @property
    def confirmation(self) -> str:
        """What a page sends back to say that just these mismatches were seen; "" if there are none."""
        if not self.mismatches:
            return ""
        return fingerprint_of([list(row.mismatches.items()) for row in self.rows])[:16]

    def record_arguments(self) -> dict[str, Any]:
        """Return the arguments of `recording.record_sheet` apart from actor and key; the sheet is right."""
        return {
            "names": self.table.people,
            "house": self.house,
            "first_dealer": self._first_dealer,
            "rounds": [row.played for row in self.rows],
            "ladder": self.table.ladder,
            "cards": self.cards,
            "played_at": self.played_at,
        }


#: Which field above the grid shows which problem; all others stand above the table.
_TABLE_FIELDS = {
    "players": "name",
    "dealer_out_of_range": "dealer",
    **dict.fromkeys(("deck_unknown", "deck_has_no_specials"), "deck"),
    **dict.fromkeys(("dragon_fairy_pair", "special_unknown"), "special"),
    **dict.fromkeys(("ladder_players", "ladder_unknown"), "ladder"),
    **dict.fromkeys(("variant_unknown", "variant_players"), "variant"),
    **dict.fromkeys(("ladder_cards", "cards_out_of_range", "cards_exceed_deck"), "cards"),
    "rounds_out_of_range": "rounds",
}
#: Which field of a row shows which problem; without a seat it belongs to all fields of that kind.
_GRID_FIELDS = {
    **dict.fromkeys(("tricks_out_of_range", "tricks_sum"), TRICKS),
    **dict.fromkeys(("blind_not_enabled", "blind_not_available"), BLIND),
    **dict.fromkeys(("bombs_out_of_range", "bomb_not_in_deck", "too_many_bombs"), "bombs"),
    **dict.fromkeys(
        ("cloud_not_in_deck", "too_many_clouds", "cloud_delta", "cloud_without_trick", "cloud_bid_out_of_range"),
        "cloud",
    ),
}
_OF_THE_WHOLE_ROW = ("tricks_sum", "cloud_without_trick", "cloud_bid_out_of_range")
