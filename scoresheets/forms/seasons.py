"""What can be set of a season, and what the all-time table is ordered by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rules
from scoresheets import league_words, rulebook, wording
from scoresheets.forms.clubs import Choice
from scoresheets.forms.fields import WholeNumberField
from scoresheets.queries import records
from scoresheets.recording import SeasonSettings

#: Longer input is no list of points.
MOST_TYPED = 60


class DayField(forms.DateField):
    """A day as browsers send it, or as it is typed where they know no calendar."""

    default_error_messages = {
        "required": gettext_lazy("A day is missing here."),
        "invalid": gettext_lazy("This is no day. Write it like 2026-11-30 or 30.11.2026."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d", "%d.%m.%Y"], **options)


class SeasonForm(forms.Form):
    """The settings of a new season or of the one given; `settings` are those entered, over those there were."""

    name = forms.CharField(required=False)
    starts_on = DayField()
    ends_on = DayField(required=False)
    formula = forms.CharField(required=False)
    place_points = forms.CharField(required=False)
    best = WholeNumberField(required=False)
    best_of = forms.CharField(required=False)
    fewest_games = WholeNumberField(required=False)
    tie_rule = forms.CharField(required=False)
    edition = forms.CharField(required=False)
    guests = forms.CharField(required=False)
    only_evenings = forms.BooleanField(required=False)

    #: Where each problem is shown; all others stand above the form.
    FIELD_OF: Mapping[str, str] = {
        **dict.fromkeys(("name_missing", "name_too_long", "season_name_taken"), "name"),
        "season_ends_before_start": "ends_on",
        "league_formula_unknown": "formula",
        **dict.fromkeys(
            ("league_places_count", "league_place_out_of_range", "league_places_must_fall"), "place_points"
        ),
        **dict.fromkeys(("league_best_out_of_range", "league_best_needs_points"), "best"),
        "league_best_of_unknown": "best_of",
        "league_fewest_games_out_of_range": "fewest_games",
        "league_tie_rule_unknown": "tie_rule",
        "edition_unknown": "edition",
        "guests_unknown": "guests",
    }

    def __init__(self, data: QueryDict | None = None, *, base: SeasonSettings) -> None:
        points = [str(number) for number in base.values["place_points"]]
        super().__init__(
            data,
            initial={
                **base.values,
                "starts_on": base.starts_on.isoformat(),
                "ends_on": base.ends_on.isoformat() if base.ends_on is not None else "",
                "place_points": " ".join(points),
                "fewest_games": base.league.fewest_games or None,
            },
        )
        self.base = base

    def clean_place_points(self) -> tuple[int, ...]:
        typed = self.cleaned_data["place_points"].replace(wording.MINUS, "-")
        numbers = re.sub("[,;]", " ", typed).split()
        if len(typed) > MOST_TYPED or not all(re.fullmatch("-?[0-9]{1,6}", number) for number in numbers):
            raise forms.ValidationError(_("Write whole numbers with spaces between them, like 6 4 2 1."))
        return tuple(map(int, numbers))

    def clean(self) -> dict[str, Any]:
        if "starts_on" in self.cleaned_data:
            self._add(self.settings.problems)
        return self.cleaned_data

    def refuse(self, error: rules.RulesError) -> None:
        """Hang what recording found wrong on the fields."""
        self._add(error.problems)

    def _add(self, problems: Sequence[rules.Problem]) -> None:
        for problem in problems:
            field = self.FIELD_OF.get(problem.code)
            if field is None or field not in self.errors:  # what cannot be read is said already
                self.add_error(field, wording.problem_in_words(problem))

    @property
    def settings(self) -> SeasonSettings:
        """The settings as entered; what cannot be read stands as before."""
        entered = self.cleaned_data
        league = ("formula", "place_points", "best", "best_of", "tie_rule")
        plain = ("name", "starts_on", "ends_on", "guests", "only_evenings")
        return replace(
            self.base,
            **{name: entered[name] for name in plain if name in entered},
            editions=self.chosen_editions,
            league=replace(
                self.base.league,
                **{name: entered[name] for name in league if name in entered},
                fewest_games=entered.get("fewest_games") or 0,
            ),
        )

    @property
    def chosen_editions(self) -> tuple[str, ...]:
        """The editions as chosen, or those of the season before anything is sent."""
        if not isinstance(self.data, QueryDict):
            return self.base.editions
        return tuple(self.data.getlist("edition")[: 2 * len(rules.EDITIONS)])

    # -- what the page shows ------------------------------------------------------------------------------------------

    @property
    def formulas(self) -> list[Choice]:
        return self._choices("formula", league_words.FORMULAS)

    @property
    def tie_rules(self) -> list[Choice]:
        return self._choices("tie_rule", league_words.TIE_RULES)

    @property
    def all_guests(self) -> list[Choice]:
        return self._choices("guests", league_words.GUESTS)

    @property
    def editions(self) -> list[Choice]:
        """The editions to tick; none ticked are all of them."""
        return [
            Choice("edition", name, title, is_chosen=name in self.chosen_editions)
            for name, title in league_words.EDITIONS.items()
        ]

    @property
    def best_ofs(self) -> list[Choice]:
        chosen = self["best_of"].value()
        titles = {"games": _("games"), "evenings": _("evenings")}
        return [Choice("best_of", value, title, is_chosen=value == chosen) for value, title in titles.items()]

    def _choices(self, name: str, words: Mapping[str, rulebook.Words]) -> list[Choice]:
        chosen = self[name].value()
        return [
            Choice(name, value, shown.name, shown.line, is_chosen=value == chosen) for value, shown in words.items()
        ]


class AllTimeForm(forms.Form):
    """What the all-time table is ordered by, and how many games it takes; what is not offered is as if not sent."""

    #: By what, and how many games that takes unless somebody chooses otherwise: a rate of two games says little.
    SORTS: Mapping[str, tuple[rulebook.Text, int]] = {
        records.GAMES: (gettext_lazy("Games"), 1),
        records.WINS: (gettext_lazy("Wins"), 1),
        records.WIN_RATE: (gettext_lazy("Share of wins"), 10),
        records.MEAN: (gettext_lazy("Points a game"), 10),
        records.EXACT_RATE: (gettext_lazy("Exact bids"), 10),
        records.RATING: (gettext_lazy("Rating"), 10),
    }
    LEAST = (1, 5, 10, 20, 50, 100)

    @property
    def sort(self) -> str:
        typed = self.data.get("sort", "")
        return typed if typed in self.SORTS else records.GAMES

    @property
    def least(self) -> int:
        typed = self.data.get("least", "")
        return int(typed) if typed in map(str, self.LEAST) else self.SORTS[self.sort][1]

    @property
    def sorts(self) -> list[Choice]:
        return [
            Choice("sort", name, title, is_chosen=name == self.sort) for name, (title, _least) in self.SORTS.items()
        ]

    @property
    def leasts(self) -> list[tuple[int, bool]]:
        """The numbers of games to choose from, and which one is chosen."""
        return [(number, number == self.least) for number in self.LEAST]
