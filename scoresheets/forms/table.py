"""What a scorer enters when somebody joins a running game, leaves it, comes back, or is replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets import wording
from scoresheets.forms.corrections import MOST_TYPED, ProblemsForm, ReasonField, SignedNumberField
from scoresheets.forms.games import is_number_of_cards, words_of
from scoresheets.models import Seat
from scoresheets.recording.names import tidy_name

#: So much of an unreadable word is shown.
MOST_WORD = 20
#: Where starting points come from.
OVER, NOTHING, MEAN, OWN = "over", "none", "mean", "own"


class CardsField(forms.CharField):
    """The cards of each round to come, typed as a list: a tuple of numbers."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def clean(self, value: Any) -> tuple[int, ...]:
        words = words_of(str(value or "")[:MOST_TYPED])
        unreadable = next((word for word in words if not is_number_of_cards(word)), None)
        if unreadable is not None:
            problem = rules.Problem.of("cards_unreadable", typed=unreadable[:MOST_WORD])
            raise forms.ValidationError(wording.problem_in_words(problem))
        return tuple(int(word) for word in words)


class TableForm(ProblemsForm):
    """What the forms of the page share: `offered` seats in dealing order, `proposed` cards of the rounds to come."""

    def __init__(
        self, data: QueryDict | Mapping[str, Any] | None, offered: Sequence[Seat], *, proposed: Sequence[int] = ()
    ) -> None:
        super().__init__(data)
        self.offered = offered
        self.proposed = " ".join(map(str, proposed))
        self.fields["seat"] = forms.TypedChoiceField(
            choices=[(seat.pk, seat.name) for seat in offered],
            coerce=int,
            error_messages={"required": _("Choose who."), "invalid_choice": _("Choose who.")},
        )

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem: by its code."""
        if problem.code.startswith(("cards_", "ladder_")):
            return "cards"
        beginning = problem.code.partition("_")[0]
        return {"name": "name", "starting": "points", "reason": "reason"}.get(beginning)

    @property
    def shown_cards(self) -> str:
        """What stands in the field of cards: what was typed, also if nothing was; before that the proposal."""
        return self.typed("cards") if self.is_bound else self.proposed


class LeaveForm(TableForm):
    """Who leaves, what the others play on with, and why."""

    cards = CardsField()
    reason = ReasonField()


class BackForm(TableForm):
    """Who comes back, and what all play on with."""

    cards = CardsField()


class NewcomerForm(TableForm):
    """What every newcomer needs: a name and points to begin with."""

    name = forms.CharField(required=False)
    start = forms.ChoiceField(
        choices=[(value, value) for value in (OVER, NOTHING, MEAN, OWN)],
        error_messages={"required": _("Choose one of these."), "invalid_choice": _("Choose one of these.")},
    )
    points = SignedNumberField(required=False)

    def clean_name(self) -> str:
        return tidy_name(self.cleaned_data["name"][:MOST_TYPED])

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self.cleaned_data.get("start") == OWN and self.cleaned_data.get("points") is None:
            if "points" not in self.errors:
                self.add_error("points", _("A number is missing here."))
        elif self.cleaned_data.get("start") != OWN:
            self.errors.pop("points", None)  # a number beside another choice counts for nothing
        return cleaned

    @property
    def starting(self) -> int | None:
        """The points as recording takes them: None for the mean."""
        chosen = self.cleaned_data["start"]
        return None if chosen == MEAN else self.cleaned_data["points"] if chosen == OWN else 0


class JoinForm(NewcomerForm):
    """Who joins, on whose left, with which points, and what all play on with."""

    cards = CardsField()


class ReplaceForm(NewcomerForm):
    """Whose seat somebody takes, and with which points."""
