"""The changes feed of a club: an app follows all of its games without asking for each."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter

from scoresheets import permissions
from scoresheets.api.fields import MOST_ID, Answer, Id, Whole, Yes
from scoresheets.api.journal import EntryAnswer, entry_bodies
from scoresheets.api.pagination import MOST_ROWS
from scoresheets.api.problems import refusal
from scoresheets.api.schema import operation
from scoresheets.api.views import Body, View
from scoresheets.queries.changes import beginning, changes_of, settled_id

_NEWEST = "newest"


class ChangeAnswer(EntryAnswer):
    """One act on one of the club's games."""

    game = Id(help_text="The id of the game.")


class ChangesAnswer(Answer):
    """What was done since somebody asked last."""

    changes = ChangeAnswer(many=True, help_text="The entries in the order in which they became visible, oldest first.")
    next_since = Whole(least=0, most=MOST_ID, help_text="What to ask with next time, as `since`.")
    has_more = Yes(help_text="Whether there is more to be had at once.")


class ClubChangesFeed(View):
    @operation(
        "clubs_changes",
        summary="What has changed in a club's games",
        tag="games",
        answer=ChangesAnswer,
        parameters=[
            OpenApiParameter(
                "since",
                {"type": "string", "pattern": "^([0-9]{1,18}|newest)$"},
                description="`next_since` of the answer before. Left out: from the beginning. `newest`: nothing yet, "
                "only where to go on from; ask for it before reading the games, and nothing is missed.",
            ),
        ],
        errors={400: ("since_unknown",)},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """The journal entries of all games of a club since an earlier request, at most 200 at once.

        Each entry is told exactly once, and none is passed over, however writers overlap; what is written at this very
        moment may come a request later. After `moved` a game may belong to another club: the entry is told in both, and
        what was done before it in neither again. An answer may be empty and still have `has_more`.
        """
        club = self.club(club_id)
        text = request.query_params.get("since")
        if text == _NEWEST:
            # Where a writer takes too long, from the beginning: more to read, but nothing missed.
            newest = settled_id()
            start = beginning(club.pk) if newest is None else newest
            return self.answer({"changes": [], "next_since": start, "has_more": False})
        since = beginning(club.pk) if text is None else _number(text)
        found = changes_of(club.pk, since, most=MOST_ROWS)
        shows_names = permissions.can_see_roster(self.actor, club)
        bodies = entry_bodies(found.rows, shows_names=shows_names)
        changes = [
            {"game": row["game_id"], **(body if row["in_club"] == club.pk else _moved_away(body, club.pk))}
            for row, body in zip(found.rows, bodies, strict=True)
        ]
        return self.answer({"changes": changes, "next_since": found.next_since, "has_more": found.has_more})


def _moved_away(body: Body, club_id: int) -> Body:
    """Return the entry that moved a game out of a club without a word of where it went."""
    return {**body, "payload": {"from": club_id}}


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_ID))):
        raise refusal(400, "since_unknown", field="since")
    return int(text)
