import copy
import pickle
import string

import pytest

import rules
from rules import MESSAGES, HouseRules, Problem, RulesError
from rules.vectors import read_json
from tests.rules.games import VECTORS, codes


def test_messages_cover_every_code_of_the_vectors() -> None:
    assert set(read_json(VECTORS)["meta"]["errors"]) - set(MESSAGES) == set()


def test_problem_of_keeps_the_order_of_its_params() -> None:
    problem = Problem.of("bid_out_of_range", 2, bid=4, cards=3)
    assert problem == Problem("bid_out_of_range", 2, (("bid", 4), ("cards", 3)))
    assert problem.args == {"bid": 4, "cards": 3}


def test_problem_of_takes_a_param_called_like_an_argument() -> None:
    assert Problem.of("x", None, seat=3, code="y").args == {"seat": 3, "code": "y"}


def test_problem_message_is_a_sentence() -> None:
    assert Problem.of("bid_out_of_range", 2, bid=4, cards=3).message == "A bid of 4 is not possible with a hand of 3."


@pytest.mark.parametrize(("difference", "sign"), [(1, "(+1)"), (-2, "(-2)")])
def test_problem_message_shows_the_sign_of_a_difference(difference: int, sign: str) -> None:
    problem = Problem.of("tricks_sum", sum=3 + difference, countable=3, difference=difference, missing=0, surplus=0)
    assert sign in problem.message


def test_problem_message_does_not_format_a_param_again() -> None:
    assert Problem.of("card_unknown", card="{0.__class__}").message == "There is no card written '{0.__class__}'."


@pytest.mark.parametrize(
    ("problem", "message"),
    [(Problem("name_missing", 1), "name missing."), (Problem.of("table_full", most=6), "table full: most 6.")],
)
def test_problem_message_spells_out_a_foreign_code(problem: Problem, message: str) -> None:
    assert problem.message == message


def test_problem_in_round_sets_the_round_once() -> None:
    problem = Problem.of("blind_not_available", 0, round=1)
    assert problem.in_round(3) == Problem.of("blind_not_available", 0, round=3)


def test_messages_are_sentences_with_named_fields() -> None:
    for code, template in MESSAGES.items():
        assert template.endswith("."), code
        fields = [field for _, field, _, _ in string.Formatter().parse(template) if field is not None]
        assert all(field.isidentifier() for field in fields), code


def test_rules_error_carries_all_problems_and_says_them() -> None:
    problems = (Problem("bomb_not_in_deck"), Problem("cloud_not_in_deck"))
    error = RulesError(iter(problems))
    assert error.problems == problems
    assert str(error) == "The bomb is not in this deck. The cloud is not in this deck."
    assert isinstance(error, ValueError)


def test_rules_error_survives_pickling_and_copying() -> None:
    error = RulesError([Problem("bomb_not_in_deck")])
    assert pickle.loads(pickle.dumps(error)).problems == error.problems
    assert copy.copy(error).problems == error.problems


def test_package_exports_what_it_names() -> None:
    assert [name for name in rules.__all__ if not hasattr(rules, name)] == []
    assert len(set(rules.__all__)) == len(rules.__all__)


def test_check_house_rules_raises_every_problem() -> None:
    house = HouseRules(deck="tarot", variant="misere", tie_break="dice")
    with pytest.raises(RulesError) as caught:
        rules.check_house_rules(house)
    assert codes(caught.value.problems) == ["deck_unknown", "variant_unknown", "tie_break_unknown"]
