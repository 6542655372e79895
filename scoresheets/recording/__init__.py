"""Every write. Each verb is one transaction: lock, permission, repeat, staleness, rules, rows, journal, receipt."""

from scoresheets.recording.coins import lay_coin, take_back_coin
from scoresheets.recording.corrections import RoundValues, adjust_points, correct_round, rename_seat
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome, Started, rematch, start_game
from scoresheets.recording.halts import abandon, end_early, pause, restore, resume, void
from scoresheets.recording.links import make_link, revoke_link
from scoresheets.recording.rounds import record_bids, record_round, record_tricks, save_draft
from scoresheets.recording.sheets import record_sheet
from scoresheets.recording.table import come_back, join_table, leave_table, replace_at_table
from scoresheets.recording.trumps import note_trump
from scoresheets.recording.undo import reopen, step_back

__all__ = [
    "Conflict",
    "Outcome",
    "RoundValues",
    "Started",
    "abandon",
    "adjust_points",
    "come_back",
    "correct_round",
    "end_early",
    "join_table",
    "lay_coin",
    "leave_table",
    "make_link",
    "note_trump",
    "pause",
    "record_bids",
    "record_round",
    "record_sheet",
    "record_tricks",
    "rematch",
    "rename_seat",
    "reopen",
    "replace_at_table",
    "restore",
    "resume",
    "revoke_link",
    "save_draft",
    "start_game",
    "step_back",
    "take_back_coin",
    "void",
]
