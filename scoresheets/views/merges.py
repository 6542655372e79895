"""Players who are one person: the other one is chosen, what that means is shown, and it is done or undone."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.models import Player
from scoresheets.queries.clubs import MergePreview, merge_preview
from scoresheets.queries.players import alike, merge_in, roster_page, standing_merges
from scoresheets.recording import Conflict
from scoresheets.views.club_access import ClubHidden
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.players import club_with_roster, id_or_404, player_or_404, searched


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def merge(request: HttpRequest, club_id: int, player_id: int) -> HttpResponse:
    """Let a manager choose who is the same person as this player; `?other=<id>` shows what merging the two does.

    A POST with `kept` and `other` merges them; one with `undo` parts two that were merged.
    """
    club, actor = club_with_roster(request, club_id)
    player = player_or_404(club, player_id)
    permissions.check_can_manage_players(actor, club)
    if request.method == "POST":
        return _undo(request, player, actor) if "undo" in request.POST else _merge(request, player, actor)
    if not player.is_canonical:
        return redirect("merge", club.pk, player.canonical_id)
    if "other" in request.GET:
        return _render_preview(request, player, player_or_404(club, request.GET["other"]))
    return _render_choice(request, player)


def _merge(request: HttpRequest, player: Player, actor: Actor) -> HttpResponse:
    other = player_or_404(player.club, request.POST.get("other", ""))
    both = {str(one.pk): one for one in (player, other)}
    kept = both.pop(request.POST.get("kept", ""), None)
    if kept is None:
        return _render_preview(request, player, other, status=422, error=_("Choose whose name stays."))
    (merged,) = both.values() or [kept]
    try:
        recording.merge_players(kept, merged, by=actor, key=key_in(request.POST))
    except Conflict as conflict:
        player, other = player_or_404(player.club, player.pk), player_or_404(player.club, other.pk)
        notice = wording.conflict_in_words(conflict)
        return _render_preview(request, player, other, status=409, kept=kept, notice=notice)
    words = _("%(merged)s and %(kept)s are one person now: %(kept)s.")
    messages.success(request, words % {"merged": merged.name, "kept": kept.name})
    return redirect("player", player.club_id, kept.pk)


def _undo(request: HttpRequest, player: Player, actor: Actor) -> HttpResponse:
    found = merge_in(player.club, id_or_404(request.POST["undo"]))
    if found is None:
        raise ClubHidden
    try:
        undone = recording.undo_merge(found, by=actor)
    except Conflict as conflict:
        return _render_choice(request, player.canonical, status=409, notice=wording.conflict_in_words(conflict))
    except rules.RulesError as refused:
        notice = " ".join(wording.problem_in_words(problem) for problem in refused.problems)
        return _render_choice(request, player.canonical, status=422, notice=notice)
    messages.success(request, _("%(name)s is somebody of their own again.") % {"name": undone.merged.name})
    return redirect("merge", player.club_id, player.pk)


def _render_choice(request: HttpRequest, player: Player, *, status: int = 200, notice: str = "") -> HttpResponse:
    search = searched(request)
    context = {
        "club": player.club,
        "player": player,
        "search": search,
        "alike": [] if search else alike(player),
        "found": roster_page(player.club, search=search, number=request.GET.get("page", 1), apart_from=player),
        "merges": standing_merges(player),
        "notice": notice,
    }
    return render(request, "players/merge.html", context, status=status)


def _render_preview(
    request: HttpRequest,
    player: Player,
    other: Player,
    *,
    status: int = 200,
    kept: Player | None = None,
    notice: str = "",
    error: str = "",
) -> HttpResponse:
    preview = _preview(player, other, kept)
    context: dict[str, Any] = {
        "club": player.club,
        "player": player,
        "other": other,
        "preview": preview,
        "kept": kept or preview.kept,
        "conflict": wording.conflict_in_words(Conflict(preview.conflict)) if preview.conflict else "",
        "total": preview.games_kept + preview.games_merged,
        "lines": [(player, _games(preview, player)), (other, _games(preview, other))],
        "notice": notice,
        "error": error,
        "key": new_key(),
    }
    return render(request, "players/merge_preview.html", context, status=status)


def _preview(player: Player, other: Player, kept: Player | None) -> MergePreview:
    """Return what merging the two would do, the likelier one kept: on the roster, with an account, with more games."""
    preview = merge_preview(player, other)

    def weight(one: Player) -> tuple[bool, bool, int]:
        return one.archived_at is None, one.user_id is not None, _games(preview, one)

    turned = kept == other if kept else weight(other) > weight(player)
    return merge_preview(other, player) if turned else preview


def _games(preview: MergePreview, player: Player) -> int:
    return preview.games_kept if player.pk == preview.kept.pk else preview.games_merged
