"""Accounts, and clubs: who belongs to them, whom they know, and how somebody comes to be one of both."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

import rules
from scoresheets.models import usernames
from scoresheets.models.games import NAME_LENGTH, Game, Seat
from scoresheets.models.written_out import read_all, read_one

CLUB_NAME_LENGTH = 60
#: A club's default is a ladder that needs no list of cards.
LADDERS_OF_CLUBS = ("full", "tournament")
#: The latest a finished game is locked: after a year.
MOST_HOURS = 365 * 24


def standard_house() -> dict[str, Any]:
    """Return the mapping of the rules that a new club starts with."""
    return rules.HouseRules().to_mapping()


class User(AbstractUser):
    """An account. Quick games need none.

    `username` is the name it is known by and signs in with; `username_key`, derived by `save`, keeps it the only one
    but for case, also where the database knows no case but that of ASCII. `language` and `theme` are "" where each
    device decides for itself. The row of a deleted account stays, without anything personal: journals refer to it.
    """

    class Theme(models.TextChoices):
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class StaffRole(models.TextChoices):
        """What somebody is on the admin site: support looks and puts games right, superusers may do everything."""

        NONE = "", _("none")
        SUPPORT = "support", _("support")
        SUPERUSER = "superuser", _("superuser")

    username = models.CharField(
        _("name"),
        max_length=usernames.NAME_LENGTH,
        unique=True,
        validators=[usernames.validate_username],
        error_messages={"unique": _("This name is taken.")},
    )
    username_key = models.CharField(max_length=usernames.KEY_LENGTH, editable=False)
    language = models.CharField(max_length=8, blank=True, choices=settings.LANGUAGES)
    theme = models.CharField(max_length=8, blank=True, choices=Theme.choices)

    #: Begins the stored name of a deleted account: no name that somebody may choose does.
    DELETED = "#"

    class Meta(AbstractUser.Meta):
        constraints = (
            models.UniqueConstraint(Lower("username"), name="user_name_once_but_for_case"),
            models.UniqueConstraint(fields=["username_key"], name="user_key_is_unique"),
            models.CheckConstraint(name="user_has_a_name", condition=~Q(username="") & ~Q(username_key="")),
            models.CheckConstraint(name="user_language_is_known", condition=Q(language__in=["", "de", "en"])),
            models.CheckConstraint(name="user_theme_is_known", condition=Q(theme__in=["", "light", "dark"])),
        )

    def save(self, *args: Any, **options: Any) -> None:
        """Save the account with the key of its name."""
        self.username_key = usernames.username_key(self.username)
        if "username" in (options.get("update_fields") or ()):
            options["update_fields"] = {*options["update_fields"], "username_key"}
        super().save(*args, **options)

    def __str__(self) -> str:
        """Return the name as pages show it."""
        return str(_("deleted account")) if self.is_deleted else self.username

    @property
    def is_deleted(self) -> bool:
        """Whether the account was deleted and only its row is left."""
        return self.username.startswith(self.DELETED)

    @property
    def staff_role(self) -> StaffRole:
        """What the account is on the admin site (1 statement, none for superusers and those who are no staff)."""
        if not (self.is_active and self.is_staff):
            return self.StaffRole.NONE
        if self.is_superuser:
            return self.StaffRole.SUPERUSER
        is_support = self.groups.filter(name=self.StaffRole.SUPPORT).exists()
        return self.StaffRole.SUPPORT if is_support else self.StaffRole.NONE


class Club(models.Model):
    """A group that plays together: its members, the people it knows, its games and the rules it usually plays by.

    `house` is a mapping of `rules.HouseRules` and `ladder` one of `LADDERS_OF_CLUBS`: what a new game starts with.
    A finished game is locked `locks_after` hours after its end (None: never); what that means is computed on read.
    """

    class Visibility(models.TextChoices):
        """Who may look at the club and its games: members, whoever has the address, everybody."""

        PRIVATE = "private", _("private")
        UNLISTED = "unlisted", _("unlisted")
        PUBLIC = "public", _("public")

    class Language(models.TextChoices):
        GERMAN = "de", "Deutsch"
        ENGLISH = "en", "English"

    name = models.CharField(max_length=CLUB_NAME_LENGTH)
    time_zone = models.CharField(max_length=64, default="Europe/Berlin")
    language = models.CharField(max_length=8, choices=Language.choices, default=Language.GERMAN)
    visibility = models.CharField(max_length=16, choices=Visibility.choices, default=Visibility.PRIVATE)
    house = models.JSONField(default=standard_house)
    ladder = models.CharField(max_length=16, default="full")
    #: Whether games that were ended early count for wins, comparisons, ratings and seasons too.
    incomplete_counts = models.BooleanField(default=False)
    locks_after = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    history = HistoricalRecords()

    class Meta:
        constraints = (
            models.CheckConstraint(name="club_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(name="club_has_a_time_zone", condition=~Q(time_zone="")),
            models.CheckConstraint(name="club_language_is_known", condition=Q(language__in=["de", "en"])),
            models.CheckConstraint(
                name="club_visibility_is_known", condition=Q(visibility__in=["private", "unlisted", "public"])
            ),
            models.CheckConstraint(name="club_ladder_is_known", condition=Q(ladder__in=list(LADDERS_OF_CLUBS))),
            models.CheckConstraint(
                name="club_locks_within_a_year",
                condition=Q(locks_after__isnull=True) | Q(locks_after__lte=MOST_HOURS),
            ),
        )

    def __str__(self) -> str:
        return self.name

    @classmethod
    def with_id(cls, pk: int) -> Club | None:
        """Return the club with this id, if there is one (1 statement)."""
        return read_one(cls, "WHERE id = %s", [pk])

    @property
    def house_rules(self) -> rules.HouseRules:
        """The rules of a new game as one value."""
        return rules.HouseRules.from_mapping(self.house)


class Membership(models.Model):
    """An account's place in a club. Each role may do what those before it may."""

    class Role(models.TextChoices):
        MEMBER = "member", _("member")
        SCORER = "scorer", _("scorer")
        MANAGER = "manager", _("manager")
        OWNER = "owner", _("owner")

        def reaches(self, least: str) -> bool:
            """Say whether this role may do what the role `least` may."""
            roles = list(type(self))
            return roles.index(self) >= roles.index(type(self)(least))

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(default=timezone.now)

    history = HistoricalRecords()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["club", "user"], name="membership_once_a_club_and_user"),
            models.CheckConstraint(
                name="membership_role_is_known", condition=Q(role__in=["member", "scorer", "manager", "owner"])
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"

    @classmethod
    def of_user(cls, user_id: int) -> list[Membership]:
        """Return all memberships of an account (1 statement)."""
        return read_all(cls, "WHERE user_id = %s", [user_id])


class Invitation(models.Model):
    """A secret address that lets whoever has it join a club, until it expires, is used up or revoked.

    Only the secret's hash is stored. `most_uses` is None where any number may join.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=16, choices=Membership.Role.choices[:-1], default=Membership.Role.MEMBER)
    secret_hash = models.CharField(max_length=64)
    label = models.CharField(max_length=NAME_LENGTH, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    most_uses = models.PositiveSmallIntegerField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("club", "-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["secret_hash"], name="invitation_secret_is_unique"),
            models.CheckConstraint(
                name="invitation_role_is_no_owner", condition=Q(role__in=["member", "scorer", "manager"])
            ),
            models.CheckConstraint(
                name="invitation_is_for_somebody", condition=Q(most_uses__isnull=True) | Q(most_uses__gte=1)
            ),
            models.CheckConstraint(
                name="invitation_not_used_too_often",
                condition=Q(most_uses__isnull=True) | Q(uses__lte=F("most_uses")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.role} {self.label}".strip()

    @property
    def is_usable(self) -> bool:
        """Whether somebody may join with it now."""
        is_used_up = self.most_uses is not None and self.uses >= self.most_uses
        return self.revoked_at is None and self.expires_at > timezone.now() and not is_used_up


class PlayerQuerySet(models.QuerySet["Player"]):
    def canonical(self) -> PlayerQuerySet:
        """Return the players who were not merged into another one."""
        return self.filter(canonical=F("pk"))

    def on_roster(self) -> PlayerQuerySet:
        """Return the players a club seats now: neither merged into another one nor archived."""
        return self.canonical().filter(archived_at__isnull=True)


class Player(models.Model):
    """Somebody a club knows, with or without an account.

    `canonical` is the player itself or, for a duplicate, the player it was merged into: one step, never a chain.
    Statistics group by it; the seats of a duplicate keep pointing to the duplicate. A duplicate has no account: the
    merge hands it on. `public_name` is what pages show that everybody may read ("": the name).
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    name = models.CharField(max_length=NAME_LENGTH)
    public_name = models.CharField(max_length=NAME_LENGTH, blank=True)
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="players")
    is_guest = models.BooleanField(default=False)
    canonical = models.ForeignKey("self", on_delete=models.RESTRICT, related_name="group", editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    #: Merges have a record of their own, and names go with their club.
    history = HistoricalRecords(excluded_fields=["canonical"], cascade_delete_history=True)
    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(user__isnull=False), name="player_once_a_club_and_user"
            ),
            models.UniqueConstraint(
                F("club"),
                Lower("name"),
                condition=Q(canonical=F("id"), archived_at__isnull=True),
                name="player_name_once_a_club",
            ),
            models.CheckConstraint(name="player_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="player_guest_has_no_account", condition=Q(is_guest=False) | Q(user__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Any) -> None:
        """Save the player; a new one is its own canonical player."""
        if self.canonical_id:
            super().save(**options)
            return
        with transaction.atomic(using=options.get("using")):
            # The id is known only afterwards. Foreign keys are checked at the end of a transaction, so 0 may stand
            # for it until then.
            self.canonical_id = 0
            super().save(**options)
            self.canonical_id = self.pk
            Player.objects.filter(pk=self.pk).update(canonical=self.pk)

    @property
    def is_canonical(self) -> bool:
        """Whether this player was not merged into another one."""
        return self.canonical_id == self.pk

    @property
    def shown_publicly(self) -> str:
        """The name for pages that everybody may read."""
        return self.public_name or self.name

    def games_with(self, other: Player) -> models.QuerySet[Game]:
        """Return the games in which both of these canonical players, or duplicates of theirs, sat."""
        own = Seat.objects.filter(player__canonical=self).values("game")
        return Game.objects.filter(pk__in=own, seats__player__canonical=other).distinct()


class PlayerLink(models.Model):
    """A secret address for one person: whoever opens it first is that player from then on. Only its hash is stored."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claim_links")
    secret_hash = models.CharField(max_length=64)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("player", "-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["secret_hash"], name="player_link_secret_is_unique"),
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(used_at__isnull=True, revoked_at__isnull=True),
                name="player_link_one_open_a_player",
            ),
        )

    def __str__(self) -> str:
        return f"Link {self.pk}"

    @property
    def is_usable(self) -> bool:
        """Whether it makes somebody the player now."""
        return self.used_at is None and self.revoked_at is None and self.expires_at > timezone.now()


class Claim(models.Model):
    """An account says "that's me" of a player; a manager of the club decides. `accepted` is None until then.

    `decided_by` is None too where a claim fell because another one was accepted.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    accepted = models.BooleanField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("asked_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["player", "user"], condition=Q(accepted__isnull=True), name="claim_one_open_a_player_and_user"
            ),
            models.CheckConstraint(
                name="claim_decided_has_a_time",
                condition=Q(accepted__isnull=True, decided_at__isnull=True)
                | Q(accepted__isnull=False, decided_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.player}"


class Merge(models.Model):
    """A duplicate that was merged into another player, and what undoing that has to put back.

    `moved` are the ids of the players whose `canonical` was set: the duplicate and those merged into it before.
    `handed_on` is the account that went from the duplicate to the player kept.
    """

    kept = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merges_kept")
    merged = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merges_merged")
    moved = models.JSONField()
    handed_on = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("-at", "-pk")
        constraints = (
            models.CheckConstraint(name="merge_is_of_two_players", condition=~Q(kept=F("merged"))),
            models.UniqueConstraint(
                fields=["merged"], condition=Q(undone_at__isnull=True), name="merge_one_standing_a_player"
            ),
        )

    def __str__(self) -> str:
        return f"{self.merged} → {self.kept}"
