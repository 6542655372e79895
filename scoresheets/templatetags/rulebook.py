"""The way to a rule, a rule's words, and cards and suits as the rules pages draw them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import rules
from scoresheets import rulebook

register = template.Library()

_WORDS: ChainMap[str, rulebook.Words] = ChainMap(
    *(
        dict(words)
        for words in (
            rulebook.FIELDS,
            rulebook.VARIANT_WORDS,
            rulebook.DECKS,
            rulebook.LADDERS,
            rulebook.TIE_BREAKS,
            rulebook.SPECIALS,
            rulebook.PRESETS,
        )
    )
)


@register.simple_tag
@cache
def rule_path(topic: str) -> str:
    """Return the path, with its anchor, of the paragraph that explains a topic of `rulebook.PLACES`.

    Raises `KeyError` for an unknown topic.
    """
    route, anchor = rulebook.PLACES[topic]
    return f"{reverse(route)}#{anchor}"


@register.simple_tag
def rule_name(topic: str) -> rulebook.Text:
    """Return what a rule, variant or card is called. Raises `KeyError` for an unknown topic."""
    return _WORDS[topic].name


@register.simple_tag
def rule_links(topics: str) -> SafeString:
    """Return a line of links, one to the rule of each topic; `topics` has spaces between them."""
    links = format_html_join(
        " · ",
        '<a href="{}" target="_blank" rel="noopener">{}<span class="vh"> ({})</span></a>',
        ((rule_path(topic), rule_name(topic), _("opens in a new tab")) for topic in topics.split()),
    )
    return format_html('<p class="hint rule-links">{} {}</p>', _("The rules:"), links)


@register.simple_tag
def rule_line(topic: str) -> rulebook.Text:
    """Return what a rule, variant or card means, in one line. Raises `KeyError` for an unknown topic."""
    return _WORDS[topic].line


@register.simple_tag(takes_context=True)
def section_title(context: Mapping[str, Any], anchor: str) -> rulebook.Text:
    """Return the title of one of the page's sections. Raises `KeyError` if the page has no such section."""
    return context["page"].sections[anchor]


@register.simple_tag(takes_context=True)
def heading(context: Mapping[str, Any], anchor: str) -> SafeString:
    """Return the heading of one of the page's sections. Raises `KeyError` if the page has no such section."""
    title = section_title(context, anchor)
    return format_html('<div class="sec-head"><h2 id="{}">{}</h2></div>', anchor, title)


@register.simple_tag
def suit(letter: str | None) -> SafeString:
    """Return a suit's shape and its word; None is "no trump"."""
    return format_html('<span class="nb">{} {}</span>', _shape(letter), _suit_word(letter))


@register.simple_tag
def card(notation: str) -> SafeString:
    """Return a card as a small label: its shape and number, or its name; the suit's word is there to be heard."""
    shown = rules.Card.parse(notation)
    if shown.kind is rules.Kind.NUMBER:
        named, colour = str(shown.rank), shown.suit
    else:
        named, colour = str(_card_word(shown.kind)), shown.suit
    if colour is None:
        return format_html('<span class="rb-card">{}</span>', named)
    word = _suit_word(colour)
    return format_html('<span class="rb-card">{}<span class="vh">{} </span>{}</span>', _shape(colour), word, named)


def _card_word(kind: rules.Kind) -> rulebook.Text:
    return {rules.Kind.WIZARD: _("Wizard"), rules.Kind.JESTER: _("Jester")}.get(kind) or rulebook.SPECIALS[kind].name


def _shape(letter: str | None) -> SafeString:
    name = {"B": "blau", "R": "rot", "G": "gruen", "Y": "gelb", None: "ohne"}[letter]
    return format_html(
        '<svg class="suit suit--{0}" viewBox="0 0 24 24" aria-hidden="true"><use href="{1}#s-{0}"/></svg>',
        name,
        static("img/sprite.svg"),
    )


def _suit_word(letter: str | None) -> str:
    return {"B": _("blue"), "R": _("red"), "G": _("green"), "Y": _("yellow"), None: _("no trump")}[letter]
