"""What statistics pages read: results, tallies, records. All derived; only `recording.statistics` writes them.

Players are canonical ones: what a duplicate played counts for the player it was merged into. `rebuild_statistics`
makes all of it anew from the sheets. Sums and counts are added up, highest values are read again.

Results and pairs are very many and have foreign keys that the database does not check: that would take longer than
making them anew.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from scoresheets.models.games import Game, Seat
from scoresheets.models.leagues import Evening, Season
from scoresheets.models.people import Club, Player

#: The scope of `BidTotal` that adds up all public clubs.
PUBLIC = 0


def counting_for(season: Season, prefix: str = "") -> Q:
    """Return which results a season counts, as a condition on results, or on other rows of a game with that prefix."""

    def has(**conditions: Any) -> Q:
        return Q(**{f"{prefix}{name}": value for name, value in conditions.items()})

    # Games without an evening have no answer to whether it counts.
    counts = has(evening__isnull=True) | has(evening__counts=True)
    counts &= has(club=season.club_id, rank__isnull=False, night__gte=season.starts_on)
    if season.ends_on is not None:
        counts &= has(night__lte=season.ends_on)
    if season.editions:
        counts &= has(edition__in=season.editions)
    if season.only_evenings:
        counts &= has(evening__isnull=False)
    if season.formula == "exact_rate":  # games of which only the results are known have no bids
        counts &= has(rounds__gt=0)
    if season.guests == Season.Guests.EXCLUDED:
        guests = Seat.objects.filter(game=OuterRef("game"), player__canonical__is_guest=True)
        counts &= ~Q(Exists(guests))
    return counts


class Result(models.Model):
    """What one player has of one game that counts: one row a game and player.

    `rank` is the place among those who played it from the first round to the last, `level` how many share it; both are
    None where the game is not ranked for this player: it was ended early (unless the club counts such games), or they
    came late or left. `players` is how many are ranked (where nobody is: how many played). `margin` is how many points
    a sole winner was ahead. `exact` and `rounds` count bids: none where only the results of a game are known.
    `highest_exact` is the highest exact bid (after the cloud), None without one; `highest_exact_cards` the hand it was
    made in. `exact_run` and `win_run` are the runs of exact bids and of wins that stood at the end of the game,
    `exact_run_most` the longest that stood during it. `rating_mu` and `rating_sigma` are the rating after it, None
    until the first rated game. Order: `started_at`, then the game's id.
    """

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="results", db_index=False, db_constraint=False
    )
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="results", db_index=False, db_constraint=False
    )
    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="results", db_index=False, db_constraint=False
    )
    evening = models.ForeignKey(
        Evening,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="results",
        db_index=False,
        db_constraint=False,
    )
    night = models.DateField()
    started_at = models.DateTimeField()
    edition = models.CharField(max_length=16)
    players = models.PositiveSmallIntegerField()
    total = models.IntegerField()
    exact = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True)
    level = models.PositiveSmallIntegerField(null=True)
    margin = models.PositiveIntegerField(null=True)
    best_round = models.IntegerField(null=True)
    worst_round = models.IntegerField(null=True)
    best_blind = models.IntegerField(null=True)
    highest_exact = models.PositiveSmallIntegerField(null=True)
    highest_exact_cards = models.PositiveSmallIntegerField(null=True)
    exact_run = models.PositiveIntegerField()
    exact_run_most = models.PositiveIntegerField()
    win_run = models.PositiveIntegerField()
    rating_mu = models.FloatField(null=True)
    rating_sigma = models.FloatField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=["player", "started_at", "game"], name="result_in_order_of_a_player"),
            models.Index(fields=["club", "night"], name="result_nights_of_a_club"),
            models.Index(fields=["club", "total"], name="result_totals_of_a_club"),
        )
        constraints = (
            models.UniqueConstraint(fields=["game", "player"], name="result_once_a_game_and_player"),
            models.CheckConstraint(name="result_exact_not_above_rounds", condition=Q(exact__lte=F("rounds"))),
            models.CheckConstraint(
                name="result_rank_is_shared_by_some",
                condition=Q(rank__isnull=True, level__isnull=True)
                | Q(rank__isnull=False, level__isnull=False, rank__gte=1, level__gte=1),
            ),
            models.CheckConstraint(
                name="result_rating_is_whole",
                condition=Q(rating_mu__isnull=True, rating_sigma__isnull=True)
                | Q(rating_mu__isnull=False, rating_sigma__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} in {self.game_id}: {self.total}"


class PlayerTally(models.Model):
    """A player's lifetime in numbers.

    `games` are all that count, `ranked` those with a rank; `wins` of them, `shared_wins` of those. `total_sum` is over
    ranked games. Of `bids`, `exact` were exact, `over` and `under` missed; `points_sum` are their points. `zero_…` are
    bids of no trick, `blind_…` bids made blind. Rating and runs are as they stand after the game `last_game`, started
    at `last_started_at`: the newest that counts.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="tally")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tallies")
    games = models.PositiveIntegerField()
    ranked = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    shared_wins = models.PositiveIntegerField()
    total_sum = models.BigIntegerField()
    bids = models.PositiveIntegerField()
    exact = models.PositiveIntegerField()
    over = models.PositiveIntegerField()
    under = models.PositiveIntegerField()
    points_sum = models.BigIntegerField()
    zero_bids = models.PositiveIntegerField()
    zero_exact = models.PositiveIntegerField()
    blind_bids = models.PositiveIntegerField()
    blind_exact = models.PositiveIntegerField()
    rated = models.PositiveIntegerField()
    rating_mu = models.FloatField(null=True)
    rating_sigma = models.FloatField(null=True)
    exact_run = models.PositiveIntegerField()
    exact_run_most = models.PositiveIntegerField()
    win_run = models.PositiveIntegerField()
    win_run_most = models.PositiveIntegerField()
    last_started_at = models.DateTimeField()
    last_game = models.PositiveBigIntegerField()

    class Meta:
        constraints = (
            models.CheckConstraint(name="player_tally_has_games", condition=Q(games__gte=1)),
            models.CheckConstraint(
                name="player_tally_wins_are_ranked",
                condition=Q(shared_wins__lte=F("wins"), wins__lte=F("ranked"), ranked__lte=F("games")),
            ),
            models.CheckConstraint(
                name="player_tally_bids_hit_or_miss", condition=Q(bids=F("exact") + F("over") + F("under"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.games}"


class CardsTally(models.Model):
    """A player's bids by the number of players in the round and of cards in the hand."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="cards_tallies", db_index=False)
    players = models.PositiveSmallIntegerField()
    cards = models.PositiveSmallIntegerField()
    bids = models.PositiveIntegerField()
    exact = models.PositiveIntegerField()
    points_sum = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["player", "players", "cards"], name="cards_tally_once"),
            models.CheckConstraint(name="cards_tally_exact_not_above_bids", condition=Q(exact__lte=F("bids"))),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.cards}"


class BidTally(models.Model):
    """How often a player bid so many tricks (after the cloud) and took so many."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="bid_tallies", db_index=False)
    bid = models.PositiveSmallIntegerField()
    taken = models.PositiveSmallIntegerField()
    bids = models.PositiveIntegerField()
    points_sum = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["player", "bid", "taken"], name="bid_tally_once"),)

    def __str__(self) -> str:
        return f"{self.player_id}: {self.bid} {self.taken}"


class PositionTally(models.Model):
    """A player's bids by the number of players in the round and the seat after the dealer.

    Seat 1 is the dealer's left neighbour, who bids first; the highest is the dealer, who bids last.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="position_tallies", db_index=False)
    players = models.PositiveSmallIntegerField()
    after_dealer = models.PositiveSmallIntegerField()
    bids = models.PositiveIntegerField()
    exact = models.PositiveIntegerField()
    points_sum = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["player", "players", "after_dealer"], name="position_tally_once"),
            models.CheckConstraint(name="position_tally_exact_not_above_bids", condition=Q(exact__lte=F("bids"))),
            models.CheckConstraint(
                name="position_tally_is_at_the_table",
                condition=Q(after_dealer__gte=1, after_dealer__lte=F("players")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.after_dealer} of {self.players}"


class PairTally(models.Model):
    """How two players who were ranked in the same games finished: each pair has two rows, one from either side.

    In `games` together the player finished `above` the opponent or `below`; in the others they were level.
    """

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="pair_tallies", db_index=False, db_constraint=False
    )
    opponent = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    games = models.PositiveIntegerField()
    above = models.PositiveIntegerField()
    below = models.PositiveIntegerField()

    class Meta:
        indexes = (models.Index(F("player"), F("games").desc(), F("opponent"), name="pair_tally_most_games"),)
        constraints = (
            models.UniqueConstraint(fields=["player", "opponent"], name="pair_tally_once"),
            models.CheckConstraint(name="pair_tally_is_of_two", condition=~Q(player=F("opponent"))),
            models.CheckConstraint(name="pair_tally_above_or_below", condition=Q(games__gte=F("above") + F("below"))),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.opponent_id}"


class Record(models.Model):
    """A player's best of a kind: the value, and the game (or the night) that it is of; of several, the earliest.

    `value` is points, tricks, a run of bids or wins, or a number of wins, by the kind.
    """

    class Kind(models.TextChoices):
        BEST_TOTAL = "best_total", _("highest total")
        WORST_TOTAL = "worst_total", _("lowest total")
        BEST_ROUND = "best_round", _("best round")
        WORST_ROUND = "worst_round", _("most expensive round")
        BEST_BLIND = "best_blind", _("best blind bid")
        HIGHEST_EXACT = "highest_exact", _("highest exact bid")
        CLOSEST_WIN = "closest_win", _("closest win")
        WIDEST_WIN = "widest_win", _("widest win")
        BEST_NIGHT = "best_night", _("most wins in an evening")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="records", db_index=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    value = models.IntegerField()
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    night = models.DateField()

    class Meta:
        indexes = (models.Index(fields=["club", "kind", "value"], name="record_of_a_club"),)
        constraints = (
            models.UniqueConstraint(fields=["player", "kind"], name="record_one_a_kind"),
            models.CheckConstraint(
                name="record_kind_is_known",
                condition=Q(
                    kind__in=[
                        *("best_total", "worst_total", "best_round", "worst_round", "best_blind", "highest_exact"),
                        *("closest_win", "widest_win", "best_night"),
                    ]
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind} {self.value}"


class BidTotal(models.Model):
    """Bids of all players of a club, or of all public clubs, by hand and bid: what bids are worth.

    `scope` is a club's id, or `PUBLIC`. `bid` is as spoken. `last` bids were the dealer's, `bound` ones were made where
    the sum must not come out even. `missed_by` adds up the tricks by which bids missed.
    """

    scope = models.PositiveBigIntegerField()
    players = models.PositiveSmallIntegerField()
    cards = models.PositiveSmallIntegerField()
    bid = models.PositiveSmallIntegerField()
    last = models.BooleanField()
    bound = models.BooleanField()
    bids = models.PositiveIntegerField()
    exact = models.PositiveIntegerField()
    points_sum = models.BigIntegerField()
    missed_by = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["scope", "players", "cards", "bid", "last", "bound"], name="bid_total_once"
            ),
            models.CheckConstraint(name="bid_total_exact_not_above_bids", condition=Q(exact__lte=F("bids"))),
        )

    def __str__(self) -> str:
        return f"{self.scope}: {self.cards} {self.bid}"


class ClubTally(models.Model):
    """A club's games in numbers, and the lock under which its statistics are written.

    From `stale_from` on, ratings and runs wait to be worked out anew: an older game was corrected or came late.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="tally")
    games = models.PositiveIntegerField(default=0)
    bids = models.PositiveIntegerField(default=0)
    exact = models.PositiveIntegerField(default=0)
    points_sum = models.BigIntegerField(default=0)
    stale_from = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(name="club_tally_exact_not_above_bids", condition=Q(exact__lte=F("bids"))),
        )

    def __str__(self) -> str:
        return f"{self.club_id}: {self.games}"
