"""Names of accounts: letters of any script and what joins them, nothing invisible, nothing that turns text."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 40
#: Folding case makes some letters two or three.
KEY_LENGTH = 3 * NAME_LENGTH
#: What may stand between letters, beside one space. No "@": a name must not look like an address to sign in with.
JOINING = "_-.'’·"
#: No script stacks more marks on one letter; piles of them run over the lines above.
MOST_MARKS = 3
#: Letters and marks that show nothing, and so would make two names look alike.
INVISIBLE = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)


def tidy_username(name: str) -> str:
    """Return the name as it is stored: characters in their one usual form, single spaces, none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def username_key(name: str) -> str:
    """Return what two names have in common that differ in case only."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def validate_username(name: str) -> None:
    """Raise `ValidationError` unless a tidy name has 1 to 40 visible letters and digits, or what joins them.

    Emoji are refused: several look alike, and some are joined by characters that cannot be seen.
    """
    if len(name) > NAME_LENGTH:
        raise ValidationError(_("A name has at most %(most)s characters."), "too_long", {"most": NAME_LENGTH})
    for character in name:
        if not _is_allowed(character):
            shown = character if character.isprintable() else f"U+{ord(character):04X}"
            raise ValidationError(
                _("“%(character)s” cannot be part of a name. Use letters, digits, spaces and . _ - '"),
                "character",
                {"character": shown},
            )
    if not name or not name[0].isalnum():
        raise ValidationError(_("A name begins with a letter or a digit."), "beginning")
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks > MOST_MARKS:
            raise ValidationError(_("A name has at most three marks on one letter."), "marks")


def _is_allowed(character: str) -> bool:
    category = unicodedata.category(character)
    is_visible = ord(character) not in INVISIBLE
    return character == " " or character in JOINING or (is_visible and (category[0] in "LM" or category == "Nd"))
