import django.db.models.functions.text
from django.core.management import call_command
from django.db import migrations, models

import scoresheets.models.usernames


def fill_keys(apps, schema_editor):
    """Give each account that is there already the key of its name."""
    for user in apps.get_model("scoresheets", "User").objects.using(schema_editor.connection.alias).all():
        user.username_key = scoresheets.models.usernames.username_key(user.username)
        user.save(update_fields=["username_key"])


def make_cache_table(apps, schema_editor):
    """Make the table of the cache, if the cache has one: whoever migrates has nothing else to run."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0003_table"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={"unique": "This name is taken."},
                max_length=40,
                unique=True,
                validators=[scoresheets.models.usernames.validate_username],
                verbose_name="name",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="username_key",
            field=models.CharField(default="", editable=False, max_length=120),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True, choices=[("de", "Deutsch"), ("en", "English")], max_length=8, default=""
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="user",
            name="theme",
            field=models.CharField(
                blank=True, choices=[("light", "light"), ("dark", "dark")], max_length=8, default=""
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill_keys, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("username"), name="user_name_once_but_for_case"
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(fields=("username_key",), name="user_key_is_unique"),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("username", ""), _negated=True), models.Q(("username_key", ""), _negated=True)
                ),
                name="user_has_a_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("language__in", ["", "de", "en"])), name="user_language_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("theme__in", ["", "light", "dark"])), name="user_theme_is_known"
            ),
        ),
        migrations.RunPython(make_cache_table, migrations.RunPython.noop),
    ]
