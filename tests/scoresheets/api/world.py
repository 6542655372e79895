"""One private club with all there can be in it, for tests that ask every operation; made when it is asked for."""

from __future__ import annotations

from datetime import date
from functools import cached_property

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import (
    Claim,
    Club,
    Delivery,
    DrawnTable,
    Evening,
    Game,
    Invitation,
    Membership,
    Merge,
    Player,
    PlayerLink,
    Season,
)
from tests.scoresheets.api.game_acts import Act, prepared
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import add, club_game, finished, make_club, make_user, member_of, owner_of
from tests.scoresheets.evenings import come, drawn, opened
from tests.scoresheets.webhooks import make_webhook

#: Who asks, in the order of every tuple of statuses.
ROLES = (
    "nobody",
    "stranger",
    "member",
    "scorer",
    "manager",
    "owner",
    # The owner, with less than they have themselves.
    "owner to read",
    "owner to record",
    "owner elsewhere",
)


class World:
    """A private club, people in each role, and what an address may be about."""

    def __init__(self) -> None:
        self.club: Club = make_club("Runde")
        self.owner: Actor = owner_of(self.club)
        self._acts: dict[str, tuple[Act, Game]] = {}

    @cached_property
    def apps(self) -> dict[str, Api]:
        """An app for each role."""
        elsewhere = make_club("Anderswo")
        elsewhere.memberships.create(user=self.owner.user, role="owner")
        return {
            "nobody": Api(),
            "stranger": Api.of(make_user("Stranger")),
            **{role: Api.of(member_of(self.club, role)) for role in ("member", "scorer", "manager")},
            "owner": Api.of(self.owner),
            "owner to read": Api.of(self.owner, "read"),
            "owner to record": Api.of(self.owner, "record"),
            "owner elsewhere": Api.of(self.owner, club=elsewhere),
        }

    @cached_property
    def players(self) -> list[Player]:
        return add(self.club, "Annika", "Bernd", "Cem", "Dora")

    @cached_property
    def member(self) -> Membership:
        """A member whom nobody here asks as."""
        return self.club.memberships.get(user=member_of(self.club, "member", "Mia").user)

    @cached_property
    def invitation(self) -> tuple[Invitation, str]:
        return recording.invite(self.club, role="member", by=OPERATOR)

    @cached_property
    def player_link(self) -> tuple[PlayerLink, str]:
        return recording.make_claim_link(self.players[0], by=OPERATOR)

    @cached_property
    def claim(self) -> Claim:
        return recording.claim_player(self.players[0], by=member_of(self.club, "member", "Nora"))

    @cached_property
    def merge(self) -> Merge:
        return recording.merge_players(self.players[2], self.players[3], by=OPERATOR)

    def act(self, name: str) -> tuple[Act, Game]:
        """An act on a game, and a game that it fits; the same one each time."""
        if name not in self._acts:
            self._acts[name] = prepared(name, self.club, self.players)
        return self._acts[name]

    @cached_property
    def game(self) -> Game:
        """A game that is being bid."""
        return club_game(self.club, self.players[:3], length=2)

    @cached_property
    def finished_game(self) -> Game:
        return finished(self.club, self.players[:3])

    @cached_property
    def evening(self) -> Evening:
        """An open evening with four people who sit at one table."""
        evening = opened(self.club)
        come(evening, self.players)
        drawn(evening)
        return evening

    @cached_property
    def table(self) -> DrawnTable:
        return DrawnTable.objects.get(evening=self.evening)

    @cached_property
    def season(self) -> Season:
        """A season that counts the finished game."""
        _game = self.finished_game
        return recording.create_season(self.club, recording.SeasonSettings("Liga", date(2000, 1, 1)), by=OPERATOR)

    @cached_property
    def delivery(self) -> Delivery:
        """A test that waits to be sent to the club's webhook."""
        return recording.ping(make_webhook(self.club), by=OPERATOR)
