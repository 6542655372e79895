"""What bids are worth: known games, known numbers."""

from __future__ import annotations

import pytest

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import BidTotal
from scoresheets.models.tallies import PUBLIC
from scoresheets.queries.insight import LastBid, Worth, insight_of
from scoresheets.queries.lifetime import Rate
from tests.scoresheets.clubs import add, make_club
from tests.scoresheets.factories import play_round

pytestmark = pytest.mark.django_db


def play(club, rounds, *, house=None, seats=3):
    """Play a game of the club with these bids and tricks, each by seat; seat 0 deals first."""
    names = [f"{club.name} {seat} {club.games.count()}" for seat in range(seats)]
    players = add(club, *names)
    started = recording.start_game(
        names,
        house or rules.HouseRules(),
        first_dealer=0,
        rounds=len(rounds),
        by=OPERATOR,
        club=club,
        players=[player.pk for player in players],
    )
    for bids, taken in rounds:
        play_round(started.game, bids, taken)


def test_bids_are_added_up_by_hand_and_bid():
    club = make_club()
    # Round 2: the dealer, seat 1, bids 0 and is exact; seat 0 bids 2 and misses by 1, seat 2 bids 0 and misses by 1.
    play(club, [([1, 0, 0], [1, 0, 0]), ([2, 0, 0], [1, 0, 1])])

    insight = insight_of(club.pk)

    assert insight.by_cards_and_bid == {
        (1, 0): Rate(2, 2, 40),
        (1, 1): Rate(1, 1, 30),
        (2, 0): Rate(2, 1, 10),
        (2, 2): Rate(1, 0, -10),
    }
    assert insight.worth == (Worth(0, Rate(4, 3, 50), 1), Worth(1, Rate(1, 1, 30), 0), Worth(2, Rate(1, 0, -10), 1))
    assert insight.rate == Rate(6, 4, 70)


@pytest.mark.parametrize(
    ("worth", "cost", "needed"),
    [
        # Exact: 20. A miss by 1 loses 10 more than nothing: 30 apart; even at one exact bid of three.
        (Worth(0, Rate(3, 2, 30), 1), 30, 1 / 3),
        # Exact: 40. Misses by 1 and 3 lose 20 on average.
        (Worth(2, Rate(2, 0, -40), 4), 60, 1 / 3),
        (Worth(1, Rate(2, 2, 60), 0), 30, 0),
    ],
)
def test_miss_costs_what_lies_between_it_and_an_exact_bid(worth, cost, needed):
    assert (worth.cost, worth.needed) == (cost, pytest.approx(needed))


def test_last_bidder_pays_where_bids_must_not_add_up():
    bound, free = rules.HouseRules(plus_minus_one=True), rules.HouseRules()
    club = make_club()
    # The dealer, seat 0, may not bid 1 and misses; the others hit.
    play(club, [([0, 0, 0], [1, 0, 0])], house=bound)
    play(club, [([1, 0, 0], [1, 0, 0])], house=free)

    insight = insight_of(club.pk)

    assert insight.bound == LastBid(last=Rate(1, 0, -10), others=Rate(2, 2, 40))
    assert insight.free == LastBid(last=Rate(1, 1, 30), others=Rate(2, 2, 40))
    assert (insight.bound.price, insight.free.price) == (30, -10)


def test_public_clubs_are_added_up_and_private_ones_left_out():
    for name, visibility in (("A", "public"), ("B", "public"), ("C", "private"), ("D", "unlisted")):
        play(make_club(name, visibility=visibility), [([1, 0, 0], [1, 0, 0])])

    assert insight_of(PUBLIC).rate == Rate(6, 6, 140)


def test_number_of_people_leaves_their_rounds():
    club = make_club()
    play(club, [([1, 0, 0], [1, 0, 0])])
    play(club, [([1, 0, 0, 0], [1, 0, 0, 0])], seats=4)

    assert [insight_of(club.pk, players=players).rate.bids for players in (None, 3, 4, 5)] == [7, 3, 4, 0]


def test_club_without_a_game_has_nothing(django_assert_num_queries):
    club = make_club()
    assert not BidTotal.objects.exists()

    with django_assert_num_queries(2):
        insight = insight_of(club.pk)

    assert (insight.rate, insight.worth, insight.bound.price) == (Rate(), (), 0)
