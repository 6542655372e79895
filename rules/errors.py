"""What is wrong with an entry: a `Problem` is one finding, a `RulesError` carries all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

MESSAGES: Mapping[str, str] = MappingProxyType(
    {
        # The table: who plays, with what, for how long.
        "players": "Wizard is played by three to six, not by {players}.",
        "dealer_out_of_range": "There is no seat {dealer} to deal at a table of {players}.",
        "seat_out_of_range": "There is no seat {seat_index} at a table of {players}.",
        "round_number": "Rounds are numbered from 1: there is no round {round}.",
        "rounds_out_of_range": "A game of {rounds} rounds is not possible: choose 1 to {most}.",
        "cards_out_of_range": "Round {round} needs at least one card a player, not {cards}.",
        "cards_exceed_deck": "Round {round} needs {needed} cards, {cards} for each of {players}; the deck has {deck}.",
        "ladder_unknown": "There is no round ladder called {ladder!r}.",
        "ladder_players": "The ladder {ladder!r} is not made for {players} players.",
        "ladder_cards": "A free ladder needs the cards of at least one round.",
        "wrong_length": "{what}: {expected} entries are needed, one a seat, not {given}.",
        # House rules.
        "rule_unknown": "There is no house rule called {rule!r}.",
        "rule_type": "The house rule {rule!r} needs {expected}.",
        "deck_unknown": "There is no deck called {deck!r}.",
        "special_unknown": "There is no special card called {special!r}.",
        "special_repeated": "The special card {special} is in the deck {count} times: one copy each.",
        "variant_unknown": "There is no variant called {variant!r}.",
        "tie_break_unknown": "There is no tie-break called {tie_break!r}.",
        "plus_minus_one_from": "Plus/minus one can start in round 1 or later, not in round {round}.",
        "dragon_fairy_pair": "Dragon and fairy are played together: {missing} is missing.",
        "deck_has_no_specials": "The deck {deck} has no special cards.",
        "variant_needs_no_specials": "The variant {variant} is played without special cards.",
        "variant_players": "The variant {variant} is for {fewest} to {most} players, not for {players}.",
        "variant_incompatible": "{first} and {second} exclude each other.",
        # Bids.
        "bid_out_of_range": "A bid of {bid} is not possible with a hand of {cards}.",
        "bid_sum_forbidden": "{bid} would make the bids add up to {cards} (the others bid {others}): choose another.",
        "blind_not_enabled": "Blind bids are not part of this game.",
        "blind_kept": "A bid that has to be changed stays as blind as it was.",
        "blind_not_available": "Nobody can bid blind in round {round}: nobody sees the own card there.",
        # Tricks and points.
        "tricks_out_of_range": "{tricks} tricks are not possible: {countable} count in this round.",
        "tricks_sum": "The tricks add up to {sum} instead of {countable} ({difference:+d}).",
        "bombs_out_of_range": "{bombs} bombed tricks are not possible in a round of {cards}.",
        "bomb_not_in_deck": "The bomb is not in this deck.",
        "too_many_bombs": "{bombs} bombs are noted, but the deck has {in_deck}.",
        "cloud_not_in_deck": "The cloud is not in this deck.",
        "too_many_clouds": "{clouds} clouds are noted, but the deck has {in_deck}.",
        "cloud_delta": "The cloud changes a bid by exactly one, not by {delta}.",
        "cloud_without_trick": "Whoever takes the cloud has at least one trick that counts.",
        "cloud_bid_out_of_range": "The cloud cannot change a bid of {bid} by {delta:+d} with a hand of {cards}.",
        # Cards and trump.
        "card_unknown": "There is no card written {card!r}.",
        "no_trump_not_allowed": "A suit has to be named here: no trump is not on offer.",
        "choice_not_allowed": "Nobody has a trump to choose here.",
        "trump_impossible": "Trump cannot be {trump} here.",
        "trump_missing": "Say which trump it was.",
        "chooser_impossible": "This seat had no trump to choose.",
        "suit_not_in_deck": "{suit} is no suit of the deck {deck}.",
        "card_not_in_deck": "{card} is not in this deck.",
        "turned_up_missing": "A card is left in this round: it has to be turned up.",
        "turned_up_not_left": "No card is turned up in this round.",
        "werewolf_not_in_deck": "The werewolf is not in this deck.",
        # Rounds and games as they are played.
        "action_not_now": "The round waits for something else ({stage}) now, not for this ({action}).",
        "not_your_turn": "It is not this seat's turn to act ({action}).",
        "hand_size": "This hand needs {expected} cards, not {given}.",
        "too_many_of_card": "{card} is there {count} times; the deck has {in_deck}.",
        "specials_not_dealt": "The variant {variant} has no place for special cards when cards are dealt.",
        # Games of bots, and games as text.
        "bot_unknown": "There is no bot called {bot!r}.",
        "notation_unknown": "{word!r} is not understood here.",
        "notation_head": "The head of the game does not say {name!r}.",
        "notation_too_long": "A game has at most {most} characters.",
        # Playing a card.
        "trick_empty": "There is no card in this trick yet.",
        "trick_too_long": "{card} is one card too many: a trick of {players} has one from each.",
        "card_undeclared": "{card} is played with what it stands for: a suit, or wizard or jester.",
        "card_not_in_hand": "{card} is not in this hand.",
        "must_follow": "{card} cannot be played: the suit {suit} has to be followed.",
        # Many games at once.
        "batch_rule": "Many tricks or games at once are worked out without the house rule {rule!r}.",
        # Whole sheets.
        "sheet_shape": "Expected {expected} for {field}.",
        "sheet_rounds": "The sheet is called complete with {rounds} rounds where the ladder has {expected}.",
        "sheet_cards": "The sheet has {cards} cards where the ladder has {expected}.",
        "points_printed": "The sheet prints {printed} points where the rules give {computed}.",
        "total_printed": "The sheet prints a total of {printed} where the rules give {computed}.",
        # Leagues.
        "league_formula_unknown": "There is no league formula called {formula!r}.",
        "league_best_of_unknown": "The best results are those of games or of evenings, not of {best_of!r}.",
        "league_tie_rule_unknown": "There is no rule for equal points called {tie_rule!r}.",
        "league_places_count": "Points for places need those of 1 to {most} places, not of {places}.",
        "league_place_out_of_range": "A place is worth at most {most} points either way.",
        "league_places_must_fall": "A worse place cannot be worth more; places that are not named are worth 0.",
        "league_best_out_of_range": "The best {best} results cannot count: choose 1 to {most}.",
        "league_best_needs_points": "The share of exact bids is over all games: there are no best ones to choose.",
        "league_fewest_games_out_of_range": "A rank cannot take {games} games: choose 0 to {most}.",
    }
)
"""One English template for each problem code; its fields are the problem's params."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable code, the seat it belongs to (None: the whole table) and what to say about it.

    `params` are (name, value) pairs in a fixed order; together with `code` they are enough to word it in any language.
    """

    code: str
    seat: int | None = None
    params: tuple[tuple[str, int | str], ...] = ()

    @classmethod
    def of(cls, code: str, seat: int | None = None, /, **params: int | str) -> Problem:
        """Return a problem with `params` as keyword arguments."""
        return cls(code, seat, tuple(params.items()))

    @property
    def args(self) -> dict[str, int | str]:
        """The params by name."""
        return dict(self.params)

    @property
    def message(self) -> str:
        """One English sentence; it does not name the seat, so that callers can put that first.

        A code from outside this package has no template: it is spelled out with its params.
        """
        template = MESSAGES.get(self.code)
        if template is not None:
            return template.format(**self.args)
        details = ", ".join(f"{name} {value}" for name, value in self.params)
        return f"{self.code.replace('_', ' ')}: {details}." if details else f"{self.code.replace('_', ' ')}."

    def in_round(self, number: int) -> Problem:
        """Return the same problem with the param `round` set to `number`."""
        return replace(self, params=tuple((self.args | {"round": number}).items()))


class RulesError(ValueError):
    """Raised when something breaks the rules; `problems` holds every finding, never just the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return " ".join(problem.message for problem in self.problems)


def refuse(problems: Iterable[Problem]) -> None:
    """Do nothing if there are no problems.

    Raises `RulesError` with all of them otherwise.
    """
    found = tuple(problems)
    if found:
        raise RulesError(found)
