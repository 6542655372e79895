"""One public club with very many finished games of four seats and fifteen rounds, as typed-in sheets leave them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import accumulate
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Bid, Club, Entry, Evening, Game, Merge, Player, Round, Season, Seat, User
from scoresheets.models.games import night_of
from tests.bench.games import NAMES
from tests.bench.large.bulk import Table, continue_ids, day, moment, quickly
from tests.bench.large.deals import SEATS, SKILLS, Deal, deals_of

WRITTEN = (Game, Seat, Round, Bid, Entry)
BATCH = 2_000

YEARS = 4
#: A club night every third day; games start on it from seven in the evening, for six hours.
NIGHTS_APART = 3
FIRST_HOUR, MINUTES = 19, 6 * 60
#: The n-th busiest of all plays 1 / (n + EVENNESS) as often: of 1,000, the busiest sits in a tenth of all games.
EVENNESS = 8
REGULARS = 6
GUESTS_APART = 20
#: The busiest were known under two names for a while: their games of every second night are a duplicate's.
DUPLICATES = 5
FRIENDLY_APART = 25
WITHOUT_EVENING = 0.1

#: What is played, and how often in twenty games.
HOUSES = (
    (rules.HouseRules(), 14),
    (rules.HouseRules(plus_minus_one=True), 4),
    (rules.HouseRules(specials=("DRAGON", "FAIRY")), 2),
)
#: The years that are over, oldest first, and the two leagues that go on: of the last year, and of all four.
CLOSED_YEARS: tuple[dict[str, Any], ...] = (
    {"formula": "mean", "fewest_games": 10},
    {"formula": "publisher", "tie_rule": "wins"},
    {"formula": "exact_rate", "guests": Season.Guests.UNRANKED},
)
THIS_YEAR: dict[str, Any] = {
    "formula": "places",
    "place_points": [10, 6, 3, 1],
    "best": 10,
    "best_of": "evenings",
    "only_evenings": True,
}
ALL_YEARS: dict[str, Any] = {"formula": "sum"}

_STARTED, _RECORDED = 1, 2


@dataclass(frozen=True, slots=True)
class Big:
    """What was loaded, as ids: the club, its season over all years, its busiest players, busiest first, its games."""

    club: int
    season: int
    regulars: tuple[int, ...]
    games: range

    @property
    def busiest(self) -> int:
        return self.regulars[0]


def load(games: int, players: int, *, seed: int = 1) -> Big:
    """Write a club with so many players and finished games, in one transaction; statistics are not made here.

    `players` is 10 or more. The same numbers and day give the same games.
    """
    club, roster = found(players)
    with quickly(*WRITTEN):
        ids = fill(club, roster, games, seed=seed)
    season = club.seasons.get(formula=ALL_YEARS["formula"])
    return Big(club.pk, season.pk, tuple(player.pk for player in roster[:REGULARS]), ids)


@transaction.atomic
def found(players: int) -> tuple[Club, list[Player]]:
    """Found the club, with evenings and seasons, and return it and its players, the busiest first, no duplicates."""
    name = f"Owner{User.objects.count()}"
    owner = Actor.of_user(User.objects.create_user(username=name, password=None))
    settings = recording.ClubSettings("Große Runde", visibility=Club.Visibility.PUBLIC)
    club = recording.create_club(settings, by=owner)
    first = Player.objects.latest("pk").pk + 1
    roster = [
        Player(
            pk=first + number,
            club=club,
            name=f"{NAMES[number % len(NAMES)]} {number + 1:04}",
            is_guest=number % GUESTS_APART == GUESTS_APART - 1,
            canonical_id=first + number,
        )
        for number in range(players)
    ]
    duplicates = [
        Player(pk=first + players + number, club=club, name=f"{kept.name} (2)", canonical_id=kept.pk)
        for number, kept in enumerate(roster[:DUPLICATES])
    ]
    Player.objects.bulk_create([*roster, *duplicates], batch_size=500)
    Merge.objects.bulk_create(
        Merge(kept=kept, merged=merged, moved=[merged.pk])
        for kept, merged in zip(roster[:DUPLICATES], duplicates, strict=True)
    )
    continue_ids(Player)
    nights = _nights(club)
    _hold_evenings(club, nights)
    _hold_seasons(club, nights)
    return club, roster


def _nights(club: Club) -> list[date]:
    """Return the club's nights, oldest first, the last one yesterday's."""
    last = night_of(timezone.now(), club.time_zone) - timedelta(days=1)
    return [last - timedelta(days=back) for back in range(0, 365 * YEARS, NIGHTS_APART)][::-1]


def _opening(club: Club, night: date) -> datetime:
    return datetime.combine(night, time(FIRST_HOUR), ZoneInfo(club.time_zone))


def _hold_evenings(club: Club, nights: Sequence[date]) -> None:
    openings = [_opening(club, night) for night in nights]
    Evening.objects.bulk_create(
        [
            Evening(
                club=club,
                night=night,
                starts_at=opening,
                opened_at=opening,
                closed_at=opening + timedelta(minutes=MINUTES),
                counts=number % FRIENDLY_APART != FRIENDLY_APART - 1,
            )
            for number, (night, opening) in enumerate(zip(nights, openings, strict=True))
        ],
        batch_size=500,
    )


def _hold_seasons(club: Club, nights: Sequence[date]) -> None:
    end = nights[-1] + timedelta(days=1)
    for back, rest in zip(range(YEARS - 1, 0, -1), CLOSED_YEARS, strict=True):
        starts_on, ends_on = end - timedelta(days=365 * (back + 1)), end - timedelta(days=365 * back + 1)
        closed_at = _opening(club, ends_on) + timedelta(days=7)
        season = Season(club=club, starts_on=starts_on, ends_on=ends_on, closed_at=closed_at, **rest)
        season.name = f"{starts_on:%Y}/{ends_on:%y}"
        season.save()
    Season(club=club, name="This year", starts_on=end - timedelta(days=365), **THIS_YEAR).save()
    Season(club=club, name="All years", starts_on=nights[0], **ALL_YEARS).save()


class _Writer:
    """The tables of a club's games while they are filled."""

    def __init__(self, club: Club, roster: Sequence[Player]) -> None:
        self.club, self.roster = club, roster
        finished = {"club_id": club.pk, "state": Game.State.FINISHED, "version": _RECORDED, "touched": 1}
        self.plan = [step.cards for step in rules.round_plans(rules.HouseRules(), SEATS)]
        moments = ("started_at", "finished_at", "night", "evening_id")
        self.games = Table(
            Game, "id", "specials", "plus_minus_one", "first_dealer", *moments, plan=self.plan, **finished
        )
        derived = ("total", "exact", "rank", "line")
        self.seats = Table(Seat, "id", "game_id", "position", "name", "player_id", *derived, rounds=len(self.plan))
        self.rounds = Table(
            Round,
            *("id", "game_id", "number", "cards", "dealer_id", "stage_version"),
            state=Round.State.SCORED,
            scored_version=_RECORDED,
        )
        values = ("tricks_bid", "tricks_taken", "points")
        self.bids = Table(Bid, "id", "round_id", "seat_id", *values, version=_RECORDED)
        self.entries = Table(Entry, "id", "game_id", "version", "kind", "payload", "at", via=OPERATOR.via)

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.games, self.seats, self.rounds, self.bids, self.entries


def fill(club: Club, roster: Sequence[Player], games: int, *, seed: int) -> range:
    """Write the games of a club with evenings, in the caller's transaction, and return their ids."""
    rng = random.Random(seed)
    writer = _Writer(club, roster)
    evenings = list(club.evenings.order_by("night"))
    first = writer.games.next_id
    duplicates = dict(club.players.exclude(canonical=F("pk")).values_list("canonical", "pk"))
    weights = list(accumulate(1 / (number + EVENNESS) for number in range(len(roster))))
    for number in range(games):
        evening = evenings[number * len(evenings) // games]
        people = four(rng, weights)
        _write_game(writer, rng, evening, people, duplicates if evening.pk % 2 else {})
        if len(writer.games.rows) == BATCH:
            for table in writer.tables:
                table.write()
    for table in writer.tables:
        table.write()
    continue_ids(*WRITTEN)
    return range(first, first + games)


def four(rng: random.Random, weights: Sequence[float]) -> list[int]:
    """Return four different places in the roster."""
    people: list[int] = []
    while len(people) < SEATS:
        people = list(dict.fromkeys(rng.choices(range(len(weights)), cum_weights=weights, k=2 * SEATS)))[:SEATS]
    return people


def _write_game(
    writer: _Writer, rng: random.Random, evening: Evening, people: Sequence[int], known_as: Mapping[int, int]
) -> None:
    """Collect all rows of one game that these places of the roster played in the evening, or beside it.

    `known_as` has the players who sat there as a duplicate, by id.
    """
    (game,) = writer.games.take_ids(1)
    seats, rounds = writer.seats.take_ids(SEATS), writer.rounds.take_ids(len(writer.plan))
    (house,) = rng.choices([house for house, _weight in HOUSES], [weight for _house, weight in HOUSES])
    first_dealer = rng.randrange(SEATS)
    at = moment(evening.starts_at + timedelta(minutes=rng.randrange(MINUTES)))
    belongs = None if rng.random() < WITHOUT_EVENING else evening.pk
    deals = _deals(writer, rng, house, people, first_dealer)
    writer.games.rows.append(
        (game, json.dumps(house.specials), house.plus_minus_one, first_dealer, at, at, day(evening.night), belongs)
    )
    players = [known_as.get(writer.roster[who].pk, writer.roster[who].pk) for who in people]
    _write_seats(writer, game, seats, people, players, deals)
    _write_rounds(writer, game, seats, rounds, first_dealer, deals)
    started = {
        "seats": list(seats),
        "first_dealer": first_dealer,
        "house": house.to_mapping(),
        "ladder": "full",
        "plan": writer.plan,
        "club": writer.club.pk,
        "players": dict(zip(seats, players, strict=True)),
        "night": evening.night.isoformat(),
    }
    if belongs is not None:
        started["evening"] = belongs
    recorded = ", ".join([deal.entry for deal in deals]) % (tuple(seats) * 2 * len(deals))
    started_id, recorded_id = writer.entries.take_ids(2)
    writer.entries.rows += (
        (started_id, game, _STARTED, Entry.Kind.STARTED.value, json.dumps(started), at),
        (recorded_id, game, _RECORDED, Entry.Kind.SHEET_RECORDED.value, f'{{"rounds": [{recorded}]}}', at),
    )


def _deals(
    writer: _Writer, rng: random.Random, house: rules.HouseRules, people: Sequence[int], first_dealer: int
) -> list[Deal]:
    """Return a round for each step of the plan."""
    skills = tuple(who % len(SKILLS) for who in people)
    return [
        rng.choice(deals_of(cards, skills, (first_dealer + place) % SEATS if house.plus_minus_one else None))
        for place, cards in enumerate(writer.plan)
    ]


def _write_seats(
    writer: _Writer,
    game: int,
    seats: Sequence[int],
    people: Sequence[int],
    players: Sequence[int],
    deals: Sequence[Deal],
) -> None:
    totals = [sum(points) for points in zip(*(deal.points for deal in deals), strict=True)]
    exact = [sum(hits) for hits in zip(*(deal.exact for deal in deals), strict=True)]
    lines = [", ".join(cells) for cells in zip(*(deal.cells for deal in deals), strict=True)]
    ranks = rules.ranks(totals, exact)
    writer.seats.rows += (
        (
            *(seats[place], game, place, writer.roster[who].name, players[place]),
            *(totals[place], exact[place], ranks[place], f"[{lines[place]}]"),
        )
        for place, who in enumerate(people)
    )


def _write_rounds(
    writer: _Writer,
    game: int,
    seats: Sequence[int],
    rounds: Sequence[int],
    first_dealer: int,
    deals: Sequence[Deal],
) -> None:
    bids = writer.bids.take_ids(SEATS * len(rounds))
    for place, (row, deal) in enumerate(zip(rounds, deals, strict=True)):
        dealer = seats[(first_dealer + place) % SEATS]
        opened = _RECORDED if place else _STARTED
        writer.rounds.rows.append((row, game, place + 1, writer.plan[place], dealer, opened))
        ids = bids[SEATS * place : SEATS * (place + 1)]
        writer.bids.rows += zip(ids, (row,) * SEATS, seats, deal.bids, deal.taken, deal.points, strict=True)
