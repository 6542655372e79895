"""Every write. Each verb is one transaction: lock, permission, repeat, staleness, rules, rows, journal, receipt."""

from scoresheets.recording.corrections import RoundValues, adjust_points, correct_round, rename_seat
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome, Started, rematch, start_game
from scoresheets.recording.links import make_link, revoke_link
from scoresheets.recording.rounds import (
    note_trump,
    record_bids,
    record_round,
    record_tricks,
    reopen,
    save_draft,
    step_back,
)

__all__ = [
    "Conflict",
    "Outcome",
    "RoundValues",
    "Started",
    "adjust_points",
    "correct_round",
    "make_link",
    "note_trump",
    "record_bids",
    "record_round",
    "record_tricks",
    "rematch",
    "rename_seat",
    "reopen",
    "revoke_link",
    "save_draft",
    "start_game",
    "step_back",
]
