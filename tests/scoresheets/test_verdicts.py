"""Cards and reasons in words: every code, both languages, with the values that the rules give."""

from __future__ import annotations

import ast
import inspect
import re
import string

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import tricks
from rules.cards import CARDS
from scoresheets import verdicts
from scoresheets.forms import referee
from scoresheets.templatetags.rulebook import rule_path

LANGUAGES = ("en", "de")
NAMES = ("Emre", "Fenja", "Gustav", "Hilke", "Ilja", "Jonna")
#: Values for each param that a reason can have; a new param of `rules.REASONS` needs some here.
VALUES: dict[str, tuple[int | str, ...]] = {
    "card": ("R9", "W", "CLOUD:R", "SHAPESHIFTER:J", "WEREWOLF", "HA", "HQ", "H2"),
    "suit": tuple(rules.Suit),
    "role": ("W", "J"),
    "place": (1, 3, 6),
    "value": ("7.5", "9.75"),
    "said": (1, 3),
    "bid": (2, 0),
    "taken": (1, 2),
    "off": (1, 2),
    "points": (-20, 30),
}
#: Params that the rules give in every reason of a code, beyond those of its English template.
UNSAID = {"take_wizard": ("card",), "take_first_wizard": ("card",), "cloud_changes_bid": ("place",)}


def params_of(code: str) -> list[str]:
    fields = (field for _, field, _, _ in string.Formatter().parse(rules.REASONS[code]) if field)
    return list(dict.fromkeys((*fields, *UNSAID.get(code, ()))))


def examples(code: str) -> list[rules.Reason]:
    """Return reasons of this code: the first value of every param, then one param after the other with its others."""
    params = params_of(code)
    first = {param: VALUES[param][0] for param in params}
    varied = [first | {param: value} for param in params for value in VALUES[param][1:]]
    return [rules.Reason.of(code, **values) for values in (first, *varied)]


def said(reason: rules.Reason, language: str = "en", names=NAMES) -> str:
    with translation.override(language):
        return verdicts.reason_in_words(reason, names=names)


@pytest.mark.parametrize("code", rules.REASONS)
def test_every_reason_has_words_of_its_own_in_both_languages(code):
    assert code in verdicts._REASONS, f"{code} speaks English only: give it words in verdicts._REASONS"
    for reason in examples(code):
        english, german = (said(reason, language) for language in LANGUAGES)
        assert english != german
        for sentence in (english, german):
            assert re.fullmatch(r"[^\s%{}](?:[^%{}\n]*[^\s%{}])?\.", sentence), sentence
            assert code not in sentence


def test_no_reason_has_words_that_the_rules_do_not_know():
    assert set(verdicts._REASONS) == set(rules.REASONS)


@given(
    st.lists(st.sampled_from([card for card in CARDS if card.is_declared]), min_size=1, max_size=6),
    st.sampled_from([None, *rules.Suit]),
    st.booleans(),
    st.booleans(),
)
def test_rules_give_the_params_that_the_examples_have(trick, trump, single_suit, last_trick):
    """Else an example could have a param that no reason at a table has, and its words would fail there."""
    for reason in rules.trick_steps(trick, trump, single_suit=single_suit, last_trick=last_trick):
        assert set(reason.args) >= set(params_of(reason.code))
        assert "%(" not in said(reason)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(-1, 1), st.booleans())
def test_reasons_for_points_have_the_params_that_the_examples_have(bid, taken, cloud, blind):
    cell = rules.Cell(bid=bid, tricks=taken, points=10, cloud_delta=cloud, blind=blind)

    assert set(cell.points_reason.args) >= set(params_of(cell.points_reason.code))


def test_points_carry_the_real_minus():
    reason = rules.Reason.of("points_missed", said=1, bid=1, taken=3, off=2, points=-20)

    assert said(reason) == "Bid 1, took 3: off by 2. 10 less for each makes −20."
    assert said(reason, "de") == "Angesagt 1, gemacht 3: um 2 verfehlt. Je 10 weniger macht −20."


@pytest.mark.parametrize("code", [code for code in rules.REASONS if not code.startswith("points_")])
def test_every_reason_of_a_trick_leads_to_a_paragraph_of_the_rules(code):
    assert "#" in rule_path(code)


def test_reason_without_words_still_says_something(monkeypatch):
    monkeypatch.setattr(verdicts, "_REASONS", {})

    assert said(rules.Reason.of("take_trump", card="R9", suit="R")) == "R9 is the only trump."


@pytest.mark.parametrize(
    ("notation", "english", "german"),
    [
        ("R9", "Red 9", "Rot 9"),
        ("B1", "Blue 1", "Blau 1"),
        ("G13", "Green 13", "Grün 13"),
        ("Y7", "Yellow 7", "Gelb 7"),
        ("W", "Wizard", "Zauberer"),
        ("J", "Jester", "Narr"),
        ("DRAGON", "Dragon", "Drache"),
        ("FAIRY", "Fairy", "Fee"),
        ("BOMB", "Bomb", "Bombe"),
        ("WEREWOLF", "Werewolf", "Werwolf"),
        ("JUGGLER", "Juggler", "Jongleur"),
        ("JUGGLER:Y", "Juggler as yellow 7½", "Jongleur als Gelb 7½"),
        ("CLOUD:R", "Cloud as red 9¾", "Wolke als Rot 9¾"),
        ("SHAPESHIFTER", "Shapeshifter", "Gestaltenwandler"),
        ("SHAPESHIFTER:W", "Shapeshifter as wizard", "Gestaltenwandler als Zauberer"),
        ("SHAPESHIFTER:J", "Shapeshifter as jester", "Gestaltenwandler als Narr"),
        ("H10", "10 of hearts", "Herz-10"),
        ("DJ", "Jack of diamonds", "Karo-Bube"),
        ("HQ", "Queen of hearts", "Herz-Dame"),
        ("CK", "King of clubs", "Kreuz-König"),
        ("SA", "Ace of spades", "Pik-Ass"),
        ("S2", "2 of spades", "Pik-2"),
    ],
)
def test_card_name(notation, english, german):
    names = []
    for language in LANGUAGES:
        with translation.override(language):
            names.append(verdicts.card_name(rules.Card.parse(notation)))

    assert names == [english, german]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cards_have_the_same_name(language):
    with translation.override(language):
        names = [verdicts.card_name(card) for card in CARDS]

    assert len(set(names)) == len(CARDS)


def test_signs_of_the_ordinary_pack_are_those_of_the_country():
    signs = {}
    for language in LANGUAGES:
        with translation.override(language):
            signs[language] = [verdicts.rank_sign(rules.Card.parse(card)) for card in ("H10", "HJ", "HQ", "HK", "HA")]

    assert signs == {"en": ["10", "J", "Q", "K", "A"], "de": ["10", "B", "D", "K", "A"]}
    assert verdicts.rank_sign(rules.Card.parse("R11")) == "11"


@pytest.mark.parametrize(("names", "who"), [(NAMES, "Gustav"), (NAMES[:2], "Person 3"), ((), "Person 3")])
def test_people_are_called_by_name_where_they_have_one(names, who):
    assert said(rules.Reason.of("leads_next", place=3), names=names) == f"{who} leads the next trick."


def test_names_are_not_taken_for_placeholders():
    assert said(rules.Reason.of("leads_next", place=1), names=["%(card)s %s"]) == "%(card)s %s leads the next trick."


#: Disputes of a table: cards, trump, options, and what the page says to them in either language.
DISPUTES = [
    (
        "J W R9 R12",
        rules.Suit.R,
        {},
        [
            "Nobody has to follow in this trick: Wizard came before the first suit.",
            "A wizard beats every card with a suit.",
            "Fenja leads the next trick.",
        ],
        [
            "In diesem Stich muss niemand bedienen: Zauberer kam vor der ersten Farbe.",
            "Ein Zauberer schlägt jede Karte mit einer Farbe.",
            "Fenja spielt zum nächsten Stich aus.",
        ],
    ),
    (
        "DRAGON FAIRY BOMB R3",
        None,
        {},
        [
            "Nobody has to follow in this trick: Dragon came before the first suit.",
            "The fairy beats the dragon.",
            "Without the fairy the trick would go to Emre (Dragon).",
            "Without fairy and dragon it would go to Hilke (Red 3).",
            "The bomb destroys the trick: nobody gets it.",
            "Fenja would have taken the trick and leads the next one.",
        ],
        [
            "In diesem Stich muss niemand bedienen: Drache kam vor der ersten Farbe.",
            "Die Fee schlägt den Drachen.",
            "Ohne Fee ginge der Stich an Emre (Drache).",
            "Ohne Fee und Drache ginge er an Hilke (Rot 3).",
            "Die Bombe zerstört den Stich: Niemand bekommt ihn.",
            "Fenja hätte den Stich bekommen und spielt zum nächsten aus.",
        ],
    ),
    (
        "R9 CLOUD:B R3 G1",
        rules.Suit.G,
        {},
        [
            "Red has to be followed: Red 9 set the suit.",
            "Cloud as blue 9¾ is neither of the suit led nor trump: it is thrown off.",
            "Green 1 is the only trump.",
            "The cloud is in the trick: Hilke has to change their bid by 1 at the end of the round.",
            "Hilke leads the next trick.",
        ],
        [
            "Rot ist zu bedienen: Rot 9 hat die Farbe bestimmt.",
            "Wolke als Blau 9¾ hat weder die angespielte Farbe noch Trumpf: abgeworfen.",
            "Grün 1 ist der einzige Trumpf.",
            "Die Wolke liegt im Stich: Hilke muss die eigene Ansage am Rundenende um 1 ändern.",
            "Hilke spielt zum nächsten Stich aus.",
        ],
    ),
    (
        "R7 JUGGLER:R R8",
        None,
        {"last_trick": True},
        [
            "Red has to be followed: Red 7 set the suit.",
            "Juggler as red 7½: it ranks between 7 and 8.",
            "Red 8 is the highest card of the suit led, and nobody has trumped.",
            "The juggler is in the last trick: there is nothing left to pass.",
            "That was the last trick of the round.",
        ],
        [
            "Rot ist zu bedienen: Rot 7 hat die Farbe bestimmt.",
            "Jongleur als Rot 7½: liegt zwischen 7 und 8.",
            "Rot 8 ist die höchste Karte der angespielten Farbe, und niemand hat gestochen.",
            "Der Jongleur liegt im letzten Stich: Es gibt nichts mehr weiterzugeben.",
            "Das war der letzte Stich der Runde.",
        ],
    ),
    (
        "B9 R9 G4",
        None,
        {"single_suit": True},
        [
            "Suits do not matter here: any card may be played.",
            "Blue 9 has the highest value and came before its equals; suits do not matter.",
            "Emre leads the next trick.",
        ],
        [
            "Farben zählen hier nicht: Jede Karte darf gelegt werden.",
            "Blau 9 hat den höchsten Wert und lag vor den gleich hohen Karten; Farben zählen nicht.",
            "Emre spielt zum nächsten Stich aus.",
        ],
    ),
    (
        "H9 HA HK",
        rules.Suit.S,
        {},
        [
            "Hearts has to be followed: 9 of hearts set the suit.",
            "Ace of hearts is a wizard: it beats every card with a suit and has none itself.",
            "Fenja leads the next trick.",
        ],
        [
            "Herz ist zu bedienen: Herz-9 hat die Farbe bestimmt.",
            "Herz-Ass ist ein Zauberer: Er schlägt jede Karte mit einer Farbe und hat selbst keine.",
            "Fenja spielt zum nächsten Stich aus.",
        ],
    ),
    (
        "CA HA H9",
        None,
        {},
        [
            "Nobody has to follow in this trick: Ace of clubs came before the first suit.",
            "Aces are wizards, and the first one takes the trick: Ace of clubs.",
            "Emre leads the next trick.",
        ],
        [
            "In diesem Stich muss niemand bedienen: Kreuz-Ass kam vor der ersten Farbe.",
            "Asse sind Zauberer, und der erste bekommt den Stich: Kreuz-Ass.",
            "Emre spielt zum nächsten Stich aus.",
        ],
    ),
    (
        "R2 SHAPESHIFTER:W W",
        rules.Suit.R,
        {},
        [
            "Red has to be followed: Red 2 set the suit.",
            "Shapeshifter counts as Wizard; among equals the first one counts.",
            "Of several wizards the first one takes the trick.",
            "Fenja leads the next trick.",
        ],
        [
            "Rot ist zu bedienen: Rot 2 hat die Farbe bestimmt.",
            "Gestaltenwandler zählt als Zauberer; unter Gleichen zählt die erste Karte.",
            "Von mehreren Zauberern bekommt der erste den Stich.",
            "Fenja spielt zum nächsten Stich aus.",
        ],
    ),
    (
        "FAIRY J BOMB",
        None,
        {},
        [
            "No suit is set yet: the first card with a suit sets it.",
            "Only low cards lie here, and a jester ranks highest of them.",
            "The bomb destroys the trick: nobody gets it.",
            "Fenja would have taken the trick and leads the next one.",
        ],
        [
            "Noch ist keine Farbe zu bedienen: Die erste Karte mit einer Farbe bestimmt sie.",
            "Hier liegen nur niedrige Karten, und ein Narr ist davon die höchste.",
            "Die Bombe zerstört den Stich: Niemand bekommt ihn.",
            "Fenja hätte den Stich bekommen und spielt zum nächsten aus.",
        ],
    ),
    (
        "CLOUD:Y BOMB JUGGLER:Y Y10",
        rules.Suit.B,
        {},
        [
            "Yellow has to be followed: Cloud as yellow 9¾ set the suit.",
            "Cloud as yellow 9¾: it ranks between 9 and 10.",
            "Juggler as yellow 7½: it ranks between 7 and 8.",
            "Yellow 10 is the highest card of the suit led, and nobody has trumped.",
            "The bomb destroys the trick: nobody gets it.",
            "The juggler is in the trick: everybody passes a card to the left.",
            "Cloud and bomb lie in one trick: no bid changes.",
            "Hilke would have taken the trick and leads the next one.",
        ],
        [
            "Gelb ist zu bedienen: Wolke als Gelb 9¾ hat die Farbe bestimmt.",
            "Wolke als Gelb 9¾: liegt zwischen 9 und 10.",
            "Jongleur als Gelb 7½: liegt zwischen 7 und 8.",
            "Gelb 10 ist die höchste Karte der angespielten Farbe, und niemand hat gestochen.",
            "Die Bombe zerstört den Stich: Niemand bekommt ihn.",
            "Der Jongleur liegt im Stich: Alle geben eine Karte nach links weiter.",
            "Wolke und Bombe liegen im selben Stich: Keine Ansage ändert sich.",
            "Hilke hätte den Stich bekommen und spielt zum nächsten aus.",
        ],
    ),
]


@pytest.mark.parametrize(("trick", "trump", "options", "english", "german"), DISPUTES, ids=[d[0] for d in DISPUTES])
def test_dispute_is_settled_in_words(trick, trump, options, english, german):
    steps = rules.trick_steps([rules.Card.parse(card) for card in trick.split()], trump, **options)

    assert [said(step) for step in steps] == english
    assert [said(step, "de") for step in steps] == german


REFUSALS = [
    (
        rules.Problem.of("card_undeclared", card="JUGGLER"),
        "Juggler was left out: say with it which suit it has, or whether it is a wizard or a jester.",
    ),
    (rules.Problem.of("card_not_in_deck", card="BOMB"), "Bomb was left out: it is not in this deck."),
    (
        rules.Problem.of("too_many_of_card", card="B7", count=2, in_deck=1),
        "Blue 7 already lies here, and the deck has it only once.",
    ),
    (
        rules.Problem.of("too_many_of_card", card="W", count=5, in_deck=4),
        "Wizard: all 4 of the deck already lie here.",
    ),
    (
        rules.Problem.of("trick_too_long", card="R4", players=3),
        "Red 4 was left out: at a table of 3 a trick has 3 cards.",
    ),
    (
        rules.Problem.of("suit_not_in_deck", suit="H", deck="wizard60"),
        "Hearts cannot be trump: the suit is not in this deck.",
    ),
    (
        rules.Problem.of("single_suit_table", fewest=3, most=4),
        "Single-suit is for 3 to 4 people with the Wizard deck: it was left out.",
    ),
    (rules.Problem.of("leader_unknown", number=5), "There is no person 5 at this table to lead."),
    (rules.Problem.of("left_out", typed="X9"), "“X9” is not known here and was left out."),
]


@pytest.mark.parametrize(("problem", "sentence"), REFUSALS)
def test_refusal_in_words(problem, sentence):
    with translation.override("en"):
        assert verdicts.refusal_in_words(problem) == sentence
    with translation.override("de"):
        german = verdicts.refusal_in_words(problem)
    assert german != sentence
    assert "%(" not in german


def test_every_refusal_of_the_page_has_words():
    """The codes are those of the form, and of the rules that it asks."""
    sources = (inspect.getsource(tricks.trick_problems), inspect.getsource(referee))
    raised = {
        node.args[0].value
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Problem.of")
    }

    assert raised == set(verdicts._REFUSALS) == {problem.code for problem, _sentence in REFUSALS}


def test_refusal_without_words_still_says_something():
    assert verdicts.refusal_in_words(rules.Problem.of("trick_empty")) == "There is no card in this trick yet."
