import copy
import dataclasses
import itertools
import pickle

import pytest

from rules import CARDS, RESERVED_SPECIALS, SPECIALS, Card, HouseRules, Kind, Problem, RulesError, Suit, deck_of
from tests.rules.games import cards, codes

NO_CARDS = [
    *["", "B", "B0", "B14", "B07", "b7", " B7", "B7 ", "BQ", "BA", "X5", "7B", "B\u0667", "H1", "H11", "H14", "NUMBER"],
    *["W:B", "DRAGON:B", "BOMB:W", "JUGGLER:H", "JUGGLER:W", "SHAPESHIFTER:B", "SHAPESHIFTER:", *RESERVED_SPECIALS],
    *["WW", "w", "HW", "BJ", "B2\n", "None", "None0", "JUGGLER:", "JUGGLER:RR", "WEREWOLF:J", "CLOUD:9", "D13", "SA:W"],
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
    whole = deck_of(HouseRules(deck=deck, specials=SPECIALS))
    assert [Card.parse(str(card)) for card in whole] == list(whole)


@pytest.mark.parametrize("notation", PLAYED)
def test_card_notation_goes_round_for_played_forms(notation: str) -> None:
    assert str(Card.parse(notation)) == notation


@pytest.mark.parametrize("notation", NO_CARDS)
def test_card_notation_refuses_what_is_no_card(notation: str) -> None:
    with pytest.raises(RulesError) as caught:
        Card.parse(notation)
    assert codes(caught.value.problems) == ["card_unknown"]
    assert caught.value.problems[0].args == {"card": notation}


def test_card_unknown_says_what_was_written() -> None:
    with pytest.raises(RulesError) as caught:
        Card.parse("WITCH")
    assert str(caught.value) == "There is no card written 'WITCH'."


ALL_NOTATIONS = [
    *(f"{suit}{rank}" for suit in "BRGY" for rank in range(1, 14)),
    *(f"{suit}{rank}" for suit in "HDCS" for rank in [*range(2, 11), *"JQKA"]),
    *["W", "J", *SPECIALS, *(f"{ball}:{suit}" for ball in ("JUGGLER", "CLOUD") for suit in "BRGY")],
    *["SHAPESHIFTER:W", "SHAPESHIFTER:J"],
]


def test_cards_are_all_there_are_each_once() -> None:
    assert sorted(map(str, CARDS)) == sorted(ALL_NOTATIONS)
    assert len(CARDS) == 60 - 6 + 52 + 7 + 8 + 2


def test_card_code_is_the_place_in_cards_and_one_to_one_with_the_notation() -> None:
    assert [card.code for card in CARDS] == list(range(len(CARDS)))
    assert [Card.parse(str(card)).code for card in CARDS] == list(range(len(CARDS)))


def exists(kind: Kind, suit: Suit | None, rank: int, role: Kind | None) -> bool:
    """Return whether there is such a card: the list of RULES.md, D02, D45-D47."""
    if kind is Kind.NUMBER:
        return role is None and suit is not None and (1 if suit in "BRGY" else 3) <= rank <= 13
    if rank != 0:
        return False
    if kind in (Kind.WIZARD, Kind.JESTER):
        return role is None and (suit is None or suit in "HDCS")
    if kind is Kind.SHAPESHIFTER:
        return suit is None and role in (None, Kind.WIZARD, Kind.JESTER)
    if kind in (Kind.JUGGLER, Kind.CLOUD):
        return role is None and (suit is None or suit in "BRGY")
    return suit is None and role is None


def test_card_can_be_built_exactly_if_it_exists() -> None:
    forms = itertools.product(Kind, [None, *Suit], range(-1, 16), [None, *Kind])
    built = []
    for kind, suit, rank, role in forms:
        if exists(kind, suit, rank, role):
            card = Card(kind, suit, rank, role)
            assert (card.kind, card.suit, card.rank, card.role) == (kind, suit, rank, role)
            built.append(card)
        else:
            with pytest.raises(RulesError) as caught:
                Card(kind, suit, rank, role)
            assert codes(caught.value.problems) == ["card_unknown"]
    assert sorted(card.code for card in built) == list(range(len(CARDS)))


def test_impossible_card_is_named_in_the_problem() -> None:
    with pytest.raises(RulesError) as caught:
        Card(Kind.NUMBER, Suit.B, 14)
    assert caught.value.problems == (Problem.of("card_unknown", card="B14"),)


def test_cards_are_equal_exactly_if_they_are_written_alike() -> None:
    for one, other in itertools.product(CARDS, CARDS):
        again = Card.parse(str(other))
        assert (one == again) == (str(one) == str(again))
        assert (one != again) == (str(one) != str(again))
        assert one != again or hash(one) == hash(again)
    assert len(set(CARDS)) == len(set(map(hash, CARDS))) == len(CARDS)
    assert CARDS[3] != 3
    assert CARDS[3] != str(CARDS[3])


def facts(card: Card) -> tuple[object, ...]:
    """Return all that a card says of itself."""
    fields = tuple(getattr(card, field.name) for field in dataclasses.fields(card))
    return (*fields, card.counts_as, card.is_special, card.is_declared, card.undeclared, card.declarations, str(card))


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        dataclasses.replace,
        *(lambda card, n=n: pickle.loads(pickle.dumps(card, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)),
    ],
    ids=["copy", "deepcopy", "replace", *(f"pickle{n}" for n in range(pickle.HIGHEST_PROTOCOL + 1))],
)
def test_copied_card_is_the_same_value(copied) -> None:
    for card in CARDS:
        other = copied(card)
        assert other == card
        assert hash(other) == hash(card)
        assert facts(other) == facts(card)


# notation, suit that counts, frees the trick, counts as, special, all said, as it lies in a hand
CARD_FACTS = [
    ("B7", "B", False, "NUMBER", False, True, "B7"),
    ("Y13", "Y", False, "NUMBER", False, True, "Y13"),
    ("HQ", "H", False, "NUMBER", False, True, "HQ"),
    ("W", None, True, "W", False, True, "W"),
    ("J", None, False, "J", False, True, "J"),
    ("SA", None, True, "W", False, True, "SA"),
    ("D2", None, False, "J", False, True, "D2"),
    ("DRAGON", None, True, "DRAGON", True, True, "DRAGON"),
    ("FAIRY", None, False, "FAIRY", True, True, "FAIRY"),
    ("BOMB", None, False, "BOMB", True, True, "BOMB"),
    ("WEREWOLF", None, False, "J", True, True, "WEREWOLF"),
    ("JUGGLER", None, False, "JUGGLER", True, False, "JUGGLER"),
    ("JUGGLER:G", "G", False, "JUGGLER", True, True, "JUGGLER"),
    ("CLOUD", None, False, "CLOUD", True, False, "CLOUD"),
    ("CLOUD:R", "R", False, "CLOUD", True, True, "CLOUD"),
    ("SHAPESHIFTER", None, False, "SHAPESHIFTER", True, False, "SHAPESHIFTER"),
    ("SHAPESHIFTER:W", None, True, "W", True, True, "SHAPESHIFTER"),
    ("SHAPESHIFTER:J", None, False, "J", True, True, "SHAPESHIFTER"),
]


@pytest.mark.parametrize(
    ("notation", "suit", "frees", "counts_as", "special", "declared", "in_hand"),
    CARD_FACTS,
    ids=[row[0] for row in CARD_FACTS],
)
def test_card_says_what_it_is(notation, suit, frees, counts_as, special, declared, in_hand) -> None:
    card = Card.parse(notation)
    assert (card.led_suit, card.frees_trick, card.counts_as) == (suit, frees, counts_as)
    assert (card.is_special, card.is_declared) == (special, declared)
    assert card.undeclared == Card.parse(in_hand)


@pytest.mark.parametrize(
    ("notation", "played"),
    [
        ("JUGGLER", "JUGGLER:B JUGGLER:R JUGGLER:G JUGGLER:Y"),
        ("CLOUD", "CLOUD:B CLOUD:R CLOUD:G CLOUD:Y"),
        ("SHAPESHIFTER", "SHAPESHIFTER:W SHAPESHIFTER:J"),
        *((notation, notation) for notation in ["B7", "HQ", "W", "SA", "J", "D2", "WEREWOLF", "BOMB", *PLAYED]),
    ],
)
def test_card_declarations_are_all_ways_to_play_it(notation: str, played: str) -> None:
    assert Card.parse(notation).declarations == cards(played)


def test_declarations_lead_back_to_the_hand() -> None:
    for card in CARDS:
        assert card.undeclared.undeclared == card.undeclared
        assert card in card.undeclared.declarations or not card.is_declared
        assert all(played.is_declared and played.undeclared == card.undeclared for played in card.declarations)
        assert len(set(card.declarations)) == len(card.declarations) >= 1


def test_card_is_a_value() -> None:
    assert len({Card.parse("B7"), Card.parse("B7"), Card.parse("R7")}) == 2
    for name in ("rank", "code", "led_suit"):
        with pytest.raises(AttributeError):
            setattr(Card.parse("B7"), name, 8)
