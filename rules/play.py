"""A game as an immutable state: rounds one after the other, each with a deal that is given or drawn."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from rules.block import Block
from rules.decks import deck_of, single_suit_piles
from rules.errors import Problem, RulesError, refuse
from rules.plans import FULL, RoundPlan, dealer_of, plan_problems, round_plans
from rules.rounds import Action, Deal, RoundState, Stage, undealt_problems
from rules.variants import HouseRules, variant_of


def draw_deal(house: HouseRules, step: RoundPlan, *, players: int, rng: random.Random) -> Deal:
    """Return a random deal: the cards of each seat in the order they came, and the next one turned up if one is left.

    Raises `RulesError` (`specials_not_dealt`) for special cards in the single-suit variant, where no pile has them.
    """
    refuse(undealt_problems(house))
    if variant_of(house).single_suit:
        piles = [rng.sample(pile, step.cards) for pile in single_suit_piles(house, players)]
        return Deal(tuple(tuple(pile) for pile in piles), None)
    cards = list(deck_of(house))
    rng.shuffle(cards)
    hands = tuple(tuple(cards[seat * step.cards : (seat + 1) * step.cards]) for seat in range(players))
    return Deal(hands, cards[players * step.cards] if step.turned_up else None)


@dataclass(frozen=True, slots=True)
class GameState:
    """A whole game at one moment: the rounds that are done, in order, and the one being played (None when over)."""

    house: HouseRules
    plan: tuple[RoundPlan, ...]
    players: int
    first_dealer: int
    rounds: tuple[RoundState, ...] = ()
    current: RoundState | None = None

    @classmethod
    def start(
        cls,
        house: HouseRules,
        players: int,
        *,
        first_dealer: int = 0,
        ladder: str = FULL,
        rounds: int | None = None,
        cards: Sequence[int] | None = None,
    ) -> Self:
        """Return a game before its first deal; `ladder`, `rounds` and `cards` are those of `round_plans`.

        Raises `RulesError` with all that is wrong with house rules, plan or dealer.
        """
        problems = plan_problems(house, players, ladder=ladder, rounds=rounds, cards=cards)
        if not 0 <= first_dealer < players:
            problems += (Problem.of("dealer_out_of_range", dealer=first_dealer, players=players),)
        refuse(problems)
        plan = round_plans(house, players, ladder=ladder, rounds=rounds, cards=cards)
        return cls(house, plan, players, first_dealer)._with_next_round()

    @property
    def is_over(self) -> bool:
        """Whether the last round is done."""
        return self.current is None

    @property
    def block(self) -> Block:
        """The score sheet of the rounds that are done."""
        played = [done.result for done in self.rounds if done.result is not None]
        return Block.scored(self.house, self.plan, played, starting=(0,) * self.players, first_dealer=self.first_dealer)

    def problems(self, action: Action) -> tuple[Problem, ...]:
        """Return why an action is refused now; () if it is legal."""
        if self.current is None:
            return (Problem.of("action_not_now", action=str(action.stage), stage=str(Stage.DONE)),)
        return self.current.problems(action)

    def after(self, action: Action) -> GameState:
        """Return the game after an action; the last one of a round opens the next round.

        Raises `RulesError` with all of `problems`.
        """
        if self.current is None:
            raise RulesError(self.problems(action))
        current = self.current.after(action)
        if current.stage is not Stage.DONE:
            return replace(self, current=current)
        return replace(self, rounds=(*self.rounds, current), current=None)._with_next_round()

    def _with_next_round(self) -> Self:
        number = len(self.rounds) + 1
        if number > len(self.plan):
            return self
        dealer = dealer_of(self.first_dealer, number, self.players)
        current = RoundState.start(self.house, self.plan[number - 1], players=self.players, dealer=dealer)
        return replace(self, current=current)
