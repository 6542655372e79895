"""The new game: people, order, dealer, length and rules, changed by named buttons until it is started."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

import rules
from scoresheets.forms.house import MOST_CHARACTERS, HouseChoices, house_fields
from scoresheets.recording.games import start_problems
from scoresheets.recording.names import folded, name_problems, tidy_name

MOST_NAMES = rules.MOST_PLAYERS
#: The lengths that need no list of cards.
LENGTHS = ("full", "short", "half", "tournament", "own")
FREE = "free"
#: Problems that say that two choices exclude each other, or one the number of people; the others are mended by typing.
EXCLUDING = frozenset(
    {"deck_has_no_specials", "variant_needs_no_specials", "variant_players", "variant_incompatible", "ladder_players"}
)
#: More than six names of full length with their commas; the page's field takes 200 characters.
MOST_TYPED = 400
#: The house rules in which the editions differ.
DIFFER = tuple(
    name
    for name, value in rules.HouseRules().to_mapping().items()
    if any(preset.house.to_mapping()[name] != value for preset in rules.PRESETS.values())
)


@dataclass(frozen=True, slots=True)
class Setup(HouseChoices):
    """A game being set up, as the page's fields say it. A value: each button gives a new one.

    `names` stand in dealing order; `dealer` is a place in them; `length` is one of LENGTHS or FREE, or a name nobody
    knows, to be refused; `rounds` is what was typed for "own", `typed_cards` for FREE.
    """

    names: tuple[str, ...] = ()
    dealer: int = 0
    length: str = "full"
    rounds: str = ""
    typed_cards: str = ""
    typed_name: str = ""
    problems: tuple[rules.Problem, ...] = field(default=())

    @classmethod
    def from_post(cls, data: QueryDict) -> Setup:
        """Read the fields; a dealer who is not there is the first person."""
        names = tuple(tidy_name(name) for name in data.getlist("name"))[: MOST_NAMES + 1]
        dealer = _place(data.get("dealer", ""))
        return cls(
            **house_fields(data),
            names=names,
            dealer=dealer if dealer is not None and dealer < len(names) else 0,
            length=_length(data),
            rounds=data.get("rounds", "").strip()[:6],
            typed_cards=data.get("cards", "").strip()[:MOST_TYPED],
            typed_name=data.get("new_name", "")[:MOST_TYPED],
        )

    # -- what the fields mean -------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """The number of seats the lengths are shown for: as many as there are people, within what Wizard allows."""
        return min(max(len(self.names), rules.FEWEST_PLAYERS), MOST_NAMES)

    @property
    def most_rounds(self) -> int:
        """The most rounds that this number of people can play; of the plain game while the pack is not known."""
        try:
            return rules.most_rounds(self.house, self.seats)
        except rules.RulesError:
            return rules.most_rounds(rules.HouseRules(), self.seats)

    @property
    def length_rounds(self) -> dict[str, int]:
        """The rounds behind each of the lengths that have a name."""
        return _length_rounds(self.most_rounds)

    @property
    def has_tournament_ladder(self) -> bool:
        return self.seats in rules.TOURNAMENT_LADDERS

    @property
    def ladder(self) -> str:
        return "full" if self.length in {*self.length_rounds, "own"} else self.length

    @property
    def chosen_rounds(self) -> int | None:
        """The number of rounds chosen; None for the whole ladder, 0 (refused) for typed text that is no number."""
        if self.length == "own":
            typed = self.rounds
            return int(typed) if typed.isascii() and typed.isdigit() else 0
        return self.length_rounds.get(self.length)

    @property
    def cards(self) -> tuple[int, ...] | None:
        """The cards a round that were typed for FREE, up to the first that is no number; None for other lengths."""
        if self.length != FREE:
            return None
        return tuple(int(word) for word in itertools.takewhile(is_number_of_cards, words_of(self.typed_cards)))

    @property
    def plan_arguments(self) -> dict[str, Any]:
        """How `rules.round_plans` is asked for the length chosen."""
        return {"ladder": self.ladder, "rounds": self.chosen_rounds, "cards": self.cards}

    def plan_problems(self) -> tuple[rules.Problem, ...]:
        """Return what is wrong with house rules and length for the people there are now."""
        return self._as_typed(rules.plan_problems(self.house, self.seats, **self.plan_arguments))

    def plans(self) -> tuple[rules.RoundPlan, ...]:
        """Return the rounds as planned; () while something is wrong."""
        return () if self.plan_problems() else rules.round_plans(self.house, self.seats, **self.plan_arguments)

    def choosing(self, **values: Any) -> Setup:
        """Return this setup with some fields chosen otherwise."""
        return replace(self, **values)

    def bars(self, other: Setup, standing: Sequence[rules.Problem]) -> list[rules.Problem]:
        """Return why one cannot change to the other setup: what would then exclude each other and does not now.

        `standing` are the problems there are now.
        """
        after = rules.plan_problems(other.house, other.seats, **other.plan_arguments)
        return [problem for problem in after if problem.code in EXCLUDING and problem not in standing]

    def start_arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of `recording.start_game` apart from actor and key."""
        return {"names": self.names, "house": self.house, "first_dealer": self.dealer, **self.plan_arguments}

    def checked(self) -> Setup:
        """Return this setup with every reason why it cannot be started."""
        arguments = self.start_arguments()
        found = start_problems(arguments.pop("names"), arguments.pop("house"), **arguments)
        return replace(self, problems=self._as_typed(found))

    def _as_typed(self, problems: tuple[rules.Problem, ...]) -> tuple[rules.Problem, ...]:
        """Return these problems after that of a list of cards that cannot be read, which is then not missing."""
        words = words_of(self.typed_cards) if self.length == FREE else []
        unreadable = next((word for word in words if not is_number_of_cards(word)), None)
        if unreadable is None:
            return problems
        others = (problem for problem in problems if problem.code != "ladder_cards")
        return (rules.Problem.of("cards_unreadable", typed=unreadable[:MOST_CHARACTERS]), *others)

    # -- where it starts from -------------------------------------------------------------------------------------

    def like(self, house: rules.HouseRules, players: int, *, ladder: str, plan: Sequence[int]) -> Setup:
        """Return this table with the house rules and the length of a game that was played; `plan` as in `Game`."""
        length, rounds = FREE, ""
        if ladder == "full":
            lengths = _length_rounds(rules.most_rounds(house, players))
            length = next((name for name, number in lengths.items() if number == len(plan)), "own")
            rounds = str(len(plan)) if length == "own" else ""
        elif ladder == "tournament" and tuple(plan) == rules.TOURNAMENT_LADDERS.get(players):
            length = "tournament"
        typed_cards = " ".join(map(str, plan)) if length == FREE else ""
        return replace(self.with_house(house), length=length, rounds=rounds, typed_cards=typed_cards)

    def with_rules_of(self, other: Setup) -> Setup:
        """Return this table with the house rules and the length of the other."""
        return replace(
            self.with_house(other.house), length=other.length, rounds=other.rounds, typed_cards=other.typed_cards
        )

    def has_rules_of(self, other: Setup) -> bool:
        """Whether house rules and length are the other's."""
        same = self.with_rules_of(other)
        return (self.house, self.plan_arguments) == (same.house, same.plan_arguments)

    def with_preset(self, name: str) -> Setup:
        """Start from an edition; the special cards stay, where it has any, and so does a length it has."""
        preset = rules.PRESETS[name]
        house = preset.house if preset.ladder == "tournament" else replace(preset.house, specials=self.specials)
        if self.ladder == preset.ladder:
            return self.with_house(house)
        return replace(self.with_house(house), length=preset.ladder)

    @property
    def preset(self) -> str | None:
        """The edition that all this is, special cards and the number of rounds apart; None: the table changed it."""
        return next((name for name in rules.PRESETS if self.with_preset(name) == self), None)

    @property
    def edition(self) -> str | None:
        """The edition whose rules these are where editions differ, whatever else was changed; None: a mix of them."""
        ladder = "tournament" if self.ladder == "tournament" else "full"
        same = rules.Preset(rules.HouseRules(**{name: getattr(self, name) for name in DIFFER}), ladder)
        return next((name for name, preset in rules.PRESETS.items() if preset == same), None)

    # -- what the buttons do --------------------------------------------------------------------------------------

    def after_button(self, data: QueryDict) -> Setup:
        """Return the setup after the button that was pressed; several names may be typed at once, split by commas."""
        setup = self
        if self.typed_name.strip() and not any(button in data for button in ("toggle", "remove", "choose")):
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
        if data.get("instead"):
            setup = setup.renamed(*data.get("instead", "").partition(":")[::2])
        if data.get("preset") in rules.PRESETS:
            setup = setup.with_preset(data.get("preset", ""))
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

    def renamed(self, place: str, name: str) -> Setup:
        """Seat somebody else in a place, who was meant by the name there; nothing if they sit already."""
        at, name = _place(place), tidy_name(name)
        if at is None or at >= len(self.names) or not name or self.place_of(name) not in (None, at):
            return self
        return replace(self, names=(*self.names[:at], name, *self.names[at + 1 :]))

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
        shown = self.chosen_rounds or len(self.plans()) or self.most_rounds
        return replace(self, length="own", rounds=str(min(max(shown + by, 1), self.most_rounds)))


def _length(data: QueryDict) -> str:
    """Return which length the fields choose.

    A number of rounds or a list of cards that was changed counts. What only stood there follows the length chosen; so
    does a list beside which another length was chosen.
    """
    rounds, cards = data.get("rounds", "").strip(), data.get("cards", "").strip()
    chosen = data.get("length", "own" if rounds else "full")[:MOST_CHARACTERS]
    if rounds[:6] != data.get("shown_rounds", rounds[:6]):
        return "own"
    if cards and cards != data.get("shown_cards", cards) and chosen == data.get("shown_length", chosen):
        return FREE
    return chosen


def _length_rounds(most: int) -> dict[str, int]:
    return {"full": most, "short": round(most * 2 / 3), "half": (most + 1) // 2}


def words_of(typed: str) -> list[str]:
    """Return what stands between spaces, commas and the like."""
    return re.split(r"[\s,;]+", typed.strip(" ,;")) if typed.strip(" ,;") else []


def is_number_of_cards(word: str) -> bool:
    """Say whether a word is a number that could be one of cards."""
    return word.isascii() and word.isdigit() and len(word) <= 3


def _place(typed: str) -> int | None:
    """Return a place in the list as the page sent it, or None."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= 2 else None
