"""Coins on the page: what the pad offers and shows, what a tap records, and what it refuses."""

from __future__ import annotations

import pytest
from django.utils import translation

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import lay_coin, note_trump, pause, record_bids, record_round, save_draft
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    client_for,
    enter_bids,
    enter_tricks,
    fresh,
    make_game,
    open_round,
    rows_of,
    seat_ids,
    seats_of,
    seen_of,
)
from tests.scoresheets.pages import HTMX, Element, press, read
from tests.scoresheets.views.test_statements import SIZES, sized, statements
from tests.scoresheets.views.test_variants import check_size

pytestmark = pytest.mark.django_db

SECRET = rules.HouseRules(secret_bids=True, specials=("BOMB", "CLOUD"), blind_bids=True)
ALL_ON = rules.HouseRules(specials=rules.SPECIALS, blind_bids=True)


@pytest.fixture(autouse=True)
def _in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def game() -> Game:
    """Return a game of three in round 3, three cards, dealt by Cem; Annika bid 2, Bernd 1, Cem 0."""
    return playing([2, 1, 0])


def playing(bids: list[int], house: rules.HouseRules | None = None, rounds: int = 2) -> Game:
    game = make_game(seats=len(bids), rounds=rounds, house=house)
    enter_bids(game, bids)
    return fresh(game)


def lay(game: Game, *places: int | None) -> None:
    """Lay the next coins, each by the place of its seat, None for a bombed trick."""
    seats = seat_ids(game)
    for place in places:
        trick = len(open_round(game).draft.get("coins", ())) + 1
        seat = None if place is None else seats[place]
        lay_coin(game, trick=trick, seat=seat, seen=seen_of(game), by=OPERATOR)


def counting(game: Game, scope: str = "edit"):
    """Return a device that offers coins."""
    client = client_for(game, scope)
    client.cookies["coins"] = "1"
    return client


def address_of(game: Game) -> str:
    return f"/games/{game.pk}/"


def page_of(client, game: Game) -> Element:
    return read(client.get(address_of(game)))


def tap(client, game: Game, name: str, value: str | None = None, *, htmx: bool = True, page=None, **typed):
    return press(client, address_of(game), name, value, page=page, htmx=htmx, typed=typed)


def coin(game: Game, trick: int, place: int | None) -> str:
    """Return what the button of a coin sends."""
    return f"{trick}:{'' if place is None else seat_ids(game)[place]}"


def buttons_of(page: Element) -> list[tuple[str, str]]:
    """Return name and visible words of each coin that can be laid."""
    return [(button["aria-label"], button.text) for button in page.all("button", name="coin")]


def tricks_in(page: Element, game: Game) -> list[str]:
    """Return what stands in the fields of the tricks, in seat order; where coins are laid, behind the way to them."""
    if is_folded(page):
        page = read(tap(client_for(game), game, "coins", ""))
    return [page.one("input", name=f"taken_{seat}")["value"] for seat in seat_ids(game)]


def is_folded(page: Element) -> bool:
    """Say whether coins are laid, and no numbers are entered, in the tricks of this page."""
    fields = [field for field in page.one(id="pad").all("input") if field.attrs.get("name", "").startswith("taken_")]
    assert bool(fields) or page.one("button", name="coins")["value"] == ""
    return not fields


def row_now(page: Element) -> list[str]:
    return [cell.text for cell in page.one(id="now").all("td")]


def coins_of(game: Game) -> list[int | None]:
    return open_round(game).draft.get("coins", [])


# -- offering -------------------------------------------------------------------------------------------------------


def test_pad_offers_one_quiet_button_until_somebody_asks(game):
    client = client_for(game)
    page = page_of(client, game)
    assert (buttons_of(page), page.one("button", name="coins").text) == ([], "Count trick by trick")

    response = tap(client, game, "coins", "1")

    offered = read(response)
    assert (response.status_code, client.cookies["coins"].value) == (200, "1")
    assert client.cookies["coins"]["httponly"] is True
    assert [name for name, _words in buttons_of(offered)] == [
        "Annika took the trick",
        "Bernd took the trick",
        "Cem took the trick",
    ]
    assert offered.one(class_="turn").text == "Trick 1 of 3 Annika leads"
    assert offered.all("button", name="uncoin") == []
    assert is_folded(offered)
    assert buttons_of(page_of(client, game)) == buttons_of(offered)  # the device remembers it

    assert buttons_of(read(tap(client, game, "coins", ""))) == []
    assert client.cookies["coins"].value == ""
    assert buttons_of(page_of(client, game)) == []


def test_offer_keeps_what_is_typed(game):
    client, first = client_for(game), seat_ids(game)[0]

    for htmx in (True, False):
        response = tap(client, game, "coins", "1", htmx=htmx, **{f"taken_{first}": "2"})
        assert (response.status_code, is_folded(read(response))) == (200, True)
        assert tricks_in(page_of(client, game), game)[0] == "2"  # it is what counts, and stands there again
        page = read(tap(client, game, "coins", "1", htmx=htmx))
        assert tricks_in(read(tap(client, game, "coins", "", page=page, htmx=htmx)), game)[0] == "2"


def test_coins_are_offered_by_the_device_and_shown_to_all_once_one_lies(game):
    other, watcher = client_for(game), client_for(game, "watch")
    assert buttons_of(page_of(other, game)) == []

    lay(game, 0)

    assert len(buttons_of(page_of(other, game))) == 3
    assert buttons_of(page_of(watcher, game)) == buttons_of(page_of(counting(game, "watch"), game)) == []


def test_coins_are_not_offered_while_bids_are_missing():
    game = make_game(seats=3, rounds=2)

    page = page_of(counting(game), game)

    assert (buttons_of(page), page.all("button", name="coins")) == ([], [])


def test_watcher_reads_the_offer_of_nobody(game):
    watcher = counting(game, "watch")

    assert page_of(watcher, game).one(class_="watch").one("small").text == "Cem deals, Annika leads"


# -- laying ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("htmx", [True, False])
def test_tap_lays_a_coin_and_fills_the_tricks_in(game, htmx):
    client, watcher = counting(game), client_for(game, "watch")

    response = tap(client, game, "coin", coin(game, 1, 1), htmx=htmx)

    assert response.status_code == (200 if htmx else 302)
    page = page_of(client, game)
    assert tricks_in(page, game) == ["0", "1", "0"]
    assert buttons_of(page) == [
        ("Annika took the trick", "Annika0 of 2"),
        ("Bernd took the trick", "Bernd1 of 1"),
        ("Cem took the trick", "Cem0 of 0"),
    ]
    assert page.one(class_="turn").text == "Trick 2 of 3 Bernd leads Bernd"
    assert page.one("button", name="uncoin")["aria-label"] == "Take back trick 1: Bernd"
    assert page.one("button", name="score").attrs["aria-disabled"] == "true"
    assert page.one("button", name="coins").text == "Enter the tricks by hand"
    for device in (client, watcher):
        shown = page_of(device, game)
        assert row_now(shown) == ["0 tricks taken, 2−2", "1 trick taken, 1", "0 tricks taken, 0"]
    assert shown.one(class_="watch").one("small").text == "Trick 2 of 3 · Bernd leads"


def test_full_tally_is_scored_with_the_usual_button(game):
    client = counting(game)
    for trick, place in enumerate((0, 0, 2), start=1):
        tap(client, game, "coin", coin(game, trick, place))

    page = page_of(client, game)
    assert tricks_in(page, game) == ["2", "0", "1"]
    assert buttons_of(page) == page.all("button", name="coins") == []
    assert page.one(class_="turn").one("h2").text == "All 3 tricks counted"
    assert "aria-disabled" not in page.one("button", name="score").attrs
    # The totals as they will be, and a missed bid as it will stand there.
    assert row_now(page)[:2] == ["1102", "301−1"]
    assert tap(client, game, "score").status_code == 200

    assert [seat.line[-1] for seat in seats_of(game)] == [[2, 2, 40], [1, 0, -10], [0, 1, -10]]
    assert open_round(game).number == 4


def test_same_button_twice_counts_once(game):
    client = counting(game)
    page = page_of(client, game)

    answers = [tap(client, game, "coin", coin(game, 1, 2), page=page).status_code for _ in range(2)]

    assert (answers, coins_of(game)) == ([200, 200], seat_ids(game)[2:])


def test_two_phones_do_not_count_one_trick_twice(game):
    first, second = counting(game), counting(game)
    pages = [page_of(device, game) for device in (first, second)]
    tap(first, game, "coin", coin(game, 1, 0), page=pages[0])
    before = rows_of(game)

    response = tap(second, game, "coin", coin(game, 1, 1), page=pages[1])

    page = read(response)
    assert response.status_code == 409
    assert page.one(class_="err-box").text == "Somebody was faster: this trick is counted already."
    assert page.one(class_="turn").one("h2").text == "Trick 2 of 3"
    assert rows_of(game) == before


def test_newest_coin_is_taken_back(game):
    client = counting(game)
    lay(game, 0, 2)
    page = page_of(client, game)

    for _ in range(2):
        assert tap(client, game, "uncoin", page=page).status_code == 200

    assert coins_of(game) == seat_ids(game)[:1]
    assert tricks_in(page_of(client, game), game) == ["1", "0", "0"]


def test_whoever_would_have_taken_the_bombed_trick_leads():
    game = playing([1, 1, 0], BOMB_AND_CLOUD)
    client = counting(game)
    assert buttons_of(page_of(client, game))[-1] == ("Bombed: nobody gets the trick", "Bombed")

    page = read(tap(client, game, "coin", coin(game, 1, None)))

    assert page.one(class_="turn").one("p").text == "Whoever would have taken the bombed trick leads"
    assert len(buttons_of(page)) == 3  # there is one bomb
    lay(game, 0, 1)
    page = page_of(client, game)
    assert "checked" in page.one("input", name="bombs").attrs
    assert page.one(class_="meter").text == "2 of 2 tricks"
    assert tap(client, game, "score").status_code == 200
    assert [seat.line[-1][:2] for seat in seats_of(game)] == [[1, 1], [1, 1], [0, 0]]
    assert game.rounds.get(number=3).bombs == 1


# -- by hand --------------------------------------------------------------------------------------------------------


def test_numbers_by_hand_overrule_the_tally_until_the_next_coin(game):
    client, seats = counting(game), seat_ids(game)
    lay(game, 0, 1)

    by_hand = read(tap(client, game, "coins", ""))
    assert tricks_in(by_hand, game) == ["1", "1", "0"]
    assert [line.one("small").text for line in by_hand.one(class_="made").all("li")] == [
        "bid 2 · so far",
        "bid 1 · so far",
        "bid 0 · so far",
    ]
    page = read(tap(client, game, "made", str(seats[2]), page=by_hand))
    assert tricks_in(page, game) == ["", "", "0"]  # the others are open again
    assert page.one(class_="note").text == "What you entered by hand counts, not the tally."
    assert row_now(page)[0] == "2"  # the Block shows what counts
    for button, place in (("plus", 0), ("minus", 0)):
        page = read(tap(client, game, button, str(seats[place])))
    assert tricks_in(page, game) == ["2", "1", "0"]
    assert coins_of(game) == seats[:2]

    again = read(tap(client, game, "coins", "1"))
    assert again.one(class_="note").text == "What you entered by hand counts, not the tally."
    page = read(tap(client, game, "coin", coin(game, 3, 1), page=again))
    assert tricks_in(page, game) == ["1", "2", "0"]
    assert page.all(class_="note") == []


def test_full_tally_is_put_right_by_hand_from_where_it_is(game):
    client, seats = counting(game), seat_ids(game)
    lay(game, 0, 1, 1)

    page = read(tap(client, game, "plus", str(seats[0])))
    assert tricks_in(page, game) == ["2", "2", "0"]
    page = read(tap(client, game, "minus", str(seats[1])))

    assert tricks_in(page, game) == ["2", "1", "0"]
    assert "by_hand" in open_round(game).draft
    page = read(tap(client, game, "minus", str(seats[0])))
    page = read(tap(client, game, "plus", str(seats[1])))
    assert "by_hand" not in open_round(game).draft  # as the coins say: so they count
    assert page.all(class_="note") == []


def test_typed_numbers_are_scored_whatever_the_coins_say(game):
    client = counting(game)
    lay(game, 0, 1)
    typed = {f"taken_{seat}": number for seat, number in zip(seat_ids(game), "021", strict=True)}
    page = read(tap(client, game, "coins", ""))

    assert tap(client, game, "score", page=page, **typed).status_code == 200

    assert [seat.line[-1][1] for seat in seats_of(game)] == [0, 2, 1]


def test_round_with_a_trick_missing_is_not_scored(game):
    client = counting(game)
    lay(game, 0, 1)
    before = rows_of(game)

    response = tap(client, game, "score")

    page = read(response)
    assert response.status_code == 422
    assert page.one(id="tricks").one(role="alert").text == "1 trick is missing: 2 of 3 entered."
    assert not is_folded(page)
    assert tricks_in(page, game) == ["1", "1", "0"]
    assert rows_of(game) == before


def test_tally_does_not_replace_what_was_entered_before_for_good(game):
    client, seats = counting(game), seat_ids(game)
    save_draft(game, draft={"taken": {str(seats[0]): 3}}, seen=seen_of(game), by=OPERATOR)
    page = page_of(client, game)
    assert (tricks_in(page, game), is_folded(page)) == (["3", "0", "0"], False)
    page = read(tap(client, game, "coins", "1"))

    tap(client, game, "coin", coin(game, 1, 1), page=page)
    assert tricks_in(page_of(client, game), game) == ["0", "1", "0"]
    tap(client, game, "uncoin")

    assert tricks_in(page_of(client, game), game) == ["3", "0", "0"]


def test_other_taps_leave_the_tally_in_force(game):
    client = counting(game)
    lay(game, 0, 1)

    tap(client, game, "trump", "R")
    tap(client, game, "keep")
    by_hand = read(tap(client, game, "coins", ""))
    tap(client, game, "trump", "G", page=by_hand)
    tap(client, game, "keep", page=by_hand)

    assert open_round(game).draft.get("by_hand") is None
    assert tricks_in(page_of(client, game), game) == ["1", "1", "0"]


@pytest.mark.parametrize("htmx", [True, False])
def test_cloud_chosen_in_the_form_outlasts_a_coin_taken_back(htmx):
    game = playing([1, 1, 0], BOMB_AND_CLOUD)
    client, first = counting(game), seat_ids(game)[0]

    lay(game, 0, 0, 1)

    tap(client, game, "uncoin", htmx=htmx, cloud=str(first), cloud_delta="1")

    assert open_round(game).draft == {"coins": [first, first], "clouds": {str(first): 1}}
    page = page_of(client, game)
    assert row_now(page)[0].split()[-1] == "2"
    assert buttons_of(page)[0][1] == "Annika2 of 2"


def test_bomb_switched_by_hand_overrules_the_tally():
    game = playing([1, 1, 0], BOMB_AND_CLOUD)
    client = counting(game)
    lay(game, 0)

    tap(client, game, "keep", page=read(tap(client, game, "coins", "")), bombs="1")

    assert open_round(game).draft["by_hand"] is True
    page = page_of(client, game)
    assert "checked" in page.one("input", name="bombs").attrs
    assert page.one(class_="meter").text == "0 of 2 tricks"


# -- secret bids ----------------------------------------------------------------------------------------------------


@pytest.fixture
def secret() -> Game:
    """Return a game of three with secret bids, two cards, dealt by Annika."""
    return make_game(seats=3, house=SECRET, ladder="free", cards=[2, 3])


def test_secret_round_is_counted_while_it_is_open_for_bids(secret):
    client, watcher = counting(secret), client_for(secret, "watch")

    page = read(tap(client, secret, "coin", coin(secret, 1, 1)))

    assert tricks_in(page, secret) == ["0", "1", "0"]
    assert page.one("form", id="round").all(**{"data-typed": ""}) == []  # nothing is typed: it follows the others
    for device in (client, watcher):
        assert [text.split(",")[0] for text in row_now(page_of(device, secret))] == [
            "0 tricks taken",
            "1 trick taken",
            "0 tricks taken",
        ]
    assert page_of(watcher, secret).one(class_="watch").one("small").text == "Trick 2 of 2 · Bernd leads"


@pytest.mark.parametrize("button", ["coin", "uncoin"])
@pytest.mark.parametrize("htmx", [True, False])
def test_bids_typed_in_a_secret_round_outlast_a_coin(secret, button, htmx):
    client, seats = counting(secret), seat_ids(secret)
    lay(secret, 0)
    value = coin(secret, 2, None) if button == "coin" else "1"
    typed = {f"bid_{seats[0]}": "1", f"bid_{seats[1]}": "x", f"blind_{seats[2]}": "1", f"taken_{seats[1]}": "2"}

    response = tap(client, secret, button, value, htmx=htmx, **typed)

    page = read(response)
    assert response.status_code == 200
    assert [page.one("input", name=f"bid_{seat}")["value"] for seat in seats] == ["1", "x", ""]
    assert "checked" in page.one("input", name=f"blind_{seats[2]}").attrs
    assert tricks_in(page, secret) == (["1", "0", "0"] if button == "coin" else ["", "", ""])
    assert ("checked" in page.one("input", name="bombs").attrs) is (button == "coin")
    assert page.one(id="pad").all(role="alert") == []


def test_bids_typed_in_a_secret_round_outlast_a_refused_coin(secret):
    client, seats = counting(secret), seat_ids(secret)
    page = page_of(client, secret)
    lay(secret, 2)

    response = tap(client, secret, "coin", coin(secret, 1, 1), page=page, **{f"bid_{seats[0]}": "1"})

    page = read(response)
    assert response.status_code == 409
    assert page.one("input", name=f"bid_{seats[0]}")["value"] == "1"
    assert tricks_in(page, secret) == ["0", "0", "1"]


def test_secret_fields_are_folded_until_all_tricks_are_counted(secret):
    client = counting(secret)
    assert "open" not in page_of(client, secret).one("details", class_="by-hand").attrs

    response = tap(client, secret, "record", **{f"bid_{seat_ids(secret)[0]}": "1"})

    page = read(response)
    assert (response.status_code, page.all(class_="by-hand")) == (422, [])  # what is wrong is in view
    lay(secret, 0, 1)
    assert page_of(client, secret).all(class_="by-hand") == []


def test_counted_secret_round_is_scored_in_one_entry(secret):
    client = counting(secret)
    lay(secret, 0, None)
    bids = {f"bid_{seat}": bid for seat, bid in zip(seat_ids(secret), "110", strict=True)}

    assert page_of(client, secret).all(class_="by-hand") == []
    assert tap(client, secret, "record", **bids).status_code == 200

    assert [seat.line[0] for seat in seats_of(secret)] == [[1, 1, 30], [1, 0, -10], [0, 0, 20]]
    assert secret.rounds.get(number=1).bombs == 1


def test_secret_offer_keeps_what_is_typed(secret):
    client, first = client_for(secret), seat_ids(secret)[0]

    for htmx in (True, False):
        page = read(tap(client, secret, "coins", "1", htmx=htmx, **{f"bid_{first}": "1", f"taken_{first}": "2"}))
        assert page.one("input", name=f"bid_{first}")["value"] == "1"
        assert tricks_in(page, secret)[0] == "2"
        tap(client, secret, "coins", "")


@pytest.mark.parametrize("scope", ["edit", "watch"])
def test_covered_bids_stay_covered_beside_the_coins(scope):
    game = make_game(seats=3, house=rules.HouseRules(secret_bids=True), ladder="free", cards=[9])
    bids = dict(zip(seat_ids(game), (8, 7, 6), strict=True))
    record_bids(game, bids=bids, seen=seen_of(game), by=OPERATOR)
    lay(game, *[0] * 8, 1)

    for client in (client_for(game, scope), counting(game, scope)):
        html = client.get(address_of(game), headers=HTMX).content.decode()
        page = read(client.get(address_of(game), headers=HTMX))
        assert row_now(page) == ["8 tricks taken, •", "1 trick taken, •", "0 tricks taken, •"]
        for given_away in ("+100", "of 8", "−6", "is-made", 'aria-pressed="true"', "<b>21</b>"):
            assert given_away not in html


# -- refused --------------------------------------------------------------------------------------------------------


def post(game: Game, **sent: str):
    """Send a coin by hand and return the answer, after checking that nothing was written."""
    client = client_for(game)
    before = rows_of(game)
    response = client.post(address_of(game), {"seen": seen_of(game), **sent}, headers=HTMX)
    assert rows_of(game) == before
    return response


@pytest.mark.parametrize(
    "typed", ["", ":", "x", "1", "1:x", "x:1", "-1:1", "1:-1", "0:1", "²:1", "1:²", "9" * 40 + ":1", "<b>:"]
)
@pytest.mark.parametrize("name", ["coin", "uncoin"])
def test_coins_that_are_none_are_stale(game, name, typed):
    if name == "uncoin" and typed == "1":
        typed = "5"

    assert post(game, **{name: typed}).status_code == 409


def test_bombed_trick_without_the_bomb_is_refused_in_words(game):
    response = post(game, coin="1:")

    assert response.status_code == 422
    assert read(response).one(class_="err-box").text == "The bomb is not in this game."


def test_coins_of_strangers_too_many_and_late_ones_are_refused_in_words(game):
    stranger = seat_ids(make_game(seats=3))[0]
    said = [read(post(game, coin=f"1:{stranger}")).one(class_="err-box").text]
    lay(game, 0, 0, 0)
    said.append(read(post(game, coin=coin(game, 4, 0))).one(class_="err-box").text)
    seen = seen_of(game)
    enter_tricks(game)
    said.append(read(post(game, coin=coin(game, 1, 0), seen=seen)).one(class_="err-box").text)

    assert said == [
        "This person is not at this table.",
        "All tricks of this round are counted already.",
        "Somebody was faster: the score has changed since this page was shown.",
    ]


def test_halted_game_shows_its_coins_and_takes_none(game):
    client = counting(game)
    lay(game, 1)
    pause(game, by=OPERATOR)

    page = page_of(client, game)
    assert buttons_of(page) == []
    assert row_now(page)[1] == "1 trick taken, 1"
    assert post(game, coin=coin(game, 2, 0)).status_code == post(game, uncoin="1").status_code == 409


@pytest.mark.parametrize("sent", [{"coin": "1:1"}, {"uncoin": "1"}, {"coins": "1"}])
def test_watchers_lay_no_coins(game, sent):
    watcher = client_for(game, "watch")
    before = rows_of(game)

    response = watcher.post(address_of(game), {"seen": seen_of(game), **sent}, headers=HTMX)

    assert (response.status_code, rows_of(game), "coins" in watcher.cookies) == (403, before, False)


# -- everybody made it ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bids", "offered"), [([2, 1, 0], True), ([2, 1, 1], False), ([0, 0, 0], False)])
def test_everybody_made_it_where_the_bids_add_up(bids, offered):
    game = playing(bids)
    client = client_for(game)
    found = [button for button in page_of(client, game).all("button", name="made") if button["value"] == "all"]
    assert bool(found) is offered
    if not offered:
        return

    page = read(tap(client, game, "made", "all"))

    assert tricks_in(page, game) == list(map(str, bids))
    assert [button["value"] for button in page.all("button", name="made")] == list(map(str, seat_ids(game)))
    assert tap(client, game, "score").status_code == 200
    assert [seat.line[-1][1] for seat in seats_of(game)] == bids


def test_everybody_made_it_counts_bomb_and_cloud():
    game = playing([2, 1, 0], BOMB_AND_CLOUD)
    client, first = client_for(game), seat_ids(game)[0]
    draft = {"bombs": 1, "clouds": {str(first): -1}}
    save_draft(game, draft=draft, seen=seen_of(game), by=OPERATOR)

    page = read(tap(client, game, "made", "all"))

    assert tricks_in(page, game) == ["1", "1", "0"]
    assert "aria-disabled" not in page.one("button", name="score").attrs


def test_everybody_made_it_is_gone_once_something_is_entered(game):
    client = client_for(game)

    page = read(tap(client, game, "made", str(seat_ids(game)[0])))

    assert "all" not in [button["value"] for button in page.all("button", name="made")]


# -- sizes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("house", [rules.HouseRules(), BOMB_AND_CLOUD], ids=["plain", "bomb and cloud"])
def test_statements_of_a_coin(size, house):
    game = sized(*size, house=house)
    enter_bids(game)
    client, seat = client_for(game), seat_ids(game)[1]
    fields = {f"taken_{seat}": "" for seat in seat_ids(game)} | {"cloud": "", "cloud_delta": "-1"}

    def post(**sent):
        answer, counted = statements(
            lambda: client.post(address_of(game), {"seen": seen, **fields, **sent}, headers=HTMX)
        )
        assert answer.status_code == 200
        return counted

    seen = seen_of(game)
    assert post(coin=f"1:{seat}") == (6, 2)
    assert post(uncoin="1") == (5, 3)


@pytest.mark.parametrize(("seats", "rounds"), [(4, 14), (6, 9)])
def test_pad_with_everything_and_coins_stays_small(seats, rounds):
    game = make_game(seats=seats, house=ALL_ON)
    ids = seat_ids(game)
    for number in range(1, rounds + 2):
        note_trump(game, number=number, trump="G", by=OPERATOR)
        bids = dict.fromkeys(ids, 1)
        record_bids(game, bids=bids, blind=ids[:2], seen=seen_of(game), by=OPERATOR)
        if number <= rounds:
            enter_tricks(game)
    client = counting(game)

    def check(page_of_it):
        check_size(page_of_it.content)

    check(client_for(game).get(address_of(game), headers=HTMX))
    check(client.get(address_of(game), headers=HTMX))
    lay(game, None, *[0] * 2)
    check(client.get(address_of(game), headers=HTMX))
    check(tap(client, game, "coins", ""))
    check(tap(client, game, "made", str(ids[0]), page=read(tap(client, game, "coins", ""))))
    lay(game, *[0] * (rounds - 2))
    for device in (client, client_for(game, "watch")):
        check(device.get(address_of(game), headers=HTMX))


def test_secret_pad_with_everything_and_coins_stays_small():
    house = rules.HouseRules(specials=rules.SPECIALS, blind_bids=True, secret_bids=True)
    game = make_game(seats=6, house=house)
    ids = seat_ids(game)
    for number in range(1, 11):
        note_trump(game, number=number, trump="G", by=OPERATOR)
        if number < 10:
            taken = {seat: number if seat == ids[0] else 0 for seat in ids}
            bids = dict.fromkeys(ids, 0)
            record_round(game, bids=bids, blind=ids[:2], taken=taken, seen=seen_of(game), by=OPERATOR)
    lay(game, None, *[0] * 5)

    check_size(counting(game).get(address_of(game), headers=HTMX).content)


def test_pad_without_coins_has_one_button_more(game):
    html = client_for(game).get(address_of(game), headers=HTMX).content.decode()

    (button,) = [part for part in html.split("<button") if 'name="coins"' in part]
    assert len(button.partition("</button>")[0]) < 130
    assert "coin-set" not in html
