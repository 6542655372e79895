"""What the pad shows: everything on a game's page that depends on its stage, ready for the template."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from scoresheets import verdicts, wording
from scoresheets.forms.rounds import (
    AllBidsForm,
    BidForm,
    Extras,
    RoundForm,
    Tally,
    TricksForm,
    cloud_directions,
    rest_of,
)
from scoresheets.models import Round, Seat
from scoresheets.queries.blocks import Sheet
from scoresheets.recording.coins import is_played
from scoresheets.views.coins import coins_context
from scoresheets.views.rankings import ranking_of
from scoresheets.views.trumps import Trump, trump_of


@dataclass(frozen=True, slots=True)
class Notice:
    """A box above the next step: what went wrong and what became of the entry."""

    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TricksState:
    """The tricks as they stand on the page: set by hand, the rest that follows from it, and what is still wrong.

    `taken` maps seat ids to tricks set by hand, `rest` those that follow from them (`rest_of`) or, where the round goes
    on (`so_far`), those that coins have counted; `extras` are bombs and clouds.
    """

    taken: Mapping[int, int]
    rest: Mapping[int, int]
    form: TricksForm | None = None
    extras: Extras = field(default_factory=Extras)
    so_far: bool = False

    @classmethod
    def of(
        cls,
        taken: Mapping[int, int],
        seats: Sequence[Seat],
        countable: int,
        form: TricksForm | None = None,
        extras: Extras | None = None,
    ) -> TricksState:
        extras = extras or (form.extras if form is not None else Extras())
        return cls(taken, rest_of(taken, seats, countable), form, extras)

    @classmethod
    def of_form(cls, form: TricksForm, taken: Mapping[int, int] | None = None) -> TricksState:
        """Return the tricks set by hand in a form, or `taken`; without any, those of the tally."""
        taken, sheet = form.taken if taken is None else taken, form.sheet
        tally = Tally.of(sheet)
        if form.is_folded and not taken:
            return replace(cls.of_draft(sheet), form=form)
        if tally.counts and not tally.is_overruled_by(taken, form.extras.bombs, sheet.bidding_order):
            return cls._of_tally(tally, sheet, form.extras, form)
        return cls.of(taken, sheet.bidding_order, form.countable, form)

    @classmethod
    def of_draft(cls, sheet: Sheet) -> TricksState:
        """Return the tricks kept in the open round's draft: those of the tally while it counts."""
        assert sheet.current is not None
        extras, tally = Extras.of_draft(sheet.current.draft, sheet), Tally.of(sheet)
        if tally.counts:
            return cls._of_tally(tally, sheet, extras)
        known = {str(seat.pk): seat.pk for seat in sheet.seats}
        draft = sheet.current.draft.get("taken", {})
        taken = {known[seat]: tricks for seat, tricks in draft.items() if seat in known and isinstance(tricks, int)}
        return cls.of(taken, sheet.bidding_order, extras.countable(sheet.current.cards), extras=extras)

    @classmethod
    def _of_tally(cls, tally: Tally, sheet: Sheet, extras: Extras, form: TricksForm | None = None) -> TricksState:
        taken = tally.taken(sheet.bidding_order)
        if tally.is_full:
            return cls(taken, {}, form, extras)
        return cls({}, taken, form, extras, so_far=True)

    @property
    def all(self) -> dict[int, int]:
        """The tricks of every seat that has a number, the rest included."""
        return {**self.taken, **self.rest}

    @property
    def known(self) -> dict[int, int]:
        """The tricks that were entered or counted, without what only follows from them."""
        return dict(self.rest if self.so_far else self.taken)


def pad_context(
    sheet: Sheet,
    *,
    can_keep_score: bool,
    key: str,
    bid: BidForm | None = None,
    all_bids: AllBidsForm | None = None,
    tricks: TricksState | None = None,
    whole: RoundForm | None = None,
    trump_errors: Sequence[str] = (),
    notice: Notice | None = None,
    finish: Mapping[str, Any] | None = None,
    lays_coins: bool = False,
    folds: bool | None = None,
) -> dict[str, Any]:
    """Return the template's context for a game's pad, in the stage it is in.

    `bid`, `all_bids`, `tricks` and `whole` (bids and tricks together) are what was just entered and not recorded.
    `lays_coins`: this device offers to lay coins before any lies; `folds`: they were asked for just now (True), or the
    fields behind them (False).
    """
    context: dict[str, Any] = {
        "sheet": sheet,
        "game": sheet.game,
        "can_keep_score": can_keep_score,
        "key": key,
        "heads": _heads(sheet),
        "undo": wording.undo_in_words(sheet.undo),
        "undo_version": sheet.undo.version if sheet.undo else None,
        "notice": notice,
        "rounds": len(sheet.block.plan),
        "rounds_left": len(sheet.block.plan) - len(sheet.block.scored_rows) - (1 if sheet.current else 0),
    }
    if sheet.current is None:
        return {**context, "stage": "finished", "seen": sheet.game.version, "finish": finish, **ranking_of(sheet)}
    context |= {
        "seen": sheet.current.stage_version,
        "number": sheet.current.number,
        "cards": sheet.current.cards,
        "dealer": sheet.seats[sheet.places[sheet.current.dealer_id]],
        "starter": sheet.bidding_order[0],
        # Rows to come are only shown on large screens, and never for the longest ladders.
        "rows_to_come": range(sheet.current.number + 1, len(sheet.block.plan) + 1)
        if len(sheet.block.plan) <= 15
        else (),
        "clairvoyant": sheet.block.house.clairvoyance and sheet.current.number == 1,
    }
    trump = trump_of(sheet, can_note=can_keep_score)
    context |= {"trump": trump, "trump_words": _trump_words(trump), "trump_errors": trump_errors}
    if is_played(sheet.game, sheet.current):
        is_refused = (tricks is not None and tricks.form is not None) or (whole is not None and not whole.is_silent)
        folds = False if is_refused else folds
        context |= coins_context(sheet, Tally.of(sheet), offered=lays_coins and can_keep_score, folds=folds)
    if sheet.current.state == Round.State.PLAYING:
        return {**context, "stage": "playing", **_playing(sheet, tricks or TricksState.of_draft(sheet))}
    context |= {"stage": "bidding", **_bidding(sheet, bid, all_bids)}
    if context["entry"] == SECRET and can_keep_score:
        context |= _whole_round(sheet, whole)
    return context


def _trump_words(trump: Trump) -> str:
    """Return the trump as the bar says it: "Trump: Green", "No trump"; "" while it is not noted."""
    if trump.noted in ("", rules.NO_TRUMP):
        return verdicts.suit_name(None) if trump.noted else ""
    return _("Trump: %(suit)s") % {"suit": verdicts.suit_name(rules.Suit(trump.noted))}


def _heads(sheet: Sheet) -> list[dict[str, Any]]:
    leaders = sheet.block.leaders
    dealer = sheet.current.dealer_id if sheet.current else None
    return [
        {"name": seat.name, "total": total, "leads": place in leaders, "deals": seat.pk == dealer}
        for place, (seat, total) in enumerate(zip(sheet.seats, sheet.block.totals, strict=True))
    ]


#: How bids are entered: one person after the other, all together, the dealer alone again, or with the tricks.
IN_TURN, HIDDEN, SHOWN, SECRET = "in turn", "hidden", "shown", "secret"


def _entry(sheet: Sheet, still_open: int) -> str:
    assert sheet.current is not None
    if sheet.game.secret_bids:
        return SECRET
    if sheet.current.shown_version is not None:
        return SHOWN
    # Whoever is the last to bid of all, hidden or not, is asked as always.
    return HIDDEN if sheet.game.hidden_bids and still_open > 1 else IN_TURN


def _bidding(sheet: Sheet, bid: BidForm | None, all_bids: AllBidsForm | None) -> dict[str, Any]:
    current = sheet.current
    assert current is not None
    open_seats = [seat for seat in sheet.bidding_order if seat.pk not in sheet.bids]
    asked = open_seats[0]
    bid_sum = _shown_bid_sum(sheet)
    is_last = len(open_seats) == 1
    forbidden = sheet.forbidden_bid if is_last else None
    before = current.draft.get("bids", {})
    blind_before = current.draft.get("blind", ())
    entry = _entry(sheet, len(open_seats))
    bids_blind = sheet.may_bid_blind
    return {
        "entry": entry,
        "asked_id": None if entry == HIDDEN or (entry == SECRET and not sheet.bids) else asked.pk,
        "first_said": before.get(str(asked.pk)) if entry == SHOWN else None,
        "bids_blind": bids_blind,
        "is_blind": bids_blind and (asked.pk in blind_before if bid is None else "blind" in bid.data),
        "asked": asked,
        "following": _following(open_seats[1:]),
        "is_last": is_last,
        "forbidden": forbidden,
        "bid_sum": bid_sum,
        "sum_words": _sum_words(bid_sum, current.cards, len(open_seats)),
        "bids_in": len(sheet.bids),
        "chips": [
            {
                "bid": number,
                "outcome": wording.sum_in_words(bid_sum + number, current.cards)
                if is_last and bid_sum is not None
                else "",
                "forbidden": number == forbidden,
                "before": before.get(str(asked.pk)) == number != forbidden,
            }
            for number in range(current.cards + 1)
        ],
        "chips_class": "" if current.cards <= 10 else " chips--6" if current.cards <= 17 else " chips--7",
        "bid_errors": bid.sentences if bid is not None else (),
        "all_bids": _all_bids_rows(open_seats, before, all_bids, blind_before if bids_blind else None),
        "all_bids_open": all_bids is not None or len(before) > 1,
        "all_bids_typed": all_bids is not None,
        "all_bids_errors": all_bids.errors_at(NON_FIELD_ERRORS) if all_bids is not None else (),
    }


def _following(seats: Sequence[Seat]) -> str:
    """Return who bids after the person asked: "Next: Ilja, last: Friederike (deals)"."""
    if not seats:
        return ""
    if len(seats) == 1:
        return _("Last: %(name)s (deals)") % {"name": seats[-1].name}
    return _("Next: %(name)s, last: %(dealer)s (deals)") % {"name": seats[0].name, "dealer": seats[-1].name}


def _shown_bid_sum(sheet: Sheet) -> int | None:
    """Return the sum of the bids made so far; None while they are covered, for a sum gives them away."""
    return None if sheet.covered else sum(bid.tricks_bid for bid in sheet.bids.values())


def _sum_words(bid_sum: int | None, cards: int, open_bids: int) -> str:
    if open_bids > 1 or bid_sum is None:
        return ngettext("%(count)s bid to come", "%(count)s bids to come", open_bids) % {"count": open_bids}
    return wording.sum_in_words(bid_sum, cards)


def _all_bids_rows(
    seats: Sequence[Seat], before: Mapping[str, int], form: AllBidsForm | None, blind: Collection[int] | None
) -> list[dict[str, Any]]:
    """Return one row a seat; `blind` are the seats marked so far, None where nobody can bid blind."""
    return [
        {
            "seat": seat,
            "value": form.typed(seat.pk) if form is not None else before.get(str(seat.pk), ""),
            "errors": form.errors_of(seat.pk) if form is not None else (),
            "blind": None if blind is None else seat.pk in (blind if form is None else form.blind),
        }
        for seat in seats
    ]


def _whole_round(sheet: Sheet, form: RoundForm | None) -> dict[str, Any]:
    """Return the rows in which bids and tricks are entered together, with what was typed or taken back."""
    current = sheet.current
    assert current is not None
    draft = current.draft
    open_seats = [seat for seat in sheet.bidding_order if seat.pk not in sheet.bids]
    blind = draft.get("blind", ()) if sheet.may_bid_blind else None
    bids = _all_bids_rows(open_seats, draft.get("bids", {}), form.bids if form else None, blind)
    bid_of = {row["seat"].pk: row for row in bids}
    stands = TricksState.of_draft(sheet)
    extras = form.tricks.extras if form else stands.extras
    return {
        "whole_rows": [
            {
                "seat": seat,
                "bid": bid_of.get(seat.pk),
                "value": form.tricks.typed(seat.pk) if form else stands.known.get(seat.pk, ""),
                "errors": form.tricks.errors_of(seat.pk) if form else (),
            }
            for seat in sheet.bidding_order
        ],
        "whole_errors": [*form.bids.errors_at(NON_FIELD_ERRORS), *form.tricks.errors_at(NON_FIELD_ERRORS)]
        if form
        else (),
        "whole_typed": form is not None,
        "extras": _extras(sheet, extras, form.tricks if form else None),
    }


def _extras(sheet: Sheet, extras: Extras, form: TricksForm | None, errors: Sequence[str] = ()) -> dict[str, Any] | None:
    """Return what the cards that are in the game need below the tricks; None if neither is in."""
    current, house = sheet.current, sheet.block.house
    assert current is not None
    bombs_in, clouds_in = rules.count_of(house, "BOMB"), rules.count_of(house, "CLOUD")
    if not bombs_in and not clouds_in:
        return None
    taker, delta = next(iter(extras.clouds.items()), (None, -1))
    bid = None if sheet.covered or taker is None else sheet.bids.get(taker)
    ways = (-1, 1) if bid is None else cloud_directions(sheet, bid.tricks_bid)
    return {
        "bomb": bool(bombs_in),
        "bombed": extras.bombs > 0,
        "bomb_words": _bomb_words(extras.bombs, extras.countable(current.cards)),
        "bomb_errors": form.errors_at("bombs") if form else (),
        "cloud": bool(clouds_in),
        "takers": [(seat.pk, seat.name, seat.pk == taker) for seat in sheet.bidding_order],
        "ways": [(way, way == delta, way not in ways and way != delta) for way in (-1, 1)],
        "cloud_errors": [
            *([*form.errors_at("cloud"), *form.errors_at("cloud_delta")] if form else ()),
            *errors,
        ],
    }


def _bomb_words(bombs: int, countable: int) -> str:
    if bombs <= 0:
        return _("no trick bombed")
    return ngettext("1 trick bombed, %(count)s counts", "1 trick bombed, %(count)s count", countable) % {
        "count": countable
    }


def _playing(sheet: Sheet, tricks: TricksState) -> dict[str, Any]:
    assert sheet.current is not None
    extras = tricks.extras
    countable = extras.countable(sheet.current.cards)
    entered = sum(tricks.all.values())
    complete = len(tricks.all) == len(sheet.seats)
    finals = [sheet.bids[seat.pk].tricks_bid + extras.clouds.get(seat.pk, 0) for seat in sheet.bidding_order]
    totals = {seat.pk: total for seat, total in zip(sheet.seats, sheet.block.totals, strict=True)}
    rows = [_tricks_row(sheet, seat, tricks) for seat in sheet.bidding_order]
    bid_sum = _shown_bid_sum(sheet)
    form = tricks.form
    cloud_errors = [] if form is not None and form.errors_at("cloud") else _cloud_errors(sheet, tricks)
    return {
        "countable": countable,
        "bombed": sheet.current.cards - countable,
        "entered": entered,
        "filled_in": " ".join(f"{seat}:{left}" for seat, left in tricks.rest.items()),
        "tricks_rows": rows,
        "ready": complete and entered == countable and not cloud_errors,
        "can_all_have_made_it": not (sheet.covered or tricks.all or form) and sum(finals) == countable,
        "missing_words": _missing_words(countable - entered) or (_("Cloud without a trick") if cloud_errors else ""),
        "form_errors": form.errors_at(NON_FIELD_ERRORS) if form is not None else (),
        "preview": {
            row["seat"].pk: totals[row["seat"].pk] + row["points"] for row in rows if row["points"] is not None
        },
        "clouds": {} if sheet.covered else extras.clouds,
        "extras": _extras(sheet, extras, form, cloud_errors),
        "bid_sum": bid_sum,
        "sum_words": _sum_words(bid_sum, sheet.current.cards, 0),
        "bids_in": len(sheet.bids),
    }


def _cloud_errors(sheet: Sheet, tricks: TricksState) -> list[str]:
    """Return why nobody without a trick can have the cloud, as soon as that is entered."""
    names = [seat.name for seat in sheet.seats]
    return [
        wording.problem_in_words(rules.Problem.of("cloud_without_trick", sheet.places[seat]), names)
        for seat in tricks.extras.clouds
        if tricks.all.get(seat) == 0
    ]


def _tricks_row(sheet: Sheet, seat: Seat, tricks: TricksState) -> dict[str, Any]:
    bid = sheet.bids[seat.pk]
    value = tricks.all.get(seat.pk)
    form = tricks.form
    errors = form.errors_of(seat.pk) if form is not None else []
    final = bid.tricks_bid + tricks.extras.clouds.get(seat.pk, 0)
    points = None
    if value is not None and not errors and not sheet.covered and not tricks.so_far:
        points = rules.round_points(final, value) * (2 if bid.blind else 1)
    return {
        "seat": seat,
        "bid": None if sheet.covered else bid.tricks_bid,
        "final": None if sheet.covered else final,
        "blind": bid.blind,
        "value": form.typed(seat.pk) if form is not None and errors else "" if value is None else value,
        "is_rest": seat.pk in tricks.rest,
        "is_so_far": tricks.so_far,
        "made": not sheet.covered and tricks.taken.get(seat.pk) == final,
        "points": points,
        "errors": errors,
    }


def _missing_words(missing: int) -> str:
    """Return what keeps the round from being scored: "3 tricks missing", "1 trick too many"; empty if nothing does."""
    if missing > 0:
        return ngettext("%(count)s trick missing", "%(count)s tricks missing", missing) % {"count": missing}
    if missing < 0:
        return ngettext("%(count)s trick too many", "%(count)s tricks too many", -missing) % {"count": -missing}
    return ""
