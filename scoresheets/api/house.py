"""House rules as they go in and out: the fields of `rules.HouseRules` under their own names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

import rules
from scoresheets import rulebook
from scoresheets.api.fields import Answer, Choice, Shape, Whole, Yes

_CHOICES: Mapping[str, Sequence[str]] = {
    "deck": list(rulebook.DECKS),
    "variant": list(rulebook.VARIANT_WORDS),
    "tie_break": list(rulebook.TIE_BREAKS),
}


def _fields(*, required: bool) -> dict[str, serializers.Field]:
    """Return a field for each rule, in their order; `rulebook` has the words."""
    found: dict[str, serializers.Field] = {}
    for name, usual in rules.HouseRules().to_mapping().items():
        words = rulebook.FIELDS[name]
        options: dict[str, Any] = {
            "required": required,
            # Said in English, as all of the schema is: it is made with that language.
            "help_text": f"{words.name}. {words.line}",
        }
        if name in _CHOICES:
            found[name] = Choice(choices=_CHOICES[name], **options)
        elif name == "specials":
            found[name] = serializers.ListField(
                child=Choice(choices=list(rulebook.SPECIALS)), max_length=len(rulebook.SPECIALS), **options
            )
        elif isinstance(usual, bool):
            found[name] = Yes(**options)
        else:
            found[name] = Whole(least=1, most=100, **options)
    return found


HouseRulesAnswer = type(
    "HouseRulesAnswer", (Answer,), {**_fields(required=True), "__doc__": "All that a table has agreed on."}
)
HouseRulesShape = type(
    "HouseRulesShape",
    (Shape,),
    {**_fields(required=False), "__doc__": "House rules; those left out are as usual, or as they were."},
)


def house_of(sent: Mapping[str, Any], base: rules.HouseRules | None = None) -> rules.HouseRules:
    """Return the house rules that were sent; what is left out is as in `base`, or as usual."""
    return rules.HouseRules.from_mapping({**(base or rules.HouseRules()).to_mapping(), **sent})
