"""A game's page: the Block with the next step, and the ranking at its end. One address, one swapped part, `#pad`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.forms.rounds import AllBidsForm, BidForm, Extras, RoundForm, StageForm, TricksForm, draft_of
from scoresheets.models import Game, Round
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.recording import Conflict, Outcome
from scoresheets.views import access
from scoresheets.views.coin_steps import has_typed, lay_coin, take_back_coin
from scoresheets.views.coins import COINS_COOKIE, remember_coins
from scoresheets.views.new_game import go_to_game
from scoresheets.views.pads import TricksState
from scoresheets.views.partials import wants_partial
from scoresheets.views.posts import blind_in, extras_in, is_number, numbers_in, round_typed, typed_in
from scoresheets.views.writes import Write, etag_of, is_open, render_pad

#: No name of a trump and no notation of a card is longer.
MOST_NOTATION = 16

Problems = Sequence[rules.Problem]


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request", "Cookie", "Accept-Language")
def block(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show a game's Block; a POST makes its next step."""
    if request.method == "POST":
        return _step(request, *access.writer_of(request, game_id))
    game, actor = access.game_and_actor(request, game_id)
    tag = etag_of(request, game, actor, partial=wants_partial(request))
    unchanged = get_conditional_response(request, etag=tag)
    is_public = not permissions.can_see_names(actor, game)
    return unchanged or render_pad(request, sheet_of(game, is_public=is_public), actor, etag=tag)


def _step(request: HttpRequest, game: Game, actor: Actor) -> HttpResponse:
    """Make the step whose button was pressed; the first button, which Enter presses, only keeps what is typed.

    `game` may be a reference that only knows its id: `recording` reads the game itself, under its lock. Who may confirm
    it or start the rematch is decided there, too: of a closed game these are more than may change it.
    """
    if not permissions.can_keep_score(actor, game) and not {"rematch", "confirm"} & request.POST.keys():
        raise PermissionDenied
    stage = StageForm(request.POST)
    is_valid, sent = stage.is_valid(), stage.cleaned_data
    write = Write(request, game, actor, seen=sent.get("seen", -1), key=sent.get("key") or None)
    if not is_valid:
        return write.conflict(Conflict("stale"))
    steps: dict[str, Callable[[Write], HttpResponse]] = {
        "back": _step_back,
        "rematch": _rematch,
        "confirm": _confirm,
        "bid": _bid,
        "bids": _all_bids,
        "score": _score,
        "record": _whole_round,
        "trump": _trump,
        "note": _trump,
        "coin": lay_coin,
        "uncoin": take_back_coin,
        "coins": _offer_coins,
        "hold": _hold,
        "made": _tap,
        "plus": _tap,
        "minus": _tap,
        "keep": _tap,
    }
    step = next((steps[name] for name in steps if name in request.POST), None)
    return step(write) if step else write.done(Outcome(Game.objects.get(pk=game.pk)))


def _bid(write: Write) -> HttpResponse:
    """Record one bid. Only a refused one needs the sheet, to say why beside the numbers."""
    bids = numbers_in({write.post.get("seat", ""): write.post.get("bid", "").strip()})
    answer, problems = _tried(_record_bids, write, bids)
    if answer is not None:
        return answer
    sheet = write.sheet()
    if not is_open(sheet, write.seen, Round.State.BIDDING):
        return write.conflict(Conflict("stale"))
    form = BidForm(write.post, sheet)
    if form.is_valid() and not problems:
        # A number that does not look like one at first sight, such as −1.
        bids = {form.cleaned_data["seat"]: form.cleaned_data["bid"]}
        answer, problems = _tried(_record_bids, write, bids)
        if answer is not None:
            return answer
    form.add_problems(problems)
    return write.refused(sheet, bid=form)


def _all_bids(write: Write) -> HttpResponse:
    """Record the bids of everybody who has not bid yet, typed into one form."""
    bids = numbers_in(typed_in(write.post, "bid_"))
    answer, problems = _tried(_record_bids, write, bids)
    if answer is not None:
        return answer
    sheet = write.sheet()
    if not is_open(sheet, write.seen, Round.State.BIDDING):
        return write.conflict(Conflict("stale"), typed_in(write.post, "bid_"))
    form = AllBidsForm(write.post, sheet)
    if form.is_valid() and not problems:
        answer, problems = _tried(_record_bids, write, form.numbers)
        if answer is not None:
            return answer
    form.add_problems(problems)
    return write.refused(sheet, all_bids=form)


def _tried(
    record: Callable[[Write, dict[int, int]], HttpResponse], write: Write, numbers: dict[int, int] | None
) -> tuple[HttpResponse | None, Sequence[rules.Problem]]:
    """Record the numbers by seat id, if any; return the answer, or None and what the rules have against them."""
    try:
        return (record(write, numbers) if numbers else None), ()
    except rules.RulesError as refused:
        return None, refused.problems


def _record_bids(write: Write, bids: dict[int, int]) -> HttpResponse:
    try:
        outcome = recording.record_bids(
            write.game, bids=bids, seen=write.seen, by=write.actor, blind=blind_in(write.post), key=write.key
        )
    except Conflict as conflict:
        return write.conflict(conflict, {str(seat): str(bid) for seat, bid in bids.items()})
    return write.done(outcome)


def _tap(write: Write, **shown: Any) -> HttpResponse:
    """Keep the tricks as they stand after a tap: a draft, shown to every scorer."""
    sheet = write.sheet()
    if not is_open(sheet, write.seen, Round.State.PLAYING):
        return write.conflict(Conflict("stale"), typed_in(write.post, "taken_"))
    assert sheet.current is not None
    form = TricksForm(write.post, sheet)
    is_valid = form.is_valid()
    taken = form.after_tap()
    if not is_valid:
        return write.refused(sheet, tricks=TricksState.of_form(form, taken))
    try:
        outcome = recording.save_draft(write.game, draft=draft_of(form, taken), seen=write.seen, by=write.actor)
    except Conflict as conflict:
        return write.conflict(conflict, typed_in(write.post, "taken_"))
    return write.shown(sheet_of(outcome.game), **shown) if shown else write.done(outcome)


def _score(write: Write) -> HttpResponse:
    """Score the round. Only tricks that are refused, or not all there, need the sheet."""
    taken, extras = numbers_in(typed_in(write.post, "taken_")), extras_in(write.post)
    answer, problems = _tried_tricks(write, taken, extras)
    if answer is not None:
        return answer
    sheet = write.sheet()
    if not is_open(sheet, write.seen, Round.State.PLAYING):
        return write.conflict(Conflict("stale"), typed_in(write.post, "taken_"))
    form = TricksForm(write.post, sheet, is_final=True)
    is_valid = form.is_valid()
    shown = TricksState.of_form(form)
    if is_valid and len(shown.all) == len(sheet.seats) and (shown.all, form.extras) != (taken, extras):
        # The last field was left empty and filled with the rest, the rest is another one since the bomb was switched,
        # or a number did not look like one, such as −1.
        answer, problems = _tried_tricks(write, shown.all, form.extras)
        if answer is not None:
            return answer
    form.add_problems(problems)
    if is_valid and not problems:
        _ask_for_missing(form, shown, sheet)
    return write.refused(sheet, tricks=shown)


def _tried_tricks(
    write: Write, taken: dict[int, int] | None, extras: Extras | None
) -> tuple[HttpResponse | None, Problems]:
    """Record the tricks if they are all there; return the answer, or None and what the rules have against them."""
    if not taken or extras is None:
        return None, ()
    try:
        outcome = recording.record_tricks(
            write.game,
            taken=taken,
            seen=write.seen,
            by=write.actor,
            bombs=extras.bombs,
            clouds=extras.clouds,
            key=write.key,
        )
    except Conflict as conflict:
        return write.conflict(conflict, {str(seat): str(tricks) for seat, tricks in taken.items()}), ()
    except rules.RulesError as refused:
        return None, refused.problems
    return write.done(outcome), ()


def _whole_round(write: Write) -> HttpResponse:
    """Record bids and tricks together, as secret bids need it. Only a refused entry needs the sheet."""
    bids, taken = numbers_in(typed_in(write.post, "bid_")), numbers_in(typed_in(write.post, "taken_"))
    extras = extras_in(write.post)
    answer, problems = _tried_round(write, bids, taken, extras)
    if answer is not None:
        return answer
    sheet = write.sheet()
    if not is_open(sheet, write.seen, Round.State.BIDDING):
        return write.conflict(Conflict("stale"), round_typed(write.post))
    form = RoundForm(write.post, sheet)
    is_valid = form.is_valid()
    shown = TricksState.of(form.tricks.taken, sheet.bidding_order, form.tricks.countable, form.tricks)
    entered = (form.bids.numbers, shown.all, form.tricks.extras)
    if is_valid and len(shown.all) == len(sheet.seats) and entered != (bids, taken, extras):
        answer, problems = _tried_round(write, *entered)
        if answer is not None:
            return answer
    form.add_problems(problems)
    if form.tricks.is_valid() and not problems:
        _ask_for_missing(form.tricks, shown, sheet)
    return write.refused(sheet, whole=form)


def _tried_round(
    write: Write, bids: dict[int, int] | None, taken: dict[int, int] | None, extras: Extras | None
) -> tuple[HttpResponse | None, Problems]:
    """Record bids and tricks if they are all there, as `_tried_tricks` does."""
    if not bids or not taken or extras is None:
        return None, ()
    try:
        outcome = recording.record_round(
            write.game,
            bids=bids,
            taken=taken,
            seen=write.seen,
            by=write.actor,
            blind=blind_in(write.post),
            bombs=extras.bombs,
            clouds=extras.clouds,
            key=write.key,
        )
    except Conflict as conflict:
        return write.conflict(conflict, round_typed(write.post)), ()
    except rules.RulesError as refused:
        return None, refused.problems
    return write.done(outcome), ()


def _hold(write: Write) -> HttpResponse:
    """Give back what is typed into a form of many fields, whatever it is: Enter writes nothing and loses nothing."""
    return _with_typed(write, write.sheet())


def _with_typed(write: Write, sheet: Sheet) -> HttpResponse:
    """Show the pad with what is typed for bids, or for bids and tricks together, and without a word about it."""
    if sheet.current is None or not is_open(sheet, write.seen, Round.State.BIDDING):
        return write.done(Outcome(sheet.game))
    if sheet.game.secret_bids:
        whole = RoundForm(write.post, sheet)
        whole.keep_silent()
        return write.shown(sheet, whole=whole)
    if typed_in(write.post, "bid_"):
        all_bids = AllBidsForm(write.post, sheet)
        all_bids.is_silent = True
        return write.shown(sheet, all_bids=all_bids)
    bid = BidForm(write.post, sheet)
    bid.is_silent = True
    return write.shown(sheet, bid=bid)


def _offer_coins(write: Write) -> HttpResponse:
    """Turn to coins, which this device offers from now on, or to the fields; keep what is typed."""
    offered = write.post["coins"] == "1"
    write.request.COOKIES[COINS_COOKIE] = "1" if offered else ""  # as the next request will bring it
    sheet = write.sheet()
    if is_open(sheet, write.seen, Round.State.PLAYING):
        has_fields = bool(typed_in(write.post, "taken_"))
        response = _tap(write, folds=offered) if has_fields else write.shown(sheet, folds=offered)
    elif has_typed(write) or any(typed_in(write.post, "taken_").values()):
        response = _with_typed(write, sheet)
    else:
        response = write.done(Outcome(sheet.game))
    remember_coins(response, offered=offered)
    return response


def _trump(write: Write) -> HttpResponse:
    """Note the trump whose button was tapped, alone or with its card and who named it; keep what else is typed."""
    post = write.post
    chosen, number = post.get("chosen_by", "") if "note" in post else "", post.get("number", "")
    if not is_number(number) or not (chosen == "" or is_number(chosen)):
        return write.conflict(Conflict("stale"))
    try:
        outcome = recording.note_trump(
            write.game,
            number=int(number),
            trump=post.get("note", post.get("trump", ""))[:MOST_NOTATION],
            by=write.actor,
            turned_up=post.get("turned_up", "")[:MOST_NOTATION] if "note" in post else "",
            chosen_by=int(chosen) if chosen else None,
            key=write.key,
        )
    except Conflict as conflict:
        return write.conflict(conflict)
    except rules.RulesError as refused:
        sheet = write.sheet()
        names = [seat.name for seat in sheet.seats]
        sentences = [wording.problem_in_words(problem, names) for problem in refused.problems]
        return write.refused(sheet, trump_errors=sentences)
    sheet = sheet_of(outcome.game, outcome.seats)
    if is_open(sheet, write.seen, Round.State.PLAYING) and typed_in(post, "taken_"):
        return _tap(write)
    if "blind" in post or any(typed_in(post, "bid_").values()) or any(typed_in(post, "taken_").values()):
        return _with_typed(write, sheet)
    return write.done(outcome)


def _ask_for_missing(form: TricksForm, shown: TricksState, sheet: Sheet) -> None:
    """Put the missing number at the form and a sentence at each open field."""
    entered = sum(shown.all.values())
    missing = form.countable - entered
    if missing:
        sums = {"sum": entered, "countable": form.countable, "difference": -missing}
        form.add_problems([rules.Problem.of("tricks_sum", **sums, missing=max(missing, 0), surplus=max(-missing, 0))])
    for seat in sheet.bidding_order:
        if seat.pk not in shown.all:
            form.add_error(form.name_of(seat.pk), _("How many tricks did %(name)s take?") % {"name": seat.name})


def _step_back(write: Write) -> HttpResponse:
    typed = write.post.get("back", "")
    try:
        undoes = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else -1
        outcome = recording.step_back(write.game, undoes=undoes, by=write.actor, key=write.key)
    except Conflict as conflict:
        return write.conflict(conflict)
    return write.done(outcome)


def _confirm(write: Write) -> HttpResponse:
    """Confirm the finished sheet as the page showed it."""
    try:
        outcome = recording.confirm(write.game, seen=write.seen, by=write.actor, key=write.key)
    except Conflict as conflict:
        return write.conflict(conflict)
    return write.done(outcome)


def _rematch(write: Write) -> HttpResponse:
    try:
        started = recording.rematch(write.game, by=write.actor, key=write.key)
    except Conflict as conflict:
        return write.conflict(conflict)
    return go_to_game(write.request, started.game.pk, access_to=(started.game, started.secret))
