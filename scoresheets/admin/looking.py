"""What all lists and pages of the admin site share: they look, and whatever is written goes through an `Act`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, ValidationError
from django.core.paginator import Paginator
from django.db.models import Max, Min, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoresheets.admin.acts import Act, act_view, many_action
from scoresheets.admin.site import actor_of
from scoresheets.models import Club

#: What nobody sees, whatever they are: what opens something, and what only a signature or a password needs.
SECRET_FIELDS = frozenset({"secret_hash", "nonce", "password", "username_key", "draft", "content"})
#: More rows than so many are not counted, and lie on no page: whoever looks for one of them searches or filters.
MOST_COUNTED = 10_000


class BoundedPaginator(Paginator[Any]):
    """Pages of a list that may be very long: counting stops at `MOST_COUNTED` rows."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[:MOST_COUNTED].count())


class QuickChangeList(ChangeList):
    """A list whose row of years costs two ends: cutting the year off each of very many moments takes seconds."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows: Any = super().get_queryset(request, exclude_parameters)
        if self.date_hierarchy:
            for what in ("dates", "datetimes"):
                setattr(rows, what, _quick(rows, getattr(rows, what)))
        return cast("QuerySet[Any]", rows)


def _quick(rows: QuerySet[Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands for `dates` or `datetimes` of these rows: all years from the first to the last."""

    def steps(field: str, kind: str) -> Any:
        if kind != "year":
            return plain(field, kind)
        ends = rows.aggregate(first=Min(field), last=Max(field))
        if ends["first"] is None:
            return []
        first, last = (timezone.localtime(end) if isinstance(end, datetime) else end for end in ends.values())
        return [first.replace(year=year, month=1, day=1) for year in range(first.year, last.year + 1)]

    return steps


class LookOnly(admin.ModelAdmin[Any]):
    """A model on the admin site: lists, searches and shows it. Its `acts` are the only way to change it.

    All fields but secret ones are shown, unless `fields` says which. `area` is the part of the first page it belongs
    to. `many` names those of its acts that the list offers for several rows at once.
    """

    area = "service"
    acts: ClassVar[Sequence[Act]] = ()
    many: ClassVar[Sequence[str]] = ()
    paginator = BoundedPaginator
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    view_on_site = False
    ordering = ("-pk",)
    list_select_related: ClassVar[Any] = ()

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(actor_of(request).staff_role)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Return what a page shows: `fields`, or all columns that are no secret."""
        if self.fields:
            return list(self.fields)
        return [field.name for field in self.model._meta.concrete_fields if field.name not in SECRET_FIELDS]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return QuickChangeList

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the acts for several rows that this member of staff may do."""
        named = {act.name: act for act in self.acts if act.name in self.many}
        offered = [named[name] for name in self.many if named[name].allows(actor_of(request))]
        return {act.name: (many_action(act), act.name, act.title) for act in offered}

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the acts, then Django's."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_do"
        do = self.admin_site.admin_view(self.do)
        return [
            path("<int:object_id>/do/<slug:name>/", do, name=name),
            path("<int:object_id>/do/<slug:name>/<int:which>/", do, name=f"{name}_with"),
            *super().get_urls(),
        ]

    def do(self, request: HttpRequest, object_id: int, name: str, which: int | None = None) -> HttpResponse:
        """Show what an act does to a row, and do it."""
        return act_view(self, request, object_id, name, which)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a row, and what can be done with it."""
        row = self.get_object(request, unquote(object_id))
        shown = {"acts": self.acts_offered(request, row), "described": self.describe(row)} if row is not None else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})

    def describe(self, row: Any) -> str:
        """Return what tells people which row it is, beside its number."""
        return str(row)

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *args: Any) -> Any:
        """Do what was chosen in the list. Raises `BadRequest` where rows were chosen that cannot be there."""
        for chosen in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                self.model._meta.pk.to_python(chosen)
            except ValidationError as error:
                raise BadRequest from error
        return super().response_action(request, queryset, *args)

    def acts_offered(self, request: HttpRequest, row: Model) -> list[Mapping[str, Any]]:
        """Return the acts that fit the row as it is and that this member of staff may do, with their addresses."""
        actor = actor_of(request)
        return [
            {"act": act, "address": self.address_of(row, act.name)}
            for act in self.acts
            if act.subject is None and act.fits(row) and act.may(actor, row)
        ]

    def address_of(self, row: Model, name: str, which: int | None = None) -> str:
        """Return the address of an act on a row, or on the part of it that `which` names."""
        route = f"admin:{self.opts.app_label}_{self.opts.model_name}_do"
        if which is None:
            return reverse(route, args=[row.pk, name])
        return reverse(f"{route}_with", args=[row.pk, name, which])

    def page_of(self, row: Model) -> str:
        """Return the address of the row's own page."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])


class OfClub(admin.SimpleListFilter):
    """Rows of one club: chosen by a link from the club, and taken back here. A list of all clubs would be long."""

    title = _("club")
    parameter_name = "club"
    #: How a row leads to its club.
    path = "club"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        club = self._club
        return [(str(club.pk), club.name)] if club is not None else []

    @cached_property
    def _club(self) -> Club | None:
        value = str(self.used_parameters.get(self.parameter_name) or "")
        is_id = value.isascii() and value.isdigit() and len(value) <= 18
        return Club.with_id(int(value)) if is_id else None

    def queryset(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows if self._club is None else rows.filter(**{self.path: self._club})


def of_club(path: str) -> type[OfClub]:
    """Return the filter for rows that lead to their club by this path."""
    return type("OfClub", (OfClub,), {"path": path})
