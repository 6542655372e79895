"""The new game: people, order, dealer, length and rules, changed by named buttons until it is started."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

import rules
from scoresheets.recording.games import folded, name_problems, start_problems

MOST_NAMES = rules.MOST_PLAYERS
LENGTHS = ("full", "short", "half", "tournament", "own")
#: More than six names of full length with their commas; the page's field takes 200 characters.
MOST_TYPED = 400
#: Characters that turn or hide the text around a name; joiners of emoji and Persian stay.
_FORBIDDEN_IN_NAMES = {
    "\u202a",
    "\u202b",
    "\u202c",
    "\u202d",
    "\u202e",
    "\u2066",
    "\u2067",
    "\u2068",
    "\u2069",
    "\ufeff",
}
#: Categories of characters that show nothing by themselves: controls, formats, marks, separators.
_INVISIBLE = {"Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"}


def tidy_name(typed: str) -> str:
    """Return a name as it is kept: composed, one space between words, without control characters.

    What shows nothing at all is no name: "" then.
    """
    text = unicodedata.normalize("NFC", typed)
    kept = "".join(
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text if c not in _FORBIDDEN_IN_NAMES
    )
    return " ".join(kept.split()) if any(unicodedata.category(c) not in _INVISIBLE for c in kept) else ""


@dataclass(frozen=True, slots=True)
class Setup:
    """A game being set up, as the page's fields say it. A value: each button gives a new one.

    `names` stand in dealing order; `dealer` is a place in them; `length` is one of LENGTHS;
    `rounds` is what was typed for "own".
    """

    names: tuple[str, ...] = ()
    dealer: int = 0
    length: str = "full"
    rounds: str = ""
    plus_minus_one: bool = False
    tie_break: str = "exact_hits"
    typed_name: str = ""
    problems: tuple[rules.Problem, ...] = field(default=())

    @classmethod
    def from_post(cls, data: QueryDict) -> Setup:
        """Read the fields; what cannot be is set to the nearest thing that can."""
        names = tuple(tidy_name(name) for name in data.getlist("name"))[: MOST_NAMES + 1]
        dealer = _place(data.get("dealer", ""))
        rounds = data.get("rounds", "").strip()[:6]
        # A number of rounds that was changed counts; one that only stood there follows the length chosen.
        was_changed = rounds != data.get("shown_rounds", rounds)
        length = "own" if was_changed or (rounds and "length" not in data) else data.get("length", "full")
        return cls(
            names=names,
            dealer=dealer if dealer is not None and dealer < len(names) else 0,
            length=length if length in LENGTHS else "full",
            rounds=rounds,
            plus_minus_one="plus_minus_one" in data,
            tie_break="shared" if data.get("tie_break") == "shared" else "exact_hits",
            typed_name=data.get("new_name", "")[:MOST_TYPED],
        )

    # -- what the fields mean -------------------------------------------------------------------------------------

    @property
    def house(self) -> rules.HouseRules:
        """The house rules chosen."""
        return rules.HouseRules(plus_minus_one=self.plus_minus_one, tie_break=self.tie_break)

    @property
    def seats(self) -> int:
        """The number of seats the lengths are shown for: as many as there are people, within what Wizard allows."""
        return min(max(len(self.names), rules.FEWEST_PLAYERS), MOST_NAMES)

    @property
    def most_rounds(self) -> int:
        """The most rounds that this number of people can play."""
        return rules.most_rounds(self.house, self.seats)

    @property
    def length_rounds(self) -> dict[str, int]:
        """The rounds behind each of the lengths that have a name."""
        most = self.most_rounds
        return {"full": most, "short": round(most * 2 / 3), "half": (most + 1) // 2}

    @property
    def has_tournament_ladder(self) -> bool:
        return self.seats in rules.TOURNAMENT_LADDERS

    @property
    def ladder(self) -> str:
        return "tournament" if self.length == "tournament" else "full"

    @property
    def chosen_rounds(self) -> int | None:
        """The number of rounds chosen; None for the whole ladder, 0 (refused) for typed text that is no number."""
        if self.length == "tournament":
            return None
        if self.length == "own":
            typed = self.rounds
            return int(typed) if typed.isascii() and typed.isdigit() else 0
        return self.length_rounds[self.length]

    def start_arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of `recording.start_game` apart from actor and key."""
        return {
            "names": self.names,
            "house": self.house,
            "first_dealer": self.dealer,
            "ladder": self.ladder,
            "rounds": self.chosen_rounds,
        }

    def checked(self) -> Setup:
        """Return this setup with every reason why it cannot be started."""
        arguments = self.start_arguments()
        return replace(self, problems=start_problems(arguments.pop("names"), arguments.pop("house"), **arguments))

    # -- what the buttons do --------------------------------------------------------------------------------------

    def after_button(self, data: QueryDict) -> Setup:
        """Return the setup after the button that was pressed; several names may be typed at once, split by commas."""
        setup = self
        if self.typed_name.strip() and not any(button in data for button in ("toggle", "remove")):
            setup = setup.with_typed_names()
        if "toggle" in data:
            name = tidy_name(data.get("toggle", ""))
            place = setup.place_of(name)
            setup = setup.with_name(name) if place is None else setup.without(place)
        for button, change in (("remove", setup.without), ("up", setup.moved_up), ("down", setup.moved_down)):
            place = _place(data.get(button, ""))
            if place is not None and place < len(setup.names):
                setup = change(place)
        if data.get("move"):
            start, _colon, end = data.get("move", "").partition(":")
            setup = setup.moved(_place(start), _place(end))
        if data.get("step") in ("plus", "minus"):
            setup = setup.stepped(1 if data["step"] == "plus" else -1)
        return setup

    def place_of(self, name: str) -> int | None:
        """Return where a name sits (case set aside), or None."""
        return next((place for place, other in enumerate(self.names) if folded(other) == folded(name)), None)

    def with_typed_names(self) -> Setup:
        """Add what was typed; a name that cannot sit down stays typed, with the reason."""
        setup = replace(self, typed_name="")
        left = []
        for typed in self.typed_name.split(","):
            name = tidy_name(typed)
            if not name:
                continue
            after = setup.with_name(name)
            if after.problems and len(after.problems) > len(setup.problems):
                left.append(name)
            setup = after
        return replace(setup, typed_name=", ".join(left))

    def with_name(self, name: str) -> Setup:
        """Seat one more person, or say why not."""
        if len(self.names) >= MOST_NAMES:
            return self._with_problem(rules.Problem.of("table_full", name=name, most=MOST_NAMES))
        names = (*self.names, name)
        wrong = [problem for problem in name_problems(names) if problem.seat == len(self.names)]
        if wrong:
            return self._with_problem(*wrong)
        return replace(self, names=names)

    def _with_problem(self, *problems: rules.Problem) -> Setup:
        return replace(self, problems=(*self.problems, *(replace(problem, seat=None) for problem in problems)))

    def without(self, place: int) -> Setup:
        """Let one person go; the dealer stays the same person where possible."""
        names = self.names[:place] + self.names[place + 1 :]
        dealer = self.dealer - 1 if place < self.dealer else self.dealer
        return replace(self, names=names, dealer=min(dealer, max(len(names) - 1, 0)))

    def moved_up(self, place: int) -> Setup:
        return self.moved(place, place - 1)

    def moved_down(self, place: int) -> Setup:
        return self.moved(place, place + 1)

    def moved(self, start: int | None, end: int | None) -> Setup:
        """Move a person to another place; the first dealer stays the same person."""
        places = range(len(self.names))
        if start is None or end is None or start not in places or end not in places or start == end:
            return self
        order = list(range(len(self.names)))
        order.insert(end, order.pop(start))
        return replace(self, names=tuple(self.names[old] for old in order), dealer=order.index(self.dealer))

    def stepped(self, by: int) -> Setup:
        """One round more or fewer than shown now, within what is possible."""
        shown = self.chosen_rounds if self.chosen_rounds else self.most_rounds
        return replace(self, length="own", rounds=str(min(max(shown + by, 1), self.most_rounds)))


def _place(typed: str) -> int | None:
    """Return a place in the list as the page sent it, or None."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= 2 else None
