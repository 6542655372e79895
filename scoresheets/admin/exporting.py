"""Rows of a list as CSV or XLSX, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import Model
from django.http import HttpRequest
from import_export.admin import ExportActionMixin
from import_export.formats.base_formats import CSV, XLSX
from import_export.forms import ExportForm
from import_export.resources import ModelResource

#: What a spreadsheet takes for the beginning of a formula, or of something that leads to one.
FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")


class SafeResource(ModelResource):
    """Columns of a model for an export. Text that would be a formula in a spreadsheet gets an apostrophe before it.

    The library's own setting knows only those that begin with "=", and makes a text of each number.
    """

    def export_field(self, field: Any, instance: Model, **options: Any) -> Any:
        value = super().export_field(field, instance, **options)
        is_text = isinstance(value, str) and not isinstance(field.get_value(instance), int | float)
        return f"'{value}" if is_text and value.startswith(FORMULA_BEGINS) else value

    def import_data(self, *args: Any, **options: Any) -> Any:
        """Refuse: what comes in goes through recording."""
        raise NotImplementedError


class Exported(ExportActionMixin):
    """A list whose rows can be taken along, all that are found or those chosen. Nothing is ever brought in by it."""

    formats = (CSV, XLSX)
    export_form_class = ExportForm
    # The library would put its own page before the one of the model.
    change_form_template: ClassVar[Any] = None
    resource_classes: ClassVar[Sequence[type[ModelResource]]] = ()
    show_change_form_export = False
    import_export_change_list_template = "admin/change_list.html"

    def get_export_formats(self) -> list[Any]:
        return list(self.formats)

    def has_export_permission(self, request: HttpRequest) -> bool:
        view: Any = self
        return bool(view.has_view_permission(request))

    def get_valid_export_item_pks(self, request: HttpRequest) -> Any:
        """Return the ids that may be exported: those that were asked for, for all may be seen."""
        return [pk for pk in request.POST.getlist("export_items") if pk.isascii() and pk.isdigit()]
