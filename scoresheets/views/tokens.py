"""The tokens of an account: which there are and when they were used, making and revoking one."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import wording
from scoresheets.actors import Actor
from scoresheets.forms.tokens import TokenForm
from scoresheets.models import Token, User
from scoresheets.recording import Conflict
from scoresheets.recording.tokens import make_token, revoke_token
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.posts import is_number


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """List the account's tokens; a POST makes one, which is shown once, or revokes one, by its named buttons."""
    user = request.user
    assert isinstance(user, User)
    if request.method != "POST":
        return _render(request, user, TokenForm(account=user))
    if "revoke" in request.POST:
        return _revoke(request, user)
    form = TokenForm(request.POST, account=user)
    if not form.is_valid():
        return _render(request, user, form, status=422)
    try:
        token, secret = make_token(**form.cleaned_data, by=Actor.of_user(user), key=key_in(request.POST))
    except rules.RulesError as refused:
        form.refuse(refused)
        return _render(request, user, form, status=422)
    except Conflict as conflict:
        return _render(request, user, form, status=409, notice=wording.conflict_in_words(conflict))
    return _render(request, user, TokenForm(account=user), made={"token": token, "secret": secret})


def _revoke(request: HttpRequest, user: User) -> HttpResponse:
    typed = request.POST["revoke"]
    token = user.tokens.filter(pk=int(typed)).first() if is_number(typed) else None
    if token is None:
        raise Http404
    revoke_token(token, by=Actor.of_user(user))
    messages.success(request, _("%(name)s is revoked.") % {"name": token.name})
    return redirect("tokens")


def _render(
    request: HttpRequest,
    user: User,
    form: TokenForm,
    *,
    status: int = 200,
    made: dict[str, Any] | None = None,
    notice: str = "",
) -> HttpResponse:
    found = Token.objects.filter(user=user, revoked_at__isnull=True).select_related("club")
    context = {"tokens": list(found), "form": form, "made": made, "notice": notice, "key": new_key()}
    return render(request, "account/tokens.html", context, status=status)
