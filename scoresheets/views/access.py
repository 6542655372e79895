"""Which games a request opens, and as whom: by this device's links, or by the account's place in the game's club.

Each game's link secret lies in a cookie of its own.
One cookie a game: two tabs that open two games at once do not overwrite each other's. HttpOnly, so no script and no
page ever sees a secret.
"""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Game, Link, Membership
from scoresheets.models.games import hash_of_secret
from scoresheets.preferences import account_of

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
    """Return the game and who asks: the holder of this device's link, an account with its roles, or both in one.

    1 statement for a device with a link. An account costs those of its session, and one for its roles where the game
    belongs to a club. Raises `Http404`, `LinkGone`.
    """
    secret = _secret_of(request, game_id)
    found = Link.opened_by(game_id, hash_of_secret(secret)) if secret else None
    game: Game
    link: Link | None
    if found is not None and found[2]:
        game, link = found[:2]
    else:
        game, link = _club_game(game_id, had_link=found is not None), None
    actor = _actor(request, game, link)
    if not permissions.can_see(actor, game):
        raise Http404
    return game, actor


def writer_of(request: HttpRequest, game_id: int) -> tuple[Game, Actor]:
    """Return who wants to write, and the game: for a device with a link and no account only its id is known, which
    costs 1 statement. Raises `Http404`, `LinkGone`.
    """
    if account_of(request) is None:
        secret = _secret_of(request, game_id)
        link = Link.of_secret_hash(game_id, hash_of_secret(secret)) if secret else None
        if link is not None and link.is_usable:
            return Game(pk=game_id), Actor.of_link(link)
    return game_and_actor(request, game_id)


def _secret_of(request: HttpRequest, game_id: int) -> str | None:
    return request.COOKIES.get(f"{COOKIE_PREFIX}{game_id}") if _is_id(str(game_id)) else None


def _club_game(game_id: int, *, had_link: bool) -> Game:
    """Return a club's game for those who come without a usable link; a quick game is not there for them."""
    games = Game.objects.select_related("club").filter(club__isnull=False)
    game = games.filter(pk=game_id).first() if _is_id(str(game_id)) else None
    if game is None:
        raise LinkGone if had_link else Http404
    return game


def _actor(request: HttpRequest, game: Game, link: Link | None) -> Actor:
    account = account_of(request)
    if account is not None:
        roles = Membership.of_user(account.pk) if game.club_id is not None else ()
        return Actor.of_user(account, roles, link=link)
    return Actor.of_link(link) if link is not None else device_actor(request)


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
