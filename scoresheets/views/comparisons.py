"""Two to four players of a club side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets import permissions
from scoresheets.models import Player, Record
from scoresheets.numbers import decimal, percent, whole
from scoresheets.queries.comparisons import FEWEST, MOST, Comparison, comparison_of, players_among, with_results
from scoresheets.queries.lifetime import Lifetime, club_tally_of, rating_of
from scoresheets.views.club_access import club_and_actor
from scoresheets.views.lifetime import name_for
from scoresheets.views.lifetime_words import (
    day,
    few,
    in_games,
    mean_total,
    missed_basis,
    now,
    of_bids,
    points_basis,
    rating_tile,
    share,
    wins_basis,
)
from scoresheets.views.posts import is_number
from scoresheets.wording import plain

Kind = Record.Kind


@require_safe
@never_cache
def compare(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show two to four players of a club side by side: those named `?player=`; with fewer, ask whom."""
    club, actor = club_and_actor(request, club_id)
    asked = [int(typed) for typed in request.GET.getlist("player") if is_number(typed)][: 2 * MOST]
    choices = with_results(club)
    players = players_among(club, asked)[:MOST] if asked else []
    names = {player.pk: name_for(actor, player) for player in [*choices, *players]}
    comparison = comparison_of(players) if len(players) >= FEWEST else None
    tally = club_tally_of(players[0].club) if players else None
    context = {
        "club": club,
        "is_member": permissions.can_see_roster(actor, club),
        "is_stale": tally is not None and tally.stale_from is not None,
        "choices": [(player.pk, names[player.pk]) for player in choices],
        "slots": [player.pk for player in players] + [None] * (MOST - len(players)),
        "fewest": FEWEST,
        "is_asked": "player" in request.GET,
        "compared": _compared(comparison, names) if comparison is not None else None,
    }
    return render(request, "statistics/compare.html", context)


def _compared(comparison: Comparison, names: Mapping[int, str]) -> dict[str, Any]:
    """Return the table of a comparison, who finished above whom, and the rates and ratings for its charts."""
    players = comparison.players
    lives = [comparison.lifetimes[player.pk] for player in players]
    heads = [(player, names[player.pk]) for player in players]
    return {
        "heads": heads,
        "rows": list(_rows_compared(players, lives)),
        "pairs": [(name, [_finished(comparison, player, other) for other in players]) for player, name in heads],
        "cards": [(names[player.pk], life.by_cards) for player, life in zip(players, lives, strict=True)],
        "ratings": [(names[player.pk], comparison.months[player.pk]) for player in players],
        "is_rated": any(comparison.months.values()),
    }


def _rows_compared(players: Sequence[Player], lives: Sequence[Lifetime]) -> Iterable[tuple[str, list[tuple[str, str]]]]:
    """Yield what each row says: its label and, for each player, value and basis."""

    def row(label: str, cell: Callable[[Lifetime], tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
        return label, [cell(life) for life in lives]

    tiles = [
        rating_tile(rating) if (rating := rating_of(player, life)) else None
        for player, life in zip(players, lives, strict=True)
    ]
    yield _("Rating"), [(tile.value, tile.basis) if tile else ("–", "") for tile in tiles]
    yield row(_("Wins"), lambda life: (whole(life.wins), wins_basis(life)))
    yield row(_("Points a game"), lambda life: (mean_total(life), in_games(life.ranked)))
    yield row(_("Points a round"), lambda life: (decimal(life.rate.mean), points_basis(life, None)))
    yield row(_("Exact rate"), lambda life: (share(life.rate), of_bids(life.rate)))
    yield row(_("Zero bids"), lambda life: (share(life.zero), of_bids(life.zero)))
    yield row(_("Blind bids"), lambda life: (share(life.blind), of_bids(life.blind)))
    yield row(_("Missed"), lambda life: (whole(life.over + life.under), missed_basis(life)))
    yield row(_("Exact in a row"), lambda life: (whole(life.runs.exact_most), now(life.runs.exact)))
    yield row(_("Wins in a row"), lambda life: (whole(life.runs.win_most), now(life.runs.win)))
    yield row(_("Best game"), lambda life: _record_cell(life, Kind.BEST_TOTAL))
    yield row(_("Worst game"), lambda life: _record_cell(life, Kind.WORST_TOTAL))


def _record_cell(life: Lifetime, kind: str) -> tuple[str, str]:
    best = life.records.get(kind)
    return (plain(best.value), day(best.night)) if best is not None else ("–", "")


def _finished(comparison: Comparison, player: Player, other: Player) -> tuple[str, str] | None:
    """Return how often the player finished above the other: share and basis; None for the player against themselves."""
    if player.pk == other.pk:
        return None
    pair = comparison.pairs.get((player.pk, other.pk))
    if pair is None:
        return "–", _("never played together")
    words = ngettext("%(above)s of %(games)s game", "%(above)s of %(games)s games", pair.games)
    basis = words % {"above": whole(pair.above), "games": whole(pair.games)}
    return percent(pair.share), few(basis, pair.games)
