"""Rows of league tables, put together here and not in a template: fifty of them are most of what such a page costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoresheets.numbers import reader_language
from scoresheets.templatetags.tafel import icon

register = template.Library()


class Row(NamedTuple):
    """A player's row: the place, the name that leads to `address`, and numbers as text.

    `moved` is by how many places they went up, below 0 down; None and 0 show nothing.
    """

    place: int | None
    name: str
    address: str
    cells: Sequence[str]
    moved: int | None = None
    is_own: bool = False


@register.simple_tag
def league_rows(rows: Iterable[Row]) -> SafeString:
    """Return the table rows; the last number leads where the name does."""
    language = reader_language()
    return mark_safe("".join([_row(row, language) for row in rows]))


def _row(row: Row, language: str) -> str:
    place, name, address, cells, moved, is_own = row
    opening = '<tr class="me">' if is_own else "<tr>"
    own = " <small>" + _("you") + "</small>" if is_own else ""
    went = trend(language, moved) if moved else ""
    who = f'<a href="{address}"><span>{escape(name)}</span>{own}{went}</a>'
    numbers = "</td><td>".join([*cells[:-1], f'<a href="{address}">{cells[-1]}</a>'])
    return f'{opening}<td>{"" if place is None else place}</td><th scope="row">{who}</th><td>{numbers}</td></tr>\n'


@lru_cache(maxsize=1024)
def trend(language: str, moved: int) -> str:
    """Return by how many places somebody went up or down; `language` only keeps the languages apart in the cache."""
    if moved > 0:
        arrow, words = icon("up", "i--s"), ngettext("place up", "places up", moved)
    else:
        arrow, words = icon("down", "i--s"), ngettext("place down", "places down", -moved)
    return f' <span class="trend">{arrow}{abs(moved)}<span class="vh"> {words}</span></span>'
