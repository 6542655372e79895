"""Who takes the trick? Tapped in card by card; the whole state is in the address, and nothing is stored."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.cards import CARDS
from scoresheets.forms.referee import BUTTONS, MOST_VALUES, Table, Trick
from tests.scoresheets.factories import client_for, enter_bids, everything, finished_game, make_game, seats_of
from tests.scoresheets.pages import HTMX, Element, read
from tests.scoresheets.views.test_injection import PAYLOADS, shape
from tests.scoresheets.views.test_statements import statements

pytestmark = pytest.mark.django_db

ALL = rules.HouseRules(specials=rules.SPECIALS)
FIVE = ("Emre", "Fenja", "Gustav", "Hilke", "Ilja")


def address(cards: str = "", **fields) -> str:
    """Return the address of a trick on the page that knows no game."""
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in fields.items()})
    query.setlist("card", cards.split())
    return f"/referee/?{query.urlencode()}"


def show(cards: str = "", client: Client | None = None, **fields) -> Element:
    answer = (client or Client()).get(address(cards, **fields))
    assert answer.status_code == 200, read(answer).one("main").text
    return read(answer)


def tap(client: Client, page: Element, button: str, value: str) -> Element:
    """Press a button as a browser without a script does: follow the form, and the address it leads to."""
    form = page.one("form", id="trick")
    assert form["method"] == "get"
    assert form.all("button", name=button, value=value), f"no button {button}={value}"
    query = QueryDict(mutable=True)
    for name, typed in [*form.fields(), (button, value)]:
        query.appendlist(name, typed)
    return read(client.get(f"{form['action']}?{query.urlencode()}", follow=True))


def holds(page: Element) -> str:
    return page.one(id="holds").text


def steps(page: Element) -> list[str]:
    return [step.text for step in page.one(class_="why").all("li")] if page.all(class_="why") else []


def cards_on(page: Element) -> list[str]:
    return [field["value"] for field in page.all("input", name="card")]


def barred(page: Element) -> set[str]:
    return {key["value"] for key in page.all("button", name="play") if key.attrs.get("aria-disabled") == "true"}


def tab_of(page: Element) -> str:
    return next(tab["value"] for tab in page.all("input", name="tab") if "checked" in tab.attrs)


# -- a trick, card by card ------------------------------------------------------------------------------------------


def test_trick_is_entered_and_decided_without_javascript():
    client = Client()
    page = read(client.get("/referee/?players=5&trump=G"))
    assert holds(page) == "Person 1 leads. No card lies here yet: any card may be led."

    page = tap(client, page, "play", "R9")
    assert holds(page) == "So far with Person 1. Red 9 is the only card of the suit led, and nobody has trumped."
    assert page.one(id="follow").text == "Red has to be followed: Red 9 set the suit."
    page = tap(client, page, "play", "CLOUD")
    assert page.one("h2").text == "Cloud: which suit?"
    assert [key["value"] for key in page.all("button", name="play")] == [f"CLOUD:{suit}" for suit in "BRGY"]
    page = tap(client, page, "play", "CLOUD:R")
    assert holds(page).startswith("So far with Person 2. Cloud as red 9¾ is the highest card of the suit led")
    page = tap(client, page, "play", "G3")
    assert holds(page) == "So far with Person 3. Green 3 is the only trump."
    page = tap(client, page, "play", "DRAGON")
    assert holds(page) == "So far with Person 4. The dragon beats all other cards here."
    page = tap(client, page, "play", "FAIRY")

    assert holds(page) == "Person 5 takes the trick The fairy beats the dragon."
    assert steps(page) == [
        "Red has to be followed: Red 9 set the suit.",
        "Cloud as red 9¾: it ranks between 9 and 10.",
        "Without the fairy the trick would go to Person 4 (Dragon).",
        "Without fairy and dragon it would go to Person 3 (Green 3).",
        "The cloud is in the trick: Person 5 has to change their bid by 1 at the end of the round.",
        "Person 5 leads the next trick.",
    ]
    assert [card["aria-label"] for card in page.all("button", name="change")][1:] == [
        "Card 2, Person 2: Cloud as red 9¾. Change",
        "Card 3, Person 3: Green 3. Change",
        "Card 4, Person 4: Dragon. Change",
        "Card 5, Person 5: Fairy, takes the trick. Change",
    ]
    assert page.one("title").text == "Person 5 takes the trick · Tafelrunde"


def test_next_trick_keeps_the_table_and_the_right_person_leads():
    client = Client()
    page = show("R9 R10 W", client, players=3, trump="G", lead=1)
    assert holds(page).startswith("Person 1 takes the trick")

    page = tap(client, page, "next", "1")

    assert holds(page) == "Person 1 leads. No card lies here yet: any card may be led."
    assert (cards_on(page), dict(page.one("form", id="trick").fields())["trump"]) == ([], "G")
    assert len(page.all(class_="card--open")) == 3
    page = tap(client, page, "play", "J")
    assert [name.text for name in page.all(class_="by")] == ["Person 1", "Person 2", "Person 3"]


def test_after_a_bomb_whoever_would_have_won_leads():
    client = Client()
    page = show("R9 BOMB R13", client, players=3, trump="none")
    assert holds(page) == "Nobody gets the trick The bomb destroys the trick: nobody gets it."
    assert page.all(class_="took") == page.all(class_="card--win") == []
    assert steps(page)[-1] == "Person 3 would have taken the trick and leads the next one."

    assert holds(tap(client, page, "next", "1")).startswith("Person 3 leads")


def test_after_the_last_trick_a_round_begins_with_a_new_trump():
    client = Client()
    page = show("R9 JUGGLER:R R13", client, players=3, trump="B", lead=2, last=1)
    assert steps(page)[-2:] == [
        "The juggler is in the last trick: there is nothing left to pass.",
        "That was the last trick of the round.",
    ]
    assert page.one("button", name="next").text == "Next round"

    page = tap(client, page, "next", "1")

    fields = page.one("form", id="trick").fields()
    assert [value for name, value in fields if name in {"lead", "trump", "last"}] == ["0"]


def test_bomb_is_told_before_the_trick_is_complete():
    page = show("R9 BOMB", players=4)

    assert holds(page) == "So far the best card is from Person 1 (Red 9). The bomb destroys the trick: nobody gets it."
    assert steps(page) == ["Red 9 is the only card of the suit led, and nobody has trumped."]


def test_what_happens_after_the_trick_is_not_told_before():
    page = show("CLOUD:R JUGGLER:R", players=4)

    assert steps(page) == [
        "Cloud as red 9¾: it ranks between 9 and 10.",
        "Juggler as red 7½: it ranks between 7 and 8.",
    ]


@pytest.mark.parametrize(
    ("trump", "winner"), [("B", "Person 2"), ("R", "Person 1"), ("none", "Person 1"), ("Y", "Person 3")]
)
def test_changing_the_trump_decides_anew(trump, winner):
    assert holds(show("R9 B1 Y2", players=3, trump=trump)).startswith(f"{winner} takes the trick")


def test_without_a_trump_the_page_says_how_it_decides():
    assert "No trump is chosen yet" in show("R9 B1 Y2", players=3).one(class_="verdict").text
    assert "No trump is chosen yet" not in show("R9 B1 Y2", players=3, trump="none").one(class_="verdict").text


# -- undo and change ------------------------------------------------------------------------------------------------


def test_undo_names_what_it_takes_back():
    client = Client()
    page = show("R9 CLOUD:B", client, players=4)
    assert page.one("button", name="undo").text == "Undo: Cloud as blue 9¾"

    page = tap(client, page, "undo", "1")
    assert cards_on(page) == ["R9"]
    assert page.one("button", name="undo").text == "Undo: Red 9"
    page = tap(client, page, "undo", "1")
    assert page.all("button", name="undo") == []


def test_a_lying_card_is_changed_and_the_others_stay():
    client = Client()
    page = show("R9 B2 Y3", client, players=3, trump="none")

    page = tap(client, page, "change", "2")
    assert page.one("h2", tabindex="-1").text == "Person 2 played …"
    assert page.one("button", name="change", value="2")["aria-pressed"] == "true"
    assert "B2" not in barred(page)
    page = tap(client, page, "play", "R10")

    assert cards_on(page) == ["R9", "R10", "Y3"]
    assert holds(page).startswith("Person 2 takes the trick")


def test_a_change_into_a_declared_card_asks_first_and_keeps_the_place():
    client = Client()
    page = tap(client, show("R9 B2 Y3", client, players=3), "change", "1")

    page = tap(client, page, "play", "SHAPESHIFTER")
    assert page.one("h2", tabindex="-1").text == "Shapeshifter: wizard or jester?"
    page = tap(client, page, "play", "SHAPESHIFTER:W")

    assert cards_on(page) == ["SHAPESHIFTER:W", "B2", "Y3"]


def test_change_and_question_can_be_left_again():
    client = Client()
    page = tap(client, show("R9 B2", client, players=3), "change", "1")
    page = tap(client, page, "play", "JUGGLER")
    page = tap(client, page, "keep", "1")
    assert page.one("h2", tabindex="-1").text == "Person 1 played …"
    assert page.one("button", name="keep").text == "Keep: Red 9"

    page = tap(client, page, "keep", "1")

    assert (cards_on(page), page.one("h2", tabindex="-1").text) == (["R9", "B2"], "Person 3 plays …")


# -- what cannot be there again -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "fields", "expected"),
    [
        ("", {}, set()),
        ("B7", {}, {"B7"}),
        ("W W W W", {"players": 6}, {"W"}),
        ("CLOUD:R", {}, {"CLOUD"}),
        ("BOMB SHAPESHIFTER:J", {}, {"BOMB", "SHAPESHIFTER"}),
        ("HA HK", {"deck": "french52"}, {"HA", "HK"}),
        ("B9 R9 W", {"single": "1"}, {"B9", "R9"}),
    ],
)
def test_cards_that_cannot_be_there_again_are_barred(cards, fields, expected):
    assert barred(show(cards, **fields)) == expected


@pytest.mark.parametrize(
    ("cards", "tapped", "sentence"),
    [
        ("B7", "B7", "Blue 7 already lies here, and the deck has it only once."),
        ("W W W W", "W", "Wizard: all 4 of the deck already lie here."),
        ("BOMB", "BOMB", "Bomb already lies here, and the deck has it only once."),
        ("CLOUD:R", "CLOUD", "Cloud as blue 9¾ already lies here, and the deck has it only once."),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_barred_card_says_why_when_tapped(cards, tapped, sentence, headers):
    client = Client()

    answer = client.get(address(cards, players=6, play=tapped), headers=headers)

    page = read(answer)
    assert answer.status_code == 422
    assert page.one(class_="tray").one(class_="err")["role"] == "alert"
    assert page.one(class_="tray").one(class_="err").text == sentence
    assert cards_on(page) == cards.split()
    assert "disabled" not in page.one("button", name="play", value=tapped).attrs


def test_complete_trick_takes_no_more_cards():
    answer = Client().get(address("R1 R2 R3", players=3, play="R4"))

    assert (answer.status_code, cards_on(read(answer))) == (422, ["R1", "R2", "R3"])
    assert "a trick has 3 cards" in read(answer).one(class_="err").text


def test_the_tab_stays_on_the_suit_led():
    assert tab_of(show("R9 G3")) == "R"
    assert tab_of(show("W G3")) == "G"
    assert tab_of(show("J CLOUD:Y B3")) == "Y"
    assert tab_of(show("H3 S4", deck="french52")) == "H"
    assert tab_of(show("HA", deck="french52")) == "H"
    assert tab_of(show("R9 G3 B2", at=1)) == "G"
    assert tab_of(show("R9 G3", single=1)) == "G"


def test_all_numbers_of_all_suits_can_be_tapped_without_a_script():
    wizard, french = show(), show(deck="french52")

    assert [key["value"] for key in wizard.all("button", name="play")] == [
        *(f"{suit}{rank}" for suit in "BRGY" for rank in range(1, 14)),
        *("W", "J", "DRAGON", "FAIRY", "JUGGLER", "CLOUD", "WEREWOLF", "BOMB", "SHAPESHIFTER"),
    ]
    assert {key["value"] for key in french.all("button", name="play")} == {
        str(card) for card in rules.DECKS["french52"].cards
    }
    assert french.one("button", name="play", value="HA").text == "A Wizard"
    assert french.one("button", name="play", value="S2")["aria-label"] == "2 of spades"


# -- the table ------------------------------------------------------------------------------------------------------


def test_special_cards_are_chosen_on_the_page():
    none, some = show(special=""), read(Client().get("/referee/?special=&special=DRAGON&special=BOMB"))

    assert [key["value"] for key in none.one(id="specials").all("button")] == ["W", "J"]
    assert [key["value"] for key in some.one(id="specials").all("button")] == ["W", "J", "DRAGON", "FAIRY", "BOMB"]


def test_special_cards_stay_chosen_while_the_deck_has_no_room_for_them():
    client = Client()
    page = read(client.get("/referee/?special=&special=CLOUD&deck=french52"))
    query = QueryDict(mutable=True)
    for name, value in page.one("form", id="trick").fields():
        query.appendlist(name, value if name != "deck" else "wizard60")

    page = read(client.get(f"/referee/?{query.urlencode()}"))

    assert [key["value"] for key in page.one(id="specials").all("button")] == ["W", "J", "CLOUD"]


def test_single_suit_knows_neither_trump_nor_following():
    page = show("B9 R9 G4", players=3, single=1, trump="G")
    keys = show("B9 R9", players=3, single=1).one(id="specials").all("button")

    assert holds(page) == (
        "Person 1 takes the trick Blue 9 has the highest value and came before its equals; suits do not matter."
    )
    assert page.all("input", name="trump") == []
    assert [key["value"] for key in keys] == ["W", "J"]


def test_leader_can_be_chosen():
    page = show("R9 R10", players=3, lead=2)

    assert [name.text for name in page.all(class_="by")] == ["Person 3", "Person 1", "Person 2"]
    assert page.one(class_="bar-title").one("span").text == "3 people · Person 3 leads"


def test_people_without_names_have_numbers_where_the_word_does_not_fit():
    page = show(players=6, lead=4)

    names = page.all(class_="by")
    assert [name.one("b").text for name in names] == ["5", "6", "1", "2", "3", "4"]
    assert [name.one(class_="vh").text for name in names] == [f"Person {number}" for number in (5, 6, 1, 2, 3, 4)]


# -- from a game ----------------------------------------------------------------------------------------------------


def game_page(game, cards: str = "", scope: str = "edit", **fields) -> Element:
    answer = client_for(game, scope).get(address(cards, **fields).replace("/referee/", f"/games/{game.pk}/referee/"))
    assert answer.status_code == 200
    return read(answer)


@pytest.mark.parametrize("scope", ["edit", "watch"])
def test_game_has_its_people_in_seat_order_and_the_starter_leads(scope):
    game = make_game(names=FIVE, house=ALL, first_dealer=2)

    page = game_page(game, "R9", scope)

    assert [name.text for name in page.all(class_="by")] == ["Hilke", "Ilja", "Emre", "Fenja", "Gustav"]
    assert holds(page).startswith("So far with Hilke.")
    assert page.one("h2").text == "Ilja plays …"
    assert (
        page.all("input", name="players") == page.all("input", name="deck") == page.all("input", name="special") == []
    )


@pytest.mark.parametrize(("rounds", "leader"), [(0, "Fenja"), (1, "Gustav"), (4, "Emre"), (5, "Fenja")])
def test_leader_of_a_game_is_the_starter_of_its_round(rounds, leader):
    assert holds(game_page(make_game(names=FIVE, rounds=rounds))).startswith(f"{leader} leads")


def test_finished_game_still_has_a_referee():
    game = finished_game([[(0, 0), (0, 0), (0, 1)], [(0, 1), (0, 0), (0, 1)]])

    assert holds(game_page(game)).startswith("Cem leads")


def test_house_rules_of_the_game_hold():
    plain, some = make_game(seats=3), make_game(seats=3, house=rules.HouseRules(specials=("BOMB",)))
    french = make_game(seats=3, house=rules.HouseRules(deck="french52"))
    single = make_game(seats=4, house=rules.HouseRules(variant="einfarbig"))

    assert [key["value"] for key in game_page(plain).one(id="specials").all("button")] == ["W", "J"]
    assert [key["value"] for key in game_page(some).one(id="specials").all("button")] == ["W", "J", "BOMB"]
    assert [tab["value"] for tab in game_page(french).all("input", name="tab")] == ["H", "D", "C", "S"]
    assert game_page(single).all("input", name="trump") == []
    answer = client_for(plain).get(f"/games/{plain.pk}/referee/?special=BOMB&deck=french52&players=6&card=BOMB&card=HQ")
    assert answer.status_code == 422
    assert len(read(answer).all(class_="by")) == 3
    assert cards_on(read(answer)) == []


@pytest.mark.parametrize(
    ("house", "rounds", "trump"),
    [
        (rules.HouseRules(), 0, None),
        (rules.HouseRules(), 19, "none"),
        (rules.HouseRules(last_round_dealer_trump=True), 19, None),
        (rules.HouseRules(variant="maximus"), 1, "R"),
        (rules.HouseRules(variant="maximus"), 4, "none"),
    ],
)
def test_trump_that_the_round_plan_fixes_is_chosen_already(house, rounds, trump):
    chosen = dict(game_page(make_game(seats=3, rounds=rounds, house=house)).one("form", id="trick").fields())

    assert chosen.get("trump") == trump


def test_names_come_from_the_game_only():
    page = game_page(make_game(names=FIVE), "R9", name="Mallory", names="Mallory", players=3)

    assert "Mallory" not in page.text
    assert len(page.all(class_="by")) == 5


@pytest.mark.parametrize("scope", ["edit", "watch"])
def test_a_tap_in_a_game_stores_nothing(scope):
    game = make_game(names=FIVE)
    enter_bids(game)
    client, before = client_for(game, scope), everything()

    for button in ("play=R9", "card=R9&undo=1", "card=R9&change=1", "card=R1&card=R2&card=R3&card=R4&card=R5&next=1"):
        assert client.get(f"/games/{game.pk}/referee/?{button}").status_code == 302

    after = everything()
    assert after | {"Link": before["Link"]} == before | {"Link": before["Link"]}


def test_menu_leads_to_the_referee_of_the_game():
    game = make_game(seats=3)
    client = client_for(game)

    links = [
        link["href"]
        for path in (f"/games/{game.pk}/", f"/games/{game.pk}/sheet/", "/", "/rules/")
        for link in read(client.get(path)).one(class_="menu-sheet").all("a")
        if link.text == "Who takes the trick?"
    ]

    assert links == [f"/games/{game.pk}/referee/"] * 2 + ["/referee/"] * 2


def test_start_page_leads_to_the_referee():
    assert "/referee/" in [link["href"] for link in read(Client().get("/")).one("main").all("a")]


def test_shared_trick_names_nobody_and_opens_for_everybody():
    game = make_game(names=FIVE, house=rules.HouseRules(specials=("DRAGON", "FAIRY", "BOMB")))
    page = game_page(game, "R9 R10 R11 DRAGON FAIRY", trump="G", lead=3)

    shared = page.one("button", data_share=page.one(class_="below").one("button")["data-share"])["data-share"]
    answer = Client().get(shared)

    assert answer.status_code == 200
    assert holds(read(answer)) == "Person 3 takes the trick The fairy beats the dragon."
    assert not any(name in answer.content.decode() for name in FIVE)
    assert str(game.pk) not in urlsplit(shared).path


def test_theme_and_language_keep_the_trick():
    page = show("R9 CLOUD:R", players=5, trump="G")

    for form in page.all("form", method="post"):
        following = form.one("input", name="next")["value"]
        assert cards_on(read(Client().get(following))) == ["R9", "CLOUD:R"]


# -- requests -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["play=G3", "undo=1", "change=1", "keep=1", "show=1", "next=1"])
def test_button_leads_to_the_address_of_the_trick_it_makes(button):
    client = Client()
    start = "/referee/?players=4&special=&trump=G&card=R9"

    plain = client.get(f"{start}&{button}")
    swapped = client.get(f"{start}&{button}", headers=HTMX)

    assert (plain.status_code, swapped.status_code) == (302, 200)
    assert plain["Location"] == swapped["HX-Push-Url"]
    assert not {name for name, _ in parse_qsl(urlsplit(plain["Location"]).query)} & {"play", "undo", "next", "tab"}
    assert cards_on(read(client.get(plain["Location"]))) == cards_on(read(swapped))


def test_choice_about_the_table_is_no_step_of_its_own():
    answer = Client().get(address("R9", players=4, trump="B", tab="G"), headers=HTMX)

    assert "HX-Push-Url" not in answer
    assert answer["HX-Replace-Url"] == "/referee/?players=4&lead=0&trump=B&card=R9"


def test_page_and_swapped_part_show_the_same():
    page = Client().get(address("R9 CLOUD:R", players=5, trump="G"))
    part = Client().get(address("R9 CLOUD:R", players=5, trump="G"), headers=HTMX)

    whole = shape(read(page).one(id="referee"))
    assert whole == shape(read(part).one(id="referee"))
    assert read(part).one("title").text == read(page).one("head").one("title").text
    assert "HX-Request" in part["Vary"]


def test_focus_goes_to_what_takes_the_place_of_what_was_tapped():
    def focused(url: str, headers=HTMX) -> list[str]:
        page = read(Client().get(url, headers=headers, follow=True))
        return [element.text for element in page.walk() if "data-focus" in element.attrs]

    assert focused(address("R9", players=3, play="R10")) == []
    assert focused(address("R9 R10", players=3, play="R11")) == ["Next trick"]
    assert focused(address("R9", players=3, play="CLOUD")) == ["Cloud: which suit?"]
    assert focused(address("R9", players=3, ask="CLOUD", play="CLOUD:R")) == ["Person 3 plays …"]
    assert focused(address("R9 R10 R11", players=3, undo=1)) == ["Person 3 plays …"]
    assert focused(address("R9 R10", players=3, play="R11"), headers={}) == []


def test_page_may_not_be_kept_by_a_proxy():
    assert sorted(Client().get("/referee/")["Cache-Control"].split(", ")) == ["no-cache", "private"]


@pytest.mark.parametrize("size", [(3, 0), (6, 0), (6, 9), (4, 14)])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_statements_of_a_games_referee(size, headers):
    seats, rounds = size
    game = make_game(seats=seats, rounds=rounds)
    client = client_for(game)

    answer, counted = statements(
        lambda: client.get(f"/games/{game.pk}/referee/?trump=G&card=R9&card=W&card=G3", headers=headers)
    )

    assert (answer.status_code, counted) == (200, (0, 2))


def test_general_referee_asks_the_database_nothing():
    answer, counted = statements(lambda: Client().get(address("R9 W J", players=5)))

    assert (answer.status_code, counted) == (200, (0, 0))


@pytest.mark.parametrize("place", range(5))
def test_every_seat_of_a_game_can_lead(place):
    game = make_game(names=FIVE)

    assert holds(game_page(game, lead=place)).startswith(f"{seats_of(game)[place].name} leads")


# -- query strings nobody should send ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "cards", "sentence"),
    [
        ("card=R9&card=X9&card=B2", ["R9", "B2"], "“X9” is not known here and was left out."),
        ("card=R9&card=R9&card=B2", ["R9", "B2"], "Red 9 already lies here, and the deck has it only once."),
        ("card=R9&card=JUGGLER", ["R9"], "Juggler was left out: say with it which suit it has"),
        ("special=&card=R9&card=BOMB", ["R9"], "Bomb was left out: it is not in this deck."),
        ("card=R9&card=HQ", ["R9"], "Queen of hearts was left out: it is not in this deck."),
        ("players=3&card=R1&card=R2&card=R3&card=R4", ["R1", "R2", "R3"], "Red 4 was left out: at a table of 3"),
        ("players=7&card=R9", ["R9"], "“7” is not known here and was left out."),
        ("players=²&card=R9", ["R9"], "“²” is not known here and was left out."),
        ("lead=9&card=R9", ["R9"], "There is no person 10 at this table to lead."),
        ("lead=-1&card=R9", ["R9"], "“-1” is not known here and was left out."),
        ("trump=H&card=R9", ["R9"], "Hearts cannot be trump: the suit is not in this deck."),
        ("trump=X&card=R9", ["R9"], "“X” is not known here and was left out."),
        ("deck=tarot&card=R9", ["R9"], "“tarot” is not known here and was left out."),
        ("special=WITCH&special=BOMB&card=BOMB", ["BOMB"], "“WITCH” is not known here and was left out."),
        ("single=1&players=6&card=R9", ["R9"], "Single-suit is for 3 to 4 people with the Wizard deck"),
        ("single=1&deck=french52&card=H9", ["H9"], "Single-suit is for 3 to 4 people with the Wizard deck"),
        ("card=R9&at=2", ["R9"], "“2” is not known here and was left out."),
        ("card=R9&at=0", ["R9"], "“0” is not known here and was left out."),
        ("card=CLOUD:R&ask=CLOUD", ["CLOUD:R"], "Cloud as blue 9¾ already lies here"),
        ("card=R9&ask=X", ["R9"], "“X” is not known here and was left out."),
        ("card=" + "R" * 500, [], f"“{'R' * 20}” is not known here and was left out."),
        ("card=%00&card=R9", ["R9"], "is not known here and was left out."),
        ("card=%ff%fe&card=R9", ["R9"], "is not known here and was left out."),
    ],
)
def test_what_cannot_be_is_left_out_and_the_rest_is_kept(query, cards, sentence):
    answer = Client().get(f"/referee/?{query}")

    page = read(answer)
    assert answer.status_code == 422
    assert cards_on(page) == cards
    assert sentence in page.one(class_="err-box").text
    assert page.one(class_="err-box")["role"] == "alert"


def test_a_flood_of_cards_is_cut_off():
    answer = Client().get("/referee/?" + "card=X&" * 500 + "card=R9")

    assert answer.status_code == 422
    assert len(read(answer).one(class_="err-box").all("p")) == 1
    many = Client().get("/referee/?" + "&".join(f"card=X{number}" for number in range(500)))
    assert len(read(many).one(class_="err-box").all("p")) == MOST_VALUES


def test_more_fields_than_a_site_reads_are_refused_with_a_page():
    answer = Client().get("/referee/?" + "card=R9&" * 1001)

    assert answer.status_code == 400


@pytest.mark.parametrize("name", [*BUTTONS, "ask", "at", "tab", "last", "single"])
@pytest.mark.parametrize("value", ["", "0", "-1", "99999999999999999999", "²", "\x00", "R9", "<b>"])
def test_no_value_of_a_button_breaks_the_page(name, value):
    for cards in ("", "R9 B1 Y3 G4"):
        answer = Client().get(address(cards, **{name: value}), headers=HTMX)
        assert answer.status_code in {200, 422}
        assert read(answer).all(id="referee")


def test_typed_attacks_stay_text():
    shapes = set()
    for typed in ("abc", *PAYLOADS[::2]):
        answer = Client().get(address("R9", players=typed, trump=typed, play=typed, special=typed))
        assert answer.status_code == 422
        shapes.add(tuple(shape(read(answer))))

    assert len(shapes) == 1


known = st.sampled_from([str(card) for card in CARDS])
wild = st.one_of(known, st.text(max_size=8), st.integers(-2, 9).map(str))
FIELDS = ("players", "deck", "special", "single", "lead", "trump", "last", "at", "ask", *BUTTONS)
queries = st.tuples(
    st.lists(st.tuples(st.sampled_from(FIELDS), wild), max_size=8),
    st.lists(known, max_size=8),
)


@given(queries)
def test_address_of_any_trick_shows_the_same_trick_and_nothing_is_left_out(query):
    """Whatever a query string says: the trick made of it has an address of its own that brings it back."""
    data = QueryDict(mutable=True)
    for name, value in query[0]:
        data.appendlist(name, value)
    data.setlist("card", query[1])

    for table in (None, Table(5, ALL, 3, "R", is_game=True), Table(4, rules.HouseRules(deck="french52"), is_game=True)):
        trick = Trick.from_query(data, table).after_button(data)
        again = Trick.from_query(QueryDict(trick.query), table)
        shared = Trick.from_query(QueryDict(trick.shared_query))

        assert again.left_out == shared.left_out == ()
        assert (again.cards, again.lead, again.trump, again.last_trick, again.at, again.asked) == (
            *(trick.cards, trick.lead, trick.trump, trick.last_trick, trick.at, trick.asked),
        )
        assert again.table == trick.table
        assert (shared.cards, shared.suit) == (trick.cards, trick.suit)
        if trick.cards:
            assert shared.steps == trick.steps
