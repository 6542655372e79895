"""Clubs: those one belongs to, founding, changing and deleting one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models.functions import Lower
from drf_spectacular.utils import OpenApiExample

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.api.fields import Answer, Choice, Id, Moment, Shape, Text, Whole, Yes
from scoresheets.api.house import HouseRulesAnswer, HouseRulesShape, house_of
from scoresheets.api.pagination import Order
from scoresheets.api.schema import Scope, operation
from scoresheets.api.views import Body, View
from scoresheets.models import Club, Membership
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.people import CLUB_NAME_LENGTH, LADDERS_OF_CLUBS, MOST_HOURS
from scoresheets.recording import ClubSettings, change_club, create_club, delete_club

TAG = "clubs"

_HELP = {
    "name": f"What the club is called, 1 to {CLUB_NAME_LENGTH} characters.",
    "time_zone": "The name of its time zone in the IANA database: `Europe/Berlin`.",
    "language": "The language of what the site itself writes there: German or English.",
    "visibility": "Who may look at the club and its games: `private` its members, `unlisted` whoever knows its id, "
    "`public` everybody.",
    "house": "The house rules that a new game starts with.",
    "ladder": "Which rounds a new game has: `full`, or the publisher's `tournament` ladder.",
    "locks_after": "How many hours after its end a finished game is locked, so that only managers change it; null for "
    "never.",
    "incomplete_counts": "Whether games that were ended early count for wins, comparisons, ratings and seasons too.",
}


class ClubAnswer(Answer):
    """A group that plays together."""

    id = Id(help_text="The id of the club.")
    name = Text(most=CLUB_NAME_LENGTH, help_text=_HELP["name"])
    time_zone = Text(most=64, help_text=_HELP["time_zone"])
    language = Choice(choices=Club.Language.values, help_text=_HELP["language"])
    visibility = Choice(choices=Club.Visibility.values, help_text=_HELP["visibility"])
    house = HouseRulesAnswer(help_text=_HELP["house"])
    ladder = Choice(choices=LADDERS_OF_CLUBS, help_text=_HELP["ladder"])
    locks_after = Whole(least=0, most=MOST_HOURS, allow_null=True, help_text=_HELP["locks_after"])
    incomplete_counts = Yes(help_text=_HELP["incomplete_counts"])
    created_at = Moment(help_text="When it was founded.")
    role = Choice(
        choices=Membership.Role.values,
        allow_null=True,
        help_text="As what the one who asks acts in the club, at most what the token allows; null for no member.",
    )


class ClubChanges(Shape):
    """What is to be changed; what is left out stays."""

    name = Text(required=False, most=CLUB_NAME_LENGTH, help_text=_HELP["name"])
    time_zone = Text(required=False, most=64, help_text=_HELP["time_zone"])
    language = Choice(required=False, choices=Club.Language.values, help_text=_HELP["language"])
    visibility = Choice(required=False, choices=Club.Visibility.values, help_text=_HELP["visibility"])
    house = HouseRulesShape(required=False, help_text=_HELP["house"])
    ladder = Choice(required=False, choices=LADDERS_OF_CLUBS, help_text=_HELP["ladder"])
    locks_after = Whole(required=False, least=0, most=MOST_HOURS, allow_null=True, help_text=_HELP["locks_after"])
    incomplete_counts = Yes(required=False, help_text=_HELP["incomplete_counts"])


class NewClub(ClubChanges):
    """A club to be founded; what is left out is as usual (private, German, Europe/Berlin)."""

    name = Text(most=CLUB_NAME_LENGTH, help_text=_HELP["name"])
    player_name = Text(
        required=False,
        most=NAME_LENGTH,
        help_text="What the club calls the one who founds it; as their account, unless given.",
    )


def club_body(club: Club, actor: Actor) -> Body:
    """Return a club as it is answered."""
    return {
        "id": club.pk,
        "name": club.name,
        "time_zone": club.time_zone,
        "language": club.language,
        "visibility": club.visibility,
        "house": club.house_rules.to_mapping(),
        "ladder": club.ladder,
        "locks_after": club.locks_after,
        "incomplete_counts": club.incomplete_counts,
        "created_at": club.created_at,
        "role": actor.role_in(club.pk) or None,
    }


def _settings(sent: dict[str, Any], base: ClubSettings) -> ClubSettings:
    house = house_of(sent.pop("house", {}), base.house)
    return replace(base, house=house, **sent)


class Clubs(View):
    FIELD_OF = {
        "name_missing": "name",
        "time_zone_unknown": "time_zone",
        "dragon_fairy_pair": "house.specials",
        "special_repeated": "house.specials",
        "deck_has_no_specials": "house.specials",
        "variant_needs_no_specials": "house.specials",
        "variant_incompatible": "house",
    }

    @operation(
        "clubs_list",
        summary="The clubs of the account",
        tag=TAG,
        answer=ClubAnswer,
        lists=True,
        orders={
            "name": Order.text(Lower("name")),
            "-created_at": Order.moment("created_at", descending=True),
        },
    )
    def get(self, request: Any) -> Any:
        """The clubs to which the account belongs; with a token for one club only that one."""
        self.signed_in()
        mine = [club for club, _role in self.actor.roles if self.actor.reaches(club)]
        return self.listed(Club.objects.filter(pk__in=mine), self._read)

    def _read(self, rows: Sequence[Club]) -> list[Body]:
        return [club_body(club, self.actor) for club in rows]

    @operation(
        "clubs_create",
        summary="Found a club",
        tag=TAG,
        takes=NewClub,
        answer=ClubAnswer,
        status=201,
        scope=Scope.MANAGE,
        beyond_clubs=True,
        errors={400: ("name_missing", "time_zone_unknown", "variant_incompatible")},
        examples=[OpenApiExample("A club", {"name": "Skatfreunde", "visibility": "public"}, request_only=True)],
    )
    def post(self, request: Any) -> Any:
        """Found a club. The account becomes its owner, and a player of it."""
        self.signed_in()
        sent = self.sent()
        player_name = sent.pop("player_name", "")
        settings = _settings(sent, ClubSettings(""))
        return self.write(lambda: create_club(settings, by=self.actor, player_name=player_name), self._founded)

    def _founded(self, club: Club) -> Body:
        return {**club_body(club, self.actor), "role": Membership.Role.OWNER}


class OneClub(View):
    FIELD_OF = Clubs.FIELD_OF

    @operation("clubs_read", summary="A club", tag=TAG, answer=ClubAnswer)
    def get(self, request: Any, club_id: int) -> Any:
        """A club: one's own, or one that is unlisted or public."""
        return self.answer(club_body(self.club(club_id), self.actor))

    @operation(
        "clubs_change",
        summary="Change a club",
        tag=TAG,
        takes=ClubChanges,
        answer=ClubAnswer,
        scope=Scope.MANAGE,
        errors={400: ("name_missing", "time_zone_unknown", "variant_incompatible")},
        examples=[OpenApiExample("Other rules", {"house": {"plus_minus_one": True}}, request_only=True)],
    )
    def patch(self, request: Any, club_id: int) -> Any:
        """Change the settings of a club, as managers do. Games that are under way keep the rules they have."""
        club = self.club(club_id)
        permissions.check_can_change_club(self.actor, club)
        settings = _settings(self.sent(), ClubSettings.of(club))
        return self.write(
            lambda: change_club(club, settings, by=self.actor), lambda changed: club_body(changed, self.actor)
        )

    @operation(
        "clubs_delete",
        summary="Delete a club",
        tag=TAG,
        answer=None,
        scope=Scope.MANAGE,
        errors={409: ("club_has_games",)},
    )
    def delete(self, request: Any, club_id: int) -> Any:
        """Delete a club that has no games, with its members, players and invitations, as owners do."""
        club = self.club(club_id)
        permissions.check_can_delete_club(self.actor, club)
        return self.write(lambda: delete_club(club, by=self.actor))
