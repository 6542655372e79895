"""The sheet is of one moment, although it is read in several statements and without a lock."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game, Round
from scoresheets.queries.blocks import Sheet, sheet_of
from tests.scoresheets.factories import enter_bids, enter_tricks, fresh, make_game, newest_of

pytestmark = pytest.mark.django_db


def write_in_between(monkeypatch: pytest.MonkeyPatch, owner: type, read: str, write: Callable[[], object]) -> list[str]:
    """Let `write` happen once, right after the first call of `read`; the list fills with the calls."""
    original, calls = getattr(owner, read), []

    def reading(self):
        found = original(self)
        calls.append(read)
        if len(calls) == 1:
            write()
        return found

    monkeypatch.setattr(owner, read, reading)
    return calls


def seen_in(sheet: Sheet) -> tuple:
    """Return all that a page shows of a sheet."""
    current = sheet.current
    stage = (current.number, current.state, current.stage_version) if current else None
    bids = {seat: bid.tricks_bid for seat, bid in sheet.bids.items()}
    return sheet.game.state, stage, bids, sheet.block, sheet.undo


@pytest.mark.parametrize(
    ("owner", "read"), [(Game, "seats_in_order"), (Game, "rounds_in_order"), (Round, "bids_by_seat")]
)
@pytest.mark.parametrize("stage", ["bids", "tricks", "last tricks", "undo"])
def test_sheet_is_of_one_moment_whenever_a_write_falls_between_its_reads(monkeypatch, owner, read, stage):
    length = 2 if stage == "last tricks" else 5
    game = make_game(seats=3, rounds=1, length=length)
    if stage in ("tricks", "last tricks"):
        enter_bids(game)
    writes = {
        "bids": lambda: enter_bids(game),
        "tricks": lambda: enter_tricks(game),
        "last tricks": lambda: enter_tricks(game),
        "undo": lambda: recording.step_back(game, undoes=newest_of(game), by=OPERATOR),
    }
    stored = fresh(game)
    before = seen_in(sheet_of(stored))
    with monkeypatch.context() as patched:
        write_in_between(patched, owner, read, writes[stage])
        sheet = sheet_of(stored)

    after = seen_in(sheet_of(fresh(game)))
    assert before != after
    assert seen_in(sheet) in (before, after)


def test_quiet_sheet_is_read_once(django_assert_num_queries):
    game = make_game(seats=6, rounds=3)

    with django_assert_num_queries(3):
        sheet_of(game)
