import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main
from tests.rules.games import SHEETS, VECTORS

S2 = SHEETS / "S2-final-2019-misprint.json"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def write(tmp_path: Path):
    def to_file(content: Any) -> str:
        path = tmp_path / "given.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    return to_file


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rules", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_check_ends_with_the_counts() -> None:
    result = run("check", str(VECTORS))
    assert (result.returncode, result.stderr) == (0, "")
    passed, failed, unsupported = (int(part.split()[0]) for part in result.stdout.splitlines()[-1].split(", "))
    assert (failed, passed + unsupported) == (0, 310)


def test_check_prints_each_failing_case(write, capsys) -> None:
    given = {"cards": 1, "bids": [0, 0, 1], "tricks": [0, 0, 1]}
    case = {"id": "X1", "kind": "score", "given": given, "expect": {"points": [0, 20, 30]}}
    assert main(["check", write({"cases": [case, case | {"expect": {}}, case | {"kind": "poker"}]})]) == 1
    assert capsys.readouterr().out.splitlines() == [
        'X1: expected {"points": [0, 20, 30]}, came {"points": [20, 20, 30]}',
        "1 passed, 1 failed, 1 unsupported",
    ]


def test_check_keeps_each_failure_on_one_plain_line(write, capsys) -> None:
    case = {"id": "a\nb \ud800 ü", "kind": "score", "given": {}, "expect": {}}
    assert main(["check", write({"cases": [case, None]})]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("a b \\ud800 \\xfc: expected {}, came ")
    assert lines[1].startswith("case 2: expected ")


def test_sheet_prints_the_misprint_in_words() -> None:
    result = run("sheet", str(S2))
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout == "round 2, seat 3: The sheet prints 10 points where the rules give 20.\n"


@pytest.mark.parametrize("name", ["S1-final-2018.json", "S6-worked-example.json"])
def test_sheet_without_mistakes_says_so(name: str, capsys) -> None:
    assert main(["sheet", str(SHEETS / name)]) == 0
    assert capsys.readouterr().out == "no problems\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ([], "sheet: Expected an object for the sheet."),
        (
            {"ladder": "full", "players": 3, "rounds": ["x"]},
            "round 1: Expected an object for a round.",
        ),
        ({"ladder": "full", "players": 9, "rounds": ["x"]}, "sheet: Wizard is played by three to six, not by 9."),
    ],
)
def test_sheet_names_a_wrong_shape(content: Any, line: str, write, capsys) -> None:
    assert main(["sheet", write(content)]) == 1
    assert capsys.readouterr().out.splitlines() == [line]


@pytest.mark.parametrize("command", ["check", "sheet"])
@pytest.mark.parametrize("content", ["", "{", "nonsense", "[" * 100_000])
def test_unreadable_file_is_one_line_and_exit_code_two(command: str, content: str, write, capsys) -> None:
    assert main([command, write(content)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("error: ")


@pytest.mark.parametrize("command", ["check", "sheet"])
def test_missing_file_is_one_line_and_exit_code_two(command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path / "missing.json"))
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.endswith("missing.json: No such file or directory\n")
    assert "Traceback" not in result.stderr


def test_check_refuses_a_file_without_cases(write, capsys) -> None:
    assert main(["check", write({"rounds": []})]) == 2
    assert "not a file of cases" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["sheet", "--help"]])
def test_help_is_there(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 0
    assert "FILE" in capsys.readouterr().out or arguments == ["--help"]


@pytest.mark.parametrize("arguments", [[], ["replay"], ["check"], ["sheet", "a", "b"]])
def test_wrong_command_line_is_exit_code_two(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
