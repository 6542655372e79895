"""Bare results: recorded as a finished game, counted for points and wins alone, refused as a whole, corrected."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Entry, Evening, Game, PlayerTally, Record, Result, Season, Standing
from scoresheets.models.games import hash_of_secret
from scoresheets.queries.blocks import sheet_of
from scoresheets.queries.filtered import filtered_lifetimes
from scoresheets.queries.leagues import games_behind
from scoresheets.queries.lifetime import Filters, lifetime_player, lifetimes_of
from scoresheets.recording import (
    Conflict,
    RoundValues,
    abandon,
    adjust_points,
    come_back,
    confirm,
    correct_results,
    correct_round,
    end_early,
    join_table,
    lay_coin,
    leave_table,
    move_game,
    note_trump,
    pause,
    record_bids,
    record_results,
    record_round,
    record_sheet,
    record_tricks,
    rematch,
    rename_seat,
    reopen,
    replace_at_table,
    restore,
    save_draft,
    set_evening,
    statistics,
    step_back,
    take_back_coin,
    void,
)
from scoresheets.recording.repair import differences_of, rewrite
from scoresheets.recording.results import results_problems
from tests.scoresheets import clubs
from tests.scoresheets.clubs import add, make_club, member_of, stored
from tests.scoresheets.factories import (
    DEVICE,
    NAMES,
    everything,
    finished_game,
    fresh,
    keeper_of,
    make_game,
    newest_of,
    refused,
    rows_of,
    seat_ids,
    seats_of,
    watcher_of,
)

pytestmark = pytest.mark.django_db

POINTS = (120, -30, 120, 75)


def recorded(points=POINTS, by=OPERATOR, **options):
    return record_results(NAMES[: len(points)], points, by=by, **options)


def club_results(points=POINTS, club=None, **options):
    """Return a game of the club with a player on each seat."""
    club = club or make_club()
    known = [club.players.filter(name=name).first() or add(club, name)[0] for name in NAMES[: len(points)]]
    return recorded(points, club=club, players=[player.pk for player in known], **options).game


# -- what is recorded ------------------------------------------------------------------------------------------------


def test_results_are_a_finished_game_without_rounds():
    started = recorded(by=DEVICE)

    game = fresh(started.game)
    assert (game.detail, game.state, game.version, game.touched, game.plan) == ("results", "finished", 2, 1, [])
    assert (game.house, game.halted, game.incomplete, game.counted) == (rules.HouseRules(), "", False, False)
    assert game.links.get().secret_hash == hash_of_secret(started.secret)
    assert not game.rounds.exists()
    assert [(seat.name, seat.starting, seat.total, seat.exact, seat.rounds, seat.line) for seat in seats_of(game)] == [
        (name, points, points, 0, 0, []) for name, points in zip(NAMES, POINTS, strict=False)
    ]
    assert [seat.rank for seat in seats_of(game)] == [1, 4, 1, 3]


def test_journal_tells_the_start_and_the_points_by_seat():
    game = recorded(by=DEVICE).game

    started, entry = game.entries.order_by("version")
    assert (started.kind, started.payload["plan"], started.payload["seats"]) == ("started", [], seat_ids(game))
    assert (entry.version, entry.kind, entry.via) == (2, Entry.Kind.RESULTS_RECORDED, "device")
    assert entry.payload == {"points": dict(zip(map(str, seat_ids(game)), POINTS, strict=True))}
    assert differences_of(game.pk) == []


@pytest.mark.parametrize(
    ("points", "ranks"),
    [
        ((10, 10, 10), [1, 1, 1]),
        ((-5, -5, 0, -5), [2, 2, 1, 2]),
        ((5000, -5000, 0, 1, 2, 3), [1, 6, 5, 4, 3, 2]),
    ],
)
def test_equal_points_share_their_place_and_the_next_is_skipped(points, ranks):
    game = recorded(points).game

    block = sheet_of(fresh(game)).block
    assert [seat.rank for seat in seats_of(game)] == ranks
    assert (list(block.ranks), list(block.totals)) == (ranks, list(points))
    assert block.decided_by == ("points" if ranks.count(1) == 1 else "shared")


def test_sheet_of_results_has_neither_rounds_nor_a_step_back():
    sheet = sheet_of(fresh(recorded().game))

    assert (sheet.block.rows, sheet.block.plan, sheet.current, sheet.undo) == ((), (), None, None)
    assert [seat.name for seat in sheet.seats] == list(NAMES[:4])


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"detail": "rounds"}, "detail is 'rounds', the journal has 'results'"),
        ({"plan": [1]}, "plan is [1], the journal has []"),
    ],
)
def test_check_finds_what_was_changed_and_repairs_it(change, found):
    game = recorded().game
    Game.objects.filter(pk=game.pk).update(**change)
    game.seats.filter(position=1).update(starting=7, total=9, rank=2)

    differences = differences_of(game.pk)
    rewrite(game.pk)

    assert f"game: {found}" in differences
    assert sum("seat" in line for line in differences) == 3
    assert differences_of(game.pk) == []
    assert [seat.total for seat in seats_of(game)] == list(POINTS)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("results_recorded", {"points": {}}),
        ("results_corrected", {"points": {"1": 5}}),
        ("stepped_back", {"round": 1, "undoes": 2}),
        ("round_corrected", {"round": 1, "bids": {}, "taken": {}}),
    ],
)
def test_journal_that_cannot_have_happened_is_told(kind, payload):
    game = recorded().game
    Entry.objects.create(game=game, version=3, kind=kind, payload=payload, via="command")

    assert differences_of(game.pk)[0].startswith("the journal cannot be played forward")


def test_results_of_a_game_that_has_rounds_are_not_played_forward():
    game = make_game()
    Entry.objects.create(game=game, version=2, kind="results_recorded", payload={"points": {}}, via="command")

    assert "has rounds" in differences_of(game.pk)[0]


# -- refused as a whole ----------------------------------------------------------------------------------------------


def refusal(names, points, **options):
    """Record results that are refused; return the problems as (code, seat). Nothing may be written."""
    before = everything()
    with pytest.raises(rules.RulesError) as caught:
        record_results(names, points, by=OPERATOR, **options)
    assert everything() == before
    assert caught.value.problems == results_problems(names, points, **options)
    return [(problem.code, problem.seat) for problem in caught.value.problems]


def test_all_problems_are_named_at_once():
    later = timezone.now() + timedelta(hours=1)

    assert refusal(["Ada", "ada", ""], (5001, 0, -5001), ranks=[1, 1, 3], played_at=later) == [
        ("name_taken", 1),
        ("name_missing", 2),
        ("points_out_of_range", 0),
        ("points_out_of_range", 2),
        ("rank_mismatch", 1),
        ("played_later", None),
    ]


@pytest.mark.parametrize("people", [0, 2, 7])
def test_three_to_six_people_have_results(people):
    names = [f"Player {number}" for number in range(people)]

    assert refusal(names, [10] * people) == [("players", None)]


def test_points_and_places_of_others_than_the_names_are_told():
    assert refusal(["Ada", "Bo", "Cy"], (1, 2), ranks=[1]) == [("wrong_length", None), ("wrong_length", None)]


def test_place_that_contradicts_the_points_is_told_with_name_and_both_places():
    (problem,) = results_problems(NAMES[:4], POINTS, ranks=[1, 4, 3, None])

    assert (problem.code, problem.seat) == ("rank_mismatch", 2)
    assert problem.args == {"name": "Cem", "told": 3, "found": 1}


@pytest.mark.parametrize("ranks", [[1, 4, 2, 3], [2, 4, 1, 3], [1, 4, 1, 3], [None] * 4])
def test_any_of_the_places_that_equal_points_share_will_do(ranks):
    assert results_problems(NAMES[:4], POINTS, ranks=ranks) == ()


def test_whom_a_club_or_the_actor_refuses_has_no_results():
    club, other = make_club(), make_club("Other")
    (ada,), (stranger,) = add(club, "Ada"), add(other, "Ben")

    def check(error, codes, **given):
        clubs.refused(error, codes, record_results, NAMES[:3], (1, 2, 3), **{"by": OPERATOR, "club": club, **given})

    check(PermissionDenied, "", by=member_of(club))
    check(PermissionDenied, "", by=DEVICE)
    check(Conflict, "player_unknown", players=[stranger.pk, None, None])
    check(Conflict, "evening_unknown", evening=99)
    check(rules.RulesError, "player_twice", players=[ada.pk, ada.pk, None])
    check(ValueError, "", players=[ada.pk])


# -- repeats ---------------------------------------------------------------------------------------------------------


def test_same_key_again_gives_the_same_game_and_other_points_a_conflict():
    first = recorded(key="k", by=DEVICE)
    before = everything()

    again = recorded(key="k", by=DEVICE)
    with pytest.raises(Conflict) as other:
        recorded((1, 2, 3, 4), key="k", by=DEVICE)
    with pytest.raises(Conflict) as sheet:
        record_sheet(
            NAMES[:3],
            rules.HouseRules(),
            first_dealer=0,
            rounds=[rules.PlayedRound((1, 0, 0), (1, 0, 0))],
            by=DEVICE,
            key="k",
        )

    assert (again.game, again.secret, again.repeated) == (first.game, first.secret, True)
    assert (other.value.code, sheet.value.code) == ("key_reused", "key_reused")
    assert everything() == before


# -- in a club -------------------------------------------------------------------------------------------------------


def test_game_belongs_to_the_night_it_was_played_and_to_the_evening_named():
    club = make_club(time_zone="Pacific/Auckland")
    evening = Evening.objects.create(club=club, night=date(2024, 4, 5), starts_at=timezone.now())
    then = datetime(2024, 5, 3, 12, 30, tzinfo=UTC)  # half past midnight of the 4th, there

    game = fresh(recorded(club=club, players=["Cleo", None, None, None], played_at=then).game)
    named = fresh(recorded(club=club, played_at=then, evening=evening.pk).game)

    assert (game.night, game.evening, game.started_at, game.finished_at) == (date(2024, 5, 3), None, then, then)
    assert seats_of(game)[0].player == club.players.get(name="Cleo", is_guest=True)
    assert (named.night, named.evening) == (evening.night, evening)
    assert [differences_of(one.pk) for one in (game, named)] == [[], []]


def test_results_count_for_points_and_wins_and_not_for_bids():
    club = make_club(visibility="public")
    season = Season.objects.create(club=club, name="All", starts_on=date(2020, 1, 1))
    club_results(club=club)

    annika = club.players.get(name="Annika")
    tally = PlayerTally.objects.get(player=annika)
    assert (tally.games, tally.ranked, tally.rated, tally.wins, tally.shared_wins, tally.total_sum) == (
        1,
        1,
        1,
        1,
        1,
        120,
    )
    assert (tally.bids, tally.exact, tally.points_sum, tally.exact_run, tally.exact_run_most) == (0, 0, 0, 0, 0)
    result = Result.objects.get(player=annika)
    assert (result.total, result.rank, result.level, result.margin, result.players) == (120, 1, 2, None, 4)
    assert (result.rounds, result.exact, result.best_round, result.worst_round, result.highest_exact) == (
        *(0, 0, None, None, None),
    )
    assert set(Record.objects.filter(player=annika).values_list("kind", "value")) == {
        ("best_total", 120),
        ("worst_total", 120),
        ("best_night", 1),
    }
    standing = Standing.objects.get(season=season, player=annika)
    assert (standing.games, standing.wins, standing.points, standing.bids) == (1, 1, 60 * 120, 0)
    assert statistics.differences_of(club) == []


def test_run_of_exact_bids_goes_on_over_a_game_without_bids():
    club = make_club()
    players = add(club, *NAMES[:3])
    exact = [rules.PlayedRound((1, 0, 0), (1, 0, 0))]

    def play(days):
        record_sheet(
            NAMES[:3],
            rules.HouseRules(),
            first_dealer=0,
            rounds=exact,
            club=club,
            players=[player.pk for player in players],
            played_at=timezone.now() - timedelta(days=days),
            by=OPERATOR,
        )

    play(3)
    club_results((1, 2, 3), club=club, played_at=timezone.now() - timedelta(days=2))
    play(1)

    tally = PlayerTally.objects.get(player=players[0])
    assert (tally.exact_run, tally.exact_run_most, tally.games, tally.bids) == (2, 2, 3, 2)
    assert statistics.differences_of(club) == []


def test_season_of_the_exact_bid_rate_does_not_know_them():
    club = make_club()
    rate = Season.objects.create(
        club=club, name="Rate", starts_on=date(2020, 1, 1), formula="exact_rate", fewest_games=2
    )
    players = add(club, *NAMES[:3])
    clubs.finished(club, players)
    before = list(Standing.objects.values_list("player", "games", "bids", "score", "ranked"))

    club_results((1, 2, 3), club=club)

    assert list(Standing.objects.values_list("player", "games", "bids", "score", "ranked")) == before
    assert len(games_behind(rate, players[0]).games) == 1
    assert statistics.differences_of(club) == []


@pytest.mark.parametrize("filters", [{}, {"season": True}, {"players": 4}, {"edition": "base"}])
def test_lifetime_is_the_same_from_tallies_and_from_lines(filters):
    club = make_club()
    if "season" in filters:
        filters = {"season": Season.objects.create(club=club, name="All", starts_on=date(2020, 1, 1))}
    club_results(club=club)
    club_results((10, 20, 30, 40), club=club)
    players = add(club, *NAMES[4:6])
    clubs.finished(club, [club.players.get(name="Annika"), *players])
    annika = lifetime_player(club.pk, club.players.get(name="Annika").pk)

    kept = lifetimes_of([annika])[annika.pk]
    worked_out = filtered_lifetimes([annika], Filters(**filters))[annika.pk]

    if filters.get("players"):
        assert (worked_out.games, worked_out.rate.bids, worked_out.total_sum) == (2, 0, 130)
        return
    assert (kept.games, kept.wins, kept.rate.bids, kept.mean_total) == (3, 2, 1, (120 + 10 + 30) / 3)
    assert (worked_out.games, worked_out.total_sum, worked_out.rate, worked_out.runs, worked_out.records) == (
        *(kept.games, kept.total_sum, kept.rate, kept.runs, kept.records),
    )


# -- what such a game cannot do, and what it can ---------------------------------------------------------------------


def test_what_needs_rounds_is_refused_with_its_reason():
    game = recorded().game
    first, second, *_others = seat_ids(game)
    seen = {"seen": game.version, "by": OPERATOR}
    taken = dict.fromkeys(seat_ids(game), 0)
    values = RoundValues(bids=taken, taken=taken)
    newcomer = {"name": "Zoe", "cards": [1], **seen}
    for verb, arguments in (
        (record_bids, {"bids": {first: 0}, **seen}),
        (record_tricks, {"taken": taken, **seen}),
        (record_round, {"bids": taken, "taken": taken, **seen}),
        (save_draft, {"draft": {}, **seen}),
        (note_trump, {"number": 1, "trump": "R", "by": OPERATOR}),
        (lay_coin, {"trick": 1, "seat": first, **seen}),
        (take_back_coin, {"trick": 1, **seen}),
        (correct_round, {"number": 1, "values": values, "reason": "Misread", **seen}),
        (adjust_points, {"seat": first, "points": 10, "reason": "Bonus", "by": OPERATOR}),
        (step_back, {"undoes": game.version, "by": OPERATOR}),
        (reopen, {"by": OPERATOR, "reason": "More"}),
        (rematch, {"by": OPERATOR}),
        (join_table, {"after": first, **newcomer}),
        (come_back, {"seat": first, "cards": [1], **seen}),
        (leave_table, {"seat": first, "cards": [1], **seen}),
        (replace_at_table, {"seat": second, "name": "Zoe", **seen}),
    ):
        refused(Conflict, "results_only", verb, game, **arguments)
    for verb, arguments in ((pause, {}), (abandon, {}), (end_early, {})):
        refused(Conflict, "is_finished", verb, game, by=OPERATOR, **arguments)


def test_results_are_voided_restored_moved_confirmed_renamed_and_put_to_an_evening():
    club, other = make_club(), make_club("Other")
    evening = Evening.objects.create(club=other, night=date(2024, 4, 5), starts_at=timezone.now())
    game = club_results(club=club)

    void(game, by=OPERATOR, reason="Wrong table")
    assert not Result.objects.exists()
    restore(game, by=OPERATOR)
    move_game(game, other, players={seat: f"New {seat}" for seat in seat_ids(game)}, by=OPERATOR)
    assert not PlayerTally.objects.filter(club=club).exists()
    set_evening(game, evening, by=OPERATOR)
    rename_seat(game, seat=seat_ids(game)[0], name="Zoe", reason="Wrong person", by=OPERATOR)
    confirm(game, seen=newest_of(game), by=OPERATOR)

    assert fresh(game).is_confirmed
    assert Result.objects.filter(club=other, evening=evening).count() == 4
    assert differences_of(game.pk) == []
    assert [statistics.differences_of(one) for one in (club, other)] == [[], []]


# -- corrections -----------------------------------------------------------------------------------------------------


def test_corrected_points_change_places_statistics_and_confirmation():
    game = club_results()
    confirm(game, seen=2, by=OPERATOR)

    outcome = correct_results(game.pk, (120, 200, 100, 75), seen=3, reason="Misread", by=OPERATOR)

    stored_game, entry = fresh(game), game.entries.latest("version")
    assert [(seat.starting, seat.total, seat.rank) for seat in seats_of(game)] == [
        *((120, 120, 2), (200, 200, 1), (100, 100, 3), (75, 75, 4)),
    ]
    assert (outcome.game.version, stored_game.is_confirmed) == (4, False)
    assert (entry.kind, entry.reason) == ("results_corrected", "Misread")
    ids = list(map(str, seat_ids(game)))
    assert entry.payload == {
        "points": dict(zip(ids, (120, 200, 100, 75), strict=True)),
        "before": {"points": dict(zip(ids, POINTS, strict=True))},
    }
    assert Result.objects.get(game=game, rank=1).total == 200
    assert differences_of(game.pk) == []
    assert statistics.differences_of(game.club) == []


def test_corrections_are_refused_and_write_nothing():
    game = recorded().game
    right = {"points": (1, 2, 3, 4), "seen": 2, "reason": "Misread", "by": OPERATOR}

    def check(error, codes, **given):
        refused(
            error, codes, lambda game, points, **more: correct_results(game.pk, points, **more), game, **right | given
        )

    check(Conflict, "stale", seen=1)
    check(Conflict, "stale", seen=3)
    check(Conflict, "nothing_changed", points=POINTS)
    check(Conflict, "missing_seats", points=(1, 2, 3))
    check(rules.RulesError, ["points_out_of_range", "reason_missing"], points=(1, 2, 3, 5001), reason=" ")
    check(rules.RulesError, "reason_too_long", reason="x" * 501)
    before = rows_of(game)
    for actor in (DEVICE, watcher_of(game)):
        with pytest.raises(PermissionDenied):
            correct_results(game.pk, (1, 2, 3, 4), seen=2, reason="Misread", by=actor)
    assert rows_of(game)["entries"] == before["entries"]
    void(game, by=OPERATOR, reason="Wrong table")
    check(Conflict, "halted", seen=3)


def test_points_that_follow_from_rounds_are_not_corrected():
    game = finished_game([[(1, 1), (0, 0), (0, 0)]])
    before = rows_of(game)

    with pytest.raises(Conflict) as caught:
        correct_results(game.pk, (1, 2, 3), seen=game.version, reason="Misread", by=OPERATOR)

    assert caught.value.code == "has_rounds"
    assert rows_of(game) == before


def test_name_changed_meanwhile_does_not_make_the_points_stale_and_a_correction_does():
    game = recorded().game
    by = keeper_of(game)
    rename_seat(game, seat=seat_ids(game)[0], name="Zoe", reason="Wrong person", by=OPERATOR)

    correct_results(game.pk, (1, 2, 3, 4), seen=2, reason="Misread", by=by, key="k")
    again = correct_results(game.pk, (1, 2, 3, 4), seen=2, reason="Misread", by=by, key="k")
    with pytest.raises(Conflict) as late:
        correct_results(game.pk, (4, 3, 2, 1), seen=3, reason="No", by=OPERATOR)

    assert (again.repeated, late.value.code) == (True, "stale")
    assert [seat.total for seat in seats_of(game)] == [1, 2, 3, 4]


# -- cost ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 6])
def test_statements_of_results(seats):
    with CaptureQueriesContext(connection) as captured:
        recorded(tuple(range(seats)), key="k")

    asked = [query["sql"].split()[0] for query in captured.captured_queries]
    # Receipt read; game, seats, two entries, link and receipt written; old receipts deleted.
    assert [word for word in asked if word in {"SELECT", "INSERT", "UPDATE", "DELETE"}] == [
        "SELECT",
        *["INSERT"] * 6,
        "DELETE",
    ]


def test_refusal_writes_nothing_of_a_club():
    club = make_club()
    before = stored()

    with pytest.raises(rules.RulesError):
        recorded((1, 2, 3), club=club, players=["Ada", "ada", None])

    assert stored() == before
