"""What runs beside the pages, on the admin site: webhooks, imports, tasks of the worker, and what staff did."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.utils.translation import gettext_lazy as _
from django_tasks_db.models import DBTaskResult

from scoresheets import permissions, recording
from scoresheets.actors import Actor
from scoresheets.admin.acts import Act, ActForm
from scoresheets.admin.looking import LookOnly, of_club
from scoresheets.admin.site import site
from scoresheets.models import Delivery, Webhook
from scoresheets.models.imports import Import, ImportedGame


def _on(webhook: Webhook, form: ActForm, by: Actor, key: str) -> None:
    recording.switch_webhook(webhook, on=True, by=by)


def _off(webhook: Webhook, form: ActForm, by: Actor, key: str) -> None:
    recording.switch_webhook(webhook, on=False, by=by)


def _delete(webhook: Webhook, form: ActForm, by: Actor, key: str) -> None:
    recording.delete_webhook(webhook, by=by)


def _club(webhook: Webhook) -> tuple[Any, ...]:
    return (webhook.club,)


@admin.register(Webhook, site=site)
class WebhookAdmin(LookOnly):
    acts = (
        Act(
            "off",
            _("Switch off"),
            _("Nothing is sent any more until it is switched on again."),
            permissions.can_manage_webhooks,
            _off,
            about=_club,
            fits=lambda webhook: webhook.is_active,
        ),
        Act(
            "on",
            _("Switch on"),
            _("It is told again of what happens from now on."),
            permissions.can_manage_webhooks,
            _on,
            about=_club,
            fits=lambda webhook: not webhook.is_active,
        ),
        Act(
            "delete",
            _("Delete the webhook"),
            _("What was sent to it is forgotten, too."),
            permissions.can_manage_webhooks,
            _delete,
            about=_club,
            is_danger=True,
            removes=True,
        ),
    )
    many = ("off",)
    list_display = ("id", "club", "address", "is_active", "failures", "failing_since", "disabled_at", "created_at")
    list_display_links = ("id", "address")
    list_filter = (of_club("club"), "is_active", ("failing_since", admin.EmptyFieldListFilter))
    list_select_related = ("club",)
    date_hierarchy = "created_at"
    search_fields = ("club__name", "address")


@admin.register(Delivery, site=site)
class DeliveryAdmin(LookOnly):
    list_display = ("id", "webhook", "event", "status", "tries", "status_code", "error", "created_at", "delivered_at")
    list_filter = (of_club("webhook__club"), "status", "event", "error")
    list_select_related = ("webhook",)
    date_hierarchy = "created_at"
    search_fields = ("webhook__address", "=uuid")


@admin.register(Import, site=site)
class ImportAdmin(LookOnly):
    list_display = ("id", "club", "file_name", "kind", "state", "done", "total", "by", "created_at", "ended_at")
    list_display_links = ("id", "file_name")
    list_filter = (of_club("club"), "state", "kind")
    list_select_related = ("club", "by")
    date_hierarchy = "created_at"
    search_fields = ("club__name", "file_name")


@admin.register(ImportedGame, site=site)
class ImportedGameAdmin(LookOnly):
    list_display = ("id", "of_import", "row", "state", "reason", "game", "played_at")
    list_filter = (of_club("of_import__club"), "state", "reason")
    list_select_related = ("of_import", "game")
    search_fields = ("=game__id", "key")
    fields = ("of_import", "place", "row", "key", "played_at", "state", "game", "reason", "notes")


@admin.register(DBTaskResult, site=site)
class TaskAdmin(LookOnly):
    list_display = ("id", "task_path", "status", "enqueued_at", "started_at", "finished_at")
    list_filter = ("status", "task_path")
    date_hierarchy = "enqueued_at"
    ordering = ("-enqueued_at",)
    search_fields = ("=id", "task_path")
    fields = ("id", "task_path", "status", "args_kwargs", "enqueued_at", "started_at", "finished_at")


@admin.register(LogEntry, site=site)
class LogEntryAdmin(LookOnly):
    """Who did what here, to which row."""

    list_display = ("id", "action_time", "user", "what", "content_type", "object_id")
    list_filter = ("action_flag", "content_type")
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
    search_fields = ("user__username", "=object_id")
    fields = ("action_time", "user", "what", "content_type", "object_id")

    @admin.display(description=_("act"))
    def what(self, entry: LogEntry) -> str:
        """Return what the act is called; its code where there is none of that name any more."""
        model = entry.content_type.model_class() if entry.content_type is not None else None
        shown: Any = site._registry.get(model) if model is not None else None
        titles = {act.name: str(act.title) for act in getattr(shown, "acts", ())}
        return titles.get(entry.change_message, entry.change_message)
