"""What a club remembers: the all-time table, its records and its hall of fame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets import league_words
from scoresheets.forms.seasons import AllTimeForm
from scoresheets.models import Club, Record
from scoresheets.numbers import decimal, whole
from scoresheets.queries import records as remembered
from scoresheets.queries.leagues import seasons_page
from scoresheets.queries.records import LifetimeLine, RecordLine
from scoresheets.rulebook import Text
from scoresheets.templatetags.leagues import Row
from scoresheets.templatetags.rating_charts import whole_rating
from scoresheets.templatetags.tafel import path_to
from scoresheets.views.club_access import club_and_actor
from scoresheets.views.seasons import in_public, page_in

Kind = Record.Kind


def _points(value: int) -> str:
    # The sign of a number is not counted in.
    words = ngettext("%(points)s point", "%(points)s points", abs(value))
    return words % {"points": whole(value)}


def _ahead(value: int) -> str:
    if value == 0:
        return _("level on points")
    return ngettext("%(points)s point ahead", "%(points)s points ahead", value) % {"points": value}


def _wins(value: int) -> str:
    return ngettext("%(count)s win", "%(count)s wins", value) % {"count": value}


def _bids(value: int) -> str:
    return ngettext("%(count)s bid", "%(count)s bids", value) % {"count": value}


def _tricks(value: int) -> str:
    return ngettext("%(count)s trick", "%(count)s tricks", value) % {"count": value}


#: What each record is called, and what its number counts.
WORDS: Mapping[str, tuple[Text, Callable[[int], str]]] = MappingProxyType(
    {
        Kind.BEST_TOTAL: (gettext_lazy("Highest total"), _points),
        Kind.BEST_NIGHT: (gettext_lazy("Most wins in an evening"), _wins),
        Kind.WIDEST_WIN: (gettext_lazy("Widest win"), _ahead),
        Kind.CLOSEST_WIN: (gettext_lazy("Closest win"), _ahead),
        remembered.WIN_RUN: (gettext_lazy("Most wins in a row"), _wins),
        remembered.EXACT_RUN: (gettext_lazy("Most exact bids in a row"), _bids),
        Kind.HIGHEST_EXACT: (gettext_lazy("Highest exact bid"), _tricks),
        Kind.BEST_ROUND: (gettext_lazy("Best round"), _points),
        Kind.BEST_BLIND: (gettext_lazy("Best blind bid"), _points),
        Kind.WORST_ROUND: (gettext_lazy("Most expensive round"), _points),
        Kind.WORST_TOTAL: (gettext_lazy("Lowest total"), _points),
    }
)


@require_safe
@never_cache
def all_time(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the club's players with all their games, by `?sort=`, from `?least=` games on."""
    club, actor = club_and_actor(request, club_id)
    form = AllTimeForm(request.GET)
    found = remembered.all_time_page(
        club, page_in(request), sort=form.sort, least=form.least, in_public=in_public(actor, club), user=actor.user
    )
    context = {
        "club": club,
        "form": form,
        "rows": [_row(club, line) for line in found.lines],
        "page": found.page,
        "is_waiting": found.is_waiting,
        "fewest_rated": remembered.FEWEST_RATED,
    }
    return render(request, "seasons/all_time.html", context)


def _row(club: Club, line: LifetimeLine) -> Row:
    return Row(
        line.place,
        line.name,
        path_to("lifetime", club.pk, line.player),
        (
            str(line.games),
            str(line.wins),
            league_words.share(line.wins, line.ranked),
            decimal(line.total_sum / line.ranked) if line.ranked else "–",
            league_words.share(line.exact, line.bids),
            whole_rating(line.rating) if line.rating is not None else "–",
        ),
        is_own=line.is_own,
    )


@dataclass(frozen=True, slots=True)
class Board:
    """A record of the club: its name, and the five best with what they did."""

    title: Text
    lines: Sequence[tuple[str, RecordLine]]


@require_safe
@never_cache
def records(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the club's hall of fame and its records."""
    club, actor = club_and_actor(request, club_id)
    names: dict[str, Any] = {"in_public": in_public(actor, club), "user": actor.user}
    closed, page = seasons_page(club, page_in(request), in_public=names["in_public"], closed=True, places=3)
    found = remembered.club_records(club, **names)
    boards = [
        Board(title, [(in_words(line.value), line) for line in found[kind]])
        for kind, (title, in_words) in WORDS.items()
        if found[kind]
    ]
    context = {
        "club": club,
        "podiums": [(line.season, line.podium) for line in closed],
        "page": page,
        "boards": boards,
        "most": [
            (
                _("Most wins"),
                _("Of all games of the club; shared ones count too."),
                remembered.most_of(club, "wins", **names),
            ),
            (
                _("Most evenings won"),
                _(
                    "Within the last 12 months. An evening is won by whoever stands first in its table: "
                    "wins, then points."
                ),
                remembered.most_evenings_won(club, **names),
            ),
            (_("Most games"), _("All finished games of the club."), remembered.most_of(club, "games", **names)),
        ],
        "is_waiting": remembered.is_waiting(club),
    }
    return render(request, "seasons/records.html", context)
