"""Trump: what the turned-up card says, who names it where somebody has to, what the werewolf's holder may do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.cards import Card, Kind, Suit
from rules.decks import count_of, deck_named, deck_of
from rules.errors import Problem, refuse
from rules.plans import RoundPlan
from rules.reasons import Reason
from rules.variants import HouseRules

_WEAK = (Kind.FAIRY, Kind.BOMB)
"""Special cards that newer rule books turn up as no trump. Source: C14, D11."""


@dataclass(frozen=True, slots=True)
class TrumpCall:
    """The trump of a round, or who has to name it.

    `trump` is a suit or None (no trump, or none named yet). `chooser` is the seat that names it, or None if nobody
    does; `choices` are what that seat may name (None: no trump), () once it is settled. `swap` is the (seat, card) of a
    swapped werewolf: the seat takes the card, and the werewolf lies in its place. `reason` says where trump comes from.
    """

    trump: Suit | None
    reason: Reason
    chooser: int | None = None
    choices: tuple[Suit | None, ...] = ()
    swap: tuple[int, Card] | None = None

    @property
    def is_pending(self) -> bool:
        """Whether somebody still has to name trump: the bids wait."""
        return bool(self.choices)


def trump_problems(
    house: HouseRules, step: RoundPlan, *, turned_up: Card | None, werewolf: int | None = None
) -> tuple[Problem, ...]:
    """Return what is wrong with a turned-up card: not in the deck, missing, or turned up where none is left.

    `werewolf` is the seat that holds it, or None. Codes: `card_not_in_deck`, `turned_up_missing`, `turned_up_not_left`,
    `werewolf_not_in_deck`, `too_many_of_card` (the werewolf is held and turned up at once).
    """
    problems = []
    if turned_up is not None and turned_up not in deck_of(house):
        problems.append(Problem.of("card_not_in_deck", card=str(turned_up)))
    if turned_up is None and step.turned_up:
        problems.append(Problem.of("turned_up_missing"))
    if turned_up is not None and not step.turned_up:
        problems.append(Problem.of("turned_up_not_left"))
    werewolves = count_of(house, "WEREWOLF")
    if werewolf is not None and werewolves == 0:
        problems.append(Problem.of("werewolf_not_in_deck"))
    elif werewolf is not None and turned_up is not None and turned_up.kind is Kind.WEREWOLF and werewolves == 1:
        problems.append(Problem.of("too_many_of_card", card=str(turned_up), count=2, in_deck=1))
    return tuple(problems)


def trump_call(
    house: HouseRules, step: RoundPlan, *, dealer: int, turned_up: Card | None, werewolf: int | None = None
) -> TrumpCall:
    """Return the trump of a round as planned in `step`, or who names it.

    `dealer` is a seat, `turned_up` the card left after dealing, `werewolf` the seat that holds it (None: nobody does).
    Raises `RulesError` with all of `trump_problems`.
    Source: C1, C2, C13, C14, D06-D17, D91, D92.

    >>> step = RoundPlan(number=1, cards=1, turned_up=True)
    >>> trump_call(HouseRules(), step, dealer=0, turned_up=Card.parse("R7")).trump
    <Suit.R: 'R'>
    """
    refuse(trump_problems(house, step, turned_up=turned_up, werewolf=werewolf))
    if step.fixed_trump:
        if step.trump is None:
            return TrumpCall(None, Reason.of("trump_fixed_none"))
        return TrumpCall(Suit(step.trump), Reason.of("trump_fixed", suit=str(step.trump)))
    suits = deck_named(house.deck).suits
    if turned_up is None:
        if house.last_round_dealer_trump:
            return TrumpCall(None, Reason.of("trump_no_card_dealer_chooses"), dealer, suits)
        return TrumpCall(None, Reason.of("trump_no_card_left"))
    if werewolf is not None:
        choices = (*suits, None) if house.werewolf_may_choose_no_trump else suits
        reason = Reason.of("trump_werewolf", card=str(turned_up))
        return TrumpCall(None, reason, werewolf, choices, swap=(werewolf, turned_up))
    if turned_up.led_suit is not None:
        suit = turned_up.led_suit
        return TrumpCall(suit, Reason.of("trump_turned_up", card=str(turned_up), suit=str(suit)))
    if turned_up.kind is Kind.JESTER:
        return TrumpCall(None, Reason.of("trump_jester", card=str(turned_up)))
    if turned_up.kind in _WEAK and house.weak_specials_no_trump:
        return TrumpCall(None, Reason.of("trump_weak_special", card=str(turned_up)))
    return TrumpCall(None, Reason.of("trump_dealer_chooses", card=str(turned_up)), dealer, suits)


def choice_problems(house: HouseRules, call: TrumpCall, choice: Suit | None) -> tuple[Problem, ...]:
    """Return why `choice` (None: no trump) cannot be named now.

    Codes: `choice_not_allowed`, `no_trump_not_allowed`, `suit_not_in_deck`.
    """
    if not call.is_pending:
        return (Problem.of("choice_not_allowed"),)
    if choice in call.choices:
        return ()
    if choice is None:
        return (Problem.of("no_trump_not_allowed"),)
    return (Problem.of("suit_not_in_deck", suit=str(choice), deck=house.deck),)


def choose_trump(house: HouseRules, call: TrumpCall, choice: Suit | None) -> TrumpCall:
    """Return the call with trump named (None: no trump).

    Raises `RulesError` with all of `choice_problems`. Source: D08-D13.
    """
    refuse(choice_problems(house, call, choice))
    return replace(call, trump=choice, choices=())
