"""A token to be made: what for, what it may do, where, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets import wording
from scoresheets.forms.clubs import Choice
from scoresheets.models import Club, Token, User

Scope = Token.Scope
SCOPE_TITLES: Mapping[str, Promise] = {
    Scope.READ: _("Read"),
    Scope.RECORD: _("Keep scores"),
    Scope.MANAGE: _("Manage"),
}
SCOPE_LINES: Mapping[str, Promise] = {
    Scope.READ: _("Sees what a member of your clubs sees."),
    Scope.RECORD: _("Also starts games, keeps the score and adds players, where you may."),
    Scope.MANAGE: _("Also does all else that you may do in your clubs."),
}


class TokenForm(forms.Form):
    """A token of an account. `club` "" is all of its clubs, `days` "" is until it is revoked."""

    name = forms.CharField(required=False)
    scope = forms.CharField(required=False)
    club = forms.ChoiceField(required=False)
    days = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, initial="90")

    #: What can be chosen as `days`; None is until it is revoked.
    DAYS = (7, 30, 90, 365)
    FIELD_OF: Mapping[str, str] = {
        **dict.fromkeys(("name_missing", "name_too_long"), "name"),
        "scope_unknown": "scope",
        "days_out_of_range": "days",
    }

    def __init__(self, data: Any = None, *, account: User) -> None:
        super().__init__(data)
        self._clubs = {str(one.club_id): one.club for one in account.memberships.select_related("club")}
        club, days = self.fields["club"], self.fields["days"]
        assert isinstance(club, forms.ChoiceField)
        assert isinstance(days, forms.ChoiceField)
        club.choices = [(pk, found.name) for pk, found in self._clubs.items()]
        days.choices = [(number, number) for number in self.DAYS]

    def clean_club(self) -> Club | None:
        return self._clubs.get(self.cleaned_data["club"])

    @property
    def scopes(self) -> list[Choice]:
        chosen = self["scope"].value() or Scope.READ
        return [
            Choice("scope", scope, SCOPE_TITLES[scope], SCOPE_LINES[scope], is_chosen=scope == chosen)
            for scope in Scope
        ]

    @property
    def clubs(self) -> list[tuple[str, str, bool]]:
        """The clubs to choose from by id and name, and which one is chosen."""
        chosen = self["club"].value() or ""
        return [(pk, club.name, pk == chosen) for pk, club in self._clubs.items()]

    @property
    def lengths(self) -> list[tuple[int, bool]]:
        """The numbers of days to choose from, and which one is chosen."""
        chosen = str(self["days"].value())
        return [(days, str(days) == chosen) for days in self.DAYS]

    @property
    def is_for_ever(self) -> bool:
        return self["days"].value() in ("", None)

    def refuse(self, error: rules.RulesError) -> None:
        """Hang what recording found wrong on the fields."""
        for problem in error.problems:
            self.add_error(self.FIELD_OF.get(problem.code), wording.problem_in_words(problem))
