"""The fields of a paper sheet's grid.

They are put together here and not in a template: a sheet has hundreds of them, and that many included templates cost
more than the rest of the page.
"""

from __future__ import annotations

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from scoresheets.views.paper import Field

register = template.Library()


@register.simple_tag
def number_field(field: Field, size: int = 2) -> SafeString:
    """Return a field for a whole number; `size` 4 is for points, which may be negative."""
    mode = "numeric" if size == 2 else "text"
    return mark_safe(
        f'<input class="n" name="{field.name}" value="{escape(field.value)}" size="{size}" maxlength="20" '
        f'inputmode="{mode}" aria-label="{escape(field.label)}"{_state(field)}>'
    )


@register.simple_tag
def blind_field(field: Field) -> SafeString:
    """Return the mark of a blind bid."""
    checked = " checked" if field.value else ""
    return mark_safe(
        f'<label class="tick"><input type="checkbox" name="{field.name}" aria-label="{escape(field.label)}"'
        f"{checked}{_state(field)}></label>"
    )


def _state(field: Field) -> str:
    """Return the attributes that say whether a field is wrong, what tells about it, and whether typing goes on here."""
    wrong = ' aria-invalid="true"' if field.is_wrong else ""
    told = f' aria-describedby="{field.told_by}"' if field.told_by else ""
    return f"{wrong}{told}{' autofocus' if field.is_next else ''}"
