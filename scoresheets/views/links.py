"""Sharing a game: its secret links are made here, shown once, listed, and closed."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoresheets import permissions, wording
from scoresheets.actors import Actor
from scoresheets.forms.links import LinkForm
from scoresheets.models import Game
from scoresheets.recording import Conflict, make_link, revoke_link
from scoresheets.views import access
from scoresheets.views.keys import new_key
from scoresheets.views.qr import qr_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def links(request: HttpRequest, game_id: int) -> HttpResponse:
    """List a game's links; a POST makes a new one and shows its address this one time."""
    game, actor = _managed(request, game_id)
    if request.method != "POST":
        return _render(request, game, actor)
    form = LinkForm(request.POST)
    if not form.is_valid():
        return _render(request, game, actor, status=422, form=form)
    try:
        link, secret = make_link(
            game,
            scope=form.cleaned_data["scope"],
            label=form.cleaned_data["label"],
            by=actor,
            key=form.cleaned_data["key"] or None,
        )
    except Conflict as conflict:
        return _render(request, game, actor, status=409, form=form, notice=wording.conflict_in_words(conflict))
    address = request.build_absolute_uri(reverse("open_link", args=[secret]))
    return _render(request, game, actor, made={"link": link, "address": address, "qr": qr_of(address)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def revoke(request: HttpRequest, game_id: int, link_id: int) -> HttpResponse:
    """Say what closing a link means; a POST closes it for good."""
    game, actor = _managed(request, game_id)
    link = game.links.filter(pk=link_id).first()
    if link is None:
        raise Http404
    if request.method != "POST":
        context = {"game": game, "link": link, "is_first": link.pk == _first_link_of(game)}
        return render(request, "games/revoke.html", context)
    revoke_link(link, by=actor)
    return redirect("start" if link.pk == actor.link_id else "links", *([] if link.pk == actor.link_id else [game.pk]))


def _managed(request: HttpRequest, game_id: int) -> tuple[Game, Actor]:
    game, actor = access.game_and_actor(request, game_id)
    if not permissions.can_manage_links(actor, game):
        raise PermissionDenied
    return game, actor


def _first_link_of(game: Game) -> int | None:
    """Return the id of the link that came with the start of the game: it is on the device that started it."""
    return game.links.order_by("pk").values_list("pk", flat=True).first()


def _render(
    request: HttpRequest,
    game: Game,
    actor: Actor,
    *,
    status: int = 200,
    form: LinkForm | None = None,
    made: dict[str, Any] | None = None,
    notice: str = "",
) -> HttpResponse:
    made_links = list(game.links.order_by("-created_at", "-pk"))
    context = {
        "game": game,
        "names": list(game.seats.order_by("position").values_list("name", flat=True)),
        "links": made_links,
        "first_link": min((link.pk for link in made_links), default=None),
        "own_link": actor.link_id,
        "form": form or LinkForm(),
        "made": made,
        "notice": notice,
        "key": new_key(),
    }
    return render(request, "games/links.html", context, status=status)
