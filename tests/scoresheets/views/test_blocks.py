"""The score pad through real requests: whole sheets, taps, undo, repeats, and two phones on one game."""

import pytest

import rules
from scoresheets.models import Game, Receipt
from scoresheets.recording.repair import differences_of
from tests.rules.games import sheet as printed_sheet
from tests.scoresheets.factories import (
    NAMES,
    client_for,
    enter_bids,
    fresh,
    make_game,
    newest_of,
    open_round,
    rows_of,
    seat_ids,
    seats_of,
    seen_of,
)
from tests.scoresheets.pages import HTMX, lasting, number, press, read, totals_of

pytestmark = pytest.mark.django_db

STALE = "Somebody was faster: the score has changed since this page was shown."
ALREADY_BID = "Somebody was faster: this bid is already on the score pad."
KEY_REUSED = "This page was already sent with another entry; that one counts."


def address_of(game):
    return f"/games/{game.pk}/"


def bid_on_page(client, game, bid, **options):
    return press(client, address_of(game), "bid", str(bid), **options)


def score_on_page(client, game, taken, **options):
    """Type everybody's tricks, in seat order, and score the round."""
    typed = {f"taken_{seat}": tricks for seat, tricks in zip(seat_ids(game), taken, strict=True)}
    return press(client, address_of(game), "score", typed=typed, **options)


def done(response, htmx):
    assert response.status_code == (200 if htmx else 302)


def notice_of(page):
    return page.one(class_="err-box").text


# -- whole sheets --------------------------------------------------------------------------------------------------


def started_on_page(client, length):
    page = read(press(client, "/games/new/", "add", typed={"new_name": ", ".join(NAMES[:4])}))
    response = press(client, "/games/new/", "start", page=page, typed={"length": length})
    return Game.objects.get(pk=response["Location"].split("/")[2])


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("name", ["S1", "S2"])
def test_printed_sheet_played_through_the_pages_has_its_totals(client, name, htmx):
    sheet = printed_sheet(name)
    game = started_on_page(client, "tournament")
    assert game.plan[:4] == [played["cards"] for played in sheet["rounds"]]

    for played in sheet["rounds"]:
        for place in rules.bidding_order(open_round(game).dealer.position, 4):
            done(bid_on_page(client, game, played["bids"][place], htmx=htmx), htmx)
        done(score_on_page(client, game, played["tricks"], htmx=htmx), htmx)

        page = read(client.get(address_of(game)))
        assert totals_of(page) == played["totals"]
        row = page.one("tbody").all("tr")[played["number"] - 1]
        assert row.one("th").text == str(played["number"])
        assert [number(cell.one(class_="tot").text) for cell in row.all("td")] == played["totals"]

    whole = read(client.get(f"{address_of(game)}sheet/"))
    for played in sheet["rounds"]:
        cells = [cell.text for cell in whole.one("tbody").all("tr")[played["number"] - 1].all("td")][1:]
        expected = zip(played["bids"], played["tricks"], played["points"], played["totals"], strict=True)
        assert [number(cell.replace("+", "")) for cell in cells] == [value for seat in expected for value in seat]
    assert differences_of(game.pk) == []


def test_misprint_of_a_sheet_is_found_by_the_check_and_is_not_what_the_page_shows(client):
    """The paper prints 10 points for seat 3 in round 2; its totals, and the page, have 20."""
    sheet = printed_sheet("S2")
    misprinted = sheet["rounds"][1]

    problems = rules.sheet_problems(sheet)

    assert [(problem.code, problem.seat, problem.args) for problem in problems] == [
        ("points_printed", 3, {"round": 2, "printed": 10, "computed": 20})
    ]
    game = started_on_page(client, "tournament")
    for played in sheet["rounds"][:2]:
        for place in rules.bidding_order(open_round(game).dealer.position, 4):
            bid_on_page(client, game, played["bids"][place])
        score_on_page(client, game, played["tricks"])
    points = [seat.line[1][2] for seat in seats_of(game)]
    assert points == misprinted["points"] != misprinted["points_as_printed"]


def test_answer_to_every_step_is_the_pad_as_it_is_read_afterwards():
    """The answer may use what the write had in hand; a reload must not show anything else."""
    game = make_game(seats=3, length=2, first_dealer=1, house=rules.HouseRules(plus_minus_one=True))
    client, seats = client_for(game), [str(seat) for seat in seat_ids(game)]
    steps = [
        *[("bid", "0", {})] * 3,
        ("made", seats[0], {}),
        ("plus", seats[2], {}),
        ("score", None, {}),
        ("back", None, {}),
        ("score", None, {}),
        ("bids", None, {f"bid_{seat}": "1" for seat in seats}),
        ("back", None, {}),
        ("bids", None, {}),
        ("score", None, {f"taken_{seat}": tricks for seat, tricks in zip(seats, "110", strict=True)}),
        ("back", None, {}),
    ]
    for button, value, typed in steps:
        answer = press(client, address_of(game), button, value, typed=typed, htmx=True)

        assert answer.status_code == 200, (button, read(answer).text)
        assert lasting(answer.content.decode()) == lasting(client.get(address_of(game), headers=HTMX).content.decode())
    assert differences_of(game.pk) == []


# -- bids ----------------------------------------------------------------------------------------------------------


def test_bids_are_asked_in_order_and_the_last_names_the_dealer():
    game = make_game(seats=4, rounds=2, first_dealer=0)  # round 3 is dealt by Cem
    client = client_for(game)
    page = read(client.get(address_of(game)))
    assert (page.one("h2").text, page.one(id="turn").text) == ("Doro is bidding", "Next: Annika, last: Cem (deals)")
    assert page.one(class_="is-deal").one("b").text == "Cem"
    assert [chip["value"] for chip in page.all("button", name="bid")] == ["0", "1", "2", "3"]

    for bid in (1, 0):
        page = read(bid_on_page(client, game, bid, htmx=True))
    assert page.one("h2").text == "Bernd is bidding"
    assert page.one(id="turn").text == "Last: Cem (deals)"
    page = read(bid_on_page(client, game, 1, htmx=True))

    assert (page.one("h2").text, page.one(id="turn").text) == ("Cem is bidding", "Last bid")
    assert page.one(class_="meter-txt").text == "2 of 3 · 1 under"
    assert [chip.text for chip in page.all("button", name="bid")] == ["01 under", "1adds up", "21 over", "32 over"]


def test_bid_of_a_page_without_javascript_leads_back_to_the_pad():
    game = make_game(seats=3)
    client = client_for(game)

    response = bid_on_page(client, game, 1)

    assert (response.status_code, response["Location"]) == (302, address_of(game))
    assert open_round(game).bids.get().tricks_bid == 1


def test_plus_minus_one_strikes_out_the_number_and_explains_a_refusal():
    game = make_game(seats=3, rounds=3, house=rules.HouseRules(plus_minus_one=True))
    client = client_for(game)
    for bid in (1, 2):
        bid_on_page(client, game, bid)
    page = read(client.get(address_of(game)))
    barred = [chip["value"] for chip in page.all("button", name="bid") if chip.attrs.get("aria-disabled") == "true"]
    assert (barred, page.one(id="turn").text) == (["1"], "Last bid · 1 not allowed")
    before = rows_of(game)

    response = bid_on_page(client, game, 1, page=page, htmx=True)

    after = read(response)
    assert response.status_code == 422
    assert notice_of(after) == (
        "1 does not work here: the others bid 3, and 1 would make exactly 4. Annika needs another number."
    )
    assert after.one("h2").text == "Annika is bidding"
    assert rows_of(game) == before
    assert bid_on_page(client, game, 2, page=after, htmx=True).status_code == 200


def test_plus_minus_one_is_free_for_everybody_but_the_last():
    game = make_game(seats=3, house=rules.HouseRules(plus_minus_one=True))
    page = read(client_for(game).get(address_of(game)))

    assert [chip for chip in page.all("button", name="bid") if "aria-disabled" in chip.attrs] == []


def test_all_bids_at_once_are_recorded_together():
    game = make_game(seats=4, rounds=1)
    client = client_for(game)
    typed = {f"bid_{seat}": bid for seat, bid in zip(seat_ids(game), (0, 1, 2, 0), strict=True)}

    response = press(client, address_of(game), "bids", typed=typed, htmx=True)

    assert response.status_code == 200
    assert list(open_round(game).bids.order_by("seat__position").values_list("tricks_bid", flat=True)) == [0, 1, 2, 0]
    assert fresh(game).entries.count() == 4  # start, one whole round, these bids


def test_rest_of_the_bids_at_once_follows_those_already_made():
    game = make_game(seats=3)
    client = client_for(game)
    bid_on_page(client, game, 1)
    page = read(client.get(address_of(game)))
    fields = [field["name"] for field in page.one(id="all_bids").all("input", inputmode="numeric")]
    assert fields == [f"bid_{seat}" for seat in (seat_ids(game)[2], seat_ids(game)[0])]

    press(client, address_of(game), "bids", typed=dict.fromkeys(fields, 0))

    assert open_round(game).state == "playing"


# -- tricks --------------------------------------------------------------------------------------------------------


def playing_game(**options):
    """Return a game of four in round 3, dealt by Cem: bids 1, 0, 2, 0 in seat order, the tricks are due."""
    game = make_game(seats=4, rounds=2, first_dealer=0, **options)
    enter_bids(game, [1, 0, 2, 0])
    return game


def fields_of(page):
    return {field["name"]: field["value"] for field in page.all("input", class_="n")}


def trick_fields(game, *values):
    """Return the fields by name, values in seat order."""
    return {f"taken_{seat}": value for seat, value in zip(seat_ids(game), values, strict=True)}


def test_made_it_in_one_tap_and_the_rest_is_filled_in():
    game = playing_game()
    client, seats = client_for(game), seat_ids(game)

    page = read(press(client, address_of(game), "made", str(seats[0]), htmx=True))
    assert fields_of(page) == trick_fields(game, "1", "", "", "")
    page = read(press(client, address_of(game), "made", str(seats[1]), page=page, htmx=True))
    page = read(press(client, address_of(game), "plus", str(seats[3]), page=page, htmx=True))

    assert fields_of(page) == trick_fields(game, "1", "0", "1", "1")
    assert page.one(class_="auto").one("b").text == "Cem"
    assert page.one("button", name="score").text == "Score round 3"
    assert [row.one(class_="pts").text for row in page.one(class_="made").all("li")] == ["−10", "+30", "+20", "−10"]

    page = read(press(client, address_of(game), "score", page=page, htmx=True))
    assert [bid.tricks_taken for bid in game.rounds.get(number=3).bids.order_by("seat__position")] == [1, 0, 1, 1]


def test_second_tap_on_made_it_opens_the_field_again():
    game = playing_game()
    client, first = client_for(game), str(seat_ids(game)[0])
    page = read(press(client, address_of(game), "made", first, htmx=True))
    assert page.one("button", name="made", value=first)["aria-pressed"] == "true"

    page = read(press(client, address_of(game), "made", first, page=page, htmx=True))

    assert page.one("button", name="made", value=first)["aria-pressed"] == "false"
    assert fields_of(page) == trick_fields(game, "", "", "", "")


@pytest.mark.parametrize(
    ("place", "taps", "value"),
    [
        (0, ["plus"], "2"),
        (0, ["minus"], "0"),
        (0, ["minus", "minus"], "0"),
        (2, ["plus"] * 3, "3"),
        (1, ["minus"], "0"),
    ],
)
def test_plus_and_minus_start_from_the_bid_and_stay_in_range(place, taps, value):
    game = playing_game()
    client, seat = client_for(game), str(seat_ids(game)[place])
    page = None
    for tap in taps:
        page = read(press(client, address_of(game), tap, seat, page=page, htmx=True))

    assert fields_of(page)[f"taken_{seat}"] == value


def test_tap_is_seen_by_the_other_scorer_and_survives_a_reload():
    game = playing_game()
    client, other, seats = client_for(game), client_for(game), seat_ids(game)
    version = fresh(game).version

    press(client, address_of(game), "made", str(seats[2]), typed={f"taken_{seats[3]}": "1"})

    for device in (client, other):
        # Seats 2 and 3 have all tricks now, so that nobody else has any.
        assert fields_of(read(device.get(address_of(game)))) == trick_fields(game, "0", "0", "2", "1")
    assert open_round(game).draft["taken"] == {str(seats[2]): 2, str(seats[3]): 1}
    assert fresh(game).version == version


def test_enter_keeps_what_is_typed_and_scores_nothing():
    game = playing_game()
    client, seats = client_for(game), seat_ids(game)
    page = read(client.get(address_of(game)))
    assert page.one(id="tricks").all("button")[0]["name"] == "keep"

    press(client, address_of(game), "keep", page=page, typed=trick_fields(game, "1", "0", "1", "1"))

    assert open_round(game).state == "playing"
    assert open_round(game).draft["taken"] == {str(seat): v for seat, v in zip(seats, (1, 0, 1, 1), strict=True)}


def test_enter_on_the_bids_writes_nothing():
    game = make_game(seats=3)
    client = client_for(game)
    page = read(client.get(address_of(game)))
    assert page.one(id="bids").all("button")[0]["name"] == "look"
    before = rows_of(game)

    response = press(client, address_of(game), "look", page=page, htmx=True)

    assert (response.status_code, rows_of(game)) == (200, before)


def test_last_open_field_may_be_left_empty():
    game = playing_game()

    response = press(
        client_for(game), address_of(game), "score", typed=trick_fields(game, "1", "1", "", "0"), htmx=True
    )

    assert response.status_code == 200
    assert game.rounds.get(number=3).bids.get(seat__position=2).tricks_taken == 1


def test_totals_of_the_tricks_entered_so_far_are_shown_before_they_are_scored():
    game = playing_game()
    client, seats = client_for(game), seat_ids(game)

    page = read(press(client, address_of(game), "made", str(seats[0]), htmx=True))

    now = page.one(id="now").all("td")
    assert [cell.one(class_="tot").text for cell in now] == [str(seats_of(game)[0].total + 30), "", "", ""]
    assert totals_of(page) == [seat.total for seat in seats_of(game)]


def test_absurd_number_does_not_swell_the_pad():
    """A stroke for each of 999,999 tricks would be twenty megabytes, kept for every scorer."""
    game = playing_game()
    client, first = client_for(game), seat_ids(game)[0]

    for button in ("keep", "score"):
        press(client, address_of(game), button, typed={f"taken_{first}": "999999"}, htmx=True)
        assert len(client.get(address_of(game)).content) < 24_000
    page = read(press(client, address_of(game), "keep", typed={f"taken_{first}": "-5"}, htmx=True))
    assert len(page.one(class_="tally").all("i")) == 3


# -- undo ----------------------------------------------------------------------------------------------------------


def undo_label(page):
    button = page.all("button", name="back")[0]
    return button.attrs.get("aria-label", button.text)


def test_undo_says_what_it_takes_back_across_stages_and_rounds():
    game = make_game(seats=3, rounds=1, length=2)
    client = client_for(game)
    labels = []
    for bid in (1, 0, 2):
        bid_on_page(client, game, bid)
        labels.append(undo_label(read(client.get(address_of(game)))))
    score_on_page(client, game, (1, 1, 0))
    labels.append(undo_label(read(client.get(address_of(game)))))
    assert labels == ["Undo: Cem 1", "Undo: Annika 0", "Undo: Bernd 2", "Undo: tricks of round 2"]

    for stage in ("playing", "bidding", "bidding", "bidding"):
        page = read(client.get(address_of(game)))
        assert undo_label(page) == labels.pop()
        press(client, address_of(game), "back", page=page)
        assert fresh(game).state == stage
    assert undo_label(read(client.get(address_of(game)))) == "Undo: tricks of round 1"
    assert open_round(game).bids.count() == 0
    assert differences_of(game.pk) == []


def test_undo_of_bids_entered_at_once_takes_back_all_and_keeps_them_typed():
    game = make_game(seats=3)
    client, seats = client_for(game), seat_ids(game)
    enter_bids(game, [1, 0, 1])
    page = read(client.get(address_of(game)))
    assert undo_label(page) == "Undo: all bids"

    page = read(press(client, address_of(game), "back", page=page, htmx=True))

    fields = {field["name"]: field["value"] for field in page.one(id="all_bids").all("input", inputmode="numeric")}
    assert fields == {f"bid_{seats[1]}": "0", f"bid_{seats[2]}": "1", f"bid_{seats[0]}": "1"}


def test_undo_keeps_the_number_taken_back_marked():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    bid_on_page(client, game, 2)

    page = read(press(client, address_of(game), "back", htmx=True))

    assert [chip["value"] for chip in page.all("button", name="bid") if "aria-pressed" in chip.attrs] == ["2"]


def test_undo_of_tricks_keeps_them_typed():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)

    page = read(press(client, address_of(game), "back", htmx=True))

    assert fields_of(page) == trick_fields(game, "1", "0", "0")
    assert page.one("button", name="score").text == "Score round 1"


def test_there_is_nothing_to_undo_in_a_new_game():
    game = make_game(seats=3)
    client = client_for(game)
    page = read(client.get(address_of(game)))
    assert page.all("button", name="back") == []

    response = client.post(address_of(game), {"seen": seen_of(game), "back": "1"}, headers=HTMX)

    assert response.status_code == 409
    assert notice_of(read(response)) == "There is nothing to undo."


def test_undo_pressed_on_two_phones_takes_back_one_bid():
    game = make_game(seats=3)
    client, other = client_for(game), client_for(game)
    for bid in (1, 0):
        bid_on_page(client, game, bid)
    pages = [read(device.get(address_of(game))) for device in (client, other)]

    first = press(client, address_of(game), "back", page=pages[0], htmx=True)
    second = press(other, address_of(game), "back", page=pages[1], htmx=True)

    assert (first.status_code, second.status_code) == (200, 409)
    assert notice_of(read(second)) == STALE
    assert open_round(game).bids.count() == 1


@pytest.mark.parametrize("back", ["", "abc", "-1", "９", "1" * 30])
def test_undo_of_something_that_is_no_entry_is_stale(back):
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    before = rows_of(game)

    response = client.post(address_of(game), {"seen": seen_of(game), "back": back}, headers=HTMX)

    assert (response.status_code, rows_of(game)) == (409, before)


# -- two phones, repeats ----------------------------------------------------------------------------------------------


def test_two_phones_bid_for_the_same_seat_and_the_second_sees_its_own_entry():
    game = make_game(seats=3, rounds=1)
    client, other = client_for(game), client_for(game)
    pages = [read(device.get(address_of(game))) for device in (client, other)]
    bid_on_page(client, game, 2, page=pages[0])
    before = rows_of(game)

    response = bid_on_page(other, game, 1, page=pages[1], htmx=True)

    page = read(response)
    assert response.status_code == 409
    assert notice_of(page) == f"{ALREADY_BID} Not recorded: Cem 1."
    assert page.one("h2").text == "Annika is bidding"
    assert rows_of(game) == before


def test_two_phones_bid_for_different_seats_and_both_are_recorded():
    game = make_game(seats=3, rounds=1)
    client, other = client_for(game), client_for(game)
    page = read(other.get(address_of(game)))
    bid_on_page(client, game, 2)

    response = press(other, address_of(game), "bid", "1", page=page, typed={"seat": str(seat_ids(game)[0])}, htmx=True)

    assert response.status_code == 200
    assert open_round(game).bids.count() == 2


def test_two_phones_score_the_same_round_and_the_second_sees_its_own_entry():
    game = playing_game()
    client, other = client_for(game), client_for(game)
    pages = [read(device.get(address_of(game))) for device in (client, other)]
    score_on_page(client, game, (1, 1, 1, 0), page=pages[0])
    before = rows_of(game)

    response = score_on_page(other, game, (1, 0, 2, 0), page=pages[1], htmx=True)

    assert response.status_code == 409
    assert notice_of(read(response)) == f"{STALE} Not recorded: Annika 1, Bernd 0, Cem 2, Doro 0."
    assert rows_of(game) == before


@pytest.mark.parametrize("button", ["made", "keep"])
def test_tap_on_a_stale_page_is_not_kept(button):
    game = playing_game()
    client, other = client_for(game), client_for(game)
    page = read(other.get(address_of(game)))
    score_on_page(client, game, (1, 1, 1, 0))
    before = rows_of(game)

    response = press(other, address_of(game), button, page=page, typed=trick_fields(game, "1", "", "", ""), htmx=True)

    assert response.status_code == 409
    assert notice_of(read(response)) == f"{STALE} Not recorded: Annika 1."
    assert rows_of(game) == before


def test_all_bids_typed_on_a_stale_page_are_shown_and_not_recorded():
    game = make_game(seats=3, rounds=1)
    client, other = client_for(game), client_for(game)
    page = read(other.get(address_of(game)))
    for bid in (0, 0, 0):
        bid_on_page(client, game, bid)
    before = rows_of(game)
    typed = {f"bid_{seat}": bid for seat, bid in zip(seat_ids(game), ("1", "x", "0"), strict=True)}

    response = press(other, address_of(game), "bids", page=page, typed=typed, htmx=True)

    assert response.status_code == 409
    assert notice_of(read(response)) == f"{STALE} Not recorded: Annika 1, Bernd x, Cem 0."
    assert rows_of(game) == before


@pytest.mark.parametrize("htmx", [False, True])
def test_double_tap_records_once_and_shows_the_pad(htmx):
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    page = read(client.get(address_of(game)))
    done(bid_on_page(client, game, 2, page=page, htmx=htmx), htmx)
    before = rows_of(game)

    done(bid_on_page(client, game, 2, page=page, htmx=htmx), htmx)

    assert rows_of(game) == before
    assert Receipt.objects.count() == 1
    assert read(client.get(address_of(game))).one("h2").text == "Annika is bidding"


def test_double_tap_on_score_and_undo_counts_once():
    game = playing_game()
    client = client_for(game)
    page = read(client.get(address_of(game)))
    for _ in range(2):
        done(score_on_page(client, game, (1, 1, 1, 0), page=page, htmx=True), htmx=True)
    assert open_round(game).number == 4

    page = read(client.get(address_of(game)))
    for _ in range(2):
        done(press(client, address_of(game), "back", page=page, htmx=True), htmx=True)
    assert (open_round(game).number, open_round(game).state) == (3, "playing")


def test_same_page_sent_with_another_number_is_a_conflict():
    game = make_game(seats=3, rounds=1)
    client = client_for(game)
    page = read(client.get(address_of(game)))
    bid_on_page(client, game, 2, page=page)
    before = rows_of(game)

    response = bid_on_page(client, game, 1, page=page, htmx=True)

    assert response.status_code == 409
    assert notice_of(read(response)) == f"{KEY_REUSED} Not recorded: Cem 1."
    assert rows_of(game) == before


def test_each_pad_has_a_key_of_its_own():
    game = make_game(seats=3)
    client = client_for(game)

    keys = {read(client.get(address_of(game))).all("input", name="key")[0]["value"] for _ in range(3)}

    assert len(keys) == 3


@pytest.mark.parametrize("sent", [{}, {"seen": "abc"}, {"seen": "-1"}, {"seen": "9" * 30}, {"key": "k" * 65}])
def test_post_that_does_not_say_what_it_saw_is_stale(sent):
    game = make_game(seats=3)
    client, first = client_for(game), seat_ids(game)[1]
    before = rows_of(game)

    response = client.post(address_of(game), {"bid": "0", "seat": first, **sent}, headers=HTMX)

    assert response.status_code == 409
    assert notice_of(read(response)) == STALE
    assert rows_of(game) == before


def test_post_without_a_button_shows_the_pad():
    game = make_game(seats=3)
    client = client_for(game)
    before = rows_of(game)

    response = client.post(address_of(game), {"seen": seen_of(game)}, headers=HTMX)

    assert (response.status_code, rows_of(game)) == (200, before)


# -- page and fragment -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["bidding", "playing", "finished"])
@pytest.mark.parametrize("scope", ["edit", "watch"])
def test_fragment_is_the_part_of_the_page(stage, scope):
    game = make_game(seats=4, length=2, rounds=2 if stage == "finished" else 1)
    if stage == "playing":
        enter_bids(game)
    client = client_for(game, scope)

    whole, part = client.get(address_of(game)), client.get(address_of(game), headers=HTMX)

    _title, pad = part.content.decode().split("</title>", 1)
    assert lasting(pad) in lasting(whole.content.decode())
    assert read(whole).all("title")[0].text == read(part).all("title")[0].text
    assert not read(part).all("html")


def test_newest_entry_is_what_the_undo_button_sends():
    game = make_game(seats=3, rounds=2)
    page = read(client_for(game).get(address_of(game)))

    assert page.one("button", name="back")["value"] == str(newest_of(game))
