"""What is entered about a club's players. Whether a name can be taken is the rules' business."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets.forms.corrections import MOST_TYPED, ProblemsForm
from scoresheets.forms.fields import WholeNumberField
from scoresheets.models import Player
from scoresheets.recording.names import folded, tidy_name

#: How long a personal link is open unless somebody says otherwise.
DAYS = 14


class NameField(forms.CharField):
    """A name as it is kept; one that is much too long is cut off before anything looks at it."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Any) -> str:
        return tidy_name(str(value or "")[:MOST_TYPED])


class PlayerForm(ProblemsForm):
    """What a player is called, in the club and in public."""

    name = NameField()
    public_name = NameField()

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem: the public name is at no place in a list."""
        return "public_name" if problem.seat is None else "name"


class NewPlayerForm(ProblemsForm):
    """Somebody to be added. `anyway` is the name as it was when the page asked who is meant by it."""

    name = NameField()
    is_guest = forms.BooleanField(required=False)
    anyway = NameField()

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem."""
        return "name"

    @property
    def answered(self) -> frozenset[int]:
        """The ids of those who were shown and are not meant; none if the name was changed since."""
        if self.cleaned_data["anyway"] != self.cleaned_data["name"]:
            return frozenset()
        shown = getattr(self.data, "getlist", lambda name: ())("shown")
        return frozenset(int(text) for text in shown if text.isascii() and text.isdigit() and len(text) < 20)


class OpenForm(ProblemsForm):
    """For how many days a personal link is open."""

    days = WholeNumberField()

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the name of the field that shows a problem."""
        return "days"


class AnonymousForm(forms.Form):
    """Consent to making a player anonymous: their name has to be typed."""

    name = NameField()

    def __init__(self, data: Any, player: Player) -> None:
        super().__init__(data)
        self.player = player

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if folded(name) != folded(self.player.name):
            raise forms.ValidationError(_("Type the name as it stands here."))
        return name
