"""Games brought along from files: each file that was given, what was decided about it, and what became of its games."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoresheets.models.games import Entry, Game
from scoresheets.models.people import Club, User

FILE_NAME_LENGTH = 120
#: A game's own name in its file, such as the one another program gave it.
KEY_LENGTH = 100


class Import(models.Model):
    """A file of games that a club's manager brought along. Only `recording` writes it.

    `choices` are the decisions about it as the form took them. While it runs, `done` of `total` games are through;
    while `undone_by` has it undone, `done` of the `total` games that are to be voided. `made_players` are the ids of
    those who were added for it. `failure` is the code of what stopped it.
    """

    class State(models.TextChoices):
        CHECKED = "checked", _("not imported yet")
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("imported")
        FAILED = "failed", _("stopped")
        UNDOING = "undoing", _("being undone")
        UNDONE = "undone", _("undone")

    #: The states in which the worker has something to do.
    AT_WORK = (State.WAITING, State.RUNNING, State.UNDOING)

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="imports", db_index=False)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    undone_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    file_name = models.CharField(max_length=FILE_NAME_LENGTH)
    kind = models.CharField(max_length=16, blank=True)
    choices = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.CHECKED)
    failure = models.CharField(max_length=32, blank=True, default="")
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    made_players = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("club", "-pk")
        indexes = (models.Index(F("club"), F("id").desc(), name="import_newest_of_a_club"),)
        constraints = (
            models.UniqueConstraint(
                fields=["club"], condition=Q(state__in=["waiting", "running", "undoing"]), name="import_one_runs_a_club"
            ),
            models.CheckConstraint(name="import_has_a_file_name", condition=~Q(file_name="")),
            models.CheckConstraint(
                name="import_state_is_known",
                condition=Q(state__in=["checked", "waiting", "running", "done", "failed", "undoing", "undone"]),
            ),
            models.CheckConstraint(name="import_done_not_above_total", condition=Q(done__lte=F("total"))),
            models.CheckConstraint(
                name="import_failed_has_a_reason",
                condition=(Q(state="failed") & ~Q(failure="")) | (~Q(state="failed") & Q(failure="")),
            ),
            models.CheckConstraint(
                name="import_undone_by_somebody",
                condition=~Q(state__in=["undoing", "undone"]) | Q(undone_by__isnull=False),
            ),
            models.CheckConstraint(
                name="import_begun_has_a_time",
                condition=Q(state="checked", begun_at__isnull=True) | (~Q(state="checked") & Q(begun_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="import_ended_has_a_time",
                condition=Q(state__in=["checked", "waiting", "running"], ended_at__isnull=True)
                | (~Q(state__in=["checked", "waiting", "running"]) & Q(ended_at__isnull=False)),
            ),
        )

    def __str__(self) -> str:
        return self.file_name

    @property
    def is_at_work(self) -> bool:
        """Whether the worker has something to do for it."""
        return self.state in self.AT_WORK

    @property
    def is_checked(self) -> bool:
        """Whether it was looked at only, and waits for its maker to decide."""
        return self.state == self.State.CHECKED


class ImportedFile(models.Model):
    """The bytes of a file that waits for its maker to decide; its row goes when it is imported, and after a time."""

    of_import = models.OneToOneField(Import, on_delete=models.CASCADE, primary_key=True, related_name="file")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"File {self.pk}"


class ImportedGameQuerySet(models.QuerySet["ImportedGame"]):
    def standing(self) -> ImportedGameQuerySet:
        """Return those whose games are in the import's club still and were not voided."""
        there = self.filter(state=ImportedGame.State.MADE, game__club=F("of_import__club"))
        return there.exclude(game__halted=Game.Halted.VOIDED)

    def changed(self) -> ImportedGameQuerySet:
        """Return those to whose games somebody has written since they were imported."""
        written = (Entry.Kind.STARTED, Entry.Kind.SHEET_RECORDED, Entry.Kind.RESULTS_RECORDED)
        return self.filter(Exists(Entry.objects.filter(game=OuterRef("game")).exclude(kind__in=written)))


class ImportedGame(models.Model):
    """One game of a file that was imported, or left out. Only `recording` writes it.

    `place` counts from 1 in the order the games are recorded in; `row` is where it begins in the file, and `key` what
    the file calls it for good ("" if it has no such name). `sheet` is what is to be recorded, while it waits. `reason`
    says why it was left out or could not be recorded, `notes` the details: problems as {"code", "seat", "params"}, the
    params as [name, value]. Of a game that was made they are what the file says otherwise than the rules.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        MADE = "made", _("imported")
        FAILED = "failed", _("not possible")
        LEFT_OUT = "left_out", _("left out")
        TO_UNDO = "to_undo", _("to be undone")
        UNDONE = "undone", _("undone")

    class Reason(models.TextChoices):
        """Why a game was not recorded."""

        IMPORTED_BEFORE = "imported_before", _("imported before")
        STANDS = "stands", _("the club has this game")
        TWICE = "twice", _("twice in the file")
        REFUSED = "refused", _("not possible by the rules")
        MISMATCH = "mismatch", _("its points are not what the rules say")
        STOPPED = "stopped", _("the import was stopped before")

    of_import = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="games", db_index=False)
    place = models.PositiveIntegerField()
    row = models.PositiveIntegerField()
    key = models.CharField(max_length=KEY_LENGTH, blank=True, default="")
    played_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    game = models.OneToOneField(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="imported")
    sheet = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=16, choices=Reason.choices, blank=True, default="")
    notes = models.JSONField(default=list, blank=True)

    objects = ImportedGameQuerySet.as_manager()

    class Meta:
        ordering = ("of_import", "place")
        indexes = (
            models.Index(
                fields=["of_import", "place"], condition=Q(state__in=["waiting", "to_undo"]), name="imported_game_next"
            ),
            models.Index(fields=["key"], condition=~Q(key=""), name="imported_game_by_key"),
        )
        constraints = (
            models.UniqueConstraint(fields=["of_import", "place"], name="imported_game_place_once_an_import"),
            models.CheckConstraint(
                name="imported_game_state_is_known",
                condition=Q(state__in=["waiting", "made", "failed", "left_out", "to_undo", "undone"]),
            ),
            models.CheckConstraint(name="imported_game_counts_from_1", condition=Q(place__gte=1, row__gte=1)),
            models.CheckConstraint(
                name="imported_game_made_has_a_game",
                condition=Q(state__in=["made", "to_undo", "undone"], game__isnull=False)
                | (~Q(state__in=["made", "to_undo", "undone"]) & Q(game__isnull=True)),
            ),
            models.CheckConstraint(
                name="imported_game_waits_with_its_sheet",
                condition=Q(state="waiting", sheet__isnull=False) | (~Q(state="waiting") & Q(sheet__isnull=True)),
            ),
            models.CheckConstraint(
                name="imported_game_reason_is_known",
                condition=(~Q(state__in=["failed", "left_out"]) & Q(reason=""))
                | Q(
                    state__in=["failed", "left_out"],
                    reason__in=["imported_before", "stands", "twice", "refused", "mismatch", "stopped"],
                ),
            ),
        )

    def __str__(self) -> str:
        return f"Row {self.row}: {self.state}"
