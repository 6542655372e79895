"""The pages that correct a game: a scored round, points beside the rounds, a name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid
from scoresheets.recording import RoundValues, adjust_points, correct_round, pause, step_back
from scoresheets.recording.repair import differences_of
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    client_for,
    finished_game,
    fresh,
    hold_link,
    keeper_of,
    link_to,
    make_game,
    newest_of,
    play_round,
    rows_of,
    seat_ids,
    seats_of,
)
from tests.scoresheets.pages import HTMX, press, read, sentences_at

pytestmark = pytest.mark.django_db


def address(game, number=1):
    return f"/games/{game.pk}/rounds/{number}/correct/"


def seen(game, number=1):
    return game.rounds.get(number=number).changed_version


def sent(game, bids, taken, number=1, **more):
    """Return what the page sends for a round with these bids and tricks, in seat order; looked at if it saves them."""
    fields = {"seen": seen(game, number), "trump": game.rounds.get(number=number).trump, "key": "k"}
    for kind, numbers in (("bid", bids), ("taken", taken)):
        fields |= {f"{kind}_{seat}": str(typed) for seat, typed in zip(seat_ids(game), numbers, strict=True)}
    return looked(client_for(game), game, fields | more, number) if "save" in more else fields | more


def looked(client, game, fields, number=1):
    """Return the fields with the mark that the page puts on them once somebody has looked at what they change."""
    shown = {name: value for name, value in fields.items() if name != "save"}
    page = read(client.post(address(game, number), shown | {"look": "1"}))
    return fields | {"looked": dict(page.one("form", id="correction").fields())["looked"]}


def lines_of(game, number=1):
    return [seat.line[number - 1] for seat in seats_of(game)]


def stored_values(game, number=1):
    scored = game.rounds.get(number=number)
    return RoundValues.of(scored, list(Bid.objects.filter(round=scored).order_by("seat__position")))


def correct_first_bid(game, bid, number=1, **more):
    """Correct the first seat's bid of a round past the page."""
    before = stored_values(game, number)
    changed = replace(before, bids={**before.bids, seat_ids(game)[0]: bid})
    correct_round(game, number=number, values=changed, seen=seen(game, number), **{"by": OPERATOR, **more})


def two_rounds(**options):
    """Three seats; round 1: bids 1 0 0, taken 1 0 0; round 2: bids 2 0 0, taken 2 0 0; round 3 is open."""
    return make_game(seats=3, rounds=2, length=4, **options)


def finished():
    """Annika wins with 30 to 20 and 20 points."""
    return finished_game([[(1, 1), (0, 0), (0, 0)]])


def effects(page):
    return [" ".join(line.text.replace("→", "").split()) for line in page.one(class_="diff").all("li")]


def refused(client, game, fields, status, number=1, **headers):
    """Post the fields, check that nothing is written, and return the page."""
    before = rows_of(game)
    response = client.post(address(game, number), fields, headers=headers)
    assert response.status_code == status
    assert rows_of(game) == before
    return read(response)


# -- look ------------------------------------------------------------------------------------------------------------


def test_form_holds_the_round_as_it_stands():
    game = two_rounds()

    page = read(client_for(game).get(address(game, 2)))

    form = dict(page.one("form", id="correction").fields())
    expected = sent(game, [2, 0, 0], [2, 0, 0], 2)
    assert {name: form[name] for name in expected if name != "key"} == {
        name: str(value) for name, value in expected.items() if name != "key"
    }
    assert [cell.text for cell in page.one("table").all("td", class_="num")] == ["+40", "+20", "+20"]
    assert page.one("p", role="status").text == "Nothing is changed yet."
    assert page.all("button", name="save") == page.all(id="changes") == []


@pytest.mark.parametrize("htmx", [False, True])
def test_look_shows_what_changes_and_writes_nothing(htmx):
    game = two_rounds()
    fields = sent(game, [1, 0, 0], [0, 1, 0], look="1")

    page = refused(client_for(game), game, fields, 200, **(HTMX if htmx else {}))

    assert page.all("html") == [] if htmx else page.one("h1").text == "Correct round 1"
    assert effects(page) == [
        "Annika, total70 becomes 30",
        "Annika, rank1 becomes 2",
        "Annika, exact bids2 becomes 1",
        "Bernd, total40 becomes 10",
        "Bernd, rank2 becomes 3",
        "Bernd, exact bids2 becomes 1",
        "Cem, rank2 becomes 1",
    ]
    assert page.one(id="changes").all("p")[-1].text == "In front: Annika before, Cem now."
    changed = [field["name"] for field in page.all("input", class_="n--ch")]
    first, second, _third = seat_ids(game)
    assert changed == [f"taken_{first}", f"taken_{second}"]
    assert page.one(id=f"taken_{first}_before").text == "before: 1"
    assert page.one("input", name=f"taken_{first}")["aria-describedby"] == f"taken_{first}_before"
    assert [cell.text for cell in page.one("table").all("td", class_="num")] == [
        "−10before: +30",
        "−10before: +20",
        "+20",
    ]
    assert page.one("p", role="status").text == "2 fields changed, not saved yet."


def test_part_and_page_hold_the_same_form():
    game = two_rounds()
    client, fields = client_for(game), sent(game, [1, 0, 0], [0, 1, 0], look="1")

    whole = read(client.post(address(game), fields)).one("form", id="correction")
    part = read(client.post(address(game), fields, headers=HTMX)).one("form", id="correction")

    assert (part.text, part.fields()[1:]) == (whole.text, whole.fields()[1:])


def test_preview_is_what_the_correction_then_does():
    game = two_rounds()
    client, fields = client_for(game), sent(game, [1, 1, 0], [0, 1, 0])
    page = read(client.post(address(game), {**fields, "look": "1"}))

    client.post(address(game), {**looked(client, game, fields), "save": "1"})

    assert effects(page) == [
        f"Annika, total70 becomes {seats_of(game)[0].total}",
        f"Annika, rank1 becomes {seats_of(game)[0].rank}",
        f"Annika, exact bids2 becomes {seats_of(game)[0].exact}",
        f"Bernd, total40 becomes {seats_of(game)[1].total}",
        f"Bernd, rank2 becomes {seats_of(game)[1].rank}",
    ]


@pytest.mark.parametrize(
    ("changed", "shown"), [({}, "#changes"), ({"seen": "1"}, "#content"), ({"trump": "H"}, ".err")]
)
def test_what_the_answer_is_about_comes_into_view(changed, shown):
    game = two_rounds()
    fields = {**sent(game, [1, 1, 0], [0, 1, 0], look="1"), **changed}

    response = client_for(game).post(address(game), fields, headers=HTMX)

    assert response["HX-Reswap"] == f"morph:outerHTML show:{shown}:top"


def test_look_stays_at_its_place_when_save_joins_it():
    """A double tap on "Look" must not save."""
    game = two_rounds()
    client = client_for(game)
    pages = [client.get(address(game)), client.post(address(game), sent(game, [1, 1, 0], [0, 1, 0], look="1"))]

    rows = [read(page).one(class_="btn-row") for page in pages]

    assert [[control.text for control in row.walk() if control.has(class_="btn")] for row in rows] == [
        ["Look", "Discard"],
        ["Look", "Save"],
    ]


def test_change_of_trump_alone_leaves_points_and_ranks():
    game = two_rounds()

    page = refused(client_for(game), game, sent(game, [1, 0, 0], [1, 0, 0], trump="R", look="1"), 200)

    assert page.one(id="changes").text == "What changes Points and ranks stay as they are. Still in front: Annika."
    assert "open" in page.one("details").attrs
    assert page.one("legend").text == "Trump: Red before: Not noted"


def test_winner_of_a_finished_game_is_named_before_and_after():
    game = finished()
    client = client_for(game)

    moved = refused(client, game, sent(game, [1, 1, 0], [0, 1, 0], look="1"), 200)
    kept = refused(client, game, sent(game, [1, 0, 1], [1, 0, 0], look="1"), 200)

    assert moved.one(id="changes").all("p")[-1].text == "Winner: Annika before, Bernd now."
    assert kept.one(id="changes").all("p")[-1].text == "Still the winner: Annika."


def test_look_at_an_unchanged_round_says_so():
    game = two_rounds()

    page = refused(client_for(game), game, sent(game, [1, 0, 0], [1, 0, 0], look="1"), 200)

    assert page.one("p", role="status").text == "Nothing is changed yet."


def test_bids_that_add_up_against_the_rule_are_warned_of_and_saved():
    game = make_game(seats=3, rounds=1, length=2, house=rules.HouseRules(plus_minus_one=True))
    client, fields = client_for(game), sent(game, [1, 0, 0], [1, 0, 0])

    page = refused(client, game, {**fields, "look": "1"}, 200)
    calm = refused(client, game, {**sent(game, [1, 1, 0], [1, 0, 0]), "look": "1"}, 200)
    client.post(address(game), {**looked(client, game, fields), "save": "1"})

    warning = page.one(id="changes").one("p", class_="note").text
    assert warning.startswith("These bids add up to 1, which your rule does not allow.")
    assert calm.one(id="changes").all("p", class_="note") == []
    assert lines_of(game) == [[1, 1, 30], [0, 0, 20], [0, 0, 20]]


# -- save ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("htmx", [False, True])
def test_save_records_the_correction_and_leads_to_the_list(htmx):
    game = two_rounds()
    client = client_for(game)
    page = read(client.post(address(game), sent(game, [1, 1, 0], [0, 1, 0], reason="Columns  swapped\r\n", look="1")))

    response = press(client, address(game), "save", page=page, htmx=htmx, typed={"reason": "Columns  swapped\r\n"})

    way = response["HX-Redirect"] if htmx else response["Location"]
    assert (response.status_code, way) == (204 if htmx else 302, f"/games/{game.pk}/sheet/#corrections")
    assert lines_of(game) == [[1, 0, -10], [1, 1, 30], [0, 0, 20]]
    entry = game.entries.latest("version")
    assert (entry.kind, entry.reason, entry.via) == ("round_corrected", "Columns swapped", "edit_link")
    assert differences_of(game.pk) == []


def test_save_sent_twice_counts_once():
    game = two_rounds()
    client, fields = client_for(game), sent(game, [1, 1, 0], [0, 1, 0], save="1")

    answers = [client.post(address(game), fields) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert game.entries.filter(kind="round_corrected").count() == 1


def test_what_was_not_looked_at_shows_first_what_it_changes():
    game = two_rounds()
    client = client_for(game)
    fields = sent(game, [1, 1, 0], [0, 1, 0], save="1") | {f"bid_{seat_ids(game)[2]}": "1"}

    page = refused(client, game, fields, 200)

    assert page.one("p", role="status").text.startswith("Look at what changes, then save.")
    assert "Cem, total40 becomes 10" in effects(page)
    assert press(client, address(game), "save", page=page).status_code == 302
    assert lines_of(game) == [[1, 0, -10], [1, 1, 30], [1, 0, -10]]


def test_going_on_typing_does_not_move_the_page():
    game = two_rounds()
    client, fields = client_for(game), sent(game, [1, 1, 0], [0, 1, 0])
    assert "HX-Reswap" not in client.post(address(game), fields, headers=HTMX)
    assert "HX-Reswap" in client.post(address(game), fields | {"look": "1"}, headers=HTMX)


def test_key_that_was_sent_with_another_entry_is_told_and_replaced():
    game = two_rounds()
    client = client_for(game)
    client.post(address(game), sent(game, [1, 1, 0], [0, 1, 0], save="1"))

    page = refused(client, game, sent(game, [0, 0, 0], [1, 0, 0], save="1"), 409)

    assert page.one("div", class_="err-box").text.startswith("This page was already sent with another entry")
    assert page.one("input", name="key")["value"] not in {"", "k"}


def test_save_of_an_unchanged_round_is_told():
    game = two_rounds()

    page = refused(client_for(game), game, sent(game, [1, 0, 0], [1, 0, 0], save="1"), 409)

    assert page.one("div", class_="err-box").text.startswith("Nothing is changed yet.")


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_finished_game_needs_a_reason(reason):
    game = finished()
    client = client_for(game)

    page = refused(client, game, sent(game, [1, 1, 0], [0, 1, 0], reason=reason, save="1"), 422)

    assert "The game is finished, so a reason is needed." in page.one(id="reason_hint").text
    field = page.one("textarea")
    assert (field["aria-invalid"], page.one(id="reason_errors").text) == ("true", "Say why, in a few words.")
    assert set(field["aria-describedby"].split()) == {"reason_hint", "reason_errors"}
    assert effects(page) != []
    response = press(client, address(game), "save", page=page, typed={"reason": "Columns swapped"})
    assert (response.status_code, seats_of(game)[1].rank, fresh(game).is_finished) == (302, 1, True)


def test_reason_that_is_too_long_stays_typed():
    game = two_rounds()

    page = refused(client_for(game), game, sent(game, [1, 1, 0], [0, 1, 0], reason="x" * 501, save="1"), 422)

    assert page.one(id="reason_errors").text == "A reason has at most 500 characters."
    assert page.one("textarea").text == "x" * 501


@pytest.mark.parametrize("button", ["look", "save"])
def test_correction_that_breaks_a_sum_is_told(button):
    game = two_rounds()

    page = refused(client_for(game), game, sent(game, [1, 0, 0], [1, 1, 0], **{button: "1", "reason": "Why"}), 422)

    assert page.one(id="sum_errors").text == "One trick too many. Who miscounted?"
    assert [field["value"] for field in page.all("input", class_="n")] == ["1", "1", "0", "1", "0", "0"]
    assert page.one("textarea").text == "Why"
    assert page.all("button", name="save") == []


@pytest.mark.parametrize("button", ["look", "save"])
def test_each_wrong_number_is_told_at_its_field_and_kept(button):
    game = two_rounds()
    first, second, third = seat_ids(game)

    page = refused(client_for(game), game, sent(game, [9, "x", ""], ["1,5", 0, "-1"], **{button: "1"}), 422)

    assert sentences_at(page, f"bid_{first}") == "9 is too many: there is only 1 card this round."
    assert sentences_at(page, f"bid_{second}") == "“x” is not a whole number."
    assert sentences_at(page, f"bid_{third}") == "A number is missing here."
    assert sentences_at(page, f"taken_{first}") == "“1,5” is not a whole number."
    assert sentences_at(page, f"taken_{third}") == "Nobody takes fewer than 0 tricks."
    assert [field["value"] for field in page.all("input", class_="n")] == ["9", "1,5", "x", "0", "", "-1"]
    assert page.all(id="sum_errors") == []


@pytest.mark.parametrize("typed", ["9" * 400, "１", "1e3", "\x00", "0x1", " "])
def test_numbers_nobody_writes_write_nothing(typed):
    game = two_rounds()
    response = client_for(game).post(address(game), sent(game, [typed, 0, 0], [1, 0, 0], look="1"))
    assert response.status_code in {200, 422}
    assert lines_of(game)[0] == [1, 1, 30]


# -- stale, not there ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["look", "save"])
def test_stale_correction_shows_the_fresh_round_and_keeps_what_was_typed(button):
    game = two_rounds()
    fields = sent(game, [1, 1, 0], [0, 1, 0], reason="Swapped", **{button: "1"})
    correct_first_bid(game, 0)

    page = refused(client_for(game), game, fields, 409)

    assert page.one("div", class_="err-box").text.startswith("Somebody was faster")
    first, second, _third = seat_ids(game)
    assert page.one(id=f"bid_{first}_before").text == "before: 0"
    assert page.one("input", name=f"bid_{second}")["value"] == "1"
    assert page.one("textarea").text == "Swapped"
    assert page.one("input", name="seen")["value"] == str(seen(game))
    response = press(client_for(game), address(game), "save", page=page)
    assert (response.status_code, lines_of(game)[0]) == (302, [1, 0, -10])


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 30])
def test_correction_that_does_not_say_what_it_saw_is_stale(version):
    game = two_rounds()

    refused(client_for(game), game, sent(game, [1, 1, 0], [0, 1, 0], seen=version, save="1"), 409)


@pytest.mark.parametrize("number", [0, 3, 4, 5, 10**30])
def test_round_that_is_not_scored_is_not_found(number):
    game = two_rounds()
    client, fields = client_for(game), sent(game, [1, 1, 0], [0, 1, 0], save="1")

    assert client.get(address(game, number)).status_code == 404
    refused(client, game, fields, 404, number)


def test_round_that_was_taken_back_is_not_found():
    game = two_rounds()
    client = client_for(game)
    assert client.get(address(game, 2)).status_code == 200

    step_back(game, undoes=newest_of(game), by=OPERATOR)

    assert client.get(address(game, 2)).status_code == 404


def test_round_that_was_taken_back_meanwhile_leads_htmx_to_the_sheet():
    game = two_rounds()
    client, fields = client_for(game), sent(game, [2, 1, 0], [2, 0, 0], 2, save="1")
    step_back(game, undoes=newest_of(game), by=OPERATOR)
    before = rows_of(game)

    response = client.post(address(game, 2), fields, headers=HTMX)

    assert (response.status_code, response["HX-Redirect"]) == (204, f"/games/{game.pk}/sheet/#corrections")
    assert rows_of(game) == before


def test_halted_game_is_told_and_keeps_what_was_typed():
    game = two_rounds()
    pause(game, by=OPERATOR)

    page = refused(client_for(game), game, sent(game, [1, 1, 0], [0, 1, 0], save="1"), 409)

    assert "The game is interrupted" in page.one("div", class_="err-box").text
    assert page.one("input", name=f"bid_{seat_ids(game)[1]}")["value"] == "1"


# -- trump, blind, bomb, cloud ---------------------------------------------------------------------------------------


def everything_in():
    """Three cards a round; round 1: bids 1 1 0, taken 1 1 1."""
    house = replace(BOMB_AND_CLOUD, blind_bids=True)
    game = make_game(seats=3, house=house, cards=[3, 3], ladder="free")
    play_round(game, [1, 1, 0], [1, 1, 1])
    return game


def test_bomb_cloud_blind_and_trump_are_corrected():
    game = everything_in()
    first, second, _third = seat_ids(game)
    extras = {f"blind_{first}": "on", "bombs": "on", "cloud_seat": str(second), "cloud_delta": "1", "trump": "G"}
    client, fields = client_for(game), sent(game, [1, 1, 0], [1, 1, 0]) | extras

    page = refused(client, game, {**fields, "look": "1"}, 200)
    client.post(address(game), {**looked(client, game, fields), "save": "1"})

    assert page.one("details").one("summary").text == "Trump, Blind bids, Bomb, Cloud"
    assert page.one(class_="meter").text == "2 of 2 tricks"
    assert [seat.line[0] for seat in seats_of(game)] == [[1, 1, 60, 1, 0], [1, 1, -10, 0, 1], [0, 0, 20]]
    scored = game.rounds.get(number=1)
    assert (scored.bombs, scored.trump) == (1, "G")
    shown = dict(read(client.get(address(game))).one("form").fields())
    assert {name: shown[name] for name in extras if name != "cloud_seat"} == {
        name: value for name, value in extras.items() if name != "cloud_seat"
    }
    assert differences_of(game.pk) == []


@pytest.mark.parametrize(
    ("extras", "place"),
    [
        ({"cloud_seat": "2", "cloud_delta": "1"}, "cloud_errors"),  # took no trick
        ({"cloud_seat": "9", "cloud_delta": "1"}, "cloud_errors"),
        ({"cloud_seat": "0", "cloud_delta": "7"}, "cloud_delta_errors"),
        ({"trump": "H"}, "trump_errors"),
        ({"trump": "x"}, "trump_errors"),
    ],
)
def test_wrong_extras_are_told_at_their_place(extras, place):
    game = everything_in()
    seats = [*map(str, seat_ids(game)), *["0"] * 7]
    if "cloud_seat" in extras:
        extras = {**extras, "cloud_seat": seats[int(extras["cloud_seat"])]}

    page = refused(client_for(game), game, sent(game, [1, 1, 0], [2, 1, 0]) | extras | {"look": "1"}, 422)

    assert page.one(id=place).text != ""
    assert "open" in page.one("details").attrs


def test_game_without_special_cards_ignores_their_fields():
    game = two_rounds()
    first = seat_ids(game)[0]
    fields = sent(game, [1, 0, 0], [1, 0, 0], bombs="on", cloud_seat=first, cloud_delta="1", save="1")

    refused(client_for(game), game, fields | {f"blind_{first}": "on"}, 409)


def test_card_and_chooser_stay_with_the_trump_they_go_with():
    game = two_rounds()
    values = replace(stored_values(game), trump="R", turned_up="R7")
    correct_round(game, number=1, values=values, seen=seen(game), by=OPERATOR)
    client = client_for(game)

    kept = read(client.get(address(game)))
    press(client, address(game), "look", page=kept)
    client.post(address(game), sent(game, [0, 0, 0], [1, 0, 0], turned_up="R7", save="1"))
    assert (game.rounds.get(number=1).trump, game.rounds.get(number=1).turned_up) == ("R", "R7")

    client.post(address(game), sent(game, [0, 0, 0], [1, 0, 0], trump="G", turned_up="R7", save="1", key="2"))
    assert (game.rounds.get(number=1).trump, game.rounds.get(number=1).turned_up) == ("G", "")
    client.post(address(game), sent(game, [0, 0, 0], [1, 0, 0], trump="", turned_up="?", save="1", key="3"))
    assert (game.rounds.get(number=1).trump, game.rounds.get(number=1).turned_up) == ("", "")
    assert differences_of(game.pk) == []


def test_trump_that_the_plan_fixes_is_shown_and_not_asked_for():
    game = make_game(seats=3, rounds=1, length=2, house=rules.HouseRules(variant="maximus"))

    page = read(client_for(game).get(address(game)))

    assert page.all("input", name="trump", type="radio") == []
    assert "Trump:" in page.one("span", class_="cap").text


# -- reversing -------------------------------------------------------------------------------------------------------


def test_reversing_fills_in_the_values_before_and_previews_them():
    game = two_rounds()
    correct_first_bid(game, 0)
    version = newest_of(game)
    client = client_for(game)
    before = rows_of(game)

    page = read(client.get(address(game), {"reverse": version}))

    assert rows_of(game) == before
    assert page.one("input", name=f"bid_{seat_ids(game)[0]}")["value"] == "1"
    assert effects(page)[0] == "Annika, total30 becomes 70"
    assert page.one("textarea").text.startswith("Takes back the correction of ")
    press(client, address(game), "save", page=page)
    assert lines_of(game)[0] == [1, 1, 30]


@pytest.mark.parametrize("version", ["1", "5", "99", "x", "", "9" * 40, "-1"])
def test_only_a_correction_of_this_round_is_reversed(version):
    game = two_rounds()
    correct_first_bid(game, 0)
    correct_first_bid(game, 0, 2)

    assert client_for(game).get(address(game), {"reverse": version}).status_code == 404
    other = game.entries.latest("version").version
    assert client_for(game).get(address(game), {"reverse": other}).status_code == 404


# -- a seat ----------------------------------------------------------------------------------------------------------


def seat_address(game, place=0):
    return f"/games/{game.pk}/seats/{seat_ids(game)[place]}/"


@pytest.mark.parametrize(
    ("typed", "points"), [("+10", 10), ("10", 10), ("-10", -10), ("−10", -10), (" 1000 ", 1000), ("−1000", -1000)]
)
def test_points_beside_the_rounds_are_added(typed, points):
    game = two_rounds()
    client = client_for(game)

    response = press(client, seat_address(game), "adjust", typed={"points": typed, "reason": "Quiz round"})

    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/sheet/#corrections")
    assert (seats_of(game)[0].adjustments, seats_of(game)[0].total) == ([[2, points]], 70 + points)
    assert game.entries.latest("version").reason == "Quiz round"


@pytest.mark.parametrize(
    ("points", "reason", "wrong"),
    [
        ("10", "", {"points_reason_errors": "Say why, in a few words."}),
        ("10", "x" * 501, {"points_reason_errors": "A reason has at most 500 characters."}),
        ("0", "Why", {"points_errors": "Write −1000 to +1000 points, but not 0."}),
        ("1001", "Why", {"points_errors": "Write −1000 to +1000 points, but not 0."}),
        ("ten", "Why", {"points_errors": "“ten” is not a whole number. Write +10 or −10, for example."}),
        ("", "Why", {"points_errors": "A number is missing here."}),
        ("9" * 300, "Why", {"points_errors": "“999999…” is not a whole number. Write +10 or −10, for example."}),
    ],
)
def test_wrong_points_are_told_at_their_field_and_kept(points, reason, wrong):
    game = two_rounds()
    client = client_for(game)
    before = rows_of(game)

    response = client.post(seat_address(game), {"points": points, "reason": reason, "adjust": "1"})

    page = read(response)
    assert (response.status_code, rows_of(game)) == (422, before)
    assert {element["id"]: element.text for element in page.all("p", class_="err")} == wrong
    assert (page.one("input", name="points")["value"], page.one(id="points_reason").text) == (points, reason)
    assert page.one("input", name="name")["value"] == "Annika"


def test_adjustment_sent_twice_counts_once():
    game = two_rounds()
    client = client_for(game)
    for _ in range(2):
        client.post(seat_address(game), {"points": "5", "reason": "Why", "key": "once", "adjust": "1"})
    assert seats_of(game)[0].adjustments == [[2, 5]]


def test_points_are_reversed_by_their_opposite():
    game = two_rounds()
    adjust_points(game, seat=seat_ids(game)[0], points=-20, reason="Too slow", by=OPERATOR)
    client = client_for(game)

    page = read(client.get(seat_address(game), {"reverse": newest_of(game)}))

    reason = page.one(id="points_reason").text
    assert (page.one("input", name="points")["value"], reason.startswith("Takes back −20 of ")) == ("+20", True)
    press(client, seat_address(game), "adjust", page=page, typed={"reason": reason})
    assert seats_of(game)[0].total == 70
    assert client.get(seat_address(game, 1), {"reverse": newest_of(game)}).status_code == 404
    assert client.get(seat_address(game), {"reverse": "2"}).status_code == 404


def test_seat_gets_another_name_and_keeps_its_rounds():
    game = two_rounds()
    line = seats_of(game)[1].line

    response = press(client_for(game), seat_address(game, 1), "rename", typed={"name": "  Zoe\u202e \n X "})

    assert response["Location"] == f"/games/{game.pk}/sheet/#corrections"
    assert [seat.name for seat in seats_of(game)] == ["Annika", "Zoe X", "Cem"]
    assert seats_of(game)[1].line == line


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter a name."),
        ("\u200b", "Enter a name."),
        ("x" * 41, "A name has at most 40 characters."),
        ("CEM", "Cem is already at the table. Try “Cem B.”, for example."),
    ],
)
def test_wrong_name_is_told_at_its_field_and_kept(name, sentence):
    game = two_rounds()
    client = client_for(game)
    before = rows_of(game)

    response = client.post(seat_address(game), {"name": name, "rename": "1"})

    page = read(response)
    assert (response.status_code, rows_of(game)) == (422, before)
    assert (page.one(id="name_errors").text, page.one("input", name="name")["value"]) == (sentence, name)


def test_same_name_is_told():
    game = two_rounds()

    response = client_for(game).post(seat_address(game), {"name": "Annika", "rename": "1"})

    assert (response.status_code, read(response).one("div", class_="err-box").text) == (409, "Nothing is changed yet.")


def test_name_in_a_finished_game_needs_a_reason():
    game = finished()
    client = client_for(game)

    page = read(client.post(seat_address(game), {"name": "Zoe", "rename": "1"}))

    assert page.one(id="name_reason_errors").text == "Say why, in a few words."
    press(client, seat_address(game), "rename", page=page, typed={"reason": "Zoe sat there"})
    assert seats_of(game)[0].name == "Zoe"


@pytest.mark.parametrize("method", ["get", "post"])
def test_seat_of_another_game_is_not_found(method):
    game, other = two_rounds(), two_rounds()
    before = rows_of(other)
    client = client_for(game)
    for seat in (seat_ids(other)[0], 10**30, 0):
        response = getattr(client, method)(f"/games/{game.pk}/seats/{seat}/", {"name": "Zoe"})
        assert response.status_code == 404
    assert rows_of(other) == before


# -- who, and how many statements ------------------------------------------------------------------------------------


def test_watcher_may_not_correct():
    game = two_rounds()
    client = client_for(game, "watch")
    fields = sent(game, [1, 1, 0], [0, 1, 0], save="1")

    refused(client, game, fields, 403)
    before = rows_of(game)
    assert client.post(seat_address(game), {"points": "5", "reason": "Why", "adjust": "1"}).status_code == 403
    assert rows_of(game) == before


def statements(request):
    with CaptureQueriesContext(connection) as captured:
        answer = request()
    control = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return answer.status_code, sum(not query["sql"].startswith(control) for query in captured.captured_queries)


@pytest.mark.parametrize("rounds", [1, 9])
def test_statements_do_not_grow_with_the_game(rounds):
    game = make_game(seats=3, rounds=rounds, length=10)
    client = client_for(game)
    fields = sent(game, [0, 0, 0], [1, 0, 0])
    for place in range(rounds):
        adjust_points(game, seat=seat_ids(game)[0], points=place + 1, reason="Why", by=OPERATOR)

    assert statements(lambda: client.get(address(game))) == (200, 6)
    assert statements(lambda: client.post(address(game), {**fields, "look": "1"})) == (200, 6)
    fields = looked(client, game, fields)
    assert statements(lambda: client.post(address(game), {**fields, "save": "1"})) == (302, 15)
    seat = seat_address(game)
    assert statements(lambda: client.get(seat)) == (200, 2)


def test_who_keeps_the_score_is_named_by_the_label_of_the_link():
    game = two_rounds()
    client = client_for(game)
    hold_link(client, game, link_to(game, label="Hilke <b>")[1])
    client.post(address(game), sent(game, [1, 1, 0], [0, 1, 0], save="1"))
    correct_first_bid(game, 0, by=keeper_of(game))
    correct_first_bid(game, 1)

    page = read(client.get(address(game)))

    whos = [line.text.rpartition(" · ")[2] for line in page.one(class_="log").all("p", class_="when")]
    assert whos == ["operator", "scorer's link", "Hilke <b>"]
