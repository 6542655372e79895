"""The start page: a new game first, then the games kept on this device."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoresheets.queries.devices import games_of_device
from scoresheets.views import access


@require_safe
@never_cache
def start(request: HttpRequest) -> HttpResponse:
    """Offer a new game and list this device's games, newest first; abandoned and voided ones out of the way."""
    games = games_of_device(list(access.secrets_of(request).values()))
    context = {
        "games": [line for line in games if not line.is_put_aside],
        "put_aside": [line for line in games if line.is_put_aside],
    }
    return render(request, "start.html", context)
