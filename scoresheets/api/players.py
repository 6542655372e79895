"""The players of a club: the roster, adding and naming, the archive, becoming anonymous, and whose account they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Lower
from django.http import Http404
from django.urls import reverse
from django_filters import CharFilter, ChoiceFilter, FilterSet
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from scoresheets import permissions
from scoresheets.api.fields import Answer, Id, Moment, Shape, Text, Whole, Yes
from scoresheets.api.filters import YesFilter
from scoresheets.api.members import Secret
from scoresheets.api.pagination import Order
from scoresheets.api.problems import refusal
from scoresheets.api.schema import Scope, operation
from scoresheets.api.views import Body, View
from scoresheets.models import Club, Player, PlayerLink
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.usernames import NAME_LENGTH as USERNAME_LENGTH
from scoresheets.queries.clubs import games_counted
from scoresheets.queries.players import likely_players, named_like, open_link_of, player_in
from scoresheets.recording import (
    add_player,
    anonymise_player,
    archive_player,
    make_claim_link,
    release_player,
    rename_player,
    revoke_claim_link,
    unarchive_player,
    use_claim_link,
)
from scoresheets.recording.players import MOST_DAYS

TAG = "players"
MOST_SEARCHED = 100

_HELP = {
    "name": f"What the club calls them, 1 to {NAME_LENGTH} characters; on the roster it is there once, case set aside.",
    "public_name": "What pages show that everybody may read; empty for the same as `name`.",
    "is_guest": "Whether they only play now and then: seasons may leave guests out.",
}


class PlayerAnswer(Answer):
    """Somebody a club knows, with or without an account."""

    id = Id(help_text="The id of the player.")
    club = Id(help_text="The club.")
    name = Text(most=NAME_LENGTH, help_text=_HELP["name"])
    public_name = Text(most=NAME_LENGTH, help_text=_HELP["public_name"])
    is_guest = Yes(help_text=_HELP["is_guest"])
    account = Id(allow_null=True, help_text="The id of the player's account; null without one.")
    username = Text(most=USERNAME_LENGTH, allow_null=True, help_text="The name of that account.")
    canonical = Id(
        help_text="The player they count as: themselves, or the one into whom they were merged. Seats keep pointing to "
        "the duplicate, statistics count for this one.",
    )
    archived_at = Moment(allow_null=True, help_text="Since when they are off the roster; null on it.")
    created_at = Moment(help_text="When they were added.")
    games = Whole(least=0, help_text="In how many games they sat, also as a duplicate; 0 of a duplicate itself.")


class PlayerNames(Shape):
    """New names; what is left out stays."""

    name = Text(required=False, most=NAME_LENGTH, help_text=_HELP["name"])
    public_name = Text(required=False, most=NAME_LENGTH, help_text=_HELP["public_name"])


class NewPlayer(Shape):
    """Somebody to be added to the roster."""

    name = Text(most=NAME_LENGTH, help_text=_HELP["name"])
    public_name = Text(required=False, default="", most=NAME_LENGTH, help_text=_HELP["public_name"])
    is_guest = Yes(required=False, default=False, help_text=_HELP["is_guest"])


class PlayerFilter(FilterSet):
    state = ChoiceFilter(
        choices=[(state, state) for state in ("roster", "archived", "merged", "all")],
        method="in_state",
        help_text="`roster` (as without it) whom the club seats now, `archived` who is off the roster, `merged` "
        "duplicates, `all` everybody.",
    )
    is_guest = YesFilter(help_text="Only guests, or only those who are none.")
    has_account = YesFilter(
        field_name="user", lookup_expr="isnull", exclude=True, help_text="Only those with an account, or without one."
    )
    search = CharFilter(
        method="named",
        max_length=MOST_SEARCHED,
        help_text="Only those whose name or public name has this in it, case and accents set aside.",
    )

    class Meta:
        model = Player
        fields = ("state", "is_guest", "has_account", "search")

    def in_state(self, rows: QuerySet, name: str, value: str) -> QuerySet:
        if value == "merged":
            return rows.exclude(canonical=F("pk"))
        if value == "all":
            return rows
        return rows.filter(canonical=F("pk"), archived_at__isnull=value == "roster")

    def named(self, rows: QuerySet, name: str, value: str) -> QuerySet:
        return named_like(rows, value)


_PLAIN = ("id", "club", "name", "public_name", "is_guest", "canonical", "archived_at", "created_at")


def _values(players: QuerySet) -> QuerySet:
    """Return the values of players of which answers are made."""
    return players.values(*_PLAIN, account=F("user"), username=F("user__username"))


def player_bodies(players: Sequence[Mapping[str, Any]]) -> list[Body]:
    """Return players, given as `_values`, as they are answered (1 statement)."""
    games = games_counted([player["id"] for player in players])
    return [
        {name: player[name] for name in (*_PLAIN, "account", "username")} | {"games": games.get(player["id"], 0)}
        for player in players
    ]


class PlayersView(View):
    """What is about the players of a club, for its members."""

    FIELD_OF = {"name_missing": "name", "name_too_long": "name", "player_name_taken": "name"}

    def roster_of(self, club_id: int) -> Club:
        """Return a club whose roster may be seen. Raises `Http404`, `PermissionDenied`."""
        club = self.club(club_id)
        permissions.check_can_see_roster(self.actor, club)
        return club

    def managed(self, club_id: int) -> Club:
        """Return a club whose players may be managed. Raises `Http404`, `PermissionDenied`."""
        club = self.club(club_id)
        permissions.check_can_manage_players(self.actor, club)
        return club

    def player(self, club: Club, player_id: int) -> Player:
        """Return one of the club's players. Raises `Http404`."""
        found = player_in(club, player_id)
        if found is None:
            raise Http404
        return found

    def body_of(self, player: Player) -> Body:
        """Return a player as it is now, as it is answered (2 statements)."""
        (body,) = player_bodies(list(_values(Player.objects.filter(pk=player.pk))))
        return body


class Players(PlayersView):
    @operation(
        "players_list",
        summary="The players of a club",
        tag=TAG,
        answer=PlayerAnswer,
        lists=True,
        filters=PlayerFilter,
        orders={"name": Order.text(Lower("name")), "-created_at": Order.moment("created_at", descending=True)},
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """Whom a club knows, for its members: the roster, unless `state` says otherwise."""
        club = self.roster_of(club_id)
        found = Player.objects.filter(club=club)
        if "state" not in self.request.query_params:
            found = found.on_roster()
        return self.listed(_values(found), player_bodies)

    @operation(
        "players_create",
        summary="Add a player",
        tag=TAG,
        takes=NewPlayer,
        answer=PlayerAnswer,
        status=201,
        errors={400: ("name_missing", "player_name_taken")},
        examples=[OpenApiExample("A guest", {"name": "Dora", "is_guest": True}, request_only=True)],
    )
    def post(self, request: Any, club_id: int) -> Any:
        """Put somebody on the roster, as scorers do. `players_likely` tells before who may be meant."""
        club = self.club(club_id)
        permissions.check_can_add_players(self.actor, club)
        sent = self.sent()
        return self.write(lambda: add_player(club, **sent, by=self.actor), self.body_of)


class LikelyPlayersAnswer(Answer):
    """Who may be meant by a name."""

    results = PlayerAnswer(many=True, help_text="The likeliest first; empty where nobody is.")


class LikelyPlayers(PlayersView):
    @operation(
        "players_likely",
        summary="Who may be meant by a name",
        tag=TAG,
        answer=LikelyPlayersAnswer,
        parameters=[
            OpenApiParameter(
                "name",
                {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH},
                required=True,
                description="The name as it was typed.",
            )
        ],
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """Those on the roster whose name is nearly this one, and those in the archive who have just this one.

        Ask before adding somebody: a duplicate is easier avoided than merged.
        """
        club = self.roster_of(club_id)
        name = self.request.query_params.get("name", "")
        if not name or len(name) > NAME_LENGTH or "\0" in name:
            raise refusal(400, "parameter_wrong", field="name")
        likely = [player.pk for player in likely_players(club, name)]
        found = {row["id"]: row for row in _values(Player.objects.filter(pk__in=likely))}
        return self.answer({"results": player_bodies([found[pk] for pk in likely if pk in found])})


class OnePlayer(PlayersView):
    @operation("players_read", summary="A player", tag=TAG, answer=PlayerAnswer, errors={403: ()})
    def get(self, request: Any, club_id: int, player_id: int) -> Any:
        """One player of a club, for its members; a duplicate says by `canonical` whom it counts as."""
        return self.answer(self.body_of(self.player(self.roster_of(club_id), player_id)))

    @operation(
        "players_rename",
        summary="Rename a player",
        tag=TAG,
        takes=PlayerNames,
        answer=PlayerAnswer,
        scope=Scope.MANAGE,
        errors={400: ("name_missing", "player_name_taken"), 409: ("player_merged",)},
    )
    def patch(self, request: Any, club_id: int, player_id: int) -> Any:
        """Call a player something else, as managers do; sheets that carry the old name get the new one."""
        player = self.player(self.managed(club_id), player_id)
        names = {"name": player.name, **self.sent()}
        return self.write(lambda: rename_player(player, **names, by=self.actor), self.body_of)


class Archiving(PlayersView):
    @operation(
        "players_archive",
        summary="Take a player off the roster",
        tag=TAG,
        answer=PlayerAnswer,
        scope=Scope.MANAGE,
        errors={409: ("player_merged",)},
    )
    def post(self, request: Any, club_id: int, player_id: int) -> Any:
        """Put a player into the archive, as managers do: games and results stay, and the name is free again."""
        player = self.player(self.managed(club_id), player_id)
        return self.write(lambda: archive_player(player, by=self.actor), self.body_of)


class Unarchiving(PlayersView):
    @operation(
        "players_unarchive",
        summary="Put a player on the roster again",
        tag=TAG,
        answer=PlayerAnswer,
        scope=Scope.MANAGE,
        errors={400: ("player_name_taken",), 409: ("player_merged",)},
    )
    def post(self, request: Any, club_id: int, player_id: int) -> Any:
        """Bring a player back from the archive, as managers do."""
        player = self.player(self.managed(club_id), player_id)
        return self.write(lambda: unarchive_player(player, by=self.actor), self.body_of)


class Anonymising(PlayersView):
    @operation("players_anonymise", summary="Make a player anonymous", tag=TAG, answer=PlayerAnswer, scope=Scope.MANAGE)
    def post(self, request: Any, club_id: int, player_id: int) -> Any:
        """Take a person's name off everything the club has of them, for good: for themselves, and for managers.

        The player and all duplicates are called "Player 17" from then on, everywhere. Scores stay.
        """
        club = self.roster_of(club_id)
        player = self.player(club, player_id).canonical
        permissions.check_can_anonymise(self.actor, player)
        return self.write(lambda: anonymise_player(player, by=self.actor), self.body_of)


class Releasing(PlayersView):
    @operation(
        "players_release",
        summary="Part a player from an account",
        tag=TAG,
        answer=PlayerAnswer,
        scope=Scope.MANAGE,
        errors={409: ("player_merged",)},
    )
    def post(self, request: Any, club_id: int, player_id: int) -> Any:
        """Part a player from the account that was wrongly taken for them, as managers do."""
        player = self.player(self.managed(club_id), player_id)
        return self.write(lambda: release_player(player, by=self.actor), self.body_of)


# -- personal links ---------------------------------------------------------------------------------------------------


class PlayerLinkAnswer(Answer):
    """A personal link that was just made. Its secret is told this once."""

    id = Id(help_text="The id of the link.")
    player = Id(help_text="The player that whoever opens it becomes.")
    created_at = Moment(help_text="When it was made.")
    expires_at = Moment(help_text="Until when it is open.")
    secret = Text(help_text="The secret, for `player_links_use`.")
    address = Text(help_text="The address of the page on which somebody becomes the player.")


class PlayerLinkShape(Shape):
    """A personal link to be made."""

    days = Whole(required=False, default=14, least=1, most=MOST_DAYS, help_text="For how many days it is open.")


class PersonalLink(PlayersView):
    FIELD_OF = {"days_out_of_range": "days"}

    @operation(
        "player_links_create",
        summary="Make the personal link of a player",
        tag=TAG,
        takes=PlayerLinkShape,
        answer=PlayerLinkAnswer,
        status=201,
        scope=Scope.MANAGE,
        errors={409: ("player_merged", "player_claimed")},
    )
    def post(self, request: Any, club_id: int, player_id: int) -> Any:
        """Make a link, as managers do: who opens it first is this player from then on. An older one closes."""
        player = self.player(self.managed(club_id), player_id)
        days = self.sent()["days"]
        return self.write(
            lambda: make_claim_link(player, days=days, by=self.actor, key=self.key),
            self._made,
            secrets=("secret", "address"),
        )

    def _made(self, made: tuple[PlayerLink, str]) -> Body:
        link, secret = made
        return {
            "id": link.pk,
            "player": link.player_id,
            "created_at": link.created_at,
            "expires_at": link.expires_at,
            "secret": secret,
            "address": self.request.build_absolute_uri(reverse("open_player_link", args=[secret])),
        }

    @operation(
        "player_links_revoke",
        summary="Close the personal link of a player",
        tag=TAG,
        answer=None,
        scope=Scope.MANAGE,
    )
    def delete(self, request: Any, club_id: int, player_id: int) -> Any:
        """Close the personal link that is open, if there is one, as managers do."""
        player = self.player(self.managed(club_id), player_id)

        def close() -> None:
            link = open_link_of(player)
            if link is not None:
                revoke_claim_link(link, by=self.actor)

        return self.write(close)


class UsingLink(PlayersView):
    @operation(
        "player_links_use",
        summary="Become a player",
        tag=TAG,
        takes=Secret,
        answer=PlayerAnswer,
        scope=Scope.MANAGE,
        beyond_clubs=True,
        errors={409: ("link_gone", "player_claimed", "has_player")},
    )
    def post(self, request: Any) -> Any:
        """Become the player whose personal link this is the secret of, and a member of the club."""
        self.signed_in()
        secret = self.sent()["secret"]
        return self.write(lambda: use_claim_link(secret, by=self.actor), self.body_of)
