"""Every write. Each verb is one transaction: lock, permission, repeat, staleness, rules, rows, journal, receipt."""

from scoresheets.recording.clubs import (
    ClubSettings,
    accept_invitation,
    change_club,
    change_role,
    create_club,
    delete_club,
    forget_account,
    invite,
    leave_club,
    remove_member,
    revoke_invitation,
)
from scoresheets.recording.coins import lay_coin, take_back_coin
from scoresheets.recording.confirmations import confirm
from scoresheets.recording.corrections import RoundValues, adjust_points, correct_round, rename_seat
from scoresheets.recording.errors import Conflict
from scoresheets.recording.games import Outcome, Started, rematch, start_game
from scoresheets.recording.halts import abandon, end_early, pause, restore, resume, void
from scoresheets.recording.links import make_link, revoke_link
from scoresheets.recording.moves import move_game
from scoresheets.recording.players import (
    add_player,
    anonymise_player,
    archive_player,
    claim_player,
    decide_claim,
    make_claim_link,
    merge_players,
    release_player,
    rename_player,
    revoke_claim_link,
    unarchive_player,
    undo_merge,
    use_claim_link,
)
from scoresheets.recording.rounds import record_bids, record_round, record_tricks, save_draft
from scoresheets.recording.sheets import record_sheet
from scoresheets.recording.table import come_back, join_table, leave_table, replace_at_table
from scoresheets.recording.trumps import note_trump
from scoresheets.recording.undo import reopen, step_back

__all__ = [
    "ClubSettings",
    "Conflict",
    "Outcome",
    "RoundValues",
    "Started",
    "abandon",
    "accept_invitation",
    "add_player",
    "adjust_points",
    "anonymise_player",
    "archive_player",
    "change_club",
    "change_role",
    "claim_player",
    "come_back",
    "confirm",
    "correct_round",
    "create_club",
    "decide_claim",
    "delete_club",
    "end_early",
    "forget_account",
    "invite",
    "join_table",
    "lay_coin",
    "leave_club",
    "leave_table",
    "make_claim_link",
    "make_link",
    "merge_players",
    "move_game",
    "note_trump",
    "pause",
    "record_bids",
    "record_round",
    "record_sheet",
    "record_tricks",
    "release_player",
    "rematch",
    "remove_member",
    "rename_player",
    "rename_seat",
    "reopen",
    "replace_at_table",
    "restore",
    "resume",
    "revoke_claim_link",
    "revoke_invitation",
    "revoke_link",
    "save_draft",
    "start_game",
    "step_back",
    "take_back_coin",
    "unarchive_player",
    "undo_merge",
    "use_claim_link",
    "void",
]
