"""Charts of ratings: of one player, or of several side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from django import template
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scoresheets.queries.lifetime import Month
from scoresheets.svg import LEFT, Row, across, figure, lines_drawn, table, text

register = template.Library()

_LINE_RIGHT, _NAMES_RIGHT, _LINE_BOTTOM = 292, 252, 164


def _scale(lowest: float, highest: float) -> tuple[int, int, int]:
    """Return the ends of the axis and the step between its at most five lines."""
    for step in (25, 50, 100, 200, 250, 500):
        low, high = int(lowest // step) * step, -int(-highest // step) * step
        if (high - low) // step <= 4:
            return low, max(high, low + 2 * step), step
    return int(lowest // 1000) * 1000, -int(-highest // 1000) * 1000, 1000


def _month_number(month: date) -> int:
    return month.year * 12 + month.month - 1


def _ratings_chart(
    title: str, finding: str, lines: Sequence[tuple[str, Sequence[Month]]], draw: Callable[[_Field], Iterable[str]]
) -> SafeString:
    """Return the field with its grid, what is drawn in it, and the table."""
    field = _Field([line for _name, line in lines])
    drawn = [*field.grid(), *draw(field)]
    heads = [_("Month"), *(named for named, _line in lines)] if len(lines) > 1 else [_("Month"), _("Rating"), "±"]
    rows = _rating_rows(field.months, [line for _name, line in lines])
    return mark_safe(
        figure("rating", 190, title, finding, drawn) + table(_("Rating at the end of the month"), heads, rows)
    )


class _Field:
    """Where months and ratings lie."""

    def __init__(self, lines: Sequence[Sequence[Month]]) -> None:
        self.right = _LINE_RIGHT if len(lines) == 1 else _NAMES_RIGHT
        self.months = sorted({month.first for line in lines for month in line})
        values = [month.mu for line in lines for month in line]
        self.low, self.high, self.step = _scale(min(values), max(values))

    def x(self, month: date) -> float:
        first, last = _month_number(self.months[0]), _month_number(self.months[-1])
        return (
            self.right
            if first == last
            else LEFT + (self.right - LEFT) * (_month_number(month) - first) / (last - first)
        )

    def y(self, rating: float) -> float:
        return _LINE_BOTTOM - (_LINE_BOTTOM - 20) * (rating - self.low) / (self.high - self.low)

    def points(self, line: Sequence[Month]) -> list[tuple[float, float]]:
        return [(self.x(month.first), self.y(month.mu)) for month in line]

    def grid(self) -> Iterable[str]:
        for value in range(self.low, self.high + 1, self.step):
            yield across(self.y(value), "grid", right=self.right)
            yield text(LEFT - 6, self.y(value) + 4, str(value), anchor="end")
        for place, label, anchor in self._years():
            yield text(place, 182, label, anchor=anchor)

    def _years(self) -> Iterable[tuple[float, str, str]]:
        """Yield what stands below: the years where there is room, of less than a year both ends."""
        first, last = self.months[0], self.months[-1]
        if first == last:
            yield self.x(first), _month(first), "end"
            return
        januaries = [date(year, 1, 1) for year in range(first.year + 1, last.year + 1)]
        if not januaries:
            yield LEFT, _month(first), "start"
            yield self.right, _month(last), "end"
            return
        free = LEFT - 1.0
        if self.x(januaries[0]) - LEFT > 48:
            yield LEFT, str(first.year), "start"
            free = LEFT + 30.0
        for january in januaries:
            if self.x(january) - 16 >= free:
                yield self.x(january), str(january.year), "middle"
                free = self.x(january) + 20


@register.filter("rating")
def whole_rating(mu: float) -> str:
    """Return a rating as it is shown: a whole number, its thousands together, as ratings are written."""
    return str(round(mu))


def _month(month: date) -> str:
    return date_format(month, "M Y")


def _rating_rows(months: Sequence[date], lines: Sequence[Sequence[Month]]) -> Iterable[Row]:
    by_month = [{month.first: month for month in line} for line in lines]
    for first in reversed(months):
        found = [line.get(first) for line in by_month]
        ratings = [whole_rating(month.mu) if month else "–" for month in found]
        if len(lines) == 1 and found[0] is not None:
            ratings.append(whole_rating(found[0].sigma))
        yield [_month(first), *ratings]


@register.simple_tag
def rating_chart(months: Sequence[Month]) -> SafeString:
    """Return a player's rating by month."""
    first, last, best = months[0], months[-1], max(months, key=lambda month: month.mu)
    finding = _("%(last)s in %(month)s; highest %(best)s in %(best_month)s, first %(first)s in %(first_month)s.") % {
        "last": whole_rating(last.mu),
        "month": date_format(last.first, "F Y"),
        "best": whole_rating(best.mu),
        "best_month": date_format(best.first, "F Y"),
        "first": whole_rating(first.mu),
        "first_month": date_format(first.first, "F Y"),
    }
    return _ratings_chart(_("Rating over time"), finding, [("", months)], lambda field: _alone(field, months))


def _alone(field: _Field, months: Sequence[Month]) -> Iterable[str]:
    """Yield one line with its last rating, and its highest if that is another one."""
    points = field.points(months)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline class="line ink-line" points="{path}"/>'
    x, y = points[-1]
    yield f'<circle class="ink-fill dot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
    yield text(field.right + 9, y + 4, whole_rating(months[-1].mu), anchor="start", classes="t-strong")
    best = max(range(len(months)), key=lambda place: months[place].mu)
    if 0 < best < len(months) - 1:
        x, y = points[best]
        yield f'<circle class="ink-fill dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        at = min(max(x, LEFT + 24), field.right - 24)
        yield text(at, y - 9, _("High %(rating)s") % {"rating": whole_rating(months[best].mu)})


@register.simple_tag
def ratings_compared(lines: Sequence[tuple[str, Sequence[Month]]]) -> SafeString:
    """Return the ratings of several players by month, those without any left out."""
    rated = [(name, line) for name, line in lines if line]
    now = ", ".join(
        f"{name} {whole_rating(line[-1].mu)}" for name, line in sorted(rated, key=lambda one: -one[1][-1].mu)
    )
    return _ratings_chart(
        _("Ratings over time"),
        _("Now: %(ratings)s.") % {"ratings": now},
        rated,
        lambda field: lines_drawn(
            [name for name, _line in rated],
            [field.points(line) for _name, line in rated],
            right=field.right,
            bottom=_LINE_BOTTOM,
        ),
    )
