"""Clubs on the admin site, their members and invitations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoresheets import permissions, recording
from scoresheets.actors import Actor
from scoresheets.admin.acts import Act, ActForm, TypedForm
from scoresheets.admin.exporting import Exported, SafeResource
from scoresheets.admin.histories import WithHistory
from scoresheets.admin.looking import LookOnly, of_club
from scoresheets.admin.site import site
from scoresheets.forms.fields import WholeNumberField
from scoresheets.models import Club, Invitation, Membership
from scoresheets.models.people import CLUB_NAME_LENGTH
from scoresheets.recording import ClubSettings, statistics, tasks


class SettingsForm(ActForm):
    """A club's settings, but for its house rules, which only those who play by them know."""

    name = forms.CharField(label=_("name"), required=False, max_length=5 * CLUB_NAME_LENGTH)
    time_zone = forms.CharField(label=_("time zone"), required=False, max_length=64)
    language = forms.ChoiceField(label=_("language"), choices=Club.Language.choices)
    visibility = forms.ChoiceField(label=_("visibility"), choices=Club.Visibility.choices)
    locks_after = WholeNumberField(
        label=_("locked after hours"), required=False, help_text=_("Counted from the end of a game; empty: never.")
    )
    incomplete_counts = forms.BooleanField(label=_("games ended early count"), required=False)
    problem_fields = {"name": "name", "time": "time_zone", "hours": "locks_after"}

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Club) -> None:
        super().__init__(data, subject=subject)
        for name, field in self.fields.items():
            field.initial = getattr(subject, name)


class RoleForm(ActForm):
    """Another role."""

    role = forms.ChoiceField(label=_("role"), choices=Membership.Role.choices)

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Membership) -> None:
        super().__init__(data, subject=subject)
        self.fields["role"].initial = subject.role


def _change(club: Club, form: SettingsForm, by: Actor, key: str) -> None:
    recording.change_club(club, replace(ClubSettings.of(club), **form.cleaned_data), by=by)


def _rebuild(club: Club, form: ActForm, by: Actor, key: str) -> None:
    permissions.check_can_change_club(by, club)
    with transaction.atomic():
        statistics.lock_statistics(club.pk)
        tasks.enqueue_once(tasks.rebuild_statistics_of, club.pk)


def _delete(club: Club, form: TypedForm, by: Actor, key: str) -> None:
    recording.delete_club(club, by=by)


def _change_role(membership: Membership, form: RoleForm, by: Actor, key: str) -> None:
    recording.change_role(membership, role=form.cleaned_data["role"], by=by)


def _remove(membership: Membership, form: ActForm, by: Actor, key: str) -> None:
    recording.remove_member(membership, by=by)


def _revoke(invitation: Invitation, form: ActForm, by: Actor, key: str) -> None:
    recording.revoke_invitation(invitation, by=by)


class ClubResource(SafeResource):
    class Meta:
        model = Club
        fields = ("id", "name", "time_zone", "language", "visibility", "locks_after", "created_at")


@admin.register(Club, site=site)
class ClubAdmin(Exported, WithHistory):
    """Clubs, with the way to all that belongs to each."""

    area = "clubs"
    resource_classes = (ClubResource,)
    acts = (
        Act(
            "settings",
            _("Change the settings"),
            _("Games that are under way keep the rules they were started with."),
            permissions.can_change_club,
            _change,
            SettingsForm,
        ),
        Act(
            "rebuild",
            _("Work out the statistics anew"),
            _("The worker reads all games of the club again. Its pages show the old numbers until then."),
            permissions.can_change_club,
            _rebuild,
        ),
        Act(
            "delete",
            _("Delete the club"),
            _("Its members, players, evenings, seasons and invitations go with it, for good. A club with games stays."),
            permissions.can_delete_club,
            _delete,
            TypedForm,
            is_danger=True,
            removes=True,
        ),
    )
    many = ("rebuild",)
    list_display = ("id", "name", "visibility", "language", "time_zone", "locks_after", "created_at")
    list_display_links = ("id", "name")
    list_filter = ("visibility", "language", "incomplete_counts")
    date_hierarchy = "created_at"
    search_fields = ("=id", "name")
    search_help_text = _("A club's number or name.")
    change_form_template = "admin/club.html"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the club, and where its rows are listed."""
        lists = [
            (self.admin_site._registry[model].opts.verbose_name_plural, f"{reverse(f'admin:{name}_changelist')}?club=")
            for name, model in (
                (f"{model._meta.app_label}_{model._meta.model_name}", model)
                for model, shown in self.admin_site._registry.items()
                if any(getattr(one, "parameter_name", "") == "club" for one in shown.list_filter)
            )
        ]
        context = {**(extra_context or {}), "lists": [(name, f"{address}{object_id}") for name, address in lists]}
        return super().change_view(request, object_id, form_url, context)


@admin.register(Membership, site=site)
class MembershipAdmin(WithHistory):
    area = "clubs"
    acts = (
        Act(
            "role",
            _("Change the role"),
            _("Each role may do what those before it may. The last owner of a club stays one."),
            permissions.can_remove_member,
            _change_role,
            RoleForm,
        ),
        Act(
            "remove",
            _("Remove from the club"),
            _("The player they are stays theirs, and so do the results."),
            permissions.can_remove_member,
            _remove,
            is_danger=True,
            removes=True,
        ),
    )
    list_display = ("id", "user", "club", "role", "joined_at")
    list_filter = (of_club("club"), "role")
    list_select_related = ("user", "club")
    date_hierarchy = "joined_at"
    search_fields = ("user__username", "club__name")


@admin.register(Invitation, site=site)
class InvitationAdmin(LookOnly):
    area = "clubs"
    acts = (
        Act(
            "revoke",
            _("Close the invitation"),
            _("Nobody joins with it any more; whoever came in by it stays."),
            permissions.can_manage_members,
            _revoke,
            about=lambda invitation: (invitation.club,),
            fits=lambda invitation: invitation.revoked_at is None,
            is_danger=True,
        ),
    )
    many = ("revoke",)
    list_display = ("id", "club", "role", "label", "created_by", "created_at", "expires_at", "uses", "revoked_at")
    list_filter = (of_club("club"), "role", ("revoked_at", admin.EmptyFieldListFilter))
    list_select_related = ("club", "created_by")
    date_hierarchy = "created_at"
    search_fields = ("club__name", "label")
