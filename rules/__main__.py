"""The command line: `python -m rules COMMAND`, with `--help` for each.

`check FILE` runs test cases, `sheet FILE` checks a score sheet, `play` lets bots play a game, `replay FILE` shows a
game that is written down.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Sequence

from rules.bots import BOTS, Bot, self_play
from rules.cards import SPECIALS
from rules.decks import DECKS, WIZARD60
from rules.errors import Problem, RulesError, refuse
from rules.notation import read_game, read_house, write_game
from rules.plans import FULL, TOURNAMENT, plan_problems
from rules.sheets import sheet_problems
from rules.telling import tell_game
from rules.variants import STANDARD, VARIANTS
from rules.vectors import UnreadableFile, check_file, read_json, read_text

DONE, FOUND, UNREADABLE = 0, 1, 2
"""Exit codes: all is well, something was found, the file or the command line cannot be read or is against the rules."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `argv` None reads the process's own arguments."""
    arguments = _parser().parse_args(argv)
    try:
        found: bool = arguments.run(arguments)
    except (UnreadableFile, RulesError) as error:
        print(_plain(f"error: {_words(error)}"), file=sys.stderr)
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
    play = commands.add_parser(
        "play",
        help="play a game of bots",
        description="Let bots play a game and print it; the same seed gives the same game.",
    )
    play.add_argument("--players", type=int, default=4, metavar="N", help="3 to 6 (4)")
    play.add_argument("--seed", type=int, default=0, metavar="N", help="of the cards and of random bots (0)")
    play.add_argument("--rounds", type=int, metavar="N", help="only the first N rounds")
    play.add_argument("--ladder", choices=(FULL, TOURNAMENT), default=FULL, help="cards of the rounds (full)")
    play.add_argument("--deck", choices=tuple(DECKS), default=WIZARD60, help=f"({WIZARD60})")
    play.add_argument("--variant", choices=tuple(VARIANTS), default=STANDARD, help=f"({STANDARD})")
    play.add_argument("--specials", default="", metavar="NAMES", help="special cards with commas between them, or all")
    play.add_argument(
        "--rules", default="", metavar="NAMES", help="more house rules with commas between them: plus_minus_one,..."
    )
    play.add_argument("--bots", default="sensible", metavar="NAMES", help=f"{' or '.join(BOTS)}; one, or one a seat")
    play.add_argument("--text", action="store_true", help="print the text that replay reads")
    play.set_defaults(run=_play)
    replay = commands.add_parser(
        "replay", help="play a written game again", description="Read a game that play --text has written; print it."
    )
    replay.add_argument("file", metavar="FILE", help="a game as text")
    replay.set_defaults(run=_replay)
    return parser


def _check(arguments: argparse.Namespace) -> bool:
    """Print the report on a file of cases and return whether any case failed."""
    report = check_file(arguments.file)
    for failure in report.failures:
        print(_plain(f"{failure.id}: expected {json.dumps(failure.expected)}, came {json.dumps(failure.came)}"))
    print(f"{report.passed} passed, {report.failed} failed, {report.unsupported} unsupported")
    return report.failed > 0


def _sheet(arguments: argparse.Namespace) -> bool:
    """Print the problems of a sheet and return whether there are any."""
    problems = sheet_problems(read_json(arguments.file))
    for problem in problems:
        print(_plain(_sentence(problem, "sheet")))
    if not problems:
        print("no problems")
    return bool(problems)


def _play(arguments: argparse.Namespace) -> bool:
    """Print a game of bots."""
    house = read_house(
        [
            f"deck={arguments.deck}",
            f"variant={arguments.variant}",
            *([f"specials={','.join(_specials(arguments.specials))}"] if arguments.specials else []),
            *_names(arguments.rules),
        ]
    )
    refuse(plan_problems(house, arguments.players, ladder=arguments.ladder, rounds=arguments.rounds))
    game = self_play(
        house,
        _bots(arguments.bots, arguments.players),
        random.Random(arguments.seed),
        ladder=arguments.ladder,
        rounds=arguments.rounds,
    )
    print(write_game(game).rstrip() if arguments.text else "\n".join(tell_game(game)))
    return False


def _replay(arguments: argparse.Namespace) -> bool:
    """Print a game that is written in a file."""
    print("\n".join(tell_game(read_game(read_text(arguments.file)))))
    return False


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _specials(text: str) -> Sequence[str]:
    return SPECIALS if text.lower() == "all" else _names(text.upper())


def _bots(text: str, players: int) -> list[Bot]:
    """Return a bot for each seat: the names in turn, again from the start when they are used up."""
    names = _names(text)
    unknown = [name for name in names if name not in BOTS]
    if unknown or not names:
        raise RulesError([Problem.of("bot_unknown", bot=name) for name in unknown or [text]])
    return [BOTS[names[seat % len(names)]] for seat in range(players)]


def _words(error: UnreadableFile | RulesError) -> str:
    return str(error) if isinstance(error, UnreadableFile) else " ".join(map(_sentence, error.problems))


def _sentence(problem: Problem, otherwise: str = "") -> str:
    """Return the problem in words, after the line, round and seat it belongs to, or else after `otherwise`."""
    number = problem.args.get("round")
    line = problem.args.get("line")
    places = [f"line {line}"] if line is not None else []
    places += [f"round {number}"] if number is not None else []
    places += [f"seat {problem.seat}"] if problem.seat is not None else []
    place = ", ".join(places) or otherwise
    return f"{place}: {problem.message}" if place else problem.message


def _plain(text: str) -> str:
    """Return one line that any terminal can show, whatever a file had in its names."""
    return " ".join(text.encode("ascii", "backslashreplace").decode("ascii").split())


def _run() -> int:
    """Run the command of the process; whoever reads its output may stop early, as `head` does."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Nothing more can be written, also not by Python when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    return code


if __name__ == "__main__":
    sys.exit(_run())
