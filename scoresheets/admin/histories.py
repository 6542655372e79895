"""What became of a row that has a history: who changed what, when, by which door. Nothing is put back from there."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from simple_history.admin import SimpleHistoryAdmin

from scoresheets.admin.looking import LookOnly
from scoresheets.models.games import Via


class WithHistory(LookOnly, SimpleHistoryAdmin):
    """A model whose history can be looked at."""

    object_history_template = "admin/history.html"
    history_list_per_page = 50

    def has_view_history_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request)

    def set_history_delta_changes(
        self, request: HttpRequest, historical_records: Any, foreign_keys_are_objs: bool = False
    ) -> None:
        """Add to each record what it changed, and its door in words. What a row points to is told by its number."""
        super().set_history_delta_changes(request, historical_records, foreign_keys_are_objs=foreign_keys_are_objs)
        for record in historical_records:
            reason = record.history_change_reason
            record.door = Via(reason).label if reason in Via.values else reason or ""

    def history_form_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show no old row as a form: there is nothing to be saved from it."""
        raise Http404
