"""What is written about an account itself: its preferences, what staff does with it, and its end.

Signing up and in is the library's.
"""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.db import transaction

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import User
from scoresheets.recording.clubs import forget_account
from scoresheets.recording.errors import Conflict
from scoresheets.recording.receipts import forget_receipts


def prefer(account: User, *, language: str | None = None, theme: str | None = None) -> None:
    """Keep a language or theme with the account ("" leaves it to each device); what is None stays as it is."""
    chosen = {name: value for name, value in (("language", language), ("theme", theme)) if value is not None}
    for name, value in chosen.items():
        setattr(account, name, value)
    account.save(update_fields=list(chosen))


@transaction.atomic
def close_account(user: User, *, by: Actor) -> User:
    """Keep an account from signing in, end its sessions, and return it; all that it has stays.

    Its tokens open nothing while it is closed, and on the admin site it is nobody. Closing it again changes nothing.
    Raises `PermissionDenied`, `Conflict` ("own_account", "account_gone"); then writes nothing.
    """
    user = _managed(user, by)
    if by.user is not None and by.user.pk == user.pk:
        raise Conflict("own_account")
    user.is_active = False
    user.save(update_fields=["is_active"])
    _end_sessions(user)
    return user


@transaction.atomic
def open_account(user: User, *, by: Actor) -> User:
    """Let a closed account sign in again, and return it. Raises `PermissionDenied`, `Conflict` ("account_gone")."""
    user = _managed(user, by)
    user.is_active = True
    user.save(update_fields=["is_active"])
    return user


@transaction.atomic
def remove_second_factors(user: User, *, by: Actor) -> User:
    """Take app, keys and recovery codes off an account, for somebody who has lost them, and return it.

    From then on its password is enough. Raises `PermissionDenied`, `Conflict` ("own_account": that is done under one's
    own account, with a password, "account_gone"); then writes nothing.
    """
    user = _managed(user, by)
    if by.user is not None and by.user.pk == user.pk:
        raise Conflict("own_account")
    Authenticator.objects.filter(user=user).delete()
    return user


@transaction.atomic
def set_support(user: User, *, is_support: bool, by: Actor) -> User:
    """Let an account be support on the admin site, or no more, and return it. A superuser stays one.

    Raises `PermissionDenied`, `Conflict` ("own_account", "account_gone"); then writes nothing.
    """
    user = _managed(user, by)
    if by.user is not None and by.user.pk == user.pk:
        raise Conflict("own_account")
    group, _is_new = Group.objects.get_or_create(name=User.StaffRole.SUPPORT)
    if is_support:
        user.groups.add(group)
    else:
        user.groups.remove(group)
    user.is_staff = is_support or user.is_superuser
    user.save(update_fields=["is_staff"])
    return user


def _managed(user: User, by: Actor) -> User:
    """Return the account as it is now, locked, for somebody who may manage accounts."""
    permissions.check_can_manage_site(by)
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.is_deleted:
        raise Conflict("account_gone")
    return user


def _end_sessions(user: User) -> None:
    for session in UserSession.objects.filter(user=user):
        session.end()


@transaction.atomic
def delete_account(user: User, by: Actor) -> None:
    """Delete an account with its addresses, second factors and sessions; doing it again changes nothing.

    Score sheets and their journals stay. So does the row they refer to, empty and under a name that nobody can choose.
    In clubs, `forget_account` says what becomes of its place. Raises `PermissionDenied`, `Conflict` ("last_owner").
    """
    permissions.check_can_delete_account(by, user)
    # Before the account's row is locked: clubs come first, everywhere.
    forget_account(user, by=by)
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.is_deleted:
        return
    _end_sessions(user)
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    forget_receipts(user)
    user.tokens.all().delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.username = f"{User.DELETED}{user.pk}"
    user.first_name = user.last_name = user.email = user.language = user.theme = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    # Sessions that the list does not know end too: their mark depends on the password.
    user.set_unusable_password()
    user.save()
