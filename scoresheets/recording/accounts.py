"""What is written about an account itself: its preferences, and its end. Signing up and in is the library's."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import User
from scoresheets.recording.clubs import forget_account
from scoresheets.recording.receipts import forget_receipts


def prefer(account: User, *, language: str | None = None, theme: str | None = None) -> None:
    """Keep a language or theme with the account ("" leaves it to each device); what is None stays as it is."""
    chosen = {name: value for name, value in (("language", language), ("theme", theme)) if value is not None}
    for name, value in chosen.items():
        setattr(account, name, value)
    account.save(update_fields=list(chosen))


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
    for session in UserSession.objects.filter(user=user):
        session.end()
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
