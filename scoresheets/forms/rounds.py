"""What a scorer enters for a round: bids one at a time or all at once, tricks as they are tapped in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import QueryDict

import rules
from scoresheets import wording
from scoresheets.forms.fields import WholeNumberField
from scoresheets.models import Seat
from scoresheets.queries.blocks import Sheet


class StageForm(forms.Form):
    """What every write of a round carries: the stage it was made for, and its key for repeats."""

    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    key = forms.CharField(max_length=64, required=False)


class BidForm(forms.Form):
    """One seat's bid: the number tapped and whose it is."""

    bid = WholeNumberField()

    def __init__(self, data: QueryDict, sheet: Sheet) -> None:
        super().__init__(data)
        self.sheet = sheet
        self.fields["seat"] = forms.TypedChoiceField(choices=[(seat.pk, seat.name) for seat in sheet.seats], coerce=int)

    def add_problems(self, problems: Sequence[rules.Problem]) -> None:
        """Show the rules' problems at the number."""
        names = [seat.name for seat in self.sheet.seats]
        for problem in problems:
            self.add_error("bid", wording.problem_in_words(problem, names))


class SeatNumbersForm(forms.Form):
    """One whole number a seat, in fields called `<prefix>_<seat id>`."""

    field_prefix = ""

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
        return [str(error) for error in self.errors.get(self.name_of(seat_id), ())] if self.is_bound else []

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
            name = "" if problem.seat is None else self.name_of(self.sheet.seats[problem.seat].pk)
            field = name if name in self.fields else None
            if sentence not in self.errors.get(field or NON_FIELD_ERRORS, ()):
                self.add_error(field, sentence)


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
        )


class TricksForm(SeatNumbersForm):
    """The tricks of all seats while they are being entered: any of them may still be open.

    What follows from the others is filled in: the last open seat gets what is left, and all open seats none once every
    trick is taken. The page sends such a number back like a typed one, with a `rest` ("seat id:tricks") to say so; it
    counts as open until somebody changes it.
    """

    field_prefix = "taken"

    def __init__(self, data: QueryDict, sheet: Sheet) -> None:
        super().__init__(data, sheet, sheet.bidding_order, required=False)
        self.sent = data
        assert sheet.current is not None
        self.countable = rules.countable_tricks(sheet.current.cards, 0)

    def range_problems(self) -> Sequence[rules.Problem]:
        numbers, countable = self.numbers, self.countable
        return [
            rules.Problem.of("tricks_out_of_range", place, tricks=numbers[seat.pk], countable=countable)
            for place, seat in enumerate(self.sheet.seats)
            if not 0 <= numbers.get(seat.pk, 0) <= countable
        ]

    @property
    def taken(self) -> dict[int, int]:
        """The tricks set by hand, by seat id: the filled-in rest is not among them."""
        filled_in = self.sent.getlist("rest")
        return {seat: number for seat, number in self.numbers.items() if f"{seat}:{self.typed(seat)}" not in filled_in}

    def after_tap(self) -> dict[int, int]:
        """Return the tricks by seat id after the tap that was sent: `made`, `plus` or `minus` with a seat id.

        Made it: as bid, or open again if it stood so. The first plus or minus means one more or one fewer than bid.
        """
        taken = self.taken
        for action in ("made", "plus", "minus"):
            tapped = self.data.get(action, "")
            seat = next((seat for seat in self.seats if str(seat.pk) == tapped), None)
            if seat is None:
                continue
            bid = self.sheet.bids[seat.pk].tricks_bid
            if action == "made":
                if taken.pop(seat.pk, None) != bid:
                    taken[seat.pk] = bid
            else:
                shown = self.numbers.get(seat.pk, bid)
                taken[seat.pk] = min(max(shown + (1 if action == "plus" else -1), 0), self.countable)
        return taken


def rest_of(taken: Mapping[int, int], seats: Sequence[Seat], countable: int) -> dict[int, int]:
    """Return the tricks that follow for open seats from those `taken` so far, by seat id; empty if none follow.

    One open seat gets what is left; several get none each, once all `countable` tricks are taken.
    """
    still_open = [seat.pk for seat in seats if seat.pk not in taken]
    left = countable - sum(taken.values())
    if len(still_open) == 1 and left >= 0:
        return {still_open[0]: left}
    return dict.fromkeys(still_open, 0) if left == 0 else {}
