from __future__ import annotations

from django import forms

from scoresheets.models import Link
from scoresheets.models.games import NAME_LENGTH
from scoresheets.recording.names import tidy_name


class LinkForm(forms.Form):
    """A link to be made: what it lets people do, and a name to tell it by."""

    scope = forms.ChoiceField(choices=Link.Scope.choices)
    label = forms.CharField(max_length=NAME_LENGTH, required=False)
    key = forms.CharField(max_length=64, required=False)

    def clean_label(self) -> str:
        return tidy_name(self.cleaned_data["label"])
