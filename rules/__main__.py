"""The command line: `python -m rules check FILE` runs test cases, `python -m rules sheet FILE` checks a score sheet."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from rules.errors import Problem
from rules.sheets import sheet_problems
from rules.vectors import UnreadableFile, check_file, read_json

DONE, FOUND, UNREADABLE = 0, 1, 2
"""Exit codes: all is well, something was found, the file (or the command line) cannot be read."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `argv` None reads the process's own arguments."""
    arguments = _parser().parse_args(argv)
    try:
        found: bool = arguments.run(arguments.file)
    except UnreadableFile as error:
        print(_plain(f"error: {error}"), file=sys.stderr)
        return UNREADABLE
    return FOUND if found else DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rules", description="The rules of the card game Wizard.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    check = commands.add_parser(
        "check",
        help="run a file of test cases",
        description="Run a file of test cases; print each that fails and how many passed.",
    )
    check.add_argument("file", metavar="FILE", help="a JSON file with a list called cases")
    check.set_defaults(run=_check)
    sheet = commands.add_parser(
        "sheet",
        help="check the numbers of a score sheet",
        description="Compare a score sheet with the rules; print each number that is not what they give.",
    )
    sheet.add_argument("file", metavar="FILE", help="a JSON file with one sheet; seats are counted from 0")
    sheet.set_defaults(run=_sheet)
    return parser


def _check(file: str) -> bool:
    """Print the report on a file of cases and return whether any case failed."""
    report = check_file(file)
    for failure in report.failures:
        print(_plain(f"{failure.id}: expected {json.dumps(failure.expected)}, came {json.dumps(failure.came)}"))
    print(f"{report.passed} passed, {report.failed} failed, {report.unsupported} unsupported")
    return report.failed > 0


def _sheet(file: str) -> bool:
    """Print the problems of a sheet and return whether there are any."""
    problems = sheet_problems(read_json(file))
    for problem in problems:
        print(_plain(_sentence(problem)))
    if not problems:
        print("no problems")
    return bool(problems)


def _sentence(problem: Problem) -> str:
    """Return the problem in words, after the round and seat it belongs to."""
    number = problem.args.get("round")
    places = [f"round {number}"] if number is not None else []
    places += [f"seat {problem.seat}"] if problem.seat is not None else []
    return f"{', '.join(places) or 'sheet'}: {problem.message}"


def _plain(text: str) -> str:
    """Return one line that any terminal can show, whatever a file had in its names."""
    return " ".join(text.encode("ascii", "backslashreplace").decode("ascii").split())


if __name__ == "__main__":
    sys.exit(main())
