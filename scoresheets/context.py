"""What every page knows of the device that shows it."""

from __future__ import annotations

from django.http import HttpRequest

from scoresheets.views.devices import theme_of


def device(request: HttpRequest) -> dict[str, str]:
    """Return the device's `theme` ("" for its own setting) and the one its button chooses next."""
    theme = theme_of(request)
    return {"theme": theme, "next_theme": {"": "light", "light": "dark", "dark": ""}[theme]}
