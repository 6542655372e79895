"""Every code by which the rules say what is wrong, or why they decide as they do, with its words in both languages."""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Any

from django.utils import translation
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

import rules
from scoresheets import verdicts, wording
from scoresheets.api.engine.plans import TAG
from scoresheets.api.fields import Answer, Choice, Json, Text
from scoresheets.api.numbered import NumberedView
from scoresheets.api.problems import refusal
from scoresheets.api.schema import operation
from scoresheets.api.views import Body

KINDS = ("problem", "reason")
#: What a param is in an example; all others are the number 3.
_EXAMPLES: Mapping[str, int | str] = MappingProxyType(
    {
        "card": "R9",
        "special": "BOMB",
        "suit": "R",
        "trump": "R",
        "role": "W",
        "place": 2,
        "value": "7.5",
        "deck": "french52",
        "variant": "maximus",
        "ladder": "tournament",
        "tie_break": "shared",
        "first": "maximus",
        "second": "tournament",
        "rule": "blind_bids",
        "expected": 4,
        "given": 3,
        "what": "bids",
        "stage": "bids",
        "action": "PlayCard",
        "bot": "sensible",
        "word": "round",
        "name": "players",
        "field": "plan",
        "formula": "sum",
        "best_of": "games",
        "tie_rule": "wins",
        "printed": 10,
        "computed": -20,
        "delta": 1,
        "missing": 1,
        "surplus": 0,
    }
)


def _cell(*, hit: bool, cloud: bool, blind: bool) -> rules.Cell:
    """Return a bid of 1 that came true, or is one off."""
    final = 1 + cloud
    taken = final if hit else final + 1
    points = rules.round_points(final, taken) * (2 if blind else 1)
    return rules.Cell(1, taken, points, blind=blind, cloud_delta=int(cloud))


_SCORED = [
    reason
    for hit, cloud, blind in product((True, False), repeat=3)
    if (reason := _cell(hit=hit, cloud=cloud, blind=blind).points_reason) is not None
]
#: Params that have another meaning with one code, or have to fit together.
_EXAMPLES_OF: Mapping[str, Mapping[str, int | str]] = MappingProxyType(
    {
        "players": {"players": 2},
        "dealer_out_of_range": {"dealer": 4},
        "seat_out_of_range": {"seat_index": 4},
        "round_number": {"round": 0},
        "rounds_out_of_range": {"rounds": 0, "most": 15},
        "cards_out_of_range": {"cards": 0},
        "cards_exceed_deck": {"deck": 60, "cards": 16, "players": 4, "needed": 64},
        "ladder_players": {"players": 6},
        "rule_type": {"expected": "true or false"},
        "special_unknown": {"special": "GNOME"},
        "special_repeated": {"count": 2},
        "dragon_fairy_pair": {"missing": "FAIRY"},
        "variant_players": {"variant": "einfarbig", "players": 5, "most": 4},
        "plus_minus_one_from": {"round": 0},
        "bid_out_of_range": {"bid": 4},
        "bid_sum_forbidden": {"bid": 1, "others": 2},
        "tricks_out_of_range": {"tricks": 4},
        "tricks_sum": {"sum": 2, "difference": -1},
        "bombs_out_of_range": {"bombs": 4},
        **{key: {"bombs": 2, "clouds": 2, "in_deck": 1} for key in ("too_many_bombs", "too_many_clouds")},
        "cloud_delta": {"delta": 2},
        "card_unknown": {"card": "X9"},
        "suit_not_in_deck": {"deck": "wizard60", "suit": "H"},
        "card_not_in_deck": {"card": "BOMB"},
        "too_many_of_card": {"count": 2, "in_deck": 1},
        "card_undeclared": {"card": "JUGGLER"},
        "must_follow": {"card": "B9"},
        "notation_too_long": {"most": 100_000},
        "sheet_shape": {"expected": "a list"},
        "league_places_count": {"places": 7, "most": 6},
        **{key: {"best": 0, "most": 1000} for key in ("league_place_out_of_range", "league_best_out_of_range")},
        "league_fewest_games_out_of_range": {"games": -1, "most": 1000},
        "trump_jester": {"card": "J"},
        "trump_dealer_chooses": {"card": "W"},
        "trump_weak_special": {"card": "BOMB"},
        "follow_free": {"card": "W"},
        **{key: {"card": "W"} for key in ("take_wizard", "take_first_wizard")},
        **{key: {"card": "J"} for key in ("take_jester", "take_first_jester")},
        "take_low_card": {"card": "FAIRY"},
        "counts_as": {"card": "SHAPESHIFTER:W"},
        "discarded": {"card": "CLOUD:B"},
        "value_in_suit": {"card": "JUGGLER:R"},
        **{reason.code: dict(reason.params) for reason in _SCORED},
    }
)


class CodeAnswer(Answer):
    """A code of the rules and what it says."""

    kind = Choice(choices=KINDS, help_text="Whether it says what is wrong (`problem`) or why it is so (`reason`).")
    code = Text(help_text="The code. Codes are stable.")
    params = serializers.ListField(child=Text(help_text="A name."), help_text="The names of what its words need.")
    template = Text(help_text="The English sentence of the rules, with the params in braces.")
    example = serializers.DictField(child=Json(help_text="A number or a text."), help_text="Values of the params.")
    text_en = Text(help_text="What this site says of the example in English.")
    text_de = Text(help_text="The same in German; in English where only programs meet it.")


class Codes(NumberedView):
    @operation(
        "engine_codes",
        summary="The codes of the rules",
        tag=TAG,
        answer=CodeAnswer,
        lists=True,
        parameters=[
            OpenApiParameter("kind", {"type": "string", "enum": list(KINDS)}, description="Only those of this kind.")
        ],
    )
    def get(self, request: Any) -> Any:
        """Every code by which the rules say what is wrong, or why they decide as they do, in their order."""
        kind = request.query_params.get("kind", "")
        if kind and kind not in KINDS:
            raise refusal(400, "choice_unknown", field="kind")
        rows = [row for row in all_codes() if kind in ("", row["kind"])]
        return self.numbered(lambda start, most: rows[start : start + most], dict)


@cache
def all_codes() -> tuple[Body, ...]:
    """Return every code with its words."""
    return (
        *(_problem(code, template) for code, template in rules.MESSAGES.items()),
        *(_reason(code, template) for code, template in rules.REASONS.items()),
    )


def _problem(code: str, template: str) -> Body:
    params = _params(template)
    problem = rules.Problem.of(code, **_values(code, params))
    return _row("problem", code, params, template, lambda: wording.problem_in_words(problem))


def _reason(code: str, template: str) -> Body:
    params = _params(template)
    reason = rules.Reason.of(code, **_values(code, params))
    return _row("reason", code, params, template, lambda: verdicts.reason_in_words(reason))


def _params(template: str) -> list[str]:
    return list(dict.fromkeys(name for _text, name, _spec, _conversion in string.Formatter().parse(template) if name))


def _values(code: str, params: list[str]) -> dict[str, int | str]:
    """Return examples of all params there are: words may need more than the English sentence."""
    names = dict.fromkeys([*params, *_EXAMPLES])
    return {name: _EXAMPLES_OF.get(code, {}).get(name, _EXAMPLES.get(name, 3)) for name in names}


def _row(kind: str, code: str, params: list[str], template: str, in_words: Any) -> Body:
    texts = {}
    for language in ("en", "de"):
        with translation.override(language):
            texts[f"text_{language}"] = in_words()
    values = _values(code, params)
    return {
        "kind": kind,
        "code": code,
        "params": params,
        "template": template,
        "example": {name: values[name] for name in params},
        **texts,
    }
