"""The rules for everybody: plans, house rules, tricks, bids and points are those of `rules`, problems say where."""

from __future__ import annotations

import csv

import pytest

import rules
from scoresheets.api.engine.codes import all_codes
from tests.scoresheets.api.helpers import Api, api_schema, operations

pytestmark = pytest.mark.django_db

COMPUTED = [name for name, (method, _path) in operations().items() if name.startswith("engine_") and method == "POST"]
GERMAN = {"Accept_Language": "de"}


def examples() -> list[tuple[str, dict]]:
    """Return the path and the body of every example in the schema."""
    return [
        (path, example["value"])
        for path, methods in api_schema()["paths"].items()
        for said in methods.values()
        if said["operationId"] in COMPUTED
        for example in said["requestBody"]["content"]["application/json"]["examples"].values()
    ]


def test_every_operation_has_an_example():
    assert {path for path, _body in examples()} == {operations()[name][1] for name in COMPUTED}


@pytest.mark.parametrize(("path", "body"), examples())
def test_examples_of_the_schema_are_answered_without_a_statement(path, body, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Api().post(path, body).status == 200


# -- plans and house rules -------------------------------------------------------------------------------------------


def test_plan_is_that_of_the_rules():
    answer = Api().post(
        "engine/plans/", {"players": 5, "house": {"variant": "maximus"}, "rounds": 4, "first_dealer": 4}
    )

    plan = rules.round_plans(rules.HouseRules(variant="maximus"), 5, rounds=4, first_dealer=4)
    assert answer.body["rounds"] == [
        {
            "number": step.number,
            "cards": step.cards,
            "turned_up": step.turned_up,
            "fixed_trump": True,
            "trump": step.trump,
            "dealer": step.dealer,
        }
        for step in plan
    ]
    assert [step["dealer"] for step in answer.body["rounds"]] == [4, 0, 1, 2]


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({}, [("field_missing", "players")]),
        ({"players": "4"}, [("wrong_type", "players")]),
        ({"players": 2}, [("players", "players")]),
        ({"players": 5, "house": {"variant": "einfarbig"}}, [("variant_players", "players")]),
        ({"players": 4, "rounds": 16}, [("rounds_out_of_range", "rounds")]),
        ({"players": 6, "ladder": "tournament"}, [("ladder_players", "ladder")]),
        ({"players": 4, "ladder": "free"}, [("ladder_cards", "cards")]),
        (
            {"players": 4, "ladder": "free", "cards": [1, 0, 16]},
            [("cards_out_of_range", "cards.1"), ("cards_exceed_deck", "cards.2")],
        ),
        ({"players": 4, "first_dealer": 4}, [("dealer_out_of_range", "first_dealer")]),
        ({"players": 4, "house": {"specials": ["FAIRY"]}}, [("dragon_fairy_pair", "house.specials")]),
        ({"players": 4, "house": {"gnomes": True}}, [("unknown_field", "house.gnomes")]),
    ],
)
def test_plan_that_cannot_be_says_why(body, problems):
    answer = Api().post("engine/plans/", body)

    assert (answer.status, answer.problems) == (400, problems)


def test_house_rules_that_do_not_go_together_are_no_error():
    house = {"specials": ["DRAGON"], "plus_minus_one": True, "secret_bids": True}

    body = Api().post("engine/house-rules/", {"house": house, "players": 7}, **GERMAN).body

    assert [(problem["code"], problem["field"]) for problem in body["problems"]] == [
        ("dragon_fairy_pair", "house.specials"),
        ("variant_incompatible", "house"),
        ("players", "players"),
    ]
    assert body["problems"][0]["detail"] == "Drache und Fee spielen nur zusammen mit. Es fehlt: Fee."
    assert (body["edition"], body["deck_size"], body["most_rounds"]) == ("specials", 61, None)


def test_house_rules_that_do_say_what_follows():
    body = Api().post("engine/house-rules/", {"house": {"deck": "french52"}, "players": 4}).body

    assert (body["problems"], body["edition"], body["deck_size"], body["most_rounds"]) == ([], "ordinary", 52, 13)
    assert body["house"] == {**rules.HouseRules().to_mapping(), "deck": "french52"}


def test_presets_are_all_that_can_be_agreed_on():
    body = Api().get("engine/presets/", **GERMAN).body

    assert {preset["name"]: (preset["house"], preset["ladder"]) for preset in body["presets"]} == {
        name: (preset.house.to_mapping(), preset.ladder) for name, preset in rules.PRESETS.items()
    }
    assert {rule["name"]: rule["usual"] for rule in body["rules"]} == rules.HouseRules().to_mapping()
    for field, names in (
        ("decks", rules.DECKS),
        ("variants", rules.VARIANTS),
        ("specials", rules.SPECIALS),
        ("tie_breaks", rules.TIE_BREAKS),
        ("ladders", rules.LADDERS),
        ("editions", rules.EDITIONS),
    ):
        assert [one["name"] for one in body[field]] == list(names)
    assert [special["title"] for special in body["specials"][:2]] == ["Drache", "Fee"]


# -- tricks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last_trick", [False, True])
@pytest.mark.parametrize(
    ("cards", "trump", "house"),
    [
        ("B9 B13 R2", "R", {}),
        ("J J J", None, {}),
        ("W DRAGON FAIRY", "B", {"specials": list(rules.SPECIALS)}),
        ("R5 BOMB CLOUD:R JUGGLER:G", "G", {"specials": list(rules.SPECIALS)}),
        ("HQ HA D2", "H", {"deck": "french52"}),
        ("R9 B9 W", None, {"variant": "einfarbig"}),
    ],
)
def test_trick_is_decided_by_the_rules(cards, trump, house, last_trick):
    notations = cards.split()

    body = (
        Api()
        .post("engine/tricks/", {"cards": notations, "trump": trump, "house": house, "last_trick": last_trick})
        .body
    )

    trick = [rules.Card.parse(card) for card in notations]
    suit = None if trump is None else rules.Suit(trump)
    single_suit = house.get("variant") == "einfarbig"
    outcome = rules.trick_outcome(trick, suit, single_suit=single_suit, last_trick=last_trick)
    steps = rules.trick_steps(trick, suit, single_suit=single_suit, last_trick=last_trick)
    assert {name: body[name] for name in ("winner", "next_leader", "bombed", "cloud_owner", "pass_left")} == {
        "winner": outcome.winner,
        "next_leader": outcome.next_leader,
        "bombed": outcome.bombed,
        "cloud_owner": outcome.cloud_owner,
        "pass_left": outcome.pass_left,
    }
    assert body["suit"] == (None if single_suit else rules.suit_to_follow(trick))
    assert (body["reason"]["code"], body["reason"]["params"]) == (outcome.reason.code, dict(outcome.reason.params))
    assert [(step["code"], step["params"]) for step in body["steps"]] == [
        (step.code, dict(step.params)) for step in steps
    ]


def test_trick_is_explained_in_the_language_asked_for():
    body = Api().post("engine/tricks/", {"cards": ["B9", "R2"], "trump": "R"}, **GERMAN).body

    assert body["reason"]["detail"] == "Rot 2 ist der einzige Trumpf."


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({"cards": [], "trump": None}, [("field_empty", "cards")]),
        ({"cards": ["R5"]}, [("field_missing", "trump")]),
        ({"cards": ["R5", "X1", ""], "trump": None}, [("card_unknown", "cards.1"), ("card_unknown", "cards.2")]),
        ({"cards": ["R5", "R5"], "trump": None}, [("too_many_of_card", "cards")]),
        ({"cards": ["BOMB"], "trump": None}, [("card_not_in_deck", "cards")]),
        (
            {"cards": ["JUGGLER"], "trump": None, "house": {"specials": ["JUGGLER"]}},
            [("card_undeclared", "cards")],
        ),
        ({"cards": ["R1", "R2", "R3", "R4"], "trump": None, "players": 3}, [("trick_too_long", "cards")]),
        ({"cards": [f"R{n}" for n in range(1, 8)], "trump": None}, [("trick_too_long", "cards")]),
        ({"cards": ["R5"], "trump": "H"}, [("suit_not_in_deck", "trump")]),
        ({"cards": ["R5"], "trump": "none"}, [("choice_unknown", "trump")]),
        (
            {"cards": ["R5"], "trump": None, "house": {"specials": ["DRAGON"]}},
            [("dragon_fairy_pair", "house.specials")],
        ),
    ],
)
def test_trick_that_cannot_lie_so_says_why(body, problems):
    answer = Api().post("engine/tricks/", body)

    assert (answer.status, answer.problems) == (400, problems)


def test_cards_of_a_hand_are_judged_one_by_one():
    hand = ["R2", "B3", "W", "JUGGLER"]
    house = {"specials": ["JUGGLER"]}

    body = Api().post("engine/legal-cards/", {"hand": hand, "trick": ["R5"], "house": house}).body

    assert (body["suit"], body["reason"]["code"]) == ("R", "follow_suit")
    assert [(card["card"], card["is_legal"], card["code"]) for card in body["cards"]] == [
        ("R2", True, None),
        ("B3", False, "must_follow"),
        ("W", True, None),
        ("JUGGLER", True, None),
    ]
    assert body["cards"][1]["detail"] == "B3 cannot be played: the suit to follow is red."


def test_any_card_may_be_led():
    body = Api().post("engine/legal-cards/", {"hand": ["R2", "B3"], "trick": []}).body

    assert (body["suit"], body["reason"]["code"]) == (None, "follow_lead")
    assert all(card["is_legal"] for card in body["cards"])


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({"hand": [], "trick": []}, [("field_empty", "hand")]),
        ({"hand": ["X"], "trick": []}, [("card_unknown", "hand.0")]),
        ({"hand": ["BOMB"], "trick": []}, [("card_not_in_deck", "hand")]),
        ({"hand": ["R2"], "trick": ["R3", "R3"]}, [("too_many_of_card", "trick")]),
        ({"hand": ["R2"], "trick": [f"B{n}" for n in range(1, 7)]}, [("trick_too_long", "trick")]),
    ],
)
def test_hand_that_cannot_be_says_why(body, problems):
    answer = Api().post("engine/legal-cards/", body)

    assert (answer.status, answer.problems) == (400, problems)


# -- rounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bids", "allowed", "forbidden"), [([], [0, 1, 2], None), ([1, 0], [0, 2], 1), ([2, 2], [0, 1, 2], None)]
)
def test_last_bid_must_not_make_them_add_up(bids, allowed, forbidden):
    asked = {"number": 2, "cards": 2, "players": 3, "bids": bids, "house": {"plus_minus_one": True}}

    assert Api().post("engine/bids/", asked).body == {"allowed": allowed, "forbidden": forbidden}


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({"bids": [1, 3]}, [("bid_out_of_range", "bids.1")]),
        ({"bids": [0, 0, 0, 0]}, [("wrong_length", "bids")]),
        ({"bids": [1, 0, 1]}, [("bid_sum_forbidden", "bids.2")]),
        ({"number": 0}, [("round_number", "number")]),
        ({"cards": 0}, [("cards_out_of_range", "cards")]),
        ({"players": 2}, [("too_small", "players")]),
    ],
)
def test_bids_that_cannot_be_say_why(changed, problems):
    asked = {"number": 2, "cards": 2, "players": 3, "bids": [], "house": {"plus_minus_one": True}, **changed}

    answer = Api().post("engine/bids/", asked)

    assert (answer.status, answer.problems) == (400, problems)


def test_points_are_those_of_the_rules_with_their_reasons():
    house = rules.HouseRules(specials=("CLOUD", "BOMB"), blind_bids=True)
    played = {
        "number": 4,
        "cards": 4,
        "bids": [2, 1, 1],
        "tricks": [2, 1, 0],
        "bombs": 1,
        "blind": [False, True, True],
    }

    body = (
        Api()
        .post(
            "engine/scores/",
            {
                **played,
                "clouds": [{"seat": 0, "delta": -1}],
                "house": {"specials": ["CLOUD", "BOMB"], "blind_bids": True},
            },
        )
        .body
    )

    scores = rules.score_round(house, clouds=[(0, -1)], **played)
    assert [
        (seat["seat"], seat["final_bid"], seat["tricks"], seat["exact"], seat["points"]) for seat in body["seats"]
    ] == [(seat, score.final_bid, score.tricks, score.exact, score.points) for seat, score in enumerate(scores)]
    assert [seat["reason"]["code"] for seat in body["seats"]] == [
        "points_missed_cloud",
        "points_exact_blind",
        "points_missed_blind",
    ]


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({"tricks": [1, 0, 0]}, [("tricks_sum", "tricks")]),
        ({"tricks": [3, 0, -1]}, [("tricks_out_of_range", "tricks.0"), ("tricks_out_of_range", "tricks.2")]),
        ({"tricks": [2]}, [("wrong_length", "tricks")]),
        ({"bids": [5, 0, 0]}, [("bid_out_of_range", "bids.0")]),
        ({"blind": [True, False, False]}, [("blind_not_enabled", "blind.0")]),
        ({"blind": [False]}, [("wrong_length", "blind")]),
        ({"bombs": 1}, [("bomb_not_in_deck", "bombs"), ("tricks_out_of_range", "tricks.0")]),
        ({"clouds": [{"seat": 0, "delta": -1}]}, [("cloud_not_in_deck", "clouds")]),
        (
            {"clouds": [{"seat": 5, "delta": 1}], "house": {"specials": ["CLOUD"]}},
            [("seat_out_of_range", "clouds")],
        ),
        ({"bids": []}, [("field_empty", "bids")]),
    ],
)
def test_round_that_cannot_be_says_why(changed, problems):
    asked = {"number": 2, "cards": 2, "bids": [2, 0, 0], "tricks": [2, 0, 0], **changed}

    answer = Api().post("engine/scores/", asked)

    assert (answer.status, answer.problems) == (400, problems)


# -- codes -----------------------------------------------------------------------------------------------------------


def test_codes_are_all_of_the_rules_in_both_languages():
    rows = Api().get("engine/codes/?page_size=200").body["results"]

    assert [(row["kind"], row["code"]) for row in rows] == [
        *(("problem", code) for code in rules.MESSAGES),
        *(("reason", code) for code in rules.REASONS),
    ]
    words = {row["code"]: row for row in rows}
    assert words["take_trump"]["text_en"] == "Red 9 is the only trump."
    assert words["take_trump"]["text_de"] == "Rot 9 ist der einzige Trumpf."
    assert words["tricks_sum"]["text_de"] == "Es fehlt 1 Stich: 2 von 3 eingetragen."
    assert words["points_missed_cloud_blind"]["example"] == {"said": 1, "bid": 2, "taken": 3, "off": 1, "points": -20}


def test_examples_of_a_code_fill_its_sentences():
    for row in all_codes():
        assert list(row["example"]) == row["params"]
        sentences = (row["template"].format(**row["example"]), row["text_en"], row["text_de"])
        assert not set("{}%") & set("".join(sentences)), row["code"]


def test_codes_are_filtered_paged_and_written_as_csv():
    api = Api()
    reasons = api.get("engine/codes/?kind=reason&page_size=7").body
    following = api.get(reasons["next"]).body
    back = api.get(following["previous"]).body

    assert [row["code"] for row in reasons["results"] + following["results"]] == list(rules.REASONS)[:14]
    assert (reasons["previous"], back["results"]) == (None, reasons["results"])
    rows = list(csv.DictReader(api.get("engine/codes/?kind=reason&format=csv").text.splitlines()))
    assert [row["code"] for row in rows] == list(rules.REASONS)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("kind=word", ("choice_unknown", "kind")),
        ("page_size=0", ("page_size_out_of_range", "page_size")),
        ("cursor=abc", ("cursor_unknown", "cursor")),
        ("ordering=code", ("unknown_parameter", "ordering")),
    ],
)
def test_codes_refuse_what_they_do_not_know(query, problem):
    answer = Api().get(f"engine/codes/?{query}")

    assert (answer.status, answer.problems) == (400, [problem])
