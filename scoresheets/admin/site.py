"""The admin site: who may enter it, what belongs to it, and its pages beside those of the models."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from scoresheets.actors import Actor
from scoresheets.models.games import Via
from scoresheets.preferences import account_of


class ExtraPage(NamedTuple):
    """A page of the admin site that is about no single model.

    `view` takes the request (and what `path` captures) of somebody who may enter the site; it renders with
    `site.each_context(request)`. `name` is its name in the namespace `admin`. The first page links to those that
    have a `title` and capture nothing.
    """

    path: str
    view: Callable[..., HttpResponse]
    name: str
    title: Any = ""


#: Filled by the modules beside this one, when they are imported.
EXTRA_PAGES: list[ExtraPage] = []

#: The parts of the first page, in their order; each `LookOnly` says to which it belongs.
AREAS = {
    "games": _("Games"),
    "clubs": pgettext_lazy("groups of people", "Clubs"),
    "players": _("Players"),
    "leagues": _("Evenings and seasons"),
    "accounts": _("Accounts"),
    "service": _("Service"),
}
#: Django's own pages that the site has already, or that say more than they should.
LEFT_OUT = {"password_change", "password_change_done", "logout", "autocomplete", "view_on_site"}


def actor_of(request: HttpRequest) -> Actor:
    """Return who acts on the admin site; whoever may not enter it is an actor who can do nothing.

    Read once a request (at most 1 statement).
    """
    kept = vars(request)
    if "staff_actor" not in kept:
        account = account_of(request)
        kept["staff_actor"] = Actor(via=Via.ADMIN) if account is None else Actor.of_staff(account)
    actor: Actor = kept["staff_actor"]
    return actor


class Site(admin.AdminSite):
    """The admin site of the product, for active accounts that are superusers or belong to support."""

    site_title = settings.PRODUCT_NAME
    site_header = settings.PRODUCT_NAME
    index_title = _("Administration")
    site_url = "/"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(actor_of(request).staff_role)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Return the view for staff alone: others who are signed in are refused, visitors are led to signing in."""

        @wraps(view)
        def for_staff(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if account_of(request) is None:
                return redirect_to_login(request.get_full_path(), reverse("admin:login"))
            if not self.has_permission(request):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return csrf_protect(for_staff if cacheable else never_cache(for_staff))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the site's own page for signing in, with its second factor and its limits, and back."""
        return _signed_in_elsewhere(request)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the addresses of the extra pages, then those of the models."""
        extra = [path(page.path, self.admin_view(page.view), name=page.name) for page in EXTRA_PAGES]
        return [*extra, *(one for one in super().get_urls() if getattr(one, "name", None) not in LEFT_OUT)]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the models by area, each area as Django's templates take an app."""
        areas: dict[str, list[Any]] = {area: [] for area in AREAS}
        for app in self._build_app_dict(request).values():
            for model in app["models"]:
                areas[getattr(self._registry[model["model"]], "area", "service")].append(model)
        return [
            {"name": AREAS[area], "app_label": area, "app_url": "", "has_module_perms": True, "models": models}
            for area, models in areas.items()
            if models
        ]

    def app_index(self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None) -> Any:
        """Lead to the first page: there is one app."""
        return redirect("admin:index")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show what there is, and the extra pages."""
        pages = [(page.title, reverse(f"admin:{page.name}")) for page in EXTRA_PAGES if page.title]
        return super().index(request, {**(extra_context or {}), "extra_pages": pages})


@secure_admin_login
def _signed_in_elsewhere(request: HttpRequest) -> HttpResponse:
    if not actor_of(request).staff_role:
        raise PermissionDenied
    target = request.GET.get("next", "")
    if url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        return redirect(target)
    return redirect("admin:index")


site = Site(name="admin")
