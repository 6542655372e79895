from django.urls import path

from scoresheets.views.accounts import account, delete_account, own_data
from scoresheets.views.blocks import block
from scoresheets.views.claims import claims, open_player_link
from scoresheets.views.club_files import club_file, import_club
from scoresheets.views.clubs import club, club_settings, clubs, delete_club, new_club
from scoresheets.views.comparisons import compare
from scoresheets.views.corrections import correct_round, correct_seat
from scoresheets.views.devices import manifest, open_link, set_language, set_theme
from scoresheets.views.evening import evening
from scoresheets.views.evenings import change_evening, evenings, evenings_calendar
from scoresheets.views.exports import export, export_bgstats, export_csv, export_workbook
from scoresheets.views.game_clubs import game_club
from scoresheets.views.halts import state
from scoresheets.views.imports import import_example, imports, one_import, undo_import
from scoresheets.views.insight import club_insight, public_insight
from scoresheets.views.invitations import open_invitation
from scoresheets.views.lifetime import lifetime, own_statistics
from scoresheets.views.links import links, revoke
from scoresheets.views.members import club_members, remove_member
from scoresheets.views.merges import merge
from scoresheets.views.new_game import new_game
from scoresheets.views.paper import new_sheet
from scoresheets.views.players import anonymise, player, players
from scoresheets.views.records import all_time, records
from scoresheets.views.referee import game_referee, referee
from scoresheets.views.results import correct_results, new_results
from scoresheets.views.rulebook import rules, rules_rounds, rules_special_cards, rules_tips, rules_variants
from scoresheets.views.season_settings import close_season, delete_season, new_season, season_settings
from scoresheets.views.seasons import season, season_player, seasons
from scoresheets.views.sheets import sheet
from scoresheets.views.start import start
from scoresheets.views.suspicions import club_suspicions
from scoresheets.views.table import people
from scoresheets.views.tokens import tokens
from scoresheets.views.webhooks import delete_webhook, webhook, webhooks

urlpatterns = [
    path("", start, name="start"),
    path("games/new/", new_game, name="new_game"),
    path("games/sheet/new/", new_sheet, name="new_sheet"),
    path("games/results/new/", new_results, name="new_results"),
    path("games/<int:game_id>/", block, name="block"),
    path("games/<int:game_id>/sheet/", sheet, name="sheet"),
    path("games/<int:game_id>/rounds/<int:number>/correct/", correct_round, name="correct_round"),
    path("games/<int:game_id>/results/correct/", correct_results, name="correct_results"),
    path("games/<int:game_id>/seats/<int:seat_id>/", correct_seat, name="correct_seat"),
    path("games/<int:game_id>/referee/", game_referee, name="game_referee"),
    path("games/<int:game_id>/state/", state, name="state"),
    path("games/<int:game_id>/people/", people, name="people"),
    path("games/<int:game_id>/club/", game_club, name="game_club"),
    path("games/<int:game_id>/links/", links, name="links"),
    path("games/<int:game_id>/links/<int:link_id>/revoke/", revoke, name="revoke"),
    path("j/<str:secret>", open_link, name="open_link"),
    path("clubs/", clubs, name="clubs"),
    path("clubs/new/", new_club, name="new_club"),
    path("clubs/import/", import_club, name="import_club"),
    path("clubs/<int:club_id>/", club, name="club"),
    path("clubs/<int:club_id>/settings/", club_settings, name="club_settings"),
    path("clubs/<int:club_id>/delete/", delete_club, name="delete_club"),
    path("clubs/<int:club_id>/export/club.json", club_file, name="club_file"),
    path("clubs/<int:club_id>/members/", club_members, name="club_members"),
    path("clubs/<int:club_id>/members/<int:member_id>/remove/", remove_member, name="remove_member"),
    path("clubs/<int:club_id>/suspicions/", club_suspicions, name="club_suspicions"),
    path("clubs/<int:club_id>/webhooks/", webhooks, name="webhooks"),
    path("clubs/<int:club_id>/webhooks/<int:webhook_id>/", webhook, name="webhook"),
    path("clubs/<int:club_id>/webhooks/<int:webhook_id>/delete/", delete_webhook, name="delete_webhook"),
    path("i/<str:secret>", open_invitation, name="open_invitation"),
    path("clubs/<int:club_id>/players/", players, name="players"),
    path("clubs/<int:club_id>/players/<int:player_id>/", player, name="player"),
    path("clubs/<int:club_id>/players/<int:player_id>/merge/", merge, name="merge"),
    path("clubs/<int:club_id>/players/<int:player_id>/anonymise/", anonymise, name="anonymise"),
    path("clubs/<int:club_id>/players/<int:player_id>/statistics/", lifetime, name="lifetime"),
    path("clubs/<int:club_id>/compare/", compare, name="compare"),
    path("clubs/<int:club_id>/insight/", club_insight, name="club_insight"),
    path("insight/", public_insight, name="public_insight"),
    path("me/statistics/", own_statistics, name="own_statistics"),
    path("clubs/<int:club_id>/claims/", claims, name="claims"),
    path("clubs/<int:club_id>/evenings/", evenings, name="evenings"),
    path("clubs/<int:club_id>/evenings/<int:evening_id>/", evening, name="evening"),
    path("clubs/<int:club_id>/evenings/<int:evening_id>/change/", change_evening, name="change_evening"),
    path("clubs/<int:club_id>/evenings.ics", evenings_calendar, name="evenings_calendar"),
    path("clubs/<int:club_id>/export/", export, name="export"),
    path("clubs/<int:club_id>/export/<slug:table>.csv", export_csv, name="export_csv"),
    path("clubs/<int:club_id>/export/<slug:table>.xlsx", export_workbook, name="export_workbook"),
    path("clubs/<int:club_id>/export/bgstats.json", export_bgstats, name="export_bgstats"),
    path("clubs/<int:club_id>/import/", imports, name="imports"),
    path("clubs/<int:club_id>/import/examples/<slug:name>.csv", import_example, name="import_example"),
    path("clubs/<int:club_id>/import/<int:import_id>/", one_import, name="one_import"),
    path("clubs/<int:club_id>/import/<int:import_id>/undo/", undo_import, name="undo_import"),
    path("p/<str:secret>", open_player_link, name="open_player_link"),
    path("clubs/<int:club_id>/seasons/", seasons, name="seasons"),
    path("clubs/<int:club_id>/seasons/new/", new_season, name="new_season"),
    path("clubs/<int:club_id>/seasons/<int:season_id>/", season, name="season"),
    path("clubs/<int:club_id>/seasons/<int:season_id>/players/<int:player_id>/", season_player, name="season_player"),
    path("clubs/<int:club_id>/seasons/<int:season_id>/settings/", season_settings, name="season_settings"),
    path("clubs/<int:club_id>/seasons/<int:season_id>/close/", close_season, name="close_season"),
    path("clubs/<int:club_id>/seasons/<int:season_id>/delete/", delete_season, name="delete_season"),
    path("clubs/<int:club_id>/all-time/", all_time, name="all_time"),
    path("clubs/<int:club_id>/records/", records, name="records"),
    path("referee/", referee, name="referee"),
    path("rules/", rules, name="rules"),
    path("rules/special-cards/", rules_special_cards, name="rules_special_cards"),
    path("rules/variants/", rules_variants, name="rules_variants"),
    path("rules/rounds/", rules_rounds, name="rules_rounds"),
    path("rules/tips/", rules_tips, name="rules_tips"),
    path("account/", account, name="account"),
    path("account/tokens/", tokens, name="tokens"),
    path("account/data/", own_data, name="own_data"),
    path("account/delete/", delete_account, name="delete_account"),
    path("theme/", set_theme, name="set_theme"),
    path("language/", set_language, name="set_language"),
    path("manifest.webmanifest", manifest, name="manifest"),
]
