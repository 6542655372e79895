"""What a table may note of trump: whether card, suit and chooser go together."""

from __future__ import annotations

from rules.cards import Card, Suit
from rules.decks import count_of, deck_named
from rules.errors import Problem
from rules.plans import RoundPlan
from rules.trump import trump_call, trump_problems
from rules.variants import HouseRules


def noted_trump_problems(
    house: HouseRules,
    step: RoundPlan,
    *,
    dealer: int,
    trump: Suit | None,
    turned_up: Card | None = None,
    chooser: int | None = None,
) -> tuple[Problem, ...]:
    """Return what is wrong with a note of trump (None: no trump) in a round.

    Neither the turned-up card nor the seat that chose has to be noted; what is noted has to be possible. The holder of
    the werewolf may be any seat, so with that card in the deck any seat may have chosen.
    Codes: those of `trump_problems`, `suit_not_in_deck`, `trump_impossible`, `chooser_impossible`.
    Source: D06-D17, D91, D92.
    """
    problems: list[Problem] = []
    if turned_up is not None:
        problems += trump_problems(house, step, turned_up=turned_up)
    if trump is not None and trump not in deck_named(house.deck).suits:
        problems.append(Problem.of("suit_not_in_deck", suit=str(trump), deck=house.deck))
    if problems:
        return tuple(problems)
    swapped = step.turned_up and count_of(house, "WEREWOLF") > 0 and turned_up != Card.parse("WEREWOLF")
    if turned_up is None and step.turned_up:
        may_be_none, may_be_suit, choosers = True, True, None
    else:
        call = trump_call(house, step, dealer=dealer, turned_up=turned_up)
        may_be_none = call.trump is None and not call.is_pending
        may_be_suit = call.is_pending or trump == call.trump
        choosers = () if call.chooser is None else (call.chooser,)
    if swapped:
        may_be_none, may_be_suit, choosers = may_be_none or house.werewolf_may_choose_no_trump, True, None
    if not (may_be_none if trump is None else may_be_suit):
        problems.append(Problem.of("trump_impossible", trump=str(trump or "none")))
    if chooser is not None and choosers is not None and chooser not in choosers:
        problems.append(Problem.of("chooser_impossible", chooser))
    return tuple(problems)
