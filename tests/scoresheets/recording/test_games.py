"""Starting a game and its rematch."""

import pytest
from django.core.exceptions import PermissionDenied

import rules
from scoresheets.models import Entry, Game, Link
from scoresheets.models.games import Via, hash_of_secret
from scoresheets.recording import Conflict, rematch, reopen, revoke_link, start_game
from scoresheets.recording.games import start_problems
from scoresheets.recording.names import name_problems
from tests.scoresheets.factories import (
    DEVICE,
    NAMES,
    everything,
    finished_game,
    fresh,
    keeper_of,
    link_to,
    make_game,
    seat_ids,
    seats_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db

EXACT = [[(1, 1), (0, 0), (0, 0)], [(0, 0), (2, 2), (0, 0)]]


def codes(problems):
    return [(problem.code, problem.seat) for problem in problems]


def test_start_game_seats_people_and_opens_round_1():
    started = start_game(NAMES[:4], rules.HouseRules(), first_dealer=2, by=DEVICE)

    game = fresh(started.game)
    assert (game.state, game.version, game.first_dealer, game.ladder) == ("bidding", 1, 2, "full")
    assert game.plan == list(range(1, 16))
    assert [(seat.position, seat.name, seat.rank) for seat in seats_of(game)] == [
        (place, name, 1) for place, name in enumerate(NAMES[:4])
    ]
    assert list(game.rounds.values_list("number", "cards", "dealer", "state", "stage_version")) == [
        (1, 1, seat_ids(game)[2], "bidding", 1)
    ]
    assert not started.repeated


def test_start_game_is_the_first_entry_of_the_journal_without_names():
    house = rules.HouseRules(plus_minus_one=True)
    game = start_game(NAMES[:3], house, first_dealer=1, ladder="tournament", rounds=2, by=DEVICE).game

    entry = game.entries.get()
    assert (entry.version, entry.kind, entry.via, entry.user, entry.label) == (
        1,
        Entry.Kind.STARTED,
        Via.DEVICE,
        None,
        "",
    )
    assert entry.payload == {
        "seats": seat_ids(game),
        "first_dealer": 1,
        "house": house.to_mapping(),
        "ladder": "tournament",
        "plan": [2, 4],
    }


def test_start_game_makes_an_edit_link_of_which_only_the_hash_is_stored():
    started = start_game(NAMES[:3], rules.HouseRules(), first_dealer=0, by=DEVICE)

    link = started.game.links.get()
    assert (link.scope, link.secret_hash) == ("edit", hash_of_secret(started.secret))
    assert len(started.secret) == 22
    assert started.secret not in str(everything())


@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        ([], {}, [("players", None)]),
        (["A", "B"], {}, [("players", None)]),
        (list("ABCDEFG"), {}, [("players", None)]),
        (["A", "", "C"], {}, [("name_missing", 1)]),
        (["A", "  ", "C"], {}, [("name_missing", 1)]),
        (["A", "B" * 41, "C"], {}, [("name_too_long", 1)]),
        (["A", "B", "a"], {}, [("name_taken", 2)]),
        (["Straße", "B", "STRASSE"], {}, [("name_taken", 2)]),
        (["İlker", "B", "ilker"], {}, [("name_taken", 2)]),
        (["A", "B", "C"], {"first_dealer": 3}, [("dealer_out_of_range", None)]),
        (["A", "B", "C"], {"first_dealer": -1}, [("dealer_out_of_range", None)]),
        (["A", "B", "C"], {"rounds": 21}, [("rounds_out_of_range", None)]),
        (["A", "B", "C"], {"rounds": 0}, [("rounds_out_of_range", None)]),
        (["A", "B", "C"], {"ladder": "snake"}, [("ladder_unknown", None)]),
        (list("ABCDEF"), {"ladder": "tournament"}, [("ladder_players", None)]),
        (["A", "a", ""], {"first_dealer": 9}, [("name_taken", 1), ("name_missing", 2), ("dealer_out_of_range", None)]),
    ],
)
def test_start_game_names_every_problem_and_writes_nothing(names, options, expected):
    arguments = {"first_dealer": 0, **options}

    assert codes(start_problems(names, rules.HouseRules(), **arguments)) == expected
    with pytest.raises(rules.RulesError) as refused:
        start_game(names, rules.HouseRules(), by=DEVICE, key="k", **arguments)

    assert codes(refused.value.problems) == expected
    assert everything() == {name: [] for name in everything()}


def test_name_of_forty_characters_is_the_longest():
    assert name_problems(["A" * 40, "B", "C"]) == ()


def test_start_game_again_with_the_same_key_returns_the_same_game_and_secret():
    first = start_game(NAMES[:3], rules.HouseRules(), first_dealer=0, by=DEVICE, key="k1")
    before = everything()

    again = start_game(NAMES[:3], rules.HouseRules(), first_dealer=0, by=DEVICE, key="k1")

    assert (again.game, again.secret, again.repeated) == (first.game, first.secret, True)
    assert everything() == before


@pytest.mark.parametrize(
    "changed",
    [
        {"names": ["Annika", "Bernd", "Doro"]},
        {"house": rules.HouseRules(plus_minus_one=True)},
        {"first_dealer": 1},
        {"rounds": 3},
        {"ladder": "tournament"},
    ],
)
def test_start_game_with_a_key_that_came_with_another_game_is_a_conflict(changed):
    asked = {"names": NAMES[:3], "house": rules.HouseRules(), "first_dealer": 0, "by": DEVICE, "key": "k1"}
    start_game(**asked)
    before = everything()

    with pytest.raises(Conflict) as conflict:
        start_game(**{**asked, **changed})

    assert conflict.value.code == "key_reused"
    assert everything() == before


def test_start_game_with_the_key_of_another_device_starts_another_game():
    first = start_game(NAMES[:3], rules.HouseRules(), first_dealer=0, by=DEVICE, key="k1")
    other = start_game(NAMES[:3], rules.HouseRules(), first_dealer=0, by=DEVICE.of_device("ff"), key="k1")

    assert first.game.pk != other.game.pk
    assert first.secret != other.secret
    assert Game.objects.count() == 2


def test_start_game_without_a_key_starts_a_game_each_time():
    for _ in range(2):
        start_game(NAMES[:3], rules.HouseRules(), first_dealer=0, by=DEVICE)

    assert Game.objects.count() == 2


@pytest.mark.parametrize(("rounds", "first_dealer", "next_dealer"), [(2, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_rematch_keeps_the_table_and_lets_the_next_seat_deal(rounds, first_dealer, next_dealer):
    house = rules.HouseRules(tie_break="shared", plus_minus_one=True, plus_minus_one_from=5)
    game = finished_game(EXACT[:rounds], house=house, first_dealer=first_dealer)

    started = rematch(game, by=keeper_of(game))

    again = fresh(started.game)
    assert (again.house, again.plan, again.ladder) == (game.house, game.plan, game.ladder)
    assert [seat.name for seat in seats_of(again)] == [seat.name for seat in seats_of(game)]
    assert (again.first_dealer, again.rematch_of, again.state, again.version) == (next_dealer, game, "bidding", 1)
    assert again.rounds.get().dealer.position == next_dealer
    assert again.links.get().secret_hash == hash_of_secret(started.secret)


def test_second_keeper_gets_the_same_rematch_with_a_link_of_their_own():
    game = finished_game(EXACT)
    first, second = keeper_of(game), keeper_of(game)

    one, other = rematch(game, by=first, key="k"), rematch(game, by=second, key="k")

    assert one.game == other.game
    assert one.secret != other.secret
    assert sorted(one.game.links.values_list("secret_hash", flat=True)) == sorted(
        [hash_of_secret(one.secret), hash_of_secret(other.secret)]
    )
    assert Game.objects.filter(rematch_of=game).count() == 1


def test_rematch_again_with_the_same_key_writes_nothing():
    game = finished_game(EXACT)
    keeper = keeper_of(game)
    first = rematch(game, by=keeper, key="k")
    before = everything()

    again = rematch(game, by=keeper, key="k")

    assert (again.game, again.secret, again.repeated) == (first.game, first.secret, True)
    assert everything() == before


def test_rematch_of_a_game_opened_again_waits_for_its_end():
    game = finished_game(EXACT)
    keeper = keeper_of(game)
    reopen(game, by=keeper)
    before = everything()

    with pytest.raises(Conflict) as conflict:
        rematch(game, by=keeper)

    assert conflict.value.code == "not_finished"
    assert everything() == before


def test_rematch_is_refused_to_whoever_only_watches():
    game, other = finished_game(EXACT), finished_game(EXACT)
    for actor in (watcher_of(game), keeper_of(other), DEVICE):
        before = everything()

        with pytest.raises(PermissionDenied):
            rematch(game, by=actor, key="k")

        assert everything() == before


def test_revoked_link_stays_listed_and_its_game_keeps_the_other_links():
    game = make_game(seats=3)
    keeper = keeper_of(game)
    link, _secret = link_to(game, "watch", label="TV")

    revoke_link(link, by=keeper)

    assert [(row.scope, row.label, row.is_usable) for row in game.links.order_by("pk")] == [
        ("edit", "", True),
        ("edit", "", True),
        ("watch", "TV", False),
    ]
    assert Link.objects.usable().filter(game=game).count() == 2
