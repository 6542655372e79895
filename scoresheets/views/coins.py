"""What the pad shows of the coins: who took which trick, who leads, and the buttons that lay the next one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from scoresheets.forms.rounds import Extras, Tally
from scoresheets.models import Seat
from scoresheets.queries.blocks import Sheet

COINS_COOKIE = "coins"
YEAR = 365 * 24 * 3600


def lays_coins(request: HttpRequest) -> bool:
    """Say whether this device offers to lay coins before any lies: it does once somebody has asked for it."""
    return request.COOKIES.get(COINS_COOKIE) == "1"


def remember_coins(response: HttpResponse, *, offered: bool) -> None:
    """Remember on this device that coins are offered, or are no longer."""
    if offered:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(COINS_COOKIE, "1", max_age=YEAR, secure=secure, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(COINS_COOKIE, samesite="Lax")


def coins_context(sheet: Sheet, tally: Tally, *, offered: bool, folds: bool | None) -> dict[str, Any]:
    """Return what the pad's template needs of the coins of the round being played.

    "coins" is None while none lies and none is `offered`; "tally" maps seat ids to what the Block shows of them.
    Coins are laid, or tricks entered by hand: coins first, until numbers by hand count or all tricks lie, unless
    `folds` says which of the two was asked for.
    """
    context: dict[str, Any] = {"coins": None}
    if not tally.coins and not offered:
        return context
    assert sheet.current is not None
    number = len(tally.coins) + 1
    rows = _rows(sheet, tally)
    is_folded = not tally.is_full and (folds if folds is not None else not _is_by_hand(sheet, tally))
    context["coins"] = {
        "trick": number,
        "words": _trick_words(tally, number),
        "lead": _lead_words(sheet, tally),
        "is_full": tally.is_full,
        "by_hand": bool(tally.coins) and tally.by_hand,
        "is_folded": is_folded,
        "has_panel": is_folded or tally.is_full or sheet.game.secret_bids,
        "newest": _newest(sheet, tally),
        "rows": () if tally.is_full else rows,
        "bomb": not tally.is_full and tally.bombs < rules.count_of(sheet.block.house, "BOMB"),
    }
    if tally.counts:
        context["tally"] = {seat.pk: (taken, difference) for seat, taken, _final, difference in rows}
    return context


def _is_by_hand(sheet: Sheet, tally: Tally) -> bool:
    assert sheet.current is not None
    return tally.by_hand if tally.coins else bool(sheet.current.draft.get("taken"))


def _rows(sheet: Sheet, tally: Tally) -> list[tuple[Seat, int, int | None, int | None]]:
    """Return each seat with its tricks so far, its bid after the cloud and how far it is over; no bid while covered."""
    assert sheet.current is not None
    clouds = Extras.of_draft(sheet.current.draft, sheet).clouds
    rows: list[tuple[Seat, int, int | None, int | None]] = []
    for seat in sheet.bidding_order:
        taken, bid = tally.coins.count(seat.pk), sheet.bids.get(seat.pk)
        if sheet.covered or bid is None:
            rows.append((seat, taken, None, None))
        else:
            final = bid.tricks_bid + clouds.get(seat.pk, 0)
            rows.append((seat, taken, final, taken - final))
    return rows


def _trick_words(tally: Tally, number: int) -> str:
    if tally.is_full:
        return ngettext("The trick is counted", "All %(count)s tricks counted", tally.cards) % {"count": tally.cards}
    return _("Trick %(number)s of %(cards)s") % {"number": number, "cards": tally.cards}


def _lead_words(sheet: Sheet, tally: Tally) -> str:
    """Return who leads the next trick: whoever took the last one; after a bomb whoever would have (D61)."""
    if tally.is_full:
        return ""
    newest = tally.coins[-1] if tally.coins else sheet.bidding_order[0].pk
    if newest is None:
        return _("Whoever would have taken the bombed trick leads")
    name = next((seat.name for seat in sheet.seats if seat.pk == newest), "")
    return _("%(name)s leads") % {"name": name} if name else ""


def _newest(sheet: Sheet, tally: Tally) -> str:
    """Return whose coin taking back takes back; empty if none lies."""
    if not tally.coins:
        return ""
    newest = tally.coins[-1]
    return next((seat.name for seat in sheet.seats if seat.pk == newest), _("Bombed"))
