"""Tokens: programs that act in the name of an account, and entries made by them."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0009_evenings"),
    ]

    operations = [
        migrations.AlterField(
            model_name="entry",
            name="via",
            field=models.CharField(
                choices=[
                    ("device", "this device, without an account"),
                    ("edit_link", "scorer's link"),
                    ("watch_link", "watch link"),
                    ("login", "account"),
                    ("token", "app"),
                    ("command", "operator"),
                ],
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                (
                    "scope",
                    models.CharField(
                        choices=[("read", "read"), ("record", "keep score"), ("manage", "manage")], max_length=8
                    ),
                ),
                ("secret_hash", models.CharField(max_length=64)),
                ("shown", models.CharField(max_length=10)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="scoresheets.club",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("user", "-created_at", "-pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("secret_hash",), name="token_secret_is_unique"),
                    models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="token_has_a_name"),
                    models.CheckConstraint(
                        condition=models.Q(("scope__in", ["read", "record", "manage"])), name="token_scope_is_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("expires_at__isnull", True), ("expires_at__gt", models.F("created_at")), _connector="OR"
                        ),
                        name="token_expires_after_it_is_made",
                    ),
                ],
            },
        ),
    ]
