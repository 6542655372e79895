from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    LADDERS,
    PRESETS,
    SPECIALS,
    TOURNAMENT_LADDERS,
    HouseRules,
    Preset,
    Problem,
    RoundPlan,
    RulesError,
    bidding_order,
    dealer_of,
    deck_size,
    most_rounds,
    next_dealer,
    plan_of,
    plan_problems,
    remaining_cards,
    round_plans,
    starter_of,
)
from tests.rules.games import PLAIN, PROPERTY, any_house, codes, playable

MAXIMUS = HouseRules(variant="maximus")
SINGLE_SUIT = HouseRules(variant="einfarbig")
FRENCH = HouseRules(deck="french52")


def cards_of(plans) -> list[int]:
    return [plan.cards for plan in plans]


# RULES.md 4.1 and 4.4: players, rounds, cards left in the last round, tricks in the game.
@pytest.mark.parametrize(
    ("house", "players", "rounds", "left", "tricks"),
    [
        (PLAIN, 3, 20, 0, 210),
        (PLAIN, 4, 15, 0, 120),
        (PLAIN, 5, 12, 0, 78),
        (PLAIN, 6, 10, 0, 55),
        (FRENCH, 3, 17, 1, 153),
        (FRENCH, 4, 13, 0, 91),
        (FRENCH, 5, 10, 2, 55),
        (FRENCH, 6, 8, 4, 36),
    ],
)
def test_full_ladder_of_a_deck(house: HouseRules, players: int, rounds: int, left: int, tricks: int) -> None:
    plans = round_plans(house, players)
    assert cards_of(plans) == list(range(1, rounds + 1))
    assert [plan.number for plan in plans] == list(range(1, rounds + 1))
    assert [plan.turned_up for plan in plans] == [True] * (rounds - 1) + [left > 0]
    assert sum(cards_of(plans)) == tricks
    assert not any(plan.fixed_trump or plan.trump for plan in plans)


# RULES.md 4.3: (rounds, cards left in the last round) for 3, 4, 5, 6 players by number of special cards.
ROUNDS_FROM_DECK = {
    0: [(20, 0), (15, 0), (12, 0), (10, 0)],
    1: [(20, 1), (15, 1), (12, 1), (10, 1)],
    2: [(20, 2), (15, 2), (12, 2), (10, 2)],
    3: [(21, 0), (15, 3), (12, 3), (10, 3)],
    4: [(21, 1), (16, 0), (12, 4), (10, 4)],
    5: [(21, 2), (16, 1), (13, 0), (10, 5)],
    6: [(22, 0), (16, 2), (13, 1), (11, 0)],
    7: [(22, 1), (16, 3), (13, 2), (11, 1)],
}


@pytest.mark.parametrize("count", ROUNDS_FROM_DECK)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_rounds_from_deck_follow_the_number_of_cards(count: int, players: int) -> None:
    house = HouseRules(specials=SPECIALS[:count], rounds_from_deck=True, allow_lone_dragon_or_fairy=True)
    plans = round_plans(house, players)
    rounds, left = ROUNDS_FROM_DECK[count][players - 3]
    assert cards_of(plans) == list(range(1, rounds + 1))
    assert deck_size(house) - players * rounds == left
    assert plans[-1].turned_up == (left > 0)


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize(("players", "rounds"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_special_cards_leave_the_rounds_and_always_a_card(count: int, players: int, rounds: int) -> None:
    house = HouseRules(specials=SPECIALS[:count], allow_lone_dragon_or_fairy=True)
    plans = round_plans(house, players)
    assert (len(plans), most_rounds(house, players)) == (rounds, rounds)
    assert all(plan.turned_up for plan in plans)


@pytest.mark.parametrize(("players", "cards"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_maximus_is_five_full_deals_with_fixed_trumps(players: int, cards: int) -> None:
    assert round_plans(MAXIMUS, players) == tuple(
        RoundPlan(number, cards, turned_up=False, fixed_trump=True, trump=trump)
        for number, trump in enumerate(["B", "R", "G", "Y", None], start=1)
    )


@pytest.mark.parametrize("players", [3, 4])
def test_single_suit_is_twelve_rounds_without_trump(players: int) -> None:
    assert round_plans(SINGLE_SUIT, players) == tuple(
        RoundPlan(cards - 3, cards, turned_up=False, fixed_trump=True) for cards in range(4, 16)
    )


@pytest.mark.parametrize("rounds", [1, 4, 10])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_tournament_ladder_can_be_shortened(players: int, rounds: int) -> None:
    plans = round_plans(PLAIN, players, ladder="tournament", rounds=rounds)
    assert cards_of(plans) == list(TOURNAMENT_LADDERS[players][:rounds])


def test_tournament_ladders_are_those_of_the_publisher() -> None:
    assert TOURNAMENT_LADDERS == {
        3: (2, 4, 6, 8, 10, 12, 14, 16, 18, 20),
        4: (1, 3, 5, 7, 9, 11, 12, 13, 14, 15),
        5: (2, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    }


@pytest.mark.parametrize("players", [3, 4, 5])
def test_tournament_ladder_ends_without_a_turned_up_card(players: int) -> None:
    plans = round_plans(PLAIN, players, ladder="tournament")
    assert [plan.turned_up for plan in plans] == [True] * 9 + [False]


def test_free_ladder_is_what_it_says() -> None:
    plans = round_plans(PLAIN, 4, ladder="free", cards=[1, 15, 3])
    assert plans == (RoundPlan(1, 1, True), RoundPlan(2, 15, False), RoundPlan(3, 3, True))


def test_free_ladder_with_fixed_trumps_starts_them_again() -> None:
    plans = round_plans(MAXIMUS, 3, ladder="free", cards=[5] * 7)
    assert [plan.trump for plan in plans] == ["B", "R", "G", "Y", None, "B", "R"]


def test_other_ladders_do_not_read_the_free_list() -> None:
    assert round_plans(PLAIN, 4, cards=[99]) == round_plans(PLAIN, 4)


@pytest.mark.parametrize(
    ("house", "players", "wanted", "problems"),
    [
        (PLAIN, 2, {}, [Problem.of("players", players=2)]),
        (PLAIN, 7, {}, [Problem.of("players", players=7)]),
        (SINGLE_SUIT, 5, {}, [Problem.of("variant_players", variant="einfarbig", players=5, fewest=3, most=4)]),
        (PLAIN, 4, {"rounds": 0}, [Problem.of("rounds_out_of_range", rounds=0, most=15)]),
        (PLAIN, 4, {"rounds": -1}, [Problem.of("rounds_out_of_range", rounds=-1, most=15)]),
        (PLAIN, 4, {"rounds": 16}, [Problem.of("rounds_out_of_range", rounds=16, most=15)]),
        (SINGLE_SUIT, 4, {"rounds": 13}, [Problem.of("rounds_out_of_range", rounds=13, most=12)]),
        (MAXIMUS, 4, {"rounds": 6}, [Problem.of("rounds_out_of_range", rounds=6, most=5)]),
        (PLAIN, 4, {"ladder": "odd"}, [Problem.of("ladder_unknown", ladder="odd")]),
        (PLAIN, 6, {"ladder": "tournament"}, [Problem.of("ladder_players", ladder="tournament", players=6)]),
        (PLAIN, 4, {"ladder": "tournament", "rounds": 11}, [Problem.of("rounds_out_of_range", rounds=11, most=10)]),
        (
            MAXIMUS,
            4,
            {"ladder": "tournament"},
            [Problem.of("variant_incompatible", first="maximus", second="tournament")],
        ),
        (PLAIN, 4, {"ladder": "free"}, [Problem.of("ladder_cards")]),
        (PLAIN, 4, {"ladder": "free", "cards": []}, [Problem.of("ladder_cards")]),
        (
            PLAIN,
            4,
            {"ladder": "free", "cards": [0, 1, 16, -3]},
            [
                Problem.of("cards_out_of_range", round=1, cards=0),
                Problem.of("cards_exceed_deck", round=3, cards=16, players=4, needed=64, deck=60),
                Problem.of("cards_out_of_range", round=4, cards=-3),
            ],
        ),
        (
            SINGLE_SUIT,
            3,
            {"ladder": "free", "cards": [15, 16]},
            [Problem.of("cards_exceed_deck", round=2, cards=16, players=3, needed=48, deck=45)],
        ),
        (
            FRENCH,
            3,
            {"ladder": "tournament"},
            [
                Problem.of("cards_exceed_deck", round=9, cards=18, players=3, needed=54, deck=52),
                Problem.of("cards_exceed_deck", round=10, cards=20, players=3, needed=60, deck=52),
            ],
        ),
        (FRENCH, 3, {"ladder": "tournament", "rounds": 8}, []),
        (PLAIN, 4, {"ladder": "free", "cards": [1, 99], "rounds": 1}, []),
    ],
)
def test_plan_problems_name_what_is_wrong(
    house: HouseRules, players: int, wanted: dict, problems: list[Problem]
) -> None:
    assert list(plan_problems(house, players, **wanted)) == problems


def test_plan_problems_put_the_house_rules_first() -> None:
    house = HouseRules(specials=("DRAGON",), secret_bids=True, hidden_bids=True)
    with pytest.raises(RulesError) as caught:
        round_plans(house, 4, rounds=99)
    assert codes(caught.value.problems) == ["dragon_fairy_pair", "variant_incompatible", "rounds_out_of_range"]


@pytest.mark.parametrize(
    ("house", "players", "code"),
    [
        (PLAIN, 0, "players"),
        (PLAIN, 7, "players"),
        (HouseRules(deck="x"), 4, "deck_unknown"),
        (HouseRules(variant="x"), 4, "variant_unknown"),
    ],
)
def test_most_rounds_refuses_what_has_no_ladder(house: HouseRules, players: int, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        most_rounds(house, players)
    assert codes(caught.value.problems) == [code]


@PROPERTY
@given(playable(), st.data())
def test_every_plan_fits_its_deck(game, data) -> None:
    house, players = game
    rounds = data.draw(st.none() | st.integers(1, most_rounds(house, players)))
    plans = round_plans(house, players, rounds=rounds)
    assert [plan.number for plan in plans] == list(range(1, len(plans) + 1))
    assert len(plans) == (rounds or most_rounds(house, players))
    for plan in plans:
        left = deck_size(house) - players * plan.cards
        assert plan.cards >= 1
        assert left >= 0
        assert plan.turned_up == (left >= 1 and house.variant == "standard")
        assert plan.fixed_trump == (house.variant != "standard")


# C2: a card is turned up when one is left; house, players, cards, whether one is.
@pytest.mark.parametrize(
    ("house", "players", "cards", "turned_up"),
    [
        (PLAIN, 3, 19, True),
        (PLAIN, 3, 20, False),
        (PLAIN, 4, 14, True),
        (PLAIN, 4, 15, False),
        (PLAIN, 5, 12, False),
        (PLAIN, 6, 9, True),
        (PLAIN, 6, 10, False),
        (HouseRules(specials=("BOMB",)), 3, 20, True),
        (HouseRules(specials=("BOMB",)), 6, 10, True),
        (HouseRules(specials=("BOMB", "CLOUD", "JUGGLER")), 3, 21, False),
        (HouseRules(specials=SPECIALS), 6, 11, True),
        (FRENCH, 3, 17, True),
        (FRENCH, 4, 13, False),
        (FRENCH, 4, 12, True),
        (HouseRules(deck="french52", specials=("BOMB",)), 4, 13, False),
    ],
)
def test_plan_of_turns_a_card_up_if_one_is_left(house, players: int, cards: int, turned_up: bool) -> None:
    assert plan_of(house, players, number=7, cards=cards) == RoundPlan(7, cards, turned_up)


@pytest.mark.parametrize(
    ("number", "trump"), [(1, "B"), (2, "R"), (3, "G"), (4, "Y"), (5, None), (6, "B"), (10, None), (11, "B")]
)
def test_plan_of_maximus_has_the_trump_of_its_number(number: int, trump: str | None) -> None:
    assert plan_of(MAXIMUS, 4, number=number, cards=3) == RoundPlan(number, 3, False, fixed_trump=True, trump=trump)


@pytest.mark.parametrize("specials", [(), SPECIALS])
@pytest.mark.parametrize("variant", ["einfarbig", "maximus"])
def test_plan_of_a_variant_never_turns_a_card_up(variant: str, specials: tuple[str, ...]) -> None:
    house = HouseRules(variant=variant, specials=specials, specials_in_variants=True)
    plans = [plan_of(house, 3, number=number, cards=cards) for number in range(1, 6) for cards in (1, 4, 15)]
    assert {(plan.turned_up, plan.fixed_trump) for plan in plans} == {(False, True)}


@pytest.mark.parametrize(
    ("house", "code"), [(HouseRules(deck="x"), "deck_unknown"), (HouseRules(variant="x"), "variant_unknown")]
)
def test_plan_of_refuses_what_it_does_not_know(house: HouseRules, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        plan_of(house, 4, number=1, cards=1)
    assert codes(caught.value.problems) == [code]


@PROPERTY
@given(playable(), st.sampled_from(LADDERS), st.lists(st.integers(1, 8), min_size=1, max_size=8))
def test_plan_of_is_the_round_of_the_plan(game, ladder: str, cards: list[int]) -> None:
    house, players = game
    if not plan_problems(house, players, ladder=ladder, cards=cards):
        plans = round_plans(house, players, ladder=ladder, cards=cards)
        assert plans == tuple(plan_of(house, players, number=plan.number, cards=plan.cards) for plan in plans)


@PROPERTY
@given(
    any_house,
    st.integers(-1, 8),
    st.sampled_from([*LADDERS, "other"]),
    st.none() | st.integers(-1, 25),
    st.none() | st.lists(st.integers(-1, 25), max_size=5),
)
def test_round_plans_exist_exactly_without_problems(house, players, ladder, rounds, cards) -> None:
    problems = plan_problems(house, players, ladder=ladder, rounds=rounds, cards=cards)
    if problems:
        with pytest.raises(RulesError) as caught:
            round_plans(house, players, ladder=ladder, rounds=rounds, cards=cards)
        assert caught.value.problems == problems
        assert all(problem.message for problem in problems)
    else:
        assert len(round_plans(house, players, ladder=ladder, rounds=rounds, cards=cards)) >= 1


@PROPERTY
@given(st.integers(1, 8), st.integers(0, 7), st.integers(1, 40))
def test_dealer_moves_left_and_bids_last(players: int, first: int, number: int) -> None:
    first %= players
    dealer = dealer_of(first, number, players)
    order = bidding_order(dealer, players)
    assert dealer_of(first, number + 1, players) == starter_of(dealer, players) == order[0]
    assert order[-1] == dealer
    assert sorted(order) == list(range(players))
    assert all((left - right) % players == 1 % players for right, left in pairwise(order))
    assert dealer_of(first, 1, players) == first


@pytest.mark.parametrize("dealer", [-1, 4, 99])
def test_dealer_outside_the_table_is_refused(dealer: int) -> None:
    for function in (lambda: dealer_of(dealer, 1, 4), lambda: starter_of(dealer, 4), lambda: bidding_order(dealer, 4)):
        with pytest.raises(RulesError) as caught:
            function()
        assert caught.value.problems == (Problem.of("dealer_out_of_range", dealer=dealer, players=4),)


def test_dealer_of_counts_rounds_from_one() -> None:
    with pytest.raises(RulesError) as caught:
        dealer_of(9, 0, 4)
    assert codes(caught.value.problems) == ["dealer_out_of_range", "round_number"]


def test_presets_are_playable_by_every_table() -> None:
    assert list(PRESETS) == ["2021", "2026", "tournament"]
    problems = {
        (name, players): codes(plan_problems(preset.house, players, ladder=preset.ladder))
        for name, preset in PRESETS.items()
        for players in (3, 4, 5, 6)
    }
    assert {key: found for key, found in problems.items() if found} == {("tournament", 6): ["ladder_players"]}


def test_preset_of_2021_is_the_default_and_2026_differs_in_two_flags() -> None:
    assert PRESETS["2021"] == Preset(HouseRules(), "full")
    assert PRESETS["2026"] == Preset(HouseRules(weak_specials_no_trump=True, cloud_upper_clamp=False), "full")


def test_preset_of_the_tournament_has_the_publishers_ladder_and_the_plain_deck() -> None:
    assert PRESETS["tournament"] == Preset(HouseRules(), "tournament")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("first", [0, 2])
def test_round_plans_say_who_deals_if_the_first_dealer_is_given(players: int, first: int) -> None:
    plans = round_plans(HouseRules(), players, first_dealer=first)
    assert [plan.dealer for plan in plans] == [(first + turn) % players for turn in range(len(plans))]
    assert {plan.dealer for plan in round_plans(HouseRules(), players)} == {None}


def test_round_plans_refuse_a_first_dealer_that_is_not_there() -> None:
    with pytest.raises(RulesError) as caught:
        round_plans(HouseRules(), 4, first_dealer=4)
    assert codes(caught.value.problems) == ["dealer_out_of_range"]


@pytest.mark.parametrize(
    ("dealer", "playing", "deals"),
    [
        (0, "xxxx", 1),
        (3, "xxxx", 0),
        (0, "x.xx", 2),
        (1, "x.xx", 2),  # the dealer has left meanwhile
        (2, "xx..", 0),
        (1, ".x..", 1),  # nobody else is left
    ],
)
def test_the_deal_passes_over_who_does_not_play(dealer: int, playing: str, deals: int) -> None:
    assert next_dealer(dealer, [seat == "x" for seat in playing]) == deals


def test_next_dealer_is_dealer_of_while_everybody_plays() -> None:
    for players in range(3, 7):
        for dealer in range(players):
            assert next_dealer(dealer, [True] * players) == dealer_of(dealer, 2, players)


@pytest.mark.parametrize("dealer", [-1, 4])
def test_next_dealer_refuses_a_dealer_outside_the_table(dealer: int) -> None:
    with pytest.raises(RulesError) as caught:
        next_dealer(dealer, [True] * 4)
    assert codes(caught.value.problems) == ["dealer_out_of_range"]


def numbers(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1))


@pytest.mark.parametrize(
    ("house", "ladder", "cards", "played", "before", "players", "rest"),
    [
        (PLAIN, "full", numbers(1, 15), 5, 4, 5, numbers(6, 12)),
        (PLAIN, "full", numbers(1, 15), 5, 4, 3, numbers(6, 20)),
        (PLAIN, "full", numbers(1, 15), 13, 4, 5, (12, 12)),  # five have no round 14
        (PLAIN, "full", numbers(1, 10), 5, 4, 3, numbers(6, 10)),  # a shorter game stays as short
        (PLAIN, "full", numbers(1, 10), 5, 4, 6, numbers(6, 10)),
        (PLAIN, "full", numbers(1, 15), 0, 4, 6, numbers(1, 10)),
        (PLAIN, "tournament", TOURNAMENT_LADDERS[4], 8, 4, 5, (11, 12)),
        (PLAIN, "tournament", TOURNAMENT_LADDERS[5], 8, 5, 6, (10, 10)),  # no ladder is defined for six
        (PLAIN, "free", (3, 20, 9), 1, 3, 4, (15, 9)),
        (MAXIMUS, "full", (15,) * 5, 2, 4, 3, (20,) * 3),
        (SINGLE_SUIT, "full", numbers(4, 15), 3, 4, 3, numbers(7, 15)),
        (FRENCH, "full", numbers(1, 13), 3, 4, 6, numbers(4, 8)),
    ],
)
def test_remaining_cards_go_on_as_a_table_would(
    house: HouseRules,
    ladder: str,
    cards: tuple[int, ...],
    played: int,
    before: int,
    players: int,
    rest: tuple[int, ...],
) -> None:
    found = remaining_cards(house, players, ladder=ladder, cards=cards, played=played, before=before)
    assert found == rest
    assert plan_problems(house, players, ladder="free", cards=found) == ()


@PROPERTY
@given(
    game=playable(),
    players=st.integers(3, 6),
    length=st.integers(1, 20),
    played=st.integers(0, 19),
)
def test_remaining_cards_can_always_be_dealt(game, players: int, length: int, played: int) -> None:
    house, before = game
    if [problem for problem in plan_problems(house, players) if problem.code != "ladder_cards"]:
        return
    cards = cards_of(round_plans(house, before))[:length]
    played = min(played, len(cards) - 1)
    rest = remaining_cards(house, players, ladder="full", cards=cards, played=played, before=before)
    assert plan_problems(house, players, ladder="free", cards=rest) == ()
