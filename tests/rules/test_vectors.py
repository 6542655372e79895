import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules import Failure, Report, check_cases, check_file
from rules.vectors import KINDS, UnreadableFile, check_case
from tests.rules.games import VECTORS, vector_cases

SUPPORTED = [case for case in vector_cases() if case["kind"] in KINDS]


@pytest.mark.parametrize("case", SUPPORTED, ids=lambda case: case["id"])
def test_vector_is_decided_as_expected(case: dict[str, Any]) -> None:
    assert check_case(case) is None, case["why"]


def test_vectors_of_every_supported_kind_are_there() -> None:
    assert set(KINDS) <= set(Counter(case["kind"] for case in vector_cases()))
    assert len({case["id"] for case in vector_cases()}) == len(vector_cases()) == 310


def test_check_file_counts_every_case() -> None:
    report = check_file(VECTORS)
    assert (report.passed, report.failed, report.failures) == (len(SUPPORTED), 0, ())
    assert report.passed + report.unsupported == 310


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
