"""What bids are worth: of a club's games, or of those of all public clubs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets import permissions
from scoresheets.forms.statistics import PEOPLE, PeopleForm
from scoresheets.models.tallies import PUBLIC
from scoresheets.queries.insight import insight_of
from scoresheets.queries.lifetime import FEW
from scoresheets.views.club_access import club_and_actor


@require_safe
@never_cache
def club_insight(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show what bids are worth in a club."""
    club, actor = club_and_actor(request, club_id)
    context = {"club": club, "is_member": permissions.can_see_roster(actor, club)}
    return render(request, "statistics/insight.html", _insight(request, club.pk) | context)


@require_safe
@never_cache
def public_insight(request: HttpRequest) -> HttpResponse:
    """Show what bids are worth in all public clubs."""
    return render(request, "statistics/insight.html", _insight(request, PUBLIC))


def _insight(request: HttpRequest, scope: int) -> dict[str, Any]:
    form = PeopleForm(request.GET)
    insight = insight_of(scope, players=form.players_chosen)
    return {"insight": insight, "form": form, "people": [str(number) for number in PEOPLE], "few": FEW}
