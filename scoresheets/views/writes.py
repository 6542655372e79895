"""A POST on its way to `recording`, and how it is answered: with the pad, to HTMX and to a browser alike."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoresheets import permissions, wording
from scoresheets.actors import Actor
from scoresheets.models import Game
from scoresheets.preferences import account_of, theme_of
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.recording import Conflict, Outcome
from scoresheets.views.coins import lays_coins
from scoresheets.views.finish import finish_of
from scoresheets.views.keys import new_key
from scoresheets.views.pads import Notice, pad_context
from scoresheets.views.partials import wants_partial
from scoresheets.views.posts import MOST_DIGITS


class Write:
    """One POST on its way to `recording`: who, which game, and what every write carries."""

    def __init__(self, request: HttpRequest, game: Game, actor: Actor, *, seen: int, key: str | None) -> None:
        self.request, self.game, self.actor = request, game, actor
        self.post, self.seen, self.key = request.POST, seen, key

    def sheet(self) -> Sheet:
        """Return the sheet as it was when the request came."""
        return sheet_of(Game.objects.get(pk=self.game.pk))

    def conflict(self, conflict: Conflict, typed: Mapping[str, str] | None = None, **shown: Any) -> HttpResponse:
        """Answer with the Block as it is now, the reason, and what was entered (by seat id)."""
        sheet = self.sheet()
        entry = _entry_in_words(sheet, typed or {})
        text = _("Not recorded: %(entry)s.") % {"entry": entry} if entry else ""
        notice = Notice(wording.conflict_in_words(conflict), text)
        return render_pad(self.request, sheet, self.actor, status=409, notice=notice, **shown)

    def refused(self, sheet: Sheet, **shown: Any) -> HttpResponse:
        """Answer with what is wrong beside what was entered."""
        return render_pad(self.request, sheet, self.actor, status=422, **shown)

    def shown(self, sheet: Sheet, **shown: Any) -> HttpResponse:
        """Answer with the pad itself, HTMX or not, for it holds what is not recorded."""
        return render_pad(self.request, sheet, self.actor, **shown)

    def done(self, outcome: Outcome, sheet: Sheet | None = None) -> HttpResponse:
        """Answer a step that was made: HTMX gets the fresh pad, a browser goes back to the page."""
        if not wants_partial(self.request):
            return redirect("block", outcome.game.pk)
        return render_pad(self.request, sheet or sheet_of(outcome.game, outcome.seats), self.actor)


def is_open(sheet: Sheet, seen: int, state: str) -> bool:
    """Say whether the open round is in the stage that the page showed."""
    current = sheet.current
    return current is not None and current.state == state and current.stage_version == seen


def _entry_in_words(sheet: Sheet, typed: Mapping[str, str]) -> str:
    """Return what somebody entered, to be shown when it could not be recorded: "Cem 2, Doro 1"."""
    entered = [(seat.name, typed.get(str(seat.pk), "")[:MOST_DIGITS]) for seat in sheet.seats]
    return ", ".join(f"{name} {number}" for name, number in entered if number)


def render_pad(
    request: HttpRequest, sheet: Sheet, actor: Actor, *, status: int = 200, etag: str = "", **shown: Any
) -> HttpResponse:
    """Return the page, or its pad alone for HTMX; `shown` is what `pad_context` takes."""
    can_keep_score = permissions.can_keep_score(actor, sheet.game)
    offered = lays_coins(request)
    if sheet.current is None:
        shown |= finish_of(sheet.game, actor)
    context = pad_context(sheet, can_keep_score=can_keep_score, key=new_key(), lays_coins=offered, **shown)
    # What the pad's polls ask for is the pad alone, whatever it was sent with.
    context["etag"] = etag_of(request, sheet.game, actor, partial=True).strip('"')
    context["is_partial"] = wants_partial(request)
    template = "games/block.html#pad" if context["is_partial"] else "games/block.html"
    response = render(request, template, context, status=status)
    patch_cache_control(response, private=True, no_cache=True)
    if etag:
        response["ETag"] = etag
    return response


def etag_of(request: HttpRequest, game: Game, actor: Actor, *, partial: bool) -> str:
    """Return the tag of what this reader sees of this game now; a strong tag of everything the page depends on."""
    parts = (
        game.pk,
        game.version,
        game.touched,
        get_language(),
        theme_of(request),
        lays_coins(request),
        str(account_of(request) or ""),
        actor.link_scope,
        # By roles, and by the clock where a game is locked some time after its end.
        permissions.can_keep_score(actor, game),
        game.is_closed,
        settings.RELEASE,
        partial,
    )
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()[:20]}"'
