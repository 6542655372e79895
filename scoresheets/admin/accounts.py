"""Accounts and their tokens on the admin site. Nobody sees a password there, not even as it is stored."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.admin.acts import Act, ActForm, TypedForm
from scoresheets.admin.looking import LookOnly, of_club
from scoresheets.admin.site import site
from scoresheets.models import Token, User
from scoresheets.recording.accounts import (
    close_account,
    delete_account,
    open_account,
    remove_second_factors,
    set_support,
)
from scoresheets.recording.tokens import revoke_token


def _close(user: User, form: ActForm, by: Actor, key: str) -> None:
    close_account(user, by=by)


def _open(user: User, form: ActForm, by: Actor, key: str) -> None:
    open_account(user, by=by)


def _remove_factors(user: User, form: TypedForm, by: Actor, key: str) -> None:
    remove_second_factors(user, by=by)


def _make_support(user: User, form: TypedForm, by: Actor, key: str) -> None:
    set_support(user, is_support=True, by=by)


def _end_support(user: User, form: ActForm, by: Actor, key: str) -> None:
    set_support(user, is_support=False, by=by)


def _delete(user: User, form: TypedForm, by: Actor, key: str) -> None:
    delete_account(user, by=by)


def _revoke(token: Token, form: ActForm, by: Actor, key: str) -> None:
    revoke_token(token, by=by)


def _nothing(row: Any) -> tuple[Any, ...]:
    return ()


def _is_support(user: User) -> bool:
    return user.staff_role == User.StaffRole.SUPPORT


@admin.register(User, site=site)
class UserAdmin(LookOnly):
    area = "accounts"
    acts = (
        Act(
            "close",
            _("Close the account"),
            _("Nobody signs in with it any more, its sessions end at once, and its tokens open nothing."),
            permissions.can_manage_site,
            _close,
            about=_nothing,
            fits=lambda user: user.is_active and not user.is_deleted,
            is_danger=True,
        ),
        Act(
            "open",
            _("Open the account again"),
            _("It can sign in again, with all that it had."),
            permissions.can_manage_site,
            _open,
            about=_nothing,
            fits=lambda user: not user.is_active and not user.is_deleted,
        ),
        Act(
            "second_factors",
            _("Remove the second factor"),
            _("For somebody who has lost it, and is known to be who they say. The password is enough then."),
            permissions.can_manage_site,
            _remove_factors,
            TypedForm,
            about=_nothing,
            fits=lambda user: user.has_second_factor and not user.is_deleted,
            is_danger=True,
            asks_password=True,
        ),
        Act(
            "make_support",
            _("Make support"),
            _("The account looks at everything on the admin site, and corrects games."),
            permissions.can_manage_site,
            _make_support,
            TypedForm,
            about=_nothing,
            fits=lambda user: user.is_active and not user.is_superuser and not _is_support(user),
            asks_password=True,
        ),
        Act(
            "end_support",
            _("End being support"),
            _("The admin site is closed to the account."),
            permissions.can_manage_site,
            _end_support,
            about=_nothing,
            fits=lambda user: not user.is_superuser and user.is_staff,
        ),
        Act(
            "delete",
            _("Delete the account"),
            _("What is personal goes for good; sheets and journals stay. Its players lose their names in every club."),
            permissions.can_delete_account,
            _delete,
            TypedForm,
            fits=lambda user: not user.is_deleted,
            is_danger=True,
            asks_password=True,
        ),
    )
    list_display = ("id", "shown_name", "email", "role", "is_active", "date_joined", "last_login")
    list_display_links = ("id", "shown_name")
    list_filter = ("is_active", "is_staff", "is_superuser")
    date_hierarchy = "date_joined"
    search_fields = ("=id", "username", "email")
    fields = (
        *("username", "email", "role", "has_second_factor", "is_active", "is_staff", "is_superuser"),
        *("language", "theme", "date_joined", "last_login"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return the accounts, each with whether it has a second factor."""
        rows: QuerySet[User] = super().get_queryset(request)
        factors = Authenticator.objects.filter(user=OuterRef("pk"))
        return rows.annotate(has_second_factor=Exists(factors)).prefetch_related("groups")

    @admin.display(description=_("name"), ordering="username")
    def shown_name(self, user: User) -> str:
        return str(user)

    @admin.display(description=_("on the admin site"))
    def role(self, user: User) -> str:
        """Say what the account is here, from the groups that were read with it."""
        if not user.is_staff or not user.is_active:
            return ""
        if user.is_superuser:
            return str(User.StaffRole.SUPERUSER.label)
        named = {group.name for group in user.groups.all()}
        return str(User.StaffRole.SUPPORT.label) if User.StaffRole.SUPPORT in named else ""

    @admin.display(description=_("second factor"), boolean=True)
    def has_second_factor(self, user: Any) -> bool:
        return bool(user.has_second_factor)


@admin.register(Token, site=site)
class TokenAdmin(LookOnly):
    area = "accounts"
    acts = (
        Act(
            "revoke",
            _("Close the token"),
            _("It opens nothing any more, at once and for good."),
            permissions.can_manage_site,
            _revoke,
            about=_nothing,
            fits=lambda token: token.revoked_at is None,
            is_danger=True,
        ),
    )
    many = ("revoke",)
    list_display = (
        "id",
        "user",
        "name",
        "scope",
        "club",
        "shown",
        "created_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    )
    list_display_links = ("id", "name")
    list_filter = (of_club("club"), "scope", ("revoked_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "club")
    date_hierarchy = "created_at"
    search_fields = ("user__username", "name", "shown")
