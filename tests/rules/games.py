"""Random house rules, rounds, games and tricks for the tests of the rules, and the files of tests/data."""

import json
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from rules import (
    CARDS,
    SPECIALS,
    Card,
    HouseRules,
    PlayedRound,
    RoundPlan,
    Suit,
    count_of,
    house_rules_problems,
    round_plans,
)
from tests.thorough import scaled

DATA = Path(__file__).parents[1] / "data"
VECTORS = DATA / "vectors.json"
SHEETS = DATA / "sheets"

PROPERTY = settings(max_examples=scaled(60, 20), derandomize=True, deadline=None)

ALL_SPECIALS = SPECIALS
PLAIN = HouseRules()
FRENCH = HouseRules(deck="french52")
BOMB_AND_CLOUD = HouseRules(specials=("BOMB", "CLOUD"))


def vector_cases() -> list[dict[str, Any]]:
    return list(json.loads(VECTORS.read_text(encoding="utf-8"))["cases"])


def sheet(name: str) -> dict[str, Any]:
    """Return a fresh copy of the sheet whose file name begins with `name`."""
    (path,) = SHEETS.glob(f"{name}-*.json")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def codes(problems: Any) -> list[str]:
    return [problem.code for problem in problems]


def cards(written: str) -> tuple[Card, ...]:
    """Return the cards of a line such as "R9 CLOUD:R W"."""
    return tuple(Card.parse(notation) for notation in written.split())


SUITS = {"wizard60": "BRGY", "french52": "HDCS"}
PLAYED = {
    deck: tuple(
        card
        for card in CARDS
        if card.is_declared and (card.suit in [*letters] or (deck == "wizard60" and card.suit is None))
    )
    for deck, letters in SUITS.items()
}
"""By deck, each card that can lie in a trick, once."""


@st.composite
def tricks(draw: st.DrawFn, fewest: int = 1) -> tuple[tuple[Card, ...], Suit | None, dict[str, bool]]:
    """Any cards that can lie in a trick together, repeated ones too; trump; the flags of `trick_outcome`."""
    deck = draw(st.sampled_from(["wizard60", "wizard60", "french52"]))
    trick = draw(st.lists(st.sampled_from(PLAYED[deck]), min_size=fewest, max_size=6))
    trump = draw(st.sampled_from([None, *map(Suit, SUITS[deck])]))
    flags = {"single_suit": draw(st.booleans()), "last_trick": draw(st.booleans())}
    return tuple(trick), trump, flags


@st.composite
def positions(draw: st.DrawFn) -> tuple[tuple[Card, ...], tuple[Card, ...], bool]:
    """A hand of one card or more, the trick so far, whether suits do not matter."""
    deck = draw(st.sampled_from(["wizard60", "wizard60", "french52"]))
    hand = [card.undeclared for card in draw(st.lists(st.sampled_from(PLAYED[deck]), min_size=1, max_size=12))]
    trick = draw(st.lists(st.sampled_from(PLAYED[deck]), max_size=5))
    return tuple(hand), tuple(trick), draw(st.booleans())


seats = st.integers(3, 6)
any_house = st.builds(
    HouseRules,
    deck=st.sampled_from(["wizard60", "french52", "tarot78"]),
    specials=st.lists(st.sampled_from([*SPECIALS, "WITCH"]), max_size=7).map(tuple),
    variant=st.sampled_from(["standard", "einfarbig", "maximus", "misere"]),
    plus_minus_one=st.booleans(),
    plus_minus_one_from=st.integers(-1, 4),
    hidden_bids=st.booleans(),
    secret_bids=st.booleans(),
    clairvoyance=st.booleans(),
    blind_bids=st.booleans(),
    tie_break=st.sampled_from(["exact_hits", "shared", "dice"]),
    rounds_from_deck=st.booleans(),
    cloud_upper_clamp=st.booleans(),
    allow_lone_dragon_or_fairy=st.booleans(),
    specials_in_variants=st.booleans(),
)


@st.composite
def playable(draw: st.DrawFn) -> tuple[HouseRules, int]:
    """House rules that go together, with a number of players they allow."""
    variant = draw(st.sampled_from(["standard", "standard", "einfarbig", "maximus"]))
    deck = draw(st.sampled_from(["wizard60", "french52"])) if variant == "standard" else "wizard60"
    specials: set[str] = draw(st.sets(st.sampled_from(SPECIALS))) if deck == "wizard60" else set()
    bidding = draw(
        st.sampled_from([(False, False, False), (True, False, False), (True, True, False), (False, False, True)])
    )
    house = HouseRules(
        deck=deck,
        specials=tuple(specials),
        variant=variant,
        plus_minus_one=bidding[0],
        hidden_bids=bidding[1],
        secret_bids=bidding[2],
        plus_minus_one_from=draw(st.integers(1, 4)),
        clairvoyance=draw(st.booleans()),
        blind_bids=draw(st.booleans()),
        tie_break=draw(st.sampled_from(["exact_hits", "shared"])),
        rounds_from_deck=draw(st.booleans()),
        cloud_upper_clamp=draw(st.booleans()),
        allow_lone_dragon_or_fairy=True,
        specials_in_variants=True,
    )
    players = draw(st.integers(3, 4) if variant == "einfarbig" else seats)
    assert house_rules_problems(house, players) == ()
    return house, players


@st.composite
def played_rounds(draw: st.DrawFn, house: HouseRules, step: RoundPlan, players: int) -> PlayedRound:
    """A round that the rules accept, bombs, clouds and blind bids included where the house has them."""
    bombs = draw(st.integers(0, min(count_of(house, "BOMB"), step.cards)))
    countable = step.cards - bombs
    cuts = sorted(draw(st.lists(st.integers(0, countable), min_size=players - 1, max_size=players - 1)))
    tricks = tuple(high - low for low, high in zip([0, *cuts], [*cuts, countable], strict=True))
    bids = tuple(draw(st.lists(st.integers(0, step.cards), min_size=players, max_size=players)))
    takers = [seat for seat in range(players) if tricks[seat]]
    clouds: tuple[tuple[int, int], ...] = ()
    if count_of(house, "CLOUD") and takers and draw(st.booleans()):
        taker = draw(st.sampled_from(takers))
        highest = step.cards if house.cloud_upper_clamp else step.cards + 1
        deltas = [delta for delta in (-1, 1) if 0 <= bids[taker] + delta <= highest]
        clouds = ((taker, draw(st.sampled_from(deltas))),)
    blind: tuple[bool, ...] = ()
    if house.blind_bids and not (house.clairvoyance and step.number == 1):
        blind = tuple(draw(st.lists(st.booleans(), min_size=players, max_size=players)))
    return PlayedRound(bids, tricks, bombs, clouds, blind)


@st.composite
def rounds_of_houses(draw: st.DrawFn) -> tuple[HouseRules, int, RoundPlan, PlayedRound]:
    """One accepted round of a random game: house, players, plan of the round, what was played."""
    house, players = draw(playable())
    step = draw(st.sampled_from(round_plans(house, players)))
    return house, players, step, draw(played_rounds(house, step, players))


@st.composite
def games(draw: st.DrawFn) -> tuple[HouseRules, tuple[RoundPlan, ...], tuple[PlayedRound, ...], tuple[int, ...]]:
    """The first rounds of a random game: house, plan, what was played, starting points."""
    house, players = draw(playable())
    plan = round_plans(house, players)
    count = draw(st.integers(0, min(6, len(plan))))
    played = tuple(draw(played_rounds(house, step, players)) for step in plan[:count])
    starting = tuple(draw(st.lists(st.integers(-50, 50), min_size=players, max_size=players)))
    return house, plan, played, starting
