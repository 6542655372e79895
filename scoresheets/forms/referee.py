"""The referee's page as its query string says it: the table, the trump and the cards of one trick. Nothing is stored.

Every value of a query string is untrusted: what cannot be is left out, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict

import rules
from rules.tricks import trick_problems

NO_TRUMP = "none"
SINGLE_SUIT = "einfarbig"
#: What the buttons are called; a request with none of them only shows what its fields say.
BUTTONS = ("play", "change", "undo", "keep", "next", "show")
DEFAULT_PLAYERS = 4
#: More than a trick has cards, so that one too many is noticed; what comes after them is not even looked at.
MOST_VALUES = 2 * rules.MOST_PLAYERS
#: So much of a wrong value is given back.
MOST_TYPED = 20

Problems = tuple[rules.Problem, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays with which cards: a game's table, or one that the page's fields describe.

    `lead` is the seat that leads unless somebody says otherwise, `trump` the trump that holds unless somebody says
    otherwise: a suit's letter, `NO_TRUMP`, or "" while it is not known. `ticked` are the special cards chosen on the
    page, also while deck or variant leave them in the box.
    """

    players: int
    house: rules.HouseRules
    lead: int = 0
    trump: str = ""
    ticked: tuple[str, ...] = ()
    is_game: bool = False

    @property
    def suits(self) -> tuple[rules.Suit, ...]:
        return rules.DECKS[self.house.deck].suits

    @property
    def single_suit(self) -> bool:
        return rules.VARIANTS[self.house.variant].single_suit


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick on the referee's table. A value: each button gives a new one.

    `lead` is the seat of the first card, `trump` as in `Table`, `cards` lie in the order of play. `at` is the place of
    the card that is being changed, `asked` a special card whose suit or role is still to be said. `left_out` is what
    was wrong with the query string, `refused` what is wrong with the card that was tapped.
    """

    table: Table
    lead: int
    trump: str
    last_trick: bool = False
    cards: tuple[rules.Card, ...] = ()
    at: int | None = None
    asked: rules.Card | None = None
    left_out: Problems = ()
    refused: Problems = ()

    @classmethod
    def from_query(cls, data: QueryDict, table: Table | None = None) -> Trick:
        """Read the fields; `table` is a game's, else it is read, too."""
        problems: list[rules.Problem] = []
        if table is None:
            table = _table(data, problems)
        trick = cls(
            table=table,
            lead=_lead(data, table, problems),
            trump=_trump(data, table, problems),
            last_trick="last" in data,
        )
        cards: tuple[rules.Card, ...] = ()
        for typed in data.getlist("card")[:MOST_VALUES]:
            card = _card(typed, problems)
            if card is None:
                continue
            wrong = trick_problems((*cards, card), table.house, table.players)
            problems += wrong
            cards = cards if wrong else (*cards, card)
        trick = replace(trick, cards=cards, at=_place(data, "at", len(cards), problems))
        if data.get("ask"):
            asked = _card(data.get("ask", ""), problems)
            wrong = trick.problems_of(asked) if asked is not None else ()
            problems += wrong
            if asked is not None and not wrong and not asked.is_declared:
                trick = replace(trick, asked=asked)
        return replace(trick, left_out=tuple(dict.fromkeys(problems)))

    # -- what the fields mean -------------------------------------------------------------------------------------

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == self.table.players

    @property
    def suit(self) -> rules.Suit | None:
        """The trump to decide by: the one named, or none while it is not known. Source: D91."""
        return None if self.trump in ("", NO_TRUMP) or self.table.single_suit else rules.Suit(self.trump)

    @property
    def trump_is_missing(self) -> bool:
        return not self.trump and not self.table.single_suit

    @property
    def outcome(self) -> rules.Outcome:
        """What comes of the cards as they lie. Raises `RulesError` (`trick_empty`)."""
        return rules.trick_outcome(
            self.cards, self.suit, single_suit=self.table.single_suit, last_trick=self.last_trick
        )

    @property
    def steps(self) -> tuple[rules.Reason, ...]:
        """All that the rules have to say about the cards as they lie. Raises `RulesError` (`trick_empty`)."""
        return rules.trick_steps(self.cards, self.suit, single_suit=self.table.single_suit, last_trick=self.last_trick)

    def seat_of(self, place: int) -> int:
        """Return the seat whose card lies, or will lie, at a place of the trick."""
        return (self.lead + place) % self.table.players

    def problems_of(self, card: rules.Card) -> Problems:
        """Return why this card, however it is declared, cannot be played now or in place of the one being changed."""
        return trick_problems(self._cards_with(card.declarations[0]), self.table.house, self.table.players)

    def _cards_with(self, card: rules.Card) -> tuple[rules.Card, ...]:
        if self.at is None:
            return (*self.cards, card)
        return (*self.cards[: self.at], card, *self.cards[self.at + 1 :])

    # -- what the buttons do --------------------------------------------------------------------------------------

    def after_button(self, data: QueryDict) -> Trick:
        """Return the trick after the button that was pressed."""
        if "play" in data:
            problems: list[rules.Problem] = []
            card = _card(data.get("play", ""), problems)
            return self.played(card) if card is not None else replace(self, refused=tuple(problems))
        if "change" in data:
            problems = []
            at = _place(data, "change", len(self.cards), problems)
            return replace(self, at=at, asked=None, refused=tuple(problems))
        if "undo" in data:
            return replace(self, cards=self.cards[:-1], at=None, asked=None)
        if "keep" in data:
            return replace(self, asked=None) if self.asked is not None else replace(self, at=None)
        return self.next_trick() if "next" in data and self.is_complete else self

    def played(self, card: rules.Card) -> Trick:
        """Lay a card, or put it in the place of the one being changed; ask first what it stands for, if need be."""
        problems = self.problems_of(card)
        if problems:
            return replace(self, asked=None, refused=problems)
        if not card.is_declared:
            return replace(self, asked=card)
        return replace(self, cards=self._cards_with(card), at=None, asked=None)

    def next_trick(self) -> Trick:
        """Clear the table; whoever took the trick leads. After the last trick a round begins, with a new trump."""
        fresh = replace(self, cards=(), at=None, asked=None, last_trick=False)
        if self.last_trick:
            return replace(fresh, lead=self.table.lead, trump=self.table.trump)
        return replace(fresh, lead=self.seat_of(self.outcome.next_leader))

    # -- the way back to a query string ---------------------------------------------------------------------------

    @property
    def query(self) -> str:
        """The query string of this trick: what `from_query` makes the same trick of, without what was left out."""
        return urlencode([*self._shared(with_table=not self.table.is_game), *self._unfinished()])

    @property
    def shared_query(self) -> str:
        """The query string that shows this trick to anybody, on the page that knows no game and no names."""
        return urlencode(list(self._shared(with_table=True)))

    def _shared(self, *, with_table: bool) -> Iterator[tuple[str, str]]:
        if with_table:
            yield from _table_query(self.table)
        yield "lead", str(self.lead)
        if self.trump:
            yield "trump", self.trump
        if self.last_trick:
            yield "last", "1"
        yield from (("card", str(card)) for card in self.cards)

    def _unfinished(self) -> Iterator[tuple[str, str]]:
        if self.at is not None:
            yield "at", str(self.at + 1)
        if self.asked is not None:
            yield "ask", str(self.asked)


def _table_query(table: Table) -> Iterator[tuple[str, str]]:
    yield "players", str(table.players)
    if table.house.deck != rules.WIZARD60:
        yield "deck", table.house.deck
    if table.single_suit:
        yield "single", "1"
    ticked = table.house.specials if table.is_game else table.ticked
    if set(ticked) != set(rules.SPECIALS):
        # The empty one says that the choice was made, also where nothing is ticked.
        yield from (("special", name) for name in ("", *ticked) if name != "FAIRY" or "DRAGON" not in ticked)


def _table(data: QueryDict, problems: list[rules.Problem]) -> Table:
    """Read a table that belongs to no game; without a word about them, all special cards are in."""
    choices = {str(number): number for number in range(rules.FEWEST_PLAYERS, rules.MOST_PLAYERS + 1)}
    players = choices.get(_one_of(data, "players", tuple(choices), problems), DEFAULT_PLAYERS)
    deck = _one_of(data, "deck", tuple(rules.DECKS), problems) or rules.WIZARD60
    ticked = _specials(data, problems) if "special" in data else rules.SPECIALS
    variant = rules.VARIANTS[SINGLE_SUIT]
    single_suit = "single" in data
    if single_suit and (players not in variant.players or deck != rules.WIZARD60):
        fewest, most = variant.players[0], variant.players[-1]
        problems.append(rules.Problem.of("single_suit_table", fewest=fewest, most=most))
        single_suit = False
    house = rules.HouseRules(
        deck=deck,
        specials=() if single_suit or not rules.DECKS[deck].takes_specials else ticked,
        variant=SINGLE_SUIT if single_suit else "standard",
    )
    return Table(players, house, ticked=ticked)


def _specials(data: QueryDict, problems: list[rules.Problem]) -> tuple[str, ...]:
    typed = [name for name in data.getlist("special")[:MOST_VALUES] if name]
    problems += [_left_out(name) for name in typed if name not in rules.SPECIALS]
    pair = {"DRAGON", "FAIRY"}
    # Dragon and fairy are one choice. Source: D03.
    wanted = pair.union(typed) if pair.intersection(typed) else set(typed)
    return tuple(name for name in rules.SPECIALS if name in wanted)


def _lead(data: QueryDict, table: Table, problems: list[rules.Problem]) -> int:
    typed = data.get("lead", "")
    if not typed:
        return table.lead
    if not _is_small_number(typed):
        problems.append(_left_out(typed))
    elif int(typed) >= table.players:
        problems.append(rules.Problem.of("leader_unknown", number=int(typed) + 1))
    else:
        return int(typed)
    return table.lead


def _trump(data: QueryDict, table: Table, problems: list[rules.Problem]) -> str:
    known = (NO_TRUMP, *(str(suit) for suit in rules.Suit))
    typed = _one_of(data, "trump", known, problems)
    if typed in ("", NO_TRUMP) or rules.Suit(typed) in table.suits:
        return typed or table.trump
    problems.append(rules.Problem.of("suit_not_in_deck", suit=typed, deck=table.house.deck))
    return table.trump


def _card(typed: str, problems: list[rules.Problem]) -> rules.Card | None:
    try:
        return rules.Card.parse(typed)
    except rules.RulesError:
        problems.append(_left_out(typed))
        return None


def _place(data: QueryDict, name: str, cards: int, problems: list[rules.Problem]) -> int | None:
    """Return a place of the trick, counted from 0, that stands in the query string counted from 1."""
    typed = data.get(name, "")
    if not typed:
        return None
    if _is_small_number(typed) and 0 < int(typed) <= cards:
        return int(typed) - 1
    problems.append(_left_out(typed))
    return None


def _one_of(data: QueryDict, name: str, choices: tuple[str, ...], problems: list[rules.Problem]) -> str:
    typed = data.get(name, "")
    if not typed or typed in choices:
        return typed
    problems.append(_left_out(typed))
    return ""


def _is_small_number(typed: str) -> bool:
    return typed.isascii() and typed.isdigit() and len(typed) <= 2


def _left_out(typed: str) -> rules.Problem:
    return rules.Problem.of("left_out", typed=typed[:MOST_TYPED])
