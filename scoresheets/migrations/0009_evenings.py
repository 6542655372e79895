"""Evenings of a club: who comes, the tables that are drawn, and the address for calendar programs."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0008_nights_are_there"),
    ]

    operations = [
        migrations.CreateModel(
            name="DrawnTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sitting", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "evening",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawn_tables",
                        to="scoresheets.evening",
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="drawn_table",
                        to="scoresheets.game",
                    ),
                ),
            ],
            options={
                "ordering": ("evening", "sitting", "number"),
            },
        ),
        migrations.CreateModel(
            name="DrawnSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sitting", models.PositiveSmallIntegerField()),
                ("position", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "evening",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawn_seats",
                        to="scoresheets.evening",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="drawn_seats", to="scoresheets.player"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="scoresheets.drawntable",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Attendance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[("yes", "comes"), ("maybe", "comes perhaps"), ("no", "does not come")],
                        default="",
                        max_length=8,
                    ),
                ),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("is_here", models.BooleanField(default=False)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attendances",
                        to="scoresheets.evening",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="attendances", to="scoresheets.player"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("evening", "player"), name="attendance_once_an_evening_and_player"),
                    models.CheckConstraint(
                        condition=models.Q(("answer__in", ["", "yes", "maybe", "no"])),
                        name="attendance_answer_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answer", ""), ("answered_at__isnull", True)),
                            models.Q(models.Q(("answer", ""), _negated=True), ("answered_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="attendance_answered_has_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CalendarAddress",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="calendar_address",
                        serialize=False,
                        to="scoresheets.club",
                    ),
                ),
                ("nonce", models.CharField(max_length=32)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
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
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("nonce", ""), _negated=True), name="calendar_address_has_a_nonce"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="drawntable",
            constraint=models.UniqueConstraint(
                fields=("evening", "sitting", "number"), name="drawn_table_once_a_sitting"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawntable",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1), ("sitting__gte", 1)), name="drawn_table_is_numbered_from_1"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawnseat",
            constraint=models.UniqueConstraint(
                fields=("evening", "sitting", "player"), name="drawn_seat_once_a_sitting"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawnseat",
            constraint=models.UniqueConstraint(fields=("table", "position"), name="drawn_seat_position_once_a_table"),
        ),
        migrations.AddConstraint(
            model_name="drawnseat",
            constraint=models.CheckConstraint(
                condition=models.Q(("sitting__gte", 1)), name="drawn_seat_sitting_is_numbered_from_1"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawnseat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("position__isnull", True), ("table__isnull", True)),
                    models.Q(("position__isnull", False), ("position__lt", 6), ("table__isnull", False)),
                    _connector="OR",
                ),
                name="drawn_seat_is_at_the_table_or_sits_out",
            ),
        ),
    ]
