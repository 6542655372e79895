"""A second opinion on the rules of a trick, written from the text of RULES.md, sections 2.3 to 2.5.

It reads cards as they are written and shares nothing with the package `rules`: cards are put into heaps, and the heaps
are laid out in the order in which the text names them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

_NUMBER = re.compile(r"([BRGY])([1-9]|1[0-3])|([HDCS])([3-9]|10|[JQK])")
_WIZARD = re.compile(r"W|[HDCS]A|SHAPESHIFTER:W")
_JESTER = re.compile(r"J|[HDCS]2|SHAPESHIFTER:J|WEREWOLF")
_BALLS = re.compile(r"(JUGGLER|CLOUD):([BRGY])")


class Verdict(NamedTuple):
    """What comes of a trick; places count from 0, `because` is the code of the reason."""

    winner: int | None
    next_leader: int
    because: str
    bombed: bool
    cloud_owner: int | None
    pass_left: bool


def suit_of(card: str) -> str:
    """Return the letter of the suit that a played card counts for, "" if it has none (D45, D47)."""
    if number := _NUMBER.fullmatch(card):
        return number[1] or number[3]
    declared = _BALLS.fullmatch(card)
    return declared[2] if declared else ""


def value_of(card: str) -> float:
    """Return what a card is worth within its suit (D51)."""
    if declared := _BALLS.fullmatch(card):
        return {"JUGGLER": 7.5, "CLOUD": 9.75}[declared[1]]
    return float({"J": 11, "Q": 12, "K": 13}.get(card[1:], card[1:]))


def suit_led(trick: Sequence[str]) -> str:
    """Return the suit to follow, "" if there is none: low cards are put aside, the next card decides (D41-D44)."""
    rest = list(trick)
    while rest and (_JESTER.fullmatch(rest[0]) or rest[0] in ("FAIRY", "BOMB")):
        del rest[0]
    return suit_of(rest[0]) if rest else ""


def legal(hand: Sequence[str], trick: Sequence[str], *, single_suit: bool = False) -> list[str]:
    """Return what may be played: number cards of the suit to follow oblige, all without a suit are free (D40, D45)."""
    led = suit_led(trick)
    obliging = [card for card in hand if _NUMBER.fullmatch(card) and suit_of(card) == led]
    if single_suit or not obliging:
        return list(hand)
    return [card for card in hand if card in obliging or not _NUMBER.fullmatch(card)]


def judge(trick: Sequence[str], trump: str | None, *, single_suit: bool = False, last_trick: bool = False) -> Verdict:
    """Return what comes of a trick: the first card of the first heap that holds any gets it (D50-D56, D60-D71, D91)."""
    heaps = _heaps(list(enumerate(trick)), trump or "", suit_led(trick), single_suit)
    because, place = next((code, heap[0][0]) for code, heap in heaps if heap)
    written = " ".join(trick)
    bombed, clouded, juggled = "BOMB" in written, "CLOUD" in written, "JUGGLER" in written
    return Verdict(
        winner=None if bombed else place,
        next_leader=place,
        because=because,
        bombed=bombed,
        cloud_owner=place if clouded and not bombed else None,
        pass_left=juggled and not last_trick,
    )


Heap = list[tuple[int, str]]


def _heaps(lying: Heap, trump: str, led: str, single_suit: bool) -> list[tuple[str, Heap]]:
    """Return (code, heap) by rank, the best card of each heap on top."""
    dragons = [item for item in lying if item[1] == "DRAGON"]
    fairies = [item for item in lying if item[1] == "FAIRY"]
    wizards = [item for item in lying if _WIZARD.fullmatch(item[1])]
    jesters = [item for item in lying if _JESTER.fullmatch(item[1])]
    bombs = [item for item in lying if item[1] == "BOMB"]
    suited = sorted((item for item in lying if suit_of(item[1])), key=lambda item: value_of(item[1]), reverse=True)
    return [
        ("take_fairy_over_dragon", fairies if dragons else []),
        ("take_dragon", dragons),
        ("take_wizard" if len(wizards) == 1 else "take_first_wizard", wizards),
        *(_all_values(suited) if single_suit else _trumps_and_followers(suited, trump, led)),
        ("take_jester" if len(jesters) == 1 else "take_first_jester", jesters),
        ("take_low_card", fairies),
        ("take_low_card", bombs),
    ]


def _all_values(suited: Heap) -> list[tuple[str, Heap]]:
    top = [item for item in suited if value_of(item[1]) == value_of(suited[0][1])]
    return [("take_highest_value" if len(top) == 1 else "take_first_of_equals", top)]


def _trumps_and_followers(suited: Heap, trump: str, led: str) -> list[tuple[str, Heap]]:
    trumps = [item for item in suited if suit_of(item[1]) == trump]
    followers = [item for item in suited if suit_of(item[1]) == led]
    return [
        ("take_trump" if len(trumps) == 1 else "take_highest_trump", trumps),
        ("take_led_suit" if len(followers) == 1 else "take_highest_of_suit", followers),
    ]
