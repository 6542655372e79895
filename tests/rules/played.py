"""Rounds told in short lines, and random games in all their states, for the tests of rounds, games, bots and texts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from rules import (
    CARDS,
    Action,
    Card,
    ChangeBid,
    ChooseTrump,
    Deal,
    GameState,
    HouseRules,
    MakeBid,
    PassCard,
    PlayCard,
    Problem,
    RoundState,
    Stage,
    Suit,
    Swap,
    deck_of,
    draw_deal,
    plan_of,
    random_bot,
)
from tests.rules.games import ALL_SPECIALS, PROPERTY, cards, playable
from tests.thorough import scaled

GAMES = settings(PROPERTY, max_examples=scaled(20, 25))
"""For properties that look at every state of a game."""

ALL = HouseRules(specials=ALL_SPECIALS)
MAXIMUS = HouseRules(variant="maximus")
SINGLE = HouseRules(variant="einfarbig")


def house_with(*specials: str, **rules: object) -> HouseRules:
    """Return house rules with these special cards, a lone dragon or fairy allowed."""
    return HouseRules.from_mapping({"specials": specials, "allow_lone_dragon_or_fairy": True, **rules})


def deal(line: str) -> Deal:
    """Return the deal of a line such as "B7 J / W R3 / B1 B2 + G5"; "+ -": nothing is turned up."""
    hands, turned_up = line.split(" + ")
    return Deal(tuple(cards(hand) for hand in hands.split("/")), None if turned_up == "-" else Card.parse(turned_up))


def undealt(house: HouseRules, *, players: int = 3, size: int = 1, dealer: int = 0, number: int = 0) -> RoundState:
    """Return a round before its deal; its number is the number of its cards unless another is given."""
    step = plan_of(house, players, number=number or size, cards=size)
    return RoundState.start(house, step, players=players, dealer=dealer)


def dealt(line: str, house: HouseRules | None = None, *, dealer: int = 0, number: int = 0) -> RoundState:
    """Return a round after the deal of a line."""
    given = deal(line)
    players, size = len(given.hands), len(given.hands[0])
    state = undealt(house or HouseRules(), players=players, size=size, dealer=dealer, number=number)
    return state.after(given)


def then(state: RoundState, *lines: str) -> RoundState:
    """Return the round after what the lines tell: "swap", "trump R", "bids 1 0b", "play W R3", "pass B1", "cloud +1".

    Bids are those of the seats to bid, in bidding order; passes those of the seats that have to pass, in seat order.
    """
    for line in lines:
        keyword, *words = line.split()
        for word in words or [""]:
            state = state.after(_action(keyword, word, state.to_act[0]))
    return state


def _action(keyword: str, word: str, seat: int) -> Action:
    if keyword == "swap":
        return Swap(seat)
    if keyword == "trump":
        return ChooseTrump(seat, None if word == "-" else Suit(word))
    if keyword == "bids":
        return MakeBid(seat, int(word.rstrip("b")), blind=word.endswith("b"))
    if keyword == "cloud":
        return ChangeBid(seat, int(word))
    return {"play": PlayCard, "pass": PassCard}[keyword](seat, Card.parse(word))


def codes_and_seats(problems: tuple[Problem, ...]) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.seat) for problem in problems]


def every_action(state: RoundState) -> Iterator[Action]:
    """Yield all that anybody might try in the stage of a round, far beyond what is legal, each once."""
    for seat in range(-1, state.players + 1):
        if state.stage is Stage.SWAP:
            yield Swap(seat)
        elif state.stage is Stage.TRUMP:
            yield from (ChooseTrump(seat, suit) for suit in (None, *Suit))
        elif state.stage is Stage.BIDS:
            bids = range(-1, state.step.cards + 2)
            yield from (MakeBid(seat, bid, blind) for bid in bids for blind in (False, True))
        elif state.stage is Stage.PLAY:
            yield from (PlayCard(seat, card) for card in _tried(state, seat))
        elif state.stage is Stage.PASSING:
            yield from (PassCard(seat, card) for card in _tried(state, seat))
        elif state.stage is Stage.CLOUD:
            yield from (ChangeBid(seat, delta) for delta in range(-2, 3))


def _tried(state: RoundState, seat: int) -> tuple[Card, ...]:
    """Return all cards there are for a seat that may act, and its own ones for another."""
    if seat in state.to_act:
        return CARDS
    return tuple(dict.fromkeys(state.hands[seat])) if 0 <= seat < state.players else CARDS[:1]


def sample_actions() -> list[Action]:
    """Return one action of each stage, each for a seat 0 with an everyday value."""
    return [
        deal("B1 / B2 / B3 + B4"),
        Swap(0),
        ChooseTrump(0, Suit.R),
        MakeBid(0, 0),
        PlayCard(0, Card.parse("B1")),
        PassCard(0, Card.parse("B1")),
        ChangeBid(0, 1),
    ]


def open_cards(state: RoundState) -> Counter[Card]:
    """Return where all cards of a round are now: in hands, in tricks, on the table and turned up."""
    there = [card for hand in state.hands for card in hand]
    there += [card.undeclared for trick in (*(trick.cards for trick in state.tricks), state.trick) for card in trick]
    return Counter(there + ([] if state.turned_up is None else [state.turned_up]))


@st.composite
def dealable(draw: st.DrawFn) -> tuple[HouseRules, int]:
    """House rules that go together and for which cards can be dealt, with a number of players they allow."""
    house, players = draw(playable())
    flags = {
        name: draw(st.booleans())
        for name in ("weak_specials_no_trump", "werewolf_may_choose_no_trump", "last_round_dealer_trump")
    }
    specials = () if house.variant == "einfarbig" else house.specials
    return replace(house, specials=specials, **flags), players


def eager_deal(house: HouseRules, state: RoundState, rng: Random) -> Deal:
    """Return a deal in which special cards, wizards and jesters come more often than by chance."""
    drawn = draw_deal(house, state.step, players=state.players, rng=rng)
    if house.variant == "einfarbig" or rng.random() < 0.3:
        return drawn
    deck = list(deck_of(house))
    rng.shuffle(deck)
    deck.sort(key=lambda card: rng.random() + (0 if card.is_special else 0.7))
    size, count = state.step.cards, state.step.cards * state.players + state.step.turned_up
    chosen = deck[:count]
    rng.shuffle(chosen)
    hands = tuple(tuple(chosen[seat * size : (seat + 1) * size]) for seat in range(state.players))
    return Deal(hands, chosen[-1] if state.step.turned_up else None)


def play_out(game: GameState, rng: Random) -> tuple[list[GameState], list[Action]]:
    """Return all states of a game from here to its end, and the actions between them; players act at random."""
    states, actions = [game], []
    while (current := game.current) is not None:
        if current.stage is Stage.DEAL:
            action: Action = eager_deal(game.house, current, rng)
        else:
            action = random_bot(current.seen_by(rng.choice(current.to_act)), rng)
        game = game.after(action)
        states.append(game)
        actions.append(action)
    return states, actions


@st.composite
def played_games(draw: st.DrawFn, most_rounds: int = 2) -> tuple[list[GameState], list[Action]]:
    """All states of a random game of any house rules, a few short rounds long, and the actions between them."""
    house, players = draw(dealable())
    largest = 15 if house.variant == "einfarbig" else len(deck_of(house)) // players
    size = st.sampled_from([1, 2, 2, 3, 3, 4, 5, largest])
    ladder = draw(st.lists(size, min_size=1, max_size=most_rounds))
    game = GameState.start(house, players, first_dealer=draw(st.integers(0, players - 1)), ladder="free", cards=ladder)
    return play_out(game, Random(draw(st.integers(0, 2**32))))


def rounds_in(states: list[GameState]) -> Iterator[RoundState]:
    """Yield every state of every round of a game, in order, the last one of each included."""
    for game in states:
        if game.current is not None:
            if game.current.stage is Stage.DEAL and game.rounds:
                yield game.rounds[-1]
            yield game.current
        else:
            yield game.rounds[-1]
