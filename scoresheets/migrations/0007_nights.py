"""Give the games that clubs have already the night they belong to, and each club the row its statistics need.

What follows from the games is left to `rebuild_statistics`.
"""

from datetime import timedelta
from zoneinfo import ZoneInfo

from django.db import migrations


def fill(apps, schema_editor):
    Club, Game = apps.get_model("scoresheets", "Club"), apps.get_model("scoresheets", "Game")
    ClubTally = apps.get_model("scoresheets", "ClubTally")
    for club in Club.objects.all():
        ClubTally.objects.create(club=club)
        zone = ZoneInfo(club.time_zone)
        games = list(Game.objects.filter(club=club).only("id", "started_at"))
        for game in games:
            game.night = (game.started_at.astimezone(zone).replace(tzinfo=None) - timedelta(hours=5)).date()
        Game.objects.bulk_update(games, ["night"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("scoresheets", "0006_statistics")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
