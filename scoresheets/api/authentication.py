"""Who asks: the holder of a token, or somebody who is signed in on this browser."""

from __future__ import annotations

import re
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.authentication import SessionAuthentication as FrameworkSession
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from scoresheets.api.problems import CHALLENGE
from scoresheets.models import Token, User
from scoresheets.models.games import hash_of_secret
from scoresheets.models.tokens import PREFIX, SECRET_LENGTH
from scoresheets.recording.tokens import note_use

_BEARER = re.compile(rf"[Bb]earer +({PREFIX}[\w-]{{{SECRET_LENGTH}}})", re.ASCII)


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer tfr_…` (1 statement, and one to note the use every some minutes)."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the token's account and the token, None without one.

        Raises `AuthenticationFailed` for another scheme and for a token that is unknown, revoked or expired.
        """
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        bearer = _BEARER.fullmatch(header)
        token = Token.of_secret_hash(hash_of_secret(bearer[1])) if bearer is not None else None
        if token is None or not token.user.is_active:
            raise AuthenticationFailed(code="token_unknown")
        if token.revoked_at is not None:
            raise AuthenticationFailed(code="token_revoked")
        if token.expires_at is not None and token.expires_at <= timezone.now():
            raise AuthenticationFailed(code="token_expired")
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


class SessionAuthentication(FrameworkSession):
    """The session of the pages, for reading and trying things out in the docs; writes need its CSRF token."""

    def authenticate_header(self, request: Request) -> Any:
        return CHALLENGE
