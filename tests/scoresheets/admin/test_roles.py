"""Every address of the admin site x role has one expected status, found by walking the addresses themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from scoresheets.admin import site
from scoresheets.models import Membership, User
from tests.scoresheets.admin.helpers import address, client_of, full_club, superuser, support
from tests.scoresheets.clubs import make_user, stored

pytestmark = pytest.mark.django_db

#: Acts that support may do; all others are refused.
SUPPORT_ACTS = {"correct_round", "correct_results", "adjust", "rename", "evening", "reopen", "resume", "restore"} | {
    *("recompute", "void"),
}
#: Addresses that answer by themselves, for staff.
BY_THEMSELVES = {"admin:login": 302, "admin:app_list": 302, "admin:index": 200, "admin:jsi18n": 200}
#: What the names after the model's own name are, for staff. Nothing is ever added, changed or deleted as a row.
OF_MODELS = {"changelist": 200, "change": 200, "history": 200, "export": 200, "add": 403, "delete": 403}
OUTSIDE = {"anonymous": 302, "stranger": 403, "owner": 403, "staff without a role": 403, "closed superuser": 302}


def walk(patterns: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield (name, route) of all addresses below."""
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from walk(one.url_patterns, before + str(one.pattern))
        elif isinstance(one, URLPattern):
            yield one.name or "", before + str(one.pattern)


def admin_addresses() -> list[tuple[str, str]]:
    (resolver,) = [one for one in get_resolver().url_patterns if str(getattr(one, "pattern", "")) == "admin/"]
    assert isinstance(resolver, URLResolver)
    return list(walk(resolver.url_patterns))


def rows() -> dict[str, Any]:
    """Return one row of each model that has one, by the name of the model."""
    return {model._meta.model_name: row for model in site._registry if (row := model._default_manager.first())}


def pages() -> dict[str, int]:
    """Return each address that there is a row for, with its status for a superuser."""
    known, found = rows(), {}
    for name, _route in admin_addresses():
        if f"admin:{name}" in BY_THEMSELVES:
            arguments = ["scoresheets"] if name == "app_list" else []
            found[reverse(f"admin:{name}", args=arguments)] = BY_THEMSELVES[f"admin:{name}"]
        elif match := re.fullmatch(r"[a-z_]+?_([a-z]+)_(changelist|change|history|export|add|delete)", name):
            model, page = match.groups()
            if page in {"changelist", "add", "export"}:
                found[reverse(f"admin:{name}")] = OF_MODELS[page]
            elif model in known:
                found[reverse(f"admin:{name}", args=[known[model].pk])] = OF_MODELS[page]
    return found


def acts() -> dict[str, str]:
    """Return the address of each act on each row, with the name of the act."""
    known, found = rows(), {}
    for model, shown in site._registry.items():
        row = known.get(model._meta.model_name)
        for act in shown.acts if row is not None else ():
            which = None if act.subject is None else 1 if act.name == "correct_round" else row.seats.first().pk
            found[address(row, act.name, which)] = act.name
    return found


def clients() -> dict[str, Client]:
    owner = Membership.objects.filter(role="owner")[0].user
    roleless, closed = make_user("Roleless"), superuser("Closed")
    found = {
        "anonymous": Client(),
        "stranger": client_of(make_user("Stranger")),
        "owner": client_of(owner),
        "staff without a role": client_of(roleless),
        "closed superuser": client_of(closed),
    }
    User.objects.filter(pk=roleless.pk).update(is_staff=True)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    return found


def test_every_address_is_known():
    names = {name for name, _route in admin_addresses()}
    known = {name.removeprefix("admin:") for name in BY_THEMSELVES}
    of_models = r"[a-z]+_[a-z_]*?[a-z]+_(changelist|change|history|export|add|delete|do|do_with|simple_history)"
    others = {name for name in names - known - {""} if not re.fullmatch(of_models, name)}

    # Pages beside those of the models are tested where they are.
    from scoresheets.admin.site import EXTRA_PAGES

    assert others == {page.name for page in EXTRA_PAGES}


def test_nobody_but_staff_opens_anything():
    full_club()
    outsiders = clients()
    addresses = [*pages(), *acts()]
    before = stored()

    for role, client in outsiders.items():
        # One gate is before all of them: each address for two kinds of people, some of them for the others.
        everywhere = role in {"anonymous", "owner"}
        for path in addresses if everywhere else addresses[::9]:
            assert (role, path, client.get(path).status_code) == (role, path, OUTSIDE[role])
            if role == "owner":
                assert (role, path, client.post(path).status_code) == (role, path, OUTSIDE[role])
    assert stored() == before


@pytest.mark.parametrize("who", ["support", "superuser"])
def test_staff_looks_at_everything_and_changes_no_row_as_such(who):
    full_club()
    client = client_of(support() if who == "support" else superuser())
    before = stored()

    for path, status in pages().items():
        assert (path, client.get(path).status_code) == (path, status)
        if path.endswith(("/change/", "/add/", "/delete/")):
            assert (path, client.post(path, {"name": "X", "post": "yes"}).status_code) == (path, 403)
    assert stored() == before


def test_support_does_what_support_may_and_superusers_all():
    full_club()
    helga, boss = client_of(support()), client_of(superuser())
    before = stored()

    for path, name in acts().items():
        allowed = name in SUPPORT_ACTS and "/game/" in path
        assert (path, helga.get(path).status_code) == (path, 200 if allowed else 403)
        assert (path, boss.get(path).status_code) == (path, 200)
        if not allowed:
            assert (path, helga.post(path).status_code) == (path, 403)
    assert stored() == before


def test_lists_offer_each_only_what_they_may():
    full_club()
    for client, offered in ((client_of(support()), False), (client_of(superuser()), True)):
        for route in ("link", "token", "season", "webhook", "invitation", "club"):
            shown = client.get(reverse(f"admin:scoresheets_{route}_changelist")).context["action_form"]
            acts_of_list = {"link", "token", "season", "webhook", "invitation", "club"} if offered else {"club"}
            assert (route, shown is not None) == (route, route in acts_of_list)


def test_signing_in_is_the_sites_own():
    visitor = Client()

    answer = visitor.get("/admin/scoresheets/game/")
    assert answer["Location"] == "/admin/login/?next=/admin/scoresheets/game/"
    answer = visitor.get(answer["Location"])
    assert answer["Location"].startswith(reverse("account_login"))
    assert "next=%2Fadmin%2Fscoresheets%2Fgame%2F" in answer["Location"]


@pytest.mark.parametrize("target", ["//evil.example/", "https://evil.example/", ""])
def test_login_leads_nowhere_else(target):
    answer = client_of(superuser()).get("/admin/login/", {"next": target})

    assert (answer.status_code, answer["Location"]) == (302, "/admin/")


def test_unknown_acts_and_rows_are_not_found():
    full_club()
    known = rows()
    client = client_of(superuser())
    game = address(known["game"], "void").removesuffix("void/")

    for path in (
        *(f"{game}nothing/", f"{game}void/1/", f"{game}correct_round/", f"{game}correct_round/99/", f"{game}adjust/0/"),
        *("/admin/scoresheets/game/0/do/void/", f"/admin/scoresheets/game/{10**18}/do/void/"),
        "/admin/scoresheets/club/1/history/1/",
        *("/admin/password_change/", "/admin/logout/", "/admin/autocomplete/", "/admin/r/1/1/"),
    ):
        assert (path, client.get(path).status_code) == (path, 404)
    assert client.put(f"{game}void/").status_code == 405
