"""A game on the Block: its rules and plan, seats, rounds, bids, and the journal they are derived from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import connection, models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import rules
from scoresheets.models.json_text import JSONTextField
from scoresheets.models.written_out import read_all, read_joined, read_one

MOST_SEATS = rules.MOST_PLAYERS
#: So many people can have sat at one table in the course of a game, those who left included.
MOST_PEOPLE = 12
#: More cards than any deck can give each of three seats: the bound a row can know without its game.
MOST_CARDS = 23
NAME_LENGTH = 40
REASON_LENGTH = 500
#: Points added beside the rounds at once, either way.
MOST_ADJUSTMENT = 1000
#: Points somebody can begin with who joins a running game, either way.
MOST_STARTING = 5000

#: A night ends at this hour, on the clock of the club.
NIGHT_ENDS_AT = 5

#: The fields of `Game` that make up its `rules.HouseRules`, under the same names.
HOUSE_RULE_FIELDS = tuple(rules.HouseRules().to_mapping())


class Game(models.Model):
    """One game: its house rules, its plan and where it stands.

    `version` is the version of its newest journal entry; `touched` also counts drafts. `state` follows the open round;
    `halted` says that nothing is recorded for now, whatever the state. An `incomplete` game was ended before its last
    round, or somebody left it. `table_changed` says that not everybody has played every round: somebody joined, left,
    came back or was replaced. A game without a club is a quick game. One of which only the results are known (`detail`)
    has no rounds and an empty plan.
    """

    class State(models.TextChoices):
        BIDDING = "bidding", _("bidding")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")

    class Halted(models.TextChoices):
        NOT = "", _("goes on")
        PAUSED = "paused", _("paused")
        ABANDONED = "abandoned", _("abandoned")
        VOIDED = "voided", _("voided")

    class Detail(models.TextChoices):
        """How much is known of a game: every round, or only what each seat had in the end."""

        ROUNDS = "rounds", _("every round")
        RESULTS = "results", _("points only")

    deck = models.CharField(max_length=16, default=rules.WIZARD60)
    specials = models.JSONField(default=list, blank=True)
    variant = models.CharField(max_length=16, default="standard")
    plus_minus_one = models.BooleanField(default=False)
    plus_minus_one_from = models.PositiveSmallIntegerField(default=1)
    hidden_bids = models.BooleanField(default=False)
    secret_bids = models.BooleanField(default=False)
    clairvoyance = models.BooleanField(default=False)
    blind_bids = models.BooleanField(default=False)
    tie_break = models.CharField(max_length=16, default="exact_hits")
    weak_specials_no_trump = models.BooleanField(default=False)
    werewolf_may_choose_no_trump = models.BooleanField(default=True)
    last_round_dealer_trump = models.BooleanField(default=False)
    rounds_from_deck = models.BooleanField(default=False)
    cloud_upper_clamp = models.BooleanField(default=True)
    allow_lone_dragon_or_fairy = models.BooleanField(default=False)
    specials_in_variants = models.BooleanField(default=False)

    ladder = models.CharField(max_length=16, default="full")
    #: Cards per hand, one number a round: the plan is data, so that any ladder can be written down.
    plan = JSONTextField()
    first_dealer = models.PositiveSmallIntegerField()
    detail = models.CharField(max_length=16, choices=Detail.choices, default=Detail.ROUNDS)
    state = models.CharField(max_length=16, choices=State.choices, default=State.BIDDING)
    halted = models.CharField(max_length=16, choices=Halted.choices, blank=True, default="")
    incomplete = models.BooleanField(default=False)
    table_changed = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    rematch_of = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="rematch")
    version = models.PositiveIntegerField(default=1)
    touched = models.PositiveIntegerField(default=0)
    club = models.ForeignKey(
        "scoresheets.Club", on_delete=models.PROTECT, null=True, blank=True, related_name="games", db_index=False
    )
    #: The club's game night it belongs to; `night` is that one's date or, without one, of the day it was played, which
    #: ends at five in the morning. A quick game has neither.
    evening = models.ForeignKey(
        "scoresheets.Evening", on_delete=models.SET_NULL, null=True, blank=True, related_name="games"
    )
    night = models.DateField(null=True, blank=True)
    #: Whether the statistics have it in them now.
    counted = models.BooleanField(default=False, editable=False)
    #: The version of the entry that made the confirmation whole: what is written later withdraws it.
    confirmed_version = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta:
        indexes = (models.Index(F("club"), F("started_at").desc(), F("id").desc(), name="game_newest_of_a_club"),)
        constraints = (
            models.CheckConstraint(
                name="game_of_a_club_has_a_night",
                condition=Q(club__isnull=True, night__isnull=True, evening__isnull=True)
                | Q(club__isnull=False, night__isnull=False),
            ),
            models.CheckConstraint(
                name="game_counted_is_a_finished_one_of_a_club",
                condition=Q(counted=False) | Q(club__isnull=False, state="finished", halted=""),
            ),
            models.CheckConstraint(
                name="game_deck_is_known",
                condition=Q(deck__in=list(rules.DECKS)),
                violation_error_message=_("This deck is not known."),
            ),
            models.CheckConstraint(
                name="game_variant_is_known",
                condition=Q(variant__in=list(rules.VARIANTS)),
                violation_error_message=_("This variant is not known."),
            ),
            models.CheckConstraint(
                name="game_tie_break_is_known",
                condition=Q(tie_break__in=list(rules.TIE_BREAKS)),
                violation_error_message=_("This tie rule is not known."),
            ),
            models.CheckConstraint(
                name="game_ladder_is_known",
                condition=Q(ladder__in=list(rules.LADDERS)),
                violation_error_message=_("This ladder is not known."),
            ),
            models.CheckConstraint(
                name="game_state_is_known", condition=Q(state__in=["bidding", "playing", "finished"])
            ),
            models.CheckConstraint(name="game_detail_is_known", condition=Q(detail__in=["rounds", "results"])),
            models.CheckConstraint(
                name="game_results_are_of_a_finished_one", condition=Q(detail="rounds") | Q(state="finished")
            ),
            models.CheckConstraint(
                name="game_halt_is_known", condition=Q(halted__in=["", "paused", "abandoned", "voided"])
            ),
            models.CheckConstraint(
                name="game_paused_is_not_finished", condition=~Q(halted="paused") | ~Q(state="finished")
            ),
            models.CheckConstraint(
                name="game_bids_are_hidden_or_secret_not_both",
                condition=Q(hidden_bids=False) | Q(secret_bids=False),
                violation_error_message=_("Bids are either hidden or secret."),
            ),
            models.CheckConstraint(
                name="game_secret_bids_may_add_up",
                condition=Q(secret_bids=False) | Q(plus_minus_one=False),
                violation_error_message=_("Secret bids cannot be kept from adding up."),
            ),
            models.CheckConstraint(
                name="game_ordinary_pack_has_no_variant",
                condition=Q(deck=rules.WIZARD60) | Q(variant="standard"),
                violation_error_message=_("This variant needs the 60-card deck."),
            ),
            models.CheckConstraint(name="game_plus_minus_one_starts_at_1", condition=Q(plus_minus_one_from__gte=1)),
            models.CheckConstraint(name="game_first_dealer_has_a_seat", condition=Q(first_dealer__lt=MOST_SEATS)),
            models.CheckConstraint(
                name="game_finished_has_a_time",
                condition=(Q(state="finished") & Q(finished_at__isnull=False))
                | (~Q(state="finished") & Q(finished_at__isnull=True)),
            ),
            models.CheckConstraint(name="game_version_starts_at_1", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="game_confirmed_version_was_reached",
                condition=Q(confirmed_version__isnull=True)
                | Q(confirmed_version__gte=1, confirmed_version__lte=F("version")),
            ),
        )

    def __str__(self) -> str:
        return f"Game {self.pk}"

    @property
    def house(self) -> rules.HouseRules:
        """The game's rules as one value."""
        values: dict[str, Any] = {name: getattr(self, name) for name in HOUSE_RULE_FIELDS}
        values["specials"] = tuple(values["specials"])
        return rules.HouseRules(**values)

    @property
    def is_finished(self) -> bool:
        return self.state == self.State.FINISHED

    @property
    def has_rounds(self) -> bool:
        """Whether its rounds are known: if not, only the points that each seat had in the end are."""
        return self.detail == self.Detail.ROUNDS

    @property
    def is_confirmed(self) -> bool:
        """Whether the sheet stands confirmed as it is now."""
        return self.confirmed_version == self.version

    @property
    def locks_at(self) -> datetime | None:
        """When the finished game is locked for all but its club's managers; None if never (reads the club)."""
        if self.finished_at is None or self.club is None or self.club.locks_after is None:
            return None
        return self.finished_at + timedelta(hours=self.club.locks_after)

    @property
    def is_closed(self) -> bool:
        """Whether only managers of its club may change the game: it is confirmed or locked.

        A quick game never is. Costs a statement where a finished game's club is not loaded yet.
        """
        if self.club_id is None or not self.is_finished:
            return False
        return self.is_confirmed or ((locks_at := self.locks_at) is not None and locks_at <= timezone.now())

    def newest_change(self) -> tuple[Entry, list[Entry]]:
        """Return the newest entry that is no confirmation, and the confirmations since, oldest first (2 statements)."""
        entries = self.entries.select_related("user")
        change = entries.exclude(kind=Entry.Kind.CONFIRMED).latest("version")
        return change, list(entries.filter(version__gt=change.version).order_by("version"))

    def accounts_seated(self) -> dict[int, int]:
        """Return the seat of each account that sits in this game, by the account's id (1 statement)."""
        seats = self.seats.filter(player__canonical__user__isnull=False)
        return dict(seats.values_list("player__canonical__user", "pk"))

    @classmethod
    def locked(cls, pk: int) -> Game:
        """Return the game as it is now and keep others from writing it until the transaction ends (1 statement).

        SQLite knows no row locks: there, the transaction itself began as the only writer.
        """
        lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
        game = read_one(cls, f"WHERE id = %s{lock}", [pk])
        if game is None:
            raise cls.DoesNotExist
        return game

    def seats_in_order(self) -> list[Seat]:
        """Return the seats in dealing order (1 statement)."""
        return read_all(Seat, "WHERE game_id = %s ORDER BY position", [self.pk])

    def rounds_in_order(self) -> list[Round]:
        """Return the rounds so far, round 1 first (1 statement)."""
        return read_all(Round, "WHERE game_id = %s ORDER BY number", [self.pk])

    def round_in_stage(self, state: str, stage_version: int) -> Round | None:
        """Return the open round if it is in this stage still (1 statement)."""
        of_stage = "WHERE game_id = %s AND state = %s AND stage_version = %s"
        return read_one(Round, of_stage, [self.pk, state, stage_version])

    def round_plans(self, seats: Sequence[Seat]) -> tuple[rules.RoundPlan, ...]:
        """Return the plan of all rounds, round 1 first, given all seats of the game.

        Where the table has changed, each scored round is as those who played it had it. () where there are no rounds.
        """
        if not self.has_rounds:
            return ()
        if not self.table_changed:
            return _round_plans(self.house, len(seats), self.ladder, tuple(self.plan))
        now = sum(seat.plays for seat in seats)
        scored = min(len(seat.line) for seat in seats)
        players = (
            sum(seat.line[place] is not None for seat in seats) if place < scored else now
            for place in range(len(self.plan))
        )
        return _changed_plans(self.house, tuple(zip(players, self.plan, strict=True)))


@lru_cache(maxsize=512)
def _changed_plans(house: rules.HouseRules, steps: tuple[tuple[int, int], ...]) -> tuple[rules.RoundPlan, ...]:
    return tuple(
        rules.plan_of(house, players, number=number, cards=cards)
        for number, (players, cards) in enumerate(steps, start=1)
    )


@lru_cache(maxsize=512)
def _round_plans(
    house: rules.HouseRules, seats: int, ladder: str, cards: tuple[int, ...]
) -> tuple[rules.RoundPlan, ...]:
    if ladder == "free":
        return rules.round_plans(house, seats, ladder="free", cards=cards)
    return rules.round_plans(house, seats, ladder=ladder, rounds=len(cards))


def night_of(moment: datetime, time_zone: str) -> date:
    """Return the night that a moment belongs to in a time zone: until five in the morning, the day before."""
    local = moment.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)
    return (local - timedelta(hours=NIGHT_ENDS_AT)).date()


class Seat(models.Model):
    """A person's place in one game. Its id is what the journal calls it; the name lives here only.

    `position` counts clockwise; it changes when somebody sits down in between. `starting` are the points somebody began
    with who joined later or, in a game of which only the results are known, all that the seat has. `total`, `exact`,
    `rounds`, `rank` and `line` are derived by `recording`: `line` holds the scored rounds of the game in order, each as
    [bid, taken, points] or, where it was blind or changed by the cloud, [bid, taken, points, blind, cloud], and None
    for a round this seat did not play. `adjustments` are points beside the rounds, each as [number of rounds scored
    before, points]. `player` is who sits here, one of the game's club.
    """

    class Presence(models.TextChoices):
        """Whether the seat plays; whoever has left may come back."""

        PLAYS = "", _("plays")
        LEFT = "left", _("has left")
        REPLACED = "replaced", _("was replaced")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=NAME_LENGTH)
    presence = models.CharField(max_length=8, choices=Presence.choices, blank=True, default="")
    starting = models.IntegerField(default=0)
    total = models.IntegerField(default=0, editable=False)
    exact = models.PositiveSmallIntegerField(default=0, editable=False)
    rounds = models.PositiveSmallIntegerField(default=0, editable=False)
    rank = models.PositiveSmallIntegerField(default=1, editable=False, validators=[MinValueValidator(1)])
    line = JSONTextField(default=list, editable=False)
    adjustments = models.JSONField(default=list, blank=True, editable=False)
    player = models.ForeignKey(
        "scoresheets.Player", on_delete=models.RESTRICT, null=True, blank=True, related_name="seats"
    )

    class Meta:
        ordering = ("game", "position")
        constraints = (
            models.UniqueConstraint(fields=["game", "position"], name="seat_position_once_a_game"),
            models.UniqueConstraint(F("game"), Lower("name"), name="seat_name_once_a_game"),
            # As many places again, so that all can stand up before they sit down in another order.
            models.CheckConstraint(name="seat_position_is_at_the_table", condition=Q(position__lt=2 * MOST_PEOPLE)),
            models.CheckConstraint(name="seat_presence_is_known", condition=Q(presence__in=["", "left", "replaced"])),
            models.CheckConstraint(
                name="seat_starting_is_in_range",
                condition=Q(starting__gte=-MOST_STARTING, starting__lte=MOST_STARTING),
            ),
            models.CheckConstraint(name="seat_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(name="seat_exact_not_above_rounds", condition=Q(exact__lte=F("rounds"))),
            models.CheckConstraint(name="seat_rank_starts_at_1", condition=Q(rank__gte=1)),
            models.UniqueConstraint(
                fields=["game", "player"], condition=Q(player__isnull=False), name="seat_player_once_a_game"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def plays(self) -> bool:
        """Whether the seat plays the open round, or played to the end."""
        return not self.presence

    @property
    def joined_round(self) -> int:
        """The first round this seat played, or would have played had it stayed."""
        return next((number for number, cell in enumerate(self.line, start=1) if cell is not None), len(self.line) + 1)

    @property
    def last_round(self) -> int:
        """The last scored round this seat played; 0 if it has played none."""
        return max((number for number, cell in enumerate(self.line, start=1) if cell is not None), default=0)


def playing(seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats that play now, in the order given."""
    return [seat for seat in seats if not seat.presence]


def others_played(seats: Sequence[Seat]) -> bool:
    """Say whether other people played the last scored round than play now, given all seats of a game."""
    return any(bool(seat.line) and (seat.line[-1] is not None) != seat.plays for seat in seats)


class Round(models.Model):
    """One round of a game: opened for bids, played, scored.

    `stage_version` is the journal version at which its present stage was opened or last stepped back to: a write must
    have seen it. `scored_version` is the entry that recorded its tricks. `draft` holds half-entered values and what an
    undo took back: {"taken": {seat id: tricks}, "bombs": n, "clouds": {seat id: ±1}, "bids": {seat id: bid},
    "coins": [seat id or None, trick by trick], "by_hand": whether "taken" counts although coins lie}.
    `trump`, `turned_up` (a card's notation) and `chosen_by` are there if the table noted them. `shown_version` is the
    entry after which hidden bids that added up were shown: then the dealer alone bids again.
    """

    class Trump(models.TextChoices):
        """What was noted of trump: nothing, that there is none, or a suit."""

        NOT_NOTED = "", _("not noted")
        NONE = "none", _("no trump")
        BLUE = "B", _("blue")
        RED = "R", _("red")
        GREEN = "G", _("green")
        YELLOW = "Y", _("yellow")
        HEARTS = "H", _("hearts")
        DIAMONDS = "D", _("diamonds")
        CLUBS = "C", _("clubs")
        SPADES = "S", _("spades")

    class State(models.TextChoices):
        BIDDING = "bidding", _("bidding")
        PLAYING = "playing", _("playing")
        SCORED = "scored", _("scored")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    cards = models.PositiveSmallIntegerField()
    dealer = models.ForeignKey(Seat, on_delete=models.RESTRICT, related_name="+", db_index=False)
    bombs = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=16, choices=State.choices, default=State.BIDDING)
    stage_version = models.PositiveIntegerField()
    scored_version = models.PositiveIntegerField(null=True, blank=True)
    shown_version = models.PositiveIntegerField(null=True, blank=True)
    trump = models.CharField(max_length=4, choices=Trump.choices, blank=True, default="")
    turned_up = models.CharField(max_length=16, blank=True, default="")
    chosen_by = models.ForeignKey(
        Seat, on_delete=models.RESTRICT, null=True, blank=True, related_name="+", db_index=False
    )
    draft = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("game", "number")
        constraints = (
            models.UniqueConstraint(fields=["game", "number"], name="round_number_once_a_game"),
            models.UniqueConstraint(fields=["game"], condition=~Q(state="scored"), name="round_one_open_a_game"),
            models.CheckConstraint(name="round_number_starts_at_1", condition=Q(number__gte=1)),
            models.CheckConstraint(name="round_cards_are_dealt", condition=Q(cards__gte=1, cards__lte=MOST_CARDS)),
            models.CheckConstraint(name="round_bombs_not_above_cards", condition=Q(bombs__lte=F("cards"))),
            models.CheckConstraint(
                name="round_state_is_known", condition=Q(state__in=["bidding", "playing", "scored"])
            ),
            models.CheckConstraint(
                name="round_trump_is_known", condition=Q(trump__in=["", "none", *(str(suit) for suit in rules.Suit)])
            ),
            models.CheckConstraint(
                name="round_trump_is_noted_with_its_card",
                condition=~Q(trump="") | Q(turned_up="", chosen_by__isnull=True),
            ),
            models.CheckConstraint(
                name="round_scored_has_a_version",
                condition=(Q(state="scored") & Q(scored_version__isnull=False))
                | (~Q(state="scored") & Q(scored_version__isnull=True)),
            ),
        )

    def __str__(self) -> str:
        return f"Round {self.number}"

    @property
    def changed_version(self) -> int:
        """The version at which the round last changed: what a correction, or taking back its tricks, must have seen."""
        return max(self.stage_version, self.scored_version or 0)

    def bids_by_seat(self) -> dict[int, Bid]:
        """Return the bids made in this round by seat id (1 statement)."""
        return {bid.seat_id: bid for bid in read_all(Bid, "WHERE round_id = %s", [self.pk])}


class Bid(models.Model):
    """One seat's bid in one round and, once it is played, what came of it.

    `version` is the journal entry that recorded the bid; `points` is derived: only `recording` writes it.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="bids", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.RESTRICT, related_name="bids")
    tricks_bid = models.PositiveSmallIntegerField()
    blind = models.BooleanField(default=False)
    cloud_delta = models.SmallIntegerField(default=0)
    tricks_taken = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.IntegerField(null=True, blank=True, editable=False)
    version = models.PositiveIntegerField()

    class Meta:
        ordering = ("round", "seat__position")
        constraints = (
            models.UniqueConstraint(fields=["round", "seat"], name="bid_once_a_seat_and_round"),
            models.CheckConstraint(name="bid_is_not_above_any_hand", condition=Q(tricks_bid__lte=MOST_CARDS)),
            models.CheckConstraint(name="bid_cloud_changes_by_one", condition=Q(cloud_delta__in=[-1, 0, 1])),
            models.CheckConstraint(
                name="bid_points_iff_taken",
                condition=Q(tricks_taken__isnull=True, points__isnull=True)
                | Q(tricks_taken__isnull=False, points__isnull=False),
                violation_error_message=_("Points belong to a played round."),
            ),
            models.CheckConstraint(
                name="bid_cloud_only_when_played", condition=Q(cloud_delta=0) | Q(tricks_taken__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.tricks_bid}"


class Via(models.TextChoices):
    """The door through which somebody acted."""

    DEVICE = "device", _("this device, without an account")
    EDIT_LINK = "edit_link", _("scorer's link")
    WATCH_LINK = "watch_link", _("watch link")
    LOGIN = "login", _("account")
    TOKEN = "token", _("app")
    COMMAND = "command", _("operator")
    ADMIN = "admin", _("admin site")
    IMPORT = "import", _("import")


class Entry(models.Model):
    """One act of a person on one game. Append-only: rounds, bids and seats are these played forward.

    `payload` holds what was entered, with seat ids and never names, so that anonymising a seat reaches everything.
    """

    class Kind(models.TextChoices):
        STARTED = "started", _("started")
        BIDS_RECORDED = "bids_recorded", _("bids recorded")
        TRICKS_RECORDED = "tricks_recorded", _("tricks recorded")
        STEPPED_BACK = "stepped_back", _("stepped back")
        REOPENED = "reopened", _("reopened")
        ROUND_RECORDED = "round_recorded", _("round recorded")
        TRUMP_NOTED = "trump_noted", _("trump noted")
        ROUND_CORRECTED = "round_corrected", _("round corrected")
        POINTS_ADJUSTED = "points_adjusted", _("points adjusted")
        SEAT_RENAMED = "seat_renamed", _("name changed")
        SHEET_RECORDED = "sheet_recorded", _("whole sheet recorded")
        RESULTS_RECORDED = "results_recorded", _("results recorded")
        RESULTS_CORRECTED = "results_corrected", _("results corrected")
        PAUSED = "paused", _("paused")
        RESUMED = "resumed", _("resumed")
        ENDED = "ended", _("ended early")
        ABANDONED = "abandoned", _("abandoned")
        VOIDED = "voided", _("voided")
        RESTORED = "restored", _("restored")
        SEAT_JOINED = "seat_joined", _("joined the table")
        SEAT_LEFT = "seat_left", _("left the table")
        SEAT_REPLACED = "seat_replaced", _("replaced at the table")
        MOVED = "moved", _("moved")
        CONFIRMED = "confirmed", _("confirmed")
        EVENING_SET = "evening_set", _("put to an evening")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="entries", db_index=False)
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=24, choices=Kind.choices)
    payload = models.JSONField(default=dict)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    via = models.CharField(max_length=16, choices=Via.choices)
    seat = models.ForeignKey(Seat, on_delete=models.RESTRICT, null=True, blank=True, related_name="+", db_index=False)
    label = models.CharField(max_length=NAME_LENGTH, blank=True)
    at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)

    class Meta:
        ordering = ("game", "version")
        verbose_name_plural = "entries"
        constraints = (
            models.UniqueConstraint(fields=["game", "version"], name="entry_version_once_a_game"),
            models.CheckConstraint(name="entry_version_starts_at_1", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="entry_kind_is_known",
                condition=Q(
                    kind__in=[
                        *("started", "bids_recorded", "tricks_recorded", "stepped_back", "reopened"),
                        *("round_recorded", "trump_noted", "round_corrected", "points_adjusted", "seat_renamed"),
                        *(
                            "sheet_recorded",
                            "results_recorded",
                            "results_corrected",
                            "paused",
                            "resumed",
                            "ended",
                            "abandoned",
                            "voided",
                            "restored",
                        ),
                        *("seat_joined", "seat_left", "seat_replaced"),
                        *("moved", "confirmed", "evening_set"),
                    ]
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.version}: {self.kind}"


class Receipt(models.Model):
    """The answer to a write that carried a key: the same key again gets it, and nothing is written twice.

    Kept at least 7 days. `actor` says whose key it is, `fingerprint` what was asked.
    """

    actor = models.CharField(max_length=80)
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["actor", "key"], name="receipt_key_once_an_actor"),
            models.CheckConstraint(name="receipt_has_a_key", condition=~Q(key="")),
        )

    def __str__(self) -> str:
        return f"{self.actor} {self.key}"

    @classmethod
    def of_key(cls, actor: str, key: str) -> Receipt | None:
        """Return the receipt of this actor's key, if there is one (1 statement)."""
        return read_one(cls, "WHERE actor = %s AND key = %s", [actor, key])


def hash_of_secret(secret: str) -> str:
    """Return what is stored of a link's secret. The secret has 128 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


class LinkQuerySet(models.QuerySet["Link"]):
    def usable(self) -> LinkQuerySet:
        """Return the links that open their game now: neither revoked nor expired."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now()), revoked_at__isnull=True)


class Link(models.Model):
    """A secret address that lets whoever has it keep a game's score, or watch it. Only the secret's hash is stored."""

    class Scope(models.TextChoices):
        EDIT = "edit", _("keep score")
        WATCH = "watch", _("watch")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="links")
    scope = models.CharField(max_length=8, choices=Scope.choices)
    secret_hash = models.CharField(max_length=64)
    label = models.CharField(max_length=NAME_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = LinkQuerySet.as_manager()

    class Meta:
        ordering = ("game", "-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["secret_hash"], name="link_secret_is_unique"),
            models.CheckConstraint(name="link_scope_is_known", condition=Q(scope__in=["edit", "watch"])),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.label}".strip()

    @classmethod
    def of_secret_hash(cls, game_id: int, secret_hash: str) -> Link | None:
        """Return the game's link with this hash, if there is one (1 statement)."""
        return read_one(cls, "WHERE game_id = %s AND secret_hash = %s", [game_id, secret_hash])

    @classmethod
    def opened_by(cls, game_id: int, secret_hash: str) -> tuple[Game, Link, bool] | None:
        """Return the game with this id, its link with this hash and whether that is usable now; None without the link.

        1 statement. Of the link only what an actor needs is there: id, scope, label.
        """
        of_link = (
            ", link.id, link.scope, link.label,"
            " link.revoked_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > %s)"
        )
        source = (
            "scoresheets_link link JOIN scoresheets_game ON scoresheets_game.id = link.game_id"
            " WHERE link.game_id = %s AND link.secret_hash = %s"
        )
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        for game, (pk, scope, label, is_usable) in read_joined(Game, of_link, source, [now, game_id, secret_hash]):
            return game, cls(pk=pk, game=game, scope=scope, label=label), bool(is_usable)
        return None

    @property
    def is_usable(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())
