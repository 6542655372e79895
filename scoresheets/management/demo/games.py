"""Quick games as people would have tapped them in, with plausible random bids and tricks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.forms.games import LENGTHS, Setup
from scoresheets.models import Game, Seat

NAMES = (
    *("Adaeze", "Ahmet", "Aiko", "Amara", "Anh", "Annika", "Arjun", "Beatriz", "Björn", "Chidi", "Chloé", "Dmitri"),
    *("Dorothea", "Elif", "Emeka", "Farid", "Giulia", "Hana", "Hiroshi", "Ines", "Ioana", "Jakub", "Jamila", "João"),
    *("Kalani", "Kwame", "Layla", "Leilani", "Mateus", "Mei", "Miriam", "Nadia", "Noor", "Oğuz", "Ольга", "Priya"),
    *("Rafael", "Rukhsana", "Sanna", "Siobhán", "Soraya", "Tariq", "Thandiwe", "Tomasz", "Valentina", "Wanjiru"),
    *("Xiomara", "Yael", "Yusuf", "Zoë", "Łucja", "美咲"),
)
#: How far a bid lies from the tricks its seat will take: about half of all bids come true.
MISJUDGED = (-2, -1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 2)
UNDONE = 0.02
LEVEL_TRIES = 400


@dataclass(slots=True)
class Table:
    """A game while it is played: `seats` in dealing order, `seen` the stage that the next write must have seen."""

    game: Game
    secret: str
    seats: list[Seat]
    rng: random.Random
    one_by_one: bool
    seen: int = 1
    totals: Counter[int] = field(default_factory=Counter)

    @property
    def players(self) -> int:
        return len(self.seats)

    def play_round(self, number: int, *, level: bool = False, stop: str = "") -> None:
        """Record one round; `level` looks for one that ends level at the top, `stop` leaves it open at a stage."""
        cards = self.game.plan[number - 1]
        dealer = rules.dealer_of(self.game.first_dealer, number, self.players)
        bids, taken = self._deal(number, cards, dealer)
        for _try in range(LEVEL_TRIES if level else 0):
            if self._ends_level(bids, taken):
                break
            bids, taken = self._deal(number, cards, dealer)
        order = rules.bidding_order(dealer, self.players)
        self._record_bids(order[: self.rng.randrange(self.players)] if stop == "bids" else order, bids)
        if not stop:
            self._record_tricks(taken)
            self.totals.update({seat: rules.round_points(bids[seat], taken[seat]) for seat in range(self.players)})

    def _deal(self, number: int, cards: int, dealer: int) -> tuple[list[int], list[int]]:
        """Return bids and tricks by place: some hands are stronger, and most people judge theirs nearly right."""
        strengths = [self.rng.gammavariate(2.0, 1.0) for _seat in self.seats]
        takers = Counter(self.rng.choices(range(self.players), strengths, k=cards))
        taken = [takers[seat] for seat in range(self.players)]
        bids = [0] * self.players
        spoken: list[int] = []
        for seat in rules.bidding_order(dealer, self.players):
            allowed = rules.allowed_bids(self.game.house, number=number, cards=cards, players=self.players, bids=spoken)
            wanted = taken[seat] + self.rng.choice(MISJUDGED)
            bids[seat] = min(allowed, key=lambda bid: (abs(bid - wanted), bid))
            spoken.append(bids[seat])
        return bids, taken

    def _ends_level(self, bids: Sequence[int], taken: Sequence[int]) -> bool:
        totals = [self.totals[seat] + rules.round_points(bids[seat], taken[seat]) for seat in range(self.players)]
        return totals.count(max(totals)) > 1

    def _record_bids(self, order: Sequence[int], bids: Sequence[int]) -> None:
        parts = [[place] for place in order] if self.one_by_one else [list(order)] if order else []
        for part in parts:
            by_seat = {self.seats[place].pk: bids[place] for place in part}
            self.game = recording.record_bids(self.game, bids=by_seat, seen=self.seen, by=OPERATOR).game
            if self.rng.random() < UNDONE:
                self._step_back()
                self.game = recording.record_bids(self.game, bids=by_seat, seen=self.seen, by=OPERATOR).game
        if len(order) == self.players:
            self.seen = self.game.version

    def _record_tricks(self, taken: Sequence[int]) -> None:
        by_seat = {seat.pk: tricks for seat, tricks in zip(self.seats, taken, strict=True)}
        self.game = recording.record_tricks(self.game, taken=by_seat, seen=self.seen, by=OPERATOR).game
        if self.rng.random() < UNDONE:
            self._step_back()
            self.game = recording.record_tricks(self.game, taken=by_seat, seen=self.seen, by=OPERATOR).game
        self.seen = self.game.version

    def _step_back(self) -> None:
        self.game = recording.step_back(self.game, undoes=self.game.version, by=OPERATOR).game
        self.seen = self.game.version


@transaction.atomic  # one commit a game instead of one a tap: nobody waits for these taps
def play_game(rng: random.Random, number: int) -> Table:
    """Start and play one game; every fifth is left unfinished, every tenth ends level if it can."""
    table = start(rng, number)
    rounds = len(table.game.plan)
    last = rng.randrange(rounds) if number % 5 == 0 else rounds
    for played in range(1, last + 1):
        table.play_round(played, level=number % 10 == 2 and played == rounds)
    if last < rounds:
        table.play_round(last + 1, stop=rng.choice(["bids", "tricks"]))
    return table


def start(rng: random.Random, number: int) -> Table:
    """Start a game of 3 to 6 people, of any length and rules that the pages offer."""
    names = rng.sample(NAMES, 3 + number % 4)
    setup = Setup(names=tuple(names), dealer=rng.randrange(len(names)))
    lengths = [length for length in LENGTHS if length != "tournament" or setup.has_tournament_ladder]
    setup = Setup(
        names=setup.names,
        dealer=setup.dealer,
        length=rng.choice(lengths),
        rounds=str(rng.randint(1, setup.most_rounds)),
        plus_minus_one=rng.random() < 0.4,
        tie_break=rng.choice(rules.TIE_BREAKS),
    )
    started = recording.start_game(**setup.start_arguments(), by=OPERATOR)
    seats = list(started.game.seats.order_by("position"))
    return Table(started.game, started.secret, seats, rng, one_by_one=rng.random() < 0.5)


def is_level(table: Table) -> bool:
    """Say whether a finished game has several seats with the most points."""
    points = table.totals.values()
    return list(points).count(max(points)) > 1
