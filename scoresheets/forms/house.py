"""The house rules of a game being set up, as the new game's fields say them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from django.http import QueryDict

import rules

OPEN, HIDDEN, SECRET = BID_MODES = ("open", "hidden", "secret")
PAIR = ("DRAGON", "FAIRY")
#: Rules that are on or off, each a field of its own on the page; how bids are made is one choice there.
FLAGS = tuple(
    name
    for name, value in rules.HouseRules().to_mapping().items()
    if isinstance(value, bool) and name not in {"hidden_bids", "secret_bids"}
)
#: Longer than any name that a field sends, and more special cards than there are.
MOST_CHARACTERS, MOST_CARDS = 20, 20
_FIELDS = tuple(field.name for field in fields(rules.HouseRules))


@dataclass(frozen=True, slots=True)
class HouseChoices(rules.HouseRules):
    """House rules as chosen so far, under the names of `rules.HouseRules`; a name nobody knows is kept, to be refused.

    `typed_from` is what was typed for `plus_minus_one_from`, which is 0 (refused) where that is no number.
    """

    typed_from: str = "1"

    @property
    def house(self) -> rules.HouseRules:
        """The house rules chosen."""
        return rules.HouseRules(**{name: getattr(self, name) for name in _FIELDS})

    @property
    def is_pair_apart(self) -> bool:
        """Whether dragon and fairy are two choices: if the house allows one alone, or one is chosen alone already."""
        return self.allow_lone_dragon_or_fairy or len(set(PAIR).intersection(self.specials)) == 1

    def with_house(self, house: rules.HouseRules) -> Self:
        """Return the same with these house rules."""
        chosen = {name: getattr(house, name) for name in _FIELDS}
        return replace(self, **chosen, typed_from=str(house.plus_minus_one_from))


def house_fields(data: QueryDict) -> Mapping[str, Any]:
    """Return the fields of `HouseChoices` as they were sent; rules that were not on the page have their default.

    A switch that is off is not sent: only a page that says it has the switches ("house") can switch one off.
    """
    usual = rules.HouseRules()
    chosen: dict[str, Any] = {
        name: data.get(name, getattr(usual, name))[:MOST_CHARACTERS] for name in ("deck", "variant", "tie_break")
    }
    for name in FLAGS:
        chosen[name] = name in data or ("house" not in data and getattr(usual, name))
    bid_modes = data.getlist("bid_mode")
    typed = data.get("plus_minus_one_from", "1").strip()[:6]
    return {
        **chosen,
        "specials": tuple(
            name[:MOST_CHARACTERS] for sent in data.getlist("special")[:MOST_CARDS] for name in sent.split(",")[:2]
        ),
        "hidden_bids": HIDDEN in bid_modes,
        "secret_bids": SECRET in bid_modes,
        "plus_minus_one_from": int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= 2 else 0,
        "typed_from": typed,
    }


def bid_mode_of(house: rules.HouseRules) -> str:
    """Return which of BID_MODES the house plays."""
    return HIDDEN if house.hidden_bids else SECRET if house.secret_bids else OPEN
