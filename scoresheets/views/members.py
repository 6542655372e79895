"""Who belongs to a club, as what; who comes in and who goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from scoresheets.forms.clubs import ROLE_LINES, InvitationForm
from scoresheets.models import Club, Membership
from scoresheets.queries.clubs import invitations_of, members_of
from scoresheets.recording import Conflict
from scoresheets.views.club_access import club_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.posts import is_number
from scoresheets.views.qr import qr_of

Role = Membership.Role
MEMBERS_A_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def club_members(request: HttpRequest, club_id: int) -> HttpResponse:
    """List a club's members; a POST changes a role, makes an invitation or revokes one, by its named buttons."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_see_roster(actor, club)
    if request.method != "POST":
        return _render(request, club, actor)
    permissions.check_can_manage_members(actor, club)
    if "change" in request.POST:
        return _change_role(request, club, actor)
    if "revoke" in request.POST:
        return _revoke(request, club, actor)
    return _invite(request, club, actor)


def _change_role(request: HttpRequest, club: Club, actor: Actor) -> HttpResponse:
    membership = _membership(club, request.POST.get("change", ""))
    if membership is None:
        return _render(request, club, actor, status=409, notice=wording.conflict_in_words(Conflict("not_member")))
    try:
        membership = recording.change_role(membership, role=request.POST.get("role", ""), by=actor)
    except Conflict as conflict:
        return _render(request, club, actor, status=409, notice=wording.conflict_in_words(conflict))
    except rules.RulesError as refused:
        notice = wording.problem_in_words(refused.problems[0])
        return _render(request, club, actor, status=422, notice=notice)
    said = {"name": membership.user, "role": membership.get_role_display()}
    messages.success(request, _("%(name)s now has the role “%(role)s”.") % said)
    return redirect(request.get_full_path())


def _revoke(request: HttpRequest, club: Club, actor: Actor) -> HttpResponse:
    typed = request.POST.get("revoke", "")
    invitation = club.invitations.filter(pk=int(typed)).first() if is_number(typed) else None
    if invitation is None:
        raise Http404
    recording.revoke_invitation(invitation, by=actor)
    messages.success(request, _("The invitation is closed."))
    return redirect(f"{reverse('club_members', args=[club.pk])}#invitations")


def _invite(request: HttpRequest, club: Club, actor: Actor) -> HttpResponse:
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _render(request, club, actor, status=422, form=form)
    try:
        invitation, secret = recording.invite(club, **form.cleaned_data, by=actor, key=key_in(request.POST))
    except rules.RulesError as refused:
        form.refuse(refused)
        return _render(request, club, actor, status=422, form=form)
    except Conflict as conflict:
        return _render(request, club, actor, status=409, form=form, notice=wording.conflict_in_words(conflict))
    address = request.build_absolute_uri(reverse("open_invitation", args=[secret]))
    return _render(request, club, actor, made={"link": invitation, "address": address, "qr": qr_of(address)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def remove_member(request: HttpRequest, club_id: int, member_id: int) -> HttpResponse:
    """Say what leaving a club means, for oneself or somebody else; a POST ends the membership."""
    club, actor = club_and_actor(request, club_id)
    permissions.check_can_see_roster(actor, club)
    membership = _membership(club, str(member_id))
    if membership is None:
        raise Http404
    is_own = actor.user is not None and membership.user_id == actor.user.pk
    if not is_own:
        permissions.check_can_remove_member(actor, membership)
    notice = ""
    if request.method == "POST":
        try:
            if is_own:
                recording.leave_club(club, by=actor)
            else:
                recording.remove_member(membership, by=actor)
        except Conflict as conflict:
            notice = wording.conflict_in_words(conflict)
        else:
            said = {"name": membership.user, "club": club.name}
            messages.success(request, _("%(name)s no longer belongs to %(club)s.") % said)
            return redirect("clubs") if is_own else redirect("club_members", club.pk)
    context = {"club": club, "member": membership, "is_own": is_own, "notice": notice}
    context |= {"is_last_owner": membership.role == Role.OWNER and _count_owners(club) == 1}
    return render(request, "clubs/remove_member.html", context, status=409 if notice else 200)


def _membership(club: Club, member_id: str) -> Membership | None:
    """Return the club's membership of this id, with its account, or None if there is none."""
    if not is_number(member_id):
        return None
    return club.memberships.select_related("user").filter(pk=int(member_id)).first()


def _count_owners(club: Club) -> int:
    return club.memberships.filter(role=Role.OWNER).count()


# -- what the page shows ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member in the list: `roles` are those the reader may give them (none: only to be read)."""

    membership: Membership
    roles: Sequence[Role]
    is_own: bool
    is_last_owner: bool
    can_remove: bool


def _line(membership: Membership, actor: Actor, owners: int) -> MemberLine:
    is_own = actor.user is not None and membership.user_id == actor.user.pk
    is_last_owner = membership.role == Role.OWNER and owners == 1
    given = [role for role in Role if permissions.can_change_role(actor, membership, role)]
    return MemberLine(
        membership,
        () if is_last_owner else given,
        is_own,
        is_last_owner,
        can_remove=not is_own and not is_last_owner and permissions.can_remove_member(actor, membership),
    )


def _render(
    request: HttpRequest,
    club: Club,
    actor: Actor,
    *,
    status: int = 200,
    form: InvitationForm | None = None,
    made: dict[str, Any] | None = None,
    notice: str = "",
) -> HttpResponse:
    members = members_of(club)
    owners = sum(membership.role == Role.OWNER for membership in members)
    page: Page[Membership] = Paginator(members, MEMBERS_A_PAGE).get_page(request.GET.get("page"))
    can_manage = permissions.can_manage_members(actor, club)
    context = {
        "club": club,
        "lines": [_line(membership, actor, owners) for membership in page],
        "page": page,
        "roles": [(role.label, ROLE_LINES[role]) for role in Role],
        "can_manage": can_manage,
        "invitations": invitations_of(club) if can_manage else [],
        "form": form or InvitationForm(),
        "made": made,
        "notice": notice,
        "key": new_key(),
    }
    return render(request, "clubs/members.html", context, status=status)
