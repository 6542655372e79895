"""A whole club as one file."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse

from scoresheets import permissions
from scoresheets.api.schema import operation
from scoresheets.api.views import View
from scoresheets.queries.club_files import club_file


class ClubExport(View):
    @operation(
        "clubs_export",
        summary="A whole club as a file",
        tag="clubs",
        answer={
            (200, "application/json"): OpenApiResponse(
                OpenApiTypes.OBJECT, "The club's file, whose layout has a version of its own."
            )
        },
        errors={403: ()},
    )
    def get(self, request: Any, club_id: int) -> Any:
        """All that a club is, for its managers: settings, people, evenings, seasons, games with their journals.

        The file makes the same club again here or elsewhere; its layout is described by a document of its own. It comes
        in pieces while it is read: one that ends before its last brace was broken off.
        """
        club = self.club(club_id)
        permissions.check_can_export_club(self.actor, club)
        headers = {"Content-Disposition": f'attachment; filename="club-{club.pk}.json"'}
        return StreamingHttpResponse(club_file(club), content_type="application/json", headers=headers)
