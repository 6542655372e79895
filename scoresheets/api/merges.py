"""Who is who in a club: players who are one person, and accounts that say which player they are."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter

from scoresheets import permissions, wording
from scoresheets.api.fields import Answer, Id, Moment, Shape, Text, Whole, Yes
from scoresheets.api.pagination import Order
from scoresheets.api.players import PlayersView
from scoresheets.api.problems import refusal
from scoresheets.api.schema import ID, Scope, operation
from scoresheets.api.views import Body
from scoresheets.models import Claim, Club, Merge, Player
from scoresheets.models.usernames import NAME_LENGTH as USERNAME_LENGTH
from scoresheets.queries.clubs import merge_preview
from scoresheets.queries.players import claim_in, merge_in
from scoresheets.recording import Conflict, claim_player, decide_claim, merge_players, undo_merge

TAG = "players"

_REASONS = ("same_player", "player_merged", "player_archived", "two_accounts", "sat_together")


# -- merges -----------------------------------------------------------------------------------------------------------


class MergeAnswer(Answer):
    """A duplicate that was merged into another player."""

    id = Id(help_text="The id of the merge.")
    kept = Id(help_text="The player who was kept.")
    merged = Id(help_text="The duplicate.")
    at = Moment(help_text="When it was done.")
    undone_at = Moment(allow_null=True, help_text="When it was undone; null while it stands.")


class TwoPlayers(Shape):
    """A player who is kept, and a duplicate."""

    kept = Id(help_text="The player who is kept.")
    merged = Id(help_text="The duplicate: its games count for the one kept from then on.")


class MergePreviewAnswer(Answer):
    """What merging two players would do."""

    kept = Id(help_text="The player who would be kept.")
    merged = Id(help_text="The duplicate.")
    games_kept = Whole(least=0, help_text="In how many games the one kept sat.")
    games_merged = Whole(least=0, help_text="In how many games the duplicate sat.")
    conflict = Text(allow_null=True, help_text="The code of what stands against it; null where it can be done.")
    detail = Text(allow_null=True, help_text="The same as a sentence, in the language of `Accept-Language`.")


def _merge_body(merge: Merge) -> Body:
    return {
        "id": merge.pk,
        "kept": merge.kept_id,
        "merged": merge.merged_id,
        "at": merge.at,
        "undone_at": merge.undone_at,
    }


class MergesView(PlayersView):
    def two(self, club: Club, kept_id: int, merged_id: int) -> tuple[Player, Player]:
        """Return two of the club's players. Raises `Conflict` ("player_unknown")."""
        found = Player.objects.select_related("club").filter(club=club).in_bulk([kept_id, merged_id])
        if not {kept_id, merged_id} <= set(found):
            raise Conflict("player_unknown")
        return found[kept_id], found[merged_id]


class Merges(MergesView):
    @operation(
        "merges_list",
        summary="The merges of a club's players",
        tag=TAG,
        answer=MergeAnswer,
        lists=True,
        orders={"-at": Order.moment("at", descending=True)},
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """The merges that stand, the newest first, for managers."""
        club = self.managed(club_id)
        rows = Merge.objects.filter(kept__club=club, undone_at__isnull=True)
        return self.listed(rows, lambda found: [_merge_body(merge) for merge in found])

    @operation(
        "merges_create",
        summary="Merge two players",
        tag=TAG,
        takes=TwoPlayers,
        answer=MergeAnswer,
        status=201,
        scope=Scope.MANAGE,
        errors={409: ("player_unknown", *_REASONS)},
    )
    def post(self, request: Any, club_id: int) -> Any:
        """Merge a duplicate into the player who is kept, as managers do.

        Seats keep pointing to the duplicate, so that it can be undone; statistics count for the one kept.
        """
        club, sent = self.managed(club_id), self.sent()
        kept, merged = self.two(club, sent["kept"], sent["merged"])
        return self.write(lambda: merge_players(kept, merged, by=self.actor), _merge_body)


class MergePreviews(MergesView):
    @operation(
        "merges_preview",
        summary="What merging two players would do",
        tag=TAG,
        answer=MergePreviewAnswer,
        parameters=[
            OpenApiParameter("kept", ID, required=True, description="The player who would be kept."),
            OpenApiParameter("merged", ID, required=True, description="The duplicate."),
        ],
        errors={403: (), 409: ("player_unknown",)},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """Say whether two players can be merged, and how many games each of them has, for managers."""
        club = self.managed(club_id)
        preview = merge_preview(*self.two(club, self._id("kept"), self._id("merged")))
        conflict = preview.conflict or None
        return self.answer(
            {
                "kept": preview.kept.pk,
                "merged": preview.merged.pk,
                "games_kept": preview.games_kept,
                "games_merged": preview.games_merged,
                "conflict": conflict,
                "detail": wording.conflict_in_words(Conflict(conflict)) if conflict else None,
            }
        )

    def _id(self, name: str) -> int:
        text = self.request.query_params.get(name, "")
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text)):
            raise refusal(400, "parameter_wrong", field=name)
        return int(text)


class UndoingMerge(PlayersView):
    @operation(
        "merges_undo",
        summary="Part two merged players",
        tag=TAG,
        answer=MergeAnswer,
        scope=Scope.MANAGE,
        errors={400: ("player_name_taken",), 409: ("not_newest",)},
    )
    def post(self, request: Any, club_id: int, merge_id: int) -> Any:
        """Undo a merge, as managers do; of several that concern the same people, the newest one first."""
        merge = merge_in(self.managed(club_id), merge_id)
        if merge is None:
            raise Http404
        return self.write(lambda: undo_merge(merge, by=self.actor), _merge_body)


# -- claims -----------------------------------------------------------------------------------------------------------


class ClaimAnswer(Answer):
    """An account that says "that's me" of a player."""

    id = Id(help_text="The id of the claim.")
    player = Id(help_text="The player, or the one they were merged into since.")
    account = Id(help_text="The id of the account.")
    username = Text(most=USERNAME_LENGTH, help_text="The name of the account.")
    asked_at = Moment(help_text="When it was said.")
    accepted = Yes(allow_null=True, help_text="What a manager has decided; null until then.")
    decided_at = Moment(allow_null=True, help_text="When that was decided.")


class Decision(Shape):
    """What becomes of a claim."""

    accepted = Yes(help_text="Whether the account is this player.")


def _claim_body(claim: Claim) -> Body:
    return {
        "id": claim.pk,
        "player": claim.player.canonical_id,
        "account": claim.user_id,
        "username": str(claim.user),
        "asked_at": claim.asked_at,
        "accepted": claim.accepted,
        "decided_at": claim.decided_at,
    }


class Claims(PlayersView):
    @operation(
        "claims_list",
        summary="The claims that wait",
        tag=TAG,
        answer=ClaimAnswer,
        lists=True,
        orders={"asked_at": Order.moment("asked_at")},
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """The claims that wait for a manager, the oldest first."""
        club = self.managed(club_id)
        rows = Claim.objects.select_related("player", "user").filter(player__club=club, accepted__isnull=True)
        return self.listed(rows, lambda found: [_claim_body(claim) for claim in found])


class OneClaim(PlayersView):
    @operation(
        "claims_decide",
        summary="Decide a claim",
        tag=TAG,
        takes=Decision,
        answer=ClaimAnswer,
        scope=Scope.MANAGE,
        errors={409: ("already_decided", "not_member", "player_claimed", "has_player")},
    )
    def post(self, request: Any, club_id: int, claim_id: int) -> Any:
        """Say whether an account is the player, as managers do. Accepting one refuses all that it makes impossible."""
        claim = claim_in(self.managed(club_id), claim_id)
        if claim is None:
            raise Http404
        accepted = self.sent()["accepted"]
        return self.write(lambda: decide_claim(claim, accepted=accepted, by=self.actor), _claim_body)


class Claiming(PlayersView):
    @operation(
        "claims_create",
        summary="Say that one is a player",
        tag=TAG,
        answer=ClaimAnswer,
        errors={409: ("player_merged", "player_claimed", "has_player")},
    )
    def post(self, request: Any, club_id: int, player_id: int) -> Any:
        """Say "that's me" of a player, as members do, for a manager to decide. Saying it again changes nothing."""
        club = self.roster_of(club_id)
        permissions.check_can_claim(self.actor, club)
        player = self.player(club, player_id)
        return self.write(lambda: claim_player(player, by=self.actor), _claim_body)
