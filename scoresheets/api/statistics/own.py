"""The account that asks: what it may, where it belongs, and its own games in all its clubs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter

from scoresheets.api.fields import Answer, Choice, Id, Text, Yes
from scoresheets.api.problems import refusal
from scoresheets.api.schema import ID, operation
from scoresheets.api.statistics.lifetimes import (
    FILTERS,
    SEASON,
    StatisticsView,
    life_body,
    lives_of,
    opponents_of,
)
from scoresheets.api.statistics.shapes import (
    STALE_HELP,
    NewestGame,
    Numbers,
    PairAnswer,
    PlayerRating,
    pair_body,
    rating_body,
)
from scoresheets.api.tokens import TokenAnswer, token_body
from scoresheets.models import Membership, Player
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.people import CLUB_NAME_LENGTH
from scoresheets.models.usernames import NAME_LENGTH as USERNAME_LENGTH
from scoresheets.queries.clubs import clubs_of
from scoresheets.queries.lifetime import own_players, rating_of

CLUB = OpenApiParameter("club", ID, description="Only games in this club of the account.")


class OwnClub(Answer):
    club = Id(help_text="The id of the club.")
    name = Text(most=CLUB_NAME_LENGTH, help_text="What it is called.")
    role = Choice(
        choices=Membership.Role.values, help_text="As what the account acts there, at most what the token allows."
    )
    player = Id(allow_null=True, help_text="The id of the player that the account is there, null for none yet.")
    player_name = Text(most=NAME_LENGTH, allow_null=True, help_text="What that player is called, null without one.")


class MeAnswer(Answer):
    """The account that asks."""

    account = Id(help_text="The id of the account.")
    username = Text(most=USERNAME_LENGTH, help_text="The name of the account.")
    language = Choice(
        choices=[code for code, _name in settings.LANGUAGES],
        allow_null=True,
        help_text="The language it has chosen, null if each device decides.",
    )
    token = TokenAnswer(allow_null=True, help_text="The token; null for somebody who is signed in.")
    clubs = OwnClub(many=True, help_text="Its clubs by name; with a token for one club only that one.")


class OwnPlayer(Answer):
    club = Id(help_text="The id of the club.")
    club_name = Text(most=CLUB_NAME_LENGTH, help_text="What it is called.")
    player = Id(help_text="The id of the player that the account is there.")
    name = Text(most=NAME_LENGTH, help_text="What that player is called.")
    rating = PlayerRating(allow_null=True, help_text="The rating there; null without a rated game, and with filters.")


class OwnLifetimeAnswer(Numbers):
    """The account's games in numbers, over several clubs together or in one of them."""

    players = OwnPlayer(many=True, help_text="The players whose games these are, by the names of their clubs.")
    stale = Yes(help_text=STALE_HELP)
    newest = NewestGame(many=True, help_text="The ten newest games, newest first.")


class OwnPair(PairAnswer):
    player = Id(help_text="The id of the player that the account is.")
    club = Id(help_text="The id of the club.")
    club_name = Text(most=CLUB_NAME_LENGTH, help_text="What it is called.")


class OwnView(StatisticsView):
    """An address about the account that asks."""

    def own_players(self) -> list[Player]:
        """Return the players the account is, in clubs that the token reaches, or the one of `?club=` (1 statement).

        Raises `Refused`: 401 where nobody is signed in, 400 for a club in which the account is no player.
        """
        mine = [player for player in own_players(self.signed_in().pk) if self.actor.reaches(player.club_id)]
        named = self.request.query_params.get("club")
        if named is None:
            return mine
        found = [player for player in mine if str(player.club_id) == named]
        if not found:
            raise refusal(400, "choice_unknown", field="club")
        return found


class Me(OwnView):
    @operation("me_read", summary="The account that asks", tag="me", answer=MeAnswer)
    def get(self, request: Any) -> Any:
        """Who the account is, what its token may do, and its clubs."""
        user = self.signed_in()
        players = {player.club_id: player for player in own_players(user.pk)}
        clubs = [row for row in clubs_of(user) if self.actor.reaches(row.club.pk)]
        return self.answer(
            {
                "account": user.pk,
                "username": str(user),
                "language": user.language or None,
                "token": token_body(self.token),
                "clubs": [
                    {
                        "club": row.club.pk,
                        "name": row.club.name,
                        "role": self.actor.role_in(row.club.pk),
                        "player": players[row.club.pk].pk if row.club.pk in players else None,
                        "player_name": players[row.club.pk].name if row.club.pk in players else None,
                    }
                    for row in clubs
                ],
            }
        )


class OwnLifetime(OwnView):
    @operation(
        "me_lifetime",
        summary="The account's games in numbers",
        tag="me",
        answer=OwnLifetimeAnswer,
        parameters=(CLUB, SEASON, *FILTERS),
    )
    def get(self, request: Any) -> Any:
        """The account's games in all its clubs together, or with `club` in one of them; seasons are that club's."""
        players = self.own_players()
        filters = self.filters_in(self.only_club(players))
        lives = lives_of(players, filters) if players else {}
        return self.answer(
            {
                **life_body(players, lives, filters),
                "players": [
                    {
                        "club": player.club_id,
                        "club_name": player.club.name,
                        "player": player.pk,
                        "name": player.name,
                        "rating": None if filters else rating_body(rating_of(player, lives[player.pk])),
                    }
                    for player in players
                ],
            }
        )

    def only_club(self, players: list[Player]) -> int | None:
        """Return the club that was asked for, None for all."""
        return players[0].club_id if players and "club" in self.request.query_params else None


class OwnOpponents(OwnLifetime):
    @operation(
        "me_opponents",
        summary="The account's opponents",
        tag="me",
        answer=OwnPair,
        lists=True,
        parameters=(CLUB, SEASON, *FILTERS),
    )
    def get(self, request: Any) -> Any:
        """How the account finished against others in all its clubs, or in one; those of the most games first."""
        players = self.own_players()
        filters = self.filters_in(self.only_club(players))
        return self.numbered(
            lambda start, most: opponents_of(players, filters, start, most),
            lambda pair: {
                "player": pair.player,
                "club": pair.opponent.club_id,
                "club_name": pair.opponent.club.name,
                **pair_body(pair, self.name_of(pair.opponent)),
            },
        )
