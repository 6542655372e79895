"""Random games through `recording`: after every act the rows agree with the journal and with the rules as written."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid, Evening, Game, Round
from scoresheets.models.games import MOST_PEOPLE
from scoresheets.queries.blocks import sheet_of
from scoresheets.recording import (
    Conflict,
    RoundValues,
    abandon,
    adjust_points,
    come_back,
    confirm,
    correct_results,
    correct_round,
    end_early,
    join_table,
    leave_table,
    move_game,
    note_trump,
    pause,
    record_bids,
    record_results,
    record_round,
    record_tricks,
    rematch,
    rename_seat,
    reopen,
    replace_at_table,
    restore,
    resume,
    save_draft,
    set_evening,
    start_game,
    step_back,
    void,
)
from scoresheets.recording.repair import differences_of
from tests.scoresheets.clubs import add, make_club
from tests.scoresheets.factories import NAMES, dealt, fresh, newest_of, rows_of, seats_of, stage_of
from tests.thorough import scaled

pytestmark = pytest.mark.django_db

#: 60 games in all at every run, 2,000 in a thorough one.
PARTS = 2
GAMES = scaled(30, factor=34)
#: At most so many acts a game. The rows are compared with the journal at its end and after every fifth act or so.
ACTS = 28
SPECIALS = [(), (), ("BOMB",), ("CLOUD",), ("BOMB", "CLOUD"), ("BOMB", "CLOUD", "DRAGON", "FAIRY", "JUGGLER")]


def any_house(chance: random.Random) -> rules.HouseRules:
    """Return house rules that go together, every flag in play."""
    variant = chance.choice(["standard", "standard", "standard", "einfarbig", "maximus"])
    deck = chance.choice(["wizard60", "wizard60", "french52"]) if variant == "standard" else "wizard60"
    sums = chance.choice(
        [{}, {"plus_minus_one": True}, *[{"plus_minus_one": True, "hidden_bids": True}] * 3, {"secret_bids": True}]
    )
    return rules.HouseRules(
        deck=deck,
        variant=variant,
        specials=chance.choice(SPECIALS) if deck == "wizard60" else (),
        plus_minus_one_from=chance.choice([1, 1, 1, 2, 3]),
        clairvoyance=chance.random() < 0.3,
        blind_bids=chance.random() < 0.5,
        tie_break=chance.choice(rules.TIE_BREAKS),
        rounds_from_deck=chance.random() < 0.3,
        cloud_upper_clamp=chance.random() < 0.5,
        specials_in_variants=True,
        **sums,
    )


def any_game(chance: random.Random) -> Game:
    """Start a game of 3 to 6 seats on any ladder that goes with its house rules."""
    house = any_house(chance)
    seats = chance.choice([n for n in (3, 4, 5, 6) if not rules.house_rules_problems(house, n)])
    plan: dict[str, Any] = {"ladder": "full", "rounds": chance.randint(1, 4)}
    if chance.random() < 0.3:
        plan = {"ladder": "free", "cards": [chance.randint(1, 8) for _ in range(chance.randint(1, 4))]}
    elif chance.random() < 0.2 and seats < 6 and house.variant == "standard":
        plan = {"ladder": "tournament", "rounds": chance.randint(1, 4)}
    if house.deck == "french52" or plan["ladder"] == "tournament":
        problems = rules.plan_problems(house, seats, **plan)
        plan = {"ladder": "full", "rounds": 2} if problems else plan
    return start_game(NAMES[:seats], house, first_dealer=chance.randrange(seats), by=OPERATOR, **plan).game


@dataclass
class Paper:
    """The score of one game kept beside it: what a person with pencil and RULES.md would have written down.

    All by seat id: `rounds` are the scored ones, (bid, taken, blind, cloud) of whoever played; `beside` are points
    beside them, those somebody began with included.
    """

    rounds: list[dict[int, tuple[int, int, bool, int]]] = field(default_factory=list)
    beside: dict[int, int] = field(default_factory=dict)

    def points(self, cell: tuple[int, int, bool, int]) -> int:
        """20 and 10 a trick for an exact bid, else minus 10 a trick over or under; the cloud moves the bid before,
        a blind bid doubles after."""
        bid, taken, blind, cloud = cell
        off = abs(taken - (bid + cloud))
        return (20 + 10 * taken if off == 0 else -10 * off) * (2 if blind else 1)

    def total(self, seat: int) -> int:
        return sum(self.points(row[seat]) for row in self.rounds if seat in row) + self.beside.get(seat, 0)

    def standings(self, seats: list[int], playing: list[int], tie_break: str) -> list[tuple[int, int, int, int]]:
        """Return total, exact bids, rounds and rank of each seat; whoever has gone comes after all who stayed."""
        rows = {seat: [row[seat] for row in self.rounds if seat in row] for seat in seats}
        exact = {seat: sum(bid + cloud == taken for bid, taken, _blind, cloud in rows[seat]) for seat in seats}
        worth = {
            seat: (seat in playing, self.total(seat), exact[seat] if tie_break == "exact_hits" else 0) for seat in seats
        }
        return [
            (
                self.total(seat),
                exact[seat],
                len(rows[seat]),
                1 + sum(other > worth[seat] for other in worth.values()),
            )
            for seat in seats
        ]


class Walk:
    """One random game: its acts, and what must hold after each."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.game = any_game(self.chance)
        self.house = self.game.house
        #: Everybody who ever sat at the table, clockwise, and those of them who play.
        self.circle = [seat.pk for seat in seats_of(self.game)]
        self.seats = list(self.circle)
        self.paper = Paper()
        #: What each step back must restore, the newest last, with the version of the entry that it undoes.
        #: After a correction the old stages are not what comes back: None, and only the papers are compared.
        self.stages: list[tuple[int, dict[str, Any] | None, list[Any]]] = []
        self.done: dict[str, int] = {}

    @property
    def current(self) -> Round | None:
        return self.game.rounds.exclude(state="scored").first()

    def act(self) -> None:
        current = self.current
        acts: list[Callable[[], None]] = [self.step_back]
        if current is None:
            acts += [self.reopen, self.write_late, self.confirm, self.confirm]
        elif current.state == "bidding":
            acts = [self.bid, self.bid, self.bid, self.bid_together, self.bid_together, *acts]
            acts += [self.whole_round, self.trump]
            acts += [self.bid_wrongly, self.draft, self.write_late]
        else:
            acts = [self.tricks] * 6 + acts + [self.tricks_wrongly, self.draft, self.write_late, self.trump]
        if self.paper.rounds and self.chance.random() < 0.12:
            acts = [self.correct, self.correct, self.adjust, self.rename, self.interrupt, self.end]
        if self.chance.random() < 0.06:
            acts = [self.move]
        elif self.chance.random() < 0.17:
            acts = [self.join, self.come_back, self.leave, self.leave, self.replace]
        chosen = self.chance.choice(acts)
        chosen()
        self.done[chosen.__name__] = self.done.get(chosen.__name__, 0) + 1
        if self.chance.random() < 0.2:
            self.check()

    # -- legal acts

    def bid(self) -> None:
        self._bid(1)

    def bid_together(self) -> None:
        self._bid(len(self.seats))

    def _bid(self, most: int) -> None:
        current = self._open()
        standing = {bid.seat_id: bid.tricks_bid for bid in current.bids.all()}
        free = [seat for seat in self.seats if seat not in standing]
        chosen = self.chance.sample(free, min(self.chance.randint(1, most), len(free)))
        bids = {seat: self.chance.randint(0, min(current.cards, 3)) for seat in chosen}
        rest = current.cards - sum([*standing.values(), *bids.values()]) + bids[chosen[-1]]
        if self.house.hidden_bids and len(standing) + len(bids) == len(self.seats) and 0 <= rest <= current.cards:
            bids[chosen[-1]] = rest if self.chance.random() < 0.8 else bids[chosen[-1]]
        may_be_blind = self.house.blind_bids and not (self.house.clairvoyance and current.number == 1)
        blind = [seat for seat in chosen if may_be_blind and self.chance.random() < 0.3]
        self._before_change()
        binds = (
            self.house.plus_minus_one
            and not self.house.secret_bids
            and current.number >= self.house.plus_minus_one_from
        )
        adds_up = (
            len(standing) + len(bids) == len(self.seats) and sum([*standing.values(), *bids.values()]) == current.cards
        )
        if binds and adds_up and self.house.hidden_bids and current.shown_version is None:
            record_bids(self.game, bids=bids, blind=blind, seen=current.stage_version, by=OPERATOR)
            self._after_change()
            self._shown(standing | bids)
        elif binds and adds_up:
            self._refused(rules.RulesError, record_bids, bids=bids, blind=blind, seen=current.stage_version)
            self.stages.pop()
        else:
            record_bids(self.game, bids=bids, blind=blind, seen=current.stage_version, by=OPERATOR)
            self._after_change()

    def _shown(self, bids: dict[int, int]) -> None:
        """Hidden bids that add up lie open, all but the dealer's, which stays as a draft until it is changed."""
        current = self._open()
        self.done["shown"] = self.done.get("shown", 0) + 1
        assert not sheet_of(fresh(self.game)).covered
        assert (current.state, current.draft["bids"]) == (
            "bidding",
            {str(current.dealer_id): bids.pop(current.dealer_id)},
        )
        assert {bid.seat_id: bid.tricks_bid for bid in current.bids.all()} == bids

    def whole_round(self) -> None:
        """Bids and tricks of everybody in one entry; one step back takes back both."""
        current = self._open()
        standing = {bid.seat_id: bid for bid in current.bids.all()}
        bids = {seat: self.chance.randint(0, min(current.cards, 3)) for seat in self.seats if seat not in standing}
        bombs = self.chance.choice([0, 1]) if "BOMB" in self.house.specials else 0
        taken = dict(zip(self.seats, dealt(current.cards - bombs, len(self.seats), self.chance), strict=True))
        arguments = {"bids": bids, "taken": taken, "bombs": bombs, "seen": current.stage_version}
        spoken = {seat: bid.tricks_bid for seat, bid in standing.items()} | bids
        binds = self.house.plus_minus_one and current.number >= self.house.plus_minus_one_from
        if binds and sum(spoken.values()) == current.cards:
            self._refused(rules.RulesError, record_round, **arguments)
            return
        self._before_change()
        record_round(self.game, by=OPERATOR, **arguments)
        self.paper.rounds.append(
            {seat: (spoken[seat], taken[seat], seat in standing and standing[seat].blind, 0) for seat in self.seats}
        )
        self._after_change()

    def trump(self) -> None:
        """Noted or changed at any time of an open round; never undone by a step back within the round."""
        current = self._open()
        plan = rules.plan_of(self.house, len(self.seats), number=current.number, cards=current.cards)
        suits = list(rules.DECKS[self.house.deck].suits)
        if plan.fixed_trump:
            trump = plan.trump or "none"
        elif plan.turned_up:
            trump = self.chance.choice(["", "none", *suits])
        else:
            trump = "none"
        note_trump(self.game, number=current.number, trump=str(trump), by=OPERATOR)
        assert self._open().trump == trump
        self._refused(rules.RulesError, note_trump, number=current.number, trump="X")

    def tricks(self) -> None:
        current = self._open()
        bombs = self.chance.choice([0, 0, 1]) if "BOMB" in self.house.specials else 0
        taken = dealt(current.cards - bombs, len(self.seats), self.chance)
        bids = {bid.seat_id: bid for bid in current.bids.all()}
        clouds: dict[int, int] = {}
        takers = [place for place, tricks in enumerate(taken) if tricks]
        if "CLOUD" in self.house.specials and takers and self.chance.random() < 0.6:
            place = self.chance.choice(takers)
            most = current.cards if self.house.cloud_upper_clamp else current.cards + 1
            moves = [move for move in (-1, 1) if 0 <= bids[self.seats[place]].tricks_bid + move <= most]
            clouds = {self.seats[place]: self.chance.choice(moves)}
        self._before_change()
        record_tricks(
            self.game,
            taken=dict(zip(self.seats, taken, strict=True)),
            bombs=bombs,
            clouds=clouds,
            seen=current.stage_version,
            by=OPERATOR,
        )
        self.paper.rounds.append(
            {
                seat: (bids[seat].tricks_bid, tricks, bids[seat].blind, clouds.get(seat, 0))
                for seat, tricks in zip(self.seats, taken, strict=True)
            }
        )
        self._after_change()

    def step_back(self) -> None:
        undo = sheet_of(fresh(self.game)).undo
        current = self.current
        starts_anew = current is not None and not current.bids.exists() and current.shown_version is None
        others_played = bool(self.paper.rounds) and set(self.paper.rounds[-1]) != set(self.seats)
        if not self.stages or (starts_anew and others_played) or (current is None and self._ended_early()):
            assert undo is None
            self._refused(Conflict, step_back, undoes=newest_of(self.game))
            self.done["no way back"] = self.done.get("no way back", 0) + bool(self.stages)
            return
        version, stage, scored = self.stages.pop()
        assert undo is not None
        assert stage is None or undo.version == version
        step_back(self.game, undoes=undo.version, by=OPERATOR)
        self._back_at(stage, scored)

    def _ended_early(self) -> bool:
        return len(self.paper.rounds) < len(fresh(self.game).plan)

    def reopen(self) -> None:
        if self._ended_early():  # for only then did somebody leave for good
            assert len(self.seats) < 3
            self._refused(Conflict, reopen)
            return
        reopen(self.game, by=OPERATOR, reason="Miscounted")
        _version, stage, scored = self.stages.pop()
        self._back_at(stage, scored)

    def _back_at(self, stage: dict[str, Any] | None, scored: list[Any]) -> None:
        self.paper.rounds = self.paper.rounds[: len(scored)]
        assert stage is None or (stage_of(self.game), self.paper.rounds) == (stage, scored)

    def _forget_stages(self) -> None:
        self.stages = [(0, None, scored) for _version, _stage, scored in self.stages]

    def correct(self) -> None:
        """Any scored round, at any time: what was written on paper changes, and nothing else of the round."""
        number = self.chance.randint(1, len(self.paper.rounds))
        scored = self.game.rounds.get(number=number)
        row = {seat: list(cell) for seat, cell in self.paper.rounds[number - 1].items()}
        giver, taker = self.chance.sample(list(row), 2)
        row[giver][0] = self.chance.randint(0, min(scored.cards, 3))
        if row[giver][1] > (1 if row[giver][3] else 0):  # whoever has the cloud keeps a trick
            row[giver][1], row[taker][1] = row[giver][1] - 1, row[taker][1] + 1
        if row[giver][3] and not 0 <= row[giver][0] + row[giver][3] <= scored.cards:
            row[giver][3] = 0
        values = RoundValues(
            bids={seat: cell[0] for seat, cell in row.items()},
            taken={seat: cell[1] for seat, cell in row.items()},
            bombs=scored.bombs,
            clouds={seat: cell[3] for seat, cell in row.items() if cell[3]},
            blind=[seat for seat, cell in row.items() if cell[2]],
            trump=scored.trump,
            turned_up=scored.turned_up,
            chosen_by=scored.chosen_by_id,
        )
        arguments = {"number": number, "values": values, "reason": "Misheard"}
        self._refused(Conflict, correct_round, **arguments, seen=scored.changed_version + 1)
        corrected = {seat: tuple(cell) for seat, cell in row.items()}
        if corrected == self.paper.rounds[number - 1]:
            self._refused(Conflict, correct_round, **arguments, seen=scored.changed_version)
            return
        correct_round(self.game, **arguments, seen=scored.changed_version, by=OPERATOR)
        self.paper.rounds = [*self.paper.rounds[: number - 1], corrected, *self.paper.rounds[number:]]
        self._forget_stages()

    def adjust(self) -> None:
        seat, points = self.chance.choice(self.circle), self.chance.choice([-20, -5, 10])
        adjust_points(self.game, seat=seat, points=points, reason="Overtime", by=OPERATOR)
        self.paper.beside[seat] = self.paper.beside.get(seat, 0) + points
        self._forget_stages()

    def interrupt(self) -> None:
        """Halted in any way and back again: nothing has moved, and nothing was recorded meanwhile."""
        before = stage_of(self.game)
        halt, go_on, arguments = self.chance.choice(
            [(pause, resume, {}), (abandon, restore, {}), (void, restore, {"reason": "Wrong table"})]
        )
        if self.current is None and halt is not void:
            self._refused(Conflict, halt, **arguments)
            return
        halt(self.game, by=OPERATOR, **arguments)
        self.check()
        self._refused(Conflict, adjust_points, seat=self.seats[0], points=5, reason="Bonus")
        go_on(self.game, by=OPERATOR)
        assert stage_of(self.game) == before

    def end(self) -> None:
        """Ended before the last round, and taken up again: the bids of the open round are gone, nothing else."""
        if self.current is None:
            self._refused(Conflict, end_early)
            return
        end_early(self.game, by=OPERATOR)
        self.check()
        assert self.current is None
        reopen(self.game, by=OPERATOR, reason="Time enough")
        self._forget_open_round()

    def _forget_open_round(self) -> None:
        self.stages = [stage for stage in self.stages if len(stage[2]) < len(self.paper.rounds)]

    # -- people come and go

    def join(self) -> None:
        """Somebody new sits down, with nothing, some points, or the mean of those who play."""
        if not self._may_change_table(len(self.seats) + 1):
            return
        before = self.chance.choice(self.circle)
        starting = self.chance.choice([0, 35, None])
        totals = [self.paper.total(seat) for seat in self.seats]
        name, cards = f"Guest {newest_of(self.game)}", self._cards(len(self.seats) + 1)
        arguments = {"name": name, "after": before, "cards": cards, "starting": starting}
        self._refused(Conflict, join_table, **arguments, seen=newest_of(self.game) + 1)
        join_table(self.game, **arguments, seen=newest_of(self.game), by=OPERATOR)
        new = self._new_seat()
        self.circle.insert(self.circle.index(before) + 1, new)
        self.paper.beside[new] = math.floor(sum(totals) / len(totals) + 0.5) if starting is None else starting
        self._regroup([*self.seats, new])

    def come_back(self) -> None:
        """Whoever left plays again, with the points of before."""
        gone = [seat for seat in self.circle if seat not in self.seats]
        if not gone or not self._may_change_table(len(self.seats) + 1):
            return
        seat, cards = self.chance.choice(gone), self._cards(len(self.seats) + 1)
        self._refused(Conflict, come_back, seat=self.seats[0], cards=cards, seen=newest_of(self.game))
        come_back(self.game, seat=seat, cards=cards, seen=newest_of(self.game), by=OPERATOR)
        self.done["came back"] = self.done.get("came back", 0) + 1
        self._regroup([*self.seats, seat])

    def leave(self) -> None:
        """One fewer: the others go on if they are three, else the game is over."""
        if self.current is None:
            self._refused(Conflict, leave_table, seat=self.seats[0], seen=newest_of(self.game))
            return
        seat = self.chance.choice(self.seats)
        rest = [other for other in self.seats if other != seat]
        if len(rest) >= 3:
            cards = self._cards(len(rest))
        elif self.paper.rounds:
            cards = []
        else:
            self._refused(Conflict, leave_table, seat=seat, seen=newest_of(self.game))
            return
        leave_table(self.game, seat=seat, cards=cards, seen=newest_of(self.game), by=OPERATOR)
        if not cards:
            self.done["too few left"] = self.done.get("too few left", 0) + 1
            assert (fresh(self.game).state, fresh(self.game).incomplete) == ("finished", True)
        self._regroup(rest)

    def replace(self) -> None:
        """Somebody else sits down in a seat, with its points or without."""
        if self.current is None:
            self._refused(Conflict, replace_at_table, seat=self.seats[0], name="Nobody", seen=newest_of(self.game))
            return
        if len(self.circle) == MOST_PEOPLE:
            return
        seat, takes_over = self.chance.choice(self.seats), self.chance.random() < 0.5
        points = self.paper.total(seat) if takes_over else 0
        dealer = self._open().dealer_id
        name = f"Guest {newest_of(self.game)}"
        replace_at_table(self.game, seat=seat, name=name, takes_over=takes_over, seen=newest_of(self.game), by=OPERATOR)
        new = self._new_seat()
        assert self._open().dealer_id == (new if dealer == seat else dealer)
        self.circle.insert(self.circle.index(seat), new)
        self.paper.beside[new] = points
        self._regroup([new if other == seat else other for other in self.seats])

    def _may_change_table(self, players: int) -> bool:
        """Say whether so many can play; if not, nobody sits down."""
        is_over = self.current is None and not self._ended_early()
        possible = not rules.house_rules_problems(self.house, players)
        if possible and not is_over and len(self.circle) < MOST_PEOPLE:
            return True
        arguments = {"name": "Nobody", "after": self.circle[0], "cards": [1], "seen": newest_of(self.game)}
        self._refused((Conflict, rules.RulesError), join_table, **arguments)
        return False

    def _cards(self, players: int) -> list[int]:
        """Return cards for up to three more rounds that the deck has for so many."""
        fits = [
            cards for cards in range(1, 9) if not rules.plan_problems(self.house, players, ladder="free", cards=[cards])
        ]
        return [self.chance.choice(fits) for _ in range(self.chance.randint(1, 3))]

    def _new_seat(self) -> int:
        (new,) = {seat.pk for seat in seats_of(self.game)} - set(self.circle)
        return new

    def _regroup(self, playing: list[int]) -> None:
        """After a change of the table: nothing of the open round is left, and the circle stands as it should."""
        self.seats = [seat for seat in self.circle if seat in playing]
        assert [seat.pk for seat in seats_of(self.game)] == self.circle
        assert [seat.pk for seat in seats_of(self.game) if seat.plays] == self.seats
        current = self.current
        assert current is None or (current.bids.count(), current.state, current.trump) == (0, "bidding", "")
        self._forget_open_round()
        self._forget_stages()

    # -- a game in a club

    def move(self) -> None:
        """Into a club, or another one: some seats get players, known or new ones, the others keep a name alone."""
        club = make_club(f"Club {newest_of(self.game)}")
        (known,) = add(club, "Known")
        seated = self.chance.sample(self.circle, self.chance.randint(0, len(self.circle)))
        players: dict[int, int | str] = {seat: f"New {seat}" for seat in seated[1:]}
        players |= dict.fromkeys(seated[:1], known.pk)
        move_game(self.game, club, players=players, by=OPERATOR)
        assert fresh(self.game).club == club
        assert {seat.pk for seat in seats_of(self.game) if seat.player_id} == set(seated)
        evening = Evening.objects.create(club=club, night=date(2026, 12, 3), starts_at=timezone.now())
        set_evening(self.game, evening, by=OPERATOR)
        assert (fresh(self.game).evening, fresh(self.game).night) == (evening, evening.night)

    def confirm(self) -> None:
        """By the operator, who is above all roles: whole at once, and withdrawn by whatever is written later."""
        if fresh(self.game).club is None:
            self._refused(PermissionDenied, confirm, seen=newest_of(self.game))
            return
        if self.current is not None or fresh(self.game).is_confirmed:
            self._refused(Conflict, confirm, seen=newest_of(self.game))
            return
        confirm(self.game, seen=newest_of(self.game), by=OPERATOR)
        assert fresh(self.game).is_confirmed
        self.done["confirmed"] = self.done.get("confirmed", 0) + 1

    def rename(self) -> None:
        name = f"Friend {newest_of(self.game)}"
        rename_seat(self.game, seat=self.chance.choice(self.circle), name=name, reason="Wrong person", by=OPERATOR)

    def draft(self) -> None:
        before = rows_of(self.game)
        draft = {"taken": {str(self.chance.choice(self.seats)): self.chance.randint(0, 5)}}
        save_draft(self.game, draft=draft, seen=self._open().stage_version, by=OPERATOR)
        after = rows_of(self.game)
        assert self._open().draft == draft
        assert {**after, "rounds": [], "game": []} == {**before, "rounds": [], "game": []}

    # -- acts that must be refused

    def bid_wrongly(self) -> None:
        current = self._open()
        free = [seat for seat in self.seats if not current.bids.filter(seat=seat).exists()]
        bid = self.chance.choice([-1, current.cards + 1])
        bids = dict.fromkeys(free, 0) | {self.chance.choice(free): bid}
        self._refused(rules.RulesError, record_bids, bids=bids, seen=current.stage_version)

    def tricks_wrongly(self) -> None:
        current = self._open()
        taken = dealt(current.cards + self.chance.choice([-1, 1]), len(self.seats), self.chance)
        by_seat = dict(zip(self.seats, taken, strict=True))
        self._refused(rules.RulesError, record_tricks, taken=by_seat, seen=current.stage_version)

    def write_late(self) -> None:
        wrong = newest_of(self.game) + self.chance.choice([1, 5])
        seats = dict.fromkeys(self.seats, 0)
        verb, arguments = self.chance.choice(
            [
                (record_bids, {"bids": seats, "seen": wrong}),
                (record_tricks, {"taken": seats, "seen": wrong}),
                (step_back, {"undoes": wrong}),
            ]
        )
        self._refused(Conflict, verb, **arguments)

    # -- what must hold

    def check(self) -> None:
        stored = fresh(self.game)
        assert differences_of(stored.pk) == []
        seats = seats_of(stored)
        expected = self.paper.standings(self.circle, self.seats, stored.tie_break)
        assert [(seat.total, seat.exact, seat.rounds, seat.rank) for seat in seats] == expected
        told = dict(zip(self.circle, expected, strict=True))
        for whole in (False, True):
            sheet = sheet_of(stored, whole=whole)
            shown = [seat for seat in self.circle if seat in self.seats or (whole and told[seat][2])]
            assert [seat.pk for seat in sheet.seats] == shown
            assert list(zip(sheet.block.totals, sheet.block.hits, sheet.block.ranks, strict=True)) == [
                (
                    told[seat][0],
                    told[seat][1],
                    told[seat][3] if seat in self.seats or len(shown) == len(seats) else rank,
                )
                for seat, rank in zip(shown, sheet.block.ranks, strict=True)
            ]
        assert self.game.rounds.count() <= len(stored.plan)
        self._check_dealers()

    def _check_dealers(self) -> None:
        """The deal went round clockwise: whoever was passed over did not play."""
        rounds = list(self.game.rounds.order_by("number"))
        players = [set(row) for row in self.paper.rounds] + [set(self.seats)]
        for before, after in itertools.pairwise(rounds):
            place = self.circle.index(before.dealer_id)
            passed = []
            while (seat := self.circle[(place := (place + 1) % len(self.circle))]) != after.dealer_id:
                passed.append(seat)
            assert after.dealer_id in players[after.number - 1]
            assert not players[after.number - 1].intersection(passed)

    def _open(self) -> Round:
        current = self.current
        assert current is not None
        return current

    def _before_change(self) -> None:
        self.stages.append((0, stage_of(self.game), list(self.paper.rounds)))

    def _after_change(self) -> None:
        _version, stage, scored = self.stages.pop()
        self.stages.append((newest_of(self.game), stage, scored))

    def _refused(
        self, error: type[Exception] | tuple[type[Exception], ...], verb: Callable[..., Any], **arguments: Any
    ) -> None:
        before = rows_of(self.game)
        with pytest.raises(error), transaction.atomic():
            verb(self.game, by=OPERATOR, **arguments)
        assert rows_of(self.game) == before


class ResultsWalk(Walk):
    """A game of which only the points are known: its acts, and that nothing else is done to it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        points = self._points(self.chance.randint(3, 6))
        self.game = record_results(NAMES[: len(points)], points, by=OPERATOR).game
        self.house = self.game.house
        self.circle = [seat.pk for seat in seats_of(self.game)]
        self.seats = list(self.circle)
        self.paper = Paper(beside=dict(zip(self.circle, points, strict=True)))
        self.stages: list[tuple[int, dict[str, Any] | None, list[Any]]] = []
        self.done: dict[str, int] = {}

    def _points(self, seats: int) -> list[int]:
        """Return points of which some are equal, so that places are shared."""
        return [self.chance.choice([-70, 0, 40, 40, 180]) for _seat in range(seats)]

    def act(self) -> None:
        acts = [
            self.correct_points,
            self.correct_points,
            self.rename,
            self.interrupt,
            self.confirm,
            self.move,
            self.bare,
        ]
        chosen = self.chance.choice(acts)
        chosen()
        self.done[chosen.__name__] = self.done.get(chosen.__name__, 0) + 1
        self.check()

    def correct_points(self) -> None:
        points = self._points(len(self.circle))
        arguments = {"points": points, "reason": "Misread"}
        self._refused(Conflict, self._correct, **arguments, seen=newest_of(self.game) + 1)
        if points == [self.paper.beside[seat] for seat in self.circle]:
            self._refused(Conflict, self._correct, **arguments, seen=newest_of(self.game))
            return
        self._correct(self.game, **arguments, seen=newest_of(self.game), by=OPERATOR)
        self.paper.beside = dict(zip(self.circle, points, strict=True))

    def _correct(self, game: Game, **arguments: Any) -> None:
        correct_results(game.pk, **arguments)

    def bare(self) -> None:
        """Whatever needs rounds is refused."""
        seats, newest = dict.fromkeys(self.seats, 0), newest_of(self.game)
        verb, arguments = self.chance.choice(
            [
                (record_bids, {"bids": seats, "seen": newest}),
                (record_tricks, {"taken": seats, "seen": newest}),
                (step_back, {"undoes": newest}),
                (reopen, {"reason": "More"}),
                (rematch, {}),
                (leave_table, {"seat": self.seats[0], "seen": newest, "cards": [1]}),
                (end_early, {}),
            ]
        )
        self._refused(Conflict, verb, **arguments)


def test_random_results_agree_with_their_journals_and_what_was_typed():
    reached: dict[str, int] = {}
    for seed in range(scaled(6, factor=34)):
        walk = ResultsWalk(seed)
        try:
            for _ in range(walk.chance.randint(2, 12)):
                walk.act()
        except BaseException as failed:
            failed.add_note(f"in the results of seed {seed}")
            raise
        for name, count in walk.done.items():
            reached[name] = reached.get(name, 0) + count

    assert set(reached) == {*("correct_points", "rename", "interrupt", "confirm", "confirmed", "move", "bare")}


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.again) for part in range(1, PARTS))])
def test_random_games_agree_with_their_journals_and_the_rules(part):
    reached: dict[str, int] = {}
    for seed in range(part * GAMES, (part + 1) * GAMES):
        walk = Walk(seed)
        try:
            for _ in range(walk.chance.randint(2, ACTS)):
                walk.act()
            walk.check()
        except BaseException as failed:
            failed.add_note(f"in the game of seed {seed}")
            raise
        bids = Bid.objects.filter(round__game=walk.game)
        walk.done["blind bids scored"] = bids.filter(blind=True, points__isnull=False).count()
        walk.done["clouds"] = bids.exclude(cloud_delta=0).count()
        walk.done["bombs"] = walk.game.rounds.filter(bombs__gt=0).count()
        for name, count in walk.done.items():
            reached[name] = reached.get(name, 0) + count

    # The walks would prove little if they never scored a bomb, a cloud or a blind bid, or never ended.
    assert {name for name, count in reached.items() if count} == {
        *("adjust", "bid", "bid_together", "bid_wrongly", "blind bids scored", "bombs", "clouds", "correct", "draft"),
        *(
            "came back",
            "come_back",
            "confirm",
            "confirmed",
            "move",
            "end",
            "interrupt",
            "join",
            "leave",
            "no way back",
            "rename",
            "reopen",
            "replace",
        ),
        *("shown", "step_back", "too few left", "tricks", "tricks_wrongly", "trump", "whole_round", "write_late"),
    }
