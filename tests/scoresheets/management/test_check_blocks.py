"""`manage.py check_blocks`: finds every row that does not follow from the journal, and mends it."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoresheets.models import Bid, Entry, Game, Round, Seat
from scoresheets.recording.repair import differences_of
from tests.scoresheets.factories import (
    BOMB_AND_CLOUD,
    enter_bids,
    finished_game,
    fresh,
    make_game,
    play_round,
    rows_of,
    seat_ids,
)

pytestmark = pytest.mark.django_db


def check(*arguments):
    """Return what the command prints and whether it ended well."""
    out = StringIO()
    try:
        call_command("check_blocks", *arguments, stdout=out)
    except CommandError as error:
        return out.getvalue().splitlines(), str(error)
    return out.getvalue().splitlines(), None


DISAGREE = "The stored rows do not agree with the journal."


def tampered_game():
    """Return a game of three with two scored rounds and open tricks in round 3."""
    game = make_game(seats=3, rounds=0, house=BOMB_AND_CLOUD)
    play_round(game, [1, 0, 0], [1, 0, 0])
    play_round(game, [1, 1, 0], [0, 1, 1])
    enter_bids(game, [1, 1, 1])
    return game


def change_game(**values):
    return lambda game: Game.objects.filter(pk=game.pk).update(**values)


def change_round(number, **values):
    return lambda game: game.rounds.filter(number=number).update(**values)


def change_bid(number, place, **values):
    return lambda game: Bid.objects.filter(round__game=game, round__number=number, seat__position=place).update(
        **values
    )


def change_seat(place, **values):
    return lambda game: game.seats.filter(position=place).update(**values)


def drop_bid(game):
    Bid.objects.get(round__game=game, round__number=1, seat__position=0).delete()


def drop_round(game):
    game.rounds.get(number=3).delete()


def add_round(game):
    Round.objects.create(
        game=game, number=4, cards=4, dealer_id=seat_ids(game)[0], stage_version=9, state="scored", scored_version=9
    )


def add_bid(game):
    game.rounds.filter(number=3).update(state="bidding", stage_version=5)
    Entry.objects.filter(game=game).latest("version").delete()
    Bid.objects.filter(round__game=game, round__number=3, seat__position__gt=0).delete()
    Game.objects.filter(pk=game.pk).update(version=5, state="bidding")


TAMPERED = {
    "state": (change_game(state="bidding"), ["game: state is 'bidding', the journal has 'playing'"]),
    "version": (change_game(version=99), ["game: version is 99, the journal has 6"]),
    "ladder": (change_game(ladder="free"), ["game: ladder is 'free', the journal has 'full'"]),
    "plan": (change_game(plan=[1, 2, 3]), [f"game: plan is [1, 2, 3], the journal has {list(range(1, 21))}"]),
    "dealer": (change_game(first_dealer=2), ["game: first_dealer is 2, the journal has 0"]),
    "house rule": (change_game(tie_break="shared"), ["game: tie_break is 'shared', the journal has 'exact_hits'"]),
    "special card": (change_game(specials=[]), ["game: specials is [], the journal has ['BOMB', 'CLOUD']"]),
    "round's cards": (change_round(2, cards=3), ["round 2: cards is 3, the journal has 2"]),
    "round's bombs": (change_round(1, bombs=1), ["round 1: bombs is 1, the journal has 0"]),
    "round's stage": (change_round(3, stage_version=1), ["round 3: stage_version is 1, the journal has 6"]),
    "round's entry": (change_round(1, scored_version=4), ["round 1: scored_version is 4, the journal has 3"]),
    "round gone": (drop_round, ["round 3 is missing"]),
    "round too many": (add_round, ["round 4 is not in the journal"]),
    "bid": (change_bid(1, 0, tricks_bid=0), ["round 1, seat {0}: tricks_bid is 0, the journal has 1"]),
    "tricks": (change_bid(1, 0, tricks_taken=0), ["round 1, seat {0}: tricks_taken is 0, the journal has 1"]),
    "points": (change_bid(2, 1, points=-10), ["round 2, seat {1}: points is -10, the journal has 30"]),
    "blind mark": (change_bid(1, 2, blind=True), ["round 1, seat {2}: blind is True, the journal has False"]),
    "cloud": (change_bid(1, 0, cloud_delta=1), ["round 1, seat {0}: cloud_delta is 1, the journal has 0"]),
    "bid's entry": (change_bid(1, 0, version=9), ["round 1, seat {0}: version is 9, the journal has 2"]),
    "bid gone": (drop_bid, ["round 1: the bid of seat {0} is missing"]),
    "bid too many": (add_bid, ["round 3: the bid of seat {0} is not in the journal"]),
    "total": (change_seat(0, total=500), ["seat {0}: total is 500, the journal has 20"]),
    "exact bids": (change_seat(1, exact=1), ["seat {1}: exact is 1, the journal has 2"]),
    "rounds": (change_seat(2, rounds=3), ["seat {2}: rounds is 3, the journal has 2"]),
    "rank": (change_seat(2, rank=1), ["seat {2}: rank is 1, the journal has 3"]),
    "line": (change_seat(1, line=[]), ["seat {1}: line is [], the journal has [[0, 0, 20], [1, 1, 30]]"]),
}


def test_check_blocks_of_sound_games_says_so():
    make_game(seats=3, rounds=2)
    make_game(seats=4)

    assert check() == (["2 games checked, 0 with differences, 0 repaired"], None)


def test_check_blocks_without_games_is_content():
    assert check() == (["0 games checked, 0 with differences, 0 repaired"], None)


@pytest.mark.parametrize("kind", TAMPERED)
def test_check_blocks_reports_and_repairs(kind):
    tamper, expected = TAMPERED[kind]
    make_game(seats=3, rounds=1)
    game = tampered_game()
    seats = seat_ids(game)
    tamper(game)
    sentences = [f"game {game.pk}: {sentence.format(*seats) if '{' in sentence else sentence}" for sentence in expected]
    before = rows_of(game)

    assert check() == ([*sentences, "2 games checked, 1 with differences, 0 repaired"], DISAGREE)
    assert rows_of(game) == before

    assert check("--repair") == (
        [*sentences, f"game {game.pk}: rewritten from its journal", "2 games checked, 1 with differences, 1 repaired"],
        None,
    )
    assert check() == (["2 games checked, 0 with differences, 0 repaired"], None)
    assert fresh(game).touched > before["game"][0]["touched"]


def test_check_blocks_can_be_asked_about_single_games():
    sound, wrong = make_game(seats=3), tampered_game()
    change_seat(0, total=1)(wrong)

    assert check(str(sound.pk)) == (["1 game checked, 0 with differences, 0 repaired"], None)
    assert check(str(wrong.pk))[1] == DISAGREE


def test_check_blocks_of_an_unknown_game_is_an_error():
    game = make_game(seats=3)

    assert check(str(game.pk), "987654") == ([], "There is no game 987654.")


def test_seats_that_changed_places_go_back():
    game = tampered_game()
    seats = seat_ids(game)
    Seat.objects.filter(pk=seats[0]).update(position=5)
    sentence = f"the seats are {[*seats[1:], seats[0]]}, the journal has {seats}"

    assert check("--repair") == (
        [
            f"game {game.pk}: {sentence}",
            f"game {game.pk}: rewritten from its journal",
            "1 game checked, 1 with differences, 1 repaired",
        ],
        None,
    )
    assert seat_ids(game) == seats


@pytest.mark.parametrize(
    ("break_journal", "reason"),
    [
        (lambda entries: entries.filter(version=3).delete(), "entry 3 is missing"),
        (lambda entries: entries.all().delete(), "the journal is empty"),
        (lambda entries: entries.filter(version=1).delete(), "entry 1 is missing"),
        (lambda entries: entries.filter(version=1).update(payload={}), "'seats'"),
        (
            lambda entries: entries.filter(version=1).update(kind="reopened"),
            "the journal does not begin with the start of the game",
        ),
        (
            lambda entries: entries.filter(version=2).update(kind="started", payload=entries.get(version=1).payload),
            "entry 2 starts the game again",
        ),
        (
            lambda entries: entries.filter(version=4).update(payload={"round": 1, "bids": {}}),
            "entry 4 bids in a round that is not open for bids",
        ),
        (
            lambda entries: entries.filter(version=5).update(payload={"round": 1, "taken": {}}),
            "entry 5 records tricks of a round that is not being played",
        ),
        (
            lambda entries: entries.filter(version=6).update(kind="stepped_back", payload={"round": 1}),
            "entry 6 takes back tricks that were not recorded",
        ),
        (lambda entries: entries.filter(version=2).update(payload=7), "'int' object is not subscriptable"),
        (lambda entries: entries.filter(version=2).update(payload={"round": 1, "bids": "x"}), None),
    ],
)
def test_broken_journal_is_reported_never_believed(break_journal, reason):
    game, wrong = tampered_game(), tampered_game()
    change_seat(0, total=1)(wrong)
    break_journal(game.entries)
    before = rows_of(game)

    (difference,) = differences_of(game.pk)
    lines, error = check("--repair")

    assert difference.startswith("the journal cannot be played forward: ")
    assert reason is None or difference == f"the journal cannot be played forward: {reason}"
    assert lines[0] == f"game {game.pk}: {difference}"
    assert lines[1].startswith(f"game {game.pk}: not rewritten: ")
    assert lines[-1] == "2 games checked, 2 with differences, 1 repaired"
    assert error == DISAGREE
    assert rows_of(game) == before


def test_repair_of_a_finished_game_keeps_the_time_of_its_end():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    change_seat(0, total=1)(game)

    check("--repair")

    assert (fresh(game).state, fresh(game).finished_at) == ("finished", game.finished_at)


def test_repair_of_a_game_whose_end_was_lost_takes_the_time_of_its_newest_entry():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    change_game(state="playing", finished_at=None)(game)

    check("--repair")

    assert (fresh(game).state, fresh(game).finished_at) == ("finished", game.entries.latest("version").at)
