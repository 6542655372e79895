"""Charts as plain numbers for an SVG template: no script, readable in print and by a screen reader."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoresheets import wording
from scoresheets.queries.blocks import Sheet

WIDTH, HEIGHT = 340, 232
LEFT, RIGHT, TOP, BOTTOM = 36, 268, 12, 206
#: Seats differ by colour, dash and marker, so that the lines are told apart in grey.
DASHES = ("7 4", "2 4", "10 3 2 3", "", "1 5", "14 4")
#: One closed path a seat, drawn around 0,0: square, triangle, diamond, octagon, triangle on its tip, cross.
MARKERS = (
    "m-4.5-4.5h9v9h-9z",
    "m0-6 6 10.500h-12z",
    "m0-6 6 6-6 6-6-6z",
    "m-2.500-5.500h5l3 3v5l-3 3h-5l-3-3v-5z",
    "m-6-4h12l-6 10z",
    "m-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
)
LABEL_GAP = 14
LABEL_LENGTH = 9


def totals_chart(sheet: Sheet) -> dict[str, Any]:
    """Return the lines of everybody's total after each round: points in the SVG's units, labels that do not overlap.

    The line of somebody who joined later begins there, at their starting points.
    """
    series = [_totals_of(sheet, place) for place in range(len(sheet.seats))]
    values = [total for line in series for total in line.values()]
    low, high, step = _scale(min(values), max(values))
    rounds = len(sheet.block.running_totals)

    # Texts, not floats: a template would write them with the reader's decimal comma.
    def x(number: int) -> str:
        return f"{LEFT + (RIGHT - LEFT) * number / max(rounds, 1):.1f}"

    def y(total: float) -> str:
        return f"{BOTTOM - (BOTTOM - TOP) * (total - low) / (high - low):.1f}"

    label_ys = _spread([float(y(line[rounds])) for line in series])
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": RIGHT,
        "grid": [
            {"y": y(value), "label": wording.plain(value), "zero": value == 0} for value in range(low, high + 1, step)
        ],
        "ticks": [{"x": x(number), "label": str(number)} for number in _ticks(rounds)],
        "lines": [
            {
                "index": place + 1,
                "name": _short(seat.name),
                "points": " ".join(f"{x(number)},{y(total)}" for number, total in line.items()),
                "dash": DASHES[place],
                "marks": [_marker(place, x(number), y(line[number])) for number in _marks(rounds) if number in line],
                "label_x": RIGHT + 10,
                "label_y": f"{label_ys[place] + 4:.1f}",
            }
            for place, (seat, line) in enumerate(zip(sheet.seats, series, strict=True))
        ],
        "finding": _finding(sheet),
    }


def _totals_of(sheet: Sheet, place: int) -> dict[int, int]:
    """Return a seat's total by the number of rounds scored, from the round before its first one on."""
    block = sheet.block
    first = sheet.seats[place].joined_round - 1
    totals = {number: totals[place] for number, totals in enumerate(block.running_totals, start=1) if number > first}
    return {first: block.starting[place], **totals}


def _scale(lowest: int, highest: int) -> tuple[int, int, int]:
    """Return the ends of the axis and the step between its lines: at most five lines, zero among them."""
    for step in (20, 50, 100, 200, 250, 500, 1000):
        low, high = lowest // step * step, -(-highest // step) * step
        if (high - low) // step <= 4:
            return low, max(high, low + step), step
    return lowest // 2000 * 2000, -(-highest // 2000) * 2000, 2000


def _ticks(rounds: int) -> list[int]:
    every = 1 if rounds <= 5 else 5
    return sorted({1, rounds, *(number for number in range(every, rounds, every) if rounds - number > 1)} - {0})


def _marks(rounds: int) -> list[int]:
    return sorted({*range(5, rounds, 5), rounds} - {0})


def _marker(place: int, x: str, y: str) -> str:
    return f"M{x} {y}{MARKERS[place]}"


def _spread(ys: list[float]) -> list[float]:
    """Return the labels' heights moved apart, each as near to its line's end as the others leave room."""
    order = sorted(range(len(ys)), key=lambda place: ys[place])
    placed: list[float] = []
    for place in order:
        placed.append(max(ys[place], placed[-1] + LABEL_GAP if placed else TOP))
    overhang = max(placed[-1] - BOTTOM, 0)
    for index in range(len(placed) - 1, -1, -1):
        limit = placed[index + 1] - LABEL_GAP if index + 1 < len(placed) else placed[index] - overhang
        placed[index] = min(placed[index], limit)
    result = [0.0] * len(ys)
    for place, height in zip(order, placed, strict=True):
        result[place] = round(height, 1)
    return result


def _short(name: str) -> str:
    return name if len(name) <= LABEL_LENGTH else name[: LABEL_LENGTH - 1] + "…"


def _finding(sheet: Sheet) -> str:
    """Return what the chart shows in one sentence: who ended where."""
    ended = [
        _("%(name)s %(points)s") % {"name": seat.name, "points": wording.plain(total)}
        for seat, total in sorted(zip(sheet.seats, sheet.block.totals, strict=True), key=lambda end: -end[1])
    ]
    return _("After the last round: %(standings)s.") % {"standings": ", ".join(ended)}
