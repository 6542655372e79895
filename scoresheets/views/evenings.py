"""Evenings of a club: planned, listed and changed, and as a calendar that programs read."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.formats.calendars import CONTENT_TYPE, CalendarEvent, calendar_text
from scoresheets.forms.evenings import EveningForm, NewEveningForm
from scoresheets.models import Club, Evening
from scoresheets.queries.evenings import (
    EveningLine,
    calendar_address_of,
    calendar_evenings,
    evening_in,
    last_evenings,
    next_evening,
    past_evenings,
    planned_evenings,
)
from scoresheets.recording import Conflict, EveningPlan
from scoresheets.recording.links import secret_of
from scoresheets.views.access import MOST_DIGITS
from scoresheets.views.club_access import ClubHidden, club_actor, club_and_actor
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.posts import is_number

#: What calendars show as an evening's end: nobody knows when it will be.
EVENING_LENGTH = timedelta(hours=4)
#: When an evening begins in a club that has had none yet.
USUAL_TIME = time(19, 30)
#: So many who share the first place are named in a list.
MOST_NAMED = 3


def evening_and_actor(request: HttpRequest, club_id: int, evening_id: int) -> tuple[Club, Evening, Actor]:
    """Return an evening with its club, and who asks. Raises `Http404` for what is not there or may not be seen."""
    club, actor = club_and_actor(request, club_id)
    evening = evening_in(club, evening_id) if len(str(evening_id)) <= MOST_DIGITS else None
    if evening is None:
        raise Http404
    evening.club = club
    return club, evening, actor


def evenings_at_home(club: Club, actor: Actor) -> dict[str, Any]:
    """Return what a club's page shows of its evenings: the next one, and the last ones (4 statements at most)."""
    is_member = permissions.can_see_attendance(actor, club)
    return {
        "next": next_evening(club, actor.user, with_attendance=is_member),
        "last": [PastEvening.of(line, in_public=not is_member) for line in last_evenings(club)],
    }


# -- the list ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def evenings(request: HttpRequest, club_id: int) -> HttpResponse:
    """List a club's evenings; a POST plans new ones, or makes the calendar address, by its named buttons."""
    club, actor = club_and_actor(request, club_id)
    if request.method != "POST":
        return _render_list(request, club, actor)
    if "calendar" in request.POST:
        renew = request.POST["calendar"] == "renew"
        recording.make_calendar_address(club, by=actor, renew=renew)
        return redirect(f"{reverse('evenings', args=[club.pk])}#calendar")
    permissions.check_can_plan_evenings(actor, club)
    form = NewEveningForm(request.POST, plan=_proposed(club, []))
    if not form.is_valid():
        return _render_list(request, club, actor, form=form, status=422)
    try:
        planned = recording.plan_evening(club, form.plan, **form.how_often, by=actor, key=key_in(request.POST))
    except rules.RulesError as refused:
        form.refuse(refused)
        return _render_list(request, club, actor, form=form, status=422)
    except Conflict as conflict:
        notice = wording.conflict_in_words(conflict)
        return _render_list(request, club, actor, form=form, key=new_key(), status=409, notice=notice)
    if len(planned) > 1:
        return redirect("evenings", club.pk)
    return redirect("evening", club.pk, planned[0].pk)


def _proposed(club: Club, planned: Sequence[Evening]) -> EveningPlan:
    """Return what the form proposes: a week after the last one planned, at the same time and place, else in a week."""
    if planned:
        last = EveningPlan.of(max(planned, key=lambda evening: evening.starts_at), club)
        return EveningPlan(last.day + timedelta(days=7), last.time, last.place)
    today = timezone.now().astimezone(ZoneInfo(club.time_zone)).date()
    return EveningPlan(today + timedelta(days=7), USUAL_TIME)


def _render_list(
    request: HttpRequest,
    club: Club,
    actor: Actor,
    *,
    form: NewEveningForm | None = None,
    key: str = "",
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    planned = planned_evenings(club)
    number = request.GET.get("page", "")
    past = past_evenings(club, int(number) if is_number(number) else 1)
    is_member = permissions.can_see_attendance(actor, club)
    can_plan = permissions.can_plan_evenings(actor, club)
    context = {
        "club": club,
        "planned": planned,
        "lines": [PastEvening.of(line, in_public=not is_member) for line in past.lines],
        "page": past.page,
        "is_member": is_member,
        "can_plan": can_plan,
        "form": form or (NewEveningForm(plan=_proposed(club, planned)) if can_plan else None),
        "address": _calendar_address(request, club, is_member=is_member),
        "key": key or key_in(request.POST) or new_key(),
        "notice": notice,
    }
    return render(request, "evenings/evenings.html", context, status=status)


@dataclass(frozen=True, slots=True)
class PastEvening:
    """An evening that is over, as a line of a list: who led its table, and of how many."""

    evening: Evening
    people: int
    games: int
    winners: str

    @classmethod
    def of(cls, line: EveningLine, *, in_public: bool) -> PastEvening:
        """Return the line with the names that its reader sees."""
        names = [winner.shown_publicly if in_public else winner.name for winner in line.winners]
        if len(names) > MOST_NAMED:
            more = len(names) - MOST_NAMED + 1
            others = ngettext("%(count)s more", "%(count)s more", more) % {"count": more}
            names = [*names[: MOST_NAMED - 1], others]
        return cls(line.evening, line.people, line.games, wording.joined(names))


# -- changing ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def change_evening(request: HttpRequest, club_id: int, evening_id: int) -> HttpResponse:
    """Show when and where an evening is; a POST changes it, calls it off or lets it take place after all."""
    club, evening, actor = evening_and_actor(request, club_id, evening_id)
    permissions.check_can_plan_evenings(actor, club)
    plan = EveningPlan.of(evening, club)
    form = EveningForm(request.POST if _saves(request) else None, plan=plan)
    notice, status = "", 200
    if request.method == "POST" and (form.is_valid() or not form.is_bound):
        try:
            _change(request, evening, form, actor)
        except rules.RulesError as refused:
            form.refuse(refused)
        except Conflict as conflict:
            notice, status = wording.conflict_in_words(conflict), 409
        else:
            return redirect("evening", club.pk, evening.pk)
    status = 422 if form.errors else status
    context = {"club": club, "evening": evening, "form": form, "notice": notice}
    return render(request, "evenings/change.html", context, status=status)


def _saves(request: HttpRequest) -> bool:
    return request.method == "POST" and not {"cancel", "reinstate"} & set(request.POST)


def _change(request: HttpRequest, evening: Evening, form: EveningForm, actor: Actor) -> None:
    if "cancel" in request.POST:
        recording.cancel_evening(evening, by=actor)
        messages.success(request, _("The evening is called off."))
    elif "reinstate" in request.POST:
        recording.reinstate_evening(evening, by=actor)
        messages.success(request, _("The evening takes place after all."))
    else:
        recording.change_evening(evening, form.plan, by=actor)
        messages.success(request, _("The evening is saved."))


# -- the calendar -----------------------------------------------------------------------------------------------------


@require_safe
@never_cache
def evenings_calendar(request: HttpRequest, club_id: int) -> HttpResponse:
    """Return the evenings for calendar programs: to whoever may see the club, or has the secret of the address."""
    club = Club.objects.filter(pk=club_id).first() if len(str(club_id)) <= MOST_DIGITS else None
    if club is None or not _may_read_calendar(request, club):
        raise ClubHidden
    text = calendar_text(club.name, _events(request, club), now=timezone.now())
    response = HttpResponse(text, content_type=CONTENT_TYPE)
    response["Content-Disposition"] = 'inline; filename="evenings.ics"'
    return response


def _may_read_calendar(request: HttpRequest, club: Club) -> bool:
    if permissions.can_see_club(club_actor(request), club):
        return True
    given, address = request.GET.get("key", ""), calendar_address_of(club)
    return address is not None and hmac.compare_digest(secret_of(address.nonce).encode(), given.encode())


def _events(request: HttpRequest, club: Club) -> list[CalendarEvent]:
    with override(club.language):
        title = _("Game night: %(club)s") % {"club": club.name}
        return [_event(request, club, evening, title) for evening in calendar_evenings(club)]


def _event(request: HttpRequest, club: Club, evening: Evening, title: str) -> CalendarEvent:
    return CalendarEvent(
        uid=f"evening-{evening.pk}@{request.get_host()}",
        starts_at=evening.starts_at,
        ends_at=evening.starts_at + EVENING_LENGTH,
        title=_("Called off: %(title)s") % {"title": title} if evening.cancelled_at else title,
        place=evening.place,
        text=evening.note,
        address=request.build_absolute_uri(reverse("evening", args=[club.pk, evening.pk])),
        is_cancelled=evening.cancelled_at is not None,
    )


def _calendar_address(request: HttpRequest, club: Club, *, is_member: bool) -> str:
    """Return the address for calendar programs: with a secret where the club is private, "" if there is none yet."""
    address = reverse("evenings_calendar", args=[club.pk])
    if club.visibility == Club.Visibility.PRIVATE:
        made = calendar_address_of(club) if is_member else None
        if made is None:
            return ""
        address = f"{address}?key={secret_of(made.nonce)}"
    return request.build_absolute_uri(address)
