"""What staff can do with a row: a form, a look at what it changes, and the verb of `recording` that does it.

An `Act` is data: its words, whom `permissions` lets do it, its form and its verb. One view and one template serve all.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import rules
from scoresheets import permissions, wording
from scoresheets.actors import Actor
from scoresheets.admin.site import actor_of
from scoresheets.forms.corrections import ProblemsForm, ReasonField
from scoresheets.models import User
from scoresheets.recording import Conflict

if TYPE_CHECKING:
    from scoresheets.admin.looking import LookOnly

#: So many rows are changed by one request: each is a transaction of its own.
MOST_AT_ONCE = 200
MOST_KEY = 64
#: What a preview shows, line by line: whose what, before, after; "" for both where a line only says something.
Change = tuple[str, str, str]


class ActForm(ProblemsForm):
    """What an act asks for. `subject` is what it is about; `names` let problems say who.

    `problem_fields` maps what a problem's code begins with to the field that shows it.
    """

    problem_fields: Mapping[str, str] = {}
    names: Sequence[str] = ()

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Any) -> None:
        super().__init__(data)
        self.subject = subject

    def field_of(self, problem: rules.Problem) -> str | None:
        return {"reason": "reason", **self.problem_fields}.get(problem.code.partition("_")[0])

    @property
    def current(self) -> dict[str, str]:
        """The hidden fields that say which state was seen, as they are now."""
        return {}

    @property
    def digest(self) -> str:
        """What tells what was typed from anything else: saving must mean what was looked at."""
        typed = json.dumps({name: self.typed(name) for name in self.fields}, sort_keys=True)
        return hashlib.sha256(typed.encode()).hexdigest()[:16]


class NeededReason(ReasonField):
    """Why staff changed something: always asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.required = True
        self.label = gettext_lazy("Why?")
        self.help_text = gettext_lazy("Everybody at the table sees it beside the change.")
        self.error_messages["required"] = gettext_lazy("A reason is needed.")


class ReasonForm(ActForm):
    """A reason alone."""

    reason = NeededReason()


class TypedForm(ActForm):
    """For what cannot be taken back: the name is typed once more."""

    typed_name = forms.CharField(label=gettext_lazy("Type the name to confirm"), max_length=200)

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Any) -> None:
        super().__init__(data, subject=subject)
        self.fields["typed_name"].help_text = str(subject)

    def clean_typed_name(self) -> str:
        typed: str = self.cleaned_data["typed_name"]
        if typed.strip() != str(self.subject).strip():
            raise forms.ValidationError(_("That is not the name."))
        return typed


def _always(row: Any) -> bool:
    return True


def _itself(row: Any) -> tuple[Any, ...]:
    return (row,)


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that staff can do with a row of some model.

    `ask` is the permission, asked with what `about` makes of the row. `fits` says whether it is offered for the row as
    it is; recording decides in the end. `record` takes the subject, the valid form, the actor and a request key, and
    calls a verb. The subject is the row, or the part of it that `subject(row, which)` finds (None: there is none).
    With a `preview`, what it returns for a valid form is looked at first; only that is saved then. `removes` acts leave
    no row. Where it `asks_password`, whoever was not asked for it lately is asked again.
    """

    name: str
    title: Promise
    text: Promise
    ask: Callable[..., bool]
    record: Callable[[Any, Any, Actor, str], Any]
    form: Callable[..., Any] = ActForm
    about: Callable[[Any], tuple[Any, ...]] = _itself
    fits: Callable[[Any], bool] = _always
    subject: Callable[[Any, int], Any] | None = None
    preview: Callable[[Any], Sequence[Change]] | None = None
    is_danger: bool = False
    removes: bool = False
    asks_password: bool = False
    template: str = "admin/act.html"
    context: Callable[[Any], Mapping[str, Any]] | None = None

    def allows(self, actor: Actor) -> bool:
        """Say whether such a member of staff may do this at all, whatever the row."""
        is_superuser = actor.staff_role == User.StaffRole.SUPERUSER
        return is_superuser or (actor.is_support and self.ask.__name__ in permissions.SUPPORT_MAY)

    def may(self, actor: Actor, row: Any) -> bool:
        """Say whether the actor may do this with the row."""
        return self.allows(actor) and self.ask(actor, *self.about(row))


def act_view(owner: LookOnly, request: HttpRequest, row_id: int, name: str, which: int | None) -> HttpResponse:
    """Show an act on a row of the owner's model; a POST does it, or shows first what it changes.

    A refused form answers 422, a conflict 409 with the row as it is now. Raises `Http404`, `PermissionDenied`.
    """
    act = next((act for act in owner.acts if act.name == name), None)
    if act is None or (act.subject is None) != (which is None) or row_id >= 10**18:
        raise Http404
    row = get_object_or_404(owner.get_queryset(request), pk=row_id)
    if not act.may(actor_of(request), row):
        raise PermissionDenied
    answer = reauthentication_required(_answer) if act.asks_password else _answer
    return answer(request, _Page(owner, request, act, row, row_id), which)


def _answer(request: HttpRequest, page: _Page, which: int | None) -> HttpResponse:
    owner, act, row, actor = page.owner, page.act, page.row, actor_of(request)
    subject = _subject(act, row, which)
    if request.method in {"GET", "HEAD"}:
        return page.render(act.form(subject=subject))
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    form = act.form(request.POST, subject=subject)
    if not form.is_valid():
        return page.render(form, status=422)
    if act.preview is not None and ("save" not in request.POST or request.POST.get("looked") != form.digest):
        return page.render(form, looked=form.digest)
    try:
        act.record(subject, form, actor, _key_in(request) or _new_key())
    except rules.RulesError as refused:
        form.add_problems(refused.problems, form.names)
        return page.render(form, status=422)
    except Conflict as conflict:
        notice = wording.conflict_in_words(conflict)
        fresh = owner.get_queryset(request).filter(pk=row.pk).first() or row
        return page.render(_form_again(act, request, fresh, which) or form, status=409, notice=notice)
    log(actor, owner.model, page.row_id, act)
    messages.success(request, _("Done: %(act)s.") % {"act": act.title})
    return redirect("admin:index" if act.removes else owner.page_of(row))


def log(actor: Actor, model: type[Model], row_id: int, act: Act) -> None:
    """Note who did what to which row in the log of the admin site; without names, which anonymising would not reach."""
    assert actor.user is not None
    LogEntry.objects.create(
        user=actor.user,
        content_type=ContentType.objects.get_for_model(model),
        object_id=str(row_id),
        object_repr=f"{model._meta.model_name} {row_id}",
        action_flag=DELETION if act.removes else CHANGE,
        change_message=act.name,
    )


def _subject(act: Act, row: Any, which: int | None) -> Any:
    if act.subject is None or which is None:
        return row
    subject = act.subject(row, which)
    if subject is None:
        raise Http404
    return subject


def _form_again(act: Act, request: HttpRequest, row: Any, which: int | None) -> Any:
    """Return the form with what was typed, about the row as it is now; None if there is no such part any more.

    The version that goes along is the present one: saving again is a new decision.
    """
    try:
        subject = _subject(act, row, which)
    except Http404:
        return None
    typed = request.POST.copy()
    for name, value in act.form(typed, subject=subject).current.items():
        typed[name] = value
    form = act.form(typed, subject=subject)
    form.is_valid()
    return form


def _new_key() -> str:
    return secrets.token_urlsafe(16)


def _key_in(request: HttpRequest) -> str:
    key = request.POST.get("key", "")
    return key if key.isprintable() and len(key) <= MOST_KEY else ""


@dataclass(frozen=True, slots=True)
class _Page:
    """The page of an act on a row."""

    owner: LookOnly
    request: HttpRequest
    act: Act
    row: Any
    #: Kept here, because a row that is deleted forgets it.
    row_id: int

    def render(self, form: Any, *, status: int = 200, notice: str = "", looked: str = "") -> HttpResponse:
        context = {
            **self.owner.admin_site.each_context(self.request),
            "opts": self.owner.opts,
            "title": self.act.title,
            "act": self.act,
            "has_preview": self.act.preview is not None,
            "described": self.owner.describe(self.row),
            "row_name": f"{capfirst(str(self.owner.opts.verbose_name))} {self.row.pk}",
            "row_page": self.owner.page_of(self.row),
            "form": form,
            "key": (_key_in(self.request) if status == 422 else "") or _new_key(),
            "notice": notice,
            "looked": looked,
            "changes": self.act.preview(form) if looked and self.act.preview is not None else [],
            **(self.act.context(form) if self.act.context is not None else {}),
        }
        return TemplateResponse(self.request, self.act.template, context, status=status)


# -- several rows at once -------------------------------------------------------------------------------------------


def many_action(act: Act) -> Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]:
    """Return the action of a list that does this to each chosen row, after a page that asks for what it needs."""

    def action(owner: LookOnly, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        chosen = list(rows.order_by("pk")[: MOST_AT_ONCE + 1])
        if len(chosen) > MOST_AT_ONCE:
            messages.error(request, _("Choose at most %(most)s at once.") % {"most": MOST_AT_ONCE})
            return None
        if "confirmed" not in request.POST:
            return _ask_for_many(owner, request, act, chosen, act.form(subject=None), status=200)
        form = act.form(request.POST, subject=None)
        if not form.is_valid():
            return _ask_for_many(owner, request, act, chosen, form, status=422)
        refused = _do_many(owner, request, act, chosen, form)
        done = len(chosen) - len(refused)
        words = ngettext("%(act)s: done for one row.", "%(act)s: done for %(count)s rows.", done)
        messages.success(request, words % {"act": act.title, "count": done})
        for row, sentence in refused:
            messages.warning(request, f"{capfirst(str(owner.opts.verbose_name))} {row.pk}: {sentence}")
        return None

    action.__name__ = act.name
    return action


def _do_many(owner: LookOnly, request: HttpRequest, act: Act, rows: Sequence[Any], form: Any) -> list[tuple[Any, str]]:
    """Do it to each row in a transaction of its own; return those that refused, and why."""
    actor, key = actor_of(request), _key_in(request)[: MOST_KEY - 20] or _new_key()
    refused: list[tuple[Any, str]] = []
    for row in rows:
        try:
            if not act.may(actor, row):
                raise PermissionDenied
            act.record(row, form, actor, f"{key}-{row.pk}")
        except rules.RulesError as problems:
            refused.append((row, " ".join(wording.problem_in_words(problem) for problem in problems.problems)))
        except Conflict as conflict:
            refused.append((row, wording.conflict_in_words(conflict)))
        except PermissionDenied:
            refused.append((row, _("You may not do that.")))
        else:
            log(actor, owner.model, row.pk, act)
    return refused


def _ask_for_many(
    owner: LookOnly, request: HttpRequest, act: Act, rows: Sequence[Any], form: Any, *, status: int
) -> HttpResponse:
    context = {
        **owner.admin_site.each_context(request),
        "opts": owner.opts,
        "title": act.title,
        "act": act,
        "rows": [(row, owner.describe(row)) for row in rows],
        "form": form,
        "key": _key_in(request) or _new_key(),
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "admin/act_many.html", context, status=status)
