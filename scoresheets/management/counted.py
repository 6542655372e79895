"""Numbers of things, as commands print them."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """Return "1 game", "0 games"; `several` is the plural where it is not just an s."""
    return f"{number} {one if number == 1 else several or f'{one}s'}"
