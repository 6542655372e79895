import itertools
from collections.abc import Iterator
from random import Random

import pytest

from rules import DECKS, Card, HouseRules, Problem, RulesError, deck_of, trick_outcome
from rules.batch import RandomGame, batch_problems, random_games, trick_takers
from tests.rules.games import codes
from tests.rules.plain_games import in_cards, plain_game
from tests.thorough import scaled

GAMES = 2000
"""Random games compared with the plain functions, card by card, in every run."""
TABLES = [
    HouseRules(deck=deck, last_round_dealer_trump=dealer_names_trump)
    for deck in DECKS
    for dealer_names_trump in (False, True)
]
MEAN_TOTAL = -348
"""Of a seat in random games of four; found by other programs."""
SEATS = range(3, 7)
SHARE = GAMES // len(TABLES) // len(SEATS)


def named(deck: str) -> HouseRules:
    return HouseRules(deck=deck)


def plain_takers(tricks: list[tuple[int, ...]], trumps: list[int | None], house: HouseRules) -> list[int]:
    """Return the places of the winning cards by the function that judges one trick."""
    deck, suits = deck_of(house), DECKS[house.deck].suits
    return [
        trick_outcome([deck[card] for card in trick], None if trump is None else suits[trump]).next_leader
        for trick, trump in zip(tricks, trumps, strict=True)
    ]


# Whole games


def test_games_compared_are_as_many_as_promised() -> None:
    assert SHARE * len(TABLES) * len(SEATS) == GAMES


@pytest.mark.parametrize("house", TABLES, ids=lambda house: f"{house.deck}-{house.last_round_dealer_trump}")
@pytest.mark.parametrize("players", SEATS)
def test_random_games_equal_those_of_the_plain_functions(house: HouseRules, players: int) -> None:
    count, seed = scaled(SHARE, 4), f"{house.deck} {players}"
    fast, plain = Random(seed), Random(seed)
    for number, game in enumerate(random_games(count, players, fast, house, keep_rounds=True)):
        assert in_cards(game, house) == plain_game(house, players, plain), number
    assert fast.getstate() == plain.getstate()


@pytest.mark.parametrize(("deck", "players", "rounds"), [("wizard60", 3, 20), ("wizard60", 4, 15), ("french52", 6, 8)])
def test_random_game_plays_every_card_of_the_full_ladder(deck: str, players: int, rounds: int) -> None:
    (game,) = random_games(1, players, Random(3), named(deck), keep_rounds=True)
    assert [len(played.takers) for played in game.rounds] == list(range(1, rounds + 1))
    for played in game.rounds:
        assert sorted(played.played) == sorted(itertools.chain(*played.hands))
        assert len({*played.played, played.turned_up}) == players * len(played.takers) + 1
    assert game.totals == tuple(map(sum, zip(*(played.points for played in game.rounds), strict=True)))


def test_random_games_can_give_every_bid_and_every_trump() -> None:
    rounds = [played for game in random_games(60, 4, Random(8), keep_rounds=True) for played in game.rounds]
    for cards in (1, 2, 3):
        of_size = [played for played in rounds if len(played.takers) == cards]
        assert {bid for played in of_size for bid in played.bids} == set(range(cards + 1))
    wizard, jester = range(52, 56), range(56, 60)
    assert {played.trump for played in rounds if played.turned_up in wizard} == {0, 1, 2, 3}
    assert {played.trump for played in rounds if played.turned_up in jester} == {None}
    assert {played.turned_up for played in rounds} == {None, *range(60)}


def test_random_games_score_as_expected_on_average() -> None:
    games = random_games(scaled(600, 10), 4, Random(1))
    means = [sum(game.totals[seat] for game in games) / len(games) for seat in range(4)]
    assert sum(means) / 4 == pytest.approx(MEAN_TOTAL, abs=12)
    assert max(means) - min(means) < 30  # who deals first is worth next to nothing over 15 rounds


def test_random_games_are_the_same_whether_rounds_are_kept() -> None:
    kept = random_games(5, 5, Random(4), keep_rounds=True)
    assert random_games(5, 5, Random(4)) == [RandomGame(game.totals, game.exact) for game in kept]


def test_random_games_go_on_where_the_random_source_is() -> None:
    rng = Random(5)
    assert random_games(2, 3, rng) + random_games(3, 3, rng) == random_games(5, 3, Random(5))


def test_random_games_of_none() -> None:
    assert random_games(0, 4, Random(1)) == []


@pytest.mark.parametrize("rule", ["hidden_bids", "secret_bids", "blind_bids", "clairvoyance", "rounds_from_deck"])
def test_random_games_do_not_mind_who_sees_a_bid(rule: str) -> None:
    house = HouseRules(**{rule: True})
    assert random_games(2, 4, Random(6), house) == random_games(2, 4, Random(6))


# Tricks


def tricks_of(house: HouseRules, rng: Random, count: int) -> Iterator[tuple[int, ...]]:
    """Yield tricks of 1 to 6 cards, legal or not; half of them begin with up to three cards without a suit."""
    deck = range(len(deck_of(house)))
    suitless = deck[-8:]
    for _trick in range(count):
        opening = rng.sample(suitless, rng.choice([0, 0, 0, 1, 2, 3]))
        rest = [card for card in rng.sample(deck, 6) if card not in opening]
        yield tuple([*opening, *rest][: rng.randint(1, 6)])


@pytest.mark.parametrize("deck", DECKS)
def test_trick_takers_equal_the_plain_function(deck: str) -> None:
    rng = Random(deck)
    tricks = list(tricks_of(named(deck), rng, scaled(20_000)))
    trumps = rng.choices([None, 0, 1, 2, 3], k=len(tricks))
    assert trick_takers(tricks, trumps, named(deck)) == plain_takers(tricks, trumps, named(deck))


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("trump", [None, 0, 1, 2, 3])
def test_trick_takers_of_all_pairs_of_cards(deck: str, trump: int | None) -> None:
    tricks: list[tuple[int, ...]] = list(itertools.permutations(range(len(deck_of(named(deck)))), 2))
    trumps = [trump] * len(tricks)
    assert trick_takers(tricks, trumps, named(deck)) == plain_takers(tricks, trumps, named(deck))


@pytest.mark.parametrize(
    ("written", "trump", "taker"),
    [
        ("R5 R9 B13", None, 1),
        ("R5 R9 B1", 0, 2),
        ("J R2 R3", None, 2),
        ("J J J", 1, 0),
        ("J W W", 0, 1),
        ("W R13 B13", 0, 0),
        ("J R2 G13 J", None, 1),
    ],
)
def test_trick_takers_by_hand(written: str, trump: int | None, taker: int) -> None:
    left = list(deck_of(HouseRules()))
    trick = []
    for card in written.split():
        place = left.index(Card.parse(card))
        trick.append(place)
        left[place] = Card.parse("BOMB")  # the next jester is another card
    assert trick_takers([trick], [trump]) == [taker]


def test_trick_takers_take_iterators_and_none_at_all() -> None:
    assert trick_takers(iter([(0, 1), [14, 0]]), itertools.repeat(None, 2)) == [1, 0]
    assert trick_takers([], []) == []


def test_trick_takers_refuse_an_empty_trick() -> None:
    with pytest.raises(RulesError) as refused:
        trick_takers([(1, 2), ()], [None, None])
    assert refused.value.problems == (Problem.of("trick_empty"),)


@pytest.mark.parametrize("trumps", [[None], [None, None, None]])
def test_trick_takers_need_a_trump_for_each_trick(trumps: list[int | None]) -> None:
    with pytest.raises(ValueError, match="zip"):
        trick_takers([(1, 2), (3, 4)], trumps)


# What is refused


@pytest.mark.parametrize(
    ("house", "rules"),
    [
        (HouseRules(), []),
        (HouseRules(deck="french52", blind_bids=True), []),
        (HouseRules(specials=("BOMB",)), ["specials"]),
        (HouseRules(variant="maximus"), ["variant"]),
        (HouseRules(plus_minus_one=True), ["plus_minus_one"]),
        (
            HouseRules(specials=("BOMB",), variant="einfarbig", plus_minus_one=True, specials_in_variants=True),
            ["specials", "variant", "plus_minus_one"],
        ),
    ],
)
def test_batch_refuses_rules_it_does_not_know(house: HouseRules, rules: list[str]) -> None:
    problems = tuple(Problem.of("batch_rule", rule=rule) for rule in rules)
    assert batch_problems(house) == problems
    if problems:
        with pytest.raises(RulesError) as games:
            random_games(1, 4, Random(1), house)
        with pytest.raises(RulesError) as tricks:
            trick_takers([(1, 2)], [None], house)
        assert games.value.problems == tricks.value.problems == problems


def test_batch_refuses_house_rules_that_cannot_be_played() -> None:
    with pytest.raises(RulesError) as refused:
        trick_takers([(1, 2)], [None], HouseRules(deck="tarot78", variant="misere"))
    assert codes(refused.value.problems) == ["deck_unknown", "variant_unknown"]


@pytest.mark.parametrize("players", [0, 2, 7])
def test_random_games_are_for_three_to_six(players: int) -> None:
    with pytest.raises(RulesError) as refused:
        random_games(1, players, Random(1))
    assert refused.value.problems == (Problem.of("players", players=players),)
