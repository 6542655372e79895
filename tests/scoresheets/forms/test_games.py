"""A game being set up as a value: what its fields mean, without a page around it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

import rules
from scoresheets.forms.games import EXCLUDING, FREE, LENGTHS, Setup
from scoresheets.forms.house import BID_MODES, FLAGS, bid_mode_of

NAMES = ("Annika", "Bernd", "Cem", "Doro", "Emil", "Frida")

houses = st.builds(
    rules.HouseRules,
    deck=st.sampled_from(list(rules.DECKS)),
    specials=st.lists(st.sampled_from(rules.SPECIALS), unique=True).map(
        lambda cards: tuple(card for card in rules.SPECIALS if card in cards)
    ),
    variant=st.sampled_from(list(rules.VARIANTS)),
    plus_minus_one_from=st.integers(1, 20),
    tie_break=st.sampled_from(rules.TIE_BREAKS),
    hidden_bids=st.booleans(),
    secret_bids=st.booleans(),
    **{flag: st.booleans() for flag in FLAGS},
)


def setup_of(**sent) -> Setup:
    """Return what these fields say; a list is a field that is sent several times."""
    data = QueryDict(mutable=True)
    for name, value in sent.items():
        data.setlist(name, value if isinstance(value, list | tuple) else [value])
    return Setup.from_post(data)


def sent_by(house: rules.HouseRules) -> dict[str, object]:
    """Return the fields of a page on which these house rules are chosen."""
    modes = [mode for mode in BID_MODES[1:] if getattr(house, f"{mode}_bids")]
    return {
        "house": "1",
        **{name: str(getattr(house, name)) for name in ("deck", "variant", "tie_break", "plus_minus_one_from")},
        **{flag: "on" for flag in FLAGS if getattr(house, flag)},
        "special": list(house.specials),
        "bid_mode": modes or ["open"],
    }


def test_every_house_rule_is_read_from_some_field():
    others = {"deck", "specials", "variant", "plus_minus_one_from", "hidden_bids", "secret_bids", "tie_break"}

    assert {*FLAGS, *others} == set(rules.HouseRules().to_mapping())


@given(houses)
def test_house_rules_are_what_the_fields_say(house):
    assert setup_of(**sent_by(house)).house == house


@given(houses, st.sampled_from(range(3, 7)), st.sampled_from(["tournament", *LENGTHS[:3], FREE]))
def test_setup_without_problems_can_be_started_and_one_with_problems_cannot(house, players, length):
    setup = replace(Setup(names=NAMES[:players], length=length, typed_cards="1 2 8").with_house(house))
    expected = rules.plan_problems(house, players, **setup.plan_arguments)

    assert setup.plan_problems() == setup.checked().problems == expected
    assert (setup.plans() == ()) == (expected != ())


@given(houses, houses, st.sampled_from(range(3, 7)))
def test_what_is_barred_would_bring_a_problem_that_is_not_there_now(house, other, players):
    now, then = (Setup(names=NAMES[:players]).with_house(rules) for rules in (house, other))
    bars = now.bars(then, now.plan_problems())

    assert {problem.code for problem in bars} <= EXCLUDING
    assert set(bars) == {
        problem for problem in set(then.plan_problems()) - set(now.plan_problems()) if problem.code in EXCLUDING
    }


@pytest.mark.parametrize(
    ("variant", "players"), [(variant.name, n) for variant in rules.VARIANTS.values() for n in variant.players]
)
def test_setup_like_a_game_plays_the_same_plan(variant, players):
    house = rules.HouseRules(variant=variant)
    for rounds in range(1, rules.most_rounds(house, players) + 1):
        plan = [plan.cards for plan in rules.round_plans(house, players, rounds=rounds)]
        setup = Setup(names=NAMES[:players]).like(house, players, ladder="full", plan=plan)
        assert [plan.cards for plan in setup.plans()] == plan
        assert setup.ladder == "full"


@pytest.mark.parametrize(
    ("sent", "length"),
    [
        ({}, "full"),
        ({"length": "half"}, "half"),
        ({"rounds": "7"}, "own"),
        ({"length": "full", "rounds": "7", "shown_rounds": "15"}, "own"),
        ({"length": "full", "rounds": "15", "shown_rounds": "15"}, "full"),
        ({"length": "full", "shown_length": "full", "cards": "1 2", "shown_cards": "1 2 3"}, "free"),
        ({"length": "half", "shown_length": "full", "cards": "1 2", "shown_cards": "1 2 3"}, "half"),
        ({"length": "free", "shown_length": "full", "cards": "1 2 3", "shown_cards": "1 2 3"}, "free"),
        ({"length": "free", "shown_length": "free", "cards": "", "shown_cards": "1 2 3"}, "free"),
        ({"length": "full", "shown_length": "full", "cards": "", "shown_cards": "1 2 3"}, "full"),
        ({"rounds": "15", "shown_rounds": "15", "shown_length": "own"}, "own"),
        ({"rounds": "15", "shown_rounds": "15", "cards": "1 2", "shown_cards": "1 2 3", "shown_length": "own"}, "free"),
    ],
)
def test_what_was_typed_counts_and_what_only_stood_there_follows(sent, length):
    assert setup_of(**sent).length == length


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("1 3 5", (1, 3, 5)),
        ("1,3,5", (1, 3, 5)),
        (" 1 ; 3,\t5 ", (1, 3, 5)),
        ("", ()),
        (",,", ()),
        ("1 x 5", (1,)),
        ("007", (7,)),
    ],
)
def test_list_of_cards_is_read_up_to_what_is_no_number(typed, cards):
    assert setup_of(length="free", cards=typed).cards == cards


@pytest.mark.parametrize(
    ("length", "steps", "rounds"),
    [("tournament", -1, "9"), ("free", 1, "4"), ("full", 1, "15"), ("half", -1, "7")],
)
def test_steps_go_from_the_number_of_rounds_that_is_shown(length, steps, rounds):
    setup = Setup(names=NAMES[:4], length=length, typed_cards="5 5 5").stepped(steps)

    assert (setup.length, setup.rounds) == ("own", rounds)


@pytest.mark.parametrize("name", list(rules.PRESETS))
def test_preset_is_told_from_a_setup_that_has_been_changed(name):
    setup = Setup(names=NAMES[:4]).with_preset(name)

    assert (setup.preset, setup.edition) == (name, name)
    changed = replace(setup, blind_bids=True)
    assert (changed.preset, changed.edition) == (None, name)
    assert replace(setup, cloud_upper_clamp=not setup.cloud_upper_clamp).edition is None


@pytest.mark.parametrize(
    ("house", "mode"),
    [({}, "open"), ({"hidden_bids": True}, "hidden"), ({"secret_bids": True}, "secret")],
)
def test_bid_mode_is_one_of_three(house, mode):
    assert bid_mode_of(rules.HouseRules(**house)) == mode


def test_lengths_with_an_unknown_pack_are_those_of_the_plain_game():
    assert Setup(names=NAMES[:4], deck="tarot").length_rounds == {"full": 15, "short": 10, "half": 8}
