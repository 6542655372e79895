"""`manage.py demo`: games as people would have tapped them in, the same for the same seed."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoresheets.models import Bid, Entry, Game, Seat
from scoresheets.recording.repair import differences_of

pytestmark = pytest.mark.django_db


def demo(*arguments):
    """Return the lines that the command prints."""
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue().splitlines()


def contents():
    """Return what the games hold, without ids, times and secrets."""
    games = Game.objects.order_by("pk")
    return [
        (
            game.ladder,
            game.plan,
            game.state,
            game.house,
            list(game.seats.order_by("position").values_list("name", "total", "line")),
            list(game.entries.order_by("version").values_list("kind", flat=True)),
        )
        for game in games
    ]


def test_demo_games_are_what_their_journals_say():
    demo("--games", "10")

    assert [differences_of(pk) for pk in Game.objects.values_list("pk", flat=True)] == [[]] * 10


def test_demo_plays_all_tables_and_leaves_some_games_open():
    demo("--games", "10")

    seats = [game.seats.count() for game in Game.objects.order_by("pk")]
    assert seats == [3, 4, 5, 6, 3, 4, 5, 6, 3, 4]
    assert Game.objects.exclude(state=Game.State.FINISHED).count() == 2
    assert Game.objects.filter(state=Game.State.FINISHED).count() == 8


def test_demo_bids_lie_near_the_cards_and_about_half_come_true():
    demo("--games", "10", "--seed", "2")

    played = Bid.objects.filter(points__isnull=False).values_list("tricks_bid", "tricks_taken")
    exact = sum(bid == taken for bid, taken in played)
    assert 0.3 < exact / len(played) < 0.7
    assert 0.8 < sum(bid for bid, _taken in played) / sum(taken for _bid, taken in played) < 1.2


def test_demo_has_ties_and_steps_back():
    demo("--games", "13")

    winners = [
        Seat.objects.filter(game=game).order_by("-total").values_list("total", flat=True)[:2] for game in finished()
    ]
    assert any(first == second for first, second in winners)
    assert Entry.objects.filter(kind=Entry.Kind.STEPPED_BACK).exists()


def finished():
    return Game.objects.filter(state=Game.State.FINISHED)


def test_same_seed_gives_the_same_games_and_another_seed_others():
    demo("--games", "3", "--seed", "3")
    demo("--games", "3", "--seed", "3")
    demo("--games", "3", "--seed", "4")

    games = contents()
    assert games[3:6] == games[:3]
    assert games[6:] != games[:3]


def test_printed_addresses_open_their_games(client):
    lines = demo("--games", "6")

    opened = [re.match(r"  (finished|unfinished) +(/j/\S+)  (.+)", line) for line in lines]
    addresses = {found[1]: (found[2], found[3]) for found in opened if found}
    assert list(addresses) == ["unfinished", "finished"]
    for state, (address, names) in addresses.items():
        page = client.get(address, follow=True)
        game = Game.objects.get(pk=int(page.redirect_chain[-1][0].split("/")[2]))
        assert game.is_finished == (state == "finished")
        assert ", ".join(game.seats.order_by("position").values_list("name", flat=True)) == names


def test_no_games_are_refused():
    with pytest.raises(CommandError, match="At least one game is needed"):
        demo("--games", "0")
    assert Game.objects.count() == 0
