"""Random games, written in any layout, language, delimiter and encoding, are read back as they were."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rules
from scoresheets.imports.layouts import FIELDS, example_games, example_rows, rows_of
from scoresheets.imports.plain import LAYOUTS, LONG, RESULTS, SHEETS, WIDE, FoundGame
from scoresheets.names import folded, tidy_name
from tests.rules.games import PROPERTY, playable, played_rounds
from tests.scoresheets.imports.files import BERLIN, book_of, csv_of, found_in
from tests.thorough import scaled

KINDS = (SHEETS, RESULTS)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")
#: Names that are words of the header, formulas, with signs of the format in them, and of one letter.
NAMES = ("Anna", "Änne", "Müller, Jörg", 'Bob "B."', "Stiche", "Anna bid", "x", "=1+1", "@home", "-2", "Lena; Mia", "É")


def differences(house):
    """Return what is not as in the standard rules, by name."""
    standard = rules.HouseRules()
    names = (own.name for own in fields(house))
    return {name: getattr(house, name) for name in names if getattr(house, name) != getattr(standard, name)}


@st.composite
def found_games(draw):
    """One to three games as they are read, each of another day; with a time or without."""
    games = []
    people = draw(st.permutations(NAMES))
    first_day = draw(st.dates(date(1984, 1, 1), date(2025, 12, 1)))
    for number in range(draw(st.integers(1, 3))):
        house, players = draw(playable())
        if draw(st.booleans()):
            plan, ladder = rules.round_plans(house, players), "full"
        else:
            cards = draw(st.lists(st.integers(1, 8), min_size=1, max_size=5))
            plan, ladder = rules.round_plans(house, players, ladder="free", cards=cards), "free"
        plan = plan[: draw(st.integers(players, 7))]
        rounds = tuple(draw(played_rounds(house, step, players)) for step in plan)
        rounds = tuple(played if any(played.blind) else replace(played, blind=()) for played in rounds)
        scores = [played.scores(house, step.number, step.cards) for step, played in zip(plan, rounds, strict=True)]
        points = tuple(sum(score[seat].points for score in scores) for seat in range(players))
        hits = [sum(score[seat].exact for score in scores) for seat in range(players)]
        day = first_day + timedelta(days=number)
        clock = draw(st.none() | st.times(time(0, 0, 1)).map(lambda at: at.replace(microsecond=0)))
        games.append(
            FoundGame(
                key="",
                source="",
                row=0,
                day=day,
                played_at=datetime.combine(day, clock or time(12), tzinfo=BERLIN),
                timed=clock is not None,
                names=tuple(people[:players]),
                points=points,
                ranks=rules.ranks(points, hits, house.tie_break),
                first_dealer=draw(st.integers(0, players - 1)),
                rounds=rounds,
                cards=tuple(step.cards for step in plan),
                ladder=ladder,
                house=differences(house),
                note=draw(st.sampled_from(["", "Finale", 'mit ; und , und "Zeichen"'])),
                label=f"Spiel {number + 1}",
            )
        )
    return games


def as_read(game: FoundGame) -> FoundGame:
    """Return a game without what depends on its place in the file. A free ladder may be one with a name by chance."""
    return replace(game, key="", source="", row=0, ladder="full" if game.ladder != "free" else ladder_of(game))


def ladder_of(game: FoundGame) -> str:
    """Return the name of the ladder that begins with the game's cards."""
    house = rules.HouseRules.from_mapping(game.house)
    asked = {"players": len(game.names), "rounds": len(game.cards)}
    for ladder in ("full", "tournament"):
        if not rules.plan_problems(house, **asked, ladder=ladder):
            plan = rules.round_plans(house, **asked, ladder=ladder)
            if tuple(step.cards for step in plan) == game.cards:
                return ladder
    return "free"


def bare(game: FoundGame) -> FoundGame:
    """Return a game as one of which only the points are known."""
    ranks = rules.ranks(game.points, (0,) * len(game.points))
    return replace(game, rounds=None, cards=(), ladder="full", house={}, first_dealer=0, ranks=ranks)


@settings(PROPERTY, max_examples=scaled(40, 25), phases=[Phase.generate])  # games are found at once, shrunk in minutes
@given(
    found_games(),
    st.sampled_from(KINDS),
    st.sampled_from(LAYOUTS),
    st.sampled_from([*FIELDS]),
    st.sampled_from(";,\t"),
    st.sampled_from(ENCODINGS),
)
def test_games_are_read_back_as_they_were_written(games, kind, layout, language, delimiter, encoding):
    rows = rows_of(games, kind, layout, language)

    found = found_in(csv_of(rows, delimiter).encode(encoding))

    assert (found.problems, found.refused, found.warnings) == ((), (), ())
    assert (found.kind, found.layout, found.delimiter) == (kind, layout, delimiter)
    expected = games if kind == SHEETS else [bare(game) for game in games]
    assert [as_read(game) for game in found.games] == [as_read(game) for game in expected]
    assert found_in(csv_of(rows, delimiter).encode(encoding)) == found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("language", [*FIELDS])
def test_examples_are_read_back_from_text_and_workbook(kind, layout, language):
    rows = example_rows(kind, layout, language)

    found = found_in(rows)
    in_workbook = found_in(book_of(rows), "games.xlsx")

    games = example_games() if kind == SHEETS else [bare(game) for game in example_games()]
    assert [(game.day, game.names, game.points, game.ranks, game.rounds, game.cards) for game in found.games] == [
        (game.day, game.names, game.points, game.ranks, game.rounds, game.cards) for game in games
    ]
    assert in_workbook.games == found.games
    assert (found.problems, found.warnings, found.refused) == ((), (), ())
    assert len({game.source for game in found.games}) == 2


def test_the_same_game_has_the_same_source_in_every_layout_and_language():
    sources = {
        tuple(game.source for game in found_in(example_rows(SHEETS, layout, language)).games)
        for layout in LAYOUTS
        for language in FIELDS
    }

    assert len(sources) == 1


def test_names_of_this_test_are_told_apart_and_tidy():
    assert len({folded(name) for name in NAMES}) == len(NAMES)
    assert [tidy_name(name) for name in NAMES] == [*NAMES]


def test_a_table_with_columns_for_all_tells_the_order_of_each_game_by_its_dealers():
    first, second = example_games()
    turned = replace(
        second,
        names=tuple(second.names[seat] for seat in (0, 2, 1, 3)),
        rounds=tuple(
            rules.PlayedRound(*(tuple(row[seat] for seat in (0, 2, 1, 3)) for row in (played.bids, played.tricks)))
            for played in second.rounds or ()
        ),
        first_dealer=2,
    )

    found = found_in(rows_of([first, turned], SHEETS, WIDE, "de"))

    assert [game.names for game in found.games] == [first.names, turned.names]
    assert [game.rounds for game in found.games] == [first.rounds, turned.rounds]
    assert [game.first_dealer for game in found.games] == [0, 2]


def test_games_of_one_day_without_a_time_stay_in_the_order_of_the_file():
    first, second = example_games()
    games = [replace(game, day=first.day, label=str(number)) for number, game in enumerate((second, first, second))]

    found = found_in(rows_of(games, SHEETS, LONG, "en"))

    noon = datetime.combine(first.day, time(12), tzinfo=BERLIN)
    assert [game.played_at for game in found.games] == [noon + timedelta(seconds=count) for count in range(3)]
    assert [(problem.code, problem.args["first"]) for problem in found.warnings] == [("game_repeated", 2)]
