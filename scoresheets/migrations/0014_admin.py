from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def make_support(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make the group whose members are support on the admin site, if they are staff."""
    apps.get_model("auth", "Group").objects.get_or_create(name="support")


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("scoresheets", "0013_imports"),
    ]

    operations = [migrations.RunPython(make_support, migrations.RunPython.noop)]
