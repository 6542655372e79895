"""A site of the bench's own, with the settings of a real one."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def prepare(folder: Path, *, database: str = "") -> None:
    """Set up Django for a site whose files are in `folder`, with its SQLite file or the database at this address."""
    for name in ("DEBUG", "DATABASE_URL", "SECRET_KEY_FILE", "ACCESS_LOG", "RELEASE", "TRUST_PROXY"):
        os.environ.pop(name, None)
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "wizard_site.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "127.0.0.1",
        "HTTPS": "off",
        "DATA_DIR": str(folder),
        "STATIC_ROOT": str(folder / "static"),
    }
    if database:
        os.environ["DATABASE_URL"] = database
    folder.mkdir(parents=True, exist_ok=True)
    import django

    django.setup()
