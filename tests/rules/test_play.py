from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    GameState,
    HouseRules,
    MakeBid,
    Problem,
    RulesError,
    Stage,
    bidding_order,
    deck_of,
    draw_deal,
    plan_of,
    random_bot,
    ranks,
    self_play,
    single_suit_piles,
)
from tests.rules.games import FRENCH, PLAIN, PROPERTY, codes
from tests.rules.played import ALL, GAMES, MAXIMUS, SINGLE, dealable, played_games, sample_actions


@PROPERTY
@given(dealable(), st.integers(0, 2**32), st.data())
def test_draw_deal_is_always_accepted(house_and_players, seed: int, data) -> None:
    house, players = house_and_players
    game = GameState.start(house, players)
    step = data.draw(st.sampled_from(game.plan))
    drawn = draw_deal(house, step, players=players, rng=Random(seed))
    assert drawn == draw_deal(house, step, players=players, rng=Random(seed))
    assert [len(hand) for hand in drawn.hands] == [step.cards] * players
    assert (drawn.turned_up is not None) == step.turned_up
    assert replace(game.current, step=step).problems(drawn) == ()


def test_draw_deal_mixes_all_cards() -> None:
    rng = Random(3)
    step = plan_of(PLAIN, 4, number=1, cards=1)
    seen = [draw_deal(PLAIN, step, players=4, rng=rng) for _deal in range(600)]
    for place in range(4):
        assert {deal.hands[place][0] for deal in seen} == {*deck_of(PLAIN)}
    assert {deal.turned_up for deal in seen} == {*deck_of(PLAIN)}


def test_draw_deal_gives_each_seat_its_pile_in_the_single_suit_variant() -> None:
    step = plan_of(SINGLE, 4, number=12, cards=15)
    drawn = draw_deal(SINGLE, step, players=4, rng=Random(1))
    assert drawn.turned_up is None
    for hand, pile in zip(drawn.hands, single_suit_piles(SINGLE, 4), strict=True):
        assert (Counter(hand), hand == pile) == (Counter(pile), False)


def test_draw_deal_refuses_special_cards_in_piles() -> None:
    house = replace(SINGLE, specials=("BOMB",), specials_in_variants=True)
    game = GameState.start(house, 3)
    with pytest.raises(RulesError) as caught:
        draw_deal(house, game.plan[0], players=3, rng=Random(0))
    assert caught.value.problems == (Problem.of("specials_not_dealt", variant="einfarbig"),)


@pytest.mark.parametrize(
    ("house", "players", "arguments", "expected"),
    [
        (PLAIN, 2, {}, ["players"]),
        (PLAIN, 4, {"first_dealer": 4}, ["dealer_out_of_range"]),
        (PLAIN, 4, {"first_dealer": -1}, ["dealer_out_of_range"]),
        (PLAIN, 4, {"rounds": 16}, ["rounds_out_of_range"]),
        (PLAIN, 4, {"rounds": 0, "first_dealer": 9}, ["rounds_out_of_range", "dealer_out_of_range"]),
        (PLAIN, 4, {"rounds": 16, "first_dealer": 4}, ["rounds_out_of_range", "dealer_out_of_range"]),
        (PLAIN, 7, {"first_dealer": 9}, ["players", "dealer_out_of_range"]),
        (PLAIN, 4, {"ladder": "free", "cards": [16]}, ["cards_exceed_deck"]),
        (PLAIN, 4, {"ladder": "free"}, ["ladder_cards"]),
        (HouseRules(plus_minus_one=True, secret_bids=True), 4, {}, ["variant_incompatible"]),
    ],
)
def test_game_start_refuses_all_that_is_wrong(house, players, arguments, expected) -> None:
    with pytest.raises(RulesError) as caught:
        GameState.start(house, players, **arguments)
    assert codes(caught.value.problems) == expected


def test_game_opens_round_after_round_with_the_next_dealer() -> None:
    game = self_play(PLAIN, [random_bot] * 4, Random(1), first_dealer=2, rounds=6)
    assert [(state.step.number, state.step.cards, state.dealer) for state in game.rounds] == [
        (number, number, (2 + number - 1) % 4) for number in range(1, 7)
    ]
    assert (game.is_over, game.current) == (True, None)


def test_game_refuses_everything_once_it_is_over() -> None:
    game = self_play(PLAIN, [random_bot] * 3, Random(1), rounds=1)
    for action in sample_actions():
        expected = (Problem.of("action_not_now", action=str(action.stage), stage="done"),)
        assert game.problems(action) == expected
        with pytest.raises(RulesError) as caught:
            game.after(action)
        assert caught.value.problems == expected


def test_game_refuses_what_its_round_refuses_and_stays_as_it_is() -> None:
    game = GameState.start(PLAIN, 3)
    game = game.after(draw_deal(PLAIN, game.plan[0], players=3, rng=Random(1)))
    game = next(state for state in _until_bids(game) if state.current is not None and state.current.stage is Stage.BIDS)
    before = replace(game)
    for action in (MakeBid(0, 0), MakeBid(1, 9)):
        assert game.problems(action) == game.current.problems(action) != ()
        with pytest.raises(RulesError):
            game.after(action)
    assert game == before


def _until_bids(game: GameState):
    yield game
    while game.current.stage is not Stage.BIDS:
        game = game.after(game.current.actions()[0])
        yield game


@pytest.mark.parametrize(
    ("house", "players", "rounds"),
    [(PLAIN, 3, 20), (ALL, 6, 10), (FRENCH, 4, 13), (SINGLE, 4, 12), (MAXIMUS, 5, 5), (ALL, 3, 20)],
)
def test_game_of_any_kind_goes_to_its_end(house: HouseRules, players: int, rounds: int) -> None:
    game = self_play(house, [random_bot] * players, Random(players))
    assert (len(game.rounds), game.is_over, game.block.is_complete) == (rounds, True, True)
    if house is PLAIN:
        assert game.rounds[-1].deal.turned_up is None


@GAMES
@given(played_games(most_rounds=3))
def test_game_block_has_the_scores_of_its_rounds(game) -> None:
    states, _actions = game
    for state in states:
        if state.current is not None and state.current.stage is not Stage.DEAL:
            continue
        totals, hits = [0] * state.players, [0] * state.players
        for played in state.rounds:
            for seat, score in enumerate(played.scores):
                totals[seat] += score.points
                hits[seat] += score.exact
        block = state.block
        assert (block.totals, block.hits) == (tuple(totals), tuple(hits))
        assert block.ranks == ranks(totals, hits, state.house.tie_break)
        assert [row.dealer for row in block.rows] == [played.dealer for played in state.rounds]
        assert [row.bombs for row in block.rows] == [played.bombs for played in state.rounds]


@GAMES
@given(played_games())
def test_game_never_changes_what_is_past(game) -> None:
    states, actions = game
    again = states[0]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        assert after.rounds[: len(before.rounds)] == before.rounds
        assert (after.house, after.plan, after.players) == (before.house, before.plan, before.players)
        again = again.after(action)
        assert again == after
        if action.stage is Stage.BIDS and not (before.house.hidden_bids or before.house.secret_bids):
            order = bidding_order(before.current.dealer, before.players)
            made = [bid is not None for bid in before.current.bids]
            assert action.seat == order[sum(made)]
