"""Why the rules decide as they do: a `Reason` is one step of an answer, with a code and what is needed to word it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

REASONS: Mapping[str, str] = MappingProxyType(
    {
        # Trump.
        "trump_turned_up": "{card} is turned up: {suit} is trump.",
        "trump_jester": "{card} is turned up, a jester: there is no trump.",
        "trump_dealer_chooses": "{card} is turned up: the dealer names trump.",
        "trump_weak_special": "{card} is turned up: there is no trump by this table's rules.",
        "trump_no_card_left": "No card is left to be turned up: there is no trump.",
        "trump_no_card_dealer_chooses": "No card is left to be turned up: the dealer names trump.",
        "trump_fixed": "Trump is fixed in this round: {suit}.",
        "trump_fixed_none": "There is no trump in this round.",
        "trump_werewolf": "The werewolf is swapped for {card}: whoever held it names trump.",
        # What has to be followed.
        "follow_lead": "Nobody has played yet: any card may be led.",
        "follow_suit": "{card} sets the suit: {suit} has to be followed.",
        "follow_free": "{card} comes before any suit: nobody has to follow in this trick.",
        "follow_nothing_yet": "No suit is set yet: the first card with one sets it.",
        "follow_no_suits": "Suits do not matter: any card may be played.",
        # Who takes the trick.
        "take_fairy_over_dragon": "The fairy beats the dragon.",
        "take_dragon": "The dragon beats all others.",
        "take_wizard": "A wizard beats every card with a suit.",
        "take_first_wizard": "Of several wizards the first one takes the trick.",
        "take_trump": "{card} is the only trump.",
        "take_highest_trump": "{card} is the highest trump.",
        "take_led_suit": "{card} is the only card of the suit led, and nobody has trumped.",
        "take_highest_of_suit": "{card} is the highest card of the suit led, and nobody has trumped.",
        "take_jester": "Only low cards lie here, and {card} ranks highest of them.",
        "take_first_jester": "Only low cards lie here: the first jester takes the trick.",
        "take_low_card": "Only low cards lie here so far, and {card} ranks highest of them.",
        "take_highest_value": "{card} has the highest value; suits do not matter.",
        "take_first_of_equals": "{card} has the highest value and was the first of its kind; suits do not matter.",
        # What else follows from the cards.
        "without_fairy": "Without the fairy the best card would be {card} (card {place}).",
        "without_both": "Without fairy and dragon the best card would be {card} (card {place}).",
        "counts_as": "{card} counts as {role}, in the order of play.",
        "discarded": "{card} is neither of the suit led nor trump: it is thrown off.",
        "value_in_suit": "{card} counts {value} in its suit.",
        "bombed": "The bomb destroys the trick: nobody gets it.",
        "cloud_changes_bid": "Who takes the trick with the cloud changes the own bid by one at the end of the round.",
        "cloud_bombed": "Cloud and bomb lie in one trick: no bid changes.",
        "pass_left": "The juggler is in the trick: everybody passes a card to the left.",
        "pass_nothing_left": "The juggler is in the last trick: there is nothing left to pass.",
        "leads_next": "The player of card {place} leads the next trick.",
        "leads_next_after_bomb": "The player of card {place} would have won and leads the next trick.",
        "round_over": "That was the last trick of the round.",
        # The points of a round.
        "points_exact": "Bid {bid}, took {taken}: exact, 20 and 10 for each trick, makes {points}.",
        "points_exact_blind": "Bid {bid} blind, took {taken}: "
        "exact, 20 and 10 for each trick, doubled, makes {points}.",
        "points_exact_cloud": "Bid {said}, {bid} after the cloud, took {taken}: "
        "exact, 20 and 10 for each trick, makes {points}.",
        "points_exact_cloud_blind": "Bid {said} blind, {bid} after the cloud, took {taken}: "
        "exact, 20 and 10 for each trick, doubled, makes {points}.",
        "points_missed": "Bid {bid}, took {taken}: {off} off, minus 10 each, makes {points}.",
        "points_missed_blind": "Bid {bid} blind, took {taken}: {off} off, minus 10 each, doubled, makes {points}.",
        "points_missed_cloud": "Bid {said}, {bid} after the cloud, took {taken}: "
        "{off} off, minus 10 each, makes {points}.",
        "points_missed_cloud_blind": "Bid {said} blind, {bid} after the cloud, took {taken}: "
        "{off} off, minus 10 each, doubled, makes {points}.",
    }
)
"""One English template for each reason. Its fields are among the reason's params, which can say more than it does."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of an answer: a stable code and its params, (name, value) pairs in a fixed order.

    Cards are in their notation, suits and roles are their letters, `place` counts the cards of a trick from 1.
    """

    code: str
    params: tuple[tuple[str, int | str], ...] = ()

    @classmethod
    def of(cls, code: str, /, **params: int | str) -> Reason:
        """Return a reason with `params` as keyword arguments."""
        return cls(code, tuple(params.items()))

    @property
    def args(self) -> dict[str, int | str]:
        """The params by name."""
        return dict(self.params)

    @property
    def message(self) -> str:
        """One English sentence."""
        return REASONS[self.code].format(**self.args)
