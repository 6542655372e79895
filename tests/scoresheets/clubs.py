"""Clubs, accounts and players for tests, written through `recording` as on the site."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import models
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import (
    Attendance,
    CalendarAddress,
    Claim,
    Club,
    Delivery,
    DrawnSeat,
    DrawnTable,
    Evening,
    Game,
    Import,
    ImportedFile,
    ImportedGame,
    Invitation,
    Membership,
    Merge,
    Player,
    PlayerLink,
    Season,
    Seat,
    Standing,
    User,
    Webhook,
)
from tests.scoresheets.factories import everything, fresh, play_round, seats_of

#: Who sits where no player is named.
FILLERS = ("Xaver", "Yvonne", "Zita")
#: Names that have broken other people's software: all are names here.
STRANGE_NAMES = (
    "A",
    "x" * 40,
    "👩‍👩‍👧 Familie",
    "دانا",
    "<script>alert(1)</script>",
    'O\'Brien & "Co"',
    "%s %(name)s {0}",
)


def make_user(name: str) -> User:
    """Return a new account."""
    return User.objects.create_user(username=name, password="a long enough password")


def make_club(name: str = "Runde", *, owner: str = "", **settings: Any) -> Club:
    """Return a new club, founded by a new account."""
    user = make_user(owner or f"Owner{User.objects.count()}")
    return recording.create_club(recording.ClubSettings(name, **settings), by=Actor.of_user(user))


def actor_of(user: User) -> Actor:
    """Return the account as a request would: with all its roles."""
    return Actor.of_user(user, Membership.objects.filter(user=user))


def owner_of(club: Club) -> Actor:
    """Return the club's first owner."""
    return actor_of(club.memberships.filter(role="owner").order_by("pk")[0].user)


def member_of(club: Club, role: str = "member", name: str = "") -> Actor:
    """Return a new account that has joined the club in this role."""
    user = make_user(name or f"{role.capitalize()}{User.objects.count()}")
    Membership.objects.create(club=club, user=user, role=role)
    return actor_of(user)


def add(club: Club, *names: str) -> list[Player]:
    """Return new players of the club."""
    return [recording.add_player(club, name, by=OPERATOR) for name in names]


def player_of(actor: Actor, club: Club, name: str) -> Player:
    """Return a new player of the club who is this account."""
    (player,) = add(club, name)
    player.user = actor.user
    player.save(update_fields=["user"])
    return player


def club_game(
    club: Club, players: Sequence[Player | None] = (), *, rounds: int = 0, length: int = 1, by: Actor = OPERATOR
) -> Game:
    """Return a game of the club for three, of so many rounds, with these players on its first seats."""
    seated = [*players, None, None, None][: max(3, len(players))]
    names = [player.name if player else FILLERS[place] for place, player in enumerate(seated)]
    started = recording.start_game(
        names,
        rules.HouseRules(),
        first_dealer=0,
        rounds=length,
        by=by,
        club=club,
        players=[player and player.pk for player in seated],
    )
    for _ in range(rounds):
        play_round(started.game)
    return fresh(started.game)


def finished(club: Club, players: Sequence[Player | None] = ()) -> Game:
    """Return a finished game of the club with these players on its first seats."""
    return club_game(club, players, rounds=1)


def players_at(game: Game) -> list[int | None]:
    """Return the players' ids by seat."""
    return [seat.player_id for seat in seats_of(game)]


def fill(club: Club, people: int, games: int) -> None:
    """Give the club so many members, each a player, and so many finished games of three of them, in bulk."""
    users = User.objects.bulk_create(User(username=f"user{n}", username_key=f"user{n}") for n in range(people))
    Membership.objects.bulk_create(Membership(club=club, user=user) for user in users)
    first = Player.objects.latest("pk").pk + 1
    players = Player.objects.bulk_create(
        Player(pk=first + n, club=club, name=f"Player {n:03}", user=user, canonical_id=first + n)
        for n, user in enumerate(users)
    )
    start = timezone.now() - timedelta(days=games + 1)
    played = Game.objects.bulk_create(
        [
            Game(
                club=club,
                night=(start + timedelta(days=n)).date(),
                plan=[1],
                first_dealer=0,
                state="finished",
                started_at=start + timedelta(days=n),
                finished_at=start + timedelta(days=n),
            )
            for n in range(games)
        ],
        batch_size=500,
    )
    Seat.objects.bulk_create(
        [
            Seat(game=game, position=place, name=who.name, player=who, rank=place + 1)
            for n, game in enumerate(played)
            for place, who in enumerate(players[(n + step) % people] for step in range(3))
        ],
        batch_size=500,
    )


def stored() -> dict[str, Any]:
    """Return every stored value of clubs, their people and games: equal before and after means nothing was written."""
    people = (Claim, Club, Invitation, Membership, Merge, Player, PlayerLink, User)
    evenings = (Attendance, CalendarAddress, DrawnSeat, DrawnTable, Evening)
    seasons = (Season, Standing, Season.history.model)
    histories = (Club.history.model, Membership.history.model, Player.history.model)
    imports = (Import, ImportedFile, ImportedGame)
    ours = (*people, *evenings, *seasons, *histories, *imports, Webhook, Delivery)
    return everything() | {model.__name__: _values(model._default_manager.all()) for model in ours}


def _values(rows: models.QuerySet[Any]) -> list[Any]:
    return list(rows.order_by("pk").values())


def refused(error: type[Exception], codes: str | Sequence[str], verb: Any, *given: Any, **arguments: Any) -> None:
    """Check that the verb is refused for exactly these reasons ("": without any) and writes nothing."""
    before = stored()
    with pytest.raises(error) as caught:
        verb(*given, **arguments)
    assert stored() == before
    refusal: Any = caught.value
    if error is recording.Conflict:
        assert refusal.code == codes
    elif error is rules.RulesError:
        assert [problem.code for problem in refusal.problems] == ([codes] if isinstance(codes, str) else list(codes))
