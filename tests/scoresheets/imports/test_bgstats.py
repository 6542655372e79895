"""Exports of BG Stats: plays of Wizard among others, and everything that can be wrong with them."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.imports.bgstats import looks_like_wizard
from scoresheets.imports.plain import OfferedGame
from tests.rules.games import PROPERTY
from tests.scoresheets.imports.files import BERLIN, found_in, refusals, told

GAMES = [(1, "Wizard", 1465), (2, "Wizard Extreme", 0), (3, "Catan", 13), (4, "Der Zauberer", 1465)]
PEOPLE = ["Anna", "Ben", "Cem", "Dora"]


def export(*plays: dict[str, Any], **others: Any) -> str:
    """Return an export as the app writes it."""
    known = {
        "games": [
            {"id": number, "name": name, "bggId": bgg, "highestWins": True, "noPoints": False, "usesTeams": False}
            for number, name, bgg in GAMES
        ],
        "players": [
            {"id": number, "name": name, "uuid": f"P{number}", "isAnonymous": False}
            for number, name in enumerate(PEOPLE, start=10)
        ],
        "locations": [{"id": 1, "name": "Zuhause"}],
        "plays": [*plays],
        "userInfo": {"meRefId": 10},
    }
    return json.dumps(known | others)


def play(*scores: Any, **others: Any) -> dict[str, Any]:
    """Return a play with a score, or a mapping of what is told, for each of the first people."""
    told_scores = [score if isinstance(score, dict) else {"score": score} for score in scores]
    return {
        "uuid": "A1B2-C3",
        "gameRefId": 1,
        "playDate": "2025-12-24 19:30:00",
        "durationMin": 50,
        "ignored": False,
        "usesTeams": False,
        "playerScores": [
            {"playerRefId": number, "score": "0", "rank": 0, "winner": False, "seatOrder": 0, "startPlayer": False}
            | own
            for number, own in enumerate(told_scores, start=10)
        ],
    } | others


def test_a_play_comes_in_with_its_points_and_its_id():
    found = found_in(export(play("+120", "-30", "40", comments="Finale")), "BGStatsExport.json")

    (game,) = found.games
    assert (found.kind, found.layout, found.problems, found.warnings) == ("bg_stats", "", (), ())
    assert (game.source, game.row, game.note) == ("bgstats:a1b2-c3", 1, "Finale")
    assert (game.names, game.points, game.ranks) == (("Anna", "Ben", "Cem"), (120, -30, 40), (1, 3, 2))
    assert (game.played_at, game.timed) == (datetime(2025, 12, 24, 19, 30, tzinfo=BERLIN), True)
    assert (game.is_sheet, game.day) == (False, date(2025, 12, 24))


def test_games_are_offered_with_their_plays_and_can_be_chosen():
    plays = [play("1", "2", "3", gameRefId=number, uuid=f"u{index}") for index, number in enumerate((1, 3, 3, 4, 2))]

    found = found_in(export(*plays))
    chosen = found_in(export(*plays), games=frozenset({"Catan"}))

    assert found.offers == (
        OfferedGame("Catan", 2, False),
        OfferedGame("Der Zauberer", 1, True),
        OfferedGame("Wizard", 1, True),
        OfferedGame("Wizard Extreme", 1, False),
    )
    assert [game.row for game in found.games] == [1, 4]
    assert [game.row for game in chosen.games] == [2, 3]
    none = found_in(export(play("1", "2", "3", gameRefId=3)))
    assert (told(none.warnings), none.games, none.problems) == ([("no_plays_chosen", 0, "")], (), ())


@pytest.mark.parametrize(
    ("name", "is_wizard"),
    [
        *[("Wizard", True), ("WIZARD – Jubiläumsedition", True), ("Wizard (2021)", True), ("Wizard: Fabelwesen", True)],
        *[("Wizard Extreme", False), ("Wizard Würfelspiel", False), ("Wizard Junior", False), ("The Wizard", False)],
        *[("Wizards of Waverly", False), ("", False), ("Catan", False)],
    ],
)
def test_editions_of_wizard_are_told_from_other_games(name, is_wizard):
    assert looks_like_wizard(name) is is_wizard


def test_seats_are_in_their_order_if_it_is_told():
    orders = ({"score": "1", "seatOrder": 3}, {"score": "2", "seatOrder": 1}, {"score": "3", "seatOrder": 2})

    assert found_in(export(play(*orders))).games[0].names == ("Ben", "Cem", "Anna")


def test_places_and_winners_that_contradict_the_points_are_told():
    tied = play({"score": "50", "rank": 2}, {"score": "50", "rank": 1, "winner": True}, {"score": "40", "rank": 3})
    wrong = play({"score": "50", "rank": 2}, {"score": "60", "rank": 1}, {"score": "40", "winner": True}, uuid="u2")
    swapped = play({"score": "50", "rank": 1}, {"score": "60", "rank": 2}, {"score": "40"}, uuid="u3")

    games = found_in(export(tied, wrong, swapped)).games

    assert [told(game.warnings) for game in games] == [
        [],
        [("winner_mismatch", 2, "winner")],
        [("rank_mismatch", 3, "rank"), ("rank_mismatch", 3, "rank")],
    ]


def test_plays_that_the_app_ignores_are_left_out():
    found = found_in(export(play("1", "2", "3"), play("1", "2", "3", ignored=True, uuid="u2")))

    assert len(found.games) == 1
    assert [(problem.code, problem.args["count"], problem.args["row"]) for problem in found.warnings] == [
        ("plays_ignored", 1, 2)
    ]


def test_the_same_play_twice_is_told():
    found = found_in(export(play("1", "2", "3"), play("4", "5", "6")))

    assert [(problem.code, problem.args["first"], problem.args["row"]) for problem in found.warnings] == [
        ("game_repeated", 1, 2)
    ]


@pytest.mark.parametrize(
    ("broken", "problems"),
    [
        (play("", "2", "3"), [("points_missing", 1, "score")]),
        (play(None, "2", "3"), [("points_missing", 1, "score")]),
        (play("12,5", "2", "3"), [("number_not_whole", 1, "score")]),
        (play(12.5, "2", "3"), [("number_not_whole", 1, "score")]),
        (play("12+8", "2", "3"), [("number_unreadable", 1, "score")]),
        (play("9" * 5000, "2", "3"), [("number_too_long", 1, "score")]),
        (play(6000, "2", "3"), [("points_out_of_range", 1, "score")]),
        (play("1", "2"), [("players", 1, "")]),
        (play("1", {"score": "2", "playerRefId": 10}, "3", "4"), [("player_twice_in_game", 1, "playerRefId")]),
        (play("1", {"score": "2", "playerRefId": 99}, "3", "4"), [("player_not_in_file", 1, "playerRefId")]),
        (play("1", "2", "3", usesTeams=True), [("played_in_teams", 1, "")]),
        (play("1", "2", "3", playDate="gestern"), [("date_unreadable", 1, "playDate")]),
        (play("1", "2", "3", playDate="2026-03-02 10:00:00"), [("played_later", 1, "playDate")]),
        (play("1", "2", "3", playDate=None), [("date_missing", 1, "")]),
        (play("1", "2", "3", playerScores="none"), [("players", 1, "")]),
    ],
)
def test_each_slip_in_a_play_is_told(broken, problems):
    found = found_in(export(broken, play("1", "2", "3", uuid="u2")))

    assert refusals(found) == problems
    assert len(found.games) == 1


@pytest.mark.parametrize("score", ["12", "12,0", "12.0", 12, 12.0, " 12 ", "+12"])
def test_scores_are_numbers_or_texts(score):
    assert found_in(export(play(score, "2", "3"))).games[0].points == (12, 2, 3)


def test_halves_of_characters_become_whole_ones():
    text = export(play("1", "2", "3")).replace('"Anna"', '"An\\ud800na"')

    (name, *_others) = found_in(text).games[0].names

    assert name == "An?na"
    name.encode()


@pytest.mark.parametrize("cut", [1, 100, 700])
def test_half_an_export_is_broken(cut):
    (problem,) = found_in(export(play("1", "2", "3"))[:-cut]).problems

    assert (problem.code, problem.args["row"]) == ("json_broken", 1)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@PROPERTY
@given(st.sampled_from(["games", "players", "plays", "score", "play"]), st.sampled_from([*play("1")]), values)
def test_an_export_with_any_value_anywhere_is_read_or_refused(where, key, value):
    scores = play("1", "2", "3")
    if where == "play":
        text = export(scores | {key: value})
    elif where == "score":
        scores["playerScores"][0] |= dict.fromkeys(["score", "rank", "seatOrder", "playerRefId"], value)
        text = export(scores)
    else:
        text = export(scores, **{where: [value, value]})

    found = found_in(text)

    assert found.games or found.refused or found.problems or found.warnings
