"""`manage.py demo`: games as people would have tapped them in, the same for the same seed."""

import re
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from scoresheets.models import Bid, Club, Entry, Game, Merge, Season, Seat
from scoresheets.models.games import night_of
from scoresheets.recording import statistics
from scoresheets.recording.repair import differences_of

pytestmark = pytest.mark.django_db


def demo(*arguments):
    """Return the lines that the command prints for quick games."""
    return command("--evenings", "0", *arguments)


def command(*arguments):
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue().splitlines()


def contents(games=None):
    """Return what the games hold, without ids, times and secrets."""
    games = (Game.objects if games is None else games).order_by("pk")
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
    demo("--games", "6")

    assert [differences_of(pk) for pk in Game.objects.values_list("pk", flat=True)] == [[]] * 6


def test_demo_plays_all_tables_and_leaves_some_games_open():
    demo("--games", "6")

    seats = [game.seats.count() for game in Game.objects.order_by("pk")]
    assert seats == [3, 4, 5, 6, 3, 4]
    assert Game.objects.exclude(state=Game.State.FINISHED).count() == 2
    assert Game.objects.filter(state=Game.State.FINISHED).count() == 4


def test_demo_bids_lie_near_the_cards_and_about_half_come_true():
    demo("--games", "5", "--seed", "2")

    played = Bid.objects.filter(points__isnull=False).values_list("tricks_bid", "tricks_taken")
    exact = sum(bid == taken for bid, taken in played)
    assert 0.3 < exact / len(played) < 0.7
    assert 0.8 < sum(bid for bid, _taken in played) / sum(taken for _bid, taken in played) < 1.2


def test_demo_has_ties_and_steps_back():
    demo("--games", "3", "--seed", "2")

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


@pytest.mark.parametrize(("games", "evenings"), [("0", "0"), ("-1", "2"), ("2", "-1")])
def test_nothing_is_refused(games, evenings):
    with pytest.raises(CommandError, match=r"At least one game|cannot be fewer"):
        command("--games", games, "--evenings", evenings)
    assert (Game.objects.count(), Club.objects.count()) == (0, 0)


# -- the club --------------------------------------------------------------------------------------------------------


def club_of(*arguments):
    """Return the club that the command makes, and the lines it prints."""
    lines = command("--games", "0", "--evenings", "3", *arguments)
    return Club.objects.latest("pk"), lines


def test_demo_club_has_something_of_everything():
    club, _lines = club_of()

    assert club.visibility == "public"
    assert club.players.count() == 15
    assert club.players.on_roster().count() == 13
    assert club.players.filter(user__isnull=False).count() == 2
    assert club.players.on_roster().filter(is_guest=True).count() == 3
    assert Merge.objects.get().kept.results.filter(game__seats__player=Merge.objects.get().merged).exists()
    assert set(club.memberships.values_list("role", flat=True)) == {"owner", "scorer"}
    states = Counter(club.games.values_list("state", "halted", "incomplete"))
    finished = states.pop(("finished", "", False))
    assert states == {
        ("finished", "", True): 1,
        ("finished", "voided", False): 1,
        ("bidding", "", False): 1,
        ("bidding", "abandoned", False): 1,
    }
    assert club.tally.games == finished + 1
    assert Entry.objects.filter(game__club=club, kind="round_corrected").exists()
    assert Season.objects.get(club=club).standings.exists()


def test_demo_club_has_evenings_behind_it_before_it_and_one_now():
    club, _lines = club_of()

    evenings = club.evenings.order_by("starts_at")
    now = timezone.now()
    past, off, tonight, *planned = evenings
    assert past.closed_at
    assert past.games.count() >= 2
    assert off.cancelled_at
    assert tonight.is_open
    assert past.night < off.night < tonight.night == night_of(now, club.time_zone)
    assert [(evening.starts_at > now, evening.opened_at) for evening in planned] == [(True, None)] * 3
    assert {*planned[0].attendances.values_list("answer", flat=True)} == {"yes", "maybe", "no"}
    for evening in (past, tonight):
        here = evening.attendances.filter(is_here=True).values_list("player__canonical", flat=True)
        seated = Seat.objects.filter(game__evening=evening).values_list("player__canonical", flat=True)
        assert len(here) >= 7
        assert set(seated) == set(here)


def test_same_seed_gives_the_same_club_and_another_seed_another():
    clubs = [club_of("--seed", seed)[0] for seed in ("3", "3", "4")]

    first, again, other = ([contents(club.games), sorted(club.players.values_list("name"))] for club in clubs)
    assert again == first
    assert other != first
    assert [statistics.differences_of(club) for club in clubs] == [[]] * 3
    assert [found for pk in clubs[2].games.values_list("pk", flat=True) for found in differences_of(pk)] == []


def test_printed_accounts_sign_in_and_printed_addresses_open(client):
    club, lines = club_of()

    printed = [re.fullmatch(r"  (.{12}) (/\S+)  (.+)", line) for line in lines]
    found = {match[1].strip(): match.groups()[1:] for match in printed if match}
    assert list(found) == ["club", "season", "tonight", "running game", "the owner", "a scorer"]
    for page in ("club", "season"):
        assert client.get(found[page][0]).status_code == 200
    running = club.games.get(state="bidding", halted="")
    assert client.get(found["running game"][0], follow=True).redirect_chain[-1][0] == f"/games/{running.pk}/"
    for who, role in (("the owner", "owner"), ("a scorer", "scorer")):
        name, password = re.fullmatch("(.+), password (.+)", found[who][1]).groups()
        assert client.login(request=None, username=name, password=password)
        assert club.memberships.get(user__username=name).role == role
        assert client.get(found["tonight"][0]).status_code == 200
