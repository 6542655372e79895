"""Cards, and why the rules decide as they do, in words: for the referee and wherever a reason is given.

Codes and notations are stable; sentences are not. Cards are called by their suit's word, never by an initial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

import rules
from rules.cards import FRENCH_SUITS
from rules.tricks import VALUES_IN_SUIT
from scoresheets import wording

_VALUE_WORDS: Mapping[Fraction, str] = MappingProxyType({Fraction(15, 2): "7½", Fraction(39, 4): "9¾"})


_SUITS: Mapping[rules.Suit | None, Promise] = MappingProxyType(
    {
        rules.Suit.B: gettext_lazy("Blue"),
        rules.Suit.R: gettext_lazy("Red"),
        rules.Suit.G: gettext_lazy("Green"),
        rules.Suit.Y: gettext_lazy("Yellow"),
        rules.Suit.H: gettext_lazy("Hearts"),
        rules.Suit.D: gettext_lazy("Diamonds"),
        rules.Suit.C: gettext_lazy("Clubs"),
        rules.Suit.S: gettext_lazy("Spades"),
        None: gettext_lazy("No trump"),
    }
)
_SUITS_INSIDE: Mapping[rules.Suit, Promise] = MappingProxyType(
    {
        rules.Suit.B: pgettext_lazy("suit within a sentence", "blue"),
        rules.Suit.R: pgettext_lazy("suit within a sentence", "red"),
        rules.Suit.G: pgettext_lazy("suit within a sentence", "green"),
        rules.Suit.Y: pgettext_lazy("suit within a sentence", "yellow"),
        rules.Suit.H: pgettext_lazy("suit within a sentence", "hearts"),
        rules.Suit.D: pgettext_lazy("suit within a sentence", "diamonds"),
        rules.Suit.C: pgettext_lazy("suit within a sentence", "clubs"),
        rules.Suit.S: pgettext_lazy("suit within a sentence", "spades"),
    }
)
_KINDS: Mapping[rules.Kind, Promise] = MappingProxyType(
    {
        rules.Kind.NUMBER: gettext_lazy("Number card"),
        rules.Kind.WIZARD: gettext_lazy("Wizard"),
        rules.Kind.JESTER: gettext_lazy("Jester"),
        rules.Kind.DRAGON: gettext_lazy("Dragon"),
        rules.Kind.FAIRY: gettext_lazy("Fairy"),
        rules.Kind.JUGGLER: gettext_lazy("Juggler"),
        rules.Kind.CLOUD: gettext_lazy("Cloud"),
        rules.Kind.WEREWOLF: gettext_lazy("Werewolf"),
        rules.Kind.BOMB: gettext_lazy("Bomb"),
        rules.Kind.SHAPESHIFTER: gettext_lazy("Shapeshifter"),
    }
)
_ROLES_INSIDE: Mapping[rules.Kind, Promise] = MappingProxyType(
    {
        rules.Kind.WIZARD: pgettext_lazy("role within a name", "wizard"),
        rules.Kind.JESTER: pgettext_lazy("role within a name", "jester"),
    }
)
_PICTURES: Mapping[int, Promise] = MappingProxyType(
    {
        11: pgettext_lazy("jack, sign", "J"),
        12: pgettext_lazy("queen, sign", "Q"),
        13: pgettext_lazy("king, sign", "K"),
    }
)
_PICTURES_OF: Mapping[int, Promise] = MappingProxyType(
    {11: gettext_lazy("Jack of %(suit)s"), 12: gettext_lazy("Queen of %(suit)s"), 13: gettext_lazy("King of %(suit)s")}
)


def suit_name(suit: rules.Suit | None) -> str:
    """Return a suit's word as it begins a sentence or stands alone: "Red", "Hearts"; None is "No trump"."""
    return str(_SUITS[suit])


def kind_name(kind: rules.Kind) -> str:
    """Return what a card without a suit is called: "Wizard", "Dragon"."""
    return str(_KINDS[kind])


def rank_sign(card: rules.Card) -> str:
    """Return what stands in the corner of a card with a printed suit: "9", "Q", "A"; "" for all others."""
    if card.kind is rules.Kind.NUMBER:
        picture = _PICTURES.get(card.rank) if card.suit in FRENCH_SUITS else None
        return str(picture or card.rank)
    if card.suit in FRENCH_SUITS:
        return pgettext("ace, sign", "A") if card.kind is rules.Kind.WIZARD else "2"
    return ""


def value_sign(card: rules.Card) -> str:
    """Return what a juggler or cloud is worth in its suit: "7½", "9¾"; "" for all others."""
    value = VALUES_IN_SUIT.get(card.kind)
    return "" if value is None else _VALUE_WORDS[value]


def card_name(card: rules.Card) -> str:
    """Return what a card is called: "Red 9", "Wizard", "Cloud as red 9¾", "Queen of hearts"."""
    if card.kind in VALUES_IN_SUIT and card.suit is not None:
        named = {"card": kind_name(card.kind), "suit": _SUITS_INSIDE[card.suit], "value": value_sign(card)}
        return _("%(card)s as %(suit)s %(value)s") % named
    if card.role is not None:
        return _("%(card)s as %(role)s") % {"card": kind_name(card.kind), "role": _ROLES_INSIDE[card.role]}
    if card.suit is None:
        return kind_name(card.kind)
    if card.suit in FRENCH_SUITS:
        named = {"suit": _SUITS_INSIDE[card.suit], "rank": card.rank or 2}
        if card.kind is rules.Kind.WIZARD:
            return _("Ace of %(suit)s") % named
        return str(_PICTURES_OF.get(card.rank) or _("%(rank)s of %(suit)s")) % named
    return _("%(suit)s %(rank)s") % {"suit": suit_name(card.suit), "rank": card.rank}


def person(number: int) -> str:
    """Return what somebody whose name is not known is called, counted from 1."""
    return _("Person %(number)s") % {"number": number}


def reason_in_words(reason: rules.Reason, *, names: Sequence[str] = ()) -> str:
    """Return a rule's reason as one sentence; a code without words of its own speaks English.

    `names` belong to the cards of the trick, in the order of play; whoever has none is called by the card's number.
    """
    words = _REASONS.get(reason.code)
    return reason.message if words is None else words(_worded(reason.args, names))


def refusal_in_words(problem: rules.Problem) -> str:
    """Return why a card, suit or choice of the referee's page was left out, as one sentence."""
    words = _REFUSALS.get(problem.code)
    return problem.message if words is None else words(_worded(problem.args, ()))


def _worded(args: Mapping[str, int | str], names: Sequence[str]) -> dict[str, Any]:
    """Return the params with cards, suits and roles as words and the real minus; `place` becomes `who`."""
    values: dict[str, Any] = dict(args)
    if "card" in values:
        card = rules.Card.parse(str(values["card"]))
        values |= {"notation": str(card), "card": card_name(card), "kind": kind_name(card.kind)}
    if "suit" in values:
        suit = rules.Suit(str(values["suit"]))
        values |= {"suit": suit_name(suit), "inside": _SUITS_INSIDE[suit]}
    if "role" in values:
        values["role"] = kind_name(rules.Kind(str(values["role"])))
    if "place" in values:
        place = int(values["place"])
        values["who"] = names[place - 1] if 0 < place <= len(names) else person(place)
    if "points" in values:
        values["points"] = wording.plain(int(values["points"]))
    if "value" in values:
        value = Fraction(str(values["value"]))
        values |= {"below": int(value), "above": int(value) + 1}
    return values


def _wizard(values: Mapping[str, Any]) -> str:
    # Whoever holds the suit of an ace likes to forget it.
    if rules.Card.parse(values["notation"]).suit:
        return _("%(card)s is a wizard: it beats every card with a suit and has none itself.") % values
    return _("A wizard beats every card with a suit.")


def _first_wizard(values: Mapping[str, Any]) -> str:
    if rules.Card.parse(values["notation"]).suit:
        return _("Aces are wizards, and the first one takes the trick: %(card)s.") % values
    return _("Of several wizards the first one takes the trick.")


_Words = Mapping[str, Callable[[Mapping[str, Any]], str]]

_REASONS: _Words = MappingProxyType(
    {
        # Trump.
        "trump_turned_up": lambda values: _("%(card)s is turned up: trump is %(inside)s.") % values,
        "trump_jester": lambda values: _("%(card)s is turned up: there is no trump.") % values,
        "trump_dealer_chooses": lambda values: _("%(card)s is turned up: the dealer names trump.") % values,
        "trump_weak_special": lambda values: (
            _("%(card)s is turned up: by your house rules there is no trump then.") % values
        ),
        "trump_no_card_left": lambda values: _("No card is left to turn up: there is no trump."),
        "trump_no_card_dealer_chooses": lambda values: _("No card is left to turn up: the dealer names trump."),
        "trump_fixed": lambda values: _("Trump is fixed in this round: %(inside)s.") % values,
        "trump_fixed_none": lambda values: _("There is no trump in this round."),
        "trump_werewolf": lambda values: (
            _("The werewolf is swapped for the turned-up card (%(card)s): whoever had it names trump.") % values
        ),
        # What has to be followed.
        "follow_lead": lambda values: _("No card lies here yet: any card may be led."),
        "follow_suit": lambda values: _("%(suit)s has to be followed: %(card)s set the suit.") % values,
        "follow_free": lambda values: (
            _("Nobody has to follow in this trick: %(card)s came before the first suit.") % values
        ),
        "follow_nothing_yet": lambda values: _("No suit is set yet: the first card with a suit sets it."),
        "follow_no_suits": lambda values: _("Suits do not matter here: any card may be played."),
        # Who takes the trick.
        "take_fairy_over_dragon": lambda values: _("The fairy beats the dragon."),
        "take_dragon": lambda values: _("The dragon beats all other cards here."),
        "take_wizard": _wizard,
        "take_first_wizard": _first_wizard,
        "take_trump": lambda values: _("%(card)s is the only trump.") % values,
        "take_highest_trump": lambda values: _("%(card)s is the highest trump.") % values,
        "take_led_suit": lambda values: (
            _("%(card)s is the only card of the suit led, and nobody has trumped.") % values
        ),
        "take_highest_of_suit": lambda values: (
            _("%(card)s is the highest card of the suit led, and nobody has trumped.") % values
        ),
        "take_jester": lambda values: _("Only low cards lie here, and a jester ranks highest of them."),
        "take_first_jester": lambda values: _("Only low cards lie here: the first jester takes the trick."),
        "take_low_card": lambda values: _("Only low cards lie here: %(card)s ranks highest of them.") % values,
        "take_highest_value": lambda values: _("%(card)s has the highest value; suits do not matter.") % values,
        "take_first_of_equals": lambda values: (
            _("%(card)s has the highest value and came before its equals; suits do not matter.") % values
        ),
        # What else follows from the cards.
        "without_fairy": lambda values: _("Without the fairy the trick would go to %(who)s (%(card)s).") % values,
        "without_both": lambda values: _("Without fairy and dragon it would go to %(who)s (%(card)s).") % values,
        "counts_as": lambda values: _("%(kind)s counts as %(role)s; among equals the first one counts.") % values,
        "discarded": lambda values: _("%(card)s is neither of the suit led nor trump: it is thrown off.") % values,
        "value_in_suit": lambda values: _("%(card)s: it ranks between %(below)s and %(above)s.") % values,
        "bombed": lambda values: _("The bomb destroys the trick: nobody gets it."),
        "cloud_changes_bid": lambda values: (
            _("The cloud is in the trick: %(who)s has to change their bid by 1 at the end of the round.") % values
        ),
        "cloud_bombed": lambda values: _("Cloud and bomb lie in one trick: no bid changes."),
        "pass_left": lambda values: _("The juggler is in the trick: everybody passes a card to the left."),
        "pass_nothing_left": lambda values: _("The juggler is in the last trick: there is nothing left to pass."),
        "leads_next": lambda values: _("%(who)s leads the next trick.") % values,
        "leads_next_after_bomb": lambda values: (
            _("%(who)s would have taken the trick and leads the next one.") % values
        ),
        "round_over": lambda values: _("That was the last trick of the round."),
        # The points of a round.
        "points_exact": lambda values: (
            _("Bid %(bid)s, took %(taken)s: exact. 20, and 10 for each trick, makes %(points)s.") % values
        ),
        "points_exact_blind": lambda values: (
            _("Bid %(bid)s blind, took %(taken)s: exact. 20, and 10 for each trick, doubled, makes %(points)s.")
            % values
        ),
        "points_exact_cloud": lambda values: (
            _(
                "Bid %(said)s, with the cloud %(bid)s, took %(taken)s: exact. "
                "20, and 10 for each trick, makes %(points)s."
            )
            % values
        ),
        "points_exact_cloud_blind": lambda values: (
            _(
                "Bid %(said)s blind, with the cloud %(bid)s, took %(taken)s: exact. "
                "20, and 10 for each trick, doubled, makes %(points)s."
            )
            % values
        ),
        "points_missed": lambda values: (
            _("Bid %(bid)s, took %(taken)s: off by %(off)s. 10 less for each makes %(points)s.") % values
        ),
        "points_missed_blind": lambda values: (
            _("Bid %(bid)s blind, took %(taken)s: off by %(off)s. 10 less for each, doubled, makes %(points)s.")
            % values
        ),
        "points_missed_cloud": lambda values: (
            _(
                "Bid %(said)s, with the cloud %(bid)s, took %(taken)s: off by %(off)s. "
                "10 less for each makes %(points)s."
            )
            % values
        ),
        "points_missed_cloud_blind": lambda values: (
            _(
                "Bid %(said)s blind, with the cloud %(bid)s, took %(taken)s: off by %(off)s. "
                "10 less for each, doubled, makes %(points)s."
            )
            % values
        ),
    }
)
"""Words for every code of `rules.REASONS`, from its params as `_worded` returns them."""


def _too_many(values: Mapping[str, Any]) -> str:
    if values["in_deck"] == 1:
        return _("%(card)s already lies here, and the deck has it only once.") % values
    return _("%(kind)s: all %(in_deck)s of the deck already lie here.") % values


_REFUSALS: _Words = MappingProxyType(
    {
        "card_undeclared": lambda values: (
            _("%(card)s was left out: say with it which suit it has, or whether it is a wizard or a jester.") % values
        ),
        "card_not_in_deck": lambda values: _("%(card)s was left out: it is not in this deck.") % values,
        "too_many_of_card": _too_many,
        "trick_too_long": lambda values: (
            _("%(card)s was left out: at a table of %(players)s a trick has %(players)s cards.") % values
        ),
        "suit_not_in_deck": lambda values: _("%(suit)s cannot be trump: the suit is not in this deck.") % values,
        "single_suit_table": lambda values: (
            _("Single-suit is for %(fewest)s to %(most)s people with the Wizard deck: it was left out.") % values
        ),
        "leader_unknown": lambda values: _("There is no person %(number)s at this table to lead.") % values,
        "left_out": lambda values: _("“%(typed)s” is not known here and was left out.") % values,
    }
)
"""Words for every problem that a query string of the referee's page can have."""
