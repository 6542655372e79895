"""What an installation on one's own machine gets without setting anything: used by manage.py and serve.py.

A server that is started in another way (wizard_site.wsgi) has to set its environment: settings.py refuses otherwise.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from wizard_site import environment
from wizard_site.secret import ensure_key_file

BASE_DIR = Path(__file__).resolve().parent.parent


def data_dir() -> Path:
    """Return the folder of the database and the key: DATA_DIR, else `data` beside manage.py."""
    return Path(os.environ.get("DATA_DIR") or BASE_DIR / "data")


def prepare(hosts: Sequence[str] = environment.LOOPBACK) -> None:
    """Add the missing variables to the environment, and make the data folder and the key they speak of."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wizard_site.settings")
    if environment.switch(os.environ, "DEBUG", default=False):
        data_dir().mkdir(mode=0o700, parents=True, exist_ok=True)
        return
    added = environment.local_defaults(os.environ, data_dir(), hosts)
    os.environ.update(added)
    data_dir().mkdir(mode=0o700, parents=True, exist_ok=True)
    if "SECRET_KEY_FILE" in added:
        ensure_key_file(Path(added["SECRET_KEY_FILE"]))
