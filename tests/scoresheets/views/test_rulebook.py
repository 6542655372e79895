"""The pages of the rules: every topic is there, every number is the rules' own, and the ways to them."""

import itertools
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

import rules
from scoresheets import rulebook
from scoresheets.templatetags.rulebook import rule_path
from tests.scoresheets.factories import client_for, make_game
from tests.scoresheets.pages import read
from tests.tools.translations import CATALOGUE, ROOT, read_catalogue

ROUTES = [page.route for page in rulebook.PAGES]
LANGUAGES = ("en", "de")


def answer(route, language="en"):
    response = Client(headers={"accept-language": language}).get(reverse(route))
    assert response.status_code == 200
    return response


@pytest.fixture(scope="module")
def shown():
    """Return each page's elements by route and language. No test here may ask the database for them."""
    return {(route, language): read(answer(route, language)) for route in ROUTES for language in LANGUAGES}


def table(page, name):
    """Return the rows of the table with this caption, each cell as text."""
    (found,) = [found for found in page.all("table") if found.one("caption").text == name]
    body = found.one("tbody")
    return [[cell.text for cell in row.walk() if cell.tag in {"th", "td"}] for row in body.all("tr")]


# -- topics and structure ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", sorted(rulebook.PLACES))
def test_every_topic_is_explained_where_its_path_leads(shown, topic, language):
    route, anchor = rulebook.PLACES[topic]
    assert rule_path(topic) == f"{reverse(route)}#{anchor}"

    (place,) = shown[route, language].all(id=anchor)

    assert place.tag in {"p", "li", "tr", "h2", "h3", "div"}
    assert len(place.text) >= len("Fee")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", rulebook.PAGES, ids=ROUTES)
def test_contents_name_every_section_in_order(shown, page, language):
    root = shown[page.route, language]
    contents = [(link["href"], link.text) for link in root.one("nav", class_="rb-toc").all("a")]
    headings = [(f"#{heading['id']}", heading.text) for heading in root.all("h2")]

    assert contents == headings
    assert [href for href, _title in headings] == [f"#{anchor}" for anchor in page.sections]
    for section in root.all("section"):
        assert section["aria-labelledby"] == section.one("h2")["id"]


@pytest.mark.parametrize("route", ROUTES)
def test_headings_step_down_one_level_at_a_time(shown, route):
    levels = [int(element.tag[1]) for element in shown[route, "en"].walk() if re.fullmatch(r"h\d", element.tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("route", ROUTES)
def test_every_page_leads_to_the_others_and_back(shown, route):
    root = shown[route, "en"]
    pages = root.one("nav", class_="rb-pages")

    assert [link["href"] for link in pages.all("a")] == [reverse(other) for other in ROUTES]
    assert [link["href"] for link in pages.all("a", aria_current="page")] == [reverse(route)]
    assert root.one("header").all("a")[0]["href"] == "/"


def test_every_link_within_the_rules_leads_to_a_place_that_exists(shown):
    ids = {
        reverse(route): {element["id"] for element in root.walk() if "id" in element.attrs}
        for (route, language), root in shown.items()
        if language == "en"
    }
    for route in ROUTES:
        for link in shown[route, "en"].one("main").all("a"):
            path, _hash, anchor = link["href"].partition("#")
            known = ids[path or reverse(route)]
            assert not anchor or anchor in known, link["href"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_speak_one_language(shown, language):
    messages = read_catalogue((ROOT / CATALOGUE).read_text(encoding="utf-8"))
    originals = {message.msgid for message in messages if message.msgid_plural is None}
    translations = {message.translations[0] for message in messages if message.msgid_plural is None}
    own, other = (translations, originals) if language == "de" else (originals, translations)
    own_pieces, other_pieces = pieces(own), pieces(other)

    for route in ROUTES:
        text = shown[route, language].one("main").text
        assert {piece for piece in other_pieces - own_pieces if piece in text} == set(), route
        assert len([piece for piece in own_pieces - other_pieces if piece in text]) > 10, route


def pieces(texts):
    """Return what stands between placeholders and tags, where it is long enough to be told from the rest."""
    found = (piece.strip() for text in texts for piece in re.split(r"%\(\w+\)s|</?\w+>", text))
    return {piece for piece in found if len(piece) > 15}


# -- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("Wizard deck", ["3 20 1–20 19 0 210", "4 15 1–15 14 0 120", "5 12 1–12 11 0 78", "6 10 1–10 9 0 55"]),
        ("Special cards", ["3 20 1–20 20 7 210", "4 15 1–15 15 7 120", "5 12 1–12 12 7 78", "6 10 1–10 10 7 55"]),
        ("Ordinary pack", ["3 17 1–17 17 1 153", "4 13 1–13 12 0 91", "5 10 1–10 10 2 55", "6 8 1–8 8 4 36"]),
        ("Single-suit", ["3 12 4–15 114", "4 12 4–15 114"]),
        ("Wizard Maximus", ["3 5 20 100", "4 5 15 75", "5 5 12 60", "6 5 10 50"]),
        (
            "Tournament ladder",
            [
                "3 2, 4, 6, 8, 10, 12, 14, 16, 18, 20",
                "4 1, 3, 5, 7, 9, 11, 12, 13, 14, 15",
                "5 2, 4, 5, 6, 7, 8, 9, 10, 11, 12",
                "6 There is no ladder.",
            ],
        ),
        (
            "Special cards add rounds",
            [
                "60 + 0 20 (0) 15 (0) 12 (0) 10 (0)",
                "60 + 1 20 (1) 15 (1) 12 (1) 10 (1)",
                "60 + 2 20 (2) 15 (2) 12 (2) 10 (2)",
                "60 + 3 21 (0) 15 (3) 12 (3) 10 (3)",
                "60 + 4 21 (1) 16 (0) 12 (4) 10 (4)",
                "60 + 5 21 (2) 16 (1) 13 (0) 10 (5)",
                "60 + 6 22 (0) 16 (2) 13 (1) 11 (0)",
                "60 + 7 22 (1) 16 (3) 13 (2) 11 (1)",
            ],
        ),
    ],
)
def test_round_plans_are_those_of_the_rule_books(shown, name, rows):
    """Known answers: RULES.md section 4."""
    assert [" ".join(row) for row in table(shown["rules_rounds", "en"], name)] == rows


@pytest.mark.parametrize("route", ["rules_rounds", "rules_variants"])
def test_trumps_of_maximus_stand_round_by_round(shown, route):
    trumps = [item.text for item in shown[route, "en"].one("ol", class_="rb-trumps").all("li")]

    assert trumps == ["Round 1 blue", "Round 2 red", "Round 3 green", "Round 4 yellow", "Round 5 no trump"]


def test_points_are_those_of_the_rule_books(shown):
    page = shown["rules", "en"]

    assert table(page, "Points by bid and tricks") == [
        ["0", "0", "+20"],
        ["1", "1", "+30"],
        ["4", "4", "+60"],
        ["3", "2", "−10"],
        ["0", "1", "−10"],
        ["1", "4", "−30"],
    ]
    assert table(page, "Points with the cloud and blind bids") == [
        ["2, Cloud +1", "3", "3", "+50"],
        ["1, blind", "1", "1", "+60"],
        ["1, blind", "1", "0", "−20"],
    ]


def test_example_round_ends_as_its_words_say(shown):
    page = shown["rules", "en"]

    assert table(page, "Points of the example") == [
        ["Bernd", "0", "0", "+20"],
        ["Cem", "1", "1", "+30"],
        ["Annika", "2", "1", "−10"],
    ]
    *_tricks, first, second = [cards.one("li", class_="is-best") for cards in page.all("ol", class_="rb-cards")]
    assert (first.text, second.text) == ("AnnikaWizard takes the trick", "Cem green 2 takes the trick")


def test_example_tricks_mark_the_card_that_takes_them(shown):
    tricks = shown["rules", "en"].one("ul", class_="rb-tricks").all("ol", class_="rb-cards")
    best = [[place for place, card in enumerate(trick.all("li")) if card.has(class_="is-best")] for trick in tricks]

    assert best == [[2], [0], [2], [1], [0], [2], [2]]


def test_suits_and_their_peoples(shown):
    assert table(shown["rules", "de"], "Die Farben und ihre Völker") == [
        ["blau", "Menschen"],
        ["rot", "Zwerge"],
        ["grün", "Elfen"],
        ["gelb", "Riesen"],
    ]


def test_numbers_in_sentences(shown):
    game, variants = (shown[route, "en"].one("main").text for route in ("rules", "rules_variants"))

    for sentence in (
        "For 3 to 6 people.",
        "The pack has 60 cards: number cards from 1 to 13 in four suits, 4 wizards and 4 jesters.",
        "Up to 7 special cards can be added.",
        "20 points, and 10 more for each trick taken.",
        "10 points off for each trick over or under the bid.",
    ):
        assert sentence in game
    for sentence in (
        "5 cards each, the others bid 4 together. The dealer may bid anything but 1.",
        "bid 1 blind and made it, +60 points. Bid 2 blind and took one trick, −20 points.",
        "a wizard and a jester: 15 cards.",
        "4 cards in round 1, one more each round. In round 12, the last one, all 15 are in hand.",
        "Take 52 cards without jokers.",
    ):
        assert sentence in variants


@pytest.mark.parametrize(
    ("house", "sentence"),
    [
        (rules.HouseRules(secret_bids=True, hidden_bids=True), "secret bids with hidden bids"),
        (rules.HouseRules(secret_bids=True, plus_minus_one=True), "secret bids with “Bids never add up”"),
        (rules.HouseRules(deck="french52", variant="maximus"), "without special cards, single-suit and Maximus"),
        (rules.HouseRules(deck="french52", variant="einfarbig"), "without special cards, single-suit and Maximus"),
        (rules.HouseRules(deck="french52", specials=("BOMB",)), "without special cards, single-suit and Maximus"),
        (rules.HouseRules(specials=("BOMB",), clairvoyance=True), "do not go with clairvoyance, single-suit"),
        (rules.HouseRules(specials=("BOMB",), variant="maximus"), "do not go with clairvoyance, single-suit"),
    ],
)
def test_what_does_not_go_together_is_what_the_rules_refuse(shown, house, sentence):
    assert rules.house_rules_problems(house) != ()
    assert sentence in shown["rules_variants", "en"].one("main").text


# -- headers and cost ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ROUTES)
def test_page_may_be_kept_by_the_device_that_asked(route):
    response = answer(route)

    assert response["Cache-Control"] == "private, max-age=600"
    assert {"Cookie", "Accept-Language"} <= set(response["Vary"].split(", "))


@pytest.mark.django_db
@pytest.mark.parametrize("route", ROUTES)
def test_page_asks_the_database_nothing(route, django_assert_num_queries):
    client = client_for(make_game(seats=3))

    with django_assert_num_queries(0):
        client.get(reverse(route))


@pytest.mark.parametrize("route", ROUTES)
def test_only_these_pages_load_their_stylesheet(shown, route):
    sheets = [link["href"] for link in shown[route, "en"].all("link", rel="stylesheet")]

    assert ["rulebook" in href for href in sheets] == [False, True]


@pytest.mark.django_db
def test_other_pages_load_no_stylesheet_of_the_rules():
    game = make_game(seats=3)
    client = client_for(game)

    for address in ("/", "/games/new/", f"/games/{game.pk}/"):
        assert "rulebook" not in "".join(link["href"] for link in read(client.get(address)).all("link"))


# -- ways to the rules ---------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("names", [[], ["Annika", "Bernd", "Cem"]])
def test_new_game_links_each_option_to_its_rule_in_a_new_tab(names):
    page = read(Client().post("/games/new/", {"name": names}))
    links = page.one("form").all("a")

    by_group = [
        *("tournament", "plus_minus_one"),
        *rules.PRESETS,
        *(
            *rules.SPECIALS,
            "cloud_upper_clamp",
            "allow_lone_dragon_or_fairy",
            "rounds_from_deck",
            "specials_in_variants",
        ),
        *("hidden_bids", "secret_bids", "blind_bids"),
        *("weak_specials_no_trump", "werewolf_may_choose_no_trump", "last_round_dealer_trump"),
        *("french52", "einfarbig", "maximus", "clairvoyance", "tie_break"),
    ]
    assert [(link["href"], link["target"], link["rel"]) for link in links] == [
        (rule_path(topic), "_blank", "noopener") for topic in by_group
    ]
    assert all(link.text.endswith("(opens in a new tab)") for link in links)
    flags = {name for name, value in rules.HouseRules().to_mapping().items() if isinstance(value, bool)}
    assert flags <= set(by_group)
    for label in page.all("label"):
        assert label.all("a") == []


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_new_game_and_rules_call_a_rule_by_the_same_words(shown, language):
    page = read(Client(headers={"accept-language": language}).get("/games/new/"))
    with translation.override(language):
        for topic in ("plus_minus_one",):
            words = rulebook.FIELDS[topic]
            assert f"{words.name}{words.line}" in page.one("main").text
            assert str(words.line) in shown["rules_variants", language].one("main").text


@pytest.mark.django_db
def test_start_page_and_every_menu_lead_to_the_rules():
    game = make_game(seats=3)
    client = client_for(game)

    assert "/rules/" in [link["href"] for link in read(client.get("/")).one("main").all("a")]
    for address in ("/", f"/games/{game.pk}/", f"/games/{game.pk}/sheet/", "/rules/", "/rules/tips/"):
        menu = read(client.get(address)).one("details", class_="menu")
        assert [link.text for link in menu.all("a", href="/rules/")] == ["Rules"], address
