"""Webhooks: addresses that are told of a club's games, and what was sent to them."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0010_tokens"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=500)),
                ("on_finished", models.BooleanField(default=True)),
                ("on_corrected", models.BooleanField(default=True)),
                ("on_confirmed", models.BooleanField(default=True)),
                ("nonce", models.CharField(max_length=32)),
                ("secret_hash", models.CharField(max_length=64)),
                ("is_active", models.BooleanField(default=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("rests_until", models.DateTimeField(blank=True, null=True)),
                ("disabled_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="scoresheets.club",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("club", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField()),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("game_finished", "game finished"),
                            ("game_corrected", "game corrected"),
                            ("game_confirmed", "game confirmed"),
                            ("ping", "test"),
                        ],
                        max_length=16,
                    ),
                ),
                ("payload", models.JSONField()),
                (
                    "status",
                    models.CharField(
                        choices=[("pending", "waiting"), ("delivered", "delivered"), ("failed", "given up")],
                        default="pending",
                        max_length=16,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("next_try_at", models.DateTimeField(blank=True, null=True)),
                ("last_try_at", models.DateTimeField(blank=True, null=True)),
                ("status_code", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "error",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("address_refused", "the address is not allowed"),
                            ("name_unknown", "no server has this name"),
                            ("not_public", "the server is not on the internet"),
                            ("no_connection", "no connection"),
                            ("not_trusted", "the certificate is not valid"),
                            ("too_slow", "the answer took too long"),
                            ("no_http", "the answer was not understood"),
                            ("secret_lost", "the secret is no longer known"),
                            ("switched_off", "the webhook was switched off"),
                        ],
                        default="",
                        max_length=16,
                    ),
                ),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "webhook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="scoresheets.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ("webhook", "-pk"),
            },
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(fields=("club", "address"), name="webhook_address_once_a_club"),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(("address", ""), _negated=True), name="webhook_has_an_address"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("nonce", ""), _negated=True), models.Q(("secret_hash", ""), _negated=True)
                ),
                name="webhook_has_a_secret",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("on_finished", True), ("on_corrected", True), ("on_confirmed", True), _connector="OR"
                ),
                name="webhook_is_told_something",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("failing_since__isnull", True), ("failures", 0)),
                    models.Q(("failing_since__isnull", False), ("failures__gte", 1)),
                    _connector="OR",
                ),
                name="webhook_failing_has_a_beginning",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(("disabled_at__isnull", True), ("is_active", False), _connector="OR"),
                name="webhook_disabled_is_not_active",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                models.F("webhook"),
                models.OrderBy(models.F("id"), descending=True),
                name="delivery_newest_of_a_webhook",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("next_try_at__isnull", False)), fields=["next_try_at"], name="delivery_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(fields=("webhook", "uuid"), name="delivery_once_a_webhook"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(("event__in", ["game_finished", "game_corrected", "game_confirmed", "ping"])),
                name="delivery_event_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["pending", "delivered", "failed"])), name="delivery_status_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("next_try_at__isnull", False), ("status", "pending")),
                    models.Q(models.Q(("status", "pending"), _negated=True), ("next_try_at__isnull", True)),
                    _connector="OR",
                ),
                name="delivery_pending_has_a_next_try",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("delivered_at__isnull", False), ("status", "delivered")),
                    models.Q(models.Q(("status", "delivered"), _negated=True), ("delivered_at__isnull", True)),
                    _connector="OR",
                ),
                name="delivery_delivered_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status_code__isnull", True),
                    models.Q(("error", ""), ("status_code__gte", 100), ("status_code__lte", 999)),
                    _connector="OR",
                ),
                name="delivery_answer_has_a_status",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "error__in",
                        [
                            "",
                            "address_refused",
                            "name_unknown",
                            "not_public",
                            "no_connection",
                            "not_trusted",
                            "too_slow",
                            "no_http",
                            "secret_lost",
                            "switched_off",
                        ],
                    )
                ),
                name="delivery_error_is_known",
            ),
        ),
    ]
