"""The rules of the card game Wizard as pure values and functions: no framework, no files, no clock.

Seats are numbered from 0 in dealing order, rounds from 1. Lists are in seat order unless they say otherwise.
"""

from rules.bidding import allowed_bids, bids_problems, check_bids, forbidden_bid
from rules.block import Block, Cell, PlayedRound, Row, ranks, winners
from rules.cards import CARDS, RESERVED_SPECIALS, SPECIALS, Card, Kind, Suit
from rules.decks import DECKS, FRENCH52, WIZARD60, Deck, count_of, deck_of, deck_size, single_suit_piles
from rules.errors import MESSAGES, Problem, RulesError
from rules.plans import (
    LADDERS,
    TOURNAMENT_LADDERS,
    RoundPlan,
    bidding_order,
    dealer_of,
    most_rounds,
    plan_of,
    plan_problems,
    round_plans,
    starter_of,
)
from rules.reasons import REASONS, Reason
from rules.scoring import SeatScore, countable_tricks, round_points, round_problems, score_round
from rules.sheets import sheet_problems
from rules.tricks import (
    Outcome,
    follow_reason,
    legal_cards,
    play_problems,
    strengths,
    suit_to_follow,
    trick_outcome,
    trick_steps,
)
from rules.trump import TrumpCall, choice_problems, choose_trump, trump_call, trump_problems
from rules.variants import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PRESETS,
    TIE_BREAKS,
    VARIANTS,
    HouseRules,
    Variant,
    check_house_rules,
    house_rules_problems,
)
from rules.vectors import Failure, Report, check_cases, check_file

__all__ = [
    "CARDS",
    "DECKS",
    "FEWEST_PLAYERS",
    "FRENCH52",
    "LADDERS",
    "MESSAGES",
    "MOST_PLAYERS",
    "PRESETS",
    "REASONS",
    "RESERVED_SPECIALS",
    "SPECIALS",
    "TIE_BREAKS",
    "TOURNAMENT_LADDERS",
    "VARIANTS",
    "WIZARD60",
    "Block",
    "Card",
    "Cell",
    "Deck",
    "Failure",
    "HouseRules",
    "Kind",
    "Outcome",
    "PlayedRound",
    "Problem",
    "Reason",
    "Report",
    "RoundPlan",
    "Row",
    "RulesError",
    "SeatScore",
    "Suit",
    "TrumpCall",
    "Variant",
    "allowed_bids",
    "bidding_order",
    "bids_problems",
    "check_bids",
    "check_cases",
    "check_file",
    "check_house_rules",
    "choice_problems",
    "choose_trump",
    "count_of",
    "countable_tricks",
    "dealer_of",
    "deck_of",
    "deck_size",
    "follow_reason",
    "forbidden_bid",
    "house_rules_problems",
    "legal_cards",
    "most_rounds",
    "plan_of",
    "plan_problems",
    "play_problems",
    "ranks",
    "round_plans",
    "round_points",
    "round_problems",
    "score_round",
    "sheet_problems",
    "single_suit_piles",
    "starter_of",
    "strengths",
    "suit_to_follow",
    "trick_outcome",
    "trick_steps",
    "trump_call",
    "trump_problems",
    "winners",
]
