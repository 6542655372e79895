"""What a scorer enters to correct a game: a scored round as it should have been, points beside the rounds, a name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets import wording
from scoresheets.forms.fields import WholeNumberField
from scoresheets.models import Round
from scoresheets.models.games import REASON_LENGTH
from scoresheets.queries.blocks import Sheet
from scoresheets.queries.corrections import Preview, differences, players_of, preview_of
from scoresheets.recording import Conflict, RoundValues
from scoresheets.recording.names import tidy_name
from scoresheets.recording.trumps import check_trump_note

#: Longer text is cut off before anything looks at it; what is above the limit of a reason is refused in words.
MOST_TYPED = 2 * REASON_LENGTH


class ReasonField(forms.CharField):
    """Why something was changed: one line, without characters that would turn the text around it."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Any) -> str:
        return tidy_name(str(value or "")[:MOST_TYPED])


class SignedNumberField(WholeNumberField):
    """A whole number with its sign, the real minus or a hyphen."""

    default_error_messages = {"invalid": _("“%(value)s” is not a whole number. Write +10 or −10, for example.")}

    def to_python(self, value: Any) -> int | None:
        return super().to_python(value.replace(wording.MINUS, "-") if isinstance(value, str) else value)


class ProblemsForm(forms.Form):
    """A form that shows the rules' problems at the fields they belong to."""

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem, None for the form itself."""
        raise NotImplementedError

    def add_problems(self, problems: Sequence[rules.Problem], names: Sequence[str]) -> None:
        """Show each problem once; `names` in seat order let it say who."""
        for problem in problems:
            field = self.field_of(problem)
            field = field if field in self.fields else None
            sentence = wording.problem_in_words(problem, names)
            if sentence not in self.errors.get(field or NON_FIELD_ERRORS, ()):
                self.add_error(field, sentence)

    def typed(self, name: str) -> str:
        """Return what was typed into a field, as it was typed."""
        return str(self.data.get(name, ""))


class RoundForm(ProblemsForm):
    """A scored round as it should have been. Always bound: filled with the round's values it changes nothing.

    Fields: `bid_<seat id>`, `taken_<seat id>`, `reason`, and where the game has them `blind_<seat id>`, `bombs`,
    `cloud_seat` with `cloud_delta`, `trump` with the hidden `turned_up` and `chosen_by`. `preview` is there if the
    values are without a problem.
    """

    def __init__(self, data: Mapping[str, Any] | QueryDict, sheet: Sheet, scored: Round) -> None:
        super().__init__(data)
        self.sheet, self.scored = sheet, scored
        self.stored = values_of(sheet, scored)
        self.planned = sheet.block.plan[scored.number - 1]
        #: Those who played the round; problems count seats among them.
        self.seats = players_of(sheet, scored.number)
        self.names = [seat.name for seat in self.seats]
        self.preview: Preview | None = None
        house = sheet.block.house
        for seat in self.seats:
            self.fields[f"bid_{seat.pk}"] = WholeNumberField()
            self.fields[f"taken_{seat.pk}"] = WholeNumberField()
        if house.blind_bids:
            for seat in self.seats:
                self.fields[f"blind_{seat.pk}"] = forms.BooleanField(required=False)
        if rules.count_of(house, "BOMB"):
            self.fields["bombs"] = forms.BooleanField(required=False)
        if rules.count_of(house, "CLOUD"):
            seats = [("", ""), *((seat.pk, seat.name) for seat in self.seats)]
            self.fields["cloud_seat"] = forms.ChoiceField(choices=seats, required=False)
            self.fields["cloud_delta"] = forms.ChoiceField(choices=[("1", "+1"), ("-1", "−1")], required=False)
        if not self.planned.fixed_trump:
            trumps = ("", rules.NO_TRUMP, *map(str, rules.DECKS[house.deck].suits))
            self.fields["trump"] = forms.ChoiceField(choices=[(trump, trump) for trump in trumps], required=False)
        self.fields["reason"] = ReasonField()

    def clean(self) -> dict[str, Any] | None:
        """Judge the values by the rules; where a number is missing, all that does not depend on it."""
        self.add_problems(self._problems(), self.names)
        if self.errors:
            self.preview = None
        return super().clean()

    def _problems(self) -> list[rules.Problem]:
        values = self.values
        problems: list[rules.Problem] = []
        try:
            self.preview = preview_of(
                self.sheet,
                number=self.scored.number,
                bids=values.bids,
                taken=values.taken,
                bombs=values.bombs,
                clouds=values.clouds,
                blind=tuple(values.blind),
            )
        except rules.RulesError as refused:
            problems += refused.problems
        if any(name.startswith(("bid_", "taken_")) for name in self.errors):  # 0 stands for it, and would not add up
            problems = [problem for problem in problems if problem.code not in {"tricks_sum", "cloud_without_trick"}]
        return problems + self._trump_problems(values.trump, values.turned_up, values.chosen_by)

    def _trump_problems(self, trump: str, turned_up: str, chosen_by: int | None) -> list[rules.Problem]:
        try:
            check_trump_note(
                self.sheet.game,
                self.scored,
                self.seats,
                trump=trump,
                turned_up=turned_up,
                chosen_by=chosen_by,
            )
        except rules.RulesError as refused:
            return list(refused.problems)
        except Conflict:
            return [rules.Problem.of("chooser_impossible")]
        return []

    @property
    def values(self) -> RoundValues:
        """The round as entered; 0 stands for what is no number, which has its own error."""
        seats = [seat.pk for seat in self.seats]
        cleaned = self.cleaned_data
        cloud_seat, bombs = cleaned.get("cloud_seat"), self.stored.bombs
        if "bombs" in self.fields:
            # A deck has one bomb; an older sheet with more keeps its number while the switch is left on.
            bombs = max(bombs, 1) if cleaned.get("bombs") else 0
        trump, turned_up, chosen_by = self._trump()
        return RoundValues(
            bids={seat: cleaned.get(f"bid_{seat}") or 0 for seat in seats},
            taken={seat: cleaned.get(f"taken_{seat}") or 0 for seat in seats},
            bombs=bombs,
            clouds={int(cloud_seat): int(cleaned.get("cloud_delta") or 1)} if cloud_seat else {},
            blind=tuple(seat for seat in seats if cleaned.get(f"blind_{seat}")),
            trump=trump,
            turned_up=turned_up,
            chosen_by=chosen_by,
        )

    def _trump(self) -> tuple[str, str, int | None]:
        """Return what is noted of trump; the card and the chooser only where they go with the suit."""
        if "trump" not in self.fields or "trump" not in self.data:
            return self.stored.trump, self.stored.turned_up, self.stored.chosen_by
        trump = self.cleaned_data.get("trump") or ""
        if not trump:
            return "", "", None
        turned_up, chooser = self.typed("turned_up"), self.typed("chosen_by")
        chosen_by = next((seat.pk for seat in self.seats if str(seat.pk) == chooser), None)
        return (trump, "", None) if self._trump_problems(trump, turned_up, chosen_by) else (trump, turned_up, chosen_by)

    @property
    def digest(self) -> str:
        """What tells these values from others: saving must mean those that were looked at."""
        values = json.dumps([self.values.payload, self.scored.changed_version], sort_keys=True)
        return hashlib.sha256(values.encode()).hexdigest()[:16]

    @property
    def fits(self) -> bool:
        """Whether the values are without a problem, whatever is wrong with the reason."""
        return not set(self.errors) - {"reason"}

    @property
    def reason(self) -> str:
        """The reason as it is kept."""
        reason: str = self.cleaned_data.get("reason", "")
        return reason

    @property
    def changes(self) -> list[tuple[str, int | None, Any, Any]]:
        """What is changed, as `queries.corrections.differences` tells it."""
        return differences(self.stored.payload, self.values.payload)

    @property
    def adds_up(self) -> bool:
        """Whether the bids add up where plus/minus one forbids it while bidding."""
        bids = self.values.bids
        problems = rules.bids_problems(
            self.sheet.block.house,
            number=self.scored.number,
            cards=self.scored.cards,
            dealer=[seat.pk for seat in self.seats].index(self.scored.dealer_id),
            bids=[bids[seat.pk] for seat in self.seats],
        )
        return any(problem.code == "bid_sum_forbidden" for problem in problems)

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem of the round or of its reason."""
        if problem.seat is not None and problem.code.startswith(("bid_", "tricks_", "blind_")):
            kind = problem.code.partition("_")[0].replace("tricks", "taken")
            return f"{kind}_{self.seats[problem.seat].pk}"
        if problem.code.startswith("bomb") or problem.code == "too_many_bombs":
            return "bombs"
        if problem.code.startswith("cloud_") or problem.code == "too_many_clouds":
            return "cloud_seat"
        return "reason" if problem.code.startswith("reason_") else _TRUMP_FIELDS.get(problem.code)


#: Where a problem with the noted trump is shown.
_TRUMP_FIELDS = dict.fromkeys(
    ("trump_impossible", "trump_missing", "chooser_impossible", "suit_not_in_deck", "card_not_in_deck"), "trump"
)


def values_of(sheet: Sheet, scored: Round) -> RoundValues:
    """Return the values of a scored round as its sheet holds them (no statement)."""
    row = next(row for row in sheet.block.scored_rows if row.number == scored.number)
    cells = [(seat.pk, cell) for seat, cell in zip(sheet.seats, row.cells, strict=True) if cell is not None]
    return RoundValues(
        bids={seat: cell.bid or 0 for seat, cell in cells},
        taken={seat: cell.tricks or 0 for seat, cell in cells},
        bombs=scored.bombs,
        clouds={seat: cell.cloud_delta for seat, cell in cells if cell.cloud_delta},
        blind=tuple(seat for seat, cell in cells if cell.blind),
        trump=scored.trump,
        turned_up=scored.turned_up,
        chosen_by=scored.chosen_by_id,
    )


def fields_of(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a `RoundForm` that hold these values, given as in `RoundValues.payload` or in an entry."""
    fields = {f"bid_{seat}": str(bid) for seat, bid in payload["bids"].items()}
    fields |= {f"taken_{seat}": str(taken) for seat, taken in payload["taken"].items()}
    fields |= {f"blind_{seat}": "on" for seat in payload.get("blind", ())}
    if payload.get("bombs"):
        fields["bombs"] = "on"
    for seat, delta in payload.get("clouds", {}).items():
        fields |= {"cloud_seat": str(seat), "cloud_delta": str(delta)}
    fields["trump"] = payload.get("trump", "")
    fields["turned_up"] = payload.get("turned_up", "")
    fields["chosen_by"] = str(payload.get("chosen_by") or "")
    return fields


class SeatForm(ProblemsForm):
    """What the two forms of a seat's page share: a reason, and problems that name their field by their code."""

    reason = ReasonField()
    problem_fields: Mapping[str, str] = {}

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem: by what its code begins with."""
        return {"reason": "reason", **self.problem_fields}.get(problem.code.partition("_")[0])


class NameForm(SeatForm):
    """Another name for a seat; what is wrong with it is the rules' business."""

    name = forms.CharField(required=False)
    problem_fields = {"name": "name"}

    def clean_name(self) -> str:
        return tidy_name(self.cleaned_data["name"][:MOST_TYPED])


class PointsForm(SeatForm):
    """Points beside the rounds; how many is the rules' business."""

    points = SignedNumberField()
    problem_fields = {"adjustment": "points"}
