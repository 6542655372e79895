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
    assert (result.returncode, result.stdout, result.stderr) == (0, "310 passed, 0 failed, 0 unsupported\n", "")


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


@pytest.mark.parametrize("command", ["check", "sheet"])
def test_number_that_no_game_can_have_is_refused(command: str, write, capsys) -> None:
    assert main([command, write('{"cases": [' + "9" * 4000 + "]}")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.split(": ", 2)[2]) == ("", "not JSON (a number of 4000 digits)\n")


def test_check_reads_a_file_with_a_byte_order_mark(tmp_path: Path, capsys) -> None:
    path = tmp_path / "marked.json"
    path.write_text('{"cases": []}', encoding="utf-8-sig")
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == "0 passed, 0 failed, 0 unsupported\n"


def played(capsys, *arguments: str) -> str:
    assert main(["play", *arguments]) == 0
    out, err = capsys.readouterr()
    assert (err, out.isascii()) == ("", True)
    return str(out)


SHORT = ["--bots", "random", "--rounds", "2"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", "3", "--seed", "5"],
        ["--players", "6", "--seed", "-5", "--specials", "ALL"],
        ["--specials", "all", "--rules", "weak_specials_no_trump,cloud_upper_clamp=no"],
        ["--specials", "bomb, cloud", "--rules", "blind_bids"],
        ["--deck", "french52"],
        ["--variant", "einfarbig"],
        ["--variant", "maximus"],
        ["--ladder", "tournament"],
        ["--rules", "plus_minus_one,hidden_bids"],
        ["--rules", "secret_bids , tie_break=shared"],
        ["--rules", "clairvoyance", "--bots", "sensible,random"],
        ["--bots", "sensible"],
    ],
)
def test_play_tells_a_game_that_can_be_written_and_played_again(arguments: list[str], tmp_path: Path, capsys) -> None:
    told = played(capsys, *SHORT, *arguments)
    assert told == played(capsys, *SHORT, *arguments)
    assert told.startswith("Round 1 of 2: ")
    path = tmp_path / "game.txt"
    path.write_text(played(capsys, *SHORT, *arguments, "--text"), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == told


def test_play_differs_with_the_seed(capsys) -> None:
    assert played(capsys, *SHORT, "--seed", "1") != played(capsys, *SHORT, "--seed", "2")


def test_play_plays_the_ladder_it_is_told(capsys) -> None:
    told = played(capsys, *SHORT, "--ladder", "tournament")
    assert [line for line in told.splitlines() if line.startswith("Round ")] == [
        "Round 1 of 2: 1 card, seat 0 deals",
        "Round 2 of 2: 3 cards, seat 1 deals",
    ]


def test_play_seats_the_bots_in_turn(capsys) -> None:
    named = played(capsys, "--rounds", "3", "--bots", "sensible,random,sensible,random")
    assert named == played(capsys, "--rounds", "3", "--bots", "sensible,random")
    for others in ("random,sensible", "sensible", "sensible,random,random,random"):
        assert named != played(capsys, "--rounds", "3", "--bots", others)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "2"], "Wizard is played by three to six, not by 2."),
        (["--players", "-1"], "Wizard is played by three to six, not by -1."),
        (["--players", "1000000000000"], "Wizard is played by three to six, not by 1000000000000."),
        (["--rounds", "0"], "A game of 0 rounds is not possible: choose 1 to 15."),
        (["--rounds", "1000000000"], "A game of 1000000000 rounds is not possible: choose 1 to 15."),
        (["--specials", "dragon"], "Dragon and fairy are played together: FAIRY is missing."),
        (["--specials", "witch"], "There is no special card called 'WITCH'."),
        (["--specials", "bomb,bomb"], "The special card BOMB is in the deck 2 times: one copy each."),
        (["--rules", "luck"], "There is no house rule called 'luck'."),
        (["--rules", "hidden_bids=maybe"], "'hidden_bids=maybe' is not understood here."),
        (["--rules", "hidden_bids,secret_bids"], "hidden_bids and secret_bids exclude each other."),
        (["--bots", "clever"], "There is no bot called 'clever'."),
        (["--bots", "clever,random,wise"], "There is no bot called 'clever'. There is no bot called 'wise'."),
        (["--bots", ","], "There is no bot called ','."),
        (["--bots", "\u00fc"], "There is no bot called '\\xfc'."),
        (["--variant", "einfarbig", "--players", "5"], "The variant einfarbig is for 3 to 4 players, not for 5."),
        (
            ["--variant", "einfarbig", "--specials", "bomb", "--rules", "specials_in_variants"],
            "The variant einfarbig has no place for special cards when cards are dealt.",
        ),
        (["--ladder", "tournament", "--players", "6"], "The ladder 'tournament' is not made for 6 players."),
    ],
)
def test_play_refuses_in_words(arguments: list[str], words: str, capsys) -> None:
    assert main(["play", *arguments]) == 2
    assert capsys.readouterr() == ("", f"error: {words}\n")


@pytest.mark.parametrize(
    "arguments",
    [["--players", "four"], ["--seed", "x"], ["--deck", "tarot"], ["--variant", "x"], ["--ladder", "x"], ["extra"]],
)
def test_play_refuses_a_wrong_command_line(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["play", *arguments])
    assert caught.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "line 1: The head of the game does not say 'wizard'."),
        ("wizard 1\nplayers four\n", "line 2: 'four' is not understood here."),
        (
            "wizard 1\nplayers 3\ndealer 0\ncards 1\nround 1\ndeal B1 / B2 / B3 + B4\nbids 2 0 0\n",
            "line 7, seat 1: A bid of 2 is not possible with a hand of 1.",
        ),
    ],
)
def test_replay_names_the_line(content: str, words: str, write, capsys) -> None:
    assert main(["replay", write(content)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(f"error: {words}"), err.count("\n")) == ("", True, 1)


def test_replay_refuses_what_is_no_text(tmp_path: Path, capsys) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"\xff\xfe")
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err.endswith("game.txt: not a text file in UTF-8\n")


def test_output_that_nobody_reads_ends_quietly() -> None:
    """The reader is gone before the first line is written, as `head` is after its last one."""
    game = [sys.executable, "-m", "rules", "play", *SHORT]
    with subprocess.Popen(game, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == ("", 0)
