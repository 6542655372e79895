"""Filters of statistics pages, as their address has them. What makes no sense is said and left out, never refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets.models import Season
from scoresheets.queries.lifetime import Filters

PEOPLE = range(rules.FEWEST_PLAYERS, rules.MOST_PLAYERS + 1)


class ChosenField(forms.CharField):
    """One of several values as an address has it; "" for none, and for what is none of them (which is said)."""

    def __init__(self, choices: Iterable[str]) -> None:
        super().__init__(required=False, error_messages={"null_characters_not_allowed": _("There is no such choice.")})
        self.choices = frozenset(choices)

    def clean(self, value: Any) -> str:
        chosen = super().clean(value)
        if chosen and chosen not in self.choices:
            raise forms.ValidationError(_("There is no such choice."))
        return chosen


class NightField(forms.DateField):
    """A date as browsers send it, 2026-11-30."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            input_formats=["%Y-%m-%d"],
            error_messages={"invalid": _("This is no date. Write it as 2026-11-30.")},
        )


class PeopleForm(forms.Form):
    """How many people sat at the table."""

    players = ChosenField(map(str, PEOPLE))

    @property
    def chosen(self) -> dict[str, Any]:
        """What can be read of the fields."""
        self.is_valid()
        return self.cleaned_data

    @property
    def players_chosen(self) -> int | None:
        """The number of people, None for any."""
        chosen = self.chosen.get("players")
        return int(chosen) if chosen else None


class FilterForm(PeopleForm):
    """Which games are counted: of a season, between two dates, with so many people, of an edition."""

    season = ChosenField(())
    since = NightField()
    until = NightField()
    edition = ChosenField(rules.EDITIONS)

    def __init__(self, data: Any, seasons: Sequence[Season] = ()) -> None:
        super().__init__(data)
        self.seasons = {str(season.pk): season for season in seasons}
        self.fields["season"].choices = frozenset(self.seasons)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("The end is before the start."))
        return self.cleaned_data

    @property
    def dates(self) -> dict[str, str]:
        """What stands in the two fields for dates: what was typed if it is a date, for browsers show nothing else."""
        return {name: self._date(name) for name in ("since", "until")}

    def _date(self, name: str) -> str:
        try:
            night = self.fields[name].clean(self.data.get(name))
        except forms.ValidationError:
            return ""
        return night.isoformat() if night is not None else ""

    @property
    def filters(self) -> Filters:
        """What is asked for, as far as it makes sense."""
        chosen = self.chosen
        return Filters(
            season=self.seasons.get(chosen.get("season", "")),
            since=chosen.get("since"),
            until=chosen.get("until"),
            players=self.players_chosen,
            edition=chosen.get("edition", ""),
        )
