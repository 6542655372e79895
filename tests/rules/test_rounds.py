from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
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
    RulesError,
    Stage,
    Suit,
    Swap,
    View,
    choose_trump,
    dealer_of,
    deck_of,
    score_round,
    starter_of,
    trick_outcome,
    trump_call,
)
from tests.rules.games import BOMB_AND_CLOUD, FRENCH, PLAIN, PROPERTY, cards, codes
from tests.rules.played import (
    ALL,
    GAMES,
    MAXIMUS,
    SINGLE,
    deal,
    dealt,
    every_action,
    house_with,
    open_cards,
    played_games,
    rounds_in,
    sample_actions,
    then,
    undealt,
)

SUM_RULE = HouseRules(plus_minus_one=True, blind_bids=True)
HIDDEN_SUM = HouseRules(plus_minus_one=True, hidden_bids=True, blind_bids=True)
SECRET = HouseRules(secret_bids=True)
CLAIRVOYANT = HouseRules(clairvoyance=True, blind_bids=True)
WEREWOLF = house_with("WEREWOLF")
JUGGLER = house_with("JUGGLER")
CLOUD = house_with("CLOUD")


def card(written: str) -> Card:
    return Card.parse(written)


# A round waiting for each kind of action; seat 0 deals, seat 1 begins, unless told otherwise.
BEFORE_DEAL = undealt(PLAIN)
BEFORE_SWAP = dealt("R3 / WEREWOLF / B1 + G5", WEREWOLF)
BEFORE_CHOICE = dealt("R3 / B2 / B1 + W")
BEFORE_BIDS = dealt("R3 R4 / B2 W / B1 J + G5")
BEFORE_PLAY = then(BEFORE_BIDS, "bids 1 0 1")
IN_TRICK = then(dealt("R3 R4 / R2 SHAPESHIFTER / B1 R9 + G5", house_with("SHAPESHIFTER")), "bids 0 0 0", "play R2")
BEFORE_PASS = then(dealt("R3 R4 / JUGGLER B2 / B1 W + G5", JUGGLER), "bids 0 0 0", "play JUGGLER:R B1 R3")
BEFORE_CHANGE = then(dealt("R13 / CLOUD / R1 + G5", CLOUD), "bids 0 0 0", "play CLOUD:R R1 R13")
DONE = then(dealt("R3 / R2 / R1 + G5"), "bids 0 0 0", "play R2 R1 R3")
STAGES = {
    Stage.DEAL: BEFORE_DEAL,
    Stage.SWAP: BEFORE_SWAP,
    Stage.TRUMP: BEFORE_CHOICE,
    Stage.BIDS: BEFORE_BIDS,
    Stage.PLAY: BEFORE_PLAY,
    Stage.PASSING: BEFORE_PASS,
    Stage.CLOUD: BEFORE_CHANGE,
    Stage.DONE: DONE,
}


def test_stages_are_all_met() -> None:
    assert {stage: state.stage for stage, state in STAGES.items()} == {stage: stage for stage in Stage}


@pytest.mark.parametrize("stage", list(Stage))
def test_round_refuses_the_action_of_another_stage(stage: Stage) -> None:
    state = STAGES[stage]
    others = [action for action in sample_actions() if action.stage is not stage]
    assert len(others) == (7 if stage is Stage.DONE else 6)
    for action in others:
        expected = (Problem.of("action_not_now", action=str(action.stage), stage=str(stage)),)
        assert state.problems(action) == expected
        with pytest.raises(RulesError) as caught:
            state.after(action)
        assert caught.value.problems == expected


@pytest.mark.parametrize(
    ("state", "action", "to_act"),
    [
        (BEFORE_SWAP, Swap, (1,)),
        (BEFORE_CHOICE, lambda seat: ChooseTrump(seat, Suit.R), (0,)),
        (BEFORE_BIDS, lambda seat: MakeBid(seat, 0), (1,)),
        (BEFORE_PLAY, lambda seat: PlayCard(seat, card("B2")), (1,)),
        (IN_TRICK, lambda seat: PlayCard(seat, card("R9")), (2,)),
        (BEFORE_PASS, lambda seat: PassCard(seat, card("W")), (0, 1, 2)),
        (BEFORE_CHANGE, lambda seat: ChangeBid(seat, 1), (0,)),
        (DONE, Swap, ()),
        (then(BEFORE_PASS, "pass R4"), lambda seat: PassCard(seat, card("W")), (1, 2)),
        (then(BEFORE_BIDS, "bids 1"), lambda seat: MakeBid(seat, 0), (2,)),
    ],
)
def test_round_refuses_another_seat(state: RoundState, action: Any, to_act: tuple[int, ...]) -> None:
    assert state.to_act == to_act
    for seat in {-1, 0, 1, 2, 3, 10**9} - {*to_act}:
        given = action(seat)
        if given.stage is state.stage:
            assert state.problems(given) == (Problem.of("not_your_turn", seat, action=str(state.stage)),)


def test_round_before_the_deal_waits_for_the_dealer() -> None:
    assert (undealt(PLAIN, dealer=2).to_act, BEFORE_DEAL.actions()) == ((2,), ())


REFUSED: list[tuple[str, RoundState, Any, list[tuple[str, int | None, dict[str, Any], str]]]] = [
    (
        "not now",
        BEFORE_BIDS,
        Swap(1),
        [("action_not_now", None, {"action": "swap", "stage": "bids"}, "")],
    ),
    ("not your turn", BEFORE_BIDS, MakeBid(2, 0), [("not_your_turn", 2, {"action": "bids"}, "")]),
    (
        "two hands for three",
        BEFORE_DEAL,
        deal("B1 / B2 + B3"),
        [
            (
                "wrong_length",
                None,
                {"what": "hands", "expected": 3, "given": 2},
                "hands: 3 entries are needed, one a seat, not 2.",
            )
        ],
    ),
    (
        "four hands for three",
        BEFORE_DEAL,
        deal("B1 / B2 / B3 / B4 B5 + B6"),
        [
            (
                "wrong_length",
                None,
                {"what": "hands", "expected": 3, "given": 4},
                "hands: 3 entries are needed, one a seat, not 4.",
            )
        ],
    ),
    (
        "hands of wrong sizes",
        BEFORE_DEAL,
        deal("B1 / B2 B4 / + B3"),
        [
            ("hand_size", 1, {"expected": 1, "given": 2}, "This hand needs 1 cards, not 2."),
            ("hand_size", 2, {"expected": 1, "given": 0}, "This hand needs 1 cards, not 0."),
        ],
    ),
    (
        "a card twice",
        BEFORE_DEAL,
        deal("R7 / R7 / B1 + G1"),
        [
            (
                "too_many_of_card",
                None,
                {"card": "R7", "count": 2, "in_deck": 1},
                "R7 is there 2 times; the deck has 1.",
            )
        ],
    ),
    (
        "a fifth wizard, turned up",
        undealt(PLAIN, players=4),
        deal("W / W / W / W + W"),
        [("too_many_of_card", None, {"card": "W", "count": 5, "in_deck": 4}, "W is there 5 times; the deck has 4.")],
    ),
    (
        "a card of the other deck",
        BEFORE_DEAL,
        deal("H8 / R7 / B1 + G1"),
        [("card_not_in_deck", None, {"card": "H8"}, "H8 is not in this deck.")],
    ),
    (
        "turned up from the other deck, said once",
        BEFORE_DEAL,
        deal("R6 / R7 / B1 + H8"),
        [("card_not_in_deck", None, {"card": "H8"}, "H8 is not in this deck.")],
    ),
    (
        "a special card that is not in",
        undealt(CLOUD),
        deal("CLOUD / R7 / BOMB + G1"),
        [("card_not_in_deck", None, {"card": "BOMB"}, "BOMB is not in this deck.")],
    ),
    (
        "a declared card in a hand",
        undealt(CLOUD),
        deal("CLOUD:R / R7 / B1 + G1"),
        [("card_not_in_deck", None, {"card": "CLOUD:R"}, "CLOUD:R is not in this deck.")],
    ),
    (
        "nothing turned up",
        BEFORE_DEAL,
        deal("R6 / R7 / B1 + -"),
        [("turned_up_missing", None, {}, "A card is left in this round: it has to be turned up.")],
    ),
    (
        "turned up where trump is fixed",
        undealt(MAXIMUS, size=1),
        deal("R6 / R7 / B1 + G5"),
        [("turned_up_not_left", None, {}, "No card is turned up in this round.")],
    ),
    (
        "piles of other seats",
        undealt(SINGLE, size=2),
        deal("B1 B2 / B3 R1 / W W + -"),
        [
            ("card_not_in_deck", 1, {"card": "B3"}, "B3 is not in this deck."),
            ("too_many_of_card", 2, {"card": "W", "count": 2, "in_deck": 1}, "W is there 2 times; the deck has 1."),
        ],
    ),
    (
        "special cards in piles",
        undealt(HouseRules(variant="einfarbig", specials=("BOMB",), specials_in_variants=True)),
        deal("B1 / R1 / G1 + -"),
        [
            (
                "specials_not_dealt",
                None,
                {"variant": "einfarbig"},
                "The variant einfarbig has no place for special cards when cards are dealt.",
            )
        ],
    ),
    (
        "everything at once",
        undealt(PLAIN, players=4, size=2),
        deal("R7 / R7 H8 / B1 B2 + -"),
        [
            (
                "wrong_length",
                None,
                {"what": "hands", "expected": 4, "given": 3},
                "hands: 4 entries are needed, one a seat, not 3.",
            ),
            ("hand_size", 0, {"expected": 2, "given": 1}, "This hand needs 2 cards, not 1."),
            ("turned_up_missing", None, {}, "A card is left in this round: it has to be turned up."),
            (
                "too_many_of_card",
                None,
                {"card": "R7", "count": 2, "in_deck": 1},
                "R7 is there 2 times; the deck has 1.",
            ),
            ("card_not_in_deck", None, {"card": "H8"}, "H8 is not in this deck."),
        ],
    ),
    (
        "no trump by the dealer",
        BEFORE_CHOICE,
        ChooseTrump(0, None),
        [("no_trump_not_allowed", None, {}, "A suit has to be named here: no trump is not on offer.")],
    ),
    (
        "no trump by the werewolf where the house has none",
        then(dealt("R3 / WEREWOLF / B1 + G5", house_with("WEREWOLF", werewolf_may_choose_no_trump=False)), "swap"),
        ChooseTrump(1, None),
        [("no_trump_not_allowed", None, {}, "A suit has to be named here: no trump is not on offer.")],
    ),
    (
        "a suit of the other deck",
        BEFORE_CHOICE,
        ChooseTrump(0, Suit.H),
        [("suit_not_in_deck", None, {"suit": "H", "deck": "wizard60"}, "H is no suit of the deck wizard60.")],
    ),
    (
        "a bid below zero",
        BEFORE_BIDS,
        MakeBid(1, -1),
        [("bid_out_of_range", 1, {"bid": -1, "cards": 2}, "A bid of -1 is not possible with a hand of 2.")],
    ),
    (
        "a bid above the hand, blind where nobody bids blind",
        BEFORE_BIDS,
        MakeBid(1, 3, blind=True),
        [
            ("bid_out_of_range", 1, {"bid": 3, "cards": 2}, "A bid of 3 is not possible with a hand of 2."),
            ("blind_not_enabled", 1, {}, "Blind bids are not part of this game."),
        ],
    ),
    (
        "blind with clairvoyance",
        dealt("R3 / B2 / B1 + G5", CLAIRVOYANT),
        MakeBid(1, 0, blind=True),
        [
            (
                "blind_not_available",
                1,
                {"round": 1},
                "Nobody can bid blind in round 1: nobody sees the own card there.",
            )
        ],
    ),
    (
        "bids that add up",
        then(dealt("R3 R4 / B2 W / B1 J + G5", SUM_RULE), "bids 1 0"),
        MakeBid(0, 1),
        [
            (
                "bid_sum_forbidden",
                0,
                {"bid": 1, "others": 1, "cards": 2},
                "1 would make the bids add up to 2 (the others bid 1): choose another.",
            )
        ],
    ),
    (
        "hidden bids that add up again, no longer blind",
        then(dealt("R3 R4 / B2 W / B1 J + G5", HIDDEN_SUM), "bids 1 0 1b"),
        MakeBid(0, 1),
        [
            (
                "bid_sum_forbidden",
                0,
                {"bid": 1, "others": 1, "cards": 2},
                "1 would make the bids add up to 2 (the others bid 1): choose another.",
            ),
            ("blind_kept", 0, {}, "A bid that has to be changed stays as blind as it was."),
        ],
    ),
    (
        "blind only after the bids were shown",
        then(dealt("R3 R4 / B2 W / B1 J + G5", HIDDEN_SUM), "bids 1 0 1"),
        MakeBid(0, 2, blind=True),
        [("blind_kept", 0, {}, "A bid that has to be changed stays as blind as it was.")],
    ),
    (
        "a card of another hand",
        BEFORE_PLAY,
        PlayCard(1, card("R3")),
        [("card_not_in_hand", 1, {"card": "R3"}, "R3 is not in this hand.")],
    ),
    (
        "a declared card of another hand",
        BEFORE_PLAY,
        PlayCard(1, card("JUGGLER:R")),
        [("card_not_in_hand", 1, {"card": "JUGGLER"}, "JUGGLER is not in this hand.")],
    ),
    (
        "a card not declared",
        then(dealt("R3 R4 / SHAPESHIFTER W / B1 J + G5", house_with("SHAPESHIFTER")), "bids 0 0 0"),
        PlayCard(1, card("SHAPESHIFTER")),
        [
            (
                "card_undeclared",
                1,
                {"card": "SHAPESHIFTER"},
                "SHAPESHIFTER is played with what it stands for: a suit, or wizard or jester.",
            )
        ],
    ),
    (
        "not followed",
        IN_TRICK,
        PlayCard(2, card("B1")),
        [
            (
                "must_follow",
                2,
                {"card": "B1", "suit": "R"},
                "B1 cannot be played: the suit R has to be followed.",
            )
        ],
    ),
    (
        "passing a card already played",
        BEFORE_PASS,
        PassCard(1, card("JUGGLER")),
        [("card_not_in_hand", 1, {"card": "JUGGLER"}, "JUGGLER is not in this hand.")],
    ),
    (
        "passing what comes from the right",
        then(BEFORE_PASS, "pass R4"),
        PassCard(1, card("R4")),
        [("card_not_in_hand", 1, {"card": "R4"}, "R4 is not in this hand.")],
    ),
    (
        "passing a declared card",
        then(dealt("R3 CLOUD / JUGGLER B2 / B1 W + G5", ALL), "bids 0 0 0", "play JUGGLER:R B1 R3"),
        PassCard(0, card("CLOUD:R")),
        [("card_not_in_hand", 0, {"card": "CLOUD:R"}, "CLOUD:R is not in this hand.")],
    ),
    (
        "a bid of zero made smaller",
        BEFORE_CHANGE,
        ChangeBid(0, -1),
        [
            (
                "cloud_bid_out_of_range",
                0,
                {"bid": 0, "delta": -1, "cards": 1},
                "The cloud cannot change a bid of 0 by -1 with a hand of 1.",
            )
        ],
    ),
    (
        "a full bid made larger",
        then(dealt("R13 / CLOUD / R1 + G5", CLOUD), "bids 0 0 1", "play CLOUD:R R1 R13"),
        ChangeBid(0, 1),
        [
            (
                "cloud_bid_out_of_range",
                0,
                {"bid": 1, "delta": 1, "cards": 1},
                "The cloud cannot change a bid of 1 by +1 with a hand of 1.",
            )
        ],
    ),
    *(
        (
            f"a change of {delta}",
            BEFORE_CHANGE,
            ChangeBid(0, delta),
            [("cloud_delta", 0, {"delta": delta}, f"The cloud changes a bid by exactly one, not by {delta}.")],
        )
        for delta in (0, 2, -2)
    ),
]


@pytest.mark.parametrize(("state", "action", "expected"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_round_refuses_a_wrong_value(state: RoundState, action: Any, expected: list[Any]) -> None:
    before = replace(state)
    problems = state.problems(action)
    assert problems == tuple(Problem.of(code, seat, **params) for code, seat, params, _words in expected)
    for problem, (_code, _seat, _params, words) in zip(problems, expected, strict=True):
        assert words in ("", problem.message)
    with pytest.raises(RulesError) as caught:
        state.after(action)
    assert caught.value.problems == problems
    assert state == before


def test_round_refusals_are_all_met() -> None:
    """Nothing that a round can refuse is left out above; a trump cannot be chosen twice, as the stage is over then."""
    met = {code for _name, _state, _action, expected in REFUSED for code, *_rest in expected}
    assert met == {
        *("action_not_now", "not_your_turn", "wrong_length", "hand_size", "too_many_of_card", "card_not_in_deck"),
        *("turned_up_missing", "turned_up_not_left", "specials_not_dealt"),
        *("no_trump_not_allowed", "suit_not_in_deck"),
        *("bid_out_of_range", "bid_sum_forbidden", "blind_not_enabled", "blind_not_available", "blind_kept"),
        *("card_not_in_hand", "card_undeclared", "must_follow"),
        *("cloud_bid_out_of_range", "cloud_delta"),
    }


def test_trump_cannot_be_chosen_where_nothing_is_to_choose() -> None:
    with pytest.raises(RulesError, match=r"^Nobody has a trump to choose here\.$") as caught:
        choose_trump(PLAIN, BEFORE_BIDS.call, Suit.R)
    assert codes(caught.value.problems) == ["choice_not_allowed"]


def test_round_starts_only_with_a_dealer_at_the_table() -> None:
    for dealer in (-1, 3):
        with pytest.raises(RulesError) as caught:
            undealt(PLAIN, dealer=dealer)
        assert caught.value.problems == (Problem.of("dealer_out_of_range", dealer=dealer, players=3),)


# The werewolf (D12-D17).


@pytest.mark.parametrize("holder", [0, 1, 2])
@pytest.mark.parametrize("turned_up", ["G5", "W", "J", "DRAGON", "FAIRY", "BOMB", "CLOUD", "JUGGLER", "SHAPESHIFTER"])
@pytest.mark.parametrize("weak", [False, True])
def test_werewolf_is_swapped_for_any_card_and_its_holder_names_trump(holder: int, turned_up: str, weak: bool) -> None:
    house = replace(ALL, weak_specials_no_trump=weak)
    hands = [["R1", "R2"], ["Y1", "Y2"], ["B1", "B2"]]
    hands[holder][1] = "WEREWOLF"
    state = dealt(f"{' / '.join(map(' '.join, hands))} + {turned_up}", house)
    assert (state.stage, state.to_act, str(state.turned_up), state.trump) == (Stage.SWAP, (holder,), turned_up, None)
    assert state.actions() == (Swap(holder),)
    state = then(state, "swap")
    assert (state.stage, state.to_act, str(state.turned_up)) == (Stage.TRUMP, (holder,), "WEREWOLF")
    assert state.hands[holder] == cards(f"{hands[holder][0]} {turned_up}")
    assert [action.suit for action in state.actions()] == [*"BRGY", None]
    for choice, trump in (("Y", Suit.Y), ("-", None)):
        after = then(state, f"trump {choice}")
        assert (after.stage, after.trump, after.to_act) == (Stage.BIDS, trump, (1,))
        assert after.deal.hands[holder] == cards(" ".join(hands[holder]))


def test_werewolf_turned_up_lets_the_dealer_choose() -> None:
    state = dealt("R1 / Y1 / B1 + WEREWOLF", WEREWOLF, dealer=2)
    assert (state.stage, state.to_act) == (Stage.TRUMP, (2,))
    assert [action.suit for action in state.actions()] == [*"BRGY"]


def test_werewolf_finds_a_card_in_the_last_round() -> None:
    deck = [str(own) for own in deck_of(WEREWOLF)]
    hands = [deck[seat * 20 : seat * 20 + 20] for seat in range(3)]
    hands[0][0], left = "WEREWOLF", hands[0][0]
    state = dealt(f"{' / '.join(map(' '.join, hands))} + {left}", WEREWOLF)
    assert state.stage is Stage.SWAP


@pytest.mark.parametrize("dealer_names", [False, True])
def test_werewolf_stays_a_jester_where_nothing_is_turned_up(dealer_names: bool) -> None:
    specials = ("WEREWOLF", "BOMB", "CLOUD")
    house = HouseRules(specials=specials, rounds_from_deck=True, last_round_dealer_trump=dealer_names)
    deck = [str(own) for own in deck_of(house)]
    state = dealt(f"{' / '.join(' '.join(deck[seat::3]) for seat in range(3))} + -", house)
    assert (state.stage, state.call.swap) == (Stage.TRUMP if dealer_names else Stage.BIDS, None)
    assert state.turned_up is None
    state = then(state, *(["trump R"] if dealer_names else []), "bids 0 0 0")
    (holder,) = (seat for seat, hand in enumerate(state.hands) if card("WEREWOLF") in hand)
    state = replace(state, leader=holder)
    assert PlayCard(holder, card("WEREWOLF")) in state.actions()
    assert state.trump == ("R" if dealer_names else None)


def test_werewolf_unswapped_in_maximus_ranks_as_a_jester() -> None:
    house = replace(MAXIMUS, specials=("WEREWOLF",), specials_in_variants=True)
    state = then(dealt("J / WEREWOLF / J + -", house), "bids 0 0 0", "play WEREWOLF J J")
    assert (state.taken, state.stage) == ((0, 1, 0), Stage.DONE)


# The juggler (D63-D67, D71).


def test_juggler_passes_one_card_to_the_left_all_at_once() -> None:
    state = then(dealt("R3 R4 R5 / JUGGLER B2 B3 / B1 Y8 Y9 + G5", JUGGLER), "bids 0 0 0", "play JUGGLER:R B1 R3")
    assert (state.stage, state.to_act, state.leader) == (Stage.PASSING, (0, 1, 2), 1)
    assert [str(action.card) for action in state.actions()] == ["R4", "R5", "B2", "B3", "Y8", "Y9"]
    for seat, chosen in ((2, "Y8"), (0, "R5")):
        state = state.after(PassCard(seat, card(chosen)))
    assert state.hands == deal("R4 R5 / B2 B3 / Y8 Y9 + G5").hands
    state = state.after(PassCard(1, card("B2")))
    assert state.hands == deal("R4 Y8 / B3 R5 / Y9 B2 + G5").hands
    assert (state.stage, state.to_act, state.passing) == (Stage.PLAY, (1,), ())
    assert state.tricks[-1].passed == cards("R5 B2 Y8")


def test_juggler_with_one_card_left_sends_whatever_it_is() -> None:
    state = then(dealt("R3 W / JUGGLER J / R1 DRAGON + G5", ALL), "bids 0 0 0", "play JUGGLER:R R1 R3")
    assert [str(action.card) for action in state.actions()] == ["W", "J", "DRAGON"]
    state = then(state, "pass W J DRAGON", "play W J DRAGON")
    assert state.hands == ((), (), ())
    assert [trick.winner for trick in state.tricks] == [1, 0]


def test_juggler_with_the_bomb_passes_all_the_same() -> None:
    state = then(dealt("R3 W / JUGGLER J / BOMB B1 + G5", ALL), "bids 0 0 0", "play JUGGLER:R BOMB R3")
    assert (state.stage, state.tricks[0].winner, state.taken) == (Stage.PASSING, None, (0, 0, 0))
    state = then(state, "pass W J B1")
    assert state.hands == deal("B1 / W / J + G5").hands
    assert state.to_act == (1,)


def test_juggler_in_the_last_trick_passes_nothing_and_keeps_its_value() -> None:
    state = then(dealt("R8 / R7 / JUGGLER + G5", JUGGLER), "bids 0 0 0", "play R7 JUGGLER:R R8")
    assert (state.stage, state.taken) == (Stage.DONE, (1, 0, 0))
    state = then(dealt("R6 / R7 / JUGGLER + G5", JUGGLER), "bids 0 0 0", "play R7 JUGGLER:R R6")
    assert (state.stage, state.taken) == (Stage.DONE, (0, 0, 1))


def test_juggler_thrown_off_passes_all_the_same() -> None:
    state = then(dealt("R8 B1 / R7 B2 / JUGGLER B3 + G5", JUGGLER), "bids 0 0 0", "play R7 JUGGLER:Y R8")
    assert (state.stage, state.leader) == (Stage.PASSING, 0)


def test_juggler_and_cloud_in_one_trick_pass_first_and_change_at_the_end() -> None:
    state = then(dealt("CLOUD B1 / R7 B2 / JUGGLER B3 + G5", ALL), "bids 0 0 1", "play R7 JUGGLER:R CLOUD:R")
    assert (state.stage, state.owing) == (Stage.PASSING, (0,))
    state = then(state, "pass B1 B2 B3", "play B3 B1 B2")
    assert (state.stage, state.taken, state.to_act) == (Stage.CLOUD, (2, 0, 0), (0,))
    state = then(state, "cloud +1")
    assert [score.points for score in state.scores] == [40, 20, 20]


def test_juggler_passes_either_of_two_equal_cards() -> None:
    state = then(dealt("R3 W W / JUGGLER J J / R1 B1 B2 + G5", JUGGLER), "bids 0 0 0")
    state = then(state, "play JUGGLER:R R1 R3")
    assert [str(action.card) for action in state.actions()] == ["W", "J", "B1", "B2"]
    assert then(state, "pass W J B1").hands == deal("W B1 / J W / B2 J + G5").hands


# The cloud (D68-D75, D82).


@pytest.mark.parametrize(
    ("bid", "clamped", "offered"),
    [(0, True, [1]), (1, True, [-1, 1]), (2, True, [-1]), (0, False, [1]), (2, False, [-1, 1])],
)
def test_cloud_changes_a_bid_by_one_as_far_as_it_goes(bid: int, clamped: bool, offered: list[int]) -> None:
    house = replace(CLOUD, cloud_upper_clamp=clamped)
    state = then(
        dealt("R13 Y1 / CLOUD Y2 / R1 Y3 + G5", house), f"bids 0 0 {bid}", "play CLOUD:R R1 R13", "play Y1 Y2 Y3"
    )
    assert (state.stage, state.to_act, state.taken) == (Stage.CLOUD, (0,), (1, 0, 1))
    assert state.actions() == tuple(ChangeBid(0, delta) for delta in offered)
    assert (state.result, state.scores) == (None, ())
    for delta in offered:
        after = then(state, f"cloud {delta:+d}")
        final = bid + delta
        assert after.bids == (bid, 0, 0)
        assert after.scores[0].final_bid == final
        assert after.scores[0].points == (30 if final == 1 else -10 * abs(final - 1))
        assert after.result.clouds == ((0, delta),)


def test_cloud_in_the_last_trick_changes_the_takers_bid_although_another_played_it() -> None:
    state = then(dealt("R13 / CLOUD / R1 + G5", CLOUD), "bids 1 0 1", "play CLOUD:R R1 R13")
    assert (state.stage, state.owing) == (Stage.CLOUD, (0,))
    state = then(state, "cloud -1")
    assert [score.points for score in state.scores] == [-10, -10, 20]


@pytest.mark.parametrize("last", [False, True])
def test_cloud_with_the_bomb_changes_nothing(last: bool) -> None:
    if last:
        state = then(dealt("BOMB / CLOUD / R1 + G5", BOMB_AND_CLOUD), "bids 0 0 0", "play CLOUD:R R1 BOMB")
        assert [score.points for score in state.scores] == [20, 20, 20]
    else:
        state = then(dealt("BOMB B1 / CLOUD B2 / R1 B3 + G5", BOMB_AND_CLOUD), "bids 0 0 0")
        state = then(state, "play CLOUD:R R1 BOMB", "play B2 B3 B1")
        assert [score.points for score in state.scores] == [20, 20, -10]
    assert (state.stage, state.bombs, state.result.clouds) == (Stage.DONE, 1, ())


def test_cloud_and_bomb_in_different_tricks_both_count() -> None:
    state = then(dealt("BOMB B1 / CLOUD B2 / R1 B3 + G5", BOMB_AND_CLOUD), "bids 2 0 0")
    state = then(state, "play CLOUD:R R1 B1", "play B2 B3 BOMB")
    assert (state.taken, state.bombs, state.to_act) == ((0, 1, 0), 1, (1,))
    state = then(state, "cloud -1")
    assert [score.points for score in state.scores] == [20, 30, 20]


def test_cloud_doubles_a_blind_bid_after_the_change() -> None:
    state = dealt("R13 / CLOUD / R1 + G5", replace(CLOUD, blind_bids=True))
    state = then(state, "bids 0 0b 0b", "play CLOUD:R R1 R13", "cloud +1")
    assert [score.points for score in state.scores] == [60, 20, 40]
    assert state.result.blind == (True, False, True)


# The bomb and the lead (D60-D62).


@pytest.mark.parametrize(
    ("trick", "leader"),
    [("R2 BOMB R3", 0), ("BOMB R2 R3", 0), ("R9 BOMB R3", 1), ("W BOMB R3", 1), ("J BOMB J", 1), ("BOMB J J", 2)],
)
def test_bomb_lets_the_best_card_lead_on(trick: str, leader: int) -> None:
    first, second, third = trick.split()
    state = dealt(f"{third} B1 / {first} B2 / {second} B3 + G5", house_with("BOMB"))
    state = then(state, "bids 0 0 0", f"play {trick}")
    assert (state.leader, state.to_act, state.taken, state.bombs) == (leader, (leader,), (0, 0, 0), 1)


def test_bomb_with_dragon_and_fairy_lets_the_fairy_lead() -> None:
    state = then(dealt("BOMB B1 / DRAGON B2 / FAIRY B3 + G5", ALL), "bids 0 0 0", "play DRAGON FAIRY BOMB")
    assert (state.leader, state.taken, state.tricks[0].next_leader) == (2, (0, 0, 0), 2)


def test_bomb_as_the_only_trick_leaves_nobody_a_trick() -> None:
    state = then(dealt("R13 / W / BOMB + G5", house_with("BOMB")), "bids 0 1 1", "play W BOMB R13")
    assert [score.points for score in state.scores] == [-10, 20, -10]
    assert (state.result.tricks, state.result.bombs) == ((0, 0, 0), 1)


# Bidding (D05, D20-D31).


def test_bids_go_round_from_the_left_of_the_dealer() -> None:
    state = dealt("R3 / R2 / R1 / B1 + G5", dealer=2)
    heard = []
    for bid in (1, 0, 1, 1):
        heard.append(state.to_act)
        state = then(state, f"bids {bid}")
    assert heard == [(3,), (0,), (1,), (2,)]
    assert (state.bids, state.stage, state.to_act) == ((0, 1, 1, 1), Stage.PLAY, (3,))


def test_bids_plus_minus_one_binds_the_dealer_alone_and_from_its_round() -> None:
    line = "R3 R4 / B2 W / B1 J + G5"
    state = then(dealt(line, SUM_RULE), "bids 1")
    assert [action.tricks for action in state.actions() if not action.blind] == [0, 1, 2]
    assert [action.tricks for action in then(state, "bids 0").actions() if not action.blind] == [0, 2]
    assert [action.tricks for action in then(state, "bids 2").actions() if not action.blind] == [0, 1, 2]
    late = then(dealt(line, replace(SUM_RULE, plus_minus_one_from=3)), "bids 1 0")
    assert [action.tricks for action in late.actions() if not action.blind] == [0, 1, 2]


def test_bids_plus_minus_one_counts_all_cards_whatever_bomb_and_cloud_do() -> None:
    house = replace(BOMB_AND_CLOUD, plus_minus_one=True)
    state = then(dealt("R3 BOMB / B2 CLOUD / B1 J + G5", house), "bids 1 0")
    assert [action.tricks for action in state.actions()] == [0, 2]


def test_bids_offer_blind_ones_where_the_house_has_them() -> None:
    state = dealt("R3 / B2 / B1 + G5", HouseRules(blind_bids=True))
    assert state.actions() == tuple(MakeBid(1, tricks, blind) for tricks in (0, 1) for blind in (False, True))
    assert not any(action.blind for action in dealt("R3 / B2 / B1 + G5", CLAIRVOYANT).actions())
    later = dealt("R3 R4 / B2 W / B1 J + G5", CLAIRVOYANT)
    assert any(action.blind for action in later.actions())


@pytest.mark.parametrize("house", [HouseRules(hidden_bids=True), SECRET])
def test_bids_not_heard_are_made_in_any_order(house: HouseRules) -> None:
    state = dealt("R3 / B2 / B1 + G5", house)
    assert state.to_act == (1, 2, 0)
    for seat in (0, 2, 1):
        assert seat in state.to_act
        state = state.after(MakeBid(seat, 1))
        assert state.stage is Stage.PLAY or seat not in state.to_act
    assert (state.stage, state.bids) == (Stage.PLAY, (1, 1, 1))


def test_hidden_bids_that_add_up_are_shown_and_the_dealer_alone_changes() -> None:
    state = dealt("R3 R4 / B2 W / B1 J + G5", HIDDEN_SUM)
    for action in (MakeBid(0, 1, blind=True), MakeBid(2, 0), MakeBid(1, 1, blind=True)):
        state = state.after(action)
    assert (state.stage, state.to_act, state.bids, state.shown) == (Stage.BIDS, (0,), (None, 1, 0), (1, 1, 0))
    assert [state.seen_by(seat).bids for seat in range(3)] == [(None, 1, 0)] * 3
    assert state.actions() == (MakeBid(0, 0, blind=True), MakeBid(0, 2, blind=True))
    state = state.after(MakeBid(0, 2, blind=True))
    assert (state.stage, state.bids, state.blind) == (Stage.PLAY, (2, 1, 0), (True, True, False))


def test_hidden_bids_that_do_not_add_up_are_played() -> None:
    state = then(dealt("R3 R4 / B2 W / B1 J + G5", HIDDEN_SUM), "bids 1 0 2")
    assert (state.stage, state.shown) == (Stage.PLAY, ())
    free = then(dealt("R3 R4 / B2 W / B1 J + G5", HouseRules(hidden_bids=True)), "bids 1 0 1")
    assert (free.stage, free.shown) == (Stage.PLAY, ())


def test_hidden_bids_are_seen_together_once_all_are_made() -> None:
    state = then(dealt("R3 / B2 / B1 + G5", HouseRules(hidden_bids=True)), "bids 1 1")
    assert [state.seen_by(seat).bids for seat in range(3)] == [(None,) * 3, (None, 1, None), (None, None, 1)]
    assert then(state, "bids 0").seen_by(0).bids == (0, 1, 1)


def test_secret_bids_are_seen_only_after_the_last_trick() -> None:
    house = replace(SECRET, specials=("CLOUD",))
    state = then(dealt("R13 / CLOUD / R1 + G5", house), "bids 1 0 1")
    for played in ("", "play CLOUD:R", "play R1"):
        state = then(state, *([played] if played else []))
        assert [state.seen_by(seat).bids for seat in range(3)] == [(1, None, None), (None, 1, None), (None, None, 0)]
    state = then(state, "play R13")
    assert (state.stage, [state.seen_by(seat).bids for seat in range(3)]) == (Stage.CLOUD, [(1, 1, 0)] * 3)
    assert then(state, "cloud -1").seen_by(1).bids == (1, 1, 0)


def test_equal_cards_are_offered_once() -> None:
    state = then(dealt("R3 R4 / W W / B1 J + G5"), "bids 0 0 0")
    assert state.actions() == (PlayCard(1, card("W")),)


# Variants (D09, D47, D90-D92).


def test_clairvoyance_shows_all_cards_but_the_own_one() -> None:
    state = dealt("R3 / W / J + G5", CLAIRVOYANT)
    view = state.seen_by(1)
    assert (view.hands, view.hand) == (((card("R3"),), None, (card("J"),)), ())
    assert "W" not in str(replace(view, house=PLAIN))
    state = then(state, "bids 0 0 1")
    assert state.seen_by(1).actions == (PlayCard(1, card("W")),)
    assert state.seen_by(0).hands == (None, (card("W"),), (card("J"),))
    state = then(state, "play W")
    assert (state.seen_by(1).trick, state.seen_by(1).actions) == ((card("W"),), ())


def test_clairvoyance_ends_with_round_one() -> None:
    view = dealt("R3 R4 / B2 W / B1 J + G5", CLAIRVOYANT).seen_by(1)
    assert view.hands == (None, cards("B2 W"), None)
    first = dealt("R3 R4 / B2 W / B1 J + G5", CLAIRVOYANT, number=1).seen_by(1)
    assert first.hands == (cards("R3 R4"), None, cards("B1 J"))


def test_single_suit_takes_the_highest_value_and_needs_no_following() -> None:
    state = dealt("B1 J W B9 / R13 R1 W J / G13 G2 W J + -", SINGLE, number=1)
    assert (state.stage, state.trump, state.turned_up) == (Stage.BIDS, None, None)
    state = then(state, "bids 1 1 1")
    assert len(state.actions()) == 4
    state = then(state, "play R13 G13 B1", "play R1 G2 B9", "play W W W", "play J J J")
    assert [(trick.leader, trick.winner) for trick in state.tricks] == [(1, 1), (1, 0), (0, 0), (0, 0)]
    assert (state.taken, [score.points for score in state.scores]) == ((3, 1, 0), [-20, 30, -10])


@pytest.mark.parametrize(("number", "trump"), [(1, "B"), (2, "R"), (3, "G"), (4, "Y"), (5, None)])
def test_maximus_has_its_trump_by_round(number: int, trump: str | None) -> None:
    state = dealt("B1 / R2 / G3 + -", MAXIMUS, number=number)
    assert (state.stage, state.trump, state.turned_up) == (Stage.BIDS, trump, None)


def test_maximus_leaves_special_cards_over_without_turning_one_up() -> None:
    house = replace(MAXIMUS, specials=("WEREWOLF", "BOMB"), specials_in_variants=True)
    state = dealt("WEREWOLF / R2 / G3 + -", house)
    assert (state.stage, state.trump) == (Stage.BIDS, Suit.B)


def test_ordinary_pack_frees_with_an_ace_and_skips_a_two() -> None:
    state = dealt("HA H4 / D5 D6 / C2 D3 + HK", FRENCH)
    assert state.trump is Suit.H
    state = then(state, "bids 0 0 0", "play D5 C2")
    assert [str(action.card) for action in state.actions()] == ["HA", "H4"]
    state = then(state, "play H4")
    assert (state.tricks[0].winner, state.tricks[0].outcome.reason.code) == (0, "take_trump")
    state = then(state, "play HA D6 D3")
    assert state.taken == (2, 0, 0)


def test_ordinary_pack_lets_the_dealer_name_trump_for_an_ace() -> None:
    state = dealt("H3 / D5 / C2 + SA", FRENCH, dealer=1)
    assert (state.to_act, [action.suit for action in state.actions()]) == ((1,), [*"HDCS"])
    assert dealt("H3 / D5 / CA + S2", FRENCH).stage is Stage.BIDS


@pytest.mark.parametrize(("rule", "stage"), [(False, Stage.BIDS), (True, Stage.TRUMP)])
def test_last_round_without_a_card_left_has_no_trump_unless_the_dealer_names_it(rule: bool, stage: Stage) -> None:
    house = HouseRules(last_round_dealer_trump=rule)
    deck = [str(own) for own in deck_of(house)]
    state = dealt(f"{' / '.join(' '.join(deck[seat::3]) for seat in range(3))} + -", house, dealer=2)
    assert (state.stage, state.trump) == (stage, None)
    if rule:
        assert [(action.seat, action.suit) for action in state.actions()] == [(2, suit) for suit in "BRGY"]


# Any game.


@GAMES
@given(played_games())
def test_round_has_legal_actions_until_it_is_done_and_accepts_no_others(game) -> None:
    states, _actions = game
    for state in rounds_in(states):
        actions = state.actions()
        assert (actions == ()) == (state.stage in (Stage.DEAL, Stage.DONE))
        assert Counter(action for action in every_action(state) if not state.problems(action)) == Counter(actions)
        assert {action.seat for action in actions} == ({*state.to_act} if actions else set())
        for action in sample_actions():
            if action.stage is not state.stage:
                assert codes(state.problems(action)) == ["action_not_now"]


@GAMES
@given(played_games())
def test_round_never_makes_or_loses_a_card(game) -> None:
    states, _actions = game
    for state in rounds_in(states):
        if state.deal is None:
            assert not open_cards(state)
            continue
        dealt_cards = Counter(own for hand in state.deal.hands for own in hand)
        dealt_cards.update([state.deal.turned_up] if state.deal.turned_up else [])
        assert open_cards(state) == dealt_cards
        assert dealt_cards <= Counter(deck_of(state.house))


@GAMES
@given(played_games())
def test_round_gives_every_trick_to_one_seat_or_the_bomb(game) -> None:
    states, _actions = game
    for state in states[-1].rounds:
        assert state.stage is Stage.DONE
        assert len(state.tricks) == state.step.cards
        assert sum(state.taken) == state.step.cards - state.bombs
        assert state.bombs == sum(Card.parse("BOMB") in trick.cards for trick in state.tricks)
        leader = starter_of(state.dealer, state.players)
        for number, trick in enumerate(state.tricks, start=1):
            is_last = number == state.step.cards
            outcome = trick_outcome(trick.cards, state.trump, single_suit=state.single_suit, last_trick=is_last)
            assert (trick.leader, trick.outcome) == (leader, outcome)
            assert (trick.winner is None) == outcome.bombed
            assert bool(trick.passed) == outcome.pass_left
            leader = (leader + outcome.next_leader) % state.players
        clouds = [trick.cloud_owner for trick in state.tricks if trick.cloud_owner is not None]
        assert [seat for seat, _delta in state.clouds] == clouds


@GAMES
@given(played_games())
def test_round_is_scored_from_what_was_played(game) -> None:
    states, _actions = game
    for state in states[-1].rounds:
        result = state.result
        scores = score_round(
            state.house,
            number=state.step.number,
            cards=state.step.cards,
            bids=result.bids,
            tricks=result.tricks,
            bombs=result.bombs,
            clouds=result.clouds,
            blind=result.blind,
        )
        assert state.scores == scores
        assert result.blind == (state.blind if True in state.blind else ())
        for seat, score in enumerate(scores):
            final = state.bids[seat] + sum(delta for owner, delta in state.clouds if owner == seat)
            taken = sum(trick.winner == seat for trick in state.tricks)
            points = 20 + 10 * taken if final == taken else -10 * abs(final - taken)
            assert score.points == points * (2 if state.blind[seat] else 1)


@GAMES
@given(played_games())
def test_round_keeps_the_bids_once_they_are_made(game) -> None:
    states, _actions = game
    for state in states[-1].rounds:
        bids = [other.bids for other in rounds_in(states) if other.step.number == state.step.number and other.tricks]
        assert set(bids) <= {state.bids}
        if state.house.plus_minus_one and state.step.number >= state.house.plus_minus_one_from:
            assert sum(state.bids) != state.step.cards
        assert state.shown == () or sum(state.shown) == state.step.cards


@GAMES
@given(played_games(most_rounds=1), st.integers(1, 5))
def test_round_turns_with_the_seats(game, steps: int) -> None:
    states, actions = game
    first = states[0]
    players, house = first.players, first.house
    if house.variant == "einfarbig":  # there the piles belong to the seats
        return
    turned = GameState.start(
        house,
        players,
        first_dealer=(first.first_dealer + steps) % players,
        ladder="free",
        cards=[step.cards for step in first.plan],
    )
    for action in actions:
        if isinstance(action, Deal):
            hands = tuple(action.hands[(seat - steps) % players] for seat in range(players))
            turned = turned.after(Deal(hands, action.turned_up))
        else:
            turned = turned.after(replace(action, seat=(action.seat + steps) % players))
    before, after = states[-1].rounds[0], turned.rounds[0]
    for seat in range(players):
        moved = (seat + steps) % players
        assert (after.scores[moved], after.bids[moved]) == (before.scores[seat], before.bids[seat])
        assert turned.block.ranks[moved] == states[-1].block.ranks[seat]
        assert turned.block.totals[moved] == states[-1].block.totals[seat]


# What a seat sees.


def _disguised(state: RoundState, seat: int, rng: Random) -> RoundState:
    """Return the round with everything else in it that this seat must not know."""
    players = state.players
    clairvoyant = state.house.clairvoyance and state.step.number == 1
    unknown = [other for other in range(players) if (other == seat) == clairvoyant]
    pool = list((Counter(deck_of(state.house)) - open_cards(state)).elements())
    pool += [own for other in unknown for own in state.hands[other]]
    rng.shuffle(pool)
    hands = list(state.hands)
    for other in unknown:
        hands[other] = tuple(pool.pop() for _card in state.hands[other])
    garbled = replace(state, hands=tuple(hands))
    if state.deal is not None:
        first = tuple(tuple(rng.choice(deck_of(state.house)) for _card in hand) for hand in state.deal.hands)
        garbled = replace(garbled, deal=replace(state.deal, hands=first))
    others = [other for other in range(players) if other != seat]
    if state.bids:
        blind = [state.blind[other] if other == seat else rng.random() < 0.5 for other in range(players)]
        garbled = replace(garbled, blind=tuple(blind))
    after_tricks = state.stage in (Stage.CLOUD, Stage.DONE)
    is_hidden = state.house.hidden_bids and state.stage is Stage.BIDS and not state.shown
    if state.bids and (is_hidden or (state.house.secret_bids and not after_tricks)):
        bids = list(state.bids)
        for other in others:
            may_miss = state.stage is Stage.BIDS
            bids[other] = rng.choice([*range(state.step.cards + 1), *([None] if may_miss else [])])
        if state.stage is Stage.BIDS and None not in bids:
            bids[others[0]] = None
        garbled = replace(garbled, bids=tuple(bids))
    if state.passing:
        waiting = [rng.choice([None, rng.choice(deck_of(state.house))]) for _seat in range(players)]
        waiting[seat] = state.passing[seat]
        garbled = replace(garbled, passing=tuple(waiting))
    passed = tuple(rng.choice(deck_of(state.house)) for _seat in range(players))
    tricks = tuple(replace(trick, passed=passed) if trick.passed else trick for trick in state.tricks)
    return replace(garbled, tricks=tricks)


@GAMES
@given(played_games(), st.integers(0, 2**32))
def test_view_does_not_change_with_what_a_seat_must_not_know(game, seed: int) -> None:
    states, _actions = game
    rng = Random(seed)
    for state in rounds_in(states):
        for seat in range(state.players):
            seen, disguised = state.seen_by(seat), _disguised(state, seat, rng).seen_by(seat)
            if seen.hands[seat] is None and state.stage in (Stage.PLAY, Stage.PASSING):
                # The own card that is not seen has to be played from somewhere.
                seen, disguised = replace(seen, actions=()), replace(disguised, actions=())
            assert seen == disguised


@GAMES
@given(played_games())
def test_view_tells_what_everybody_knows(game) -> None:
    states, _actions = game
    for state in rounds_in(states):
        for seat in range(state.players):
            view = state.seen_by(seat)
            assert isinstance(view, View)
            assert view.actions == tuple(action for action in state.actions() if action.seat == seat)
            shared = ("house", "step", "dealer", "stage", "turned_up", "trump", "leader", "trick", "players", "taken")
            assert [getattr(view, name) for name in shared] == [getattr(state, name) for name in shared]
            assert [(trick.cards, trick.outcome) for trick in view.tricks] == [
                (trick.cards, trick.outcome) for trick in state.tricks
            ]
            clairvoyant = state.house.clairvoyance and state.step.number == 1
            seen = [other for other, hand in enumerate(view.hands) if hand is not None]
            assert seen == [other for other in range(state.players) if (other == seat) != clairvoyant]
            assert all(view.hands[other] == state.hands[other] for other in seen)
            if state.bids:
                assert view.bids[seat] == state.bids[seat]
            if not (state.house.hidden_bids or state.house.secret_bids):
                assert view.bids == state.bids


@PROPERTY
@given(played_games(most_rounds=1))
def test_round_waits_for_the_right_stage(game) -> None:
    states, _actions = game
    stages = [state.stage for state in rounds_in(states)]
    order = [Stage.DEAL, Stage.SWAP, Stage.TRUMP, Stage.BIDS, Stage.PLAY, Stage.CLOUD, Stage.DONE]
    seen = [stage for stage in dict.fromkeys(stages) if stage is not Stage.PASSING]
    assert seen == [stage for stage in order if stage in seen]
    assert {Stage.DEAL, Stage.BIDS, Stage.PLAY, Stage.DONE} <= {*seen}
    first = next(state for state in rounds_in(states) if state.deal is not None)
    call = trump_call(
        first.house,
        first.step,
        dealer=dealer_of(states[0].first_dealer, 1, first.players),
        turned_up=first.deal.turned_up,
        werewolf=next((seat for seat, hand in enumerate(first.deal.hands) if card("WEREWOLF") in hand), None),
    )
    assert (Stage.SWAP in seen, Stage.TRUMP in seen) == (call.swap is not None, call.is_pending)
