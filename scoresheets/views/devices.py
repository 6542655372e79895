"""What belongs to the device: opening a link, theme, language; the last two an account takes along."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoresheets.models import Link
from scoresheets.models.games import hash_of_secret
from scoresheets.preferences import THEME_COOKIE, THEMES, account_of
from scoresheets.recording.accounts import prefer
from scoresheets.views import access

YEAR = 365 * 24 * 3600


@require_safe
@never_cache
def open_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Put a link's secret into this device's cookie and go to its game, so that the address keeps no secret."""
    link = Link.objects.usable().select_related("game").filter(secret_hash=hash_of_secret(secret)).first()
    if link is None:
        return render(request, "404.html", {"status": 404, "reason": "link"}, status=404)
    response = redirect("block", link.game_id)
    if link.scope == Link.Scope.EDIT or not access.keeps_score(request, link.game):
        access.remember_link(request, response, link.game, secret)
    return response


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Remember light, dark or "as the device" and go back to the page."""
    theme = request.POST.get("theme", "")
    if theme not in (*THEMES, ""):
        return HttpResponseBadRequest()
    if account := account_of(request):
        prefer(account, theme=theme)
    response = redirect(_safe_next(request))
    if theme:
        response.set_cookie(THEME_COOKIE, theme, max_age=YEAR, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")
    else:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
    return response


def set_language(request: HttpRequest) -> HttpResponse:
    """Remember a language, as Django does it, and with the account; go back to the page."""
    language, account = request.POST.get("language"), account_of(request)
    if account is not None and language in dict(settings.LANGUAGES):
        prefer(account, language=language)
    return i18n.set_language(request)


def _safe_next(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if is_safe else reverse("start")


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the site to a phone that keeps it on its home screen."""
    return JsonResponse(
        {
            "name": settings.PRODUCT_NAME,
            "short_name": settings.PRODUCT_NAME,
            "start_url": reverse("start"),
            "display": "standalone",
            "background_color": "#17352c",
            "theme_color": "#17352c",
            "icons": [
                {"src": static("img/icon-192.png"), "sizes": "192x192", "type": "image/png"},
                {"src": static("img/icon-512.png"), "sizes": "512x512", "type": "image/png"},
                {"src": static("img/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            ],
        },
        content_type="application/manifest+json",
        headers={"Cache-Control": "max-age=86400"},
    )
