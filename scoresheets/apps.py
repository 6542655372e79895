from django.apps import AppConfig


class ScoresheetsConfig(AppConfig):
    """The one Django app: games, their journal and every door to them."""

    name = "scoresheets"
    default_auto_field = "django.db.models.BigAutoField"
