from random import Random

from hypothesis import given

from rules import GameState, HouseRules, random_bot, read_game, self_play, tell_game, write_game
from tests.rules.games import PLAIN
from tests.rules.played import ALL, GAMES, play_out, played_games
from tests.rules.test_notation import WHOLE
from tests.thorough import scaled

TOLD = """\
Round 1 of 2: 2 cards, seat 0 deals
  seat 0: R13 B1   bids 2
  seat 1: WEREWOLF CLOUD   bids 1
  seat 2: JUGGLER R4   bids 0 blind
  The werewolf is swapped for G5: whoever held it names trump. Seat 1 names no trump.
  The bids 1, 1, 0 added up: seat 0 had to change.
  trick 1, seat 1 leads: CLOUD:R JUGGLER:R R13 - seat 0 takes it. R13 is the highest card of the suit led, and nobody \
has trumped.
    Passed to the left, from seat 0 on: B1 G5 R4
  trick 2, seat 0 leads: R4 B1 G5 - seat 0 takes it. R4 is the only card of the suit led, and nobody has trumped.
  Cloud: seat 0 changes its bid by -1.
  seat 0: bid 1, took 2, missed: -10 = -10
  seat 1: bid 1, took 0, missed: -10 = -10
  seat 2: bid 0, took 0, exact: +40 = 40

Round 2 of 2: 1 card, seat 1 deals
  seat 0: W   bids 1
  seat 1: J   bids 1
  seat 2: BOMB   bids 0
  W is turned up: the dealer names trump. Seat 1 names R.
  trick 1, seat 2 leads: BOMB W J - nobody gets it. A wizard beats every card with a suit.
    The bomb destroys the trick; seat 0 leads on.
  seat 0: bid 1, took 0, missed: -10 = -20
  seat 1: bid 1, took 0, missed: -10 = -20
  seat 2: bid 0, took 0, exact: +20 = 60

After 2 of 2 rounds:
  1. seat 2: 60 points, 2 exact bids
  2. seat 0: -20 points, 0 exact bids
  2. seat 1: -20 points, 0 exact bids
"""


def told(game: GameState) -> str:
    return "\n".join(tell_game(game)) + "\n"


def test_game_is_told_round_by_round() -> None:
    assert told(read_game(WHOLE)) == TOLD


def test_game_is_told_as_far_as_it_has_come() -> None:
    lines = WHOLE.splitlines(keepends=True)
    assert told(read_game("".join(lines[:5]))) == "Nothing is dealt yet.\n"
    assert told(read_game("".join(lines[:8]))) == (
        "Round 1 of 2: 2 cards, seat 0 deals\n"
        "  seat 0: R13 B1\n  seat 1: WEREWOLF CLOUD\n  seat 2: JUGGLER R4\n"
        "  Seat 1 holds the werewolf and has to swap it for G5.\n\n"
    )
    swapped = told(read_game("".join(lines[:9])))
    assert swapped.endswith("  The werewolf is swapped for G5: whoever held it names trump.\n\n")
    in_trick = told(read_game("".join(lines[:12]) + "trick CLOUD:R\n"))
    assert in_trick.endswith("  trick 1, seat 1 leads: CLOUD:R\n\n")
    between = told(read_game("".join(lines[:17])))
    assert between == TOLD[: TOLD.index("Round 2")] + (
        "After 1 of 2 rounds:\n  1. seat 2: 40 points, 1 exact bids\n"
        "  2. seat 0: -10 points, 0 exact bids\n  2. seat 1: -10 points, 0 exact bids\n"
    )


@GAMES
@given(played_games())
def test_every_state_is_told_in_plain_lines(game) -> None:
    states, _actions = game
    for state in states[:: max(1, len(states) // scaled(8, 10))] + states[-1:]:
        lines = list(tell_game(state))
        assert lines
        assert all(line.isascii() and "\n" not in line and line == line.rstrip() for line in lines)
        assert lines == list(tell_game(read_game(write_game(state))))


def test_every_round_and_rank_of_a_game_is_told() -> None:
    game = self_play(ALL, [random_bot] * 4, Random(5))
    lines = list(tell_game(game))
    assert [line for line in lines if line.startswith("Round ")] == [
        f"Round {number} of 15: {number} card{'s' * (number > 1)}, seat {(number - 1) % 4} deals"
        for number in range(1, 16)
    ]
    block = game.block
    assert lines[-4:] == [
        f"  {rank}. seat {seat}: {total} points, {hits} exact bids"
        for rank, seat, total, hits in sorted(zip(block.ranks, range(4), block.totals, block.hits, strict=True))
    ]
    assert sum("takes it." in line or "nobody gets it." in line for line in lines) == 120


def test_fixed_trump_and_no_card_left_are_told() -> None:
    states, _actions = play_out(GameState.start(HouseRules(variant="maximus"), 3), Random(1))
    assert "  Trump is fixed in this round: B." in tell_game(states[-1])
    states, _actions = play_out(GameState.start(PLAIN, 6, ladder="free", cards=[10]), Random(1))
    assert "  No card is left to be turned up: there is no trump." in tell_game(states[-1])
