"""Values from the environment, read strictly: what is unsafe or unclear is refused, with a sentence that helps.

Functions of their arguments only (`secret_key` also reads the file it is told to), so that each refusal has a test.
"""

import ipaddress
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names a browser on this machine uses for it."""

DEBUG_KEY = "only-for-debugging-0123456789-abcdefghijklmnopqrstuvwxyz"  # never accepted outside DEBUG
KEY_LENGTH = 50
KEY_VARIETY = 12

SQLITE_OPTIONS: Mapping[str, Any] = {
    # SQLite's waiting is unfair: under a burst one writer may be held for seconds.
    "timeout": 20,
    # A transaction that starts as a reader and then writes fails at once if somebody else wrote in between.
    "transaction_mode": "IMMEDIATE",
    # WAL: readers and the writer do not wait for each other. FULL: a round that was acknowledged survives a power cut.
    # mmap_size: what is read is not copied first, in all threads and processes; writing goes the usual way.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY; "
        "PRAGMA cache_size=-8000; PRAGMA mmap_size=2147418112; PRAGMA journal_size_limit=27103364"
    ),
}

POSTGRESQL_OPTIONS: Mapping[str, Any] = {
    # A statement that a connection has run so often is planned no more: planning takes as long as most of them run.
    "server_side_binding": True,
    "prepare_threshold": 5,
}


def switch(env: Mapping[str, str], name: str, default: bool) -> bool:
    """Return the yes/no variable `name`; only on/off, yes/no, true/false and 1/0 are understood."""
    value = env.get(name, "").strip().lower()
    if value in {"on", "yes", "true", "1"}:
        return True
    if value in {"off", "no", "false", "0"}:
        return False
    if not value:
        return default
    raise ImproperlyConfigured(f"{name} must be on or off, not {value!r}.")


def whole_number(env: Mapping[str, str], name: str, default: int) -> int:
    """Return the variable `name` as a whole number from 0."""
    value = env.get(name, "").strip()
    if not value:
        return default
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number from 0, not {value!r}.")
    return int(value)


def listed(env: Mapping[str, str], name: str) -> list[str]:
    """Return the comma-separated variable `name` without blanks and empty parts."""
    return [part.strip() for part in env.get(name, "").split(",") if part.strip()]


def secret_key(env: Mapping[str, str], *, debug: bool) -> str:
    """Return SECRET_KEY or what the file SECRET_KEY_FILE holds; under `debug` a fixed key if neither is set."""
    key = env.get("SECRET_KEY", "")
    file = env.get("SECRET_KEY_FILE", "")
    if not key and file:
        try:
            key = Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(
                f"SECRET_KEY_FILE names {file}, which cannot be read: {error.strerror}."
            ) from None
    if debug:
        return key or DEBUG_KEY
    if not key:
        raise ImproperlyConfigured(
            "SECRET_KEY is missing. Set it, or SECRET_KEY_FILE to the path of a file that holds it: "
            f"at least {KEY_LENGTH} random characters."
        )
    if len(key) < KEY_LENGTH or len(set(key)) < KEY_VARIETY or key == DEBUG_KEY or key.startswith("django-insecure-"):
        raise ImproperlyConfigured(
            f"SECRET_KEY is too easy to guess. Set it to at least {KEY_LENGTH} random characters, for example from: "
            'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
        )
    return key


def is_local(host: str) -> bool:
    """Return whether an allowed host is reached without the internet, so that HTTP may do.

    Loopback and private addresses, names without a dot, and names under .local or .localhost.
    """
    name = host.strip("[]").rstrip(".").lower()
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return bool(name) and not name.startswith(".") and ("." not in name or name.endswith((".local", ".localhost")))
    return address.is_private or address.is_loopback or address.is_link_local


def allowed_hosts(env: Mapping[str, str], *, debug: bool) -> list[str]:
    """Return ALLOWED_HOSTS: names or addresses without scheme and port; under `debug` this machine's if none is set."""
    hosts = listed(env, "ALLOWED_HOSTS")
    if not hosts and debug:
        return list(LOOPBACK)
    if not hosts:
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS is missing. Set it to the names under which people open the site, "
            "for example ALLOWED_HOSTS=block.example.org."
        )
    for host in hosts:
        if "*" in host and not debug:
            raise ImproperlyConfigured(
                f"ALLOWED_HOSTS may not contain {host!r}: that would accept any name. List the names one by one, "
                "or .example.org for a domain and all names under it."
            )
        if "/" in host or (":" in host and not host.startswith("[")) or "]:" in host:
            raise ImproperlyConfigured(
                f"ALLOWED_HOSTS takes names without scheme and port, and IPv6 addresses in brackets; found {host!r}."
            )
    return hosts


def https(env: Mapping[str, str], hosts: Iterable[str], *, debug: bool) -> bool:
    """Return whether the site insists on HTTPS: HTTPS, by default on outside `debug`.

    It may be off only if every one of `hosts` is local.
    """
    on = switch(env, "HTTPS", default=not debug)
    public = [host for host in hosts if not is_local(host)]
    if not on and not debug and public:
        raise ImproperlyConfigured(
            f"HTTPS=off is refused because ALLOWED_HOSTS contains {', '.join(public)}: passwords and links would "
            "travel readably over the internet. Leave HTTPS on and serve behind a proxy that speaks HTTPS "
            "(see TRUST_PROXY), or list only private addresses, names without a dot and names under .local."
        )
    return on


def trusted_origins(env: Mapping[str, str], *, https: bool) -> list[str]:
    """Return CSRF_TRUSTED_ORIGINS: other origins whose forms are accepted, such as https://block.example.org:8443."""
    origins = listed(env, "CSRF_TRUSTED_ORIGINS")
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query or parts.fragment:
            raise ImproperlyConfigured(
                f"CSRF_TRUSTED_ORIGINS takes origins without a path, such as https://block.example.org; "
                f"found {origin!r}."
            )
        if "*" in parts.netloc.removeprefix("*."):
            raise ImproperlyConfigured(f"CSRF_TRUSTED_ORIGINS may not contain {origin!r}: that would trust any site.")
        if https and parts.scheme != "https":
            raise ImproperlyConfigured(f"CSRF_TRUSTED_ORIGINS must use https while HTTPS is on; found {origin!r}.")
    return origins


def database(env: Mapping[str, str], *, default: Path) -> dict[str, Any]:
    """Return Django's database settings for DATABASE_URL, PostgreSQL or SQLite; unset it means the file `default`."""
    url = env.get("DATABASE_URL", "").strip()
    config: dict[str, Any]
    if not url:
        config = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(default)}
    else:
        scheme = urlsplit(url).scheme
        if scheme not in {"postgres", "postgresql", "sqlite"}:
            raise ImproperlyConfigured(
                "DATABASE_URL must start with postgres:// or sqlite://, for example "
                "postgres://user:password@host:5432/tafelrunde or sqlite:////srv/tafel.sqlite3."
            )
        config = environ.Env.db_url_config(url)
        if not config["NAME"]:
            raise ImproperlyConfigured("DATABASE_URL names no database: add /name at its end.")
        if config["NAME"] == ":memory:":
            raise ImproperlyConfigured(
                "DATABASE_URL needs the path of a file: a database in memory forgets every game."
            )
    if config["ENGINE"].endswith("sqlite3"):
        config["OPTIONS"] = {**SQLITE_OPTIONS, **config.get("OPTIONS", {})}
    else:
        config["ENGINE"] = "wizard_site.postgresql"
        config["OPTIONS"] = {**POSTGRESQL_OPTIONS, **config.get("OPTIONS", {})}
        if switch(env, "DATABASE_POOLED", default=False):
            # The next transaction may run on another connection, which knows neither.
            config["OPTIONS"]["prepare_threshold"] = None
            config["DISABLE_SERVER_SIDE_CURSORS"] = True
    # Opening a connection costs about a millisecond a request; a broken one is noticed and replaced.
    return {**config, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}


def mail(env: Mapping[str, str]) -> tuple[bool, dict[str, Any]]:
    """Return whether mail is really sent, and Django's settings for EMAIL_URL and EMAIL_FROM.

    Without EMAIL_URL mail is printed on the server's own screen; Django's default would make every page that sends
    mail fail.
    """
    url, sender = env.get("EMAIL_URL", "").strip(), env.get("EMAIL_FROM", "").strip()
    if not url:
        return False, {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    example = "for example smtp+tls://user:password@mail.example.org:587"
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        raise ImproperlyConfigured(f"EMAIL_URL needs a number as its port, {example}.") from None
    if parts.scheme not in {"smtp", "smtp+tls", "smtp+ssl"}:
        raise ImproperlyConfigured(f"EMAIL_URL must start with smtp://, smtp+tls:// or smtp+ssl://, {example}.")
    if not parts.hostname:
        raise ImproperlyConfigured(f"EMAIL_URL names no mail server, {example}.")
    if parts.password and parts.scheme == "smtp" and not is_local(parts.hostname):
        raise ImproperlyConfigured("EMAIL_URL would send a password readably over the internet. Use smtp+tls://.")
    if "@" not in sender:
        raise ImproperlyConfigured(
            "EMAIL_FROM is missing. Set it to the address that mail comes from, "
            "for example EMAIL_FROM='Tafelrunde <block@example.org>'."
        )
    config = environ.Env.email_url_config(url)
    config["EMAIL_PORT"] = port or {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}[parts.scheme]
    kept = {name: value for name, value in config.items() if name.startswith("EMAIL_") and name != "EMAIL_FILE_PATH"}
    return True, {**kept, "DEFAULT_FROM_EMAIL": sender, "SERVER_EMAIL": sender}


def release(env: Mapping[str, str], pyproject: Path) -> str:
    """Return the name of the running release: RELEASE, else the version in pyproject.toml."""
    return env.get("RELEASE") or str(tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]["version"])


def local_defaults(env: Mapping[str, str], data: Path, hosts: Sequence[str] = LOOPBACK) -> dict[str, str]:
    """Return what to add to `env` for a site on one's own machine, where nothing has been set up.

    A key file under `data`, `hosts` as the names of the site and, with them, plain HTTP. Whoever sets ALLOWED_HOSTS
    runs a site for others and decides about HTTPS too.
    """
    added = {}
    if not env.get("SECRET_KEY") and not env.get("SECRET_KEY_FILE"):
        added["SECRET_KEY_FILE"] = str(data / "secret-key")
    if not env.get("ALLOWED_HOSTS"):
        added["ALLOWED_HOSTS"] = ",".join(hosts)
        if not env.get("HTTPS"):
            added["HTTPS"] = "off"
    return added
