"""Trump: decisions D06-D17 (with C1, C2, C13, C14) and D91, D92 of RULES.md, then properties."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    CARDS,
    SPECIALS,
    Card,
    HouseRules,
    Kind,
    Problem,
    Reason,
    RoundPlan,
    RulesError,
    Suit,
    TrumpCall,
    choice_problems,
    choose_trump,
    deck_of,
    plan_of,
    trump_call,
    trump_problems,
)
from tests.rules.games import FRENCH, PLAIN, PROPERTY, playable

COLOURS = (Suit.B, Suit.R, Suit.G, Suit.Y)
FRENCH_SUITS = (Suit.H, Suit.D, Suit.C, Suit.S)
ALL_IN = HouseRules(specials=SPECIALS)
WEAK_NO_TRUMP = HouseRules(specials=SPECIALS, weak_specials_no_trump=True)
MUST_NAME = HouseRules(specials=SPECIALS, werewolf_may_choose_no_trump=False)
BY_DECK = HouseRules(specials=SPECIALS[:6], rounds_from_deck=True)  # 66 cards, the werewolf among them
DEALER_NAMES = HouseRules(last_round_dealer_trump=True)
SINGLE_SUIT = HouseRules(variant="einfarbig")
MAXIMUS = HouseRules(variant="maximus")


def call(
    house: HouseRules,
    turned_up: str | None,
    *,
    players: int = 4,
    cards: int = 5,
    number: int = 5,
    dealer: int = 3,
    werewolf: int | None = None,
) -> TrumpCall:
    step = plan_of(house, players, number=number, cards=cards)
    return trump_call(house, step, dealer=dealer, turned_up=turned_up and Card.parse(turned_up), werewolf=werewolf)


def is_trump(card: str, suit: str) -> TrumpCall:
    return TrumpCall(Suit(suit), Reason.of("trump_turned_up", card=card, suit=suit))


def none_by(code: str, **params: str) -> TrumpCall:
    return TrumpCall(None, Reason.of(code, **params))


def dealer_names(card: str, dealer: int = 3, suits: tuple[Suit, ...] = COLOURS) -> TrumpCall:
    return TrumpCall(None, Reason.of("trump_dealer_chooses", card=card), dealer, suits)


def nothing_left(dealer: int = 3, suits: tuple[Suit, ...] = COLOURS) -> TrumpCall:
    return TrumpCall(None, Reason.of("trump_no_card_dealer_chooses"), dealer, suits)


def werewolf_names(card: str, seat: int, choices: tuple[Suit | None, ...] = (*COLOURS, None)) -> TrumpCall:
    return TrumpCall(None, Reason.of("trump_werewolf", card=card), seat, choices, (seat, Card.parse(card)))


def fixed(suit: str) -> TrumpCall:
    return TrumpCall(Suit(suit), Reason.of("trump_fixed", suit=suit))


# Decision, house rules, card turned up, what else is given, the whole call.
CALLS: list[tuple[str, HouseRules, str | None, dict[str, Any], TrumpCall]] = [
    *((f"D06 {suit}7", PLAIN, f"{suit}7", {}, is_trump(f"{suit}7", suit)) for suit in "BRGY"),
    *((f"D06 at {n}", PLAIN, "R1", {"players": n, "cards": 9}, is_trump("R1", "R")) for n in (3, 4, 5, 6)),
    ("D06 in the first round", PLAIN, "Y13", {"cards": 1, "number": 1}, is_trump("Y13", "Y")),
    *((f"D06 ordinary pack, {card}", FRENCH, card, {}, is_trump(card, card[0])) for card in ("H3", "D10", "CJ", "SK")),
    ("D06 with special cards in the deck", ALL_IN, "G4", {}, is_trump("G4", "G")),
    ("D07 jester", PLAIN, "J", {}, none_by("trump_jester", card="J")),
    ("D07 jester with special cards and flags", WEAK_NO_TRUMP, "J", {}, none_by("trump_jester", card="J")),
    ("D07 the dealer's choice of the last round is another", DEALER_NAMES, "J", {}, none_by("trump_jester", card="J")),
    *(
        (f"D07 ordinary pack, {suit}2", FRENCH, f"{suit}2", {}, none_by("trump_jester", card=f"{suit}2"))
        for suit in "HDCS"
    ),
    *((f"D08 C1 dealer {seat}", PLAIN, "W", {"dealer": seat}, dealer_names("W", seat)) for seat in range(4)),
    *((f"D08 at {n}", PLAIN, "W", {"players": n, "dealer": n - 1}, dealer_names("W", n - 1)) for n in (3, 5, 6)),
    ("D08 no trump is not offered by the werewolf's flag", ALL_IN, "W", {}, dealer_names("W")),
    ("D08 weak special cards do not touch the wizard", WEAK_NO_TRUMP, "W", {}, dealer_names("W")),
    *(
        (f"D08 ordinary pack, {suit}A", FRENCH, f"{suit}A", {}, dealer_names(f"{suit}A", 3, FRENCH_SUITS))
        for suit in "HDCS"
    ),
    *(
        (f"D09 C2 last round at {n}", PLAIN, None, {"players": n, "cards": 60 // n}, none_by("trump_no_card_left"))
        for n in (3, 4, 5, 6)
    ),
    *(
        (
            f"D09 dealer's choice at {n}",
            DEALER_NAMES,
            None,
            {"players": n, "cards": 60 // n, "dealer": 2},
            nothing_left(2),
        )
        for n in (3, 4, 5, 6)
    ),
    ("D09 ordinary pack", FRENCH, None, {"cards": 13}, none_by("trump_no_card_left")),
    (
        "D09 ordinary pack, dealer's choice",
        HouseRules(deck="french52", last_round_dealer_trump=True),
        None,
        {"cards": 13, "dealer": 0},
        nothing_left(0, FRENCH_SUITS),
    ),
    ("D09 ordinary pack at three leaves a card", FRENCH, "H9", {"players": 3, "cards": 17}, is_trump("H9", "H")),
    ("D09 C2 one special card leaves one", HouseRules(specials=("BOMB",)), "B9", {"cards": 15}, is_trump("B9", "B")),
    ("D09 the flag waits for a round without a card", DEALER_NAMES, "B9", {"cards": 14}, is_trump("B9", "B")),
    *(
        (f"D10 {special}", house, special, {"dealer": 1}, dealer_names(special, 1))
        for special in ("DRAGON", "JUGGLER", "CLOUD", "WEREWOLF", "SHAPESHIFTER")
        for house in (ALL_IN,)
    ),
    *(
        (f"D10 {special}, newer reading", WEAK_NO_TRUMP, special, {}, dealer_names(special))
        for special in ("DRAGON", "JUGGLER", "CLOUD", "WEREWOLF", "SHAPESHIFTER")
    ),
    *((f"D11 C14 {special}", ALL_IN, special, {}, dealer_names(special)) for special in ("FAIRY", "BOMB")),
    *(
        (f"D11 C14 {special}, newer reading", WEAK_NO_TRUMP, special, {}, none_by("trump_weak_special", card=special))
        for special in ("FAIRY", "BOMB")
    ),
    *(
        (
            f"D12 seat {seat} of {n}",
            ALL_IN,
            "R7",
            {"players": n, "werewolf": seat, "dealer": 0},
            werewolf_names("R7", seat),
        )
        for n, seat in [(3, 2), (4, 1), (5, 4), (6, 5)]
    ),
    ("D12 C13 a suit has to be named", MUST_NAME, "R7", {"werewolf": 1}, werewolf_names("R7", 1, COLOURS)),
    *(
        (f"D13 {card}", ALL_IN, card, {"werewolf": 1}, werewolf_names(card, 1))
        for card in ("W", "DRAGON", "FAIRY", "JUGGLER", "CLOUD", "BOMB", "SHAPESHIFTER")
    ),
    *(
        (f"D13 {card}, newer reading", WEAK_NO_TRUMP, card, {"werewolf": 1}, werewolf_names(card, 1))
        for card in ("FAIRY", "BOMB", "W")
    ),
    ("D13 a suit has to be named", MUST_NAME, "W", {"werewolf": 0}, werewolf_names("W", 0, COLOURS)),
    ("D14 jester", ALL_IN, "J", {"werewolf": 2}, werewolf_names("J", 2)),
    ("D14 jester, a suit has to be named", MUST_NAME, "J", {"werewolf": 2}, werewolf_names("J", 2, COLOURS)),
    ("D15 the dealer holds it", ALL_IN, "R7", {"werewolf": 3}, werewolf_names("R7", 3)),
    ("D15 the dealer holds it, wizard turned up", ALL_IN, "W", {"werewolf": 3}, werewolf_names("W", 3)),
    *(
        (
            f"D16 last round at {n}",
            ALL_IN,
            "R7",
            {"players": n, "cards": 60 // n, "werewolf": 0},
            werewolf_names("R7", 0),
        )
        for n in (3, 4, 5, 6)
    ),
    *(
        (
            f"D17 nothing left at {n}",
            BY_DECK,
            None,
            {"players": n, "cards": 66 // n, "werewolf": 0},
            none_by("trump_no_card_left"),
        )
        for n in (3, 6)
    ),
    (
        "D17 nothing left and the dealer names trump in such rounds",
        HouseRules(specials=SPECIALS[:6], rounds_from_deck=True, last_round_dealer_trump=True),
        None,
        {"players": 3, "cards": 22, "werewolf": 0},
        nothing_left(),
    ),
    (
        "D17 a card is left in the round before",
        BY_DECK,
        "J",
        {"players": 3, "cards": 21, "werewolf": 0},
        werewolf_names("J", 0),
    ),
    *(
        (
            f"D91 single suit, {cards} cards",
            SINGLE_SUIT,
            None,
            {"players": n, "cards": cards, "number": cards - 3},
            none_by("trump_fixed_none"),
        )
        for n, cards in [(3, 4), (4, 15)]
    ),
    (
        "D91 the dealer's choice of the last round is another",
        HouseRules(variant="einfarbig", last_round_dealer_trump=True),
        None,
        {"cards": 15, "number": 12},
        none_by("trump_fixed_none"),
    ),
    *(
        (f"D92 round {number} at {n}", MAXIMUS, None, {"players": n, "cards": 60 // n, "number": number}, fixed(suit))
        for n in (3, 4, 5, 6)
        for number, suit in enumerate("BRGY", start=1)
    ),
    ("D92 round 5", MAXIMUS, None, {"cards": 15, "number": 5}, none_by("trump_fixed_none")),
    (
        "D92 round 5 with the dealer's choice",
        HouseRules(variant="maximus", last_round_dealer_trump=True),
        None,
        {"cards": 15, "number": 5},
        none_by("trump_fixed_none"),
    ),
    (
        "D92 D93 the werewolf finds nothing to swap",
        HouseRules(variant="maximus", specials=SPECIALS, specials_in_variants=True),
        None,
        {"cards": 15, "number": 2, "werewolf": 1},
        fixed("R"),
    ),
]


@pytest.mark.parametrize(("case", "house", "turned_up", "given", "expected"), CALLS, ids=[row[0] for row in CALLS])
def test_decision_who_names_trump(case, house, turned_up, given, expected: TrumpCall) -> None:
    came = call(house, turned_up, **given)
    assert came == expected
    assert came.is_pending == (expected.choices != ())
    assert {type(suit) for suit in (came.trump, *came.choices)} <= {Suit, type(None)}


# Decision, house rules, card turned up, what else is given, what is wrong.
WRONG: list[tuple[str, HouseRules, str | None, dict[str, Any], list[Problem]]] = [
    ("missing", PLAIN, None, {}, [Problem.of("turned_up_missing")]),
    ("missing in the last round with specials", ALL_IN, None, {"cards": 15}, [Problem.of("turned_up_missing")]),
    ("C2 not left", PLAIN, "R7", {"cards": 15}, [Problem.of("turned_up_not_left")]),
    ("D91 not left", SINGLE_SUIT, "R7", {"cards": 4}, [Problem.of("turned_up_not_left")]),
    ("D92 not left", MAXIMUS, "R7", {"cards": 15}, [Problem.of("turned_up_not_left")]),
    ("of another deck", PLAIN, "HQ", {}, [Problem.of("card_not_in_deck", card="HQ")]),
    ("of another deck, wizard", FRENCH, "W", {}, [Problem.of("card_not_in_deck", card="W")]),
    ("ordinary pack has no werewolf", FRENCH, "H3", {"werewolf": 0}, [Problem.of("werewolf_not_in_deck")]),
    ("D02 special card not chosen", PLAIN, "BOMB", {}, [Problem.of("card_not_in_deck", card="BOMB")]),
    ("as played", ALL_IN, "CLOUD:R", {}, [Problem.of("card_not_in_deck", card="CLOUD:R")]),
    (
        "D12 werewolf held and turned up",
        ALL_IN,
        "WEREWOLF",
        {"werewolf": 0},
        [Problem.of("too_many_of_card", card="WEREWOLF", count=2, in_deck=1)],
    ),
    ("D12 werewolf not chosen", PLAIN, "R7", {"werewolf": 0}, [Problem.of("werewolf_not_in_deck")]),
    (
        "all at once",
        PLAIN,
        "BOMB",
        {"cards": 15, "werewolf": 0},
        [
            Problem.of("card_not_in_deck", card="BOMB"),
            Problem.of("turned_up_not_left"),
            Problem.of("werewolf_not_in_deck"),
        ],
    ),
    (
        "missing, and no werewolf",
        PLAIN,
        None,
        {"werewolf": 2},
        [Problem.of("turned_up_missing"), Problem.of("werewolf_not_in_deck")],
    ),
]


@pytest.mark.parametrize(("case", "house", "turned_up", "given", "problems"), WRONG, ids=[row[0] for row in WRONG])
def test_trump_call_refuses_what_cannot_lie_there(case, house, turned_up, given, problems) -> None:
    with pytest.raises(RulesError) as caught:
        call(house, turned_up, **given)
    assert list(caught.value.problems) == problems


def test_trump_problems_are_sentences() -> None:
    last, middle = (plan_of(PLAIN, 4, number=cards, cards=cards) for cards in (15, 5))
    found = (
        *trump_problems(PLAIN, last, turned_up=Card.parse("BOMB"), werewolf=1),
        *trump_problems(PLAIN, middle, turned_up=None),
        *trump_problems(ALL_IN, middle, turned_up=Card.parse("WEREWOLF"), werewolf=1),
    )
    assert [problem.message for problem in found] == [
        "BOMB is not in this deck.",
        "No card is turned up in this round.",
        "The werewolf is not in this deck.",
        "A card is left in this round: it has to be turned up.",
        "WEREWOLF is there 2 times; the deck has 1.",
    ]


def test_trump_problems_are_none_for_what_is_in_order() -> None:
    step = plan_of(ALL_IN, 4, number=5, cards=5)
    assert trump_problems(ALL_IN, step, turned_up=Card.parse("W"), werewolf=1) == ()


# D08-D13: what may be named.
CHOICES = [
    ("D08 wizard", lambda: call(PLAIN, "W"), PLAIN, COLOURS),
    ("D08 ordinary pack", lambda: call(FRENCH, "SA"), FRENCH, FRENCH_SUITS),
    ("D09 dealer's choice", lambda: call(DEALER_NAMES, None, cards=15), DEALER_NAMES, COLOURS),
    ("D10 dragon", lambda: call(ALL_IN, "DRAGON"), ALL_IN, COLOURS),
    ("D12 werewolf", lambda: call(ALL_IN, "R7", werewolf=1), ALL_IN, (*COLOURS, None)),
    ("D12 C13 werewolf has to name a suit", lambda: call(MUST_NAME, "R7", werewolf=1), MUST_NAME, COLOURS),
    ("D06 number card", lambda: call(PLAIN, "R7"), PLAIN, ()),
    ("D07 jester", lambda: call(PLAIN, "J"), PLAIN, ()),
    ("D11 bomb, newer reading", lambda: call(WEAK_NO_TRUMP, "BOMB"), WEAK_NO_TRUMP, ()),
    ("D17 nothing left", lambda: call(BY_DECK, None, players=3, cards=22, werewolf=0), BY_DECK, ()),
    ("D92 fixed", lambda: call(MAXIMUS, None, cards=15, number=1), MAXIMUS, ()),
]


@pytest.mark.parametrize("choice", [*Suit, None])
@pytest.mark.parametrize(("case", "called", "house", "allowed"), CHOICES, ids=[row[0] for row in CHOICES])
def test_decision_what_may_be_named(case, called, house: HouseRules, allowed, choice: Suit | None) -> None:
    pending = called()
    if choice in allowed:
        named = choose_trump(house, pending, choice)
        assert named == TrumpCall(choice, pending.reason, pending.chooser, (), pending.swap)
        assert not named.is_pending
        with pytest.raises(RulesError) as caught:  # D13: nothing is chosen twice
            choose_trump(house, named, choice)
        assert caught.value.problems == (Problem.of("choice_not_allowed"),)
        return
    if not allowed:
        problem = Problem.of("choice_not_allowed")
    elif choice is None:
        problem = Problem.of("no_trump_not_allowed")
    else:
        problem = Problem.of("suit_not_in_deck", suit=str(choice), deck=house.deck)
    assert choice_problems(house, pending, choice) == (problem,)
    with pytest.raises(RulesError) as caught:
        choose_trump(house, pending, choice)
    assert caught.value.problems == (problem,)


def test_choice_problems_are_sentences() -> None:
    pending = call(PLAIN, "W")
    found = [choice_problems(PLAIN, pending, choice)[0] for choice in (None, Suit.H)]
    found += choice_problems(PLAIN, call(PLAIN, "J"), None)
    assert [problem.message for problem in found] == [
        "A suit has to be named here: no trump is not on offer.",
        "H is no suit of the deck wizard60.",
        "Nobody has a trump to choose here.",
    ]


@st.composite
def deals(draw: st.DrawFn) -> tuple[HouseRules, RoundPlan, dict[str, Any]]:
    """House rules, a round of theirs, and what is turned up and who holds the werewolf, as it may be."""
    house, players = draw(playable())
    flags = {
        name: draw(st.booleans())
        for name in ("weak_specials_no_trump", "werewolf_may_choose_no_trump", "last_round_dealer_trump")
    }
    house = HouseRules(**{**house.to_mapping(), **flags, "specials": house.specials})
    most = len(deck_of(house)) // players
    step = plan_of(house, players, number=draw(st.integers(1, 22)), cards=draw(st.integers(1, most) | st.just(most)))
    turned_up = draw(st.sampled_from(deck_of(house))) if step.turned_up else None
    held = "WEREWOLF" in house.specials and turned_up != Card.parse("WEREWOLF") and draw(st.booleans())
    werewolf = draw(st.integers(0, players - 1)) if held else None
    dealer = draw(st.integers(0, players - 1))
    return house, step, {"dealer": dealer, "turned_up": turned_up, "werewolf": werewolf}


@PROPERTY
@given(deals())
def test_trump_call_is_pending_exactly_if_somebody_has_choices(deal) -> None:
    house, step, lying = deal
    came = trump_call(house, step, **lying)
    swapped = step.turned_up and lying["werewolf"] is not None
    assert came.is_pending == (came.choices != ()) == (came.chooser is not None)
    assert came.trump is None or not came.is_pending
    assert came.chooser in (None, lying["werewolf"] if swapped else lying["dealer"])
    assert came.swap == ((lying["werewolf"], lying["turned_up"]) if swapped else None)
    assert (None in came.choices) == (swapped and house.werewolf_may_choose_no_trump)
    assert came.reason.message


@PROPERTY
@given(deals())
def test_choose_trump_accepts_exactly_the_choices(deal) -> None:
    house, step, lying = deal
    came = trump_call(house, step, **lying)
    accepted = [choice for choice in (*Suit, None) if choice_problems(house, came, choice) == ()]
    assert sorted(map(str, accepted)) == sorted(map(str, came.choices))
    for choice in accepted:
        assert choose_trump(house, came, choice).trump is choice


@PROPERTY
@given(deals(), st.sampled_from([*CARDS, None]), st.none() | st.integers(0, 5))
def test_trump_call_exists_exactly_without_problems(deal, turned_up: Card | None, werewolf: int | None) -> None:
    house, step, _lying = deal
    problems = trump_problems(house, step, turned_up=turned_up, werewolf=werewolf)
    fits = (turned_up in deck_of(house)) if step.turned_up else turned_up is None
    held = werewolf is None or ("WEREWOLF" in house.specials and str(turned_up) != "WEREWOLF")
    assert (problems == ()) == (fits and held)
    if problems:
        with pytest.raises(RulesError) as caught:
            trump_call(house, step, dealer=0, turned_up=turned_up, werewolf=werewolf)
        assert caught.value.problems == problems
    else:
        assert trump_call(house, step, dealer=0, turned_up=turned_up, werewolf=werewolf).reason.message


@PROPERTY
@given(deals())
def test_number_card_turned_up_is_trump_unless_the_werewolf_takes_it(deal) -> None:
    house, step, lying = deal
    came = trump_call(house, step, **lying)
    card = lying["turned_up"]
    if card is not None and lying["werewolf"] is None:
        assert came.trump == (card.suit if card.kind is Kind.NUMBER else None)
