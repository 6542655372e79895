"""Each named constraint on results, tallies and records holds in the database itself, whoever writes."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction

from scoresheets.models import (
    BidTally,
    BidTotal,
    CardsTally,
    ClubTally,
    PairTally,
    PlayerTally,
    PositionTally,
    Record,
    Result,
    tallies,
)
from tests.scoresheets.clubs import add, finished, make_club
from tests.scoresheets.models.test_games import broken_constraint

pytestmark = pytest.mark.django_db

#: Constraint -> which row is changed, to what.
ATTACKS = {
    "result_exact_not_above_rounds": (Result, {"exact": 2}),
    "result_rank_is_shared_by_some": (Result, {"rank": None}),
    "result_rating_is_whole": (Result, {"rating_mu": None}),
    "player_tally_has_games": (PlayerTally, {"games": 0, "ranked": 0, "wins": 0}),
    "player_tally_wins_are_ranked": (PlayerTally, {"wins": 2}),
    "player_tally_bids_hit_or_miss": (PlayerTally, {"over": 1}),
    "cards_tally_exact_not_above_bids": (CardsTally, {"exact": 2}),
    "position_tally_exact_not_above_bids": (PositionTally, {"exact": 2}),
    "position_tally_is_at_the_table": (PositionTally, {"after_dealer": 4}),
    "pair_tally_is_of_two": (PairTally, {"opponent": models.F("player")}),
    "pair_tally_above_or_below": (PairTally, {"below": 1, "above": 1}),
    "record_kind_is_known": (Record, {"kind": "loudest"}),
    "bid_total_exact_not_above_bids": (BidTotal, {"exact": 9}),
    "club_tally_exact_not_above_bids": (ClubTally, {"exact": 9}),
}
MORE = [
    ("result_rank_is_shared_by_some", Result, {"level": 0}),
    ("player_tally_wins_are_ranked", PlayerTally, {"shared_wins": 2}),
    ("player_tally_wins_are_ranked", PlayerTally, {"ranked": 2}),
    ("position_tally_is_at_the_table", PositionTally, {"after_dealer": 0}),
]
#: A second row like the first.
DOUBLES = {
    "result_once_a_game_and_player": Result,
    "cards_tally_once": CardsTally,
    "bid_tally_once": BidTally,
    "position_tally_once": PositionTally,
    "pair_tally_once": PairTally,
    "record_one_a_kind": Record,
    "bid_total_once": BidTotal,
}


@pytest.fixture
def first_of():
    """Return a function that gives the first row of a table after one game of three players and one round."""
    club = make_club()
    finished(club, add(club, "Anna", "Bernd", "Cem"))
    return lambda model: model.objects.order_by("pk")[0]


def test_every_constraint_has_an_attack():
    ours = [model for model in apps.get_app_config("scoresheets").get_models() if model.__module__ == tallies.__name__]

    assert {c.name for model in ours for c in model._meta.constraints} == {*ATTACKS, *DOUBLES}


@pytest.mark.parametrize(("name", "model", "values"), [*((name, *attack) for name, attack in ATTACKS.items()), *MORE])
def test_database_refuses_a_row_that_breaks(name, model, values, first_of):
    row = first_of(model)

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        model.objects.filter(pk=row.pk).update(**values)

    assert broken_constraint(refused.value, row) == name


@pytest.mark.parametrize("name", DOUBLES)
def test_database_refuses_a_second_row_that_breaks(name, first_of):
    row = first_of(DOUBLES[name])
    row.pk = None

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        row.save(force_insert=True)

    assert broken_constraint(refused.value, row) == name
