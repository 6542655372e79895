from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import GameState, HouseRules, Problem, RulesError, random_bot, read_game, read_house, self_play, write_game
from rules.notation import MOST_CHARACTERS
from tests.rules.games import PLAIN, PROPERTY, any_house, codes
from tests.rules.played import ALL, GAMES, MAXIMUS, SINGLE, played_games
from tests.thorough import scaled

WHOLE = """\
wizard 1
players 3
dealer 0
rules specials=JUGGLER,CLOUD,WEREWOLF,BOMB plus_minus_one hidden_bids blind_bids tie_break=shared cloud_upper_clamp=no
cards 2 1

round 1
deal R13 B1 / WEREWOLF CLOUD / JUGGLER R4 + G5
swap 1
trump -
bids 1 0b 1
rebid 2
trick CLOUD:R JUGGLER:R R13
pass B1 G5 R4
trick R4 B1 G5
cloud -1

round 2
deal W / J / BOMB + W
trump R
bids 0 1 1
trick BOMB W J
"""
HEAD = "wizard 1\nplayers 3\ndealer 0\ncards 2 1\n"
ROUND = HEAD + "round 1\ndeal R3 R4 / B2 W / B1 J + G5\n"
BIDS = ROUND + "bids 1 0 1\n"


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(RulesError) as caught:
        read_game(text)
    assert all(problem.message for problem in caught.value.problems)
    return caught.value.problems


def test_game_is_written_as_it_was_read() -> None:
    game = read_game(WHOLE)
    assert write_game(game) == WHOLE
    assert game.is_over
    first, second = game.rounds
    assert first.shown == (1, 1, 0)
    assert (first.bids, first.blind, first.taken, first.clouds) == (
        (2, 1, 0),
        (False, False, True),
        (2, 0, 0),
        ((0, -1),),
    )
    assert (second.trump, second.bombs, second.taken) == ("R", 1, (0, 0, 0))


def test_reading_leaves_out_comments_blank_lines_and_spaces() -> None:
    noisy = "# a game\n\n" + WHOLE.replace("\n", "   # a remark\n\n").replace(" ", "  ") + "\n\t\n# end"
    assert read_game(noisy) == read_game(WHOLE)


@pytest.mark.parametrize("end", ["\r\n", "\n\n", " \n"])
def test_reading_takes_any_line_end(end: str) -> None:
    assert read_game(WHOLE.replace("\n", end)) == read_game(WHOLE)
    assert read_game(WHOLE.rstrip("\n")) == read_game(WHOLE)


@GAMES
@given(played_games())
def test_every_state_of_a_game_is_read_as_it_was_written(game) -> None:
    states, _actions = game
    for state in states[:: max(1, len(states) // scaled(10, 10))] + states[-1:]:
        text = write_game(state)
        assert text.isascii()
        again = read_game(text)
        assert again == state
        assert write_game(again) == text


def read_or_refused(text: str) -> tuple[GameState | None, list[int]]:
    """Return the game that a text tells, or None and the lines that the problems name."""
    try:
        return read_game(text), []
    except RulesError as error:
        return None, [int(problem.args["line"]) for problem in error.problems]


@settings(GAMES, max_examples=scaled(4, 20))
@given(played_games(most_rounds=1))
def test_every_beginning_of_a_text_is_an_earlier_state_or_refused(game) -> None:
    states, _actions = game
    text = write_game(states[-1])
    for length in range(0, len(text), max(1, len(text) // 150)):
        read, lines = read_or_refused(text[:length])
        if read is None:
            assert {*lines} == {max(text[:length].rstrip().count("\n") + 1, 1)}
        elif text[length].isspace() and text.index("cards ") < length and read.plan == states[0].plan:
            assert read in states


def test_every_beginning_of_the_example_is_an_earlier_state_or_refused() -> None:
    whole = read_game(WHOLE)
    for length in range(len(WHOLE)):
        read, lines = read_or_refused(WHOLE[:length])
        if read is None:
            assert {*lines} == {WHOLE[:length].rstrip().count("\n") + 1}
        elif read.plan == whole.plan:
            assert WHOLE.startswith(write_game(read).rstrip())


def test_every_line_left_out_doubled_or_swapped_is_read_or_refused() -> None:
    lines = WHOLE.splitlines(keepends=True)
    refused = 0
    for place in range(1, len(lines)):
        for changed in (
            lines[:place] + lines[place + 1 :],
            lines[: place + 1] + lines[place:],
            [*lines[: place - 1], lines[place], lines[place - 1], *lines[place + 1 :]],
        ):
            read, wrong = read_or_refused("".join(changed))
            assert all(1 <= number <= len(changed) for number in wrong)
            refused += read is None
    assert refused > 2 * len(lines)


@settings(GAMES, max_examples=scaled(150, 20))
@given(st.data())
def test_any_damage_is_read_or_refused(data) -> None:
    text = list(WHOLE)
    for _damage in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.sampled_from(["", "٣", "\0", *"\n 09-+/#BW=,"]))
    read, lines = read_or_refused("".join(text))
    assert (read is None) == bool(lines)
    assert all(1 <= line <= len("".join(text).split("\n")) for line in lines)


NOT_UNDERSTOOD = [
    ("", "x\n", 1, "x"),
    ("", "wizard\n", 1, "wizard"),
    ("", "wizard 2\n", 1, "wizard 2"),
    ("", "wizard 1 1\n", 1, "wizard 1 1"),
    ("", "players 3\n", 1, "players 3"),
    ("", "round 1\nwizard 1\n", 1, None),
    ("wizard 1\n", "wizard 1\n", 2, "wizard 1"),
    ("wizard 1\n", "players\n", 2, "players"),
    ("wizard 1\n", "players 3 4\n", 2, "players 3 4"),
    ("wizard 1\nplayers 3\n", "players 3\n", 3, "players 3"),
    ("wizard 1\n", "seats 3\n", 2, "seats 3"),
    ("wizard 1\n", "rules plus_minus_one=maybe\n", 2, "plus_minus_one=maybe"),
    ("wizard 1\n", "rules plus_minus_one=\n", 2, "plus_minus_one="),
    ("wizard 1\n", "rules hidden_bids hidden_bids=no\n", 2, "rules hidden_bids hidden_bids=no"),
    ("wizard 1\n", "rules plus_minus_one_from=one\n", 2, "one"),
    *(
        ("wizard 1\n", f"players {word}\n", 2, word)
        for word in ("٣", "1e3", "-1", "+3", "3.0", "0x3", "²", "1_0", "9999999")
    ),
    *(("wizard 1\n", f"dealer {word}\n", 2, word) for word in ("٣", "-1", "x")),
    *(("wizard 1\n", f"cards 1 {word} 2\n", 2, word) for word in ("٣", "1e3", "-1", "1,2")),
    (HEAD, "round 2\n", 5, "round 2"),
    (HEAD, "round\n", 5, "round"),
    (HEAD, "round one\n", 5, "one"),
    (HEAD, "deal R3 R4 / B2 W / B1 J + G5\n", 5, "deal R3 R4 / B2 W / B1 J + G5"),
    (HEAD + "round 1\n", "round 1\n", 6, "round 1"),
    (HEAD + "round 1\n", "bids 1 0 1\n", 6, "bids 1 0 1"),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W / B1 J\n", 6, "deal R3 R4 / B2 W / B1 J"),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W / B1 J +\n", 6, "deal R3 R4 / B2 W / B1 J +"),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W / B1 J + G5 G6\n", 6, "deal R3 R4 / B2 W / B1 J + G5 G6"),
    (HEAD + "round 1\n", "deal\n", 6, "deal"),
    (ROUND, "deal R3 R4 / B2 W / B1 J + G5\n", 7, "deal R3 R4 / B2 W / B1 J + G5"),
    (ROUND, "round 1\n", 7, "round 1"),
    (ROUND, "round 2\n", 7, "round 2"),
    (ROUND, "players 3\n", 7, "players 3"),
    (ROUND, "bids 1 0\n", 7, "bids 1 0"),
    (ROUND, "bids 1 0 1 1\n", 7, "bids 1 0 1 1"),
    (ROUND, "bids . . .\n", 7, "bids . . ."),
    (ROUND, "bids 1bb 0 0\n", 7, "1b"),
    (ROUND, "bids 1 b 0\n", 7, ""),
    (ROUND, "bids -1 0 0\n", 7, "-1"),
    (ROUND, "bids ٣ 0 0\n", 7, "٣"),
    (ROUND + "bids 1 . .\n", "bids . 0 .\n", 8, "bids . 0 ."),
    (ROUND, "rebid 1\n", 7, "rebid 1"),
    (ROUND, "trump X\n", 7, "trump X"),
    (ROUND, "trump\n", 7, "trump"),
    (ROUND, "swap\n", 7, "swap"),
    (ROUND, "swap one\n", 7, "one"),
    (BIDS, "trick\n", 8, "trick"),
    (BIDS, "trick B2 B1 R3 W\n", 8, "trick B2 B1 R3 W"),
    (BIDS + "trick B2\n", "trick B1 R3\n", 9, "trick B1 R3"),
    (BIDS, "bids 1 0 1\n", 8, "bids 1 0 1"),
    (BIDS, "pass . . .\n", 8, "pass . . ."),
    (BIDS, "pass B2\n", 8, "pass B2"),
    (BIDS, "cloud\n", 8, "cloud"),
    (BIDS, "cloud 1\n", 8, "cloud 1"),
    (BIDS, "cloud +2\n", 8, "cloud +2"),
    (BIDS, "Trick B2\n", 8, "Trick B2"),
    (BIDS, "play B2\n", 8, "play B2"),
    (BIDS, "x" * 200 + "\n", 8, "x" * 60 + "..."),
    (WHOLE, "round 3\n", 23, "round 3"),
]


@pytest.mark.parametrize(("before", "line", "number", "word"), NOT_UNDERSTOOD)
def test_reading_says_what_it_does_not_understand(before: str, line: str, number: int, word: str | None) -> None:
    problems = problems_of(before + line)
    if word is None:
        assert codes(problems) == ["notation_head"] * 4
        return
    assert problems == (Problem.of("notation_unknown", word=word, line=number),)
    assert problems[0].message == f"{word!r} is not understood here."


REFUSED = [
    (HEAD.replace("3", "9"), "", 4, ["players"]),
    (HEAD.replace("dealer 0", "dealer 3"), "", 4, ["dealer_out_of_range"]),
    ("wizard 1\nplayers 3\ndealer 0\n", "cards\n", 4, ["ladder_cards"]),
    ("wizard 1\nplayers 3\ndealer 0\n", "cards 21 0\n", 4, ["cards_exceed_deck", "cards_out_of_range"]),
    ("wizard 1\nplayers 3\ndealer 0\n", "cards 999999\n", 4, ["cards_exceed_deck"]),
    ("wizard 1\n", "rules luck\n", 2, ["rule_unknown"]),
    ("wizard 1\nrules specials=DRAGON\nplayers 3\ndealer 0\n", "cards 1\n", 5, ["dragon_fairy_pair"]),
    ("wizard 1\nrules deck=tarot\nplayers 3\ndealer 0\ncards 1\n", "round 1\n", 6, ["deck_unknown"]),
    (HEAD + "round 1\n", "deal R3 R3 / B2 W / B1 J + G5\n", 6, ["too_many_of_card"]),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W / B1 J + R4\n", 6, ["too_many_of_card"]),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W / B1 J + -\n", 6, ["turned_up_missing"]),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W + G5\n", 6, ["wrong_length"]),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W / B1 r7 + G5\n", 6, ["card_unknown"]),
    (HEAD + "round 1\n", "deal R3 R4 / B2 W / B1 BOMB + G5\n", 6, ["card_not_in_deck"]),
    (ROUND, "swap 1\n", 7, ["action_not_now"]),
    (ROUND, "trump R\n", 7, ["action_not_now"]),
    (ROUND, "trick B2\n", 7, ["action_not_now"]),
    (ROUND, "pass R3 B2 B1\n", 7, ["action_not_now"]),
    (ROUND, "cloud +1\n", 7, ["action_not_now"]),
    (ROUND, "bids 9 0 0\n", 7, ["bid_out_of_range"]),
    (ROUND, "bids 1b 0 0\n", 7, ["blind_not_enabled"]),
    (ROUND, "bids . 0 0\n", 7, ["not_your_turn"]),
    (BIDS, "trick B2 B1 R3\ntrick R3\n", 9, ["card_not_in_hand"]),
    (BIDS, "trick B2 B2\n", 8, ["card_not_in_hand"]),
    (BIDS, "trick B2 J JUGGLER\n", 8, ["card_not_in_hand"]),
    (WHOLE, "trick B2\n", 23, ["action_not_now"]),
    (WHOLE, "trump R\n", 23, ["action_not_now"]),
    (WHOLE, "swap 1\n", 23, ["action_not_now"]),
    (WHOLE, "cloud +1\n", 23, ["action_not_now"]),
    (WHOLE, "pass B1 B2 B3\n", 23, ["action_not_now"]),
]


@pytest.mark.parametrize(("before", "line", "number", "expected"), REFUSED)
def test_reading_says_what_the_rules_refuse_and_where(before: str, line: str, number: int, expected: list[str]) -> None:
    problems = problems_of(before + line)
    assert codes(problems) == expected
    assert {problem.args["line"] for problem in problems} == {number}


@pytest.mark.parametrize("name", ["wizard", "players", "dealer", "cards"])
def test_reading_names_what_the_head_lacks(name: str) -> None:
    text = "".join(line for line in HEAD.splitlines(keepends=True) if not line.startswith(name))
    if name == "wizard":
        assert codes(problems_of(text)) == ["notation_unknown"]
        return
    for more, line in (("", 3), ("round 1\n", 4)):
        (problem,) = problems_of(text + more)
        assert problem == Problem.of("notation_head", name=name, line=line)
        assert problem.message == f"The head of the game does not say {name!r}."


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing"])
def test_reading_nothing_names_all_that_is_missing(text: str) -> None:
    problems = problems_of(text)
    assert [problem.args for problem in problems] == [
        {"name": name, "line": 1} for name in ("wizard", "players", "dealer", "cards")
    ]


def test_reading_refuses_what_is_too_long_to_be_a_game() -> None:
    padded = WHOLE + "#" * (MOST_CHARACTERS - len(WHOLE))
    assert read_game(padded) == read_game(WHOLE)
    (problem,) = problems_of(padded + "#")
    assert problem == Problem.of("notation_too_long", most=100_000, line=23)
    assert problem.message == "A game has at most 100000 characters."


@pytest.mark.parametrize("players", [3, 6])
def test_longest_games_are_far_below_the_limit(players: int) -> None:
    game = self_play(ALL, [random_bot] * players, Random(2))
    assert len(write_game(game)) < MOST_CHARACTERS / 8
    assert read_game(write_game(game)) == game


@pytest.mark.parametrize("house", [PLAIN, SINGLE, MAXIMUS, HouseRules(deck="french52", rounds_from_deck=True)])
def test_game_before_its_first_deal_is_its_head(house: HouseRules) -> None:
    game = GameState.start(house, 4, first_dealer=3)
    assert read_game(write_game(game)) == game
    assert write_game(game).splitlines()[:3] == ["wizard 1", "players 4", "dealer 3"]


@PROPERTY
@given(any_house.filter(lambda house: house.plus_minus_one_from >= 0))
def test_read_house_reads_what_is_written(house: HouseRules) -> None:
    text = write_game(replace(GameState.start(PLAIN, 3), house=house))
    words = next((line.split()[1:] for line in text.splitlines() if line.startswith("rules ")), [])
    assert read_house(words) == house


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("luck", Problem.of("rule_unknown", rule="luck")),
        ("luck=3", Problem.of("rule_unknown", rule="luck")),
        ("", Problem.of("rule_unknown", rule="")),
        ("=", Problem.of("rule_unknown", rule="")),
        ("hidden_bids=true", Problem.of("notation_unknown", word="hidden_bids=true")),
        ("plus_minus_one_from", Problem.of("notation_unknown", word="")),
        ("plus_minus_one_from=-1", Problem.of("notation_unknown", word="-1")),
    ],
)
def test_read_house_refuses_other_words(word: str, expected: Problem) -> None:
    with pytest.raises(RulesError) as caught:
        read_house([word])
    assert caught.value.problems == (expected,)


def test_read_house_takes_yes_and_no() -> None:
    assert read_house(["hidden_bids=yes", "blind_bids", "cloud_upper_clamp=no", "specials=BOMB,CLOUD"]) == HouseRules(
        hidden_bids=True, blind_bids=True, cloud_upper_clamp=False, specials=("BOMB", "CLOUD")
    )
