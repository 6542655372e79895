"""The round plan: how many cards each round has, whether a card is turned up, which trump is fixed, who deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from rules.decks import deck_named, deck_size
from rules.errors import Problem, RulesError, refuse
from rules.variants import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    STANDARD,
    HouseRules,
    house_rules_problems,
    variant_of,
)

FULL = "full"
TOURNAMENT = "tournament"
FREE = "free"
LADDERS: tuple[str, ...] = (FULL, TOURNAMENT, FREE)
"""Names of the ladders: the variant's own, the publisher's for tournaments, a free list."""

TOURNAMENT_LADDERS: Mapping[int, tuple[int, ...]] = MappingProxyType(
    {
        3: (2, 4, 6, 8, 10, 12, 14, 16, 18, 20),
        4: (1, 3, 5, 7, 9, 11, 12, 13, 14, 15),
        5: (2, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    }
)
"""Cards per round by number of players; none is defined for six. Source: RULES.md section 4.6."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round as planned: `number` from 1, `cards` for each player.

    `turned_up`: a card is left to be turned up for trump. `fixed_trump`: the variant sets the trump, and `trump` is its
    suit letter, or None for no trump. `dealer` is a seat, or None if it is not known who deals first.
    """

    number: int
    cards: int
    turned_up: bool
    fixed_trump: bool = False
    trump: str | None = None
    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """What a table usually agrees on together: house rules and the ladder's name."""

    house: HouseRules
    ladder: str = FULL


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "2021": Preset(HouseRules()),
        "2026": Preset(HouseRules(weak_specials_no_trump=True, cloud_upper_clamp=False)),
        "tournament": Preset(HouseRules(), TOURNAMENT),
    }
)
"""By edition, the default first; which special cards are in stays the table's choice, a tournament has none.

Source: RULES.md sections 3 and 4.6.
"""


def most_rounds(house: HouseRules, players: int) -> int:
    """Return the number of rounds of a full game.

    Raises `RulesError` if the number of players, the deck or the variant is unknown. Source: C3, C4, D91, D92.
    """
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise RulesError((Problem.of("players", players=players),))
    return len(_full_ladder(house, players))


def plan_problems(
    house: HouseRules,
    players: int,
    *,
    ladder: str = FULL,
    rounds: int | None = None,
    cards: Sequence[int] | None = None,
) -> tuple[Problem, ...]:
    """Return all that is wrong with a plan, the house rules' problems first.

    `ladder` is a name from `LADDERS`; `rounds` plays only the first ones of it (None: all); `cards` are the cards per
    round of the free ladder, which alone reads them. Source: D18, RULES.md section 4.
    """
    problems = [*house_rules_problems(house, players)]
    if ladder not in LADDERS:
        problems.append(Problem.of("ladder_unknown", ladder=ladder))
    if any(problem.code in _BLOCKING for problem in problems):
        return tuple(problems)  # without deck, variant, players and ladder there is nothing to count
    problems += _ladder_problems(house, players, ladder, cards)
    steps = _ladder(house, players, ladder, cards)
    if steps and rounds is not None and not 1 <= rounds <= len(steps):
        problems.append(Problem.of("rounds_out_of_range", rounds=rounds, most=len(steps)))
    else:
        problems += _step_problems(house, players, steps[:rounds])
    return tuple(problems)


def round_plans(
    house: HouseRules,
    players: int,
    *,
    ladder: str = FULL,
    rounds: int | None = None,
    cards: Sequence[int] | None = None,
    first_dealer: int | None = None,
) -> tuple[RoundPlan, ...]:
    """Return the rounds of a game in order; the other arguments are those of `plan_problems`.

    With the seat that deals first, each round says its dealer.
    Raises `RulesError` with all of `plan_problems`, or `dealer_out_of_range`.
    Source: C2, D04, D91, D92, RULES.md section 4.

    >>> [plan.cards for plan in round_plans(HouseRules(), 4, ladder="tournament", rounds=4)]
    [1, 3, 5, 7]
    """
    refuse(plan_problems(house, players, ladder=ladder, rounds=rounds, cards=cards))
    steps = _ladder(house, players, ladder, cards)[:rounds]
    plans = (plan_of(house, players, number=number, cards=step) for number, step in enumerate(steps, start=1))
    if first_dealer is None:
        return tuple(plans)
    return tuple(replace(plan, dealer=dealer_of(first_dealer, plan.number, players)) for plan in plans)


def remaining_cards(
    house: HouseRules, players: int, *, ladder: str, cards: Sequence[int], played: int, before: int
) -> tuple[int, ...]:
    """Return the cards a round that suit the rest of a game in which `players` go on where `before` played so far.

    `cards` is the plan as it was, of which `played` rounds are over. The ladder goes on in the same round with what the
    deck gives the new number of players, and a game that was to be shorter has no more rounds left than it had. Where
    the ladder has no further round for them, and for a free list, the old plan stays, no hand larger than the deck
    allows. It is a proposal: any list that passes `plan_problems` will do.
    Raises `RulesError` if the deck or the variant is unknown. Source: C3, RULES.md section 4.

    >>> remaining_cards(HouseRules(), 5, ladder="full", cards=range(1, 16), played=9, before=4)
    (10, 11, 12)
    """
    left = tuple(cards[played:])
    goes_on = _ladder(house, players, ladder, ())[played:]
    if len(cards) < len(_ladder(house, before, ladder, ())):
        goes_on = goes_on[: len(left)]
    most = _cards_in_play(house, players) // players
    return goes_on or tuple(min(step, most) for step in left)


def plan_of(house: HouseRules, players: int, *, number: int, cards: int) -> RoundPlan:
    """Return one round as planned, given its cards for each player, of which there are enough.

    Raises `RulesError` if the deck or the variant is unknown. Source: C2, D91, D92.
    """
    trumps = variant_of(house).fixed_trumps
    if trumps:
        trump = trumps[(number - 1) % len(trumps)]
        return RoundPlan(number, cards, turned_up=False, fixed_trump=True, trump=trump)
    return RoundPlan(number, cards, turned_up=deck_size(house) - players * cards >= 1)


def dealer_of(first_dealer: int, number: int, players: int) -> int:
    """Return the seat that deals round `number` (from 1).

    Raises `RulesError` (`dealer_out_of_range`, `round_number`). Source: D04.
    """
    problems = _dealer_problems(first_dealer, players)
    refuse(problems if number >= 1 else (*problems, Problem.of("round_number", round=number)))
    return (first_dealer + number - 1) % players


def next_dealer(dealer: int, playing: Sequence[bool]) -> int:
    """Return the seat that deals after `dealer`: the next one clockwise that plays.

    `playing` says of every seat in order whether it plays. `dealer` itself may have left the table meanwhile.
    Raises `RulesError` (`dealer_out_of_range`). Source: D04.

    >>> next_dealer(1, [True, True, False, True])
    3
    """
    refuse(_dealer_problems(dealer, len(playing)))
    clockwise = (*range(dealer + 1, len(playing)), *range(dealer + 1))
    return next((seat for seat in clockwise if playing[seat]), dealer)


def starter_of(dealer: int, players: int) -> int:
    """Return the seat left of the dealer, which bids first and leads the first trick.

    Raises `RulesError` (`dealer_out_of_range`). Source: D05.
    """
    refuse(_dealer_problems(dealer, players))
    return (dealer + 1) % players


def bidding_order(dealer: int, players: int) -> tuple[int, ...]:
    """Return all seats in the order in which they bid: the starter first, the dealer last.

    Raises `RulesError` (`dealer_out_of_range`). Source: D05.

    >>> bidding_order(1, 4)
    (2, 3, 0, 1)
    """
    refuse(_dealer_problems(dealer, players))
    return (*range(dealer + 1, players), *range(dealer + 1))


_BLOCKING = frozenset({"players", "deck_unknown", "variant_unknown", "ladder_unknown"})


def _dealer_problems(dealer: int, players: int) -> tuple[Problem, ...]:
    return () if 0 <= dealer < players else (Problem.of("dealer_out_of_range", dealer=dealer, players=players),)


def _full_ladder(house: HouseRules, players: int) -> tuple[int, ...]:
    """Return the variant's own ladder; special cards do not lengthen it unless `rounds_from_deck` says so (C3)."""
    size = deck_size(house) if house.rounds_from_deck else len(deck_named(house.deck).cards)
    return variant_of(house).ladder(size // players)


def _ladder(house: HouseRules, players: int, ladder: str, cards: Sequence[int] | None) -> tuple[int, ...]:
    if ladder == FULL:
        return _full_ladder(house, players)
    return TOURNAMENT_LADDERS.get(players, ()) if ladder == TOURNAMENT else tuple(cards or ())


def _ladder_problems(house: HouseRules, players: int, ladder: str, cards: Sequence[int] | None) -> Iterator[Problem]:
    if ladder == TOURNAMENT and players not in TOURNAMENT_LADDERS:
        yield Problem.of("ladder_players", ladder=ladder, players=players)
    if ladder == TOURNAMENT and house.variant != STANDARD:
        yield Problem.of("variant_incompatible", first=house.variant, second=ladder)
    if ladder == FREE and not cards:
        yield Problem.of("ladder_cards")


def _cards_in_play(house: HouseRules, players: int) -> int:
    pile = variant_of(house).pile
    return deck_size(house) if pile is None else pile * players


def _step_problems(house: HouseRules, players: int, steps: Sequence[int]) -> Iterator[Problem]:
    size = _cards_in_play(house, players)
    for number, step in enumerate(steps, start=1):
        if step < 1:
            yield Problem.of("cards_out_of_range", round=number, cards=step)
        elif players * step > size:
            yield Problem.of(
                "cards_exceed_deck", round=number, cards=step, players=players, needed=players * step, deck=size
            )
