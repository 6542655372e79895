"""A file of a thousand whole sheets brought into a club: looked at, and recorded by the worker."""

from __future__ import annotations

import csv
import io
import random
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeVar

from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import Actor
from scoresheets.forms.import_plans import Decisions, Plan
from scoresheets.models import Club, Game, Membership, User
from scoresheets.recording import imports

PEOPLE, ROUNDS = 5, 15
Result = TypeVar("Result")
NAMES = ("Annika", "Bernd", "Cem", "Doro", "Emil", "Frida", "Gero", "Hanne")
#: What a shuffle of 60 cards takes on this machine names it, as for the engine.
SHUFFLES = 20_000


class Seconds(NamedTuple):
    """Seconds by the clock, and by the processor."""

    clock: float
    processor: float


@dataclass(frozen=True, slots=True)
class Imported:
    """Seconds of each step for so many sheets, and of the processor; `memory` is what planning them took, in MB.

    `shuffle` are the seconds of one shuffle of 60 cards: what the machine could do just then.
    """

    sheets: int
    kilobytes: int
    preview: Seconds
    begin: Seconds
    run: Seconds
    undo: Seconds
    memory: float
    shuffle: float


def measure(*, sheets: int) -> Imported:
    """Bring so many sheets of 15 rounds and 5 people into a club, and undo it."""
    club, by = _club()
    content = long_file(sheets)
    kept = imports.keep_file(club, content, "sheets.csv", by=by)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    decisions = Decisions(people={name.casefold(): "new" for name in NAMES})
    plan, preview = _timed(lambda: Plan.of_file(club, content, "sheets.csv", decisions))
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert not plan.obstacles, plan.obstacles
    chosen = {"people": plan.new_people, "planned_at": plan.planned_at, "kind": plan.found.kind}
    _kept, begin = _timed(lambda: imports.begin_import(kept, plan.new_games, by=by, **chosen))
    _done, run = _timed(lambda: _work(imports.run_import, kept.pk))
    assert Game.objects.filter(club=club, counted=True).count() == sheets
    imports.undo_import(kept, by=by)
    _done, undo = _timed(lambda: _work(imports.run_undo, kept.pk))
    assert Game.objects.filter(club=club, halted="voided").count() == sheets
    return Imported(sheets, len(content) // 1024, preview, begin, run, undo, memory, _shuffle())


def _timed(do: Callable[[], Result]) -> tuple[Result, Seconds]:
    clock, processor = time.perf_counter(), time.process_time()
    found = do()
    return found, Seconds(time.perf_counter() - clock, time.process_time() - processor)


def _work(step: Callable[[int], bool], import_id: int) -> None:
    while step(import_id):
        pass


def _shuffle() -> float:
    cards = list(range(60))
    start = time.process_time()
    for _ in range(SHUFFLES):
        random.shuffle(cards)
    return (time.process_time() - start) / SHUFFLES


def _club() -> tuple[Club, Actor]:
    owner = User.objects.create_user(username=f"Owner{User.objects.count()}", password=None)
    club = recording.create_club(recording.ClubSettings("Runde"), by=Actor.of_user(owner))
    return club, Actor.of_user(owner, Membership.objects.filter(user=owner))


def long_file(sheets: int) -> bytes:
    """Return a file of games of the last years, four a night, played at random: a line for each round and player."""
    chance = Random(8)
    tables = list(combinations(NAMES, PEOPLE))
    first = timezone.localdate() - timedelta(days=sheets // 4 + 7)
    out = io.StringIO()
    rows = csv.writer(out, delimiter=";")
    rows.writerow(["Spiel", "Datum", "Runde", "Karten", "Spieler", "Ansage", "Stiche", "Punkte"])
    house = rules.HouseRules()
    for number in range(sheets):
        night = first + timedelta(days=number // 4)
        names = tables[number % len(tables)]
        for turn in range(1, ROUNDS + 1):
            cards = min(turn, 60 // PEOPLE)
            tricks = [0] * PEOPLE
            for _ in range(cards):
                tricks[chance.randrange(PEOPLE)] += 1
            bids = [max(0, min(cards, made + chance.choice((-1, 0, 0, 1)))) for made in tricks]
            scores = rules.score_round(house, number=turn, cards=cards, bids=bids, tricks=tricks)
            for name, bid, made, score in zip(names, bids, tricks, scores, strict=True):
                rows.writerow([number + 1, night.strftime("%d.%m.%Y"), turn, cards, name, bid, made, score.points])
    return out.getvalue().encode()
