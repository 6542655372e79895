"""Charts as SVG, put together here: a template loop over so many small elements costs more than the rest of a page.

Each chart says in one sentence what it shows, and stands with all of its numbers as a table. Only classes colour it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scoresheets.numbers import decimal, percent, whole
from scoresheets.queries.insight import Insight
from scoresheets.queries.lifetime import FEW, Pair, Rate
from scoresheets.svg import (
    BOTTOM,
    LEFT,
    RIGHT,
    WIDTH,
    across,
    figure,
    lines_drawn,
    share_grid,
    share_y,
    short,
    table,
    text,
    upright,
)

register = template.Library()

#: Of the heat map, bids and tricks above this share the last row or column.
MOST_HEAT = 9
#: From these percents on, a cell has the next step of the one hue.
HEAT_STEPS = (1, 10, 20, 35, 60)
#: Where lines end, so that names have room beside them.
_ENDS = 252


@register.filter("whole")
def whole_filter(number: float) -> str:
    """Return a number without places, its thousands set apart."""
    return whole(number)


@register.filter("decimal")
def decimal_filter(number: float) -> str:
    """Return a number with one place."""
    return decimal(number)


@register.filter("percent")
def percent_filter(share: float) -> str:
    """Return a share as whole percents."""
    return percent(share)


# -- shares as bars -------------------------------------------------------------------------------------------------


class Words(NamedTuple):
    """What a chart of shares says: its title, what stands below its axis, and one bar in words ("with 7 cards")."""

    title: str
    axis: str
    one: Callable[[int], str]


def _rates_chart(name: str, rates: Mapping[int, Rate], words: Words) -> SafeString:
    """Return the share of exact bids as a bar for each key, with the table; few bids are hatched."""
    total = sum(rates.values(), start=Rate())
    width = (RIGHT - LEFT) / max(len(rates), 6)
    labelled = set(_labelled(list(rates)))
    drawn = share_grid()
    for place, (key, rate) in enumerate(rates.items()):
        x = LEFT + width * place
        drawn.append(_bar(name, x + width * 0.08, width * 0.84, rate))
        if key in labelled:
            drawn.append(text(x + width / 2, BOTTOM + 15, str(key)))
    y = share_y(total.share)
    drawn += [across(y, "avg"), text(RIGHT, y - 6, _average(total), anchor="end", classes="t-strong")]
    drawn.append(text((LEFT + RIGHT) / 2, BOTTOM + 31, words.axis))
    hatched = any(rate.is_small for rate in rates.values())
    drawing = figure(name, BOTTOM + 34, words.title, _shares_found(rates, words), drawn, hatched=hatched)
    heads = [words.axis, _("Bids"), _("Bids hit"), _("Rate"), _("Points a round")]
    rows = ([str(key), *_numbers(rate)] for key, rate in rates.items())
    return mark_safe(drawing + table(words.title, heads, rows))


def _bar(name: str, x: float, width: float, rate: Rate) -> str:
    """Return the bar of a share; without a bid there is none."""
    if not rate.bids:
        return ""
    y = share_y(rate.share)
    fill = f' fill="url(#{name}_hatch)"' if rate.is_small else ""
    kind = "bar--few" if rate.is_small else "bar"
    return (
        f'<rect class="{kind}"{fill} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BOTTOM - y:.1f}" rx="1.5"/>'
    )


def _average(rate: Rate) -> str:
    return _("Average %(share)s") % {"share": percent(rate.share)}


def _labelled(keys: Sequence[int]) -> Iterable[int]:
    """Return which keys stand below their bars: all, or of many the first, the last and every fifth."""
    if len(keys) <= 12:
        return keys
    return [key for key in keys if key in (keys[0], keys[-1]) or (key % 5 == 0 and keys[-1] - key > 1)]


def _numbers(rate: Rate) -> list[str]:
    share = percent(rate.share) if rate.bids else "–"
    return [whole(rate.bids), whole(rate.exact), share, decimal(rate.mean)]


def _shares_found(rates: Mapping[int, Rate], words: Words) -> str:
    """Return what the bars show: where it begins, where it ends, and the average, as far as there are enough bids."""
    enough = [key for key, rate in rates.items() if not rate.is_small]
    total = sum(rates.values(), start=Rate())
    if not enough:
        return _("Fewer than %(few)s bids each so far: too few to say much.") % {"few": FEW}
    average = _average(total)
    first, last = enough[0], enough[-1]
    if first == last:
        return f"{percent(rates[first].share)} {words.one(first)}. {average}."
    return _("%(first)s %(one)s, %(last)s %(other)s. %(average)s.") % {
        "first": percent(rates[first].share),
        "one": words.one(first),
        "last": percent(rates[last].share),
        "other": words.one(last),
        "average": average,
    }


@register.simple_tag
def cards_chart(rates: Mapping[int, Rate], name: str = "cards") -> SafeString:
    """Return the share of exact bids by the number of cards in the hand."""
    words = Words(_("Exact rate by cards in hand"), _("Cards per person"), _with_cards)
    return _rates_chart(name, rates, words)


def _with_cards(cards: int) -> str:
    return _("with 1 card") if cards == 1 else _("with %(count)s cards") % {"count": cards}


@register.simple_tag
def bids_chart(rates: Mapping[int, Rate], name: str = "bids") -> SafeString:
    """Return the share of exact bids by the bid."""
    words = Words(_("Exact rate by the bid"), _("Bid"), lambda bid: _("with a bid of %(bid)s") % {"bid": bid})
    return _rates_chart(name, rates, words)


@register.simple_tag
def players_chart(rates: Mapping[int, Rate], name: str = "people") -> SafeString:
    """Return the share of exact bids by the number of people at the table."""
    words = Words(
        _("Exact rate by the number of people"),
        _("People"),
        lambda people: _("with %(count)s people") % {"count": people},
    )
    return _rates_chart(name, rates, words)


@register.simple_tag
def positions_chart(positions: Mapping[tuple[int, int], Rate]) -> SafeString:
    """Return the share of exact bids by the seat after the dealer, a group of bars for each number of people."""
    keys = sorted(positions)
    people = sorted({players for players, _after in keys})
    places = [(players, after) for players in people for after in range(1, players + 1)]
    width = (RIGHT - LEFT) / max(len(places) + len(people) - 1, 6)
    drawn = share_grid()
    x = float(LEFT)
    for players in people:
        start = x
        for after in range(1, players + 1):
            drawn.append(_bar("seats", x + width * 0.08, width * 0.84, positions.get((players, after), Rate())))
            drawn.append(text(x + width / 2, BOTTOM + 15, str(after)))
            x += width
        drawn.append(text((start + x) / 2, BOTTOM + 33, str(players), classes="t-strong"))
        x += width
    drawn.append(text((LEFT + x - width) / 2, BOTTOM + 50, _("Seat, and below it the number of people")))
    title = _("Exact rate by the seat after the dealer")
    hatched = any(rate.is_small for rate in positions.values())
    drawing = figure("seats", BOTTOM + 53, title, _positions_found(positions), drawn, hatched=hatched)
    heads = [_("People"), _("Seat"), _("Bids"), _("Bids hit"), _("Rate"), _("Points a round")]
    rows = ([str(key[0]), _seat(*key), *_numbers(positions[key])] for key in keys)
    return mark_safe(drawing + table(title, heads, rows))


def _seat(players: int, after: int) -> str:
    if after == players:
        return _("%(seat)s, the dealer") % {"seat": after}
    return _("%(seat)s, bids first") % {"seat": after} if after == 1 else str(after)


def _positions_found(positions: Mapping[tuple[int, int], Rate]) -> str:
    first = sum((rate for (_players, after), rate in positions.items() if after == 1), start=Rate())
    last = sum((rate for (players, after), rate in positions.items() if after == players), start=Rate())
    return _("Bidding first: %(first)s of %(firsts)s bids exact. Bidding last, as dealer: %(last)s of %(lasts)s.") % {
        "first": percent(first.share),
        "firsts": whole(first.bids),
        "last": percent(last.share),
        "lasts": whole(last.bids),
    }


# -- the heat map ---------------------------------------------------------------------------------------------------

_SIDE, _STEP, _HEAT_LEFT, _HEAT_TOP = 27, 29, 47, 37


@register.simple_tag
def heat_map(bids: Mapping[tuple[int, int], tuple[int, int]]) -> SafeString:
    """Return how many tricks came of which bid: percents of each bid; bids above 9 stand only in the table."""
    times: dict[int, dict[int, int]] = {}
    for (bid, taken), (count, _points) in bids.items():
        row = times.setdefault(bid, {})
        row[min(taken, MOST_HEAT)] = row.get(min(taken, MOST_HEAT), 0) + count
    shown = [bid for bid in sorted(times) if bid < MOST_HEAT]
    most = max([*shown, *(taken for bid in shown for taken in times[bid])], default=0)
    few = [bid for bid in shown if sum(times[bid].values()) < FEW]
    drawn = [
        text((_HEAT_LEFT + WIDTH - 5) / 2, 12, _("taken"), classes="t-strong"),
        upright(_HEAT_TOP + _STEP * (most + 1) / 2, _("bid")),
    ]
    for taken in range(most + 1):
        drawn.append(text(_HEAT_LEFT + _STEP * taken + _SIDE / 2, 29, _or_more(taken)))
    for bid in range(min(most, MOST_HEAT - 1) + 1):
        drawn.append(text(34, _HEAT_TOP + _STEP * bid + 17.5, str(bid), anchor="end"))
        drawn += _heat_row(bid, times.get(bid, {}), most, is_few=bid in few)
    height = _HEAT_TOP + _STEP * (min(most, MOST_HEAT - 1) + 1) + 2
    title = _("Bid and taken")
    drawing = figure("heat", height, title, _heat_found(times), drawn, hatched=bool(few))
    exact = sorted({taken for _bid, taken in bids})
    heads = [_("Bid"), *map(str, exact)]
    rows = ([str(bid), *(whole(bids.get((bid, taken), (0, 0))[0]) for taken in exact)] for bid in sorted(times))
    return mark_safe(drawing + table(_("Number of rounds. Row: bid, column: taken"), heads, rows))


def _or_more(taken: int) -> str:
    return f"{taken}+" if taken == MOST_HEAT else str(taken)


def _heat_row(bid: int, row: Mapping[int, int], most: int, *, is_few: bool) -> Iterable[str]:
    total, y = sum(row.values()), _HEAT_TOP + _STEP * bid
    for taken in range(most + 1):
        x = _HEAT_LEFT + _STEP * taken
        share = 100 * row.get(taken, 0) / total if total else 0
        step = sum(share >= least for least in HEAT_STEPS) if row.get(taken) else 0
        step = max(step, 1) if row.get(taken) else 0
        hatched = is_few and step > 0
        fill = ' fill="url(#heat_hatch)"' if hatched else ""
        kind = "h-few" if hatched else f"h{step}"
        if taken == bid:
            kind += " diag"
        yield f'<rect class="{kind}"{fill} x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" rx="3"/>'
        if step:
            label = "<1" if share < 0.5 else f"{share:.0f}"
            ink = "on-few" if hatched else "hi" if step >= 4 else "lo"
            yield text(x + _SIDE / 2, y + 17.5, label, classes=ink)


def _heat_found(times: Mapping[int, Mapping[int, int]]) -> str:
    enough = {bid: row for bid, row in times.items() if sum(row.values()) >= FEW and bid < MOST_HEAT}
    if not enough:
        return _("Fewer than %(few)s rounds with each bid so far: too few to say much.") % {"few": FEW}
    share = {bid: row.get(bid, 0) / sum(row.values()) for bid, row in enough.items()}
    best, worst = max(share, key=share.__getitem__), min(share, key=share.__getitem__)
    return _("A bid of %(best)s comes true most often, %(high)s; a bid of %(worst)s least often, %(low)s.") % {
        "best": best,
        "high": percent(share[best]),
        "worst": worst,
        "low": percent(share[worst]),
    }


# -- opponents ------------------------------------------------------------------------------------------------------


@register.simple_tag
def pairs_chart(pairs: Sequence[tuple[str, Pair]], player: str) -> SafeString:
    """Return in what share of the games the player finished above each opponent, given with their names."""
    left, width, row = 88, 200, 34
    bottom = 16 + row * len(pairs)
    drawn = []
    for place, (name, pair) in enumerate(pairs):
        y = 23 + row * place
        long = width * pair.share
        drawn.append(text(0, y + 14, short(name), anchor="start", classes="t-strong"))
        drawn.append(f'<rect class="track" x="{left}" y="{y}" width="{width}" height="20" rx="3"/>')
        if long:
            fill = ' fill="url(#pairs_hatch)"' if pair.is_small else ""
            kind = "bar--few" if pair.is_small else "better" if pair.share >= 0.5 else "worse"
            drawn.append(f'<rect class="{kind}"{fill} x="{left}" y="{y}" width="{long:.1f}" height="20" rx="3"/>')
        drawn.append(text(WIDTH, y + 14, percent(pair.share), anchor="end", classes="t-strong"))
    half = left + width / 2
    drawn.append(f'<line class="avg" x1="{half}" x2="{half}" y1="16" y2="{bottom + 6}"/>')
    drawn.append(text(half, 11, percent(0.5)))
    title = _("Head to head")
    hatched = any(pair.is_small for _name, pair in pairs)
    drawing = figure("pairs", bottom + 8, title, _pairs_found(pairs, player), drawn, hatched=hatched)
    heads = [_("Against"), _("Games"), _("above"), _("below"), _("level"), _("Share above")]
    rows = (
        [name, whole(pair.games), whole(pair.above), whole(pair.below), whole(pair.level), percent(pair.share)]
        for name, pair in pairs
    )
    return mark_safe(drawing + table(_("Games together"), heads, rows))


def _pairs_found(pairs: Sequence[tuple[str, Pair]], player: str) -> str:
    enough = [(name, pair) for name, pair in pairs if not pair.is_small]
    if not enough:
        return _("Fewer than %(few)s games with each so far: too few to say much.") % {"few": FEW}
    best, worst = max(enough, key=lambda one: one[1].share), min(enough, key=lambda one: one[1].share)
    return _("%(player)s finishes most often above %(best)s, %(high)s, and least often above %(worst)s, %(low)s.") % {
        "player": player,
        "best": best[0],
        "high": percent(best[1].share),
        "worst": worst[0],
        "low": percent(worst[1].share),
    }


# -- what bids are worth --------------------------------------------------------------------------------------------

_LOW, _ROW = 20, 22


@register.simple_tag
def worth_map(rates: Mapping[tuple[int, int], Rate]) -> SafeString:
    """Return the share of exact bids by hand and bid, as a map; bids above 9 stand only in the table."""
    hands = sorted({cards for cards, _bid in rates})
    most = min(max(bid for _cards, bid in rates), MOST_HEAT)
    has_few = any(rate.is_small for (_cards, bid), rate in rates.items() if bid <= most)
    drawn = [
        text((_HEAT_LEFT + WIDTH - 5) / 2, 12, _("bid"), classes="t-strong"),
        upright(_HEAT_TOP + _ROW * len(hands) / 2, _("cards")),
        *(text(_HEAT_LEFT + _STEP * bid + _SIDE / 2, 29, str(bid)) for bid in range(most + 1)),
    ]
    for place, cards in enumerate(hands):
        y = _HEAT_TOP + _ROW * place
        drawn.append(text(34, y + 14.5, str(cards), anchor="end"))
        drawn += [
            _worth(_HEAT_LEFT + _STEP * bid, y, rates.get((cards, bid), Rate())) for bid in range(min(most, cards) + 1)
        ]
    title = _("Exact rate by hand and bid")
    height = _HEAT_TOP + _ROW * len(hands) + 2
    drawing = figure("worth", height, title, _worth_found(rates), drawn, hatched=has_few)
    heads = [_("Cards"), _("Bid"), _("Bids"), _("Bids hit"), _("Rate"), _("Points a round")]
    rows = ([str(cards), str(bid), *_numbers(rate)] for (cards, bid), rate in sorted(rates.items()))
    return mark_safe(drawing + table(title, heads, rows))


def _worth(x: float, y: float, rate: Rate) -> str:
    """Return a cell of the map: its share, the darker the higher, or the hatching of few bids."""
    if not rate.bids:
        return f'<rect class="h0" x="{x}" y="{y}" width="{_SIDE}" height="{_LOW}" rx="3"/>'
    step = 1 + sum(rate.share >= least for least in (0.2, 0.4, 0.6, 0.8))
    kind, ink = ("h-few", "on-few") if rate.is_small else (f"h{step}", "hi" if step >= 4 else "lo")
    fill = ' fill="url(#worth_hatch)"' if rate.is_small else ""
    cell = f'<rect class="{kind}"{fill} x="{x}" y="{y}" width="{_SIDE}" height="{_LOW}" rx="3"/>'
    return cell + text(x + _SIDE / 2, y + 14.5, f"{100 * rate.share:.0f}", classes=ink)


def _worth_found(rates: Mapping[tuple[int, int], Rate]) -> str:
    enough = {key: rate for key, rate in rates.items() if not rate.is_small}
    if not enough:
        return _("Fewer than %(few)s bids each so far: too few to say much.") % {"few": FEW}
    best, worst = max(enough, key=lambda key: enough[key].share), min(enough, key=lambda key: enough[key].share)
    return _("Safest: %(best)s %(with_best)s, %(high)s. Rarest: %(worst)s %(with_worst)s, %(low)s.") % {
        "best": best[1],
        "with_best": _with_cards(best[0]),
        "high": percent(enough[best].share),
        "worst": worst[1],
        "with_worst": _with_cards(worst[0]),
        "low": percent(enough[worst].share),
    }


@register.simple_tag
def last_bidder_chart(insight: Insight) -> SafeString:
    """Return the share of exact bids of last bidders and of all others, where bids must not add up and elsewhere."""
    rows = [
        (_("last, must not add up"), insight.bound.last),
        (_("others, must not add up"), insight.bound.others),
        (_("last, every bid free"), insight.free.last),
        (_("others, every bid free"), insight.free.others),
    ]
    left, width, row = 0, 288, 46
    drawn = []
    for place, (label, rate) in enumerate(rows):
        y = 22 + row * place
        drawn.append(text(0, y - 6, label, anchor="start"))
        drawn.append(f'<rect class="track" x="{left}" y="{y}" width="{width}" height="18" rx="3"/>')
        if rate.exact:
            fill = ' fill="url(#last_hatch)"' if rate.is_small else ""
            kind = "bar--few" if rate.is_small else "bar"
            long = width * rate.share
            drawn.append(f'<rect class="{kind}"{fill} x="{left}" y="{y}" width="{long:.1f}" height="18" rx="3"/>')
        share = percent(rate.share) if rate.bids else "–"
        drawn.append(text(WIDTH, y + 14, share, anchor="end", classes="t-strong"))
    title = _("Exact rate of the last bidder")
    hatched = any(rate.bids > 0 and rate.is_small for _label, rate in rows)
    drawing = figure("last", 22 + row * len(rows) - 20, title, last_found(insight), drawn, hatched=hatched)
    heads = [_("Who"), _("Bids"), _("Bids hit"), _("Rate"), _("Points a round")]
    return mark_safe(drawing + table(title, heads, ([label, *_numbers(rate)] for label, rate in rows)))


def last_found(insight: Insight) -> str:
    """Return in a sentence what plus/minus one costs the last bidder."""
    bound = insight.bound
    if not bound.last.bids:
        return _("No round so far in which the bids must not add up.")
    values = {
        "last": percent(bound.last.share),
        "lasts": whole(bound.last.bids),
        "others": percent(bound.others.share),
        "points": decimal(abs(bound.price)),
    }
    if bound.price >= 0:
        return (
            _(
                "Where the bids must not add up, the last bidder hits %(last)s of %(lasts)s bids, the others "
                "%(others)s: that costs %(points)s points a round."
            )
            % values
        )
    return (
        _(
            "Where the bids must not add up, the last bidder hits %(last)s of %(lasts)s bids, the others %(others)s; "
            "the last bidder has %(points)s points a round more all the same."
        )
        % values
    )


@register.simple_tag
def last_in_words(insight: Insight) -> str:
    """Return in a sentence what plus/minus one costs the last bidder."""
    return last_found(insight)


# -- side by side ---------------------------------------------------------------------------------------------------


@register.simple_tag
def cards_compared(lines: Sequence[tuple[str, Mapping[int, Rate]]]) -> SafeString:
    """Return the share of exact bids by the cards in the hand, a line for each player, without hands of few bids."""
    hands = sorted({cards for _name, rates in lines for cards in rates})
    last = max(len(hands) - 1, 1)
    xs = {cards: LEFT + (_ENDS - LEFT) * place / last for place, cards in enumerate(hands)}
    drawn = share_grid(right=_ENDS)
    drawn += [text(xs[cards], BOTTOM + 15, str(cards)) for cards in _labelled(hands)]
    drawn.append(text((LEFT + _ENDS) / 2, BOTTOM + 31, _("Cards per person")))
    points = [
        [(xs[cards], share_y(rate.share)) for cards, rate in rates.items() if not rate.is_small]
        for _name, rates in lines
    ]
    drawn += lines_drawn([name for name, _rates in lines], points, right=_ENDS, bottom=BOTTOM)
    title = _("Exact rate by cards in hand")
    shares = ", ".join(f"{name} {percent(sum(rates.values(), start=Rate()).share)}" for name, rates in lines if rates)
    drawing = figure("cards", BOTTOM + 34, title, _("Over all hands: %(shares)s.") % {"shares": shares}, drawn)
    heads = [_("Cards"), *(name for name, _rates in lines)]
    rows = ([str(cards), *(_of(rates.get(cards, Rate())) for _name, rates in lines)] for cards in hands)
    return mark_safe(drawing + table(title, heads, rows))


def _of(rate: Rate) -> str:
    """Return a share with what it is based on: "58% of 134"."""
    return _("%(share)s of %(bids)s") % {"share": percent(rate.share), "bids": whole(rate.bids)} if rate.bids else "–"
