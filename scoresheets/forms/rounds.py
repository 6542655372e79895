"""What a scorer enters for a round: bids one at a time or all at once, tricks as they are tapped in, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets import wording
from scoresheets.forms.fields import WholeNumberField
from scoresheets.models import Seat
from scoresheets.queries.blocks import Sheet
from scoresheets.recording.coins import is_played

#: Problems that are shown at the bomb and at the cloud, where a game has that card.
BOMB_CODES = frozenset({"bombs_out_of_range", "bomb_not_in_deck", "too_many_bombs"})
CLOUD_CODES = frozenset(
    {"cloud_not_in_deck", "too_many_clouds", "cloud_delta", "cloud_without_trick", "cloud_bid_out_of_range"}
)


@dataclass(frozen=True, slots=True)
class Extras:
    """What special cards did in a round: the bombed tricks, and by seat id what the cloud changes a bid by."""

    bombs: int = 0
    clouds: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of_draft(cls, draft: Mapping[str, Any], sheet: Sheet) -> Extras:
        """Return what a draft holds of the seats of this game; the bombs are those of the tally while it counts."""
        kept = draft.get("clouds", {})
        clouds = {seat.pk: kept[str(seat.pk)] for seat in sheet.seats if kept.get(str(seat.pk)) in (-1, 1)}
        tally = Tally.of(sheet)
        return cls(tally.bombs if tally.counts else draft.get("bombs", 0), clouds)

    def countable(self, cards: int) -> int:
        """Return the tricks that count; bombs that cannot be are passed over, for the rules name them."""
        return rules.countable_tricks(cards, self.bombs if 0 <= self.bombs <= cards else 0)


@dataclass(frozen=True, slots=True)
class Tally:
    """What the coins of the round being played say: who took which trick so far.

    `coins` holds a seat's id, or None for a bombed trick, in order of play; `cards` are all tricks of the round.
    `by_hand`: numbers that were entered by hand after the newest coin count, and not the tally.
    """

    coins: tuple[int | None, ...] = ()
    cards: int = 0
    by_hand: bool = False

    @classmethod
    def of(cls, sheet: Sheet) -> Tally:
        """Return the tally of the open round; an empty one while no tricks are taken."""
        current = sheet.current
        if current is None or not is_played(sheet.game, current):
            return cls()
        return cls(tuple(current.draft.get("coins", ())), current.cards, "by_hand" in current.draft)

    @property
    def counts(self) -> bool:
        """Whether the tally fills in the tricks."""
        return bool(self.coins) and not self.by_hand

    @property
    def is_full(self) -> bool:
        return len(self.coins) >= self.cards

    @property
    def bombs(self) -> int:
        return self.coins.count(None)

    def taken(self, seats: Sequence[Seat]) -> dict[int, int]:
        """Return the tricks of each of the seats so far, by seat id."""
        return {seat.pk: self.coins.count(seat.pk) for seat in seats}

    def is_overruled_by(self, taken: Mapping[int, int], bombs: int, seats: Sequence[Seat]) -> bool:
        """Say whether tricks set by hand and bombs are others than those of the tally."""
        return bombs != self.bombs or (bool(taken) and taken != self.taken(seats))


def cloud_directions(sheet: Sheet, bid: int) -> tuple[int, ...]:
    """Return what the cloud may change this bid by: -1, +1 or both. Source: D72, D73."""
    assert sheet.current is not None
    highest = sheet.current.cards if sheet.block.house.cloud_upper_clamp else bid + 1
    return tuple(delta for delta in (-1, 1) if 0 <= bid + delta <= highest)


class StageForm(forms.Form):
    """What every write of a round carries: the stage it was made for, and its key for repeats."""

    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    key = forms.CharField(max_length=64, required=False)


class BidForm(forms.Form):
    """One seat's bid: the number tapped and whose it is."""

    bid = WholeNumberField()
    #: As in `SeatNumbersForm`.
    is_silent = False

    def __init__(self, data: QueryDict, sheet: Sheet) -> None:
        super().__init__(data)
        self.sheet = sheet
        self.fields["seat"] = forms.TypedChoiceField(choices=[(seat.pk, seat.name) for seat in sheet.seats], coerce=int)

    @property
    def sentences(self) -> list[str]:
        """What is wrong with the bid."""
        return [] if self.is_silent else [str(error) for errors in self.errors.values() for error in errors]

    def add_problems(self, problems: Sequence[rules.Problem]) -> None:
        """Show the rules' problems at the number."""
        names = [seat.name for seat in self.sheet.seats]
        for problem in problems:
            self.add_error("bid", wording.problem_in_words(problem, names))


class SeatNumbersForm(forms.Form):
    """One whole number a seat, in fields called `<prefix>_<seat id>`."""

    field_prefix = ""
    #: A silent form gives back what was typed and says nothing about it: something else was asked for.
    is_silent = False

    def __init__(self, data: QueryDict | None, sheet: Sheet, seats: Sequence[Seat], *, required: bool) -> None:
        super().__init__(data)
        self.sheet, self.seats = sheet, tuple(seats)
        for seat in seats:
            self.fields[self.name_of(seat.pk)] = WholeNumberField(required=required, label=seat.name)

    def name_of(self, seat_id: int) -> str:
        """Return the name of a seat's field."""
        return f"{self.field_prefix}_{seat_id}"

    @property
    def numbers(self) -> dict[int, int]:
        """The cleaned numbers by seat id; seats left empty or entered wrongly are left out."""
        cleaned: Mapping[str, Any] = getattr(self, "cleaned_data", {})
        found = {seat.pk: cleaned.get(self.name_of(seat.pk)) for seat in self.seats}
        return {seat: number for seat, number in found.items() if number is not None}

    def typed(self, seat_id: int) -> str:
        """Return what was typed for a seat, as it was typed."""
        return str(self.data.get(self.name_of(seat_id), ""))

    def errors_of(self, seat_id: int) -> list[str]:
        """Return the sentences to show at a seat's field."""
        return self.errors_at(self.name_of(seat_id))

    def errors_at(self, name: str) -> list[str]:
        """Return the sentences to show at a field, or at the form as a whole (`NON_FIELD_ERRORS`)."""
        return [str(error) for error in self.errors.get(name, ())] if self.is_bound and not self.is_silent else []

    def clean(self) -> dict[str, Any] | None:
        """Judge each number by itself, so that a wrong one is named also where another is no number at all."""
        self.add_problems(self.range_problems())
        return super().clean()

    def range_problems(self) -> Sequence[rules.Problem]:
        """Return the rules' problems with the numbers that are there."""
        raise NotImplementedError

    def add_problems(self, problems: Sequence[rules.Problem]) -> None:
        """Show each of the rules' problems once at its seat's field, or at the form where it has none."""
        names = [seat.name for seat in self.sheet.seats]
        for problem in problems:
            sentence = wording.problem_in_words(problem, names)
            name = self.field_of(problem)
            at = name if name in self.fields else None
            if sentence not in self.errors.get(at or NON_FIELD_ERRORS, ()):
                self.add_error(at, sentence)

    def field_of(self, problem: rules.Problem) -> str:
        """Return the name of the field that a problem belongs to, "" for none."""
        return "" if problem.seat is None else self.name_of(self.sheet.seats[problem.seat].pk)


class AllBidsForm(SeatNumbersForm):
    """The bids of all seats that have not bid yet, each required."""

    field_prefix = "bid"

    def __init__(self, data: QueryDict | None, sheet: Sheet) -> None:
        super().__init__(data, sheet, [s for s in sheet.bidding_order if s.pk not in sheet.bids], required=True)

    def range_problems(self) -> Sequence[rules.Problem]:
        current, numbers = self.sheet.current, self.numbers
        assert current is not None
        return rules.bids_problems(
            self.sheet.block.house,
            number=current.number,
            cards=current.cards,
            dealer=self.sheet.places[current.dealer_id],
            bids=[numbers.get(seat.pk) for seat in self.sheet.seats],
            blind=[seat.pk in self.blind for seat in self.sheet.seats],
        )

    @property
    def blind(self) -> frozenset[int]:
        """The ids of the seats that bid blind."""
        return frozenset(seat.pk for seat in self.seats if f"blind_{seat.pk}" in self.data)


class TricksForm(SeatNumbersForm):
    """The tricks of all seats while they are being entered: any of them may still be open.

    What follows from the others is filled in: the last open seat gets what is left, and all open seats none once every
    trick is taken. So are the tricks that coins have counted so far. The page sends such a number back like a typed
    one, and `rest` ("seat id:tricks", several with spaces) says so; it counts as open until somebody changes it.
    """

    field_prefix = "taken"

    def __init__(
        self, data: QueryDict, sheet: Sheet, bids: Mapping[int, int] | None = None, *, is_final: bool = False
    ) -> None:
        """`bids` by seat id are those entered together with the tricks; `is_final`: the round is to be scored now."""
        super().__init__(data, sheet, sheet.bidding_order, required=False)
        self.sent, self.is_final = data, is_final
        #: Bombs and clouds as entered. Where only one direction is open to the cloud, a tap takes that.
        self.extras = Extras()
        self.bids = {seat: bid.tricks_bid for seat, bid in sheet.bids.items()} | dict(bids or {})
        # Only games with these cards send them.
        if "bombs" in data:
            self.fields["bombs"] = WholeNumberField(required=False)
        if "cloud" in data:
            self.fields["cloud"] = forms.TypedMultipleChoiceField(
                required=False,
                choices=[("", ""), *((seat.pk, seat.name) for seat in sheet.seats)],
                coerce=lambda value: int(value) if value else None,
                error_messages={"invalid_choice": _("This person is not at this table.")},
            )
            self.fields["cloud_delta"] = WholeNumberField(required=False)

    def clean(self) -> dict[str, Any] | None:
        # Before a problem takes its field out of the cleaned data: it is shown with what was entered.
        takers = [seat for seat in self.cleaned_data.get("cloud") or () if seat is not None]
        self.extras = Extras(
            self.cleaned_data.get("bombs") or 0, {seat: self._delta(seat, self.cleaned_data) for seat in takers}
        )
        if self.is_folded and self.sheet.current is not None:
            self.extras = Extras.of_draft(self.sheet.current.draft, self.sheet)
        return super().clean()

    @property
    def is_folded(self) -> bool:
        """Whether the form had no fields, since coins are laid: then what is kept stands."""
        return not any(self.name_of(seat.pk) in self.sent for seat in self.seats)

    def _delta(self, seat: int, cleaned: Mapping[str, Any]) -> int:
        delta: int | None = cleaned.get("cloud_delta")
        known = seat in self.bids and not self.sheet.covered
        open_ways = cloud_directions(self.sheet, self.bids[seat]) if known else (-1, 1)
        if delta is None or (delta in (-1, 1) and delta not in open_ways and not self.is_final):
            return next(iter(open_ways), -1)
        return delta

    @property
    def countable(self) -> int:
        assert self.sheet.current is not None
        return self.extras.countable(self.sheet.current.cards)

    def range_problems(self) -> Sequence[rules.Problem]:
        numbers, countable = self.numbers, self.countable
        return [
            *(
                rules.Problem.of("tricks_out_of_range", place, tricks=numbers[seat.pk], countable=countable)
                for place, seat in enumerate(self.sheet.seats)
                if not 0 <= numbers.get(seat.pk, 0) <= countable
            ),
            *(self._extras_problems() if "bombs" in self.fields or "cloud" in self.fields else ()),
        ]

    def _extras_problems(self) -> Sequence[rules.Problem]:
        """Return what is wrong with bombs and clouds, whatever tricks are still to be entered."""
        current, extras, seats = self.sheet.current, self.extras, self.sheet.seats
        assert current is not None
        problems = rules.round_problems(
            self.sheet.block.house,
            number=current.number,
            cards=current.cards,
            # A bid that is not known yet is one that the cloud can change either way, or that is judged elsewhere.
            bids=[self.bids.get(seat.pk, -1) for seat in seats],
            tricks=[1] * len(seats),
            bombs=extras.bombs,
            clouds=[(place, extras.clouds[seat.pk]) for place, seat in enumerate(seats) if seat.pk in extras.clouds],
        )
        return [problem for problem in problems if problem.code in BOMB_CODES | CLOUD_CODES]

    def field_of(self, problem: rules.Problem) -> str:
        if problem.code in BOMB_CODES:
            return "bombs" if rules.count_of(self.sheet.block.house, "BOMB") else ""
        if problem.code in CLOUD_CODES:
            return "cloud" if rules.count_of(self.sheet.block.house, "CLOUD") else ""
        return super().field_of(problem)

    @property
    def taken(self) -> dict[int, int]:
        """The tricks set by hand, by seat id: the filled-in rest is not among them."""
        filled_in = self.sent.get("rest", "").split()
        return {seat: number for seat, number in self.numbers.items() if f"{seat}:{self.typed(seat)}" not in filled_in}

    def after_tap(self) -> dict[int, int]:
        """Return the tricks by seat id after the tap that was sent: `made`, `plus` or `minus` with a seat id.

        Made it: as bid, after the cloud, or open again if it stood so; `made` with "all" is that for everybody. The
        first plus or minus means one more or one fewer than bid.
        """
        if self.data.get("made") == "all":
            return {seat.pk: self.bids[seat.pk] + self.extras.clouds.get(seat.pk, 0) for seat in self.seats}
        taken = self.taken
        for action in ("made", "plus", "minus"):
            tapped = self.data.get(action, "")
            seat = next((seat for seat in self.seats if str(seat.pk) == tapped), None)
            if seat is None:
                continue
            bid = self.bids[seat.pk] + self.extras.clouds.get(seat.pk, 0)
            if action == "made":
                if taken.pop(seat.pk, None) != bid:
                    taken[seat.pk] = bid
            else:
                shown = self.numbers.get(seat.pk, bid)
                taken[seat.pk] = min(max(shown + (1 if action == "plus" else -1), 0), self.countable)
        return taken


def draft_of(form: TricksForm, taken: Mapping[int, int]) -> dict[str, Any]:
    """Return the open round's draft with the tricks after a tap, bombs and clouds.

    Where coins lie, other tricks or bombs than theirs count from now on; without any, the tally does, and what was
    entered before the first coin is kept behind it.
    """
    sheet, extras = form.sheet, form.extras
    assert sheet.current is not None
    draft, tally = dict(sheet.current.draft), Tally.of(sheet)
    clouds = {str(seat): delta for seat, delta in extras.clouds.items()}
    entered: dict[str, Any] = {"taken": {str(seat): tricks for seat, tricks in taken.items()}, "bombs": extras.bombs}
    if tally.coins and not tally.is_overruled_by(taken, extras.bombs, sheet.bidding_order):
        kept = {} if draft.pop("by_hand", False) else draft
        entered = {"taken": kept.get("taken", {}), "bombs": kept.get("bombs", 0)}
    elif tally.coins:
        draft["by_hand"] = True
    draft.update(entered, clouds=clouds)
    return {name: value for name, value in draft.items() if value or name not in {"bombs", "clouds"}}


class RoundForm:
    """Bids and tricks of a round in one entry, as secret bids need it: two forms over the same fields."""

    def __init__(self, data: QueryDict, sheet: Sheet) -> None:
        self.sheet = sheet
        self.bids = AllBidsForm(data, sheet)
        self.bids.full_clean()
        self.tricks = TricksForm(data, sheet, self.bids.numbers, is_final=True)
        self.tricks.full_clean()

    def is_valid(self) -> bool:
        return self.bids.is_valid() and self.tricks.is_valid()

    @property
    def is_silent(self) -> bool:
        return self.bids.is_silent

    def keep_silent(self) -> None:
        """Give back what was typed and say nothing about it."""
        self.bids.is_silent = self.tricks.is_silent = True

    def add_problems(self, problems: Sequence[rules.Problem]) -> None:
        """Show each of the rules' problems at the bid or at the tricks it belongs to."""
        of_bids = [problem for problem in problems if problem.code.startswith(("bid_", "blind_"))]
        self.bids.add_problems(of_bids)
        self.tricks.add_problems([problem for problem in problems if problem not in of_bids])


def rest_of(taken: Mapping[int, int], seats: Sequence[Seat], countable: int) -> dict[int, int]:
    """Return the tricks that follow for open seats from those `taken` so far, by seat id; empty if none follow.

    One open seat gets what is left; several get none each, once all `countable` tricks are taken.
    """
    still_open = [seat.pk for seat in seats if seat.pk not in taken]
    left = countable - sum(taken.values())
    if len(still_open) == 1 and left >= 0:
        return {still_open[0]: left}
    return dict.fromkeys(still_open, 0) if left == 0 else {}
