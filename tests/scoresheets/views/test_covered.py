"""Hidden and secret bids: nobody is sent what is not shown yet, neither as a number nor as a sum."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from tests.scoresheets.factories import client_for, make_game, open_round, seat_ids

pytestmark = pytest.mark.django_db


def bid(game: Game, *bids: int) -> None:
    """Record the bids of the first seats, in seat order."""
    by_seat = dict(zip(seat_ids(game), bids, strict=False))
    recording.record_bids(game, bids=by_seat, seen=open_round(game).stage_version, by=OPERATOR)


def pad(client: Client, game: Game) -> str:
    return client.get(reverse("block", args=[game.pk]), headers={"HX-Request": "true"}).content.decode()


@pytest.mark.parametrize("scope", ["edit", "watch"])
@pytest.mark.parametrize("house", [rules.HouseRules(hidden_bids=True), rules.HouseRules(secret_bids=True)])
def test_meter_counts_covered_bids_and_does_not_add_them_up(house, scope):
    game = make_game(seats=4, house=house, ladder="free", cards=[9])
    client = client_for(game, scope)

    bid(game, 8, 7)

    shown = pad(client, game)
    assert "<b>2</b> of 4 bids are in" in shown
    assert "<b>15</b>" not in shown
    assert shown.count('<span class="mark mark--bid">•</span>') == 2
    assert "6 over" not in shown


def test_hidden_bids_are_shown_once_all_are_in():
    game = make_game(seats=3, house=rules.HouseRules(hidden_bids=True), ladder="free", cards=[9])
    client = client_for(game, "watch")

    bid(game, 8, 7, 0)

    assert "<b>15</b> of 9 · <b>6 over</b>" in pad(client, game)


def test_secret_bids_stay_covered_while_the_tricks_are_entered():
    game = make_game(seats=3, house=rules.HouseRules(secret_bids=True), ladder="free", cards=[9])
    bid(game, 8, 7, 0)
    draft = {"taken": {str(seat): tricks for seat, tricks in zip(seat_ids(game), (8, 1, 0), strict=True)}}
    recording.save_draft(game, draft=draft, seen=open_round(game).stage_version, by=OPERATOR)

    watching, scoring = pad(client_for(game, "watch"), game), pad(client_for(game), game)

    assert "<b>3</b> of 3 bids are in" in watching
    for shown in (watching, scoring):
        assert shown.count('<span class="mark mark--bid">•</span>') == 3
        assert "+100" not in shown  # what seat 0 would get for its 8 tricks
        assert 'aria-pressed="true"' not in shown
        assert "bid 8" not in shown
