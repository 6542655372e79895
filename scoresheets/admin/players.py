"""Players on the admin site: who they are, whom they were merged with, and who says to be them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoresheets import permissions, recording, wording
from scoresheets.actors import Actor
from scoresheets.admin.acts import Act, ActForm, Change, TypedForm
from scoresheets.admin.exporting import Exported, SafeResource
from scoresheets.admin.histories import WithHistory
from scoresheets.admin.looking import LookOnly, of_club
from scoresheets.admin.site import site
from scoresheets.models import Claim, Merge, Player, PlayerLink
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.clubs import merge_preview
from scoresheets.recording import Conflict
from scoresheets.recording.names import folded, tidy_name

MOST_DIGITS = 18
#: So many players are named where a name fits several.
MOST_NAMED = 10


class PlayerNameForm(ActForm):
    """The name in the club, and the one for pages that everybody may read."""

    name = forms.CharField(label=_("name"), required=False, max_length=5 * NAME_LENGTH)
    public_name = forms.CharField(
        label=_("public name"), required=False, max_length=5 * NAME_LENGTH, help_text=_("Empty: the name itself.")
    )
    problem_fields = {"name": "name", "player": "name"}

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Player) -> None:
        super().__init__(data, subject=subject)
        for name, field in self.fields.items():
            field.initial = getattr(subject, name)


class MergeForm(ActForm):
    """The other player of the club, and which of the two names stays."""

    other = forms.CharField(label=_("Who is the same person? A number or a name of this club"), max_length=200)
    kept = forms.ChoiceField(
        label=_("Whose name stays?"),
        choices=[("this", _("this player")), ("other", _("the other one"))],
        initial="this",
        widget=forms.RadioSelect,
    )

    def clean_other(self) -> Player:
        text = tidy_name(self.cleaned_data["other"])
        players = Player.objects.filter(club=self.subject.club_id).exclude(pk=self.subject.pk)
        if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
            found = list(players.filter(pk=int(text)))
        else:
            likely = list(players.canonical().filter(name__icontains=text).order_by("name", "pk")[: MOST_NAMED + 1])
            found = [player for player in likely if folded(player.name) == folded(text)] or likely
        if not found:
            raise forms.ValidationError(gettext("There is no such player in this club."))
        if len(found) > 1:
            named = ", ".join(f"{player.pk} ({player.name})" for player in found[:MOST_NAMED])
            raise forms.ValidationError(gettext("Several players are called so: %(players)s.") % {"players": named})
        return found[0]

    @property
    def pair(self) -> tuple[Player, Player]:
        """The player who is kept, and the one merged into them."""
        other: Player = self.cleaned_data["other"]
        return (self.subject, other) if self.cleaned_data["kept"] == "this" else (other, self.subject)


def _look_at_merge(form: MergeForm) -> list[Change]:
    preview = merge_preview(*form.pair)
    if preview.conflict:
        return [(wording.conflict_in_words(Conflict(preview.conflict)), "", "")]
    words = gettext("%(merged)s counts as %(kept)s then; the seats keep the names that were written.")
    return [
        (words % {"merged": preview.merged.name, "kept": preview.kept.name}, "", ""),
        (gettext("games"), str(preview.games_kept), str(preview.games_kept + preview.games_merged)),
    ]


def _rename(player: Player, form: PlayerNameForm, by: Actor, key: str) -> None:
    recording.rename_player(player, by=by, **form.cleaned_data)


def _merge(player: Player, form: MergeForm, by: Actor, key: str) -> None:
    recording.merge_players(*form.pair, by=by, key=key)


def _archive(player: Player, form: ActForm, by: Actor, key: str) -> None:
    recording.archive_player(player, by=by)


def _unarchive(player: Player, form: ActForm, by: Actor, key: str) -> None:
    recording.unarchive_player(player, by=by)


def _release(player: Player, form: ActForm, by: Actor, key: str) -> None:
    recording.release_player(player, by=by)


def _anonymise(player: Player, form: TypedForm, by: Actor, key: str) -> None:
    recording.anonymise_player(player, by=by)


def _undo_merge(merge: Merge, form: ActForm, by: Actor, key: str) -> None:
    recording.undo_merge(merge, by=by)


def _accept(claim: Claim, form: ActForm, by: Actor, key: str) -> None:
    recording.decide_claim(claim, accepted=True, by=by)


def _refuse(claim: Claim, form: ActForm, by: Actor, key: str) -> None:
    recording.decide_claim(claim, accepted=False, by=by)


def _revoke(link: PlayerLink, form: ActForm, by: Actor, key: str) -> None:
    recording.revoke_claim_link(link, by=by)


def _club(player: Player) -> tuple[Any, ...]:
    return (player.club,)


def _counts_itself(player: Player) -> bool:
    return player.is_canonical


class PlayerResource(SafeResource):
    class Meta:
        model = Player
        fields = (
            "id",
            "club",
            "club__name",
            "name",
            "public_name",
            "is_guest",
            "canonical",
            "archived_at",
            "created_at",
        )


class Duplicates(admin.SimpleListFilter):
    """Players of their own, or those who were merged into another one."""

    title = _("merged")
    parameter_name = "merged"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", _("players of their own")), ("yes", _("merged into another one"))]

    def queryset(self, request: HttpRequest, rows: QuerySet[Player]) -> QuerySet[Player]:
        if self.value() == "no":
            return rows.filter(canonical=F("pk"))
        return rows.exclude(canonical=F("pk")) if self.value() == "yes" else rows


@admin.register(Player, site=site)
class PlayerAdmin(Exported, WithHistory):
    area = "players"
    resource_classes = (PlayerResource,)
    acts = (
        Act(
            "rename",
            _("Change the name"),
            _("Seats that carry the old name get the new one."),
            permissions.can_manage_players,
            _rename,
            PlayerNameForm,
            about=_club,
            fits=_counts_itself,
        ),
        Act(
            "merge",
            _("Merge with another player"),
            _("Both are one person from then on, in statistics and seasons too. It can be undone."),
            permissions.can_manage_players,
            _merge,
            MergeForm,
            about=_club,
            fits=_counts_itself,
            preview=_look_at_merge,
        ),
        Act(
            "archive",
            _("Put into the archive"),
            _("Games and results stay, and the name is free again."),
            permissions.can_manage_players,
            _archive,
            about=_club,
            fits=lambda player: player.is_canonical and player.archived_at is None,
        ),
        Act(
            "unarchive",
            _("Bring back from the archive"),
            _("The player is on the roster again."),
            permissions.can_manage_players,
            _unarchive,
            about=_club,
            fits=lambda player: player.is_canonical and player.archived_at is not None,
        ),
        Act(
            "release",
            _("Part from the account"),
            _("For an account that was wrongly taken for this player."),
            permissions.can_manage_players,
            _release,
            about=_club,
            fits=lambda player: player.is_canonical and player.user_id is not None,
        ),
        Act(
            "anonymise",
            _("Take the name off everything"),
            _(
                "The player and all that was merged into them lose their names: on the roster, on sheets, in the "
                "history and in reasons. Scores stay. It cannot be undone."
            ),
            permissions.can_anonymise,
            _anonymise,
            TypedForm,
            is_danger=True,
        ),
    )
    list_display = ("id", "name", "public_name", "club", "user", "is_guest", "canonical", "archived_at")
    list_display_links = ("id", "name")
    list_filter = (of_club("club"), Duplicates, "is_guest", ("archived_at", admin.EmptyFieldListFilter))
    list_select_related = ("club", "user", "canonical")
    date_hierarchy = "created_at"
    search_fields = ("=id", "name", "public_name", "user__username")
    search_help_text = _("A player's number, a name or the name of an account.")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        rows: QuerySet[Player] = super().get_queryset(request)
        return rows.select_related("club", "user", "canonical")


@admin.register(PlayerLink, site=site)
class PlayerLinkAdmin(LookOnly):
    area = "players"
    acts = (
        Act(
            "revoke",
            _("Close the link"),
            _("Nobody becomes this player with it any more."),
            permissions.can_manage_players,
            _revoke,
            about=lambda link: (link.player.club,),
            fits=lambda link: link.used_at is None and link.revoked_at is None,
            is_danger=True,
        ),
    )
    list_display = ("id", "player", "created_by", "created_at", "expires_at", "used_at", "revoked_at")
    list_filter = (of_club("player__club"), ("used_at", admin.EmptyFieldListFilter))
    list_select_related = ("player", "created_by")
    date_hierarchy = "created_at"
    search_fields = ("player__name",)


@admin.register(Merge, site=site)
class MergeAdmin(LookOnly):
    area = "players"
    acts = (
        Act(
            "undo",
            _("Undo the merge"),
            _("The two are people of their own again. Of merges of the same people, the newest is undone first."),
            permissions.can_manage_players,
            _undo_merge,
            about=lambda merge: (merge.kept.club,),
            fits=lambda merge: merge.undone_at is None,
        ),
    )
    list_display = ("id", "merged", "kept", "at", "by", "undone_at", "undone_by")
    list_filter = (of_club("kept__club"), ("undone_at", admin.EmptyFieldListFilter))
    list_select_related = ("merged", "kept", "by", "undone_by")
    date_hierarchy = "at"
    search_fields = ("merged__name", "kept__name")


@admin.register(Claim, site=site)
class ClaimAdmin(LookOnly):
    area = "players"
    acts = (
        Act(
            "accept",
            _("Accept the claim"),
            _("The account is this player from then on."),
            permissions.can_manage_players,
            _accept,
            about=lambda claim: (claim.player.club,),
            fits=lambda claim: claim.accepted is None,
        ),
        Act(
            "refuse",
            _("Refuse the claim"),
            _("The player stays whom they are."),
            permissions.can_manage_players,
            _refuse,
            about=lambda claim: (claim.player.club,),
            fits=lambda claim: claim.accepted is None,
        ),
    )
    list_display = ("id", "player", "user", "asked_at", "accepted", "decided_at", "decided_by")
    list_filter = (of_club("player__club"), "accepted")
    list_select_related = ("player", "user", "decided_by")
    date_hierarchy = "asked_at"
    search_fields = ("player__name", "user__username")
