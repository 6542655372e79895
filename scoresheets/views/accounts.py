"""One's own account: what there is to set, all data as a file, its end. The other pages are the sign-in library's."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoresheets import wording
from scoresheets.actors import Actor
from scoresheets.forms.accounts import DeletionForm
from scoresheets.models import User
from scoresheets.queries import own_data as data
from scoresheets.recording import Conflict, accounts


@require_safe
@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show the account's settings as links to their pages."""
    return render(request, "account/account.html", {"email": _user_of(request).email})


@require_safe
@login_required
@reauthentication_required
@never_cache
def own_data(request: HttpRequest) -> HttpResponse:
    """Answer with all that is stored about the account, as a JSON file."""
    found = data.own_data(_user_of(request))
    name = f"{settings.PRODUCT_NAME.lower()}-{timezone.localdate():%Y-%m-%d}.json"
    return JsonResponse(
        found,
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required
@never_cache
def delete_account(request: HttpRequest) -> HttpResponse:
    """Say what goes and what stays; a POST with the box ticked deletes the account for good."""
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        user = _user_of(request)
        try:
            accounts.delete_account(user, by=Actor.of_user(user))
        except Conflict as conflict:
            form.add_error("sure", wording.conflict_in_words(conflict))
            return render(request, "account/delete.html", {"form": form}, status=409)
        logout(request)
        messages.info(request, _("Your account is deleted."))
        return redirect("start")
    return render(request, "account/delete.html", {"form": form}, status=422 if form.errors else 200)


def _user_of(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
