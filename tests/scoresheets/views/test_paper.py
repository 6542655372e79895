"""A paper sheet typed into the grid: looked at, refused at its fields, confirmed, saved once."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as random_tests

import rules
from scoresheets.forms.paper import MOST_ROUNDS, PaperSheet
from scoresheets.models import Entry, Game
from scoresheets.recording.repair import differences_of
from tests.rules.games import games, sheet
from tests.scoresheets.factories import NAMES, everything, seats_of
from tests.scoresheets.pages import number, press, read
from tests.thorough import scaled

pytestmark = pytest.mark.django_db

ADDRESS = "/games/sheet/new/"


def table(people=4, **fields):
    """Return the fields above the grid."""
    return {"name": list(NAMES[:people]), "dealer": "0", "ladder": "full", **fields}


def grid(rounds, places=None):
    """Return the fields of these rounds, `rules.PlayedRound` each."""
    found = {}
    for row, played in enumerate(rounds, start=1):
        for seat, place in enumerate(places or range(len(played.bids))):
            found |= {f"b{row}-{place}": str(played.bids[seat]), f"t{row}-{place}": str(played.tricks[seat])}
            if played.blind and played.blind[seat]:
                found[f"x{row}-{place}"] = "on"
        if played.bombs:
            found[f"bombs{row}"] = str(played.bombs)
        for seat, delta in played.clouds:
            found[f"cloud{row}"] = f"{(places or range(9))[seat]}{'+' if delta > 0 else '-'}"
    return found


#: One round of three that is right.
ROUND = rules.PlayedRound((0, 1, 0), (0, 1, 0))


def small(**fields):
    """Return a right sheet of one round, with some fields changed."""
    return table(3, rounds="1") | grid([ROUND]) | {"key": "k"} | fields


def look(client, data, **options):
    return client.post(ADDRESS, data | {"look": "1"}, **options)


def save(client, data, **options):
    return client.post(ADDRESS, {"save": "1"} | data, **options)


def told(page, name):
    """Return the sentences that a field is described by; it must be there once."""
    (element,) = [
        e for tag in ("input", "select") for e in page.all(tag) if name in (e.attrs.get("name"), e.attrs.get("id"))
    ]
    return [page.one(id=at).text for at in element.attrs.get("aria-describedby", "").split()]


def wrong_fields(page):
    """Return the names (or ids, for people) of the fields that are marked as wrong, in the order of the page."""
    return [
        element.attrs["id"] if element["name"] == "name" else element["name"]
        for element in page.walk()
        if element.attrs.get("aria-invalid") == "true"
    ]


def typed_in(page):
    """Return what the page would send again, keys and buttons apart."""
    sent = {}
    for name, value in page.one(id="paper").fields():
        if value and name not in {"csrfmiddlewaretoken", "key"}:
            sent.setdefault(name, []).append(value)
    for select in page.all("select"):
        for option in select.all("option"):
            if "selected" in option.attrs:
                sent[select["name"]] = [option["value"]]
    return sent


def sent_as(data):
    return {name: values if isinstance(values, list) else [values] for name, values in data.items() if values}


def computed(page):
    """Return points and total as the grid shows them, row by row; None where there are none."""
    rows = []
    for row in page.one("tbody").all("tr"):
        cells = [(cell.all("b"), cell.all("span")) for cell in row.all("td", class_="got")]
        if cells:
            rows.append(
                [(number(b[0].text.lstrip("+")), number(s[0].text) if s else None) if b else None for b, s in cells]
            )
    return rows


def published(name):
    """Return one of the published sheets as it is typed, points and totals of the paper included."""
    printed = sheet(name)
    rows = printed["rounds"]
    is_tournament = printed["ladder"].startswith("tournament")
    fields = table(
        printed["players"],
        ladder="tournament" if is_tournament else "free",
        cards="" if is_tournament else " ".join(str(row["cards"]) for row in rows),
        rounds=str(len(rows)),
        printed="on",
        key="k",
    )
    for row in rows:
        for place in range(printed["players"]):
            values = {
                "b": row["bids"],
                "t": row["tricks"],
                "p": row.get("points_as_printed", row["points"]),
                "s": row["totals"],
            }
            fields |= {f"{kind}{row['number']}-{place}": str(numbers[place]) for kind, numbers in values.items()}
    return fields, rows


# -- from the table to the grid --------------------------------------------------------------------------------------


def test_the_empty_page_asks_for_the_table_and_the_database_for_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = read(client.get(ADDRESS))

    assert [field["name"] for field in page.all("input", class_="input")] == ["name"] * 6 + [
        "played_on",
        "cards",
        "rounds",
    ]
    assert page.all("table") == []
    assert [button["name"] for button in page.all("button")] == ["look", "look"]
    assert page.all("details") == []


def test_start_page_leads_to_it(client):
    assert [a["href"] for a in read(client.get("/")).all("a") if a.text == "Type in a paper sheet"] == [ADDRESS]


@pytest.mark.parametrize(
    ("fields", "cards"),
    [
        ({}, list(range(1, 16))),
        ({"rounds": "3"}, [1, 2, 3]),
        ({"ladder": "tournament"}, [1, 3, 5, 7, 9, 11, 12, 13, 14, 15]),
        ({"ladder": "free", "cards": "5, 4;3  2"}, [5, 4, 3, 2]),
        ({"deck": "french52"}, list(range(1, 14))),
    ],
)
def test_the_grid_has_a_row_for_each_round_of_the_plan(client, fields, cards):
    page = read(look(client, table(**fields)))

    heads = [head.text.split()[:2] for head in page.one("tbody").all("th")]
    assert heads == [[str(row), str(dealt)] for row, dealt in enumerate(cards, start=1)]
    assert [th.text for th in page.one("thead").all("th", class_="who")] == list(NAMES[:4])
    assert "open" not in page.one("details").attrs


def test_dealers_follow_each_other_from_the_first(client):
    page = read(look(client, table(3, dealer="2", rounds="4")))

    dealt = [
        [cell.one("input")["name"] for cell in row.all("td", class_="deals")] for row in page.one("tbody").all("tr")
    ]
    assert dealt == [["b1-2"], ["b2-0"], ["b3-1"], ["b4-2"]]


def test_columns_follow_the_rules_of_the_table(client):
    plain = read(look(client, table(3, rounds="1")))
    every = read(look(client, table(3, rounds="1", special=["CLOUD", "BOMB"], blind_bids="on", printed="on")))

    def fields(page):
        return [e["name"] for e in page.one("tbody").walk() if e.tag in {"input", "select"}]

    assert fields(plain) == [f"{kind}1-{place}" for place in range(3) for kind in "bt"]
    assert fields(every) == [f"{kind}1-{place}" for place in range(3) for kind in "bxtps"] + ["bombs1", "cloud1"]


def test_every_field_of_the_grid_says_whose_it_is(client):
    page = read(look(client, table(3, rounds="2", special=["CLOUD", "BOMB"], blind_bids="on", printed="on")))

    labels = [e["aria-label"] for e in page.one("tbody").walk() if e.tag in {"input", "select"}]
    assert labels[:5] == [
        "Annika, round 1: bid",
        "Annika, round 1: bid blind",
        "Annika, round 1: tricks",
        "Annika, round 1: points as printed",
        "Annika, round 1: total as printed",
    ]
    assert labels[15:17] == ["Round 1: bombed tricks", "Round 1: who took the cloud"]
    assert len(set(labels)) == len(labels) == 34


def test_a_place_left_empty_is_nobody(client):
    fields = table(3, rounds="1", name=["Annika", "", "Cem", " \u200b ", "Emil"], dealer="4") | grid([ROUND], [0, 2, 4])

    response = save(client, fields)

    game = Game.objects.get()
    assert response["Location"] == f"/games/{game.pk}/"
    assert [(seat.name, seat.total) for seat in seats_of(game)] == [("Annika", 20), ("Cem", 30), ("Emil", 20)]
    assert game.first_dealer == 2


@pytest.mark.parametrize(
    ("fields", "at", "sentence"),
    [
        ({"name": ["Annika", "Bernd"]}, None, "Wizard needs 3 to 6 people; so far: 2."),
        ({"name": []}, None, "Wizard needs 3 to 6 people; so far: 0."),
        ({"name": ["Annika", "Bernd", "annika"]}, "name2", "Annika is already at the table."),
        ({"name": ["Annika", "", "Bernd", "x" * 41]}, "name3", "A name has at most 40 characters."),
        ({"dealer": "5"}, None, "Choose who deals first."),
        ({"rounds": "21"}, "rounds", "Choose 1 to 20 rounds."),
        ({"rounds": "0"}, "rounds", "Choose 1 to 20 rounds."),
        ({"rounds": "ten"}, "rounds", "“ten” is not a whole number."),
        ({"ladder": "tournament", "name": list(NAMES)}, None, "There is no tournament ladder for 6 people."),
        ({"ladder": "free", "rounds": ""}, "cards", "Type the cards of each round, for example 1 3 5 7."),
        ({"ladder": "free", "cards": "1 two"}, "cards", "“two” is no number of cards."),
        ({"ladder": "free", "cards": "0"}, "cards", "Round 1: everybody needs at least 1 card."),
        ({"ladder": "free", "cards": "1 21", "rounds": ""}, "cards", "Round 2"),
        ({"ladder": "free", "cards": "1 " * 26, "rounds": ""}, "rounds", f"Choose 1 to {MOST_ROUNDS} rounds."),
        ({"special": ["DRAGON"]}, None, "Dragon and fairy are only played together."),
        ({"deck": "french52", "special": ["BOMB"]}, None, "is played without special cards."),
        ({"played_on": "yesterday"}, "played_on", "“yesterday” is not a date."),
        ({"played_on": "0001-01-01"}, "played_on", "“0001-01-01” is not a date."),
        ({"played_on": "2999-01-01"}, "played_on", "This day is still to come."),
    ],
)
@pytest.mark.parametrize("button", ["look", "save"])
def test_what_is_wrong_above_the_grid_is_said_at_its_field(client, fields, at, sentence, button):
    data = small(**fields)
    before = everything()

    response = client.post(ADDRESS, data | {button: "1"})

    page = read(response)
    assert response.status_code == (422 if button == "save" else 200)
    assert everything() == before
    assert [p.text for p in page.all("p", class_="err") if sentence in p.text]
    if at:
        assert [text for text in told(page, at) if sentence in text]
        assert at in wrong_fields(page)
    if page.all("table"):
        assert "open" in page.one("details").attrs
        assert "Something is wrong above the sheet." in page.one(role="status").text


def test_nothing_typed_is_lost_whatever_is_shown(client):
    """Also what belongs to rounds, people and columns that are not on the page now."""
    every = table(
        3,
        rounds="2",
        special=["BOMB", "CLOUD"],
        blind_bids="on",
        printed="on",
        plus_minus_one="on",
        edition="2026",
        tie_break="shared",
        deck="wizard60",
        variant="standard",
        bid_mode="hidden",
        cards="1 2",
        played_on="2020-02-29",
    )
    every |= {f"{kind}{row}-{place}": f"{row}{place}" for kind in "btps" for row in (1, 2) for place in range(3)}
    every |= {"x1-0": "on", "x2-2": "on", "bombs1": "1", "bombs2": "x", "cloud1": "2-"}
    expected = sent_as(every)

    first = typed_in(read(look(client, every)))
    assert first == expected
    for changes in ({"name": ["Annika"]}, {"rounds": "1"}, {"special": []}, {"blind_bids": None, "printed": None}):
        fewer = {name: values for name, values in (first | changes).items() if values is not None}
        page = read(look(client, fewer))
        again = typed_in(page)
        grid_fields = {
            name: values for name, values in expected.items() if re.match(r"[btxps]\d|bombs\d|cloud\d", name)
        }
        assert {name: again.get(name) for name in grid_fields} == grid_fields
        assert typed_in(read(look(client, again | expected))) == expected


# -- looking ---------------------------------------------------------------------------------------------------------


def test_look_shows_points_and_running_totals_and_writes_nothing(client):
    data = table(3, rounds="3") | grid([ROUND, rules.PlayedRound((0, 2, 1), (1, 1, 0))])
    before = everything()

    response = look(client, data)

    page = read(response)
    assert response.status_code == 200
    assert everything() == before
    assert computed(page) == [
        [(20, 20), (30, 30), (20, 20)],
        [(-10, 10), (-10, 20), (-10, 10)],
        [None, None, None],
    ]
    assert page.one(role="status").text == "2 of 3 rounds complete."
    assert wrong_fields(page) == []


def test_totals_stop_at_a_row_that_cannot_be_scored_and_points_go_on(client):
    data = table(3, rounds="3") | grid([ROUND]) | {f"{kind}3-{place}": "1" for kind in "bt" for place in range(3)}

    assert computed(read(look(client, data))) == [
        [(20, 20), (30, 30), (20, 20)],
        [None, None, None],
        [(30, None), (30, None), (30, None)],
    ]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"b1-1": "9"}, {"b1-1": "Bernd, bid: 9 is too many: there is only 1 card this round."}),
        ({"b1-1": "-1"}, {"b1-1": "Bernd, bid: A bid is at least 0."}),
        ({"b1-1": "x"}, {"b1-1": "Bernd, bid: “x” is not a whole number."}),
        ({"b1-1": ""}, {"b1-1": "Bernd, bid: A number is missing here."}),
        ({"t1-0": "1,5"}, {"t1-0": "Annika, tricks: “1,5” is not a whole number."}),
        ({"t1-0": "4"}, {"t1-0": "Annika, tricks: 4 is too many: only 1 trick counts this round."}),
        ({"b1-0": "x", "t1-2": "9"}, {"b1-0": "Annika, bid: “x”", "t1-2": "Cem, tricks: 9 is too many"}),
        (
            {"t1-0": "1"},
            dict.fromkeys(("t1-0", "t1-1", "t1-2"), "Tricks: One trick too many. Who miscounted?"),
        ),
        ({"special": ["BOMB"], "bombs1": "2"}, {"bombs1": "Bombs:"}),
        ({"special": ["BOMB"], "bombs1": "!"}, {"bombs1": "Bombs: “!” is not a whole number."}),
        ({"special": ["CLOUD"], "cloud1": "0+"}, {"cloud1": "Cloud: Annika has no trick that counts"}),
        ({"special": ["CLOUD"], "cloud1": "1+"}, {"cloud1": "Cloud:"}),
    ],
)
@pytest.mark.parametrize("button", ["look", "save"])
def test_what_is_wrong_in_a_row_is_said_at_its_field(client, fields, wrong, button):
    before = everything()

    response = client.post(ADDRESS, small(**fields) | {button: "1"})

    page = read(response)
    assert response.status_code == (422 if button == "save" else 200)
    assert everything() == before
    assert set(wrong_fields(page)) == set(wrong)
    for name, sentence in wrong.items():
        assert [text[: len(sentence)] for text in told(page, name)] == [sentence]
    assert [e["name"] for e in page.walk() if "autofocus" in e.attrs] == wrong_fields(page)[:1]
    assert page.one(role="status").text.endswith("Something is wrong in round 1.")


def test_the_newer_edition_lets_the_cloud_raise_a_full_bid(client):
    data = small(special=["CLOUD"], cloud1="1+", edition="2026")

    assert computed(read(look(client, data))) == [[(20, 20), (-10, -10), (20, 20)]]


def test_rows_without_anything_are_only_wrong_when_the_sheet_is_saved(client):
    data = small(rounds="3")

    assert wrong_fields(read(look(client, data))) == []
    page = read(save(client, data))

    assert wrong_fields(page) == ["b2-0", "b3-0"]
    assert "This round is empty." in told(page, "b2-0")[0]
    assert page.one(role="status").text.endswith("Something is wrong in rounds 2 and 3.")


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({}, []),
        ({"rounds": "2"}, ["b2-0"]),
        ({"rounds": "2", "b2-0": "0"}, ["t2-0"]),
        ({"b1-0": "", "t1-0": ""}, ["b1-0"]),
    ],
)
def test_typing_goes_on_where_something_is_missing(client, fields, at):
    page = read(look(client, small(**fields)))

    assert [e["name"] for e in page.walk() if "autofocus" in e.attrs] == at


def test_first_button_only_looks(client):
    page = read(look(client, small()))

    buttons = page.one(id="paper").all("button")
    assert [button["name"] for button in buttons] == ["look", "look", "save"]
    assert press(client, ADDRESS, "look", page=page).status_code == 200
    assert Game.objects.count() == 0


# -- saving ----------------------------------------------------------------------------------------------------------


def test_saved_sheet_leads_to_the_ranking_of_its_game(client):
    response = save(client, small(played_on="2020-02-29", plus_minus_one="on", tie_break="shared"))

    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/")
    assert [(seat.name, seat.total) for seat in seats_of(game)] == [("Annika", 20), ("Bernd", 30), ("Cem", 20)]
    assert list(game.entries.values_list("kind", "via")) == [
        (Entry.Kind.STARTED, "device"),
        (Entry.Kind.SHEET_RECORDED, "device"),
    ]
    assert (game.plus_minus_one, game.tie_break, game.plan) == (True, "shared", [1])
    assert timezone.localtime(game.started_at).strftime("%Y-%m-%d %H:%M") == "2020-02-29 12:00"
    ranking = read(client.get(response["Location"]))
    assert "Bernd" in ranking.one("h1").text


@pytest.mark.parametrize("played_on", ["", timezone.localdate().isoformat()])
def test_sheet_of_today_is_played_now(client, played_on):
    save(client, small(played_on=played_on))

    assert timezone.now() - Game.objects.get().finished_at < timedelta(minutes=1)


def test_everything_a_sheet_can_hold_is_recorded(client):
    rounds = [
        rules.PlayedRound((0, 0, 1), (1, 0, 0), blind=(False, True, True)),
        rules.PlayedRound((1, 0, 0), (1, 0, 0), bombs=1, blind=(False, False, False)),
        rules.PlayedRound((2, 0, 1), (1, 1, 1), clouds=((0, -1),), blind=(True, False, False)),
    ]
    data = table(3, rounds="3", special=["CLOUD", "BOMB", "JUGGLER"], blind_bids="on") | grid(rounds)

    save(client, data)

    game = Game.objects.get()
    assert set(game.specials) == {"BOMB", "CLOUD", "JUGGLER"}
    assert [seat.line for seat in seats_of(game)] == [
        [[0, 1, -10], [1, 1, 30], [2, 1, 60, 1, -1]],
        [[0, 0, 40, 1, 0], [0, 0, 20], [0, 1, -10]],
        [[1, 0, -20, 1, 0], [0, 0, 20], [1, 1, 30]],
    ]
    assert list(game.rounds.values_list("bombs", flat=True)) == [0, 1, 0]
    assert differences_of(game.pk) == []


def test_the_same_page_saved_twice_is_one_game(client):
    client.get("/games/new/")
    first, second = save(client, small()), save(client, small())

    assert first["Location"] == second["Location"]
    assert Game.objects.count() == 1


def test_the_same_page_saved_with_another_sheet_is_a_conflict_that_loses_nothing(client):
    client.get("/games/new/")
    save(client, small())
    other = small(**{"b1-0": "1"})

    response = save(client, other)

    page = read(response)
    assert response.status_code == 409
    assert "already sent" in page.one(class_="err-box").text
    assert page.one("input", name="b1-0")["value"] == "1"
    assert page.one("input", name="key")["value"] != "k"
    assert press(client, ADDRESS, "save", page=page).status_code == 302
    assert Game.objects.count() == 2


# -- what the paper prints -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["S1", "S2", "S6"])
def test_published_sheets_are_typed_in_compared_and_saved(client, name):
    data, rows = published(name)
    misprints = {"S2": ["p2-3"]}.get(name, [])

    response = save(client, data)
    if misprints:
        assert response.status_code == 422
        assert Game.objects.count() == 0
        page = read(response)
        assert [at for at in data if at[0] in "ps" and at[1].isdigit() and told(page, at)] == misprints
        assert told(page, "p2-3") == ["Doro, points: The paper says 10, computed: 20."]
        assert wrong_fields(page) == []
        assert "The paper differs in 1 place." in page.one(role="status").text
        assert [cell[1] for cell in computed(page)[-1]] == rows[-1]["totals"]
        response = press(client, ADDRESS, "save", page=page)

    assert response.status_code == 302
    assert [seat.total for seat in seats_of(Game.objects.get())] == rows[-1]["totals"]


def test_mismatches_are_those_of_the_rules():
    """The same comparison as for sheets that are read from a file."""
    data, rows = published("S1")
    data |= {"p3-1": "7", "s3-1": "-7", "s4-0": "1"}
    printed = [{**row, "points": [*row["points"]], "totals": [*row["totals"]]} for row in rows]
    printed[2]["points"][1], printed[2]["totals"][1], printed[3]["totals"][0] = 7, -7, 1
    expected = rules.sheet_problems({"ladder": "tournament-4", "players": 4, "rounds": printed})

    typed = PaperSheet(QueryDict(urlencode(data, doseq=True)))

    places = {"points_printed": "p", "total_printed": "s"}
    assert [at for row in typed.rows for at in row.mismatches] == [
        f"{places[problem.code]}{problem.args['round']}-{problem.seat}" for problem in expected
    ]


def test_a_mismatch_is_confirmed_for_itself_alone(client):
    data = small(printed="on", **{"p1-0": "7"})
    page = read(save(client, data))
    confirmation = page.one("button", name="save")["value"]
    assert page.one("button", name="save").text == "Save as computed"

    other = save(client, data | {"s1-2": "−99", "save": confirmation})
    assert other.status_code == 422
    assert told(read(other), "s1-2") == ["Cem, total: The paper says −99 in total, computed: 20."]
    changed = save(client, data | {"b1-0": "1", "save": confirmation})
    assert changed.status_code == 422
    assert Game.objects.count() == 0

    assert save(client, data | {"save": confirmation}).status_code == 302


def test_what_the_paper_prints_is_compared_only_where_it_was_typed(client):
    assert save(client, small(printed="on", **{"p1-1": "+30", "s1-0": " 20 "})).status_code == 302


def test_numbers_of_the_paper_that_are_none_are_wrong(client):
    page = read(save(client, small(printed="on", **{"p1-1": "3o"})))

    assert wrong_fields(page) == ["p1-1"]
    assert told(page, "p1-1") == ["Bernd, points: “3o” is not a whole number."]


def test_without_its_columns_nothing_is_compared(client):
    assert save(client, small(**{"p1-1": "99"})).status_code == 302


# -- any sheet -------------------------------------------------------------------------------------------------------


@random_tests(max_examples=scaled(12))
@given(games())
def test_any_sheet_typed_in_is_the_block_scored_from_the_same_rounds(drawn):
    house, plan, played, _starting = drawn
    house = rules.HouseRules(
        deck=house.deck,
        specials=tuple(card for card in house.specials if card not in {"DRAGON", "FAIRY"}),
        blind_bids=True,
        cloud_upper_clamp=False,
        weak_specials_no_trump=True,
        tie_break=house.tie_break,
    )
    if not played:
        return
    cards = [step.cards for step in plan[: len(played)]]
    data = table(
        len(played[0].bids),
        ladder="free",
        cards=" ".join(map(str, cards)),
        deck=house.deck,
        special=list(house.specials),
        blind_bids="on",
        edition="2026",
        tie_break=house.tie_break,
    )
    expected = rules.Block.scored(
        house, rules.round_plans(house, len(played[0].bids), ladder="free", cards=cards), played, first_dealer=0
    )

    response = save(Client(), data | grid(played))

    game = Game.objects.latest("pk")
    assert response["Location"] == f"/games/{game.pk}/"
    assert [(seat.total, seat.rank, seat.exact) for seat in seats_of(game)] == list(
        zip(expected.totals, expected.ranks, expected.hits, strict=True)
    )
    assert differences_of(game.pk) == []


# -- size ------------------------------------------------------------------------------------------------------------


def largest(people=6, rounds=MOST_ROUNDS):
    """Return the largest sheet that the page takes, every field filled in."""
    data = table(
        people,
        ladder="free",
        cards=" ".join(["9"] * rounds),
        special=list(rules.SPECIALS),
        **dict.fromkeys(("blind_bids", "printed", "plus_minus_one"), "on"),
        rounds=str(rounds),
        played_on="2020-01-01",
        key="k",
        edition="2021",
        deck="wizard60",
    )
    for row in range(1, rounds + 1):
        data |= {f"bombs{row}": "1", f"cloud{row}": "0-"}
        for place in range(people):
            tricks = 8 if place == 0 else 0
            data |= {f"b{row}-{place}": "1", f"t{row}-{place}": str(tricks), f"x{row}-{place}": "on"}
            data |= {f"p{row}-{place}": "-160" if place == 0 else "-20", f"s{row}-{place}": "0"}
    return data


def test_the_largest_sheet_stays_within_the_limits_of_a_request(client):
    data = largest()

    response = look(client, data)

    fields = typed_in(read(response))
    assert response.status_code == 200
    assert len(read(response).one("tbody").all("input", class_="n")) == MOST_ROUNDS * (6 * 4 + 1)
    sent = urlencode(fields, doseq=True)
    assert sum(len(values) for values in fields.values()) + 10 < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    assert len(sent) < settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 4


@pytest.mark.parametrize(("people", "rounds"), [(3, 1), (6, 10)])
def test_statements_of_a_saved_sheet(client, people, rounds):
    client.get("/games/new/")
    data = largest(people, rounds)
    confirmation = read(save(client, data)).one("button", name="save")["value"]

    with CaptureQueriesContext(connection) as captured:
        response = save(client, data | {"save": confirmation})

    asked = [query["sql"].split()[0] for query in captured.captured_queries]
    assert response.status_code == 302
    assert [word for word in asked if word not in {"BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"}] == [
        "SELECT",
        *["INSERT"] * 8,
        "DELETE",
    ]


def test_looking_asks_the_database_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert look(client, largest(6, 20)).status_code == 200


def test_a_whole_sheet_is_answered_quickly(client):
    """Generous, as the machine may be busy: a page that took a statement or a template a field would be far above."""
    body = urlencode(largest(6, 20) | {"look": "1"}, doseq=True)

    def post():
        started = time.process_time()
        client.post(ADDRESS, body, content_type="application/x-www-form-urlencoded")
        return time.process_time() - started

    assert min(post() for _ in range(3)) < 1


# -- forged requests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"dealer": "99"},
        {"dealer": "x"},
        {"deck": "tarot", "edition": "1984", "tie_break": "coin", "ladder": "stairs", "special": ["JOKER"]},
        {"cloud1": "0+", "bombs1": "5", "x1-0": "on"},
        {"b1-7": "3", "b99-0": "3", "b0-0": "3", "b1-0-0": "3", "z1-0": "3"},
        {"b1-0": "0" * 10**4},
        {"name": [*NAMES[:3], "", "", "", "Gero"]},
        {"rounds": "\u0661"},
    ],
)
def test_what_no_field_sends_is_answered_with_a_page_or_the_usual_choice(client, fields):
    response = save(client, small(**fields))

    assert response.status_code in {302, 422}
    if response.status_code == 422:
        assert read(response).one(role="status").text
    else:
        assert differences_of(Game.objects.get().pk) == []


def test_unknown_fields_are_not_given_back(client):
    page = read(look(client, small(**{"b1-7": "3", "b0-0": "3", "q": "3", "b100-0": "3"})))

    assert [name for name in typed_in(page) if name in {"b1-7", "b0-0", "q", "b100-0"}] == []


def test_too_many_fields_are_refused(client):
    assert look(client, {f"f{n}": "1" for n in range(1001)}).status_code == 400


@pytest.mark.parametrize(
    ("variant", "people", "rounds"),
    [
        ("einfarbig", 3, [rules.PlayedRound((1, 2, 1), (1, 2, 1)), rules.PlayedRound((2, 0, 0), (2, 2, 1))]),
        ("maximus", 6, [rules.PlayedRound((5, 5, 0, 0, 0, 0), (5, 5, 0, 0, 0, 0))]),
    ],
)
@pytest.mark.parametrize("bid_mode", ["open", "hidden", "secret"])
def test_sheet_of_a_variant_is_recorded_as_it_was_played(variant, people, rounds, bid_mode):
    fields = table(people, rounds=str(len(rounds)), variant=variant, bid_mode=bid_mode) | grid(rounds) | {"key": "k"}

    response = save(Client(), fields)

    assert response.status_code == 302
    game = Game.objects.get()
    assert (game.variant, game.hidden_bids, game.secret_bids) == (variant, bid_mode == "hidden", bid_mode == "secret")
    assert [row.cards for row in game.rounds.all()] == game.plan
    assert game.plan[0] == (4 if variant == "einfarbig" else 10)
    assert differences_of(game.pk) == []


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        (table(5, rounds="1", variant="einfarbig"), "variant"),
        (table(3, rounds="1", variant="maximus", ladder="tournament"), "ladder"),
        (table(3, rounds="1", variant="maximus", deck="french52"), "variant"),
        (table(3, rounds="1", bid_mode="secret", plus_minus_one="on"), "bid_mode"),
    ],
)
def test_choices_that_exclude_each_other_are_told_where_they_are_made(fields, at):
    sheet = PaperSheet(QueryDict(urlencode(fields, doseq=True)))
    assert at in sheet.errors
    page = read(Client().post(ADDRESS, fields))
    assert page.one(id=f"{at}_errors").text


def test_special_cards_may_lie_beside_a_variant_on_paper():
    game_of = PaperSheet(QueryDict(urlencode(table(3, rounds="1", variant="maximus", special=["BOMB"]), doseq=True)))
    assert "table" not in game_of.errors
    assert game_of.house.specials_in_variants
