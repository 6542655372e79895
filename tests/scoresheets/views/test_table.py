"""The page on which people join, leave, come back and take over a seat, and what other pages show of it."""

import pytest

import rules
from scoresheets.recording import end_early, leave_table, pause, replace_at_table
from tests.scoresheets.factories import (
    OPERATOR,
    client_for,
    enter_bids,
    finished_game,
    fresh,
    make_game,
    newest_of,
    open_round,
    play_round,
    rows_of,
    seat_ids,
    seats_of,
)
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


def path_of(game):
    return f"/games/{game.pk}/people/"


def page_of(client, game):
    return read(client.get(path_of(game)))


def send(client, game, act, **fields):
    """Send one of the page's forms as it stands, with these fields typed over."""
    form = page_of(client, game).one("form", id=act)
    return client.post(path_of(game), dict(form.fields()) | {"act": act} | fields)


def offered(client, game):
    return [form["id"] for form in page_of(client, game).one("main").all("form")]


def test_somebody_joins_with_what_the_page_proposes():
    game = make_game(seats=4, rounds=5)
    client = client_for(game)
    bernd = seat_ids(game)[1]

    response = send(client, game, "join", name=" Gerd ", seat=bernd, start="mean")

    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/")
    game = fresh(game)
    assert game.plan == [*range(1, 6), *range(6, 13)]  # five people have 12 rounds
    assert [seat.name for seat in seats_of(game)] == ["Annika", "Bernd", "Gerd", "Cem", "Doro"]
    assert seats_of(game)[2].starting == round(sum(seat.total for seat in seats_of(game) if seat.rounds) / 4)


def test_somebody_leaves_and_comes_back():
    game = make_game(seats=4, rounds=2, length=4)
    client = client_for(game)
    doro = seat_ids(game)[3]

    assert send(client, game, "leave", seat=doro, reason="Headache").status_code == 302
    assert (fresh(game).incomplete, fresh(game).plan) == (True, [1, 2, 3, 4])
    page = page_of(client, game)
    assert page.one("li", class_="gone").text.startswith("Doro has left")

    assert send(client, game, "back", seat=doro).status_code == 302
    assert (fresh(game).incomplete, seats_of(game)[3].plays) == (False, True)


def test_somebody_takes_over_a_seat_with_its_points():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)

    assert send(client, game, "replace", seat=seat_ids(game)[0], name="Gerd").status_code == 302

    assert [(seat.name, seat.plays, seat.total) for seat in seats_of(game)][:2] == [
        ("Gerd", True, 30),
        ("Annika", False, 30),
    ]


def test_with_two_left_the_page_says_that_the_game_ends():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    form = page_of(client, game).one("form", id="leave")
    assert "the game ends before round 2" in form.text
    assert form.all("input", name="cards") == []

    assert send(client, game, "leave", seat=seat_ids(game)[0]).status_code == 302

    assert (fresh(game).state, fresh(game).incomplete) == ("finished", True)
    assert offered(client, game) == ["join", "back"]
    ranking = read(client.get(f"/games/{game.pk}/"))
    assert "Annika left after round 1 with 30 points." in ranking.text
    assert ranking.all("button", name="rematch") == []
    assert ranking.all("button", name="back") == []
    state = read(client.get(f"/games/{game.pk}/state/"))
    assert [button["value"] for button in state.all("button", name="act")] == ["void"]


def test_before_the_first_round_a_table_of_three_stays():
    game = make_game(seats=3)
    client = client_for(game)
    assert "leave" not in offered(client, game)
    assert "abandon the game instead" in page_of(client, game).text


@pytest.mark.parametrize(
    ("act", "fields", "said"),
    [
        ("join", {"name": ""}, "Enter a name."),
        ("join", {"name": "x" * 200}, "A name has at most 40 characters."),
        ("join", {"name": "BERND"}, "Bernd is already at the table."),
        ("join", {"name": "Gerd", "seat": ""}, "Choose who."),
        ("join", {"name": "Gerd", "seat": "999"}, "Choose who."),
        ("join", {"name": "Gerd", "start": "own"}, "A number is missing here."),
        ("join", {"name": "Gerd", "start": "own", "points": "many"}, "“many” is not a whole number."),
        ("join", {"name": "Gerd", "start": "own", "points": "9999"}, "Write −5000 to +5000 points."),
        ("join", {"name": "Gerd", "start": "lots"}, "Choose one of these."),
        ("join", {"name": "Gerd", "cards": ""}, "Type the cards of each round"),
        ("join", {"name": "Gerd", "cards": "3 four"}, "“four” is no number of cards."),
        ("join", {"name": "Gerd", "cards": "3 0"}, "Round 3: everybody needs at least 1 card."),
        ("join", {"name": "Gerd", "cards": "16"}, "Round 2: 16 cards for 5 players need 80 of 60."),
        ("leave", {"seat": ""}, "Choose who."),
        ("leave", {"cards": "21"}, "Round 2: 21 cards for 3 players need 63 of 60."),
        ("leave", {"reason": "x" * 501}, "A reason has at most 500 characters."),
        ("replace", {"name": "annika"}, "Annika is already at the table."),
        ("replace", {"seat": "1x", "name": "Gerd"}, "Choose who."),
    ],
)
def test_what_is_wrong_is_said_and_what_is_typed_stays(act, fields, said):
    game = make_game(seats=4, rounds=1)
    client = client_for(game)
    before = rows_of(game)

    response = send(client, game, act, **{"seat": str(seat_ids(game)[1]), **fields})

    assert response.status_code == 422
    page = read(response)
    form = page.one("form", id=act)
    assert said in form.text
    sent = dict(form.fields())
    typed = {name: value for name, value in fields.items() if name not in {"seat", "start"}}
    assert {name: sent.get(name) for name in typed} == typed or "cards" in typed
    assert page.all("details", open="")[0].one("form")["id"] == act
    assert rows_of(game) == before


def test_a_list_of_cards_that_was_emptied_is_not_filled_again_without_a_word():
    game = make_game(seats=4, rounds=1)
    response = send(client_for(game), game, "leave", seat=seat_ids(game)[0], cards="")
    assert (response.status_code, "Type the cards" in read(response).text) == (422, True)
    assert read(response).one(id="leave_cards")["value"] == ""


def test_a_stale_page_keeps_what_was_typed_and_writes_only_when_sent_again():
    game = make_game(seats=4, rounds=1)
    client = client_for(game)
    form = dict(page_of(client, game).one("form", id="join").fields())
    play_round(game)

    response = client.post(path_of(game), form | {"act": "join", "name": "Gerd", "seat": seat_ids(game)[0]})

    assert response.status_code == 409
    page = read(response)
    assert "Somebody was faster" in page.text
    again = dict(page.one("form", id="join").fields())
    assert again["name"] == "Gerd"
    assert client.post(path_of(game), again | {"act": "join"}).status_code == 302
    assert len(seats_of(game)) == 5


def test_the_same_form_sent_twice_counts_once():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    form = dict(page_of(client, game).one("form", id="join").fields())
    sent = form | {"act": "join", "name": "Gerd", "seat": seat_ids(game)[0]}

    assert [client.post(path_of(game), sent).status_code for _ in range(2)] == [302, 302]
    assert len(seats_of(game)) == 4


def test_bids_that_would_go_are_announced():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    assert "Bids of round 2" not in page_of(client, game).text
    enter_bids(game)
    assert "Bids of round 2 are entered already." in page_of(client, game).text


def test_a_table_with_no_seat_left_says_why():
    game = make_game(seats=6, rounds=1)
    client = client_for(game)
    assert "Wizard needs 3 to 6 people; so far: 7." in page_of(client, game).text
    assert offered(client, game) == ["replace", "leave"]
    single_suit = make_game(seats=4, rounds=1, house=rules.HouseRules(variant="einfarbig"))
    assert offered(client_for(single_suit), single_suit) == ["replace", "leave"]


def test_nobody_joins_or_leaves_a_game_that_is_over_or_halted():
    over = finished_game([[(1, 1), (0, 0), (0, 0)]])
    assert offered(client_for(over), over) == []
    paused = make_game(seats=4, rounds=1)
    pause(paused, by=OPERATOR)
    client = client_for(paused)
    assert offered(client, paused) == []
    response = client.post(
        path_of(paused), {"act": "leave", "seat": seat_ids(paused)[0], "cards": "2", "seen": newest_of(paused)}
    )
    assert response.status_code == 409


def test_unknown_acts_write_nothing():
    game = make_game(seats=3, rounds=1)
    before = rows_of(game)
    client = client_for(game)
    assert client.post(path_of(game), {"act": "dance"}).status_code == 422
    assert {**rows_of(game), "links": []} == {**before, "links": []}


# -- what other pages show


def changed_game(length=3):
    """Return a game of four in which Annika left after round 1, Gerd took over Bernd's seat, and round 2 is scored."""
    game = make_game(seats=4, rounds=1, length=length)
    seats = seat_ids(game)
    cards = list(range(2, length + 1))
    leave_table(game, seat=seats[0], cards=cards, seen=game.version, by=OPERATOR)
    replace_at_table(game, seat=seats[1], name="Gerd", seen=newest_of(game), by=OPERATOR)
    play_round(game)
    return fresh(game)


def test_the_pad_shows_those_who_play():
    game = changed_game()
    page = read(client_for(game).get(f"/games/{game.pk}/"))
    heads = page.one("table", class_="block").one("thead").all("b")
    assert [head.text for head in heads] == ["Gerd", "Cem", "Doro"]
    first, second, *_open = page.one("table", class_="block").one("tbody").all("tr")
    assert [bool(cell.all("b", class_="tot")) for cell in first.all("td")] == [False, True, True]
    assert [bool(cell.all("b", class_="tot")) for cell in second.all("td")] == [True, True, True]


def test_bidding_goes_round_those_who_play():
    game = changed_game()
    client = client_for(game)
    asked = []
    for _ in range(3):
        page = read(client.get(f"/games/{game.pk}/"))
        form = page.one("form", id="bids")
        asked.append(next(seat.name for seat in seats_of(game) if str(seat.pk) == dict(form.fields())["seat"]))
        assert client.post(f"/games/{game.pk}/", dict(form.fields()) | {"bid": "0"}).status_code == 302
    dealer = open_round(game).dealer.name
    assert (asked[-1], sorted(asked)) == (dealer, ["Cem", "Doro", "Gerd"])
    assert open_round(game).state == "playing"


def test_the_sheet_has_a_column_for_everybody_and_says_who_came_and_went():
    game = changed_game()
    page = read(client_for(game).get(f"/games/{game.pk}/sheet/"))
    heads = [head.text for head in page.one("table").one("thead").all("th", scope="colgroup")]
    assert heads == ["Annika", "Gerd", "Bernd", "Cem", "Doro"]
    notes = [note.text for note in page.one("ul", class_="people-note").all("li")]
    assert notes == [
        "Annika left after round 1",
        "Gerd joined in round 2, beginning with 20 points",
        "Bernd left after round 1 (replaced)",
    ]
    first = page.one("table").one("tbody").all("tr")[0].all("td")
    assert [cell.text for cell in first[5:9]] == ["", "", "", ""]  # Gerd was not there
    ranks = [cell.text for cell in page.one("tfoot").all("tr")[-1].all("td")]
    assert [rank.partition(" ")[0] for rank in ranks] == ["–", "1.", "–", "2.", "2."]


@pytest.mark.parametrize(("number", "names"), [(1, ["Annika", "Bernd", "Cem", "Doro"]), (2, ["Gerd", "Cem", "Doro"])])
def test_a_round_is_corrected_among_those_who_played_it(number, names):
    game = changed_game()
    client = client_for(game)
    address = f"/games/{game.pk}/rounds/{number}/correct/"
    form = read(client.get(address)).one("form", id="correction")
    seats = {seat.pk: seat.name for seat in seats_of(game)}
    fields = dict(form.fields())
    assert [seats[int(name[4:])] for name in fields if name.startswith("bid_")] == names

    ids = [int(name[4:]) for name in fields if name.startswith("bid_")]
    moved = {f"taken_{ids[0]}": "0", f"taken_{ids[1]}": str(number)}
    look = read(client.post(address, fields | moved | {"look": "1"})).one("form", id="correction")
    response = client.post(address, dict(look.fields()) | {"save": "1"})

    assert response.status_code == 302
    totals = {seat.name: seat.line[number - 1] for seat in seats_of(game)}
    assert totals[names[1]] == [0, number, -10 * number]
    assert {name for name, cell in totals.items() if cell is None} == set(seats.values()) - set(names)


def test_the_ranking_is_among_those_who_stayed_and_names_those_who_did_not():
    game = changed_game(length=2)
    page = read(client_for(game).get(f"/games/{game.pk}/"))
    names = [line.one("span", class_="nm").text for line in page.one("ol", class_="stand").all("li")]
    assert sorted(names) == ["Cem", "Doro", "Gerd"]
    assert "from round 2 · 1 of 1 exact" in page.one("ol", class_="stand").text
    assert "Annika left after round 1 with 30 points." in page.text
    assert "Somebody left before the end: the game is incomplete." in page.text
    lines = page.one("figure", class_="chart").all("polyline")
    assert sorted(len(line["points"].split()) for line in lines) == [2, 3, 3]


def test_an_early_end_after_somebody_left_is_called_an_early_end():
    game = changed_game(length=4)
    end_early(game, by=OPERATOR)
    page = read(client_for(game).get(f"/games/{game.pk}/"))
    assert "This game was ended early" in page.text


def test_the_referee_knows_who_leads_at_the_changed_table():
    game = changed_game()
    dealer = open_round(game).dealer.name
    playing = [seat.name for seat in seats_of(game) if seat.plays]
    leads = playing[(playing.index(dealer) + 1) % 3]
    page = read(client_for(game).get(f"/games/{game.pk}/referee/"))
    assert leads in page.text
    assert "Annika" not in page.text


@pytest.mark.parametrize("rounds", [1, 8])
def test_page_takes_few_statements(django_assert_num_queries, rounds):
    game = make_game(seats=4, rounds=rounds)
    client = client_for(game)
    with django_assert_num_queries(4):
        client.get(path_of(game))
