"""A club's webhooks: made, changed, tried out, switched and deleted by its managers; and the log of what was sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.forms.webhooks import WebhookForm
from scoresheets.models import Club, Delivery, Webhook
from scoresheets.queries.webhooks import deliveries_of, webhook_of, webhooks_of
from scoresheets.recording import Conflict, WebhookSettings
from scoresheets.recording.deliveries import DISABLED_AFTER, KEPT
from scoresheets.recording.webhooks import MOST_WEBHOOKS
from scoresheets.views.access import MOST_DIGITS
from scoresheets.views.club_access import club_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.posts import is_number

DELIVERIES_A_PAGE = 20


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def webhooks(request: HttpRequest, club_id: int) -> HttpResponse:
    """List a club's webhooks; a POST makes one and shows its secret this one time."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_manage_webhooks(actor, club)
    if request.method != "POST":
        return _render_list(request, club)
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _render_list(request, club, form=form, status=422)
    try:
        made, secret = recording.create_webhook(club, form.settings, by=actor, key=key_in(request.POST))
    except rules.RulesError as refused:
        form.refuse(refused)
        return _render_list(request, club, form=form, status=422)
    except Conflict as conflict:
        return _render_list(request, club, form=form, status=409, notice=wording.conflict_in_words(conflict))
    return _render_one(request, made, secret=secret)


def _render_list(
    request: HttpRequest, club: Club, *, form: WebhookForm | None = None, status: int = 200, notice: str = ""
) -> HttpResponse:
    lines = webhooks_of(club)
    context = {
        "club": club,
        "lines": lines,
        "is_full": len(lines) >= MOST_WEBHOOKS,
        "most": MOST_WEBHOOKS,
        "form": form or WebhookForm(),
        "notice": notice,
        "key": new_key(),
    }
    return render(request, "clubs/webhooks.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def webhook(request: HttpRequest, club_id: int, webhook_id: int) -> HttpResponse:
    """Show a webhook and its log; a POST does one of the `ACTS`, or sends something `again`, or saves the settings."""
    club, found, actor = _managed(request, club_id, webhook_id)
    if request.method != "POST":
        return _render_one(request, found)
    act = next((act for name, act in ACTS.items() if name in request.POST), _save)
    try:
        return act(request, found, actor)
    except Conflict as conflict:
        now = webhook_of(club, webhook_id)
        if now is None:
            raise Http404 from None
        return _render_one(request, now, status=409, notice=wording.conflict_in_words(conflict))


def _save(request: HttpRequest, found: Webhook, actor: Actor) -> HttpResponse:
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            recording.change_webhook(found, form.settings, by=actor)
        except rules.RulesError as refused:
            form.refuse(refused)
    if form.errors:
        return _render_one(request, found, form=form, status=422)
    return _done(request, found, _("The webhook is saved."))


def _ping(request: HttpRequest, found: Webhook, actor: Actor) -> HttpResponse:
    recording.ping(found, by=actor)
    return _done(request, found, _("The test is on its way."), at="log")


def _again(request: HttpRequest, found: Webhook, actor: Actor) -> HttpResponse:
    typed = request.POST.get("again", "")
    delivery = deliveries_of(found).filter(pk=int(typed)).first() if is_number(typed) else None
    if delivery is None:
        raise Conflict("delivery_gone")
    recording.send_again(delivery, by=actor)
    return _done(request, found, _("It is on its way again."), at="log")


def _switch_on(request: HttpRequest, found: Webhook, actor: Actor) -> HttpResponse:
    recording.switch_webhook(found, on=True, by=actor)
    return _done(request, found, _("The webhook is on."))


def _switch_off(request: HttpRequest, found: Webhook, actor: Actor) -> HttpResponse:
    recording.switch_webhook(found, on=False, by=actor)
    return _done(request, found, _("The webhook is off."))


def _renew(request: HttpRequest, found: Webhook, actor: Actor) -> HttpResponse:
    renewed, secret = recording.renew_secret(found, by=actor, key=key_in(request.POST))
    return _render_one(request, renewed, secret=secret)


#: What the buttons of the page do, by their names.
ACTS: Mapping[str, Callable[[HttpRequest, Webhook, Actor], HttpResponse]] = {
    "ping": _ping,
    "again": _again,
    "on": _switch_on,
    "off": _switch_off,
    "renew": _renew,
}


def _done(request: HttpRequest, found: Webhook, words: str, *, at: str = "") -> HttpResponse:
    messages.success(request, words)
    return redirect(reverse("webhook", args=[found.club_id, found.pk]) + (f"#{at}" if at else ""))


def _render_one(
    request: HttpRequest,
    found: Webhook,
    *,
    form: WebhookForm | None = None,
    secret: str = "",
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    page: Page[Delivery] = Paginator(deliveries_of(found), DELIVERIES_A_PAGE).get_page(request.GET.get("log"))
    context = {
        "club": found.club,
        "webhook": found,
        "page": page,
        "form": form or WebhookForm(base=WebhookSettings.of(found)),
        "secret": secret,
        "notice": notice,
        "days_kept": KEPT.days,
        "days_failing": DISABLED_AFTER.days,
        "key": new_key(),
    }
    return render(request, "clubs/webhook.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete_webhook(request: HttpRequest, club_id: int, webhook_id: int) -> HttpResponse:
    """Say what goes with a webhook; a POST deletes it for good."""
    club, found, actor = _managed(request, club_id, webhook_id)
    if request.method != "POST":
        return render(request, "clubs/webhook_delete.html", {"club": club, "webhook": found})
    # Where somebody was faster, what was wanted is so.
    with suppress(Conflict):
        recording.delete_webhook(found, by=actor)
    messages.success(request, _("The webhook is deleted."))
    return redirect("webhooks", club.pk)


def _managed(request: HttpRequest, club_id: int, webhook_id: int) -> tuple[Club, Webhook, Actor]:
    """Return a webhook that whoever asks may manage. Raises `Http404`, `PermissionDenied`."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_manage_webhooks(actor, club)
    found = webhook_of(club, webhook_id) if len(str(webhook_id)) <= MOST_DIGITS else None
    if found is None:
        raise Http404
    found.club = club
    return club, found, actor
