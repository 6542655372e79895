from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    BOTS,
    Bot,
    ChangeBid,
    GameState,
    HouseRules,
    MakeBid,
    RulesError,
    SeatAction,
    Stage,
    View,
    random_bot,
    self_play,
    sensible_bot,
)
from tests.rules.games import FRENCH, PLAIN, codes
from tests.rules.played import ALL, GAMES, MAXIMUS, SINGLE, dealable, dealt, eager_deal, house_with, then
from tests.thorough import scaled


class NoChance(Random):
    """A random source that must not be asked."""

    def random(self) -> float:
        raise AssertionError

    def getrandbits(self, k: int, /) -> int:
        raise AssertionError


def watched(bot: Bot) -> Bot:
    """Return a bot that is held to its view's actions."""

    def play(view: View, rng: Random) -> SeatAction:
        action = bot(view, rng)
        assert action in view.actions
        return action

    return play


HOUSES = {
    "plain": PLAIN,
    "specials": ALL,
    "open house": HouseRules(
        specials=ALL.specials,
        weak_specials_no_trump=True,
        cloud_upper_clamp=False,
        werewolf_may_choose_no_trump=False,
        blind_bids=True,
        plus_minus_one=True,
        hidden_bids=True,
    ),
    "secret": HouseRules(specials=ALL.specials, secret_bids=True, blind_bids=True),
    "clairvoyance": HouseRules(clairvoyance=True, plus_minus_one=True),
    "clairvoyance with specials": replace(ALL, clairvoyance=True, specials_in_variants=True),
    "ordinary pack": replace(FRENCH, last_round_dealer_trump=True),
    "maximus": MAXIMUS,
    "maximus with specials": replace(MAXIMUS, specials=ALL.specials, specials_in_variants=True),
    "single suit": SINGLE,
}


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_bots_play_any_game_by_the_rules(house: HouseRules, players: int) -> None:
    if house is SINGLE and players > 4:
        pytest.skip("the single-suit variant is for three or four")
    for seed in range(scaled(1, 40)):
        bots = [watched(bot) for bot in (sensible_bot, random_bot) * 3][:players]
        game = self_play(house, bots, Random(seed), rounds=2, first_dealer=seed % players)
        assert game.is_over


@pytest.mark.parametrize(("house", "players"), [(PLAIN, 6), (ALL, 6), (FRENCH, 6), (SINGLE, 3)])
def test_sensible_bot_plays_a_whole_game_by_the_rules(house: HouseRules, players: int) -> None:
    assert self_play(house, [watched(sensible_bot)] * players, Random(1)).is_over


@GAMES
@given(dealable(), st.integers(0, 2**32))
def test_bots_play_any_deal_by_the_rules(house_and_players, seed: int) -> None:
    house, players = house_and_players
    rng = Random(seed)
    game = GameState.start(house, players, ladder="free", cards=[2, rng.randint(1, 4)])
    while (current := game.current) is not None:
        if current.stage is Stage.DEAL:
            game = game.after(eager_deal(house, current, rng))
            continue
        view = current.seen_by(rng.choice(current.to_act))
        first = sensible_bot(view, NoChance())
        assert sensible_bot(replace(view), NoChance()) == first
        assert {first, random_bot(view, rng)} <= {*view.actions}
        game = game.after(first)


def test_self_play_is_the_same_for_a_seed() -> None:
    for bots in ([random_bot] * 4, [sensible_bot, random_bot] * 2):
        games = [self_play(ALL, bots, Random(seed), rounds=3) for seed in (5, 5, 6)]
        assert games[0] == games[1] != games[2]


def test_self_play_deals_from_the_first_dealer_on() -> None:
    game = self_play(PLAIN, [random_bot] * 4, Random(1), first_dealer=3, rounds=2)
    assert [state.dealer for state in game.rounds] == [3, 0]


def test_self_play_plays_the_ladder_it_is_told() -> None:
    game = self_play(PLAIN, [random_bot] * 4, Random(1), ladder="tournament", rounds=3)
    assert [state.step.cards for state in game.rounds] == [1, 3, 5]


def test_self_play_refuses_what_a_game_refuses() -> None:
    for house, players, expected in (
        (PLAIN, 2, "players"),
        (SINGLE, 5, "variant_players"),
        (replace(SINGLE, specials=("BOMB",), specials_in_variants=True), 4, "specials_not_dealt"),
    ):
        with pytest.raises(RulesError) as caught:
            self_play(house, [random_bot] * players, Random(1))
        assert codes(caught.value.problems) == [expected]


def test_bots_are_known_by_name() -> None:
    assert dict(BOTS) == {"random": random_bot, "sensible": sensible_bot}


def test_random_bot_takes_each_legal_action_as_often() -> None:
    view = dealt("R3 R4 / B2 W / B1 J + G5").seen_by(1)
    taken = Counter(random_bot(view, rng) for rng in [Random(7)] for _try in range(600))
    assert set(taken) == {MakeBid(1, 0), MakeBid(1, 1), MakeBid(1, 2)}
    assert min(taken.values()) > 160


def bid_of(line: str, house: HouseRules | None = None, seat: int = 1) -> int:
    action = sensible_bot(dealt(line, house).seen_by(seat), NoChance())
    assert isinstance(action, MakeBid)
    assert not action.blind
    return action.tricks


@pytest.mark.parametrize(
    ("hand", "bid"),
    [("W W W", 3), ("J J J", 0), ("R1 G1 Y1", 0), ("B13 B12 W", 3), ("W R2 J", 1), ("DRAGON J J", 1), ("BOMB J R1", 0)],
)
def test_sensible_bot_bids_what_its_hand_is_worth(hand: str, bid: int) -> None:
    assert bid_of(f"R3 R4 R5 / {hand} / Y3 Y4 Y5 + B5", house_with("DRAGON", "BOMB", blind_bids=True)) == bid


@pytest.mark.parametrize(("others", "bid"), [("W / W", 0), ("R1 / R2", 1), ("J / J", 1), ("B12 / R2", 0)])
def test_sensible_bot_bids_with_clairvoyance_from_the_cards_of_the_others(others: str, bid: int) -> None:
    left, right = others.split(" / ")
    assert bid_of(f"{left} / G7 / {right} + B5", HouseRules(clairvoyance=True)) == bid


def test_sensible_bot_names_the_suit_it_is_long_in_and_bids_less_without() -> None:
    state = dealt("G11 G12 G13 / R1 R2 R3 / Y1 Y2 Y3 + W")
    assert str(sensible_bot(state.seen_by(0), NoChance()).suit) == "G"


def choice(state, seat: int | None = None) -> str:
    seat = state.to_act[0] if seat is None else seat
    return str(sensible_bot(state.seen_by(seat), NoChance()).card)


def test_sensible_bot_wins_what_it_needs_and_ducks_what_it_does_not() -> None:
    hands = "R1 R13 / R7 B2 / Y3 Y4 + B5"
    assert choice(then(dealt(hands), "bids 0 0 1", "play R7 Y3")) == "R13"
    assert choice(then(dealt(hands), "bids 0 0 0", "play R7 Y3")) == "R1"
    assert choice(then(dealt("W R13 / R7 B2 / Y3 Y4 + B5"), "bids 0 0 2", "play R7 Y3")) in ("W", "R13")


def test_sensible_bot_keeps_its_wizard_where_a_smaller_card_wins_too() -> None:
    assert choice(then(dealt("W R9 R1 / R7 B2 B1 / Y3 Y4 Y5 + B5"), "bids 0 0 2", "play R7 Y3")) == "R9"


def test_sensible_bot_passes_on_the_card_that_does_not_suit_its_bid() -> None:
    house = house_with("JUGGLER")
    line = "R3 W J / JUGGLER R5 R6 / B1 B2 B3 + G5"
    assert choice(then(dealt(line, house), "bids 0 0 0", "play JUGGLER:R B1 R3"), 0) == "W"
    assert choice(then(dealt(line, house), "bids 0 0 1", "play JUGGLER:R B1 R3"), 0) == "J"


@pytest.mark.parametrize(("bid", "delta"), [(0, 1), (2, -1)])
def test_sensible_bot_changes_its_bid_towards_what_it_took(bid: int, delta: int) -> None:
    house = house_with("CLOUD", cloud_upper_clamp=False)
    state = then(dealt("R13 Y1 / CLOUD Y2 / R1 Y3 + G5", house), f"bids 0 0 {bid}")
    state = then(state, "play CLOUD:R R1 R13", "play Y1 Y2 Y3")
    assert sensible_bot(state.seen_by(0), NoChance()) == ChangeBid(0, delta)


def exact_rate(bots: Sequence[Bot], seats: Sequence[int], *, games: int) -> float:
    """Return the share of exact bids of some seats over the first ten rounds of games with the seeds 0, 1, 2, ..."""
    hits = 0
    for seed in range(games):
        game = self_play(PLAIN, bots, Random(seed), first_dealer=seed % len(bots), rounds=10)
        hits += sum(game.block.hits[seat] for seat in seats)
    return hits / (10 * len(seats) * games)


def test_sensible_bot_bids_exactly_more_than_twice_as_often_as_a_random_one() -> None:
    games = scaled(4, 25)
    random_rate = exact_rate([random_bot] * 4, range(4), games=games)
    assert exact_rate([sensible_bot] * 4, range(4), games=games) > 2 * random_rate
    assert exact_rate([sensible_bot, random_bot, random_bot, random_bot], [0], games=2 * games) > 2 * random_rate
