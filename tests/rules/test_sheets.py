import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Block, Problem, sheet_problems
from tests.rules.games import PROPERTY, SHEETS, codes, games, sheet


@pytest.mark.parametrize("name", ["S1", "S6"])
def test_sheet_without_mistakes_has_no_problems(name: str) -> None:
    assert sheet_problems(sheet(name)) == ()


def test_sheet_misprint_of_2019_is_found() -> None:
    assert sheet_problems(sheet("S2")) == (Problem.of("points_printed", 3, round=2, printed=10, computed=20),)


def test_sheets_are_all_read() -> None:
    assert sorted(path.name.split("-")[0] for path in SHEETS.glob("*.json")) == ["S1", "S2", "S6"]


def changed(name: str, *path: Any, to: Any) -> dict[str, Any]:
    """Return a sheet with one entry changed."""
    result = copy.deepcopy(sheet(name))
    place: Any = result
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return result


def found(changed_sheet: Any) -> list[tuple[str, int | None, int | str | None]]:
    """Return (code, seat, round) of each problem."""
    return [(problem.code, problem.seat, problem.args.get("round")) for problem in sheet_problems(changed_sheet)]


@pytest.mark.parametrize(
    ("path", "to", "expected"),
    [
        (("rounds", 1, "points", 2), 0, [("points_printed", 2, 2)]),
        (("rounds", 1, "totals", 2), 20, [("total_printed", 2, 2)]),
        (("rounds", 3, "totals", 0), 0, [("total_printed", 0, 4)]),
        (("rounds", 1, "cards"), 4, [("sheet_cards", None, 2), ("tricks_sum", None, 2)]),
        (("rounds", 1, "tricks", 2), 0, [("tricks_sum", None, 2)]),
        (("rounds", 1, "tricks"), [4, -1, 0, 0], [("tricks_out_of_range", 0, 2), ("tricks_out_of_range", 1, 2)]),
        (("rounds", 0, "bids", 0), 2, [("bid_out_of_range", 0, 1)]),
        (("ladder",), "full", [("sheet_cards", None, 2), ("sheet_cards", None, 3), ("sheet_cards", None, 4)]),
        (("ladder",), "tournament", []),
        (("complete",), True, [("sheet_rounds", None, None)]),
        (("complete",), "yes", [("sheet_shape", None, None)]),
        (("rounds",), [], [("sheet_shape", None, None)]),
        (("ladder",), "tournament-5", [("ladder_players", None, None)]),
        (("ladder",), "our own", []),
        (("players",), 7, [("players", None, None)]),
        (("players",), 10**12, [("sheet_shape", None, None)]),
        (("players",), 999_999, [("players", None, None)]),
        (("players",), -1, [("players", None, None)]),
    ],
)
def test_sheet_problems_point_at_round_and_seat(path, to, expected) -> None:
    assert found(changed("S1", *path, to=to)) == expected


def test_sheet_problem_of_cards_says_what_the_ladder_has() -> None:
    problems = sheet_problems(changed("S1", "ladder", to="full"))
    assert problems[0] == Problem.of("sheet_cards", round=2, cards=3, expected=2)


def test_sheet_totals_go_on_from_the_printed_ones_after_a_bad_round() -> None:
    broken = changed("S1", "rounds", 1, "tricks", to=[0, 0, 0, 0])
    broken["rounds"][3]["totals"][1] += 5
    assert found(broken) == [("tricks_sum", None, 2), ("total_printed", 1, 4)]


def test_sheet_totals_go_on_from_the_printed_ones_after_an_unreadable_round() -> None:
    broken = changed("S1", "rounds", 0, to="smudged")
    broken["rounds"][2]["totals"][0] += 5
    assert found(broken) == [("sheet_shape", None, 1), ("total_printed", 0, 3)]


def test_sheet_problems_come_all_at_once_in_order_of_rounds() -> None:
    broken = changed("S1", "rounds", 3, "points", 0, to=99)
    broken["rounds"][0]["points"] = [1, 20, 20, 30]
    broken["rounds"][2]["bids"] = [1, 1, 1]
    broken["rounds"][1]["cards"] = 2
    assert found(broken) == [
        ("points_printed", 0, 1),
        ("sheet_cards", None, 2),
        ("tricks_sum", None, 2),
        ("sheet_shape", None, 3),
        ("points_printed", 0, 4),
    ]


def test_sheet_with_more_rounds_than_its_ladder() -> None:
    long = sheet("S6") | {"ladder": "tournament-4"}
    long["rounds"] = [{**long["rounds"][0], "number": number} for number in range(1, 12)]
    assert Problem.of("rounds_out_of_range", rounds=11, most=10) in sheet_problems(long)


def test_sheet_reports_each_printed_version_once() -> None:
    both = changed("S2", "rounds", 1, "points", 3, to=30)
    assert [problem.args["printed"] for problem in sheet_problems(both) if problem.code == "points_printed"] == [10, 30]
    same = changed("S2", "rounds", 1, "points", 3, to=10)
    assert codes(sheet_problems(same)) == ["points_printed"]


def test_sheet_cards_must_be_there_for_all() -> None:
    assert found(changed("S6", "rounds", 0, "cards", to=16)) == [
        ("cards_exceed_deck", None, 1),
        ("tricks_sum", None, 1),
    ]
    nothing_dealt = changed("S6", "rounds", 0, "cards", to=0)
    assert codes(sheet_problems(nothing_dealt)).count("cards_out_of_range") == 1


def test_sheet_without_rounds_is_no_sheet() -> None:
    assert codes(sheet_problems(sheet("S6") | {"rounds": []})) == ["sheet_shape"]
    assert codes(sheet_problems(sheet("S1") | {"rounds": []})) == ["sheet_shape"]


def test_sheet_may_have_house_rules_bombs_clouds_and_blind_bids() -> None:
    special = {
        "ladder": "full",
        "players": 3,
        "rules": {"specials": ["BOMB", "CLOUD"], "blind_bids": True},
        "rounds": [
            {
                "number": 1,
                "cards": 1,
                "bids": [0, 0, 1],
                "tricks": [0, 0, 0],
                "points": [20, 40, -10],
                "totals": [20, 40, -10],
                "bombs": 1,
                "blind": [False, True, False],
            },
            {
                "number": 2,
                "cards": 2,
                "bids": [1, 0, 0],
                "tricks": [2, 0, 0],
                "points": [40, 20, 20],
                "totals": [60, 60, 10],
                "cloud": [{"seat": 0, "delta": 1}],
            },
        ],
    }
    assert sheet_problems(special) == ()
    assert found(special | {"rules": {"specials": ["BOMB", "CLOUD"]}}) == [
        ("blind_not_enabled", 1, 1),
    ]
    assert found({name: value for name, value in special.items() if name != "rules"}) == [
        ("blind_not_enabled", 1, 1),
        ("bomb_not_in_deck", None, 1),
        ("cloud_not_in_deck", None, 2),
    ]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"deck": "tarot78"}, ["deck_unknown"]),
        ({"variant": "misere"}, ["variant_unknown"]),
        ({"specials": ["DRAGON"]}, ["dragon_fairy_pair"]),
        ({"luck": True}, ["rule_unknown"]),
        ({"deck": 5}, ["rule_type"]),
        ([], ["sheet_shape"]),
    ],
)
def test_sheet_with_impossible_house_rules_is_judged_no_further(rules, expected) -> None:
    assert codes(sheet_problems(sheet("S2") | {"rules": rules})) == expected


@pytest.mark.parametrize("value", [None, 5, "sheet", [], [1], True, 1.5])
def test_sheet_that_is_no_object_has_a_shape_problem(value: Any) -> None:
    assert sheet_problems(value) == (Problem.of("sheet_shape", field="the sheet", expected="an object"),)


@pytest.mark.parametrize("field", ["ladder", "players", "rounds"])
@pytest.mark.parametrize("value", [None, 1.5, {}, True])
def test_sheet_head_of_a_wrong_type_has_a_shape_problem(field: str, value: Any) -> None:
    (problem,) = sheet_problems(sheet("S1") | {field: value})
    assert (problem.code, problem.args["field"]) == ("sheet_shape", field)


def test_sheet_head_lists_everything_that_is_missing() -> None:
    assert [problem.args["field"] for problem in sheet_problems({})] == ["ladder", "players", "rounds"]


@pytest.mark.parametrize("field", ["number", "cards", "bids", "tricks", "points", "totals"])
def test_sheet_round_with_a_field_missing_has_a_shape_problem(field: str) -> None:
    incomplete = sheet("S1")
    del incomplete["rounds"][1][field]
    problems = sheet_problems(incomplete)
    assert [(problem.code, problem.args["field"], problem.args["round"]) for problem in problems] == [
        ("sheet_shape", field, 2)
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", 3),
        ("number", "2"),
        ("number", 2.0),
        ("cards", "3"),
        ("cards", True),
        ("cards", 10**4000),
        ("points", [20, 40, -10, -(10**6)]),
        ("bids", "0200"),
        ("bids", [0, 2, 0]),
        ("bids", [0, 2, 0, 0, 0]),
        ("bids", [0, 2, 0, None]),
        ("bids", [0, 2, 0, False]),
        ("bids", {"0": 1}),
        ("tricks", 3),
        ("points", ["20", "40", "-10", "20"]),
        ("totals", None),
        ("points_as_printed", [20]),
        ("points_as_printed", None),
        ("bombs", None),
        ("blind", [0, 0, 0, 0]),
        ("blind", True),
        ("cloud", {}),
        ("cloud", [0]),
        ("cloud", [{"seat": 0}]),
        ("cloud", [{"seat": "0", "delta": 1}]),
    ],
)
def test_sheet_round_of_a_wrong_shape_says_which_field(field: str, value: Any) -> None:
    (problem,) = sheet_problems(changed("S1", "rounds", 1, field, to=value))
    assert (problem.code, problem.args["field"], problem.args["round"]) == ("sheet_shape", field, 2)
    assert problem.message


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 30) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
TOP_FIELDS = ["ladder", "players", "rounds", "rules"]
ROUND_FIELDS = ["number", "cards", "bids", "tricks", "points", "totals", "points_as_printed", "bombs", "cloud", "blind"]


@PROPERTY
@given(st.sampled_from(["S1", "S2", "S6"]), st.data())
def test_sheet_problems_never_crash(name: str, data: st.DataObject) -> None:
    broken = sheet(name)
    for _ in range(data.draw(st.integers(1, 3))):
        if data.draw(st.booleans()) and isinstance(broken.get("rounds"), list) and broken["rounds"]:
            rounds = broken["rounds"]
            index = data.draw(st.integers(0, len(rounds) - 1))
            if isinstance(rounds[index], dict):
                rounds[index][data.draw(st.sampled_from(ROUND_FIELDS))] = data.draw(json_values)
        else:
            broken[data.draw(st.sampled_from(TOP_FIELDS))] = data.draw(json_values)
    assert all(problem.message for problem in sheet_problems(broken))


@PROPERTY
@given(json_values)
def test_sheet_problems_answer_anything(value: Any) -> None:
    assert {problem.code for problem in sheet_problems(value)} == {"sheet_shape"}


@PROPERTY
@given(games(), st.data())
def test_sheet_of_a_computed_game_is_right_until_a_number_changes(game, data: st.DataObject) -> None:
    house, plan, played, _ = game
    if not played:
        return
    pad = Block.scored(house, plan, played)
    printed = {
        "ladder": "full",
        "players": pad.seats,
        "rules": house.to_mapping(),
        "rounds": [
            {
                "number": row.number,
                "cards": row.cards,
                "bids": list(entry.bids),
                "tricks": list(entry.tricks),
                "points": [cell.points for cell in row.cells],
                "totals": list(totals),
                "bombs": entry.bombs,
                "cloud": [{"seat": seat, "delta": delta} for seat, delta in entry.clouds],
                "blind": [cell.blind for cell in row.cells],
            }
            for row, entry, totals in zip(pad.rows, played, pad.running_totals, strict=True)
        ],
    }
    assert sheet_problems(printed) == ()
    row, seat = data.draw(st.integers(0, len(played) - 1)), data.draw(st.integers(0, pad.seats - 1))
    field, code = data.draw(st.sampled_from([("points", "points_printed"), ("totals", "total_printed")]))
    printed["rounds"][row][field][seat] += 10
    assert found(printed) == [(code, seat, row + 1)]
