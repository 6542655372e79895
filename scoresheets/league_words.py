"""Leagues in words: what can be chosen of a season, its rule as sentences, and points as a table shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import rules
from scoresheets import rulebook, wording
from scoresheets.models import Season
from scoresheets.numbers import decimal, percent, whole
from scoresheets.rulebook import Text, Words

SIXTIETHS = 60
#: The formulas in which a game is worth points of the league's own.
HAVE_POINTS = ("places", "publisher")

FORMULAS: Mapping[str, Words] = MappingProxyType(
    {
        "sum": Words(gettext_lazy("Sum of the points"), gettext_lazy("All points on the score sheets, added up.")),
        "mean": Words(
            gettext_lazy("Points a game"),
            gettext_lazy("The mean of the points on the score sheets: fair where some play more often."),
        ),
        "places": Words(
            gettext_lazy("Points for places"),
            gettext_lazy("So many for first place, so many for second: you write how many."),
        ),
        "publisher": Words(
            gettext_lazy("As in the publisher's tournaments"),
            gettext_lazy("+1 for every opponent below you, −1 for every one above: fair for tables of any size."),
        ),
        "exact_rate": Words(gettext_lazy("Rate of exact bids"), gettext_lazy("The share of bids that came true.")),
    }
)
TIE_RULES: Mapping[str, Words] = MappingProxyType(
    {
        "exact_rate": Words(
            gettext_lazy("Higher rate of exact bids"), gettext_lazy("Still equal: the place is shared.")
        ),
        "wins": Words(gettext_lazy("More wins"), gettext_lazy("Still equal: the place is shared.")),
        "shared": Words(gettext_lazy("Nothing: the place is shared"), ""),
    }
)
GUESTS: Mapping[str, Words] = MappingProxyType(
    {
        "ranked": Words(gettext_lazy("In the table like everybody"), ""),
        "unranked": Words(
            gettext_lazy("Not in the table"), gettext_lazy("Games with them count for the others as they are.")
        ),
        "excluded": Words(gettext_lazy("Games with guests do not count"), ""),
    }
)
EDITIONS: Mapping[str, Text] = MappingProxyType(
    {
        "base": rulebook.VARIANT_WORDS["standard"].name,
        "specials": gettext_lazy("With special cards"),
        "einfarbig": rulebook.VARIANT_WORDS["einfarbig"].name,
        "maximus": rulebook.VARIANT_WORDS["maximus"].name,
        "ordinary": rulebook.DECKS["french52"].name,
    }
)


def rule_in_words(season: Season, *, incomplete_counts: bool = False) -> list[str]:
    """Return all that decides the season's table, as sentences: what a game is worth, which count, who has a rank.

    `incomplete_counts` is the club's: whether games that were ended early count.
    """
    league = season.league_rules
    sentences = [*_formula(league), *_best(league), _dates(season)]
    if season.editions:
        names = [str(EDITIONS[edition]) for edition in season.editions]
        sentences.append(_("Only games of these editions count: %(editions)s.") % {"editions": ", ".join(names)})
    if season.only_evenings:
        sentences.append(_("Only games of an evening count, unless it is a friendly one."))
    else:
        sentences.append(_("Games of friendly evenings do not count."))
    sentences += _people(season, incomplete_counts=incomplete_counts)
    if league.fewest_games > 1:
        sentences.append(
            ngettext("A place takes %(count)s game.", "A place takes at least %(count)s games.", league.fewest_games)
            % {"count": league.fewest_games}
        )
    return [*sentences, _tie(league)]


def _formula(league: rules.LeagueRules) -> list[str]:
    if league.formula == "places":
        return [
            _("A game is worth points for the place: %(points)s.") % {"points": places_in_words(league.place_points)},
            _("Those who share places get the mean of them."),
        ]
    if league.formula == "publisher":
        return [
            _(
                "A game is worth +1 for every opponent below and −1 for every one above: among four +3, +1, −1 and −3. "
                "Those who share places get the mean of them."
            )
        ]
    if league.formula == "exact_rate":
        return [
            _("What counts is the share of exact bids among all bids."),
            _("Games of which only the points are known do not count."),
        ]
    return [
        {
            "sum": _("The points on the score sheets are added up."),
            "mean": _("What counts are the points on the score sheets a game: their sum, divided by the games."),
        }[league.formula]
    ]


def places_in_words(points: Sequence[int]) -> str:
    """Return the points of places in order: "6, 4, 2 and 1, then none"."""
    joined = wording.joined([wording.plain(number) for number in points])
    has_more = len(points) < rules.MOST_PLAYERS and points[-1] > 0
    return _("%(points)s, then none") % {"points": joined} if has_more else joined


def _best(league: rules.LeagueRules) -> list[str]:
    if league.best is None:
        return []
    count = {"count": league.best}
    if league.best_of == "evenings":
        words = ngettext("Only the best evening counts.", "Only the best %(count)s evenings count.", league.best)
        return [words % count, _("An evening counts with all its games.")]
    return [ngettext("Only the best game counts.", "Only the best %(count)s games count.", league.best) % count]


def _dates(season: Season) -> str:
    first = date_format(season.starts_on, "SHORT_DATE_FORMAT")
    if season.ends_on is None:
        return _("Games from %(first)s on count.") % {"first": first}
    last = date_format(season.ends_on, "SHORT_DATE_FORMAT")
    return _("Games from %(first)s to %(last)s count; until five in the morning it is still the evening before.") % {
        "first": first,
        "last": last,
    }


def _people(season: Season, *, incomplete_counts: bool) -> list[str]:
    guests = {
        Season.Guests.RANKED: [],
        Season.Guests.UNRANKED: [_("Guests are not in the table; games with them count for the others.")],
        Season.Guests.EXCLUDED: [_("Games with guests do not count.")],
    }[Season.Guests(season.guests)]
    if incomplete_counts:
        early = _("Games that were ended early count too; not for somebody who came late or left.")
    else:
        early = _("Games that were ended early do not count, nor does a game for somebody who came late or left.")
    return [*guests, early]


def _tie(league: rules.LeagueRules) -> str:
    if league.tie_rule == "wins":
        return _("If points are equal, more wins decide; if those are equal too, the place is shared.")
    if league.tie_rule == "exact_rate" and league.formula != "exact_rate":
        return _("If points are equal, the rate of exact bids decides; if that is equal too, the place is shared.")
    return _("Who is equal shares the place.")


def dates_in_words(season: Season) -> str:
    """Return from when to when a season is: "1 Sep 2026 – 30 Jun 2027", "from 1 Sep 2026"."""
    first = date_format(season.starts_on, "SHORT_DATE_FORMAT")
    if season.ends_on is None:
        return _("from %(first)s") % {"first": first}
    return f"{first} – {date_format(season.ends_on, 'SHORT_DATE_FORMAT')}"


def names_in_words(names: Sequence[str], *, has_more: bool) -> str:
    """Return those on a place: "Annika and Bernd", "Annika, Bernd and others"; "" for nobody."""
    return wording.joined([*names, _("others")] if has_more else names)


def unit_of(formula: str) -> str:
    """Return the heading of the column that decides."""
    return {"mean": _("a game"), "exact_rate": _("Rate")}.get(formula, _("Points"))


# -- numbers --------------------------------------------------------------------------------------------------------


def points_in_words(sixtieths: int, language: str = "") -> str:
    """Return league points: "52", "−3", "4.5", "2.33"."""
    if sixtieths % SIXTIETHS == 0:
        return whole(sixtieths // SIXTIETHS, language)
    return decimal(sixtieths / SIXTIETHS, 1 if sixtieths % 6 == 0 else 2, language)


def score_in_words(formula: str, *, points: int, score: float, language: str = "") -> str:
    """Return what decides a line of the table: points (in sixtieths), the mean a game, or the rate of exact bids."""
    if formula == "mean":
        return decimal(score, language=language)
    if formula == "exact_rate":
        return percent(score, 1, language)
    return points_in_words(points, language)


def share(part: int, of: int, language: str = "") -> str:
    """Return a part of a whole in percent: "57%"; a dash where there is nothing to share."""
    return percent(part / of, language=language) if of else "–"


def sum_in_words(league: rules.LeagueRules, line: rules.LeagueLine) -> str:
    """Return how the number that decides a line of the table comes about: "812 points in 9 games: 90.2 a game"."""
    if league.formula == "exact_rate":
        return _("%(exact)s exact ones of %(bids)s bids: %(rate)s") % {
            "exact": line.exact,
            "bids": line.bids,
            "rate": percent(line.score, 1),
        }
    points = {"points": points_in_words(line.points), "games": len(line.counted)}
    if league.formula == "mean":
        words = ngettext(
            "%(points)s points in %(games)s game that counts: %(mean)s a game",
            "%(points)s points in %(games)s games that count: %(mean)s a game",
            len(line.counted),
        )
        return words % {**points, "mean": decimal(line.score)}
    words = ngettext(
        "%(points)s points in %(games)s game that counts",
        "%(points)s points in %(games)s games that count",
        len(line.counted),
    )
    return words % points
