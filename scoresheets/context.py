"""What every page knows of the device that shows it, or of the account there."""

from __future__ import annotations

from django.http import HttpRequest

from scoresheets.preferences import theme_of


def device(request: HttpRequest) -> dict[str, str]:
    """Return the `theme` of account or device ("" for its own setting) and the one its button chooses next."""
    theme = theme_of(request)
    return {"theme": theme, "next_theme": {"": "light", "light": "dark", "dark": ""}[theme]}
