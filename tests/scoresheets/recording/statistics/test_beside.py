"""A rebuild in which a second process adds up: it reads what is committed, through a connection of its own."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import transaction

from scoresheets.models import PairTally, Result, Season, Standing
from scoresheets.recording import statistics
from scoresheets.recording.statistics import adding, rebuild
from tests.scoresheets.clubs import add, club_game, make_club
from tests.scoresheets.factories import play_round


@pytest.mark.django_db(transaction=True)
def test_a_second_process_adds_up_the_same(monkeypatch):
    club = make_club("Eulen", visibility="public")
    people = add(club, "Annika", "Bernd", "Cem")
    season = Season.objects.create(club=club, name="Season", starts_on=date(2020, 1, 1))
    for _game in range(2):
        play_round(club_game(club, people))
    for model in (PairTally, Standing):
        model.objects.all().delete()
    Result.objects.update(total=1)
    helped = []
    monkeypatch.setattr(adding, "FEWEST_GAMES_BESIDE", 2)
    beside = adding.adding_beside
    monkeypatch.setattr(rebuild, "adding_beside", lambda club: helped.append(club.pk) or beside(club))

    assert statistics.rebuild_club(club) == 2

    assert helped == [club.pk]
    assert statistics.differences_of(club) == []
    assert Standing.objects.filter(season=season).count() == 3
    assert PairTally.objects.count() == 6


@pytest.mark.django_db
def test_within_a_transaction_there_is_no_second_process():
    assert not adding.can_add_beside(adding.FEWEST_GAMES_BESIDE)
    with transaction.atomic():
        assert not adding.can_add_beside(adding.FEWEST_GAMES_BESIDE)
