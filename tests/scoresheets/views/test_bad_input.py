"""What people type wrongly, one by one: a sentence at its field, the text kept, nothing written."""

import pytest

from tests.scoresheets.factories import client_for, enter_bids, make_game, rows_of, seat_ids, seen_of
from tests.scoresheets.pages import HTMX, press, read, sentences_at

pytestmark = pytest.mark.django_db

TOO_MANY_CARDS = "{} is too many: there are only 3 cards this round."
NO_NUMBER = "“{}” is not a whole number."
MISSING = "A number is missing here."

#: What is typed -> the sentence; the round has three cards.
BAD_BIDS = {
    "4": TOO_MANY_CARDS.format(4),
    "999999": TOO_MANY_CARDS.format(999999),
    "-1": "A bid is at least 0.",
    "": MISSING,
    " ": MISSING,
    "1,5": NO_NUMBER.format("1,5"),
    "1.5": NO_NUMBER.format("1.5"),
    "abc": NO_NUMBER.format("abc"),
    "９": TOO_MANY_CARDS.format(9),
    "1e2": NO_NUMBER.format("1e2"),
    "0x1": NO_NUMBER.format("0x1"),
    "²": NO_NUMBER.format("²"),
    "1\x002": NO_NUMBER.format("1\x002"),
    "1" * 31: NO_NUMBER.format("111111…"),
    "<b>": NO_NUMBER.format("<b>"),
}
BAD_TRICKS = {
    **BAD_BIDS,
    "4": "4 is too many: only 3 tricks count this round.",
    "999999": "999999 is too many: only 3 tricks count this round.",
    "-1": "Nobody takes fewer than 0 tricks.",
    "９": "9 is too many: only 3 tricks count this round.",
}
del BAD_TRICKS[""], BAD_TRICKS[" "]  # an open field is asked for, see below


@pytest.fixture
def game():
    """Return a game of three in round 3, dealt by Cem: Annika is the first to bid."""
    return make_game(seats=3, rounds=2)


@pytest.fixture
def playing(game):
    enter_bids(game, [1, 1, 0])
    return game


def post(game, **sent):
    """Send a form of the pad by hand and return the answer and its page, after checking that nothing was written."""
    before = rows_of(game)
    response = client_for(game).post(f"/games/{game.pk}/", {"seen": seen_of(game), **sent}, headers=HTMX)
    after = rows_of(game)
    assert {**after, "links": []} == {**before, "links": []}
    return response.status_code, read(response)


@pytest.mark.parametrize("typed", BAD_BIDS)
def test_bad_bid_is_refused_beside_the_numbers(game, typed):
    status, page = post(game, seat=seat_ids(game)[0], bid=typed)

    assert status == 422
    # HTML knows no NUL: the page shows the sign for something that cannot be shown, or nothing.
    assert page.one(id="bid_errors").text.replace("\ufffd", "\x00") == BAD_BIDS[typed]
    assert page.one("h2").text == "Annika is bidding"


@pytest.mark.parametrize("typed", BAD_BIDS)
def test_bad_bid_among_all_bids_is_refused_at_its_field_and_stays_typed(game, typed):
    first, second, third = seat_ids(game)
    status, page = post(game, bids=1, **{f"bid_{first}": "2", f"bid_{second}": typed, f"bid_{third}": "0"})

    assert status == 422
    assert sentences_at(page, f"bid_{second}").replace("\ufffd", "\x00") == BAD_BIDS[typed]
    assert [page.one(id=f"bid_{seat}")["value"] for seat in (first, third)] == ["2", "0"]
    assert page.one(id=f"bid_{second}")["value"].replace("\ufffd", "\x00").strip() == typed.strip()
    assert "open" in page.one(class_="all-bids").attrs
    assert page.all("input", aria_invalid="true") == [page.one(id=f"bid_{second}")]


def test_every_bad_bid_among_all_bids_has_its_own_sentence(game):
    first, second, third = seat_ids(game)
    status, page = post(game, bids=1, **{f"bid_{first}": "x", f"bid_{second}": "", f"bid_{third}": "4"})

    assert status == 422
    assert sentences_at(page, f"bid_{first}") == NO_NUMBER.format("x")
    assert sentences_at(page, f"bid_{second}") == MISSING


@pytest.mark.parametrize("typed", BAD_TRICKS)
@pytest.mark.parametrize("place", [0, 2])
def test_bad_tricks_are_refused_at_their_field_and_stay_typed(playing, typed, place):
    seats = seat_ids(playing)
    fields = {f"taken_{seat}": "1" for seat in seats} | {f"taken_{seats[place]}": typed}

    status, page = post(playing, score=1, **fields)

    assert status == 422
    assert sentences_at(page, f"taken_{seats[place]}").replace("\ufffd", "\x00") == BAD_TRICKS[typed]
    kept = {field["name"]: field["value"].replace("\ufffd", "\x00") for field in page.all("input", class_="n")}
    assert kept == fields
    assert len(page.all("input", aria_invalid="true")) == 1


@pytest.mark.parametrize(
    ("taken", "sentence"),
    [
        (("1", "0", "0"), "2 tricks are missing: 1 of 3 entered."),
        (("1", "1", "0"), "1 trick is missing: 2 of 3 entered."),
        (("0", "0", "0"), "3 tricks are missing: 0 of 3 entered."),
        (("2", "1", "1"), "One trick too many. Who miscounted?"),
        (("3", "3", "3"), "6 tricks too many. Who miscounted?"),
    ],
)
def test_tricks_that_do_not_add_up_name_the_missing_number(playing, taken, sentence):
    fields = {f"taken_{seat}": tricks for seat, tricks in zip(seat_ids(playing), taken, strict=True)}

    status, page = post(playing, score=1, **fields)

    assert status == 422
    assert [error.text for error in page.all("p", class_="err")] == [sentence]
    assert {field["name"]: field["value"] for field in page.all("input", class_="n")} == fields


def test_open_fields_are_asked_for_by_name(playing):
    first, second, third = seat_ids(playing)

    status, page = post(playing, score=1, **{f"taken_{first}": "1", f"taken_{second}": "", f"taken_{third}": ""})

    assert status == 422
    assert [error.text for error in page.all("p", class_="err")] == ["2 tricks are missing: 1 of 3 entered."]
    assert sentences_at(page, f"taken_{second}") == "How many tricks did Bernd take?"
    assert sentences_at(page, f"taken_{third}") == "How many tricks did Cem take?"


def test_nothing_entered_asks_everybody(playing):
    status, page = post(playing, score=1, **{f"taken_{seat}": "" for seat in seat_ids(playing)})

    assert status == 422
    assert len(page.all("input", aria_invalid="true")) == 3


def test_score_without_any_field_asks_everybody(playing):
    status, page = post(playing, score=1)

    assert status == 422
    assert len(page.all("input", aria_invalid="true")) == 3


def test_bad_draft_is_refused_at_its_field(playing):
    first = seat_ids(playing)[0]

    status, page = post(playing, keep=1, **{f"taken_{first}": "1,5"})

    assert status == 422
    assert sentences_at(page, f"taken_{first}") == NO_NUMBER.format("1,5")


@pytest.mark.parametrize(
    ("seat", "status", "sentence"),
    [
        ("other", 409, "This person is not at this table. "),
        ("0", 409, "This person is not at this table. "),
        ("9" * 18, 409, "This person is not at this table. "),
        ("", 422, "This field is required."),
        ("x", 422, "Select a valid choice. x is not one of the available choices."),
        ("9" * 40, 422, f"Select a valid choice. {'9' * 40} is not one of the available choices."),
    ],
)
def test_bid_for_somebody_who_does_not_sit_here(game, seat, status, sentence):
    elsewhere = make_game(seats=3)
    sent = str(seat_ids(elsewhere)[0]) if seat == "other" else seat

    answered, page = post(game, seat=sent, bid="0")

    assert answered == status
    assert page.one(class_="err-box").text == sentence.strip()


def test_tricks_of_somebody_who_does_not_sit_here(playing):
    elsewhere = seat_ids(make_game(seats=3))[0]
    fields = {f"taken_{seat}": "1" for seat in seat_ids(playing)[:2]}

    status, page = post(playing, score=1, **fields, **{f"taken_{elsewhere}": "1"})

    assert status == 409
    assert page.one(class_="err-box").text == "Everybody's tricks are needed. Not recorded: Annika 1, Bernd 1."


def test_good_bid_after_a_bad_one_is_recorded(game):
    client = client_for(game)
    bad = client.post(
        f"/games/{game.pk}/", {"seen": seen_of(game), "seat": seat_ids(game)[0], "bid": "9"}, headers=HTMX
    )

    good = press(client, f"/games/{game.pk}/", "bid", "2", page=read(bad), htmx=True)

    assert (bad.status_code, good.status_code) == (422, 200)
    assert game.rounds.get(number=3).bids.get().tricks_bid == 2


def test_too_many_fields_are_answered_with_a_page(game, settings):
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    client = client_for(game)

    response = client.post(f"/games/{game.pk}/", {f"taken_{place}": "1" for place in range(1200)})

    assert response.status_code == 400
    assert read(response).one("h1").text == "That was not understood"
