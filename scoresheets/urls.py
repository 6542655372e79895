from django.urls import path
from django.views.i18n import set_language

from scoresheets.views.blocks import block
from scoresheets.views.devices import manifest, open_link, set_theme
from scoresheets.views.links import links, revoke
from scoresheets.views.new_game import new_game
from scoresheets.views.sheets import sheet
from scoresheets.views.start import start

urlpatterns = [
    path("", start, name="start"),
    path("games/new/", new_game, name="new_game"),
    path("games/<int:game_id>/", block, name="block"),
    path("games/<int:game_id>/sheet/", sheet, name="sheet"),
    path("games/<int:game_id>/links/", links, name="links"),
    path("games/<int:game_id>/links/<int:link_id>/revoke/", revoke, name="revoke"),
    path("j/<str:secret>", open_link, name="open_link"),
    path("theme/", set_theme, name="set_theme"),
    path("language/", set_language, name="set_language"),
    path("manifest.webmanifest", manifest, name="manifest"),
]
