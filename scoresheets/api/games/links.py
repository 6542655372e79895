"""The links of a game: made, listed, closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample

from scoresheets.api.fields import Choice, Shape, Text
from scoresheets.api.games.acts import TAG, GameView
from scoresheets.api.games.bodies import link_body
from scoresheets.api.games.shapes import GameLinkAnswer, MadeGameLinkAnswer
from scoresheets.api.pagination import Order
from scoresheets.api.schema import operation
from scoresheets.api.views import Body
from scoresheets.models import Link
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.games import links_of
from scoresheets.recording import make_link, revoke_link
from scoresheets.recording.names import tidy_name


class NewGameLink(Shape):
    """A link to be made."""

    scope = Choice(choices=Link.Scope.values, help_text="What it lets its holder do: `edit` the score, or `watch`.")
    label = Text(  # type: ignore[assignment]
        most=NAME_LENGTH,
        default="",
        help_text=f"What it is called, at most {NAME_LENGTH} characters: the name of who acts with it.",
    )


def _bodies(links: Sequence[Link]) -> list[Body]:
    return [link_body(link) for link in links]


class GameLinks(GameView):
    @operation(
        "games_list_links",
        summary="The links of a game",
        tag=TAG,
        answer=GameLinkAnswer,
        lists=True,
        game_link=True,
        orders={"-created_at": Order.moment("created_at", descending=True)},
        errors={403: ("not_allowed",)},
    )
    def get(self, request: Any, game_id: int) -> Any:
        """The links of a game, the newest first, closed ones too; for who keeps its score. Secrets are not told."""
        return self.listed(links_of(self.kept_game(game_id)), _bodies)

    @operation(
        "games_make_link",
        summary="Make a link",
        tag=TAG,
        takes=NewGameLink,
        answer=MadeGameLinkAnswer,
        status=201,
        game_link=True,
        examples=[OpenApiExample("To watch", {"scope": "watch"}, request_only=True)],
    )
    def post(self, request: Any, game_id: int) -> Any:
        """Make a link that opens the game, and answer with its secret, which is not shown again."""
        game, sent = self.kept_game(game_id), self.sent()
        scope, label = sent["scope"], tidy_name(sent["label"])

        def answer(made: tuple[Link, str]) -> Body:
            return {**link_body(made[0]), "secret": made[1]}

        return self.write(
            lambda: make_link(game, scope=scope, label=label, by=self.actor, key=self.key), answer, secrets=("secret",)
        )


class OneLink(GameView):
    @operation("games_revoke_link", summary="Close a link", tag=TAG, answer=None, game_link=True)
    def delete(self, request: Any, game_id: int, link_id: int) -> Any:
        """Close a link for good: whoever has it finds nothing there any more. Closing it again changes nothing."""
        link = links_of(self.kept_game(game_id)).filter(pk=link_id).first()
        if link is None:
            raise Http404
        return self.write(lambda: revoke_link(link, by=self.actor))
