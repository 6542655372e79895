"""The rules pages as data: which pages and sections there are, where a topic is explained, each rule in one line.

The new-game page and the rules pages take their words from here, so both call a rule by the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules

Text = str | Promise
"""Text that is translated where it is shown."""

RULES = "rules"
SPECIAL_CARDS = "rules_special_cards"
VARIANTS = "rules_variants"
ROUNDS = "rules_rounds"
TIPS = "rules_tips"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the rules: its route, its title, and the titles of its sections by anchor, in order."""

    route: str
    title: Text
    sections: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class Words:
    """What a rule, variant or card is called, and what it means in one line."""

    name: Text
    line: Text


SPECIALS: Mapping[str, Words] = MappingProxyType(
    {
        "DRAGON": Words(_("Dragon"), _("The highest card of all; only the fairy beats it.")),
        "FAIRY": Words(_("Fairy"), _("The lowest card of all, but it beats the dragon.")),
        "JUGGLER": Words(_("Juggler"), _("Counts 7½ in the suit you name; then everybody passes a card to the left.")),
        "CLOUD": Words(_("Cloud"), _("Counts 9¾ in the suit you name; who takes the trick changes the bid by one.")),
        "WEREWOLF": Words(_("Werewolf"), _("Swapped for the turned-up card before the bids; its holder names trump.")),
        "BOMB": Words(_("Bomb"), _("Destroys the trick: it counts for nobody.")),
        "SHAPESHIFTER": Words(_("Shapeshifter"), _("A wizard or a jester: you say which when you play it.")),
    }
)

DECKS: Mapping[str, Words] = MappingProxyType(
    {
        "wizard60": Words(_("Wizard deck"), _("60 cards: four suits from 1 to 13, four wizards, four jesters.")),
        "french52": Words(_("Wizards and Jesters"), _("An ordinary pack of 52: aces are wizards, twos are jesters.")),
    }
)

VARIANT_WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "standard": Words(_("Base game"), _("One card in round 1, then one more each round.")),
        "einfarbig": Words(
            _("Single-suit"), _("Everybody plays a suit of their own: 12 rounds with 4 to 15 cards, no trump.")
        ),
        "maximus": Words(
            _("Wizard Maximus"), _("Five rounds, each with all cards dealt; trump is fixed from round to round.")
        ),
    }
)

LADDERS: Mapping[str, Words] = MappingProxyType(
    {
        "full": Words(_("Full game"), _("One card more each round, until the pack is dealt out.")),
        "tournament": Words(_("Tournament ladder"), _("The publisher's 10 rounds for tournaments.")),
        "free": Words(_("Own list"), _("You choose the number of cards for each round.")),
    }
)

TIE_BREAKS: Mapping[str, Words] = MappingProxyType(
    {
        "exact_hits": Words(_("More exact bids win"), _("Still tied: shared victory.")),
        "shared": Words(_("Shared victory"), _("As in the rule book: several winners.")),
    }
)

PRESETS: Mapping[str, Words] = MappingProxyType(
    {
        "2021": Words(
            _("Rules of 2021"),
            _("The dealer names trump for every special card turned up; the cloud cannot raise a full bid."),
        ),
        "2026": Words(_("Rules of 2026"), _("Fairy or bomb turned up: no trump. The cloud may raise a full bid.")),
        "tournament": Words(_("Tournament"), _("The base game over the 10 rounds of the tournament ladder.")),
    }
)

FIELDS: Mapping[str, Words] = MappingProxyType(
    {
        "deck": Words(_("Cards"), _("The Wizard deck, or an ordinary pack of 52.")),
        "specials": Words(_("Special cards"), _("Any of the seven; dragon and fairy only together.")),
        "variant": Words(_("Variant"), _("The base game, single-suit or Maximus.")),
        "plus_minus_one": Words(
            _("Bids never add up"), _("The last bid must not bring the sum to the number of tricks (±1).")
        ),
        "plus_minus_one_from": Words(_("Bids never add up: from round"), _("Before that round every bid is free.")),
        "hidden_bids": Words(_("Hidden bids"), _("Everybody bids at once; bids are shown before the first card.")),
        "secret_bids": Words(_("Secret bids"), _("Bids stay secret until the last trick of the round is taken.")),
        "clairvoyance": Words(
            _("Clairvoyance"), _("In round 1 everybody sees all cards except their own, held to the forehead.")
        ),
        "blind_bids": Words(_("Blind bids"), _("Who bids before looking scores double, hit or miss.")),
        "tie_break": Words(_("If there is a tie at the end"), _("More exact bids win, or the victory is shared.")),
        "weak_specials_no_trump": Words(
            _("Fairy or bomb turned up: no trump"), _("As in the rules of 2026. Otherwise the dealer names trump.")
        ),
        "werewolf_may_choose_no_trump": Words(
            _("Werewolf may choose no trump"), _("Its holder names one of the four suits, or no trump.")
        ),
        "last_round_dealer_trump": Words(
            _("Dealer names trump if no card is left"), _("Instead of playing the last round without trump.")
        ),
        "rounds_from_deck": Words(
            _("Special cards add rounds"), _("The larger pack is dealt out too, so some games get longer.")
        ),
        "cloud_upper_clamp": Words(
            _("Cloud cannot raise a full bid"), _("Who has bid every trick can only go down by one.")
        ),
        "allow_lone_dragon_or_fairy": Words(
            _("Dragon or fairy alone"), _("One of the two may be in the pack without the other.")
        ),
        "specials_in_variants": Words(
            _("Special cards in variants"), _("Allows them in clairvoyance, single-suit and Maximus as well.")
        ),
    }
)
"""The words of each field of `rules.HouseRules`."""

BID_MODES: Mapping[str, Words] = MappingProxyType(
    {
        "open": Words(_("Open bids"), _("One after the other, the dealer last.")),
        "hidden": FIELDS["hidden_bids"],
        "secret": FIELDS["secret_bids"],
    }
)
"""How bids are made: what `hidden_bids` and `secret_bids` say together."""

PAGES: tuple[Page, ...] = (
    Page(
        RULES,
        _("The game"),
        {
            "idea": _("The idea"),
            "cards": _("Cards and peoples"),
            "deal": _("Dealing and rounds"),
            "trump": _("Trump"),
            "bids": _("Bids"),
            "follow": _("Following suit"),
            "take": _("Who takes the trick?"),
            "scoring": _("Scoring"),
            "end": _("End and ties"),
            "example": _("A round as an example"),
        },
    ),
    Page(
        SPECIAL_CARDS,
        _("Special cards"),
        {
            "choosing": _("Which cards are in"),
            "dragon": SPECIALS["DRAGON"].name,
            "fairy": SPECIALS["FAIRY"].name,
            "juggler": SPECIALS["JUGGLER"].name,
            "cloud": SPECIALS["CLOUD"].name,
            "werewolf": SPECIALS["WEREWOLF"].name,
            "bomb": SPECIALS["BOMB"].name,
            "shapeshifter": SPECIALS["SHAPESHIFTER"].name,
            "together": _("Several in one trick"),
            "turned-up": _("Turned up for trump"),
        },
    ),
    Page(
        VARIANTS,
        _("Variants"),
        {
            "plus-minus-one": FIELDS["plus_minus_one"].name,
            "hidden-bids": FIELDS["hidden_bids"].name,
            "secret-bids": FIELDS["secret_bids"].name,
            "blind-bids": FIELDS["blind_bids"].name,
            "clairvoyance": FIELDS["clairvoyance"].name,
            "single-suit": VARIANT_WORDS["einfarbig"].name,
            "maximus": VARIANT_WORDS["maximus"].name,
            "ordinary-pack": _("Ordinary pack"),
            "last-round-trump": FIELDS["last_round_dealer_trump"].name,
            "combining": _("What goes together"),
            "editions": _("Where rule books differ"),
        },
    ),
    Page(
        ROUNDS,
        _("Round plans"),
        {
            "full": DECKS["wizard60"].name,
            "with-special-cards": FIELDS["specials"].name,
            "ordinary-pack": _("Ordinary pack"),
            "single-suit": VARIANT_WORDS["einfarbig"].name,
            "maximus": VARIANT_WORDS["maximus"].name,
            "tournament": LADDERS["tournament"].name,
            "free": LADDERS["free"].name,
            "rounds-from-deck": FIELDS["rounds_from_deck"].name,
        },
    ),
    Page(
        TIPS,
        _("Tips"),
        {
            "first-game": _("Your first game"),
            "bidding": _("Bidding"),
            "playing": _("Playing"),
            "with-special-cards": _("With special cards"),
        },
    ),
)

PLACES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        # House rules.
        "deck": (RULES, "cards"),
        "specials": (SPECIAL_CARDS, "choosing"),
        "variant": (VARIANTS, "combining"),
        "plus_minus_one": (VARIANTS, "plus-minus-one"),
        "plus_minus_one_from": (VARIANTS, "plus-minus-one-from"),
        "hidden_bids": (VARIANTS, "hidden-bids"),
        "secret_bids": (VARIANTS, "secret-bids"),
        "clairvoyance": (VARIANTS, "clairvoyance"),
        "blind_bids": (VARIANTS, "blind-bids"),
        "tie_break": (RULES, "ties"),
        "weak_specials_no_trump": (SPECIAL_CARDS, "weak-turned-up"),
        "werewolf_may_choose_no_trump": (SPECIAL_CARDS, "werewolf-names"),
        "last_round_dealer_trump": (VARIANTS, "last-round-trump"),
        "rounds_from_deck": (ROUNDS, "rounds-from-deck"),
        "cloud_upper_clamp": (SPECIAL_CARDS, "cloud-limits"),
        "allow_lone_dragon_or_fairy": (SPECIAL_CARDS, "dragon-and-fairy"),
        "specials_in_variants": (VARIANTS, "specials-in-variants"),
        # Their values.
        "standard": (RULES, "deal"),
        "einfarbig": (VARIANTS, "single-suit"),
        "maximus": (VARIANTS, "maximus"),
        "wizard60": (RULES, "cards"),
        "french52": (VARIANTS, "ordinary-pack"),
        "full": (ROUNDS, "full"),
        "tournament": (ROUNDS, "tournament"),
        "free": (ROUNDS, "free"),
        "exact_hits": (RULES, "ties-exact-hits"),
        "shared": (RULES, "ties-shared"),
        "2021": (VARIANTS, "editions"),
        "2026": (VARIANTS, "editions"),
        # Cards.
        "wizard": (RULES, "wizard"),
        "jester": (RULES, "jester"),
        **{name: (SPECIAL_CARDS, name.lower()) for name in rules.SPECIALS},
        # Trump.
        "trump_turned_up": (RULES, "trump-number"),
        "trump_jester": (RULES, "trump-jester"),
        "trump_dealer_chooses": (RULES, "trump-dealer"),
        "trump_weak_special": (RULES, "trump-weak"),
        "trump_no_card_left": (RULES, "trump-none-left"),
        "trump_no_card_dealer_chooses": (VARIANTS, "last-round-trump"),
        "trump_fixed": (RULES, "trump-fixed"),
        "trump_fixed_none": (RULES, "trump-fixed"),
        "trump_werewolf": (RULES, "trump-werewolf"),
        # What has to be followed.
        "follow_lead": (RULES, "follow-lead"),
        "follow_suit": (RULES, "follow-suit"),
        "follow_free": (RULES, "follow-free"),
        "follow_nothing_yet": (RULES, "follow-nothing-yet"),
        "follow_no_suits": (VARIANTS, "single-suit-tricks"),
        # Who takes the trick.
        "take_fairy_over_dragon": (RULES, "take-fairy"),
        "take_dragon": (RULES, "take-dragon"),
        "take_wizard": (RULES, "take-wizard"),
        "take_first_wizard": (RULES, "take-wizard"),
        "take_trump": (RULES, "take-trump"),
        "take_highest_trump": (RULES, "take-trump"),
        "take_led_suit": (RULES, "take-led"),
        "take_highest_of_suit": (RULES, "take-led"),
        "take_jester": (RULES, "take-jester"),
        "take_first_jester": (RULES, "take-jester"),
        "take_low_card": (RULES, "take-low"),
        "take_highest_value": (VARIANTS, "single-suit-tricks"),
        "take_first_of_equals": (VARIANTS, "single-suit-tricks"),
        # What else follows from the cards.
        "without_fairy": (SPECIAL_CARDS, "fairy-and-dragon"),
        "without_both": (SPECIAL_CARDS, "fairy-and-dragon"),
        "counts_as": (SPECIAL_CARDS, "counts-as"),
        "discarded": (SPECIAL_CARDS, "named-suit"),
        "value_in_suit": (SPECIAL_CARDS, "named-suit"),
        "bombed": (SPECIAL_CARDS, "bomb-destroys"),
        "cloud_changes_bid": (SPECIAL_CARDS, "cloud-changes"),
        "cloud_bombed": (SPECIAL_CARDS, "cloud-and-bomb"),
        "pass_left": (SPECIAL_CARDS, "juggler-passes"),
        "pass_nothing_left": (SPECIAL_CARDS, "juggler-last"),
        "leads_next": (RULES, "leads-next"),
        "leads_next_after_bomb": (SPECIAL_CARDS, "bomb-leads"),
        "round_over": (RULES, "scoring"),
        # What a round scores.
        "points_exact": (RULES, "points-exact"),
        "points_missed": (RULES, "points-missed"),
        "points_exact_cloud": (RULES, "scoring-order"),
        "points_missed_cloud": (RULES, "scoring-order"),
        "points_exact_blind": (RULES, "scoring-order"),
        "points_missed_blind": (RULES, "scoring-order"),
        "points_exact_cloud_blind": (RULES, "scoring-order"),
        "points_missed_cloud_blind": (RULES, "scoring-order"),
    }
)
"""The page (its route) and the anchor where a topic is explained.

Topics are the fields of `rules.HouseRules`, the names of variants, decks, ladders, tie-breaks, editions and cards, and
the codes of `rules.REASONS`.
"""


# Examples. What comes of them is never written here: the rules say it.


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick as an example: cards in the order of play, the trump suit or None, and why it goes as it does."""

    cards: tuple[str, ...]
    trump: str | None
    line: Text


TRICKS: tuple[Trick, ...] = (
    Trick(("B9", "B13", "R2"), "R", _("The only trump beats the whole suit led.")),
    Trick(("B9", "G13", "B4"), "R", _("Green was not led and is not trump: thrown off.")),
    Trick(("J", "Y6", "Y11"), "R", _("The jester sets no suit, so yellow is led.")),
    Trick(("R12", "W", "W"), "R", _("Of two wizards the first one counts.")),
    Trick(("J", "J", "J"), "R", _("Only jesters: the first one.")),
    Trick(("G7", "JUGGLER:G", "G8"), "R", _("The juggler counts 7½ here: more than 7, less than 8.")),
    Trick(("W", "DRAGON", "FAIRY"), "R", _("With the dragon in the trick the fairy wins.")),
)

SCORED: tuple[tuple[int, int], ...] = ((0, 0), (1, 1), (4, 4), (3, 2), (0, 1), (1, 4))
"""Bids and tricks taken whose points are shown."""

EXAMPLE_NAMES = ("Bernd", "Cem", "Annika")
"""Who plays the example round, in the order of bidding: the last one deals."""
EXAMPLE_HANDS = (("R5", "J"), ("R3", "G2"), ("R8", "W"))
EXAMPLE_TURNED_UP = "G4"
EXAMPLE_BIDS = (0, 1, 2)
EXAMPLE_TRICKS: tuple[tuple[tuple[str, ...], Text], ...] = (
    (
        ("R5", "R3", "W"),
        _(
            "Bernd leads red. Cem holds a red card and has to follow. Annika could follow too, but a wizard may "
            "always be played: she takes the trick and leads the next one."
        ),
    ),
    (
        ("R8", "J", "G2"),
        _("Annika leads red. Bernd plays the jester. Cem has no red card left and trumps with the green 2."),
    ),
)
"""The tricks of the example round in order: the cards as played, whoever took the trick before leads."""
