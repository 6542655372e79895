"""A club's life at random: after every act its statistics are what its score sheets add up to."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import (
    BidTally,
    BidTotal,
    CardsTally,
    Club,
    ClubTally,
    Evening,
    Game,
    Merge,
    PairTally,
    Player,
    PlayerTally,
    PositionTally,
    Season,
)
from scoresheets.recording import statistics
from scoresheets.recording.accounts import delete_account
from scoresheets.recording.statistics.following import TALLY_FIELDS
from tests.scoresheets.clubs import add, make_club, make_user, owner_of
from tests.scoresheets.factories import dealt, fresh, open_round, seats_of
from tests.scoresheets.recording.statistics.oracle import added_up
from tests.thorough import scaled

pytestmark = pytest.mark.django_db

ACTS = scaled(40, factor=15)
NAMES = ("Annika", "Bernd", "Cem", "Doro", "Emil", "Frida", "Gustav", "Hilke")
HOUSES = (
    rules.HouseRules(),
    rules.HouseRules(plus_minus_one=True, plus_minus_one_from=2, blind_bids=True),
    rules.HouseRules(specials=("BOMB", "CLOUD"), tie_break="shared", blind_bids=True),
    rules.HouseRules(deck="french52"),
)


class Life:
    """Two clubs, some people, and what may happen to them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.club = make_club("Eulen", visibility="public")
        self.other = make_club("Dohlen")
        add(self.club, *NAMES)
        today = timezone.localdate()
        for name, options in {
            "Sum": {},
            "Best": {"formula": "places", "place_points": [5, 3, 1], "best": 2, "best_of": "evenings"},
            "Members": {"formula": "publisher", "guests": "excluded", "tie_rule": "wins", "fewest_games": 2},
            "Rate": {"formula": "exact_rate", "editions": ["base"], "tie_rule": "shared"},
            "Mean": {"formula": "mean", "best": 3, "closed_at": timezone.now()},
            "Evenings": {"only_evenings": True, "fewest_games": 2},
            "Later": {"starts_on": today + timedelta(days=300)},
        }.items():
            Season.objects.create(club=self.club, name=name, **({"starts_on": date(2020, 1, 1)} | options))
        for days in (0, 7, 400):
            Evening.objects.create(
                club=self.club, night=today - timedelta(days=days), starts_at=timezone.now() - timedelta(days=days)
            )
        self.acts: dict[Callable[[], None], int] = {
            self.play: 10,
            self.results: 3,
            self.correct: 4,
            self.adjust: 2,
            self.step_back: 3,
            self.reopen_and_finish: 2,
            self.void_or_restore: 3,
            self.merge: 2,
            self.undo_merge: 2,
            self.move: 2,
            self.seat_anew: 2,
            self.change_settings: 2,
            self.leave: 3,
            self.claim: 1,
            self.anonymise: 1,
            self.delete_account: 1,
            self.put_to_evening: 2,
            self.friendly_or_not: 1,
        }

    def act(self) -> str:
        (act,) = self.chance.choices(list(self.acts), list(self.acts.values()))
        try:
            act()
        except recording.Conflict as refused:
            return f"{act.__name__} ({refused.code})"
        return act.__name__

    # -- games ------------------------------------------------------------------------------------------------------

    def a_game(self, **filters: Any) -> Game:
        games = list(Game.objects.filter(club__in=[self.club, self.other], **filters).order_by("pk"))
        if not games:
            raise recording.Conflict("no_game")
        return self.chance.choice(games)

    def start(self) -> Game:
        house, seats = self.chance.choice(HOUSES), self.chance.randint(3, 5)
        roster = list(Player.objects.on_roster().filter(club=self.club).order_by("pk"))
        who: list[Any] = [None] * seats
        for place, player in enumerate(self.chance.sample(roster, min(seats, len(roster)))):
            who[place] = player.pk if self.chance.random() < 0.9 else None
        names = [f"Seat {place}" for place in range(seats)]
        rounds = self.chance.randint(1, 4)
        game = recording.start_game(
            names,
            house,
            first_dealer=self.chance.randrange(seats),
            rounds=rounds,
            by=OPERATOR,
            club=self.club,
            players=who,
        ).game
        # Nights and evenings past, so that games come in any order.
        back = timedelta(days=self.chance.choice([0, 0, 0, 1, 7, 200]), seconds=self.chance.randrange(100))
        Game.objects.filter(pk=game.pk).update(
            started_at=game.started_at - back, night=game.night and game.night - back
        )
        return fresh(game)

    def play_round(self, game: Game) -> None:
        current, house = open_round(game), game.house
        seats = [seat.pk for seat in seats_of(game) if seat.plays]
        bombs = int("BOMB" in house.specials and self.chance.random() < 0.3)
        taken = dict(zip(seats, dealt(current.cards - bombs, len(seats), self.chance), strict=True))
        bids = {seat: max(0, min(current.cards, taken[seat] + self.chance.choice([-1, 0, 0, 0, 1]))) for seat in seats}
        blind = [seat for seat in seats if house.blind_bids and self.chance.random() < 0.2]
        clouds = {}
        takers = [seat for seat in seats if taken[seat] and bids[seat] < current.cards]
        if "CLOUD" in house.specials and takers and self.chance.random() < 0.5:
            clouds = {self.chance.choice(takers): 1}
        try:
            recording.record_round(
                game,
                bids=bids,
                taken=taken,
                bombs=bombs,
                clouds=clouds,
                blind=blind,
                seen=current.stage_version,
                by=OPERATOR,
            )
        except rules.RulesError:
            self.play_round(game)

    def play_on(self, game: Game) -> None:
        while not fresh(game).is_finished:
            self.play_round(fresh(game))

    def play(self) -> None:
        self.play_on(self.start())

    def results(self) -> None:
        """A game of which only the points are known, of any night."""
        roster = list(Player.objects.on_roster().filter(club=self.club).order_by("pk"))
        who = [player.pk for player in self.chance.sample(roster, min(self.chance.randint(3, 5), len(roster)))]
        seated: list[Any] = [*who, None, None, None][: max(3, len(who))]
        recording.record_results(
            [f"Seat {place}" for place in range(len(seated))],
            [self.chance.choice([-40, 0, 50, 50, 130]) for _seat in seated],
            by=OPERATOR,
            club=self.club,
            players=seated,
            played_at=timezone.now()
            - timedelta(days=self.chance.choice([0, 1, 7, 200]), seconds=self.chance.randrange(1, 99)),
        )

    def correct(self) -> None:
        game = self.a_game(state="finished", halted="")
        if not game.has_rounds:
            points = [self.chance.choice([-40, 0, 50, 50, 130]) for _seat in seats_of(game)]
            recording.correct_results(game.pk, points, seen=game.version, by=OPERATOR, reason="Misread")
            return
        scored = self.chance.choice(list(game.rounds.filter(state="scored")))
        bids = list(scored.bids.order_by("seat__position"))
        seats = [bid.seat_id for bid in bids]
        taken = dealt(scored.cards - scored.bombs, len(seats), self.chance)
        values = recording.RoundValues(
            bids={seat: self.chance.randint(0, scored.cards) for seat in seats},
            taken=dict(zip(seats, taken, strict=True)),
            bombs=scored.bombs,
            trump=scored.trump,
        )
        recording.correct_round(
            game, number=scored.number, values=values, seen=scored.changed_version, by=OPERATOR, reason="Misread"
        )

    def adjust(self) -> None:
        game = self.a_game()
        seat = self.chance.choice(seats_of(game)).pk
        points = self.chance.choice([-50, 10, 30])
        recording.adjust_points(game, seat=seat, points=points, reason="Dropped a card", by=OPERATOR)

    def step_back(self) -> None:
        game = self.a_game(state="finished", halted="")
        undoes = game.rounds.latest("number").changed_version if game.has_rounds else game.version
        recording.step_back(game, undoes=undoes, by=OPERATOR)

    def reopen_and_finish(self) -> None:
        game = self.a_game(state="finished", halted="")
        recording.reopen(game, by=OPERATOR, reason="More to play")
        if self.chance.random() < 0.7:
            game = fresh(game)
            current = open_round(game)
            if current.state == "bidding" and not current.bids.exists():
                self.play_on(game)
                return
            taken = {int(seat): tricks for seat, tricks in current.draft["taken"].items()}
            recording.record_tricks(
                game, taken=taken, bombs=current.draft["bombs"], seen=current.stage_version, by=OPERATOR
            )

    def void_or_restore(self) -> None:
        game = self.a_game()
        if game.halted:
            recording.restore(game, by=OPERATOR)
        else:
            recording.void(game, by=OPERATOR, reason="Played for fun")

    def move(self) -> None:
        game = self.a_game()
        club = self.other if game.club_id == self.club.pk else self.club
        recording.move_game(game, club, players=self.some_players(game, club), by=OPERATOR)

    def seat_anew(self) -> None:
        game = self.a_game()
        recording.move_game(game, game.club, players=self.some_players(game, game.club), by=OPERATOR)

    def some_players(self, game: Game, club: Club) -> dict[int, int]:
        known = [player.pk for player in Player.objects.on_roster().filter(club=club).order_by("pk")]
        seats = [seat.pk for seat in seats_of(game)]
        return dict(zip(seats, self.chance.sample(known, min(len(known), len(seats))), strict=False))

    def leave(self) -> None:
        """Somebody comes and somebody goes in the course of a game, so that not everybody played everything."""
        game = self.start()
        if len(game.plan) < 3:
            return self.play_on(game)
        self.play_round(game)
        for change in self.chance.sample(["leave", "join", "replace"], self.chance.randint(1, 2)):
            game = fresh(game)
            seats = [seat for seat in seats_of(game) if seat.plays]
            gone = self.chance.choice(seats).pk
            cards = game.plan[1:]
            if change == "leave":
                recording.leave_table(game, seat=gone, cards=cards, seen=game.version, by=OPERATOR)
            elif change == "join" and len(seats) < 5:
                recording.join_table(
                    game, name="Late", after=gone, starting=5, cards=cards, seen=game.version, by=OPERATOR
                )
            elif change == "replace":
                recording.replace_at_table(game, seat=gone, name="Instead", seen=game.version, by=OPERATOR)
            if not fresh(game).is_finished and self.chance.random() < 0.5:
                break
        return self.play_on(game)

    # -- people and settings ----------------------------------------------------------------------------------------

    def merge(self) -> None:
        kept, merged = self.chance.sample(list(Player.objects.on_roster().filter(club=self.club).order_by("pk")), 2)
        recording.merge_players(kept, merged, by=OPERATOR)

    def undo_merge(self) -> None:
        standing = list(Merge.objects.filter(kept__club=self.club, undone_at=None).order_by("pk"))
        if standing:
            recording.undo_merge(standing[-1], by=OPERATOR)

    def claim(self) -> None:
        guests = list(Player.objects.on_roster().filter(club=self.club, user=None).order_by("pk"))
        player = self.chance.choice(guests)
        if not player.is_guest:
            Player.objects.filter(pk=player.pk).update(is_guest=True)
            statistics.restand_for_guests(self.club.pk)
            return
        _link, secret = recording.make_claim_link(player, by=OPERATOR)
        recording.use_claim_link(secret, by=Actor.of_user(make_user(f"user{player.pk}")))

    def anonymise(self) -> None:
        if self.chance.random() < 0.5:
            roster = list(Player.objects.on_roster().filter(club=self.club).order_by("pk"))
            if len(roster) > 5:
                recording.anonymise_player(self.chance.choice(roster), by=OPERATOR)

    def delete_account(self) -> None:
        joined = self.club.memberships.exclude(role="owner").order_by("pk").first()
        if joined is not None:
            delete_account(joined.user, OPERATOR)

    def put_to_evening(self) -> None:
        game = self.a_game(club=self.club, halted="")
        evenings = [None, *self.club.evenings.order_by("pk")]
        recording.set_evening(game, self.chance.choice(evenings), by=OPERATOR)

    def friendly_or_not(self) -> None:
        evening = self.chance.choice(list(self.club.evenings.order_by("pk")))
        plan = recording.EveningPlan.of(evening, self.club)
        recording.change_evening(evening, replace(plan, counts=not plan.counts), by=OPERATOR)

    def change_settings(self) -> None:
        self.club.refresh_from_db()
        settings = recording.ClubSettings.of(self.club)
        if self.chance.random() < 0.5:
            settings = replace(settings, incomplete_counts=not settings.incomplete_counts)
        else:
            settings = replace(settings, visibility="private" if settings.visibility == "public" else "public")
        recording.change_club(self.club, settings, by=owner_of(self.club))

    # -- what must hold ---------------------------------------------------------------------------------------------

    def differences(self) -> list[str]:
        """Return what is not as the sheets have it, as the command finds it and as the oracle does."""
        found = statistics.public_differences()
        for club in (self.club, self.other):
            club.refresh_from_db()
            found += statistics.differences_of(club)
            kept, right = kept_of(club), added_up(club)
            found += [
                f"{club}: {table}: {kept[table]}, not {right[table]}" for table in kept if kept[table] != right[table]
            ]
            assert ClubTally.objects.get(club=club).stale_from is None
        return found


def kept_of(club: Club) -> dict[str, Any]:
    """Return the club's statistics as they are stored, in the form of `added_up`."""
    tallies = PlayerTally.objects.filter(club=club)
    runs = ("exact_run", "exact_run_most", "win_run", "win_run_most")
    no_sums = ("club_id", "rated", "rating_mu", "rating_sigma", "last_started_at", "last_game", *runs)

    def rows(model: Any, keys: tuple[str, ...], columns: tuple[str, ...], **filters: Any) -> dict[Any, list[int]]:
        found = model.objects.filter(**(filters or {"player__club": club})).values_list(*keys, *columns)
        return {row[: len(keys)]: list(row[len(keys) :]) for row in found}

    counted = ("bids", "exact", "points_sum")
    return {
        "players": {
            row.pk: {name: getattr(row, name) for name in TALLY_FIELDS if name not in no_sums and getattr(row, name)}
            for row in tallies
        },
        "cards": rows(CardsTally, ("player", "players", "cards"), counted),
        "bids": rows(BidTally, ("player", "bid", "taken"), ("bids", "points_sum")),
        "positions": rows(PositionTally, ("player", "players", "after_dealer"), counted),
        "pairs": rows(PairTally, ("player", "opponent"), ("games", "above", "below")),
        "totals": rows(BidTotal, ("players", "cards", "bid", "last", "bound"), (*counted, "missed_by"), scope=club.pk),
        "runs": {row.pk: tuple(getattr(row, name) for name in runs) for row in tallies},
    }


@pytest.mark.parametrize("seed", range(2))
def test_statistics_follow_whatever_happens_to_a_club(seed):
    life = Life(seed)
    done = []

    for _act in range(ACTS):
        done.append(life.act())
        if life.chance.random() < 0.2:
            assert life.differences() == [], done

    stored = {club.pk: kept_of(club) for club in (life.club, life.other)}
    for club in (life.club, life.other):
        statistics.rebuild_club(club)
    assert life.differences() == []
    assert {club.pk: kept_of(club) for club in (life.club, life.other)} == stored
