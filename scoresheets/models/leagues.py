"""Evenings and seasons of a club, and the standings that follow from its results."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

import rules
from scoresheets.models.games import MOST_SEATS, Game
from scoresheets.models.people import Club, Player, User

PLACE_LENGTH = 80
NOTE_LENGTH = 500
SEASON_NAME_LENGTH = 60
#: League points are kept in sixtieths: the mean of any up to six places is a whole number of them.
SIXTIETHS = 60


class Evening(models.Model):
    """A club's game night, planned or under way.

    `night` is the date it belongs to in the club's time zone, also for what is played after midnight. An evening is
    open while its games are recorded: a game that is started then belongs to it. `counts` is False for a friendly one,
    which no season counts.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="evenings", db_index=False)
    night = models.DateField()
    starts_at = models.DateTimeField()
    place = models.CharField(max_length=PLACE_LENGTH, blank=True)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    counts = models.BooleanField(default=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        indexes = (models.Index(F("club"), F("starts_at").desc(), F("id").desc(), name="evening_newest_of_a_club"),)
        constraints = (
            models.UniqueConstraint(
                fields=["club"],
                condition=Q(opened_at__isnull=False, closed_at__isnull=True, cancelled_at__isnull=True),
                name="evening_one_open_a_club",
            ),
            models.CheckConstraint(
                name="evening_closed_was_open", condition=Q(closed_at__isnull=True) | Q(opened_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.night}"

    @property
    def is_open(self) -> bool:
        """Whether games that are started now belong to it."""
        return self.opened_at is not None and self.closed_at is None and self.cancelled_at is None


class Season(models.Model):
    """A club's league over some time: which results count, and how they add up to a table.

    `starts_on` and `ends_on` are nights, both included; without an end it goes on. `formula`, `place_points`, `best`,
    `best_of`, `fewest_games` and `tie_rule` make up a `rules.LeagueRules`. `editions` are those that count ([]: all).
    `changed_after_close` says when a correction last changed the table of a closed season. `stale` means that the
    standings are being worked out anew. `last_night` is the newest night with a result that counts.
    """

    class Guests(models.TextChoices):
        """What becomes of guests: ranked like members, in the table without a rank, or no game with one counts."""

        RANKED = "ranked", _("ranked like everybody")
        UNRANKED = "unranked", _("left out of the table")
        EXCLUDED = "excluded", _("games with guests do not count")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=SEASON_NAME_LENGTH)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    formula = models.CharField(max_length=16, default="sum")
    place_points = models.JSONField(default=list, blank=True)
    best = models.PositiveSmallIntegerField(null=True, blank=True)
    best_of = models.CharField(max_length=16, default="games")
    fewest_games = models.PositiveSmallIntegerField(default=0)
    tie_rule = models.CharField(max_length=16, default="exact_rate")
    editions = models.JSONField(default=list, blank=True)
    guests = models.CharField(max_length=16, choices=Guests.choices, default=Guests.RANKED)
    only_evenings = models.BooleanField(default=False)
    closed_at = models.DateTimeField(null=True, blank=True)
    changed_after_close = models.DateTimeField(null=True, blank=True, editable=False)
    stale = models.BooleanField(default=False, editable=False)
    last_night = models.DateField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    history = HistoricalRecords(excluded_fields=["stale", "last_night", "changed_after_close"])

    class Meta:
        ordering = ("club", "-starts_on", "-pk")
        constraints = (
            models.CheckConstraint(name="season_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="season_ends_after_its_start", condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on"))
            ),
            models.CheckConstraint(
                name="season_formula_is_known", condition=Q(formula__in=list(rules.LEAGUE_FORMULAS))
            ),
            models.CheckConstraint(name="season_best_of_is_known", condition=Q(best_of__in=list(rules.BEST_OF))),
            models.CheckConstraint(
                name="season_tie_rule_is_known", condition=Q(tie_rule__in=list(rules.LEAGUE_TIE_RULES))
            ),
            models.CheckConstraint(name="season_best_is_at_least_1", condition=Q(best__isnull=True) | Q(best__gte=1)),
            models.CheckConstraint(
                name="season_guests_is_known", condition=Q(guests__in=["ranked", "unranked", "excluded"])
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def league_rules(self) -> rules.LeagueRules:
        """How results add up, as one value."""
        return rules.LeagueRules(
            formula=self.formula,
            place_points=tuple(self.place_points),
            best=self.best,
            best_of=self.best_of,
            fewest_games=self.fewest_games,
            tie_rule=self.tie_rule,
        )


class Standing(models.Model):
    """A player's line in the table of a season. Derived from results; only `recording.statistics` writes it.

    `points` are the league points that count, in sixtieths; `games` all that the season counts, `nights` the nights
    they were played in. The table is ordered by `ranked`, `score`, `tie`, the highest first, and those equal in all
    three share a rank: both are worked out by one division each, so equal is equal. The `_before` fields leave out
    `last_night`, the newest night the player played in, for movement since then.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="standings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="standings")
    games = models.PositiveIntegerField()
    nights = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    bids = models.PositiveIntegerField()
    exact = models.PositiveIntegerField()
    points = models.IntegerField()
    ranked = models.BooleanField()
    score = models.FloatField()
    tie = models.FloatField()
    last_night = models.DateField()
    ranked_before = models.BooleanField()
    score_before = models.FloatField()
    tie_before = models.FloatField()

    class Meta:
        indexes = (
            models.Index(F("season"), F("ranked").desc(), F("score").desc(), F("tie").desc(), name="standing_in_order"),
        )
        constraints = (
            models.UniqueConstraint(fields=["season", "player"], name="standing_once_a_season_and_player"),
            models.CheckConstraint(name="standing_has_games", condition=Q(games__gte=1)),
            models.CheckConstraint(name="standing_wins_not_above_games", condition=Q(wins__lte=F("games"))),
            models.CheckConstraint(name="standing_exact_not_above_bids", condition=Q(exact__lte=F("bids"))),
        )

    def __str__(self) -> str:
        return f"{self.player_id} in {self.season_id}"


class Attendance(models.Model):
    """What somebody said to an evening, and whether they came.

    `answer` is "" where nobody has said anything yet; `by` gave it, for themselves or for somebody else. `is_here` is
    noted on the evening itself. `player` is the one it was said of: what a duplicate said counts for the player it was
    merged into.
    """

    class Answer(models.TextChoices):
        YES = "yes", _("comes")
        MAYBE = "maybe", _("comes perhaps")
        NO = "no", _("does not come")

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="attendances", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="attendances")
    answer = models.CharField(max_length=8, choices=Answer.choices, blank=True, default="")
    answered_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    is_here = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["evening", "player"], name="attendance_once_an_evening_and_player"),
            models.CheckConstraint(
                name="attendance_answer_is_known", condition=Q(answer__in=["", "yes", "maybe", "no"])
            ),
            models.CheckConstraint(
                name="attendance_answered_has_a_time",
                condition=Q(answer="", answered_at__isnull=True) | (~Q(answer="") & Q(answered_at__isnull=False)),
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} at {self.evening_id}: {self.answer}"


class DrawnTable(models.Model):
    """A table of a sitting, as it was drawn or put together by hand, and the game that was started from it.

    Sittings of an evening and tables of a sitting are numbered from 1; a table that was dissolved leaves a gap.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="drawn_tables", db_index=False)
    sitting = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    game = models.OneToOneField(Game, on_delete=models.SET_NULL, null=True, blank=True, related_name="drawn_table")

    class Meta:
        ordering = ("evening", "sitting", "number")
        constraints = (
            models.UniqueConstraint(fields=["evening", "sitting", "number"], name="drawn_table_once_a_sitting"),
            models.CheckConstraint(name="drawn_table_is_numbered_from_1", condition=Q(sitting__gte=1, number__gte=1)),
        )

    def __str__(self) -> str:
        return f"{self.sitting}/{self.number}"


class DrawnSeat(models.Model):
    """Somebody's place in a sitting: at a `table`, in dealing order by `position` from 0; without one they sit out."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="drawn_seats", db_index=False)
    sitting = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="drawn_seats")
    table = models.ForeignKey(
        DrawnTable, on_delete=models.CASCADE, null=True, blank=True, related_name="seats", db_index=False
    )
    position = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["evening", "sitting", "player"], name="drawn_seat_once_a_sitting"),
            models.UniqueConstraint(fields=["table", "position"], name="drawn_seat_position_once_a_table"),
            models.CheckConstraint(name="drawn_seat_sitting_is_numbered_from_1", condition=Q(sitting__gte=1)),
            models.CheckConstraint(
                name="drawn_seat_is_at_the_table_or_sits_out",
                condition=Q(table__isnull=True, position__isnull=True)
                | Q(table__isnull=False, position__isnull=False, position__lt=MOST_SEATS),
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} in sitting {self.sitting}"


class CalendarAddress(models.Model):
    """The secret part of the address at which calendar programs read a club's evenings.

    The secret follows from `nonce` and from the site's own key, which is not in the database. Another nonce makes
    another address, and the old one opens nothing any more.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="calendar_address")
    nonce = models.CharField(max_length=32)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = (models.CheckConstraint(name="calendar_address_has_a_nonce", condition=~Q(nonce="")),)

    def __str__(self) -> str:
        return f"Calendar of {self.club_id}"
