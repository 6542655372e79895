"""The secret key of an installation that was given none: made once, kept in a file only its owner reads."""

import os
import secrets
from pathlib import Path


def ensure_key_file(path: Path) -> None:
    """Create `path` with a new random key, readable by its owner only, unless it is there.

    Safe when several processes do it at once: the file appears whole, and all see the same key.
    """
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50) + "\n")
        # link() fails if another process was quicker; rename() would replace a key that is already in use.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
