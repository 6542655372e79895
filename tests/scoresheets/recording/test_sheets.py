"""A whole sheet recorded at once: as if it had been played here, refused as a whole, taken back round by round."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given, settings

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid, Entry, Evening, Game, PlayerTally, Result
from scoresheets.models.games import hash_of_secret, night_of
from scoresheets.queries.blocks import sheet_of
from scoresheets.recording import (
    Conflict,
    RoundValues,
    correct_round,
    record_round,
    record_sheet,
    rematch,
    reopen,
    start_game,
    step_back,
)
from scoresheets.recording.repair import differences_of, rewrite
from scoresheets.recording.sheets import record_problems
from tests.rules.games import games, sheet
from tests.scoresheets.clubs import add, make_club, member_of, refused, stored
from tests.scoresheets.factories import (
    DEVICE,
    NAMES,
    everything,
    fresh,
    make_game,
    open_round,
    play_round,
    rows_of,
    seat_ids,
    seats_of,
    stage_of,
)
from tests.thorough import scaled

pytestmark = pytest.mark.django_db

FULL = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True)
#: Three rounds of four: a bomb, a cloud and blind bids among them.
ROUNDS = (
    rules.PlayedRound((0, 0, 1, 0), (1, 0, 0, 0)),
    rules.PlayedRound((1, 0, 1, 0), (0, 0, 1, 0), bombs=1, blind=(False, True, False, True)),
    rules.PlayedRound((0, 2, 1, 0), (1, 2, 0, 0), clouds=((0, 1),)),
)


def recorded(rounds=ROUNDS, house=FULL, first_dealer=1, by=OPERATOR, **options):
    return record_sheet(NAMES[: len(rounds[0].bids)], house, first_dealer=first_dealer, rounds=rounds, by=by, **options)


def paper(name):
    """Return the rounds of one of the published sheets, the totals they end with, and the ladder."""
    rows = sheet(name)["rounds"]
    rounds = [rules.PlayedRound(tuple(row["bids"]), tuple(row["tricks"])) for row in rows]
    ladder = {"ladder": "tournament"} if sheet(name)["ladder"].startswith("tournament") else {"ladder": "free"}
    return rounds, rows[-1]["totals"], ladder | {"cards": [row["cards"] for row in rows]}


def test_record_sheet_leaves_a_finished_game():
    started = recorded(by=DEVICE)

    game = fresh(started.game)
    assert (game.state, game.version, game.touched, game.plan, game.first_dealer) == ("finished", 2, 1, [1, 2, 3], 1)
    assert (game.halted, game.incomplete, game.house) == ("", False, FULL)
    assert not started.repeated
    assert game.links.get().secret_hash == hash_of_secret(started.secret)
    seats = seats_of(game)
    assert [(seat.name, seat.total, seat.exact, seat.rounds, seat.rank) for seat in seats] == [
        ("Annika", -10 - 10 + 30, 1, 3, 3),
        ("Bernd", 20 + 40 + 40, 3, 3, 1),
        ("Cem", -10 + 30 - 10, 1, 3, 3),
        ("Doro", 20 + 40 + 20, 3, 3, 2),
    ]
    assert seats[0].line == [[0, 1, -10], [1, 0, -10], [0, 1, 30, 0, 1]]
    assert seats[1].line[1] == [0, 0, 40, 1, 0]
    assert list(game.rounds.values_list("number", "cards", "bombs", "state", "stage_version", "scored_version")) == [
        (1, 1, 0, "scored", 1, 2),
        (2, 2, 1, "scored", 2, 2),
        (3, 3, 0, "scored", 2, 2),
    ]
    assert [row.dealer_id for row in game.rounds.all()] == [seats[place].pk for place in (1, 2, 3)]
    assert set(Bid.objects.values_list("version", flat=True)) == {2}


def test_record_sheet_writes_two_entries_with_seat_ids_and_no_names():
    game = recorded(by=DEVICE).game

    started, entry = game.entries.order_by("version")
    first, second, third, fourth = seat_ids(game)
    assert (started.version, started.kind, started.via) == (1, Entry.Kind.STARTED, "device")
    alike = make_game(house=FULL, length=3, first_dealer=1).entries.get().payload
    assert started.payload == alike | {"seats": [first, second, third, fourth]}
    assert (entry.version, entry.kind, entry.via) == (2, Entry.Kind.SHEET_RECORDED, "device")
    assert entry.payload["rounds"][1] == {
        "bids": {str(first): 1, str(second): 0, str(third): 1, str(fourth): 0},
        "taken": {str(first): 0, str(second): 0, str(third): 1, str(fourth): 0},
        "bombs": 1,
        "blind": [second, fourth],
    }
    assert entry.payload["rounds"][2]["clouds"] == {str(first): 1}
    assert not any(name in str(entry.payload) for name in NAMES)


def test_sheet_is_the_same_game_as_one_played_here():
    plain = rules.HouseRules()
    rounds = [replace(played, bombs=0, clouds=(), blind=()) for played in (ROUNDS[0], ROUNDS[2])]
    played = make_game(house=plain, ladder="free", cards=[1, 3], first_dealer=2)
    for row in rounds:
        play_round(played, row.bids, row.tricks)

    typed = recorded(rounds, plain, first_dealer=2, ladder="free", cards=[1, 3]).game

    def without_ids(game):
        stage = stage_of(game)
        places = {seat: place for place, seat in enumerate(seat_ids(game))}
        for row in stage["rounds"]:
            row["dealer"] = places[row["dealer"]]
        for bid in stage["bids"]:
            bid["seat"] = places[bid["seat"]]
        return stage

    assert without_ids(typed) == without_ids(played)


@pytest.mark.parametrize("name", ["S1", "S2", "S6"])
def test_published_sheets_end_with_their_totals(name):
    rounds, totals, ladder = paper(name)

    game = recorded(rounds, rules.HouseRules(), **ladder).game

    assert [seat.total for seat in seats_of(game)] == totals
    assert len(game.plan) == len(rounds)
    assert differences_of(game.pk) == []


@settings(max_examples=scaled(25))
@given(games())
def test_any_game_recorded_is_the_block_scored_from_its_rounds(drawn):
    house, plan, played, _starting = drawn
    if not played:
        return
    seats = len(played[0].bids)

    game = recorded(played, house, first_dealer=seats - 1).game

    block = sheet_of(fresh(game)).block
    expected = rules.Block.scored(house, plan[: len(played)], played, first_dealer=seats - 1)
    assert (block.rows, block.running_totals, block.ranks) == (
        tuple(replace(row, trump=shown.trump) for row, shown in zip(expected.rows, block.rows, strict=True)),
        expected.running_totals,
        expected.ranks,
    )
    assert block.is_complete
    assert differences_of(game.pk) == []
    before = rows_of(game)
    rewrite(game.pk)
    assert stage_and_versions(before) == stage_and_versions(rows_of(game))


def stage_and_versions(rows):
    """Return all rows but their ids, and the game's `touched`, which a repair raises."""
    return {
        kind: [
            {
                name: value
                for name, value in row.items()
                if name not in {"touched"} and (kind in {"seats", "entries"} or name not in {"id", "round_id"})
            }
            for row in values
        ]
        for kind, values in rows.items()
    }


def test_sheet_says_when_it_was_played():
    then = timezone.now() - timedelta(days=400)

    game = fresh(recorded(played_at=then).game)

    assert (game.started_at, game.finished_at) == (then, then)
    assert (timezone.now() - game.entries.latest("version").at) < timedelta(minutes=1)


def test_sheet_is_as_long_as_it_has_rounds():
    game = recorded(ROUNDS[:1], ladder="tournament").game

    assert (game.plan, game.ladder, game.is_finished) == ([1], "tournament", True)


def test_bids_that_added_up_are_let_through():
    house = rules.HouseRules(plus_minus_one=True)

    game = recorded([rules.PlayedRound((1, 0, 0), (1, 0, 0))], house).game

    assert [seat.total for seat in seats_of(game)] == [30, 20, 20]
    assert differences_of(game.pk) == []


# -- repeats ---------------------------------------------------------------------------------------------------------


def test_same_key_again_gives_the_same_game_and_link():
    first = recorded(key="k", by=DEVICE)
    before = everything()

    again = recorded(key="k", by=DEVICE)

    assert (again.game, again.secret, again.repeated) == (first.game, first.secret, True)
    assert everything() == before


@pytest.mark.parametrize(
    "other",
    [
        {"rounds": ROUNDS[:2]},
        {"rounds": (*ROUNDS[:2], replace(ROUNDS[2], clouds=((0, -1),), bids=(1, 2, 1, 0)))},
        {"rounds": (ROUNDS[0], replace(ROUNDS[1], blind=()), ROUNDS[2])},
        {"first_dealer": 2},
        {"house": replace(FULL, tie_break="shared")},
        {"ladder": "free", "cards": [1, 2, 3]},
        {"played_at": timezone.now() - timedelta(days=1)},
    ],
)
def test_same_key_with_another_sheet_is_a_conflict(other):
    recorded(key="k", by=DEVICE)
    before = everything()

    with pytest.raises(Conflict) as refused:
        recorded(key="k", by=DEVICE, **other)

    assert refused.value.code == "key_reused"
    assert everything() == before


def test_without_a_key_each_sheet_is_a_game():
    assert recorded().game != recorded().game


# -- refused as a whole ----------------------------------------------------------------------------------------------


def refusal(*, names=NAMES[:4], house=FULL, first_dealer=0, rounds=ROUNDS, **options):
    """Record a sheet that is refused and return the problems as (code, seat, round); nothing may be written."""
    before = everything()
    with pytest.raises(rules.RulesError) as refused:
        record_sheet(names, house, first_dealer=first_dealer, rounds=rounds, by=OPERATOR, **options)
    assert everything() == before
    problems = refused.value.problems
    assert problems == record_problems(names, house, first_dealer=first_dealer, rounds=rounds, **options)
    return [(problem.code, problem.seat, problem.args.get("round")) for problem in problems]


def test_all_problems_of_all_rounds_are_named_at_once():
    assert refusal(
        rounds=(
            rules.PlayedRound((2, 0, 0, 0), (1, 0, 0, 0)),
            rules.PlayedRound((0, 0, 0, 0), (0, 0, 0, 1), bombs=2),
            rules.PlayedRound((0, 0, 0, 0), (3, 0, 0, 0), clouds=((1, 1), (2, -1))),
            rules.PlayedRound((0, 0, 0, -1), (1, 1, 1, 0)),
        )
    ) == [
        ("bid_out_of_range", 0, 1),
        ("too_many_bombs", None, 2),
        ("tricks_out_of_range", 3, 2),
        ("too_many_clouds", None, 3),
        ("cloud_without_trick", 1, 3),
        ("cloud_without_trick", 2, 3),
        ("cloud_bid_out_of_range", 2, 3),
        ("bid_out_of_range", 3, 4),
        ("tricks_sum", None, 4),
    ]


def test_problems_of_the_table_come_with_those_of_the_rounds():
    wrong = (*ROUNDS[:2], rules.PlayedRound((0, 0, 0, 0), (0, 0, 0, 0)))

    assert refusal(names=["Annika", "annika", "", "Doro"], first_dealer=4, rounds=wrong) == [
        ("name_taken", 1, None),
        ("name_missing", 2, None),
        ("dealer_out_of_range", None, None),
        ("tricks_sum", None, 3),
    ]


def test_rounds_of_another_length_are_named():
    short = rules.PlayedRound((0, 0, 1), (0, 0, 1))
    no_tricks = rules.PlayedRound((0, 0, 1, 0), (0, 1), blind=(True,))

    assert refusal(rounds=(short, no_tricks)) == [
        ("wrong_length", None, 1),
        ("wrong_length", None, 2),
        ("wrong_length", None, 2),
    ]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"rounds": ()}, "rounds_out_of_range"),
        ({"rounds": ROUNDS * 6}, "rounds_out_of_range"),
        ({"ladder": "free"}, "ladder_cards"),
        ({"ladder": "free", "cards": [1, 2]}, "rounds_out_of_range"),
        ({"ladder": "free", "cards": [1, 2, 40]}, "cards_exceed_deck"),
        ({"ladder": "stairs"}, "ladder_unknown"),
        ({"names": NAMES[:2]}, "players"),
        ({"played_at": timezone.now() + timedelta(days=1)}, "played_later"),
    ],
)
def test_sheet_without_a_plan_or_from_the_future_is_refused(options, problem):
    assert problem in [code for code, _seat, _round in refusal(**options)]


@pytest.mark.parametrize(
    ("played", "problem"),
    [
        (replace(ROUNDS[1], blind=()), "bomb_not_in_deck"),
        (ROUNDS[2], "cloud_not_in_deck"),
        (replace(ROUNDS[1], bombs=0, tricks=(0, 1, 1, 0)), "blind_not_enabled"),
    ],
)
def test_what_the_table_did_not_play_with_is_refused(played, problem):
    cards = [sum(played.tricks) + played.bombs]

    found = refusal(house=rules.HouseRules(), rounds=[played], ladder="free", cards=cards)

    assert {code for code, _seat, _round in found} == {problem}


# -- what comes after ------------------------------------------------------------------------------------------------


def test_taking_back_the_last_round_keeps_all_of_it_typed_in():
    game = recorded().game
    seats = [str(seat) for seat in seat_ids(game)]

    step_back(game, undoes=2, by=OPERATOR)

    opened = open_round(game)
    assert (opened.number, opened.state, opened.bids.count()) == (3, "bidding", 0)
    assert opened.draft == {
        "bids": dict(zip(seats, ROUNDS[2].bids, strict=True)),
        "blind": [],
        "taken": dict(zip(seats, ROUNDS[2].tricks, strict=True)),
        "bombs": 0,
        "clouds": {seats[0]: 1},
    }
    assert [seat.total for seat in seats_of(game)] == [-20, 60, 20, 60]
    assert differences_of(game.pk) == []


def test_each_round_is_taken_back_once_and_recorded_again():
    game = recorded().game
    before = stage_of(game)

    for number in (3, 2, 1):
        undo = sheet_of(fresh(game)).undo
        assert (undo.round_number, undo.tricks) == (number, True)
        step_back(game, undoes=undo.version, by=OPERATOR)
        assert open_round(game).number == number
        assert differences_of(game.pk) == []
        rows = rows_of(game)
        with pytest.raises(Conflict) as refused:  # somebody else meant the same round
            step_back(game, undoes=undo.version, by=OPERATOR)
        assert refused.value.code == ("stale" if number > 1 else "nothing_to_undo")
        assert rows_of(game) == rows
    assert sheet_of(fresh(game)).undo is None
    for played in ROUNDS:
        again(game, played)
        assert differences_of(game.pk) == []

    assert stage_of(game) == before


def again(game, played):
    """Record the open round as it was."""
    seats = seat_ids(game)
    record_round(
        game,
        bids=dict(zip(seats, played.bids, strict=True)),
        taken=dict(zip(seats, played.tricks, strict=True)),
        bombs=played.bombs,
        clouds={seats[place]: delta for place, delta in played.clouds},
        blind=[seat for seat, blind in zip(seats, played.blind, strict=False) if blind],
        seen=open_round(game).stage_version,
        by=OPERATOR,
    )


def test_reopened_sheet_finishes_again():
    game = recorded().game
    before = stage_of(game)

    reopen(game, by=OPERATOR, reason="Miscounted")
    assert fresh(game).state == "bidding"
    assert differences_of(game.pk) == []
    again(game, ROUNDS[2])

    assert stage_of(game) == before
    assert differences_of(game.pk) == []


@pytest.mark.parametrize("taken_back", [False, True])
@pytest.mark.parametrize("number", [1, 2])
def test_round_of_a_sheet_is_corrected(number, taken_back):
    game = recorded().game
    if taken_back:
        reopen(game, by=OPERATOR)
    row = game.rounds.get(number=number)
    bids = list(row.bids.order_by("seat__position"))
    values = RoundValues.of(row, bids)
    first = bids[0].seat_id
    corrected = replace(values, bids={**values.bids, first: 1 - values.bids[first]})

    correct_round(game, number=number, values=corrected, seen=row.changed_version, reason="Misread", by=OPERATOR)

    assert differences_of(game.pk) == []
    assert seats_of(game)[0].line[number - 1][0] == corrected.bids[first]
    undo = sheet_of(fresh(game)).undo
    step_back(game, undoes=undo.version, by=OPERATOR)
    assert differences_of(game.pk) == []


def test_sheet_has_a_rematch():
    game = recorded(first_dealer=1).game

    following = rematch(game, by=OPERATOR).game

    assert (following.plan, following.first_dealer, following.state) == ([1, 2, 3], 0, "bidding")


def test_a_sheet_in_the_wrong_place_is_no_journal():
    game = recorded().game
    entry = game.entries.get(version=2)
    for rounds in (entry.payload["rounds"][:2], [*entry.payload["rounds"], entry.payload["rounds"][0]]):
        Entry.objects.filter(pk=entry.pk).update(payload={"rounds": rounds})
        assert "does not fit the game" in differences_of(game.pk)[0]
    Entry.objects.filter(pk=entry.pk).update(payload=entry.payload)
    Entry.objects.create(game=game, version=3, kind=Entry.Kind.SHEET_RECORDED, payload=entry.payload, via="command")
    assert "entry 3 records a sheet that does not fit the game" in differences_of(game.pk)[0]


# -- in a club -------------------------------------------------------------------------------------------------------


def club_sheet(club, players, **options):
    """Record the sheet into the club, with these players on its first seats."""
    return recorded(
        club=club, players=[*players, None, None, None, None][:4], by=options.pop("by", OPERATOR), **options
    )


def sums_of(club):
    """Return what the statistics have of a club's players, by name, without ids and times."""
    left_out = {"player_id", "club_id", "last_started_at", "last_game"}
    return {
        row.player.name: {name: value for name, value in vars(row).items() if name[0] != "_" and name not in left_out}
        for row in PlayerTally.objects.filter(club=club).select_related("player")
    }


def test_sheet_of_a_club_seats_its_players_and_belongs_to_the_night_it_was_played():
    club = make_club(time_zone="Pacific/Auckland")
    ada, bo = add(club, "Ada", "Bo")
    then = datetime(2024, 5, 3, 12, 30, tzinfo=UTC)  # half past midnight of the 4th, there

    game = fresh(recorded(club=club, players=[ada.pk, "Cleo", None, bo.pk], played_at=then).game)

    cleo = club.players.get(name="Cleo")
    assert [seat.player for seat in seats_of(game)] == [ada, cleo, None, bo]
    assert [seat.name for seat in seats_of(game)] == list(NAMES[:4])
    assert cleo.is_guest
    assert (game.club, game.evening, game.night, game.started_at) == (club, None, date(2024, 5, 3), then)
    assert differences_of(game.pk) == []


def test_sheet_of_a_club_counts_at_once_as_if_it_had_been_played_there():
    typed, played = make_club("Typed", owner="Tia"), make_club("Played", owner="Pia")
    game = start_game(
        NAMES[:4],
        FULL,
        first_dealer=1,
        rounds=3,
        club=played,
        players=[player.pk for player in add(played, *NAMES[:4])],
        by=OPERATOR,
    ).game
    for row in ROUNDS:
        again(game, row)

    sheet = club_sheet(typed, [player.pk for player in add(typed, *NAMES[:4])]).game

    assert fresh(sheet).counted
    assert set(sums_of(typed)) == set(NAMES[:4])
    assert sums_of(typed) == sums_of(played)
    assert Result.objects.filter(game=sheet, rank=1, player__name="Bernd", total=100).exists()


def test_quick_sheet_counts_for_nobody():
    assert not fresh(recorded().game).counted


def test_sheet_taken_back_leaves_the_statistics_and_comes_back():
    club = make_club()
    game = club_sheet(club, [player.pk for player in add(club, "Ada", "Bo")]).game
    before = sums_of(club)

    step_back(game, undoes=2, by=OPERATOR)
    assert sums_of(club) == {}
    again(game, ROUNDS[2])

    assert sums_of(club) == before


def test_only_the_sheet_of_today_belongs_to_the_open_evening():
    club = make_club()
    now = timezone.now()
    tonight = Evening.objects.create(club=club, night=date(2024, 5, 3), starts_at=now, opened_at=now)
    earlier = Evening.objects.create(club=club, night=date(2024, 4, 5), starts_at=now, opened_at=now, closed_at=now)
    then = now - timedelta(days=30)

    evenings = [
        club_sheet(club, [], **options).game
        for options in ({}, {"played_at": then}, {"played_at": then, "evening": earlier.pk})
    ]

    assert [(game.evening, fresh(game).night) for game in evenings] == [
        (tonight, tonight.night),
        (None, night_of(then, club.time_zone)),
        (earlier, earlier.night),
    ]
    assert [differences_of(game.pk) for game in evenings] == [[]] * 3


def test_sheet_of_a_club_is_refused_as_a_new_game_of_it_would_be():
    club, other = make_club(), make_club("Other")
    (ada,), (stranger,) = add(club, "Ada"), add(other, "Ben")
    member = member_of(club)
    evening = Evening.objects.create(club=other, night=date(2024, 5, 3), starts_at=timezone.now())
    arguments = {"first_dealer": 0, "rounds": ROUNDS, "club": club}

    def check(error, codes, **given):
        given = {"by": OPERATOR, **arguments, **given}
        refused(error, codes, record_sheet, NAMES[:4], FULL, **given)

    check(PermissionDenied, "", by=member)
    check(PermissionDenied, "", by=DEVICE)
    check(Conflict, "player_unknown", players=[stranger.pk, None, None, None])
    check(Conflict, "evening_unknown", evening=evening.pk)
    check(rules.RulesError, "player_twice", players=[ada.pk, ada.pk, None, None])
    check(rules.RulesError, "player_name_taken", players=["ada", None, None, None])
    check(ValueError, "", players=[ada.pk])
    check(ValueError, "", players=[ada.pk, None, None, None], club=None)


def test_same_key_in_the_same_club_gives_the_same_game_and_elsewhere_a_conflict():
    club, other = make_club(), make_club("Other")
    first = club_sheet(club, ["Ada"], key="k")
    before = stored()

    again = club_sheet(club, ["Ada"], key="k")
    with pytest.raises(Conflict) as elsewhere:
        club_sheet(other, ["Ada"], key="k")

    assert (again.game, again.secret, again.repeated) == (first.game, first.secret, True)
    assert elsewhere.value.code == "key_reused"
    assert stored() == before


# -- cost ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "length"), [(3, 1), (6, 10), (3, 20)])
def test_statements_of_a_sheet(seats, length):
    played = [
        rules.PlayedRound((cards, *[0] * (seats - 1)), (cards, *[0] * (seats - 1))) for cards in range(1, length + 1)
    ]

    with CaptureQueriesContext(connection) as captured:
        recorded(played, rules.HouseRules(), key="k")

    asked = [query["sql"].split()[0] for query in captured.captured_queries]
    # Receipt read; game, seats, rounds, bids, two entries, link and receipt written; old receipts deleted.
    assert [word for word in asked if word in {"SELECT", "INSERT", "UPDATE", "DELETE"}] == [
        "SELECT",
        *["INSERT"] * 8,
        "DELETE",
    ]
    assert Game.objects.get().rounds.count() == length
