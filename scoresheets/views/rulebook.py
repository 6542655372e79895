"""The rules of the game, for a table in doubt and for whoever learns it. No page asks the database.

Whatever the rules can work out (plans, points, who takes a trick) is worked out here and never typed into a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

import rules as engine
from scoresheets import rulebook

#: Long enough for an evening's looking up; the answer varies with the cookies that hold language and theme.
MAX_AGE = 600
PLAYERS = range(engine.FEWEST_PLAYERS, engine.MOST_PLAYERS + 1)
BASE = engine.HouseRules()
ALL_SPECIALS = engine.HouseRules(specials=engine.SPECIALS)
ORDINARY = engine.HouseRules(deck=engine.FRENCH52)
SINGLE_SUIT = engine.HouseRules(variant="einfarbig")
MAXIMUS = engine.HouseRules(variant="maximus")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Explain the game from the deck to the last tie, with a round as an example."""
    return _render(request, rulebook.RULES, _game_figures())


@require_safe
def rules_special_cards(request: HttpRequest) -> HttpResponse:
    """Explain the special cards, each led, in the trick, turned up and in the last trick."""
    return _render(request, rulebook.SPECIAL_CARDS, {"specials": engine.SPECIALS})


@require_safe
def rules_variants(request: HttpRequest) -> HttpResponse:
    """Explain the variants and house rules, what goes together, and where rule books differ."""
    return _render(request, rulebook.VARIANTS, _variant_figures())


@require_safe
def rules_rounds(request: HttpRequest) -> HttpResponse:
    """Show how many rounds and cards each kind of game has."""
    return _render(request, rulebook.ROUNDS, _round_plans())


@require_safe
def rules_tips(request: HttpRequest) -> HttpResponse:
    """Give tips to beginners."""
    return _render(request, rulebook.TIPS, {"zero": engine.round_points(0, 0)})


def _render(request: HttpRequest, route: str, figures: Mapping[str, Any]) -> HttpResponse:
    page = next(page for page in rulebook.PAGES if page.route == route)
    template = f"rulebook/{route.removeprefix('rules_')}.html"
    response = render(request, template, {"pages": rulebook.PAGES, "page": page, **figures})
    patch_cache_control(response, private=True, max_age=MAX_AGE)
    return response


@cache
def _game_figures() -> Mapping[str, Any]:
    """Return the numbers of the base game: deck, rounds, points, examples."""
    exact_zero = engine.round_points(0, 0)
    return {
        "fewest": PLAYERS[0],
        "most": PLAYERS[-1],
        "deck_size": engine.deck_size(BASE),
        "specials_count": len(engine.SPECIALS),
        "highest": max(card.rank for card in engine.deck_of(BASE)),
        "copies": sum(card.kind is engine.Kind.WIZARD for card in engine.deck_of(BASE)),
        "rounds_by_players": [(players, engine.most_rounds(BASE, players)) for players in PLAYERS],
        "exact_zero": exact_zero,
        "per_trick": engine.round_points(1, 1) - exact_zero,
        "per_miss": -engine.round_points(1, 0),
        "points": [(bid, taken, engine.round_points(bid, taken)) for bid, taken in rulebook.SCORED],
        "changed": _changed_scores(),
        "tricks": [
            (trick.cards, trick.trump, _taker(trick.cards, trick.trump), trick.line) for trick in rulebook.TRICKS
        ],
        "example": _example(),
    }


def _taker(cards: Sequence[str], trump: str | None) -> int:
    """Return the place, from 0, of the card that takes a trick."""
    trick = [engine.Card.parse(card) for card in cards]
    return engine.trick_outcome(trick, None if trump is None else engine.Suit(trump)).next_leader


def _changed_scores() -> list[tuple[int, int, bool, int, int, int]]:
    """Return (bid, change by the cloud, blind, final bid, tricks, points) of a round with a cloud and blind bids."""
    house = engine.HouseRules(specials=("CLOUD",), blind_bids=True)
    bids, tricks, blind, clouds = [2, 1, 1], [3, 1, 0], [False, True, True], [(0, 1)]
    scores = engine.score_round(house, number=4, cards=4, bids=bids, tricks=tricks, clouds=clouds, blind=blind)
    change = dict(clouds)
    return [
        (bids[seat], change.get(seat, 0), blind[seat], score.final_bid, score.tricks, score.points)
        for seat, score in enumerate(scores)
    ]


def _example() -> Mapping[str, Any]:
    """Return the example round: who holds and bids what, the tricks with their takers, the points."""
    names, bids = rulebook.EXAMPLE_NAMES, rulebook.EXAMPLE_BIDS
    played = []
    leader = 0
    taken = [0] * len(names)
    for cards, line in rulebook.EXAMPLE_TRICKS:
        order = [(leader + place) % len(names) for place in range(len(names))]
        best = _taker(cards, rulebook.EXAMPLE_TURNED_UP[0])
        plays = [(names[seat], card) for seat, card in zip(order, cards, strict=True)]
        played.append({"plays": plays, "best": best, "line": line})
        leader = order[best]
        taken[leader] += 1
    rows = [
        (name, hand, bid, tricks, engine.round_points(bid, tricks))
        for name, hand, bid, tricks in zip(names, rulebook.EXAMPLE_HANDS, bids, taken, strict=True)
    ]
    return {"turned_up": rulebook.EXAMPLE_TURNED_UP, "rows": rows, "tricks": played}


@cache
def _variant_figures() -> Mapping[str, Any]:
    others, cards = (2, 1, 1), 5
    house = engine.HouseRules(plus_minus_one=True)
    barred = engine.forbidden_bid(house, number=cards, cards=cards, players=len(others) + 1, bids=others)
    exact, missed = (
        score.points
        for score in engine.score_round(
            engine.HouseRules(blind_bids=True), number=2, cards=2, bids=[1, 2], tricks=[1, 1], blind=[True, True]
        )
    )
    single_suit = [plan.cards for plan in engine.round_plans(SINGLE_SUIT, engine.VARIANTS["einfarbig"].players[0])]
    maximus = engine.round_plans(MAXIMUS, PLAYERS[0])
    return {
        "sum_example": {"cards": cards, "others": sum(others), "barred": barred},
        "blind_example": {"exact": exact, "missed": missed},
        "single_suit": {
            "players": engine.VARIANTS["einfarbig"].players,
            "rounds": len(single_suit),
            "first": single_suit[0],
            "last": single_suit[-1],
        },
        "maximus": {"rounds": len(maximus), "trumps": [plan.trump for plan in maximus]},
        "ordinary": {
            "size": engine.deck_size(ORDINARY),
            "rounds": [(players, engine.most_rounds(ORDINARY, players)) for players in PLAYERS],
        },
    }


@cache
def _round_plans() -> Mapping[str, Any]:
    return {
        "deck_size": engine.deck_size(BASE),
        "specials_count": len(engine.SPECIALS),
        "plans": {
            "full": [_plan_row(BASE, players) for players in PLAYERS],
            "special_cards": [_plan_row(ALL_SPECIALS, players) for players in PLAYERS],
            "ordinary": [_plan_row(ORDINARY, players) for players in PLAYERS],
            "single_suit": [_plan_row(SINGLE_SUIT, players) for players in engine.VARIANTS["einfarbig"].players],
            "maximus": [_plan_row(MAXIMUS, players) for players in engine.VARIANTS["maximus"].players],
        },
        "maximus_trumps": [plan.trump for plan in engine.round_plans(MAXIMUS, PLAYERS[0])],
        "tournament": [
            (players, [plan.cards for plan in engine.round_plans(BASE, players, ladder="tournament")])
            for players in engine.TOURNAMENT_LADDERS
        ],
        "no_tournament": [players for players in PLAYERS if players not in engine.TOURNAMENT_LADDERS],
        "players": PLAYERS,
        "longer": [_longer_row(count) for count in range(len(engine.SPECIALS) + 1)],
    }


def _plan_row(house: engine.HouseRules, players: int) -> dict[str, Any]:
    """Return one line of a plan: rounds, cards of the first and last one, in which a card is turned up, and so on.

    `turned_up` is the last round with a card turned up (0: none); rounds without one only come after those with one.
    """
    plans = engine.round_plans(house, players)
    first, last = plans[0].cards, plans[-1].cards
    pile = engine.VARIANTS[house.variant].pile
    return {
        "players": players,
        "rounds": len(plans),
        "first": first,
        "last": last,
        "turned_up": sum(plan.turned_up for plan in plans),
        "left": (pile if pile is not None else engine.deck_size(house)) - last * (1 if pile is not None else players),
        "tricks": sum(plan.cards for plan in plans),
    }


def _longer_row(count: int) -> tuple[int, list[tuple[int, int]]]:
    """Return (special cards, (rounds, cards left in the last one) by players) of a game that they lengthen."""
    house = engine.HouseRules(specials=engine.SPECIALS[:count], rounds_from_deck=True, allow_lone_dragon_or_fairy=True)
    size = engine.deck_size(house)
    rounds = [(players, engine.most_rounds(house, players)) for players in PLAYERS]
    return count, [(most, size - players * most) for players, most in rounds]
