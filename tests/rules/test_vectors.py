import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import Failure, Report, check_cases, check_file
from rules.vectors import KINDS, UnreadableFile, check_case
from tests.rules.games import PROPERTY, VECTORS, vector_cases
from tests.thorough import scaled

SUPPORTED = vector_cases()


@pytest.mark.parametrize("case", SUPPORTED, ids=lambda case: case["id"])
def test_vector_is_decided_as_expected(case: dict[str, Any]) -> None:
    assert check_case(case) is None, case["why"]


def test_vectors_of_every_supported_kind_are_there() -> None:
    kinds = Counter(case["kind"] for case in vector_cases())
    assert set(KINDS) == set(kinds) == {"plan", "trump", "bids", "legal", "trick", "score", "ranking", "round"}
    assert len({case["id"] for case in vector_cases()}) == len(vector_cases()) == 310


def test_check_file_counts_every_case() -> None:
    report = check_file(VECTORS)
    assert report == Report(passed=310, failed=0, unsupported=0)


def wrong(value: Any) -> Any:
    """Return something else of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return [wrong(value[0]), *value[1:]] if value else [0]
    return 0


@pytest.mark.parametrize("case", SUPPORTED, ids=lambda case: case["id"])
def test_vector_fails_when_any_expectation_is_wrong(case: dict[str, Any]) -> None:
    for name, value in case["expect"].items():
        twisted = {**case, "expect": {**case["expect"], name: wrong(value)}}
        assert check_case(twisted) is not None, name


@pytest.mark.parametrize("case", [case for case in SUPPORTED if "error" in case["expect"]], ids=lambda case: case["id"])
def test_vector_fails_when_its_error_is_not_expected(case: dict[str, Any]) -> None:
    assert check_case({**case, "expect": {}}) is not None


GIVEN = {"cards": 3, "bids": [1, 0, 2], "tricks": [1, 0, 2]}
GOOD = {"id": "X1", "kind": "score", "given": GIVEN, "expect": {"points": [30, 20, 40]}}


def test_check_cases_reports_in_file_order() -> None:
    other = {**GOOD, "id": "X2", "expect": {"points": [30, 20, 50]}}
    assert check_cases([GOOD, other, {**GOOD, "kind": "poker"}]) == Report(
        passed=1, failed=1, unsupported=1, failures=(Failure("X2", {"points": [30, 20, 50]}, {"points": [30, 20, 40]}),)
    )


def test_check_cases_of_nothing_is_an_empty_report() -> None:
    assert check_cases([]) == Report(0, 0, 0)


def test_check_case_expects_an_error_to_be_the_only_one() -> None:
    both = {**GOOD, "given": {**GIVEN, "tricks": [1, 0, 1], "bombs": -1}, "expect": {"error": "tricks_sum"}}
    failure = check_case(both)
    assert failure is not None
    assert failure.came == {"error": "bombs_out_of_range, tricks_sum"}


@pytest.mark.parametrize(
    "case",
    [None, 5, "S001", [], {}, {**GOOD, "id": 5}, {**GOOD, "kind": []}, {**GOOD, "given": 1}, {**GOOD, "expect": 1}],
)
def test_check_cases_fails_what_is_no_case(case: Any) -> None:
    report = check_cases([case, GOOD])
    assert (report.passed, report.failed) == (1, 1)
    assert report.failures[0].id == "case 1"


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("score", {}),
        ("score", {**GIVEN, "bids": None}),
        ("score", {**GIVEN, "bids": ["1", "0", "2"]}),
        ("score", {**GIVEN, "cloud": [1]}),
        ("score", {**GIVEN, "rules": []}),
        ("score", {**GIVEN, "totals_before": [1]}),
        ("score", {**GIVEN, "rules": {"luck": True}}),
        ("plan", {"mode": "dance"}),
        ("plan", {"mode": []}),
        ("plan", {"mode": "table", "players": "four"}),
        ("bids", {"mode": "allowed", "cards": 1, "players": 3, "dealer": 0, "bids": [0, 0, 0]}),
        ("bids", {"mode": "allowed", "cards": 1, "players": 3, "dealer": 9, "bids": []}),
        ("ranking", {"totals": [1]}),
        ("ranking", {"rounds": [{"points": [1], "exact": [True]}, {"points": [], "exact": []}]}),
    ],
)
def test_check_case_fails_what_it_cannot_read(kind: str, given: dict[str, Any]) -> None:
    assert check_case({"id": "X", "kind": kind, "given": given, "expect": {"points": []}}) is not None


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"5", b'{"cases": {}}', b"{}", b"\xff\xfe\x00", b"[" * 100_000, b"1" * 5000]
)
def test_check_file_refuses_what_is_no_file_of_cases(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=r"cases\.json: not|cases\.json: nested") as caught:
        check_file(path)
    assert "\n" not in str(caught.value)


def test_check_file_refuses_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(UnreadableFile):
            check_file(path)


def test_check_file_reads_a_file_of_one_case(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [GOOD]}), encoding="utf-8")
    assert check_file(str(path)) == Report(1, 0, 0)


HUGE = 10**12


@pytest.mark.parametrize(
    ("kind", "given", "error"),
    [
        ("bids", {"mode": "allowed", "cards": HUGE, "players": 4, "dealer": 3, "bids": []}, "cards_exceed_deck"),
        ("bids", {"mode": "allowed", "cards": 16, "players": 4, "dealer": 3, "bids": []}, "cards_exceed_deck"),
        ("bids", {"mode": "allowed", "cards": 3, "players": HUGE, "dealer": 3, "bids": []}, "players"),
        ("bids", {"mode": "allowed", "cards": 0, "players": 4, "dealer": 3, "bids": []}, "cards_out_of_range"),
        ("plan", {"mode": "table", "players": HUGE}, "players"),
        ("plan", {"mode": "table", "players": 4, "rounds": HUGE}, "rounds_out_of_range"),
        ("plan", {"mode": "schedule", "players": HUGE, "first_dealer": 0, "round": 1}, "players"),
        ("trump", {"players": HUGE, "dealer": 0, "cards": 1, "turned_up": "W"}, "players"),
        (
            "round",
            {"players": HUGE, "dealer": 0, "turned_up": "W", "hands": [["B1"]], "bids": [0], "plays": []},
            "players",
        ),
    ],
)
def test_check_case_builds_nothing_of_absurd_size(kind: str, given: dict[str, Any], error: str) -> None:
    assert check_case({"id": "X", "kind": kind, "given": given, "expect": {"error": error}}) is None


def test_check_case_counts_rounds_far_beyond_any_game() -> None:
    given = {"mode": "schedule", "players": 4, "first_dealer": 0, "round": HUGE + 2}
    expect = {"dealer": 1, "starter": 2, "bid_order": [2, 3, 0, 1]}
    assert check_case({"id": "X", "kind": "plan", "given": given, "expect": expect}) is None


def test_check_case_scores_any_size_as_plain_sums() -> None:
    given = {"cards": HUGE, "bids": [HUGE, 0, 0], "tricks": [HUGE, 0, 0]}
    assert (
        check_case({"id": "X", "kind": "score", "given": given, "expect": {"points": [20 + 10 * HUGE, 20, 20]}}) is None
    )


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.sampled_from(
        [HUGE, -HUGE, 3.5, float("inf"), float("nan"), "", "W", "B7", "JUGGLER", "CLOUD:R", "x", "einfarbig"]
    ),
    st.sampled_from([[], {}, [0], [[]], ["B7"], [True], {"seat": 0}, {"0": []}]),
)


@settings(PROPERTY, max_examples=scaled(250, 40))
@given(st.sampled_from(SUPPORTED), st.data())
def test_check_case_never_breaks_down(case: dict[str, Any], data) -> None:
    """One value anywhere in a case is another: it passes, fails or cannot be read, and what failed can be printed."""
    damaged = copy.deepcopy(case)
    inner: Any = damaged["given"]
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(inner[key], dict | list) and inner[key] and data.draw(st.booleans()):
            inner = inner[key]
            continue
        break
    inner[key] = data.draw(VALUES)
    failure = check_case(damaged)
    assert failure is None or json.dumps([failure.expected, failure.came])


def test_check_case_takes_a_game_without_its_werewolf_as_unreadable() -> None:
    case = next(case for case in SUPPORTED if case["kind"] == "round" and "werewolf" in case["given"])
    given = {name: value for name, value in case["given"].items() if name != "werewolf"}
    failure = check_case({**case, "given": given})
    assert failure is not None
    assert failure.came == "the case cannot be read: KeyError 'werewolf'"
