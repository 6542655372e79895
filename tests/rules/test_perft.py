"""Known answers: all ways to play out a small round from a fixed deal, and who takes how many tricks in them."""

import pytest

from rules import Card, Suit
from tests.rules.plain_games import KNOWN_PLAYOUTS, Playouts, playouts, playouts_of_round


def hands(*written: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(Card.parse(card) for card in hand.split()) for hand in written)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_playouts_are_as_known(number: int) -> None:  # round 5 takes seconds: it is in the bench
    assert playouts_of_round(number) == KNOWN_PLAYOUTS[number]


def test_playouts_take_every_trick_once() -> None:
    assert [sum(known.tricks) for known in KNOWN_PLAYOUTS.values()] == [
        number * known.count for number, known in KNOWN_PLAYOUTS.items()
    ]


def test_playouts_tell_equal_cards_of_a_hand_apart() -> None:
    assert playouts(hands("W W", "B1 B2", "J J"), None, 0) == Playouts(8, (16, 0, 0))


def test_playouts_of_hands_that_have_to_follow() -> None:
    # Seat 0 leads B5: seat 1 has to follow with B9, and leads G2 to G1 and R1. Or it leads G1, and G2 has to follow.
    assert playouts(hands("B5 G1", "B9 G2", "R1 R2"), None, 0) == Playouts(4, (0, 8, 0))


def test_playouts_know_trump() -> None:
    assert playouts(hands("B5", "B9", "R1"), Suit.R, 0) == Playouts(1, (0, 0, 1))
