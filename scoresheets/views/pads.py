"""What the pad shows: everything on a game's page that depends on its stage, ready for the template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from scoresheets import wording
from scoresheets.forms.rounds import AllBidsForm, TricksForm, rest_of
from scoresheets.models import Round, Seat
from scoresheets.queries.blocks import Sheet, Undo
from scoresheets.views.charts import totals_chart


@dataclass(frozen=True, slots=True)
class Notice:
    """A box above the next step: what went wrong and what became of the entry."""

    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TricksState:
    """The tricks as they stand on the page: set by hand, the rest that follows from it, and what is still wrong.

    `taken` maps seat ids to tricks set by hand, `rest` those that follow from them (`rest_of`).
    """

    taken: Mapping[int, int]
    rest: Mapping[int, int]
    form: TricksForm | None = None

    @classmethod
    def of(
        cls, taken: Mapping[int, int], seats: Sequence[Seat], countable: int, form: TricksForm | None = None
    ) -> TricksState:
        return cls(taken, rest_of(taken, seats, countable), form)

    @classmethod
    def of_draft(cls, sheet: Sheet) -> TricksState:
        """Return the tricks kept in the open round's draft."""
        assert sheet.current is not None
        known = {str(seat.pk): seat.pk for seat in sheet.seats}
        draft = sheet.current.draft.get("taken", {})
        taken = {known[seat]: tricks for seat, tricks in draft.items() if seat in known and isinstance(tricks, int)}
        return cls.of(taken, sheet.bidding_order, rules.countable_tricks(sheet.current.cards, 0))

    @property
    def all(self) -> dict[int, int]:
        """The tricks of every seat that has a number, the rest included."""
        return {**self.taken, **self.rest}


def pad_context(
    sheet: Sheet,
    *,
    can_keep_score: bool,
    key: str,
    bid_errors: Sequence[str] = (),
    all_bids: AllBidsForm | None = None,
    tricks: TricksState | None = None,
    notice: Notice | None = None,
) -> dict[str, Any]:
    """Return the template's context for a game's pad, in the stage it is in."""
    context: dict[str, Any] = {
        "sheet": sheet,
        "game": sheet.game,
        "can_keep_score": can_keep_score,
        "key": key,
        "heads": _heads(sheet),
        "undo": _undo_in_words(sheet.undo),
        "undo_version": sheet.undo.version if sheet.undo else None,
        "notice": notice,
        "rounds": len(sheet.block.plan),
        "rounds_left": len(sheet.block.plan) - len(sheet.block.scored_rows) - (1 if sheet.current else 0),
    }
    if sheet.current is None:
        return {**context, "stage": "finished", "seen": sheet.game.version, **_ranking(sheet)}
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
    }
    if sheet.current.state == Round.State.BIDDING:
        return {**context, "stage": "bidding", **_bidding(sheet, bid_errors, all_bids)}
    return {**context, "stage": "playing", **_playing(sheet, tricks or TricksState.of_draft(sheet))}


def _heads(sheet: Sheet) -> list[dict[str, Any]]:
    leaders = sheet.block.leaders
    dealer = sheet.current.dealer_id if sheet.current else None
    return [
        {"name": seat.name, "total": total, "leads": place in leaders, "deals": seat.pk == dealer}
        for place, (seat, total) in enumerate(zip(sheet.seats, sheet.block.totals, strict=True))
    ]


def _undo_in_words(undo: Undo | None) -> str:
    """Return what the step back takes back: "Bernd 2", "bids", "tricks of round 6"; empty if there is nothing."""
    if undo is None:
        return ""
    if undo.tricks:
        return _("tricks of round %(number)s") % {"number": undo.round_number}
    if undo.seat is None:
        return _("all bids")
    return f"{undo.seat.name} {undo.tricks_bid}" if undo.tricks_bid is not None else undo.seat.name


def _bidding(sheet: Sheet, bid_errors: Sequence[str], all_bids: AllBidsForm | None) -> dict[str, Any]:
    current = sheet.current
    assert current is not None
    open_seats = [seat for seat in sheet.bidding_order if seat.pk not in sheet.bids]
    asked = open_seats[0]
    bid_sum = _shown_bid_sum(sheet)
    is_last = len(open_seats) == 1
    forbidden = _forbidden(sheet) if is_last else None
    before = current.draft.get("bids", {})
    return {
        "asked": asked,
        "following": _following(open_seats[1:]),
        "is_last": is_last,
        "forbidden": forbidden,
        "bid_sum": bid_sum,
        "sum_words": _sum_words(bid_sum, current.cards, len(open_seats)),
        "bids_in": len(sheet.bids),
        "chips": [
            {
                "bid": bid,
                "outcome": wording.sum_in_words(bid_sum + bid, current.cards)
                if is_last and bid_sum is not None
                else "",
                "forbidden": bid == forbidden,
                "before": before.get(str(asked.pk)) == bid,
            }
            for bid in range(current.cards + 1)
        ],
        "chips_class": "" if current.cards <= 10 else " chips--6" if current.cards <= 17 else " chips--7",
        "bid_errors": bid_errors,
        "all_bids": _all_bids_rows(open_seats, before, all_bids),
        "all_bids_open": all_bids is not None or len(before) > 1,
        "all_bids_errors": all_bids.non_field_errors() if all_bids is not None else (),
    }


def _forbidden(sheet: Sheet) -> int | None:
    assert sheet.current is not None
    spoken = [sheet.bids[seat.pk].tricks_bid for seat in sheet.bidding_order if seat.pk in sheet.bids]
    return rules.forbidden_bid(
        sheet.block.house,
        number=sheet.current.number,
        cards=sheet.current.cards,
        players=len(sheet.seats),
        bids=spoken,
    )


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


def _all_bids_rows(seats: Sequence[Seat], before: Mapping[str, int], form: AllBidsForm | None) -> list[dict[str, Any]]:
    return [
        {
            "seat": seat,
            "value": form.typed(seat.pk) if form is not None else before.get(str(seat.pk), ""),
            "errors": form.errors_of(seat.pk) if form is not None else (),
        }
        for seat in seats
    ]


def _playing(sheet: Sheet, tricks: TricksState) -> dict[str, Any]:
    assert sheet.current is not None
    countable = rules.countable_tricks(sheet.current.cards, 0)
    entered = sum(tricks.all.values())
    complete = len(tricks.all) == len(sheet.seats)
    totals = {seat.pk: total for seat, total in zip(sheet.seats, sheet.block.totals, strict=True)}
    rows = [_tricks_row(sheet, seat, tricks) for seat in sheet.bidding_order]
    bid_sum = _shown_bid_sum(sheet)
    return {
        "countable": countable,
        "entered": entered,
        "rest_fields": [f"{seat}:{left}" for seat, left in tricks.rest.items()],
        "tricks_rows": rows,
        "ready": complete and entered == countable,
        "missing_words": _missing_words(countable - entered),
        "form_errors": tricks.form.non_field_errors() if tricks.form is not None and tricks.form.is_bound else (),
        "preview": {
            row["seat"].pk: totals[row["seat"].pk] + row["points"] for row in rows if row["points"] is not None
        },
        "bid_sum": bid_sum,
        "sum_words": _sum_words(bid_sum, sheet.current.cards, 0),
        "bids_in": len(sheet.bids),
    }


def _tricks_row(sheet: Sheet, seat: Seat, tricks: TricksState) -> dict[str, Any]:
    bid = sheet.bids[seat.pk]
    value = tricks.all.get(seat.pk)
    form = tricks.form
    errors = form.errors_of(seat.pk) if form is not None else []
    points = None
    if value is not None and not errors and not sheet.covered:
        points = rules.round_points(bid.tricks_bid, value) * (2 if bid.blind else 1)
    return {
        "seat": seat,
        "bid": None if sheet.covered else bid.tricks_bid,
        "blind": bid.blind,
        "value": form.typed(seat.pk) if form is not None and errors else "" if value is None else value,
        "is_rest": seat.pk in tricks.rest,
        "made": not sheet.covered and tricks.taken.get(seat.pk) == bid.tricks_bid,
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


def _ranking(sheet: Sheet) -> dict[str, Any]:
    block = sheet.block
    winners = [sheet.seats[place] for place in block.winners]
    standings: list[dict[str, Any]] = sorted(
        (
            {
                "seat": seat,
                "rank": block.ranks[place],
                "total": block.totals[place],
                "hits": block.hits[place],
                "pips": [bool(cell and cell.exact) for cell in (row.cells[place] for row in block.scored_rows)],
            }
            for place, seat in enumerate(sheet.seats)
        ),
        key=lambda line: int(line["rank"]),
    )
    following = sheet.seats[(sheet.game.first_dealer + len(block.plan)) % len(sheet.seats)]
    return {
        "winners": winners,
        "winner_words": wording.joined([seat.name for seat in winners]),
        "standings": standings,
        "decision": _decision(sheet),
        "records": _records(sheet),
        "chart": totals_chart(sheet),
        "running": [(row.number, totals) for row, totals in zip(block.scored_rows, block.running_totals, strict=True)],
        "next_dealer": following,
    }


def _decision(sheet: Sheet) -> dict[str, Any]:
    """Return which rule decided the first place, with the numbers it compared."""
    block = sheet.block
    best = max(block.totals)
    level = [place for place, total in enumerate(block.totals) if total == best]
    runner_up = max((total for total in block.totals if total != best), default=best)
    return {
        "by": block.decided_by,
        "points": best,
        "runner_up": runner_up,
        "level": wording.joined([sheet.seats[place].name for place in level]),
        "level_hits": [(sheet.seats[place].name, block.hits[place]) for place in level],
        "tie_break": block.house.tie_break,
    }


def _records(sheet: Sheet) -> dict[str, Any]:
    points, made = sheet.block.best_rounds
    length, runs = sheet.block.longest_streak
    return {
        "best_points": points,
        "best": [(sheet.seats[place].name, number) for place, number in made],
        "streak": length,
        "streaks": [(sheet.seats[place].name, first, last) for place, first, last in runs],
    }
