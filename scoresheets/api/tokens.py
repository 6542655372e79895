"""Who a request comes from, for an app that was only given a token."""

from __future__ import annotations

from typing import Any

from django.http import Http404

from scoresheets.api.fields import Answer, Choice, Id, Moment, Text
from scoresheets.api.schema import Scope, operation
from scoresheets.api.views import Body, View
from scoresheets.models import Token
from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.usernames import NAME_LENGTH as USERNAME_LENGTH
from scoresheets.recording.tokens import revoke_token

TAG = "token"


class TokenAnswer(Answer):
    """What the token of a request is."""

    id = Id(help_text="The id of the token.")
    name = Text(most=NAME_LENGTH, help_text="What its account calls it.")
    scope = Choice(
        choices=Token.Scope.values,
        help_text="The most it does: `read` what members see, `record` what scorers do, `manage` what owners do, each "
        "only as far as its account may.",
    )
    club = Id(allow_null=True, help_text="The one club it is for; null for all clubs of its account.")
    created_at = Moment(help_text="When it was made.")
    expires_at = Moment(allow_null=True, help_text="Until when it is valid; null for until it is revoked.")


class CallerAnswer(Answer):
    """The account a request acts for."""

    account = Id(help_text="The id of the account.")
    username = Text(most=USERNAME_LENGTH, help_text="The name of the account.")
    token = TokenAnswer(allow_null=True, help_text="The token; null for somebody who is signed in.")


def token_body(token: Token | None) -> Body | None:
    """Return the token of a request as it is answered; None where there is none."""
    if token is None:
        return None
    return {
        "id": token.pk,
        "name": token.name,
        "scope": token.scope,
        "club": token.club_id,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
    }


class Caller(View):
    @operation("token_read", summary="Who this is", tag=TAG, answer=CallerAnswer)
    def get(self, request: Any) -> Any:
        """The account that the request acts for, and what its token allows: a good first request of an app."""
        user = self.signed_in()
        return self.answer({"account": user.pk, "username": str(user), "token": token_body(self.token)})

    @operation(
        "token_revoke",
        summary="Revoke this token",
        tag=TAG,
        answer=None,
        scope=Scope.READ,
    )
    def delete(self, request: Any) -> Any:
        """Close the token of the request for good, as an app does that is taken off a device."""
        self.signed_in()
        token = self.token
        if token is None:
            raise Http404
        return self.write(lambda: revoke_token(token, by=self.actor))
