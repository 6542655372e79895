import json
from dataclasses import asdict, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import SPECIALS, TIE_BREAKS, VARIANTS, HouseRules, Problem, RulesError, house_rules_problems
from rules.vectors import read_json
from tests.rules.games import PROPERTY, VECTORS, any_house, codes


def test_defaults_are_those_of_the_vectors() -> None:
    defaults = read_json(VECTORS)["meta"]["rules_defaults"]
    assert {name: HouseRules().to_mapping()[name] for name in defaults} == defaults


DRAGON_ALONE = Problem.of("dragon_fairy_pair", missing="FAIRY")


@pytest.mark.parametrize(
    ("house", "problems"),
    [
        (HouseRules(), []),
        (HouseRules(specials=SPECIALS), []),
        (HouseRules(deck="tarot78"), [Problem.of("deck_unknown", deck="tarot78")]),
        (HouseRules(variant="misere"), [Problem.of("variant_unknown", variant="misere")]),
        (HouseRules(tie_break="dice"), [Problem.of("tie_break_unknown", tie_break="dice")]),
        (HouseRules(specials=("WITCH",)), [Problem.of("special_unknown", special="WITCH")]),
        (HouseRules(specials=("bomb",)), [Problem.of("special_unknown", special="bomb")]),
        (HouseRules(specials=("BOMB", "BOMB")), [Problem.of("special_repeated", special="BOMB", count=2)]),
        (HouseRules(specials=("DRAGON",)), [DRAGON_ALONE]),
        (HouseRules(specials=("FAIRY", "BOMB")), [Problem.of("dragon_fairy_pair", missing="DRAGON")]),
        (HouseRules(specials=("FAIRY",), allow_lone_dragon_or_fairy=True), []),
        (HouseRules(plus_minus_one_from=0), [Problem.of("plus_minus_one_from", round=0)]),
        (HouseRules(plus_minus_one=True, hidden_bids=True), []),
        (
            HouseRules(plus_minus_one=True, secret_bids=True),
            [Problem.of("variant_incompatible", first="plus_minus_one", second="secret_bids")],
        ),
        (
            HouseRules(hidden_bids=True, secret_bids=True),
            [Problem.of("variant_incompatible", first="hidden_bids", second="secret_bids")],
        ),
        (
            HouseRules(deck="french52", variant="maximus"),
            [Problem.of("variant_incompatible", first="french52", second="maximus")],
        ),
        (
            HouseRules(deck="french52", variant="einfarbig"),
            [Problem.of("variant_incompatible", first="french52", second="einfarbig")],
        ),
        (HouseRules(deck="french52", specials=("BOMB",)), [Problem.of("deck_has_no_specials", deck="french52")]),
        (
            HouseRules(variant="maximus", clairvoyance=True, specials=("BOMB",)),
            [
                Problem.of("variant_needs_no_specials", variant="maximus"),
                Problem.of("variant_needs_no_specials", variant="clairvoyance"),
            ],
        ),
        (HouseRules(variant="maximus", clairvoyance=True, specials=("BOMB",), specials_in_variants=True), []),
        (HouseRules(plus_minus_one=True, secret_bids=False, specials=SPECIALS), []),
    ],
)
def test_house_rules_problems_name_what_does_not_go_together(house: HouseRules, problems: list[Problem]) -> None:
    assert list(house_rules_problems(house)) == problems


def test_house_rules_problems_come_all_at_once_in_order() -> None:
    house = HouseRules(
        deck="french52",
        specials=("WITCH", "DRAGON"),
        variant="einfarbig",
        tie_break="dice",
        plus_minus_one=True,
        plus_minus_one_from=-1,
        hidden_bids=True,
        secret_bids=True,
    )
    assert codes(house_rules_problems(house, 5)) == [
        "special_unknown",
        "tie_break_unknown",
        "plus_minus_one_from",
        "dragon_fairy_pair",
        "deck_has_no_specials",
        "variant_needs_no_specials",
        "variant_incompatible",
        "variant_incompatible",
        "variant_incompatible",
        "variant_players",
    ]


@pytest.mark.parametrize(
    ("variant", "allowed"), [("standard", {3, 4, 5, 6}), ("einfarbig", {3, 4}), ("maximus", {3, 4, 5, 6})]
)
def test_variant_allows_its_players_only(variant: str, allowed: set[int]) -> None:
    found = {players: codes(house_rules_problems(HouseRules(variant=variant), players)) for players in range(-1, 9)}
    assert {players for players, problems in found.items() if not problems} == allowed
    assert {players for players, problems in found.items() if problems == ["players"]} == {-1, 0, 1, 2, 7, 8}


def test_variant_players_says_who_may_play() -> None:
    assert house_rules_problems(HouseRules(variant="einfarbig"), 5) == (
        Problem.of("variant_players", variant="einfarbig", players=5, fewest=3, most=4),
    )


def test_house_rules_mapping_names_every_field() -> None:
    assert list(HouseRules().to_mapping()) == [field.name for field in fields(HouseRules)]
    assert HouseRules(specials=("BOMB",)).to_mapping() == asdict(HouseRules()) | {"specials": ["BOMB"]}


def test_house_rules_from_mapping_fills_in_defaults() -> None:
    assert HouseRules.from_mapping({}) == HouseRules()
    assert HouseRules.from_mapping({"specials": ["BOMB", "CLOUD"], "plus_minus_one": True}) == HouseRules(
        specials=("BOMB", "CLOUD"), plus_minus_one=True
    )


@pytest.mark.parametrize(
    ("mapping", "problems"),
    [
        ({"blind": True}, [Problem.of("rule_unknown", rule="blind")]),
        ({"blind_bids": 1}, [Problem.of("rule_type", rule="blind_bids", expected="true or false")]),
        (
            {"plus_minus_one_from": True},
            [Problem.of("rule_type", rule="plus_minus_one_from", expected="a whole number")],
        ),
        (
            {"plus_minus_one_from": 1.0},
            [Problem.of("rule_type", rule="plus_minus_one_from", expected="a whole number")],
        ),
        ({"specials": "BOMB"}, [Problem.of("rule_type", rule="specials", expected="a list of names")]),
        ({"specials": [1]}, [Problem.of("rule_type", rule="specials", expected="a list of names")]),
        ({"deck": None}, [Problem.of("rule_type", rule="deck", expected="a name")]),
        (
            {"deck": 60, "x": 1},
            [Problem.of("rule_type", rule="deck", expected="a name"), Problem.of("rule_unknown", rule="x")],
        ),
    ],
)
def test_house_rules_from_mapping_refuses_names_and_types(mapping: dict, problems: list[Problem]) -> None:
    with pytest.raises(RulesError) as caught:
        HouseRules.from_mapping(mapping)
    assert list(caught.value.problems) == problems


@PROPERTY
@given(any_house)
def test_house_rules_go_through_json_and_back(house: HouseRules) -> None:
    assert HouseRules.from_mapping(json.loads(json.dumps(house.to_mapping()))) == house


@PROPERTY
@given(any_house, st.integers(-1, 8))
def test_house_rules_problems_of_players_come_on_top(house: HouseRules, players: int) -> None:
    without, with_players = house_rules_problems(house), house_rules_problems(house, players)
    assert with_players[: len(without)] == without
    assert set(codes(with_players[len(without) :])) <= {"players", "variant_players"}
    assert all(problem.message for problem in with_players)


def test_tables_of_names_are_what_they_were() -> None:
    """Stored games name these: a rename needs a migration."""
    assert list(VARIANTS) == ["standard", "einfarbig", "maximus"]
    assert TIE_BREAKS == ("exact_hits", "shared")
