"""Games as text: what happened, line by line, to be kept, read by people and played again.

    wizard 1
    players 4
    dealer 0
    rules specials=BOMB,CLOUD plus_minus_one
    cards 1 2 3

    round 1
    deal B7 / W / R3 / J + G5
    bids 1 1 0 0
    trick W R3 J B7

A game begins with its head: the number of players, the seat that deals first, the house rules that differ from the
defaults, the cards of each round. Each round has these lines, as far as it has come and as far as they come up:

`deal` the hand of each seat, in seat order, and after `+` the card that was turned up (`-`: none was left).
`swap` the seat that swapped the werewolf.
`trump` the suit that was named (`-`: no trump).
`bids` in bidding order; `b` marks a blind one, `.` a seat that has not bid yet.
`rebid` the dealer's second bid, after hidden ones had added up.
`trick` the cards in the order of play, with what was declared.
`pass` after a juggler: the card of each seat, in seat order (`.`: not chosen yet).
`cloud` the change of the bid, +1 or -1.

Blank lines and what follows a `#` are left out when reading. Nothing is told twice or in parts: all bids are in one
line, and so is each trick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from rules.cards import Card, Suit
from rules.errors import Problem, RulesError, refuse
from rules.plans import FREE, bidding_order
from rules.play import GameState
from rules.rounds import (
    ChangeBid,
    ChooseTrump,
    Deal,
    MakeBid,
    PassCard,
    PlayCard,
    RoundState,
    Swap,
)
from rules.variants import HouseRules

_FORMAT = "wizard"
FORMAT = f"{_FORMAT} 1"
MOST_CHARACTERS = 100_000
"""A longer text is no game: the longest one has a tenth of it."""

_NOTHING = "-"
_NOT_YET = "."
_QUOTED = 60
"""So much of a line that is not understood is repeated."""


def write_game(game: GameState) -> str:
    """Return a game as text, as far as it has come; `read_game` is the way back."""
    head = [FORMAT, f"players {game.players}", f"dealer {game.first_dealer}"]
    house = write_house(game.house)
    if house:
        head.append(f"rules {house}")
    head.append(f"cards {' '.join(str(step.cards) for step in game.plan)}")
    rounds = [*game.rounds, *([game.current] if game.current is not None else [])]
    return "\n\n".join("\n".join(lines) for lines in (head, *map(_round_lines, rounds)) if lines) + "\n"


def read_game(text: str) -> GameState:
    """Return the game that a text tells, played again from its first deal.

    Raises `RulesError`: `notation_unknown` for what is not understood, `notation_head` for a head that lacks
    something, `notation_too_long`, and the problems of every house rule, plan and action. Each knows its `line`, from
    1; what is wrong with a head as a whole is said of the line after it, or the last one.
    """
    if len(text) > MOST_CHARACTERS:
        with _naming(text.count("\n", 0, MOST_CHARACTERS) + 1):
            raise RulesError((Problem.of("notation_too_long", most=MOST_CHARACTERS),))
    lines = text.rstrip().split("\n")
    head: dict[str, Any] = {}
    game: GameState | None = None
    before = ""
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        with _naming(number):
            if game is None and words[0] == "round":
                game = _started(head)
            if game is None:
                _read_head(head, words)
            elif (words[0] == "deal") is not (before == "round"):
                raise _unknown(*words)
            else:
                game = _LINES.get(words[0], _no_line)(game, words)
        before = words[0]
    with _naming(len(lines)):
        return _started(head) if game is None else game


def read_house(words: Iterable[str]) -> HouseRules:
    """Return the house rules of words such as `plus_minus_one`, `cloud_upper_clamp=no` or `specials=BOMB,CLOUD`.

    Raises `RulesError`: `notation_unknown` and all that `HouseRules.from_mapping` finds.

    >>> read_house(["hidden_bids", "tie_break=shared"]).tie_break
    'shared'
    """
    return HouseRules.from_mapping(dict(_house_pairs(words)))


def write_house(house: HouseRules) -> str:
    """Return what differs from the standard rules as words that `read_house` reads; "" if nothing does.

    >>> write_house(HouseRules(specials=("BOMB", "CLOUD"), hidden_bids=True))
    'specials=BOMB,CLOUD hidden_bids'
    """
    return " ".join(_house_words(house))


def _house_words(house: HouseRules) -> Iterator[str]:
    defaults = HouseRules()
    for name, value in house.to_mapping().items():
        if value == defaults.to_mapping()[name]:
            continue
        if isinstance(value, bool):
            yield name if value else f"{name}=no"
        else:
            yield f"{name}={','.join(value) if isinstance(value, list) else value}"


def _round_lines(state: RoundState) -> list[str]:
    if state.deal is None:
        return []
    hands = " / ".join(_words(hand) for hand in state.deal.hands)
    lines = [f"round {state.step.number}", f"deal {hands} + {_one(state.deal.turned_up)}"]
    call = state.call
    if call is not None and call.swap is not None and state.has_swapped:
        lines.append(f"swap {call.swap[0]}")
    if call is not None and call.chooser is not None and not call.is_pending:
        lines.append(f"trump {_one(call.trump)}")
    lines += _bid_lines(state)
    for trick in state.tricks:
        lines.append(f"trick {_words(trick.cards)}")
        if trick.passed:
            lines.append(f"pass {_words(trick.passed)}")
    if any(state.passing):
        lines.append(f"pass {' '.join(_NOT_YET if card is None else str(card) for card in state.passing)}")
    if state.trick:
        lines.append(f"trick {_words(state.trick)}")
    if state.clouds:
        lines.append(f"cloud {' '.join(f'{delta:+d}' for _seat, delta in state.clouds)}")
    return lines


def _bid_lines(state: RoundState) -> Iterator[str]:
    order = bidding_order(state.dealer, state.players)
    bids = state.shown or state.bids
    if any(bid is not None for bid in bids):
        yield f"bids {' '.join(_bid_word(bids[seat], state.blind[seat]) for seat in order)}"
    if state.shown and (bid := state.bids[state.dealer]) is not None:
        yield f"rebid {_bid_word(bid, state.blind[state.dealer])}"


def _bid_word(bid: int | None, is_blind: bool) -> str:
    return _NOT_YET if bid is None else f"{bid}{'b' if is_blind else ''}"


def _words(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)


def _one(value: Card | Suit | None) -> str:
    return _NOTHING if value is None else str(value)


@contextmanager
def _naming(line: int) -> Iterator[None]:
    """Add the number of the line to every problem that is raised."""
    try:
        yield
    except RulesError as error:
        raise RulesError(
            replace(problem, params=(*problem.params, ("line", line))) for problem in error.problems
        ) from None


def _unknown(*words: str) -> RulesError:
    text = " ".join(words)
    return RulesError((Problem.of("notation_unknown", word=text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."),))


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 6):
        raise _unknown(word)
    return int(word)


def _rest(words: Sequence[str], count: int) -> Sequence[str]:
    """Return what follows the first word of a line, if these are so many words."""
    if len(words) != count + 1:
        raise _unknown(*words)
    return words[1:]


# The head.


def _read_head(head: dict[str, Any], words: Sequence[str]) -> None:
    """Keep what one line of the head says; the first has to name the format."""
    keyword = words[0]
    if keyword in head or keyword not in _HEAD or (not head and keyword != _FORMAT):
        raise _unknown(*words)
    head[keyword] = _HEAD[keyword](words)


def _read_format(words: Sequence[str]) -> str:
    if " ".join(words) != FORMAT:
        raise _unknown(*words)
    return FORMAT


def _read_one(words: Sequence[str]) -> int:
    (number,) = _rest(words, 1)
    return _number(number)


def _read_rules(words: Sequence[str]) -> HouseRules:
    names = [word.partition("=")[0] for word in words[1:]]
    for name in names:
        if names.count(name) > 1:
            raise _unknown(*words)
    return read_house(words[1:])


def _read_cards(words: Sequence[str]) -> list[int]:
    return [_number(word) for word in words[1:]]


_HEAD: Mapping[str, Callable[[Sequence[str]], Any]] = MappingProxyType(
    {
        _FORMAT: _read_format,
        "players": _read_one,
        "dealer": _read_one,
        "rules": _read_rules,
        "cards": _read_cards,
    }
)


def _started(head: Mapping[str, Any]) -> GameState:
    """Return the game that a head describes, before its first deal."""
    refuse(Problem.of("notation_head", name=name) for name in _HEAD if name != "rules" and name not in head)
    house = head.get("rules", HouseRules())
    return GameState.start(house, head["players"], first_dealer=head["dealer"], ladder=FREE, cards=head["cards"])


def _house_pairs(words: Iterable[str]) -> Iterator[tuple[str, object]]:
    defaults = {field.name: field.default for field in fields(HouseRules)}
    for word in words:
        name, has_value, value = word.partition("=")
        default = defaults.get(name)
        if isinstance(default, bool):
            if has_value and value not in ("yes", "no"):
                raise _unknown(word)
            yield name, value != "no"
        elif isinstance(default, int):
            yield name, _number(value)
        else:
            yield name, value.split(",") if isinstance(default, tuple) else value


# The lines of a round: each reader takes all words of its line and returns the game after it.


def _no_line(game: GameState, words: Sequence[str]) -> GameState:
    raise _unknown(*words)


def _round(game: GameState, words: Sequence[str]) -> GameState:
    current = game.current
    if current is None or current.deal is not None or _read_one(words) != current.step.number:
        raise _unknown(*words)
    return game


def _deal(game: GameState, words: Sequence[str]) -> GameState:
    hands, plus, left = " ".join(words[1:]).rpartition("+")
    if not plus or len(left.split()) != 1:
        raise _unknown(*words)
    turned_up = left.strip()
    cards = tuple(tuple(Card.parse(word) for word in hand.split()) for hand in hands.split("/"))
    return game.after(Deal(cards, None if turned_up == _NOTHING else Card.parse(turned_up)))


def _acting(game: GameState) -> int:
    """Return the seat whose turn it is; what follows is refused if it is nobody's."""
    seats = game.current.to_act if game.current is not None else ()
    return seats[0] if seats else 0


def _swap(game: GameState, words: Sequence[str]) -> GameState:
    return game.after(Swap(_read_one(words)))


def _trump(game: GameState, words: Sequence[str]) -> GameState:
    (suit,) = _rest(words, 1)
    if suit != _NOTHING and suit not in list(Suit):
        raise _unknown(*words)
    return game.after(ChooseTrump(_acting(game), None if suit == _NOTHING else Suit(suit)))


def _bids(game: GameState, words: Sequence[str]) -> GameState:
    current = game.current
    bids = _rest(words, game.players)
    # All bids are told in one line.
    if current is None or any(bid is not None for bid in current.bids) or set(bids) == {_NOT_YET}:
        raise _unknown(*words)
    for seat, word in zip(bidding_order(current.dealer, current.players), bids, strict=True):
        if word != _NOT_YET:
            game = game.after(_bid(seat, word))
    return game


def _rebid(game: GameState, words: Sequence[str]) -> GameState:
    (word,) = _rest(words, 1)
    if game.current is None or not game.current.shown:
        raise _unknown(*words)
    return game.after(_bid(game.current.dealer, word))


def _bid(seat: int, word: str) -> MakeBid:
    return MakeBid(seat, _number(word.removesuffix("b")), blind=word.endswith("b"))


def _trick(game: GameState, words: Sequence[str]) -> GameState:
    # A trick begins on a line of its own and ends there.
    if not 2 <= len(words) <= game.players + 1 or (game.current is not None and game.current.trick):
        raise _unknown(*words)
    for word in words[1:]:
        game = game.after(PlayCard(_acting(game), Card.parse(word)))
    return game


def _pass(game: GameState, words: Sequence[str]) -> GameState:
    cards = _rest(words, game.players)
    if set(cards) == {_NOT_YET} or (game.current is not None and any(game.current.passing)):
        raise _unknown(*words)
    for seat, word in enumerate(cards):
        if word != _NOT_YET:
            game = game.after(PassCard(seat, Card.parse(word)))
    return game


def _cloud(game: GameState, words: Sequence[str]) -> GameState:
    changes = words[1:]
    if not changes or not {*changes} <= {"+1", "-1"}:
        raise _unknown(*words)
    for change in changes:
        game = game.after(ChangeBid(_acting(game), int(change)))
    return game


_LINES: Mapping[str, Callable[[GameState, Sequence[str]], GameState]] = MappingProxyType(
    {
        "round": _round,
        "deal": _deal,
        "swap": _swap,
        "trump": _trump,
        "bids": _bids,
        "rebid": _rebid,
        "trick": _trick,
        "pass": _pass,
        "cloud": _cloud,
    }
)
