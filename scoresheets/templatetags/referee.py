"""Cards as the referee draws them: numbers and shapes, no artwork.

The keys are put together here and not in a template, as the numbers of the pad are: there is one for every card.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import rules
from scoresheets import verdicts
from scoresheets.forms.referee import Trick
from scoresheets.numbers import reader_language
from scoresheets.templatetags.rulebook import rule_path
from scoresheets.templatetags.tafel import SHAPES, icon

register = template.Library()

_ICONS = {
    rules.Kind.WIZARD: "wiz",
    rules.Kind.JESTER: "fool",
    rules.Kind.DRAGON: "dragon",
    rules.Kind.FAIRY: "fairy",
    rules.Kind.JUGGLER: "juggle",
    rules.Kind.CLOUD: "cloud",
    rules.Kind.WEREWOLF: "wolf",
    rules.Kind.BOMB: "bomb",
    rules.Kind.SHAPESHIFTER: "shift",
}


@register.simple_tag
def suit_shape(suit: rules.Suit | None) -> SafeString:
    """Return a suit's shape; None is the dash for no trump. It says nothing to a screen reader."""
    name = SHAPES[suit or rules.NO_TRUMP]
    return mark_safe(
        f'<svg class="suit suit--{name}" viewBox="0 0 24 24" aria-hidden="true">'
        f'<use href="{static("img/sprite.svg")}#s-{name}"/></svg>'
    )


@register.simple_tag
def rule_link(step: Mapping[str, str]) -> SafeString:
    """Return the way to the paragraph of the rules behind a step, kept on the line with its last word."""
    label = _("Rule: %(words)s") % step
    return format_html(
        '&nbsp;<a class="rule" href="{}" aria-label="{}">{}</a>', rule_path(step["code"]), label, icon("info")
    )


@register.simple_tag
def card_face(card: rules.Card) -> SafeString:
    """Return what is printed on a card: sign and shape, or a picture and its name."""
    shape = suit_shape(card.suit) if card.suit else ""
    sign = verdicts.rank_sign(card)
    if card.kind is rules.Kind.NUMBER:
        return mark_safe(f"{sign}{shape}")
    if sign:
        return mark_safe(f"{sign}{shape}<small>{verdicts.kind_name(card.kind)}</small>")
    if shape:
        return mark_safe(f"{icon(_ICONS[card.kind])}<small>{verdicts.value_sign(card)}</small>{shape}")
    return mark_safe(f"{icon(_ICONS[card.kind])}<small>{_short_name(card)}</small>")


def _short_name(card: rules.Card) -> str:
    """Return a name that fits a card or key: a shapeshifter on the table is called by what it stands for."""
    if card.role is not None:
        return verdicts.kind_name(card.role)
    if card.kind is rules.Kind.SHAPESHIFTER:
        return pgettext("shapeshifter, short", "Shifter")
    if card.kind is rules.Kind.WEREWOLF:
        return pgettext("werewolf, short", "Wolf")
    return verdicts.kind_name(card.kind)


@register.simple_tag
def number_keys(trick: Trick, tab: rules.Suit) -> SafeString:
    """Return the tabs of the suits and, for each of them, one key a number; without a script all tabs work, too."""
    tabs, groups = [], []
    deck = rules.DECKS[trick.table.house.deck]
    for suit in deck.suits:
        name, checked = verdicts.suit_name(suit), " checked" if suit is tab else ""
        tabs.append(
            f'<label><input type="radio" name="tab" value="{suit}" aria-label="{name}"{checked}>'
            f"{suit_shape(suit)}<span>{name}</span></label>"
        )
        keys = "".join(_key(trick, card) for card in deck.cards if card.kind is rules.Kind.NUMBER and card.suit is suit)
        label = _("Number cards, %(suit)s") % {"suit": name}
        groups.append(f'<div class="nums nums--{suit}" id="nums-{suit}" role="group" aria-label="{label}">{keys}</div>')
    legend = _("Suit of the number card")
    return mark_safe(
        f'<fieldset class="suit-tabs"><legend class="vh">{legend}</legend>{"".join(tabs)}</fieldset>{"".join(groups)}'
    )


@register.simple_tag
def special_keys(trick: Trick) -> SafeString:
    """Return one key for each card that is not a number: wizard and jester, and the special cards that are in."""
    cards = dict.fromkeys(card for card in rules.deck_of(trick.table.house) if card.kind is not rules.Kind.NUMBER)
    keys = "".join(_key(trick, card) for card in cards)
    label = _("Wizards, jesters and special cards")
    wide = " specials--french" if trick.table.house.deck == rules.FRENCH52 else ""
    return mark_safe(f'<div class="specials{wide}" id="specials" role="group" aria-label="{label}">{keys}</div>')


@register.simple_tag
def declaration_keys(trick: Trick) -> SafeString:
    """Return one key for each way to play the card that was tapped: four suits, or wizard and jester."""
    keys = "".join(_key(trick, card) for card in (trick.asked.declarations if trick.asked else ()))
    return mark_safe(f'<div class="specials specials--ask" id="ask">{keys}</div>')


def _key(trick: Trick, card: rules.Card) -> str:
    """Return the button that plays a card; one that cannot be there again stays, and says why when it is tapped."""
    is_lying = trick.at is not None and trick.cards[trick.at].undeclared == card
    return _key_of(reader_language(), card, bool(trick.problems_of(card)), is_lying)


@lru_cache(maxsize=1024)
def _key_of(language: str, card: rules.Card, is_barred: bool, is_lying: bool) -> str:
    """Return the same; `language` is only there to keep the languages apart in the cache."""
    css = ' class="chip"' if card.kind is rules.Kind.NUMBER else ""
    barred = ' aria-disabled="true"' if is_barred else ""
    pressed = ' aria-pressed="true"' if is_lying else ""
    return (
        f'<button{css} type="submit" name="play" value="{card}" aria-label="{escape(verdicts.card_name(card))}"'
        f"{barred}{pressed}>{_face_of_key(card)}</button>"
    )


def _face_of_key(card: rules.Card) -> str:
    """Return what a key shows: a number; a sign, its suit and what it is; what is to be declared; or a picture."""
    sign = verdicts.rank_sign(card)
    if card.kind is rules.Kind.NUMBER:
        return sign
    if card.suit is not None and sign:
        return f"<b>{sign}{suit_shape(card.suit)}</b><span>{verdicts.kind_name(card.kind)}</span>"
    if card.suit is not None:
        return f"{suit_shape(card.suit)}<span>{verdicts.suit_name(card.suit)}</span>"
    return f"{icon(_ICONS[card.role or card.kind])}<span>{_short_name(card)}</span>"
