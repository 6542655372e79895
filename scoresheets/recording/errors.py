from __future__ import annotations


class Conflict(Exception):
    """A write that met another state than it was made for. Nothing was written.

    `code` is stable: "stale" (the stage was changed since it was seen), "already_bid" (`seat_id` has bid by now),
    "nothing_to_undo", "not_finished", "key_reused" (the request key came with other content before), "seat_unknown",
    "missing_bids" (none was given, or a blind mark without one), "missing_seats" (tricks were given for other seats
    than those that bid), "nothing_changed" (a correction that corrects nothing), "halted" (the game is paused,
    abandoned or voided), "not_halted", "is_finished", "nothing_scored" (there is no round to end the game after),
    "trick_taken" (another coin lies on this trick), "no_trick_left" (a coin lies on every trick), "results_only" (there
    are no rounds: only the results of the game are known), "has_rounds" (points follow from rounds, and those are
    corrected instead).

    Of confirmations: "already_confirmed", "wrote_it" (nobody confirms what they wrote themselves). Of clubs and their
    members: "club_has_games", "invitation_gone", "invitation_used_up", "not_member", "last_owner". Of players:
    "player_unknown" (not of this club), "player_merged", "player_archived", "player_claimed" (by an account),
    "has_player" (the account is another one), "already_decided", "link_gone", "same_player", "two_accounts",
    "sat_together", "not_newest" (a later merge of the same people is undone first).

    Of accounts: "own_account" (nobody does this to themselves), "account_gone" (deleted). Of repairs:
    "journal_unplayable" (the rows cannot be made anew from it).

    Of seasons: "season_gone" (deleted), "season_closed" (open it again first), "season_not_begun".

    Of imports: "import_gone" (forgotten or discarded), "import_decided" (it was begun already), "import_running"
    (another one of the club), "import_overtaken" (another one ended since this one was looked at), "import_not_done".

    Of webhooks: "webhook_gone" (deleted), "webhook_off" (switch it on first), "delivery_gone" (forgotten by now).

    Of evenings: "evening_unknown" (not of this club, or called off), "evening_has_games", "evening_cancelled",
    "evening_closed", "evening_not_open", "other_evening_open", "no_player" (the account is no player of the club),
    "too_few_here", "not_here", "sitting_unknown", "sitting_started", "table_unknown", "table_started".
    """

    def __init__(self, code: str, *, seat_id: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.seat_id = seat_id
