"""Every variant of a round through the page: what is entered, what stands there afterwards, and what is refused."""

from __future__ import annotations

import gzip
import re

import pytest
from django.utils import translation

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import note_trump, record_bids, record_round, save_draft
from scoresheets.recording.repair import differences_of
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    client_for,
    enter_bids,
    enter_tricks,
    fresh,
    make_game,
    newest_of,
    open_round,
    play_round,
    rows_of,
    seat_ids,
    seats_of,
    seen_of,
)
from tests.scoresheets.pages import HTMX, press, read, sentences_at, totals_of
from tests.scoresheets.views.test_statements import statements

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english():
    """Leave no language behind for what runs after pages in German."""
    with translation.override("en"):
        yield


HIDDEN = rules.HouseRules(hidden_bids=True, plus_minus_one=True)
SECRET = rules.HouseRules(secret_bids=True, specials=("BOMB", "CLOUD"), blind_bids=True)
BLIND = rules.HouseRules(blind_bids=True)
CLAMP_OFF = rules.HouseRules(specials=("CLOUD",), cloud_upper_clamp=False)


def address_of(game):
    return f"/games/{game.pk}/"


def page_of(client, game):
    return read(client.get(address_of(game)))


def pressed(client, game, button, value=None, *, htmx=True, page=None, **typed):
    """Press a button of the page with fields typed by their names; return the answer."""
    return press(client, address_of(game), button, value, page=page, htmx=htmx, typed=typed)


def by_seat(prefix, game, values):
    """Return one field a seat, values in seat order."""
    return {f"{prefix}_{seat}": value for seat, value in zip(seat_ids(game), values, strict=True)}


def fields_of(page, prefix):
    """Return what stands in the fields of this prefix, by the order on the page."""
    return [field["value"] for field in page.all("input") if field.attrs.get("name", "").startswith(f"{prefix}_")]


def alerts_of(page):
    """Return what the pad complains about."""
    return [element.text for element in page.one(id="pad").all(role="alert")]


def lines_of(game):
    return [seat.line[-1] if seat.line else None for seat in seats_of(game)]


def bids_of(game):
    return list(open_round(game).bids.order_by("seat__position").values_list("tricks_bid", "blind"))


def chosen(page, name):
    """Return the value of the chosen option of a select."""
    options = page.one("select", name=name).all("option")
    return next((option["value"] for option in options if "selected" in option.attrs), "")


def direction(page):
    return [radio["value"] for radio in page.all("input", name="cloud_delta") if "checked" in radio.attrs]


def in_german(client, game, button, value=None, **typed):
    """Press the button on a page in German; return the answer's page."""
    client.cookies["django_language"] = "de"
    sent = press(client, address_of(game), button, value, htmx=True, typed=typed)
    del client.cookies["django_language"]
    return read(sent)


# -- blind bids -----------------------------------------------------------------------------------------------------


def test_blind_bid_is_one_switch_beside_the_numbers():
    game = make_game(seats=3, house=BLIND)
    client = client_for(game)
    page = page_of(client, game)
    assert page.one("input", name="blind")["role"] == "switch"

    page = read(pressed(client, game, "bid", "1", blind="1"))

    assert bids_of(game) == [(1, True)]
    assert "checked" not in page.one("input", name="blind").attrs  # the next person looks first
    assert page.one(id="now").all("td")[1].one(class_="flag").text == "B blind"


def test_blind_bid_counts_double_in_the_preview_and_in_the_score():
    game = make_game(seats=3, house=BLIND)
    client, seats = client_for(game), seat_ids(game)
    for place, blind in ((1, True), (2, False), (0, True)):
        pressed(client, game, "bid", "0" if place else "1", **({"blind": "1"} if blind else {}))

    page = read(pressed(client, game, "made", str(seats[0])))

    rows = page.one(class_="made").all("li")
    assert [row.one(class_="pts").text for row in rows] == ["+40double", "+20", "+60double"]
    pressed(client, game, "score", page=page)
    assert [seat.total for seat in seats_of(game)] == [60, 40, 20]
    assert differences_of(game.pk) == []


def test_blind_bids_of_all_at_once_are_marked_each():
    game = make_game(seats=3, house=BLIND)
    client, seats = client_for(game), seat_ids(game)

    response = pressed(client, game, "bids", **by_seat("bid", game, [0, 1, 0]), **{f"blind_{seats[1]}": "1"})

    assert response.status_code == 200
    assert bids_of(game) == [(0, False), (1, True), (0, False)]


def test_undo_brings_a_blind_bid_back_as_blind():
    game = make_game(seats=3, house=BLIND)
    client = client_for(game)
    pressed(client, game, "bid", "1", blind="1")

    page = read(pressed(client, game, "back"))

    assert "checked" in page.one("input", name="blind").attrs
    assert page.one("button", name="bid", value="1")["aria-pressed"] == "true"


def test_refused_blind_bid_keeps_its_switch():
    game = make_game(seats=3, rounds=1, house=rules.HouseRules(blind_bids=True, plus_minus_one=True))
    client = client_for(game)
    for bid in ("1", "0"):
        pressed(client, game, "bid", bid)

    response = pressed(client, game, "bid", "1", blind="1")

    assert response.status_code == 422
    assert "checked" in read(response).one("input", name="blind").attrs


def test_blind_bid_is_not_offered_where_nobody_sees_their_own_card():
    game = make_game(seats=3, house=rules.HouseRules(blind_bids=True, clairvoyance=True))
    client = client_for(game)

    assert page_of(client, game).all("input", name="blind") == []
    play_round(game)
    assert len(page_of(client, game).all("input", name="blind")) == 1


@pytest.mark.parametrize(
    ("house", "english", "german"),
    [
        (
            rules.HouseRules(),
            "Blind bids are not part of this game.",
            "Blindansagen gehören nicht zu diesem Spiel.",
        ),
        (
            rules.HouseRules(blind_bids=True, clairvoyance=True),
            "Nobody can bid blind in this round: nobody sees their own card.",
            "In dieser Runde geht keine Blindansage: Die eigene Karte sieht ohnehin niemand.",
        ),
    ],
)
def test_blind_bid_where_it_is_not_allowed_is_refused(house, english, german):
    game = make_game(seats=3, house=house)
    client, seats = client_for(game), seat_ids(game)
    before = rows_of(game)

    response = pressed(client, game, "bid", "0", blind="1")

    assert response.status_code == 422
    assert read(response).one(id="bid_errors").text == english
    assert in_german(client, game, "bid", "0", blind="1").one(id="bid_errors").text == german
    page = read(pressed(client, game, "bids", **by_seat("bid", game, [0, 1, 1]), **{f"blind_{seats[1]}": "1"}))
    assert sentences_at(page, f"bid_{seats[1]}") == english
    assert rows_of(game) == before


def test_game_without_variants_draws_none_of_them():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    names = {field.attrs.get("name") for field in page_of(client, game).all("input")}
    enter_bids(game)
    page = page_of(client, game)
    names |= {field.attrs.get("name") for field in page.all("input")}

    assert page.all(class_="extras") == page.all("select") == []
    assert not {name for name in names if name and name.startswith(("blind", "cloud", "bomb"))}


# -- bomb and cloud -------------------------------------------------------------------------------------------------


def playing(bids=(1, 0, 2), *, rounds=2, house=BOMB_AND_CLOUD, **options):
    """Return a game of three in round 3, dealt by seat 2, so that seats bid in their order: the tricks are due."""
    game = make_game(seats=3, rounds=rounds, house=house, **options)
    enter_bids(game, bids)
    return game


def test_bomb_lowers_the_sum_everywhere():
    game = playing()
    client, seats = client_for(game), seat_ids(game)

    page = read(pressed(client, game, "keep", bombs="1", **{f"taken_{seats[0]}": "1", f"taken_{seats[1]}": "0"}))

    assert page.one(class_="meter-txt").text == "2 of 2 tricks"
    assert [stroke.attrs.get("class") for stroke in page.one(class_="tally").all("i")] == ["on", "on", "boom"]
    assert fields_of(page, "taken") == ["1", "0", "1"]  # the rest is one trick less
    assert page.one("label", class_="row").text == "1 trick bombed, 2 count"
    assert page.one("button", name="score").text == "Score round 3"
    page = read(pressed(client, game, "keep", bombs="1", rest=[], **by_seat("taken", game, ["1", "0", "2"])))
    assert page.one("button", name="score").one(class_="with-js").text == "1 trick too many"


def test_bomb_and_cloud_are_kept_for_every_scorer_and_across_a_reload():
    game = playing()
    client, other, seats = client_for(game), client_for(game), seat_ids(game)

    pressed(client, game, "keep", bombs="1", cloud=str(seats[2]), cloud_delta="-1", **{f"taken_{seats[2]}": "1"})

    for device in (client, other):
        page = page_of(device, game)
        assert "checked" in page.one("input", name="bombs").attrs
        assert (chosen(page, "cloud"), direction(page)) == (str(seats[2]), ["-1"])
    draft = open_round(game).draft
    assert (draft["bombs"], draft["clouds"], draft["taken"]) == (1, {str(seats[2]): -1}, {str(seats[2]): 1})
    page = read(pressed(other, game, "keep", bombs=None, cloud=""))
    assert "checked" not in page.one("input", name="bombs").attrs
    assert {"bombs", "clouds"} & set(open_round(game).draft) == set()


def test_cloud_changes_the_bid_that_counts():
    game = playing()
    client, seats = client_for(game), seat_ids(game)
    page = read(pressed(client, game, "keep", cloud=str(seats[2]), cloud_delta="-1"))
    assert page.one(class_="made").all("li")[2].one("small").text == "bid 2 → 1"
    now = page.one(id="now").all("td")[2]
    assert (now.one(class_="mark").text, now.one(class_="flag").text) == ("1", "Cloud: bid changed from 2 to 1")

    page = read(pressed(client, game, "made", str(seats[2]), page=page))  # as bid, after the cloud
    page = read(pressed(client, game, "plus", str(seats[0]), page=page))

    assert fields_of(page, "taken") == ["2", "0", "1"]
    assert [row.one(class_="pts").text for row in page.one(class_="made").all("li")] == ["−10", "+20", "+30"]
    pressed(client, game, "score", page=page)
    assert lines_of(game) == [[1, 2, -10], [0, 0, 20], [2, 1, 30, 0, -1]]
    assert differences_of(game.pk) == []


def test_preview_is_the_score_with_all_variants_at_once():
    """Whatever the page shows before a round is scored is what the rules give for it."""
    house = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True)
    game = make_game(seats=3, rounds=2, house=house)
    client, seats = client_for(game), seat_ids(game)
    record_bids(game, bids=dict(zip(seats, (1, 0, 2), strict=True)), blind=seats[1:], seen=seen_of(game), by=OPERATOR)
    before = [seat.total for seat in seats_of(game)]
    entered = {"bombs": "1", "cloud": str(seats[1]), "cloud_delta": "1", **by_seat("taken", game, ["0", "1", "1"])}

    page = read(pressed(client, game, "keep", **entered))

    scores = rules.score_round(
        house, number=3, cards=3, bids=[1, 0, 2], tricks=[0, 1, 1], bombs=1, clouds=[(1, 1)], blind=[False, True, True]
    )
    points = [score.points for score in scores]
    shown = [row.one(class_="pts").text.removesuffix("double") for row in page.one(class_="made").all("li")]
    assert shown == ["−10", "+60", "−20"]
    assert points == [-10, 60, -20]
    totals = [cell.one(class_="tot").text for cell in page.one(id="now").all("td")]
    assert totals == [str(total + point).replace("-", "−") for total, point in zip(before, points, strict=True)]
    pressed(client, game, "score", page=page)
    assert [line[2] for line in lines_of(game)] == points


@pytest.mark.parametrize(
    ("house", "bids", "place", "sent", "kept", "barred"),
    [
        (BOMB_AND_CLOUD, (1, 0, 1), 1, "-1", "1", ["-1"]),  # a bid of 0 can only rise
        (BOMB_AND_CLOUD, (3, 0, 1), 0, "1", "-1", ["1"]),  # a full bid can only fall
        (CLAMP_OFF, (3, 0, 1), 0, "1", "1", []),
        (BOMB_AND_CLOUD, (1, 0, 1), 0, "1", "1", []),
    ],
)
def test_cloud_goes_only_where_it_can(house, bids, place, sent, kept, barred):
    game = playing(bids, house=house)
    client, seat = client_for(game), seat_ids(game)[place]

    page = read(pressed(client, game, "keep", cloud=str(seat), cloud_delta=sent, **{f"taken_{seat}": "1"}))

    assert direction(page) == [kept]
    assert [radio["value"] for radio in page.all("input", name="cloud_delta") if "disabled" in radio.attrs] == barred
    assert open_round(game).draft["clouds"] == {str(seat): int(kept)}


def test_full_bid_raised_by_the_cloud_without_the_clamp_is_scored():
    game = playing((3, 0, 1), house=CLAMP_OFF)
    client, seats = client_for(game), seat_ids(game)
    entered = {"cloud": str(seats[0]), "cloud_delta": "1", **by_seat("taken", game, ["3", "0", "0"])}

    assert pressed(client, game, "score", **entered).status_code == 200

    assert lines_of(game)[0] == [3, 3, -10, 0, 1]


def test_undo_opens_the_tricks_with_bomb_and_cloud_and_a_cloud_can_be_set_afterwards():
    game = playing()
    client, seats = client_for(game), seat_ids(game)
    pressed(client, game, "score", bombs="1", **by_seat("taken", game, ["1", "0", "1"]))

    page = read(pressed(client, game, "back"))

    assert "checked" in page.one("input", name="bombs").attrs
    assert fields_of(page, "taken") == ["1", "0", "1"]
    page = read(pressed(client, game, "score", page=page, cloud=str(seats[2]), cloud_delta="-1"))
    assert lines_of(game)[2] == [2, 1, 30, 0, -1]
    page = read(pressed(client, game, "back", page=page))
    assert (chosen(page, "cloud"), direction(page)) == (str(seats[2]), ["-1"])
    assert differences_of(game.pk) == []


def test_bomb_in_round_1_leaves_no_trick_and_no_cloud():
    game = playing((1, 0, 0), rounds=0)
    client, seats = client_for(game), seat_ids(game)
    page = read(pressed(client, game, "keep", bombs="1"))
    assert page.one("button", name="score").text == "Score round 1"
    assert fields_of(page, "taken") == ["0", "0", "0"]

    refused = pressed(client, game, "score", page=page, cloud=str(seats[1]), cloud_delta="1")

    assert refused.status_code == 422
    assert pressed(client, game, "score", page=page).status_code == 200
    assert lines_of(game) == [[1, 0, -10], [0, 0, 20], [0, 0, 20]]


def test_bomb_switched_without_javascript_makes_the_filled_in_rest_one_less():
    """The rest on the page was worked out without the bomb; it is worked out anew, not refused."""
    game = playing()
    client, seats = client_for(game), seat_ids(game)
    page = read(pressed(client, game, "keep", **{f"taken_{seats[0]}": "1", f"taken_{seats[1]}": "0"}))
    assert fields_of(page, "taken") == ["1", "0", "2"]

    response = pressed(client, game, "score", page=page, htmx=False, bombs="1")

    assert response.status_code == 302
    assert [line[1] for line in lines_of(game)] == [1, 0, 1]


def test_cloud_at_somebody_without_a_trick_is_said_as_soon_as_it_is_entered():
    game = playing()
    client, seats = client_for(game), seat_ids(game)
    entered = {"cloud": str(seats[1]), "cloud_delta": "1", **by_seat("taken", game, ["1", "0", "2"])}

    page = read(pressed(client, game, "keep", **entered))

    sentence = "Bernd has no trick that counts: then the cloud changes nothing."
    assert page.one(id="cloud_errors").text == sentence
    button = page.one("button", name="score")
    assert (button["aria-disabled"], button.one(class_="with-js").text) == ("true", "Cloud without a trick")


def test_watchers_see_the_cloud_as_it_is_entered():
    game = playing()
    seats = seat_ids(game)
    draft = {"taken": {str(seats[2]): 1}, "bombs": 1, "clouds": {str(seats[2]): -1}}
    save_draft(game, draft=draft, seen=seen_of(game), by=OPERATOR)

    page = page_of(client_for(game, "watch"), game)

    assert page.one(id="now").all("td")[2].one(class_="mark").text == "1"
    assert page.all(class_="extras") == []


@pytest.mark.parametrize(
    "draft",
    [
        {"clouds": {"0": 1}},
        {"clouds": {"SEAT": 5}},
        {"clouds": {"SEAT": "x"}},
        {"clouds": {"SEAT": -1}, "taken": {"SEAT": 3}},
    ],
)
def test_odd_draft_is_no_reason_to_fail(draft):
    game = playing()
    seat = str(seat_ids(game)[0])
    stored = {name: {seat if key == "SEAT" else key: value for key, value in d.items()} for name, d in draft.items()}
    save_draft(game, draft=stored, seen=seen_of(game), by=OPERATOR)

    assert client_for(game).get(address_of(game)).status_code == 200


# -- bad input ------------------------------------------------------------------------------------------------------

BOMB_ONLY = rules.HouseRules(specials=("BOMB",))
PLAIN = rules.HouseRules()

#: House rules, bids, what is sent (tricks in seat order), where it is said, and the sentence in English and German.
WRONG = [
    (
        PLAIN,
        (1, 0, 2),
        {"taken": (1, 0, 1), "bombs": "1"},
        None,
        "The bomb is not in this game.",
        "Die Bombe ist nicht in diesem Spiel.",
    ),
    (
        BOMB_ONLY,
        (1, 0, 2),
        {"taken": (1, 0, 2), "cloud": [0], "cloud_delta": "1"},
        None,
        "The cloud is not in this game.",
        "Die Wolke ist nicht in diesem Spiel.",
    ),
    (
        BOMB_ONLY,
        (1, 0, 2),
        {"taken": (1, 0, 0), "bombs": "2"},
        "bomb_errors",
        "There is only 1 bomb in this deck.",
        "In diesem Kartenspiel gibt es nur 1 Bombe.",
    ),
    (
        BOMB_AND_CLOUD,
        (1, 0, 2),
        {"taken": (1, 0, 2), "cloud": [0, 2], "cloud_delta": "-1"},
        "cloud_errors",
        "There is only 1 cloud in this deck: one person has it.",
        "In diesem Kartenspiel gibt es nur 1 Wolke: Eine Person hat sie.",
    ),
    (
        BOMB_AND_CLOUD,
        (1, 0, 2),
        {"taken": (1, 0, 2), "cloud": [1], "cloud_delta": "1"},
        "cloud_errors",
        "Bernd has no trick that counts: then the cloud changes nothing.",
        "Bernd hat keinen Stich, der zählt: Dann ändert die Wolke nichts.",
    ),
    (
        BOMB_AND_CLOUD,
        (1, 0, 2),
        {"taken": (1, 1, 1), "cloud": [1], "cloud_delta": "-1"},
        "cloud_errors",
        "Bernd bid 0: the cloud cannot lower that, only raise it by 1.",
        "Bernd hat 0 angesagt: Die Wolke kann das nur um 1 erhöhen, nicht senken.",
    ),
    (
        BOMB_AND_CLOUD,
        (3, 0, 2),
        {"taken": (1, 1, 1), "cloud": [0], "cloud_delta": "1"},
        "cloud_errors",
        "Annika bid 3 of 3 tricks: the cloud cannot raise that, only lower it by 1.",
        "Annika hat 3 von 3 Stichen angesagt: Die Wolke kann das nur um 1 senken, nicht erhöhen.",
    ),
    (
        BOMB_AND_CLOUD,
        (1, 0, 2),
        {"taken": (1, 1, 1), "cloud": [0], "cloud_delta": "2"},
        "cloud_errors",
        "The cloud changes a bid by exactly 1, up or down.",
        "Die Wolke ändert eine Ansage um genau 1, nach oben oder unten.",
    ),
    (
        PLAIN,
        (1, 0, 2),
        {"taken": (0, 0, 0)},
        None,
        "3 tricks are missing: 0 of 3 entered.",
        "Es fehlen 3 Stiche: 0 von 3 eingetragen.",
    ),
    (
        PLAIN,
        (1, 0, 2),
        {"taken": (1, 0, 1)},
        None,
        "1 trick is missing: 2 of 3 entered.",
        "Es fehlt 1 Stich: 2 von 3 eingetragen.",
    ),
    (
        BOMB_AND_CLOUD,
        (1, 0, 2),
        {"taken": (1, 0, 2), "bombs": "1"},
        None,
        "One trick too many. Who miscounted?",
        "Ein Stich zu viel. Wer hat sich verzählt?",
    ),
    (
        BOMB_AND_CLOUD,
        (1, 0, 2),
        {"taken": (1, 0, 0), "bombs": "1"},
        None,
        "1 trick is missing: 1 of 2 entered.",
        "Es fehlt 1 Stich: 1 von 2 eingetragen.",
    ),
]


def sent_of(game, entered):
    """Return an entry of `WRONG` as fields: seats as ids."""
    seats = seat_ids(game)
    sent = {**entered, **by_seat("taken", game, entered["taken"])}
    del sent["taken"]
    if "cloud" in sent:
        sent["cloud"] = [str(seats[place]) for place in sent["cloud"]]
    return sent


def said(page, place):
    """Return what is said at a place of the page, or at the form as a whole."""
    if place is not None:
        return page.one(id=place).text
    return page.one(id="tricks").one("p", class_="err").text


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize(("house", "bids", "entered", "place", "english", "german"), WRONG)
def test_wrong_round_is_refused_with_one_sentence_and_keeps_what_was_typed(
    house, bids, entered, place, english, german, htmx
):
    game = playing(bids, house=house)
    client, sent = client_for(game), sent_of(game, entered)
    before = rows_of(game)

    response = pressed(client, game, "score", htmx=htmx, **sent)

    page = read(response)
    assert response.status_code == 422
    assert said(page, place) == english
    assert fields_of(page, "taken") == [str(tricks) for tricks in entered["taken"]]
    assert said(in_german(client, game, "score", **sent), place) == german
    assert rows_of(game) == before


def test_all_tricks_zero_in_round_2_is_refused():
    game = playing((1, 0, 0), rounds=1, house=PLAIN)
    client = client_for(game)
    before = rows_of(game)

    response = pressed(client, game, "score", **by_seat("taken", game, [0, 0, 0]))

    assert response.status_code == 422
    assert said(read(response), None) == "2 tricks are missing: 0 of 2 entered."
    assert rows_of(game) == before


@pytest.mark.parametrize(
    "odd",
    [
        {"bombs": "x"},
        {"bombs": "-1"},
        {"bombs": "9" * 40},
        {"cloud": "x", "cloud_delta": "1"},
        {"cloud": "999999", "cloud_delta": "1"},
        {"cloud": "9" * 40, "cloud_delta": "1"},
        {"cloud": "SEAT", "cloud_delta": "x"},
        {"cloud": "SEAT", "cloud_delta": "9" * 40},
    ],
)
@pytest.mark.parametrize("button", ["score", "keep"])
def test_odd_values_of_bomb_and_cloud_are_refused(odd, button):
    game = playing()
    client, seats = client_for(game), seat_ids(game)
    before = rows_of(game)
    odd = {name: str(seats[0]) if value == "SEAT" else value for name, value in odd.items()}

    response = pressed(client, game, button, **by_seat("taken", game, [1, 0, 2]), **odd)

    assert response.status_code in {409, 422}
    assert alerts_of(read(response)) != []
    assert rows_of(game) == before


# -- trump ----------------------------------------------------------------------------------------------------------


def trump_buttons(page):
    """Return each suit's name and whether it is pressed, in the order of the page."""
    buttons = page.one(class_="trump-set").all("button")
    return [(button["aria-label"], button["aria-pressed"] == "true") for button in buttons]


@pytest.mark.parametrize("htmx", [False, True])
def test_trump_is_one_tap_and_a_second_one_takes_it_away(htmx):
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    assert [pressed for _name, pressed in trump_buttons(page_of(client, game))] == [False] * 5

    response = pressed(client, game, "trump", "G", htmx=htmx)

    assert response.status_code == (200 if htmx else 302)
    page = page_of(client, game)
    assert trump_buttons(page) == [
        ("Blue", False),
        ("Red", False),
        ("Green", True),
        ("Yellow", False),
        ("No trump", False),
    ]
    assert open_round(game).trump == "G"
    assert page.one(class_="bar-title").text == "Round 2 of 20 2 cards · Trump: Green · Bids"
    for device in (client, client_for(game, "watch")):
        assert page_of(device, game).one(id="now").one("th").one("svg")["aria-label"] == "Green"
    pressed(client, game, "trump", "", htmx=htmx)
    assert open_round(game).trump == ""
    assert differences_of(game.pk) == []


def test_trump_tapped_on_two_phones_stays_noted():
    game = make_game(seats=3)
    client, other = client_for(game), client_for(game)
    pages = [page_of(device, game) for device in (client, other)]

    for device, page in zip((client, other), pages, strict=True):
        assert pressed(device, game, "trump", "R", page=page).status_code == 200

    assert open_round(game).trump == "R"


def test_trump_is_noted_while_somebody_else_bids():
    game = make_game(seats=3)
    client, other = client_for(game), client_for(game)
    page = page_of(client, game)
    enter_bids(game)

    assert pressed(client, game, "trump", "R", page=page).status_code == 200

    assert (open_round(game).trump, open_round(game).state) == ("R", "playing")
    assert page_of(other, game).one(class_="trump-later").all("summary")[0].text == "Trump: Red"


def test_trump_of_a_round_that_is_over_is_stale():
    game = make_game(seats=3)
    client = client_for(game)
    page = page_of(client, game)
    play_round(game)
    before = rows_of(game)

    response = pressed(client, game, "trump", "R", page=page)

    assert (response.status_code, rows_of(game)) == (409, before)


@pytest.mark.parametrize("htmx", [False, True])
def test_trump_tapped_between_the_tricks_keeps_them(htmx):
    game = playing()
    client, seats = client_for(game), seat_ids(game)

    pressed(client, game, "trump", "Y", htmx=htmx, bombs="1", **{f"taken_{seats[0]}": "1"})

    assert open_round(game).trump == "Y"
    assert open_round(game).draft == {"taken": {str(seats[0]): 1}, "bombs": 1}


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("house", [BLIND, HIDDEN, SECRET])
def test_trump_tapped_between_the_bids_keeps_what_is_typed(house, htmx):
    game = make_game(seats=3, rounds=0, house=house)
    client = client_for(game)
    typed = {"blind": "1"} if house == BLIND else by_seat("bid", game, ["1", "x", ""])

    page = read(pressed(client, game, "trump", "Y", htmx=htmx, **typed))

    assert open_round(game).trump == "Y"
    if house == BLIND:
        assert "checked" in page.one("input", name="blind").attrs
    else:
        assert sorted(fields_of(page, "bid")) == ["", "1", "x"]
    assert alerts_of(page) == []
    assert open_round(game).draft == {}


def test_suits_of_the_ordinary_pack():
    game = make_game(seats=3, house=rules.HouseRules(deck="french52"))
    client = client_for(game)
    pressed(client, game, "trump", "S")
    play_round(game)

    page = page_of(client, game)

    assert [name for name, _pressed in trump_buttons(page)] == ["Hearts", "Diamonds", "Clubs", "Spades", "No trump"]
    assert page.one("tbody").all("tr")[0].one("th").one("svg")["aria-label"] == "Spades"


@pytest.mark.parametrize(
    ("house", "number", "words"),
    [
        (rules.HouseRules(variant="maximus"), 1, ["Blue", "Red", "Green", "Yellow", "No trump"]),
        (rules.HouseRules(variant="einfarbig"), 1, ["No trump"] * 3),
    ],
)
def test_fixed_trump_is_shown_and_not_asked(house, number, words):
    game = make_game(seats=4, house=house)
    client = client_for(game)
    for round_number, word in enumerate(words, start=number):
        page = page_of(client, game)
        cards = open_round(game).cards
        trump = word if word == "No trump" else f"Trump: {word}"
        bar = page.one(class_="bar-title").text
        assert bar.endswith(f" {cards} cards · {trump} · Bids")
        assert page.one("p", class_="trump").text == f"{word} · fixed in this round"
        assert page.all("button", name="trump") == []
        assert page.one(id="now").one("th").one("svg")["aria-label"] == word
        assert bar.startswith(f"Round {round_number} of ")
        play_round(game)


def test_trump_is_not_asked_where_no_card_is_left():
    game = make_game(seats=3, ladder="free", cards=[20])
    page = page_of(client_for(game), game)
    assert page.one("p", class_="trump").text == "No trump · no card is left"
    assert page.all("button", name="trump") == []
    assert page.one(id="now").one("th").one("svg")["aria-label"] == "No trump"

    game = make_game(seats=3, ladder="free", cards=[20], house=rules.HouseRules(last_round_dealer_trump=True))
    client = client_for(game)
    assert [name for name, _ in trump_buttons(page_of(client, game))][:2] == ["Blue", "Red"]
    page = read(pressed(client, game, "trump", "B"))
    assert page.all("select", name="turned_up") == []
    assert [option.text for option in page.one("select", name="chosen_by").all("option")] == ["not noted", "Annika"]


def test_card_and_who_named_trump_are_a_choice_of_what_is_possible():
    game = make_game(seats=3)
    client, seats = client_for(game), seat_ids(game)
    assert page_of(client, game).all(class_="trump-more") == []

    page = read(pressed(client, game, "trump", "G"))
    cards = [option.text for option in page.one("select", name="turned_up").all("option")]
    people = [option.text for option in page.one("select", name="chosen_by").all("option")]
    response = pressed(client, game, "note", page=page, turned_up="W", chosen_by=str(seats[0]))

    assert cards == ["not noted", *(f"Green {rank}" for rank in range(1, 14)), "Wizard"]
    assert people == ["not noted", "Annika"]  # the dealer names trump when a wizard is turned up
    page = read(response)
    assert page.one(class_="trump-more").one("summary").text == "Trump: Wizard, Annika"
    assert (open_round(game).turned_up, open_round(game).chosen_by_id) == ("W", seats[0])
    assert (chosen(page, "turned_up"), chosen(page, "chosen_by")) == ("W", str(seats[0]))
    pressed(client, game, "trump", "R", page=page)
    assert (open_round(game).trump, open_round(game).turned_up) == ("R", "")


def test_no_trump_is_noted_with_a_jester_and_nobody_names_it():
    game = make_game(seats=3)

    page = read(pressed(client_for(game), game, "trump", "none"))

    assert [option.text for option in page.one("select", name="turned_up").all("option")] == ["not noted", "Jester"]
    assert page.all("select", name="chosen_by") == []


def test_werewolf_lets_anybody_name_trump():
    game = make_game(seats=3, house=rules.HouseRules(specials=("WEREWOLF",)))

    page = read(pressed(client_for(game), game, "trump", "G"))

    people = [option.text for option in page.one("select", name="chosen_by").all("option")]
    assert people == ["not noted", "Bernd", "Cem", "Annika"] or sorted(people) == sorted(
        ["not noted", "Annika", "Bernd", "Cem"]
    )


#: House rules, cards of the round, what is sent, and the sentence in English and German.
WRONG_TRUMPS = [
    (PLAIN, 1, {"note": "G", "turned_up": "R7"}, "Trump cannot be green here.", "Trumpf kann hier nicht grün sein."),
    (
        PLAIN,
        1,
        {"note": "none", "turned_up": "R7"},
        "There has to be a trump here.",
        "Hier muss es einen Trumpf geben.",
    ),
    (PLAIN, 20, {"trump": "G"}, "Trump cannot be green here.", "Trumpf kann hier nicht grün sein."),
    (
        PLAIN,
        1,
        {"note": "R", "turned_up": "R7", "chosen_by": 1},
        "Bernd had no trump to choose in this round.",
        "Bernd hatte in dieser Runde keinen Trumpf zu bestimmen.",
    ),
    (PLAIN, 1, {"note": "", "turned_up": "R7"}, "Say which trump it was.", "Sagt, was Trumpf war."),
    (
        PLAIN,
        1,
        {"trump": "H"},
        "This suit is not in the deck.",
        "Diese Farbe gibt es in diesem Kartenspiel nicht.",
    ),
    (
        PLAIN,
        1,
        {"trump": "x" * 5000},
        "This suit is not in the deck.",
        "Diese Farbe gibt es in diesem Kartenspiel nicht.",
    ),
    (
        PLAIN,
        1,
        {"note": "R", "turned_up": "DRAGON"},
        "This card is not in the deck.",
        "Diese Karte gibt es in diesem Kartenspiel nicht.",
    ),
    (PLAIN, 1, {"note": "R", "turned_up": "<b>"}, "This is no card.", "Das ist keine Karte."),
    (
        rules.HouseRules(last_round_dealer_trump=True),
        20,
        {"note": "R", "turned_up": "R7"},
        "No card is left in this round that could be turned up.",
        "In dieser Runde bleibt keine Karte übrig, die aufgedeckt werden könnte.",
    ),
]


@pytest.mark.parametrize("stage", ["bidding", "playing"])
@pytest.mark.parametrize(("house", "cards", "sent", "english", "german"), WRONG_TRUMPS)
def test_wrong_trump_is_refused_with_a_sentence(house, cards, sent, english, german, stage):
    game = make_game(seats=3, ladder="free", cards=[cards], house=house)
    if stage == "playing":
        enter_bids(game)
    client, seats = client_for(game), seat_ids(game)
    if "chosen_by" in sent:
        sent = {**sent, "chosen_by": str(seats[sent["chosen_by"]])}
    sent = {"seen": seen_of(game), "number": 1, **sent}
    before = rows_of(game)

    found = []
    for language in ("en", "de"):
        client.cookies["django_language"] = language
        response = client.post(address_of(game), sent, headers=HTMX)
        assert response.status_code == 422
        found.append([p.text for p in read(response).all("p", class_="err")])

    assert found == [[english], [german]]
    assert rows_of(game) == before


@pytest.mark.parametrize(
    "sent",
    [
        {"trump": "R", "number": ""},
        {"trump": "R", "number": "x"},
        {"trump": "R", "number": "9" * 40},
        {"note": "R", "number": "1", "chosen_by": "x"},
        {"note": "R", "number": "1", "chosen_by": "999999"},
        {"trump": "R", "number": "2"},
    ],
)
def test_odd_values_of_trump_are_a_conflict(sent):
    game = make_game(seats=3)
    client = client_for(game)
    before = rows_of(game)

    response = client.post(address_of(game), {"seen": seen_of(game), **sent}, headers=HTMX)

    assert (response.status_code, rows_of(game)) == (409, before)


def test_watchers_cannot_note_trump():
    game = make_game(seats=3)
    watcher = client_for(game, "watch")
    before = rows_of(game)

    response = watcher.post(address_of(game), {"seen": seen_of(game), "number": "1", "trump": "R"}, headers=HTMX)

    assert (response.status_code, rows_of(game)) == (403, before)
    assert page_of(watcher, game).all(name="trump") == []


def test_referee_of_the_game_starts_with_the_noted_trump():
    game = make_game(seats=3, rounds=1)
    note_trump(game, number=2, trump="Y", by=OPERATOR)
    client = client_for(game)

    def trump_on(query):
        page = read(client.get(f"/games/{game.pk}/referee/{query}"))
        return [radio["value"] for radio in page.all("input", name="trump") if "checked" in radio.attrs]

    assert (trump_on(""), trump_on("?trump=R")) == (["Y"], ["R"])


# -- hidden bids ----------------------------------------------------------------------------------------------------


def test_hidden_bids_are_entered_together_first_and_one_by_one_if_wanted():
    game = make_game(seats=3, rounds=1, house=HIDDEN)
    client = client_for(game)

    page = page_of(client, game)

    assert page.one(id="all_bids").one("h2").text == "All bids at once"
    assert page.one("details", class_="one-bid").one("form")["id"] == "bids"
    assert "?" not in [mark.text for mark in page.one(id="now").all(class_="mark")]
    read(pressed(client, game, "bid", "1"))
    assert bids_of(game) == [(1, False)]
    assert page_of(client_for(game, "watch"), game).one("p").text.startswith("All are bidding, hidden from each other")


@pytest.mark.parametrize("htmx", [False, True])
def test_hidden_bids_that_add_up_are_shown_and_the_dealer_bids_again(htmx):
    game = make_game(seats=3, rounds=1, house=HIDDEN)  # round 2, dealt by Bernd
    client, seats = client_for(game), seat_ids(game)

    response = pressed(client, game, "bids", htmx=htmx, **by_seat("bid", game, [1, 1, 0]))

    assert response.status_code == (200 if htmx else 302)
    page = page_of(client, game)
    assert [mark.text for mark in page.one(id="now").all(class_="mark")] == ["1", "? is bidding", "0"]
    assert page.one(id="shown").text == "The hidden bids add up to 2. Bernd said 1 and needs another number."
    assert (page.one("h2").text, page.one(id="turn").text) == ("Bernd is bidding", "Last bid · 1 not allowed")
    barred = [chip for chip in page.all("button", name="bid") if "aria-disabled" in chip.attrs]
    assert [(chip["value"], "aria-pressed" in chip.attrs) for chip in barred] == [("1", False)]
    assert page.all(id="all_bids") == []
    watching = page_of(client_for(game, "watch"), game).one("p").text
    assert watching.startswith("The bids add up: Bernd bids again")

    refused = pressed(client, game, "bid", "1")
    assert refused.status_code == 422
    assert read(refused).one(id="bid_errors").text == (
        "1 does not work here: the others bid 1, and 1 would make exactly 2. Bernd needs another number."
    )
    pressed(client, game, "bid", "2")
    assert (open_round(game).state, open_round(game).bids.get(seat=seats[1]).tricks_bid) == ("playing", 2)
    assert differences_of(game.pk) == []


def test_refused_hidden_bids_stay_typed_and_no_poll_replaces_them():
    game = make_game(seats=3, rounds=1, house=HIDDEN)
    client, seats = client_for(game), seat_ids(game)
    assert "data-typed" not in page_of(client, game).one(id="all_bids").attrs

    response = pressed(client, game, "bids", **by_seat("bid", game, ["1", "x", "3"]))

    page = read(response)
    assert response.status_code == 422
    assert fields_of(page, "bid") == ["3", "1", "x"]
    assert sentences_at(page, f"bid_{seats[1]}") == "“x” is not a whole number."
    assert sentences_at(page, f"bid_{seats[2]}") == "3 is too many: there are only 2 cards this round."
    assert "data-typed" in page.one(id="all_bids").attrs


def test_undo_of_shown_bids_covers_them_again_and_keeps_them_typed():
    game = make_game(seats=3, rounds=1, house=HIDDEN)
    client = client_for(game)
    pressed(client, game, "bids", **by_seat("bid", game, [1, 1, 0]))

    page = read(pressed(client, game, "back"))

    assert page.one(id="all_bids").one("h2").text == "All bids at once"
    assert fields_of(page, "bid") == ["0", "1", "1"]  # Cem, Annika, and Bernd who deals
    assert page.all(id="shown") == []


def test_hidden_bids_show_the_watchers_nothing_until_all_are_in():
    game = make_game(seats=3, house=rules.HouseRules(hidden_bids=True, blind_bids=True), ladder="free", cards=[9])
    record_bids(game, bids={seat_ids(game)[0]: 7, seat_ids(game)[1]: 8}, seen=seen_of(game), by=OPERATOR)

    for scope in ("watch", "edit"):
        shown = lasting_numbers(client_for(game, scope).get(address_of(game), headers=HTMX))
        assert "15" not in shown


def lasting_numbers(response):
    """Return the numbers that can be read on a pad."""
    return re.findall(r"\d+", read(response).one(id="pad").text)


# -- secret bids ----------------------------------------------------------------------------------------------------


def secret_entry(game, bids, taken, **more):
    return {**by_seat("bid", game, bids), **by_seat("taken", game, taken), **more}


@pytest.mark.parametrize("htmx", [False, True])
def test_secret_round_is_entered_and_scored_in_one_go(htmx):
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3, 4])
    client, seats = client_for(game), seat_ids(game)
    more = {f"blind_{seats[1]}": "1", "bombs": "1", "cloud": str(seats[0]), "cloud_delta": "1"}

    response = pressed(client, game, "record", htmx=htmx, **secret_entry(game, [1, 0, 1], [2, 0, 0], **more))

    assert response.status_code == (200 if htmx else 302)
    assert lines_of(game) == [[1, 2, 40, 0, 1], [0, 0, 40, 1, 0], [1, 0, -10]]
    assert totals_of(page_of(client, game)) == [40, 40, -10]
    assert open_round(game).number == 2
    assert differences_of(game.pk) == []


def test_undo_brings_all_of_a_secret_round_back_into_the_form():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3, 4])
    client, seats = client_for(game), seat_ids(game)
    more = {f"blind_{seats[1]}": "1", "bombs": "1", "cloud": str(seats[0]), "cloud_delta": "1"}
    pressed(client, game, "record", **secret_entry(game, [1, 0, 1], [2, 0, 0], **more))

    page = read(pressed(client, game, "back"))

    assert page.one(id="round").one("h2").text == "Secret bids"
    assert (fields_of(page, "bid"), fields_of(page, "taken")) == (["0", "1", "1"], ["0", "0", "2"])
    boxes = [box["name"] for box in page.all("input", type="checkbox") if "checked" in box.attrs]
    assert boxes == [f"blind_{seats[1]}", "bombs"]
    assert (chosen(page, "cloud"), direction(page)) == (str(seats[0]), ["1"])
    watching = client_for(game, "watch").get(address_of(game), headers=HTMX)
    assert "→" not in watching.content.decode()
    assert [mark.text for mark in read(watching).one(id="now").all(class_="mark")] == ["not bid yet"] * 3
    pressed(client, game, "record", page=page)
    assert lines_of(game)[0] == [1, 2, 40, 0, 1]
    assert differences_of(game.pk) == []


def test_watchers_see_nothing_of_a_secret_round_before_it_is_scored():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[9])
    client, watcher = client_for(game), client_for(game, "watch")
    before = watcher.get(address_of(game), headers=HTMX)
    refused = pressed(client, game, "record", **secret_entry(game, [7, 8, 6], [7, 1, 0]))
    assert refused.status_code == 422

    after = watcher.get(address_of(game), headers=HTMX)

    assert after["ETag"] == before["ETag"]
    assert read(after).one("p").text.startswith("The round is being played, the bids are secret")
    assert read(after).all(class_="meter") == []


def test_every_wrong_field_of_a_secret_round_is_named_and_all_is_kept():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3])
    client, seats = client_for(game), seat_ids(game)
    before = rows_of(game)
    more = {f"blind_{seats[2]}": "1", "bombs": "1", "cloud": str(seats[2]), "cloud_delta": "-1"}

    response = pressed(client, game, "record", **secret_entry(game, ["9", "", "0"], ["x", "4", "1"], **more))

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, f"bid_{seats[0]}") == "9 is too many: there are only 3 cards this round."
    assert sentences_at(page, f"bid_{seats[1]}") == "A number is missing here."
    assert sentences_at(page, f"taken_{seats[0]}") == "“x” is not a whole number."
    assert sentences_at(page, f"taken_{seats[1]}") == "4 is too many: only 2 tricks count this round."
    assert page.one(id="cloud_errors").text == "Cem bid 0: the cloud cannot lower that, only raise it by 1."
    assert (fields_of(page, "bid"), fields_of(page, "taken")) == (["", "0", "9"], ["4", "1", "x"])
    boxes = [box["name"] for box in page.all("input", type="checkbox") if "checked" in box.attrs]
    assert boxes == [f"blind_{seats[2]}", "bombs"]
    assert (chosen(page, "cloud"), direction(page)) == (str(seats[2]), ["-1"])
    assert "data-typed" in page.one(id="round").attrs  # so that no poll replaces it
    assert rows_of(game) == before


@pytest.mark.parametrize(
    ("taken", "bombs", "sentence"),
    [
        ([1, 0, 1], "0", "1 trick is missing: 2 of 3 entered."),
        ([1, 0, 3], "0", "One trick too many. Who miscounted?"),
        ([1, 0, 2], "1", "One trick too many. Who miscounted?"),
        ([0, 0, 0], "0", "3 tricks are missing: 0 of 3 entered."),
    ],
)
def test_sum_of_a_secret_round_is_checked(taken, bombs, sentence):
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3])
    client = client_for(game)
    before = rows_of(game)

    response = pressed(client, game, "record", **secret_entry(game, [1, 1, 1], taken, bombs=bombs))

    assert response.status_code == 422
    assert read(response).one(id="round").one("p", class_="err").text == sentence
    assert rows_of(game) == before


def test_last_tricks_of_a_secret_round_may_be_left_empty():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3])

    assert pressed(client_for(game), game, "record", **secret_entry(game, [1, 1, 1], [1, 0, ""])).status_code == 200

    assert [line[1] for line in lines_of(game)] == [1, 0, 2]


def test_blind_where_nobody_may_is_named_at_the_bid_of_a_secret_round():
    game = make_game(seats=3, house=rules.HouseRules(secret_bids=True), ladder="free", cards=[3])
    client, seats = client_for(game), seat_ids(game)

    page = read(
        pressed(client, game, "record", **secret_entry(game, [1, 1, 1], [1, 1, 1], **{f"blind_{seats[0]}": "1"}))
    )

    assert sentences_at(page, f"bid_{seats[0]}") == "Blind bids are not part of this game."


def test_enter_in_a_secret_round_writes_nothing_and_loses_nothing():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3])
    client = client_for(game)
    page = page_of(client, game)
    assert page.one(id="round").all("button")[0]["name"] == "hold"
    before = rows_of(game)

    response = pressed(
        client, game, "hold", page=page, htmx=False, **secret_entry(game, ["1", "x", ""], ["2", "", "y"])
    )

    page = read(response)
    assert response.status_code == 200
    assert (fields_of(page, "bid"), fields_of(page, "taken")) == (["x", "", "1"], ["", "y", "2"])
    assert alerts_of(page) == []
    assert rows_of(game) == before


def test_secret_round_of_two_phones_is_recorded_once_and_the_other_one_is_told():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3, 4])
    client, other = client_for(game), client_for(game)
    pages = [page_of(device, game) for device in (client, other)]
    pressed(client, game, "record", page=pages[0], **secret_entry(game, [1, 1, 1], [1, 1, 1]))
    before = rows_of(game)

    response = pressed(other, game, "record", page=pages[1], **secret_entry(game, [2, 1, 0], [1, 1, 1]))

    assert response.status_code == 409
    assert read(response).one(class_="err-box").text.endswith("Not recorded: Annika 2/1, Bernd 1/1, Cem 0/1.")
    assert rows_of(game) == before


def test_secret_round_sent_twice_counts_once():
    game = make_game(seats=3, house=SECRET, ladder="free", cards=[3, 4])
    client = client_for(game)
    page = page_of(client, game)

    for _ in range(2):
        entry = secret_entry(game, [1, 1, 1], [1, 1, 1])
        assert pressed(client, game, "record", page=page, **entry).status_code == 200

    assert fresh(game).entries.count() == 2


def test_secret_round_with_bids_that_stand_already_asks_only_for_the_others():
    game = make_game(seats=3, house=rules.HouseRules(secret_bids=True), ladder="free", cards=[3])
    client, seats = client_for(game), seat_ids(game)
    record_bids(game, bids={seats[1]: 2}, seen=seen_of(game), by=OPERATOR)
    page = page_of(client, game)
    assert [field["name"] for field in page.all("input") if field.attrs.get("name", "").startswith("bid_")] == [
        f"bid_{seats[2]}",
        f"bid_{seats[0]}",
    ]

    entry = secret_entry(game, [1, None, 1], [1, 2, 0])
    assert pressed(client, game, "record", page=page, **entry).status_code == 200

    assert [line[:2] for line in lines_of(game)] == [[1, 1], [2, 2], [1, 0]]


# -- clairvoyance ---------------------------------------------------------------------------------------------------


def test_clairvoyance_is_said_in_round_1_alone():
    game = make_game(seats=3, house=rules.HouseRules(clairvoyance=True))
    client = client_for(game)
    sentence = "Clairvoyance: in this round you see all cards but your own."

    said = [sentence in page_of(client, game).text]
    enter_bids(game)
    said.append(sentence in page_of(client, game).text)
    enter_tricks(game)
    said.append(sentence in page_of(client, game).text)

    assert said == [True, True, False]


# -- sizes and languages --------------------------------------------------------------------------------------------


def check_size(body):
    """Check the promise about the pad; the real server's names of files are longer by a hash."""
    body = body.replace(b"sprite.svg", b"sprite.0123456789ab.svg")
    assert (len(body) <= 24 * 1024, len(gzip.compress(body)) <= 5 * 1024) == (True, True), len(body)


def test_pad_with_every_variant_stays_small():
    house = rules.HouseRules(specials=rules.SPECIALS, blind_bids=True)
    for seats, rounds in ((4, 14), (6, 9)):
        game = make_game(seats=seats, house=house)
        for _ in range(rounds):
            note_trump(game, number=open_round(game).number, trump="G", by=OPERATOR)
            bids = dict.fromkeys(seat_ids(game), 1)
            record_bids(game, bids=bids, blind=seat_ids(game)[:2], seen=seen_of(game), by=OPERATOR)
            enter_tricks(game)
        note_trump(game, number=open_round(game).number, trump="R", turned_up="R7", by=OPERATOR)
        client = client_for(game)
        for stage in ("bids", "tricks"):
            if stage == "tricks":
                enter_bids(game)
            body = client.get(address_of(game), headers=HTMX).content
            check_size(body)


def test_secret_and_hidden_pads_with_every_variant_stay_small():
    common = {"specials": rules.SPECIALS, "blind_bids": True}
    for house in (rules.HouseRules(**common, secret_bids=True), rules.HouseRules(**common, hidden_bids=True)):
        game = make_game(seats=6, house=house)
        seats = seat_ids(game)
        for _ in range(9):
            cards = open_round(game).cards
            note_trump(game, number=open_round(game).number, trump="G", by=OPERATOR)
            record_round(
                game,
                bids=dict.fromkeys(seats, 0),
                taken={seat: cards if seat == seats[0] else 0 for seat in seats},
                seen=seen_of(game),
                by=OPERATOR,
            )
        note_trump(game, number=10, trump="R", turned_up="R7", by=OPERATOR)
        body = client_for(game).get(address_of(game), headers=HTMX).content
        check_size(body)


@pytest.mark.parametrize("stage", ["bidding", "playing"])
def test_german_pad_has_no_english_left(stage):
    game = make_game(seats=3, house=rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True))
    note_trump(game, number=1, trump="none", by=OPERATOR)
    if stage == "playing":
        enter_bids(game)
    client = client_for(game)
    client.cookies["django_language"] = "de"

    text = page_of(client, game).text

    assert not set(re.findall(r"\w+", text)) & {
        "Trump",
        "blind,",
        "Cloud",
        "Bomb",
        "nobody",
        "noted",
        "count",
        "counts",
    }
    with translation.override("de"):
        assert "Trumpf" in text
    assert Game.objects.filter(pk=game.pk).exists()
    assert newest_of(game) >= 2


def test_variants_cost_no_statement_more():
    """The same numbers as in the plain game, of which at most 12 and 6 are allowed."""
    game = make_game(seats=4, rounds=1, house=rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True))
    client, seats = client_for(game), seat_ids(game)
    seen = {"seen": seen_of(game), "number": "2"}

    def post(**sent):
        answer, counted = statements(lambda: client.post(address_of(game), {**seen, **sent}, headers=HTMX))
        assert answer.status_code == 200
        return counted

    assert post(trump="R", key="a") <= (10, 4)
    assert post(seat=str(seats[2]), bid="1", blind="1", key="b") == (11, 2)
    others = {f"bid_{seat}": "0" for seat in seats if seat != seats[2]}
    assert post(**others, **{f"blind_{seats[0]}": "1"}, bids="1", key="c") == (11, 2)
    seen = {"seen": seen_of(game)}
    taken = by_seat("taken", game, ["0", "0", "1", "0"])
    assert post(**taken, bombs="1", cloud=str(seats[2]), cloud_delta="1", score="1", key="d") == (11, 2)
