"""Which games this device opens, and as whom: each game's link secret lies in a cookie of its own.

One cookie a game: two tabs that open two games at once do not overwrite each other's. HttpOnly, so no script and no
page ever sees a secret.
"""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Game, Link
from scoresheets.models.games import hash_of_secret

COOKIE_PREFIX = "block_"
#: Browsers keep 180 cookies a site, and a request's headers must stay below 8 KB.
MOST_GAMES = 100
#: No game's id is longer, and no database takes a longer number.
MOST_DIGITS = 18
#: Browsers keep no cookie for longer.
COOKIE_AGE = 400 * 24 * 3600


class LinkGone(Http404):
    """The game's link in this device's cookie no longer opens it: it was revoked or has expired."""

    #: Which words the page for 404 finds for it.
    reason = "revoked"


def secrets_of(request: HttpRequest) -> dict[int, str]:
    """Return this device's link secrets by game id."""
    found = {}
    for name, secret in request.COOKIES.items():
        game_id = name.removeprefix(COOKIE_PREFIX)
        if name.startswith(COOKIE_PREFIX) and _is_id(game_id):
            found[int(game_id)] = secret
    return found


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


def game_and_actor(request: HttpRequest, game_id: int) -> tuple[Game, Actor]:
    """Return the game and who this device is in it (1 statement). Raises `Http404`, `LinkGone`."""
    secret_hash = hash_of_secret(_secret_of(request, game_id))
    try:
        link = Link.objects.select_related("game").get(game=game_id, secret_hash=secret_hash)
    except Link.DoesNotExist:
        raise Http404 from None
    actor = _actor_of(link)
    if not permissions.can_see(actor, link.game):
        raise Http404
    return link.game, actor


def actor_of(request: HttpRequest, game_id: int) -> Actor:
    """Return who this device is in the game, for those who need not read the game (1 statement).

    Raises `Http404`, `LinkGone`.
    """
    link = Link.of_secret_hash(game_id, hash_of_secret(_secret_of(request, game_id)))
    if link is None:
        raise Http404
    return _actor_of(link)


def _secret_of(request: HttpRequest, game_id: int) -> str:
    secret = request.COOKIES.get(f"{COOKIE_PREFIX}{game_id}")
    if not secret or not _is_id(str(game_id)):
        raise Http404
    return secret


def _actor_of(link: Link) -> Actor:
    if not link.is_usable:
        raise LinkGone
    return Actor.of_link(link)


def device_actor(request: HttpRequest) -> Actor:
    """Return the actor for a device that has no link yet, told apart by its CSRF secret (hashed)."""
    secret = str(request.META.get("CSRF_COOKIE", ""))
    return Actor.of_device(hashlib.sha256(secret.encode()).hexdigest()[:32])


def remember_link(request: HttpRequest, response: HttpResponse, game: Game, secret: str) -> None:
    """Keep the link on this device; beyond `MOST_GAMES` the oldest game is let go."""
    known = secrets_of(request)
    known.pop(game.pk, None)
    for old in sorted(known)[: max(len(known) - MOST_GAMES + 1, 0)]:
        response.delete_cookie(f"{COOKIE_PREFIX}{old}", samesite="Lax")
    response.set_cookie(
        f"{COOKIE_PREFIX}{game.pk}",
        secret,
        max_age=COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def keeps_score(request: HttpRequest, game: Game) -> bool:
    """Say whether this device already has a usable edit link to the game, which a watch link must not replace."""
    secret = request.COOKIES.get(f"{COOKIE_PREFIX}{game.pk}")
    links = Link.objects.usable().filter(game=game, scope=Link.Scope.EDIT)
    return bool(secret) and links.filter(secret_hash=hash_of_secret(str(secret))).exists()
