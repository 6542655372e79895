"""Games on the admin site: lists that stay quick with very many, and a page with sheet, journal and links."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from import_export.fields import Field

from scoresheets.admin.exporting import Exported, SafeResource
from scoresheets.admin.game_acts import GAME_ACTS, MOST_DIGITS, REVOKE_LINK
from scoresheets.admin.journal import journal_of
from scoresheets.admin.looking import LookOnly, of_club
from scoresheets.admin.site import actor_of, site
from scoresheets.models import Entry, Game, Link, Result, Round, Season, Seat
from scoresheets.models.imports import ImportedGame
from scoresheets.queries.blocks import Sheet, sheet_of


class GameResource(SafeResource):
    """A game a line: who sat there, and what each had in the end."""

    club_name = Field(attribute="club__name", column_name="club_name")
    names = Field(column_name="names")
    totals = Field(column_name="totals")

    class Meta:
        model = Game
        fields = (
            *("id", "club", "club_name", "evening", "night", "started_at", "finished_at", "state", "halted"),
            *("incomplete", "detail", "names", "totals", "version"),
        )

    def dehydrate_names(self, game: Game) -> str:
        return ", ".join(seat.name for seat in game.seats.all())

    def dehydrate_totals(self, game: Game) -> str:
        return ", ".join(str(seat.total) for seat in game.seats.all())


@admin.register(Game, site=site)
class GameAdmin(Exported, LookOnly):
    """Games: searched by number, people at the table and club."""

    area = "games"
    resource_classes = (GameResource,)
    acts = GAME_ACTS
    many = ("void", "restore", "recompute")
    list_display = ("id", "people", "club", "night", "started_at", "state", "halted", "incomplete", "counted")
    list_display_links = ("id", "people")
    list_filter = (of_club("club"), "state", "halted", "incomplete", "detail", "counted")
    list_select_related = ("club",)
    date_hierarchy = "started_at"
    search_fields = ("id",)
    search_help_text = _("A game's number, or a name at the table or of the club.")
    change_form_template = "admin/game.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        seats = Seat.objects.order_by("position").only("game", "position", "name", "total")
        rows: QuerySet[Game] = super().get_queryset(request)
        return rows.select_related("club").prefetch_related(Prefetch("seats", seats))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Find by number alone, else by names: each a search of its own, for no join could use an index."""
        wanted = search_term.strip()
        if not wanted:
            return queryset, False
        if wanted.isascii() and wanted.isdigit() and len(wanted) <= MOST_DIGITS:
            return queryset.filter(pk=int(wanted)), False
        at_table = Seat.objects.filter(name__icontains=wanted).values("game")
        return queryset.filter(Q(pk__in=at_table) | Q(club__name__icontains=wanted)), False

    @admin.display(description=_("people"))
    def people(self, game: Game) -> str:
        return self.describe(game)

    def describe(self, row: Any) -> str:
        return ", ".join(seat.name for seat in row.seats.all())

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the game with its sheet, its journal, its links and what it counts for."""
        game = self.get_object(request, unquote(object_id))
        shown = self._shown(request, game) if game is not None else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})

    def _shown(self, request: HttpRequest, game: Game) -> dict[str, Any]:
        sheet = sheet_of(game, whole=True)
        # What nobody at the table sees yet is not told here either.
        covered = sheet.current.number if sheet.covered and sheet.current is not None else None
        actor, offered = actor_of(request), {act.name: act for act in self.acts}
        may_correct = not game.halted and offered["adjust"].may(actor, game)
        return {
            "game": game,
            "sheet": sheet,
            "columns": self._columns(game, sheet, may_correct=may_correct),
            "rounds": self._rounds(game, sheet) if may_correct else [],
            "journal": journal_of(game, sheet.everybody, covered_round=covered),
            "links": [
                {"link": link, "address": reverse("admin:scoresheets_link_change", args=[link.pk])}
                for link in game.links.all()
            ],
            "neighbours": self._neighbours(game),
            "results": list(Result.objects.filter(game=game).select_related("player").order_by("rank", "pk")),
        }

    def _neighbours(self, game: Game) -> list[tuple[Any, str]]:
        """Return the rows that the game is to be seen beside, each with the address of its page."""
        rows: list[tuple[Any, Any]] = [(_("club"), game.club), (_("evening"), game.evening)]
        rows += [(_("rematch of"), game.rematch_of), (_("rematch"), Game.objects.filter(rematch_of=game).first())]
        rows += [(_("import"), ImportedGame.objects.filter(game=game).first())]
        if game.night is not None:
            reaching = Q(ends_on__isnull=True) | Q(ends_on__gte=game.night)
            seasons = Season.objects.filter(reaching, club=game.club_id, starts_on__lte=game.night)
            rows += [(_("season"), season) for season in seasons]
        return [
            (f"{capfirst(words)}: {row}", reverse(f"admin:scoresheets_{row._meta.model_name}_change", args=[row.pk]))
            for words, row in rows
            if row is not None
        ]

    def _columns(self, game: Game, sheet: Sheet, *, may_correct: bool) -> list[dict[str, Any]]:
        """Return each seat of the sheet with its total and the addresses of what concerns it."""
        totals = dict(zip([seat.pk for seat in sheet.seats], sheet.block.totals, strict=True))
        ranks = dict(zip([seat.pk for seat in sheet.seats], sheet.block.ranks, strict=True))
        return [
            {
                "seat": seat,
                "total": totals[seat.pk],
                "rank": ranks[seat.pk],
                "player": reverse("admin:scoresheets_player_change", args=[seat.player_id]) if seat.player_id else "",
                "rename": self.address_of(game, "rename", seat.pk) if may_correct else "",
                "adjust": self.address_of(game, "adjust", seat.pk) if may_correct and game.has_rounds else "",
            }
            for seat in sheet.seats
        ]

    def _rounds(self, game: Game, sheet: Sheet) -> list[tuple[int, str]]:
        """Return the scored rounds with the address at which each is corrected."""
        return [(row.number, self.address_of(game, "correct_round", row.number)) for row in sheet.block.scored_rows]


class OfGame(LookOnly):
    """Rows that belong to a game; they are listed by game, and found by its number."""

    area = "games"
    search_fields: ClassVar[Any] = ("=game__id",)
    search_help_text = _("A game's number.")

    @admin.display(description=_("game"), ordering="game")
    def of_game(self, row: Any) -> SafeString:
        """Return the number of the row's game as a link to its page."""
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:scoresheets_game_change", args=[row.game_id]), row.game_id
        )


@admin.register(Seat, site=site)
class SeatAdmin(OfGame):
    list_display = ("id", "of_game", "position", "name", "player", "total", "rank", "exact", "rounds", "presence")
    list_filter = (of_club("game__club"), "presence")
    list_select_related = ("player",)
    search_fields = ("=game__id", "name")
    search_help_text = _("A game's number, or a name.")


@admin.register(Round, site=site)
class RoundAdmin(OfGame):
    list_display = ("id", "of_game", "number", "cards", "dealer", "state", "trump", "bombs")
    list_filter = ("state",)
    list_select_related = ("dealer",)
    fields = ("game", "number", "cards", "dealer", "state", "bombs", "trump", "turned_up", "chosen_by")


@admin.register(Entry, site=site)
class EntryAdmin(OfGame):
    """The journal of all games: what was entered is told on the game's page, which knows what is still covered."""

    list_display = ("id", "of_game", "version", "kind", "at", "user", "via", "label", "reason")
    list_filter = (of_club("game__club"), "kind", "via")
    list_select_related = ("user",)
    date_hierarchy = "at"
    search_fields = ("=game__id", "reason")
    search_help_text = _("A game's number, or words of a reason.")
    fields = ("game", "version", "kind", "at", "user", "via", "seat", "label", "reason")


@admin.register(Link, site=site)
class LinkAdmin(OfGame):
    acts = (REVOKE_LINK,)
    many = ("revoke",)
    list_display = ("id", "of_game", "scope", "label", "created_at", "expires_at", "revoked_at")
    list_filter = (of_club("game__club"), "scope", ("revoked_at", admin.EmptyFieldListFilter))
    search_fields = ("=game__id", "label")
    search_help_text = _("A game's number, or a label.")
