"""What can be set of a club, and an invitation to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets import rulebook, wording
from scoresheets.forms.fields import WholeNumberField
from scoresheets.forms.games import DIFFER
from scoresheets.forms.house import PAIR, house_fields
from scoresheets.models import Club, Membership
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.people import LADDERS_OF_CLUBS
from scoresheets.recording import ClubSettings
from scoresheets.recording.clubs import INVITED_AS
from scoresheets.recording.names import tidy_name

Role, Visibility = Membership.Role, Club.Visibility
#: The editions that differ in their rules; the publisher's tournament differs in its ladder.
EDITIONS = tuple(name for name, preset in rules.PRESETS.items() if preset.ladder == "full")

VISIBILITY_LINES: Mapping[str, Promise] = {
    Visibility.PRIVATE: _("Only members see the club and its games."),
    Visibility.UNLISTED: _("Whoever has the address may look at the games; who belongs to the club stays hidden."),
    Visibility.PUBLIC: _("Everybody may look at the games; who belongs to the club stays hidden."),
}
ROLE_LINES: Mapping[str, Promise] = {
    Role.MEMBER: _("Sees the club, its people and all its games."),
    Role.SCORER: _("Also starts games, keeps the score and adds players."),
    Role.MANAGER: _("Also invites, manages members and players, and changes the settings."),
    Role.OWNER: _("Also makes others owner, and can delete the club."),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose, as a page shows it: the field it belongs to, its value, its name and what it means."""

    name: str
    value: str
    title: str | Promise
    line: str | Promise = ""
    is_chosen: bool = False
    icon: str = ""


def edition_of(house: rules.HouseRules) -> str:
    """Return the edition whose rules these are where editions differ, or "" for a mix of them."""
    return next((name for name in EDITIONS if _has_rules_of(house, rules.PRESETS[name].house)), "")


def _has_rules_of(house: rules.HouseRules, edition: rules.HouseRules) -> bool:
    return all(getattr(house, name) == getattr(edition, name) for name in DIFFER)


def kept_rules(house: rules.HouseRules) -> list[str]:
    """Return in words what a club's form keeps without asking: unusual rules beyond edition, cards, plus/minus one."""
    usual, asked = rules.HouseRules().to_mapping(), {"specials", "plus_minus_one", *DIFFER}
    changed = {name: value for name, value in house.to_mapping().items() if name not in asked and value != usual[name]}
    return [_rule_in_words(name, value) for name, value in changed.items()]


def _rule_in_words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        title = str(rulebook.FIELDS[name].name)
        return title if value else str(_("not: %(rule)s")) % {"rule": title}
    shelves = (rulebook.DECKS, rulebook.VARIANT_WORDS, rulebook.TIE_BREAKS)
    words = next((str(shelf[value].name) for shelf in shelves if value in shelf), "")
    return words or f"{rulebook.FIELDS[name].name}: {value}"


class ClubForm(forms.Form):
    """A club's settings. `base` are those it has: house rules that the page does not ask for stay as they are there."""

    name = forms.CharField(required=False)
    time_zone = forms.CharField(required=False)
    language = forms.CharField(required=False)
    visibility = forms.CharField(required=False)
    edition = forms.ChoiceField(required=False, choices=[(name, name) for name in EDITIONS])
    special = forms.CharField(required=False)
    plus_minus_one = forms.BooleanField(required=False)
    ladder = forms.CharField(required=False)
    locks_after = WholeNumberField(required=False)
    incomplete_counts = forms.BooleanField(required=False)
    player_name = forms.CharField(required=False, max_length=NAME_LENGTH)

    #: Where each problem of the settings is shown; all others stand above the form.
    FIELD_OF: Mapping[str, str] = {
        **dict.fromkeys(("name_missing", "name_too_long"), "name"),
        "time_zone_unknown": "time_zone",
        "language_unknown": "language",
        "visibility_unknown": "visibility",
        **dict.fromkeys(("special_unknown", "special_repeated", "dragon_fairy_pair"), "special"),
        **dict.fromkeys(("deck_has_no_specials", "variant_needs_no_specials"), "special"),
        "variant_incompatible": "plus_minus_one",
        "ladder_unknown": "ladder",
        "hours_out_of_range": "locks_after",
    }

    def __init__(self, data: QueryDict | None = None, *, base: ClubSettings, player_name: str = "") -> None:
        super().__init__(
            data,
            initial={
                **base.values,
                "edition": edition_of(base.house),
                "plus_minus_one": base.house.plus_minus_one,
                "player_name": player_name,
            },
        )
        self.base = base

    def clean_player_name(self) -> str:
        return tidy_name(self.cleaned_data["player_name"])

    def clean(self) -> dict[str, Any]:
        for problem in self.settings.problems:
            field = self.FIELD_OF.get(problem.code)
            if field not in self.errors:  # what cannot be read is said already
                self.add_error(field, wording.problem_in_words(problem))
        return self.cleaned_data

    @property
    def settings(self) -> ClubSettings:
        """The settings as entered; what cannot be read stands as before."""
        plain = ("name", "time_zone", "language", "visibility", "ladder", "locks_after", "incomplete_counts")
        entered = {name: self.cleaned_data[name] for name in plain if name in self.cleaned_data}
        return replace(self.base, **entered, house=self._house())

    def _house(self) -> rules.HouseRules:
        house, edition = self.base.house, self.cleaned_data.get("edition", "")
        if edition in EDITIONS and edition != edition_of(house):
            other = rules.PRESETS[edition].house
            house = replace(house, **{name: getattr(other, name) for name in DIFFER})
        return replace(house, specials=self.chosen_cards, plus_minus_one=self.cleaned_data["plus_minus_one"])

    @property
    def chosen_cards(self) -> tuple[str, ...]:
        """The special cards as chosen, in the order of the rules, or those of the club before anything is sent."""
        if not isinstance(self.data, QueryDict):
            return self.base.house.specials
        chosen: tuple[str, ...] = house_fields(self.data)["specials"]
        if sorted(chosen) == sorted(self.base.house.specials):
            return self.base.house.specials
        order = {card: place for place, card in enumerate(rules.SPECIALS)}
        return tuple(sorted(chosen, key=lambda card: order.get(card, len(order))))

    # -- what the page shows ------------------------------------------------------------------------------------------

    @property
    def zones(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The time zones by region, each with its name and what the page calls it."""
        return time_zones()

    @property
    def has_unlisted_zone(self) -> bool:
        """Whether the zone is none of the `zones`: an old name of one, or what was typed."""
        return self["time_zone"].value() not in available_zones()

    @property
    def languages(self) -> list[Choice]:
        return self._choices("language", [(value, label, "") for value, label in Club.Language.choices])

    @property
    def visibilities(self) -> list[Choice]:
        lines = [(value, Visibility(value).label.capitalize(), line) for value, line in VISIBILITY_LINES.items()]
        return self._choices("visibility", lines)

    @property
    def editions(self) -> list[Choice]:
        """The editions, after the club's own mix if it plays one."""
        own = [("", _("Your own mix"), _("As your club plays now."))] if not edition_of(self.base.house) else []
        words = rulebook.PRESETS
        return self._choices("edition", [*own, *((name, words[name].name, words[name].line) for name in EDITIONS)])

    @property
    def ladders(self) -> list[Choice]:
        words = rulebook.LADDERS
        return self._choices("ladder", [(name, words[name].name, words[name].line) for name in LADDERS_OF_CLUBS])

    @property
    def cards(self) -> list[Choice]:
        """The special cards; dragon and fairy are one choice, unless the club plays with one of them alone."""
        chosen = set(self.chosen_cards)
        apart = self.base.house.allow_lone_dragon_or_fairy or len(chosen.intersection(PAIR)) == 1
        groups = [(card,) for card in rules.SPECIALS if apart or card not in PAIR]
        return [
            Choice(
                "special",
                ",".join(cards),
                wording.joined([str(rulebook.SPECIALS[card].name) for card in cards]),
                is_chosen=chosen.issuperset(cards),
                icon=_ICONS.get(cards[0], cards[0].lower()),
            )
            for cards in (groups if apart else [PAIR, *groups])
        ]

    @property
    def kept_rules(self) -> list[str]:
        return kept_rules(self.base.house)

    def _choices(self, name: str, offered: Sequence[tuple[str, Any, Any]]) -> list[Choice]:
        chosen = self[name].value() or ""
        return [Choice(name, value, title, line, is_chosen=value == chosen) for value, title, line in offered]


_ICONS = {"JUGGLER": "juggle", "WEREWOLF": "wolf", "SHAPESHIFTER": "shift"}


@cache
def time_zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones that people live in by region, each with its name and that of its city, in order."""
    regions: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(available_timezones()):
        region, slash, city = name.partition("/")
        if slash and region in _REGIONS:
            regions.setdefault(region, []).append((name, city.replace("_", " ").replace("/", ": ")))
    return list(regions.items())


@cache
def available_zones() -> frozenset[str]:
    """Return the names of all `time_zones`."""
    return frozenset(name for _region, zones in time_zones() for name, _city in zones)


#: The others are old names of the same zones, and zones for machines.
_REGIONS = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)


class InvitationForm(forms.Form):
    """An invitation to be made: as what, for whom, for how long and how many."""

    role = forms.CharField(required=False)
    label = forms.CharField(required=False)
    days = WholeNumberField(initial=14)
    most_uses = WholeNumberField(required=False)

    #: What can be chosen as `days`.
    DAYS = (1, 7, 14, 30, 90, 365)
    FIELD_OF: Mapping[str, str] = {
        "role_unknown": "role",
        "days_out_of_range": "days",
        "uses_out_of_range": "most_uses",
        "name_too_long": "label",
    }

    @property
    def roles(self) -> list[Choice]:
        chosen = self["role"].value() or Role.MEMBER
        return [
            Choice("role", role, role.label.capitalize(), ROLE_LINES[role], is_chosen=role == chosen)
            for role in INVITED_AS
        ]

    @property
    def lengths(self) -> list[tuple[int, bool]]:
        """The numbers of days to choose from, and which one is chosen."""
        chosen = str(self["days"].value())
        return [(days, str(days) == chosen) for days in self.DAYS]

    def refuse(self, error: rules.RulesError) -> None:
        """Hang what recording found wrong on the fields."""
        for problem in error.problems:
            self.add_error(self.FIELD_OF.get(problem.code), wording.problem_in_words(problem))
