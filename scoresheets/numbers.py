"""Numbers as the reader's language writes them: 1,990, 15.9 and 58%, or 1.990, 15,9 and 58 %, with the real minus.

Whoever writes a hundred of them at once asks for the language once and gives it.
"""

from __future__ import annotations

from functools import lru_cache

from django.utils.formats import number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

MINUS = "\N{MINUS SIGN}"


def reader_language() -> str:
    """Return the language that is read now, "" where translations are switched off."""
    return get_language() or ""


def whole(number: float, language: str = "") -> str:
    """Return a number without places, halves up, its thousands set apart."""
    return _written(language or reader_language(), _rounded(number, 0), 0)


def decimal(number: float, places: int = 1, language: str = "") -> str:
    """Return a number with one place, or so many, halves up."""
    return _written(language or reader_language(), _rounded(number, places), places)


def percent(share: float, places: int = 0, language: str = "") -> str:
    """Return a share, 0 to 1, as whole percents, or with so many places."""
    return _percent(language or reader_language(), _rounded(100 * share, places), places)


def _rounded(number: float, places: int) -> float:
    """Return the number rounded, halves away from 0: as people expect it of their own points."""
    scaled = abs(number) * 10**places
    # What should be a half can lie a hair below it.
    rounded = int(scaled + 0.5 + 1e-9) / 10**places
    return -rounded if number < 0 else rounded


# The languages only keep their texts apart.


@lru_cache(maxsize=4096)
def _written(language: str, number: float, places: int) -> str:
    text = number_format(abs(number), places, use_l10n=True, force_grouping=True)
    return MINUS + text if number < 0 else text


@lru_cache(maxsize=2048)
def _percent(language: str, percents: float, places: int) -> str:
    # Translators: how a percentage is written; German has a narrow no-break space before the sign.
    return _("%(number)s%(sign)s") % {"number": _written(language, percents, places), "sign": "%"}
