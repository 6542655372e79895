from django.urls import path
from django.views.i18n import set_language

from scoresheets.views.blocks import block
from scoresheets.views.corrections import correct_round, correct_seat
from scoresheets.views.devices import manifest, open_link, set_theme
from scoresheets.views.halts import state
from scoresheets.views.links import links, revoke
from scoresheets.views.new_game import new_game
from scoresheets.views.paper import new_sheet
from scoresheets.views.referee import game_referee, referee
from scoresheets.views.rulebook import rules, rules_rounds, rules_special_cards, rules_tips, rules_variants
from scoresheets.views.sheets import sheet
from scoresheets.views.start import start
from scoresheets.views.table import people

urlpatterns = [
    path("", start, name="start"),
    path("games/new/", new_game, name="new_game"),
    path("games/sheet/new/", new_sheet, name="new_sheet"),
    path("games/<int:game_id>/", block, name="block"),
    path("games/<int:game_id>/sheet/", sheet, name="sheet"),
    path("games/<int:game_id>/rounds/<int:number>/correct/", correct_round, name="correct_round"),
    path("games/<int:game_id>/seats/<int:seat_id>/", correct_seat, name="correct_seat"),
    path("games/<int:game_id>/referee/", game_referee, name="game_referee"),
    path("games/<int:game_id>/state/", state, name="state"),
    path("games/<int:game_id>/people/", people, name="people"),
    path("games/<int:game_id>/links/", links, name="links"),
    path("games/<int:game_id>/links/<int:link_id>/revoke/", revoke, name="revoke"),
    path("j/<str:secret>", open_link, name="open_link"),
    path("referee/", referee, name="referee"),
    path("rules/", rules, name="rules"),
    path("rules/special-cards/", rules_special_cards, name="rules_special_cards"),
    path("rules/variants/", rules_variants, name="rules_variants"),
    path("rules/rounds/", rules_rounds, name="rules_rounds"),
    path("rules/tips/", rules_tips, name="rules_tips"),
    path("theme/", set_theme, name="set_theme"),
    path("language/", set_language, name="set_language"),
    path("manifest.webmanifest", manifest, name="manifest"),
]
