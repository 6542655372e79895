"""The API's yardstick: a bare view of the framework that answers 50 small dicts after two queries, and nothing else.

Its rows are in a file of their own, `BENCH_BARE`, opened as the site opens its own.
"""

import os
import secrets

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path

ROWS = 50

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["BENCH_BARE"],
            "CONN_MAX_AGE": 600,
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL"},
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        "rest_framework",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    ROOT_URLCONF=__name__,
    SECRET_KEY=secrets.token_urlsafe(50),
    STATIC_URL="/static/",
)
django.setup()

from django.db import connection, models  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class Shelf(models.Model):  # noqa: DJ008
    name = models.CharField(max_length=40)

    class Meta:
        app_label = "bench"


class Thing(models.Model):  # noqa: DJ008
    shelf = models.ForeignKey(Shelf, models.CASCADE)
    name = models.CharField(max_length=40)
    points = models.IntegerField()

    class Meta:
        app_label = "bench"


def fill() -> None:
    """Make the tables and their rows, unless they are there."""
    if Shelf._meta.db_table in connection.introspection.table_names():
        return
    with connection.schema_editor() as editor:
        editor.create_model(Shelf)
        editor.create_model(Thing)
    shelf = Shelf.objects.create(name="Shelf")
    Thing.objects.bulk_create(Thing(shelf=shelf, name=f"Thing {n}", points=10 * n) for n in range(ROWS))


class Things(APIView):
    def get(self, request: Request) -> Response:
        shelf = Shelf.objects.get()
        return Response(list(Thing.objects.filter(shelf=shelf).order_by("pk").values("id", "name", "points")))


fill()
connection.close()
urlpatterns = [path("", Things.as_view())]
application = get_wsgi_application()
