"""Names as they are kept and told apart, for whoever writes or reads them."""

from __future__ import annotations

import unicodedata

#: Characters that turn or hide the text around a name; joiners of emoji and Persian stay.
_FORBIDDEN_IN_NAMES = {
    "\u202a",
    "\u202b",
    "\u202c",
    "\u202d",
    "\u202e",
    "\u2066",
    "\u2067",
    "\u2068",
    "\u2069",
    "\ufeff",
}
#: Categories of characters that show nothing by themselves: controls, formats, marks, separators.
_INVISIBLE = {"Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"}


def tidy_name(typed: str) -> str:
    """Return a name as it is kept: composed, one space between words, without control characters.

    What shows nothing at all is no name: "" then.
    """
    text = unicodedata.normalize("NFC", typed)
    kept = "".join(
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text if c not in _FORBIDDEN_IN_NAMES
    )
    return " ".join(kept.split()) if any(unicodedata.category(c) not in _INVISIBLE for c in kept) else ""


def folded(name: str) -> str:
    """Return a name with case set aside, as names at a table are told apart.

    The Turkish dotted capital İ counts as i: PostgreSQL's `lower`, which guards the same in the database, has it so.
    """
    return name.casefold().replace("i\N{COMBINING DOT ABOVE}", "i")
