from django.db import migrations

from scoresheets.models.json_text import JSONTextField


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0014_admin"),
    ]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="plan",
            field=JSONTextField(),
        ),
        migrations.AlterField(
            model_name="seat",
            name="line",
            field=JSONTextField(default=list, editable=False),
        ),
    ]
