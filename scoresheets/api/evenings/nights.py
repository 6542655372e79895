"""Evenings: planned and past ones, one with its games and its table, and what becomes of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample

from scoresheets import permissions
from scoresheets.api.evenings.shapes import (
    FIELD_OF,
    TAG,
    EveningAnswer,
    EveningChanges,
    EveningDetailsAnswer,
    EveningFilter,
    EveningsPlanned,
    NewEvening,
    details_body,
    line_body,
    plan_of,
)
from scoresheets.api.pagination import Order
from scoresheets.api.schema import Scope, operation
from scoresheets.api.views import Body, View
from scoresheets.models import Club, Evening
from scoresheets.queries.evenings import (
    evening_results,
    evenings_of,
    lines_of,
)
from scoresheets.recording import (
    EveningPlan,
    cancel_evening,
    change_evening,
    close_evening,
    open_evening,
    plan_evening,
    reinstate_evening,
)


class EveningView(View):
    """An address about one evening of a club."""

    FIELD_OF = FIELD_OF

    def evening(self, club_id: int, evening_id: int) -> Evening:
        """Return an evening that may be seen, with its club (1 statement, and 1 for the actor). Raises `Http404`."""
        found = Evening.objects.select_related("club").filter(pk=evening_id, club=club_id).first()
        if found is None or not permissions.can_see_club(self.actor, found.club):
            raise Http404
        self.club_id = found.club_id
        return found

    def in_public(self, club: Club) -> bool:
        """Say whether whoever asks sees public names only."""
        return not permissions.can_see_attendance(self.actor, club)

    def done(self, evening: Evening, verb: Callable[[], Any]) -> Any:
        """Do something with an evening and answer with the evening as it is then."""
        club = evening.club
        return self.write(verb, lambda _made: self.listed_body(club, [evening.pk])[0])

    def listed_body(self, club: Club, ids: Sequence[int]) -> list[Body]:
        """Return these evenings as a list has them, by time (2 statements)."""
        evenings = list(evenings_of(club).filter(pk__in=ids).order_by("starts_at", "pk"))
        return [line_body(club, line, in_public=self.in_public(club)) for line in lines_of(club, evenings)]


class Evenings(EveningView):
    @operation(
        "evenings_list",
        summary="The evenings of a club",
        tag=TAG,
        answer=EveningAnswer,
        lists=True,
        filters=EveningFilter,
        orders={
            "-starts_at": Order.moment("starts_at", descending=True),
            "starts_at": Order.moment("starts_at"),
        },
    )
    def get(self, request: Any, club_id: int) -> Any:
        """All evenings of a club, planned ones and past ones, with who won."""
        club = self.club(club_id)
        in_public = self.in_public(club)
        return self.listed(
            evenings_of(club),
            lambda rows: [line_body(club, line, in_public=in_public) for line in lines_of(club, rows)],
        )

    @operation(
        "evenings_plan",
        summary="Plan evenings",
        tag=TAG,
        takes=NewEvening,
        answer=EveningsPlanned,
        status=201,
        scope=Scope.MANAGE,
        errors={400: tuple(FIELD_OF)},
        examples=[
            OpenApiExample(
                "Four Thursdays",
                {"day": "2026-12-03", "time": "19:30", "place": "Zum Löwen", "times": 4},
                request_only=True,
            )
        ],
    )
    def post(self, request: Any, club_id: int) -> Any:
        """Plan one evening, or several with so many days between them, as managers do."""
        club = self.club(club_id)
        permissions.check_can_plan_evenings(self.actor, club)
        sent = self.sent()
        how_often = {name: sent.pop(name) for name in ("times", "every") if name in sent}
        return self.write(
            lambda: plan_evening(club, plan_of(sent), by=self.actor, **how_often),
            lambda planned: {"evenings": self.listed_body(club, [evening.pk for evening in planned])},
        )


class OneEvening(EveningView):
    @operation("evenings_read", summary="An evening", tag=TAG, answer=EveningDetailsAnswer)
    def get(self, request: Any, club_id: int, evening_id: int) -> Any:
        """An evening with its games and its table."""
        evening = self.evening(club_id, evening_id)
        results = evening_results(evening.club, evening)
        return self.answer(details_body(evening.club, evening, results, in_public=self.in_public(evening.club)))

    @operation(
        "evenings_change",
        summary="Change an evening",
        tag=TAG,
        takes=EveningChanges,
        answer=EveningAnswer,
        scope=Scope.MANAGE,
        errors={400: tuple(FIELD_OF)[:-1], 409: ("evening_has_games",)},
        examples=[OpenApiExample("Later, and elsewhere", {"time": "20:00", "place": "Gasthof"}, request_only=True)],
    )
    def patch(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Change when and where an evening is, and whether seasons count it, as managers do."""
        evening = self.evening(club_id, evening_id)
        permissions.check_can_plan_evenings(self.actor, evening.club)
        plan = plan_of(self.sent(), EveningPlan.of(evening, evening.club))
        return self.done(evening, lambda: change_evening(evening, plan, by=self.actor))


class CancelEvening(EveningView):
    @operation(
        "evenings_cancel",
        summary="Call an evening off",
        tag=TAG,
        answer=EveningAnswer,
        scope=Scope.MANAGE,
        errors={409: ("evening_has_games",)},
    )
    def post(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Call an evening off, as managers do. Answers and drawn tables stay."""
        evening = self.evening(club_id, evening_id)
        permissions.check_can_plan_evenings(self.actor, evening.club)
        return self.done(evening, lambda: cancel_evening(evening, by=self.actor))


class ReinstateEvening(EveningView):
    @operation(
        "evenings_reinstate",
        summary="Let an evening take place after all",
        tag=TAG,
        answer=EveningAnswer,
        scope=Scope.MANAGE,
    )
    def post(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Let an evening that was called off take place after all, as managers do."""
        evening = self.evening(club_id, evening_id)
        permissions.check_can_plan_evenings(self.actor, evening.club)
        return self.done(evening, lambda: reinstate_evening(evening, by=self.actor))


class OpenEvening(EveningView):
    @operation(
        "evenings_open",
        summary="Open an evening",
        tag=TAG,
        answer=EveningAnswer,
        errors={409: ("evening_cancelled", "other_evening_open")},
    )
    def post(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Open an evening, as scorers do: games of the club that are started from now on belong to it.

        One of an earlier night that was left open is closed.
        """
        evening = self.evening(club_id, evening_id)
        permissions.check_can_run_evenings(self.actor, evening.club)
        return self.done(evening, lambda: open_evening(evening, by=self.actor))


class CloseEvening(EveningView):
    @operation(
        "evenings_close",
        summary="Close an evening",
        tag=TAG,
        answer=EveningAnswer,
        errors={409: ("evening_not_open",)},
    )
    def post(self, request: Any, club_id: int, evening_id: int) -> Any:
        """Close an evening, as scorers do. Games that are under way go on."""
        evening = self.evening(club_id, evening_id)
        permissions.check_can_run_evenings(self.actor, evening.club)
        return self.done(evening, lambda: close_evening(evening, by=self.actor))
