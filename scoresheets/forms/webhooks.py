"""A webhook to be made or changed: its address, and what it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets import wording
from scoresheets.forms.clubs import Choice
from scoresheets.models.webhooks import CHOSEN_BY, Event
from scoresheets.outgoing import ADDRESS_LENGTH
from scoresheets.recording import WebhookSettings

EVENT_LINES: Mapping[str, Promise] = {
    Event.FINISHED: _(
        "A game has its result: played to the end, typed in from paper, restored or moved into the club."
    ),
    Event.CORRECTED: _("A finished game was corrected or renamed, goes on again, was voided or moved away."),
    Event.CONFIRMED: _("The result of a game stands confirmed."),
}


class WebhookForm(forms.Form):
    """A webhook's settings. `base` are those it has, or those that a new one begins with."""

    address = forms.CharField(required=False, strip=True)

    #: What the page lets be typed at most.
    ADDRESS_LENGTH = ADDRESS_LENGTH

    def __init__(self, data: QueryDict | None = None, *, base: WebhookSettings | None = None) -> None:
        super().__init__(data, initial={"address": base.address if base is not None else ""})
        self.chosen = tuple(data.getlist("event")) if data is not None else (base or WebhookSettings("")).events

    def clean(self) -> dict[str, Any]:
        self._hang(self.settings.problems)
        return self.cleaned_data

    @property
    def settings(self) -> WebhookSettings:
        """The settings as entered."""
        return WebhookSettings(self.cleaned_data.get("address", ""), self.chosen)

    @property
    def events(self) -> list[Choice]:
        """What can be told, as the page shows it."""
        return [
            Choice("event", event.value, str(event.label).capitalize(), EVENT_LINES[event], event.value in self.chosen)
            for event in CHOSEN_BY
        ]

    @property
    def event_errors(self) -> list[str]:
        """What is wrong with the events chosen."""
        return [str(sentence) for sentence in self.non_field_errors()]

    def refuse(self, error: rules.RulesError) -> None:
        """Hang what recording found wrong on the fields."""
        self._hang(error.problems)

    def _hang(self, problems: tuple[rules.Problem, ...]) -> None:
        for problem in problems:
            field = "address" if problem.code.startswith("address_") or problem.code == "too_many_webhooks" else None
            self.add_error(field, wording.problem_in_words(problem))
