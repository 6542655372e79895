from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoresheets", "0007_nights")]

    operations = [
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("club__isnull", True), ("evening__isnull", True), ("night__isnull", True)),
                    models.Q(("club__isnull", False), ("night__isnull", False)),
                    _connector="OR",
                ),
                name="game_of_a_club_has_a_night",
            ),
        ),
    ]
