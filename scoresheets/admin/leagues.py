"""Evenings, seasons and what follows from results on the admin site."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from scoresheets import league_words, permissions, recording
from scoresheets.actors import Actor
from scoresheets.admin.acts import Act, ActForm, TypedForm
from scoresheets.admin.exporting import Exported, SafeResource
from scoresheets.admin.histories import WithHistory
from scoresheets.admin.looking import LookOnly, of_club
from scoresheets.admin.site import site
from scoresheets.models import Evening, Result, Season, Standing


def _close(season: Season, form: ActForm, by: Actor, key: str) -> None:
    recording.close_season(season, by=by)


def _reopen(season: Season, form: ActForm, by: Actor, key: str) -> None:
    recording.reopen_season(season, by=by)


def _delete(season: Season, form: TypedForm, by: Actor, key: str) -> None:
    recording.delete_season(season, by=by)


@admin.register(Evening, site=site)
class EveningAdmin(LookOnly):
    area = "leagues"
    list_display = ("id", "night", "club", "starts_at", "place", "counts", "opened_at", "closed_at", "cancelled_at")
    list_display_links = ("id", "night")
    list_filter = (of_club("club"), "counts", ("cancelled_at", admin.EmptyFieldListFilter))
    list_select_related = ("club",)
    date_hierarchy = "night"
    search_fields = ("=id", "club__name", "place")


@admin.register(Season, site=site)
class SeasonAdmin(WithHistory):
    area = "leagues"
    acts = (
        Act(
            "close",
            _("End the season"),
            _("It ends with tonight, unless it ended before. Its table stays and still follows corrections."),
            permissions.can_manage_seasons,
            _close,
            about=lambda season: (season.club,),
            fits=lambda season: season.closed_at is None,
        ),
        Act(
            "reopen",
            _("Open the season again"),
            _("Its settings can be changed then."),
            permissions.can_manage_seasons,
            _reopen,
            about=lambda season: (season.club,),
            fits=lambda season: season.closed_at is not None,
        ),
        Act(
            "delete",
            _("Delete the season"),
            _("Its table goes, for good; games and results stay."),
            permissions.can_manage_seasons,
            _delete,
            TypedForm,
            about=lambda season: (season.club,),
            is_danger=True,
            removes=True,
        ),
    )
    many = ("close", "reopen")
    list_display = (
        "id",
        "name",
        "club",
        "starts_on",
        "ends_on",
        "formula",
        "closed_at",
        "changed_after_close",
        "stale",
    )
    list_display_links = ("id", "name")
    list_filter = (of_club("club"), "formula", ("closed_at", admin.EmptyFieldListFilter), "stale")
    list_select_related = ("club",)
    date_hierarchy = "starts_on"
    search_fields = ("=id", "name", "club__name")


class StandingResource(SafeResource):
    class Meta:
        model = Standing
        fields = (
            "season",
            "season__name",
            "player",
            "player__name",
            "games",
            "nights",
            "wins",
            "bids",
            "exact",
            "points",
        )


@admin.register(Standing, site=site)
class StandingAdmin(Exported, LookOnly):
    area = "leagues"
    resource_classes = (StandingResource,)
    list_display = ("id", "season", "player", "league_points", "games", "nights", "wins", "ranked", "last_night")
    list_filter = (of_club("season__club"), "ranked")
    list_select_related = ("season", "player")
    date_hierarchy = "last_night"
    search_fields = ("season__name", "player__name")

    @admin.display(description=_("league points"), ordering="points")
    def league_points(self, standing: Standing) -> str:
        return league_words.points_in_words(standing.points)


class ResultResource(SafeResource):
    class Meta:
        model = Result
        fields = (
            "game",
            "night",
            "club",
            "player",
            "player__name",
            "edition",
            "players",
            "total",
            "exact",
            "rounds",
            "rank",
        )


@admin.register(Result, site=site)
class ResultAdmin(Exported, LookOnly):
    area = "leagues"
    resource_classes = (ResultResource,)
    list_display = ("id", "game", "night", "player", "total", "rank", "exact", "rounds", "edition")
    list_filter = (of_club("club"), "edition")
    list_select_related = ("game", "player")
    date_hierarchy = "night"
    search_fields = ("=game__id", "player__name")
    search_help_text = _("A game's number, or a name.")
