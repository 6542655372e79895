"""A lifetime in words: its numbers, each with what it is based on, and its records."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoresheets.models import Player, Record
from scoresheets.numbers import decimal, percent, whole
from scoresheets.queries.lifetime import FEW, FEWEST_RATED, Best, Lifetime, Rate, Rating, club_tally_of
from scoresheets.templatetags.rating_charts import whole_rating
from scoresheets.wording import plain, signed

Kind = Record.Kind


@dataclass(frozen=True, slots=True)
class Tile:
    """A number with what it is, and what it is based on."""

    label: str
    value: str
    basis: str


def tiles_of(life: Lifetime, rating: Rating | None, player: Player | None) -> list[Tile]:
    tiles = [rating_tile(rating)] if rating is not None else []
    misses = life.over + life.under
    return [
        *tiles,
        Tile(_("Exact rate"), share(life.rate), of_bids(life.rate)),
        Tile(_("Wins"), whole(life.wins), wins_basis(life)),
        Tile(_("Points a round"), decimal(life.rate.mean) if life.rate.bids else "–", points_basis(life, player)),
        Tile(_("Points a game"), mean_total(life), in_games(life.ranked)),
        _favourite_tile(life),
        Tile(_("Zero bids"), share(life.zero), of_bids(life.zero)),
        Tile(_("Blind bids"), share(life.blind), of_bids(life.blind)),
        Tile(_("Missed"), whole(misses), missed_basis(life)),
        Tile(_("Exact in a row"), whole(life.runs.exact_most), now(life.runs.exact)),
        Tile(_("Wins in a row"), whole(life.runs.win_most), now(life.runs.win)),
        _evening_tile(life),
    ]


def rating_tile(rating: Rating) -> Tile:
    if rating.is_provisional:
        basis = _("provisional, %(games)s of %(needed)s games") % {"games": rating.games, "needed": FEWEST_RATED}
    elif rating.rank is None:
        basis = _("certain to about ±%(sigma)s") % {"sigma": whole_rating(rating.sigma)}
    else:
        basis = _("Place %(rank)s of %(of)s") % {"rank": rating.rank, "of": rating.of}
    return Tile(_("Rating"), whole_rating(rating.mu), basis)


def share(rate: Rate) -> str:
    return percent(rate.share) if rate.bids else "–"


def of_bids(rate: Rate) -> str:
    """Return what a rate is based on: "1,151 of 1,990 bids"."""
    words = ngettext("%(exact)s of %(bids)s bid", "%(exact)s of %(bids)s bids", rate.bids)
    basis = words % {"exact": whole(rate.exact), "bids": whole(rate.bids)}
    return few(basis, rate.bids)


def few(basis: str, count: int) -> str:
    """Return a basis, marked if it is a small one."""
    return _("%(basis)s, few yet") % {"basis": basis} if 0 < count < FEW else basis


def in_games(count: int) -> str:
    return few(ngettext("in %(count)s game", "in %(count)s games", count) % {"count": whole(count)}, count)


def wins_basis(life: Lifetime) -> str:
    basis = ngettext("in %(count)s game", "in %(count)s games", life.ranked) % {"count": whole(life.ranked)}
    if life.ranked:
        basis = f"{basis}, {percent(life.wins / life.ranked)}"
    if life.shared_wins:
        shared = ngettext("%(count)s of them shared", "%(count)s of them shared", life.shared_wins)
        basis = f"{basis}, {shared % {'count': whole(life.shared_wins)}}"
    return few(basis, life.ranked)


def mean_total(life: Lifetime) -> str:
    return decimal(life.mean_total) if life.ranked else "–"


def points_basis(life: Lifetime, player: Player | None) -> str:
    tally = club_tally_of(player.club) if player is not None else None
    rounds = ngettext("in %(count)s round", "in %(count)s rounds", life.rate.bids) % {"count": whole(life.rate.bids)}
    if tally is None or not tally.bids:
        return rounds
    return _("%(rounds)s; club: %(mean)s") % {"rounds": rounds, "mean": decimal(tally.points_sum / tally.bids)}


def _favourite_tile(life: Lifetime) -> Tile:
    favourite = life.favourite_bid
    if favourite is None:
        return Tile(_("Favourite bid"), "–", "")
    bid, times = favourite
    basis = _("%(share)s of %(bids)s bids") % {"share": percent(times / life.rate.bids), "bids": whole(life.rate.bids)}
    return Tile(_("Favourite bid"), str(bid), few(basis, life.rate.bids))


def missed_basis(life: Lifetime) -> str:
    return _("%(over)s too many tricks, %(under)s too few") % {"over": whole(life.over), "under": whole(life.under)}


def now(run: int | None) -> str:
    if run is None:
        return _("in one of the clubs")
    return _("now: %(run)s") % {"run": whole(run)}


def _evening_tile(life: Lifetime) -> Tile:
    best = life.records.get(Kind.BEST_NIGHT)
    if best is None:
        return Tile(_("Best evening"), "–", _("no win yet"))
    wins = ngettext("%(count)s win", "%(count)s wins", best.value) % {"count": whole(best.value)}
    return Tile(_("Best evening"), wins, day(best.night))


def day(night: date) -> str:
    return date_format(night, "DATE_FORMAT")


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record in words, with the game it is of."""

    label: str
    value: str
    about: str
    game: int


RECORD_ORDER = (
    *(Kind.BEST_TOTAL, Kind.HIGHEST_EXACT, Kind.WORST_TOTAL, Kind.BEST_BLIND, Kind.BEST_ROUND, Kind.WIDEST_WIN),
    *(Kind.WORST_ROUND, Kind.CLOSEST_WIN),
)


def record_line(kind: str, best: Best) -> RecordLine:
    labels = {
        Kind.BEST_TOTAL: _("Best game"),
        Kind.WORST_TOTAL: _("Worst game"),
        Kind.BEST_ROUND: _("Best round"),
        Kind.WORST_ROUND: _("Most expensive round"),
        Kind.BEST_BLIND: _("Best blind bid"),
        Kind.HIGHEST_EXACT: _("Highest exact bid"),
        Kind.CLOSEST_WIN: _("Closest win"),
        Kind.WIDEST_WIN: _("Widest win"),
    }
    about = _("%(day)s, %(people)s people") % {"day": day(best.night), "people": best.players}
    if kind == Kind.HIGHEST_EXACT and best.cards:
        about = _("%(bid)s of %(cards)s tricks, %(about)s") % {"bid": best.value, "cards": best.cards, "about": about}
    if kind in (Kind.CLOSEST_WIN, Kind.WIDEST_WIN):
        value = _("%(points)s ahead") % {"points": whole(best.value)}
        if best.value == 0:
            about = _("Equal points, more exact bids; %(about)s") % {"about": about}
    elif kind in (Kind.BEST_ROUND, Kind.WORST_ROUND, Kind.BEST_BLIND):
        value = signed(best.value)
    else:
        value = plain(best.value)
    return RecordLine(labels[Kind(kind)], value, about, best.game)
