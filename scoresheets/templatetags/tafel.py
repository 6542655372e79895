"""Icons, numbers and the rows of the Block.

The rows are put together here and not in a template: a block has up to 120 cells, and a template loop over them costs
more than the rest of the page. A cell depends on a handful of small numbers, so each one is made once and kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import rules
from scoresheets import wording
from scoresheets.queries.blocks import Sheet

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=256)
def icon(name: str, classes: str = "") -> SafeString:
    """Return an icon of the sprite; it says nothing to a screen reader, the text beside it does."""
    return format_html(
        '<svg class="i{}" aria-hidden="true"><use href="{}#i-{}"/></svg>',
        f" {classes}" if classes else "",
        static("img/sprite.svg"),
        name,
    )


@register.simple_tag
@lru_cache(maxsize=4096)
def path_to(view: str, *arguments: int) -> str:
    """Return the path of a view, as `url` does, each one worked out once: for what is drawn at every tap."""
    return reverse(view, args=arguments)


@register.filter
def minus(number: int) -> str:
    """Return a number with the real minus sign."""
    return wording.plain(number)


@register.filter
def signed(number: int) -> str:
    """Return a number with its sign."""
    return wording.signed(number)


@register.simple_tag
def tally(done: int, of: int) -> SafeString:
    """Return `of` strokes, the first `done` filled; what is above them stands behind a fence, as many again at most."""
    filled = min(max(done, 0), of)
    strokes = '<i class="on"></i>' * filled + "<i></i>" * (of - filled)
    if done > of:
        strokes += '<span class="fence"></span>' + '<i class="over"></i>' * min(done - of, of)
    return mark_safe(f'<span class="tally" aria-hidden="true">{strokes}</span>')


@register.simple_tag
def pips(hits: Iterable[bool]) -> SafeString:
    """Return one dot a round, filled where the bid was exact."""
    dots = "".join('<i class="h"></i>' if hit else "<i></i>" for hit in hits)
    return mark_safe(f'<span class="pips" aria-hidden="true">{dots}</span>')


@register.simple_tag
def block_rows(
    sheet: Sheet, preview: dict[int, int] | None = None, asked: int | None = None, to_come: Iterable[int] = ()
) -> SafeString:
    """Return the table rows of the rounds: the scored ones, the open one, and empty ones for those `to_come`.

    `preview` maps seat ids to the total they would have with the tricks entered so far; `asked` is the id of the seat
    whose bid is due.
    """
    language = get_language() or ""
    rows = []
    running = iter(sheet.block.running_totals)
    for row in sheet.block.rows:
        if row.is_scored:
            totals = next(running)
            cells = [
                _scored_cell(language, total, cell, place == row.dealer)
                for place, (cell, total) in enumerate(zip(row.cells, totals, strict=True))
            ]
            rows.append(f'<tr><th scope="row"><span class="rd">{row.number}</span></th>{"".join(cells)}</tr>')
        else:
            rows.append(_open_row(sheet, row, preview or {}, asked))
    empty = "<td></td>" * len(sheet.seats)
    rows += [f'<tr class="row-future"><th scope="row">{number}</th>{empty}</tr>' for number in to_come or ()]
    return mark_safe("".join(rows))


@lru_cache(maxsize=8192)
def _scored_cell(language: str, total: int, cell: rules.Cell | None, deals: bool) -> str:
    """Return one seat's cell of a scored round. `language` is only there to keep the languages apart in the cache."""
    opening = '<td class="deals">' if deals else "<td>"
    if cell is None:
        return f"{opening}</td>"
    if cell.exact:
        hit = _("hit")
        mark = f'<span class="mark mark--hit">{cell.final_bid}<span class="vh"> {hit}</span></span>'
    else:
        bid = _("bid")
        spoken = f'<span class="vh"> {bid}, </span>'
        difference = wording.signed(cell.difference or 0)
        mark = f'<span class="mark mark--miss">{cell.final_bid}<small>{spoken}{difference}</small></span>'
    return (
        f'{opening}{_flags(cell)}<span class="cell"><span class="tot">{wording.plain(total)}</span>{mark}</span></td>'
    )


def _flags(cell: rules.Cell) -> str:
    flags = ""
    if cell.blind:
        blind = _("blind, counts double")
        flags += f'<span>B<span class="vh"> {blind}</span></span>'
    if cell.cloud_delta:
        changed = _("Cloud: bid changed from %(bid)s to %(final)s") % {"bid": cell.bid, "final": cell.final_bid}
        flags += f'{icon("cloud")}<span class="vh">{changed}</span>'
    return f'<span class="flag">{flags}</span>' if flags else ""


def _open_row(sheet: Sheet, row: rules.Row, preview: dict[int, int], asked: int | None) -> str:
    # Not inside the f-strings below: xgettext does not look there.
    asked_words, open_words = _("is bidding"), _("not bid yet")
    cells = []
    for place, (seat, cell) in enumerate(zip(sheet.seats, row.cells, strict=True)):
        total = wording.plain(preview[seat.pk]) if seat.pk in preview else ""
        if cell is not None:
            mark = f'<span class="mark mark--bid">{"•" if cell.bid is None else cell.bid}</span>'
        elif seat.pk == asked:
            mark = f'<span class="mark mark--now">?<span class="vh"> {asked_words}</span></span>'
        else:
            mark = f'<span class="mark mark--open"><span class="vh">{open_words}</span></span>'
        opening = '<td class="deals">' if place == row.dealer else "<td>"
        cells.append(
            f"{opening}{_flags(cell) if cell else ''}"
            f'<span class="cell"><span class="tot">{total}</span>{mark}</span></td>'
        )
    label = f'<th scope="row"><span class="rd">{row.number}</span></th>'
    return f'<tr class="row-now" id="now">{label}{"".join(cells)}</tr>'
