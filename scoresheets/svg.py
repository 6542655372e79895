"""The parts of charts as SVG. Only classes colour them.

They are put together here: a template loop over so many small elements costs more than the rest of a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.html import escape
from django.utils.translation import gettext as _

from scoresheets.numbers import percent

WIDTH = 340
#: The field that bars and lines stand in.
LEFT, RIGHT, TOP, BOTTOM = 36, 336, 14, 172
NAME_LENGTH = 10
#: Lines differ by colour, dash and marker, so that they are told apart in grey.
DASHES = ("", "7 4", "2 4", "10 3 2 3")
MARKERS = ("m-4-4h8v8h-8z", "m0-6 6 10.5h-12z", "m0-6 6 6-6 6-6-6z", "m-6-4h12l-6 10z")
LABEL_GAP = 14

Row = Sequence[str]


def figure(name: str, height: int, title: str, finding: str, drawn: Iterable[str], *, hatched: bool = False) -> str:
    """Return the drawing with its name and its finding; `name` begins the ids."""
    hatch = (
        f'<defs><pattern id="{name}_hatch" width="5" height="5" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="5"/></pattern></defs>'
        if hatched
        else ""
    )
    return (
        f'<figure class="chart"><svg viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-labelledby="{name}_title {name}_finding"><title id="{name}_title">{escape(title)}</title>'
        f'<desc id="{name}_finding">{escape(finding)}</desc>{hatch}{"".join(drawn)}</svg></figure>'
    )


def table(caption: str, heads: Row, rows: Iterable[Row]) -> str:
    """Return the numbers behind a chart, folded away; the first column names its row."""
    first, *others = map(escape, heads)
    named, opened = escape(caption), escape(_("As a table"))
    head = f'<th scope="col">{first}</th>' + "".join(f'<th scope="col" class="num">{cell}</th>' for cell in others)
    body = "".join(
        f'<tr><th scope="row">{escape(key)}</th>'
        + "".join(f'<td class="num">{escape(cell)}</td>' for cell in cells)
        + "</tr>"
        for key, *cells in rows
    )
    return (
        f'<details class="more"><summary>{opened}</summary><div class="scroll-x" tabindex="0" role="group"'
        f' aria-label="{named}"><table class="tbl tbl--num"><caption>{named}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )


def text(x: float, y: float, words: str, *, anchor: str = "middle", classes: str = "") -> str:
    """Return words at a place."""
    named = f' class="{classes}"' if classes else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def across(y: float, kind: str, *, right: float = RIGHT) -> str:
    """Return a line from side to side."""
    return f'<line class="{kind}" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'


def share_y(share: float) -> float:
    """Return how high a share, 0 to 1, stands."""
    return BOTTOM - (BOTTOM - TOP) * share


def share_grid(*, right: float = RIGHT) -> list[str]:
    """Return the grid of a share: 0 to 100 percent."""
    lines = [across(share_y(share), "grid" if share else "zero", right=right) for share in (0, 0.25, 0.5, 0.75, 1)]
    return lines + [text(LEFT - 6, share_y(share) + 4, percent(share), anchor="end") for share in (0, 0.5, 1)]


def short(name: str) -> str:
    """Return a name as short as a label has to be."""
    return name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1] + "…"


def lines_drawn(
    names: Sequence[str], lines: Sequence[Sequence[tuple[float, float]]], *, right: float, bottom: float
) -> list[str]:
    """Return a line for each name, labelled at its end; one without a point is left out, with its label."""
    there = [place for place, points in enumerate(lines) if points]
    heights = _spread([lines[place][-1][1] for place in there], bottom)
    drawn = []
    for place, height in zip(there, heights, strict=True):
        points, number = lines[place], place + 1
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{DASHES[place]}"' if DASHES[place] else ""
        x, y = points[-1]
        drawn.append(f'<polyline class="line s{number}" points="{path}"{dash}/>')
        drawn.append(f'<path class="dot f{number}" d="M{x:.1f} {y:.1f}{MARKERS[place]}"/>')
        drawn.append(text(right + 10, height + 4, short(names[place]), anchor="start", classes=f"t-strong f{number}"))
    return drawn


def _spread(heights: Sequence[float], bottom: float) -> list[float]:
    """Return the heights of labels moved apart, in the same order."""
    placed: dict[int, float] = {}
    free = 0.0
    for place in sorted(range(len(heights)), key=lambda place: heights[place]):
        placed[place] = max(heights[place], free)
        free = placed[place] + LABEL_GAP
    over = max(free - LABEL_GAP - bottom, 0)
    return [placed[place] - over for place in range(len(heights))]


def upright(y: float, words: str) -> str:
    """Return the words beside an axis, which are read from below."""
    turned = f'transform="rotate(-90)" x="{-y:.1f}" y="12" text-anchor="middle"'
    return f'<text class="t-strong" {turned}>{escape(words)}</text>'
