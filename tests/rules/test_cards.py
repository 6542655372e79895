import pytest

from rules import RESERVED_SPECIALS, SPECIALS, Card, HouseRules, Kind, RulesError, Suit, deck_of
from tests.rules.games import codes

NO_CARDS = [
    *["", "B", "B0", "B14", "B07", "b7", " B7", "B7 ", "BQ", "BA", "X5", "7B", "B\u0667", "H1", "H11", "H14", "NUMBER"],
    *["W:B", "DRAGON:B", "BOMB:W", "JUGGLER:H", "JUGGLER:W", "SHAPESHIFTER:B", "SHAPESHIFTER:", *RESERVED_SPECIALS],
]
PLAYED = ["JUGGLER:R", "JUGGLER:B", "CLOUD:B", "CLOUD:Y", "SHAPESHIFTER:W", "SHAPESHIFTER:J"]


@pytest.mark.parametrize(
    ("notation", "card"),
    [
        ("B7", Card(Kind.NUMBER, Suit.B, 7)),
        ("Y13", Card(Kind.NUMBER, Suit.Y, 13)),
        ("W", Card(Kind.WIZARD)),
        ("J", Card(Kind.JESTER)),
        ("DRAGON", Card(Kind.DRAGON)),
        ("JUGGLER", Card(Kind.JUGGLER)),
        ("JUGGLER:R", Card(Kind.JUGGLER, Suit.R)),
        ("SHAPESHIFTER:J", Card(Kind.SHAPESHIFTER, role=Kind.JESTER)),
        ("C10", Card(Kind.NUMBER, Suit.C, 10)),
        ("HQ", Card(Kind.NUMBER, Suit.H, 12)),
        ("HJ", Card(Kind.NUMBER, Suit.H, 11)),
        ("SA", Card(Kind.WIZARD, Suit.S)),
        ("D2", Card(Kind.JESTER, Suit.D)),
    ],
)
def test_card_notation_reads_and_writes(notation: str, card: Card) -> None:
    assert Card.parse(notation) == card
    assert str(card) == notation


@pytest.mark.parametrize("deck", ["wizard60", "french52"])
def test_card_notation_goes_round_for_every_card_of_a_deck(deck: str) -> None:
    cards = deck_of(HouseRules(deck=deck, specials=SPECIALS))
    assert [Card.parse(str(card)) for card in cards] == list(cards)


@pytest.mark.parametrize("notation", PLAYED)
def test_card_notation_goes_round_for_played_forms(notation: str) -> None:
    assert str(Card.parse(notation)) == notation


@pytest.mark.parametrize("notation", NO_CARDS)
def test_card_notation_refuses_what_is_no_card(notation: str) -> None:
    with pytest.raises(RulesError) as caught:
        Card.parse(notation)
    assert codes(caught.value.problems) == ["card_unknown"]
    assert caught.value.problems[0].args == {"card": notation}


@pytest.mark.parametrize(
    ("notation", "suit"),
    [
        *[("B7", "B"), ("HQ", "H"), ("JUGGLER:G", "G"), ("CLOUD:R", "R")],
        *[("W", None), ("SA", None), ("D2", None), ("JUGGLER", None), ("SHAPESHIFTER:W", None), ("DRAGON", None)],
    ],
)
def test_card_led_suit_is_none_for_cards_without_suit(notation: str, suit: str | None) -> None:
    assert Card.parse(notation).led_suit == suit


def test_card_is_a_value() -> None:
    assert len({Card.parse("B7"), Card.parse("B7"), Card.parse("R7")}) == 2
    with pytest.raises(AttributeError):
        Card.parse("B7").rank = 8  # type: ignore[misc]
