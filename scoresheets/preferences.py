"""What an account brings along to every device: its language and theme. Without an account the device decides."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from scoresheets.models import User

THEME_COOKIE = "theme"
THEMES = tuple(User.Theme.values)


def account_language(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware: whoever is signed in reads the language of their account, if it has one.

    A visitor without a session cookie costs no statement; session and account are two.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        account = account_of(request)
        if account is None or not account.language:
            return get_response(request)
        translation.activate(account.language)
        request.LANGUAGE_CODE = account.language
        response = get_response(request)
        response.headers["Content-Language"] = account.language
        return response

    return middleware


def account_of(request: HttpRequest) -> User | None:
    """Return the account that is signed in, or None."""
    # Pages of refusals are also made for requests that never came as far as authentication.
    user = getattr(request, "user", None)
    return user if isinstance(user, User) else None


def theme_of(request: HttpRequest) -> str:
    """Return the theme to show: the account's, else the one this device chose; "" for the device's own setting."""
    account = account_of(request)
    return account.theme if account is not None else device_theme(request)


def device_theme(request: HttpRequest) -> str:
    """Return the theme in this device's cookie: light, dark or ""."""
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in THEMES else ""


def device_language(request: HttpRequest) -> str:
    """Return the language that was chosen on this device, or "": then the browser's is used."""
    language = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return language if language in dict(settings.LANGUAGES) else ""
