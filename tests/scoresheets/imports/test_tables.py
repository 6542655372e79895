"""Tables of games: real sheets, loosely written headers, and everything that can be wrong with the lines."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

import rules
from scoresheets.imports.drafts import MOST_NOTE
from scoresheets.imports.layouts import example_rows
from scoresheets.imports.words import FIELDS, field_of, player_field_of
from tests.rules.games import sheet
from tests.scoresheets.imports.files import found_in, refusals, told

NAMES = ("Anna", "Ben", "Cem", "Dora")
DAY = date(2018, 9, 16)


def printed_long(printed, day="16.09.2018"):
    """Return a printed sheet as a table of one line a round and player, all its numbers as printed."""
    rows = [["Datum", "Runde", "Karten", "Spieler", "Ansage", "Stiche", "Punkte", "Summe"]]
    for entry in printed["rounds"]:
        points = entry.get("points_as_printed", entry["points"])
        for seat, name in enumerate(NAMES):
            values = (entry[field][seat] for field in ("bids", "tricks"))
            rows.append([day, entry["number"], entry["cards"], name, *values, points[seat], entry["totals"][seat]])
    return rows


def printed_wide(printed, day="16.09.2018"):
    """Return a printed sheet as a table of one line a round, with its last line of totals."""
    words = ("Ansage", "Stiche", "Punkte")
    rows = [["Datum", "Runde", "Karten", *(f"{name} {word}" for name in NAMES for word in words)]]
    for entry in printed["rounds"]:
        points = entry.get("points_as_printed", entry["points"])
        cells = ((entry["bids"][seat], entry["tricks"][seat], points[seat]) for seat in range(4))
        rows.append([day, entry["number"], entry["cards"], *(value for cell in cells for value in cell)])
    last = printed["rounds"][-1]["totals"]
    rows.append(["", "Summe", "", *(value for total in last for value in ("", "", total))])
    return rows


@pytest.mark.parametrize("written", [printed_long, printed_wide])
@pytest.mark.parametrize(
    ("name", "ladder", "place"),
    [
        ("S1", "tournament", None),
        ("S2", "tournament", {printed_long: (9, "G (Punkte)"), printed_wide: (3, "O (Dora Punkte)")}),
        ("S6", "free", None),
    ],
)
def test_real_sheets_come_in_and_misprints_are_reported_not_believed(written, name, ladder, place):
    printed = sheet(name)

    found = found_in(written(printed))

    (game,) = found.games
    assert (found.problems, found.refused, found.warnings) == ((), (), ())
    assert (game.names, game.day, game.ladder) == (NAMES, DAY, ladder)
    assert [(list(played.bids), list(played.tricks)) for played in game.rounds] == [
        (entry["bids"], entry["tricks"]) for entry in printed["rounds"]
    ]
    assert game.points == tuple(printed["rounds"][-1]["totals"])
    misprints = [] if place is None else [("points_mismatch", *place[written])]
    assert told(game.warnings) == misprints
    if misprints:
        (warning,) = game.warnings
        assert (warning.seat, warning.args["told"], warning.args["found"]) == (3, 10, 20)


def test_totals_that_do_not_follow_are_told_wherever_they_stand():
    long, wide = printed_long(sheet("S1")), printed_wide(sheet("S1"))
    long[6][-1] = 61
    wide[-1][-1] = 91

    (of_long,), (of_wide,) = found_in(long).games, found_in(wide).games

    assert told(of_long.warnings) == [("total_mismatch", 7, "H (Summe)")]
    assert told(of_wide.warnings) == [("total_mismatch", 6, "O (Dora Punkte)")]
    assert of_long.points == of_wide.points == (50, 120, 40, 90)


@pytest.mark.parametrize(
    "header",
    [
        ["DATUM", "Rd.", "Karten:", "Spieler/in", "angesagt", "Gemacht", "Pkt.", "Zwischenstand"],
        ["date", "round no", "cards", "PLAYER", "Prediction", "taken", "score", "running total"],
        [" Tag ", "Runde", "Kartenzahl", "Name", "Vorhersage", "Stíche", "Punkte", "Gesamt"],
    ],
)
def test_headers_are_understood_in_many_words(header):
    rows = printed_long(sheet("S1"))

    assert found_in([header, *rows[1:]]).games == found_in(rows).games


@pytest.mark.parametrize(
    ("header", "player", "field"),
    [
        *[("Anna bid", "Anna", "bid"), ("Stiche Anna", "Anna", "tricks"), ("Anna: Punkte", "Anna", "points")],
        *[("Anna (Ansage)", "Anna", "bid"), ("Anna - Stiche", "Anna", "tricks"), ("Anna B. Pkt.", "Anna B.", "points")],
        *[("Anna-Lena TRICKS", "Anna-Lena", "tricks"), ("-2 bid", "-2", "bid"), ("Bid bid", "Bid", "bid")],
        *[("Anna", "", ""), ("bid", "", ""), ("Anna Runde", "", ""), ("", "", "")],
    ],
)
def test_a_header_tells_whose_column_it_is(header, player, field):
    assert player_field_of(header) == (player, field)


@pytest.mark.parametrize("language", [*FIELDS])
def test_every_header_word_is_understood_as_itself(language):
    assert [field_of(header) for header in FIELDS[language].values()] == [*FIELDS[language]]


def test_titles_above_the_header_and_columns_of_no_use_do_no_harm():
    rows = example_rows("sheets", "long", "de")
    rows = [
        ["Unsere Liga"],
        [],
        *([*row, "" if index else "Wetter", "sonnig" if index else "Ort"] for index, row in enumerate(rows)),
    ]

    found = found_in(rows)

    assert [game.row for game in found.games] == [4, 13]
    assert told(found.warnings) == [("column_unread", 3, "K (Wetter)"), ("column_unread", 3, "L (Ort)")]


def test_a_round_has_as_many_cards_as_its_number_if_nobody_says_otherwise():
    rows = [[cell for index, cell in enumerate(row) if index != 3] for row in example_rows("sheets", "long", "de")]

    assert [(game.cards, game.ladder) for game in found_in(rows).games] == [((1, 2, 3), "full")] * 2


def test_empty_cells_of_game_and_day_say_what_stands_above():
    rows = example_rows("sheets", "long", "de")
    for row in [*rows[2:10], *rows[11:]]:
        row[0] = row[1] = ""

    assert found_in(rows).games == found_in(example_rows("sheets", "long", "de")).games


def test_games_without_a_day_take_the_chosen_one_or_are_refused():
    rows = [row[:1] + row[2:] for row in example_rows("results", "wide", "en")]

    assert [game.day for game in found_in(rows, day=DAY).games] == [DAY, DAY]
    assert told(found_in(rows).problems) == [("headers_missing", 1, "")]
    long = [row[:1] + row[2:] for row in example_rows("results", "long", "en")]
    assert refusals(found_in(long)) == [("date_missing", 2, ""), ("date_missing", 5, "")]


def test_house_rules_are_those_that_were_chosen_unless_the_game_says_its_own():
    shared = rules.HouseRules(tie_break="shared")
    rows = example_rows("sheets", "wide", "de")
    rows[0].append("Regeln")
    for row in rows[1:]:
        row.append("")
    for row in rows[4:]:
        row[-1] = "standard"

    found = found_in(rows, house=shared)

    assert [dict(game.house) for game in found.games] == [{}, {"tie_break": "exact_hits"}]
    rows[1][-1] = "quidditch"
    assert refusals(found_in(rows)) == [("rules_unreadable", 2, "V (Regeln)")]
    rows[1][-1], rows[2][-1] = "hidden_bids", "blind_bids"
    assert refusals(found_in(rows)) == [("told_twice", 3, "V (Regeln)")]


def test_marks_of_special_cards_and_blind_bids_bring_their_rules():
    rows = example_rows("sheets", "long", "en")
    rows[0] += ["Blind", "Cloud", "Bombs"]
    for row in rows[1:]:
        row += ["", "", ""]
    # Round 2 of the first game: two cards, one trick bombed, and Carla took the cloud with the other.
    rows[4][7:8], rows[5][7:8], rows[6][7:8] = [0], [0], [1]
    for row in rows[4:7]:
        row[8] = row[9] = ""
    rows[4][-1] = rows[6][-1] = 1
    rows[6][-2] = "+1"
    rows[5][-3] = "x"

    first = found_in(rows).games[0]

    assert replace(rules.HouseRules(), **first.house) == rules.HouseRules.from_mapping(first.house)
    played = first.rounds[1]
    assert (played.bombs, played.clouds, played.blind) == (1, ((2, 1),), (False, True, False))
    assert dict(first.house) == {"specials": ("BOMB", "CLOUD"), "blind_bids": True}
    assert first.points == tuple(
        sum(points)
        for points in zip(
            *(
                [score.points for score in entry.scores(rules.HouseRules.from_mapping(first.house), number, number)]
                for number, entry in enumerate(first.rounds, start=1)
            ),
            strict=True,
        )
    )


def test_dealers_are_followed_and_contradictions_told():
    rows = example_rows("sheets", "wide", "de")
    rows[2][4] = "Anna"

    first, second = found_in(rows).games

    assert first.first_dealer == second.first_dealer == 0
    (warning,) = first.warnings
    assert told([warning]) == [("dealer_mismatch", 3, "E (Geber)")]
    assert (warning.args["told"], warning.args["found"]) == ("Anna", "Ben")
    rows[2][4] = "Zoe"
    assert refusals(found_in(rows)) == [("dealer_unknown", 3, "E (Geber)")]


def test_results_tell_ranks_that_contradict_the_points():
    rows = example_rows("results", "long", "de")
    rows[1][4], rows[4][4], rows[5][4] = 1, 2, 3

    first, second = found_in(rows).games

    assert told(first.warnings) == [("rank_mismatch", 2, "E (Platz)")]
    assert second.warnings == ()  # three share the first place: any order among them will do
    assert second.ranks == (1, 1, 4, 1)


def test_who_has_nothing_in_a_line_of_results_did_not_play():
    rows = [["Datum", "Anna", "Ben", "Cem", "Dora"], ["1.1.2020", 10, "", "-30", "−20"], ["Summe", 10, "", -30, -20]]

    found = found_in(rows)

    assert [(game.names, game.points) for game in found.games] == [(("Anna", "Cem", "Dora"), (10, -30, -20))]
    assert told(found.warnings) == [("line_unread", 3, "")]


def test_rounds_printed_in_advance_and_not_played_are_no_rounds():
    rows = printed_wide(sheet("S1"))
    rows[-1:] = [["16.09.2018", number, number + 5, *[""] * 12] for number in (5, 6)]

    assert found_in(rows).games[0].cards == (1, 3, 5, 7)


def test_a_note_is_kept_up_to_its_length():
    rows = example_rows("results", "wide", "de")
    rows[0].append("Bemerkung")
    rows[1].append("x" * (MOST_NOTE + 1))

    assert [game.note for game in found_in(rows).games] == ["x" * MOST_NOTE, ""]


# -- what is wrong ----------------------------------------------------------------------------------------------------


def with_cell(row, column, value, kind="sheets", layout="long"):
    """Return an example table with one cell changed; rows from 1, columns by letter."""
    rows = example_rows(kind, layout, "en")
    index = ord(column) - ord("A")
    rows[row - 1] += [""] * (index + 1 - len(rows[row - 1]))
    rows[row - 1][index] = value
    return rows


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        # cells
        (with_cell(2, "G", "two"), [("number_unreadable", 2, "G (Bid)")]),
        (with_cell(2, "G", "0,5"), [("number_not_whole", 2, "G (Bid)")]),
        (with_cell(2, "H", "9" * 5000), [("number_too_long", 2, "H (Tricks)")]),
        (with_cell(2, "I", "12,5"), [("number_not_whole", 2, "I (Points)")]),
        (with_cell(2, "G", ""), [("bid_missing", 2, "G (Bid)")]),
        (with_cell(2, "H", "-"), [("tricks_missing", 2, "H (Tricks)")]),
        (with_cell(2, "L", "stray"), [("cell_without_header", 2, "L")]),
        # the rules
        (with_cell(2, "G", 2), [("bid_out_of_range", 2, "G (Bid)")]),
        (with_cell(2, "G", -1), [("bid_out_of_range", 2, "G (Bid)")]),
        (with_cell(2, "H", 2), [("tricks_out_of_range", 2, "H (Tricks)")]),
        (with_cell(2, "H", 1), [("tricks_sum", 2, "")]),
        # rounds
        (with_cell(2, "C", "first"), [("number_unreadable", 2, "C (Round)"), ("player_not_in_round", 3, "")]),
        (with_cell(2, "C", 0), [("round_out_of_range", 2, "C (Round)"), ("player_not_in_round", 3, "")]),
        (with_cell(2, "C", ""), [("round_number_missing", 2, "C (Round)"), ("player_not_in_round", 3, "")]),
        (with_cell(2, "C", 2), [("told_twice", 5, "D (Cards)"), ("told_twice", 5, "E (Dealer)")]),
        (with_cell(2, "D", 2), [("told_twice", 3, "D (Cards)"), ("told_twice", 4, "D (Cards)")]),
        # people
        (with_cell(2, "F", ""), [("name_missing", 2, "F (Player)"), ("player_not_in_round", 3, "")]),
        (with_cell(2, "F", "ben"), [("player_twice_in_round", 3, "F (Player)")]),
        (with_cell(2, "F", "x" * 41), [("name_too_long", 2, "F (Player)")]),
    ],
)
def test_each_slip_in_a_sheet_is_told_with_its_row_and_column(rows, found):
    first_problems = refusals(found_in(rows))[: len(found)]

    assert first_problems == found
    assert [game.names for game in found_in(rows).games] == [("Anna", "Ben", "Carla", "Deniz")]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (with_cell(2, "D", "", "results"), [("points_missing", 2, "D (Points)")]),
        (with_cell(2, "D", 5001, "results"), [("points_out_of_range", 2, "D (Points)")]),
        (with_cell(2, "D", "12,5", "results"), [("number_not_whole", 2, "D (Points)")]),
        (with_cell(2, "C", "Ben", "results"), [("player_twice_in_game", 3, "C (Player)"), ("players", 2, "")]),
        (with_cell(2, "C", "\u202e\u200b", "results"), [("name_missing", 2, "C (Player)"), ("players", 2, "")]),
        (with_cell(2, "C", "#REF!", "results", "wide"), [("number_unreadable", 2, "C (Anna)")]),
        (with_cell(2, "D", "", "results", "wide"), [("players", 2, "")]),
        (with_cell(2, "B", "5/6/2025", "results", "wide"), [("date_ambiguous", 2, "B (Date)")]),
        (with_cell(2, "B", "2026-03-02", "results", "wide"), [("played_later", 2, "B (Date)")]),
        (with_cell(2, "B", "soon", "results", "wide"), [("date_unreadable", 2, "B (Date)")]),
    ],
)
def test_each_slip_in_results_is_told_with_its_row_and_column(rows, found):
    assert refusals(found_in(rows)) == found
    assert len(found_in(rows).games) == 1


def test_a_missing_round_and_a_round_twice_are_told():
    rows = example_rows("sheets", "wide", "en")

    assert refusals(found_in([row for row in rows if row[:1] + row[2:3] != ["1", 2]])) == [("round_missing", 2, "")]
    assert refusals(found_in([*rows[:3], rows[2], *rows[3:]])) == [("round_twice", 4, "C (Round)")]


@pytest.mark.parametrize("players", [2, 7])
def test_too_few_and_too_many_people_are_refused(players):
    names = [f"P{number}" for number in range(players)]
    found = found_in([["Datum", "Spieler", "Punkte"], *(["1.1.2020", name, 5] for name in names)])

    (game,) = found.refused
    assert [(problem.code, problem.args["players"]) for problem in game.problems] == [("players", players)]
    assert (game.names, game.day, game.row) == (tuple(names), date(2020, 1, 1), 2)


def test_all_problems_of_all_games_are_told_at_once_and_no_more_than_enough():
    rows = example_rows("sheets", "long", "en")
    for row in rows[1:]:
        row[6] = row[7] = "x"

    found = found_in(rows)

    assert [len(game.problems) for game in found.refused] == [18, 20]
    assert found.problems_left_out == 4
    assert found.games == ()


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        (["Datum", "Spieler", "Stiche"], "round bid"),
        (["Datum", "Spieler"], "points"),
        (["Datum", "Anna Ansage", "Anna Stiche"], "round"),
        (["a", "b", "c", "d", "e"], "date player"),
        (["1", "2"], "date player"),
    ],
)
def test_a_missing_header_is_named_beside_what_was_found(header, missing):
    found = found_in([header, ["1.1.2020", "Anna", 5]])

    (problem,) = found.problems
    assert (problem.code, problem.args["missing"], problem.args["row"]) == ("headers_missing", missing, 1)
    assert problem.args["found"] == ", ".join(header)
    assert (found.kind, found.games, found.refused) == ("", (), ())


def test_a_player_without_one_of_the_two_columns_is_named():
    found = found_in([["Datum", "Runde", "Anna Ansage", "Ben Ansage", "Ben Stiche"], ["1.1.2020", 1, 0, 0, 1]])

    (problem,) = found.problems
    assert (problem.code, problem.args["name"], problem.args["field"]) == ("player_column_missing", "Anna", "tricks")


@pytest.mark.parametrize(
    ("header", "place"),
    [
        (["Datum", "Date", "Spieler", "Punkte"], ("header_repeated", 1, "B (Date)")),
        (["Datum", "Anna", "Ben", "Cem", "anna"], ("header_repeated", 1, "E (anna)")),
        (["Runde", "Anna Ansage", "Anna Stiche", "Tipp Anna"], ("header_repeated", 1, "D (Tipp Anna)")),
    ],
)
def test_a_header_that_is_there_twice_is_told(header, place):
    assert told(found_in([header, ["1.1.2020"]]).problems) == [place]


def test_a_header_alone_is_no_game():
    assert told(found_in(example_rows("sheets", "long", "de")[:1]).problems) == [("file_has_no_games", 1, "")]
