"""Games as they are answered: dicts made of rows directly, for an app asks for many."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language

import rules
from scoresheets import permissions, wording
from scoresheets.actors import Actor
from scoresheets.models import Bid, Game, Link, Round, Seat
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.queries.games import ListedGame, confirmations_of, listed_games, public_names

Body = dict[str, Any]


# -- many ------------------------------------------------------------------------------------------------------------


def listed_bodies(ids: Sequence[int], *, shows_names: bool) -> list[Body]:
    """Return club games as a list answers them, in the order of their ids (2 statements)."""
    return [_listed(game) for game in listed_games(ids, is_public=not shows_names)]


def _listed(game: ListedGame) -> Body:
    return {
        "id": game.id,
        "version": game.version,
        "club": game.club_id,
        "evening": game.evening_id,
        "night": game.night,
        "detail": game.detail,
        "state": game.state,
        "halted": game.halted or None,
        "incomplete": game.incomplete,
        "table_changed": game.table_changed,
        "confirmed": game.is_confirmed,
        "edition": game.edition,
        "ladder": game.ladder,
        "planned_rounds": game.planned_rounds,
        "scored_rounds": max(seat[7] for seat in game.seats),
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "seats": [
            {
                "id": pk,
                "position": position,
                "name": name,
                "player": player,
                "presence": presence or "plays",
                "total": total,
                "exact": exact,
                "rounds": rounds,
                "rank": rank,
            }
            for pk, position, name, player, presence, total, exact, rounds, rank in game.seats
        ],
    }


# -- one -------------------------------------------------------------------------------------------------------------


def etag_of(game: Game, actor: Actor, *, with_rounds: bool = True) -> str:
    """Return the version, and a hash of all else that the answer depends on (1 statement for strangers, else none)."""
    shows_names = permissions.can_see_names(actor, game)
    parts = (
        game.touched,
        get_language(),
        settings.RELEASE,
        with_rounds,
        permissions.can_keep_score(actor, game),
        # By the clock, and by the club's setting.
        game.is_closed,
        game.is_finished and game.club_id is not None and str(game.locks_at),
        shows_names or public_names(game),
    )
    return f"{game.version}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"


def game_body(game: Game, actor: Actor, *, seats: Sequence[Seat] | None = None, with_rounds: bool = True) -> Body:
    """Return a whole game as the actor may see it (at most 5 statements; `seats` saves one of them)."""
    shows_names = permissions.can_see_names(actor, game)
    sheet = sheet_of(game, seats, is_public=not shows_names)
    game = sheet.game
    return {
        "id": game.pk,
        "version": game.version,
        "club": game.club_id,
        "evening": game.evening_id,
        "night": game.night,
        "detail": game.detail,
        "state": game.state,
        "halted": game.halted or None,
        "incomplete": game.incomplete,
        "table_changed": game.table_changed,
        "confirmed": game.is_confirmed,
        "edition": rules.edition_of(sheet.block.house),
        "ladder": game.ladder,
        "planned_rounds": len(game.plan),
        "scored_rounds": len(sheet.everybody[0].line),
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "rematch_of": game.rematch_of_id,
        "first_dealer": game.first_dealer,
        "house": sheet.block.house.to_mapping(),
        "plan": [_plan(planned) for planned in sheet.block.plan],
        "seats": [_seat(seat) for seat in sheet.everybody],
        **({"rounds": _rounds(sheet)} if with_rounds else {}),
        "stage": _stage(sheet),
        "undo": _undo(sheet),
        "confirmation": _confirmation(game, shows_names),
        "may_keep_score": permissions.can_keep_score(actor, game),
    }


def _plan(planned: rules.RoundPlan) -> Body:
    return {
        "number": planned.number,
        "cards": planned.cards,
        "turned_up": planned.turned_up,
        "fixed_trump": planned.fixed_trump,
        "trump": (planned.trump or rules.NO_TRUMP) if planned.fixed_trump else None,
    }


def _seat(seat: Seat) -> Body:
    return {
        "id": seat.pk,
        "position": seat.position,
        "name": seat.name,
        "player": seat.player_id,
        "presence": seat.presence or "plays",
        "total": seat.total,
        "exact": seat.exact,
        "rounds": seat.rounds,
        "rank": seat.rank,
        "starting": seat.starting,
        "adjustments": [{"after": after, "points": points} for after, points in seat.adjustments],
        "line": seat.line,
    }


def _rounds(sheet: Sheet) -> list[Body]:
    """Return the rounds so far: the scored ones from the seats' lines, the open one from its bids."""
    totals = {seat.pk: seat.starting for seat in sheet.everybody}
    scored = len(sheet.everybody[0].line)
    found = []
    for played, planned in zip(sheet.rounds, sheet.block.plan, strict=False):
        if played is sheet.current:
            bids = [_open_bid(sheet, sheet.bids[seat.pk]) for seat in sheet.seats if seat.pk in sheet.bids]
        else:
            bids = _scored_bids(sheet.everybody, played.number, totals, is_last=played.number == scored)
        found.append(_round(played, planned, bids))
    return found


def _round(played: Round, planned: rules.RoundPlan, bids: list[Body]) -> Body:
    fixed = (planned.trump or rules.NO_TRUMP) if planned.fixed_trump else None
    spoken = [bid["bid"] for bid in bids]
    return {
        "number": played.number,
        "cards": played.cards,
        "state": played.state,
        "version": played.changed_version,
        "dealer": played.dealer_id,
        "trump": fixed or played.trump or None,
        "turned_up": played.turned_up or None,
        "chosen_by": played.chosen_by_id,
        "bombs": played.bombs,
        "bid_sum": None if None in spoken else sum(spoken),
        "bids": bids,
    }


def _scored_bids(seats: Sequence[Seat], number: int, totals: dict[int, int], *, is_last: bool) -> list[Body]:
    """Return what came of a scored round; `totals` are without points beside the rounds, and go on."""
    found = []
    for seat in seats:
        cell = seat.line[number - 1]
        if cell is None:
            continue
        bid, tricks, points = cell[:3]
        blind, cloud = (bool(cell[3]), cell[4]) if len(cell) > 3 else (False, 0)
        totals[seat.pk] += points
        # The last round has all points beside the rounds, as pages show it: a round may have been taken back.
        beside = sum(added for after, added in seat.adjustments if is_last or after <= number)
        found.append(
            {
                "seat": seat.pk,
                "bid": bid,
                "blind": blind,
                "cloud_delta": cloud,
                "final_bid": bid + cloud,
                "tricks": tricks,
                "exact": bid + cloud == tricks,
                "points": points,
                "total": totals[seat.pk] + beside,
            }
        )
    return found


def _open_bid(sheet: Sheet, bid: Bid) -> Body:
    shown = None if sheet.covered else bid.tricks_bid
    return {
        "seat": bid.seat_id,
        "bid": shown,
        "blind": bid.blind,
        "cloud_delta": 0,
        "final_bid": shown,
        "tricks": None,
        "exact": None,
        "points": None,
        "total": None,
    }


def _stage(sheet: Sheet) -> Body:
    current = sheet.current
    missing = [seat.pk for seat in sheet.bidding_order if seat.pk not in sheet.bids]
    entry = _entry(sheet, len(missing)) if missing else None
    return {
        "name": sheet.game.state,
        "seen": current.stage_version if current is not None else sheet.game.version,
        "round": current.number if current is not None else None,
        "cards": current.cards if current is not None else None,
        "dealer": current.dealer_id if current is not None else sheet.next_dealer.pk,
        "bidding_order": [seat.pk for seat in sheet.bidding_order],
        "entry": entry,
        "next": missing[0] if entry in ("in_turn", "shown") else None,
        "missing": missing,
        "forbidden_bid": sheet.forbidden_bid if len(missing) == 1 else None,
        "first_bid": current.draft.get("bids", {}).get(str(missing[0])) if current and entry == "shown" else None,
        "may_bid_blind": bool(missing) and sheet.may_bid_blind,
        "covered": sheet.covered,
    }


def _entry(sheet: Sheet, still_open: int) -> str:
    """Return how the bids are entered that are still to come."""
    assert sheet.current is not None
    if sheet.game.secret_bids:
        return "secret"
    if sheet.current.shown_version is not None:
        return "shown"
    # Whoever is the last to bid of all, hidden or not, is asked as always.
    return "hidden" if sheet.game.hidden_bids and still_open > 1 else "in_turn"


def _undo(sheet: Sheet) -> Body | None:
    undo = sheet.undo
    if undo is None:
        return None
    return {
        "version": undo.version,
        "round": undo.round_number,
        "label": wording.undo_in_words(undo),
        "seat": undo.seat.pk if undo.seat is not None else None,
        "bid": undo.tricks_bid,
        "tricks": undo.tricks,
    }


def _confirmation(game: Game, shows_names: bool) -> Body | None:
    """Return where the confirmation stands (1 statement, and 1 for the club unless that is loaded)."""
    if game.club_id is None or not game.is_finished:
        return None
    locks_at = game.locks_at
    return {
        "confirmed": game.is_confirmed,
        "by": [{"seat": entry.payload["seat"], "at": entry.at} for entry in confirmations_of(game)]
        if shows_names
        else None,
        "locks_at": locks_at,
        "locked": locks_at is not None and locks_at <= timezone.now(),
    }


def link_body(link: Link) -> Body:
    """Return a link as it is answered, without its secret."""
    return {
        "id": link.pk,
        "scope": link.scope,
        "label": link.label,
        "created_at": link.created_at,
        "expires_at": link.expires_at,
        "revoked_at": link.revoked_at,
    }
