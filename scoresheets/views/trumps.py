"""What the pad shows of trump: the suits to choose from, or why there is nothing to choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import rules
from scoresheets.queries.blocks import Sheet


@dataclass(frozen=True, slots=True)
class Trump:
    """The trump of the open round as its page shows it.

    `noted` is a suit's letter, `rules.NO_TRUMP`, or "" while nothing is known; `suits` are the buttons, () where there
    is nothing to choose: then `is_fixed` says that the variant sets it, else no card is left. `cards` are the notations
    of turned-up cards to choose from, `choosers` the (id, name) of seats that can have named trump.
    """

    noted: str
    suits: tuple[str, ...] = ()
    is_fixed: bool = False
    cards: tuple[str, ...] = ()
    choosers: tuple[tuple[int, str], ...] = ()
    turned_up: str = ""
    chosen_by: int | None = None


def trump_of(sheet: Sheet, *, can_note: bool) -> Trump:
    """Return the trump of the open round; what can be noted about it only for those who can."""
    current, house = sheet.current, sheet.block.house
    assert current is not None
    plan = sheet.block.plan[current.number - 1]
    if plan.fixed_trump:
        return Trump(plan.trump or rules.NO_TRUMP, is_fixed=True)
    if not plan.turned_up and not house.last_round_dealer_trump:
        return Trump(rules.NO_TRUMP)
    if not can_note:
        return Trump(current.trump)
    suits = (*map(str, rules.DECKS[house.deck].suits), rules.NO_TRUMP)
    if not current.trump:
        return Trump("", suits)
    dealer = sheet.places[current.dealer_id]
    return Trump(
        current.trump,
        suits,
        cards=_with(current.turned_up, _possible_cards(house, plan, dealer, current.trump)),
        choosers=tuple(
            (seat.pk, seat.name)
            for place, seat in enumerate(sheet.seats)
            if _may_have_chosen(house, plan, dealer, current.trump, place)
        ),
        turned_up=current.turned_up,
        chosen_by=current.chosen_by_id,
    )


def _with(noted: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards, and the one that is noted already, whoever noted it."""
    return cards if not noted or noted in cards else (noted, *cards)


@lru_cache(maxsize=512)
def _possible_cards(house: rules.HouseRules, plan: rules.RoundPlan, dealer: int, trump: str) -> tuple[str, ...]:
    """Return the cards that make this trump by themselves or let the dealer name it.

    Behind a swapped werewolf any card can have lain: such a list would be as long as the deck, and is not offered.
    """
    if not plan.turned_up:
        return ()
    unswapped = replace(house, specials=tuple(name for name in house.specials if name != "WEREWOLF"))
    houses = {card: house if card.kind is rules.Kind.WEREWOLF else unswapped for card in rules.deck_of(house)}
    return tuple(str(card) for card in houses if not _problems(houses[card], plan, dealer, trump, turned_up=card))


@lru_cache(maxsize=512)
def _may_have_chosen(house: rules.HouseRules, plan: rules.RoundPlan, dealer: int, trump: str, place: int) -> bool:
    """Say whether the seat can have named this trump with any of the cards that can be turned up, or with none left."""
    cards = _possible_cards(house, plan, dealer, trump)
    if not cards:
        return not _problems(house, plan, dealer, trump, chooser=place)
    return any(
        not _problems(house, plan, dealer, trump, turned_up=rules.Card.parse(card), chooser=place) for card in cards
    )


def _problems(
    house: rules.HouseRules, plan: rules.RoundPlan, dealer: int, trump: str, **noted: Any
) -> Sequence[rules.Problem]:
    suit = None if trump == rules.NO_TRUMP else rules.Suit(trump)
    return rules.noted_trump_problems(house, plan, dealer=dealer, trump=suit, **noted)
