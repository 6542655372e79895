"""A session's browser in a few words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()

#: Marks in what a browser says of itself, the telling ones first: most claim to be several others as well.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


@register.filter
def browser(user_agent: str) -> str:
    """Return browser and system by their names, as far as they are known: "Firefox, Android"."""
    found = [next((name for mark, name in names.items() if mark in user_agent), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found)) or _("Another browser")
