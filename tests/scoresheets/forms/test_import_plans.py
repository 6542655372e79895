"""Plans of files: decisions kept and read again, statements that do not grow, games that become sheets unchanged."""

from __future__ import annotations

import json
from datetime import date

import pytest

import rules
from scoresheets.forms.import_plans import Decisions, Plan
from scoresheets.models import Club
from tests.scoresheets.clubs import add, make_club
from tests.scoresheets.importing import NAMES

pytestmark = pytest.mark.django_db

BARE = "Spiel;Datum;Spieler;Punkte\n"
WITH_BOMB = """Game,Date,Round,Cards,Dealer,Player,Bid,Tricks,Bombs
1,2025-03-07,1,1,Cem,Anna,0,0,0
1,2025-03-07,1,1,Cem,Bernd,1,1,0
1,2025-03-07,1,1,Cem,Cem,0,0,0
1,2025-03-07,2,2,Anna,Anna,1,1,1
1,2025-03-07,2,2,Anna,Bernd,0,0,1
1,2025-03-07,2,2,Anna,Cem,0,0,1
"""


@pytest.fixture
def club() -> Club:
    return make_club("Nachteulen", house=rules.HouseRules(plus_minus_one=True))


def test_decisions_are_read_as_they_were_stored():
    decided = Decisions(
        people={"anna": "player:17", "cem": "other:Cemal"},
        again=frozenset({"2", "10"}),
        mismatches="leave",
        partly=True,
        games=("Wizard",),
        sheet="2025",
        day=date(2025, 3, 7),
        house="standard",
    )

    assert Decisions.from_stored(json.loads(json.dumps(decided.stored()))) == decided
    assert Decisions.from_stored({}) == Decisions()
    assert Decisions.from_stored(json.loads(json.dumps(Decisions().stored()))) == Decisions()


@pytest.mark.parametrize("games", [1, 40])
def test_plan_costs_three_statements(games, club, django_assert_num_queries):
    add(club, *NAMES)
    rows = [f"{n};{1 + n % 28:02}.03.2025;{name};{n}\n" for n in range(games) for name in (*NAMES[:2], f"New {n % 7}")]

    with django_assert_num_queries(3):
        plan = Plan.of_file(club, "".join([BARE, *rows]).encode(), "games.csv")

    assert len(plan.taken) == games


def test_what_a_sheet_needs_is_on_top_of_the_clubs_rules(club):
    decided = Decisions(people=dict.fromkeys(("anna", "bernd", "cem"), "new"))

    plan = Plan.of_file(club, WITH_BOMB.encode(), "games.csv", decided)
    standard = Plan.of_file(club, WITH_BOMB.encode(), "games.csv", Decisions(house="standard"))

    (game,) = plan.new_games
    assert (game.names, game.players, game.first_dealer) == (NAMES, NAMES, 2)
    assert (game.house.specials, game.house.plus_minus_one) == (("BOMB",), True)
    assert [played.bombs for played in game.rounds or ()] == [0, 1]
    assert [person.name for person in plan.new_people] == [*NAMES]
    assert not standard.new_games[0].house.plus_minus_one


def test_only_those_who_play_are_added(club):
    content = BARE + "1;07.03.2025;Anna;1\n1;07.03.2025;Bernd;2\n1;07.03.2025;Cem;3\n"
    twice = content + content.partition("\n")[2].replace("1;07", "2;07").replace("Cem", "Doro").replace(";3", ";x")
    decided = Decisions(people=dict.fromkeys(("anna", "bernd", "cem", "doro"), "guest"), partly=True)

    plan = Plan.of_file(club, twice.encode(), "games.csv", decided)

    assert [(person.name, person.is_guest) for person in plan.new_people] == [(name, True) for name in NAMES]
    assert [one.reason for one in plan.left_out] == ["refused"]
