"""A game's page: the Block with the next step, and the ranking at its end. One address, one swapped part, `#pad`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.forms.rounds import AllBidsForm, BidForm, Extras, RoundForm, StageForm, TricksForm
from scoresheets.models import Game, Round
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.recording import Conflict, Outcome
from scoresheets.views import access
from scoresheets.views.devices import theme_of
from scoresheets.views.keys import new_key
from scoresheets.views.new_game import go_to_game
from scoresheets.views.pads import Notice, TricksState, pad_context
from scoresheets.views.partials import wants_partial
from scoresheets.views.posts import MOST_DIGITS, blind_in, extras_in, is_number, numbers_in, round_typed, typed_in

#: No name of a trump and no notation of a card is longer.
MOST_NOTATION = 16

Problems = Sequence[rules.Problem]


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request", "Cookie", "Accept-Language")
def block(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show a game's Block; a POST makes its next step."""
    if request.method == "POST":
        return _step(request, Game(pk=game_id), access.actor_of(request, game_id))
    game, actor = access.game_and_actor(request, game_id)
    tag = _etag(request, game, actor, partial=wants_partial(request))
    unchanged = get_conditional_response(request, etag=tag)
    return unchanged or _render(request, sheet_of(game), actor, etag=tag)


def _step(request: HttpRequest, game: Game, actor: Actor) -> HttpResponse:
    """Make the step whose button was pressed; the first button, which Enter presses, only keeps what is typed.

    `game` is a reference that only knows its id: `recording` reads the game itself, under its lock.
    """
    if not permissions.can_keep_score(actor, game):
        raise PermissionDenied
    stage = StageForm(request.POST)
    if not stage.is_valid():
        return _conflict(request, game, actor, Conflict("stale"))
    write = Write(request, game, actor, seen=stage.cleaned_data["seen"], key=stage.cleaned_data["key"] or None)
    steps: dict[str, Callable[[Write], HttpResponse]] = {
        "back": _step_back,
        "rematch": _rematch,
        "bid": _bid,
        "bids": _all_bids,
        "score": _score,
        "record": _whole_round,
        "trump": _trump,
        "note": _trump,
        "hold": _hold,
        "made": _tap,
        "plus": _tap,
        "minus": _tap,
        "keep": _tap,
    }
    step = next((steps[name] for name in steps if name in request.POST), None)
    return step(write) if step else write.done(Outcome(Game.objects.get(pk=game.pk)))


class Write:
    """One POST on its way to `recording`: who, which game, and what every write carries."""

    def __init__(self, request: HttpRequest, game: Game, actor: Actor, *, seen: int, key: str | None) -> None:
        self.request, self.game, self.actor = request, game, actor
        self.post, self.seen, self.key = request.POST, seen, key

    def sheet(self) -> Sheet:
        """Return the sheet as it was when the request came."""
        return sheet_of(Game.objects.get(pk=self.game.pk))

    def conflict(self, conflict: Conflict, typed: Mapping[str, str] | None = None) -> HttpResponse:
        return _conflict(self.request, self.game, self.actor, conflict, typed)

    def refused(self, sheet: Sheet, **shown: Any) -> HttpResponse:
        return _render(self.request, sheet, self.actor, status=422, **shown)

    def done(self, outcome: Outcome) -> HttpResponse:
        return _done(self.request, outcome, self.actor)


def _bid(write: Write) -> HttpResponse:
    """Record one bid. Only a refused one needs the sheet, to say why beside the numbers."""
    bids = numbers_in({write.post.get("seat", ""): write.post.get("bid", "").strip()})
    answer, problems = _tried(_record_bids, write, bids)
    if answer is not None:
        return answer
    sheet = write.sheet()
    if not _is_open(sheet, write.seen, Round.State.BIDDING):
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
    if not _is_open(sheet, write.seen, Round.State.BIDDING):
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


def _tap(write: Write) -> HttpResponse:
    """Keep the tricks as they stand after a tap: a draft, shown to every scorer."""
    sheet = write.sheet()
    if not _is_open(sheet, write.seen, Round.State.PLAYING):
        return write.conflict(Conflict("stale"), typed_in(write.post, "taken_"))
    assert sheet.current is not None
    form = TricksForm(write.post, sheet)
    is_valid = form.is_valid()
    taken = form.after_tap()
    shown = TricksState.of(taken, sheet.bidding_order, form.countable, form)
    if not is_valid:
        return write.refused(sheet, tricks=shown)
    draft = {**sheet.current.draft, "taken": {str(seat): tricks for seat, tricks in taken.items()}}
    for name, kept in (
        ("bombs", form.extras.bombs),
        ("clouds", {str(seat): delta for seat, delta in form.extras.clouds.items()}),
    ):
        draft.pop(name, None)
        if kept:
            draft[name] = kept
    try:
        outcome = recording.save_draft(write.game, draft=draft, seen=write.seen, by=write.actor)
    except Conflict as conflict:
        return write.conflict(conflict, typed_in(write.post, "taken_"))
    return write.done(outcome)


def _score(write: Write) -> HttpResponse:
    """Score the round. Only tricks that are refused, or not all there, need the sheet."""
    taken, extras = numbers_in(typed_in(write.post, "taken_")), extras_in(write.post)
    answer, problems = _tried_tricks(write, taken, extras)
    if answer is not None:
        return answer
    sheet = write.sheet()
    if not _is_open(sheet, write.seen, Round.State.PLAYING):
        return write.conflict(Conflict("stale"), typed_in(write.post, "taken_"))
    form = TricksForm(write.post, sheet, is_final=True)
    is_valid = form.is_valid()
    shown = TricksState.of(form.taken, sheet.bidding_order, form.countable, form)
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
    if not _is_open(sheet, write.seen, Round.State.BIDDING):
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
    if sheet.current is None or not _is_open(sheet, write.seen, Round.State.BIDDING):
        return write.done(Outcome(sheet.game))
    if sheet.game.secret_bids:
        whole = RoundForm(write.post, sheet)
        whole.keep_silent()
        return _render(write.request, sheet, write.actor, whole=whole)
    if typed_in(write.post, "bid_"):
        all_bids = AllBidsForm(write.post, sheet)
        all_bids.is_silent = True
        return _render(write.request, sheet, write.actor, all_bids=all_bids)
    bid = BidForm(write.post, sheet)
    bid.is_silent = True
    return _render(write.request, sheet, write.actor, bid=bid)


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
    if _is_open(sheet, write.seen, Round.State.PLAYING):
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


def _rematch(write: Write) -> HttpResponse:
    try:
        started = recording.rematch(write.game, by=write.actor, key=write.key)
    except Conflict as conflict:
        return write.conflict(conflict)
    return go_to_game(write.request, started.game.pk, access_to=(started.game, started.secret))


def _is_open(sheet: Sheet, seen: int, state: str) -> bool:
    """Say whether the open round is in the stage that the page showed."""
    current = sheet.current
    return current is not None and current.state == state and current.stage_version == seen


def _entry_in_words(sheet: Sheet, typed: Mapping[str, str]) -> str:
    """Return what somebody entered, to be shown when it could not be recorded: "Cem 2, Doro 1"."""
    entered = [(seat.name, typed.get(str(seat.pk), "")[:MOST_DIGITS]) for seat in sheet.seats]
    return ", ".join(f"{name} {number}" for name, number in entered if number)


def _done(request: HttpRequest, outcome: Outcome, actor: Actor) -> HttpResponse:
    """Answer a step that was made: HTMX gets the fresh pad, a browser goes back to the page."""
    if not wants_partial(request):
        return redirect("block", outcome.game.pk)
    return _render(request, sheet_of(outcome.game, outcome.seats), actor)


def _conflict(
    request: HttpRequest, game: Game, actor: Actor, conflict: Conflict, typed: Mapping[str, str] | None = None
) -> HttpResponse:
    """Answer with the Block as it is now, the reason, and what was entered (by seat id)."""
    sheet = sheet_of(Game.objects.get(pk=game.pk))
    entry = _entry_in_words(sheet, typed or {})
    text = _("Not recorded: %(entry)s.") % {"entry": entry} if entry else ""
    notice = Notice(wording.conflict_in_words(conflict), text)
    return _render(request, sheet, actor, status=409, notice=notice)


def _render(
    request: HttpRequest, sheet: Sheet, actor: Actor, *, status: int = 200, etag: str = "", **shown: Any
) -> HttpResponse:
    can_keep_score = permissions.can_keep_score(actor, sheet.game)
    context = pad_context(sheet, can_keep_score=can_keep_score, key=new_key(), **shown)
    # What the pad's polls ask for is the pad alone, whatever it was sent with.
    context["etag"] = _etag(request, sheet.game, actor, partial=True).strip('"')
    context["is_partial"] = wants_partial(request)
    template = "games/block.html#pad" if context["is_partial"] else "games/block.html"
    response = render(request, template, context, status=status)
    patch_cache_control(response, private=True, no_cache=True)
    if etag:
        response["ETag"] = etag
    return response


def _etag(request: HttpRequest, game: Game, actor: Actor, *, partial: bool) -> str:
    """Return the tag of what this reader sees of this game now; a strong tag of everything the page depends on."""
    parts = (
        game.pk,
        game.version,
        game.touched,
        get_language(),
        theme_of(request),
        actor.link_scope,
        settings.RELEASE,
        partial,
    )
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()[:20]}"'
