"""Icons, numbers and the rows of the Block.

The rows are put together here and not in a template: a block has up to 120 cells, and a template loop over them costs
more than the rest of the page. A cell depends on a handful of small numbers, so each one is made once and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from scoresheets import verdicts, wording
from scoresheets.numbers import reader_language
from scoresheets.queries.blocks import Sheet

register = template.Library()

SHAPES: Mapping[str, str] = MappingProxyType(
    {
        rules.Suit.B: "blau",
        rules.Suit.R: "rot",
        rules.Suit.G: "gruen",
        rules.Suit.Y: "gelb",
        rules.Suit.H: "herz",
        rules.Suit.D: "karo",
        rules.Suit.C: "kreuz",
        rules.Suit.S: "pik",
        rules.NO_TRUMP: "ohne",
    }
)
"""What the sprite calls each suit's shape, and the dash for no trump."""


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


def suit_named(trump: str) -> str:
    """Return the word for a suit's letter or for `rules.NO_TRUMP`."""
    return verdicts.suit_name(None if trump == rules.NO_TRUMP else rules.Suit(trump))


@register.simple_tag
def suit_image(trump: str) -> SafeString:
    """Return a suit's shape with its name, or the dash for no trump."""
    return _suit_image(reader_language(), trump)


@lru_cache(maxsize=64)
def _suit_image(language: str, trump: str) -> SafeString:
    return format_html(
        '<svg class="suit suit--{0}" role="img" aria-label="{1}"><use href="{2}#s-{0}"/></svg>',
        SHAPES[trump],
        suit_named(trump),
        static("img/sprite.svg"),
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
def tricks_tally(entered: int, countable: int, bombed: int) -> SafeString:
    """Return the strokes of a round's tricks; bombed ones, which count for nobody, stand crossed out at the end."""
    strokes = tally(entered, countable)
    return mark_safe(strokes.removesuffix("</span>") + '<i class="boom"></i>' * bombed + "</span>")


@register.simple_tag
def block_rows(
    sheet: Sheet,
    preview: Mapping[int, int] | None = None,
    asked: int | None = None,
    to_come: Iterable[int] = (),
    clouds: Mapping[int, int] | None = None,
    tally: Mapping[int, tuple[int, int | None]] | None = None,
) -> SafeString:
    """Return the table rows of the rounds: the scored ones, the open one, and empty ones for those `to_come`.

    `preview` maps seat ids to the total they would have with the tricks entered so far; `asked` is the id of the seat
    whose bid is due; `clouds` maps seat ids to what the cloud changes their bid by in the open round; `tally` maps seat
    ids to the tricks counted so far and how far they are over the bid, None while it is covered.
    """
    language = reader_language()
    rows = []
    running = iter(sheet.block.running_totals)
    for row in sheet.block.rows:
        if row.is_scored:
            totals = next(running)
            cells = [
                _scored_cell(language, total, cell, place == row.dealer)
                for place, (cell, total) in enumerate(zip(row.cells, totals, strict=True))
            ]
            rows.append(f'<tr><th scope="row">{_round_label(sheet, row)}</th>{"".join(cells)}</tr>')
        else:
            rows.append(_open_row(sheet, row, preview or {}, asked, clouds or {}, tally or {}))
    empty = "<td></td>" * len(sheet.seats)
    rows += [f'<tr class="row-future"><th scope="row">{number}</th>{empty}</tr>' for number in to_come or ()]
    return mark_safe("".join(rows))


def _round_label(sheet: Sheet, row: rules.Row) -> str:
    """Return a round's number and, where it is known, the shape of its trump."""
    plan, trump = sheet.block.plan[row.number - 1], row.trump
    if not (plan.turned_up or plan.fixed_trump or sheet.block.house.last_round_dealer_trump):
        trump = rules.NO_TRUMP  # no card is left that could say otherwise
    return f'<span class="rd">{row.number}{suit_image(trump) if trump else ""}</span>'


@lru_cache(maxsize=8192)
def _scored_cell(language: str, total: int, cell: rules.Cell | None, deals: bool) -> str:
    """Return one seat's cell of a scored round. `language` is only there to keep the languages apart in the cache.

    The elements have the shortest names there are: a pad holds 60 of these cells.
    """
    opening = '<td class="deals">' if deals else "<td>"
    if cell is None:
        return f"{opening}</td>"
    if cell.exact:
        hit = _("hit")
        mark = f'<i class="mark mark--hit">{cell.final_bid}<i class="vh"> {hit}</i></i>'
    else:
        bid = _("bid")
        spoken = f'<i class="vh"> {bid}, </i>'
        difference = wording.signed(cell.difference or 0)
        mark = f'<i class="mark mark--miss">{cell.final_bid}<small>{spoken}{difference}</small></i>'
    return f'{opening}{_flags(cell)}<span class="cell"><b class="tot">{wording.plain(total)}</b>{mark}</span></td>'


def _flags(cell: rules.Cell) -> str:
    flags = ""
    if cell.blind:
        blind = _("blind")
        flags += f'B<i class="vh"> {blind}</i>'
    if cell.cloud_delta:
        changed = _("Cloud: bid changed from %(bid)s to %(final)s") % {"bid": cell.bid, "final": cell.final_bid}
        flags += f'{icon("cloud")}<i class="vh">{changed}</i>'
    return f'<i class="flag">{flags}</i>' if flags else ""


def _open_row(
    sheet: Sheet,
    row: rules.Row,
    preview: Mapping[int, int],
    asked: int | None,
    clouds: Mapping[int, int],
    tally: Mapping[int, tuple[int, int | None]],
) -> str:
    # Not inside the f-strings below: xgettext does not look there.
    asked_words, open_words = _("is bidding"), _("not bid yet")
    cells = []
    for place, (seat, cell) in enumerate(zip(sheet.seats, row.cells, strict=True)):
        taken, difference = tally.get(seat.pk, (None, None))
        is_known = seat.pk in preview
        total = wording.plain(preview[seat.pk]) if is_known else _coins(taken)
        if cell is not None and seat.pk in clouds:
            cell = replace(cell, cloud_delta=clouds[seat.pk])
        if cell is not None:
            # Once all tricks are counted, a missed bid stands there as it will when it is scored.
            kind = "miss" if is_known and difference else "bid"
            over = f"<small>{wording.signed(difference)}</small>" if difference else ""
            mark = f'<span class="mark mark--{kind}">{"•" if cell.bid is None else cell.final_bid}{over}</span>'
        elif seat.pk == asked:
            mark = f'<span class="mark mark--now">?<span class="vh"> {asked_words}</span></span>'
        else:
            mark = f'<span class="mark mark--open"><span class="vh">{open_words}</span></span>'
        opening = '<td class="deals">' if place == row.dealer else "<td>"
        cells.append(
            f"{opening}{_flags(cell) if cell else ''}"
            f'<span class="cell{"" if taken is None or is_known else " cell--coins"}">'
            f'<span class="tot">{total}</span>{mark}</span></td>'
        )
    label = f'<th scope="row">{_round_label(sheet, row)}</th>'
    return f'<tr class="row-now" id="now">{label}{"".join(cells)}</tr>'


def _coins(taken: int | None) -> str:
    """Return the tricks counted so far as a coin; nothing where none are counted."""
    if taken is None:
        return ""
    words = ngettext("trick taken", "tricks taken", taken)
    return f'<span class="mark coins">{taken}</span><span class="vh"> {words}, </span>'
