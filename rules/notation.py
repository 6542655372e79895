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

Blank lines and what follows a `#` are left out when reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType

from rules.cards import Card, Suit
from rules.errors import Problem, RulesError
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

FORMAT = "wizard 1"
MOST_CHARACTERS = 100_000
"""A longer text is no game: the longest one has a tenth of it."""

_NOTHING = "-"
_NOT_YET = "."


def write_game(game: GameState) -> str:
    """Return a game as text, as far as it has come; `read_game` is the way back."""
    head = [FORMAT, f"players {game.players}", f"dealer {game.first_dealer}"]
    house = " ".join(_house_words(game.house))
    if house:
        head.append(f"rules {house}")
    head.append(f"cards {' '.join(str(step.cards) for step in game.plan)}")
    rounds = [*game.rounds, *([game.current] if game.current is not None else [])]
    return "\n\n".join("\n".join(lines) for lines in (head, *map(_round_lines, rounds)) if lines) + "\n"


def read_game(text: str) -> GameState:
    """Return the game that a text tells, played again from its first deal.

    Raises `RulesError`: `notation_unknown` for what is not understood, `notation_head` for a head that lacks
    something, `notation_too_long`, and the problems of every house rule, plan and action; each knows its `line`.
    """
    if len(text) > MOST_CHARACTERS:
        raise RulesError((Problem.of("notation_too_long", most=MOST_CHARACTERS),))
    head: dict[str, list[str]] = {}
    game: GameState | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            if game is None and words[0] == "round":
                game = _started(head)
            if game is None:
                _read_head(head, words)
            else:
                game = _read_line(game, words)
        except RulesError as error:
            raise RulesError(_at_line(problem, number) for problem in error.problems) from None
    return _started(head) if game is None else game


def read_house(words: Iterable[str]) -> HouseRules:
    """Return the house rules of words such as `plus_minus_one`, `cloud_upper_clamp=no` or `specials=BOMB,CLOUD`.

    Raises `RulesError`: `notation_unknown` and all that `HouseRules.from_mapping` finds.

    >>> read_house(["hidden_bids", "tie_break=shared"]).tie_break
    'shared'
    """
    return HouseRules.from_mapping(dict(_house_pairs(words)))


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


def _at_line(problem: Problem, number: int) -> Problem:
    return replace(problem, params=(*problem.params, ("line", number)))


def _unknown(word: str) -> RulesError:
    return RulesError((Problem.of("notation_unknown", word=word),))


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 6):
        raise _unknown(word)
    return int(word)


def _read_head(head: dict[str, list[str]], words: Sequence[str]) -> None:
    """Keep one line of the head; the first has to name the format."""
    if not head and words != FORMAT.split():
        raise _unknown(" ".join(words))
    if words[0] in head or words[0] not in _HEAD:
        raise _unknown(words[0])
    head[words[0]] = list(words[1:])


_HEAD = ("wizard", "players", "dealer", "rules", "cards")


def _started(head: Mapping[str, list[str]]) -> GameState:
    """Return the game that a head describes, before its first deal."""
    missing = [name for name in _HEAD if name != "rules" and not head.get(name)]
    if missing:
        raise RulesError(Problem.of("notation_head", name=name) for name in missing)
    (players,), (dealer,) = (_exactly(head[name], 1) for name in ("players", "dealer"))
    return GameState.start(
        read_house(head.get("rules", [])),
        _number(players),
        first_dealer=_number(dealer),
        ladder=FREE,
        cards=[_number(word) for word in head["cards"]],
    )


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


def _exactly(words: Sequence[str], count: int) -> Sequence[str]:
    if len(words) != count:
        raise _unknown(" ".join(words))
    return words


def _read_line(game: GameState, words: Sequence[str]) -> GameState:
    """Return the game after what one line of a round tells."""
    keyword, *rest = words
    current = game.current
    if keyword == "round":
        (number,) = _exactly(rest, 1)
        if current is None or current.deal is not None or _number(number) != current.step.number:
            raise _unknown(" ".join(words))
        return game
    if keyword == "deal":
        return game.after(_deal(rest))
    if keyword not in _ACTIONS:
        raise _unknown(keyword)
    return _ACTIONS[keyword](game, rest)


def _deal(words: Sequence[str]) -> Deal:
    hands, _plus, turned_up = " ".join(words).rpartition("+")
    cards = tuple(tuple(Card.parse(word) for word in hand.split()) for hand in hands.split("/"))
    (card,) = _exactly(turned_up.split(), 1)
    return Deal(cards, None if card == _NOTHING else Card.parse(card))


def _acting(game: GameState) -> int:
    """Return the seat whose turn it is; what follows is refused if it is nobody's."""
    seats = game.current.to_act if game.current is not None else ()
    return seats[0] if seats else 0


def _swap(game: GameState, words: Sequence[str]) -> GameState:
    (seat,) = _exactly(words, 1)
    return game.after(Swap(_number(seat)))


def _trump(game: GameState, words: Sequence[str]) -> GameState:
    (suit,) = _exactly(words, 1)
    if suit != _NOTHING and suit not in list(Suit):
        raise _unknown(suit)
    return game.after(ChooseTrump(_acting(game), None if suit == _NOTHING else Suit(suit)))


def _bids(game: GameState, words: Sequence[str]) -> GameState:
    current = game.current
    order = bidding_order(current.dealer, current.players) if current is not None else ()
    for seat, word in zip(order, _exactly(words, len(order)), strict=True):
        if word != _NOT_YET:
            game = game.after(_bid(seat, word))
    return game


def _rebid(game: GameState, words: Sequence[str]) -> GameState:
    (word,) = _exactly(words, 1)
    if game.current is None or not game.current.shown:
        raise _unknown("rebid")
    return game.after(_bid(game.current.dealer, word))


def _bid(seat: int, word: str) -> MakeBid:
    return MakeBid(seat, _number(word.removesuffix("b")), blind=word.endswith("b"))


def _trick(game: GameState, words: Sequence[str]) -> GameState:
    for word in words:
        game = game.after(PlayCard(_acting(game), Card.parse(word)))
    return game


def _pass(game: GameState, words: Sequence[str]) -> GameState:
    for seat, word in enumerate(_exactly(words, game.players)):
        if word != _NOT_YET:
            game = game.after(PassCard(seat, Card.parse(word)))
    return game


def _cloud(game: GameState, words: Sequence[str]) -> GameState:
    for word in words:
        if word not in ("+1", "-1"):
            raise _unknown(word)
        game = game.after(ChangeBid(_acting(game), int(word)))
    return game


_ACTIONS: Mapping[str, Callable[[GameState, Sequence[str]], GameState]] = MappingProxyType(
    {
        "swap": _swap,
        "trump": _trump,
        "bids": _bids,
        "rebid": _rebid,
        "trick": _trick,
        "pass": _pass,
        "cloud": _cloud,
    }
)
