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
    assert len(response.content) < len(client.get(ADDRESS).content) + 4_000


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


# -- house rules and ladders ---------------------------------------------------------------------------------------


def option(page, name, value="on"):
    """Return the field that chooses this."""
    return page.one("input", name=name, value=value) if value != "on" else page.one("input", name=name)


def words_at(page, name, value="on"):
    """Return what stands beside a choice: its name and what it means, or why it cannot be chosen."""
    field = option(page, name, value)
    (label,) = [label for label in page.all("label") if field in label.walk()]
    return label.text


def is_barred(page, name, value="on"):
    return "disabled" in option(page, name, value).attrs


def chosen_on(page, name):
    return [value for sent, value in page.one(id="setup").fields() if sent == name]


def choose(client, page, *steps):
    """Make choices one after the other as a browser without scripts does; None switches off, a list ticks several."""
    for name, value in steps:
        for one in value if isinstance(value, list) else [value]:
            assert one is None or name in TYPED or not is_barred(page, name, one), (name, one)
        page = read(press(client, ADDRESS, "look", page=page, typed={name: value}))
    return page


TYPED = {"plus_minus_one_from", "cards", "rounds"}
NO_FAIRY_NEEDED = ("allow_lone_dragon_or_fairy", "on")
IN_VARIANTS = ("specials_in_variants", "on")


@pytest.mark.parametrize(
    ("steps", "house"),
    [
        ([], {}),
        ([("deck", "french52")], {"deck": "french52"}),
        ([("special", ["DRAGON,FAIRY"])], {"specials": ("DRAGON", "FAIRY")}),
        *[
            ([("special", [card])], {"specials": (card,)})
            for card in ("JUGGLER", "CLOUD", "WEREWOLF", "BOMB", "SHAPESHIFTER")
        ],
        (
            [("special", ["DRAGON,FAIRY", "JUGGLER", "CLOUD", "WEREWOLF", "BOMB", "SHAPESHIFTER"])],
            {"specials": ("DRAGON", "FAIRY", "JUGGLER", "CLOUD", "WEREWOLF", "BOMB", "SHAPESHIFTER")},
        ),
        (
            [NO_FAIRY_NEEDED, ("special", ["FAIRY"])],
            {"specials": ("FAIRY",), "allow_lone_dragon_or_fairy": True},
        ),
        (
            [NO_FAIRY_NEEDED, ("special", ["DRAGON", "FAIRY"])],
            {"specials": ("DRAGON", "FAIRY"), "allow_lone_dragon_or_fairy": True},
        ),
        ([("variant", "einfarbig")], {"variant": "einfarbig"}),
        ([("variant", "maximus")], {"variant": "maximus"}),
        (
            [IN_VARIANTS, ("variant", "maximus"), ("special", ["BOMB"])],
            {"variant": "maximus", "specials": ("BOMB",), "specials_in_variants": True},
        ),
        ([("clairvoyance", "on")], {"clairvoyance": True}),
        (
            [("special", ["BOMB"]), IN_VARIANTS, ("clairvoyance", "on")],
            {"specials": ("BOMB",), "specials_in_variants": True, "clairvoyance": True},
        ),
        ([("bid_mode", "hidden")], {"hidden_bids": True}),
        ([("bid_mode", "secret")], {"secret_bids": True}),
        ([("bid_mode", "secret"), ("bid_mode", "open")], {}),
        (
            [("bid_mode", "hidden"), ("plus_minus_one", "on")],
            {"hidden_bids": True, "plus_minus_one": True},
        ),
        ([("blind_bids", "on")], {"blind_bids": True}),
        ([("plus_minus_one", "on")], {"plus_minus_one": True}),
        (
            [("plus_minus_one", "on"), ("plus_minus_one_from", "3")],
            {"plus_minus_one": True, "plus_minus_one_from": 3},
        ),
        ([("tie_break", "shared")], {"tie_break": "shared"}),
        ([("weak_specials_no_trump", "on")], {"weak_specials_no_trump": True}),
        ([("werewolf_may_choose_no_trump", None)], {"werewolf_may_choose_no_trump": False}),
        ([("last_round_dealer_trump", "on")], {"last_round_dealer_trump": True}),
        ([("rounds_from_deck", "on")], {"rounds_from_deck": True}),
        ([("cloud_upper_clamp", None)], {"cloud_upper_clamp": False}),
    ],
    ids=str,
)
def test_every_house_rule_is_chosen_on_the_page_and_stored(client, steps, house):
    page = choose(client, set_up(client, *NAMES[:4]), *steps)

    game = start(client, page)

    assert game.house == rules.HouseRules(**house)
    assert game.plan == [plan.cards for plan in rules.round_plans(game.house, 4)]


def test_page_has_a_field_for_every_house_rule(client):
    page = read(client.get(ADDRESS))
    named = {control["name"] for control in page.one(id="setup").all("input") if "name" in control.attrs}

    named |= {"specials", "hidden_bids", "secret_bids"} if {"special", "bid_mode"} <= named else set()

    assert set(rules.HouseRules().to_mapping()) - named == set()
    for field, values in {
        "deck": rules.DECKS,
        "variant": rules.VARIANTS,
        "tie_break": rules.TIE_BREAKS,
        "bid_mode": ("open", "hidden", "secret"),
        "length": ("full", "short", "half", "tournament", "free"),
    }.items():
        assert [control["value"] for control in page.all("input", name=field)] == list(values)
    assert [button["value"] for button in page.all("button", name="preset")] == list(rules.PRESETS)


@pytest.mark.parametrize(
    ("typed", "ladder", "plan"),
    [
        ({"length": "free", "cards": "1 3 5 7"}, "free", [1, 3, 5, 7]),
        ({"cards": "1, 3,5;7 ,"}, "free", [1, 3, 5, 7]),
        ({"cards": "15"}, "free", [15]),
        ({"length": "free"}, "free", list(range(1, 16))),
        ({"length": "half", "cards": "1 3 5 7"}, "full", list(range(1, 9))),
        ({"length": "full", "cards": ""}, "full", list(range(1, 16))),
        ({"rounds": "3", "cards": "1 3 5 7"}, "full", [1, 2, 3]),
    ],
)
def test_list_of_cards_is_played_if_it_was_typed_or_chosen(client, typed, ladder, plan):
    game = start(client, set_up(client, *NAMES[:4]), **typed)

    assert (game.ladder, game.plan) == (ladder, plan)


def test_list_of_cards_shows_the_length_chosen_until_it_is_changed(client):
    page = set_up(client, *NAMES[:4], length="half")
    assert page.one(id="cards")["value"] == "1 2 3 4 5 6 7 8"

    page = choose(client, page, ("cards", "2 4 6"))

    assert (length_on(page), page.one(id="cards")["value"]) == (["free"], "2 4 6")
    assert page.one(role="status").text == "3 rounds · 12 tricks"
    assert "Own list: 2 4 6" in page.one(id="own_list").one("summary").text
    page = choose(client, page, ("length", "tournament"))
    assert page.one(id="cards")["value"] == "1 3 5 7 9 11 12 13 14 15"


@pytest.mark.parametrize(
    ("players", "cards", "sentences"),
    [
        (4, "1 2 16", ["Round 3: 16 cards for 4 players need 64 of 60."]),
        (6, "11", ["Round 1: 11 cards for 6 players need 66 of 60."]),
        (4, "1 0 2", ["Round 2: everybody needs at least 1 card."]),
        (4, "", ["Type the cards of each round, for example 1 3 5 7."]),
        (4, " , ;", ["Type the cards of each round, for example 1 3 5 7."]),
        (4, "three", ["“three” is no number of cards. Type for example 1 3 5 7."]),
        (4, "1 3 -5", ["“-5” is no number of cards. Type for example 1 3 5 7."]),
        (4, "1-3", ["“1-3” is no number of cards. Type for example 1 3 5 7."]),
        (4, "1 ٣", ["“٣” is no number of cards. Type for example 1 3 5 7."]),
        (4, "9" * 30, [f"“{'9' * 20}” is no number of cards. Type for example 1 3 5 7."]),
        (
            4,
            "20 x",
            [
                "“x” is no number of cards. Type for example 1 3 5 7.",
                "Round 1: 20 cards for 4 players need 80 of 60.",
            ],
        ),
        (3, "21 22 23 24", [f"Round {n}: {n + 20} cards for 3 players need {3 * (n + 20)} of 60." for n in (1, 2, 3)]),
    ],
)
def test_list_of_cards_that_cannot_be_played_says_why_and_stays_typed(client, players, cards, sentences):
    page = start_refused(client, set_up(client, *NAMES[:players]), length="free", cards=cards)

    assert [e.text for e in page.all("p", role="alert")] == sentences
    assert page.one(id="cards_errors").text == sentences[0]
    assert page.one(id="cards")["aria-describedby"] == "cards_errors"
    assert page.one(id="cards")["value"] == cards.strip()
    assert "open" in page.one(id="own_list").attrs
    assert (length_on(page), names_on(page)) == (["free"], list(NAMES[:players]))


def test_special_cards_make_room_for_longer_lists(client):
    page = choose(client, set_up(client, *NAMES[:4]), ("special", ["BOMB", "CLOUD", "JUGGLER", "WEREWOLF"]))

    assert start(client, page, length="free", cards="16").plan == [16]


def test_variant_changes_the_lengths_on_offer(client):
    page = choose(client, set_up(client, *NAMES[:4]), ("variant", "maximus"))

    assert page.one(role="status").text == "5 rounds · 75 tricks"
    assert start(client, page).plan == [15] * 5


def test_french_pack_changes_the_lengths_on_offer(client):
    page = choose(client, set_up(client, *NAMES[:4]), ("deck", "french52"))

    assert page.one(role="status").text == "13 rounds · 91 tricks"


SECRET_AND_PLUS_MINUS = "“Bids never add up” and “Secret bids” exclude each other."
NO_SPECIALS = "“{}” is played without special cards, unless “Special cards in variants” is on."


@pytest.mark.parametrize(
    ("people", "steps", "barred", "reason"),
    [
        (4, [("plus_minus_one", "on")], ("bid_mode", "secret"), SECRET_AND_PLUS_MINUS),
        (4, [("bid_mode", "secret")], ("plus_minus_one", "on"), SECRET_AND_PLUS_MINUS),
        (4, [("deck", "french52")], ("variant", "einfarbig"), "“Wizards and Jesters” and “Single-suit” exclude each"),
        (4, [("deck", "french52")], ("variant", "maximus"), "“Wizards and Jesters” and “Wizard Maximus” exclude each"),
        (4, [("variant", "maximus")], ("deck", "french52"), "“Wizards and Jesters” and “Wizard Maximus” exclude each"),
        (4, [("special", ["BOMB"])], ("deck", "french52"), "“Wizards and Jesters” is played without special cards."),
        (4, [("special", ["BOMB"])], ("variant", "einfarbig"), NO_SPECIALS.format("Single-suit")),
        (4, [("special", ["BOMB"])], ("variant", "maximus"), NO_SPECIALS.format("Wizard Maximus")),
        (4, [("special", ["BOMB"])], ("clairvoyance", "on"), NO_SPECIALS.format("Clairvoyance")),
        (5, [], ("variant", "einfarbig"), "“Single-suit” is for 3 to 4 people, not for 5."),
        (6, [], ("variant", "einfarbig"), "“Single-suit” is for 3 to 4 people, not for 6."),
        (6, [], ("length", "tournament"), "There is no tournament ladder for 6 people."),
        (4, [("variant", "maximus")], ("length", "tournament"), "“Wizard Maximus” and “Tournament ladder” exclude"),
        (4, [("length", "tournament")], ("variant", "maximus"), "“Wizard Maximus” and “Tournament ladder” exclude"),
    ],
)
def test_what_excludes_each_other_cannot_be_chosen_and_says_why(client, people, steps, barred, reason):
    before = set_up(client, *NAMES[:people])
    page = choose(client, before, *steps)

    assert is_barred(page, *barred)
    assert reason in words_at(page, *barred)
    for name, value in steps:
        assert chosen_on(page, name) == (value if isinstance(value, list) else [value])
        assert not is_barred(page, name, value[0] if isinstance(value, list) else value)


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([("deck", "french52")], "“Wizards and Jesters” is played without special cards."),
        ([("variant", "maximus")], NO_SPECIALS.format("Wizard Maximus")),
        ([("variant", "einfarbig")], NO_SPECIALS.format("Single-suit")),
        ([("clairvoyance", "on")], NO_SPECIALS.format("Clairvoyance")),
    ],
)
def test_special_cards_are_closed_at_once_with_one_reason(client, steps, reason):
    page = choose(client, set_up(client, *NAMES[:4]), *steps)

    assert all("disabled" in pill.attrs for pill in page.all("input", name="special"))
    assert page.one(id="no_specials").text == reason


def test_nothing_is_barred_on_the_first_page(client):
    page = read(client.get(ADDRESS))

    assert [control for control in page.all("input") if "disabled" in control.attrs] == []
    assert page.all(id="no_specials") == []
    assert [details["id"] for details in page.one(id="setup").all("details") if "open" in details.attrs] == []


@pytest.mark.parametrize(
    ("people", "sent", "at", "sentence"),
    [
        (4, {"plus_minus_one": "on", "bid_mode": "secret"}, "bids", SECRET_AND_PLUS_MINUS),
        (4, {"bid_mode": ["hidden", "secret"]}, "bids", "“Hidden bids” and “Secret bids” exclude each other."),
        (4, {"deck": "french52", "special": "BOMB"}, "specials", "“Wizards and Jesters” is played without special"),
        (4, {"deck": "french52", "variant": "einfarbig"}, "variant", "“Wizards and Jesters” and “Single-suit” exclude"),
        (4, {"deck": "french52", "variant": "maximus"}, "variant", "“Wizards and Jesters” and “Wizard Maximus” excl"),
        (5, {"variant": "einfarbig"}, "variant", "“Single-suit” is for 3 to 4 people, not for 5."),
        (4, {"variant": "einfarbig", "special": "BOMB"}, "specials", NO_SPECIALS.format("Single-suit")),
        (4, {"variant": "maximus", "special": "BOMB"}, "specials", NO_SPECIALS.format("Wizard Maximus")),
        (4, {"clairvoyance": "on", "special": "BOMB"}, "specials", NO_SPECIALS.format("Clairvoyance")),
        (4, {"special": "DRAGON"}, "specials", "Dragon and fairy are only played together. Missing: Fairy."),
        (4, {"special": "FAIRY"}, "specials", "Dragon and fairy are only played together. Missing: Dragon."),
        (4, {"special": ["BOMB", "BOMB"]}, "specials", "Bomb: only one of each card is in the pack."),
        (4, {"special": "GNOME"}, "specials", "There is no special card “GNOME”."),
        (6, {"length": "tournament"}, "length", "There is no tournament ladder for 6 people."),
        (4, {"length": "tournament", "variant": "maximus"}, "length", "“Wizard Maximus” and “Tournament ladder” excl"),
        (4, {"length": "endless"}, "length", "Choose a length."),
        (4, {"deck": "tarot"}, "deck", "Choose one of the packs."),
        (4, {"variant": "chess"}, "variant", "Choose one of the variants."),
        (4, {"tie_break": "dice"}, "tie", "Choose what a tie means."),
        *[
            (4, {"plus_minus_one_from": typed}, "from", "Type the number of a round, 1 or later.")
            for typed in ("0", "", "x", "-1", "100", "٣", "1.5")
        ],
    ],
)
def test_impossible_house_rules_are_refused_where_they_were_chosen(client, people, sent, at, sentence):
    page = start_refused(client, set_up(client, *NAMES[:people]), blind_bids="on", **sent)

    assert sentence in page.one(id=f"{at}_errors").text
    groups = {"specials": "specials", "bids": "bids", "deck": "pack", "variant": "pack", "tie": "tie"}
    assert [details["id"] for details in page.one(id="setup").all("details") if "open" in details.attrs] == [
        groups[at] for at in (at,) if at in groups
    ]
    assert (names_on(page), chosen_on(page, "blind_bids")) == (list(NAMES[:people]), ["on"])
    for name, value in sent.items():
        known = [control["value"] for control in page.all("input", name=name) if "value" in control.attrs]
        if name in TYPED or set([value] if isinstance(value, str) else value) <= set(known):
            assert set(chosen_on(page, name)) <= set([value] if isinstance(value, str) else value)
            assert chosen_on(page, name) != []


def test_field_of_a_switched_off_rule_that_is_wrong_is_marked(client):
    page = start_refused(client, set_up(client, *NAMES[:4]), plus_minus_one_from="x")

    assert sentences_at(page, "from_round") == "Type the number of a round, 1 or later."
    assert page.one(id="from_round")["value"] == "x"


@pytest.mark.parametrize(
    "sent",
    [
        {"special": ["BOMB"] * 100_000},
        {"special": "x" * 1_000_000},
        {"deck": "x" * 100_000, "variant": "y" * 100_000, "tie_break": "z" * 100_000, "length": "w" * 100_000},
        {"length": "free", "cards": "1 " * 1_000_000},
        {"length": "free", "cards": "9" * 1_000_000},
        {"plus_minus_one_from": "9" * 100_000},
    ],
    ids=lambda sent: "+".join(sent),
)
def test_very_much_that_is_sent_by_hand_is_cut(client, sent):
    empty = len(client.get(ADDRESS).content)
    response = client.post(ADDRESS, {"house": "1", "look": "1", **sent})

    assert response.status_code in (200, 400)
    assert len(response.content) < empty + 4_000


def test_long_list_of_small_rounds_is_one_game(client):
    game = start(client, set_up(client, *NAMES[:3]), length="free", cards=" ".join("1" * 100))

    assert game.plan == [1] * 100


def test_fifth_person_at_a_single_suit_table_is_told_at_once(client):
    page = choose(client, set_up(client, *NAMES[:4]), ("variant", "einfarbig"))
    page = read(press(client, ADDRESS, "add", page=page, typed={"new_name": "Emil"}))

    assert page.one(id="variant_errors").text == "“Single-suit” is for 3 to 4 people, not for 5."
    assert "open" in page.one(id="pack").attrs
    assert (names_on(page), chosen_on(page, "variant")) == (list(NAMES[:5]), ["einfarbig"])
    refused = start_refused(client, page)
    assert refused.one(id="variant_errors").text == "“Single-suit” is for 3 to 4 people, not for 5."

    assert start(client, read(press(client, ADDRESS, "remove", "4", page=page))).variant == "einfarbig"


def test_dragon_and_fairy_are_one_pill_until_one_may_be_alone(client):
    page = set_up(client, *NAMES[:4])
    assert [pill["value"] for pill in page.all("input", name="special")][:2] == ["DRAGON,FAIRY", "JUGGLER"]

    page = choose(client, page, NO_FAIRY_NEEDED)
    assert [pill["value"] for pill in page.all("input", name="special")][:3] == ["DRAGON", "FAIRY", "JUGGLER"]

    page = choose(client, page, ("special", ["DRAGON"]), ("allow_lone_dragon_or_fairy", None))
    assert page.one(id="specials_errors").text == "Dragon and fairy are only played together. Missing: Fairy."
    assert chosen_on(page, "special") == ["DRAGON"]

    page = choose(client, page, ("special", ["DRAGON", "FAIRY"]))
    assert chosen_on(page, "special") == ["DRAGON,FAIRY"]
    assert page.all(id="specials_errors") == []


def test_special_cards_in_a_variant_are_refused_when_the_rule_is_switched_off(client):
    page = choose(client, set_up(client, *NAMES[:4]), IN_VARIANTS, ("special", ["BOMB"]), ("variant", "maximus"))
    page = choose(client, page, ("specials_in_variants", None))

    assert page.one(id="specials_errors").text == NO_SPECIALS.format("Wizard Maximus")
    assert (chosen_on(page, "special"), chosen_on(page, "variant")) == (["BOMB"], ["maximus"])


@pytest.mark.parametrize(
    ("steps", "group", "summary"),
    [
        ([], "edition", "Edition: Rules of 2021"),
        ([("blind_bids", "on")], "edition", "Edition: Rules of 2021, changed"),
        ([("weak_specials_no_trump", "on"), ("cloud_upper_clamp", None)], "edition", "Edition: Rules of 2026"),
        ([("weak_specials_no_trump", "on")], "edition", "Edition: your own mix"),
        ([("length", "tournament")], "edition", "Edition: Tournament"),
        ([], "specials", "Special cards: none"),
        ([("special", ["BOMB", "CLOUD"])], "specials", "Special cards: Cloud, Bomb"),
        (
            [("special", ["DRAGON,FAIRY"]), ("cloud_upper_clamp", None)],
            "specials",
            "Special cards: Dragon and Fairy, not: Cloud cannot raise a full bid",
        ),
        ([], "bids", "How bids are made: Open bids"),
        ([("bid_mode", "hidden"), ("blind_bids", "on")], "bids", "How bids are made: Hidden bids, Blind bids"),
        ([], "trump", "Trump: as in the rule book"),
        (
            [("werewolf_may_choose_no_trump", None)],
            "trump",
            "Trump: not: Werewolf may choose no trump",
        ),
        ([], "pack", "Pack and variant: Wizard deck, Base game"),
        (
            [("deck", "french52"), ("clairvoyance", "on")],
            "pack",
            "Pack and variant: Wizards and Jesters, Base game, Clairvoyance",
        ),
        ([("tie_break", "shared")], "tie", "If there is a tie at the end: Shared victory"),
    ],
)
def test_closed_groups_say_what_is_chosen_in_them(client, steps, group, summary):
    page = choose(client, set_up(client, *NAMES[:4]), *steps)

    assert page.one(id=group).one("summary").text == summary


# -- editions and the last game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(rules.PRESETS))
def test_edition_sets_its_rules_and_its_ladder(client, name):
    page = read(press(client, ADDRESS, "preset", name, page=set_up(client, *NAMES[:4])))
    assert page.one("button", name="preset", value=name)["aria-pressed"] == "true"

    game = start(client, page)

    assert (game.house, game.ladder) == (rules.PRESETS[name].house, rules.PRESETS[name].ladder)


def test_edition_keeps_special_cards_and_rounds_and_says_what_it_changed(client):
    page = set_up(client, *NAMES[:4], special=["BOMB"], blind_bids="on", length="half")
    page = read(press(client, ADDRESS, "preset", "2026", page=page))

    note = page.one("p", role="status")
    assert note.text == "Changed: Blind bids, Fairy or bomb turned up: no trump, Cloud cannot raise a full bid."
    assert (chosen_on(page, "special"), length_on(page)) == (["BOMB"], ["half"])

    page = read(press(client, ADDRESS, "preset", "tournament", page=page))
    note = page.one("p", role="status")
    assert note.text.endswith("Length.")
    assert "Special cards" in note.text
    assert (chosen_on(page, "special"), length_on(page)) == ([], ["tournament"])


def test_edition_that_changes_nothing_says_nothing(client):
    page = read(press(client, ADDRESS, "preset", "2021", page=set_up(client, *NAMES[:4])))

    assert page.all("p", role="status") == []


def test_tournament_edition_is_not_for_six_and_unknown_editions_change_nothing(client):
    page = set_up(client, *NAMES)
    button = page.one("button", name="preset", value="tournament")
    assert "disabled" in button.attrs
    assert "There is no tournament ladder for 6 people." in button.text

    response = client.post(ADDRESS, {"name": NAMES[:3], "house": "1", "cloud_upper_clamp": "on", "preset": "1066"})
    assert chosen_on(read(response), "cloud_upper_clamp") == ["on"]


ODD = rules.HouseRules(
    specials=("DRAGON", "BOMB"),
    allow_lone_dragon_or_fairy=True,
    hidden_bids=True,
    plus_minus_one=True,
    plus_minus_one_from=2,
    werewolf_may_choose_no_trump=False,
    tie_break="shared",
)


@pytest.mark.parametrize(
    ("options", "length"),
    [
        ({}, ["full"]),
        ({"length": 10}, ["short"]),
        ({"length": 8}, ["half"]),
        ({"length": 3}, []),
        ({"ladder": "tournament"}, ["tournament"]),
        ({"ladder": "tournament", "length": 5}, ["free"]),
        ({"ladder": "free", "cards": [2, 4, 6]}, ["free"]),
    ],
)
def test_page_begins_with_rules_and_length_of_the_last_game(options, length):
    last = make_game(house=ODD, **options)
    client = client_for(last)
    page = read(client.get(ADDRESS))
    assert (length_on(page), names_on(page)) == (length, [])
    assert "As in your last game." in page.text

    page = read(press(client, ADDRESS, "add", page=page, typed={"new_name": ", ".join(NAMES[:4])}))
    game = start(client, page)

    assert (game.house, game.plan) == (last.house, last.plan)


def test_last_game_is_the_newest_that_this_device_keeps_the_score_of():
    client = client_for(make_game(house=rules.HouseRules(tie_break="shared")))
    kept, watched = make_game(house=ODD), make_game(house=rules.HouseRules(blind_bids=True))
    client.cookies.update(client_for(kept).cookies)
    client.cookies.update(client_for(watched, "watch").cookies)

    page = read(client.get(ADDRESS))

    assert (chosen_on(page, "bid_mode"), chosen_on(page, "blind_bids")) == (["hidden"], [])


def test_device_that_only_watches_begins_with_the_default():
    page = read(client_for(make_game(house=ODD), "watch").get(ADDRESS))

    assert (chosen_on(page, "bid_mode"), page.all("button", name="usual")) == (["open"], [])
    assert "last game" not in page.text


def test_one_button_leads_from_the_last_game_to_the_edition_and_back():
    client = client_for(make_game(house=ODD, length=8))
    page = set_up(client, *NAMES[:4])
    (button,) = [b for b in page.all("button", name="preset") if b["class"] == "btn"]

    page = read(press(client, ADDRESS, "preset", button["value"], page=page))
    assert (chosen_on(page, "bid_mode"), chosen_on(page, "plus_minus_one")) == (["open"], [])
    assert "Not as in your last game." in page.text

    page = read(press(client, ADDRESS, "usual", page=page))
    assert (names_on(page), length_on(page)) == (list(NAMES[:4]), ["half"])
    game = start(client, page)
    assert (game.house, game.plan) == (ODD, list(range(1, 9)))


def test_table_that_plays_the_default_sees_no_such_button():
    page = read(client_for(make_game()).get(ADDRESS))

    assert [b for b in page.all("button", name="preset") if b["class"] == "btn"] == page.all("button", name="usual")


def test_usual_on_a_new_device_is_the_default(client):
    page = read(client.post(ADDRESS, {"name": NAMES[:3], "house": "1", "blind_bids": "on", "usual": "1"}))

    assert (chosen_on(page, "blind_bids"), chosen_on(page, "cloud_upper_clamp")) == ([], ["on"])


def test_choice_of_a_rule_leaves_a_half_typed_name_alone(client):
    page = set_up(client, *NAMES[:3])
    sent = dict(page.one(id="setup").fields()) | {"name": NAMES[:3], "new_name": "half typ", "choose": "1"}

    page = read(client.post(ADDRESS, {**sent, "blind_bids": "on"}, headers=HTMX))

    assert (names_on(page), page.one(id="new_name")["value"]) == (list(NAMES[:3]), "half typ")
    assert chosen_on(page, "blind_bids") == ["on"]


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
