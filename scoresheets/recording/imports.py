"""Imports of files: kept until somebody decides about them, recorded game by game by the worker, undone as a whole.

What is in a file, and what becomes of each of its games, is decided before (`scoresheets.imports`, `forms.imports`);
here it is written. Every function holds the club's lock, so that of two workers one waits and then finds nothing to do.
A game and the note that it was made are one transaction: whenever the worker stops, it goes on with the next game.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import DataError, IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext, override

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Attendance, Club, ClubTally, Game, Import, ImportedFile, ImportedGame, Player, Seat
from scoresheets.models.imports import FILE_NAME_LENGTH, KEY_LENGTH
from scoresheets.recording import receipts, tasks
from scoresheets.recording.errors import Conflict
from scoresheets.recording.halts import void
from scoresheets.recording.locks import locked_club, save_recorded
from scoresheets.recording.names import tidy_name
from scoresheets.recording.players import archive_player, player_problems
from scoresheets.recording.results import record_results
from scoresheets.recording.sheets import record_sheet

logger = logging.getLogger(__name__)

State, GameState = Import.State, ImportedGame.State
#: A file that nobody decides about is forgotten after so long.
FILES_KEPT = timedelta(days=30)
#: So many files of a club wait for a decision at most: each is kept whole.
MOST_CHECKED = 5
#: The worker turns to other work after so long, and then goes on.
SECONDS_AT_ONCE = 10.0
#: So many details of one game are noted.
MOST_NOTES = 20


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be recorded: `row` and `key` say where in the file it is, `notes` what is told otherwise there.

    Each of `players` is a player's id or the name of one of the import's new people. With `rounds` it is a whole sheet,
    of `house`, `first_dealer`, `ladder` and `cards` as `record_sheet` takes them; without, `points` are all there is.
    """

    row: int
    key: str
    played_at: datetime
    names: tuple[str, ...]
    players: tuple[int | str, ...]
    points: tuple[int, ...] = ()
    rounds: tuple[rules.PlayedRound, ...] | None = None
    house: rules.HouseRules = field(default_factory=rules.HouseRules)
    first_dealer: int = 0
    ladder: str = rules.LADDERS[0]
    cards: tuple[int, ...] | None = None
    notes: tuple[rules.Problem, ...] = ()

    def packed(self, ids: Mapping[str, int]) -> dict[str, Any]:
        """Return the game as JSON can hold it, given the ids of the new people by name."""
        return {
            "names": list(self.names),
            "players": [who if isinstance(who, int) else ids[who] for who in self.players],
            "points": list(self.points),
            "rounds": None if self.rounds is None else [astuple(played) for played in self.rounds],
            "house": self.house.to_mapping(),
            "first_dealer": self.first_dealer,
            "ladder": self.ladder,
            "cards": None if self.cards is None else list(self.cards),
        }


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game of the file that is not to be recorded, and why: one of `ImportedGame.Reason`, with details."""

    row: int
    key: str
    reason: str
    played_at: datetime | None = None
    notes: tuple[rules.Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class NewPerson:
    """Somebody who is to be added to the club's players."""

    name: str
    is_guest: bool = False


# -- the file -------------------------------------------------------------------------------------------------------


@transaction.atomic
def keep_file(
    club: Club,
    content: bytes,
    file_name: str,
    *,
    by: Actor,
    choices: Mapping[str, Any] | None = None,
    key: str | None = None,
) -> Import:
    """Keep a file to be looked at and decided about, and return its import. Nothing else is written.

    The name is kept tidy and without folders. Files that nobody decided about are forgotten after `FILES_KEPT`. A
    repeat with the same key returns the same import. Raises `PermissionDenied`, `rules.RulesError`
    (`too_many_imports`), `Conflict` ("key_reused"); then writes nothing.
    """
    club, by = locked_club(club.pk, by)
    permissions.check_can_import(by, club)
    name = _tidy_file_name(file_name)
    fingerprint = receipts.fingerprint_of("keep_file", club.pk, name, hashlib.sha256(content).hexdigest())
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        found = Import.objects.filter(pk=body["import"]).first()
        if found is None:
            raise Conflict("import_gone")
        return found
    forget_old_files()
    if club.imports.filter(state=State.CHECKED).count() >= MOST_CHECKED:
        raise rules.RulesError([rules.Problem.of("too_many_imports", most=MOST_CHECKED)])
    assert by.user is not None
    kept = Import.objects.create(club=club, by=by.user, file_name=name, choices=dict(choices or {}))
    ImportedFile.objects.create(of_import=kept, content=content)
    receipts.keep_answer(by, key, fingerprint, {"import": kept.pk})
    return kept


def forget_old_files() -> None:
    """Delete the imports that nobody has decided about for `FILES_KEPT`, with their files."""
    Import.objects.filter(state=State.CHECKED, created_at__lt=timezone.now() - FILES_KEPT).delete()


def _tidy_file_name(given: str) -> str:
    name = tidy_name(given.replace("\\", "/").rpartition("/")[2])[:FILE_NAME_LENGTH].strip()
    return name or gettext("file without a name")


@transaction.atomic
def set_choices(kept: Import, choices: Mapping[str, Any], *, by: Actor) -> Import:
    """Keep what was chosen for a file so far.

    Raises `PermissionDenied`, `Conflict` ("import_gone", "import_decided").
    """
    _club, kept, by = _decided_about(kept, by)
    kept.choices = dict(choices)
    kept.save(update_fields=["choices"])
    return kept


@transaction.atomic
def discard_import(kept: Import, *, by: Actor) -> None:
    """Forget a file that was only looked at.

    Raises `PermissionDenied`, `Conflict` ("import_gone", "import_decided").
    """
    _club, kept, by = _decided_about(kept, by)
    kept.delete()


def _locked(kept: Import, by: Actor) -> tuple[Club, Import, Actor]:
    club, by = locked_club(kept.club_id, by)
    permissions.check_can_import(by, club)
    found = Import.objects.filter(pk=kept.pk).first()
    if found is None:
        raise Conflict("import_gone")
    found.club = club
    return club, found, by


def _decided_about(kept: Import, by: Actor) -> tuple[Club, Import, Actor]:
    club, kept, by = _locked(kept, by)
    if kept.state != State.CHECKED:
        raise Conflict("import_decided")
    return club, kept, by


# -- importing ------------------------------------------------------------------------------------------------------


@transaction.atomic
def begin_import(
    kept: Import,
    games: Sequence[NewGame],
    *,
    by: Actor,
    planned_at: datetime,
    kind: str = "",
    left_out: Sequence[LeftOut] = (),
    people: Sequence[NewPerson] = (),
    choices: Mapping[str, Any] | None = None,
    key: str | None = None,
) -> Import:
    """Add the new people, have the games recorded by the worker, oldest first, and return the import.

    `planned_at` is when the games were compared with those of the club. The file itself is forgotten. A repeat with the
    same key changes nothing. Raises `PermissionDenied`, `rules.RulesError` (`nothing_to_import`; of the people those of
    `players.player_problems`), `Conflict` ("import_gone", "import_decided", "import_running": another one of the club,
    "import_overtaken": another one ended since it was planned, "key_reused"); then writes nothing.
    """
    club, kept, by = _locked(kept, by)
    fingerprint = receipts.fingerprint_of("begin_import", kept.pk)
    if receipts.answer_to_repeat(by, key, fingerprint):
        return kept
    if kept.state != State.CHECKED:
        raise Conflict("import_decided")
    if club.imports.filter(state__in=Import.AT_WORK).exists():
        raise Conflict("import_running")
    if club.imports.filter(ended_at__gte=planned_at).exists():
        raise Conflict("import_overtaken")
    problems = player_problems(club, [person.name for person in people])
    if not games:
        problems += (rules.Problem.of("nothing_to_import"),)
    if problems:
        raise rules.RulesError(problems)
    made = [Player(club=club, name=person.name, is_guest=person.is_guest) for person in people]
    for player in made:
        save_recorded(player, by=by)
    _write_rows(kept, games, left_out, {player.name: player.pk for player in made})
    kept.kind, kept.choices = kind, dict(choices or kept.choices)
    kept.made_players = [player.pk for player in made]
    kept.state, kept.begun_at, kept.total = State.WAITING, timezone.now(), len(games)
    kept.save(update_fields=["kind", "choices", "made_players", "state", "begun_at", "total"])
    ImportedFile.objects.filter(of_import=kept).delete()
    receipts.keep_answer(by, key, fingerprint, {"import": kept.pk})
    tasks.enqueue_once(tasks.run_import, kept.pk)
    return kept


def _write_rows(kept: Import, games: Sequence[NewGame], left_out: Sequence[LeftOut], ids: Mapping[str, int]) -> None:
    # What was played first is recorded first: then each game is the newest of its players, and is rated at once.
    in_order = sorted(games, key=lambda game: (game.played_at, game.row))
    rows = [
        ImportedGame(
            of_import=kept,
            place=place,
            row=game.row,
            key=game.key[:KEY_LENGTH],
            played_at=game.played_at,
            sheet=game.packed(ids),
            notes=notes_of(game.notes),
        )
        for place, game in enumerate(in_order, start=1)
    ]
    rows += [
        ImportedGame(
            of_import=kept,
            place=place,
            row=one.row,
            key=one.key[:KEY_LENGTH],
            played_at=one.played_at,
            state=GameState.LEFT_OUT,
            reason=one.reason,
            notes=notes_of(one.notes),
        )
        for place, one in enumerate(left_out, start=len(rows) + 1)
    ]
    ImportedGame.objects.bulk_create(rows, batch_size=200)


def notes_of(problems: Sequence[rules.Problem]) -> list[dict[str, Any]]:
    """Return problems as `ImportedGame.notes` holds them."""
    return [
        {"code": problem.code, "seat": problem.seat, "params": [list(pair) for pair in problem.params]}
        for problem in problems[:MOST_NOTES]
    ]


def problems_in(notes: Sequence[Mapping[str, Any]]) -> list[rules.Problem]:
    """Return the problems that were noted."""
    return [
        rules.Problem(note["code"], note["seat"], tuple((name, value) for name, value in note["params"]))
        for note in notes
    ]


def run_import(import_id: int, *, seconds: float = SECONDS_AT_ONCE) -> bool:
    """Record the games of an import one after the other, and return whether there is more to do after so many seconds.

    The account that brought the file has to be a manager of the club still, at every game: if not, the import stops.
    """
    return _go_on(_record_next, import_id, seconds)


def run_undo(import_id: int, *, seconds: float = SECONDS_AT_ONCE) -> bool:
    """Void the games of an import that is undone one after the other, as `run_import` records them."""
    return _go_on(_void_next, import_id, seconds)


def _go_on(step: Callable[[int], bool], import_id: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while step(import_id):
        if time.monotonic() >= until:
            return True
    return False


def _at_work(import_id: int, states: Collection[str]) -> tuple[Club, Import, Actor] | None:
    """Return the import under its club's lock, and who acts for it, if it is in one of these states."""
    found = Import.objects.select_related("by", "undone_by").filter(pk=import_id).first()
    if found is None:
        return None
    try:
        club, by = locked_club(found.club_id, Actor.of_import(found.undone_by or found.by))
        found.refresh_from_db(fields=["state", "done", "total"])
    except ObjectDoesNotExist:
        # The club was deleted meanwhile, with its imports.
        return None
    found.club = club
    return (club, found, by) if found.state in states else None


def _may_not(kept: Import, club: Club, by: Actor) -> bool:
    """Stop an import whose account manages the club no more, and say whether it is so."""
    if permissions.can_import(by, club):
        return False
    kept.games.filter(state=GameState.TO_UNDO).update(state=GameState.MADE)
    kept.games.filter(state=GameState.WAITING).update(
        state=GameState.FAILED, reason=ImportedGame.Reason.STOPPED, sheet=None
    )
    _end(kept, State.FAILED, "not_allowed")
    return True


def _end(kept: Import, state: str, failure: str = "") -> None:
    """End the work on an import, and have the ratings that it made stale worked out, which waited for it."""
    kept.state, kept.failure, kept.ended_at = state, failure, timezone.now()
    kept.save(update_fields=["state", "failure", "ended_at"])
    if ClubTally.objects.filter(club=kept.club_id, stale_from__isnull=False).exists():
        tasks.enqueue_once(tasks.catch_up_ratings, kept.club_id)


@transaction.atomic
def _record_next(import_id: int) -> bool:
    """Record the next game of an import; return whether there may be another one."""
    at_work = _at_work(import_id, (State.WAITING, State.RUNNING))
    if at_work is None:
        return False
    club, kept, by = at_work
    if _may_not(kept, club, by):
        return False
    row = kept.games.filter(state=GameState.WAITING).order_by("place").first()
    if row is None:
        _end(kept, State.DONE)
        return False
    try:
        with transaction.atomic():
            row.game = _record(club, row, by=by)
    except rules.RulesError as refused:
        _note_failure(row, refused.problems)
    except Conflict as conflict:
        _note_failure(row, [rules.Problem(conflict.code)])
    except (DataError, IntegrityError, LookupError, TypeError, ValueError, AssertionError):
        # Something nobody thought of in one game is no reason to leave the others out, or to try it for ever.
        logger.exception("import %s: the game in row %s cannot be recorded", kept.pk, row.row)
        _note_failure(row, [rules.Problem.of("import_game_failed")])
    else:
        row.state = GameState.MADE
    row.sheet = None
    row.save(update_fields=["game", "state", "reason", "notes", "sheet"])
    kept.state, kept.done = State.RUNNING, kept.done + 1
    kept.save(update_fields=["state", "done"])
    return True


def _note_failure(row: ImportedGame, problems: Sequence[rules.Problem]) -> None:
    row.game, row.state, row.reason = None, GameState.FAILED, ImportedGame.Reason.REFUSED
    row.notes = notes_of(problems)


def _record(club: Club, row: ImportedGame, *, by: Actor) -> Game:
    # No key: the row itself says that its game is there, and was written with it.
    sheet: dict[str, Any] = row.sheet or {}
    where: dict[str, Any] = {"played_at": row.played_at, "club": club, "players": sheet["players"], "by": by}
    if sheet["rounds"] is None:
        return record_results(sheet["names"], sheet["points"], **where).game
    return record_sheet(
        sheet["names"],
        rules.HouseRules.from_mapping(sheet["house"]),
        first_dealer=sheet["first_dealer"],
        rounds=[_unpacked(played) for played in sheet["rounds"]],
        ladder=sheet["ladder"],
        cards=sheet["cards"],
        **where,
    ).game


def _unpacked(values: Sequence[Any]) -> rules.PlayedRound:
    bids, tricks, bombs, clouds, blind = values
    taken = tuple((place, change) for place, change in clouds)
    return rules.PlayedRound(tuple(bids), tuple(tricks), bombs, taken, tuple(blind))


# -- undoing --------------------------------------------------------------------------------------------------------


@transaction.atomic
def undo_import(kept: Import, *, by: Actor, also: Collection[int] = (), key: str | None = None) -> Import:
    """Have all games of an import voided by the worker that nobody has changed since, and return the import.

    `also` are ids of imported games that are voided although they were changed. Games that were voided already stay as
    they are. Whoever was added for the import and is used by nothing else goes to the archive. A repeat with the same
    key changes nothing. Raises `PermissionDenied`, `Conflict` ("import_gone", "import_not_done", "import_running",
    "key_reused"); then writes nothing.
    """
    club, kept, by = _locked(kept, by)
    fingerprint = receipts.fingerprint_of("undo_import", kept.pk, sorted(also))
    if receipts.answer_to_repeat(by, key, fingerprint):
        return kept
    if kept.state not in (State.DONE, State.FAILED):
        raise Conflict("import_not_done")
    if club.imports.filter(state__in=Import.AT_WORK).exists():
        raise Conflict("import_running")
    standing = kept.games.standing()
    stay = set(standing.changed().values_list("pk", flat=True)) - set(also)
    chosen = [pk for pk in standing.values_list("pk", flat=True) if pk not in stay]
    kept.games.filter(pk__in=chosen).update(state=GameState.TO_UNDO)
    kept.state, kept.failure, kept.undone_by = State.UNDOING, "", by.user
    kept.done, kept.total = 0, len(chosen)
    kept.save(update_fields=["state", "failure", "undone_by", "done", "total"])
    receipts.keep_answer(by, key, fingerprint, {"import": kept.pk})
    tasks.enqueue_once(tasks.undo_import, kept.pk)
    return kept


@transaction.atomic
def _void_next(import_id: int) -> bool:
    """Void the next game of an import that is undone; return whether there may be another one."""
    at_work = _at_work(import_id, (State.UNDOING,))
    if at_work is None:
        return False
    club, kept, by = at_work
    if _may_not(kept, club, by):
        return False
    row = kept.games.select_related("game").filter(state=GameState.TO_UNDO).order_by("place").first()
    if row is None:
        _archive_unused(kept, by=by)
        _end(kept, State.UNDONE)
        return False
    assert row.game is not None
    with override(club.language):
        reason = gettext("The import of “%(file)s” was undone.") % {"file": kept.file_name}
    row.state = GameState.UNDONE
    try:
        with transaction.atomic():
            void(row.game, by=by, reason=reason)
    except Conflict:
        # Somebody else has voided it meanwhile: what was wanted is so.
        pass
    except PermissionDenied:
        # It was moved into another club meanwhile, where it stays.
        row.state = GameState.MADE
    row.save(update_fields=["state"])
    kept.done += 1
    kept.save(update_fields=["done"])
    return True


def _archive_unused(kept: Import, *, by: Actor) -> None:
    """Archive whoever was added for the import and is on no sheet that stands, no account, and expected nowhere."""
    standing = Seat.objects.filter(player__canonical=OuterRef("pk")).exclude(game__halted=Game.Halted.VOIDED)
    doubles = Player.objects.filter(canonical=OuterRef("pk")).exclude(pk=OuterRef("pk"))
    comes = Attendance.objects.filter(player=OuterRef("pk"))
    made = Player.objects.on_roster().filter(pk__in=kept.made_players, user__isnull=True)
    for player in made.exclude(Exists(standing) | Exists(doubles) | Exists(comes)).order_by("pk"):
        archive_player(player, by=by)
