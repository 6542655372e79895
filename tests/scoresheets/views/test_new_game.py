"""The new game as a browser meets it: every button, every refusal, and the page beside its swapped part."""

import pytest
from django.test import Client

import rules
from scoresheets.models import Game
from tests.scoresheets.factories import NAMES, client_for, everything, fresh, make_game, seats_of
from tests.scoresheets.pages import HTMX, lasting, press, read, sentences_at

pytestmark = pytest.mark.django_db

ADDRESS = "/games/new/"
RIGHT_TO_LEFT = "\u202e"


def names_on(page):
    return [field["value"] for field in page.all("input", name="name")]


def dealer_on(page):
    (chosen,) = [field for field in page.all("input", name="dealer") if "checked" in field.attrs]
    return int(chosen["value"])


def length_on(page):
    return [field["value"] for field in page.all("input", name="length") if "checked" in field.attrs]


def set_up(client, *names, **typed):
    """Return the page after these names were typed in at once."""
    return read(press(client, ADDRESS, "add", typed={"new_name": ", ".join(names), **typed}))


def start(client, page, **typed):
    """Press start and return the stored game."""
    response = press(client, ADDRESS, "start", page=page, typed=typed)
    assert response.status_code == 302, read(response).text
    (game,) = [game for game in Game.objects.all() if response["Location"] == f"/games/{game.pk}/"]
    return game


def start_refused(client, page, **typed):
    """Press start, check that nothing was written, and return the page that says why."""
    before = everything()
    response = press(client, ADDRESS, "start", page=page, typed=typed)
    assert response.status_code == 422
    assert everything() == before
    return read(response)


# -- buttons -------------------------------------------------------------------------------------------------------


def test_names_are_added_one_by_one_or_several_at_once(client):
    page = set_up(client, "Annika")
    page = read(press(client, ADDRESS, "add", page=page, typed={"new_name": " Bernd ,Cem,, Doro "}))

    assert names_on(page) == ["Annika", "Bernd", "Cem", "Doro"]
    assert page.one(id="new_name")["value"] == ""
    assert (dealer_on(page), length_on(page)) == (0, ["full"])
    assert Game.objects.count() == 0


def test_up_and_down_move_a_person_and_the_dealer_stays_the_same_person(client):
    page = set_up(client, "A", "B", "C")
    page = read(press(client, ADDRESS, "up", "2", page=page, typed={"dealer": 2}))
    assert (names_on(page), dealer_on(page)) == (["A", "C", "B"], 1)

    page = read(press(client, ADDRESS, "down", "0", page=page))
    assert (names_on(page), dealer_on(page)) == (["C", "A", "B"], 0)


def test_ends_of_the_order_cannot_be_moved_over_the_edge(client):
    page = set_up(client, "A", "B", "C")
    first, last = page.one("button", name="up", value="0"), page.one("button", name="down", value="2")
    assert ("disabled" in first.attrs, "disabled" in last.attrs) == (True, True)

    for button, place in (("up", "0"), ("down", "2"), ("up", "9"), ("down", "-1"), ("remove", "x"), ("move", "0:7")):
        response = client.post(ADDRESS, {"name": ["A", "B", "C"], button: place})
        assert names_on(read(response)) == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("move", "dealer", "expected"),
    [
        ("0:3", 0, (["B", "C", "D", "A"], 3)),
        ("3:0", 0, (["D", "A", "B", "C"], 1)),
        ("1:2", 3, (["A", "C", "B", "D"], 3)),
        ("2:2", 1, (["A", "B", "C", "D"], 1)),
        ("", 1, (["A", "B", "C", "D"], 1)),
        (":", 1, (["A", "B", "C", "D"], 1)),
        ("1", 1, (["A", "B", "C", "D"], 1)),
    ],
)
def test_dragging_sends_the_place_and_its_new_one(client, move, dealer, expected):
    page = read(client.post(ADDRESS, {"name": list("ABCD"), "dealer": dealer, "move": move}))

    assert (names_on(page), dealer_on(page)) == expected


@pytest.mark.parametrize(("dealer", "removed", "expected"), [(2, "0", 1), (0, "1", 0), (2, "2", 1), (1, "1", 1)])
def test_remove_lets_a_person_go(client, dealer, removed, expected):
    page = set_up(client, "A", "B", "C")
    page = read(press(client, ADDRESS, "remove", removed, page=page, typed={"dealer": dealer}))

    assert names_on(page) == [name for place, name in enumerate("ABC") if str(place) != removed]
    assert dealer_on(page) == expected


def test_last_person_can_be_removed(client):
    page = read(press(client, ADDRESS, "remove", "0", page=set_up(client, "A")))

    assert names_on(page) == []


def test_recent_names_are_tapped_in_and_out():
    client = client_for(make_game(names=["Zoe", "Yann", "Xaver"]))
    page = read(client.get(ADDRESS))
    assert [(pill["value"], pill["aria-pressed"]) for pill in page.all("button", name="toggle")] == [
        ("Zoe", "false"),
        ("Yann", "false"),
        ("Xaver", "false"),
    ]

    page = read(press(client, ADDRESS, "toggle", "Yann", page=page, typed={"new_name": "half ty"}))
    assert (names_on(page), page.one(id="new_name")["value"]) == (["Yann"], "half ty")
    assert page.one("button", name="toggle", value="Yann")["aria-pressed"] == "true"

    page = read(press(client, ADDRESS, "toggle", "Yann", page=page))
    assert names_on(page) == []


def test_recent_names_come_newest_first_and_once():
    client = client_for(make_game(names=["Old", "Zoe", "Xaver"]))
    newer = make_game(names=["ZOE", "New", "Yann"])
    client.cookies.update(client_for(newer).cookies)

    page = read(client.get(ADDRESS))

    assert [pill["value"] for pill in page.all("button", name="toggle")] == ["ZOE", "New", "Yann", "Old", "Xaver"]


@pytest.mark.parametrize(
    ("names", "length", "rounds"),
    [
        (3, "full", 20),
        (3, "short", 13),
        (3, "half", 10),
        (4, "full", 15),
        (4, "short", 10),
        (4, "half", 8),
        (5, "full", 12),
        (5, "short", 8),
        (5, "half", 6),
        (6, "full", 10),
        (6, "short", 7),
        (6, "half", 5),
    ],
)
def test_lengths_are_those_shown_and_start_on_the_ladder(client, names, length, rounds):
    page = set_up(client, *NAMES[:names])
    (choice,) = [label for label in page.all("label") if label.all("input", name="length", value=length)]
    assert choice.text.endswith(f"· {rounds}")

    game = start(client, page, length=length)

    assert (game.ladder, game.plan) == ("full", list(range(1, rounds + 1)))


@pytest.mark.parametrize("names", [3, 4, 5])
def test_tournament_ladder_is_the_publishers(client, names):
    game = start(client, set_up(client, *NAMES[:names]), length="tournament")

    assert (game.ladder, tuple(game.plan)) == ("tournament", rules.TOURNAMENT_LADDERS[names])


def test_tournament_ladder_is_not_offered_to_six(client):
    page = set_up(client, *NAMES)
    assert "disabled" in page.one("input", name="length", value="tournament").attrs

    refused = start_refused(client, page, length="tournament")

    assert "There is no tournament ladder for 6 people." in refused.text


def test_steps_change_the_number_of_rounds_by_one(client):
    page = set_up(client, *NAMES[:4])
    for step, shown in (("minus", "14"), ("minus", "13"), ("plus", "14")):
        page = read(press(client, ADDRESS, "step", step, page=page))
        assert page.one("input", name="rounds")["value"] == shown

    assert start(client, page).plan == list(range(1, 15))


@pytest.mark.parametrize(("shown", "step", "after"), [("1", "minus", "1"), ("15", "plus", "15"), ("x", "minus", "14")])
def test_steps_stay_within_what_is_possible(client, shown, step, after):
    page = set_up(client, *NAMES[:4])
    page = read(press(client, ADDRESS, "step", step, page=page, typed={"rounds": shown}))

    assert page.one("input", name="rounds")["value"] == after


def test_own_number_of_rounds_counts(client):
    assert start(client, set_up(client, *NAMES[:3]), rounds="7").plan == list(range(1, 8))


@pytest.mark.parametrize("rounds", ["0", "16", "-3", "1,5", "abc", "９", "999999999"])
def test_impossible_number_of_rounds_is_refused_at_its_field(client, rounds):
    page = start_refused(client, set_up(client, *NAMES[:4]), rounds=rounds)

    assert sentences_at(page, "rounds") == "Choose 1 to 15 rounds."
    assert page.one("input", name="rounds")["value"] == rounds[:6]
    assert names_on(page) == list(NAMES[:4])


def test_house_rules_are_stored_as_chosen(client):
    page = set_up(client, *NAMES[:3])
    assert start(client, page).house == rules.HouseRules()

    page = set_up(client, *NAMES[:3])
    game = start(client, page, plus_minus_one="on", tie_break="shared")

    assert game.house == rules.HouseRules(plus_minus_one=True, tie_break="shared")


def test_choices_survive_every_button(client):
    page = set_up(client, *NAMES[:4], plus_minus_one="on", tie_break="shared", length="half")
    for button, value in (("up", "1"), ("down", "0"), ("remove", "3"), ("add", "1")):
        page = read(press(client, ADDRESS, button, value, page=page))

    (tie_break,) = [field for field in page.all("input", name="tie_break") if "checked" in field.attrs]
    assert "checked" in page.one("input", name="plus_minus_one").attrs
    assert (tie_break["value"], length_on(page)) == ("shared", ["half"])


def test_started_game_is_on_this_device_and_deals_as_chosen(client):
    game = start(client, set_up(client, *NAMES[:4]), dealer="2")

    assert (game.first_dealer, [seat.name for seat in seats_of(game)]) == (2, list(NAMES[:4]))
    page = read(client.get(f"/games/{game.pk}/"))
    assert page.one("h2").text == "Doro is bidding"


def test_name_still_in_the_field_sits_down_when_the_game_starts(client):
    game = start(client, set_up(client, "A", "B"), new_name="C")

    assert [seat.name for seat in seats_of(game)] == ["A", "B", "C"]


def test_first_button_which_enter_presses_starts_no_game(client):
    page = read(client.get(ADDRESS))

    assert page.one(id="setup").all("button")[0]["name"] == "add"


# -- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [[], ["A"], ["A", "B"]])
def test_too_few_people_are_refused_with_their_number(client, names):
    page = set_up(client, *names)

    refused = start_refused(client, page)

    assert sentences_at(refused, "new_name") == f"Wizard needs 3 to 6 people; so far: {len(names)}."
    assert names_on(refused) == names


def test_seventh_person_finds_no_seat_and_stays_typed(client):
    response = press(client, ADDRESS, "add", page=set_up(client, *NAMES), typed={"new_name": "Gero, Hanna"})

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, "new_name") == "The table is full: 6 people at most."
    assert (names_on(page), page.one(id="new_name")["value"]) == (list(NAMES), "Gero, Hanna")


def test_seven_people_sent_by_hand_are_refused(client):
    before = everything()

    response = client.post(ADDRESS, {"name": list("ABCDEFG"), "start": "1"})

    assert response.status_code == 422
    assert sentences_at(read(response), "new_name") == "Wizard needs 3 to 6 people; so far: 7."
    assert everything() == before


@pytest.mark.parametrize("typed", ["annika", "ANNIKA", " Annika ", "A\u0301nnika"])
def test_same_name_is_refused_with_a_way_out(client, typed):
    seated = "Ánnika" if "\u0301" in typed else "Annika"
    response = press(client, ADDRESS, "add", page=set_up(client, seated), typed={"new_name": typed})

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, "new_name") == f"{seated} is already at the table. Try “{seated} B.”, for example."
    assert names_on(page) == [seated]


def test_same_name_sent_by_hand_is_refused(client):
    before = everything()

    response = client.post(ADDRESS, {"name": ["Annika", "Bernd", "annika"], "start": "1"})

    assert response.status_code == 422
    assert sentences_at(read(response), "new_name").startswith("Annika is already at the table.")
    assert everything() == before


def test_name_of_200_characters_is_refused_and_stays_typed(client):
    response = press(client, ADDRESS, "add", typed={"new_name": "x" * 200})

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, "new_name") == "A name has at most 40 characters."
    assert (page.one(id="new_name")["value"], names_on(page)) == ("x" * 200, [])


def test_very_long_text_in_the_name_field_is_cut(client):
    """A hundred thousand names would keep the server busy for half a minute."""
    response = client.post(ADDRESS, {"new_name": "a," * 100_000, "add": "1"})

    assert response.status_code == 422
    assert len(response.content) < 20_000


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("<b>Annika</b>", "<b>Annika</b>"),
        ("Zoë 👩‍👩‍👧 🃏", "Zoë 👩‍👩‍👧 🃏"),
        (f"{RIGHT_TO_LEFT}dnreB", "dnreB"),
        ("\u2067Ali\u2069", "Ali"),
        ("A\x00n\tn\r\n", "A n n"),
        ("علي", "علي"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("  two   spaces  ", "two spaces"),
        ("e\u0301", "é"),
    ],
)
def test_names_are_kept_as_people_write_them(client, typed, kept):
    page = read(press(client, ADDRESS, "add", typed={"new_name": typed}))
    assert names_on(page) == [kept]

    game = start(client, page, new_name="Bernd, Cem")

    assert seats_of(game)[0].name == kept
    pad = read(client.get(f"/games/{game.pk}/"))
    assert pad.one("thead").all("b")[0].text == kept


@pytest.mark.parametrize("name", ["\u200b", "\u00ad\u2060", RIGHT_TO_LEFT, "\u0301", " "])
def test_name_that_shows_nothing_is_no_name(client, name):
    before = everything()

    response = client.post(ADDRESS, {"name": [name, "Bernd", "Cem"], "start": "1"})

    assert response.status_code == 422
    assert sentences_at(read(response), "new_name") == "Enter a name."
    assert everything() == before


def test_dealer_who_is_not_there_is_the_first_person(client):
    page = read(client.post(ADDRESS, {"name": list("ABC"), "dealer": "17", "add": "1"}))

    assert dealer_on(page) == 0


@pytest.mark.parametrize("key", ["a\x00b", "k" * 65, ""])
def test_key_that_cannot_be_stored_does_no_harm(client, key):
    response = client.post(ADDRESS, {"name": list("ABC"), "start": "1", "key": key})

    assert (response.status_code, Game.objects.count()) == (302, 1)


# -- once only -----------------------------------------------------------------------------------------------------


def test_double_tap_starts_one_game(client):
    page = set_up(client, *NAMES[:3])

    first = press(client, ADDRESS, "start", page=page)
    again = press(client, ADDRESS, "start", page=page)

    assert Game.objects.count() == 1
    assert first["Location"] == again["Location"]
    assert (
        first.cookies[f"block_{Game.objects.get().pk}"].value == client.cookies[f"block_{Game.objects.get().pk}"].value
    )


def test_page_sent_again_with_other_people_is_a_conflict_that_keeps_them(client):
    page = set_up(client, *NAMES[:3])
    game = start(client, page)
    before = everything()

    response = press(client, ADDRESS, "start", page=page, typed={"new_name": "Doro"})

    after = read(response)
    assert response.status_code == 409
    assert after.one(class_="err-box").text == "This page was already sent with another entry; that one counts."
    assert names_on(after) == list(NAMES[:4])
    assert everything() == before
    assert after.one("input", name="key")["value"] != page.one("input", name="key")["value"]
    assert fresh(game).version == 1


def test_each_new_page_has_a_key_of_its_own(client):
    keys = {read(client.get(ADDRESS)).one("input", name="key")["value"] for _ in range(3)}

    assert len(keys) == 3


# -- page and fragment ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "status"), [({"new_name": "A, B"}, 200), ({"new_name": "A, a"}, 422), ({"new_name": "x" * 41}, 422)]
)
def test_fragment_is_the_part_of_the_page(client, typed, status):
    whole = client.post(ADDRESS, {**typed, "add": "1"})
    part = client.post(ADDRESS, {**typed, "add": "1"}, headers=HTMX)

    assert (whole.status_code, part.status_code) == (status, status)
    assert lasting(part.content.decode()) in lasting(whole.content.decode())
    assert not read(part).all("html")
    assert read(part).all("form", id="setup") != []


def test_start_over_htmx_sends_the_browser_on(client):
    response = press(client, ADDRESS, "start", page=set_up(client, *NAMES[:3]), htmx=True)

    game = Game.objects.get()
    assert (response.status_code, response["HX-Redirect"], response.content) == (204, f"/games/{game.pk}/", b"")
    assert client.get(f"/games/{game.pk}/").status_code == 200


def test_boosted_and_restored_pages_are_whole():
    for header in ("HX-Boosted", "HX-History-Restore-Request"):
        response = Client().get(ADDRESS, headers={**HTMX, header: "true"})
        assert len(read(response).all("html")) == 1
