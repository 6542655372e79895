"""The rules pages as data: no rule, card or reason without a place and words, in both languages."""

from dataclasses import fields

import pytest
from django.utils import translation

import rules
from scoresheets import rulebook
from scoresheets.templatetags.rulebook import card, rule_line, rule_name, rule_path, suit

FIELDS = {field.name for field in fields(rules.HouseRules)}
#: What each table of words has to speak of.
SPOKEN_OF = {
    "FIELDS": FIELDS,
    "VARIANT_WORDS": set(rules.VARIANTS),
    "DECKS": set(rules.DECKS),
    "LADDERS": set(rules.LADDERS),
    "TIE_BREAKS": set(rules.TIE_BREAKS),
    "SPECIALS": set(rules.SPECIALS),
    "PRESETS": set(rules.PRESETS),
}
TOPICS = set().union(*SPOKEN_OF.values(), rules.REASONS, {"wizard", "jester"})
ADDRESSES = ("/rules/", "/rules/special-cards/", "/rules/variants/", "/rules/rounds/", "/rules/tips/")
TABLES = [(table, name) for table, names in SPOKEN_OF.items() for name in sorted(names)]


@pytest.fixture(autouse=True)
def in_english():
    """Speak English, whichever language the request of an earlier test has left."""
    with translation.override("en"):
        yield


def words_of(table: str, name: str) -> rulebook.Words:
    return getattr(rulebook, table)[name]


def test_every_rule_variant_card_and_reason_has_a_place_and_nothing_else_has():
    assert set(rulebook.PLACES) == TOPICS


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_path_leads_to_a_page_of_the_rules_and_a_place_on_it(topic):
    path, hash_, anchor = rule_path(topic).partition("#")

    assert (path, hash_) in {(address, "#") for address in ADDRESSES}
    assert anchor


@pytest.mark.parametrize("tag", [rule_path, rule_name, rule_line])
@pytest.mark.parametrize("topic", ["", "no_such_rule", "dragon", "WITCH"])
def test_unknown_topic_is_an_error(tag, topic):
    with pytest.raises(KeyError):
        tag(topic)


@pytest.mark.parametrize("table", SPOKEN_OF)
def test_every_name_the_rules_know_has_words_and_no_other_has(table):
    assert set(getattr(rulebook, table)) == SPOKEN_OF[table]


@pytest.mark.parametrize(("table", "name"), TABLES)
def test_line_is_one_short_sentence_or_two_in_each_language(table, name):
    words = words_of(table, name)
    said = {}
    for language in ("en", "de"):
        with translation.override(language):
            said[language] = (str(words.name), str(words.line))

    assert said["en"][1] != said["de"][1]
    for title, line in said.values():
        assert 0 < len(title) <= 45
        assert 0 < len(line) <= 110
        assert line.endswith(".")


def test_names_differ_within_a_table():
    for language in ("en", "de"):
        with translation.override(language):
            for table, names in SPOKEN_OF.items():
                assert len({str(words_of(table, name).name) for name in names}) == len(names), (table, language)


@pytest.mark.parametrize(("table", "name"), [pair for pair in TABLES if pair != ("PRESETS", "tournament")])
def test_tags_say_the_words_of_a_topic(table, name):
    """The name "tournament" means two things: the tags speak of the ladder."""
    assert (rule_name(name), rule_line(name)) == (words_of(table, name).name, words_of(table, name).line)


def test_line_of_the_single_suit_variant_says_its_plan():
    plans = rules.round_plans(rules.HouseRules(variant="einfarbig"), 3)

    assert f"{len(plans)} rounds with {plans[0].cards} to {plans[-1].cards} cards" in str(rule_line("einfarbig"))


def test_lines_of_juggler_and_cloud_say_their_values():
    assert "7½" in str(rule_line("JUGGLER"))
    assert "9¾" in str(rule_line("CLOUD"))
    steps = rules.trick_steps([rules.Card.parse("JUGGLER:R"), rules.Card.parse("CLOUD:R")], None)
    assert [step.args["value"] for step in steps if step.code == "value_in_suit"] == ["7.5", "9.75"]


@pytest.mark.parametrize(
    ("preset", "weak_has_trump", "full_bid_may_rise"), [("2021", True, False), ("2026", False, True)]
)
def test_lines_of_the_editions_say_what_their_house_rules_do(preset, weak_has_trump, full_bid_may_rise):
    house = rules.PRESETS[preset].house
    line = str(rule_line(preset))

    assert house.weak_specials_no_trump is not weak_has_trump
    assert ("no trump" in line) is not weak_has_trump
    assert house.cloud_upper_clamp is not full_bid_may_rise
    assert ("may raise" in line) is full_bid_may_rise


def test_line_of_the_tournament_says_its_ladder():
    preset = rules.PRESETS["tournament"]

    assert preset == rules.Preset(rules.HouseRules(), "tournament")
    lengths = {len(rules.round_plans(preset.house, players, ladder=preset.ladder)) for players in (3, 4, 5)}
    assert lengths == {10}
    assert "10 rounds of the tournament ladder" in str(rulebook.PRESETS["tournament"].line)


# -- examples ------------------------------------------------------------------------------------------------------


def test_every_play_of_the_example_round_is_legal_and_all_cards_are_played():
    hands = [[rules.Card.parse(notation) for notation in hand] for hand in rulebook.EXAMPLE_HANDS]
    trump = rules.Card.parse(rulebook.EXAMPLE_TURNED_UP).suit
    leader = 0
    for cards, _line in rulebook.EXAMPLE_TRICKS:
        trick: list[rules.Card] = []
        for place, notation in enumerate(cards):
            hand = hands[(leader + place) % len(hands)]
            played = rules.Card.parse(notation)
            assert rules.play_problems(hand, trick, played) == ()
            hand.remove(played)
            trick.append(played)
        leader = (leader + rules.trick_outcome(trick, trump).next_leader) % len(hands)

    assert hands == [[], [], []]


def test_cards_of_the_example_round_are_in_the_deck():
    used = [rulebook.EXAMPLE_TURNED_UP, *(card for hand in rulebook.EXAMPLE_HANDS for card in hand)]
    deck = [str(card) for card in rules.deck_of(rules.HouseRules())]

    assert all(used.count(card) <= deck.count(card) for card in used)
    assert all(len(hand) == len(rulebook.EXAMPLE_TRICKS) for hand in rulebook.EXAMPLE_HANDS)


@pytest.mark.parametrize("trick", rulebook.TRICKS, ids=lambda trick: "-".join(trick.cards))
def test_example_trick_can_be_dealt(trick):
    house = rules.HouseRules(specials=rules.SPECIALS)
    deck = [str(card) for card in rules.deck_of(house)]
    played = [str(rules.Card.parse(notation).undeclared) for notation in trick.cards]

    assert all(played.count(card) <= deck.count(card) for card in played)


@pytest.mark.parametrize("letter", ["B", "R", "G", "Y", None])
def test_suit_has_a_shape_of_its_own_and_its_word(letter):
    shown = {other: suit(other) for other in ("B", "R", "G", "Y", None)}

    assert [other for other, html in shown.items() if html == shown[letter]] == [letter]
    word = {"B": "blue", "R": "red", "G": "green", "Y": "yellow", None: "no trump"}[letter]
    assert shown[letter].endswith(f" {word}</span>")


def test_card_shows_number_or_name_and_says_its_suit():
    assert '<span class="vh">red </span>7</span>' in card("R7")
    assert card("W") == '<span class="rb-card">Wizard</span>'
    assert '<span class="vh">green </span>Juggler</span>' in card("JUGGLER:G")
    with pytest.raises(rules.RulesError):
        card("R14")
