"""Coins laid and taken back on the pad: nothing else in its form is lost by that."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

import rules
from scoresheets import recording, wording
from scoresheets.forms.rounds import Extras, RoundForm, TricksForm
from scoresheets.models import Round
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.recording import Conflict, Outcome
from scoresheets.views.pads import Notice, TricksState
from scoresheets.views.posts import blind_in, is_number, typed_in
from scoresheets.views.writes import Write, is_open


def lay_coin(write: Write) -> HttpResponse:
    """Lay the coin whose button was tapped, "trick:seat id" or "trick:" for a bombed trick."""
    trick, divider, seat = write.post["coin"].partition(":")
    if not (is_number(trick) and divider and (seat == "" or is_number(seat))):
        return write.conflict(Conflict("stale"))
    try:
        outcome = recording.lay_coin(
            write.game, trick=int(trick), seat=int(seat) if seat else None, seen=write.seen, by=write.actor
        )
    except Conflict as conflict:
        return write.conflict(conflict, **_typed_with_tally(write, write.sheet()))
    except rules.RulesError as refused:
        notice = Notice(wording.problem_in_words(refused.problems[0]))
        return write.refused(write.sheet(), notice=notice)
    return _after_coin(write, outcome)


def take_back_coin(write: Write) -> HttpResponse:
    """Take back the coin whose button was tapped, by the number of its trick."""
    trick = write.post["uncoin"]
    if not is_number(trick):
        return write.conflict(Conflict("stale"))
    try:
        outcome = recording.take_back_coin(write.game, trick=int(trick), seen=write.seen, by=write.actor)
    except Conflict as conflict:
        return write.conflict(conflict, **_typed_with_tally(write, write.sheet()))
    return _after_coin(write, outcome)


def _after_coin(write: Write, outcome: Outcome) -> HttpResponse:
    """Answer with the tally; bids and a cloud that are in the form and not recorded yet are kept."""
    if not has_typed(write) and "cloud" not in write.post:
        return write.done(outcome)
    sheet = sheet_of(outcome.game, outcome.seats)
    shown = _typed_with_tally(write, sheet)
    if shown:
        return write.shown(sheet, **shown)
    form = TricksForm(write.post, sheet)
    assert sheet.current is not None
    if not form.is_valid() or form.extras.clouds == Extras.of_draft(sheet.current.draft, sheet).clouds:
        return write.done(outcome, sheet)
    clouds = {str(seat): delta for seat, delta in form.extras.clouds.items()}
    try:
        outcome = recording.save_draft(
            write.game, draft={**sheet.current.draft, "clouds": clouds}, seen=write.seen, by=write.actor
        )
    except Conflict as conflict:
        return write.conflict(conflict)
    return write.done(outcome)


def has_typed(write: Write) -> bool:
    """Say whether anything is typed or marked that a coin says nothing about and that is not kept yet."""
    post = write.post
    return any(typed_in(post, "bid_").values()) or bool(blind_in(post)) or bool(post.get("cloud"))


def _typed_with_tally(write: Write, sheet: Sheet) -> dict[str, Any]:
    """Return what is typed for bids and tricks together, the tricks as the coins say, ready to be shown; else {}."""
    if not (has_typed(write) and sheet.game.secret_bids and is_open(sheet, write.seen, Round.State.BIDDING)):
        return {}
    sent, tricks = write.post.copy(), TricksState.of_draft(sheet)
    for seat in sheet.bidding_order:
        sent[f"taken_{seat.pk}"] = str(tricks.known.get(seat.pk, ""))
    sent["bombs"] = str(tricks.extras.bombs)
    whole = RoundForm(sent, sheet)
    whole.keep_silent()
    return {"whole": whole}
