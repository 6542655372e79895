"""Tokens of an account: made, revoked, used. A secret is shown once; only its hash is stored."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Token, User
from scoresheets.models.games import NAME_LENGTH, Via, hash_of_secret
from scoresheets.models.tokens import PREFIX, SECRET_LENGTH, SHOWN_LENGTH
from scoresheets.recording import receipts
from scoresheets.recording.links import derived, new_nonce
from scoresheets.recording.names import tidy_name

#: The longest a token that expires is valid.
MOST_DAYS = 365
#: So many usable tokens an account can have at once.
MOST_TOKENS = 50
#: The last use is written down at most so often: reading must not become writing.
USE_NOTED_AFTER = timedelta(minutes=10)


def token_secret_of(nonce: str) -> str:
    """Return the token's secret that belongs to a nonce; the nonce alone opens nothing, as with links."""
    return PREFIX + urlsafe_b64encode(derived("token", nonce)).decode()[:SECRET_LENGTH]


@transaction.atomic
def make_token(
    *, name: str, scope: str, by: Actor, club: Club | None = None, days: int | None = None, key: str | None = None
) -> tuple[Token, str]:
    """Make a token of the actor's account and return it with its secret, which cannot be shown again later.

    It is for one `club` of theirs (None: for all of them), and valid for `days` days, 1 to 365 (None: until revoked).
    A repeat with the same key returns the same token and secret. Raises `PermissionDenied` unless somebody is signed
    in (a token makes no tokens), and for a club they do not belong to; `rules.RulesError` (`name_missing`,
    `name_too_long`, `scope_unknown`, `days_out_of_range`, `too_many_tokens`), `Conflict` ("key_reused"); then writes
    nothing.
    """
    user = _signed_in(by)
    # Two at once must not be one too many.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    name = tidy_name(name)
    fingerprint = receipts.fingerprint_of("make_token", name, scope, club and club.pk, days)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Token.objects.get(pk=body["token"]), token_secret_of(body["nonce"])
    if club is not None and not user.memberships.filter(club=club).exists():
        raise PermissionDenied
    _refuse_unless_possible(user, name, scope, days)
    nonce, now = new_nonce(), timezone.now()
    secret = token_secret_of(nonce)
    token = Token.objects.create(
        user=user,
        name=name,
        scope=scope,
        club=club,
        secret_hash=hash_of_secret(secret),
        shown=secret[:SHOWN_LENGTH],
        created_at=now,
        expires_at=None if days is None else now + timedelta(days=days),
    )
    receipts.keep_answer(by, key, fingerprint, {"token": token.pk, "nonce": nonce})
    return token, secret


def _refuse_unless_possible(user: User, name: str, scope: str, days: int | None) -> None:
    problems = []
    if not name:
        problems.append(rules.Problem.of("name_missing"))
    elif len(name) > NAME_LENGTH:
        problems.append(rules.Problem.of("name_too_long", name=name, most=NAME_LENGTH))
    if scope not in Token.Scope.values:
        problems.append(rules.Problem.of("scope_unknown", scope=scope))
    if days is not None and not 1 <= days <= MOST_DAYS:
        problems.append(rules.Problem.of("days_out_of_range", days=days, most=MOST_DAYS))
    if user.tokens.usable().count() >= MOST_TOKENS:
        problems.append(rules.Problem.of("too_many_tokens", most=MOST_TOKENS))
    if problems:
        raise rules.RulesError(problems)


@transaction.atomic
def revoke_token(token: Token, *, by: Actor) -> Token:
    """Close a token of the actor's account for good; doing it again changes nothing. Raises `PermissionDenied`.

    It takes somebody who is signed in, or the token itself; of other accounts, whoever manages accounts.
    """
    is_own = token.pk == by.token_id or permissions.can_manage_site(by)
    if not is_own and token.user_id != _signed_in(by).pk:
        raise PermissionDenied
    token = Token.objects.select_for_update(of=("self",)).get(pk=token.pk)
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
    return token


def note_use(token: Token) -> None:
    """Write down that the token was used now, if that was not done within the last minutes (1 statement then)."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at <= now - USE_NOTED_AFTER:
        unnoted = Q(last_used_at__isnull=True) | Q(last_used_at__lte=now - USE_NOTED_AFTER)
        Token.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)


def _signed_in(by: Actor) -> User:
    if by.user is None or by.via != Via.LOGIN:
        raise PermissionDenied
    return by.user
