"""The site's settings as tests (and mypy) use them: DATABASE_URL is respected, everything else is fixed here."""

import os
import tempfile
from pathlib import Path

for name in (
    "DEBUG",
    "SECRET_KEY_FILE",
    "CSRF_TRUSTED_ORIGINS",
    "TRUST_PROXY",
    "RELEASE",
    "TIME_ZONE",
    "LOG_LEVEL",
    "EMAIL_URL",
    "WEBHOOKS_LOCAL",
):
    os.environ.pop(name, None)
os.environ["SECRET_KEY"] = "only-for-tests-abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJ"
os.environ["ALLOWED_HOSTS"] = "localhost,127.0.0.1,[::1],testserver"
os.environ["HTTPS"] = "off"

from wizard_site.settings import *  # noqa: E402, F403
from wizard_site.settings import DATABASES, STORAGES  # noqa: E402

# The manifest of hashed names exists only after collectstatic; without it a live server would answer 404.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
# Straight from the sources, found anew at each request.
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# No test needs a worker: see tests/tasks.py.
TASKS = {"default": {"BACKEND": "tests.tasks.AtOnce"}}
# Attempts are counted in the process; tests that are about the table in the database set it themselves.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, because a live server and its test write from several threads, which a database in memory answers with
    # "table is locked"; one a process, so that neither the workers of a run nor two runs meet.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"tafelrunde-test-{os.getpid()}.sqlite3")}
    # Nothing here has to survive a power cut.
    DATABASES["default"]["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"
