"""Imports: files kept and forgotten, games recorded by the worker, whatever happens to it, and undone as a whole."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import override
from django_tasks_db.models import DBTaskResult

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import ClubTally, Delivery, Entry, Game, Import, ImportedFile, ImportedGame, Membership, Player
from scoresheets.models.games import Via
from scoresheets.recording import imports, statistics, tasks
from scoresheets.recording.imports import LeftOut, NewPerson
from tests.scoresheets.clubs import add, make_club, member_of, owner_of, refused, stored
from tests.scoresheets.factories import fresh, seats_of
from tests.scoresheets.importing import NAMES, NIGHT, begun, games_of, kept, new_game, people, states_of
from tests.scoresheets.webhooks import make_webhook

pytestmark = pytest.mark.django_db

QUEUE = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}


@pytest.fixture
def club():
    return make_club("Nachteulen")


@pytest.fixture
def manager(club):
    return member_of(club, "manager")


@pytest.fixture
def queue(settings):
    """Let tasks wait for a worker, as on the site."""
    settings.TASKS = QUEUE


def all_rows():
    return stored() | {"tasks": list(DBTaskResult.objects.order_by("pk").values())}


def denied(verb, *given, **arguments):
    before = all_rows()
    with pytest.raises(PermissionDenied):
        verb(*given, **arguments)
    assert all_rows() == before


def conflict(code, verb, *given, **arguments):
    before = all_rows()
    with pytest.raises(recording.Conflict, match=code):
        verb(*given, **arguments)
    assert all_rows() == before


# -- the file -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "tidy"),
    [
        ("games.csv", "games.csv"),
        ("C:\\Users\\me\\Spiele 2025.xlsx", "Spiele 2025.xlsx"),
        ("../../etc/passwd", "passwd"),
        ("a\x00\n\u202egpj.csv", "a gpj.csv"),
        ("", "file without a name"),
        ("\u200b/", "file without a name"),
        (f"{'x' * 300}.csv", "x" * 120),
    ],
)
def test_file_is_kept_under_a_tidy_name(given, tidy, club, manager):
    with override("en"):
        found = imports.keep_file(club, b"\x00\xff bytes", given, by=manager)

    assert (found.file_name, found.state, found.by, found.total) == (tidy, "checked", manager.user, 0)
    assert bytes(found.file.content) == b"\x00\xff bytes"


def test_file_sent_twice_is_kept_once(club, manager):
    first, second = (imports.keep_file(club, b"a", "a.csv", by=manager, key="k") for _ in range(2))

    assert first == second
    conflict("key_reused", imports.keep_file, club, b"b", "a.csv", by=manager, key="k")
    imports.discard_import(first, by=manager)
    conflict("import_gone", imports.keep_file, club, b"a", "a.csv", by=manager, key="k")


def test_few_files_wait_and_not_for_ever(club, manager):
    for _ in range(imports.MOST_CHECKED):
        kept(club, manager)
    refused(rules.RulesError, "too_many_imports", imports.keep_file, club, b"a", "a.csv", by=manager)
    old = timezone.now() - imports.FILES_KEPT - timedelta(seconds=1)
    Import.objects.update(created_at=old)

    last = kept(club, manager)

    assert list(Import.objects.all()) == [last]
    assert ImportedFile.objects.count() == 1


def test_only_managers_import(club, manager):
    found = kept(club, manager)
    for who in (member_of(club, "scorer"), member_of(make_club("Andere"), "owner"), OPERATOR):
        denied(imports.keep_file, club, b"a", "a.csv", by=who)
        denied(imports.set_choices, found, {}, by=who)
        denied(imports.discard_import, found, by=who)
        denied(imports.begin_import, found, [new_game()], by=who, planned_at=NIGHT)
        denied(imports.undo_import, found, by=who)


# -- importing ------------------------------------------------------------------------------------------------------


def test_games_are_recorded_oldest_first_for_the_account(club, manager):
    (anna,) = add(club, "Anna")
    bare = replace(new_game(row=9, night=1), rounds=None, points=(30, -10, 120))

    found = begun(
        club,
        [new_game([anna.pk, "Bernd", "Cem"], row=5, night=2), replace(bare, players=(anna.pk, "Bernd", "Cem"))],
        manager,
        people=[NewPerson("Bernd"), NewPerson("Cem", is_guest=True)],
        left_out=[LeftOut(7, "game 7", "twice", NIGHT)],
        kind="sheets",
        choices={"partly": True},
    )

    assert (found.state, found.done, found.total, found.kind, found.choices) == (
        "done",
        2,
        2,
        "sheets",
        {"partly": True},
    )
    assert states_of(found) == [(9, "made", ""), (5, "made", ""), (7, "left_out", "twice")]
    assert not ImportedFile.objects.exists()
    results, sheet = games_of(found)
    assert [game.detail for game in (results, sheet)] == ["results", "rounds"]
    assert [(seat.name, seat.player_id, seat.total) for seat in seats_of(results)] == [
        ("Anna", anna.pk, 30),
        ("Bernd", club.players.get(name="Bernd").pk, -10),
        ("Cem", club.players.get(name="Cem").pk, 120),
    ]
    assert [seat.line for seat in seats_of(sheet)] == [[[0, 0, 20]], [[1, 1, 30]], [[0, 0, 20]]]
    assert sheet.started_at == NIGHT + timedelta(days=2)
    assert set(Entry.objects.values_list("via", "user")) == {(Via.IMPORT, manager.user.pk)}
    assert [club.players.get(name=name).is_guest for name in ("Bernd", "Cem")] == [False, True]
    assert found.made_players == [club.players.get(name=name).pk for name in ("Bernd", "Cem")]
    assert statistics.differences_of(club) == []


def test_sheet_comes_out_as_it_went_in(club, manager):
    house = rules.HouseRules(specials=("BOMB", "CLOUD"), blind_bids=True)
    rounds = (
        rules.PlayedRound((1, 0, 0), (0, 0, 0), bombs=1, blind=(True, False, False)),
        rules.PlayedRound((1, 1, 0), (2, 0, 0), clouds=((0, 1),)),
    )

    found = begun(club, [new_game(rounds=rounds, house=house, first_dealer=2, ladder="free", cards=(1, 2))], manager)

    (game,) = games_of(found)
    assert (game.house, game.first_dealer, game.ladder, game.plan) == (house, 2, "free", [1, 2])
    scores = [played.scores(house, number, number) for number, played in enumerate(rounds, start=1)]
    assert [seat.total for seat in seats_of(game)] == [
        sum(score.points for score in row) for row in zip(*scores, strict=True)
    ]


def test_points_told_otherwise_are_noted(club, manager):
    note = rules.Problem.of("points_mismatch", 1, row=3, column="D (Punkte)", told=40, found=30)

    found = begun(club, [new_game(notes=(note,))], manager)

    (row,) = found.games.all()
    assert imports.problems_in(row.notes) == [note]


def test_game_that_became_impossible_is_noted_and_the_rest_goes_on(club, manager):
    (anna,) = add(club, "Anna")
    other = add(make_club("Andere"), "Bernd")[0]
    wrong = rules.PlayedRound((0, 1, 0), (0, 0, 0))

    found = begun(
        club,
        [
            new_game([anna.pk, "Bernd", "Cem"], row=2),
            new_game([anna.pk, other.pk, "Cem"], row=3, night=1),
            new_game([anna.pk, "Bernd", "Cem"], row=4, night=2, rounds=(wrong,)),
            new_game([anna.pk, "Bernd", "Cem"], row=5, night=3, names=("Anna", "", "Cem")),
            new_game([anna.pk, "Bernd", "Cem"], row=6, night=4, cards=("x",), ladder="free"),
            new_game([anna.pk, "Bernd", "Cem"], row=7, night=5),
        ],
        manager,
        people=people("Bernd", "Cem"),
    )

    assert (found.state, found.done) == ("done", 6)
    assert states_of(found) == [
        (2, "made", ""),
        *((row, "failed", "refused") for row in (3, 4, 5, 6)),
        (7, "made", ""),
    ]
    codes = [[problem.code for problem in imports.problems_in(row.notes)] for row in found.games.all()]
    assert codes == [[], ["player_unknown"], ["tricks_sum"], ["name_missing"], ["import_game_failed"], []]
    assert Game.objects.count() == 2


def test_nothing_is_begun_for_nothing(club, manager):
    found = kept(club, manager)
    add(club, "Anna")
    now = timezone.now()

    for code, games, new in (("nothing_to_import", [], []), ("player_name_taken", [new_game()], people("anna"))):
        before = all_rows()
        with pytest.raises(rules.RulesError) as caught:
            imports.begin_import(found, games, people=new, by=manager, planned_at=now)
        assert [problem.code for problem in caught.value.problems] == [code]
        assert all_rows() == before


def test_import_is_begun_once(club, manager):
    found = kept(club, manager)
    given = {"people": people(*NAMES), "by": manager, "planned_at": timezone.now()}

    for _ in range(2):
        imports.begin_import(found, [new_game()], **given, key="k")

    assert Game.objects.count() == 1
    conflict("import_decided", imports.begin_import, found, [new_game()], **given, key="other")
    conflict("import_decided", imports.set_choices, found, {}, by=manager)
    conflict("import_decided", imports.discard_import, found, by=manager)


def test_imports_of_a_club_do_not_overtake_each_other(club, manager, queue):
    first, second = kept(club, manager), kept(club, manager)
    planned_at = timezone.now()
    imports.begin_import(first, [new_game()], people=people(*NAMES), by=manager, planned_at=planned_at)

    conflict("import_running", imports.begin_import, second, [new_game()], by=manager, planned_at=planned_at)
    assert imports.run_import(first.pk) is False
    conflict("import_overtaken", imports.begin_import, second, [new_game()], by=manager, planned_at=planned_at)
    ids = [club.players.get(name=name).pk for name in NAMES]
    imports.begin_import(second, [new_game(ids)], by=manager, planned_at=timezone.now())
    assert Game.objects.count() == 1


def test_worker_goes_on_where_it_stopped(club, manager, queue, monkeypatch):
    games = [new_game(row=number, night=number) for number in range(2, 6)]
    found = begun(club, games, manager)
    assert (found.state, Game.objects.count(), DBTaskResult.objects.ready().count()) == ("waiting", 0, 1)

    assert imports.run_import(found.pk, seconds=0) is True
    found.refresh_from_db()
    assert (found.state, found.done, Game.objects.count()) == ("running", 1, 1)

    # The worker is killed in the middle of the second game: what it wrote of it is gone with its transaction.
    def killed(*_given, **_named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ImportedGame, "save", killed)
        with pytest.raises(KeyboardInterrupt):
            imports.run_import(found.pk)
    found.refresh_from_db()
    assert (found.state, found.done, Game.objects.count()) == ("running", 1, 1)

    # A new one finds what is at work, though the task is lost.
    DBTaskResult.objects.all().delete()
    assert tasks.enqueue_stale() == 1
    assert imports.run_import(found.pk) is False
    assert imports.run_import(found.pk) is False
    found.refresh_from_db()
    assert (found.state, found.done, Game.objects.count()) == ("done", 4, 4)
    assert [game.pk for game in games_of(found)] == sorted(game.pk for game in games_of(found))
    assert statistics.differences_of(club) == []


def test_task_that_has_worked_long_lets_others_work(club, manager, queue, monkeypatch):
    found = begun(club, [new_game(row=number, night=number) for number in (2, 3)], manager)
    DBTaskResult.objects.all().delete()
    clock = itertools.count(step=imports.SECONDS_AT_ONCE)
    monkeypatch.setattr(imports, "time", SimpleNamespace(monotonic=clock.__next__))

    tasks.run_import.func(found.pk)

    assert Game.objects.count() == 1
    assert list(DBTaskResult.objects.ready().values_list("task_path", "args_kwargs")) == [
        (tasks.run_import.module_path, {"args": [found.pk], "kwargs": {}})
    ]


def test_import_stops_when_its_account_manages_the_club_no_more(club, manager, queue):
    found = begun(club, [new_game(row=number, night=number) for number in (2, 3)], manager)
    imports.run_import(found.pk, seconds=0)
    Membership.objects.filter(user=manager.user).update(role="scorer")

    assert imports.run_import(found.pk) is False

    found.refresh_from_db()
    assert (found.state, found.failure, found.done) == ("failed", "not_allowed", 1)
    assert states_of(found) == [(2, "made", ""), (3, "failed", "stopped")]
    assert Game.objects.count() == 1


def test_import_that_is_gone_is_no_trouble():
    assert imports.run_import(12345) is False
    assert imports.run_undo(12345) is False


def test_older_games_leave_ratings_to_be_worked_out_once(club, manager, queue):
    first = begun(club, [new_game(night=30)], manager)
    imports.run_import(first.pk)
    ids = [club.players.get(name=name).pk for name in NAMES]
    DBTaskResult.objects.all().delete()

    older = begun(club, [new_game(ids, row=row, night=row) for row in range(2, 6)], manager, people=[])
    imports.run_import(older.pk, seconds=0)
    stale = ClubTally.objects.get(club=club).stale_from
    tasks.catch_up_ratings.func(club.pk)
    assert (ClubTally.objects.get(club=club).stale_from, stale is None) == (stale, False)
    DBTaskResult.objects.filter(task_path=tasks.catch_up_ratings.module_path).delete()
    imports.run_import(older.pk)

    waiting = DBTaskResult.objects.ready().values_list("task_path", flat=True)
    assert sorted(waiting) == sorted([tasks.run_import.module_path, tasks.catch_up_ratings.module_path])
    tasks.catch_up_ratings.func(club.pk)
    assert statistics.differences_of(club) == []


def test_import_tells_no_webhook_of_each_game(club, manager):
    make_webhook(club)
    before = Delivery.objects.count()

    found = begun(club, [new_game(row=row, night=row) for row in (2, 3)], manager)
    imports.undo_import(found, by=manager)

    assert Game.objects.filter(halted="voided").count() == 2
    assert Delivery.objects.count() == before


# -- undoing --------------------------------------------------------------------------------------------------------


def test_import_is_undone_as_a_whole(club, manager):
    (anna,) = add(club, "Anna")
    games = [new_game([anna.pk, "Bernd", "Cem"], row=row, night=row) for row in (2, 3)]
    found = begun(club, games, manager, people=people("Bernd", "Cem"))
    Game.objects.update(confirmed_version=2)

    imports.undo_import(found, by=owner_of(club), key="k")
    imports.undo_import(found, by=owner_of(club), key="k")

    found.refresh_from_db()
    assert (found.state, found.done, found.total, found.undone_by) == ("undone", 2, 2, owner_of(club).user)
    assert states_of(found) == [(2, "undone", ""), (3, "undone", "")]
    voided = [game.entries.latest("version") for game in games_of(found)]
    assert {(entry.kind, entry.reason, entry.user, entry.via) for entry in voided} == {
        ("voided", "Der Import von „games.csv“ wurde rückgängig gemacht.", owner_of(club).user, Via.IMPORT)
    }
    assert [name for name in ("Anna", "Bernd", "Cem") if club.players.get(name=name).archived_at] == ["Bernd", "Cem"]
    assert statistics.differences_of(club) == []
    conflict("import_not_done", imports.undo_import, found, by=manager)


def test_undone_games_can_be_brought_back_and_the_file_imported_again(club, manager):
    found = begun(club, [new_game()], manager)
    imports.undo_import(found, by=manager)

    recording.restore(games_of(found)[0], by=manager)
    again = begun(club, [new_game(night=3)], manager)

    assert [game.halted for game in Game.objects.order_by("pk")] == ["", ""]
    assert again.state == "done"


def test_changed_games_stay_unless_they_are_chosen(club, manager):
    found = begun(club, [new_game(row=row, night=row) for row in (2, 3, 4, 5)], manager)
    untouched, corrected, chosen, voided = games_of(found)
    for game in (corrected, chosen):
        recording.adjust_points(game, seat=seats_of(game)[0].pk, points=10, reason="Bonus", by=manager)
    recording.void(voided, by=manager, reason="Twice")

    imports.undo_import(found, by=manager, also=[chosen.imported.pk, voided.imported.pk])

    assert [fresh(game).halted for game in (untouched, corrected, chosen, voided)] == ["voided", "", "voided", "voided"]
    assert states_of(found) == [(2, "undone", ""), (3, "made", ""), (4, "undone", ""), (5, "made", "")]
    assert voided.entries.filter(kind="voided").count() == 1
    assert not Player.objects.filter(archived_at__isnull=False).exists()


def test_game_that_is_in_another_club_by_now_stays(club, manager, queue):
    found = begun(club, [new_game(row=row, night=row) for row in (2, 3)], manager)
    imports.run_import(found.pk)
    first, second = games_of(found)
    other = make_club("Andere")
    recording.move_game(first, club=other, players={}, by=OPERATOR)

    imports.undo_import(found, by=manager)
    recording.move_game(second, club=other, players={}, by=OPERATOR)
    imports.run_undo(found.pk)

    assert [fresh(game).halted for game in (first, second)] == ["", ""]
    assert states_of(found) == [(2, "made", ""), (3, "made", "")]


def test_undoing_goes_on_and_stops_as_importing_does(club, manager, queue):
    found = begun(club, [new_game(row=row, night=row) for row in (2, 3, 4)], manager)
    imports.run_import(found.pk)
    imports.undo_import(found, by=manager)
    DBTaskResult.objects.all().delete()
    assert tasks.enqueue_stale() == 1
    assert imports.run_undo(found.pk, seconds=0) is True
    assert imports.run_import(found.pk) is False
    Membership.objects.filter(user=manager.user).delete()

    assert imports.run_undo(found.pk) is False

    found.refresh_from_db()
    assert (found.state, found.failure) == ("failed", "not_allowed")
    assert states_of(found) == [(2, "undone", ""), (3, "made", ""), (4, "made", "")]
    imports.undo_import(found, by=owner_of(club))
    imports.run_undo(found.pk)
    found.refresh_from_db()
    assert (found.state, found.done, found.total) == ("undone", 2, 2)
    assert Game.objects.filter(halted="voided").count() == 3


# -- names ----------------------------------------------------------------------------------------------------------


def test_whoever_becomes_anonymous_is_in_no_import(club, manager, queue):
    note = rules.Problem.of("rank_mismatch", 0, name="Anna", told=1, found=2)
    found = begun(
        club,
        [new_game(notes=(note,))],
        manager,
        choices={"people": [["anna", "other:Anna"]], "partly": True},
        left_out=[LeftOut(3, "k", "refused", NIGHT, (note,))],
    )
    Import.objects.filter(pk=found.pk).update(file_name="Anna 2025.csv")
    waits = kept(club, manager)
    anna = club.players.get(name="Anna")

    recording.anonymise_player(anna, by=manager)

    found.refresh_from_db()
    neutral = f"Person {anna.pk}"
    assert not Import.objects.filter(pk=waits.pk).exists()
    assert (found.file_name, found.choices) == (
        f"{neutral} 2025.csv",
        {"people": [[neutral, f"other:{neutral}"]], "partly": True},
    )
    rows = list(found.games.all())
    assert [imports.problems_in(row.notes)[0].args["name"] for row in rows] == [neutral, neutral]
    assert rows[0].sheet["names"] == [neutral, "Bernd", "Cem"]
    assert rows[1].sheet is None
    imports.run_import(found.pk)
    assert [seat.name for seat in seats_of(games_of(found)[0])] == [neutral, "Bernd", "Cem"]
