"""A public club with a league and a few games of its six players, written through recording."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Season, User
from tests.bench import games

GAMES = 3


@dataclass(frozen=True, slots=True)
class SmallClub:
    """The club, the ids of its players, and its league, which goes on."""

    club: Club
    players: list[int]
    season: Season

    @property
    def standings_path(self) -> str:
        return f"/clubs/{self.club.pk}/seasons/{self.season.pk}/"


def small_club() -> SmallClub:
    """Found a club whose players have finished some short games."""
    owner = User.objects.create_user(username=f"Owner{User.objects.count()}", password=None)
    settings = recording.ClubSettings("Runde", visibility=Club.Visibility.PUBLIC)
    club = recording.create_club(settings, by=Actor.of_user(owner))
    season = Season.objects.create(club=club, name="League", starts_on=timezone.localdate() - timedelta(days=365))
    players = [recording.add_player(club, name, by=OPERATOR).pk for name in games.NAMES]
    for _game in range(GAMES):
        table = games.start_table(len(players), rounds=1, club=club, players=players)
        games.play_to(table, 1, playing=True)
        games.record_tricks(table, 1)
    return SmallClub(club, players, season)
